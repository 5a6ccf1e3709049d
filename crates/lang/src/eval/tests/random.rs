//! Random expression trees: every block terminates and nothing panics.

use super::*;
use crate::typing::{Attributes, Typing};
use proptest::prelude::*;

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Nil),
        any::<bool>().prop_map(Value::Bool),
        prop_oneof![-5i64..20, any::<i64>()].prop_map(Value::Int),
        prop_oneof![-3.0..3.0f64, any::<f64>()].prop_map(Value::Float),
        prop_oneof!["[ab1,=/ ]{0,8}", "\\PC{0,6}", Just("hello é World".to_owned())].prop_map(Value::str),
        "[a-c]{1,3}".prop_map(Value::sym),
        prop_oneof![Just("(a)|b*"), Just(","), Just("(?<n>.)"), Just("a(?=b)"), Just("")].prop_map(re),
        Just(Value::Type(Arc::new(DataType::String(Default::default())))),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(list),
            prop::collection::vec((inner.clone(), inner), 0..3).prop_map(map),
        ]
    })
}

/// Generates expression trees with all constructs, with slots 0 to 4.
pub(super) fn tree() -> impl Strategy<Value = Node> {
    let leaf = prop_oneof![
        3 => value().prop_map(c),
        2 => (0u16..5).prop_map(local),
        1 => (0u16..7).prop_map(|id| n(Op::SelfAttr(AttrId(id)))),
        1 => Just(n(Op::SelfAttr(AttrId(1)))),
        1 => Just(n(Op::SelfRef)),
        1 => (0u32..3).prop_map(|g| n(Op::Capture(g))),
    ];
    leaf.prop_recursive(5, 40, 4, |inner| {
        let nodes = || prop::collection::vec(inner.clone(), 0..3);
        let one = || inner.clone().prop_map(Box::new);
        let op = prop::sample::select(vec![
            BinaryOp::Power,
            BinaryOp::Multiply,
            BinaryOp::Modulo,
            BinaryOp::Add,
            BinaryOp::Subtract,
            BinaryOp::Intersect,
            BinaryOp::Equal,
            BinaryOp::Less,
            BinaryOp::Compare,
            BinaryOp::Match,
            BinaryOp::And,
            BinaryOp::Or,
        ]);
        prop_oneof![
            6 => (prop::sample::select(Method::ALL), one(), nodes(), prop::option::of((1u16..4, one())))
                .prop_map(|(m, receiver, arguments, lambda)| {
                    let lambda = lambda.map(|(params, body)| Box::new(Lambda { params: (1..=params).collect(), body: *body }));
                    n(Op::Method(m, receiver, arguments, lambda))
                }),
            2 => (prop::sample::select(Function::ALL), nodes()).prop_map(|(f, arguments)| n(Op::Call(f, arguments, None))),
            2 => (op, one(), one()).prop_map(|(op, a, b)| n(Op::Binary(op, a, b))),
            1 => nodes().prop_map(|nodes| n(Op::Seq(nodes))),
            1 => nodes().prop_map(|nodes| n(Op::Array(nodes))),
            1 => nodes().prop_map(|nodes| n(Op::Concat(nodes))),
            1 => (inner.clone(), inner.clone()).prop_map(|pair| n(Op::Map(vec![pair]))),
            1 => (one(), nodes()).prop_map(|(a, b)| n(Op::Index(a, b))),
            1 => (one(), one(), any::<bool>()).prop_map(|(a, b, e)| n(Op::Index(a.clone(), vec![n(Op::Range(Some(a), Some(b), e))]))),
            1 => (0u16..5, one()).prop_map(|(slot, v)| n(Op::SetLocal(slot, v))),
            1 => one().prop_map(|v| n(Op::Destructure(vec![1, 2, 3], v))),
            1 => (inner.clone(), inner.clone(), one()).prop_map(|(a, b, e)| n(Op::If(vec![(a, b)], Some(e)))),
            1 => (one(), value(), inner.clone()).prop_map(|(a, v, body)| {
                n(Op::Match(a, vec![MatchArm { patterns: vec![Pattern::Value(v)], guard: None, body }]))
            }),
            1 => (one(), one()).prop_map(|(a, b)| n(Op::Try(a, super::handler(Some(2), *b)))),
            1 => one().prop_map(|v| n(Op::Fail(v, None, None))),
            1 => one().prop_map(|v| n(Op::Return(Some(v)))),
            1 => nodes().prop_map(|a| n(Op::Provider("gone".into(), a))),
            1 => (one(), "[a-z]{1,4}").prop_map(|(v, name)| n(Op::ResourceAttr(v, name.as_str().into()))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]
    #[test]
    fn no_tree_panics_or_runs_forever(node in tree(), argument in value()) {
        let start = std::time::Instant::now();
        let first = run_in(&Small::new(), node.clone(), std::slice::from_ref(&argument));
        prop_assert!(start.elapsed().as_secs() < 5);
        let _ = shown(first);
    }

    /// The checker starts with assigned locals. Trees that assign may read a local earlier.
    #[test]
    fn every_result_is_one_that_the_inference_expects(node in tree(), argument in value()) {
        let assigns = |node: &Node| matches!(node.op, Op::SetLocal(..) | Op::Destructure(..));
        if !node.any(&assigns) && let Ok(result) = run_in(&Small::new(), node.clone(), std::slice::from_ref(&argument)) {
            let type_def = bare_type();
            let attributes = Attributes::new(&type_def);
            let expected = Typing::new(&attributes, &code(node.clone()), &[], None).result();
            prop_assert!(expected.admits(&result), "{:?} is not one of {:?}", result, expected);
        }
    }

    /// Checks the kinds in the table of methods.
    #[test]
    fn every_method_returns_a_kind_of_its_row(receiver in value(), arguments in prop::collection::vec(value(), 0..3)) {
        let type_def = bare_type();
        let attributes = Attributes::new(&type_def);
        for m in Method::ALL {
            let nodes = arguments.iter().cloned().map(c).collect::<Vec<_>>();
            for node in [method(c(receiver.clone()), m.name(), nodes.clone()), with(c(receiver.clone()), m.name(), nodes, 2, local(1))] {
                if let Ok(result) = eval(node.clone()) {
                    let expected = Typing::new(&attributes, &code(node), &[], None).result();
                    prop_assert!(expected.admits(&result), "{}: {:?} is not one of {:?}", m.name(), result, expected);
                }
            }
        }
    }

    #[test]
    fn every_method_bears_every_receiver(receiver in value(), arguments in prop::collection::vec(value(), 0..3)) {
        for m in Method::ALL {
            let nodes = arguments.iter().cloned().map(c).collect::<Vec<_>>();
            let _ = eval(method(c(receiver.clone()), m.name(), nodes.clone()));
            let _ = eval(with(c(receiver.clone()), m.name(), nodes, 2, local(1)));
        }
    }
}
