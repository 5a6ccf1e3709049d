//! Tests with the fixtures in `tests/fixtures/manifest`: each file's declarations and diagnostics.

use super::*;
use rtype_lang::diagnostics::{Renderer, Style};
use rtype_lang::eval::World;
use rtype_lang::source::SourceMap;
use rtype_lang::value::{EcoString, Value, inspect};
use std::fmt::Write;

/// A simulated machine with two facts.
struct Debian;

impl World for Debian {
    fn fact(&self, path: &str) -> Value {
        match path {
            "kernel" => Value::str("Linux"),
            "os.family" => Value::str("Debian"),
            "os" => Value::Map(std::sync::Arc::new([(Value::str("family"), Value::str("Debian"))].into_iter().collect())),
            _ => Value::Nil,
        }
    }
    fn feature(&self, _: &str) -> bool {
        false
    }
    fn setting(&self, _: &str) -> Value {
        Value::Nil
    }
    fn which(&self, _: &str) -> Option<String> {
        None
    }
    fn exists(&self, _: &str) -> bool {
        false
    }
    fn current_user(&self) -> Option<EcoString> {
        None
    }
    fn uid_of(&self, _: &str) -> Option<i64> {
        None
    }
    fn gid_of(&self, _: &str) -> Option<i64> {
        None
    }
    fn home_dir(&self, _: &str) -> Option<EcoString> {
        None
    }
    fn service_port(&self, _: &str, _: &str) -> Option<i64> {
        None
    }
}

fn load(name: &str, text: &str) -> (SourceMap, Declarations, Vec<Diagnostic>) {
    let map = SourceMap::new();
    let source = map.add(name, text).unwrap();
    let (found, diagnostics) = match DataFormat::of(name) {
        Some(format) => from_data(&source, format),
        None => {
            let (ast, mut diagnostics) = rtype_lang::syntax::parse_manifest(&source);
            let (found, more) = from_manifest(&ast, &Debian);
            diagnostics.extend(more);
            (found, diagnostics)
        }
    };
    (map, found, diagnostics)
}

/// Returns the start of the first line in a span, to check spans.
fn words(map: &SourceMap, span: rtype_lang::source::Span) -> String {
    let text = map.slice(span);
    let first: String = text.lines().next().unwrap_or_default().chars().take(40).collect();
    if first.len() < text.len() { format!("{first} …") } else { first }
}

fn declared(out: &mut String, map: &SourceMap, d: &Declared) {
    let _ = writeln!(
        out,
        "{} `{}` `{}` at {}",
        d.reference(),
        words(map, d.type_span),
        words(map, d.title_span),
        map.locate(d.span).unwrap_or_default()
    );
    for (name, given) in &d.attributes {
        let marks = format!("{}{}", if given.is_default { " (default)" } else { "" }, if given.sensitive { " (secret)" } else { "" });
        let place = if given.sensitive { "…".into() } else { words(map, given.span) };
        let _ = writeln!(out, "  {name} = {}{marks}  `{}` `{place}`", inspect(&given.value), words(map, given.name_span));
    }
}

fn dump(map: &SourceMap, found: &Declarations, diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for d in &found.resources {
        declared(&mut out, map, d);
        if let Some(origin) = found.origin(d.title_span) {
            let _ = writeln!(out, "  written at {origin}");
        }
    }
    for e in &found.edges {
        let _ = writeln!(out, "{:?}: {} then {}  `{}`", e.kind, e.from, e.to, words(map, e.span));
    }
    for c in &found.containers {
        let inside: Vec<_> = c.contains.iter().map(ToString::to_string).collect();
        let _ = write!(out, "container ");
        declared(&mut out, map, &c.declared);
        let _ = writeln!(out, "  contains {}", inside.join(", "));
    }
    let renderer = Renderer::new(Style::Plain);
    for d in diagnostics {
        let _ = write!(out, "\n{}", renderer.render(d, map, &found.secrets));
    }
    out
}

#[test]
fn fixtures_are_read_as_their_snapshots_say() {
    insta::glob!("../../../../tests/fixtures/manifest", "*.*", |path| {
        let text = std::fs::read_to_string(path).unwrap();
        let (map, found, diagnostics) = load(path.file_name().unwrap().to_str().unwrap(), &text);
        let shown = dump(&map, &found, &diagnostics);
        assert!(!shown.contains("hunter2"), "{shown}");
        insta::assert_snapshot!(shown);
    });
}

#[test]
fn deep_nesting_and_alias_bombs_are_errors() {
    let code = |name: &str, text: String| {
        let (_, _, diagnostics) = load(name, &text);
        diagnostics.first().unwrap().code.to_string()
    };
    let open = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    assert_eq!(code("f.json", open(101 + 1)), "RT220");
    assert_eq!(code("f.json", open(100_000)), "RT220");
    assert_eq!(code("f.json", "{\"a\":".repeat(100_000)), "RT220");
    assert_eq!(code("f.yaml", open(100_000)), "RT220");
    assert_eq!(code("f.yaml", open(120)), "RT220");
    let mut bomb = String::from("a: &a [x, x, x, x, x, x, x, x, x]\n");
    for (from, to) in ('a'..'i').zip('b'..='i') {
        bomb.push_str(&format!("{to}: &{to} [*{from}, *{from}, *{from}, *{from}, *{from}, *{from}, *{from}, *{from}, *{from}]\n"));
    }
    assert_eq!(code("f.yaml", bomb), "RT405");
}

