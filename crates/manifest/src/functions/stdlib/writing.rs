//! Functions that write data: JSON, YAML, TOML, Ruby, Python.

use super::deprecation::deprecate;
use super::json::Layout;
use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::FunctionRow;
use crate::compile::value::{ManifestValue, ValueMap};
use crate::functions::ruby::{inspect, to_s};
use crate::functions::sprintf::sprintf;
use crate::functions::{Block, Evaluated, argument, bridge, signature, text, typed};

/// The parameters of `to_json_pretty`.
const PRETTY: &str = "(Variant[Hash, Array] $data, Optional[Boolean] $skip_undef?, Struct[{indent => Optional[String], \
                      space => Optional[String], space_before => Optional[String], object_nl => Optional[String], \
                      array_nl => Optional[String], allow_nan => Optional[Boolean], max_nesting => Optional[Integer[-1, default]]}] $opts?)";

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
    typed("sprintf_hash", &[signature("(String $format, Hash $arguments)", sprintf_hash)]),
    typed("to_json", &[signature("(Any $data)", to_json)]),
    typed("to_json_pretty", &[signature(PRETTY, to_json_pretty)]),
    typed("to_python", &[signature("(Any $object)", to_python)]),
    typed("to_ruby", &[signature("(Any $object)", to_ruby)]),
    typed("to_toml", &[signature("(Hash $data)", to_toml)]),
    typed("to_yaml", &[signature("(Any $data, Hash $options?)", to_yaml)]),
    typed("stdlib::to_json", &[signature("(Any $data)", to_json)]),
    typed("stdlib::to_json_pretty", &[signature(PRETTY, to_json_pretty)]),
    typed("stdlib::to_python", &[signature("(Any $object)", to_python)]),
    typed("stdlib::to_ruby", &[signature("(Any $object)", to_ruby)]),
    typed("stdlib::to_toml", &[signature("(Hash $data)", to_toml)]),
    typed("stdlib::to_yaml", &[signature("(Any $data, Hash $options?)", to_yaml)]),
];

fn sprintf_hash(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let message = "This method is deprecated. From Puppet 4.10.10/5.3.4 please use the built-in sprintf instead";
    deprecate(context, "sprintf_hash", message)?;
    Ok(ManifestValue::string(sprintf(text(arguments, 0), arguments.get(1..).unwrap_or_default())?))
}

fn to_json(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let json = Layout::default().write(argument(arguments, 0))?;
    context.spend(json.len() / 16)?;
    Ok(ManifestValue::string(json))
}

fn to_json_pretty(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let options = argument(arguments, 2);
    let mut layout = Layout::pretty();
    let option = |name: &str| options.get(name).and_then(ManifestValue::as_str).map(|text| text.to_owned().into());
    layout.indent = option("indent").unwrap_or(layout.indent);
    layout.space = option("space").unwrap_or(layout.space);
    layout.space_before = option("space_before").unwrap_or(layout.space_before);
    layout.object_nl = option("object_nl").unwrap_or(layout.object_nl);
    layout.array_nl = option("array_nl").unwrap_or(layout.array_nl);
    layout.allows_nan = options.get("allow_nan").is_some_and(ManifestValue::is_true);
    if options.get("max_nesting").is_some_and(|nesting| !matches!(nesting, ManifestValue::Integer(-1 | 0 | 100..))) {
        return Err(EvaluationFailure::unsupported("the option `max_nesting` of `to_json_pretty`"));
    }
    let data = match (argument(arguments, 0), argument(arguments, 1).is_true()) {
        (ManifestValue::Array(elements), true) => {
            ManifestValue::array(elements.iter().filter(|element| **element != ManifestValue::Undef).cloned().collect())
        }
        (ManifestValue::Hash(map), true) => {
            let kept = map.iter().filter(|(_, value)| **value != ManifestValue::Undef);
            ManifestValue::hash(kept.map(|(key, value)| (key.clone(), value.clone())))
        }
        (data, _) => data.clone(),
    };
    let json = layout.write(&data)?;
    context.spend(json.len() / 16)?;
    Ok(ManifestValue::string(json + "\n"))
}

/// How a language writes data.
struct Language {
    undef: &'static str,
    yes: &'static str,
    no: &'static str,
    arrow: &'static str,
}

impl Language {
    fn write(&self, value: &ManifestValue) -> Result<String, EvaluationFailure> {
        Ok(match value {
            ManifestValue::Undef => self.undef.to_owned(),
            ManifestValue::Boolean(true) => self.yes.to_owned(),
            ManifestValue::Boolean(false) => self.no.to_owned(),
            ManifestValue::Integer(_) | ManifestValue::Float(_) | ManifestValue::String(_) => inspect(value),
            ManifestValue::Array(elements) => {
                let parts = elements.iter().map(|element| self.write(element)).collect::<Result<Vec<_>, _>>()?;
                format!("[{}]", parts.join(", "))
            }
            ManifestValue::Hash(map) if is_plain(map) => {
                let pairs = map.iter().map(|(key, value)| Ok(format!("{}{}{}", self.write(key)?, self.arrow, self.write(value)?)));
                format!("{{{}}}", pairs.collect::<Result<Vec<_>, EvaluationFailure>>()?.join(", "))
            }
            _ => return Err(EvaluationFailure::unsupported("values that are not data")),
        })
    }
}

/// Returns `true` for hashes that Puppet does not write as rich data.
fn is_plain(map: &ValueMap) -> bool {
    map.keys().all(|key| key.as_str().is_some_and(|key| key != "__ptype" && key != "__pvalue"))
}

fn to_python(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let python = Language { undef: "None", yes: "True", no: "False", arrow: ": " };
    Ok(ManifestValue::string(python.write(argument(arguments, 0))?))
}

fn to_ruby(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let ruby = Language { undef: "nil", yes: "true", no: "false", arrow: " => " };
    Ok(ManifestValue::string(ruby.write(argument(arguments, 0))?))
}

fn to_toml(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    Ok(ManifestValue::string(argument(arguments, 0).as_map().map_or(Ok(String::new()), super::toml::write)?))
}

fn to_yaml(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let data = argument(arguments, 0);
    let plain = bridge::to_plain(data).ok_or_else(|| EvaluationFailure::unsupported("YAML of values that are not data"))?;
    let yaml = rtype_lang::value::to_yaml(&plain);
    context.spend(yaml.len() / 16)?;
    // The options change the indentation of nested collections and the folding of long strings.
    let is_nested = yaml.lines().any(|line| line.starts_with(' '));
    let widest = yaml.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    for (name, value) in argument(arguments, 1).as_map().into_iter().flatten() {
        let matters = match to_s(name).as_str() {
            "indentation" => is_nested && *value != ManifestValue::Integer(2),
            "line_width" => {
                !matches!(value, ManifestValue::Integer(width) if usize::try_from(*width).is_ok_and(|width| widest < width.min(80)))
            }
            _ => true,
        };
        if matters {
            return Err(EvaluationFailure::unsupported(format!("the option `{}` of `to_yaml`", to_s(name))));
        }
    }
    Ok(ManifestValue::string(yaml))
}
