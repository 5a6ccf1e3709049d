//! The command line.

#[cfg(feature = "agent")]
mod agent;
mod argument_error;
mod compile;
mod explain;
mod new;
mod redacting;
mod ruby;
mod running;
mod test;

use super::examples;
use crate::app::input;
#[cfg(feature = "agent")]
pub use agent::AgentArguments;
use argument_error::ArgumentError;
use clap::{Args, Command, CommandFactory, Parser, Subcommand, ValueEnum};
pub use compile::{Compile, Lookup, NodeArguments};
pub use explain::Explain;
pub use new::{CiSystem, New, NewModule, NewProviderArgs, NewTypeArgs, NewVerb};
pub use redacting::Redacting;
use rtype_author::check::config::LINE_WIDTHS;
use rtype_author::check::format::Format;
use rtype_lang::source::Position;
pub use ruby::RubyArguments;
pub use running::{Apply, Running};
use std::path::PathBuf;
pub use test::{Test, TestFormat};

/// Resource types as data: check and describe them, and manage resources on this machine.
#[derive(Debug, Parser)]
#[command(name = "rtype", version)]
pub struct Arguments {
    /// Directory of types, or a Puppet module, that goes before the standard library (repeatable)
    #[arg(long = "types", value_name = "DIR", value_parser = path, global = true, help_heading = EVERYWHERE)]
    pub types: Vec<PathBuf>,
    /// Directories of Puppet modules: their types are imported when needed, and `puppet:///modules/…` refers to their files (repeatable, or
    /// separated by colons)
    #[arg(long = "modulepath", value_name = "DIR", value_delimiter = ':', value_parser = path, global = true, help_heading = EVERYWHERE)]
    pub modulepath: Vec<PathBuf>,
    /// Use this configuration instead of the nearest `rtype.toml`; without it, `inspect`, `resource`, `apply`, `repl` and `provider` read `/etc/rtype/rtype.toml` only
    #[arg(long, value_name = "FILE", global = true, help_heading = EVERYWHERE)]
    pub config: Option<PathBuf>,
    /// Accept links and paths in `rtype.toml` that lead out of the repository
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub allow_outside: bool,
    /// When to use colours
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto, global = true, help_heading = EVERYWHERE)]
    pub color: Color,
    /// Show more detail, including notes and suppressed findings
    #[arg(short, long, short_alias = 'd', alias = "debug", global = true, help_heading = EVERYWHERE)]
    pub verbose: bool,
    /// Maximum number of findings to show; 0 for all
    #[arg(long, value_name = "N", default_value_t = 1000, global = true, help_heading = EVERYWHERE)]
    pub max_findings: usize,
    /// The command
    #[command(subcommand)]
    pub verb: Verb,
}

impl Arguments {
    /// Returns all commands with their options.
    pub fn commands() -> Command {
        let mut root = Arguments::command();
        root.build();
        root
    }
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    // Puppet's words for it.
    #[value(aliases = ["ansi", "true"])]
    Always,
    /// Never
    #[value(alias = "false")]
    Never,
}

