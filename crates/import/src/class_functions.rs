//! Translates methods that blocks call, of modules, of the attributes' classes and of objects, to functions.

use super::block::{AttributeContext, Caller};
use super::budget::DECLARATION;
use super::eval::{ClassId, ClassTable, OBJECT, RubyValue};
use super::kinds::{Kind, returned_kind};
use super::known::StaticValue;
use super::known::fixed;
use super::matches::{ReturnedMatch, returned_match};
use super::parameters::Parameters;
use super::ruby::{self, ByteRange, is_word, name};
use super::ruby_methods::RubyMethods;
use super::supers::RunningMethod;
use super::tables::LambdaTable;
use super::things::{FoundMethod, Receiver, Shape, Thing, This, Uses};
use super::type_decl::{Fragment, Reader};
use super::values::Question;
use rtype_lang::types::builtin::Function;
use ruby_prism::DefNode;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A method that translated code calls.
pub(super) struct RequestedFunction<'p> {
    /// The class of `self`.
    class: ClassId,
    method: String,
    /// Its name in the type file.
    function: String,
    def: Rc<DefNode<'p>>,
    file: usize,
    is_done: bool,
    /// For which arguments it is translated, if they are not all values.
    given: Option<Vec<Thing>>,
    /// What `self` is in it.
    of: Own,
}

/// What `self` is in a function.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Own {
    Module,
    /// The provider of a type of the Resource API.
    Provider,
    Resource,
    Attribute(Box<AttributeContext>),
    Object(Rc<Shape>, Uses),
}

impl<'p> RequestedFunction<'p> {
    /// Returns whether its name in the type file is this.
    pub(super) fn is_named(&self, function: &str) -> bool {
        self.function == function
    }

    /// Returns whether it uses the resource, and so has to be a function of the type.
    fn is_of_type(&self) -> bool {
        self.of.is_of_type() || self.given.iter().flatten().any(Thing::is_of_type)
    }
}

impl Own {
    /// Returns what `self` is in code of an attribute, a module or a provider, or of the type.
    pub(super) fn of(owner: Option<&AttributeContext>) -> Own {
        match owner {
            None => Own::Resource,
            Some(of) if of.is_object => Own::Provider,
            Some(of) if of.is_module => Own::Module,
            Some(of) => Own::Attribute(Box::new(of.clone())),
        }
    }

    fn is_of_type(&self) -> bool {
        match self {
            Own::Module | Own::Provider => false,
            Own::Resource | Own::Attribute(_) => true,
            Own::Object(shape, _) => shape.is_of_type(),
        }
    }
}

impl Thing {
    pub(super) fn is_of_type(&self) -> bool {
        match self {
            Thing::Value | Thing::Default | Thing::Temporary | Thing::Changed | Thing::Context | Thing::Ignored => false,
            Thing::Object(shape) => shape.is_of_type(),
            Thing::Block(block) => block.is_of_type,
            Thing::Resource | Thing::Catalog | Thing::Provider | Thing::Attribute(_) => true,
        }
    }
}

impl Shape {
    pub(super) fn is_of_type(&self) -> bool {
        self.variables.values().any(Thing::is_of_type)
    }
}

/// A method with its definition.
pub(super) struct FoundDef<'p> {
    pub def: Rc<DefNode<'p>>,
    pub file: usize,
    /// The class of `self`.
    pub class: ClassId,
    /// The class that defines it.
    pub owner: ClassId,
    pub of: Own,
}

impl<'p> Reader<'_, '_, 'p> {
    /// Evaluates code at a place whose value is known when the type is loaded; `unknown` are locals of a block, which are not.
    pub(super) fn fold(&self, at: &ByteRange, unknown: &[String]) -> Option<StaticValue> {
        if let Some(variable) = self.slice(at).strip_prefix('@').filter(|v| is_word(v)) {
            let variable = format!("@{variable}");
            return match &self.object {
                Some(_) => self.loaded.fixed(&self.variable_of_object(&variable)?),
                None => self.initial(None, &variable),
            };
        }
        self.loaded.value_at(self.file, at, &self.scope.known, unknown)
    }

