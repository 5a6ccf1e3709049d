//! Hashes from paths with values.

use super::argument;
use super::convert::{Answer, Lambda, hash};
use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::value::ManifestValue;
use indexmap::IndexMap;

/// A tree under construction.
enum Node {
    Leaf(ManifestValue),
    Inner(IndexMap<ManifestValue, Node>),
}

/// Creates a hash from paths with values.
pub fn hash_tree(context: &mut CallContext<'_>, arguments: &[ManifestValue], lambda: Lambda<'_>) -> Answer {
    let Some(option) = arguments.get(1).and_then(ManifestValue::as_str) else { return hash(context, arguments, lambda) };
    let all_hashes = option == "hash_tree";
    let mut root: IndexMap<ManifestValue, Node> = IndexMap::new();
    for entry in argument(arguments, 0).as_array().unwrap_or_default() {
        let Some([ManifestValue::Array(path), value]) = entry.as_array() else { continue };
        if !insert(&mut root, path, value, all_hashes) {
            return Err(EvaluationFailure::unsupported("a tree with a path through a value"));
        }
    }
    Ok(finished(Node::Inner(root)))
}

/// Sets the value of a path. Returns `false` if the path leads through an array or value.
fn insert(tree: &mut IndexMap<ManifestValue, Node>, path: &[ManifestValue], value: &ManifestValue, all_hashes: bool) -> bool {
    let as_node = |value: &ManifestValue| if all_hashes { Node::Leaf(as_hash(value)) } else { Node::Leaf(value.clone()) };
    match path {
        [] => {
            let entries: Vec<(ManifestValue, ManifestValue)> = match value {
                ManifestValue::Array(elements) => {
                    (0_i64..).zip(elements.iter()).map(|(at, v)| (ManifestValue::Integer(at), v.clone())).collect()
                }
                ManifestValue::Hash(map) => map.iter().map(|(k, v)| (k.clone(), v.clone())).collect(),
                _ => return false,
            };
            for (key, value) in entries {
                tree.insert(key, Node::Leaf(value));
            }
            true
        }
        [key] => {
            tree.insert(key.clone(), as_node(value));
            true
        }
        [key, rest @ ..] => {
            let node = tree.entry(key.clone()).or_insert_with(|| Node::Inner(IndexMap::new()));
            if let Node::Leaf(ManifestValue::Hash(map)) = node {
                let inner = map.iter().map(|(k, v)| (k.clone(), Node::Leaf(v.clone()))).collect();
                *node = Node::Inner(inner);
            }
            match node {
                Node::Inner(inner) => insert(inner, rest, value, all_hashes),
                Node::Leaf(ManifestValue::Array(elements)) => match insert_element(elements, rest, value) {
                    Some(changed) => {
                        *node = Node::Leaf(changed);
                        true
                    }
                    None => false,
                },
                Node::Leaf(_) => false,
            }
        }
    }
}

/// Sets an element of an array.
fn insert_element(elements: &[ManifestValue], path: &[ManifestValue], value: &ManifestValue) -> Option<ManifestValue> {
    let [ManifestValue::Integer(at)] = path else { return None };
    let at = usize::try_from(*at).ok().filter(|at| *at < 100_000)?;
    let mut changed = elements.to_vec();
    if changed.len() <= at {
        changed.resize(at + 1, ManifestValue::Undef);
    }
    *changed.get_mut(at)? = value.clone();
    Some(ManifestValue::array(changed))
}

fn as_hash(value: &ManifestValue) -> ManifestValue {
    match value {
        ManifestValue::Array(elements) => {
            ManifestValue::hash((0_i64..).zip(elements.iter()).map(|(at, v)| (ManifestValue::Integer(at), as_hash(v))))
        }
        other => other.clone(),
    }
}

fn finished(node: Node) -> ManifestValue {
    match node {
        Node::Leaf(value) => value,
        Node::Inner(map) => ManifestValue::hash(map.into_iter().map(|(key, node)| (key, finished(node)))),
    }
}
