//! Instance variables in Ruby code: where they are read, written and changed in place.

use super::eval::{ClassId, Flow, Method, MethodBody, RubyValue};
use super::items::{ClassItem, LoadedRuby};
use super::known::StaticValue;
use super::known::fixed;
use super::parameters::Parameters;
use super::ruby::{self, ByteRange, name};
use super::state::OF_PUPPET;
use super::things::{FoundMethod, Thing};
use ruby_prism::{DefNode, Node};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A use of an instance variable.
pub(super) struct VariableUse {
    /// Its name without `@`.
    pub variable: String,
    pub is_written: bool,
}

/// Methods without `!` that change their receiver in place.
const CHANGING: &[&str] = &[
    "<<",
    "[]=",
    "push",
    "append",
    "prepend",
    "unshift",
    "shift",
    "pop",
    "insert",
    "concat",
    "delete",
    "delete_at",
    "delete_if",
    "keep_if",
    "store",
    "update",
    "replace",
    "clear",
    "add",
    "force_encoding",
    "setbyte",
    "fill",
    "compare_by_identity",
    "default=",
];

/// Methods that do not change their receiver.
const READING: &[&str] = &[
    "[]", "key?", "has_key?", "include?", "fetch", "dig", "keys", "values", "each", "map", "find", "select", "nil?", "empty?", "first",
    "size", "length", "join", "count", "last", "sort", "uniq", "inspect", "to_s", "to_a", "+", "-", "&", "|", "==", "!=", "=~", "reject",
    "any?", "all?", "none?", "min", "max",
];

/// Methods that return a part of their receiver.
const PARTS: &[&str] = &["[]", "first", "last", "fetch", "dig", "values", "values_at", "find", "detect", "select", "itself"];

