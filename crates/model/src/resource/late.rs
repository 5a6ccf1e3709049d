//! A type's `late_finalize` blocks, which read the machine when the resource is due.

use super::Context;
use super::canonical::Canonical;
use super::instance::{Instance, Origin, Others, Slot, Slots as Values};
use super::view::{Assign, Slots, View};
use rtype_lang::diagnostics::Code;
use rtype_lang::eval::{Failure, Frame, run};
use rtype_lang::types::AttrId;
use rtype_lang::value::Value;
use std::cell::{Cell, RefCell};

/// Runs the type's `late_finalize` blocks. Returns the changed instance, or `None` without changes.
///
/// # Errors
/// Returns a block's failure, or a validation failure for an assigned value.
pub fn late_finalized(instance: &Instance, context: Context<'_>) -> Result<Option<Instance>, Failure> {
    let type_def = &instance.type_def;
    if type_def.late_finalizes.is_empty() {
        return Ok(None);
    }
    let slots = RefCell::new(instance.slots.iter().cloned().collect::<Vec<Slot>>());
    let changed = Cell::new(false);
    for code in &type_def.late_finalizes {
        let refused = |message: String| Failure::new(Code::InvalidValue, code.inner.span, message);
        let assign = |id: AttrId, value: Result<Value, Failure>| -> Result<(), Failure> {
            let value = value?;
            let Some(attribute) = type_def.attribute(id) else { return Ok(()) };
            changed.set(true);
            if value.is_nil() {
                slots.borrow_mut().retain(|s| s.id != id);
                return Ok(());
            }
            let secret = attribute.sensitive || value.has_secret();
            let view = view(instance, context, &slots, None);
            let canonical = Canonical {
                view: &view,
                attribute,
                trace: None,
                secret: Cell::new(secret),
                skipped: RefCell::default(),
                dropped: Cell::default(),
            };
            let stored = canonical.value(&value).map_err(|r| refused(format!("`{}`: {}", attribute.name, r.message)))?;
            let unmunged = canonical.unmunged(&stored).map_err(|r| refused(format!("`{}`: {}", attribute.name, r.message)))?;
            let others = Others::new(None, unmunged);
            let slot = Slot { id, value: stored, others, origin: Origin::Finalize, span: code.inner.span, was_text: false };
            let mut slots = slots.borrow_mut();
            slots.retain(|s| s.id != id);
            if !slot.value.is_nil() {
                slots.push(slot);
            }
            Ok(())
        };
        let assign: Assign<'_> = &assign;
        run(
            code,
            &[],
            &Frame { scope: &view(instance, context, &slots, Some(assign)), attribute: None, is: None, should: None, base: None },
        )?;
    }
    if !changed.get() {
        return Ok(None);
    }
    Ok(Some(Instance { slots: Values::of_title(slots.into_inner()), ..instance.clone() }))
}

fn view<'a>(instance: &'a Instance, context: Context<'a>, slots: &'a RefCell<Vec<Slot>>, assign: Option<Assign<'a>>) -> View<'a> {
    let (type_def, title, slots) = (&*instance.type_def, &instance.title, Slots::Assigned(slots));
    let provider = instance.provider().and_then(|name| type_def.providers.get(name.as_str()));
    View { assign, ..View::new(type_def, title, slots, context).with_provider(provider) }
}
