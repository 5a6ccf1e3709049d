//! Objects of classes that Ruby code defines, as values: what they become, and which function a call on one of them is.
//!
//! A call finds its method when it runs, because blocks exchange values of any class. Which classes there are is known only after all
//! code that creates objects is translated, so the functions that find the method are written last.

use super::block::{BlockTranslator, COMPARE, OPERAND, TERNARY, Text, Untranslated, no};
use super::budget::DECLARATION;
use super::class_functions::is_plain_class;
use super::eval::ClassId;
use super::items::ParentClass;
use super::kinds::Kind;
use super::parameters::Parameters;
use super::ruby::{self, ByteRange, is_word, name};
use super::ruby_methods::RubyMethods;
use super::things::{FoundMethod, Receiver, Shape, Thing, Uses};
use super::type_decl::{Fragment, Reader};
use rtype_lang::syntax::{quote, written_symbol};
use rtype_lang::types::builtin::{Function, Method, ValueKind as BuiltinReceiver};
use ruby_prism::{CallNode, Node};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What is asked of a value that may be an object.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Question {
    /// To call a method with so many arguments.
    Call(String, usize),
    /// Whether it is of a class.
    Is(ClassId),
}

/// What is known of a type only after it is translated. If there is anything, it is translated again.
#[derive(Clone, Default)]
pub(super) struct Foreknown {
    /// The classes of the objects that are values: methods of values may be theirs.
    pub(super) objects: Vec<ClassId>,
    /// Classes that attributes inherit from and whose functions need the resource, so that they cannot be kinds.
    pub(super) inlined: BTreeSet<ClassId>,
}

impl Foreknown {
    /// Adds what a round has found; returns whether another one is needed.
    pub(super) fn learn(&mut self, found: Foreknown) -> bool {
        let knows = self.inlined.len();
        self.inlined.extend(found.inlined);
        let is_first = self.objects.is_empty() && !found.objects.is_empty();
        self.objects = found.objects;
        is_first || self.inlined.len() > knows
    }
}

/// The objects that are values, and what is asked of them.
#[derive(Default)]
pub(super) struct ObjectValues {
    known: Foreknown,
    /// Classes that turn out to be no kinds.
    inlined: BTreeSet<ClassId>,
    /// What is known of the objects of each class.
    shapes: Vec<Rc<Shape>>,
    /// Each with its function, and where it is asked first.
    asked: Vec<(Question, String, usize, ByteRange)>,
}

