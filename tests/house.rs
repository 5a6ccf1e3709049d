//! The rules of the house: who may use whom, what is pure, names that stay out of the code, the size of files.
//!
//! `docs/architecture.md` is the table; a rule that cannot fail is no rule, so each check is also run on code that breaks it.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests may panic"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// How long a file of `src/` may be.
const MAX_LINES: usize = 600;

/// Strings in `src/` that look like the name of a type of the standard library and are none.
const HOMONYMS: &[(&str, &str, &str)] = &[
    ("src/types/builtin.rs", "host", "a part of a URI"),
    ("src/import/library.rs", "host", "a part of a URI"),
    ("src/import/library.rs", "file", "a module of Ruby"),
    ("src/import/catalog.rs", "resources", "a method of the catalog"),
    ("src/resource/kinds/file.rs", "file", "the scheme of a URI"),
    ("src/lower/type_body.rs", "host", "where resources of a type can live: host, device, both"),
    ("src/lsp/completion/types.rs", "host", "where resources of a type can live: host, device, both"),
    ("src/lsp/completion/code.rs", "resources", "a method of the catalog"),
    ("src/manifest/catalog.rs", "file", "the key in a catalog that tells where a resource was declared"),
    ("src/diagnostics/render/summary.rs", "file", "counts files in a sentence"),
    ("src/system/stat.rs", "file", "a kind of file in Ruby's words"),
    ("src/check/secrets.rs", "file", "a word in the description of what holds a secret"),
    ("src/lower/ruby.rs", "file", "a module of Ruby"),
    ("src/check/format/json.rs", "file", "a key of reports"),
    ("src/eval/functions/resource.rs", "notify", "a metaparameter"),
    ("src/eval/functions/resource.rs", "schedule", "a metaparameter"),
    ("src/eval/functions/resource.rs", "stage", "a metaparameter"),
    ("src/manifest/declared.rs", "notify", "a metaparameter"),
    ("src/repl/completion.rs", "notify", "a metaparameter"),
    ("src/resource/complete.rs", "notify", "a metaparameter"),
    ("src/types/mod.rs", "notify", "a kind of relation"),
    ("src/manifest/compiled.rs", "stage", "what only contains resources in a compiled catalog"),
    ("src/manifest/compiled.rs", "resources", "a key of catalogs"),
    ("src/diff/catalogs/relations.rs", "notify", "a metaparameter"),
    ("src/docs/schema/mod.rs", "resources", "a key of catalogs"),
    ("src/cli/check.rs", "file", "counts files in a sentence"),
    ("src/report/mod.rs", "resources", "a key of reports"),
    ("src/provider/external/mod.rs", "file", "a key of the protocol"),
    ("src/engine/apply/harness.rs", "schedule", "a metaparameter"),
    ("src/engine/apply/schedule.rs", "schedule", "a metaparameter, which the engine itself keeps to"),
    ("src/lower/calls.rs", "resources", "a method of the catalog"),
    ("src/repl/commands.rs", "resources", "a command"),
    ("src/types/builtin.rs", "resources", "a word in messages"),
    ("src/import/known.rs", "file", "a module of Ruby"),
    ("src/types/builtin.rs", "augeas", "a feature of platforms"),
];

/// Where native code of types lives.
const NATIVE: &str = "src/provider/native/";

