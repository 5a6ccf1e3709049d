//! What it does: Reports methods and properties that a type needs from every provider although a provider lacks them: methods that
//! blocks call, and properties that inherited code does not read.
//!
//! Why: The resource works with one provider and fails with another. Declare a feature to say which provider supports what.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty state {
//!     newvalue open { provider.open }
//!     newvalue ajar { provider.set_ajar }
//!   }
//! }
//! provider hinge, for: door { actions [open, set_ajar] }
//! provider rail, for: door { actions [open] }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   feature ajar, "Can be ajar.", methods: [set_ajar]
//!   newparam name
//!   newproperty state {
//!     newvalue open { provider.open }
//!     newvalue ajar, required_features: ajar { provider.set_ajar }
//!   }
//! }
//! provider hinge, for: door { actions [open, set_ajar] }
//! provider rail, for: door { actions [open] }
//! ```
//!
//! Calls after a test with `provider.has?(:m)` or `provider.name`, and providers without code that list no actions, are not
//! reported. Properties that native code itself does not read are reported when the type is loaded, as RT119. Mark a read-only
//! property with `readonly "why"`. Providers in Ruby are read in part, and not reported.

use crate::check::blocks::{TypeBlock, BlockRole, blocks};
use crate::check::methods::{has_method, is_complete};
use crate::check::{Sink, TypeSubject};
use rtype_model::resource::supports_all;
use rtype_lang::source::Span;
use rtype_lang::types::{Op, ProviderBody, ProviderDef, TypeDef};
use rtype_lang::value::Symbol;
use std::collections::HashSet;

/// Methods that every provider has.
const ALWAYS: &[&str] = &["features", "satisfies?", "name", "create", "destroy", "exists?", "flush"];

/// A method call in a block.
struct Called<'a> {
    method: &'a str,
    span: Span,
    block: TypeBlock<'a>,
}

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    if subject.file.is_ruby() {
        return;
    }
    let type_def = subject.type_def;
    let known = subject.file.around.providers;
    let providers: Vec<&ProviderDef> = type_def.providers.values().filter(|p| is_complete(type_def, p)).collect();
    if providers.is_empty() {
        return;
    }
    let called = calls(type_def);
    let mut reported = HashSet::new();
    for provider in providers {
        for call in &called {
            if lacks_feature(type_def, provider, &call.block) || has_method(type_def, provider, call.method, known) {
                continue;
            }
            if reported.insert((call.method, &provider.name)) {
                let found = sink.finding(call.span, format!("the provider `{}` has no `{}`", provider.name, call.method));
                let help = "let it have the method, require a feature for what calls it, or ask `provider.has?(…)` before";
                sink.report(found.also(provider.span, "the provider").help(help));
            }
        }
        inherited(subject, provider, sink);
    }
}

/// Returns the provider methods that blocks call without a check for their existence.
fn calls(type_def: &TypeDef) -> Vec<Called<'_>> {
    let mut all = Vec::new();
    for block in blocks(type_def) {
        if matches!(block.role, BlockRole::Setting | BlockRole::Confine | BlockRole::Function) {
            continue;
        }
        let mut called: Vec<Called<'_>> = Vec::new();
        let mut asks = false;
        block.code.inner.body.walk(&mut |node| match &node.op {
            Op::Provider(method, _) if is_asked(type_def, method) => called.push(Called { method: method.as_str(), span: node.span, block }),
            Op::Provider(method, _) => asks |= method.as_str().ends_with('?') || method.as_str() == "features",
            Op::ProviderHas(_) | Op::ProviderName => asks = true,
            _ => {}
        });
        if !asks {
            all.extend(called);
        }
    }
    all
}

/// Returns `true` if a provider must implement the method.
fn is_asked(type_def: &TypeDef, method: &Symbol) -> bool {
    let name = method.as_str();
    let feature = name.strip_suffix('?').is_some_and(|f| type_def.features.contains_key(f));
    !ALWAYS.contains(&name) && !feature && type_def.attribute_named(name).is_none()
}

/// Returns `true` if a block never runs with a provider because the provider lacks a feature.
fn lacks_feature(type_def: &TypeDef, provider: &ProviderDef, block: &TypeBlock<'_>) -> bool {
    let Some(attribute) = block.attribute else { return false };
    let of_value = match block.role {
        BlockRole::Value(place) => attribute.values.values.get(place).map(|v| v.required_features.as_slice()).unwrap_or_default(),
        _ => &[],
    };
    !supports_all(type_def, provider, attribute.required_features.iter().chain(of_value)).is_empty()
}

/// Reports properties that a provider with inherited code cannot read.
fn inherited(subject: &TypeSubject<'_>, provider: &ProviderDef, sink: &mut Sink<'_>) {
    let type_def = subject.type_def;
    if provider.body != ProviderBody::None {
        return;
    }
    let Some((of, worker)) = type_def.worker(provider) else { return };
    let Some(native) = subject.file.around.providers.capabilities(of.name.as_str(), worker.name.as_str()) else { return };
    let mut unread = type_def.properties().filter(|property| {
        let own = |p: &ProviderDef| p.queries.contains(&property.name) || p.settings.contains_key(&property.name);
        let is_read = property.retrieve.is_some() || native.reads.contains(&property.name.as_str());
        !is_read && !own(provider) && supports_all(type_def, provider, &property.required_features).is_empty()
    });
    let Some(first) = unread.next() else { return };
    let names: Vec<String> = std::iter::once(first).chain(unread).map(|p| format!("`{}`", p.name)).collect();
    let code = format!("{}/{}", of.name, worker.name);
    let message = format!("`{}` builds upon the code of `{code}`, which does not read {}", provider.name, names.join(", "));
    let help = "require a feature for it that the provider lacks, or read it in `retrieve`";
    sink.report(sink.finding(provider.span, message).also(first.span, "the property").help(help));
}
