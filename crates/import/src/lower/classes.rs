//! Ruby classes with equivalents in the language.

use super::build;
use super::{BodyLowering, Lowered};
use crate::facts::Denotation;
use rtype_lang::syntax::ast::{BinaryOp, Expr, ExprKind};
use rtype_lang::types::builtin::{Method, ValueKind};
use rtype_lang::typing::Kinds;
use rtype_ruby::hir::{Element, HirKind, MethodCall, SourceRange};

/// Classes of Ruby by the kind of their objects.
const CLASSES: &[(ValueKind, &str)] = &[
    (ValueKind::Nil, "NilClass"),
    (ValueKind::Bool, "TrueClass"),
    (ValueKind::Int, "Integer"),
    (ValueKind::Float, "Float"),
    (ValueKind::Str, "String"),
    (ValueKind::Sym, "Symbol"),
    (ValueKind::List, "Array"),
    (ValueKind::Map, "Hash"),
    (ValueKind::Regex, "Regexp"),
];

/// Returns the data type with the values of a class of Ruby.
pub(super) fn data_type(class: &str) -> Option<&'static str> {
    Some(match class.trim_start_matches("::") {
        "String" => "String",
        "Symbol" => "Symbol",
        "Integer" | "Fixnum" => "Integer",
        "Float" => "Float",
        "Numeric" => "Numeric",
        "Array" => "Array",
        "Hash" => "Hash",
        _ => return None,
    })
}

/// Returns the class name that `type_of` returns, if the language has such values.
fn class_name(denotes: &Denotation) -> Option<String> {
    let Denotation::Constant(path) = denotes else { return None };
    let name = match path.trim_start_matches("::") {
        "Fixnum" => "Integer",
        name => name,
    };
    (name == "FalseClass" || CLASSES.iter().any(|(_, class)| *class == name)).then(|| name.to_owned())
}

/// Returns a test of the kind of a value.
pub(super) fn of_kinds(value: Expr, kinds: &[&str]) -> Expr {
    let class = match kinds {
        [] => return build::expr(ExprKind::Bool(false)),
        [only] => build::name(only),
        all => {
            let all = all.iter().map(|kind| build::name(kind)).collect();
            build::expr(ExprKind::Index(Box::new(build::name("Variant")), all))
        }
    };
    build::method(value, "is_a?", vec![class], None)
}

impl BodyLowering<'_, '_, '_> {
    /// Translates `value.class == Hash`.
    pub(super) fn class_comparison(&mut self, call: &MethodCall, origin: SourceRange) -> Lowered {
        let op = match &*call.name {
            "==" | "eql?" | "equal?" => BinaryOp::Equal,
            "!=" => BinaryOp::NotEqual,
            _ => return self.unsupported(call, origin),
        };
        match call.args.positional.as_slice() {
            [Element::Plain(other)] if self.facts.get(*other).denotes == Denotation::ClassName => {
                Ok(build::binary(op, self.expr(call.receiver)?, self.expr(*other)?))
            }
            [Element::Plain(class)] => match class_name(&self.facts.get(*class).denotes) {
                Some(class) => Ok(build::binary(op, self.expr(call.receiver)?, build::string(&class))),
                None => self.unsupported(call, origin),
            },
            _ => self.unsupported(call, origin),
        }
    }

    /// Returns whether the argument of a call is the class of a value.
    pub(super) fn asks_class(&self, call: &MethodCall) -> bool {
        matches!(call.args.positional.as_slice(), [Element::Plain(class)] if self.facts.get(*class).denotes == Denotation::ClassName)
    }

    /// Translates `[String, Hash].include?(value.class)`.
    pub(super) fn class_among(&mut self, call: &MethodCall, origin: SourceRange) -> Lowered {
        let HirKind::Array(items) = self.kind(call.receiver) else { return self.unsupported(call, origin) };
        let class = |item: &Element| match item {
            Element::Plain(id) => class_name(&self.facts.get(*id).denotes).map(|class| build::string(&class)),
            Element::Splat(_) => None,
        };
        let Some(classes) = items.iter().map(class).collect::<Option<Vec<_>>>() else { return self.unsupported(call, origin) };
        let class = self.only_argument(call, origin)?;
        Ok(build::method(build::expr(ExprKind::Array(classes)), "include?", vec![class], None))
    }

    /// Returns whether a class of Ruby whose objects are among these kinds has a method that does not change its receiver.
    pub(super) fn is_method_of_ruby(&mut self, method: Method, kinds: Kinds) -> bool {
        let name = method.name();
        let is_everywhere = method.receivers().contains(&ValueKind::Any);
        !rtype_ruby::run::changes_receiver(name)
            && CLASSES.iter().any(|(kind, class)| {
                let takes = is_everywhere || method.receivers().contains(kind);
                takes && kinds.overlaps(Kinds::one_of(&[*kind])) && self.run.ruby_has_method(class, name)
            })
    }
}
