//! The table of processes, where services without a status of their own are looked for.

use crate::{ProviderError, System};
use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rtype_lang::value::{Flags, Regex, Value};
use rtype_system::process;
use std::time::Duration;

/// How long a process may take to end.
const PATIENCE: Duration = Duration::from_secs(10);

/// Returns the first process, other than this one, whose command line matches the pattern.
///
/// Puppet searches whole lines of `ps -ef`, which also contain user names and Puppet's own arguments.
///
/// # Errors
/// If the pattern is invalid, or `/proc` cannot be read.
pub(super) fn find(system: &System, pattern: &Value) -> Result<Option<i32>, ProviderError> {
    let regex = match pattern {
        Value::Regex(regex) => regex.clone(),
        Value::Nil => {
            return Err(ProviderError::new("the service has no `pattern` to look for")
                .help("give `status` and `stop`, or `pattern`")
                .of_kind(crate::ErrorKind::MissingAttribute));
        }
        text => {
            let text = text.to_text();
            let regex = Regex::new(&text, Flags::default());
            regex.map_err(|e| ProviderError::new(format!("invalid `pattern` '{text}': {}", e.message)))?.into()
        }
    };
    let names = system.names("/proc")?;
    let numbers = names.iter().filter_map(|name| name.parse::<i32>().ok());
    let own = i32::try_from(std::process::id()).unwrap_or_default();
    let mut numbers: Vec<i32> = numbers.filter(|n| *n != own).collect();
    numbers.sort_unstable();
    // Processes that exit during the scan are not counted.
    let matches = |n: &i32| line(system, *n).is_some_and(|line| regex.is_match(&line));
    Ok(numbers.into_iter().find(matches))
}

/// Returns the command line of a process as in `ps`, `None` if it has ended.
fn line(system: &System, number: i32) -> Option<String> {
    let status = system.read(&format!("/proc/{number}/stat")).ok()??;
    let (name, rest) = status.split_once('(')?.1.rsplit_once(')')?;
    if rest.trim_start().starts_with(['Z', 'X']) {
        return None;
    }
    let arguments = system.read(&format!("/proc/{number}/cmdline")).ok()??;
    let arguments = arguments.trim_end_matches('\0');
    Some(if arguments.is_empty() { format!("[{name}]") } else { arguments.replace('\0', " ") })
}

/// Terminates the first process that matches the pattern and waits for it; does nothing if there is none.
///
/// # Errors
/// If it cannot be terminated, or does not end.
pub(super) fn end(system: &System, pattern: &Value) -> Result<(), ProviderError> {
    let Some(number) = find(system, pattern)? else { return Ok(()) };
    match kill(Pid::from_raw(number), Signal::SIGTERM) {
        Ok(()) | Err(Errno::ESRCH) => {}
        Err(Errno::EPERM) => return Err(ProviderError::new(format!("cannot end process {number}: permission denied")).help("run as root")),
        Err(e) => return Err(ProviderError::new(format!("cannot end process {number}: {e}"))),
    }
    let begun = process::now();
    while line(system, number).is_some() {
        if begun.elapsed() > PATIENCE {
            let still = format!("process {number} still runs {} seconds after it was asked to end", PATIENCE.as_secs());
            return Err(ProviderError::new(still).help("give a command that stops the service by `stop`"));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}
