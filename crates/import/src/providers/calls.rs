//! Collects the provider methods that the blocks of a type call.

use rtype_lang::syntax::ast::{Call, Directive, Expr, ExprKind};
use rtype_lang::syntax::visit::{Visit, walk_directive, walk_expr};

/// Provider methods that the blocks of a type call.
#[derive(Default)]
pub(crate) struct ProviderCalls {
    /// Methods that blocks with a value call.
    pub asked: Vec<String>,
    /// Methods that blocks with actions call.
    pub acted: Vec<String>,
    /// Methods and features in `provider.has?(:x)`.
    pub named: Vec<String>,
    is_action: bool,
}

impl ProviderCalls {
    /// Collects the calls in the directives of a type.
    pub(crate) fn of(directives: &[Directive]) -> ProviderCalls {
        let mut calls = ProviderCalls::default();
        directives.iter().for_each(|directive| calls.directive(directive));
        calls
    }

    fn add(&mut self, call: &Call) {
        let name = call.name.name.to_string();
        let named = match call.args.as_slice() {
            [Expr { kind: ExprKind::Symbol(of), .. }] if name == "has?" => Some(of.to_string()),
            _ => None,
        };
        let (list, method) = match named {
            Some(of) => (&mut self.named, of),
            None if self.is_action => (&mut self.acted, name),
            None => (&mut self.asked, name),
        };
        if !list.contains(&method) {
            list.push(method);
        }
    }
}

impl<'a> Visit<'a> for ProviderCalls {
    fn directive(&mut self, directive: &'a Directive) {
        let before = self.is_action;
        self.is_action |= matches!(directive.name.name.as_str(), "sync" | "refresh" | "newvalue");
        walk_directive(self, directive);
        self.is_action = before;
    }

    fn expr(&mut self, expr: &'a Expr) {
        if let ExprKind::Method(of, call) = &expr.kind
            && matches!(&of.kind, ExprKind::Name(name) if name == "provider")
        {
            self.add(call);
        }
        walk_expr(self, expr);
    }
}
