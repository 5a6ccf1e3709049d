//! Functions that quote and encode text.

use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::FunctionRow;
use crate::compile::value::ManifestValue;
use crate::functions::ruby::{inspect, inspect_string, to_s, to_s_legacy};
use crate::functions::{Block, Evaluated, argument, legacy, signature, text, typed};
use base64::Engine as _;
use base64::alphabet::{STANDARD as DIGITS, URL_SAFE as URL_DIGITS};
use base64::engine::general_purpose::{GeneralPurpose, NO_PAD, STANDARD, URL_SAFE};

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
    legacy("base64", -1, base64),
    legacy("dos2unix", 1, line_ends),
    legacy("unix2dos", 1, line_ends),
    legacy("regexpescape", -1, regexpescape),
    legacy("shell_join", -1, shell_join),
    legacy("shell_split", -1, shell_split),
    legacy("uriescape", -1, uriescape),
    typed("batch_escape", &[signature("(Any $string)", batch_escape)]),
    typed("powershell_escape", &[signature("(Any $string)", powershell_escape)]),
    typed("shell_escape", &[signature("(Any $string)", shell_escape)]),
    typed("stdlib::end_with", &[signature("(String $test_string, Variant[String[1], Array[String[1], 1]] $suffixes)", end_with)]),
    typed("stdlib::start_with", &[signature("(String $test_string, Variant[String[1], Array[String[1], 1]] $prefixes)", start_with)]),
    typed("stdlib::xml_encode", &[signature("(String $str, Enum['text', 'attr'] $type?)", xml_encode)]),
    typed("stdlib::batch_escape", &[signature("(Any $string)", batch_escape)]),
    typed("stdlib::powershell_escape", &[signature("(Any $string)", powershell_escape)]),
    typed("stdlib::shell_escape", &[signature("(Any $string)", shell_escape)]),
];

/// Base64 whose unused bits may be set.
const LENIENT: GeneralPurpose = GeneralPurpose::new(&DIGITS, NO_PAD.with_decode_allow_trailing_bits(true));
const LENIENT_URL: GeneralPurpose = GeneralPurpose::new(&URL_DIGITS, NO_PAD.with_decode_allow_trailing_bits(true));

fn base64(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    if arguments.len() < 2 {
        return Err(EvaluationFailure::new(format!("base64(): Wrong number of arguments ({}; must be >= 2)", arguments.len())));
    }
    let is_encoding = match argument(arguments, 0).as_str() {
        Some("encode") => true,
        Some("decode") => false,
        _ => return Err(EvaluationFailure::new("base64(): the first argument must be one of 'encode' or 'decode'")),
    };
    let ManifestValue::String(text) = argument(arguments, 1) else {
        return Err(EvaluationFailure::new("base64(): the second argument must be a string to base64"));
    };
    let method = arguments.get(2).map_or(Some("default"), ManifestValue::as_str);
    match (method, is_encoding) {
        (Some("default"), true) => {
            let encoded = STANDARD.encode(text.as_bytes());
            let lines = encoded.as_bytes().chunks(60).map(|line| String::from_utf8_lossy(line).into_owned() + "\n");
            Ok(ManifestValue::string(lines.collect::<String>()))
        }
        (Some("strict"), true) => Ok(ManifestValue::string(STANDARD.encode(text.as_bytes()))),
        (Some("urlsafe"), true) => Ok(ManifestValue::string(URL_SAFE.encode(text.as_bytes()))),
        (Some("default"), false) => decoded(lenient(text)),
        (Some("strict"), false) => decoded(STANDARD.decode(text.as_bytes()).ok()),
        (Some("urlsafe"), false) => decoded(LENIENT_URL.decode(text.trim_end_matches('=').as_bytes()).ok()),
        _ => Err(EvaluationFailure::new("base64(): the third argument must be one of 'default', 'strict', or 'urlsafe'")),
    }
}

/// Decodes as Ruby's `unpack('m')`: other characters are skipped.
fn lenient(text: &str) -> Option<Vec<u8>> {
    let is_digit = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/');
    let mut digits: String = text.chars().take_while(|c| *c != '=').filter(is_digit).collect();
    if digits.len() % 4 == 1 {
        digits.pop();
    }
    LENIENT.decode(digits).ok()
}

fn decoded(bytes: Option<Vec<u8>>) -> Evaluated {
    let bytes = bytes.ok_or_else(|| EvaluationFailure::new("invalid base64"))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(ManifestValue::string(text)),
        Err(_) => Err(EvaluationFailure::unsupported("strings that are not UTF-8")),
    }
}

fn line_ends(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let name = context.name();
    let ManifestValue::String(text) = argument(arguments, 0) else {
        return Err(EvaluationFailure::new(format!("{name}(): Requires string as argument")));
    };
    if name == "dos2unix" {
        return Ok(ManifestValue::string(text.replace("\r\n", "\n")));
    }
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        match line.strip_suffix('\n') {
            Some(line) => {
                out.push_str(line.trim_end_matches('\r'));
                out.push_str("\r\n");
            }
            None => out.push_str(line),
        }
    }
    Ok(ManifestValue::string(out))
}

