//! Which methods only read what stays as it is when a type is loaded, so that their result is a constant for its blocks.

use super::eval::{ClassId, HostClass, Method, MethodBody, ProcCode, RubyValue};
use super::items::LoadedRuby;
use super::literals::is_literal;
use super::ruby::{self, ByteRange, name};
use super::type_decl::Reader;
use super::undefined::is_of_puppet;
use super::variables::written_variable;
use ruby_prism::{CallNode, Node, Visit};

/// Class methods that Puppet calls after a type is loaded.
const CALLED_BY_PUPPET: &[&str] = &["instances", "title_patterns", "prefetch", "new", "initvars", "inherited"];

/// Methods without arguments that change nothing and whose results depend on their receivers only.
const READING: &[&str] = &[
    "first",
    "last",
    "begin",
    "end",
    "min",
    "max",
    "size",
    "length",
    "to_s",
    "to_sym",
    "to_i",
    "to_a",
    "to_h",
    "keys",
    "values",
    "empty?",
    "nil?",
    "any?",
    "none?",
    "inspect",
    "upcase",
    "downcase",
    "capitalize",
    "freeze",
    "members",
];

/// Methods that change their receiver in place; those with `!` do, too.
const CHANGING: &[&str] = &[
    "<<",
    "[]=",
    "push",
    "append",
    "unshift",
    "prepend",
    "insert",
    "concat",
    "replace",
    "clear",
    "delete",
    "delete_if",
    "delete_at",
    "keep_if",
    "store",
    "update",
    "add",
    "pop",
    "shift",
    "fill",
    "instance_variable_set",
    "send",
    "public_send",
    "instance_exec",
    "instance_eval",
];

/// Maximum nesting of a node that is looked at.
const MAX_DEPTH: usize = 16;

