//! INI files, parsed and edited as in `Puppet::Util::IniFile` of puppetlabs-inifile.
//!
//! There are two improvements. Duplicate sections are kept (Puppet writes the second one twice and loses the first);
//! settings are looked up in both, and the last one is used. And all lines of a removed setting are removed, even if
//! they are adjacent.

pub mod repeated;

use super::{Text, is_blank, one_line};
use crate::ProviderError;
use indexmap::{IndexMap, IndexSet};
use regex::bytes::Regex;
use std::ops::Range;

/// The syntax of a file.
#[derive(Clone, Debug)]
pub struct Syntax {
    separator: String,
    prefix: String,
    suffix: String,
    indent_char: String,
    indent_width: Option<usize>,
    section: Regex,
    setting: Regex,
    commented: Regex,
}

/// The configurable parts of a syntax.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Marks {
    /// The separator of name and value in new settings; existing settings may have different blanks around it.
    pub separator: String,
    /// The text before the name of a section.
    pub prefix: String,
    /// The text after the name of a section.
    pub suffix: String,
    /// The text that new settings are indented with.
    pub indent_char: String,
    /// How often it is repeated; by default, new settings are indented like the least indented setting of the
    /// section.
    pub indent_width: Option<usize>,
}

impl Default for Marks {
    fn default() -> Marks {
        Marks { separator: " = ".into(), prefix: "[".into(), suffix: "]".into(), indent_char: " ".into(), indent_width: None }
    }
}

impl Syntax {
    /// Creates a syntax.
    ///
    /// # Errors
    /// If a mark is not a single line.
    pub fn new(marks: Marks) -> Result<Syntax, ProviderError> {
        let Marks { separator, prefix, suffix, indent_char, indent_width } = marks;
        for mark in [&separator, &prefix, &suffix, &indent_char] {
            one_line(mark)?;
        }
        let sign = match separator.trim_matches(is_blank) {
            "" if !separator.is_empty() => " ",
            sign => sign,
        };
        let (sign, letters) = (regex::escape(sign), sign.chars().map(|c| regex::escape(&c.to_string())).collect::<String>());
        let regex = |text: String| Regex::new(&text).map_err(|_| ProviderError::new(format!("`{separator}` cannot part names and values")));
        let section = regex(format!(r"(?s-u)\A\s*{}(.*){}\s*\z", regex::escape(&prefix), regex::escape(&suffix)))?;
        let setting = regex(format!(r"(?s-u)\A(\s*)([^#;\s]|[^#;\s].*?[^\s{letters}])(\s*{sign}[ \t]*)(.*)\z"))?;
        let commented = regex(format!(r"(?s-u)\A\s*[#;]+\s*(.*?[^\s{letters}])\s*{sign}[ \t]*"))?;
        Ok(Syntax { separator, prefix, suffix, indent_char, indent_width, section, setting, commented })
    }

    /// Returns the name of the section that the line starts, if any.
    fn section(&self, line: &[u8]) -> Option<String> {
        let name = self.section.captures(line)?.get(1)?;
        Some(lossy(name.as_bytes()))
    }

    /// Parses the setting in a line.
    fn setting(&self, line: &[u8]) -> Option<Line> {
        let found = self.setting.captures(line)?;
        let (indent, name, value) = (found.get(1)?, found.get(2)?, found.get(4)?);
        Some(Line { indent: indent.len(), name: lossy(name.as_bytes()), value: lossy(value.as_bytes()), at: value.start() })
    }

    /// Returns the name of a setting that is commented out.
    fn commented(&self, line: &[u8]) -> Option<String> {
        let name = self.commented.captures(line)?.get(1)?;
        Some(lossy(name.as_bytes()))
    }

    /// Formats the line of a new setting.
    fn line(&self, indent: Option<usize>, name: &str, value: &str) -> String {
        let indent = self.indent_char.repeat(self.indent_width.or(indent).unwrap_or(0));
        format!("{indent}{name}{}{value}", self.separator)
    }
}

