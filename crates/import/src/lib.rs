//! Imports Puppet's types, written in Ruby, as type files. What Ruby runs when a type is loaded is evaluated without access to the
//! machine ([`eval`]); the blocks that it declares are translated.
//!
//! Directives and blocks are translated one by one. The result is loaded like any type file; pieces with errors are reverted, so
//! that every imported type is usable. What cannot be translated becomes `untranslated`.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::string_slice, reason = "tests may panic"))]

mod addresses;
mod aliases;
#[cfg(feature = "compile")]
mod api;
mod api_provider;
mod api_refusals;
mod attribute;
mod block;
mod budget;
mod calls;
mod catalog;
mod catalog_values;
mod choices;
mod class;
mod class_functions;
mod classes_of_values;
#[cfg(feature = "compile")]
#[doc(hidden)]
pub mod compile;
mod constants;
mod context;
mod core_calls;
mod core_names;
mod data_types;
mod defaults;
mod definition;
mod early_writes;
mod effects;
mod enumerators;
mod error_classes;
mod eval;
mod explain;
mod extended;
#[cfg(feature = "compile")]
mod facts;
mod files;
mod fold;
mod function_body;
mod given_blocks;
mod helpers;
mod hooks;
#[cfg(feature = "compile")]
mod idiom;
mod ignored;
mod in_place;
mod items;
mod kinds;
mod known;
mod lambdas;
mod library;
mod literals;
mod loops;
#[cfg(feature = "compile")]
mod lower;
mod matches;
mod mentions;
mod nested;
mod nodes;
mod objects;
mod operands;
mod overrides;
mod parameters;
mod parts;
mod pathnames;
mod patterns;
mod places;
mod plain;
mod platform;
mod provider;
mod provider_body;
mod provider_branches;
mod provider_conditions;
mod provider_facts;
mod provider_locals;
mod provider_methods;
mod provider_missing;
#[cfg(feature = "compile")]
mod providers;
#[cfg(feature = "compile")]
mod puppet;
mod puppet_methods;
mod puppet_objects;
mod raised;
#[cfg(feature = "compile")]
mod report;
mod rescue;
mod resource_api;
mod ruby;
mod ruby_methods;
mod ruby_values;
mod run_budget;
mod sets;
mod settle;
mod spread;
mod state;
mod statement;
mod supers;
mod tables;
mod texts;
mod things;
mod times;
mod titles;
mod type_decl;
mod uncalled;
mod unchecked;
mod undefined;
mod values;
mod variables;
mod versions;
mod whens;
mod write;

use block::TypeScope;
use budget::Budget;
use eval::{Evaluator, Texts};
pub use explain::side_by_side;
pub use files::{NoRubyFiles, RubyFiles};
use provider::{ProvidedType, ProviderCalls};
use provider_facts::ProviderFacts;
use provider_missing::declare_missing;
use rtype_lang::diagnostics::{Code, Diagnostic, Severity};
use rtype_lang::library::{TypeSet, standard};
use rtype_lang::source::{Source, Span};
use ruby::ByteRange;
pub use run_budget::{admit, begin_run, pay};
use settle::{TypeDraft, settle};
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;
use typed_arena::Arena;

/// An imported type with its providers, or a provider of another type.
#[derive(Clone, Debug)]
pub struct Imported {
    /// Path of the file in a directory of types, without `.rtype`: `motd`, `providers/package/shelf`.
    pub path: String,
    /// Name of the type; `None` if it is only a provider.
    pub type_name: Option<String>,
    /// Text of the file, formatted unless the importer leaves that out.
    pub text: String,
    /// Text before formatting.
    pub raw: String,
    /// The pieces of `raw` with the Ruby that they were translated from.
    pub pieces: Vec<TranslatedPart>,
    /// Types that its providers inherit from.
    pub needs: Vec<String>,
    /// Number of attributes of the type.
    pub attributes: usize,
    /// Number of code blocks in Ruby.
    pub blocks: usize,
    /// Number of translated blocks.
    pub translated: usize,
    /// Untranslated parts.
    pub residues: Vec<Residue>,
}

/// A piece of an imported file.
#[derive(Clone, Debug)]
pub struct TranslatedPart {
    /// Byte range in [`Imported::raw`].
    pub range: Range<usize>,
    /// Location in the Ruby text.
    pub origin: Span,
    /// Nesting: 1 is a directive of a type, a provider, or an item before the type.
    pub depth: usize,
}

