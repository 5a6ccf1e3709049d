//! Functions that read files of modules.

use super::{Block, Evaluated, argument, legacy, no_method, signature, text, typed};
use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::FunctionRow;
use crate::compile::value::ManifestValue;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
    legacy("file", -2, file),
    typed("binary_file", &[signature("(String $path)", binary_file)]),
    typed("find_file", &[signature("(String *$paths)", find_file), signature("(Array[String] *$paths_array)", find_file)]),
    typed("find_template", &[signature("(String *$paths)", find_template), signature("(Array[String] *$paths_array)", find_template)]),
    typed("module_directory", &[signature("(String *$names)", module_directory), signature("(Array[String] *$names)", module_directory)]),
];

/// Returns the text of a path.
pub fn path_value(path: &Path) -> ManifestValue {
    ManifestValue::string(path.to_string_lossy().into_owned())
}

/// Returns the file of a reference `module/path`, or of an absolute path that may be read.
///
/// # Errors
/// Refuses absolute paths outside the module path.
fn find(context: &mut CallContext<'_>, directory: &str, name: &str) -> Result<Option<PathBuf>, EvaluationFailure> {
    if name.starts_with('/') {
        let path = Path::new(name);
        return context.exists(path).map(|exists| exists.then(|| path.to_owned()));
    }
    Ok(context.module_file(directory, name))
}

/// Flattens the arguments.
fn names(arguments: &[ManifestValue]) -> Vec<ManifestValue> {
    super::ruby::flatten(arguments)
}

fn file(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    for name in arguments {
        let ManifestValue::String(name) = name else { return Err(no_method(name, "split")) };
        if let Some(path) = find(context, "files", name)? {
            let bytes = context.read_file(&path)?;
            return match String::from_utf8(bytes) {
                Ok(text) => Ok(ManifestValue::string(text)),
                Err(_) => Err(EvaluationFailure::unsupported(format!("the file {}, which is not UTF-8", path.display()))),
            };
        }
    }
    let names: Vec<&str> = arguments.iter().filter_map(ManifestValue::as_str).collect();
    Err(EvaluationFailure::new(format!("Could not find any files from {}", names.join(", "))))
}

fn binary_file(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let name = text(arguments, 0);
    match find(context, "files", name)? {
        Some(path) => Ok(ManifestValue::Binary(Arc::new(context.read_file(&path)?))),
        None => Err(EvaluationFailure::new(format!("binary_file(): The given file '{name}' does not exist"))),
    }
}

fn first_found(context: &mut CallContext<'_>, arguments: &[ManifestValue], directory: &str) -> Evaluated {
    for name in names(arguments) {
        if let Some(path) = find(context, directory, name.as_str().unwrap_or_default())? {
            return Ok(path_value(&path));
        }
    }
    Ok(ManifestValue::Undef)
}

fn find_file(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    first_found(context, arguments, "files")
}

fn find_template(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    first_found(context, arguments, "templates")
}

fn module_directory(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let names = match argument(arguments, 0) {
        ManifestValue::Array(names) => names.to_vec(),
        _ => arguments.to_vec(),
    };
    let found = names.iter().filter_map(ManifestValue::as_str).find_map(|name| context.module_directory(name));
    Ok(found.map_or(ManifestValue::Undef, |path| path_value(&path)))
}
