//! Values as YAML, to the letter as Ruby's library writes them, so that files which either writes do not change with the writer.

use super::Value;
use std::fmt::Write;

/// Beyond this column a text is broken at its next blank.
const WIDTH: usize = 80;

/// The document of a value, with `---` at its beginning; symbols are written as strings.
pub fn to_yaml(value: &Value) -> String {
    let mut writer = Writer { out: "---".into(), open: false };
    match value {
        Value::Array(items) if !items.is_empty() => {
            writer.out.push('\n');
            writer.list(items, 0);
        }
        Value::Map(map) if !map.is_empty() => {
            writer.out.push('\n');
            writer.map(map, 0);
        }
        Value::Nil => writer.out.push('\n'),
        other => {
            writer.out.push(' ');
            writer.scalar(other, 2, false);
            writer.end_line();
        }
    }
    if writer.open {
        writer.out.push_str("...\n");
    }
    writer.out
}

/// How a text is written.
#[derive(Clone, Copy, PartialEq)]
enum Style {
    Plain,
    Single,
    Double,
    Literal,
}

struct Writer {
    out: String,
    /// Whether the last text ends in newlines that count, so that the end of the document must be told.
    open: bool,
}

impl Writer {
    fn pad(&mut self, depth: usize) {
        self.out.extend(std::iter::repeat_n(' ', depth));
    }

    /// The elements; the first stands where the writer is.
    fn list(&mut self, items: &[Value], depth: usize) {
        for (i, item) in items.iter().enumerate() {
            if i > 0 || self.out.ends_with('\n') {
                self.pad(depth);
            }
            self.out.push('-');
            match item {
                Value::Array(inner) if !inner.is_empty() => {
                    self.out.push(' ');
                    self.list(inner, depth + 2);
                }
                Value::Map(inner) if !inner.is_empty() => {
                    self.out.push(' ');
                    self.map(inner, depth + 2);
                }
                one => self.single(one, depth),
            }
        }
    }

    /// The pairs; the first stands where the writer is.
    fn map(&mut self, map: &super::Map, depth: usize) {
        for (i, (key, value)) in map.iter().enumerate() {
            if i > 0 || self.out.ends_with('\n') {
                self.pad(depth);
            }
            self.scalar(key, depth + 2, true);
            self.out.push(':');
            match value {
                // Lists stand as deep as their key.
                Value::Array(inner) if !inner.is_empty() => {
                    self.out.push('\n');
                    self.list(inner, depth);
                }
                Value::Map(inner) if !inner.is_empty() => {
                    self.out.push('\n');
                    self.map(inner, depth + 2);
                }
                one => self.single(one, depth),
            }
        }
    }

    /// What fits behind `key:` or `-`, with its newline.
    fn single(&mut self, value: &Value, depth: usize) {
        if !value.is_nil() {
            self.out.push(' ');
            self.scalar(value, depth + 2, false);
        }
        self.end_line();
    }

    /// What is written in lines has ended its last one.
    fn end_line(&mut self) {
        if !self.out.ends_with('\n') {
            self.out.push('\n');
        }
    }

    fn scalar(&mut self, value: &Value, indent: usize, is_key: bool) {
        self.open = false;
        match value {
            Value::Nil if is_key => self.out.push_str("! ''"),
            Value::Nil => {}
            Value::Array(_) => self.out.push_str("[]"),
            Value::Map(_) => self.out.push_str("{}"),
            Value::Float(n) if n.is_nan() => self.out.push_str(".nan"),
            Value::Float(n) if n.is_infinite() => self.out.push_str(if *n > 0.0 { ".inf" } else { "-.inf" }),
            Value::Bool(_) | Value::Int(_) | Value::Float(_) => {
                // Writing to a String cannot fail.
                let _ = write!(self.out, "{value}");
            }
            other => self.text(&other.to_text(), indent, is_key),
        }
    }

    fn text(&mut self, text: &str, indent: usize, is_key: bool) {
        if text == "<<" {
            self.out.push_str("!!str '<<'");
            return;
        }
        match possible(text, wished(text), is_key) {
            Style::Plain => self.broken(text, indent, is_key, false),
            Style::Single => {
                self.out.push('\'');
                self.broken(&text.replace('\'', "''"), indent, is_key, true);
                self.out.push('\'');
            }
            Style::Double => self.double(text, indent, is_key),
            Style::Literal => self.literal(text, indent),
        }
    }

    fn column(&self) -> usize {
        self.out.rsplit('\n').next().unwrap_or_default().chars().count()
    }

    fn new_line(&mut self, indent: usize) {
        self.out.push('\n');
        self.pad(indent);
    }

