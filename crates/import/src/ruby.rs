//! Helpers for the nodes of the Ruby parser.

use super::extended::on_one_line;
use rtype_lang::syntax::quote;
use ruby_prism::{ArgumentsNode, BlockNode, CallNode, ConstantId, Location, Node, NodeList};
use std::ops::Range;

/// A byte range in the Ruby text.
pub type ByteRange = Range<usize>;

/// Returns the location of a node.
pub fn place(node: &Node<'_>) -> ByteRange {
    at(&node.location())
}

/// Converts a location to a range.
pub fn at(location: &Location<'_>) -> ByteRange {
    location.start() as usize..location.end() as usize
}

/// Returns a name as a string.
pub fn name(id: &ConstantId<'_>) -> String {
    String::from_utf8_lossy(id.as_slice()).into_owned()
}

/// Returns code with blanks for its comments.
pub fn without_comments(code: &[u8]) -> String {
    let mut bare = code.to_vec();
    for comment in ruby_prism::parse(code).comments() {
        if let Some(text) = bare.get_mut(at(&comment.location())) {
            text.fill(b' ');
        }
    }
    String::from_utf8_lossy(&bare).into_owned()
}

/// Returns whether a node reads a local.
pub fn is_local(node: &Node<'_>, wanted: &str) -> bool {
    node.as_local_variable_read_node().is_some_and(|l| local(&l.name()) == wanted)
}

/// Returns the name of a local; keywords of the language are changed slightly.
pub fn local(id: &ConstantId<'_>) -> String {
    local_named(&name(id))
}

/// Returns the name of a local that has this name in Ruby.
pub fn local_named(name: &str) -> String {
    const WORDS: &[&str] = &["try", "fn", "let", "fail", "const", "override", "attribute", "provider", "catalog", "super", "this"];
    match name {
        "match" => "matched".into(),
        word if WORDS.contains(&word) => format!("{word}_"),
        _ => name.to_owned(),
    }
}

/// Returns the statements of a body. Statements without effect are omitted, except for the last statement, which is the value.
pub fn statements<'p>(body: Option<Node<'p>>) -> Vec<Node<'p>> {
    match body {
        None => Vec::new(),
        Some(node) => match node.as_statements_node() {
            Some(list) => {
                let mut all: Vec<Node<'p>> = list.body().iter().collect();
                let last = all.pop();
                all.retain(|statement| !is_without_effect(statement));
                all.extend(last);
                all
            }
            None => vec![node],
        },
    }
}

/// Returns whether a statement has no effect: a constant, an empty `begin`, or `x = x`.
fn is_without_effect(statement: &Node<'_>) -> bool {
    let assigns_itself = statement.as_local_variable_write_node().is_some_and(|write| is_local(&write.value(), &local(&write.name())));
    let is_empty = |begin: &ruby_prism::BeginNode<'_>| {
        begin.statements().is_none() && begin.rescue_clause().is_none() && begin.else_clause().is_none() && begin.ensure_clause().is_none()
    };
    assigns_itself
        || statement.as_begin_node().is_some_and(|begin| is_empty(&begin))
        || statement.as_nil_node().is_some()
        || statement.as_true_node().is_some()
        || statement.as_false_node().is_some()
        || statement.as_integer_node().is_some()
}

/// Returns the positional arguments of a call, and the named ones as pairs of key and value.
pub fn arguments<'p>(arguments: Option<ArgumentsNode<'p>>) -> (Vec<Node<'p>>, Vec<(Node<'p>, Node<'p>)>) {
    let (mut plain, mut named) = (Vec::new(), Vec::new());
    for node in arguments.iter().flat_map(|a| a.arguments().iter()) {
        let elements = match (node.as_keyword_hash_node(), node.as_hash_node()) {
            (Some(hash), _) => Some(hash.elements()),
            _ => None,
        };
        match elements.and_then(|e| pairs(&e)) {
            Some(pairs) => named.extend(pairs),
            None => plain.push(node),
        }
    }
    (plain, named)
}

/// Returns the pairs of a hash, or `None` if it has other elements.
pub fn pairs<'p>(elements: &NodeList<'p>) -> Option<Vec<(Node<'p>, Node<'p>)>> {
    elements.iter().map(|e| e.as_assoc_node().map(|a| (a.key(), a.value()))).collect()
}

