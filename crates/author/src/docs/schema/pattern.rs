//! Converts regexes to the ECMAScript syntax in JSON Schema, with Unicode.

use regex_syntax::hir::{Class, ClassUnicodeRange, Hir, HirKind, Look, Repetition};
use rtype_lang::value::Regex;

/// Converts a pattern to ECMAScript; `None` if it has no equivalent, such as with look-around or backreferences.
pub(super) fn ecma(regex: &Regex) -> Option<String> {
    let mut out = String::new();
    write(&mut out, &regex.syntax()?)?;
    Some(out)
}

/// Returns a case-insensitive pattern for an ASCII string.
pub(super) fn either_case(text: &str) -> String {
    let one =
        |c: char| if c.is_ascii_alphabetic() { format!("[{}{}]", c.to_ascii_uppercase(), c.to_ascii_lowercase()) } else { c.to_string() };
    text.chars().map(one).collect()
}

fn write(out: &mut String, hir: &Hir) -> Option<()> {
    match hir.kind() {
        HirKind::Empty => {}
        HirKind::Literal(literal) => std::str::from_utf8(&literal.0).ok()?.chars().for_each(|c| letter(out, c, false)),
        HirKind::Class(Class::Unicode(class)) => ranges(out, class.ranges())?,
        HirKind::Class(Class::Bytes(class)) => ranges(out, class.to_unicode_class()?.ranges())?,
        HirKind::Look(look) => out.push_str(match look {
            Look::Start => "^",
            Look::End => "$",
            Look::StartLF => r"(?<![^\n])",
            Look::EndLF => r"(?![^\n])",
            Look::WordAscii => r"\b",
            Look::WordAsciiNegate => r"\B",
            // Unicode word boundaries and similar.
            _ => return None,
        }),
        HirKind::Repetition(repetition) => repeat(out, repetition)?,
        HirKind::Capture(capture) => {
            out.push('(');
            write(out, &capture.sub)?;
            out.push(')');
        }
        HirKind::Concat(parts) => parts.iter().try_for_each(|part| match part.kind() {
            HirKind::Alternation(_) => grouped(out, part),
            _ => write(out, part),
        })?,
        HirKind::Alternation(parts) => {
            for (i, part) in parts.iter().enumerate() {
                if i > 0 {
                    out.push('|');
                }
                write(out, part)?;
            }
        }
    }
    Some(())
}

fn grouped(out: &mut String, hir: &Hir) -> Option<()> {
    out.push_str("(?:");
    write(out, hir)?;
    out.push(')');
    Some(())
}

fn repeat(out: &mut String, repetition: &Repetition) -> Option<()> {
    let sub = &repetition.sub;
    let single = match sub.kind() {
        HirKind::Literal(literal) => std::str::from_utf8(&literal.0).is_ok_and(|t| t.chars().count() == 1),
        HirKind::Class(_) | HirKind::Capture(_) => true,
        _ => false,
    };
    if single {
        write(out, sub)?
    } else {
        grouped(out, sub)?
    }
    match (repetition.min, repetition.max) {
        (0, Some(1)) => out.push('?'),
        (0, None) => out.push('*'),
        (1, None) => out.push('+'),
        (min, None) => out.push_str(&format!("{{{min},}}")),
        (min, Some(max)) if min == max => out.push_str(&format!("{{{min}}}")),
        (min, Some(max)) => out.push_str(&format!("{{{min},{max}}}")),
    }
    if !repetition.greedy {
        out.push('?');
    }
    Some(())
}

/// Writes a character class, negated if that is shorter.
fn ranges(out: &mut String, ranges: &[ClassUnicodeRange]) -> Option<()> {
    let inverted = ranges.last().is_some_and(|r| r.end() == char::MAX);
    let all: Vec<(char, char)> = if inverted { gaps(ranges) } else { ranges.iter().map(|r| (r.start(), r.end())).collect() };
    match all.as_slice() {
        [] if inverted => out.push_str(r"[\s\S]"),
        // Matches nothing.
        [] => out.push_str(r"[^\s\S]"),
        // Classes for whole scripts are unreadable, and differ between Unicode versions.
        many if many.len() > 24 => return None,
        [('0', '9')] if !inverted => out.push_str(r"\d"),
        [('0', '9')] => out.push_str(r"\D"),
        all => {
            out.push_str(if inverted { "[^" } else { "[" });
            for (start, end) in all {
                letter(out, *start, true);
                if start != end {
                    if u32::from(*end) - u32::from(*start) > 1 {
                        out.push('-');
                    }
                    letter(out, *end, true);
                }
            }
            out.push(']');
        }
    }
    Some(())
}

/// Returns the gaps before and between the ranges. The last range must extend to the maximum.
fn gaps(ranges: &[ClassUnicodeRange]) -> Vec<(char, char)> {
    let mut found = Vec::new();
    let mut next = Some('\0');
    for range in ranges {
        let before = (0..u32::from(range.start())).rev().find_map(char::from_u32);
        if let (Some(start), Some(end)) = (next, before)
            && start <= end
        {
            found.push((start, end));
        }
        next = (u32::from(range.end()) + 1..=u32::from(char::MAX)).find_map(char::from_u32);
    }
    found
}

/// Writes a literal character.
fn letter(out: &mut String, c: char, in_class: bool) {
    match c {
        '\n' => out.push_str(r"\n"),
        '\r' => out.push_str(r"\r"),
        '\t' => out.push_str(r"\t"),
        '^' | '$' | '\\' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '/' if !in_class => {
            out.push('\\');
            out.push(c);
        }
        '^' | '\\' | ']' | '[' | '-' if in_class => {
            out.push('\\');
            out.push(c);
        }
        c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => out.push_str(&format!("\\u{:04x}", u32::from(c))),
        c => out.push(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtype_lang::value::Flags;

    #[test]
    fn patterns_are_said_in_ecmascript() {
        let none = Flags::default();
        let case = Flags { ignore_case: true, ..none };
        for (source, flags, expected) in [
            (r"\A\d+\z", none, r"^\d+$"),
            (r"^(0|1)$", none, r"^([01])$"),
            (r"\A(present|absent)\z", none, "^(present|absent)$"),
            (r"^on$", case, "^[Oo][Nn]$"),
            (r"a.b", none, r"a[^\n]b"),
            (r"\A[\w.-]+@?\z", none, r"^[\-.0-9A-Z_a-z]+@?$"),
            (r"(?m:^x$)", none, r"(?<![^\n])x(?![^\n])"),
            (r"[^\/]{2,}", none, r"[^/]{2,}"),
            (r"a/b\$", none, r"a\/b\$"),
        ] {
            let regex = Regex::new(source, flags).unwrap();
            assert_eq!(ecma(&regex).as_deref(), Some(expected), "{source}");
        }
        assert_eq!(ecma(&Regex::new(r"(?=a)b", none).unwrap()), None);
        assert_eq!(either_case("a_1"), "[Aa]_1");
    }
}
