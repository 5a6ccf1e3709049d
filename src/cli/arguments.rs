//! What can be said on the command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Resource types as data: check them, describe them, and see what is so on this machine.
#[derive(Debug, Parser)]
#[command(name = "rtype", version, about, disable_help_subcommand = true)]
pub struct Arguments {
    /// Directory of types that goes before the standard library (repeatable)
    #[arg(long = "types", value_name = "DIR", global = true)]
    pub types: Vec<PathBuf>,
    /// When to use colours
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto, global = true)]
    pub color: Color,
    /// Tell more: notes, and how long each step took
    #[arg(short, long, global = true)]
    pub verbose: bool,
    /// What to do
    #[command(subcommand)]
    pub verb: Verb,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Check type files and resource files
    Check(Check),
    /// Compare declared resources with this machine
    Inspect(Inspect),
    /// Show what is on this machine, as declarations that can be pasted back
    Resource(ResourceArgs),
}

/// `rtype check`
#[derive(Debug, Args)]
pub struct Check {
    /// Files and directories: .rtype, .pp, .json, .yaml
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<String>,
}

/// `rtype inspect`
#[derive(Debug, Args)]
pub struct Inspect {
    /// A file of declarations, or - for standard input
    #[arg(value_name = "FILE")]
    pub file: String,
    /// How to show it
    #[arg(long, value_enum, default_value_t = TextOrJson::Text)]
    pub format: TextOrJson,
    /// Exit with 2 when something is out of sync
    #[arg(long)]
    pub exit_code: bool,
    /// An attribute that needs a feature the provider lacks is an error
    #[arg(long)]
    pub strict: bool,
}

/// `rtype resource`
#[derive(Debug, Args)]
pub struct ResourceArgs {
    /// The type
    #[arg(value_name = "TYPE")]
    pub type_name: String,
    /// One resource instead of all
    #[arg(value_name = "TITLE")]
    pub title: Option<String>,
    /// How to write them
    #[arg(long, value_enum, default_value_t = ResourceFormat::Puppet)]
    pub format: ResourceFormat,
}

/// For people or for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TextOrJson {
    /// For people
    Text,
    /// For programs
    Json,
}

/// What resources are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ResourceFormat {
    /// Puppet's syntax
    Puppet,
    /// A list of resources
    Json,
    /// As `puppet resource --to_yaml`
    Yaml,
}
