//! Descriptions of types, for people and as JSON: `rtype describe` and `:describe` in the REPL. Also describes the language itself.
//!
//! [`describe`] turns a loaded type into a [`TypeDoc`], plain data in a fixed order; [`text`] and serde write it. The data is
//! complete; the text shows a selection. [`markdown`], [`site`] and [`man`] render reference pages from the same data for `rtype
//! doc`.

mod attribute;
mod examples;
mod facts;
mod html;
mod language;
mod man;
mod markdown;
mod prose;
mod provider;
mod schema;
mod text;
mod wrap;

pub use attribute::{AliasDoc, AttributeDoc, DefaultDoc, RoleDoc, ValueDoc};
pub use attribute::{comparison, default_of, literal, matches};
pub use examples::{ExampleDoc, FencedExample, broken_examples, examples, fenced_examples, has_example};
pub use html::site;
pub use language::{WordDoc, language, language_json, language_text};
pub use man::{MAN_SECTION, man};
pub use markdown::{markdown, markdown_index};
pub use provider::{CommandDoc, ConfineDoc, HereDoc, ProviderDoc, ReasonDoc};
pub use schema::{schema, schema_of_all};
pub use text::{Look, Sections, list, providers, text};

use rtype_lang::eval::World;
use rtype_lang::source::SourceMap;
use rtype_lang::types::{RelationKind, TypeDef};
use rtype_model::providers::Providers;
use rtype_model::resource::{choose, supports, survey};
use serde::Serialize;
use serde_json::{Value as Json, json};

/// Everything about a type. The order of the fields is the order in JSON and is stable.
#[derive(Clone, Debug, Serialize)]
pub struct TypeDoc {
    /// Name of the type.
    pub name: String,
    /// The first sentence of `doc`.
    pub summary: String,
    /// Description by the author.
    pub doc: String,
    /// The file that defines the type.
    pub file: Option<String>,
    /// The attributes that identify a resource, in order.
    pub namevars: Vec<String>,
    /// Title patterns in the order in which they are tried; empty if the title is the namevar.
    pub title_patterns: Vec<TitlePatternDoc>,
    /// `true` if two resources with the same identity conflict.
    pub isomorphic: bool,
    /// `true` if resources of the type can be listed.
    pub lists_instances: bool,
    /// `true` if a change of a resource also refreshes that resource.
    pub self_refresh: bool,
    /// Properties, then parameters, then metaparameters, each in order of definition.
    pub attributes: Vec<AttributeDoc>,
    /// The features for providers.
    pub features: Vec<FeatureDoc>,
    /// The automatic relations of resources.
    pub auto_relations: Vec<RelationDoc>,
    /// The provider selected on this machine.
    pub default_provider: Option<String>,
    /// Providers that are equally suitable as the default; the first declared one is used.
    pub default_provider_ties: Vec<String>,
    /// All providers in order of declaration.
    pub providers: Vec<ProviderDoc>,
    /// `true` if resources of the type can only be read with a provider.
    #[serde(skip)]
    pub needs_provider: bool,
    /// Declarations that are known to be valid; see [`examples`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<ExampleDoc>,
}

impl TypeDoc {
    /// Describes the consequence of having no providers.
    pub fn without_providers(&self) -> &'static str {
        if self.needs_provider { "without a provider, resources of this type can only be simulated" } else { "this type needs none" }
    }
}

/// A row of `title_patterns`.
#[derive(Clone, Debug, Serialize)]
pub struct TitlePatternDoc {
    /// The pattern as written.
    pub pattern: String,
    /// The attributes that the pattern's groups set.
    pub attributes: Vec<String>,
}

/// A feature of providers.
#[derive(Clone, Debug, Serialize)]
pub struct FeatureDoc {
    /// Name of the feature.
    pub name: String,
    /// Description of the feature.
    pub doc: String,
    /// Provider methods that the feature requires.
    pub methods: Vec<String>,
    /// Providers that support the feature.
    pub providers: Vec<String>,
}

/// An automatic relation.
#[derive(Clone, Debug, Serialize)]
pub struct RelationDoc {
    /// `autorequire`, `autobefore`, `autonotify` or `autosubscribe`.
    pub kind: &'static str,
    /// The type of the related resources.
    pub target: String,
}

/// A file to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Path relative to the output directory.
    pub path: String,
    /// Content.
    pub text: String,
}

impl Page {
    /// Creates a page.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Page {
        Page { path: path.into(), text: text.into() }
    }
}

