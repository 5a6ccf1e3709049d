//! Snapshots of the rendered output.

use super::*;
use crate::diagnostics::{Code, Diagnostic, Redactions};
use crate::source::{Source, SourceMap, Span};

/// Returns the span of the `nth` occurrence (from 0) of `needle` in a source.
fn nth(source: &Source, needle: &str, nth: usize) -> Span {
    let (at, _) = source.text().match_indices(needle).nth(nth).unwrap();
    source.span_of(at..at + needle.len())
}

fn plain(diagnostic: &Diagnostic, map: &SourceMap) -> String {
    Renderer::new(Style::Plain).render(diagnostic, map, &Redactions::new())
}

#[test]
fn one_label_with_help() {
    let map = SourceMap::new();
    let s = map
        .add(
            "types/sshkey.rtype",
            "type sshkey {\n  newproperty type {\n    newvalues \"ssh-rsa\"\n    aliasvalue rsa, \"ssh-rsax\"\n  }\n}\n",
        )
        .unwrap();
    let d = Diagnostic::new(
        Code::AliasUnknownValue,
        nth(&s, "\"ssh-rsax\"", 0),
        "alias `rsa` refers to `ssh-rsax`, which is not a value of `type`",
    )
    .label("no such value")
    .help("did you mean `ssh-rsa`?");
    insta::assert_snapshot!("one_label_plain", plain(&d, &map));
    let graphical = Renderer::new(Style::Graphical { color: false });
    insta::assert_snapshot!("one_label_graphical", graphical.render(&d, &map, &Redactions::new()));
    let coloured = Renderer::new(Style::Graphical { color: true }).render(&d, &map, &Redactions::new());
    assert!(coloured.starts_with("\u{1b}["), "{coloured:?}");
    insta::assert_snapshot!("one_label_json", serde_json::to_string_pretty(&to_json(&d, &map)).unwrap());
}

#[test]
fn tabs_wide_letters_and_crlf_keep_the_underline_in_place() {
    let map = SourceMap::new();
    let s = map.add("wide.pp", "user { 'x':\r\n\tcomment => '日本語 😀 é',\tshell => bad,\r\n}\r\n").unwrap();
    let d = Diagnostic::new(Code::InvalidValue, nth(&s, "bad", 0), "`bad` is not a path").label("this").also(nth(&s, "日本語", 0), "wide");
    insta::assert_snapshot!("wide_letters", plain(&d, &map));
}

#[test]
fn the_end_of_a_file_and_an_empty_file_can_be_pointed_at() {
    let map = SourceMap::new();
    let drawn: Vec<_> =
        [("newline.rtype", "type x {\n  desc \"a\"\n"), ("none.rtype", "type x {"), ("crlf.rtype", "type x {\r\n"), ("empty.rtype", "")]
            .into_iter()
            .map(|(name, text)| {
                let s = map.add(name, text).unwrap();
                let end = s.span().end;
                plain(&Diagnostic::new(Code::Unclosed, Span::new(end, end), "`{` is never closed").label("a `}` is missing here"), &map)
            })
            .collect();
    insta::assert_snapshot!("end_of_file", drawn.join("\n"));
}

#[test]
fn labels_in_two_files_and_far_apart() {
    let map = SourceMap::new();
    let a = map.add("a.pp", "user { 'bob':\n  ensure => present,\n}\n").unwrap();
    let filler = "# filler\n".repeat(20);
    let b = map.add("b.pp", format!("user {{ 'bob': }}\n{filler}user {{ 'bob': }}\n")).unwrap();
    let d = Diagnostic::new(Code::DuplicateResource, nth(&b, "'bob'", 1), "`User[bob]` is declared more than once")
        .label("declared again here")
        .also(nth(&a, "'bob'", 0), "first declared here")
        .also(nth(&b, "'bob'", 0), "and here")
        .help("give it another title, or put all attributes into one declaration");
    insta::assert_snapshot!("two_files", plain(&d, &map));
}

#[test]
fn without_a_place_there_is_the_message_and_the_help() {
    let d = Diagnostic::new(Code::CannotRead, Span::NONE, "cannot read `no\u{1b}[31msuch`: there is no such file")
        .help("did you mean `nosuch.pp`?\nor another line");
    insta::assert_snapshot!("no_place", plain(&d, &SourceMap::new()));
}

