//! Three-valued logic: the results of operators and constructs with unknown operands.

use super::*;

/// The truth values of the tables: `u` is unknown.
const TRUTHS: [char; 3] = ['t', 'f', 'u'];

fn operand(truth: char) -> Node {
    match truth {
        't' => c(Value::Bool(true)),
        'f' => c(Value::Bool(false)),
        _ => n(Op::SelfAttr(AttrId(2))),
    }
}

/// An undecided comparison as a boolean.
fn compared(truth: char) -> Node {
    binary(BinaryOp::Equal, operand(truth), c(Value::Bool(true)))
}

fn truth(result: Result<Value, Failure>) -> char {
    match result {
        Ok(Value::Unknown) => 'u',
        Ok(Value::Nil) => 'n',
        Ok(value) if value.is_truthy() => 't',
        Ok(_) => 'f',
        Err(failure) if failure.is_unknown() => 'u',
        Err(failure) if failure.kind == FailureKind::Fail => 'F',
        Err(failure) => panic!("{failure:?}"),
    }
}

fn when(condition: Node, then: Node, otherwise: Option<Node>) -> Node {
    n(Op::If(vec![(condition, then)], otherwise.map(Box::new)))
}

fn fail() -> Node {
    n(Op::Fail(Box::new(c(s("refused"))), None, None))
}

fn seq(statements: Vec<Node>) -> Node {
    n(Op::Seq(statements))
}

fn array(items: Vec<Node>) -> Node {
    n(Op::Array(items))
}

fn set(slot: u16, value: Node) -> Node {
    n(Op::SetLocal(slot, Box::new(value)))
}

fn quantified(name: &str, a: char, b: char) -> Node {
    with(array(vec![operand(a), operand(b)]), name, vec![], 1, binary(BinaryOp::Equal, local(1), c(Value::Bool(true))))
}

/// Returns `match 1 { 1 if guard => first, 2 => true, _ => rest }`.
fn guarded(guard: char, first: Node, rest: Node) -> Node {
    let arm = |pattern, guard, body| MatchArm { patterns: vec![pattern], guard, body };
    let arms = vec![
        arm(Pattern::Value(i(1)), Some(operand(guard)), first),
        arm(Pattern::Value(i(2)), None, c(true.into())),
        arm(Pattern::Any, None, rest),
    ];
    n(Op::Match(Box::new(c(i(1))), arms))
}