/// Returns the block of a call.
pub fn block<'p>(call: &CallNode<'p>) -> Option<BlockNode<'p>> {
    call.block()?.as_block_node()
}

/// Returns the parameters of a block, or `None` if they are not all plain names.
pub fn block_params(block: &BlockNode<'_>) -> Option<Vec<String>> {
    let Some(parameters) = block.parameters() else { return Some(Vec::new()) };
    match parameters.as_block_parameters_node()?.parameters() {
        None => Some(Vec::new()),
        Some(list) => plain_params(&list),
    }
}

/// Returns the path of a constant, such as `Puppet::Util::Package`.
pub fn constant(node: &Node<'_>) -> Option<String> {
    let mut names = Vec::new();
    let mut outer = node.as_constant_path_node();
    let mut first = node.as_constant_read_node();
    while let Some(path) = outer {
        names.push(name(&path.name()?));
        let parent = path.parent();
        outer = parent.as_ref().and_then(Node::as_constant_path_node);
        first = parent.as_ref().and_then(Node::as_constant_read_node);
        if parent.is_some() && outer.is_none() && first.is_none() {
            return None;
        }
    }
    names.extend(first.map(|read| name(&read.name())));
    names.reverse();
    (!names.is_empty()).then(|| names.join("::"))
}

/// Returns `x` of the symbol `:x`.
pub fn symbol(node: &Node<'_>) -> Option<String> {
    std::str::from_utf8(node.as_symbol_node()?.unescaped()).ok().map(str::to_owned)
}

/// Maximum number of operands in a concatenation of strings.
const MAX_PIECES: usize = 100;

/// Returns the value of a constant string: literals, heredocs, and concatenations of these.
pub fn text(node: &Node<'_>) -> Option<String> {
    text_of(node, MAX_PIECES)
}

fn text_of(node: &Node<'_>, depth: usize) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    if let Some(string) = node.as_string_node() {
        return std::str::from_utf8(string.unescaped()).ok().map(str::to_owned);
    }
    if let Some(string) = node.as_interpolated_string_node() {
        return string.parts().iter().map(|p| text_of(&p, depth)).collect();
    }
    if let Some(inner) = node.as_parentheses_node() {
        let inner = statements(inner.body());
        return if let [one] = inner.as_slice() { text_of(one, depth) } else { None };
    }
    let call = node.as_call_node()?;
    let (plain, named) = arguments(call.arguments());
    match (name(&call.name()).as_str(), call.receiver(), plain.as_slice()) {
        ("+", Some(left), [right]) => Some(text_of(&left, depth)? + &text_of(right, depth)?),
        ("_", None, [only]) if named.is_empty() => text_of(only, depth),
        ("freeze", Some(inner), []) => text_of(&inner, depth),
        ("strip", Some(inner), []) => text_of(&inner, depth).map(|t| t.trim().to_owned()),
        _ => None,
    }
}

/// Returns whether a word can be written without quotes in a directive.
pub fn is_word(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(|c| c.is_ascii_lowercase() || c == '_')
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !matches!(
            word,
            "true"
                | "false"
                | "nil"
                | "if"
                | "unless"
                | "do"
                | "end"
                | "else"
                | "elsif"
                | "match"
                | "try"
                | "fn"
                | "let"
                | "fail"
                | "return"
                | "next"
                | "self"
                | "super"
                | "const"
                | "override"
        )
}

/// Formats a description: in quotes if it is a single line, otherwise as a text block.
pub fn description(text: &str) -> String {
    let text = text.trim();
    let tame = !text.contains("\"\"\"") && !text.ends_with('"') && !text.contains('\r');
    if text.contains('\n') && tame { format!("\"\"\"\n{}\n\"\"\"", dedented(text)) } else { quote(text) }
}

/// Removes the common indentation of all lines but the first.
pub fn dedented(text: &str) -> String {
    let rest = || text.lines().skip(1).filter(|l| !l.trim().is_empty());
    let common = rest().map(|l| l.len() - l.trim_start_matches([' ', '\t']).len()).min().unwrap_or(0);
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().trim_start().to_owned();
    let rest = lines.map(|l| l.get(common..).unwrap_or("").trim_end().to_owned());
    std::iter::once(first).chain(rest).collect::<Vec<_>>().join("\n")
}

