//! A current state that an author writes instead of reading a machine: `:is` of the prompt, and the playground.

use indexmap::IndexMap;
use rtype_lang::diagnostics::{Code, Diagnostic, Outcome, Redactions, did_you_mean};
use rtype_lang::source::Span;
use rtype_lang::types::{AttributeDef, Role, TypeDef};
use rtype_lang::value::{EcoString, ResourceRef, Symbol, Value};

/// The current value of a property as written.
#[derive(Clone, Debug)]
pub struct Stated {
    /// The name of the property.
    pub name: EcoString,
    /// The location of the name.
    pub name_span: Span,
    /// The value.
    pub value: Value,
    /// The location of the value.
    pub value_span: Span,
}

/// Returns the state of a resource as a provider would report it. Values of sensitive properties are added to `secrets`.
pub fn state_of(
    type_def: &TypeDef,
    reference: &ResourceRef,
    stated: impl IntoIterator<Item = Stated>,
    secrets: &Redactions,
) -> Outcome<IndexMap<Symbol, Value>> {
    let mut state: IndexMap<Symbol, Value> = IndexMap::new();
    let mut diagnostics = Vec::new();
    for one in stated {
        let Some(attribute) = type_def.attribute_named(&one.name).filter(|a| a.role == Role::Property) else {
            diagnostics.push(not_a_property(type_def, reference, &one));
            continue;
        };
        if attribute.sensitive || one.value.has_secret() {
            secrets.add(one.value_span);
        }
        state.insert(attribute.name.clone(), as_read(attribute, one.value.unwrapped().clone()));
    }
    // A state with properties describes an existing resource; `{}` describes an absent resource.
    let ensure = type_def.attribute_named("ensure").filter(|e| e.ensurable && !state.is_empty());
    if let Some(ensure) = ensure {
        state.entry(ensure.name.clone()).or_insert_with(|| Value::sym("present"));
    }
    Outcome { value: state, diagnostics }
}

fn not_a_property(type_def: &TypeDef, reference: &ResourceRef, one: &Stated) -> Diagnostic {
    let known: Vec<&str> = type_def.properties().map(|p| p.name.as_str()).collect();
    let is_attribute = type_def.id_of(&one.name).is_some();
    let what = if is_attribute { "is not a property, so it has no current value" } else { "is unknown" };
    let message = format!("`{}` {what}", one.name);
    Diagnostic::of_resource(Code::UnknownResourceAttribute, one.name_span, reference, None, message)
        .maybe_help(did_you_mean(&one.name, known))
}

/// Returns a value as a provider would report it: a literal of the type is a symbol, any other word is a string.
fn as_read(attribute: &AttributeDef, value: Value) -> Value {
    let is_literal = |text: &str| text == "absent" || attribute.values.literals().any(|l| l.as_str() == text) || attribute.ensurable;
    match value {
        Value::Str(s) if is_literal(&s) => Value::Sym(Symbol::from(s)),
        Value::Sym(s) if !is_literal(s.as_str()) => Value::Str(s.text()),
        Value::Array(all) => Value::array(all.iter().map(|v| as_read(attribute, v.clone()))),
        other => other,
    }
}
