//! The interactive front end: line editing, colours, completion, history.

use super::{ReplOptions, ReplSession, complete, highlight, history, input, is_yes, show};
use crate::app::begin_run;
use rtype_lang::eval::run_exhausted;
use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{ColorMode, CompletionType, Config, Context, Editor, Helper};
use std::borrow::Cow;
use std::cell::RefCell;
use std::io;

/// The callbacks that rustyline uses while a line is entered.
struct Assistant {
    // Completion loads types, but rustyline only provides shared references.
    backend: RefCell<ReplSession>,
    colors: bool,
}

impl Helper for Assistant {}

impl Hinter for Assistant {
    type Hint = String;
}

impl Completer for Assistant {
    type Candidate = Pair;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let before = line.get(..pos).unwrap_or(line);
        let (start, found) = complete(&mut self.backend.borrow_mut(), before);
        Ok((start, found.into_iter().map(|c| Pair { display: c.display, replacement: c.replacement }).collect()))
    }
}

impl Highlighter for Assistant {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        if self.colors { Cow::Owned(highlight::highlight(line)) } else { Cow::Borrowed(line) }
    }

    fn highlight_char(&self, _: &str, _: usize, kind: CmdKind) -> bool {
        self.colors && kind != CmdKind::MoveCursor
    }
}

impl Validator for Assistant {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        // The newline that was just entered is not part of the input yet.
        let text = format!("{}\n", context.input());
        Ok(if input::is_whole(&text) { ValidationResult::Valid(None) } else { ValidationResult::Incomplete })
    }
}

/// Runs an interactive session until Ctrl-D or `:quit`. Returns whether there was an error.
pub(super) fn talk(backend: ReplSession, options: &ReplOptions) -> io::Result<bool> {
    let mut failed = false;
    let colors = backend.look.colors;
    let config = Config::builder()
        .auto_add_history(false)
        .history_ignore_space(true)
        .completion_type(CompletionType::List)
        .completion_show_all_if_ambiguous(true)
        .bracketed_paste(true)
        .color_mode(if colors { ColorMode::Enabled } else { ColorMode::Disabled })
        .build();
    let mut editor: Editor<Assistant, FileHistory> = Editor::with_config(config).map_err(io::Error::other)?;
    let mut history = options.history.clone();
    if let Some(path) = &history
        && let Err(e) = history::prepare(path).map_err(ReadlineError::from).and_then(|()| editor.load_history(path))
    {
        println!("the history is not kept: `{}`: {e}", path.display());
        history = None;
    }
    editor.set_helper(Some(Assistant { backend: RefCell::new(backend), colors }));
    println!("rtype {}. Declare a resource to see its status; `:help` lists the commands.", env!("CARGO_PKG_VERSION"));
    let prompt = if colors { ("rtype> ".to_owned(), "\x1b[1;32mrtype>\x1b[0m ".to_owned()) } else { ("rtype> ".into(), "rtype> ".into()) };
    loop {
        let line = match editor.readline(&prompt) {
            Ok(line) => line,
            // Ctrl-C discards the line.
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => return Ok(failed),
            Err(ReadlineError::Io(e)) => return Err(e),
            Err(e) => return Err(io::Error::other(e)),
        };
        let Some(assistant) = editor.helper_mut() else { return Ok(failed) };
        let backend = assistant.backend.get_mut();
        begin_run();
        let mut answer = backend.run(&line);
        answer.report(run_exhausted());
        failed |= show(&answer, backend, options)?;
        let keep = !line.trim().is_empty() && !history::is_secret(&line, answer.failed(0), backend);
        if keep {
            let added = editor.add_history_entry(line.trim_end());
            if let Some(path) = history.as_ref().filter(|_| matches!(added, Ok(true)))
                && let Err(e) = editor.append_history(path)
            {
                println!("the history is not kept any longer: `{}`: {e}", path.display());
                history = None;
            }
        }
        if let Some(question) = &answer.question {
            let reply = editor.readline(question).unwrap_or_default();
            if let Some(assistant) = editor.helper_mut().filter(|_| is_yes(&reply)) {
                let backend = assistant.backend.get_mut();
                failed |= show(&backend.apply(), backend, options)?;
            }
        }
        if answer.quit {
            return Ok(failed);
        }
    }
}
