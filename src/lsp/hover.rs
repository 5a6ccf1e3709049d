//! The documentation of the word at the cursor.

use super::analysis::Analysis;
use super::completion::{OF_CATALOG, OF_PROVIDER, OF_SELF};
use super::cursor::Cursor;
use super::describe::{self, type_name};
use super::index::{Definition, Name};
use super::table::letters;
use super::workspace::{Answer, Workspace};
use lsp_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};
use rtype_author::docs::{WordDoc, language};
use rtype_lang::lower::{NameKind, Reference};
use rtype_lang::source::Span;
use rtype_lang::types::{AttributeDef, Role, TypeDef};

/// Keywords that start blocks, and their documentation.
const KEYWORDS: &[(&str, &str)] = &[
    ("self", "the resource: `self.x` is an attribute, `self.x?` whether it is true, `self.set?(:x)` whether it is given"),
    ("provider", "the provider of the resource: its queries, features and settings; in action blocks also what changes the machine"),
    ("catalog", "the other resources: `catalog.resources(:t)`, `catalog.find(:t, title)`, `catalog.type(:t)`"),
    ("is", "what the property is on the machine; `is(:x)` another one, read anew"),
    ("should", "what the property shall be"),
];

/// `textDocument/hover`
pub(super) fn hover(w: &mut Workspace, params: HoverParams) -> Answer<Option<Hover>> {
    let (file, byte) = w.place(&params.text_document_position_params)?;
    let occurrence = file.at(byte);
    let analysis = w.analysis(&params.text_document_position_params.text_document)?;
    let (types, table) = (&analysis.types, &analysis.table);
    let name = table.at(analysis.source.base() + byte as u32);
    let Some(range) =
        occurrence.map(|o| w.encoding.range(&file.source, o.span)).or_else(|| Some(w.encoding.range(&analysis.source, name?.span)))
    else {
        return Ok(None);
    };
    let found = name.and_then(|name| w.definition(table, name.target));
    let text = occurrence.and_then(|occurrence| match &occurrence.name {
        // A type file can redefine a built-in name.
        Name::Word("kind" | "platform", ..) if found.is_some() => None,
        Name::Word("platform", _, name) => Some(format!("`{name}`: a feature of the platform that Puppet or its core modules know")),
        Name::Word(group, of, word) => of_word(group, of, word),
        Name::Type(name) | Name::Resource(name, _) => types.load(name).map(|t| of_type(&t)),
        Name::Attribute(name, attribute) => {
            let type_def = types.load(name)?;
            let attribute = type_def.attribute(type_def.id_declared_as(attribute)?)?;
            Some(of_attribute(&type_def, attribute))
        }
        Name::Value(name, attribute, value) => types.load(name).and_then(|t| of_value(&t, attribute, value)),
    });
    let around = || type_name(&file, &Cursor::new(file.source.text().get(..byte).unwrap_or_default()));
    let text = text.or_else(|| of_name(&analysis, &name?, &around(), found.as_ref())).or_else(|| found.as_ref().map(declared));
    Ok(text.map(|value| Hover {
        contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: value.trim_end().to_owned() }),
        range: Some(range),
    }))
}

/// Describes a name that the compiler has resolved. `around` is the type of the surrounding definition or resource.
fn of_name(analysis: &Analysis, name: &Reference, around: &str, found: Option<&Definition>) -> Option<String> {
    let (types, sources) = (&analysis.types, &analysis.types.sources);
    let text = sources.slice(name.span);
    let is_target = |span: Span| letters(sources, span) == name.target;
    match name.kind {
        NameKind::Local => Some(format!("`{text}`: a local")),
        NameKind::File => found.map(|f| format!("`{}`", f.file.source.name())),
        NameKind::Type => types.load(&text.to_lowercase()).map(|t| of_type(&t)),
        NameKind::Attribute => {
            let type_def = types.load(around)?;
            let attribute = type_def.attributes.iter().find(|a| is_target(a.span) && a.name.as_str() != "provider")?;
            Some(of_attribute(&type_def, attribute))
        }
        NameKind::Value => {
            let type_def = types.load(around)?;
            let attribute = type_def.attributes.iter().find(|a| is_target(a.values.span_of(text)))?;
            of_value(&type_def, attribute.name.as_str(), text)
        }
        _ => None,
    }
}

fn of_attribute(type_def: &TypeDef, attribute: &AttributeDef) -> String {
    format!("{}\n\n{}", code(&head(type_def, attribute.role, attribute.name.as_str())), describe::attribute(type_def, attribute))
}

fn code(text: &str) -> String {
    format!("```rtype\n{text}\n```")
}

fn declared(found: &Definition) -> String {
    format!("{}\n\n{}", code(&describe::written(found)), describe::author(found))
}

/// Returns a heading such as `newproperty color # of lamp`.
fn head(type_def: &TypeDef, role: Role, attribute: &str) -> String {
    let word = match role {
        Role::Property => "newproperty",
        Role::Param => "newparam",
        Role::Metaparam => "metaparameter",
    };
    format!("{word} {attribute} # of {}", type_def.name)
}

fn of_type(t: &TypeDef) -> String {
    let names = |role: Role| {
        let own = t.attributes.iter().filter(|a| a.role == role).map(|a| format!("`{}`", a.name));
        own.collect::<Vec<_>>().join(", ")
    };
    let mut out = format!("{}\n\n{}\n", code(&format!("type {}", t.name)), t.doc.trim());
    let providers = t.providers.keys().map(|p| format!("`{p}`")).collect::<Vec<_>>().join(", ");
    for (head, text) in [("Properties", names(Role::Property)), ("Params", names(Role::Param)), ("Providers", providers)] {
        if !text.is_empty() {
            out.push_str(&format!("\n- {head}: {text}"));
        }
    }
    out
}

fn of_value(t: &TypeDef, attribute: &str, value: &str) -> Option<String> {
    let attribute = t.attribute(t.id_declared_as(attribute)?)?;
    let alias = attribute.values.aliases.iter().find(|a| a.name.as_str() == value);
    let literal = attribute.values.literals().any(|l| l.as_str() == value);
    match alias {
        Some(alias) => Some(format!("`{value}`: another word for `{}` of `{}`", alias.target, attribute.name)),
        None if literal => Some(format!("`{value}`: a value of `{}`\n\n{}", attribute.name, attribute.doc.trim())),
        None => None,
    }
}

/// Returns the documentation of a keyword, directive or option in its context.
fn of_word(group: &str, of: &str, word: &str) -> Option<String> {
    let row = |table: &[(&str, &str, &str)]| table.iter().find(|(w, _, _)| *w == word).map(|(w, _, doc)| format!("`{w}`: {doc}"));
    match group {
        "keyword" => return KEYWORDS.iter().find(|(w, _)| *w == word).map(|(w, doc)| format!("`{w}`: {doc}")),
        "self" => return row(OF_SELF),
        "provider" => return row(OF_PROVIDER),
        "catalog" => return row(OF_CATALOG),
        _ => {}
    }
    let here = |w: &&WordDoc| {
        w.name == word && (w.group == group || group == "directive" && w.group == "block") && (of.is_empty() || w.of.contains(&of))
    };
    let all = language(None);
    let said: Vec<String> = all.iter().filter(here).map(|w| format!("{}\n\n{}", code(&w.written), of_places(w))).collect();
    (!said.is_empty()).then(|| said.join("\n\n"))
}

fn of_places(word: &WordDoc) -> String {
    if word.group == "method" { format!("{}\n\nOf {}.", word.doc, word.of.join(", ")) } else { word.doc.clone() }
}