/// Converts a regex to the syntax of the language: in Ruby, `^` and `$` match at line boundaries.
pub fn regex(source: &str, ignore_case: bool, multi_line: bool, extended: bool) -> String {
    let source = &on_one_line(source, extended);
    let mut out = String::new();
    let (mut class, mut lines) = (0usize, false);
    // In Ruby, groups without names do not capture in a pattern with named ones.
    let has_names = group_names(source).next().is_some();
    let mut letters = source.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            '\\' => {
                out.push('\\');
                out.extend(letters.next());
                continue;
            }
            '[' => class += 1,
            ']' => class = class.saturating_sub(1),
            '^' | '$' if class == 0 => lines = true,
            '(' if class == 0 && has_names && letters.peek() != Some(&'?') => {
                out.push_str("(?:");
                continue;
            }
            '/' => out.push('\\'),
            // A regex must be on one line.
            '\n' => {
                out.push_str("\\n");
                continue;
            }
            _ => {}
        }
        out.push(c);
    }
    let flags = [(ignore_case, 'i'), (multi_line, 's'), (extended, 'x')];
    let flags: String = flags.iter().filter(|(on, _)| *on).map(|(_, flag)| *flag).collect();
    if lines { format!("/(?m:{out})/{flags}") } else { format!("/{out}/{flags}") }
}

/// Returns another handle of a node.
pub fn again<'p>(node: &Node<'p>) -> Option<Node<'p>> {
    if let Some(call) = node.as_call_node() {
        return Some(call.as_node());
    }
    if let Some(branch) = node.as_if_node() {
        return Some(branch.as_node());
    }
    if let Some(class) = node.as_class_node() {
        return Some(class.as_node());
    }
    if let Some(path) = node.as_constant_path_node() {
        return Some(path.as_node());
    }
    if let Some(read) = node.as_constant_read_node() {
        return Some(read.as_node());
    }
    if let Some(list) = node.as_array_node() {
        return Some(list.as_node());
    }
    if let Some(map) = node.as_hash_node() {
        return Some(map.as_node());
    }
    if let Some(value) = node.as_true_node() {
        return Some(value.as_node());
    }
    if let Some(value) = node.as_false_node() {
        return Some(value.as_node());
    }
    if let Some(number) = node.as_integer_node() {
        return Some(number.as_node());
    }
    if let Some(symbol) = node.as_symbol_node() {
        return Some(symbol.as_node());
    }
    if let Some(text) = node.as_string_node() {
        return Some(text.as_node());
    }
    if let Some(regex) = node.as_regular_expression_node() {
        return Some(regex.as_node());
    }
    if let Some(range) = node.as_range_node() {
        return Some(range.as_node());
    }
    if let Some(lambda) = node.as_lambda_node() {
        return Some(lambda.as_node());
    }
    if let Some(block) = node.as_block_node() {
        return Some(block.as_node());
    }
    node.as_constant_write_node().map(|write| write.as_node())
}

/// Returns where the names of the groups of a pattern begin.
pub fn group_names(source: &str) -> impl Iterator<Item = usize> {
    let is_escaped = |at: usize| source.get(..at).is_some_and(|before| (before.len() - before.trim_end_matches('\\').len()) % 2 == 1);
    let is_name = move |at: usize| !is_escaped(at) && !source.get(at + 3..).is_some_and(|rest| rest.starts_with(['=', '!']));
    source.match_indices("(?<").map(|(at, _)| at).filter(move |at| is_name(*at)).map(|at| at + 3)
}

/// Returns where the name of a named group ends, in the text after its bracket; `None` for other groups.
fn name_end(rest: &str) -> Option<usize> {
    let name = rest.strip_prefix("?<").filter(|name| !name.starts_with(['=', '!']));
    let end = name.map(|_| '>').or_else(|| rest.starts_with("?'").then_some('\''))?;
    rest.get(2..)?.find(end).map(|at| at + 2)
}

