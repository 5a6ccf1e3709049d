//! Translates methods of Puppet's attributes that an attribute overrides to blocks of the attribute.

use super::attribute::{METHODS, Of};
use super::block::{AttributeContext, BlockTranslator, TERNARY, Text, Untranslated, no};
use super::class_functions::Own;
use super::helpers::{forwarded, gives_list};
use super::items::{ClassItem, Located};
use super::overrides::{ATTRIBUTE, TYPE, blocks_of_hook, declares_attribute, is_attribute_class_hook, is_attribute_hook};
use super::parameters::Parameters;
use super::ruby::{self, name};
use super::state::OF_PUPPET;
use super::supers::RunningMethod;
use super::things::{LEVELS, Receiver};
use super::type_decl::{Fragment, Reader};
use ruby_prism::{CallNode, DefNode, Node};
use std::rc::Rc;

/// Blocks that have no meaning for a parameter.
const COMPARED: &[&str] = &["insync", "is_to_s", "should_to_s", "change_to_s", "retrieve", "sync"];

impl<'p> Reader<'_, '_, 'p> {
    /// Translates `def x … end` in an attribute.
    pub(super) fn attribute_method(&self, node: &ClassItem<'p>, def: &DefNode<'_>, of: &Of<'_>) -> Option<Fragment> {
        let method = node.method().unwrap_or_default();
        let owner = &of.owner;
        // Whether all values match is an option of the attribute.
        if node.is("def self") {
            if declares_attribute(&method) {
                let text = format!("# Left out: `def self.{method}`. Only the class itself calls it, when it is loaded.");
                return Some(self.ready(node, "", text));
            }
            // What `array_matching` returns is an option of the attribute.
            let replaced = is_attribute_class_hook(&method) && method != "array_matching";
            return replaced
                .then(|| self.left(node, ATTRIBUTE, &format!("the method `{method}` of the class of an attribute is replaced")));
        }
        if method == "match_all?" {
            return None;
        }
        if owner.helpers.contains_key(&method) {
            // It is translated as a function of the type.
            return None;
        }
        let def = forwarded(def, node.file, &of.defs);
        // Its `super` calls a method of a class above.
        let running = owner.class.filter(|_| node.is_cut).map(|c| Rc::new(RunningMethod::new(c, &Own::of(Some(owner)), def, node.file)));
        let running = running.as_ref();
        let body = || ruby::statements(def.body());
        let is_desired = matches!(method.as_str(), "should" | "should=");
        let block = METHODS.iter().find(|(theirs, ..)| *theirs == method).map_or_else(|| blocks_of_hook(&method), |(_, ours, _)| *ours);
        if of.param && (is_desired || COMPARED.contains(&block)) {
            return Some(self.ready(node, "", format!("# Left out: `def {method}`. A param is never compared.")));
        }
        // What `should=` stores is not known; a `should` that gives it is part of that.
        let stores = |d: &DefNode<'_>| {
            if owner.nested.flat || name(&d.name()) != "should=" || checks_of_should(d).is_some() {
                return false;
            }
            // Only tried: what it leaves in Ruby is counted where it is translated.
            let left = self.left.take();
            let is_unread = self.stored(d, owner).is_err();
            self.left.replace(left);
            is_unread
        };
        if method == "should" && of.defs.iter().any(|(_, d)| stores(d)) {
            return None;
        }
        let (word, code) = match method.as_str() {
            "initialize" if self.sets_constants(def) => {
                return Some(self.ready(node, "", "# `def initialize` only sets constants, which are written where they are read."));
            }
            "should" if gives_list(def) && owner.all => ("should", Ok("{ |values| values }".to_owned())),
            "should" if gives_list(def) => (owner.should_word(), Ok("{ |values| values }".to_owned())),
            "should" if !owner.nested.words_should(&owner.name, def) => {
                ("should", Err(Untranslated { text: "what is compared is not what this `should` gives".into(), at: node.range() }))
            }
            "should" => (owner.should_word(), self.wanted(owner, "values", body()).map(|c| owner.nested.flattened(c, "values"))),
            "should=" if owner.nested.flat && of.defs.iter().any(|(_, d)| name(&d.name()) == "should") => return None,
            "should=" if let Some(checks) = checks_of_should(def) => {
                let text = match checks.is_empty() {
                    true => "# `def should=` stores what is stored without it.",
                    false => "# `def should=` checks all that is given: see `validate`.",
                };
                return Some(self.ready(node, "", text));
            }
            // What is checked and converted is not known either.
            "should=" => match self.stored(def, owner) {
                Err(reason) => return Some(self.coded(node, ATTRIBUTE, Err(reason))),
                stored => ("should", stored),
            },
            "property_matches?" if owner.all => {
                return Some(self.left(node, "insync", "`property_matches?` of a list is not supported"));
            }
            "property_matches?" => ("compare", self.hook(def, 2, owner, running)),
            "value=" if of.param && !(of.values || of.rules || of.munges || of.kind) => ("override munge", self.assigned_value(def, owner)),
            "default" => ("defaultto", self.hook(def, 0, owner, running)),
            "set" if !of.acts && self.sets_on_provider(def, owner) => {
                return Some(self.ready(node, "", "# `def set` sets the property of the provider, as is done without it."));
            }
            shown if self.scope.joined.contains_key(&owner.name) && self.needs_text(shown, def) => {
                let word = METHODS.iter().find(|(theirs, _, _)| *theirs == method).map_or("validate", |(_, word, _)| *word);
                return Some(self.left(node, word, &format!("`{method}` of a list, which gets it as one text, is not supported")));
            }
            _ => match METHODS.iter().find(|(theirs, _, _)| *theirs == method) {
                // The desired value is not available where the current value is read.
                Some((_, "retrieve", count)) => {
                    ("retrieve", self.hook(def, *count, &AttributeContext { outside: true, ..owner.clone() }, running))
                }
                Some((_, "insync", count)) => {
                    ("insync", self.hook(def, *count, &AttributeContext { compares: true, ..owner.clone() }, running))
                }
                Some((_, ours, count)) => (*ours, self.hook(def, *count, owner, running)),
                None => {
                    let kept = if is_attribute_hook(&method) { blocks_of_hook(&method) } else { "" };
                    let text = format!("the method `{method}` of an attribute is not supported");
                    return Some(self.coded(node, kept, Err(Untranslated { text, at: node.range() })));
                }
            },
        };
        let kept = match word.strip_prefix("override ").unwrap_or(word).trim_end_matches(" shown") {
            "compare" => "insync",
            kept => kept,
        };
        Some(self.coded(node, kept, code.map(|c| format!("{word} {c}"))))
    }

    /// Returns whether a method of a list property gets or gives the desired list as one text, as in Puppet's `Puppet::Property::List`.
    fn needs_text(&self, method: &str, def: &DefNode<'_>) -> bool {
        let body = ruby::without_comments(def.location().as_slice());
        let asks = body.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == "should");
        matches!(method, "should_to_s" | "change_to_s" | "should") || method == "insync?" && asks
    }

    /// Translates `define_method(:insync?) { |is| … }`.
    pub(super) fn made_method(&self, item: &ClassItem<'p>, owner: &AttributeContext) -> Option<Fragment> {
        let method = item.method().unwrap_or_default();
        let hook = METHODS.iter().find(|(theirs, _, _)| *theirs == method);
        let Some(((_, word, count), closure)) = hook.zip(item.closure()) else {
            let is_hook = hook.is_some() || is_attribute_hook(&method);
            return is_hook
                .then(|| self.left(item, blocks_of_hook(&method), &format!("the method `{method}` of an attribute is not supported")));
        };
        let owner = match *word {
            "retrieve" => AttributeContext { outside: true, ..owner.clone() },
            "insync" => AttributeContext { compares: true, ..owner.clone() },
            _ => owner.clone(),
        };
        let code = match closure.params {
            Some(params) => self.code(Some(&owner), params.get(..*count).unwrap_or(&params), closure.body),
            None => Err(Untranslated { text: "a block with such parameters".into(), at: item.at.clone() }),
        };
        let kept = word.strip_prefix("override ").unwrap_or(word);
        Some(self.coded(item, kept, code.map(|c| format!("{word} {c}"))))
    }

    /// Translates the body of a method that Puppet calls with at most `count` arguments, all of them given.
    fn hook(&self, def: &DefNode<'_>, count: usize, owner: &AttributeContext, running: Option<&Rc<RunningMethod>>) -> Text {
        let mut params = Vec::new();
        if let Some(list) = def.parameters() {
            let required = list.requireds().iter().map(|p| p.as_required_parameter_node().map(|p| ruby::local(&p.name())));
            let optional = list.optionals().iter().map(|p| p.as_optional_parameter_node().map(|p| ruby::local(&p.name())));
            let names: Option<Vec<String>> = required.chain(optional).collect();
            let fancy = list.posts().iter().count() + list.keywords().iter().count();
            // What a `*` without a name takes, nothing reads.
            let has_rest = list.rest().is_some_and(|r| r.as_rest_parameter_node().is_none_or(|r| r.name().is_some()));
            let fancy = fancy > 0 || has_rest || list.keyword_rest().is_some() || list.block().is_some();
            let Some(names) = names.filter(|_| !fancy) else {
                return Err(Untranslated { text: "parameters of variable number".into(), at: ruby::at(&list.location()) });
            };
            // A block may have fewer parameters than the method.
            params.extend(names.into_iter().take(count));
        }
        self.block(Some(owner), |block| {
            block.own.running = running.cloned();
            block.whole(&params, ruby::statements(def.body()))
        })
    }

    /// Translates `validate` of a type, which may assign attributes in Puppet.
    pub(super) fn rules(&self, node: &ClassItem<'p>, body: Vec<Node<'_>>) -> Fragment {
        let (code, writes) = self.block(None, |block| (block.whole(&[], body), !block.writes.is_empty()));
        let word = if writes { "finalize" } else { "validate" };
        self.coded(node, "validate", code.map(|c| format!("{word} {c}")))
    }

    /// Returns whether a method only forwards to the provider, like `def create; provider.create; end`, which is the default.
    pub(super) fn forwards(&self, def: &DefNode<'_>) -> bool {
        let method = name(&def.name());
        let body = ruby::statements(def.body());
        let [only] = body.as_slice() else { return false };
        let Some(call) = only.as_call_node().filter(|c| name(&c.name()) == method && c.arguments().is_none()) else { return false };
        let to_provider = self.block(None, |block| call.receiver().is_some_and(|of| block.is_provider(&of)));
        to_provider && matches!(method.as_str(), "create" | "destroy" | "exists?" | "flush")
    }

    /// Recognizes `def set(value); provider.x = value; end` of the property `x`.
    fn sets_on_provider(&self, def: &DefNode<'_>, owner: &AttributeContext) -> bool {
        let body = ruby::statements(def.body());
        let params = ruby::def_params(def).unwrap_or_default();
        let ([only], [param]) = (body.as_slice(), params.as_slice()) else { return false };
        let Some(call) = only.as_call_node().filter(|c| name(&c.name()) == format!("{}=", owner.name)) else { return false };
        let given = ruby::arguments(call.arguments()).0;
        let is_param = |n: &Node<'_>| n.as_local_variable_read_node().is_some_and(|l| ruby::local(&l.name()) == *param);
        matches!(given.as_slice(), [one] if is_param(one))
            && self.block(Some(owner), |block| call.receiver().is_some_and(|of| block.is_provider(&of)))
    }

    /// Returns whether a `generate` creates no resources and only sets attributes of classes of providers.
    pub(super) fn configures_providers(&self, def: &DefNode<'_>, body: &[Node<'_>]) -> bool {
        let is_empty = |n: &Node<'_>| n.as_array_node().is_some_and(|list| list.elements().iter().count() == 0);
        if !body.last().is_some_and(is_empty) {
            return false;
        }
        let range = ruby::at(&def.location());
        let nodes = self.loaded.inside(self.file, &range);
        let inside = nodes.iter().filter(|(at, _)| range.start < at.start);
        let mut sets = false;
        let mut finds_provider = false;
        for (_, node) in inside {
            let leaves = node
                .as_return_node()
                .is_some_and(|leave| leave.arguments().is_some_and(|given| !given.arguments().iter().all(|one| is_empty(&one))));
            if leaves || node.as_instance_variable_write_node().is_some() || node.as_yield_node().is_some() {
                return false;
            }
            let Some(call) = node.as_call_node() else { continue };
            let method = name(&call.name());
            let local = call.receiver().is_some_and(|r| r.as_local_variable_read_node().is_some());
            let of_self = call.receiver().is_none_or(|r| r.as_self_node().is_some());
            finds_provider |= method == "provider" && call.receiver().is_some_and(|r| finds_type(&r));
            if call.is_attribute_write() && method != "[]=" && local {
                sets = true;
            } else if call.is_attribute_write() || method.ends_with('!') || of_self && !matches!(method.as_str(), "[]" | "value" | "debug")
            {
                return false;
            }
        }
        sets && finds_provider
    }

    /// Translates an `eval_generate` that changes a resource of the catalog and returns it: the attributes are merged.
    pub(super) fn late(&self, node: &ClassItem<'p>, body: &[Node<'_>]) -> Fragment {
        let code = self.block(None, |block| {
            block.late = Some(String::new());
            let lines = block.body(body, true)?;
            let hoisted: String = block.hoisted.iter().map(|h| format!("let {h} = nil\n")).collect();
            Ok(format!("{{\nlet changes = {{}}\n{hoisted}{lines}\n}}"))
        });
        self.coded(node, "eval_generate", code.map(|c| format!("eval_generate {c}")))
    }

    /// Translates `def exists?` of a type, which is used if the provider has no such method.
    pub(super) fn exists(&self, node: &ClassItem<'p>, body: Vec<Node<'_>>) -> Fragment {
        let code = match <[Node<'_>; 1]>::try_from(body) {
            Ok([only]) => self.block(None, |block| block.condition(&only, 2)),
            Err(_) => Err(Untranslated { text: "the method `exists?` of this form is not supported".into(), at: node.range() }),
        };
        let text = code.map(|test| format!("retrieve {{ provider.has?(:exists?) ? super : {test} ? :present : :absent }}"));
        self.coded(node, "retrieve", text)
    }

    /// Returns whether a statement sets an instance variable that nothing else sets to a constant, which its readers know.
    fn sets_constant(&self, statement: &Node<'_>) -> bool {
        let write = statement.as_instance_variable_write_node();
        write.is_some_and(|write| self.initial_value(&name(&write.name())).is_some())
    }

    /// Returns whether `initialize` of an attribute sets only constants after `super`.
    fn sets_constants(&self, def: &DefNode<'_>) -> bool {
        // Puppet gives it `resource:`, which Ruby 3 does not pass on as a hash.
        let parameters = Parameters::of(def);
        if parameters.keyword_rest.is_none() && !parameters.keywords.iter().any(|(keyword, _)| keyword == "resource") {
            return false;
        }
        let body = ruby::statements(def.body());
        let is_own = |n: &Node<'_>| {
            let variable = n.as_instance_variable_write_node().map(|w| name(&w.name()));
            self.sets_constant(n) && variable.is_some_and(|v| !OF_PUPPET.contains(&v.trim_start_matches('@')))
        };
        let rest: Vec<&Node<'_>> = body.iter().filter(|n| !is_own(n)).collect();
        matches!(rest.as_slice(), [up] if up.as_forwarding_super_node().is_some())
    }

    /// Translates `def initialize(*args); super; …`, which runs after all attributes are set and all rules have passed.
    pub(super) fn initialize(&self, node: &ClassItem<'p>, mut body: Vec<Node<'_>>) -> Fragment {
        body.retain(|statement| !self.sets_constant(statement));
        let begins = body.first().is_some_and(|n| n.as_forwarding_super_node().is_some() || n.as_super_node().is_some());
        if !begins {
            let text = "the method `initialize` of Puppet's types is replaced".to_owned();
            return self.coded(node, TYPE, Err(Untranslated { text, at: node.range() }));
        }
        let rest = body.split_off(1);
        self.coded(node, "finalize", self.code(None, &[], rest).map(|c| format!("finalize {c}")))
    }

    /// Translates `def should`, where `@should` is the list of desired values.
    fn wanted(&self, owner: &AttributeContext, values: &str, body: Vec<Node<'_>>) -> Text {
        self.block(Some(owner), |block| {
            block.wanted = Some(values.to_owned());
            block.whole(&[values.to_owned()], body)
        })
    }

    /// Translates `def value=(value); @value = …; end` of a parameter, which neither checks nor converts the value in another way.
    fn assigned_value(&self, def: &DefNode<'_>, owner: &AttributeContext) -> Text {
        let node = def.as_node();
        let unknown = || Err(Untranslated { text: "the method `value=` of this form is not supported".into(), at: ruby::place(&node) });
        let Some(list) = def.parameters() else { return unknown() };
        let one: Vec<_> = list.requireds().iter().filter_map(|p| p.as_required_parameter_node().map(|p| ruby::local(&p.name()))).collect();
        let rest = list.rest().and_then(|r| r.as_rest_parameter_node()).and_then(|r| r.name()).map(|n| ruby::local(&n));
        let is_plain = list.optionals().iter().count() + list.posts().iter().count() + list.keywords().iter().count() == 0;
        let body = ruby::statements(def.body());
        let ([only], true) = (body.as_slice(), is_plain) else { return unknown() };
        let Some(write) = only.as_instance_variable_write_node().filter(|w| name(&w.name()) == "@value") else { return unknown() };
        match (one.as_slice(), rest) {
            ([value], None) => self.block(Some(owner), |block| block.whole(std::slice::from_ref(value), vec![write.value()])),
            ([], Some(values)) => {
                let code = self.block(Some(owner), |block| block.whole(std::slice::from_ref(&values), vec![write.value()]))?;
                let bars = format!("{{ |{values}| ");
                let Some(rest) = code.strip_prefix(&bars) else { return unknown() };
                Ok(format!("{bars}\n{values} = [{values}]\n{rest}"))
            }
            _ => unknown(),
        }
    }

    /// Translates `def should=(values); @should = super(values).sort; end`.
    fn stored(&self, def: &DefNode<'_>, owner: &AttributeContext) -> Text {
        let node = def.as_node();
        let unknown = || Err(Untranslated { text: "the method `should=` of this form is not supported".into(), at: ruby::place(&node) });
        let body = ruby::statements(def.body());
        let params: Vec<_> = def.parameters().map(|p| p.requireds().iter().collect()).unwrap_or_default();
        let [param] = params.as_slice() else { return unknown() };
        let Some(param) = param.as_required_parameter_node().filter(|_| owner.all || owner.list) else { return unknown() };
        let param = ruby::local(&param.name());
        let is_param = |n: &Node<'_>| n.as_local_variable_read_node().is_some_and(|l| ruby::local(&l.name()) == param);
        if body.first().is_some_and(|first| stores_argument(first, &is_param)) && body.len() > 1 {
            let lines = self.block(Some(owner), |block| {
                block.wanted = Some(param.clone());
                block.locals.push(param.clone());
                let changes: Text<Vec<String>> = body.iter().skip(1).map(|node| block.stored_change(node, &param)).collect();
                if block.hoisted.is_empty() { changes } else { no(&node, "an assignment within an expression is not supported") }
            })?;
            let lines: Vec<&String> = lines.iter().filter(|line| !line.is_empty()).collect();
            let lines: String = lines.into_iter().map(|line| format!("{line}\n")).collect();
            return Ok(format!("{{ |{param}|\n{lines}{param}\n}}"));
        }
        let [only] = body.as_slice() else { return unknown() };
        let Some(write) = only.as_instance_variable_write_node().filter(|w| name(&w.name()) == "@should") else { return unknown() };
        self.block(Some(owner), |block| {
            block.stored = Some(param.clone());
            block.whole(&[param], vec![write.value()])
        })
    }
}

