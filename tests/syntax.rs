//! Parsing and printing: fixtures with snapshots, round trips, properties.
//!
//! `syntax/ok` contains sources without errors, `syntax/broken` contains a file per mistake. A snapshot of a broken file shows the line,
//! the underlined code, the message and the help.

use proptest::prelude::*;
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::source::{Source, SourceMap};
use rtype_lang::syntax;
use std::fmt::Write as _;
use std::sync::Arc;

fn source(text: &str) -> Arc<Source> {
    SourceMap::new().add("test", text).unwrap()
}

fn parse(name: &str, text: &str) -> (Arc<Source>, Vec<Diagnostic>, String) {
    let source = source(text);
    if name.ends_with(".pp") {
        let (manifest, diagnostics) = syntax::parse_manifest(&source);
        (source, diagnostics, syntax::manifest_tree(&manifest))
    } else {
        let (ast, diagnostics) = syntax::parse_types(&source);
        (source, diagnostics, syntax::tree(&ast))
    }
}

/// Returns one line per directive, item or statement.
fn lines(tree: &str) -> String {
    let mut out = tree.to_owned();
    for word in ["Directive {", "Type(Declaration", "Provider(Declaration", "Kind(Declaration", "Resource(ResourceDecl", "AttributeDecl {"]
    {
        out = out.replace(word, &format!("\n{word}"));
    }
    out
}

fn show(source: &Source, diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for d in diagnostics {
        let at = source.position(d.span().start);
        let line = source.text().lines().nth(at.line as usize - 1).unwrap_or_default();
        let length = source.slice(d.span()).lines().next().unwrap_or_default().chars().count().max(1);
        let _ = writeln!(out, "{:>3} | {line}", at.line);
        let _ = writeln!(out, "    | {}{}", " ".repeat(at.column as usize - 1), "^".repeat(length));
        let _ = writeln!(out, "{} {}", d.code, d.message);
        for label in &d.labels[1..] {
            let at = source.position(label.span.start);
            let _ = writeln!(out, "  at {}:{}: {}", at.line, at.column, label.text);
        }
        if let Some(help) = &d.help {
            let _ = writeln!(out, "  help: {help}");
        }
        out.push('\n');
    }
    out
}

#[test]
fn valid_fixtures_parse() {
    insta::glob!("syntax/ok/*.{rtype,pp}", |path| {
        let text = std::fs::read_to_string(path).unwrap();
        let (source, diagnostics, tree) = parse(&path.to_string_lossy(), &text);
        assert!(diagnostics.is_empty(), "{}", show(&source, &diagnostics));
        crate::common::assert_fixture(path, &lines(&tree));
    });
}

#[test]
fn mistakes_are_explained() {
    insta::glob!("syntax/broken/*.{rtype,pp}", |path| {
        let text = std::fs::read_to_string(path).unwrap();
        let (source, diagnostics, _) = parse(&path.to_string_lossy(), &text);
        assert!(!diagnostics.is_empty(), "no diagnostic");
        crate::common::assert_fixture(path, &show(&source, &diagnostics));
    });
}

fn round_trip(text: &str) {
    let one = source(text);
    let (ast, diagnostics) = syntax::parse_types(&one);
    assert!(diagnostics.is_empty(), "{}", show(&one, &diagnostics));
    let printed = syntax::print_types(&ast, &one);
    let two = source(&printed);
    let (again, diagnostics) = syntax::parse_types(&two);
    assert!(diagnostics.is_empty(), "{printed}\n{}", show(&two, &diagnostics));
    assert_eq!(syntax::tree(&ast), syntax::tree(&again), "{printed}");
    assert!(syntax::same_tree(&ast, &again));
    let comments = |source: &Source, ast: &syntax::ast::Ast| -> Vec<String> {
        ast.comments.iter().map(|c| source.slice(c.span).trim_end().to_owned()).collect()
    };
    assert_eq!(comments(&one, &ast), comments(&two, &again), "{printed}");
    assert_eq!(syntax::print_types(&again, &two), printed, "printing twice changes nothing");
}

