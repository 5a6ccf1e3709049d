//! Drops errors that only follow from a string with an unclosed interpolation.

use crate::diagnostics::{Code, Diagnostic};
use crate::source::Source;
use std::ops::Range;

/// Keeps one error for a string with an unclosed `#{`. Drops the other errors in the rest of its line, because whether the line continues with text
/// or with code is not known, and errors about brackets that are opened before the string on its line, because their ends would be in that rest.
/// Source without errors is not affected.
pub(super) fn drop_consequences(source: &Source, diagnostics: &mut Vec<Diagnostic>) {
    let mut strings: Vec<UnclosedString> = Vec::new();
    for diagnostic in diagnostics.iter().filter(|d| d.code == Code::Unclosed) {
        let at = diagnostic.span().start;
        if !strings.iter().any(|string| string.rest.contains(&at))
            && let Some(string) = UnclosedString::at(source, at)
        {
            strings.push(string);
        }
    }
    diagnostics.retain(|d| {
        let (at, is_unclosed) = (d.span().start, d.code == Code::Unclosed);
        let string = strings
            .iter()
            .find(|string| string.rest.contains(&at) || string.last_before == Some(at) || is_unclosed && string.before.contains(&at));
        string.is_none_or(|string| is_unclosed && string.error == at)
    });
}

/// A string with an unclosed interpolation.
struct UnclosedString {
    /// The start of the error to keep.
    error: u32,
    /// The line up to the string.
    before: Range<u32>,
    /// The start of the last character before the string, without blanks.
    last_before: Option<u32>,
    /// From the quote of the string to the end of the line with the error.
    rest: Range<u32>,
}

impl UnclosedString {
    /// Returns the string whose error starts at `error`: at its quote, at the `#{`, or at a later quote of the line, because the quotes after an
    /// unclosed interpolation open where they should close.
    fn at(source: &Source, error: u32) -> Option<UnclosedString> {
        let (before, after) = source.text().split_at_checked((error - source.base()) as usize)?;
        if !after.starts_with('"') && !after.starts_with("#{") {
            return None;
        }
        let before = before.rsplit('\n').next().unwrap_or_default();
        let after = after.lines().next().unwrap_or_default();
        let begin = error - before.len() as u32;
        let quote = match before.find("#{") {
            Some(interpolation) => before.get(..interpolation)?.rfind('"').unwrap_or(interpolation),
            None if after.starts_with("#{") => before.rfind('"').unwrap_or(before.len()),
            None if after.contains("#{") => before.len(),
            None => return None,
        };
        let start = begin + quote as u32;
        let last_before = before.get(..quote)?.trim_end().char_indices().next_back().map(|(at, _)| begin + at as u32);
        Some(UnclosedString { error, before: begin..start, last_before, rest: start..error + after.len() as u32 })
    }
}

#[cfg(test)]
mod tests {
    use crate::source::SourceMap;
    use crate::syntax::parse_types;

    fn errors(text: &str) -> Vec<String> {
        let source = SourceMap::new().add("x", text).unwrap();
        parse_types(&source).1.iter().map(|d| format!("{} {} {}", d.code, source.slice(d.span()), d.message)).collect()
    }

    /// Bodies of a block, in which `@` is a string.
    const PLACES: &[&str] = &[
        "@",
        "[@]",
        "[@, 1]",
        "[v, @]",
        "[@, \"b\"]",
        "(v + @)",
        "f(@)",
        "f([@, 1], v)",
        "({k: @})",
        "({k: [@]})",
        "v.map { |x| [x, @] }",
        "fail @ if v",
        "[\n        @,\n        1,\n      ]",
        "f(\n        v,\n        @\n      )",
        "if f(v) { @ }",
        "let x = {k: [@], l: 1}",
        "f(v.map { |x| @ })",
        "[v].map { |x| @ }.join(\",\")",
        "f(\"x\", @, \"y\")",
    ];

    /// Directives of a property, in which `@` is a string.
    const DIRECTIVES: &[&str] = &[
        "newvalues @",
        "newvalues \"x\", @",
        "newvalues @, \"y\"",
        "newvalues \"x\", @, \"y\"",
        "aliasvalue \"x\", @",
        "aliasvalue @, \"y\"",
        "defaultto @",
        "defaultto [\"x\", @]",
        "defaultto [\"x\", @, \"y\"]",
        "defaultto { @ }",
        "desc @",
    ];

    /// Strings with an unclosed interpolation, at the end or before another one.
    const STRINGS: &[&str] = &["\"a#{v", "\"a#{v\"", "\"a#{v.strip", "\"#{v[0]\"", "\"#{f(v)", "\"a#{v} b#{v\"", "\"a#{v} b#{v"];

    /// Checks that each string has one error in each of the places, which `within` puts into a property.
    fn assert_one_error_each(places: &[&str], within: impl Fn(&str) -> String) {
        let mut wrong = Vec::new();
        for (place, string) in places.iter().flat_map(|place| STRINGS.iter().map(move |string| (place, string))) {
            let code = place.replace('@', string);
            let found = errors(&format!("type t {{\n  newparam name\n  newproperty a {{\n{}  }}\n  newproperty b\n}}\n", within(&code)));
            if found.len() != 1 {
                wrong.push(format!("{code}: {found:#?}"));
            }
        }
        assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), places.len() * STRINGS.len(), wrong.join("\n"));
    }

    #[test]
    fn a_string_with_an_unclosed_interpolation_is_one_error() {
        assert_one_error_each(PLACES, |code| format!("    munge {{ |v|\n      {code}\n    }}\n"));
    }

    #[test]
    fn directives_with_an_unclosed_interpolation_are_one_error() {
        assert_one_error_each(DIRECTIVES, |code| format!("    {code}\n"));
    }

    #[test]
    fn nested_strings_and_brackets_in_interpolations_are_no_errors() {
        for place in PLACES {
            for string in [
                r##""a#{v}""##,
                r##""a#{"b"}c""##,
                r##""a#{"b#{"c"}"}""##,
                r##""a#{v == "{" ? "}" : v}""##,
                r##""#{v =~ /["}]/ ? "x" : "y"}""##,
                r##""#{{"k" => "}"}["k"]}""##,
                r##""#{v.map { |x| "<#{x}>" }.join(", ")}""##,
                r##""#{[v, "]"].join("[")}""##,
                r##""\#{v""##,
                r##"'#{v'"##,
                "\"a#{\n  v\n}\"",
                "\"\"\"\n  a #{ \" {\n  \"\"\"",
            ] {
                let code = place.replace('@', string);
                let text = format!("type t {{\n  newparam name\n  newproperty a {{ munge {{ |v| {code} }} }}\n}}\n");
                assert_eq!(errors(&text), Vec::<String>::new(), "{code}");
            }
        }
    }
}
