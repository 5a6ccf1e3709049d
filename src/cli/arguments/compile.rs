//! Arguments of `rtype compile`.

use clap::Args;
use std::path::PathBuf;

// The node whose catalog is compiled, or whose data is looked up. A doc comment would replace the text of the commands.
#[derive(Debug, Args)]
pub struct NodeArguments {
    /// Certificate name of the node [default: the name in the facts]
    #[arg(long, value_name = "NAME")]
    pub node: Option<String>,
    /// Facts of the node: JSON or YAML, as written by `rtype facts`, `facter` or Puppet [default: the facts of this machine]
    #[arg(long, value_name = "FILE")]
    pub facts: Option<String>,
    /// Name of the environment
    #[arg(long, value_name = "NAME", default_value = "production")]
    pub environment: String,
}

// `rtype compile`
#[derive(Debug, Args)]
pub struct Compile {
    /// Main manifest, a file or a directory; if omitted, that of the environment in the working directory (`environment.conf`)
    #[arg(value_name = "FILE")]
    pub manifest: Option<String>,
    /// Compile this code instead of a file
    #[arg(short = 'e', long, value_name = "CODE", conflicts_with = "manifest")]
    pub execute: Option<String>,
    #[command(flatten)]
    pub node: NodeArguments,
    /// Compile for each file of facts in this directory; the file name without suffix is the name of the node
    #[arg(long, value_name = "DIR", requires = "output", conflicts_with_all = ["node", "facts"])]
    pub all_nodes: Option<PathBuf>,
    /// Unknown variables and other doubtful code are errors, as in Puppet 8
    #[arg(long)]
    pub strict: bool,
    /// Write the catalog to this file, readable only by its owner; with `--all-nodes`, a directory
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

// `rtype lookup`
#[derive(Debug, Args)]
pub struct Lookup {
    /// Keys of Hiera data; of several keys, the first with a value is printed
    #[arg(required = true, value_name = "KEY")]
    pub keys: Vec<String>,
    #[command(flatten)]
    pub node: NodeArguments,
    /// Compile the main manifest first, for data that depends on its variables
    #[arg(long)]
    pub compile: bool,
    /// Strategy instead of that of `lookup_options`: first, unique, hash or deep
    #[arg(long, value_name = "STRATEGY")]
    pub merge: Option<String>,
    /// Elements that begin with PREFIX remove the element of a lower level with the rest of their text; with `--merge deep`
    #[arg(long, value_name = "PREFIX", requires = "merge")]
    pub knock_out_prefix: Option<String>,
    /// Sort merged arrays; with `--merge deep`
    #[arg(long, requires = "merge")]
    pub sort_merged_arrays: bool,
    /// Merge hashes in arrays by their position; with `--merge deep`
    #[arg(long, requires = "merge")]
    pub merge_hash_arrays: bool,
    /// Data type that the value must have: `Array[String]`
    #[arg(long = "type", value_name = "TYPE")]
    pub value_type: Option<String>,
    /// Value if no key has one
    #[arg(long, value_name = "VALUE")]
    pub default: Option<String>,
    /// Show all files that were searched, and what each has
    #[arg(long, conflicts_with = "output")]
    pub explain: bool,
    /// Write the value to this file, readable only by its owner, with secrets
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
