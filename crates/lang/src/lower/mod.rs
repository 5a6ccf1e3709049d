//! Lowers syntax trees to [`TypeDef`]s: resolves names, kinds and mixins, and reports errors that make a type unusable.
//!
//!
//! Lowering continues after an error. A type with errors is not returned, because its behavior would be undefined.

mod attribute;
mod block;
mod calls;
mod checks;
mod datatype;
mod declared;
mod directives;
mod ensure;
mod entered;
mod expr;
mod foreign;
mod functions;
mod literal;
mod misspelt;
mod names;
mod provider;
mod references;
mod refused;
mod regexes;
mod relations;
mod ruby;
mod test;
mod test_cases;
mod test_names;
mod truth;
mod type_body;
mod untranslated;
mod unused;
mod values;
mod words;

pub use block::{BlockKind, BlockResult};
pub use entered::{EnteredCode, EnteredScope, lower_entered};
pub use foreign::foreign_parents;
pub use references::{MemberName, NameKind, Reference, References};
pub use refused::{DirectiveScope, REFUSED};
pub use regexes::SharedRegexes;
pub use untranslated::may_be_untranslated;
pub use words::{ATTRIBUTE_WORDS, KINDS, OPTIONS, PROVIDER_WORDS, TYPE_WORDS, Word};

use crate::diagnostics::{Code, Diagnostic};
use crate::source::{Source, Span};
use crate::syntax::ast::{Ast, Item};
use crate::types::{TestDef, TypeDef};
use crate::value::EcoString;
use indexmap::IndexMap;
use names::Names;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

/// The result of lowering a file.
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    /// The types in the file without errors.
    pub types: Vec<Arc<TypeDef>>,
    /// The types in the file with errors, which must not be used: only their names are known.
    pub with_errors: Vec<Arc<TypeDef>>,
    /// All diagnostics, ordered by position.
    pub diagnostics: Vec<Diagnostic>,
    /// Spans to redact in excerpts: literals in sensitive attributes.
    pub secrets: Vec<Span>,
    /// Code in sensitive attributes; excerpts must redact all literals in it.
    pub secret_code: Vec<Span>,
    /// The names in the file, and in mixins, kinds and providers from other files that the types use, sorted by position.
    pub references: Vec<Reference>,
    /// The owners of these names, and the names that the file sees.
    pub members: Vec<MemberName>,
}

impl Lowered {
    /// Drops diagnostics that only follow from syntax errors in a declaration.
    #[must_use]
    pub fn without_consequences(mut self, file: &Ast, unread: &Unread) -> Lowered {
        let Unread { spans: unread, lines } = unread;
        let is_incomplete = |span: Span| {
            let around = file.items.iter().find_map(|item| match item {
                Item::Type(d) if d.span.contains(span) => Some(d.span),
                _ => None,
            });
            around.is_some_and(|item| unread.iter().any(|lost| item.contains(*lost)))
        };
        let says_missing = |code: Code| matches!(code, Code::NamevarMissing | Code::TitlePatternsMissing);
        // The word itself, or its argument, has already been reported.
        let repeats = |d: &Diagnostic| match d.code {
            Code::UnknownName => unread.contains(&d.span()),
            Code::WrongArity => unread.iter().any(|lost| lost.start >= d.span().end && lost.start - d.span().end <= 1),
            _ => false,
        };
        // On a line with a syntax error, a name may be another construct.
        let is_guess = |d: &Diagnostic| {
            use Code::{BadDataType, NotAllowedHere, UnknownDirective, UnknownMethod, UnknownName, UnknownOption, WrongArity};
            let names = [UnknownName, UnknownMethod, UnknownOption, UnknownDirective, WrongArity, BadDataType, NotAllowedHere];
            names.contains(&d.code) && lines.iter().any(|line| line.start <= d.span().start && d.span().start <= line.end)
        };
        let repeats = |d: &Diagnostic| repeats(d) || is_guess(d);
        self.diagnostics.retain(|d| !repeats(d) && (!says_missing(d.code) || !is_incomplete(d.span())));
        self
    }
}

/// The parts of a source that could not be parsed.
#[derive(Clone, Debug, Default)]
pub struct Unread {
    spans: Vec<Span>,
    /// The lines in which the spans begin.
    lines: Vec<Span>,
}

/// Returns the parts of a source that could not be parsed, according to the parser's diagnostics.
pub fn unread(diagnostics: &[Diagnostic], source: &Source) -> Unread {
    let is_lost = |code: Code| matches!(code, Code::Syntax | Code::Unclosed | Code::Unopened | Code::RubyBlock | Code::RubyCode);
    let spans: Vec<Span> = diagnostics.iter().filter(|d| is_lost(d.code)).map(Diagnostic::span).collect();
    let line = |span: &Span| {
        let (text, at) = (source.text(), source.range(*span).start);
        let start = text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1);
        let end = text.get(at..).and_then(|rest| rest.find('\n')).map_or(text.len(), |length| at + length);
        source.span_of(start..end)
    };
    let lines = spans.iter().map(line).collect();
    Unread { spans, lines }
}

/// The result of lowering the tests in a file.
#[derive(Debug, Default)]
pub struct LoweredTests {
    /// The tests without errors.
    pub tests: Vec<TestDef>,
    /// Tested types that do not exist, with the span of their names.
    pub unknown: Vec<(EcoString, Span)>,
    /// All diagnostics, ordered by position.
    pub diagnostics: Vec<Diagnostic>,
    /// Spans to redact in excerpts.
    pub secrets: Vec<Span>,
    /// The names in the tests, sorted by position.
    pub references: Vec<Reference>,
    /// The methods that the tests answer although no provider declares them.
    pub members: Vec<MemberName>,
}

