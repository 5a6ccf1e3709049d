//! What it does: Reports strings in single quotes that contain `#{…}`.
//!
//! Why: Only strings in double quotes are interpolated. The string is shown as it is written.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty width {
//!     validate { |value| fail '#{value} is not a width' unless value.to_s =~ /\A\d+\z/ }
//!   }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty width {
//!     validate { |value| fail "#{value} is not a width" unless value.to_s =~ /\A\d+\z/ }
//!   }
//! }
//! ```
//!
//! Fix: unsafe; writes double quotes, if the string has neither quotes nor backslashes.

use crate::check::{FileSubject, Sink};
use rtype_lang::source::Source;
use rtype_lang::syntax::ast::{Expr, ExprKind, Quote, StrPart};
use rtype_lang::syntax::visit::{Visit, walk, walk_expr};

pub fn check(subject: &FileSubject<'_>, sink: &mut Sink<'_>) {
    if !subject.is_ruby() {
        walk(&mut Strings { source: subject.source, sink }, subject.ast);
    }
}

struct Strings<'s, 'f> {
    source: &'s Source,
    sink: &'s mut Sink<'f>,
}

impl<'a> Visit<'a> for Strings<'_, '_> {
    fn expr(&mut self, expr: &'a Expr) {
        if let ExprKind::Str(text) = &expr.kind
            && matches!(text.quote, Quote::Single)
            && text.parts.iter().any(|part| matches!(part, StrPart::Text(text) if interpolates(text)))
        {
            let found = self.sink.finding(text.span, "`#{…}` in single quotes is not interpolated");
            let found = found.help("write the string in double quotes");
            let written = self.source.slice(text.span);
            let inner = written.get(1..written.len().saturating_sub(1)).unwrap_or_default();
            self.sink.report(match inner.contains(['"', '\\']) {
                true => found,
                false => found.unsafe_fix("write double quotes", text.span, format!("\"{inner}\"")),
            });
        }
        walk_expr(self, expr);
    }
}

/// Returns `true` if a text contains `#{name`.
fn interpolates(text: &str) -> bool {
    text.split_once("#{").is_some_and(|(_, rest)| rest.contains('}') && rest.starts_with(|c: char| c.is_ascii_lowercase() || c == '_'))
}
