//! Translates what Ruby knows of the last match: `$~`, `Regexp.last_match`, named groups.

use super::block::*;
use super::core_calls::is_short;
use super::extended::on_one_line;
use super::kinds::{Kind, returns_only_nil};
use super::known::StaticValue;
use super::ruby::{self, name};
use ruby_prism::{BlockNode, CallNode, DefNode, Node, OrNode};
use std::collections::BTreeSet;

impl BlockTranslator<'_> {
    /// Translates `$~[1]`, `Regexp.last_match(:name)`, `m[:name]` and other parts of a match.
    pub(super) fn match_call(
        &mut self,
        call: &CallNode<'_>,
        receiver: &Node<'_>,
        method: &str,
        plain: &[Node<'_>],
    ) -> Text<Option<(String, u8)>> {
        if call.block().is_some() {
            return Ok(None);
        }
        let found = self.part_of_match(receiver, method, plain)?;
        if !call.is_safe_navigation() || is_last(receiver) {
            return Ok(found);
        }
        found.map(|(text, _)| Ok((format!("{}.nil? ? nil : {text}", self.expr(receiver, OPERAND)?), TERNARY))).transpose()
    }

    fn part_of_match(&mut self, receiver: &Node<'_>, method: &str, plain: &[Node<'_>]) -> Text<Option<(String, u8)>> {
        // `Regexp.last_match(1)`.
        if (ruby::constant(receiver).as_deref(), method) == (Some("Regexp"), "last_match") {
            return match plain {
                [group] => self.group(group).map(|text| text.map(|text| (text, OPERAND))),
                [] => Ok(self.last_match().map(|text| (text, TERNARY))),
                _ => Ok(None),
            };
        }
        if is_last(receiver) {
            return match (method, plain) {
                ("[]", [group]) => self.group(group).map(|text| text.map(|text| (text, OPERAND))),
                ("nil?", []) => Ok(Some(("$0.nil?".into(), OPERAND))),
                ("to_s", []) => Ok(Some(("$0".into(), OPERAND))),
                ("captures", []) => Ok(self.captures().map(|text| (text, OPERAND))),
                _ => Ok(None),
            };
        }
        let by_name = |of: &Node<'_>| ruby::symbol(of).is_some() || ruby::text(of).is_some();
        if let ("[]", [group], Some(local)) = (method, plain, receiver.as_local_variable_read_node())
            && by_name(group)
            && self.own.unclear.contains(&ruby::local(&local.name()))
        {
            return no(group, "the names of the groups of this match are not known");
        }
        if self.is_mixed(receiver) && !matches!((method, plain), ("nil?" | "to_s", []) | ("[]", [_])) {
            return no(receiver, "a match of several patterns with other groups");
        }
        if let ("to_s", [], true) = (method, plain, self.is_match(receiver)) {
            return Ok(Some((format!("({} || [])[0].to_s", self.expr(receiver, OR)?), OPERAND)));
        }
        let Some(groups) = self.groups_of(receiver) else {
            return match (method, plain, self.is_match(receiver)) {
                ("[]" | "values_at", [group, ..], true) if by_name(group) => {
                    no(group, "the names of the groups of this pattern are not known")
                }
                ("names" | "named_captures", [], true) => no(receiver, "the names of the groups of this pattern are not known"),
                _ => Ok(None),
            };
        };
        Ok(match (method, plain) {
            ("[]", [group]) if self.is_mixed(receiver) && !by_name(group) => {
                return no(group, "a match of several patterns with other groups");
            }
            ("[]", [group]) => {
                let Some(wanted) = ruby::symbol(group).or_else(|| ruby::text(group)) else { return Ok(None) };
                let Some(number) = groups.iter().position(|g| *g == wanted) else {
                    return no(group, format!("the pattern has no group `{wanted}`"));
                };
                Some((format!("{}[{}]", self.expr(receiver, OPERAND)?, number + 1), OPERAND))
            }
            ("values_at", [_, ..]) if plain.iter().any(by_name) => {
                let of = self.expr(receiver, OPERAND)?;
                let number = |group: &Node<'_>| {
                    let wanted = ruby::symbol(group).or_else(|| ruby::text(group));
                    wanted.and_then(|wanted| groups.iter().position(|g| *g == wanted))
                };
                let Some(numbers) = plain.iter().map(number).collect::<Option<Vec<usize>>>() else {
                    return no(receiver, "groups that the pattern does not have, or by names and numbers");
                };
                let parts: Vec<String> = numbers.iter().map(|n| format!("{of}[{}]", n + 1)).collect();
                Some((format!("[{}]", parts.join(", ")), OPERAND))
            }
            ("names", []) => {
                let names: Vec<String> = groups.iter().map(|g| rtype_lang::syntax::quote(g)).collect();
                Some((format!("[{}]", names.join(", ")), OPERAND))
            }
            ("named_captures", []) => {
                let of = self.expr(receiver, OPERAND)?;
                let pairs: Vec<String> =
                    groups.iter().enumerate().map(|(i, g)| format!("{} => {of}[{}]", rtype_lang::syntax::quote(g), i + 1)).collect();
                Some((format!("{{{}}}", pairs.join(", ")), OPERAND))
            }
            _ => None,
        })
    }

    /// Translates a group of the last match.
    fn group(&mut self, group: &Node<'_>) -> Text<Option<String>> {
        if group.as_integer_node().is_some() {
            return Ok(Some(format!("${}", self.slice(group))));
        }
        let Some(wanted) = ruby::symbol(group).or_else(|| ruby::text(group)) else { return Ok(None) };
        if self.patterns_differ {
            return no(group, "which of several patterns has matched is not known");
        }
        match self.last_groups.iter().position(|g| *g == wanted) {
            Some(number) => Ok(Some(format!("${}", number + 1))),
            None => no(group, format!("which group `{wanted}` is, is not known")),
        }
    }

    /// Notes that of an expression only matters whether it is true.
    pub(super) fn note_test<'p>(&mut self, node: &Node<'p>) {
        let mut parts: Vec<Node<'p>> = self.note_part(node);
        while let Some(part) = parts.pop() {
            parts.extend(self.note_part(&part));
        }
    }

    /// Notes that of an expression only matters whether it is true. Returns the parts of which the same is true.
    fn note_part<'p>(&mut self, node: &Node<'p>) -> Vec<Node<'p>> {
        if let Some(inner) = node.as_parentheses_node() {
            return ruby::statements(inner.body()).pop().into_iter().collect();
        }
        if let Some(and) = node.as_and_node() {
            return vec![and.left(), and.right()];
        }
        if let Some(or) = node.as_or_node() {
            return vec![or.left(), or.right()];
        }
        if is_search(node) || node.as_call_node().is_some_and(|c| name(&c.name()) == "new") {
            self.own.tests.places.insert(ruby::place(node).start);
        }
        Vec::new()
    }

    /// Notes that of the result of a closure only matters whether it is true, if that is so.
    pub(super) fn note_closure_test(&mut self, call: &CallNode<'_>, closure: &BlockNode<'_>) {
        if TESTING.contains(&name(&call.name()).as_str())
            && let Some(last) = ruby::statements(closure.body()).last()
        {
            self.note_test(last);
        }
    }

    /// Returns whether of a search only matters whether there is a match.
    pub(super) fn is_tested(&self, node: &Node<'_>) -> bool {
        self.own.tests.is_whole && self.closures == 0 || self.own.tests.places.contains(&ruby::place(node).start)
    }

    /// Returns whether an expression is a pattern, as in `/a/ =~ b`.
    pub(super) fn is_pattern(&self, node: &Node<'_>) -> bool {
        let makes = |c: &CallNode<'_>| c.receiver().as_ref().and_then(ruby::constant).as_deref() == Some("Regexp");
        node.as_regular_expression_node().is_some()
            || node.as_interpolated_regular_expression_node().is_some()
            || node.as_call_node().is_some_and(|c| makes(&c))
            || self.known_regex(node).is_some()
    }

    /// Translates `a =~ b` as a value: the place of the match.
    pub(super) fn match_place(&self, of: &str, pattern: &str) -> Text<(String, u8)> {
        if is_short(of) {
            return Ok((format!("{of} =~ {pattern} ? {of}.to_s.index({pattern}) : nil"), TERNARY));
        }
        let text = self.unused("text");
        Ok((format!("({of}).then {{ |{text}| {text} =~ {pattern} ? {text}.to_s.index({pattern}) : nil }}"), OPERAND))
    }

    fn captures(&self) -> Option<String> {
        let all: Vec<String> = (1..=self.last_count?).map(|n| format!("${n}")).collect();
        Some(format!("[{}]", all.join(", ")))
    }

    /// Translates the last match as a value.
    fn last_match(&self) -> Option<String> {
        let groups = self.last_count.filter(|_| !self.patterns_differ)?;
        let all: Vec<String> = (0..=groups).map(|n| format!("${n}")).collect();
        Some(format!("$0.nil? ? nil : [{}]", all.join(", ")))
    }

    /// Returns the names of the groups of a match: a local, or a call of `match`.
    fn groups_of(&self, node: &Node<'_>) -> Option<Vec<String>> {
        if is_last(node) {
            return Some(self.last_groups.clone()).filter(|groups| !groups.is_empty() && !self.patterns_differ);
        }
        if let Some(local) = node.as_local_variable_read_node() {
            return self.matches.get(&ruby::local(&local.name())).cloned();
        }
        if let Some(inner) = node.as_parentheses_node() {
            return self.groups_of(ruby::statements(inner.body()).last()?);
        }
        if let Some(either) = node.as_or_node() {
            if is_long(&either) {
                return None;
            }
            if gives_nothing(&either.right()) {
                return self.groups_of(&either.left());
            }
            let (left, right) = (self.groups_of(&either.left())?, self.groups_of(&either.right())?);
            return Some(left.into_iter().filter(|group| right.contains(group)).collect());
        }
        if let Some(returned) = self.match_of_method(node) {
            return returned.groups;
        }
        named_groups(&matched(node).or_else(|| self.matched_constant(node))?)
    }

    /// Returns what a call of a method in Ruby code returns, if that is a match or nil.
    fn match_of_method(&self, node: &Node<'_>) -> Option<ReturnedMatch> {
        let call = node.as_call_node().filter(|c| c.block().is_none())?;
        self.methods?.returned_match(&self.receiver_of(&call)?, self.attribute, &name(&call.name()))
    }

    /// Returns whether a value is a match of one of several patterns whose groups are not the same: a local, or `a.match(b) || a.match(c)`.
    /// Its elements are the text and the groups that all have.
    fn is_mixed(&self, node: &Node<'_>) -> bool {
        if let Some(local) = node.as_local_variable_read_node() {
            return self.own.mixed.contains(&ruby::local(&local.name()));
        }
        if let Some(inner) = node.as_parentheses_node() {
            return ruby::statements(inner.body()).last().is_some_and(|n| self.is_mixed(n));
        }
        node.as_or_node().filter(|or| !is_long(or) && !gives_nothing(&or.right())).is_some_and(|or| {
            self.is_mixed(&or.left()) || self.is_mixed(&or.right()) || self.groups_of(&or.left()) != self.groups_of(&or.right())
        })
    }

    /// Translates `a.match(b) || a.match(c)` for patterns whose groups are not the same: the groups that both have.
    pub(super) fn either_match(&mut self, or: &OrNode<'_>) -> Text<Option<(String, u8)>> {
        let node = or.as_node();
        let Some(common) = self.groups_of(&node).filter(|_| self.is_match(&node) && self.is_mixed(&node)) else { return Ok(None) };
        let mut sides = Vec::new();
        for side in [or.left(), or.right()] {
            let groups = self.groups_of(&side).unwrap_or_default();
            let text = self.expr(&side, OPERAND)?;
            let places = common.iter().filter_map(|group| groups.iter().position(|g| g == group));
            let places: Vec<String> = places.map(|place| format!(", g[{}]", place + 1)).collect();
            sides.push(match groups == common {
                true => text,
                false => format!("{text}.then {{ |g| g.nil? ? nil : [g[0]{}] }}", places.concat()),
            });
        }
        Ok(Some((sides.join(" || "), OR)))
    }

    /// Returns the pattern of `text.match(PATTERN)` and `PATTERN.match(text)`.
    fn matched_constant(&self, node: &Node<'_>) -> Option<String> {
        let call = node.as_call_node().filter(|c| name(&c.name()) == "match" && c.block().is_none())?;
        let given = ruby::arguments(call.arguments()).0;
        let [argument] = given.as_slice() else { return None };
        self.constant_pattern(&[argument, &call.receiver()?])
    }

    /// Returns whether a value is a match or nil: a local, or a call of `match`. As text it is what the whole pattern matches.
    pub(super) fn is_match(&self, node: &Node<'_>) -> bool {
        if let Some(local) = node.as_local_variable_read_node() {
            return self.own.matched.contains(&ruby::local(&local.name()));
        }
        if let Some(inner) = node.as_parentheses_node() {
            return ruby::statements(inner.body()).last().is_some_and(|n| self.is_match(n));
        }
        if let Some(either) = node.as_or_node() {
            return !is_long(&either)
                && self.is_match(&either.left())
                && (gives_nothing(&either.right()) || self.is_match(&either.right()));
        }
        let is_last = self.last_match().is_some() && is_last(node);
        is_last
            || self.match_of_method(node).is_some()
            || node.as_call_node().is_some_and(|c| {
                name(&c.name()) == "match" && c.receiver().is_some() && c.block().is_none() && ruby::arguments(c.arguments()).0.len() == 1
            })
    }

    /// Records a match that is assigned to a local, and its groups.
    pub(super) fn remember_match(&mut self, variable: &str, value: &Node<'_>) {
        let (is_match, groups) = (self.is_match(value), self.groups_of(value));
        let is_other = self.matches.get(variable).is_some_and(|known| Some(known) != groups.as_ref());
        let may_be = !is_match && self.kind(value) != Some(Kind::Map) && self.slice(value).contains(".match(");
        if is_other || may_be {
            self.own.unclear.insert(variable.to_owned());
        }
        let is_mixed = is_match && self.is_mixed(value);
        for (set, is_in) in [(&mut self.own.matched, is_match), (&mut self.own.mixed, is_mixed)] {
            match is_in {
                true => set.insert(variable.to_owned()),
                false => set.remove(variable),
            };
        }
        match groups {
            Some(groups) => self.matches.insert(variable.to_owned(), groups),
            None => self.matches.remove(variable),
        };
    }

    /// Records a match that is assigned to a local only in some cases: `m ||= text.match(PATTERN)`.
    pub(super) fn join_match(&mut self, variable: &str, value: &Node<'_>) {
        if self.is_match(value) || self.matches.contains_key(variable) {
            self.own.unclear.insert(variable.to_owned());
        }
    }

    /// Translates `text.match(PATTERN) { |m| … }`: what the block returns for a match, or nil.
    pub(super) fn match_given(&mut self, call: &CallNode<'_>, closure: &BlockNode<'_>) -> Text<(String, u8)> {
        let node = call.as_node();
        let params = ruby::block_params(closure);
        let (Some(params), Some(of)) = (params.filter(|params| params.len() == 1), call.receiver()) else {
            return no(&node, "`match` with this block is not supported");
        };
        let given = ruby::arguments(call.arguments()).0;
        let [pattern] = given.as_slice() else { return no(&node, "`match` with this block is not supported") };
        let found = format!("{}.match({})", self.expr(&of, OPERAND)?, self.expr(pattern, TERNARY)?);
        let matched = params.concat();
        let source = regex_source(pattern).or_else(|| regex_source(&of)).or_else(|| self.constant_pattern(&[pattern, &of]));
        if let Some(source) = &source {
            self.remember_pattern(source);
        }
        let groups = source.as_deref().and_then(named_groups);
        let before = (self.own.matched.clone(), self.matches.clone());
        self.own.matched.insert(matched.clone());
        match groups {
            Some(groups) => self.matches.insert(matched.clone(), groups),
            None => self.matches.remove(&matched),
        };
        let body = self.closure(&params, &ruby::statements(closure.body()));
        (self.own.matched, self.matches) = before;
        let body = body?;
        let bars = format!(" {{ |{matched}| ");
        let Some(body) = body.strip_prefix(&bars).and_then(|body| body.strip_suffix('}')) else {
            return no(&node, "`match` with this block is not supported");
        };
        Ok((format!("{found}.then {{ |{matched}|\nif {matched}.nil? {{ nil }} else {{\n{}\n}}\n}}", body.trim()), OPERAND))
    }

    /// Returns the source of the first of these that is a constant with a pattern.
    fn constant_pattern(&self, nodes: &[&Node<'_>]) -> Option<String> {
        nodes.iter().find_map(|n| {
            ruby::constant(n)?;
            match (self.fold)(&ruby::place(n), &[])? {
                StaticValue::Regex(source, flags) => Some(on_one_line(&source, flags.contains('x'))),
                _ => None,
            }
        })
    }

    /// Records the groups of the pattern that is matched last.
    pub(super) fn remember_pattern(&mut self, source: &str) {
        let (names, count) = (named_groups(source).unwrap_or_default(), count_groups(source));
        // With patterns of several forms, which of them has matched is not known.
        let is_other = self.last_count.is_some_and(|known| Some(known) != count) || self.last_count.is_some() && self.last_groups != names;
        self.patterns_differ |= is_other;
        (self.last_groups, self.last_count) = (names, count);
    }

    /// Translates `/(?<a>…)/ =~ value`, which assigns locals, in front of the condition that it is.
    pub(super) fn match_write(&mut self, node: &Node<'_>, top: bool) -> Text<Option<(String, String)>> {
        let Some(write) = node.as_match_write_node() else { return Ok(None) };
        let call = write.call();
        let given = ruby::arguments(call.arguments()).0;
        let (Some(pattern), [value]) = (call.receiver(), given.as_slice()) else { return Ok(None) };
        let Some(groups) = regex_source(&pattern).and_then(|s| named_groups(&s)) else {
            return no(node, "this pattern is not supported");
        };
        let (pattern, value) = (self.expr(&pattern, OPERAND)?, self.expr(value, TERNARY)?);
        let found = self.unused("found");
        let mut lines = vec![format!("let {found} = {value}.then {{ |x| x.nil? ? nil : x.match({pattern}) }}")];
        for target in write.targets().iter() {
            let Some(local) = target.as_local_variable_target_node() else { return no(node, "this pattern is not supported") };
            let local_name = name(&local.name());
            let Some(number) = groups.iter().position(|g| *g == local_name) else { return no(node, "this pattern is not supported") };
            let local = ruby::local(&local.name());
            lines.push(self.assign(local, &format!("{found}.nil? ? nil : {found}[{}]", number + 1), top)?);
        }
        self.locals.push(found.clone());
        Ok(Some((lines.join("\n"), found)))
    }
}

