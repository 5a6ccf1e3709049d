//! The tree for Ruby files: the printed tree has the source's meaning, and layout and comments do not matter.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice, reason = "tests may panic")]

use rtype_ruby::hir::{BodyId, CommentPlacement, ExprId, Hir, HirError, HirKind, ParseSettings, Visitor, print, print_expr, walk_body};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn parse(text: &str) -> Hir {
    Hir::parse(text, &ParseSettings::default()).unwrap_or_else(|error| panic!("{error:?}: {text}"))
}

/// Returns the snippets in all groups, with the recorded printed tree and the recorded output.
fn recorded() -> Vec<(String, String, String)> {
    let mut all = Vec::new();
    let mut paths: Vec<PathBuf> = std::fs::read_dir("tests/snippets").unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|e| e == "rb")) {
        let text = std::fs::read_to_string(path).unwrap();
        let rows: Vec<serde_json::Value> = serde_json::from_str(&std::fs::read_to_string(path.with_extension("json")).unwrap()).unwrap();
        let snippets: Vec<&str> = text.split("\n# --\n").collect();
        assert_eq!(snippets.len(), rows.len(), "{path:?}: run tests/record.rb");
        for (snippet, row) in snippets.into_iter().zip(rows) {
            let field = |name: &str| row[name].as_str().unwrap().to_owned();
            all.push((snippet.to_owned(), field("printed"), field("output")));
        }
    }
    all
}

/// When `tests/record.rb` ran, Ruby printed the same for the printed trees and for the sources.
#[test]
fn printed_trees_are_those_that_ruby_ran() {
    let all = recorded();
    assert!(all.len() >= 400, "{}", all.len());
    let changed: Vec<String> = all
        .iter()
        .filter(|(text, printed, _)| print(&parse(text)) != *printed)
        .map(|(text, ..)| format!("{text}\n{}", print(&parse(text))))
        .collect();
    assert!(changed.is_empty(), "run tests/record.rb, and look at what Ruby prints:\n{}", changed.join("\n\n"));
}

fn ruby_files(directory: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            ruby_files(&path, out);
        } else if path.extension().is_some_and(|e| e == "rb") {
            out.push(path);
        }
    }
}

/// Collects the offsets at which statements begin.
#[derive(Default)]
struct Starts(BTreeSet<usize>);

impl Visitor for Starts {
    fn enter(&mut self, hir: &Hir, body: BodyId, expr: ExprId) -> bool {
        let body = hir.body(body).unwrap();
        if let HirKind::Seq(list) = body.kind(expr) {
            self.0.extend(list.iter().map(|id| body.expr(*id).origin.start as usize));
        }
        true
    }
}

/// Inserts a comment and an empty line before each statement at a line's start.
fn with_comments(text: &str, hir: &Hir) -> String {
    let mut starts = Starts::default();
    walk_body(hir, hir.main(), &mut starts);
    let mut changed = text.to_owned();
    for start in starts.0.into_iter().rev() {
        let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
        if line > 0 && text[line..start].trim().is_empty() {
            changed.insert_str(line, "\n  # a comment: @other = should || \"x\"\n");
        }
    }
    changed
}

#[test]
fn layout_and_comments_do_not_change_the_tree() {
    let mut files = Vec::new();
    ruby_files(Path::new("../../tests/import"), &mut files);
    ruby_files(Path::new("../../tests/ruby"), &mut files);
    files.sort();
    let mut compared = 0;
    for path in &files {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let Ok(hir) = Hir::parse(&text, &ParseSettings::default()) else { continue };
        let printed = print(&hir);
        assert_eq!(print(&parse(&with_comments(&text, &hir))), printed, "{path:?}: comments");
        // The printed test for `nil` is a call in the second tree.
        let again = print(&parse(&printed)).replace("(nil).equal?(", "nil.equal?(");
        assert_eq!(again, printed, "{path:?}: layout");
        compared += 1;
    }
    assert!(compared >= 80, "{compared}");
}

