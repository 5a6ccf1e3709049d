//! Parameters of methods, and the arguments of calls for them.

use super::block::*;
use super::given_blocks::block_of;
use super::ruby;
use super::things::Thing;
use ruby_prism::{ArgumentsNode, CallNode, DefNode, Node};

/// The parameters of a method.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Parameters {
    pub required: Vec<String>,
    pub optional: Vec<String>,
    pub rest: Option<String>,
    pub posts: Vec<String>,
    /// Each with whether it is required.
    pub keywords: Vec<(String, bool)>,
    pub keyword_rest: Option<String>,
    /// Its block, if it has one.
    pub block: Option<String>,
    /// Those that the method changes in place.
    pub changed: Vec<String>,
    /// The same where its result is not used: `x.delete(k)` of a text only has a result.
    pub changed_if_unused: Vec<String>,
    /// Whether all of them are known.
    pub are_known: bool,
}

impl Parameters {
    pub fn of(def: &DefNode<'_>) -> Parameters {
        let Some(list) = def.parameters() else {
            return Parameters { are_known: true, block: block_of(def), ..Parameters::default() };
        };
        let plain = |n: Node<'_>| n.as_required_parameter_node().map(|p| ruby::local(&p.name()));
        let required: Option<Vec<String>> = list.requireds().iter().map(plain).collect();
        let posts: Option<Vec<String>> = list.posts().iter().map(plain).collect();
        let optional: Vec<String> =
            list.optionals().iter().filter_map(|o| Some(ruby::local(&o.as_optional_parameter_node()?.name()))).collect();
        let rest = list.rest();
        let rest_name = rest.as_ref().and_then(Node::as_rest_parameter_node).map(|r| r.name().map(|n| ruby::local(&n)));
        let mut keywords = Vec::new();
        for keyword in list.keywords().iter() {
            keywords.extend(keyword.as_required_keyword_parameter_node().map(|k| (ruby::local(&k.name()), true)));
            keywords.extend(keyword.as_optional_keyword_parameter_node().map(|k| (ruby::local(&k.name()), false)));
        }
        let keyword_rest = list.keyword_rest();
        let keyword_name = keyword_rest.as_ref().and_then(Node::as_keyword_rest_parameter_node).and_then(|r| r.name());
        let are_known = required.is_some()
            && posts.is_some()
            && rest.is_some() == rest_name.is_some()
            && keyword_rest.is_some() == keyword_name.is_some()
            && keywords.len() == list.keywords().iter().count();
        Parameters {
            required: required.unwrap_or_default(),
            optional,
            rest: rest_name.map(|r| r.unwrap_or_else(|| "rest".to_owned())),
            posts: posts.unwrap_or_default(),
            keywords,
            keyword_rest: keyword_name.map(|n| ruby::local(&n)),
            block: block_of(def),
            changed: Vec::new(),
            changed_if_unused: Vec::new(),
            are_known,
        }
    }

    /// Returns all of them in the order in which a translated function has them.
    pub fn names(&self) -> Vec<String> {
        let keywords = self.keywords.iter().map(|(k, _)| k);
        let all = self.required.iter().chain(&self.optional).chain(&self.rest).chain(&self.posts).chain(keywords);
        all.chain(&self.keyword_rest).chain(&self.block).cloned().collect()
    }

    /// Returns whether a plain function has the same parameters.
    pub fn is_plain(&self) -> bool {
        let has_only_plain = self.rest.is_none() && self.posts.is_empty() && self.keywords.is_empty() && self.keyword_rest.is_none();
        has_only_plain && self.changed.is_empty() && self.block.is_none()
    }
}

