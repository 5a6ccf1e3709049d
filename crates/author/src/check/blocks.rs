//! The blocks of a type and the expressions in them.

use rtype_lang::types::{AttributeDef, CodeBlock, Compare, ConfineTest, Default, Layers, Role, Setting, TypeCheck, TypeDef, ValueStep};
use rtype_lang::typing::{Attributes, Kinds, PossibleValues, Typing, before_munge, current, munge_params};

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
    /// The block of a value, with the value's index.
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

/// Returns the blocks of a type, including its functions and providers, without metaparameters.
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

/// Returns the inference for a block of a type.
pub(crate) fn typing<'a>(attributes: &'a Attributes<'a>, block: &TypeBlock<'a>) -> Typing<'a> {
    let params = block.attribute.map_or_else(Vec::new, |attribute| match block.role {
        BlockRole::Munge => munge_params(attribute, block.code),
        BlockRole::Validate => vec![declared(attribute)],
        BlockRole::Compare => vec![current(attribute), attributes.of_attribute(attribute)],
        BlockRole::Insync => vec![current(attribute)],
        _ => Vec::new(),
    });
    Typing::new(attributes, block.code, &params, block.attribute)
}

/// Returns the possible values that `validate` receives: allowed values are still strings, unless they are defaults.
fn declared(attribute: &AttributeDef) -> PossibleValues {
    if attribute.values.is_empty() {
        before_munge(attribute)
    } else if attribute.default.is_some() || attribute.data_type.is_some() {
        PossibleValues::any()
    } else {
        PossibleValues::kinds(Kinds::DECLARED)
    }
}
