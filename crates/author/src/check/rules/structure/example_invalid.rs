//! What it does: Reports examples in descriptions that cannot be parsed or that the type rejects.
//!
//! Why: Users copy examples. An example becomes invalid when an attribute is renamed or a value is removed.
//!
//! Example:
//!
//! ````rtype
//! type door {
//!   desc """
//!     A door of the house.
//!
//!     ```puppet
//!     door { 'front':
//!       colour => red,
//!     }
//!     ```
//!     """
//!   newparam name
//!   newproperty color { newvalues red, green }
//! }
//! ````
//!
//! Better:
//!
//! ````rtype
//! type door {
//!   desc """
//!     A door of the house.
//!
//!     ```puppet
//!     door { 'front':
//!       color => red,
//!     }
//!     ```
//!     """
//!   newparam name
//!   newproperty color { newvalues red, green }
//! }
//! ````
//!
//! Only code blocks marked as `puppet`, `json` or `yaml` are checked. Code that needs a compiler is not reported, nor are synopses: blocks
//! with placeholders such as `<name>`, `[a|b]` or `...`. In Ruby, text that does not begin with a resource, excerpts that end before a brace is
//! closed, and alternatives with the same title are not reported either.

use crate::check::{Sink, TypeSubject};
use rtype_lang::diagnostics::{Code, Diagnostic};
use crate::docs::broken_examples;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let broken = broken_examples(subject.type_def, subject.file.around.types);
    let is_ruby = subject.file.is_ruby();
    let is_excerpt = |d: &Diagnostic| matches!(d.code, Code::Unclosed | Code::DuplicateResource);
    let wrong = broken.into_iter().filter(|d| d.is_error() && d.code != Code::NeedsCompiler);
    for wrong in wrong.filter(|d| !(is_ruby && is_excerpt(d))) {
        let Diagnostic { message, help, .. } = &wrong;
        let found = sink.finding(wrong.span(), format!("this example does not work: {message}"));
        sink.report(found.maybe_help(help.clone()));
    }
}