/// Returns whether a choice has more sides than are looked through.
fn is_long(either: &OrNode<'_>) -> bool {
    let mut left = either.left();
    for _ in 0..MAX_DEPTH {
        match left.as_or_node() {
            Some(inner) => left = inner.left(),
            None => return false,
        }
    }
    true
}

/// Returns whether a node raises an error, or leaves the block.
fn gives_nothing(node: &Node<'_>) -> bool {
    let raises = |c: &CallNode<'_>| c.receiver().is_none() && matches!(name(&c.name()).as_str(), "raise" | "fail");
    node.as_call_node().is_some_and(|c| raises(&c)) || node.as_return_node().is_some() || node.as_next_node().is_some()
}

/// What a method returns that returns a match or nil.
pub(super) struct ReturnedMatch {
    /// The names of its groups, if they are known.
    groups: Option<Vec<String>>,
}

/// Returns what a method returns if its last statement is a match, perhaps with an error without one.
pub(super) fn returned_match(def: &DefNode<'_>) -> Option<ReturnedMatch> {
    let body = ruby::statements(def.body());
    let last = body.last()?;
    let either = last.as_or_node();
    let found = either.as_ref().map(|or| or.left());
    let found = found.as_ref().unwrap_or(last);
    let call = found.as_call_node().filter(|c| name(&c.name()) == "match" && c.block().is_none())?;
    let is_match = call.receiver().is_some() && ruby::arguments(call.arguments()).0.len() == 1;
    // With anything else instead of an error, what is returned may have other groups, or be no match.
    let is_only = either.as_ref().is_none_or(|or| gives_nothing(&or.right()));
    let groups = || matched(found).filter(|_| is_only).and_then(|source| named_groups(&source));
    (is_match && returns_only_nil(def)).then(|| ReturnedMatch { groups: groups() })
}

