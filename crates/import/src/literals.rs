//! Values in conditions that are known when a type is imported.

use super::ruby::{self, is_word};
use rtype_lang::syntax::quote;
use ruby_prism::Node;

/// The values that are known.
pub struct Literals {
    /// The values as written in the language.
    pub text: String,
    /// Whether a regex is among them.
    pub patterns: bool,
}

/// Returns the value of a node, or the values of a list.
pub fn literals(node: &Node<'_>) -> Option<Literals> {
    let one = |node: &Node<'_>| -> Option<String> {
        if let Some(word) = ruby::symbol(node).or_else(|| ruby::text(node)) {
            // An empty string matches a missing fact.
            return (!word.is_empty()).then(|| bare(&word));
        }
        if let Some(regex) = node.as_regular_expression_node() {
            let source = String::from_utf8_lossy(regex.content_loc().as_slice()).into_owned();
            return Some(ruby::regex(&source, regex.is_ignore_case(), regex.is_multi_line(), regex.is_extended()));
        }
        let number = node.as_integer_node().is_some() || node.as_true_node().is_some() || node.as_false_node().is_some();
        number.then(|| String::from_utf8_lossy(node.location().as_slice()).into_owned())
    };
    let is_pattern = |n: &Node<'_>| n.as_regular_expression_node().is_some();
    match node.as_array_node() {
        Some(list) => {
            let items: Option<Vec<String>> = list.elements().iter().map(|e| one(&e)).collect();
            Some(Literals { text: format!("[{}]", items?.join(", ")), patterns: list.elements().iter().any(|e| is_pattern(&e)) })
        }
        None => Some(Literals { text: one(node)?, patterns: is_pattern(node) }),
    }
}

/// Returns whether the value of a node is written there, without code that computes it.
pub(super) fn is_literal(node: &Node<'_>, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    if let Some(call) = node.as_call_node() {
        let is_frozen = ruby::name(&call.name()) == "freeze" && call.arguments().is_none();
        return is_frozen && call.receiver().is_some_and(|of| is_literal(&of, depth));
    }
    if let Some(list) = node.as_array_node() {
        return list.elements().iter().all(|e| is_literal(&e, depth));
    }
    if let Some(map) = node.as_hash_node() {
        let pairs = ruby::pairs(&map.elements());
        return pairs.is_some_and(|pairs| pairs.iter().all(|(k, v)| is_literal(k, depth) && is_literal(v, depth)));
    }
    ruby::symbol(node).is_some()
        || ruby::text(node).is_some()
        || node.as_regular_expression_node().is_some()
        || node.as_integer_node().is_some()
        || node.as_float_node().is_some()
        || node.as_true_node().is_some()
        || node.as_false_node().is_some()
        || node.as_nil_node().is_some()
        || ruby::constant(node).is_some()
}

/// Returns whether a regex contains an upper-case letter.
pub fn has_capital(regex: &ruby_prism::RegularExpressionNode<'_>) -> bool {
    let text = String::from_utf8_lossy(regex.content_loc().as_slice()).into_owned();
    let mut before = ' ';
    let capital = text.chars().any(|c| {
        let is = c.is_ascii_uppercase() && before != '\\';
        before = c;
        is
    });
    capital && !regex.is_ignore_case()
}

/// Formats a value, without quotes if it is a word.
fn bare(word: &str) -> String {
    let capital = word.starts_with(|c: char| c.is_ascii_uppercase()) && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_word(word) || capital { word.to_owned() } else { quote(word) }
}

/// Formats the key of an option.
pub fn key_word(key: &str) -> String {
    if is_word(key) { key.to_owned() } else { quote(key) }
}
