//! Puppet's types, written in Ruby, → type files. The Ruby is parsed, never run.
//!
//! Directives and blocks are translated one by one. The text that results is loaded like any other; what is wrong in it is taken
//! back piece by piece, so that no type comes out that cannot be used. What has no counterpart stays as `untranslated`.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::string_slice, reason = "tests may panic"))]

mod attribute;
mod block;
mod budget;
mod calls;
mod catalog;
mod choices;
mod class;
mod effects;
mod expand;
mod explain;
mod files;
mod helpers;
mod hooks;
mod in_place;
mod known;
mod library;
mod literals;
mod modules;
mod nested;
mod objects;
mod patterns;
mod provider;
mod provider_body;
mod provider_conditions;
mod provider_locals;
mod provider_methods;
mod rescue;
mod ruby;
mod run_budget;
mod settle;
mod statement;
mod texts;
mod type_decl;
mod write;

use block::Scope;
use budget::Budget;
pub use explain::side_by_side;
pub use files::{Files, NoFiles};
use modules::Modules;
use provider::Owner;
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::library::Library;
use rtype_lang::source::{Source, Span};
use ruby::Place;
pub use run_budget::{admit, begin_run, pay};
use settle::{Draft, settle};
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// A type that was imported with its providers, or a provider of another one.
#[derive(Clone, Debug)]
pub struct Imported {
    /// What its file is called in a directory of types, without `.rtype`: `motd`, `providers/package/shelf`.
    pub path: String,
    /// The type, unless it is a provider alone.
    pub type_name: Option<String>,
    /// The file.
    pub text: String,
    /// The same before it was laid out.
    pub raw: String,
    /// The pieces of that, and what they were made of.
    pub pieces: Vec<Part>,
    /// The types that its providers build upon.
    pub needs: Vec<String>,
    /// How many blocks of code it has in Ruby.
    pub blocks: usize,
    /// How many of them were translated.
    pub translated: usize,
    /// What was not translated.
    pub residues: Vec<Residue>,
}

/// A piece of a file that was imported.
#[derive(Clone, Debug)]
pub struct Part {
    /// Where it stands in [`Imported::raw`].
    pub range: Range<usize>,
    /// Where it stands in the Ruby text.
    pub origin: Span,
    /// How deep: 1 is a directive of a type, a provider, or what stands before the type.
    pub depth: usize,
}

/// Something that was not translated.
#[derive(Clone, Debug)]
pub struct Residue {
    /// Where it stands in the Ruby text.
    pub span: Span,
    /// Why.
    pub reason: String,
}

/// How many types may build upon each other.
const MAX_NEEDS: usize = 8;
/// How large a Ruby file may be. The parser keeps about a hundred bytes for each one that it reads.
const MAX_FILE: usize = 1 << 20;
/// How many digits a number may have: the time to read one grows with their square.
const MAX_DIGITS: usize = 4096;

/// How many prefix operators may be applied to each other: the parser looks through all of them at each one.
const MAX_PREFIXES: usize = 2000;

/// The types in a Ruby text, with lines of `width` columns where that can be, and what is wrong with it.
pub fn import(source: &Arc<Source>, files: &mut dyn Files, width: usize) -> (Vec<Imported>, Vec<Diagnostic>) {
    Importer::new(width).import(source, files)
}

/// Imports many texts; types that others build upon are imported once.
#[derive(Debug)]
pub struct Importer {
    width: usize,
    /// The files of types by their names; `None` where there is none, or while it is made.
    known: HashMap<String, Option<String>>,
    open: usize,
    spent: u64,
    spent_in_all: u64,
}

impl Importer {
    /// Nothing is imported yet.
    pub fn new(width: usize) -> Importer {
        Importer { width, known: HashMap::new(), open: 0, spent: 0, spent_in_all: 0 }
    }

    /// How many steps the last text took, without those of types that it builds upon: these pay where they are imported.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// How many steps all texts took, types that they build upon included.
    pub fn spent_in_all(&self) -> u64 {
        self.spent_in_all
    }

