//! Keeps secrets out of every output.
//!
//! A [`Redactor`] knows the sensitive values of a run: desired ones, previous ones and those that were read. Text that did not
//! come from rtype itself is [`Foreign`]: it cannot be printed until a redactor has turned it into a plain string.

mod foreign;
mod forms;
mod redactor;
mod url;
mod view;

pub use crate::value::REDACTED;
pub use foreign::Foreign;
pub use redactor::Redactor;
pub use url::{Credentials, without_password};
