//! Diagnostics for unexpected text. They never name grammar rules, and always suggest a replacement.

mod manifest;

pub(crate) use manifest::{COMPILE, lower_case_reference, manifest_line, resource_junk};

use crate::diagnostics::{Code, Diagnostic, Help, nearest};
use crate::lower::{ATTRIBUTE_WORDS, REFUSED, TYPE_WORDS};
use crate::source::Span;
use crate::syntax::expected::Expected;

/// Returns the word, number, operator or character at byte `at`.
pub(crate) fn token(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or("");
    let Some(first) = rest.chars().next() else { return "" };
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let end = if is_word(first) {
        rest.find(|c| !is_word(c)).unwrap_or(rest.len())
    } else if matches!(first, '"' | '\'') {
        let line = rest.find('\n').unwrap_or(rest.len());
        let close = rest.get(1..line).and_then(|inner| inner.find(first)).map(|i| i + 2);
        close.unwrap_or(line)
    } else if let Some(op) = OPERATORS.iter().find(|op| rest.starts_with(**op)) {
        op.len()
    } else if first == ':' && rest.get(1..).is_some_and(|r| r.starts_with(is_word)) {
        1 + rest.get(1..).and_then(|r| r.find(|c| !is_word(c))).unwrap_or(rest.len() - 1)
    } else {
        first.len_utf8()
    };
    rest.get(..end).unwrap_or("")
}

const OPERATORS: &[&str] = &["=>", "->", "<<", "&&", "||", "==", "!=", "=~", "!~", "<=", ">=", "::", "+=", "&.", "&:", "...", ".."];

/// Returns the first line of a string, shortened for use in a message.
pub(crate) fn one_line(text: &str) -> &str {
    let line = text.split(['\n', '\r']).next().unwrap_or("").trim();
    match line.char_indices().nth(60) {
        Some((end, _)) => line.get(..end).unwrap_or(line),
        None => line,
    }
}

/// Returns `x` for `:x`, `"x"` or `'x'`.
pub(crate) fn bare_word(text: &str) -> &str {
    text.trim().trim_start_matches(':').trim_matches(['"', '\''])
}

/// Returns a diagnostic if the whole source is YAML or JSON, which would otherwise be reported line by line.
pub(crate) fn other_language(text: &str, span: impl Fn(usize, usize) -> Span) -> Option<Diagnostic> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let word = line.trim();
        if word.is_empty() || word.starts_with('#') {
            at += line.len();
            continue;
        }
        let name = match word.split([' ', '\t']).next().unwrap_or("") {
            "---" | "-" => "YAML",
            first if matches!(first, "{" | "[{") || first.starts_with("{\"") => "JSON",
            _ => return None,
        };
        let diagnostic = Diagnostic::new(Code::Syntax, span(at, at + word.len()), format!("this file is {name}"));
        let ending = name.to_lowercase();
        let help = format!("resources in {name} go into a file whose name ends in `.{ending}`; a type file begins with `type NAME {{`");
        return Some(diagnostic.help(help));
    }
    None
}

/// Reports a missing construct at `at`.
pub(crate) fn missing(text: &str, at: usize, expected: Expected<'_>, span: impl Fn(usize, usize) -> Span) -> Diagnostic {
    expected_found(text, at, expected, true, span)
}

