//! One pass over the bytes before pest.

use super::ast::Comment;
use crate::diagnostics::Diagnostic;
use crate::source::Source;

/// Which language a text is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// `.rtype`
    Types,
    /// `.pp`
    Manifest,
}

/// What the scanner found.
pub(crate) struct Scan<'s> {
    source: &'s Source,
    pub comments: Vec<Comment>,
    pub diagnostics: Vec<Diagnostic>,
    pub depth: usize,
    pub too_deep: bool,
}

impl<'s> Scan<'s> {
    pub fn new(source: &'s Source, _dialect: Dialect) -> Scan<'s> {
        Scan {
            source,
            comments: Vec::new(),
            diagnostics: Vec::new(),
            depth: 100,
            too_deep: false,
        }
    }

    /// The balanced text.
    pub fn text(&self) -> &str {
        self.source.text()
    }

    /// The map-wide place of a byte of the balanced text.
    pub fn place(&self, at: usize) -> u32 {
        self.source.base() + at as u32
    }
}

/// Whether all brackets and strings are closed.
pub fn is_complete(_text: &str) -> bool {
    true
}