impl BlockTranslator<'_> {
    /// Returns whether a method that Puppet defines for all attributes is one of Ruby code here.
    pub(super) fn is_own_hook(&self, method: &str) -> bool {
        let is_hook = matches!(method, "format" | "fail" | "log");
        let owner = self.attribute.filter(|of| is_hook && !of.is_module && !of.is_object);
        owner.is_some() && self.methods.is_some_and(|methods| methods.find(&Receiver::Own, owner, method).is_some())
    }

    /// Translates a statement that changes `@should` after it was stored.
    fn stored_change(&mut self, node: &Node<'_>, values: &str) -> Text {
        let is_should = |n: &Node<'_>| n.as_instance_variable_read_node().is_some_and(|v| name(&v.name()) == "@should");
        let unknown = || no(node, "the method `should=` of this form is not supported");
        if is_should(node) {
            return Ok(String::new());
        }
        if let Some(write) = node.as_instance_variable_write_node().filter(|w| name(&w.name()) == "@should") {
            return Ok(format!("{values} = {}", self.expr(&write.value(), TERNARY)?));
        }
        if let Some(branch) = node.as_if_node().filter(|b| b.subsequent().is_none()) {
            let inner = ruby::statements(branch.statements().map(|s| s.as_node()));
            let [only] = inner.as_slice() else { return unknown() };
            let test = self.condition(&branch.predicate(), TERNARY)?;
            let change = self.deeper(node, |block| block.stored_change(only, values))?;
            return Ok(format!("{change} if {test}"));
        }
        let is_message = |c: &CallNode<'_>| LEVELS.contains(&name(&c.name()).as_str());
        if only_fails(node) || node.as_call_node().is_some_and(|c| is_message(&c)) {
            return self.statement(node, false, false);
        }
        let Some(call) = node.as_call_node().filter(|c| c.receiver().is_some_and(|of| is_should(&of))) else { return unknown() };
        let method = name(&call.name());
        match method.strip_suffix('!') {
            Some(bare) if CHANGE_LISTS.contains(&bare) => Ok(format!("{values} = {values}.{bare}{}", self.call_rest(&call)?)),
            _ => unknown(),
        }
    }
}

