//! What it does: Reports lookups of keys that a map does not have: strings in a map of symbols, symbols in a declared map, and
//! constant keys that a constant map lacks.
//!
//! Why: The result is always nil. The keys of maps in manifests and data are strings, and a string never equals a symbol.
//!
//! Example:
//!
//! ```rtype
//! const UNITS = {"k" => 1024, "m" => 1048576}
//!
//! type door {
//!   newparam name
//!   newproperty size {
//!     munge { |value| value.to_i * UNITS[:k] }
//!   }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! const UNITS = {"k" => 1024, "m" => 1048576}
//!
//! type door {
//!   newparam name
//!   newproperty size {
//!     munge { |value| value.to_i * UNITS["k"] }
//!   }
//! }
//! ```
//!
//! Fix: unsafe; writes the similar key.

use crate::check::blocks::{blocks, typing};
use rtype_lang::typing::{Attributes, Kinds, PossibleValues};
use crate::check::{Sink, TypeSubject};
use rtype_lang::diagnostics::nearest;
use rtype_lang::types::builtin::Method;
use rtype_lang::types::{Node, Op, TypeDef, ValueStep};
use rtype_lang::value::{DataType, Value, inspect};

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let attributes = Attributes::new(subject.type_def);
    for block in blocks(subject.type_def) {
        let typing = typing(&attributes, &block);
        block.code.inner.body.walk(&mut |node| {
            let (map, key) = match &node.op {
                Op::Index(map, keys) => match keys.as_slice() {
                    [key] => (map, key),
                    _ => return,
                },
                Op::Method(Method::Fetch | Method::Dig | Method::IsKey | Method::HasKey, map, keys, None) => match keys.as_slice() {
                    [key, ..] => (map, key),
                    [] => return,
                },
                _ => return,
            };
            let Some(keys) = keys(subject.type_def, map) else { return };
            let asked = typing.of(key);
            if keys.iter().all(|known| PossibleValues::excludes(known, &asked)) {
                report(&keys, key, sink);
            }
        });
    }
}

fn report(keys: &[PossibleValues], key: &Node, sink: &mut Sink<'_>) {
    let known: Vec<&Value> = keys.iter().filter_map(|possible| possible.only.as_ref()?.first()).collect();
    let Op::Const(wanted) = &key.op else {
        let kinds = keys.first().map(|possible| possible.kinds.words()).unwrap_or_default();
        let help = if kinds.contains("symbol") { "convert the key: `map[key.to_sym]`" } else { "convert the key: `map[key.to_s]`" };
        sink.report(sink.finding(key.span, format!("this key is never found: each key of the map is {kinds}")).help(help));
        return;
    };
    let found = sink.finding(key.span, format!("the map has no key `{}`", inspect(wanted)));
    let text = wanted.to_text();
    let texts: Vec<String> = known.iter().map(|known| known.to_text().to_string()).collect();
    let near = nearest(&text, texts.iter().map(String::as_str)).and_then(|near| known.iter().find(|known| known.to_text() == near));
    sink.report(match near {
        Some(near) => {
            let near = inspect(near);
            found.help(format!("did you mean `{near}`?")).unsafe_fix(format!("make it `{near}`"), key.span, near)
        }
        None if known.is_empty() => {
            let text = inspect(&Value::Str(text));
            found.help(format!("its keys are strings: write `{text}`")).unsafe_fix(format!("make it `{text}`"), key.span, text)
        }
        None => {
            let all: Vec<String> = known.iter().take(8).map(|known| format!("`{}`", inspect(known))).collect();
            found.help(format!("its keys are {}", all.join(", ")))
        }
    });
}

/// Returns the possible values of each key in a map; a constant key has a single possible value.
fn keys(type_def: &TypeDef, map: &Node) -> Option<Vec<PossibleValues>> {
    match &map.op {
        Op::Const(Value::Map(map)) if !map.is_empty() => Some(map.keys().map(PossibleValues::value).collect()),
        Op::Map(pairs) if !pairs.is_empty() => {
            pairs.iter().map(|(key, _)| if let Op::Const(key) = &key.op { Some(PossibleValues::value(key)) } else { None }).collect()
        }
        Op::SelfAttr(id) => {
            let attribute = type_def.attribute(*id)?;
            let is_converted = attribute.munge.steps.iter().any(|step| !matches!(step, ValueStep::Values)) || attribute.unmunge.is_some();
            let is_computed = attribute.should.is_some() || attribute.native.is_some() || type_def.canonicalize.is_some();
            if is_converted || is_computed {
                return None;
            }
            of_type(attribute.data_type.as_ref()?)
        }
        _ => None,
    }
}

/// Returns the possible keys in a declared map with a data type.
fn of_type(data_type: &DataType) -> Option<Vec<PossibleValues>> {
    match data_type {
        DataType::Optional(inner) | DataType::Sensitive(inner) => of_type(inner),
        // A string of unknown text.
        DataType::Hash(keys, ..) if matches!(**keys, DataType::String(..) | DataType::Enum(..) | DataType::Pattern(..)) => {
            Some(vec![PossibleValues::kinds(Kinds::STR)])
        }
        // Keys in manifests and data are never symbols, but may be numbers.
        DataType::Hash(..) => Some(vec![PossibleValues::kinds(Kinds::DECLARED)]),
        DataType::Struct(members) => Some(members.iter().map(|member| PossibleValues::value(&Value::str(member.name.as_str()))).collect()),
        _ => None,
    }
}
