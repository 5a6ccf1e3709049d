//! The values of `rtype.toml` by key. The error about a value of another type names the type that the key takes.

use super::FILE;
use rtype_lang::diagnostics::{Code, Diagnostic, Help, blank_in_line, nearest};
use rtype_lang::source::{Source, Span};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A string with its location.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub text: String,
    pub span: Span,
}

/// Top-level keys, each with an example.
pub(super) const KEYS: &[(&str, &str)] = &[
    ("required-version", "required-version = \">=0.1\""),
    ("types", "types = [\"types\"]"),
    ("exclude", "exclude = [\"types/legacy/**\"]"),
    ("profile", "profile = \"strict\""),
    ("select", "select = [\"RT046\"]"),
    ("ignore", "ignore = [\"RT046\"]"),
    ("max-warnings", "max-warnings = 10"),
    ("baseline", "baseline = \"baseline.json\""),
    ("line-width", "line-width = 100"),
];

/// Tables, each with an example of an entry.
pub(super) const TABLES: &[(&str, &str)] = &[("severity", "RT046 = \"error\""), ("per-file", "\"types/legacy/**\" = [\"RT046\"]")];

/// Reads values and collects diagnostics.
pub(super) struct Document<'a> {
    pub source: &'a Source,
    pub found: Vec<Diagnostic>,
}

type Value<'t> = Spanned<DeValue<'t>>;

impl Document<'_> {
    pub fn report(&mut self, span: Span, message: impl Into<String>, help: impl Into<Help>) {
        self.found.push(Diagnostic::new(Code::BadConfiguration, span, message.into()).help(help));
    }

    pub fn span(&self, value: &Spanned<impl Sized>) -> Span {
        self.source.span_of(value.span())
    }

    /// Reports an unknown key.
    pub fn unknown(&mut self, name: &str, key: Span, value: &Value<'_>) {
        let names = || KEYS.iter().chain(TABLES).map(|(name, _)| *name);
        let Some(table) = value.get_ref().as_table() else {
            let help = match nearest(name, names()) {
                Some(near) => Help::suggestion(near),
                None => format!("use one of {}", listed(names())).into(),
            };
            return self.report(key, format!("unknown key `{name}`"), help);
        };
        let misplaced = listed(table.keys().map(|key| key.get_ref().as_ref()).filter(|key| KEYS.iter().any(|(name, _)| name == key)));
        let help = match nearest(name, TABLES.iter().map(|(name, _)| *name)) {
            _ if !misplaced.is_empty() => format!("move {misplaced} to the top of the file, without a table").into(),
            Some(near) => Help::suggestion(format!("[{near}]")),
            None => {
                format!("{FILE} has the tables `[severity]` and `[per-file]`; write other keys at the top of the file, without a table")
                    .into()
            }
        };
        self.report(key, format!("unknown table `[{name}]`"), help);
    }

    /// Reports a value of another type. `fixed` is the value that was probably meant.
    fn mismatch(&mut self, key: &str, expected: &str, value: &Value<'_>, fixed: Option<String>) {
        let found = match value.get_ref() {
            DeValue::Integer(number) => format!("`{}`", number.as_str()),
            DeValue::Array(_) => "a list".to_owned(),
            other => format!("a {}", other.type_str()),
        };
        let example = KEYS.iter().find(|(name, _)| *name == key).or(TABLES.get(1)).map_or("", |(_, example)| *example);
        let bare = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        let name = if bare { key.to_owned() } else { format!("\"{key}\"") };
        let help = fixed.map_or_else(|| format!("write it as in `{example}`"), |fixed| format!("write `{name} = {fixed}`"));
        self.report(self.span(value), format!("`{key}` must be {expected}, found {found}"), help);
    }

    fn written(&self, value: &Value<'_>) -> &str {
        self.source.text().get(value.span()).unwrap_or_default()
    }

    /// Reads a string.
    pub fn text(&mut self, key: &str, value: &Value<'_>) -> Option<Text> {
        match value.get_ref().as_str() {
            Some(text) => Some(Text { text: text.to_owned(), span: self.span(value) }),
            None => {
                let only = value.get_ref().as_array().filter(|items| items.len() == 1).and_then(|items| items.iter().next());
                let fixed = only.filter(|item| item.get_ref().is_str()).map(|item| self.written(item).to_owned());
                self.mismatch(key, "a string", value, fixed);
                None
            }
        }
    }

    /// Reads a list of strings.
    pub fn texts(&mut self, key: &str, value: &Value<'_>) -> Vec<Text> {
        match value.get_ref().as_array() {
            Some(items) => {
                let text = |item: &Value<'_>| match item.get_ref().as_str() {
                    Some(text) => Some(Text { text: text.to_owned(), span: self.span(item) }),
                    None => {
                        self.mismatch(key, "a list of strings", item, None);
                        None
                    }
                };
                items.iter().filter_map(text).collect()
            }
            None => {
                let fixed = value.get_ref().is_str().then(|| format!("[{}]", self.written(value)));
                self.mismatch(key, "a list of strings", value, fixed);
                Vec::new()
            }
        }
    }

    /// Reads an integer within bounds.
    pub fn number(&mut self, key: &str, value: &Value<'_>, bounds: std::ops::RangeInclusive<usize>) -> Option<usize> {
        let parse = |text: &str, radix: u32| usize::from_str_radix(text, radix).ok().filter(|number| bounds.contains(number));
        let number = value.get_ref().as_integer().and_then(|number| parse(number.as_str(), number.radix()));
        if number.is_none() {
            let expected = match bounds.end() {
                &usize::MAX => format!("an integer of at least {}", bounds.start()),
                end => format!("an integer from {} to {end}", bounds.start()),
            };
            let fixed = value.get_ref().as_str().and_then(|text| parse(text.trim(), 10)).map(|number| number.to_string());
            self.mismatch(key, &expected, value, fixed);
        }
        number
    }

    /// Reads one of several keywords.
    pub fn word<T: Copy>(&mut self, key: &str, value: &Value<'_>, words: &[(&str, T)]) -> Option<T> {
        let text = self.text(key, value)?;
        let found = words.iter().find(|(name, _)| *name == text.text).map(|(_, word)| *word);
        if found.is_none() {
            let names = || words.iter().map(|(name, _)| *name);
            let help = match nearest(&text.text, names()) {
                Some(near) => Help::suggestion(near),
                None => format!("use one of {}", listed(names())).into(),
            };
            self.report(text.span, format!("invalid value `{}` of `{key}`", text.text), help);
        }
        found
    }

    /// Reads the entries of a table. Top-level keys after the table's heading are reported.
    pub fn entries<'v, 't>(&mut self, key: &str, value: &'v Value<'t>) -> Vec<(Text, &'v Value<'t>)> {
        let Some(table) = value.get_ref().as_table() else {
            self.mismatch(key, "a table", value, None);
            if let (Some(wrong), Some((_, example))) = (self.found.last_mut(), TABLES.iter().find(|(name, _)| *name == key)) {
                wrong.help = Some(format!("write `[{key}]`, and below it `{example}`").into());
            }
            return Vec::new();
        };
        let (mut entries, mut misplaced) = (Vec::new(), Vec::new());
        for (name, value) in table {
            let entry = Text { text: name.get_ref().to_string(), span: self.span(name) };
            if KEYS.iter().any(|(name, _)| *name == entry.text) { misplaced.push(entry) } else { entries.push((entry, value)) }
        }
        for entry in misplaced {
            self.report(
                entry.span,
                format!("misplaced key `{}`: `[{key}]` begins above it", entry.text),
                format!("move it above `[{key}]`"),
            );
        }
        entries
    }
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Parses the text.
///
/// # Errors
/// Returns the first syntax error.
pub(super) fn parse(source: &Source) -> Result<Spanned<DeTable<'_>>, Diagnostic> {
    DeTable::parse(source.text()).map_err(|error| syntax_error(&error, source))
}

