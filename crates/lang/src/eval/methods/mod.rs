//! The built-in methods, with one file for each kind of receiver.

mod any;
mod closures;
mod edit;
mod float;
mod integer;
mod ip;
mod list;
mod map;
mod orders;
mod path;
pub(super) mod range;
mod regex;
mod set;
mod split;
mod string;
mod succ;
mod symbol;
mod uri;

pub(super) use float::whole;
pub(super) use integer::in_base;
pub(super) use ip::check as check_ip;
pub(super) use list::join;
pub(super) use path::join as join_paths;
pub(super) use range::new as new_range;
pub(super) use uri::check as check_uri;

use super::call::{Args, BuiltinCall, Eval, Stop, describe};
use super::interpreter::Interpreter;
use super::{Failure, ruby_methods, secret};
use crate::diagnostics::{Code, nearest};
use crate::source::Span;
use crate::types::builtin::{Method, Traits, ValueKind};
use crate::types::{Lambda, Node};
use crate::value::Value;

/// Evaluates `receiver.method(arguments) { closure }`.
#[inline(never)]
pub(super) fn call(
    it: &mut Interpreter<'_>,
    method: Method,
    receiver: &Node,
    arguments: &[Node],
    lambda: Option<&Lambda>,
    span: Span,
) -> Eval {
    let receiver = it.eval(receiver)?;
    if method.is(Traits::UNREAD) && matches!(receiver.unwrapped(), Value::Array(_) | Value::Map(_)) {
        it.truth(&receiver, span)?;
    } else if matches!(method, Method::Include | Method::Member)
        && let Value::Array(items) = receiver.unwrapped()
        && receiver.has_unknown()
    {
        return included(it, items, &receiver, arguments, span);
    } else {
        it.known(&receiver, span)?;
    }
    if method == Method::IsNil && arguments.is_empty() {
        return Ok(Value::Bool(receiver.unwrapped().is_nil()));
    }
    if let Value::Resource(resource) = receiver.unwrapped()
        && !method.belongs_to(ValueKind::Resource)
        && arguments.is_empty()
        && lambda.is_none()
    {
        return it.resource_attribute(resource, method.name(), span);
    }
    let arguments = it.all(arguments)?;
    apply(it, method, receiver, arguments, lambda, span)
}

/// Evaluates `list.include?(x)` for a list with unknown elements: true if a known element is equal, otherwise unknown.
fn included(it: &mut Interpreter<'_>, items: &[Value], receiver: &Value, arguments: &[Node], span: Span) -> Eval {
    for argument in arguments {
        let value = it.eval(argument)?;
        it.known(&value, span)?;
        let plain = secret::open(&value);
        for item in items.iter().filter(|item| !item.has_unknown()) {
            if super::operators::equal(it, &secret::open(item), &plain, span)? {
                let is_secret = it.is_secret(receiver) || it.is_secret(&value);
                return Ok(if is_secret { secret::close(Value::Bool(true)) } else { Value::Bool(true) });
            }
        }
    }
    Err(Failure::unknown(span).into())
}

/// Calls a method on an evaluated receiver with evaluated arguments.
#[inline(never)]
pub(super) fn apply(
    it: &mut Interpreter<'_>,
    method: Method,
    receiver: Value,
    arguments: Args,
    lambda: Option<&Lambda>,
    span: Span,
) -> Eval {
    let call = if lambda.is_none() && method.is(Traits::REARRANGES) && !secret::any_whole([&receiver].into_iter().chain(&arguments)) {
        arguments.iter().try_for_each(|a| it.known(a, span))?;
        BuiltinCall { name: method.name(), span, args: arguments, lambda: None, secret: false }
    } else {
        let receiver_is_secret = it.is_secret(&receiver);
        it.call(method.name(), arguments, receiver_is_secret, lambda, span)?
    };
    // A data type may require a sensitive value.
    if let (Method::IsA | Method::KindOf, Value::Type(data_type)) = (method, call.arg(0)) {
        let answer = Value::Bool(data_type.accepts(&receiver));
        return Ok(if call.secret { secret::close(answer) } else { answer });
    }
    let receiver = if call.secret { secret::open(&receiver) } else { receiver };
    if !method.receivers().contains(&ValueKind::Any)
        && let Some(limits) = range::Limits::of(&receiver)
    {
        let (secret, arguments) = (call.secret, call.args);
        let result = limits.call(it, method, arguments, lambda, span)?;
        return Ok(if secret { secret::close(result) } else { result });
    }
    let Some(kind) = ValueKind::of(&receiver).filter(|k| method.belongs_to(*k)) else {
        return Err(no_method(&receiver, method.name(), span));
    };
    check_arity(&call, method)?;
    pay(it, method, &receiver, span)?;
    let result = dispatch(it, &call, method, kind, &receiver)?;
    if !method.is(Traits::PART) {
        it.meter.admit(&result, span)?;
    }
    Ok(if call.secret && !method.is(Traits::LENGTH) { secret::close(result) } else { result })
}

