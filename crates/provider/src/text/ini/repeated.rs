//! Settings with several values, one per line, edited as in `Puppet::Util::OpenStackConfig` of openstacklib.
//!
//! Lines are removed and added rather than changed, so that values that stay keep their lines.

use super::{Line, Syntax, check_not_continued, checked, sections};
use crate::ProviderError;
use crate::text::Text;

/// A section, as the lines of a text.
struct Section {
    /// The line after its last one.
    end: usize,
    /// The lines with the setting, each with its value.
    found: Vec<(usize, String)>,
    /// The first line with the setting commented out.
    comment: Option<usize>,
    /// The least indentation of its settings.
    indent: Option<usize>,
}

fn section(text: &Text, syntax: &Syntax, section: &str, setting: &str) -> Option<Section> {
    let parts: Vec<_> = sections(text, syntax).into_iter().filter(|(name, _)| name == section).map(|(_, lines)| lines).collect();
    let mut read = Section { end: parts.last()?.end, found: Vec::new(), comment: None, indent: None };
    for line in parts.into_iter().flatten() {
        let Some(raw) = text.raw(line) else { continue };
        if let Some(Line { indent, name, value, .. }) = syntax.setting(raw) {
            read.indent = Some(read.indent.map_or(indent, |i| i.min(indent)));
            if name == setting {
                read.found.push((line, value));
            }
        } else if read.comment.is_none() && syntax.commented(raw).as_deref() == Some(setting) {
            read.comment = Some(line);
        }
    }
    Some(read)
}

/// Sets the values of a setting. Lines with other values are removed, and missing values are inserted before the last line with the
/// setting, else after a line with it commented out, else at the end of the section.
///
/// # Errors
/// If the name of the section or setting would not be parsed as such, a value has several lines, or the next line may continue a line
/// that would be removed. The text is not changed then.
pub fn set(text: &mut Text, syntax: &Syntax, name: &str, setting: &str, values: &[String]) -> Result<(), ProviderError> {
    let header = checked(syntax, name, None)?;
    for value in values {
        checked(syntax, name, Some((setting, value)))?;
    }
    let Some(before) = section(text, syntax, name, setting) else {
        text.push(header);
        for value in values {
            text.push(syntax.line(None, setting, value));
        }
        return Ok(());
    };
    let missing: Vec<&String> = values.iter().filter(|v| !before.found.iter().any(|(_, old)| old == *v)).collect();
    for (line, _) in before.found.iter().filter(|(_, old)| !values.contains(old)) {
        check_not_continued(text, syntax, *line)?;
    }
    for (line, _) in before.found.iter().rev().filter(|(_, old)| !values.contains(old)) {
        text.remove(*line);
    }
    let Some(after) = section(text, syntax, name, setting) else { return Ok(()) };
    let at = after.found.last().map(|(line, _)| *line).or(after.comment.map(|line| line + 1)).unwrap_or(after.end);
    for (i, value) in missing.into_iter().enumerate() {
        text.insert(at + i, syntax.line(before.indent, setting, value));
    }
    Ok(())
}

/// Removes all lines of a setting. The section stays.
///
/// # Errors
/// If the next line may continue the setting. The text is not changed then.
pub fn remove(text: &mut Text, syntax: &Syntax, name: &str, setting: &str) -> Result<(), ProviderError> {
    let found = section(text, syntax, name, setting).map(|s| s.found).unwrap_or_default();
    for (line, _) in &found {
        check_not_continued(text, syntax, *line)?;
    }
    for (line, _) in found.iter().rev() {
        text.remove(*line);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{Marks, Syntax};
    use super::*;

    fn syntax() -> Syntax {
        Syntax::new(Marks { separator: "=".into(), ..Marks::default() }).unwrap()
    }

    fn after(before: &str, section: &str, values: &[&str]) -> String {
        let mut text = Text::new(before.as_bytes());
        let values: Vec<String> = values.iter().map(|v| (*v).to_owned()).collect();
        set(&mut text, &syntax(), section, "a", &values).unwrap();
        String::from_utf8(text.bytes()).unwrap()
    }

    #[test]
    fn a_new_section_is_appended_without_a_blank_line() {
        assert_eq!(after("[s]\nb=1\n", "t", &["1", "2"]), "[s]\nb=1\n[t]\na=1\na=2\n");
        assert_eq!(after("", "t", &["1"]), "[t]\na=1\n");
    }

    #[test]
    fn a_new_setting_goes_to_the_end_or_after_its_commented_copy() {
        assert_eq!(after("[s]\n  b=1\n\n[t]\n", "s", &["1"]), "[s]\n  b=1\n\n  a=1\n[t]\n");
        assert_eq!(after("[s]\n#a = 1\nb=1\n", "s", &["1", "2"]), "[s]\n#a = 1\na=1\na=2\nb=1\n");
    }

    #[test]
    fn values_that_stay_keep_their_lines() {
        assert_eq!(after("[s]\na = 1 \nb=1\na=2\n", "s", &["2"]), "[s]\nb=1\na=2\n");
        assert_eq!(after("[s]\na=1\nb=1\n", "s", &["1", "2"]), "[s]\na=2\na=1\nb=1\n");
        assert_eq!(after("[s]\na=1\nb=1\n", "s", &["2"]), "[s]\nb=1\na=2\n");
    }

    #[test]
    fn the_section_of_a_removed_setting_stays() {
        let mut text = Text::new(b"[s]\na=1\na=2\n[t]\na=3\n");
        remove(&mut text, &syntax(), "s", "a").unwrap();
        assert_eq!(text.bytes(), b"[s]\n[t]\na=3\n");
    }

    #[test]
    fn a_value_of_two_lines_is_refused() {
        let mut text = Text::new(b"[s]\n");
        set(&mut text, &syntax(), "s", "a", &["1\n[t]".to_owned()]).unwrap_err();
        assert_eq!(text.bytes(), b"[s]\n");
    }
}