// The commands.
#[derive(Debug, Subcommand)]
// clap declares the options of a command only when the command is given. Declaring all options would take a third of the instructions of
// `rtype --version`.
#[command(defer = true)]
pub enum Verb {
    /// Check type files and resource files
    #[command(after_help = examples::CHECK)]
    Check(Check),
    /// Create a type, a provider, or a directory of types with tests, examples and CI
    #[command(after_help = examples::NEW)]
    New(New),
    /// Run the tests of types, and check what must hold for every type
    #[command(after_help = examples::TEST)]
    Test(Test),
    /// Format type files and manifests
    #[command(after_help = examples::FMT)]
    Fmt(Fmt),
    /// Translate Puppet's types, written in Ruby, into type files
    #[cfg(feature = "import")]
    #[command(after_help = examples::IMPORT)]
    Import(Import),
    /// Compile the catalog of a node from manifests, modules and data, as a Puppet server does
    #[command(after_help = examples::COMPILE)]
    Compile(Compile),
    /// Look up data of a node as Hiera does, and explain where a value comes from
    #[command(after_help = examples::LOOKUP)]
    Lookup(Lookup),
    /// Explain a diagnostic code: what it means, why it matters, and how to fix it
    #[command(after_help = examples::EXPLAIN)]
    Explain(Explain),
    /// Compare two versions of types and report what breaks their users, or compare two catalogs
    #[command(after_help = examples::DIFF)]
    Diff(Diff),
    /// Describe a type, and which of its providers work on this machine
    #[command(after_help = examples::DESCRIBE)]
    Describe(Describe),
    /// Write reference pages of types, or of this command line
    #[command(after_help = examples::DOC)]
    Doc(Doc),
    /// Write the JSON Schema of resources, for editors and other programs
    #[command(after_help = examples::SCHEMA)]
    Schema(Schema),
    /// Print the facts of this machine as JSON
    #[command(after_help = examples::FACTS)]
    Facts,
    /// Compare declared resources with this machine
    #[command(after_help = examples::INSPECT)]
    Inspect(Inspect),
    /// Apply resources to this machine
    #[command(after_help = examples::APPLY)]
    Apply(Apply),
    /// Apply the catalog that a Puppet server compiles for this machine, as `puppet agent` does
    #[cfg(feature = "agent")]
    #[command(after_help = examples::AGENT, version, args_override_self = true)]
    Agent(AgentArguments),
    /// Show resources of this machine as declarations that can be pasted back
    #[command(after_help = examples::RESOURCE)]
    Resource(ResourceArgs),
    /// Test a provider: a program, or one of text files
    #[command(after_help = examples::PROVIDER)]
    Provider(ProviderArgs),
    /// Try types and resources interactively
    #[cfg(feature = "repl")]
    #[command(after_help = examples::REPL)]
    Repl(Repl),
    /// Start the language server on standard input and output
    #[cfg(feature = "lsp")]
    #[command(after_help = examples::LSP)]
    Lsp,
    /// Print a completion script for a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions(Completions),
}

// `rtype check`
#[derive(Debug, Args)]
pub struct Check {
    /// Files and directories: .rtype, .pp, .json, .yaml, types of Puppet modules in .rb; `-` for standard input
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<String>,
    /// Set of rules to check: min, default or strict
    #[arg(long, value_enum, value_name = "PROFILE", help_heading = RULES)]
    pub profile: Option<ProfileName>,
    /// Also report these rules: RT046, RT0, regex-unanchored, ALL (repeatable, or separated by commas)
    #[arg(long, value_name = "CODE", value_delimiter = ',', help_heading = RULES)]
    pub select: Vec<String>,
    /// Do not report these rules; syntax errors and files that cannot be read are always reported
    #[arg(long, value_name = "CODE", value_delimiter = ',', help_heading = RULES)]
    pub ignore: Vec<String>,
    /// Report only findings that are not in this file
    #[arg(long, value_name = "FILE", help_heading = RULES)]
    pub baseline: Option<PathBuf>,
    /// Write the findings to the baseline; with `--fix-suppress`, only those that cannot be suppressed by a comment
    #[arg(long, conflicts_with_all = ["fix", "unsafe_fixes", "diff", "watch"], help_heading = RULES)]
    pub update_baseline: bool,
    /// Report only findings in lines, types and resources that differ from this commit, branch or tag in git
    #[arg(long, value_name = "REVISION", conflicts_with_all = ["fix", "unsafe_fixes", "fix_suppress", "update_baseline"], help_heading = RULES)]
    pub since: Option<String>,
    /// Fix findings where that keeps the meaning
    #[arg(long, help_heading = FIXES)]
    pub fix: bool,
    /// Also apply fixes that need review
    #[arg(long, help_heading = FIXES)]
    pub unsafe_fixes: bool,
    /// Add a suppression comment for each finding
    #[arg(long, conflicts_with_all = ["fix", "unsafe_fixes", "watch"], help_heading = FIXES)]
    pub fix_suppress: bool,
    /// Show the fixes as a diff, and write nothing
    #[arg(long, help_heading = FIXES)]
    pub diff: bool,
    /// Count the findings of each code instead of showing them (full, concise, json)
    #[arg(long, conflicts_with_all = ["diff", "update_baseline"], help_heading = OUTPUT)]
    pub statistics: bool,
    /// Format and files of the findings
    #[command(flatten)]
    pub reports: Reports,
    /// Exit with status 1 only on errors or more than N warnings
    #[arg(long, value_name = "N")]
    pub max_warnings: Option<usize>,
    /// Exit with status 0 even if there are findings
    #[arg(long)]
    pub exit_zero: bool,
    /// Check again when a file changes
    #[arg(long)]
    pub watch: bool,
    /// File name of standard input: decides its format and where types are searched
    #[arg(long, value_name = "NAME", value_parser = path)]
    pub stdin_filename: Option<PathBuf>,
}

