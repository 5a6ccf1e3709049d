//! What can be said on the command line.

use crate::source::Position;
use crate::syntax::LINE_WIDTH;
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
    /// Show notes, too
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
    #[command(after_help = examples::CHECK)]
    Check(Check),
    /// Tell what a type offers, and which provider works here
    #[command(after_help = examples::DESCRIBE)]
    Describe(Describe),
    /// Lay out type files in the one style that there is
    #[command(after_help = examples::FMT)]
    Fmt(Fmt),
    /// Compare declared resources with this machine
    #[command(after_help = examples::INSPECT)]
    Inspect(Inspect),
    /// Try types and resources interactively
    #[command(after_help = examples::REPL)]
    Repl(Repl),
    /// Show what is on this machine, as declarations that can be pasted back
    #[command(after_help = examples::RESOURCE)]
    Resource(ResourceArgs),
    /// Run the tests that stand beside types, and check what must hold for every type
    #[command(after_help = examples::TEST)]
    Test(Test),
    /// Print a script that completes rtype's arguments in a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions(Completions),
}

/// What the help of each verb ends with.
mod examples {
    pub const CHECK: &str = "\
Examples:
  rtype check types site.pp      a directory of types and a file of resources
  rtype --types types check site.pp

Exit status: 0 nothing found, 1 findings, 2 wrong usage";

    pub const DESCRIBE: &str = "\
Examples:
  rtype describe --list                  all types, a line each
  rtype describe user                    its attributes and providers
  rtype describe service --providers     which provider works here, and why the others do not
  rtype describe user group --format json
  rtype describe --language strings      what the language has: here the methods of strings

Exit status: 0, or 1 when a type or word is not known or has errors";

    pub const FMT: &str = "\
Examples:
  rtype fmt                              the types in this directory and below
  rtype fmt --check types                name the files that would change, for CI
  rtype fmt --diff types/motd.rtype      show what would change
  rtype fmt - < types/motd.rtype         standard input to standard output, for editors
  rtype fmt --range 12:1-20:1 types/motd.rtype

In directories files that end in .rtype are formatted. A file of resources (.pp) is if it is
named, and holds nothing but resources.

Exit status: 0, 1 when a file cannot be formatted or, with --check and --diff, would change,
2 wrong usage";

    pub const INSPECT: &str = "\
Examples:
  rtype inspect site.pp
  echo \"user { 'root': shell => '/bin/zsh' }\" | rtype inspect -
  rtype inspect --exit-code catalog.json     2 when something is out of sync

Exit status: 0, 1 when the input cannot be used, 2 as `--exit-code` says";

    pub const REPL: &str = "\
Declare a resource and see at once how it stands; `:help` lists the commands.

Examples:
  rtype repl
  rtype repl types/motd.rtype site.pp        the same as `:load` for each
  echo \"user { 'root': uid => 0 }\" | rtype repl

The history is kept in $XDG_STATE_HOME/rtype/history, else ~/.local/state/rtype/history,
readable to you alone; inputs that set a sensitive attribute are not kept.";

    pub const RESOURCE: &str = "\
Examples:
  rtype resource host
  rtype resource user root
  rtype resource package --format json

Exit status: 0, or 1 when something could not be read";

    pub const TEST: &str = "\
Examples:
  rtype test                         the types in this directory and below
  rtype test types/motd.rtype
  rtype test types --filter blank    only tests whose title holds this, or of the type called so

No test looks at this machine.

Exit status: 0 all passed, 1 something failed, 2 wrong usage or no test fits the filter";

    pub const COMPLETIONS: &str = "\
Examples:
  rtype completions bash > ~/.local/share/bash-completion/completions/rtype
  rtype completions zsh > ~/.zfunc/_rtype        with ~/.zfunc in $fpath
  rtype completions fish > ~/.config/fish/completions/rtype.fish";
}

/// `rtype check`
#[derive(Debug, Args)]
pub struct Check {
    /// Files and directories: .rtype, .pp, .json, .yaml
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<String>,
}

/// `rtype describe`
#[derive(Debug, Args)]
pub struct Describe {
    /// The types; without any, all are listed
    #[arg(value_name = "TYPE")]
    pub names: Vec<String>,
    /// All types, each with the first sentence about it
    #[arg(short, long, conflicts_with = "names")]
    pub list: bool,
    /// Only the names of attributes and providers
    #[arg(short, long)]
    pub short: bool,
    /// Only the providers, in detail
    #[arg(short, long)]
    pub providers: bool,
    /// Metaparameters, too
    #[arg(short, long)]
    pub meta: bool,
    /// What the language itself offers: directives, options, kinds, data types, functions and methods; with WORD only what fits
    #[arg(long, value_name = "WORD", num_args = 0..=1, conflicts_with_all = ["names", "list", "short", "providers", "meta"])]
    pub language: Option<Option<String>>,
    /// How to show it; JSON is always complete
    #[arg(long, value_enum, default_value_t = TextOrJson::Text)]
    pub format: TextOrJson,
}

/// `rtype fmt`
#[derive(Debug, Args)]
pub struct Fmt {
    /// Files and directories of types, or - for standard input; without any, the current directory
    #[arg(value_name = "PATH")]
    pub paths: Vec<String>,
    /// Write nothing; name the files that would change
    #[arg(long)]
    pub check: bool,
    /// Write nothing; show what would change
    #[arg(long, conflicts_with = "check")]
    pub diff: bool,
    /// How wide lines may be
    #[arg(long, value_name = "N", default_value_t = LINE_WIDTH, value_parser = width)]
    pub line_width: usize,
    /// Only the items and directives that this part touches: lines and columns from 1
    #[arg(long, value_name = "L:C-L:C", value_parser = range)]
    pub range: Option<(Position, Position)>,
    /// What standard input is called in messages; `.pp` at its end says that it holds resources
    #[arg(long, value_name = "PATH")]
    pub stdin_filename: Option<String>,
}

impl Fmt {
    /// Whether nothing is to be written.
    pub fn only_shows(&self) -> bool {
        self.check || self.diff
    }
}

fn width(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|n| (20..=1000).contains(n)).ok_or_else(|| "a number from 20 to 1000".to_owned())
}

fn range(text: &str) -> Result<(Position, Position), String> {
    let position = |text: &str| {
        let (line, column) = text.split_once(':')?;
        let number = |text: &str| text.parse().ok().filter(|n: &u32| *n > 0);
        Some(Position { line: number(line)?, column: number(column)? })
    };
    let ends = text.split_once('-').and_then(|(from, to)| position(from).zip(position(to)));
    let ordered = ends.filter(|(from, to)| (from.line, from.column) <= (to.line, to.column));
    ordered.ok_or_else(|| "lines and columns from 1, as in `12:1-20:1`".to_owned())
}

/// `rtype repl`
#[derive(Debug, Args)]
pub struct Repl {
    /// Types and resources to load before the first prompt
    #[arg(value_name = "FILE")]
    pub files: Vec<String>,
    /// Where the history is kept
    #[arg(long, value_name = "FILE", conflicts_with = "no_history")]
    pub history_file: Option<PathBuf>,
    /// Keep no history
    #[arg(long)]
    pub no_history: bool,
}

/// `rtype test`
#[derive(Debug, Args)]
pub struct Test {
    /// Files and directories of types; without any, the current directory
    #[arg(value_name = "PATH")]
    pub paths: Vec<String>,
    /// Only tests whose title holds this text, or of the type called so
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// How to show the results
    #[arg(long, value_enum, default_value_t = TextOrJson::Text)]
    pub format: TextOrJson,
}

/// `rtype completions`
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: clap_complete::Shell,
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
