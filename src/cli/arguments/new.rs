//! Arguments of `rtype new`.

use clap::{Args, Subcommand, ValueEnum};
use rtype_author::scaffold::{Ci, Implementation, NewProperty, is_name};
use std::path::PathBuf;

// `rtype new`
#[derive(Debug, Args)]
pub struct New {
    /// What to create
    #[command(subcommand)]
    pub what: NewVerb,
}

// Commands of `rtype new`.
#[derive(Debug, Subcommand)]
pub enum NewVerb {
    /// Create a type with properties, a provider and tests
    Type(NewTypeArgs),
    /// Create a provider of an existing type
    Provider(NewProviderArgs),
    /// Create a directory of types with an example, configuration, README and CI
    Module(NewModule),
}

// `rtype new type`
#[derive(Debug, Args)]
pub struct NewTypeArgs {
    /// Name of the type
    #[arg(value_name = "NAME", value_parser = name)]
    pub name: Option<String>,
    /// A property and its values: text, integer, boolean, path, list, or words such as on,off; text by default (repeatable)
    #[arg(long = "property", value_name = "NAME[:KIND]")]
    pub properties: Vec<NewProperty>,
    /// How its provider is implemented
    #[arg(short, long, value_enum, value_name = "IMPLEMENTATION", default_value_t = ImplementationName::Records)]
    pub implementation: ImplementationName,
    /// Directory to create files in [default: `types` if it exists, otherwise the current directory]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

// `rtype new provider`
#[derive(Debug, Args)]
pub struct NewProviderArgs {
    /// Name of the provider
    #[arg(value_name = "NAME", value_parser = name)]
    pub name: Option<String>,
    /// The type that it provides
    #[arg(long = "for", value_name = "TYPE", value_parser = name)]
    pub type_name: Option<String>,
    /// How it is implemented
    #[arg(short, long, value_enum, value_name = "IMPLEMENTATION", default_value_t = ImplementationName::Records)]
    pub implementation: ImplementationName,
    /// Directory of types to create files in [default: `types` if it exists, otherwise the current directory]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

// `rtype new module`
#[derive(Debug, Args)]
pub struct NewModule {
    /// Name of the module, of its directory and of its first type
    #[arg(value_name = "NAME", value_parser = name)]
    pub name: Option<String>,
    /// A property of the first type: as for `rtype new type` (repeatable)
    #[arg(long = "property", value_name = "NAME[:KIND]")]
    pub properties: Vec<NewProperty>,
    /// How the provider of the first type is implemented
    #[arg(short, long, value_enum, value_name = "IMPLEMENTATION", default_value_t = ImplementationName::Records)]
    pub implementation: ImplementationName,
    /// Systems that check the module (repeatable, or separated by commas) [default: all]
    #[arg(long, value_enum, value_name = "SYSTEM", value_delimiter = ',')]
    pub ci: Option<Vec<CiSystem>>,
    /// Directory to create the module in [default: the current directory]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

/// Implementations of providers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ImplementationName {
    /// File with a record per line
    Records,
    /// File with sections and settings, for a type with one property
    Keyed,
    /// Command-line program that exists already
    Commands,
    /// New program in Python
    Program,
    /// No provider: resources are kept in memory
    None,
}

impl From<ImplementationName> for Implementation {
    fn from(name: ImplementationName) -> Implementation {
        match name {
            ImplementationName::Records => Implementation::Records,
            ImplementationName::Keyed => Implementation::Keyed,
            ImplementationName::Commands => Implementation::Commands,
            ImplementationName::Program => Implementation::Program,
            ImplementationName::None => Implementation::None,
        }
    }
}

/// Systems that check a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CiSystem {
    /// Workflow of GitHub Actions
    Github,
    /// GitLab pipeline
    Gitlab,
    /// Hooks of pre-commit
    PreCommit,
    /// None
    None,
}

impl CiSystem {
    /// Returns the files to create.
    pub fn ci(self) -> Option<Ci> {
        match self {
            CiSystem::Github => Some(Ci::Github),
            CiSystem::Gitlab => Some(Ci::Gitlab),
            CiSystem::PreCommit => Some(Ci::PreCommit),
            CiSystem::None => None,
        }
    }
}

/// Parses the name of a type, provider or module.
pub fn name(text: &str) -> Result<String, String> {
    if is_name(text) { Ok(text.to_owned()) } else { Err("use lower-case letters, digits and `_`, beginning with a letter".to_owned()) }
}
