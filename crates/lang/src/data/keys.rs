//! Collects the pairs of a map, with or without repeated keys.

use super::node::{DataNode, Kind};
use crate::debug::structure;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Write;

/// A map that is being read.
#[derive(Default)]
pub(super) struct Pairs {
    pairs: Vec<(DataNode, DataNode)>,
    /// The position of each pair by its key's identity, and `true` if the pair is written in this map, not in a merged map.
    found: HashMap<String, (usize, bool)>,
    /// `true` if a repeated key is kept as a further pair, which the reader of the map reports.
    keeps_repeated: bool,
}

/// The map has keys such as `1` and `1.0`: two keys in Ruby, one key in rtype.
pub(super) struct EqualNumbers(pub Box<DataNode>);

impl Pairs {
    /// Creates an empty map that keeps repeated keys, or only the last value of each key.
    pub(super) fn new(keeps_repeated: bool) -> Pairs {
        Pairs { keeps_repeated, ..Pairs::default() }
    }

    /// Adds a pair. If the key exists, the new value replaces the earlier value at the earlier position, as in Ruby.
    pub(super) fn insert(&mut self, key: DataNode, value: DataNode) -> Result<(), EqualNumbers> {
        self.put(key, value, true)
    }

    fn put(&mut self, key: DataNode, value: DataNode, explicit: bool) -> Result<(), EqualNumbers> {
        let mut identity = String::new();
        identify(&key, &mut identity);
        match self.found.entry(identity) {
            Entry::Vacant(entry) => {
                entry.insert((self.pairs.len(), explicit));
                self.pairs.push((key, value));
                Ok(())
            }
            Entry::Occupied(mut entry) => {
                let (at, was_explicit) = *entry.get();
                entry.insert((at, explicit));
                let Some(pair) = self.pairs.get_mut(at) else { return Ok(()) };
                let is_same_kind = std::mem::discriminant(&pair.0.kind) == std::mem::discriminant(&key.kind);
                if !is_same_kind {
                    return Err(EqualNumbers(Box::new(key)));
                }
                if self.keeps_repeated && explicit && was_explicit {
                    self.pairs.push((key, value));
                } else {
                    *pair = (key, value);
                }
                Ok(())
            }
        }
    }

    /// Adds the pairs in the map below `<<`, or in a list of maps, where earlier maps have precedence. Returns `false` for other
    /// values, for which `<<` is an ordinary key.
    pub(super) fn merge(&mut self, value: &DataNode, in_list: bool) -> bool {
        let maps: Vec<&DataNode> = match &value.kind {
            Kind::Object(_) => vec![value],
            Kind::Array(items) if in_list => items.iter().rev().collect(),
            _ => return false,
        };
        let mut merged = Pairs::default();
        for map in maps {
            let Kind::Object(pairs) = &map.kind else { return false };
            for (key, value) in pairs {
                // Equal numbers have been reported in the merged map.
                let _ = merged.put(key.clone(), value.clone(), false);
            }
        }
        for (key, value) in merged.pairs {
            let _ = self.put(key, value, false);
        }
        true
    }

    pub(super) fn into_pairs(self) -> Vec<(DataNode, DataNode)> {
        self.pairs
    }
}

/// Writes the identity of a key: equal keys have the same string.
fn identify(key: &DataNode, out: &mut String) {
    // Writing to a String cannot fail.
    let _ = match &key.kind {
        Kind::Null => write!(out, "n"),
        Kind::Bool(b) => write!(out, "b{b}"),
        Kind::Int(n) => write!(out, "#{}", *n as f64),
        Kind::Float(n) => write!(out, "#{n}"),
        Kind::Str(text) => write!(out, "s{}:{text}", text.len()),
        Kind::Bytes(bytes) => write!(out, "x{}", structure(bytes)),
        Kind::Array(items) => {
            out.push('[');
            items.iter().for_each(|item| identify(item, out));
            write!(out, "]")
        }
        Kind::Object(pairs) => {
            let mut all: Vec<String> = Vec::new();
            for (key, value) in pairs {
                let mut one = String::new();
                identify(key, &mut one);
                identify(value, &mut one);
                all.push(one);
            }
            all.sort_unstable();
            write!(out, "{{{}}}", all.concat())
        }
    };
}
