//! A provider as blocks see it: features, settings, queries.

use super::instance::{self, Instance, provider_name, wanted};
use super::verdict::view_of;
use super::view::{Slots, View};
use super::{Context, QueryContext, has_feature, lacking};
use crate::providers::rows;
use rtype_lang::diagnostics::Code;
use rtype_lang::eval::{CatalogQuery, Coverage, Failure, FailureKind, Frame, LogLevel, ProviderQuery, QueryError, Scope, World, run};
use rtype_lang::types::{AttrId, CodeBlock, Program, ProviderDef, Role, Setting, TypeDef};
use rtype_lang::value::{EcoString, ResourceRef, Symbol, Value};
use std::cell::Cell;
use std::sync::Arc;

/// Maximum nesting of provider settings.
const MAX_ASKED: u8 = 8;

/// A provider together with the resource that uses it.
#[derive(Clone)]
pub(super) struct BoundProvider<'a> {
    pub type_def: &'a TypeDef,
    pub provider: &'a ProviderDef,
    pub context: Context<'a>,
    pub title: &'a EcoString,
    pub slots: Slots<'a>,
    /// Current nesting of settings.
    pub asked: Cell<u8>,
}

impl BoundProvider<'_> {
    /// Returns a setting: a constant or a block's result; `None` if neither the provider nor its parents define the setting.
    pub fn setting(&self, name: &str) -> Option<Result<Value, Failure>> {
        self.ask(name, &[])
    }

    /// Like [`Self::setting`], for blocks with arguments.
    fn ask(&self, name: &str, arguments: &[Value]) -> Option<Result<Value, Failure>> {
        let found = self.type_def.lineage(self.provider).find_map(|(of, p)| Some((of, p.settings.get(name)?)));
        let (of, setting) = found?;
        let code = match setting {
            Setting::Value(value) => return Some(Ok(value.clone())),
            Setting::Code(code) => code,
        };
        if self.asked.get() >= MAX_ASKED {
            let message = format!("settings ask each other without end: `{name}`");
            return Some(Err(Failure::new(Code::CallsTooDeep, code.inner.span, message)));
        }
        let provider = BoundProvider { asked: Cell::new(self.asked.get() + 1), ..self.clone() };
        let view = View { provider: Some(provider), ..View::new(self.type_def, self.title, self.slots, self.context) };
        let foreign = Foreign { view: &view, of };
        let scope: &dyn Scope = if std::ptr::eq(of, self.type_def) { &view } else { &foreign };
        Some(run(code, arguments, &Frame { scope, attribute: None, is: None, should: None, base: None }))
    }

    fn declares(&self, method: &Symbol) -> bool {
        self.type_def.lineage(self.provider).any(|(_, p)| p.queries.contains(method) || p.actions.contains(method))
    }

    /// Evaluates methods that need neither code nor machine: settings and features. Returns `None` for all others.
    pub fn answer(&self, method: &str, arguments: &[Value]) -> Option<Result<Value, QueryError>> {
        if let Some(answer) = self.rows(method, arguments) {
            return Some(answer);
        }
        let record = self.record(method, arguments);
        match self.ask(method, record.as_ref().map_or(arguments, std::slice::from_ref)) {
            Some(Ok(value)) => return Some(Ok(value)),
            Some(Err(failure)) if failure.kind == FailureKind::Unknown => return Some(Ok(Value::Unknown)),
            Some(Err(failure)) if self.asked.get() > 0 => return Some(Err(failure.into())),
            Some(Err(failure)) => {
                return Some(Err(QueryError::Setting { name: method.into(), failure: Box::new(failure) }));
            }
            None => {}
        }
        let own = self.declares(&Symbol::from(method)) || self.type_def.id_of(method).is_some();
        self.of_features(method, arguments).filter(|_| !own).map(Ok)
    }

    /// Evaluates `provider.rows(output)`, which parses program output for a provider without code.
    fn rows(&self, method: &str, arguments: &[Value]) -> Option<Result<Value, QueryError>> {
        let [output] = arguments else { return None };
        let output = output.as_text().filter(|_| method == "rows")?;
        let format = self.setting(method)?;
        Some(format.map_err(QueryError::from).and_then(|format| rows(&format, output).map_err(|e| QueryError::Rows(e.to_string()))))
    }

    /// Builds the record for `print` without an argument: the new resource's attributes.
    fn record(&self, method: &str, arguments: &[Value]) -> Option<Value> {
        if method != "print" || !arguments.is_empty() {
            return None;
        }
        let attributes = self.type_def.attributes.iter().enumerate();
        let values = attributes.filter(|(_, a)| a.role != Role::Metaparam && !matches!(a.name.as_str(), "ensure" | "provider"));
        let values = values.filter_map(|(i, attribute)| {
            let stored = self.slots.seen(AttrId(u16::try_from(i).ok()?))?;
            let value = wanted(attribute, &stored);
            (!value.is_nil() && !value.is_absent()).then(|| (Value::Sym(attribute.name.clone()), value))
        });
        Some(Value::Map(Arc::new(values.collect())))
    }

    /// Returns true if a method is an action and not also a query.
    fn acts(&self, method: &str) -> bool {
        let symbol = Symbol::from(method);
        let mut lineage = self.type_def.lineage(self.provider);
        lineage.any(|(_, p)| p.actions.contains(&symbol)) && !self.type_def.lineage(self.provider).any(|(_, p)| p.queries.contains(&symbol))
    }

    /// Evaluates the feature methods that every provider has.
    fn of_features(&self, method: &str, arguments: &[Value]) -> Option<Value> {
        let features = &self.type_def.features;
        let world = self.context.world;
        let has = |name: &Symbol| has_feature(self.type_def, self.provider, name, world);
        let mut wanted = Vec::new();
        arguments.iter().for_each(|a| names(a, &mut wanted));
        Some(match method {
            "features" => {
                let mut all: Vec<&Symbol> = features.keys().filter(|f| has(f)).collect();
                all.sort();
                Value::array(all.into_iter().map(|f| Value::Sym(f.clone())))
            }
            "satisfies?" => Value::Bool(lacking(self.type_def, self.provider, &wanted, world).is_empty()),
            _ => {
                let name = Symbol::from(method.strip_suffix('?')?);
                Value::Bool(features.contains_key(&name).then(|| has(&name))?)
            }
        })
    }
}

