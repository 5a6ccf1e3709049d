//! The interactive front end: line editing, colours, completion, history, an editor and a pager.

mod assistant;
mod edit;
mod foreground;
mod indent;
mod keys;
mod margin;
mod pager;
mod past;

use super::{Answer, EditTarget, ReplOptions, ReplSession, history, is_yes, rendered};
use crate::app::begin_run;
use assistant::Assistant;
use keys::{KnownWords, Replacement};
use margin::{PROMPT, entered};
use past::Past;
use rtype_lang::eval::run_exhausted;
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{ColorMode, CompletionType, Config, Editor};
use std::cell::RefCell;
use std::io::{self, Write};
use std::path::PathBuf;
use std::rc::Rc;

/// Runs an interactive session until Ctrl-D or `:quit`. Returns whether there was an error. `loaded` is shown first.
pub(super) fn talk(backend: ReplSession, loaded: &Answer, options: &ReplOptions) -> io::Result<bool> {
    let mut conversation = Conversation::new(backend, options)?;
    conversation.show(loaded)?;
    println!("rtype {}. Declare a resource to see its status; `:help` lists the commands.", env!("CARGO_PKG_VERSION"));
    conversation.talk()?;
    Ok(conversation.failed)
}

struct Conversation<'o> {
    editor: Editor<Assistant, Past>,
    backend: Rc<RefCell<ReplSession>>,
    known: KnownWords,
    options: &'o ReplOptions,
    colors: bool,
    /// The history file; `None` if it cannot be written.
    history: Option<PathBuf>,
    /// Whether any answer contained an error.
    failed: bool,
}

impl<'o> Conversation<'o> {
    fn new(mut backend: ReplSession, options: &'o ReplOptions) -> io::Result<Conversation<'o>> {
        let colors = backend.look.colors;
        backend.workspace.numbered = true;
        let config = Config::builder()
            .auto_add_history(false)
            .history_ignore_space(true)
            .completion_type(CompletionType::List)
            .completion_show_all_if_ambiguous(true)
            .bracketed_paste(true)
            // The prompts of continued lines are drawn by the highlighter, even without colours.
            .color_mode(ColorMode::Forced)
            .build();
        let past = Past(FileHistory::with_config(&config));
        let mut editor: Editor<Assistant, Past> = Editor::with_history(config, past).map_err(io::Error::other)?;
        let replacement = Replacement::default();
        let known = KnownWords::default();
        for (key, handler) in keys::bindings(&replacement, &known) {
            editor.bind_sequence(key, handler);
        }
        let mut history = options.history.clone();
        if let Some(path) = &history {
            let prepared = history::prepare(path).map_err(ReadlineError::from);
            match prepared.and_then(|damaged| editor.load_history(path).map(|()| damaged)) {
                Ok(damaged) => damaged.iter().for_each(|why| println!("the history {why}")),
                Err(e) => {
                    println!("the history is not kept: `{}`: {e}", path.display());
                    history = None;
                }
            }
        }
        let backend = Rc::new(RefCell::new(backend));
        editor.set_helper(Some(Assistant { backend: Rc::clone(&backend), colors, replacement }));
        Ok(Conversation { editor, backend, known, options, colors, history, failed: false })
    }

    /// Reads and answers inputs until the session ends.
    fn talk(&mut self) -> io::Result<()> {
        let prompt = (PROMPT, if self.colors { format!("\x1b[1;32m{PROMPT}\x1b[0m") } else { PROMPT.to_owned() });
        loop {
            self.known.set(self.backend.borrow().workspace.operands());
            let line = match self.editor.readline(&prompt) {
                Ok(line) => entered(&line),
                // Ctrl-C discards the line.
                Err(ReadlineError::Interrupted) => continue,
                Err(ReadlineError::Eof) => return Ok(()),
                Err(ReadlineError::Io(e)) => return Err(e),
                Err(e) => return Err(io::Error::other(e)),
            };
            let answer = self.enter(&line)?;
            if answer.quit {
                return Ok(());
            }
            if let Some(target) = answer.edit
                && self.edit(target)?
            {
                return Ok(());
            }
        }
    }

    /// Answers an input.
    fn enter(&mut self, line: &str) -> io::Result<Answer> {
        begin_run();
        let mut answer = self.backend.borrow_mut().run(line);
        answer.report(run_exhausted());
        self.show(&answer)?;
        self.keep(line, &answer);
        if let Some(question) = &answer.question {
            let reply = self.editor.readline(question).unwrap_or_default();
            if is_yes(&reply) {
                let answer = self.backend.borrow_mut().apply();
                self.show(&answer)?;
            }
        }
        Ok(answer)
    }

    /// Opens an editor, and evaluates the edited input or file. Returns whether the session has ended.
    fn edit(&mut self, target: EditTarget) -> io::Result<bool> {
        let mut answer = Answer::default();
        let again = target.command();
        match target {
            EditTarget::Text(text) => {
                if let Some(text) = edit::text(&text, &mut answer) {
                    answer = self.enter(&text)?;
                    // The edited input may contain `:edit`, but the editor is opened only once.
                    return self.after_edit(&answer, &again);
                }
            }
            EditTarget::File(path) => {
                if edit::file(&path, &mut answer) {
                    begin_run();
                    answer = self.backend.borrow_mut().load_edited(&path);
                    answer.report(run_exhausted());
                    self.show(&answer)?;
                    return self.after_edit(&answer, &again);
                }
            }
        }
        self.show(&answer)?;
        Ok(false)
    }

    /// After an error, shows the command for editing again. Returns whether the session has ended.
    fn after_edit(&mut self, answer: &Answer, again: &str) -> io::Result<bool> {
        if answer.failed(0) {
            writeln!(io::stdout(), "`{again}` opens it again")?;
        }
        Ok(answer.quit)
    }

    /// Shows an answer, in a pager if it is longer than the terminal.
    fn show(&mut self, answer: &Answer) -> io::Result<()> {
        let (text, failed) = rendered(answer, &self.backend.borrow(), self.options);
        self.failed |= failed;
        pager::show(&text, self.options.pager)
    }

    /// Adds an input to the history, unless the input contains secrets.
    fn keep(&mut self, line: &str, answer: &Answer) {
        if line.trim().is_empty() || history::is_secret(line, answer.failed(0), &mut self.backend.borrow_mut()) {
            return;
        }
        let added = self.editor.add_history_entry(line.trim_end());
        if let Some(path) = self.history.as_ref().filter(|_| matches!(added, Ok(true)))
            && let Err(e) = self.editor.append_history(path)
        {
            println!("the history is not kept any longer: `{}`: {e}", path.display());
            self.history = None;
        }
    }
}
