//! Describes the keywords of the language, for people and as JSON: `rtype describe --language`.
//!
//! Everything is derived from the tables that the implementation uses.

use super::Look;
use super::wrap::hanging;
use rtype_lang::diagnostics::Paint;
use rtype_lang::lower::{ATTRIBUTE_WORDS, BlockKind, DirectiveScope, KINDS, OPTIONS, PROVIDER_WORDS, REFUSED, TYPE_WORDS, Word};
use rtype_lang::syntax::ast::TEST_WORDS;
use rtype_lang::types::TestOutcome;
use rtype_lang::types::builtin::{Arity, ClosureArgument, Function, Method, PLATFORM_FEATURES};
use rtype_lang::value::{ComparisonMode, DataType};
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// A keyword of the language. The order of the fields is the order in JSON and is stable.
#[derive(Clone, Debug, Serialize)]
pub struct WordDoc {
    /// The kind: `directive`, `option`, `method`, …
    pub group: &'static str,
    /// The keyword.
    pub name: String,
    /// The syntax.
    pub written: String,
    /// The constructs that may contain the keyword: bodies, directives, kinds of values.
    pub of: Vec<&'static str>,
    /// Description in one line.
    pub doc: String,
}

/// The groups in order with their headings; `{}` is replaced by the constructs that may contain the keywords.
const GROUPS: &[(&str, &str)] = &[
    ("directive", "Directives of {}"),
    ("option", "Options of {}"),
    ("kind", "Kinds that are there"),
    ("data type", "Data types"),
    ("comparison", "Comparisons: `compare NAME`"),
    ("block", "Blocks of {}"),
    ("function", "Functions"),
    ("method", "Methods of {}"),
    ("test", "Words of tests"),
    ("outcome", "What `expect` can ask"),
    ("platform", "Features of the platform"),
    ("refused", "Words that are refused in {}"),
];

/// Width of the first column.
const COLUMN: usize = 22;

/// Returns all keywords, the keywords in a group, the keywords usable in a construct (restricted to that construct), or the keywords
/// whose name contains `word`.
pub fn language(word: Option<&str>) -> Vec<WordDoc> {
    let mut all = all();
    let Some(word) = word.map(str::to_lowercase) else { return all };
    let whole = |w: &WordDoc| w.group == word || word.strip_suffix('s') == Some(w.group);
    if all.iter().any(|w| whole(w) || w.of.contains(&word.as_str())) {
        all.retain_mut(|w| {
            let here = w.of.contains(&word.as_str());
            if here {
                w.of.retain(|place| *place == word);
            }
            here || whole(w) || w.name.to_lowercase() == word
        });
    } else {
        all.retain(|w| w.name.to_lowercase().contains(&word));
    }
    all
}

/// Formats keywords as JSON: `{"version": 1, "language": […]}`.
pub fn language_json(words: &[WordDoc]) -> Json {
    json!({ "version": 1, "language": words })
}

/// Formats keywords for people, by group and by the constructs that may contain them.
pub fn language_text(words: &[WordDoc], look: Look) -> String {
    let mut out = String::new();
    for (group, heading) in GROUPS {
        let here: Vec<&WordDoc> = words.iter().filter(|w| w.group == *group).collect();
        let mut places: Vec<String> = Vec::new();
        for word in &here {
            let place = word.of.join(", ");
            if !places.contains(&place) {
                places.push(place);
            }
        }
        for place in places {
            section(&mut out, &heading.replace("{}", &place), here.iter().copied().filter(|w| w.of.join(", ") == place), look);
        }
    }
    out
}

fn section<'a>(out: &mut String, heading: &str, words: impl Iterator<Item = &'a WordDoc>, look: Look) {
    let gap = if out.is_empty() { "" } else { "\n" };
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{gap}{}\n", look.paint(Paint::Title, heading));
    for word in words {
        let mut line = String::new();
        if word.written.chars().count() <= COLUMN {
            hanging(&mut line, &format!("{:COLUMN$}  ", word.written), &word.doc, look.width, 2);
        } else {
            hanging(&mut line, "", &word.written, look.width, 2);
            hanging(&mut line, "", &word.doc, look.width, COLUMN + 4);
        }
        // Colored last, so that the escape sequences do not count as width.
        out.push_str(&line.replacen(&word.name, &look.paint(Paint::Name, &word.name), 1));
    }
}