#[test]
fn rooms_use_only_what_their_row_allows() {
    let table = Table::read();
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        wrong.extend(table.wrong_uses(&path, &text));
    }
    let rooms: BTreeSet<String> = sources().iter().filter_map(|(path, _)| room_of(path)).collect();
    wrong.extend(rooms.iter().filter(|r| !table.rows.contains_key(*r)).map(|r| format!("`{r}` has no row in docs/architecture.md")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What resources name may be another user's: it is reached by descriptor, and programs by `system::programs`.
#[test]
fn providers_do_not_reach_paths_by_name() {
    let by_name: Vec<String> = sources().into_iter().filter(|(path, text)| reaches_by_name(path, text)).map(|(path, _)| path).collect();
    assert!(by_name.is_empty(), "use `system::Tree` or `system::programs` instead of `system::named`: {by_name:?}");
    assert!(reaches_by_name("src/provider/x.rs", "use crate::system::{Tree, named};"));
    assert!(reaches_by_name("src/engine/x.rs", "fn f() { crate::system::named::exists(\"/x\") }"));
    assert!(!reaches_by_name("src/input.rs", "use crate::system::named;"));
    assert!(!reaches_by_name("src/provider/x.rs", "fn f(named: bool) { let is_named = named; }"));
}

fn reaches_by_name(path: &str, text: &str) -> bool {
    let is_provider = ["provider", "engine"].iter().any(|room| room_of(path).as_deref() == Some(room));
    let tokens = code(text);
    let uses = tokens.split(|token| *token == Token::Sign(';')).any(|line| {
        let word = |name: &str| line.iter().any(|token| matches!(token, Token::Word(word) if word == name));
        word("use") && word("system") && word("named")
    });
    let named = tokens.windows(3).any(|part| matches!(part, [Token::Word(word), Token::Sign(':'), Token::Sign(':')] if word == "named"));
    is_provider && (uses || named)
}

#[test]
fn the_table_of_rooms_has_no_circle() {
    assert_eq!(Table::read().circle(), None);
}

#[test]
fn names_of_standard_types_stay_out_of_the_code() {
    let names = standard_types();
    assert!(names.len() >= 8, "{names:?}");
    let mut found: BTreeSet<(String, String)> = BTreeSet::new();
    for (path, text) in sources().into_iter().filter(|(p, _)| !p.starts_with(NATIVE)) {
        found.extend(type_names_in(&text, &names).into_iter().map(|name| (path.clone(), name)));
    }
    let known: BTreeSet<(String, String)> = HOMONYMS.iter().map(|(p, n, _)| ((*p).to_owned(), (*n).to_owned())).collect();
    let new: Vec<_> = found.difference(&known).collect();
    assert!(new.is_empty(), "what a type knows belongs into its .rtype file (or, if it is no type's name, into HOMONYMS): {new:?}");
    let gone: Vec<_> = known.difference(&found).collect();
    assert!(gone.is_empty(), "no longer in the code, drop them from HOMONYMS: {gone:?}");
}

#[test]
fn files_stay_short() {
    let long: Vec<String> = sources()
        .iter()
        .map(|(path, text)| (path, text.lines().count()))
        .filter(|(_, lines)| *lines > MAX_LINES)
        .map(|(path, lines)| format!("{path} has {lines} lines, at most {MAX_LINES} are allowed"))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn the_rules_can_fail() {
    let table = Table::parse("| `a` | x | – | yes |\n| `b` | x | `a` | no |\n| `c` | x | everything | no |\n| `system` | x | – | no |\n");
    assert_eq!(
        table.wrong_uses("src/b/mod.rs", "use crate::a::X; // crate::c\n/* crate::c /* */ crate::c */ fn f<'a>() { \"crate::c\"; }").len(),
        0
    );
    assert_eq!(table.wrong_uses("src/a.rs", "fn f() { let c = '\"'; crate::b::g() }").len(), 1);
    assert_eq!(table.wrong_uses("src/a/deep/x.rs", "use crate::{b, c};").len(), 1);
    assert_eq!(table.wrong_uses("src/a.rs", "use super::b;").len(), 1);
    assert_eq!(table.wrong_uses("src/a/mod.rs", "pub use super::b;").len(), 1);
    assert_eq!(table.wrong_uses("src/a/x.rs", "use super::b;").len(), 0);
    assert_eq!(table.wrong_uses("src/a.rs", "#[cfg(test)]\nmod tests {\n use super::*; use crate::b; }\n").len(), 0);
    assert_eq!(table.wrong_uses("src/a.rs", "#![allow(clippy::disallowed_methods, reason = \"\")]").len(), 1);
    assert_eq!(table.wrong_uses("src/b.rs", "#[expect(clippy::disallowed_methods, reason = \"\")]").len(), 1);
    assert_eq!(table.wrong_uses("src/system/mod.rs", "#![allow(clippy::disallowed_methods, reason = \"\")]").len(), 0);
    let table = Table::parse("| `a` | x | `system` | yes |\n| `system` | x | – | no |\n");
    assert_eq!(table.wrong_uses("src/a.rs", "use crate::system;").len(), 1);
    assert_eq!(table.circle(), None);
    assert!(Table::parse("| `a` | x | `b` | yes |\n| `b` | x | `a` | yes |\n").circle().is_some());
    let names = BTreeSet::from(["user".to_owned()]);
    let text = r##"fn f() { g("user"); g("users"); g(r#"user"#); g("User"); /* "user" */ user(); } // "user""##;
    assert_eq!(type_names_in(text, &names), ["user", "user", "user"]);
    assert_eq!(type_names_in("#[cfg(test)]\nmod tests { const A: &str = \"user\"; }", &names).len(), 0);
    assert_eq!(type_names_in("#[cfg(test)]\nmod tests; const A: &str = \"user\";", &names).len(), 1);
}

/// A row of the table in `docs/architecture.md`.
#[derive(Debug)]
struct Room {
    /// `None` for everything.
    may_use: Option<BTreeSet<String>>,
    pure: bool,
}

#[derive(Debug)]
struct Table {
    rows: BTreeMap<String, Room>,
}

impl Table {
    fn read() -> Table {
        let table = Table::parse(&std::fs::read_to_string("docs/architecture.md").unwrap());
        assert!(table.rows.len() >= 10, "the table of rooms is gone");
        table
    }

    fn parse(text: &str) -> Table {
        let row = |line: &str| {
            let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
            let [room, _, uses, pure] = cells[..] else { return None };
            let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<BTreeSet<_>>();
            let may_use = (uses != "everything").then(|| names(uses));
            names(room).into_iter().next().map(|room| (room, Room { may_use, pure: pure == "yes" }))
        };
        Table { rows: text.lines().filter(|l| l.starts_with("| `")).filter_map(row).collect() }
    }

    fn wrong_uses(&self, path: &str, text: &str) -> Vec<String> {
        let Some((name, room)) = room_of(path).and_then(|name| Some((name.clone(), self.rows.get(&name)?))) else { return Vec::new() };
        let tokens = code(text);
        let mut wrong = Vec::new();
        for part in tokens.windows(4) {
            let [Token::Word(first), Token::Sign(':'), Token::Sign(':'), then] = part else { continue };
            match (first.as_str(), then) {
                ("crate", Token::Word(used)) if *used != name && room.may_use.as_ref().is_some_and(|may| !may.contains(used)) => {
                    wrong.push(format!("{path}: `{name}` may not use `{used}`"));
                }
                ("crate", Token::Sign('{')) => wrong.push(format!("{path}: one `use crate::room` each, so that this test can read them")),
                ("crate", Token::Word(used)) if room.pure && used == "system" => {
                    wrong.push(format!("{path}: `{name}` is pure, it may not use `system`"));
                }
                ("clippy", Token::Word(lint)) if lint == "disallowed_methods" && name != "system" => {
                    wrong.push(format!("{path}: only `system` turns this lint off, use its functions"));
                }
                _ => {}
            }
        }
        // From the module at the top of a room, `super` is the crate itself.
        let at_top = path == format!("src/{name}.rs") || path == format!("src/{name}/mod.rs");
        if at_top && tokens.windows(2).any(|t| matches!(t, [Token::Word(a), Token::Word(b)] if a == "use" && b == "super")) {
            wrong.push(format!("{path}: `use super` goes around the table, write `use crate::room`"));
        }
        wrong
    }

    /// Rooms that use each other in a circle.
    fn circle(&self) -> Option<Vec<String>> {
        let mut left: BTreeMap<&String, BTreeSet<&String>> =
            self.rows.iter().map(|(name, room)| (name, room.may_use.iter().flatten().collect())).collect();
        loop {
            let free: Vec<&String> = left.iter().filter(|(_, uses)| uses.iter().all(|u| !left.contains_key(*u))).map(|(n, _)| *n).collect();
            if free.is_empty() {
                return (!left.is_empty()).then(|| left.keys().map(|n| (*n).clone()).collect());
            }
            free.iter().for_each(|name| drop(left.remove(*name)));
        }
    }
}

/// The files of `src/` with their texts; those that hold only tests are left out.
fn sources() -> Vec<(String, String)> {
    fn walk(folder: &Path, out: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, out);
            } else if path.extension().is_some_and(|e| e == "rs") {
                out.push(path);
            }
        }
    }
    let mut paths = Vec::new();
    walk(Path::new("src"), &mut paths);
    paths.sort();
    assert!(paths.len() > 50);
    let only_tests = |p: &PathBuf| p.components().any(|c| c.as_os_str() == "tests" || c.as_os_str() == "tests.rs");
    paths.into_iter().filter(|p| !only_tests(p)).map(|p| (p.to_string_lossy().into_owned(), std::fs::read_to_string(&p).unwrap())).collect()
}