/// Collects diagnostics and secrets during lowering.
#[derive(Default)]
struct Sink {
    diagnostics: RefCell<Vec<Diagnostic>>,
    /// The indexes of the diagnostics at each span.
    places: RefCell<HashMap<Span, Vec<usize>>>,
    secrets: RefCell<Vec<Span>>,
    secret_code: RefCell<Vec<Span>>,
    references: references::Recorder,
    regexes: SharedRegexes,
    /// Counts made values and included directives.
    values: Cell<usize>,
}

/// Limits constants and mixins that repeat each other, because their sizes multiply.
const MAX_VALUES: usize = 1_000_000;

impl Sink {
    fn report(&self, diagnostic: Diagnostic) {
        // A kind is lowered for each attribute that uses it, but each error is reported once.
        let mut all = self.diagnostics.borrow_mut();
        let mut places = self.places.borrow_mut();
        let here = places.entry(diagnostic.span()).or_default();
        if !here.iter().any(|index| all.get(*index) == Some(&diagnostic)) {
            here.push(all.len());
            all.push(diagnostic);
        }
    }

    fn error(&self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::new(code, span, message));
    }

    /// Returns the number of diagnostics so far.
    fn count(&self) -> usize {
        self.diagnostics.borrow().len()
    }

    fn error_count(&self) -> usize {
        self.diagnostics.borrow().iter().filter(|d| d.is_error()).count()
    }

    /// Counts values or included directives. Returns `None` beyond [`MAX_VALUES`], and reports the first excess.
    fn count_values(&self, count: usize, span: Span) -> Option<()> {
        let before = self.values.get();
        let after = before.saturating_add(count);
        self.values.set(after);
        if before <= MAX_VALUES && after > MAX_VALUES {
            let message = format!("the constants, literals and mixins of this file make more than {MAX_VALUES} values and directives");
            self.report(
                Diagnostic::new(Code::ValueTooLarge, span, message)
                    .help("do not repeat constants and mixins inside of others, or split the file"),
            );
        }
        (after <= MAX_VALUES).then_some(())
    }

    fn secret(&self, span: Span) {
        self.secrets.borrow_mut().push(span);
    }
}

/// Types outside a file, by name, with providers that are parents of the file's providers; an error for an unavailable type.
pub type ParentTypes = IndexMap<String, Result<Arc<TypeDef>, Diagnostic>>;

/// Lowers the types of `file`.
///
/// `context` contains the files that `file` uses, the files with further providers for its types, and the prelude. Every type includes
/// the prelude's mixin `metaparameters`. `foreign` contains the types that [`foreign_parents`] returns, and `regexes` contains the
/// regexes in files that were lowered before.
pub fn lower(file: &Ast, context: &[&Ast], foreign: ParentTypes, regexes: &SharedRegexes) -> Lowered {
    let sink = Sink { regexes: regexes.clone(), ..Sink::default() };
    let corrected = misspelt::corrected(file, &sink);
    let file = corrected.as_ref();
    let names = Names::collect(file, context, &sink);
    names.record_definitions(file, &sink);
    let mut foreign = foreign;
    let (mut types, mut with_errors) = (Vec::new(), Vec::new());
    for declaration in foreign::in_order(file, &names) {
        let before = sink.error_count();
        let Some(type_def) = type_body::lower_type(declaration, &names, &foreign, &sink).map(Arc::new) else { continue };
        if sink.error_count() == before {
            foreign.insert(type_def.name.to_string(), Ok(Arc::clone(&type_def)));
            types.push(type_def);
        } else {
            with_errors.push(type_def);
        }
    }
    for item in &file.items {
        match item {
            Item::Kind(kind) => type_body::check_kind(kind, &names, &sink),
            Item::Feature(feature) => type_body::check_feature(feature, &names, &sink),
            Item::Mixin(mixin) => type_body::check_mixin(mixin, &names, &sink),
            _ => {}
        }
    }
    names.check_provider_targets(file, &sink);
    unused::record(file, &names, &foreign, &sink);
    let mut diagnostics = sink.diagnostics.into_inner();
    diagnostics.sort_by_key(Diagnostic::span);
    let (references, members) = (sink.references.take(), sink.references.take_members());
    let (secrets, secret_code) = (sink.secrets.into_inner(), sink.secret_code.into_inner());
    Lowered { types, with_errors, diagnostics, secrets, secret_code, references, members }
}

/// Lowers the tests in `file`. `find` loads the types under test; `context` is the same as in [`lower`].
pub fn lower_tests(file: &Ast, context: &[&Ast], find: &mut dyn FnMut(&str) -> Option<Arc<TypeDef>>) -> LoweredTests {
    let sink = Sink::default();
    // Errors in these declarations were reported when the types were lowered.
    let names = Names::collect(file, context, &Sink::default());
    let mut out = LoweredTests::default();
    for item in &file.items {
        if let Item::Test(decl) = item {
            test::lower_test(decl, &names, find, &sink, &mut out);
        }
    }
    out.secrets = sink.secrets.take();
    (out.references, out.members) = (sink.references.take(), sink.references.take_members());
    out.diagnostics = sink.diagnostics.into_inner();
    out.diagnostics.sort_by_key(Diagnostic::span);
    out
}
