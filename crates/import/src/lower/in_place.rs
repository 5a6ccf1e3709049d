//! Methods that change values in place. Values of the language do not change, so the variable gets the changed value.

use super::build;
use super::calls::operator;
use super::{BodyLowering, Lowered, UntranslatedReason};
use rtype_lang::syntax::ast::{BinaryOp, Expr, ExprKind};
use rtype_lang::types::builtin::{ClosureArgument, Method, Returns, ValueKind};
use rtype_lang::typing::Kinds;
use rtype_ruby::hir::{BodyId, CallArgs, Element, ExprId, Hir, HirKind, LocalId, LocalRef, MethodCall, Pair, SourceRange, Target, Visitor};

/// Methods that change their receiver, with the method of the language that returns the changed value.
const CHANGING: &[(&str, &str, Container)] = &[
    ("<<", "push", Container::List),
    ("push", "push", Container::List),
    ("append", "push", Container::List),
    ("concat", "concat", Container::List),
    ("unshift", "unshift", Container::List),
    ("prepend", "unshift", Container::List),
    ("delete", "delete", Container::Map),
    ("delete_if", "reject", Container::List),
    ("keep_if", "select", Container::List),
    ("store", "put", Container::Map),
    ("update", "merge", Container::Map),
];

/// A kind of value that Ruby changes in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Container {
    List,
    Map,
    Text,
}

impl Container {
    /// Returns the only container among kinds of values.
    fn of(kinds: Kinds) -> Option<Container> {
        [(Kinds::LIST, Container::List), (Kinds::MAP, Container::Map), (Kinds::STR, Container::Text)]
            .into_iter()
            .find(|(kind, _)| kinds == *kind)
            .map(|(_, container)| container)
    }
}

/// A value that is taken out of a container, and the assignment of the rest.
pub(super) struct TakenValue {
    pub value: Expr,
    pub rest: Expr,
}

