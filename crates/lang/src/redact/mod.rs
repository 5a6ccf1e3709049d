//! Keeps secrets out of every output.
//!
//! A [`Redactor`] knows the sensitive values of a run: desired ones, previous ones and those that were read. Text that did not
//! come from rtype itself is [`Foreign`]: it cannot be printed until a redactor has turned it into a plain string. What a program
//! wrote is [`RawOutput`] first, from which providers read values.

mod foreign;
mod forms;
mod raw;
mod redactor;
mod url;
mod view;

pub use crate::value::REDACTED;
pub use foreign::Foreign;
pub use raw::RawOutput;
pub use redactor::Redactor;
pub use url::{Credentials, without_password};