/// Each row: an expression, and its truth for the operands tt, tf, tu, ft, ff, fu, ut, uf and uu.
#[test]
fn conditions_are_decided_if_unknown_operands_do_not_matter() {
    type Combine = fn(char, char) -> Node;
    let rows: &[(&str, Combine, &str)] = &[
        ("&&", |a, b| binary(BinaryOp::And, compared(a), compared(b)), "tfufffufu"),
        ("||", |a, b| binary(BinaryOp::Or, compared(a), compared(b)), "ttttfutuu"),
        ("!(a && b)", |a, b| n(Op::Not(Box::new(binary(BinaryOp::And, operand(a), operand(b))))), "ftutttutu"),
        ("!(a || b)", |a, b| n(Op::Not(Box::new(binary(BinaryOp::Or, operand(a), operand(b))))), "fffftufuu"),
        ("==", |a, b| binary(BinaryOp::Equal, operand(a), operand(b)), "tfuftuuuu"),
        ("!=", |a, b| binary(BinaryOp::NotEqual, operand(a), operand(b)), "ftutfuuuu"),
        ("[a] == [b, b]", |a, b| binary(BinaryOp::Equal, array(vec![operand(a)]), array(vec![operand(b), operand(b)])), "fffffffff"),
        (
            "[a, b] == [true, true]",
            |a, b| binary(BinaryOp::Equal, array(vec![operand(a), operand(b)]), c(list([true.into(), true.into()]))),
            "tfufffufu",
        ),
        ("any?", |a, b| quantified("any?", a, b), "ttttfutuu"),
        ("all?", |a, b| quantified("all?", a, b), "tfufffufu"),
        ("none?", |a, b| quantified("none?", a, b), "fffftufuu"),
        ("one?", |a, b| quantified("one?", a, b), "ftutfuuuu"),
        ("[a, b].any?", |a, b| method(array(vec![operand(a), operand(b)]), "any?", vec![]), "ttttfutuu"),
        ("[a, b].all?", |a, b| method(array(vec![operand(a), operand(b)]), "all?", vec![]), "tfufffufu"),
        ("[a, b].include?(true)", |a, b| method(array(vec![operand(a), operand(b)]), "include?", vec![c(true.into())]), "ttttfutuu"),
        (
            "[a, b].length == 2",
            |a, b| binary(BinaryOp::Equal, method(array(vec![operand(a), operand(b)]), "length", vec![]), c(i(2))),
            "ttttttttt",
        ),
        ("a ? b : false", |a, b| when(operand(a), operand(b), Some(c(false.into()))), "tfufffufu"),
        ("a ? true : b", |a, b| when(operand(a), c(true.into()), Some(operand(b))), "ttttfutuu"),
        ("if a && b { fail }", |a, b| when(binary(BinaryOp::And, operand(a), operand(b)), fail(), None), "Fnunnnunu"),
        ("if a || b { fail }", |a, b| when(binary(BinaryOp::Or, operand(a), operand(b)), fail(), None), "FFFFnuFuu"),
        ("if a { fail } else if b { fail }", |a, b| when(operand(a), fail(), Some(when(operand(b), fail(), None))), "FFFFnuFuu"),
        ("fail if a; fail if b", |a, b| seq(vec![when(operand(a), fail(), None), when(operand(b), fail(), None)]), "FFFFnuFuu"),
        (
            "x = a ? 1 : 2; fail if x == 3 || b",
            |a, b| {
                let assign = when(operand(a), set(2, c(i(1))), Some(set(2, c(i(2)))));
                seq(vec![assign, when(binary(BinaryOp::Or, binary(BinaryOp::Equal, local(2), c(i(3))), operand(b)), fail(), None)])
            },
            "FnuFnuFuu",
        ),
        (
            "match a { true => b, _ => false }",
            |a, b| {
                let arm = |pattern, body| MatchArm { patterns: vec![pattern], guard: None, body };
                n(Op::Match(Box::new(operand(a)), vec![arm(Pattern::Value(true.into()), operand(b)), arm(Pattern::Any, c(false.into()))]))
            },
            "tfufffufu",
        ),
        ("match 1 { 1 if a => fail, 2 => true, _ => b }", |a, b| guarded(a, fail(), operand(b)), "FFFtfuuuu"),
        ("match 1 { 1 if a => b, 2 => fail, _ => b }", |a, b| guarded(a, operand(b), operand(b)), "tfutfutfu"),
        ("match 1 { 1 if a => fail, 2 => true, _ => fail if b }", |a, b| guarded(a, fail(), when(operand(b), fail(), None)), "FFFFnuFuu"),
        ("a == b || fail", |a, b| binary(BinaryOp::Or, binary(BinaryOp::Equal, operand(a), operand(b)), fail()), "tFuFtuuuu"),
        (
            "unless a { fail unless b }",
            |a, b| when(n(Op::Not(Box::new(operand(a)))), when(n(Op::Not(Box::new(operand(b)))), fail(), None), None),
            "nnnnFunuu",
        ),
        (
            "return if a; fail if b",
            |a, b| seq(vec![when(operand(a), n(Op::Return(None)), None), when(operand(b), fail(), None)]),
            "nnnFnuuuu",
        ),
        ("return b if a; b", |a, b| seq(vec![when(operand(a), n(Op::Return(Some(Box::new(operand(b))))), None), operand(b)]), "tfutfuuuu"),
        (
            "fail if b; return if a; fail if b",
            |a, b| {
                let refuse = |b| when(operand(b), fail(), None);
                seq(vec![refuse(b), when(operand(a), n(Op::Return(None)), None), refuse(b)])
            },
            "FnuFnuFuu",
        ),
        (
            "each { |x| fail if x }",
            |a, b| with(array(vec![operand(a), operand(b)]), "each", vec![], 1, when(local(1), fail(), None)),
            "FFFFtuFuu",
        ),
    ];
    let mut wrong = Vec::new();
    for (name, combine, wanted) in rows {
        let mut got = String::new();
        for a in TRUTHS {
            for b in TRUTHS {
                got.push(truth(eval(combine(a, b))));
            }
        }
        if got != *wanted {
            wrong.push(format!("{name}: {got}, not {wanted}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn an_undecided_branch_has_no_effect() {
    let scope = Small::new();
    let assign = n(Op::SetSelf(AttrId(0), Box::new(c(i(1)))));
    let warn = func("warning", vec![c(s("reached"))]);
    for effect in [assign, warn] {
        let result = run_in(&scope, when(operand('u'), effect, None), &[]);
        assert!(result.as_ref().is_err_and(Failure::is_unknown), "{result:?}");
    }
    assert!(scope.assigned.borrow().is_empty() && scope.log.borrow().is_empty());
}

#[test]
fn messages_show_unknown_values() {
    let message = n(Op::Concat(vec![c(s("not ")), operand('u')]));
    assert_eq!(shown(eval(n(Op::Fail(Box::new(message), None, None)))), "RT301: not unknown");
}