#[test]
fn printed_fixtures_parse_to_the_same_tree() {
    for entry in std::fs::read_dir("tests/syntax/ok").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "rtype") {
            let text = std::fs::read_to_string(path).unwrap();
            round_trip(&text);
            round_trip(&text.replace('\n', "\r\n"));
            round_trip(&format!("\u{FEFF}{text}"));
        }
    }
}

#[test]
fn spans_count_through_all_files_of_a_map() {
    let map = SourceMap::new();
    map.add("first", "something else").unwrap();
    let second = map.add("second", "type mount {\n  newparam :x\n}\n").unwrap();
    let (_, diagnostics) = syntax::parse_types(&second);
    assert_eq!(map.slice(diagnostics[0].span()), ":x");
}

/// Parses a source to at most one error, without a stack overflow.
fn survives(text: &str) -> usize {
    let source = source(text);
    let (ast, diagnostics) = syntax::parse_types(&source);
    let _ = syntax::print_types(&ast, &source);
    let _ = syntax::tree(&ast);
    drop(ast.clone());
    let (manifest, _) = syntax::parse_manifest(&source);
    let _ = syntax::manifest_tree(&manifest);
    diagnostics.len()
}

#[test]
fn hostile_nesting_is_an_error() {
    for part in ["{", "[", "(", "f(", "type a {", "a[", "-> {", "\"#{"] {
        assert_eq!(survives(&part.repeat(100_000)), 1, "{part}");
        assert_eq!(survives(&format!("fn f() {{ x = {} }}", part.repeat(100_000))), 1, "{part}");
    }
    for part in [
        "!",
        "-",
        "- ",
        "not ",
        "a ? ",
        "a ? b : ",
        "a.b",
        ".y",
        "1 + ",
        "a == ",
        "a && ",
        "if ",
        "match ",
        "x = ",
        "return ",
        "do ",
        "elsif x { } ",
        "2 ** ",
        "a => ",
        "x if ",
        "try { ",
    ] {
        survives(&format!("fn f() {{ {} }}", part.repeat(20_000)));
        survives(&format!("fn f() {{ x{} }}", part.repeat(20_000)));
        survives(&part.repeat(20_000));
    }
    survives(&format!("fn f() {{ if x {{ }} {} }}", "elsif x { } ".repeat(20_000)));
}

#[test]
fn the_deepest_allowed_text_parses_on_a_small_stack() {
    for (open, close) in [("[", "]"), ("(", ")"), ("f(", ")"), ("if x { ", " }"), ("x.map { |a| ", " }")] {
        let text = format!("fn f() {{ {}x{} }}", open.repeat(90), close.repeat(90));
        assert_eq!(survives(&text), 0, "{open}");
    }
}

/// Statements and items with too deep nesting are dropped. The type after them is still parsed.
#[test]
fn too_deep_nesting_loses_its_statement_or_item() {
    for (deep, kept) in [
        (format!("fn f() {{\n  x = {}{}\n  last()\n}}", "[".repeat(300), "]".repeat(300)), "\"last\""),
        (format!("fn f() {{\n  x = {}\n  last()\n}}", "f(".repeat(300)), "\"last\""),
        (format!("fn f() {{ x = {}1{} }}", "f(".repeat(300), ")".repeat(300)), "\"f\""),
        (format!("type b {{\n  newparam x {{\n    defaultto {}\n  }}\n  newparam last\n}}", "[".repeat(300)), "\"last\""),
        (format!("fn f() {{\n  {}\n  last()\n}}", "1 + ".repeat(3000) + "1"), "\"last\""),
        (format!("fn f() {{\n  y = \"{}\"\n  last()\n}}", "#{\"".repeat(300)), "\"f\""),
        (format!("fn f() {{\n{}", "if x {\n".repeat(300)), "\"f\""),
        (format!("fn f() {{ {} }}", "if ".repeat(300_000)), ""),
    ] {
        let text = format!("{deep}\ntype after {{\n  newparam x\n}}\n");
        let (source, diagnostics, tree) = parse("x.rtype", &text);
        let shown: String = show(&source, &diagnostics).chars().take(2000).collect();
        assert!(diagnostics.iter().any(|d| d.code.info().id == "RT220"), "{shown}");
        assert!(diagnostics.len() <= 2, "{shown}");
        assert!(tree.contains("\"after\""), "{shown}");
        assert!(tree.contains(kept), "{kept}: {shown}");
    }
}

