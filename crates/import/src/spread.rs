//! Translates assignments to several targets: `a, *b, (c, d) = list`, and closures that take their arguments apart in the same way.

use super::block::*;
use super::ruby::{self, name};
use ruby_prism::{MultiWriteNode, Node};

/// A target of an assignment to several ones.
enum Target<'p> {
    /// A local.
    Local(String),
    /// Locals that take the elements of a list.
    Locals(Vec<String>),
    /// `x[k]` or `self[:x]`.
    Element(Node<'p>),
    /// `_`, whose value is not used.
    Ignored,
}

/// The targets of the elements of a list.
struct Targets<'p> {
    first: Vec<Target<'p>>,
    /// That of all between the first and the last ones.
    rest: Option<Option<String>>,
    last: Vec<Target<'p>>,
}

impl BlockTranslator<'_> {
    /// Translates `{ **a, k => v }`.
    pub(super) fn merged(&mut self, hash: &ruby_prism::HashNode<'_>) -> Text<(String, u8)> {
        let mut maps: Vec<String> = Vec::new();
        let mut pairs: Vec<String> = Vec::new();
        for element in hash.elements().iter() {
            if let Some(pair) = element.as_assoc_node() {
                pairs.push(format!("{} => {}", self.expr(&pair.key(), TERNARY)?, self.expr(&pair.value(), TERNARY)?));
                continue;
            }
            let Some(all) = element.as_assoc_splat_node().and_then(|s| s.value()) else { return no(&element, "this map is not supported") };
            if !pairs.is_empty() {
                maps.push(format!("{{{}}}", std::mem::take(&mut pairs).join(", ")));
            }
            maps.push(self.expr(&all, OPERAND)?);
        }
        if !pairs.is_empty() {
            maps.push(format!("{{{}}}", pairs.join(", ")));
        }
        let mut maps = maps.into_iter();
        let first = maps.next().unwrap_or_default();
        let first = if first.starts_with('{') { format!("({first})") } else { first };
        Ok((maps.fold(first, |all, map| format!("{all}.merge({map})")), OPERAND))
    }

    /// Translates an assignment that is more than `a, b = list`.
    pub(super) fn spread(&mut self, write: &MultiWriteNode<'_>, top: bool) -> Text {
        let node = write.as_node();
        let unknown = || no(&node, "an assignment to these is not supported");
        let Some(targets) = targets(write) else { return unknown() };
        let value = write.value();
        let written = match splat(&value) {
            Some(of) => format!("Array({})", self.expr(&of, TERNARY)?),
            None => self.expr(&value, TERNARY)?,
        };
        let all = self.unused("parts");
        let whole = self.elements_of(written, &value);
        let mut lines = vec![format!("let {all} = {whole}")];
        let (first, last) = (targets.first.len(), targets.last.len());
        let mut pairs: Vec<(Target<'_>, String)> =
            targets.first.into_iter().enumerate().map(|(i, target)| (target, format!("{all}[{i}]"))).collect();
        if let Some(Some(rest)) = targets.rest {
            self.lists.push(rest.clone());
            let before = if first == 0 { all.clone() } else { format!("{all}.drop({first})") };
            let rest_of = if last == 0 { before } else { format!("{before}.reverse.drop({last}).reverse") };
            pairs.push((Target::Local(rest), rest_of));
        }
        for (i, target) in targets.last.into_iter().enumerate() {
            // Without enough elements, the first targets take them.
            let at = format!("{all}.drop({first})");
            pairs.push((target, format!("({at}.length < {last} ? {at}[{i}] : {at}[{i} - {last}])")));
        }
        for (target, value) in pairs {
            match target {
                Target::Ignored => {}
                Target::Local(local) => lines.push(self.assign(local, &value, top)?),
                Target::Locals(names) if (top || self.closures > 0) && names.iter().all(|n| !self.locals.contains(n)) => {
                    lines.push(format!("let {} = {value}", names.join(", ")));
                    self.locals.extend(names);
                }
                Target::Locals(names) => {
                    let inner = self.unused("inner");
                    self.locals.push(inner.clone());
                    lines.push(format!("let {inner} = {value}.then {{ |x| x.is_a?(Array) ? x : [x] }}"));
                    for (i, one) in names.into_iter().enumerate() {
                        lines.push(self.assign(one, &format!("{inner}[{i}]"), top)?);
                    }
                }
                Target::Element(place) => lines.push(self.put_at(&place, value)?),
            }
        }
        lines.retain(|line| !line.is_empty());
        Ok(lines.join("\n"))
    }

    /// Returns the list that an assignment to several targets takes apart: any other value is its only element.
    pub(super) fn elements_of(&self, written: String, value: &Node<'_>) -> String {
        let is_list = value.as_array_node().is_some() || splat(value).is_some() || self.kind(value) == Some(Kind::List);
        if is_list { written } else { format!("{written}.then {{ |x| x.is_a?(Array) ? x : [x] }}") }
    }

    /// Translates a whole block whose parameters are taken apart.
    pub(super) fn whole_apart(&mut self, params: &ClosureParams, body: Vec<Node<'_>>) -> Text {
        self.locals.extend(params.apart.iter().cloned());
        self.own.given.extend(params.apart.iter().cloned());
        let code = self.whole(&params.names, body)?;
        let bars = format!("{{ |{}| ", params.names.join(", "));
        let rest = code.strip_prefix(&bars).map_or(code.as_str(), str::trim_end);
        let rest = rest.strip_suffix('}').unwrap_or(rest).trim();
        Ok(format!("{bars}\n{}\n{rest}\n}}", params.lines.join("\n")))
    }

    /// Returns a name that no local has.
    pub(super) fn unused(&self, base: &str) -> String {
        let mut names = (0..).map(|i| if i == 0 { base.to_owned() } else { format!("{base}{i}") });
        names.find(|n| !self.locals.contains(n) && !self.mentions().has_name(n)).unwrap_or_default()
    }
}

