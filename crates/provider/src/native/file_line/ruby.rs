//! `file_line/ruby`: single lines of text files.
//!
//! Follows `puppet/provider/file_line/ruby.rb` of puppetlabs-stdlib 8.5.0. A missing newline at the end of the file
//! is only added if another line follows. Files are compared as UTF-8 regardless of `encoding`: Ruby writes the bytes
//! of the line unconverted, and then does not recognize non-ASCII characters in another encoding.

use super::lines::DesiredLine;
use crate::native::common::pick;
use crate::text::{TextFiles, edit, open_text};
use crate::{Change, ListedResource, Need, Provider, ProviderError, Reading, Replace, Request, Select, System, Thing};
use rtype_lang::value::Value;

/// Reads and writes lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileLine;

fn read(system: &System, request: &Request<'_>, select: Select<'_>) -> Result<Reading, ProviderError> {
    let wanted = DesiredLine::of(request.resource)?;
    let mut files = TextFiles::new(system, &open_text);
    if !files.existed(&wanted.path)? {
        // The file may be made before the line is written; but none takes a line out of a file that is not there.
        return if wanted.present { Ok(Reading::Absent) } else { Err(wanted.no_file()) };
    }
    let text = files.open(&wanted.path)?;
    if request.resource.is_secret("line") {
        wanted.fitting(text)?.iter().for_each(|line| system.redactor().add(line, false));
    }
    if !wanted.exists(text)? {
        return Ok(Reading::Absent);
    }
    Ok(Reading::Present(pick(select, [("ensure", Ok(Value::sym("present"))), ("line", Ok(request.resource.wanted("line")))])))
}

impl Provider for FileLine {
    fn needs(&self, _: &System, request: Request<'_>, _: &[&str]) -> Vec<Need> {
        let Ok(wanted) = DesiredLine::of(request.resource) else { return Vec::new() };
        vec![Need::new(Thing::File(wanted.path.clone()), wanted.missing())]
    }

    fn keeps_to_plan(&self) -> bool {
        true
    }

