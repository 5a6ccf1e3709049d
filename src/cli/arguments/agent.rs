//! Arguments of the agent.

use super::Running;
use clap::Args;
use std::path::PathBuf;

const SERVER: &str = "Server";

/// `rtype agent`
#[derive(Debug, Args)]
pub struct AgentArguments {
    /// Run once and end
    #[arg(long)]
    pub onetime: bool,
    /// Run once, show differences of file contents, use no catalog of an earlier run, and exit as with `--detailed-exitcodes`
    #[arg(short, long)]
    pub test: bool,
    /// Read settings from this file instead of `/etc/rtype/agent.toml` or Puppet's `puppet.conf`
    #[arg(long, value_name = "FILE")]
    pub settings: Option<PathBuf>,
    /// Do not run from now on, and neither does Puppet's agent; the reason is shown to those who try
    #[arg(long, value_name = "REASON", num_args = 0..=1, default_missing_value = "reason not specified", conflicts_with_all = ["onetime", "test"])]
    pub disable: Option<String>,
    /// Run again after `--disable`
    #[arg(long, conflicts_with_all = ["disable", "onetime", "test"])]
    pub enable: bool,
    /// Name of the server, with its port if that is not 8140
    #[arg(long, value_name = "NAME[:PORT]", help_heading = SERVER)]
    pub server: Option<String>,
    /// Name of this node in its certificate [default: the full name of this machine]
    #[arg(long, value_name = "NAME", help_heading = SERVER)]
    pub certname: Option<String>,
    /// Environment [default: what the server chooses]
    #[arg(long, value_name = "NAME", help_heading = SERVER)]
    pub environment: Option<String>,
    /// Seconds between two questions for a certificate that the server has not signed yet; 0 to end instead
    #[arg(long, value_name = "SECONDS", help_heading = SERVER)]
    pub waitforcert: Option<u64>,
    /// Options of the run
    #[command(flatten)]
    pub running: Running,
}
