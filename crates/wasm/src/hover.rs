//! The description of the word at an offset.

use crate::complete::candidates;
use crate::report::{byte_at, utf16};
use crate::service::{Pane, Texts};
use rtype_author::editor::cursor::Cursor;
use rtype_author::editor::describe;
use rtype_lang::library::TypeSet;
use serde_json::{Value as Json, json};
use std::ops::Range;

/// Returns the word's range and a description in Markdown; null without a description.
pub(crate) fn hover(types: &TypeSet, texts: &Texts, pane: Pane, offset: usize) -> Json {
    let text = texts.of(pane);
    let Some(word) = word_at(text, byte_at(text, offset)) else { return Json::Null };
    let name = text.get(word.clone()).unwrap_or_default();
    let markdown = if pane == Pane::Types { defined(types, text, &word, name) } else { None };
    let markdown = markdown.or_else(|| type_doc(types, texts, pane, &word, name)).or_else(|| candidate(types, texts, pane, &word, name));
    markdown.map_or(Json::Null, |markdown| json!({ "from": utf16(text, word.start), "to": utf16(text, word.end), "markdown": markdown }))
}

fn word_at(text: &str, byte: usize) -> Option<Range<usize>> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '?';
    let (before, after) = (text.get(..byte)?, text.get(byte..)?);
    let start = before.trim_end_matches(is_part).len();
    let end = byte + after.find(|c| !is_part(c)).unwrap_or(after.len());
    (start < end).then_some(start..end)
}

/// Describes the attribute defined on this word's line, or the attribute after `self.`.
fn defined(types: &TypeSet, text: &str, word: &Range<usize>, name: &str) -> Option<String> {
    let cursor = Cursor::new(text.get(..word.start)?);
    let is_definition = matches!(cursor.line().as_slice(), ["newparam" | "newproperty"]);
    if !is_definition && !cursor.line().ends_with(&["self", "."]) {
        return None;
    }
    let type_def = types.load(cursor.type_name()?)?;
    let attribute = type_def.attribute_named(name)?;
    Some(format!("`{name}` of `{}`\n\n{}", type_def.name, describe::attribute(&type_def, attribute)))
}

/// Describes a type in a resource or test.
fn type_doc(types: &TypeSet, texts: &Texts, pane: Pane, word: &Range<usize>, name: &str) -> Option<String> {
    let after = texts.of(pane).get(word.end..)?.trim_start();
    let lower = name.to_lowercase();
    if !after.starts_with(['{', '[']) || !types.names().contains(&lower) {
        return None;
    }
    let type_def = types.load(&lower)?;
    Some(format!("type `{lower}`\n\n{}", type_def.doc.trim()))
}

/// Describes the candidate that completion would insert here.
fn candidate(types: &TypeSet, texts: &Texts, pane: Pane, word: &Range<usize>, name: &str) -> Option<String> {
    let (_, items) = candidates(types, texts, pane, word.end);
    let item = items.into_iter().find(|item| item.label == name)?;
    let head = if item.detail.is_empty() { item.label } else { item.detail };
    let described = format!("`{head}`\n\n{}", item.info);
    Some(described.trim_end().to_owned())
}
