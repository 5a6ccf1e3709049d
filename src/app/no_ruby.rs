//! Replaces the importer in a program built without it.

use crate::app::input;
use rtype_lang::diagnostics::{Code, Diagnostic, Outcome};
use rtype_lang::library::{Files, Translate};
use rtype_lang::source::{Source, SourceMap, Span};
use std::path::Path;
use std::sync::Arc;

/// Refuses Ruby files.
#[derive(Debug)]
struct NoRuby;

/// Returns a translator that refuses all Ruby files.
pub fn translator() -> Arc<dyn Translate> {
    Arc::new(NoRuby)
}

impl Translate for NoRuby {
    fn translate(&self, file: &Path, _: &Arc<dyn Files>, _: &SourceMap) -> Outcome<Option<Arc<Source>>> {
        let name = input::relative(&file.to_string_lossy());
        let message = format!("cannot read `{name}`: this program is built without the importer for Ruby");
        Err(Diagnostic::new(Code::CannotRead, Span::NONE, message).help("build rtype with the feature `import`")).into()
    }
}
