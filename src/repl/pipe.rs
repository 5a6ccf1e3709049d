//! The front end for pipes and files: without prompt and history, but with the same answers.

use super::commands::is_unknown_operand;
use super::{Answer, ReplOptions, ReplSession, input, is_yes, show};
use crate::app::begin_run;
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::eval::run_exhausted;
use rtype_lang::source::Span;
use std::io::{self, BufRead, Read};

/// The maximum length of a line in bytes.
const MAX_LINE: u64 = 16 * 1024 * 1024;

/// Answers each input as soon as it is complete, until the end of the input. Returns whether there was an error.
pub(super) fn talk(mut backend: ReplSession, options: &ReplOptions, from: &mut impl BufRead) -> io::Result<bool> {
    let mut failed = false;
    let mut pending = String::new();
    loop {
        let mut line = Vec::new();
        let mut closes = true;
        let length = from.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)?;
        match String::from_utf8(line) {
            Ok(line) => {
                // A command ends an incomplete input.
                let cuts = line.starts_with(':') && !pending.is_empty();
                if cuts {
                    let whole = std::mem::take(&mut pending);
                    begin_run();
                    let mut answer = backend.run(&whole);
                    answer.report(run_exhausted());
                    failed |= show(&answer, &backend, options)?;
                }
                pending.push_str(&line);
                closes = input::may_close(&pending, &line);
            }
            Err(e) => {
                let at = e.utf8_error().valid_up_to();
                let byte = e.as_bytes().get(at).copied().unwrap_or_default();
                let message = format!("an input is not UTF-8: it holds the byte {byte:#04x}, {at} bytes from the start of its line");
                let mut answer = Answer::default();
                answer.report([Diagnostic::new(Code::NotUtf8, Span::NONE, message).help("the line is left out")]);
                failed |= show(&answer, &backend, options)?;
            }
        }
        if length == 0 || (closes && (input::is_whole(&pending) || is_unknown_operand(&pending, |word| backend.workspace.has(word)))) {
            let whole = std::mem::take(&mut pending);
            begin_run();
            let mut answer = backend.run(&whole);
            answer.report(run_exhausted());
            failed |= show(&answer, &backend, options)?;
            if let Some(question) = &answer.question {
                let mut reply = String::new();
                from.by_ref().take(MAX_LINE).read_line(&mut reply)?;
                println!("{question}{}", reply.trim());
                if is_yes(&reply) {
                    failed |= show(&backend.apply(), &backend, options)?;
                }
            }
            if answer.edit.is_some() {
                let mut answer = Answer::default();
                answer.wrong(Span::NONE, "an editor requires a terminal", "use `:load FILE` in scripts");
                failed |= show(&answer, &backend, options)?;
            }
            if answer.quit || length == 0 {
                return Ok(failed);
            }
        }
    }
}
