//! Methods of arrays.

use super::core::pairs_of;
use super::value::{CallArguments, MAX_NESTING, RubyList, RubyValue};
use super::{Eval, Evaluator, Flow, RubyFrame};
use crate::budget::Budget;
use ruby_prism::Node;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::Rc;

type Items<'w> = Rc<RefCell<RubyList<'w>>>;

impl<'w> Evaluator<'_, 'w> {
    pub(super) fn array_call(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        items: &Items<'w>,
        method: &str,
        given: &CallArguments<'w>,
    ) -> Option<Eval<'w>> {
        if given.block.is_some() {
            return self.array_block(frame, node, items, method, given);
        }
        if let Some(result) = self.array_change(frame, node, items, method, given) {
            return Some(result);
        }
        let first = given.plain.first();
        let list = |v: Option<&RubyValue<'w>>| v.and_then(|v| self.items_of(v)).unwrap_or_default();
        let known = || items.borrow().iter().all(|i| i.unknown().is_none());
        let of = || RubyValue::Array(Rc::clone(items));
        Some(Ok(match (method, first) {
            ("[]" | "slice" | "at", Some(RubyValue::Int(at))) => match given.plain.get(1) {
                Some(RubyValue::Int(count)) => {
                    let all = items.borrow();
                    match index(*at, all.len()).filter(|f| *f <= all.len()) {
                        Some(from) => RubyValue::array(all.iter().skip(from).take(usize::try_from(*count).unwrap_or(0)).cloned().collect()),
                        None => RubyValue::Nil,
                    }
                }
                _ => index(*at, items.borrow().len()).and_then(|i| items.borrow().get(i).cloned()).unwrap_or(RubyValue::Nil),
            },
            ("[]" | "slice", Some(RubyValue::Range(range))) => {
                let all = items.borrow();
                let from = match &range.0 {
                    RubyValue::Int(n) => index(*n, all.len()),
                    _ => Some(0),
                };
                let to = match &range.1 {
                    RubyValue::Int(n) => index(*n, all.len()).map(|to| if range.2 { to } else { to + 1 }).unwrap_or(0),
                    _ => all.len(),
                };
                match from.filter(|f| *f <= all.len()) {
                    Some(from) => RubyValue::array(all.get(from..to.clamp(from, all.len())).unwrap_or_default().to_vec()),
                    None => RubyValue::Nil,
                }
            }
            ("first" | "take", Some(RubyValue::Int(n))) => {
                RubyValue::array(items.borrow().iter().take(usize::try_from(*n).unwrap_or(0)).cloned().collect())
            }
            ("first", None) => items.borrow().first().cloned().unwrap_or(RubyValue::Nil),
            ("last", Some(RubyValue::Int(n))) => {
                let skip = items.borrow().len().saturating_sub(usize::try_from(*n).unwrap_or(0));
                RubyValue::array(items.borrow().iter().skip(skip).cloned().collect())
            }
            ("last", None) => items.borrow().last().cloned().unwrap_or(RubyValue::Nil),
            ("drop", Some(RubyValue::Int(n))) => {
                RubyValue::array(items.borrow().iter().skip(usize::try_from(*n).unwrap_or(0)).cloned().collect())
            }
            ("fetch", Some(RubyValue::Int(at))) => {
                index(*at, items.borrow().len()).and_then(|i| items.borrow().get(i).cloned()).or_else(|| given.plain.get(1).cloned())?
            }
            ("dig", Some(_)) => return Some(self.dig(frame, node, of(), &given.plain)),
            ("values_at", _) => RubyValue::array(
                given
                    .plain
                    .iter()
                    .map(|i| match i {
                        RubyValue::Int(at) => {
                            index(*at, items.borrow().len()).and_then(|i| items.borrow().get(i).cloned()).unwrap_or(RubyValue::Nil)
                        }
                        _ => RubyValue::Nil,
                    })
                    .collect(),
            ),
            ("length" | "size" | "count", None) => RubyValue::int(items.borrow().len()),
            ("count", Some(one)) => RubyValue::int(items.borrow().iter().filter(|i| i.equal(one) == Some(true)).count()),
            ("empty?", None) => RubyValue::Bool(items.borrow().is_empty()),
            ("any?", None) => RubyValue::Bool(items.borrow().iter().any(|i| i.is_true() != Some(false))),
            ("none?", None) => RubyValue::Bool(items.borrow().iter().all(|i| i.is_true() == Some(false))),
            ("all?", None) => RubyValue::Bool(items.borrow().iter().all(|i| i.is_true() != Some(false))),
            ("include?" | "member?", Some(one)) => {
                let all = items.borrow();
                let mut answer = RubyValue::Bool(false);
                for item in all.iter() {
                    match item.equal(one) {
                        Some(true) => return Some(Ok(RubyValue::Bool(true))),
                        Some(false) => {}
                        None => {
                            answer = item
                                .first_unknown(MAX_NESTING)
                                .or_else(|| one.first_unknown(MAX_NESTING))
                                .map_or(answer, RubyValue::Unknown)
                        }
                    }
                }
                answer
            }
            ("index" | "find_index", Some(one)) => {
                items.borrow().iter().position(|i| i.equal(one) == Some(true)).map_or(RubyValue::Nil, RubyValue::int)
            }
            ("to_a" | "to_ary" | "entries", None) => of(),
            ("to_set", None) => RubyValue::set(items.borrow().0.clone()),
            ("compact", None) => RubyValue::array(items.borrow().iter().filter(|i| !i.is_nil()).cloned().collect()),
            ("reverse", None) => RubyValue::array(items.borrow().iter().rev().cloned().collect()),
            ("flatten", _) => {
                let depth = match first {
                    Some(RubyValue::Int(n)) => usize::try_from(*n).unwrap_or(MAX_NESTING),
                    _ => MAX_NESTING,
                };
                let mut out = Vec::new();
                if let Err(flow) = flatten(&items.borrow(), depth, &mut out, &self.budget) {
                    return Some(Err(flow));
                }
                RubyValue::array(out)
            }
            ("uniq", None) => match RubyValue::set(items.borrow().0.clone()) {
                RubyValue::Set(set) => RubyValue::array(set.borrow().0.clone()),
                other => other,
            },
            ("+" | "concat" | "union" | "|", Some(other)) => {
                if let RubyValue::Unknown(why) = other {
                    let mut all = items.borrow().0.clone();
                    all.push(RubyValue::Unknown(Rc::clone(why)));
                    return Some(Ok(RubyValue::array(all)));
                }
                let all: Vec<RubyValue<'w>> = items.borrow().iter().cloned().chain(list(first)).collect();
                match RubyValue::set(all.clone()) {
                    RubyValue::Set(set) if matches!(method, "union" | "|") => RubyValue::array(set.borrow().0.clone()),
                    _ => RubyValue::array(all),
                }
            }
            ("-" | "difference", Some(_)) if known() => {
                let others = list(first);
                RubyValue::array(items.borrow().iter().filter(|i| !others.iter().any(|o| o.same_key(i))).cloned().collect())
            }
            ("&" | "intersection", Some(_)) if known() => {
                let others = list(first);
                RubyValue::array(items.borrow().iter().filter(|i| others.iter().any(|o| o.same_key(i))).cloned().collect())
            }
            ("*", Some(RubyValue::Int(n))) => {
                let n = usize::try_from(*n).unwrap_or(0);
                if self.budget.spend_bytes(n.saturating_mul(items.borrow().len()).saturating_mul(16)).is_none() {
                    return Some(Err(super::Flow::Exhausted));
                }
                RubyValue::array(std::iter::repeat_n(items.borrow().0.clone(), n).flatten().collect())
            }
            ("join", _) | ("*", Some(RubyValue::Str(_))) => return Some(self.join(frame, node, items, first)),
            ("zip", Some(_)) => {
                let others: Vec<Vec<RubyValue<'w>>> = given.plain.iter().map(|v| list(Some(v))).collect();
                let row = |(i, item): (usize, &RubyValue<'w>)| {
                    let mut row = vec![item.clone()];
                    row.extend(others.iter().map(|o| o.get(i).cloned().unwrap_or(RubyValue::Nil)));
                    RubyValue::array(row)
                };
                RubyValue::array(items.borrow().iter().enumerate().map(row).collect())
            }
            ("product", Some(_)) => {
                let others = list(first);
                if self.budget.spend(items.borrow().len().saturating_mul(others.len()) as u64).is_none() {
                    return Some(Err(super::Flow::Exhausted));
                }
                let rows = items.borrow().0.clone();
                RubyValue::array(
                    rows.iter()
                        .flat_map(|a| others.iter().map(|b| RubyValue::array(vec![a.clone(), b.clone()])).collect::<Vec<_>>())
                        .collect(),
                )
            }
            ("to_h", None) => {
                pairs_of(&items.borrow()).map_or_else(|| self.unknown(frame, node, "these pairs are not known"), RubyValue::hash)
            }
            ("transpose", None) => return Some(self.data_call(frame, node, &of(), method, &[])),
            ("sort", None) => {
                let mut all = items.borrow().0.clone();
                if !sort(&mut all) {
                    return Some(Ok(self.unknown(frame, node, "the order of a list is not known")));
                }
                RubyValue::array(all)
            }
            ("min" | "max", None) => {
                let mut all = items.borrow().0.clone();
                if !sort(&mut all) {
                    return Some(Ok(self.unknown(frame, node, "the order of a list is not known")));
                }
                let one = if method == "min" { all.first() } else { all.last() };
                one.cloned().unwrap_or(RubyValue::Nil)
            }
            ("each" | "map" | "lazy", None) => of(),
            ("each_with_index", None) => numbered(&items.borrow()),
            ("each_slice", Some(RubyValue::Int(n))) if *n > 0 => {
                let size = usize::try_from(*n).unwrap_or(usize::MAX);
                RubyValue::array(items.borrow().chunks(size).map(|chunk| RubyValue::array(chunk.to_vec())).collect())
            }
            ("inject" | "reduce", Some(RubyValue::Sym(operator))) => {
                let mut total = None;
                for item in items.borrow().0.clone() {
                    total = Some(match total {
                        None => item,
                        Some(total) => match self.send(frame, node, total, operator, CallArguments::of(vec![item])) {
                            Ok(value) => value,
                            Err(flow) => return Some(Err(flow)),
                        },
                    });
                }
                total.unwrap_or(RubyValue::Nil)
            }
            ("sum", None) => {
                let mut total = RubyValue::Int(0);
                for item in items.borrow().0.clone() {
                    total = match self.send(frame, node, total, "+", CallArguments::of(vec![item])) {
                        Ok(value) => value,
                        Err(flow) => return Some(Err(flow)),
                    };
                }
                total
            }
            ("assoc", Some(key)) => {
                let all = items.borrow();
                let fits = |i: &&RubyValue<'w>| matches!(i, RubyValue::Array(pair) if pair.borrow().first().is_some_and(|k| k.equal(key) == Some(true)));
                all.iter().find(fits).cloned().unwrap_or(RubyValue::Nil)
            }
            _ => return None,
        }))
    }

    /// Methods that change an array.
    fn array_change(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        items: &Items<'w>,
        method: &str,
        given: &CallArguments<'w>,
    ) -> Option<Eval<'w>> {
        let of = RubyValue::Array(Rc::clone(items));
        let first = given.plain.first();
        let bare = method.strip_suffix('!');
        let mut all = match method {
            "<<" | "push" | "append" | "unshift" | "prepend" | "insert" | "[]=" | "delete" | "delete_at" | "clear" | "shift" | "pop"
            | "replace" | "fill" => items.borrow_mut(),
            "concat" => {
                let added: Vec<RubyValue<'w>> =
                    given.plain.iter().flat_map(|v| self.items_of(v).unwrap_or_else(|| vec![v.clone()])).collect();
                let mut all = items.borrow_mut();
                all.extend(added);
                self.taint(&mut all);
                drop(all);
                return Some(Ok(of));
            }
            _ => {
                let bare = bare?;
                let changed = match self.array_call(frame, node, items, bare, given)? {
                    Ok(RubyValue::Array(changed)) => changed.borrow().0.clone(),
                    other => return Some(other),
                };
                let same = changed.len() == items.borrow().len() && matches!(bare, "uniq" | "compact" | "flatten");
                items.borrow_mut().0 = changed;
                return Some(Ok(if same { RubyValue::Nil } else { of }));
            }
        };
        let result = match (method, first) {
            ("<<" | "push" | "append", _) => {
                all.extend(given.all());
                of
            }
            ("unshift" | "prepend", _) => {
                all.splice(0..0, given.all());
                of
            }
            ("insert", Some(RubyValue::Int(at))) => {
                let at = index(*at, all.len()).unwrap_or(0).min(all.len());
                all.splice(at..at, given.plain.iter().skip(1).cloned());
                of
            }
            ("[]=", Some(RubyValue::Int(at))) => {
                let value = given.plain.get(1).cloned().unwrap_or(RubyValue::Nil);
                if let Some(at) = index(*at, all.len()).filter(|at| *at < MAX_LIST) {
                    while all.len() <= at {
                        all.push(RubyValue::Nil);
                    }
                    if let Some(place) = all.get_mut(at) {
                        *place = value.clone();
                    }
                }
                value
            }
            ("delete", Some(one)) => {
                let before = all.len();
                all.retain(|i| i.equal(one) != Some(true));
                if all.len() == before { RubyValue::Nil } else { one.clone() }
            }
            ("delete_at", Some(RubyValue::Int(at))) => {
                index(*at, all.len()).filter(|at| *at < all.len()).map_or(RubyValue::Nil, |at| all.remove(at))
            }
            ("clear", _) => {
                all.clear();
                of
            }
            ("shift", None) => {
                if all.is_empty() {
                    RubyValue::Nil
                } else {
                    all.remove(0)
                }
            }
            ("pop", None) => all.pop().unwrap_or(RubyValue::Nil),
            ("replace", Some(other)) => {
                let new = if let RubyValue::Array(other) = other {
                    other.try_borrow().map(|o| o.0.clone()).unwrap_or_default()
                } else {
                    Vec::new()
                };
                all.0 = new;
                of
            }
            _ => return None,
        };
        self.taint(&mut all);
        Some(Ok(result))
    }

    /// Methods of arrays with a block that are not those of everything that can be enumerated.
    fn array_block(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        items: &Items<'w>,
        method: &str,
        given: &CallArguments<'w>,
    ) -> Option<Eval<'w>> {
        let block = given.block.clone()?;
        let of = RubyValue::Array(Rc::clone(items));
        let changing = match method {
            "map!" | "collect!" => "map",
            "select!" | "keep_if" | "filter!" => "select",
            "reject!" | "delete_if" => "reject",
            "sort!" => "sort",
            "sort_by!" => "sort_by",
            "uniq!" => "uniq",
            _ => return self.enumerate(frame, node, &of, method, given, &block),
        };
        let changed = self.enumerate(frame, node, &of, changing, given, &block)?;
        Some(changed.map(|changed| {
            if let RubyValue::Array(changed) = changed {
                let new = changed.borrow().0.clone();
                items.borrow_mut().0 = new;
            }
            of
        }))
    }

    fn join(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>, items: &Items<'w>, between: Option<&RubyValue<'w>>) -> Eval<'w> {
        let between = between.and_then(RubyValue::word).unwrap_or_default();
        let mut flat = Vec::new();
        flatten(&items.borrow(), MAX_NESTING, &mut flat, &self.budget)?;
        self.budget.spend_bytes(flat.len().saturating_mul(between.len())).ok_or(super::Flow::Exhausted)?;
        let mut parts = Vec::new();
        for item in flat {
            match self.text_of(frame, node, &item)? {
                Ok(text) => parts.push(text),
                Err(why) => return Ok(RubyValue::Unknown(why)),
            }
        }
        Ok(RubyValue::str(parts.join(&between)))
    }

    pub(super) fn dig(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>, of: RubyValue<'w>, keys: &[RubyValue<'w>]) -> Eval<'w> {
        let mut of = of;
        for key in keys {
            if of.is_nil() {
                break;
            }
            of = self.send(frame, node, of, "[]", CallArguments::of(vec![key.clone()]))?;
        }
        Ok(of)
    }
}

