//! Evaluates statements entered at a prompt.

use super::suitability::MachineScope;
use super::verdict::{PropertyReader, view_of};
use super::view::View;
use super::{Context, Instance};
use rtype_lang::eval::{Failure, Frame, Scope, run_keeping_locals};
use rtype_lang::lower::EnteredCode;
use rtype_lang::value::{EcoString, Symbol, Value};

/// Evaluates entered statements about a resource, or about the machine and the catalog if `about` is `None`. Returns the last statement's
/// value and the resulting variables.
///
/// # Errors
/// Returns the failure of the code.
pub fn evaluate_entered(
    entered: &EnteredCode,
    arguments: &[Value],
    about: Option<(&Instance, PropertyReader<'_>)>,
    context: Context<'_>,
) -> Result<(Value, Vec<(EcoString, Value)>), Failure> {
    let no_type = Symbol::from("");
    let program = &entered.program;
    let view = about.map(|(instance, current)| View { program, ..view_of(instance, context, Some(current)) });
    let machine = MachineScope { world: context.world, program, type_name: &no_type, catalog: Some(context.catalog), log: None };
    let scope: &dyn Scope = view.as_ref().map_or(&machine, |view| view);
    let frame = Frame { scope, attribute: None, is: None, should: None, base: None };
    let (result, locals) = run_keeping_locals(&entered.code, arguments, &frame);
    let variable = |(name, slot): &(EcoString, u16)| Some((name.clone(), locals.get(usize::from(*slot))?.clone()));
    Ok((result?, entered.variables.iter().filter_map(variable).collect()))
}