#[test]
fn long_messages_are_wrapped() {
    let map = SourceMap::new();
    let s = map.add("f.pp", "x").unwrap();
    let words = "a message which goes on and on ".repeat(8);
    let d = Diagnostic::new(Code::Syntax, s.span(), words.trim()).help(words.trim());
    insta::assert_snapshot!("long_message", plain(&d, &map));
}

#[test]
fn secrets_are_masked_wherever_they_are_shown() {
    let map = SourceMap::new();
    let s = map.add("s.pp", "user { 'x':\n  password => Sensitive('hunter2é'), uid => 'x',\n  key => \"one\ntwo\",\n}\n").unwrap();
    let secrets = Redactions::new();
    secrets.add(nth(&s, "'hunter2é'", 0));
    secrets.add(nth(&s, "\"one\ntwo\"", 0));
    let d = Diagnostic::new(Code::InvalidValue, nth(&s, "'x'", 1), "`x` is not a number").label("this");
    for style in [Style::Plain, Style::Graphical { color: true }] {
        let drawn = Renderer::new(style).render(&d, &map, &secrets);
        assert!(!drawn.contains("hunter") && !drawn.contains("one") && !drawn.contains("two"), "{drawn}");
    }
    insta::assert_snapshot!("secrets", Renderer::new(Style::Plain).render(&d, &map, &secrets));
    let whole = Diagnostic::new(Code::InvalidValue, nth(&s, "'hunter2é'", 0), "the value is refused").label("this secret");
    let drawn = Renderer::new(Style::Plain).render(&whole, &map, &secrets);
    assert!(!drawn.contains("hunter"), "{drawn}");
    assert!(!to_json(&whole, &map).to_string().contains("hunter"));
}

#[test]
fn masks_do_not_show_how_long_a_secret_is() {
    let draw = |secret: &str| {
        let map = SourceMap::new();
        let s = map.add("s.pp", format!("user {{ 'x':\n  password => '{secret}', uid => 'x', # not {secret}!\n}}\n")).unwrap();
        let secrets = Redactions::new();
        secrets.add(nth(&s, &format!("'{secret}'"), 0));
        secrets.redactor().add(secret, false);
        let part: String = secret.chars().take(2).collect();
        let d = Diagnostic::new(Code::InvalidValue, nth(&s, "password", 0), "conflict")
            .also(nth(&s, &part, 0), "a part of the secret")
            .also(nth(&s, "uid => 'x'", 0), "after the secret")
            .also(nth(&s, "!", 0), "after the comment");
        Renderer::new(Style::Plain).render(&d, &map, &secrets)
    };
    let drawn = draw("hunter2é");
    assert_eq!(drawn, draw("correct horse battery staple"));
    assert_eq!(drawn, draw("žluť"));
    insta::assert_snapshot!("masks", drawn);
}

#[test]
fn secrets_of_cut_lines_are_masked_where_they_begin_before_the_cut() {
    let map = SourceMap::new();
    let secret = "0123456789abcdef".repeat(6);
    let filler = "\"filler\", ".repeat(100);
    let s = map.add("c.json", format!("[{filler}\"{secret}\", 7, {filler}0]")).unwrap();
    let secrets = Redactions::new();
    secrets.redactor().add(&secret, false);
    let d = Diagnostic::new(Code::BadInput, nth(&s, "7,", 0), "a string is expected").label("a number");
    insta::assert_snapshot!("masked_cut_line", Renderer::new(Style::Plain).render(&d, &map, &secrets));
}

#[test]
fn a_label_over_a_few_lines_is_drawn_a_long_one_shows_its_beginning() {
    let map = SourceMap::new();
    let s = map.add("f.rtype", "type a {\n  desc \"x\"\n}\n").unwrap();
    let few = Diagnostic::new(Code::NamevarMissing, s.span_of(0..s.text().len() - 1), "type `a` has no namevar").label("this type");
    let body = "  newparam x\n".repeat(400);
    let l = map.add("long.rtype", format!("type b {{\n{body}}}\n")).unwrap();
    let long = Diagnostic::new(Code::NamevarMissing, l.span(), "type `b` has no namevar").label("this type");
    insta::assert_snapshot!("several_lines", format!("{}\n{}", plain(&few, &map), plain(&long, &map)));
}

