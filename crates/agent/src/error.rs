//! Errors in the agent and from the server.

use rtype_system::help_of;
use std::io::{self, ErrorKind};
use std::path::Path;

/// The reason why an agent's step failed. The message may quote a server, so print the message through the run's redactor.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// The agent could not reach the server, or the connection broke.
    #[error("cannot reach {server}: {why}")]
    Unreachable {
        /// Host and port.
        server: String,
        /// The reason given by the system or the library.
        why: String,
    },
    /// The TLS handshake failed.
    #[error("no trusted connection to {server}: {why}")]
    Tls {
        /// Host and port.
        server: String,
        /// The faulty certificate, and the fault.
        why: String,
        /// A way to solve the problem.
        help: String,
    },
    /// The server responded with an HTTP error status.
    #[error("{server} refused {what}: {status}{}", said(.body))]
    Refused {
        /// Host and port.
        server: String,
        /// The requested resource, such as `the catalog of web1`.
        what: String,
        /// The HTTP status.
        status: u16,
        /// The server's message; may be empty.
        body: String,
    },
    /// The response violates the protocol.
    #[error("{what} from {server} cannot be used: {why}")]
    BadResponse {
        /// Host and port.
        server: String,
        /// The requested resource.
        what: String,
        /// The fault in the response.
        why: String,
    },
    /// An agent's file cannot be read or written.
    #[error("cannot use `{path}`: {why}")]
    File {
        /// The path of the file.
        path: String,
        /// The reason given by the system.
        why: String,
        /// A way to solve the problem.
        help: Option<&'static str>,
    },
    /// A key, certificate or revocation list on this machine is not usable.
    #[error("{what}: {why}")]
    Certificate {
        /// The key, certificate or list, with the path.
        what: String,
        /// The fault.
        why: String,
        /// A way to solve the problem.
        help: String,
    },
    /// Another user controls a certificate, key or settings file.
    #[error("{why}")]
    Untrusted {
        /// The path and the user who controls it.
        why: String,
        /// A way to make the file safe.
        help: String,
    },
    /// A setting is wrong.
    #[error("{path}: {why}")]
    Setting {
        /// The settings file and the line.
        path: String,
        /// The fault.
        why: String,
        /// A way to solve the problem.
        help: String,
    },
    /// A command in the settings failed.
    #[error("`{setting}` failed: {why}")]
    Command {
        /// The setting.
        setting: &'static str,
        /// The command's error.
        why: String,
    },
    /// The agent should not run now.
    #[error("{why}")]
    NotNow {
        /// The reason.
        why: String,
        /// A way to let the agent run again.
        help: String,
    },
    /// The run was stopped by a signal.
    #[error("stopped")]
    Stopped,
}

fn said(body: &str) -> String {
    if body.is_empty() { String::new() } else { format!(", {body}") }
}

impl AgentError {
    /// Creates the error about a file.
    pub fn file(path: &Path, why: &io::Error) -> AgentError {
        let help = match why.kind() {
            ErrorKind::PermissionDenied => Some("run the agent as root"),
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Some("free some space on its file system"),
            ErrorKind::NotFound => Some("check the path"),
            _ => help_of(why),
        };
        AgentError::File { path: path.display().to_string(), why: why.to_string(), help }
    }

    /// Returns help for the user.
    pub fn help(&self) -> Option<String> {
        let help = match self {
            AgentError::Unreachable { .. } => "look whether the server runs and its port can be reached; `--server` names another one",
            AgentError::Refused { status: 403, .. } => {
                "the server's `auth.conf` allows a node what belongs to the name in its certificate; `--certname` sets that name"
            }
            AgentError::Refused { status: 404, .. } => "look whether the server has the environment that is asked for",
            AgentError::Refused { status: 500.., .. } => "the log of the server has the reason",
            AgentError::Refused { .. } => "the log of the server may have the reason",
            AgentError::BadResponse { .. } => "run again; if it stays so, look at the server and at proxies on the way",
            AgentError::File { help, .. } => return help.map(str::to_owned),
            AgentError::Command { .. } => "run the command by hand; its exit status must be 0",
            AgentError::Tls { help, .. }
            | AgentError::Certificate { help, .. }
            | AgentError::Untrusted { help, .. }
            | AgentError::Setting { help, .. }
            | AgentError::NotNow { help, .. } => help,
            AgentError::Stopped => return None,
        };
        Some(help.to_owned())
    }
}
