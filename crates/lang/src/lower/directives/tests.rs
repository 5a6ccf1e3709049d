//! Each directive refuses parts that its syntax does not allow, so that parsed code is never ignored.

use crate::library::TypeSet;
use crate::lower::words::{ATTRIBUTE_WORDS, PROVIDER_WORDS, TYPE_WORDS, Word};

/// Directives by body, with arguments, and with `{…}` in place of their block.
const SAMPLES: &[(&str, &[&str])] = &[
    (
        "type",
        &[
            "desc \"x\"",
            "feature f2, \"x\"",
            "ensurable {…}",
            "newparam z {…}",
            "newproperty z {…}",
            "title {…}",
            "title_patterns { /\\A(.*)\\z/ => name }",
            "validate {…}",
            "autorequire t {…}",
            "autobefore t {…}",
            "autonotify t {…}",
            "autosubscribe t {…}",
            "pre_run_check {…}",
            "refresh {…}",
            "finalize {…}",
            "late_finalize {…}",
            "generate {…}",
            "eval_generate {…}",
            "canonicalize {…}",
            "purges {…}",
            "include m",
            "apply_to host",
            "isomorphic false",
            "instances none",
            "provider { isnamevar }",
            "fn g(a) { a }",
            "const C = 1",
            "untranslated validate, \"why\", ruby: \"x\"",
        ],
    ),
    (
        "attribute",
        &[
            "desc \"x\"",
            "isnamevar",
            "required",
            "readonly \"x\"",
            "init_only",
            "sensitive",
            "deprecated \"x\"",
            "type String",
            "newvalue v {…}",
            "newvalues v, w",
            "aliasvalue other, known",
            "defaultto known",
            "nodefault",
            "defaultvalues",
            "array_matching all",
            "validate {…}",
            "munge {…}",
            "conversion \"x\"",
            "from_title {…}",
            "unmunge {…}",
            "should {…}",
            "insync {…}",
            "compare unordered",
            "is_to_s {…}",
            "should_to_s {…}",
            "change_to_s {…}",
            "retrieve {…}",
            "sync {…}",
            "redact is: \"x\"",
            "matches /\\Ax\\z/",
            "untranslated validate, \"why\", ruby: \"x\"",
        ],
    ),
    (
        "provider",
        &[
            "desc \"x\"",
            "commands ls: \"ls\"",
            "optional_commands ls: \"ls\"",
            "confine kernel: Linux",
            "defaultfor kernel: Linux",
            "notdefaultfor kernel: Linux",
            "has_feature f",
            "has_features f",
            "queries [q]",
            "actions [q]",
            "finalize {…}",
            "native",
            "records",
            "keyed p",
            "command_lines",
            "program \"./x.py\"",
            "untranslated confine, \"why\", ruby: \"x\"",
        ],
    ),
];

/// Returns the error messages for a type file with a directive in a body of the kind `body`.
fn messages(body: &str, directive: &str) -> Vec<String> {
    let into = |place: &str| if place == body { directive } else { "" };
    let text = format!(
        "mixin m {{ newparam of_mixin }}\ntype t {{\n newparam name\n feature f, \"x\"\n newproperty p\n{}\n{}\n}}\nprovider x, for: t {{\n{}\n}}\n",
        if body == "attribute" { format!("ensurable {{ newvalues known\n{directive}\n}}") } else { String::new() },
        into("type"),
        into("provider"),
    );
    let mut types = TypeSet::default();
    let source = types.sources.add("t.rtype", text).unwrap();
    types.load_text(&source, None);
    types.diagnostics().into_iter().filter(|d| d.is_error()).map(|d| d.message).collect()
}