impl BlockTranslator<'_> {
    /// Translates an expression that is an object, as a value.
    pub(super) fn object_value(&mut self, node: &Node<'_>) -> Text<Option<(String, u8)>> {
        let creates = node.as_call_node().is_some_and(|c| matches!(name(&c.name()).as_str(), "new" | "instance"));
        let is_candidate = creates
            || node.as_local_variable_read_node().is_some()
            || node.as_instance_variable_read_node().is_some()
            || node.as_self_node().is_some() && self.own.this.is_some();
        let (true, Some(methods)) = (is_candidate, self.methods) else { return Ok(None) };
        let Thing::Object(shape) = self.thing(node) else { return Ok(None) };
        let object = self.object(node)?;
        let of = Receiver::Object(Rc::clone(&shape));
        let text = match methods.find(&of, self.attribute, "to_s") {
            Some(FoundMethod::Def { parameters, uses: Uses::Reads }) if parameters.names().is_empty() => {
                let Some(function) = methods.request(&of, self.attribute, "to_s", &[]) else {
                    return no(node, "its `to_s` is not supported");
                };
                format!(" {{ |made| {function}(made) }}")
            }
            Some(FoundMethod::Reader(variable)) => format!(" {{ |made| made[{}].to_s }}", written_symbol(&variable)),
            Some(_) => return no(node, "its `to_s` is not supported"),
            None => String::new(),
        };
        if !methods.is_value(&shape) {
            return no(node, "objects of one class that keep different things are not supported");
        }
        Ok(Some((format!("object({}, {object}){text}", quote(&methods.class_name(shape.class))), OPERAND)))
    }

    /// Translates the call of a method that only objects have.
    pub(super) fn asked_of_value(&mut self, call: &CallNode<'_>, receiver: &Node<'_>, method: &str) -> Text<Option<(String, u8)>> {
        let given = ruby::arguments(call.arguments());
        if call.block().is_some()
            || !given.1.is_empty()
            || given.0.iter().any(|a| a.as_splat_node().is_some())
            || ruby::constant(receiver).is_some()
            || self.is_provider(receiver)
            || self.is_provider_class(receiver)
        {
            return Ok(None);
        }
        let Some(function) = self.function_of_values(method, given.0.len(), &ruby::place(&call.as_node())) else { return Ok(None) };
        let of = self.expr(receiver, TERNARY)?;
        let mut all = vec![of.clone()];
        for argument in &given.0 {
            all.push(self.expr(argument, TERNARY)?);
        }
        let text = format!("{function}({})", all.join(", "));
        Ok(Some(match call.is_safe_navigation() {
            true => (format!("({of}).nil? ? nil : {text}"), TERNARY),
            false => (text, OPERAND),
        }))
    }

    /// Returns the function that calls a method of an object, if there are objects that have it and no other value does.
    pub(super) fn function_of_values(&self, method: &str, arguments: usize, at: &ByteRange) -> Option<String> {
        let is_of_all = method != "to_json" && Method::named(method).is_some_and(|known| known.receivers() == [BuiltinReceiver::Any]);
        let is_usual = is_of_all || self.scope.attributes.contains(method) || !is_word(method.trim_end_matches('?'));
        if is_usual { None } else { self.methods?.asked(Question::Call(method.to_owned(), arguments), at) }
    }

    /// Translates `a < b` and similar where objects with their own `<=>` may be compared.
    pub(super) fn compared_values(&mut self, receiver: &Node<'_>, method: &str, other: &Node<'_>) -> Text<Option<(String, u8)>> {
        let is_plain = |kind| matches!(kind, Some(Kind::Integer | Kind::Float | Kind::Text | Kind::Symbol | Kind::List | Kind::Map));
        if is_plain(self.kind(receiver)) || is_plain(self.kind(other)) {
            return Ok(None);
        }
        let asked = self.methods.and_then(|m| m.asked(Question::Call("<=>".to_owned(), 1), &ruby::place(receiver)));
        let Some(function) = asked else { return Ok(None) };
        let compared = format!("{function}({}, {})", self.expr(receiver, TERNARY)?, self.expr(other, TERNARY)?);
        Ok(Some(if method == "<=>" { (compared, OPERAND) } else { (format!("{compared} {method} 0"), COMPARE) }))
    }

    /// Translates `list.map { … }.sort`, `max` and `min` where the elements may be objects with their own `<=>`.
    pub(super) fn sorted_values(&mut self, receiver: &Node<'_>, method: &str) -> Text<Option<(String, u8)>> {
        let mapped = receiver.as_call_node().filter(|c| matches!(name(&c.name()).as_str(), "map" | "collect" | "flat_map"));
        let is_plain = |last: &Node<'_>| self.kind(last).is_some();
        let may_have_objects = match mapped.as_ref().and_then(ruby::block) {
            Some(closure) => !ruby::statements(closure.body()).last().is_none_or(is_plain),
            None if let Some(list) = receiver.as_array_node() => list.elements().iter().any(|e| matches!(self.thing(&e), Thing::Object(_))),
            None => receiver.as_local_variable_read_node().is_some_and(|l| !self.plain_lists.contains(&ruby::local(&l.name()))),
        };
        if !may_have_objects {
            return Ok(None);
        }
        let asked = self.methods.and_then(|m| m.asked(Question::Call("<=>".to_owned(), 1), &ruby::place(receiver)));
        let Some(function) = asked else { return Ok(None) };
        let sorted = format!("{}.sort {{ |a, b| {function}(a, b) }}", self.expr(receiver, OPERAND)?);
        let text = match method {
            "max" => format!("{sorted}[-1]"),
            "min" => format!("{sorted}[0]"),
            "minmax" => format!("{sorted}.then {{ |all| [all[0], all[-1]] }}"),
            _ => sorted,
        };
        Ok(Some((text, OPERAND)))
    }

    /// Rejects `sort_by` and other choices by values that may be objects with their own `<=>`.
    pub(super) fn chooses_by_value(&self, call: &CallNode<'_>) -> Text<()> {
        let method = name(&call.name());
        let closure = ruby::block(call).filter(|_| matches!(method.as_str(), "sort_by" | "max_by" | "min_by" | "minmax_by"));
        let Some(last) = closure.and_then(|c| ruby::statements(c.body()).pop()) else { return Ok(()) };
        let makes_object = matches!(self.thing(&last), Thing::Object(_));
        if makes_object { no(&last, "objects that decide an order are not supported") } else { Ok(()) }
    }

    /// Translates `v.is_a?(Label)`, for a class in Ruby code.
    pub(super) fn is_of_class(&mut self, receiver: &Node<'_>, class: &Node<'_>) -> Text<Option<(String, u8)>> {
        let Some(function) = self.class_question(class) else { return Ok(None) };
        Ok(Some((format!("{function}({})", self.expr(receiver, TERNARY)?), OPERAND)))
    }

    /// Returns the function that returns whether a value is an object of a class in Ruby code.
    pub(super) fn class_question(&self, class: &Node<'_>) -> Option<String> {
        let methods = self.methods?;
        let at = ruby::place(class);
        let found = match self.class_itself(class) {
            Some(class) => class,
            None => ruby::constant(class).and_then(|_| methods.class_at(&at))?,
        };
        methods.asked(Question::Is(found), &at)
    }

    /// Returns the class that `self` in a class method and `self.class` in a method of an object are.
    pub(super) fn class_itself(&self, node: &Node<'_>) -> Option<ClassId> {
        if let Some(this) = &self.own.this {
            let call = node.as_call_node().filter(|c| name(&c.name()) == "class" && c.arguments().is_none())?;
            return call.receiver().filter(|of| of.as_self_node().is_some()).map(|_| this.shape.class);
        }
        let owner = self.attribute.filter(|a| a.is_module && !a.is_object)?;
        // The function is the same for classes that inherit the method.
        let class = owner.class.filter(|class| node.as_self_node().is_some() && !self.methods.is_none_or(|m| m.has_heirs(*class)))?;
        self.methods?.plain_class(class)
    }
}

