//! Errors: `raise`, and `begin … rescue`.

use super::build::{self, ident};
use super::{BodyLowering, Lowered, UntranslatedReason, local_name};
use crate::facts::Denotation;
use rtype_lang::eval::error_class;
use rtype_lang::syntax::ast::{Expr, ExprKind, Failing, Ident};
use rtype_lang::syntax::visit::{Visit, walk_expr};
use rtype_ruby::hir::{Begin, Element, ExprId, HirKind, HirText, LocalRef, MethodCall, SourceRange, Target};
use std::sync::Arc;

impl BodyLowering<'_, '_, '_> {
    /// Translates `raise` and `fail`.
    pub(super) fn failing(&mut self, call: &MethodCall, origin: SourceRange) -> Lowered<Option<Expr>> {
        let of_self = matches!(self.facts.get(call.receiver).denotes, Denotation::Attribute | Denotation::Resource | Denotation::Module);
        if !matches!(&*call.name, "raise" | "fail" | "devfail") || !of_self || self.own_method(&call.name).is_some() {
            return Ok(None);
        }
        if !call.args.keywords.is_empty() || call.args.block.is_some() {
            return self.fail(UntranslatedReason::Form("this error"), origin);
        }
        let plain: Vec<ExprId> =
            call.args.positional.iter().filter_map(|e| if let Element::Plain(id) = e { Some(*id) } else { None }).collect();
        let (class, message) = match plain.as_slice() {
            [] => (None, self.handled.clone().map_or_else(|| build::string("unhandled exception"), |name| build::name(&name.name))),
            [error] if self.facts.get(*error).denotes == Denotation::Error => (None, self.error_text(*error)?),
            [message] if self.facts.get(*message).denotes == Denotation::Value => {
                let class = match &*call.name {
                    "raise" => "RuntimeError",
                    "devfail" => "Puppet::DevError",
                    _ => "Puppet::Error",
                };
                (Some(class.into()), self.expr(*message)?)
            }
            [class] if is_error(&self.facts.get(*class).denotes) => match self.facts.get(*class).denotes {
                Denotation::Constant(path) => (Some(HirText::clone(&path)), build::string(&path)),
                _ => return self.fail(UntranslatedReason::Form("this error"), origin),
            },
            [made] => match self.new_error(*made) {
                Some((class, message)) => (Some(class), self.expr(message)?),
                None => return self.fail(UntranslatedReason::Form("this error"), origin),
            },
            [class, message, ..] => match self.facts.get(*class).denotes {
                Denotation::Constant(path) if is_error(&Denotation::Constant(path.clone())) => (Some(path), self.expr(*message)?),
                _ => return self.fail(UntranslatedReason::Form("this error"), origin),
            },
        };
        let class = class.filter(|class| {
            (self.names.selects_errors || self.role.module.is_some()) && error_class::known().any(|known| known == &**class)
        });
        let error = class.map(|class| ident(&class));
        Ok(Some(build::expr(ExprKind::Fail(Box::new(Failing { message, at: None, error })))))
    }

    /// Returns the class and the message of `Class.new(message)`.
    fn new_error(&self, id: ExprId) -> Option<(HirText, ExprId)> {
        let Some(HirKind::Call(call)) = self.hir.body(self.body).map(|body| body.kind(id)) else { return None };
        let denotes = self.facts.get(call.receiver).denotes;
        match (&denotes, call.args.positional.as_slice()) {
            (Denotation::Constant(path), [Element::Plain(message)]) if &*call.name == "new" && is_error(&denotes) => {
                Some((path.clone(), *message))
            }
            _ => None,
        }
    }

    /// Translates an expression that is a caught error to its message.
    pub(super) fn error_text(&mut self, id: ExprId) -> Lowered {
        let origin = self.origin(id);
        match self.hir.body(self.body).map(|body| body.kind(id)) {
            Some(HirKind::Local(of)) => {
                let of = *of;
                self.local(of, origin)
            }
            _ => self.fail(UntranslatedReason::Form("this error"), origin),
        }
    }

    /// Translates `begin … rescue`.
    pub(super) fn begin(&mut self, begin: &Begin, is_value: bool, origin: SourceRange, out: &mut Vec<Expr>) -> Lowered<()> {
        let unsupported = UntranslatedReason::Form("`rescue` of this form");
        let [rescue] = begin.rescues.as_slice() else { return self.fail(unsupported, origin) };
        if begin.ensure.is_some() || begin.otherwise.is_some() {
            return self.fail(unsupported, origin);
        }
        let errors = self.selected_errors(&rescue.classes, origin)?;
        self.hoist(&[begin.body, rescue.body], out);
        let body = self.inner(begin.body, is_value)?;
        let (local, name) = match &rescue.target {
            None => (None, None),
            Some(Target::Local(of @ LocalRef { depth: 0, .. })) => {
                let hir = Arc::clone(&self.hir);
                let name = hir.body(self.body).map(|body| local_name(body, of.local)).unwrap_or_default();
                (Some(of.local), Some(ident(&name)))
            }
            Some(_) => return self.fail(unsupported, origin),
        };
        let is_new = local.is_some_and(|local| self.declared.insert(local));
        let message = name.clone().unwrap_or_else(|| ident(self.free_name()));
        let before = self.handled.replace(message.clone());
        let otherwise = self.inner(rescue.body, is_value);
        self.handled = before;
        if let Some(local) = local.filter(|_| is_new) {
            self.declared.remove(&local);
        }
        let otherwise = otherwise?;
        let mut reads = NameReads { name: &message.name, found: false };
        otherwise.statements.iter().for_each(|statement| reads.expr(statement));
        let is_read = reads.found;
        let params = if is_read { vec![message] } else { Vec::new() };
        out.push(build::expr(ExprKind::Try { body, errors, params, otherwise }));
        Ok(())
    }

    /// Returns a name for a message that no variable of the file has.
    fn free_name(&self) -> &'static str {
        let is_free = |name: &&str| !self.hir.bodies.iter().any(|(_, body)| body.locals.iter().any(|(_, local)| *local.name == **name));
        ["message", "error_message", "handled_message"].into_iter().find(is_free).unwrap_or("message_of_error")
    }

    /// Returns the classes of errors that a clause selects; none for all errors.
    fn selected_errors(&self, classes: &[Element], origin: SourceRange) -> Lowered<Vec<Ident>> {
        let mut all = Vec::new();
        for class in classes {
            let (Element::Plain(id) | Element::Splat(id)) = class;
            match (class, self.facts.get(*id).denotes) {
                (Element::Plain(_), Denotation::Constant(path)) => {
                    let path = path.trim_start_matches("::").to_owned();
                    let is_known = error_class::known().any(|known| known == path) && error_class::is_a(&path, "StandardError");
                    if !is_known {
                        return self.fail(UntranslatedReason::Constant(path.into()), origin);
                    }
                    all.push(ident(&path));
                }
                _ => return self.fail(UntranslatedReason::Form("`rescue` of computed classes"), origin),
            }
        }
        if all.iter().any(|class| class.name == "StandardError") {
            all.clear();
        }
        Ok(all)
    }
}

/// Whether code reads a variable.
struct NameReads<'n> {
    name: &'n str,
    found: bool,
}

impl<'a> Visit<'a> for NameReads<'_> {
    fn expr(&mut self, expr: &'a Expr) {
        self.found |= matches!(&expr.kind, ExprKind::Name(name) if *name == *self.name);
        walk_expr(self, expr);
    }
}

/// Returns whether a constant is a class of errors.
fn is_error(denotes: &Denotation) -> bool {
    let Denotation::Constant(path) = denotes else { return false };
    let last = path.rsplit("::").next().unwrap_or_default();
    last.ends_with("Error") || last == "Exception" || last == "ExecutionFailure"
}