const EVERYWHERE: &str = "Global options";
const RULES: &str = "Rules";
const OUTPUT: &str = "Output";
const FIXES: &str = "Fixes";

// Format and files of the findings.
#[derive(Debug, Args)]
pub struct Reports {
    /// Format of the findings [default: full, followed by workflow commands under GITHUB_ACTIONS=true]
    #[arg(long, value_enum, conflicts_with_all = ["diff", "update_baseline"], help_heading = OUTPUT)]
    pub format: Option<Format>,
    /// Also write the findings to a file: sarif=rtype.sarif (repeatable)
    #[arg(long = "report", value_name = "FORMAT=FILE", value_parser = report, conflicts_with_all = ["diff", "update_baseline"], help_heading = OUTPUT)]
    pub reports: Vec<(Format, PathBuf)>,
}

/// `sarif=rtype.sarif`
fn report(text: &str) -> Result<(Format, PathBuf), ArgumentError> {
    report_of(text, "sarif")
}

fn report_of<F: ValueEnum>(text: &str, example: &'static str) -> Result<(F, PathBuf), ArgumentError> {
    let (name, file) = text.split_once('=').ok_or(ArgumentError::ReportWithoutFormat(example))?;
    let format = F::from_str(name, true).map_err(|_| {
        let formats = F::value_variants().iter().filter_map(ValueEnum::to_possible_value).map(|v| v.get_name().to_owned());
        ArgumentError::UnknownFormat { name: name.to_owned(), formats: formats.collect() }
    })?;
    match file {
        "" => Err(ArgumentError::ReportWithoutFile(name.to_owned())),
        "-" => Err(ArgumentError::ReportToStandardOutput(name.to_owned())),
        file => Ok((format, file.into())),
    }
}

/// Parses a path and makes it relative to the working directory.
fn path(text: &str) -> Result<PathBuf, std::convert::Infallible> {
    Ok(input::relative(text).into())
}

/// A profile of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProfileName {
    /// Errors only
    Min,
    /// Likely mistakes
    Default,
    /// Style and completeness
    Strict,
}

// `rtype describe`
#[derive(Debug, Args)]
pub struct Describe {
    /// Names of types, files and directories of types; lists all types if omitted
    #[arg(value_name = "TYPE|PATH")]
    pub names: Vec<String>,
    /// List all types, each with the first sentence of its description
    #[arg(short, long, conflicts_with = "names")]
    pub list: bool,
    /// Show only the names of attributes and providers
    #[arg(short, long)]
    pub short: bool,
    /// Show only the providers, in detail
    #[arg(short, long)]
    pub providers: bool,
    /// Also show metaparameters
    #[arg(short, long)]
    pub meta: bool,
    /// Describe the language instead: directives, options, kinds, data types, functions and methods; with WORD, only matching entries
    #[arg(long, value_name = "WORD", num_args = 0..=1, conflicts_with_all = ["names", "list", "short", "providers", "meta"])]
    pub language: Option<Option<String>>,
    /// Output format; JSON is always complete
    #[arg(long, value_enum, default_value_t = TextOrJson::Text)]
    pub format: TextOrJson,
}

// `rtype diff`
#[derive(Debug, Args)]
#[command(override_usage = "rtype diff [OPTIONS] OLD NEW\n       rtype diff [OPTIONS] --since REVISION PATH")]
pub struct Diff {
    /// The old version: a type file, a directory of types, or a catalog
    #[arg(value_name = "OLD")]
    pub old: String,
    /// The new version
    #[arg(value_name = "NEW", required_unless_present = "since", conflicts_with = "since")]
    pub new: Option<String>,
    /// Compare with this commit, branch or tag in git
    #[arg(long, value_name = "REVISION")]
    pub since: Option<String>,
    /// Treat changes that may break users as breaking
    #[arg(long)]
    pub strict: bool,
    /// Ignore matching resources or attributes: 'File[/tmp/*]', '*[*]::tag' (catalogs; repeatable)
    #[arg(long, value_name = "PATTERN")]
    pub ignore: Vec<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = DiffFormat::Text)]
    pub format: DiffFormat,
}