impl<'p> LoadedRuby<'_, 'p> {
    /// Returns the uses of instance variables in a part of a file.
    pub(super) fn variables_in(&self, file: usize, within: &ByteRange) -> Vec<VariableUse> {
        self.inside(file, within).iter().filter_map(|(_, node)| used(node)).collect()
    }

    /// Returns the methods of the objects of a class that Ruby code defines.
    pub(super) fn methods_of(&self, class: ClassId) -> Vec<(Rc<DefNode<'p>>, usize)> {
        let ruby = self.ruby.borrow();
        let of_ruby = ruby.classes.ancestors(class).into_iter().filter(|c| !ruby.classes.get(*c).is_native);
        let bodies = of_ruby.flat_map(|of| ruby.classes.get(of).methods.values().map(|m| &m.body));
        let def = |body: &MethodBody<'p>| match body {
            MethodBody::Def { node, file, .. } => Some((Rc::clone(node), *file)),
            _ => None,
        };
        bodies.filter_map(def).collect()
    }

    /// Returns the instance variables of a property that only the methods use which Puppet calls to compare it, in this order, and whose
    /// values only the first ones set.
    pub(super) fn remembered(&self, class: ClassId, items: &[ClassItem<'p>]) -> BTreeSet<String> {
        const SET: &[&str] = &["retrieve", "insync?"];
        const READ: &[&str] = &["is_to_s", "should_to_s", "change_to_s"];
        let defs = self.methods_of(class);
        let methods = defs.iter().map(|(def, file)| (name(&def.name()), *file, ruby::at(&def.location())));
        let blocks = items.iter().filter(|item| item.def.is_none()).map(|item| (item.word.clone(), item.file, item.at.clone()));
        let (mut set, mut others) = (BTreeSet::new(), BTreeSet::new());
        for (method, file, range) in methods.chain(blocks) {
            for used in self.variables_in(file, &range) {
                match (SET.contains(&method.as_str()), READ.contains(&method.as_str()), used.is_written) {
                    (true, _, true) => set.insert(used.variable),
                    (true, _, false) | (_, true, false) => continue,
                    _ => others.insert(used.variable),
                };
            }
        }
        set.retain(|variable| !others.contains(variable) && !OF_PUPPET.contains(&variable.as_str()));
        set
    }

    /// Returns whether only `initialize` sets or changes an instance variable in a file.
    pub fn is_set_once(&self, file: usize, variable: &str) -> bool {
        let nodes = self.nodes(file);
        let is_initialize = |node: &Node<'_>| node.as_def_node().is_some_and(|d| name(&d.name()) == "initialize");
        let inside: Vec<&ByteRange> = nodes.iter().filter(|(_, node)| is_initialize(node)).map(|(range, _)| range).collect();
        let is_it = |node: &Node<'_>| node.as_instance_variable_read_node().is_some_and(|v| name(&v.name()) == variable);
        let changes = |node: &Node<'p>| {
            written_variable(node).as_deref() == Some(variable)
                || node
                    .as_call_node()
                    .is_some_and(|c| !READING.contains(&name(&c.name()).as_str()) && c.receiver().is_some_and(|r| is_it(&r)))
                || node.as_index_or_write_node().is_some_and(|w| w.receiver().is_some_and(|r| is_it(&r)))
                || node.as_index_operator_write_node().is_some_and(|w| w.receiver().is_some_and(|r| is_it(&r)))
        };
        let is_inside = |range: &ByteRange| inside.iter().any(|def| def.start <= range.start && range.end <= def.end);
        !nodes.iter().any(|(range, node)| changes(node) && !is_inside(range))
    }

    /// Returns the instance variables of the objects of a class.
    pub(super) fn variables_of(&self, class: ClassId) -> BTreeSet<String> {
        let methods = self.methods_of(class);
        methods.iter().flat_map(|(def, file)| self.variables_in(*file, &ruby::at(&def.location()))).map(|v| v.variable).collect()
    }

    /// Returns whether only one method uses an instance variable, and `initialize` sets it to nil at most.
    pub(super) fn is_kept_by(&self, class: ClassId, variable: &str, file: usize, method: &ByteRange) -> bool {
        let is_accessor = {
            let ruby = self.ruby.borrow();
            let mut methods = ruby.classes.ancestors(class).into_iter().flat_map(|c| ruby.classes.get(c).methods.values());
            methods.any(|m| match &m.body {
                MethodBody::Reader(of) | MethodBody::Writer(of) => of.trim_start_matches('@') == variable,
                _ => false,
            })
        };
        !is_accessor
            && self.methods_of(class).iter().all(|(def, of)| {
                let range = ruby::at(&def.location());
                if (*of, &range) == (file, method) {
                    return true;
                }
                let uses = self.variables_in(*of, &range).into_iter().filter(|v| v.variable == variable).count();
                let nodes = self.nodes(*of);
                let is_nil = |node: &Node<'_>| {
                    let write = node.as_instance_variable_write_node();
                    write.is_some_and(|w| name(&w.name()).trim_start_matches('@') == variable && w.value().as_nil_node().is_some())
                };
                let nils = nodes.iter().filter(|(at, n)| range.start <= at.start && at.end <= range.end && is_nil(n)).count();
                uses == 0 || (name(&def.name()) == "initialize" && uses == nils)
            })
    }

    /// Returns the instance variables of a module that one of its functions uses to keep what it has computed, which is the same for
    /// every call.
    pub(super) fn kept_in(&self, file: usize, def: &DefNode<'p>, given: &[Thing]) -> BTreeSet<String> {
        let range = ruby::at(&def.location());
        let mut all: BTreeSet<String> = self.variables_in(file, &range).into_iter().filter(|v| v.is_written).map(|v| v.variable).collect();
        let names = Parameters::of(def).names();
        let is_bound = |local: &str| {
            names.iter().position(|n| n == local).is_some_and(|at| matches!(given.get(at), Some(Thing::Resource | Thing::Catalog)))
        };
        all.retain(|variable| {
            let count = |within: &ByteRange| self.variables_in(file, within).into_iter().filter(|v| v.variable == *variable).count();
            count(&(0..usize::MAX)) == count(&range) && self.is_constant(file, &range, variable, &is_bound)
        });
        all
    }

    /// Returns whether what a function computes for a variable depends on none of its arguments but the catalog.
    fn is_constant(&self, file: usize, function: &ByteRange, variable: &str, is_bound: &dyn Fn(&str) -> bool) -> bool {
        let nodes = self.inside(file, function);
        let within = |outer: &ByteRange, at: &ByteRange| outer.start <= at.start && at.end <= outer.end;
        let writes = nodes.iter().filter(|(_, n)| used(n).is_some_and(|u| u.is_written && u.variable == variable));
        writes.map(|(at, _)| at).all(|at| {
            let is_branch = |n: &Node<'p>| n.as_if_node().is_some() || n.as_unless_node().is_some();
            let around = nodes.iter().filter(|(outer, n)| within(function, outer) && within(outer, at) && is_branch(n));
            let or_write = nodes.iter().any(|(of, n)| of == at && n.as_instance_variable_or_write_node().is_some());
            let around = around.map(|(outer, _)| outer).min_by_key(|outer| outer.len()).filter(|_| !or_write);
            let around = if or_write { at } else { around.unwrap_or(function) };
            let inside: Vec<&Node<'p>> = nodes.iter().filter(|(at, _)| within(around, at)).map(|(_, n)| n).collect();
            let reads = |n: &Node<'p>| n.as_local_variable_read_node().map(|l| ruby::local(&l.name()));
            let of_catalog = |n: &Node<'p>| {
                let call = n.as_call_node().filter(|c| name(&c.name()) == "catalog" && c.arguments().is_none())?;
                reads(&call.receiver()?)
            };
            let set = |n: &Node<'p>| {
                let written = n.as_local_variable_write_node().map(|w| ruby::local(&w.name()));
                written.or_else(|| n.as_required_parameter_node().filter(|_| around != function).map(|p| ruby::local(&p.name())))
            };
            let written: BTreeSet<String> = inside.iter().filter_map(|n| set(n)).collect();
            let used = |local: &String| inside.iter().filter(|n| reads(n).as_ref() == Some(local)).count();
            let for_catalog = |local: &String| inside.iter().filter(|n| of_catalog(n).as_ref() == Some(local)).count();
            let is_known = |local: &String| written.contains(local) || is_bound(local) && used(local) == for_catalog(local);
            inside.iter().filter_map(|n| reads(n)).all(|local| is_known(&local))
        })
    }

    /// Returns the instance variables that a method assigns, each with the local that is its value.
    pub(super) fn set_from_locals(&self, file: usize, within: &ByteRange) -> Vec<(String, Option<String>)> {
        let nodes = self.inside(file, within);
        let inside = nodes.iter();
        let set = |node: &Node<'p>| {
            if let Some(write) = node.as_instance_variable_write_node() {
                let local = write.value().as_local_variable_read_node().map(|l| ruby::local(&l.name()));
                return Some((name(&write.name()), local));
            }
            used(node).filter(|u| u.is_written).map(|u| (u.variable, None))
        };
        inside.filter_map(|(_, node)| set(node)).map(|(v, local)| (v.trim_start_matches('@').to_owned(), local)).collect()
    }

    /// Returns the parameters that a method changes in place, itself or with other methods of its class.
    /// `is_unused` says that the result of the method is not used.
    pub(super) fn changed_parameters(&self, file: usize, def: &DefNode<'_>, class: Option<ClassId>, is_unused: bool) -> Vec<String> {
        self.changed_within(file, def, Passed { class, is_unused, depth: MAX_PASSED })
    }

    fn changed_within(&self, file: usize, def: &DefNode<'_>, passed: Passed) -> Vec<String> {
        let key = (file, ruby::at(&def.location()).start, passed);
        if let Some(known) = self.changed.borrow().get(&key) {
            return known.clone();
        }
        let names = self.find_changed(file, def, passed);
        self.changed.borrow_mut().insert(key, names.clone());
        names
    }

    fn find_changed(&self, file: usize, def: &DefNode<'_>, passed: Passed) -> Vec<String> {
        let range = ruby::at(&def.location());
        let nodes = self.inside(file, &range);
        let inside: Vec<&(ByteRange, Node<'p>)> = nodes.iter().collect();
        // `delete` of a text changes nothing: it only does so for certain where its result is not used.
        let mut alone = BTreeSet::new();
        for (_, node) in &inside {
            let all: Vec<Node<'p>> = node.as_statements_node().map(|s| s.body().iter().collect()).unwrap_or_default();
            alone.extend(all.split_last().map(|(_, before)| before).unwrap_or_default().iter().map(|n| ruby::place(n).start));
        }
        let mut names = Parameters::of(def).names();
        names.retain(|parameter| {
            let reads = |n: &Node<'_>| n.as_local_variable_read_node().is_some_and(|l| ruby::local(&l.name()) == *parameter);
            // Other names of the same value: `h = value`.
            let aliases: Vec<String> = inside
                .iter()
                .filter_map(|(_, n)| n.as_local_variable_write_node().filter(|w| reads(&w.value())))
                .map(|w| ruby::local(&w.name()))
                .collect();
            let is_it =
                |n: &Node<'_>| reads(n) || n.as_local_variable_read_node().is_some_and(|l| aliases.contains(&ruby::local(&l.name())));
            let set = inside.iter().filter(|(_, n)| n.as_local_variable_write_node().is_some_and(|w| ruby::local(&w.name()) == *parameter));
            let set = set.map(|(at, _)| at.start).min().unwrap_or(usize::MAX);
            inside.iter().any(|(at, node)| {
                let deletes = node.as_call_node().is_some_and(|c| name(&c.name()) == "delete");
                let is_unused = passed.is_unused || alone.contains(&at.start);
                let is_changed = (!deletes || is_unused) && changed_root(node).is_some_and(|root| is_it(&root));
                at.start < set && (is_changed || self.is_passed_on(node, Passed { is_unused, ..passed }, &is_it))
            })
        });
        names
    }

    /// Returns whether a node is a call of a method of the class that changes such an argument in place.
    fn is_passed_on(&self, node: &Node<'p>, passed: Passed, is_it: &dyn Fn(&Node<'_>) -> bool) -> bool {
        let (Some(call), Some(class), Some(depth)) = (node.as_call_node(), passed.class, passed.depth.checked_sub(1)) else { return false };
        let given = ruby::arguments(call.arguments()).0;
        if call.receiver().is_some_and(|of| of.as_self_node().is_none()) || !given.iter().any(is_it) {
            return false;
        }
        let method = name(&call.name());
        let of_class = || self.class_method(class, &method).map(|(def, file, _)| (def, file));
        let Some((def, file)) = self.object_method(class, &method).or_else(of_class) else { return false };
        let changed = self.changed_within(file, &def, Passed { depth, ..passed });
        Parameters::of(&def).names().iter().zip(&given).any(|(parameter, argument)| is_it(argument) && changed.contains(parameter))
    }

    /// Returns what a method of a class, its own or one that it inherits from Ruby code, answers if that is known; `None` if there is no
    /// such method.
    pub fn answer(&self, class: ClassId, method: &str) -> Option<Option<StaticValue>> {
        let found = self.ruby.borrow().classes.method(class, method, None)?;
        self.answer_of(&found)
    }

    /// Returns the same for a method of the class itself.
    pub fn answer_of_class(&self, class: ClassId, method: &str) -> Option<Option<StaticValue>> {
        let found = self.ruby.borrow().ruby_method(&RubyValue::Class(class), method)?;
        self.answer_of(&found)
    }

    fn answer_of(&self, found: &Method<'p>) -> Option<Option<StaticValue>> {
        let MethodBody::Def { node, file, .. } = &found.body else { return None };
        let frame = self.frame_at(*file, &ruby::at(&node.location()));
        let mut ruby = self.ruby.borrow_mut();
        let value = match ruby.body(&frame, node.body()) {
            Ok(value) | Err(Flow::Return(_, value)) => value,
            Err(_) => return Some(None),
        };
        Some(fixed(&ruby, &value))
    }

    /// Returns a method of the objects of a class, with its file and the class that defines it.
    pub(super) fn method_of(&self, class: ClassId, of: &str) -> Option<(Rc<DefNode<'p>>, usize, ClassId)> {
        let ruby = self.ruby.borrow();
        let method = ruby.classes.method(class, of, None)?;
        match &method.body {
            MethodBody::Def { node, file, .. } if !ruby.classes.get(method.owner).is_native => Some((Rc::clone(node), *file, method.owner)),
            _ => None,
        }
    }

    /// Returns the code of a method that Ruby code defines for the objects of a class: with `def` or `define_method`, or as an alias of a
    /// method of Puppet, whose code is not known.
    pub(super) fn method_code(&self, class: ClassId, of: &str) -> Option<MethodCode> {
        let ruby = self.ruby.borrow();
        let method = ruby.classes.method(class, of, None).filter(|method| !ruby.classes.get(method.owner).is_native)?;
        match &method.body {
            MethodBody::Def { node, file, .. } => Some(MethodCode::At(*file, ruby::at(&node.location()))),
            MethodBody::Proc(code) => Some(code.place().map_or(MethodCode::Unknown, |(file, at)| MethodCode::At(file, at))),
            MethodBody::Native => Some(MethodCode::Unknown),
            MethodBody::Reader(_) | MethodBody::Writer(_) | MethodBody::Undefined => None,
        }
    }

    /// Returns the variable of `attr_reader` or `attr_writer`.
    pub(super) fn accessor(&self, class: ClassId, of: &str) -> Option<FoundMethod> {
        let method = self.ruby.borrow().classes.method(class, of, None)?;
        match &method.body {
            MethodBody::Reader(variable) => Some(FoundMethod::Reader(variable.trim_start_matches('@').to_owned())),
            MethodBody::Writer(variable) => Some(FoundMethod::Writer(variable.trim_start_matches('@').to_owned())),
            _ => None,
        }
    }
}

