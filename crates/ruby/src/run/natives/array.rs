//! Lists. Methods that only read elements with a block are in `prelude/array.rb`.

use super::super::frame::Arguments;
use super::super::value::{HashKey, RuntimeValue, SharedCell};
use super::super::{Eval, Flow, Interpreter};
use super::{Call, MANY, NativeMethod, known};
use std::cmp::Ordering;
use std::collections::HashSet;
use std::rc::Rc;

/// The list that is the receiver.
type ListCell = Rc<SharedCell<Vec<RuntimeValue>>>;

fn own(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval<ListCell> {
    match &call.receiver {
        RuntimeValue::Array(list) => Ok(Rc::clone(list)),
        _ => run.unknown_because("this receiver is not supported"),
    }
}

fn items(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval<Vec<RuntimeValue>> {
    let list = own(run, call)?;
    run.items(&list)
}

/// Converts an argument to a list's elements, or raises an error.
fn list_argument(run: &mut Interpreter<'_>, value: &RuntimeValue) -> Eval<Vec<RuntimeValue>> {
    match known(value)? {
        RuntimeValue::Array(list) => run.items(list),
        object @ RuntimeValue::Object(_) if run.responds(object, "to_ary") => run.destructured(object),
        other => run.no_conversion(other, "Array"),
    }
}

/// Changes the elements of the receiver.
fn change(run: &mut Interpreter<'_>, call: &Call<'_>, edit: impl FnOnce(&mut Vec<RuntimeValue>)) -> Eval {
    let list = own(run, call)?;
    run.change_array(&list)?;
    edit(&mut list.content.borrow_mut());
    Ok(call.receiver.clone())
}

pub(super) const METHODS: &[NativeMethod] = &[
    ("length", 0, 0, |run, call| Ok(RuntimeValue::count(items(run, call)?.len()))),
    ("size", 0, 0, |run, call| Ok(RuntimeValue::count(items(run, call)?.len()))),
    ("empty?", 0, 0, |run, call| Ok(RuntimeValue::Bool(items(run, call)?.is_empty()))),
    ("to_a", 0, 0, |_, call| Ok(call.receiver.clone())),
    ("to_ary", 0, 0, |_, call| Ok(call.receiver.clone())),
    ("entries", 0, 0, |run, call| {
        let all = items(run, call)?;
        run.new_array(all)
    }),
    ("at", 1, 1, |run, call| slice(run, call)),
    ("[]", 1, 2, |run, call| slice(run, call)),
    ("slice", 1, 2, |run, call| slice(run, call)),
    ("[]=", 2, 3, set_slice),
    ("first", 0, 1, |run, call| ends(run, call, true)),
    ("last", 0, 1, |run, call| ends(run, call, false)),
    ("push", 0, MANY, push),
    ("append", 0, MANY, push),
    ("<<", 1, 1, push),
    ("pop", 0, 1, |run, call| remove(run, call, false)),
    ("shift", 0, 1, |run, call| remove(run, call, true)),
    ("unshift", 0, MANY, unshift),
    ("prepend", 0, MANY, unshift),
    ("insert", 1, MANY, insert),
    ("concat", 0, MANY, |run, call| {
        let mut more = Vec::new();
        for list in &call.arguments.positional {
            more.extend(list_argument(run, list)?);
        }
        run.spend_bytes(more.len() * 16)?;
        change(run, call, |list| list.append(&mut more))
    }),
    ("clear", 0, 0, |run, call| change(run, call, Vec::clear)),
    ("replace", 1, 1, |run, call| {
        let new = list_argument(run, &call.arg(0))?;
        run.spend_bytes(new.len() * 16)?;
        change(run, call, |list| *list = new)
    }),
    ("delete_at", 1, 1, |run, call| {
        let at = run.int_of(&call.arg(0))?;
        let mut removed = RuntimeValue::Nil;
        change(run, call, |list| {
            if let Some(at) = position(at, list.len()).filter(|at| *at < list.len()) {
                removed = list.remove(at);
            }
        })?;
        Ok(removed)
    }),
    ("delete", 1, 1, |run, call| {
        let mut kept = Vec::new();
        let mut found = None;
        for item in items(run, call)? {
            if run.equal(&item, &call.arg(0))? { found = Some(item) } else { kept.push(item) }
        }
        if found.is_some() {
            change(run, call, |list| *list = kept)?;
        }
        match (found, call.block()) {
            (None, Some(block)) => run.call_proc(&block, Arguments::of(vec![call.arg(0)])),
            (found, _) => Ok(found.unwrap_or_default()),
        }
    }),
    ("+", 1, 1, |run, call| {
        let mut all = items(run, call)?;
        all.extend(list_argument(run, &call.arg(0))?);
        run.new_array(all)
    }),
    ("-", 1, 1, |run, call| {
        let others = keys(run, &call.arg(0))?;
        let mut kept = Vec::new();
        for item in items(run, call)? {
            if !others.contains(&run.hash_key(&item)?) {
                kept.push(item);
            }
        }
        run.new_array(kept)
    }),
    ("&", 1, 1, |run, call| {
        let others = keys(run, &call.arg(0))?;
        let mut kept = Vec::new();
        let own = items(run, call)?;
        for item in unique(run, own)? {
            if others.contains(&run.hash_key(&item)?) {
                kept.push(item);
            }
        }
        run.new_array(kept)
    }),
    ("|", 1, 1, |run, call| {
        let mut all = items(run, call)?;
        all.extend(list_argument(run, &call.arg(0))?);
        let all = unique(run, all)?;
        run.new_array(all)
    }),
    ("*", 1, 1, |run, call| {
        if let RuntimeValue::Str(_) = call.arg(0) {
            return join(run, call);
        }
        let count = run.int_of(&call.arg(0))?;
        let Ok(count) = usize::try_from(count) else { return run.raise("ArgumentError", "argument must be non-negative") };
        let all = items(run, call)?;
        run.spend_bytes(all.len().saturating_mul(count).saturating_mul(16))?;
        let repeated = (0..count).flat_map(|_| all.iter().cloned()).collect();
        run.new_array(repeated)
    }),
    ("<=>", 1, 1, |run, call| {
        let RuntimeValue::Array(other) = call.arg(0) else { return Ok(RuntimeValue::Nil) };
        let (mine, theirs) = (items(run, call)?, run.items(&other)?);
        for (a, b) in mine.iter().zip(&theirs) {
            let order = run.send(a, "<=>", Arguments::of(vec![b.clone()]))?;
            if !matches!(order, RuntimeValue::Int(0)) {
                return Ok(order);
            }
        }
        Ok(RuntimeValue::Int(mine.len().cmp(&theirs.len()) as i64))
    }),
    ("eql?", 1, 1, |run, call| super::object::eql(run, &call.receiver, &call.arg(0)).map(RuntimeValue::Bool)),
    ("include?", 1, 1, |run, call| Ok(RuntimeValue::Bool(index_of(run, call)?.is_some()))),
    ("member?", 1, 1, |run, call| Ok(RuntimeValue::Bool(index_of(run, call)?.is_some()))),
    ("reverse", 0, 0, |run, call| {
        let mut all = items(run, call)?;
        all.reverse();
        run.new_array(all)
    }),
    ("rotate", 0, 1, |run, call| {
        let mut all = items(run, call)?;
        let by = if call.has(0) { run.int_of(&call.arg(0))? } else { 1 };
        if !all.is_empty() {
            let by = usize::try_from(by.rem_euclid(all.len() as i64)).unwrap_or(0);
            all.rotate_left(by);
        }
        run.new_array(all)
    }),
    ("flatten", 0, 1, |run, call| {
        let depth = if call.arg(0).is_nil() { -1 } else { run.int_of(&call.arg(0))? };
        let mut out = Vec::new();
        let all = items(run, call)?;
        flatten(run, all, depth, &mut out, 0)?;
        run.new_array(out)
    }),
    ("compact", 0, 0, |run, call| {
        let mut all = items(run, call)?;
        all.iter().try_for_each(|item| known(item).map(drop))?;
        all.retain(|item| !item.is_nil());
        run.new_array(all)
    }),
    ("join", 0, 1, join),
    ("values_at", 0, MANY, |run, call| {
        let all = items(run, call)?;
        let mut found = Vec::new();
        for at in &call.arguments.positional {
            let at = run.int_of(at)?;
            found.push(position(at, all.len()).and_then(|at| all.get(at).cloned()).unwrap_or_default());
        }
        run.new_array(found)
    }),
    ("take", 1, 1, |run, call| {
        let count = count_argument(run, call, "attempt to take negative size")?;
        let all = items(run, call)?.into_iter().take(count).collect();
        run.new_array(all)
    }),
    ("drop", 1, 1, |run, call| {
        let count = count_argument(run, call, "attempt to drop negative size")?;
        let all = items(run, call)?.into_iter().skip(count).collect();
        run.new_array(all)
    }),
    ("each", 0, 0, |run, call| {
        let Some(block) = call.block() else { return run.enumerator(call) };
        let list = own(run, call)?;
        let mut at = 0;
        loop {
            run.check_known(&*list)?;
            // The block may change the list.
            let Some(item) = list.content.borrow().get(at).cloned() else { return Ok(call.receiver.clone()) };
            run.spend(1)?;
            run.call_proc(&block, Arguments::of(vec![item]))?;
            at += 1;
        }
    }),
    ("sort", 0, 0, |run, call| {
        let all = items(run, call)?;
        let sorted = sort(run, all, call.block().map(RuntimeValue::Proc))?;
        run.new_array(sorted)
    }),
    ("hash", 0, 0, |run, call| run.hash_number(&call.receiver).map(RuntimeValue::Int)),
    ("inspect", 0, 0, text),
    ("to_s", 0, 0, text),
    ("__unique_by", 1, 1, |run, call| {
        let (all, by) = (items(run, call)?, list_argument(run, &call.arg(0))?);
        let mut seen = HashSet::new();
        let mut kept = Vec::new();
        for (item, key) in all.into_iter().zip(by) {
            if seen.insert(run.hash_key(&key)?) {
                kept.push(item);
            }
        }
        run.new_array(kept)
    }),
];

pub(super) const CLASS: &[NativeMethod] = &[
    ("new", 0, 2, |run, call| {
        if call.class(run)? != run.core_class("Array") {
            return run.unknown_because("classes below `Array` are not supported");
        }
        if let RuntimeValue::Array(list) = known(&call.arg(0))? {
            let all = run.items(list)?;
            return run.new_array(all);
        }
        let count = if call.has(0) { count_argument(run, call, "negative array size")? } else { 0 };
        run.spend_bytes(count.saturating_mul(16))?;
        let Some(block) = call.block() else { return run.new_array(vec![call.arg(1); count]) };
        let mut all = Vec::new();
        for at in 0..count {
            all.push(run.call_proc(&block, Arguments::of(vec![RuntimeValue::count(at)]))?);
        }
        run.new_array(all)
    }),
    ("[]", 0, MANY, |run, call| {
        let all = call.all(run)?;
        run.new_array(all)
    }),
];

fn text(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let shown = run.inspect(&call.receiver)?;
    run.new_str(shown)
}

fn count_argument(run: &mut Interpreter<'_>, call: &Call<'_>, message: &str) -> Eval<usize> {
    let count = run.int_of(&call.arg(0))?;
    match usize::try_from(count) {
        Ok(count) => Ok(count),
        Err(_) => run.raise("ArgumentError", message),
    }
}

/// Returns the position for an index that may count from the end.
pub(super) fn position(at: i64, length: usize) -> Option<usize> {
    let length = i64::try_from(length).ok()?;
    usize::try_from(if at < 0 { at + length } else { at }).ok()
}

/// Returns a range's start and length in a list or string; `None` if the start is after the end.
pub(super) fn bounds(run: &mut Interpreter<'_>, range: &RuntimeValue, length: usize) -> Eval<Option<(usize, usize)>> {
    let RuntimeValue::Range(range) = range else { return Ok(None) };
    let low = if range.low.is_nil() { 0 } else { run.int_of(&range.low)? };
    let (high, exclusive) = if range.high.is_nil() { (-1, false) } else { (run.int_of(&range.high)?, range.exclusive) };
    let Some(start) = position(low, length).filter(|start| *start <= length) else { return Ok(None) };
    let total = i64::try_from(length).unwrap_or(i64::MAX);
    let end = if high < 0 { high + total } else { high };
    let end = (if exclusive { end } else { end.saturating_add(1) }).clamp(0, total);
    let end = usize::try_from(end).unwrap_or(0);
    Ok(Some((start, end.saturating_sub(start))))
}

fn slice(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let list = own(run, call)?;
    run.check_known(&*list)?;
    let length = list.content.borrow().len();
    let (start, count) = match (known(&call.arg(0))?, call.has(1)) {
        (range @ RuntimeValue::Range(_), false) => match bounds(run, range, length)? {
            Some(bounds) => bounds,
            None => return Ok(RuntimeValue::Nil),
        },
        (at, false) => {
            let at = run.int_of(at)?;
            let found = position(at, length).and_then(|at| list.content.borrow().get(at).cloned());
            return Ok(found.unwrap_or_default());
        }
        (at, true) => {
            let (at, count) = (run.int_of(at)?, run.int_of(&call.arg(1))?);
            match (position(at, length).filter(|at| *at <= length), usize::try_from(count)) {
                (Some(at), Ok(count)) => (at, count),
                _ => return Ok(RuntimeValue::Nil),
            }
        }
    };
    let part = list.content.borrow().iter().skip(start).take(count).cloned().collect();
    run.new_array(part)
}

fn set_slice(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let list = own(run, call)?;
    run.change_array(&list)?;
    let length = list.content.borrow().len();
    let value = call.arg(call.arguments.positional.len() - 1);
    let (start, count) = match (known(&call.arg(0))?, call.has(2)) {
        (range @ RuntimeValue::Range(_), _) => match bounds(run, range, length)? {
            Some(bounds) => bounds,
            None => return run.unknown_because("this range of a list is not supported"),
        },
        (at, true) => {
            let (at, count) = (run.int_of(at)?, run.int_of(&call.arg(1))?);
            match (position(at, length), usize::try_from(count)) {
                (Some(at), Ok(count)) => (at, count),
                _ => return run.raise("IndexError", format!("index {at} too small for array; minimum: -{length}")),
            }
        }
        (at, false) => {
            let at = run.int_of(at)?;
            let Some(at) = position(at, length) else {
                return run.raise("IndexError", format!("index {at} too small for array; minimum: -{length}"));
            };
            run.spend_bytes(at.saturating_sub(length).saturating_mul(16))?;
            let mut content = list.content.borrow_mut();
            if at >= content.len() {
                content.resize(at + 1, RuntimeValue::Nil);
            }
            if let Some(slot) = content.get_mut(at) {
                slot.clone_from(&value);
            }
            return Ok(value);
        }
    };
    let new = match &value {
        RuntimeValue::Array(list) => run.items(list)?,
        other => vec![other.clone()],
    };
    run.spend_bytes((start.saturating_sub(length) + new.len()).saturating_mul(16))?;
    let mut content = list.content.borrow_mut();
    if start > content.len() {
        content.resize(start, RuntimeValue::Nil);
    }
    let end = (start + count).min(content.len());
    content.splice(start..end, new);
    drop(content);
    Ok(value)
}

fn ends(run: &mut Interpreter<'_>, call: &Call<'_>, is_first: bool) -> Eval {
    let all = items(run, call)?;
    if !call.has(0) {
        let found = if is_first { all.first() } else { all.last() };
        return Ok(found.cloned().unwrap_or_default());
    }
    let count = count_argument(run, call, "negative array size")?;
    let skip = if is_first { 0 } else { all.len().saturating_sub(count) };
    run.new_array(all.into_iter().skip(skip).take(count).collect())
}

fn push(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let mut more = call.all(run)?;
    run.spend_bytes(more.len() * 16)?;
    change(run, call, |list| list.append(&mut more))
}

fn unshift(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let more = call.all(run)?;
    run.spend_bytes(more.len() * 16)?;
    change(run, call, |list| drop(list.splice(0..0, more)))
}

fn insert(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let at = run.int_of(&call.arg(0))?;
    let more: Vec<RuntimeValue> = call.arguments.positional.iter().skip(1).cloned().collect();
    let length = items(run, call)?.len();
    let at = if at < 0 { at + 1 + i64::try_from(length).unwrap_or(0) } else { at };
    let Ok(at) = usize::try_from(at) else { return run.raise("IndexError", "index too small for array") };
    run.spend_bytes((at.saturating_sub(length) + more.len()).saturating_mul(16))?;
    change(run, call, |list| {
        if at > list.len() {
            list.resize(at, RuntimeValue::Nil);
        }
        drop(list.splice(at..at, more));
    })
}

fn remove(run: &mut Interpreter<'_>, call: &Call<'_>, is_first: bool) -> Eval {
    let count = if call.has(0) { Some(count_argument(run, call, "negative array size")?) } else { None };
    let mut removed = Vec::new();
    change(run, call, |list| {
        let wanted = count.unwrap_or(1).min(list.len());
        let range = if is_first { 0..wanted } else { list.len() - wanted..list.len() };
        removed = list.drain(range).collect();
    })?;
    match count {
        Some(_) => run.new_array(removed),
        None => Ok(removed.pop().unwrap_or_default()),
    }
}

fn keys(run: &mut Interpreter<'_>, value: &RuntimeValue) -> Eval<HashSet<HashKey>> {
    list_argument(run, value)?.iter().map(|item| run.hash_key(item)).collect()
}

fn unique(run: &mut Interpreter<'_>, all: Vec<RuntimeValue>) -> Eval<Vec<RuntimeValue>> {
    let mut seen = HashSet::new();
    let mut kept = Vec::new();
    for item in all {
        if seen.insert(run.hash_key(&item)?) {
            kept.push(item);
        }
    }
    Ok(kept)
}

fn index_of(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval<Option<usize>> {
    let mut doubt = None;
    for (at, item) in items(run, call)?.iter().enumerate() {
        match run.equal(item, &call.arg(0)) {
            Ok(true) => return Ok(Some(at)),
            Ok(false) => {}
            Err(Flow::Unknown(why)) => doubt = Some(why),
            Err(flow) => return Err(flow),
        }
    }
    doubt.map_or(Ok(None), |why| Err(Flow::Unknown(why)))
}

fn flatten(run: &mut Interpreter<'_>, items: Vec<RuntimeValue>, depth: i64, out: &mut Vec<RuntimeValue>, level: usize) -> Eval<()> {
    if level > 100 {
        return run.raise("ArgumentError", "tried to flatten recursive array");
    }
    for item in items {
        run.spend(1)?;
        match known(&item)? {
            RuntimeValue::Array(list) if depth != 0 => {
                let inner = run.items(list)?;
                flatten(run, inner, depth - 1, out, level + 1)?;
            }
            _ => out.push(item),
        }
    }
    Ok(())
}

fn join(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let separator = if call.arg(0).is_nil() { String::new() } else { run.text_of(&call.arg(0))? };
    let mut flat = Vec::new();
    let all = items(run, call)?;
    flatten(run, all, -1, &mut flat, 0)?;
    let mut text = String::new();
    for (at, item) in flat.iter().enumerate() {
        if at > 0 {
            text.push_str(&separator);
        }
        text.push_str(&run.interpolated(item)?);
        run.spend_bytes(separator.len())?;
    }
    run.new_str(text)
}

/// Sorts by `<=>` or by a block.
fn sort(run: &mut Interpreter<'_>, items: Vec<RuntimeValue>, block: Option<RuntimeValue>) -> Eval<Vec<RuntimeValue>> {
    if items.len() <= 1 {
        return Ok(items);
    }
    run.spend(items.len() as u64)?;
    let mut left = items;
    let right = left.split_off(left.len() / 2);
    let left = run.deeper(|run| sort(run, left, block.clone()))?;
    let right = run.deeper(|run| sort(run, right, block.clone()))?;
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        let order = compare(run, a, b, block.as_ref())?;
        merged.extend(if order == Ordering::Greater { right.next() } else { left.next() });
    }
    merged.extend(left);
    merged.extend(right);
    Ok(merged)
}

fn compare(run: &mut Interpreter<'_>, a: &RuntimeValue, b: &RuntimeValue, block: Option<&RuntimeValue>) -> Eval<Ordering> {
    let order = match block {
        Some(RuntimeValue::Proc(block)) => run.call_proc(block, Arguments::of(vec![a.clone(), b.clone()]))?,
        _ => run.send(a, "<=>", Arguments::of(vec![b.clone()]))?,
    };
    match known(&order)? {
        RuntimeValue::Int(number) => Ok(number.cmp(&0)),
        RuntimeValue::Float(number) => Ok(number.partial_cmp(&0.0).unwrap_or(Ordering::Equal)),
        _ => {
            let class = run.real_class_name(a);
            let other = match b {
                RuntimeValue::Nil | RuntimeValue::Bool(_) | RuntimeValue::Int(_) | RuntimeValue::Float(_) => run.inspect(b)?,
                other => run.real_class_name(other),
            };
            run.raise("ArgumentError", format!("comparison of {class} with {other} failed"))
        }
    }
}

impl Interpreter<'_> {
    /// Returns the enumerator for a method called without a block.
    pub(crate) fn enumerator(&mut self, call: &Call<'_>) -> Eval {
        let mut positional = vec![RuntimeValue::Sym(call.name.clone())];
        positional.extend(call.arguments.positional.iter().cloned());
        self.send(&call.receiver, "to_enum", Arguments::of(positional))
    }
}