/// An untranslated part.
#[derive(Clone, Debug)]
pub struct Residue {
    /// Location in the Ruby text.
    pub span: Span,
    /// Why it was not translated.
    pub reason: String,
    /// What it is: the directive, such as `munge` or `confine`, or `helper` for code that the type does without.
    pub kind: String,
}

/// A type that was imported.
#[derive(Clone, Debug)]
struct KnownType {
    text: String,
    /// Types that its providers inherit from.
    needs: Vec<String>,
}

/// Maximum depth of types whose providers inherit from each other.
const MAX_NEEDS: usize = 8;
/// Maximum size of a Ruby file in bytes. The parser uses about a hundred bytes of memory per byte.
const MAX_FILE: usize = 1 << 20;
/// Maximum number of digits in a number: parsing takes quadratic time.
const MAX_DIGITS: usize = 4096;

/// Maximum number of consecutive prefix operators: the parser scans all of them at each one.
const MAX_PREFIXES: usize = 2000;

/// Imports the types in a Ruby text, formatted to `width` columns where possible. Returns them with all diagnostics.
pub fn import(source: &Arc<Source>, files: &mut dyn RubyFiles, width: usize) -> (Vec<Imported>, Vec<Diagnostic>) {
    Importer::new(width).import(source, files)
}

/// Imports many texts; types that others depend on are imported once.
#[derive(Debug)]
pub struct Importer {
    /// Columns of the formatted texts; `None` for texts that are not shown.
    width: Option<usize>,
    /// Type files by name; `None` if there is none, or while it is being imported.
    known: HashMap<String, Option<KnownType>>,
    open: usize,
    spent: u64,
    spent_in_all: u64,
}

impl Importer {
    /// Creates an importer whose texts are formatted to `width` columns where possible.
    pub fn new(width: usize) -> Importer {
        Importer { width: Some(width), ..Importer::unformatted() }
    }

    /// Creates an importer whose texts are not formatted, for types that are only loaded.
    pub fn unformatted() -> Importer {
        Importer { width: None, known: HashMap::new(), open: 0, spent: 0, spent_in_all: 0 }
    }

    /// Returns the number of steps used by the last text, excluding types it depends on, which are counted when they are imported.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Returns the number of steps used by all texts, including types they depend on.
    pub fn spent_in_all(&self) -> u64 {
        self.spent_in_all
    }

    /// Imports the types in a text with their providers, and its providers of other types. Returns them with all diagnostics.
    pub fn import(&mut self, source: &Arc<Source>, files: &mut dyn RubyFiles) -> (Vec<Imported>, Vec<Diagnostic>) {
        if let Err(wrong) = admitted(source) {
            self.spent = 0;
            return (Vec::new(), vec![wrong]);
        }
        let budget = Rc::new(Budget::default());
        let result = self.import_within(&budget, source, &mut Admitted(files));
        self.spent = budget.spent();
        self.spent_in_all = self.spent_in_all.saturating_add(self.spent);
        result
    }

