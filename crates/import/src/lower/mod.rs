//! Translates bodies to blocks of the language.
//!
//! A statement that the language cannot express ends the innermost sequence around it: a call of `untranslated` replaces this statement and the
//! following ones.

pub mod build;
mod calls;
mod catalog;
mod classes;
mod errors;
mod expr;
mod format;
mod functions;
mod in_place;
mod library;
mod machine;
mod paths;
pub mod regex;
pub(crate) mod slice;
mod statement;

pub use functions::{FunctionKey, FunctionTable};
pub(crate) use statement::{condition, is_literal};

use crate::facts::{BodyFacts, Fact, SelfObject};
use rtype_lang::source::Span;
use rtype_lang::syntax::ast::{Block, Closure, Expr, Ident, Param};
use rtype_lang::typing::Kinds;
use rtype_ruby::hir::{ArenaId, BodyId, FileId, Hir, HirBody, HirKind, HirText, LocalId, LocalRef, SourceRange, Target};
use rtype_ruby::run::{ClassKey, CodeSource, Interpreter, PlainValue, RuntimeValue};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Why code cannot be expressed in the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UntranslatedReason {
    /// A form of expression.
    Form(&'static str),
    /// A method.
    Method(HirText),
    /// A constant whose value is not known or is not a value of the language.
    Constant(HirText),
    /// A variable.
    Variable(HirText),
    /// An attribute that the type does not have.
    Attribute(String),
    /// Parameters of a block or method.
    Parameters,
    /// A declaration whose arguments are not known when the type is loaded.
    Computed(String),
    /// A declaration under a condition that is not known.
    Conditional(String),
    /// A method that Puppet calls is replaced.
    Hook(HirText),
    /// A word that is not supported in a declaration.
    Directive(String),
}

impl std::fmt::Display for UntranslatedReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            UntranslatedReason::Form(what) => write!(f, "{what} is not supported"),
            UntranslatedReason::Method(name) => write!(f, "the method `{name}` is not supported"),
            UntranslatedReason::Constant(name) => write!(f, "the constant `{name}` is not supported"),
            UntranslatedReason::Variable(name) => write!(f, "the variable `{name}` is not supported"),
            UntranslatedReason::Attribute(name) => write!(f, "the type has no attribute `{name}`"),
            UntranslatedReason::Parameters => f.write_str("these parameters are not supported"),
            UntranslatedReason::Computed(what) => write!(f, "{what} is computed"),
            UntranslatedReason::Conditional(what) => write!(f, "whether `{what}` is declared depends on a condition"),
            UntranslatedReason::Hook(name) => write!(f, "the method `{name}` of Puppet is replaced"),
            UntranslatedReason::Directive(word) => write!(f, "`{word}` is not supported"),
        }
    }
}

/// Code that is left in Ruby.
#[derive(Clone, Debug)]
pub struct UntranslatedCode {
    /// Why.
    pub reason: UntranslatedReason,
    /// The code.
    pub origin: SourceRange,
}

pub(crate) type Lowered<T = Expr> = Result<T, UntranslatedCode>;

/// What the blocks of a type may refer to.
#[derive(Clone, Default)]
pub struct TypeNames {
    /// The attributes.
    pub attributes: BTreeSet<String>,
    /// The attributes for which Puppet defines a method `x?`.
    pub booleans: BTreeSet<String>,
    /// The attributes with the allowed value `false`, which is true in Ruby: it is a symbol.
    pub falsy: BTreeSet<String>,
    /// The attributes that compare all values of a list.
    pub lists: BTreeSet<String>,
    /// The methods that the type defines; without code if a condition selects it.
    pub methods: BTreeMap<String, Option<CodeSource>>,
    /// The methods that attributes define.
    pub of_attributes: BTreeMap<String, BTreeMap<String, Option<CodeSource>>>,
    /// The only attribute that identifies a resource. Puppet calls it `name`, too.
    pub namevar: Option<String>,
    /// The classes of the attributes by name, and the class of the type as `self`.
    pub classes: BTreeMap<String, ClassKey>,
    /// The names in `classes` of the classes all of whose methods are known.
    pub closed: BTreeSet<String>,
    /// The file of the type, and the offset of its text in spans; comments of other files are not kept.
    pub main: (FileId, u32),
    /// Whether a `rescue` of the file selects errors by their class.
    pub selects_errors: bool,
}