/// Returns invalid variants of a directive, each with a part that the directive's syntax does not allow.
fn invalid_variants(word: &Word, sample: &str) -> Vec<String> {
    let (head, block) = sample.split_once('{').map_or((sample.trim(), ""), |(head, _)| (head.trim(), "{ nil }"));
    let block = if sample.ends_with("{ isnamevar }") { "{ isnamevar }" } else { block };
    let has_body = matches!(word.name, "newparam" | "newproperty" | "ensurable");
    let block = if has_body { "{ newvalues a }" } else { block };
    // Functions, constants and title patterns have a separate grammar.
    if matches!(word.name, "fn" | "const" | "title_patterns") {
        return vec![format!("{} nonsense nonsense", word.name)];
    }
    let comma = if head == word.name { "" } else { "," };
    let mut all = vec![format!("{head}{comma} nonsense: 1 {block}"), format!("override {head} {block}")];
    if word.names_options() {
        all.remove(0);
    }
    if matches!(word.name, "validate" | "munge") && !all.is_empty() {
        all.pop();
    }
    if !word.takes_condition() {
        all.push(format!("{head} if true {block}"));
    }
    if block.is_empty() {
        all.push(format!("{head} {{ nonsense }}"));
    }
    if !matches!(word.name, "newvalues" | "has_feature" | "has_features" | "queries" | "actions") && !word.name.starts_with("auto") {
        all.push(format!("{head}{comma} nonsense, nonsense, nonsense {block}"));
    }
    all
}

#[test]
fn no_part_of_a_directive_is_ignored() {
    let mut accepted = Vec::new();
    for (body, table) in [("type", TYPE_WORDS), ("attribute", ATTRIBUTE_WORDS), ("provider", PROVIDER_WORDS)] {
        let samples = SAMPLES.iter().find(|(name, _)| *name == body).unwrap().1;
        for word in table {
            let named = |sample: &&&str| sample.split([' ', '{']).next() == Some(word.name);
            let sample = samples.iter().find(named).unwrap_or_else(|| panic!("no sample of `{}` in {body}", word.name));
            let block = if matches!(word.name, "newparam" | "newproperty" | "ensurable") { "{ newvalues a }" } else { "{ nil }" };
            let before = messages(body, &sample.replace("{…}", block));
            let is_new = |text: &String| messages(body, text).iter().any(|m| !before.contains(m));
            accepted.extend(invalid_variants(word, sample).into_iter().filter(|text| !is_new(text)).map(|text| format!("{body}: {text}")));
        }
        accepted.extend(["nonsense 1", "nonsense 1 { 2 }", "nonsense a, b"].into_iter().filter_map(|text| {
            // Providers accept settings with any name.
            let is_setting = body == "provider" && text == "nonsense 1";
            (!is_setting && messages(body, text).is_empty()).then(|| format!("{body}: {text}"))
        }));
    }
    assert!(accepted.is_empty(), "{accepted:#?}");
}

#[test]
fn unknown_items_and_steps_are_reported() {
    let accepted: Vec<_> = [
        "nonsense",
        "nonsense 1",
        "nonsense x { 1 }",
        "test \"x\" {\n nonsense 1\n}",
        "test \"x\" {\n expect true nonsense\n}",
        "feature n, \"x\", nonsense { true }",
        "kind k { nonsense 1 }",
        "mixin n { nonsense 1 }",
        "use \"x\" nonsense",
        "type u, nonsense: 1 { newparam name }",
    ]
    .into_iter()
    .filter(|item| {
        let mut types = TypeSet::default();
        let source = types.sources.add("t.rtype", format!("{item}\n")).unwrap();
        types.load_text(&source, None);
        !types.diagnostics().iter().any(|d| d.is_error())
    })
    .collect();
    assert!(accepted.is_empty(), "{accepted:#?}");
}

#[test]
fn providers_inside_a_type_are_reported() {
    for directive in ["provider x { commands ls: \"ls\"; nonsense 1 }", "provider x", "provider { nonsense 1 }", "provider x { }"] {
        let found = messages("type", directive);
        assert!(found.iter().any(|m| m.contains("top level")), "{directive}: {found:?}");
    }
}
