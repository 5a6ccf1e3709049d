//! Functions that parse data, from strings and from files of modules.

use super::paths::module;
use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::FunctionRow;
use crate::compile::value::ManifestValue;
use crate::functions::ruby::to_s;
use crate::functions::{Block, Evaluated, argument, bridge, legacy, no_method, signature, text, type_error, typed};
use std::path::Path;

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
    legacy("load_module_metadata", -1, load_module_metadata),
    legacy("loadjson", -2, load),
    legacy("loadyaml", -2, load),
    legacy("parsejson", -1, parse),
    legacy("parseyaml", -1, parse),
    typed("parsehocon", &[signature("(String $hocon_string, Any $default?)", parsehocon)]),
    typed("parsepson", &[signature("(String[1] $pson_string, Any $default?)", parsepson)]),
];

/// Parses YAML as Psych's `load` does.
///
/// # Errors
/// Returns Psych's error for dates; refuses other errors, whose text is not known.
pub fn yaml(source: &str) -> Evaluated {
    match rtype_lang::value::parse_yaml(source) {
        Ok(_) if has_alias(source) => Err(EvaluationFailure::unsupported("aliases in YAML")),
        Ok(plain) => bridge::from_plain(&plain),
        Err(error) if error.contains("as a date") => Err(EvaluationFailure::new("Tried to load unspecified class: Date")),
        Err(error) => Err(EvaluationFailure::unsupported(error)),
    }
}

/// Returns `true` if a text may have an alias, which Psych refuses.
fn has_alias(source: &str) -> bool {
    let mut last = ' ';
    source.chars().any(|c| {
        let is_alias = last == '*' && (c.is_alphanumeric() || c == '_');
        last = c;
        is_alias
    }) && source.contains('&')
}

/// Parses JSON.
///
/// # Errors
/// Returns the error of Ruby's library.
pub fn json(source: &str) -> Evaluated {
    match rtype_lang::value::parse_json(source) {
        Ok(plain) => bridge::from_plain(&plain),
        Err(error) => Err(json_error(source).unwrap_or_else(|| EvaluationFailure::unsupported(error))),
    }
}

/// Returns the error of Ruby's library for texts whose first token is not JSON.
fn json_error(source: &str) -> Option<EvaluationFailure> {
    let rest = source.trim_start_matches([' ', '\t', '\r', '\n']);
    // Errors inside of arrays name the element, all others the whole text.
    let is_outermost = !rest.contains('[') && !rest.starts_with("NaN") && !rest.contains("/*");
    let is_whole = rest.starts_with('{') || !rest.starts_with(|c: char| c.is_ascii_digit() || "-\"tfn".contains(c));
    (is_outermost && is_whole && (!rest.contains('}') || rest.is_empty()))
        .then(|| EvaluationFailure::new(format!("859: unexpected token at '{rest}'")))
}

fn parse(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let Some(source) = arguments.first() else {
        return Err(EvaluationFailure::new("Wrong number of arguments. 1 or 2 arguments should be provided."));
    };
    let default = argument(arguments, 1);
    let is_json = context.name() == "parsejson";
    let parsed = match source {
        ManifestValue::String(source) if is_json => json(source),
        ManifestValue::String(source) => yaml(source),
        other => Err(type_error(other, "String")),
    };
    or_default(parsed, default)
}

/// Returns the default for `undef`, `false` and errors.
fn or_default(parsed: Evaluated, default: &ManifestValue) -> Evaluated {
    match parsed {
        Ok(value) if value.is_true() => Ok(value),
        Ok(_) => Ok(default.clone()),
        Err(_) if default.is_true() => Ok(default.clone()),
        Err(failure) => Err(failure),
    }
}

fn load(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let ManifestValue::String(name) = argument(arguments, 0) else { return Err(no_method(argument(arguments, 0), "start_with?")) };
    if name.starts_with("http://") || name.starts_with("https://") {
        return Err(EvaluationFailure::unsupported(format!("`{}` of a URL, which needs the network", context.name())));
    }
    let default = argument(arguments, 1);
    let path = Path::new(name.as_str());
    if !name.is_empty() && !context.exists(path)? {
        context.warn(format!("Can't load '{name}' File does not exist!"));
        return Ok(default.clone());
    }
    if name.is_empty() {
        context.warn("Can't load '' File does not exist!");
        return Ok(default.clone());
    }
    let source = read(context, path)?;
    let parsed = if context.name() == "loadjson" { json(&source) } else { yaml(&source) };
    or_default(parsed, default)
}

fn read(context: &mut CallContext<'_>, path: &Path) -> Result<String, EvaluationFailure> {
    let bytes = context.read_file(path)?;
    String::from_utf8(bytes).map_err(|_| EvaluationFailure::unsupported(format!("the file {}, which is not UTF-8", path.display())))
}

fn load_module_metadata(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    if !matches!(arguments.len(), 1 | 2) {
        return Err(EvaluationFailure::new("load_module_metadata(): Wrong number of arguments, expects one or two"));
    }
    let name = argument(arguments, 0);
    let path = module(context, name)?.join("metadata.json");
    if context.exists(&path)? {
        let source = read(context, &path)?;
        return json(&source);
    }
    if argument(arguments, 1).is_true() {
        return Ok(ManifestValue::hash([]));
    }
    Err(EvaluationFailure::new(format!("load_module_metadata(): No metadata.json file for module {}", to_s(name))))
}

fn parsepson(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    // Puppet's own parser reads more than JSON, which is not known.
    let parsed = rtype_lang::value::parse_json(text(arguments, 0)).map_err(|_| EvaluationFailure::unsupported("PSON that is not JSON"));
    bridge::from_plain(&parsed?)
}

fn parsehocon(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let source = text(arguments, 0);
    if source.trim().is_empty() {
        return Ok(ManifestValue::hash([]));
    }
    // JSON is HOCON.
    match rtype_lang::value::parse_json(source) {
        Ok(plain @ rtype_lang::value::Value::Map(_)) => bridge::from_plain(&plain),
        _ => Err(EvaluationFailure::unsupported("HOCON that is not JSON")),
    }
}