/// Collects the names in a nested list.
fn names(value: &Value, out: &mut Vec<Symbol>) {
    match value {
        Value::Array(items) => items.iter().for_each(|i| names(i, out)),
        other => out.push(Symbol::from(other.to_text())),
    }
}

impl ProviderQuery for BoundProvider<'_> {
    fn name(&self) -> Option<Symbol> {
        Some(self.provider.name.clone())
    }

    fn has(&self, name: &str) -> Option<bool> {
        let symbol = Symbol::from(name);
        let setting = self.type_def.lineage(self.provider).any(|(_, p)| p.settings.contains_key(&symbol));
        // A provider with a feature has the feature's methods.
        let has = |feature: &Symbol| has_feature(self.type_def, self.provider, feature, self.context.world);
        let mut of_features = self.type_def.features.iter().filter(|(_, feature)| feature.methods.contains(&symbol));
        Some(setting || has(&symbol) || self.declares(&symbol) || of_features.any(|(feature, _)| has(feature)))
    }

    fn call(&self, method: &str, arguments: &[Value]) -> Result<Value, QueryError> {
        if let Some(answer) = self.answer(method, arguments) {
            return answer;
        }
        if self.acts(method) {
            return Err(QueryError::IsAction(method.into()));
        }
        let Some(backend) = self.context.backend else {
            return Err(QueryError::NothingIsRead(method.into()));
        };
        let get = |name: &str| {
            let id = self.type_def.id_of(name);
            let stored = id.and_then(|id| self.slots.seen(id));
            match (id.and_then(|id| self.type_def.attribute(id)), stored) {
                (Some(attribute), Some(stored)) => wanted(attribute, &stored),
                _ => Value::Nil,
            }
        };
        let setting = |name: &str, arguments: &[Value]| self.ask(name, arguments).unwrap_or(Ok(Value::Nil));
        let name = provider_name(self.type_def, |id| Some(self.slots.seen(id)?.to_text()));
        let asked = QueryContext { type_def: self.type_def, provider: self.provider, name: &name, wanted: &get, setting: &setting };
        backend.query(&asked, method, arguments)
    }
}

