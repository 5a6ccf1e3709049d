//! The parser against recorded results of Puppet, mistakes with their messages, and hostile texts.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice, reason = "tests may panic")]

use flate2::read::GzDecoder;
use rtype_lang::source::SourceMap;
use rtype_manifest::syntax::token::TokenKind;
use rtype_manifest::syntax::{Form, Parsed, parse, pn};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Read as _;

fn parsed(text: &str) -> Parsed {
    parse(&SourceMap::new().add("site.pp", text).unwrap(), Form::Manifest)
}

fn errors(text: &str) -> Vec<(u32, String)> {
    let source = SourceMap::new().add("site.pp", text).unwrap();
    let parsed = parse(&source, Form::Manifest);
    parsed.diagnostics.iter().filter(|d| d.is_error()).map(|d| (source.line(d.span().start), d.message.clone())).collect()
}

fn records(name: &str) -> Vec<Value> {
    let file = std::fs::File::open(format!("{}/tests/recorded/{name}.jsonl.gz", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Compares trees; numbers by their value.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b))),
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        _ => a == b,
    }
}

/// Cases whose first error is on another line than Puppet's, on purpose.
const BETTER_LINES: &[&str] = &[
    // At the start of the heredoc, not at its text.
    "parse.wrong.299",
];

fn outcome(text: &str, expected: &Value) -> &'static str {
    let found = errors(text);
    let error = &expected["error"];
    if error.is_null() {
        return if found.is_empty() && same(&pn(&parsed(text).tree), &expected["ast"]) { "agree" } else { "disagree" };
    }
    // These are errors of the recorder, not of Puppet's parser.
    if error["message"].as_str().is_some_and(|message| message.contains("undefined method `Literal'")) {
        return if found.is_empty() { "unrecorded" } else { "disagree" };
    }
    let logs = expected["logs"].as_array().map(Vec::as_slice).unwrap_or_default();
    let lines = || logs.iter().filter(|log| log["level"] == "err").find_map(|log| log["line"].as_u64());
    match (found.first(), error["line"].as_u64().or_else(lines)) {
        (None, _) => "disagree",
        (Some((line, _)), Some(expected)) if u64::from(*line) != expected => "deviate",
        _ => "agree",
    }
}

#[test]
fn recorded_results_of_puppet_agree() {
    for (name, count) in [("parse", 472), ("precedence", 71)] {
        let results = records(&format!("{name}.results"));
        let results: BTreeMap<&str, &Value> = results.iter().map(|r| (r["id"].as_str().unwrap(), r)).collect();
        let cases = records(&format!("{name}.cases"));
        assert_eq!(cases.len(), count);
        for case in cases {
            let (id, code) = (case["id"].as_str().unwrap(), case["code"].as_str().unwrap());
            let outcome = outcome(code, results[id]);
            let is_expected = matches!(outcome, "agree" | "unrecorded") || outcome == "deviate" && BETTER_LINES.contains(&id);
            assert!(is_expected, "{id}: {outcome}\n{code}\n{:#?}\n{}", errors(code), results[id]);
        }
    }
}