    fn import_within(&mut self, budget: &Rc<Budget>, source: &Arc<Source>, files: &mut dyn RubyFiles) -> (Vec<Imported>, Vec<Diagnostic>) {
        let parsed = ruby_prism::parse(source.text().as_bytes());
        let span = |place: &ByteRange| source.span_of(place.clone());
        if let Some(wrong) = parsed.errors().next() {
            let message = format!("Ruby syntax error: {}", String::from_utf8_lossy(wrong.message()));
            let d = Diagnostic::new(Code::BadRuby, span(&ruby::at(&wrong.location())), message);
            return (Vec::new(), vec![d.help("check the file with `ruby -c`")]);
        }
        let nodes = class::top(&parsed);
        let calls = provider::calls(&nodes);
        let (texts, found, facts) = load(source, files, budget);
        if let Some(spent) = exhausted(budget, &texts, source) {
            return (Vec::new(), vec![spent]);
        }
        if found.is_empty() && calls.is_empty() {
            let d = Diagnostic::new(Code::NothingToCheck, source.span_of(0..0), "no type of Puppet is declared in this file");
            return (Vec::new(), vec![d.help("one begins with `Puppet::Type.newtype(:name) do`")]);
        }
        let (mut drafts, mut refusals) = (Vec::new(), Vec::new());
        for found in found {
            // The whole text is searched for its providers.
            if budget.spend_bytes(source.text().len()).is_none() {
                break;
            }
            if let Some(refused) = &found.refused {
                let span = texts.get(refused.file).map_or_else(|| span(&found.at), |text| text.span_of(refused.at.clone()));
                let d = Diagnostic::new(Code::RefusedByPuppet, span, format!("Puppet refuses {}: {}", refused.what(), refused.reason));
                let mut d = d.help(refused.help);
                if refused.is_left_out {
                    refusals.push(d);
                    continue;
                }
                // A type without attributes is only the name under which providers of other types find a parent.
                if !found.scope.attributes.is_empty() {
                    d.severity = Severity::Warning;
                    refusals.push(d);
                }
            }
            let attributes: Vec<String> = found.scope.attributes.iter().cloned().collect();
            let calls = found.provider_calls();
            let owner = ProvidedType {
                name: &found.name,
                scope: &found.scope,
                attributes: &attributes,
                features: Some(&found.scope.features),
                calls: &calls,
                facts: &facts,
            };
            let (mut providers, mut wrong) = provider::of_type(&owner, files);
            for own in provider::in_file(source, &owner, files) {
                providers.retain(|p| p.name != own.name);
                providers.push(own);
            }
            wrong.extend(
                facts.iter().filter(|f| f.of == found.name && !providers.iter().any(|p| p.name == f.name)).map(ProviderFacts::not_read),
            );
            declare_missing(&mut providers, &owner);
            drafts.push(TypeDraft { at: found.at.clone(), texts: texts.clone(), type_found: Some(found), of_text: None, providers, wrong });
        }
        let mut others: Vec<String> = Vec::new();
        for call in &calls {
            let is_own = drafts.iter().any(|d| d.type_found.as_ref().is_some_and(|f| f.name == call.of));
            if !is_own && !others.contains(&call.of) {
                others.push(call.of.clone());
            }
        }
        for of in others {
            let known = self.owner(&of, files, budget);
            let features = known.features.as_deref();
            let owner = ProvidedType {
                name: &of,
                scope: &known.scope,
                attributes: &known.attributes,
                features,
                calls: &known.calls,
                facts: &facts,
            };
            for provider in provider::in_file(source, &owner, files) {
                let at = provider.piece.at.clone();
                let (texts, providers) = (texts.clone(), vec![provider]);
                drafts.push(TypeDraft { at, texts, type_found: None, of_text: known.text.clone(), providers, wrong: Vec::new() });
            }
        }
        let (mut out, mut diagnostics) = (Vec::new(), refusals);
        for draft in drafts {
            let at = span(&draft.at);
            let what = if draft.type_found.is_some() { "type" } else { "provider" };
            match self.settled(draft, files, budget) {
                Ok(imported) => out.push(imported),
                Err(_) if budget.exhausted().is_some() => break,
                Err(why) => diagnostics.push(
                    Diagnostic::new(Code::NotImported, at, format!("this {what} cannot be imported: {why}"))
                        .help("write its type file by hand; `docs/guide.md` shows how"),
                ),
            }
        }
        match exhausted(budget, &texts, source) {
            Some(spent) => (Vec::new(), vec![spent]),
            None => (out, diagnostics),
        }
    }

    /// Returns what is known about the type of a provider that is imported alone: from the standard library or the module path.
    fn owner(&mut self, of: &str, files: &mut dyn RubyFiles, budget: &Rc<Budget>) -> KnownOwner {
        let mut known = KnownOwner::default();
        if let Some(def) = TypeSet::default().load(of) {
            known.attributes = def.attributes.iter().map(|a| a.name.to_string()).collect();
            let methods = |f: &[_]| f.iter().map(ToString::to_string).collect();
            known.features = Some(def.features.iter().map(|(name, f)| (name.to_string(), methods(&f.methods))).collect());
        } else if let Some(source) = files.read(&format!("puppet/type/{of}.rb")) {
            let (texts, found, _) = load(&source, files, budget);
            if let Some(found) = found.into_iter().find(|f| f.name == of) {
                known.attributes = found.scope.attributes.iter().cloned().collect();
                (known.features, known.scope) = (Some(found.scope.features.clone()), found.scope.clone());
                known.calls = found.provider_calls();
                let (at, texts) = (found.at.clone(), texts.clone());
                let draft = TypeDraft { at, texts, type_found: Some(found), of_text: None, providers: Vec::new(), wrong: Vec::new() };
                known.text = settle(draft, &[], self.width, budget).ok().map(|i| i.text);
            }
        }
        known.scope.attributes.extend(known.attributes.iter().cloned());
        known
    }

