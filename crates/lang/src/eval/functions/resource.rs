//! The functions `title`, `ref`, `resource`, `attributes` and `metaparams`.

use crate::diagnostics::Code;
use crate::eval::call::{Args, BuiltinCall, Eval};
use crate::eval::interpreter::Interpreter;
use crate::eval::{Failure, secret};
use crate::source::Span;
use crate::types::METAPARAMETERS;
use crate::value::{Map, ResourceRef, Symbol, Value};
use std::sync::Arc;

/// Returns the argument, which must be a resource.
pub(super) fn of<'c>(call: &'c BuiltinCall<'_>) -> Eval<&'c ResourceRef> {
    match call.arg(0) {
        Value::Resource(resource) => Ok(resource),
        other => Err(call.takes("a resource", other)),
    }
}

/// Evaluates `resource(:file, title, {k: v})`: a map of `type`, `title` and `parameters`, from which `generate` creates resources.
///
/// Sensitive values among the parameters stay sensitive one by one, and unknown values stay unknown.
pub(super) fn new(it: &mut Interpreter<'_>, mut arguments: Args, span: Span) -> Eval {
    let parameters = arguments.get_mut(2).map(std::mem::take).unwrap_or_default();
    arguments.truncate(2);
    let call = it.call("resource", arguments, false, None, span)?;
    if call.secret {
        return Err(Failure::new(Code::BlockFailed, span, "a sensitive value cannot name a resource").into());
    }
    let type_name = call.name(0)?;
    let title = call.name(1)?;
    if title.is_empty() {
        return Err(call.fail("the title of a resource is not empty"));
    }
    let parameters = match parameters {
        Value::Sensitive(inner) => match secret::open(&inner) {
            // The map was computed from a secret, so any value in the map may be secret.
            Value::Map(map) => Value::Map(Arc::new(map.iter().map(|(k, v)| (k.clone(), secret::close(v.clone()))).collect::<Map>())),
            // The value is refused below, and the message must not reveal it.
            other => secret::close(other),
        },
        other => other,
    };
    let parameters = match parameters {
        Value::Nil => Value::Map(Arc::default()),
        Value::Map(map) if map.keys().all(|k| k.as_text().is_some()) => Value::Map(map),
        other => return Err(call.takes("a map from names of attributes to values", &other)),
    };
    let pairs = [
        (Value::sym("type"), Value::sym(type_name.to_lowercase())),
        (Value::sym("title"), Value::Str(title)),
        (Value::sym("parameters"), parameters),
    ];
    let made = Value::Map(Arc::new(Map::from_iter(pairs)));
    it.meter.admit(&made, span)?;
    Ok(it.incoming(made))
}

fn set(it: &mut Interpreter<'_>, names: impl IntoIterator<Item = (Symbol, crate::types::AttrId)>) -> Value {
    let scope = it.frame.scope;
    let set = names.into_iter().filter(|(_, id)| scope.is_set(*id));
    Value::Map(Arc::new(set.map(|(name, id)| (Value::Sym(name), scope.attribute(id))).collect()))
}

/// Evaluates `attributes(:a, :b)`.
pub(super) fn attributes(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>) -> Eval {
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

/// Evaluates `metaparams()`.
pub(super) fn metaparams(it: &mut Interpreter<'_>) -> Eval {
    let all = &it.frame.scope.program().attributes;
    let names: Vec<_> = METAPARAMETERS.iter().filter_map(|n| all.get_key_value(*n)).map(|(n, id)| (n.clone(), *id)).collect();
    Ok(set(it, names))
}
