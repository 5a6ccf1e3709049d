//! Expands declarations as Ruby would when loading the file: loops over known values, mixins, methods that declare attributes,
//! branches for versions of Puppet.

use super::budget::{BudgetFrame, DECLARATION};
use super::known::{Folder, Locals, StaticValue, pay_for};
use super::modules::RubyModules;
use super::ruby::{self, name};
use ruby_prism::{CallNode, Node};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Maximum nesting of methods, mixins and branches.
const MAX_DEPTH: usize = 24;

/// A declaration.
pub struct ClassItem<'p> {
    pub node: Node<'p>,
    /// Index of its file.
    pub file: usize,
    /// The enclosing locals.
    pub known: Rc<Locals>,
    /// Whether it is a method of a mixin, which is only translated if it is called.
    pub mixed_in: bool,
}

/// A class defined within a type.
pub struct NestedClass<'p> {
    pub node: Node<'p>,
    pub file: usize,
}

/// Expands declarations.
pub struct Expander<'a, 'p> {
    modules: &'a RubyModules<'p>,
    /// Methods that may declare something when called.
    methods: BTreeMap<String, (usize, Node<'p>)>,
    called: BTreeSet<String>,
    items: Vec<ClassItem<'p>>,
    classes: BTreeMap<String, NestedClass<'p>>,
    depth: usize,
}

/// The expansion of a body.
pub struct Expanded<'p> {
    pub items: Vec<ClassItem<'p>>,
    pub classes: BTreeMap<String, NestedClass<'p>>,
}

/// Expands the declarations of a body.
pub fn expand<'p>(modules: &RubyModules<'p>, nodes: Vec<Node<'p>>, file: usize, known: &Locals) -> Expanded<'p> {
    let mut expander =
        Expander { modules, methods: BTreeMap::new(), called: BTreeSet::new(), items: Vec::new(), classes: BTreeMap::new(), depth: 0 };
    for node in &nodes {
        if let Some(def) = node.as_def_node().filter(|d| d.receiver().is_some()) {
            let again = def.as_node();
            expander.methods.insert(name(&def.name()), (file, again));
        }
    }
    expander.body(nodes, file, known.clone(), false);
    // A method that only declares is no longer needed.
    let called = expander.called;
    let is_used_up =
        |item: &ClassItem<'p>| item.node.as_def_node().is_some_and(|d| d.receiver().is_some() && called.contains(&name(&d.name())));
    Expanded { items: expander.items.into_iter().filter(|i| !is_used_up(i)).collect(), classes: expander.classes }
}

