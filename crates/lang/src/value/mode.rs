//! File modes: Puppet's `Puppet::Type::File::Mode` and `Puppet::Util::SymbolicFileMode`.

use super::EcoString;
use super::Value;

/// The reason why a value is not a file mode, or cannot be compared with the current mode.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModeError {
    /// The value is a number, which has lost its leading zero.
    #[error("a mode is text, so that its leading zero survives: write it in quotes, such as '0644'")]
    Number,
    /// The value is neither a string nor a number.
    #[error("a mode is a string, not {0}")]
    Kind(&'static str),
    /// The string is neither octal nor symbolic.
    #[error("`{0}` is not a file mode: give it as octal text such as '0644', or symbolically such as 'u=rw,go=r'")]
    Malformed(EcoString),
    /// A symbolic mode changes the current value, which is not a mode.
    #[error("cannot apply the symbolic mode `{wanted}`: the current value `{current}` is not a mode")]
    NoCurrentMode {
        /// The symbolic mode.
        wanted: EcoString,
        /// The current value.
        current: EcoString,
    },
    /// A clause of a symbolic mode has permissions before the first operator.
    #[error("missing `+`, `-` or `=` in `{0}`")]
    MissingOperator(EcoString),
    /// A clause of a symbolic mode removes or sets `X`.
    #[error("`X` works with `+` only, not in `{0}`")]
    ConditionalExecute(EcoString),
    /// A clause of a symbolic mode has an unknown permission.
    #[error("unknown permission `{letter}` in `{clause}`")]
    UnknownPermission {
        /// The letter of the permission.
        letter: char,
        /// The clause.
        clause: EcoString,
    },
}

/// Checks that a value is a file mode. Follows `valid_symbolic_mode?`.
pub fn validate(value: &Value) -> Result<(), ModeError> {
    match value {
        Value::Str(text) if octal(text).is_some() || text.split(',').all(is_clause) => Ok(()),
        Value::Str(text) => Err(ModeError::Malformed(text.clone())),
        Value::Int(_) => Err(ModeError::Number),
        other => Err(ModeError::Kind(other.kind_name())),
    }
}

/// Removes leading zeros from an octal mode; symbolic modes stay unchanged.
pub fn munge(value: Value) -> Value {
    match &value {
        Value::Str(text) => octal(text).map_or(value.clone(), |n| Value::str(format!("{n:o}"))),
        _ => value,
    }
}

/// Formats a mode with four octal digits; symbolic modes stay unchanged. For directories, read permission implies search permission.
pub fn display(stored: &Value, is_directory: bool) -> Value {
    match stored.as_text().and_then(octal) {
        Some(mode) if is_directory => Value::str(format!("{:04o}", mode | ((mode & 0o444) >> 2))),
        Some(mode) => Value::str(format!("{mode:04o}")),
        None => stored.clone(),
    }
}

/// Returns `true` if the current mode is the desired mode; a symbolic mode is first applied to the current mode.
pub fn in_sync(is: &Value, should: &Value, is_directory: bool) -> Result<bool, ModeError> {
    let wanted = desired(is, should, is_directory)?;
    Ok(number(is) == Some(wanted))
}

/// Returns the current mode, and the result of applying a symbolic mode to it; `None` for an octal mode.
pub fn applied(is: &Value, should: &Value, is_directory: bool) -> Option<(Value, Value)> {
    let symbolic = should.as_text().is_some_and(|t| octal(t).is_none());
    let wanted = desired(is, should, is_directory).ok().filter(|_| symbolic)?;
    Some((display(is, false), Value::str(format!("{wanted:04o}"))))
}

/// Returns the mode bits after applying a mode to a file without permissions.
pub fn mode_of(text: &str) -> Option<u32> {
    octal(text).or_else(|| symbolic(text, 0, false).ok())
}

/// Formats a mode for a change message, with at least four digits.
pub fn worded(value: &Value) -> Option<String> {
    match value {
        Value::Str(text) => Some(format!("'{text:0>4}'")),
        _ => None,
    }
}

/// Returns the result of applying a desired mode to the current bits; `None` for an invalid mode. For directories, read permission
/// implies search permission.
pub fn applied_to(wanted: &str, current: u32, is_directory: bool) -> Option<u32> {
    match octal(wanted) {
        Some(mode) if is_directory => Some(mode | ((mode & 0o444) >> 2)),
        Some(mode) => Some(mode),
        None => symbolic(wanted, current, is_directory).ok(),
    }
}

fn desired(is: &Value, should: &Value, is_directory: bool) -> Result<u32, ModeError> {
    let text = should.as_text().unwrap_or_default();
    if let Some(mode) = octal(text) {
        return Ok(mode);
    }
    let current = number(is).ok_or_else(|| ModeError::NoCurrentMode { wanted: text.into(), current: is.to_text() })?;
    symbolic(text, current, is_directory)
}

