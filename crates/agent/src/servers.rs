//! Which of several servers is used.
//!
//! Follows Puppet 7.23's `lib/puppet/http/resolver/server_list.rb`.

use crate::certificates::Certificates;
use crate::error::AgentError;
use crate::settings::Settings;

/// Returns the settings with the first server of `server_list` that runs; without such a list, as they are. `failed` gets the error of each server
/// after which another one is tried.
///
/// # Errors
/// The error of the last server if none runs.
pub fn choose_server(settings: &Settings, failed: &mut dyn FnMut(&AgentError)) -> Result<Settings, AgentError> {
    let mut servers = settings.server_list.iter().peekable();
    while let Some(server) = servers.next() {
        let candidate = settings.with_server(server);
        match Certificates::new(&candidate).status() {
            Ok(()) => return Ok(candidate),
            Err(error) if matches!(error, AgentError::Stopped) || servers.peek().is_none() => return Err(error),
            Err(error) => failed(&error),
        }
    }
    Ok(settings.clone())
}
