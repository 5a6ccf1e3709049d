//! Resources of the catalog as values: their type, attributes and class, and lists of them.

use super::block::*;
use super::catalog::{OfType, type_class};
use super::objects::served;
use super::ruby::{self, name};
use rtype_lang::syntax::written_symbol;
use ruby_prism::{CallNode, Node};

/// Methods that return elements of the list that they are called on.
const CHOOSE: &[&str] =
    &["select", "filter", "find_all", "reject", "sort_by", "uniq", "compact", "to_a", "flatten", "reverse", "grep", "dup"];

/// Methods that return one element of the list.
const ONE: &[&str] = &["find", "detect", "first", "last", "min_by", "max_by"];

/// Methods of Puppet's catalogs that code asks for because they were added later.
const CATALOG_METHODS: &[&str] = &["environment", "environment_instance", "resource", "resources", "resource_refs", "version"];

/// Returns what reads from a resource of the catalog what every resource has.
pub(super) fn resource_read(resource: &str, method: &str) -> Option<String> {
    Some(match method {
        "title" => format!("title({resource})"),
        "name" => format!("{resource}.name"),
        "ref" | "to_s" => format!("ref({resource})"),
        "type" => format!("type_name({resource})"),
        place if is_place(place) => format!("{place}_of({resource})"),
        _ => return None,
    })
}

/// Returns what reads from a value that must be a resource, because nothing else has the method.
pub(super) fn of_any_resource(value: &str, method: &str) -> Option<String> {
    if matches!(method, "title" | "type" | "ref") { resource_read(value, method) } else { None }
}

