//! Recognizes Ruby code for which the language has a directive: patterns shared by many types, and leaving a block at its end.

use super::block::{BlockTranslator, MAX_DEPTH};
use super::ruby::{self, ByteRange, name};
use super::type_decl::Fragment;
use ruby_prism::{Node, StatementsNode};

/// Placeholders for secrets in OpenStack's modules, which the kind uses as well.
const SECRETS: (&str, &str) = ("\"[old secret redacted]\"", "\"[new secret redacted]\"");

/// Replaces blocks of an attribute by directives. `all` is whether all elements of a list are compared.
pub(super) fn recognised(attribute: &mut Fragment, all: bool, has_kind: bool) {
    readonly(attribute);
    if all && !has_kind {
        intersect(attribute);
    }
    let secret = redacted(attribute);
    if !has_kind {
        ini_value(attribute, secret);
    }
}

/// Returns the only piece for a directive, and its code.
fn find<'a>(attribute: &'a Fragment, word: &str) -> Option<(usize, &'a str)> {
    let of = |p: &'a Fragment| p.text.strip_prefix(word)?.strip_prefix(" {");
    let found = |(i, p): (usize, &'a Fragment)| Some((i, of(p).filter(|_| p.residue.is_none())?));
    let mut all = attribute.children.iter().enumerate().filter_map(found);
    // In Ruby, the last one of several definitions wins.
    all.next().filter(|_| all.next().is_none())
}

fn says(attribute: &Fragment, words: &[&str]) -> bool {
    let word = |p: &Fragment| {
        let line = p.text.lines().find(|l| !l.starts_with('#')).unwrap_or_default().to_owned();
        line.trim_start_matches("override ").split(' ').next().unwrap_or_default().to_owned()
    };
    attribute.children.iter().any(|p| words.contains(&word(p).as_str()) || (p.residue.is_some() && words.contains(&p.kept.as_str())))
}

/// Splits `{ |x| code }` into its parameter and lines.
fn code(text: &str) -> Option<(&str, Vec<&str>)> {
    let (param, rest) = text.trim_start().strip_prefix('|')?.split_once('|')?;
    Some((param, rest.trim().strip_suffix('}')?.trim().lines().map(str::trim).collect()))
}

/// Returns whether a text is a string literal without interpolation.
fn is_constant(text: &str) -> bool {
    text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).is_some_and(|t| !t.contains(['"', '\\', '#', '\n']))
}

/// Replaces a validation that always fails by `readonly`, which rejects every value at the same point. Not with allowed values or a
/// default, which would suggest that the attribute can be set.
fn readonly(attribute: &mut Fragment) {
    let Some((i, text)) = find(attribute, "validate") else { return };
    let why = match code(text) {
        Some((_, lines)) => match lines.as_slice() {
            [only] => only.strip_prefix("fail ").filter(|m| is_constant(m)).map(|m| format!("readonly {m}")),
            _ => None,
        },
        None => None,
    };
    if let Some(text) = why.filter(|_| !says(attribute, &["newvalue", "newvalues", "aliasvalue", "defaultto", "isnamevar"]))
        && let Some(piece) = attribute.children.get_mut(i)
    {
        piece.text = text;
    }
}

/// Replaces OpenStack's unordered comparison of lists by a named comparison: lists of the same length without duplicates, with
/// equal elements or equal texts. Requires that all elements are compared. `IS` is the parameter of the block.
fn intersect(attribute: &mut Fragment) {
    const LINES: &[&str] = &[
        "return true if should.empty?",
        "return false unless IS.is_a?(Array)",
        "return false unless IS.length == should.length",
        "IS & should == IS || IS & should.map { |x| x.to_s } == IS",
    ];
    let Some((i, text)) = find(attribute, "insync") else { return };
    let is_it = code(text).is_some_and(|(param, lines)| lines.into_iter().eq(LINES.iter().map(|line| line.replace("IS", param))));
    if is_it
        && !says(attribute, &["compare", "should", "unmunge"])
        && let Some(piece) = attribute.children.get_mut(i)
    {
        piece.text = "compare intersect".into();
    }
}

