//! What a provider says of itself, and whether it can work here.

use indexmap::IndexMap;
use rtype_lang::eval::World;
use rtype_lang::source::SourceMap;
use rtype_lang::types::{CommandDef, ConfineTest, FactTest, ProviderBody, ProviderDef, TypeDef};
use rtype_lang::value::Symbol;
use rtype_model::providers::Providers;
use rtype_model::resource::{Choice, Suitability, supports};
use serde::Serialize;

/// Everything a provider says of itself. The order of the fields is the order in JSON, and stays.
#[derive(Clone, Debug, Serialize)]
pub struct ProviderDoc {
    /// Its name.
    pub name: String,
    /// What its author says of it.
    pub doc: String,
    /// How it stands on this machine, where one was looked at.
    #[serde(flatten)]
    pub here: Option<HereDoc>,
    /// `native`, `program`, `declared`, or `none` when it is only declared.
    pub body: &'static str,
    /// Whether this program can read with it.
    pub reads: bool,
    /// The provider it takes the rest from.
    pub parent: Option<String>,
    /// Programs it cannot do without.
    pub commands: Vec<CommandDoc>,
    /// Programs it uses where they exist.
    pub optional_commands: Vec<CommandDoc>,
    /// Conditions that must all hold.
    pub confines: Vec<ConfineDoc>,
    /// Where it is preferred, any of these.
    pub defaultfor: Vec<String>,
    /// Where it is not, any of these.
    pub notdefaultfor: Vec<String>,
    /// The features of its type that it has.
    pub features: Vec<String>,
    /// Methods that value blocks may ask.
    pub queries: Vec<String>,
    /// Methods that action blocks may call.
    pub actions: Vec<String>,
}

/// How a provider stands on a machine.
#[derive(Clone, Debug, Serialize)]
pub struct HereDoc {
    /// Whether it can work here.
    pub suitable: bool,
    /// Whether a resource that names none gets it here.
    pub chosen: bool,
    /// Why it cannot work here; empty when it can.
    pub reasons: Vec<ReasonDoc>,
    /// Whether a set of its `defaultfor` holds here.
    pub default_here: bool,
}

/// Why a provider cannot work here.
#[derive(Clone, Debug, Serialize)]
pub struct ReasonDoc {
    /// In words.
    pub reason: String,
    /// The condition's `file:line:column`.
    pub place: Option<String>,
}

/// A program.
#[derive(Clone, Debug, Serialize)]
pub struct CommandDoc {
    /// What the provider calls it.
    pub name: String,
    /// What is looked for.
    pub command: String,
    /// Where it is here.
    pub path: Option<String>,
}

/// A condition.
#[derive(Clone, Debug, Serialize)]
pub struct ConfineDoc {
    /// In words.
    pub condition: String,
    /// Its `file:line:column`.
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