impl ObjectValues {
    pub(super) fn new(known: Foreknown) -> ObjectValues {
        ObjectValues { known, ..ObjectValues::default() }
    }

    /// Returns what is known now.
    pub(super) fn foreknown(&self) -> Foreknown {
        Foreknown { objects: self.shapes.iter().map(|shape| shape.class).collect(), inlined: self.inlined.clone() }
    }

    /// Notes that a class cannot be a kind.
    pub(super) fn inline(&mut self, class: ClassId) {
        self.inlined.insert(class);
    }
}

impl Reader<'_, '_, '_> {
    /// Returns the class that becomes the kind of an attribute with this class.
    pub(super) fn kind_of(&self, class: ClassId) -> Option<ParentClass> {
        let mut parent = self.loaded.kind_of(class)?;
        while self.values.borrow().known.inlined.contains(&parent.class) {
            parent = self.loaded.kind_of(parent.class)?;
        }
        Some(parent)
    }

    /// Notes that an object is a value; returns whether all values of its class are alike.
    pub(super) fn note_value(&self, shape: &Rc<Shape>) -> bool {
        let mut values = self.values.borrow_mut();
        match values.shapes.iter().find(|known| known.class == shape.class) {
            Some(known) => known == shape,
            None if values.shapes.len() >= MAX_VALUES => false,
            None => {
                values.shapes.push(Rc::clone(shape));
                true
            }
        }
    }

    /// Returns the function that answers a question of a value; `None` if no class in Ruby code has such a method.
    pub(super) fn ask(&self, question: Question, at: &ByteRange) -> Option<String> {
        if let Some((_, function, ..)) = self.values.borrow().asked.iter().find(|(known, ..)| *known == question) {
            return Some(function.clone());
        }
        if self.values.borrow().asked.len() >= MAX_VALUES {
            return None;
        }
        let (full, is_test) = match &question {
            Question::Call(method, _) => {
                // A class may define an operator by itself.
                if method == "<=>" && ["<", "<=", ">", ">="].iter().any(|operator| self.has_method(operator)) {
                    return None;
                }
                let is_expected = {
                    let (ruby, values) = (self.loaded.ruby.borrow(), self.values.borrow());
                    values
                        .known
                        .objects
                        .iter()
                        .any(|class| ruby.classes.method(*class, method, None).is_some_and(|m| !ruby.classes.get(m.owner).is_native))
                };
                let may_be = self.values.borrow().known.objects.is_empty() && Method::named(method).is_none() && self.has_method(method);
                (is_expected || may_be).then_some(())?;
                let name = if method == "<=>" { "compare" } else { method.trim_end_matches('?') };
                (name.to_owned(), method.ends_with('?'))
            }
            Question::Is(class) => {
                let class = self.class_named(*class);
                (format!("is_{}", ruby::snake_case(class.rsplit("::").next().unwrap_or_default())), true)
            }
        };
        let taken = |f: &String| {
            self.scope.functions.contains(f)
                || self.scope.outside.contains(f)
                || self.scope.helpers.values().any(|h| h == f)
                || self.requested.borrow().iter().any(|r| r.is_named(f))
                || self.values.borrow().asked.iter().any(|(_, known, ..)| known == f)
                || Function::named(f).is_some()
        };
        let mark = if is_test { "?" } else { "" };
        let names = (1..100).map(|n| if n == 1 { format!("{full}_of{mark}") } else { format!("{full}_of_{n}{mark}") });
        let function =
            [format!("{full}{mark}")].into_iter().filter(|_| matches!(question, Question::Is(_))).chain(names).find(|f| !taken(f))?;
        self.values.borrow_mut().asked.push((question, function.clone(), self.file, at.clone()));
        Some(function)
    }

    /// Returns whether a class without an ancestor of Ruby's or Puppet's has such a method.
    fn has_method(&self, method: &str) -> bool {
        let ruby = self.loaded.ruby.borrow();
        ruby.classes.ids().any(|id| {
            let class = ruby.classes.get(id);
            !class.is_native && !class.is_module && class.methods.keys().any(|m| **m == *method) && is_plain_class(&ruby.classes, id)
        })
    }

    fn class_named(&self, class: ClassId) -> String {
        self.loaded.ruby.borrow().classes.get(class).name.clone()
    }

    /// Translates the functions that answer what is asked of objects; the methods that they call are requested.
    pub(super) fn answers(&self) -> Vec<(Fragment, bool)> {
        let (asked, shapes) = {
            let values = self.values.borrow();
            (values.asked.clone(), values.shapes.clone())
        };
        let mut pieces = Vec::new();
        for (question, function, file, at) in asked {
            if self.loaded.budget.spend(DECLARATION).is_none() {
                return pieces;
            }
            let (text, is_of_type) = match &question {
                Question::Is(class) => (Some(self.test_of(&function, *class, &shapes)), false),
                Question::Call(method, arguments) => self.choice_of(&function, method, *arguments, &shapes),
            };
            let text = text
                .ok_or_else(|| Untranslated { text: format!("`{}` of an object is not supported", asked_word(&question)), at: at.clone() });
            let piece = self.coded(&at, "", text);
            pieces.push((Fragment { file, mixed_in: true, ..piece }, is_of_type));
        }
        pieces
    }

    fn test_of(&self, function: &str, class: ClassId, shapes: &[Rc<Shape>]) -> String {
        let ruby = self.loaded.ruby.borrow();
        let fits = shapes.iter().filter(|s| ruby.classes.is_a(s.class, class));
        let names: Vec<String> = fits.map(|s| quote(&ruby.classes.get(s.class).name)).collect();
        format!("fn {function}(value) {{\n[{}].include?(type_of(value))\n}}", names.join(", "))
    }

    /// Returns the function that calls the method of the class of a value, and whether it needs the resource.
    fn choice_of(&self, function: &str, method: &str, arguments: usize, shapes: &[Rc<Shape>]) -> (Option<String>, bool) {
        let given: Vec<String> = (1..=arguments).map(|n| format!("given_{n}")).collect();
        let (mut arms, mut is_of_type) = (Vec::new(), false);
        for shape in shapes {
            let of = Receiver::Object(Rc::clone(shape));
            let call = match self.find(&of, None, method) {
                None => continue,
                Some(FoundMethod::Reader(variable)) if arguments == 0 => format!("value[{}]", written_symbol(&variable)),
                Some(FoundMethod::Def { parameters, uses: Uses::Reads }) => {
                    let Some(things) = all_values(&parameters, arguments) else { return (None, false) };
                    let Some(function) = self.request(&of, None, method, &things) else { return (None, false) };
                    is_of_type |= shape.is_of_type();
                    let all: Vec<&str> = std::iter::once("value").chain(given.iter().map(String::as_str)).collect();
                    format!("{function}({})", all.join(", "))
                }
                Some(_) => return (None, false),
            };
            arms.push(format!("{} => {call}", quote(&self.class_named(shape.class))));
        }
        if arms.is_empty() {
            return (None, false);
        }
        if method == "to_json" {
            let pair = format!("\"#{{key.to_s.to_json}}:#{{{function}(item)}}\"");
            arms.push(format!("\"Array\" => \"[#{{value.map {{ |item| {function}(item) }}.join(\",\")}}]\""));
            arms.push(format!("\"Hash\" => \"{{#{{value.map {{ |key, item| {pair} }}.join(\",\")}}}}\""));
        }
        arms.push(match (Method::named(method), given.is_empty()) {
            (None, false) if method == "<=>" => "_ => value <=> given_1".to_owned(),
            (Some(_), true) => format!("_ => value.{method}"),
            (Some(_), false) => format!("_ => value.{method}({})", given.join(", ")),
            (None, _) => format!("_ => fail(\"undefined method `{method}' for #{{value.inspect}}\")"),
        });
        let all: Vec<&str> = std::iter::once("value").chain(given.iter().map(String::as_str)).collect();
        (Some(format!("fn {function}({}) {{\nmatch type_of(value) {{\n{}\n}}\n}}", all.join(", "), arms.join("\n"))), is_of_type)
    }
}

/// Maximum number of classes of objects that are values of a type, and of what is asked of them.
const MAX_VALUES: usize = 200;

fn asked_word(question: &Question) -> &str {
    match question {
        Question::Call(method, _) => method,
        Question::Is(_) => "is_a?",
    }
}

/// Returns what the parameters get if all arguments are values.
fn all_values(parameters: &Parameters, arguments: usize) -> Option<Vec<Thing>> {
    let required = parameters.required.len();
    let fits = parameters.are_known && parameters.is_plain() && (required..=required + parameters.optional.len()).contains(&arguments);
    fits.then(|| (0..parameters.names().len()).map(|at| if at < arguments { Thing::Value } else { Thing::Default }).collect())
}