/// The room that a file belongs to; `lib.rs` and `main.rs` belong to none.
fn room_of(path: &str) -> Option<String> {
    let inside = path.strip_prefix("src/")?;
    let room = inside.split_once('/').map_or_else(|| inside.strip_suffix(".rs").unwrap_or(inside), |(room, _)| room);
    (!matches!(room, "lib" | "main")).then(|| room.to_owned())
}

fn standard_types() -> BTreeSet<String> {
    let files = std::fs::read_dir("stdlib-types").unwrap().map(|e| e.unwrap().path());
    let types = files.filter(|p| p.extension().is_some_and(|e| e == "rtype"));
    types.map(|p| p.file_stem().unwrap().to_string_lossy().into_owned()).filter(|n| n != "prelude").collect()
}

/// Strings that are a type's name, as declared or as referred to (`User`).
fn type_names_in(text: &str, names: &BTreeSet<String>) -> Vec<String> {
    let plain = |word: &str| match word.split_at_checked(1) {
        Some((first, rest)) => format!("{}{rest}", first.to_lowercase()),
        None => String::new(),
    };
    let words = code(text).into_iter().filter_map(|t| if let Token::Text(s) = t { Some(plain(&s)) } else { None });
    words.filter(|w| names.contains(w)).collect()
}

