//! Lists and hashes: elements, keys and changes.

use super::frame::Arguments;
use super::journal::Storage;
use super::value::{Contents, HashContent, HashKey, RuntimeValue, SharedCell};
use super::{Eval, Flow, Interpreter};
use std::rc::Rc;

/// The maximum nesting for keys and compared values.
pub(crate) const MAX_NESTING: usize = 100;

impl Interpreter<'_> {
    pub(crate) fn check_known<T: Contents>(&self, cell: &SharedCell<T>) -> Eval<()> {
        match &*cell.lost.borrow() {
            Some(why) => Err(Flow::Unknown(Rc::clone(why))),
            None => Ok(()),
        }
    }

    /// Returns the elements of a list.
    pub(crate) fn items(&mut self, list: &SharedCell<Vec<RuntimeValue>>) -> Eval<Vec<RuntimeValue>> {
        self.check_known(list)?;
        let items = list.content.borrow().clone();
        self.spend(items.len() as u64 / 8)?;
        Ok(items)
    }

    /// Returns the pairs of a hash.
    pub(crate) fn hash_pairs(&mut self, hash: &SharedCell<HashContent>) -> Eval<Vec<(RuntimeValue, RuntimeValue)>> {
        self.check_known(hash)?;
        let pairs: Vec<_> = hash.content.borrow().entries.values().cloned().collect();
        self.spend(pairs.len() as u64 / 4)?;
        Ok(pairs)
    }

    pub(crate) fn frozen<T>(&mut self, value: &RuntimeValue) -> Eval<T> {
        let class = self.real_class_name(value);
        let shown = match self.inspect(value) {
            Err(Flow::Unknown(_)) => format!("#<{class}>"),
            shown => shown?,
        };
        self.raise("FrozenError", format!("can't modify frozen {class}: {shown}"))
    }

    /// Prepares a list for a change.
    pub(crate) fn change_array(&mut self, list: &Rc<SharedCell<Vec<RuntimeValue>>>) -> Eval<()> {
        if list.frozen.get() {
            return self.frozen(&RuntimeValue::Array(Rc::clone(list)));
        }
        self.check_known(&**list)?;
        self.touch(|| Storage::Array(Rc::clone(list)))
    }

    /// Prepares a hash for a change.
    pub(crate) fn change_hash(&mut self, hash: &Rc<SharedCell<HashContent>>) -> Eval<()> {
        if hash.frozen.get() {
            return self.frozen(&RuntimeValue::Hash(Rc::clone(hash)));
        }
        self.check_known(&**hash)?;
        self.touch(|| Storage::Hash(Rc::clone(hash)))
    }

    /// Replaces a string's characters.
    pub(crate) fn set_str(&mut self, cell: &Rc<SharedCell<String>>, text: String) -> Eval<()> {
        if cell.frozen.get() {
            return self.frozen(&RuntimeValue::Str(Rc::clone(cell)));
        }
        self.check_known(&**cell)?;
        self.touch(|| Storage::Str(Rc::clone(cell)))?;
        self.spend_bytes(text.len())?;
        *cell.content.borrow_mut() = text;
        Ok(())
    }

    /// Returns a value's key in hashes.
    pub(crate) fn hash_key(&mut self, value: &RuntimeValue) -> Eval<HashKey> {
        self.hash_key_within(value, MAX_NESTING)
    }

    fn hash_key_within(&mut self, value: &RuntimeValue, depth: usize) -> Eval<HashKey> {
        let Some(depth) = depth.checked_sub(1) else { return self.unknown_because("keys nest too deeply") };
        self.spend(1)?;
        Ok(match value {
            RuntimeValue::Nil => HashKey::Nil,
            RuntimeValue::Bool(value) => HashKey::Bool(*value),
            RuntimeValue::Int(number) => HashKey::Int(*number),
            RuntimeValue::Float(number) => HashKey::Float(if *number == 0.0 { 0 } else { number.to_bits() }),
            RuntimeValue::Sym(name) => HashKey::Sym(name.clone()),
            RuntimeValue::Str(_) => HashKey::Str(self.text_of(value)?),
            RuntimeValue::Class(class) => HashKey::Class(*class),
            RuntimeValue::Array(list) => {
                let items = self.items(list)?;
                HashKey::Array(items.iter().map(|item| self.hash_key_within(item, depth)).collect::<Eval<_>>()?)
            }
            RuntimeValue::Hash(hash) => {
                let mut pairs = Vec::new();
                for (key, value) in self.hash_pairs(hash)? {
                    pairs.push((self.hash_key_within(&key, depth)?, self.hash_key_within(&value, depth)?));
                }
                // The pairs' order does not matter.
                let mut hashed: Vec<(u64, (HashKey, HashKey))> = pairs.into_iter().map(|pair| (digest(&pair), pair)).collect();
                hashed.sort_by_key(|(digest, _)| *digest);
                HashKey::Pairs(hashed.into_iter().map(|(_, pair)| pair).collect())
            }
            RuntimeValue::Range(range) => {
                let low = self.hash_key_within(&range.low, depth)?;
                HashKey::Range(Box::new((low, self.hash_key_within(&range.high, depth)?, range.exclusive)))
            }
            RuntimeValue::Regex(regex) => HashKey::Array(vec![
                HashKey::Str(regex.source.to_string()),
                HashKey::Bool(regex.flags.ignore_case),
                HashKey::Bool(regex.flags.multi_line),
                HashKey::Bool(regex.flags.extended),
            ]),
            RuntimeValue::Object(object) => {
                let class = self.class_of(value);
                let entry = self.find_method(class, &"hash".into());
                let is_own = entry.is_some_and(|entry| {
                    self.classes.get(entry.owner).is_none_or(|owner| !owner.is_core) || entry.owner != self.known.kernel
                });
                if is_own {
                    match self.send(value, "hash", Arguments::default())? {
                        RuntimeValue::Int(number) => HashKey::Hashed(number),
                        _ => return self.unknown_because("the hash of this object is not known"),
                    }
                } else {
                    HashKey::Identity(Rc::as_ptr(object) as usize)
                }
            }
            RuntimeValue::Unknown(why) => return Err(Flow::Unknown(Rc::clone(why))),
            other => HashKey::Identity(other.address().unwrap_or(0)),
        })
    }

    /// Returns a value's key, and the stored value: strings are copied and frozen.
    pub(crate) fn prepared_key(&mut self, value: RuntimeValue) -> Eval<(HashKey, RuntimeValue)> {
        let key = self.hash_key(&value)?;
        let stored = match (&key, &value) {
            (HashKey::Str(text), RuntimeValue::Str(cell)) if !cell.frozen.get() => {
                let copy = SharedCell::new(text.clone());
                copy.frozen.set(true);
                RuntimeValue::Str(copy)
            }
            _ => value,
        };
        Ok((key, stored))
    }

    /// Returns the value for a key. Objects with the same hash have to be `eql?`.
    pub(crate) fn find_in_hash(&mut self, hash: &SharedCell<HashContent>, key: &RuntimeValue) -> Eval<Option<RuntimeValue>> {
        self.check_known(hash)?;
        let hash_key = self.hash_key(key)?;
        let found = hash.content.borrow().entries.get(&hash_key).cloned();
        let Some((stored, value)) = found else { return Ok(None) };
        if matches!(hash_key, HashKey::Hashed(_)) && !stored.is_same(key) {
            let is_equal = self.send(key, "eql?", Arguments::of(vec![stored]))?;
            if !is_equal.truth().map_err(Flow::Unknown)? {
                return self.unknown_because("different objects have the same hash");
            }
        }
        Ok(Some(value))
    }

    /// Evaluates `hash[key]`, with the hash's default.
    pub(crate) fn hash_get(&mut self, hash: &Rc<SharedCell<HashContent>>, key: &RuntimeValue) -> Eval {
        if let Some(value) = self.find_in_hash(hash, key)? {
            return Ok(value);
        }
        let (default, default_proc) = {
            let content = hash.content.borrow();
            (content.default.clone(), content.default_proc.clone())
        };
        match default_proc {
            RuntimeValue::Proc(block) => {
                let given = Arguments::of(vec![RuntimeValue::Hash(Rc::clone(hash)), key.clone()]);
                self.call_proc(&block, given)
            }
            RuntimeValue::Unknown(why) => Err(Flow::Unknown(why)),
            _ => Ok(default),
        }
    }

    pub(crate) fn hash_set(&mut self, hash: &Rc<SharedCell<HashContent>>, key: RuntimeValue, value: RuntimeValue) -> Eval<()> {
        self.change_hash(hash)?;
        if self.find_in_hash(hash, &key)?.is_none() && hash.content.borrow().iterations > 0 {
            return self.raise("RuntimeError", "can't add a new key into hash during iteration");
        }
        let (hash_key, key) = self.prepared_key(key)?;
        self.spend_bytes(64)?;
        let mut content = hash.content.borrow_mut();
        match content.entries.get_mut(&hash_key) {
            Some(entry) => entry.1 = value,
            None => {
                content.entries.insert(hash_key, (key, value));
            }
        }
        Ok(())
    }

    pub(crate) fn hash_delete(&mut self, hash: &Rc<SharedCell<HashContent>>, key: &RuntimeValue) -> Eval<Option<RuntimeValue>> {
        self.change_hash(hash)?;
        let found = self.find_in_hash(hash, key)?;
        if found.is_some() {
            let hash_key = self.hash_key(key)?;
            hash.content.borrow_mut().entries.shift_remove(&hash_key);
        }
        Ok(found)
    }

    /// Returns a value's `hash` number.
    pub(crate) fn hash_number(&mut self, value: &RuntimeValue) -> Eval<i64> {
        if !self.is_strict {
            // Ruby's hash numbers differ between processes.
            return self.unknown_because("numbers of `hash` are not known");
        }
        let key = self.hash_key(value)?;
        Ok((digest(&key) >> 2) as i64)
    }
}

/// Returns the same number for equal keys.
fn digest(key: &impl std::hash::Hash) -> u64 {
    use std::hash::Hasher;
    let mut hasher = std::hash::DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}