impl BodyLowering<'_, '_, '_> {
    /// Translates a method that changes the value of a variable, if nothing else refers to the value.
    pub(super) fn in_place(&mut self, call: &MethodCall, is_value: bool, origin: SourceRange) -> Lowered<Option<Vec<Expr>>> {
        let HirKind::Local(of) = self.kind(call.receiver) else { return Ok(None) };
        let kinds = self.facts.local(of).kinds;
        let known = CHANGING.iter().find(|(name, ..)| *name == &*call.name);
        let pure = known.map(|(_, pure, _)| *pure).or_else(|| call.name.strip_suffix('!').and_then(Method::named).map(Method::name));
        let Some(pure) = pure.filter(|_| !is_value) else { return Ok(None) };
        let of_text = |pure: &str| Method::named(pure).is_some_and(|method| method.receivers() == [ValueKind::Str]);
        // Only texts have some of the methods.
        let found = Container::of(kinds).or_else(|| (known.is_none() && kinds == Kinds::ANY && of_text(pure)).then_some(Container::Text));
        let container = found.or(known.map(|(.., container)| *container)).unwrap_or(Container::Text);
        // The method of a declared value depends on the value.
        let is_declared = found.is_none() && self.is_param(of) && !self.is_assigned_first(of);
        if is_declared || !self.is_own(of, container) {
            return Ok(None);
        }
        let value = self.local(of, origin)?;
        let mut args = self.arguments(&call.args, origin)?;
        let closure = match call.args.block {
            Some(block) => Some(self.closure(block, call, origin)?),
            None => None,
        };
        let changed = match (pure, container, args.as_slice()) {
            ("push", Container::Text, [added]) => build::binary(BinaryOp::Add, value, added.clone()),
            ("concat", _, [added]) => build::binary(BinaryOp::Add, value, added.clone()),
            ("concat", ..) => return Ok(None),
            _ => build::method(value, pure, std::mem::take(&mut args), closure),
        };
        Ok(Some(vec![self.assigned(of, changed)]))
    }

    /// Translates `variable[key] = value`.
    pub(super) fn element_assignment(&mut self, receiver: ExprId, args: &CallArgs, value: ExprId, origin: SourceRange) -> Lowered {
        let unsupported = UntranslatedReason::Form("this assignment");
        let (HirKind::Local(of), [Element::Plain(key)]) = (self.kind(receiver), args.positional.as_slice()) else {
            return self.fail(unsupported, origin);
        };
        let is_word = matches!(self.kind(*key), HirKind::Str { .. } | HirKind::Symbol(_));
        let container = match Container::of(self.facts.local(of).kinds) {
            Some(Container::Text) => None,
            // Lists and texts have no such elements.
            None if is_word => Some(Container::Map),
            found => found,
        };
        let Some(container) = container.filter(|container| self.is_own(of, *container)) else { return self.fail(unsupported, origin) };
        if container == Container::List && !matches!(self.kind(*key), HirKind::Integer(0..)) {
            return self.fail(unsupported, origin);
        }
        let (target, key, value) = (self.local(of, origin)?, self.expr(*key)?, self.expr(value)?);
        Ok(self.assigned(of, build::method(target, "put", vec![key, value], None)))
    }

    /// Translates `list.shift`, `list.pop` and `map.delete(key)` whose value a variable gets.
    pub(super) fn taken_from(&mut self, value: ExprId, origin: SourceRange) -> Lowered<Option<TakenValue>> {
        let HirKind::Call(call) = self.kind(value) else { return Ok(None) };
        let HirKind::Local(of) = self.kind(call.receiver) else { return Ok(None) };
        let container = match (&*call.name, call.args.positional.as_slice()) {
            ("shift" | "pop", []) => Container::List,
            ("delete", [Element::Plain(_)]) => Container::Map,
            _ => return Ok(None),
        };
        let is_declared = Container::of(self.facts.local(of).kinds).is_none() && self.is_param(of) && !self.is_assigned_first(of);
        let is_it =
            !is_declared && call.args.block.is_none() && Container::of(self.facts.local(of).kinds).is_none_or(|found| found == container);
        if !is_it || !self.is_own(of, container) {
            return Ok(None);
        }
        let target = self.local(of, origin)?;
        let (value, rest) = match &*call.name {
            "shift" => {
                let one = build::expr(ExprKind::Int(1));
                (build::method(target.clone(), "first", Vec::new(), None), build::method(target, "drop", vec![one], None))
            }
            "pop" => {
                let ends = [0, -2].map(|end| Some(Box::new(build::expr(ExprKind::Int(end)))));
                let [from, to] = ends;
                let range = build::expr(ExprKind::Range { from, to, exclusive: false });
                let rest = build::expr(ExprKind::Index(Box::new(target.clone()), vec![range]));
                let rest = build::binary(BinaryOp::Or, rest, build::expr(ExprKind::Array(Vec::new())));
                (build::method(target, "last", Vec::new(), None), rest)
            }
            _ => {
                let key = self.only_argument(&call, origin)?;
                let value = build::expr(ExprKind::Index(Box::new(target.clone()), vec![key.clone()]));
                (value, build::method(target, "delete", vec![key], None))
            }
        };
        let rest = self.assigned(of, rest);
        Ok(Some(TakenValue { value, rest }))
    }

    /// Returns whether only this variable refers to its value.
    fn is_own(&self, of: LocalRef, container: Container) -> bool {
        if of.depth > self.depth {
            return false;
        }
        let owner = self.body_of(of);
        let mut uses = VariableUses { owner, local: of.local, container, is_new: true, assignments: 0, stored: None, changed: 0 };
        rtype_ruby::hir::walk_body(&self.hir, owner, &mut uses);
        // Others may share the value after its last change.
        let is_own = uses.is_new && uses.stored.is_none_or(|stored| stored >= uses.changed);
        let is_param = self.is_param(of);
        // The attribute gets the converted value in place of the declared one.
        if is_param && (self.role.owns_params || self.converts()) && of.depth == self.depth {
            return is_own;
        }
        let is_assigned_first = of.depth == 0 && self.is_assigned_first(of);
        is_own && uses.assignments > 0 && (!is_param || is_assigned_first)
    }

    fn is_param(&self, of: LocalRef) -> bool {
        let is_it = |param: &Target| matches!(param, Target::Local(param) if param.local == of.local);
        self.hir.body(self.body_of(of)).is_none_or(|body| body.params.required.iter().any(is_it))
    }

    /// Returns whether the code converts the declared value of an attribute.
    fn converts(&self) -> bool {
        self.role.is_early && self.role.has_result && !self.role.is_function
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

/// How code uses a variable: whether only the variable refers to its values.
struct VariableUses {
    owner: BodyId,
    local: LocalId,
    container: Container,
    /// Whether all values that the variable gets are new.
    is_new: bool,
    assignments: usize,
    /// The first place where something else gets the value.
    stored: Option<u32>,
    /// The end of the last change.
    changed: u32,
}

impl VariableUses {
    /// Returns whether an expression of a body is the variable.
    fn is_it(&self, hir: &Hir, body: BodyId, expr: ExprId) -> bool {
        let Some(HirKind::Local(used)) = hir.body(body).map(|body| body.kind(expr)) else { return false };
        self.is_variable(hir, body, *used)
    }

    fn is_variable(&self, hir: &Hir, body: BodyId, used: LocalRef) -> bool {
        let mut owner = body;
        for _ in 0..used.depth {
            owner = hir.body(owner).and_then(|body| body.parent).unwrap_or(owner);
        }
        owner == self.owner && used.local == self.local
    }

    /// Returns whether an expression may be the value of the variable.
    fn may_be(&self, hir: &Hir, body: BodyId, expr: ExprId) -> bool {
        let mut open = vec![expr];
        while let Some(id) = open.pop() {
            if self.is_it(hir, body, id) {
                return true;
            }
            match hir.body(body).map(|body| body.kind(id)) {
                Some(HirKind::Or(left, right) | HirKind::And(left, right)) => open.extend([*left, *right]),
                Some(HirKind::If { then, otherwise, .. }) => open.extend([*then, *otherwise]),
                Some(HirKind::Seq(all)) => open.extend(all.last()),
                Some(HirKind::Case(case)) => open.extend(case.arms.iter().map(|arm| arm.body).chain([case.otherwise])),
                _ => {}
            }
        }
        false
    }

    /// Returns whether an expression creates a value that nothing else refers to.
    fn is_new(&self, kind: &HirKind) -> bool {
        match kind {
            HirKind::Array(_) => self.container == Container::List,
            HirKind::Hash(_) => self.container == Container::Map,
            HirKind::Call(made) if matches!(&*made.name, "dup" | "clone") => true,
            HirKind::Call(made) => match self.container {
                Container::Text => is_new_text(&made.name) && !returns(&made.name, ValueKind::List),
                Container::List => is_new_text(&made.name) && returns(&made.name, ValueKind::List),
                Container::Map => &*made.name == "merge",
            },
            HirKind::StrConcat(_) | HirKind::Str { frozen: false, .. } => self.container == Container::Text,
            _ => false,
        }
    }
}

impl Visitor for VariableUses {
    fn enter(&mut self, hir: &Hir, of: BodyId, expr: ExprId) -> bool {
        let Some(body) = hir.body(of) else { return false };
        let is_it = |id: &ExprId| self.may_be(hir, of, *id);
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
            HirKind::Assign { target: Target::Local(to), value } => self.is_variable(hir, of, *to).then(|| self.is_new(body.kind(*value))),
            _ => None,
        };
        let origin = body.expr(expr).origin;
        let is_changed = match body.kind(expr) {
            HirKind::Call(call) => {
                let is_known = CHANGING.iter().any(|(name, ..)| *name == &*call.name) || rtype_ruby::run::changes_receiver(&call.name);
                is_known && self.is_it(hir, of, call.receiver)
            }
            HirKind::Assign { target: Target::Index { receiver, .. }, .. } => self.is_it(hir, of, *receiver),
            _ => false,
        };
        if is_changed {
            self.changed = self.changed.max(origin.end);
        }
        // Code of a loop runs again.
        if is_stored {
            let start = if of == self.owner { origin.start } else { 0 };
            self.stored = Some(self.stored.map_or(start, |stored| stored.min(start)));
        }
        self.is_new &= assigned != Some(false);
        self.assignments += usize::from(assigned.is_some());
        true
    }
}

fn returns(name: &str, kind: ValueKind) -> bool {
    Method::named(name).is_some_and(|method| matches!(method.returns(), Returns::Kinds(kinds) if kinds == [kind]))
}

/// Returns whether a method of strings always returns a new value.
fn is_new_text(name: &str) -> bool {
    Method::named(name).is_some_and(|method| {
        let of_text = method.receivers().iter().all(|kind| matches!(kind, ValueKind::Str | ValueKind::Sym));
        of_text && method.block() != ClosureArgument::Must && !rtype_ruby::run::changes_receiver(name)
    })
}
