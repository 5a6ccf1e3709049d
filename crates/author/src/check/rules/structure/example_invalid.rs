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
//! Only code blocks marked as `puppet`, `json` or `yaml` are checked. Code that needs a compiler is not reported.

use crate::check::{Sink, TypeSubject};
use rtype_lang::diagnostics::{Code, Diagnostic};
use crate::docs::broken_examples;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let broken = broken_examples(subject.type_def, subject.file.around.types);
    for wrong in broken.into_iter().filter(|d| d.is_error() && d.code != Code::NeedsCompiler) {
        let Diagnostic { message, help, .. } = &wrong;
        let found = sink.finding(wrong.span(), format!("this example does not work: {message}"));
        sink.report(found.maybe_help(help.clone()));
    }
}
