use super::*;
use crate::value::Flags;
use proptest::prelude::*;

fn re(source: &str) -> Regex {
    let (source, flags) = match source.strip_prefix("i:") {
        Some(source) => (source, Flags { ignore_case: true, ..Flags::default() }),
        None => (source, Flags::default()),
    };
    Regex::new(source, flags).unwrap()
}

#[test]
fn what_one_matches_and_the_other_does_not() {
    // A string that only the first pattern matches, then a string that only the second pattern matches.
    let rows = [
        ("^a$", "^a$", None, None),
        ("a", "^a", Some("xa"), None),
        ("^true|false$", "^(true|false)$", Some("truex"), None),
        ("^[a-z]+$", "^[a-z0-9]+$", None, Some("1")),
        (r"^\d+$", "^[0-9]{1,3}$", Some("1111"), None),
        (r"^\d{4}$", "^[0-9][0-9][0-9][0-9]$", None, None),
        ("^(ab)*$", "^(?:abab)*$", Some("ab"), None),
        ("^.*$", "", None, Some("\n")),
        ("^x", r"\Ax.*\z", Some("x\n"), None),
        ("(?m:^x$)", "^x$", Some("x\n"), None),
        ("i:^yes$", "^[yY][eE][sS]$", Some("ye\u{17f}"), None),
        ("i:^no$", "^(?:no|No|nO|NO)$", None, None),
        ("^é$", "^[é-ü]$", None, Some("ê")),
        (r"^\p{L}$", r"^[[:alpha:]]$", None, Some("\u{345}")),
        (r"^\w$", r"^\p{L}$", Some("1"), Some("\u{aa}")),
        ("^/", "^/.+", Some("/"), None),
        ("^[^/]+$", "^[^/]*$", None, Some("")),
        (r"^[\w.-]+$", r"^\S+$", None, Some("/")),
        ("^a{2,5}$", "^a{3,4}$", Some("aa"), None),
        ("^(?:absent|present)$", "^present$", Some("absent"), None),
        ("[^\\s\\S]", "^a$", None, Some("a")),
    ];
    for (one, other, beyond, short) in rows {
        let (one, other) = (re(one), re(other));
        let of = |text: Option<&str>| Some(text.map(str::to_owned));
        assert_eq!((one.witness_outside(&other), other.witness_outside(&one)), (of(beyond), of(short)), "{one} {other}");
        assert_eq!(one.includes(&other), Some(short.is_none()));
    }
}

#[test]
fn no_answer_rather_than_a_wrong_one() {
    let backtracking = re("^(a)\\1$");
    assert_eq!(backtracking.includes(&re("^aa$")), None);
    assert_eq!(backtracking.includes(&re("^(a)\\1$")), Some(true), "the same pattern");
    assert_eq!(re(r".*(?:a|b).{14}c").includes(&re("a")), None, "too large");
    // Word boundaries: ASCII counterexamples are found, but their absence cannot be decided.
    assert_eq!(re(r"\bx\b").witness_outside(&re("^x")), Some(Some("-x".into())));
    assert_eq!(re("x").includes(&re(r"\bx\b")), None);
    assert_eq!(re("").includes(&re(r"^ab\b")), Some(true));
}

#[test]
fn everything_and_nothing() {
    for (source, all, nonempty) in [
        ("", true, true),
        ("^", true, true),
        (".", false, false),
        (r"(?:.|\n)", false, true),
        (r"[\s\S]", false, true),
        ("^.*$", false, false),
    ] {
        assert_eq!(re(source).matches_everything(), Some(all), "{source}");
        assert_eq!(re(source).matches_all_nonempty(), Some(nonempty), "{source}");
    }
    assert_eq!(re("^a").overlaps(&re("b$")), Some(true));
    assert_eq!(re("^a+$").overlaps(&re("b")), Some(false));
    assert_eq!(Regex::witness(&[&re("^a"), &re("b$")], &[&re("^.{0,3}$")]), Some(Some("axxb".into())));
    assert_eq!(Regex::witness(&[&re("^[ab]$")], &[&re("a"), &re("b")]), Some(None), "shadowed by two together");
}

#[test]
fn exact_texts() {
    let regex = Regex::exactly(["a.b", "c-d#&~/\n é"]).unwrap();
    assert!(regex.is_match("a.b") && regex.is_match("c-d#&~/\n é"));
    assert!(!regex.is_match("axb") && !regex.is_match(" a.b"));
    assert!(!Regex::exactly([]).unwrap().is_match(""));
}

#[test]
fn questions_that_would_cost_too_much_are_undecided() {
    // Whether the pattern includes `^.{1,900}$`, and whether a text outside of `^a$` is found.
    for (source, includes, has_witness) in [
        (r"^(?:[a-z0-9]|[a-z0-9][a-z0-9-]{0,61}[a-z0-9])(?:\.(?:[a-z0-9]|[a-z0-9][a-z0-9-]{0,61}[a-z0-9]))*$", Some(false), Some(true)),
        (r"(?:\p{L}{0,20}\p{N}){0,3}", None, None),
        (r".*(?:a|b).{14}c", None, None),
        ("^.{1,900}$", Some(true), Some(true)),
        (".{1,900}$", None, None),
    ] {
        let witness = re(source).witness_outside(&re("^a$")).map(|found| found.is_some());
        assert_eq!((re(source).includes(&re("^.{1,900}$")), witness), (includes, has_witness), "{source}");
    }
}

/// Generates patterns over a small alphabet.
fn pattern() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec!["a", "b", "[ab]", "[^a]", ".", "^", "$", "", "-", r"\b", r"\B", "é", r"(?m:^)", r"(?m:$)", r"\w"]);
    leaf.prop_map(str::to_owned).prop_recursive(4, 16, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| parts.concat()),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(?:{a}|{b})")),
            (inner.clone(), prop::sample::select(vec!["*", "+", "?", "{2}", "{1,2}"])).prop_map(|(a, sign)| format!("(?:{a}){sign}")),
            inner.prop_map(|a| format!("(?i:{a})")),
        ]
    })
}

/// Returns all strings of up to four characters.
fn words() -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..4 {
        last = last.iter().flat_map(|w| ["a", "b", "-", "\n", "é"].map(|c| format!("{w}{c}"))).collect();
        all.extend(last.iter().cloned());
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn as_trying_all_short_texts_says(one in pattern(), other in pattern()) {
        let (one, other) = (re(&one), re(&other));
        let tried = words().into_iter().find(|w| one.is_match(w) && !other.is_match(w));
        match one.witness_outside(&other) {
            Some(Some(text)) => {
                prop_assert!(one.is_match(&text) && !other.is_match(&text), "{one} {other} {text:?}");
            }
            Some(None) => prop_assert_eq!(tried, None, "{} {}", one, other),
            None => prop_assert!(one.source().contains("\\b") || one.source().contains("\\B") || other.source().to_lowercase().contains("\\b")),
        }
    }
}