const SHAPE: &str = "write `key = value`, one per line; quote strings and put lists in brackets";

/// Explains a syntax error by its line, if the line shows the author's intention.
fn syntax_error(error: &toml::de::Error, source: &Source) -> Diagnostic {
    let text = source.text();
    let range = error.span().unwrap_or(0..0);
    let at = range.start.min(text.len());
    let start = text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1);
    let line = text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let reason = error.message().lines().next().unwrap_or_default();
    let say = |span: Span, message: String, help: String| Diagnostic::new(Code::BadConfiguration, span, message).help(help);
    let place = source.span_of(range.clone());
    let word = line.trim_start().split(|c: char| !(c.is_alphanumeric() || "-_".contains(c))).next().unwrap_or_default();
    let after = line.trim_start().get(word.len()..).unwrap_or_default().trim_start();
    if let Some(blank) = blank_in_line(Code::BadConfiguration, source, at) {
        return blank;
    }
    if text.trim_start().starts_with('{') {
        return say(place, "this file is JSON, expected TOML".into(), SHAPE.into());
    }
    if !word.is_empty() && after.starts_with(':') {
        let colon = start + line.find(':').unwrap_or(0);
        let message = format!("expected `=` after `{word}`, found `:`");
        return say(source.span_of(colon..colon + 1), message, format!("write `{word} = …`"));
    }
    if reason.contains("must be quoted") {
        let value = text.get(range).unwrap_or_default();
        return say(place, format!("unquoted string `{value}`"), format!("write `\"{value}\"`"));
    }
    if let Some(key) = text.get(range).filter(|_| reason == "duplicate key") {
        return say(place, format!("duplicate key `{key}`"), "remove one of the two".into());
    }
    if reason.starts_with("unclosed array") {
        return say(place, "unclosed list".into(), "add `]` at its end".into());
    }
    if reason.contains("string, expected") {
        return say(place, "unterminated string".into(), "close it with the quote that opens it, on the same line".into());
    }
    say(place, format!("invalid TOML: {reason}"), SHAPE.into())
}