    /// Letters as they are; long lines go on in the next, and a line feed is written as two.
    fn broken(&mut self, text: &str, indent: usize, is_key: bool, quoted: bool) {
        let mut letters = text.char_indices().peekable();
        let (mut after_blank, mut after_break) = (false, false);
        while let Some((at, c)) = letters.next() {
            let next = letters.peek().map(|(_, n)| *n);
            match c {
                ' ' => {
                    let inside = !quoted || (at > 0 && next.is_some());
                    if !is_key && !after_blank && inside && next != Some(' ') && self.column() > WIDTH {
                        self.new_line(indent);
                    } else {
                        self.out.push(' ');
                    }
                    after_blank = true;
                }
                c if is_break(c) => {
                    self.out.extend((c == '\n' && !after_break).then_some('\n'));
                    self.out.push(c);
                    after_break = true;
                }
                c => {
                    if after_break {
                        self.pad(indent);
                    }
                    self.out.push(c);
                    (after_blank, after_break) = (false, false);
                }
            }
        }
        if after_break {
            self.pad(indent);
        }
    }

    fn double(&mut self, text: &str, indent: usize, is_key: bool) {
        self.out.push('"');
        let mut letters = text.char_indices().peekable();
        let mut after_blank = false;
        while let Some((at, c)) = letters.next() {
            let next = letters.peek().map(|(_, n)| *n);
            if c == ' ' {
                if !is_key && !after_blank && at > 0 && next.is_some() && self.column() > WIDTH {
                    self.new_line(indent);
                    if next == Some(' ') {
                        self.out.push('\\');
                    }
                } else {
                    self.out.push(' ');
                }
            } else if is_printable(c) && !is_break(c) && !matches!(c, '"' | '\\') {
                self.out.push(c);
            } else {
                self.escape(c);
            }
            after_blank = c == ' ';
        }
        self.out.push('"');
    }

    fn escape(&mut self, c: char) {
        let short = match c {
            '\0' => '0',
            '\u{7}' => 'a',
            '\u{8}' => 'b',
            '\t' => 't',
            '\n' => 'n',
            '\u{b}' => 'v',
            '\u{c}' => 'f',
            '\r' => 'r',
            '\u{1b}' => 'e',
            '"' | '\\' => c,
            '\u{85}' => 'N',
            '\u{2028}' => 'L',
            '\u{2029}' => 'P',
            _ => {
                let code = u32::from(c);
                let _ = match code {
                    0..=0xff => write!(self.out, "\\x{code:02X}"),
                    0x100..=0xffff => write!(self.out, "\\u{code:04X}"),
                    _ => write!(self.out, "\\U{code:08X}"),
                };
                return;
            }
        };
        self.out.extend(['\\', short]);
    }

    /// `|` and the lines as they are.
    fn literal(&mut self, text: &str, indent: usize) {
        self.out.push('|');
        if text.starts_with([' ', '\n']) {
            self.out.push('2');
        }
        if !text.ends_with('\n') {
            self.out.push('-');
        } else if text == "\n" || text.ends_with("\n\n") {
            self.out.push('+');
            self.open = true;
        }
        self.out.push('\n');
        for line in text.split_inclusive('\n') {
            if line != "\n" {
                self.pad(indent);
            }
            self.out.push_str(line);
        }
    }
}

/// What the library would like to use. Follows `Psych::Visitors::YAMLTree#visit_String`.
fn wished(text: &str) -> Style {
    let body = text.trim_end_matches('\n');
    if body.contains('\n') || (text.len() - body.len() > 2 && !text.is_empty()) {
        return Style::Literal;
    }
    if matches!(text, "y" | "n") || begins_oddly(text) {
        Style::Double
    } else if reads_otherwise(text) || begins_like_octal(text) {
        Style::Single
    } else {
        Style::Plain
    }
}

/// A line begins with neither letter nor digit, and no double quote follows in it.
fn begins_oddly(text: &str) -> bool {
    let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    starts.filter_map(|at| text.get(at..)).any(|line| {
        let mut rest = line.chars();
        let odd = rest.next().is_some_and(|c| !c.is_alphanumeric() && c != '_');
        let line = rest.as_str();
        odd && line.split('"').next().is_some_and(|before| before.len() == line.len() || before.contains('\n'))
    })
}

