//! Diagnostics for unexpected text in manifests.

use super::{expected_found, one_line, token};
use crate::diagnostics::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::expected::Expected;

/// Reports unexpected text in a resource's braces.
pub(crate) fn resource_junk(text: &str, start: usize, span: impl Fn(usize, usize) -> Span) -> Diagnostic {
    let rest = text.get(start..).unwrap_or("");
    let start = start + (rest.len() - rest.trim_start().len());
    expected_found(text, start, Expected::ResourceTitle, false, span).help("write a resource as `user { 'bob': ensure => present }`")
}

const FUNCTIONS: &[&str] = &[
    "include",
    "require",
    "contain",
    "realize",
    "tag",
    "notice",
    "warning",
    "err",
    "info",
    "debug",
    "alert",
    "crit",
    "emerg",
    "fail",
    "hiera_include",
    "create_resources",
    "ensure_packages",
    "ensure_resource",
    "ensure_resources",
    "import",
    "return",
    "break",
    "next",
];

pub(crate) const COMPILE: &str = "write the catalog with `rtype compile`, and pass that";
const UNWRAP: &str = "keep only the resources in its braces, or write the catalog with `rtype compile`, and pass that";

/// Reports a statement in a manifest that declares no resource.
pub(crate) fn manifest_line(text: &str, start: usize, end: usize, span: impl Fn(usize, usize) -> Span) -> Diagnostic {
    let line = one_line(text.get(start..end).unwrap_or(""));
    let word = token(text, start);
    let after = line.get(word.len()..).unwrap_or("").trim_start();
    let compiler = |length: usize, what: String| {
        Diagnostic::new(Code::NeedsCompiler, span(start, start + length), format!("{what} needs Puppet's compiler"))
            .help(if matches!(word, "node" | "class") { UNWRAP } else { COMPILE })
    };
    match word {
        "$" => {
            let name = line.split(|c: char| !(c.is_alphanumeric() || "$_:".contains(c))).next().unwrap_or("$");
            return compiler(name.len(), format!("the variable `{name}`"));
        }
        "class" | "define" | "node" | "if" | "unless" | "case" | "function" | "plan" | "application" if !after.starts_with('{') => {
            return compiler(word.len(), format!("`{word}`"));
        }
        "type" if after.starts_with(|c: char| c.is_ascii_uppercase()) => {
            return compiler(word.len(), "an alias of a data type".to_owned());
        }
        _ if FUNCTIONS.contains(&word) || after.starts_with('(') || after.starts_with('.') => {
            return compiler(word.len(), format!("a call of the function `{word}`"));
        }
        _ => {}
    }
    let place = span(start, start + word.len());
    if line.starts_with("//") {
        return Diagnostic::new(Code::Syntax, place, "`//` does not start a comment").help("start comments with `#`");
    }
    let name = line.split('[').next().unwrap_or_default();
    if line.len() > name.len() && name.starts_with(|c: char| c.is_ascii_lowercase()) && is_type_name(name) {
        return Diagnostic::new(Code::Syntax, span(start, start + name.len()), lower_case_reference(name))
            .help(format!("write `{}`", with_references(line)));
    }
    if word.starts_with(char::is_alphabetic) && (after.starts_with(['\'', '"']) || after.is_empty()) {
        return Diagnostic::new(Code::Syntax, place, format!("missing `{{` after `{word}`"))
            .help(format!("write `{word} {{ 'title': attribute => value }}`"));
    }
    expected_found(text, start, Expected::Resource, false, span).help("write a resource as `user { 'bob': ensure => present }`")
}

/// Returns the message for a reference in lower case, such as `file['/x']`.
pub(crate) fn lower_case_reference(name: &str) -> String {
    format!("references start with an upper-case letter: `{name}`")
}

fn is_type_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | ':'))
}

/// Converts references to upper case in a line: `file['/x'] -> foo::bar['y']` becomes `File['/x'] -> Foo::Bar['y']`.
fn with_references(line: &str) -> String {
    let mut out = String::new();
    let mut quote = None;
    for (at, c) in line.char_indices() {
        let before = line.get(..at).and_then(|before| before.chars().next_back());
        let begins = quote.is_none() && c.is_ascii_lowercase() && before.is_none_or(|b| !(b.is_alphanumeric() || b == '_'));
        let name = line.get(at..).and_then(|rest| rest.split_once('[')).map(|(name, _)| name);
        match quote {
            Some(open) if c == open => quote = None,
            None if matches!(c, '\'' | '"') => quote = Some(c),
            _ => {}
        }
        out.push(if begins && name.is_some_and(is_type_name) { c.to_ascii_uppercase() } else { c });
    }
    out
}