#[test]
fn json_numbers_and_strings_are_read_as_serde_json_does() {
    for text in [
        "0",
        "-0",
        "12",
        "-3",
        "1.5",
        "1e3",
        "-1.5E-3",
        "9223372036854775807",
        "\"a\\u00e9\\n\\\"\"",
        "\"\\ud83d\\ude00\"",
        "[ ]",
        "{ }",
        "null",
        " true ",
    ] {
        let map = SourceMap::new();
        let source = map.add("f.json", text).unwrap();
        let ours =
            rich::value(&parse_json(&source, 0).unwrap(), &mut Default::default(), &mut rtype_lang::diagnostics::Findings::default());
        let theirs: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_value(&ours).unwrap().as_f64(), theirs.as_f64(), "{text}");
        if theirs.as_f64().is_none() {
            assert_eq!(serde_json::to_value(&ours).unwrap(), theirs, "{text}");
        }
    }
    for text in [
        "01",
        "1.",
        ".5",
        "-",
        "1e",
        "+1",
        "--1",
        "1e999",
        "\"\\ud83d\"",
        "\"\t\"",
        "tru",
        "[1,]",
        "{\"a\" 1}",
        "{\"a\":1 \"b\":2}",
        "",
        "[1 2]",
        "\"\\",
    ] {
        let map = SourceMap::new();
        let source = map.add("f.json", text).unwrap();
        assert!(parse_json(&source, 0).is_err(), "{text}");
        assert!(serde_json::from_str::<serde_json::Value>(text).is_err(), "{text}");
    }
}

#[test]
fn integers_beyond_64_bits_are_errors() {
    let given = |name: &str, value: &str| {
        load(name, &format!("{{\"type\": \"notify\", \"title\": \"a\", \"parameters\": {{\"message\": {value}}}}}")).2
    };
    for value in ["9223372036854775808", "-9223372036854775809", "[1, 184467440737095516160]"] {
        for name in ["f.json", "f.yaml"] {
            let found = given(name, value);
            assert!(found.iter().any(|d| d.message.ends_with("does not fit into 64 bits")), "{name} {value}: {found:?}");
        }
    }
    for value in ["9223372036854775807", "-9223372036854775808", "1e30", "123456789012345678901.5"] {
        for name in ["f.json", "f.yaml"] {
            assert!(given(name, value).is_empty(), "{name} {value}");
        }
    }
}

#[test]
fn a_printed_resource_looks_as_puppet_prints_it() {
    let text = include_str!("../../../../tests/fixtures/manifest/puppet-resource.pp");
    let (_, found, _) = load("f.pp", text);
    let shown: Vec<_> = found.resources.iter().map(PrintedResource::from).collect();
    // The fixture contains the output from `puppet resource user root`.
    assert_eq!(to_puppet(&shown), text);
    let yaml = to_yaml(&shown);
    insta::assert_snapshot!("printed_root", yaml);
}

/// Returns a resource with values that are hard to print.
fn hard() -> Vec<PrintedResource> {
    let map = |pairs: &[(Value, Value)]| Value::Map(std::sync::Arc::new(pairs.iter().cloned().collect()));
    let resource = |t: &str, title: &str| {
        Value::Resource(std::sync::Arc::new(rtype_lang::value::ResourceRef { type_name: t.into(), title: title.into() }))
    };
    let attributes = [
        ("uid", Value::Int(-5)),
        ("ensure", Value::sym("present")),
        ("float", Value::Float(1.5)),
        ("large", Value::Float(1e20)),
        ("quote", Value::str("it's \"x\" \\ $y #{z} \\\\ \\")),
        ("control", Value::str("a\nb\t\u{1b}\r\u{7f}\u{85}")),
        ("wide", Value::str("日本語 😀 é")),
        ("mode", Value::str("0644")),
        (
            "words",
            Value::array(
                [
                    "yes", "null", "~", "", " x", "x ", "a: b", "# c", "-", "? x", "1e3", "0x1f", "12:30:00", "&a", "*a", "!t", "{", "[",
                    "]", ",", "%", "@", "`",
                ]
                .map(Value::str),
            ),
        ),
        ("empty_list", Value::array([])),
        ("empty_map", map(&[])),
        ("flags", Value::array([Value::Bool(true), Value::Bool(false), Value::Nil])),
        ("nested", Value::array([Value::array([Value::Int(1)]), Value::array([])])),
        (
            "map",
            map(&[
                (Value::str("a b"), Value::array([map(&[(Value::str("c"), Value::Int(1))])])),
                (Value::str("yes"), map(&[(Value::str("d"), Value::str("e"))])),
            ]),
        ),
        ("nothing", Value::Nil),
        ("require", resource("user", "bob's")),
        ("before", Value::array([resource("foo::bar", "x [y]")])),
        ("password", Value::Sensitive(std::sync::Arc::new(Value::str("hunter2")))),
        ("inner", Value::array([Value::Sensitive(std::sync::Arc::new(Value::str("hunter2")))])),
        ("later", Value::Unknown),
    ];
    let attributes = attributes.into_iter().map(|(n, v)| (n.into(), v)).collect();
    vec![
        PrintedResource { type_name: "foo::bar".into(), title: "it's \\ a title".into(), attributes },
        PrintedResource { type_name: "user".into(), title: "0".into(), attributes: Vec::new() },
    ]
}

