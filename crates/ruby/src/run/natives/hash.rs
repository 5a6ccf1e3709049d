//! Hashes. Methods that only read pairs with a block are in `prelude/hash.rb`.

use super::super::frame::Arguments;
use super::super::value::{HashContent, RuntimeValue, SharedCell};
use super::super::{Eval, Interpreter};
use super::{Call, MANY, NativeMethod, known};
use std::rc::Rc;

fn own(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval<Rc<SharedCell<HashContent>>> {
    match &call.receiver {
        RuntimeValue::Hash(hash) => Ok(Rc::clone(hash)),
        _ => run.unknown_because("this receiver is not supported"),
    }
}

fn pairs(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval<Vec<(RuntimeValue, RuntimeValue)>> {
    let hash = own(run, call)?;
    run.hash_pairs(&hash)
}

pub(super) const METHODS: &[NativeMethod] = &[
    ("[]", 1, 1, |run, call| {
        let hash = own(run, call)?;
        if run.find_in_hash(&hash, &call.arg(0))?.is_none() && hash.content.borrow().default_proc.is_nil() {
            let class = run.class_of(&call.receiver);
            let is_changed =
                run.find_method(class, &"default".into()).is_some_and(|entry| !matches!(entry.body, super::MethodBody::Native(..)));
            if is_changed {
                return run.send(&call.receiver, "default", Arguments::of(vec![call.arg(0)]));
            }
        }
        run.hash_get(&hash, &call.arg(0))
    }),
    ("[]=", 2, 2, store),
    ("store", 2, 2, store),
    ("key?", 1, 1, has_key),
    ("has_key?", 1, 1, has_key),
    ("include?", 1, 1, has_key),
    ("member?", 1, 1, has_key),
    ("delete", 1, 1, |run, call| {
        let hash = own(run, call)?;
        match (run.hash_delete(&hash, &call.arg(0))?, call.block()) {
            (Some(value), _) => Ok(value),
            (None, Some(block)) => run.call_proc(&block, Arguments::of(vec![call.arg(0)])),
            (None, None) => Ok(RuntimeValue::Nil),
        }
    }),
    ("keys", 0, 0, |run, call| {
        let keys = pairs(run, call)?.into_iter().map(|(key, _)| key).collect();
        run.new_array(keys)
    }),
    ("values", 0, 0, |run, call| {
        let values = pairs(run, call)?.into_iter().map(|(_, value)| value).collect();
        run.new_array(values)
    }),
    ("length", 0, 0, |run, call| Ok(RuntimeValue::count(pairs(run, call)?.len()))),
    ("size", 0, 0, |run, call| Ok(RuntimeValue::count(pairs(run, call)?.len()))),
    ("empty?", 0, 0, |run, call| Ok(RuntimeValue::Bool(pairs(run, call)?.is_empty()))),
    ("to_hash", 0, 0, |_, call| Ok(call.receiver.clone())),
    ("to_a", 0, 0, |run, call| {
        let mut all = Vec::new();
        for (key, value) in pairs(run, call)? {
            all.push(run.new_array(vec![key, value])?);
        }
        run.new_array(all)
    }),
    ("each", 0, 0, each),
    ("each_pair", 0, 0, each),
    ("clear", 0, 0, |run, call| {
        let hash = own(run, call)?;
        run.change_hash(&hash)?;
        hash.content.borrow_mut().entries.clear();
        Ok(call.receiver.clone())
    }),
    ("replace", 1, 1, |run, call| {
        let (hash, RuntimeValue::Hash(other)) = (own(run, call)?, known(&call.arg(0))?.clone()) else {
            return run.no_conversion(&call.arg(0), "Hash");
        };
        run.change_hash(&hash)?;
        run.check_known(&*other)?;
        let entries = other.content.borrow().entries.clone();
        run.spend_bytes(entries.len() * 64)?;
        hash.content.borrow_mut().entries = entries;
        Ok(call.receiver.clone())
    }),
    ("shift", 0, 0, |run, call| {
        let hash = own(run, call)?;
        run.change_hash(&hash)?;
        let first = hash.content.borrow_mut().entries.shift_remove_index(0);
        match first {
            Some((_, (key, value))) => run.new_array(vec![key, value]),
            None => Ok(RuntimeValue::Nil),
        }
    }),
    ("default", 0, 1, |run, call| Ok(own(run, call)?.content.borrow().default.clone())),
    ("default=", 1, 1, |run, call| {
        let hash = own(run, call)?;
        run.change_hash(&hash)?;
        let mut content = hash.content.borrow_mut();
        content.default = call.arg(0);
        content.default_proc = RuntimeValue::Nil;
        drop(content);
        Ok(call.arg(0))
    }),
    ("default_proc", 0, 0, |run, call| Ok(own(run, call)?.content.borrow().default_proc.clone())),
    ("default_proc=", 1, 1, |run, call| {
        let hash = own(run, call)?;
        run.change_hash(&hash)?;
        hash.content.borrow_mut().default_proc = call.arg(0);
        Ok(call.arg(0))
    }),
    ("eql?", 1, 1, |run, call| super::object::eql(run, &call.receiver, &call.arg(0)).map(RuntimeValue::Bool)),
    ("hash", 0, 0, |run, call| run.hash_number(&call.receiver).map(RuntimeValue::Int)),
    ("inspect", 0, 0, text),
    ("to_s", 0, 0, text),
    ("rehash", 0, 0, |run, call| {
        let hash = own(run, call)?;
        run.change_hash(&hash)?;
        let mut entries = indexmap::IndexMap::new();
        for (key, value) in run.hash_pairs(&hash)? {
            entries.entry(run.hash_key(&key)?).or_insert((key, value));
        }
        hash.content.borrow_mut().entries = entries;
        Ok(call.receiver.clone())
    }),
];

pub(super) const CLASS: &[NativeMethod] = &[
    ("new", 0, 1, |run, call| {
        if call.class(run)? != run.core_class("Hash") {
            return run.unknown_because("classes below `Hash` are not supported");
        }
        if call.has(0) && call.block().is_some() {
            return run.wrong_arity(1, 0, 0);
        }
        let default_proc = call.block().map_or(RuntimeValue::Nil, RuntimeValue::Proc);
        run.spend_bytes(64)?;
        Ok(RuntimeValue::Hash(SharedCell::new(HashContent { default: call.arg(0), default_proc, ..HashContent::default() })))
    }),
    ("[]", 0, MANY, |run, call| {
        let all = call.all(run)?;
        match all.as_slice() {
            [RuntimeValue::Hash(hash)] => {
                let pairs = run.hash_pairs(hash)?;
                run.new_hash(pairs)
            }
            [RuntimeValue::Array(list)] => {
                let mut pairs = Vec::new();
                for item in run.items(list)? {
                    let pair = run.destructured(&item)?;
                    pairs.push((pair.first().cloned().unwrap_or_default(), pair.get(1).cloned().unwrap_or_default()));
                }
                run.new_hash(pairs)
            }
            list if list.len() % 2 == 0 => {
                let mut pairs = Vec::new();
                let mut rest = list.iter().cloned();
                while let (Some(key), Some(value)) = (rest.next(), rest.next()) {
                    pairs.push((key, value));
                }
                run.new_hash(pairs)
            }
            _ => run.raise("ArgumentError", "odd number of arguments for Hash"),
        }
    }),
];

fn text(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let shown = run.inspect(&call.receiver)?;
    run.new_str(shown)
}

fn store(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let hash = own(run, call)?;
    run.hash_set(&hash, call.arg(0), call.arg(1))?;
    Ok(call.arg(1))
}

fn has_key(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let hash = own(run, call)?;
    Ok(RuntimeValue::Bool(run.find_in_hash(&hash, &call.arg(0))?.is_some()))
}

fn each(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let Some(block) = call.block() else { return run.enumerator(call) };
    let hash = own(run, call)?;
    run.check_known(&*hash)?;
    hash.content.borrow_mut().iterations += 1;
    let result = each_pair(run, &hash, &block);
    let mut content = hash.content.borrow_mut();
    content.iterations = content.iterations.saturating_sub(1);
    drop(content);
    result.map(|()| call.receiver.clone())
}

fn each_pair(run: &mut Interpreter<'_>, hash: &Rc<SharedCell<HashContent>>, block: &Rc<super::ProcCell>) -> Eval<()> {
    for (key, value) in run.hash_pairs(hash)? {
        // The block may delete pairs.
        if run.find_in_hash(hash, &key)?.is_none() {
            continue;
        }
        let pair = run.new_array(vec![key, value])?;
        run.call_proc(block, Arguments::of(vec![pair]))?;
    }
    Ok(())
}