/// The key of the type in [`TypeNames::classes`].
pub(crate) const OF_TYPE: &str = "self";

impl TypeNames {
    /// Returns the span of code of the type's file, by which the printer places comments.
    pub fn span(&self, origin: SourceRange) -> Span {
        let (file, base) = self.main;
        if origin.file == file && origin.end > 0 { Span::new(base + origin.start, base + origin.end) } else { Span::NONE }
    }
}

/// What a block is.
#[derive(Clone, Debug)]
pub struct BlockRole {
    /// What `self` is.
    pub self_object: SelfObject,
    /// The attribute that the block belongs to.
    pub attribute: Option<String>,
    /// Facts about the parameters.
    pub params: Vec<Fact>,
    /// Whether the value of the block matters.
    pub has_result: bool,
    /// Whether the block compares the current value with the desired one.
    pub is_comparison: bool,
    /// Whether the attribute that the block belongs to has no value yet.
    pub is_early: bool,
    /// Whether the code is a function, which may have optional parameters.
    pub is_function: bool,
    /// Whether the code may assign attributes of the resource.
    pub may_assign: bool,
    /// The number of arguments that `super` passes to Puppet's own method.
    pub super_params: Option<usize>,
    /// Whether the block computes the desired value from all values, `@should`.
    pub is_should: bool,
    /// The module whose function the code is.
    pub module: Option<String>,
    /// Whether Puppet's own method does nothing but return its argument.
    pub super_is_nothing: bool,
    /// Whether nothing else uses the values of the parameters afterwards, so that the code may change them.
    pub owns_params: bool,
}

impl BlockRole {
    /// Returns the role of a block of an attribute with values as parameters.
    pub fn of_attribute(attribute: &str, params: usize, has_result: bool) -> BlockRole {
        BlockRole {
            self_object: SelfObject::Attribute,
            attribute: Some(attribute.to_owned()),
            params: vec![Fact::value(Kinds::ANY); params],
            has_result,
            is_comparison: false,
            is_early: false,
            is_function: false,
            may_assign: false,
            super_params: None,
            super_is_nothing: false,
            owns_params: false,
            module: None,
            is_should: false,
        }
    }

    /// Returns the role of code in the class of a provider. A method of the class has a result.
    pub fn of_provider() -> BlockRole {
        BlockRole { self_object: SelfObject::Provider, ..BlockRole::of_type(true) }
    }

    /// Returns the role of a block of the type.
    pub fn of_type(has_result: bool) -> BlockRole {
        BlockRole {
            self_object: SelfObject::Resource,
            attribute: None,
            params: Vec::new(),
            has_result,
            is_comparison: false,
            is_early: false,
            is_function: false,
            may_assign: false,
            super_params: None,
            super_is_nothing: false,
            owns_params: false,
            module: None,
            is_should: false,
        }
    }
}

/// A translated block.
pub struct LoweredBlock {
    /// The parameters.
    pub params: Vec<Param>,
    /// The statements.
    pub body: Block,
    /// What else the translation gave.
    pub effects: LoweringEffects,
}

impl LoweredBlock {
    /// Returns a closure with the code.
    pub fn closure(self) -> Closure {
        let span = self.body.span;
        let params = self.params.into_iter().map(|param| param.name).collect();
        Closure { span, ..build::closure(params, self.body.statements) }
    }
}

/// The functions, attributes and constants that translated code uses, and the parts of the code that are left in Ruby.
#[derive(Clone, Debug, Default)]
pub struct LoweringEffects {
    /// The parts that are left in Ruby.
    pub parts: Vec<UntranslatedCode>,
    /// The functions that the code calls.
    pub calls: BTreeSet<FunctionKey>,
    /// The attributes of the resource that the code reads, also in functions that the code calls.
    pub reads: BTreeSet<String>,
    /// The constants that the code reads.
    pub constants: BTreeSet<String>,
    /// Whether the code assigns attributes of the resource.
    pub assigns: bool,
}