/// Methods of lists whose result is what those with `!` make of the list.
const CHANGE_LISTS: &[&str] = &["sort", "sort_by", "uniq", "flatten", "compact", "map", "select", "reject", "reverse"];

/// Recognizes the statement of a `should=` that stores its argument: `super`, `super(values)`.
fn stores_argument(node: &Node<'_>, is_param: &dyn Fn(&Node<'_>) -> bool) -> bool {
    let write = node.as_instance_variable_write_node().filter(|w| name(&w.name()) == "@should");
    passes_argument(node, is_param) || write.is_some_and(|w| passes_argument(&w.value(), is_param))
}

/// Recognizes `super` and `super(values)`.
fn passes_argument(node: &Node<'_>, is_param: &dyn Fn(&Node<'_>) -> bool) -> bool {
    let plain = node.as_super_node().map(|s| ruby::arguments(s.arguments()).0);
    node.as_forwarding_super_node().is_some_and(|s| s.block().is_none())
        || plain.is_some_and(|p| matches!(p.as_slice(), [one] if is_param(one)))
}

/// Recognizes a `should=` that only stores its argument with `super`, and checks it. Returns the checks, which follow.
pub(super) fn checks_of_should<'p>(def: &DefNode<'p>) -> Option<Vec<Node<'p>>> {
    let params = ruby::def_params(def)?;
    let [param] = params.as_slice() else { return None };
    let is_param = |n: &Node<'_>| n.as_local_variable_read_node().is_some_and(|l| ruby::local(&l.name()) == *param);
    let body = ruby::statements(def.body());
    let at = body.iter().position(|n| passes_argument(n, &is_param))?;
    let mut checks = Vec::new();
    for (i, node) in body.into_iter().enumerate() {
        let is_stored = is_param(&node) || node.as_instance_variable_read_node().is_some_and(|v| name(&v.name()) == "@should");
        if i == at || i > at && is_stored || i < at && wraps(&node, &is_param) {
            continue;
        }
        if i < at || !only_fails(&node) {
            return None;
        }
        checks.push(node);
    }
    Some(checks)
}

