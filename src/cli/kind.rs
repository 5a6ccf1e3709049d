//! What the arguments of any command say about its run.

use super::arguments::{Arguments, Verb};
use crate::app::session::SessionOptions;

impl Arguments {
    /// Returns how a session is begun.
    pub(super) fn session(&self) -> SessionOptions<'_> {
        SessionOptions {
            types: &self.types,
            modulepath: &self.modulepath,
            config: self.config.as_deref(),
            allow_outside: self.allow_outside,
            runs_programs: self.verb.runs_programs(),
            verbose: self.verbose,
            max_findings: if self.max_findings == 0 { usize::MAX } else { self.max_findings },
        }
    }
}

impl Verb {
    /// Whether the command runs programs that types name.
    pub fn runs_programs(&self) -> bool {
        self.is_prompt() || matches!(self, Verb::Inspect(_) | Verb::Apply(_) | Verb::Resource(_) | Verb::Provider(_))
    }

    /// Whether the command is the prompt, whose inputs are runs of their own.
    pub fn is_prompt(&self) -> bool {
        match self {
            #[cfg(feature = "repl")]
            Verb::Repl(_) => true,
            _ => false,
        }
    }

    /// Whether the command is the language server, which has no end at which it could have spent too much.
    pub fn is_server(&self) -> bool {
        match self {
            #[cfg(feature = "lsp")]
            Verb::Lsp => true,
            _ => false,
        }
    }
}