/// Splits `if self.secret? { "…" } else { v }` into the condition and the text.
fn guarded(text: &str) -> Option<(Option<String>, String)> {
    let (param, lines) = code(text)?;
    match lines.as_slice() {
        [only] if is_constant(only) => Some((None, (*only).to_owned())),
        [test, hidden, "} else {", shown, "}"] => {
            let test = test.strip_prefix("if self.")?.strip_suffix(" {")?;
            let is_word = test.trim_end_matches('?').bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
            (is_word && is_constant(hidden) && *shown == param).then(|| (Some(format!("self.{test}")), (*hidden).to_owned()))
        }
        _ => None,
    }
}

/// Replaces `is_to_s` and `should_to_s` that return a constant text, always or under the same condition, by `redact`. Not if
/// `change_to_s` calls them with other values. Returns the attribute in the condition if the texts are those of the kind
/// `ini_value`.
fn redacted(attribute: &mut Fragment) -> Option<String> {
    let ((is_at, is), (should_at, should)) = (find(attribute, "is_to_s")?, find(attribute, "should_to_s")?);
    let ((test, is), (same, should)) = (guarded(is)?, guarded(should)?);
    let asks = attribute.children.iter().any(|p| p.text.starts_with("change_to_s") && p.text.contains("_to_s("));
    if test != same || asks || says(attribute, &["sensitive"]) {
        return None;
    }
    let mut text = format!("redact is: {is}, should: {should}");
    let Some(test) = test else {
        attribute.children.get_mut(is_at)?.text = text;
        fold_away(attribute, should_at);
        return None;
    };
    attribute.children.get_mut(is_at)?.text = "is_to_s { |v| v }".into();
    let piece = attribute.children.get_mut(should_at)?;
    piece.text = "should_to_s { |v| v }".into();
    if (is.as_str(), should.as_str()) == SECRETS
        && let Some(secret) = test.strip_prefix("self.").and_then(|t| t.strip_suffix('?'))
        && find(attribute, "munge").is_some_and(|(_, text)| is_ini(text))
    {
        return Some(secret.to_owned());
    }
    text.push_str(&format!(" if {test}"));
    let piece = attribute.children.get_mut(should_at)?;
    piece.text.push_str(&format!("\n{text}"));
    None
}

/// Recognizes code that strips a string and capitalizes booleans.
fn is_ini(text: &str) -> bool {
    code(text).is_some_and(|(v, lines)| {
        lines == [format!("{v} = {v}.to_s.strip"), format!("{v} = {v}.capitalize if {v} =~ /(?m:^(true|false)$)/i"), v.to_owned()]
    })
}

/// Replaces the `munge` of the kind `ini_value`. Regexes in `newvalues` are checked before and do not change the value; with
/// literals it would be `override munge`.
fn ini_value(attribute: &mut Fragment, secret: Option<String>) {
    let Some((i, _)) = find(attribute, "munge").filter(|(_, text)| is_ini(text)) else { return };
    let kind = secret.map_or_else(|| "ini_value".to_owned(), |s| format!("ini_value({s})"));
    attribute.text.push_str(&format!(", kind: {kind}"));
    fold_away(attribute, i);
}

/// Removes a piece that is covered by another directive.
fn fold_away(attribute: &mut Fragment, at: usize) {
    let piece = attribute.children.remove(at);
    attribute.blocks += piece.blocks;
}

/// Simplifies `l = []; l << x if c; l` in an autorequire to `[x] if c`, which is nil if `c` is false; unconditional elements are
/// joined into one list.
pub(super) fn gathered(code: String) -> String {
    let list = || {
        let lines: Vec<&str> = code.strip_prefix('{')?.strip_suffix('}')?.trim().lines().collect();
        let [first, added @ .., last] = lines.as_slice() else { return None };
        let list = first.strip_prefix("let ")?.strip_suffix(" = []").filter(|list| list == last)?;
        let added: Vec<(&str, &str)> = added.iter().map(|line| pushed(line, list)).collect::<Option<_>>()?;
        match added.as_slice() {
            [(value, test)] => Some(format!("{{ [{value}]{test} }}")),
            several if several.iter().all(|(_, test)| test.is_empty()) && !several.is_empty() => {
                Some(format!("{{ [{}] }}", several.iter().map(|(value, _)| *value).collect::<Vec<_>>().join(", ")))
            }
            _ => None,
        }
    };
    list().unwrap_or(code)
}

