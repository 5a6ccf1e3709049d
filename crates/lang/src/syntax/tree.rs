//! Trees as text without places, to compare them and to look at them.

use super::ast::{Ast, Manifest};
use super::same::Same;

/// The tree of a type file as one line of text without any place in the source.
///
/// Two files that differ in layout and comments only give the same text.
pub fn tree(ast: &Ast) -> String {
    without_places(&format!("{:?}", ast.items))
}

/// The tree of a manifest as one line of text without any place in the source.
pub fn manifest_tree(manifest: &Manifest) -> String {
    without_places(&format!("{:?}", manifest.statements))
}

/// Whether two files say the same, layout and comments apart.
pub fn same_tree(one: &Ast, other: &Ast) -> bool {
    one.items.same(&other.items)
}

/// The same for manifests.
pub fn same_manifest(one: &Manifest, other: &Manifest) -> bool {
    one.statements.same(&other.statements)
}

/// Spans print as `12..34`; this removes them together with the name of their field.
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
