//! Compares a provider's declaration in `.rtype` with the provider's code.

mod declared;
mod program;

pub use program::of_hello;

use super::{MayRead, Providers};
use crate::resource::supports_all;
use rtype_lang::diagnostics::{Code, Diagnostic, did_you_mean, suggest_nearest};
use rtype_lang::types::{AllowedValue, AttributeDef, Matcher, ProviderBody, TypeDef};

/// Compares a provider's declaration with the provider's code.
///
/// Native code must exist, read and change every property supported by the provider's features, answer every declared query and perform
/// every declared action. A program must exist, and the description file next to the program, a copy of the answer to `hello`, must agree
/// with the declaration.
pub fn disagreements(type_def: &TypeDef, providers: &dyn Providers, may_read: MayRead<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for provider in type_def.providers.values() {
        let span = match &provider.body {
            ProviderBody::Native(_) if !providers.has_native_code() => continue,
            ProviderBody::Native(span) => *span,
            ProviderBody::Program(program) => {
                program::disagreements(&mut found, type_def, provider, program, providers, may_read);
                continue;
            }
            ProviderBody::Declared(def) => {
                declared::disagreements(&mut found, type_def, provider, def);
                continue;
            }
            ProviderBody::None => continue,
        };
        let key = format!("{}/{}", type_def.name, provider.name);
        let Some(native) = providers.capabilities(type_def.name.as_str(), provider.name.as_str()) else {
            let known: Vec<String> = providers.names().iter().map(|(t, p)| format!("{t}/{p}")).collect();
            let near = suggest_nearest(&key, known.iter().map(String::as_str));
            found.push(
                Diagnostic::new(Code::NativeMismatch, span, format!("this program has no native code for `{key}`"))
                    .help(near.unwrap_or_else(|| "leave `native` out: the provider is then declared without code yet".into())),
            );
            continue;
        };
        for property in type_def.properties() {
            // `retrieve` replaces reading by the provider.
            let can_manage = supports_all(type_def, provider, &property.required_features).is_empty();
            if can_manage && property.retrieve.is_none() && !native.reads.contains(&property.name.as_str()) {
                found.push(
                    Diagnostic::new(
                        Code::NativeMismatch,
                        span,
                        format!("the native code of `{key}` does not read the property `{}`", property.name),
                    )
                    .also(property.span, "the property")
                    .help("let the code read it, or require a feature for it that the provider lacks"),
                );
            }
        }
        for property in type_def.properties().filter(|p| is_set_by_provider(p)) {
            let can_manage = supports_all(type_def, provider, &property.required_features).is_empty();
            if can_manage && !native.writes.contains(&property.name.as_str()) {
                found.push(
                    Diagnostic::new(
                        Code::NativeMismatch,
                        span,
                        format!("the native code of `{key}` does not change the property `{}`", property.name),
                    )
                    .also(property.span, "the property")
                    .help("let the code change it, let the type say `readonly`, or require a feature for it that the provider lacks"),
                );
            }
        }
        for action in &provider.actions {
            // Every provider accepts `create`, `destroy` and `flush`.
            if !native.actions.contains(&action.as_str()) && !USUAL.contains(&action.as_str()) {
                let known = native.actions.iter().copied();
                found.push(
                    Diagnostic::new(Code::NativeMismatch, span, format!("the native code of `{key}` cannot `{action}`"))
                        .maybe_help(did_you_mean(action.as_str(), known).or(Some("it has no actions of its own".into()))),
                );
            }
        }
        for query in &provider.queries {
            if !native.queries.contains(&query.as_str()) && type_def.attribute_named(query.as_str()).is_none() {
                let known = native.queries.iter().copied();
                found.push(
                    Diagnostic::new(Code::NativeMismatch, span, format!("the native code of `{key}` does not answer the query `{query}`"))
                        .maybe_help(did_you_mean(query.as_str(), known).or(Some("it answers no queries".into()))),
                );
            }
        }
    }
    found
}

/// Actions that every provider accepts.
const USUAL: &[&str] = &["create", "destroy", "delete", "flush"];

/// Returns true if the provider's setter changes the property for at least one value.
fn is_set_by_provider(property: &AttributeDef) -> bool {
    // A regex among the values only accepts input that the type later converts to a literal.
    let is_set = |v: &AllowedValue| v.action.is_none() && matches!(v.matcher, Matcher::Literal(_));
    let all_act = property.values.values.iter().any(|v| v.action.is_some()) && !property.values.values.iter().any(is_set);
    property.readonly.is_none() && property.sync.is_none() && !all_act
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::providers::{Capabilities, ProgramDescription};
    use crate::resource::QueryContext;
    use rtype_lang::eval::QueryError;
    use rtype_lang::library::TypeSet;
    use rtype_lang::types::ProgramDef;
    use rtype_lang::value::Value;

    struct Half;

    impl Providers for Half {
        fn names(&self) -> Vec<(String, String)> {
            vec![("wall".to_owned(), "brush".to_owned())]
        }

        fn capabilities(&self, type_name: &str, provider: &str) -> Option<Capabilities> {
            let half = Capabilities { reads: &["ensure", "color"], queries: &["wet?"], writes: &["shade"], actions: &["dry"] };
            ((type_name, provider) == ("wall", "brush")).then_some(half)
        }

        fn program(&self, _: &ProgramDef, _: MayRead<'_>) -> ProgramDescription {
            ProgramDescription::None
        }

        fn in_sync(&self, _: &QueryContext<'_>, _: &[Value]) -> Result<Value, QueryError> {
            Err(QueryError::NoAnswer)
        }
    }

    #[test]
    fn a_declaration_and_its_code_are_compared() {
        let text = "type wall {\n  feature paint, \"Can paint.\"\n  newparam name\n  ensurable\n  newproperty color\n  newproperty shade\n  newproperty gloss, required_features: paint\n}\n\
            provider brush, for: wall {\n  queries [wet?, wte?]\n  actions [create, dry, dyr]\n  native\n}\nprovider brsh, for: wall { native }\nprovider declared, for: wall { desc \"Later.\" }\n";
        let mut types = TypeSet::default();
        let source = types.sources.add("wall.rtype", text).unwrap();
        let loaded = types.load_text(&source, None).types;
        let found: Vec<(String, Option<String>)> = disagreements(loaded.first().unwrap(), &Half, &|_| Ok(()))
            .into_iter()
            .map(|d| (d.message, d.help.map(|help| help.to_string())))
            .collect();
        let expected = [
            (
                "the native code of `wall/brush` does not read the property `shade`",
                "let the code read it, or require a feature for it that the provider lacks",
            ),
            (
                "the native code of `wall/brush` does not change the property `color`",
                "let the code change it, let the type say `readonly`, or require a feature for it that the provider lacks",
            ),
            ("the native code of `wall/brush` cannot `dyr`", "did you mean `dry`?"),
            ("the native code of `wall/brush` does not answer the query `wte?`", "did you mean `wet?`?"),
            ("this program has no native code for `wall/brsh`", "did you mean `wall/brush`?"),
        ];
        assert_eq!(found, expected.map(|(m, h)| (m.to_owned(), Some(h.to_owned()))));
    }
}