/// Where a method is defined.
pub(super) enum MethodCode {
    /// Index of the file, and the byte range.
    At(usize, ByteRange),
    Unknown,
}

/// The parameters that methods change in place, by the file and the start of the method and by how arguments are followed from it:
/// without this, methods that call each other would be followed again for each call.
pub(super) type ChangedParameters = BTreeMap<(usize, usize, Passed), Vec<String>>;

/// How an argument is followed through methods.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Passed {
    /// The class of the methods.
    class: Option<ClassId>,
    /// Whether the result of the method is not used.
    is_unused: bool,
    /// How many more methods are looked into.
    depth: usize,
}

fn used(node: &Node<'_>) -> Option<VariableUse> {
    let of = |id: &ruby_prism::ConstantId<'_>, is_written: bool| {
        Some(VariableUse { variable: name(id).trim_start_matches('@').to_owned(), is_written })
    };
    if let Some(read) = node.as_instance_variable_read_node() {
        return of(&read.name(), false);
    }
    if let Some(write) = node.as_instance_variable_write_node() {
        return of(&write.name(), true);
    }
    if let Some(write) = node.as_instance_variable_or_write_node() {
        return of(&write.name(), true);
    }
    if let Some(write) = node.as_instance_variable_and_write_node() {
        return of(&write.name(), true);
    }
    if let Some(write) = node.as_instance_variable_operator_write_node() {
        return of(&write.name(), true);
    }
    if let Some(write) = node.as_instance_variable_target_node() {
        return of(&write.name(), true);
    }
    of(&changed_root(node)?.as_instance_variable_read_node()?.name(), true)
}

