//! Writes YAML as Ruby does: quotes are chosen as in Psych, and the layout follows libyaml.

use super::{Map, REDACTED, Value, to_base64};
use crate::data::is_plain_text;
use regex::Regex;
use std::sync::LazyLock;

/// The line width for folding.
const WIDTH: usize = 80;

/// The maximum length of a simple key; longer keys are written after a `?`.
const LONGEST_KEY: usize = 128;

/// Formats a value as a YAML document that begins with `---`. Symbols become strings, and secrets [`REDACTED`].
pub fn to_yaml(value: &Value) -> String {
    let mut writer = Writer { out: "---".to_owned(), column: 3, blank: false, indention: false };
    match value {
        Value::Nil => {}
        Value::Array(items) if !items.is_empty() => writer.list(items, 0, false),
        Value::Map(pairs) if !pairs.is_empty() => writer.map(pairs, 0, false),
        other => writer.scalar(other, 2, false),
    }
    if writer.column > 0 {
        writer.line_break();
    }
    writer.out
}

/// The style of a scalar.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Plain,
    Single,
    Double,
    Literal,
}

struct Writer {
    out: String,
    column: usize,
    /// `true` if the output ends with whitespace or is empty, so that no space is needed.
    blank: bool,
    /// `true` if the line consists only of whitespace and indicators so far.
    indention: bool,
}

impl Writer {
    fn put(&mut self, c: char) {
        self.out.push(c);
        self.column += 1;
    }

    fn line_break(&mut self) {
        self.out.push('\n');
        self.column = 0;
        self.blank = true;
        self.indention = true;
    }

    fn indent(&mut self, indent: usize) {
        if !self.indention || self.column > indent || (self.column == indent && !self.blank) {
            self.line_break();
        }
        while self.column < indent {
            self.put(' ');
        }
        self.blank = true;
        self.indention = true;
    }

    /// Writes an indicator: `-`, `?`, `:` or a quote.
    fn mark(&mut self, text: &str, spaced: bool, indention: bool) {
        if spaced && !self.blank {
            self.put(' ');
        }
        text.chars().for_each(|c| self.put(c));
        self.blank = false;
        self.indention = self.indention && indention;
    }

    fn list(&mut self, items: &[Value], indent: usize, compact: bool) {
        for (i, item) in items.iter().enumerate() {
            if i > 0 || !compact {
                self.indent(indent);
            }
            self.mark("-", true, true);
            self.nested(item, indent);
        }
    }

    /// Writes a value after the indicator of a list element or of a long key, on the same line.
    fn nested(&mut self, value: &Value, indent: usize) {
        match value {
            Value::Array(inner) if !inner.is_empty() => {
                self.pad(indent + 2);
                self.list(inner, indent + 2, true);
            }
            Value::Map(inner) if !inner.is_empty() => {
                self.pad(indent + 2);
                self.map(inner, indent + 2, true);
            }
            other => self.scalar(other, indent + 2, false),
        }
    }

    fn pad(&mut self, indent: usize) {
        while self.column < indent {
            self.put(' ');
        }
        self.blank = true;
    }

    fn map(&mut self, pairs: &Map, indent: usize, compact: bool) {
        for (i, (key, value)) in pairs.iter().enumerate() {
            if i > 0 || !compact {
                self.indent(indent);
            }
            let simple = is_simple_key(key);
            if simple {
                self.scalar(key, indent + 2, true);
                self.mark(":", false, false);
            } else {
                self.mark("?", true, true);
                self.nested(key, indent);
                self.indent(indent);
                self.mark(":", true, true);
            }
            match value {
                Value::Array(items) if !items.is_empty() && simple => self.list(items, indent, false),
                Value::Map(inner) if !inner.is_empty() && simple => self.map(inner, indent + 2, false),
                Value::Array(_) | Value::Map(_) if !simple => self.nested(value, indent),
                other => self.scalar(other, indent + 2, false),
            }
        }
    }

