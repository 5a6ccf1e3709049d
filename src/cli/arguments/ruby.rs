//! Arguments about providers in Ruby.

use clap::Args;

// Options for providers that exist only in Ruby.
#[derive(Clone, Debug, Args)]
pub struct RubyArguments {
    /// Run providers that exist only in Ruby with the installed Puppet library: the Ruby code of all modules in `--modulepath` and
    /// `--types` is run
    #[arg(long)]
    pub ruby_providers: bool,
    /// With `--ruby-providers`: how long one resource may take to be read or changed, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub ruby_time_limit: u64,
}