    /// Returns the value of an instance variable that only `initialize` sets, if it is known when the type is loaded.
    pub(super) fn initial_value(&self, variable: &str) -> Option<StaticValue> {
        let nodes = self.loaded.nodes(self.file);
        let mut writes = nodes.iter().filter_map(|(_, n)| n.as_instance_variable_write_node()).filter(|w| name(&w.name()) == variable);
        let (write, None) = (writes.next()?, writes.next()) else { return None };
        if !self.loaded.is_set_once(self.file, variable) {
            return None;
        }
        self.loaded.value_at(self.file, &ruby::place(&write.value()), &self.scope.known, &[])
    }

    /// Returns the name of the function that a class method becomes; `None` if Ruby code does not define it.
    pub(super) fn function_of(&self, of: &Caller<'_>, attribute: Option<&AttributeContext>, method: &str) -> Option<String> {
        let class = match of {
            Caller::Module(at) => self.loaded.module_at(self.file, at)?,
            Caller::Own | Caller::OwnClass => attribute?.class?,
        };
        if matches!(of, Caller::Own) && attribute?.is_object {
            let (def, file) = self.loaded.object_method(class, method)?;
            return self.requested(FoundDef { def, file, class, owner: class, of: Own::Provider }, method, None);
        }
        // Each attribute of the kind may have its own.
        if matches!(of, Caller::OwnClass) && attribute?.is_kind && self.is_overridden(class, method) {
            return None;
        }
        self.requested(self.class_def(class, method)?, method, None)
    }

    /// Returns the function that `insync?` of a provider of the Resource API becomes, and whether it may return a message as well.
    pub(super) fn provider_insync(&mut self, class: ClassId) -> Option<(String, bool)> {
        let (def, file) = self.loaded.object_method(class, "insync?")?;
        if self.object.is_none() {
            self.object = self.loaded.ruby.borrow_mut().object(class);
        }
        let parameters = Parameters::of(&def);
        let given = vec![Thing::Context, Thing::Value, Thing::Value, Thing::Value, Thing::Value];
        if !parameters.are_known || parameters.required.len() != given.len() || parameters.names().len() != given.len() {
            return None;
        }
        let has_messages = self.loaded.nodes(file).iter().any(|(_, node)| {
            node.as_array_node().is_some_and(|list| {
                list.elements().iter().next().is_some_and(|first| first.as_false_node().is_some() || first.as_true_node().is_some())
            })
        });
        let function = self.requested(FoundDef { def, file, class, owner: class, of: Own::Provider }, "insync?", Some(given))?;
        Some((function, has_messages))
    }

    fn requested(&self, found: FoundDef<'p>, method: &str, given: Option<Vec<Thing>>) -> Option<String> {
        let FoundDef { def, file, class, owner, of } = found;
        let mut all = self.requested.borrow_mut();
        let place = |f: &RequestedFunction<'_>| (f.file, ruby::at(&f.def.location()).start);
        let here = (file, ruby::at(&def.location()).start);
        let is_it =
            |f: &&RequestedFunction<'_>| place(f) == here && f.class == class && f.method == method && f.given == given && f.of == of;
        if let Some(known) = all.iter().find(is_it) {
            return Some(known.function.clone());
        }
        if all.len() >= MAX_FUNCTIONS {
            return None;
        }
        let bare = match method {
            "initialize" => "new",
            "[]" => "at",
            "==" => "equals",
            "<=>" => "compare",
            "to_s" => "text",
            other => other.trim_end_matches(['?', '=', '!']),
        };
        if !is_word(bare) {
            return None;
        }
        let is_changed = method != "initialize" && bare != method.trim_end_matches('?');
        let function = if is_changed || method == "initialize" { bare.to_owned() } else { method.to_owned() };
        let module = self.loaded.ruby.borrow().classes.get(owner).name.clone();
        let module = ruby::snake_case(module.rsplit("::").next().unwrap_or_default());
        let of_table = |f: &str| self.tables.borrow().iter().any(|table| table.is_named(f));
        let taken = |f: &str| self.is_helper(f) || all.iter().any(|a| a.function == f) || of_table(f);
        let of_object = matches!(of, Own::Object(..));
        let plain = [function.clone()].into_iter().filter(|_| !of_object);
        let full = format!("{module}_{function}");
        let numbered = (2..MAX_FUNCTIONS).map(|n| match function.strip_suffix('?') {
            Some(bare) => format!("{module}_{bare}_{n}?"),
            None => format!("{full}_{n}"),
        });
        let named = |f: &String| is_word(f.trim_end_matches('?')) && !taken(f) && Function::named(f).is_none();
        let function = plain.chain([full.clone()]).chain(numbered).find(named)?;
        all.push(RequestedFunction { class, method: method.to_owned(), function: function.clone(), def, file, is_done: false, given, of });
        Some(function)
    }