    fn scalar(&mut self, value: &Value, indent: usize, key: bool) {
        match value {
            // An empty key needs quotes. Without the tag, the quotes would make the key a string.
            Value::Nil if key => self.word("! ''"),
            Value::Nil => {}
            Value::Float(n) if n.is_nan() => self.word(".nan"),
            Value::Float(n) if n.is_infinite() => self.word(if *n > 0.0 { ".inf" } else { "-.inf" }),
            Value::Bool(_) | Value::Int(_) | Value::Float(_) => self.word(&value.to_text()),
            Value::Array(_) => self.word("[]"),
            Value::Map(_) => self.word("{}"),
            Value::Binary(bytes) => {
                self.word("!binary");
                self.literal(&lines_of_60(&to_base64(bytes)), indent);
            }
            Value::Sensitive(_) => self.text(REDACTED, indent, key),
            other => self.text(&other.to_text(), indent, key),
        }
    }

    fn word(&mut self, word: &str) {
        self.mark(word, true, false);
    }

    fn text(&mut self, text: &str, indent: usize, key: bool) {
        let shape = Shape::of(text);
        let mut style = wanted(text);
        if key && shape.breaks {
            style = Style::Double;
        }
        if style == Style::Plain && (!shape.plain || (text.is_empty() && key)) {
            style = Style::Single;
        }
        if (style == Style::Single && !shape.single) || (style == Style::Literal && (!shape.literal || key)) {
            style = Style::Double;
        }
        if text == "<<" {
            // The tag prevents reading the key as a merge key.
            self.mark("!!str", true, false);
        }
        let chars: Vec<char> = text.chars().collect();
        match style {
            Style::Plain | Style::Single => self.folded(&chars, indent, key, style),
            Style::Double => self.double(&chars, indent, key),
            Style::Literal => self.literal(&chars, indent),
        }
    }

    /// Writes a plain or single-quoted scalar, folded at spaces.
    fn folded(&mut self, chars: &[char], indent: usize, key: bool, style: Style) {
        let single = style == Style::Single;
        if single {
            self.mark("'", true, false);
        } else if !self.blank && !chars.is_empty() {
            self.put(' ');
        }
        let (mut spaces, mut breaks) = (false, false);
        for (i, c) in chars.iter().enumerate() {
            let next = chars.get(i + 1);
            match c {
                ' ' => {
                    let inside = !single || (i > 0 && next.is_some());
                    if !key && !spaces && self.column > WIDTH && inside && next != Some(&' ') {
                        self.indent(indent);
                    } else {
                        self.put(' ');
                    }
                    spaces = true;
                }
                '\n' => {
                    if !breaks {
                        self.line_break();
                    }
                    self.line_break();
                    breaks = true;
                }
                c => {
                    if breaks {
                        self.indent(indent);
                    }
                    if single && *c == '\'' {
                        self.put('\'');
                    }
                    self.put(*c);
                    (self.indention, spaces, breaks) = (false, false, false);
                }
            }
        }
        if single {
            if breaks {
                self.indent(indent);
            }
            self.mark("'", false, false);
        }
        self.blank = false;
        self.indention = false;
    }

    fn double(&mut self, chars: &[char], indent: usize, key: bool) {
        self.mark("\"", true, false);
        let mut spaces = false;
        for (i, c) in chars.iter().enumerate() {
            let next = chars.get(i + 1);
            if *c == ' ' {
                if !key && !spaces && self.column > WIDTH && i > 0 && next.is_some() {
                    self.indent(indent);
                    if next == Some(&' ') {
                        self.put('\\');
                    }
                } else {
                    self.put(' ');
                }
                spaces = true;
                continue;
            }
            spaces = false;
            match escape(*c) {
                Some(escape) => escape.chars().for_each(|c| self.put(c)),
                None => self.put(*c),
            }
        }
        self.mark("\"", false, false);
    }

    fn literal(&mut self, chars: &[char], indent: usize) {
        self.mark("|", true, false);
        if matches!(chars.first(), Some(' ' | '\n')) {
            self.mark("2", false, false);
        }
        let ending = match chars {
            [.., '\n', '\n'] | ['\n'] => "+",
            [.., '\n'] => "",
            _ => "-",
        };
        self.mark(ending, false, false);
        self.line_break();
        let mut breaks = true;
        for c in chars {
            if *c == '\n' {
                self.line_break();
                breaks = true;
            } else {
                if breaks {
                    self.indent(indent);
                }
                self.put(*c);
                (self.indention, self.blank, breaks) = (false, false, false);
            }
        }
    }
}

