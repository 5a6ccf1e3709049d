//! Functions with regular expressions.

use super::{Block, Evaluated, argument, bridge, ruby, signature, text, typed};
use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::FunctionRow;
use crate::compile::types::Type;
use crate::compile::value::ManifestValue;
use rtype_lang::value::{Flags, Regex, Value as Plain};
use std::sync::Arc;

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
    typed(
        "regsubst",
        &[
            signature(
                "(Variant[Array[String], String] $target, String $pattern, Variant[String, Hash[String, String]] $replacement, \
                 Optional[Pattern[/^[GEIM]*$/]] $flags?, Enum['N', 'E', 'S', 'U'] $encoding?)",
                regsubst,
            ),
            signature(
                "(Variant[Array[String], String] $target, Variant[Regexp, Type[Regexp]] $pattern, \
                 Variant[String, Hash[String, String]] $replacement, Pattern[/^G?$/] $flags?)",
                regsubst,
            ),
        ],
    ),
    typed(
        "split",
        &[
            signature("(String $str, String $pattern)", split),
            signature("(String $str, Regexp $pattern)", split),
            signature("(String $str, Type[Regexp] $pattern)", split),
        ],
    ),
];

/// Compiles a regular expression.
///
/// # Errors
/// Returns Ruby's error for a malformed expression, and refuses what is not supported.
pub fn compile(source: &str, flags: Flags) -> Result<Arc<Regex>, EvaluationFailure> {
    Regex::new(source, Flags { is_ruby: true, ..flags }).map(Arc::new).map_err(|error| match mistake(source) {
        Some(mistake) => {
            let letters = [(flags.dot_all, 'm'), (flags.ignore_case, 'i'), (flags.extended, 'x')];
            let letters: String = letters.iter().filter(|(is_set, _)| *is_set).map(|(_, letter)| letter).collect();
            EvaluationFailure::new(format!("{mistake}: {}{letters}", ruby::inspect_regexp(source)))
        }
        None => EvaluationFailure::unsupported(format!("the regex /{source}/: {error}")),
    })
}

/// Returns Ruby's description of the first mistake in a malformed expression; `None` for mistakes that are not known.
fn mistake(source: &str) -> Option<&'static str> {
    let mut letters = source.chars().peekable();
    let (mut depth, mut is_start) = (0_usize, true);
    while let Some(c) = letters.next() {
        match c {
            '\\' if letters.next().is_none() => return Some("too short escape sequence"),
            '\\' => {}
            '[' => {
                if let Some(found) = bracket_mistake(&mut letters) {
                    return Some(found);
                }
            }
            '(' => {
                depth += 1;
                if letters.peek() == Some(&'?') {
                    letters.next();
                    match letters.next() {
                        None => return Some("end pattern in group"),
                        Some(':' | '=' | '!' | '>' | '<' | '#' | 'i' | 'm' | 'x' | '-' | '~' | '(') => {}
                        Some(_) => return Some("undefined group option"),
                    }
                }
                is_start = true;
                continue;
            }
            ')' => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return Some("unmatched close parenthesis"),
            },
            '|' => {
                is_start = true;
                continue;
            }
            '*' | '+' | '?' if is_start => return Some("target of repeat operator is not specified"),
            _ => {}
        }
        is_start = false;
    }
    (depth > 0).then_some("end pattern with unmatched parenthesis")
}

/// Reads a character class up to its end.
fn bracket_mistake(letters: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<&'static str> {
    let (mut depth, mut is_empty) = (1, true);
    if letters.peek() == Some(&'^') {
        letters.next();
    }
    while depth > 0 {
        match letters.next() {
            None if is_empty => return Some("premature end of char-class"),
            None => return Some("premature end of char-class"),
            Some(']') if is_empty && letters.clone().all(|c| c != ']') => return Some("empty char-class"),
            Some(']') if !is_empty => depth -= 1,
            Some('[') => depth += 1,
            Some('\\') => {
                letters.next();
            }
            Some(_) => {}
        }
        is_empty = false;
    }
    None
}

/// Returns the regex of an argument: a string, a regex or a type `Regexp[/…/]`.
fn pattern(value: &ManifestValue, flags: Flags) -> Result<Arc<Regex>, EvaluationFailure> {
    match value {
        ManifestValue::String(source) => compile(source, flags),
        ManifestValue::Regexp(pattern) => compile(&pattern.source, flags),
        ManifestValue::Type(of) => match &**of {
            Type::Regexp(Some(pattern)) => compile(&pattern.source, flags),
            _ => compile("", flags),
        },
        other => Err(super::type_error(other, "String")),
    }
}

fn regsubst(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let mut flags = Flags::default();
    let mut method = "sub";
    for flag in text(arguments, 3).chars() {
        match flag {
            'G' => method = "gsub",
            'E' => flags.extended = true,
            'I' => flags.ignore_case = true,
            'M' => flags.dot_all = true,
            _ => {}
        }
    }
    let regex = pattern(argument(arguments, 1), flags)?;
    let replacement = bridge::to_plain(argument(arguments, 2)).unwrap_or_default();
    let plain = [Plain::Regex(regex), replacement];
    match argument(arguments, 0) {
        ManifestValue::Array(elements) => {
            let replaced = elements.iter().map(|element| bridge::call(element, method, &plain));
            Ok(ManifestValue::array(replaced.collect::<Result<_, _>>()?))
        }
        target => bridge::call(target, method, &plain),
    }
}

fn split(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let regex = pattern(argument(arguments, 1), Flags::default())?;
    bridge::call(argument(arguments, 0), "split", &[Plain::Regex(regex)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected texts are Ruby's.
    #[test]
    fn mistakes_in_regexes_are_described() {
        let is = |source: &str, expected: &str| {
            assert_eq!(compile(source, Flags::default()).err().map(|failure| failure.text().to_owned()).as_deref(), Some(expected));
        };
        is("(", "end pattern with unmatched parenthesis: /(/");
        is("a/(", "end pattern with unmatched parenthesis: /a\\/(/");
        is(")", "unmatched close parenthesis: /)/");
        is("[a", "premature end of char-class: /[a/");
        is("a|*", "target of repeat operator is not specified: /a|*/");
        is("\\", "too short escape sequence: /\\/");
    }
}
