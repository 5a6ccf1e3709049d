//! The constructor `String.new`.

use super::sprintf::sprintf;
use super::string_formats::{DEFAULTS, Formats, StringFormat};
use super::{Block, Evaluated, argument, bridge, ruby, signature, typed};
use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::FunctionRow;
use crate::compile::text::base64_text;
use crate::compile::types::display::value_text;
use crate::compile::types::{Type, infer_exact};
use crate::compile::value::{ManifestValue, ValueMap};

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[typed(
    "String.new",
    &[signature(
        "(Any $from, Formats $string_formats?) \
         where Format = Pattern[/^%([\\s\\[+#0{<(|-]*)([1-9][0-9]*)?(?:\\.([0-9]+))?([a-zA-Z])$/]; \
         ContainerFormat = Struct[{Optional[format] => Format, Optional[separator] => String, Optional[separator2] => String, \
         Optional[string_formats] => Hash[Type, Format]}]; TypeMap = Hash[Type, Variant[Format, ContainerFormat]]; \
         Formats = Variant[Default, String[1], TypeMap]",
        new_string,
    )],
)];

/// How deep a container is, and whether it begins a line.
#[derive(Clone, Copy)]
struct Indentation {
    level: usize,
    is_first: bool,
    is_indenting: bool,
}

impl Indentation {
    fn breaks(self) -> bool {
        self.is_indenting && self.level > 0 && !self.is_first
    }

    fn padding(self) -> String {
        "  ".repeat(self.level)
    }

    fn subsequent(self) -> Indentation {
        Indentation { is_first: false, ..self }
    }

    fn indenting(self, is_indenting: bool) -> Indentation {
        Indentation { is_indenting, ..self }
    }

    fn increased(self, is_indenting: bool) -> Indentation {
        Indentation { level: self.level + 1, is_first: true, is_indenting }
    }
}

fn new_string(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let value = argument(arguments, 0);
    let formats = match argument(arguments, 1) {
        ManifestValue::String(format) => {
            let of = match value {
                ManifestValue::Array(_) => Type::array(Type::Any),
                ManifestValue::Hash(_) => Type::hash(Type::Any, Type::Any),
                other => infer_exact(other),
            };
            DEFAULTS.merged(&Formats::single(of, StringFormat::parse(format)?))
        }
        map @ ManifestValue::Hash(_) => DEFAULTS.merged(&Formats::of_value(map)?),
        _ => DEFAULTS.clone(),
    };
    let text = convert(value, &formats, Indentation { level: 0, is_first: true, is_indenting: false })?;
    context.spend(text.len() / 16)?;
    Ok(ManifestValue::string(text))
}

fn illegal(kind: &str, format: &StringFormat, expected: &str) -> EvaluationFailure {
    let actual = format.letter;
    EvaluationFailure::new(format!(
        "Illegal format '{actual}' specified for value of {kind} type - expected one of the characters '{expected}'"
    ))
}

/// Applies the width and precision of a format to a text.
fn apply(format: &StringFormat, text: &str) -> Result<String, EvaluationFailure> {
    let left = if format.flags.contains('-') { "-" } else { "" };
    let width = format.width.map(|width| width.to_string()).unwrap_or_default();
    let precision = format.precision.map(|precision| format!(".{precision}")).unwrap_or_default();
    sprintf(&format!("%{left}{width}{precision}s"), &[ManifestValue::from(text)])
}

/// Formats a text with the flags of a format and another letter.
fn with_letter(format: &StringFormat, letter: char, text: &str) -> Result<String, EvaluationFailure> {
    let kept: String = format.source.chars().take(format.source.chars().count() - 1).collect();
    sprintf(&format!("{kept}{letter}"), &[ManifestValue::from(text)])
}

