//! Access of a block to its resource, provider and catalog, and to `super`.

use super::Interpreter;
use crate::diagnostics::{Code as DiagnosticCode, did_you_mean};
use crate::eval::call::{Args, Eval, Stop, describe};
use crate::eval::scope::{CatalogQuery, Failure};
use crate::eval::{methods, secret};
use crate::source::Span;
use crate::types::{AttrId, CatalogCall, Node, Program};
use crate::value::{ResourceRef, Symbol, Value};
use std::sync::Arc;

impl<'a> Interpreter<'a> {
    /// Returns the attribute with this name.
    pub(in crate::eval) fn attribute_id(&self, name: &Value, span: Span) -> Eval<AttrId> {
        self.known(name, span)?;
        let program = self.frame.scope.program();
        let Some(text) = name.as_text() else {
            let message = format!("an attribute is named by a symbol, not {}", describe(name));
            return Err(Failure::new(DiagnosticCode::WrongReceiver, span, message).into());
        };
        program.attributes.get(text).copied().ok_or_else(|| unknown_attribute(program, text, span))
    }

    /// Returns an attribute's value for any resource.
    pub(in crate::eval) fn resource_attribute(&mut self, resource: &ResourceRef, name: &str, span: Span) -> Eval {
        let scope = self.frame.scope;
        let value = if *resource == scope.reference() {
            let program = scope.program();
            match program.attributes.get(name) {
                Some(id) => scope.attribute(*id),
                // The only namevar.
                None if name == "name"
                    && scope.catalog().is_some_and(|c| c.find(resource.type_name.as_str(), &resource.title).is_some()) =>
                {
                    self.catalog(span)?.attribute(resource, name)
                }
                None => return Err(unknown_attribute(program, name, span)),
            }
        } else {
            self.catalog(span)?.attribute(resource, name)
        };
        Ok(self.incoming(value))
    }