/// Whether the text by itself would be read as something else. Follows `Psych::ScalarScanner#tokenize`.
fn reads_otherwise(text: &str) -> bool {
    let Some(first) = text.chars().next() else { return true };
    let line = text.strip_suffix('\n').unwrap_or(text);
    let wordy = |c: char| c.is_alphabetic() || c.is_whitespace() || "_!@#$%^&*(){}<>|/\\~;=".contains(c);
    let not_a_number = |c: char| !c.is_ascii_digit() && !matches!(c, '.' | ':' | '-');
    let second = text.chars().nth(1);
    if wordy(first) || (not_a_number(first) && second.is_some_and(wordy)) || text.contains('\n') {
        let word = line.to_ascii_lowercase();
        return text.chars().count() <= 5
            && (text == "~" || matches!(word.as_str(), "null" | "yes" | "true" | "on" | "no" | "false" | "off"));
    }
    let lower = line.to_ascii_lowercase();
    let unsigned = line.strip_prefix(['+', '-']).unwrap_or(line);
    matches!(lower.as_str(), ".inf" | "+.inf" | "-.inf" | ".nan")
        || is_date(line)
        || is_sexagesimal(unsigned)
        || is_float(unsigned)
        || is_integer(unsigned)
        || (line.len() > 1 && line.starts_with(':'))
}

fn digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn is_date(text: &str) -> bool {
    let (day, time) = text.split_once(['T', 't', ' ', '\t']).map_or((text, None), |(d, t)| (d, Some(t.trim_start())));
    let parts: Vec<&str> = day.strip_prefix('-').filter(|_| time.is_some()).unwrap_or(day).split('-').collect();
    let [year, month, day] = parts.as_slice() else { return false };
    let shape = year.len() == 4 && [month, day].iter().all(|p| (1..=2).contains(&p.len())) && parts.iter().all(|p| digits(p));
    let number = |p: &str| p.parse::<u32>().unwrap_or(0);
    let (year, month, day) = (number(year), number(month), number(day));
    let longest = match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    match time {
        None => shape && (1..=12).contains(&month) && (1..=longest).contains(&day),
        Some(time) => shape && (1..=12).contains(&month) && (1..=31).contains(&day) && is_time(time),
    }
}

/// `12:00:00.5 +01:00`
fn is_time(text: &str) -> bool {
    let clock = text.find(|c: char| !c.is_ascii_digit() && c != ':' && c != '.').unwrap_or(text.len());
    let (clock, zone) = text.split_at(clock);
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, ""));
    let parts: Vec<&str> = clock.split(':').collect();
    let [hour, minute, second] = parts.as_slice() else { return false };
    let shape = (1..=2).contains(&hour.len()) && minute.len() == 2 && second.len() == 2;
    let zone = zone.trim_start();
    let offset = zone.strip_prefix(['+', '-']).map(|o| o.replacen(':', "", 1));
    let zoned = zone.is_empty() || zone == "Z" || offset.is_some_and(|o| digits(&o) && o.len() <= 4);
    shape && parts.iter().all(|p| digits(p)) && (fraction.is_empty() || digits(fraction)) && zoned
}

/// `1:30`, `1:30:00`, `1:30.5`
fn is_sexagesimal(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut parts = whole.split(':');
    let first = parts.next().unwrap_or_default();
    let rest: Vec<&str> = parts.collect();
    let counted = |p: &&str| digits(p) && (p.len() == 1 || (p.len() == 2 && p.as_bytes() < b"60".as_slice()));
    begins_with_digit(first, "_")
        && (1..=2).contains(&rest.len())
        && rest.iter().all(counted)
        && fraction.bytes().all(|b| b.is_ascii_digit() || b == b'_')
}

fn begins_with_digit(text: &str, also: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(|c| c.is_ascii_digit() || also.contains(c))
}

fn is_float(unsigned: &str) -> bool {
    let Some((whole, rest)) = unsigned.split_once('.') else { return false };
    let (fraction, exponent) = rest.split_once(['e', 'E']).map_or((rest, None), |(f, e)| (f, Some(e)));
    let exponent = exponent.is_none_or(|e| e.strip_prefix(['+', '-']).is_some_and(digits));
    (whole.is_empty() || begins_with_digit(whole, "_,")) && (fraction.is_empty() || digits(fraction)) && exponent && unsigned != "."
}

fn is_integer(unsigned: &str) -> bool {
    let made_of = |text: &str, letters: &str| !text.is_empty() && text.chars().all(|c| letters.contains(c));
    if let Some(rest) = unsigned.strip_prefix('0') {
        return rest.is_empty()
            || made_of(rest, "01234567_,")
            || rest.strip_prefix('b').is_some_and(|r| made_of(r, "01_,"))
            || rest.strip_prefix('x').is_some_and(|r| made_of(r, "0123456789abcdefABCDEF_,"));
    }
    let parted = unsigned.contains("__") || unsigned.contains(",,") || unsigned.contains("_,") || unsigned.contains(",_");
    begins_with_digit(unsigned, "_,") && !parted && unsigned.ends_with(|c: char| c.is_ascii_digit())
}

