//! Code of Ruby blocks → blocks of the language. What has no counterpart is an error with its reason: nothing is guessed.

use super::ruby::{self, Place, escaped, name, quoted, symbol_literal};
use ruby_prism::{CallNode, Node};
use std::collections::BTreeSet;

/// Why something cannot be said in the language, and where it stands.
#[derive(Clone, Debug)]
pub struct Reason {
    pub text: String,
    pub at: Place,
}

type Text<T = String> = Result<T, Reason>;

/// How tightly the operators bind.
const TERNARY: u8 = 1;
const OR: u8 = 2;
const AND: u8 = 3;
const COMPARE: u8 = 4;
const ADD: u8 = 5;
const TIMES: u8 = 6;
const UNARY: u8 = 7;
const OPERAND: u8 = 8;

/// How deep expressions may nest.
const MAX_DEPTH: usize = 64;

/// What the blocks of a type may see.
#[derive(Default)]
pub struct Scope {
    /// The type's attributes.
    pub attributes: BTreeSet<String>,
    /// Those one of whose values is the symbol `:false`, which Ruby takes for true.
    pub falsy: BTreeSet<String>,
    /// The attribute that identifies, which `self[:name]` means, too.
    pub namevar: Option<String>,
    /// The constants that could be translated.
    pub constants: BTreeSet<String>,
    /// The methods of the type.
    pub functions: BTreeSet<String>,
}

/// Translates one block.
pub struct Block<'a> {
    scope: &'a Scope,
    source: &'a str,
    /// Whether `self` is an attribute; else it is the resource.
    attribute: Option<bool>,
    /// Parameters and locals.
    locals: Vec<String>,
    lists: Vec<String>,
    /// Locals that are a `Pathname`: a text with methods of paths, and nothing else.
    paths: Vec<String>,
    hoisted: Vec<String>,
    closures: usize,
    depth: usize,
}

fn no<T>(node: &Node<'_>, text: impl Into<String>) -> Text<T> {
    Err(Reason { text: text.into(), at: ruby::place(node) })
}

