//! Methods with a block of everything that can be enumerated.

use super::collections::{compare, flatten};
use super::core::pairs_of;
use super::value::{CallArguments, HashObject, Proc, RubyValue};
use super::{Eval, Evaluator, RubyFrame};
use ruby_prism::Node;
use std::cmp::Ordering;
use std::rc::Rc;

impl<'w> Evaluator<'_, 'w> {
    /// Calls a method with a block of something that can be enumerated.
    pub(super) fn enumerate(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        of: &RubyValue<'w>,
        method: &str,
        given: &CallArguments<'w>,
        block: &Rc<Proc<'w>>,
    ) -> Option<Eval<'w>> {
        if !matches!(of, RubyValue::Array(_) | RubyValue::Hash(_) | RubyValue::Set(_) | RubyValue::Range(_)) {
            return None;
        }
        let items = self.items_of(of)?;
        Some(self.each_item(frame, node, of, items, method, given, block).map(|found| match found {
            Some(value) => value,
            None => {
                let kind = self.kind_of(of);
                self.unknown(frame, node, format!("`{method}` of {kind} is not supported"))
            }
        }))
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one call")]
    fn each_item(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        of: &RubyValue<'w>,
        items: Vec<RubyValue<'w>>,
        method: &str,
        given: &CallArguments<'w>,
        block: &Rc<Proc<'w>>,
    ) -> Eval<'w, Option<RubyValue<'w>>> {
        let first = given.plain.first().cloned();
        let one = |item: &RubyValue<'w>| CallArguments::of(vec![item.clone()]);
        let mut out = Vec::new();
        Ok(Some(match method {
            "each" | "each_pair" | "each_entry" => {
                for item in &items {
                    self.call(block, one(item))?;
                }
                of.clone()
            }
            "reverse_each" => {
                for item in items.iter().rev() {
                    self.call(block, one(item))?;
                }
                of.clone()
            }
            "each_with_index" | "each_index" => {
                for (i, item) in items.iter().enumerate() {
                    let given = if method == "each_index" { vec![RubyValue::int(i)] } else { vec![item.clone(), RubyValue::int(i)] };
                    self.call(block, CallArguments::of(given))?;
                }
                of.clone()
            }
            "each_with_object" | "inject" | "reduce" => {
                let mut items = items.into_iter();
                let mut memo = match first {
                    Some(memo) => memo,
                    None => items.next().unwrap_or(RubyValue::Nil),
                };
                for item in items {
                    if method == "each_with_object" {
                        self.call(block, CallArguments::of(vec![item, memo.clone()]))?;
                    } else {
                        memo = self.call(block, CallArguments::of(vec![memo, item]))?;
                    }
                }
                memo
            }
            "map" | "collect" | "flat_map" | "collect_concat" | "filter_map" | "to_h" | "sum" | "to_set" | "each_slice" | "each_cons"
            | "map_with_index" => {
                let groups: Vec<RubyValue<'w>> = match (method, &first) {
                    ("each_slice", Some(RubyValue::Int(n))) => {
                        items.chunks(usize::try_from(*n).unwrap_or(1).max(1)).map(|c| RubyValue::array(c.to_vec())).collect()
                    }
                    ("each_cons", Some(RubyValue::Int(n))) => {
                        items.windows(usize::try_from(*n).unwrap_or(1).max(1)).map(|c| RubyValue::array(c.to_vec())).collect()
                    }
                    _ => items,
                };
                for item in &groups {
                    out.push(self.call(block, one(item))?);
                }
                match method {
                    "flat_map" | "collect_concat" => {
                        let mut flat = Vec::new();
                        flatten(&out, 1, &mut flat, &self.budget)?;
                        RubyValue::array(flat)
                    }
                    "filter_map" => RubyValue::array(out.into_iter().filter(|v| v.is_true() != Some(false)).collect()),
                    "to_h" => pairs_of(&out).map_or_else(|| self.unknown(frame, node, "these pairs are not known"), RubyValue::hash),
                    "to_set" => RubyValue::set(out),
                    "sum" => {
                        let all = RubyValue::array(out);
                        self.send(frame, node, all, "sum", CallArguments::default())?
                    }
                    "each_slice" | "each_cons" => of.clone(),
                    _ => RubyValue::array(out),
                }
            }
            "select" | "filter" | "reject" | "find_all" | "partition" | "take_while" | "drop_while" | "group_by" | "sort_by" | "min_by"
            | "max_by" | "uniq" => {
                return self.by_result(frame, node, of, items, method, block);
            }
            "find" | "detect" | "any?" | "all?" | "none?" | "one?" | "count" | "find_index" | "index" => {
                let mut count = 0;
                for (i, item) in items.iter().enumerate() {
                    let result = self.call(block, one(item))?;
                    let Some(is) = result.is_true() else { return Ok(Some(result)) };
                    match method {
                        "find" | "detect" if is => return Ok(Some(item.clone())),
                        "find_index" | "index" if is => return Ok(Some(RubyValue::int(i))),
                        "any?" if is => return Ok(Some(RubyValue::Bool(true))),
                        "all?" if !is => return Ok(Some(RubyValue::Bool(false))),
                        "none?" if is => return Ok(Some(RubyValue::Bool(false))),
                        _ => count += usize::from(is),
                    }
                }
                match method {
                    "any?" => RubyValue::Bool(false),
                    "all?" | "none?" => RubyValue::Bool(true),
                    "one?" => RubyValue::Bool(count == 1),
                    "count" => RubyValue::int(count),
                    _ => RubyValue::Nil,
                }
            }
            "sort" => {
                let mut all = items;
                let mut failed = None;
                all.sort_by(|a, b| {
                    if failed.is_some() {
                        return Ordering::Equal;
                    }
                    match self.call(block, CallArguments::of(vec![a.clone(), b.clone()])) {
                        Ok(RubyValue::Int(n)) => n.cmp(&0),
                        Ok(_) => Ordering::Equal,
                        Err(flow) => {
                            failed = Some(flow);
                            Ordering::Equal
                        }
                    }
                });
                if let Some(flow) = failed {
                    return Err(flow);
                }
                RubyValue::array(all)
            }
            "cycle" | "step" => return Ok(None),
            _ => return Ok(None),
        }))
    }

    fn by_result(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        of: &RubyValue<'w>,
        items: Vec<RubyValue<'w>>,
        method: &str,
        block: &Rc<Proc<'w>>,
    ) -> Eval<'w, Option<RubyValue<'w>>> {
        let mut rows = Vec::new();
        for item in items {
            let result = self.call(block, CallArguments::of(vec![item.clone()]))?;
            rows.push((item, result));
        }
        let unknown = rows.iter().find_map(|(_, r)| r.unknown().cloned());
        if let (Some(why), true) = (unknown, !matches!(method, "sort_by")) {
            return Ok(Some(RubyValue::Unknown(why)));
        }
        let is = |r: &RubyValue<'w>| r.is_true() == Some(true);
        let kept = |wanted: bool, rows: Vec<(RubyValue<'w>, RubyValue<'w>)>| -> Vec<RubyValue<'w>> {
            rows.into_iter().filter(|(_, r)| is(r) == wanted).map(|(i, _)| i).collect()
        };
        Ok(Some(match method {
            "select" | "filter" | "find_all" | "reject" => {
                let out = kept(method != "reject", rows);
                if matches!(of, RubyValue::Set(_)) { RubyValue::set(out) } else { RubyValue::array(out) }
            }
            "partition" => {
                let others = kept(false, rows.clone());
                RubyValue::array(vec![RubyValue::array(kept(true, rows)), RubyValue::array(others)])
            }
            "take_while" => RubyValue::array(rows.into_iter().take_while(|(_, r)| is(r)).map(|(i, _)| i).collect()),
            "drop_while" => RubyValue::array(rows.into_iter().skip_while(|(_, r)| is(r)).map(|(i, _)| i).collect()),
            "group_by" => {
                let groups = HashObject::default();
                for (item, key) in rows {
                    match groups.get(&key) {
                        Some(RubyValue::Array(group)) => group.borrow_mut().push(item),
                        _ => groups.insert(key, RubyValue::array(vec![item])),
                    }
                }
                RubyValue::Hash(Rc::new(groups))
            }
            "uniq" => {
                let mut seen: Vec<RubyValue<'w>> = Vec::new();
                let mut out = Vec::new();
                for (item, key) in rows {
                    if !seen.iter().any(|s| s.same_key(&key)) {
                        seen.push(key);
                        out.push(item);
                    }
                }
                RubyValue::array(out)
            }
            _ => {
                let mut rows = rows;
                if rows.iter().any(|(_, a)| rows.iter().any(|(_, b)| compare(a, b).is_none())) {
                    return Ok(Some(self.unknown(frame, node, "the order of a list is not known")));
                }
                rows.sort_by(|(_, a), (_, b)| compare(a, b).unwrap_or(Ordering::Equal));
                let mut all: Vec<RubyValue<'w>> = rows.into_iter().map(|(i, _)| i).collect();
                match method {
                    "min_by" => all.into_iter().next().unwrap_or(RubyValue::Nil),
                    "max_by" => all.pop().unwrap_or(RubyValue::Nil),
                    _ => RubyValue::array(all),
                }
            }
        }))
    }
}
