//! Transformations of Ruby code that preserve its meaning.

use crate::edits::{Edit, Edited, Group, apply, edit};
use crate::tree::{at, range};
use ruby_prism::{
    ArgumentsNode, ArrayNode, BlockNode, CallNode, IfNode, Node, NodeList, ParseResult, StatementsNode, StringNode, UnlessNode, Visit,
};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Proposes edits of a text.
pub struct Transformation {
    pub name: &'static str,
    propose: fn(&Ruby<'_>) -> Vec<Group>,
}

/// All transformations.
pub const ALL: [Transformation; 14] = [
    Transformation { name: "comments-added", propose: comments_added },
    Transformation { name: "comments-naming-variables", propose: comments_naming_variables },
    Transformation { name: "comments-removed", propose: comments_removed },
    Transformation { name: "locals-renamed", propose: locals_renamed },
    Transformation { name: "lines-broken", propose: lines_broken },
    Transformation { name: "lines-joined", propose: lines_joined },
    Transformation { name: "lines-not-indented", propose: lines_not_indented },
    Transformation { name: "blocks-delimited-otherwise", propose: blocks_delimited_otherwise },
    Transformation { name: "conditions-as-modifiers", propose: conditions_as_modifiers },
    Transformation { name: "quotes-exchanged", propose: quotes_exchanged },
    Transformation { name: "nil-inserted", propose: |ruby| inserted(ruby, |_| Some("nil".to_owned())) },
    Transformation { name: "unused-local-inserted", propose: |ruby| inserted(ruby, |_| Some("_unused = 1".to_owned())) },
    Transformation { name: "empty-begin-inserted", propose: |ruby| inserted(ruby, |_| Some("begin; end".to_owned())) },
    Transformation { name: "assignment-to-itself-inserted", propose: |ruby| inserted(ruby, |local| Some(format!("{0} = {0}", local?))) },
];

impl Transformation {
    /// Returns the transformed text; `None` if the text is not valid Ruby or nothing changes. New names are numbered from `first`.
    pub fn apply(&self, text: &str, first: usize) -> Option<Edited> {
        let parsed = ruby_prism::parse(text.as_bytes());
        if parsed.errors().next().is_some() {
            return None;
        }
        let edited = apply(text, &(self.propose)(&Ruby::new(text, &parsed, first)))?;
        (edited.text != text).then_some(edited)
    }
}

/// A parsed text with the places that transformations change.
pub struct Ruby<'p> {
    text: &'p str,
    parsed: &'p ParseResult<'p>,
    places: Places<'p>,
    /// Number of the first new name.
    first: usize,
}

#[derive(Default)]
struct Places<'p> {
    /// Content in which whitespace matters: strings, regexes, heredocs.
    verbatim: Vec<Range<usize>>,
    /// Consecutive elements of lists: the text between them.
    between: Vec<Range<usize>>,
    /// Binary operators.
    operators: Vec<Range<usize>>,
    blocks: Vec<BlockNode<'p>>,
    ifs: Vec<IfNode<'p>>,
    unlesses: Vec<UnlessNode<'p>>,
    strings: Vec<StringNode<'p>>,
    /// Start of the first statement of each body, with a local that is certainly assigned there.
    bodies: Vec<(usize, Option<String>)>,
    /// Starts of statements.
    statements: BTreeSet<usize>,
    /// Reads, writes and declarations of locals.
    locals: BTreeMap<String, Vec<Range<usize>>>,
    /// Locals that keep their names: keyword parameters, named groups of regexes, and `x` in `{x:}`.
    fixed: BTreeSet<String>,
    variables: BTreeSet<String>,
    names: BTreeSet<String>,
    /// The first parameter of the enclosing block or method.
    parameter: Option<String>,
}