    fn is_helper(&self, function: &str) -> bool {
        self.scope.functions.contains(function)
            || self.scope.outside.contains(function)
            || self.scope.helpers.values().any(|helper| helper == function)
    }

    /// Returns whether a function of the file or the type has this name.
    pub(super) fn is_function(&self, function: &str) -> bool {
        self.is_helper(function) || self.requested.borrow().iter().any(|f| f.is_named(function)) || Function::named(function).is_some()
    }

    /// Translates the functions that translated code calls, and those that they call. Returns those of the file, and those of the type.
    pub(super) fn requested_functions(&mut self) -> (Vec<Fragment>, Vec<Fragment>) {
        let (mut pieces, mut of_type) = (Vec::new(), Vec::new());
        loop {
            let next = self.requested.borrow_mut().iter_mut().find(|f| !f.is_done).map(|f| {
                f.is_done = true;
                (f.class, f.function.clone(), Rc::clone(&f.def), f.file, f.given.clone(), f.of.clone(), f.is_of_type())
            });
            let Some((class, function, def, file, given, of, is_of_type)) = next else {
                // These may call methods that nothing else calls.
                pieces.extend(self.requested_tables());
                let answers = self.answers();
                if self.requested.borrow().iter().any(|f| !f.is_done) && self.loaded.budget.spend(DECLARATION).is_some() {
                    continue;
                }
                for (piece, is_of_type) in answers {
                    if is_of_type { &mut of_type } else { &mut pieces }.push(piece);
                }
                return (pieces, of_type);
            };
            if self.loaded.budget.spend(DECLARATION).is_none() {
                return (pieces, of_type);
            }
            self.go(file);
            self.scope.known.clear();
            let piece = match given {
                Some(given) => self.special_function(class, &def, &function, &given, &of),
                None => self.function(&ruby::at(&def.location()), &def, &function, Some(&of_module(class, &of))),
            };
            let mixed_in = !is_of_type || piece.residue.is_none();
            if is_of_type { &mut of_type } else { &mut pieces }.push(Fragment { mixed_in, ..piece });
        }
    }

    /// Translates a method for certain arguments.
    fn special_function(&self, class: ClassId, def: &DefNode<'p>, function: &str, given: &[Thing], of: &Own) -> Fragment {
        let owner = match of {
            Own::Resource => None,
            Own::Attribute(owner) => Some(AttributeContext { outside: true, ..(**owner).clone() }),
            Own::Module | Own::Provider | Own::Object(..) => Some(of_module(class, of)),
        };
        let this = match of {
            Own::Object(shape, uses) => Some(self.this_in(shape, *uses, def)),
            _ => None,
        };
        let kept = match of {
            Own::Module => self.loaded.kept_in(self.file, def, given),
            _ => BTreeSet::new(),
        };
        let running = Rc::new(RunningMethod::new(class, of, def, self.file));
        if *of == Own::Provider && running.method == "canonicalize" {
            let code = self.canonical(&running, def).map(|found| match found {
                Some((resource, code)) => format!("fn {function}({resource}) {{\n{code}\n}}"),
                None => format!("fn {function}(resource) {{ resource }}"),
            });
            return self.coded(&ruby::at(&def.location()), "", code);
        }
        let code = self.block(owner.as_ref(), |block| {
            block.own.this = this;
            block.own.kept = kept;
            block.own.running = Some(running);
            block.own.parts.is_function = true;
            block.own.tests.is_whole = function.ends_with('?');
            block.function(function, def, given)
        });
        self.coded(&ruby::at(&def.location()), "", code)
    }

    /// Returns the object in its method.
    fn this_in(&self, shape: &Rc<Shape>, uses: Uses, def: &DefNode<'p>) -> This {
        let all = self.loaded.variables_in(self.file, &ruby::at(&def.location()));
        let written = all.iter().any(|v| v.is_written);
        let mut locals: BTreeSet<String> = BTreeSet::new();
        if uses != Uses::Reads {
            locals = self.loaded.variables_of(shape.class);
        } else if written {
            locals = all.into_iter().map(|v| v.variable).collect();
        }
        locals.retain(|v| matches!(shape.variables.get(v), None | Some(Thing::Value | Thing::Object(_))));
        This { shape: Rc::clone(shape), uses, locals }
    }