fn convert(value: &ManifestValue, formats: &Formats, indentation: Indentation) -> Result<String, EvaluationFailure> {
    let of = infer_exact(value);
    let format = formats.of(&of);
    match value {
        ManifestValue::Undef => undef(&format),
        ManifestValue::Default => default(&format),
        ManifestValue::Boolean(value) => boolean(*value, &format),
        ManifestValue::Integer(number) => integer(*number, &format),
        ManifestValue::Float(number) => float(*number, &format),
        ManifestValue::String(text) => string(text, &format),
        ManifestValue::Binary(bytes) => binary(bytes, &format),
        ManifestValue::Regexp(pattern) => regexp(&pattern.source, &format),
        ManifestValue::Array(elements) => array(elements, &format, formats, indentation),
        ManifestValue::Hash(map) => hash(map, &format, formats, indentation),
        ManifestValue::Iterator(sequence) => convert(&ManifestValue::array(sequence.elements.clone()), formats, indentation),
        ManifestValue::Type(of) => match format.letter {
            's' if format.is_alternative() => sprintf(&format.source, &[ManifestValue::string(format!("\"{of}\""))]),
            's' | 'p' => with_letter(&format, 's', &of.to_string()),
            _ => Err(illegal("Type", &format, "sp")),
        },
        ManifestValue::Object(_) => match format.letter {
            'p' if !format.is_alternative() && !indentation.is_indenting => Ok(value_text(value)),
            _ => Err(EvaluationFailure::unsupported("this format of an object")),
        },
        ManifestValue::Uri(text) => match format.letter {
            'p' if !format.is_alternative() && !indentation.is_indenting => Ok(value_text(value)),
            's' if format.is_alternative() => sprintf(&format.source, &[ManifestValue::string(quoted(text, false))]),
            's' => sprintf(&format.source, &[ManifestValue::String(text.clone())]),
            _ => Err(illegal("URI", &format, "sp")),
        },
        ManifestValue::Lambda(_) => Err(EvaluationFailure::unsupported("the text of a lambda")),
        other => any(other, &format),
    }
}

/// Formats values without rules of their own.
fn any(value: &ManifestValue, format: &StringFormat) -> Result<String, EvaluationFailure> {
    match (value, format.letter) {
        (_, 's' | 'p') => sprintf(&format.source, std::slice::from_ref(value)),
        (ManifestValue::Timespan(nanoseconds) | ManifestValue::Timestamp(nanoseconds), letter) if "dxXobB".contains(letter) => {
            let seconds =
                i64::try_from(nanoseconds / 1_000_000_000).map_err(|_| EvaluationFailure::unsupported("integers of more than 64 bits"))?;
            sprintf(&format.source, &[ManifestValue::Integer(seconds)])
        }
        (_, letter) if "dxXobBeEfgGaAc".contains(letter) => Err(EvaluationFailure::unsupported("this format of the value")),
        (_, letter) => Err(EvaluationFailure::new(format!("malformed format string - %{letter}"))),
    }
}

fn undef(format: &StringFormat) -> Result<String, EvaluationFailure> {
    let is_alternative = format.is_alternative();
    let text = match (format.letter, is_alternative) {
        ('n', true) => "null",
        ('n', false) => "nil",
        ('u', true) => "undefined",
        ('u', false) => "undef",
        ('d' | 'x' | 'X' | 'o' | 'b' | 'B' | 'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A', _) => "NaN",
        ('v', _) => "n/a",
        ('V', _) => "N/A",
        ('s', true) => "\"\"",
        ('s', false) => "",
        ('p', true) => "\"undef\"",
        ('p', false) => "undef",
        _ => return Err(illegal("Undef", format, "nudxXobBeEfgGaAvVsp")),
    };
    apply(format, text)
}

fn default(format: &StringFormat) -> Result<String, EvaluationFailure> {
    let text = match (format.letter, format.is_alternative()) {
        ('d' | 's' | 'p', true) => "\"default\"",
        ('d' | 's' | 'p', false) => "default",
        ('D', true) => "\"Default\"",
        ('D', false) => "Default",
        _ => return Err(illegal("Default", format, "dDsp")),
    };
    apply(format, text)
}

fn boolean(value: bool, format: &StringFormat) -> Result<String, EvaluationFailure> {
    let choose = |yes: &'static str, no: &'static str| if value { yes } else { no };
    let text = match format.letter {
        't' => choose("true", "false"),
        'T' => choose("True", "False"),
        'y' => choose("yes", "no"),
        'Y' => choose("Yes", "No"),
        's' | 'p' => return apply(format, choose("true", "false")),
        'd' | 'x' | 'X' | 'o' | 'b' | 'B' => return integer(i64::from(value), format),
        'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' => return float(if value { 1.0 } else { 0.0 }, format),
        _ => return Err(illegal("Boolean", format, "tTyYdxXobBeEfgGaAsp")),
    };
    apply(format, if format.is_alternative() { text.get(..1).unwrap_or_default() } else { text })
}