#[test]
fn a_line_of_megabytes_is_cut_around_the_label() {
    let map = SourceMap::new();
    let filler = "{\"type\":\"user\",\"title\":\"é\"},".repeat(40_000);
    let s = map.add("catalog.json", format!("[{filler}{{\"type\":1}},{filler}0]")).unwrap();
    let at = nth(&s, ":1}", 0);
    let d = Diagnostic::new(Code::BadInput, Span::new(at.start + 1, at.start + 2), "a type is a string")
        .label("a number")
        .also(nth(&s, "\"user\"", 3), "such as here");
    let drawn = plain(&d, &map);
    assert!(drawn.len() < 2000);
    insta::assert_snapshot!("cut_line", drawn);
}

#[test]
fn terminal_codes_in_a_source_are_not_printed() {
    let map = SourceMap::new();
    let s = map.add("f.pp", "a \u{1b}[31m \u{202e}b\u{85} \rc\n").unwrap();
    let drawn = plain(&Diagnostic::new(Code::Syntax, nth(&s, "c", 0), "unexpected `\u{1b}c`"), &map);
    assert!(!drawn.chars().any(|c| c != '\n' && is_unprintable(c)), "{drawn:?}");
    insta::assert_snapshot!("terminal_codes", drawn);
}

#[test]
fn any_span_can_be_drawn() {
    // miette has assertions, and no pair of labels may violate them.
    let map = SourceMap::new();
    let texts = ["", "\n", "a", "é\r\n\r\n😀", "a\n\nb\t\n", "\r\r\n\n", &"x".repeat(700)];
    for text in texts {
        let s = map.add("f", text).unwrap();
        let steps: Vec<_> = (0..=text.len() as u32 + 2).filter(|n| *n < 12 || n % 97 == 0).map(|n| s.base() + n).collect();
        for a in &steps {
            for b in &steps {
                let one =
                    Diagnostic::new(Code::Syntax, Span::new(*a, *b), "m").label("one").also(Span::new(*b, b + 1), "two").also(s.span(), "");
                assert!(plain(&one, &map).contains(",-[f:"), "{text:?} {a} {b}");
            }
        }
    }
}

#[test]
fn many_diagnostics_of_a_large_file_are_drawn_in_no_time() {
    let map = SourceMap::new();
    let s = map.add("large.pp", "user { 'x': ensure => present }\n".repeat(320_000)).unwrap();
    let started = std::time::Instant::now();
    let renderer = Renderer::new(Style::Plain);
    for i in 0..1000 {
        let at = 32 * 300 * i;
        let d = Diagnostic::new(Code::InvalidValue, s.span_of(at..at + 4), "m").label("l");
        renderer.render(&d, &map, &Redactions::new());
    }
    assert!(started.elapsed() < std::time::Duration::from_secs(5), "{:?}", started.elapsed());
}

#[test]
fn a_summary_counts() {
    let map = SourceMap::new();
    let (a, b) = (map.add("a", "x").unwrap(), map.add("b", "x").unwrap());
    let of = |code, source: &Source| Diagnostic::new(code, source.span(), "m");
    let all = [of(Code::Syntax, &a), of(Code::Syntax, &a), of(Code::Syntax, &b), of(Code::Deprecated, &b)];
    assert_eq!(summary(&all, &map).unwrap(), "3 errors, 1 warning in 2 files");
    assert_eq!(summary(&all[..1], &map).unwrap(), "1 error in 1 file");
    assert_eq!(summary(&[Diagnostic::new(Code::TypeShadowed, Span::NONE, "m")], &map).unwrap(), "1 note");
    assert_eq!(summary([], &map), None);
}

#[test]
fn a_long_message_is_shown_by_its_ends() {
    let map = SourceMap::new();
    let message = format!("`{}` is not allowed", "é".repeat(1_000_000));
    let d = Diagnostic::new(Code::InvalidValue, Span::NONE, message);
    let drawn = Renderer::new(Style::Plain).render(&d, &map, &Redactions::new());
    assert!(drawn.len() < 20_000 && drawn.contains('…') && drawn.contains("allowed"), "{}", drawn.len());
}
