//! Puppet's data types as written in Ruby, and the type aliases of modules (`types/port.pp`).

use super::items::LoadedRuby;
use super::ruby;
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::library::TypeSet;
use rtype_lang::syntax::quote;
use std::cell::RefCell;
use std::collections::HashMap;

/// Maximum number of aliases that one type uses.
const MAX_ALIASES: usize = 64;

/// The type aliases that a type uses.
#[derive(Default)]
pub(super) struct TypeAliases {
    /// The names in Puppet, with those in the language and what they mean, in the order of their declarations.
    found: Vec<TypeAlias>,
    /// Names without a file.
    unknown: Vec<String>,
}

struct TypeAlias {
    puppet: String,
    name: String,
    meaning: String,
    /// As in Puppet, with the aliases in it replaced.
    expanded: String,
}

/// A data type of an attribute.
pub(super) struct AttributeType {
    /// In the language.
    pub written: String,
    /// As in Puppet, with aliases replaced by what they mean.
    pub expanded: String,
    pub is_known: bool,
    /// An alias in it without a file.
    pub missing: Option<String>,
}

impl TypeAliases {
    /// Returns a data type in the language.
    pub fn read(&mut self, text: &str, loaded: &LoadedRuby<'_, '_>) -> AttributeType {
        for name in names(text) {
            self.find(&name, loaded, MAX_DEPTH);
        }
        let written = self.replaced(&data_type(text), |alias| &alias.name);
        let expanded = self.replaced(text, |alias| &alias.expanded);
        let is_known = is_known(&self.declared().join("\n"), &written);
        let missing = names(text).into_iter().find(|name| self.unknown.contains(name)).filter(|_| !is_known);
        AttributeType { written, expanded, is_known, missing }
    }

    /// Returns the declarations of the aliases.
    pub fn declared(&self) -> Vec<String> {
        self.found.iter().map(|alias| format!("typealias {} = {}", alias.name, alias.meaning)).collect()
    }

    /// Reads an alias and those that it uses. One that leads to itself stays unknown.
    fn find(&mut self, puppet: &str, loaded: &LoadedRuby<'_, '_>, depth: usize) {
        let is_read = self.unknown.iter().any(|u| u == puppet) || self.found.iter().any(|a| a.puppet == puppet);
        if is_read || depth == 0 || self.found.len() >= MAX_ALIASES {
            return;
        }
        self.unknown.push(puppet.to_owned());
        let Some(text) = loaded.ruby.borrow_mut().type_alias(puppet) else { return };
        let Some(meaning) = meaning(text.text(), puppet) else { return };
        for name in names(&meaning) {
            self.find(&name, loaded, depth - 1);
        }
        let written = self.replaced(&data_type(&meaning), |alias| &alias.name);
        if !is_known(&self.declared().join("\n"), &written) {
            return;
        }
        let expanded = self.replaced(&meaning, |alias| &alias.expanded);
        self.unknown.retain(|u| u != puppet);
        self.found.push(TypeAlias { puppet: puppet.to_owned(), name: puppet.replace("::", ""), meaning: written, expanded });
    }

    /// Replaces the names of aliases.
    fn replaced<'a>(&'a self, text: &str, by: impl Fn(&'a TypeAlias) -> &'a str) -> String {
        let mut out = String::new();
        for part in parts(text) {
            let alias = self.found.iter().find(|alias| matches!(part, Part::Name(name) if name == alias.puppet));
            out.push_str(match (alias, part) {
                (Some(alias), _) => by(alias),
                (None, Part::Name(text) | Part::Other(text)) => text,
            });
        }
        out
    }
}

/// Maximum nesting of aliases.
const MAX_DEPTH: usize = 16;

/// A part of a data type.
#[derive(Clone, Copy)]
enum Part<'t> {
    Name(&'t str),
    Other(&'t str),
}

/// Returns the names and the text between them; strings and regexes contain no names.
fn parts(text: &str) -> Vec<Part<'_>> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
        let length = match first {
            '\'' | '"' | '/' => quoted(rest, first),
            c if is_name(c) => rest.find(|c| !is_name(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        let (part, behind) = rest.split_at(length);
        out.push(if is_name(first) { Part::Name(part) } else { Part::Other(part) });
        rest = behind;
    }
    out
}

/// Returns the length of a string or regex at the beginning of a text.
fn quoted(text: &str, quote: char) -> usize {
    let mut letters = text.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        if letter == '\\' {
            letters.next();
        } else if letter == quote {
            return at + letter.len_utf8();
        }
    }
    text.len()
}

/// Returns the names of aliases, which are qualified, in a data type.
fn names(text: &str) -> Vec<String> {
    let is_alias = |name: &&str| name.contains("::") && name.starts_with(char::is_uppercase) && name.len() < 200;
    let all = parts(text).into_iter().filter_map(|part| match part {
        Part::Name(name) => Some(name),
        Part::Other(_) => None,
    });
    all.filter(is_alias).map(str::to_owned).collect()
}

/// Returns what `type Motd::Port = …` declares.
fn meaning(text: &str, alias: &str) -> Option<String> {
    let text = without_comments(text);
    let rest = text.trim_start().strip_prefix("type")?.trim_start();
    let (name, meaning) = rest.split_once('=')?;
    (name.trim().eq_ignore_ascii_case(alias)).then(|| meaning.trim().to_owned())
}

/// Removes comments.
fn without_comments(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\'' | '"' | '/' => quoted(rest, first),
            '#' => rest.find('\n').unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        let (part, behind) = rest.split_at(length);
        if first != '#' {
            out.push_str(part);
        }
        rest = behind;
    }
    out
}

