//! Translates calls in Ruby blocks: operators, methods, modules of Ruby and Puppet.

use super::block::*;
use super::catalog::type_class;
use super::catalog_values::{of_any_resource, resource_read};
use super::class_functions::Own;
use super::kinds::is_word_like;
use super::matches::is_match_part;
use super::ruby::{self, name};
use super::spread::{ClosureParams, closure_params, method_of};
use super::things::LEVELS;
use rtype_lang::syntax::quote;
use rtype_lang::types::builtin::Method;
use ruby_prism::{CallNode, Node};

impl BlockTranslator<'_> {
    pub(super) fn call(&mut self, call: &CallNode<'_>) -> Text<(String, u8)> {
        let node = call.as_node();
        let method = name(&call.name());
        if let Some(message) = self.failure(call)? {
            return Ok((format!("fail({message}{})", self.error_argument(call)), OPERAND));
        }
        if let Some(attribute) = self.attribute_read(&node) {
            let failure = self.invalid_attribute(&attribute);
            return Ok((failure.unwrap_or_else(|| self.desired_of(&attribute)), OPERAND));
        }
        let (plain, named) = ruby::arguments(call.arguments());
        // A regex is written in another way here.
        if let (Some(local), "inspect") = (call.receiver().and_then(|r| r.as_local_variable_read_node()), method.as_str())
            && !self.locals.contains(&ruby::local(&local.name()))
            && let Some(text) = (self.fold)(&ruby::place(&node), &self.locals).and_then(|v| v.written())
        {
            return Ok((text, OPERAND));
        }
        // The resource logs as the type does.
        if let ([message], true, None) = (plain.as_slice(), named.is_empty() && LEVELS.contains(&method.as_str()), call.block())
            && call.receiver().is_some_and(|of| self.is_resource(&of))
            && !self.scope.functions.contains(&method)
        {
            return Ok((format!("{method}({})", self.expr(message, TERNARY)?), OPERAND));
        }
        if let Some(found) = self.table_loop(call, &method)? {
            return Ok(found);
        }
        if named.is_empty()
            && !call.is_safe_navigation()
            && let Some(receiver) = call.receiver()
            && let Some(found) = self.lambda_call(&receiver, &method, &plain)?
        {
            return Ok(found);
        }
        if named.is_empty()
            && let Some(found) = self.nested_call(call, &method, &plain)?
        {
            return Ok(found);
        }
        if let Some(found) = self.thing_call(call, &method)? {
            return Ok(found);
        }
        if named.is_empty() {
            if let Some(found) = self.of_times(call, &method, &plain)? {
                return Ok(found);
            }
            if let Some(found) = self.of_versions(call, &method, &plain)? {
                return Ok(found);
            }
            if let Some(found) = self.time_value(call)? {
                return Ok(found);
            }
        }
        if (named.is_empty() || method == "new" && call.receiver().is_some_and(|r| type_class(&r).is_some()))
            && let Some(found) = self.object_call(call, &method, &plain)?
        {
            return Ok(found);
        }
        if let Some(found) = self.served_by_environment(call)? {
            return Ok(found);
        }
        let Some(receiver) = call.receiver() else { return self.bare_call(call, &method, &plain, named.is_empty()) };
        if matches!(method.as_str(), "format" | "sprintf" | "Integer" | "Float" | "Array" | "String")
            && ruby::constant(&receiver).as_deref() == Some("Kernel")
        {
            let method = if method == "format" { "sprintf" } else { &method };
            return self.bare_call(call, method, &plain, named.is_empty());
        }
        if self.related.is_some()
            && let Some(path) = self.pathname(&node)?
        {
            return Ok((path, OPERAND));
        }
        if named.is_empty()
            && let Some(found) = self.match_call(call, &receiver, &method, &plain)?
        {
            return Ok(found);
        }
        if let Some(found) = self.core_call(call, &receiver, &method, &plain, &named)? {
            return Ok(found);
        }
        if let Some(module) = ruby::constant(&receiver)
            && !self.scope.constants.contains(&module)
            && !self.is_data(&receiver)
        {
            return self.module_call(call, &module, &method, &plain);
        }
        // A single desired value is the first one of the list.
        if self.attribute.is_some_and(|owner| !owner.all && !owner.list) && self.wanted.is_none() && is_should(&receiver) {
            let first = matches!((method.as_str(), plain.as_slice()), ("first", []))
                || method == "[]" && matches!(plain.as_slice(), [at] if self.slice(at) == "0");
            if first {
                return Ok((self.attribute.map(|owner| self.desired(owner)).unwrap_or_default(), OPERAND));
            }
            if let (true, "include?", [wanted]) = (self.attribute.is_some_and(|o| o.listed), method.as_str(), plain.as_slice())
                && let Some(wanted) = ruby::symbol(wanted)
            {
                let attribute = self.attribute.map(AttributeContext::symbol).unwrap_or_default();
                let given = format!("Array(self.raw({attribute})).map {{ |v| v.to_s }}");
                return Ok((format!("{given}.include?({})", quote(&wanted)), OPERAND));
            }
        }
        let binary = match method.as_str() {
            "==" | "!=" | "<" | "<=" | ">" | ">=" | "<=>" | "=~" | "!~" => Some((COMPARE, ADD, ADD)),
            "+" | "-" | "&" => Some((ADD, ADD, TIMES)),
            "*" | "%" | "**" => Some((TIMES, TIMES, UNARY)),
            _ => None,
        };
        if let (Some((binds, left, right)), [argument]) = (binary, plain.as_slice()) {
            if method == "%"
                && let Some(text) = self.filled(&receiver, argument)?
            {
                return Ok((text, OPERAND));
            }
            if matches!(method.as_str(), "<" | "<=" | ">" | ">=" | "<=>")
                && let Some(found) = self.compared_values(&receiver, &method, argument)?
            {
                return Ok(found);
            }
            let left = self.expr(&receiver, left)?;
            let right = match self.schemes(argument) {
                Some(regex) if matches!(method.as_str(), "=~" | "!~") => regex,
                _ => self.expr(argument, right)?,
            };
            if method == "=~" && !self.is_tested(&node) {
                let is_turned = self.is_pattern(&receiver);
                return if is_turned { self.match_place(&right, &left) } else { self.match_place(&left, &right) };
            }
            return Ok((format!("{left} {method} {right}"), binds));
        }
        if method == "%"
            && let Some(text) = self.filled_from(&receiver, &named)?
        {
            return Ok((text, OPERAND));
        }
        match method.as_str() {
            "!" => return Ok((format!("!{}", self.condition(&receiver, UNARY)?), UNARY)),
            "-@" => return Ok((format!("-{}", self.expr(&receiver, UNARY)?), UNARY)),
            "freeze" | "dup" | "clone" | "+@" if plain.is_empty() => return self.deeper(&node, |block| block.any(&receiver)),
            // Commands of a provider return plain strings here.
            "exitcode" if plain.is_empty() => return Ok(("fail(\"a text has no exit code\")".into(), OPERAND)),
            "<<" | "[]=" | "instance_variable_get" | "send" | "public_send" | "class" | "tap" | "instance_of?" | "respond_to?" => {
                if method == "respond_to?" && plain.first().and_then(ruby::symbol).as_deref() == Some("unwrap") {
                    // Blocks of attributes see the content of a `Sensitive`.
                    let of_provider = self.own.running.as_ref().is_some_and(|running| matches!(running.of, Own::Provider));
                    let text = if of_provider { format!("{}.is_a?(Sensitive)", self.expr(&receiver, OPERAND)?) } else { "false".into() };
                    return Ok((text, OPERAND));
                }
                if let ("respond_to?", [wanted]) = (method.as_str(), plain.as_slice())
                    && let Some(kinds) = self.responds(&receiver, wanted)?
                {
                    return Ok(kinds);
                }
                return no(&node, format!("`{method}` is not supported"));
            }
            "to_a" | "entries" | "each" | "map" | "collect" | "select" | "filter" | "reject" | "find" | "detect" | "any?" | "all?"
            | "step" | "include?" | "member?"
                if let Some(list) = self.numbers(&receiver)? =>
            {
                let rest = self.call_rest(call)?;
                return match method.as_str() {
                    "to_a" | "entries" => Ok((list, OPERAND)),
                    "step" => no(&node, "`step` of a range is not supported"),
                    _ => Ok((format!("{list}.{method}{rest}"), OPERAND)),
                };
            }
            "[]" | "slice" if method == "[]" || plain.len() == 1 && plain.iter().all(|p| as_range(p)) => {
                let of = self.expr(&receiver, OPERAND)?;
                let items: Text<Vec<String>> = plain.iter().map(|a| self.index(a)).collect();
                let part = format!("{of}[{}]", items?.join(", "));
                return Ok(if call.is_safe_navigation() { (format!("{of}.nil? ? nil : {part}"), TERNARY) } else { (part, OPERAND) });
            }
            "is_a?" | "kind_of?" => {
                let [class] = plain.as_slice() else { return no(&node, "this test is not supported") };
                if let Some(test) = self.is_of_class(&receiver, class)? {
                    return Ok(test);
                }
                if let Some(test) = self.is_of_uri_class(&receiver, class)? {
                    return Ok(test);
                }
                let class = match class.as_call_node().filter(|c| matches!(name(&c.name()).as_str(), "[]" | "fetch")) {
                    Some(_) => self.expr(class, TERNARY)?,
                    None => self.pattern(class)?,
                };
                let of = self.expr(&receiver, OPERAND)?;
                return Ok(match class.as_str() {
                    "true" | "false" | "nil" if !call.is_safe_navigation() => (format!("{of} == {class}"), COMPARE),
                    "true" | "false" | "nil" => (format!("{of}.nil? ? nil : {of} == {class}"), TERNARY),
                    _ if call.is_safe_navigation() => (format!("{of}.nil? ? nil : {of}.is_a?({class})"), TERNARY),
                    _ => (format!("{of}.is_a?({class})"), OPERAND),
                });
            }
            _ => {}
        }
        if let (Some(property), [value]) = (method.strip_suffix('='), plain.as_slice())
            && self.is_provider(&receiver)
        {
            return Ok((format!("provider.{property} = {}", self.expr(value, TERNARY)?), 0));
        }
        // A temporary value may be changed in place.
        if let Some(bare) = method.strip_suffix('!').filter(|m| matches!(*m, "sort" | "reverse" | "map" | "collect" | "sort_by"))
            && receiver.as_call_node().is_some()
            && self.attribute_read(&receiver).is_none()
        {
            return Ok((format!("{}.{bare}{}", self.expr(&receiver, OPERAND)?, self.call_rest(call)?), OPERAND));
        }
        // A method of the type may have such a name and change nothing.
        let is_own = self.scope.functions.contains(&method) || self.attribute.is_some_and(|o| o.helpers.contains_key(&method));
        if (method.ends_with('!') || method.ends_with('='))
            && !(is_own && (self.is_resource(&receiver) || receiver.as_self_node().is_some()))
        {
            return no(&node, format!("`{method}` changes a value"));
        }
        if self.is_resource(&receiver) {
            if method.ends_with('?') && plain.is_empty() && call.block().is_none() {
                let failure = self.undefined_of_resource(&method);
                return Ok((failure.unwrap_or_else(|| format!("self.{method}")), OPERAND));
            }
            if self.attribute.is_none() {
                return self.bare_call(call, &method, &plain, named.is_empty());
            }
            if method == "provider" && plain.is_empty() {
                return Ok(("provider".into(), OPERAND));
            }
            return no(&node, format!("`resource.{method}` is not supported"));
        }
        if receiver.as_self_node().is_some() {
            return self.bare_call(call, &method, &plain, named.is_empty());
        }
        if let Some(path) = self.pathname(&receiver)? {
            if method == "ascend" {
                return self.ascend(call, &path);
            }
            let rest = self.call_rest(call)?;
            return match method.as_str() {
                "extname" if rest.is_empty() => Ok((format!("{path}.extname"), OPERAND)),
                "to_s" | "to_path" if rest.is_empty() => Ok((path, OPERAND)),
                "absolute?" | "relative?" | "root?" if rest.is_empty() => Ok((format!("{path}.{method}"), OPERAND)),
                _ => no(&node, format!("`Pathname#{method}` is not supported")),
            };
        }
        if let (Some(local), "message" | "to_s", []) = (receiver.as_local_variable_read_node(), method.as_str(), plain.as_slice())
            && self.errors.contains(&ruby::local(&local.name()))
        {
            return Ok((ruby::local(&local.name()), OPERAND));
        }
        if receiver.as_local_variable_read_node().is_some_and(|local| self.errors.contains(&ruby::local(&local.name()))) {
            return no(&node, format!("the method `{method}` of an error is not supported"));
        }
        if let (true, "eql?", [other]) = (is_match_part(&receiver), method.as_str(), plain.as_slice()) {
            return Ok((format!("{} == {}", self.expr(&receiver, ADD)?, self.expr(other, ADD)?), COMPARE));
        }
        if let ("eql?", [other]) = (method.as_str(), plain.as_slice())
            && (is_word_like(&receiver) || is_word_like(other))
        {
            return Ok((format!("{} == {}", self.expr(&receiver, ADD)?, self.expr(other, ADD)?), COMPARE));
        }
        // Ruby removes from lists and maps in place, and returns what it has removed.
        let is_map_key = plain.first().is_some_and(|key| ruby::symbol(key).is_some() || key.as_integer_node().is_some());
        let is_list = receiver.as_local_variable_read_node().is_some_and(|l| self.lists.contains(&ruby::local(&l.name())));
        if method == "delete" && (is_map_key || is_list || call.block().is_some()) {
            return no(&node, "using the result of `delete` is not supported");
        }
        if let Some(found) = self.asked_of_value(call, &receiver, &method)? {
            return Ok(found);
        }
        if let Some(found) = self.of_made_address(&receiver, &method, &plain)? {
            return Ok(found);
        }
        let of = self.expr(&receiver, OPERAND)?;
        // Of a URI; those of paths are translated above.
        if let ("absolute?" | "relative?", []) = (method.as_str(), plain.as_slice()) {
            return Ok((format!("{}{of}.scheme.nil?", if method == "absolute?" { "!" } else { "" }), UNARY));
        }
        if let ("match", Some(closure), [_]) = (method.as_str(), ruby::block(call), plain.as_slice()) {
            return self.match_given(call, &closure);
        }
        if let ("match" | "match?", [pattern]) = (method.as_str(), plain.as_slice()) {
            // Ruby converts the string to a regex.
            if let Some(source) = ruby::text(pattern) {
                return Ok((format!("{of}.{method}({})", ruby::regex(&source, false, false, false)), OPERAND));
            }
            if pattern.as_interpolated_string_node().is_some() && self.slice(pattern).contains(['^', '$']) {
                return no(pattern, "a computed text with `^` or `$` as a pattern is not supported");
            }
        }
        // Without arguments, it may read an attribute of another resource.
        let may_be_attribute = plain.is_empty() && named.is_empty() && call.block().is_none();
        let of_machine = self.is_provider(&receiver) || self.is_resource(&receiver);
        if !of_machine && let Some(read) = self.only_of(&of, &method, &plain)? {
            return Ok(if call.is_safe_navigation() { (format!("{of}.nil? ? nil : {read}"), TERNARY) } else { (read, OPERAND) });
        }
        if !may_be_attribute && !of_machine && Method::named(&method).is_none() && ruby::is_word(method.trim_end_matches(['?', '!'])) {
            return no(&node, format!("unknown method `{method}`"));
        }
        self.changes_only_new(&node, &receiver, &method)?;
        self.fits_kind(&node, &receiver, &method)?;
        let rest = self.call_rest(call)?;
        if call.is_safe_navigation() {
            return Ok((format!("{of}.nil? ? nil : {of}.{method}{rest}"), TERNARY));
        }
        if method == "delete" && !self.is_provider(&receiver) {
            return self.deleted_from(call, &receiver, &of, &rest);
        }
        Ok((format!("{of}.{method}{rest}"), OPERAND))
    }

    /// Recognizes `exception: false`.
    fn raises_nothing(&self, call: &CallNode<'_>) -> bool {
        let named = ruby::arguments(call.arguments()).1;
        matches!(named.as_slice(), [(key, value)] if ruby::symbol(key).as_deref() == Some("exception") && value.as_false_node().is_some())
    }

    /// Returns whether a constant is a value, not a class or module.
    pub(super) fn is_data(&self, constant: &Node<'_>) -> bool {
        let value = (self.fold)(&ruby::place(constant), &self.locals);
        value.is_some_and(|v| v.is_data())
    }

    fn is_path_list(&self, node: &Node<'_>) -> bool {
        node.as_local_variable_read_node().is_some_and(|l| self.path_lists.contains(&ruby::local(&l.name())))
    }

    /// Returns whether a node is `paths.find { … }` or similar.
    pub(super) fn finds_path(&self, node: &Node<'_>) -> bool {
        node.as_call_node().is_some_and(|c| {
            matches!(name(&c.name()).as_str(), "find" | "detect" | "first" | "last")
                && c.receiver().is_some_and(|of| self.is_path_list(&of))
        })
    }

    /// Translates an index, which may be a range.
    pub(super) fn index(&mut self, node: &Node<'_>) -> Text {
        if let Some(inner) = node.as_parentheses_node()
            && let [one] = ruby::statements(inner.body()).as_slice()
        {
            return self.deeper(node, |block| block.index(one));
        }
        let Some(range) = node.as_range_node() else { return self.expr(node, TERNARY) };
        let dots = if range.is_exclude_end() { "..." } else { ".." };
        let from = range.left().map(|n| self.expr(&n, ADD)).transpose()?.unwrap_or_default();
        let to = range.right().map(|n| self.expr(&n, ADD)).transpose()?.unwrap_or_default();
        Ok(format!("{from}{dots}{to}"))
    }

    /// Translates the arguments and closure of a call.
    pub(super) fn call_rest(&mut self, call: &CallNode<'_>) -> Text {
        let node = call.as_node();
        if let Some(folded) = self.folded_by_name(call)? {
            return Ok(folded);
        }
        let (plain, named) = ruby::arguments(call.arguments());
        let is_hash =
            matches!(name(&call.name()).as_str(), "merge" | "merge!" | "update" | "push" | "append" | "include?" | "gsub" | "sub");
        if !named.is_empty() && !is_hash {
            return no(&node, format!("named arguments of `{}` are not supported", name(&call.name())));
        }
        let plain: Text<Vec<String>> = plain.iter().map(|a| self.expr(a, TERNARY)).collect();
        let mut plain = plain?;
        if !named.is_empty() {
            // A hash without braces.
            let mut pair = |key: &Node<'_>, value: &Node<'_>| Ok(format!("{} => {}", self.expr(key, TERNARY)?, self.expr(value, TERNARY)?));
            let pairs: Text<Vec<String>> = named.iter().map(|(key, value)| pair(key, value)).collect();
            plain.push(format!("{{{}}}", pairs?.join(", ")));
        }
        let mut out = if plain.is_empty() { String::new() } else { format!("({})", plain.join(", ")) };
        let Some(block) = call.block() else { return Ok(out) };
        if let Some(argument) = block.as_block_argument_node() {
            if let Some(given) = argument.expression()
                && let Some(closure) = self.given_block_of(call, &given)?
            {
                return Ok(out + &closure);
            }
            let Some(method) = argument.expression().as_ref().and_then(ruby::symbol) else {
                return no(&block, "`&` is supported only with a symbol");
            };
            let of_resources = call.receiver().is_some_and(|of| self.is_resource_list(&of, MAX_DEPTH));
            if let Some(read) = resource_read("x", &method).filter(|_| of_resources) {
                return Ok(format!("{out} {{ |x| {read} }}"));
            }
            let called = match self.function_of_values(&method, 0, &ruby::place(&block)) {
                Some(function) => format!("{function}(x)"),
                None => of_any_resource("x", &method).unwrap_or_else(|| format!("x.{method}")),
            };
            out.push_str(&format!(" {{ |x| {called} }}"));
            return Ok(out);
        }
        let Some(closure) = block.as_block_node() else { return no(&block, "this closure is not supported") };
        self.refuse_changed_loop(&call.as_node())?;
        let Some(ClosureParams { names: mut params, apart, lines }) = closure_params(&closure, &method_of(call)) else {
            return no(&block, "a closure with such parameters is not supported");
        };
        if params.is_empty() {
            params.push("_".to_owned());
        }
        let of = call.receiver().and_then(|r| r.as_local_variable_read_node()).map(|l| ruby::local(&l.name()));
        let elements = self.elements.len();
        // The accumulator of `reduce` is not an element.
        let folds = usize::from(matches!(name(&call.name()).as_str(), "reduce" | "inject"));
        self.elements.extend(params.iter().skip(folds).map(|p| (p.clone(), of.clone())));
        self.elements.extend(apart.iter().map(|n| (n.clone(), of.clone())));
        let (resources, paths) = (self.resources.len(), self.paths.len());
        let found = self.resource_params(call, &params);
        self.resources.extend(found.iter().cloned());
        if call.receiver().is_some_and(|of| self.is_path_list(&of)) {
            self.paths.extend(params.iter().cloned());
        }
        self.note_indexes(call, &params);
        let symbols = self.symbols_of(call.receiver().as_ref());
        if let (Some(symbols), [param]) = (symbols, params.as_slice()) {
            self.symbols.insert(param.clone(), symbols);
        }
        let locals = self.locals.len();
        self.locals.extend(apart.iter().cloned());
        self.note_closure_test(call, &closure);
        let loops = matches!(name(&call.name()).as_str(), "each" | "each_with_index" | "each_pair" | "each_key" | "each_value" | "times");
        let discards = std::mem::replace(&mut self.own.discards, loops);
        let body = self.closure(&params, &ruby::statements(closure.body()));
        self.own.discards = discards;
        self.locals.truncate(locals);
        self.forget_resources(resources, &params);
        self.paths.truncate(paths);
        if !lines.is_empty() {
            let line: String = lines.iter().map(|line| format!("{line}\n")).collect();
            let (bars, rest) = (format!("|{}| ", params.join(", ")), body?);
            let rest = rest.strip_suffix(" }").map_or_else(|| rest.clone(), |r| format!("{r}\n}}"));
            self.elements.truncate(elements);
            out.push_str(&rest.replacen(&bars, &format!("{bars}{line}"), 1));
            return Ok(out);
        }
        self.elements.truncate(elements);
        out.push_str(&body?);
        Ok(out)
    }

    /// Translates a closure to ` { |params| … }`.
    pub(super) fn closure(&mut self, params: &[String], body: &[Node<'_>]) -> Text {
        let (locals, lists, texts) = (self.locals.len(), self.lists.len(), self.texts.len());
        self.locals.extend(params.iter().cloned());
        let hidden: Vec<(String, Kind)> = params.iter().filter_map(|p| self.kinds.remove_entry(p)).collect();
        self.closures += 1;
        self.results.push(None);
        self.own.operands.push(Vec::new());
        self.own.breaks.push(false);
        let body = self.body(body, false);
        self.own.breaks.pop();
        self.results.pop();
        let before: String = self.own.operands.pop().unwrap_or_default().iter().map(|l| format!("let {l} = nil\n")).collect();
        self.closures -= 1;
        self.kinds.extend(hidden);
        self.locals.truncate(locals);
        self.lists.truncate(lists);
        self.texts.truncate(texts);
        let (params, body) = (params.join(", "), format!("{before}{}", body?));
        Ok(if body.contains('\n') { format!(" {{ |{params}| {body}\n}}") } else { format!(" {{ |{params}| {body} }}") })
    }

    /// Translates a call without a receiver.
    pub(super) fn bare_call(&mut self, call: &CallNode<'_>, method: &str, plain: &[Node<'_>], unnamed: bool) -> Text<(String, u8)> {
        let node = call.as_node();
        if self.is_own_hook(method) {
            return no(&node, format!("the method `{method}` of an attribute is not supported"));
        }
        let name = match (method, plain) {
            // Methods of the attribute come before those of Ruby and Puppet.
            _ if let Some(function) =
                self.attribute.and_then(|owner| owner.helpers.get(if method == "unsafe_munge" { "munge" } else { method })).cloned() =>
            {
                let plain: Text<Vec<String>> = plain.iter().map(|a| self.expr(a, TERNARY)).collect();
                return Ok((format!("{function}({})", plain?.join(", ")), OPERAND));
            }
            ("_", [text]) if unnamed => return self.deeper(&node, |block| block.any(text)),
            ("should" | "value", []) if self.attribute.is_some_and(|o| !o.is_module) => {
                self.attribute.map(AttributeContext::should).unwrap_or_default()
            }
            ("shouldorig", []) if let Some(owner) = self.attribute.filter(|o| !o.is_module && !o.is_object) => self.all_given(owner),
            ("should", [wanted]) if self.attribute.is_none() => {
                return Ok((self.should_of(wanted)?, OPERAND));
            }
            ("value", [wanted]) if self.attribute.is_none() && ruby::symbol(wanted).as_deref() == Some("provider") => {
                return Ok(("provider.name".into(), OPERAND));
            }
            ("value", [wanted]) if self.attribute.is_none() => {
                return Ok((format!("self[{}]", self.expr(wanted, TERNARY)?), OPERAND));
            }
            ("Integer" | "Float", [value]) if self.raises_nothing(call) => {
                return Ok((format!("try {{ {method}({}) }} else {{ nil }}", self.expr(value, TERNARY)?), OPERAND));
            }
            ("URI", [text]) => return Ok((format!("uri({})", self.expr(text, TERNARY)?), OPERAND)),
            ("devfail", [message]) => return Ok((format!("fail({})", self.expr(message, TERNARY)?), OPERAND)),
            ("catalog", []) if self.attribute.is_none() => return no(&node, "the catalog as a value is not supported"),
            ("absolute_path?", [path]) => return Ok((format!("{}.absolute?", self.expr(path, OPERAND)?), OPERAND)),
            ("provider", []) => "provider".to_owned(),
            ("lambda" | "proc" | "binding" | "eval" | "execute" | "system" | "loop" | "catch" | "puts", _) => {
                return no(&node, format!("`{method}` is not supported"));
            }
            ("respond_to?", [wanted]) if self.attribute.is_some() && ruby::symbol(wanted).is_some() => {
                let wanted = ruby::symbol(wanted).unwrap_or_default();
                let known = self.attribute.is_some_and(|owner| owner.helpers.contains_key(&wanted));
                return Ok((known.to_string(), OPERAND));
            }
            ("send" | "public_send" | "__send__", [wanted, arguments @ ..])
                if unnamed && let Some(found) = self.sent_by_text(wanted, arguments)? =>
            {
                return Ok((found, OPERAND));
            }
            // `send(:[], x)`; any other method fails at run time.
            ("send", [method, key]) if self.attribute.is_none() && ruby::symbol(method).is_none() => {
                let (method, key) = (self.expr(method, OPERAND)?, self.expr(key, TERNARY)?);
                let failure = format!("fail(\"the method `#{{{method}}}` is not supported\")");
                return Ok((format!("{method}.to_s == \"[]\" ? self[{key}] : {failure}"), TERNARY));
            }
            ("send", [method]) if self.attribute.is_none() && ruby::symbol(method).is_none() => {
                let method = self.expr(method, OPERAND)?;
                return Ok((format!("fail(\"the method `#{{{method}}}` is not supported\")"), OPERAND));
            }
            ("send", [wanted]) if self.attribute.is_some_and(|o| ruby::symbol(wanted).is_some_and(|w| o.helpers.contains_key(&w))) => {
                let wanted = ruby::symbol(wanted).unwrap_or_default();
                return self.deeper(&node, |block| block.bare_call(call, &wanted, &[], true));
            }
            ("retrieve", []) if self.acting => return Ok(("is".into(), OPERAND)),
            ("name", []) if self.attribute.is_some_and(|o| !o.is_module) => return Ok(("attribute".into(), OPERAND)),
            ("Array", [range]) if let Some(list) = self.numbers(range)? => return Ok((list, OPERAND)),
            ("debug" | "info" | "notice" | "warning" | "err" | "Integer" | "Float" | "Array" | "String" | "versioncmp", [_, ..]) => {
                method.to_owned()
            }
            ("format", [pattern, values @ ..]) if unnamed && self.attribute.is_some_and(|o| !o.is_module && !o.is_object) => {
                return self.format_of_attribute(pattern, values);
            }
            ("format" | "sprintf", [_, ..]) if unnamed => "format".to_owned(),
            // That of an attribute is Puppet's, which takes no names.
            ("format" | "sprintf", [pattern]) if method == "sprintf" || self.attribute.is_none_or(|o| o.is_module) => {
                let (_, named) = ruby::arguments(call.arguments());
                return match self.named_format(pattern, &named)? {
                    Some(text) => Ok((text, OPERAND)),
                    None => no(&node, "this format is not supported"),
                };
            }
            ("name", []) if self.attribute.is_none() && self.scope.has_name && !self.scope.title_is_name => {
                return no(&node, "the type defines its own `name`");
            }
            ("name", []) if self.attribute.is_none() => {
                return Ok((format!("self.{}", self.scope.name_of()), OPERAND));
            }
            _ if self.scope.functions.contains(method) && (self.attribute.is_none() || self.scope.outside.contains(method)) => {
                let plain: Text<Vec<String>> = plain.iter().map(|a| self.expr(a, TERNARY)).collect();
                return Ok((format!("{}({})", self.scope.function_word(method), plain?.join(", ")), OPERAND));
            }
            _ if self.attribute.is_some_and(|o| o.is_module)
                && self.own.this.is_none()
                && let Some(function) = (self.function_of)(&Caller::Own, method) =>
            {
                let rest = self.call_rest(call)?;
                return Ok((format!("{function}{}", if rest.is_empty() { "()" } else { &rest }), OPERAND));
            }
            _ if method.ends_with('?') && plain.is_empty() && self.attribute.is_none() => match self.undefined_method(method) {
                Some(failure) => return Ok((failure, OPERAND)),
                None => format!("self.{method}"),
            },
            _ if self.checks_no_features(call) => return Ok(("nil".into(), OPERAND)),
            _ => match self.undefined_method(method) {
                Some(failure) => return Ok((failure, OPERAND)),
                None => match self.constant_method(call, method, false) {
                    Some(value) => return Ok((value, OPERAND)),
                    None => return no(&node, format!("the method `{method}` is not known here")),
                },
            },
        };
        Ok((format!("{name}{}", self.call_rest(call)?), OPERAND))
    }
}

fn as_range(node: &Node<'_>) -> bool {
    let inner = node.as_parentheses_node().map(|p| ruby::statements(p.body()));
    node.as_range_node().is_some() || inner.is_some_and(|i| matches!(i.as_slice(), [one] if one.as_range_node().is_some()))
}

fn is_should(node: &Node<'_>) -> bool {
    node.as_instance_variable_read_node().is_some_and(|v| name(&v.name()) == "@should")
}
