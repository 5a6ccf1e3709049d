//! Translates helper methods of types and attributes to functions of the type.

use super::attribute::METHODS;
use super::block::{AttributeContext, Text, TypeScope, Untranslated};
use super::class_functions::Own;
use super::items::{ClassItem, Located};
use super::nested::Nested;
use super::overrides::{is_attribute_hook, is_type_hook};
use super::parameters::Parameters;
use super::ruby::{self, name};
use super::supers::RunningMethod;
use super::type_decl::{Fragment, Reader};
use indexmap::IndexSet;
use rtype_lang::types::builtin::Function;
use ruby_prism::{DefNode, Node};
use std::collections::BTreeMap;
use std::rc::Rc;

impl TypeScope {
    /// Records the helper methods of an attribute. If a name is taken, it is prefixed with that of the attribute.
    pub(super) fn add_helpers(&mut self, attribute: &str, items: &[ClassItem<'_>]) {
        for method in items.iter().filter(|i| i.is("def")).filter_map(ClassItem::method) {
            let known = METHODS.iter().any(|(theirs, _, _)| *theirs == method);
            if known || is_attribute_hook(&method) || method.ends_with('=') {
                continue;
            }
            let word = self.function_word(&method);
            let taken = self.functions.contains(&method) || self.functions.contains(&word) || self.helpers.values().any(|h| *h == word);
            let function = if taken { format!("{attribute}_{word}") } else { word };
            self.helpers.insert((attribute.to_owned(), method), function);
        }
        // Other blocks may convert a value as this one does.
        if items.iter().any(|i| i.is("munge") && i.closure().is_some() || converts_itself(i)) {
            self.helpers.insert((attribute.to_owned(), "munge".to_owned()), format!("{attribute}_munge"));
        }
    }

    /// Returns the name of the function that a method becomes: in the language none ends with `!`, and a function with the name of a
    /// built-in one would take its place in the blocks that call the built-in one.
    pub(super) fn function_word(&self, method: &str) -> String {
        let Some(bare) = method.strip_suffix('!') else {
            let is_builtin = Function::named(method).is_some();
            return if is_builtin { format!("{}_{method}", self.type_name) } else { method.to_owned() };
        };
        let is_taken = self.functions.contains(bare)
            || self.attributes.contains(bare)
            || self.helpers.keys().any(|(_, helper)| helper == bare)
            || is_type_hook(bare)
            || is_attribute_hook(bare)
            || Function::named(bare).is_some();
        if is_taken { format!("{bare}_or_fail") } else { bare.to_owned() }
    }

    /// Returns the attribute that `self[:name]` refers to.
    pub(super) fn name_of(&self) -> &str {
        // One of several namevars may be called `name`.
        if self.attributes.contains("name") { "name" } else { self.namevar.as_deref().unwrap_or("name") }
    }

    /// Returns whether the explicit value of an assigned attribute overwrites what `attribute` assigns, because Puppet sets it later: it
    /// sets all properties before the params, each in the order of their declarations, and `ensure` first.
    pub(super) fn is_overwritten(&self, is_param: bool, attribute: &str, written: &str) -> bool {
        let later = |order: &IndexSet<String>| order.get_index_of(written) > order.get_index_of(attribute);
        match (is_param, self.properties.contains(written)) {
            (false, true) => later(&self.property_order),
            (true, true) => false,
            (false, false) => true,
            (true, false) => later(&self.params),
        }
    }

    /// Returns the helper methods of an attribute with the functions that they become.
    pub(super) fn helpers_of(&self, attribute: &str) -> BTreeMap<String, String> {
        let from = (attribute.to_owned(), String::new());
        let of_it = self.helpers.range(from..).take_while(|((a, _), _)| a == attribute);
        of_it.map(|((_, method), function)| (method.clone(), function.clone())).collect()
    }
}

/// Returns whether an item is the method that Puppet calls to convert a value; `munge { … }` defines it, too.
fn converts_itself(item: &ClassItem<'_>) -> bool {
    item.is("def") && item.method().as_deref() == Some("unsafe_munge")
}

/// Resolves a method that only calls another one of the same attribute.
pub(super) fn forwarded<'d, 'p>(def: &'d DefNode<'p>, file: usize, defs: &'d [(usize, Rc<DefNode<'p>>)]) -> &'d DefNode<'p> {
    let body = ruby::statements(def.body());
    let target = || {
        let [only] = body.as_slice() else { return None };
        let call = only.as_call_node().filter(|c| c.receiver().is_none_or(|r| r.as_self_node().is_some()) && c.block().is_none())?;
        let (plain, named) = ruby::arguments(call.arguments());
        let given: Option<Vec<String>> = plain.iter().map(|a| Some(ruby::local(&a.as_local_variable_read_node()?.name()))).collect();
        if !named.is_empty() || given? != plain_params(def)? {
            return None;
        }
        let method = name(&call.name());
        // Code is read from the file that the method is in.
        defs.iter().filter(|(of, _)| *of == file).map(|(_, d)| &**d).find(|d| name(&d.name()) == method && method != name(&def.name()))
    };
    target().unwrap_or(def)
}

