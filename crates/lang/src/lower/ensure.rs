//! Lowers `ensurable`: the property `ensure` as defined by Puppet's `Puppet::Property::Ensure`.

use super::attribute::placed;
use super::block::TypeScope;
use super::directives::{Placed, arity, body};
use crate::source::Span;
use crate::syntax::ast::Ident;
use crate::types::{AllowedValue, AttributeDef, CodeBlock, CodeInner, Default, Matcher, Node, Op, Role};
use crate::value::{Symbol, Value};
use std::sync::Arc;

impl TypeScope<'_> {
    /// Lowers `ensurable`, with or without a block of values.
    pub(super) fn ensurable(&self, at: &Placed<'_>) -> AttributeDef {
        let directive = at.directive;
        arity(directive, 0, 0, "ensurable", self.sink);
        let name = Ident { name: "ensure".into(), span: directive.name.span };
        let mut ensure = TypeScope::blank(&name, Role::Property);
        ensure.ensurable = true;
        ensure.doc = "Whether it exists.".into();
        ensure.default = Some(Default::Code(present_when_managed(directive.span)));
        match body(directive) {
            Some(own) => self.attribute_body(&placed(own, &at.bindings), &mut ensure),
            None => self.default_ensure_values(&mut ensure, directive.name.span),
        }
        ensure
    }

    /// Adds the values `present` and `absent`, set by `provider.create` and `provider.destroy`.
    pub(super) fn default_ensure_values(&self, ensure: &mut AttributeDef, span: Span) {
        for (name, method) in [("present", "create"), ("absent", "destroy")] {
            let op = Op::Provider(Symbol::from(method), Vec::new());
            ensure.values.values_mut().push(AllowedValue {
                matcher: Matcher::Literal(Symbol::from(name)),
                span,
                event: None,
                required_features: Vec::new(),
                invalidate_refreshes: false,
                action: Some(code(op, span, true)),
            });
        }
    }
}

/// Returns the block `{ :present if self.managed? }`.
pub(super) fn present_when_managed(span: Span) -> CodeBlock {
    let node = |op| Node { op, span };
    code(Op::If(vec![(node(Op::SelfManaged), node(Op::Const(Value::sym("present"))))], None), span, false)
}

fn code(op: Op, span: Span, action: bool) -> CodeBlock {
    CodeBlock { inner: Arc::new(CodeInner { params: 0, slots: 0, body: Node { op, span }, span, action, replaced: None }) }
}
