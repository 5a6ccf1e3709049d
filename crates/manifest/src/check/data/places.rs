//! The hierarchies next to data files.

use crate::check::data_files::{DataPlace, Hierarchies};
use crate::functions::data::{CONFIGURATION, ReachableFiles, Reader};
use rtype_lang::library::Files;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The number of directories above a data file in which a hierarchy is looked for.
const MAX_PARENTS: usize = 12;

/// The maximum number of files that are listed below the directories of a hierarchy.
const MAX_FILES: usize = 10_000;

/// The nesting of directories in which data files are looked for.
const MAX_NESTING: usize = 12;

impl Hierarchies {
    /// Returns the nearest hierarchy in a directory above a data file that can reach the file; `None` for files that are not data.
    pub fn place(&mut self, path: &Path, files: &dyn Files) -> Option<DataPlace> {
        for directory in path.ancestors().skip(1).take(MAX_PARENTS) {
            let root = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
            if let Some(reachable) = self.of(root, files)
                && let Some(reader) = path.strip_prefix(directory).ok().and_then(|relative| reachable.reader(relative))
            {
                return Some(DataPlace { root: root.to_owned(), reader });
            }
        }
        None
    }

    /// Returns the hierarchy of a directory.
    pub(super) fn of(&mut self, root: &Path, files: &dyn Files) -> Option<Arc<ReachableFiles>> {
        if let Some(known) = self.known.get(root) {
            return known.clone();
        }
        let path = root.join(CONFIGURATION);
        let is_readable = files.exists(&path) && files.check(&path).is_ok();
        let text = is_readable.then(|| files.read(&path.to_string_lossy(), false).ok()).flatten();
        let found = text.and_then(|text| ReachableFiles::of(&text)).map(Arc::new);
        self.known.insert(root.to_owned(), found.clone());
        found
    }

    /// Returns the data files of the hierarchy of a directory; `None` without a hierarchy, or if a part of the data cannot be found.
    pub(super) fn files(&mut self, root: &Path, files: &dyn Files) -> Option<Vec<(PathBuf, Reader)>> {
        let reachable = self.of(root, files).filter(|reachable| reachable.is_complete)?;
        let mut open: Vec<(PathBuf, usize)> = reachable.directories.iter().map(|directory| (root.join(directory), 0)).collect();
        let (mut found, mut seen) = (Vec::new(), 0);
        while let Some((directory, depth)) = open.pop() {
            for path in files.entries(&directory) {
                seen += 1;
                if seen > MAX_FILES {
                    return None;
                }
                if let Some(reader) = path.strip_prefix(root).ok().and_then(|relative| reachable.reader(relative)) {
                    found.push((path, reader));
                } else if depth < MAX_NESTING && files.is_directory(&path) && files.check(&path).is_ok() {
                    open.push((path, depth + 1));
                }
            }
        }
        found.sort_by(|a, b| a.0.cmp(&b.0));
        found.dedup_by(|a, b| a.0 == b.0);
        Some(found)
    }
}