#[test]
fn ruby_like_text_is_parsed_in_one_pass() {
    for line in
        ["if a\n", "do\n", "x.each do |v|\n", "def x\n", "end\n", "if a\nend\n", "y = if a\n", "case a\n", "/ a\n", "newtype(:a) do\n"]
    {
        let started = std::time::Instant::now();
        survives(&format!("fn f() {{\n{}}}\n", line.repeat(5_000)));
        survives(&line.repeat(5_000));
        assert!(started.elapsed().as_secs() < 10, "{line}");
    }
}

#[test]
fn mistakes_beyond_the_limit_are_counted() {
    let source = source(&format!("type a {{\n{}}}\n", "  newparam :x\n".repeat(3_000)));
    let (_, diagnostics) = syntax::parse_types(&source);
    assert_eq!(diagnostics.len(), 1_001);
    assert_eq!(diagnostics[1_000].message, "2000 more mistakes in this file are not shown");
}

/// Generated trees have no spans, and are printed in the standard style.
#[test]
fn trees_without_spans_are_printed() {
    use rtype_lang::source::Span;
    use syntax::ast::{Ast, Body, Directive, DirectiveBlock, Expr, ExprKind, Ident, Item, Opt};
    let ident = |name: &str| Ident { name: name.into(), span: Span::NONE };
    let word = |name: &str| Expr { kind: ExprKind::Word(name.into()), span: Span::NONE };
    let directive = |name: &str, args: Vec<Expr>, options: Vec<Opt>, block| Directive {
        name: ident(name),
        is_override: false,
        args,
        options,
        condition: None,
        block,
        span: Span::NONE,
    };
    let inner = Body {
        directives: vec![directive("isnamevar", vec![], vec![], None), directive("newvalues", vec![word("a"), word("b")], vec![], None)],
        span: Span::NONE,
    };
    let option = Opt { name: ident("kind"), value: word("text") };
    let body = Body {
        directives: vec![directive("newparam", vec![word("x")], vec![option], Some(DirectiveBlock::Body(inner)))],
        span: Span::NONE,
    };
    let declaration = syntax::ast::Declaration { name: ident("a"), params: vec![], options: vec![], body, span: Span::NONE };
    let ast = Ast { items: vec![Item::Type(declaration)], comments: vec![], span: Span::NONE };
    let printed = syntax::print_types(&ast, &source(""));
    let (_, diagnostics, tree) = parse("x.rtype", &printed);
    assert!(diagnostics.is_empty(), "{printed}");
    assert_eq!(tree, syntax::tree(&ast), "{printed}");
    assert_eq!(printed, "type a {\n  newparam x, kind: text {\n    isnamevar\n    newvalues a, b\n  }\n}\n");
}

#[test]
fn chained_comparisons_are_rejected() {
    for wrong in ["a < b < c", "a == b == c", "a =~ b == c"] {
        assert_eq!(survives(&format!("fn f(a, b, c) {{ {wrong} }}")), 1, "{wrong}");
    }
    assert_eq!(survives("fn f(a, b, c) { (a < b) == c }"), 0);
}

#[test]
fn a_trailing_condition_ends_the_line() {
    let (_, diagnostics, tree) = parse("x.rtype", "fn f(a) { return if a\n  b unless c\n}\n");
    assert!(diagnostics.is_empty());
    assert_eq!(tree.matches("Modified").count(), 2);
}