#[test]
fn comments_belong_to_statements() {
    let hir = parse("# Licence.\n\n# About x.\nx = 1 # one\nfoo do\n  # inside\n  bar\nend\n# last\n");
    let text = |at: usize| {
        let comment = &hir.comments[at];
        let of = comment.statement.map(|(body, expr)| print_expr(&hir, body, expr));
        (comment.text.to_string(), comment.placement, of)
    };
    let before = CommentPlacement::Before;
    assert_eq!(text(0), ("# Licence.".into(), before, Some("(x = 1)".into())));
    assert_eq!(text(1), ("# About x.".into(), before, Some("(x = 1)".into())));
    assert_eq!(text(2), ("# one".into(), CommentPlacement::Trailing, Some("(x = 1)".into())));
    assert_eq!(text(3), ("# inside".into(), before, Some("bar".into())));
    assert_eq!(text(4), ("# last".into(), before, None));
}

#[test]
fn captured_variables_are_marked() {
    let hir = parse("a = 1\nb = 2\nfoo { |c| a + c }\n");
    let main = hir.body(hir.main()).unwrap();
    let captured: Vec<(&str, bool)> = main.locals.iter().map(|(_, local)| (&*local.name, local.is_captured)).collect();
    assert_eq!(captured, [("a", true), ("b", false)]);
}

#[test]
fn given_names_are_local_variables() {
    let settings = ParseSettings { locals: vec!["title".into()], ..ParseSettings::default() };
    let hir = Hir::parse("title + other", &settings).unwrap();
    assert_eq!(print(&hir), "(title).+(other)\n");
    let main = hir.body(hir.main()).unwrap();
    assert_eq!(main.locals.len(), 1);
}

#[test]
fn unsupported_syntax_is_the_smallest_expression() {
    for (text, printed) in [
        ("x = [1, 2r]", "(x = [1, raise(NotImplementedError, \"rational number\")])\n"),
        ("foo(3i)", "foo(raise(NotImplementedError, \"imaginary number\"))\n"),
        ("a if (b == 1)..(b == 2)", "(if raise(NotImplementedError, \"flip-flop\") then\n  a\nelse\n  nil\nend)\n"),
        ("alias $new $old", "raise(NotImplementedError, \"alias of a global variable\")\n"),
    ] {
        assert_eq!(print(&parse(text)), printed);
    }
}

#[test]
fn syntax_errors_have_a_place() {
    let Err(HirError::Syntax { origin, .. }) = Hir::parse("x = 1\ny = (", &ParseSettings::default()) else { panic!() };
    assert!(origin.start >= 9, "{origin:?}");
    assert!(matches!(Hir::parse(&"a\n".repeat(1 << 20), &ParseSettings::default()), Err(HirError::TooLarge(_))));
}

/// Nesting and long chains need no stack from the caller, and time proportional to their length.
#[test]
fn deep_code_has_a_tree() {
    let deep = [
        format!("x = {}1{}", "[".repeat(3_000), "]".repeat(3_000)),
        format!("x = {}1{}", "(".repeat(3_000), ")".repeat(3_000)),
        format!("x = a{}", ".b".repeat(40_000)),
        format!("x = 1{}", " + 1".repeat(40_000)),
        format!("x = a{}", "&.b".repeat(20_000)),
        format!("x = \"a\"{}", " \"b\"".repeat(5_000)),
        format!("{}1{}", "if a\n".repeat(2_000), "\nend".repeat(2_000)),
        "x = 1\n".repeat(50_000),
        format!("x = [{}]", "1, ".repeat(100_000)),
    ];
    for text in deep {
        let start = std::time::Instant::now();
        if let Ok(hir) = Hir::parse(&text, &ParseSettings::default()) {
            let printed = print(&hir);
            assert!(!printed.is_empty());
        }
        assert!(start.elapsed().as_secs() < 20, "{:?} for {}", start.elapsed(), &text[..20]);
    }
}
