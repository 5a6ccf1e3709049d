//! Which providers can work here, why the others cannot, and which one is chosen.

use rtype_lang::diagnostics::Code;
use rtype_lang::eval::{CatalogQuery, Failure, Frame, ProviderQuery, Scope, World, run};
use rtype_lang::source::Span;
use rtype_lang::types::{AttrId, Code as Block, ConfineTest, FEATURE, FactTest, FactValue, Program, ProviderDef, TypeDef};
use rtype_lang::value::{EcoString, ResourceRef, Symbol, Value};

/// Why a provider cannot work here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsuitable {
    /// The reason, as a sentence without full stop.
    pub reason: String,
    /// The condition that fails.
    pub span: Span,
    /// Whether a run can change it. Facts and settings stay what they are.
    pub can_change: bool,
}

/// What is to be said of one provider on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suitability {
    /// Its name.
    pub provider: Symbol,
    /// Why not; empty when it can work here.
    pub reasons: Vec<Unsuitable>,
    /// How many facts of its best `defaultfor` hold; `None` when it is no default here.
    pub default_for: Option<usize>,
    /// How many providers it builds upon: of equals the more special one is preferred.
    pub depth: usize,
}

impl Suitability {
    /// Whether it can work here.
    pub fn is_suitable(&self) -> bool {
        self.reasons.is_empty()
    }
}

/// The provider chosen where a resource names none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its name.
    pub provider: Symbol,
    /// Others that would have done as well: a tie that the types' author should settle.
    pub ties: Vec<Symbol>,
}

/// Looks at all providers of a type.
///
/// Follows Puppet's `Puppet::Confine` and `Puppet::Provider.suitable?`, but tells every reason.
pub fn survey(type_def: &TypeDef, world: &dyn World) -> Vec<Suitability> {
    type_def
        .providers
        .values()
        .map(|p| Suitability {
            provider: p.name.clone(),
            reasons: reasons(p, type_def, world),
            default_for: default_for(type_def, p, world),
            depth: type_def.lineage(p).count() - 1,
        })
        .collect()
}

/// The provider that a resource gets unless it names one.
///
/// Follows Puppet's `Puppet::Type.defaultprovider`: among the suitable ones those that are a default here, of these
/// the most specific: by facts, then by how many others it builds upon. A tie goes to the first in the order of declaration.
pub fn choose(survey: &[Suitability]) -> Option<Choice> {
    let suitable: Vec<_> = survey.iter().filter(|s| s.is_suitable()).collect();
    let defaults: Vec<_> = suitable.iter().copied().filter(|s| s.default_for.is_some()).collect();
    let candidates = if defaults.is_empty() { suitable } else { defaults };
    let specificity = |s: &Suitability| (s.default_for.unwrap_or(0), s.depth);
    let best = candidates.iter().map(|s| specificity(s)).max()?;
    let mut best = candidates.into_iter().filter(|s| specificity(s) == best).map(|s| s.provider.clone());
    Some(Choice { provider: best.next()?, ties: best.collect() })
}

/// Whether a provider has a feature, on some machine at least: it claims it itself, or it or what it builds upon answers all of the feature's methods.
///
/// Follows Puppet's `Puppet::Util::ProviderFeatures`, where methods are inherited and claims are not.
pub fn supports(type_def: &TypeDef, provider: &ProviderDef, feature: &Symbol) -> bool {
    if provider.features.contains_key(feature) {
        return true;
    }
    let methods = type_def.features.get(feature).map(|f| f.methods.as_slice()).unwrap_or_default();
    !methods.is_empty() && methods.iter().all(|m| answers(type_def, provider, m))
}

/// Whether a provider, or one that it builds upon, has a method.
fn answers(type_def: &TypeDef, provider: &ProviderDef, method: &Symbol) -> bool {
    let has = |p: &ProviderDef| p.queries.contains(method) || p.actions.contains(method) || p.settings.contains_key(method);
    type_def.lineage(provider).any(|(_, p)| has(p))
}

/// Whether a provider has a feature on this machine.
pub fn has_feature(type_def: &TypeDef, provider: &ProviderDef, feature: &Symbol, world: &dyn World) -> bool {
    let needed = provider.features_with.get(feature).map(Vec::as_slice).unwrap_or_default();
    supports(type_def, provider, feature) && needed.iter().all(|f| platform(type_def, f, world).unwrap_or(false))
}

/// The features of `wanted` that a provider lacks on this machine.
pub fn lacking(type_def: &TypeDef, provider: &ProviderDef, wanted: &[Symbol], world: &dyn World) -> Vec<Symbol> {
    wanted.iter().filter(|f| !has_feature(type_def, provider, f, world)).cloned().collect()
}

