//! The blocks of a type and the expressions in them.

use rtype_lang::types::{
    AttributeDef, CodeBlock, Compare, ConfineTest, Default, Lambda, Layers, Node, Op, Role, Setting, TypeCheck, TypeDef, ValueStep,
};

/// The purpose of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockRole {
    Validate,
    Munge,
    Default,
    Compare,
    Insync,
    Message,
    /// Any other block of an attribute.
    Attribute,
    Sync,
    /// The block of a value, with the index of the value.
    Value(usize),
    Refresh,
    Relation,
    Setting,
    Confine,
    Function,
    /// Any other block of the type.
    Type,
}

/// A block with its role and attribute.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TypeBlock<'a> {
    pub code: &'a CodeBlock,
    pub role: BlockRole,
    pub attribute: Option<&'a AttributeDef>,
}

/// Returns all blocks of a type, including those of its functions and providers, except those of metaparameters.
pub(crate) fn blocks(type_def: &TypeDef) -> Vec<TypeBlock<'_>> {
    let mut all = Vec::new();
    for attribute in type_def.attributes.iter().filter(|a| a.role != Role::Metaparam) {
        of_attribute(attribute, &mut all);
    }
    let mut add = |role, code| all.push(TypeBlock { code, role, attribute: None });
    for check in &type_def.checks {
        let (TypeCheck::Finalize(code) | TypeCheck::Validate(code)) = check;
        add(BlockRole::Type, code);
    }
    type_def.canonicalize.iter().for_each(|c| add(BlockRole::Type, c));
    type_def.late_finalizes.iter().for_each(|c| add(BlockRole::Type, c));
    type_def.autorelations.iter().for_each(|r| add(BlockRole::Relation, &r.names));
    type_def.pre_run_checks.iter().for_each(|c| add(BlockRole::Type, c));
    type_def.refresh.iter().for_each(|c| add(BlockRole::Refresh, c));
    type_def.title.iter().chain(&type_def.generate).chain(&type_def.eval_generate).for_each(|c| add(BlockRole::Type, c));
    type_def.program.functions.iter().for_each(|f| add(BlockRole::Function, &f.code));
    for provider in type_def.providers.values() {
        let mut add = |role, code| all.push(TypeBlock { code, role, attribute: None });
        for setting in provider.settings.values() {
            if let Setting::Code(code) = setting {
                add(BlockRole::Setting, code);
            }
        }
        for confine in &provider.confines {
            if let ConfineTest::Code(code) = &confine.test {
                add(BlockRole::Confine, code);
            }
        }
    }
    all
}

fn of_attribute<'a>(attribute: &'a AttributeDef, all: &mut Vec<TypeBlock<'a>>) {
    let mut add = |role, code| all.push(TypeBlock { code, role, attribute: Some(attribute) });
    steps(&attribute.validate, &mut |code| add(BlockRole::Validate, code));
    steps(&attribute.munge, &mut |code| add(BlockRole::Munge, code));
    if let Some(Default::Code(code)) = &attribute.default {
        add(BlockRole::Default, code);
    }
    if let Compare::Code(code) = &attribute.compare {
        add(BlockRole::Compare, code);
    }
    attribute.insync.iter().for_each(|c| add(BlockRole::Insync, c));
    [&attribute.is_to_s, &attribute.should_to_s, &attribute.change_to_s].into_iter().flatten().for_each(|c| add(BlockRole::Message, c));
    [&attribute.from_title, &attribute.unmunge, &attribute.should, &attribute.retrieve]
        .into_iter()
        .flatten()
        .for_each(|c| add(BlockRole::Attribute, c));
    attribute.redact.iter().filter_map(|r| r.condition.as_ref()).for_each(|c| add(BlockRole::Attribute, c));
    attribute.sync.iter().for_each(|c| add(BlockRole::Sync, c));
    for (place, value) in attribute.values.values.iter().enumerate() {
        value.action.iter().for_each(|c| add(BlockRole::Value(place), c));
    }
}

fn steps<'a>(layers: &'a Layers, add: &mut dyn FnMut(&'a CodeBlock)) {
    for step in &layers.steps {
        match step {
            ValueStep::Code(code) => add(code),
            ValueStep::Matches(matches) => matches.message.iter().for_each(&mut *add),
            ValueStep::Values | ValueStep::Native | ValueStep::Readonly(_) => {}
        }
    }
    layers.dropped.iter().for_each(|d| steps(d, add));
}

/// Calls `see` with an expression and all expressions in it, outer ones first, in order of evaluation.
pub(crate) fn each_node<'a>(node: &'a Node, see: &mut dyn FnMut(&'a Node)) {
    see(node);
    children(node, &mut |child| each_node(child, see));
}

/// Calls `see` with the direct subexpressions of an expression.
pub(super) fn children<'a>(node: &'a Node, see: &mut dyn FnMut(&'a Node)) {
    let lambda = |l: &'a Option<Box<Lambda>>, see: &mut dyn FnMut(&'a Node)| l.iter().for_each(|l| see(&l.body));
    match &node.op {
        Op::Const(_) | Op::Local(_) | Op::SelfRef | Op::SelfAttr(_) | Op::SelfTrue(_) | Op::SelfManaged | Op::Attribute => {}
        Op::Should | Op::ProviderName | Op::Capture(_) => {}
        Op::SetLocal(_, e)
        | Op::Destructure(_, e)
        | Op::SelfIndex(e)
        | Op::SelfIsSet(e)
        | Op::SelfDeclared(e)
        | Op::SelfRaw(e)
        | Op::SelfValues(e)
        | Op::SetSelf(_, e) => see(e),
        Op::SetSelfIndex(name, value) => {
            see(name);
            see(value);
        }
        Op::ProviderHas(e) | Op::SetProvider(_, e) | Op::ResourceAttr(e, _) | Op::Not(e) | Op::Negate(e) => see(e),
        Op::Is(e) | Op::Return(e) | Op::Next(e) => e.iter().for_each(|e| see(e)),
        Op::Concat(all) | Op::Array(all) | Op::Seq(all) | Op::Provider(_, all) | Op::Catalog(_, all) | Op::CallFn(_, all) => {
            all.iter().for_each(see);
        }
        Op::Super(all) => all.iter().flatten().for_each(see),
        Op::Map(pairs) => pairs.iter().for_each(|(k, v)| {
            see(k);
            see(v);
        }),
        Op::Range(from, to, _) => from.iter().chain(to).for_each(|e| see(e)),
        Op::Call(_, all, closure) => {
            all.iter().for_each(&mut *see);
            lambda(closure, see);
        }
        Op::Method(_, receiver, all, closure) => {
            see(receiver);
            all.iter().for_each(&mut *see);
            lambda(closure, see);
        }
        Op::Index(receiver, all) => {
            see(receiver);
            all.iter().for_each(see);
        }
        Op::Binary(_, left, right) => {
            see(left);
            see(right);
        }
        Op::Try(tried, handler) => {
            see(tried);
            see(&handler.body);
        }
        Op::If(branches, otherwise) => {
            for (test, body) in branches {
                see(test);
                see(body);
            }
            otherwise.iter().for_each(|e| see(e));
        }
        Op::Match(subject, arms) => {
            see(subject);
            for arm in arms {
                arm.guard.iter().for_each(&mut *see);
                see(&arm.body);
            }
        }
        Op::Untranslated(why) => see(why),
        Op::Fail(message, at, _) => {
            see(message);
            at.iter().for_each(|e| see(e));
        }
    }
}
