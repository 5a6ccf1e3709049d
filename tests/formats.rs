//! The output formats contain the same findings, are valid against their schemas, and show no secrets or control characters.
//!
//! The snapshots (`snapshots/it__formats__*.snap.*`) are complete files, so that other tools can read them.

use clap::ValueEnum;
use rtype_author::check::format::{Format, Results, render};
use rtype_author::check::{Checked, Finding, explain, page};
use rtype_lang::diagnostics::{Code, Diagnostic, Edit, Redactions, Renderer, Severity, Style};
use rtype_lang::source::{Source, SourceMap, Span};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::sync::Arc;

const DOOR: &str =
    "type door {\n  newproperty lock { newvalues /\\A🔒|b\\Z/ } # 🚪\n  newparam key {\n    required\n    defaultto 'x'\n  }\n}\n";
const SITE: &str = "user { 'bob':\n  password => 'hunter2',\n  mode     => 644,\n}\n";
/// A name with all special characters of the formats.
const ODD: &str = "odd/100%, a:b <&\"'>\u{1b}[1m 🦀/x y.rtype";

/// Findings of all kinds.
struct Case {
    sources: SourceMap,
    secrets: Redactions,
    checked: Checked,
}

fn span(source: &Source, needle: &str) -> Span {
    let at = source.text().find(needle).unwrap();
    source.span_of(at..at + needle.len())
}

fn edit(source: &Source, needle: &str, text: &str) -> Edit {
    Edit { span: span(source, needle), text: text.into() }
}

fn case() -> Case {
    let sources = SourceMap::new();
    let add = |name: &str, text: &str| -> Arc<Source> { sources.add(name, text).unwrap() };
    let door = add("types/door.rtype", DOOR);
    let odd = add(ODD, "type odd {\r\n\tnewparam name\r\n}");
    let site = add("site.pp", SITE);
    let up = add("../up.pp", "x");
    let full = add("/etc/a b.pp", "x");
    let stdin = add("<stdin>", "x");
    let standard = add("<rtype>/user.rtype", "type user { }\n");
    let secrets = Redactions::new();
    secrets.add(span(&site, "hunter2"));

    let after_emoji = Diagnostic::new(Code::RegexTrailingNewline, span(&door, "\\Z"), "`\\Z` lets a newline through")
        .label("before the last newline, too")
        .help("write `\\z`")
        .fix("write `\\z`", span(&door, "\\Z"), "\\z");
    let lines = Diagnostic::new(Code::DefaultAndRequired, span(&door, "newparam key {\n    required\n    defaultto 'x'\n  }"), "both")
        .also(span(&door, "lock"), "as here")
        .also(span(&standard, "user"), "")
        .fixes("drop `required`", false, vec![edit(&door, "    required\n", ""), edit(&door, "'x'", "'🔑'")]);
    let two_files = Diagnostic::new(Code::Naming, span(&door, "door"), "{0} of 100% are\nnames, e.g. [a](b): <&\"'>\u{1b}\u{ffff}\u{202e}")
        .help("a, b: c\r\nd ]]>")
        .fixes("rename", true, vec![edit(&door, "door", "gate"), edit(&odd, "odd", "even")]);
    let in_odd = Diagnostic::new(Code::UnusedSuppression, span(&odd, "\tnewparam"), "a tab");
    let at_end = Diagnostic::new(Code::Unclosed, odd.span_of(odd.text().len()..odd.text().len()), "the file ends");
    let secret = Diagnostic::new(Code::SecretLiteral, span(&site, "'hunter2'"), "the file contains a secret").fix(
        "take it away",
        span(&site, "'hunter2'"),
        "Sensitive('hunter2')",
    );
    // The unchanged lines around the changes contain the secret.
    let around = Diagnostic::new(Code::ModeAsNumber, span(&site, "644"), "the mode is a number").fixes(
        "quote it",
        true,
        vec![edit(&site, "644", "'0644'"), edit(&site, "'bob'", "\"bob\"")],
    );
    let unreadable = Diagnostic::new(Code::CannotRead, Span::NONE, "cannot read `no\u{7}where`").help("check the path");
    let elsewhere = |source: &Arc<Source>| Diagnostic::new(Code::UnknownType, source.span(), "unknown type `x`");

    let mut count = 0;
    let mut finding = |mut diagnostic: Diagnostic, item: &str, severity: Option<Severity>| {
        count += 1;
        diagnostic.severity = severity.unwrap_or(diagnostic.severity);
        Finding { diagnostic, fingerprint: format!("{count:032x}"), item: item.into(), scope: rtype_lang::source::Span::NONE }
    };
    let findings = vec![
        finding(unreadable, "", None),
        finding(two_files, "type door", Some(Severity::Error)),
        finding(after_emoji, "type door/newproperty lock", None),
        finding(lines, "type door/newparam key", None),
        finding(in_odd, "type odd", None),
        finding(at_end, "", None),
        finding(secret, "", None),
        finding(around, "", Some(Severity::Note)),
        finding(elsewhere(&up), "", None),
        finding(elsewhere(&full), "", None),
        finding(elsewhere(&stdin), "", None),
    ];
    let silenced = |needle: &str| Diagnostic::new(Code::FeatureUnused, span(&door, needle), "it is unused");
    let suppressed = vec![
        (finding(silenced("lock"), "type door", None), Some("the next version does, \u{1b}honestly".into())),
        (finding(silenced("key"), "type door", None), None),
    ];
    let files = [ODD, "types/clean.rtype", "types/door.rtype", "site.pp", "../up.pp", "/etc/a b.pp", "<stdin>"];
    let checked = Checked { findings, suppressed, files: files.map(str::to_owned).to_vec(), ..Checked::default() };
    Case { sources, secrets, checked }
}

