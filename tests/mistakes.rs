//! Mistakes of authors. Each mistake causes exactly one finding, and the finding suggests the correct code.
//!
//! `mistakes/*.txt` contain type files with a mistake each, after a line `### title`.

use crate::common;
use rtype_author::check::{self, Input, Selection};
use rtype_lang::diagnostics::{Diagnostic, Profile};
use rtype_lang::eval::UnknownWorld;
use rtype_lang::library::TypeSet;
use rtype_provider::NativeProviders;
use std::fmt::Write as _;
use std::path::Path;

/// Returns the findings in a type file with the default profile.
fn findings(text: &str) -> (TypeSet, Vec<Diagnostic>) {
    let library = rtype::app::input::types_in(Vec::new());
    let name = text.lines().find_map(|line| line.strip_prefix("type ")?.split([' ', '{', ',']).next()).unwrap_or("a");
    let source = library.sources.add(format!("{name}.rtype"), text).unwrap();
    checked(&[Input::Types(source, None)], library)
}

/// Returns the findings in the inputs with the default profile.
fn checked(inputs: &[Input], mut library: TypeSet) -> (TypeSet, Vec<Diagnostic>) {
    let selection = Selection { profile: Profile::Default, ..Selection::default() };
    let checked = check::run(inputs, Vec::new(), &mut library, &NativeProviders::standard(), &UnknownWorld, &selection);
    (library, checked.findings.into_iter().map(|finding| finding.diagnostic).collect())
}

#[test]
fn each_mistake_gives_one_finding_with_a_way_out() {
    insta::glob!("mistakes/*.txt", |path| {
        let (mut shown, mut wrong) = (String::new(), String::new());
        for case in std::fs::read_to_string(path).unwrap().split("### ").skip(1) {
            let (title, text) = case.split_once('\n').unwrap();
            let (library, found) = findings(text);
            let output = common::show(&found, &library.sources);
            if found.len() != 1 || found[0].help.is_none() {
                writeln!(wrong, "### {title}: {} findings\n{text}{output}", found.len()).unwrap();
            }
            writeln!(shown, "### {title}\n{output}").unwrap();
        }
        assert!(wrong.is_empty(), "{wrong}");
        common::assert_fixture(path, &shown);
    });
}

/// Correct type files, each written with other features of the language, have no finding, and their tests pass.
#[test]
fn correct_files_have_no_finding() {
    insta::glob!("correct/*.rtype", |path| {
        let (library, found) = findings_in(path);
        assert!(found.is_empty(), "{}: {}", path.display(), common::show(&found, &library.sources));
    });
    let tested = assert_cmd::Command::cargo_bin("rtype").unwrap().args(["test", "tests/correct"]).output().unwrap();
    assert!(tested.status.success(), "{}", String::from_utf8_lossy(&tested.stdout));
}

/// Returns the findings in a file, which may use other files of its directory.
fn findings_in(path: &Path) -> (TypeSet, Vec<Diagnostic>) {
    let directory = path.parent().unwrap();
    let library = rtype::app::input::types_in(vec![directory.to_owned()]);
    let source = library.sources.add(path.display().to_string(), std::fs::read_to_string(path).unwrap()).unwrap();
    checked(&[Input::Types(source, Some(path.to_owned()))], library)
}

/// Invisible characters and unusual blanks, with the replacement that the fix writes.
const INVISIBLE: &[(char, &str)] = &[
    ('\u{A0}', " "),
    ('\u{1680}', " "),
    ('\u{2000}', " "),
    ('\u{2003}', " "),
    ('\u{2007}', " "),
    ('\u{2009}', " "),
    ('\u{202F}', " "),
    ('\u{205F}', " "),
    ('\u{3000}', " "),
    ('\u{2028}', " "),
    ('\u{2029}', " "),
    ('\u{85}', " "),
    ('\u{AD}', ""),
    ('\u{200B}', ""),
    ('\u{200C}', ""),
    ('\u{200D}', ""),
    ('\u{200E}', ""),
    ('\u{200F}', ""),
    ('\u{202A}', ""),
    ('\u{202E}', ""),
    ('\u{2060}', ""),
    ('\u{2066}', ""),
    ('\u{2069}', ""),
    ('\u{FEFF}', ""),
];