    /// Returns a method of a class itself. Its `self` is the class that defines it, unless others that it calls may be another's.
    fn class_def(&self, class: ClassId, method: &str) -> Option<FoundDef<'p>> {
        let (def, file, owner) = self.loaded.class_method(class, method)?;
        let ruby = self.loaded.ruby.borrow();
        let above = ruby.classes.class_ancestors(class);
        let mut below = above.iter().take_while(|(c, _)| *c != owner);
        let is_own = ruby.classes.get(owner).is_module || below.any(|(c, _)| !ruby.classes.get(*c).class_methods.is_empty());
        Some(FoundDef { def, file, class: if is_own { class } else { owner }, owner, of: Own::Module })
    }

    fn found_def(&self, of: &Receiver, attribute: Option<&AttributeContext>, method: &str) -> Option<FoundDef<'p>> {
        let own = |class: ClassId, of: Own| {
            let (def, file) = self.loaded.object_method(class, method)?;
            Some(FoundDef { def, file, class, owner: class, of })
        };
        match of {
            Receiver::Module(at) => self.class_def(self.loaded.module_at(self.file, at)?, method),
            // Each attribute of a kind may have its own.
            Receiver::OwnClass if attribute?.is_kind && self.is_overridden(attribute?.class?, method) => None,
            Receiver::OwnModule | Receiver::OwnClass => self.class_def(attribute?.class?, method),
            Receiver::OwnProvider => own(attribute?.class?, Own::Provider),
            Receiver::TypeClass => self.class_def(self.type_class?, method),
            Receiver::Type => own(self.type_class?, Own::Resource),
            Receiver::Own => match attribute {
                None => own(self.type_class?, Own::Resource)
                    .or_else(|| Some(FoundDef { of: Own::Resource, ..self.class_def(self.type_class?, method)? })),
                Some(owner) => own(owner.class?, Own::Attribute(Box::new(owner.clone()))),
            },
            Receiver::Object(shape) => {
                let (def, file, owner) = self.loaded.method_of(shape.class, method)?;
                let uses = self.uses(shape.class, &def, file);
                Some(FoundDef { def, file, class: shape.class, owner, of: Own::Object(Rc::clone(shape), uses) })
            }
            Receiver::Super(running) => self.above(running),
        }
    }

    /// Returns what a method is given, without what it ignores; `class` is the class whose objects it creates if it is `initialize`.
    fn needed(&self, file: usize, def: &DefNode<'p>, class: Option<ClassId>, given: &[Thing]) -> Vec<Thing> {
        let parameters = Parameters::of(def);
        let names = parameters.names();
        let mut names = names.iter();
        let mut keep = |thing: &Thing| match (names.next(), thing) {
            (Some(parameter), Thing::Resource | Thing::Provider | Thing::Catalog | Thing::Attribute(_) | Thing::Default)
                if parameters.block.as_ref() != Some(parameter) && self.loaded.ignores(file, def, parameter, class) =>
            {
                Thing::Ignored
            }
            _ => thing.clone(),
        };
        given.iter().map(&mut keep).collect()
    }

    /// Returns how a method uses its object.
    pub(super) fn uses(&self, class: ClassId, def: &DefNode<'p>, file: usize) -> Uses {
        if name(&def.name()) == "initialize" {
            return Uses::Constructs;
        }
        let range = ruby::at(&def.location());
        let here = self.loaded.variables_in(file, &range);
        let is_alone = |variable: &str| def.parameters().is_none() && self.loaded.is_kept_by(class, variable, file, &range);
        match here.iter().filter(|v| v.is_written).all(|v| is_alone(&v.variable)) {
            true => Uses::Reads,
            false => Uses::Changes,
        }
    }
}

impl<'p> RubyMethods for Reader<'_, '_, 'p> {
    fn initial(&self, class: Option<ClassId>, variable: &str) -> Option<StaticValue> {
        let nodes = self.loaded.nodes(self.file);
        let is_write = |n: &ruby_prism::Node<'_>| n.as_instance_variable_write_node().is_some_and(|write| name(&write.name()) == variable);
        let (at, _) = nodes.iter().find(|(_, node)| is_write(node))?;
        let methods = self.loaded.methods_of(class.or(self.type_class)?);
        let sets_it = methods.iter().any(|(def, file)| {
            let range = ruby::at(&def.location());
            name(&def.name()) == "initialize" && *file == self.file && range.start <= at.start && at.end <= range.end
        });
        if sets_it { self.initial_value(variable) } else { None }
    }

