//! Example declarations of a type. Examples in fenced blocks of `desc` are checked; examples in tests are known to be valid.

use super::prose::fences;
use crate::testing::accepted;
use regex::Regex;
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::eval::UnknownWorld;
use rtype_lang::library::{TypeSet, is_ruby};
use rtype_lang::source::{Source, SourceMap, Span};
use rtype_lang::types::TypeDef;
use rtype_lang::value::Value;
use rtype_model::manifest::{Declared, PrintedResource, from_source, to_puppet};
use rtype_model::providers::Providers;
use rtype_model::resource::{Context, NoCatalog, Preparation};
use serde::Serialize;
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// An example that is known to be valid.
#[derive(Clone, Debug, Serialize)]
pub struct ExampleDoc {
    /// A description of the demonstrated behavior.
    pub title: String,
    /// The declaration in Puppet's syntax.
    pub text: String,
}

/// A fenced block of resources in a `desc`.
#[derive(Clone, Debug)]
pub struct FencedExample {
    /// The language: `puppet`, `json` or `yaml`.
    pub language: String,
    /// The content.
    pub text: String,
    /// The location in the type file.
    pub span: Span,
    /// Start offsets of the lines in the type file.
    lines: Vec<u32>,
}

/// Languages of resources, each with an example file name.
const LANGUAGES: &[(&str, &str)] = &[("puppet", "example.pp"), ("json", "example.json"), ("yaml", "example.yaml")];

/// Returns the most illustrative valid declaration in the tests of a type. Tests whose title starts with `example` come first, then
/// tests on an unmodified machine, then declarations with more attributes. The first of several equal tests is returned.
pub fn examples(type_def: &Arc<TypeDef>, types: &TypeSet, providers: &dyn Providers) -> Vec<ExampleDoc> {
    let tests = types.tests_beside(type_def);
    let mut best: Option<((bool, bool, usize), ExampleDoc)> = None;
    for test in tests.iter().filter(|t| t.type_def.name == type_def.name) {
        let Some(declared) = accepted(test, types, providers) else { continue };
        let meant = test.title.starts_with("example");
        let weight = (meant, test.given.is_ordinary(), declared.attributes.len());
        if best.as_ref().is_none_or(|(most, _)| weight > *most) {
            let text = shown(type_def, &declared);
            best = Some((weight, ExampleDoc { title: test.title.to_string(), text }));
        }
    }
    best.into_iter().map(|(_, example)| example).collect()
}

/// Formats a declaration without its secrets.
fn shown(type_def: &TypeDef, declared: &Declared) -> String {
    let mut shown = PrintedResource::from(declared);
    for (name, value) in &mut shown.attributes {
        if type_def.id_declared_as(name).and_then(|id| type_def.attribute(id)).is_some_and(|a| a.sensitive) {
            *value = Value::Sensitive(Arc::new(std::mem::take(value)));
        }
    }
    to_puppet([&shown]).trim_end().to_owned()
}

/// Returns the fenced blocks marked `puppet`, `json` or `yaml` in all descriptions of a type.
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

/// Returns `true` if a description contains a fenced block marked `puppet`, `json` or `yaml`.
pub fn has_example(doc: &str) -> bool {
    fences(doc).into_iter().any(|(language, _)| LANGUAGES.iter().any(|(known, _)| *known == language))
}

/// Locates the lines of a description after a name in the source, where the lines may be indented differently.
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

impl FencedExample {
    /// Returns `true` if the example has placeholders for its readers or, in Ruby, does not begin as a resource.
    fn is_synopsis(&self, sources: &SourceMap) -> bool {
        let fits = |pattern: &Option<Regex>| pattern.as_ref().is_some_and(|pattern| pattern.is_match(&self.text));
        let is_ruby = sources.find(self.span).is_some_and(|source| is_ruby(Path::new(source.name())));
        self.language == "puppet" && (fits(&PLACEHOLDER) || is_ruby && !fits(&RESOURCE))
    }
}

/// Matches the beginning of a resource, after comments.
static RESOURCE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\A(?:\s|#[^\n]*\n)*@{0,2}(?:::)?[A-Za-z][\w:]*\s*\{").ok());

/// Matches `'<name>`, `'[a|b`, `=> <value>` and dots in place of attributes.
static PLACEHOLDER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let placeholder = r"<[A-Za-z][\w /.:-]*>|\[+[\w-]+(?:\|[\w-]+)+\]";
    Regex::new(&format!(r"(?m)['\x22][^'\x22\n]*(?:{placeholder})|(?:=>|\{{)\s*(?:{placeholder})|^\s*(?:\.\.|…)|(?:\.\.\.?|…)\s*$")).ok()
});

/// Returns the errors in the fenced examples of a type, located in the type file.
///
/// Each example must be valid syntax. Its resources must be valid for their types, if the types are loaded, as far as a check without a
/// machine can determine.
pub fn broken_examples(type_def: &TypeDef, types: &TypeSet) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut examples = fenced_examples(type_def, &types.sources);
    examples.retain(|example| !example.is_synopsis(&types.sources));
    if examples.is_empty() {
        return found;
    }
    let loaded = types.registry();
    for example in examples {
        // A separate source map, so that the spans do not affect other texts and the map can be dropped.
        let sources = types.sources.fork();
        let file = LANGUAGES.iter().find(|(name, _)| *name == example.language).map_or("", |(_, file)| file);
        let Ok(source) = sources.add(file, example.text.as_str()) else { continue };
        let (declarations, mut wrong) = from_source(&source, &UnknownWorld);
        for declared in &declarations.resources {
            let Some(of) = loaded.get(declared.type_name.as_str()) else { continue };
            let offline =
                Context { world: &UnknownWorld, catalog: &NoCatalog, backend: None, strict: false, trace: false, offline: true, log: None };
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
    /// Maps a location in the example to the type file.
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
