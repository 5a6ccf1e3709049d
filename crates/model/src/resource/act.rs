//! Changes: sets a property to the desired value and determines the resulting event.
//!
//! This module does not access a machine; the caller passes an [`Actor`]. Blocks cannot perform actions in any other way: loading a type
//! rejects actions in value blocks, and only the scopes in [`act`] and [`refresh`] perform actions.

use super::verdict::{compare_one, view_of};
use super::view::View;
use super::{Context, Instance};
use rtype_lang::diagnostics::Code;
use rtype_lang::eval::{Base, CatalogQuery, Coverage, Failure, Frame, LogLevel, ProviderQuery, QueryError, Scope, World, run};
use rtype_lang::source::Span;
use rtype_lang::types::{AttrId, AttributeDef, CodeBlock, Program, Role};
use rtype_lang::value::{ResourceRef, Symbol, Value};
use std::sync::Arc;

/// Maximum nesting of `sync` blocks.
const MAX_SYNCS: u8 = 8;

/// Performs the actions that blocks call. Sensitive values are passed wrapped.
pub trait Actor {
    /// Evaluates `provider.m(…)`: a declared action, `create`, `destroy`, `flush`, or a query. Queries see the effects of earlier actions.
    ///
    /// # Errors
    /// Returns the reason if the action failed.
    fn call(&self, method: &str, arguments: &[Value]) -> Result<Value, QueryError>;
    /// Sets a property: `provider.x = v`, and every property without a block.
    ///
    /// # Errors
    /// Returns the reason if the property was not set.
    fn set(&self, property: &str, value: &Value) -> Result<(), QueryError>;
    /// Reads a property's current value again.
    ///
    /// # Errors
    /// Returns the reason if the property cannot be read.
    fn read(&self, property: &str) -> Result<Value, QueryError>;
    /// Returns true if provider code runs. Blocks can then use `provider` even if the resource declares no provider.
    fn has_code(&self) -> bool {
        false
    }
    /// Logs a message of a block.
    fn log(&self, level: LogLevel, message: &str) {
        let _ = (level, message);
    }
}

/// The event that results from a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionEffect {
    /// The value's `event:`; otherwise `TYPE_created`, `TYPE_removed` or `TYPE_changed` for `ensure`, and `NAME_changed` for other
    /// properties.
    pub name: Symbol,
    /// True to drop pending refreshes of the resource.
    pub invalidate_refreshes: bool,
}

/// Changes a property from the current value `is` to the desired value, with the property's `sync` block, the value's block or the
/// provider's setter, in this order of preference.
///
/// Follows Puppet's `Puppet::Property#sync`, `#set` and `#event`.
///
/// # Errors
/// Returns the block's failure or the provider's error.
pub fn act(instance: &Instance, id: AttrId, is: &Value, context: Context<'_>, actor: &dyn Actor) -> Result<ActionEffect, Failure> {
    act_at(instance, id, is, context, actor, 0)
}

/// Returns an error if a property of an existing resource cannot be changed because it is `init_only`. If the type has no `ensure`,
/// resources are never created, and `init_only` properties can be changed.
///
/// Follows `flush` in Puppet's Resource API, where this is an error with `strict=error`.
pub fn unchangeable(instance: &Instance, id: AttrId) -> Option<Failure> {
    let attribute = instance.type_def.attribute(id)?;
    let rule = attribute.init_only.filter(|_| instance.type_def.id_of("ensure").is_some())?;
    let message = format!("`{}` can only be set when the resource is created", attribute.name);
    Some(Failure::new(Code::BlockFailed, rule, message))
}

/// Runs the type's `refresh` block. Returns `false` if the type has none.
///
/// # Errors
/// Returns the block's failure.
pub fn refresh(instance: &Instance, context: Context<'_>, actor: &dyn Actor) -> Result<bool, Failure> {
    let Some(code) = &instance.type_def.refresh else { return Ok(false) };
    let scene = ActionContext { instance, context, actor, own: None, depth: 0 };
    scene.run(code, None, None, None, None)?;
    Ok(true)
}