/// `08`, which other readers may take for a number.
fn begins_like_octal(text: &str) -> bool {
    text.strip_prefix('0').is_some_and(|rest| rest.trim_start_matches(|c| matches!(c, '0'..='7')).starts_with(['8', '9']))
}

fn is_printable(c: char) -> bool {
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}') && c != '\u{feff}'
}

fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// What can be used of it. Follows libyaml's `yaml_emitter_analyze_scalar` and `yaml_emitter_select_scalar_style`.
fn possible(text: &str, wished: Style, is_key: bool) -> Style {
    let letters: Vec<char> = text.chars().collect();
    let blank_at = |i: usize| letters.get(i).is_none_or(|c| matches!(c, ' ' | '\t') || is_break(*c));
    let mut indicators = text.starts_with("---") || text.starts_with("...");
    let (mut special, mut break_space, mut space_break) = (false, false, false);
    for (i, c) in letters.iter().enumerate() {
        let (first, followed) = (i == 0, blank_at(i + 1));
        indicators |= match c {
            '#' if !first => letters.get(i.wrapping_sub(1)).is_some_and(|p| matches!(p, ' ' | '\t') || is_break(*p)),
            '#' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`' => first,
            '?' | '-' => first && followed,
            ':' => followed,
            _ => false,
        };
        special |= !is_printable(*c);
        let before = i.checked_sub(1).and_then(|b| letters.get(b)).copied();
        break_space |= *c == ' ' && before.is_some_and(is_break);
        space_break |= is_break(*c) && before == Some(' ');
    }
    let ends = |test: fn(char) -> bool| [letters.first(), letters.last()].into_iter().flatten().any(|c| test(*c));
    let lines = letters.iter().any(|c| is_break(*c));
    let plain = !(indicators || lines || special || ends(|c| c == ' ') || letters.is_empty() && is_key);
    let single = !break_space && !space_break && !special;
    let literal = !space_break && !special && !text.ends_with(' ') && !letters.is_empty() && !is_key;
    let style = if is_key && lines { Style::Double } else { wished };
    match style {
        Style::Plain if plain => Style::Plain,
        Style::Plain | Style::Single if single => Style::Single,
        Style::Literal if literal => Style::Literal,
        _ => Style::Double,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What Ruby 3.1 writes: `ruby -ryaml -rjson -e 'puts JSON.parse(…).to_yaml'`.
    #[test]
    fn yaml_is_written_as_ruby_does() {
        let cases = [
            ("null", "---\n"),
            ("{}", "--- {}\n"),
            ("\"x\"", "--- x\n"),
            ("[null, [], {}, [[1], 2]]", "---\n-\n- []\n- {}\n- - - 1\n  - 2\n"),
            (r#"{"a": {"b": [1, {"c": null, "d": true}]}}"#, "---\na:\n  b:\n  - 1\n  - c:\n    d: true\n"),
            (r#"["x: y", "x#y", "x #y", "- x", "it's", "say \"x\""]"#, "---\n- 'x: y'\n- x#y\n- 'x #y'\n- \"- x\"\n- it's\n- say \"x\"\n"),
            (
                r#"["y", "no", "null", "~", "", "<<", ":k", "=", "*x"]"#,
                "---\n- \"y\"\n- 'no'\n- 'null'\n- \"~\"\n- ''\n- !!str '<<'\n- \":k\"\n- \"=\"\n- \"*x\"\n",
            ),
            (
                r#"["5", "08", "1_0", "0x1", "1.0", "1e3", "12:30", "2020-01-01", "2020-02-31"]"#,
                "---\n- '5'\n- '08'\n- '1_0'\n- '0x1'\n- '1.0'\n- 1e3\n- '12:30'\n- '2020-01-01'\n- 2020-02-31\n",
            ),
            (r#"{"a": "x\ny", "b": "x\n", "c": "x\n\n\n"}"#, "---\na: |-\n  x\n  y\nb: 'x\n\n  '\nc: |+\n  x\n\n\n...\n"),
            (r#"[" x", "x ", "a\tb", "\u0000é😀", "1e20"]"#, "---\n- \" x\"\n- 'x '\n- \"a\\tb\"\n- \"\\0é\\U0001F600\"\n- 1e20\n"),
            ("[1.0, 1e20, 1e-7]", "---\n- 1.0\n- 1.0e+20\n- 1.0e-07\n"),
        ];
        for (json, expected) in cases {
            let value = Value::from_json(&serde_json::from_str(json).unwrap());
            assert_eq!(to_yaml(&value), expected, "{json}");
        }
        let long = Value::array([Value::str(format!("{}more words", "word ".repeat(16)))]);
        assert_eq!(to_yaml(&long), format!("---\n- {}word\n  more words\n", "word ".repeat(15)));
    }
}