impl Reader<'_, '_, '_> {
    /// Returns whether a call of a method of an object changes nothing, and gives the same for as long as the type exists.
    pub(super) fn is_plain_call(&self, object: usize, method: &str) -> bool {
        let Some(RubyValue::Object(object)) = self.loaded.ruby.borrow().object_of(object) else { return false };
        self.is_plain_method(object.class, method, MAX_DEPTH)
    }

    fn is_plain_method(&self, class: ClassId, method: &str, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let found = self.loaded.ruby.borrow().classes.method(class, method, None);
        let reads = |of: &str| self.is_plain_method(class, of, depth);
        match found.as_deref() {
            Some(Method { body: MethodBody::Reader(_), .. }) => !self.is_changed(method, true),
            Some(Method { body: MethodBody::Def { node, .. }, .. }) if node.parameters().is_none() => {
                is_only(&ruby::statements(node.body()), &reads)
            }
            Some(Method { body: MethodBody::Proc(_), .. }) => self.is_plain_made(class, method),
            _ => false,
        }
    }

    /// Returns whether `define_method` makes a method from a block that only reads a local or a literal.
    pub(super) fn is_plain_made(&self, class: ClassId, method: &str) -> bool {
        let found = self.loaded.ruby.borrow().classes.method(class, method, None);
        let Some(MethodBody::Proc(made)) = found.as_deref().map(|m| &m.body) else { return false };
        match &made.code {
            ProcCode::Block(block) => {
                let body = ruby::statements(block.body());
                block.parameters().is_none() && is_only(&body, &|_| false) && !self.changes_local_of(made.file, &body)
            }
            _ => false,
        }
    }

    /// Returns whether some code may change a local that one expression reads: closures around it share its locals.
    fn changes_local_of(&self, file: usize, body: &[Node<'_>]) -> bool {
        let mut read = ReadLocals::default();
        body.iter().for_each(|node| read.visit(node));
        let is_read = |of: Option<Node<'_>>| {
            let local = of.and_then(|r| r.as_local_variable_read_node()).map(|l| name(&l.name()));
            local.is_some_and(|local| read.0.contains(&local))
        };
        let nodes = self.loaded.nodes(file);
        let writes = nodes.iter().filter_map(|(_, node)| Some(name(&node.as_local_variable_write_node()?.name())));
        let writes: Vec<String> = writes.filter(|local| read.0.contains(local)).collect();
        let again = read.0.iter().any(|local| writes.iter().filter(|written| *written == local).count() > 1);
        again
            || nodes.iter().any(|(_, node)| {
                let changed = node.as_local_variable_operator_write_node().map(|w| name(&w.name()));
                let changed = changed.or_else(|| node.as_local_variable_or_write_node().map(|w| name(&w.name())));
                let changed = changed.or_else(|| node.as_local_variable_and_write_node().map(|w| name(&w.name())));
                let changed = changed.or_else(|| node.as_local_variable_target_node().map(|w| name(&w.name())));
                changed.is_some_and(|local| read.0.contains(&local))
                    || node.as_call_node().is_some_and(|call| is_changing(&name(&call.name())) && is_read(call.receiver()))
            })
    }

    /// Returns whether a class method only reads an instance variable of the class that no method sets but those that set it while the
    /// type is loaded: none that blocks can call.
    pub(super) fn is_plain_class_method(&self, class: ClassId, method: &str) -> bool {
        let ruby = self.loaded.ruby.borrow();
        let found = ruby.classes.class_method(class, method, None);
        let is_variable = |node: &Node<'_>| node.as_instance_variable_read_node().map(|read| name(&read.name()));
        let variable = match found.as_deref().map(|m| &m.body) {
            Some(MethodBody::Reader(variable)) => Some(variable.to_string()),
            Some(MethodBody::Def { node, .. }) if node.parameters().is_none() => match ruby::statements(node.body()).as_slice() {
                [only] => is_variable(only),
                _ => None,
            },
            _ => None,
        };
        let has_writer = ruby.classes.class_method(class, &format!("{method}="), None).is_some();
        // Providers may set what the class of a type has.
        let of_attribute = matches!(ruby.classes.host(class), Some(HostClass::Property | HostClass::Parameter));
        drop(ruby);
        let is_written_later = has_writer && (!of_attribute || self.is_called_later(&format!("{method}=")));
        let Some(variable) = variable.filter(|_| !is_written_later) else { return false };
        let bare = variable.trim_start_matches('@').to_owned();
        !self.is_changed(method, false) && !self.is_set_later(&format!("@{bare}"))
    }

    /// Returns whether a method sets an instance variable of a class that code may call after the type is loaded: Puppet, other methods, or
    /// blocks by way of the class.
    fn is_set_later(&self, variable: &str) -> bool {
        (0..self.texts.len()).any(|file| {
            let nodes = self.loaded.nodes(file);
            let sets = |node: &Node<'_>| written_variable(node).as_deref() == Some(variable);
            let written: Vec<_> = nodes.iter().filter(|(_, node)| sets(node)).map(|(at, _)| at).collect();
            let defs = nodes.iter().filter_map(|(at, node)| Some((at, node.as_def_node()?)));
            let setters = defs.filter(|(at, _)| written.iter().any(|place| within(place, at))).map(|(_, def)| name(&def.name()));
            setters
                .into_iter()
                .any(|setter| CALLED_BY_PUPPET.contains(&setter.as_str()) || is_of_puppet(&setter) || self.is_called_later(&setter))
        })
    }

    fn is_called_later(&self, method: &str) -> bool {
        (0..self.texts.len()).any(|file| {
            let nodes = self.loaded.nodes(file);
            let calls = nodes.iter().filter_map(|(at, node)| Some((at, node.as_call_node()?))).filter(|(_, c)| name(&c.name()) == method);
            calls.into_iter().any(|(at, call)| {
                let of_other = call.receiver().is_some_and(|r| r.as_self_node().is_none());
                of_other || nodes.iter().any(|(def, node)| node.as_def_node().is_some() && within(at, def))
            })
        })
    }

    /// Returns whether some method sets an instance variable, apart from the one at a place of a file.
    fn is_set_in_methods_but(&self, variable: &str, but: (usize, &ByteRange)) -> bool {
        (0..self.texts.len()).any(|file| {
            let nodes = self.loaded.nodes(file);
            let is_other = |at: &ByteRange| but != (file, at);
            let defs = nodes.iter().filter(|(at, node)| node.as_def_node().is_some() && is_other(at));
            let methods: Vec<_> = defs.map(|(at, _)| at.clone()).collect();
            let sets = |node: &Node<'_>| written_variable(node).as_deref() == Some(variable);
            nodes.iter().any(|(at, node)| sets(node) && methods.iter().any(|def| def.start <= at.start && at.end <= def.end))
        })
    }

    /// Returns whether a class method sets a variable of the class where it is called with a value, as the bodies of classes do, and only
    /// returns it otherwise: `def self.limit(value = nil); @limit = value if value; @limit || 0; end`. Code that runs later calls it
    /// without a value.
    pub(super) fn is_class_setting(&self, class: ClassId, method: &str) -> bool {
        let found = self.loaded.ruby.borrow().classes.class_method(class, method, None);
        let Some(MethodBody::Def { node, file, .. }) = found.as_deref().map(|m| &m.body) else { return false };
        let Some(list) = node.parameters() else { return false };
        let has_optional = list.optionals().iter().next().is_some() || list.rest().is_some();
        let has_others = list.requireds().iter().count() + list.posts().iter().count() + list.keywords().iter().count() > 0;
        if !has_optional || has_others || list.block().is_some() || list.keyword_rest().is_some() {
            return false;
        }
        let place = ruby::at(&node.location());
        let nodes = self.loaded.inside(*file, &place);
        let inside = || nodes.iter().filter(|(at, _)| place.start < at.start).map(|(_, node)| node);
        let variables: Vec<String> = inside().filter_map(written_variable).collect();
        let calls_others = inside().filter_map(|n| n.as_call_node()).any(|c| c.receiver().is_none() || is_changing(&name(&c.name())));
        let sets_later = (0..self.texts.len()).any(|file| {
            self.loaded.nodes(file).iter().filter_map(|(_, node)| node.as_call_node()).any(|call| {
                name(&call.name()) == method && call.arguments().is_some() && call.receiver().is_some_and(|r| r.as_self_node().is_none())
            })
        });
        let is_set = |variable: &String| self.is_set_in_methods_but(variable, (*file, &place));
        !variables.is_empty()
            && self.loaded.only_reads(class, method)
            && !calls_others
            && !sets_later
            && !variables.iter().any(is_set)
            && !self.is_changed(method, true)
    }

    /// Returns whether some code may set what a method reads, or change it in place.
    fn is_changed(&self, method: &str, by_setter: bool) -> bool {
        let setter = format!("{method}=");
        (0..self.texts.len()).any(|file| {
            self.loaded.nodes(file).iter().any(|(_, node)| {
                let is_it = |of: &Node<'_>| of.as_call_node().is_some_and(|c| name(&c.name()) == method);
                let of_it = |of: Option<Node<'_>>| of.as_ref().is_some_and(is_it);
                let sets = node.as_call_operator_write_node().is_some_and(|w| name(&w.read_name()) == method)
                    || node.as_call_or_write_node().is_some_and(|w| name(&w.read_name()) == method)
                    || node.as_call_and_write_node().is_some_and(|w| name(&w.read_name()) == method)
                    || node.as_call_target_node().is_some_and(|w| name(&w.name()) == setter)
                    || node.as_index_operator_write_node().is_some_and(|w| of_it(w.receiver()))
                    || node.as_index_or_write_node().is_some_and(|w| of_it(w.receiver()));
                sets || node.as_call_node().is_some_and(|call| {
                    let called = name(&call.name());
                    by_setter && called == setter || is_changing(&called) && receivers(&call).iter().any(is_it)
                })
            })
        })
    }

    /// Returns whether all code that calls a class method, whose result is a list or map, only asks that: it gives it to no other code, no
    /// block gets parts of it and changes something, and no code changes the variable of that name in place.
    pub(super) fn is_only_read(&self, method: &str) -> bool {
        let is_it = |call: &CallNode<'_>| name(&call.name()) == method && call.arguments().is_none();
        let is_variable =
            |of: &Node<'_>| of.as_instance_variable_read_node().is_some_and(|v| name(&v.name()).trim_start_matches('@') == method);
        (0..self.texts.len()).all(|file| {
            let nodes = self.loaded.nodes(file);
            let calls = || nodes.iter().filter_map(|(at, node)| Some((at, node.as_call_node()?)));
            let changes = |call: &CallNode<'_>| is_changing(&name(&call.name()));
            let leaves = |call: &CallNode<'_>| {
                let place = ruby::block(call).map(|block| ruby::at(&block.location()));
                place.is_none_or(|place| !calls().any(|(at, inside)| within(at, &place) && changes(&inside)))
            };
            let is_it_or = |node: &Node<'_>| self.is_one_of(node, &is_it, ORS);
            let asks = |call: &CallNode<'_>| call.receiver().is_some_and(|of| is_it_or(&of)) && leaves(call);
            let splats = |node: &Node<'_>| node.as_splat_node().and_then(|s| s.expression()).is_some_and(|of| is_it_or(&of));
            let takes = |node: &Node<'_>| {
                let Some(write) = node.as_multi_write_node().filter(|write| is_it_or(&write.value())) else { return false };
                let parts: Vec<_> = write.lefts().iter().filter_map(|part| part.as_local_variable_target_node()).collect();
                parts.len() == write.lefts().iter().count() && !parts.iter().any(|part| self.is_changed_local(file, &name(&part.name())))
            };
            let others = nodes.iter().filter(|(_, node)| splats(node) || takes(node)).count();
            !calls().any(|(_, call)| changes(&call) && receivers(&call).iter().any(is_variable))
                && calls().filter(|(_, call)| is_it(call)).count() == calls().filter(|(_, call)| asks(call)).count() + others
        })
    }

    /// Returns whether a node is a call of interest, or that or something else: `(x || [])`.
    fn is_one_of(&self, node: &Node<'_>, is_it: &impl Fn(&CallNode<'_>) -> bool, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        if let Some(inner) = node.as_parentheses_node() {
            let inner = ruby::statements(inner.body());
            return matches!(inner.as_slice(), [only] if self.is_one_of(only, is_it, depth));
        }
        if let Some(either) = node.as_or_node() {
            return self.is_one_of(&either.left(), is_it, depth);
        }
        node.as_call_node().is_some_and(|call| is_it(&call))
    }

    /// Returns whether some code of the file changes what a local contains.
    pub(super) fn is_changed_local(&self, file: usize, local: &str) -> bool {
        let is_it = |of: &Node<'_>| ruby::is_local(of, local);
        self.loaded.nodes(file).iter().any(|(_, node)| {
            let operator = node.as_index_operator_write_node().and_then(|w| w.receiver());
            let operator = operator.or_else(|| node.as_index_or_write_node().and_then(|w| w.receiver()));
            let operator = operator.or_else(|| node.as_index_and_write_node().and_then(|w| w.receiver()));
            let call = node.as_call_node().filter(|call| is_changing(&name(&call.name())));
            operator.as_ref().is_some_and(is_it) || call.is_some_and(|call| receivers(&call).iter().any(is_it))
        })
    }
}