/// Returns `x` of `*x`, or of `[*x]`.
pub(super) fn splat<'p>(node: &Node<'p>) -> Option<Node<'p>> {
    if let Some(splat) = node.as_splat_node() {
        return splat.expression();
    }
    let list = node.as_array_node()?;
    let mut elements = list.elements().iter();
    let (only, None) = (elements.next()?, elements.next()) else { return None };
    only.as_splat_node()?.expression()
}

fn targets<'p>(write: &MultiWriteNode<'p>) -> Option<Targets<'p>> {
    let rest = match write.rest() {
        None => None,
        // `a, = list`
        Some(rest) if rest.as_implicit_rest_node().is_some() => Some(None),
        Some(rest) => match rest.as_splat_node()?.expression() {
            None => Some(None),
            Some(of) => Some(Some(ruby::local(&of.as_local_variable_target_node()?.name())).filter(|l| l != "_")),
        },
    };
    let all = |nodes: Vec<Node<'p>>| nodes.into_iter().map(target).collect::<Option<Vec<_>>>();
    Some(Targets { first: all(write.lefts().iter().collect())?, rest, last: all(write.rights().iter().collect())? })
}

fn target(node: Node<'_>) -> Option<Target<'_>> {
    if let Some(local) = node.as_local_variable_target_node() {
        let local = ruby::local(&local.name());
        return Some(if local == "_" { Target::Ignored } else { Target::Local(local) });
    }
    if let Some(inner) = node.as_multi_target_node() {
        let plain = inner.rest().is_none() && inner.rights().iter().count() == 0;
        let names: Option<Vec<String>> =
            inner.lefts().iter().map(|l| l.as_local_variable_target_node().map(|l| ruby::local(&l.name()))).collect();
        return names.filter(|_| plain).map(Target::Locals);
    }
    node.as_index_target_node().is_some().then_some(Target::Element(node))
}

/// The parameters of a closure.
#[derive(Clone, Debug)]
pub(super) struct ClosureParams {
    /// Those that it is written with.
    pub(super) names: Vec<String>,
    /// The names that parts of them get.
    pub(super) apart: Vec<String>,
    /// The lines that give them these names.
    pub(super) lines: Vec<String>,
}

/// Name of a parameter that replaces one in parentheses.
const PAIR: &str = "pair";

/// Methods that call their closure with one element.
const OF_ONE: &[&str] =
    &["each", "map", "collect", "flat_map", "to_h", "filter_map", "sum", "sort_by", "group_by", "find", "detect", "all?", "any?"];

/// Returns the parameters of a closure; `None` if it has others than names, names in parentheses, and `*rest`.
pub(super) fn closure_params(closure: &ruby_prism::BlockNode<'_>, method: &str) -> Option<ClosureParams> {
    let plain = |names| Some(ClosureParams { names, apart: Vec::new(), lines: Vec::new() });
    let Some(parameters) = closure.parameters() else { return plain(Vec::new()) };
    if let Some(numbered) = parameters.as_numbered_parameters_node() {
        return plain((1..=numbered.maximum()).map(|n| format!("_{n}")).collect());
    }
    if parameters.as_it_parameters_node().is_some() {
        return plain(vec!["it".to_owned()]);
    }
    let parameters = parameters.as_block_parameters_node()?;
    if parameters.locals().iter().count() > 0 {
        return None;
    }
    let Some(list) = parameters.parameters() else { return plain(Vec::new()) };
    if list.posts().iter().count() + list.keywords().iter().count() > 0 || list.keyword_rest().is_some() || list.block().is_some() {
        return None;
    }
    let mut found = ClosureParams { names: Vec::new(), apart: Vec::new(), lines: Vec::new() };
    let optionals: Vec<_> = list.optionals().iter().collect();
    let rest = match list.rest() {
        None => None,
        // `|a, |` takes the first element.
        Some(rest) if rest.as_implicit_rest_node().is_some() => Some(None),
        Some(rest) => Some(rest.as_rest_parameter_node()?.name().map(|n| ruby::local(&n))),
    };
    if rest.is_some() || !optionals.is_empty() {
        // Only for closures that get one element, which is a list.
        let mut names: Vec<String> =
            list.requireds().iter().map(|p| p.as_required_parameter_node().map(|p| ruby::local(&p.name()))).collect::<Option<_>>()?;
        if !OF_ONE.contains(&method) || !optionals.is_empty() {
            return None;
        }
        found.names.push(PAIR.to_owned());
        let count = names.len();
        let list = as_list(PAIR);
        found.lines.extend(taken_apart(&names, PAIR));
        if let Some(Some(rest)) = rest {
            found.lines.push(format!("let {rest} = {list}.drop({count})"));
            names.push(rest);
        }
        found.apart = names;
        return Some(found);
    }
    for param in list.requireds().iter() {
        if let Some(plain) = param.as_required_parameter_node() {
            found.names.push(ruby::local(&plain.name()));
            continue;
        }
        let pair = if found.lines.is_empty() { PAIR.to_owned() } else { format!("{PAIR}{}", found.lines.len()) };
        let inner = take_apart(&param.as_multi_target_node()?, &pair, &mut found.lines, 0)?;
        found.names.push(pair);
        found.apart.extend(inner);
    }
    Some(found)
}

fn as_list(value: &str) -> String {
    format!("({value}.is_a?(Array) ? {value} : [{value}])")
}

/// Returns the line that gives locals the first elements of a list.
fn taken_apart(names: &[String], list: &str) -> Option<String> {
    match names {
        [] => None,
        [only] => Some(format!("let {only} = {}[0]", as_list(list))),
        names => Some(format!("let {} = {list}", names.join(", "))),
    }
}

/// Takes a parameter in parentheses apart, and those in it.
fn take_apart(target: &ruby_prism::MultiTargetNode<'_>, pair: &str, lines: &mut Vec<String>, depth: usize) -> Option<Vec<String>> {
    if target.rest().is_some() || target.rights().iter().count() > 0 || depth > MAX_DEPTH {
        return None;
    }
    let (mut names, mut inner) = (Vec::new(), Vec::new());
    for left in target.lefts().iter() {
        match (left.as_required_parameter_node(), left.as_multi_target_node()) {
            (Some(plain), _) => names.push(ruby::local(&plain.name())),
            (_, Some(target)) => {
                let pair = format!("{PAIR}_{depth}_{}", names.len());
                inner.push((target, pair.clone()));
                names.push(pair);
            }
            _ => return None,
        }
    }
    lines.extend(taken_apart(&names, pair));
    for (target, pair) in inner {
        names.extend(take_apart(&target, &pair, lines, depth + 1)?);
    }
    Some(names)
}

/// Returns whether a call has a splat among its arguments.
pub(super) fn has_splat(call: &ruby_prism::CallNode<'_>) -> bool {
    let given = ruby::arguments(call.arguments()).0;
    given.iter().any(|a| a.as_splat_node().is_some())
}

impl BlockTranslator<'_> {
    /// Translates a call with `*list` among its arguments.
    pub(super) fn splat_call(&mut self, call: &ruby_prism::CallNode<'_>, receiver: &Node<'_>, method: &str) -> Text<Option<(String, u8)>> {
        if !has_splat(call) || call.block().is_some() {
            return Ok(None);
        }
        let (plain, named) = ruby::arguments(call.arguments());
        if !named.is_empty() {
            return Ok(None);
        }
        let constant = ruby::constant(receiver).filter(|c| !self.scope.constants.contains(c));
        let text = match (constant.as_deref(), method, plain.as_slice()) {
            (Some("Hash"), "[]", [_]) => format!("{}.each_slice(2).to_h", self.joined(&plain)?),
            (Some("File"), "join", _) => format!("join_paths({})", self.joined(&plain)?),
            (Some(_), ..) => return Ok(None),
            (None, "push" | "append", _) => format!("{}.concat({})", self.expr(receiver, OPERAND)?, self.joined(&plain)?),
            (None, "unshift" | "prepend", _) => {
                return Ok(Some((format!("{} + {}", self.joined(&plain)?, self.expr(receiver, TIMES)?), ADD)));
            }
            (None, "start_with?" | "end_with?", _) => {
                let of = self.expr(receiver, OPERAND)?;
                let all = self.joined(&plain)?;
                let one = self.unused("x");
                format!("{all}.any? {{ |{one}| {of}.{method}({one}) }}")
            }
            (None, "values_at", _) => {
                let (of, one) = (self.expr(receiver, OPERAND)?, self.unused("x"));
                format!("{}.map {{ |{one}| {of}[{one}] }}", self.joined(&plain)?)
            }
            // Of a map, as Ruby does, in the order of the keys that are wanted.
            (None, "slice", _) => {
                let (of, key, all) = (self.expr(receiver, OPERAND)?, self.unused("key"), self.joined(&plain)?);
                let chosen = format!("{all}.select {{ |{key}| {of}.key?({key}) }}.map {{ |{key}| [{key}, {of}[{key}]] }}.to_h");
                if self.kind(receiver) != Some(Kind::Map) {
                    // Of lists and texts it is `[]`.
                    let part = format!("{key}.length == 2 ? {of}[{key}[0], {key}[1]] : fail(\"one or two places are expected\")");
                    let part = format!("{all}.then {{ |{key}| {key}.length == 1 ? {of}[{key}[0]] : {part} }}");
                    return Ok(Some((format!("{of}.is_a?(Hash) ? {chosen} : {part}"), TERNARY)));
                }
                chosen
            }
            (None, "except", _) => {
                let (of, key) = (self.expr(receiver, OPERAND)?, self.unused("key"));
                format!("{of}.reject {{ |{key}, _| {}.include?({key}) }}", self.joined(&plain)?)
            }
            (None, "dig", _) => {
                let (of, one, key) = (self.expr(receiver, OPERAND)?, self.unused("x"), self.unused("key"));
                let all = self.joined(&plain)?;
                format!(
                    "({all}.empty? ? fail(\"no key is given\") : {all}.reduce({of}) {{ |{one}, {key}| {one}.nil? ? nil : {one}.dig({key}) }})"
                )
            }
            (None, "between?", [_]) => {
                let (of, limits) = (self.expr(receiver, OPERAND)?, self.unused("limits"));
                let all = self.joined(&plain)?;
                let failure = "fail(\"two limits are expected\")";
                format!("{all}.then {{ |{limits}| {limits}.length == 2 ? {of}.between?({limits}[0], {limits}[1]) : {failure} }}")
            }
            _ => return Ok(None),
        };
        Ok(Some((text, OPERAND)))
    }

    /// Translates elements with `*list` among them to a list.
    pub(super) fn joined(&mut self, elements: &[Node<'_>]) -> Text {
        let mut parts = Vec::new();
        let mut items: Vec<String> = Vec::new();
        for element in elements {
            let Some(of) = element.as_splat_node().and_then(|s| s.expression()) else {
                items.push(self.expr(element, TERNARY)?);
                continue;
            };
            if !items.is_empty() {
                parts.push(format!("[{}]", std::mem::take(&mut items).join(", ")));
            }
            parts.push(match self.numbers(&of)? {
                Some(numbers) => numbers,
                None if self.kind(&of) == Some(Kind::List) => self.expr(&of, OPERAND)?,
                None => format!("Array({})", self.expr(&of, TERNARY)?),
            });
        }
        if !items.is_empty() || parts.is_empty() {
            parts.push(format!("[{}]", items.join(", ")));
        }
        Ok(if let [one] = parts.as_slice() { one.clone() } else { format!("({})", parts.join(" + ")) })
    }
}

/// Returns the name of a method.
pub(super) fn method_of(call: &ruby_prism::CallNode<'_>) -> String {
    name(&call.name())
}
