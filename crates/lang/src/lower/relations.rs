//! Lowers automatic relations (`autorequire` and similar directives) and the rows of `title_patterns`.

use super::block::{Bindings, BlockKind, TypeScope};
use super::directives::Placed;
use crate::diagnostics::{Code, Diagnostic};
use crate::syntax::ast::{DirectiveBlock, ExprKind, TitlePatternRow};
use crate::types::{AutoRelation, RelationKind, TitlePattern, TypeDef};
use crate::value::{Regex, Value};
use std::sync::Arc;

/// Lowers `autorequire a, b { … }`, or with constant names: `autorequire file, ["/etc/hosts"]`.
pub(super) fn auto_relation(scope: &TypeScope<'_>, placed: &Placed<'_>, kind: RelationKind, type_def: &mut TypeDef) {
    let directive = placed.directive;
    let mut targets = Vec::new();
    let mut literal = None;
    for argument in &directive.args {
        match &argument.kind {
            ExprKind::Word(w) => targets.push((w.clone(), argument.span)),
            _ => literal = Some(argument),
        }
    }
    let names = match (&directive.block, literal) {
        (Some(DirectiveBlock::Code(closure)), None) => {
            scope.block(closure, BlockKind { name: kind.directive(), ..BlockKind::AUTORELATION }, &placed.bindings)
        }
        (None, Some(list)) => {
            let lowerer = scope.lowerer(BlockKind::AUTORELATION, &placed.bindings);
            let body = lowerer.expr(list);
            lowerer.finish(0, body, list.span)
        }
        // The option is reported as unknown.
        _ if !directive.options.is_empty() => return,
        _ => {
            let d = Diagnostic::new(
                Code::WrongArgument,
                directive.name.span,
                format!("`{}` needs the names it points at", directive.name.name),
            );
            scope.sink.report(
                d.help(format!("write `{} file {{ self.path }}` or `{} file, [\"/etc/hosts\"]`", directive.name.name, directive.name.name)),
            );
            return;
        }
    };
    if targets.is_empty() {
        let d = Diagnostic::new(
            Code::WrongArity,
            directive.name.span,
            format!("`{}` does not say which type it points at", directive.name.name),
        );
        scope.sink.report(d.help(format!("write `{} file {{ … }}`", directive.name.name)));
    }
    for (target, target_span) in targets {
        scope.sink.refer_type(&target, target_span, scope.names);
        type_def.autorelations.push(AutoRelation { kind, target: target.into(), target_span, names: names.clone() });
    }
}

pub(super) fn title_pattern(scope: &TypeScope<'_>, row: &TitlePatternRow, bindings: &Bindings) -> Option<TitlePattern> {
    let regex: Arc<Regex> = match scope.literals(bindings).value(&row.pattern)? {
        Value::Regex(r) => r,
        other => {
            let message = format!("a title pattern begins with a regex, not {}", other.kind_name());
            scope.sink.report(Diagnostic::new(Code::WrongArgument, row.pattern.span, message).help("write `/\\A(.*)\\z/s => name`"));
            return None;
        }
    };
    let groups = regex.group_count();
    // An unclosed regex is read as an empty one, and has been reported.
    let is_unclosed = regex.source().is_empty() && row.pattern.span.len() < 2;
    if groups != row.attributes.len() && !is_unclosed {
        let message = format!(
            "the pattern has {groups} group{}, but {} attribute{} follow",
            plural(groups),
            row.attributes.len(),
            plural(row.attributes.len())
        );
        let d = Diagnostic::new(Code::TitleCaptureMismatch, row.pattern.span, message);
        scope.sink.report(d.help("each group in parentheses fills one attribute; write `(?:…)` for a group that fills none"));
    }
    let lowerer = scope.lowerer(BlockKind::AUTORELATION, bindings);
    let attributes = row.attributes.iter().filter_map(|a| lowerer.check_attribute(&a.name, a.span)).collect();
    Some(TitlePattern { regex, attributes, span: row.span })
}

fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}
