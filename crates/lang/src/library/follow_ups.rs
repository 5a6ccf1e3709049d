//! Drops diagnostics that only follow from other diagnostics.

use crate::diagnostics::{Code, Diagnostic};
use crate::source::SourceMap;

/// Drops parser diagnostics in the arguments of refused directives, because the style of these arguments does not matter.
pub(super) fn drop_arguments_of_refused(parsed: &mut Vec<Diagnostic>, lowered: &[Diagnostic], sources: &SourceMap) {
    for refused in lowered.iter().filter(|d| d.code == Code::Refused) {
        let directive = refused.span();
        let Some(source) = sources.find(directive) else { continue };
        let line = source.line(directive.start);
        let is_argument = |d: &Diagnostic| {
            matches!(d.code, Code::SymbolInDirective | Code::RubyCode | Code::HashRocketOption)
                && d.span().start > directive.start
                && source.span().contains(d.span())
                && source.line(d.span().start) == line
        };
        parsed.retain(|d| !is_argument(d));
    }
}