/// Returns the elements with their numbers.
pub(super) fn numbered<'w>(items: &[RubyValue<'w>]) -> RubyValue<'w> {
    RubyValue::array(items.iter().enumerate().map(|(i, item)| RubyValue::array(vec![item.clone(), RubyValue::int(i)])).collect())
}

/// Maximum number of items of a list that an index may create.
const MAX_LIST: usize = 10_000;

/// Returns the place of an index, which counts from the end if it is negative.
fn index(at: i64, length: usize) -> Option<usize> {
    if at < 0 { length.checked_sub(usize::try_from(at.unsigned_abs()).ok()?) } else { usize::try_from(at).ok() }
}

/// Adds the elements of nested lists. Ruby shares lists, so a few constants may have any number of elements; each takes a step.
pub(super) fn flatten<'w>(items: &[RubyValue<'w>], depth: usize, out: &mut Vec<RubyValue<'w>>, budget: &Budget) -> Result<(), Flow<'w>> {
    for item in items {
        budget.spend(1).ok_or(Flow::Exhausted)?;
        match item {
            RubyValue::Array(inner) if depth > 0 => flatten(&inner.borrow(), depth - 1, out, budget)?,
            other => out.push(other.clone()),
        }
    }
    Ok(())
}

/// Sorts values; false if two of them cannot be compared.
fn sort(all: &mut [RubyValue<'_>]) -> bool {
    if let Some(first) = all.first().cloned()
        && all.iter().any(|v| compare(&first, v).is_none())
    {
        return false;
    }
    all.sort_by(|a, b| compare(a, b).unwrap_or(Ordering::Equal));
    true
}

/// `a <=> b`.
pub(super) fn compare(a: &RubyValue<'_>, b: &RubyValue<'_>) -> Option<Ordering> {
    match (a, b) {
        (RubyValue::Int(a), RubyValue::Int(b)) => Some(a.cmp(b)),
        (RubyValue::Float(a), RubyValue::Float(b)) => a.partial_cmp(b),
        (RubyValue::Str(a), RubyValue::Str(b)) => Some(a.borrow().cmp(&b.borrow())),
        (RubyValue::Sym(a), RubyValue::Sym(b)) => Some(a.cmp(b)),
        (RubyValue::Array(a), RubyValue::Array(b)) => {
            let (a, b) = (a.borrow(), b.borrow());
            for (a, b) in a.iter().zip(b.iter()) {
                match compare(a, b)? {
                    Ordering::Equal => {}
                    other => return Some(other),
                }
            }
            Some(a.len().cmp(&b.len()))
        }
        (RubyValue::Bool(a), RubyValue::Bool(b)) if a == b => Some(Ordering::Equal),
        (RubyValue::Nil, RubyValue::Nil) => Some(Ordering::Equal),
        _ => None,
    }
}