/// Reports the expected and the found construct at `at`. With `gap`, nothing is at `at`, and a line break before it was found.
fn expected_found(text: &str, at: usize, expected: Expected<'_>, gap: bool, span: impl Fn(usize, usize) -> Span) -> Diagnostic {
    // After whitespace with a line break, report the error at the end of the previous line.
    let rest = text.get(at..).unwrap_or("");
    let at = at + (rest.len() - rest.trim_start_matches([' ', '\t']).len());
    let end_before = text.get(..at).unwrap_or("").trim_end().len();
    if expected == Expected::ArgumentAfterComma && text.get(..end_before).is_some_and(|t| t.ends_with(',')) {
        return Diagnostic::new(Code::Syntax, span(end_before - 1, end_before), "nothing follows this comma")
            .help("remove it, or write one more argument");
    }
    let mut found = token(text, at);
    if let Some(first) = found.chars().next().filter(|first| !first.is_ascii() && !is_smart_quote(found) && (!gap || first.is_alphabetic()))
    {
        return not_ascii(first, at, span);
    }
    let mut place = span(at, at + found.len());
    if gap && text.get(end_before..at).is_some_and(|gap| gap.contains('\n')) {
        found = "\n";
    }
    if found == "\n" || found == "\r" {
        place = span(end_before, end_before);
    }
    let shown = match found {
        "" => "the end of the file".to_owned(),
        "\n" | "\r" | "#" => "the end of the line".to_owned(),
        ";" => "the end of the statement".to_owned(),
        _ => format!("`{found}`"),
    };
    let help = match found {
        _ if is_smart_quote(found) => Some(SMART_QUOTES.to_owned()),
        _ if expected == Expected::RocketOrBarOrIf && is_else(last_word(text, at)) => Some(OTHERWISE.to_owned()),
        "/" if rest.starts_with("//") || rest.starts_with("/*") => Some("start comments with `#`".to_owned()),
        "<<" => Some("write text over several lines in `\"\"\"`".to_owned()),
        "$" if rest.trim_start().starts_with("$~") => Some("only `$1`, `$2` … exist, the groups of the last match".to_owned()),
        "`" => Some("blocks run no programs; a provider does: `rtype describe --language commands`".to_owned()),
        "$" if rest.trim_start().starts_with("${") => {
            Some("variables need Puppet's compiler; `${…}` is allowed in strings for facts only".to_owned())
        }
        _ if expected == Expected::Brace && command_call(text, at).is_some() => command_call(text, at).map(|call| {
            let argument = one_line(rest).split(['{', ' ']).next().unwrap_or("…");
            format!("write arguments in parentheses: `{call}({argument})`")
        }),
        _ => expected.help(found, found == "\n").or_else(|| {
            matches!(found, "*" | "+" | "<" | ">" | "&&" | "||" | "==").then(|| format!("`{found}` must be between two values"))
        }),
    };
    Diagnostic::new(Code::Syntax, place, format!("expected {expected}, found {shown}")).maybe_help(help)
}

/// Returns the method before `at`, called without parentheses: `include?` in `list.include? v`.
fn command_call(text: &str, at: usize) -> Option<&str> {
    let before = text.get(..at)?;
    let name = before.trim_end_matches(' ');
    let start = name.rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '?')))?;
    let is_value = |c: char| c.is_alphanumeric() || matches!(c, '"' | '\'' | ':' | '[' | '@');
    let fits = name.len() < before.len() && name.get(start..)?.starts_with('.') && text.get(at..)?.starts_with(is_value);
    name.get(start + 1..).filter(|name| fits && !name.is_empty())
}

pub(crate) const NO_RUBY: &str =
    "a type file holds `type`, `provider`, `kind`, `mixin`, `fn`, `const`, `typealias` and `feature` declarations, no code around them";

/// Returns message and help for top-level Ruby code.
fn ruby_item(found: &str, line: &str) -> Option<(String, String)> {
    let (message, help) = match found {
        "Puppet" if line.contains("features") => {
            ("this is a feature of the platform in Ruby".to_owned(), "write `feature NAME, \"what it means\" { which(\"program\") }`")
        }
        "Facter" => ("a type file declares no facts".to_owned(), "blocks ask for them with `fact(\"NAME\")`"),
        "newmetaparam" => (
            "`newmetaparam` does not exist in rtype".to_owned(),
            "the eleven metaparameters are fixed; declare a param in each type that needs one, or share it with a `mixin`",
        ),
        "provide" => ("`provide` does not exist in rtype".to_owned(), "write `provider NAME, for: TYPE { … }`"),
        "newfunction" => {
            ("`newfunction` does not exist in rtype".to_owned(), "write `fn name(args) { … }`; it is seen by the blocks of the file")
        }
        "include" if line.contains(|c: char| c.is_uppercase()) => (format!("`{found}` is Ruby"), NO_RUBY),
        "extend" | "Puppet" | "private" | "BEGIN" | "END" | "attr_accessor" | "@" => (format!("`{found}` is Ruby"), NO_RUBY),
        _ => return None,
    };
    Some((message, help.to_owned()))
}

