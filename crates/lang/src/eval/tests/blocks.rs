//! Control flow, names, and the context of blocks.

use super::*;

fn arm(pattern: Pattern, body: Node) -> MatchArm {
    MatchArm { patterns: vec![pattern], guard: None, body }
}

#[test]
fn return_leaves_the_block_from_a_closure_next_the_closure() {
    let early = with(c(list([i(1), i(2)])), "each", vec![], 1, n(Op::Return(Some(Box::new(local(1))))));
    assert_eq!(eval(n(Op::Seq(vec![early, c(s("late"))]))), Ok(i(1)));
    let next = with(c(list([i(1), i(2)])), "map", vec![], 1, n(Op::Seq(vec![n(Op::Next(Some(Box::new(c(s("x")))))), c(s("y"))])));
    assert_eq!(eval(next), Ok(list([s("x"), s("x")])));
}

#[test]
fn closures_share_the_slots_of_their_block() {
    let add = n(Op::SetLocal(0, Box::new(binary(BinaryOp::Add, local(0), local(1)))));
    let body = n(Op::Seq(vec![n(Op::SetLocal(0, Box::new(c(i(0))))), with(c(list([i(1), i(2), i(3)])), "each", vec![], 1, add), local(0)]));
    assert_eq!(eval(body), Ok(i(6)));
}

#[test]
fn captures_belong_to_the_arm_or_the_last_match() {
    let body = |subject: Value| {
        n(Op::Match(
            Box::new(c(subject)),
            vec![
                arm(Pattern::Regex(Arc::new(Regex::new("^a(.)", Flags::default()).unwrap())), n(Op::Capture(1))),
                arm(Pattern::Type(Arc::new(DataType::Any)), n(Op::Capture(1))),
            ],
        ))
    };
    assert_eq!(eval(body(s("ab"))), Ok(s("b")));
    assert_eq!(eval(body(i(5))), Ok(Value::Nil));
    let last = n(Op::Seq(vec![binary(BinaryOp::Match, c(s("xyz")), c(re("(y)"))), n(Op::Capture(1))]));
    assert_eq!(eval(last), Ok(s("y")));
    let failed = n(Op::Seq(vec![
        binary(BinaryOp::Match, c(s("xyz")), c(re("(y)"))),
        binary(BinaryOp::Match, c(s("xyz")), c(re("(q)"))),
        n(Op::Capture(1)),
    ]));
    assert_eq!(eval(failed), Ok(Value::Nil));
}

#[test]
fn a_regex_matches_strings_and_symbols_only() {
    for (value, wanted) in [(s("5"), true), (Value::sym("a5"), true), (i(5), false), (Value::Nil, false), (list([s("5")]), false)] {
        assert_eq!(eval(binary(BinaryOp::Match, c(value.clone()), c(re("5")))), Ok(Value::Bool(wanted)), "{value:?}");
        assert_eq!(eval(binary(BinaryOp::NotMatch, c(value), c(re("5")))), Ok(Value::Bool(!wanted)));
    }
}

#[test]
fn a_match_needs_an_arm_that_fits() {
    let body = n(Op::Match(Box::new(c(s("x"))), vec![arm(Pattern::Value(s("y")), c(i(1)))]));
    let (code, message) = fails(body);
    assert_eq!(code, DiagnosticCode::NoArm);
    assert_eq!(message, "no arm of `match` fits a string `\"x\"`; `_ =>` takes the rest");
}

