//! What rules are shown, and where they put what they find.

use indexmap::IndexSet;
use rtype_lang::diagnostics::{Code, Diagnostic, RunFindings};
use rtype_lang::library::Library;
use rtype_lang::source::Source;
use rtype_lang::syntax::ast::{Ast, Declaration};
use rtype_lang::types::TypeDef;
use rtype_model::manifest::{Declarations, Declared};
use rtype_model::providers::Providers;
use rtype_model::resource::{Catalog, Instance};
use std::sync::Arc;

/// What all rules of a run may look at.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// The types that are loaded, all texts, the places of secrets.
    pub library: &'a Library,
    /// The names of all types that could be loaded.
    pub types: &'a IndexSet<String>,
    /// Code of the providers.
    pub providers: &'a dyn Providers,
}

/// A type file.
#[derive(Clone, Copy)]
pub struct FileSubject<'a> {
    /// Its text.
    pub source: &'a Source,
    /// What stands in it.
    pub ast: &'a Ast,
    /// Its types, those without errors.
    pub types: &'a [Arc<TypeDef>],
    /// The rest of the run.
    pub around: Surroundings<'a>,
}

/// A type without errors.
#[derive(Clone, Copy)]
pub struct TypeSubject<'a> {
    /// The type. Parts of it may come from other files: kinds, mixins, providers.
    pub type_def: &'a Arc<TypeDef>,
    /// Where it is declared.
    pub declaration: &'a Declaration,
    /// The file in which it stands.
    pub file: FileSubject<'a>,
}

/// A declared resource without errors.
#[derive(Clone, Copy)]
pub struct ResourceSubject<'a> {
    /// With canonical values.
    pub instance: &'a Instance,
    /// As written.
    pub declared: &'a Declared,
    /// All that the file declares.
    pub file: ResourcesSubject<'a>,
}

/// A file of resources.
#[derive(Clone, Copy)]
pub struct ResourcesSubject<'a> {
    /// Its text.
    pub source: &'a Source,
    /// What it declares, resources with errors among it.
    pub declarations: &'a Declarations,
    /// The resources that can be used.
    pub catalog: &'a Catalog,
    /// The rest of the run.
    pub around: Surroundings<'a>,
}

/// Takes what one rule finds.
pub struct Sink<'a> {
    code: Code,
    found: &'a mut RunFindings,
}

impl<'a> Sink<'a> {
    pub(super) fn new(code: Code, found: &'a mut RunFindings) -> Sink<'a> {
        Sink { code, found }
    }

    /// A finding of the rule; [`Sink::report`] takes it.
    pub fn finding(&self, span: rtype_lang::source::Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.code, span, message)
    }

    /// Notes a finding.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        debug_assert_eq!(diagnostic.code, self.code, "a rule reports its own code alone");
        self.found.push(diagnostic);
    }
}
