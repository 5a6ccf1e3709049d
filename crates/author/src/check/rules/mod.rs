//! The rules, one file each. The comment at the head of a rule's file is its page: `rtype explain` prints it.

mod resources;
mod structure;
mod values;

use super::subject::{FileSubject, ResourceSubject, ResourcesSubject, Sink, TypeSubject};
use rtype_lang::diagnostics::Code;

/// A rule.
#[derive(Debug)]
pub struct Rule {
    /// What it reports. A rule reports nothing else.
    pub code: Code,
    /// The text of its file, which begins with its page.
    pub(super) text: &'static str,
    /// What it looks at.
    pub check: Check,
}

/// What a rule looks at.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// A type file: once per file that is checked.
    File(fn(&FileSubject<'_>, &mut Sink<'_>)),
    /// A type without errors: once per type that stands in a file that is checked.
    Type(fn(&TypeSubject<'_>, &mut Sink<'_>)),
    /// A declared resource without errors.
    Resource(fn(&ResourceSubject<'_>, &mut Sink<'_>)),
    /// All that one file declares.
    Resources(fn(&ResourcesSubject<'_>, &mut Sink<'_>)),
}

/// Rules of a folder: `Type name => Code`, in the order of the codes. The file `name.rs` has `pub fn check`.
macro_rules! table {
    ($($kind:ident $module:ident => $code:ident,)*) => {
        $(mod $module;)*

        /// The rules of this folder in the order of their codes.
        pub(super) const RULES: &[super::Rule] = &[$(super::Rule {
            code: rtype_lang::diagnostics::Code::$code,
            text: include_str!(concat!(stringify!($module), ".rs")),
            check: super::Check::$kind($module::check),
        },)*];
    };
}
use table;

/// All rules.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    values::RULES.iter().chain(structure::RULES).chain(resources::RULES)
}
