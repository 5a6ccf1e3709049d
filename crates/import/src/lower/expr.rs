//! Expressions.

use super::build::{self, Binding};
use super::{BodyLowering, Lowered, UntranslatedReason};
use crate::facts::{Denotation, SelfObject};
use rtype_lang::syntax::ast::{BinaryOp, Expr, ExprKind, Quote, StrPart};
use rtype_ruby::hir::{Element, ExprId, HirKind, HirText, Pair, RegexFlags, SourceRange, SuperCall, Target};
use rtype_ruby::run::{PlainValue, UnknownReason};
use std::sync::Arc;

/// The maximum nesting of expressions and statements.
const MAX_NESTING: u32 = 64;

impl BodyLowering<'_, '_, '_> {
    pub(crate) fn origin(&self, id: ExprId) -> SourceRange {
        self.hir.body(self.body).map(|body| body.expr(id).origin).unwrap_or_default()
    }

    /// Translates an expression whose value is a value of the language.
    pub(crate) fn expr(&mut self, id: ExprId) -> Lowered {
        self.deeper(id, |lowering| lowering.expr_inside(id))
    }

    /// Translates code one level deeper.
    pub(super) fn deeper<T>(&mut self, id: ExprId, translate: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        if self.nesting >= MAX_NESTING {
            return self.fail(UntranslatedReason::Form("deeply nested code"), self.origin(id));
        }
        self.nesting += 1;
        let result = translate(self);
        self.nesting -= 1;
        result
    }

    fn expr_inside(&mut self, id: ExprId) -> Lowered {
        let origin = self.origin(id);
        let hir = Arc::clone(&self.hir);
        let Some(body) = hir.body(self.body) else { return self.fail(UntranslatedReason::Form("this code"), origin) };
        Ok(match body.kind(id) {
            HirKind::Nil => build::expr(ExprKind::Nil),
            HirKind::Bool(value) => build::expr(ExprKind::Bool(*value)),
            HirKind::Integer(number) => build::expr(ExprKind::Int(*number)),
            HirKind::Float(number) => build::expr(ExprKind::Float(*number)),
            HirKind::Str { text, .. } => build::string(text),
            HirKind::Symbol(name) => build::expr(ExprKind::Symbol(name.as_ref().into())),
            HirKind::StrConcat(parts) => self.interpolated(parts)?,
            HirKind::Array(elements) => self.list(elements)?,
            HirKind::Hash(pairs) => {
                let mut entries = Vec::new();
                for pair in pairs {
                    let Pair::Entry(key, value) = pair else { return self.fail(UntranslatedReason::Form("`**`"), origin) };
                    entries.push((self.expr(*key)?, self.expr(*value)?));
                }
                build::expr(ExprKind::Map(entries))
            }
            HirKind::Regex { parts, flags } => self.regex(parts, *flags, origin)?,
            HirKind::Range { .. } => return self.fail(UntranslatedReason::Form("a range as a value"), origin),
            HirKind::Local(of) => match self.facts.local(*of).denotes {
                Denotation::Value | Denotation::Path | Denotation::OtherResource | Denotation::Resources => self.local(*of, origin)?,
                _ => return self.fail(UntranslatedReason::Form("a variable for something that is not a value"), origin),
            },
            HirKind::Constant(path) => {
                let full = crate::facts::constant_path(body, path);
                let value = self.constant_value(&path.name, full.as_deref());
                match (self.constant(&value), full) {
                    (Some(value), _) if is_large(&value) && self.role.self_object != SelfObject::Provider => {
                        let name = self.functions.constant(&path.name, &value);
                        self.effects.constants.insert(name.clone());
                        build::name(&name)
                    }
                    (Some(value), _) => value,
                    (None, path) => return self.fail(UntranslatedReason::Constant(path.unwrap_or_else(|| "?".into())), origin),
                }
            }
            HirKind::Group(number) if *number > 0 => build::expr(ExprKind::Capture(*number)),
            HirKind::Not(value) => build::not(self.condition(*value)?),
            HirKind::IsNil(value) => {
                let value = self.expr(*value)?;
                build::method(value, "nil?", Vec::new(), None)
            }
            HirKind::And(left, right) => build::binary(BinaryOp::And, self.condition(*left)?, self.expr(*right)?),
            HirKind::Or(left, right) => build::binary(BinaryOp::Or, self.expr(*left)?, self.expr(*right)?),
            HirKind::If { then, otherwise, .. } if !self.is_choice([*then, *otherwise]) => self.block_value(id)?,
            HirKind::Case(_) => self.block_value(id)?,
            HirKind::If { condition, then, otherwise } => {
                let parts = [self.condition(*condition)?, self.expr(*then)?, self.expr(*otherwise)?];
                let [test, then, otherwise] = parts.map(|part| Box::new(build::operand(part, Binding::Or)));
                build::expr(ExprKind::Ternary(test, then, otherwise))
            }
            HirKind::Seq(all) => match all.as_slice() {
                [only] => self.expr(*only)?,
                _ => return self.fail(UntranslatedReason::Form("a sequence as a value"), origin),
            },
            HirKind::Call(call) => match self.failing(call, origin)? {
                Some(failed) => failed,
                None => self.call(id, call)?,
            },
            HirKind::Variable(name) => self.variable(name, origin)?,
            // `x = value` as a value.
            HirKind::Assign { target: Target::Local(of), value }
                if of.depth > 0 && of.depth <= self.depth || self.declared.contains(&of.local) =>
            {
                let given = self.expr(*value)?;
                let set = self.assigned(*of, build::name("given"));
                build::method(given, "then", Vec::new(), Some(build::closure(vec![build::ident("given")], vec![set])))
            }
            HirKind::Assign { .. } => return self.fail(UntranslatedReason::Form("an assignment as a value"), origin),
            HirKind::Super(call) => self.super_call(call, origin)?,
            HirKind::Unsupported { what } => return self.fail(UntranslatedReason::Form(what), origin),
            HirKind::SelfValue => return self.fail(UntranslatedReason::Form("`self` as a value"), origin),
            HirKind::Begin(_) => return self.fail(UntranslatedReason::Form("`rescue`"), origin),
            _ => return self.fail(UntranslatedReason::Form("this expression"), origin),
        })
    }

    /// Returns the value of a constant. The path of a constant in another class or module has `::`.
    fn constant_value(&mut self, name: &HirText, path: Option<&str>) -> PlainValue {
        let Some(path) = path.filter(|path| path.contains("::")) else { return self.run.constant_in(self.class, name) };
        let around = self.run.name_of_class(self.class);
        let mut scope = Some(&*around).filter(|around| !around.is_empty());
        while let Some(outer) = scope {
            if let Some(value) = self.run.existing_constant(&format!("{outer}::{path}")) {
                return self.run.plain(&value);
            }
            scope = outer.rsplit_once("::").map(|(outer, _)| outer);
        }
        match self.run.existing_constant(path) {
            Some(value) => self.run.plain(&value),
            None => PlainValue::Unknown(UnknownReason::Constant(path.to_owned())),
        }
    }

    /// Translates an instance variable.
    fn variable(&mut self, name: &HirText, origin: SourceRange) -> Lowered {
        match &**name {
            "@should" if self.role.is_should && self.depth == 0 => Ok(build::name("values")),
            "@should" if self.compares_lists() => Ok(build::name("should")),
            "@should" if self.compares_first() => {
                let attribute = self.role.attribute.clone().unwrap_or_default();
                let attribute = build::expr(ExprKind::Symbol(attribute.as_str().into()));
                Ok(build::method(build::expr(ExprKind::SelfRef), "values", vec![attribute], None))
            }
            _ => self.fail(UntranslatedReason::Variable(HirText::clone(name)), origin),
        }
    }

    /// Translates `if` or `case` with statements, which are expressions of the language, too.
    fn block_value(&mut self, id: ExprId) -> Lowered {
        let mut statements = Vec::new();
        match self.kind(id) {
            HirKind::Case(case) => self.case(&case, true, &mut statements)?,
            HirKind::If { condition, then, otherwise } => self.branches(condition, then, otherwise, true, &mut statements)?,
            _ => {}
        }
        match (statements.pop(), statements.is_empty()) {
            (Some(only), true) => Ok(only),
            _ => self.fail(UntranslatedReason::Form("a branch with statements as a value"), self.origin(id)),
        }
    }

    /// Translates a condition. The value `:false` of an attribute is true in Ruby.
    pub(crate) fn condition(&mut self, id: ExprId) -> Lowered {
        let hir = Arc::clone(&self.hir);
        if let Some(HirKind::And(left, right)) = hir.body(self.body).map(|body| body.kind(id)) {
            return Ok(build::binary(BinaryOp::And, self.condition(*left)?, self.condition(*right)?));
        }
        if let Some(HirKind::Or(left, right)) = hir.body(self.body).map(|body| body.kind(id)) {
            return Ok(build::binary(BinaryOp::Or, self.condition(*left)?, self.condition(*right)?));
        }
        if let Some(attribute) = self.parameter_object(id) {
            let is_known = self.names.attributes.contains(&attribute) && !self.role.is_early;
            if !is_known {
                return self.fail(UntranslatedReason::Attribute(attribute), self.origin(id));
            }
            self.effects.reads.insert(attribute.clone());
            let name = build::expr(ExprKind::Symbol(attribute.as_str().into()));
            return Ok(build::method(build::expr(ExprKind::SelfRef), "set?", vec![name], None));
        }
        let value = self.expr(id)?;
        let is_falsy = matches!(&value.kind, ExprKind::Method(of, call)
            if of.kind == ExprKind::SelfRef && call.args.is_empty() && self.names.falsy.contains(call.name.name.as_str()));
        Ok(if is_falsy { build::not(build::method(value, "nil?", Vec::new(), None)) } else { value })
    }

    /// Translates what an index selects: values, or a range.
    pub(super) fn index(&mut self, items: &[Element], origin: SourceRange) -> Lowered<Vec<Expr>> {
        let hir = Arc::clone(&self.hir);
        let mut out = Vec::new();
        for item in items {
            let Element::Plain(id) = item else { return self.fail(UntranslatedReason::Form("`*` among arguments"), origin) };
            match hir.body(self.body).map(|body| body.kind(*id)) {
                Some(HirKind::Range { low, high, exclusive }) => {
                    let from = low.map(|id| self.expr(id)).transpose()?.map(Box::new);
                    let to = high.map(|id| self.expr(id)).transpose()?.map(Box::new);
                    out.push(build::expr(ExprKind::Range { from, to, exclusive: *exclusive }));
                }
                _ => out.push(self.expr(*id)?),
            }
        }
        Ok(out)
    }

    /// Translates the parts of a string.
    pub(super) fn interpolated(&mut self, parts: &[ExprId]) -> Lowered {
        let mut out = Vec::new();
        for part in parts {
            let value = match self.facts.get(*part).denotes {
                Denotation::Error => self.error_text(*part)?,
                Denotation::Path => self.path(*part)?,
                Denotation::Address => self.address_text(*part)?,
                _ => self.expr(*part)?,
            };
            push_part(&mut out, value);
        }
        Ok(build::expr(ExprKind::Str(build::literal(out, Quote::Double))))
    }

    /// Translates `super`, which calls Puppet's own method.
    fn super_call(&mut self, call: &SuperCall, origin: SourceRange) -> Lowered {
        // Ruby refuses `super` without arguments in a block that becomes a method.
        let is_refused = call.is_implicit && self.block.is_some();
        if is_refused || self.role.super_params != Some(call.args.positional.len()) || call.args.block.is_some() {
            return self.fail(UntranslatedReason::Form("`super`"), origin);
        }
        let args = self.arguments(&call.args, origin)?;
        if let (true, [value]) = (self.role.super_is_nothing, args.as_slice()) {
            return Ok(value.clone());
        }
        let hir = Arc::clone(&self.hir);
        let body = self.outermost();
        let is_assigned = hir.body(body).is_some_and(|body| body.exprs.iter().any(|(_, e)| matches!(e.kind, HirKind::Assign { .. })));
        let names = hir.body(body).map(|body| {
            body.params
                .required
                .iter()
                .map(|p| if let Target::Local(of) = p { super::local_name(body, of.local) } else { String::new() })
                .collect::<Vec<_>>()
        });
        let is_same = names.is_some_and(|names| {
            names.len() == args.len() && names.iter().zip(&args).all(|(name, arg)| matches!(&arg.kind, ExprKind::Name(n) if n == name))
        });
        Ok(build::expr(ExprKind::Super((!is_same || is_assigned).then_some(args))))
    }

    fn list(&mut self, elements: &[Element]) -> Lowered {
        let mut whole: Option<Expr> = None;
        let mut items = Vec::new();
        for element in elements {
            match element {
                Element::Plain(id) => items.push(self.expr(*id)?),
                Element::Splat(id) => {
                    let list = match self.listed_range(*id)? {
                        Some(list) => list,
                        None => build::call("Array", vec![self.expr(*id)?]),
                    };
                    whole = join(whole, &mut items, Some(list));
                }
            }
        }
        Ok(join(whole, &mut items, None).unwrap_or_else(|| build::expr(ExprKind::Array(Vec::new()))))
    }

    fn regex(&mut self, parts: &[ExprId], flags: RegexFlags, origin: SourceRange) -> Lowered {
        let hir = Arc::clone(&self.hir);
        let Some(body) = hir.body(self.body) else { return self.fail(UntranslatedReason::Form("this regex"), origin) };
        let mut source = String::new();
        for part in parts {
            match body.kind(*part) {
                HirKind::Str { text, .. } => source.push_str(text),
                HirKind::Constant(path) => match self.run.constant_in(self.class, &path.name) {
                    PlainValue::Str(text) => source.push_str(&text),
                    PlainValue::Regex(inner, inner_flags) if inner_flags == RegexFlags::default() => {
                        source.push_str(&format!("(?-mix:{inner})"));
                    }
                    _ => return self.fail(UntranslatedReason::Constant(HirText::clone(&path.name)), origin),
                },
                _ => return self.fail(UntranslatedReason::Form("a computed regex"), origin),
            }
        }
        let (source, flags) = super::regex::regex(&source, flags);
        Ok(build::regex(source, flags))
    }
}

/// Returns whether a constant keeps its name.
fn is_large(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Array(items) => !items.is_empty(),
        ExprKind::Map(entries) => !entries.is_empty(),
        _ => false,
    }
}

/// Adds a part to a string.
pub(super) fn push_part(parts: &mut Vec<StrPart>, value: Expr) {
    match value.kind {
        ExprKind::Symbol(name) => push_part(parts, build::string(&name)),
        ExprKind::Str(literal) => {
            for part in literal.parts {
                match (parts.last_mut(), part) {
                    (Some(StrPart::Text(before)), StrPart::Text(text)) => before.push_str(&text),
                    (_, part) => parts.push(part),
                }
            }
        }
        kind => parts.push(StrPart::Expr(build::expr(kind))),
    }
}

/// Joins a list, the items after it and another list.
fn join(before: Option<Expr>, items: &mut Vec<Expr>, after: Option<Expr>) -> Option<Expr> {
    let listed = (!items.is_empty()).then(|| build::expr(ExprKind::Array(std::mem::take(items))));
    [before, listed, after].into_iter().flatten().reduce(|left, right| build::binary(BinaryOp::Add, left, right))
}
