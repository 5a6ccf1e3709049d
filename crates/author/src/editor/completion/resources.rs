//! Completion in resource declarations.

use super::{Candidates, CompletionItem, ItemKind as Kind};
use crate::docs::summary;
use crate::editor::candidates::{RELATIONS, is_bare, listed};
use crate::editor::describe;
use crate::editor::line_cursor::{Completion, LineCursor};
use rtype_lang::library::TypeSet;
use rtype_lang::types::{AttributeDef, Role, TypeDef};
use rtype_lang::value::ResourceRef;
use rtype_model::manifest::{Declarations, quoted};

/// Returns the completions after `before` in a resource file.
pub fn in_resources(set: &TypeSet, declared: &Declarations, before: &str) -> Candidates {
    let cursor = LineCursor::before(before, &|_| None);
    let start = cursor.start + cursor.quote.map_or(0, char::len_utf8);
    let items = match &cursor.completion {
        Completion::Types => types(set),
        Completion::Attributes { type_name: Some(name), given, .. } => match set.load(name) {
            Some(type_def) => attributes(&type_def, given),
            None => Vec::new(),
        },
        Completion::Values { type_name: Some(name), attribute } => match set.load(name) {
            Some(type_def) => {
                let attribute = type_def.id_declared_as(attribute).and_then(|id| type_def.attribute(id));
                attribute.map(|a| values(&type_def, a, declared, cursor.quote.is_some())).unwrap_or_default()
            }
            None => Vec::new(),
        },
        Completion::TitlesInReference(type_name) => {
            let here = references(declared).filter(|r| r.type_name.as_str() == type_name);
            let quote = |title: &str| if cursor.quote.is_some() { title.to_owned() } else { quoted(title) };
            here.map(|r| CompletionItem::new(quote(&r.title), Kind::Reference, r.to_string(), "")).collect()
        }
        _ => Vec::new(),
    };
    Candidates { start, partial: cursor.partial, items }
}

fn references(declared: &Declarations) -> impl Iterator<Item = ResourceRef> {
    declared.resources.iter().map(rtype_model::manifest::Declared::reference)
}

fn types(set: &TypeSet) -> Vec<CompletionItem> {
    let item = |n: String| {
        let template = format!("{n} {{ '$1':\n\t$0\n}}");
        CompletionItem::new(n, Kind::Class, "type", "").template(template)
    };
    set.names().into_iter().map(item).collect()
}

fn attributes(type_def: &TypeDef, given: &[String]) -> Vec<CompletionItem> {
    let fresh = type_def.attributes.iter().filter(|a| !given.iter().any(|g| g == a.name.as_str()));
    let item = |a: &AttributeDef| {
        let (role, rank) = match a.role {
            // The title sets this attribute.
            _ if type_def.namevars.len() == 1 && type_def.namevars.iter().any(|id| type_def.id_of(a.name.as_str()) == Some(*id)) => {
                ("namevar", 3)
            }
            _ if a.required.is_some() => ("required", 0),
            Role::Property => ("property", 1),
            Role::Param => ("param", 2),
            Role::Metaparam => ("metaparameter", 3),
        };
        CompletionItem::new(a.name.as_str(), Kind::Field, role, describe::attribute(type_def, a))
            .template(format!("{} => $0,", a.name))
            .rank(rank)
    };
    fresh.filter(|a| a.readonly.is_none()).map(item).collect()
}

fn values(type_def: &TypeDef, attribute: &AttributeDef, declared: &Declarations, in_quotes: bool) -> Vec<CompletionItem> {
    let bare = |text: &str| if in_quotes || is_bare(text) { text.to_owned() } else { quoted(text) };
    if attribute.name.as_str() == "provider" {
        let item =
            |p: &rtype_lang::types::ProviderDef| CompletionItem::new(bare(p.name.as_str()), Kind::Module, "provider", summary(&p.doc));
        return type_def.providers.values().map(item).collect();
    }
    if RELATIONS.contains(&attribute.name.as_str()) && attribute.role == Role::Metaparam {
        let written = |r: ResourceRef| {
            let whole = r.to_string();
            format!("{}[{}]", whole.split('[').next().unwrap_or_default(), quoted(&r.title))
        };
        return references(declared).map(|r| CompletionItem::new(written(r), Kind::Reference, "", "")).collect();
    }
    let alias_of = |v: &str| attribute.values.aliases.iter().find(|a| a.name.as_str() == v).map(|a| format!("for {}", a.target));
    listed(attribute).iter().map(|v| CompletionItem::new(bare(v), Kind::EnumMember, alias_of(v).unwrap_or_default(), "")).collect()
}
