//! Redacts secrets in all output.
//!
//! A [`Redactor`] knows the sensitive values of a run: desired values, previous values, and those read from the machine. External text
//! has the type [`Foreign`], which cannot be printed until a redactor has converted it to a string. The output of a program is first
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
