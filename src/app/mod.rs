//! Code shared by the command line, the prompt, the language server and the public interface.

pub(crate) mod check;
#[cfg(feature = "cli")]
pub(crate) mod compile;
#[cfg(feature = "cli")]
mod environment;
#[cfg(feature = "cli")]
pub(crate) mod hidden;
#[cfg(feature = "native")]
pub mod input;
#[cfg(feature = "cli")]
pub(crate) mod lifecycle;
#[cfg(feature = "cli")]
#[cfg_attr(not(feature = "import"), path = "no_ruby.rs")]
pub(crate) mod ruby;
#[cfg(feature = "cli")]
pub(crate) mod session;
#[cfg(feature = "native")]
pub(crate) mod target;

#[cfg(feature = "cli")]
pub(crate) use rtype_author::editor::candidates;
#[cfg(feature = "repl")]
pub(crate) use rtype_author::editor::{lexer, line_cursor as cursor, tokens};

/// Returns whether the terminal prints escape sequences instead of interpreting them.
#[cfg(feature = "cli")]
pub(crate) fn is_dumb_terminal() -> bool {
    rtype_system::process::variable("TERM").is_some_and(|name| name == "dumb")
}

/// Begins a run: resets the shared limits on the cost of files and blocks.
#[cfg(feature = "cli")]
pub(crate) fn begin_run() {
    rtype_lang::eval::begin_run();
    #[cfg(feature = "import")]
    rtype_import::begin_run();
}
