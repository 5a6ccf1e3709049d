//! What expressions are that are not values of the language: the resource, the catalog, the provider, an attribute, and objects of
//! classes that Ruby code defines. Functions that get them are translated for them.

use super::block::*;
use super::effects::Assigner;
use super::eval::ClassId;
use super::given_blocks::{GivenBlock, OwnBlock, changed_by_block};
use super::lambdas::{InlinedLambda, LambdaBody};
use super::matches::Tests;
use super::parameters::{Argument, Parameters};
use super::parts::LeftParts;
use super::ruby::{self, ByteRange, name};
use super::supers::RunningMethod;
use rtype_lang::syntax::written_symbol;
use ruby_prism::{CallNode, Node};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The parameter and local of a function that is the object.
pub(super) const THIS: &str = "this";

/// What an argument or an instance variable is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Thing {
    /// A value of the language.
    Value,
    /// A value that the function may change in place, because its caller does not use it afterwards.
    Temporary,
    /// A value that the function changes in place and returns.
    Changed,
    /// A parameter that is not given, and has its default.
    Default,
    Resource,
    Catalog,
    Provider,
    /// One that nothing depends on.
    Ignored,
    /// The context of the Resource API, which a provider gets to log messages.
    Context,
    /// The attribute of that name.
    Attribute(String),
    /// The block of the method.
    Block(Rc<GivenBlock>),
    /// An object; its value is the map of its instance variables.
    Object(Rc<Shape>),
}

/// What is known of an object.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shape {
    pub class: ClassId,
    /// Instance variables that `initialize` sets, without `@`.
    pub variables: BTreeMap<String, Thing>,
}

/// How a function uses the object that it is a method of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Uses {
    /// It returns its result. What it keeps in instance variables for itself is computed each time.
    Reads,
    /// It returns the changed object.
    Changes,
    /// `initialize`.
    Constructs,
}

/// The object in its method.
#[derive(Clone, Debug)]
pub(super) struct This {
    pub shape: Rc<Shape>,
    pub uses: Uses,
    /// Instance variables that are locals in this method.
    pub locals: BTreeSet<String>,
}

/// What a block knows of objects, and of state.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnScope {
    /// The parts that are left in Ruby.
    pub parts: LeftParts,
    /// Whether the last statement always leaves the block.
    pub always_leaves: bool,
    /// Locals that are not values.
    pub things: BTreeMap<String, Thing>,
    /// Parameters of a function, which are values of its callers.
    pub arguments: BTreeSet<String>,
    /// Parameters of a block whose value others use, too.
    pub given: BTreeSet<String>,
    /// Locals of each enclosing closure that are first assigned in an operand.
    pub operands: Vec<Vec<String>>,
    /// For each enclosing closure, whether `break` leaves the loop that it is.
    pub breaks: Vec<bool>,
    /// Whether the next closure is such a loop.
    pub is_left: bool,
    /// Locals that are a match or nil.
    pub matched: BTreeSet<String>,
    /// Those that are a match of a pattern that is not known, or may be one.
    pub unclear: BTreeSet<String>,
    /// Those that are a match of one of several patterns with other groups.
    pub mixed: BTreeSet<String>,
    /// Locals that are objects created here.
    pub created: BTreeSet<String>,
    /// Whether the value of the last statement is not used, as in a loop.
    pub discards: bool,
    /// Locals that count the elements of another local.
    pub indexes: BTreeMap<String, Option<String>>,
    /// Where changes in place begin that another local or a container shows.
    pub shared: BTreeSet<usize>,
    /// Where a loop is whose value is not used.
    pub loops: Option<ByteRange>,
    /// Instance variables that only this code uses, to keep what it has computed.
    pub kept: BTreeSet<String>,
    /// Locals that are an error with their message, which `raise` gets.
    pub failures: BTreeSet<String>,
    /// The object whose method it is.
    pub this: Option<This>,
    /// Its block.
    pub block: Option<OwnBlock>,
    /// The method that a function is translated from.
    pub running: Option<Rc<RunningMethod>>,
    /// Locals that are a URI.
    pub uris: BTreeSet<String>,
    /// Whether a `rescue` may select its errors: of a function, or in a `begin`.
    pub is_selected: bool,
    /// Whether a `rescue` around it reads the message of its errors.
    pub reads_message: bool,
    /// A list of one element, and that element.
    pub only: Option<(String, String)>,
    /// The place of the `super` in a constructor, if it may be translated.
    pub above_at: Option<ByteRange>,
    /// Locals that are lambdas or procs.
    pub lambdas: BTreeMap<String, InlinedLambda>,
    /// The lambda or proc whose code it is.
    pub lambda: Option<LambdaBody>,
    /// The attribute that its failures are about, if it is a block of the type.
    pub about: Option<String>,
    /// Whether it checks a value, and returns none.
    pub checks: bool,
    /// The attribute whose assignments it makes: they do not replace explicit values that Puppet sets later.
    pub assigner: Option<Assigner>,
    /// Attributes whose assignments are translated elsewhere.
    pub dropped: Vec<String>,
    /// The only attribute whose assignments are translated, to those of a local.
    pub assigned_to: Option<(String, String)>,
    /// Locals that are times.
    pub times: BTreeSet<String>,
    /// Locals that are versions of RubyGems.
    pub versions: BTreeSet<String>,
    /// Locals that are requirements of RubyGems.
    pub requirements: BTreeSet<String>,
    /// Locals that are sets.
    pub sets: BTreeSet<String>,
    /// Locals that are ranges of numbers.
    pub ranges: BTreeMap<String, (Option<i64>, Option<i64>, bool)>,
    /// What of which only matters whether it is true.
    pub tests: Tests,
    /// Whether every `return` returns the same.
    pub gives: bool,
    /// What an assignment replaces, such as `h[:a]` in `h[:a] = f(h[:a])`.
    pub replaced: Option<String>,
    /// Locals that are returned at the end.
    pub returned: BTreeSet<String>,
}

