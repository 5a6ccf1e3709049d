//! Methods of hashes.

use super::value::{CallArguments, HashObject, Proc, RubyValue};
use super::{Eval, Evaluator, RubyFrame};
use ruby_prism::Node;
use std::rc::Rc;

impl<'w> Evaluator<'_, 'w> {
    pub(super) fn hash_call(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        hash: &Rc<HashObject<'w>>,
        method: &str,
        given: &CallArguments<'w>,
    ) -> Option<Eval<'w>> {
        let first = given.plain.first();
        let of = || RubyValue::Hash(Rc::clone(hash));
        let pairs = || hash.pairs.borrow().clone();
        if let Some(block) = given.block.clone() {
            return self.hash_block(frame, node, hash, method, given, &block);
        }
        Some(Ok(match (method, first) {
            ("[]", Some(key)) => {
                if let RubyValue::Unknown(why) = key {
                    return Some(Ok(RubyValue::Unknown(Rc::clone(why))));
                }
                match hash.get(key) {
                    Some(value) => value,
                    None => match &hash.default_block {
                        Some(block) => {
                            let block = Rc::clone(block);
                            return Some(self.call(&block, CallArguments::of(vec![of(), key.clone()])));
                        }
                        None => hash.default.borrow().clone(),
                    },
                }
            }
            ("[]=" | "store", Some(key)) => {
                let value = given.plain.get(1).cloned().unwrap_or(RubyValue::Nil);
                hash.insert(key.clone(), value.clone());
                if let Some(why) = self.doubtful() {
                    hash.insert(RubyValue::Unknown(Rc::clone(&why)), RubyValue::Unknown(why));
                }
                value
            }
            ("fetch", Some(key)) => match hash.get(key).or_else(|| given.plain.get(1).cloned()) {
                Some(value) => value,
                None => return Some(self.raise("KeyError", "key not found")),
            },
            ("dig", Some(_)) => return Some(self.dig(frame, node, of(), &given.plain)),
            ("key?" | "has_key?" | "include?" | "member?", Some(key)) => {
                let found = hash.get(key).is_some();
                match pairs().iter().find_map(|(k, _)| k.unknown().cloned()) {
                    Some(why) if !found => RubyValue::Unknown(why),
                    _ => RubyValue::Bool(found),
                }
            }
            ("value?" | "has_value?", Some(one)) => RubyValue::Bool(pairs().iter().any(|(_, v)| v.equal(one) == Some(true))),
            ("key", Some(one)) => pairs().into_iter().find(|(_, v)| v.equal(one) == Some(true)).map_or(RubyValue::Nil, |(k, _)| k),
            ("keys", None) => RubyValue::array(pairs().into_iter().map(|(k, _)| k).collect()),
            ("values", None) => RubyValue::array(pairs().into_iter().map(|(_, v)| v).collect()),
            ("values_at", _) => RubyValue::array(given.plain.iter().map(|k| hash.get(k).unwrap_or(RubyValue::Nil)).collect()),
            ("length" | "size" | "count", None) => RubyValue::int(pairs().len()),
            ("empty?", None) => RubyValue::Bool(pairs().is_empty()),
            ("any?", None) => RubyValue::Bool(!pairs().is_empty()),
            ("to_h" | "to_hash", None) => of(),
            ("to_a" | "sort", None) => {
                let list = RubyValue::array(self.items_of(&of())?);
                return if method == "to_a" { Some(Ok(list)) } else { self.core(frame, node, &list, "sort", given) };
            }
            ("invert", None) => RubyValue::hash(pairs().into_iter().map(|(k, v)| (v, k)).collect()),
            ("compact", None) => RubyValue::hash(pairs().into_iter().filter(|(_, v)| !v.is_nil()).collect()),
            ("merge" | "merge!" | "update", _) => {
                let target = if method == "merge" { of().copied() } else { of() };
                let RubyValue::Hash(into) = &target else { return None };
                for other in given.all() {
                    match other {
                        RubyValue::Hash(other) => {
                            for (key, value) in other.pairs.borrow().clone() {
                                into.insert(key, value);
                            }
                        }
                        RubyValue::Unknown(why) => into.insert(RubyValue::Unknown(Rc::clone(&why)), RubyValue::Unknown(why)),
                        _ => {}
                    }
                }
                target
            }
            ("delete", Some(key)) => hash.remove(key).unwrap_or(RubyValue::Nil),
            ("clear", None) => {
                hash.pairs.borrow_mut().clear();
                of()
            }
            ("slice", _) => RubyValue::hash(pairs().into_iter().filter(|(k, _)| given.plain.iter().any(|g| g.same_key(k))).collect()),
            ("except", _) => RubyValue::hash(pairs().into_iter().filter(|(k, _)| !given.plain.iter().any(|g| g.same_key(k))).collect()),
            ("first", None) => pairs().into_iter().next().map_or(RubyValue::Nil, |(k, v)| RubyValue::array(vec![k, v])),
            ("default=", Some(value)) => {
                *hash.default.borrow_mut() = value.clone();
                value.clone()
            }
            ("each" | "map" | "each_pair", None) => of(),
            ("each_with_index", None) => {
                let pairs: Vec<RubyValue<'w>> = pairs().into_iter().map(|(k, v)| RubyValue::array(vec![k, v])).collect();
                super::collections::numbered(&pairs)
            }
            _ => return None,
        }))
    }

    fn hash_block(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        hash: &Rc<HashObject<'w>>,
        method: &str,
        given: &CallArguments<'w>,
        block: &Rc<Proc<'w>>,
    ) -> Option<Eval<'w>> {
        let pairs = hash.pairs.borrow().clone();
        let of = || RubyValue::Hash(Rc::clone(hash));
        let pair = |k: &RubyValue<'w>, v: &RubyValue<'w>| CallArguments::of(vec![k.clone(), v.clone()]);
        let run = || -> Eval<'w, Option<RubyValue<'w>>> {
            Ok(Some(match method {
                "each_key" | "each_value" => {
                    for (key, value) in pairs {
                        self.call(block, CallArguments::of(vec![if method == "each_key" { key } else { value }]))?;
                    }
                    of()
                }
                "select" | "filter" | "reject" | "select!" | "reject!" | "delete_if" | "keep_if" | "filter!" => {
                    let wants = !matches!(method, "reject" | "reject!" | "delete_if");
                    let mut out = Vec::new();
                    for (key, value) in pairs {
                        match self.call(block, pair(&key, &value))?.is_true() {
                            Some(is) if is == wants => out.push((key, value)),
                            Some(_) => {}
                            None => out.push((key, self.unknown(frame, node, "which items are kept is not known"))),
                        }
                    }
                    if method.ends_with('!') || matches!(method, "delete_if" | "keep_if") {
                        *hash.pairs.borrow_mut() = out;
                        of()
                    } else {
                        RubyValue::hash(out)
                    }
                }
                "transform_values" | "transform_keys" | "transform_values!" | "transform_keys!" => {
                    let mut out = Vec::new();
                    for (key, value) in pairs {
                        out.push(if method.starts_with("transform_values") {
                            let value = self.call(block, CallArguments::of(vec![value]))?;
                            (key, value)
                        } else {
                            (self.call(block, CallArguments::of(vec![key]))?, value)
                        });
                    }
                    if method.ends_with('!') {
                        *hash.pairs.borrow_mut() = out;
                        of()
                    } else {
                        RubyValue::hash(out)
                    }
                }
                "merge" | "merge!" | "update" => {
                    let target = if method == "merge" { of().copied() } else { of() };
                    if let RubyValue::Hash(into) = &target {
                        for other in given.all() {
                            let RubyValue::Hash(other) = other else { continue };
                            for (key, value) in other.pairs.borrow().clone() {
                                let value = match into.get(&key) {
                                    Some(old) => self.call(block, CallArguments::of(vec![key.clone(), old, value]))?,
                                    None => value,
                                };
                                into.insert(key, value);
                            }
                        }
                    }
                    target
                }
                "fetch" => match given.plain.first().and_then(|k| hash.get(k)) {
                    Some(value) => value,
                    None => self.call(block, CallArguments::of(given.plain.clone()))?,
                },
                "to_h" | "filter_map" | "sum" => return Ok(None),
                "delete" => given.plain.first().and_then(|k| hash.remove(k)).unwrap_or(RubyValue::Nil),
                _ => return Ok(None),
            }))
        };
        match run() {
            Ok(Some(value)) => Some(Ok(value)),
            Ok(None) => self.enumerate(frame, node, &of(), method, given, block),
            Err(flow) => Some(Err(flow)),
        }
    }
}
