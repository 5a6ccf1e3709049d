//! `title`, `ref`, `resource`, `attributes`, `metaparams`.

use crate::eval::call::{Call, Eval};
use crate::eval::interpreter::Interpreter;
use crate::value::{Map, ResourceRef, Symbol, Value};
use std::sync::Arc;

/// Puppet's eleven.
const METAPARAMETERS: &[&str] =
    &["alias", "audit", "before", "loglevel", "noop", "notify", "require", "schedule", "stage", "subscribe", "tag"];

/// The resource given as argument.
pub(super) fn of<'c>(call: &'c Call<'_>) -> Eval<&'c ResourceRef> {
    match call.arg(0) {
        Value::Resource(resource) => Ok(resource),
        other => Err(call.takes("a resource", other)),
    }
}

/// `resource(:file, title, {k: v})`: what `generate` hands to the catalog, a map of `type`, `title` and `parameters`.
pub(super) fn new(call: &Call<'_>) -> Eval {
    let type_name = call.name(0)?;
    let title = call.name(1)?;
    let parameters = match call.arg(2) {
        Value::Nil => Value::Map(Arc::default()),
        Value::Map(map) if map.keys().all(|k| k.as_text().is_some()) => call.arg(2).clone(),
        other => return Err(call.takes("a map from names of attributes to values", other)),
    };
    let pairs = [
        (Value::sym("type"), Value::sym(type_name.to_lowercase())),
        (Value::sym("title"), Value::Str(title)),
        (Value::sym("parameters"), parameters),
    ];
    Ok(Value::Map(Arc::new(Map::from_iter(pairs))))
}

fn set(it: &mut Interpreter<'_>, names: impl IntoIterator<Item = (Symbol, crate::types::AttrId)>) -> Value {
    let scope = it.frame.scope;
    let set = names.into_iter().filter(|(_, id)| scope.is_set(*id));
    Value::Map(Arc::new(set.map(|(name, id)| (Value::Sym(name), scope.attribute(id))).collect()))
}

/// `attributes(:a, :b)`
pub(super) fn attributes(it: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let mut names = Vec::new();
    for name in &call.args {
        let id = it.attribute_id(name, call.span)?;
        names.push((Symbol::from(name.to_text()), id));
    }
    if call.args.is_empty() {
        names = it.frame.scope.program().attributes.iter().map(|(n, id)| (n.clone(), *id)).collect();
    }
    Ok(set(it, names))
}

/// `metaparams()`
pub(super) fn metaparams(it: &mut Interpreter<'_>) -> Eval {
    let all = &it.frame.scope.program().attributes;
    let names: Vec<_> = METAPARAMETERS.iter().filter_map(|n| all.get_key_value(*n)).map(|(n, id)| (n.clone(), *id)).collect();
    Ok(set(it, names))
}
