//! Binds arguments to parameters.

use super::frame::{Arguments, Frame};
use super::value::RuntimeValue;
use super::{Eval, Flow, Interpreter};
use crate::hir::{LocalId, LocalRef, Params};
use std::rc::Rc;

fn own(local: LocalId) -> LocalRef {
    LocalRef { depth: 0, local }
}

/// Returns true if a method takes keyword arguments.
pub(crate) fn takes_keywords(params: &Params) -> bool {
    !params.keywords.is_empty() || params.keyword_rest.is_some()
}

impl Interpreter<'_> {
    /// Assigns arguments to a body's parameters. Methods and lambdas check the argument count.
    pub(crate) fn bind(&mut self, frame: &Frame, params: &Params, mut given: Arguments, is_strict: bool) -> Eval<()> {
        let mut keywords = std::mem::take(&mut given.keywords);
        if !takes_keywords(params) && !keywords.is_empty() {
            if params.no_keywords {
                return self.raise("ArgumentError", "no keywords accepted");
            }
            let hash = self.new_hash(std::mem::take(&mut keywords))?;
            given.positional.push(hash);
        }
        let mut items = given.positional;
        if !is_strict {
            items = self.spread_single(params, items)?;
        }
        let required = params.required.len() + params.post.len();
        let max = if params.rest.is_some() { usize::MAX } else { required + params.optional.len() };
        if is_strict && (items.len() < required || items.len() > max) {
            let missing: Vec<&str> = params.keywords.iter().filter(|k| k.default.is_none()).map(|k| &*k.name).collect();
            if !missing.is_empty() && keywords.is_empty() {
                return self.arity_with_keywords(items.len(), required, max, &missing);
            }
            return self.wrong_arity(items.len(), required, max);
        }
        self.bind_positional(frame, params, items)?;
        self.bind_keywords(frame, params, keywords)?;
        if let Some(local) = params.block {
            let block = given.block.map_or(RuntimeValue::Nil, RuntimeValue::Proc);
            self.set_local(frame, own(local), block)?;
        }
        Ok(())
    }

    fn arity_with_keywords<T>(&mut self, given: usize, min: usize, max: usize, missing: &[&str]) -> Eval<T> {
        let expected = match max {
            usize::MAX => format!("{min}+"),
            max if max == min => min.to_string(),
            max => format!("{min}..{max}"),
        };
        let plural = if missing.len() > 1 { "keywords" } else { "keyword" };
        let message = format!("wrong number of arguments (given {given}, expected {expected}; required {plural}: {})", missing.join(", "));
        self.raise("ArgumentError", message)
    }

    /// A block with several parameters takes a single list's elements.
    fn spread_single(&mut self, params: &Params, items: Vec<RuntimeValue>) -> Eval<Vec<RuntimeValue>> {
        let count = params.required.len() + params.optional.len() + params.post.len();
        let takes_several = count > 1 || (count > 0 && params.rest.is_some()) || params.excess_comma;
        match items.as_slice() {
            [RuntimeValue::Array(list)] if takes_several => self.items(list),
            [RuntimeValue::Unknown(why)] if takes_several => {
                let unknown = RuntimeValue::Unknown(Rc::clone(why));
                Ok(vec![unknown; count])
            }
            [object @ RuntimeValue::Object(_)] if takes_several && self.responds(object, "to_ary") => self.destructured(object),
            _ => Ok(items),
        }
    }

    fn bind_positional(&mut self, frame: &Frame, params: &Params, items: Vec<RuntimeValue>) -> Eval<()> {
        let (before, after) = (params.required.len(), params.post.len());
        let spare = items.len().saturating_sub(before + after);
        let optional = spare.min(params.optional.len());
        let mut next = items.into_iter();
        for target in &params.required {
            let value = next.next().unwrap_or_default();
            self.assign(frame, target, value)?;
        }
        let mut defaults = Vec::new();
        for (at, (local, default)) in params.optional.iter().enumerate() {
            if at < optional {
                let value = next.next().unwrap_or_default();
                self.set_local(frame, own(*local), value)?;
            } else {
                defaults.push((*local, *default));
            }
        }
        for (local, default) in defaults {
            let value = self.eval(frame, default)?;
            self.set_local(frame, own(local), value)?;
        }
        let rest: Vec<RuntimeValue> = (0..spare - optional).map(|_| next.next().unwrap_or_default()).collect();
        if let Some(local) = params.rest {
            let list = self.new_array(rest)?;
            self.set_local(frame, own(local), list)?;
        }
        for target in &params.post {
            let value = next.next().unwrap_or_default();
            self.assign(frame, target, value)?;
        }
        Ok(())
    }

    fn bind_keywords(&mut self, frame: &Frame, params: &Params, mut keywords: Vec<(RuntimeValue, RuntimeValue)>) -> Eval<()> {
        if !takes_keywords(params) {
            return Ok(());
        }
        let mut missing = Vec::new();
        for keyword in &params.keywords {
            // With several equal keys, the last key is used.
            let is_name = |key: &RuntimeValue| matches!(key, RuntimeValue::Sym(name) if *name == keyword.name);
            let found = keywords.iter().rposition(|(key, _)| is_name(key)).and_then(|at| keywords.get(at)).map(|(_, value)| value.clone());
            keywords.retain(|(key, _)| !is_name(key));
            let value = match (found, keyword.default) {
                (Some(value), _) => value,
                (None, Some(default)) => self.eval(frame, default)?,
                (None, None) => {
                    missing.push(format!(":{}", keyword.name));
                    continue;
                }
            };
            self.set_local(frame, own(keyword.local), value)?;
        }
        if !missing.is_empty() {
            let plural = if missing.len() > 1 { "keywords" } else { "keyword" };
            return self.raise("ArgumentError", format!("missing {plural}: {}", missing.join(", ")));
        }
        if let Some(rest) = params.keyword_rest {
            let hash = self.new_hash(keywords)?;
            return self.set_local(frame, own(rest), hash);
        }
        if !keywords.is_empty() {
            let mut names = Vec::new();
            for (key, _) in &keywords {
                if let RuntimeValue::Unknown(why) = key {
                    return Err(Flow::Unknown(Rc::clone(why)));
                }
                names.push(self.inspect(key)?);
            }
            let plural = if names.len() > 1 { "keywords" } else { "keyword" };
            return self.raise("ArgumentError", format!("unknown {plural}: {}", names.join(", ")));
        }
        Ok(())
    }
}