fn plain_params(def: &DefNode<'_>) -> Option<Vec<String>> {
    let list = def.parameters()?;
    list.requireds().iter().map(|p| Some(ruby::local(&p.as_required_parameter_node()?.name()))).collect()
}

impl<'p> Reader<'_, '_, 'p> {
    /// Translates the helper methods of an attribute to functions.
    pub(super) fn helpers_in(&mut self, item: &ClassItem<'p>) -> Vec<Fragment> {
        let attribute = match item.word.as_str() {
            "newparam" | "newproperty" => item.first_word(),
            "ensurable" => Some("ensure".to_owned()),
            _ => None,
        };
        let Some(attribute) = attribute else { return Vec::new() };
        let (file, known) = (self.file, self.scope.known.clone());
        let items = self.attribute_items(item);
        let defs: Vec<(usize, Rc<DefNode<'p>>)> = items.iter().filter_map(|i| Some((i.file, i.def.clone()?))).collect();
        let mut owner = self.owner(&attribute, &items);
        owner.outside = true;
        owner.class = item.class;
        owner.all = item.option("array_matching").and_then(|v| v.word()).as_deref() == Some("all")
            || items.iter().any(|i| i.word == "array_matching=" && i.first_word().as_deref() == Some("all"));
        // A method that becomes a parameter of the kind is never called.
        let parent = item.class.and_then(|c| self.kind_of(c)).map(|p| p.name).unwrap_or_default();
        let settings = self.scope.nested.get(&parent).map(|n| n.settings.clone()).unwrap_or_default();
        let mut pieces = Vec::new();
        for item in items.iter().filter(|i| i.is("def")) {
            self.enter(item);
            let method = item.method().unwrap_or_default();
            let Some(def) = &item.def else {
                if let Some(function) = owner.helpers.get(&method) {
                    pieces.push(Fragment { mixed_in: item.mixed_in, ..self.made_function(item, function, Some(&owner)) });
                }
                continue;
            };
            if let Some(function) = owner.nested.shown.get(&method) {
                pieces.push(Fragment { mixed_in: true, ..self.wording(item, def, function, &owner) });
            }
            let Some(function) = owner.helpers.get(&method) else { continue };
            let piece = self.function(item, forwarded(def, item.file, &defs), function, Some(&owner));
            let is_setting = settings.contains(&method);
            pieces.push(Fragment { mixed_in: item.mixed_in || is_setting, ..piece });
        }
        let source = |item: &ClassItem<'p>| self.texts.get(item.file).and_then(|text| text.text().get(item.at.clone())).unwrap_or_default();
        let converts = items.iter().any(|item| !item.is("munge") && !converts_itself(item) && source(item).contains("munge("));
        if converts
            && let (Some(item), Some(function)) = (items.iter().rfind(|i| converts_itself(i)), owner.helpers.get("munge"))
            && let Some(def) = &item.def
        {
            self.enter(item);
            let early = AttributeContext { early: true, ..owner.clone() };
            pieces.push(Fragment { mixed_in: true, blocks: 0, ..self.function(item, def, function, Some(&early)) });
        } else if converts
            && let (Some(item), Some(function)) = (items.iter().rfind(|i| i.is("munge")), owner.helpers.get("munge"))
            && let Some(closure) = item.closure()
            && let Some(params) = closure.params.clone()
        {
            self.enter(item);
            let early = AttributeContext { early: true, ..owner.clone() };
            let code = self.block(Some(&early), |block| block.whole(&params, closure.body)).map(|code| {
                let bars = format!("{{ |{}| ", params.join(", "));
                let body = code.strip_prefix(&bars).map_or_else(|| code.clone(), |rest| format!("{{ {rest}"));
                format!("fn {function}({}) {body}", params.join(", "))
            });
            pieces.push(Fragment { mixed_in: true, blocks: 0, ..self.coded(item, "", code) });
        }
        self.go(file);
        self.scope.known = known;
        pieces
    }

    /// Returns what the blocks of an attribute need to know about it.
    pub(super) fn owner(&self, attribute: &str, items: &[ClassItem<'_>]) -> AttributeContext {
        let list = items.iter().any(|i| match &i.def {
            Some(def) => name(&def.name()) == "should" && gives_list(def),
            None => i.is("def") && i.reads.as_deref() == Some("should"),
        });
        let says = |words: &[&str]| items.iter().any(|i| words.contains(&i.word.as_str()));
        let listed = says(&["newvalue", "newvalues"]) && !says(&["aliasvalue", "munge", "unmunge", "defaultvalues"]);
        let nested = Nested::of_attribute(attribute, items);
        let has_required_features = items.iter().any(|i| i.option("required_features").is_some());
        AttributeContext {
            name: attribute.to_owned(),
            list,
            listed,
            has_required_features,
            helpers: self.scope.helpers_of(attribute),
            nested,
            ..AttributeContext::default()
        }
    }

    /// Translates a method to `fn name(a, b = 1) { … }`.
    pub(super) fn function(&self, node: &impl Located, def: &DefNode<'_>, function: &str, owner: Option<&AttributeContext>) -> Fragment {
        let class = owner.map_or(self.type_class, |of| of.class);
        let parameters = Parameters { changed: self.loaded.changed_parameters(self.file, def, class, false), ..Parameters::of(def) };
        if parameters.are_known && !parameters.is_plain() {
            let text = format!("# `def {}` is translated for each of its calls.", name(&def.name()));
            return self.ready(node, "", text);
        }
        let code = self.function_params(def, false, owner).and_then(|(names, written)| {
            let running = class.map(|class| Rc::new(RunningMethod::new(class, &Own::of(owner), def, self.file)));
            let code = self.block(owner, |block| {
                block.own.parts.is_function = true;
                block.own.tests.is_whole = function.ends_with('?');
                block.own.arguments.extend(names.iter().cloned());
                block.own.running = running;
                block.whole(&names, ruby::statements(def.body()))
            })?;
            // In a function, the parameters follow its name.
            let bars = format!("{{ |{}| ", names.join(", "));
            let code = code.strip_prefix(&bars).map_or_else(|| code.clone(), |rest| format!("{{ {rest}"));
            Ok(format!("fn {function}({}) {code}", written.join(", ")))
        });
        self.coded(node, "", code)
    }

    /// Returns the names of the parameters, and their declarations with defaults, unless all of them are `given`.
    pub(super) fn function_params(
        &self,
        def: &DefNode<'_>,
        given: bool,
        owner: Option<&AttributeContext>,
    ) -> Text<(Vec<String>, Vec<String>)> {
        let Some(list) = def.parameters() else { return Ok((Vec::new(), Vec::new())) };
        let fancy = list.posts().iter().count() + list.keywords().iter().count();
        let mut names =
            list.requireds().iter().map(|p| p.as_required_parameter_node().map(|p| ruby::local(&p.name()))).collect::<Option<Vec<_>>>();
        if fancy > 0 || list.rest().is_some() || list.keyword_rest().is_some() || list.block().is_some() {
            names = None;
        }
        let Some(mut names) = names else {
            return Err(Untranslated { text: "parameters of variable number".into(), at: ruby::at(&list.location()) });
        };
        let mut written = names.clone();
        for optional in list.optionals().iter().filter_map(|o| o.as_optional_parameter_node()) {
            let parameter = ruby::local(&optional.name());
            if !given {
                let default = self.block(owner, |block| block.single(&optional.value()))?;
                written.push(format!("{parameter} = {default}"));
            }
            names.push(parameter);
        }
        Ok((names, written))
    }
}

/// Returns whether a method is `def should; @should; end`, which returns the whole list regardless of `array_matching`.
pub(super) fn gives_list(def: &DefNode<'_>) -> bool {
    let reads = |n: &Node<'_>| n.as_instance_variable_read_node().is_some_and(|v| name(&v.name()) == "@should");
    let body = ruby::statements(def.body());
    let [only] = body.as_slice() else { return false };
    if let Some(choice) = only.as_if_node() {
        let defined = choice.predicate().as_defined_node().is_some_and(|d| reads(&d.value()));
        let yes = ruby::statements(choice.statements().map(|s| s.as_node()));
        let other = choice.subsequent().and_then(|n| n.as_else_node()).and_then(|e| e.statements());
        let other = ruby::statements(other.map(|s| s.as_node()));
        return defined
            && matches!(yes.as_slice(), [one] if reads(one))
            && matches!(other.as_slice(), [] | [_])
            && other.iter().all(|n| n.as_nil_node().is_some());
    }
    reads(only)
}
