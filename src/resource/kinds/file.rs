//! Owner, group, mode and content of files: Puppet's `Puppet::Type::File::{Owner,Group,Mode,Content}`.

use crate::value::{Value, digest};

/// Follows Puppet's `Puppet::Util::SymbolicFileMode#valid_symbolic_mode?`.
pub(super) fn validate_mode(value: &Value) -> Result<(), String> {
    match value {
        Value::Str(text) if octal(text).is_some() || symbolic(text, 0, false).is_some() => Ok(()),
        Value::Str(text) => {
            Err(format!("`{text}` is no file mode: give it as octal text such as '0644', or symbolically such as 'u=rw,go=r'"))
        }
        Value::Int(n) => Err(format!("a mode is text, so that its leading zero survives: write '{n:04}'")),
        other => Err(format!("a mode is a string, not {}", other.kind_name())),
    }
}

/// Octal modes get four digits, symbolic ones stay.
pub(super) fn munge_mode(value: Value) -> Value {
    match &value {
        Value::Str(text) => octal(text).map_or(value.clone(), |n| Value::str(format!("{n:04o}"))),
        _ => value,
    }
}

/// The mode in numbers: a symbolic one is applied to what is there.
pub(super) fn should_mode(wanted: &Value, is: Option<&Value>) -> Value {
    let Some(text) = wanted.as_text().filter(|t| octal(t).is_none()) else { return wanted.clone() };
    let current = is.and_then(Value::as_text).and_then(octal);
    match current.and_then(|n| symbolic(text, n, false)) {
        Some(mode) => Value::str(format!("{mode:04o}")),
        None => wanted.clone(),
    }
}

pub(super) fn mode_in_sync(is: &Value, should: &Value) -> bool {
    match (is.as_text().and_then(octal), should.as_text().and_then(octal)) {
        (Some(a), Some(b)) => a == b,
        _ => is == should,
    }
}

/// `0644`, `644`, `4755`: up to four octal digits and zeros in front.
fn octal(text: &str) -> Option<u32> {
    let digits = text.trim_start_matches('0');
    if text.is_empty() || digits.len() > 4 || !text.bytes().all(|b| (b'0'..=b'7').contains(&b)) {
        return None;
    }
    if digits.is_empty() { Some(0) } else { u32::from_str_radix(digits, 8).ok() }
}

/// Applies `u=rwx,go-w` and the like to a mode; `None` when it is malformed.
fn symbolic(text: &str, mut mode: u32, directory: bool) -> Option<u32> {
    for clause in text.split(',') {
        let who_end = clause.find(['+', '-', '='])?;
        let (who, mut rest) = clause.split_at_checked(who_end)?;
        if !who.chars().all(|c| "ugoa".contains(c)) {
            return None;
        }
        let classes: Vec<(u32, u32)> = [('u', 6, 0o4000), ('g', 3, 0o2000), ('o', 0, 0o1000)]
            .into_iter()
            .filter(|(c, ..)| who.is_empty() || who.contains('a') || who.contains(*c))
            .map(|(_, shift, special)| (shift, special))
            .collect();
        while !rest.is_empty() {
            let mut letters = rest.chars();
            let operator = letters.next().filter(|c| "+-=".contains(*c))?;
            let after = letters.as_str();
            let end = after.find(['+', '-', '=']).unwrap_or(after.len());
            let (permissions, next) = after.split_at_checked(end)?;
            rest = next;
            for (shift, special) in &classes {
                let mut bits = 0;
                for letter in permissions.chars() {
                    bits |= match letter {
                        'r' => 4 << shift,
                        'w' => 2 << shift,
                        'x' => 1 << shift,
                        'X' if directory || mode & 0o111 != 0 => 1 << shift,
                        'X' => 0,
                        's' if *shift > 0 => *special,
                        't' if *shift == 0 => *special,
                        's' | 't' => 0,
                        'u' => ((mode >> 6) & 7) << shift,
                        'g' => ((mode >> 3) & 7) << shift,
                        'o' => (mode & 7) << shift,
                        _ => return None,
                    };
                }
                match operator {
                    '+' => mode |= bits,
                    '-' => mode &= !bits,
                    _ => mode = (mode & !((7 << shift) | special)) | bits,
                }
            }
        }
    }
    Some(mode)
}

