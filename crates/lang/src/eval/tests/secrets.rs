//! Sensitive values never appear in messages.

use super::*;
use proptest::prelude::*;

fn secret() -> Node {
    n(Op::SelfAttr(AttrId(1)))
}

fn closed(value: &Value) -> bool {
    matches!(value, Value::Sensitive(_))
}

#[test]
fn what_is_computed_from_a_secret_is_secret() {
    for node in [
        method(secret(), "upcase", vec![]),
        method(secret(), "split", vec![c(s("t"))]),
        binary(BinaryOp::Add, secret(), c(s("x"))),
        n(Op::Concat(vec![c(s("a ")), secret()])),
        n(Op::Index(Box::new(secret()), vec![c(i(0))])),
        func("md5", vec![secret()]),
        method(c(s("x")), "gsub", vec![c(s("x")), secret()]),
        n(Op::Seq(vec![binary(BinaryOp::Match, secret(), c(re("(t)"))), n(Op::Capture(1))])),
        method(n(Op::Array(vec![secret(), c(s("b"))])), "join", vec![]),
        n(Op::Provider("echo".into(), vec![secret()])),
        func("sensitive", vec![c(s("x"))]),
        method(func("sensitive", vec![c(s("x"))]), "upcase", vec![]),
        func("format", vec![c(s("%s")), secret()]),
        func("to_json", vec![secret()]),
    ] {
        let value = eval(node.clone()).unwrap();
        assert!(closed(&value), "{:?} gives {value:?}", node.op);
    }
    let seen = eval(method(secret(), "upcase", vec![])).unwrap();
    assert_eq!(seen.unwrapped(), &s(&SECRET.to_uppercase()), "blocks see what is inside");
}

#[test]
fn booleans_nil_and_lengths_are_not() {
    let rows = [
        (method(secret(), "length", vec![]), i(SECRET.len() as i64)),
        (method(secret(), "empty?", vec![]), Value::Bool(false)),
        (binary(BinaryOp::Equal, secret(), c(s(SECRET))), Value::Bool(true)),
        (binary(BinaryOp::Match, secret(), c(re("^hunter"))), Value::Bool(true)),
        (method(secret(), "match", vec![c(re("nothing"))]), Value::Nil),
    ];
    for (node, wanted) in rows {
        assert_eq!(eval(node), Ok(wanted));
    }
}

#[test]
fn messages_show_what_is_open_and_redact_the_rest() {
    let text = n(Op::Concat(vec![c(s("bad ")), secret(), c(s(" of ")), n(Op::SelfAttr(AttrId(0)))]));
    assert_eq!(fails(n(Op::Fail(Box::new(text.clone()), None, None))).1, "bad [redacted] of bob");
    let scope = Small::new();
    run_in(&scope, func("warning", vec![text]), &[]).unwrap();
    assert_eq!(scope.log.into_inner(), ["Warning: bad [redacted] of bob"]);
    assert_eq!(fails(func("Integer", vec![secret()])).1, "`Integer` cannot use this sensitive value");
    assert_eq!(fails(n(Op::Provider("gone".into(), vec![secret()]))).1, "`provider.gone` failed with a sensitive value");
}

#[test]
fn what_a_closure_computes_from_a_secret_is_secret() {
    let numbers = || c(list([i(1), s("a")]));
    let grouped = eval(with(numbers(), "group_by", vec![], 1, secret())).unwrap();
    assert!(closed(&grouped), "{grouped:?}");
    for name in ["sort_by", "min_by", "max_by"] {
        let key = binary(BinaryOp::Add, secret(), c(s("")));
        let mixed = n(Op::If(vec![(binary(BinaryOp::Equal, local(1), c(i(1))), c(i(1)))], Some(Box::new(key))));
        let failure = fails(with(numbers(), name, vec![], 1, mixed)).1;
        assert_eq!(failure, format!("`{name}` cannot use this sensitive value"));
    }
}

#[test]
fn rejected_secrets_are_redacted() {
    let refused = eval(func("resource", vec![c(s("file")), c(s("/x")), secret()])).unwrap_err().message;
    assert!(refused.contains("takes a map") && !refused.contains(SECRET), "{refused}");
}

#[test]
fn an_argument_can_be_secret_too() {
    let value = Value::Sensitive(Arc::new(s(SECRET)));
    let upper = run_in(&Small::new(), method(local(0), "upcase", vec![]), &[value]).unwrap();
    assert!(closed(&upper));
}

fn shows(value: &Value) -> bool {
    // All forms that callers could print.
    format!("{value} {value:?} {}", value.to_json()).to_lowercase().contains(SECRET)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]
    /// For any tree with an attribute as the only secret, neither failures nor logged messages nor the printed value contain the
    /// secret.
    #[test]
    fn no_tree_tells_a_secret(node in super::random::tree()) {
        let scope = Small::new();
        match run_in(&scope, node.clone(), &[Value::Sensitive(Arc::new(s(SECRET)))]) {
            Ok(value) => prop_assert!(!shows(&value), "{:?} gives {value:?}", node.op),
            Err(f) => {
                let all = format!("{} {:?}", f.message, f.at).to_lowercase();
                prop_assert!(!all.contains(SECRET), "{:?}: {}", node.op, f.message);
            }
        }
        for line in scope.log.borrow().iter() {
            prop_assert!(!line.to_lowercase().contains(SECRET), "{:?}: {line}", node.op);
        }
    }
}
