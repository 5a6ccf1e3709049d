//! Methods that change values in place.

use super::build;
use super::calls::operator;
use super::{BodyLowering, Lowered};
use rtype_lang::syntax::ast::{BinaryOp, Expr};
use rtype_lang::types::builtin::{ClosureArgument, Method, Returns, ValueKind};
use rtype_ruby::hir::{BodyId, Element, ExprId, Hir, HirKind, LocalId, LocalRef, MethodCall, Pair, SourceRange, Target, Visitor};
use std::sync::Arc;

impl BodyLowering<'_, '_, '_> {
    /// Translates a method that changes the value of a variable, if nothing else refers to the value.
    pub(super) fn in_place(&mut self, call: &MethodCall, is_value: bool, origin: SourceRange) -> Lowered<Option<Vec<Expr>>> {
        let hir = Arc::clone(&self.hir);
        let Some(HirKind::Local(of)) = hir.body(self.body).map(|body| body.kind(call.receiver)) else { return Ok(None) };
        let pure = match &*call.name {
            "<<" => Some("push"),
            "push" | "concat" | "unshift" => Some(&*call.name),
            name => name.strip_suffix('!').and_then(Method::named).map(Method::name),
        };
        let Some(pure) = pure.filter(|_| !is_value && of.depth <= self.depth) else { return Ok(None) };
        let owner = self.body_of(*of);
        let mut uses =
            VariableUses { owner, local: of.local, is_list: pure == &*call.name || pure == "push", is_own: true, assignments: 0 };
        rtype_ruby::hir::walk_body(&hir, owner, &mut uses);
        let is_param = hir
            .body(owner)
            .is_none_or(|body| body.params.required.iter().any(|p| matches!(p, Target::Local(param) if param.local == of.local)));
        let is_assigned_first = of.depth == 0 && self.is_assigned_first(*of);
        if !uses.is_own || uses.assignments == 0 || (is_param && !is_assigned_first) || call.args.block.is_some() {
            return Ok(None);
        }
        let value = self.local(*of, origin)?;
        let mut args = self.arguments(&call.args, origin)?;
        let changed = match (pure, args.pop()) {
            ("concat", Some(list)) if args.is_empty() => build::binary(BinaryOp::Add, value, list),
            ("concat", _) => return Ok(None),
            (pure, last) => build::method(value, pure, args.into_iter().chain(last).collect(), None),
        };
        Ok(Some(vec![self.assigned(*of, changed)]))
    }

    /// Returns whether the first statement of the body assigns a parameter.
    fn is_assigned_first(&self, of: LocalRef) -> bool {
        let Some(body) = self.hir.body(self.body) else { return false };
        let first = match body.kind(body.root) {
            HirKind::Seq(all) => all.first().copied(),
            _ => Some(body.root),
        };
        first.is_some_and(|first| matches!(body.kind(first), HirKind::Assign { target: Target::Local(to), .. } if *to == of))
    }
}

/// Whether only a variable refers to its values.
struct VariableUses {
    owner: BodyId,
    local: LocalId,
    is_list: bool,
    is_own: bool,
    assignments: usize,
}

impl VariableUses {
    /// Returns whether an expression of a body is the variable.
    fn is_it(&self, hir: &Hir, body: BodyId, expr: ExprId) -> bool {
        let Some(HirKind::Local(used)) = hir.body(body).map(|body| body.kind(expr)) else { return false };
        let mut owner = body;
        for _ in 0..used.depth {
            owner = hir.body(owner).and_then(|body| body.parent).unwrap_or(owner);
        }
        owner == self.owner && used.local == self.local
    }

    /// Returns whether an expression creates a value that nothing else refers to.
    fn is_new(&self, kind: &HirKind) -> bool {
        match kind {
            HirKind::Array(_) => self.is_list,
            HirKind::Call(made) => is_new_text(&made.name) && returns_list(&made.name) == self.is_list,
            HirKind::StrConcat(_) | HirKind::Str { frozen: false, .. } => !self.is_list,
            _ => false,
        }
    }
}

impl Visitor for VariableUses {
    fn enter(&mut self, hir: &Hir, of: BodyId, expr: ExprId) -> bool {
        let Some(body) = hir.body(of) else { return false };
        let is_it = |id: &ExprId| self.is_it(hir, of, *id);
        let is_stored = match body.kind(expr) {
            HirKind::Assign { value, .. } if is_it(value) => true,
            HirKind::Array(items) => items.iter().any(|item| matches!(item, Element::Plain(id) if is_it(id))),
            HirKind::Hash(pairs) => pairs.iter().any(|pair| matches!(pair, Pair::Entry(_, id) if is_it(id))),
            HirKind::Call(call) => {
                let is_kept = Method::named(&call.name).is_none() && operator(&call.name).is_none() && &*call.name != "<<";
                let keeps = is_kept || rtype_ruby::run::changes_receiver(&call.name);
                keeps && call.args.positional.iter().any(|item| matches!(item, Element::Plain(id) if is_it(id)))
            }
            _ => false,
        };
        let assigned = match body.kind(expr) {
            HirKind::Assign { target: Target::Local(to), value } => {
                let mut owner = of;
                for _ in 0..to.depth {
                    owner = hir.body(owner).and_then(|body| body.parent).unwrap_or(owner);
                }
                (owner == self.owner && to.local == self.local).then(|| self.is_new(body.kind(*value)))
            }
            _ => None,
        };
        self.is_own &= !is_stored && assigned != Some(false);
        self.assignments += usize::from(assigned.is_some());
        true
    }
}

fn returns_list(name: &str) -> bool {
    Method::named(name).is_some_and(|method| method.returns() == Returns::Kinds(&[ValueKind::List]))
}

/// Returns whether a method of strings always returns a new string.
fn is_new_text(name: &str) -> bool {
    Method::named(name).is_some_and(|method| {
        let of_text = method.receivers().iter().all(|kind| matches!(kind, ValueKind::Str | ValueKind::Sym));
        of_text && method.block() != ClosureArgument::Must && !rtype_ruby::run::changes_receiver(name)
    })
}
