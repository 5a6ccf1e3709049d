//! The callbacks that rustyline calls while an input is edited.

use super::keys::Replacement;
use super::margin::{drawn, entered, without_margins};
use crate::repl::commands::is_unknown_operand;
use crate::repl::{ReplSession, complete, highlight, input};
use rustyline::completion::{Completer, Pair};
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Helper};
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

/// Implements rustyline's callbacks.
pub(super) struct Assistant {
    // Completion loads types, but rustyline only passes shared references.
    pub backend: Rc<RefCell<ReplSession>>,
    pub colors: bool,
    pub replacement: Replacement,
}

impl Helper for Assistant {}

impl Hinter for Assistant {
    type Hint = String;
}

impl Completer for Assistant {
    type Candidate = Pair;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (line, rest) = line.split_at_checked(pos).unwrap_or((line, ""));
        if let Some((start, replacement)) = self.replacement.take(line) {
            return Ok((start, vec![Pair { display: String::new(), replacement }]));
        }
        let before = without_margins(line);
        let (start, found) = complete(&mut self.backend.borrow_mut(), &before, &without_margins(rest));
        // The completed word is on the line of the cursor, after the margin.
        Ok((
            pos - (before.len() - start).min(pos),
            found.into_iter().map(|c| Pair { display: c.display, replacement: c.replacement }).collect(),
        ))
    }
}

impl Highlighter for Assistant {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        let text = without_margins(line);
        let text = if self.colors { highlight::highlight(&text) } else { text };
        Cow::Owned(drawn(line, &text, self.colors))
    }

    fn highlight_char(&self, _: &str, _: usize, kind: CmdKind) -> bool {
        self.colors && kind != CmdKind::MoveCursor
    }
}

impl Validator for Assistant {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        // The newline just entered is not part of the input yet.
        let text = format!("{}\n", entered(context.input()));
        let is_known = |word: &str| self.backend.borrow().workspace.has(word);
        let is_whole = input::is_whole(&text) || is_unknown_operand(&text, is_known);
        Ok(if is_whole { ValidationResult::Valid(None) } else { ValidationResult::Incomplete })
    }
}