#[test]
fn mistakes_are_explained() {
    for (text, expected) in [
        ("file { '/a' ensure => file }", "missing `:` after the title '/a'"),
        ("file { '/a', ensure => file }", "expected `:` after the title '/a', found `,`"),
        ("file { '/a': ensure = file }", "expected `=>` after `ensure`, found `=`"),
        ("file { '/a': ensure: file }", "expected `=>` after `ensure`, found `:`"),
        ("file { '/a': ensure => file mode => '0644' }", "missing comma before `mode`"),
        ("file { /a/b: ensure => file }", "paths must be quoted"),
        ("file { '/a': source => puppet:///modules/a }", "URLs must be quoted"),
        ("file { ensure => file }", "missing title of the resource `file`"),
        ("class a ($x $y) { }", "missing comma before `$y`"),
        ("class a (x) { }", "parameter `x` has no `$`"),
        ("class a (string $x) { }", "`string` is not a type: types begin with a capital letter"),
        ("class a (String $x { }", "missing `)` after the parameters"),
        ("class A { }", "invalid name `A`: segments are lower-case words"),
        ("class { }", "unexpected `}`"),
        ("define { }", "missing name after `define`"),
        ("if $a { } else if $b { }", "`else if` is not a keyword"),
        ("if $a && $b { }", "unknown operator `&&`"),
        ("if $a || $b { }", "unknown operator `||`"),
        ("if $a then { }", "`then` is not a keyword"),
        ("if { }", "missing condition after `if`"),
        ("else { }", "`else` without a matching `if`"),
        ("case $a { 'b': notice('c') }", "expected `{` after `:`, found `notice`"),
        ("$x = $a ? { 'b': 1 }", "expected `=>` after `'b'`, found `:`"),
        ("x = 1", "`x` is not a variable"),
        ("$x += 1", "`+=` was removed in Puppet 4"),
        ("$x = [1 2]", "missing comma before `2`"),
        ("$x = 'a", "unclosed string: no closing `'` follows"),
        ("$x = \"a ${b\"", "unclosed interpolation: no `}` follows"),
        ("$x = 08", "`08` is not an octal number: numbers that begin with 0 have digits from 0 to 7"),
        ("$x = 99999999999999999999", "integer `99999999999999999999` is out of range, the largest is 9223372036854775807"),
        ("$x = @(END)\ntext", "unclosed heredoc: no line ends it with `END`"),
        ("notify { 'a': }}", "unmatched `}`"),
        ("notify { 'a': message => ['b'}", "expected `]`, found `}`"),
        ("plan a($x) { }", "plans are run by Bolt; they are not supported in manifests"),
        ("define a { class b { } }", "classes, defined types and nodes can only be defined at the top level of a file or inside a class"),
        ("class a($x, $x) { }", "duplicate parameter `$x`"),
        ("5 notice('a')", "unused value: this number has no effect"),
        ("$x = /a(b/", "invalid regex: this group is not closed"),
        ("type A = [B, C]", "expected a type after `=`, found an array"),
        ("$x = { a => 1, a => 2 }", ""),
    ] {
        let messages = errors(text);
        let first = messages.first().map_or("", |(_, message)| message);
        assert_eq!(first, expected, "{text}: {messages:?}");
    }
}

#[test]
fn several_mistakes_are_reported_once_each() {
    let text = "class a {\n  file { '/a': ensure = file }\n  $x = [1 2]\n  notify { 'ok': }\n  if $a { } else if $b { }\n}\n\nclass b {\n  $y = \n}\nclass c { }\n";
    let lines: Vec<u32> = errors(text).iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [2, 3, 5, 10], "{:#?}", errors(text));
    let tree = pn(&parsed(text).tree).to_string();
    for rest in ["\"ok\"", "\"c\""] {
        assert!(tree.contains(rest), "{rest} is missing in {tree}");
    }
}

#[test]
fn a_missing_brace_is_reported_where_it_is_missing() {
    let text = "class a {\n  if $x {\n    notice('a')\n\n  notice('b')\n}\n\nclass b {\n  notice('c')\n}\n";
    assert_eq!(errors(text).first().map(|(line, message)| (*line, message.as_str())), Some((2, "unclosed `{`")), "{:#?}", errors(text));
}

#[test]
fn parts_of_programs_parse_without_panic() {
    for case in records("parse.cases") {
        let code = case["code"].as_str().unwrap();
        let step = if code.len() > 100 { 11 } else { 1 };
        let ends = code.char_indices().map(|(at, _)| at).step_by(step);
        for end in ends {
            parsed(&code[..end]);
            parsed(&code[end..]);
            parse(&SourceMap::new().add("a.epp", &code[end..]).unwrap(), Form::Template);
        }
    }
}

#[test]
fn tokens_and_comments_cover_the_text() {
    for case in records("parse.cases") {
        let code = case["code"].as_str().unwrap();
        if code.contains("@(") {
            continue;
        }
        let tokens = parsed(code).tokens;
        let mut covered: Vec<(u32, u32)> = tokens.tokens.iter().map(|t| (t.start, t.end)).collect();
        covered.extend(tokens.comments.iter().map(|c| (c.start, c.end)));
        covered.sort_unstable();
        let mut end = 0;
        for (from, to) in covered {
            assert!(end <= from, "tokens overlap at {from}: {code}");
            // The brace at the end of an interpolation belongs to no token.
            let gap = code[end as usize..from as usize].replace('}', "");
            assert!(gap.trim().is_empty(), "`{gap}` has no token: {code}");
            end = to;
        }
        assert!(code[end as usize..].trim().is_empty(), "no token at the end: {code}");
    }
}

