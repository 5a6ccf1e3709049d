//! The built-in functions.

mod data;
mod files;
mod format;
pub(super) mod numbers;
mod resource;
mod times;
mod versions;

pub(super) use data::{to_json, to_yaml};
pub(super) use format::format_text;

use super::call::{BuiltinCall, Eval, Stop};
use super::interpreter::Interpreter;
use super::scope::LogLevel;
use super::{Failure, FailureKind, methods, secret};
use crate::diagnostics::Code;
use crate::source::Span;
use crate::types::builtin::Function;
use crate::types::{Lambda, Node};
use crate::value::{EcoString, Flags, ObjectValue, Regex, Value, digest, push_path, to_base64, versioncmp};
use std::sync::Arc;

/// Evaluates `function(arguments)`.
#[inline(never)]
pub(super) fn call(it: &mut Interpreter<'_>, function: Function, arguments: &[Node], lambda: Option<&Lambda>, span: Span) -> Eval {
    let arity = function.arity();
    if arguments.len() < usize::from(arity.min) || arity.max.is_some_and(|max| arguments.len() > usize::from(max)) {
        return Err(methods::wrong_count(function.name(), arity, arguments.len(), span));
    }
    if let (Some(level), Some(message)) = (log_level(function), arguments.first()) {
        it.require_certain(span)?;
        let message = it.message(message)?;
        it.frame.scope.log(it.frame.attribute, level, &message);
        return Ok(Value::Nil);
    }
    let arguments = it.all(arguments)?;
    if function == Function::Resource {
        return resource::new(it, arguments, span);
    }
    if function == Function::TypeOf || function == Function::Sensitive || function == Function::Array {
        // These functions handle wrappers themselves, so the argument is not unwrapped for them.
        return outside(it, function, arguments.into_iter().next().unwrap_or_default(), span);
    }
    let call = it.call(function.name(), arguments, false, lambda, span)?;
    for argument in &call.args {
        it.meter.admit(argument, span)?;
    }
    let result = dispatch(it, &call, function).map_err(|stop| conceal(stop, &call))?;
    let result = it.incoming(result);
    it.meter.admit(&result, span)?;
    Ok(if call.secret { secret::close(result) } else { result })
}

/// Replaces a failure's message if the call is secret. The author wrote the messages in closures, which are already redacted.
fn conceal(stop: Stop, call: &BuiltinCall<'_>) -> Stop {
    match stop {
        Stop::Fail(mut failure) if call.secret && call.lambda.is_none() && !failure.is_unknown() => {
            failure.message = call.concealed();
            // The error may contain the value as well.
            failure.kind = match failure.kind {
                FailureKind::Query(_) => FailureKind::Error,
                kind => kind,
            };
            Stop::Fail(failure)
        }
        other => other,
    }
}

fn log_level(function: Function) -> Option<LogLevel> {
    Some(match function {
        Function::Debug => LogLevel::Debug,
        Function::Info => LogLevel::Info,
        Function::Notice => LogLevel::Notice,
        Function::Warning | Function::Deprecated => LogLevel::Warning,
        Function::Err => LogLevel::Err,
        _ => return None,
    })
}

#[inline(never)]
fn outside(it: &mut Interpreter<'_>, function: Function, value: Value, span: Span) -> Eval {
    if matches!(value.unwrapped(), Value::Unknown) && function != Function::Sensitive {
        return Err(Failure::unknown(span).into());
    }
    Ok(match function {
        Function::Sensitive => {
            it.note_secret();
            Value::Sensitive(Arc::new(secret::open(&value)))
        }
        Function::Array => match &value {
            Value::Array(_) => value,
            Value::Nil => Value::array([]),
            Value::Map(map) => Value::array(map.iter().map(|(k, v)| Value::array([k.clone(), v.clone()]))),
            Value::Sensitive(inner) if matches!(**inner, Value::Array(_)) => value,
            _ => Value::array([value]),
        },
        _ => Value::str(type_name(value.unwrapped())),
    })
}

/// Returns the name of the value's class in Ruby.
fn type_name(value: &Value) -> &str {
    match value {
        Value::Nil => "NilClass",
        Value::Bool(true) => "TrueClass",
        Value::Bool(false) => "FalseClass",
        Value::Int(_) => "Integer",
        Value::Float(_) => "Float",
        Value::Str(_) => "String",
        Value::Binary(_) => "Binary",
        Value::Sym(_) => "Symbol",
        Value::Array(_) => "Array",
        Value::Map(_) => "Hash",
        Value::Regex(_) => "Regexp",
        Value::Resource(_) => "Resource",
        Value::Object(object) => &object.class,
        Value::Type(_) => "Type",
        Value::Sensitive(_) | Value::Unknown => "Object",
    }
}