/// Returns the help for an instance variable in the body of a type, such as `@doc = "…"`.
fn instance_variable(line: &str) -> String {
    let name = line.trim_start_matches('@').split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("");
    match name {
        "doc" => "write `desc \"…\"`".to_owned(),
        "isomorphic" => "write `isomorphic false`".to_owned(),
        "depthfirst" => "remove it: generated resources come after their generator".to_owned(),
        _ => "a type keeps no variables: a value that blocks share is a `const` at the top of the file".to_owned(),
    }
}

/// The form of the last arm in a `match`.
pub(crate) const OTHERWISE: &str = "write `_ => …` for all other values";

/// Returns `true` if a word is the default case in another language.
pub(crate) fn is_else(word: &str) -> bool {
    matches!(word, "else" | "default" | "otherwise" | "others")
}

/// Returns the word before `at`.
fn last_word(text: &str, at: usize) -> &str {
    text.get(..at).unwrap_or("").trim_end().rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("")
}

const SMART_QUOTES: &str = "these are quotes of a word processor: write straight ones, `\"` or `'`";
const NAMES: &str = "names are made of ASCII letters, digits and `_`; quote any other text";

/// Returns the ASCII character that the author probably meant by a typographic or full-width character.
fn ascii_for(c: char) -> Option<char> {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => Some('-'),
        '\u{2026}' => Some('.'),
        '\u{00D7}' => Some('*'),
        // Full-width punctuation, in ASCII order.
        '\u{FF01}'..='\u{FF0F}' | '\u{FF1A}'..='\u{FF20}' | '\u{FF3B}'..='\u{FF40}' | '\u{FF5B}'..='\u{FF5E}' => {
            char::from_u32(u32::from(c) - 0xFEE0)
        }
        _ => None,
    }
}

fn is_smart_quote(found: &str) -> bool {
    matches!(found, "“" | "”" | "‘" | "’" | "„" | "«" | "»")
}

/// Reports a non-ASCII character outside strings.
fn not_ascii(c: char, at: usize, span: impl Fn(usize, usize) -> Span) -> Diagnostic {
    // Point at the exact character, because the start of the word may be valid.
    let place = span(at, at + c.len_utf8());
    if let Some(meant) = ascii_for(c) {
        let d = Diagnostic::new(Code::Syntax, place, format!("`{c}` (U+{:04X}) is not part of the syntax", u32::from(c)));
        return d.help(format!("write `{meant}`")).fix(format!("write `{meant}`"), place, meant.to_string());
    }
    Diagnostic::new(Code::Syntax, place, format!("`{c}` (U+{:04X}) is not allowed in a name", u32::from(c))).help(NAMES)
}

