//! Translates `super` in the methods that become functions.

use super::block::{BlockTranslator, OPERAND, TERNARY, Text, no};
use super::class_functions::{FoundDef, Own};
use super::eval::{ClassId, MethodBody};
use super::items::LoadedRuby;
use super::parameters::Parameters;
use super::ruby::{self, ByteRange, name};
use super::things::{FoundMethod, Receiver, Thing, Uses, own_local};
use super::type_decl::Reader;
use rtype_lang::syntax::written_symbol;
use ruby_prism::{DefNode, Node};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The method that a function is translated from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RunningMethod {
    /// The class of `self`, which may inherit the method.
    pub class: ClassId,
    pub of: Own,
    pub method: String,
    pub file: usize,
    pub at: ByteRange,
    pub parameters: Parameters,
}

impl RunningMethod {
    pub fn new(class: ClassId, of: &Own, def: &DefNode<'_>, file: usize) -> RunningMethod {
        let parameters = Parameters::of(def);
        RunningMethod { class, of: of.clone(), method: name(&def.name()), file, at: ruby::at(&def.location()), parameters }
    }
}

/// What `super` passes.
enum SuperArguments {
    /// The arguments of the method.
    Own,
    /// Each with its local, if it is one.
    Explicit(Vec<Option<String>>),
}

impl<'p> LoadedRuby<'_, 'p> {
    /// Returns the method of Ruby code that `super` in a method calls, with its file and class; `None` if it calls another one or none.
    fn method_above(&self, running: &RunningMethod) -> Option<(Rc<DefNode<'p>>, usize, ClassId)> {
        let ruby = self.ruby.borrow();
        let find = |after| match running.of {
            Own::Module => ruby.classes.class_method(running.class, &running.method, after),
            _ => ruby.classes.method(running.class, &running.method, after),
        };
        let mut found = find(None)?;
        for _ in 0..MAX_PARENTS {
            let above = find(Some(found.owner)).filter(|above| above.owner != found.owner)?;
            let is_running = |node: &DefNode<'_>, file: usize| (file, ruby::at(&node.location())) == (running.file, running.at.clone());
            if matches!(&found.body, MethodBody::Def { node, file, .. } if is_running(node, *file)) {
                return match &above.body {
                    MethodBody::Def { node, file, .. } if !ruby.classes.get(above.owner).is_native => {
                        Some((Rc::clone(node), *file, above.owner))
                    }
                    _ => None,
                };
            }
            found = above;
        }
        None
    }

    /// Returns what the `super` in a method passes.
    fn super_in(&self, file: usize, range: &ByteRange) -> Option<SuperArguments> {
        let nodes = self.inside(file, range);
        nodes.iter().find_map(|(_, node)| {
            if node.as_forwarding_super_node().is_some() {
                return Some(SuperArguments::Own);
            }
            let given = ruby::arguments(node.as_super_node()?.arguments()).0;
            let local = |a: &Node<'_>| a.as_local_variable_read_node().map(|l| ruby::local(&l.name()));
            Some(SuperArguments::Explicit(given.iter().map(local).collect()))
        })
    }

    /// Returns whether a method passes all its arguments on with `super`.
    pub(super) fn forwards_to_super(&self, file: usize, def: &DefNode<'p>) -> bool {
        matches!(self.super_in(file, &ruby::at(&def.location())), Some(SuperArguments::Own))
    }
}

impl<'p> Reader<'_, '_, 'p> {
    pub(super) fn above(&self, running: &RunningMethod) -> Option<FoundDef<'p>> {
        let (def, file, owner) = self.loaded.method_above(running)?;
        let of = match &running.of {
            Own::Object(shape, _) => Own::Object(Rc::clone(shape), self.uses(shape.class, &def, file)),
            other => other.clone(),
        };
        Some(FoundDef { def, file, class: running.class, owner, of })
    }

    /// Returns what the constructors of a class, and those that they call with `super`, assign to instance variables; `None` if that
    /// depends on more than the arguments of the first one.
    pub(super) fn assigned(&self, running: &RunningMethod, given: &[Thing]) -> Option<BTreeMap<String, Thing>> {
        let (mut running, mut given) = (running.clone(), given.to_vec());
        let mut variables: BTreeMap<String, Thing> = BTreeMap::new();
        for _ in 0..MAX_PARENTS {
            let names = running.parameters.names();
            let thing = |local: &str| names.iter().position(|n| n == local).and_then(|at| given.get(at)).cloned();
            for (variable, local) in self.loaded.set_from_locals(running.file, &running.at) {
                let thing = local.and_then(|l| thing(&l)).unwrap_or(Thing::Value);
                let is_value = matches!(thing, Thing::Default | Thing::Temporary | Thing::Changed);
                let thing = match self.loaded.reads_variable(running.class, &variable) {
                    true if is_value => Thing::Value,
                    true => thing,
                    false => Thing::Ignored,
                };
                match variables.get(&variable) {
                    Some(known) if *known != thing => return None,
                    _ => variables.insert(variable, thing),
                };
            }
            let Some(passed) = self.loaded.super_in(running.file, &running.at) else { return Some(variables) };
            let Some((def, file, _)) = self.loaded.method_above(&running) else { return Some(variables) };
            if let SuperArguments::Explicit(locals) = passed {
                given = locals.into_iter().map(|local| local.and_then(|l| thing(&l)).unwrap_or(Thing::Value)).collect();
            }
            running = RunningMethod::new(running.class, &running.of, &def, file);
        }
        None
    }
}

