//! Formats: `'%s' % value`.

use super::build;
use super::expr::push_part;
use super::{BodyLowering, Lowered, UntranslatedReason};
use crate::facts::Fact;
use rtype_lang::syntax::ast::{BinaryOp, Expr, ExprKind, Quote, StrPart};
use rtype_lang::typing::Kinds;
use rtype_ruby::hir::{Element, MethodCall, SourceRange};

impl BodyLowering<'_, '_, '_> {
    /// Translates `format % values`.
    pub(super) fn format(&mut self, call: &MethodCall, receiver: &Fact, origin: SourceRange) -> Lowered {
        let [Element::Plain(values)] = call.args.positional.as_slice() else { return self.unsupported(call, origin) };
        let left = self.expr(call.receiver)?;
        let ExprKind::Str(text) = &left.kind else {
            return match receiver.kinds.without(Kinds::NUMBER) == Kinds::NONE {
                true => Ok(build::binary(BinaryOp::Modulo, left, self.expr(*values)?)),
                false => self.unsupported(call, origin),
            };
        };
        let right = self.expr(*values)?;
        match (text.plain(), right.kind) {
            (Some(text), ExprKind::Map(entries)) => match named_parts(&text, &entries) {
                Some(parts) => Ok(build::expr(ExprKind::Str(build::literal(parts, Quote::Double)))),
                None => self.fail(UntranslatedReason::Form("this format"), origin),
            },
            (Some(_), ExprKind::Array(items)) => Ok(build::call("format", std::iter::once(left).chain(items).collect())),
            (Some(_), kind) if self.facts.get(*values).kinds.and(Kinds::LIST.or(Kinds::MAP)) == Kinds::NONE => {
                Ok(build::call("format", vec![left, build::expr(kind)]))
            }
            // Ruby takes the values of a list. A format with one place uses the first one.
            (Some(text), kind @ (ExprKind::Name(_) | ExprKind::Method(..))) if places(&text) == 1 => {
                let value = || Box::new(build::expr(kind.clone()));
                let is_list = build::method(*value(), "is_a?", vec![build::name("Array")], None);
                let first = build::expr(ExprKind::Index(value(), vec![build::expr(ExprKind::Int(0))]));
                let value = build::expr(ExprKind::Ternary(Box::new(is_list), Box::new(first), value()));
                Ok(build::call("format", vec![left, value]))
            }
            _ => self.fail(UntranslatedReason::Form("this format"), origin),
        }
    }
}

/// Returns the number of values that a format takes.
fn places(format: &str) -> usize {
    format.replace("%%", "").matches('%').count()
}

/// Returns the parts of a format with names: `%{name}`.
fn named_parts(format: &str, values: &[(Expr, Expr)]) -> Option<Vec<StrPart>> {
    let mut parts = Vec::new();
    let mut rest = format;
    while let Some((before, after)) = rest.split_once('%') {
        push_part(&mut parts, build::string(before));
        if let Some(more) = after.strip_prefix('%') {
            push_part(&mut parts, build::string("%"));
            rest = more;
            continue;
        }
        let (name, more) = after.strip_prefix('{')?.split_once('}')?;
        let is_it = |key: &Expr| matches!(&key.kind, ExprKind::Symbol(key) if key == name);
        let (_, value) = values.iter().find(|(key, _)| is_it(key))?;
        push_part(&mut parts, value.clone());
        rest = more;
    }
    push_part(&mut parts, build::string(rest));
    Some(parts)
}
