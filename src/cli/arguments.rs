//! What can be said on the command line.

use super::examples;
use crate::check::format::Format;
use crate::diagnostics::nearest;
use crate::input;
use crate::provider::PURGE_LIMIT;
use crate::source::Position;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Resource types as data: check them, describe them, and see what is so on this machine.
#[derive(Debug, Parser)]
#[command(name = "rtype", version, disable_help_subcommand = true)]
pub struct Arguments {
    /// Directory of types, or a Puppet module, that goes before the standard library (repeatable)
    #[arg(long = "types", value_name = "DIR", value_parser = path, global = true, help_heading = EVERYWHERE)]
    pub types: Vec<PathBuf>,
    /// Where Puppet modules lie: their types are imported when they are needed, and `puppet:///modules/…` names their files (repeatable, or
    /// with colons)
    #[arg(long = "modulepath", value_name = "DIR", value_delimiter = ':', value_parser = path, global = true, help_heading = EVERYWHERE)]
    pub modulepath: Vec<PathBuf>,
    /// Use this configuration, not the nearest `rtype.toml`; `inspect`, `resource`, `apply`, `repl` and `provider` use no other one
    #[arg(long, value_name = "FILE", global = true, help_heading = EVERYWHERE)]
    pub config: Option<PathBuf>,
    /// Accept links and paths in `rtype.toml` that lead out of the repository
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub allow_outside: bool,
    /// When to use colours
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto, global = true, help_heading = EVERYWHERE)]
    pub color: Color,
    /// Tell more, such as notes and what comments allow
    #[arg(short, long, global = true, help_heading = EVERYWHERE)]
    pub verbose: bool,
    /// How many findings to show; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 1000, global = true, help_heading = EVERYWHERE)]
    pub max_findings: usize,
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
    /// Run the tests that stand beside types, and check what must hold for every type
    #[command(after_help = examples::TEST)]
    Test(Test),
    /// Lay out type files in the one style that there is
    #[command(after_help = examples::FMT)]
    Fmt(Fmt),
    /// Translate Puppet's types, written in Ruby, into type files
    #[command(after_help = examples::IMPORT)]
    Import(Import),
    /// Tell what a code of a diagnostic means, why it matters, and what is better
    #[command(after_help = examples::EXPLAIN)]
    Explain(Explain),
    /// Tell what has changed between two versions of types, and what of it breaks their users, or between two catalogs
    #[command(after_help = examples::DIFF)]
    Diff(Diff),
    /// Tell what a type offers, and which provider works here
    #[command(after_help = examples::DESCRIBE)]
    Describe(Describe),
    /// Write reference pages of types, or of this command line
    #[command(after_help = examples::DOC)]
    Doc(Doc),
    /// Write the JSON Schema of resources, for editors and other programs
    #[command(after_help = examples::SCHEMA)]
    Schema(Schema),
    /// Compare declared resources with this machine
    #[command(after_help = examples::INSPECT)]
    Inspect(Inspect),
    /// Bring this machine into the declared state
    #[command(after_help = examples::APPLY)]
    Apply(Apply),
    /// Show what is on this machine, as declarations that can be pasted back
    #[command(after_help = examples::RESOURCE)]
    Resource(ResourceArgs),
    /// Try out a program that is a provider
    #[command(after_help = examples::PROVIDER)]
    Provider(ProviderArgs),
    /// Try types and resources interactively
    #[command(after_help = examples::REPL)]
    Repl(Repl),
    /// Serve an editor: diagnostics, completion, hover and more, over standard input and output
    #[command(after_help = examples::LSP)]
    Lsp,
    /// Print a script that completes rtype's arguments in a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions(Completions),
}

impl Verb {
    /// Whether programs are run for what is in types.
    pub fn runs_programs(&self) -> bool {
        matches!(self, Verb::Inspect(_) | Verb::Apply(_) | Verb::Resource(_) | Verb::Provider(_) | Verb::Repl(_))
    }
}

/// `rtype explain`
#[derive(Debug, Args)]
pub struct Explain {
    /// Codes (RT012) or their names (regex-trailing-newline)
    #[arg(value_name = "CODE")]
    pub codes: Vec<String>,
    /// All codes, a line each
    #[arg(long)]
    pub list: bool,
}

