//! What it does: Reports strings in single quotes that contain `#{…}`, and strings in double quotes that contain `${name}` with the name
//! of a local or parameter in the same block.
//!
//! Why: Only `#{…}` in double quotes is interpolated. Other strings are shown as they are written.
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
//! Fix: unsafe; writes double quotes, if the string has neither quotes nor backslashes, or `#` in place of `$`.

use crate::check::{FileSubject, Sink};
use rtype_lang::source::{Source, Span};
use rtype_lang::syntax::ast::{Block, Closure, Directive, Expr, ExprKind, FnDecl, Ident, Quote, StrLit, StrPart};
use rtype_lang::syntax::visit::{Visit, walk, walk_block, walk_expr, walk_function};
use rtype_lang::value::EcoString;

pub fn check(subject: &FileSubject<'_>, sink: &mut Sink<'_>) {
    if !subject.is_ruby() {
        walk(&mut Strings { source: subject.source, sink, locals: Vec::new() }, subject.ast);
    }
}

struct Strings<'s, 'f> {
    source: &'s Source,
    sink: &'s mut Sink<'f>,
    /// The locals and parameters of the blocks around an expression.
    locals: Vec<EcoString>,
}

impl Strings<'_, '_> {
    fn within<'n>(&mut self, names: impl Iterator<Item = &'n Ident>, look: impl FnOnce(&mut Self)) {
        let outside = self.locals.len();
        self.locals.extend(names.map(|name| name.name.clone()));
        look(self);
        self.locals.truncate(outside);
    }

    /// Reports Puppet's way to interpolate, `${name}`.
    fn look_for_dollar(&mut self, text: &StrLit) {
        let written = self.source.slice(text.span);
        let found = written.match_indices("${").find_map(|(at, _)| {
            let name = written.get(at + 2..)?.split_once('}')?.0;
            let is_escaped = written.get(..at).is_some_and(|before| before.ends_with('\\'));
            (!is_escaped && self.locals.iter().any(|local| local == name)).then_some((at as u32, name))
        });
        if let Some((at, name)) = found {
            let start = text.span.start + at;
            let finding = self.sink.finding(Span::new(start, start + name.len() as u32 + 3), format!("`${{{name}}}` is not interpolated"));
            let finding = finding.help(format!("write `#{{{name}}}`"));
            self.sink.report(finding.unsafe_fix("write `#`", Span::new(start, start + 1), "#"));
        }
    }
}

impl<'a> Visit<'a> for Strings<'_, '_> {
    fn closure(&mut self, closure: &'a Closure, _: Option<&'a Directive>) {
        self.within(closure.params.iter(), |strings| strings.block(&closure.body));
    }

    fn function(&mut self, function: &'a FnDecl) {
        self.within(function.params.iter().map(|param| &param.name), |strings| walk_function(strings, function));
    }

    fn block(&mut self, block: &'a Block) {
        self.within(std::iter::empty(), |strings| walk_block(strings, block));
    }

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
        if let ExprKind::Str(text) = &expr.kind
            && matches!(text.quote, Quote::Double)
        {
            self.look_for_dollar(text);
        }
        walk_expr(self, expr);
        if let ExprKind::Let(names, _) = &expr.kind {
            self.locals.extend(names.iter().map(|name| name.name.clone()));
        }
    }
}

/// Returns `true` if a text contains `#{` with an expression that begins with a name. `#{two words}` is text.
fn interpolates(text: &str) -> bool {
    text.match_indices("#{").filter_map(|(at, open)| text.get(at + open.len()..)?.split_once('}')).any(|(code, _)| {
        let after = code.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').trim_start();
        code.starts_with(|c: char| c.is_ascii_lowercase() || c == '_') && !after.starts_with(|c: char| c.is_alphanumeric())
    })
}