/// Evaluates a setting of an instance's provider with arguments; `nil` if undefined.
///
/// # Errors
/// Returns the failure from the setting's block.
pub fn setting(instance: &Instance, name: &str, arguments: &[Value], context: Context<'_>) -> Result<Value, Failure> {
    let view = view_of(instance, context, None);
    view.provider.as_ref().and_then(|p| p.ask(name, arguments)).unwrap_or(Ok(Value::Nil))
}

/// Returns a property's desired value or a parameter's value; `nil` if unset. A provider must write the result of a `should` block, because
/// the comparison uses that result.
pub fn wanted_of(instance: &Instance, name: &str, context: Context<'_>) -> Value {
    let attribute = instance.type_def.id_of(name).and_then(|id| Some((id, instance.type_def.attribute(id)?)));
    match attribute {
        Some((id, attribute)) if attribute.should.is_some() && instance.slot(id).is_some() => view_of(instance, context, None).wanted(id),
        _ => instance.get(name),
    }
}

/// Evaluates a provider setting without a resource.
///
/// # Errors
/// Returns the failure from the setting's block.
pub fn setting_of(
    type_def: &TypeDef,
    provider: &ProviderDef,
    (name, arguments): (&str, &[Value]),
    context: Context<'_>,
) -> Result<Value, Failure> {
    let (title, slots) = (EcoString::new(), instance::Slots::of_title(Vec::new()));
    let slots = Slots::Done(&slots);
    let bound = BoundProvider { type_def, provider, context, title: &title, slots, asked: Cell::new(0) };
    bound.ask(name, arguments).unwrap_or(Ok(Value::Nil))
}

/// Runs a provider's `finalize` block from the type `of`. The resource's provider inherits from this provider.
pub(super) fn finalize(code: &CodeBlock, of: &TypeDef, view: &View<'_>) -> Result<Value, Failure> {
    let foreign = Foreign { view, of };
    let scope: &dyn Scope = if std::ptr::eq(of, view.type_def) { view } else { &foreign };
    run(code, &[], &Frame { scope, attribute: None, is: None, should: None, base: None })
}

/// A resource within another type's block. Attribute IDs differ between types, so attributes are looked up by name.
struct Foreign<'a> {
    view: &'a View<'a>,
    of: &'a TypeDef,
}

impl Foreign<'_> {
    fn id(&self, id: AttrId) -> Option<AttrId> {
        self.view.type_def.id_of(self.of.attribute(id)?.name.as_str())
    }
}

impl Scope for Foreign<'_> {
    fn program(&self) -> &Program {
        &self.of.program
    }
    fn world(&self) -> &dyn World {
        self.view.world()
    }
    fn coverage(&self) -> Option<&Coverage> {
        self.view.coverage()
    }
    fn reference(&self) -> ResourceRef {
        self.view.reference()
    }
    fn attribute(&self, id: AttrId) -> Value {
        self.id(id).map_or(Value::Nil, |id| self.view.attribute(id))
    }
    fn is_set(&self, id: AttrId) -> bool {
        self.id(id).is_some_and(|id| self.view.is_set(id))
    }
    fn declared(&self, id: AttrId) -> Value {
        self.id(id).map_or(Value::Nil, |id| self.view.declared(id))
    }
    fn raw(&self, id: AttrId) -> Value {
        self.id(id).map_or(Value::Nil, |id| self.view.raw(id))
    }
    fn values(&self, id: AttrId) -> Value {
        self.id(id).map_or(Value::Nil, |id| self.view.values(id))
    }
    fn is_managed(&self) -> bool {
        self.view.is_managed()
    }
    fn current(&self, id: AttrId) -> Result<Value, Failure> {
        self.id(id).map_or_else(|| Ok(Value::sym("absent")), |id| self.view.current(id))
    }
    fn assign(&self, id: AttrId, value: Value) -> Result<(), Failure> {
        self.id(id).map_or(Ok(()), |id| self.view.assign(id, value))
    }
    fn assign_untranslated(&self, id: AttrId, failure: Failure) -> Result<(), Failure> {
        self.id(id).map_or(Ok(()), |id| self.view.assign_untranslated(id, failure))
    }
    fn log(&self, attribute: Option<&Symbol>, level: LogLevel, message: &str) {
        self.view.log(attribute, level, message);
    }
    fn provider(&self) -> Option<&dyn ProviderQuery> {
        self.view.provider()
    }
    fn catalog(&self) -> Option<&dyn CatalogQuery> {
        self.view.catalog()
    }
}