/// `rtype check`
#[derive(Debug, Args)]
pub struct Check {
    /// Files and directories: .rtype, .pp, .json, .yaml, types of Puppet modules in .rb; `-` for standard input
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<String>,
    /// How much is asked: min, default or strict
    #[arg(long, value_enum, value_name = "PROFILE", help_heading = RULES)]
    pub profile: Option<ProfileName>,
    /// Tell these, too: RT046, RT0, regex-unanchored, ALL (repeatable, or with commas)
    #[arg(long, value_name = "CODE", value_delimiter = ',', help_heading = RULES)]
    pub select: Vec<String>,
    /// Do not tell these; what makes a type or resource unusable is always told
    #[arg(long, value_name = "CODE", value_delimiter = ',', help_heading = RULES)]
    pub ignore: Vec<String>,
    /// Tell only what this file does not list
    #[arg(long, value_name = "FILE", help_heading = RULES)]
    pub baseline: Option<PathBuf>,
    /// Write what is found into the baseline
    #[arg(long, conflicts_with_all = ["fix", "unsafe_fixes", "diff", "watch"], help_heading = RULES)]
    pub update_baseline: bool,
    /// Change the files so that findings go away, where that keeps the meaning
    #[arg(long, help_heading = FIXES)]
    pub fix: bool,
    /// Make changes, too, that somebody should look at
    #[arg(long, help_heading = FIXES)]
    pub unsafe_fixes: bool,
    /// Show what would be changed, and change nothing
    #[arg(long, help_heading = FIXES)]
    pub diff: bool,
    /// How and where findings are told
    #[command(flatten)]
    pub reports: Reports,
    /// End with status 0 unless there are more warnings than this
    #[arg(long, value_name = "N")]
    pub max_warnings: Option<usize>,
    /// End with status 0 whatever is found
    #[arg(long)]
    pub exit_zero: bool,
    /// Check again whenever something changes
    #[arg(long)]
    pub watch: bool,
    /// The name of what comes on standard input: it tells what it is written in, and where types are found
    #[arg(long, value_name = "NAME", value_parser = path)]
    pub stdin_filename: Option<PathBuf>,
}

const EVERYWHERE: &str = "Options of all verbs";
const RULES: &str = "Which findings";
const OUTPUT: &str = "How they are told";
const FIXES: &str = "Changing files";

/// How and where findings are told.
#[derive(Debug, Args)]
pub struct Reports {
    /// How to show the findings; without it full, and under GITHUB_ACTIONS=true workflow commands after that
    #[arg(long, value_enum, conflicts_with_all = ["diff", "update_baseline"], help_heading = OUTPUT)]
    pub format: Option<Format>,
    /// Write them into a file, too: sarif=rtype.sarif (repeatable)
    #[arg(long = "report", value_name = "FORMAT=FILE", value_parser = report, conflicts_with_all = ["diff", "update_baseline"], help_heading = OUTPUT)]
    pub reports: Vec<(Format, PathBuf)>,
}

/// `sarif=rtype.sarif`
fn report(text: &str) -> Result<(Format, PathBuf), String> {
    let names = || Format::value_variants().iter().filter_map(|f| f.to_possible_value()).map(|v| v.get_name().to_owned());
    let (name, file) = text.split_once('=').ok_or("write FORMAT=FILE, for example sarif=rtype.sarif")?;
    let format = Format::from_str(name, true).map_err(|_| {
        let (all, known) = (names().collect::<Vec<_>>(), names().collect::<Vec<_>>().join(", "));
        let way = nearest(name, all.iter().map(String::as_str)).map(|near| format!("did you mean `{near}`?"));
        format!("there is no format `{name}`; {}", way.unwrap_or_else(|| format!("known are {known}")))
    })?;
    match file {
        "" => Err(format!("the name of the file is missing, for example {name}=rtype.{name}")),
        "-" => Err(format!("reports go to files; `--format {name}` prints to standard output")),
        file => Ok((format, file.into())),
    }
}

/// A path as it is shown.
fn path(text: &str) -> Result<PathBuf, std::convert::Infallible> {
    Ok(input::relative(text).into())
}

/// A profile by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProfileName {
    /// What cannot work
    Min,
    /// Also what is hardly meant
    Default,
    /// Also what a careful author would do otherwise
    Strict,
}

/// `rtype describe`
#[derive(Debug, Args)]
pub struct Describe {
    /// Names of types, files and directories of types; without any, all are listed
    #[arg(value_name = "TYPE|PATH")]
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

/// `rtype diff`
#[derive(Debug, Args)]
#[command(override_usage = "rtype diff [OPTIONS] OLD NEW\n       rtype diff [OPTIONS] --since REVISION PATH")]
pub struct Diff {
    /// A type file, a directory of them, or a catalog: as it was
    #[arg(value_name = "OLD")]
    pub old: String,
    /// The same as it is now
    #[arg(value_name = "NEW", required_unless_present = "since", conflicts_with = "since")]
    pub new: Option<String>,
    /// Compare with what the path was at this commit, branch or tag in git
    #[arg(long, value_name = "REVISION")]
    pub since: Option<String>,
    /// What may break something counts as breaking
    #[arg(long)]
    pub strict: bool,
    /// Leave out resources or attributes of them: 'File[/tmp/*]', '*[*]::tag' (catalogs; repeatable)
    #[arg(long, value_name = "PATTERN")]
    pub ignore: Vec<String>,
    /// How to show it
    #[arg(long, value_enum, default_value_t = DiffFormat::Text)]
    pub format: DiffFormat,
}

/// What changes are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// For people
    Text,
    /// For programs
    Json,
    /// For release notes
    Markdown,
}