/// Returns whether the language has a data type.
fn is_known(aliases: &str, data_type: &str) -> bool {
    let key = (aliases.to_owned(), data_type.to_owned());
    if let Some(known) = KNOWN.with_borrow(|known| known.get(&key).copied()) {
        return known;
    }
    let is_known = can_be_loaded(aliases, data_type);
    KNOWN.with_borrow_mut(|known| {
        if known.len() < MAX_KNOWN {
            known.insert(key, is_known);
        }
    });
    is_known
}

thread_local! {
    /// The data types that were checked, with the aliases that they may use: most types have the same ones.
    static KNOWN: RefCell<HashMap<(String, String), bool>> = RefCell::default();
}

/// Maximum number of data types that are remembered.
const MAX_KNOWN: usize = 1000;

fn can_be_loaded(aliases: &str, data_type: &str) -> bool {
    let mut types = TypeSet::default();
    let Ok(text) = types.sources.add("<type>", format!("{aliases}\ntypealias Checked = {data_type}\n")) else { return false };
    types.load_text(&text, None);
    !types.diagnostics().iter().any(Diagnostic::is_error)
}

/// Returns what is in `Optional[…]`.
pub(super) fn without_optional(data_type: &str) -> &str {
    let inner = data_type.trim().strip_prefix("Optional[").and_then(|t| t.strip_suffix(']'));
    inner.map_or(data_type.trim(), str::trim)
}

/// Returns whether values of a data type are booleans only.
pub(super) fn is_boolean(data_type: &str) -> bool {
    matches!(data_type, "Boolean" | "Boolean[true]" | "Boolean[false]")
}

/// Returns whether values of a data type may be booleans.
pub(super) fn takes_booleans(data_type: &str) -> bool {
    ["Boolean", "Scalar", "NotUndef", "Any", "Data"].iter().any(|t| data_type.contains(t))
}

/// Returns whether values of a data type may be lists.
pub(super) fn takes_lists(data_type: &str) -> bool {
    let is_anything = data_type.replace("NotUndef[", "").contains("NotUndef");
    is_anything || ["Array", "Tuple", "Collection", "Iterable", "Any", "Data"].iter().any(|t| data_type.contains(t))
}

/// Returns a data type as written in the language: words of `Enum` in quotes, and regexes in which `^` and `$` match at lines.
fn data_type(text: &str) -> String {
    let mut out = String::new();
    let (mut letters, mut names): (_, Vec<String>) = (text.trim().chars().peekable(), Vec::new());
    let mut word = String::new();
    while let Some(c) = letters.next() {
        if c.is_alphanumeric() || matches!(c, '_' | ':' | '-' | '.') {
            word.push(c);
            continue;
        }
        let in_enum = names.last().is_some_and(|n| n == "Enum");
        let ended = std::mem::take(&mut word);
        let is_text = in_enum && !matches!(ended.as_str(), "" | "true" | "false");
        out.push_str(&if is_text { quote(&ended) } else { ended.clone() });
        match c {
            '[' => names.push(ended),
            ']' => {
                names.pop();
            }
            '\'' | '"' => {
                let mut inner = String::new();
                while let Some(next) = letters.next().filter(|n| *n != c) {
                    inner.push(next);
                    if next == '\\' {
                        inner.extend(letters.next());
                    }
                }
                out.push_str(&format!("{c}{inner}{c}"));
                continue;
            }
            '/' => {
                let mut source = String::new();
                while let Some(next) = letters.next().filter(|n| *n != '/') {
                    if next == '\\' && letters.peek() == Some(&'/') {
                        source.extend(letters.next());
                        continue;
                    }
                    source.push(next);
                    if next == '\\' {
                        source.extend(letters.next());
                    }
                }
                out.push_str(&ruby::regex(&source, false, false, false));
                continue;
            }
            '\n' => {
                out.push(' ');
                continue;
            }
            _ => {}
        }
        out.push(c);
    }
    out + &word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_types_are_written_as_in_the_language() {
        assert_eq!(data_type("Optional[Enum[present, 'absent']]"), "Optional[Enum[\"present\", 'absent']]");
        assert_eq!(data_type("Pattern[/^[a-z\\/]+$/]"), "Pattern[/(?m:^[a-z\\/]+$)/]");
        assert_eq!(
            data_type("Struct[{name => String[1], Optional[size] => Integer[0, default]}]"),
            "Struct[{name => String[1], Optional[size] => Integer[0, default]}]"
        );
    }

    #[test]
    fn aliases_are_read_without_comments() {
        let text = "# @summary A port.\ntype Motd::Port = Variant[\n  Integer[1], # or\n  Pattern[/#\\/x/],\n]\n";
        assert_eq!(meaning(text, "Motd::Port").unwrap(), "Variant[\n  Integer[1], \n  Pattern[/#\\/x/],\n]");
        assert_eq!(meaning(text, "Motd::Other"), None);
        assert_eq!(names("Optional[Motd::Port['Motd::No', /Motd::No/]]"), ["Motd::Port"]);
    }
}
