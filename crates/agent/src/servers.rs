//! Selects a server from `server_list`.
//!
//! Follows Puppet 7.23's `lib/puppet/http/resolver/server_list.rb`.

use crate::certificates::Certificates;
use crate::error::AgentError;
use crate::settings::Settings;

/// Returns the settings with the first running server in `server_list`, or the unchanged settings without a `server_list`. `failed`
/// receives the error for each skipped server.
///
/// # Errors
/// The last server's error if no server runs.
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