/// `rtype doc`
#[derive(Debug, Args)]
pub struct Doc {
    /// Names of types, files and directories of types; without any, all types there are
    #[arg(value_name = "TYPE|PATH")]
    pub what: Vec<String>,
    /// What to write
    #[arg(long, value_enum, default_value_t = DocFormat::Markdown)]
    pub format: DocFormat,
    /// Where to, a file for each page; without it, to standard output
    #[arg(short, long, value_name = "DIR", required_if_eq("format", "html"))]
    pub output: Option<PathBuf>,
    /// The command line instead of types (markdown, man)
    #[arg(long, conflicts_with = "what")]
    pub cli: bool,
}

/// What reference pages are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DocFormat {
    /// Markdown
    Markdown,
    /// A static site with search, which works from a file
    Html,
    /// All that is known, for programs
    Json,
    /// Pages for man(1)
    Man,
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
    /// How wide lines may be; 100 unless `rtype.toml` says otherwise
    #[arg(long, value_name = "N", value_parser = width)]
    pub line_width: Option<usize>,
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

/// `rtype import`
#[derive(Debug, Args)]
pub struct Import {
    /// Ruby files that declare types, and folders with `puppet/type/*.rb` in them
    #[arg(required = true, value_name = "FILE")]
    pub paths: Vec<String>,
    /// Where to, a file for each type; without it, to standard output
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Show Ruby and what becomes of it side by side
    #[arg(long)]
    pub explain: bool,
}

/// `rtype provider`
#[derive(Debug, Args)]
pub struct ProviderArgs {
    /// What to do
    #[command(subcommand)]
    pub what: ProviderVerb,
}

/// What can be done with a provider.
#[derive(Debug, Subcommand)]
pub enum ProviderVerb {
    /// Ask and tell a program all sorts of things, and look whether it keeps to `rtype-provider/1`
    Test(ProviderTest),
}

/// `rtype provider test`
#[derive(Debug, Args)]
pub struct ProviderTest {
    /// The program: a path
    #[arg(value_name = "PROGRAM")]
    pub program: String,
    /// A type that it is for, if it does not say so itself (repeatable)
    #[arg(long = "type", value_name = "TYPE")]
    pub type_names: Vec<String>,
    /// Resources that it may bring about and take away again
    #[arg(long, value_name = "FILE")]
    pub resources: Option<String>,
    /// How to show the results
    #[arg(long, value_enum, default_value_t = TextOrJson::Text)]
    pub format: TextOrJson,
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

/// `rtype schema`
#[derive(Debug, Args)]
pub struct Schema {
    /// Names of types, files and directories of types; without any, all types there are
    #[arg(value_name = "TYPE|PATH")]
    pub what: Vec<String>,
    /// Where to, a file for each type; without it, one schema to standard output
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
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

/// `rtype apply`
#[derive(Debug, Args)]
pub struct Apply {
    /// Files of declarations: .pp, .json, .yaml, a compiled catalog; - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// How it goes
    #[command(flatten)]
    pub running: Running,
}

/// How a run goes.
#[derive(Debug, Args)]
pub struct Running {
    /// Change nothing, tell what would be changed; resources with `noop => false` are changed all the same
    #[arg(long)]
    pub noop: bool,
    /// Only resources with one of these tags: type, title, class, or `tag => …` (repeatable, or with commas)
    #[arg(long, value_name = "TAG", value_delimiter = ',')]
    pub tags: Vec<String>,
    /// End with 2 when something was changed, 4 when something failed, 6 for both
    #[arg(long)]
    pub detailed_exitcodes: bool,
    /// Do not show how contents differ
    #[arg(long)]
    pub no_diff: bool,
    /// Where is remembered what the next run wants to know; also the filebucket. Unless given: /var/lib/rtype; $XDG_STATE_HOME/rtype or ~/.local/state/rtype for those who are not root
    #[arg(long, value_name = "DIR")]
    pub state_dir: Option<PathBuf>,
    /// How to tell what happens; JSON is a line for each thing that happens
    #[arg(long, value_enum, default_value_t = TextOrJson::Text)]
    pub format: TextOrJson,
    /// Write what happens into a file, too, as JSON lines
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// How many resources one `resources { purge => true }` may remove
    #[arg(long, value_name = "N", default_value_t = PURGE_LIMIT)]
    pub purge_limit: i64,
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
    /// Bring the resource into this state; a value in brackets is a list: groups=[adm,audio]
    #[arg(value_name = "ATTRIBUTE=VALUE", value_parser = assignment)]
    pub attributes: Vec<(String, String)>,
    /// How to write them
    #[arg(long, value_enum, default_value_t = ResourceFormat::Puppet)]
    pub format: ResourceFormat,
    /// With attributes: change nothing, tell what would be changed
    #[arg(long)]
    pub noop: bool,
}

/// `shell=/bin/zsh`
fn assignment(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or(
        "expected ATTRIBUTE=VALUE, which changes the machine; to read a resource, give its type and title only: `rtype resource TYPE TITLE`",
    )?;
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if name.is_empty() || !name.chars().all(letters) {
        return Err(format!("invalid attribute name `{name}`"));
    }
    Ok((name.to_owned(), value.to_owned()))
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
