//! Completion: keywords from the language's tables, names from the loaded types.
//!
//! The language server also completes locals, members and snippets, with a workspace index.

use crate::report::{byte_at, utf16};
use crate::service::{Pane, Texts};
use rtype_author::docs::{WordDoc, language, summary};
use rtype_author::editor::candidates::{is_bare, listed};
use rtype_author::editor::cursor::{Cursor, CursorBody as Body};
use rtype_author::editor::describe;
use rtype_author::editor::line_cursor::{Completion, LineCursor};
use rtype_author::editor::tokens::{TypeTokenKind as TokenKind, tokens};
use rtype_lang::library::TypeSet;
use rtype_lang::types::{AttributeDef, Role, TypeDef};
use rtype_model::manifest::quoted;
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// A candidate.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Item {
    pub label: String,
    /// The kind, with CodeMirror's names.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The candidate's syntax, or a remark.
    pub detail: String,
    /// The candidate's description in Markdown.
    pub info: String,
    /// The string to insert, if different from the label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub apply: Option<String>,
}

impl Item {
    fn new(label: impl Into<String>, kind: &'static str, detail: impl Into<String>, info: impl Into<String>) -> Item {
        Item { label: label.into(), kind, detail: detail.into(), info: info.into(), apply: None }
    }
}

/// Returns the candidates at an offset, and the start of the replaced range.
pub(crate) fn complete(types: &TypeSet, texts: &Texts, pane: Pane, offset: usize) -> Json {
    let text = texts.of(pane);
    let (start, items) = candidates(types, texts, pane, byte_at(text, offset));
    json!({ "from": utf16(text, start), "options": items })
}

/// Returns the candidates at a byte, and the first replaced byte.
pub(crate) fn candidates(types: &TypeSet, texts: &Texts, pane: Pane, byte: usize) -> (usize, Vec<Item>) {
    let before = texts.of(pane).get(..byte).unwrap_or_default();
    if pane == Pane::Types { in_types(types, &texts.types, before) } else { in_resources(types, before, pane == Pane::State) }
}

const ITEMS: &[(&str, &str)] = &[
    ("type", "a type of resources"),
    ("provider", "a provider of a type: `provider NAME, for: TYPE`"),
    ("mixin", "directives that several types include"),
    ("kind", "a kind of attribute: `kind: NAME`"),
    ("fn", "a function"),
    ("const", "a constant"),
    ("typealias", "a data type with a name"),
    ("feature", "a feature of the platform"),
    ("test", "a test of a type"),
    ("use", "another file"),
];

const STATEMENTS: &[(&str, &str)] = &[
    ("self", "the resource"),
    ("provider", "the provider of the resource"),
    ("catalog", "the other resources"),
    ("let", "defines a local"),
    ("if", "a condition"),
    ("unless", "a condition that must not hold"),
    ("match", "the first arm that fits"),
    ("try", "what to do when something fails"),
    ("fail", "rejects the value or resource"),
    ("return", "leaves the block or function"),
    ("true", ""),
    ("false", ""),
    ("nil", ""),
];

fn in_types(types: &TypeSet, text: &str, before: &str) -> (usize, Vec<Item>) {
    let cursor = Cursor::new(before);
    if let Some(Body::Resource(at)) = cursor.inner().map(|frame| &frame.body) {
        let (start, items) = in_resources(types, before.get(*at..).unwrap_or_default(), false);
        return (at + start, items);
    }
    let items = if cursor.inside.is_some() { Vec::new() } else { directive_or_code(types, text, &cursor) };
    (cursor.start, items)
}

fn directive_or_code(types: &TypeSet, text: &str, cursor: &Cursor<'_>) -> Vec<Item> {
    let line = cursor.line();
    let body = cursor.inner().map_or(&Body::File, |frame| &frame.body);
    let first = line.iter().copied().find(|word| *word != "override").unwrap_or_default();
    if cursor.block().is_some() || *body == Body::Test && first == "expect" {
        return code(text, cursor);
    }
    match body {
        Body::File if line.is_empty() => ITEMS.iter().map(|(word, doc)| Item::new(*word, "keyword", "", *doc)).collect(),
        Body::Type(_) | Body::Mixin(_) if line.is_empty() => directives("types"),
        Body::Attribute(_) | Body::Kind(_) if line.is_empty() || line == ["override"] => directives("attributes"),
        Body::Provider { .. } if line.is_empty() => directives("providers"),
        Body::Test if line.is_empty() => group("test", "keyword").into_iter().chain(type_names(types)).collect(),
        Body::TestSetup(word) if word == "is" => attribute_names(text),
        Body::Call(of) => options(of),
        _ => arguments(types, text, first, &line),
    }
}

/// Completes after a directive's first word.
fn arguments(types: &TypeSet, text: &str, first: &str, line: &[&str]) -> Vec<Item> {
    match (first, line.last().copied().unwrap_or_default()) {
        (_, ":") if line.ends_with(&["kind", ":"]) => group("kind", "class"),
        (_, ":") if line.ends_with(&["for", ":"]) => type_names(types).collect(),
        (_, ":") if line.ends_with(&["membership", ":"]) => attribute_names(text),
        (_, ":") => ["true", "false"].map(|word| Item::new(word, "constant", "", "")).into(),
        ("type", "type" | "[" | "," | "|") => group("data type", "class"),
        ("compare", "compare") => group("comparison", "enum"),
        ("autorequire" | "autobefore" | "autonotify" | "autosubscribe", _) => type_names(types).collect(),
        ("rejects", "rejects") => attribute_names(text),
        (_, ",") => options(first),
        _ => Vec::new(),
    }
}