#[test]
fn invisible_characters_are_named_and_can_be_fixed() {
    let places = [
        "type a {\n@ newparam name\n}\n",
        "type a {\n  newparam@ name\n}\n",
        "type a {\n  newparam name\n  newproperty size {@ munge { |v| v.strip } }\n}\n",
        "type a {\n  newparam name\n  newproperty size { munge { |v| v ==@ \"a\" ? \"b\" : v } }\n}\n",
    ];
    let mut wrong = String::new();
    for (character, replacement) in INVISIBLE {
        for place in places {
            let text = place.replace('@', &character.to_string());
            let (library, found) = findings(&text);
            let number = format!("U+{:04X}", u32::from(*character));
            let is_named = matches!(found.as_slice(), [one] if one.message.contains(&number));
            let is_fixed = found.iter().filter_map(|one| one.fix.as_ref()).flat_map(|fix| &fix.edits).any(|edit| edit.text == *replacement);
            if !is_named || !is_fixed {
                writeln!(wrong, "{number} in {place:?}:\n{}", common::show(&found, &library.sources)).unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn words_in_capitals_that_resemble_no_constant_are_text() {
    let cases = [
        ("const KINDS = 1", "defaultto KB"),
        ("const KB = 1024", "newvalues GB, MB"),
        ("const SHA1 = 1", "newvalues SHA2, SHA256"),
        ("const LIMIT = 1", "newvalues RED, GREEN, Limited"),
        ("const LARGE = \"x\"", "defaultto \"LARGR\""),
        ("const DEBIAN = \"x\"", "defaultto Debian"),
        ("const HTTP = 1", "newvalues HTTPS, SHTTP"),
        ("const ACCEPT = 1", "newvalues EXCEPT"),
        ("const FORWARD = 1", "newvalues FORWARDS"),
    ];
    for (constant, directive) in cases {
        let (library, found) = findings(&format!("{constant}\ntype a {{\n  newparam name\n  newproperty size {{ {directive} }}\n}}\n"));
        let unknown: Vec<_> = found.into_iter().filter(|one| one.is_error()).collect();
        assert!(unknown.is_empty(), "{}", common::show(&unknown, &library.sources));
    }
}

#[test]
fn line_separators_between_statements_become_line_breaks() {
    for separator in ['\u{85}', '\u{2028}', '\u{2029}'] {
        let places = [
            "type a {\n  newparam name@  newproperty size\n}\n",
            "type a {\n  newparam name\n  newproperty size { munge { |v|\n    let n = v.strip@    n\n  } }\n}\n",
            "type a {\n  newparam name\n  newproperty size { defaultto 5 }@}\n",
        ];
        for place in places {
            let text = place.replace('@', &separator.to_string());
            let (library, found) = findings(&text);
            let edit = found.first().and_then(|one| one.fix.as_ref()).and_then(|fix| fix.edits.first());
            let is_right = found.len() == 1 && edit.is_some_and(|edit| edit.text == "\n");
            assert!(is_right, "{place:?}\n{}", common::show(&found, &library.sources));
            assert!(findings(&place.replace('@', "\n")).1.is_empty(), "{place:?} is wrong after the fix");
        }
    }
}

#[test]
fn invisible_blanks_in_data_are_named() {
    for (character, _) in INVISIBLE {
        // The YAML parser reads these characters as line breaks, and JSON and YAML files may begin with a byte order mark.
        if matches!(character, '\u{85}' | '\u{2028}' | '\u{2029}') {
            continue;
        }
        for (name, text) in [
            ("a.yaml", "file:\n@ /tmp/x:\n    mode: '0644'\n"),
            ("a.yaml", "file:\n  /tmp/x:\n    mode@: '0644'\n"),
            ("a.yaml", "file:\n  /tmp/x:\n    mode:@'0644'\n"),
            ("a.yaml", "file:\n  /tmp/x:\n    mode: @file\n"),
            ("a.json", "[{\"type\":@\"file\", \"title\": \"/tmp/x\"}]"),
            ("a.json", "[{\"type\": \"file\",@ \"title\": \"/tmp/x\"}]"),
            ("a.json", "[{\"type\": \"file\", \"title\": \"/tmp/x\"}]@"),
        ] {
            // Invisible characters without width may be part of a value in YAML.
            if name == "a.yaml" && !character.is_whitespace() {
                continue;
            }
            let mut library = rtype::app::input::types_in(Vec::new());
            let source = library.sources.add(name, text.replace('@', &character.to_string())).unwrap();
            let inputs = [Input::Resources(source)];
            let natives = NativeProviders::standard();
            let checked = check::run(&inputs, Vec::new(), &mut library, &natives, &UnknownWorld, &Selection::default());
            let found: Vec<_> = checked.findings.into_iter().map(|finding| finding.diagnostic).collect();
            let number = format!("U+{:04X}", u32::from(*character));
            let is_named = matches!(found.as_slice(), [one] if one.message.contains(&number));
            assert!(is_named, "{number} in {name} {text:?}:\n{}", common::show(&found, &library.sources));
        }
    }
}

/// Wide spaces between letters belong to the value. Errors next to them have other causes, and the values are accepted.
#[test]
fn wide_spaces_in_texts_of_yaml_are_no_mistakes() {
    let cases = [
        ("user:\n  bob:\n    comment: 東京\u{3000}太郎\n    shell /bin/sh\n", Some("expected `key: value`")),
        ("user:\n  bob:\n    comment: 担当:\u{3000}山田\n", None),
        ("user:\n  bob:\n    comment: A\u{A0}B\n", None),
    ];
    for (text, expected) in cases {
        let mut library = rtype::app::input::types_in(Vec::new());
        let source = library.sources.add("a.yaml", text.to_owned()).unwrap();
        let natives = NativeProviders::standard();
        let checked = check::run(&[Input::Resources(source)], Vec::new(), &mut library, &natives, &UnknownWorld, &Selection::default());
        let found: Vec<_> = checked.findings.into_iter().map(|finding| finding.diagnostic).collect();
        let is_expected = match expected {
            Some(message) => matches!(found.as_slice(), [one] if one.message.contains(message)),
            None => found.is_empty(),
        };
        assert!(is_expected, "{text}\n{}", common::show(&found, &library.sources));
    }
}

#[test]
fn typographic_punctuation_is_replaced_by_ascii() {
    let cases = [
        ("munge { |v| v.to_i – 1 }", "-"),
        ("munge { |v| v.to_i − 1 }", "-"),
        ("munge { |v| v.to_i × 2 }", "*"),
        ("munge { |v| v.sub（\"a\", \"b\") }", "("),
        ("munge { |v| v ＝= \"a\" }", "="),
        ("munge { |v| [1， 2] }", ","),
    ];
    for (block, meant) in cases {
        let (library, found) = findings(&format!("type a {{\n  newparam name\n  newproperty size {{ {block} }}\n}}\n"));
        let shown = common::show(&found, &library.sources);
        assert!(found.first().is_some_and(|one| one.help.as_ref().unwrap().to_string() == format!("write `{meant}`")), "{block}\n{shown}");
    }
}

/// Places of a regex or a string, each with a line on which it is not closed.
const UNCLOSED_PLACES: &[(&str, &str)] = &[
    ("/\"'", "type a {\n  newparam name\n  newproperty size {\n    newvalues @\n  }\n}\n"),
    ("/\"'", "type a {\n  newparam name\n  newproperty size { newvalues @ }\n}\n"),
    ("\"'", "type a {\n  newparam name\n  newproperty size {\n    desc @\n  }\n}\n"),
    ("/", "type a {\n  newparam name\n  newproperty size {\n    validate { |v|\n      fail \"no\" unless v =~ @\n    }\n  }\n}\n"),
    ("/", "type a {\n  newparam name\n  newproperty size { validate { |v| fail \"no\" unless v =~ @ } }\n}\n"),
    ("/\"'", "type a {\n  newparam name\n  newproperty size { munge { |v| v.sub(@, \"x\") } }\n}\n"),
    ("/\"'", "type a {\n  newparam name\n  newproperty size { munge { |v| v.split(@) } }\n}\n"),
    (
        "/\"'",
        "type a {\n  newparam name\n  newproperty size {\n    munge { |v|\n      match v {\n        @ => \"x\"\n        _ => v\n      }\n    }\n  }\n}\n",
    ),
    ("/\"'", "const K = [@, \"b\"]\ntype a {\n  newparam name\n  newproperty size { munge { |v| K.include?(v) } }\n}\n"),
    ("/", "type a {\n  newparam name\n  title_patterns {\n    @ => name\n  }\n}\n"),
    ("/", "type a {\n  newparam name { matches @, \"bad\" }\n}\n"),
];

#[test]
fn an_unclosed_regex_or_string_with_other_delimiters_is_one_error() {
    let inside = [
        "", "(", "[", "{", "(x)", "[x]", "{x}", "(?<n>x)", "[(]", "\"", "'", "/", "|", "%w[", "a b", "\\(", ")", "]", "}", "x)(", "(x",
        "a, (b", "#",
    ];
    let mut wrong = String::new();
    for (delimiters, place) in UNCLOSED_PLACES {
        for delimiter in delimiters.chars() {
            for inside in inside.iter().filter(|inside| !inside.contains(delimiter)) {
                let text = place.replace('@', &format!("{delimiter}a{inside}b"));
                let (library, found) = findings(&text);
                if found.len() != 1 || found[0].help.is_none() {
                    writeln!(wrong, "{} findings\n{text}{}", found.len(), common::show(&found, &library.sources)).unwrap();
                }
            }
        }
    }
    for line in ["newvalues \"a#{b", "desc \"a#{b.c", "defaultto \"#{b(1)"] {
        let (library, found) =
            findings(&format!("type a {{\n  newparam name\n  newproperty size {{\n    {line}\n  }}\n  newparam other\n}}\n"));
        if found.len() != 1 {
            writeln!(wrong, "{line}\n{}", common::show(&found, &library.sources)).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn interpolations_over_lines_and_patterns_with_arrows_are_no_mistakes() {
    for value in
        ["\"a #{\n      v\n    } b\"", "\"#{[v].map { |x|\n      x\n    }.join}\"", "\"#{v\n    }\"", "\"#{\n  {\"a\" => v}[\"a\"]\n}\""]
    {
        let (library, found) =
            findings(&format!("type a {{\n  newparam name\n  newproperty size {{ munge {{ |v|\n    {value}\n  }} }}\n}}\n"));
        let errors: Vec<_> = found.into_iter().filter(Diagnostic::is_error).collect();
        assert!(errors.is_empty(), "{value}\n{}", common::show(&errors, &library.sources));
    }
    let arms = "\"a => \" => \"x\"\n        /a => b/ => \"y\"\n        \" => \" | \"b\" => \"z\"\n        _ => v";
    let (library, found) = findings(&format!(
        "type a {{\n  newparam name\n  newproperty size {{\n    munge {{ |v|\n      match v {{\n        {arms}\n      }}\n    }}\n  }}\n}}\n"
    ));
    let errors: Vec<_> = found.into_iter().filter(Diagnostic::is_error).collect();
    assert!(errors.is_empty(), "{}", common::show(&errors, &library.sources));
}
