//! Code of Ruby blocks → blocks of the language. What has no counterpart is an error with its reason: nothing is guessed.

use super::known::{Known, Locals};
use super::ruby::{self, Place, name};
use super::statement::assignment;
use crate::syntax::{escape, quote, written_symbol};
use ruby_prism::Node;
use std::collections::BTreeSet;

/// Why something cannot be said in the language, and where it stands.
#[derive(Clone, Debug)]
pub struct Reason {
    pub text: String,
    pub at: Place,
}

pub(super) type Text<T = String> = Result<T, Reason>;

/// How tightly the operators bind.
pub(super) const TERNARY: u8 = 1;
pub(super) const OR: u8 = 2;
pub(super) const AND: u8 = 3;
pub(super) const COMPARE: u8 = 4;
pub(super) const ADD: u8 = 5;
pub(super) const TIMES: u8 = 6;
pub(super) const UNARY: u8 = 7;
pub(super) const OPERAND: u8 = 8;

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
    /// Attributes that title patterns fill.
    pub in_titles: BTreeSet<String>,
    /// The constants that could be translated.
    pub constants: BTreeSet<String>,
    /// The methods of the type.
    pub functions: BTreeSet<String>,
    /// Locals around the block, whose values are known.
    pub known: Locals,
}

/// Translates one block.
pub struct Block<'a> {
    pub(super) scope: &'a Scope,
    pub(super) source: &'a str,
    /// Whether `self` is an attribute; else it is the resource.
    pub(super) attribute: Option<bool>,
    /// Parameters and locals.
    pub(super) locals: Vec<String>,
    pub(super) lists: Vec<String>,
    /// Locals that are a `Pathname`: a text with methods of paths, and nothing else.
    pub(super) paths: Vec<String>,
    pub(super) hoisted: Vec<String>,
    pub(super) closures: usize,
    pub(super) depth: usize,
    /// Tells what is known when the type is loaded.
    pub(super) fold: &'a dyn Fn(&Node<'_>) -> Option<Known>,
}

pub(super) fn no<T>(node: &Node<'_>, text: impl Into<String>) -> Text<T> {
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
            fold: &|_| None,
        }
    }

    /// With something that tells what is known when the type is loaded.
    pub fn folding(self, fold: &'a dyn Fn(&Node<'_>) -> Option<Known>) -> Block<'a> {
        Block { fold, ..self }
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

    /// A condition: the symbol `:false` is true in Ruby.
    pub(super) fn condition(&mut self, node: &Node<'_>, min: u8) -> Text {
        if let Some(attribute) = self.attribute_read(node)
            && self.scope.falsy.contains(&attribute)
        {
            return Ok(wrap(format!("!self.{attribute}.nil?"), UNARY, min));
        }
        self.expr(node, min)
    }

    /// `resource[:x]`, `self[:x]`, `resource.value(:x)`
    pub(super) fn attribute_read(&self, node: &Node<'_>) -> Option<String> {
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

    pub(super) fn is_resource(&self, node: &Node<'_>) -> bool {
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

    pub(super) fn expr(&mut self, node: &Node<'_>, min: u8) -> Text {
        let (text, binds) = match self.deeper(node, |block| block.any(node)) {
            Err(reason) => (self.known(node).ok_or(reason)?, OPERAND),
            Ok(expression) => expression,
        };
        Ok(wrap(text, binds, min))
    }

    /// What needs no machine and no resource to be computed: constants and functions of modules.
    fn known(&self, node: &Node<'_>) -> Option<String> {
        let of_module = node.as_call_node().and_then(|c| c.receiver()).as_ref().and_then(ruby::constant);
        let is_local = |local: &String| self.scope.known.contains_key(local);
        if of_module.or_else(|| ruby::constant(node)).is_none() || self.locals.iter().any(is_local) {
            return None;
        }
        (self.fold)(node)?.written()
    }

    /// One level further in. What a file nests, calls nest.
    pub(super) fn deeper<T>(&mut self, node: &Node<'_>, read: impl FnOnce(&mut Self) -> Text<T>) -> Text<T> {
        if self.depth >= MAX_DEPTH {
            return no(node, "it nests too deeply");
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    pub(super) fn any(&mut self, node: &Node<'_>) -> Text<(String, u8)> {
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
            return operand(written_symbol(&symbol));
        }
        if let Some(text) = ruby::text(node) {
            return operand(quote(&text));
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
            let local = name(&local.name());
            if self.paths.contains(&local) {
                return no(node, "a `Pathname` is no text");
            }
            let known = self.scope.known.get(&local).filter(|_| !self.locals.contains(&local));
            return operand(known.and_then(|k| k.written()).unwrap_or(local));
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
                [one] => self.deeper(node, |block| block.any(one)),
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

    pub(super) fn slice(&self, node: &Node<'_>) -> String {
        self.source.get(ruby::place(node)).unwrap_or_default().to_owned()
    }

    /// A part of a text.
    pub(super) fn part(&mut self, part: &Node<'_>, out: &mut String) -> Text<()> {
        if let Some(text) = ruby::text(part) {
            out.push_str(&escape(&text));
            return Ok(());
        }
        if let Some(string) = part.as_interpolated_string_node() {
            return string.parts().iter().try_for_each(|p| self.part(&p, out));
        }
        let Some(embedded) = part.as_embedded_statements_node() else { return no(part, "this interpolation has no counterpart") };
        let inner = ruby::statements(embedded.statements().map(|s| s.as_node()));
        let [one] = inner.as_slice() else { return no(part, "several statements in a text have no counterpart") };
        if let Some(read) = one.as_local_variable_read_node().map(|r| name(&r.name()))
            && !self.locals.contains(&read)
            && let Some(text) = self.scope.known.get(&read).and_then(|k| k.text())
        {
            out.push_str(&escape(&text));
            return Ok(());
        }
        out.push_str(&format!("#{{{}}}", self.expr(one, TERNARY)?));
        Ok(())
    }

    pub(super) fn case(
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
    pub(super) fn pattern(&mut self, node: &Node<'_>) -> Text {
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

    pub(super) fn begin(&mut self, begin: &ruby_prism::BeginNode<'_>, node: &Node<'_>) -> Text<(String, u8)> {
        let inner = ruby::statements(begin.statements().map(|s| s.as_node()));
        let Some(rescue) = begin.rescue_clause() else { return no(node, "`begin` of this form has no counterpart") };
        // `try` catches what `StandardError` is; other classes would let some errors through.
        if !rescue.exceptions().iter().all(|class| matches!(ruby::constant(&class).as_deref(), Some("StandardError"))) {
            return no(node, "`rescue` of some errors only has no counterpart");
        }
        if rescue.subsequent().is_some() || begin.ensure_clause().is_some() || begin.else_clause().is_some() || rescue.reference().is_some()
        {
            return no(node, "`begin` of this form has no counterpart");
        }
        let inner = self.branch(&inner)?;
        let other = self.branch(&ruby::statements(rescue.statements().map(|s| s.as_node())))?;
        Ok((format!("try {inner} else {other}"), OPERAND))
    }
}

pub(super) fn wrap(text: String, binds: u8, min: u8) -> String {
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