fn rendered(format: Format, case: &Case) -> String {
    let results = Results { checked: &case.checked, sources: &case.sources, secrets: &case.secrets, remarks: &[] };
    render(format, &results, &Renderer::new(Style::Plain)).replace(env!("CARGO_PKG_VERSION"), "0.0.0")
}

fn nothing(files: &[&str]) -> Case {
    let checked = Checked { files: files.iter().map(ToString::to_string).collect(), ..Checked::default() };
    Case { sources: SourceMap::new(), secrets: Redactions::new(), checked }
}

fn extension(format: Format) -> &'static str {
    match format {
        Format::Full | Format::Concise | Format::Github => "txt",
        Format::Jsonl => "jsonl",
        Format::Json | Format::Gitlab | Format::Sarif | Format::Rdjson => "json",
        Format::Junit | Format::Checkstyle => "xml",
    }
}

fn name(format: Format) -> String {
    format.to_possible_value().unwrap().get_name().to_owned()
}

/// Removes the pages of codes, which have separate tests.
fn without_pages(format: Format, text: String) -> String {
    if format != Format::Sarif {
        return text;
    }
    let mut log: Json = serde_json::from_str(&text).unwrap();
    for list in ["rules", "notifications"] {
        for descriptor in log["runs"][0]["tool"]["driver"][list].as_array_mut().unwrap() {
            for text in ["shortDescription", "fullDescription", "help"] {
                descriptor[text].as_object_mut().unwrap().values_mut().for_each(|v| *v = "[..]".into());
            }
        }
    }
    format!("{}\n", serde_json::to_string_pretty(&log).unwrap())
}

#[test]
fn each_format_reports_the_same_findings() {
    let case = case();
    for format in Format::value_variants() {
        let (name, text) = (name(*format), without_pages(*format, rendered(*format, &case)));
        assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{name}");
        insta::assert_binary_snapshot!(&format!("{name}.{}", extension(*format)), text.into_bytes());
    }
}

/// Returns the case with a limit of three findings.
fn limited() -> Case {
    let mut case = case();
    case.checked.limit(3, &case.sources);
    case
}

#[test]
fn hidden_findings_are_counted() {
    let (whole, limited) = (case(), limited());
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        assert_eq!(limited.checked.count(severity), whole.checked.count(severity));
    }
    let last_line = |case: &Case| rendered(Format::Full, case).lines().last().unwrap().to_owned();
    assert_eq!(last_line(&limited), last_line(&whole));
    // Notes do not displace errors.
    assert!(limited.checked.findings.iter().take(3).all(|f| f.diagnostic.severity >= Severity::Warning));
    for format in Format::value_variants() {
        let text = without_pages(*format, rendered(*format, &limited));
        assert!(text.contains("not shown"), "{}", name(*format));
        insta::assert_binary_snapshot!(&format!("limited-{}.{}", name(*format), extension(*format)), text.into_bytes());
    }
}

#[test]
fn a_clean_run_is_reported_as_clean() {
    for format in Format::value_variants() {
        let text = rendered(*format, &nothing(&["a.rtype", "b.pp"]));
        insta::assert_binary_snapshot!(&format!("clean-{}.{}", name(*format), extension(*format)), text.into_bytes());
    }
    // An empty report is also valid. It is checked against the schemas below.
    assert_eq!(rendered(Format::Full, &nothing(&[])), "checked nothing, nothing found\n");
}

#[test]
fn no_format_shows_secrets_or_control_characters() {
    let case = case();
    for format in Format::value_variants() {
        let text = rendered(*format, &case);
        assert!(!text.contains("hunter2"), "{}", name(*format));
        // JSON escapes control characters itself and is not written to terminals.
        let acted_upon = |c: char| (c.is_control() && c != '\n') || (c == '\u{202e}' && !name(*format).contains("json"));
        assert_eq!(text.chars().find(|c| acted_upon(*c)), None, "{}", name(*format));
        assert_eq!(text, rendered(*format, &case));
    }
}