fn integer(number: i64, format: &StringFormat) -> Result<String, EvaluationFailure> {
    match format.letter {
        'd' | 'x' | 'X' | 'o' | 'b' | 'B' | 'p' => sprintf(&format.source, &[ManifestValue::Integer(number)]),
        'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' => sprintf(&format.source, &[ManifestValue::Float(number as f64)]),
        'c' => {
            let letter = u32::try_from(number).ok().and_then(char::from_u32);
            let letter = letter.ok_or_else(|| EvaluationFailure::new("pack(U): value out of range"))?;
            let text = if format.is_alternative() { format!("\"{letter}\"") } else { letter.to_string() };
            with_letter(format, 's', &text)
        }
        's' => with_letter(format, if format.is_alternative() { 'p' } else { 's' }, &number.to_string()),
        _ => Err(illegal("Integer", format, "dxXobBeEfgGaAspc")),
    }
}

fn float(number: f64, format: &StringFormat) -> Result<String, EvaluationFailure> {
    match format.letter {
        'd' | 'x' | 'X' | 'o' | 'b' | 'B' => sprintf(&format.source, &[ManifestValue::Integer(ruby::whole(number.trunc())?)]),
        'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' | 'p' => sprintf(&format.source, &[ManifestValue::Float(number)]),
        's' => {
            let text = ruby::inspect(&ManifestValue::Float(number));
            let text = if format.is_alternative() { format!("\"{text}\"") } else { text };
            sprintf(&format.source, &[ManifestValue::string(text)])
        }
        _ => Err(illegal("Float", format, "dxXobBeEfgGaAsp")),
    }
}

/// Quotes a string as Puppet does; double quotes are used where they are needed, or always.
fn quoted(text: &str, is_double: bool) -> String {
    if !is_double && !text.chars().any(|c| c < ' ') {
        let mut out = String::from("'");
        for c in text.chars() {
            if c == '\'' {
                out.push('\\');
            }
            out.push(c);
        }
        return out + "'";
    }
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '"' | '$' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => out.push_str(&format!("\\u{{{:X}}}", u32::from(c))),
            c => out.push(c),
        }
    }
    out + "\""
}

fn string(text: &str, format: &StringFormat) -> Result<String, EvaluationFailure> {
    let changed =
        |method: &str| -> Result<String, EvaluationFailure> { Ok(ruby::to_s(&bridge::call(&ManifestValue::from(text), method, &[])?)) };
    let text = match format.letter {
        's' => return sprintf(&format.source, &[ManifestValue::from(text)]),
        'p' => return apply(format, &quoted(text, format.is_alternative())),
        'c' => changed("capitalize")?,
        'C' => {
            let parts = text.split("::").map(|part| bridge::call(&ManifestValue::from(part), "capitalize", &[]));
            parts.collect::<Result<Vec<_>, _>>()?.iter().map(ruby::to_s).collect::<Vec<_>>().join("::")
        }
        'u' => changed("upcase")?,
        'd' => changed("downcase")?,
        't' => changed("strip")?,
        _ => return Err(illegal("String", format, "cCudspt")),
    };
    if format.is_alternative() { apply(format, &quoted(&text, false)) } else { with_letter(format, 's', &text) }
}

fn binary(bytes: &[u8], format: &StringFormat) -> Result<String, EvaluationFailure> {
    let letter = if format.is_alternative() { 'p' } else { 's' };
    match format.letter {
        's' => match std::str::from_utf8(bytes) {
            Ok(text) => with_letter(format, letter, text),
            Err(_) => Err(EvaluationFailure::unsupported("bytes that are not UTF-8 as text")),
        },
        'p' => Ok(format!("Binary(\"{}\")", with_letter(format, 's', &base64_text::encode(bytes))?)),
        'b' => {
            let encoded = base64_text::encode(bytes);
            let lines: Vec<&str> = encoded.as_bytes().chunks(60).filter_map(|line| std::str::from_utf8(line).ok()).collect();
            with_letter(format, letter, &lines.iter().map(|line| format!("{line}\n")).collect::<String>())
        }
        'B' => with_letter(format, letter, &base64_text::encode(bytes)),
        'u' => with_letter(format, letter, &base64_text::encode(bytes).replace('+', "-").replace('/', "_")),
        't' => with_letter(format, letter, "Binary"),
        'T' => with_letter(format, letter, "BINARY"),
        _ => Err(illegal("Binary", format, "bButTsp")),
    }
}

fn regexp(source: &str, format: &StringFormat) -> Result<String, EvaluationFailure> {
    match format.letter {
        'p' => with_letter(format, 's', &ruby::inspect_regexp(source)),
        's' if format.is_alternative() => sprintf(&format.source, &[ManifestValue::string(quoted(source, false))]),
        's' => sprintf(&format.source, &[ManifestValue::from(source)]),
        _ => Err(illegal("Regexp", format, "sp")),
    }
}

