//! Arguments of `rtype explain`.

use clap::Args;

// `rtype explain`
#[derive(Debug, Args)]
pub struct Explain {
    /// Codes (RT012) or their names (regex-trailing-newline)
    #[arg(value_name = "CODE")]
    pub codes: Vec<String>,
    /// List all codes, one per line
    #[arg(long)]
    pub list: bool,
}
