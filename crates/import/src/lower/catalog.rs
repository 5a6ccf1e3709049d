//! Other resources of the catalog.

use super::build;
use super::{BodyLowering, Lowered};
use crate::facts::{Denotation, SelfObject};
use rtype_lang::syntax::ast::{BinaryOp, Call, Expr, ExprKind};
use rtype_ruby::hir::{Element, ExprId, HirKind, MethodCall, SourceRange};
use std::sync::Arc;

impl BodyLowering<'_, '_, '_> {
    /// Translates `catalog.resources`. Only relations are found when the catalog is complete.
    pub(super) fn catalog_resources(&mut self, call: &MethodCall, origin: SourceRange) -> Lowered {
        if self.role.self_object != SelfObject::Resource || !self.role.has_result || !call.args.positional.is_empty() {
            return self.unsupported(call, origin);
        }
        let call = Call { name: build::ident("resources"), args: Vec::new(), named: Vec::new(), closure: None, parens: true };
        Ok(build::expr(ExprKind::Method(Box::new(build::name("catalog")), call)))
    }

    /// Translates a call on another resource.
    pub(super) fn other_call(&mut self, call: &MethodCall, origin: SourceRange) -> Lowered {
        let resource = self.expr(call.receiver)?;
        match (&*call.name, call.args.positional.as_slice()) {
            ("[]" | "should" | "value", [Element::Plain(key)]) => match self.kind(*key) {
                HirKind::Symbol(key) if crate::ruby::is_word(&key) => Ok(build::method(resource, &key, Vec::new(), None)),
                HirKind::Str { text, .. } if crate::ruby::is_word(&text) => Ok(build::method(resource, &text, Vec::new(), None)),
                _ => self.unsupported(call, origin),
            },
            ("name", []) => Ok(build::method(resource, "name", Vec::new(), None)),
            ("title", []) => Ok(build::call("title", vec![resource])),
            ("nil?", []) => Ok(build::method(resource, "nil?", Vec::new(), None)),
            ("type", []) => Ok(build::call("type_name", vec![resource])),
            ("is_a?" | "kind_of?" | "instance_of?", [Element::Plain(class)]) => match self.type_of_class(*class) {
                Some(name) => Ok(is_of_type(resource, &name, BinaryOp::Equal)),
                None => self.unsupported(call, origin),
            },
            _ => self.unsupported(call, origin),
        }
    }

    /// Translates `r.class == Puppet::Type::File` and `r.class.to_s == 'Puppet::Type::File'`.
    pub(super) fn other_class(&mut self, call: &MethodCall, origin: SourceRange) -> Lowered {
        let op = match &*call.name {
            "==" => BinaryOp::Equal,
            "!=" => BinaryOp::NotEqual,
            _ => return self.unsupported(call, origin),
        };
        let HirKind::Call(of) = self.kind(call.receiver) else { return self.unsupported(call, origin) };
        let resource = match self.kind(of.receiver) {
            HirKind::Call(class) if &*of.name != "class" => class.receiver,
            _ => of.receiver,
        };
        let name = match call.args.positional.as_slice() {
            [Element::Plain(class)] => match self.kind(*class) {
                HirKind::Str { text, .. } => type_of_path(&text),
                _ => self.type_of_class(*class),
            },
            _ => None,
        };
        match name {
            Some(name) => Ok(is_of_type(self.expr(resource)?, &name, op)),
            None => self.unsupported(call, origin),
        }
    }

    /// Returns the type whose class an expression is: `Puppet::Type.type(:file)`, `Puppet::Type::File`.
    fn type_of_class(&self, id: ExprId) -> Option<String> {
        let hir = Arc::clone(&self.hir);
        let body = hir.body(self.body)?;
        match body.kind(id) {
            HirKind::Call(call) if &*call.name == "type" => {
                let of_types = self.facts.get(call.receiver).denotes == Denotation::Constant("Puppet::Type".into());
                match call.args.positional.as_slice() {
                    [Element::Plain(name)] if of_types => match body.kind(*name) {
                        HirKind::Symbol(name) => Some(name.to_string()),
                        HirKind::Str { text, .. } => Some(text.to_string()),
                        _ => None,
                    },
                    _ => None,
                }
            }
            _ => match self.facts.get(id).denotes {
                Denotation::Constant(path) => type_of_path(&path),
                _ => None,
            },
        }
    }
}

fn type_of_path(path: &str) -> Option<String> {
    let name = path.trim_start_matches("::").strip_prefix("Puppet::Type::")?;
    (!name.contains("::")).then(|| name.to_lowercase())
}

fn is_of_type(resource: Expr, name: &str, op: BinaryOp) -> Expr {
    build::binary(op, build::call("type_name", vec![resource]), build::expr(ExprKind::Symbol(name.into())))
}