impl BlockTranslator<'_> {
    /// Translates methods that only one kind of value has, however the value got here.
    pub(super) fn only_of(&mut self, of: &str, method: &str, plain: &[Node<'_>]) -> Text<Option<String>> {
        match (method, plain) {
            (_, []) => Ok(of_any_resource(of, method)),
            // Whether a range contains another range is another question.
            ("cover?", [value]) if value.as_range_node().is_none() && self.known_range(value).is_none() => {
                Ok(Some(format!("{of}.include?({})", self.expr(value, TERNARY)?)))
            }
            _ => Ok(None),
        }
    }

    /// Returns whether a node is a resource of the catalog, other than by being `self`.
    pub(super) fn is_catalog_resource(&self, node: &Node<'_>, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        if let Some(local) = node.as_local_variable_read_node() {
            return self.resources.contains(&ruby::local(&local.name()));
        }
        if let Some(inner) = node.as_parentheses_node() {
            return matches!(ruby::statements(inner.body()).as_slice(), [one] if self.is_catalog_resource(one, depth));
        }
        let Some(call) = node.as_call_node() else { return false };
        let Some(of) = call.receiver() else { return false };
        let given = ruby::arguments(call.arguments()).0;
        match (name(&call.name()).as_str(), given.as_slice()) {
            ("resource", [_] | [_, _]) => self.is_catalog(&of),
            (one, []) if ONE.contains(&one) => self.is_resource_list(&of, depth),
            ("[]", [at]) => at.as_range_node().is_none() && self.is_resource_list(&of, depth),
            _ => false,
        }
    }

    /// Returns whether a node is a list of resources: those of the catalog, or a selection.
    pub(super) fn is_resource_list(&self, node: &Node<'_>, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        if let Some(local) = node.as_local_variable_read_node() {
            return self.resource_lists.contains(&ruby::local(&local.name()));
        }
        if self.is_resources(node) {
            return true;
        }
        let Some(call) = node.as_call_node() else { return false };
        call.receiver().is_some_and(|of| {
            self.is_resource_list(&of, depth)
                && match name(&call.name()).as_str() {
                    "map" | "collect" | "filter_map" => self.keeps_resources(&call),
                    method => CHOOSE.contains(&method),
                }
        })
    }

    /// Returns whether the block of `map` returns its parameter or nil.
    fn keeps_resources(&self, call: &CallNode<'_>) -> bool {
        let Some(closure) = ruby::block(call) else { return false };
        let Some([param]) = ruby::block_params(&closure).and_then(|p| <[String; 1]>::try_from(p).ok()) else { return false };
        let is_param = |n: &Node<'_>| n.as_local_variable_read_node().is_some_and(|l| ruby::local(&l.name()) == param);
        let leaves = |n: &Node<'_>| {
            let inner = n.as_unless_node().and_then(|u| u.statements()).or_else(|| n.as_if_node().and_then(|i| i.statements()));
            let inner = ruby::statements(inner.map(|s| s.as_node()));
            matches!(inner.as_slice(), [one] if one.as_next_node().is_some_and(|n| n.arguments().is_none()))
        };
        let body = ruby::statements(closure.body());
        let Some((last, before)) = body.split_last() else { return false };
        let result = match last.as_if_node().filter(|b| b.subsequent().is_none()) {
            Some(branch) => ruby::statements(branch.statements().map(|s| s.as_node())).pop().is_some_and(|n| is_param(&n)),
            None => is_param(last),
        };
        result && before.iter().all(leaves)
    }

    /// Returns the parameters of a closure that are resources.
    pub(super) fn resource_params(&self, call: &CallNode<'_>, params: &[String]) -> Vec<String> {
        if !call.receiver().is_some_and(|of| self.is_resource_list(&of, MAX_DEPTH)) {
            return Vec::new();
        }
        match name(&call.name()).as_str() {
            "each_with_object" | "each_with_index" => params.iter().take(1).cloned().collect(),
            "inject" | "reduce" => params.iter().skip(1).cloned().collect(),
            _ => params.to_vec(),
        }
    }

    /// Forgets the parameters of a closure that are resources, but not the locals outside it that are assigned one.
    pub(super) fn forget_resources(&mut self, before: usize, params: &[String]) {
        let found = self.resources.split_off(before.min(self.resources.len()));
        let (hoisted, locals) = (&self.hoisted, &self.locals);
        let outlives = |r: &String| !params.contains(r) && (hoisted.contains(r) || locals.contains(r));
        self.resources.extend(found.into_iter().filter(outlives));
    }

    /// Records a local that is a resource or a list of resources.
    pub(super) fn remember_resources(&mut self, variable: &str, value: &Node<'_>) {
        if self.is_catalog(value) {
            self.catalogs.insert(variable.to_owned());
        }
        if self.is_resource_list(value, MAX_DEPTH) {
            self.resource_lists.insert(variable.to_owned());
        }
        if self.is_catalog_resource(value, MAX_DEPTH) {
            self.resources.push(variable.to_owned());
        }
    }

    /// Records a list that a resource or a list of them is added to. Other elements would be texts or symbols, on which the methods of
    /// resources fail in Ruby, too.
    pub(super) fn remember_added(&mut self, list: &str, added: &Node<'_>) {
        if self.is_catalog_resource(added, MAX_DEPTH) || self.is_resource_list(added, MAX_DEPTH) {
            self.resource_lists.insert(list.to_owned());
        }
    }

    /// Translates `catalog.resources` and other queries of the catalog.
    pub(super) fn catalog_query(&mut self, receiver: &Node<'_>, method: &str, plain: &[Node<'_>]) -> Text<Option<(String, u8)>> {
        if let ("grep", [class]) = (method, plain)
            && self.is_resource_list(receiver, MAX_DEPTH)
            && let Some(class) = type_class(class)
        {
            let wanted = self.type_word(&class, receiver)?;
            if self.is_resources(receiver) {
                return Ok(Some((format!("catalog.resources({wanted})"), OPERAND)));
            }
            return Ok(Some((format!("{}.select {{ |r| type_name(r) == {wanted} }}", self.expr(receiver, OPERAND)?), OPERAND)));
        }
        if !self.is_catalog(receiver) {
            return Ok(None);
        }
        Ok(match (method, plain) {
            ("resources" | "vertices", []) => Some(("catalog.resources()".into(), OPERAND)),
            ("resource_refs", []) => Some(("catalog.resources().map { |r| ref(r) }".into(), OPERAND)),
            ("nil?", []) => Some(("!catalog.present?".into(), UNARY)),
            ("respond_to?", [wanted]) => {
                let wanted = ruby::symbol(wanted).filter(|w| CATALOG_METHODS.contains(&w.as_str()));
                wanted.map(|_| ("true".to_owned(), OPERAND))
            }
            ("resource", [reference]) => Some((format!("catalog.find({})", self.expr(reference, TERNARY)?), OPERAND)),
            ("resource", [of, title]) => {
                Some((format!("catalog.find({}, {})", self.expr(of, TERNARY)?, self.expr(title, TERNARY)?), OPERAND))
            }
            _ => None,
        })
    }

    /// Translates queries of a resource of the catalog.
    pub(super) fn resource_query(
        &mut self,
        call: &CallNode<'_>,
        receiver: &Node<'_>,
        method: &str,
        plain: &[Node<'_>],
    ) -> Text<Option<(String, u8)>> {
        if method == "[]=" || self.late.is_some() && receiver.as_call_node().is_some() {
            return Ok(None);
        }
        if let Some(found) = self.class_query(receiver, method, plain)? {
            return Ok(Some(found));
        }
        // `r.parameter(:x).value`
        if let (Some(inner), "value" | "should", []) = (receiver.as_call_node(), method, plain)
            && let Some(read) = self.parameter_of(&inner)?
        {
            return Ok(Some((read, OPERAND)));
        }
        if !self.is_catalog_resource(receiver, MAX_DEPTH) {
            return Ok(None);
        }
        if call.block().is_some() {
            return Ok(None);
        }
        if call.is_safe_navigation() && matches!(method, "is_a?" | "kind_of?" | "instance_of?" | "==" | "!=" | "equal?" | "eql?") {
            return no(receiver, "this test of a resource is not supported");
        }
        let resource = self.expr(receiver, OPERAND)?;
        let text = match (method, plain) {
            ("[]" | "value", [wanted]) => match ruby::symbol(wanted).or_else(|| ruby::text(wanted)).filter(|w| ruby::is_word(w)) {
                Some(wanted) if wanted == "provider" => return no(receiver, "the provider of another resource is not supported"),
                Some(wanted) => format!("{resource}.{wanted}"),
                None => format!("{resource}[{}]", self.expr(wanted, TERNARY)?),
            },
            ("should", [wanted]) => self.should_of_other(&resource, wanted)?,
            (method, []) if let Some(read) = resource_read(&resource, method) => read,
            ("is_a?" | "kind_of?" | "instance_of?", [class]) => {
                if ruby::constant(class).as_deref() == Some("Puppet::Type") && method != "instance_of?" {
                    return Ok(Some((format!("!{resource}.nil?"), UNARY)));
                }
                let own = || self.is_own_class(class).then(|| OfType::Class(self.scope.type_name.clone()));
                let Some(class) = type_class(class).or_else(own) else {
                    return no(receiver, "this test of a resource is not supported");
                };
                let test = format!("type_name({resource}) == {}", self.type_word(&class, receiver)?);
                // What is looked for may not be there.
                let is_found = receiver.as_call_node().is_some();
                return Ok(Some(if is_found { (format!("!{resource}.nil? && {test}"), AND) } else { (test, COMPARE) }));
            }
            ("nil?", []) => format!("{resource}.nil?"),
            ("==" | "!=" | "equal?" | "eql?", [other]) if self.is_resource(other) => {
                let (is_same, is_found) = (method != "!=", receiver.as_call_node().is_some());
                let test = format!("ref({resource}) {} ref(self)", if is_same { "==" } else { "!=" });
                return Ok(Some(match (is_found, is_same) {
                    (false, _) => (test, COMPARE),
                    (true, true) => (format!("!{resource}.nil? && {test}"), AND),
                    (true, false) => (format!("{resource}.nil? || {test}"), OR),
                }));
            }
            ("==" | "!=" | "!" | "&" | "class" | "parameter" | "property" | "parameters", _) => return Ok(None),
            _ => return no(receiver, format!("`{method}` of another resource is not supported")),
        };
        if call.is_safe_navigation() {
            return Ok(Some((format!("{resource}.nil? ? nil : {text}"), TERNARY)));
        }
        Ok(Some((text, OPERAND)))
    }

    /// Returns the value in `r.parameter(:x)` and `r.parameters[:x]`.
    fn parameter_of(&mut self, call: &CallNode<'_>) -> Text<Option<String>> {
        let (Some(of), given) = (call.receiver(), ruby::arguments(call.arguments()).0) else { return Ok(None) };
        let [wanted] = given.as_slice() else { return Ok(None) };
        let of = match name(&call.name()).as_str() {
            "parameter" | "property" => Some(of),
            "[]" => of.as_call_node().filter(|c| name(&c.name()) == "parameters" && c.arguments().is_none()).and_then(|c| c.receiver()),
            _ => None,
        };
        let Some(of) = of.filter(|of| self.is_catalog_resource(of, MAX_DEPTH)) else { return Ok(None) };
        Ok(Some(format!("{}[{}]", self.expr(&of, OPERAND)?, self.expr(wanted, TERNARY)?)))
    }

    /// Returns the resource of the catalog in `r.class`.
    fn resource_class<'p>(&self, node: &Node<'p>) -> Option<Node<'p>> {
        let call = node.as_call_node().filter(|c| name(&c.name()) == "class" && c.arguments().is_none())?;
        call.receiver().filter(|of| self.is_catalog_resource(of, MAX_DEPTH))
    }

    /// Returns the resource of the catalog in `r.class.to_s`.
    fn class_text<'p>(&self, node: &Node<'p>) -> Option<Node<'p>> {
        let call = node.as_call_node().filter(|c| name(&c.name()) == "to_s" && c.arguments().is_none())?;
        self.resource_class(&call.receiver()?)
    }

    /// Translates queries of the class of a resource of the catalog, which is its type.
    fn class_query(&mut self, receiver: &Node<'_>, method: &str, plain: &[Node<'_>]) -> Text<Option<(String, u8)>> {
        // `r.class.to_s == 'Puppet::Type::File'`
        if let ("==" | "!=", [other]) = (method, plain) {
            let found = match (self.class_text(receiver).zip(ruby::text(other)), self.class_text(other).zip(ruby::text(receiver))) {
                (Some(found), _) | (None, Some(found)) => Some(found),
                (None, None) => None,
            };
            if let Some((of, text)) = found {
                let Some(wanted) = text.strip_prefix("Puppet::Type::").filter(|w| is_class_of_type(w)) else {
                    return Ok(Some(((method == "!=").to_string(), OPERAND)));
                };
                let of = self.expr(&of, TERNARY)?;
                return Ok(Some((format!("type_name({of}) {method} {}", written_symbol(&wanted.to_lowercase())), COMPARE)));
            }
            let pair = match (self.resource_class(receiver).zip(type_class(other)), self.resource_class(other).zip(type_class(receiver))) {
                (Some(found), _) | (None, Some(found)) => Some(found),
                (None, None) => None,
            };
            if let Some((of, class)) = pair {
                let wanted = self.type_word(&class, receiver)?;
                return Ok(Some((format!("type_name({}) {method} {wanted}", self.expr(&of, TERNARY)?), COMPARE)));
            }
        }
        if let ("===", [other], Some(class)) = (method, plain, type_class(receiver))
            && self.is_catalog_resource(other, MAX_DEPTH)
        {
            let wanted = self.type_word(&class, receiver)?;
            return Ok(Some((format!("type_name({}) == {wanted}", self.expr(other, TERNARY)?), COMPARE)));
        }
        let Some(of) = self.resource_class(receiver) else { return Ok(None) };
        let of = self.expr(&of, TERNARY)?;
        let has = |of: &str, kind: &str, wanted: &str| format!("catalog.type(type_name({of}))[:{kind}].include?({wanted})");
        Ok(match (method, plain) {
            ("name", []) => Some((format!("type_name({of})"), OPERAND)),
            ("to_s", []) => Some((format!("\"Puppet::Type::#{{type_name({of}).to_s.capitalize}}\""), OPERAND)),
            ("validproperty?", [wanted]) => {
                let wanted = self.expr(wanted, TERNARY)?;
                Some((has(&of, "properties", &wanted), OPERAND))
            }
            _ => return no(receiver, format!("`{method}` of the class of a resource is not supported")),
        })
    }

    /// Translates `indirection.find(path, environment: e)`: the environment is that of the catalog.
    pub(super) fn served_by_environment(&mut self, call: &CallNode<'_>) -> Text<Option<(String, u8)>> {
        let (plain, named) = ruby::arguments(call.arguments());
        let is_environment = |key: &Node<'_>| ruby::symbol(key).as_deref() == Some("environment");
        let asks_catalog = |value: &Node<'_>| {
            let call = value.as_call_node().filter(|c| matches!(name(&c.name()).as_str(), "environment" | "environment_instance"));
            call.and_then(|c| c.receiver()).is_some_and(|of| self.is_catalog(&of))
        };
        match (call.receiver(), plain.as_slice(), named.as_slice()) {
            (Some(receiver), [_], [(key, value)])
                if name(&call.name()) == "find" && served(&receiver).is_some() && is_environment(key) && asks_catalog(value) =>
            {
                self.machine_call(&receiver, "find", &plain)
            }
            _ => Ok(None),
        }
    }

    /// Returns whether a node is the content of a file, in each of its branches.
    pub(super) fn is_served_content(&self, node: &Node<'_>, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        if let Some(branch) = node.as_if_node() {
            let last = |s: Option<ruby_prism::StatementsNode<'_>>| {
                let inner = ruby::statements(s.map(|s| s.as_node()));
                matches!(inner.as_slice(), [one] if self.is_served_content(one, depth))
            };
            let other = branch.subsequent().and_then(|n| n.as_else_node());
            return last(branch.statements()) && other.is_some_and(|e| last(e.statements()));
        }
        node.as_call_node().is_some_and(|c| c.receiver().as_ref().and_then(served) == Some("Content"))
    }

    /// Translates `catalog` and `r.parameter(:x)` as conditions.
    pub(super) fn catalog_condition(&mut self, node: &Node<'_>) -> Text<Option<(String, u8)>> {
        if self.is_catalog(node) {
            return Ok(Some(("catalog.present?".into(), OPERAND)));
        }
        if let Some(test) = self.puppet_condition(node)? {
            return Ok(Some(test));
        }
        let Some(call) = node.as_call_node() else { return Ok(None) };
        Ok(self.parameter_of(&call)?.map(|read| (format!("!{read}.nil?"), UNARY)))
    }

    /// Returns the name of the type that a class implements, as an expression.
    fn type_word(&mut self, class: &OfType<'_>, node: &Node<'_>) -> Text {
        match class {
            OfType::Class(wanted) if self.scope.type_name != *wanted && self.related.as_ref() != Some(wanted) => {
                no(node, "the class of a type, which may not be loaded, is not supported")
            }
            OfType::Named(wanted) | OfType::Class(wanted) => Ok(written_symbol(wanted)),
            OfType::Computed(wanted) => match self.known_word(wanted) {
                Some(wanted) => Ok(written_symbol(&wanted)),
                None => self.expr(wanted, TERNARY),
            },
        }
    }

    fn should_of_other(&mut self, resource: &str, wanted: &Node<'_>) -> Text {
        let symbol = match ruby::symbol(wanted) {
            Some(wanted) => written_symbol(&wanted),
            None => self.expr(wanted, TERNARY)?,
        };
        let of_type = self.types.get(resource).cloned().unwrap_or_else(|| format!("type_name({resource})"));
        Ok(format!("(catalog.type({of_type})[:properties].include?({symbol}) ? {resource}[{symbol}] : nil)"))
    }
}

/// Returns whether a word is what Puppet calls the class of a type.
fn is_class_of_type(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(|c| c.is_ascii_uppercase()) && chars.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// Returns whether a method of resources returns where they are declared: `file_of(r)` and `line_of(r)`.
pub(super) fn is_place(method: &str) -> bool {
    matches!(method, "file" | "line")
}
