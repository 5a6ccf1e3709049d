//! Arguments about secrets that resources do not declare as secrets.

use clap::Args;

// Options for secrets that another program knows.
#[derive(Clone, Debug, Default, Args)]
pub struct Redacting {
    /// Redact the texts of this file in all output, and hide each attribute that contains one: a JSON list of strings; `-` for the first line
    /// of standard input
    #[arg(long, value_name = "FILE")]
    pub redact: Option<String>,
    /// Treat the values of all attributes as secret, except for common words such as true, present and running, and numbers below 100000
    #[arg(long)]
    pub sensitive: bool,
}
