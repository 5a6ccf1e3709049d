//! Translates the body of a method to a function for certain arguments.

use super::block::{BlockTranslator, TERNARY, Text, no};
use super::given_blocks::OwnBlock;
use super::parameters::Parameters;
use super::ruby::{self, name};
use super::things::{THIS, Thing, This, Uses, own_local};
use ruby_prism::{DefNode, Node};
use std::collections::BTreeMap;
use std::rc::Rc;

impl BlockTranslator<'_> {
    /// Translates an `initialize` that only assigns what it got to the pairs of the map.
    fn fields(&mut self, body: &[Node<'_>], this: &This) -> Text<Option<Vec<String>>> {
        let mut pairs: BTreeMap<String, String> = BTreeMap::new();
        for node in body {
            if is_super(node) && self.super_constructor(node)?.is_some_and(|above| above.is_empty()) {
                continue;
            }
            let Some(write) = node.as_instance_variable_write_node() else { return Ok(None) };
            let (variable, value) = (name(&write.name()).trim_start_matches('@').to_owned(), write.value());
            let thing = self.thing(&value);
            let is_local = value.as_local_variable_read_node().is_some();
            if is_local && this.shape.variables.get(&variable) == Some(&Thing::Ignored) {
                continue;
            }
            if this.shape.variables.get(&variable).unwrap_or(&Thing::Value) != &thing {
                return Ok(None);
            }
            match thing {
                Thing::Value
                    if is_local || ruby::symbol(&value).is_some() || ruby::text(&value).is_some() || value.as_nil_node().is_some() =>
                {
                    pairs.insert(variable, self.expr(&value, TERNARY)?);
                }
                Thing::Object(_) if is_local => {
                    pairs.insert(variable, self.object(&value)?);
                }
                Thing::Value | Thing::Object(_) => return Ok(None),
                _ => {}
            }
        }
        Ok(Some(
            pairs.into_iter().map(|(variable, value)| format!("{} => {value}", rtype_lang::syntax::written_symbol(&variable))).collect(),
        ))
    }

    /// Translates a method for certain arguments to `fn name(…) { … }`.
    pub(super) fn function(&mut self, function: &str, def: &DefNode<'_>, given: &[Thing]) -> Text {
        let node = def.as_node();
        let parameters = Parameters::of(def);
        if !parameters.are_known {
            return no(&node, "parameters of variable number");
        }
        let (names, mut written, mut defaults) = (parameters.names(), Vec::new(), Vec::new());
        if self.own.this.as_ref().is_some_and(|this| this.uses != Uses::Constructs) {
            written.push(THIS.to_owned());
        }
        for (parameter, thing) in names.iter().zip(given) {
            if parameters.block.as_ref() == Some(parameter) {
                let block = if let Thing::Block(block) = thing { Some(Rc::clone(block)) } else { None };
                let captured = block.iter().flat_map(|block| block.parameters());
                self.locals.extend(captured.clone());
                self.own.arguments.extend(captured.clone());
                written.extend(captured);
                if let Some(changed) = block.as_ref().and_then(|block| block.changed()) {
                    if self.result.is_some() {
                        return no(&node, "a method that changes its argument and what its block changes");
                    }
                    self.own.returned.insert(changed.clone());
                    self.result = Some(changed);
                }
                self.own.block = Some(OwnBlock { name: parameter.clone(), given: block });
                continue;
            }
            match thing {
                Thing::Value => {
                    written.push(parameter.clone());
                    self.locals.push(parameter.clone());
                    self.own.arguments.insert(parameter.clone());
                }
                Thing::Temporary | Thing::Changed => {
                    written.push(parameter.clone());
                    self.locals.push(parameter.clone());
                    if *thing == Thing::Changed {
                        self.result = Some(parameter.clone());
                        self.own.returned.insert(parameter.clone());
                    }
                }
                Thing::Default => defaults.push(parameter.clone()),
                Thing::Resource => self.selves.push(parameter.clone()),
                Thing::Provider => self.providers.push(parameter.clone()),
                Thing::Object(_) => {
                    written.push(parameter.clone());
                    self.locals.push(parameter.clone());
                    self.own.things.insert(parameter.clone(), thing.clone());
                }
                Thing::Catalog | Thing::Context | Thing::Ignored | Thing::Attribute(_) | Thing::Block(_) => {
                    self.own.things.insert(parameter.clone(), thing.clone());
                }
            }
        }
        let mut before = String::new();
        let this = self.own.this.clone();
        for variable in this.iter().flat_map(|this| &this.locals) {
            let local = own_local(variable);
            let value = match this.as_ref().is_some_and(|this| this.uses == Uses::Constructs) {
                true => "nil".to_owned(),
                false => format!("{THIS}[{}]", rtype_lang::syntax::written_symbol(variable)),
            };
            before.push_str(&format!("let {local} = {value}\n"));
            self.locals.push(local);
        }
        for local in self.own.kept.iter().map(|variable| own_local(variable)) {
            before.push_str(&format!("let {local} = nil\n"));
            self.locals.push(local);
        }
        let mut given_defaults = String::new();
        for parameter in defaults {
            let Some(value) = default_of(def, &parameter) else { return no(&node, "parameters of variable number") };
            let text = self.expr(&value, TERNARY)?;
            given_defaults.push_str(&format!("let {parameter} = {text}\n"));
            self.locals.push(parameter);
        }
        let mut body = ruby::statements(def.body());
        let changed = this.filter(|this| this.uses != Uses::Reads);
        if let Some(this) = &changed {
            self.result = Some(this.map());
            let above = body.iter().position(is_super).filter(|_| this.uses == Uses::Constructs);
            // What is set before would be replaced.
            self.own.above_at =
                above.filter(|at| body.iter().take(*at).all(|n| !self.slice(n).contains('@'))).and_then(|at| body.get(at)).map(ruby::place);
        }
        if let Some(this) = changed.as_ref().filter(|this| this.uses == Uses::Constructs)
            && let Some(pairs) = self.fields(&body, this)?
        {
            let pairs = if pairs.is_empty() { "({})".to_owned() } else { format!("{{{}}}", pairs.join(", ")) };
            return Ok(format!("fn {function}({}) {{\n{given_defaults}{pairs}\n}}", written.join(", ")));
        }
        if let (Some(first), Some(last)) = (body.first(), body.last()) {
            self.range = ruby::place(first).start..ruby::place(last).end;
        }
        let code = match (changed.map(|this| this.map()).or_else(|| self.result.clone()), body.last()) {
            (Some(result), _) => {
                if body.last().and_then(|n| n.as_local_variable_read_node()).is_some_and(|l| ruby::local(&l.name()) == result) {
                    body.pop();
                }
                (self.own.discards, self.own.gives) = (true, true);
                format!("{}\n{result}", self.in_parts(|block| block.body(&body, false))?)
            }
            (None, Some(last)) => {
                self.find_ends(last, 0);
                self.in_parts(|block| block.body(&body, true))?
            }
            (None, None) => String::new(),
        };
        let hoisted: String = self.hoisted.iter().map(|h| format!("let {h} = nil\n")).collect();
        Ok(format!("fn {function}({}) {{\n{hoisted}{before}{given_defaults}{code}\n}}", written.join(", ")))
    }
}

/// Returns the default of a parameter.
fn default_of<'p>(def: &DefNode<'p>, parameter: &str) -> Option<Node<'p>> {
    let list = def.parameters()?;
    let optional = list.optionals().iter().filter_map(|o| {
        let o = o.as_optional_parameter_node()?;
        (ruby::local(&o.name()) == parameter).then(|| o.value())
    });
    let keywords = list.keywords().iter().filter_map(|k| {
        let k = k.as_optional_keyword_parameter_node()?;
        (ruby::local(&k.name()) == parameter).then(|| k.value())
    });
    optional.chain(keywords).next()
}

fn is_super(node: &Node<'_>) -> bool {
    node.as_super_node().is_some() || node.as_forwarding_super_node().is_some()
}
