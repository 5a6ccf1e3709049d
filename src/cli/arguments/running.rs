//! Arguments of commands that apply resources.

use super::{Redacting, RubyArguments, TextOrJson};
use clap::Args;
use rtype_provider::PURGE_LIMIT;
use std::path::PathBuf;

// `rtype apply`
#[derive(Debug, Args)]
pub struct Apply {
    /// Manifests and resource files: .pp, .json, .yaml, a compiled catalog; - for standard input
    #[arg(required_unless_present = "execute", value_name = "FILE")]
    pub files: Vec<String>,
    /// Compile and apply this code
    #[arg(short = 'e', long, value_name = "CODE", conflicts_with = "files")]
    pub execute: Option<String>,
    /// With `--noop`: also for resources with `noop => false`
    #[arg(long, requires = "noop")]
    pub noop_all: bool,
    /// Keep all resources in memory, absent at first, to try out types: nothing on this machine is changed
    #[arg(long)]
    pub simulate: bool,
    /// Secrets that another program knows
    #[command(flatten)]
    pub redacting: Redacting,
    /// Options of the run
    #[command(flatten)]
    pub running: Running,
}

// Options of a run.
#[derive(Clone, Debug, Args)]
pub struct Running {
    /// Show what would change without changing it; resources with `noop => false` are still changed
    #[arg(long)]
    pub noop: bool,
    /// Apply only resources with one of these tags: type, title, class, or `tag => …` (repeatable, or separated by commas)
    #[arg(long, value_name = "TAG", value_delimiter = ',')]
    pub tags: Vec<String>,
    /// Exit with status 2 after changes, 4 after failures, 6 after both
    #[arg(long, alias = "detailed_exitcodes")]
    pub detailed_exitcodes: bool,
    /// Do not show differences of file contents
    #[arg(long)]
    pub no_diff: bool,
    /// Directory for state kept between runs, and the filebucket [default: /var/lib/rtype for root, otherwise $XDG_STATE_HOME/rtype or ~/.local/state/rtype]
    #[arg(long, value_name = "DIR")]
    pub state_dir: Option<PathBuf>,
    /// Print no summary if nothing changes and nothing fails, so that cron sends no mail
    #[arg(short, long)]
    pub quiet: bool,
    /// Wait up to this many seconds for another run to end
    #[arg(long, value_name = "SECONDS", default_value_t = 0)]
    pub wait_for_lock: u64,
    /// Output format; JSON prints one line per event
    #[arg(long, value_enum, default_value_t = TextOrJson::Text)]
    pub format: TextOrJson,
    /// Also write the events to a file, as JSON lines
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Maximum number of resources that one `resources { purge => true }` may remove
    #[arg(long, value_name = "N", default_value_t = PURGE_LIMIT)]
    pub purge_limit: i64,
    /// Treat attributes that need a feature the provider lacks, or that are not checked, as errors
    #[arg(long)]
    pub strict: bool,
    /// Providers in Ruby
    #[command(flatten)]
    pub ruby: RubyArguments,
}
