//! Paths: `Pathname` of Ruby, which is a text in the language.

use super::build;
use super::{BodyLowering, Lowered};
use crate::facts::Denotation;
use rtype_lang::syntax::ast::Expr;
use rtype_ruby::hir::{Element, ExprId, HirKind, MethodCall, SourceRange};
use std::sync::Arc;

/// Methods of paths, and the methods of texts with the same result.
const METHODS: &[(&str, &str)] =
    &[("absolute?", "absolute?"), ("parent", "parent"), ("dirname", "dirname"), ("basename", "basename"), ("cleanpath", "clean")];

impl BodyLowering<'_, '_, '_> {
    /// Translates a call of a method of a path.
    pub(super) fn path_call(&mut self, call: &MethodCall, origin: SourceRange) -> Lowered {
        let known = METHODS.iter().find(|(name, _)| *name == &*call.name);
        if !call.args.positional.is_empty() || call.args.block.is_some() {
            return self.unsupported(call, origin);
        }
        match known {
            Some((_, method)) => {
                let path = self.path(call.receiver)?;
                Ok(build::method(path, method, Vec::new(), None))
            }
            None if matches!(&*call.name, "to_s" | "to_path") => self.path(call.receiver),
            None => self.unsupported(call, origin),
        }
    }

    /// Translates an expression that is a path.
    pub(super) fn path(&mut self, id: ExprId) -> Lowered<Expr> {
        let origin = self.origin(id);
        let hir = Arc::clone(&self.hir);
        match hir.body(self.body).map(|body| body.kind(id)) {
            Some(HirKind::Local(of)) => self.local(*of, origin),
            Some(HirKind::Call(call)) if matches!(&*call.name, "new" | "Pathname") => match call.args.positional.as_slice() {
                [Element::Plain(text)] if self.facts.get(*text).denotes == Denotation::Value => self.expr(*text),
                _ => self.unsupported(call, origin),
            },
            Some(HirKind::Call(call)) => self.path_call(call, origin),
            _ => self.fail(super::UntranslatedReason::Form("this path"), origin),
        }
    }
}
