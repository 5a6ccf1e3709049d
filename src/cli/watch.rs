//! Waits for changes of files.

use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};
use rtype_system::named;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Editors write a file in several steps; all within this time count as one.
const PAUSE: Duration = Duration::from_millis(100);

/// Watches files and directories.
pub struct Watch {
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
    pub fn new(paths: &[String], extensions: &'static [&'static str]) -> notify::Result<Watch> {
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
    pub fn wait(&self) -> bool {
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
