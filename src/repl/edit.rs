//! `:edit`: chooses the input or file to edit. The terminal front end opens the editor.

use super::answer::{Answer, EditTarget};
use super::backend::ReplSession;
use super::commands::Arguments;
use super::load::Loaded;
use rtype_lang::types::TypeDef;
use rtype_system::named;

/// The prefix of file names in the standard library.
const STANDARD: &str = "<rtype>/";

/// Runs `:edit`.
pub(super) fn run(session: &ReplSession, arguments: &Arguments<'_>, answer: &mut Answer) {
    let wanted = arguments.text;
    if wanted.is_empty() {
        answer.edit = Some(EditTarget::Text(session.last_input.clone()));
        return;
    }
    if session.has_loaded(wanted) {
        answer.edit = Some(EditTarget::File(wanted.to_owned()));
        return;
    }
    let name = wanted.to_lowercase();
    if let Some(type_def) = session.types.load(&name) {
        answer.edit = source_of(session, &type_def);
        if answer.edit.is_none() {
            let help = "define a type of your own; `:describe` and `rtype describe` show this one";
            answer.wrong(arguments.span, format!("type `{name}` is part of rtype and cannot be edited"), help);
        }
    } else if named::is_file(wanted) {
        answer.edit = Some(EditTarget::File(wanted.to_owned()));
    } else {
        answer.report([session.types.unknown_type(&name, arguments.span)]);
    }
}

/// Returns the input or file that defines a type. `None` for a type of the standard library.
fn source_of(session: &ReplSession, type_def: &TypeDef) -> Option<EditTarget> {
    let source = session.types.sources.find(type_def.span)?;
    let entered = session.loaded.iter().find_map(|loaded| match loaded {
        Loaded::Typed(name, text) if name == source.name() => Some(EditTarget::Text(text.clone())),
        _ => None,
    });
    entered.or_else(|| (!source.name().starts_with(STANDARD)).then(|| EditTarget::File(source.name().to_owned())))
}

impl ReplSession {
    /// Returns whether a file has been loaded.
    fn has_loaded(&self, path: &str) -> bool {
        self.loaded.iter().any(|loaded| matches!(loaded, Loaded::Types(name) | Loaded::Resources(name) if name == path))
    }

    /// Loads an edited file. If the file was loaded before, loads all files again, since other files may use it.
    pub fn load_edited(&mut self, path: &str) -> Answer {
        let mut answer = Answer::default();
        let is_known = self.has_loaded(path)
            || self.types.registry().iter().any(|t| self.types.sources.find(t.span).is_some_and(|source| source.name() == path));
        if is_known {
            self.reload(&mut answer)
        } else {
            self.load(path, &mut answer)
        }
        answer.redact(self.types.secrets.redactor());
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(session: &mut ReplSession, line: &str) -> Option<EditTarget> {
        session.run(line).edit
    }

    #[test]
    fn the_last_input_or_a_definition_is_opened() {
        let mut session = ReplSession::for_tests();
        assert_eq!(target(&mut session, ":edit"), Some(EditTarget::Text(String::new())));
        let lamp = "type lamp {\n  newparam name { isnamevar }\n}\n";
        session.run(lamp);
        session.run("motd { 'a': text => 'x' }");
        session.run(":trace");
        // `:edit` skips short commands and edits the declaration before them.
        assert_eq!(target(&mut session, ":edit"), Some(EditTarget::Text("motd { 'a': text => 'x' }".into())));
        assert_eq!(target(&mut session, ":edit Lamp"), Some(EditTarget::Text(lamp.into())));
        assert_eq!(target(&mut session, ":edit motd"), Some(EditTarget::File("tests/repl/types/motd.rtype".into())));
        assert_eq!(target(&mut session, ":edit tests/repl/declare.txt"), Some(EditTarget::File("tests/repl/declare.txt".into())));
        assert_eq!(target(&mut session, ":edit user"), None);
        let answer = session.run(":edit mtod");
        assert!(answer.edit.is_none() && answer.plain().contains("motd"), "{}", answer.plain());
    }

    #[test]
    fn edited_files_are_loaded_again() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("lamp.rtype");
        let path = path.to_str().unwrap();
        let mut session = ReplSession::for_tests();
        std::fs::write(path, "type lamp {\n  newparam name { isnamevar }\n}\n").unwrap();
        assert!(session.load_edited(path).plain().contains("type `lamp` is loaded"));
        std::fs::write(path, "type lamp {\n  newparam name { isnamevar }\n  newproperty light\n}\n").unwrap();
        assert!(session.load_edited(path).plain().contains("type `lamp` has changed: 1 property"));
    }
}
