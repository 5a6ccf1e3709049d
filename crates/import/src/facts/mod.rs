//! What the expressions of a body denote, and the kinds of their values.
//!
//! The analysis does not follow the order of statements: a variable has the joined facts of all its assignments.

mod writes;

pub use writes::possible_writes;

use rtype_lang::types::builtin::{Function, Method, Returns, ValueKind};
use rtype_lang::typing::Kinds;
use rtype_ruby::hir::{
    ArenaId, BodyId, CallStyle, ConstantPath, ConstantScope, Element, ExprId, Hir, HirBody, HirKind, HirText, IndexVec, LocalId, LocalRef,
    MethodCall, Target,
};

/// What an expression denotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Denotation {
    /// A value of the language.
    Value,
    /// The resource.
    Resource,
    /// The object of the attribute.
    Attribute,
    /// The provider.
    Provider,
    /// The catalog.
    Catalog,
    /// Another resource of the catalog.
    OtherResource,
    /// A list of catalog resources.
    Resources,
    /// The class of another resource.
    OtherClass,
    /// The module whose function is translated.
    Module,
    /// The class of the resource: its type.
    ResourceClass,
    /// The class of the attribute.
    AttributeClass,
    /// A file path: an object of `Pathname`, which is a text in the language.
    Path,
    /// An object of `IPAddr`, which is a text in the language.
    Address,
    /// The class of a value, whose text the language has.
    ClassName,
    /// An error that a `rescue` has caught.
    Error,
    /// A constant, by its path.
    Constant(HirText),
    /// Different things in different branches, or something that the language does not have.
    Unclear,
}

/// What is known of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The kinds of its values.
    pub kinds: Kinds,
    /// What it denotes.
    pub denotes: Denotation,
}

impl Fact {
    /// Returns the fact about a value of these kinds.
    pub fn value(kinds: Kinds) -> Fact {
        Fact { kinds, denotes: Denotation::Value }
    }

    /// Returns the fact about another resource.
    pub fn other_resource() -> Fact {
        Fact::of(Denotation::OtherResource)
    }

    /// Returns the fact about the resource.
    pub fn resource() -> Fact {
        Fact::of(Denotation::Resource)
    }

    fn of(denotes: Denotation) -> Fact {
        Fact { kinds: Kinds::ANY, denotes }
    }

    fn join(&self, other: &Fact) -> Fact {
        let denotes = if self.denotes == other.denotes { self.denotes.clone() } else { Denotation::Unclear };
        Fact { kinds: self.kinds.or(other.kinds), denotes }
    }
}

/// What `self` is in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelfObject {
    /// The resource.
    Resource,
    /// The object of an attribute.
    Attribute,
    /// The provider, or its class.
    Provider,
    /// A module or class whose function is translated.
    Module,
}

/// The facts about a body.
pub struct BodyFacts<'o> {
    /// What `self` is.
    pub self_object: SelfObject,
    exprs: IndexVec<ExprId, Fact>,
    locals: Vec<Option<Fact>>,
    outer: Option<&'o BodyFacts<'o>>,
}

/// The number of passes after which the facts about variables are given up.
const MAX_PASSES: usize = 8;