/// Whose method is called.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Receiver {
    /// The module or class that is named there.
    Module(ByteRange),
    /// The module whose function calls it.
    OwnModule,
    /// The provider of the Resource API whose method calls it.
    OwnProvider,
    /// The class of the attribute or type.
    OwnClass,
    /// The attribute, or the type if it is called there.
    Own,
    /// The type.
    Type,
    /// The class of the type.
    TypeClass,
    Object(Rc<Shape>),
    /// That of the method whose `super` calls it.
    Super(Rc<RunningMethod>),
}

/// A method that Ruby code defines.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum FoundMethod {
    Def {
        parameters: Box<Parameters>,
        uses: Uses,
    },
    /// `attr_reader`.
    Reader(String),
    /// `attr_writer`.
    Writer(String),
}

impl BlockTranslator<'_> {
    /// Returns whose method a call calls, if its receiver is not a value.
    pub(super) fn receiver_of(&self, call: &CallNode<'_>) -> Option<Receiver> {
        Some(match call.receiver().as_ref().filter(|r| r.as_self_node().is_none()) {
            None => match self.attribute {
                Some(owner) if owner.is_object => Receiver::OwnProvider,
                Some(owner) if owner.is_module => Receiver::OwnModule,
                _ => Receiver::Own,
            },
            Some(r) if ruby::constant(r).is_some() => Receiver::Module(ruby::place(r)),
            Some(r) if self.is_resource(r) => Receiver::Type,
            Some(r) => match r.as_call_node().filter(|c| name(&c.name()) == "class").and_then(|c| c.receiver())? {
                of if self.is_resource(&of) => Receiver::TypeClass,
                of if of.as_self_node().is_some() => Receiver::OwnClass,
                _ => return None,
            },
        })
    }

    /// Returns what an expression is.
    pub(super) fn thing(&self, node: &Node<'_>) -> Thing {
        self.thing_within(node, MAX_CALLS)
    }

    fn thing_within(&self, node: &Node<'_>, depth: usize) -> Thing {
        let Some(depth) = depth.checked_sub(1) else { return Thing::Value };
        if let Some(inner) = node.as_parentheses_node()
            && let [one] = ruby::statements(inner.body()).as_slice()
        {
            return self.thing_within(one, depth);
        }
        if node.as_self_node().is_some() {
            return match (&self.own.this, self.attribute) {
                (Some(this), _) => Thing::Object(Rc::clone(&this.shape)),
                (None, None) => Thing::Resource,
                (None, Some(of)) if of.is_module || of.is_object => Thing::Value,
                (None, Some(of)) => Thing::Attribute(of.name.clone()),
            };
        }
        if self.is_resource(node) {
            return Thing::Resource;
        }
        if self.is_catalog(node) {
            return Thing::Catalog;
        }
        if self.is_provider(node) {
            return Thing::Provider;
        }
        if node.as_local_variable_read_node().is_some() || node.as_instance_variable_read_node().is_some() {
            return self.known_thing(node).unwrap_or(Thing::Value);
        }
        let Some(call) = node.as_call_node() else { return Thing::Value };
        let method = name(&call.name());
        let Some(methods) = self.methods else { return Thing::Value };
        let plain = ruby::arguments(call.arguments()).0;
        if let Some(class) = self.own_new(&call) {
            return self.constructed(class, &call).map_or(Thing::Value, |(shape, _)| Thing::Object(shape));
        }
        if let Some(receiver) = call.receiver() {
            if ruby::constant(&receiver).is_some()
                && matches!(method.as_str(), "new" | "instance")
                && let Some(class) = methods.class_at(&ruby::place(&receiver))
            {
                let shape = match method.as_str() {
                    "instance" if plain.is_empty() => methods.singleton(class),
                    "new" => self.constructed(class, &call).map(|(shape, _)| shape),
                    _ => None,
                };
                return shape.map_or(Thing::Value, Thing::Object);
            }
            if let Thing::Object(shape) = self.thing_within(&receiver, depth)
                && let Some(FoundMethod::Reader(variable)) = methods.find(&Receiver::Object(Rc::clone(&shape)), self.attribute, &method)
            {
                return shape.variables.get(&variable).cloned().unwrap_or(Thing::Value);
            }
        } else if let Some(this) = &self.own.this
            && let Some(FoundMethod::Reader(variable)) = methods.find(&Receiver::Object(Rc::clone(&this.shape)), self.attribute, &method)
        {
            return this.shape.variables.get(&variable).cloned().unwrap_or(Thing::Value);
        }
        Thing::Value
    }

    /// Returns what a local or an instance variable is, if it is not a value.
    pub(super) fn known_thing(&self, node: &Node<'_>) -> Option<Thing> {
        if let Some(local) = node.as_local_variable_read_node() {
            return self.own.things.get(&ruby::local(&local.name())).cloned();
        }
        let variable = name(&node.as_instance_variable_read_node()?.name());
        self.own.this.as_ref()?.shape.variables.get(variable.trim_start_matches('@')).cloned()
    }

    /// Returns whether an expression is the resource, of an attribute or an object.
    pub(super) fn is_resource_thing(&self, node: &Node<'_>) -> bool {
        if self.known_thing(node) == Some(Thing::Resource) {
            return true;
        }
        let Some(call) = node.as_call_node().filter(|c| name(&c.name()) == "resource" && c.arguments().is_none()) else { return false };
        call.receiver().is_some_and(|of| matches!(self.known_thing(&of), Some(Thing::Attribute(_))))
    }

    /// Returns whether an instance variable is a local or a part of the object here.
    pub(super) fn keeps(&self, variable: &str) -> bool {
        self.own.this.is_some() || self.own.kept.contains(variable.trim_start_matches('@'))
    }

    /// Returns the class of `new(…)` in a method of a class itself, and of `self.class.new(…)` in one of its objects.
    fn own_new(&self, call: &CallNode<'_>) -> Option<ClassId> {
        if name(&call.name()) != "new" {
            return None;
        }
        if let Some(of) = call.receiver() {
            return self.class_itself(&of);
        }
        let owner = self.attribute.filter(|a| a.is_module && !a.is_object && self.own.this.is_none())?;
        let class = owner.class.filter(|class| !self.methods.is_none_or(|m| m.has_heirs(*class)))?;
        self.methods?.plain_class(class)
    }

    fn constructed(&self, class: ClassId, call: &CallNode<'_>) -> Option<(Rc<Shape>, Vec<Thing>)> {
        let methods = self.methods?;
        let probe = Rc::new(Shape { class, variables: BTreeMap::new() });
        let given = match methods.find(&Receiver::Object(probe), self.attribute, "initialize") {
            None => Vec::new(),
            Some(FoundMethod::Def { parameters, .. }) => self.bound(call, &parameters)?.into_iter().map(|(thing, _)| thing).collect(),
            Some(_) => return None,
        };
        Some((methods.constructed(class, &given)?, given))
    }

    /// Translates an expression that is an object to the map of its instance variables.
    pub(super) fn object(&mut self, node: &Node<'_>) -> Text {
        let unknown = || no(node, "this object is not supported");
        if let Some(inner) = node.as_parentheses_node()
            && let [one] = ruby::statements(inner.body()).as_slice()
        {
            return self.deeper(node, |block| block.object(one));
        }
        if node.as_self_node().is_some() {
            return Ok(self.itself());
        }
        if let Some(local) = node.as_local_variable_read_node() {
            return Ok(ruby::local(&local.name()));
        }
        if let Some(variable) = node.as_instance_variable_read_node() {
            return self.variable(&name(&variable.name())).map_or_else(unknown, Ok);
        }
        let Some(call) = node.as_call_node() else { return unknown() };
        let method = name(&call.name());
        let Some(methods) = self.methods else { return unknown() };
        let named = call.receiver().filter(|of| ruby::constant(of).is_some()).and_then(|of| methods.class_at(&ruby::place(&of)));
        if let Some(class) = named.or_else(|| self.own_new(&call)) {
            let shape = match method.as_str() {
                "new" => self.constructed(class, &call).map(|(shape, _)| shape),
                _ => methods.singleton(class),
            };
            let Some(shape) = shape else { return unknown() };
            let of = Receiver::Object(shape);
            let Some(FoundMethod::Def { parameters, .. }) = methods.find(&of, self.attribute, "initialize") else {
                return Ok("({})".to_owned());
            };
            let Some(bound) = self.bound(&call, &parameters) else { return unknown() };
            let things: Vec<Thing> = bound.iter().map(|(thing, _)| thing.clone()).collect();
            if things.contains(&Thing::Changed) {
                return unknown();
            }
            let passed = self.deeper(node, |block| block.passed(&bound))?;
            let Some(function) = methods.request(&of, self.attribute, "initialize", &things) else { return unknown() };
            return Ok(format!("{function}({})", passed.join(", ")));
        }
        if let Thing::Object(shape) = call.receiver().map_or(Thing::Value, |of| self.thing(&of))
            && let Some(FoundMethod::Reader(variable)) = methods.find(&Receiver::Object(shape), self.attribute, &method)
            && let Some(receiver) = call.receiver()
        {
            return Ok(format!("{}[{}]", self.object(&receiver)?, written_symbol(&variable)));
        }
        unknown()
    }

    /// Returns the object in its own method.
    pub(super) fn itself(&self) -> String {
        let Some(this) = &self.own.this else { return THIS.to_owned() };
        match (this.locals.is_empty(), this.uses) {
            (true, _) => THIS.to_owned(),
            // Only what it keeps for itself are locals.
            (false, Uses::Reads) => format!("{THIS}.merge({})", this.map()),
            (false, Uses::Changes | Uses::Constructs) => this.map(),
        }
    }

    /// Returns an instance variable of the object in its own method.
    pub(super) fn variable(&self, variable: &str) -> Option<String> {
        let this = self.own.this.as_ref()?;
        let bare = variable.trim_start_matches('@');
        if this.locals.contains(bare) {
            return Some(own_local(bare));
        }
        Some(format!("{THIS}[{}]", written_symbol(bare)))
    }

    /// Translates a call of a method of an object, or of a method with such arguments.
    pub(super) fn thing_call(&mut self, call: &CallNode<'_>, method: &str) -> Text<Option<(String, u8)>> {
        self.special_call(call, method, false)
    }

    /// Translates a statement that is such a call and changes its argument in place.
    pub(super) fn changing_call(&mut self, call: &CallNode<'_>) -> Text<Option<String>> {
        let method = name(&call.name());
        let is_local = |n: &Node<'_>| n.as_local_variable_read_node().is_some();
        let is_place = |n: &Node<'_>| is_local(n) || n.as_call_node().is_some_and(|c| name(&c.name()) == "[]");
        let has_block = call.block().is_some() && self.own.discards;
        let has_place = !call.receiver().is_some_and(|r| is_local(&r)) && ruby::arguments(call.arguments()).0.iter().any(is_place);
        if !has_block && !has_place {
            return Ok(None);
        }
        Ok(self.special_call(call, &method, true)?.map(|(text, _)| text))
    }

    fn special_call(&mut self, call: &CallNode<'_>, method: &str, is_statement: bool) -> Text<Option<(String, u8)>> {
        let Some(methods) = self.methods else { return Ok(None) };
        let node = call.as_node();
        let receiver = call.receiver();
        let of_self = receiver.as_ref().is_none_or(|r| r.as_self_node().is_some());
        let thing = receiver.as_ref().map_or(Thing::Value, |r| self.thing(r));
        if let Thing::Object(shape) = &thing
            && let Some(receiver) = receiver.as_ref().filter(|_| !of_self || self.own.this.is_some())
        {
            return self.method_of(call, method, receiver, shape).map(Some);
        }
        if let Some(this) = self.own.this.clone().filter(|_| receiver.is_none()) {
            let of = Receiver::Object(this.shape);
            let found = methods.find(&of, self.attribute, method);
            if let Some(FoundMethod::Reader(variable)) = &found
                && call.arguments().is_none()
                && let Some(text) = self.variable(variable)
            {
                return Ok(Some((text, OPERAND)));
            }
            let object = self.itself();
            return if found.is_some() { self.object_method(call, method, &of, &object).map(Some) } else { Ok(None) };
        }
        if let (Thing::Catalog | Thing::Attribute(_), "nil?", None) = (&thing, method, call.arguments())
            && receiver.as_ref().is_some_and(|r| self.known_thing(r).is_some())
        {
            let is_nil = if thing == Thing::Catalog { ("!catalog.present?".to_owned(), UNARY) } else { ("false".to_owned(), OPERAND) };
            return Ok(Some(is_nil));
        }
        if let Thing::Attribute(attribute) = &thing
            && !of_self
        {
            return self.of_attribute(call, method, attribute).map(Some);
        }
        if let Some(text) = self.of_type_definition(call, method)? {
            return Ok(Some(text));
        }
        if thing == Thing::Context {
            return self.of_context(call, method).map(Some);
        }
        let Some(of) = self.receiver_of(call) else { return Ok(None) };
        let Some(FoundMethod::Def { mut parameters, .. }) = methods.find(&of, self.attribute, method) else { return Ok(None) };
        if is_statement {
            parameters.changed.clone_from(&parameters.changed_if_unused);
        }
        let (plain, named) = ruby::arguments(call.arguments());
        let values = plain.iter().chain(named.iter().map(|(_, value)| value));
        // The type and its class may both have it.
        let has = |of: &Receiver| methods.find(of, self.attribute, method).is_some();
        let is_ambiguous = [Receiver::Type, Receiver::TypeClass].iter().all(has) && matches!(of, Receiver::Type | Receiver::TypeClass);
        if !is_ambiguous && parameters.is_plain() && named.is_empty() && values.into_iter().all(|v| self.thing(v) == Thing::Value) {
            return Ok(None);
        }
        let Some(bound) = self.bound_with_block(call, &parameters)? else { return no(&node, "these arguments are not supported") };
        let things: Vec<Thing> = bound.iter().map(|(thing, _)| thing.clone()).collect();
        let passed = self.passed(&bound)?;
        let changes: Vec<&Argument<'_>> = bound.iter().filter(|(thing, _)| *thing == Thing::Changed).map(|(_, a)| a).collect();
        let changed = match changes.as_slice() {
            [] => None,
            [Argument::One(node)] if is_statement => Some(node),
            _ => return no(&node, format!("`{method}` changes a value in place")),
        };
        let Some(function) = methods.request(&of, self.attribute, method, &things) else { return Ok(None) };
        let text = format!("{function}({})", passed.join(", "));
        if let Some(local) = changed_by_block(&bound) {
            if !is_statement || changed.is_some() {
                return no(&node, format!("a block of `{method}` that changes `{local}` is not supported here"));
            }
            if !self.own.returned.contains(local) {
                self.changes_element(&node, local)?;
            }
            return Ok(Some((format!("{local} = {text}"), 0)));
        }
        let Some(changed) = changed else { return Ok(Some((text, OPERAND))) };
        let Some(local) = changed.as_local_variable_read_node().map(|l| ruby::local(&l.name())) else {
            return match self.place(changed)? {
                Some(place) => Ok(Some((self.put(&node, &place, &text)?, 0))),
                None => no(&node, format!("`{method}` changes a value in place")),
            };
        };
        self.changes_element(&node, &local)?;
        Ok(Some((format!("{local} = {text}"), 0)))
    }

    /// Translates a call on the object that an expression is.
    fn method_of(&mut self, call: &CallNode<'_>, method: &str, receiver: &Node<'_>, shape: &Rc<Shape>) -> Text<(String, u8)> {
        let of = Receiver::Object(Rc::clone(shape));
        match method {
            "nil?" if call.arguments().is_none() => return Ok(("false".to_owned(), OPERAND)),
            "freeze" | "dup" | "clone" => return no(&call.as_node(), "a copy of an object is not supported"),
            "is_a?" | "kind_of?" => {
                let given = ruby::arguments(call.arguments()).0;
                let class = given.first().and_then(|class| {
                    let named = || self.methods?.class_at(&ruby::place(class)).filter(|_| ruby::constant(class).is_some());
                    self.class_itself(class).or_else(named)
                });
                // No class of values in Ruby code builds on one of these.
                let of_core = given.first().and_then(ruby::constant).is_some_and(|c| CORE.contains(&c.as_str()));
                if of_core {
                    return Ok(("false".to_owned(), OPERAND));
                }
                if let Some((class, methods)) = class.zip(self.methods) {
                    return Ok((methods.inherits(shape.class, class).to_string(), OPERAND));
                }
            }
            _ => {}
        }
        let object = self.object(receiver)?;
        self.object_method(call, method, &of, &object)
    }

    fn object_method(&mut self, call: &CallNode<'_>, method: &str, of: &Receiver, object: &str) -> Text<(String, u8)> {
        let node = call.as_node();
        let Some(methods) = self.methods else { return no(&node, "this object is not supported") };
        let (parameters, uses) = match methods.find(of, self.attribute, method) {
            Some(FoundMethod::Reader(variable)) if call.arguments().is_none() && call.block().is_none() => {
                return Ok((format!("{object}[{}]", written_symbol(&variable)), OPERAND));
            }
            Some(FoundMethod::Def { parameters, uses }) => (parameters, uses),
            _ => return no(&node, format!("the method `{method}` of an object is not supported")),
        };
        if uses != Uses::Reads {
            return no(&node, format!("the method `{method}` changes its object"));
        }
        self.request(call, method, of, &parameters, object).map(|text| (text, OPERAND))
    }

    pub(super) fn request(&mut self, call: &CallNode<'_>, method: &str, of: &Receiver, parameters: &Parameters, object: &str) -> Text {
        let node = call.as_node();
        let Some(bound) = self.bound_with_block(call, parameters)? else { return no(&node, "these arguments are not supported") };
        let things: Vec<Thing> = bound.iter().map(|(thing, _)| thing.clone()).collect();
        if things.contains(&Thing::Changed) {
            return no(&node, format!("`{method}` changes a value in place"));
        }
        if changed_by_block(&bound).is_some() {
            return no(&node, format!("a block of `{method}` that changes a local is not supported here"));
        }
        let passed = self.deeper(&node, |block| block.passed(&bound))?;
        let Some(function) = self.methods.and_then(|m| m.request(of, self.attribute, method, &things)) else {
            return no(&node, format!("the method `{method}` of an object is not supported"));
        };
        let all: Vec<String> = std::iter::once(object.to_owned()).chain(passed).collect();
        Ok(format!("{function}({})", all.join(", ")))
    }

    /// Translates a call on an attribute that a function got.
    fn of_attribute(&mut self, call: &CallNode<'_>, method: &str, attribute: &str) -> Text<(String, u8)> {
        let node = call.as_node();
        let (plain, named) = ruby::arguments(call.arguments());
        if !named.is_empty() || call.block().is_some() {
            return no(&node, format!("the method `{method}` of an attribute is not supported"));
        }
        match (method, plain.as_slice()) {
            ("name", []) => Ok((written_symbol(attribute), OPERAND)),
            ("should" | "value", []) => Ok((format!("self.{attribute}"), OPERAND)),
            (level, [message]) if LEVELS.contains(&level) => Ok((format!("{level}({})", self.expr(message, TERNARY)?), OPERAND)),
            _ => no(&node, format!("the method `{method}` of an attribute is not supported")),
        }
    }
}

impl This {
    /// Returns the map of the instance variables from the locals.
    pub fn map(&self) -> String {
        let pairs: Vec<String> = self.locals.iter().map(|v| format!("{} => {}", written_symbol(v), own_local(v))).collect();
        if pairs.is_empty() { "({})".to_owned() } else { format!("{{{}}}", pairs.join(", ")) }
    }
}

/// Returns the local for an instance variable of an object.
pub(super) fn own_local(variable: &str) -> String {
    format!("its_{variable}")
}

/// Classes of Ruby's own values.
const CORE: [&str; 12] =
    ["String", "Symbol", "Integer", "Float", "Numeric", "Array", "Hash", "NilClass", "TrueClass", "FalseClass", "Regexp", "Proc"];

/// Methods that log a message, and the functions of the same names.
pub(super) const LEVELS: [&str; 5] = ["debug", "info", "notice", "warning", "err"];

/// Maximum number of calls in a chain that are looked through for an object.
const MAX_CALLS: usize = 8;
