//! Translates the methods of a type and its attributes to functions (`fn`) of the type file.

use super::build::{self, ident};
use super::{BlockRole, BodyLowering, Lowered, LoweredBlock, TypeContext, UntranslatedCode, UntranslatedReason};
use crate::facts::{Denotation, Fact, SelfObject};
use indexmap::IndexMap;
use rtype_lang::source::Span;
use rtype_lang::syntax::ast::{Expr, FnDecl};
use rtype_lang::types::builtin::Function;
use rtype_lang::typing::Kinds;
use rtype_ruby::hir::{Element, MethodCall, SourceRange};
use rtype_ruby::run::{ClassKey, CodeSource, RuntimeValue};
use std::collections::BTreeSet;

/// A method of a type, or of an attribute.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionKey {
    /// The attribute whose class has the method. A method of the type has `None`.
    pub attribute: Option<String>,
    /// The module or class whose own method it is.
    pub module: Option<String>,
    /// The name of the method.
    pub method: String,
    /// The positions of the arguments that are the resource, which functions have as `self`.
    pub resources: Vec<usize>,
}

/// The functions of a type.
#[derive(Default)]
pub struct FunctionTable {
    functions: IndexMap<FunctionKey, Translation>,
    constants: IndexMap<String, Expr>,
    open: usize,
}

/// A function, the range of its Ruby method, the parts that are left in Ruby, and the constants that the function reads.
pub type WrittenFunction = (FnDecl, SourceRange, Vec<UntranslatedCode>, BTreeSet<String>);

/// A method, as far as it is translated.
struct Translation {
    name: String,
    origin: SourceRange,
    state: TranslationState,
}

enum TranslationState {
    Running,
    Failed(UntranslatedCode),
    Done(Box<LoweredBlock>),
}

/// The maximum depth of calls: a method that is called at a greater depth is left in Ruby.
const MAX_OPEN: usize = 16;

impl FunctionTable {
    /// Returns the functions in `from` and all functions that they call, directly or through other functions.
    pub fn reachable(&mut self, from: BTreeSet<FunctionKey>) -> Vec<WrittenFunction> {
        let mut all: BTreeSet<FunctionKey> = BTreeSet::new();
        let mut open: Vec<FunctionKey> = from.into_iter().collect();
        while let Some(key) = open.pop() {
            if let Some(TranslationState::Done(made)) = self.functions.get(&key).map(|function| &function.state)
                && all.insert(key)
            {
                open.extend(made.effects.calls.iter().cloned());
            }
        }
        let wanted = std::mem::take(&mut self.functions).into_iter().filter(|(key, _)| all.contains(key));
        wanted
            .filter_map(|(_, function)| match function.state {
                TranslationState::Done(made) => {
                    let declared = FnDecl { name: ident(&function.name), params: made.params, body: made.body, span: Span::NONE };
                    Some((declared, function.origin, made.effects.parts, made.effects.constants))
                }
                _ => None,
            })
            .collect()
    }

    /// Leaves the functions in Ruby that call a function which is left in Ruby: they were translated while it was.
    fn fail_callers(&mut self, key: &FunctionKey, left: &UntranslatedCode) {
        let mut open = vec![key.clone()];
        while let Some(failed) = open.pop() {
            for (other, function) in &mut self.functions {
                if matches!(&function.state, TranslationState::Done(made) if made.effects.calls.contains(&failed)) {
                    function.state = TranslationState::Failed(left.clone());
                    open.push(other.clone());
                }
            }
        }
    }

