//! Replacement templates: `"\\1-\\k<name>"`.

use super::{Captures, Regex};
use crate::value::EcoString;

/// A parsed replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(EcoString),
    Group(usize),
    Named(String),
    Before,
    Behind,
}

impl Template {
    /// Parses a replacement: `\0` to `\9`, `\&`, `\k<name>`, `` \` ``, `\'` and `\\` are special, any other backslash is literal.
    pub fn new(text: &str) -> Template {
        let mut parts = Vec::new();
        let mut plain = EcoString::new();
        let mut letters = text.chars();
        while let Some(c) = letters.next() {
            if c != '\\' {
                plain.push(c);
                continue;
            }
            let mut after = letters.clone();
            let part = match after.next() {
                Some(d @ '0'..='9') => Part::Group(d.to_digit(10).unwrap_or(0) as usize),
                Some('&') => Part::Group(0),
                Some('`') => Part::Before,
                Some('\'') => Part::Behind,
                Some('\\') => Part::Text("\\".into()),
                Some('k') => match after.as_str().strip_prefix('<').and_then(|rest| rest.split_once('>')) {
                    Some((name, rest)) => {
                        after = rest.chars();
                        Part::Named(name.to_owned())
                    }
                    None => Part::Text("\\k".into()),
                },
                _ => {
                    plain.push('\\');
                    continue;
                }
            };
            letters = after;
            match part {
                Part::Text(text) => plain.push_str(&text),
                part => {
                    if !plain.is_empty() {
                        parts.push(Part::Text(std::mem::take(&mut plain)));
                    }
                    parts.push(part);
                }
            }
        }
        if !plain.is_empty() {
            parts.push(Part::Text(plain));
        }
        Template { parts }
    }

    /// Returns the first reference to a group that the pattern does not have, as written; a string has no groups.
    pub fn missing_group(&self, pattern: Option<&Regex>) -> Option<String> {
        let count = pattern.map_or(0, Regex::group_count);
        self.parts.iter().find_map(|part| match part {
            Part::Group(n) if *n > count => Some(format!("\\{n}")),
            Part::Named(name) => {
                let number = name.parse().ok().or_else(|| pattern.and_then(|regex| regex.group_number(name)));
                number.is_none_or(|n: usize| n > count).then(|| format!("\\k<{name}>"))
            }
            _ => None,
        })
    }

    /// Writes the replacement of a match in `text`; groups that did not match are empty.
    pub fn expand(&self, out: &mut EcoString, text: &str, groups: &Captures, regex: Option<&Regex>) {
        let group = |n: usize| groups.get(n).cloned().flatten().and_then(|r| text.get(r)).unwrap_or_default();
        let whole = groups.first().cloned().flatten().unwrap_or_default();
        for part in &self.parts {
            out.push_str(match part {
                Part::Text(text) => text,
                Part::Group(n) => group(*n),
                Part::Named(name) => match name.parse() {
                    Ok(n) => group(n),
                    Err(_) => regex.and_then(|r| r.group_number(name)).map(group).unwrap_or_default(),
                },
                Part::Before => text.get(..whole.start).unwrap_or_default(),
                Part::Behind => text.get(whole.end..).unwrap_or_default(),
            });
        }
    }
}
