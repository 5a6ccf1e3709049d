//! Resources of the catalog: those of a type, one by its title, and those that `generate` creates.

use super::block::*;
use super::ruby::{self, name};
use super::things::Thing;
use rtype_lang::syntax::{escape, written_symbol};
use ruby_prism::{CallNode, Node};

impl BlockTranslator<'_> {
    pub(super) fn is_catalog(&self, node: &Node<'_>) -> bool {
        if self.known_thing(node) == Some(Thing::Catalog) {
            return true;
        }
        if let Some(variable) = node.as_instance_variable_read_node() {
            return self.attribute.is_none() && name(&variable.name()) == "@catalog";
        }
        if let Some(local) = node.as_local_variable_read_node() {
            return self.catalogs.contains(&ruby::local(&local.name()));
        }
        node.as_call_node().is_some_and(|c| {
            name(&c.name()) == "catalog"
                && c.arguments().is_none()
                && c.receiver().map_or(self.attribute.is_none(), |of| self.is_resource(&of))
        })
    }

    /// Translates a call on the catalog or on resources in it. `catalog&.resource(…)` is nil for resources that are not in a catalog yet.
    pub(super) fn catalog_call(
        &mut self,
        call: &CallNode<'_>,
        receiver: &Node<'_>,
        method: &str,
        plain: &[Node<'_>],
    ) -> Text<Option<(String, u8)>> {
        let text = self.catalog_lookup(call, receiver, method, plain)?;
        Ok(match text {
            Some((text, _)) if call.is_safe_navigation() && self.is_catalog(receiver) => {
                Some((format!("catalog.present? ? {text} : nil"), TERNARY))
            }
            text => text,
        })
    }

    fn catalog_lookup(&mut self, call: &CallNode<'_>, receiver: &Node<'_>, method: &str, plain: &[Node<'_>]) -> Text<Option<(String, u8)>> {
        if self.is_catalog(receiver)
            && let ("resource", [of, title]) = (method, plain)
            && let Some(of) = ruby::symbol(of).or_else(|| ruby::text(of)).or_else(|| self.known_word(of))
        {
            let title = self.expr(title, TERNARY)?;
            return Ok(Some((format!("catalog.find({}, {title})", written_symbol(&of.to_lowercase())), OPERAND)));
        }
        if let ("compact", [], Some(inner)) = (method, plain, receiver.as_call_node())
            && matches!(name(&inner.name()).as_str(), "map" | "collect")
            && inner.receiver().is_some_and(|of| self.is_resources(&of))
            && let Some(text) = self.of_type(&inner)?
        {
            return Ok(Some((format!("{text}.compact"), OPERAND)));
        }
        let chooses = matches!(method, "select" | "filter" | "find_all" | "find" | "detect" | "each" | "any?" | "count");
        if chooses
            && self.is_resources(receiver)
            && let Some(text) = self.of_type(call)?
        {
            return Ok(Some((text, OPERAND)));
        }
        self.catalog_query(receiver, method, plain)
    }

    /// Returns whether a node is `catalog.resources`.
    pub(super) fn is_resources(&self, node: &Node<'_>) -> bool {
        node.as_call_node().is_some_and(|c| {
            matches!(name(&c.name()).as_str(), "resources" | "vertices") && c.receiver().is_some_and(|of| self.is_catalog(&of))
        })
    }

    /// Returns the type and title in `catalog.resource("File[#{path}]")`.
    fn declared(&mut self, node: &Node<'_>) -> Text<Option<(String, String)>> {
        let Some(call) = node.as_call_node().filter(|c| name(&c.name()) == "resource") else { return Ok(None) };
        let given = ruby::arguments(call.arguments()).0;
        let (Some(true), [reference]) = (call.receiver().map(|of| self.is_catalog(&of)), given.as_slice()) else { return Ok(None) };
        let Some(text) = reference.as_interpolated_string_node() else { return Ok(None) };
        let parts: Vec<Node<'_>> = text.parts().iter().collect();
        let [before, inner @ .., behind] = parts.as_slice() else { return Ok(None) };
        let (Some(before), Some(behind)) = (ruby::text(before), ruby::text(behind)) else { return Ok(None) };
        let (Some((of, before)), Some(behind)) = (before.split_once('['), behind.strip_suffix(']')) else { return Ok(None) };
        let of = written_symbol(&of.to_lowercase());
        let mut title = escape(before);
        for part in inner {
            self.part(part, &mut title)?;
        }
        title.push_str(&escape(behind));
        // A single interpolated value is used as the title itself.
        let alone = title.strip_prefix("#{").and_then(|t| t.strip_suffix('}')).filter(|t| inner.len() == 1 && !t.contains(['{', '}']));
        let title = alone.map_or_else(|| format!("\"{title}\""), str::to_owned);
        Ok(Some((of, title)))
    }

    /// Translates `catalog.resource("File[#{path}]")[:x] = v` and the resource itself in `eval_generate`.
    pub(super) fn changed_later(&mut self, node: &Node<'_>) -> Text<Option<String>> {
        let Some(known) = self.late.clone() else { return Ok(None) };
        let call = node.as_call_node();
        if let Some(write) = call.as_ref().filter(|c| name(&c.name()) == "[]=")
            && let Some(of) = write.receiver()
            && let Some((of, title)) = self.declared(&of)?
        {
            let resource = format!("resource({of}, {title}, changes)");
            let given = ruby::arguments(write.arguments()).0;
            let [key, value] = given.as_slice() else { return Ok(None) };
            if !known.is_empty() && known != resource {
                return no(node, "several resources that are changed are not supported");
            }
            self.late = Some(resource);
            let pair = format!("{} => {}", self.expr(key, TERNARY)?, self.expr(value, TERNARY)?);
            return Ok(Some(format!("changes = changes.merge({{{pair}}})")));
        }
        let Some((of, title)) = self.declared(node)? else { return Ok(None) };
        let resource = format!("resource({of}, {title}, changes)");
        if resource == known { Ok(Some(resource)) } else { no(node, "a resource that is not changed is not supported") }
    }

    /// Translates `catalog.resources.select { |r| r.is_a?(Puppet::Type.type(:x)) && … }`: the resources of a type.
    fn of_type(&mut self, call: &CallNode<'_>) -> Text<Option<String>> {
        let Some(closure) = ruby::block(call) else { return Ok(None) };
        let Some([param]) = ruby::block_params(&closure).and_then(|p| <[String; 1]>::try_from(p).ok()) else { return Ok(None) };
        let mut rest = ruby::statements(closure.body());
        let method = name(&call.name());
        // In a loop, a branch for resources of the type.
        let mut within = None;
        if let ("each", [only]) = (method.as_str(), rest.as_slice())
            && let Some(branch) = only.as_if_node().filter(|b| b.subsequent().is_none() && b.end_keyword_loc().is_some())
        {
            within = Some(ruby::statements(branch.statements().map(|s| s.as_node())));
            rest = vec![branch.predicate()];
        }
        // Either one condition that includes the test of the type, or a guard before the rest.
        let is_test = rest.len() == 1;
        if is_test {
            rest = rest.pop().map(conjunction).unwrap_or_default();
        }
        if rest.is_empty() {
            return Ok(None);
        }
        let first = rest.remove(0);
        let test = if is_test { Some(first) } else { guard(&first) };
        // Ruby may not have loaded the class, and fails then.
        let names_class = |test: &Node<'_>| {
            let given = test.as_call_node().map(|c| ruby::arguments(c.arguments()).0).unwrap_or_default();
            given.first().and_then(ruby::constant).is_some()
        };
        if within.is_some() && test.as_ref().is_some_and(names_class) {
            return Ok(None);
        }
        let wanted = match test.as_ref().and_then(|test| type_test(test, &param)) {
            Some(OfType::Named(wanted) | OfType::Class(wanted)) => written_symbol(&wanted),
            Some(OfType::Computed(wanted)) => match self.known_word(&wanted) {
                Some(wanted) => written_symbol(&wanted),
                None => self.expr(&wanted, TERNARY)?,
            },
            None => return Ok(None),
        };
        let all = format!("catalog.resources({wanted})");
        if rest.is_empty() && within.is_none() {
            return Ok(match method.as_str() {
                "select" | "filter" | "find_all" => Some(all),
                "find" | "detect" => Some(format!("{all}.first")),
                _ => None,
            });
        }
        let (locals, resources) = (self.locals.len(), self.resources.len());
        self.locals.push(param.clone());
        self.resources.push(param.clone());
        self.types.insert(param.clone(), wanted);
        self.closures += 1;
        let inner = if let Some(body) = within {
            let tests: Text<Vec<String>> = rest.iter().map(|r| self.condition(r, COMPARE)).collect();
            match (tests, self.body(&body, false)) {
                (Ok(tests), Ok(body)) if tests.is_empty() => Ok(body),
                (Ok(tests), Ok(body)) => Ok(format!("if {} {{\n{body}\n}}", tests.join(" && "))),
                (Err(why), _) | (_, Err(why)) => Err(why),
            }
        } else if is_test {
            rest.iter().map(|r| self.condition(r, COMPARE)).collect::<Text<Vec<String>>>().map(|tests| tests.join(" && "))
        } else {
            self.body(&rest, false)
        };
        self.closures -= 1;
        self.locals.truncate(locals);
        self.resources.truncate(resources);
        let inner = inner?;
        let end = if inner.contains('\n') { "\n" } else { " " };
        Ok(Some(format!("{all}.{method} {{ |{param}| {inner}{end}}}")))
    }

    /// Translates `Puppet::Type.type(:x).new(options)`, which creates a resource in `generate`.
    pub(super) fn made(
        &mut self,
        call: &CallNode<'_>,
        receiver: &Node<'_>,
        method: &str,
        plain: &[Node<'_>],
    ) -> Text<Option<(String, u8)>> {
        let ("new", Some(OfType::Named(of) | OfType::Class(of)), None) = (method, type_class(receiver), call.block()) else {
            return Ok(None);
        };
        let of = written_symbol(&of);
        let named = ruby::arguments(call.arguments()).1;
        let is_word = |key: &Node<'_>| ruby::symbol(key).is_some();
        let written = match plain {
            [] if !named.is_empty() && named.iter().all(|(key, _)| is_word(key)) => {
                let pairs: Text<Vec<String>> =
                    named.iter().map(|(key, value)| Ok(format!("{} => {}", self.expr(key, OR)?, self.expr(value, TERNARY)?))).collect();
                Some(format!("{{{}}}", pairs?.join(", ")))
            }
            [one]
                if one
                    .as_hash_node()
                    .and_then(|hash| ruby::pairs(&hash.elements()))
                    .is_some_and(|all| all.iter().all(|(key, _)| is_word(key))) =>
            {
                Some(self.expr(one, OPERAND)?)
            }
            _ => None,
        };
        if let Some(options) = written {
            let title = format!("options[:title] || options[:name] || options[catalog.type({of})[:namevars].first]");
            return Ok(Some((format!("{options}.then {{ |options| resource({of}, {title}, options) }}"), OPERAND)));
        }
        let Some(options) = plain.first().filter(|o| plain.len() == 1 && o.as_local_variable_read_node().is_some()) else {
            return Ok(None);
        };
        let options = self.expr(options, OPERAND)?;
        let title = match self.titles.get(&options) {
            Some(key) => format!("{options}[{}]", written_symbol(key)),
            None => format!("{options}[:title] || {options}[:name] || {options}[catalog.type({of})[:namevars].first]"),
        };
        Ok(Some((format!("resource({of}, {title}, {options})"), OPERAND)))
    }
}

/// Returns the operands of `a && b && c`.
fn conjunction(node: Node<'_>) -> Vec<Node<'_>> {
    let (mut parts, mut left) = (Vec::new(), node);
    while let Some(and) = left.as_and_node() {
        parts.push(and.right());
        left = and.left();
    }
    parts.push(left);
    parts.reverse();
    parts
}

/// Returns the condition of `next unless test`.
fn guard<'p>(node: &Node<'p>) -> Option<Node<'p>> {
    let guard = node.as_unless_node()?;
    let inner = ruby::statements(guard.statements().map(|s| s.as_node()));
    let [left] = inner.as_slice() else { return None };
    left.as_next_node().filter(|n| n.arguments().is_none()).map(|_| guard.predicate())
}