fn code(text: &str, cursor: &Cursor<'_>) -> Vec<Item> {
    if cursor.last_text() != "." {
        let statements = STATEMENTS.iter().map(|(word, doc)| Item::new(*word, "keyword", "", *doc));
        let outcomes = if cursor.frames.iter().any(|f| f.body == Body::Test) { group("outcome", "function") } else { Vec::new() };
        return statements.chain(outcomes).chain(group("function", "function")).collect();
    }
    let line = cursor.line();
    let receiver = line.len().checked_sub(2).and_then(|at| line.get(at)).copied().unwrap_or_default();
    if receiver == "self" { attribute_names(text) } else { group("method", "method") }
}

fn item(word: WordDoc, kind: &'static str) -> Item {
    Item::new(word.name, kind, word.written, word.doc)
}

/// Returns the directives of a body.
fn directives(of: &str) -> Vec<Item> {
    let here = |word: &WordDoc| word.group == "directive" && word.of.contains(&of);
    language(None).into_iter().filter(here).map(|word| item(word, "keyword")).collect()
}

/// Returns a directive's or kind's options.
fn options(of: &str) -> Vec<Item> {
    let here = |word: &WordDoc| word.group == "option" && word.of.contains(&of);
    let option = |word: WordDoc| Item { apply: Some(format!("{}: ", word.name)), ..item(word, "property") };
    language(None).into_iter().filter(here).map(option).collect()
}

/// Returns a group from the language reference.
fn group(name: &str, kind: &'static str) -> Vec<Item> {
    language(None).into_iter().filter(|word| word.group == name).map(|word| item(word, kind)).collect()
}

fn type_names(types: &TypeSet) -> impl Iterator<Item = Item> + use<> {
    types.names().into_iter().map(|name| Item::new(name, "class", "type", ""))
}

/// Returns the attributes defined in a source. The types may have errors, so only the source is available.
fn attribute_names(text: &str) -> Vec<Item> {
    let words: Vec<&str> = tokens(text).iter().filter(|t| t.kind == TokenKind::Word).map(|t| t.text(text)).collect();
    let mut names: Vec<Item> = Vec::new();
    for pair in words.windows(2) {
        let (name, detail) = match pair {
            ["newparam", name] => (*name, "parameter"),
            ["newproperty", name] => (*name, "property"),
            ["ensurable", _] => ("ensure", "property"),
            _ => continue,
        };
        if names.iter().all(|item| item.label != name) {
            names.push(Item::new(name, "property", detail, ""));
        }
    }
    names
}

fn in_resources(types: &TypeSet, before: &str, properties_only: bool) -> (usize, Vec<Item>) {
    let cursor = LineCursor::before(before, &|_| None);
    let start = cursor.start + cursor.quote.map_or(0, char::len_utf8);
    let is_quoted = cursor.quote.is_some();
    let items = match cursor.completion {
        Completion::Types => type_names(types).map(|item| declared(types, item)).collect(),
        Completion::Attributes { type_name: Some(name), given, .. } => {
            types.load(&name).map(|type_def| attributes(&type_def, &given, properties_only)).unwrap_or_default()
        }
        Completion::Values { type_name: Some(name), attribute } => {
            types.load(&name).map(|type_def| values(&type_def, &attribute, is_quoted)).unwrap_or_default()
        }
        _ => Vec::new(),
    };
    (start, items)
}

/// Adds a loaded type's description: loading all listed types would be slow.
fn declared(types: &TypeSet, item: Item) -> Item {
    let loaded = types.registry().iter().find(|type_def| type_def.name.as_str() == item.label).map(|type_def| summary(&type_def.doc));
    Item { info: loaded.unwrap_or_default(), ..item }
}

fn attributes(type_def: &Arc<TypeDef>, given: &[String], properties_only: bool) -> Vec<Item> {
    let fits = |a: &&AttributeDef| !given.iter().any(|g| g == a.name.as_str()) && (a.role == Role::Property || !properties_only);
    let item = |a: &AttributeDef| {
        let role = match a.role {
            Role::Property => "property",
            Role::Param => "parameter",
            Role::Metaparam => "metaparameter",
        };
        let item = Item::new(a.name.as_str(), "property", role, describe::attribute(type_def, a));
        Item { apply: Some(format!("{} => ", a.name)), ..item }
    };
    type_def.attributes.iter().filter(fits).map(item).collect()
}

fn values(type_def: &TypeDef, attribute: &str, is_quoted: bool) -> Vec<Item> {
    let Some(attribute) = type_def.id_declared_as(attribute).and_then(|id| type_def.attribute(id)) else { return Vec::new() };
    let written = |text: &str| if is_quoted || is_bare(text) { text.to_owned() } else { quoted(text) };
    if attribute.name.as_str() == "provider" {
        return type_def.providers.values().map(|p| Item::new(written(p.name.as_str()), "constant", "provider", summary(&p.doc))).collect();
    }
    listed(attribute).iter().map(|value| Item::new(written(value), "constant", "", "")).collect()
}