impl<'p> Ruby<'p> {
    fn new(text: &'p str, parsed: &'p ParseResult<'p>, first: usize) -> Ruby<'p> {
        let mut places = Places::default();
        places.visit(&parsed.node());
        places.verbatim.extend(parsed.comments().map(|c| at(&c.location())));
        Ruby { text, parsed, places, first }
    }

    fn slice(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }

    fn is_verbatim(&self, at: usize) -> bool {
        self.places.verbatim.iter().any(|range| range.start <= at && at < range.end)
    }

    /// Returns the ends of the lines that end outside of strings and comments.
    fn line_ends(&self) -> Vec<usize> {
        let code_end = range(&self.parsed.node()).end;
        let ends = self.text.match_indices('\n').map(|(at, _)| at);
        ends.filter(|at| *at <= code_end && !self.is_verbatim(*at) && !self.text[..*at].ends_with('\\')).collect()
    }

    fn is_first_of_line(&self, at: usize) -> bool {
        let before = self.text[..at].rsplit('\n').next().unwrap_or_default();
        before.trim().is_empty()
    }

    fn comment(&self, range: &Range<usize>) -> bool {
        self.parsed.comments().any(|c| range.start <= at(&c.location()).start && at(&c.location()).end <= range.end)
    }
}

fn lists<'p>(places: &mut Places<'p>, elements: &NodeList<'p>) {
    let all: Vec<Range<usize>> = elements.iter().map(|n| range(&n)).collect();
    places.between.extend(all.windows(2).map(|pair| pair[0].end..pair[1].start));
}

impl<'p> Places<'p> {
    fn local(&mut self, name: &ruby_prism::ConstantId<'_>, range: Range<usize>) {
        let name = String::from_utf8_lossy(name.as_slice()).into_owned();
        self.locals.entry(name).or_default().push(range);
    }

    fn fix(&mut self, name: &ruby_prism::ConstantId<'_>) {
        self.fixed.insert(String::from_utf8_lossy(name.as_slice()).into_owned());
    }

    /// Notes the locals and the verbatim text of a node that is read alone.
    fn node(&mut self, node: &Node<'p>) {
        if let Some(n) = node.as_local_variable_read_node() {
            self.local(&n.name(), range(node));
        } else if let Some(n) = node.as_local_variable_target_node() {
            self.local(&n.name(), range(node));
        } else if let Some(n) = node.as_local_variable_write_node() {
            self.local(&n.name(), at(&n.name_loc()));
        } else if let Some(n) = node.as_local_variable_or_write_node() {
            self.local(&n.name(), at(&n.name_loc()));
        } else if let Some(n) = node.as_local_variable_and_write_node() {
            self.local(&n.name(), at(&n.name_loc()));
        } else if let Some(n) = node.as_local_variable_operator_write_node() {
            self.local(&n.name(), at(&n.name_loc()));
        } else if let Some(n) = node.as_required_parameter_node() {
            self.local(&n.name(), range(node));
        } else if let Some(n) = node.as_optional_parameter_node() {
            self.local(&n.name(), at(&n.name_loc()));
        } else if let Some(n) = node.as_block_local_variable_node() {
            self.local(&n.name(), range(node));
        } else if let Some(n) = node.as_rest_parameter_node() {
            if let (Some(name), Some(place)) = (n.name(), n.name_loc()) {
                self.local(&name, at(&place));
            }
        } else if let Some(n) = node.as_required_keyword_parameter_node() {
            self.fix(&n.name());
        } else if let Some(n) = node.as_optional_keyword_parameter_node() {
            self.fix(&n.name());
        } else if let Some(n) = node.as_instance_variable_read_node() {
            self.variables.insert(String::from_utf8_lossy(n.name().as_slice()).into_owned());
        } else if let Some(n) = node.as_instance_variable_write_node() {
            self.variables.insert(String::from_utf8_lossy(n.name().as_slice()).into_owned());
        } else if let Some(n) = node.as_implicit_node() {
            if let Some(read) = n.value().as_local_variable_read_node() {
                self.fix(&read.name());
            }
        } else if let Some(n) = node.as_match_write_node() {
            n.targets().iter().filter_map(|t| t.as_local_variable_target_node()).for_each(|t| self.fix(&t.name()));
        } else if let Some(n) = node.as_symbol_node() {
            self.names.insert(String::from_utf8_lossy(n.unescaped()).into_owned());
            self.verbatim.push(range(node));
        }
    }