#[inline(never)]
fn dispatch(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, function: Function) -> Eval {
    use Function as F;
    let world = it.frame.scope.world();
    let maybe_text = |text: Option<EcoString>| text.map_or(Value::Nil, Value::Str);
    let maybe_int = |n: Option<i64>| n.map_or(Value::Nil, Value::Int);
    Ok(match function {
        F::Which | F::Exists | F::CurrentUser | F::UidOf | F::GidOf | F::HomeDir | F::ServicePort if world.is_unknown() => Value::Unknown,
        F::Fact => world.fact(&call.name(0)?),
        F::Feature => {
            let name = call.name(0)?;
            match it.frame.scope.program().features.get(name.as_str()) {
                Some(place) => {
                    let answer = it.call_fn(*place, &[], call.span)?;
                    Value::Bool(it.truth(&answer, call.span)?)
                }
                None => world.feature_value(&name),
            }
        }
        F::Setting => world.setting(&call.name(0)?),
        F::Env => world.env(&call.name(0)?),
        F::Which => maybe_text(world.which(&call.text(0)?).map(EcoString::from)),
        F::Exists => Value::Bool(world.exists(&call.text(0)?)),
        F::FilesBelow => files::below(it, call)?,
        F::FileText => files::text(it, call)?,
        F::Now => world.now().map_or(Value::Unknown, Value::Int),
        F::Time => times::time(it, call)?,
        F::FormatTime => times::format_time(it, call)?,
        F::CurrentUser => maybe_text(world.current_user()),
        F::UidOf => maybe_int(world.uid_of(&call.name(0)?)),
        F::GidOf => maybe_int(world.gid_of(&call.name(0)?)),
        F::HomeDir => maybe_text(world.home_dir(&call.name(0)?)),
        F::ServicePort => {
            let protocol = if call.has(1) { call.name(1)? } else { "tcp".into() };
            maybe_int(world.service_port(&call.name(0)?, &protocol))
        }
        F::Versioncmp => Value::Int(versioncmp(&call.text(0)?, &call.text(1)?) as i64),
        F::GemVersion => Value::str(versions::gem(call, 0)?.text()),
        F::GemVersioncmp => Value::Int(versions::gem(call, 0)?.compare(&versions::gem(call, 1)?) as i64),
        F::GemSatisfies => Value::Bool(versions::satisfies(call)?),
        F::Path => {
            let mut path = call.text(0)?;
            for i in 1..call.args.len() {
                path = methods::join_paths(&path, &call.text(i)?);
            }
            Value::Str(path)
        }
        F::JoinPaths => {
            let mut path: Option<String> = None;
            for i in 0..call.args.len() {
                let part = match call.arg(i) {
                    Value::Array(parts) => joined(it, call, parts)?.into(),
                    _ => call.text(i)?,
                };
                match &mut path {
                    Some(path) => push_path(path, &part),
                    None => path = Some(part.into()),
                }
                it.meter.fits(path.as_ref().map_or(0, String::len), call.span)?;
            }
            Value::str(path.unwrap_or_default())
        }
        F::Range => methods::new_range(call)?,
        F::Uri => methods::check_uri(call, &call.text(0)?)?,
        F::Ip => methods::check_ip(call, &call.text(0)?)?,
        F::Re => regex(it, call)?,
        F::ReEscape => Value::str(escape(&call.text(0)?)),
        F::Format => {
            let pattern = call.text(0)?;
            Value::Str(format_text(it, call, &pattern, call.args.get(1..).unwrap_or_default())?)
        }
        F::Md5 | F::Sha1 | F::Sha256 | F::Sha384 | F::Sha512 => {
            digest::hex(function.name(), call.text(0)?.as_bytes()).map_or(Value::Nil, Value::str)
        }
        F::Base64 => match call.arg(0) {
            Value::Binary(bytes) => Value::str(to_base64(bytes)),
            _ => Value::str(to_base64(call.text(0)?.as_bytes())),
        },
        F::Integer => numbers::integer(call)?,
        F::Float => numbers::float(call)?,
        F::String => Value::Str(call.arg(0).to_text()),
        F::Title => Value::Str(resource::of(call)?.title.clone()),
        F::Ref => Value::str(resource::of(call)?.to_string()),
        F::FileOf => maybe_text(it.frame.scope.declared_at(resource::of(call)?).map(|(file, _)| file)),
        F::LineOf => maybe_int(it.frame.scope.declared_at(resource::of(call)?).map(|(_, line)| line.into())),
        F::TypeName => Value::Sym(resource::of(call)?.type_name.clone()),
        F::Object => object(it, call)?,
        F::Attributes => resource::attributes(it, call)?,
        F::Metaparams => resource::metaparams(it)?,
        F::Remember => {
            it.require_certain(call.span)?;
            it.frame.scope.remember(it.frame.attribute, &call.name(0)?, call.arg(1));
            Value::Nil
        }
        F::Remembered => {
            let value = it.frame.scope.remembered(it.frame.attribute, &call.name(0)?);
            it.incoming(value)
        }
        F::Sync | F::SyncOthers => {
            it.needs_action(call.name, call.span)?;
            let done = if function == F::Sync {
                let id = it.attribute_id(call.arg(0), call.span)?;
                it.frame.scope.sync(id)
            } else {
                it.frame.scope.sync_others()
            };
            done.map_err(|error| Failure::query(Code::BlockFailed, call.span, error))?;
            Value::Nil
        }
        F::ToJson => to_json(it, call, call.arg(0), call.arg(1).is_truthy())?,
        F::ParseJson => data::parse_json(call)?,
        F::ToYaml => to_yaml(it, call, call.arg(0))?,
        F::ParseYaml => data::parse_yaml(call)?,
        F::Resource | F::TypeOf | F::Sensitive | F::Array | F::Debug | F::Info | F::Notice | F::Warning | F::Err | F::Deprecated => {
            Value::Nil
        }
    })
}

