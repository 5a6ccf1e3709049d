//! Commands that a service's resource declares: `start`, `stop`, `restart` and `status`.

use crate::{Command, Output, ProviderError, Resource, System};
use rtype_lang::value::Value;
use std::time::Duration;

/// The timeout for starting or stopping a service. systemd's own default is 90 seconds, which units can override.
pub(super) const PATIENCE: Duration = Duration::from_secs(600);

/// Returns the command of an attribute: a shell command line, or a list that is run without a shell. A secret command line is passed
/// to the shell on standard input.
fn command<'a>(system: &'a System, value: &Value, is_secret: bool) -> Command<'a> {
    let command = match value.unwrapped() {
        Value::Array(words) => {
            let mut words = words.iter().map(|w| w.unwrapped().to_text().to_string());
            system.command(&words.next().unwrap_or_default()).args(words)
        }
        line if is_secret => system.command("sh").args(["-c", "eval \"$(/bin/cat)\" </dev/null"]).stdin(line.to_text().as_str()),
        line => system.command("sh").arg("-c").arg(line.to_text().as_str()),
    };
    command.locale_of_caller()
}

/// Runs the declared `status` command and returns whether the service is running; `None` if there is no such command.
pub(super) fn status(system: &System, resource: &dyn Resource) -> Option<Result<bool, ProviderError>> {
    let value = resource.wanted("status");
    let run = || {
        let output = command(system, &value, resource.is_secret("status")).run().map_err(|e| private(resource, "status", e))?;
        Ok(output.status == Some(0))
    };
    (!value.is_nil()).then(run)
}

/// Runs the declared command for `start`, `stop` or `restart`; `None` if there is no such command.
pub(super) fn perform(system: &System, resource: &dyn Resource, what: &str) -> Option<Result<(), ProviderError>> {
    let value = resource.wanted(what);
    let run = || {
        let command = command(system, &value, resource.is_secret(what)).time_limit(Some(PATIENCE));
        let line = match &value {
            Value::Array(_) => command.line(),
            line => line.to_text().into(),
        };
        let output: Output = command.run().map_err(|e| private(resource, what, e))?;
        match output.status {
            Some(0) => Ok(()),
            _ => Err(private(resource, what, output.failure(&line))),
        }
    };
    (!value.is_nil()).then(run)
}

/// Reduces the error of a secret command to the fact that it failed.
fn private(resource: &dyn Resource, what: &str, error: ProviderError) -> ProviderError {
    if resource.is_secret(what) { ProviderError::new(format!("the command `{what}` failed, and is a secret")) } else { error }
}
