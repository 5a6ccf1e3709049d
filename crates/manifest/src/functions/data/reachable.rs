//! The data files that a hierarchy can reach for any node.

use super::hierarchy::{HierarchyLevel, Locations, ReadableLevels, Reader};
use globset::{GlobBuilder, GlobMatcher};
use std::path::{Path, PathBuf};

/// Patterns of the paths of a hierarchy's data files, in which interpolated expressions match any text.
#[derive(Debug, Default)]
pub struct ReachableFiles {
    patterns: Vec<(Reader, GlobMatcher)>,
    /// The directories below which the files are.
    pub directories: Vec<PathBuf>,
    /// Whether all levels have files in a known format.
    pub is_complete: bool,
}

impl ReachableFiles {
    /// Returns the patterns of the data files in the text of a `hiera.yaml`. Paths that lead out of the directory of the `hiera.yaml` are left out.
    /// `None` for other versions of Hiera, and for malformed YAML.
    pub fn of(text: &str) -> Option<ReachableFiles> {
        let read = ReadableLevels::of(text)?;
        let mut reachable = ReachableFiles { is_complete: read.is_complete, ..ReachableFiles::default() };
        read.levels.iter().for_each(|level| reachable.add(level));
        Some(reachable)
    }

    /// Returns the format of a data file; `None` for all other files.
    pub fn reader(&self, path: &Path) -> Option<Reader> {
        self.patterns.iter().find(|(_, pattern)| pattern.is_match(path)).map(|(reader, _)| *reader)
    }

    fn add(&mut self, level: &HierarchyLevel) {
        let (paths, is_glob) = match &level.locations {
            Locations::Paths(paths) => (paths.iter().collect(), false),
            Locations::Globs(globs) => (globs.iter().collect(), true),
            Locations::Mapped(_, _, path) => (vec![path], false),
        };
        for path in paths {
            let Some(directory) = pattern(&level.directory, false) else { continue };
            let Some(path) = pattern(path, is_glob).filter(|path| !path.is_empty()) else { continue };
            let whole = if directory.is_empty() { path } else { format!("{directory}/{path}") };
            // The values of facts may contain slashes; the asterisks of a glob do not match them.
            if let Ok(glob) = GlobBuilder::new(&whole).literal_separator(is_glob).backslash_escape(true).build() {
                let fixed: PathBuf = whole.split('/').take_while(|part| !part.contains(['*', '?', '[', '{', '\\'])).collect();
                let fixed =
                    if fixed.as_os_str() == whole.as_str() { fixed.parent().map(Path::to_owned).unwrap_or_default() } else { fixed };
                if !self.directories.contains(&fixed) {
                    self.directories.push(fixed);
                }
                self.patterns.push((level.reader, glob.compile_matcher()));
            }
        }
    }
}

/// Returns the pattern for a path with interpolated expressions; `None` for paths that lead out of the directory, and for expressions without an end.
fn pattern(path: &str, is_glob: bool) -> Option<String> {
    let mut all = String::new();
    let mut rest = path;
    while let Some((before, after)) = rest.split_once("%{") {
        all.push_str(&literal(before, is_glob));
        all.push('*');
        rest = after.split_once('}')?.1;
    }
    all.push_str(&literal(rest, is_glob));
    if all.starts_with('/') {
        return None;
    }
    let parts: Vec<&str> = all.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    (!parts.contains(&"..")).then(|| parts.join("/"))
}

fn literal(text: &str, is_glob: bool) -> String {
    if is_glob { text.to_owned() } else { globset::escape(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reaches(config: &str, path: &str) -> bool {
        ReachableFiles::of(&format!("version: 5\nhierarchy:\n  - name: a\n    {config}\n")).unwrap().reader(Path::new(path)).is_some()
    }

    #[test]
    fn interpolated_parts_match_any_text() {
        assert!(reaches("path: 'os/%{facts.os.family}.yaml'", "data/os/Debian.yaml"));
        assert!(reaches("path: 'nodes/%{trusted.certname}.yaml'", "data/nodes/a/b.yaml"));
        assert!(reaches("mapped_paths: [roles, role, 'roles/%{role}.yaml']", "data/roles/web.yaml"));
        assert!(!reaches("path: 'os/%{facts.os.family}.yaml'", "data/common.yaml"));
    }

    #[test]
    fn globs_match_in_their_directory() {
        assert!(reaches("glob: 'teams/*.yaml'", "data/teams/a.yaml"));
        assert!(!reaches("glob: 'teams/*.yaml'", "data/teams/a/b.yaml"));
        assert!(reaches("glob: 'teams/**/*.yaml'", "data/teams/a/b.yaml"));
        assert!(!reaches("path: 'teams/*.yaml'", "data/teams/a.yaml"));
    }

    #[test]
    fn files_outside_of_the_directory_are_not_reachable() {
        assert!(!reaches("path: '../secret.yaml'", "secret.yaml"));
        assert!(!reaches("path: '/etc/x.yaml'", "etc/x.yaml"));
        assert!(reaches("datadir: './hieradata/'\n    path: 'a.yaml'", "hieradata/a.yaml"));
    }
}