    fn constant_of(&self, class: Option<ClassId>, constant: &str) -> Option<StaticValue> {
        let class = class.or(self.type_class)?;
        let ruby = self.loaded.ruby.borrow();
        // Ruby does not look for `X::LIMIT` among the constants of `Object`.
        let mut found = ruby.classes.ancestors(class).into_iter().filter(|of| *of != OBJECT);
        let value = found.find_map(|of| ruby.classes.get(of).constants.get(constant).cloned())?;
        fixed(&ruby, &value)
    }

    fn is_plain(&self, object: usize, method: &str) -> bool {
        self.is_plain_call(object, method)
    }

    fn constant_method(&self, class: Option<ClassId>, method: &str, of_class: bool) -> Option<StaticValue> {
        let class = class.or(self.type_class)?;
        let all: Vec<ClassId> = {
            let ruby = self.loaded.ruby.borrow();
            ruby.classes.ids().filter(|of| ruby.classes.is_a(*of, class)).collect()
        };
        let is_plain = |of: &ClassId| {
            if of_class {
                self.is_plain_class_method(*of, method) || self.is_class_setting(*of, method)
            } else {
                self.is_plain_made(*of, method)
            }
        };
        if !all.iter().all(is_plain) {
            return None;
        }
        let mut ruby = self.loaded.ruby.borrow_mut();
        // Objects are of classes that no other one inherits from: attributes.
        let has_heirs = |of: &ClassId| all.iter().any(|other| other != of && ruby.classes.is_a(*other, *of));
        let last: Vec<ClassId> = all.iter().copied().filter(|of| !has_heirs(of)).collect();
        let mut value = None;
        for of in last {
            // A method without state of the class becomes a function.
            if of_class && ruby.classes.get(of).variables.is_empty() {
                return None;
            }
            let found = if of_class { ruby.result_of(of, method) } else { ruby.result_of_made(of, method) };
            let found = found.and_then(|found| fixed(&ruby, &found))?;
            // What code may change in place is not known later.
            let is_known = !of_class || !matches!(found, StaticValue::List(_) | StaticValue::Map(_)) || self.is_only_read(method);
            if !is_known || value.as_ref().is_some_and(|known| *known != found) {
                return None;
            }
            value = Some(found);
        }
        value
    }

    fn formats_plainly(&self, class: ClassId) -> bool {
        self.has_plain_format(class)
    }

    fn has_heirs(&self, class: ClassId) -> bool {
        let classes = &self.loaded.ruby.borrow().classes;
        classes.ids().any(|id| id != class && classes.is_a(id, class))
    }

    fn selects_errors(&self) -> bool {
        self.has_selecting_rescue()
    }

    fn error_class(&self, at: &ByteRange) -> Option<String> {
        self.named_error_class(at)
    }

    fn has_own_message(&self, at: &ByteRange) -> bool {
        self.makes_message(at)
    }

    fn error_heirs(&self, at: &ByteRange) -> Vec<String> {
        self.error_heirs_of(at)
    }

    fn inherits(&self, class: ClassId, from: ClassId) -> bool {
        self.loaded.ruby.borrow().classes.is_a(class, from)
    }

    fn is_only_kept(&self, running: &RunningMethod, variable: &str) -> bool {
        let is_set = matches!(&self.object, Some(RubyValue::Object(object)) if object.variables.borrow().contains_key(variable));
        is_set && self.loaded.is_only_kept(running, variable)
    }

    fn is_changed_local(&self, local: &str) -> bool {
        Reader::is_changed_local(self, self.file, local)
    }

    fn constant_alias(&self, constant: &str) -> Option<String> {
        Reader::constant_alias(self, constant)
    }

    fn map_with_default(&self, at: &ByteRange) -> Option<(String, String)> {
        Reader::map_with_default(self, at)
    }

    fn lambda_table(&self, at: &ByteRange) -> Option<LambdaTable> {
        Reader::lambda_table(self, at)
    }

    fn class_at(&self, at: &ByteRange) -> Option<ClassId> {
        self.plain_class(self.loaded.module_at(self.file, at)?)
    }