/// Fragments of the language, valid and invalid.
fn fragments() -> impl Strategy<Value = String> {
    let words = [
        "type a ",
        "provider b, for: a ",
        "newparam x ",
        "newproperty y, kind: z ",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "|v|",
        "\"a #{b} c\"",
        "'x'",
        "\"",
        "'",
        "\"\"\"",
        "/re/s",
        "/",
        ":sym",
        "=>",
        ",",
        ".",
        "?",
        ":",
        "!",
        "-",
        "+",
        "**",
        "&&",
        "||",
        "==",
        "=",
        "+=",
        "if ",
        "unless ",
        "else ",
        "elsif ",
        "match ",
        "try ",
        "fail ",
        "return ",
        "let ",
        "do ",
        "end\n",
        "def ",
        "case ",
        "# comment\n",
        "\n",
        ";",
        " ",
        "\\\n",
        "%w[a b]",
        "%w[",
        "$1",
        "0x1f",
        "1.5",
        "12abc",
        "é",
        "💥",
        "@x",
        "user { 'bob': ensure => present }",
        "test \"x\" {",
        "also {",
        "expect ",
        "title_patterns {",
        "*X",
        "..",
        "fn f(a) ",
        "const A = ",
        "use ",
        "desc ",
        "\"#{",
        "File['x'] -> ",
        "$x = ",
        "class x {",
        "<|",
        "/*",
    ];
    prop::collection::vec(prop::sample::select(words.to_vec()).prop_map(str::to_owned), 0..40).prop_map(|v| v.concat())
}

/// Valid expressions.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(
        &[
            "x",
            "self.x",
            "nil",
            "true",
            "1",
            "-2",
            "1.5",
            "0644",
            ":a",
            ":\"a-b\"",
            "\"t\"",
            "'s'",
            "\"a #{x} b\"",
            "/a\\/b/i",
            "%w[a b]",
            "f()",
            "self.y?",
            "$1",
            "[]",
            "({})",
        ][..],
    )
    .prop_map(str::to_owned);
    leaf.prop_recursive(4, 40, 4, |inner| {
        let op = prop::sample::select(&["+", "-", "*", "%", "**", "&", "&&", "||", "&& # why\n"][..]);
        prop_oneof![
            (inner.clone(), op, inner.clone()).prop_map(|(a, o, b)| format!("{a} {o} {b}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} == {b})")),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(a, b, c)| format!("({a} ? {b} : {c})")),
            inner.clone().prop_map(|a| format!("!({a})")),
            inner.clone().prop_map(|a| format!("({a}).map {{ |v| v }}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("f({a}, k: {b})[0..2]")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("[{a},\n  {b}, # last\n]")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({{a: {a}, \"k\" => {b}}})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("if ({a}) {{ {b} }} else {{ 1 }}")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("match ({a}) {{\n :a | /x/ => {b} # arm\n _ => nil\n}}")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_survived(text in any::<String>()) {
        survives(&text);
    }

    #[test]
    fn any_fragments_are_survived(text in fragments()) {
        survives(&text);
    }

    #[test]
    fn expressions_survive_printing(body in expression()) {
        round_trip(&format!("type a {{\n  # one\n  munge {{ |x|\n    {body} # two\n\n\n    # three\n    x\n  }}\n}}\n# four\n"));
    }

    /// A mistake does not affect the rest of the file.
    #[test]
    fn a_mistake_hides_nothing(bad in prop::sample::select(&["newparam :x", "desc \"a\" \"b\"", "munge do |v| v end", "newvalues é", "x = 1"][..])) {
        let (_, diagnostics, tree) = parse("x.rtype", &format!("type a {{\n  newparam first\n  {bad}\n  newparam last\n}}\n"));
        prop_assert_eq!(diagnostics.len(), 1);
        prop_assert!(tree.contains("\"first\"") && tree.contains("\"last\""));
    }
}
