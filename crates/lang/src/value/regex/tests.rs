use super::*;

fn re(source: &str) -> Regex {
    Regex::new(source, Flags::default()).unwrap()
}

#[test]
fn the_ends_of_the_text_unless_lines_are_meant() {
    assert!(!re("^b").is_match("a\nb"));
    assert!(re("(?m:^b$)").is_match("a\nb\nc"));
    assert!(!re("a$").is_match("a\n"));
    assert!(re("(?m:^a$)|^c$").is_match("a\nb"));
    assert!(!re("(?m:^a$)|^b$").is_match("x\nb"));
}

#[test]
fn bad_patterns_say_what_and_where() {
    for (source, message, range) in [
        ("a(b", "this group is not closed", 1..2),
        ("a)b", "this `)` closes nothing", 1..2),
        ("*a", "nothing to repeat before `*`", 0..1),
        ("[a", "this class is not closed", 0..1),
        ("x[]", "this class is empty", 1..3),
        ("[z-a]", "the range `z-a` runs backwards", 1..4),
        ("a{3,1}", "the first number is larger than the second", 1..6),
        ("a\\", "nothing follows this `\\`", 1..2),
        ("(?<a-b>x)", "a group is named by letters, digits and `_`: `(?<name>…)`", 0..3),
        ("(?~x)", "`(?~` is not known; groups begin with `(?:`, `(?=`, `(?!`, `(?<=`, `(?<!`, `(?>`, `(?<name>` or flags", 0..3),
        ("\\k<x>", "unknown group `x`: it must be defined earlier", 0..3),
        ("[[:nope:]]", "unknown class `[:nope:]`", 1..9),
        ("\\xff", "`\\x` beyond 7f is a byte, not a letter; write `\\u` instead", 0..4),
        ("a{5000}", "a repetition of more than 1000 times is not allowed", 1..7),
        ("é(", "this group is not closed", 2..3),
    ] {
        let bad = Regex::new(source, Flags::default()).unwrap_err();
        assert_eq!((bad.message.as_str(), bad.range), (message, Some(range)), "{source}");
    }
    let bad = Regex::new(r"ab\p{Nope}", Flags::default()).unwrap_err();
    assert_eq!(bad.range, Some(2..10), "{}", bad.message);
}

#[test]
fn huge_repetitions_are_refused_quickly() {
    let start = std::time::Instant::now();
    for source in ["(((a{1000}){1000}){1000})", r"(?:\p{L}{1000}){100}", "((((x{100}){100}){100}){100}){100}"] {
        let bad = Regex::new(source, Flags::default()).unwrap_err();
        assert!(bad.message.contains("too large"), "{source}: {}", bad.message);
    }
    let deep = "(".repeat(20_000) + &")".repeat(20_000);
    assert!(Regex::new(&deep, Flags::default()).is_err());
    assert!(Regex::new(&"[".repeat(20_000), Flags::default()).is_err());
    assert!(start.elapsed().as_secs() < 5);
}

#[test]
fn backtracking_is_known_and_bounded() {
    assert!(!re("a+b").is_backtracking());
    assert!(re("(a)\\1").is_backtracking());
    assert!(re("a(?=b)").is_backtracking());
    let evil = re("^(?=(a+)+$)b");
    assert!(evil.captures_at(&"a".repeat(3000), 0).is_none());
    assert!(re(r"^(a|a)*(?!x)\1$").try_captures_at(&("a".repeat(40) + "b"), 0).is_err());
}

#[test]
fn templates_name_groups() {
    let regex = re("(?<user>[a-z]+)@(?<host>[a-z]+)");
    let text = "to bob@home now";
    let groups = regex.captures_at(text, 0).unwrap();
    for (template, wanted) in [
        ("\\2 \\1", "home bob"),
        ("\\k<host>", "home"),
        ("<\\0>", "<bob@home>"),
        ("\\\\1", "\\1"),
        ("\\`|\\'", "to | now"),
        ("\\9\\k<none>", ""),
        ("a\\b\\", "a\\b\\"),
    ] {
        let mut out = crate::value::EcoString::new();
        Template::new(template).expand(&mut out, text, &groups, Some(&regex));
        assert_eq!(out, wanted, "{template}");
    }
}

#[test]
fn a_slash_is_escaped_when_shown() {
    assert_eq!(re("a/b").to_string(), "/a\\/b/");
}

#[test]
fn next_to_named_groups_plain_ones_do_not_capture() {
    assert_eq!(re("(a)(b)").group_count(), 2);
    let named = re("(a)(?<n>b)");
    assert_eq!((named.group_count(), named.group_number("n")), (1, Some(1)));
}
