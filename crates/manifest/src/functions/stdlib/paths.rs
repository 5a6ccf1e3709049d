//! Functions that split paths and find module directories.

use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::FunctionRow;
use crate::compile::value::ManifestValue;
use crate::functions::files::path_value;
use crate::functions::refused::refuse;
use crate::functions::ruby::{class_name, to_s, to_s_legacy};
use crate::functions::{Block, Evaluated, argument, legacy, signature, text, typed};

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
    legacy("basename", -1, basename),
    legacy("dirname", -1, dirname),
    legacy("get_module_path", -1, get_module_path),
    legacy("glob", -1, glob),
    typed("stdlib::extname", &[signature("(String $filename)", extname)]),
];

/// Returns the last part of a path, as Ruby's `File.basename`.
fn last_part(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    match (path.is_empty(), trimmed.is_empty()) {
        (true, _) => "",
        (false, true) => "/",
        (false, false) => trimmed.rsplit('/').next().unwrap_or(trimmed),
    }
}

fn basename(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let path = match arguments {
        [] => return Err(EvaluationFailure::new("basename(): No arguments given")),
        [_, _, _, ..] => return Err(EvaluationFailure::new(format!("basename(): Too many arguments given ({})", arguments.len()))),
        [ManifestValue::String(path), ..] => path,
        _ => return Err(EvaluationFailure::new("basename(): Requires string as first argument")),
    };
    let name = last_part(path);
    let suffix = match arguments.get(1) {
        None => "",
        Some(ManifestValue::String(suffix)) => suffix,
        Some(_) => return Err(EvaluationFailure::new("basename(): Requires string as second argument")),
    };
    let without = match suffix {
        ".*" => name.rfind('.').filter(|at| *at > 0).and_then(|at| name.get(..at)),
        suffix => name.strip_suffix(suffix),
    };
    Ok(ManifestValue::from(without.filter(|name| !name.is_empty()).unwrap_or(name)))
}

fn dirname(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let path = match arguments {
        [] => return Err(EvaluationFailure::new("dirname(): No arguments given")),
        [_, _, ..] => return Err(EvaluationFailure::new(format!("dirname(): Too many arguments given ({})", arguments.len()))),
        [ManifestValue::String(path)] if path.is_empty() => {
            return Err(EvaluationFailure::new("dirname(): Requires a non-empty string as argument"));
        }
        [ManifestValue::String(path)] => path,
        _ => return Err(EvaluationFailure::new("dirname(): Requires string as argument")),
    };
    let trimmed = path.trim_end_matches('/');
    let parent = match trimmed.rfind('/') {
        Some(at) => trimmed.get(..at).unwrap_or_default().trim_end_matches('/'),
        None if path.starts_with('/') => "",
        None => ".",
    };
    // Several slashes at the start are one.
    let parent = if parent.is_empty() { "/".to_owned() } else { one_slash(parent) };
    Ok(ManifestValue::string(parent))
}

fn one_slash(path: &str) -> String {
    if path.starts_with('/') { format!("/{}", path.trim_start_matches('/')) } else { path.to_owned() }
}

fn extname(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let name = last_part(text(arguments, 0));
    let stem_start = name.len() - name.trim_start_matches('.').len();
    let extension = match name.rfind('.') {
        Some(at) if at > stem_start.saturating_sub(1) && at > 0 => name.get(at..).unwrap_or_default(),
        _ => "",
    };
    Ok(ManifestValue::from(if stem_start == name.len() { "" } else { extension }))
}

/// Tests whether a value is an absolute path of Unix or Windows.
///
/// # Errors
/// Never fails.
pub fn is_absolute(context: &mut CallContext<'_>, value: &ManifestValue) -> Result<bool, EvaluationFailure> {
    let ManifestValue::String(path) = value else {
        // Puppet asks for both systems and warns twice.
        let text = format!("Cannot check if {} is an absolute path because it is a '{}' and not a String'", to_s(value), class_name(value));
        context.warn(text.clone());
        context.warn(text);
        return Ok(false);
    };
    if path.starts_with('/') {
        return Ok(true);
    }
    let is_slash = |c: char| matches!(c, '/' | '\\');
    let mut letters = path.chars();
    let has_drive =
        letters.next().is_some_and(|c| c.is_ascii_alphabetic()) && letters.next() == Some(':') && letters.next().is_some_and(is_slash);
    let share: Vec<&str> = path.strip_prefix(is_slash).and_then(|rest| rest.strip_prefix(is_slash)).unwrap_or("").split(is_slash).collect();
    let has_share = matches!(share.as_slice(), [host, name, ..] if !host.is_empty() && !name.is_empty());
    Ok(has_drive || has_share)
}

/// Returns the directory of a module.
///
/// # Errors
/// Returns stdlib's error for an unknown module.
pub fn module(context: &CallContext<'_>, name: &ManifestValue) -> Result<std::path::PathBuf, EvaluationFailure> {
    let name = to_s_legacy(name);
    let unknown = || EvaluationFailure::new(format!("Could not find module {name} in environment {}", context.environment()));
    context.module_directory(&name).ok_or_else(unknown)
}

fn get_module_path(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    match arguments {
        [name] => module(context, name).map(|path| path_value(&path)),
        _ => Err(EvaluationFailure::new("get_module_path(): Wrong number of arguments, expects one")),
    }
}

fn glob(context: &mut CallContext<'_>, arguments: &[ManifestValue], block: Block<'_>) -> Evaluated {
    if arguments.len() != 1 {
        return Err(EvaluationFailure::new(format!("glob(): Wrong number of arguments given ({} for 1)", arguments.len())));
    }
    if !matches!(argument(arguments, 0), ManifestValue::String(_) | ManifestValue::Array(_)) {
        return Err(EvaluationFailure::new("glob(): Requires either array or string to work"));
    }
    refuse(context, arguments, block)
}