impl<'o> BodyFacts<'o> {
    /// Analyses a body. `params` are facts about its required parameters.
    pub fn of(hir: &Hir, body: BodyId, self_object: SelfObject, params: &[Fact], outer: Option<&'o BodyFacts<'o>>) -> BodyFacts<'o> {
        let mut facts = BodyFacts { self_object, exprs: IndexVec::default(), locals: Vec::new(), outer };
        let Some(body) = hir.body(body) else { return facts };
        facts.locals = vec![None; body.locals.len()];
        for (target, fact) in body.params.required.iter().zip(params) {
            facts.assign(target, fact);
        }
        for (local, _) in &body.params.optional {
            facts.join_local(*local, &Fact::value(Kinds::ANY));
        }
        for _ in 0..MAX_PASSES {
            let before = facts.locals.clone();
            let mut exprs = IndexVec::default();
            for (_, expr) in body.exprs.iter() {
                let fact = facts.fact_of(body, &exprs, &expr.kind);
                match &expr.kind {
                    HirKind::Assign { target, .. } => facts.assign(target, &fact),
                    HirKind::Begin(begin) => {
                        let targets = begin.rescues.iter().filter_map(|rescue| rescue.target.as_ref());
                        targets.for_each(|target| facts.assign(target, &Fact::of(Denotation::Error)));
                    }
                    _ => {}
                }
                exprs.push(fact);
            }
            facts.exprs = exprs;
            if before == facts.locals {
                return facts;
            }
        }
        facts.locals.iter_mut().for_each(|local| *local = Some(Fact::of(Denotation::Unclear)));
        facts
    }

    /// Returns the fact about an expression.
    pub fn get(&self, expr: ExprId) -> Fact {
        self.exprs.get(expr).cloned().unwrap_or(Fact::of(Denotation::Unclear))
    }

    fn assign(&mut self, target: &Target, fact: &Fact) {
        match target {
            Target::Local(LocalRef { depth: 0, local }) => self.join_local(*local, fact),
            Target::Multiple(multi) => {
                let all = multi.before.iter().chain(&multi.rest).chain(&multi.after);
                let element = Fact { kinds: Kinds::ANY, denotes: fact.denotes.clone() };
                all.for_each(|target| self.assign(target, &element));
            }
            _ => {}
        }
    }

    fn join_local(&mut self, local: LocalId, fact: &Fact) {
        if let Some(known) = self.locals.get_mut(local.position()) {
            *known = Some(known.as_ref().map_or_else(|| fact.clone(), |known| known.join(fact)));
        }
    }

    /// Returns the fact about a variable.
    pub fn local(&self, of: LocalRef) -> Fact {
        match (of.depth.checked_sub(1), self.outer) {
            (Some(depth), Some(outer)) => outer.local(LocalRef { depth, ..of }),
            // A variable around the block of a declaration has a value when the type is loaded.
            (Some(_), None) => Fact::value(Kinds::ANY),
            (None, _) => self.locals.get(of.local.position()).cloned().flatten().unwrap_or(Fact::value(Kinds::NIL)),
        }
    }

    fn fact_of(&self, body: &HirBody, known: &IndexVec<ExprId, Fact>, kind: &HirKind) -> Fact {
        let get = |id: &ExprId| known.get(*id).cloned().unwrap_or(Fact::of(Denotation::Unclear));
        match kind {
            HirKind::Nil | HirKind::Return(_) | HirKind::Next(_) | HirKind::Break(_) => Fact::value(Kinds::NIL),
            HirKind::Bool(_) | HirKind::Not(_) | HirKind::IsNil(_) => Fact::value(Kinds::BOOL),
            HirKind::Integer(_) => Fact::value(Kinds::one_of(&[ValueKind::Int])),
            HirKind::Float(_) => Fact::value(Kinds::one_of(&[ValueKind::Float])),
            HirKind::Str { .. } | HirKind::StrConcat(_) => Fact::value(Kinds::STR),
            HirKind::Symbol(_) | HirKind::SymbolConcat(_) => Fact::value(Kinds::SYM),
            HirKind::Regex { .. } => Fact::value(Kinds::one_of(&[ValueKind::Regex])),
            HirKind::Array(_) => Fact::value(Kinds::LIST),
            HirKind::Hash(_) => Fact::value(Kinds::MAP),
            HirKind::Group(_) => Fact::value(Kinds::STR.or(Kinds::NIL)),
            HirKind::Range { .. } => Fact::value(Kinds::ANY),
            HirKind::SelfValue => Fact::of(self.self_denotes()),
            HirKind::Variable(name) if &**name == "@resource" => Fact::of(Denotation::Resource),
            HirKind::Variable(name) if &**name == "@should" && self.self_object == SelfObject::Attribute => Fact::value(Kinds::LIST),
            HirKind::Constant(path) => {
                constant_path(body, path).map_or(Fact::of(Denotation::Unclear), |p| Fact::of(Denotation::Constant(p)))
            }
            HirKind::Local(of) => self.local(*of),
            HirKind::Assign { value, .. } => get(value),
            HirKind::Seq(all) => all.last().map_or(Fact::value(Kinds::NIL), get),
            HirKind::If { then, otherwise, .. } => get(then).join(&get(otherwise)),
            HirKind::And(left, right) | HirKind::Or(left, right) => get(left).join(&get(right)),
            HirKind::Case(case) => case.arms.iter().fold(get(&case.otherwise), |all, arm| all.join(&get(&arm.body))),
            HirKind::Begin(begin) => begin.rescues.iter().fold(get(&begin.body), |all, rescue| all.join(&get(&rescue.body))),
            HirKind::Super(_) => Fact::value(Kinds::ANY),
            HirKind::Call(call) => self.call_fact(call, &get(&call.receiver), &get),
            _ => Fact::of(Denotation::Unclear),
        }
    }

    fn self_denotes(&self) -> Denotation {
        match self.self_object {
            SelfObject::Resource => Denotation::Resource,
            SelfObject::Attribute => Denotation::Attribute,
            SelfObject::Provider => Denotation::Provider,
            SelfObject::Module => Denotation::Module,
        }
    }

    fn call_fact(&self, call: &MethodCall, receiver: &Fact, get: &dyn Fn(&ExprId) -> Fact) -> Fact {
        let has_arguments = !call.args.positional.is_empty() || !call.args.keywords.is_empty() || call.args.block.is_some();
        match (&receiver.denotes, &*call.name) {
            (Denotation::Attribute | Denotation::Resource, "resource") if !has_arguments => Fact::of(Denotation::Resource),
            (Denotation::Provider, "resource") if !has_arguments && self.self_object == SelfObject::Provider => {
                Fact::of(Denotation::Resource)
            }
            (Denotation::Attribute | Denotation::Resource, "provider") if !has_arguments => Fact::of(Denotation::Provider),
            (Denotation::Resource, "catalog") if !has_arguments => Fact::of(Denotation::Catalog),
            (Denotation::Resource, "class") if !has_arguments => Fact::of(Denotation::ResourceClass),
            (Denotation::Attribute, "class") if !has_arguments => Fact::of(Denotation::AttributeClass),
            (Denotation::Catalog, "resources") if !has_arguments => Fact::of(Denotation::Resources),
            (Denotation::Resources, "select" | "find_all" | "filter" | "reject" | "compact" | "flatten" | "uniq" | "to_a") => {
                Fact::of(Denotation::Resources)
            }
            (Denotation::Resources, "find" | "detect" | "first" | "last" | "[]") => Fact::of(Denotation::OtherResource),
            (Denotation::OtherResource, "class") | (Denotation::OtherClass, "to_s" | "name") if !has_arguments => {
                Fact::of(Denotation::OtherClass)
            }
            (Denotation::Value, "class") if !has_arguments => Fact::of(Denotation::ClassName),
            (Denotation::ClassName, "to_s" | "name" | "inspect") if !has_arguments => Fact::value(Kinds::STR),
            (Denotation::Value, name) => value_call(receiver, name, call, get),
            (Denotation::Constant(path), "new") if &**path == "Pathname" => Fact::of(Denotation::Path),
            (Denotation::Constant(path), "new") if &**path == "IPAddr" => Fact::of(Denotation::Address),
            (Denotation::Address, "to_s") => Fact::value(Kinds::STR),
            (Denotation::Address, "ipv4?" | "ipv6?") => Fact::value(Kinds::BOOL),
            (Denotation::Attribute | Denotation::Resource, "Pathname") if call.style != CallStyle::Explicit => Fact::of(Denotation::Path),
            (Denotation::Path, "parent" | "dirname" | "basename" | "cleanpath") => Fact::of(Denotation::Path),
            (Denotation::Path | Denotation::Error, "to_s" | "to_path" | "message" | "extname") => Fact::value(Kinds::STR),
            (_, name) if call.style != CallStyle::Explicit => {
                Function::named(name).map_or(Fact::value(Kinds::ANY), |function| Fact::value(returned(function.returns(), Kinds::ANY)))
            }
            _ => Fact::value(Kinds::ANY),
        }
    }
}

