//! Method calls.

use super::build;
use super::classes::{data_type, of_kinds};
use super::{BodyLowering, Lowered, UntranslatedReason};
use crate::facts::{BodyFacts, Denotation, Fact, SelfObject};
use rtype_lang::syntax::ast::{BinaryOp, Closure, Expr, ExprKind, UnaryOp};
use rtype_lang::types::builtin::{Arity, ClosureArgument, Function, Method, ValueKind};
use rtype_lang::typing::Kinds;
use rtype_ruby::hir::{CallArgs, CallBlock, CallStyle, Element, ExprId, HirKind, HirText, MethodCall, Pair, SourceRange, Target};
use std::sync::Arc;

/// Returns the operator of the language that does the same as a method of Ruby. `%` formats strings, and Ruby has no methods `&&` and `||`.
pub(super) fn operator(name: &str) -> Option<BinaryOp> {
    BinaryOp::named(name).filter(|op| !matches!(op, BinaryOp::Modulo | BinaryOp::And | BinaryOp::Or))
}

fn fits(arity: Arity, given: usize) -> bool {
    given >= usize::from(arity.min) && arity.max.is_none_or(|max| given <= usize::from(max))
}

/// Functions that log a message.
const LEVELS: &[&str] = &["debug", "info", "notice", "warning", "err"];

