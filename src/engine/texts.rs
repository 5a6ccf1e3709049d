//! Resource declarations in files, whatever they are written in.

use crate::diagnostics::{Code, Diagnostic};
use crate::eval::World;
use crate::input;
use crate::library::Library;
use crate::manifest::{DataFormat, Declarations, from_data, from_manifest, suspects};
use crate::source::Span;
use crate::syntax::parse_manifest;

/// The declarations in a file, `-` being standard input; `None` when it cannot be read, which is reported.
pub fn declarations(path: &str, library: &mut Library, world: &dyn World, diagnostics: &mut Vec<Diagnostic>) -> Option<Declarations> {
    let text = input::read_source(path).map_err(|d| diagnostics.push(d)).ok()?;
    let is_stdin = path == "-";
    let format = if is_stdin { DataFormat::guess(&text) } else { DataFormat::of(path) };
    let source = match library.sources.add(if is_stdin { input::STDIN } else { path }, text) {
        Ok(source) => source,
        Err(e) => {
            diagnostics.push(Diagnostic::new(Code::TooLarge, Span::NONE, e.to_string()));
            return None;
        }
    };
    let (declarations, found) = match format {
        Some(format) => from_data(&source, format),
        None => {
            let (manifest, mut found) = parse_manifest(&source);
            let (declarations, more) = from_manifest(&manifest, world);
            found.extend(more);
            (declarations, found)
        }
    };
    library.secrets.extend(&declarations.secrets);
    // A snippet of what was not understood must not show a secret either.
    if found.iter().any(Diagnostic::is_error) {
        library.secrets.extend(&suspects(&source));
    }
    diagnostics.extend(found);
    Some(declarations)
}
