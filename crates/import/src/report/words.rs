//! Words, texts and values as arguments of directives.

use crate::lower::build;
use rtype_lang::syntax::ast::{Expr, ExprKind, Quote, StrPart};
use rtype_ruby::run::PlainValue;

/// Returns a word, in quotes if it needs them.
pub fn word(text: &str) -> Expr {
    if crate::ruby::is_word(text) { build::expr(ExprKind::Word(text.into())) } else { build::string(text) }
}

/// Returns a value of a fact: a word, also with a capital.
pub fn fact(text: &str) -> Expr {
    let has_capital = text.starts_with(|c: char| c.is_ascii_uppercase());
    let is_capitalized = has_capital && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_capitalized { build::expr(ExprKind::Word(text.into())) } else { word(text) }
}

/// Returns the name of a feature or method, which may end with `?`.
pub fn member(text: &str) -> Expr {
    if crate::ruby::is_word(text.strip_suffix('?').unwrap_or(text)) { build::expr(ExprKind::Word(text.into())) } else { word(text) }
}

/// Returns Ruby code: as a text block if it has several lines.
pub fn text(text: &str) -> Expr {
    if text.contains('\n') { lines(crate::ruby::dedented_end(text)) } else { build::string(text) }
}

/// Returns a description.
pub fn description(given: &str) -> Expr {
    let trimmed = given.trim();
    if trimmed.contains('\n') { lines(crate::ruby::dedented(trimmed)) } else { build::string(trimmed) }
}

/// Returns a text block, if the text can be written as one.
fn lines(text: String) -> Expr {
    let is_tame = !text.contains("\"\"\"") && !text.ends_with('"') && !text.contains('\r') && !text.contains('\\');
    let quote = if is_tame { Quote::Text } else { Quote::Double };
    build::expr(ExprKind::Str(build::literal(vec![StrPart::Text(text.into())], quote)))
}

/// Returns an allowed value; symbols and texts are words.
pub fn allowed(value: &PlainValue) -> Option<Expr> {
    match value {
        PlainValue::Sym(name) | PlainValue::Str(name) if matches!(name.as_str(), "true" | "false") => {
            Some(build::expr(ExprKind::Bool(name == "true")))
        }
        PlainValue::Sym(name) | PlainValue::Str(name) => Some(word(name)),
        PlainValue::Bool(_) | PlainValue::Int(_) | PlainValue::Regex(..) => crate::lower::literal_of(value),
        _ => None,
    }
}

/// Returns the words of a list, or of a single value.
pub fn all(value: &PlainValue) -> Option<Vec<String>> {
    match value {
        PlainValue::Array(items) => items.iter().map(|item| item.word().map(str::to_owned)).collect(),
        other => other.word().map(|word| vec![word.to_owned()]),
    }
}

/// Returns the expression of a list of words.
pub fn list(words: &[String]) -> Expr {
    build::expr(ExprKind::Array(words.iter().map(|text| member(text)).collect()))
}
