//! The attributes that a block reads, and the order in which attributes get their values.

use rtype_lang::source::Span;
use rtype_lang::types::{AttrId, CodeBlock, Layers, Node, Op, TypeDef, ValueStep};
use std::collections::{HashSet, VecDeque};

/// Returns the attributes that a block reads, directly or through called functions, each with the location of the first read.
pub fn reads(type_def: &TypeDef, code: &CodeBlock) -> Vec<(AttrId, Span)> {
    let mut found = Vec::new();
    let mut called = HashSet::new();
    // Functions may call each other more deeply than the stack allows, so the bodies are a queue.
    let mut bodies = VecDeque::from([(&code.inner.body, None)]);
    while let Some((body, call)) = bodies.pop_front() {
        body.walk(&mut |node| {
            let named = |node: &Node| match &node.op {
                Op::Const(value) => value.as_text().and_then(|name| type_def.id_of(name)),
                _ => None,
            };
            let place = call.unwrap_or(node.span);
            match &node.op {
                Op::SelfAttr(id) | Op::SelfTrue(id) => found.push((*id, place)),
                Op::SelfIndex(name) | Op::SelfIsSet(name) => found.extend(named(name).map(|id| (id, place))),
                Op::CallFn(function, _) if called.insert(*function) => {
                    let function = type_def.program.functions.get(usize::from(*function));
                    bodies.extend(function.map(|function| (&function.code.inner.body, Some(place))));
                }
                _ => {}
            }
        });
    }
    let mut seen = HashSet::new();
    found.retain(|(id, _)| seen.insert(*id));
    found
}

/// Returns `true` if an expression of a block satisfies `is`, or an expression of a function or replaced block that it calls.
pub fn any_called(type_def: &TypeDef, code: &CodeBlock, is: impl Fn(&Node) -> bool) -> bool {
    let (mut found, mut called) = (false, HashSet::new());
    let mut blocks = VecDeque::from([code]);
    while let Some(code) = blocks.pop_front() {
        code.inner.body.walk(&mut |node| match &node.op {
            Op::CallFn(function, _) if called.insert(*function) => {
                blocks.extend(type_def.program.functions.get(usize::from(*function)).map(|function| &function.code));
            }
            Op::Super(_) => blocks.extend(&code.inner.replaced),
            _ => found |= is(node),
        });
    }
    found
}

/// Returns the position of an attribute in the evaluation order.
pub fn turn(type_def: &TypeDef, id: AttrId) -> usize {
    type_def.order.iter().position(|other| *other == id).unwrap_or(usize::MAX)
}

/// Returns the active blocks of the steps; blocks replaced by an `override` only run through `super`.
pub fn own_blocks(layers: &Layers) -> impl Iterator<Item = &CodeBlock> {
    layers.steps.iter().filter_map(|step| if let ValueStep::Code(code) = step { Some(code) } else { None })
}

/// Returns `true` if a step calls `super`.
pub fn calls_super(layers: &Layers) -> bool {
    own_blocks(layers).any(|code| any(&code.inner.body, |node| matches!(node.op, Op::Super(_))))
}

/// Returns `true` if an expression or a subexpression satisfies `is`.
pub fn any(node: &Node, is: impl Fn(&Node) -> bool) -> bool {
    let mut found = false;
    node.walk(&mut |node| found |= is(node));
    found
}
