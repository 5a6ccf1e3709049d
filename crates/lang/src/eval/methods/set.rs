//! The string methods `tr`, `count`, `delete` and `squeeze`, which take character sets such as `a-z` and `^0-9`.

use super::unfit;
use crate::eval::call::{BuiltinCall, Eval};
use crate::eval::interpreter::Interpreter;
use crate::types::builtin::Method;
use crate::value::{EcoString, Value};

/// A character set.
struct Set {
    negated: bool,
    ranges: Vec<(char, char)>,
}

impl Set {
    fn new(call: &BuiltinCall<'_>, text: &str) -> Eval<Set> {
        let mut letters: Vec<(char, bool)> = Vec::new();
        let negated = text.chars().count() > 1 && text.starts_with('^');
        let mut rest = text.chars().skip(usize::from(negated));
        while let Some(c) = rest.next() {
            match c {
                // `\-`, `\^` and `\\` are literal characters.
                '\\' => letters.push((rest.next().unwrap_or('\\'), false)),
                _ => letters.push((c, c == '-')),
            }
        }
        let mut ranges = Vec::new();
        let mut i = 0;
        while let Some((first, _)) = letters.get(i) {
            match (letters.get(i + 1), letters.get(i + 2)) {
                (Some((_, true)), Some((last, _))) => {
                    if last < first {
                        return Err(call.fail(format!("`{first}-{last}` runs backwards")));
                    }
                    ranges.push((*first, *last));
                    i += 3;
                }
                _ => {
                    ranges.push((*first, *first));
                    i += 1;
                }
            }
        }
        Ok(Set { negated, ranges })
    }

    fn has(&self, c: char) -> bool {
        self.ranges.iter().any(|(a, b)| (*a..=*b).contains(&c)) != self.negated
    }

    /// Returns the index of a character in the set.
    fn place(&self, c: char) -> Option<usize> {
        let mut before = 0;
        for (a, b) in &self.ranges {
            if (*a..=*b).contains(&c) {
                return Some(before + (c as usize - *a as usize));
            }
            before += *b as usize - *a as usize + 1;
        }
        None
    }

    /// Returns the character at an index, or the last character if the index is out of bounds.
    fn letter(&self, place: usize) -> Option<char> {
        let mut place = place;
        for (a, b) in &self.ranges {
            let size = *b as usize - *a as usize + 1;
            if place < size {
                return u32::try_from(*a as usize + place).ok().and_then(char::from_u32);
            }
            place -= size;
        }
        self.ranges.last().map(|(_, b)| *b)
    }
}

pub(super) fn call(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, method: Method, text: &EcoString) -> Eval {
    if method == Method::Tr {
        let (from, to) = (Set::new(call, &call.text(0)?)?, Set::new(call, &call.text(1)?)?);
        it.meter.spend((text.len() as u64).saturating_mul(from.ranges.len() as u64 + to.ranges.len() as u64) / 8, call.span)?;
        return Ok(Value::Str(text.chars().filter_map(|c| tr(&from, &to, c)).collect()));
    }
    let mut sets = Vec::new();
    for i in 0..call.args.len() {
        sets.push(Set::new(call, &call.text(i)?)?);
    }
    let ranges: usize = sets.iter().map(|s| s.ranges.len()).sum();
    it.meter.spend((text.len() as u64).saturating_mul(ranges as u64) / 8, call.span)?;
    let in_all = |c: &char| sets.iter().all(|s| s.has(*c));
    match method {
        Method::Count if sets.is_empty() => Err(call.fail("`count` of a string takes a set of letters")),
        Method::Count => Ok(Value::Int(text.chars().filter(in_all).count() as i64)),
        Method::Delete | Method::DeleteChars => Ok(Value::Str(text.chars().filter(|c| !in_all(c)).collect())),
        Method::Squeeze => {
            let mut last = None;
            let keep = |c: &char| {
                let again = last == Some(*c) && in_all(c);
                last = Some(*c);
                !again
            };
            Ok(Value::Str(text.chars().filter(keep).collect()))
        }
        _ => Err(unfit(call, &Value::Str(text.clone()))),
    }
}

fn tr(from: &Set, to: &Set, c: char) -> Option<char> {
    if !from.has(c) {
        return Some(c);
    }
    // All characters of a negated set are replaced by the last character.
    if from.negated { to.letter(usize::MAX) } else { from.place(c).and_then(|place| to.letter(place)) }
}
