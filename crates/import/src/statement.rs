//! Translates statements in Ruby blocks: assignments, branches, leaving, failing.

use super::aliases::may_be;
use super::block::*;
use super::in_place::taken;
use super::known::StaticValue;
use super::objects::is_own_account;
use super::parts::{is_left, may_end};
use super::patterns::guard;
use super::ruby::{self, name};
use super::things::Thing;
use rtype_lang::syntax::{quote, written_symbol};
use ruby_prism::{CallNode, Node};

impl BlockTranslator<'_> {
    pub(super) fn body(&mut self, nodes: &[Node<'_>], top: bool) -> Text {
        let mut lines = Vec::new();
        for (i, node) in nodes.iter().enumerate() {
            if let Some(left) = self.own.parts.left(ruby::place(node).start) {
                lines.push(left);
                break;
            }
            self.own.always_leaves = false;
            let is_last = i + 1 == nodes.len();
            let discards = self.own.discards;
            self.own.discards = discards || !is_last;
            let line = self.statement(node, top, is_last && !discards);
            self.own.discards = discards;
            match line {
                Ok(line) => {
                    lines.push(line);
                    // What follows is never reached.
                    if std::mem::take(&mut self.own.always_leaves) {
                        break;
                    }
                }
                Err(reason) => {
                    // Of a block nothing is left if none of its statements can end it before.
                    if !top || self.own.parts.is_function || lines.iter().any(|line: &String| may_end(line)) {
                        self.own.parts.note(ruby::place(node).start, &reason);
                    }
                    return Err(reason);
                }
            }
        }
        if top && self.closures == 0 && lines.len() == nodes.len() && !lines.last().is_some_and(|last| is_left(last)) {
            Self::without_last_name(nodes, &mut lines);
        }
        lines.retain(|line| !line.is_empty());
        Ok(lines.join("\n"))
    }

    pub(super) fn branch(&mut self, nodes: &[Node<'_>]) -> Text {
        Ok(format!("{{\n{}\n}}", self.body(nodes, false)?))
    }

    pub(super) fn statement(&mut self, node: &Node<'_>, top: bool, last: bool) -> Text {
        self.deeper(node, |block| block.any_statement(node, top, last))
    }

    fn any_statement(&mut self, node: &Node<'_>, top: bool, last: bool) -> Text {
        if self.own.shared.contains(&ruby::place(node).start) {
            return no(node, "it changes in place what another local or a container shows");
        }
        if let Some(local) = self.changed_receiver(node) {
            if last {
                return Ok(format!("{}\n{local}", self.statement(node, top, false)?));
            }
            self.own.loops = Some(ruby::place(node));
        }
        if let Some(write) = node.as_local_variable_write_node() {
            let variable = ruby::local(&write.name());
            if let Some(assigned) = self.assign_thing(&variable, &write.value(), top)? {
                return Ok(assigned);
            }
            if let Some(assigned) = self.assign_set(&variable, &write.value(), top)? {
                return Ok(assigned);
            }
            if let Some(message) = made_error(&write.value()) {
                let message = self.expr(&message, TERNARY)?;
                self.own.failures.insert(variable.clone());
                return self.assign(variable, &message, top);
            }
            if self.own.failures.contains(&variable) {
                return no(node, "a local that is an error and another value is not supported");
            }
            if may_be(&write.value()).iter().any(|local| self.own.arguments.contains(local)) {
                self.own.arguments.insert(variable.clone());
            } else {
                self.own.arguments.remove(&variable);
            }
            if self.assign_lambda(&variable, &write.value())? {
                return Ok(String::new());
            }
            if let Some(StaticValue::Range(from, to, excludes)) = self.literal_range(&write.value()) {
                if self.locals.contains(&variable) || self.closures > 0 {
                    return no(node, "a range in this local is not supported");
                }
                self.own.ranges.insert(variable, (from, to, excludes));
                return Ok(String::new());
            }
            if self.own.ranges.contains_key(&variable) {
                return no(node, "a local that is a range and another value is not supported");
            }
            if let Some((list, element, rest)) = taken(&write.value()) {
                let taken = self.assign(variable.clone(), &format!("{list}{element}"), top)?;
                return Ok(if list == variable { taken } else { format!("{taken}\n{list} = {list}{rest}") });
            }
            let known = self.parameter(&write.value()).map(|attribute| written_symbol(&attribute));
            if let Some(key) = known.map_or_else(|| self.parameter_key(&write.value()), |key| Ok(Some(key)))? {
                self.parameters.insert(variable, key);
                return Ok(String::new());
            }
            if self.is_served_content(&write.value(), MAX_DEPTH) {
                self.contents.insert(variable.clone());
            }
            if self.is_provider(&write.value()) {
                self.providers.push(variable);
                return Ok(String::new());
            }
            if self.is_address(&write.value()) {
                return self.assign_address(variable, &write.value(), top);
            }
            if let Some(assigned) = self.assign_version(&variable, &write.value(), top)? {
                return Ok(assigned);
            }
            self.own.times.remove(&variable);
            if let Some(seconds) = self.seconds(&write.value())? {
                let assigned = self.assign(variable.clone(), &seconds, top)?;
                self.own.times.insert(variable);
                return Ok(assigned);
            }
            if is_own_account(&write.value()) {
                self.accounts.push(variable);
                return Ok(String::new());
            }
            self.remember(&variable, &write.value());
            self.remember_resources(&variable, &write.value());
            if self.is_catalog(&write.value()) {
                return Ok(String::new());
            }
            if let Some(paths) = self.ascending(&write.value())? {
                self.path_lists.insert(variable.clone());
                return self.assign(variable, &paths, top);
            }
            if self.finds_path(&write.value()) {
                self.paths.push(variable.clone());
            }
            if let Some(symbols) = self.symbols_of(Some(&write.value())) {
                self.symbols.insert(variable.clone(), symbols);
            }
            if let Some(path) = self.pathname(&write.value())? {
                self.paths.push(variable.clone());
                return self.assign(variable, &path, top);
            }
            let new = self.default_of(&write.value());
            let value = if new.is_some() { "({})".to_owned() } else { self.value(&write.value())? };
            let default = new.or_else(|| self.collected_default(&write.value()));
            self.remember_kind(&variable, &write.value(), top);
            if let Some(default) = default {
                self.defaults.insert(variable.clone(), default);
            }
            return self.assign(variable, &value, top);
        }
        if let Some(above) = self.super_constructor(node)? {
            return Ok(above);
        }
        if let Some(case) = node.as_case_node() {
            return Ok(self.deeper(node, |block| block.any_case(&case))?.0);
        }
        if let Some(text) = self.operator_write(node)? {
            return Ok(text);
        }
        if let Some(written) = self.write_variable(node, last)? {
            return Ok(written);
        }
        if let Some(write) = node.as_instance_variable_write_node()
            && let Some(local) = self.own_state(&name(&write.name()))
        {
            self.remember(&local, &write.value());
            let value = self.expr(&write.value(), TERNARY)?;
            return self.assign(local, &value, top);
        }
        if self.own.checks || !last {
            // Only whether it is valid matters.
            if node.as_call_node().is_some() && self.is_address(node) {
                return self.address(node);
            }
            if let Some(seconds) = self.seconds(node)?.filter(|_| node.as_call_node().is_some()) {
                return Ok(seconds);
            }
        }
        if !last && self.traces_error(node) {
            return Ok(String::new());
        }
        if self.is_kept(node) || !last && self.replaces_nothing(node) {
            return Ok(String::new());
        }
        if !last && self.attribute.is_some_and(|of| of.compares) && self.notifies_provider(node) {
            let left = ruby::first_line(&self.slice(node));
            return Ok(format!("# Left out, because it does not change the result: `{left}`."));
        }
        if let Some(text) = self.element_operator(node)? {
            return Ok(text);
        }
        if let Some(text) = self.index_write(node)? {
            return Ok(text);
        }
        if let Some(text) = self.several(node, top)? {
            return Ok(text);
        }
        if let Some(or) = node.as_or_node().filter(|or| or.left().as_local_variable_write_node().is_some())
            && !last
            && self.attribute_read(&or.right()).is_some()
        {
            // `a = b or c`: `or` has lower precedence than `=`, so the value of `c` is not used.
            return self.statement(&or.left(), top, last);
        }
        if node.as_instance_variable_or_write_node().is_some_and(|w| name(&w.name()) == "@should") && !last && self.attribute.is_some() {
            // Blocks of a property only run if it has a desired value.
            return Ok(String::new());
        }
        if let Some(ret) = node.as_return_node() {
            let value = ret.arguments().and_then(|a| a.arguments().iter().next()).filter(|_| self.is_end(&ruby::place(node)));
            if let Some(value) = value {
                return self.expr(&value, 0);
            }
            return self.leave("return", ret.arguments().map(|a| a.arguments().iter().collect()).unwrap_or_default(), node);
        }
        if let Some(next) = node.as_next_node() {
            let word = if self.closures == 0 { "return" } else { "next" };
            return self.leave(word, next.arguments().map(|a| a.arguments().iter().collect()).unwrap_or_default(), node);
        }
        if node.as_break_node().is_some_and(|b| b.arguments().is_none()) && self.own.breaks.last() == Some(&true) {
            return Ok("next true".to_owned());
        }
        if let Some(value) = self.memoized(node) {
            return self.statement(&value, top, last);
        }
        if let Some(branch) = node.as_if_node()
            && branch.if_keyword_loc().is_some()
        {
            if branch.end_keyword_loc().is_none() {
                let inner = ruby::statements(branch.statements().map(|s| s.as_node()));
                return self.modified(&inner, "if", &branch.predicate(), last);
            }
            return Ok(guard(self.if_chain(node)?, branch.statements()));
        }
        // `a ? b : c` whose value is not used.
        if let Some(branch) = node.as_if_node().filter(|_| !last) {
            return self.if_chain(&branch.as_node());
        }
        if let Some(branch) = node.as_unless_node() {
            let inner = ruby::statements(branch.statements().map(|s| s.as_node()));
            if branch.end_keyword_loc().is_none() {
                return self.modified(&inner, "unless", &branch.predicate(), last);
            }
            let test = self.condition(&branch.predicate(), TERNARY)?;
            let inner = self.branch(&inner)?;
            return match branch.else_clause() {
                None => Ok(guard(format!("unless {test} {inner}"), branch.statements())),
                Some(other) => {
                    let test = self.condition(&branch.predicate(), UNARY)?;
                    let other = self.branch(&ruby::statements(other.statements().map(|s| s.as_node())))?;
                    Ok(format!("if !{test} {inner} else {other}"))
                }
            };
        }
        if let Some(begin) = node.as_begin_node()
            && begin.rescue_clause().is_none()
            && begin.ensure_clause().is_none()
            && begin.else_clause().is_none()
        {
            let inner = ruby::statements(begin.statements().map(|s| s.as_node()));
            let mut lines = Vec::new();
            for (i, one) in inner.iter().enumerate() {
                lines.push(self.statement(one, top, last && i + 1 == inner.len())?);
            }
            lines.retain(|line| !line.is_empty());
            return Ok(lines.join("\n"));
        }
        if let Some(text) = self.begin_later(node, top)? {
            return Ok(text);
        }
        if let Some(inner) = node.as_parentheses_node() {
            let inner = ruby::statements(inner.body());
            if let [one] = inner.as_slice() {
                return self.statement(one, top, last);
            }
        }
        if let Some(text) = self.looped(node, last)? {
            return Ok(text);
        }
        if let Some(call) = node.as_call_node() {
            if let Some(message) = self.failure(&call)? {
                let about = self.own.about.as_ref().map(|attribute| format!(", at: {}", written_symbol(attribute)));
                return Ok(format!("fail {message}{}{}", about.unwrap_or_default(), self.error_argument(&call)));
            }
            let is_without_effect = name(&call.name()) == "require" || self.checks_no_features(&call);
            if call.receiver().is_none() && !last && is_without_effect {
                return Ok(String::new());
            }
            if !last && let Some(changed) = self.set_change(&call)? {
                return Ok(changed);
            }
            if let Some(changed) = self.element_change(&call, last)? {
                return Ok(changed);
            }
            if let Some(changed) = self.object_change(&call, last)? {
                return Ok(changed);
            }
            if !last && let Some(changed) = self.changing_call(&call)? {
                return Ok(changed);
            }
            if let Some(changed) = self.in_place(&call, last)? {
                return Ok(changed);
            }
            if !last && let Some(left) = self.left_early(&call)? {
                return Ok(left);
            }
        }
        if let Some(changed) = self.yielded_change(node)? {
            return Ok(changed);
        }
        if !last {
            self.note_test(node);
        }
        let value = self.expr(node, 0)?;
        if last {
            self.refuse_stale_loop(node)?;
        }
        Ok(value)
    }

    /// Returns the range of numbers that a local gets, if its limits are known.
    fn literal_range(&self, node: &Node<'_>) -> Option<StaticValue> {
        let mut inner = node.as_parentheses_node().map(|p| ruby::statements(p.body())).unwrap_or_default();
        let only = inner.pop().filter(|_| inner.is_empty());
        let node = only.as_ref().unwrap_or(node);
        node.as_range_node()?;
        (self.fold)(&ruby::place(node), &self.locals)
    }

    pub(super) fn assign(&mut self, variable: String, value: &str, top: bool) -> Text {
        if self.locals.contains(&variable) {
            return Ok(format!("{variable} = {value}"));
        }
        self.locals.push(variable.clone());
        if top {
            return Ok(format!("let {variable} = {value}"));
        }
        if self.closures > 0 {
            // It is only visible in the closure.
            return Ok(format!("let {variable} = {value}"));
        }
        self.hoisted.push(variable.clone());
        Ok(format!("{variable} = {value}"))
    }

    pub(super) fn leave(&mut self, word: &str, values: Vec<Node<'_>>, node: &Node<'_>) -> Text {
        let word = match self.own.lambda {
            Some(of) if word == "return" && of.returns && of.closures == self.closures => "next",
            Some(_) if word == "return" => return no(node, "`return` in this lambda is not supported"),
            _ => word,
        };
        if let ("next", Some(Some(result))) = (word, self.results.last()) {
            return Ok(format!("next {result}"));
        }
        if let (true, "return", Some(result)) = (self.own.gives, word, &self.result) {
            return Ok(format!("return {result}"));
        }
        match values.as_slice() {
            [] if word == "return" => Ok(self.result.as_ref().map_or_else(|| word.to_owned(), |result| format!("return {result}"))),
            [] => Ok(word.to_owned()),
            // Nothing reads a local that is assigned while leaving.
            [value] => match value.as_local_variable_write_node() {
                Some(write) => Ok(format!("{word} {}", self.expr(&write.value(), TERNARY)?)),
                None => Ok(format!("{word} {}", self.expr(value, TERNARY)?)),
            },
            _ => no(node, format!("`{word}` of several values is not supported")),
        }
    }

    pub(super) fn modified(&mut self, inner: &[Node<'_>], word: &str, test: &Node<'_>, last: bool) -> Text {
        let test = self.condition(test, TERNARY)?;
        if (word, test.as_str()) == ("if", "false") {
            return Ok(String::new());
        }
        let [one] = inner else { return Ok(format!("{word} {test} {}", self.branch(inner)?)) };
        let statement = self.statement(one, false, last)?;
        if statement.is_empty() {
            return Ok(statement);
        }
        if matches!((word, test.as_str()), ("if", "true") | ("unless", "false")) {
            self.own.always_leaves |= one.as_return_node().is_some();
            return Ok(statement);
        }
        self.own.always_leaves = false;
        // Chained or multi-line statements need braces.
        if statement.contains('\n') || one.as_if_node().is_some() || one.as_unless_node().is_some() {
            return Ok(format!("{word} {test} {{\n{statement}\n}}"));
        }
        Ok(format!("{statement} {word} {test}"))
    }

    /// Translates `if`, `elsif` and `else`.
    pub(super) fn if_chain(&mut self, node: &Node<'_>) -> Text {
        let Some(branch) = node.as_if_node() else { return no(node, "this branch is not understood") };
        if let Some((before, found)) = self.match_write(&branch.predicate(), false)? {
            return Ok(format!("{before}\n{}", self.if_tested(&branch, &found)?));
        }
        // Conditions that are known when the type is loaded.
        if let Some(known) = self.decided(&branch.predicate()) {
            let other = branch.subsequent().and_then(|n| n.as_else_node()).and_then(|e| e.statements());
            if known || branch.subsequent().is_none_or(|n| n.as_else_node().is_some()) {
                let body = if known { branch.statements() } else { other };
                return self.body(&ruby::statements(body.map(|s| s.as_node())), false);
            }
        }
        // `if (a = self[:x]) && …`: the first operand that is evaluated is moved before the condition.
        let mut before = String::new();
        if let Some(write) = first_assignment(&branch.predicate()) {
            before = self.statement(&write, false, false)? + "\n";
            self.done.push(ruby::place(&write));
        }
        let test = self.condition(&branch.predicate(), TERNARY)?;
        Ok(before + &self.if_tested(&branch, &test)?)
    }

    /// Translates `unless` as a value, which is nil if its condition is true.
    pub(super) fn unless_value(&mut self, branch: &ruby_prism::UnlessNode<'_>) -> Text<(String, u8)> {
        let node = branch.as_node();
        let inner = ruby::statements(branch.statements().map(|s| s.as_node()));
        if branch.else_clause().is_some() || inner.iter().any(|n| n.as_return_node().is_some() || n.as_next_node().is_some()) {
            return Ok((self.statement(&node, false, true)?, 0));
        }
        let test = self.condition(&branch.predicate(), UNARY)?;
        Ok((format!("if !{test} {}", self.branch(&inner)?), OPERAND))
    }

    /// Recognizes `return @x if @x`, which returns a memoized value; it can be computed again.
    fn is_kept(&self, node: &Node<'_>) -> bool {
        let variable = |n: &Node<'_>| n.as_instance_variable_read_node().map(|v| name(&v.name()));
        let Some(branch) = node.as_if_node().filter(|b| b.subsequent().is_none()) else { return false };
        let inner = ruby::statements(branch.statements().map(|s| s.as_node()));
        let [leave] = inner.as_slice() else { return false };
        let given: Vec<Node<'_>> =
            leave.as_return_node().and_then(|r| r.arguments()).map(|a| a.arguments().iter().collect()).unwrap_or_default();
        match (variable(&branch.predicate()), given.as_slice()) {
            (Some(test), [value]) if variable(value).as_ref() == Some(&test) => {
                self.own_state(&test).is_some_and(|local| !self.locals.contains(&local))
            }
            _ => false,
        }
    }

    /// Returns whether a statement is `error.set_backtrace(…)`, which no message shows.
    fn traces_error(&self, node: &Node<'_>) -> bool {
        let call = node.as_call_node().filter(|c| name(&c.name()) == "set_backtrace");
        let local = call.and_then(|c| c.receiver()).and_then(|r| r.as_local_variable_read_node().map(|l| ruby::local(&l.name())));
        local.is_some_and(|local| self.own.failures.contains(&local))
    }

    /// Evaluates `respond_to?(:x)` in an attribute, whether it has such a method, and whether a method has a block.
    pub(super) fn decided(&self, test: &Node<'_>) -> Option<bool> {
        if let Some(given) = self.has_block(test) {
            return Some(given);
        }
        let call = test.as_call_node().filter(|c| name(&c.name()) == "respond_to?")?;
        let given = ruby::arguments(call.arguments()).0;
        let [wanted] = given.as_slice() else { return None };
        let owner = self.attribute.filter(|_| call.receiver().is_none_or(|r| r.as_self_node().is_some()))?;
        let wanted = ruby::symbol(wanted)?;
        // Only some attributes of its class have the method.
        (!owner.nested.settings.contains(&wanted)).then(|| owner.helpers.contains_key(&wanted))
    }

    pub(super) fn if_tested(&mut self, branch: &ruby_prism::IfNode<'_>, test: &str) -> Text {
        let stale = self.stale.clone();
        let mut out = format!("if {test} {}", self.branch(&ruby::statements(branch.statements().map(|s| s.as_node())))?);
        // A change in one branch does not affect the other one.
        let after = std::mem::replace(&mut self.stale, stale);
        if let Some(next) = branch.subsequent() {
            if let Some(other) = next.as_else_node() {
                let other = self.branch(&ruby::statements(other.statements().map(|s| s.as_node())))?;
                out.push_str(&format!(" else {other}"));
            } else {
                let assigns = next.as_if_node().is_some_and(|n| first_assignment(&n.predicate()).is_some());
                let chain = self.deeper(&next, |block| block.if_chain(&next))?;
                out.push_str(&if assigns { format!(" else {{\n{chain}\n}}") } else { format!(" els{chain}") });
            }
        }
        self.stale.extend(after);
        Ok(out)
    }

    /// Translates the message of `raise ArgumentError, "…"` and similar calls.
    pub(super) fn failure(&mut self, call: &CallNode<'_>) -> Text<Option<String>> {
        let node = call.as_node();
        let of_self =
            call.receiver().is_none_or(|r| matches!(self.thing(&r), Thing::Resource | Thing::Attribute(_)) || r.as_self_node().is_some());
        if !of_self || !matches!(name(&call.name()).as_str(), "raise" | "fail" | "devfail") || call.block().is_some() {
            return Ok(None);
        }
        let (plain, named) = ruby::arguments(call.arguments());
        if !named.is_empty() {
            return no(&node, "an exception with named arguments is not supported");
        }
        let of_new = plain.first().and_then(Node::as_call_node).filter(|new| name(&new.name()) == "new").and_then(|new| new.receiver());
        if of_new.as_ref().or(plain.first()).is_some_and(|class| ruby::constant(class).is_some() && self.has_own_message(class)) {
            let text = "the message of this class of errors is made by the class".to_owned();
            return Ok(Some(self.own.parts.also(Untranslated { text, at: ruby::place(&node) })));
        }
        match plain.as_slice() {
            [] if name(&call.name()) == "raise" && !self.errors.is_empty() => Ok(self.errors.last().cloned()),
            [] => Ok(Some(quote("unhandled exception"))),
            [class, message] | [class, message, _] if ruby::constant(class).is_some() => self.expr(message, TERNARY).map(Some),
            [only] => {
                if let Some(class) = ruby::constant(only) {
                    return Ok(Some(quote(&class)));
                }
                // Without a comma, this calls a method with the name of the class, which does not exist.
                if let Some(missing) = only.as_call_node().filter(|c| c.arguments().is_some())
                    && let method = name(&missing.name())
                    && (method == "ArgumentError" && missing.receiver().is_none()
                        || method == "Error" && missing.receiver().as_ref().and_then(ruby::constant).as_deref() == Some("Puppet"))
                {
                    return Ok(Some(quote(&format!("undefined method `{method}'"))));
                }
                if let Some(new) = only.as_call_node()
                    && name(&new.name()) == "new"
                    && new.receiver().as_ref().and_then(ruby::constant).is_some()
                {
                    let (inner, _) = ruby::arguments(new.arguments());
                    return match inner.as_slice() {
                        [message] => self.expr(message, TERNARY).map(Some),
                        [] => Ok(new.receiver().as_ref().and_then(ruby::constant).map(|class| quote(&class))),
                        // The second one is the error that it reports.
                        [message, _]
                            if new.receiver().as_ref().and_then(ruby::constant).is_some_and(|class| class.starts_with("Puppet::")) =>
                        {
                            self.expr(message, TERNARY).map(Some)
                        }
                        _ => no(only, "an exception made of several arguments is not supported"),
                    };
                }
                let made = only.as_local_variable_read_node().map(|l| ruby::local(&l.name())).filter(|l| self.own.failures.contains(l));
                made.map_or_else(|| self.expr(only, TERNARY), Ok).map(Some)
            }
            _ => no(&node, "`raise` of this form is not supported"),
        }
    }
}

/// Returns the message of `X::Error.new(message)`.
fn made_error<'p>(node: &Node<'p>) -> Option<Node<'p>> {
    let call = node.as_call_node().filter(|c| name(&c.name()) == "new" && c.block().is_none())?;
    ruby::constant(&call.receiver()?).filter(|class| class.ends_with("Error"))?;
    let (mut plain, named) = ruby::arguments(call.arguments());
    plain.pop().filter(|_| plain.is_empty() && named.is_empty())
}

/// Returns the assignment that forms a condition.
pub(super) fn assignment<'p>(node: &Node<'p>) -> Option<Node<'p>> {
    if let Some(inner) = node.as_parentheses_node() {
        let mut inner = ruby::statements(inner.body());
        return if inner.len() == 1 { inner.pop().and_then(|n| assignment(&n)) } else { None };
    }
    node.as_local_variable_write_node().map(|w| w.as_node())
}

/// Returns the assignment that is evaluated first in a condition.
pub(super) fn first_assignment<'p>(node: &Node<'p>) -> Option<Node<'p>> {
    let mut left = None;
    for _ in 0..MAX_DEPTH {
        let node = left.as_ref().unwrap_or(node);
        if let Some(found) = assignment(node) {
            return Some(found);
        }
        left = Some(match (node.as_and_node(), node.as_or_node()) {
            (Some(and), _) => and.left(),
            (_, Some(or)) => or.left(),
            _ => return None,
        });
    }
    None
}
