//! The function `deprecation`, which deprecated functions call.

use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::FunctionRow;
use crate::compile::value::ManifestValue;
use crate::functions::{Block, Evaluated, signature, text, typed};

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[typed("deprecation", &[signature("(String $key, String $message)", deprecation)])];

/// The file of stdlib with the function, which Puppet names in the message.
const SOURCE: &str = "lib/puppet/functions/deprecation.rb";

/// Logs a deprecation as the setting `strict` demands.
///
/// # Errors
/// Returns an error if the setting is `error`.
pub fn deprecate(context: &mut CallContext<'_>, key: &str, message: &str) -> Result<(), EvaluationFailure> {
    // The function sees the call of a function of stdlib, and its caller.
    let stack = context.stack();
    let frame = |at: usize| match stack.get(at) {
        Some((file, line)) => format!("[{}, {line}]", crate::functions::ruby::inspect_string(file.as_deref().unwrap_or("unknown"))),
        None => String::new(),
    };
    let message = format!("{message} at {}:{}", frame(0), frame(1));
    match context.setting("strict").as_ref().and_then(ManifestValue::as_str) {
        Some("off") => {}
        Some("error") => return Err(EvaluationFailure::new(format!("deprecation. {key}. {message}"))),
        _ => {
            let location = location(context);
            context.warn_deprecated(key, &format!("{message}\n   (location: {location})"));
        }
    }
    Ok(())
}

/// Returns the place in stdlib that logs the message.
fn location(context: &mut CallContext<'_>) -> String {
    let Some(directory) = context.module_directory("stdlib") else { return SOURCE.to_owned() };
    let path = directory.join(SOURCE);
    let source = context.read_file(&path).unwrap_or_default();
    let source = String::from_utf8_lossy(&source);
    let line = source.lines().zip(1..).find(|(line, _)| line.contains("Puppet.deprecation_warning(")).map_or(0, |(_, number)| number);
    format!("{}:{line}:in `deprecation'", path.display())
}

/// Logs Puppet's warning about the old way in which a function of stdlib loads another.
pub fn warn_autoloader(context: &mut CallContext<'_>, function: &str) {
    context.warn_once(
        "Puppet::Parser::Functions.autoloader#loaded?",
        &format!(
            "The method 'Puppet::Parser::Functions.autoloader#loaded?(\"{function}\")' is deprecated in favor of using 'Scope#call_function'."
        ),
        None,
    );
}

fn deprecation(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    deprecate(context, text(arguments, 0), text(arguments, 1))?;
    Ok(ManifestValue::Undef)
}
