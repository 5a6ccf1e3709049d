//! The table of references: the locations where names are defined and used, and the owners of the names.
//!
//!
//! An entry consists of two spans, so that resolved names take little memory. Consumers read the names from the sources.

use super::{Names, Sink};
use crate::source::Span;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::sync::OnceLock;

/// The kind of the named item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NameKind {
    /// A type.
    Type,
    /// A provider of a type.
    Provider,
    /// An attribute of a type.
    Attribute,
    /// An allowed value of an attribute, or an alias.
    Value,
    /// A provider feature declared by a type.
    Feature,
    /// A query, action or setting of a type's providers.
    Method,
    /// A feature of the platform.
    Platform,
    /// A kind of attribute.
    Kind,
    /// A mixin.
    Mixin,
    /// A function of a type or file.
    Function,
    /// A constant.
    Constant,
    /// An alias of a data type.
    DataType,
    /// A local variable or a parameter.
    Local,
    /// A file used by another file.
    File,
    /// A declared resource. Only readers of manifests record resources, lowering does not.
    Resource,
}

/// A name in a source and its definition.
///
///
/// Spans are token spans: a symbol includes its colon, a string its quotes, and `self.x?` the question mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reference {
    /// The name.
    pub span: Span,
    /// The definition; the name itself for a definition. Empty for a type in another file, which is found by name, and for an
    /// undeclared method.
    pub target: Span,
    /// The kind of the named item.
    pub kind: NameKind,
    /// `true` for a definition. A method can be defined in several places, and all references point to the first definition.
    pub defines: bool,
}

/// A name with its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MemberName {
    /// The owner: the name of a type, mixin, kind or attribute; or a file, whose members are the visible names.
    pub of: Span,
    /// The kind of the named item.
    pub kind: NameKind,
    /// The definition of the name, or the use of an undeclared method.
    pub name: Span,
}

/// References sorted by position.
#[derive(Clone, Debug, Default)]
pub struct References {
    all: Vec<Reference>,
    /// Sorted by owner.
    members: Vec<MemberName>,
    /// The uses with the definitions first, sorted on first use.
    uses: OnceLock<Vec<(Span, Span)>>,
}

impl FromIterator<Reference> for References {
    fn from_iter<I: IntoIterator<Item = Reference>>(all: I) -> References {
        let mut all: Vec<Reference> = all.into_iter().collect();
        // The references consist of sorted runs, one run per file.
        all.sort();
        all.dedup();
        References { all, members: Vec::new(), uses: OnceLock::new() }
    }
}

impl std::ops::Deref for References {
    type Target = [Reference];

    fn deref(&self) -> &[Reference] {
        &self.all
    }
}

impl References {
    /// Returns these references with members.
    #[must_use]
    pub fn with_members(self, members: impl IntoIterator<Item = MemberName>) -> References {
        let mut members: Vec<MemberName> = members.into_iter().collect();
        members.sort_unstable();
        members.dedup();
        References { members, ..self }
    }

    /// Returns all members, sorted by owner.
    pub fn all_members(&self) -> &[MemberName] {
        &self.members
    }

    /// Returns the names of a kind that belong to a type, mixin, kind, attribute or file.
    pub fn members(&self, of: Span, kind: NameKind) -> impl Iterator<Item = Span> {
        let from = self.members.partition_point(|m| (m.of, m.kind) < (of, kind));
        self.members.iter().skip(from).take_while(move |m| (m.of, m.kind) == (of, kind)).map(|m| m.name)
    }

    /// Returns the references in a source or a part of it.
    pub fn within(&self, span: Span) -> &[Reference] {
        let from = self.all.partition_point(|r| r.span.start < span.start);
        let to = self.all.partition_point(|r| r.span.start < span.end);
        self.all.get(from..to).unwrap_or_default()
    }

    /// Returns `true` if a name is a definition.
    pub fn is_definition(&self, span: Span) -> bool {
        let from = self.all.partition_point(|r| r.span < span);
        self.all.iter().skip(from).take_while(|r| r.span == span).any(|r| r.defines)
    }

    /// Returns the uses of a definition, sorted by position.
    pub fn uses(&self, target: Span) -> impl Iterator<Item = Span> {
        let uses = self.uses.get_or_init(|| {
            let mut uses: Vec<_> = self.all.iter().filter(|r| !r.defines).map(|r| (r.target, r.span)).collect();
            uses.sort_unstable();
            uses
        });
        let from = uses.partition_point(|(to, _)| *to < target);
        uses.iter().skip(from).take_while(move |(to, _)| *to == target).map(|(_, at)| *at)
    }
}

/// Records references while a file is lowered.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    all: RefCell<Vec<Reference>>,
    members: RefCell<Vec<MemberName>>,
    /// A declaration lowered with each type: only its definitions are recorded.
    ignored: Cell<Span>,
}

impl Recorder {
    pub fn ignore(&self, span: Span) {
        self.ignored.set(span);
    }

    fn push(&self, reference: Reference) {
        let is_ignored = || self.ignored.get().contains(reference.span) && (!reference.defines || reference.kind == NameKind::Local);
        if !reference.span.is_none() && !is_ignored() {
            self.all.borrow_mut().push(reference);
        }
    }

    /// Adds the records of another recorder.
    pub fn extend(&self, other: &Recorder) {
        self.all.borrow_mut().extend(other.all.take());
        self.members.borrow_mut().extend(other.members.take());
    }

    /// Returns the members so far.
    pub fn take_members(&self) -> Vec<MemberName> {
        self.members.take()
    }

    /// Returns the references so far, without duplicates, sorted by position.
    pub fn take(&self) -> Vec<Reference> {
        let mut all = self.all.take();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Returns the definitions used so far.
    pub fn targets(&self) -> HashSet<Span> {
        self.all.borrow().iter().filter(|r| !r.defines).map(|r| r.target).collect()
    }
}

impl Sink {
    /// Records a definition.
    pub fn define(&self, kind: NameKind, span: Span) {
        self.references.push(Reference { span, target: span, kind, defines: true });
    }

    /// Records another definition for a name already defined at `first`.
    pub fn define_again(&self, kind: NameKind, span: Span, first: Span) {
        self.references.push(Reference { span, target: first, kind, defines: true });
    }

    /// Records a use of a name defined at `target`. Without a target, nothing is recorded.
    pub fn refer(&self, kind: NameKind, span: Span, target: Span) {
        if !target.is_none() {
            self.references.push(Reference { span, target, kind, defines: false });
        }
    }

    /// Records the owner of a name.
    pub fn member(&self, of: Span, kind: NameKind, name: Span) {
        if !of.is_none() && !name.is_none() {
            self.references.members.borrow_mut().push(MemberName { of, kind, name });
        }
    }

    /// Records the use of a provider method that the type's providers do not declare.
    pub fn ask(&self, span: Span, of: Span) {
        self.references.push(Reference { span, target: Span::NONE, kind: NameKind::Method, defines: false });
        self.member(of, NameKind::Method, span);
    }

    /// Records the name of a type, which may be defined in another file.
    pub fn refer_type(&self, name: &str, span: Span, names: &Names<'_>) {
        let target = names.types.get(name).copied().unwrap_or(Span::NONE);
        self.references.push(Reference { span, target, kind: NameKind::Type, defines: false });
    }
}

#[cfg(test)]
mod tests;
