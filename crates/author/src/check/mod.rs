//! The linter: findings about types and resources beyond the errors that make them unusable.
//!
//! [`run`] loads texts, runs every rule on them, and filters the findings. A rule is a file in `rules/`; the leading comment is the
//! rule's page. Codes reported by other modules have their pages in `pages/`.

mod adopt;
mod baseline;
pub(crate) mod blocks;
pub mod config;
mod confines;
mod descriptions;
mod explain;
mod finding;
mod fix;
pub mod format;
mod left_out;
mod limits;
mod methods;
mod resources;
mod rules;
mod secrets;
mod select;
mod subject;
mod suppress;
mod written;

pub use adopt::{adopt, suppressions};
pub use baseline::Baseline;
pub use explain::{CodePage, explain, explain_as_text, page, suggested_code};
pub use finding::{Checked, Counted, Finding};
pub use fix::{Fixed, MAX_ROUNDS, Recheck, fix, touch};
pub use left_out::{LeftOut, LeftOutGroup, LeftOutReason, left_out_groups, left_out_text};
pub use limits::CheckLimits;
use resources::DeclaredFiles;
pub use rules::{Rule, RuleCheck, misspelled_facts, rules};
pub use select::{Root, Selection, Selector, SelectorError, is_ignorable};
pub use subject::{CheckContext, FileSubject, ResourceSubject, ResourcesSubject, Sink, TypeSubject};

use indexmap::{IndexMap, IndexSet};
use rayon::prelude::*;
use rtype_lang::diagnostics::{Code, Diagnostic, RunFindings};
use rtype_lang::eval::{World, run_exhausted};
use rtype_lang::library::{Loaded, TypeSet};
use rtype_lang::source::{Source, Span};
use rtype_lang::syntax::ast::{Declaration, Item};
use rtype_model::manifest::{Declarations, suspects};
use rtype_model::providers::Providers;
use rtype_model::providers::disagreements;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A text to check.
#[derive(Clone, Debug)]
pub enum Input {
    /// A type file, and the directory in which `use` and providers are resolved.
    Types(Arc<Source>, Option<PathBuf>),
    /// Resources in any format, as a separate catalog. Files that are checked together may belong to different machines: a resource may
    /// occur in several, and relationships do not cross files.
    Resources(Arc<Source>),
}

impl Input {
    /// Returns the source text.
    pub fn source(&self) -> &Arc<Source> {
        match self {
            Input::Types(source, _) | Input::Resources(source) => source,
        }
    }
}

/// Returns the rule that reports a code; `None` if another module reports it.
pub fn rule(code: Code) -> Option<&'static Rule> {
    rules().find(|r| r.code == code)
}

/// Adds texts to a set of types and checks them. `before` contains earlier diagnostics, such as errors about unreadable files.
pub fn run(
    inputs: &[Input],
    before: Vec<Diagnostic>,
    types: &mut TypeSet,
    providers: &dyn Providers,
    world: &dyn World,
    selection: &Selection,
) -> Checked {
    let mut found = DiagnosticCollector { findings: RunFindings::new(selection.most_kept), selection, misread: Misread::default() };
    found.extend(before);
    let texts = load_all(inputs, types);
    let types = &*types;
    let tests = types.tests(texts.iter().map(|(_, loaded)| loaded)).diagnostics;
    let DeclaredFiles { files: resources, unknown, computed } = resources::declare_all(inputs, types, world, &mut found);
    let loading = types.diagnostics();
    let mut misread = std::mem::take(&mut found.misread);
    loading.iter().chain(&tests).for_each(|diagnostic| misread.note(diagnostic));
    misread.0.sort_unstable();
    found.extend(unknown.unchecked(types));
    let (loaded, files) = (types.registry(), types.files());
    for type_def in loaded.iter() {
        found.extend(disagreements(type_def, providers, &|path| files.check(path)));
    }
    found.extend(loading.into_iter().chain(tests));
    let names: IndexSet<String> = types.names().into_iter().collect();
    let references = types.references();
    let around = CheckContext { types, loaded: &loaded, names: &names, references: &references, providers };
    let on: Vec<&Rule> = rules().filter(|r| selection.tells(r.code)).collect();
    // The order is irrelevant, because findings are sorted.
    found.extend(run_exhausted());
    let none = || RunFindings::new(selection.most_kept);
    let of_types = texts.par_iter().fold(none, |mut found, (source, loaded)| {
        check_types(FileSubject { source, ast: loaded.ast(), types: &loaded.types, around }, &on, &misread, &mut found);
        found
    });
    let of_resources = resources.par_iter().map(|(source, declarations, declaring)| {
        let file = ResourcesSubject { source, declarations, catalog: &declaring.catalog, around };
        check_resources(file, &on, &misread, selection.most_kept)
    });
    let found = found.findings.with(of_types.chain(of_resources).reduce(none, RunFindings::with));
    let asts: IndexMap<u32, &Loaded> = texts.iter().map(|(source, loaded)| (source.base(), loaded)).collect();
    let declared: IndexMap<u32, &Declarations> = resources.iter().map(|(source, declared, _)| (source.base(), declared)).collect();
    Checked { computed, ..finding::finish(inputs, &asts, &declared, found, types, selection) }
}

