//! Which parameters a method only passes on, to methods that ignore them: the code that it becomes does not need them.

use super::class_functions::is_plain_class;
use super::eval::{ClassId, MethodBody};
use super::items::LoadedRuby;
use super::parameters::Parameters;
use super::ruby::{self, name};
use super::supers::RunningMethod;
use ruby_prism::{CallNode, DefNode, Node};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Whether parameters are ignored, by the file and the start of their method, and by the class that it creates objects of: without this,
/// methods that call each other would be followed again for each call.
pub(super) type IgnoredParameters = BTreeMap<(usize, usize, String, Option<ClassId>), bool>;

/// A method that a call names.
struct CalledMethod<'p> {
    def: Rc<DefNode<'p>>,
    file: usize,
    /// The class of the object that it creates.
    creates: Option<ClassId>,
}

impl<'p> LoadedRuby<'_, 'p> {
    /// Returns whether nothing depends on a parameter of a method; `class` is the class whose objects it creates if it is `initialize`.
    pub(super) fn ignores(&self, file: usize, def: &DefNode<'p>, parameter: &str, class: Option<ClassId>) -> bool {
        self.ignores_within(file, def, parameter, class, MAX_METHODS)
    }

    fn ignores_within(&self, file: usize, def: &DefNode<'p>, parameter: &str, class: Option<ClassId>, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let range = ruby::at(&def.location());
        let key = (file, range.start, parameter.to_owned(), class);
        // A method that calls itself is asked about while it is looked at.
        let known = self.ignored.borrow().get(&key).copied();
        if let Some(known) = known {
            return known;
        }
        self.ignored.borrow_mut().insert(key.clone(), false);
        if self.forwards_to_super(file, def) {
            return false;
        }
        let nodes = self.inside(file, &range);
        let inside = || nodes.iter().map(|(_, node)| node);
        let is_it = |n: &Node<'_>| n.as_local_variable_read_node().is_some_and(|l| ruby::local(&l.name()) == parameter);
        let passed_on = |node: &Node<'p>| {
            if let Some(write) = node.as_instance_variable_write_node().filter(|w| is_it(&w.value())) {
                return usize::from(class.is_some_and(|class| !self.reads_variable(class, &name(&write.name()))));
            }
            let Some(call) = node.as_call_node() else { return 0 };
            let given = ruby::arguments(call.arguments()).0;
            let places = given.iter().enumerate().filter(|(_, argument)| is_it(argument)).map(|(at, _)| at);
            let Some(CalledMethod { def, file, creates }) = self.called(file, &call) else { return 0 };
            let names = Parameters::of(&def).names();
            let is_ignored = |at: usize| names.get(at).is_some_and(|parameter| self.ignores_within(file, &def, parameter, creates, depth));
            places.filter(|at| is_ignored(*at)).count()
        };
        let is_ignored = inside().filter(|n| is_it(n)).count() == inside().map(passed_on).sum::<usize>();
        self.ignored.borrow_mut().insert(key, is_ignored);
        is_ignored
    }

    /// Returns the method that a call on a constant calls; that of `new` is `initialize`.
    fn called(&self, file: usize, call: &CallNode<'p>) -> Option<CalledMethod<'p>> {
        let receiver = call.receiver().filter(|r| ruby::constant(r).is_some())?;
        let class = self.module_at(file, &ruby::place(&receiver))?;
        let method = name(&call.name());
        if method == "new" {
            let is_plain = is_plain_class(&self.ruby.borrow().classes, class);
            let (def, file, _) = self.method_of(class, "initialize").filter(|_| is_plain)?;
            return Some(CalledMethod { def, file, creates: Some(class) });
        }
        let (def, file, _) = self.class_method(class, &method)?;
        Some(CalledMethod { def, file, creates: None })
    }

    /// Returns whether a method of an object, with those that it calls, adds to an instance variable and never reads it.
    pub(super) fn is_only_kept(&self, running: &RunningMethod, variable: &str) -> bool {
        let all = self.methods_of(running.class);
        let (mut called, mut next) = (BTreeSet::new(), vec![running.method.clone()]);
        while let Some(method) = next.pop() {
            if !called.insert(method.clone()) {
                continue;
            }
            for (def, file) in all.iter().filter(|(def, _)| name(&def.name()) == method) {
                let range = ruby::at(&def.location());
                let nodes = self.inside(*file, &range);
                if self.budget.spend(nodes.iter().count() as u64 / NODES).is_none() {
                    return false;
                }
                let (mut reads, mut added) = (0, 0);
                for (_, node) in nodes.iter() {
                    let is_it = |of: &Node<'_>| of.as_instance_variable_read_node().is_some_and(|v| name(&v.name()) == variable);
                    reads += usize::from(is_it(node));
                    if let Some(write) = node.as_instance_variable_or_write_node() {
                        reads += usize::from(name(&write.name()) == variable);
                    }
                    let Some(call) = node.as_call_node() else { continue };
                    let to = name(&call.name());
                    added += usize::from(is_adding(&to) && call.receiver().as_ref().is_some_and(is_it));
                    if to.starts_with("instance_variable") || matches!(to.as_str(), "send" | "public_send" | "method") {
                        return false;
                    }
                    if call.receiver().is_none_or(|of| of.as_self_node().is_some()) {
                        next.push(to);
                    }
                }
                if reads != added {
                    return false;
                }
            }
        }
        true
    }

    /// Returns whether a method of the objects of a class reads an instance variable.
    pub(super) fn reads_variable(&self, class: ClassId, variable: &str) -> bool {
        let bare = variable.trim_start_matches('@');
        let is_reader = {
            let ruby = self.ruby.borrow();
            let mut methods = ruby.classes.ancestors(class).into_iter().flat_map(|c| ruby.classes.get(c).methods.values());
            methods.any(|m| matches!(&m.body, MethodBody::Reader(of) if of.trim_start_matches('@') == bare))
        };
        let reads = |(def, file): &(Rc<DefNode<'p>>, usize)| {
            let nodes = self.inside(*file, &ruby::at(&def.location()));
            if self.budget.spend(nodes.iter().count() as u64 / NODES).is_none() {
                return true;
            }
            nodes.iter().any(|(_, n)| {
                let read = n.as_instance_variable_read_node().map(|v| name(&v.name()));
                let read = read.or_else(|| n.as_instance_variable_or_write_node().map(|v| name(&v.name())));
                let asked = n.as_call_node().is_some_and(|c| name(&c.name()).starts_with("instance_variable"));
                read.is_some_and(|v| v.trim_start_matches('@') == bare) || asked
            })
        };
        is_reader || self.methods_of(class).iter().any(reads)
    }
}

/// Returns whether a method adds to a list or map.
pub(super) fn is_adding(method: &str) -> bool {
    matches!(method, "<<" | "push" | "append" | "[]=")
}

/// Number of nodes that are looked at for a step.
const NODES: u64 = 50;

/// Maximum number of methods through which a parameter is followed.
const MAX_METHODS: usize = 6;
