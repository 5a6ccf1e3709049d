//! What can go wrong between an agent and its server.

use rtype_system::help_of;
use std::io::{self, ErrorKind};
use std::path::Path;

/// Why a step of the agent failed. The text may repeat what a server sent: print it through the run's redactor.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// The server could not be reached, or the connection broke.
    #[error("cannot reach {server}: {why}")]
    Unreachable {
        /// Host and port.
        server: String,
        /// The system's or the library's reason.
        why: String,
    },
    /// The TLS handshake failed.
    #[error("no trusted connection to {server}: {why}")]
    Tls {
        /// Host and port.
        server: String,
        /// What is wrong with which certificate.
        why: String,
        /// How to repair it.
        help: String,
    },
    /// The server answered with an HTTP error status.
    #[error("{server} refused {what}: {status}{}", said(.body))]
    Refused {
        /// Host and port.
        server: String,
        /// What was asked for: `the catalog of web1`.
        what: String,
        /// The HTTP status.
        status: u16,
        /// The server's message; may be empty.
        body: String,
    },
    /// The answer is not what the protocol says.
    #[error("{what} from {server} cannot be used: {why}")]
    BadResponse {
        /// Host and port.
        server: String,
        /// What was asked for.
        what: String,
        /// What is wrong with it.
        why: String,
    },
    /// A file of the agent cannot be read or written.
    #[error("cannot use `{path}`: {why}")]
    File {
        /// Its path.
        path: String,
        /// The system's reason.
        why: String,
        /// What to do about it.
        help: Option<&'static str>,
    },
    /// A key, certificate or revocation list on this machine is not usable.
    #[error("{what}: {why}")]
    Certificate {
        /// Which one, with its path.
        what: String,
        /// What is wrong with it.
        why: String,
        /// How to repair it.
        help: String,
    },
    /// Another user controls a certificate, key or settings file.
    #[error("{why}")]
    Untrusted {
        /// The path and the user who controls it.
        why: String,
        /// How to make it safe.
        help: String,
    },
    /// A setting is wrong.
    #[error("{path}: {why}")]
    Setting {
        /// The file, with the line.
        path: String,
        /// What is wrong.
        why: String,
        /// How to repair it.
        help: String,
    },
    /// A command of the settings failed.
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
        /// Who keeps it from running.
        why: String,
        /// What ends that.
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
    /// Creates the error of a file.
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
