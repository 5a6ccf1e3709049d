//! Arguments of `rtype compile`.

use clap::Args;
use std::path::PathBuf;

// `rtype compile`
#[derive(Debug, Args)]
pub struct Compile {
    /// Main manifest, a file or a directory; if omitted, that of the environment in the working directory (`environment.conf`)
    #[arg(value_name = "FILE")]
    pub manifest: Option<String>,
    /// Compile this code instead of a file
    #[arg(short = 'e', long, value_name = "CODE", conflicts_with = "manifest")]
    pub execute: Option<String>,
    /// Certificate name of the node [default: the name in the facts]
    #[arg(long, value_name = "NAME", conflicts_with = "all_nodes")]
    pub node: Option<String>,
    /// Facts of the node: JSON or YAML, as written by `rtype facts`, `facter` or Puppet [default: the facts of this machine]
    #[arg(long, value_name = "FILE", conflicts_with = "all_nodes")]
    pub facts: Option<String>,
    /// Compile for each file of facts in this directory; the file name without suffix is the name of the node
    #[arg(long, value_name = "DIR", requires = "output")]
    pub all_nodes: Option<PathBuf>,
    /// Name of the environment
    #[arg(long, value_name = "NAME", default_value = "production")]
    pub environment: String,
    /// Unknown variables and other doubtful code are errors, as in Puppet 8
    #[arg(long)]
    pub strict: bool,
    /// Write the catalog to this file, readable only by its owner; with `--all-nodes`, a directory
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
