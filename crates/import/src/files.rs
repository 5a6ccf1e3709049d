//! Access to the other files of a module path, which types may require or read.

use rtype_lang::source::Source;
use std::sync::Arc;

/// The Ruby files below the `lib` directories of a module path, and the other files of its modules.
pub trait RubyFiles {
    /// Returns a file by path, such as `puppet_x/motd/units.rb`.
    fn read(&mut self, path: &str) -> Option<Arc<Source>>;

    /// Returns the sorted names of the files in a directory, such as `puppet/provider/motd`.
    fn list(&mut self, directory: &str) -> Vec<String>;

    /// Returns a file of the module that a Ruby file belongs to, such as `data/limits.yaml`.
    fn data(&mut self, _of: &Source, _path: &str) -> Option<Arc<Source>> {
        None
    }

    /// Returns code that a Ruby file has in a string in a line, as a file of its own.
    fn code(&mut self, _of: &Source, _line: u32, _text: &str) -> Option<Arc<Source>> {
        None
    }

    /// Returns the sorted names of the files and directories in a directory of that module.
    fn data_names(&mut self, _of: &Source, _directory: &str) -> Vec<String> {
        Vec::new()
    }

    /// Returns the file of a type alias such as `Motd::Port`: `types/port.pp` of the module `motd`.
    fn type_alias(&mut self, _name: &str) -> Option<Arc<Source>> {
        None
    }
}

/// An empty module path.
pub struct NoRubyFiles;

impl RubyFiles for NoRubyFiles {
    fn read(&mut self, _path: &str) -> Option<Arc<Source>> {
        None
    }

    fn list(&mut self, _directory: &str) -> Vec<String> {
        Vec::new()
    }
}