struct Line {
    indent: usize,
    name: String,
    value: String,
    /// Where its value begins.
    at: usize,
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The content of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ini {
    /// The names of the sections, in order; the first one has no name and precedes all others.
    pub sections: IndexSet<String>,
    /// Values by section and name, in order. If a setting is duplicated, the last value is used.
    pub settings: IndexMap<(String, String), String>,
    /// Earlier values of duplicated settings, in order.
    pub earlier: IndexMap<(String, String), Vec<String>>,
}

impl Ini {
    /// Parses a file.
    pub fn new(text: &Text, syntax: &Syntax) -> Ini {
        let mut ini = Ini::default();
        let mut name = String::new();
        ini.sections.insert(name.clone());
        for line in 0..text.len() {
            let raw = text.raw(line).unwrap_or_default();
            if let Some(section) = syntax.section(raw) {
                ini.sections.insert(section.clone());
                name = section;
            } else if let Some(setting) = syntax.setting(raw) {
                let key = (name.clone(), setting.name);
                if let Some(earlier) = ini.settings.insert(key.clone(), setting.value) {
                    ini.earlier.entry(key).or_default().push(earlier);
                }
            }
        }
        ini
    }

    /// Returns the value of a setting.
    pub fn get(&self, section: &str, setting: &str) -> Option<&str> {
        self.settings.get(&(section.to_owned(), setting.to_owned())).map(String::as_str)
    }
}

impl Ini {
    /// Returns all values of a setting, in order.
    pub fn all(&self, section: &str, setting: &str) -> Vec<&str> {
        let key = (section.to_owned(), setting.to_owned());
        let earlier = self.earlier.get(&key).into_iter().flatten();
        earlier.chain(self.settings.get(&key)).map(String::as_str).collect()
    }
}

/// Returns the lines of each section, including its header.
fn sections(text: &Text, syntax: &Syntax) -> Vec<(String, Range<usize>)> {
    let mut all = Vec::new();
    let (mut name, mut start) = (String::new(), 0);
    for line in 0..text.len() {
        if let Some(next) = syntax.section(text.raw(line).unwrap_or_default()) {
            all.push((std::mem::replace(&mut name, next), start..line));
            start = line;
        }
    }
    all.push((name, start..text.len()));
    all
}

/// Returns the header of a section, unless it or the line of a new setting would be parsed as something else.
fn checked(syntax: &Syntax, section: &str, setting: Option<(&str, &str)>) -> Result<String, ProviderError> {
    let header = format!("{}{section}{}", syntax.prefix, syntax.suffix);
    if !section.is_empty() && syntax.section(one_line(&header)?.as_bytes()).as_deref() != Some(section) {
        return Err(ProviderError::new(format!("`{header}` would not be read as the section `{section}`")));
    }
    if let Some((name, value)) = setting {
        let line = syntax.line(None, name, value);
        let read = syntax.setting(one_line(&line)?.as_bytes());
        if syntax.section(line.as_bytes()).is_some() || read.is_none_or(|r| r.name != name || r.value != value) {
            return Err(ProviderError::new(format!("a line with the setting `{name}` would not be read as such")));
        }
    }
    Ok(header)
}

/// Returns an error if the next line may continue the setting in a line. Many programs continue settings of INI files on indented lines
/// or after a backslash, and the program that reads this file is not known.
fn check_not_continued(text: &Text, syntax: &Syntax, line: usize) -> Result<(), ProviderError> {
    let indent = |raw: &[u8]| raw.iter().take_while(|b| is_blank(char::from(**b))).count();
    // Values continue after blank lines and comments, too.
    let is_skipped = |raw: &[u8]| matches!(raw.get(indent(raw)..), None | Some([] | [b'#' | b';', ..]));
    let after = (line + 1..).map_while(|line| Some((line, text.raw(line)?))).find(|(_, raw)| !is_skipped(raw));
    let (Some(raw), Some((place, next))) = (text.raw(line), after) else { return Ok(()) };
    let is_deeper = indent(next) > indent(raw);
    if syntax.section(next).is_some() {
        return Ok(());
    }
    let is_setting = syntax.setting(next).is_some();
    let setting = syntax.setting(raw);
    let may_continue = if setting.as_ref().is_some_and(|s| is_open(&s.value)) {
        true
    } else if raw.trim_ascii_end().ends_with(b"\\") {
        !is_setting || is_deeper
    } else {
        !is_setting && (is_deeper || begins_like_value(next.get(indent(next)..).unwrap_or_default()))
    };
    if !may_continue {
        return Ok(());
    }
    let name = setting.map(|s| s.name).unwrap_or_default();
    let message = format!("line {} may continue the setting `{name}` in line {}, which is not changed", place + 1, line + 1);
    Err(ProviderError::new(message).help("write the setting in one line"))
}

/// Returns whether a value ends inside a list, a map or a text of several lines, as TOML and some INI files have them.
fn is_open(value: &str) -> bool {
    let value = value.trim_end();
    value.ends_with(['[', '{', '(']) || ["\"\"\"", "'''"].iter().any(|quotes| value.matches(quotes).count() % 2 == 1)
}

/// Returns whether a line without a setting begins like a part of a value, in contrast to names of switches and to directives.
fn begins_like_value(line: &[u8]) -> bool {
    matches!(line, [b'"' | b'\'' | b'[' | b']' | b'{' | b'}' | b'(' | b')' | b',' | b'-' | b'0'..=b'9', ..])
}

/// Sets the value of a setting; without a setting, only creates the section.
///
/// Existing lines with the setting keep the text before the value. A new line is inserted after a line with the
/// setting commented out, else at the end of its section, before trailing blank lines; a new section is appended to
/// the file.
///
/// # Errors
/// If the name of the section or setting would not be parsed as such, the value has several lines, or the next line may continue
/// the setting. The text is not changed then.
pub fn set(text: &mut Text, syntax: &Syntax, section: &str, setting: Option<(&str, &str)>) -> Result<(), ProviderError> {
    let header = checked(syntax, section, setting)?;
    let all = sections(text, syntax);
    let parts: Vec<&Range<usize>> = all.iter().filter(|(name, _)| name == section).map(|(_, lines)| lines).collect();
    let Some(last) = parts.last() else {
        if !text.is_empty() {
            text.push("");
        }
        text.push(&header);
        if let Some((name, value)) = setting {
            text.push(syntax.line(None, name, value));
        }
        return Ok(());
    };
    let Some((name, value)) = setting else { return Ok(()) };
    for line in lines_with(text, syntax, section, name) {
        check_not_continued(text, syntax, line)?;
        text.check_utf8("the file", line)?;
    }
    let mut changed = false;
    let mut indent: Option<usize> = None;
    let mut comment = None;
    for line in parts.iter().flat_map(|lines| (*lines).clone()) {
        let Some(raw) = text.raw(line) else { continue };
        if let Some(found) = syntax.setting(raw) {
            indent = Some(indent.map_or(found.indent, |i| i.min(found.indent)));
            if found.name == name {
                changed = true;
                let kept = raw.get(..found.at).unwrap_or_default();
                let new = [kept, value.as_bytes()].concat();
                text.replace(line, new);
            }
        } else if comment.is_none() && syntax.commented(raw).as_deref() == Some(name) {
            comment = Some(line);
        }
    }
    if changed {
        return Ok(());
    }
    let new = syntax.line(indent, name, value);
    if let Some(comment) = comment.filter(|comment| check_not_continued(text, syntax, *comment).is_ok()) {
        text.insert(comment + 1, new);
        return Ok(());
    }
    let blank = |line: usize| text.raw(line).is_none_or(|raw| raw.iter().all(|b| is_blank(char::from(*b))));
    let trailing = (*last).clone().rev().take_while(|line| blank(*line)).count();
    let end = last.end.saturating_sub(trailing);
    text.insert(end, new);
    // The section without a name was empty.
    if last.is_empty() && !text.raw(end + 1).is_none_or(<[u8]>::is_empty) {
        text.insert(end + 1, "");
    }
    Ok(())
}

/// Returns the lines with a setting.
fn lines_with(text: &Text, syntax: &Syntax, section: &str, setting: &str) -> Vec<usize> {
    let all = sections(text, syntax).into_iter().filter(|(name, _)| name == section).flat_map(|(_, lines)| lines);
    all.filter(|line| text.raw(*line).and_then(|raw| syntax.setting(raw)).is_some_and(|s| s.name == setting)).collect()
}

/// Returns the values of a setting that may have several lines, in order.
pub fn values(text: &Text, syntax: &Syntax, section: &str, setting: &str) -> Vec<String> {
    let lines = lines_with(text, syntax, section, setting).into_iter();
    lines.filter_map(|line| syntax.setting(text.raw(line)?)).map(|s| s.value).collect()
}

/// Sets these values of a setting, one per line: existing lines are reused in order, and further ones are inserted
/// after them.
///
/// # Errors
/// As [`set`].
pub fn set_all(text: &mut Text, syntax: &Syntax, section: &str, setting: &str, values: &[String]) -> Result<(), ProviderError> {
    for value in values {
        // Check that each value can be parsed again.
        set(&mut Text::new(b""), syntax, section, Some((setting, value)))?;
    }
    let found = lines_with(text, syntax, section, setting);
    for line in &found {
        check_not_continued(text, syntax, *line)?;
        text.check_utf8("the file", *line)?;
    }
    if let (Some(first), []) = (values.first(), found.as_slice()) {
        set(text, syntax, section, Some((setting, first)))?;
    }
    let found = lines_with(text, syntax, section, setting);
    for (line, value) in found.iter().zip(values) {
        let Some(raw) = text.raw(*line) else { continue };
        let kept = syntax.setting(raw).and_then(|s| raw.get(..s.at)).unwrap_or_default();
        let new = [kept, value.as_bytes()].concat();
        text.replace(*line, new);
    }
    for line in found.iter().skip(values.len()).rev() {
        text.remove(*line);
    }
    if let Some(last) = found.last() {
        let indent = text.raw(*last).and_then(|raw| syntax.setting(raw)).map(|s| s.indent);
        for (i, value) in values.iter().skip(found.len()).enumerate() {
            text.insert(last + 1 + i, syntax.line(indent, setting, value));
        }
    }
    Ok(())
}

/// Removes all lines of a setting, and the section if only its header is left.
///
/// # Errors
/// If the next line may continue the setting. The text is not changed then.
pub fn remove(text: &mut Text, syntax: &Syntax, section: &str, setting: &str) -> Result<(), ProviderError> {
    let gone = lines_with(text, syntax, section, setting);
    for line in &gone {
        check_not_continued(text, syntax, *line)?;
    }
    for (name, lines) in sections(text, syntax).into_iter().rev().filter(|(name, _)| name == section) {
        let found: Vec<usize> = gone.iter().copied().filter(|line| lines.contains(line)).collect();
        for line in found.iter().rev() {
            text.remove(*line);
        }
        if !found.is_empty() && found.len() + 1 == lines.len() && !name.is_empty() {
            text.remove(lines.start);
        }
    }
    Ok(())
}

/// Removes a section without settings, including its comments and blank lines.
///
/// # Errors
/// If the section has settings: only an unused section may be removed.
pub fn remove_section(text: &mut Text, syntax: &Syntax, section: &str) -> Result<(), ProviderError> {
    let all = sections(text, syntax);
    let parts = || all.iter().filter(|(name, _)| name == section && !name.is_empty()).map(|(_, lines)| lines.clone());
    let setting = parts().flatten().find_map(|line| syntax.setting(text.raw(line)?));
    if let Some(setting) = setting {
        let message = format!("cannot remove the section `{section}`: it contains the setting `{}`", setting.name);
        return Err(ProviderError::new(message).help("remove its settings first"));
    }
    for line in parts().flatten().collect::<Vec<_>>().iter().rev() {
        text.remove(*line);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn syntax() -> Syntax {
        Syntax::new(Marks::default()).unwrap()
    }

    fn after_set(before: &str, section: &str, name: &str, value: &str) -> String {
        let mut text = Text::new(before.as_bytes());
        set(&mut text, &syntax(), section, Some((name, value))).unwrap();
        String::from_utf8(text.bytes()).unwrap()
    }

    fn after_remove(before: &str, section: &str, name: &str) -> String {
        let mut text = Text::new(before.as_bytes());
        remove(&mut text, &syntax(), section, name).unwrap();
        String::from_utf8(text.bytes()).unwrap()
    }

    fn get(text: &str, section: &str, name: &str) -> Option<String> {
        Ini::new(&Text::new(text.as_bytes()), &syntax()).get(section, name).map(String::from)
    }

    #[test]
    fn changed_value_keeps_its_prefix() {
        assert_eq!(after_set("# c\n[s]\n\tport=1 ; one\n", "s", "port", "2"), "# c\n[s]\n\tport=2\n");
        assert_eq!(after_set("[s]\r\na   =  1\r\nb=2\r\n", "s", "a", "9"), "[s]\r\na   =  9\r\nb=2\r\n");
    }

    #[test]
    fn a_new_setting_goes_before_the_blank_lines_at_the_end_of_its_section() {
        assert_eq!(after_set("[a]\nx = 1\n\n\n[b]\ny = 1\n", "a", "z", "2"), "[a]\nx = 1\nz = 2\n\n\n[b]\ny = 1\n");
        assert_eq!(after_set("[a]\nx = 1", "a", "z", "2"), "[a]\nx = 1\nz = 2\n");
    }

    #[test]
    fn a_new_setting_is_indented_as_the_least_indented_one() {
        assert_eq!(after_set("[a]\n    x = 1\n  y = 1\n", "a", "z", "2"), "[a]\n    x = 1\n  y = 1\n  z = 2\n");
        let wide = Syntax::new(Marks { indent_char: "\t".into(), indent_width: Some(2), ..Marks::default() }).unwrap();
        let mut text = Text::new(b"[a]\n x = 1\n");
        set(&mut text, &wide, "a", Some(("z", "2"))).unwrap();
        assert_eq!(text.bytes(), b"[a]\n x = 1\n\t\tz = 2\n");
    }

    #[test]
    fn new_setting_follows_its_commented_copy() {
        assert_eq!(after_set("[a]\n# z = 1\nx = 1\n", "a", "z", "2"), "[a]\n# z = 1\nz = 2\nx = 1\n");
        assert_eq!(after_set("[a]\n;;z=1\n#z=2\nx = 1\n", "a", "z", "2"), "[a]\n;;z=1\nz = 2\n#z=2\nx = 1\n");
    }

    #[test]
    fn a_new_section_goes_to_the_end_with_a_blank_line_before_it() {
        assert_eq!(after_set("[a]\nx = 1\n", "b", "z", "2"), "[a]\nx = 1\n\n[b]\nz = 2\n");
        assert_eq!(after_set("", "b", "z", "2"), "[b]\nz = 2\n");
    }

    #[test]
    fn before_the_first_section_settings_need_none() {
        assert_eq!(after_set("[a]\nx = 1\n", "", "z", "2"), "z = 2\n\n[a]\nx = 1\n");
        assert_eq!(after_set("y = 1\n\n[a]\n", "", "z", "2"), "y = 1\nz = 2\n\n[a]\n");
        assert_eq!(after_set("", "", "z", "2"), "z = 2\n");
    }

    #[test]
    fn all_lines_of_a_setting_change_and_the_last_is_read() {
        let text = "[a]\nx = 1\nx = 2\n[b]\n[a]\nx = 3\n";
        assert_eq!(get(text, "a", "x"), Some("3".into()));
        assert_eq!(after_set(text, "a", "x", "4"), "[a]\nx = 4\nx = 4\n[b]\n[a]\nx = 4\n");
        assert_eq!(after_remove(text, "a", "x"), "[b]\n");
    }

    #[test]
    fn a_section_goes_with_its_last_line_but_not_when_a_comment_is_left() {
        assert_eq!(after_remove("[a]\nx = 1\n[b]\ny = 1\n", "a", "x"), "[b]\ny = 1\n");
        assert_eq!(after_remove("[a]\n# c\nx = 1\n", "a", "x"), "[a]\n# c\n");
        assert_eq!(after_remove("x = 1\n[b]\n", "", "x"), "[b]\n");
        assert_eq!(after_remove("[a]\nx = 1\n", "a", "y"), "[a]\nx = 1\n");
    }

    #[test]
    fn blanks_may_part_names_and_values() {
        let blanks = Syntax::new(Marks { separator: " ".into(), prefix: "<".into(), suffix: ">".into(), ..Marks::default() }).unwrap();
        let mut text = Text::new(b"<a>\nx\t 1 2\n");
        assert_eq!(Ini::new(&text, &blanks).get("a", "x"), Some("1 2"));
        set(&mut text, &blanks, "a", Some(("y", "3 4"))).unwrap();
        assert_eq!(Ini::new(&text, &blanks).get("a", "y"), Some("3 4"));
        assert_eq!(text.bytes(), b"<a>\nx\t 1 2\ny 3 4\n");
    }

    #[test]
    fn separator_is_literal_text() {
        let plus = Syntax::new(Marks { separator: "|".into(), ..Marks::default() }).unwrap();
        assert_eq!(Ini::new(&Text::new(b"a = 1 | b\n"), &plus).get("", "a = 1"), Some("b"));
    }

    #[test]
    fn unreadable_syntax_is_not_written() {
        let refused = |section: &str, name: &str, value: &str| {
            let mut text = Text::new(b"[a]\n");
            set(&mut text, &syntax(), section, Some((name, value))).unwrap_err();
            assert_eq!(text.bytes(), b"[a]\n");
        };
        refused("a", "x", "1\ny = 2");
        refused("a", "#x", "1");
        refused("a", "x = y", "1");
        refused("a\n[b", "x", "1");
        refused("a", "[x", "1]");
    }

    #[test]
    fn continued_settings_are_not_changed() {
        for before in ["[a]\nx = 1\n  2\ny = 3\n", "[a]\nx = 1 \\\n  y = 2\n", "[a]\nx = 1\\\nmore\n", "[a]\n\tx = 1\n\t\tmore"] {
            let mut text = Text::new(before.as_bytes());
            set(&mut text, &syntax(), "a", Some(("x", "9"))).unwrap_err();
            set_all(&mut text, &syntax(), "a", "x", &["9".to_owned()]).unwrap_err();
            let refused = remove(&mut text, &syntax(), "a", "x").unwrap_err();
            assert_eq!(refused.message, "line 3 may continue the setting `x` in line 2, which is not changed");
            repeated::set(&mut text, &syntax(), "a", "x", &["9".to_owned()]).unwrap_err();
            repeated::remove(&mut text, &syntax(), "a", "x").unwrap_err();
            assert_eq!(text.bytes(), before.as_bytes());
        }
        // Lists and texts of several lines need no indentation.
        for value in ["[\n\"b\",\n]", "{\nb = 1\n}", "\"\"\"\nb = 1\n\"\"\"", "\"b\",\n\"c\""] {
            let before = format!("[a]\nx = {value}\n[b]\ny = 1\n");
            let mut text = Text::new(before.as_bytes());
            set(&mut text, &syntax(), "a", Some(("x", "9"))).unwrap_err();
            remove(&mut text, &syntax(), "a", "x").unwrap_err();
            assert_eq!(text.bytes(), before.as_bytes());
        }
        // Switches and directives do not continue a value.
        for line in ["skip-name-resolve", "!includedir /etc/my.cnf.d/", "%include x"] {
            assert_eq!(after_set(&format!("[a]\nx = 1\n{line}\n"), "a", "x", "9"), format!("[a]\nx = 9\n{line}\n"));
        }
        // Values continue after blank lines and comments.
        for before in ["[a]\nx = 1\n# c\n  more\n", "[a]\nx = 1\n\n  more\n", "[a]\nx = 1\n\n; c\n\n  more\n[b]\n"] {
            let mut text = Text::new(before.as_bytes());
            set(&mut text, &syntax(), "a", Some(("x", "9"))).unwrap_err();
            remove(&mut text, &syntax(), "a", "x").unwrap_err();
            assert_eq!(text.bytes(), before.as_bytes());
        }
        // Neither an indented setting nor a value that ends in a backslash continues another one.
        assert_eq!(after_set("[a]\nx = 1\n  y = 2\n", "a", "x", "9"), "[a]\nx = 9\n  y = 2\n");
        assert_eq!(after_set("[a]\nx = c:\\\ny = 2\n", "a", "x", "9"), "[a]\nx = 9\ny = 2\n");
        // A new setting is not inserted between a setting and its continuation.
        assert_eq!(after_set("[a]\nx = 1\n# z = 2\n  more\n", "a", "z", "9"), "[a]\nx = 1\n# z = 2\n  more\nz = 9\n");
    }

    #[test]
    fn section_with_other_settings_stays() {
        let mut text = Text::new(b"[a]\n# c\n\n[b]\nx = 1\n");
        remove_section(&mut text, &syntax(), "b").unwrap_err();
        remove_section(&mut text, &syntax(), "a").unwrap();
        assert_eq!(text.bytes(), b"[b]\nx = 1\n");
    }

    fn line() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![
            "[ \t]{0,2}[a-d][a-d ]{0,2}[ ]?=[ ]?[a-z #;=]{0,6}".prop_map(String::into_bytes),
            r"\[[abc]\]".prop_map(String::into_bytes),
            "[#;]{1,2} ?[abc] ?= ?[a-z]?".prop_map(String::into_bytes),
            "[ \t]{0,3}".prop_map(String::into_bytes),
            prop::collection::vec(any::<u8>().prop_filter("inside a line", |b| !b"\r\n".contains(b)), 0..8),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn setting_one_changes_its_lines_alone(
            lines in prop::collection::vec((line(), prop_oneof![Just(&b"\n"[..]), Just(&b"\r\n"[..])]), 0..12),
            end in any::<bool>(), section in "[abc]?", name in "[abc]", value in "[a-z0-9]{0,4}",
        ) {
            let mut before: Vec<u8> = lines.iter().flat_map(|(line, end)| [line.as_slice(), end].concat()).collect();
            if end {
                before.truncate(before.len() - lines.last().map_or(0, |(_, end)| end.len()));
            }
            let old = Text::new(&before);
            let was = Ini::new(&old, &syntax());
            let mut new = old.clone();
            if set(&mut new, &syntax(), &section, Some((&name, &value))).is_err() {
                // The next line may continue the setting.
                prop_assert_eq!(new, old);
                return Ok(());
            }
            let is = Ini::new(&new, &syntax());
            prop_assert_eq!(is.get(&section, &name), Some(value.as_str()));
            for (key, value) in &was.settings {
                if (key.0.as_str(), key.1.as_str()) != (section.as_str(), name.as_str()) {
                    prop_assert_eq!(is.settings.get(key), Some(value));
                }
            }
            // Removed lines contained the setting; at most one line, and one header with blank lines, are new.
            let has = |line: &[u8]| syntax().setting(line).is_some_and(|s| s.name == name);
            let of = |t: &Text| (0..t.len()).map(|i| t.raw(i).unwrap().to_vec()).collect::<Vec<_>>();
            let kept: Vec<_> = of(&old).into_iter().filter(|l| !has(l)).collect();
            let mut left = of(&new).into_iter();
            for line in &kept {
                prop_assert!(left.any(|l| l == *line), "{:?} is lost", line);
            }
            prop_assert!(new.len() <= old.len() + 3);
            // Doing it again changes nothing.
            let mut again = new.clone();
            set(&mut again, &syntax(), &section, Some((&name, &value))).unwrap();
            prop_assert_eq!(again, new);
        }
    }
}
