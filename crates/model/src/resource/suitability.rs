//! Determines a machine's suitable providers, the reasons against the others, and the selected provider.

use rtype_lang::diagnostics::Code;
use rtype_lang::eval::{CatalogQuery, Coverage, Failure, Frame, LogLevel, ProviderQuery, RubyProviderStatus, Scope, World, run};
use rtype_lang::source::Span;
use rtype_lang::types::{AttrId, CodeBlock, ConfineTest, FEATURE, FactTest, FactValue, Program, ProviderDef, TypeDef};
use rtype_lang::value::{EcoString, ResourceRef, Symbol, Value};
use std::cell::RefCell;

/// Messages that conditions of providers log.
pub(super) type ConditionMessages = RefCell<Vec<(LogLevel, String)>>;

/// Why a provider is not suitable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsuitable {
    /// The reason, as a sentence without full stop.
    pub reason: String,
    /// Location of the failed condition.
    pub span: Span,
    /// True if a run can change the condition. Facts and settings do not change.
    pub can_change: bool,
    /// True if the condition is left in Ruby, so that the result is unknown.
    pub is_untranslated: bool,
}

/// A provider's suitability on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suitability {
    /// Name of the provider.
    pub provider: Symbol,
    /// Reasons against the provider; empty if the provider is suitable.
    pub reasons: Vec<Unsuitable>,
    /// Number of facts in the most specific matching `defaultfor`. `None` if the provider is not a default here; the maximum if
    /// `defaultfor` is left in Ruby.
    pub default_for: Option<usize>,
    /// The type's default provider according to Ruby, if Ruby was asked about this provider.
    pub default_in_ruby: Option<Symbol>,
    /// Number of ancestor providers. Among equally specific providers, more ancestors win.
    pub depth: usize,
}

impl Suitability {
    /// Returns true if the provider is suitable.
    pub fn is_suitable(&self) -> bool {
        self.reasons.is_empty()
    }

    /// Returns true if suitability is unknown: all failed conditions are left in Ruby.
    pub fn is_open(&self) -> bool {
        !self.is_suitable() && self.reasons.iter().all(|reason| reason.is_untranslated)
    }
}

/// The provider selected for resources that do not set a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Name of the provider.
    pub provider: Symbol,
    /// Equally good candidates: a tie that the type's author should resolve.
    pub ties: Vec<Symbol>,
}

/// Determines the suitability of all providers.
///
/// Follows Puppet's `Puppet::Confine` and `Puppet::Provider.suitable?`, but returns every reason.
pub fn survey(type_def: &TypeDef, world: &dyn World) -> Vec<Suitability> {
    logged_survey(type_def, world).0
}

/// Determines the suitability like [`survey`]. Also returns the conditions' log messages.
pub(super) fn logged_survey(type_def: &TypeDef, world: &dyn World) -> (Vec<Suitability>, Vec<(LogLevel, String)>) {
    let mut messages = Vec::new();
    let one = |p: &ProviderDef| {
        let log = ConditionMessages::default();
        let (reasons, default_in_ruby) = reasons(p, type_def, world, &log);
        let suitability = Suitability {
            provider: p.name.clone(),
            reasons,
            default_in_ruby,
            default_for: default_for(type_def, p, world),
            depth: type_def.lineage(p).count() - 1,
        };
        messages.extend(log.take().into_iter().map(|(level, message)| (level, format!("provider `{}`: {message}", p.name))));
        suitability
    };
    (type_def.providers.values().map(one).collect(), messages)
}