/// The features of `wanted` that a provider lacks on every machine.
pub fn supports_all<'a>(type_def: &TypeDef, provider: &ProviderDef, wanted: impl IntoIterator<Item = &'a Symbol>) -> Vec<Symbol> {
    wanted.into_iter().filter(|f| !supports(type_def, provider, f)).cloned().collect()
}

fn reasons(provider: &ProviderDef, type_def: &TypeDef, world: &dyn World) -> Vec<Unsuitable> {
    let mut found = Vec::new();
    for command in provider.commands.values() {
        if world.which(&command.command).is_none() {
            let reason = format!("command `{}` is not installed", command.command);
            found.push(Unsuitable { reason, span: command.span, can_change: true });
        }
    }
    for confine in &provider.confines {
        let reason = match &confine.test {
            ConfineTest::Fact(test) => fact_reason(test, world),
            ConfineTest::Exists(paths) => paths.iter().find(|p| !world.exists(p)).map(|p| format!("`{p}` does not exist")),
            ConfineTest::Feature(features) => features.iter().find_map(|f| match platform(type_def, f, world) {
                Ok(true) => None,
                Ok(false) => Some(format!("the platform lacks `{f}`")),
                Err(failure) => Some(format!("unknown whether the platform has `{f}`: {}", failure.message)),
            }),
            ConfineTest::Code(code) => match machine_block(type_def, code, world) {
                Ok(true) => None,
                Ok(false) => Some("its condition does not hold here".to_owned()),
                Err(failure) => Some(format!("its condition failed: {}", failure.message)),
            },
        };
        if let Some(reason) = reason {
            let reason = confine.message.as_ref().map_or(reason.clone(), |m| format!("{m} ({reason})"));
            let can_change = !matches!(confine.test, ConfineTest::Fact(_));
            found.push(Unsuitable { reason, span: confine.span, can_change });
        }
    }
    found
}

/// Whether the platform has a feature: what the type's file says of it goes before what the program knows.
fn platform(type_def: &TypeDef, name: &Symbol, world: &dyn World) -> Result<bool, Failure> {
    let program = &type_def.program;
    let own = program.features.get(name).and_then(|place| program.functions.get(usize::from(*place)));
    own.map_or_else(|| Ok(world.feature(name.as_str())), |own| machine_block(type_def, &own.code, world))
}

/// A block that sees the machine and nothing else.
fn machine_block(type_def: &TypeDef, code: &Block, world: &dyn World) -> Result<bool, Failure> {
    let scope = Machine { world, program: &type_def.program, type_name: &type_def.name };
    run(code, &[], &Frame { scope: &scope, attribute: None, is: None, should: None, base: None }).map(|v| v.is_truthy())
}

/// A setting of the run goes before a fact of that name, as in Puppet.
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
        format!("there is no fact `{}`, it should be {wanted}", test.fact)
    } else {
        format!("{what} `{}` is `{actual}`, not {wanted}", test.fact)
    })
}

/// Puppet shows patterns the fact in small letters only (`Puppet::Provider.fact_match`): such patterns fit here, and those that
/// are written after the fact as it is do, too.
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

/// Follows Puppet's `Puppet::Provider.default_match`: the first set that holds counts with its size, unless a `notdefaultfor` holds.
fn default_for(type_def: &TypeDef, provider: &ProviderDef, world: &dyn World) -> Option<usize> {
    let feature = |value: &FactValue| match value {
        FactValue::Is(name) => platform(type_def, &Symbol::from(name.to_text()), world).unwrap_or(false),
        FactValue::Matches(_) => false,
    };
    let test = |t: &FactTest| if t.fact == FEATURE { t.values.iter().all(feature) } else { holds(t, &world.fact(&t.fact)) };
    let all_hold = |tests: &&Vec<FactTest>| !tests.is_empty() && tests.iter().all(test);
    if provider.notdefaultfor.iter().any(|t| all_hold(&t)) {
        return None;
    }
    provider.defaultfor.iter().filter(all_hold).map(Vec::len).max()
}

/// What a `confine` block sees: the machine and nothing else.
struct Machine<'a> {
    world: &'a dyn World,
    program: &'a Program,
    type_name: &'a Symbol,
}

impl Scope for Machine<'_> {
    fn program(&self) -> &Program {
        self.program
    }
    fn world(&self) -> &dyn World {
        self.world
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
    fn raw(&self, _: AttrId) -> Value {
        Value::Nil
    }
    fn is_managed(&self) -> bool {
        false
    }
    fn current(&self, _: AttrId) -> Result<Value, Failure> {
        Ok(Value::Nil)
    }
    fn assign(&self, _: AttrId, _: Value) -> Result<(), Failure> {
        Err(Failure::new(Code::NotAllowedHere, Span::NONE, "there is no resource here"))
    }
    fn provider(&self) -> Option<&dyn ProviderQuery> {
        None
    }
    fn catalog(&self) -> Option<&dyn CatalogQuery> {
        None
    }
}