/// Returns the number of the group of the last match that `$1` and similar are; `$&` is the whole match.
pub(super) fn group_of_last(node: &Node<'_>) -> Option<u32> {
    if node.as_back_reference_read_node().is_some_and(|back| name(&back.name()) == "$&") {
        return Some(0);
    }
    node.as_numbered_reference_read_node().map(|capture| capture.number())
}

/// Methods for whose closure only matters whether its result is true.
const TESTING: [&str; 17] = [
    "any?",
    "all?",
    "none?",
    "one?",
    "select",
    "filter",
    "reject",
    "find",
    "detect",
    "partition",
    "count",
    "find_index",
    "take_while",
    "drop_while",
    "delete_if",
    "keep_if",
    "find_all",
];

/// What of which only matters whether it is true.
#[derive(Clone, Debug, Default)]
pub(super) struct Tests {
    /// Where matches are searched for.
    places: BTreeSet<usize>,
    /// Whether the result of the whole block is one.
    pub is_whole: bool,
}

fn is_search(node: &Node<'_>) -> bool {
    node.as_call_node().is_some_and(|c| name(&c.name()) == "=~")
}

/// Returns whether a node is `$~` or `Regexp.last_match`.
pub(super) fn is_last(node: &Node<'_>) -> bool {
    if node.as_global_variable_read_node().is_some_and(|g| name(&g.name()) == "$~") {
        return true;
    }
    node.as_call_node().is_some_and(|c| {
        name(&c.name()) == "last_match"
            && c.arguments().is_none()
            && c.receiver().as_ref().and_then(ruby::constant).as_deref() == Some("Regexp")
    })
}

