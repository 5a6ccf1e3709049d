//! Rules that depend on an unknown machine. `rtype check` accepts the resource, and notes the unchecked rules.

use rtype_author::check::{self, Input, Selection};
use rtype_lang::diagnostics::Code;
use rtype_lang::eval::UnknownWorld;
use rtype_lang::types::builtin::Function;
use rtype_provider::NativeProviders;
use std::collections::BTreeSet;

/// Returns the codes of the findings about attribute `x` of a resource of the type.
fn findings(body: &str) -> Vec<(Code, String)> {
    let mut library = rtype::app::input::types_in(Vec::new());
    let text = format!("type t {{\n  newparam name {{ isnamevar }}\n  {body}\n}}\nprovider p, for: t {{ queries [limit] }}\n");
    let types = library.sources.add("t.rtype", text).unwrap();
    let resources = library.sources.add("site.pp", "t { 'a': x => 'v' }\n").unwrap();
    let inputs = [Input::Types(types, None), Input::Resources(resources)];
    let providers = NativeProviders::standard();
    let checked = check::run(&inputs, Vec::new(), &mut library, &providers, &UnknownWorld, &Selection::default());
    let found = checked.findings.into_iter().map(|finding| finding.diagnostic);
    found.filter(|d| d.code.info().id.starts_with("RM") || d.is_error()).map(|d| (d.code, d.message)).collect()
}

/// The functions that read the machine, each with a call.
const MACHINE: &[(Function, &str)] = &[
    (Function::Fact, "fact(\"kernel\")"),
    (Function::Feature, "feature(\"posix\")"),
    (Function::Setting, "setting(\"show_diff\")"),
    (Function::Env, "env(\"HOME\")"),
    (Function::Which, "which(\"ls\")"),
    (Function::Exists, "exists(\"/etc\")"),
    (Function::FilesBelow, "files_below(\"/etc\")"),
    (Function::FileText, "file_text(\"/etc/hosts\")"),
    (Function::Now, "now()"),
    (Function::CurrentUser, "current_user()"),
    (Function::UidOf, "uid_of(\"root\")"),
    (Function::GidOf, "gid_of(\"root\")"),
    (Function::HomeDir, "home_dir(\"root\")"),
    (Function::ServicePort, "service_port(\"ssh\")"),
];

/// Returns the functions with an implementation that reads the machine.
fn functions_that_read_the_machine() -> BTreeSet<&'static str> {
    let source = std::fs::read_to_string("crates/lang/src/eval/functions/mod.rs").unwrap();
    let arms = source.split("fn dispatch(").nth(1).unwrap().split("\n        F::").skip(1);
    let reads = |arm: &&str| ["world.", "files::"].iter().any(|access| arm.contains(access));
    // A match arm for several functions has a guard.
    let names = arms.filter(reads).filter_map(|arm| arm.split(" => ").next().filter(|name| !name.contains(' ')));
    let function = |name: &str| Function::ALL.iter().find(|function| format!("{function:?}") == name).unwrap().name();
    names.map(function).collect()
}