/// Reports unexpected text from `start` to `end`, with its most likely cause.
pub(crate) fn junk(text: &str, start: usize, end: usize, expected: Expected<'_>, span: impl Fn(usize, usize) -> Span) -> Diagnostic {
    let skipped = text.get(start..end).unwrap_or("");
    let start = start + (skipped.len() - skipped.trim_start().len());
    let found = token(text, start);
    let place = span(start, start + found.len());
    let before = text.get(..start).unwrap_or("");
    let touches = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let word_before = before.trim_end().rsplit(|c: char| !(c.is_alphanumeric() || c == '_' || c == '?')).next();
    let word_before = word_before.unwrap_or("");
    let in_code = expected.is_in_code();
    let in_directive = expected.is_in_directive();
    let say = |code: Code, message: String, help: String| Diagnostic::new(code, place, message).help(help);
    let first = found.chars().next().unwrap_or(' ');
    if is_smart_quote(found) {
        return say(Code::Syntax, format!("`{found}` is not a quote"), SMART_QUOTES.to_owned());
    }
    if !first.is_ascii() {
        return not_ascii(first, start, span);
    }
    if found == "@" && expected == Expected::Directive {
        return say(
            Code::RubyCode,
            "instance variables are not supported".to_owned(),
            instance_variable(one_line(text.get(start..end).unwrap_or(""))),
        );
    }
    match found {
        "do" => {
            return say(Code::RubyBlock, "blocks use braces, not `do … end`".to_owned(), "write `{ |x| … }`".to_owned());
        }
        "end" => return say(Code::RubyCode, "unmatched `end`".to_owned(), "blocks use braces: write `}`".to_owned()),
        "rescue" | "ensure" | "while" | "until" if in_code => {
            let (message, help) = ruby_word(found);
            return say(Code::RubyCode, message, help);
        }
        "is" | "in" if in_code && !word_before.is_empty() => {
            let help = if found == "in" { "write `list.include?(value)`" } else { "write `value.is_a?(String)`" };
            return say(Code::RubyOperator, format!("`{found}` is not an operator"), help.to_owned());
        }
        "," if in_code => {
            let help = "write several values as a list, `[a, b]`, and several locals as `let a, b = …`";
            return say(Code::Syntax, "unexpected `,`".to_owned(), help.to_owned());
        }
        "then" => {
            return say(Code::RubyCode, "`then` is not a keyword".to_owned(), "write `if condition { … } else { … }`".to_owned());
        }
        "{" if in_code => {
            return say(
                Code::Syntax,
                "a closure begins with its parameters".to_owned(),
                "write `{ |x| … }`, or `{ || … }` where it has none; write a map as argument in parentheses".to_owned(),
            );
        }
        "-" if touches && in_directive => {
            let tail = text.get(start..end).unwrap_or("");
            let tail = tail.split([' ', ',', ';', '\n']).next().unwrap_or("");
            return say(Code::Syntax, "`-` is not allowed in a name".to_owned(), format!("write it in quotes: `\"{word_before}{tail}\"`"));
        }
        "." if in_directive => {
            return say(
                Code::Syntax,
                "a directive takes plain values, without calls".to_owned(),
                format!("compute it in a block: `{} {{ … }}`", first_word_of_line(before)),
            );
        }
        ".." | "..." if in_code => {
            return say(
                Code::Syntax,
                "a range is allowed only in an index".to_owned(),
                "write `list[0..2]`; for numbers `x.between?(1, 5)`".to_owned(),
            );
        }
        ":" if in_directive && touches => {
            return say(
                Code::Syntax,
                "unexpected `:` after the directive name".to_owned(),
                format!("write `{word_before} …`; `key: value` is an option and comes after the arguments"),
            );
        }
        "=" | "+=" if in_directive => {
            return say(
                Code::Syntax,
                format!("`{found}` has no place in a directive"),
                format!("a directive is written without it: `{} …`; constants begin with `const`", first_word_of_line(before)),
            );
        }
        ".." | "..." if in_directive => {
            return say(
                Code::Syntax,
                "a directive takes single values, not ranges".to_owned(),
                "for numbers use a data type: `type Integer[1, 65535]`".to_owned(),
            );
        }
        "/" if (expected.is_inside() || expected == Expected::Directive)
            && text.get(start + 1..).is_some_and(|rest| !rest.starts_with(['/', '*'])) =>
        {
            return say(
                Code::Unclosed,
                "this regex is never closed".to_owned(),
                "write `/` where it ends; a slash inside is written `\\/`".to_owned(),
            );
        }
        "=>" => {
            return say(
                Code::HashRocketOption,
                "`=>` has no place here".to_owned(),
                "options are written `key: value`; `=>` belongs to maps, arms and title patterns".to_owned(),
            );
        }
        "::" => {
            return say(
                Code::RubyCode,
                "constants with `::` are not supported".to_owned(),
                "use a built-in function, or define a `const`".to_owned(),
            );
        }
        "?" => {
            return say(
                Code::Syntax,
                "`?` touches nothing it could belong to".to_owned(),
                "write `condition ? a : b` with blanks, and `name?` without".to_owned(),
            );
        }
        _ => {}
    }
    if in_code && matches!(word_before, "raise" | "puts" | "yield") {
        let (message, help) = primary(word_before);
        let end = before.trim_end().len();
        return Diagnostic::new(Code::RubyCode, span(end - word_before.len(), end), message).help(help);
    }
    if in_code && matches!(word_before, "var" | "const" | "my" | "local" | "auto") {
        let end = before.trim_end().len();
        let place = span(end - word_before.len(), end);
        let rest = text.get(start..).and_then(|rest| rest.split(['\n', ';', '}']).next()).unwrap_or("");
        let help = format!("write `let {}`", one_line(rest));
        return Diagnostic::new(Code::Syntax, place, format!("`{word_before}` is not a keyword")).help(help);
    }
    if in_code && matches!(word_before, "for" | "while" | "until" | "foreach" | "loop") {
        let end = before.trim_end().len();
        let place = span(end - word_before.len(), end);
        return Diagnostic::new(Code::RubyCode, place, format!("`{word_before}` is not a keyword")).help("write `list.each { |x| … }`");
    }
    if in_code && found == "else" && !word_before.is_empty() {
        return say(
            Code::Syntax,
            "`else` after a condition at the end of a statement".to_owned(),
            "write `if condition { … } else { … }`, or `condition ? a : b`".to_owned(),
        );
    }
    if in_code && word_before == "else" {
        return say(Code::Syntax, "`else` without a matching `if`".to_owned(), "put it after the brace: `} else {`".to_owned());
    }
    if in_code && let Some(meant) = nearest(word_before, STATEMENTS.iter().copied()).filter(|meant| *meant != word_before) {
        let end = before.trim_end().len();
        let place = span(end - word_before.len(), end);
        return Diagnostic::new(Code::Syntax, place, format!("unknown statement `{word_before}`")).help(Help::suggestion(meant));
    }
    let is_value = first.is_alphanumeric() || matches!(first, '"' | '\'' | ':' | '/' | '[');
    if in_code && is_value && !word_before.is_empty() && word_before.starts_with(char::is_alphabetic) {
        let arguments = one_line(text.get(start..end).unwrap_or(""));
        let help = match condition_after(arguments) {
            Some((arguments, condition)) => format!("write `{condition} {{ {word_before}({arguments}) }}`"),
            None => format!("write `{word_before}({arguments})`"),
        };
        return say(Code::RubyCode, format!("the arguments of `{word_before}` need parentheses"), help);
    }
    let found = expected_found(text, start, expected, false, span);
    if in_code && is_value && found.help.is_none() {
        return found.help("write each statement on a line of its own, or `;` between them");
    }
    found
}

