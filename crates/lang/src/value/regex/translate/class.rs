//! Translates classes: `[a-z&&[^aeiou]]`, `[[:alpha:]]`, `\p{…}`.

use super::{Translator, ascii, push_literal};
use crate::value::regex::BadRegex;

/// The meaning of an escape: a character, or a set of characters.
pub(super) enum Letters {
    One(char),
    Many(String),
}

/// Parses a class after the `[`. Returns the translated class with brackets, and the estimate.
pub(super) fn read(t: &mut Translator<'_>, start: usize, depth: u32) -> Result<(String, u64), BadRegex> {
    if depth > 20 {
        return Err(BadRegex::at("classes nest too deep", start..start + 1));
    }
    let unclosed = || BadRegex::at("this class is not closed", start..start + 1);
    let mut out = String::from("[");
    if t.eat("^") {
        out.push('^');
    }
    let mut cost = 4;
    let mut empty = true;
    // The last character, which may be the start of a range.
    let mut last: Option<char> = None;
    loop {
        let at = t.at;
        let c = t.next().ok_or_else(unclosed)?;
        let letter = match c {
            ']' if !empty => break,
            ']' => {
                // At the start `]` is literal if the class is closed later; `[]` alone is an error.
                if !t.rest().contains(']') {
                    return Err(BadRegex::at("this class is empty", start..t.at));
                }
                Letters::One(']')
            }
            '[' if t.rest().starts_with(':') && t.rest().contains(":]") => {
                out.push_str(&posix(t, at)?);
                (cost, last, empty) = (cost + 400, None, false);
                continue;
            }
            '[' => {
                let (inner, its) = read(t, at, depth + 1)?;
                out.push_str(&inner);
                (cost, last, empty) = (cost + its, None, false);
                continue;
            }
            '&' if t.eat("&") => {
                out.push_str("&&");
                last = None;
                continue;
            }
            '-' if last.is_some() && !t.rest().starts_with(']') && !t.rest().starts_with("&&") => {
                if let Some(first) = last.take() {
                    range(t, &mut out, first, at)?;
                }
                continue;
            }
            '\\' => {
                let Some(c) = t.next() else { return Err(unclosed()) };
                let set = match c {
                    'd' | 'w' | 's' | 'h' => Some(ascii(c).to_owned()),
                    'D' | 'W' | 'S' | 'H' => Some(format!("[^{}]", ascii(c.to_ascii_lowercase()))),
                    'p' | 'P' => Some(property(t, at, c == 'P')?),
                    'R' | 'X' => return Err(BadRegex::at(format!("`\\{c}` has no meaning in a class"), t.from(at))),
                    _ => None,
                };
                if let Some(set) = set {
                    cost += if matches!(c, 'p' | 'P') { 400 } else { 8 };
                    out.push_str(&set);
                    (last, empty) = (None, false);
                    continue;
                }
                if c == 'b' { Letters::One('\x08') } else { octal_or_letter(t, at, c)? }
            }
            c => Letters::One(c),
        };
        empty = false;
        cost += 1;
        match letter {
            Letters::One(c) => {
                push_literal(&mut out, c);
                last = Some(c);
            }
            Letters::Many(all) => {
                all.chars().for_each(|c| push_literal(&mut out, c));
                last = all.chars().last();
            }
        }
    }
    out.push(']');
    Ok((out, cost))
}

/// Parses the end of a range after the `-`.
fn range(t: &mut Translator<'_>, out: &mut String, first: char, dash: usize) -> Result<(), BadRegex> {
    let at = t.at;
    let Some(c) = t.next() else {
        return Err(BadRegex::at("this class is not closed", dash..t.at));
    };
    let end = match c {
        '[' => None,
        '\\' => match t.next() {
            Some('d' | 'w' | 's' | 'h' | 'D' | 'W' | 'S' | 'H' | 'p' | 'P') => None,
            Some('b') => Some('\x08'),
            Some(c) => match octal_or_letter(t, at, c)? {
                Letters::One(c) => Some(c),
                Letters::Many(_) => None,
            },
            None => return Err(BadRegex::at("nothing follows this `\\`", t.from(at))),
        },
        c => Some(c),
    };
    let Some(end) = end else {
        // In `a-\d` the `-` is literal.
        t.at = at;
        out.push_str(r"\-");
        return Ok(());
    };
    if end < first {
        let begin = dash.saturating_sub(first.len_utf8());
        return Err(BadRegex::at(format!("the range `{first}-{end}` runs backwards"), begin..t.at));
    }
    out.push('-');
    push_literal(out, end);
    Ok(())
}

fn octal_or_letter(t: &mut Translator<'_>, start: usize, c: char) -> Result<Letters, BadRegex> {
    if !c.is_digit(8) {
        return letter(t, start, c);
    }
    let more: String = t.rest().chars().take_while(|c| c.is_digit(8)).take(2).collect();
    t.at += more.len();
    let number = u32::from_str_radix(&format!("{c}{more}"), 8).ok().and_then(char::from_u32);
    Ok(Letters::One(number.unwrap_or('\0')))
}

