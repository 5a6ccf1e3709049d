//! Translates `canonicalize(context, resources)` of providers of Puppet's Resource API.

use super::block::*;
use super::class_functions::Own;
use super::context::AttributeContext;
use super::eval::{ClassId, RubyValue};
use super::ignored::is_adding;
use super::kinds::Kind;
use super::parts::{may_end, parts_of};
use super::rescue::without_passing_on;
use super::ruby::{self, ByteRange, name};
use super::supers::RunningMethod;
use super::things::{LEVELS, Receiver, Thing};
use super::type_decl::{Fragment, Reader};
use ruby_prism::{CallNode, DefNode, Node};
use std::rc::Rc;

/// The provider of a type, as Puppet finds it on a host.
pub(super) enum ApiProvider {
    /// Its class.
    Loaded(ClassId),
    /// There are only providers for devices.
    OnlyDevices,
    /// No file of the module path defines it.
    Unknown,
}

impl<'p> Reader<'_, '_, 'p> {
    /// Translates the method `canonicalize` of a provider to the directive of the type, located at `at`.
    pub(super) fn canonicalize(&mut self, class: ClassId, at: &ByteRange) -> Fragment {
        let (home, place) = (self.file, self.ready(at, "canonicalize", ""));
        let Some((def, file)) = self.loaded.object_method(class, "canonicalize") else {
            return self.left(at, "canonicalize", "the provider has no method `canonicalize` that is known here");
        };
        self.object = self.loaded.ruby.borrow_mut().object(class);
        self.go(file);
        let code = self.canonical(&Rc::new(RunningMethod::new(class, &Own::Provider, &def, file)), &def);
        self.go(home);
        let origin = ruby::at(&def.location());
        let left = self.left.take();
        let code = code.and_then(|found| {
            let Some((resource, code)) = found else { return Ok(None) };
            let text = format!("canonicalize {{ |{resource}|\n{code}\n}}");
            parts_of(&text, left).map(|parts| Some((text, parts)))
        });
        match code {
            Ok(None) => Fragment { blocks: 1, text: "# `canonicalize` of the provider changes nothing.".into(), ..place },
            Ok(Some((text, parts))) => Fragment { at: origin, file, blocks: 1, text, parts, ..place },
            Err(why) => Fragment { at: origin, file, blocks: 1, residue: Some(why), ..place },
        }
    }

    /// Translates a method `canonicalize` of a provider to code for the map of one resource; `None` if it changes nothing.
    pub(super) fn canonical(&self, running: &Rc<RunningMethod>, def: &DefNode<'p>) -> Text<Option<(String, String)>> {
        let class = Some(running.class);
        let context = AttributeContext { outside: true, class, is_module: true, is_object: true, ..AttributeContext::default() };
        let (names, _) = self.function_params(def, false, None)?;
        let [own, resources] = names.as_slice() else {
            return Err(Untranslated { text: "parameters of variable number".into(), at: ruby::at(&def.location()) });
        };
        let leaves = self.loops_left_early(def);
        self.block(Some(&context), |block| {
            block.own.things.insert(own.clone(), Thing::Context);
            block.own.running = Some(Rc::clone(running));
            block.in_parts(|block| block.canonicalize(resources, def, &leaves))
        })
    }

    /// Returns the locations of the blocks of a method in which `next` leaves them.
    fn loops_left_early(&self, def: &DefNode<'p>) -> Vec<ByteRange> {
        let within = |outer: &ByteRange, at: &ByteRange| outer.start <= at.start && at.end <= outer.end;
        let range = ruby::at(&def.location());
        let nodes = self.loaded.inside(self.file, &range);
        let inside: Vec<&(ByteRange, Node<'p>)> = nodes.iter().collect();
        let nexts = inside.iter().filter(|(_, node)| node.as_next_node().is_some());
        let innermost = |at: &ByteRange| {
            let blocks = inside.iter().filter(|(of, node)| node.as_block_node().is_some() && within(of, at));
            blocks.map(|(of, _)| of.clone()).min_by_key(ByteRange::len)
        };
        nexts.filter_map(|(at, _)| innermost(at)).collect()
    }

    /// Returns the value of an instance variable of the provider, if nothing changes it after the provider was created.
    pub(super) fn variable_of_object(&self, variable: &str) -> Option<RubyValue<'p>> {
        let RubyValue::Object(object) = self.object.as_ref()? else { return None };
        let value = object.variables.borrow().get(variable).cloned()?;
        self.loaded.is_set_once(self.file, variable).then_some(value)
    }
}