/// Returns the number for a current mode, which is an integer or a string of octal digits.
fn number(is: &Value) -> Option<u32> {
    match is {
        Value::Int(n) => u32::try_from(*n).ok(),
        other => other.as_text().and_then(octal),
    }
}

/// Parses an octal mode such as `0644`, `644` or `4755`: up to four digits and a leading zero.
fn octal(text: &str) -> Option<u32> {
    let digits = if text.len() > 4 { text.strip_prefix('0').unwrap_or(text) } else { text };
    if text.is_empty() || digits.len() > 4 || !text.bytes().all(|b| (b'0'..=b'7').contains(&b)) {
        return None;
    }
    u32::from_str_radix(digits, 8).ok()
}

/// Returns `true` if this is a clause of a symbolic mode, such as `u=rw`, `+x` or `go-w`.
fn is_clause(clause: &str) -> bool {
    let rest = clause.trim_start_matches(['u', 'g', 'o', 'a']);
    rest.starts_with(['-', '+', '=']) && rest.chars().all(|c| "-=+rstwxXugo".contains(c))
}

/// Returns the bits of `u`, `g` or `o`.
fn class(mode: u32, who: char) -> u32 {
    mode >> shift(who) & 7
}

fn shift(who: char) -> u32 {
    match who {
        'u' => 6,
        'g' => 3,
        _ => 0,
    }
}

/// Applies a symbolic mode such as `u=rwx,go-w` to a mode. Follows `symbolic_mode_to_int`.
fn symbolic(text: &str, original: u32, is_directory: bool) -> Result<u32, ModeError> {
    let mut mode = original;
    for clause in text.split(',').map(str::trim) {
        let actions = clause.trim_start_matches(['u', 'g', 'o', 'a']);
        let named = clause.strip_suffix(actions).unwrap_or_default();
        // References such as `g=u` use the mode before the clause.
        let before = mode;
        for who in ['u', 'g', 'o'] {
            if !(named.is_empty() || named.contains('a') || named.contains(who)) {
                continue;
            }
            let mut bits = class(before, who);
            let mut action = None;
            let apply = |action: Option<char>, to: u32, bits: u32| match action {
                Some('-') => Ok(to & !bits),
                Some(_) => Ok(to | bits),
                None => Err(ModeError::MissingOperator(clause.into())),
            };
            for letter in actions.chars() {
                match letter {
                    '-' | '+' | '=' => {
                        action = Some(letter);
                        bits = if letter == '=' { 0 } else { bits };
                    }
                    'u' | 'g' | 'o' => bits = apply(action, bits, class(before, letter))?,
                    'r' => bits = apply(action, bits, 4)?,
                    'w' => bits = apply(action, bits, 2)?,
                    'x' => bits = apply(action, bits, 1)?,
                    'X' if action != Some('+') => return Err(ModeError::ConditionalExecute(clause.into())),
                    'X' if is_directory || original & 0o111 != 0 => bits |= 1,
                    'X' => {}
                    's' | 't' => {
                        let special = match (letter, who) {
                            ('s', 'u') => 0o4000,
                            ('s', 'g') => 0o2000,
                            _ => 0o1000,
                        };
                        mode = apply(action, mode, special)?;
                    }
                    other => return Err(ModeError::UnknownPermission { letter: other, clause: clause.into() }),
                }
            }
            mode = (mode & !(7 << shift(who))) | (bits << shift(who));
        }
    }
    Ok(mode)
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
            ("a+X", 0o744, 0o755),
            ("=r", 0o777, 0o444),
            ("u=rw", 0o4755, 0o4655),
        ];
        for (text, before, after) in cases {
            assert_eq!(symbolic(text, before, false), Ok(after), "{text}");
        }
        assert!(symbolic("a=rX", 0, false).is_err());
        assert!(validate(&Value::str("u=q")).is_err());
        assert!(validate(&Value::str("")).is_err());
    }

    #[test]
    fn octal_modes_are_compared_by_number() {
        let (four, three) = (Value::str("0644"), Value::str("644"));
        assert_eq!(in_sync(&four, &three, false), Ok(true));
        assert!(validate(&Value::Int(644)).is_err());
        assert!(validate(&Value::str("0888")).is_err());
        assert_eq!(munge(four.clone()), three);
        assert_eq!(display(&three, false), four);
        assert_eq!(display(&three, true), Value::str("0755"));
        assert_eq!(applied(&four, &Value::str("u+x"), false), Some((four, Value::str("0744"))));
    }

    #[test]
    fn a_symbolic_mode_needs_something_to_change() {
        assert!(in_sync(&Value::sym("absent"), &Value::str("u+x"), false).is_err());
        assert_eq!(in_sync(&Value::sym("absent"), &Value::str("0644"), false), Ok(false));
    }
}
