//! Completion in blocks.

use super::types::{Context, docs_of};
use super::{CompletionItem, ItemKind as Kind, snippet};
use crate::docs::language;
use crate::editor::cursor::{Cursor, CursorBody as Body};
use crate::editor::tokens::{TypeToken as Token, TypeTokenKind as TokenKind};
use rtype_lang::types::builtin::{Function, Method, Returns, ValueKind};

/// Keywords that start statements, and their syntax.
const STATEMENTS: &[(&str, &str, &str)] = &[
    ("let", "let ${1:name} = $0", "makes a local"),
    ("if", "if $1 {\n\t$0\n}", "only where a condition holds"),
    ("unless", "unless $1 {\n\t$0\n}", "only where a condition does not hold"),
    ("match", "match $1 {\n\t$2 => $0\n\t_ => nil\n}", "the first arm that fits"),
    ("try", "try { $1 } else { |message| $0 }", "what to do when something fails"),
    ("fail", "fail \"$0\"", "refuses the value or resource"),
    ("return", "return $0", "leaves the block or function"),
    ("next", "next $0", "leaves the closure"),
];

/// The methods of `self`, in addition to attributes.
pub const OF_SELF: &[(&str, &str, &str)] = &[
    ("set?", "set?(:$0)", "whether an attribute has a value"),
    ("declared", "declared(:$0)", "the value of an attribute in the declaration, nil without one"),
    ("raw", "raw(:$0)", "the value of an attribute as it was given"),
    ("values", "values(:$0)", "the list of all desired values of an attribute"),
    ("managed?", "managed?", "whether the resource shall be there"),
];

/// The methods of every provider.
pub const OF_PROVIDER: &[(&str, &str, &str)] = &[
    ("name", "name", "the name of the provider, nil without one"),
    ("has?", "has?(:$0)", "whether it has a feature, setting or method"),
    ("satisfies?", "satisfies?(:$0)", "whether it has all of these features"),
    ("features", "features", "its features, sorted by name"),
];

/// The methods of the catalog.
pub const OF_CATALOG: &[(&str, &str, &str)] = &[
    ("resources", "resources(:$0)", "the resources of a type; all without one"),
    ("find", "find(:$1, $0)", "the resource of a type and title, nil without one"),
    ("type", "type(:$0)", "the type of this name"),
    ("instances", "instances(:$0)", "what there is of a type on the machine, managed or not"),
];

fn table(rows: &[(&str, &str, &str)], kind: Kind) -> Vec<CompletionItem> {
    rows.iter().map(|(word, template, doc)| CompletionItem::new(*word, kind, "", *doc).template(*template).rank(2)).collect()
}

/// Returns the completions at the cursor in a block.
pub(super) fn candidates(context: &Context<'_>) -> Vec<CompletionItem> {
    let cursor = &context.cursor;
    if let Some(line) = cursor.inner().map(|f| f.line.as_slice())
        && cursor.last_text() == "."
    {
        return behind_dot(context, line);
    }
    if matches!(cursor.inner().map(|f| &f.body), Some(Body::Call(name)) if matches!(name.as_str(), "is_a?" | "kind_of?")) {
        return context.data_types();
    }
    if cursor.last_text() == "at" || cursor.line().ends_with(&["at", ":"]) {
        return Vec::new();
    }
    let mut items = table(STATEMENTS, Kind::Keyword);
    for (word, doc) in [("self", "the resource"), ("provider", "the provider of the resource"), ("catalog", "the other resources")] {
        items.push(CompletionItem::new(word, Kind::Keyword, "", doc));
    }
    items.extend(["true", "false", "nil", "super"].map(|w| CompletionItem::new(w, Kind::Keyword, "", "").rank(3)));
    items.extend(locals(cursor).into_iter().map(|l| CompletionItem::new(l, Kind::Variable, "local", "").rank(0)));
    items.extend(context.shared());
    items.extend(docs_of("function", Kind::Function).into_iter().map(|i| {
        let template = snippet::call(&i.label, &i.detail);
        i.template(template).rank(2)
    }));
    if cursor.frames.iter().any(|f| f.body == Body::Test) {
        items.extend(docs_of("outcome", Kind::Function).into_iter().map(|i| i.rank(0)));
    }
    items.extend(context.data_types().into_iter().map(|i| i.rank(4)));
    items
}