/// Splits `"x" if y` into `"x"` and `if y`.
fn condition_after(text: &str) -> Option<(&str, &str)> {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None if c == ' ' => {
                let rest = text.get(at + 1..)?;
                if rest.starts_with("if ") || rest.starts_with("unless ") {
                    return Some((text.get(..at)?.trim_end(), rest));
                }
            }
            _ => {}
        }
    }
    None
}

/// Keywords that take their operand without parentheses.
const STATEMENTS: &[&str] = &["return", "next", "fail", "let"];

fn first_word_of_line(before: &str) -> &str {
    let line = before.rsplit(['\n', ';', '{']).next().unwrap_or("").trim_start();
    line.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("")
}

const DECLARATIONS: &[&str] = &["type", "provider", "kind", "mixin", "fn", "const", "typealias", "feature", "test", "use"];
const DIRECTIVES: &[&str] = &[
    "newparam",
    "newproperty",
    "ensurable",
    "desc",
    "feature",
    "newvalue",
    "newvalues",
    "aliasvalue",
    "defaultto",
    "validate",
    "munge",
    "insync",
    "isnamevar",
    "autorequire",
    "autobefore",
    "autonotify",
    "autosubscribe",
    "title_patterns",
    "commands",
    "confine",
    "defaultfor",
    "native",
    "program",
    "include",
    "refresh",
];

