//! Waits for changes of files.

use super::Exit;
use super::output::Console;
use crate::app::session::Session;
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};
use rtype_system::named;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// The time to collect events. Editors write a file in several steps; all events within this time count as one change.
const PAUSE: Duration = Duration::from_millis(100);

/// Watches files and directories.
struct Watch {
    events: Receiver<notify::Result<Event>>,
    extensions: &'static [&'static str],
    // Dropping the watcher ends watching.
    _watcher: RecommendedWatcher,
}

impl Watch {
    /// Starts watching.
    ///
    /// # Errors
    /// If the system refuses: a path does not exist, or there are too many watches.
    fn new(paths: &[String], extensions: &'static [&'static str]) -> notify::Result<Watch> {
        let (sender, events) = channel();
        let mut watcher = notify::recommended_watcher(sender)?;
        for path in paths.iter().map(Path::new) {
            // Editors replace files. Only a watched directory reports the replacement.
            let (folder, mode) = match path.parent() {
                Some(parent) if named::is_file(path) => (parent, RecursiveMode::NonRecursive),
                _ => (path, RecursiveMode::Recursive),
            };
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            watcher.watch(folder, mode)?;
        }
        Ok(Watch { events, extensions, _watcher: watcher })
    }

    /// Waits for a change of a relevant file; `false` if no further events can arrive.
    fn wait(&self) -> bool {
        let counts = |path: &PathBuf| {
            let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
            self.extensions.contains(&extension) || extension == "toml"
        };
        while let Ok(event) = self.events.recv() {
            // Ignore read access. Otherwise, a check would trigger the next check.
            let changed = event.is_ok_and(|e| !e.kind.is_access() && e.paths.iter().any(counts));
            if changed {
                while self.events.recv_timeout(PAUSE).is_ok() {}
                return true;
            }
        }
        false
    }
}

/// Repeats a command after each change of a file, until the program is interrupted.
pub fn repeat(
    paths: &[String],
    extensions: &'static [&'static str],
    session: &mut Session,
    output: &mut Console,
    mut once: impl FnMut(&mut Session, &mut Console) -> io::Result<Exit>,
) -> io::Result<Exit> {
    let refused = |output: &mut Console, why: String| {
        output.flush()?;
        eprintln!("rtype: {why}");
        Ok(Exit::Usage)
    };
    if let Some(missing) = paths.iter().find(|path| !named::exists(Path::new(path))) {
        return refused(output, format!("cannot watch `{missing}`: no such file or directory"));
    }
    let watch = match Watch::new(paths, extensions) {
        Ok(watch) => watch,
        Err(error) => return refused(output, format!("cannot watch for changes: {error}")),
    };
    loop {
        output.clear()?;
        once(session, output)?;
        output.print("watching for changes, Ctrl-C ends\n")?;
        output.flush()?;
        if !watch.wait() {
            return Ok(Exit::Clean);
        }
        session.start_afresh();
    }
}