impl BodyLowering<'_, '_, '_> {
    pub(super) fn call(&mut self, id: ExprId, call: &MethodCall) -> Lowered {
        let origin = self.origin(id);
        let receiver = self.facts.get(call.receiver);
        if let Some(read) = self.machine_chain(call, origin)? {
            return Ok(read);
        }
        if let Some(group) = self.last_group(call) {
            return Ok(build::expr(ExprKind::Capture(group)));
        }
        if let Some(attribute) = self.parameter_object(call.receiver)
            && matches!(&*call.name, "value" | "should")
            && call.args.positional.is_empty()
        {
            return self.attribute_value(&attribute, origin);
        }
        match receiver.denotes {
            Denotation::Value => self.value_call(call, &receiver, origin),
            Denotation::Resource if call.style == CallStyle::Explicit || self.role.self_object == SelfObject::Resource => {
                self.resource_call(call, origin)
            }
            Denotation::Attribute => self.own_call(call, origin),
            Denotation::Provider if self.role.self_object == SelfObject::Provider => self.function_call(call, origin),
            Denotation::Provider => self.provider_call(call, origin),
            Denotation::Constant(path) => self.constant_call(&path, call, origin),
            Denotation::Path => self.path_call(call, origin),
            Denotation::Address => self.address_call(call, origin),
            Denotation::Catalog if &*call.name == "resources" => self.catalog_resources(call, origin),
            Denotation::Resources => self.passthrough(call, &receiver, origin),
            Denotation::OtherResource => self.other_call(call, origin),
            Denotation::OtherClass => self.other_class(call, origin),
            Denotation::Module => match self.own_method(&call.name) {
                Some(key) => self.method_call(key, call, origin),
                None => self.function_call(call, origin),
            },
            Denotation::ClassName if matches!(&*call.name, "to_s" | "name" | "inspect") && call.args.positional.is_empty() => {
                self.expr(call.receiver)
            }
            Denotation::ClassName => self.class_comparison(call, origin),
            of @ (Denotation::AttributeClass | Denotation::ResourceClass) => match self.class_function(&of, &call.name) {
                Some(key) => self.method_call(key, call, origin),
                None => self.unsupported(call, origin),
            },
            Denotation::Error if matches!(&*call.name, "message" | "to_s") && call.args.positional.is_empty() => {
                self.error_text(call.receiver)
            }
            _ => self.unsupported(call, origin),
        }
    }

    pub(super) fn unsupported<T>(&self, call: &MethodCall, origin: SourceRange) -> Lowered<T> {
        self.fail(UntranslatedReason::Method(HirText::clone(&call.name)), origin)
    }

    /// Translates positional arguments; keywords are a map at the end.
    pub(super) fn arguments(&mut self, args: &CallArgs, origin: SourceRange) -> Lowered<Vec<Expr>> {
        let mut out = Vec::new();
        for argument in &args.positional {
            match argument {
                Element::Plain(id) => out.push(self.expr(*id)?),
                Element::Splat(_) => return self.fail(UntranslatedReason::Form("`*` among arguments"), origin),
            }
        }
        if !args.keywords.is_empty() {
            let mut entries = Vec::new();
            for pair in &args.keywords {
                let Pair::Entry(key, value) = pair else { return self.fail(UntranslatedReason::Form("`**`"), origin) };
                entries.push((self.expr(*key)?, self.expr(*value)?));
            }
            out.push(build::expr(ExprKind::Map(entries)));
        }
        Ok(out)
    }

    pub(super) fn only_argument(&mut self, call: &MethodCall, origin: SourceRange) -> Lowered {
        match self.arguments(&call.args, origin)?.as_slice() {
            [only] if call.args.block.is_none() => Ok(only.clone()),
            _ => self.unsupported(call, origin),
        }
    }

    fn value_call(&mut self, call: &MethodCall, receiver: &Fact, origin: SourceRange) -> Lowered {
        let name = &*call.name;
        if let Some(same) = self.same_sets(call)? {
            return Ok(same);
        }
        if let HirKind::Range { .. } = self.kind(call.receiver) {
            return match self.range_call(call, origin)? {
                Some(made) => Ok(made),
                None => self.fail(UntranslatedReason::Form("a range as a value"), origin),
            };
        }
        if let (Some(op), [Element::Plain(other)]) = (operator(name), call.args.positional.as_slice()) {
            let of_value = matches!(self.facts.get(*other).denotes, Denotation::Value);
            if !of_value && !matches!(self.facts.get(*other).denotes, Denotation::Constant(_)) {
                return self.unsupported(call, origin);
            }
            let (left, right) = (self.expr(call.receiver)?, self.expr(*other)?);
            return Ok(build::binary(op, left, right));
        }
        if name == "%" {
            return self.format(call, receiver, origin);
        }
        if name == "[]" && call.args.block.is_none() && call.args.keywords.is_empty() {
            if self.is_match(call.receiver) && !matches!(call.args.positional.as_slice(), [Element::Plain(at)] if self.is_integer(*at)) {
                return self.named_group(call, origin);
            }
            let target = build::operand(self.expr(call.receiver)?, build::Binding::Postfix);
            let items = self.index(&call.args.positional, origin)?;
            return Ok(build::expr(ExprKind::Index(Box::new(target), items)));
        }
        if name == "-@" {
            let value = build::operand(self.expr(call.receiver)?, build::Binding::Unary);
            return Ok(build::expr(ExprKind::Unary(UnaryOp::Minus, Box::new(value))));
        }
        if matches!(name, "is_a?" | "kind_of?" | "instance_of?")
            && let [Element::Plain(class)] = call.args.positional.as_slice()
            && let Denotation::Constant(path) = self.facts.get(*class).denotes
        {
            // No value has exactly this class.
            let is_abstract = |data_type: &&str| name == "instance_of?" && *data_type == "Numeric";
            return match data_type(&path).filter(|data_type| !is_abstract(data_type)) {
                Some(data_type) => {
                    let value = self.expr(call.receiver)?;
                    Ok(build::method(value, "is_a?", vec![build::name(data_type)], None))
                }
                None => self.fail(UntranslatedReason::Constant(path), origin),
            };
        }
        if name == "class" && call.args.positional.is_empty() && self.run.ruby_has_method("Object", "class") {
            let value = self.expr(call.receiver)?;
            return Ok(build::call("type_of", vec![value]));
        }
        if matches!(name, "include?" | "member?") && call.args.block.is_none() && self.asks_class(call) {
            return self.class_among(call, origin);
        }
        if matches!(name, "to_s" | "captures") && call.args.positional.is_empty() && self.is_match(call.receiver) {
            let found = self.expr(call.receiver)?;
            if name == "captures" {
                return Ok(build::method(found, name, Vec::new(), None));
            }
            // The text of a match is the part that fits; the text of nil is empty.
            let found = build::binary(BinaryOp::Or, found, build::expr(ExprKind::Array(Vec::new())));
            let found = build::operand(found, build::Binding::Postfix);
            let first = build::expr(ExprKind::Index(Box::new(found), vec![build::expr(ExprKind::Int(0))]));
            return Ok(build::method(first, "to_s", Vec::new(), None));
        }
        if name == "respond_to?"
            && let [Element::Plain(method)] = call.args.positional.as_slice()
            && let HirKind::Symbol(method) = self.kind(*method)
            && let Some(kinds) = rtype_lang::eval::ruby_methods::kinds_with(&method)
        {
            let value = self.expr(call.receiver)?;
            return Ok(of_kinds(value, &kinds.collect::<Vec<_>>()));
        }
        if matches!(name, "freeze" | "dup" | "clone" | "to_str") && call.args.positional.is_empty() {
            return self.expr(call.receiver);
        }
        if name == "delete" && !call.args.positional.is_empty() && call.args.block.is_none() && is_text(receiver) {
            let (target, args) = (self.expr(call.receiver)?, self.arguments(&call.args, origin)?);
            return Ok(build::method(target, "delete_chars", args, None));
        }
        self.passthrough(call, receiver, origin)
    }

    /// Returns the number of the group in `Regexp.last_match[1]`.
    fn last_group(&self, call: &MethodCall) -> Option<u32> {
        let HirKind::Call(of) = self.kind(call.receiver) else { return None };
        let is_last = &*of.name == "last_match" && of.args.positional.is_empty();
        let of_regexp = self.facts.get(of.receiver).denotes == Denotation::Constant("Regexp".into());
        match (&*call.name, call.args.positional.as_slice()) {
            ("[]", [Element::Plain(number)]) if is_last && of_regexp => match self.kind(*number) {
                HirKind::Integer(number @ 0..=99) => u32::try_from(number).ok(),
                _ => None,
            },
            _ => None,
        }
    }

    fn is_integer(&self, id: ExprId) -> bool {
        self.facts.get(id).kinds == Kinds::one_of(&[ValueKind::Int])
    }

    /// Translates `found[:name]` of a match.
    fn named_group(&mut self, call: &MethodCall, origin: SourceRange) -> Lowered {
        let [Element::Plain(key)] = call.args.positional.as_slice() else { return self.unsupported(call, origin) };
        let number = match self.kind(*key) {
            HirKind::Symbol(name) | HirKind::Str { text: name, .. } => self.group_number(call.receiver, &name),
            _ => None,
        };
        let Some(number) = number else { return self.fail(UntranslatedReason::Form("a group by name"), origin) };
        let target = build::operand(self.expr(call.receiver)?, build::Binding::Postfix);
        Ok(build::expr(ExprKind::Index(Box::new(target), vec![build::expr(ExprKind::Int(number))])))
    }

    /// Returns whether an expression is the result of a match: `text.match(/re/)`, or a variable with such a result.
    fn is_match(&self, id: ExprId) -> bool {
        let is_it = |kind: &HirKind| matches!(kind, HirKind::Call(call) if &*call.name == "match" && call.args.block.is_none());
        match self.kind(id) {
            HirKind::Local(of) if of.depth <= self.depth => self.hir.body(self.body_of(of)).is_some_and(|body| {
                let mut values = body.exprs.iter().filter_map(|(_, expr)| match &expr.kind {
                    HirKind::Assign { target: Target::Local(to), value } if to.local == of.local && to.depth == 0 => {
                        Some(body.kind(*value))
                    }
                    _ => None,
                });
                let is_param = body.params.required.iter().any(|param| matches!(param, Target::Local(to) if to.local == of.local));
                !is_param && values.next().is_some_and(is_it) && values.all(is_it)
            }),
            kind => is_it(&kind),
        }
    }

    /// Translates a method that is the same in Ruby and in the language.
    fn passthrough(&mut self, call: &MethodCall, receiver: &Fact, origin: SourceRange) -> Lowered {
        let Some(method) = Method::named(&call.name).filter(|method| self.is_method_of_ruby(*method, receiver.kinds)) else {
            return self.unsupported(call, origin);
        };
        let has_block = call.args.block.is_some();
        let takes_block = match method.block() {
            ClosureArgument::No => !has_block,
            ClosureArgument::May => true,
            ClosureArgument::Must => has_block,
        };
        if !takes_block || !call.args.keywords.is_empty() || !fits(method.arity(), call.args.positional.len()) {
            return self.unsupported(call, origin);
        }
        let target = self.expr(call.receiver)?;
        let args = self.arguments(&call.args, origin)?;
        let closure = match call.args.block {
            None => None,
            Some(block) => Some(self.closure(block, call, origin)?),
        };
        Ok(build::method(target, &call.name, args, closure))
    }

    pub(super) fn closure(&mut self, block: CallBlock, call: &MethodCall, origin: SourceRange) -> Lowered<Closure> {
        let method = &*call.name;
        let unsupported = UntranslatedReason::Form("this block");
        match block {
            CallBlock::Pass(id) => {
                let hir = Arc::clone(&self.hir);
                let Some(HirKind::Symbol(name)) = hir.body(self.body).map(|body| body.kind(id)) else {
                    return self.fail(unsupported, origin);
                };
                let known = Method::named(name).filter(|m| self.is_method_of_ruby(*m, Kinds::ANY) && fits(m.arity(), 0));
                let Some(known) = known.filter(|m| m.block() != ClosureArgument::Must) else { return self.fail(unsupported, origin) };
                let body = build::method(build::name("x"), known.name(), Vec::new(), None);
                Ok(build::closure(vec![build::ident("x")], vec![body]))
            }
            CallBlock::Literal(id) => {
                let hir = Arc::clone(&self.hir);
                let Some(body) = hir.body(id) else { return self.fail(unsupported, origin) };
                let mut params: Vec<Fact> = body.params.required.iter().map(|_| Fact::value(Kinds::ANY)).collect();
                if let (Denotation::Resources, Some(first)) = (self.facts.get(call.receiver).denotes, params.first_mut()) {
                    *first = Fact::other_resource();
                }
                if params.is_empty() || body.params.required.iter().any(|p| !matches!(p, Target::Local(_))) {
                    return self.fail(UntranslatedReason::Parameters, origin);
                }
                let facts = BodyFacts::of(&hir, id, self.facts.self_object, &params, Some(self.facts));
                let mut inner = BodyLowering {
                    run: self.run,
                    functions: self.functions,
                    names: self.names,
                    role: self.role,
                    hir: Arc::clone(&hir),
                    body: id,
                    facts: &facts,
                    block: self.block.clone(),
                    class: self.class,
                    depth: self.depth + 1,
                    nesting: self.nesting,
                    declared: Default::default(),
                    handled: self.handled.clone(),
                    around: self.around.clone(),
                    effects: Default::default(),
                };
                let params = inner.params(body)?;
                let statements = inner.sequence(body.root, method != "each", true)?;
                let effects = inner.effects;
                self.effects.add(effects);
                let span = build::span_of_block(&build::block(statements.clone()), self.names.span(body.origin));
                let params = params.into_iter().map(|param| param.name).collect();
                Ok(Closure { span, ..build::closure(params, statements) })
            }
        }
    }

    /// Translates a call on the resource.
    fn resource_call(&mut self, call: &MethodCall, origin: SourceRange) -> Lowered {
        let name = &*call.name;
        if self.names.methods.contains_key(name) {
            let key = super::FunctionKey { attribute: None, module: None, method: name.to_owned(), resources: Vec::new() };
            return self.method_call(key, call, origin);
        }
        match (name, call.args.positional.as_slice()) {
            ("[]" | "value" | "should", [Element::Plain(key)]) if call.args.block.is_none() => {
                let key = *key;
                let key = match self.hir.body(self.body).map(|body| body.kind(key)) {
                    Some(HirKind::Symbol(key)) => key.to_string(),
                    Some(HirKind::Str { text, .. }) => text.to_string(),
                    _ => return self.computed_attribute(key, origin),
                };
                self.attribute_value(&key, origin)
            }
            ("provider" | "catalog", []) => self.fail(UntranslatedReason::Form("the provider as a value"), origin),
            ("name", []) => self.attribute_value("name", origin),
            ("ref" | "title", []) if call.args.block.is_none() => Ok(build::call(name, vec![build::expr(ExprKind::SelfRef)])),
            _ => match name.strip_suffix('?').filter(|attribute| self.names.booleans.contains(*attribute)) {
                Some(_) if call.args.positional.is_empty() => Ok(build::attribute(name)),
                _ if call.style != CallStyle::Explicit => self.function_call(call, origin),
                _ => self.unsupported(call, origin),
            },
        }
    }

    /// Translates `self[name]` with a computed name.
    fn computed_attribute(&mut self, name: ExprId, origin: SourceRange) -> Lowered {
        if self.role.is_early || self.facts.get(name).denotes != Denotation::Value {
            return self.fail(UntranslatedReason::Form("a computed name of an attribute"), origin);
        }
        self.effects.reads.extend(self.names.attributes.iter().cloned());
        let name = self.expr(name)?;
        Ok(build::expr(ExprKind::Index(Box::new(build::expr(ExprKind::SelfRef)), vec![name])))
    }

    /// Returns the attribute whose object an expression is: `@parameters[:name]` and `parameter(:name)` of a resource.
    pub(super) fn parameter_object(&self, id: ExprId) -> Option<String> {
        let HirKind::Call(call) = self.kind(id) else { return None };
        let is_read = match (self.kind(call.receiver), &*call.name) {
            (HirKind::Variable(name), "[]") => &*name == "@parameters" && self.facts.self_object == SelfObject::Resource,
            (_, "parameter") => self.facts.get(call.receiver).denotes == Denotation::Resource,
            _ => false,
        };
        match call.args.positional.as_slice() {
            [Element::Plain(key)] if is_read => match self.kind(*key) {
                HirKind::Symbol(name) => Some(name.to_string()),
                _ => None,
            },
            _ => None,
        }
    }

    fn attribute_value(&mut self, attribute: &str, origin: SourceRange) -> Lowered {
        let attribute = match &self.names.namevar {
            Some(namevar) if attribute == "name" && !self.names.attributes.contains(attribute) => namevar,
            _ => attribute,
        };
        let is_own = self.role.is_early && self.role.attribute.as_deref() == Some(attribute);
        if is_own {
            return self.fail(UntranslatedReason::Form("the value of the attribute before it is set"), origin);
        }
        let is_meta = self.role.may_assign && super::statement::METAPARAMS.contains(&attribute);
        if self.is_invalid(attribute) {
            let message = build::string(&format!("Invalid parameter {attribute}(:{attribute})"));
            return Ok(build::call("fail", vec![message]));
        }
        if !self.names.attributes.contains(attribute) && !is_meta {
            return self.fail(UntranslatedReason::Attribute(attribute.to_owned()), origin);
        }
        self.effects.reads.insert(attribute.to_owned());
        Ok(build::attribute(attribute))
    }

    /// Returns whether the block compares lists of all values.
    pub(super) fn compares_lists(&self) -> bool {
        let of = self.role.attribute.as_ref();
        self.role.is_comparison && self.own_method("should").is_none() && of.is_some_and(|of| self.names.lists.contains(of))
    }

    /// Returns whether the block compares a value with each of the desired values.
    pub(super) fn compares_first(&self) -> bool {
        let of = self.role.attribute.as_ref();
        let is_list = of.is_some_and(|of| self.names.lists.contains(of));
        self.role.is_comparison && (self.own_method("should").is_some() || !is_list)
    }

    /// Translates `a.to_set == b.to_set`.
    fn same_sets(&mut self, call: &MethodCall) -> Lowered<Option<Expr>> {
        let ("==", [Element::Plain(other)]) = (&*call.name, call.args.positional.as_slice()) else { return Ok(None) };
        let list = |id: ExprId| match self.kind(id) {
            HirKind::Call(call) if &*call.name == "to_set" && call.args.positional.is_empty() && call.args.block.is_none() => {
                Some(call.receiver)
            }
            _ => None,
        };
        let (Some(left), Some(right)) = (list(call.receiver), list(*other)) else { return Ok(None) };
        let (left, right) = (self.expr(left)?, self.expr(right)?);
        let without = |left: &Expr, right: &Expr| {
            let rest = build::binary(BinaryOp::Subtract, left.clone(), right.clone());
            build::method(rest, "empty?", Vec::new(), None)
        };
        Ok(Some(build::binary(BinaryOp::And, without(&left, &right), without(&right, &left))))
    }

    /// Translates a call on the attribute.
    fn own_call(&mut self, call: &MethodCall, origin: SourceRange) -> Lowered {
        // The block `should` computes the value.
        if &*call.name == "should" && call.args.positional.is_empty() && self.role.is_comparison {
            return Ok(build::name("should"));
        }
        if let Some(key) = self.own_method(&call.name) {
            return self.method_call(key, call, origin);
        }
        match (&*call.name, call.args.positional.as_slice()) {
            ("name", []) => match &self.role.attribute {
                Some(attribute) => Ok(build::expr(ExprKind::Symbol(attribute.as_str().into()))),
                None => self.unsupported(call, origin),
            },
            ("resource" | "provider", []) => self.fail(UntranslatedReason::Form("the resource as a value"), origin),
            _ => self.function_call(call, origin),
        }
    }

    /// Translates a call without a receiver of a method that Ruby or Puppet define everywhere.
    fn function_call(&mut self, call: &MethodCall, origin: SourceRange) -> Lowered {
        let name = &*call.name;
        if call.style == CallStyle::Explicit || self.run.program_has_method("Object", name) {
            return self.unsupported(call, origin);
        }
        match name {
            "_" => return self.only_argument(call, origin),
            "absolute_path?" => {
                let value = self.only_argument(call, origin)?;
                return Ok(build::method(value, "absolute?", Vec::new(), None));
            }
            level if LEVELS.contains(&level) => {
                let message = self.only_argument(call, origin)?;
                return Ok(build::call(level, vec![message]));
            }
            _ => {}
        }
        let known = Function::named(name).filter(|function| fits(function.arity(), call.args.positional.len()));
        if known.is_some() && call.args.block.is_none() && call.args.keywords.is_empty() && self.run.ruby_has_method("Object", name) {
            let args = self.arguments(&call.args, origin)?;
            return Ok(build::call(name, args));
        }
        if self.is_undefined(name) {
            let message = build::string(&format!("undefined method `{name}'"));
            return Ok(build::call("fail", vec![message]));
        }
        self.unsupported(call, origin)
    }

    /// Returns whether Puppet refuses to read an attribute, because the type does not have it.
    fn is_invalid(&self, attribute: &str) -> bool {
        let is_known = matches!(attribute, "name" | "provider")
            || self.names.attributes.contains(attribute)
            || crate::undefined::METAPARAMS.lines().any(|known| known == attribute);
        !is_known && self.names.closed.contains(super::OF_TYPE)
    }

    /// Returns whether neither Ruby nor Puppet nor the file defines a method of `self`, so that its call fails.
    fn is_undefined(&self, name: &str) -> bool {
        let owner = match self.facts.self_object {
            SelfObject::Attribute => self.role.attribute.as_deref(),
            SelfObject::Resource => Some(super::OF_TYPE),
            SelfObject::Provider | SelfObject::Module => None,
        };
        // Libraries define functions with the names of classes.
        let is_class = name.starts_with(|c: char| c.is_ascii_uppercase());
        !is_class && owner.is_some_and(|owner| self.names.closed.contains(owner)) && !crate::undefined::is_of_puppet(name)
    }

    /// Translates a call of the provider. In all blocks but actions, the method is a query.
    fn provider_call(&mut self, call: &MethodCall, origin: SourceRange) -> Lowered {
        let provider = build::name("provider");
        match (&*call.name, call.args.positional.as_slice()) {
            ("respond_to?", [Element::Plain(method)]) => match self.kind(*method) {
                HirKind::Symbol(method) => Ok(build::method(provider, "has?", vec![build::expr(ExprKind::Symbol((*method).into()))], None)),
                _ => self.unsupported(call, origin),
            },
            (name, _) if call.args.block.is_some() || operator(name).is_some() || is_of_object(name) || self.role.is_early => {
                self.fail(UntranslatedReason::Form("this call of the provider"), origin)
            }
            _ => {
                let args = self.arguments(&call.args, origin)?;
                Ok(build::method(provider, &call.name, args, None))
            }
        }
    }

    /// Translates a call of a method of a class or module.
    fn constant_call(&mut self, path: &str, call: &MethodCall, origin: SourceRange) -> Lowered {
        if let Some(read) = self.machine_call(path, call, origin)? {
            return Ok(read);
        }
        if let Some(made) = self.library_call(path, call, origin)? {
            return Ok(made);
        }
        match (path, &*call.name) {
            ("Puppet", level) if LEVELS.contains(&level) => {
                let message = self.only_argument(call, origin)?;
                Ok(build::call(level, vec![message]))
            }
            ("Puppet::Util", "absolute_path?") => {
                let value = self.only_argument(call, origin)?;
                Ok(build::method(value, "absolute?", Vec::new(), None))
            }
            ("Regexp", "last_match") => match call.args.positional.as_slice() {
                [Element::Plain(number)] => match self.kind(*number) {
                    HirKind::Integer(number @ 0..=99) => Ok(build::expr(ExprKind::Capture(u32::try_from(number).unwrap_or(1)))),
                    _ => self.unsupported(call, origin),
                },
                _ => self.unsupported(call, origin),
            },
            // A copy of a value: values of the language do not change.
            ("Marshal", "load") => match call.args.positional.as_slice() {
                [Element::Plain(dumped)] => match self.kind(*dumped) {
                    HirKind::Call(dump)
                        if &*dump.name == "dump" && self.facts.get(dump.receiver).denotes == Denotation::Constant("Marshal".into()) =>
                    {
                        self.only_argument(&dump, origin)
                    }
                    _ => self.unsupported(call, origin),
                },
                _ => self.unsupported(call, origin),
            },
            ("Hash", "new") if call.args.positional.is_empty() && call.args.block.is_none() => Ok(build::expr(ExprKind::Map(Vec::new()))),
            ("Hash", "[]") => {
                let pairs = self.only_argument(call, origin)?;
                Ok(build::method(pairs, "to_h", Vec::new(), None))
            }
            (_, "===") if data_type(path).is_some() => {
                let value = self.only_argument(call, origin)?;
                Ok(build::method(value, "is_a?", vec![build::name(data_type(path).unwrap_or_default())], None))
            }
            ("Puppet::Util::Package", "versioncmp") => {
                let args = self.arguments(&call.args, origin)?;
                Ok(build::call("versioncmp", args))
            }
            _ => {
                if let Some(key) = self.module_function(path, &call.name) {
                    return self.method_call(key, call, origin);
                }
                let value = self.facts.get(call.receiver);
                let literal = self.expr(call.receiver)?;
                let known = Fact { kinds: kinds_of(&literal), denotes: Denotation::Value };
                match value.denotes {
                    Denotation::Constant(_) => self.value_call(call, &known, origin),
                    _ => self.unsupported(call, origin),
                }
            }
        }
    }
}

/// Returns whether a method belongs to every object, or returns another object of Puppet.
fn is_of_object(name: &str) -> bool {
    matches!(
        name,
        "send" | "public_send" | "class" | "resource" | "resource=" | "nil?" | "is_a?" | "instance_variable_get" | "[]" | "tap" | "then"
    )
}

fn kinds_of(literal: &Expr) -> Kinds {
    match &literal.kind {
        ExprKind::Str(_) => Kinds::STR,
        ExprKind::Symbol(_) => Kinds::SYM,
        ExprKind::Array(_) => Kinds::LIST,
        ExprKind::Map(_) => Kinds::MAP,
        ExprKind::Regex(_) => Kinds::one_of(&[ValueKind::Regex]),
        ExprKind::Int(_) | ExprKind::Float(_) => Kinds::NUMBER,
        _ => Kinds::ANY,
    }
}

/// Returns whether a value is a string or a symbol, of which only strings have most methods.
fn is_text(value: &Fact) -> bool {
    value.kinds.without(Kinds::STR).without(Kinds::SYM) == Kinds::NONE
}
