//! Regexes: `^` and `$` of Ruby are the ends of lines.

use crate::extended::on_one_line;
use rtype_lang::value::Flags;
use rtype_ruby::hir::RegexFlags;

/// Returns the source and the flags of a regex of the language.
pub fn regex(source: &str, flags: RegexFlags) -> (String, Flags) {
    let source = on_one_line(source, flags.extended);
    let has_names = crate::ruby::group_names(&source).next().is_some();
    let (mut out, mut class, mut lines) = (String::new(), 0usize, false);
    let mut letters = source.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('/') => out.push('/'),
                next => {
                    out.push('\\');
                    out.extend(next);
                }
            },
            '[' => {
                class += 1;
                out.push('[');
            }
            ']' => {
                class = class.saturating_sub(1);
                out.push(']');
            }
            '^' | '$' if class == 0 => {
                lines = true;
                out.push(letter);
            }
            '(' if class == 0 => match options(letters.as_str()) {
                // Ruby's `m` means `s` in the language.
                Some(options) => {
                    out.push_str(&format!("(?{}", options.replace('m', "s")));
                    letters = letters.as_str().get(1 + options.len()..).unwrap_or_default().chars();
                }
                // In Ruby, groups without names do not capture in a pattern with named ones.
                None if has_names && !letters.as_str().starts_with('?') => out.push_str("(?:"),
                None => out.push('('),
            },
            '\n' => out.push_str("\\n"),
            other => out.push(other),
        }
    }
    let source = if lines { format!("(?m:{out})") } else { out };
    (source, Flags { ignore_case: flags.ignore_case, dot_all: flags.multi_line, extended: flags.extended, ..Flags::default() })
}

/// Returns the options at the beginning of a group: `mi-x` of `(?mi-x:…)`.
fn options(group: &str) -> Option<&str> {
    let options = group.strip_prefix('?')?.split([':', ')']).next()?;
    options.chars().all(|letter| matches!(letter, 'm' | 'i' | 'x' | '-')).then_some(options)
}