fn behind_dot(context: &Context<'_>, line: &[Token]) -> Vec<CompletionItem> {
    let cursor = &context.cursor;
    let text = |back: usize| line.len().checked_sub(back).and_then(|i| line.get(i)).map_or("", |t| t.text(cursor.text));
    let behind_another = text(3) == ".";
    match text(2) {
        "self" if !behind_another => {
            let mut items = context.attributes();
            items.extend(table(OF_SELF, Kind::Method));
            items
        }
        "provider" if !behind_another => {
            let mut items = context.methods();
            let features = context.features();
            items.extend(features.into_iter().map(|f| CompletionItem { label: format!("{}?", f.label), kind: Kind::Method, ..f }));
            items.extend(table(OF_PROVIDER, Kind::Method));
            items
        }
        "catalog" if !behind_another => table(OF_CATALOG, Kind::Method),
        _ => methods(receiver(context, line)),
    }
}

/// Returns the methods for a kind of value, or for all kinds if the kind is unknown.
fn methods(of: Option<ValueKind>) -> Vec<CompletionItem> {
    let words = language(None).into_iter().filter(|w| w.group == "method");
    let fits = |name: &str| {
        Method::named(name).is_some_and(|m| of.is_none_or(|of| m.receivers().iter().any(|r| *r == of || *r == ValueKind::Any)))
    };
    let of_any = |name: &str| Method::named(name).is_some_and(|m| m.receivers().contains(&ValueKind::Any));
    let words = words.filter(|w| fits(&w.name));
    let item = |w: crate::docs::WordDoc| {
        let doc = format!("{}\n\nOf {}.", w.doc, w.of.join(", "));
        let rank = if of_any(&w.name) { 2 } else { 1 };
        CompletionItem::new(&w.name, Kind::Method, &w.written, doc).template(snippet::call(&w.name, &w.written)).rank(rank)
    };
    words.map(item).collect()
}

/// Determines the receiver before the last dot of a line from the line's tokens.
fn receiver(context: &Context<'_>, line: &[Token]) -> Option<ValueKind> {
    let source = context.cursor.text;
    let dot = line.len().checked_sub(1)?;
    let before = line.get(dot.checked_sub(1)?)?;
    match before.kind {
        TokenKind::Close(_) => {
            // The line does not include the content in brackets, so the opening bracket is directly before.
            let open = line.get(dot.checked_sub(2)?)?;
            let head = dot.checked_sub(3).and_then(|i| line.get(i));
            let touches = head.is_some_and(|h| h.range.end == open.range.start && matches!(h.kind, TokenKind::Word | TokenKind::Close(_)));
            match (before.text(source), head) {
                ("]", _) if !touches => Some(ValueKind::List),
                (")", Some(_)) if touches => result(context, line, dot.checked_sub(3)?),
                ("}", Some(head)) if head.kind == TokenKind::Word => result(context, line, dot.checked_sub(3)?),
                ("}", head) if head.is_none_or(|h| h.kind == TokenKind::Sign) => Some(ValueKind::Map),
                _ => None,
            }
        }
        TokenKind::Word => {
            let word = before.text(source);
            let behind_dot = dot.checked_sub(2).and_then(|i| line.get(i)).is_some_and(|t| t.text(source) == ".");
            let of_self = dot.checked_sub(3).and_then(|i| line.get(i)).is_some_and(|t| t.text(source) == "self");
            if behind_dot && of_self {
                return attribute(context, word);
            }
            if behind_dot { result(context, line, dot.checked_sub(1)?) } else { local(source, word) }
        }
        _ => literal(before),
    }
}

fn literal(token: &Token) -> Option<ValueKind> {
    match token.kind {
        TokenKind::Str(_) => Some(ValueKind::Str),
        TokenKind::Symbol => Some(ValueKind::Sym),
        TokenKind::Regex(_) => Some(ValueKind::Regex),
        TokenKind::Number => Some(ValueKind::Int),
        _ => None,
    }
}

/// Returns the kind of value that the function or method named by the token at `at` returns, if the table names one kind, or one kind
/// and nil.
fn result(context: &Context<'_>, line: &[Token], at: usize) -> Option<ValueKind> {
    let source = context.cursor.text;
    let name = line.get(at)?.text(source);
    let dot = at.checked_sub(1).filter(|dot| line.get(*dot).is_some_and(|t| t.text(source) == "."));
    let returns = if dot.is_some() { Method::named(name)?.returns() } else { Function::named(name)?.returns() };
    match returns {
        Returns::Kinds([kind] | [kind, ValueKind::Nil]) if *kind != ValueKind::Any => Some(*kind),
        Returns::Kinds(_) => None,
        Returns::Same => receiver(context, line.get(..=dot?)?),
    }
}