    /// Returns the constants with these names.
    pub fn constants(&self, names: &BTreeSet<String>) -> Vec<(String, Expr)> {
        self.constants.iter().filter(|(name, _)| names.contains(*name)).map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// Returns the name of a constant with a value.
    pub(super) fn constant(&mut self, name: &str, value: &Expr) -> String {
        let further = (2..).map(|number| format!("{name}_{number}"));
        let is_free = |name: &String| self.constants.get(name).is_none_or(|known| known == value);
        let name = std::iter::once(name.to_owned()).chain(further).find(is_free).unwrap_or_default();
        self.constants.insert(name.clone(), value.clone());
        name
    }

    /// Returns a name for a function that no other function has.
    fn name_for(&self, key: &FunctionKey) -> Option<String> {
        let plain = key.method.strip_suffix('?').unwrap_or(&key.method);
        if !crate::ruby::is_word(plain) {
            return None;
        }
        let is_free = |name: &String| {
            let plain = name.strip_suffix('?').unwrap_or(name);
            let is_taken = self.functions.values().any(|function| function.name == *name);
            !is_taken && Function::named(name).is_none() && crate::ruby::local_named(plain) == plain
        };
        let module = key.module.as_deref().and_then(|path| path.rsplit("::").next()).map(crate::ruby::snake_case);
        let owner = key.attribute.as_deref().or(module.as_deref()).unwrap_or("own");
        let further = (2..100).map(|number| format!("{owner}{number}_{}", key.method));
        [key.method.clone(), format!("{owner}_{}", key.method)].into_iter().chain(further).find(is_free)
    }
}

impl BodyLowering<'_, '_, '_> {
    /// Returns the key of the method `name` of `self`, which is the resource or an attribute.
    pub(super) fn own_method(&self, name: &str) -> Option<FunctionKey> {
        let (attribute, module) = match self.facts.self_object {
            SelfObject::Resource => (None, None),
            SelfObject::Attribute => (Some(self.role.attribute.clone()?), None),
            SelfObject::Module => (None, Some(self.role.module.clone()?)),
            SelfObject::Provider => return None,
        };
        let key = FunctionKey { attribute, module, method: name.to_owned(), resources: Vec::new() };
        self.code_of(&key).is_some().then_some(key)
    }

    /// Returns the key of a function of a module: `Helper.convert(value)`.
    pub(super) fn module_function(&self, path: &str, name: &str) -> Option<FunctionKey> {
        let of_type = matches!(self.facts.self_object, SelfObject::Resource | SelfObject::Attribute | SelfObject::Module);
        let module = Some(path.trim_start_matches("::").to_owned());
        let key = FunctionKey { attribute: None, module, method: name.to_owned(), resources: Vec::new() };
        (of_type && self.code_of(&key).is_some()).then_some(key)
    }

    /// Returns the key of a method of the class of the resource or attribute: `self.class.convert(value)`.
    pub(super) fn class_function(&self, of: &Denotation, name: &str) -> Option<FunctionKey> {
        let owner = match of {
            Denotation::AttributeClass => self.role.attribute.as_deref()?,
            _ => super::OF_TYPE,
        };
        let is_empty = |class| self.run.class_of_class(class).is_none_or(|own| self.run.own_methods(own).is_empty());
        // Attributes with the same class share functions.
        let mut class = *self.names.classes.get(owner)?;
        while let Some(parent) = self.run.superclass_of(class).filter(|_| is_empty(class)) {
            class = parent;
        }
        let path = self.run.name_of_class(class);
        match self.class_at(&path) {
            Some(known) if known == class => self.module_function(&path, name),
            _ => self.module_function(owner, name),
        }
    }

    /// Returns the class or module with a path; attributes name their classes.
    fn class_at(&self, path: &str) -> Option<ClassKey> {
        match self.run.existing_constant(path) {
            Some(RuntimeValue::Class(class)) => Some(class),
            Some(_) => None,
            None => self.names.classes.get(path).copied(),
        }
    }

    fn code_of(&self, key: &FunctionKey) -> Option<Option<CodeSource>> {
        if let Some(path) = &key.module {
            return self.code_of_module(path, &key.method);
        }
        match &key.attribute {
            None => self.names.methods.get(&key.method).cloned(),
            Some(attribute) => self.names.of_attributes.get(attribute)?.get(&key.method).cloned(),
        }
    }

    /// Returns the code of an own method of a module or class.
    fn code_of_module(&self, path: &str, name: &str) -> Option<Option<CodeSource>> {
        let class = self.class_at(path)?;
        let own = self.run.class_of_class(class)?;
        let ancestors = self.run.ancestors_of(own);
        let mut all = ancestors.into_iter().flat_map(|ancestor| self.run.own_methods(ancestor));
        // Functions of Puppet and Ruby that the importer defines itself are not the program's.
        let is_library = |code: &CodeSource| code.hir.path.as_ref() == crate::puppet::LIBRARY_PATH;
        all.find(|method| &*method.name == name && !method.code.as_ref().is_some_and(is_library)).map(|method| method.code)
    }

