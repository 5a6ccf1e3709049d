//! Sets of values: kinds, with the possible or impossible strings and symbols.

use super::Kinds;
use crate::value::Value;

/// The possible values of an expression.
#[derive(Clone, Debug)]
pub struct PossibleValues {
    /// The possible kinds.
    pub kinds: Kinds,
    /// The only possible strings and symbols; `None` if any is possible.
    pub only: Option<Vec<Value>>,
    /// Strings that are impossible.
    never: Vec<Value>,
}

impl PossibleValues {
    /// Any value.
    pub const fn any() -> PossibleValues {
        PossibleValues::kinds(Kinds::ANY)
    }

    /// Any value of these kinds.
    pub const fn kinds(kinds: Kinds) -> PossibleValues {
        PossibleValues { kinds, only: None, never: Vec::new() }
    }

    /// Returns `true` if a value of these kinds is possible.
    pub fn may_be(&self, kinds: Kinds) -> bool {
        self.kinds.overlaps(kinds)
    }

    /// Exactly this value.
    pub fn value(value: &Value) -> PossibleValues {
        let value = value.unwrapped();
        let letters = matches!(value, Value::Str(_) | Value::Sym(_));
        PossibleValues { kinds: Kinds::of(value), only: letters.then(|| vec![value.clone()]), never: Vec::new() }
    }

    /// Returns the values possible on either side.
    pub(super) fn or(self, other: PossibleValues) -> PossibleValues {
        if other.kinds == Kinds::NONE {
            return self;
        }
        if self.kinds == Kinds::NONE {
            return other;
        }
        let letters = Kinds::STR.or(Kinds::SYM);
        let kinds = self.kinds.or(other.kinds);
        let (mine, theirs) = (self.may_be(letters), other.may_be(letters));
        let never = match (self.may_be(Kinds::STR), other.may_be(Kinds::STR)) {
            (true, true) => self.never.into_iter().filter(|v| other.never.contains(v)).collect(),
            (false, true) => other.never,
            (_, false) => self.never,
        };
        let only = match (self.only, other.only) {
            (Some(mut a), Some(b)) => {
                a.extend(b);
                Some(a)
            }
            (Some(a), None) if !theirs => Some(a),
            (None, Some(b)) if !mine => Some(b),
            _ => None,
        };
        PossibleValues { kinds, only, never }
    }

    /// Returns the possible values of these kinds.
    pub(super) fn limited(mut self, kinds: Kinds) -> PossibleValues {
        self.kinds = self.kinds.and(kinds);
        if let Some(only) = &mut self.only {
            only.retain(|value| self.kinds.overlaps(Kinds::of(value)));
        }
        self
    }

    /// Returns `true` if a value is possible.
    pub(crate) fn admits(&self, value: &Value) -> bool {
        // Only strings and symbols are listed.
        let is_listed = |only: &Vec<Value>| only.contains(value) || !matches!(value, Value::Str(_) | Value::Sym(_));
        self.may_be(Kinds::of(value)) && !self.never.contains(value) && self.only.as_ref().is_none_or(is_listed)
    }

    /// Returns `true` if no value is possible on both sides.
    pub fn excludes(&self, other: &PossibleValues) -> bool {
        let common = self.kinds.equal_kinds().and(other.kinds.equal_kinds());
        if self.kinds == Kinds::NONE || other.kinds == Kinds::NONE {
            return false;
        }
        if common.without(Kinds::STR.or(Kinds::SYM)) != Kinds::NONE {
            return false;
        }
        match (&self.only, &other.only) {
            _ if common == Kinds::NONE => true,
            (Some(only), _) => !only.iter().any(|v| self.admits(v) && other.admits(v)),
            (None, Some(only)) => !only.iter().any(|v| self.admits(v) && other.admits(v)),
            (None, None) => false,
        }
    }

    /// These strings or symbols, of these kinds.
    pub(super) const fn one_of(kinds: Kinds, only: Vec<Value>) -> PossibleValues {
        PossibleValues { kinds, only: Some(only), never: Vec::new() }
    }

    /// Returns the possible values without these strings.
    pub(super) fn except(mut self, never: Vec<Value>) -> PossibleValues {
        self.never = never;
        self
    }
}
