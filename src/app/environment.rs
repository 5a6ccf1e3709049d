//! The Puppet environment in the working directory, with the settings in `environment.conf`.

use super::input::FileAccess;
use rtype_system::{named, process};
use std::path::{Component, Path, PathBuf};

/// The settings of a Puppet environment, at the top of a control repository.
const FILE: &str = "environment.conf";

/// A setting of the environment; `default` without one, `None` without `environment.conf`.
fn setting(access: &FileAccess, name: &str, default: &str) -> Option<String> {
    let text = named::exists(Path::new(FILE)).then(|| access.read(FILE, false).ok()).flatten()?;
    let found = text.lines().filter_map(|line| line.split_once('=')).find(|(key, _)| key.trim() == name);
    Some(found.map_or(default, |(_, value)| value.trim()).to_owned())
}

/// Returns the path of the setting without `$environmentpath` and other variables, if it stays in the repository.
fn below(path: &str) -> Option<PathBuf> {
    let is_below = Path::new(path).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    (is_below && !path.is_empty() && !path.starts_with('$')).then(|| PathBuf::from(path))
}

/// Returns the module directories in the `environment.conf` of the working directory; `modules` without a setting. Only directories of the
/// repository are used: `$basemodulepath` and absolute paths exist on the server.
pub(super) fn module_path(access: &FileAccess) -> Vec<PathBuf> {
    let path = setting(access, "modulepath", "modules").unwrap_or_default();
    path.split(':').filter_map(below).filter(|path| named::is_dir(path) && access.check(path).is_ok()).collect()
}

/// Returns the main manifest of the environment, a file or a directory; `None` if the working directory has no `environment.conf`.
pub(super) fn main_manifest(access: &FileAccess) -> Option<PathBuf> {
    below(&setting(access, "manifest", "manifests")?).filter(|path| named::exists(path))
}

/// Returns the directory of the environment: the working directory, if it has an `environment.conf`.
pub(super) fn directory() -> Option<PathBuf> {
    let here = process::working_directory().ok()?;
    named::is_file(here.join(FILE)).then_some(here)
}
