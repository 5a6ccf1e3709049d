//! Times: numbers of seconds where they are compared, objects where they are values.

use super::block::*;
use super::ruby::{self, ByteRange, name};
use super::type_decl::Reader;
use rtype_lang::syntax::quote;
use ruby_prism::{CallNode, Node};

impl BlockTranslator<'_> {
    /// Translates an expression that is a time to its seconds since 1970.
    pub(super) fn seconds(&mut self, node: &Node<'_>) -> Text<Option<String>> {
        if let Some(local) = node.as_local_variable_read_node() {
            let local = ruby::local(&local.name());
            return Ok(self.own.times.contains(&local).then_some(local));
        }
        if let Some(inner) = node.as_parentheses_node()
            && let [one] = ruby::statements(inner.body()).as_slice()
        {
            return self.deeper(node, |block| block.seconds(one));
        }
        if let Some(of) = in_utc(node) {
            return self.deeper(node, |block| block.seconds(&of));
        }
        let Some(call) = node.as_call_node() else { return Ok(None) };
        let Some(receiver) = call.receiver() else { return Ok(None) };
        let plain = ruby::arguments(call.arguments()).0;
        match (ruby::constant(&receiver).as_deref(), name(&call.name()).as_str(), plain.as_slice()) {
            (Some("Time"), "now", []) => Ok(Some("now()".to_owned())),
            (Some("Time"), "parse", [text]) => Ok(Some(format!("time({})", self.expr(text, TERNARY)?))),
            (None, operator @ ("+" | "-"), [by]) if by.as_integer_node().is_some() || by.as_float_node().is_some() => {
                let Some(of) = self.deeper(node, |block| block.seconds(&receiver))? else { return Ok(None) };
                Ok(Some(format!("({of} {operator} {})", self.slice(by))))
            }
            _ => Ok(None),
        }
    }

    /// Translates what is computed from times.
    pub(super) fn of_times(&mut self, call: &CallNode<'_>, method: &str, plain: &[Node<'_>]) -> Text<Option<(String, u8)>> {
        let Some(receiver) = call.receiver() else { return Ok(None) };
        if let ("-" | "<" | "<=" | ">" | ">=" | "==" | "!=" | "<=>", [other]) = (method, plain) {
            let Some(left) = self.seconds(&receiver)? else { return Ok(None) };
            let Some(right) = self.seconds(other)? else { return Ok(None) };
            return Ok(Some(match method {
                "-" => (format!("({left} - {right}).to_f"), OPERAND),
                _ => (format!("{left} {method} {right}"), COMPARE),
            }));
        }
        if let Some(utc) = in_utc(&receiver) {
            let Some(seconds) = self.seconds(&utc)? else { return Ok(None) };
            let pattern = match (method, plain) {
                ("iso8601" | "xmlschema", []) => String::new(),
                ("strftime", [pattern]) => format!(", {}", self.expr(pattern, TERNARY)?),
                ("to_s", []) => format!(", {}", quote(TEXT)),
                ("to_i" | "to_f", []) => return Ok(Some((format!("{seconds}.{method}"), OPERAND))),
                _ => return no(&call.as_node(), format!("`{method}` of a time is not supported")),
            };
            return Ok(Some((format!("format_time({seconds}{pattern})"), OPERAND)));
        }
        if let Some(text) = parsed(&receiver) {
            let pattern = match (method, plain) {
                ("iso8601" | "xmlschema", []) => String::new(),
                ("strftime", [pattern]) => format!(", {}", self.expr(pattern, TERNARY)?),
                ("to_s", []) => format!(", {}", quote(TEXT)),
                ("to_i" | "to_f", []) => return self.whole_seconds(&receiver, method, plain),
                ("is_a?" | "nil?" | "+" | "-", _) => return Ok(None),
                _ => return no(&call.as_node(), format!("`{method}` of a time is not supported")),
            };
            return Ok(Some((format!("format_time({}{pattern})", self.expr(&text, TERNARY)?), OPERAND)));
        }
        self.whole_seconds(&receiver, method, plain)
    }

    fn whole_seconds(&mut self, receiver: &Node<'_>, method: &str, plain: &[Node<'_>]) -> Text<Option<(String, u8)>> {
        if !matches!((method, plain), ("to_i" | "to_f", [])) {
            return Ok(None);
        }
        let seconds = self.seconds(receiver)?.filter(|seconds| seconds != "now()" || method == "to_i");
        Ok(seconds.map(|seconds| (if seconds == "now()" { seconds } else { format!("{seconds}.{method}") }, OPERAND)))
    }

    /// Translates a time, or an object of a class that builds on `Time`, as a value.
    pub(super) fn time_value(&mut self, call: &CallNode<'_>) -> Text<Option<(String, u8)>> {
        let node = call.as_node();
        let Some(text) = parsed_by(call, &|class| self.time_class(class).is_some()) else { return Ok(None) };
        let Some(receiver) = call.receiver() else { return Ok(None) };
        let Some((class, pattern)) = self.time_class(&receiver) else { return Ok(None) };
        let Some(pattern) = pattern else { return no(&node, "the text of this time is not supported") };
        let text = self.expr(&text, OPERAND)?;
        let format = if pattern.is_empty() { String::new() } else { format!(", {}", quote(&pattern)) };
        Ok(Some((
            format!("{text}.then {{ |text| object({}, {{seconds: time(text)}}) {{ |_| format_time(text{format}) }} }}", quote(&class)),
            OPERAND,
        )))
    }

    /// Returns the name of a class that builds on `Time`, and the pattern of its text; an empty one is that of ISO 8601.
    fn time_class(&self, class: &Node<'_>) -> Option<(String, Option<String>)> {
        ruby::constant(class)?;
        self.methods?.time_class(&ruby::place(class))
    }
}