    /// Notes text in which whitespace matters.
    fn text(&mut self, node: &Node<'p>) {
        if let Some(s) = node.as_string_node() {
            self.verbatim.push(at(&s.content_loc()));
            self.verbatim.extend(s.closing_loc().map(|c| at(&c)));
        } else if let Some(s) = node.as_x_string_node() {
            self.verbatim.push(range(node));
            self.verbatim.push(at(&s.content_loc()));
        } else if let Some(s) = node.as_interpolated_string_node() {
            let ends = [s.opening_loc(), s.closing_loc()].into_iter().flatten().map(|l| at(&l));
            let all: Vec<Range<usize>> = ends.chain(s.parts().iter().map(|p| range(&p))).collect();
            let start = s.parts().iter().next().map_or(range(node).start, |p| range(&p).start);
            self.verbatim.push(start..all.iter().map(|r| r.end).max().unwrap_or(start));
        } else if node.as_regular_expression_node().is_some()
            || node.as_interpolated_regular_expression_node().is_some()
            || node.as_interpolated_symbol_node().is_some()
            || node.as_interpolated_x_string_node().is_some()
        {
            self.verbatim.push(range(node));
        }
    }

    fn body(&mut self, body: &StatementsNode<'p>) {
        let first = body.body().iter().next().map(|first| range(&first).start);
        self.bodies.extend(first.map(|start| (start, self.parameter.clone())));
        self.statements.extend(body.body().iter().map(|n| range(&n).start));
    }
}

impl<'p> Visit<'p> for Places<'p> {
    fn visit_branch_node_enter(&mut self, node: Node<'p>) {
        self.node(&node);
        self.text(&node);
    }

    fn visit_leaf_node_enter(&mut self, node: Node<'p>) {
        self.node(&node);
        self.text(&node);
    }

    fn visit_statements_node(&mut self, node: &StatementsNode<'p>) {
        self.body(node);
        ruby_prism::visit_statements_node(self, node);
    }

    fn visit_arguments_node(&mut self, node: &ArgumentsNode<'p>) {
        lists(self, &node.arguments());
        ruby_prism::visit_arguments_node(self, node);
    }

    fn visit_array_node(&mut self, node: &ArrayNode<'p>) {
        match node.opening_loc().is_some_and(|l| l.as_slice() == b"[") {
            true => lists(self, &node.elements()),
            false => self.verbatim.push(range(&node.as_node())),
        }
        ruby_prism::visit_array_node(self, node);
    }

    fn visit_hash_node(&mut self, node: &ruby_prism::HashNode<'p>) {
        lists(self, &node.elements());
        ruby_prism::visit_hash_node(self, node);
    }

    fn visit_call_node(&mut self, node: &CallNode<'p>) {
        let is_operator = node.receiver().is_some() && node.call_operator_loc().is_none() && node.opening_loc().is_none();
        if is_operator && node.arguments().is_some() {
            self.operators.extend(node.message_loc().map(|l| at(&l)));
        }
        ruby_prism::visit_call_node(self, node);
    }

    fn visit_and_node(&mut self, node: &ruby_prism::AndNode<'p>) {
        self.operators.push(at(&node.operator_loc()));
        ruby_prism::visit_and_node(self, node);
    }

    fn visit_or_node(&mut self, node: &ruby_prism::OrNode<'p>) {
        self.operators.push(at(&node.operator_loc()));
        ruby_prism::visit_or_node(self, node);
    }

    fn visit_block_node(&mut self, node: &BlockNode<'p>) {
        let parameters = node.parameters().and_then(|p| p.as_block_parameters_node()).and_then(|p| p.parameters());
        let first = parameters.and_then(|p| p.requireds().iter().next()).and_then(|p| p.as_required_parameter_node());
        let parameter = first.map(|p| String::from_utf8_lossy(p.name().as_slice()).into_owned());
        let outer = std::mem::replace(&mut self.parameter, parameter);
        self.blocks.extend(node.as_node().as_block_node());
        ruby_prism::visit_block_node(self, node);
        self.parameter = outer;
    }

    fn visit_def_node(&mut self, node: &ruby_prism::DefNode<'p>) {
        let first = node.parameters().and_then(|p| p.requireds().iter().next()).and_then(|p| p.as_required_parameter_node());
        let parameter = first.map(|p| String::from_utf8_lossy(p.name().as_slice()).into_owned());
        let outer = std::mem::replace(&mut self.parameter, parameter);
        ruby_prism::visit_def_node(self, node);
        self.parameter = outer;
    }

    fn visit_if_node(&mut self, node: &IfNode<'p>) {
        self.ifs.extend(node.as_node().as_if_node());
        ruby_prism::visit_if_node(self, node);
    }

    fn visit_unless_node(&mut self, node: &UnlessNode<'p>) {
        self.unlesses.extend(node.as_node().as_unless_node());
        ruby_prism::visit_unless_node(self, node);
    }

    fn visit_string_node(&mut self, node: &StringNode<'p>) {
        self.strings.extend(node.as_node().as_string_node());
    }
}