/// Output formats of `rtype diff`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// For people
    Text,
    /// For programs
    Json,
    /// For release notes
    Markdown,
}

// `rtype doc`
#[derive(Debug, Args)]
pub struct Doc {
    /// Names of types, files and directories of types; all types if omitted
    #[arg(value_name = "TYPE|PATH")]
    pub what: Vec<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = DocFormat::Markdown)]
    pub format: DocFormat,
    /// Write one file per page to this directory instead of standard output
    #[arg(short, long, value_name = "DIR", required_if_eq("format", "html"))]
    pub output: Option<PathBuf>,
    /// Document the command line instead of types (markdown, man)
    #[arg(long, conflicts_with = "what")]
    pub cli: bool,
}

/// Output formats of `rtype doc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DocFormat {
    /// Markdown
    Markdown,
    /// A static site with search, readable without a server
    Html,
    /// Complete data for programs
    Json,
    /// Pages for man(1)
    Man,
}

// `rtype fmt`
#[derive(Debug, Args)]
pub struct Fmt {
    /// Files and directories of types and manifests, or - for standard input; the current directory if omitted
    #[arg(value_name = "PATH")]
    pub paths: Vec<String>,
    /// List files that are not formatted, and write nothing
    #[arg(long)]
    pub check: bool,
    /// Show the changes as a diff, and write nothing
    #[arg(long, conflicts_with = "check")]
    pub diff: bool,
    /// Maximum width of lines [default: 100, or as set in `rtype.toml`]
    #[arg(long, value_name = "N", value_parser = width)]
    pub line_width: Option<usize>,
    /// Format only items and directives within this range; lines and columns start at 1
    #[arg(long, value_name = "L:C-L:C", value_parser = range)]
    pub range: Option<(Position, Position)>,
    /// File name of standard input, for messages; the suffix `.pp` selects resources
    #[arg(long, value_name = "PATH")]
    pub stdin_filename: Option<String>,
}

impl Fmt {
    /// Whether no file is written.
    pub fn only_shows(&self) -> bool {
        self.check || self.diff
    }
}

fn width(text: &str) -> Result<usize, ArgumentError> {
    text.parse().ok().filter(|n| LINE_WIDTHS.contains(n)).ok_or(ArgumentError::LineWidth)
}

fn range(text: &str) -> Result<(Position, Position), ArgumentError> {
    let position = |text: &str| {
        let (line, column) = text.split_once(':')?;
        let number = |text: &str| text.parse().ok().filter(|n: &u32| *n > 0);
        Some(Position { line: number(line)?, column: number(column)? })
    };
    let ends = text.split_once('-').and_then(|(from, to)| position(from).zip(position(to)));
    let ordered = ends.filter(|(from, to)| (from.line, from.column) <= (to.line, to.column));
    ordered.ok_or(ArgumentError::Range)
}

// `rtype import`
#[cfg(feature = "import")]
#[derive(Debug, Args)]
pub struct Import {
    /// Ruby files that declare types, and directories that contain `puppet/type/*.rb`
    #[arg(required = true, value_name = "FILE")]
    pub paths: Vec<String>,
    /// Write one file per type to this directory instead of standard output
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Show the Ruby source and its translation side by side
    #[arg(long)]
    pub explain: bool,
    /// Write what was imported and what was not as JSON to this file (docs/import.schema.json)
    #[arg(long, value_name = "FILE")]
    pub report: Option<String>,
}

// `rtype provider`
#[derive(Debug, Args)]
pub struct ProviderArgs {
    /// The command
    #[command(subcommand)]
    pub what: ProviderVerb,
}

// Commands of `rtype provider`.
#[derive(Debug, Subcommand)]
pub enum ProviderVerb {
    /// Test whether a program implements the protocol `rtype-provider/1`, or a declared provider with random resources
    Test(ProviderTest),
}

// `rtype provider test`
#[derive(Debug, Args)]
pub struct ProviderTest {
    /// Path of the program; or a type, or type and provider, whose provider is `records`, `keyed` or `command_lines`
    #[arg(value_name = "PROGRAM|TYPE[/PROVIDER]")]
    pub program: String,
    /// A type that the program provides, if it does not announce it itself (repeatable)
    #[arg(long = "type", value_name = "TYPE")]
    pub type_names: Vec<String>,
    /// Resources that the test may create and remove (programs)
    #[arg(long, value_name = "FILE")]
    pub resources: Option<String>,
    /// Directory of programs that replace the commands of a provider of `command_lines`
    #[arg(long, value_name = "DIR")]
    pub commands: Option<PathBuf>,
    /// Number of random resources (declared providers)
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub cases: u64,
    /// Seed of the random resources: the same seed gives the same resources (declared providers)
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Output format
    #[arg(long, value_enum, default_value_t = TextOrJson::Text)]
    pub format: TextOrJson,
}

