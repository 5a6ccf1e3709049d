//! Answers the calls by which `puppet.rb` finds types and providers.

use super::load::Files;
use rtype_lang::library::standard;
use rtype_ruby::run::{EmbeddedCall, Evaluation, Interpreter, RuntimeValue, Unwind};

/// The methods, which only `puppet.rb` calls.
pub(super) const METHODS: &[&str] = &["__known?", "__load", "__open_branches", "__parent", "__standard?", "__unknown"];

/// Evaluates one of the methods.
pub(super) fn answer(run: &mut Interpreter<'_>, call: &EmbeddedCall, files: &Files<'_>) -> Option<Evaluation> {
    let first = call.positional.first().cloned().unwrap_or_default();
    Some(match call.name.as_str() {
        "__known?" => Ok(RuntimeValue::Bool(run.plain(&first).word().is_some())),
        "__standard?" => Ok(RuntimeValue::Bool(run.plain(&first).word().is_some_and(|name| standard(name).is_some()))),
        "__open_branches" => Ok(RuntimeValue::Int(i64::try_from(run.open_branches()).unwrap_or(i64::MAX))),
        "__unknown" => run.not_known("this type or provider has no file"),
        "__parent" => parent(run, &call.receiver, first),
        "__load" => load(run, call, files),
        _ => return None,
    })
}

/// Returns the superclass of a provider, or the class that all providers have if it is not known.
fn parent(run: &mut Interpreter<'_>, of: &RuntimeValue, given: RuntimeValue) -> Evaluation {
    let found = match &given {
        RuntimeValue::Class(_) => given,
        RuntimeValue::Sym(_) | RuntimeValue::Str(_) => run.call_method(of, "provider", vec![given])?,
        _ => RuntimeValue::Nil,
    };
    match found {
        RuntimeValue::Class(_) => Ok(found),
        _ => Ok(RuntimeValue::Class(run.define_class("Puppet::Provider", None, false))),
    }
}

/// Loads a file once, and returns what it has registered under a name. After an error, what the file has defined until then exists.
fn load(run: &mut Interpreter<'_>, call: &EmbeddedCall, files: &Files<'_>) -> Evaluation {
    let [path, registry, name] = call.positional.as_slice() else { return Ok(RuntimeValue::Nil) };
    let feature = run.plain(path).word().unwrap_or_default().to_owned();
    if files.has(&feature)
        && let Err(Unwind::Stop(stop)) = run.call_method(&RuntimeValue::Nil, "require", vec![path.clone()])
    {
        return Err(Unwind::Stop(stop));
    }
    run.call_method(registry, "[]", vec![name.clone()])
}

/// Loads the file of a constant, which another type may have loaded in Ruby: `puppet_x/motd/units.rb` for `PuppetX::Motd::Units`.
pub(super) fn constant(run: &mut Interpreter<'_>, path: &str, files: &Files<'_>) -> Option<RuntimeValue> {
    let feature: Vec<String> = path.split("::").map(crate::ruby::snake_case).collect();
    let feature = feature.join("/");
    if !path.starts_with("Puppet") || !path.contains("::") || !files.has(&feature) {
        return None;
    }
    run.call_method(&RuntimeValue::Nil, "require", vec![RuntimeValue::str(feature)]).ok()?;
    run.existing_constant(path)
}