/// Adds a type file to a set of types; `None` for other inputs.
pub fn load(input: &Input, types: &mut TypeSet) -> Option<Loaded> {
    let Input::Types(source, directory) = input else { return None };
    let before = types.diagnostic_count();
    let loaded = types.load_text(source, directory.as_deref());
    // In a test with syntax errors, only names identify secrets.
    if types.has_errors_after(before) {
        types.secrets.extend(&suspects(source));
    }
    Some(loaded)
}

/// Adds all type files to a set of types.
fn load_all<'i>(inputs: &'i [Input], types: &mut TypeSet) -> Vec<(&'i Source, Loaded)> {
    let texts: Vec<(&Source, Option<&Path>)> = inputs
        .iter()
        .filter_map(|i| if let Input::Types(source, directory) = i { Some((source.as_ref(), directory.as_deref())) } else { None })
        .collect();
    let loaded = types.load_texts(&texts);
    // As in `load`, but tests may be about types of other files.
    if types.has_errors() {
        texts.iter().for_each(|(source, _)| types.secrets.extend(&suspects(source)));
    }
    texts.into_iter().map(|(source, _)| source).zip(loaded).collect()
}

/// Locations with syntax errors. Rules must not draw conclusions from the rest of a declaration with a syntax error.
#[derive(Default)]
struct Misread(Vec<u32>);

impl Misread {
    fn note(&mut self, found: &Diagnostic) {
        let is_reading = |code: Code| matches!(code, Code::BadInput | Code::NeedsCompiler) || code.is_syntax();
        if found.is_error() && is_reading(found.code) {
            self.0.push(found.span().start);
        }
    }

    fn touches(&self, span: Span) -> bool {
        let first = self.0.partition_point(|start| *start < span.start);
        self.0.get(first).is_some_and(|start| *start <= span.end)
    }
}

/// Collects diagnostics before rules run. Diagnostics with unselected codes are dropped immediately.
struct DiagnosticCollector<'s> {
    findings: RunFindings,
    selection: &'s Selection,
    misread: Misread,
}

impl DiagnosticCollector<'_> {
    fn push(&mut self, diagnostic: Diagnostic) {
        self.misread.note(&diagnostic);
        if self.selection.tells(diagnostic.code) {
            self.findings.push(diagnostic);
        }
    }

    fn extend(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        found.into_iter().for_each(|diagnostic| self.push(diagnostic));
    }
}

fn check_types(file: FileSubject<'_>, rules: &[&Rule], misread: &Misread, found: &mut RunFindings) {
    let declarations: IndexMap<Span, &Declaration> =
        file.ast.items.iter().filter_map(|item| if let Item::Type(t) = item { Some((t.name.span, t)) } else { None }).collect();
    let mut types: Vec<TypeSubject<'_>> = Vec::new();
    for type_def in file.types {
        let declaration = declarations.get(&type_def.span).filter(|declaration| !misread.touches(declaration.span));
        types.extend(declaration.map(|declaration| TypeSubject { type_def, declaration, file }));
    }
    for rule in rules {
        let mut sink = Sink::new(rule.code, found);
        match rule.check {
            // Rules about unused or repeated items need a file without syntax errors.
            RuleCheck::File(check) => {
                if !misread.touches(file.source.span()) {
                    check(&file, &mut sink);
                }
            }
            RuleCheck::Type(check) => types.iter().for_each(|subject| check(subject, &mut sink)),
            RuleCheck::Resource(_) | RuleCheck::Resources(_) => {}
        }
    }
}

fn check_resources(file: ResourcesSubject<'_>, rules: &[&Rule], misread: &Misread, most: usize) -> RunFindings {
    let usable: Vec<_> = file
        .declarations
        .resources
        .iter()
        .filter_map(|declared| Some((declared, file.catalog.named(&declared.reference())?)))
        .filter(|(declared, instance)| instance.span == declared.title_span && !misread.touches(declared.span))
        .collect();
    // A catalog is one file, so its rules run in parallel.
    let none = || RunFindings::new(most);
    let found = rules.par_iter().fold(none, |mut found, rule| {
        let mut sink = Sink::new(rule.code, &mut found);
        match rule.check {
            RuleCheck::Resources(check) => check(&file, &mut sink),
            RuleCheck::Resource(check) => {
                usable.iter().for_each(|(declared, instance)| check(&ResourceSubject { instance, declared, file }, &mut sink));
            }
            RuleCheck::File(_) | RuleCheck::Type(_) => {}
        }
        found
    });
    found.reduce(none, RunFindings::with)
}
