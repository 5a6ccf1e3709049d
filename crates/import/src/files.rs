//! The other Ruby files of a module path: what a type requires of them is read, too.

use rtype_lang::source::Source;
use std::sync::Arc;

/// The Ruby files below the `lib` folders of a module path.
pub trait Files {
    /// The text of `puppet_x/motd/units.rb`.
    fn read(&mut self, path: &str) -> Option<Arc<Source>>;

    /// The names of the files in `puppet/provider/motd`, sorted.
    fn list(&mut self, folder: &str) -> Vec<String>;
}

/// No others are there.
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&mut self, _path: &str) -> Option<Arc<Source>> {
        None
    }

    fn list(&mut self, _folder: &str) -> Vec<String> {
        Vec::new()
    }
}