/// Returns the fact about a call of a method of a value.
fn value_call(receiver: &Fact, name: &str, call: &MethodCall, get: &dyn Fn(&ExprId) -> Fact) -> Fact {
    let kinds = match name {
        "==" | "!=" | "<" | "<=" | ">" | ">=" | "!" | "!~" => Kinds::BOOL,
        "=~" => Kinds::one_of(&[ValueKind::Int, ValueKind::Nil]),
        "+" | "-" | "*" => match call.args.positional.as_slice() {
            [Element::Plain(other)] if receiver.kinds == Kinds::NUMBER => receiver.kinds.or(get(other).kinds),
            _ => receiver.kinds,
        },
        name => Method::named(name).map_or(Kinds::ANY, |method| {
            // The method determines the kinds.
            let is_any = receiver.kinds == Kinds::ANY;
            returned(method.returns(), if is_any { Kinds::one_of(method.receivers()) } else { receiver.kinds })
        }),
    };
    Fact::value(kinds)
}

fn returned(returns: Returns, receiver: Kinds) -> Kinds {
    match returns {
        Returns::Same => receiver,
        Returns::Kinds(kinds) => Kinds::one_of(kinds),
    }
}

/// Returns the path of a constant.
pub fn constant_path(body: &HirBody, path: &ConstantPath) -> Option<HirText> {
    match path.scope {
        ConstantScope::Lexical | ConstantScope::Top => Some(HirText::clone(&path.name)),
        ConstantScope::Of(scope) => match body.kind(scope) {
            HirKind::Constant(outer) => Some(format!("{}::{}", constant_path(body, outer)?, path.name).into()),
            _ => None,
        },
    }
}