impl BlockTranslator<'_> {
    /// Returns whether `defined?` is true of a node: of `super` in an attribute, whose methods Puppet defines as well, and of an element of
    /// `@should`, which a property that is compared has.
    pub(super) fn is_defined(&self, node: &Node<'_>) -> bool {
        if let Some(inner) = node.as_parentheses_node()
            && let [one] = ruby::statements(inner.body()).as_slice()
        {
            return self.is_defined(one);
        }
        let of_attribute = self.attribute.is_some_and(|of| !of.is_module && !of.is_object) && self.own.this.is_none();
        let is_super = node.as_super_node().is_some() || node.as_forwarding_super_node().is_some();
        let of_should = node
            .as_call_node()
            .filter(|c| name(&c.name()) == "[]")
            .and_then(|c| c.receiver())
            .is_some_and(|of| of.as_instance_variable_read_node().is_some_and(|v| name(&v.name()) == "@should"));
        let is_property = self.attribute.is_some_and(|of| self.scope.properties.contains(&of.name));
        of_attribute && (is_super && self.own.running.is_none() || of_should && is_property)
    }

    /// Translates `super` in a method of Ruby code to a call of the function that the method becomes which it calls.
    pub(super) fn super_call(&mut self, node: &Node<'_>) -> Text<Option<String>> {
        let (Some(running), Some(methods)) = (self.own.running.clone(), self.methods) else { return Ok(None) };
        let (given, forwarded) = (node.as_super_node(), node.as_forwarding_super_node());
        if given.is_none() && forwarded.is_none() {
            return Ok(None);
        }
        if given.as_ref().is_some_and(|up| up.block().is_some()) || forwarded.is_some_and(|up| up.block().is_some()) {
            return no(node, "`super` of this form is not supported");
        }
        let of = Receiver::Super(Rc::clone(&running));
        let Some(FoundMethod::Def { parameters, uses }) = methods.find(&of, self.attribute, &running.method) else {
            if matches!(running.method.as_str(), "is_to_s" | "should_to_s")
                && matches!(running.of, Own::Attribute(_))
                && methods.formats_plainly(running.class)
            {
                let own = given.map(|up| ruby::arguments(up.arguments()).0);
                let shown = match (own.as_deref(), running.parameters.names().first()) {
                    (Some([value]), _) => self.expr(value, TERNARY)?,
                    (None, Some(value)) => value.clone(),
                    _ => return no(node, "these arguments are not supported"),
                };
                return Ok(Some(format!("shown({shown})")));
            }
            return no(node, format!("the method `{}` that `super` calls is not known here", running.method));
        };
        let mut passed = match (&running.of, uses) {
            (Own::Object(..), Uses::Reads) => vec![self.itself()],
            (Own::Object(..), Uses::Changes) => return no(node, format!("the method `{}` changes its object", running.method)),
            _ => Vec::new(),
        };
        let things = match given {
            Some(up) => {
                let Some(bound) = self.bound_at(node, up.arguments(), &parameters) else {
                    return no(node, "these arguments are not supported");
                };
                passed.extend(self.deeper(node, |block| block.passed(&bound))?);
                bound.into_iter().map(|(thing, _)| thing).collect()
            }
            None => {
                let Some((things, texts)) = self.forwarded(node, &parameters) else { return no(node, "these arguments are not supported") };
                passed.extend(texts);
                things
            }
        };
        if things.contains(&Thing::Changed) {
            return no(node, format!("`{}` changes a value in place", running.method));
        }
        let Some(function) = methods.request(&of, self.attribute, &running.method, &things) else {
            return no(node, format!("the method `{}` that `super` calls is not supported", running.method));
        };
        Ok(Some(format!("{function}({})", passed.join(", "))))
    }

    /// Translates `super` in an `insync?` that compares all values and gives another value than it got: Puppet's own is false for what is
    /// no list.
    pub(super) fn compared_list(&mut self, node: &Node<'_>) -> Text<Option<String>> {
        let Some(owner) = self.attribute.filter(|of| of.compares && of.all && !self.words) else { return Ok(None) };
        let Some(is) = self.own.given.iter().next().cloned() else { return Ok(None) };
        let given = match (node.as_super_node(), node.as_forwarding_super_node()) {
            (Some(up), _) => match ruby::arguments(up.arguments()).0.as_slice() {
                [one] if !ruby::is_local(one, &is) || self.is_assigned(&is) => self.expr(one, OPERAND)?,
                _ => return Ok(None),
            },
            (None, Some(_)) if self.is_assigned(&is) => is,
            _ => return Ok(None),
        };
        if owner.is_kind {
            return no(node, "`super` of another value is not supported here");
        }
        Ok(Some(format!("({given}.is_a?(Array) && super({given}))")))
    }

    /// Returns whether the code of the block assigns a local.
    fn is_assigned(&self, local: &str) -> bool {
        self.mentions().assigns(local, &self.range)
    }

    /// Returns what `super` without arguments passes: the parameters of the method.
    fn forwarded(&self, node: &Node<'_>, above: &Parameters) -> Option<(Vec<Thing>, Vec<String>)> {
        let own = &self.own.running.as_ref()?.parameters;
        let has_plain_names = |of: &Parameters| of.are_known && Parameters { changed: Vec::new(), ..of.clone() }.is_plain();
        let (names, above_names) = (own.names(), above.names());
        let fits = (above.required.len()..=above_names.len()).contains(&names.len());
        if !has_plain_names(own) || !has_plain_names(above) || !fits {
            return None;
        }
        let (mut things, mut texts) = (Vec::new(), Vec::new());
        for (parameter, above_name) in names.into_iter().zip(&above_names) {
            let thing = match self.own.things.get(&parameter) {
                Some(thing) => thing.clone(),
                None if self.selves.contains(&parameter) => Thing::Resource,
                None if self.providers.contains(&parameter) => Thing::Provider,
                None if !above.changed.contains(above_name) => Thing::Value,
                None => {
                    let is_mine = !self.own.arguments.contains(&parameter) && !self.own.returned.contains(&parameter);
                    if self.is_used_after(node, &parameter) || !is_mine {
                        return None;
                    }
                    Thing::Temporary
                }
            };
            if matches!(thing, Thing::Value | Thing::Temporary | Thing::Object(_)) {
                texts.push(parameter);
            }
            things.push(thing);
        }
        things.resize(above_names.len(), Thing::Default);
        Some((things, texts))
    }

    /// Translates `super` in a constructor, which sets the instance variables of the class above; `None` if there is no such class.
    pub(super) fn super_constructor(&mut self, node: &Node<'_>) -> Text<Option<String>> {
        let is_super = node.as_super_node().is_some() || node.as_forwarding_super_node().is_some();
        let (Some(running), Some(methods)) = (self.own.running.clone().filter(|_| is_super), self.methods) else { return Ok(None) };
        let Some(this) = self.own.this.clone().filter(|this| this.uses == Uses::Constructs) else { return Ok(None) };
        if methods.find(&Receiver::Super(Rc::clone(&running)), self.attribute, "initialize").is_none() {
            let passes = match node.as_super_node() {
                Some(up) => up.arguments().is_some(),
                None => !running.parameters.names().is_empty(),
            };
            return if passes { no(node, "no class above takes these arguments") } else { Ok(Some(String::new())) };
        }
        if self.own.above_at.as_ref() != Some(&ruby::place(node)) {
            return no(node, "`super` of this form is not supported");
        }
        let Some(made) = self.super_call(node)? else { return Ok(None) };
        let above = "made_above";
        self.locals.push(above.to_owned());
        let mut lines = vec![format!("let {above} = {made}")];
        lines.extend(this.locals.iter().map(|v| format!("{} = {above}[{}]", own_local(v), written_symbol(v))));
        Ok(Some(lines.join("\n")))
    }
}

/// Maximum number of classes above one whose methods are looked through.
const MAX_PARENTS: usize = 32;
