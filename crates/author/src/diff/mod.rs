//! Compares two versions of types, and determines the effect on their users.
//!
//! Both versions are loaded, so that only the meaning is compared. Layout and comments are ignored, as well as moves of a rule into a
//! kind or mixin. Regexes are compared as languages, data types by the values they accept, and titles by parsing them, with an example
//! of each difference. A changed block only may break something.

mod attribute;
mod blocks;
pub mod catalogs;
mod json;
mod kinds;
mod markdown;
mod patterns;
mod provider;
mod text;
mod titles;
mod type_def;
mod values;

pub use json::json;
pub use kinds::{ChangeClass, ChangeKind};
pub use markdown::markdown;
pub use text::{summary, text};

use rtype_lang::source::{SourceMap, Span};
use rtype_lang::types::TypeDef;
use rtype_lang::value::Symbol;
use std::sync::Arc;

/// A change.
#[derive(Clone, Debug)]
pub struct TypeChange {
    /// The kind of change.
    pub kind: ChangeKind,
    /// Name of the type.
    pub type_name: Symbol,
    /// The changed part of the type.
    pub subject: Subject,
    /// Description of the old state, if available.
    pub old: Option<String>,
    /// Description of the new state, if available.
    pub new: Option<String>,
    /// A value that demonstrates the change: accepted in one version and rejected in the other.
    pub example: Option<String>,
    /// Location in the old version.
    pub old_span: Span,
    /// Location in the new version.
    pub new_span: Span,
}

/// The changed part of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The type itself.
    Type,
    /// An attribute.
    Attribute(Symbol),
    /// A provider.
    Provider(Symbol),
}

/// The required increment of a version number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bump {
    /// No increment.
    None,
    /// 1.2.3 → 1.2.4
    Patch,
    /// 1.2.3 → 1.3.0
    Minor,
    /// 1.2.3 → 2.0.0
    Major,
}

impl Bump {
    /// Returns the increment for a list of changes. With `strict`, a change that may break something counts as breaking.
    pub fn of(changes: &[TypeChange], strict: bool) -> Bump {
        let weigh = |change: &TypeChange| match change.kind.class() {
            ChangeClass::Breaking => Bump::Major,
            ChangeClass::MayBreak if strict => Bump::Major,
            ChangeClass::MayBreak | ChangeClass::Added => Bump::Minor,
            ChangeClass::Changed => Bump::Patch,
        };
        changes.iter().map(weigh).max_by_key(|bump| *bump as u8).unwrap_or(Bump::None)
    }

    /// Returns the name of the increment.
    pub fn word(self) -> &'static str {
        match self {
            Bump::None => "none",
            Bump::Patch => "patch",
            Bump::Minor => "minor",
            Bump::Major => "major",
        }
    }
}

/// A version's sources, and the displayed form of file names.
#[derive(Clone, Copy, Debug)]
pub struct DiffSource<'a> {
    /// The sources.
    pub sources: &'a SourceMap,
    /// A prefix of file names and the replacement for the prefix.
    pub renamed: Option<(&'a str, &'a str)>,
}

impl DiffSource<'_> {
    /// Formats a location as `file:line:column`.
    pub(crate) fn locate(&self, span: Span) -> Option<String> {
        Some(self.name(&self.sources.locate(span)?))
    }

    /// Returns the displayed form of a file name, or of a location starting with a file name.
    pub(crate) fn name(&self, name: &str) -> String {
        let renamed = self.renamed.and_then(|(from, to)| Some(format!("{to}{}", name.strip_prefix(from)?)));
        renamed.unwrap_or_else(|| name.to_owned())
    }
}

/// Returns the changes, sorted by type, breaking changes of a type first.
pub fn compare(old: &[Arc<TypeDef>], new: &[Arc<TypeDef>]) -> Vec<TypeChange> {
    let mut changes = Vec::new();
    for was in old {
        match new.iter().find(|t| t.name == was.name) {
            Some(is) => changes.extend(type_def::compare(was, is)),
            None => changes.push(TypeChange::new(ChangeKind::TypeRemoved, &was.name, Subject::Type).at(was.span, Span::NONE)),
        }
    }
    for is in new.iter().filter(|t| old.iter().all(|o| o.name != t.name)) {
        changes.push(TypeChange::new(ChangeKind::TypeAdded, &is.name, Subject::Type).at(Span::NONE, is.span));
    }
    changes.sort_by(|a, b| (&a.type_name, a.kind.class()).cmp(&(&b.type_name, b.kind.class())));
    changes
}

impl TypeChange {
    fn new(kind: ChangeKind, type_name: &Symbol, subject: Subject) -> TypeChange {
        TypeChange {
            kind,
            type_name: type_name.clone(),
            subject,
            old: None,
            new: None,
            example: None,
            old_span: Span::NONE,
            new_span: Span::NONE,
        }
    }

    fn at(mut self, old: Span, new: Span) -> TypeChange {
        self.old_span = old;
        self.new_span = new;
        self
    }

    fn was(mut self, text: impl ToString) -> TypeChange {
        self.old = Some(text.to_string());
        self
    }

    fn is(mut self, text: impl ToString) -> TypeChange {
        self.new = Some(text.to_string());
        self
    }

    fn example(mut self, text: Option<String>) -> TypeChange {
        self.example = text;
        self
    }

    /// Describes the attribute or provider, such as `provider apt`.
    pub(crate) fn about(&self) -> Option<String> {
        match &self.subject {
            Subject::Type => None,
            Subject::Attribute(name) => Some(name.to_string()),
            Subject::Provider(name) => Some(format!("provider {name}")),
        }
    }

    /// Formats the details that follow the description: `: a → b, such as "x"`.
    pub(crate) fn details(&self) -> String {
        let mut text = match (&self.old, &self.new) {
            (None, None) => String::new(),
            (Some(one), None) | (None, Some(one)) => format!(": {one}"),
            (Some(old), Some(new)) => format!(": {old} → {new}"),
        };
        if let Some(example) = &self.example {
            let words = match self.kind.class() {
                ChangeClass::Breaking if self.kind == ChangeKind::TitleReadDifferently => "such as",
                ChangeClass::Breaking | ChangeClass::MayBreak => "refused now:",
                ChangeClass::Added | ChangeClass::Changed => "accepted now:",
            };
            text.push_str(&format!("; {words} {example}"));
        }
        text
    }
}

/// Collects the changes of one type.
struct ChangeCollector<'a> {
    type_name: &'a Symbol,
    subject: Subject,
    changes: Vec<TypeChange>,
}

impl ChangeCollector<'_> {
    /// Adds a change; `fill` sets the details.
    fn add(&mut self, kind: ChangeKind, old: Span, new: Span, fill: impl FnOnce(TypeChange) -> TypeChange) {
        self.changes.push(fill(TypeChange::new(kind, self.type_name, self.subject.clone()).at(old, new)));
    }

    /// Adds a change without details.
    fn plain(&mut self, kind: ChangeKind, old: Span, new: Span) {
        self.add(kind, old, new, |change| change);
    }

    /// Adds one of two kinds of change if a flag was set or cleared.
    fn turned(&mut self, old: bool, new: bool, (on, off): (ChangeKind, ChangeKind), (old_span, new_span): (Span, Span)) {
        if old != new {
            self.plain(if new { on } else { off }, old_span, new_span);
        }
    }

    /// Adds a change of a named block unless it is the same.
    fn block(&mut self, name: &str, same: bool, old: Span, new: Span) {
        if !same {
            self.add(ChangeKind::BlockChanged, old, new, |change| change.was(name));
        }
    }
}
