//! Branches, loops, exceptions, and leaving code.

use super::value::{CallArguments, RubyScope, RubyValue, Unknown};
use super::{Eval, Evaluator, Flow, RubyError, RubyFrame};
use crate::ruby::{self, name};
use ruby_prism::{BeginNode, CaseNode, Node, RescueNode};
use std::collections::BTreeMap;
use std::rc::Rc;

impl<'w> Evaluator<'_, 'w> {
    pub(super) fn control(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>) -> Option<Eval<'w>> {
        if let Some(inner) = node.as_parentheses_node() {
            return Some(self.body(frame, inner.body()));
        }
        if let Some(branch) = node.as_if_node() {
            return Some(self.eval(frame, &branch.predicate()).and_then(|test| {
                let (yes, other) = (branch.statements().map(|s| s.as_node()), branch.subsequent());
                self.choose(frame, &test, yes, other)
            }));
        }
        if let Some(branch) = node.as_unless_node() {
            return Some(self.eval(frame, &branch.predicate()).and_then(|test| {
                let (no, yes) = (branch.statements().map(|s| s.as_node()), branch.else_clause().map(|e| e.as_node()));
                self.choose(frame, &test, yes, no)
            }));
        }
        if let Some(other) = node.as_else_node() {
            return Some(self.body(frame, other.statements().map(|s| s.as_node())));
        }
        if let Some(and) = node.as_and_node() {
            return Some(self.eval(frame, &and.left()).and_then(|left| match left.is_true() {
                Some(true) => self.eval(frame, &and.right()),
                _ => Ok(left),
            }));
        }
        if let Some(or) = node.as_or_node() {
            return Some(self.eval(frame, &or.left()).and_then(|left| match left.is_true() {
                Some(false) => self.eval(frame, &or.right()),
                Some(true) => Ok(left),
                // Declarations in `x or newparam …` exist in one of both cases.
                None => {
                    let why = left.unknown().cloned().unwrap_or_else(|| Rc::new(Unknown { reason: String::new(), file: 0, at: 0..0 }));
                    self.in_doubt(frame, &why, |ruby| ruby.eval(frame, &or.right()))?;
                    Ok(left)
                }
            }));
        }
        if let Some(case) = node.as_case_node() {
            return Some(self.case(frame, &case));
        }
        if let Some(begin) = node.as_begin_node() {
            return Some(self.begin(frame, &begin));
        }
        if let Some(rescue) = node.as_rescue_modifier_node() {
            return Some(match self.eval(frame, &rescue.expression()) {
                Err(Flow::Raise(_)) => self.eval(frame, &rescue.rescue_expression()),
                other => other,
            });
        }
        self.leaving(frame, node).or_else(|| self.looping(frame, node)).or_else(|| self.calling(frame, node))
    }

    fn leaving(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>) -> Option<Eval<'w>> {
        let given = if let Some(leave) = node.as_return_node() {
            leave.arguments()
        } else if let Some(leave) = node.as_next_node() {
            leave.arguments()
        } else {
            node.as_break_node()?.arguments()
        };
        let value = self.arguments(frame, given).map(|given| {
            let mut all = given.all();
            if all.len() == 1 {
                all.pop().unwrap_or(RubyValue::Nil)
            } else if all.is_empty() {
                RubyValue::Nil
            } else {
                RubyValue::array(all)
            }
        });
        Some(value.and_then(|value| {
            Err(if node.as_return_node().is_some() {
                Flow::Return(frame.home, value)
            } else if node.as_next_node().is_some() {
                Flow::Next(value)
            } else {
                Flow::Break(frame.breaks, value)
            })
        }))
    }

    fn looping(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>) -> Option<Eval<'w>> {
        let (test, body, wanted, at_least_once) = if let Some(w) = node.as_while_node() {
            (w.predicate(), w.statements(), true, w.is_begin_modifier())
        } else if let Some(u) = node.as_until_node() {
            (u.predicate(), u.statements(), false, u.is_begin_modifier())
        } else if let Some(each) = node.as_for_node() {
            return Some(self.for_each(frame, &each));
        } else {
            return None;
        };
        let id = self.number();
        let inner = RubyFrame { breaks: id, ..frame.clone() };
        let body = body.map(|b| b.as_node());
        let at = ruby::place(node);
        let run = |ruby: &mut Self| {
            let mut first = at_least_once;
            loop {
                if !std::mem::take(&mut first) {
                    let value = ruby.eval(&inner, &test)?;
                    match value.is_true() {
                        Some(is) if is == wanted => {}
                        Some(_) => return Ok(RubyValue::Nil),
                        None => return Ok(value),
                    }
                }
                if let Some(body) = &body {
                    match ruby.eval(&inner, body) {
                        Err(Flow::Next(_)) => {}
                        Err(Flow::Break(of, value)) if of == id => return Ok(value),
                        other => {
                            other?;
                        }
                    }
                } else {
                    ruby.spend(1)?;
                }
            }
        };
        Some(self.within(frame, at, || "this loop".to_owned(), run))
    }

    fn for_each(&mut self, frame: &RubyFrame<'w>, each: &ruby_prism::ForNode<'w>) -> Eval<'w> {
        let of = self.eval(frame, &each.collection())?;
        let Some(items) = self.items_of(&of) else { return Ok(of) };
        let id = self.number();
        let inner = RubyFrame { breaks: id, ..frame.clone() };
        for item in items {
            self.target(&inner, &each.index(), item)?;
            match self.body(&inner, each.statements().map(|s| s.as_node())) {
                Err(Flow::Next(_)) => {}
                Err(Flow::Break(of, value)) if of == id => return Ok(value),
                other => {
                    other?;
                }
            }
        }
        Ok(of)
    }

    fn calling(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>) -> Option<Eval<'w>> {
        if let Some(up) = node.as_super_node() {
            let given = self.arguments(frame, up.arguments());
            return Some(given.and_then(|given| self.super_with(frame, node, given, up.block())));
        }
        if let Some(up) = node.as_forwarding_super_node() {
            let given = frame.method.as_ref().map(|m| m.arguments.clone()).unwrap_or_default();
            return Some(self.super_with(frame, node, given, up.block().map(|block| block.as_node())));
        }
        if let Some(call) = node.as_yield_node() {
            return Some(self.arguments(frame, call.arguments()).and_then(|given| self.yield_call(frame, node, given)));
        }
        if let Some(defined) = node.as_defined_node() {
            return Some(self.is_defined(frame, &defined.value()));
        }
        if let Some(write) = node.as_match_write_node() {
            return Some(self.eval(frame, &write.call().as_node()).inspect(|_| {
                // Named groups become variables; their values are not kept.
                for target in write.targets().iter().filter_map(|t| t.as_local_variable_target_node()) {
                    frame.scope.set(&name(&target.name()), self.unknown(frame, node, "a named group of a match"));
                }
            }));
        }
        None
    }

    /// Runs one of two branches, or both if the condition is not known.
    fn choose(&mut self, frame: &RubyFrame<'w>, test: &RubyValue<'w>, yes: Option<Node<'w>>, no: Option<Node<'w>>) -> Eval<'w> {
        match test.is_true() {
            Some(true) => self.body(frame, yes),
            Some(false) => self.body(frame, no),
            None => {
                let why = match test {
                    RubyValue::Unknown(why) => Rc::clone(why),
                    _ => return Ok(RubyValue::Nil),
                };
                self.each_branch(frame, &why, vec![yes, no])
            }
        }
    }

    /// Runs all branches, of which Ruby would run one. Variables that they leave different are not known afterwards.
    fn each_branch(&mut self, frame: &RubyFrame<'w>, why: &Rc<Unknown>, branches: Vec<Option<Node<'w>>>) -> Eval<'w> {
        let before = variables(&frame.scope);
        let mut after: Vec<Vec<BTreeMap<super::Name, RubyValue<'w>>>> = Vec::new();
        for branch in branches {
            if let Some(branch) = branch {
                self.in_doubt(frame, why, |ruby| ruby.eval(frame, &branch))?;
            }
            after.push(variables(&frame.scope));
            restore(&frame.scope, &before);
        }
        let mut scope = Some(&*frame.scope);
        let mut level = 0;
        while let Some(at) = scope {
            let mut all = at.variables.borrow_mut();
            let names: Vec<super::Name> = after.iter().filter_map(|a| a.get(level)).flat_map(|a| a.keys().cloned()).collect();
            for of in names {
                let values: Vec<Option<&RubyValue<'w>>> = after.iter().map(|a| a.get(level).and_then(|l| l.get(&of))).collect();
                let same = values.windows(2).all(|pair| match pair {
                    [Some(a), Some(b)] => is_same(a, b),
                    _ => false,
                });
                let value = match values.first() {
                    Some(Some(value)) if same => (*value).clone(),
                    _ => RubyValue::Unknown(Rc::clone(why)),
                };
                all.insert(of, value);
            }
            drop(all);
            scope = at.outer.as_deref();
            level += 1;
        }
        Ok(RubyValue::Unknown(Rc::clone(why)))
    }

    fn case(&mut self, frame: &RubyFrame<'w>, case: &CaseNode<'w>) -> Eval<'w> {
        let of = match case.predicate() {
            Some(of) => Some(self.eval(frame, &of)?),
            None => None,
        };
        let whens: Vec<Node<'w>> = case.conditions().iter().collect();
        let otherwise = case.else_clause().and_then(|e| e.statements()).map(|s| s.as_node());
        for (i, when) in whens.iter().enumerate() {
            let Some(when) = when.as_when_node() else { continue };
            for pattern in self.items(frame, when.conditions().iter())? {
                let fits = match &of {
                    Some(of) => self.case_equal(frame, &when.as_node(), &pattern, of)?,
                    None => pattern,
                };
                match fits.is_true() {
                    Some(true) => return self.body(frame, when.statements().map(|s| s.as_node())),
                    Some(false) => {}
                    None => {
                        let RubyValue::Unknown(why) = fits else { continue };
                        let rest = whens.get(i..).unwrap_or_default().iter().filter_map(Node::as_when_node);
                        let mut branches: Vec<Option<Node<'w>>> = rest.map(|w| w.statements().map(|s| s.as_node())).collect();
                        branches.push(otherwise);
                        return self.each_branch(frame, &why, branches);
                    }
                }
            }
        }
        self.body(frame, otherwise)
    }

    fn begin(&mut self, frame: &RubyFrame<'w>, begin: &BeginNode<'w>) -> Eval<'w> {
        let handles = begin.rescue_clause();
        let of_load = handles.as_ref().is_some_and(|r| handles_load_errors(r));
        self.rescues_load += usize::from(of_load);
        let mut result = self.body(frame, begin.statements().map(|s| s.as_node()));
        self.rescues_load -= usize::from(of_load);
        if let Err(Flow::Raise(error)) = result {
            result = match handles {
                Some(handles) => self.rescue(frame, handles, error),
                None => Err(Flow::Raise(error)),
            };
        } else if result.is_ok()
            && let Some(other) = begin.else_clause()
        {
            result = self.body(frame, other.statements().map(|s| s.as_node()));
        }
        if let Some(ensure) = begin.ensure_clause() {
            self.body(frame, ensure.statements().map(|s| s.as_node()))?;
        }
        result
    }

    fn rescue(&mut self, frame: &RubyFrame<'w>, first: RescueNode<'w>, error: RubyError<'w>) -> Eval<'w> {
        let mut next = Some(first);
        while let Some(rescue) = next {
            let mut fits = rescue.exceptions().iter().count() == 0 && is_standard(&error.class);
            for class in self.items(frame, rescue.exceptions().iter())? {
                fits |= match class {
                    RubyValue::Class(class) => self.rescues(&self.classes.get(class).name, &error),
                    // An exception of code that was not read.
                    _ => true,
                };
            }
            if fits {
                if let Some(target) = rescue.reference() {
                    let value = self.error_value(&error);
                    self.target(frame, &target, value)?;
                }
                return self.body(frame, rescue.statements().map(|s| s.as_node()));
            }
            next = rescue.subsequent();
        }
        Err(Flow::Raise(error))
    }

    /// Returns whether `rescue CLASS` handles an error.
    fn rescues(&self, class: &str, error: &RubyError<'w>) -> bool {
        if class == error.class || matches!(class, "Exception" | "Object") || (class == "StandardError" && is_standard(&error.class)) {
            return true;
        }
        if class == "ScriptError" {
            return error.class == "LoadError";
        }
        if class == "NameError" {
            return error.class == "NoMethodError";
        }
        let find = |wanted: &str| self.classes.ids().find(|id| self.classes.get(*id).name == wanted);
        matches!((find(class), find(&error.class)), (Some(of), Some(own)) if self.classes.is_a(own, of))
    }

    fn is_defined(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>) -> Eval<'w> {
        let answer = |is: bool, what: &str| if is { RubyValue::str(what) } else { RubyValue::Nil };
        if let Some(read) = node.as_instance_variable_read_node() {
            return Ok(answer(self.instance_variable(frame, &name(&read.name())).is_some(), "instance-variable"));
        }
        if node.as_constant_read_node().is_some() || node.as_constant_path_node().is_some() {
            let value = self.eval(frame, node)?;
            return Ok(if value.unknown().is_some() { value } else { RubyValue::str("constant") });
        }
        if let Some(call) = node.as_call_node().filter(|c| c.receiver().is_none()) {
            let is = self.ruby_method(&frame.self_value, &name(&call.name())).is_some();
            return Ok(if is { RubyValue::str("method") } else { self.unknown(frame, node, "whether a method exists") });
        }
        if node.as_yield_node().is_some() {
            return Ok(answer(frame.method.as_ref().is_some_and(|m| m.arguments.block.is_some()), "yield"));
        }
        if let Some(read) = node.as_class_variable_read_node() {
            return Ok(answer(self.class_variable(frame, &name(&read.name())).is_some(), "class variable"));
        }
        if let Some(read) = node.as_global_variable_read_node() {
            return Ok(answer(self.globals.contains_key(&name(&read.name())), "global-variable"));
        }
        Ok(RubyValue::str("expression"))
    }

    /// `pattern === value`.
    pub(super) fn case_equal(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        pattern: &RubyValue<'w>,
        value: &RubyValue<'w>,
    ) -> Eval<'w> {
        match (pattern, value) {
            (RubyValue::Unknown(_), _) => Ok(pattern.clone()),
            (_, RubyValue::Unknown(_)) => Ok(value.clone()),
            _ => self.send(frame, node, pattern.clone(), "===", CallArguments::of(vec![value.clone()])),
        }
    }
}

