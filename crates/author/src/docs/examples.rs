//! Declarations that show a type at work: what its author writes into fenced blocks of `desc`, which are checked, and what
//! its tests declare, which is known to be accepted.

use super::prose::fences;
use crate::testing::accepted;
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::eval::UnknownWorld;
use rtype_lang::library::Library;
use rtype_lang::source::{Source, SourceMap, Span};
use rtype_lang::types::TypeDef;
use rtype_lang::value::Value;
use rtype_model::manifest::{Declared, Shown, from_source, to_puppet};
use rtype_model::providers::Providers;
use rtype_model::resource::{Context, NoCatalog, Preparation};
use serde::Serialize;
use std::sync::Arc;

/// A declaration that is known to be accepted.
#[derive(Clone, Debug, Serialize)]
pub struct ExampleDoc {
    /// What it shows.
    pub title: String,
    /// The declaration in Puppet's syntax.
    pub text: String,
}

/// A fenced block of a `desc` that holds resources.
#[derive(Clone, Debug)]
pub struct FencedExample {
    /// What it is written in: `puppet`, `json` or `yaml`.
    pub language: String,
    /// What stands in it.
    pub text: String,
    /// Its place in the type's file.
    pub span: Span,
    /// Where each of its lines begins in the file.
    lines: Vec<u32>,
}

/// What resources can be written in, with the name of a file that holds them.
const LANGUAGES: &[(&str, &str)] = &[("puppet", "example.pp"), ("json", "example.json"), ("yaml", "example.yaml")];

/// The declaration beside a type that shows most of it: that of the test whose title begins with `example`; else of the tests that
/// are accepted, on an ordinary machine if there is such a one, the first of those that give the most attributes.
pub fn examples(type_def: &Arc<TypeDef>, library: &mut Library, providers: &dyn Providers) -> Vec<ExampleDoc> {
    let tests = library.tests_beside(type_def);
    let mut best: Option<((bool, bool, usize), ExampleDoc)> = None;
    for test in tests.iter().filter(|t| t.type_def.name == type_def.name) {
        let Some(declared) = accepted(test, library, providers) else { continue };
        let meant = test.title.starts_with("example");
        let weight = (meant, test.given.is_ordinary(), declared.attributes.len());
        if best.as_ref().is_none_or(|(most, _)| weight > *most) {
            let text = shown(type_def, &declared);
            best = Some((weight, ExampleDoc { title: test.title.to_string(), text }));
        }
    }
    best.into_iter().map(|(_, example)| example).collect()
}

/// A declaration without its secrets.
fn shown(type_def: &TypeDef, declared: &Declared) -> String {
    let mut shown = Shown::from(declared);
    for (name, value) in &mut shown.attributes {
        if type_def.id_declared_as(name).and_then(|id| type_def.attribute(id)).is_some_and(|a| a.sensitive) {
            *value = Value::Sensitive(Arc::new(std::mem::take(value)));
        }
    }
    to_puppet([&shown]).trim_end().to_owned()
}

/// The fenced blocks marked `puppet`, `json` or `yaml` in all that the author of a type says.
pub fn fenced_examples(type_def: &TypeDef, sources: &SourceMap) -> Vec<FencedExample> {
    let mut docs: Vec<(&str, Span)> = vec![(&type_def.doc, type_def.span)];
    docs.extend(type_def.features.values().map(|f| (f.doc.as_str(), f.span)));
    docs.extend(type_def.attributes.iter().map(|a| (a.doc.as_str(), a.span)));
    docs.extend(type_def.providers.values().map(|p| (p.doc.as_str(), p.span)));
    let mut found = Vec::new();
    for (doc, name) in docs.into_iter().filter(|(doc, _)| doc.contains("```") || doc.contains("~~~")) {
        let Some(source) = sources.find(name) else { continue };
        for (language, text) in fences(doc) {
            if LANGUAGES.iter().any(|(known, _)| *known == language) {
                let (span, lines) = place(source, name, &text);
                found.push(FencedExample { language, text, span, lines });
            }
        }
    }
    found
}

/// Whether a text holds a fenced block marked `puppet`, `json` or `yaml`.
pub fn has_example(doc: &str) -> bool {
    fences(doc).into_iter().any(|(language, _)| LANGUAGES.iter().any(|(known, _)| *known == language))
}

/// Where the lines of a text stand behind a name: what is indented in the file is not so in the doc.
fn place(source: &Source, name: Span, text: &str) -> (Span, Vec<u32>) {
    let wanted: Vec<&str> = text.lines().map(str::trim).collect();
    let begin = source.range(name).end;
    let rest = source.text().get(begin..).unwrap_or_default();
    let mut lines: Vec<(usize, &str)> = Vec::new();
    let mut at = begin;
    for line in rest.split_inclusive('\n') {
        lines.push((at, line));
        at += line.len();
    }
    let fits = |window: &&[(usize, &str)]| window.iter().zip(&wanted).all(|((_, line), wanted)| line.trim() == *wanted);
    let Some(window) = lines.windows(wanted.len().max(1)).find(fits) else { return (name, Vec::new()) };
    let starts: Vec<usize> = window
        .iter()
        .zip(text.lines())
        .map(|((at, line), inner)| {
            let indent = |l: &str| l.len() - l.trim_start().len();
            at + indent(line).saturating_sub(indent(inner))
        })
        .collect();
    let end = window.last().map_or(begin, |(at, line)| at + line.trim_end().len());
    let span = source.span_of(starts.first().copied().unwrap_or(begin)..end);
    (span, starts.iter().map(|at| source.span_of(*at..*at).start).collect())
}

/// What is wrong with the fenced examples of a type, at its place in the type's file.
///
/// Each must be understood, and its resources of types that are loaded must be accepted by these, as far as that can be told
/// without a machine.
pub fn broken_examples(type_def: &TypeDef, library: &Library) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for example in fenced_examples(type_def, &library.sources) {
        // A map of its own, so that its spans are no others' and only it forgets them.
        let mut sources = library.sources.clone();
        let file = LANGUAGES.iter().find(|(name, _)| *name == example.language).map_or("", |(_, file)| file);
        let Ok(source) = sources.add(file, example.text.as_str()) else { continue };
        let (declarations, mut wrong) = from_source(&source, &UnknownWorld);
        for declared in &declarations.resources {
            let Some(of) = library.registry.get(declared.type_name.as_str()) else { continue };
            let offline = Context { world: &UnknownWorld, catalog: &NoCatalog, backend: None, strict: false, trace: false, offline: true };
            wrong.extend(Preparation::new(Arc::clone(of), offline).build(declared, offline).diagnostics);
        }
        for mut diagnostic in wrong {
            for label in &mut diagnostic.labels {
                if source.span().contains(label.span) {
                    label.span = example.in_file(&source, label.span);
                }
            }
            found.push(diagnostic);
        }
    }
    found
}

impl FencedExample {
    /// A place in the example as a place in the type's file.
    fn in_file(&self, source: &Source, span: Span) -> Span {
        let at = |offset: u32| {
            let before = source.slice(Span::new(source.base(), offset));
            let line = before.matches('\n').count();
            let column = before.rsplit('\n').next().map_or(0, str::len);
            self.lines.get(line).map_or(self.span.start, |start| start + column as u32)
        };
        let start = at(span.start);
        Span::new(start, at(span.end).max(start).min(self.span.end.max(start)))
    }
}
