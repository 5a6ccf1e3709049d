//! Puppet's metaparameter `audit`.

use super::super::lacking;
use super::{KindError, View};
use rtype_lang::types::Role;
use rtype_lang::value::{Symbol, Value};

fn all(value: &Value) -> &[Value] {
    match value {
        Value::Array(all) => all,
        one => std::slice::from_ref(one),
    }
}

/// Checks that every name is an attribute name; `all` must be the only name.
pub(super) fn validate(value: &Value, view: &View<'_>) -> Result<(), KindError> {
    let names = all(value);
    for name in names {
        let text = name.as_text().ok_or_else(|| KindError::WrongKind { expected: "the name of an attribute", found: name.kind_name() })?;
        // Every type accepts `name`, even if the namevar has another name.
        if view.type_def.id_of(text).is_none() && text != "name" && !(text == "all" && names.len() == 1) {
            return Err(KindError::CannotAudit { attribute: text.into(), type_name: view.type_def.name.clone() });
        }
    }
    Ok(())
}

/// Returns the list of names. `all` is replaced with the properties that the provider can manage.
pub(super) fn munge(value: &Value, view: &View<'_>) -> Value {
    if value.as_text() == Some("all") {
        let supported = |features: &[Symbol]| match &view.provider {
            Some(bound) => lacking(view.type_def, bound.provider, features, view.context.world).is_empty(),
            None => true,
        };
        // As everywhere, `ensure` is the first property.
        let mut names: Vec<_> = view.type_def.properties().filter(|a| supported(&a.required_features)).map(|a| a.name.clone()).collect();
        names.sort_by_key(|name| name.as_str() != "ensure");
        return Value::array(names.into_iter().map(Value::Sym));
    }
    Value::array(all(value).iter().map(|name| Value::sym(name.to_text())))
}

/// Returns true if a property is audited. An audited property without a desired value is not managed.
pub(in crate::resource) fn watches(view: &View<'_>, name: &Symbol) -> bool {
    let list = view.type_def.id_of("audit").filter(|id| view.type_def.attribute(*id).is_some_and(|a| a.role == Role::Metaparam));
    let list = list.and_then(|id| view.slots.stored(id)).unwrap_or_default();
    list.unwrapped().as_array().is_some_and(|names| names.iter().any(|n| n.is_sym(name.as_str())))
}