fn validate(schema: &str, pointer: &str, instance: &Json) {
    // A pattern in the official SARIF schema has an unmatched bracket. rtype does not write the member with this pattern.
    let text = std::fs::read_to_string(schema).unwrap().replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}?$");
    let mut schema: Json = serde_json::from_str(&text).unwrap();
    if !pointer.is_empty() {
        schema.as_object_mut().unwrap().retain(|key, _| key.starts_with('$'));
        schema.as_object_mut().unwrap().insert("$ref".into(), pointer.into());
    }
    let validator = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
    let wrong: Vec<String> = validator.iter_errors(instance).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn json_formats_match_their_schemas() {
    let schemas = [
        (Format::Json, "docs/check.schema.json"),
        (Format::Sarif, "tests/schemas/sarif-2.1.0.json"),
        (Format::Rdjson, "tests/schemas/rdjson.json"),
        (Format::Gitlab, "tests/schemas/gitlab-codequality.json"),
    ];
    for case in [case(), limited(), nothing(&["a.rtype"]), nothing(&[])] {
        for (format, schema) in schemas {
            validate(schema, "", &serde_json::from_str(&rendered(format, &case)).unwrap());
        }
        for line in rendered(Format::Jsonl, &case).lines() {
            validate("docs/check.schema.json", "#/$defs/finding", &serde_json::from_str(line).unwrap());
        }
    }
}

#[test]
#[should_panic(expected = "startLine")]
fn schemas_reject_invalid_output() {
    let mut log: Json = serde_json::from_str(&rendered(Format::Sarif, &case())).unwrap();
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0.into();
    validate("tests/schemas/sarif-2.1.0.json", "", &log);
}

/// Rules of SARIF beyond its schema.
#[test]
fn sarif_references_resolve() {
    let log: Json = serde_json::from_str(&rendered(Format::Sarif, &case())).unwrap();
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for result in run["results"].as_array().unwrap() {
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
    }
    let told: BTreeSet<_> = run["results"].as_array().unwrap().iter().map(|r| r["ruleId"].as_str().unwrap()).collect();
    assert_eq!(told.len(), rules.len());
    let rule = rules.iter().find(|r| r["id"] == "RT012").unwrap();
    assert_eq!(rule["help"]["text"], page(Code::RegexTrailingNewline).unwrap());
    assert_eq!(rule["help"]["markdown"], explain(Code::RegexTrailingNewline).unwrap());
    let (short, full) = (rule["shortDescription"]["text"].as_str().unwrap(), rule["fullDescription"]["text"].as_str().unwrap());
    assert!(
        short.starts_with("Reports ") && short.ends_with('.') && full.starts_with(short) && full.len() > short.len(),
        "{short}\n{full}"
    );
    assert!(run["invocations"][0]["toolExecutionNotifications"].is_array());
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
}

#[test]
fn xml_is_well_formed_and_keeps_text() {
    let case = case();
    let text = rendered(Format::Checkstyle, &case);
    let document = roxmltree::Document::parse(&text).unwrap();
    let files: Vec<_> = document.root_element().children().filter(|n| n.has_tag_name("file")).collect();
    assert_eq!(files.len(), 8);
    let errors = document.descendants().filter(|n| n.has_tag_name("error"));
    let messages: Vec<_> = errors.map(|e| e.attribute("message").unwrap()).collect();
    assert_eq!(messages.len(), case.checked.findings.len());
    assert!(messages.contains(&"`\\Z` lets a newline through\nbefore the last newline, too\nhelp: write `\\z`"));
    let text = rendered(Format::Junit, &case);
    let document = roxmltree::Document::parse(&text).unwrap();
    let count = |tag: &str| document.descendants().filter(|n| n.has_tag_name(tag)).count().to_string();
    let suite = document.descendants().find(|n| n.has_tag_name("testsuite")).unwrap();
    assert_eq!(suite.attribute("tests"), Some(count("testcase").as_str()));
    assert_eq!(suite.attribute("failures"), Some(count("failure").as_str()));
}

/// GitHub's runner unescapes these characters.
#[test]
fn github_commands_are_escaped() {
    let case = case();
    let text = rendered(Format::Github, &case);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), case.checked.findings.len());
    for line in lines {
        let (head, _) = line.strip_prefix("::").unwrap().split_once("::").unwrap();
        let (command, properties) = head.split_once(' ').unwrap();
        assert!(["error", "warning", "notice"].contains(&command));
        for property in properties.split(',') {
            let (key, value) = property.split_once('=').unwrap();
            assert!(["file", "line", "endLine", "col", "endColumn", "title"].contains(&key), "{line}");
            assert!(!value.contains(':'), "{line}");
        }
    }
}