    fn plain_class(&self, class: ClassId) -> Option<ClassId> {
        is_plain_class(&self.loaded.ruby.borrow().classes, class).then_some(class)
    }

    fn find(&self, of: &Receiver, attribute: Option<&AttributeContext>, method: &str) -> Option<FoundMethod> {
        if let Receiver::Object(shape) = of
            && let Some(accessor) = self.loaded.accessor(shape.class, method)
        {
            return Some(accessor);
        }
        let found = self.found_def(of, attribute, method)?;
        let uses = match found.of {
            Own::Object(_, uses) => uses,
            _ => Uses::Reads,
        };
        let changed = |is_unused: bool| self.loaded.changed_parameters(found.file, &found.def, Some(found.owner), is_unused);
        let parameters = Parameters { changed: changed(false), changed_if_unused: changed(true), ..Parameters::of(&found.def) };
        Some(FoundMethod::Def { parameters: Box::new(parameters), uses })
    }

    fn returned_kind(&self, of: &Receiver, attribute: Option<&AttributeContext>, method: &str) -> Option<Kind> {
        returned_kind(&self.found_def(of, attribute, method)?.def)
    }

    fn returned_match(&self, of: &Receiver, attribute: Option<&AttributeContext>, method: &str) -> Option<ReturnedMatch> {
        returned_match(&self.found_def(of, attribute, method)?.def)
    }

    fn request(&self, of: &Receiver, attribute: Option<&AttributeContext>, method: &str, given: &[Thing]) -> Option<String> {
        let found = self.found_def(of, attribute, method)?;
        let class = match &found.of {
            Own::Object(shape, Uses::Constructs) => Some(shape.class),
            _ => None,
        };
        let given = self.needed(found.file, &found.def, class, given);
        let needs_type = found.of.is_of_type() || given.iter().any(Thing::is_of_type);
        if let Some(kind) = attribute.filter(|a| a.is_kind && needs_type).and_then(|a| a.class) {
            self.values.borrow_mut().inline(kind);
        }
        self.requested(found, method, Some(given))
    }

    fn constructed(&self, class: ClassId, given: &[Thing]) -> Option<Rc<Shape>> {
        let mut variables = BTreeMap::new();
        if let Some((def, file, _)) = self.loaded.method_of(class, "initialize") {
            let given = self.needed(file, &def, Some(class), given);
            let probe = Rc::new(Shape { class, variables: BTreeMap::new() });
            let running = RunningMethod::new(class, &Own::Object(probe, Uses::Constructs), &def, file);
            variables = self.assigned(&running, &given)?;
        }
        Some(Rc::new(Shape { class, variables }))
    }

    fn class_name(&self, class: ClassId) -> String {
        self.loaded.ruby.borrow().classes.get(class).name.clone()
    }

    fn is_value(&self, shape: &Rc<Shape>) -> bool {
        self.note_value(shape)
    }

    fn time_class(&self, at: &ByteRange) -> Option<(String, Option<String>)> {
        self.find_time_class(at)
    }

    fn asked(&self, question: Question, at: &ByteRange) -> Option<String> {
        self.ask(question, at)
    }

    fn singleton(&self, class: ClassId) -> Option<Rc<Shape>> {
        let is_singleton = {
            let ruby = self.loaded.ruby.borrow();
            ruby.classes.ancestors(class).iter().any(|c| ruby.classes.get(*c).name == "Singleton")
        };
        is_singleton.then(|| self.constructed(class, &[]))?
    }
}

/// Returns whether all that a class inherits is known and in Ruby code.
pub(super) fn is_plain_class(classes: &ClassTable<'_>, class: ClassId) -> bool {
    let is_plain = classes.ancestors(class).iter().all(|c| {
        let of = classes.get(*c);
        !of.is_native || matches!(of.name.as_str(), "Object" | "BasicObject" | "Kernel" | "Singleton" | "Comparable")
    });
    is_plain && classes.unknown(class).is_none()
}

/// Returns what a function of a module, an object or a provider knows of itself.
pub(super) fn of_module(class: ClassId, of: &Own) -> AttributeContext {
    let is_object = *of == Own::Provider;
    AttributeContext { outside: true, class: Some(class), is_module: true, is_object, ..AttributeContext::default() }
}

/// Maximum number of functions of one type that are translated because they are called.
const MAX_FUNCTIONS: usize = 200;
