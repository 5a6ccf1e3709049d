//! Redacts secrets in all output.
//!
//! A [`Redactor`] knows the sensitive values in a run: desired values, previous values, and values read from the machine. External
//! strings have the type [`Foreign`], which cannot be printed until a redactor has converted them. The output of a program is first
//! [`RawOutput`], from which providers parse values.

mod foreign;
mod forms;
mod raw;
mod redactor;
mod url;
mod view;

pub use crate::value::REDACTED;
pub use foreign::{Foreign, Redacted};
pub use raw::RawOutput;
pub use redactor::Redactor;
pub use url::{Credentials, is_credential, without_password};
