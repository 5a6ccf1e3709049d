//! Translates interpolated strings and regexes.

use super::block::*;
use super::kinds::Kind;
use super::known::StaticValue;
use super::plain::{is_changing, is_reading};
use super::ruby;
use super::things::own_local;
use rtype_lang::syntax::escape;
use ruby_prism::Node;

impl BlockTranslator<'_> {
    /// Translates a part of an interpolated string.
    pub(super) fn part(&mut self, part: &Node<'_>, out: &mut String) -> Text<()> {
        if let Some(text) = ruby::text(part) {
            out.push_str(&escape(&text));
            return Ok(());
        }
        if let Some(string) = part.as_interpolated_string_node() {
            return string.parts().iter().try_for_each(|p| self.part(&p, out));
        }
        let Some(embedded) = part.as_embedded_statements_node() else { return no(part, "this interpolation is not supported") };
        let inner = ruby::statements(embedded.statements().map(|s| s.as_node()));
        let [one] = inner.as_slice() else { return no(part, "several statements in a text are not supported") };
        if let Some(read) = one.as_local_variable_read_node().map(|r| ruby::local(&r.name()))
            && !self.locals.contains(&read)
            && let Some(text) = self.scope.known.get(&read).and_then(|k| k.text())
        {
            out.push_str(&escape(&text));
            return Ok(());
        }
        if self.is_of_known_object(one)
            && let Some(text) = (self.fold)(&ruby::place(one), &self.locals).and_then(|known| known.text())
        {
            out.push_str(&escape(&text));
            return Ok(());
        }
        if let Some(text) = self.known_regex(one).and_then(|regex| regex.text()) {
            out.push_str(&escape(&text));
            return Ok(());
        }
        if self.is_match(one) {
            out.push_str(&format!("#{{({} || [])[0]}}", self.expr(one, OR)?));
            return Ok(());
        }
        if let Some(of) = self.class_of(one) {
            out.push_str(&format!("#{{type_of({})}}", self.expr(&of, TERNARY)?));
            return Ok(());
        }
        if let Some(class) = self.class_of_error(one) {
            out.push_str(&format!("#{{{class}}}"));
            return Ok(());
        }
        if let Some(class) = self.own_class_text(one).or_else(|| self.class_name(one)) {
            out.push_str(&escape(&class));
            return Ok(());
        }
        if let Some(text) = self.address_text(one)? {
            out.push_str(&format!("#{{{text}}}"));
            return Ok(());
        }
        if let Some(path) = self.pathname(one)? {
            out.push_str(&format!("#{{{path}}}"));
            return Ok(());
        }
        match self.expr(one, TERNARY) {
            Ok(value) => out.push_str(&format!("#{{{value}}}")),
            Err(reason) => out.push_str(&escape(&self.known_value(one).and_then(|known| known.text()).ok_or(reason)?)),
        }
        Ok(())
    }

    /// Returns the regex that a constant, or a local around the block, is.
    pub(super) fn known_regex(&self, node: &Node<'_>) -> Option<StaticValue> {
        let local = node.as_local_variable_read_node().map(|l| ruby::local(&l.name()));
        let known = match local {
            Some(local) => self.scope.known.get(&local).filter(|_| !self.locals.contains(&local)).cloned(),
            None => self.known_value(node),
        };
        known.filter(|known| matches!(known, StaticValue::Regex(..)))
    }

    /// Returns the desired value. A local of the Ruby code may have the name that it has in the language.
    pub(super) fn desired(&self, owner: &AttributeContext) -> String {
        let is_written = self.mentions().assignments("should", &self.range) > 0;
        let is_hidden = is_written || self.locals.iter().any(|local| local == "should");
        let other = AttributeContext { outside: true, ..owner.clone() };
        if is_hidden { other.should() } else { owner.should() }
    }

    /// Translates `format(pattern, …)` in an attribute: that of Puppet, which formats the texts of the values.
    pub(super) fn format_of_attribute(&mut self, pattern: &Node<'_>, values: &[Node<'_>]) -> Text<(String, u8)> {
        let literal = ruby::text(pattern).unwrap_or_else(|| "%d".to_owned());
        let has_only_texts = literal.replace("%%", "").split('%').skip(1).all(|rest| rest.starts_with('s'));
        let mut all = vec![self.expr(pattern, TERNARY)?];
        for value in values {
            let is_text = has_only_texts || self.kind(value) == Some(Kind::Text) || ruby::text(value).is_some();
            all.push(if is_text { self.expr(value, TERNARY)? } else { format!("{}.to_s", self.expr(value, OPERAND)?) });
        }
        Ok((format!("format({})", all.join(", ")), OPERAND))
    }

    /// Returns a constant range as an argument. What is asked of a range that is known needs none.
    pub(super) fn range_argument(&self, node: &Node<'_>, min: u8) -> Option<String> {
        let value = self.known_value(node).filter(|value| min == TERNARY && matches!(value, StaticValue::Range(..)))?;
        value.written()
    }

    /// Evaluates constants and functions of modules, which need neither a machine nor a resource.
    pub(super) fn known(&self, node: &Node<'_>) -> Option<String> {
        self.known_value(node)?.in_code()
    }

    fn known_value(&self, node: &Node<'_>) -> Option<StaticValue> {
        let of_module = node.as_call_node().and_then(|c| c.receiver()).as_ref().and_then(ruby::constant);
        if node.as_instance_variable_read_node().is_some() && self.attribute.is_none_or(|owner| owner.is_object) {
            return (self.fold)(&ruby::place(node), &[]);
        }
        let is_local = |local: &String| self.scope.known.contains_key(local);
        let is_known = of_module.or_else(|| ruby::constant(node)).is_some() || self.is_of_known_object(node);
        if !is_known || self.locals.iter().any(is_local) {
            return None;
        }
        // What depends on a value of the block is not known: the evaluation does not see it.
        let code = self.slice(node);
        let mut words = code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        if words.any(|word| word == "resource" || self.locals.iter().any(|local| local == word)) {
            return None;
        }
        (self.fold)(&ruby::place(node), &self.locals)
    }

    /// Returns the value of a call of an object around the block.
    pub(super) fn known_of_object(&self, node: &Node<'_>) -> Option<String> {
        self.is_of_known_object(node).then(|| self.known(node))?
    }

    /// Returns whether a node is a call, or a chain of calls, of an object around the block that changes nothing.
    pub(super) fn is_of_known_object(&self, node: &Node<'_>) -> bool {
        self.is_entry_of_known(node) || self.is_call_of_known_object(node)
    }

    /// Returns whether a node reads an entry of a map or list around the block, such as `options[:min]`.
    fn is_entry_of_known(&self, node: &Node<'_>) -> bool {
        let Some(call) = node.as_call_node().filter(|c| c.block().is_none()) else { return false };
        let Some(receiver) = call.receiver() else { return false };
        let Some(local) = receiver.as_local_variable_read_node().map(|l| ruby::local(&l.name())) else { return false };
        let known = self.scope.known.get(&local).filter(|_| !self.locals.contains(&local));
        let (plain, named) = ruby::arguments(call.arguments());
        let stays = |local: &str| self.methods.is_some_and(|methods| !methods.is_changed_local(local));
        matches!(known, Some(StaticValue::Map(_) | StaticValue::List(_)))
            && matches!(ruby::name(&call.name()).as_str(), "[]" | "fetch" | "dig" | "key?" | "has_key?" | "include?")
            && named.is_empty()
            && plain.iter().all(|n| n.as_symbol_node().is_some() || n.as_string_node().is_some() || n.as_integer_node().is_some())
            && stays(&local)
    }

    fn is_call_of_known_object(&self, node: &Node<'_>) -> bool {
        let mut chain = node.as_call_node();
        while let Some(call) = chain.filter(|c| c.arguments().is_none() && c.block().is_none() && !c.is_safe_navigation()) {
            let method = ruby::name(&call.name());
            let Some(receiver) = call.receiver() else { return false };
            if self.is_entry_of_known(&receiver) {
                return !is_changing(&method);
            }
            if let Some(local) = receiver.as_local_variable_read_node().map(|l| ruby::local(&l.name())) {
                let known = self.scope.known.get(&local).filter(|_| !self.locals.contains(&local));
                return matches!(known, Some(StaticValue::Object(object)) if self.methods.is_some_and(|m| m.is_plain(*object, &method)));
            }
            chain = receiver.as_call_node().filter(|_| is_reading(&method));
        }
        false
    }

    /// Returns the local that can replace an instance variable, if only this code of a type uses it.
    pub(super) fn own_state(&self, variable: &str) -> Option<String> {
        if self.own.kept.contains(variable.trim_start_matches('@')) {
            return Some(own_local(variable.trim_start_matches('@')));
        }
        if let Some(this) = &self.own.this {
            let bare = variable.trim_start_matches('@');
            return this.locals.contains(bare).then(|| own_local(bare));
        }
        let bare = variable.strip_prefix('@').filter(|_| self.attribute.is_none())?;
        let is_inside = |at: &ruby::ByteRange| self.range.start <= at.start && at.end <= self.range.end;
        if !self.mentions().variable(variable).all(is_inside) {
            return None;
        }
        // A local of that name may exist as well.
        let taken = self.mentions().local(bare, &self.range).next().is_some();
        Some(if taken { format!("kept_{bare}") } else { bare.to_owned() })
    }

    /// Translates `Regexp.new(text)`: in Ruby, `^` and `$` are the ends of lines.
    pub(super) fn made_pattern(&mut self, text: &Node<'_>) -> Text {
        if let Some(literal) = ruby::text(text) {
            return Ok(ruby::regex(&literal, false, false, false));
        }
        let of = self.expr(text, TERNARY)?;
        if let Some(rest) = of.strip_prefix('"').filter(|_| text.as_interpolated_string_node().is_some()) {
            return Ok(format!("re(\"(?m){rest})"));
        }
        Ok(match self.kind(text) {
            Some(Kind::Text) => format!("re(\"(?m)#{{{of}}}\")"),
            _ => format!("re({}.then {{ |text| text.is_a?(String) ? \"(?m)#{{text}}\" : text }})", self.expr(text, OPERAND)?),
        })
    }

    /// Translates `/a#{b}/`.
    pub(super) fn computed_regex(&mut self, regex: &ruby_prism::InterpolatedRegularExpressionNode<'_>) -> Text {
        let mut out = String::new();
        for part in regex.parts().iter() {
            if let Some(literal) = part.as_string_node() {
                let source = String::from_utf8_lossy(literal.content_loc().as_slice()).into_owned();
                if regex.is_extended() && source.contains('#') {
                    return no(&part, "a comment in a computed pattern is not supported");
                }
                out.push_str(&escape(&source));
                continue;
            }
            let inner = part.as_embedded_statements_node().map(|e| ruby::statements(e.statements().map(|s| s.as_node())));
            // An interpolated regex has its own flags.
            if inner.iter().flatten().any(|n| ruby::constant(n).is_some()) {
                let known = (self.fold)(&ruby::place(&regex.as_node()), &self.locals).and_then(|v| v.written());
                return known.map_or_else(|| no(&part, "a constant in a regex is not supported"), Ok);
            }
            if let Some([one]) = inner.as_deref()
                && let Some(StaticValue::Regex(source, own)) = self.known_regex(one)
            {
                if !own.is_empty() {
                    return no(&part, "a regex with flags in another one is not supported");
                }
                out.push_str(&escape(&format!("(?:{source})")));
                continue;
            }
            self.part(&part, &mut out)?;
        }
        let flags = [(regex.is_ignore_case(), 'i'), (regex.is_multi_line(), 's'), (regex.is_extended(), 'x')];
        let flags: String = flags.iter().filter(|(on, _)| *on).map(|(_, flag)| *flag).collect();
        // What is filled in may have them, too.
        let is_computed = regex.parts().iter().any(|part| part.as_string_node().is_none());
        let lines = is_computed || out.contains(['^', '$']);
        let out = if lines { format!("\"(?m:{out})\"") } else { format!("\"{out}\"") };
        Ok(if flags.is_empty() { format!("re({out})") } else { format!("re({out}, \"{flags}\")") })
    }
}