/// Returns libyaml's escape for a character in double quotes; `None` if no escape is needed.
fn escape(c: char) -> Option<String> {
    let short = match c {
        '\0' => "\\0",
        '\x07' => "\\a",
        '\x08' => "\\b",
        '\t' => "\\t",
        '\n' => "\\n",
        '\x0b' => "\\v",
        '\x0c' => "\\f",
        '\r' => "\\r",
        '\x1b' => "\\e",
        '"' => "\\\"",
        '\\' => "\\\\",
        '\u{85}' => "\\N",
        '\u{2028}' => "\\L",
        '\u{2029}' => "\\P",
        c if is_printable(c) => return None,
        c => {
            let n = u32::from(c);
            return Some(match n {
                0..=0xff => format!("\\x{n:02X}"),
                0x100..=0xffff => format!("\\u{n:04X}"),
                _ => format!("\\U{n:08X}"),
            });
        }
    };
    Some(short.to_owned())
}

/// Returns `true` if libyaml treats a character as printable. Characters beyond the Basic Multilingual Plane are not printable.
fn is_printable(c: char) -> bool {
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}')
}

/// The styles that a string's characters allow (libyaml's `yaml_emitter_analyze_scalar`).
struct Shape {
    breaks: bool,
    plain: bool,
    single: bool,
    literal: bool,
}

impl Shape {
    fn of(text: &str) -> Shape {
        if text.is_empty() {
            return Shape { breaks: false, plain: true, single: true, literal: false };
        }
        let is_break = |c: char| matches!(c, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}');
        let is_blank = |c: Option<char>| c.is_none_or(|c| c == ' ' || c == '\t' || c == '\0' || is_break(c));
        let mut indicators = text.starts_with("---") || text.starts_with("...");
        let (mut special, mut breaks, mut break_space, mut space_break) = (false, false, false, false);
        let mut before: Option<char> = None;
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            let follows_blank = is_blank(chars.peek().copied());
            indicators |= match (before, c) {
                (None, '#' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`') => true,
                (None, '?' | ':' | '-') | (Some(_), ':') => follows_blank,
                (Some(b), '#') => is_blank(Some(b)),
                _ => false,
            };
            special |= !is_printable(c);
            if is_break(c) {
                breaks = true;
                space_break |= before == Some(' ');
            } else if c == ' ' {
                break_space |= before.is_some_and(is_break);
            }
            before = Some(c);
        }
        let edge = |c: Option<char>| c.is_some_and(|c| c == ' ' || is_break(c));
        let edges = edge(text.chars().next()) || edge(text.chars().next_back());
        let broken = space_break || special;
        Shape {
            breaks,
            plain: !(edges || break_space || broken || breaks || indicators),
            single: !(break_space || broken),
            literal: !(text.ends_with(' ') || broken),
        }
    }
}

/// Returns the style that Psych requests (`Psych::Visitors::YAMLTree#visit_String`).
fn wanted(text: &str) -> Style {
    static SIGN_FIRST: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#"(?m)^[^\w][^"]*$"#).ok());
    static BAD_OCTAL: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new("^0[0-7]*[89]").ok());
    let fits = |regex: &Option<Regex>| regex.as_ref().is_some_and(|r| r.is_match(text));
    // The string contains a line break other than a trailing line break and the line break before it.
    let body = text.strip_suffix('\n').unwrap_or(text);
    let inner = body.strip_suffix('\n').filter(|_| body.len() < text.len()).unwrap_or(body);
    if inner.contains('\n') {
        Style::Literal
    } else if text == "<<" {
        Style::Single
    } else if text == "y" || text == "n" || fits(&SIGN_FIRST) {
        Style::Double
    } else if !is_plain_text(text) || fits(&BAD_OCTAL) {
        Style::Single
    } else {
        Style::Plain
    }
}

/// Returns `true` if a key is written before a `:`, not after a `?`.
fn is_simple_key(key: &Value) -> bool {
    match key {
        Value::Array(items) => items.is_empty(),
        Value::Map(pairs) => pairs.is_empty(),
        Value::Binary(_) => false,
        other => {
            let text = other.to_text();
            text.len() <= LONGEST_KEY && !text.contains(['\n', '\r', '\u{2028}', '\u{2029}'])
        }
    }
}

/// Breaks base64 into lines like Ruby's `pack('m')`.
fn lines_of_60(text: &str) -> Vec<char> {
    let all: Vec<char> = text.chars().collect();
    all.chunks(60).flat_map(|line| line.iter().copied().chain(['\n'])).collect()
}
