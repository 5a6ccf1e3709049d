//! Files written by Puppet's own agent on this machine: they show that the agent is disabled or running.
//!
//! Follows Puppet 7.23's `lib/puppet/agent/disabler.rb`, `lib/puppet/agent/locker.rb` and `lib/puppet/util/pidlock.rb`.

use crate::error::AgentError;
use crate::store::OwnFiles;
use rtype_system::{Tree, named, process};
use serde_json::Value as Json;
use std::ffi::CStr;
use std::path::{Path, PathBuf};

const DISABLED: &str = "agent_disabled.lock";
const RUNNING: &str = "agent_catalog_run.lock";
/// This process's name while it holds Puppet's lock. If the process has a different kind of name, Puppet removes the lock.
const HOLDER: &CStr = c"rtype-puppet";
const OWN_NAME: &CStr = c"rtype";

/// Puppet's state directory on this machine.
#[derive(Clone, Debug)]
pub struct Puppet {
    state: PathBuf,
}

/// Puppet's lock. Dropping the value removes the lock.
#[derive(Debug)]
pub struct PuppetLock {
    store: OwnFiles,
}

impl Drop for PuppetLock {
    fn drop(&mut self) {
        let _ = rustix::thread::set_name(OWN_NAME);
        // A remaining lock contains the ID of an ended process. Puppet detects this lock.
        let _ = self.store.remove(RUNNING.as_ref());
    }
}

/// Returns the reason given to `puppet agent --disable`; `None` if the agent is not disabled.
///
/// # Errors
/// If Puppet's file cannot be read.
pub fn disabled(puppet: &Puppet) -> Result<Option<String>, AgentError> {
    let Some(text) = OwnFiles::new(&puppet.state).read(DISABLED.as_ref())? else { return Ok(None) };
    let json: Json = serde_json::from_slice(&text).unwrap_or_default();
    Ok(Some(json.get("disabled_message").and_then(Json::as_str).unwrap_or("reason not specified").to_owned()))
}

impl Puppet {
    /// Uses Puppet's state directory.
    pub fn new(state: &Path) -> Puppet {
        Puppet { state: state.to_owned() }
    }

    /// Disables this agent and Puppet's agent. If they are already disabled, keeps and returns the first reason.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn disable(&self, reason: &str) -> Result<Option<String>, AgentError> {
        if let Some(first) = disabled(self)? {
            return Ok(Some(first));
        }
        let text = serde_json::json!({"disabled_message": reason}).to_string();
        OwnFiles::new(&self.state).write_as_self(DISABLED.as_ref(), text.as_bytes(), 0o644).map(|()| None)
    }

    /// Enables both agents again.
    ///
    /// # Errors
    /// If the file cannot be removed.
    pub fn enable(&self) -> Result<(), AgentError> {
        OwnFiles::new(&self.state).remove(DISABLED.as_ref())
    }

    /// Takes Puppet's lock, so that Puppet's agent does not run at the same time.
    ///
    /// # Errors
    /// If Puppet's agent is running, or the lock cannot be written.
    pub fn lock(&self) -> Result<Option<PuppetLock>, AgentError> {
        // Without the directory, Puppet's agent has never run.
        if Tree::at("/").look(&self.state, true).ok().flatten().is_none() {
            return Ok(None);
        }
        let store = OwnFiles::new(&self.state);
        store.clear(RUNNING.as_ref());
        let holder = store.read(RUNNING.as_ref())?.unwrap_or_default();
        let holder: Option<i32> = String::from_utf8_lossy(&holder).trim().parse().ok();
        if let Some(process) = holder.filter(|process| process::numbers().contains(process) && is_puppet(*process)) {
            return Err(AgentError::NotNow {
                why: format!("Puppet's agent is running (process {process})"),
                help: "wait until it has ended".into(),
            });
        }
        let _ = rustix::thread::set_name(HOLDER);
        store.write_as_self(RUNNING.as_ref(), std::process::id().to_string().as_bytes(), 0o644)?;
        Ok(Some(PuppetLock { store }))
    }
}

/// Returns true if a process is an agent. The ID in a lock may belong to another process, because process IDs are reused.
fn is_puppet(process: i32) -> bool {
    let words = named::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    let words = String::from_utf8_lossy(&words).into_owned();
    ["puppet", "rtype"].iter().any(|name| words.contains(name))
}