#[inline(never)]
fn dispatch(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, method: Method, kind: ValueKind, receiver: &Value) -> Eval {
    if method.receivers().contains(&ValueKind::Any) {
        return any::call(it, call, method, receiver);
    }
    match (kind, receiver) {
        (_, Value::Str(text)) => string::call(it, call, method, text),
        (_, Value::Sym(symbol)) => symbol::call(it, call, method, symbol),
        (_, Value::Int(n)) => integer::call(it, call, method, *n),
        (_, Value::Float(n)) => float::call(call, method, *n),
        (_, Value::Array(items)) => list::call(it, call, method, items),
        (_, Value::Map(map)) => map::call(it, call, method, map),
        (_, Value::Regex(regex)) => regex::call(it, call, method, regex),
        (_, Value::Nil) => Ok(match method {
            Method::ToA => Value::array([]),
            Method::ToH => Value::Map(std::sync::Arc::default()),
            Method::ToI => Value::Int(0),
            Method::ToF => Value::Float(0.0),
            _ => return Err(unfit(call, receiver)),
        }),
        _ => Err(unfit(call, receiver)),
    }
}

/// Creates the failure for a method that the table lists for a kind of value although it is not implemented for this kind.
fn unfit(call: &BuiltinCall<'_>, receiver: &Value) -> Stop {
    no_method(receiver, call.name, call.span)
}

fn check_arity(call: &BuiltinCall<'_>, method: Method) -> Eval<()> {
    let arity = method.arity();
    let given = call.args.len();
    if given < usize::from(arity.min) || arity.max.is_some_and(|max| given > usize::from(max)) {
        return Err(wrong_count(call.name, arity, given, call.span));
    }
    Ok(())
}

/// Creates the failure for a wrong number of arguments.
pub(super) fn wrong_count(name: &str, arity: crate::types::builtin::Arity, given: usize, span: Span) -> Stop {
    let wanted = match (arity.min, arity.max) {
        (min, Some(max)) if min == max => format!("{min}"),
        (min, Some(max)) => format!("{min} to {max}"),
        (min, None) => format!("at least {min}"),
    };
    let plural = if arity.min == 1 && arity.max.is_none_or(|max| max == 1) { "" } else { "s" };
    let message = format!("`{name}` takes {wanted} argument{plural}, not {given}");
    Failure { class: Some("ArgumentError".into()), ..Failure::new(Code::WrongArity, span, message) }.into()
}

/// Returns the data type of a value, if Ruby has this kind of value as well.
fn kind_in_ruby(value: &Value) -> Option<&'static str> {
    Some(match value {
        Value::Nil => "Undef",
        Value::Bool(_) => "Boolean",
        Value::Int(_) => "Integer",
        Value::Float(_) => "Float",
        Value::Str(_) => "String",
        Value::Sym(_) => "Symbol",
        Value::Array(_) => "Array",
        Value::Map(_) => "Hash",
        _ => return None,
    })
}

/// Creates the failure for a receiver without the method. The failure lists the kinds of values that have the method, or a similar
/// name.
pub(super) fn no_method(receiver: &Value, name: &str, span: Span) -> Stop {
    // Addresses that `rtype import` writes as objects have more methods in Ruby.
    if let Value::Object(object) = receiver
        && object.class == "IPAddr"
    {
        return Failure::untranslated(span, format!("`IPAddr#{name}` is not supported")).into();
    }
    let what = match receiver {
        Value::Nil => "nil".to_owned(),
        other => other.kind_name().to_owned(),
    };
    let mut message = format!("{what} has no method `{name}`");
    if matches!(receiver, Value::Map(_)) && Method::named(name).is_none() {
        message.push_str(&format!("; the value of a key is read with `[:{name}]`"));
    } else if let Some(method) = Method::named(name) {
        let owners: Vec<_> = method.receivers().iter().map(|r| r.plural()).collect();
        message.push_str(&format!("; {} have it", words(&owners)));
    } else if let Some(kind) = ValueKind::of(receiver) {
        let own = Method::ALL.iter().filter(|m| m.belongs_to(kind)).map(|m| m.name());
        if let Some(near) = nearest(name, own) {
            message.push_str(&format!("; did you mean `{near}`?"));
        }
    }
    // If Ruby has the method for this kind of value, the call fails only in rtype.
    let has_it =
        kind_in_ruby(receiver).is_none_or(|kind| ruby_methods::kinds_with(name).is_some_and(|mut kinds| kinds.any(|of| of == kind)));
    let class = (!has_it).then(|| "NoMethodError".into());
    Failure { class, ..Failure::new(Code::WrongReceiver, span, message) }.into()
}

fn words(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// Pays for reading the receiver, by its size, unless the method reads only a part.
fn pay(it: &mut Interpreter<'_>, method: Method, receiver: &Value, span: Span) -> Eval<()> {
    let steps = match receiver {
        Value::Str(text) if !method.is(Traits::FREE_STR) => text.len() as u64 / 16,
        Value::Array(items) if !method.is(Traits::FREE_LIST) => items.len() as u64,
        Value::Map(map) if !method.is(Traits::FREE_MAP) => map.len() as u64,
        _ => 0,
    };
    Ok(it.meter.spend(steps, span)?)
}

/// Creates the failure for values that cannot be compared.
fn no_order(call: &BuiltinCall<'_>, a: &Value, b: &Value) -> Stop {
    call.wrong(format!("`{}` cannot compare {} with {}", call.name, describe(a), describe(b)))
}