/// Comments with code at the ends of lines and in lines of their own.
fn comments_added(ruby: &Ruby<'_>) -> Vec<Group> {
    const TEXTS: [&str; 5] =
        ["# @other: what it should be", "# value = is == should ? nil : 1", "# end", "# \"text\" {|pair| raise }", "# TODO newvalues(:x)"];
    let text = |i: usize| TEXTS[i % TEXTS.len()];
    let ends = ruby.line_ends().into_iter().enumerate();
    ends.map(|(i, end)| match i % 3 {
        0 => edit(end..end, format!(" {}\n{}", text(i), text(i + 1))).into(),
        _ => edit(end..end, format!(" {}", text(i))).into(),
    })
    .collect()
}

/// A comment with all instance variables and symbols of the file above each statement, in the order of an assignment.
fn comments_naming_variables(ruby: &Ruby<'_>) -> Vec<Group> {
    // The importer rejects long files.
    const LENGTH: usize = 400;
    let places = &ruby.places;
    let words: Vec<String> =
        places.variables.iter().chain(&places.names).chain(places.locals.keys()).map(|v| format!("{v} = {v}")).collect();
    let text: String = words.join(", ").replace('\n', " ").chars().take(LENGTH).collect();
    let starts = places.statements.iter().filter(|at| ruby.is_first_of_line(**at) && !ruby.is_verbatim(**at));
    starts.map(|at| edit(*at..*at, format!("# {text}\n")).into()).collect()
}

/// Removes comments. Magic comments remain.
fn comments_removed(ruby: &Ruby<'_>) -> Vec<Group> {
    let comments = ruby.parsed.comments().map(|c| at(&c.location()));
    let is_read = |range: &Range<usize>| ["frozen_string_literal", "coding"].iter().any(|word| ruby.slice(range.clone()).contains(word));
    comments.filter(|range| !is_read(range)).map(|range| edit(range, "").into()).collect()
}

/// Each local with a new name that occurs nowhere else.
fn locals_renamed(ruby: &Ruby<'_>) -> Vec<Group> {
    // Code that asks for names, and keywords of the language, which the importer renames itself.
    const ASKS: [&str; 4] = ["binding", "local_variable", ".parameters", "_eval"];
    const KEYWORDS: [&str; 13] =
        ["should", "try", "fn", "let", "fail", "const", "override", "attribute", "provider", "catalog", "super", "this", "match"];
    if ASKS.iter().any(|word| ruby.text.contains(word)) {
        return Vec::new();
    }
    let is_free =
        |name: &String| !ruby.places.fixed.contains(name) && !name.starts_with('_') && name != "it" && !KEYWORDS.contains(&name.as_str());
    let named = ruby.places.locals.iter().enumerate().filter(|(_, (name, _))| is_free(name));
    named
        .map(|(i, (name, places))| {
            let new = format!("qz{}q", ruby.first + i);
            let edits: Vec<Edit> = places.iter().map(|place| edit(place.clone(), &*new)).collect();
            Group { edits, names: [(new, name.clone())].into() }
        })
        .collect()
}

/// A line break after each comma of a list and each binary operator.
fn lines_broken(ruby: &Ruby<'_>) -> Vec<Group> {
    let after = |at: usize| {
        let blanks = ruby.text[at..].bytes().take_while(|b| *b == b' ').count();
        edit(at..at + blanks, "\n      ").into()
    };
    let commas = ruby.places.between.iter().filter(|range| ruby.slice((*range).clone()).trim() == ",");
    let commas = commas.filter_map(|range| Some(range.start + ruby.slice(range.clone()).find(',')? + 1));
    commas.chain(ruby.places.operators.iter().map(|range| range.end)).map(after).collect()
}

