//! The successor of a string by Ruby's `succ`: `az`, `ba`; `a9`, `b0`; `1.9`, `2.0`; `Zz`, `AAa`.

/// Returns the successor of a string; `None` if a character has no successor.
pub(super) fn successor(text: &str) -> Option<String> {
    let mut letters: Vec<char> = text.chars().collect();
    if !letters.iter().any(|c| is_counted(*c)) {
        return after_last(letters);
    }
    // The last letter that wrapped around to the beginning of its alphabet, as `z` to `a`.
    let mut wrapped: Option<usize> = None;
    let mut was_skipped = false;
    for at in (0..letters.len()).rev() {
        let letter = *letters.get(at)?;
        if was_skipped
            && let Some(last) = wrapped.and_then(|at| letters.get(at))
            && (last.is_alphabetic() && letter.is_ascii_digit() || last.is_ascii_digit() && letter.is_alphabetic())
        {
            break;
        }
        was_skipped = !is_counted(letter);
        if was_skipped {
            continue;
        }
        let (next, wraps) = match letter {
            'z' => ('a', true),
            'Z' => ('A', true),
            '9' => ('0', true),
            other => (char::from_u32(u32::from(other) + 1).filter(|c| is_counted(*c))?, false),
        };
        *letters.get_mut(at)? = next;
        if !wraps {
            return Some(letters.into_iter().collect());
        }
        wrapped = Some(at);
    }
    let at = wrapped?;
    let first = if letters.get(at) == Some(&'0') { '1' } else { *letters.get(at)? };
    letters.insert(at, first);
    Some(letters.into_iter().collect())
}

fn is_counted(letter: char) -> bool {
    letter.is_alphanumeric()
}

/// Increments the last character of a string without letters and digits.
fn after_last(mut letters: Vec<char>) -> Option<String> {
    if let Some(last) = letters.last_mut() {
        *last = char::from_u32(u32::from(*last) + 1)?;
    }
    Some(letters.into_iter().collect())
}
