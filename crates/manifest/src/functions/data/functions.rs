//! The functions `lookup` and `hiera`.

use super::search::{KeySearch, search};
use crate::compile::context::Context;
use crate::compile::failure::Failure;
use crate::compile::function::{Api, Body, Function, Signature};
use crate::compile::scope::Closure;
use crate::compile::types::{Type, describe_mismatch, infer_exact};
use crate::compile::value::Value;
use std::sync::Arc;

const fn hiera(name: &'static str, signatures: &'static [Signature]) -> Function {
    Function { name, api: Api::Typed(signatures) }
}

const fn signatures(body: Body) -> [Signature; 2] {
    [
        Signature { parameters: "(String $key, Any $default?, Any $override?)", body },
        Signature { parameters: "(String $key, Optional[Any] $override?, Callable[1, 1] &default_block)", body },
    ]
}

/// The functions of this file.
pub const TABLE: &[Function] = &[
    Function {
        name: "lookup",
        api: Api::Typed(&[
            Signature {
                parameters: "(Variant[String, Array[String]] $name, Type $value_type?, Variant[String[1], Hash[String, Scalar]] $merge?)",
                body: lookup,
            },
            Signature {
                parameters: "(Variant[String, Array[String]] $name, Optional[Type] $value_type, \
                             Optional[Variant[String[1], Hash[String, Scalar]]] $merge, Any $default_value)",
                body: lookup,
            },
            Signature {
                parameters: "(Variant[String, Array[String]] $name, Type $value_type?, Variant[String[1], Hash[String, Scalar]] $merge?, \
                             Callable[1, 1] &block)",
                body: lookup,
            },
            Signature {
                parameters: "(Struct[{name => Variant[String, Array[String]], Optional[value_type] => Optional[Type], \
                             Optional[default_value] => Any, Optional[override] => Hash[String, Any], \
                             Optional[default_values_hash] => Hash[String, Any], \
                             Optional[merge] => Optional[Variant[String[1], Hash[String, Scalar]]]}] $options_hash, Callable[1, 1] &block?)",
                body: lookup,
            },
            Signature {
                parameters: "(Variant[String, Array[String]] $name, Struct[{Optional[value_type] => Optional[Type], \
                             Optional[default_value] => Any, Optional[override] => Hash[String, Any], \
                             Optional[default_values_hash] => Hash[String, Any], \
                             Optional[merge] => Optional[Variant[String[1], Hash[String, Scalar]]]}] $options_hash, Callable[1, 1] &block?)",
                body: lookup,
            },
        ]),
    },
    hiera("hiera", &signatures(hiera_value)),
    hiera("hiera_array", &signatures(hiera_value)),
    hiera("hiera_hash", &signatures(hiera_value)),
    hiera("hiera_include", &signatures(hiera_value)),
];

/// The arguments of a lookup.
#[derive(Default)]
struct Options {
    names: Vec<String>,
    is_list: bool,
    value_type: Option<Arc<Type>>,
    merge: Option<Value>,
    default: Option<Value>,
    overrides: ByKey,
    defaults: ByKey,
}

/// A hash of values by key.
type ByKey = Option<Value>;

impl Options {
    fn of_arguments(arguments: &[Value]) -> Options {
        let mut options = Options::default();
        let mut rest = arguments.iter();
        if let Some(name @ (Value::String(_) | Value::Array(_))) = arguments.first() {
            options.name(name);
            rest.next();
        }
        match rest.as_slice() {
            [hash @ Value::Hash(_)] => options.read(hash),
            rest => {
                options.value_type(rest.first());
                options.merge = rest.get(1).filter(|merge| **merge != Value::Undef).cloned();
                options.default = rest.get(2).cloned();
            }
        }
        options
    }

    fn name(&mut self, name: &Value) {
        self.is_list = matches!(name, Value::Array(_));
        let names = name.as_array().unwrap_or(std::slice::from_ref(name));
        self.names = names.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    }

    fn value_type(&mut self, value: Option<&Value>) {
        if let Some(Value::Type(of)) = value {
            self.value_type = Some(of.clone());
        }
    }

    fn read(&mut self, hash: &Value) {
        if let Some(name) = hash.get("name") {
            self.name(name);
        }
        self.value_type(hash.get("value_type"));
        self.merge = hash.get("merge").filter(|merge| **merge != Value::Undef).cloned();
        self.default = hash.get("default_value").cloned();
        self.overrides = hash.get("override").cloned();
        self.defaults = hash.get("default_values_hash").cloned();
    }

    fn check(&self, value: Value, what: &str) -> Result<Value, Failure> {
        match &self.value_type {
            Some(of) if !of.is_instance(&value) => {
                Err(Failure::new(describe_mismatch(&format!("{what} has wrong type,"), of, &infer_exact(&value))))
            }
            _ => Ok(value),
        }
    }
}

fn lookup(context: &mut Context<'_>, arguments: &[Value], block: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    run(context, &Options::of_arguments(arguments), block)
}

fn run(context: &mut Context<'_>, options: &Options, block: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    let of_hash = |hash: &Option<Value>| options.names.iter().find_map(|name| hash.as_ref()?.get(name).cloned());
    if let Some(value) = of_hash(&options.overrides) {
        return options.check(value, "Value found in override hash");
    }
    for name in &options.names {
        let request = KeySearch { merge: options.merge.clone(), ..KeySearch::new(name) };
        if let Some(value) = search(context, &request)? {
            return options.check(value, "Found value");
        }
    }
    if let Some(value) = of_hash(&options.defaults) {
        return options.check(value, "Value found in default_values_hash");
    }
    let names: Vec<Value> = options.names.iter().map(|name| Value::from(name.as_str())).collect();
    if let Some(block) = block {
        let argument = if options.is_list { Value::array(names) } else { names.into_iter().next().unwrap_or(Value::Undef) };
        let value = context.yield_to(block, vec![argument])?;
        return options.check(value, "Value returned from default block");
    }
    if let Some(default) = &options.default {
        return options.check(default.clone(), "Default value");
    }
    let text = match options.names.as_slice() {
        [name] if !options.is_list => format!("the name '{name}'"),
        [name] => format!("the name '{name}'"),
        names => format!("any of the names [{}]", names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ")),
    };
    Err(Failure::plain(None, format!("Function lookup() did not find a value for {text}")))
}

fn hiera_value(context: &mut Context<'_>, arguments: &[Value], block: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    let name = context.name().to_owned();
    context.warn_once(
        &format!("hiera function {name}"),
        &format!(
            "The function '{name}' is deprecated in favor of using 'lookup'. See \
             https://puppet.com/docs/puppet/7.23/deprecated_language.html"
        ),
        None,
    );
    let merge = match name.as_str() {
        "hiera_array" | "hiera_include" => Some(Value::from("unique")),
        "hiera_hash" => Some(Value::from("hash")),
        _ => None,
    };
    let overrides = if block.is_some() { arguments.get(1) } else { arguments.get(2) };
    if overrides.is_some_and(|level| *level != Value::Undef) {
        return Err(Failure::unsupported(format!("the level of `{name}` that overrides the hierarchy")));
    }
    let mut options = Options { merge, ..Options::default() };
    options.name(arguments.first().unwrap_or(&Value::Undef));
    if block.is_none() {
        options.default = arguments.get(1).cloned();
    }
    let value = run(context, &options, block)?;
    if name == "hiera_include" {
        return context.call("include", vec![value], None);
    }
    Ok(value)
}