/// What a loop over the resources makes of one.
enum Gives<'p> {
    /// The element, as the loop has changed it.
    Itself,
    /// The value of the last statement.
    Last(Node<'p>),
    /// What the last statement adds to another list.
    Added(Node<'p>),
}

/// A loop over the resources.
struct Loop<'p> {
    param: String,
    at: ByteRange,
    /// Its statements without the one that is the result.
    body: Vec<Node<'p>>,
    gives: Gives<'p>,
    /// The local that is the list of the results.
    list: String,
}

impl BlockTranslator<'_> {
    /// Translates a call on the context of the Resource API: messages of the log.
    pub(super) fn of_context(&mut self, call: &CallNode<'_>, method: &str) -> Text<(String, u8)> {
        let (plain, named) = ruby::arguments(call.arguments());
        match plain.as_slice() {
            [message] if named.is_empty() && call.block().is_none() && LEVELS.contains(&method) => {
                Ok((format!("{method}({})", self.expr(message, TERNARY)?), OPERAND))
            }
            [titles, message] if named.is_empty() && call.block().is_none() && LEVELS.contains(&method) => {
                let titles = match self.kind(titles) {
                    Some(Kind::Text) => self.expr(titles, OPERAND)?,
                    _ => format!("Array({}).flatten.compact.join(\", \")", self.expr(titles, TERNARY)?),
                };
                let message = self.expr(message, TERNARY)?;
                Ok((format!("{method}(\"{}[#{{{titles}}}]: #{{{message}}}\")", self.scope.type_name), OPERAND))
            }
            _ => no(&call.as_node(), format!("the method `{method}` of the context is not supported")),
        }
    }

    /// Translates the method's body to code for the map of one resource, because Puppet always gives it a list of one; `None` if it
    /// changes nothing. `leaves` are the locations of blocks that `next` leaves.
    fn canonicalize(&mut self, resources: &str, def: &DefNode<'_>, leaves: &[ByteRange]) -> Text<Option<(String, String)>> {
        let body = without_passing_on(ruby::statements(def.body()));
        let Some(last) = body.last() else { return Err(Untranslated { text: "it returns nothing".into(), at: ruby::at(&def.location()) }) };
        self.range = ruby::at(&def.location());
        let (mut list, mut lines, mut maps) = (resources.to_owned(), Vec::new(), Vec::<String>::new());
        for (i, statement) in body.iter().enumerate() {
            let is_last = i + 1 == body.len();
            let rest = body.get(i + 1..).unwrap_or_default();
            self.own.only = Some((list.clone(), maps.last().cloned().unwrap_or_else(|| RESOURCE.to_owned())));
            if is_last && is_returned(statement, &list) || is_guard(statement, &list) {
                continue;
            }
            if rest.iter().filter_map(|next| Loop::of(next, &list)).any(|next| is_new_list(statement, &next)) {
                continue;
            }
            let above = super_of(statement);
            let names_first = [format!("{list}[0]"), format!("{list}.first")].iter().any(|first| self.slice(statement).contains(first));
            if (above.is_some() || names_first) && maps.is_empty() {
                self.locals.push(RESOURCE.to_owned());
                maps.push(RESOURCE.to_owned());
            }
            if let Some((node, local)) = &above {
                let Some(map) = maps.last() else { continue };
                lines.push(format!("{map} = {}", self.canonical_above(node, &list, map)?));
                list = local.clone().unwrap_or(list);
                let is_whole = statement.as_call_node().is_none() && returned_value(statement).is_none_or(|v| v.as_call_node().is_none());
                if is_whole {
                    continue;
                }
            }
            let Some(each) = Loop::of(statement, &list) else {
                if is_last {
                    return no(last, "what it returns is not understood");
                }
                lines.push(self.statement(statement, true, false)?);
                continue;
            };
            self.own.only = None;
            if each.list.is_empty() && !is_last {
                return no(statement, "the result of this loop is not used");
            }
            let (param, is_final) = (&each.param, is_last || matches!(rest, [last] if is_returned(last, &each.list)));
            let is_left = leaves.contains(&each.at) && !is_final;
            if leaves.contains(&each.at) && !matches!(each.gives, Gives::Itself) && (is_left || matches!(each.gives, Gives::Added(_))) {
                return no(statement, "`next` in this loop over the resources is not supported");
            }
            match maps.last() {
                None => self.locals.push(param.clone()),
                Some(map) if map != param => lines.push(self.assign(param.clone(), map, true)?),
                Some(_) => {}
            }
            if is_left {
                let closure = self.closure_giving(std::slice::from_ref(param), &[], &[], &each.body, param)?;
                lines.push(format!("{param} = {param}.then{closure}"));
                maps.push(each.param);
                list = each.list;
                continue;
            }
            self.result = matches!(each.gives, Gives::Itself).then(|| param.clone());
            self.own.returned.insert(param.clone());
            for one in &each.body {
                if self.keeps_for_later(one) {
                    continue;
                }
                let start = ruby::place(one).start;
                if let Some(left) = self.own.parts.left(start) {
                    lines.push(left);
                    break;
                }
                let line = self.statement(one, true, false);
                if let Err(reason) = &line
                    && lines.iter().any(|line| may_end(line))
                {
                    self.own.parts.note(start, reason);
                }
                lines.push(line?);
            }
            self.own.returned.remove(param);
            if let Gives::Last(value) | Gives::Added(value) = &each.gives
                && !ruby::is_local(value, param)
            {
                lines.push(format!("{param} = {}", self.expr(value, TERNARY)?));
            }
            self.result = None;
            maps.push(each.param);
            list = each.list;
        }
        lines.retain(|line| !line.is_empty());
        let (Some(first), Some(map)) = (maps.first(), maps.last()) else {
            return if lines.is_empty() { Ok(None) } else { no(last, "it does not change the resources one by one") };
        };
        let hoisted: Vec<String> = self.hoisted.iter().map(|h| format!("let {h} = nil")).collect();
        Ok(Some((first.clone(), format!("{}\n{map}", [hoisted, lines].concat().join("\n")))))
    }

    /// Returns whether a statement only keeps a resource in a variable of the provider that nothing here reads, such as a cache for `get`.
    fn keeps_for_later(&self, statement: &Node<'_>) -> bool {
        let Some(call) = statement.as_call_node().filter(|c| is_adding(&name(&c.name()))) else { return false };
        let Some(variable) = call.receiver().and_then(|of| of.as_instance_variable_read_node()).map(|v| name(&v.name())) else {
            return false;
        };
        let is_local = |node: &Node<'_>| node.as_local_variable_read_node().is_some();
        // Copies of a local raise no error.
        let is_plain = |node: &Node<'_>| {
            let read = node.as_call_node().filter(|c| matches!(name(&c.name()).as_str(), "dup" | "clone"));
            is_local(node) || ruby::symbol(node).is_some() || read.and_then(|c| c.receiver()).as_ref().is_some_and(is_local)
        };
        let given = ruby::arguments(call.arguments()).0;
        given.iter().all(is_plain)
            && self.own.running.as_ref().zip(self.methods).is_some_and(|(running, methods)| methods.is_only_kept(running, &variable))
    }

    /// Translates the `super` of `canonicalize`, which gets the same list.
    fn canonical_above(&mut self, node: &Node<'_>, list: &str, map: &str) -> Text {
        let given = node.as_super_node().map(|up| ruby::arguments(up.arguments()).0);
        if given.is_some_and(|given| !matches!(given.as_slice(), [_, resources] if ruby::is_local(resources, list))) {
            return no(node, "these arguments are not supported");
        }
        let function = self.own.running.clone().zip(self.methods).and_then(|(running, methods)| {
            methods.request(&Receiver::Super(running), self.attribute, "canonicalize", &[Thing::Context, Thing::Temporary])
        });
        match function {
            Some(function) => Ok(format!("{function}({map})")),
            None => no(node, "the method `canonicalize` that `super` calls is not known here"),
        }
    }

    /// Returns the local that is the only element of the list here: `resources[0]` or `resources.first`.
    pub(super) fn only_element(&self, node: &Node<'_>) -> Option<&str> {
        let (list, element) = self.own.only.as_ref()?;
        let call = node.as_call_node().filter(|c| c.receiver().is_some_and(|of| ruby::is_local(&of, list)) && c.block().is_none())?;
        let given = ruby::arguments(call.arguments()).0;
        let is_first = match (name(&call.name()).as_str(), given.as_slice()) {
            ("first" | "last", []) => true,
            ("[]", [at]) => matches!(self.slice(at).as_str(), "0" | "-1"),
            _ => false,
        };
        is_first.then_some(element)
    }
}

