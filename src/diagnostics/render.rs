//! Renderers (being written).
use super::Diagnostic;
use crate::source::SourceMap;

/// How to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Box drawing and colours, for a terminal.
    Graphical,
    /// Plain text, for files and pipes.
    Plain,
}

/// Draws diagnostics.
#[derive(Debug)]
pub struct Renderer {
    /// How.
    pub style: Style,
}

/// JSON.
pub fn to_json(_d: &Diagnostic, _s: &SourceMap) -> serde_json::Value {
    serde_json::Value::Null
}
