//! The functions `lookup` and `hiera`.

use super::search::{KeySearch, search};
use super::trace::KeyTrace;
use crate::compile::context::CallContext;
use crate::compile::evaluator::ManifestEvaluator;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::{Api, FunctionBody, FunctionRow, Signature};
use crate::compile::scope::LambdaClosure;
use crate::compile::types::{Type, describe_mismatch, infer_exact};
use crate::compile::value::ManifestValue;
use rtype_lang::source::Span;
use std::sync::Arc;

const fn hiera(name: &'static str, signatures: &'static [Signature]) -> FunctionRow {
    FunctionRow { name, api: Api::Typed(signatures) }
}

const fn signatures(body: FunctionBody) -> [Signature; 2] {
    [
        Signature { parameters: "(String $key, Any $default?, Any $override?)", body },
        Signature { parameters: "(String $key, Optional[Any] $override?, Callable[1, 1] &default_block)", body },
    ]
}

/// The local types of the signatures of `lookup`, such as `NameType`, which appear in messages.
macro_rules! lookup_types {
    () => {
        " where NameType = Variant[String, Array[String]]; ValueType = Type; DefaultValueType = Any; \
         MergeType = Variant[String[1], Hash[String, Scalar]]; BlockType = Callable[NameType]"
    };
}

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
    FunctionRow {
        name: "lookup",
        api: Api::Typed(&[
            Signature { parameters: concat!("(NameType $name, ValueType $value_type?, MergeType $merge?)", lookup_types!()), body: lookup },
            Signature {
                parameters: concat!(
                    "(NameType $name, Optional[ValueType] $value_type, Optional[MergeType] $merge, DefaultValueType $default_value)",
                    lookup_types!()
                ),
                body: lookup,
            },
            Signature {
                parameters: concat!("(NameType $name, ValueType $value_type?, MergeType $merge?, BlockType &block)", lookup_types!()),
                body: lookup,
            },
            Signature {
                parameters: concat!(
                    "(OptionsWithName $options_hash, BlockType &block?)",
                    lookup_types!(),
                    "; OptionsWithName = Struct[{name => NameType, value_type => Optional[ValueType], default_value => DefaultValueType, \
                     override => Optional[Hash[String, Any]], default_values_hash => Optional[Hash[String, Any]], merge => Optional[MergeType]}]"
                ),
                body: lookup,
            },
            Signature {
                parameters: concat!(
                    "(Variant[String, Array[String]] $name, OptionsWithoutName $options_hash, BlockType &block?)",
                    lookup_types!(),
                    "; OptionsWithoutName = Struct[{value_type => Optional[ValueType], default_value => DefaultValueType, \
                     override => Optional[Hash[String, Any]], default_values_hash => Optional[Hash[String, Any]], merge => Optional[MergeType]}]"
                ),
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
    merge: Option<ManifestValue>,
    default: Option<ManifestValue>,
    overrides: ByKey,
    defaults: ByKey,
}

/// A hash of values by key.
type ByKey = Option<ManifestValue>;

impl Options {
    fn of_arguments(arguments: &[ManifestValue]) -> Options {
        let mut options = Options::default();
        let mut rest = arguments.iter();
        if let Some(name @ (ManifestValue::String(_) | ManifestValue::Array(_))) = arguments.first() {
            options.name(name);
            rest.next();
        }
        match rest.as_slice() {
            [hash @ ManifestValue::Hash(_)] => options.read(hash),
            rest => {
                options.value_type(rest.first());
                options.merge = rest.get(1).filter(|merge| **merge != ManifestValue::Undef).cloned();
                options.default = rest.get(2).cloned();
            }
        }
        options
    }

    fn name(&mut self, name: &ManifestValue) {
        self.is_list = matches!(name, ManifestValue::Array(_));
        let names = name.as_array().unwrap_or(std::slice::from_ref(name));
        self.names = names.iter().filter_map(ManifestValue::as_str).map(str::to_owned).collect();
    }

    fn value_type(&mut self, value: Option<&ManifestValue>) {
        if let Some(ManifestValue::Type(of)) = value {
            self.value_type = Some(of.clone());
        }
    }

    fn read(&mut self, hash: &ManifestValue) {
        if let Some(name) = hash.get("name") {
            self.name(name);
        }
        self.value_type(hash.get("value_type"));
        self.merge = hash.get("merge").filter(|merge| **merge != ManifestValue::Undef).cloned();
        self.default = hash.get("default_value").cloned();
        self.overrides = hash.get("override").cloned();
        self.defaults = hash.get("default_values_hash").cloned();
    }

    fn check(&self, value: ManifestValue, what: &str) -> Result<ManifestValue, EvaluationFailure> {
        match &self.value_type {
            Some(of) if !of.is_instance(&value) => {
                Err(EvaluationFailure::new(describe_mismatch(&format!("{what} has wrong type,"), of, &infer_exact(&value))))
            }
            _ => Ok(value),
        }
    }
}

fn lookup(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    block: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    run(context, &Options::of_arguments(arguments), block)
}

/// Calls `lookup` with a hash of options in the scope of the node. Returns the value, and for each key the files that were searched.
pub fn explained(evaluator: &mut ManifestEvaluator, options: ManifestValue) -> (Result<ManifestValue, EvaluationFailure>, Vec<KeyTrace>) {
    evaluator.logs.lookups = Some(Vec::new());
    let scope = evaluator.node_scope.as_ref().unwrap_or(&evaluator.top).clone();
    let value = evaluator.call_function("lookup", vec![options], None, &scope, Span::NONE);
    (value, evaluator.logs.lookups.take().unwrap_or_default())
}

fn run(context: &mut CallContext<'_>, options: &Options, block: Option<&Arc<LambdaClosure>>) -> Result<ManifestValue, EvaluationFailure> {
    let of_hash = |hash: &Option<ManifestValue>| options.names.iter().find_map(|name| hash.as_ref()?.get(name).cloned());
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
    let names: Vec<ManifestValue> = options.names.iter().map(|name| ManifestValue::from(name.as_str())).collect();
    if let Some(block) = block {
        let argument = if options.is_list { ManifestValue::array(names) } else { names.into_iter().next().unwrap_or(ManifestValue::Undef) };
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
    Err(EvaluationFailure::plain(None, format!("Function lookup() did not find a value for {text}")))
}

fn hiera_value(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    block: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
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
        "hiera_array" | "hiera_include" => Some(ManifestValue::from("unique")),
        "hiera_hash" => Some(ManifestValue::from("hash")),
        _ => None,
    };
    let overrides = if block.is_some() { arguments.get(1) } else { arguments.get(2) };
    if overrides.is_some_and(|level| *level != ManifestValue::Undef) {
        return Err(EvaluationFailure::unsupported(format!("the level of `{name}` that overrides the hierarchy")));
    }
    let mut options = Options { merge, ..Options::default() };
    options.name(arguments.first().unwrap_or(&ManifestValue::Undef));
    if block.is_none() {
        options.default = arguments.get(1).cloned();
    }
    let value = run(context, &options, block)?;
    if name == "hiera_include" {
        return context.call("include", vec![value], None);
    }
    Ok(value)
}