/// Splits `l = l.push(x) if c` into `x` and ` if c`. Neither may use the list, and lines with quotes are not split.
fn pushed<'t>(line: &'t str, list: &str) -> Option<(&'t str, &'t str)> {
    let rest = line.strip_prefix(&format!("{list} = {list}.push("))?;
    let mut open = 1usize;
    let end = rest.bytes().position(|b| {
        match b {
            b'(' => open += 1,
            b')' => open -= 1,
            _ => {}
        }
        open == 0
    })?;
    let (value, test) = (rest.get(..end)?, rest.get(end + 1..)?);
    let is_plain = !rest.contains(['"', '\'', '/', '|']) && !rest.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == list);
    (is_plain && (test.is_empty() || test.starts_with(" if "))).then_some((value, test))
}

/// Maximum length of a line with a trailing condition.
const MAX_LINE: usize = 90;

/// Formats `if c { fail "…" }` as `fail "…" if c`. A statement that leaves the block has no value, so both forms are equivalent.
pub(super) fn guard(text: String, inner: Option<StatementsNode<'_>>) -> String {
    let inner = ruby::statements(inner.map(|s| s.as_node()));
    let [only] = inner.as_slice() else { return text };
    // The statement has no trailing condition of its own.
    let plain = only.as_call_node().is_some() || only.as_return_node().is_some() || only.as_next_node().is_some();
    let lines: Vec<&str> = text.lines().collect();
    let [head, does, "}"] = lines.as_slice() else { return text };
    let leaves = ["fail ", "return ", "next "].iter().any(|w| does.starts_with(w)) || matches!(*does, "return" | "next");
    match head.strip_suffix(" {").filter(|head| plain && leaves && head.len() + does.len() < MAX_LINE) {
        Some(head) => format!("{does} {head}"),
        None => text,
    }
}

impl BlockTranslator<'_> {
    /// Finds `return x` at the end of the block, where `return` is redundant.
    pub(super) fn find_ends(&mut self, last: &Node<'_>, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        if let Some(leave) = last.as_return_node() {
            let given: Vec<Node<'_>> = leave.arguments().map(|a| a.arguments().iter().collect()).unwrap_or_default();
            // A map literal would be parsed as a block.
            if let [value] = given.as_slice()
                && value.as_hash_node().is_none()
            {
                self.ends.push(ruby::place(last));
            }
        }
        let other = match (last.as_if_node(), last.as_unless_node()) {
            (Some(branch), _) if branch.if_keyword_loc().is_some() => {
                self.ends_in(branch.statements().map(|s| s.as_node()), depth);
                branch.subsequent()
            }
            (_, Some(branch)) => {
                self.ends_in(branch.statements().map(|s| s.as_node()), depth);
                branch.else_clause().map(|e| e.as_node())
            }
            _ => None,
        };
        if let Some(other) = other {
            match other.as_else_node() {
                Some(other) => self.ends_in(other.statements().map(|s| s.as_node()), depth),
                None => self.find_ends(&other, depth + 1),
            }
        }
    }

    fn ends_in(&mut self, body: Option<Node<'_>>, depth: usize) {
        if let Some(last) = ruby::statements(body).last() {
            self.find_ends(last, depth + 1);
        }
    }

    /// Simplifies `x = f(x); x` at the end of a block to `f(x)`. Conditional assignments are kept.
    pub(super) fn without_last_name(nodes: &[Node<'_>], lines: &mut Vec<String>) {
        let [.., write, read] = nodes else { return };
        let Some(write) = write.as_local_variable_write_node() else { return };
        let of = |n: &Node<'_>| n.as_local_variable_read_node().map(|r| name(&r.name()));
        if of(read) != Some(name(&write.name())) {
            return;
        }
        let local = ruby::local(&write.name());
        let [.., before, last] = lines.as_slice() else { return };
        let line = before.strip_prefix("let ").unwrap_or(before);
        let value = line.strip_prefix(&local).and_then(|l| l.strip_prefix(" = ")).filter(|v| *last == local && !v.starts_with('{'));
        if let Some(value) = value.map(str::to_owned).filter(|v| !v.contains('\n')) {
            lines.truncate(lines.len().saturating_sub(2));
            lines.push(value);
        }
    }

    /// Returns whether a location is at the end of the block.
    pub(super) fn is_end(&self, place: &ByteRange) -> bool {
        self.closures == 0 && self.ends.contains(place)
    }
}