impl LoweringEffects {
    fn add(&mut self, other: LoweringEffects) {
        self.parts.extend(other.parts);
        self.calls.extend(other.calls);
        self.reads.extend(other.reads);
        self.constants.extend(other.constants);
        self.assigns |= other.assigns;
    }
}

/// The interpreter, the names and the functions of the type whose blocks are translated.
pub(crate) struct TypeContext<'a, 'r> {
    pub run: &'a mut Interpreter<'r>,
    pub names: &'a TypeNames,
    pub functions: &'a mut FunctionTable,
}

/// Translates one body.
pub(crate) struct BodyLowering<'a, 'r, 'f> {
    run: &'a mut Interpreter<'r>,
    functions: &'a mut FunctionTable,
    names: &'a TypeNames,
    role: &'a BlockRole,
    hir: Arc<Hir>,
    body: BodyId,
    facts: &'a BodyFacts<'f>,
    /// The block of the declaration, whose outer variables have values.
    block: Option<RuntimeValue>,
    class: ClassKey,
    /// The number of closures around the code.
    depth: u32,
    /// The number of expressions around the code.
    nesting: u32,
    /// The variables of the body that are declared so far.
    declared: BTreeSet<LocalId>,
    /// The name of the message of the error that the code around handles.
    handled: Option<Ident>,
    /// The names of variables around the block whose assignments are translated, too, by number of bodies between.
    around: BTreeMap<(u32, LocalId), String>,
    effects: LoweringEffects,
}

/// Translates the code of a directive.
///
/// # Errors
/// Returns why its first statement cannot be expressed.
pub fn lower(context: TypeContext<'_, '_>, code: &CodeSource, role: &BlockRole) -> Lowered<LoweredBlock> {
    let facts = BodyFacts::of(&code.hir, code.body, role.self_object, &role.params, None);
    let hir = Arc::clone(&code.hir);
    let Some(body) = hir.body(code.body) else {
        return Err(UntranslatedCode { reason: UntranslatedReason::Form("this block"), origin: SourceRange::default() });
    };
    let mut lowering = BodyLowering {
        run: context.run,
        functions: context.functions,
        names: context.names,
        role,
        hir: Arc::clone(&code.hir),
        body: code.body,
        facts: &facts,
        block: code.block.clone(),
        class: code.class,
        depth: 0,
        nesting: 0,
        declared: BTreeSet::new(),
        handled: None,
        around: BTreeMap::new(),
        effects: LoweringEffects::default(),
    };
    let params = lowering.params(body)?;
    let statements = lowering.sequence(body.root, role.has_result, true)?;
    let block = build::block(statements);
    let mut block = if role.has_result { crate::idiom::rewrite_result(block) } else { crate::idiom::rewrite_block(block) };
    block.span = build::span_of_block(&block, lowering.names.span(body.origin));
    let body = block;
    Ok(LoweredBlock { params, body, effects: lowering.effects })
}

