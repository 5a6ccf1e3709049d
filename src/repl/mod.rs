//! The interactive prompt: a [`ReplSession`] that evaluates inputs to [`Answer`]s, and two front ends.
//!
//! The back end is independent of terminals, so that tests can drive it. The back end also implements no semantics: `inspect` uses the same
//! code for parsing, building, reading and comparing.

mod act;
mod answer;
mod backend;
mod commands;
mod completion;
mod defaults;
mod edit;
mod expression;
mod highlight;
mod history;
mod input;
mod list;
mod load;
mod pipe;
mod pretend;
mod terminal;
mod titles;
mod trace;
mod type_completion;

pub use answer::{Answer, AnswerPart, EditTarget};
pub use backend::ReplSession;
pub use commands::{COMMANDS, ReplCommand};
pub use completion::{Candidate, complete};
pub use history::default_path;
use rtype_system::process;

use rtype_lang::diagnostics::{Renderer, printable_output};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

/// Options of the front ends.
#[derive(Debug)]
pub struct ReplOptions {
    /// Files to load before the first input.
    pub files: Vec<String>,
    /// The path of the history file; `None` for no history. Only a terminal uses a history.
    pub history: Option<PathBuf>,
    /// Whether to show output longer than the terminal in a pager.
    pub pager: bool,
    /// Whether to show notes.
    pub verbose: bool,
    /// Renders diagnostics.
    pub renderer: Renderer,
}

/// Runs the session until the input ends: interactively on a terminal, otherwise line by line. Returns whether there was an error.
///
/// # Errors
/// If the input cannot be read or the output cannot be written.
pub fn run(mut backend: ReplSession, options: &ReplOptions) -> io::Result<bool> {
    let mut loaded = Answer::default();
    for file in &options.files {
        backend.load(file, &mut loaded);
    }
    loaded.redact(backend.types.secrets.redactor());
    if process::stdin().is_terminal() && io::stdout().is_terminal() {
        return terminal::talk(backend, &loaded, options);
    }
    let failed = show(&loaded, &backend, options)?;
    Ok(pipe::talk(backend, options, &mut process::stdin().lock())? || failed)
}

/// Returns whether the reply to a question is yes.
fn is_yes(line: &str) -> bool {
    matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}

/// Prints an answer to standard output. Diagnostics are part of the session, so they also go to standard output. Returns whether the answer
/// contains an error.
fn show(answer: &Answer, backend: &ReplSession, options: &ReplOptions) -> io::Result<bool> {
    let (text, failed) = rendered(answer, backend, options);
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(failed)
}

/// Renders an answer. Returns the output, and whether the answer contains an error.
fn rendered(answer: &Answer, backend: &ReplSession, options: &ReplOptions) -> (String, bool) {
    let mut out = String::new();
    for part in &answer.parts {
        match part {
            AnswerPart::Text(text) => out.push_str(&printable_output(text, backend.look.colors)),
            AnswerPart::Diagnostic(d) if d.is_detail() && !options.verbose => {}
            AnswerPart::Diagnostic(d) => out.push_str(&options.renderer.render(d, &backend.types.sources, &backend.types.secrets)),
        }
    }
    (out, answer.failed(0))
}
