//! Regexes: `^` and `$` of Ruby are the ends of lines.

use crate::extended::on_one_line;
use rtype_lang::value::Flags;
use rtype_ruby::hir::RegexFlags;

/// Returns the source and the flags of a regex of the language.
pub fn regex(source: &str, flags: RegexFlags) -> (String, Flags) {
    let source = on_one_line(source, flags.extended);
    let has_names = crate::ruby::group_names(&source).next().is_some();
    let (mut out, mut class, mut lines) = (String::new(), 0usize, false);
    let mut letters = source.chars().peekable();
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
            // In Ruby, groups without names do not capture in a pattern with named ones.
            '(' if class == 0 && has_names && letters.peek() != Some(&'?') => out.push_str("(?:"),
            '\n' => out.push_str("\\n"),
            other => out.push(other),
        }
    }
    let source = if lines { format!("(?m:{out})") } else { out };
    (source, Flags { ignore_case: flags.ignore_case, dot_all: flags.multi_line, extended: flags.extended, ..Flags::default() })
}