/// Maximum depth of parentheses around a value.
const ORS: usize = 8;

impl LoadedRuby<'_, '_> {
    /// Returns whether a class method, called without arguments, leaves the variables of all classes that have it as they are.
    fn only_reads(&self, class: ClassId, of: &str) -> bool {
        let mut ruby = self.ruby.borrow_mut();
        let all: Vec<ClassId> = ruby.classes.ids().filter(|id| ruby.classes.is_a(*id, class)).collect();
        all.into_iter().all(|id| {
            let before = ruby.classes.get(id).variables.clone();
            let is_called = ruby.result_of(id, of).is_some();
            let after = &ruby.classes.get(id).variables;
            is_called
                && before.len() == after.len()
                && before.iter().zip(after).all(|(one, other)| one.0 == other.0 && one.1.equal(other.1) == Some(true))
        })
    }
}

/// The locals that code reads.
#[derive(Default)]
pub(super) struct ReadLocals(pub(super) Vec<String>);

impl<'p> Visit<'p> for ReadLocals {
    fn visit_local_variable_read_node(&mut self, node: &ruby_prism::LocalVariableReadNode<'p>) {
        self.0.push(name(&node.name()));
    }
}

pub(super) fn is_changing(method: &str) -> bool {
    CHANGING.contains(&method) || method.ends_with('!') && method != "!"
}

