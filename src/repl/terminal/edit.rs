//! `:edit`: opens an input or a file in the user's editor.

use super::foreground::{NOT_FOUND, run_on, variable};
use crate::repl::Answer;
use crate::repl::input::is_type_text;
use rtype_lang::source::Span;
use rtype_system::named;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The editor if neither `$VISUAL` nor `$EDITOR` is set.
const EDITOR: &str = "vi";

/// Opens an input in the editor. Returns the edited input; `None` if it is unchanged or after an error. Errors are reported.
pub(super) fn text(before: &str, answer: &mut Answer) -> Option<String> {
    match edited(before) {
        Ok(Ok(text)) if text == before => {
            answer.say("nothing is entered: the text has not changed");
            None
        }
        Ok(Ok(text)) if text.trim().is_empty() => {
            answer.say("nothing is entered: the text is empty");
            None
        }
        Ok(Ok(text)) => Some(text),
        Ok(Err(why)) => {
            why.report(answer);
            None
        }
        Err(e) => {
            answer.wrong(Span::NONE, format!("cannot edit a temporary file: {e}"), "set `TMPDIR` to a directory that you can write to");
            None
        }
    }
}

/// Opens a file in the editor. Returns whether the file has changed. Errors are reported.
pub(super) fn file(path: &str, answer: &mut Answer) -> bool {
    let before = named::read(path).ok();
    if let Err(why) = open(Path::new(path)) {
        why.report(answer);
        return false;
    }
    let has_changed = named::read(path).ok() != before;
    if !has_changed {
        answer.say(format!("nothing is read again: `{path}` has not changed"));
    }
    has_changed
}

/// The reason why an editor failed.
struct EditorFailure {
    message: String,
    help: &'static str,
}

impl EditorFailure {
    fn report(self, answer: &mut Answer) {
        answer.wrong(Span::NONE, self.message, self.help);
    }
}

/// Opens an input in a file that only this user can read. The file has its own directory, because editors write copies next to a file.
fn edited(text: &str) -> io::Result<Result<String, EditorFailure>> {
    let directory = named::temporary_directory()?;
    let path = directory.path().join(if is_type_text(text) { "input.rtype" } else { "input.pp" });
    let mut file = named::open(&path, OpenOptions::new().write(true).create_new(true).mode(0o600))?;
    file.write_all(text.as_bytes())?;
    drop(file);
    if let Err(why) = open(&path) {
        return Ok(Err(why));
    }
    let utf8 = String::from_utf8(named::read(&path)?);
    let failure = |_| EditorFailure { message: "the text is not UTF-8".to_owned(), help: "save it as UTF-8: `:edit` opens it again" };
    Ok(utf8.map_err(failure))
}

fn open(path: &Path) -> Result<(), EditorFailure> {
    let editor = variable(&["VISUAL", "EDITOR"]).unwrap_or_else(|| EDITOR.to_owned());
    let failed = |message: String, help| Err(EditorFailure { message, help });
    match run_on(&editor, path) {
        Ok(status) if status.success() => Ok(()),
        Ok(status) if status.code() == Some(NOT_FOUND) => {
            failed(format!("editor `{editor}` not found"), "set `VISUAL` or `EDITOR` to the command of an editor: `EDITOR=nano rtype repl`")
        }
        Ok(status) => failed(format!("nothing is entered: editor `{editor}` failed with {status}"), "`:edit` opens it again"),
        Err(e) => failed(format!("cannot run editor `{editor}`: {e}"), "set `VISUAL` or `EDITOR` to the command of an editor"),
    }
}
