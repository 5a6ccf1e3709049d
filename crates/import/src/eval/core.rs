//! Methods of Ruby's own values. Those of strings, numbers and regexes are the language's, which have recorded answers of Ruby.

use super::data::{data, operated, value};
use super::value::{CallArguments, HashObject, MAX_NESTING, Proc, RubyList, RubyValue};
use super::{Eval, Evaluator, RubyFrame};
use rtype_lang::value::Value as Data;
use ruby_prism::Node;
use std::cell::RefCell;
use std::rc::Rc;

impl<'w> Evaluator<'_, 'w> {
    /// Calls a method of a value; `None` if there is none of this name.
    pub(super) fn core(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        of: &RubyValue<'w>,
        method: &str,
        given: &CallArguments<'w>,
    ) -> Option<Eval<'w>> {
        let special = match of {
            RubyValue::Array(items) => self.array_call(frame, node, items, method, given),
            RubyValue::Hash(hash) => self.hash_call(frame, node, hash, method, given),
            RubyValue::Set(items) => self.set_call(items, method, given),
            RubyValue::Range(_) => self.range_call(frame, node, of, method, given),
            RubyValue::Proc(proc) => self.proc_call(frame, node, proc, method, given),
            RubyValue::Str(text) => self.string_call(frame, node, text, method, given),
            RubyValue::Path(path) => self.path_call(frame, node, path, method, given),
            RubyValue::Sym(word) => match method {
                "to_sym" => Some(Ok(of.clone())),
                "to_s" | "id2name" | "name" => Some(Ok(RubyValue::str(&**word))),
                "to_proc" => Some(Ok(RubyValue::Proc(Rc::new(self.closure(frame, super::ProcCode::Symbol(Rc::clone(word)), true))))),
                _ => None,
            },
            RubyValue::Object(object) => self.gem_call(object, method, given).or_else(|| self.struct_call(object, method, given)),
            RubyValue::Regex(regex) => self.regex_call(frame, node, regex, method, given),
            RubyValue::Int(_) if method == "to_s" && !given.plain.is_empty() => Some(self.data_call(frame, node, of, method, &given.plain)),
            RubyValue::Int(n) => self.integer_call(*n, method, given),
            RubyValue::Nil => match method {
                "to_a" => Some(Ok(RubyValue::array(Vec::new()))),
                "to_h" => Some(Ok(RubyValue::hash(Vec::new()))),
                "to_i" => Some(Ok(RubyValue::Int(0))),
                "&" => Some(Ok(RubyValue::Bool(false))),
                "[]" | "each" | "map" | "first" | "split" | "empty?" | "+" | "<<" | "gsub" | "strip" | "downcase" => {
                    Some(self.raise("NoMethodError", format!("undefined method `{method}' for nil:NilClass")))
                }
                _ => None,
            },
            RubyValue::Bool(b) => match (method, given.plain.first().and_then(RubyValue::is_true)) {
                ("&", Some(other)) => Some(Ok(RubyValue::Bool(*b && other))),
                ("|", Some(other)) => Some(Ok(RubyValue::Bool(*b || other))),
                ("^", Some(other)) => Some(Ok(RubyValue::Bool(*b != other))),
                _ => None,
            },
            _ => None,
        };
        if special.is_some() {
            return special;
        }
        if let Some(block) = &given.block
            && let Some(result) = self.enumerate(frame, node, of, method, given, block)
        {
            return Some(result);
        }
        if let Some(result) = self.object_call(frame, node, of, method, given) {
            return Some(result);
        }
        let result = self.kernel_method(frame, node, method, given);
        result.or_else(|| data(of).is_some().then(|| self.data_call(frame, node, of, method, &given.plain)))
    }

    fn kernel_method(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>, method: &str, given: &CallArguments<'w>) -> Option<Eval<'w>> {
        matches!(method, "require" | "raise" | "format" | "sprintf" | "lambda" | "proc" | "puts")
            .then(|| self.kernel(frame, node, method, given))
            .flatten()
    }

    /// Calls a method of the language, whose answers are Ruby's.
    pub(super) fn data_call(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        of: &RubyValue<'w>,
        method: &str,
        given: &[RubyValue<'w>],
    ) -> Eval<'w> {
        let arguments: Option<Vec<Data>> = given.iter().map(data).collect();
        if let (Some(of), Some(arguments)) = (data(of), arguments) {
            let operator = operated(&of, method, &arguments);
            if let Some(result) = operator.or_else(|| rtype_lang::eval::call_method(&of, method, &arguments)?.ok()) {
                return Ok(value(&result));
            }
        }
        if let Some(why) = of.first_unknown(MAX_NESTING).or_else(|| given.iter().find_map(|g| g.first_unknown(MAX_NESTING))) {
            return Ok(RubyValue::Unknown(why));
        }
        let kind = self.kind_of(of);
        Ok(self.unknown(frame, node, format!("`{method}` of {kind} is not supported")))
    }

    /// A value changes under a condition that is not known: from now on it contains what is not known.
    pub(super) fn taint(&self, items: &mut Vec<RubyValue<'w>>) {
        if let Some(why) = self.doubtful() {
            items.push(RubyValue::Unknown(why));
        }
    }

    fn string_call(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        text: &Rc<RefCell<String>>,
        method: &str,
        given: &CallArguments<'w>,
    ) -> Option<Eval<'w>> {
        let of = RubyValue::Str(Rc::clone(text));
        match method {
            "<<" | "concat" => {
                let mut added = String::new();
                for part in &given.plain {
                    match self.text_of(frame, node, part) {
                        Ok(Ok(more)) => added.push_str(&more),
                        Ok(Err(why)) => return Some(Ok(RubyValue::Unknown(why))),
                        Err(flow) => return Some(Err(flow)),
                    }
                }
                text.borrow_mut().push_str(&added);
                Some(Ok(of))
            }
            "replace" => {
                let new = given.plain.first().and_then(RubyValue::word)?;
                *text.borrow_mut() = new;
                Some(Ok(of))
            }
            "unicode_normalize" if !text.borrow().is_ascii() => None,
            "to_s" | "to_str" | "b" | "scrub" | "force_encoding" | "encode" | "unicode_normalize" | "+@" | "-@" => Some(Ok(of)),
            "to_sym" | "intern" => Some(Ok(RubyValue::sym(&text.borrow()))),
            "%" => {
                let values = match given.plain.first() {
                    Some(RubyValue::Array(items)) => items.borrow().0.clone(),
                    Some(other) => vec![other.clone()],
                    None => given.all(),
                };
                Some(self.format(frame, node, &of, &values))
            }
            "gsub" | "sub" | "gsub!" | "sub!" if given.block.is_some() => Some(self.substitute(frame, node, text, method, given)),
            "=~" | "match" | "match?" => match given.plain.first()? {
                RubyValue::Regex(regex) => {
                    let (regex, whole) = (Rc::clone(regex), text.borrow().clone());
                    Some(self.matched(frame, node, &regex, &whole, method))
                }
                _ => None,
            },
            "scan" if given.block.is_some() => {
                let found = match self.data_call(frame, node, &of, "scan", &given.plain) {
                    Ok(found) => found,
                    Err(flow) => return Some(Err(flow)),
                };
                let block = given.block.clone()?;
                for item in self.items_of(&found)? {
                    if let Err(flow) = self.call(&block, CallArguments::of(vec![item])) {
                        return Some(Err(flow));
                    }
                }
                Some(Ok(of))
            }
            "each_line" | "each_char" => {
                let list = if method == "each_line" { "lines" } else { "chars" };
                let items = self.data_call(frame, node, &of, list, &[]);
                match (items, &given.block) {
                    (Ok(items), Some(block)) => {
                        let block = Rc::clone(block);
                        self.enumerate(frame, node, &items, "each", given, &block)
                    }
                    (items, _) => Some(items),
                }
            }
            _ => {
                // A method that changes the string is the one that returns a changed copy, applied in place.
                let bare = method.strip_suffix('!')?;
                let before = text.borrow().clone();
                let changed = match self.data_call(frame, node, &of, bare, &given.plain) {
                    Ok(RubyValue::Str(changed)) => changed.borrow().clone(),
                    other => return Some(other),
                };
                let same = before == changed;
                *text.borrow_mut() = changed;
                Some(Ok(if same { RubyValue::Nil } else { of }))
            }
        }
    }

    fn integer_call(&mut self, n: i64, method: &str, given: &CallArguments<'w>) -> Option<Eval<'w>> {
        let block = given.block.clone()?;
        let last = match given.plain.first() {
            Some(RubyValue::Int(last)) => *last,
            _ => n,
        };
        let numbers: Box<dyn Iterator<Item = i64>> = match method {
            "times" => Box::new(0..n),
            "upto" => Box::new(n..=last),
            "downto" => Box::new((last..=n).rev()),
            _ => return None,
        };
        for number in numbers {
            if let Err(flow) = self.call(&block, CallArguments::of(vec![RubyValue::Int(number)])) {
                return Some(Err(flow));
            }
        }
        Some(Ok(RubyValue::Int(n)))
    }

    fn proc_call(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        proc: &Rc<Proc<'w>>,
        method: &str,
        given: &CallArguments<'w>,
    ) -> Option<Eval<'w>> {
        Some(match method {
            "call" | "()" | "yield" | "===" | "[]" => self.call(proc, given.clone()),
            "to_proc" | "curry" => Ok(RubyValue::Proc(Rc::clone(proc))),
            "arity" => Ok(RubyValue::Int(Self::arity(proc))),
            "lambda?" => Ok(RubyValue::Bool(proc.is_lambda)),
            "bind" | "unbind" => match (&proc.code, given.plain.first()) {
                (super::ProcCode::Method(found, _), Some(of)) => {
                    Ok(RubyValue::Proc(Rc::new(Proc { code: super::ProcCode::Method(Rc::clone(found), of.clone()), ..(**proc).clone() })))
                }
                _ => Ok(self.unknown(frame, node, "a method as a value")),
            },
            _ => return None,
        })
    }

    fn range_call(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        of: &RubyValue<'w>,
        method: &str,
        given: &CallArguments<'w>,
    ) -> Option<Eval<'w>> {
        let RubyValue::Range(range) = of else { return None };
        Some(match (method, given.plain.first()) {
            ("first" | "begin" | "min", None) => Ok(range.0.clone()),
            ("last" | "end" | "max", None) => Ok(if method == "max" && range.2 { RubyValue::Nil } else { range.1.clone() }),
            ("include?" | "member?" | "cover?" | "===", Some(RubyValue::Int(n))) => match (&range.0, &range.1) {
                (RubyValue::Int(from), RubyValue::Int(to)) => Ok(RubyValue::Bool(n >= from && if range.2 { n < to } else { n <= to })),
                (RubyValue::Int(from), RubyValue::Nil) => Ok(RubyValue::Bool(n >= from)),
                _ => Ok(self.unknown(frame, node, "this range")),
            },
            ("include?" | "member?" | "cover?" | "===", Some(other)) if other.unknown().is_none() => Ok(RubyValue::Bool(false)),
            ("exclude_end?", None) => Ok(RubyValue::Bool(range.2)),
            ("freeze" | "itself" | "dup" | "clone", None) => Ok(of.clone()),
            ("to_s" | "inspect", None) => Ok(match self.inspect(of, MAX_NESTING) {
                Some(text) => RubyValue::str(text),
                None => self.unknown(frame, node, "the text of this range"),
            }),
            _ => {
                let items = RubyValue::array(self.items_of(of)?);
                return self.core(frame, node, &items, method, given);
            }
        })
    }

    fn set_call(&mut self, items: &Rc<RefCell<RubyList<'w>>>, method: &str, given: &CallArguments<'w>) -> Option<Eval<'w>> {
        if given.plain.first().is_some_and(|v| v.unknown().is_some())
            && matches!(method, "merge" | "|" | "+" | "union" | "-" | "difference" | "&")
        {
            return None;
        }
        let others = || given.plain.first().and_then(|v| self.items_of(v)).unwrap_or_default();
        let has = |all: &[RubyValue<'w>], one: &RubyValue<'w>| all.iter().any(|x| x.same_key(one));
        Some(Ok(match method {
            "<<" | "add" => {
                let new = given.plain.first()?.clone();
                let mut all = items.borrow_mut();
                if !has(&all, &new) {
                    all.push(new);
                }
                self.taint(&mut all);
                drop(all);
                RubyValue::Set(Rc::clone(items))
            }
            "merge" => {
                let new = others();
                let mut all = items.borrow_mut();
                for item in new {
                    if !has(&all, &item) {
                        all.push(item);
                    }
                }
                drop(all);
                RubyValue::Set(Rc::clone(items))
            }
            "include?" | "member?" | "===" | "contain?" => {
                let one = given.plain.first()?;
                RubyValue::Bool(has(&items.borrow(), one))
            }
            "|" | "+" | "union" => RubyValue::set(items.borrow().iter().cloned().chain(others()).collect()),
            "-" | "difference" => {
                let others = others();
                RubyValue::set(items.borrow().iter().filter(|i| !has(&others, i)).cloned().collect())
            }
            "&" | "intersection" => {
                let others = others();
                RubyValue::set(items.borrow().iter().filter(|i| has(&others, i)).cloned().collect())
            }
            "subset?" | "<=" => {
                let others = others();
                RubyValue::Bool(items.borrow().iter().all(|i| has(&others, i)))
            }
            "superset?" | ">=" => RubyValue::Bool(others().iter().all(|i| has(&items.borrow(), i))),
            "to_a" => RubyValue::array(items.borrow().0.clone()),
            "to_set" => RubyValue::Set(Rc::clone(items)),
            "size" | "length" | "count" if given.block.is_none() => RubyValue::int(items.borrow().len()),
            "empty?" => RubyValue::Bool(items.borrow().is_empty()),
            _ => return None,
        }))
    }

    /// `format(pattern, *values)`.
    pub(super) fn format(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>, pattern: &RubyValue<'w>, values: &[RubyValue<'w>]) -> Eval<'w> {
        let Some(text) = pattern.word() else { return Ok(self.unknown(frame, node, "this format is not known")) };
        if let Some(why) = values.iter().find_map(|v| v.first_unknown(MAX_NESTING)) {
            return Ok(RubyValue::Unknown(why));
        }
        let mut out = String::new();
        let mut next = values.iter();
        let mut rest = text.as_str();
        while let Some((before, behind)) = rest.split_once('%') {
            out.push_str(before);
            let (name, behind) = match (behind.strip_prefix('{'), behind.strip_prefix('<')) {
                (Some(inner), _) => inner.split_once('}').map_or((None, behind), |(n, r)| (Some((n, "s")), r)),
                (_, Some(inner)) => inner.split_once('>').map_or((None, behind), |(n, r)| (Some((n, "")), r)),
                _ => (None, behind),
            };
            let (kind, behind) = match name {
                Some((_, "s")) => ('s', behind),
                _ => {
                    let mut letters = behind.chars();
                    match letters.next() {
                        Some(kind @ ('s' | 'd' | '%' | 'i' | 'p')) => (kind, letters.as_str()),
                        _ => return Ok(self.unknown(frame, node, "this format is not supported")),
                    }
                }
            };
            rest = behind;
            if kind == '%' {
                out.push('%');
                continue;
            }
            let value = match (name, values.first()) {
                (Some((name, _)), Some(RubyValue::Hash(hash))) => hash.get(&RubyValue::sym(name)),
                (Some(_), _) => None,
                (None, _) => next.next().cloned(),
            };
            let Some(value) = value else { return Ok(self.unknown(frame, node, "this format is not supported")) };
            let text =
                if kind == 'p' { self.inspect(&value, MAX_NESTING).ok_or(()) } else { self.text_of(frame, node, &value)?.map_err(|_| ()) };
            match text {
                Ok(text) => out.push_str(&text),
                Err(()) => return Ok(self.unknown(frame, node, "this format is not supported")),
            }
        }
        out.push_str(rest);
        Ok(RubyValue::str(out))
    }
}