#[test]
fn functions_that_read_the_machine_are_unknown_without_one() {
    assert!(MACHINE.iter().all(|(function, call)| call.starts_with(&format!("{}(", function.name()))));
    assert_eq!(MACHINE.iter().map(|(function, _)| function.name()).collect::<BTreeSet<_>>(), functions_that_read_the_machine());
    let others = ["provider.limit", "provider.has?(:limit)", "provider.name"].map(ToOwned::to_owned);
    let mut wrong = Vec::new();
    for call in MACHINE.iter().map(|(_, call)| (*call).to_owned()).chain(others) {
        for rule in [format!("fail \"no\" if {call}"), format!("fail \"no\" unless {call}"), format!("fail \"no\" if {call}.nil?")] {
            for block in [format!("newparam x {{ validate {{ |v| {rule} }} }}"), format!("newparam x\n  validate {{ {rule} }}")] {
                let found = findings(&block);
                if !matches!(found.as_slice(), [(Code::NotChecked, _)]) {
                    wrong.push(format!("{block}: {found:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Statements and operators with an unknown operand. The check is undecided after some of them, and decided after the others.
#[test]
fn undecided_rules_are_noted_and_decided_rules_are_not() {
    let unknown = "fact(\"kernel\")";
    let undecided = [
        "fail \"no\" if U == v",
        "fail \"no\" if !(U == v)",
        "fail \"no\" if U == v && v == \"v\"",
        "fail \"no\" if v == \"v\" && U == v",
        "fail \"no\" if U == v || v == \"w\"",
        "fail \"no\" if (U == v ? true : false)",
        "return if U == v; fail \"no\"",
        "fail \"no\" unless U =~ /x/",
        "match v { \"v\" if U == v => fail(\"no\")\n _ => nil }",
        "match v { /(.)/ if U == v => fail(\"no\")\n _ if $1 == \"v\" => fail(\"no\")\n _ => nil }",
        "match U { \"v\" => fail(\"no\")\n _ => nil }",
        "match U { /v/ => fail(\"no\")\n _ => nil }",
        "if U == v { fail \"no\" } elsif v == \"w\" { fail \"no\" }",
        "unless U == v { fail \"no\" }",
        "try { fail \"x\" if U == v } else { fail \"no\" }",
        "[v].each { |x| fail \"no\" if x == U }",
        "fail \"no\" if [v, U].all? { |x| x == v }",
        "fail \"no\" if [U].include?(v)",
        "fail \"no\" if {\"k\" => U}[\"k\"] == v",
        "fail \"no\" if \"#{U}\" == v",
        "fail \"no\" if U.length > 3",
        "fail \"no\" if U + \"x\" == v",
        "fail \"no\" if versioncmp(U, \"1\") > 0",
        "fail \"no\" if format(\"%s\", U) == v",
        "fail \"no\" if v[U]",
        "fail \"no\" if v =~ re(U)",
        "let n = U; fail \"no\" if n == v",
        "let n = 1; n = 2 if U == v; fail \"no\" if n == 2",
        "fail \"no\" if check(U)",
    ];
    let accepted = [
        "fail \"no\" if U == v && v == \"w\"",
        "fail \"no\" if v == \"w\" && U == v",
        "fail \"no\" unless U == v || v == \"v\"",
        "fail \"no\" unless [U, v].include?(v)",
        "fail \"no\" unless [U, v].any? { |x| x == v }",
        "match v { \"v\" if U == v => nil\n _ => nil }",
        "fail \"no\" if (U == v ? false : false)",
        "let n = 1; n = 2 if U == v; fail \"no\" if n == 3 && v == \"w\"",
        "return; fail \"no\" if U == v",
    ];
    let refused = [
        "fail \"no\" if U == v || v == \"v\"",
        "if U == v { fail \"a\" } else { fail \"b\" }",
        "debug(\"x\") if U == v; fail \"no\" if v == \"v\"",
        "match U { \"v\" => fail(\"a\")\n _ => fail(\"b\") }",
        "match v { \"v\" if U == v => fail(\"a\")\n _ => fail(\"b\") }",
    ];
    let mut wrong = Vec::new();
    let mut look = |rules: &[&str], wanted: &[Code]| {
        for rule in rules {
            let rule = rule.replace('U', unknown);
            let body = format!("fn check(x) {{ x == \"v\" }}\n  newparam x {{ validate {{ |v| {rule} }} }}");
            let found = findings(&body);
            if !found.iter().map(|(code, _)| *code).eq(wanted.iter().copied()) {
                wrong.push(format!("{rule}: {found:?}"));
            }
        }
    };
    look(&undecided, &[Code::NotChecked]);
    look(&accepted, &[]);
    look(&refused, &[Code::InvalidValue]);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn unknown_defaults_of_required_attributes_are_noted() {
    let found = findings("newparam x\n  newparam y { required; defaultto { fact(\"role\") } }");
    assert!(matches!(found.as_slice(), [(Code::NotChecked, message)] if message.contains("`y`")), "{found:?}");
    assert!(findings("newparam x\n  newparam y { defaultto { fact(\"role\") } }").is_empty());
}