/// What code is made of, as far as the rules care.
#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    /// A string without its quotes, escapes as written.
    Text(String),
    Sign(char),
}

/// The tokens of a file without comments and without modules of tests.
fn code(text: &str) -> Vec<Token> {
    let tokens = tokens(text);
    let word = |at: usize, what: &str| matches!(tokens.get(at), Some(Token::Word(w)) if w == what);
    let sign = |at: usize, what: char| tokens.get(at) == Some(&Token::Sign(what));
    let mut out = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        // # [ cfg ( test ) ] mod NAME {
        if sign(at, '#') && word(at + 2, "cfg") && word(at + 4, "test") && sign(at + 6, ']') {
            let start = (at + 7..tokens.len()).find(|i| sign(*i, '{') || sign(*i, ';')).unwrap_or(tokens.len());
            let is_module = (at + 7..start).any(|i| word(i, "mod"));
            if is_module {
                let mut depth = 0;
                at = (start..tokens.len())
                    .find(|i| {
                        depth += i32::from(sign(*i, '{')) - i32::from(sign(*i, '}'));
                        depth == 0
                    })
                    .map_or(tokens.len(), |i| i + 1);
                continue;
            }
        }
        out.push(tokens[at].clone());
        at += 1;
    }
    out
}

fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let mut out = Vec::new();
    let mut at = 0;
    let until = |from: usize, end: &str| {
        let end: Vec<char> = end.chars().collect();
        (from..chars.len()).find(|i| chars[*i..].starts_with(&end)).unwrap_or(chars.len())
    };
    while at < chars.len() {
        let (c, next) = (chars[at], chars.get(at + 1).copied().unwrap_or(' '));
        if c.is_whitespace() {
            at += 1;
        } else if c == '/' && next == '/' {
            at = until(at, "\n");
        } else if c == '/' && next == '*' {
            let mut depth = 1;
            at += 2;
            while at < chars.len() && depth > 0 {
                match (chars[at], chars.get(at + 1)) {
                    ('/', Some('*')) => (depth, at) = (depth + 1, at + 2),
                    ('*', Some('/')) => (depth, at) = (depth - 1, at + 2),
                    _ => at += 1,
                }
            }
        } else if c == 'r' && (next == '"' || next == '#') && raw_hashes(&chars[at + 1..]).is_some() {
            let hashes = raw_hashes(&chars[at + 1..]).unwrap();
            let start = at + hashes + 2;
            let end = until(start, &format!("\"{}", "#".repeat(hashes)));
            out.push(Token::Text(chars[start..end].iter().collect()));
            at = end + hashes + 1;
        } else if c == '"' {
            let start = at + 1;
            at = start;
            while at < chars.len() && chars[at] != '"' {
                at += if chars[at] == '\\' { 2 } else { 1 };
            }
            out.push(Token::Text(chars[start..at.min(chars.len())].iter().collect()));
            at += 1;
        } else if c == '\'' && next == '\\' {
            at = until(at + 3, "'") + 1;
        } else if c == '\'' && chars.get(at + 2) == Some(&'\'') {
            at += 3;
        } else if c.is_alphanumeric() || c == '_' {
            let end = (at..chars.len()).find(|i| !chars[*i].is_alphanumeric() && chars[*i] != '_').unwrap_or(chars.len());
            out.push(Token::Word(chars[at..end].iter().collect()));
            at = end;
        } else {
            out.push(Token::Sign(c));
            at += 1;
        }
    }
    out
}

/// How many `#` stand between `r` and the quote, when a quote follows.
fn raw_hashes(rest: &[char]) -> Option<usize> {
    let hashes = rest.iter().take_while(|c| **c == '#').count();
    (rest.get(hashes) == Some(&'"')).then_some(hashes)
}