/// Selects the provider for resources that do not set a provider.
///
/// Follows Puppet's `Puppet::Type.defaultprovider`: the candidates are the suitable providers that are a default here. The most specific
/// candidate wins, by number of facts, then by number of ancestors. In a tie, the first declared candidate is selected. No provider is
/// selected if Puppet may select a provider with conditions left in Ruby. If Ruby was asked, its default is selected.
pub fn choose(survey: &[Suitability]) -> Option<Choice> {
    let in_ruby = survey.iter().find_map(|s| s.default_in_ruby.as_ref());
    if let Some(default) = survey.iter().find(|s| Some(&s.provider) == in_ruby && s.is_suitable()) {
        return Some(Choice { provider: default.provider.clone(), ties: Vec::new() });
    }
    let suitable: Vec<_> = survey.iter().filter(|s| s.is_suitable() || s.is_open()).collect();
    let defaults: Vec<_> = suitable.iter().copied().filter(|s| s.default_for.is_some()).collect();
    let candidates = if defaults.is_empty() { suitable } else { defaults };
    let specificity = |s: &Suitability| (s.default_for.unwrap_or(0), s.depth);
    let best = candidates.iter().map(|s| specificity(s)).max()?;
    let mut best = candidates.into_iter().filter(|s| specificity(s) == best);
    let first = best.next().filter(|s| s.is_suitable())?;
    Some(Choice { provider: first.provider.clone(), ties: best.map(|s| s.provider.clone()).collect() })
}

/// Returns true if a provider supports a feature on at least one machine: the provider declares the feature, or the provider and the
/// provider's ancestors define all the feature's methods.
///
/// Follows Puppet's `Puppet::Util::ProviderFeatures`, where methods are inherited and declared features are not.
pub fn supports(type_def: &TypeDef, provider: &ProviderDef, feature: &Symbol) -> bool {
    if provider.features.contains_key(feature) {
        return true;
    }
    let methods = type_def.features.get(feature).map(|f| f.methods.as_slice()).unwrap_or_default();
    !methods.is_empty() && methods.iter().all(|m| answers(type_def, provider, m))
}

/// Returns true if a provider or an ancestor has a method.
fn answers(type_def: &TypeDef, provider: &ProviderDef, method: &Symbol) -> bool {
    let has = |p: &ProviderDef| p.queries.contains(method) || p.actions.contains(method) || p.settings.contains_key(method);
    type_def.lineage(provider).any(|(_, p)| has(p))
}

/// Returns true if a provider has a feature on this machine.
pub fn has_feature(type_def: &TypeDef, provider: &ProviderDef, feature: &Symbol, world: &dyn World) -> bool {
    let needed = provider.features_with.get(feature).map(Vec::as_slice).unwrap_or_default();
    supports(type_def, provider, feature) && needed.iter().all(|f| platform(type_def, f, world, None).unwrap_or(false))
}

/// Returns the features in `wanted` that a provider lacks on this machine.
pub fn lacking(type_def: &TypeDef, provider: &ProviderDef, wanted: &[Symbol], world: &dyn World) -> Vec<Symbol> {
    wanted.iter().filter(|f| !has_feature(type_def, provider, f, world)).cloned().collect()
}

/// Returns the features in `wanted` that a provider lacks on every machine.
pub fn supports_all<'a>(type_def: &TypeDef, provider: &ProviderDef, wanted: impl IntoIterator<Item = &'a Symbol>) -> Vec<Symbol> {
    wanted.into_iter().filter(|f| !supports(type_def, provider, f)).cloned().collect()
}