    fn settled(&mut self, draft: TypeDraft, files: &mut dyn RubyFiles, budget: &Budget) -> Result<Imported, settle::NotImportable> {
        let mut needed = Vec::new();
        for of in draft.providers.iter().filter_map(|p| p.foreign()) {
            self.needed_with_parents(of, files, &mut needed);
        }
        let texts: Vec<String> = needed.into_iter().map(|(_, text)| text).collect();
        let mut imported = settle(draft, &texts, self.width, budget)?;
        imported.needs.retain(|of| standard(of).is_none());
        if let Some(name) = &imported.type_name {
            self.known.insert(name.clone(), Some(KnownType { text: imported.text.clone(), needs: imported.needs.clone() }));
        }
        Ok(imported)
    }

    /// Adds the file of a type that another one depends on, after those of the types that it depends on itself.
    fn needed_with_parents(&mut self, of: &str, files: &mut dyn RubyFiles, all: &mut Vec<(String, String)>) {
        if all.iter().any(|(known, _)| known == of) {
            return;
        }
        let Some(found) = self.needed(of, files) else { return };
        // Of a cycle, each type is read once.
        all.push((of.to_owned(), String::new()));
        for parent in found.needs {
            self.needed_with_parents(&parent, files, all);
        }
        all.retain(|(known, _)| known != of);
        all.push((of.to_owned(), found.text));
    }

    /// Returns the file of a type that another one depends on, unless it is part of the standard library.
    fn needed(&mut self, of: &str, files: &mut dyn RubyFiles) -> Option<KnownType> {
        if standard(of).is_some() || self.open >= MAX_NEEDS {
            return None;
        }
        if let Some(known) = self.known.get(of) {
            return known.clone();
        }
        self.known.insert(of.to_owned(), None);
        let source = files.read(&format!("puppet/type/{of}.rb"))?;
        self.open += 1;
        let (found, _) = self.import(&source, files);
        self.open -= 1;
        found.into_iter().find(|i| i.type_name.as_deref() == Some(of)).map(|i| KnownType { text: i.text, needs: i.needs })
    }
}

/// All texts that were read, the types that a file declares, and what is known about providers.
type Loaded = (Vec<Arc<Source>>, Vec<type_decl::TypeDeclaration>, Vec<ProviderFacts>);

/// Loads a file as Ruby would, and the providers of its types.
fn load(source: &Arc<Source>, files: &mut dyn RubyFiles, budget: &Rc<Budget>) -> Loaded {
    let (sources, trees) = (Arena::new(), Arena::new());
    let texts = Texts::new(&sources, &trees);
    let mut ruby = Evaluator::new(&texts, files, budget);
    // An error ends the loading of the file, as in Puppet; what it has declared until then is translated.
    let is_whole = ruby.run(source).is_ok();
    let loaded = items::LoadedRuby::new(ruby, budget, is_whole);
    let found = type_decl::find(&texts.all(), &loaded);
    let facts = loaded.provider_facts(&texts.all());
    drop(loaded);
    (texts.all(), found, facts)
}

/// Returns the diagnostic for an exhausted budget, located at the construct that multiplies the work.
fn exhausted(budget: &Budget, texts: &[Arc<Source>], source: &Source) -> Option<Diagnostic> {
    let spent = budget.exhausted()?;
    let span = |frame: &budget::BudgetFrame| texts.get(frame.file).map_or(Span::NONE, |t| t.span_of(frame.at.clone()));
    let steps = grouped(budget::STEPS);
    let Some(inner) = spent.inner else {
        let message = format!("importing this file takes more than {steps} steps");
        let d = Diagnostic::new(Code::ImportBudget, source.span_of(0..0), message);
        return Some(d.help("split it into smaller files, one type each"));
    };
    let message = match spent.endless {
        true => "methods, modules or branches lead to each other too deep".to_owned(),
        false => format!("importing this file takes more than {steps} steps"),
    };
    let mut d = Diagnostic::new(Code::ImportBudget, span(&inner), message).label(format!("limit reached in {}", inner.what));
    if let Some(outer) = spent.outer.filter(|o| o.at != inner.at) {
        d = d.also(span(&outer), format!("inside {}", outer.what));
    }
    Some(d.help("shorten the loops, or write the type file by hand; `docs/guide.md` shows how"))
}

/// Formats a number as in `2,000,000`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|g| std::str::from_utf8(g).ok()).collect();
    groups.join(",")
}