impl BodyLowering<'_, '_, '_> {
    pub(crate) fn fail<T>(&self, reason: UntranslatedReason, origin: SourceRange) -> Lowered<T> {
        Err(UntranslatedCode { reason, origin })
    }

    /// Declares the parameters of a body.
    fn params(&mut self, body: &HirBody) -> Lowered<Vec<Param>> {
        let params = &body.params;
        if self.depth == 0 && self.role.self_object == SelfObject::Resource && self.role.super_is_nothing {
            // `initialize` passes its parameters to Puppet's own method.
            return Ok(Vec::new());
        }
        let is_simple = (params.optional.is_empty() || self.role.is_function && self.depth == 0)
            && params.rest.is_none()
            && params.post.is_empty()
            && params.keywords.is_empty()
            && params.keyword_rest.is_none()
            && params.block.is_none();
        if !is_simple {
            return self.fail(UntranslatedReason::Parameters, body.origin);
        }
        let mut all = Vec::new();
        let is_resource = |at: usize| self.role.params.get(at).is_some_and(|fact| *fact == Fact::resource());
        let resources: Vec<bool> =
            (0..params.required.len()).map(|at| self.role.is_function && self.depth == 0 && is_resource(at)).collect();
        for (target, _) in params.required.iter().zip(resources).filter(|(_, is_resource)| !is_resource) {
            let Target::Local(of) = target else { return self.fail(UntranslatedReason::Parameters, body.origin) };
            self.declared.insert(of.local);
            all.push(Param { name: build::ident(&local_name(body, of.local)), default: None });
        }
        for (local, default) in &params.optional {
            self.declared.insert(*local);
            let is_literal = matches!(
                body.kind(*default),
                HirKind::Nil | HirKind::Bool(_) | HirKind::Integer(_) | HirKind::Str { .. } | HirKind::Symbol(_)
            );
            if !is_literal {
                return self.fail(UntranslatedReason::Parameters, body.origin);
            }
            let default = Some(self.expr(*default)?);
            all.push(Param { name: build::ident(&local_name(body, *local)), default });
        }
        Ok(all)
    }

    /// Returns the body that has a variable.
    fn body_of(&self, of: LocalRef) -> BodyId {
        let mut body = self.body;
        for _ in 0..of.depth.min(self.depth) {
            body = self.hir.body(body).and_then(|body| body.parent).unwrap_or(body);
        }
        body
    }

    /// Returns the body of the method or block of the declaration.
    fn outermost(&self) -> BodyId {
        let mut body = self.body;
        for _ in 0..self.depth {
            body = self.hir.body(body).and_then(|body| body.parent).unwrap_or(body);
        }
        body
    }

    /// Returns the name of a variable, or the value that a variable around the declaration has.
    fn local(&mut self, of: LocalRef, origin: SourceRange) -> Lowered {
        let body = self.body_of(of);
        if let Some(beyond) = of.depth.checked_sub(self.depth).filter(|beyond| *beyond > 0) {
            if let Some(name) = self.around.get(&(beyond, of.local)) {
                return Ok(build::name(name));
            }
            let Some(block) = self.block.clone() else { return self.fail(UntranslatedReason::Form("this variable"), origin) };
            let value = self.run.outer_variable(&block, beyond, of.local);
            return self
                .constant(&value)
                .map_or_else(|| self.fail(UntranslatedReason::Form("a variable outside of the block"), origin), Ok);
        }
        let hir = Arc::clone(&self.hir);
        let Some(body) = hir.body(body) else { return self.fail(UntranslatedReason::Form("this variable"), origin) };
        if of.depth == 0 && !self.declared.contains(&of.local) {
            return self.fail(UntranslatedReason::Form("a variable that is not assigned before"), origin);
        }
        Ok(build::name(&local_name(body, of.local)))
    }

    /// Returns the literal of a value that is known when the type is loaded.
    pub(crate) fn constant(&self, value: &PlainValue) -> Option<Expr> {
        literal_of(value)
    }
}

/// Returns the name of a variable in the language.
fn local_name(body: &HirBody, local: LocalId) -> String {
    let name = body.locals.get(local).map_or("", |local| &local.name);
    if body.locals.get(local).is_some_and(|local| local.is_temporary) || name.is_empty() {
        return format!("value_{}", local.position());
    }
    crate::ruby::local_named(name)
}

/// Returns the literal of a value.
pub fn literal_of(value: &PlainValue) -> Option<Expr> {
    use rtype_lang::syntax::ast::ExprKind;
    Some(match value {
        PlainValue::Nil => build::expr(ExprKind::Nil),
        PlainValue::Bool(value) => build::expr(ExprKind::Bool(*value)),
        PlainValue::Int(number) => build::expr(ExprKind::Int(*number)),
        PlainValue::Float(number) => build::expr(ExprKind::Float(*number)),
        PlainValue::Sym(name) => build::expr(ExprKind::Symbol(name.as_str().into())),
        PlainValue::Str(text) => build::string(text),
        PlainValue::Array(items) => build::expr(ExprKind::Array(items.iter().map(literal_of).collect::<Option<_>>()?)),
        PlainValue::Hash(pairs) => build::expr(ExprKind::Map(
            pairs.iter().map(|(key, value)| Some((literal_of(key)?, literal_of(value)?))).collect::<Option<_>>()?,
        )),
        PlainValue::Regex(source, flags) => {
            let (source, flags) = regex::regex(source, *flags);
            build::regex(source, flags)
        }
        PlainValue::Class(_) | PlainValue::Other(_) | PlainValue::Unknown(_) => return None,
    })
}
