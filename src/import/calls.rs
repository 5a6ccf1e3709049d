//! Calls of Ruby blocks: operators, methods, what modules of Ruby and Puppet can do.

use super::block::*;
use super::ruby::{self, name};
use crate::syntax::{escape, quote};
use ruby_prism::{CallNode, Node};

impl Block<'_> {
    pub(super) fn call(&mut self, call: &CallNode<'_>) -> Text<(String, u8)> {
        let node = call.as_node();
        let method = name(&call.name());
        if let Some(message) = self.failure(call)? {
            return Ok((format!("fail({message})"), OPERAND));
        }
        if let Some(attribute) = self.attribute_read(&node) {
            return Ok((format!("self.{attribute}"), OPERAND));
        }
        let (plain, named) = ruby::arguments(call.arguments());
        let Some(receiver) = call.receiver() else { return self.bare_call(call, &method, &plain, named.is_empty()) };
        if let Some(module) = ruby::constant(&receiver)
            && !self.scope.constants.contains(&module)
        {
            return self.module_call(call, &module, &method, &plain);
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
            let (left, right) = (self.expr(&receiver, left)?, self.expr(argument, right)?);
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
            "freeze" | "dup" | "clone" if plain.is_empty() => return self.deeper(&node, |block| block.any(&receiver)),
            "<<" | "[]=" | "instance_variable_get" | "send" | "public_send" | "class" | "tap" | "instance_of?" | "respond_to?" => {
                return no(&node, format!("`{method}` has no counterpart"));
            }
            "[]" => {
                let of = self.expr(&receiver, OPERAND)?;
                let items: Text<Vec<String>> = plain.iter().map(|a| self.index(a)).collect();
                return Ok((format!("{of}[{}]", items?.join(", ")), OPERAND));
            }
            "is_a?" | "kind_of?" => {
                let [class] = plain.as_slice() else { return no(&node, "this test has no counterpart") };
                let class = self.pattern(class)?;
                let of = self.expr(&receiver, OPERAND)?;
                return Ok(match class.as_str() {
                    "true" | "false" | "nil" => (format!("{of} == {class}"), COMPARE),
                    _ => (format!("{of}.is_a?({class})"), OPERAND),
                });
            }
            _ => {}
        }
        if method.ends_with('!') || method.ends_with('=') {
            return no(&node, format!("`{method}` changes a value"));
        }
        if self.is_resource(&receiver) {
            if method.ends_with('?') && plain.is_empty() && call.block().is_none() {
                return Ok((format!("self.{method}"), OPERAND));
            }
            if self.attribute.is_none() {
                return self.bare_call(call, &method, &plain, named.is_empty());
            }
            if method == "provider" && plain.is_empty() {
                return Ok(("provider".into(), OPERAND));
            }
            return no(&node, format!("`resource.{method}` has no counterpart"));
        }
        if receiver.as_self_node().is_some() {
            return self.bare_call(call, &method, &plain, named.is_empty());
        }
        if let Some(path) = self.pathname(&receiver)? {
            let rest = self.call_rest(call)?;
            return match method.as_str() {
                "to_s" | "to_path" if rest.is_empty() => Ok((path, OPERAND)),
                "absolute?" | "relative?" | "root?" if rest.is_empty() => Ok((format!("{path}.{method}"), OPERAND)),
                _ => no(&node, format!("`Pathname#{method}` has no counterpart")),
            };
        }
        let of = self.expr(&receiver, OPERAND)?;
        let rest = self.call_rest(call)?;
        if call.is_safe_navigation() {
            return Ok((format!("{of}.nil? ? nil : {of}.{method}{rest}"), TERNARY));
        }
        Ok((format!("{of}.{method}{rest}"), OPERAND))
    }

    /// `Pathname.new(e)`, what it is the parent of, or a local that is one.
    pub(super) fn pathname(&mut self, node: &Node<'_>) -> Text<Option<String>> {
        if let Some(local) = node.as_local_variable_read_node() {
            let local = name(&local.name());
            return Ok(self.paths.contains(&local).then_some(local));
        }
        let Some(call) = node.as_call_node() else { return Ok(None) };
        let (Some(receiver), method) = (call.receiver(), name(&call.name())) else { return Ok(None) };
        let (plain, named) = ruby::arguments(call.arguments());
        match plain.as_slice() {
            [path] if method == "new" && named.is_empty() && ruby::constant(&receiver).as_deref() == Some("Pathname") => {
                self.expr(path, OPERAND).map(Some)
            }
            [] if matches!(method.as_str(), "parent" | "dirname" | "basename") && call.block().is_none() => {
                Ok(self.deeper(node, |block| block.pathname(&receiver))?.map(|p| format!("{p}.{method}")))
            }
            _ => Ok(None),
        }
    }

    /// In brackets ranges are allowed.
    pub(super) fn index(&mut self, node: &Node<'_>) -> Text {
        let Some(range) = node.as_range_node() else { return self.expr(node, TERNARY) };
        let dots = if range.is_exclude_end() { "..." } else { ".." };
        let from = range.left().map(|n| self.expr(&n, ADD)).transpose()?.unwrap_or_default();
        let to = range.right().map(|n| self.expr(&n, ADD)).transpose()?.unwrap_or_default();
        Ok(format!("{from}{dots}{to}"))
    }

    /// Arguments and closure of a call.
    pub(super) fn call_rest(&mut self, call: &CallNode<'_>) -> Text {
        let node = call.as_node();
        let (plain, named) = ruby::arguments(call.arguments());
        if !named.is_empty() {
            return no(&node, format!("named arguments of `{}` have no counterpart", name(&call.name())));
        }
        let plain: Text<Vec<String>> = plain.iter().map(|a| self.expr(a, TERNARY)).collect();
        let plain = plain?;
        let mut out = if plain.is_empty() { String::new() } else { format!("({})", plain.join(", ")) };
        let Some(block) = call.block() else { return Ok(out) };
        if let Some(argument) = block.as_block_argument_node() {
            let Some(method) = argument.expression().as_ref().and_then(ruby::symbol) else {
                return no(&block, "`&` with something that is no symbol has no counterpart");
            };
            out.push_str(&format!(" {{ |x| x.{method} }}"));
            return Ok(out);
        }
        let Some(closure) = block.as_block_node() else { return no(&block, "this closure has no counterpart") };
        let Some(params) = ruby::block_params(&closure).filter(|p| !p.is_empty()) else {
            return no(&block, "a closure with such parameters has no counterpart");
        };
        let (locals, lists) = (self.locals.len(), self.lists.len());
        self.locals.extend(params.iter().cloned());
        self.closures += 1;
        let body = self.body(&ruby::statements(closure.body()), false);
        self.closures -= 1;
        self.locals.truncate(locals);
        self.lists.truncate(lists);
        out.push_str(&format!(" {{ |{}| {}\n}}", params.join(", "), body?));
        Ok(out)
    }

    /// A call without a receiver.
    pub(super) fn bare_call(&mut self, call: &CallNode<'_>, method: &str, plain: &[Node<'_>], unnamed: bool) -> Text<(String, u8)> {
        let node = call.as_node();
        let name = match (method, plain) {
            ("_", [text]) if unnamed => return self.deeper(&node, |block| block.any(text)),
            ("should", []) if self.attribute.is_some() => "should".to_owned(),
            ("should", [wanted]) if self.attribute.is_none() => {
                return match ruby::symbol(wanted).filter(|w| self.scope.attributes.contains(w)) {
                    Some(wanted) => Ok((format!("self.{wanted}"), OPERAND)),
                    None => no(&node, "`should` of something that is no attribute"),
                };
            }
            ("absolute_path?", [path]) => return Ok((format!("{}.absolute?", self.expr(path, OPERAND)?), OPERAND)),
            ("provider", []) => "provider".to_owned(),
            ("lambda" | "proc" | "binding" | "eval" | "execute" | "system" | "loop" | "catch" | "puts", _) => {
                return no(&node, format!("`{method}` has no counterpart"));
            }
            ("debug" | "info" | "notice" | "warning" | "err" | "Integer" | "Float" | "Array" | "String" | "versioncmp", [_, ..]) => {
                method.to_owned()
            }
            ("format" | "sprintf", [_, ..]) if unnamed => "format".to_owned(),
            ("name", []) if self.attribute.is_none() => {
                return Ok((format!("self.{}", self.scope.namevar.as_deref().unwrap_or("name")), OPERAND));
            }
            _ if self.scope.functions.contains(method) && self.attribute.is_none() => {
                let plain: Text<Vec<String>> = plain.iter().map(|a| self.expr(a, TERNARY)).collect();
                return Ok((format!("{method}({})", plain?.join(", ")), OPERAND));
            }
            _ if method.ends_with('?') && plain.is_empty() && self.attribute.is_none() => format!("self.{method}"),
            _ => return no(&node, format!("the method `{method}` is not known here")),
        };
        Ok((format!("{name}{}", self.call_rest(call)?), OPERAND))
    }

    /// What modules of Ruby and Puppet can do.
    pub(super) fn module_call(&mut self, call: &CallNode<'_>, module: &str, method: &str, plain: &[Node<'_>]) -> Text<(String, u8)> {
        let node = call.as_node();
        let unknown = || no(&node, format!("`{module}.{method}` has no counterpart"));
        if method == "new" && plain.is_empty() && call.block().is_none() && matches!(module, "Hash" | "Array") {
            return Ok((if module == "Hash" { "({})" } else { "[]" }.to_owned(), OPERAND));
        }
        let [first, rest @ ..] = plain else { return unknown() };
        let word = ruby::symbol(first).or_else(|| ruby::text(first));
        let text = match (module, method, rest) {
            ("Facter", "value" | "[]", []) => match word {
                Some(fact) if method == "value" => format!("fact({})", quote(&fact)),
                _ => return unknown(),
            },
            ("Puppet", "[]", []) => match word {
                Some(setting) => format!("setting({})", quote(&setting)),
                None => return unknown(),
            },
            ("Puppet", "debug" | "info" | "notice" | "warning" | "err", []) => format!("{method}({})", self.expr(first, TERNARY)?),
            ("Puppet::Util::Package", "versioncmp", [second]) => {
                format!("versioncmp({}, {})", self.expr(first, TERNARY)?, self.expr(second, TERNARY)?)
            }
            ("Puppet::Util", "absolute_path?", []) => format!("{}.absolute?", self.expr(first, OPERAND)?),
            ("File", "basename" | "dirname" | "extname", []) => format!("{}.{method}", self.expr(first, OPERAND)?),
            ("File", "expand_path", []) => format!("{}.expand", self.expr(first, OPERAND)?),
            ("Regexp", "new", []) => format!("re({})", self.expr(first, TERNARY)?),
            ("Regexp", "escape", []) => format!("re_escape({})", self.expr(first, TERNARY)?),
            _ => return unknown(),
        };
        Ok((text, OPERAND))
    }

    /// `'… %{name} …' % { name: e }`
    pub(super) fn filled(&mut self, format: &Node<'_>, values: &Node<'_>) -> Text<Option<String>> {
        let Some(pairs) = values.as_hash_node().and_then(|h| ruby::pairs(&h.elements())) else { return Ok(None) };
        self.filled_from(format, &pairs)
    }

    pub(super) fn filled_from(&mut self, format: &Node<'_>, pairs: &[(Node<'_>, Node<'_>)]) -> Text<Option<String>> {
        let Some(format_text) = ruby::text(format) else { return Ok(None) };
        let mut out = String::from("\"");
        let mut rest = format_text.as_str();
        while let Some((before, behind)) = rest.split_once("%{") {
            let Some((key, behind)) = behind.split_once('}') else { return no(format, "this format has no counterpart") };
            let Some((_, value)) = pairs.iter().find(|(k, _)| ruby::symbol(k).as_deref() == Some(key)) else {
                return no(format, format!("the format names `{key}`, which is not given"));
            };
            out.push_str(&escape(before));
            out.push_str(&format!("#{{{}}}", self.expr(value, TERNARY)?));
            rest = behind;
        }
        if rest.replace("%%", "").contains('%') {
            return no(format, "this format has no counterpart");
        }
        out.push_str(&escape(&rest.replace("%%", "%")));
        out.push('"');
        Ok(Some(out))
    }
}
