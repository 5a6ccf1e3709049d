//! What has changed between two versions of types, and what that means for those who use them.
//!
//! Both versions are loaded, so that only meaning is compared: where a rule comes from a kind or a mixin, layout and comments do not
//! count. What can be decided is decided (regexes as languages, data types by what they take, titles by reading them) and shown by
//! an example; a block that is another may break something, and nobody is told that it does.

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
pub use kinds::{Class, Kind};
pub use markdown::markdown;
pub use text::{summary, text};

use rtype_lang::source::{SourceMap, Span};
use rtype_lang::types::TypeDef;
use rtype_lang::value::Symbol;
use std::sync::Arc;

/// One change.
#[derive(Clone, Debug)]
pub struct Change {
    /// What has happened.
    pub kind: Kind,
    /// The type.
    pub type_name: Symbol,
    /// What of the type it is about.
    pub subject: Subject,
    /// What was there, where that can be said.
    pub old: Option<String>,
    /// What is there now.
    pub new: Option<String>,
    /// A text that shows it: accepted once and refused now, or the other way round.
    pub example: Option<String>,
    /// The place in the old version.
    pub old_span: Span,
    /// The place in the new version.
    pub new_span: Span,
}

/// What a change is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The type itself.
    Type,
    /// An attribute of it.
    Attribute(Symbol),
    /// A provider of it.
    Provider(Symbol),
}

/// How a version number should grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bump {
    /// Not at all.
    None,
    /// 1.2.3 → 1.2.4
    Patch,
    /// 1.2.3 → 1.3.0
    Minor,
    /// 1.2.3 → 2.0.0
    Major,
}

impl Bump {
    /// What these changes ask for. What may break asks for a minor version unless it counts as breaking.
    pub fn of(changes: &[Change], strict: bool) -> Bump {
        let weigh = |change: &Change| match change.kind.class() {
            Class::Breaking => Bump::Major,
            Class::MayBreak if strict => Bump::Major,
            Class::MayBreak | Class::Added => Bump::Minor,
            Class::Changed => Bump::Patch,
        };
        changes.iter().map(weigh).max_by_key(|bump| *bump as u8).unwrap_or(Bump::None)
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Bump::None => "none",
            Bump::Patch => "patch",
            Bump::Minor => "minor",
            Bump::Major => "major",
        }
    }
}

/// Texts of one version, and how their names are shown: a prefix and what stands in its place.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The texts.
    pub sources: &'a SourceMap,
    /// What file names begin with, and what is shown instead.
    pub renamed: Option<(&'a str, &'a str)>,
}

impl Side<'_> {
    /// `file:line:column`
    pub(crate) fn locate(&self, span: Span) -> Option<String> {
        Some(self.name(&self.sources.locate(span)?))
    }

    /// A file's name, or a place that begins with one, as it is shown.
    pub(crate) fn name(&self, name: &str) -> String {
        let renamed = self.renamed.and_then(|(from, to)| Some(format!("{to}{}", name.strip_prefix(from)?)));
        renamed.unwrap_or_else(|| name.to_owned())
    }
}

/// What has changed, sorted by type; breaking changes of a type come first.
pub fn compare(old: &[Arc<TypeDef>], new: &[Arc<TypeDef>]) -> Vec<Change> {
    let mut changes = Vec::new();
    for was in old {
        match new.iter().find(|t| t.name == was.name) {
            Some(is) => changes.extend(type_def::compare(was, is)),
            None => changes.push(Change::new(Kind::TypeRemoved, &was.name, Subject::Type).at(was.span, Span::NONE)),
        }
    }
    for is in new.iter().filter(|t| old.iter().all(|o| o.name != t.name)) {
        changes.push(Change::new(Kind::TypeAdded, &is.name, Subject::Type).at(Span::NONE, is.span));
    }
    changes.sort_by(|a, b| (&a.type_name, a.kind.class()).cmp(&(&b.type_name, b.kind.class())));
    changes
}

impl Change {
    fn new(kind: Kind, type_name: &Symbol, subject: Subject) -> Change {
        Change {
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

    fn at(mut self, old: Span, new: Span) -> Change {
        self.old_span = old;
        self.new_span = new;
        self
    }

    fn was(mut self, text: impl ToString) -> Change {
        self.old = Some(text.to_string());
        self
    }

    fn is(mut self, text: impl ToString) -> Change {
        self.new = Some(text.to_string());
        self
    }

    fn example(mut self, text: Option<String>) -> Change {
        self.example = text;
        self
    }

    /// The attribute or provider in words: `attribute ensure`.
    pub(crate) fn about(&self) -> Option<String> {
        match &self.subject {
            Subject::Type => None,
            Subject::Attribute(name) => Some(name.to_string()),
            Subject::Provider(name) => Some(format!("provider {name}")),
        }
    }

    /// What stands behind the words: `a → b, such as "x"`.
    pub(crate) fn details(&self) -> String {
        let mut text = match (&self.old, &self.new) {
            (None, None) => String::new(),
            (Some(one), None) | (None, Some(one)) => format!(": {one}"),
            (Some(old), Some(new)) => format!(": {old} → {new}"),
        };
        if let Some(example) = &self.example {
            let words = match self.kind.class() {
                Class::Breaking if self.kind == Kind::TitleReadDifferently => "such as",
                Class::Breaking | Class::MayBreak => "refused now:",
                Class::Added | Class::Changed => "accepted now:",
            };
            text.push_str(&format!("; {words} {example}"));
        }
        text
    }
}

/// Where the changes of one type are collected.
struct Found<'a> {
    type_name: &'a Symbol,
    subject: Subject,
    changes: Vec<Change>,
}

impl Found<'_> {
    /// Adds a change and hands it out to be filled.
    fn add(&mut self, kind: Kind, old: Span, new: Span, fill: impl FnOnce(Change) -> Change) {
        self.changes.push(fill(Change::new(kind, self.type_name, self.subject.clone()).at(old, new)));
    }

    /// Adds a change that needs no more words.
    fn plain(&mut self, kind: Kind, old: Span, new: Span) {
        self.add(kind, old, new, |change| change);
    }

    /// One of two kinds when something that is or is not has turned.
    fn turned(&mut self, old: bool, new: bool, (on, off): (Kind, Kind), (old_span, new_span): (Span, Span)) {
        if old != new {
            self.plain(if new { on } else { off }, old_span, new_span);
        }
    }

    /// Blocks with a name that may be others.
    fn block(&mut self, name: &str, same: bool, old: Span, new: Span) {
        if !same {
            self.add(Kind::BlockChanged, old, new, |change| change.was(name));
        }
    }
}