impl<'p> Reader<'_, '_, 'p> {
    /// Returns the name of a class that builds on `Time`, and the pattern of its text.
    pub(super) fn find_time_class(&self, at: &ByteRange) -> Option<(String, Option<String>)> {
        let class = self.loaded.module_at(self.file, at)?;
        let name_of = {
            let ruby = self.loaded.ruby.borrow();
            let of_time =
                ruby.classes.ancestors(class).iter().any(|c| ruby.classes.get(*c).is_native && ruby.classes.get(*c).name == "Time");
            let is_known = of_time && ruby.classes.unknown(class).is_none() && ruby.classes.class_method(class, "parse", None).is_none();
            is_known.then(|| ruby.classes.get(class).name.clone())?
        };
        let Some((def, ..)) = self.loaded.method_of(class, "to_s") else { return Some((name_of, Some(TEXT.to_owned()))) };
        let body = ruby::statements(def.body());
        let [text] = body.as_slice() else { return Some((name_of, None)) };
        let own = text.as_call_node().filter(|c| c.receiver().is_none_or(|of| of.as_self_node().is_some()));
        let pattern = own.and_then(|c| match (name(&c.name()).as_str(), ruby::arguments(c.arguments()).0.as_slice()) {
            ("iso8601" | "xmlschema", []) => Some(String::new()),
            ("strftime", [pattern]) => ruby::text(pattern),
            _ => None,
        });
        Some((name_of, pattern))
    }
}

/// Returns the time in `time.utc`.
fn in_utc<'p>(node: &Node<'p>) -> Option<Node<'p>> {
    let call = node.as_call_node().filter(|c| matches!(name(&c.name()).as_str(), "utc" | "getutc" | "gmtime" | "getgm"))?;
    call.receiver().filter(|_| call.arguments().is_none())
}

/// Returns the text in `Time.parse(text)`.
fn parsed<'p>(node: &Node<'p>) -> Option<Node<'p>> {
    parsed_by(&node.as_call_node()?, &|class| ruby::constant(class).as_deref() == Some("Time"))
}

fn parsed_by<'p>(call: &CallNode<'p>, is_time: &dyn Fn(&Node<'_>) -> bool) -> Option<Node<'p>> {
    let is_it = name(&call.name()) == "parse" && call.receiver().is_some_and(|class| is_time(&class));
    <[Node<'p>; 1]>::try_from(ruby::arguments(call.arguments()).0).ok().filter(|_| is_it).map(|[text]| text)
}

/// The pattern of `Time#to_s`.
const TEXT: &str = "%Y-%m-%d %H:%M:%S %Z";