/// A number written as text becomes a number; names stay, so that messages name them.
pub(super) fn munge_id(value: Value, lookup: impl Fn(&str) -> Option<i64>) -> Value {
    let _ = lookup;
    match &value {
        Value::Str(text) => text.parse::<i64>().map_or(value.clone(), Value::Int),
        _ => value,
    }
}

/// Owners are equal when they are the same number, whichever way they are named.
pub(super) fn id_in_sync(is: &Value, should: &Value, lookup: impl Fn(&str) -> Option<i64>) -> bool {
    let number = |v: &Value| match v {
        Value::Int(n) => Some(*n),
        other => other.as_text().and_then(|t| t.parse().ok().or_else(|| lookup(t))),
    };
    match (number(is), number(should)) {
        (Some(a), Some(b)) => a == b,
        _ => is == should || is.to_text() == should.to_text(),
    }
}

/// Follows Puppet's `Puppet::Type::File::Source`: an absolute path or a URI that can be fetched.
pub(super) fn validate_source(value: &Value) -> Result<(), String> {
    let Some(text) = value.as_text() else { return Err(format!("a source is a string, not {}", value.kind_name())) };
    let known = ["puppet:", "file:", "http:", "https:"];
    if text.starts_with('/') || known.iter().any(|scheme| text.starts_with(scheme)) {
        Ok(())
    } else {
        Err(format!("`{text}` is no source: give an absolute path or a URI of {}", known.join(" ")))
    }
}

/// What is read is a checksum such as `{sha256}…`; the wanted text is in sync when its checksum is the same.
pub(super) fn content_in_sync(is: &Value, should: &Value) -> bool {
    if is == should {
        return true;
    }
    match (is.as_text(), should.as_text()) {
        (Some(is), Some(should)) => checksum_like(is, should).is_some_and(|sum| sum == is),
        _ => false,
    }
}

/// The wanted content as a checksum of the kind that the current one has.
pub(super) fn worded_content(value: &Value, is: &Value) -> Option<String> {
    let text = value.as_text()?;
    let sum = is.as_text().and_then(|is| checksum_like(is, text)).or_else(|| checksum_like("{sha256}", text))?;
    Some(format!("'{sum}'"))
}

/// `{algorithm}digest` of `text`, with the algorithm of `like`.
fn checksum_like(like: &str, text: &str) -> Option<String> {
    if text.starts_with('{') && text.split_once('}').is_some_and(|(kind, _)| digest::is_known(kind.trim_start_matches('{'))) {
        return Some(text.to_owned());
    }
    let (kind, _) = like.strip_prefix('{')?.split_once('}')?;
    Some(format!("{{{kind}}}{}", digest::hex(kind, text.as_bytes())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbolic_modes_change_what_is_there() {
        let cases = [
            ("u=rw,go=r", 0o000, 0o644),
            ("a+x", 0o644, 0o755),
            ("go-w", 0o666, 0o644),
            ("u+s", 0o755, 0o4755),
            ("o=t", 0o777, 0o1770),
            ("g=u", 0o740, 0o770),
            ("u+rw-x", 0o100, 0o600),
            ("a+X", 0o644, 0o644),
            ("=r", 0o777, 0o444),
        ];
        for (text, before, after) in cases {
            assert_eq!(symbolic(text, before, false), Some(after), "{text}");
        }
        assert_eq!(symbolic("u=q", 0, false), None);
        assert_eq!(symbolic("", 0, false), None);
    }

    #[test]
    fn octal_modes_are_compared_by_number() {
        assert!(mode_in_sync(&Value::str("0644"), &Value::str("644")));
        assert!(validate_mode(&Value::Int(644)).is_err());
        assert!(validate_mode(&Value::str("0888")).is_err());
        assert_eq!(munge_mode(Value::str("644")), Value::str("0644"));
        assert_eq!(should_mode(&Value::str("u+x"), Some(&Value::str("0644"))), Value::str("0744"));
    }

    #[test]
    fn content_is_compared_by_checksum() {
        let empty = "{sha256}e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert!(content_in_sync(&Value::str(empty), &Value::str("")));
        assert!(!content_in_sync(&Value::str(empty), &Value::str("x")));
    }
}
