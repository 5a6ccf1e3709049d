//! Takes the place of the importer in a program that is built without it.

use crate::app::input;
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::library::Library;
use rtype_lang::source::{Source, Span};
use std::path::Path;
use std::sync::Arc;

/// Refuses a Ruby file.
pub fn translate(library: &mut Library, file: &Path) -> Option<Arc<Source>> {
    let name = input::relative(&file.to_string_lossy());
    let message = format!("cannot read `{name}`: this program is built without the importer for Ruby");
    library.diagnostics.push(Diagnostic::new(Code::CannotRead, Span::NONE, message).help("build rtype with the feature `import`"));
    None
}
