//! The input of rules, and the collector of their findings.

use indexmap::IndexSet;
use rtype_lang::diagnostics::{Code, Diagnostic, RunFindings};
use rtype_lang::library::{TypeSet, is_ruby};
use rtype_lang::lower::References;
use rtype_lang::source::{Source, Span};
use rtype_lang::syntax::ast::{Ast, Declaration};
use rtype_lang::types::{Registry, TypeDef};
use rtype_model::manifest::{Declarations, Declared};
use rtype_model::providers::Providers;
use rtype_model::resource::{Catalog, Instance};
use std::path::Path;
use std::sync::Arc;

/// Data available to all rules of a run.
#[derive(Clone, Copy)]
pub struct CheckContext<'a> {
    /// All types, all sources, and the locations of secrets.
    pub types: &'a TypeSet,
    /// The types that were loaded before the rules run.
    pub loaded: &'a Registry,
    /// Names of all loadable types.
    pub names: &'a IndexSet<String>,
    /// The names in all types, and their definitions.
    pub references: &'a References,
    /// Code of the providers.
    pub providers: &'a dyn Providers,
}

/// A type file.
#[derive(Clone, Copy)]
pub struct FileSubject<'a> {
    /// The source.
    pub source: &'a Source,
    /// The syntax tree.
    pub ast: &'a Ast,
    /// The types without errors.
    pub types: &'a [Arc<TypeDef>],
    /// Data of the run.
    pub around: CheckContext<'a>,
}

impl FileSubject<'_> {
    /// Returns `true` if the source was translated from Ruby. Parts may be missing, and authors of Ruby cannot write directives that
    /// only type files have.
    pub fn is_ruby(&self) -> bool {
        is_ruby(Path::new(self.source.name()))
    }

    /// Returns `true` if the author wrote a word. In Ruby, the word must follow the source location of the translated span.
    pub fn is_written(&self, word: &str, span: Span) -> bool {
        if !self.is_ruby() {
            return true;
        }
        let origin = self.around.types.sources.origin(span);
        let Some(ruby) = self.around.types.sources.find(origin) else { return false };
        let rest = ruby.text().get(ruby.range(origin).start..).unwrap_or_default();
        rest.split(|c: char| !c.is_alphanumeric() && c != '_').any(|written| written == word)
    }
}

/// A type without errors.
#[derive(Clone, Copy)]
pub struct TypeSubject<'a> {
    /// The type. Some parts may be defined in other files: kinds, mixins, providers.
    pub type_def: &'a Arc<TypeDef>,
    /// The declaration of the type.
    pub declaration: &'a Declaration,
    /// The file that contains the type.
    pub file: FileSubject<'a>,
}

/// A declared resource without errors.
#[derive(Clone, Copy)]
pub struct ResourceSubject<'a> {
    /// The resource with canonical values.
    pub instance: &'a Instance,
    /// The resource as written.
    pub declared: &'a Declared,
    /// The file that contains the resource.
    pub file: ResourcesSubject<'a>,
}

/// A file of resources.
#[derive(Clone, Copy)]
pub struct ResourcesSubject<'a> {
    /// The source.
    pub source: &'a Source,
    /// All declarations, including resources with errors.
    pub declarations: &'a Declarations,
    /// The valid resources.
    pub catalog: &'a Catalog,
    /// Data of the run.
    pub around: CheckContext<'a>,
}

/// Collects the findings of one rule.
pub struct Sink<'a> {
    code: Code,
    found: &'a mut RunFindings,
}

impl<'a> Sink<'a> {
    pub(super) fn new(code: Code, found: &'a mut RunFindings) -> Sink<'a> {
        Sink { code, found }
    }

    /// Creates a finding of the rule, to be passed to [`Sink::report`].
    pub fn finding(&self, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.code, span, message)
    }

    /// Adds a finding.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        debug_assert_eq!(diagnostic.code, self.code, "a rule reports its own code alone");
        self.found.push(diagnostic);
    }
}
