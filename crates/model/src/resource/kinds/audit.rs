//! What `audit` watches: Puppet's metaparameter of that name.

use super::super::lacking;
use super::View;
use rtype_lang::types::Role;
use rtype_lang::value::{Symbol, Value};

fn all(value: &Value) -> &[Value] {
    match value {
        Value::Array(all) => all,
        one => std::slice::from_ref(one),
    }
}

/// Every name must be that of an attribute; `all` stands alone.
pub(super) fn validate(value: &Value, view: &View<'_>) -> Result<(), String> {
    let names = all(value);
    for name in names {
        let text = name.as_text().ok_or_else(|| format!("names of attributes are text, not {}", name.kind_name()))?;
        // `name` is understood by every type, whatever its namevar is called.
        if view.type_def.id_of(text).is_none() && text != "name" && !(text == "all" && names.len() == 1) {
            return Err(format!("`{text}` cannot be audited: `{}` has no such attribute", view.type_def.name));
        }
    }
    Ok(())
}

/// The names; for `all` those of the properties that the provider can manage.
pub(super) fn munge(value: &Value, view: &View<'_>) -> Value {
    if value.as_text() == Some("all") {
        let supported = |features: &[Symbol]| match &view.provider {
            Some(bound) => lacking(view.type_def, bound.provider, features, view.context.world).is_empty(),
            None => true,
        };
        // `ensure` comes first, as it does wherever properties are looked at.
        let mut names: Vec<_> = view.type_def.properties().filter(|a| supported(&a.required_features)).map(|a| a.name.clone()).collect();
        names.sort_by_key(|name| name.as_str() != "ensure");
        return Value::array(names.into_iter().map(Value::Sym));
    }
    Value::array(all(value).iter().map(|name| Value::sym(name.to_text())))
}

/// Whether a property is watched, and left alone unless it is given.
pub(in crate::resource) fn watches(view: &View<'_>, name: &Symbol) -> bool {
    let list = view.type_def.id_of("audit").filter(|id| view.type_def.attribute(*id).is_some_and(|a| a.role == Role::Metaparam));
    let list = list.and_then(|id| view.slots.stored(id)).unwrap_or_default();
    list.unwrapped().as_array().is_some_and(|names| names.iter().any(|n| n.is_sym(name.as_str())))
}
