//! Values of Puppet as Ruby objects, and back.

use super::host::RubyHost;
use crate::compile::value::{ManifestValue, ValuePattern};
use rtype_ruby::run::{Evaluation, Interpreter, RuntimeValue};

/// The maximum nesting of values.
const MAX_DEPTH: usize = 100;
/// The class of `Sensitive` values.
const SENSITIVE: &str = "Puppet::Pops::Types::PSensitiveType::Sensitive";

/// Creates an object of a class of the API.
fn create(run: &mut Interpreter<'_>, class: &str, arguments: Vec<RuntimeValue>) -> Evaluation {
    match run.existing_constant(class) {
        Some(class) => run.call_method(&class, "new", arguments),
        None => run.not_known(format!("`{class}` is not defined")),
    }
}

/// Returns the Ruby object of a value.
pub(super) fn to_ruby(run: &mut Interpreter<'_>, host: &RubyHost, value: &ManifestValue) -> Evaluation {
    let object = within(run, host, value, MAX_DEPTH)?;
    let lacks_facts = host.evaluator.borrow().as_ref().is_some_and(|evaluator| evaluator.lacks_facts(value));
    let (true, Some(owner)) = (lacks_facts, run.existing_constant("RtypeHost")) else { return Ok(object) };
    let mut names = Vec::new();
    for name in &host.environment.files.unread_facts {
        names.push(run.create_string(name)?);
    }
    let names = run.create_array(names)?;
    run.call_method(&owner, "guard_facts", vec![object, names])
}

fn within(run: &mut Interpreter<'_>, host: &RubyHost, value: &ManifestValue, depth: usize) -> Evaluation {
    let Some(depth) = depth.checked_sub(1) else { return run.not_known("the value nests too deeply") };
    Ok(match value {
        ManifestValue::Undef => RuntimeValue::Nil,
        ManifestValue::Default => RuntimeValue::sym("default"),
        ManifestValue::Boolean(value) => RuntimeValue::Bool(*value),
        ManifestValue::Integer(number) => RuntimeValue::Int(*number),
        ManifestValue::Float(number) => RuntimeValue::Float(*number),
        ManifestValue::String(text) => run.create_string(text)?,
        ManifestValue::Regexp(pattern) => {
            let source = run.create_string(&pattern.source)?;
            create(run, "Regexp", vec![source])?
        }
        ManifestValue::Array(elements) => {
            let elements = elements.iter().map(|element| within(run, host, element, depth)).collect::<Evaluation<Vec<_>>>()?;
            run.create_array(elements)?
        }
        ManifestValue::Hash(map) => {
            let pairs = map.iter().map(|(key, value)| Ok((within(run, host, key, depth)?, within(run, host, value, depth)?)));
            let pairs = pairs.collect::<Evaluation<Vec<_>>>()?;
            run.create_hash(pairs)?
        }
        ManifestValue::Sensitive(inner) => {
            host.keep_secret(inner);
            let inner = within(run, host, inner, depth)?;
            create(run, SENSITIVE, vec![inner])?
        }
        other => {
            let handle = host.keep(other.clone());
            create(run, "RtypeOpaque", vec![RuntimeValue::Int(handle)])?
        }
    })
}

/// How symbols are read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Symbols {
    /// `:undef` is `undef`, as in results of the 3.x API and in arguments.
    Undef,
    /// Only `:default` has a value.
    Refused,
}

/// Returns the value of a Ruby object.
///
/// # Errors
/// Ends the evaluation at objects that Puppet's language does not have, and at values that are not known.
pub(super) fn from_ruby(run: &mut Interpreter<'_>, host: &RubyHost, value: &RuntimeValue, symbols: Symbols) -> Evaluation<ManifestValue> {
    back(run, host, value, symbols, MAX_DEPTH)
}

fn back(run: &mut Interpreter<'_>, host: &RubyHost, value: &RuntimeValue, symbols: Symbols, depth: usize) -> Evaluation<ManifestValue> {
    let refuse = |run: &mut Interpreter<'_>, reason: String| match run.not_known(reason) {
        Err(flow) => Err(flow),
        Ok(_) => Ok(ManifestValue::Undef),
    };
    let Some(depth) = depth.checked_sub(1) else { return refuse(run, "the value nests too deeply".into()) };
    Ok(match value {
        RuntimeValue::Nil => ManifestValue::Undef,
        RuntimeValue::Bool(value) => ManifestValue::Boolean(*value),
        RuntimeValue::Int(number) => ManifestValue::Integer(*number),
        RuntimeValue::Float(number) => ManifestValue::Float(*number),
        RuntimeValue::Sym(name) if &**name == "default" => ManifestValue::Default,
        RuntimeValue::Sym(name) if &**name == "undef" && symbols == Symbols::Undef => ManifestValue::Undef,
        RuntimeValue::Sym(name) => return refuse(run, format!("the symbol `:{name}`, which Puppet's language does not have")),
        RuntimeValue::Str(_) => ManifestValue::string(run.string_text(value)?),
        RuntimeValue::Array(_) => {
            let items = run.array_items(value)?;
            ManifestValue::array(items.iter().map(|item| back(run, host, item, symbols, depth)).collect::<Evaluation<_>>()?)
        }
        RuntimeValue::Hash(_) => {
            let entries = run.hash_entries(value)?;
            let pairs =
                entries.iter().map(|(key, value)| Ok((back(run, host, key, symbols, depth)?, back(run, host, value, symbols, depth)?)));
            ManifestValue::hash(pairs.collect::<Evaluation<Vec<_>>>()?)
        }
        RuntimeValue::Regex(_) => match run.regex_source(value).and_then(|source| ValuePattern::new(&source).ok()) {
            Some(pattern) => ManifestValue::Regexp(pattern),
            None => return refuse(run, "a regex with options".into()),
        },
        RuntimeValue::Unknown(why) => return refuse(run, why.reason.to_string()),
        other => {
            if let Some(RuntimeValue::Int(handle)) = run.variable_of(other, "RtypeOpaque", "@__handle")
                && let Some(value) = host.kept(handle)
            {
                return Ok(value);
            }
            if let Some(inner) = run.variable_of(other, SENSITIVE, "@value") {
                return Ok(ManifestValue::Sensitive(std::sync::Arc::new(back(run, host, &inner, symbols, depth)?)));
            }
            let class = run.class_name_of(other);
            return refuse(run, format!("an object of the class `{class}`"));
        }
    })
}