/// Rejects text for which the Ruby parser would need too much time or memory.
fn admitted(source: &Source) -> Result<(), Diagnostic> {
    let text = source.text();
    if text.len() > MAX_FILE {
        let message = format!("`{}` is larger than {} KiB", source.name(), MAX_FILE >> 10);
        let d = Diagnostic::new(Code::TooLarge, source.span_of(0..0), message);
        return Err(d.help("split it into smaller files, one type each"));
    }
    let is_digit = |c: char| c.is_ascii_hexdigit() || matches!(c, '_' | 'x' | 'o');
    let mut at = 0;
    let has_long = has_run(text.as_bytes(), MAX_DIGITS, &|byte| is_digit(byte.into()));
    for word in if has_long { text } else { "" }.split_inclusive(|c| !is_digit(c)) {
        if word.len() > MAX_DIGITS && word.starts_with(|c: char| c.is_ascii_digit()) {
            let d = Diagnostic::new(Code::TooLarge, source.span_of(at..at + 1), format!("a number has more than {MAX_DIGITS} digits"));
            return Err(d.help("write a shorter number"));
        }
        at += word.len();
    }
    let may_precede = |byte| {
        matches!(byte, b'!' | b'-' | b'+' | b'~' | b'*' | b'&' | b' ' | b'\t' | b'\r' | b'\n' | b'\\') || b"notdefined?".contains(&byte)
    };
    match if has_run(text.as_bytes(), MAX_PREFIXES, &may_precede) { prefixes(text) } else { None } {
        Some(at) => {
            let d =
                Diagnostic::new(Code::TooLarge, source.span_of(at..at + 1), format!("more than {MAX_PREFIXES} prefix operators in a row"));
            Err(d.help("write the value without them"))
        }
        None => Ok(()),
    }
}

/// Returns whether more than `most` consecutive bytes satisfy a condition. Nearly all texts are decided by a few of their bytes.
fn has_run(bytes: &[u8], most: usize, is_part: &dyn Fn(u8) -> bool) -> bool {
    let starts = (0..bytes.len()).step_by(most.max(1));
    let mut parts = starts.filter_map(|at| Some((bytes.get(..at)?, bytes.get(at..)?)));
    parts.any(|(before, after)| {
        let length = after.iter().take_while(|byte| is_part(**byte)).count();
        length > 0 && length + before.iter().rev().take(most).take_while(|byte| is_part(**byte)).count() > most
    })
}

/// Returns where there are too many consecutive prefix operators such as `!` and `not`.
fn prefixes(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut count) = (0, 0);
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let length = match rest {
            [b'!' | b'-' | b'+' | b'~' | b'*' | b'&', ..] => 1,
            [b'n', b'o', b't', ..] => 3,
            _ if rest.starts_with(b"defined?") => 8,
            [b' ' | b'\t' | b'\r' | b'\n' | b'\\', ..] => {
                at += 1;
                continue;
            }
            _ => {
                (at, count) = (at + 1, 0);
                continue;
            }
        };
        count += 1;
        if count > MAX_PREFIXES {
            return Some(at);
        }
        at += length;
    }
    None
}

/// Files of a module path, without rejected ones: what needs one of these is left untranslated.
struct Admitted<'f>(&'f mut dyn RubyFiles);

impl RubyFiles for Admitted<'_> {
    fn read(&mut self, path: &str) -> Option<Arc<Source>> {
        self.0.read(path).filter(|source| admitted(source).is_ok())
    }

    fn list(&mut self, directory: &str) -> Vec<String> {
        self.0.list(directory)
    }

    fn data(&mut self, of: &Source, path: &str) -> Option<Arc<Source>> {
        self.0.data(of, path).filter(|source| !path.ends_with(".rb") || admitted(source).is_ok())
    }

    fn code(&mut self, of: &Source, line: u32, text: &str) -> Option<Arc<Source>> {
        self.0.code(of, line, text).filter(|source| admitted(source).is_ok())
    }

    fn data_names(&mut self, of: &Source, directory: &str) -> Vec<String> {
        self.0.data_names(of, directory)
    }

    fn type_alias(&mut self, name: &str) -> Option<Arc<Source>> {
        self.0.type_alias(name).filter(|source| admitted(source).is_ok())
    }
}

/// The type of a provider that is imported alone.
#[derive(Default)]
struct KnownOwner {
    scope: TypeScope,
    attributes: Vec<String>,
    features: Option<Vec<(String, Vec<String>)>>,
    calls: ProviderCalls,
    /// The type file without providers, unless it is part of the standard library.
    text: Option<String>,
}