/// Statements for manifests, sometimes written in type files. `class` is not included: in a type file it is Ruby.
const MANIFEST_STATEMENTS: &[&str] = &["define", "node", "function", "plan", "application"];

/// Reports unexpected text at the top level.
pub(crate) fn bad_item(text: &str, start: usize, end: usize, span: impl Fn(usize, usize) -> Span) -> Diagnostic {
    let found = token(text, start);
    let place = span(start, start + found.len());
    let line = one_line(text.get(start..end).unwrap_or(""));
    let rest = line.get(found.len()..).unwrap_or("").trim_start();
    let say = |code: Code, message: String, help: String| Diagnostic::new(code, place, message).help(help);
    if let Some((message, help)) = ruby_item(found, line) {
        return say(Code::RubyCode, message, help);
    }
    if DIRECTIVES.contains(&found) {
        return say(
            Code::Syntax,
            format!("`{found}` outside of a type or provider"),
            format!("put it into the braces of one: `type NAME {{ {found} … }}`"),
        );
    }
    if MANIFEST_STATEMENTS.contains(&found) && rest.contains('{') {
        let help = "declare a resource type with `type NAME { … }`; manifests (`.pp`) are compiled by Puppet".to_owned();
        return say(Code::Syntax, format!("`{found}` is a statement of Puppet manifests"), help);
    }
    if matches!(found, "def" | "module" | "class" | "require" | "require_relative" | "end") {
        let (message, help) = ruby_word(found);
        return say(Code::RubyCode, message, help);
    }
    if rest.starts_with('{') && rest.contains(['\'', '"']) && rest.contains(':') {
        return say(
            Code::Syntax,
            "a resource cannot be declared in a type file".to_owned(),
            "put it into a manifest (`.pp`), or into a `test` of the type".to_owned(),
        );
    }
    if rest.starts_with('=') && !rest.starts_with("==") {
        return say(
            Code::Syntax,
            format!("`{found}` cannot be set here"),
            format!("a constant is written `const {} = …`", found.to_uppercase()),
        );
    }
    if let Some(name) = nearest(found, DECLARATIONS.iter().copied()) {
        return Diagnostic::new(Code::Syntax, place, format!("unknown declaration `{found}`")).help(Help::suggestion(name));
    }
    let found = junk(text, start, end, Expected::Declaration, span);
    if found.help.is_none() { found.help("write declarations: `type NAME { … }`, `provider NAME, for: TYPE { … }`") } else { found }
}

/// Returns message and help for a Ruby operator.
pub(crate) fn operator(text: &str) -> (String, String) {
    let message = format!("`{text}` is not an operator");
    let help = match text {
        "and" => "write `&&`",
        "or" => "write `||`",
        "<<" => "write `list + [x]` for a list, `a + b` for text",
        "/" => return ("`/` does not divide: it begins a regex".to_owned(), "write `a.div(b)`".to_owned()),
        "^" => "write `**` for powers",
        _ => "use methods such as `bit_or`",
    };
    (message, help.to_owned())
}

/// Returns message and help for a Ruby assignment operator; `target` is the left side.
pub(crate) fn assignment(op: &str, target: &str) -> (String, String) {
    let target = one_line(target);
    let base = op.trim_end_matches('=');
    let help = match op {
        "||=" => format!("write `{target} = … if {target}.nil?`"),
        "<<=" => format!("write `{target} += [x]`"),
        _ => format!("write `{target} = {target} {base} …`"),
    };
    (format!("unknown operator `{op}`"), help)
}

