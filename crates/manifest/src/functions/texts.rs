//! Functions that build text: `sprintf`, `shellquote`, and comparison of versions.

use super::sprintf::sprintf as format;
use super::{Block, Evaluated, argument, legacy, no_method, ruby, signature, text, typed};
use crate::compile::context::CallContext;
use crate::compile::function::FunctionRow;
use crate::compile::value::ManifestValue;

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
    legacy("sprintf", -2, sprintf),
    legacy("shellquote", -1, shellquote),
    typed("versioncmp", &[signature("(String $a, String $b, Boolean $ignore_trailing_zeroes?)", versioncmp)]),
];

fn sprintf(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    match argument(arguments, 0) {
        ManifestValue::String(pattern) => Ok(ManifestValue::string(format(pattern, arguments.get(1..).unwrap_or_default())?)),
        other => Err(super::type_error(other, "String")),
    }
}

fn shellquote(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let is_safe = |c: char| c.is_ascii_alphanumeric() || "@%_+=:,./-".contains(c);
    let is_dangerous = |c: char| "!\"`$\\".contains(c);
    let mut words = Vec::new();
    for word in ruby::flatten(arguments) {
        let ManifestValue::String(word) = &word else { return Err(no_method(&word, "length")) };
        words.push(if !word.is_empty() && word.chars().all(is_safe) {
            word.to_string()
        } else if !word.contains(is_dangerous) {
            format!("\"{word}\"")
        } else if !word.contains('\'') {
            format!("'{word}'")
        } else {
            let escaped = word.chars().flat_map(|c| is_dangerous(c).then_some('\\').into_iter().chain([c]));
            format!("\"{}\"", escaped.collect::<String>())
        });
    }
    Ok(ManifestValue::string(words.join(" ")))
}

/// Returns a version without the dots and zeros at the end of its first part, as Puppet does.
fn without_zeroes(version: &str) -> String {
    let version = version.trim_end_matches('-');
    let (first, rest) = version.split_at_checked(version.find('-').unwrap_or(version.len())).unwrap_or((version, ""));
    format!("{}{rest}", first.trim_end_matches(['.', '0']))
}

fn versioncmp(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let (a, b) = (text(arguments, 0), text(arguments, 1));
    let order = if argument(arguments, 2).is_true() {
        rtype_lang::value::versioncmp(&without_zeroes(a), &without_zeroes(b))
    } else {
        rtype_lang::value::versioncmp(a, b)
    };
    Ok(ManifestValue::Integer(order as i64))
}
