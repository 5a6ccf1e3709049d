//! The rules, one file each. The comment at the head of a rule's file is the rule's page, which `rtype explain` prints.

mod resources;
mod structure;
mod values;

pub use structure::misspelled_facts;

use super::subject::{FileSubject, ResourceSubject, ResourcesSubject, Sink, TypeSubject};
use rtype_lang::diagnostics::Code;

/// A rule of the linter.
#[derive(Debug)]
pub struct Rule {
    /// The only code that the rule reports.
    pub code: Code,
    /// The source of the rule's file, which begins with the rule's page.
    pub(super) text: &'static str,
    /// The check function.
    pub check: RuleCheck,
    /// Codes of findings to drop at spans where this rule has a more precise finding.
    pub supersedes: &'static [Code],
}

/// A rule's check function, by the input that it runs on.
#[derive(Clone, Copy, Debug)]
pub enum RuleCheck {
    /// Runs once per checked type file.
    File(fn(&FileSubject<'_>, &mut Sink<'_>)),
    /// Runs once per type without errors in a checked file.
    Type(fn(&TypeSubject<'_>, &mut Sink<'_>)),
    /// Runs once per declared resource without errors.
    Resource(fn(&ResourceSubject<'_>, &mut Sink<'_>)),
    /// Runs once per file that declares resources.
    Resources(fn(&ResourcesSubject<'_>, &mut Sink<'_>)),
}

/// Declares the rules of a directory: `Type name => Code`, in the order of the codes, with `supersedes OtherCode` if its findings replace others. The file `name.rs` has `pub fn check`.
macro_rules! table {
    ($($kind:ident $module:ident => $code:ident $(supersedes $other:ident)?,)*) => {
        $(mod $module;)*

        /// The rules in this directory, sorted by code.
        pub(super) const RULES: &[super::Rule] = &[$(super::Rule {
            code: rtype_lang::diagnostics::Code::$code,
            // Only `explain` shows the pages of rules, and no browser runs `explain`: the pages would be a tenth of the browser's
            // module.
            text: if cfg!(target_arch = "wasm32") { "" } else { include_str!(concat!(stringify!($module), ".rs")) },
            check: super::RuleCheck::$kind($module::check),
            supersedes: &[$(rtype_lang::diagnostics::Code::$other)?],
        },)*];
    };
}
use table;

/// All rules.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    values::RULES.iter().chain(structure::RULES).chain(resources::RULES)
}