/// Returns the event for a change to `should`.
pub fn event(instance: &Instance, attribute: &AttributeDef, should: &Value) -> ActionEffect {
    let should = should.unwrapped();
    // As in Puppet, only a literal determines the event name, and any matching value may drop refreshes.
    let named = match should {
        Value::Sym(symbol) => attribute.values.literal(symbol.as_str()),
        Value::Str(text) if text.is_empty() => attribute.values.literal(""),
        _ => None,
    };
    let name = named.and_then(|v| v.event.clone()).unwrap_or_else(|| {
        let (what, how) = match (attribute.name.as_str(), should) {
            ("ensure", Value::Sym(s)) if s.as_str() == "present" => (&instance.type_def.name, "created"),
            ("ensure", Value::Sym(s)) if s.as_str() == "absent" => (&instance.type_def.name, "removed"),
            ("ensure", _) => (&instance.type_def.name, "changed"),
            _ => (&attribute.name, "changed"),
        };
        Symbol::from(format!("{what}_{how}"))
    });
    let invalidate_refreshes = attribute.values.find(&should.to_text()).is_some_and(|v| v.invalidate_refreshes);
    ActionEffect { name, invalidate_refreshes }
}

fn act_at(
    instance: &Instance,
    id: AttrId,
    is: &Value,
    context: Context<'_>,
    actor: &dyn Actor,
    depth: u8,
) -> Result<ActionEffect, Failure> {
    let no = |span: Span, message: String| Failure::new(Code::BlockFailed, span, message);
    let attribute = instance.type_def.attribute(id).filter(|a| a.role == Role::Property);
    let attribute = attribute.ok_or_else(|| no(Span::NONE, "only properties can be changed".into()))?;
    if depth > MAX_SYNCS {
        return Err(no(attribute.span, format!("properties bring each other in sync without end: `{}`", attribute.name)));
    }
    let scene = ActionContext { instance, context, actor, own: Some(id), depth };
    // If the current value is secret, so is the desired value.
    let current = |of: AttrId| if of == id { Ok(is.clone()) } else { scene.read(of) };
    let comparison = compare_one(instance, id, &current, context);
    let should = comparison.map(|c| c.should).filter(|v| !v.unwrapped().is_nil());
    let should = should.ok_or_else(|| no(attribute.span, format!("`{}` has no wanted value", attribute.name)))?;
    if should.has_unknown() {
        return Err(Failure::unknown(attribute.span));
    }
    let is = if should.has_secret() { Value::Sensitive(Arc::new(is.unwrapped().clone())) } else { is.clone() };
    let set = |_: &[Value]| -> Result<Value, Failure> {
        let value = attribute.values.find(&should.unwrapped().to_text());
        match value.and_then(|v| v.action.as_ref()) {
            Some(code) => scene.run(code, Some(attribute), Some(&is), Some(&should), None),
            None => actor
                .set(attribute.name.as_str(), &should)
                .map(|()| Value::Nil)
                .map_err(|e| Failure::query(Code::BlockFailed, attribute.span, e)),
        }
    };
    match &attribute.sync {
        Some(code) => scene.run(code, Some(attribute), Some(&is), Some(&should), Some(&set))?,
        None => set(&[])?,
    };
    Ok(event(instance, attribute, &should))
}

/// An instance with blocks that may perform actions.
struct ActionContext<'a> {
    instance: &'a Instance,
    context: Context<'a>,
    actor: &'a dyn Actor,
    /// The property that owns the running block.
    own: Option<AttrId>,
    depth: u8,
}