/// Determines the type of a local from an assigned literal.
fn local(source: &str, name: &str) -> Option<ValueKind> {
    let tokens = crate::editor::tokens::tokens(source);
    let made = tokens.windows(4).rev().find(|w| {
        let words: Vec<&str> = w.iter().map(|t| t.text(source)).collect();
        matches!(words.as_slice(), ["let", n, "=", _] if *n == name)
    })?;
    let value = made.last()?;
    match value.kind {
        TokenKind::Open('[') => Some(ValueKind::List),
        TokenKind::Open('{') => Some(ValueKind::Map),
        _ => literal(value),
    }
}

/// Determines the type of an attribute.
fn attribute(context: &Context<'_>, name: &str) -> Option<ValueKind> {
    Some(match context.data_type_of(name)?.as_str() {
        "Integer" => ValueKind::Int,
        "Float" | "Numeric" => ValueKind::Float,
        "String" | "Enum" | "Pattern" | "AbsolutePath" | "IPAddress" | "Hostname" | "Url" | "Duration" | "ByteSize" => ValueKind::Str,
        "Array" | "Tuple" => ValueKind::List,
        "Hash" | "Struct" => ValueKind::Map,
        "Symbol" => ValueKind::Sym,
        _ => return None,
    })
}

/// Returns the names of locals and parameters declared before the cursor in its block.
fn locals(cursor: &Cursor<'_>) -> Vec<String> {
    let start = cursor.frames.iter().find(|f| matches!(f.body, Body::Code(_))).and_then(|f| f.line.first()).map_or(0, |t| t.range.start);
    // A function's parameters are before its block.
    let outer = cursor.frames.iter().rev().find(|f| !matches!(f.body, Body::Code(_) | Body::Call(_) | Body::Brackets));
    let start = outer.and_then(|f| f.line.first()).map_or(start, |t| t.range.start.min(start.max(t.range.start)));
    let text = cursor.text.get(start..cursor.start).unwrap_or_default();
    let tokens = crate::editor::tokens::tokens(text);
    let words: Vec<&str> = tokens.iter().map(|t| t.text(text)).collect();
    let mut found: Vec<String> = Vec::new();
    let is_name = |w: &str| w.starts_with(|c: char| c.is_lowercase() || c == '_');
    let mut rest = words.as_slice();
    while let Some((word, behind)) = rest.split_first() {
        let taken = match *word {
            "let" => behind.iter().take_while(|w| is_name(w) || **w == ",").copied().collect::<Vec<_>>(),
            // `{ |a, b|`
            "{" if behind.first() == Some(&"|") => behind.iter().skip(1).take_while(|w| **w != "|" && **w != "\n").copied().collect(),
            "fn" => behind.iter().skip(2).take_while(|w| **w != ")").copied().collect(),
            _ => Vec::new(),
        };
        found.extend(taken.into_iter().filter(|w| is_name(w)).map(str::to_owned));
        rest = behind;
    }
    if cursor.block().is_some_and(|b| matches!(b, "insync" | "compare" | "sync" | "newvalue" | "is_to_s" | "change_to_s")) {
        found.extend(["is".to_owned(), "should".to_owned()]);
    }
    found.sort();
    found.dedup();
    found
}

/// Completes a symbol: with names of attributes if one is expected, else with values.
pub(super) fn symbols(context: &Context<'_>) -> Vec<CompletionItem> {
    let cursor = &context.cursor;
    let asks = |name: &str| matches!(name, "set?" | "declared" | "raw" | "values" | "is" | "sync" | "attributes" | "insync" | "change");
    let line = cursor.line();
    match cursor.inner().map(|f| &f.body) {
        Some(Body::Call(name)) if asks(name) => context.attributes(),
        Some(Body::Call(name)) if matches!(name.as_str(), "has?" | "satisfies?") => {
            context.features().into_iter().chain(context.methods()).collect()
        }
        Some(Body::Call(name)) if matches!(name.as_str(), "find" | "resources" | "type" | "resource") => context.types(),
        Some(Body::Call(name)) if name == "feature" => context.platform(),
        Some(Body::Brackets) if is_index_of_self(cursor) => context.attributes(),
        _ if line.ends_with(&["at", ":"]) => context.attributes(),
        _ => {
            let compared = match line.as_slice() {
                [.., "self", ".", attribute, "==" | "!="] => Some((*attribute).to_owned()),
                _ => cursor.attribute().map(str::to_owned),
            };
            context.values_of(compared.as_deref())
        }
    }
}

fn is_index_of_self(cursor: &Cursor<'_>) -> bool {
    let outer = cursor.frames.len().checked_sub(2).and_then(|i| cursor.frames.get(i));
    outer.and_then(|f| f.line.iter().rev().nth(1)).is_some_and(|t| t.text(cursor.text) == "self")
}