/// The parameter of a block that is the map of a resource.
const RESOURCE: &str = "resource";

/// Returns the `super` that a statement is, assigns to a local, or calls a method of; with that local.
fn super_of<'p>(statement: &Node<'p>) -> Option<(Node<'p>, Option<String>)> {
    let write = statement.as_local_variable_write_node();
    let local = write.as_ref().map(|w| ruby::local(&w.name()));
    let value = write.map(|w| w.value()).or_else(|| returned_value(statement));
    let value = value.as_ref().unwrap_or(statement);
    let receiver = value.as_call_node().and_then(|c| c.receiver());
    let node = receiver.as_ref().filter(|_| local.is_none()).unwrap_or(value);
    let found = match (node.as_super_node(), node.as_forwarding_super_node()) {
        (Some(up), _) if up.block().is_none() => Some(up.as_node()),
        (_, Some(up)) if up.block().is_none() => Some(up.as_node()),
        _ => None,
    };
    found.map(|node| (node, local))
}

impl<'p> Loop<'p> {
    /// Returns the loop over a list that a statement is: `list.each { … }`, `list.map { … }`, `list.each_with_object([]) { … }`; the
    /// last two also as a value that is assigned or returned.
    fn of(statement: &Node<'p>, list: &str) -> Option<Loop<'p>> {
        let write = statement.as_local_variable_write_node();
        let value = write.as_ref().map(|w| w.value()).or_else(|| returned_value(statement));
        let is_statement = value.is_none();
        let assigned = write.map_or_else(String::new, |w| ruby::local(&w.name()));
        let call = value.as_ref().unwrap_or(statement).as_call_node().filter(|c| c.receiver().is_some_and(|of| is_list(&of, list)))?;
        let closure = ruby::block(&call)?;
        let params = ruby::block_params(&closure)?;
        let mut body = ruby::statements(closure.body());
        let at = ruby::at(&closure.location());
        let given = ruby::arguments(call.arguments()).0;
        let is_empty_list = |n: &Node<'_>| n.as_array_node().is_some_and(|a| a.elements().iter().count() == 0);
        let (param, gives, list) = match (name(&call.name()).as_str(), params.as_slice(), given.as_slice()) {
            ("each", [param], []) if is_statement => match body.last().and_then(added).filter(|(to, _)| to != param) {
                Some((to, value)) => (param, Gives::Added(value), to),
                None => (param, Gives::Itself, list.to_owned()),
            },
            ("map!" | "collect!", [param], []) if is_statement => (param, Gives::Last(body.pop()?), list.to_owned()),
            ("map" | "collect", [param], []) => (param, Gives::Last(body.pop()?), assigned),
            ("each_with_object", [param, to], [from]) if is_empty_list(from) => {
                (param, Gives::Added(body.last().and_then(added).filter(|(local, _)| local == to)?.1), assigned)
            }
            _ => return None,
        };
        if matches!(gives, Gives::Added(_)) {
            body.pop();
        }
        Some(Loop { param: param.clone(), at, body, gives, list })
    }
}

/// Returns whether a node is the list, or the one that `super` makes of it.
fn is_list(node: &Node<'_>, list: &str) -> bool {
    ruby::is_local(node, list) || node.as_super_node().is_some() || node.as_forwarding_super_node().is_some()
}

/// Returns the list and the element in `list << element`.
fn added<'p>(node: &Node<'p>) -> Option<(String, Node<'p>)> {
    let call = node.as_call_node().filter(|c| matches!(name(&c.name()).as_str(), "<<" | "push" | "append"))?;
    let (mut plain, named) = ruby::arguments(call.arguments());
    let local = ruby::local(&call.receiver()?.as_local_variable_read_node()?.name());
    Some((local, plain.pop().filter(|_| plain.is_empty() && named.is_empty())?))
}

