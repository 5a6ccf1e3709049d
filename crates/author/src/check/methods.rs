//! The methods of a provider.

use rtype_lang::types::{ProviderDef, TypeDef};
use rtype_model::providers::Providers;

/// Returns `true` if a provider's declared methods are complete: the provider has code or lists its actions.
pub(super) fn is_complete(type_def: &TypeDef, provider: &ProviderDef) -> bool {
    type_def.worker(provider).is_some() || type_def.lineage(provider).any(|(_, p)| !p.actions.is_empty())
}

/// Returns `true` if a provider or an ancestor declares a method, or if their code implements the method.
pub(super) fn has_method(type_def: &TypeDef, provider: &ProviderDef, method: &str, providers: &dyn Providers) -> bool {
    let declares = |p: &ProviderDef| p.queries.iter().chain(&p.actions).any(|m| m.as_str() == method) || p.settings.contains_key(method);
    let answers = |of: &TypeDef, p: &ProviderDef| {
        providers.capabilities(of.name.as_str(), p.name.as_str()).is_some_and(|native| native.queries.contains(&method))
    };
    type_def.lineage(provider).any(|(of, p)| declares(p) || answers(of, p))
}