    /// Translates a call of a method of the type or attribute.
    pub(super) fn method_call(&mut self, mut key: FunctionKey, call: &MethodCall, origin: SourceRange) -> Lowered<Expr> {
        let Some(code) = self.code_of(&key).flatten().filter(|_| call.args.block.is_none()) else {
            return self.unsupported(call, origin);
        };
        let mut given = call.args.clone();
        let is_resource = |item: &Element| matches!(item, Element::Plain(id) if self.facts.get(*id).denotes == Denotation::Resource);
        key.resources = given.positional.iter().enumerate().filter(|(_, item)| is_resource(item)).map(|(at, _)| at).collect();
        given.positional.retain(|item| !is_resource(item));
        let args = self.arguments(&given, origin)?;
        let name = self.function(&key, &code, origin)?;
        let Some(function) = self.functions.functions.get(&key) else { return self.unsupported(call, origin) };
        let reads = match &function.state {
            TranslationState::Done(made) => {
                let required = made.params.iter().filter(|param| param.default.is_none()).count();
                if args.len() < required || args.len() > made.params.len() {
                    return self.fail(UntranslatedReason::Parameters, origin);
                }
                made.effects.reads.clone()
            }
            // The method calls itself. The first call adds the attributes.
            _ => self.role.attribute.iter().filter(|_| !self.role.is_function).cloned().collect(),
        };
        if self.role.is_early && self.role.attribute.as_ref().is_some_and(|attribute| reads.contains(attribute)) {
            return self.fail(UntranslatedReason::Form("the value of the attribute before it is set"), origin);
        }
        self.effects.reads.extend(reads);
        self.effects.calls.insert(key);
        Ok(build::call(&name, args))
    }

    /// Translates a method, and returns the name of its function.
    fn function(&mut self, key: &FunctionKey, code: &CodeSource, origin: SourceRange) -> Lowered<String> {
        if let Some(known) = self.functions.functions.get(key) {
            return match &known.state {
                TranslationState::Failed(left) => Err(left.clone()),
                _ => Ok(known.name.clone()),
            };
        }
        let Some(name) = self.functions.name_for(key).filter(|_| self.functions.open < MAX_OPEN) else {
            return self.fail(UntranslatedReason::Method(key.method.as_str().into()), origin);
        };
        let of_method = code.hir.body(code.body).map_or(origin, |body| body.origin);
        let running = Translation { name: name.clone(), origin: of_method, state: TranslationState::Running };
        self.functions.functions.insert(key.clone(), running);
        let role = match &key.attribute {
            None if key.module.is_some() => {
                let of_module = BlockRole { self_object: SelfObject::Module, module: key.module.clone(), ..BlockRole::of_type(true) };
                BlockRole { is_function: true, ..of_module }
            }
            None => BlockRole { is_function: true, ..BlockRole::of_type(true) },
            Some(attribute) => BlockRole { is_function: true, ..BlockRole::of_attribute(attribute, 0, true) },
        };
        let count = code.hir.body(code.body).map_or(0, |body| body.params.required.len());
        let fact = |at| if key.resources.contains(&at) { Fact::resource() } else { Fact::value(Kinds::ANY) };
        let role = BlockRole { params: (0..count).map(fact).collect(), ..role };
        self.functions.open += 1;
        let context = TypeContext { run: self.run, names: self.names, functions: self.functions };
        let lowered = super::lower(context, code, &role);
        self.functions.open -= 1;
        let (state, result) = match lowered {
            Ok(made) => (TranslationState::Done(Box::new(made)), Ok(name)),
            Err(left) => (TranslationState::Failed(left.clone()), Err(left)),
        };
        if let Some(function) = self.functions.functions.get_mut(key) {
            function.state = state;
        }
        if let Err(left) = &result {
            self.functions.fail_callers(key, left);
        }
        result
    }
}