impl ActionContext<'_> {
    fn run(
        &self,
        code: &CodeBlock,
        attribute: Option<&AttributeDef>,
        is: Option<&Value>,
        should: Option<&Value>,
        base: Option<&Base<'_>>,
    ) -> Result<Value, Failure> {
        let read = |id: AttrId| self.read(id);
        let view = view_of(self.instance, self.context, Some(&read));
        let provider = ActionScope { scene: self, view: &view };
        let scope = Actions { scene: self, view: &view, provider: (view.provider.is_some() || self.actor.has_code()).then_some(&provider) };
        run(code, &[], &Frame { scope: &scope, attribute: attribute.map(|a| &a.name), is, should, base })
    }

    fn read(&self, id: AttrId) -> Result<Value, QueryError> {
        let Some(attribute) = self.instance.type_def.attribute(id) else { return Ok(Value::sym("absent")) };
        self.actor.read(attribute.name.as_str())
    }

    /// Filters `ids` to properties that are set and out of sync, with their current values.
    fn out_of_sync(&self, ids: impl Iterator<Item = AttrId>) -> Result<Vec<(AttrId, Value)>, QueryError> {
        let read = |id: AttrId| self.read(id);
        let mut found = Vec::new();
        for comparison in ids.filter_map(|id| compare_one(self.instance, id, &read, self.context)) {
            let is = comparison.is?;
            if comparison.status.in_sync() == Some(false) {
                found.push((comparison.id, is));
            }
        }
        Ok(found)
    }

    fn bring_in_sync(&self, all: Vec<(AttrId, Value)>) -> Result<usize, QueryError> {
        let count = all.len();
        for (id, is) in all {
            act_at(self.instance, id, &is, self.context, self.actor, self.depth + 1)?;
        }
        Ok(count)
    }
}

/// A provider within an action block. Settings and features are evaluated as usual; everything else goes to the actor.
struct ActionScope<'a> {
    scene: &'a ActionContext<'a>,
    view: &'a View<'a>,
}

impl ProviderQuery for ActionScope<'_> {
    fn name(&self) -> Option<Symbol> {
        self.view.provider.as_ref().and_then(ProviderQuery::name)
    }

    fn has(&self, name: &str) -> Option<bool> {
        self.view.provider.as_ref().map_or(Some(false), |p| p.has(name))
    }

    fn call(&self, method: &str, arguments: &[Value]) -> Result<Value, QueryError> {
        let answer = self.view.provider.as_ref().and_then(|p| p.answer(method, arguments));
        answer.unwrap_or_else(|| self.scene.actor.call(method, arguments))
    }
}

/// A resource as seen by action blocks.
struct Actions<'a> {
    scene: &'a ActionContext<'a>,
    view: &'a View<'a>,
    provider: Option<&'a ActionScope<'a>>,
}

impl Scope for Actions<'_> {
    fn program(&self) -> &Program {
        self.view.program()
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
        self.view.attribute(id)
    }
    fn is_set(&self, id: AttrId) -> bool {
        self.view.is_set(id)
    }
    fn declared(&self, id: AttrId) -> Value {
        self.view.declared(id)
    }
    fn raw(&self, id: AttrId) -> Value {
        self.view.raw(id)
    }
    fn values(&self, id: AttrId) -> Value {
        self.view.values(id)
    }
    fn is_managed(&self) -> bool {
        self.view.is_managed()
    }
    fn current(&self, id: AttrId) -> Result<Value, Failure> {
        self.view.current(id)
    }
    fn assign(&self, id: AttrId, value: Value) -> Result<(), Failure> {
        self.view.assign(id, value)
    }
    fn provider(&self) -> Option<&dyn ProviderQuery> {
        self.provider.map(|p| p as &dyn ProviderQuery)
    }
    fn catalog(&self) -> Option<&dyn CatalogQuery> {
        self.view.catalog()
    }
    fn log(&self, _: Option<&Symbol>, level: LogLevel, message: &str) {
        self.scene.actor.log(level, message);
    }
    fn sync(&self, id: AttrId) -> Result<(), QueryError> {
        let out = self.scene.out_of_sync(std::iter::once(id))?;
        self.scene.bring_in_sync(out).map(drop)
    }
    /// As in Puppet's `mount` type, `ensure` is excluded from the other properties, and changes are flushed.
    fn sync_others(&self) -> Result<(), QueryError> {
        let type_def = &self.scene.instance.type_def;
        let others = type_def.order.iter().copied().filter(|id| {
            let property = type_def.attribute(*id).filter(|a| a.role == Role::Property);
            Some(*id) != self.scene.own && property.is_some_and(|a| a.name.as_str() != "ensure")
        });
        let out = self.scene.out_of_sync(others)?;
        if self.scene.bring_in_sync(out)? > 0 {
            self.scene.actor.call("flush", &[])?;
        }
        Ok(())
    }
    fn set_provider(&self, name: &str, value: &Value) -> Result<(), QueryError> {
        self.scene.actor.set(name, value)
    }
}