/// Recognizes `value = [value] if value.is_a?(Hash)`: `should=` makes a list of what is none.
fn wraps(node: &Node<'_>, is_param: &dyn Fn(&Node<'_>) -> bool) -> bool {
    let Some(branch) = node.as_if_node().filter(|b| b.subsequent().is_none()) else { return false };
    let inner = ruby::statements(branch.statements().map(|s| s.as_node()));
    let test = branch.predicate().as_call_node().filter(|c| matches!(name(&c.name()).as_str(), "is_a?" | "kind_of?"));
    let class = test.as_ref().and_then(|c| ruby::arguments(c.arguments()).0.first().and_then(ruby::constant));
    let is_single = matches!(class.as_deref(), Some("Hash" | "String" | "Symbol" | "Integer"));
    is_single
        && test.and_then(|c| c.receiver()).is_some_and(|of| is_param(&of))
        && matches!(inner.as_slice(), [only] if only.as_local_variable_write_node().is_some_and(|w| {
            w.value().as_array_node().is_some_and(|list| {
                let all: Vec<Node<'_>> = list.elements().iter().collect();
                matches!(all.as_slice(), [one] if is_param(one))
            })
        }))
}

/// Recognizes `raise … if …` and `raise … unless …`.
fn only_fails(node: &Node<'_>) -> bool {
    let statements = match (node.as_if_node(), node.as_unless_node()) {
        (Some(branch), _) if branch.subsequent().is_none() => branch.statements(),
        (_, Some(branch)) if branch.else_clause().is_none() => branch.statements(),
        _ => return false,
    };
    let inner = ruby::statements(statements.map(|s| s.as_node()));
    matches!(inner.as_slice(), [only] if only.as_call_node().is_some_and(|c| matches!(name(&c.name()).as_str(), "raise" | "fail")))
}