/// Parses the rest of an escape after the backslash and the character `c`.
pub(super) fn letter(t: &mut Translator<'_>, start: usize, c: char) -> Result<Letters, BadRegex> {
    let bad = |t: &Translator<'_>, what: &str| BadRegex::at(what, t.from(start));
    Ok(Letters::One(match c {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'f' => '\x0c',
        'v' => '\x0b',
        'a' => '\x07',
        'e' => '\x1b',
        '0' => {
            let more: String = t.rest().chars().take_while(|c| c.is_digit(8)).take(2).collect();
            t.at += more.len();
            u32::from_str_radix(&format!("0{more}"), 8).ok().and_then(char::from_u32).unwrap_or('\0')
        }
        'x' => {
            let digits: String = t.rest().chars().take_while(char::is_ascii_hexdigit).take(2).collect();
            t.at += digits.len();
            let number = u32::from_str_radix(&digits, 16).map_err(|_| bad(t, "`\\x` needs two hexadecimal digits"))?;
            if number > 0x7f {
                return Err(bad(t, "`\\x` beyond 7f is a byte, not a letter; write `\\u` instead"));
            }
            char::from_u32(number).unwrap_or('\0')
        }
        'u' if t.eat("{") => {
            let body = t.rest().split_once('}').map(|(body, _)| body);
            let Some(body) = body else { return Err(bad(t, "this `\\u{` is not closed")) };
            t.at += body.len() + 1;
            let letters: Option<String> =
                body.split_ascii_whitespace().map(|h| u32::from_str_radix(h, 16).ok().and_then(char::from_u32)).collect();
            return match letters.filter(|l| !l.is_empty()) {
                Some(letters) if letters.chars().nth(1).is_some() => Ok(Letters::Many(letters)),
                Some(letters) => Ok(Letters::One(letters.chars().next().unwrap_or('\0'))),
                None => Err(bad(t, "`\\u{…}` holds hexadecimal numbers of letters")),
            };
        }
        'u' => {
            let digits: String = t.rest().chars().take_while(char::is_ascii_hexdigit).take(4).collect();
            t.at += digits.len();
            let number = u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == 4).and_then(char::from_u32);
            number.ok_or_else(|| bad(t, "`\\u` needs four hexadecimal digits of a letter"))?
        }
        'c' | 'C' | 'M' => return Err(bad(t, "control letters are written `\\x01`")),
        other => other,
    }))
}

/// Parses `[:alpha:]`, a Unicode class as in Ruby.
fn posix(t: &mut Translator<'_>, start: usize) -> Result<String, BadRegex> {
    t.eat(":");
    let negated = t.eat("^");
    let name = t.rest().split_once(":]").map(|(name, _)| name).unwrap_or_default();
    let Some(set) = named_set(&name.to_ascii_lowercase()) else {
        return Err(BadRegex::at(format!("unknown class `[:{name}:]`"), start..t.at + name.len() + 2));
    };
    t.at += name.len() + 2;
    Ok(if negated { format!("[^{set}]") } else { set.to_owned() })
}

fn named_set(name: &str) -> Option<&'static str> {
    Some(match name {
        "alpha" => r"\p{Alphabetic}",
        "digit" => r"\p{Nd}",
        "alnum" => r"\p{Alphabetic}\p{Nd}",
        "upper" => r"\p{Uppercase}",
        "lower" => r"\p{Lowercase}",
        "space" => r"\p{White_Space}",
        "blank" => r"\t\p{Zs}",
        "cntrl" => r"\p{Cc}",
        "punct" => r"\p{P}$+<=>\^`|\~",
        "xdigit" => "0-9A-Fa-f",
        "word" => r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}",
        "graph" => r"[^\p{White_Space}\p{Cc}\p{Cn}]",
        "print" => r"\p{Zs}[^\p{White_Space}\p{Cc}\p{Cn}]",
        "ascii" => r"\x00-\x7F",
        _ => return None,
    })
}

/// Parses `\p{Name}`, `\p{^Name}` or `\P{Name}`; returns the class without brackets.
pub(super) fn property(t: &mut Translator<'_>, start: usize, capital: bool) -> Result<String, BadRegex> {
    if !t.eat("{") {
        return Err(BadRegex::at("a property is written `\\p{Name}`", t.from(start)));
    }
    let negated = t.eat("^") != capital;
    let name = t.rest().split_once('}').map(|(name, _)| name).unwrap_or_default();
    let known = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | ' ' | '-' | '='));
    if !known {
        return Err(BadRegex::at("a property is written `\\p{Name}`", t.from(start)));
    }
    t.at += name.len() + 1;
    Ok(match (named_set(&name.to_ascii_lowercase()), negated) {
        (Some(set), false) => set.to_owned(),
        (Some(set), true) => format!("[^{set}]"),
        (None, false) => format!("\\p{{{name}}}"),
        (None, true) => format!("\\P{{{name}}}"),
    })
}