/// The type in a selection of resources.
pub(super) enum OfType<'p> {
    Named(String),
    /// By its class, which Ruby may not have loaded.
    Class(String),
    Computed(Node<'p>),
}

/// Returns the type in `r.is_a?(Puppet::Type.type(:x))`, `r.type == :x` and similar.
fn type_test<'p>(node: &Node<'p>, param: &str) -> Option<OfType<'p>> {
    let call = node.as_call_node()?;
    let (plain, _) = ruby::arguments(call.arguments());
    let [argument] = plain.as_slice() else { return None };
    let of = call.receiver()?;
    let is_param = |n: &Node<'_>| n.as_local_variable_read_node().is_some_and(|l| ruby::local(&l.name()) == param);
    let of_param = |n: &Node<'_>, wanted: &str| {
        n.as_call_node().is_some_and(|c| name(&c.name()) == wanted && c.arguments().is_none() && c.receiver().is_some_and(|r| is_param(&r)))
    };
    match name(&call.name()).as_str() {
        "is_a?" | "kind_of?" | "instance_of?" if is_param(&of) => type_class(argument),
        "==" if of_param(&of, "type") => ruby::symbol(argument).map(OfType::Named),
        "==" if of_param(&of, "class") => type_class(argument),
        "==" => {
            let inner = of.as_call_node().filter(|c| name(&c.name()) == "to_s")?.receiver()?;
            let text = ruby::text(argument)?;
            match () {
                () if of_param(&inner, "type") => Some(OfType::Named(text)),
                () if of_param(&inner, "class") => Some(OfType::Named(text.strip_prefix("Puppet::Type::")?.to_lowercase())),
                () => None,
            }
        }
        _ => None,
    }
}

/// Returns the type in `Puppet::Type.type(:x)` or `Puppet::Type::X`.
pub(super) fn type_class<'p>(node: &Node<'p>) -> Option<OfType<'p>> {
    if let Some(class) = ruby::constant(node) {
        return class.strip_prefix("Puppet::Type::").map(|t| OfType::Class(t.to_lowercase()));
    }
    let call = node.as_call_node().filter(|c| name(&c.name()) == "type")?;
    let of = ruby::arguments(call.arguments()).0.pop()?;
    if call.receiver().as_ref().and_then(ruby::constant).as_deref() != Some("Puppet::Type") {
        return None;
    }
    Some(match ruby::symbol(&of).or_else(|| ruby::text(&of)) {
        Some(known) => OfType::Named(known),
        None => OfType::Computed(of),
    })
}