/// `Hash.new(default)` and `Hash.new { |hash, key| … }`.
pub fn new_hash<'w>(given: &CallArguments<'w>) -> RubyValue<'w> {
    let default = given.plain.first().cloned().unwrap_or(RubyValue::Nil);
    RubyValue::Hash(Rc::new(HashObject { pairs: RefCell::default(), default: RefCell::new(default), default_block: given.block.clone() }))
}

impl<'w> Evaluator<'_, 'w> {
    /// `Array.new(count, value)` and `Array.new(count) { |i| … }`.
    pub(super) fn new_array(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>, given: &CallArguments<'w>) -> Eval<'w> {
        let count = match given.plain.first() {
            None => 0,
            Some(RubyValue::Int(n)) => usize::try_from(*n).unwrap_or(0),
            Some(RubyValue::Array(items)) => return Ok(RubyValue::array(items.borrow().0.clone())),
            Some(_) => return Ok(self.unknown(frame, node, "the size of a list is not known")),
        };
        self.budget.spend_bytes(count.saturating_mul(16)).ok_or(super::Flow::Exhausted)?;
        let mut items = Vec::new();
        for i in 0..count {
            items.push(match &given.block {
                Some(block) => self.call(&Rc::clone(block), CallArguments::of(vec![RubyValue::int(i)]))?,
                None => given.plain.get(1).cloned().unwrap_or(RubyValue::Nil),
            });
        }
        Ok(RubyValue::array(items))
    }

    /// `Hash[pairs]`.
    pub(super) fn hash_from(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>, given: &CallArguments<'w>) -> RubyValue<'w> {
        match given.plain.as_slice() {
            [hash @ RubyValue::Hash(_)] => hash.copied(),
            [RubyValue::Array(items)] => {
                pairs_of(&items.borrow()).map_or_else(|| self.unknown(frame, node, "these pairs are not known"), RubyValue::hash)
            }
            [] => RubyValue::hash(given.named.clone()),
            all => {
                let pairs = all.chunks(2).map(|pair| match pair {
                    [key, value] => Some((key.clone(), value.clone())),
                    _ => None,
                });
                pairs.collect::<Option<Vec<_>>>().map_or_else(|| self.unknown(frame, node, "these pairs are not known"), RubyValue::hash)
            }
        }
    }

    /// Returns the condition that is not known and decides whether the running code runs.
    pub(super) fn doubtful(&self) -> Option<Rc<super::Unknown>> {
        self.doubt.last().cloned()
    }
}

/// Returns the pairs of a list of lists of two.
pub fn pairs_of<'w>(items: &[RubyValue<'w>]) -> Option<Vec<(RubyValue<'w>, RubyValue<'w>)>> {
    items
        .iter()
        .map(|item| match item {
            RubyValue::Array(pair) => match pair.borrow().as_slice() {
                [key, value] => Some((key.clone(), value.clone())),
                _ => None,
            },
            _ => None,
        })
        .collect()
}