/// Returns the reasons against a provider, and the type's default provider according to Ruby, if Ruby was asked.
fn reasons(provider: &ProviderDef, type_def: &TypeDef, world: &dyn World, log: &ConditionMessages) -> (Vec<Unsuitable>, Option<Symbol>) {
    let mut found = Vec::new();
    // The number of conditions that depend on Ruby code or module facts.
    let mut open = 0;
    for command in provider.commands.values() {
        if world.which(&command.command).is_none() {
            let reason = format!("command `{}` is not installed", command.command);
            found.push(Unsuitable { reason, span: command.span, can_change: true, is_untranslated: false });
        }
    }
    for confine in &provider.confines {
        let mut is_untranslated = false;
        let mut is_open = false;
        let reason = match &confine.test {
            ConfineTest::Fact(test) => {
                is_open |= world.fact(&test.fact).is_nil();
                fact_reason(test, world)
            }
            ConfineTest::Exists(paths) => paths.iter().find(|p| !world.exists(p)).map(|p| format!("`{p}` does not exist")),
            ConfineTest::Feature(features) => features.iter().find_map(|f| match platform(type_def, f, world, Some(log)) {
                Ok(true) => None,
                Ok(false) => {
                    is_open = true;
                    Some(format!("the platform lacks `{f}`"))
                }
                Err(failure) => {
                    is_untranslated = failure.is_untranslated();
                    is_open |= is_untranslated;
                    Some(format!("unknown whether the platform has `{f}`: {}", failure.message))
                }
            }),
            ConfineTest::Code(code) => match machine_block(type_def, code, world, Some(log)) {
                Ok(true) => None,
                Ok(false) => Some("its condition does not hold here".to_owned()),
                Err(failure) => {
                    is_untranslated = failure.is_untranslated();
                    is_open |= is_untranslated;
                    let what = if is_untranslated { "its condition is left in Ruby" } else { "its condition failed" };
                    Some(format!("{what}: {}", failure.message))
                }
            },
        };
        if let Some(reason) = reason {
            open += usize::from(is_open);
            let reason = confine.message.as_ref().map_or(reason.clone(), |m| format!("{m} ({reason})"));
            let can_change = !matches!(confine.test, ConfineTest::Fact(_));
            found.push(Unsuitable { reason, span: confine.span, can_change, is_untranslated });
        }
    }
    let asked = if open > 0 && open == found.len() && type_def.worker(provider).is_none() {
        world.provider_in_ruby(type_def.name.as_str(), provider.name.as_str())
    } else {
        None
    };
    match asked {
        Some(RubyProviderStatus { reasons, default }) => {
            let span = provider.span;
            let reason = |reason| Unsuitable { reason, span, can_change: true, is_untranslated: false };
            (reasons.into_iter().map(reason).collect(), default.map(Symbol::from))
        }
        None => (found, None),
    }
}

/// Returns true if the platform has a feature. A definition in the type file takes precedence over the built-in definition.
fn platform(type_def: &TypeDef, name: &Symbol, world: &dyn World, log: Option<&ConditionMessages>) -> Result<bool, Failure> {
    let program = &type_def.program;
    let own = program.features.get(name).and_then(|place| program.functions.get(usize::from(*place)));
    own.map_or_else(|| Ok(world.feature(name.as_str())), |own| machine_block(type_def, &own.code, world, log))
}

/// Evaluates a block that can access only the machine.
fn machine_block(type_def: &TypeDef, code: &CodeBlock, world: &dyn World, log: Option<&ConditionMessages>) -> Result<bool, Failure> {
    let scope = MachineScope { world, program: &type_def.program, type_name: &type_def.name, catalog: None, log };
    run(code, &[], &Frame { scope: &scope, attribute: None, is: None, should: None, base: None }).map(|v| v.is_truthy())
}

/// As in Puppet, a run setting takes precedence over a fact with the same name.
fn fact_reason(test: &FactTest, world: &dyn World) -> Option<String> {
    let (what, actual) = match world.setting(&test.fact) {
        Value::Nil | Value::Unknown => ("fact", world.fact(&test.fact)),
        setting => ("setting", setting),
    };
    if holds(test, &actual) {
        return None;
    }
    let wanted = test.wanted();
    Some(if actual.is_nil() {
        format!("the fact `{}` is missing, it should be {wanted}", test.fact)
    } else {
        format!("{what} `{}` is `{actual}`, not {wanted}", test.fact)
    })
}

/// Puppet only matches patterns against the lower-case fact (`Puppet::Provider.fact_match`). This function accepts these patterns and
/// patterns for the original case.
fn holds(test: &FactTest, actual: &Value) -> bool {
    if actual.is_nil() {
        return false;
    }
    let text = actual.to_text();
    test.values.iter().any(|v| match v {
        FactValue::Is(value) => value.to_text().eq_ignore_ascii_case(&text),
        FactValue::Matches(regex) => regex.is_match(&text) || regex.is_match(&text.to_lowercase()),
    })
}

/// Follows Puppet's `Puppet::Provider.default_match`: returns the size of the first matching set, unless a `notdefaultfor` matches.
fn default_for(type_def: &TypeDef, provider: &ProviderDef, world: &dyn World) -> Option<usize> {
    if provider.is_default_unknown {
        return Some(usize::MAX);
    }
    let feature = |value: &FactValue| match value {
        FactValue::Is(name) => platform(type_def, &Symbol::from(name.to_text()), world, None).unwrap_or(false),
        FactValue::Matches(_) => false,
    };
    let test = |t: &FactTest| if t.fact == FEATURE { t.values.iter().all(feature) } else { holds(t, &world.fact(&t.fact)) };
    let all_hold = |tests: &&Vec<FactTest>| !tests.is_empty() && tests.iter().all(test);
    if provider.notdefaultfor.iter().any(|t| all_hold(&t)) {
        return None;
    }
    provider.defaultfor.iter().filter(all_hold).map(Vec::len).max()
}

