//! Patterns of `case … in`.

use super::frame::{Arguments, Frame};
use super::value::{RuntimeValue, UnknownReason, UnknownValue};
use super::{Eval, Flow, Interpreter};
use crate::hir::{ArrayPattern, CaseIn, CasePattern, ExprId, HashPattern, InArm, LocalRef};
use std::rc::Rc;

impl Interpreter<'_> {
    pub(crate) fn case_in(&mut self, frame: &Frame, case: &CaseIn) -> Eval {
        let subject = self.eval(frame, case.subject)?;
        if case.arms.len() == 1 && case.otherwise.is_none() {
            let arm = case.arms.first();
            let Some(arm) = arm else { return self.single_pattern_error(None) };
            let fits = self.fits_arm(frame, &subject, arm);
            return match self.as_value(fits)?.truth() {
                Ok(true) => self.eval(frame, arm.body),
                Ok(false) => self.single_pattern_error(Some(&arm.pattern)),
                Err(why) => {
                    self.fork(&why, &mut [&mut |run| run.eval(frame, arm.body), &mut |run| run.single_pattern_error(Some(&arm.pattern))])
                }
            };
        }
        self.in_arms(frame, &subject, &case.arms, case.otherwise)
    }

    fn in_arms(&mut self, frame: &Frame, subject: &RuntimeValue, arms: &[InArm], otherwise: Option<ExprId>) -> Eval {
        let Some((arm, rest)) = arms.split_first() else {
            return match otherwise {
                Some(otherwise) => self.eval(frame, otherwise),
                None => self.no_match(subject),
            };
        };
        let fits = self.fits_arm(frame, subject, arm);
        match self.as_value(fits)?.truth() {
            Ok(true) => self.eval(frame, arm.body),
            Ok(false) => self.in_arms(frame, subject, rest, otherwise),
            Err(why) => {
                self.fork(&why, &mut [&mut |run| run.eval(frame, arm.body), &mut |run| run.in_arms(frame, subject, rest, otherwise)])
            }
        }
    }

    fn fits_arm(&mut self, frame: &Frame, subject: &RuntimeValue, arm: &InArm) -> Eval {
        if !self.fits(frame, &arm.pattern, subject)? {
            return Ok(RuntimeValue::Bool(false));
        }
        match arm.guard {
            Some(guard) => {
                let value = self.eval(frame, guard)?;
                value.truth().map(RuntimeValue::Bool).map_err(Flow::Unknown)
            }
            None => Ok(RuntimeValue::Bool(true)),
        }
    }

    fn no_match(&mut self, subject: &RuntimeValue) -> Eval {
        let shown = self.inspect(subject)?;
        self.raise("NoMatchingPatternError", shown)
    }

    /// Raises the error for a single pattern. Ruby's message explains why the value does not match; that explanation is unknown here.
    fn single_pattern_error(&mut self, pattern: Option<&CasePattern>) -> Eval {
        let reason = UnknownReason::Other("the message of this error is not supported".into());
        let why = RuntimeValue::Unknown(Rc::new(UnknownValue { reason, origin: self.site, options: Vec::new() }));
        if pattern.is_some_and(has_keys) {
            // A missing key has a separate error class.
            return Err(Flow::Raise(why));
        }
        let error = self.raise::<()>("NoMatchingPatternError", "");
        if let Err(Flow::Raise(RuntimeValue::Object(object))) = &error {
            object.variables.content.borrow_mut().insert(super::errors::MESSAGE.into(), why);
        }
        error.map(|()| RuntimeValue::Nil)
    }

    pub(crate) fn match_pattern(&mut self, frame: &Frame, value: ExprId, pattern: &CasePattern, required: bool) -> Eval {
        let value = self.eval(frame, value)?;
        let fits = self.fits(frame, pattern, &value)?;
        match (fits, required) {
            (fits, false) => Ok(RuntimeValue::Bool(fits)),
            (true, true) => Ok(RuntimeValue::Nil),
            (false, true) => self.single_pattern_error(Some(pattern)),
        }
    }

    fn bind_name(&mut self, frame: &Frame, local: Option<LocalRef>, value: RuntimeValue) -> Eval<()> {
        local.map_or(Ok(()), |local| self.set_local(frame, local, value))
    }

    /// Returns true if a value matches. If the result is unknown, the pattern's names are also unknown.
    fn fits(&mut self, frame: &Frame, pattern: &CasePattern, value: &RuntimeValue) -> Eval<bool> {
        let result = self.matches(frame, pattern, value);
        if let Err(Flow::Unknown(why)) = &result {
            let mut names = Vec::new();
            bound_names(pattern, &mut names);
            for local in names {
                self.set_local(frame, local, RuntimeValue::Unknown(Rc::clone(why)))?;
            }
        }
        result
    }

    /// Returns true if a value matches, and assigns the pattern's names.
    fn matches(&mut self, frame: &Frame, pattern: &CasePattern, value: &RuntimeValue) -> Eval<bool> {
        if let (RuntimeValue::Unknown(why), false) = (value, matches!(pattern, CasePattern::Bind(_))) {
            return Err(Flow::Unknown(Rc::clone(why)));
        }
        self.spend(1)?;
        match pattern {
            CasePattern::Value(expected) => {
                let expected = self.eval(frame, *expected)?;
                self.case_equal(frame, &expected, value)?.truth().map_err(Flow::Unknown)
            }
            CasePattern::Bind(local) => {
                self.set_local(frame, *local, value.clone())?;
                Ok(true)
            }
            CasePattern::Capture(inner, local) => {
                let fits = self.matches(frame, inner, value)?;
                if fits {
                    self.set_local(frame, *local, value.clone())?;
                }
                Ok(fits)
            }
            CasePattern::Alternatives(all) => {
                for one in all {
                    if self.matches(frame, one, value)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            CasePattern::Array(array) => self.matches_array(frame, array, value),
            CasePattern::Find(find) => self.matches_find(frame, find, value),
            CasePattern::Hash(hash) => self.matches_hash(frame, hash, value),
            CasePattern::Unsupported => self.unknown_because("this pattern is not supported"),
        }
    }

    fn is_of(&mut self, frame: &Frame, constant: Option<ExprId>, value: &RuntimeValue) -> Eval<bool> {
        let Some(constant) = constant else { return Ok(true) };
        let constant = self.eval(frame, constant)?;
        self.case_equal(frame, &constant, value)?.truth().map_err(Flow::Unknown)
    }

    fn deconstructed(&mut self, value: &RuntimeValue) -> Eval<Option<Vec<RuntimeValue>>> {
        match value {
            RuntimeValue::Array(list) => self.items(list).map(Some),
            RuntimeValue::Object(_) if self.responds(value, "deconstruct") => {
                let list = self.send(value, "deconstruct", Arguments::default())?;
                self.splatted(&list).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn matches_array(&mut self, frame: &Frame, array: &ArrayPattern, value: &RuntimeValue) -> Eval<bool> {
        if !self.is_of(frame, array.constant, value)? {
            return Ok(false);
        }
        let Some(items) = self.deconstructed(value)? else { return Ok(false) };
        let fixed = array.before.len() + array.after.len();
        let fits = if array.rest.is_some() { items.len() >= fixed } else { items.len() == fixed };
        if !fits {
            return Ok(false);
        }
        for (pattern, item) in array.before.iter().zip(&items) {
            if !self.matches(frame, pattern, item)? {
                return Ok(false);
            }
        }
        let rest_end = items.len() - array.after.len();
        if let Some(rest) = array.rest {
            let middle = items.get(array.before.len()..rest_end).unwrap_or_default().to_vec();
            let middle = self.new_array(middle)?;
            self.bind_name(frame, rest, middle)?;
        }
        for (pattern, item) in array.after.iter().zip(items.iter().skip(rest_end)) {
            if !self.matches(frame, pattern, item)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn matches_find(&mut self, frame: &Frame, find: &ArrayPattern, value: &RuntimeValue) -> Eval<bool> {
        if !self.is_of(frame, find.constant, value)? {
            return Ok(false);
        }
        let Some(items) = self.deconstructed(value)? else { return Ok(false) };
        let length = find.before.len();
        for (start, window) in items.windows(length.max(1)).enumerate() {
            let mut fits = true;
            for (pattern, item) in find.before.iter().zip(window) {
                fits = fits && self.matches(frame, pattern, item)?;
            }
            if fits {
                let first = self.new_array(items.get(..start).unwrap_or_default().to_vec())?;
                self.bind_name(frame, find.rest.flatten(), first)?;
                let last = self.new_array(items.get(start + length..).unwrap_or_default().to_vec())?;
                self.bind_name(frame, find.last_rest, last)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn matches_hash(&mut self, frame: &Frame, pattern: &HashPattern, value: &RuntimeValue) -> Eval<bool> {
        if !self.is_of(frame, pattern.constant, value)? {
            return Ok(false);
        }
        let pairs = match value {
            RuntimeValue::Hash(hash) => self.hash_pairs(hash)?,
            RuntimeValue::Object(_) if self.responds(value, "deconstruct_keys") => {
                let names = pattern.entries.iter().map(|(name, _)| RuntimeValue::Sym(name.clone())).collect();
                let names = if pattern.rest.is_some() { RuntimeValue::Nil } else { self.new_array(names)? };
                match self.send(value, "deconstruct_keys", Arguments::of(vec![names]))? {
                    RuntimeValue::Hash(hash) => self.hash_pairs(&hash)?,
                    RuntimeValue::Unknown(why) => return Err(Flow::Unknown(why)),
                    _ => return self.raise("TypeError", "deconstruct_keys must return Hash"),
                }
            }
            _ => return Ok(false),
        };
        let mut rest = pairs;
        for (name, inner) in &pattern.entries {
            let at = rest.iter().position(|(key, _)| matches!(key, RuntimeValue::Sym(key) if key == name));
            let Some(at) = at else { return Ok(false) };
            let (_, item) = rest.remove(at);
            if !self.matches(frame, inner, &item)? {
                return Ok(false);
            }
        }
        if pattern.is_exact && !rest.is_empty() {
            return Ok(false);
        }
        if let Some(local) = pattern.rest {
            let rest = self.new_hash(rest)?;
            self.set_local(frame, local, rest)?;
        }
        Ok(true)
    }
}

/// Collects the variables assigned by a pattern.
fn bound_names(pattern: &CasePattern, names: &mut Vec<LocalRef>) {
    match pattern {
        CasePattern::Bind(local) => names.push(*local),
        CasePattern::Capture(inner, local) => {
            names.push(*local);
            bound_names(inner, names);
        }
        CasePattern::Alternatives(all) => all.iter().for_each(|one| bound_names(one, names)),
        CasePattern::Array(list) | CasePattern::Find(list) => {
            names.extend(list.rest.flatten());
            names.extend(list.last_rest);
            list.before.iter().chain(&list.after).for_each(|one| bound_names(one, names));
        }
        CasePattern::Hash(hash) => {
            names.extend(hash.rest);
            hash.entries.iter().for_each(|(_, one)| bound_names(one, names));
        }
        CasePattern::Value(_) | CasePattern::Unsupported => {}
    }
}

/// Returns true if a pattern contains a hash pattern.
fn has_keys(pattern: &CasePattern) -> bool {
    match pattern {
        CasePattern::Hash(_) => true,
        CasePattern::Capture(inner, _) => has_keys(inner),
        CasePattern::Alternatives(all) => all.iter().any(has_keys),
        CasePattern::Array(list) | CasePattern::Find(list) => list.before.iter().chain(&list.after).any(has_keys),
        CasePattern::Value(_) | CasePattern::Bind(_) | CasePattern::Unsupported => false,
    }
}