/// Returns message and help for a Ruby value, or for typographic characters.
pub(crate) fn primary(text: &str) -> (String, String) {
    let shown = one_line(text);
    let (what, help): (&str, String) = if let Some(name) = text.strip_prefix("&:") {
        ("is Ruby", format!("write `{{ |x| x.{name} }}`"))
    } else if let Some(name) = text.strip_prefix("&") {
        ("is Ruby", format!("write `{{ |x| {name}(x) }}`"))
    } else if text == "@provider" {
        ("is a variable of Ruby objects", "the provider is `provider`: write `provider.x`".to_owned())
    } else if text == "@resource" {
        ("is a variable of Ruby objects", "the resource is `self`: write `self.x` or `self[:x]`".to_owned())
    } else if text == "@should" {
        ("is a variable of Ruby objects", "the desired value is `should`, in place of `@should` and `@should.first`".to_owned())
    } else if let Some(name) = text.strip_prefix("@@").or(text.strip_prefix('@')) {
        ("is a variable of Ruby objects", format!("attributes are read as `self.{name}`, locals are made with `let {name} = …`"))
    } else if text.starts_with("%r") {
        ("is Ruby's second way to write a regex", "write it between slashes, `/…/`, with `\\/` for each slash inside".to_owned())
    } else if text.starts_with("%i") {
        ("is a list of symbols in Ruby", "write `[:a, :b]`, or `%w[a b]` for text".to_owned())
    } else if text.starts_with('%') {
        ("is Ruby", "write text in quotes, `\"…\"` or `'…'`, and lists of words as `%w[a b]`".to_owned())
    } else if text.starts_with("->") {
        ("is a lambda of Ruby", "write a function, `fn name(x) { … }`, or a closure after a method, `{ |x| … }`".to_owned())
    } else if text.starts_with('$') {
        ("is a global variable", "only `$1`, `$2` … exist, the groups of the last match".to_owned())
    } else if text.starts_with("puts") {
        ("prints, which blocks cannot", "write `debug(…)` or `notice(…)`".to_owned())
    } else if text.starts_with("raise") {
        ("is Ruby", "write `fail \"what is wrong\"`".to_owned())
    } else if text.starts_with("yield") {
        ("is Ruby", "functions take no blocks".to_owned())
    } else if text.contains("::") {
        ("is a constant of Ruby", "use a built-in function, or define a `const`".to_owned())
    } else {
        return (format!("`{shown}` is not quoted with straight quotes"), SMART_QUOTES.to_owned());
    };
    (format!("`{shown}` {what}"), help)
}

/// Returns the diagnostic code for [`primary`].
pub(crate) fn primary_code(text: &str) -> Code {
    if text.starts_with("&") || text.starts_with("->") {
        Code::RubyOperator
    } else if text.starts_with(|c: char| c.is_ascii()) {
        Code::RubyCode
    } else {
        Code::Syntax
    }
}

/// Returns message and help for a Ruby method definition: `def pre_run_check`, `def self.title_patterns`, `def insync?(is)`.
pub(crate) fn method(text: &str) -> (String, String) {
    let named = text.trim_start_matches("def").trim_start().trim_start_matches("self.");
    let name: String = named.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let blocks = TYPE_WORDS.iter().chain(ATTRIBUTE_WORDS);
    let block = blocks.into_iter().find(|word| word.name == name && word.written.contains('{'));
    let refused = REFUSED.iter().find(|(_, names, _)| names.contains(&name.as_str()));
    let help = match (block, refused) {
        (Some(block), _) => format!("write `{}`", block.written),
        (None, Some((.., help))) => (*help).to_owned(),
        (None, None) => return ruby_word("def"),
    };
    ("`def` is Ruby".to_owned(), help)
}

/// Returns message and help for a Ruby keyword, such as `def`, `case` or `end`.
pub(crate) fn ruby_word(word: &str) -> (String, String) {
    let help = match word {
        "def" => "write `fn name(x) { … }` for a function of your own, or the block of that name: `insync { |is| … }`",
        "case" | "when" => "write `match value { \"a\" | \"b\" => …, on a line each; _ => … }`",
        "begin" | "rescue" | "ensure" => "write `try { … } else { |message| … }`",
        "while" | "until" => "blocks always end: write `list.each { |x| … }`",
        "end" => return ("unmatched `end`".to_owned(), "blocks use braces: write `}`".to_owned()),
        "module" | "class" => "a type file holds `type NAME { … }`, without a module or class around it",
        "require" | "require_relative" => "write `use \"kinds/cron\"` for a file with kinds, mixins, functions or constants",
        _ => "write the body in braces",
    };
    (format!("`{word}` is Ruby"), help.to_owned())
}
