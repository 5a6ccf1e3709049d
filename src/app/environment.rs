//! The module path of a control repository: `modulepath` in `environment.conf`.

use super::input::FileAccess;
use rtype_system::named;
use std::path::{Component, Path, PathBuf};

/// The settings of a Puppet environment, at the top of a control repository.
const FILE: &str = "environment.conf";

/// Returns the module directories in the `environment.conf` of the working directory; `modules` without a setting. Only directories of the
/// repository are used: `$basemodulepath` and absolute paths exist on the server.
pub(super) fn module_path(access: &FileAccess) -> Vec<PathBuf> {
    let Some(text) = named::exists(Path::new(FILE)).then(|| access.read(FILE, false).ok()).flatten() else { return Vec::new() };
    let setting = text.lines().filter_map(|line| line.split_once('=')).find(|(name, _)| name.trim() == "modulepath");
    let path = setting.map_or("modules", |(_, path)| path.trim());
    let is_below = |path: &Path| path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let directories = path.split(':').filter(|part| !part.is_empty() && !part.starts_with('$')).map(PathBuf::from);
    directories.filter(|path| is_below(path) && named::is_dir(path) && access.check(path).is_ok()).collect()
}