/// Applies a function to a string or to the strings of an array.
fn each(name: &str, arguments: &[ManifestValue], apply: fn(&str) -> String) -> Evaluated {
    let changed = |value: &ManifestValue| match value {
        ManifestValue::String(text) => ManifestValue::string(apply(text)),
        other => other.clone(),
    };
    match arguments.first() {
        None => Err(EvaluationFailure::new(format!("{name}(): Wrong number of arguments given (0 for 1)"))),
        Some(ManifestValue::Array(elements)) => Ok(ManifestValue::array(elements.iter().map(changed).collect())),
        Some(text @ ManifestValue::String(_)) => Ok(changed(text)),
        Some(_) => Err(EvaluationFailure::new(format!("{name}(): Requires either array or string to work with"))),
    }
}

/// Quotes the special characters of a regular expression, as Ruby's `Regexp.escape`.
fn escape_regex(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{c}' => out.push_str("\\f"),
            '\u{b}' => out.push_str("\\v"),
            c if "[]{}()|-*.\\?+^$# ".contains(c) => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

fn regexpescape(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    each("regexpescape", arguments, escape_regex)
}

/// Quotes what may not be in a URI; `%` is quoted, too.
fn escape_uri(text: &str) -> String {
    let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || b";/?:@&=+$,[]-_.!~*'()".contains(&byte);
    let mut out = String::new();
    for byte in text.bytes() {
        if is_safe(byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

fn uriescape(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    each("uriescape", arguments, escape_uri)
}

/// Quotes a word for a shell, as Ruby's `Shellwords.escape`.
fn escape_shell(text: &str) -> String {
    if text.is_empty() {
        return "''".to_owned();
    }
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\n' => out.push_str("'\n'"),
            c if c.is_ascii_alphanumeric() || "_-.,:+/@".contains(c) => out.push(c),
            c => out.extend(['\\', c]),
        }
    }
    out
}

fn shell_escape(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    Ok(ManifestValue::string(escape_shell(&to_s(argument(arguments, 0)))))
}

fn shell_join(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    match arguments {
        [ManifestValue::Array(elements)] => {
            let words = elements.iter().map(|element| escape_shell(&to_s_legacy(element)));
            Ok(ManifestValue::string(words.collect::<Vec<_>>().join(" ")))
        }
        [other] => Err(EvaluationFailure::new(format!("First argument is not an Array: {}", inspect(other)))),
        _ => Err(EvaluationFailure::new(format!("shell_join(): Wrong number of arguments given ({} for 1)", arguments.len()))),
    }
}

fn shell_split(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let [value] = arguments else {
        return Err(EvaluationFailure::new(format!("shell_split(): Wrong number of arguments given ({} for 1)", arguments.len())));
    };
    let text = to_s_legacy(value);
    words(&text).map(|words| ManifestValue::array(words.into_iter().map(ManifestValue::string).collect()))
}

/// Splits a command line, as Ruby's `Shellwords.split`.
fn words(text: &str) -> Result<Vec<String>, EvaluationFailure> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let unmatched = || EvaluationFailure::new(format!("Unmatched quote: {}", inspect_string(text)));
    let mut letters = text.chars();
    while let Some(c) = letters.next() {
        if c.is_ascii_whitespace() {
            words.extend(word.take());
            continue;
        }
        let current = word.get_or_insert_default();
        match c {
            '\'' => loop {
                match letters.next() {
                    Some('\'') => break,
                    Some(c) => current.push(c),
                    None => return Err(unmatched()),
                }
            },
            '"' => loop {
                match letters.next() {
                    Some('"') => break,
                    Some('\\') => match letters.next() {
                        Some(c) if "$`\"\\\n".contains(c) => current.push(c),
                        Some(c) => current.extend(['\\', c]),
                        None => return Err(unmatched()),
                    },
                    Some(c) => current.push(c),
                    None => return Err(unmatched()),
                }
            },
            '\\' => current.extend(letters.next()),
            c => current.push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

fn batch_escape(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let mut out = String::from("\"");
    for c in to_s(argument(arguments, 0)).chars() {
        match c {
            '"' => out.push_str("\"\""),
            '$' | '\\' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    Ok(ManifestValue::string(out + "\""))
}

fn powershell_escape(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let mut out = String::new();
    for c in to_s(argument(arguments, 0)).chars() {
        match c {
            ' ' | '\'' | '`' | '|' | '\n' | '$' => out.extend(['`', c]),
            '"' => out.push_str("\\`\""),
            c => out.push(c),
        }
    }
    Ok(ManifestValue::string(out))
}

/// Returns the strings of an argument that is a string or an array.
fn alternatives(value: &ManifestValue) -> Vec<&str> {
    match value {
        ManifestValue::Array(elements) => elements.iter().filter_map(ManifestValue::as_str).collect(),
        other => other.as_str().into_iter().collect(),
    }
}

fn end_with(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let subject = text(arguments, 0);
    Ok(ManifestValue::Boolean(alternatives(argument(arguments, 1)).iter().any(|suffix| subject.ends_with(suffix))))
}

fn start_with(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let subject = text(arguments, 0);
    Ok(ManifestValue::Boolean(alternatives(argument(arguments, 1)).iter().any(|prefix| subject.starts_with(prefix))))
}

fn xml_encode(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let is_attribute = argument(arguments, 1).as_str() == Some("attr");
    let mut out = String::new();
    for c in text(arguments, 0).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if is_attribute => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    Ok(ManifestValue::string(if is_attribute { format!("\"{out}\"") } else { out }))
}
