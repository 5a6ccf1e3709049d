//! Derives the properties of a run from the command and the arguments.

use super::arguments::{Arguments, RubyArguments, Verb};
use crate::app::session::SessionOptions;

impl Arguments {
    /// Returns the options of the session.
    pub(super) fn session(&self) -> SessionOptions<'_> {
        SessionOptions {
            types: &self.types,
            modulepath: &self.modulepath,
            config: self.config.as_deref(),
            allow_outside: self.allow_outside,
            runs_programs: self.verb.runs_programs(),
            ruby_providers: self.verb.ruby().filter(|ruby| ruby.ruby_providers).map(|ruby| ruby.ruby_time_limit),
            verbose: self.verbose,
            max_findings: if self.max_findings == 0 { usize::MAX } else { self.max_findings },
        }
    }
}

impl Verb {
    /// Returns the options for providers in Ruby; `None` if the command never runs them.
    fn ruby(&self) -> Option<&RubyArguments> {
        match self {
            Verb::Inspect(arguments) => Some(&arguments.ruby),
            Verb::Apply(arguments) => Some(&arguments.running.ruby),
            Verb::Resource(arguments) => Some(&arguments.ruby),
            _ => None,
        }
    }

    /// Whether the command runs programs that types name.
    pub fn runs_programs(&self) -> bool {
        self.is_agent() || self.is_prompt() || matches!(self, Verb::Inspect(_) | Verb::Apply(_) | Verb::Resource(_) | Verb::Provider(_))
    }

    /// Whether the command is the agent. Each run of the agent begins a new session.
    pub fn is_agent(&self) -> bool {
        match self {
            #[cfg(feature = "agent")]
            Verb::Agent(_) => true,
            _ => false,
        }
    }

    /// Whether the command is the prompt. Each input at the prompt counts as a run.
    pub fn is_prompt(&self) -> bool {
        match self {
            #[cfg(feature = "repl")]
            Verb::Repl(_) => true,
            _ => false,
        }
    }

    /// Whether the command is the language server. A server has no end at which an exhausted limit could be reported.
    pub fn is_server(&self) -> bool {
        match self {
            #[cfg(feature = "lsp")]
            Verb::Lsp => true,
            _ => false,
        }
    }
}