/// Lists and operations in one line; no empty lines.
fn lines_joined(ruby: &Ruby<'_>) -> Vec<Group> {
    let lists = ruby.places.between.iter().filter(|range| ruby.slice((*range).clone()).trim() == "," && !ruby.comment(range));
    let lists = lists.map(|range| edit(range.clone(), ", ").into());
    let empty = ruby.line_ends().into_iter().filter(|end| ruby.text[end + 1..].starts_with('\n')).map(|end| edit(end..end + 1, "").into());
    let operators = ruby.places.operators.iter().filter_map(|range| {
        let rest = &ruby.text[range.end..];
        let blanks = rest.len() - rest.trim_start().len();
        rest[..blanks].contains('\n').then(|| edit(range.end..range.end + blanks, " ").into())
    });
    lists.chain(empty).chain(operators).collect()
}

/// Lines without indentation, with an empty line after each.
fn lines_not_indented(ruby: &Ruby<'_>) -> Vec<Group> {
    let line = |end: usize| {
        let rest = &ruby.text[end + 1..];
        let blanks = rest.len() - rest.trim_start_matches(' ').len();
        edit(end..end + 1 + blanks, "\n\n").into()
    };
    ruby.line_ends().into_iter().map(line).collect()
}

/// `do … end` for braces, and braces for `do … end`.
fn blocks_delimited_otherwise(ruby: &Ruby<'_>) -> Vec<Group> {
    let group = |block: &BlockNode<'_>| {
        let (open, close) = (at(&block.opening_loc()), at(&block.closing_loc()));
        let texts = if ruby.slice(open.clone()) == "do" { [" { ", " }"] } else { [" do ", " end"] };
        // An empty block remains on its line, and parameters stay next to the first word.
        Group { edits: vec![edit(open, texts[0]), edit(close, texts[1])], names: Default::default() }
    };
    ruby.places.blocks.iter().map(group).collect()
}

/// `y if x` for `if x then y end`, and the reverse.
fn conditions_as_modifiers(ruby: &Ruby<'_>) -> Vec<Group> {
    let mut out = Vec::new();
    let mut one = |word: &str, node: Range<usize>, test: Range<usize>, body: Option<StatementsNode<'_>>, has_end: bool| {
        let Some(body) = body.filter(|b| b.body().iter().count() == 1) else { return };
        let body = range(&body.as_node());
        if !ruby.places.statements.contains(&node.start) || ruby.comment(&node) {
            return;
        }
        let (test, body) = (ruby.slice(test), ruby.slice(body));
        let text = if has_end { format!("{body} {word} {test}") } else { format!("{word} {test}\n{body}\nend") };
        out.push(edit(node, text).into());
    };
    for node in ruby.places.ifs.iter().filter(|n| n.subsequent().is_none()) {
        if node.if_keyword_loc().is_some_and(|word| word.as_slice() == b"if") {
            one("if", range(&node.as_node()), range(&node.predicate()), node.statements(), node.end_keyword_loc().is_some());
        }
    }
    for node in ruby.places.unlesses.iter().filter(|n| n.else_clause().is_none()) {
        one("unless", range(&node.as_node()), range(&node.predicate()), node.statements(), node.end_keyword_loc().is_some());
    }
    out
}

/// Double for single quotes and the reverse, of strings without escapes.
fn quotes_exchanged(ruby: &Ruby<'_>) -> Vec<Group> {
    let mut out = Vec::new();
    for string in &ruby.places.strings {
        let (Some(open), Some(close)) = (string.opening_loc(), string.closing_loc()) else { continue };
        let other = match open.as_slice() {
            b"'" => "\"",
            b"\"" => "'",
            _ => continue,
        };
        let content = ruby.slice(at(&string.content_loc()));
        if !content.contains(['\\', '#', '\'', '"', '\n']) && close.as_slice() == open.as_slice() {
            out.push(Group { edits: vec![edit(at(&open), other), edit(at(&close), other)], names: Default::default() });
        }
    }
    out
}

/// A statement before the first statement of each body. `statement` receives a local that is assigned there.
fn inserted(ruby: &Ruby<'_>, statement: fn(Option<&str>) -> Option<String>) -> Vec<Group> {
    let bodies = ruby.places.bodies.iter().filter(|(at, _)| ruby.is_first_of_line(*at) && !ruby.is_verbatim(*at));
    bodies.filter_map(|(at, local)| Some(edit(*at..*at, format!("{}\n", statement(local.as_deref())?)).into())).collect()
}
