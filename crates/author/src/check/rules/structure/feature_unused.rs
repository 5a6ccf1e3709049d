//! What it does: Reports features of a type that are not used: no attribute and no value requires them, no provider has them,
//! and no block tests for them.
//!
//! Why: Readers expect that the providers differ in this feature. Either the feature is not needed, or an attribute should
//! require it.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   feature lockable, "Can be locked."
//!   newparam name
//!   newproperty lock
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   feature lockable, "Can be locked."
//!   newparam name
//!   newproperty lock, required_features: lockable
//! }
//! ```

use crate::check::blocks::blocks;
use crate::check::{Sink, TypeSubject};
use rtype_model::resource::supports;
use rtype_lang::types::{Op, TypeDef};
use rtype_lang::value::Value;
use std::collections::HashSet;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let type_def = subject.type_def;
    if type_def.features.is_empty() {
        return;
    }
    let required: HashSet<&str> = required(type_def).collect();
    let mut asked = None;
    for (name, feature) in &type_def.features {
        // A feature from a mixin may be intended for other types.
        if !subject.declaration.span.contains(feature.span) || required.contains(name.as_str()) {
            continue;
        }
        if type_def.providers.values().any(|p| supports(type_def, p, name)) {
            continue;
        }
        let asked = asked.get_or_insert_with(|| FeatureQuery::of(type_def));
        if asked.any || asked.names.contains(name.as_str()) {
            continue;
        }
        let found = sink.finding(feature.span, format!("nothing requires the feature `{name}`, and no provider has it"));
        sink.report(found.help("drop it, or say what needs it: `required_features:` of an attribute or value"));
    }
}

/// Returns the features that attributes and values require.
fn required(type_def: &TypeDef) -> impl Iterator<Item = &str> {
    let attributes = type_def.attributes.iter();
    attributes.flat_map(|a| a.required_features.iter().chain(a.values.values.iter().flat_map(|v| &v.required_features))).map(|f| f.as_str())
}

/// The features that blocks query.
struct FeatureQuery<'a> {
    names: HashSet<&'a str>,
    /// `true` if a block queries a computed name.
    any: bool,
}

impl<'a> FeatureQuery<'a> {
    fn of(type_def: &'a TypeDef) -> FeatureQuery<'a> {
        let mut asked = FeatureQuery { names: HashSet::new(), any: false };
        for block in blocks(type_def) {
            block.code.inner.body.walk(&mut |node| match &node.op {
                Op::ProviderHas(name) => asked.name(&name.op),
                Op::Provider(name, _) if name.as_str() == "features" => asked.any = true,
                Op::Provider(name, features) if name.as_str() == "satisfies?" => features.iter().for_each(|f| asked.name(&f.op)),
                Op::Provider(name, _) => {
                    asked.names.extend(name.as_str().strip_suffix('?'));
                }
                _ => {}
            });
        }
        asked
    }

    fn name(&mut self, op: &'a Op) {
        match op {
            Op::Const(Value::Sym(name)) => {
                self.names.insert(name.as_str());
            }
            Op::Const(Value::Str(name)) => {
                self.names.insert(name.as_str());
            }
            _ => self.any = true,
        }
    }
}
