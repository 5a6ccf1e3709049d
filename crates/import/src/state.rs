//! Instance variables of objects, and statements that change objects.

use super::block::*;
use super::given_blocks::calls_block;
use super::known::StaticValue;
use super::nodes::visiting;
use super::plain::ReadLocals;
use super::ruby::{self, name};
use super::things::{FoundMethod, Receiver, THIS, Thing, Uses, own_local};
use rtype_lang::syntax::written_symbol;
use ruby_prism::{CallNode, Node, Visit};
use std::rc::Rc;

/// Instance variables that Puppet's types and attributes read, without `@`.
pub(super) const OF_PUPPET: &[&str] = &[
    "is",
    "parent",
    "should",
    "shouldorig",
    "value",
    "resource",
    "provider",
    "sensitive",
    "noop",
    "name",
    "title",
    "parameters",
    "original_parameters",
    "catalog",
    "tags",
    "line",
    "path",
    "managed",
    "exported",
    "virtual",
    "sensitive_parameters",
    "name_var_cache",
];

impl BlockTranslator<'_> {
    /// Translates `@x ||= value` in a method of an object, if nothing else in it reads the variable.
    pub(super) fn kept_value(&mut self, variable: &str, value: &Node<'_>) -> Text<Option<(String, u8)>> {
        let Some(local) = self.own_state(variable).filter(|l| self.keeps(variable) && self.locals.contains(l)) else { return Ok(None) };
        if self.mentions().variable(variable).filter(|at| self.is_inside(at)).count() != 1 {
            return no(value, format!("`{variable}` is state of a Ruby object"));
        }
        let value = self.deeper(value, |block| block.expr(value, AND))?;
        Ok(Some((format!("{local} || {value}"), OR)))
    }

    /// Returns whether a place is in the code of the block.
    fn is_inside(&self, at: &ruby::ByteRange) -> bool {
        self.range.start <= at.start && at.end <= self.range.end
    }

    /// Translates an assignment of an instance variable in a method of an object.
    pub(super) fn write_variable(&mut self, node: &Node<'_>, last: bool) -> Text<Option<String>> {
        let variable = node.as_instance_variable_or_write_node().map(|w| name(&w.name()));
        let variable = variable.or_else(|| node.as_instance_variable_operator_write_node().map(|w| name(&w.name())));
        let variable = variable.or_else(|| node.as_instance_variable_write_node().map(|w| name(&w.name())));
        if let Some(variable) = &variable
            && self.is_remembered(variable)
        {
            let kept = self.remember_variable(node, variable)?;
            let result = self.remembered(variable).filter(|_| last).map(|value| format!("\n{value}"));
            return Ok(Some(kept + &result.unwrap_or_default()));
        }
        if !last && self.is_never_read(node) {
            return Ok(Some(String::new()));
        }
        if !variable.is_some_and(|v| self.keeps(&v)) {
            return Ok(None);
        }
        if let Some(or) = node.as_instance_variable_or_write_node() {
            let local = self.own_state(&name(&or.name()));
            let Some(local) = local else { return no(node, "this assignment is not supported") };
            self.remember(&local, &or.value());
            let value = self.expr(&or.value(), OR)?;
            return Ok(Some(format!("{local} = {local} || {value}")));
        }
        if let Some(write) = node.as_instance_variable_operator_write_node() {
            let operator = name(&write.binary_operator());
            let local = self.own_state(&name(&write.name())).filter(|_| matches!(operator.as_str(), "+" | "-" | "*" | "&"));
            let Some(local) = local else { return no(node, "this assignment is not supported") };
            let value = self.expr(&write.value(), TIMES)?;
            return Ok(Some(format!("{local} = {local} {operator} {value}")));
        }
        let Some(write) = node.as_instance_variable_write_node() else { return Ok(None) };
        let variable = name(&write.name());
        let thing = self.thing(&write.value());
        let known = self.own.this.as_ref().and_then(|this| this.shape.variables.get(variable.trim_start_matches('@')).cloned());
        let known = known.unwrap_or(Thing::Value);
        if known == Thing::Ignored && write.value().as_local_variable_read_node().is_some() {
            return Ok(Some(String::new()));
        }
        let known = if known == Thing::Ignored { Thing::Value } else { known };
        if known != thing {
            return no(node, "this object in an instance variable is not supported");
        }
        Ok(match thing {
            Thing::Value => None,
            Thing::Object(_) => {
                let Some(local) = self.own_state(&variable) else { return no(node, "this assignment is not supported") };
                Some(format!("{local} = {}", self.object(&write.value())?))
            }
            _ => Some(String::new()),
        })
    }

    /// Returns whether `@x ||= value` would give the same each time without the variable: where the code may run again, the value must
    /// not depend on what it is given.
    pub(super) fn is_same_each_time(&self, value: &Node<'_>) -> bool {
        let runs_once = self.attribute.is_none_or(|of| of.compares) && !self.own.parts.is_function;
        let mut locals = ReadLocals::default();
        visiting(value, || locals.visit(value));
        let reads_own = locals.0.iter().any(|local| self.locals.contains(&ruby::local_named(local)));
        runs_once || !reads_own && !calls_block(value)
    }

    /// Returns `v` of `if @x; @x; else @x = v; end`, which remembers a value that can be computed again: nothing else uses the variable.
    pub(super) fn memoized<'p>(&self, node: &Node<'p>) -> Option<Node<'p>> {
        let branch = node.as_if_node()?;
        let read = |n: &Node<'_>| n.as_instance_variable_read_node().map(|v| name(&v.name()));
        let variable = read(&branch.predicate())?;
        let inner = ruby::statements(branch.statements().map(|s| s.as_node()));
        let other = ruby::statements(branch.subsequent()?.as_else_node()?.statements().map(|s| s.as_node()));
        let ([one], [other]) = (inner.as_slice(), other.as_slice()) else { return None };
        let write = other.as_instance_variable_write_node().filter(|w| name(&w.name()) == variable && read(one).is_some())?;
        let mut locals = ReadLocals::default();
        visiting(&write.value(), || locals.visit(&write.value()));
        let is_own = locals.0.is_empty() && !self.keeps(&variable) && !OF_PUPPET.contains(&variable.trim_start_matches('@'));
        (is_own && read(one)? == variable && self.mentions().variable(&variable).all(|at| self.is_inside(at))).then(|| write.value())
    }

    /// Translates an instance variable.
    pub(super) fn read_variable(&mut self, node: &Node<'_>) -> Text {
        let Some(read) = node.as_instance_variable_read_node() else { return no(node, "this variable is not supported") };
        let variable = name(&read.name());
        if self.own.this.is_some() && self.thing(node) == Thing::Value {
            return self.variable(&variable).map_or_else(|| no(node, "this object is not supported"), Ok);
        }
        if let Some(local) = self.own_state(&variable).filter(|l| self.locals.contains(l)) {
            return Ok(local);
        }
        if let Some(remembered) = self.remembered(&variable) {
            return Ok(remembered);
        }
        match (variable.as_str(), self.attribute) {
            ("@title", None) => Ok("title(self)".into()),
            ("@should", Some(_)) if let Some(wanted) = &self.wanted => Ok(wanted.clone()),
            ("@shouldorig", Some(owner)) if !owner.is_module && !owner.is_object => Ok(self.all_given(owner)),
            ("@should", Some(owner)) if owner.all || owner.list => Ok(self.desired(owner)),
            ("@should", Some(owner)) if !owner.is_module => Ok(self.all_values(owner)),
            // What only `initialize` sets may be known.
            _ => match self.initial(&variable).and_then(|value| value.written()) {
                Some(value) if !OF_PUPPET.contains(&variable.trim_start_matches('@')) => Ok(value),
                _ => no(node, format!("`{variable}` is state of a Ruby object")),
            },
        }
    }

    /// Returns the value of an instance variable that only `initialize` sets; a function of a module has none.
    fn initial(&self, variable: &str) -> Option<StaticValue> {
        let owner = self.attribute;
        if owner.is_some_and(|of| of.is_module || of.is_object || of.class.is_none()) {
            return None;
        }
        self.methods?.initial(owner.and_then(|of| of.class), variable)
    }

    /// Returns whether a node keeps a value in an instance variable that the file only mentions there.
    fn is_never_read(&self, node: &Node<'_>) -> bool {
        let Some(write) = node.as_instance_variable_write_node() else { return false };
        let variable = name(&write.name());
        let bare = variable.trim_start_matches('@');
        let count = self.mentions().variable(&variable).chain(self.mentions().variable(bare)).count();
        let value = write.value();
        let is_plain = value.as_local_variable_read_node().is_some()
            || ruby::symbol(&value).is_some()
            || ruby::text(&value).is_some()
            || value.as_true_node().is_some()
            || value.as_false_node().is_some()
            || value.as_nil_node().is_some();
        is_plain && self.own.this.is_none() && !OF_PUPPET.contains(&bare) && count == 1
    }

    /// Returns whether an instance variable of a property is kept from its comparison to its message.
    fn is_remembered(&self, variable: &str) -> bool {
        self.own.this.is_none() && self.attribute.is_some_and(|of| of.remembered.contains(variable.trim_start_matches('@')))
    }

    /// Translates the use of such a variable.
    pub(super) fn remembered(&self, variable: &str) -> Option<String> {
        self.is_remembered(variable).then(|| format!("remembered({})", written_symbol(variable.trim_start_matches('@'))))
    }

    fn remember_variable(&mut self, node: &Node<'_>, variable: &str) -> Text {
        let before = self.remembered(variable).unwrap_or_default();
        let (value, text) = if let Some(or) = node.as_instance_variable_or_write_node() {
            let value = or.value();
            let text = self.expr(&value, AND)?;
            (value, format!("{before} || {text}"))
        } else if let Some(write) = node.as_instance_variable_operator_write_node() {
            let (value, operator) = (write.value(), name(&write.binary_operator()));
            if !matches!(operator.as_str(), "+" | "-" | "*" | "&") {
                return no(node, "this assignment is not supported");
            }
            let text = self.expr(&value, TIMES)?;
            (value, format!("{before} {operator} {text}"))
        } else if let Some(write) = node.as_instance_variable_write_node() {
            let value = write.value();
            let text = self.expr(&value, TERNARY)?;
            (value, text)
        } else {
            return no(node, "this assignment is not supported");
        };
        if self.thing(&value) != Thing::Value {
            return no(node, "this object in an instance variable is not supported");
        }
        Ok(format!("remember({}, {text})", written_symbol(variable.trim_start_matches('@'))))
    }

    /// Translates a statement that changes an object: `object.add(x)`, `object.x = y`.
    pub(super) fn object_change(&mut self, call: &CallNode<'_>, last: bool) -> Text<Option<String>> {
        let Some(methods) = self.methods else { return Ok(None) };
        let (method, receiver) = (name(&call.name()), call.receiver());
        let of_self = receiver.as_ref().is_none_or(|r| r.as_self_node().is_some());
        let (shape, local) = match (&self.own.this, &receiver) {
            (Some(this), _) if of_self => (Rc::clone(&this.shape), None),
            (_, Some(of)) => match (self.thing(of), of.as_local_variable_read_node()) {
                (Thing::Object(shape), Some(local)) => (shape, Some(ruby::local(&local.name()))),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let of = Receiver::Object(shape);
        let node = call.as_node();
        let (plain, _) = ruby::arguments(call.arguments());
        let changed = match methods.find(&of, self.attribute, &method) {
            Some(FoundMethod::Def { parameters, uses: Uses::Changes }) => {
                let object = local.clone().unwrap_or_else(|| self.itself());
                self.request(call, &method, &of, &parameters, &object)?
            }
            Some(FoundMethod::Writer(variable)) if plain.len() == 1 => {
                let mut value = String::new();
                for node in &plain {
                    if self.thing(node) != Thing::Value {
                        return no(node, "this object is not supported");
                    }
                    value = self.expr(node, TERNARY)?;
                }
                match &local {
                    Some(local) => format!("{local}.merge({{{} => {value}}})", written_symbol(&variable)),
                    None => match self.own.this.as_ref().is_some_and(|this| this.locals.contains(&variable)) {
                        true => return Ok(Some(format!("{} = {value}", own_local(&variable)))),
                        false => return no(&node, format!("the method `{method}` changes its object")),
                    },
                }
            }
            _ => return Ok(None),
        };
        if local.as_ref().is_some_and(|local| !self.own.created.contains(local)) {
            return no(&node, format!("the method `{method}` changes an object that others use, too"));
        }
        if last && self.own.this.is_none() {
            return no(&node, format!("using the result of `{method}` is not supported"));
        }
        if let Some(local) = local {
            return Ok(Some(format!("{local} = {changed}")));
        }
        let Some(this) = self.own.this.as_ref().filter(|this| this.uses != Uses::Reads) else {
            return no(&node, format!("the method `{method}` changes its object"));
        };
        let lines = this.locals.iter().map(|v| format!("\n{} = {THIS}[{}]", own_local(v), written_symbol(v)));
        Ok(Some(format!("{THIS} = {changed}{}", lines.collect::<String>())))
    }

    /// Records a local that is the catalog, the attribute or an object. Returns the assignment.
    pub(super) fn assign_thing(&mut self, variable: &str, value: &Node<'_>, top: bool) -> Text<Option<String>> {
        let thing = self.thing(value);
        match &thing {
            Thing::Resource => self.selves.push(variable.to_owned()),
            Thing::Catalog | Thing::Attribute(_) => {}
            Thing::Object(_) => {
                if self.own.things.get(variable).is_some_and(|known| *known != thing)
                    || self.closures > 0 && self.own.things.contains_key(variable)
                {
                    return no(value, "a local that is one of several objects is not supported");
                }
                let object = self.object(value)?;
                let text = self.assign(variable.to_owned(), &object, top)?;
                if value.as_call_node().is_some_and(|c| name(&c.name()) == "new") {
                    self.own.created.insert(variable.to_owned());
                } else if let Some(local) = value.as_local_variable_read_node() {
                    self.own.created.remove(&ruby::local(&local.name()));
                }
                self.own.things.insert(variable.to_owned(), thing);
                return Ok(Some(text));
            }
            _ => {
                if self.own.things.contains_key(variable) {
                    return no(value, "a local that is one of several objects is not supported");
                }
                return Ok(None);
            }
        }
        if self.locals.iter().any(|l| l == variable) {
            return no(value, "a local that is one of several objects is not supported");
        }
        if !matches!(thing, Thing::Resource) {
            self.own.things.insert(variable.to_owned(), thing);
        }
        Ok(Some(String::new()))
    }
}

/// Recognizes a list or map without elements: `[]`, `{}`, `Hash.new`.
pub(super) fn is_empty(node: &Node<'_>) -> bool {
    node.as_array_node().is_some_and(|list| list.elements().iter().next().is_none())
        || node.as_hash_node().is_some_and(|map| map.elements().iter().next().is_none())
        || node.as_call_node().is_some_and(|c| name(&c.name()) == "new" && c.arguments().is_none())
}