/// Returns the source of a regex literal.
pub(super) fn regex_source(node: &Node<'_>) -> Option<String> {
    let regex = node.as_regular_expression_node()?;
    Some(on_one_line(&String::from_utf8_lossy(regex.content_loc().as_slice()), regex.is_extended()))
}

/// Returns the pattern of `text.match(/…/)` and `/…/.match(text)`.
fn matched(node: &Node<'_>) -> Option<String> {
    let call = node.as_call_node().filter(|c| name(&c.name()) == "match" && c.block().is_none())?;
    let given = ruby::arguments(call.arguments()).0;
    let [argument] = given.as_slice() else { return None };
    regex_source(argument).or_else(|| regex_source(&call.receiver()?))
}

/// Returns the names of the groups of a pattern in order; `None` without names, or if a name occurs twice. Other groups do not capture
/// in such a pattern.
pub(super) fn named_groups(source: &str) -> Option<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    for at in ruby::group_names(source) {
        let name = source.get(at..)?.split_once('>')?.0.to_owned();
        if names.contains(&name) {
            return None;
        }
        names.push(name);
    }
    (!names.is_empty()).then_some(names)
}

/// Returns how many groups capture.
fn count_groups(source: &str) -> Option<usize> {
    let (mut count, mut class) = (0usize, 0usize);
    let has_names = ruby::group_names(source).next().is_some();
    let mut letters = source.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            '\\' => {
                letters.next();
            }
            '[' => class += 1,
            ']' => class = class.saturating_sub(1),
            '(' if class == 0 => {
                if letters.peek() != Some(&'?') {
                    count += usize::from(!has_names);
                    continue;
                }
                let rest: String = letters.clone().take(3).collect();
                if rest.starts_with("?<") && !rest.starts_with("?<=") && !rest.starts_with("?<!") {
                    count += 1;
                }
            }
            _ => {}
        }
    }
    Some(count)
}

/// Returns whether a node is `m[0]`, a part of a match, which is a string.
pub(super) fn is_match_part(node: &Node<'_>) -> bool {
    node.as_call_node().is_some_and(|c| {
        let (plain, _) = ruby::arguments(c.arguments());
        name(&c.name()) == "[]"
            && matches!(plain.as_slice(), [one] if one.as_integer_node().is_some())
            && c.receiver().is_some_and(|r| r.as_local_variable_read_node().is_some_and(|l| ruby::local(&l.name()).contains("match")))
    })
}