impl BlockTranslator<'_> {
    /// Matches the arguments of a call to parameters; `None` if that is not known.
    pub(super) fn bound<'p>(&self, call: &CallNode<'p>, of: &Parameters) -> Option<Vec<(Thing, Argument<'p>)>> {
        if call.block().is_some() { None } else { self.bound_at(&call.as_node(), call.arguments(), of) }
    }

    /// Matches the arguments of a call at a node to parameters.
    pub(super) fn bound_at<'p>(
        &self,
        call: &Node<'p>,
        arguments: Option<ArgumentsNode<'p>>,
        of: &Parameters,
    ) -> Option<Vec<(Thing, Argument<'p>)>> {
        if !of.are_known {
            return None;
        }
        let (mut plain, mut named) = ruby::arguments(arguments);
        let is_splat = |n: &Node<'_>| n.as_splat_node().is_some() || n.as_keyword_hash_node().is_some();
        if plain.iter().any(is_splat) {
            return None;
        }
        let has_keywords = !of.keywords.is_empty() || of.keyword_rest.is_some();
        let mut map = None;
        if !named.is_empty() && !has_keywords {
            // A hash without braces is the last argument.
            map = Some(std::mem::take(&mut named));
        }
        let count = plain.len() + usize::from(map.is_some());
        let least = of.required.len() + of.posts.len();
        if count < least || (of.rest.is_none() && count > least + of.optional.len()) {
            return None;
        }
        let mut arguments: Vec<Argument<'p>> = plain.drain(..).map(Argument::One).chain(map.map(Argument::Map)).collect();
        let mut posts: Vec<Argument<'p>> = arguments.split_off(count - of.posts.len());
        let mut arguments = arguments.into_iter();
        let mut out = Vec::new();
        for _ in &of.required {
            out.push(self.with_thing(arguments.next()?));
        }
        for _ in &of.optional {
            out.push(arguments.next().map_or((Thing::Default, Argument::None), |a| self.with_thing(a)));
        }
        if of.rest.is_some() {
            let rest: Vec<(Thing, Argument<'p>)> = arguments.map(|a| self.with_thing(a)).collect();
            if rest.iter().any(|(thing, _)| *thing != Thing::Value) {
                return None;
            }
            out.push((Thing::Value, Argument::List(rest.into_iter().map(|(_, a)| a).collect())));
        }
        out.extend(posts.drain(..).map(|a| self.with_thing(a)));
        for (keyword, is_required) in &of.keywords {
            match named.iter().position(|(key, _)| ruby::symbol(key).as_deref() == Some(keyword)) {
                Some(at) => out.push(self.with_thing(Argument::One(named.remove(at).1))),
                None if *is_required => return None,
                None => out.push((Thing::Default, Argument::None)),
            }
        }
        if of.keyword_rest.is_some() {
            if named.iter().any(|(_, value)| self.thing(value) != Thing::Value) {
                return None;
            }
            out.push((Thing::Value, Argument::Map(std::mem::take(&mut named))));
        }
        if of.block.is_some() {
            out.push((Thing::Default, Argument::None));
        }
        for (parameter, (thing, argument)) in of.names().iter().zip(&mut out) {
            if *thing == Thing::Value && of.changed.contains(parameter) {
                *thing = self.changed_by(call, argument)?;
            }
        }
        named.is_empty().then_some(out)
    }

    /// Returns what an argument is that the method changes in place; `None` if others may see the change.
    fn changed_by(&self, call: &Node<'_>, argument: &Argument<'_>) -> Option<Thing> {
        let Argument::One(node) = argument else { return Some(Thing::Temporary) };
        if let Some(local) = node.as_local_variable_read_node() {
            let local = ruby::local(&local.name());
            if !self.locals.contains(&local) || self.own.given.contains(&local) || self.elements.iter().any(|(e, _)| *e == local) {
                return None;
            }
            let is_used = self.is_used_after(call, &local);
            let is_mine = !self.own.arguments.contains(&local);
            return Some(if is_used || self.own.returned.contains(&local) || !is_mine { Thing::Changed } else { Thing::Temporary });
        }
        if self.own.replaced.as_ref() == Some(&self.slice(node)) {
            return Some(Thing::Temporary);
        }
        if let Some(local) = root(node) {
            let is_given = self.own.given.contains(&local) || self.elements.iter().any(|(e, _)| *e == local);
            return (self.locals.contains(&local) && !is_given).then_some(Thing::Changed);
        }
        let part = |c: &CallNode<'_>| {
            let method = ruby::name(&c.name());
            matches!(method.as_str(), "[]" | "first" | "last" | "fetch" | "dig" | "find" | "detect" | "values" | "should" | "value")
                || c.receiver().is_none()
        };
        let is_new = node.as_call_node().is_some_and(|c| !part(&c) && self.attribute_read(node).is_none())
            || node.as_array_node().is_some()
            || node.as_hash_node().is_some()
            || node.as_interpolated_string_node().is_some();
        is_new.then_some(Thing::Temporary)
    }

    /// Returns whether code after a node may use a local.
    pub(super) fn is_used_after(&self, node: &Node<'_>, local: &str) -> bool {
        let after = ruby::place(node).end..self.range.end;
        self.closures > 0 || after.start > after.end || self.mentions().local(local, &after).next().is_some()
    }

    fn with_thing<'p>(&self, argument: Argument<'p>) -> (Thing, Argument<'p>) {
        match &argument {
            Argument::One(node) => (self.thing(node), argument),
            _ => (Thing::Value, argument),
        }
    }

    fn argument(&mut self, argument: &Argument<'_>) -> Text {
        Ok(match argument {
            Argument::None | Argument::Locals(_) => String::new(),
            Argument::One(node) => self.expr(node, TERNARY)?,
            Argument::List(items) => {
                let items: Text<Vec<String>> = items.iter().map(|a| self.argument(a)).collect();
                format!("[{}]", items?.join(", "))
            }
            Argument::Map(pairs) => {
                let mut out = Vec::new();
                for (key, value) in pairs {
                    let key = self.expr(key, TERNARY)?;
                    out.push(format!("{key} => {}", self.expr(value, TERNARY)?));
                }
                format!("{{{}}}", out.join(", "))
            }
        })
    }

    /// Translates the arguments of a call that are passed.
    pub(super) fn passed(&mut self, bound: &[(Thing, Argument<'_>)]) -> Text<Vec<String>> {
        let mut out = Vec::new();
        for (thing, argument) in bound {
            match thing {
                Thing::Value | Thing::Changed | Thing::Temporary => out.push(self.argument(argument)?),
                Thing::Block(_) => {
                    if let Argument::Locals(locals) = argument {
                        out.extend(locals.iter().cloned());
                    }
                }
                Thing::Object(_) => match argument {
                    Argument::One(node) => {
                        out.push(self.object(node)?);
                        // The other object must see later changes.
                        if let Some(local) = node.as_local_variable_read_node() {
                            self.own.created.remove(&ruby::local(&local.name()));
                        }
                    }
                    _ => return Ok(out),
                },
                _ => {}
            }
        }
        Ok(out)
    }
}

/// Returns the local in `local[key]` and `local[key][other]`.
fn root(node: &Node<'_>) -> Option<String> {
    let mut of = node.as_call_node().filter(|c| ruby::name(&c.name()) == "[]")?.receiver()?;
    for _ in 0..MAX_DEPTH {
        if let Some(local) = of.as_local_variable_read_node() {
            return Some(ruby::local(&local.name()));
        }
        of = of.as_call_node().filter(|c| ruby::name(&c.name()) == "[]")?.receiver()?;
    }
    None
}

/// What is given for a parameter.
pub(super) enum Argument<'p> {
    None,
    One(Node<'p>),
    List(Vec<Argument<'p>>),
    Map(Vec<(Node<'p>, Node<'p>)>),
    /// The locals that a block reads.
    Locals(Vec<String>),
}