impl<'p> Expander<'_, 'p> {
    fn body(&mut self, nodes: Vec<Node<'p>>, file: usize, mut known: Locals, mixed_in: bool) {
        if self.depth >= MAX_DEPTH {
            self.modules.budget.exhaust(true);
            return;
        }
        self.depth += 1;
        // A local with several assignments may have changed when a block reads it.
        let mut written = BTreeSet::new();
        let twice: BTreeSet<String> = nodes
            .iter()
            .filter_map(|n| n.as_local_variable_write_node().map(|w| name(&w.name())))
            .filter(|n| !written.insert(n.clone()))
            .collect();
        for node in nodes {
            if self.modules.budget.spend(1).is_none() {
                break;
            }
            if let Some(write) = node.as_local_variable_write_node() {
                let local = name(&write.name());
                if !twice.contains(&local)
                    && let Some(value) = self.fold(&write.value(), file, &known)
                {
                    known.insert(local, value);
                    continue;
                }
            }
            if !self.runs(&node, file, &known) {
                self.push(node, file, &known, mixed_in);
            }
        }
        self.depth -= 1;
    }

    /// Adds a declaration. Literal declarations are free; unrolled ones use steps of the budget.
    fn push(&mut self, node: Node<'p>, file: usize, known: &Locals, mixed_in: bool) {
        let budget = &self.modules.budget;
        if budget.is_unrolling() && budget.spend(DECLARATION).is_none() || pay_for(self.modules, known).is_none() {
            return;
        }
        self.items.push(ClassItem { node, file, known: Rc::new(known.clone()), mixed_in });
    }

    /// Runs `work` inside a loop, method or mixin.
    fn within(&mut self, frame: BudgetFrame, work: impl FnOnce(&mut Self)) {
        let budget = Rc::clone(&self.modules.budget);
        budget.within(frame, || work(self));
    }

    fn fold(&self, node: &Node<'_>, file: usize, known: &Locals) -> Option<StaticValue> {
        let path = self.modules.paths.get(file).map_or("", String::as_str);
        self.modules.budget.computing(BudgetFrame { file, at: ruby::place(node), what: "this value".to_owned() });
        Folder::new(self.modules, path).with(known).value(node)
    }

    /// Expands a statement that is not itself a declaration; returns `false` for declarations.
    fn runs(&mut self, node: &Node<'p>, file: usize, known: &Locals) -> bool {
        if let Some(branch) = node.as_if_node() {
            let Some(test) = self.fold(&branch.predicate(), file, known) else { return false };
            if test.is_true() {
                self.body(ruby::statements(branch.statements().map(|s| s.as_node())), file, known.clone(), false);
            } else if let Some(next) = branch.subsequent() {
                match next.as_else_node() {
                    Some(other) => self.body(ruby::statements(other.statements().map(|s| s.as_node())), file, known.clone(), false),
                    None => self.body(vec![next], file, known.clone(), false),
                }
            }
            return true;
        }
        if let Some(branch) = node.as_unless_node() {
            let Some(test) = self.fold(&branch.predicate(), file, known) else { return false };
            let body = if test.is_true() { branch.else_clause().and_then(|e| e.statements()) } else { branch.statements() };
            self.body(ruby::statements(body.map(|s| s.as_node())), file, known.clone(), false);
            return true;
        }
        if let Some(class) = node.as_class_node() {
            if let Some(path) = ruby::constant(&class.constant_path()) {
                self.classes.insert(path, NestedClass { node: class.as_node(), file });
                return true;
            }
            return false;
        }
        let Some(call) = node.as_call_node() else { return false };
        let method = name(&call.name());
        match (call.receiver(), method.as_str()) {
            (Some(list), "each" | "each_pair" | "each_key" | "each_value") => self.each(&call, &list, &method, file, known),
            (None, "include" | "extend") => {
                let (plain, _) = ruby::arguments(call.arguments());
                let modules: Option<Vec<String>> = plain.iter().map(ruby::constant).collect();
                let Some(modules) = modules.filter(|m| m.iter().all(|m| self.modules.bodies(m, "").is_some())) else { return false };
                for module in modules {
                    let frame = BudgetFrame { file, at: ruby::place(node), what: format!("the module `{module}`") };
                    self.within(frame, |expander| expander.mix(&module, &method));
                }
                true
            }
            (None, _) => self.calls(&call, &method, file, known),
            _ => false,
        }
    }

    fn each(&mut self, call: &CallNode<'p>, list: &Node<'p>, method: &str, file: usize, known: &Locals) -> bool {
        let (Some(list), Some(block)) = (self.fold(list, file, known), ruby::block(call)) else { return false };
        let Some(params) = ruby::block_params(&block) else { return false };
        let rounds: Vec<Vec<StaticValue>> = match (list, method) {
            (StaticValue::List(items), "each") => items
                .into_iter()
                .map(|item| match item {
                    StaticValue::List(inner) if params.len() > 1 => inner,
                    item => vec![item],
                })
                .collect(),
            (StaticValue::Map(pairs), "each" | "each_pair") if params.len() == 2 => pairs.into_iter().map(|(k, v)| vec![k, v]).collect(),
            (StaticValue::Map(pairs), "each_key") => pairs.into_iter().map(|(k, _)| vec![k]).collect(),
            (StaticValue::Map(pairs), "each_value") => pairs.into_iter().map(|(_, v)| vec![v]).collect(),
            _ => return false,
        };
        for round in rounds {
            let mut inner = known.clone();
            let values = round.into_iter().chain(std::iter::repeat(StaticValue::Nil));
            inner.extend(params.iter().cloned().zip(values));
            if pay_for(self.modules, known).is_none() {
                break;
            }
            let frame = BudgetFrame { file, at: ruby::place(&call.as_node()), what: "this loop".to_owned() };
            self.within(frame, |expander| expander.body(ruby::statements(block.body()), file, inner, false));
        }
        true
    }

    /// Expands `include M` or `extend M`.
    fn mix(&mut self, module: &str, how: &str) {
        let Some((full, statements)) = self.modules.statements(module, "") else { return };
        for (file, node) in statements {
            if self.modules.budget.spend(1).is_none() {
                return;
            }
            let Some(def) = node.as_def_node() else { continue };
            let method = name(&def.name());
            if def.receiver().is_none() {
                if how == "extend" {
                    self.methods.insert(method, (file, node));
                } else {
                    self.push(node, file, &Locals::new(), true);
                }
            } else if method == if how == "extend" { "extended" } else { "included" } {
                let param = def.parameters().and_then(|p| p.requireds().iter().next()).and_then(|p| p.as_required_parameter_node());
                let Some(param) = param.map(|p| name(&p.name())) else { continue };
                self.hook(ruby::statements(def.body()), &param, file, &full);
            }
        }
    }

    /// Expands the hook that runs when a module is mixed in: `klass.class_eval do … end`, `klass.extend X`.
    fn hook(&mut self, nodes: Vec<Node<'p>>, class: &str, file: usize, module: &str) {
        for node in nodes {
            let call = node.as_call_node();
            let of_class = call.as_ref().and_then(CallNode::receiver).and_then(|r| r.as_local_variable_read_node());
            if of_class.is_none_or(|r| name(&r.name()) != class) {
                // Methods of a conditional `extend` may be missing, so code that calls them is left untranslated.
                let extends = node.as_if_node().is_some_and(|b| {
                    let inner = ruby::statements(b.statements().map(|s| s.as_node()));
                    inner.iter().all(|n| n.as_call_node().is_some_and(|c| name(&c.name()) == "extend"))
                });
                if !extends {
                    self.push(node, file, &Locals::new(), false);
                }
                continue;
            }
            let Some(call) = call else { continue };
            let (plain, _) = ruby::arguments(call.arguments());
            let mut how = name(&call.name());
            let mut named = plain.iter();
            if how == "send" || how == "public_send" {
                how = named.next().and_then(|n| ruby::symbol(n).or_else(|| ruby::text(n))).unwrap_or_default();
            }
            match (how.as_str(), ruby::block(&call)) {
                ("class_eval" | "instance_eval" | "class_exec", Some(block)) => {
                    self.body(ruby::statements(block.body()), file, Locals::new(), false);
                }
                ("include" | "extend", None) => {
                    for inner in named.filter_map(ruby::constant) {
                        let full = self.modules.bodies(&inner, module).map(|(full, _)| full);
                        let Some(full) = full else { continue };
                        if self.depth >= MAX_DEPTH {
                            self.modules.budget.exhaust(true);
                            return;
                        }
                        self.depth += 1;
                        self.mix(&full, &how);
                        self.depth -= 1;
                    }
                }
                _ => self.push(node, file, &Locals::new(), false),
            }
        }
    }

    /// Expands a call of a method that declares, such as `create_parameters`.
    fn calls(&mut self, call: &CallNode<'p>, method: &str, file: usize, known: &Locals) -> bool {
        let Some((of_file, node)) = self.methods.get(method) else { return false };
        let (of_file, Some(def)) = (*of_file, node.as_def_node()) else { return false };
        let (plain, named) = ruby::arguments(call.arguments());
        if !named.is_empty() || call.block().is_some() {
            return false;
        }
        let mut locals = Locals::new();
        if let Some(list) = def.parameters() {
            let names: Option<Vec<String>> =
                list.requireds().iter().map(|p| p.as_required_parameter_node().map(|p| name(&p.name()))).collect();
            let others = list.optionals().iter().count() + list.posts().iter().count() + list.keywords().iter().count();
            if others > 0 || list.rest().is_some() || list.block().is_some() {
                return false;
            }
            let values: Option<Vec<StaticValue>> = plain.iter().map(|n| self.fold(n, file, known)).collect();
            let (Some(names), Some(values)) = (names, values) else { return false };
            if names.len() != values.len() {
                return false;
            }
            locals.extend(names.into_iter().zip(values));
        } else if !plain.is_empty() {
            return false;
        }
        self.called.insert(method.to_owned());
        let frame = BudgetFrame { file: of_file, at: ruby::at(&def.name_loc()), what: format!("the method `{method}`") };
        self.within(frame, |expander| expander.body(ruby::statements(def.body()), of_file, locals, false));
        true
    }
}