/// The scope for code without a resource: the machine and, at a prompt, the catalog.
pub(super) struct MachineScope<'a> {
    pub world: &'a dyn World,
    pub program: &'a Program,
    pub type_name: &'a Symbol,
    pub catalog: Option<&'a dyn CatalogQuery>,
    pub log: Option<&'a ConditionMessages>,
}

impl Scope for MachineScope<'_> {
    fn program(&self) -> &Program {
        self.program
    }
    fn world(&self) -> &dyn World {
        self.world
    }
    fn coverage(&self) -> Option<&Coverage> {
        self.world.coverage()
    }
    fn reference(&self) -> ResourceRef {
        ResourceRef { type_name: self.type_name.clone(), title: EcoString::new() }
    }
    fn attribute(&self, _: AttrId) -> Value {
        Value::Nil
    }
    fn is_set(&self, _: AttrId) -> bool {
        false
    }
    fn declared(&self, _: AttrId) -> Value {
        Value::Nil
    }
    fn raw(&self, _: AttrId) -> Value {
        Value::Nil
    }
    fn values(&self, _: AttrId) -> Value {
        Value::Nil
    }
    fn is_managed(&self) -> bool {
        false
    }
    fn current(&self, _: AttrId) -> Result<Value, Failure> {
        Ok(Value::Nil)
    }
    fn assign(&self, _: AttrId, _: Value) -> Result<(), Failure> {
        Err(Failure::new(Code::NotAllowedHere, Span::NONE, "no resource is available here"))
    }
    fn provider(&self) -> Option<&dyn ProviderQuery> {
        None
    }
    fn catalog(&self) -> Option<&dyn CatalogQuery> {
        self.catalog
    }
    fn log(&self, _: Option<&Symbol>, level: LogLevel, message: &str) {
        if let Some(log) = self.log {
            log.borrow_mut().push((level, message.to_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Providers by name, each with the conditions that do not hold (`?`: left in Ruby), the number of facts in `defaultfor`, and the
    /// number of ancestors.
    fn chosen(providers: &[(&str, &str, Option<usize>, usize)], in_ruby: Option<&str>) -> Option<String> {
        let one = |(name, reasons, default_for, depth): &(&str, &str, Option<usize>, usize)| Suitability {
            provider: Symbol::from(*name),
            reasons: reasons
                .chars()
                .map(|c| Unsuitable { reason: c.to_string(), span: Span::NONE, can_change: true, is_untranslated: c == '?' })
                .collect(),
            default_for: *default_for,
            default_in_ruby: in_ruby.map(Symbol::from),
            depth: *depth,
        };
        choose(&providers.iter().map(one).collect::<Vec<_>>()).map(|choice| choice.provider.to_string())
    }

    #[test]
    fn no_provider_is_selected_where_puppet_may_select_one_left_in_ruby() {
        let of = |providers: &[_]| chosen(providers, None);
        assert_eq!(of(&[("a", "?", None, 0), ("b", "", None, 0)]), None);
        assert_eq!(of(&[("a", "", None, 0), ("b", "?", None, 0)]).as_deref(), Some("a"));
        assert_eq!(of(&[("a", "", None, 0), ("b", "?", None, 1)]), None);
        assert_eq!(of(&[("a", "?", None, 3), ("b", "", Some(1), 0)]).as_deref(), Some("b"));
        assert_eq!(of(&[("a", "?", Some(usize::MAX), 0), ("b", "", Some(2), 0)]), None);
        assert_eq!(of(&[("a", "?x", Some(3), 0), ("b", "", None, 0)]).as_deref(), Some("b"));
        assert_eq!(chosen(&[("a", "", Some(1), 0), ("b", "", None, 0)], Some("b")).as_deref(), Some("b"));
        assert_eq!(chosen(&[("a", "", Some(1), 0), ("b", "x", None, 0)], Some("b")).as_deref(), Some("a"));
    }
}