/// Returns what a node changes in place, also in a part of it: `@list` in `@list << x` and `@list[0] << x`.
fn changed_root<'p>(node: &Node<'p>) -> Option<Node<'p>> {
    let mut receiver = None;
    if let Some(call) = node.as_call_node() {
        let method = name(&call.name());
        let changes = CHANGING.contains(&method.as_str())
            || method.ends_with('!') && method.len() > 1
            || method.ends_with('=') && !matches!(method.as_str(), "==" | "!=" | "<=" | ">=" | "===");
        receiver = call.receiver().filter(|_| changes);
    }
    receiver = receiver
        .or_else(|| node.as_index_or_write_node().and_then(|w| w.receiver()))
        .or_else(|| node.as_index_and_write_node().and_then(|w| w.receiver()))
        .or_else(|| node.as_index_operator_write_node().and_then(|w| w.receiver()));
    for _ in 0..MAX_CHAIN {
        let inner = receiver?;
        let Some(call) = inner.as_call_node() else { return Some(inner) };
        receiver = call.receiver().filter(|_| PARTS.contains(&name(&call.name()).as_str()));
    }
    None
}

/// Maximum number of methods through which an argument is followed.
const MAX_PASSED: usize = 4;

/// Maximum number of calls in a chain that are looked through.
const MAX_CHAIN: usize = 16;

/// Returns the instance variable that a node assigns.
pub(super) fn written_variable(node: &Node<'_>) -> Option<String> {
    let written = node.as_instance_variable_write_node().map(|w| name(&w.name()));
    let written = written.or_else(|| node.as_instance_variable_or_write_node().map(|w| name(&w.name())));
    let written = written.or_else(|| node.as_instance_variable_and_write_node().map(|w| name(&w.name())));
    let written = written.or_else(|| node.as_instance_variable_operator_write_node().map(|w| name(&w.name())));
    written.or_else(|| node.as_instance_variable_target_node().map(|w| name(&w.name())))
}
