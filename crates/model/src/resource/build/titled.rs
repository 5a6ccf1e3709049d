//! Builds resources from only a title: their state can be read, but not compared.

use super::{Builder, Preparation, Values};
use crate::manifest::Declared;
use crate::resource::instance::{Instance, Origin, Slot};
use crate::resource::view::{Slots, View};
use crate::resource::{Context, title};
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::eval::{Frame, run};
use rtype_lang::source::Span;
use rtype_lang::types::{AttrId, TypeDef};
use rtype_lang::value::{EcoString, Value};
use std::sync::Arc;

/// Builds the resource with this title, the namevars from the title and the type's defaults. Required attributes may be missing. Existing
/// objects on a machine may have names that declarations reject; these errors are returned as diagnostics with the instance.
///
/// # Errors
/// Returns the diagnostics if the title does not identify a resource.
pub fn titled(type_def: &Arc<TypeDef>, title: &str, context: Context<'_>) -> Result<(Instance, Vec<Diagnostic>), Vec<Diagnostic>> {
    let declared = Declared::new(type_def.name.clone(), title);
    let mut preparation = Preparation::new(Arc::clone(type_def), context);
    Builder::new(&mut preparation, &declared, context).titled()
}

impl Builder<'_> {
    fn titled(mut self) -> Result<(Instance, Vec<Diagnostic>), Vec<Diagnostic>> {
        let Some(from_title) = self.namevars() else { return Err(self.diagnostics.into_vec()) };
        for id in &self.known.type_def.order {
            self.take(*id, &from_title);
        }
        let refused = std::mem::take(&mut self.diagnostics).into_vec();
        for (id, text) in from_title.values {
            if self.slots.iter().all(|slot| slot.id != id) {
                let value = Value::Str(text);
                self.slots.push(Slot { id, value, others: None, origin: Origin::Title, span: Span::NONE, was_text: false });
            }
        }
        for id in &self.known.defaults {
            self.default(*id);
        }
        self.type_checks();
        let instance = Instance {
            type_def: Arc::clone(&self.known.type_def),
            title: self.declared.title.clone(),
            span: Span::NONE,
            slots: Values::of_title(self.slots),
            provider: self.provider.and_then(|p| self.known.type_def.providers.get_index_of(&p.name)?.try_into().ok()),
            notes: None,
        };
        Ok((instance, refused))
    }
}

/// Separators to try between title parts, if neither the `title` block nor the name yields the namevars.
const SEPARATORS: &[&str] = &[":", "/", "@", " ", ",", ".", "-", "=", "|", "#", "::", "_", "%", "+", ";", "&", "~", "!"];

/// Returns a title that yields these namevars: the result of the type's `title` block, the name itself, or the joined namevars if a title
/// pattern splits them again. Falls back to the name.
pub fn title_for(type_def: &TypeDef, name: &str, namevar: impl Fn(&str) -> Option<EcoString>, context: Context<'_>) -> EcoString {
    let known: Vec<(AttrId, EcoString)> = type_def
        .namevars
        .iter()
        .filter_map(|id| Some((*id, type_def.attribute(*id)?)))
        .filter(|(_, attribute)| attribute.name.as_str() != "provider")
        .filter_map(|(id, attribute)| Some((id, namevar(attribute.name.as_str())?)))
        .collect();
    let text = |id: AttrId| known.iter().find(|(of, _)| *of == id).map(|(_, text)| text);
    let fits = |title: &str| {
        let parsed = title::parse(type_def, title)?;
        let given = |id: AttrId| parsed.values.iter().find(|(of, _)| *of == id).map(|(_, text)| text);
        known.iter().all(|(id, text)| given(*id) == Some(text)).then(|| EcoString::from(title))
    };
    let joined = || {
        type_def.title_patterns.iter().find_map(|pattern| {
            let parts: Vec<&EcoString> = pattern.attributes.iter().map(|id| text(*id)).collect::<Option<_>>()?;
            SEPARATORS.iter().find_map(|separator| fits(&join(&parts, separator)))
        })
    };
    let labelled = || fits(&label_of(type_def, name, &known, context)?);
    labelled().or_else(|| fits(name)).or_else(joined).unwrap_or_else(|| name.into())
}

fn join(parts: &[&EcoString], separator: &str) -> String {
    parts.iter().map(|part| part.as_str()).collect::<Vec<_>>().join(separator)
}

/// Returns the `title` block's result for a resource with these namevars.
fn label_of(type_def: &TypeDef, name: &str, known: &[(AttrId, EcoString)], context: Context<'_>) -> Option<EcoString> {
    let code = type_def.title.as_ref()?;
    let slot = |(id, text): &(AttrId, EcoString)| {
        let value = Value::Str(text.clone());
        Slot { id: *id, value, others: None, origin: Origin::Title, span: Span::NONE, was_text: false }
    };
    let values = Values::of_title(known.iter().map(slot).collect());
    let (title, slots) = (EcoString::from(name), Slots::Done(&values));
    let view = View::new(type_def, &title, slots, context);
    let value = run(code, &[], &Frame { scope: &view, attribute: None, is: None, should: None, base: None }).ok()?;
    (!value.is_nil() && !value.has_secret()).then(|| value.to_text())
}