impl<'a> Block<'a> {
    /// A block; `attribute` says of an attribute's whether it wants all elements of a list (`array_matching: all`).
    pub fn new(scope: &'a Scope, source: &'a str, attribute: Option<bool>) -> Block<'a> {
        Block {
            scope,
            source,
            attribute,
            locals: Vec::new(),
            lists: Vec::new(),
            paths: Vec::new(),
            hoisted: Vec::new(),
            closures: 0,
            depth: 0,
        }
    }

    /// `{ |params| statements }`
    pub fn whole(&mut self, params: &[String], body: Vec<Node<'_>>) -> Text {
        self.locals.extend(params.iter().cloned());
        let code = self.body(&body, true)?;
        let hoisted: String = self.hoisted.iter().map(|h| format!("let {h} = nil\n")).collect();
        let bars = if params.is_empty() { String::new() } else { format!("|{}| ", params.join(", ")) };
        let code = format!("{hoisted}{code}");
        Ok(if code.contains('\n') { format!("{{ {bars}\n{code}\n}}") } else { format!("{{ {bars}{code} }}") })
    }

    /// The expression of a block that consists of one.
    pub fn single(&mut self, node: &Node<'_>) -> Text {
        self.expr(node, TERNARY)
    }

    fn body(&mut self, nodes: &[Node<'_>], top: bool) -> Text {
        let mut lines = Vec::new();
        for (i, node) in nodes.iter().enumerate() {
            lines.push(self.statement(node, top, i + 1 == nodes.len())?);
        }
        Ok(lines.join("\n"))
    }

    fn branch(&mut self, nodes: &[Node<'_>]) -> Text {
        Ok(format!("{{\n{}\n}}", self.body(nodes, false)?))
    }

    fn statement(&mut self, node: &Node<'_>, top: bool, last: bool) -> Text {
        if let Some(write) = node.as_local_variable_write_node() {
            let variable = name(&write.name());
            if write.value().as_array_node().is_some() {
                self.lists.push(variable.clone());
            }
            if let Some(path) = self.pathname(&write.value())? {
                self.paths.push(variable.clone());
                return self.assign(variable, &path, top);
            }
            let value = self.expr(&write.value(), TERNARY)?;
            return self.assign(variable, &value, top);
        }
        if let Some(write) = node.as_local_variable_or_write_node() {
            let variable = name(&write.name());
            let value = self.expr(&write.value(), OR)?;
            return self.assign(variable.clone(), &format!("{variable} || {value}"), false);
        }
        if let Some(write) = node.as_local_variable_operator_write_node() {
            let (variable, operator) = (name(&write.name()), name(&write.binary_operator()));
            if !matches!(operator.as_str(), "+" | "-" | "*" | "&") {
                return no(node, format!("`{operator}=` has no counterpart"));
            }
            let value = self.expr(&write.value(), TIMES)?;
            return self.assign(variable.clone(), &format!("{variable} {operator} {value}"), false);
        }
        if let Some(ret) = node.as_return_node() {
            return self.leave("return", ret.arguments().map(|a| a.arguments().iter().collect()).unwrap_or_default(), node);
        }
        if let Some(next) = node.as_next_node() {
            let word = if self.closures == 0 { "return" } else { "next" };
            return self.leave(word, next.arguments().map(|a| a.arguments().iter().collect()).unwrap_or_default(), node);
        }
        if let Some(branch) = node.as_if_node()
            && branch.if_keyword_loc().is_some()
        {
            if branch.end_keyword_loc().is_none() {
                let inner = ruby::statements(branch.statements().map(|s| s.as_node()));
                return self.modified(&inner, "if", &branch.predicate(), last);
            }
            return self.if_chain(node);
        }
        if let Some(branch) = node.as_unless_node() {
            let inner = ruby::statements(branch.statements().map(|s| s.as_node()));
            if branch.end_keyword_loc().is_none() {
                return self.modified(&inner, "unless", &branch.predicate(), last);
            }
            let test = self.condition(&branch.predicate(), TERNARY)?;
            let inner = self.branch(&inner)?;
            return match branch.else_clause() {
                None => Ok(format!("unless {test} {inner}")),
                Some(other) => {
                    let test = self.condition(&branch.predicate(), UNARY)?;
                    let other = self.branch(&ruby::statements(other.statements().map(|s| s.as_node())))?;
                    Ok(format!("if !{test} {inner} else {other}"))
                }
            };
        }
        if let Some(inner) = node.as_parentheses_node() {
            let inner = ruby::statements(inner.body());
            if let [one] = inner.as_slice() {
                return self.statement(one, top, last);
            }
        }
        if let Some(call) = node.as_call_node() {
            if let Some(message) = self.failure(&call)? {
                return Ok(format!("fail {message}"));
            }
            if let Some(changed) = self.in_place(&call, last)? {
                return Ok(changed);
            }
        }
        self.expr(node, 0)
    }

    fn assign(&mut self, variable: String, value: &str, top: bool) -> Text {
        if self.locals.contains(&variable) {
            return Ok(format!("{variable} = {value}"));
        }
        self.locals.push(variable.clone());
        if top {
            return Ok(format!("let {variable} = {value}"));
        }
        if self.closures > 0 {
            // It is seen in the closure alone.
            return Ok(format!("let {variable} = {value}"));
        }
        self.hoisted.push(variable.clone());
        Ok(format!("{variable} = {value}"))
    }

    fn leave(&mut self, word: &str, values: Vec<Node<'_>>, node: &Node<'_>) -> Text {
        match values.as_slice() {
            [] => Ok(word.to_owned()),
            [value] => Ok(format!("{word} {}", self.expr(value, TERNARY)?)),
            _ => no(node, format!("`{word}` of several values has no counterpart")),
        }
    }

    fn modified(&mut self, inner: &[Node<'_>], word: &str, test: &Node<'_>, last: bool) -> Text {
        let test = self.condition(test, TERNARY)?;
        let [one] = inner else { return Ok(format!("{word} {test} {}", self.branch(inner)?)) };
        let statement = self.statement(one, false, last)?;
        // A chain of them, or a long one, in braces.
        if statement.contains('\n') || one.as_if_node().is_some() || one.as_unless_node().is_some() {
            return Ok(format!("{word} {test} {{\n{statement}\n}}"));
        }
        Ok(format!("{statement} {word} {test}"))
    }

    /// `if`, `elsif`, `else`
    fn if_chain(&mut self, node: &Node<'_>) -> Text {
        let Some(branch) = node.as_if_node() else { return no(node, "this branch is not understood") };
        // `if m = re.match(v)`: the assignment goes before it.
        if let Some(write) = assignment(&branch.predicate()) {
            let before = self.statement(&write, false, false)?;
            let write = write.as_local_variable_write_node().map(|w| name(&w.name())).unwrap_or_default();
            return Ok(format!("{before}\n{}", self.if_tested(&branch, &write)?));
        }
        let test = self.condition(&branch.predicate(), TERNARY)?;
        self.if_tested(&branch, &test)
    }

    fn if_tested(&mut self, branch: &ruby_prism::IfNode<'_>, test: &str) -> Text {
        let mut out = format!("if {test} {}", self.branch(&ruby::statements(branch.statements().map(|s| s.as_node())))?);
        if let Some(next) = branch.subsequent() {
            if let Some(other) = next.as_else_node() {
                let other = self.branch(&ruby::statements(other.statements().map(|s| s.as_node())))?;
                out.push_str(&format!(" else {other}"));
            } else {
                let assigns = next.as_if_node().is_some_and(|n| assignment(&n.predicate()).is_some());
                let chain = self.if_chain(&next)?;
                out.push_str(&if assigns { format!(" else {{\n{chain}\n}}") } else { format!(" els{chain}") });
            }
        }
        Ok(out)
    }

    /// `raise ArgumentError, "…"` and its relatives: the message.
    fn failure(&mut self, call: &CallNode<'_>) -> Text<Option<String>> {
        let node = call.as_node();
        let of_self = call.receiver().is_none_or(|r| r.as_self_node().is_some());
        if !of_self || !matches!(name(&call.name()).as_str(), "raise" | "fail") || call.block().is_some() {
            return Ok(None);
        }
        let (plain, named) = ruby::arguments(call.arguments());
        if !named.is_empty() {
            return no(&node, "an exception with named arguments has no counterpart");
        }
        match plain.as_slice() {
            [class, message] if ruby::constant(class).is_some() => self.expr(message, TERNARY).map(Some),
            [only] => {
                if let Some(class) = ruby::constant(only) {
                    return Ok(Some(quoted(&class)));
                }
                if let Some(new) = only.as_call_node()
                    && name(&new.name()) == "new"
                    && new.receiver().as_ref().and_then(ruby::constant).is_some()
                {
                    let (inner, _) = ruby::arguments(new.arguments());
                    return match inner.as_slice() {
                        [message] => self.expr(message, TERNARY).map(Some),
                        _ => no(only, "an exception made of several arguments has no counterpart"),
                    };
                }
                self.expr(only, TERNARY).map(Some)
            }
            _ => no(&node, "`raise` of this form has no counterpart"),
        }
    }

    /// `x << y`, `x.capitalize!` as statements: values do not change, the local gets a new one.
    fn in_place(&mut self, call: &CallNode<'_>, last: bool) -> Text<Option<String>> {
        let Some(local) = call.receiver().and_then(|r| r.as_local_variable_read_node()) else { return Ok(None) };
        let (variable, method) = (name(&local.name()), name(&call.name()));
        let appends = matches!(method.as_str(), "<<" | "push") && self.lists.contains(&variable);
        let bare = method.strip_suffix('!');
        if !appends && bare.is_none() {
            return Ok(None);
        }
        if last && !appends {
            return no(&call.as_node(), format!("the result of `{method}` tells whether it changed something"));
        }
        let method = if appends { "push" } else { bare.unwrap_or_default() };
        let rest = self.call_rest(call)?;
        Ok(Some(format!("{variable} = {variable}.{method}{rest}")))
    }

    /// A condition: the symbol `:false` is true in Ruby.
    fn condition(&mut self, node: &Node<'_>, min: u8) -> Text {
        if let Some(attribute) = self.attribute_read(node)
            && self.scope.falsy.contains(&attribute)
        {
            return Ok(wrap(format!("!self.{attribute}.nil?"), UNARY, min));
        }
        self.expr(node, min)
    }

    /// `resource[:x]`, `self[:x]`, `resource.value(:x)`
    fn attribute_read(&self, node: &Node<'_>) -> Option<String> {
        let call = node.as_call_node()?;
        let method = name(&call.name());
        let is_resource = match call.receiver() {
            None => method == "value" && self.attribute.is_none(),
            Some(receiver) => self.is_resource(&receiver),
        };
        let (plain, named) = ruby::arguments(call.arguments());
        let [argument] = plain.as_slice() else { return None };
        if !is_resource || !named.is_empty() || !matches!(method.as_str(), "[]" | "value") {
            return None;
        }
        let wanted = ruby::symbol(argument).or_else(|| ruby::text(argument))?;
        let known = self.scope.attributes.contains(&wanted);
        match (&self.scope.namevar, wanted.as_str()) {
            (Some(namevar), "name") if !known => Some(namevar.clone()),
            _ => Some(wanted),
        }
    }

    fn is_resource(&self, node: &Node<'_>) -> bool {
        if self.attribute.is_none() {
            return node.as_self_node().is_some();
        }
        if let Some(variable) = node.as_instance_variable_read_node() {
            return name(&variable.name()) == "@resource";
        }
        node.as_call_node().is_some_and(|c| {
            name(&c.name()) == "resource" && c.arguments().is_none() && c.receiver().is_none_or(|r| r.as_self_node().is_some())
        })
    }

    fn expr(&mut self, node: &Node<'_>, min: u8) -> Text {
        if self.depth >= MAX_DEPTH {
            return no(node, "it nests too deeply");
        }
        self.depth += 1;
        let result = self.any(node);
        self.depth -= 1;
        let (text, binds) = result?;
        Ok(wrap(text, binds, min))
    }

    fn any(&mut self, node: &Node<'_>) -> Text<(String, u8)> {
        let operand = |text: String| Ok((text, OPERAND));
        if node.as_nil_node().is_some() {
            return operand("nil".into());
        }
        if node.as_true_node().is_some() {
            return operand("true".into());
        }
        if node.as_false_node().is_some() {
            return operand("false".into());
        }
        if node.as_integer_node().is_some() || node.as_float_node().is_some() {
            let text = self.slice(node);
            let binds = if text.starts_with('-') { UNARY } else { OPERAND };
            return Ok((text, binds));
        }
        if let Some(symbol) = ruby::symbol(node) {
            return operand(symbol_literal(&symbol));
        }
        if let Some(text) = ruby::text(node) {
            return operand(quoted(&text));
        }
        if let Some(string) = node.as_interpolated_string_node() {
            let mut out = String::from("\"");
            for part in string.parts().iter() {
                self.part(&part, &mut out)?;
            }
            out.push('"');
            return operand(out);
        }
        if let Some(regex) = node.as_regular_expression_node() {
            let source = String::from_utf8_lossy(regex.content_loc().as_slice()).into_owned();
            return operand(ruby::regex(&source, regex.is_ignore_case(), regex.is_multi_line(), regex.is_extended()));
        }
        if let Some(array) = node.as_array_node() {
            let items: Text<Vec<String>> = array.elements().iter().map(|e| self.expr(&e, TERNARY)).collect();
            return operand(format!("[{}]", items?.join(", ")));
        }
        if let Some(hash) = node.as_hash_node() {
            let Some(pairs) = ruby::pairs(&hash.elements()) else { return no(node, "`**` in a map has no counterpart") };
            let mut items = Vec::new();
            for (key, value) in pairs {
                let value = self.expr(&value, TERNARY)?;
                items.push(format!("{} => {value}", self.expr(&key, TERNARY)?));
            }
            return operand(format!("{{{}}}", items.join(", ")));
        }
        if let Some(local) = node.as_local_variable_read_node() {
            if self.paths.contains(&name(&local.name())) {
                return no(node, "a `Pathname` is no text");
            }
            return operand(name(&local.name()));
        }
        if let Some(capture) = node.as_numbered_reference_read_node() {
            return operand(format!("${}", capture.number()));
        }
        if let Some(constant) = ruby::constant(node) {
            if self.scope.constants.contains(&constant) {
                return operand(constant);
            }
            return no(node, format!("the constant `{constant}` is not known here"));
        }
        if let Some(inner) = node.as_parentheses_node() {
            let inner = ruby::statements(inner.body());
            return match inner.as_slice() {
                [one] => self.any(one),
                _ => no(node, "several statements in parentheses have no counterpart"),
            };
        }
        if let Some(and) = node.as_and_node() {
            let (left, right) = (self.condition(&and.left(), AND)?, self.expr(&and.right(), COMPARE)?);
            return Ok((format!("{left} && {right}"), AND));
        }
        if let Some(or) = node.as_or_node() {
            let (left, right) = (self.condition(&or.left(), OR)?, self.expr(&or.right(), AND)?);
            return Ok((format!("{left} || {right}"), OR));
        }
        if let Some(branch) = node.as_if_node() {
            if branch.if_keyword_loc().is_some() {
                if assignment(&branch.predicate()).is_some() {
                    return no(node, "an assignment in the condition of an operand");
                }
                return Ok((self.if_chain(node)?, OPERAND));
            }
            let yes = ruby::statements(branch.statements().map(|s| s.as_node()));
            let other = branch.subsequent().and_then(|n| n.as_else_node());
            let other = ruby::statements(other.and_then(|e| e.statements()).map(|s| s.as_node()));
            let ([yes], [other]) = (yes.as_slice(), other.as_slice()) else { return no(node, "a ternary of several statements") };
            let test = self.condition(&branch.predicate(), OR)?;
            return Ok((format!("{test} ? {} : {}", self.expr(yes, OR)?, self.expr(other, TERNARY)?), TERNARY));
        }
        if let Some(case) = node.as_case_node() {
            return self.case(&case.predicate(), case.conditions().iter().collect(), case.else_clause().and_then(|e| e.statements()));
        }
        if let Some(begin) = node.as_begin_node() {
            return self.begin(&begin, node);
        }
        if let Some(rescue) = node.as_rescue_modifier_node() {
            let (one, other) = (self.expr(&rescue.expression(), TERNARY)?, self.expr(&rescue.rescue_expression(), TERNARY)?);
            return operand(format!("try {{ {one} }} else {{ {other} }}"));
        }
        if let Some(variable) = node.as_instance_variable_read_node() {
            let variable = name(&variable.name());
            return match (variable.as_str(), self.attribute) {
                ("@should", Some(true)) => operand("should".into()),
                ("@should", Some(false)) => no(node, "`@should` is the list of wanted values, of which the language sees one"),
                _ => no(node, format!("`{variable}` is state of a Ruby object")),
            };
        }
        if node.as_forwarding_super_node().is_some() {
            return operand("super".into());
        }
        if let Some(up) = node.as_super_node() {
            let (plain, named) = ruby::arguments(up.arguments());
            if !named.is_empty() || up.block().is_some() {
                return no(node, "`super` of this form has no counterpart");
            }
            let plain: Text<Vec<String>> = plain.iter().map(|a| self.expr(a, TERNARY)).collect();
            return operand(format!("super({})", plain?.join(", ")));
        }
        if let Some(call) = node.as_call_node() {
            return self.call(&call);
        }
        if node.as_unless_node().is_some() || node.as_return_node().is_some() {
            return Ok((self.statement(node, false, true)?, 0));
        }
        no(node, format!("`{}` has no counterpart", first_line(&self.slice(node))))
    }

    fn slice(&self, node: &Node<'_>) -> String {
        self.source.get(ruby::place(node)).unwrap_or_default().to_owned()
    }

    /// A part of a text.
    fn part(&mut self, part: &Node<'_>, out: &mut String) -> Text<()> {
        if let Some(text) = ruby::text(part) {
            out.push_str(&escaped(&text));
            return Ok(());
        }
        if let Some(string) = part.as_interpolated_string_node() {
            return string.parts().iter().try_for_each(|p| self.part(&p, out));
        }
        let Some(embedded) = part.as_embedded_statements_node() else { return no(part, "this interpolation has no counterpart") };
        let inner = ruby::statements(embedded.statements().map(|s| s.as_node()));
        let [one] = inner.as_slice() else { return no(part, "several statements in a text have no counterpart") };
        out.push_str(&format!("#{{{}}}", self.expr(one, TERNARY)?));
        Ok(())
    }

    fn case(
        &mut self,
        of: &Option<Node<'_>>,
        whens: Vec<Node<'_>>,
        otherwise: Option<ruby_prism::StatementsNode<'_>>,
    ) -> Text<(String, u8)> {
        let otherwise_nodes = ruby::statements(otherwise.map(|s| s.as_node()));
        let mut arms = Vec::new();
        for when in &whens {
            let Some(when) = when.as_when_node() else { return no(when, "`in` patterns have no counterpart") };
            let patterns: Text<Vec<String>> =
                when.conditions().iter().map(|c| if of.is_some() { self.pattern(&c) } else { self.condition(&c, TERNARY) }).collect();
            arms.push((patterns?, self.branch(&ruby::statements(when.statements().map(|s| s.as_node())))?));
        }
        let otherwise = if otherwise_nodes.is_empty() { None } else { Some(self.branch(&otherwise_nodes)?) };
        let Some(of) = of else {
            let chain: Vec<String> = arms.iter().map(|(tests, body)| format!("if {} {body}", tests.join(" || "))).collect();
            let other = otherwise.map(|o| format!(" else {o}")).unwrap_or_default();
            return Ok((chain.join(" els") + &other, OPERAND));
        };
        let of = self.expr(of, TERNARY)?;
        let mut out = format!("match {of} {{\n");
        for (patterns, body) in arms {
            out.push_str(&format!("{} => {}\n", patterns.join(" | "), arm(&body)));
        }
        out.push_str(&format!("_ => {}\n}}", otherwise.map_or_else(|| "nil".to_owned(), |o| arm(&o))));
        Ok((out, OPERAND))
    }

    /// What stands behind `when`.
    fn pattern(&mut self, node: &Node<'_>) -> Text {
        match ruby::constant(node).as_deref() {
            Some(class @ ("String" | "Array" | "Hash" | "Integer" | "Float" | "Numeric" | "Symbol" | "Regexp")) => Ok(class.to_owned()),
            Some("TrueClass") => Ok("true".into()),
            Some("FalseClass") => Ok("false".into()),
            Some("NilClass") => Ok("nil".into()),
            Some(other) => no(node, format!("`when {other}` has no counterpart")),
            None if node.as_splat_node().is_some() || node.as_call_node().is_some() || node.as_range_node().is_some() => {
                no(node, format!("`when {}` has no counterpart", first_line(&self.slice(node))))
            }
            None => self.expr(node, OPERAND),
        }
    }

    fn begin(&mut self, begin: &ruby_prism::BeginNode<'_>, node: &Node<'_>) -> Text<(String, u8)> {
        let inner = ruby::statements(begin.statements().map(|s| s.as_node()));
        let Some(rescue) = begin.rescue_clause() else { return no(node, "`begin` of this form has no counterpart") };
        if rescue.subsequent().is_some() || begin.ensure_clause().is_some() || begin.else_clause().is_some() || rescue.reference().is_some()
        {
            return no(node, "`begin` of this form has no counterpart");
        }
        let inner = self.branch(&inner)?;
        let other = self.branch(&ruby::statements(rescue.statements().map(|s| s.as_node())))?;
        Ok((format!("try {inner} else {other}"), OPERAND))
    }

    fn call(&mut self, call: &CallNode<'_>) -> Text<(String, u8)> {
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
            "freeze" | "dup" | "clone" if plain.is_empty() => return self.any(&receiver),
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
    fn pathname(&mut self, node: &Node<'_>) -> Text<Option<String>> {
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
                Ok(self.pathname(&receiver)?.map(|p| format!("{p}.{method}")))
            }
            _ => Ok(None),
        }
    }

    /// In brackets ranges are allowed.
    fn index(&mut self, node: &Node<'_>) -> Text {
        let Some(range) = node.as_range_node() else { return self.expr(node, TERNARY) };
        let dots = if range.is_exclude_end() { "..." } else { ".." };
        let from = range.left().map(|n| self.expr(&n, ADD)).transpose()?.unwrap_or_default();
        let to = range.right().map(|n| self.expr(&n, ADD)).transpose()?.unwrap_or_default();
        Ok(format!("{from}{dots}{to}"))
    }

    /// Arguments and closure of a call.
    fn call_rest(&mut self, call: &CallNode<'_>) -> Text {
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
    fn bare_call(&mut self, call: &CallNode<'_>, method: &str, plain: &[Node<'_>], unnamed: bool) -> Text<(String, u8)> {
        let node = call.as_node();
        let name = match (method, plain) {
            ("_", [text]) if unnamed => return self.any(text),
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
    fn module_call(&mut self, call: &CallNode<'_>, module: &str, method: &str, plain: &[Node<'_>]) -> Text<(String, u8)> {
        let node = call.as_node();
        let unknown = || no(&node, format!("`{module}.{method}` has no counterpart"));
        if method == "new" && plain.is_empty() && call.block().is_none() && matches!(module, "Hash" | "Array") {
            return Ok((if module == "Hash" { "({})" } else { "[]" }.to_owned(), OPERAND));
        }
        let [first, rest @ ..] = plain else { return unknown() };
        let word = ruby::symbol(first).or_else(|| ruby::text(first));
        let text = match (module, method, rest) {
            ("Facter", "value" | "[]", []) => match word {
                Some(fact) if method == "value" => format!("fact({})", quoted(&fact)),
                _ => return unknown(),
            },
            ("Puppet", "[]", []) => match word {
                Some(setting) => format!("setting({})", quoted(&setting)),
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
    fn filled(&mut self, format: &Node<'_>, values: &Node<'_>) -> Text<Option<String>> {
        let Some(pairs) = values.as_hash_node().and_then(|h| ruby::pairs(&h.elements())) else { return Ok(None) };
        self.filled_from(format, &pairs)
    }

    fn filled_from(&mut self, format: &Node<'_>, pairs: &[(Node<'_>, Node<'_>)]) -> Text<Option<String>> {
        let Some(format_text) = ruby::text(format) else { return Ok(None) };
        let mut out = String::from("\"");
        let mut rest = format_text.as_str();
        while let Some((before, behind)) = rest.split_once("%{") {
            let Some((key, behind)) = behind.split_once('}') else { return no(format, "this format has no counterpart") };
            let Some((_, value)) = pairs.iter().find(|(k, _)| ruby::symbol(k).as_deref() == Some(key)) else {
                return no(format, format!("the format names `{key}`, which is not given"));
            };
            out.push_str(&escaped(before));
            out.push_str(&format!("#{{{}}}", self.expr(value, TERNARY)?));
            rest = behind;
        }
        if rest.replace("%%", "").contains('%') {
            return no(format, "this format has no counterpart");
        }
        out.push_str(&escaped(&rest.replace("%%", "%")));
        out.push('"');
        Ok(Some(out))
    }
}

/// The assignment that a condition is.
fn assignment<'p>(node: &Node<'p>) -> Option<Node<'p>> {
    if let Some(inner) = node.as_parentheses_node() {
        let mut inner = ruby::statements(inner.body());
        return if inner.len() == 1 { inner.pop().and_then(|n| assignment(&n)) } else { None };
    }
    node.as_local_variable_write_node().map(|w| w.as_node())
}

fn wrap(text: String, binds: u8, min: u8) -> String {
    if binds < min { format!("({text})") } else { text }
}

/// One expression stands without braces.
fn arm(body: &str) -> String {
    let inner = body.strip_prefix("{\n").and_then(|b| b.strip_suffix("\n}")).unwrap_or(body);
    let statement = ["fail ", "return", "let ", "next"].iter().any(|w| inner.starts_with(w))
        || inner.contains(" if ")
        || inner.contains(" unless ")
        || inner.contains(" = ");
    if inner.contains('\n') || statement || inner.is_empty() || inner.starts_with('{') { body.to_owned() } else { inner.to_owned() }
}

/// What a long piece of Ruby begins with.
pub fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let short: String = line.chars().take(40).collect();
    if short.len() < text.trim_end().len() { format!("{short}…") } else { short }
}
