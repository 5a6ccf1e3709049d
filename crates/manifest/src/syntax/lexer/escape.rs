//! Escapes in strings and heredocs.

use ecow::EcoString;

/// The escapes that a string or heredoc replaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Escapes(u16);

impl Escapes {
    pub const BACKSLASH: Escapes = Escapes(1);
    pub const NEWLINE: Escapes = Escapes(2);
    pub const DOLLAR: Escapes = Escapes(4);
    pub const UNICODE: Escapes = Escapes(8);
    const CONTROL: u16 = 16;
    pub const DOUBLE: Escapes = Escapes(0x3ff);

    pub fn with(self, other: Escapes) -> Escapes {
        Escapes(self.0 | other.0)
    }

    pub fn has(self, other: Escapes) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the escape with this letter: `t`, `r`, `n`, `s`, `u`, `L` or `$`.
    pub fn named(letter: char) -> Option<Escapes> {
        Some(match letter {
            't' => Escapes(Self::CONTROL),
            'r' => Escapes(Self::CONTROL << 1),
            'n' => Escapes(Self::CONTROL << 2),
            's' => Escapes(Self::CONTROL << 3),
            'u' => Self::UNICODE,
            'L' => Self::NEWLINE,
            '$' => Self::DOLLAR,
            _ => return None,
        })
    }
}

/// Removes the margin of a heredoc from each line after the first. Callers remove it from the first line.
pub(super) fn without_margin(raw: &str, margin: &str) -> EcoString {
    if margin.is_empty() || !raw.contains('\n') {
        return raw.into();
    }
    let mut text = EcoString::with_capacity(raw.len());
    for (number, line) in raw.split_inclusive('\n').enumerate() {
        text.push_str(if number == 0 { line } else { line.strip_prefix(margin).unwrap_or(line) });
    }
    text
}

/// Replaces `\\` and `\'`, the escapes of single-quoted strings. Returns `None` if there are none.
pub(super) fn unescape_single(raw: &str) -> Option<EcoString> {
    if !raw.contains('\\') {
        return None;
    }
    let mut text = EcoString::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    while let Some(c) = chars.next() {
        match chars.peek() {
            Some(next @ ('\\' | '\'')) if c == '\\' => {
                text.push(*next);
                chars.next();
            }
            _ => text.push(c),
        }
    }
    Some(text)
}

/// Replaces escapes. Calls `unknown` with the offset of each unknown escape, and keeps it. `None` without backslashes.
pub(super) fn unescape(raw: &str, escapes: Escapes, mut unknown: impl FnMut(usize, char)) -> Option<EcoString> {
    if !raw.contains('\\') {
        return None;
    }
    let mut text = EcoString::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        let (before, tail) = rest.split_at(at);
        text.push_str(before);
        let after = tail.get(1..).unwrap_or_default();
        let (replacement, length) = match escape(after, escapes) {
            Some(found) => found,
            None => {
                if let Some(c) = after.chars().next().filter(|c| !matches!(c, '\n' | '\r')) {
                    unknown(raw.len() - tail.len(), c);
                    text.push('\\');
                    (Some(c), c.len_utf8())
                } else {
                    (Some('\\'), 0)
                }
            }
        };
        text.extend(replacement);
        rest = after.get(length..).unwrap_or_default();
    }
    text.push_str(rest);
    Some(text)
}

/// Returns the character of an escape and the number of bytes after the backslash.
fn escape(after: &str, escapes: Escapes) -> Option<(Option<char>, usize)> {
    let is = |letter: char| Escapes::named(letter).is_some_and(|e| escapes.has(e));
    match after.chars().next()? {
        '\\' if escapes.has(Escapes::BACKSLASH) => Some((Some('\\'), 1)),
        quote @ ('"' | '\'') if escapes == Escapes::DOUBLE => Some((Some(quote), 1)),
        '$' if is('$') => Some((Some('$'), 1)),
        't' if is('t') => Some((Some('\t'), 1)),
        'r' if is('r') => Some((Some('\r'), 1)),
        'n' if is('n') => Some((Some('\n'), 1)),
        's' if is('s') => Some((Some(' '), 1)),
        'u' if is('u') => unicode(after),
        '\n' if is('L') => Some((None, 1)),
        '\r' if is('L') && after.starts_with("\r\n") => Some((None, 2)),
        _ => None,
    }
}

/// Reads `uXXXX` or `u{X…}`.
fn unicode(after: &str) -> Option<(Option<char>, usize)> {
    let (digits, length) = match after.strip_prefix("u{") {
        Some(rest) => {
            let digits = rest.get(..rest.find('}')?)?;
            (digits, digits.len() + 3)
        }
        None => (after.get(1..5)?, 5),
    };
    if digits.is_empty() || digits.len() > 6 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    char::from_u32(u32::from_str_radix(digits, 16).ok()?).map(|c| (Some(c), length))
}