// `rtype repl`
#[cfg(feature = "repl")]
#[derive(Debug, Args)]
pub struct Repl {
    /// Files of types and resources to load before the first prompt
    #[arg(value_name = "FILE")]
    pub files: Vec<String>,
    /// History file
    #[arg(long, value_name = "FILE", conflicts_with = "no_history")]
    pub history_file: Option<PathBuf>,
    /// Do not keep a history
    #[arg(long)]
    pub no_history: bool,
    /// Do not show long output in a pager
    #[arg(long)]
    pub no_pager: bool,
    /// Exit with 1 if there was an error, for scripts
    #[arg(long)]
    pub strict: bool,
}

// `rtype schema`
#[derive(Debug, Args)]
pub struct Schema {
    /// Names of types, files and directories of types; all types if omitted
    #[arg(value_name = "TYPE|PATH")]
    pub what: Vec<String>,
    /// Write one file per type to this directory instead of one schema to standard output
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

// `rtype completions`
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

// `rtype inspect`
#[derive(Debug, Args)]
pub struct Inspect {
    /// Resource files, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = TextOrJson::Text)]
    pub format: TextOrJson,
    /// Exit with status 2 if a resource is out of sync, 4 if the state of one is unknown, 6 for both
    #[arg(long)]
    pub exit_code: bool,
    /// Do not show differences of file contents
    #[arg(long)]
    pub no_diff: bool,
    /// Keep all resources in memory, absent at first, to try out types: nothing on this machine is changed
    #[arg(long)]
    pub simulate: bool,
    /// Treat attributes that need a feature the provider lacks, or that are not checked, as errors
    #[arg(long)]
    pub strict: bool,
    /// Secrets that another program knows
    #[command(flatten)]
    pub redacting: Redacting,
    /// Providers in Ruby
    #[command(flatten)]
    pub ruby: RubyArguments,
}

// `rtype resource`
#[derive(Debug, Args)]
pub struct ResourceArgs {
    /// Name of the type
    #[arg(value_name = "TYPE", value_parser = type_name)]
    pub type_name: String,
    /// Title of one resource; all resources if omitted
    #[arg(value_name = "TITLE")]
    pub title: Option<String>,
    /// Set attributes of the resource; brackets make a list: groups=[adm,audio]
    #[arg(value_name = "ATTRIBUTE=VALUE", value_parser = assignment)]
    pub attributes: Vec<(String, String)>,
    /// Output format
    #[arg(long, value_enum, default_value_t = ResourceFormat::Puppet)]
    pub format: ResourceFormat,
    /// With attributes: show what would change without changing it
    #[arg(long)]
    pub noop: bool,
    /// Providers in Ruby
    #[command(flatten)]
    pub ruby: RubyArguments,
}

/// `user`
fn type_name(text: &str) -> Result<String, ArgumentError> {
    match text.strip_suffix(']').and_then(|reference| reference.split_once('[')) {
        Some((name, title)) => Err(ArgumentError::Reference { type_name: name.to_lowercase(), title: title.to_owned() }),
        None => Ok(text.to_owned()),
    }
}

/// `shell=/bin/zsh`
fn assignment(text: &str) -> Result<(String, String), ArgumentError> {
    let (name, value) = text.split_once('=').ok_or(ArgumentError::NotAssignment)?;
    if value.starts_with('>') {
        return Err(ArgumentError::Arrow(name.trim().to_owned()));
    }
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if name.is_empty() || !name.chars().all(letters) {
        return Err(ArgumentError::AttributeName(name.to_owned()));
    }
    Ok((name.to_owned(), value.to_owned()))
}

/// Output formats for people and for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TextOrJson {
    /// For people
    Text,
    /// For programs
    Json,
}

/// Output formats of `rtype resource`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ResourceFormat {
    /// Puppet's syntax
    Puppet,
    /// A list of resources
    Json,
    /// The layout of `puppet resource --to_yaml`
    Yaml,
}
