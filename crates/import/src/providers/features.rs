//! Features of a provider, and the platform features in its conditions.

use super::ProviderWriter;
use super::conditions::platform_feature;
use crate::lower::{UntranslatedCode, UntranslatedReason, build};
use crate::report::words;
use rtype_lang::syntax::ast::ExprKind;
use rtype_lang::types::builtin::PLATFORM_FEATURES;
use rtype_ruby::run::{PlainValue, RuntimeValue};

impl ProviderWriter<'_, '_> {
    /// Claims a feature. One that the type does not have has no meaning.
    pub(super) fn claim(&mut self, feature: &str) {
        if self.owner.features.as_ref().is_some_and(|known| !known.iter().any(|(name, _)| name == feature)) {
            return;
        }
        if self.has_claimed(feature) {
            return;
        }
        if let Some(last) = self.draft.directives.last_mut().filter(|last| is_claim(last) && last.options.is_empty()) {
            last.name = build::ident("has_features");
            last.args.push(words::member(feature));
        } else {
            self.push("has_feature", vec![words::member(feature)], Vec::new());
        }
    }

    fn has_claimed(&self, feature: &str) -> bool {
        let is_it = |arg: &rtype_lang::syntax::ast::Expr| *arg == words::member(feature);
        self.draft
            .directives
            .iter()
            .any(|directive| is_claim(directive) && directive.options.is_empty() && directive.args.iter().any(is_it))
    }

    /// Claims the features whose methods the provider defines.
    pub(super) fn features(&mut self) {
        let features = self.owner.features.clone().unwrap_or_default();
        let had: Vec<String> = features
            .into_iter()
            .filter(|(feature, methods)| {
                let is_claimed = self.draft.directives.iter().any(|d| is_claim(d) && d.args.contains(&words::member(feature)));
                !is_claimed && !methods.is_empty() && methods.iter().all(|method| self.answers(method))
            })
            .map(|(feature, _)| feature)
            .collect();
        if had.is_empty() {
            return;
        }
        let word = if had.len() == 1 { "has_feature" } else { "has_features" };
        self.push(word, had.iter().map(|feature| words::member(feature)).collect(), Vec::new());
    }

    /// Returns whether a feature depends on methods that a class without a file may define.
    pub(super) fn has_unknown_features(&self) -> bool {
        let features = self.owner.features.as_deref().unwrap_or_default();
        features.iter().any(|(_, methods)| !methods.is_empty() && !methods.iter().all(|method| self.answers(method)))
    }

    /// Declares the platform features in the value of `confine feature:` that only Ruby libraries offer.
    ///
    /// # Errors
    /// Returns the reason if a platform feature is not known.
    pub(super) fn platforms(&mut self, value: &PlainValue) -> Result<(), UntranslatedReason> {
        let Some(names) = words::all(value) else { return Err(UntranslatedReason::Computed("the platform feature".into())) };
        for name in names {
            if PLATFORM_FEATURES.contains(&name.as_str()) {
                continue;
            }
            if !crate::ruby::is_word(&name) || !self.is_of_libraries(&name) {
                return Err(UntranslatedReason::Directive(format!("the platform feature {name}")));
            }
            let body = build::block(vec![build::expr(ExprKind::Bool(false))]);
            self.draft.before.push(platform_feature(&name, "What Ruby libraries offer. None can be used here.", body));
        }
        Ok(())
    }

    /// Returns whether a platform feature only tests for Ruby libraries, or nothing defines it.
    fn is_of_libraries(&mut self, name: &str) -> bool {
        let path = format!("puppet/feature/{name}");
        if !self.file.has_file(&path) {
            return true;
        }
        let loaded = self.file.run.call_method(&RuntimeValue::Nil, "require", vec![RuntimeValue::str(path)]);
        if loaded.is_err() {
            return false;
        }
        self.file.platform_features().iter().all(|declared| {
            declared.first_word() != Some(name)
                || declared.option("libs").is_some() && matches!(declared.block, crate::puppet::DeclaredBlock::None)
        })
    }

    /// Reports a part of translated code that is left in Ruby.
    pub(super) fn note(&mut self, part: UntranslatedCode) {
        self.draft.note("confine", &part.reason.to_string(), part.origin);
    }
}

fn is_claim(directive: &rtype_lang::syntax::ast::Directive) -> bool {
    matches!(directive.name.name.as_str(), "has_feature" | "has_features")
}