/// Makes groups after the first `count` non-capturing; unchanged if the regex has backreferences.
pub fn with_groups(source: &str, count: usize) -> String {
    let mut out = String::new();
    let (mut class, mut seen) = (0usize, 0);
    let mut letters = source.char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        out.push(c);
        match c {
            '\\' => {
                let next = letters.next().map(|(_, next)| next);
                if next.is_some_and(|n| n.is_ascii_digit() && n != '0' || n == 'k') {
                    return source.to_owned();
                }
                out.extend(next);
            }
            '[' => class += 1,
            ']' => class = class.saturating_sub(1),
            '(' if class == 0 => {
                let rest = source.get(at + 1..).unwrap_or_default();
                let end = name_end(rest);
                if end.is_none() && rest.starts_with('?') {
                    continue;
                }
                seen += 1;
                if seen > count {
                    out.push_str("?:");
                    let after = at + 1 + end.map_or(0, |end| end + 1);
                    while letters.next_if(|(at, _)| *at < after).is_some() {}
                }
            }
            _ => {}
        }
    }
    out
}

/// Removes indentation from a piece of Ruby by the amount of its last line, the `end`.
pub fn dedented_end(ruby: &str) -> String {
    let common = ruby.lines().last().map_or(0, |l| l.len() - l.trim_start_matches([' ', '\t']).len());
    let strip = |l: &str| {
        let blanks = l.len() - l.trim_start_matches([' ', '\t']).len();
        l.get(blanks.min(common)..).unwrap_or("").trim_end().to_owned()
    };
    ruby.lines().map(strip).collect::<Vec<_>>().join("\n")
}

/// Equivalent of `File.dirname`.
pub fn dirname(path: &str) -> String {
    match path.rsplit_once('/') {
        Some(("", _)) => "/".to_owned(),
        Some((folder, _)) => folder.to_owned(),
        None => ".".to_owned(),
    }
}

/// Equivalent of `File.expand_path(path, directory)`.
pub fn join(directory: &str, path: &str) -> String {
    let whole = if path.starts_with('/') { path.to_owned() } else { format!("{directory}/{path}") };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// Returns the beginning of a long piece of Ruby.
pub fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let short: String = line.chars().take(40).collect();
    if short.len() < text.trim_end().len() { format!("{short}…") } else { short }
}

/// Converts `CronParam` to `cron_param`.
pub fn snake_case(class: &str) -> String {
    let mut out = String::new();
    for (i, c) in class.replace("::", "_").chars().enumerate() {
        if c.is_ascii_uppercase() && i > 0 && !out.ends_with('_') {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

/// Returns the parameters of a `lambda`, or `None` if they are not all plain names.
pub fn lambda_params(lambda: &ruby_prism::LambdaNode<'_>) -> Option<Vec<String>> {
    match lambda.parameters() {
        None => Some(Vec::new()),
        Some(parameters) => match parameters.as_block_parameters_node()?.parameters() {
            None => Some(Vec::new()),
            Some(list) => plain_params(&list),
        },
    }
}

/// Returns the parameters of a method, or `None` if they are not all plain names.
pub fn def_params(def: &ruby_prism::DefNode<'_>) -> Option<Vec<String>> {
    def.parameters().map_or_else(|| Some(Vec::new()), |list| plain_params(&list))
}

fn plain_params(list: &ruby_prism::ParametersNode<'_>) -> Option<Vec<String>> {
    let extra = list.optionals().iter().count() + list.posts().iter().count() + list.keywords().iter().count();
    if extra > 0 || list.rest().is_some() || list.keyword_rest().is_some() || list.block().is_some() {
        return None;
    }
    list.requireds().iter().map(|p| p.as_required_parameter_node().map(|p| local(&p.name()))).collect()
}

/// Returns an integer that fits into 64 bits, written in any base.
pub fn integer(node: &ruby_prism::IntegerNode<'_>) -> Option<i64> {
    let value = node.value();
    let (is_negative, digits) = value.to_u32_digits();
    let size = match digits {
        [] => 0,
        [low] => i128::from(*low),
        [low, high] => i128::from(*low) | i128::from(*high) << 32,
        _ => return None,
    };
    i64::try_from(if is_negative { -size } else { size }).ok()
}