fn all() -> Vec<WordDoc> {
    let mut words = Vec::new();
    for (place, table) in [("types", TYPE_WORDS), ("attributes", ATTRIBUTE_WORDS), ("providers", PROVIDER_WORDS)] {
        words.extend(table.iter().map(|w| WordDoc { of: vec![place], ..word("directive", w) }));
    }
    words.extend(OPTIONS.iter().map(|w| word("option", w)));
    words.extend(KINDS.iter().map(|w| row("kind", w.name, w.written, w.doc)));
    words.extend(DataType::TABLE.iter().map(|(name, written, doc)| row("data type", name, written, doc)));
    words.extend(ComparisonMode::NAMED.iter().map(|(name, _, doc)| row("comparison", name, name, doc)));
    words.extend(BlockKind::ALL.iter().map(block));
    words.extend(Function::ALL.iter().map(|f| row("function", f.name(), &call(f.name(), f.arity(), f.block()), f.doc())));
    words.extend(Method::ALL.iter().map(|m| {
        let of = m.receivers().iter().map(|r| r.plural()).collect();
        WordDoc { of, ..row("method", m.name(), &call(m.name(), m.arity(), m.block()), m.doc()) }
    }));
    words.extend(TEST_WORDS.iter().map(|(name, written, doc)| row("test", name, written, doc)));
    words.extend(TestOutcome::ASKED.iter().map(|(name, _, doc)| row("outcome", name, &format!("{name}(:x)"), doc)));
    words.extend(TestOutcome::WORDS.iter().map(|(name, _, doc)| row("outcome", name, name, doc)));
    words.extend(PLATFORM_FEATURES.iter().map(|name| row("platform", name, name, "")));
    for (places, names, way) in REFUSED {
        let of: Vec<&str> = places.iter().map(|p| plural(*p)).collect();
        words.extend(names.iter().map(|name| WordDoc { of: of.clone(), ..row("refused", name, name, way) }));
    }
    words
}

fn row(group: &'static str, name: &str, written: &str, doc: &str) -> WordDoc {
    WordDoc { group, name: name.to_owned(), written: written.to_owned(), of: Vec::new(), doc: doc.to_owned() }
}

fn word(group: &'static str, word: &Word) -> WordDoc {
    WordDoc { of: word.of.to_vec(), ..row(group, word.name, word.written, word.doc) }
}

/// Describes the parameters, result and abilities of a block.
fn block(kind: &BlockKind) -> WordDoc {
    let params = if kind.params.is_empty() { String::new() } else { format!(" |{}|", kind.params.join(", ")) };
    let may = [
        (kind.sees_is, "reads `is` and `should`"),
        (kind.has_super, "may call `super`"),
        (kind.writes_self, "may write `self.x = …`"),
        (kind.action, "may change the machine"),
        (kind.sees_outcomes, "asks outcomes"),
        (!kind.sees_self, "sees no resource"),
    ];
    let may: Vec<&str> = may.iter().filter(|(holds, _)| *holds).map(|(_, words)| *words).collect();
    let doc = std::iter::once(format!("gives {}", kind.gives)).chain(may.into_iter().map(str::to_owned)).collect::<Vec<_>>().join("; ");
    WordDoc { of: vec![kind.of], ..row("block", kind.name, &format!("{} {{{params} … }}", kind.name), &doc) }
}

/// Formats the syntax of a call: `sub(a[, b]) [{ |x| … }]`.
fn call(name: &str, arity: Arity, block: ClosureArgument) -> String {
    let mut arguments = String::new();
    for (i, letter) in ["a", "b", "c", "d"].iter().enumerate().take(usize::from(arity.max.unwrap_or(arity.min))) {
        let comma = if i == 0 { "" } else { ", " };
        let optional = i >= usize::from(arity.min);
        arguments.push_str(&if optional { format!("[{comma}{letter}]") } else { format!("{comma}{letter}") });
    }
    if arity.max.is_none() {
        arguments.push_str(if arguments.is_empty() { "…" } else { ", …" });
    }
    let arguments = if arguments.is_empty() { String::new() } else { format!("({arguments})") };
    let closure = match block {
        ClosureArgument::No => "",
        ClosureArgument::May => " [{ |x| … }]",
        ClosureArgument::Must => " { |x| … }",
    };
    format!("{name}{arguments}{closure}")
}

fn plural(place: DirectiveScope) -> &'static str {
    match place {
        DirectiveScope::Type => "types",
        DirectiveScope::Attribute => "attributes",
        DirectiveScope::Provider => "providers",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_has_a_heading_and_every_word_a_line() {
        let all = language(None);
        for word in &all {
            assert!(GROUPS.iter().any(|(g, _)| *g == word.group), "{}", word.group);
            assert!(!word.doc.is_empty() || word.group == "platform", "{}", word.name);
            assert!(!word.doc.ends_with('.') && !word.doc.contains('\n'), "{}", word.doc);
        }
        let text = language_text(&all, Look::default());
        for (group, _) in GROUPS {
            assert!(all.iter().any(|w| w.group == *group), "{group}");
        }
        assert!(all.iter().all(|w| text.contains(&w.name)));
        assert!(text.lines().all(|l| l.chars().count() <= 80));
    }

    #[test]
    fn a_word_chooses() {
        let names = |word: &str| language(Some(word)).into_iter().map(|w| w.name).collect::<Vec<_>>();
        assert_eq!(names("upcase"), ["upcase"]);
        assert_eq!(names("capital"), ["capitalize"]);
        assert!(names("Regexes").contains(&"source".to_owned()));
        assert!(names("comparison").contains(&"superset".to_owned()));
        assert!(names("no such word").is_empty());
    }
}
