//! Blocks that exceed the limits: all end quickly, with an error that states the reason.

use super::*;
use std::time::{Duration, Instant};

/// The time limit of a test. Debug builds are about ten times slower than the documented limit.
const PATIENCE: Duration = Duration::from_millis(if cfg!(debug_assertions) { 3_000 } else { 100 });

fn set(slot: u16, value: Node) -> Node {
    n(Op::SetLocal(slot, Box::new(value)))
}

/// `x = start; 200.times { x = step }; x`
fn grow(start: Node, step: Node) -> Node {
    n(Op::Seq(vec![set(0, start), with(c(i(200)), "times", vec![], 1, set(0, step)), local(0)]))
}

#[test]
fn all_end_in_time_with_an_error() {
    use DiagnosticCode::{CallsTooDeep, FuelSpent, ValueTooLarge};
    let x = || local(0);
    let big = || method(c(s("ab")), "rjust", vec![c(i(1_000_000))]);
    let nested = grow(c(list([])), n(Op::Array(vec![x()])));
    let shared = grow(c(list([i(1)])), n(Op::Array(vec![x(), x()])));
    let forever = with(c(i(i64::MAX)), "times", vec![], 1, c(Value::Nil));
    let loops = with(c(i(100_000)), "times", vec![], 1, with(c(i(100_000)), "times", vec![], 1, c(Value::Nil)));
    let rows: Vec<(&str, Node, &[DiagnosticCode])> = vec![
        ("doubling", grow(c(s("ab")), binary(BinaryOp::Add, x(), x())), &[ValueTooLarge]),
        ("doubling by interpolation", grow(c(s("ab")), n(Op::Concat(vec![x(), x()]))), &[ValueTooLarge]),
        ("doubling lists", grow(c(list([i(1)])), binary(BinaryOp::Add, x(), x())), &[ValueTooLarge]),
        ("nesting", nested, &[ValueTooLarge]),
        ("sharing", shared, &[ValueTooLarge]),
        ("sharing in maps", grow(c(map([])), n(Op::Map(vec![(c(i(1)), x()), (c(i(2)), x())]))), &[ValueTooLarge]),
        ("huge product", binary(BinaryOp::Multiply, c(s("a")), c(i(i64::MAX))), &[ValueTooLarge]),
        ("huge list", binary(BinaryOp::Multiply, c(list([i(1)])), c(i(1 << 50))), &[ValueTooLarge]),
        ("huge power", binary(BinaryOp::Power, c(i(10)), c(i(1 << 40))), &[ValueTooLarge]),
        ("overflow", binary(BinaryOp::Add, c(i(i64::MAX)), c(i(1))), &[ValueTooLarge]),
        ("overflow of minus", n(Op::Negate(Box::new(c(i(i64::MIN))))), &[ValueTooLarge]),
        ("overflow of abs", method(c(i(i64::MIN)), "abs", vec![]), &[ValueTooLarge]),
        ("overflow of div", method(c(i(i64::MIN)), "div", vec![c(i(-1))]), &[ValueTooLarge]),
        ("huge rjust", method(c(s("a")), "rjust", vec![c(i(i64::MAX))]), &[ValueTooLarge]),
        ("huge times", forever, &[FuelSpent]),
        ("loops in loops", loops, &[FuelSpent]),
        ("huge list of times", method(c(i(1 << 40)), "times", vec![]), &[ValueTooLarge]),
        ("huge range", n(Op::Range(Some(Box::new(c(i(0)))), Some(Box::new(c(i(i64::MAX - 1)))), false)), &[ValueTooLarge]),
        ("elements of a huge range", method(func("range", vec![c(i(0)), c(i(i64::MAX - 1))]), "to_a", vec![]), &[ValueTooLarge]),
        ("huge format", func("format", vec![c(s("%999999999d")), c(i(1))]), &[ValueTooLarge]),
        ("huge precision", func("format", vec![c(s("%.999999999f")), c(i(1))]), &[ValueTooLarge]),
        ("large text read in a loop", with(c(i(100_000)), "times", vec![], 1, method(big(), "length", vec![])), &[FuelSpent]),
        (
            "large text searched in a loop",
            n(Op::Seq(vec![set(0, big()), with(c(i(100_000)), "times", vec![], 1, binary(BinaryOp::Match, x(), c(re("x.*y"))))])),
            &[FuelSpent],
        ),
        ("many replacements", method(big(), "gsub", vec![c(re(" ")), c(s("0123456789"))]), &[FuelSpent, ValueTooLarge]),
        ("quadratic scan", method(big(), "scan", vec![c(re(" .*z| "))]), &[FuelSpent]),
        ("wide letters", method(big(), "chars", vec![]), &[ValueTooLarge]),
        (
            "wide product",
            method(method(c(i(50_000)), "times", vec![]), "product", vec![method(c(i(50_000)), "times", vec![])]),
            &[ValueTooLarge],
        ),
        (
            "comparing in a loop",
            n(Op::Seq(vec![
                set(0, method(c(i(60_000)), "times", vec![])),
                with(c(i(100_000)), "times", vec![], 1, binary(BinaryOp::Equal, x(), x())),
            ])),
            &[FuelSpent],
        ),
        (
            "looking in a loop",
            n(Op::Seq(vec![
                set(0, method(c(i(60_000)), "times", vec![])),
                with(c(i(100_000)), "times", vec![], 1, method(x(), "include?", vec![c(i(-1))])),
            ])),
            &[FuelSpent],
        ),
        (
            "sorting in a loop",
            n(Op::Seq(vec![
                set(0, method(c(i(60_000)), "times", vec![])),
                with(c(i(100_000)), "times", vec![], 1, method(x(), "sort", vec![])),
            ])),
            &[FuelSpent],
        ),
        (
            "building regexes",
            with(c(i(100_000)), "times", vec![], 1, func("re", vec![n(Op::Concat(vec![c(s("a")), local(1)]))])),
            &[FuelSpent],
        ),
        ("deep json", func("parse_json", vec![c(s(&("[".repeat(100) + &"]".repeat(100))))]), &[ValueTooLarge]),
        ("evil regex", binary(BinaryOp::Match, c(s(&("a".repeat(50) + "b"))), c(re(r"^(a|a)*(?!x)\1$"))), &[FuelSpent]),
        ("a deep tree", (0..1_000).fold(c(i(1)), |node, _| n(Op::Not(Box::new(node)))), &[CallsTooDeep]),
    ];
    for (what, node, codes) in rows {
        let start = Instant::now();
        let result = eval(node);
        let spent = start.elapsed();
        match result {
            Ok(value) => panic!("{what} gives {}", value.kind_name()),
            Err(f) => assert!(codes.contains(&f.code), "{what}: {} {}", f.code, f.message),
        }
        assert!(spent < PATIENCE, "{what} took {spent:?}");
    }
}