    pub(in crate::eval) fn catalog(&self, span: Span) -> Eval<&'a dyn CatalogQuery> {
        let message = "the catalog is not known here";
        self.frame.scope.catalog().ok_or_else(|| Failure::new(DiagnosticCode::NotAllowedHere, span, message).into())
    }

    pub(super) fn self_attribute(&mut self, id: AttrId) -> Value {
        let value = self.frame.scope.attribute(id);
        self.incoming(value)
    }

    pub(super) fn self_true(&mut self, id: AttrId, span: Span) -> Eval {
        let value = self.self_attribute(id);
        match value.unwrapped() {
            Value::Unknown => Err(Failure::unknown(span).into()),
            inner => Ok(Value::Bool(matches!(inner, Value::Bool(true)) || inner.is_sym("true"))),
        }
    }

    #[inline(never)]
    pub(super) fn self_index(&mut self, name: &Node, span: Span) -> Eval {
        let name = self.eval(name)?;
        let id = self.attribute_id(&name, span)?;
        Ok(self.self_attribute(id))
    }

    #[inline(never)]
    pub(super) fn self_is_set(&mut self, name: &Node, span: Span) -> Eval {
        let name = self.eval(name)?;
        let id = self.attribute_id(&name, span)?;
        Ok(Value::Bool(self.frame.scope.is_set(id)))
    }

    #[inline(never)]
    pub(super) fn self_declared(&mut self, name: &Node, span: Span) -> Eval {
        let name = self.eval(name)?;
        let id = self.attribute_id(&name, span)?;
        let value = self.frame.scope.declared(id);
        Ok(self.incoming(value))
    }

    #[inline(never)]
    pub(super) fn self_raw(&mut self, name: &Node, span: Span) -> Eval {
        let name = self.eval(name)?;
        let id = self.attribute_id(&name, span)?;
        let value = self.frame.scope.raw(id);
        Ok(self.incoming(value))
    }

    #[inline(never)]
    pub(super) fn self_values(&mut self, name: &Node, span: Span) -> Eval {
        let name = self.eval(name)?;
        let id = self.attribute_id(&name, span)?;
        let value = self.frame.scope.values(id);
        Ok(self.incoming(value))
    }

    #[inline(never)]
    pub(super) fn set_self(&mut self, id: AttrId, value: &Node, span: Span) -> Eval {
        self.require_certain(span)?;
        let value = match self.eval(value) {
            Err(Stop::Fail(failure)) if failure.is_untranslated() => {
                self.frame.scope.assign_untranslated(id, *failure)?;
                return Ok(Value::Unknown);
            }
            value => value?,
        };
        self.frame.scope.assign(id, value.clone()).map_err(|f| placed(f, span))?;
        Ok(value)
    }

    #[inline(never)]
    pub(super) fn set_self_index(&mut self, name: &Node, value: &Node, span: Span) -> Eval {
        let name = self.eval(name)?;
        let id = self.attribute_id(&name, span)?;
        self.set_self(id, value, span)
    }

    #[inline(never)]
    pub(super) fn given(&mut self, value: Option<&Value>, name: &str, span: Span) -> Eval {
        match value {
            Some(value) => Ok(self.incoming(value.clone())),
            None => {
                let message = format!("`{name}` is not known here");
                Err(Failure::new(DiagnosticCode::NotAllowedHere, span, message).into())
            }
        }
    }

    #[inline(never)]
    pub(super) fn current(&mut self, name: &Node, span: Span) -> Eval {
        let name = self.eval(name)?;
        let id = self.attribute_id(&name, span)?;
        let value = self.frame.scope.current(id).map_err(|f| placed(f, span))?;
        Ok(self.incoming(value))
    }

    #[inline(never)]
    pub(super) fn provider(&mut self, method: &Symbol, arguments: &[Node], span: Span) -> Eval {
        let arguments = self.all(arguments)?;
        for argument in &arguments {
            self.known(argument, span)?;
        }
        let Some(provider) = self.frame.scope.provider() else {
            let message = format!("`provider.{method}`: the resource has no provider");
            return Err(Failure::new(DiagnosticCode::BlockFailed, span, message).into());
        };
        let is_secret = arguments.iter().any(|a| self.is_secret(a));
        let opened: Args = if is_secret { arguments.iter().map(secret::open).collect() } else { arguments };
        match provider.call(method.as_str(), &opened) {
            Ok(value) => {
                let value = self.incoming(value);
                Ok(if is_secret { secret::close(value) } else { value })
            }
            // The provider's message may quote the sensitive argument.
            Err(_) if is_secret => {
                let message = format!("`provider.{method}` failed with a sensitive value");
                Err(Failure::new(DiagnosticCode::BlockFailed, span, message).into())
            }
            Err(error) => Err(Failure::query(DiagnosticCode::BlockFailed, span, error).into()),
        }
    }

    #[inline(never)]
    pub(super) fn provider_has(&mut self, name: &Node, span: Span) -> Eval {
        let name = self.eval(name)?;
        self.known(&name, span)?;
        let provider = self.frame.scope.provider();
        let has = provider.zip(name.as_text()).map_or(Some(false), |(provider, name)| provider.has(name));
        Ok(self.incoming(has.map_or(Value::Unknown, Value::Bool)))
    }

    #[inline(never)]
    pub(super) fn set_provider(&mut self, name: &Symbol, value: &Node, span: Span) -> Eval {
        let value = self.eval(value)?;
        self.needs_action(&format!("provider.{name} ="), span)?;
        self.known(&value, span)?;
        let done = self.frame.scope.set_provider(name.as_str(), &value);
        done.map_err(|error| Failure::query(DiagnosticCode::BlockFailed, span, error))?;
        Ok(value)
    }

    /// Fails in value blocks, for operations that only action blocks may use.
    pub(in crate::eval) fn needs_action(&self, what: &str, span: Span) -> Eval<()> {
        if self.action {
            return Ok(());
        }
        let message = format!("`{what}` is an action: only `newvalue`, `sync` and `refresh` blocks may use it");
        Err(Failure::new(DiagnosticCode::NotAllowedHere, span, message).into())
    }

    #[inline(never)]
    pub(super) fn catalog_call(&mut self, call: CatalogCall, arguments: &[Node], span: Span) -> Eval {
        let arguments = self.all(arguments)?;
        for argument in &arguments {
            self.known(argument, span)?;
        }
        let catalog = self.catalog(span)?;
        // A secret can be used for the lookup. The result reveals only the existence of a resource.
        let is_secret = arguments.iter().any(Value::has_secret);
        let arguments = if is_secret { arguments.iter().map(secret::open).collect() } else { arguments };
        let given = |value: Value| if is_secret { secret::close(value) } else { value };
        let type_name = arguments.first().map(|v| v.to_text().to_lowercase());
        if matches!(call, CatalogCall::Find | CatalogCall::Resources) && !catalog.has_resource() {
            let message = "the resource is not in the catalog yet: `generate` returned it";
            let help = Some(Box::new("check `catalog.present?` first".into()));
            return Err(Failure { help, ..Failure::new(DiagnosticCode::BlockFailed, span, message) }.into());
        }
        match (call, type_name, arguments.get(1)) {
            (CatalogCall::Find, Some(type_name), Some(title)) => {
                let found = catalog.find(&type_name, &title.to_text());
                Ok(given(found.map_or(Value::Nil, |r| Value::Resource(Arc::new(r)))))
            }
            (CatalogCall::Find, ..) => {
                let found = match arguments.first().map(Value::unwrapped) {
                    Some(Value::Resource(resource)) => catalog.find(resource.type_name.as_str(), &resource.title),
                    Some(Value::Str(text)) if let Some((type_name, title)) = referenced(text) => {
                        catalog.find(&type_name.to_lowercase(), title)
                    }
                    _ => {
                        let message = "`catalog.find` takes a type and a title, or a reference such as `File[/etc/hosts]`";
                        return Err(Failure::new(DiagnosticCode::WrongReceiver, span, message).into());
                    }
                };
                Ok(given(found.map_or(Value::Nil, |r| Value::Resource(Arc::new(r)))))
            }
            (CatalogCall::Present, ..) => Ok(Value::Bool(catalog.has_resource())),
            (CatalogCall::Type, type_name, _) => {
                let facts = catalog.type_facts(&type_name.unwrap_or_default());
                Ok(given(self.incoming(facts)))
            }
            (CatalogCall::Instances, type_name, _) => {
                let found = catalog.instances(&type_name.unwrap_or_default());
                let found = found.map_err(|error| Failure::query(DiagnosticCode::BlockFailed, span, error))?;
                if found.has_unknown() {
                    return Err(Failure::unknown(span).into());
                }
                self.meter.admit(&found, span)?;
                Ok(given(self.incoming(found)))
            }
            (CatalogCall::Resources, type_name, _) => {
                let found = catalog.resources(type_name.as_deref());
                self.meter.spend(found.len() as u64, span)?;
                Ok(given(Value::array(found.into_iter().map(|r| Value::Resource(Arc::new(r))))))
            }
        }
    }

    #[inline(never)]
    pub(super) fn call_super(&mut self, arguments: Option<&[Node]>, span: Span) -> Eval {
        let arguments = match arguments {
            Some(nodes) => self.all(nodes)?,
            None => self.slots.iter().take(self.params).cloned().collect(),
        };
        if let Some(replaced) = self.replaced.clone().filter(|_| !self.in_function) {
            return self.run_replaced(&replaced, arguments.into_iter().collect());
        }
        let base = self.frame.base.filter(|_| !self.in_function);
        let Some(base) = base else {
            let message = "`super` has nothing to run here";
            return Err(Failure::new(DiagnosticCode::NotAllowedHere, span, message).into());
        };
        let value = base(&arguments).map_err(|f| placed(f, span))?;
        Ok(self.incoming(value))
    }

    #[inline(never)]
    pub(super) fn attribute_of(&mut self, receiver: &Node, name: &Symbol, span: Span) -> Eval {
        let receiver = self.eval(receiver)?;
        self.known(&receiver, span)?;
        match receiver.unwrapped() {
            Value::Resource(resource) => self.resource_attribute(resource, name.as_str(), span),
            other => Err(methods::no_method(other, name.as_str(), span)),
        }
    }
}

/// Returns the type and title of the reference `File[/etc/hosts]`.
fn referenced(text: &str) -> Option<(&str, &str)> {
    let (type_name, title) = text.split_once('[')?;
    let title = title.strip_suffix(']')?;
    (!type_name.is_empty() && !title.is_empty() && !type_name.contains(']')).then_some((type_name, title))
}

/// Sets the span of a failure from outside the block to the expression's span, unless the failure has a span.
fn placed(mut failure: Failure, span: Span) -> Stop {
    if failure.span.is_none() {
        failure.span = span;
    }
    failure.into()
}

fn unknown_attribute(program: &Program, name: &str, span: Span) -> Stop {
    let hint = did_you_mean(name, program.attributes.keys().map(Symbol::as_str));
    let hint = hint.map(|h| format!("; {h}")).unwrap_or_default();
    Failure::new(DiagnosticCode::UnknownAttribute, span, format!("unknown attribute `{name}`{hint}")).into()
}