    fn reads(&self) -> &'static [&'static str] {
        &["ensure", "line"]
    }

    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        requests.iter().map(|request| read(system, request, select).unwrap_or_else(Reading::Error)).collect()
    }

    fn instances(&self, _: &System, _: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        Err(ProviderError::new("the lines of all files cannot be listed"))
    }

    fn writes(&self) -> &'static [&'static str] {
        &["line"]
    }

    fn actions(&self) -> &'static [&'static str] {
        &["create", "destroy"]
    }

    /// Applies the resources in turn, because a changed line may match the pattern of another resource.
    fn flush(&self, system: &System, changes: &mut [Change<'_>]) -> Vec<Result<(), ProviderError>> {
        edit(system, changes, Replace::default(), &open_text, |files, change| {
            let Some(exists) = change.exists else { return Ok(()) };
            let wanted = DesiredLine::of(change.resource)?;
            if !files.existed(&wanted.path)? {
                return Err(wanted.no_file());
            }
            let text = files.open(&wanted.path)?;
            if exists { wanted.create(text) } else { wanted.destroy(text) }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::common::testing::{Wants, apply, get_wanting, machine};

    const PATH: &str = "/etc/app.conf";

    fn try_after(text: &str, wants: &[(&'static str, Value)]) -> Result<String, ProviderError> {
        let (_folder, system) = machine(&[(PATH, text)]);
        let wants = [wants, &[("path", Value::str(PATH)), ("ensure", Value::sym("present"))]].concat();
        let result = apply(&FileLine, &system, "x", &wants);
        let after = system.read(PATH).unwrap().unwrap();
        if let Err(error) = result {
            assert_eq!(after, text);
            return Err(error);
        }
        // Applying it again changes nothing, unless the line does not match its own pattern.
        let again = apply(&FileLine, &system, "x", &wants);
        assert!(again.is_err() || system.read(PATH).unwrap().unwrap() == after, "{after:?} changes again");
        Ok(after)
    }

    fn after(text: &str, wants: &[(&'static str, &str)]) -> String {
        let wants: Vec<_> = wants.iter().map(|(name, value)| (*name, Value::str(*value))).collect();
        try_after(text, &wants).unwrap()
    }

    fn absent(text: &str, wants: &[(&'static str, &str)]) -> Result<String, ProviderError> {
        let mut all = vec![("ensure", Value::sym("absent"))];
        all.extend(wants.iter().map(|(name, value)| (*name, Value::str(*value))));
        try_after(text, &all)
    }

    #[test]
    fn a_line_that_is_missing_is_added_at_the_end() {
        assert_eq!(after("a\r\nb", &[("line", "x")]), "a\r\nb\r\nx\r\n");
        assert_eq!(after("", &[("line", "x")]), "x\n");
        assert_eq!(after("a\nx\r\nb\n", &[("line", "x")]), "a\nx\r\nb\n");
        assert_eq!(after(" x\n", &[("line", "x")]), " x\nx\n");
    }

    #[test]
    fn a_line_that_fits_is_replaced_and_its_end_stays() {
        assert_eq!(after("k=1\r\nb", &[("line", "k=2"), ("match", "^k=[0-9]$")]), "k=2\r\nb");
        assert_eq!(after("b\nk=1", &[("line", "k=2"), ("match", "^k=")]), "b\nk=2");
        assert_eq!(after("b\n", &[("line", "k=2"), ("match", "^k=")]), "b\nk=2\n");
        assert_eq!(after("b\n", &[("line", "k=2"), ("match", "^k="), ("append_on_no_match", "false")]), "b\n");
        assert_eq!(after("k=1\n", &[("line", "k=2"), ("match", "^k="), ("replace", "false")]), "k=1\n");
    }

    #[test]
    fn several_lines_that_fit_are_a_mistake_unless_they_are_meant() {
        let refused = try_after("k=1\nk=3\n", &[("line", Value::str("k=2")), ("match", Value::str("^k="))]).unwrap_err();
        assert_eq!(refused.message, "2 lines of /etc/app.conf match `^k=`");
        assert_eq!(after("k=1\nb\nk=3\n", &[("line", "k=2"), ("match", "^k="), ("multiple", "true")]), "k=2\nb\nk=2\n");
    }

    #[test]
    fn the_line_that_is_there_is_enough_unless_all_that_fit_are_meant() {
        let line = [("line", "k=2"), ("match", "^k="), ("multiple", "true")];
        assert_eq!(after("k=1\nk=2\n", &line), "k=1\nk=2\n");
        let all = [&line[..], &[("replace_all_matches_not_matching_line", "true")]].concat();
        assert_eq!(after("k=1\nk=2\n", &all), "k=2\nk=2\n");
    }

    #[test]
    fn line_is_inserted_after_a_match() {
        assert_eq!(after("a\nb\n", &[("line", "x"), ("after", "^a$")]), "a\nx\nb\n");
        assert_eq!(after("a\nb", &[("line", "x"), ("after", "^b")]), "a\nb\nx\n");
        assert_eq!(after("b\n", &[("line", "x"), ("after", "^a")]), "b\nx\n");
        assert_eq!(after("a\na\n", &[("line", "x"), ("after", "^a"), ("multiple", "true")]), "a\nx\na\nx\n");
        assert_eq!(after("a\nb\na\n", &[("line", "k=2"), ("match", "^k="), ("after", "^a")]), "a\nk=2\nb\na\n");
        try_after("a\na\n", &[("line", Value::str("x")), ("after", Value::str("^a"))]).unwrap_err();
    }

    #[test]
    fn every_line_that_is_equal_goes() {
        assert_eq!(absent("x\na\nx\r\n x\nx", &[("line", "x")]).unwrap(), "a\n x\n");
    }

    #[test]
    fn pattern_selects_removed_lines() {
        let by = [("match", "^k="), ("match_for_absence", "true")];
        assert_eq!(absent("k=1\na\n", &by).unwrap(), "a\n");
        assert_eq!(absent("a\n", &by).unwrap(), "a\n");
        absent("k=1\nk=2\n", &by).unwrap_err();
        assert_eq!(absent("k=1\nk=2\n", &[&by[..], &[("multiple", "true")]].concat()).unwrap(), "");
        // Without it the pattern has no effect.
        assert_eq!(absent("k=1\nx\n", &[("line", "x"), ("match", "^k=")]).unwrap(), "k=1\n");
    }

    #[test]
    fn without_the_file_no_line_is_written_or_removed() {
        let (_folder, system) = machine(&[]);
        let wants = |ensure| vec![("path", Value::str(PATH)), ("line", Value::str("x")), ("ensure", Value::sym(ensure))];
        assert_eq!(get_wanting(&FileLine, &system, "x", &Wants(wants("present"))), Reading::Absent);
        let message = "the file /etc/app.conf does not exist";
        assert_eq!(apply(&FileLine, &system, "x", &wants("present")).unwrap_err().message, message);
        assert_eq!(apply(&FileLine, &system, "x", &wants("absent")).unwrap_err().message, message);
        assert!(!system.exists(PATH));
    }

    #[test]
    fn two_lines_are_none() {
        try_after("a\n", &[("line", Value::str("x\ny"))]).unwrap_err();
        try_after("a\n", &[("line", Value::str("x")), ("match", Value::str("("))]).unwrap_err();
    }

    #[test]
    fn bytes_that_are_no_utf8_stay() {
        let (_folder, system) = machine(&[]);
        std::fs::write(system.path(PATH), b"caf\xe9\nk=1\n").unwrap();
        let wants =
            [("path", Value::str(PATH)), ("line", Value::str("k=2")), ("match", Value::str("^k=")), ("ensure", Value::sym("present"))];
        apply(&FileLine, &system, "x", &wants).unwrap();
        assert_eq!(system.read_bytes(PATH).unwrap().unwrap(), b"caf\xe9\nk=2\n");
    }
}