#[test]
fn functions_that_call_themselves_end_on_a_small_stack() {
    let run = || {
        let mut scope = Small::new();
        // Each call is nested deeply inside an expression, in a closure.
        let call = n(Op::CallFn(0, vec![local(0)]));
        let wrapped = (0..4)
            .fold(call, |node, _| with(n(Op::Array(vec![c(i(1))])), "map", vec![], 1, n(Op::If(vec![(c(Value::Bool(true)), node)], None))));
        let body = CodeInner { params: 1, slots: 3, body: wrapped, span: Span::NONE, action: false, replaced: None };
        scope.program.functions.push(crate::types::Function {
            name: "f".into(),
            span: crate::source::Span::NONE,
            code: CodeBlock { inner: Arc::new(body) },
            defaults: vec![],
        });
        run_in(&scope, n(Op::CallFn(0, vec![c(i(1))])), &[]).unwrap_err().code
    };
    let small = std::thread::Builder::new().stack_size(if cfg!(debug_assertions) { 2 << 20 } else { 1 << 19 }).spawn(run).unwrap();
    assert_eq!(small.join().unwrap(), DiagnosticCode::CallsTooDeep);
}

#[test]
fn honest_work_fits() {
    // Splits, strips, sorts and joins a thousand entries.
    let lines = (0..1000).map(|i| format!("key{i} = value {i}")).collect::<Vec<_>>().join("\n");
    let body = with(
        method(c(s(&lines)), "split", vec![c(s("\n"))]),
        "map",
        vec![],
        1,
        method(
            with(method(local(1), "split", vec![c(re("\\s*=\\s*")), c(i(2))]), "map", vec![], 1, method(local(1), "strip", vec![])),
            "join",
            vec![c(s("="))],
        ),
    );
    let joined = method(method(body, "sort", vec![]), "join", vec![c(s("\n"))]);
    assert!(eval(joined).is_ok());
    let replaced = method(c(s(&lines)), "gsub", vec![c(re("\\d+")), c(s("N"))]);
    assert!(eval(replaced).is_ok());
}
