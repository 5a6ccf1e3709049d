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

/// Editors write a file in several steps; all within this time count as one.
const PAUSE: Duration = Duration::from_millis(100);

/// Watches files and directories.
struct Watch {
    events: Receiver<notify::Result<Event>>,
    extensions: &'static [&'static str],
    // Watching ends with it.
    _watcher: RecommendedWatcher,
}

impl Watch {
    /// Begins to watch.
    ///
    /// # Errors
    /// When the system refuses: the path does not exist, or too much is watched.
    fn new(paths: &[String], extensions: &'static [&'static str]) -> notify::Result<Watch> {
        let (sender, events) = channel();
        let mut watcher = notify::recommended_watcher(sender)?;
        for path in paths.iter().map(Path::new) {
            // Editors replace files, which is only visible when watching the directory.
            let (folder, mode) = match path.parent() {
                Some(parent) if named::is_file(path) => (parent, RecursiveMode::NonRecursive),
                _ => (path, RecursiveMode::Recursive),
            };
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            watcher.watch(folder, mode)?;
        }
        Ok(Watch { events, extensions, _watcher: watcher })
    }

    /// Waits for a change of a file that is checked; `false` when there will be none.
    fn wait(&self) -> bool {
        let counts = |path: &PathBuf| {
            let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
            self.extensions.contains(&extension) || extension == "toml"
        };
        while let Ok(event) = self.events.recv() {
            // Ignore read access: otherwise checking would trigger the next check.
            let changed = event.is_ok_and(|e| !e.kind.is_access() && e.paths.iter().any(counts));
            if changed {
                while self.events.recv_timeout(PAUSE).is_ok() {}
                return true;
            }
        }
        false
    }
}

/// Repeats a command whenever a file changes, until the program is interrupted.
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