/// Returns whether a statement makes the empty list that a loop adds to.
fn is_new_list(statement: &Node<'_>, each: &Loop<'_>) -> bool {
    let Some(write) = statement.as_local_variable_write_node().filter(|_| matches!(each.gives, Gives::Added(_))) else { return false };
    ruby::local(&write.name()) == each.list && write.value().as_array_node().is_some_and(|a| a.elements().iter().count() == 0)
}

fn returned_value<'p>(node: &Node<'p>) -> Option<Node<'p>> {
    let mut values: Vec<Node<'p>> = node.as_return_node()?.arguments()?.arguments().iter().collect();
    values.pop().filter(|_| values.is_empty())
}

/// Returns whether a statement at the end returns a list.
fn is_returned(node: &Node<'_>, list: &str) -> bool {
    ruby::is_local(node, list) || returned_value(node).is_some_and(|value| ruby::is_local(&value, list))
}

/// Recognizes `return list if list.empty?`, which changes nothing.
fn is_guard(node: &Node<'_>, list: &str) -> bool {
    let Some(branch) = node.as_if_node().filter(|b| b.subsequent().is_none()) else { return false };
    let inner = ruby::statements(branch.statements().map(|s| s.as_node()));
    let is_empty = |node: &Node<'_>| {
        node.as_call_node().is_some_and(|c| {
            matches!(name(&c.name()).as_str(), "empty?" | "nil?" | "none?")
                && c.arguments().is_none()
                && c.block().is_none()
                && c.receiver().is_some_and(|of| ruby::is_local(&of, list))
        })
    };
    let predicate = branch.predicate();
    let is_either = predicate.as_or_node().is_some_and(|or| is_empty(&or.left()) && is_empty(&or.right()));
    (is_empty(&predicate) || is_either) && matches!(inner.as_slice(), [only] if only.as_return_node().is_some() && is_returned(only, list))
}