/// Returns the resources expected after reading back: no secrets and unknowns, symbols as strings, sorted.
fn expected(resources: &[PrintedResource]) -> Vec<PrintedResource> {
    let all = resources.iter().map(|r| {
        let mut attributes: Vec<_> =
            r.attributes.iter().filter(|(_, v)| !v.is_nil() && !v.has_secret() && !v.has_unknown()).cloned().collect();
        attributes.iter_mut().for_each(|(_, v)| {
            if let Value::Sym(s) = v {
                *v = Value::Str(s.text())
            }
        });
        attributes.sort_by_key(|(n, _)| (n != "ensure", n.clone()));
        PrintedResource { attributes, ..r.clone() }
    });
    all.collect()
}

fn read_back(name: &str, text: &str) -> Vec<PrintedResource> {
    let (map, found, diagnostics) = load(name, text);
    assert_eq!(diagnostics, [], "{text}\n{}", dump(&map, &found, &diagnostics));
    found.resources.iter().map(PrintedResource::from).collect()
}

#[test]
fn what_is_printed_can_be_read_back() {
    let resources = hard();
    let forms = [
        ("f.pp", to_puppet(&resources)),
        ("f.json", serde_json::to_string_pretty(&to_json(&resources)).unwrap()),
        ("f.yaml", to_yaml(&resources)),
    ];
    for (name, text) in &forms {
        assert!(!text.contains("hunter2"), "{text}");
        assert_eq!(expected(&read_back(name, text)), expected(&resources), "{text}");
    }
    insta::assert_snapshot!("printed_forms", forms.map(|(_, text)| text).join("\n"));
}

proptest::proptest! {
    #[test]
    fn any_text_survives_printing(text in "\\PC{0,12}|[ -~\\n\\t]{0,8}|[a-z0-9:#'\"\\\\ ,*&!~.-]{0,6}") {
        let title = if text.is_empty() { "x".into() } else { text.clone() };
        let shown = vec![PrintedResource {
            type_name: "notify".into(),
            title: title.as_str().into(),
            attributes: vec![("message".into(), Value::str(text.as_str())), ("list".into(), Value::array([Value::str(text.as_str())]))],
        }];
        for (name, printed) in [("f.pp", to_puppet(&shown)), ("f.yaml", to_yaml(&shown)), ("f.json", to_json(&shown).to_string())] {
            proptest::prop_assert_eq!(expected(&read_back(name, &printed)), expected(&shown), "{}", printed);
        }
    }

    #[test]
    fn no_text_makes_it_panic(text in "[\\[\\]{}:,\"'a1 \\n\\\\*&-]{0,60}") {
        for name in ["f.json", "f.yaml"] {
            let (map, found, diagnostics) = load(name, &text);
            dump(&map, &found, &diagnostics);
        }
    }
}
#[test]
fn secrets_of_aliases_are_redacted_where_they_are_written() {
    let text = "- {type: x, title: a, parameters: {open: &p hunter2}}\n- {type: x, title: b, parameters: {k: {__ptype: Sensitive, __pvalue: *p}}}\n";
    let (map, found, _) = load("f.yaml", text);
    let source = map.iter().next().unwrap();
    let at = source.text().find("hunter2").unwrap();
    assert!(found.secrets.touches(source.span_of(at..at + 7)));
}

#[test]
fn what_a_text_is_written_in_can_be_guessed() {
    let json = [
        "\u{1b}[mNotice: Compiled catalog for web1 in 0.1 seconds\u{1b}[0m\n{\"name\": 1}",
        "{}",
        " [\n {\"type\": 1}]",
        "\u{feff}{\"user\": {}}",
        "[]",
    ];
    let yaml = ["---\nuser:\n", "# c\nuser:\n  root:\n", "- type: user\n", "--- []"];
    let puppet = [
        "user { 'x': }",
        "[File['/a']] -> File['/b']",
        "File { mode => 1 }",
        "",
        "# c\n\nuser { 'a':\n}",
        "foo::bar { 'x': }",
        "user {\n 'x':\n}",
    ];
    for (texts, format) in [(&json[..], Some(DataFormat::Json)), (&yaml, Some(DataFormat::Yaml)), (&puppet, None)] {
        texts.iter().for_each(|text| assert_eq!(DataFormat::guess(text), format, "{text}"));
    }
}