    /// The types in a text with their providers, its providers of other types, and what is wrong with it.
    pub fn import(&mut self, source: &Arc<Source>, files: &mut dyn Files) -> (Vec<Imported>, Vec<Diagnostic>) {
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

    fn import_within(&mut self, budget: &Rc<Budget>, source: &Arc<Source>, files: &mut dyn Files) -> (Vec<Imported>, Vec<Diagnostic>) {
        let parsed = ruby_prism::parse(source.text().as_bytes());
        let span = |place: &Place| source.span_of(place.clone());
        if let Some(wrong) = parsed.errors().next() {
            let message = format!("Ruby syntax error: {}", String::from_utf8_lossy(wrong.message()));
            let d = Diagnostic::new(Code::BadRuby, span(&ruby::at(&wrong.location())), message);
            return (Vec::new(), vec![d.help("check the file with `ruby -c`")]);
        }
        let nodes = class::top(&parsed);
        let calls = provider::calls(&nodes);
        let texts = modules::gather(source, files, budget);
        let all: Vec<_> = texts.iter().map(|t| ruby_prism::parse(t.text().as_bytes())).collect();
        let found = type_decl::find(&texts, &Modules::new(&texts, &all, budget));
        if let Some(spent) = exhausted(budget, &texts, source) {
            return (Vec::new(), vec![spent]);
        }
        if found.is_empty() && calls.is_empty() {
            let d = Diagnostic::new(Code::BadRuby, source.span_of(0..0), "no type of Puppet is declared in this file");
            return (Vec::new(), vec![d.help("one begins with `Puppet::Type.newtype(:name) do`")]);
        }
        let mut drafts = Vec::new();
        for found in found {
            // Its providers are looked for in the whole text.
            if budget.spend_bytes(source.text().len()).is_none() {
                break;
            }
            let attributes: Vec<String> = found.scope.attributes.iter().cloned().collect();
            let (features, (asked, acted)) = (found.features(), found.asked());
            let owner = Owner {
                name: &found.name,
                scope: &found.scope,
                attributes: &attributes,
                features: Some(&features),
                asked: &asked,
                acted: &acted,
            };
            let (mut providers, wrong) = provider::of_type(&owner, files);
            for own in provider::in_file(source, &owner, files) {
                providers.retain(|p| p.name != own.name);
                providers.push(own);
            }
            drafts.push(Draft { at: found.at.clone(), texts: texts.clone(), type_found: Some(found), of_text: None, providers, wrong });
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
            let owner =
                Owner { name: &of, scope: &known.scope, attributes: &known.attributes, features, asked: &known.asked, acted: &known.acted };
            for provider in provider::in_file(source, &owner, files) {
                let at = provider.piece.at.clone();
                let (texts, providers) = (texts.clone(), vec![provider]);
                drafts.push(Draft { at, texts, type_found: None, of_text: known.text.clone(), providers, wrong: Vec::new() });
            }
        }
        let (mut out, mut diagnostics) = (Vec::new(), Vec::new());
        for draft in drafts {
            let at = span(&draft.at);
            let what = if draft.type_found.is_some() { "type" } else { "provider" };
            match self.settled(draft, files, budget) {
                Ok(imported) => out.push(imported),
                Err(_) if budget.exhausted().is_some() => break,
                Err(why) => diagnostics.push(
                    Diagnostic::new(Code::BadRuby, at, format!("this {what} cannot be imported: {why}"))
                        .help("write its type file by hand; `docs/guide.md` shows how"),
                ),
            }
        }
        match exhausted(budget, &texts, source) {
            Some(spent) => (Vec::new(), vec![spent]),
            None => (out, diagnostics),
        }
    }

    /// What is known of a type of which only a provider is imported: one of the standard library, or of the module path.
    fn owner(&mut self, of: &str, files: &mut dyn Files, budget: &Rc<Budget>) -> KnownOwner {
        let mut known = KnownOwner::default();
        if let Some(def) = Library::default().load(of) {
            known.attributes = def.attributes.iter().map(|a| a.name.to_string()).collect();
            let methods = |f: &[_]| f.iter().map(ToString::to_string).collect();
            known.features = Some(def.features.iter().map(|(name, f)| (name.to_string(), methods(&f.methods))).collect());
        } else if let Some(source) = files.read(&format!("puppet/type/{of}.rb")) {
            let texts = modules::gather(&source, files, budget);
            let parsed: Vec<_> = texts.iter().map(|t| ruby_prism::parse(t.text().as_bytes())).collect();
            if let Some(found) = type_decl::find(&texts, &Modules::new(&texts, &parsed, budget)).into_iter().find(|f| f.name == of) {
                known.attributes = found.scope.attributes.iter().cloned().collect();
                (known.features, known.scope) = (Some(found.features()), found.scope.clone());
                (known.asked, known.acted) = found.asked();
                let (at, texts) = (found.at.clone(), texts.clone());
                let draft = Draft { at, texts, type_found: Some(found), of_text: None, providers: Vec::new(), wrong: Vec::new() };
                known.text = settle(draft, &[], self.width, budget).ok().map(|i| i.text);
            }
        }
        known.scope.attributes.extend(known.attributes.iter().cloned());
        known
    }

    fn settled(&mut self, draft: Draft, files: &mut dyn Files, budget: &Budget) -> Result<Imported, String> {
        let mut needed: Vec<String> = Vec::new();
        for provider in &draft.providers {
            if let Some(of) = provider.foreign()
                && !needed.iter().any(|n| n == of)
            {
                needed.push(of.to_owned());
            }
        }
        let texts: Vec<String> = needed.iter().filter_map(|of| self.needed(of, files)).collect();
        let mut imported = settle(draft, &texts, self.width, budget)?;
        imported.needs.retain(|of| Library::standard(of).is_none());
        if let Some(name) = &imported.type_name {
            self.known.insert(name.clone(), Some(imported.text.clone()));
        }
        Ok(imported)
    }

    /// The file of a type that another one builds upon, unless it is part of the standard library.
    fn needed(&mut self, of: &str, files: &mut dyn Files) -> Option<String> {
        if Library::standard(of).is_some() || self.open >= MAX_NEEDS {
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
        found.into_iter().find(|i| i.type_name.as_deref() == Some(of)).map(|i| i.text)
    }
}

/// The diagnostic for a file that asks for more work than there is, at what multiplies it.
fn exhausted(budget: &Budget, texts: &[Arc<Source>], source: &Source) -> Option<Diagnostic> {
    let spent = budget.exhausted()?;
    let span = |frame: &budget::Frame| texts.get(frame.file).map_or(Span::NONE, |t| t.span_of(frame.at.clone()));
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

/// `2,000,000`
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|g| std::str::from_utf8(g).ok()).collect();
    groups.join(",")
}

/// Refuses text that the parser of Ruby needs too much time or memory for.
fn admitted(source: &Source) -> Result<(), Diagnostic> {
    let text = source.text();
    if text.len() > MAX_FILE {
        let message = format!("`{}` is larger than {} KiB", source.name(), MAX_FILE >> 10);
        let d = Diagnostic::new(Code::TooLarge, source.span_of(0..0), message);
        return Err(d.help("split it into smaller files, one type each"));
    }
    let is_digit = |c: char| c.is_ascii_hexdigit() || matches!(c, '_' | 'x' | 'o');
    let mut at = 0;
    for word in text.split_inclusive(|c| !is_digit(c)) {
        if word.len() > MAX_DIGITS && word.starts_with(|c: char| c.is_ascii_digit()) {
            let d = Diagnostic::new(Code::TooLarge, source.span_of(at..at + 1), format!("a number has more than {MAX_DIGITS} digits"));
            return Err(d.help("write a shorter number"));
        }
        at += word.len();
    }
    match prefixes(text) {
        Some(at) => {
            let d =
                Diagnostic::new(Code::TooLarge, source.span_of(at..at + 1), format!("more than {MAX_PREFIXES} prefix operators in a row"));
            Err(d.help("write the value without them"))
        }
        None => Ok(()),
    }
}

/// Where too many operators such as `!` and `not` are applied to each other.
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

/// Files of a module path, without those that are refused: what needs one is left untranslated.
struct Admitted<'f>(&'f mut dyn Files);

impl Files for Admitted<'_> {
    fn read(&mut self, path: &str) -> Option<Arc<Source>> {
        self.0.read(path).filter(|source| admitted(source).is_ok())
    }

    fn list(&mut self, folder: &str) -> Vec<String> {
        self.0.list(folder)
    }
}

/// A type of which only a provider is imported.
#[derive(Default)]
struct KnownOwner {
    scope: Scope,
    attributes: Vec<String>,
    features: Option<Vec<(String, Vec<String>)>>,
    asked: Vec<String>,
    acted: Vec<String>,
    /// Its file without providers, unless it is part of the standard library.
    text: Option<String>,
}
