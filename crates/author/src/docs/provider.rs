//! Describes a provider and its suitability.

use indexmap::IndexMap;
use rtype_lang::eval::World;
use rtype_lang::source::SourceMap;
use rtype_lang::types::{CommandDef, ConfineTest, FactTest, ProviderBody, ProviderDef, TypeDef};
use rtype_lang::value::Symbol;
use rtype_model::providers::Providers;
use rtype_model::resource::{Choice, Suitability, supports};
use serde::Serialize;

/// Everything about a provider. The order of the fields is the order in JSON and is stable.
#[derive(Clone, Debug, Serialize)]
pub struct ProviderDoc {
    /// Name of the provider.
    pub name: String,
    /// Description by the author.
    pub doc: String,
    /// The state on this machine, if a machine was given.
    #[serde(flatten)]
    pub here: Option<HereDoc>,
    /// `native`, `program`, `declared`, or `none` without an implementation.
    pub body: &'static str,
    /// `true` if this program can read resources with the provider.
    pub reads: bool,
    /// The parent provider.
    pub parent: Option<String>,
    /// Required programs.
    pub commands: Vec<CommandDoc>,
    /// Optional programs.
    pub optional_commands: Vec<CommandDoc>,
    /// Conditions that must all hold.
    pub confines: Vec<ConfineDoc>,
    /// Alternative conditions that make the provider a default.
    pub defaultfor: Vec<String>,
    /// Alternative conditions that prevent the provider from being a default.
    pub notdefaultfor: Vec<String>,
    /// Supported features of the type.
    pub features: Vec<String>,
    /// Methods that value blocks may call.
    pub queries: Vec<String>,
    /// Methods that action blocks may call.
    pub actions: Vec<String>,
}

/// The state of a provider on a machine.
#[derive(Clone, Debug, Serialize)]
pub struct HereDoc {
    /// `true` for a suitable provider.
    pub suitable: bool,
    /// `true` if the provider is selected for resources without a `provider` attribute.
    pub chosen: bool,
    /// The reasons why the provider is not suitable; empty for a suitable provider.
    pub reasons: Vec<ReasonDoc>,
    /// `true` if a `defaultfor` condition holds.
    pub default_here: bool,
}

/// A reason why a provider is not suitable.
#[derive(Clone, Debug, Serialize)]
pub struct ReasonDoc {
    /// The reason.
    pub reason: String,
    /// Location of the condition, as `file:line:column`.
    pub place: Option<String>,
}

/// A program.
#[derive(Clone, Debug, Serialize)]
pub struct CommandDoc {
    /// The command's name in the provider.
    pub name: String,
    /// The program to search for.
    pub command: String,
    /// The program's path on this machine.
    pub path: Option<String>,
}

/// A condition.
#[derive(Clone, Debug, Serialize)]
pub struct ConfineDoc {
    /// Description of the condition.
    pub condition: String,
    /// The location, as `file:line:column`.
    pub place: Option<String>,
}

pub(super) fn one(
    provider: &ProviderDef,
    here: Option<HereDoc>,
    type_def: &TypeDef,
    world: Option<&dyn World>,
    providers: &dyn Providers,
    sources: &SourceMap,
) -> ProviderDoc {
    let (body, reads) = match type_def.worker(provider) {
        Some((of, p)) if matches!(p.body, ProviderBody::Native(_)) => {
            ("native", providers.capabilities(of.name.as_str(), p.name.as_str()).is_some())
        }
        Some((_, p)) if matches!(p.body, ProviderBody::Declared(_)) => ("declared", true),
        Some(_) => ("program", true),
        None => ("none", false),
    };
    let commands = |all: &IndexMap<Symbol, CommandDef>| -> Vec<CommandDoc> {
        let doc = |(name, c): (&Symbol, &CommandDef)| CommandDoc {
            name: name.to_string(),
            command: c.command.to_string(),
            path: world.and_then(|w| w.which(&c.command)),
        };
        all.iter().map(doc).collect()
    };
    let strings = |all: &[Symbol]| -> Vec<String> { all.iter().map(ToString::to_string).collect() };
    let sets =
        |all: &[Vec<FactTest>]| -> Vec<String> { all.iter().map(|s| s.iter().map(fact).collect::<Vec<_>>().join(" and ")).collect() };
    ProviderDoc {
        name: provider.name.to_string(),
        doc: provider.doc.clone(),
        here,
        body,
        reads,
        parent: provider.parent.as_ref().map(|(name, _)| name.to_string()),
        commands: commands(&provider.commands),
        optional_commands: commands(&provider.optional_commands),
        confines: provider.confines.iter().map(|c| ConfineDoc { condition: condition(&c.test), place: sources.locate(c.span) }).collect(),
        defaultfor: sets(&provider.defaultfor),
        notdefaultfor: sets(&provider.notdefaultfor),
        features: type_def.features.keys().filter(|f| supports(type_def, provider, f)).map(ToString::to_string).collect(),
        queries: strings(&provider.queries),
        actions: strings(&provider.actions),
    }
}

pub(super) fn here(suitability: &Suitability, choice: Option<&Choice>, sources: &SourceMap) -> HereDoc {
    HereDoc {
        suitable: suitability.is_suitable(),
        chosen: choice.is_some_and(|c| c.provider == suitability.provider),
        reasons: suitability.reasons.iter().map(|r| ReasonDoc { reason: r.reason.clone(), place: sources.locate(r.span) }).collect(),
        default_here: suitability.default_for.is_some(),
    }
}

fn condition(test: &ConfineTest) -> String {
    match test {
        ConfineTest::Fact(test) => format!("fact {}", fact(test)),
        ConfineTest::Exists(paths) => format!("{} exists", quoted(paths.iter().map(ToString::to_string))),
        ConfineTest::Feature(features) => format!("the platform has {}", quoted(features.iter().map(ToString::to_string))),
        ConfineTest::Code(_) => "a condition of its own".to_owned(),
    }
}

fn fact(test: &FactTest) -> String {
    format!("`{}` is {}", test.fact, test.wanted())
}

fn quoted(names: impl Iterator<Item = String>) -> String {
    names.map(|n| format!("`{n}`")).collect::<Vec<_>>().join(" and ")
}