#[test]
fn deep_and_long_texts_are_refused_or_parsed() {
    for (part, count) in
        [("[", 5000), ("(", 100), ("{ a => ", 5000), ("!", 5000), ("- ", 400), ("\"${", 5000), ("f(", 5000), ("if 1 { ", 5000)]
    {
        assert!(!errors(&part.repeat(count)).is_empty(), "{part}");
    }
    assert!(errors(&format!("$x = {}1", "1 + ".repeat(400))).is_empty());
    assert!(!errors(&format!("$x = {}1", "1 + ".repeat(100_000))).is_empty());
    assert!(errors(&format!("$x = {}1{}", "[".repeat(150), "]".repeat(150))).is_empty());
    // Each of these took time that grew with the square of the length, or worse.
    for part in ["\\\"\n", "\\'\n", "\\/", "@(", "x => ", "08 ", "} ", "{ } } "] {
        assert!(!errors(&part.repeat(30_000)).is_empty(), "{part}");
    }
    assert!(errors(&format!("$x = {}1{}", "A[".repeat(40), " => 1]".repeat(40))).is_empty());
    let nested = format!("{}{}", "<%= { f() |$x| { %>".repeat(20), "<% } } %>".repeat(20));
    parse(&SourceMap::new().add("a.epp", nested).unwrap(), Form::Template);
    let long = "notify { 'a': message => 'b' }\n".repeat(20_000);
    assert!(errors(&long).is_empty());
}

#[test]
fn heredocs_and_interpolation_have_their_values() {
    for (text, expected) in [
        ("$x = @(END)\n  a\n  b\n  | END\n", "a\nb\n"),
        ("$x = @(END)\n  a\n   b\n  |- END\n", "a\n b"),
        ("$x = @(END)\na\\tb\nEND\n", "a\\tb\n"),
        ("$x = @(END/t)\na\\tb\\\\\nEND\n", "a\tb\\\n"),
        ("$x = @(END/L)\na\\\nb\nEND\n", "ab\n"),
        ("$x = 'it\\'s \\n'", "it's \\n"),
        ("$x = \"\\u0041\\u{1F600}\\s\\$\"", "A😀 $"),
        ("$x = \"a$-b\"", "a$-b"),
    ] {
        let tree = pn(&parsed(text).tree).to_string();
        let expected = serde_json::to_string(expected).unwrap();
        assert!(tree.contains(&expected), "{text}: {tree} does not contain {expected}");
    }
    let two = parsed("f(@(A), @(\"B\"))\na\nA\nb ${c}\nB\n");
    assert_eq!(two.tokens.tokens.iter().filter(|t| t.kind == TokenKind::Heredoc).count(), 2);
    assert!(two.diagnostics.is_empty());
}

/// Parses all manifests and templates of Debian's modules. The trees must equal the trees of Puppet's parser.
#[test]
#[ignore = "needs Puppet and Debian's modules in /usr/share/puppet/modules.available"]
fn debian_manifests_have_puppets_trees() {
    let mut files = Vec::new();
    let mut directories = vec![std::path::PathBuf::from("/usr/share/puppet/modules.available")];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|e| e == "pp" || e == "epp") {
                files.push(path.to_str().unwrap().to_owned());
            }
        }
    }
    files.sort();
    assert!(!files.is_empty());
    let list = std::env::temp_dir().join(format!("manifests-{}", std::process::id()));
    std::fs::write(&list, files.join("\n") + "\n").unwrap();
    let recorder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pn.rb");
    let output = std::process::Command::new("ruby").arg(recorder).stdin(std::fs::File::open(&list).unwrap()).output().unwrap();
    std::fs::remove_file(&list).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut different = Vec::new();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let file = record["file"].as_str().unwrap();
        let form = if file.ends_with(".epp") { Form::Template } else { Form::Manifest };
        let parsed = parse(&SourceMap::new().add(file, std::fs::read_to_string(file).unwrap()).unwrap(), form);
        let has_error = parsed.diagnostics.iter().any(|d| d.is_error());
        let is_same = if record["error"].is_null() { same(&pn(&parsed.tree), &record["ast"]) } else { has_error };
        if !is_same {
            different.push(file.to_owned());
        }
    }
    assert!(different.is_empty(), "{} of {} files: {different:#?}", different.len(), files.len());
}
