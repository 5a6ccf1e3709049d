//! Inlay hints for values that a resource has without declaring them.

use super::documents::Language;
use super::workspace::{Answer, Workspace};
use lsp_types::{InlayHint, InlayHintKind, InlayHintLabel, InlayHintParams, InlayHintTooltip};
use rtype_lang::eval::UnknownWorld;
use rtype_lang::value::{Value, inspect};
use rtype_model::declare::{DeclareOptions, Purpose, declare};
use rtype_model::resource::{Context, Instance, NoCatalog, Origin, Slot};

/// The maximum number of defaults in a hint. The tooltip lists all defaults.
const MOST: usize = 3;

/// The maximum length of a value. Longer values are truncated.
const LONGEST: usize = 30;

/// `textDocument/inlayHint`
pub(super) fn hints(w: &mut Workspace, params: InlayHintParams) -> Answer<Option<Vec<InlayHint>>> {
    if w.document(&params.text_document)?.language != Language::Puppet {
        return Ok(None);
    }
    let analysis = w.analysis(&params.text_document)?;
    let offline =
        Context { world: &UnknownWorld, catalog: &NoCatalog, backend: None, strict: false, trace: false, offline: true, log: None };
    let catalog = declare(&analysis.declarations, &w.types(), offline, DeclareOptions::new(Purpose::Alone)).catalog;
    let (from, to) = (w.encoding.byte(&analysis.source, params.range.start), w.encoding.byte(&analysis.source, params.range.end));
    let wanted = analysis.source.span_of(from..to.max(from));
    let mut out = Vec::new();
    for instance in catalog.iter().filter(|i| i.span.start <= wanted.end && wanted.start <= i.span.end) {
        let declared = analysis.declarations.resources.iter().find(|d| d.title_span == instance.span);
        let Some(declared) = declared else { continue };
        let at = |byte: u32| w.encoding.position(&analysis.source, byte.saturating_sub(analysis.source.base()) as usize);
        for slot in instance.slots.iter().filter(|s| s.origin == Origin::Explicit) {
            let given = instance.type_def.attribute(slot.id).and_then(|a| declared.attributes.get(a.name.as_str()));
            if let Some(given) = given.filter(|g| !g.is_default && !g.sensitive)
                && let Some(text) = became(instance, slot, &given.value)
            {
                out.push(hint(at(given.span.end), format!("= {text}"), None));
            }
        }
        let defaults: Vec<String> = instance
            .slots
            .iter()
            .filter(|s| s.origin == Origin::Default && !s.value.has_unknown())
            .filter_map(|s| default(instance, s))
            .collect();
        if !defaults.is_empty() {
            let more = if defaults.len() > MOST { ", …" } else { "" };
            let shown = defaults.iter().take(MOST).cloned().collect::<Vec<_>>().join(", ");
            out.push(hint(at(declared.title_span.end), format!("{shown}{more}"), Some(format!("defaults: {}", defaults.join(", ")))));
        }
    }
    Ok(Some(out))
}

fn hint(position: lsp_types::Position, label: String, tooltip: Option<String>) -> InlayHint {
    InlayHint {
        position,
        label: InlayHintLabel::String(label),
        kind: Some(InlayHintKind::PARAMETER),
        text_edits: None,
        tooltip: tooltip.map(InlayHintTooltip::String),
        padding_left: Some(true),
        padding_right: Some(false),
        data: None,
    }
}

/// Returns the resulting value if it differs from the written value.
fn became(instance: &Instance, slot: &Slot, given: &Value) -> Option<String> {
    let attribute = instance.type_def.attribute(slot.id)?;
    if attribute.sensitive || slot.value.has_secret() {
        return None;
    }
    // A single desired value may be in an array. A string and a symbol with the same letters look alike.
    let now = match slot.seen() {
        Value::Array(all) if !matches!(given, Value::Array(_)) => all.first().filter(|_| all.len() == 1)?,
        value => value,
    };
    let (before, after) = (words(given), words(now));
    (before != after && !matches!(now, Value::Map(_) | Value::Resource(_) | Value::Array(_))).then(|| cut(&after))
}

fn default(instance: &Instance, slot: &Slot) -> Option<String> {
    let attribute = instance.type_def.attribute(slot.id)?;
    let is_shown = !attribute.sensitive && !slot.value.has_secret() && attribute.role != rtype_lang::types::Role::Metaparam;
    let value = words(slot.seen());
    (is_shown && value.chars().count() <= LONGEST).then(|| format!("{} => {value}", attribute.name))
}

fn words(value: &Value) -> String {
    match value {
        Value::Str(text) => text.to_string(),
        Value::Sym(symbol) => symbol.to_string(),
        Value::Array(all) if all.len() == 1 => all.first().map(words).unwrap_or_default(),
        other => inspect(other),
    }
}

fn cut(text: &str) -> String {
    let short: String = text.chars().take(LONGEST).collect();
    if short.len() < text.len() { format!("{short}…") } else { short }
}