/// Returns whether a method without arguments only reads its receiver.
pub(super) fn is_reading(method: &str) -> bool {
    READING.contains(&method)
}

/// Returns the receivers of a chain of calls, the last one first.
pub(super) fn receivers<'p>(call: &CallNode<'p>) -> Vec<Node<'p>> {
    let mut all: Vec<Node<'p>> = Vec::new();
    let mut next = call.receiver();
    while let Some(of) = next {
        next = of.as_call_node().and_then(|c| c.receiver());
        all.push(of);
    }
    all
}

fn within(place: &ByteRange, outer: &ByteRange) -> bool {
    outer.start <= place.start && place.end <= outer.end
}

/// Returns whether the statements of a method are one expression that changes nothing and takes one way; `reads` are methods of the same
/// object that do so.
fn is_only(body: &[Node<'_>], reads: &dyn Fn(&str) -> bool) -> bool {
    matches!(body, [only] if is_plain(only, reads, MAX_DEPTH))
}

fn is_plain(node: &Node<'_>, reads: &dyn Fn(&str) -> bool, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    if is_literal(node, MAX_DEPTH) || node.as_local_variable_read_node().is_some() {
        return true;
    }
    if let Some(call) = node.as_call_node().filter(|c| c.block().is_none()) {
        let (method, (plain, named)) = (name(&call.name()), ruby::arguments(call.arguments()));
        return match (call.receiver().filter(|r| r.as_self_node().is_none()), plain.as_slice()) {
            (None, []) => named.is_empty() && reads(&method),
            (Some(of), [other]) if matches!(method.as_str(), "==" | "!=") => is_plain(&of, reads, depth) && is_plain(other, reads, depth),
            (Some(of), []) => (method == "!" || is_reading(&method)) && is_plain(&of, reads, depth),
            _ => false,
        };
    }
    if let Some(both) = node.as_and_node() {
        return is_plain(&both.left(), reads, depth) && is_plain(&both.right(), reads, depth);
    }
    if let Some(both) = node.as_or_node() {
        return is_plain(&both.left(), reads, depth) && is_plain(&both.right(), reads, depth);
    }
    false
}
