//! Syntax trees as strings without spans, for comparison and debugging.

use super::ast::{Ast, Manifest};
use super::same::Same;
use crate::debug::structure;

/// Returns the syntax tree of a type file on a single line without spans.
///
///
/// Files that differ only in layout and comments give the same string.
pub fn tree(ast: &Ast) -> String {
    without_places(&structure(&ast.items))
}

/// Returns the syntax tree of a manifest on a single line without spans.
pub fn manifest_tree(manifest: &Manifest) -> String {
    without_places(&structure(&manifest.statements))
}

/// Returns `true` if two type files are the same, apart from layout and comments.
pub fn same_tree(one: &Ast, other: &Ast) -> bool {
    one.items.same(&other.items)
}

/// Removes spans, printed as `12..34`, together with the names of their fields.
fn without_places(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(dots) = rest.find("..") {
        let (before, after) = (rest.get(..dots).unwrap_or(""), rest.get(dots + 2..).unwrap_or(""));
        let kept = before.trim_end_matches(|c: char| c.is_ascii_digit());
        let behind = after.trim_start_matches(|c: char| c.is_ascii_digit());
        let named = ["source_span: ", "path_span: ", "op_span: ", "span: "].into_iter().find_map(|f| kept.strip_suffix(f));
        if let Some(named) = named.filter(|_| kept.len() < before.len() && behind.len() < after.len()) {
            out.push_str(named.strip_suffix(", ").unwrap_or(named));
            rest = behind.strip_prefix(", ").filter(|_| named.ends_with("{ ")).unwrap_or(behind);
        } else if kept.len() < before.len() && behind.len() < after.len() {
            out.push_str(kept.strip_suffix(", ").unwrap_or(kept));
            rest = behind;
        } else {
            out.push_str(before);
            out.push_str("..");
            rest = after;
        }
    }
    out.push_str(rest);
    out
}