#[test]
fn try_catches_failures_but_not_spent_limits() {
    let attempt = |body| n(Op::Try(Box::new(body), handler(Some(1), local(1))));
    let fail = n(Op::Fail(Box::new(c(s("no"))), None, None));
    assert_eq!(eval(attempt(fail)), Ok(s("no")));
    assert_eq!(shown(eval(attempt(func("Integer", vec![c(s("x"))])))), r#""invalid value for Integer(): \"x\"""#);
    let endless = with(c(i(1 << 40)), "times", vec![], 1, c(Value::Nil));
    assert_eq!(fails(attempt(endless)).0, DiagnosticCode::FuelSpent);
}

/// A `try` with classes handles a failure only if its class is known.
#[test]
fn classes_select_failures() {
    let fail = |class: Option<&str>| n(Op::Fail(Box::new(c(s("no"))), None, class.map(Into::into)));
    let attempt = |body, classes: &[&str]| {
        let errors = classes.iter().map(|class| (*class).into()).collect();
        eval(n(Op::Try(Box::new(body), Box::new(Handler { errors, slot: None, class: None, body: c(i(1)) }))))
    };
    let is_passed_on = |result: Result<Value, Failure>| result.is_err_and(|failure| !failure.is_untranslated() && failure.message == "no");
    assert_eq!(attempt(fail(Some("KeyError")), &["IndexError"]), Ok(i(1)));
    assert!(is_passed_on(attempt(fail(Some("IndexError")), &["KeyError"])));
    assert_eq!(attempt(fail(Some("Own::Error")), &["StandardError"]), Ok(i(1)));
    assert!(is_passed_on(attempt(fail(Some("Own::Error")), &["Other::Error"])));
    // A failure without a class may have any class below `StandardError`.
    assert!(attempt(fail(None), &["Puppet::Error"]).unwrap_err().is_untranslated());
    assert_eq!(attempt(fail(None), &["StandardError"]), Ok(i(1)));
    assert_eq!(attempt(fail(None), &[]), Ok(i(1)));
    // These classes are not below `StandardError`.
    assert!(is_passed_on(attempt(fail(Some("NotImplementedError")), &[])));
    assert_eq!(attempt(fail(Some("NotImplementedError")), &["Exception"]), Ok(i(1)));
    assert_eq!(attempt(func("ip", vec![c(s("10.0.0.0/99"))]), &["IPAddr::InvalidPrefixError"]), Ok(i(1)));
    assert!(attempt(func("ip", vec![c(s("10.0.0"))]), &["IPAddr::InvalidPrefixError"]).is_err());
    assert_eq!(attempt(func("ip", vec![c(s("[::1]/64"))]), &[]), Ok(s("::1/64")));
    assert_eq!(attempt(func("ip", vec![c(s("[10.0.0.1]"))]), &["IPAddr::Error"]), Ok(i(1)));
    assert_eq!(attempt(func("Integer", vec![c(i(5)), c(i(10))]), &["ArgumentError"]), Ok(i(1)));
}

#[test]
fn functions_have_their_own_slots_and_defaults() {
    let mut scope = Small::new();
    let function = |name: &str, params: u16, body: Node, defaults: Vec<Node>| crate::types::Function {
        name: name.into(),
        span: Span::NONE,
        code: CodeBlock { inner: Arc::new(CodeInner { params, slots: 3, body, span: Span::NONE, action: false, replaced: None }) },
        defaults,
    };
    let add = binary(BinaryOp::Add, local(0), local(1));
    scope.program.functions.push(function("add", 2, add, vec![c(i(10))]));
    let again = n(Op::CallFn(1, vec![local(0)]));
    scope.program.functions.push(function("again", 1, again, vec![]));
    let early = n(Op::Seq(vec![n(Op::Return(Some(Box::new(c(i(1)))))), c(i(2))]));
    scope.program.functions.push(function("early", 0, early, vec![]));
    assert_eq!(run_in(&scope, n(Op::CallFn(0, vec![c(i(1))])), &[]), Ok(i(11)));
    assert_eq!(run_in(&scope, n(Op::CallFn(0, vec![c(i(1)), c(i(2))])), &[]), Ok(i(3)));
    assert_eq!(run_in(&scope, n(Op::CallFn(2, vec![])), &[]), Ok(i(1)));
    let deep = run_in(&scope, n(Op::CallFn(1, vec![c(i(1))])), &[]).unwrap_err();
    assert_eq!(deep.code, DiagnosticCode::CallsTooDeep);
}

#[test]
fn blocks_see_their_resource() {
    let rows: Vec<(Node, &str)> = vec![
        (n(Op::SelfAttr(AttrId(0))), "\"bob\""),
        (n(Op::SelfTrue(AttrId(4))), "true"),
        (n(Op::SelfTrue(AttrId(0))), "false"),
        (n(Op::SelfIndex(Box::new(c(Value::sym("list"))))), "[\"b\", \"a\"]"),
        (n(Op::SelfIndex(Box::new(c(Value::sym("lisst"))))), "RT105: unknown attribute `lisst`; did you mean `list`?"),
        (n(Op::SelfIsSet(Box::new(c(Value::sym("flag"))))), "false"),
        (n(Op::Attribute), ":name"),
        (n(Op::Is(None)), "\"current\""),
        (n(Op::Should), "RT116: `should` is not known here"),
        (n(Op::ProviderName), ":small"),
        (n(Op::ProviderHas(Box::new(c(Value::sym("echo"))))), "true"),
        (n(Op::Provider("echo".into(), vec![c(i(1))])), "[1]"),
        (n(Op::Provider("gone".into(), vec![])), "RT301: no gone for []"),
        (n(Op::Super(Some(vec![c(i(7))]))), "[7]"),
        (n(Op::ResourceAttr(Box::new(n(Op::SelfRef)), "name".into())), "\"bob\""),
        (method(n(Op::SelfRef), "to_s", vec![]), "\"Thing[me]\""),
        (func("title", vec![n(Op::SelfRef)]), "\"me\""),
        (func("attributes", vec![c(Value::sym("name")), c(Value::sym("flag"))]), "{:name=>\"bob\"}"),
        (
            with(
                n(Op::Catalog(crate::types::CatalogCall::Resources, vec![c(Value::sym("file"))])),
                "map",
                vec![],
                1,
                method(local(1), "path", vec![]),
            ),
            "[\"/a.path\"]",
        ),
        (n(Op::ResourceAttr(Box::new(c(Value::Nil)), "foo".into())), "RT305: nil has no method `foo`"),
        (func("sync", vec![c(Value::sym("name"))]), "RT116: `sync` is an action: only `newvalue`, `sync` and `refresh` blocks may use it"),
        (
            func("resource", vec![c(Value::sym("file")), c(s("/x")), c(map([(Value::sym("mode"), s("0644"))]))]),
            "{:type=>:file, :title=>\"/x\", :parameters=>{:mode=>\"0644\"}}",
        ),
    ];
    for (node, wanted) in rows {
        let op = format!("{:?}", node.op);
        assert_eq!(shown(eval(node)), wanted, "{op}");
    }
}

#[test]
fn super_without_arguments_passes_the_blocks_own() {
    assert_eq!(run_in(&Small::new(), n(Op::Super(None)), &[s("x")]), Ok(list([s("x")])));
}

#[test]
fn rules_wait_for_unknown_values() {
    let later = || n(Op::SelfAttr(AttrId(2)));
    for node in [
        n(Op::Not(Box::new(later()))),
        method(later(), "nil?", vec![]),
        n(Op::Concat(vec![c(s("x")), later()])),
        binary(BinaryOp::Equal, later(), c(i(1))),
        method(n(Op::Array(vec![later()])), "join", vec![]),
        n(Op::Index(Box::new(later()), vec![c(i(0))])),
        n(Op::Try(Box::new(method(later(), "to_s", vec![])), handler(None, c(i(1))))),
        func("Integer", vec![later()]),
        func("type_of", vec![later()]),
    ] {
        let failure = eval(node).unwrap_err();
        assert!(failure.is_unknown(), "{failure:?}");
    }
    assert_eq!(eval(later()), Ok(Value::Unknown));
    assert_eq!(eval(n(Op::Array(vec![later()]))), Ok(list([Value::Unknown])));
}

#[test]
fn lets_take_lists_apart_and_closures_pairs() {
    let body = n(Op::Seq(vec![
        n(Op::Destructure(vec![1, 2, 3], Box::new(c(list([i(1), i(2)]))))),
        n(Op::Array(vec![local(1), local(2), local(3)])),
    ]));
    assert_eq!(shown(eval(body)), "[1, 2, nil]");
    let pairs = with(c(map([(Value::sym("a"), i(1))])), "map", vec![], 2, n(Op::Array(vec![local(2), local(1)])));
    assert_eq!(shown(eval(pairs)), "[[1, :a]]");
}

#[test]
fn only_a_run_brings_attributes_in_sync() {
    let scope = Small::new();
    let refused = [scope.sync(AttrId(0)), scope.sync_others(), scope.set_provider("x", &Value::Nil)];
    assert!(refused.iter().all(|result| matches!(result, Err(QueryError::OnlyApply))), "{refused:?}");
}

#[test]
fn blocks_that_use_their_argument_only_do_not_access_the_machine() {
    let accesses = |body: Node| {
        let scope = Small::new();
        let frame = Frame { scope: &scope, attribute: None, is: None, should: None, base: None };
        run(&code(body), &[i(1)], &frame).unwrap();
        scope.accesses.get()
    };
    assert_eq!(accesses(binary(BinaryOp::Add, n(Op::Local(0)), c(i(1)))), 0);
    assert_eq!(accesses(func("fact", vec![c(s("kernel"))])), 1);
}

/// As in Ruby, `zip` takes ranges, which need no end.
#[test]
fn lists_are_zipped_with_ranges() {
    let list = || c(Value::array([s("a"), s("b")]));
    let rows = |second: Value| Value::array([Value::array([s("a"), i(1)]), Value::array([s("b"), second])]);
    let zipped =
        |last: Value, excludes: bool| eval(method(list(), "zip", vec![func("range", vec![c(i(1)), c(last), c(Value::Bool(excludes))])]));
    assert_eq!(zipped(i(9), false), Ok(rows(i(2))));
    assert_eq!(zipped(Value::Nil, false), Ok(rows(i(2))));
    assert_eq!(zipped(i(2), true), Ok(rows(Value::Nil)));
    assert!(eval(method(list(), "zip", vec![c(i(1))])).is_err());
}