fn handles_load_errors(rescue: &RescueNode<'_>) -> bool {
    let names = |n: &Node<'_>| {
        ruby::constant(n).is_some_and(|c| matches!(c.as_str(), "LoadError" | "ScriptError" | "Exception" | "Puppet::MissingCommand"))
    };
    rescue.exceptions().iter().any(|n| names(&n)) || rescue.subsequent().is_some_and(|next| handles_load_errors(&next))
}

/// Returns whether `rescue` without a class handles an error.
fn is_standard(class: &str) -> bool {
    !matches!(class, "LoadError" | "ScriptError" | "NotImplementedError" | "SystemExit" | "Exception" | "NoMemoryError" | "SecurityError")
}

/// Returns the variables of all scopes, innermost first.
fn variables<'w>(scope: &RubyScope<'w>) -> Vec<BTreeMap<super::Name, RubyValue<'w>>> {
    std::iter::successors(Some(scope), |s| s.outer.as_deref()).map(|s| s.variables.borrow().clone()).collect()
}

fn restore<'w>(scope: &RubyScope<'w>, before: &[BTreeMap<super::Name, RubyValue<'w>>]) {
    for (scope, variables) in std::iter::successors(Some(scope), |s| s.outer.as_deref()).zip(before) {
        scope.variables.borrow_mut().clone_from(variables);
    }
}

/// Returns whether two values are certainly the same.
fn is_same<'w>(a: &RubyValue<'w>, b: &RubyValue<'w>) -> bool {
    match (a, b) {
        (RubyValue::Array(a), RubyValue::Array(b)) => Rc::ptr_eq(a, b),
        (RubyValue::Hash(a), RubyValue::Hash(b)) => Rc::ptr_eq(a, b),
        (RubyValue::Str(a), RubyValue::Str(b)) if Rc::ptr_eq(a, b) => true,
        _ => a.equal(b) == Some(true),
    }
}
