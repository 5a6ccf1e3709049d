//! Candidates in types, providers and tests entered at the prompt.

use super::backend::ReplSession;
use super::completion::{Candidate, MOST};
use crate::app::tokens::{TypeToken, TypeTokenKind, tokens};
use rtype_author::editor::completion::{CompletionItem, CompletionScope, Definitions, in_types};
use rtype_author::editor::cursor::Cursor;
use rtype_author::editor::describe;
use rtype_lang::source::Span;
use rtype_lang::syntax::ast::{Ast, Item};
use rtype_lang::syntax::parse_types;

/// The definitions in the entered types. The list of candidates shows no descriptions.
struct EnteredDefinitions<'a>(&'a Ast);

impl Definitions for EnteredDefinitions<'_> {
    fn description(&self, _: Span) -> (String, String) {
        <(String, String)>::default()
    }

    fn data_type(&self, attribute: Span) -> Option<String> {
        describe::data_type(self.0, attribute)
    }

    fn mixin(&self, name: &str) -> Option<Span> {
        self.0.items.iter().find_map(|item| match item {
            Item::Mixin(mixin) if mixin.name.name == name => Some(mixin.span),
            _ => None,
        })
    }

    fn files(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Returns the candidates at the end of `before`, and the start position of the replaced part. `after` is the input after the cursor.
pub(super) fn complete(session: &ReplSession, before: &str, after: &str) -> (usize, Vec<Candidate>) {
    complete_about(session, before, after, None)
}

/// The prefix that makes an expression part of a type file.
const BEFORE_EXPRESSION: &str = "fn entered() {\n  ";

/// Returns whether an input looks like the start of an expression.
pub(super) fn is_expression(before: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let text = before.trim_start();
    let word = text.find(|c| !is_name(c)).and_then(|end| text.split_at_checked(end));
    match word {
        Some(("", _)) => text.starts_with(['[', '(', '"', '\'']),
        Some(("let", _)) => true,
        Some((word, rest)) => {
            let is_operator = rest.trim_start().starts_with(['+', '-', '*', '/', '%', '.', '=', '<', '>', '&', '|', '?']);
            rest.starts_with('(') || word == "self" || word.starts_with(|c: char| c.is_ascii_digit()) || is_operator
        }
        None => text.starts_with('_'),
    }
}

/// Completes an expression in which `self` is the last resource. Returns the start of the completed word and the candidates.
pub(super) fn complete_expression(session: &ReplSession, before: &str) -> (usize, Vec<Candidate>) {
    let owner = session.last().map(|last| last.type_name.to_string()).unwrap_or_default();
    let (start, found) = complete_about(session, &format!("{BEFORE_EXPRESSION}{before}"), "", Some(owner));
    (start.saturating_sub(BEFORE_EXPRESSION.len()), found)
}

/// Completes an input about the type `owner`. Without `owner`, the input is about the type at the cursor.
fn complete_about(session: &ReplSession, before: &str, after: &str, owner: Option<String>) -> (usize, Vec<Candidate>) {
    let cursor = Cursor::new(before);
    // An incomplete word would cause an error in its line, so leave the word out.
    let text = closed(format!("{}{after}", before.get(..cursor.start).unwrap_or_default()));
    // Load the types into a clone, so that the session stays unchanged.
    let mut types = session.types.clone();
    let Ok(source) = types.keep("<completion>", text) else { return (before.len(), Vec::new()) };
    types.load_text(&source, None);
    let (ast, _) = parse_types(&source);
    let owner = owner.unwrap_or_else(|| describe::type_name(Some(&ast), source.base(), &cursor));
    let definitions = &EnteredDefinitions(&ast);
    let found = in_types(&CompletionScope { types: &types, source: &source, owner: &owner, definitions }, before);
    let start = found.start;
    let candidate = |item: CompletionItem| {
        let replacement = item.typed();
        Candidate { display: item.label, replacement }
    };
    (start, found.fitting(MOST).into_iter().map(candidate).collect())
}

/// Closes all open brackets and quotes at the end of an input, so that the parser sees complete definitions.
fn closed(mut text: String) -> String {
    let mut open: Vec<char> = Vec::new();
    let all = tokens(&text);
    for token in &all {
        match token.kind {
            TypeTokenKind::Open('(') => open.push(')'),
            TypeTokenKind::Open('[') => open.push(']'),
            TypeTokenKind::Open(_) => open.push('}'),
            TypeTokenKind::Close(_) => {
                open.pop();
            }
            _ => {}
        }
    }
    let is_open = |last: &&TypeToken| last.kind == TypeTokenKind::Str(false) && last.range.end == text.len();
    if let Some(quote) = all.last().filter(is_open).and_then(|last| last.text(&text).chars().next()) {
        text.push(quote);
    }
    for bracket in open.into_iter().rev() {
        text.push('\n');
        text.push(bracket);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the start of the last line and the first replacements, separated by `|`.
    fn of(before: &str, after: &str) -> String {
        let mut session = ReplSession::for_tests();
        session.run("type lamp {\n  newparam name { isnamevar }\n  newproperty light { newvalues on, off }\n}");
        let (start, found) = complete(&session, before, after);
        let all: Vec<_> = found.into_iter().take(4).map(|c| c.replacement).collect();
        format!("{}|{}", before.get(..start).unwrap().lines().last().unwrap_or_default(), all.join("|"))
    }

    #[test]
    fn definitions_are_completed_as_they_are_typed() {
        let desk = "type desk {\n  newparam name { isnamevar }\n  newproperty colour {\n    newvalues red, green\n  }\n";
        let of_desk = |rest: &str| of(&format!("{desk}{rest}"), "");
        let cases = [
            ("  newpr", "  |newproperty "),
            ("  newproperty size {\n    newv", "    |newvalue |newvalues "),
            ("  newproperty size, arr", "  newproperty size, |array_matching: "),
            ("  newproperty size, array_matching: ", "  newproperty size, array_matching: |all|first"),
            ("  newproperty size {\n    type Int", "    type |Integer"),
            ("  newproperty tint {\n    newvalues on\n    aliasvalue an, o", "    aliasvalue an, |on"),
            ("  validate {\n    fail \"x\" if self.co", "    fail \"x\" if self.|colour"),
            ("  validate {\n    self.colour == :", "    self.colour == :|green|red"),
            ("  validate {\n    let shade = 1\n    shad", "    |shade"),
            ("  autorequire la", "  autorequire |lamp"),
            ("}\ntest \"x\" {\n  desk { 'x': co", "  desk { 'x': |colour => "),
            ("}\ntest \"x\" {\n  desk { 'x': colour => gr", "  desk { 'x': colour => |green"),
            ("}\ntest \"x\" {\n  desk { 'x': }\n  expect self.col", "  expect self.|colour"),
        ];
        for (rest, wanted) in cases {
            assert_eq!(of_desk(rest), wanted, "{rest}");
        }
        assert_eq!(of("test \"x\" {\n  lamp { 'x': light => o", ""), "  lamp { 'x': light => |off|on");
        assert_eq!(of("provider p, for: la", ""), "provider p, for: |lamp");
    }

    #[test]
    fn expressions_are_completed_about_the_last_resource() {
        let mut session = ReplSession::for_tests();
        session.run("motd { 'a': colour => red }");
        let of = |before: &str| {
            let (start, found) = is_expression(before).then(|| complete_expression(&session, before))?;
            let all: Vec<_> = found.into_iter().take(4).map(|c| c.replacement).collect();
            Some(format!("{}|{}", before.get(..start)?, all.join("|")))
        };
        assert_eq!(of("self.col").as_deref(), Some("self.|colour"));
        assert_eq!(of("is(:colo").as_deref(), Some("is(:|colour"));
        assert_eq!(of("self.colour == :").as_deref(), Some("self.colour == :|green|red|rot"));
        assert_eq!(of("\"abc\".upc").as_deref(), Some("\"abc\".|upcase"));
        assert_eq!(of("let short = 1; shor").as_deref(), Some("let short = 1; |short"));
        for other in ["motd { 'a': col", "mo", ":des", "user x", ""] {
            assert_eq!(of(other), None, "{other}");
        }
    }

    #[test]
    fn what_follows_the_cursor_counts() {
        let after = "\n  }\n  newproperty colour { newvalues red }\n}";
        assert_eq!(of("type desk {\n  newparam name { isnamevar }\n  validate {\n    self.co", after), "    self.|colour");
    }

    #[test]
    fn open_brackets_and_strings_are_closed() {
        assert_eq!(closed("type x {\n  a(b, [".into()), "type x {\n  a(b, [\n]\n)\n}");
        assert_eq!(closed("use \"ki".into()), "use \"ki\"");
        assert_eq!(closed("type x { }".into()), "type x { }");
    }
}
