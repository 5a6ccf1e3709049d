//! Method calls.

use super::build;
use super::expr::push_part;
use super::{BodyLowering, Lowered, UntranslatedReason};
use crate::facts::{BodyFacts, Denotation, Fact, SelfObject};
use rtype_lang::syntax::ast::{BinaryOp, Closure, Expr, ExprKind, Quote, StrPart, UnaryOp};
use rtype_lang::types::builtin::{Arity, ClosureArgument, Function, Method, Returns, ValueKind};
use rtype_lang::typing::Kinds;
use rtype_ruby::hir::{
    BodyId, CallArgs, CallBlock, CallStyle, Element, ExprId, Hir, HirKind, HirText, LocalId, LocalRef, MethodCall, Pair, SourceRange,
    Target, Visitor,
};
use std::sync::Arc;

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

/// Returns the operator of the language that does the same as a method of Ruby. `%` formats strings, and Ruby has no methods `&&` and `||`.
fn operator(name: &str) -> Option<BinaryOp> {
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
            Denotation::ClassName if matches!(&*call.name, "to_s" | "name" | "inspect") && call.args.positional.is_empty() => {
                self.expr(call.receiver)
            }
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
        if matches!(name, "freeze" | "dup" | "clone" | "to_str") && call.args.positional.is_empty() {
            return self.expr(call.receiver);
        }
        self.passthrough(call, receiver, origin)
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
            Some(block) => Some(self.closure(block, &call.name, origin)?),
        };
        Ok(build::method(target, &call.name, args, closure))
    }

    /// Returns whether a class of Ruby whose objects are among these kinds has a method that does not change its receiver.
    fn is_method_of_ruby(&mut self, method: Method, kinds: Kinds) -> bool {
        let name = method.name();
        let is_everywhere = method.receivers().contains(&ValueKind::Any);
        !rtype_ruby::run::changes_receiver(name)
            && CLASSES.iter().any(|(kind, class)| {
                let takes = is_everywhere || method.receivers().contains(kind);
                takes && kinds.overlaps(Kinds::one_of(&[*kind])) && self.run.ruby_has_method(class, name)
            })
    }

    fn closure(&mut self, block: CallBlock, method: &str, origin: SourceRange) -> Lowered<Closure> {
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
                let params: Vec<Fact> = body.params.required.iter().map(|_| Fact::value(Kinds::ANY)).collect();
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

    /// Translates `format % values`.
    fn format(&mut self, call: &MethodCall, receiver: &Fact, origin: SourceRange) -> Lowered {
        let [Element::Plain(values)] = call.args.positional.as_slice() else { return self.unsupported(call, origin) };
        let left = self.expr(call.receiver)?;
        let ExprKind::Str(text) = &left.kind else {
            return match receiver.kinds.without(Kinds::NUMBER) == Kinds::NONE {
                true => Ok(build::binary(BinaryOp::Modulo, left, self.expr(*values)?)),
                false => self.unsupported(call, origin),
            };
        };
        let right = self.expr(*values)?;
        match (text.plain(), right.kind) {
            (Some(text), ExprKind::Map(entries)) => match named_parts(&text, &entries) {
                Some(parts) => Ok(build::expr(ExprKind::Str(build::literal(parts, Quote::Double)))),
                None => self.fail(UntranslatedReason::Form("this format"), origin),
            },
            (Some(_), ExprKind::Array(items)) => Ok(build::call("format", std::iter::once(left).chain(items).collect())),
            (Some(_), kind) if self.facts.get(*values).kinds.and(Kinds::LIST.or(Kinds::MAP)) == Kinds::NONE => {
                Ok(build::call("format", vec![left, build::expr(kind)]))
            }
            _ => self.fail(UntranslatedReason::Form("this format"), origin),
        }
    }

    /// Translates a call on the resource.
    fn resource_call(&mut self, call: &MethodCall, origin: SourceRange) -> Lowered {
        let name = &*call.name;
        if self.names.methods.contains_key(name) {
            return self.method_call(super::FunctionKey { attribute: None, method: name.to_owned() }, call, origin);
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

    fn attribute_value(&mut self, attribute: &str, origin: SourceRange) -> Lowered {
        let is_own = self.role.is_early && self.role.attribute.as_deref() == Some(attribute);
        if is_own {
            return self.fail(UntranslatedReason::Form("the value of the attribute before it is set"), origin);
        }
        if !self.names.attributes.contains(attribute) {
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

    /// Translates a call on the attribute.
    fn own_call(&mut self, call: &MethodCall, origin: SourceRange) -> Lowered {
        if let Some(key) = self.own_method(&call.name) {
            return self.method_call(key, call, origin);
        }
        match (&*call.name, call.args.positional.as_slice()) {
            ("should", []) if self.role.is_comparison => Ok(build::name("should")),
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
        self.unsupported(call, origin)
    }

    fn provider_call(&mut self, call: &MethodCall, origin: SourceRange) -> Lowered {
        if !self.role.is_action
            || call.args.block.is_some()
            || operator(&call.name).is_some()
            || matches!(&*call.name, "send" | "respond_to?")
        {
            return self.fail(UntranslatedReason::Form("this call of the provider"), origin);
        }
        let args = self.arguments(&call.args, origin)?;
        Ok(build::method(build::name("provider"), &call.name, args, None))
    }

    /// Translates a call of a method of a class or module.
    fn constant_call(&mut self, path: &str, call: &MethodCall, origin: SourceRange) -> Lowered {
        if let Some(read) = self.machine_call(path, call, origin)? {
            return Ok(read);
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
            ("Puppet::Util::Package", "versioncmp") => {
                let args = self.arguments(&call.args, origin)?;
                Ok(build::call("versioncmp", args))
            }
            _ => {
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

/// Returns the parts of a format with names: `%{name}`.
fn named_parts(format: &str, values: &[(Expr, Expr)]) -> Option<Vec<StrPart>> {
    let mut parts = Vec::new();
    let mut rest = format;
    while let Some((before, after)) = rest.split_once('%') {
        push_part(&mut parts, build::string(before));
        if let Some(more) = after.strip_prefix('%') {
            push_part(&mut parts, build::string("%"));
            rest = more;
            continue;
        }
        let (name, more) = after.strip_prefix('{')?.split_once('}')?;
        let is_it = |key: &Expr| matches!(&key.kind, ExprKind::Symbol(key) if key == name);
        let (_, value) = values.iter().find(|(key, _)| is_it(key))?;
        push_part(&mut parts, value.clone());
        rest = more;
    }
    push_part(&mut parts, build::string(rest));
    Some(parts)
}
