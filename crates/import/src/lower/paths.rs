//! Paths and addresses: `Pathname` and `IPAddr` of Ruby, which are texts in the language.

use super::build;
use super::{BodyLowering, Lowered};
use crate::facts::Denotation;
use rtype_lang::syntax::ast::Expr;
use rtype_ruby::hir::{Element, ExprId, HirKind, MethodCall, SourceRange};
use std::sync::Arc;

/// Methods of paths, and the methods of texts with the same result.
const METHODS: &[(&str, &str)] = &[
    ("absolute?", "absolute?"),
    ("parent", "parent"),
    ("dirname", "dirname"),
    ("basename", "basename"),
    ("extname", "extname"),
    ("cleanpath", "clean"),
];

impl BodyLowering<'_, '_, '_> {
    /// Translates a call of a method of a path.
    pub(super) fn path_call(&mut self, call: &MethodCall, origin: SourceRange) -> Lowered {
        let known = METHODS.iter().find(|(name, _)| *name == &*call.name);
        let has_suffix = &*call.name == "basename" && call.args.positional.len() == 1;
        if !call.args.positional.is_empty() && !has_suffix || call.args.block.is_some() {
            return self.unsupported(call, origin);
        }
        let args = self.arguments(&call.args, origin)?;
        match known {
            Some((_, method)) => {
                let path = self.path(call.receiver)?;
                Ok(build::method(path, method, args, None))
            }
            None if matches!(&*call.name, "to_s" | "to_path") => self.path(call.receiver),
            None => self.unsupported(call, origin),
        }
    }

    /// Translates a call of a method of an address.
    pub(super) fn address_call(&mut self, call: &MethodCall, origin: SourceRange) -> Lowered {
        if !call.args.positional.is_empty() || call.args.block.is_some() {
            return self.unsupported(call, origin);
        }
        match &*call.name {
            "to_s" => self.address_text(call.receiver),
            name @ ("ipv4?" | "ipv6?") => Ok(build::method(self.address(call.receiver)?, name, Vec::new(), None)),
            _ => self.unsupported(call, origin),
        }
    }

    /// Returns the text that Ruby shows of an address: that of its network.
    pub(super) fn address_text(&mut self, id: ExprId) -> Lowered {
        let network = build::method(self.address(id)?, "ip_network", Vec::new(), None);
        Ok(build::method(network, "ip_address", Vec::new(), None))
    }

    /// Translates an expression that is an address to the text that it was made from.
    pub(super) fn address(&mut self, id: ExprId) -> Lowered {
        let origin = self.origin(id);
        match self.kind(id) {
            HirKind::Local(of) => self.local(of, origin),
            HirKind::Call(call) if &*call.name == "new" => {
                let text = self.only_argument(&call, origin)?;
                Ok(build::call("ip", vec![text]))
            }
            _ => self.fail(super::UntranslatedReason::Form("this address"), origin),
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