/// Evaluates `object(class, fields) { |fields| text }`.
fn object(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>) -> Eval {
    let fields = match call.arg(1) {
        Value::Map(fields) => Arc::clone(fields),
        Value::Object(same) => Arc::clone(&same.fields),
        other => return Err(call.fail(format!("the parts of an object are a map, and this is {}", other.kind_name()))),
    };
    let class = call.name(0)?;
    let text = match call.lambda.map(|_| call.with(it, &[Value::Map(Arc::clone(&fields))])) {
        None => Ok(ecow::eco_format!("#<{class}>")),
        // A string that shows a secret part makes the whole object secret.
        Some(Ok(text)) if text.has_secret() => {
            let text = Ok(secret::open(&text).to_text());
            return Ok(secret::close(Value::Object(Arc::new(ObjectValue { class, fields, text }))));
        }
        Some(Ok(text)) => Ok(text.to_text()),
        // The failure matters only if the string is needed.
        Some(Err(Stop::Fail(failure))) if !failure.is_unknown() && failure.kind != FailureKind::Budget => {
            Err(failure.message.as_str().into())
        }
        Some(Err(stop)) => return Err(stop),
    };
    Ok(Value::Object(Arc::new(ObjectValue { class, fields, text })))
}

/// Evaluates `re(text, flags)`.
fn regex(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>) -> Eval {
    if let Value::Regex(regex) = call.arg(0) {
        return Ok(Value::Regex(regex.clone()));
    }
    let source = call.text(0)?;
    let mut flags = Flags::default();
    if call.has(1) {
        for letter in call.text(1)?.chars() {
            match letter {
                'i' => flags.ignore_case = true,
                's' => flags.dot_all = true,
                'x' => flags.extended = true,
                other => return Err(call.fail(format!("`{other}` is not a flag of a regex; flags are i, s and x"))),
            }
        }
    }
    // Compiling a regex costs far more than matching it.
    it.meter.spend(500 + source.len() as u64 * 8, call.span)?;
    let regex = Regex::new(&source, flags).map_err(|e| call.fail(format!("bad regex `{source}`: {e}")))?;
    Ok(Value::Regex(Arc::new(regex)))
}

/// Escapes a string as Ruby's `Regexp.escape` does.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\x0c' => out.push_str("\\f"),
            '\x0b' => out.push_str("\\v"),
            '[' | ']' | '{' | '}' | '(' | ')' | '|' | '-' | '*' | '.' | '\\' | '?' | '+' | '^' | '$' | ' ' | '#' => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}

/// Joins the paths in a list, as an argument of `join_paths`.
fn joined(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, parts: &[Value]) -> Eval<String> {
    let mut path = String::new();
    for (i, part) in parts.iter().enumerate() {
        let part = match part {
            Value::Str(part) => part.clone(),
            Value::Array(inner) => joined(it, call, inner)?.into(),
            other => return Err(call.takes("a string", other)),
        };
        if i == 0 {
            path.push_str(&part)
        } else {
            push_path(&mut path, &part)
        }
        it.meter.fits(path.len(), call.span)?;
    }
    Ok(path)
}