/// Returns attributes with a single namevar first, as Puppet lists them. If there are several namevars, properties among them stay with
/// the other properties.
fn in_puppets_order(mut attributes: Vec<AttributeDoc>) -> Vec<AttributeDoc> {
    let mut namevars = attributes.iter().enumerate().filter(|(_, a)| a.namevar);
    if let (Some((at, _)), None) = (namevars.next(), namevars.next()) {
        let namevar = attributes.remove(at);
        attributes.insert(0, namevar);
    }
    attributes
}

/// Describes a type; with `world`, the description includes the state on that machine.
pub fn describe(type_def: &TypeDef, world: Option<&dyn World>, providers: &dyn Providers, sources: &SourceMap) -> TypeDoc {
    let survey = world.map(|world| survey(type_def, world));
    let choice = survey.as_deref().and_then(choose);
    let here = |i: usize| Some(provider::here(survey.as_ref()?.get(i)?, choice.as_ref(), sources));
    let name_of = |id| type_def.attribute(id).map_or_else(String::new, |a| a.name.to_string());
    let mut relations: Vec<RelationDoc> = Vec::new();
    for relation in &type_def.autorelations {
        let doc = RelationDoc { kind: word(relation.kind), target: relation.target.to_string() };
        // Several blocks for a type form one relation.
        if !relations.iter().any(|r| r.kind == doc.kind && r.target == doc.target) {
            relations.push(doc);
        }
    }
    let features = type_def.features.iter().map(|(name, feature)| FeatureDoc {
        name: name.to_string(),
        doc: feature.doc.clone(),
        methods: feature.methods.iter().map(ToString::to_string).collect(),
        providers: type_def.providers.values().filter(|p| supports(type_def, p, name)).map(|p| p.name.to_string()).collect(),
    });
    TypeDoc {
        name: type_def.name.to_string(),
        summary: summary(&type_def.doc),
        doc: type_def.doc.clone(),
        file: sources.find(type_def.span).map(|s| s.name().to_owned()),
        namevars: type_def.namevars.iter().map(|id| name_of(*id)).collect(),
        title_patterns: type_def
            .title_patterns
            .iter()
            .map(|p| TitlePatternDoc { pattern: p.regex.to_string(), attributes: p.attributes.iter().map(|id| name_of(*id)).collect() })
            .collect(),
        isomorphic: type_def.isomorphic,
        lists_instances: type_def.lists_instances,
        self_refresh: type_def.self_refresh,
        attributes: in_puppets_order(attribute::all(type_def)),
        features: features.collect(),
        auto_relations: relations,
        needs_provider: type_def.needs_provider(),
        default_provider: choice.as_ref().map(|c| c.provider.to_string()),
        default_provider_ties: choice.iter().flat_map(|c| &c.ties).map(ToString::to_string).collect(),
        providers: type_def
            .providers
            .values()
            .enumerate()
            .map(|(i, p)| provider::one(p, here(i), type_def, world, providers, sources))
            .collect(),
        examples: Vec::new(),
    }
}

/// Formats types as JSON: `{"version": 1, "types": […]}`.
pub fn json(types: &[TypeDoc]) -> Json {
    json!({ "version": 1, "types": types })
}

/// Formats names with summaries as JSON, in the same envelope.
pub fn list_json(types: &[(String, String)]) -> Json {
    let rows: Vec<Json> = types.iter().map(|(name, summary)| json!({ "name": name, "summary": summary })).collect();
    json!({ "version": 1, "types": rows })
}

/// Returns the first sentence of a description, on one line.
pub fn summary(doc: &str) -> String {
    let first = doc.trim().lines().take_while(|line| !line.trim().is_empty() && prose::Fence::begins(line).is_none());
    let line = first.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
    // A full stop ends a sentence if an upper-case letter follows, unlike in `e.g. this`.
    let end = line
        .match_indices(". ")
        .find(|(at, _)| line.get(at + 2..).is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase())))
        .map(|(at, _)| at + 1);
    end.and_then(|end| line.get(..end)).unwrap_or(&line).to_owned()
}

fn word(kind: RelationKind) -> &'static str {
    match kind {
        RelationKind::Require => "autorequire",
        RelationKind::Before => "autobefore",
        RelationKind::Notify => "autonotify",
        RelationKind::Subscribe => "autosubscribe",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_the_first_sentence() {
        assert_eq!(summary("Accounts of users. More."), "Accounts of users.");
        assert_eq!(summary("Files, e.g. links,\n  and so on.\n\nMore."), "Files, e.g. links, and so on.");
        assert_eq!(summary(""), "");
        assert_eq!(summary("Ends. é"), "Ends. é");
    }
}
