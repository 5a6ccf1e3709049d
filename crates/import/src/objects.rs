//! Translates calls of Puppet's objects: parameters, resources, providers, the catalog.

use super::block::*;
use super::catalog_values::is_place;
use super::classes_of_values::is_class_of_self;
use super::ruby::{self, name};
use super::things::Thing;
use super::undefined::METAPARAMS;
use rtype_lang::syntax::{quote, written_symbol};
use ruby_prism::{CallNode, Node};

/// Methods of Ruby classes and Puppet's providers that rtype's providers do not have.
const CLASS_WORDS: &[&str] =
    &["feature?", "supports_feature?", "respond_to?", "ancestors", "instances", "prefetch", "new", "class", "send", "to_s", "suitable?"];

impl BlockTranslator<'_> {
    /// Translates a call of one of these objects; `None` for other receivers.
    pub(super) fn object_call(&mut self, call: &CallNode<'_>, method: &str, plain: &[Node<'_>]) -> Text<Option<(String, u8)>> {
        let node = call.as_node();
        let Some(receiver) = call.receiver() else {
            return Ok(match (method, plain) {
                ("ref", []) if self.attribute.is_none() => Some(("ref(self)".into(), OPERAND)),
                (place, []) if self.attribute.is_none() && is_place(place) && !self.scope.functions.contains(place) => {
                    Some((format!("{place}_of(self)"), OPERAND))
                }
                ("title", []) if self.attribute.is_none() => Some(("title(self)".into(), OPERAND)),
                ("type", []) if self.attribute.is_none() && !self.scope.functions.contains("type") => {
                    Some((written_symbol(&self.scope.type_name), OPERAND))
                }
                _ => None,
            });
        };
        if let Some(found) = self.puppet_object(&receiver, method, plain)? {
            return Ok(Some(found));
        }
        if let Some(found) = self.resource_query(call, &receiver, method, plain)? {
            return Ok(Some(found));
        }
        if let Some(found) = self.class_test(call, &receiver, method, plain)? {
            return Ok(Some(found));
        }
        if let Some(found) = self.parameter_call(call, &receiver, method, plain)? {
            return Ok(Some(found));
        }
        if let Some(found) = self.provider_call(&receiver, method, plain)? {
            return Ok(Some(found));
        }
        if let Some(found) = self.changed_later(&node)? {
            return Ok(Some((found, OPERAND)));
        }
        if let Some(found) = self.catalog_call(call, &receiver, method, plain)? {
            return Ok(Some(found));
        }
        if (self.is_own_class(&receiver) || is_class_of_self(&receiver))
            && let Some(value) = self.constant_method(call, method, true)
        {
            return Ok(Some((value, OPERAND)));
        }
        if is_class_of_self(&receiver)
            && self.attribute.is_some()
            && let Some(function) = (self.function_of)(&Caller::OwnClass, method)
        {
            return Ok(Some((format!("{function}{}", self.all_arguments(call)?), OPERAND)));
        }
        if let Some(class) = self.class_name(&node) {
            return Ok(Some((quote(&class), OPERAND)));
        }
        if let Some(made) = self.made(call, &receiver, method, plain)? {
            return Ok(Some(made));
        }
        if let (true, [wanted]) = (self.is_own_class(&receiver), plain)
            && let Some(answer) = ruby::symbol(wanted).and_then(|w| self.declares(method, &w))
        {
            return Ok(Some((answer.to_string(), OPERAND)));
        }
        if let (true, "name", []) = (self.is_own_class(&receiver), method, plain) {
            return Ok(Some((written_symbol(&self.scope.type_name), OPERAND)));
        }
        if self.is_own_class(&receiver) && self.scope.functions.contains(method) && call.block().is_none() {
            return Ok(Some((format!("{}{}", self.scope.function_word(method), self.all_arguments(call)?), OPERAND)));
        }
        if self.is_resource(&receiver) {
            let text = match (method, plain) {
                ("[]" | "value", [wanted]) => match ruby::symbol(wanted).or_else(|| ruby::text(wanted)).as_deref() {
                    Some("provider") => "provider.name".to_owned(),
                    Some(_) => return Ok(None),
                    None => format!("self[{}]", self.expr(wanted, TERNARY)?),
                },
                ("should", [wanted]) => self.should_of(wanted)?,
                ("class", []) => return no(&node, "`class` is not supported"),
                ("ref" | "to_s", []) => "ref(self)".into(),
                ("==" | "!=", [other]) if self.is_catalog_resource(other, MAX_DEPTH) => {
                    return Ok(Some((format!("ref(self) {method} ref({})", self.expr(other, TERNARY)?), COMPARE)));
                }
                ("title", []) => "title(self)".into(),
                (place, []) if is_place(place) && !self.scope.functions.contains(place) => format!("{place}_of(self)"),
                ("type", []) if !self.scope.functions.contains("type") => written_symbol(&self.scope.type_name),
                ("name", []) if self.attribute.is_some() => format!("self.{}", self.scope.name_of()),
                _ if self.scope.functions.contains(method) && call.block().is_none() => {
                    format!("{}{}", self.scope.function_word(method), self.all_arguments(call)?)
                }
                _ => return Ok(None),
            };
            return Ok(Some((text, OPERAND)));
        }
        self.machine_call(&receiver, method, plain)
    }

    /// Answers `validattr?(:x)` and similar questions of the class of the type.
    fn declares(&self, method: &str, wanted: &str) -> Option<bool> {
        let (is_property, is_metaparam) = (self.scope.properties.contains(wanted), METAPARAMS.lines().any(|m| m == wanted));
        let is_param = self.scope.attributes.contains(wanted) && !is_property;
        match method {
            // Whether it is there depends on the providers.
            _ if wanted == "provider" => None,
            "validproperty?" => Some(is_property),
            "validparameter?" => Some(is_param || is_metaparam),
            "validattr?" | "valid_parameter?" => Some(is_property || is_param || is_metaparam || wanted == "name"),
            _ => None,
        }
    }

    /// Translates `should(:x)`, which is nil for a parameter.
    pub(super) fn should_of(&mut self, wanted: &Node<'_>) -> Text {
        let is_property = |w: &String| self.scope.properties.contains(w);
        if let Some(wanted) = ruby::symbol(wanted).or_else(|| self.known_word(wanted)) {
            return Ok(if is_property(&wanted) { self.desired_of(&wanted) } else { "nil".into() });
        }
        let local = wanted.as_local_variable_read_node().map(|l| ruby::local(&l.name()));
        match local.and_then(|l| self.symbols.get(&l)) {
            Some(all) if all.iter().all(is_property) => Ok(format!("self[{}]", self.expr(wanted, TERNARY)?)),
            _ => no(wanted, "`should` of a computed name, which may be a param, is not supported"),
        }
    }

    /// Returns the desired value of an attribute of the resource as Ruby code gets it.
    pub(super) fn desired_of(&self, attribute: &str) -> String {
        match self.scope.joined.get(attribute) {
            Some(delimiter) => format!("(self.{attribute}.nil? ? nil : self.{attribute}.join({delimiter}))"),
            None => format!("self.{attribute}"),
        }
    }

    /// Returns the word of a known local outside the block.
    pub(super) fn known_word(&self, node: &Node<'_>) -> Option<String> {
        let local = name(&node.as_local_variable_read_node()?.name());
        self.scope.known.get(&local).filter(|_| !self.locals.contains(&local))?.word()
    }

    /// Returns the list of all desired values of a property; a param has none.
    pub(super) fn all_values(&self, owner: &AttributeContext) -> String {
        let is_param = self.scope.params.contains(&owner.name) && !self.scope.properties.contains(&owner.name);
        if is_param && !owner.is_kind { "nil".to_owned() } else { format!("self.values({})", owner.symbol()) }
    }

    /// Returns the symbols of a list, if it contains only symbols.
    pub(super) fn symbols_of(&self, node: Option<&Node<'_>>) -> Option<Vec<String>> {
        let node = node?;
        if let Some(list) = node.as_array_node() {
            return list.elements().iter().map(|e| ruby::symbol(&e)).collect();
        }
        self.symbols.get(&ruby::local(&node.as_local_variable_read_node()?.name())).cloned()
    }

    fn all_arguments(&mut self, call: &CallNode<'_>) -> Text {
        let rest = self.call_rest(call)?;
        Ok(if rest.is_empty() { "()".to_owned() } else { rest })
    }

    /// Returns whether a node is `self.class` in a type or `resource.class` in an attribute.
    pub(super) fn is_own_class(&self, node: &Node<'_>) -> bool {
        node.as_call_node().is_some_and(|c| name(&c.name()) == "class" && c.receiver().is_some_and(|r| self.is_resource(&r)))
    }

    /// Translates `self.class::LIMIT` and `resource.class::LIMIT`.
    pub(super) fn constant_of_class(&self, node: &Node<'_>) -> Option<String> {
        let path = node.as_constant_path_node()?;
        let (class, constant) = (path.parent()?, name(&path.name()?));
        let methods = self.methods?;
        let value = if self.is_own_class(&class) {
            methods.constant_of(None, &constant)
        } else {
            let of = class.as_call_node().filter(|c| name(&c.name()) == "class" && c.arguments().is_none())?.receiver()?;
            let own = self.attribute.filter(|_| of.as_self_node().is_some())?;
            methods.constant_of(Some(own.class.filter(|_| !own.is_kind)?), &constant)
        };
        value?.in_code()
    }

    /// Returns what a method without arguments of the attribute, the type or their class returns, if that is known when they are loaded.
    pub(super) fn constant_method(&self, call: &CallNode<'_>, method: &str, of_class: bool) -> Option<String> {
        if call.arguments().is_some() || call.block().is_some() {
            return None;
        }
        let of_type = of_class && call.receiver().is_some_and(|r| self.is_own_class(&r));
        let class = self.attribute.filter(|_| !of_type).map(|own| own.class);
        // A class is known of every attribute; without one it is that of the type.
        if class == Some(None) {
            return None;
        }
        self.methods?.constant_method(class.flatten(), method, of_class)?.in_code()
    }

    /// Returns the expression of the name of a local that is a parameter object.
    pub(super) fn parameter_local(&self, node: &Node<'_>) -> Option<String> {
        self.parameters.get(&ruby::local(&node.as_local_variable_read_node()?.name())).cloned()
    }

    fn helper_of(&self, key: &str, method: &str) -> Option<String> {
        let attribute = key.strip_prefix(':')?.to_owned();
        self.scope.helpers.get(&(attribute, method.to_owned())).cloned()
    }

    /// Returns the expression of the name in `@parameters[name]`.
    pub(super) fn parameter_key(&mut self, node: &Node<'_>) -> Text<Option<String>> {
        let Some(call) = node.as_call_node().filter(|c| name(&c.name()) == "[]") else { return Ok(None) };
        let given = ruby::arguments(call.arguments()).0;
        match (call.receiver(), given.as_slice()) {
            (Some(of), [key]) if self.is_parameters(&of) => self.expr(key, TERNARY).map(Some),
            _ => Ok(None),
        }
    }

    /// Returns the attribute in `@parameters[:x]`, `parameter(:x)` or `property(:x)`.
    pub(super) fn parameter(&self, node: &Node<'_>) -> Option<String> {
        let call = node.as_call_node()?;
        let (plain, named) = ruby::arguments(call.arguments());
        let [argument] = plain.as_slice() else { return None };
        let of = call.receiver();
        let found = match name(&call.name()).as_str() {
            "[]" => self.is_parameters(&of?),
            "parameter" | "property" => match of {
                None => self.attribute.is_none(),
                Some(of) => self.is_resource(&of),
            },
            _ => false,
        };
        ruby::symbol(argument).filter(|_| found && named.is_empty())
    }

    fn is_parameters(&self, node: &Node<'_>) -> bool {
        if let Some(variable) = node.as_instance_variable_read_node() {
            return self.attribute.is_none() && name(&variable.name()) == "@parameters";
        }
        node.as_call_node().is_some_and(|c| {
            name(&c.name()) == "parameters"
                && c.arguments().is_none()
                && c.receiver().map_or(self.attribute.is_none(), |of| self.is_resource(&of))
        })
    }

    /// Returns the property in `@parameters[:x] || newattr(:x)`, which adds it to the resource, without a desired value, if it has none.
    fn added_property(&self, node: &Node<'_>) -> Option<String> {
        let inner = match node.as_parentheses_node() {
            Some(group) => match <[Node<'_>; 1]>::try_from(ruby::statements(group.body())) {
                Ok([only]) => return self.added_property(&only),
                Err(_) => return None,
            },
            None => node,
        };
        if let Some(or) = inner.as_or_node() {
            let known = self.parameter(&or.left())?;
            return self.added_property(&or.right()).filter(|added| *added == known);
        }
        let call = inner.as_call_node().filter(|c| name(&c.name()) == "newattr")?;
        let on_resource = call.receiver().map_or(self.attribute.is_none(), |of| self.is_resource(&of));
        match ruby::arguments(call.arguments()).0.as_slice() {
            [wanted] if on_resource => ruby::symbol(wanted).filter(|w| self.scope.properties.contains(w)),
            _ => None,
        }
    }

    fn parameter_call(&mut self, call: &CallNode<'_>, receiver: &Node<'_>, method: &str, plain: &[Node<'_>]) -> Text<Option<(String, u8)>> {
        if let ("retrieve", [], Some(added)) = (method, plain, self.added_property(receiver)) {
            return Ok(Some((format!("is({})", written_symbol(&added)), OPERAND)));
        }
        if self.is_parameters(receiver)
            && let ("include?" | "key?" | "has_key?", [wanted]) = (method, plain)
        {
            return Ok(Some((format!("self.set?({})", self.expr(wanted, TERNARY)?), OPERAND)));
        }
        if self.parameter(receiver).is_none()
            && let Some(key) = self.parameter_key(receiver)?
        {
            return Ok(match (method, plain) {
                ("value" | "should", []) => Some((format!("self[{key}]"), OPERAND)),
                ("nil?", []) => Some((format!("!self.set?({key})"), UNARY)),
                _ => None,
            });
        }
        if let Some(key) = self.parameter_local(receiver) {
            return Ok(match (method, plain) {
                ("value" | "should", []) => {
                    let joined = key.strip_prefix(':').filter(|attribute| self.scope.joined.contains_key(*attribute));
                    Some((joined.map_or_else(|| format!("self[{key}]"), |attribute| self.desired_of(attribute)), OPERAND))
                }
                ("nil?", []) => Some((format!("!self.set?({key})"), UNARY)),
                // A helper method of the attribute.
                (_, [given]) if self.helper_of(&key, method).is_some() => {
                    let function = self.helper_of(&key, method).unwrap_or_default();
                    Some((format!("{function}({})", self.expr(given, TERNARY)?), OPERAND))
                }
                _ => return no(receiver, format!("`{method}` of a parameter is not supported")),
            });
        }
        let Some(attribute) = self.parameter(receiver) else { return Ok(None) };
        let symbol = written_symbol(&attribute);
        Ok(match (method, plain) {
            ("value" | "should", []) if call.is_safe_navigation() => Some((self.desired_of(&attribute), OPERAND)),
            // Code that names the parameter once does not test whether it is there.
            ("value" | "should", []) if self.mentions().calls_like(&self.slice(receiver)) == 1 => {
                let failure = format!("fail(\"undefined method `{method}' for nil:NilClass\")");
                Some((format!("self.set?({symbol}) ? {} : {failure}", self.desired_of(&attribute)), TERNARY))
            }
            ("value" | "should", []) => Some((self.desired_of(&attribute), OPERAND)),
            ("nil?", []) => Some((format!("!self.set?({symbol})"), UNARY)),
            ("shouldorig", []) => Some((format!("Array(self.raw({symbol}))"), OPERAND)),
            // The text of an attribute is its name, that of `nil` is empty.
            ("to_s", []) => Some((format!("(self.set?({symbol}) ? {} : \"\")", quote(&attribute)), OPERAND)),
            ("retrieve", []) if self.scope.properties.contains(&attribute) => {
                let failure = "fail(\"undefined method `retrieve' for nil:NilClass\")";
                let own = self.attribute.is_some_and(|owner| owner.name == attribute);
                Some(match own {
                    true => (format!("is({symbol})"), OPERAND),
                    false => (format!("self.set?({symbol}) ? is({symbol}) : {failure}"), TERNARY),
                })
            }
            (_, arguments)
                if call.block().is_none()
                    && let Some(function) = self.helper_of(&symbol, method) =>
            {
                let arguments: Text<Vec<String>> = arguments.iter().map(|a| self.expr(a, TERNARY)).collect();
                let failure = format!("fail(\"undefined method `{method}' for nil:NilClass\")");
                Some((format!("self.set?({symbol}) ? {function}({}) : {failure}", arguments?.join(", ")), TERNARY))
            }
            ("sync", []) => return no(receiver, "`sync` of another property, whether it is in sync or not, is not supported"),
            _ => None,
        })
    }

    /// Returns whether a node is `provider` or `resource.provider`.
    pub(super) fn is_provider(&self, node: &Node<'_>) -> bool {
        if self.known_thing(node) == Some(Thing::Provider) {
            return true;
        }
        if let Some(local) = node.as_local_variable_read_node() {
            return self.providers.contains(&ruby::local(&local.name()));
        }
        node.as_call_node().is_some_and(|c| {
            name(&c.name()) == "provider"
                && c.arguments().is_none()
                && c.receiver().is_none_or(|of| of.as_self_node().is_some() || self.is_resource(&of))
        })
    }

    /// Returns whether a statement calls a method of the provider. While properties are compared, the provider may remember what it is
    /// given, which does not change the result.
    pub(super) fn notifies_provider(&self, node: &Node<'_>) -> bool {
        let (test, body) = if let Some(branch) = node.as_if_node().filter(|b| b.subsequent().is_none()) {
            (branch.predicate(), branch.statements())
        } else if let Some(branch) = node.as_unless_node().filter(|b| b.else_clause().is_none()) {
            (branch.predicate(), branch.statements())
        } else {
            return self.is_provider_call(node);
        };
        let inner = ruby::statements(body.map(|s| s.as_node()));
        test.as_local_variable_read_node().is_some() && matches!(inner.as_slice(), [only] if self.is_provider_call(only))
    }

    fn is_provider_call(&self, node: &Node<'_>) -> bool {
        node.as_call_node().is_some_and(|c| c.block().is_none() && c.receiver().is_some_and(|of| self.is_provider(&of)))
    }

    /// Returns whether a node is the class of the provider, or of the type's default provider.
    pub(super) fn is_provider_class(&self, node: &Node<'_>) -> bool {
        node.as_call_node().is_some_and(|c| match (name(&c.name()).as_str(), c.receiver()) {
            ("class", Some(of)) => self.is_provider(&of),
            ("defaultprovider", Some(of)) => self.is_own_class(&of),
            _ => false,
        })
    }

    fn provider_call(&mut self, receiver: &Node<'_>, method: &str, plain: &[Node<'_>]) -> Text<Option<(String, u8)>> {
        let word = || plain.first().and_then(ruby::symbol);
        if self.is_provider(receiver) {
            return Ok(match (method, plain) {
                // In Ruby it is that of the resource.
                ("name", []) if self.attribute.is_none_or(|o| !o.is_module) => Some((format!("self.{}", self.scope.name_of()), OPERAND)),
                ("nil?", []) => Some(("provider.name.nil?".into(), OPERAND)),
                ("send" | "public_send", [wanted]) => self.sent_to_provider(wanted),
                ("respond_to?" | "feature?", [_]) => word().map(|w| (format!("provider.has?({})", written_symbol(&w)), OPERAND)),
                ("is_a?" | "kind_of?" | "instance_of?", [class]) => {
                    let class = class.as_call_node().filter(|c| name(&c.name()) == "provider");
                    let class = class.filter(|c| c.receiver().is_some_and(|of| self.is_own_class(&of)));
                    let wanted = class.and_then(|c| ruby::arguments(c.arguments()).0.first().and_then(ruby::symbol));
                    wanted.map(|w| (format!("provider.name == {}", written_symbol(&w)), COMPARE))
                }
                _ => None,
            });
        }
        if self.is_provider_class(receiver) {
            return Ok(match (method, plain) {
                ("name", []) => Some(("provider.name".into(), OPERAND)),
                // Providers of tables have this setting.
                ("default_target", []) => Some(("provider.default_target".into(), OPERAND)),
                (asked, _) if ruby::is_word(asked.trim_end_matches('?')) && !CLASS_WORDS.contains(&asked) => {
                    // Class methods are called on the provider.
                    let plain: Text<Vec<String>> = plain.iter().map(|a| self.expr(a, TERNARY)).collect();
                    let plain = plain?;
                    let given = if plain.is_empty() { String::new() } else { format!("({})", plain.join(", ")) };
                    Some((format!("provider.{asked}{given}"), OPERAND))
                }
                ("feature?" | "supports_feature?", [_]) => word().map(|w| (format!("provider.has?({})", written_symbol(&w)), OPERAND)),
                _ => None,
            });
        }
        let ancestors = receiver.as_call_node().filter(|c| name(&c.name()) == "ancestors");
        if let (Some(ancestors), "include?", [class]) = (ancestors, method, plain)
            && ancestors.receiver().is_some_and(|of| self.is_provider_class(&of))
            && ruby::constant(class).as_deref() == Some("Puppet::Provider::ParsedFile")
        {
            return Ok(Some(("provider.has?(:default_target)".into(), OPERAND)));
        }
        Ok(None)
    }

    /// Returns whether a condition asks if the type has a default provider.
    pub(super) fn asks_for_provider(&self, node: &Node<'_>) -> bool {
        node.as_call_node().is_some_and(|c| name(&c.name()) == "defaultprovider") && self.is_provider_class(node)
    }

    /// Translates queries of the machine, including calls on their results.
    pub(super) fn machine_call(&mut self, receiver: &Node<'_>, method: &str, plain: &[Node<'_>]) -> Text<Option<(String, u8)>> {
        if let Some(local) = receiver.as_local_variable_read_node()
            && self.accounts.contains(&ruby::local(&local.name()))
        {
            return Ok(match (method, plain) {
                ("respond_to?", [wanted]) if ruby::symbol(wanted).as_deref() == Some("name") => Some(("true".into(), OPERAND)),
                ("name", []) => Some(("current_user()".into(), OPERAND)),
                _ => None,
            });
        }
        if let (Some(local), "content", []) = (receiver.as_local_variable_read_node(), method, plain)
            && self.contents.contains(&ruby::local(&local.name()))
        {
            return Ok(Some((ruby::local(&local.name()), OPERAND)));
        }
        if let ("to_yaml" | "to_json", []) = (method, plain) {
            let own = self.function_of_values(method, 0, &ruby::place(receiver));
            if let Some(function) = own {
                return Ok(Some((format!("{function}({})", self.expr(receiver, TERNARY)?), OPERAND)));
            }
            return Ok(Some((format!("{method}({})", self.expr(receiver, TERNARY)?), OPERAND)));
        }
        if let Some(of) = served(receiver)
            && let ("find", [path]) = (method, plain)
        {
            let path = self.expr(path, TERNARY)?;
            let text = if of == "Metadata" { format!("files_below({path}, {{depth: 0}})") } else { format!("file_text({path})") };
            return Ok(Some((text, OPERAND)));
        }
        let Some(inner) = receiver.as_call_node() else { return Ok(None) };
        let module = inner.receiver().as_ref().and_then(ruby::constant);
        let (given, _) = ruby::arguments(inner.arguments());
        Ok(match (module.as_deref(), name(&inner.name()).as_str(), given.as_slice(), method, plain) {
            (Some("Puppet"), "features", [], feature, []) if feature.ends_with('?') => {
                Some((format!("feature({})", quote(feature.trim_end_matches('?'))), OPERAND))
            }
            (Some("Etc"), "getpwnam", [of], "uid", []) => {
                let of = self.expr(of, TERNARY)?;
                Some((format!("uid_of({of}) || fail(\"can't find user for #{{{of}}}\")"), OR))
            }
            (Some("Etc"), "getgrnam", [of], "gid", []) => {
                let of = self.expr(of, TERNARY)?;
                Some((format!("gid_of({of}) || fail(\"can't find group for #{{{of}}}\")"), OR))
            }
            (Some("Etc"), "getpwuid", [_], "name", []) if is_own_account(receiver) => Some(("current_user()".into(), OPERAND)),
            _ => None,
        })
    }
}

/// Returns `Content` for `Puppet::FileServing::Content.indirection`.
pub(super) fn served(node: &Node<'_>) -> Option<&'static str> {
    let call = node.as_call_node().filter(|c| name(&c.name()) == "indirection")?;
    match call.receiver().as_ref().and_then(ruby::constant)?.as_str() {
        "Puppet::FileServing::Content" => Some("Content"),
        "Puppet::FileServing::Metadata" => Some("Metadata"),
        _ => None,
    }
}

/// Recognizes `Etc.getpwuid(Process.uid)`.
pub(super) fn is_own_account(node: &Node<'_>) -> bool {
    let is = |node: &Node<'_>, module: &str, methods: &[&str]| {
        node.as_call_node().is_some_and(|c| {
            c.receiver().as_ref().and_then(ruby::constant).as_deref() == Some(module) && methods.contains(&name(&c.name()).as_str())
        })
    };
    let given = node.as_call_node().map(|c| ruby::arguments(c.arguments()).0).unwrap_or_default();
    is(node, "Etc", &["getpwuid"]) && given.iter().all(|a| is(a, "Process", &["uid", "euid"]))
}