/// Recognizes a `set_sensitive_parameters` that does no more than make attributes sensitive. Returns those that it makes sensitive
/// though others are given as secrets; what is given as one is hidden anyway.
pub(super) fn hidden(body: &[Node<'_>]) -> Option<Vec<String>> {
    let mut all = Vec::new();
    let is_known = body.iter().all(|node| hides(node, &[], &mut all));
    all.sort();
    all.dedup();
    is_known.then_some(all)
}

/// As [`hidden`], for a statement that is reached if the `given` attributes are secrets.
fn hides(node: &Node<'_>, given: &[String], all: &mut Vec<String>) -> bool {
    if let Some(up) = node.as_super_node() {
        return ruby::arguments(up.arguments()).0.iter().all(|list| adds_names(list, all));
    }
    if node.as_forwarding_super_node().is_some() {
        return true;
    }
    if let Some(branch) = node.as_if_node() {
        let mut inside = given.to_vec();
        let test = branch.predicate();
        if !asks_for_secrets(&test, &mut inside) {
            return false;
        }
        let other = branch.subsequent().and_then(|n| n.as_else_node()).and_then(|e| e.statements());
        let no_other = branch.subsequent().is_none_or(|n| n.as_else_node().is_some());
        return no_other
            && ruby::statements(branch.statements().map(|s| s.as_node())).iter().all(|n| hides(n, &inside, all))
            && ruby::statements(other.map(|s| s.as_node())).iter().all(|n| hides(n, given, all));
    }
    // `list -= [:x]` and `list = list.reject { … }` change what `super` gets.
    if let Some(write) = node.as_local_variable_operator_write_node() {
        return name(&write.binary_operator()) == "-" || adds_names(&write.value(), all);
    }
    if let Some(write) = node.as_local_variable_write_node() {
        return adds_names(&write.value(), all);
    }
    let Some(call) = node.as_call_node() else { return false };
    let method = name(&call.name());
    let plain = ruby::arguments(call.arguments()).0;
    if method != "sensitive=" {
        let of_local = call.receiver().is_some_and(|r| r.as_local_variable_read_node().is_some());
        let adds = matches!(method.as_str(), "concat" | "push" | "<<") && plain.iter().all(|list| adds_names(list, all));
        return of_local && (method == "delete" || adds);
    }
    let sets = plain.first().is_some_and(|v| v.as_true_node().is_some());
    let Some(attribute) = call.receiver().as_ref().and_then(parameter).filter(|_| sets) else { return false };
    if !given.contains(&attribute) {
        all.push(attribute);
    }
    true
}

/// Returns `x` of `parameter(:x)` and `property(:x)`.
fn parameter(node: &Node<'_>) -> Option<String> {
    let call = node.as_call_node().filter(|c| matches!(name(&c.name()).as_str(), "parameter" | "property"))?;
    let of_self = call.receiver().is_none_or(|r| r.as_self_node().is_some());
    ruby::arguments(call.arguments()).0.first().and_then(ruby::symbol).filter(|_| of_self)
}

/// Recognizes a condition that asks which attributes there are and which of them are secrets; adds one that is if it is true.
fn asks_for_secrets(test: &Node<'_>, given: &mut Vec<String>) -> bool {
    if let Some(and) = test.as_and_node() {
        return asks_for_secrets(&and.left(), given) && asks_for_secrets(&and.right(), given);
    }
    if parameter(test).is_some() {
        return true;
    }
    let Some(call) = test.as_call_node() else { return false };
    let of_list = call.receiver().is_some_and(|r| r.as_local_variable_read_node().is_some());
    let asked = ruby::arguments(call.arguments()).0.first().and_then(ruby::symbol);
    match (name(&call.name()).as_str(), asked) {
        ("include?" | "member?", Some(attribute)) if of_list => {
            given.push(attribute);
            true
        }
        _ => false,
    }
}

/// Recognizes expressions of a list of names, such as `list - [:x]`; adds those that it names itself.
fn adds_names(node: &Node<'_>, all: &mut Vec<String>) -> bool {
    if node.as_local_variable_read_node().is_some() {
        return true;
    }
    if let Some(symbol) = ruby::symbol(node) {
        all.push(symbol);
        return true;
    }
    if let Some(list) = node.as_array_node() {
        return list.elements().iter().all(|n| adds_names(&n, all));
    }
    let Some(call) = node.as_call_node() else { return false };
    let plain = ruby::arguments(call.arguments()).0;
    let is_known = match name(&call.name()).as_str() {
        "+" | "|" => plain.iter().all(|n| adds_names(n, all)),
        "-" | "dup" | "reject" | "select" => true,
        _ => false,
    };
    is_known && call.receiver().is_some_and(|r| adds_names(&r, all))
}

/// Recognizes `Puppet::Type.type(…)`.
fn finds_type(node: &Node<'_>) -> bool {
    let call = node.as_call_node().filter(|c| name(&c.name()) == "type");
    call.and_then(|c| c.receiver()).as_ref().and_then(ruby::constant).is_some_and(|c| c.trim_start_matches("::") == "Puppet::Type")
}

/// Returns whether a method does nothing but call the one that it replaces.
pub(super) fn calls_only_super(body: &[Node<'_>]) -> bool {
    matches!(body, [only] if only.as_forwarding_super_node().is_some() || only.as_super_node().is_some_and(|s| s.arguments().is_none()))
}