fn is_container(value: &ManifestValue) -> bool {
    matches!(value, ManifestValue::Array(_) | ManifestValue::Hash(_) | ManifestValue::Object(_))
}

fn is_array_or_hash(value: Option<&ManifestValue>) -> bool {
    matches!(value, Some(ManifestValue::Array(_) | ManifestValue::Hash(_)))
}

fn array(
    elements: &[ManifestValue],
    format: &StringFormat,
    formats: &Formats,
    indentation: Indentation,
) -> Result<String, EvaluationFailure> {
    if !matches!(format.letter, 'a' | 's' | 'p') {
        return Err(illegal("Array", format, "asp"));
    }
    let separator = format.separator.as_deref().unwrap_or(", ");
    let inner = format.elements.clone().unwrap_or_default();
    let (open, close) = format.delimiters(("[", "]"));
    let is_alternative = format.is_alternative();
    let indentation = indentation.indenting(is_alternative || indentation.is_indenting);
    let mut out = String::new();
    if indentation.breaks() {
        out.push('\n');
        out.push_str(&indentation.padding());
    }
    out.push_str(open);
    let children = indentation.increased(is_alternative);
    let mapped =
        elements.iter().map(|element| convert(element, if is_container(element) { formats } else { &inner }, children.subsequent()));
    let mapped = mapped.collect::<Result<Vec<_>, _>>()?;
    let is_broken = is_alternative && format.width.is_some_and(|width| widest(elements, &mapped) > width);
    for (at, (element, text)) in elements.iter().zip(&mapped).enumerate() {
        let is_nested = is_array_or_hash(Some(element));
        if at == 0 {
            out.push_str(if is_broken && !is_nested { " " } else { "" });
        } else {
            out.push_str(separator);
            let is_after_nested = is_array_or_hash(elements.get(at - 1));
            if (is_broken && !is_nested) || (is_alternative && is_after_nested && !is_nested) {
                if !out.ends_with('\n') {
                    out.truncate(out.trim_end().len());
                }
                out.push('\n');
                out.push_str(&children.padding());
            }
        }
        if out.ends_with(' ') && text.starts_with('\n') {
            out.truncate(out.trim_end().len());
        }
        out.push_str(text);
    }
    out.push_str(close);
    Ok(out)
}

/// Returns the length of the longest run of elements that are not containers.
fn widest(elements: &[ManifestValue], mapped: &[String]) -> usize {
    let (mut longest, mut current) = (0, 0);
    for (element, text) in elements.iter().zip(mapped) {
        current = if is_array_or_hash(Some(element)) { 0 } else { current + text.chars().count() };
        longest = longest.max(current);
    }
    longest
}

fn hash(map: &ValueMap, format: &StringFormat, formats: &Formats, indentation: Indentation) -> Result<String, EvaluationFailure> {
    match format.letter {
        'a' => {
            let pairs = map.iter().map(|(key, value)| ManifestValue::array(vec![key.clone(), value.clone()]));
            return convert(&ManifestValue::array(pairs.collect()), formats, indentation);
        }
        'h' | 's' | 'p' => {}
        _ => return Err(illegal("Hash", format, "hasp")),
    }
    let association = format.separator2.as_deref().unwrap_or(" => ");
    let inner = format.elements.clone().unwrap_or_default();
    let (open, close) = format.delimiters(("{", "}"));
    let is_alternative = format.is_alternative();
    let mut separator = format.separator.clone().unwrap_or_else(|| ", ".to_owned());
    if is_alternative {
        if !separator.ends_with('\n') {
            separator.truncate(separator.trim_end().len());
        }
        separator.push('\n');
    }
    let indentation = indentation.indenting(is_alternative || indentation.is_indenting);
    let mut out = String::new();
    if indentation.breaks() {
        out.push('\n');
        out.push_str(&indentation.padding());
    }
    let children = indentation.increased(false);
    let line = if is_alternative { "\n" } else { "" };
    let padding = if is_alternative { children.padding() } else { String::new() };
    out.push_str(open);
    out.push_str(line);
    let shown = |value: &ManifestValue| convert(value, if is_container(value) { formats } else { &inner }, children);
    let entries = map.iter().map(|(key, value)| Ok(format!("{padding}{}{association}{}", shown(key)?, shown(value)?)));
    out.push_str(&entries.collect::<Result<Vec<_>, EvaluationFailure>>()?.join(&separator));
    if is_alternative {
        out.push_str(line);
        out.push_str(&indentation.padding());
    }
    out.push_str(close);
    Ok(out)
}
