//! Builds the values of manifests.

use super::string::{Number, read_number, unescape_single};
use super::{Builder, P};
use crate::diagnostics::Code;
use crate::syntax::ast::*;
use crate::syntax::expected::Expected;
use crate::syntax::hints;
use crate::syntax::parser::Rule;
use crate::value::EcoString;
use std::str::Chars;

impl Builder<'_> {
    /// Reports an operator after a value, and returns an error node for both.
    pub(super) fn tail(&mut self, value: Option<PuppetExpr>, pair: &P<'_>) -> PuppetExpr {
        let end = self.span_of(pair);
        let span = value.as_ref().map_or(end, |v| v.span.to(end));
        let failed = PuppetExpr { kind: PuppetValue::Error, span };
        let tail = pair.as_str().trim();
        let bare = value.filter(|v| self.source.slice(v.span).starts_with(|c: char| c.is_ascii_lowercase() || c == '_' || c == '/'));
        let Some(bare) = bare.filter(|_| !pair.as_str().starts_with([' ', '\n'])) else {
            self.operator_after_value(pair);
            return failed;
        };
        let word = hints::one_line(self.source.slice(bare.span)).to_owned();
        if tail.starts_with('[') {
            // A reference in lower case, as in `file['/a']`.
            let name: Vec<String> = word.split("::").map(capitalized).collect();
            let name = name.join("::");
            self.mark(pair);
            self.error(Code::Syntax, bare.span, hints::lower_case_reference(&word), format!("write `{name}{}`", hints::one_line(tail)));
            return failed;
        }
        if tail.starts_with(['.', '/', '-', '*', '?', '+', '<']) && !tail.contains(['{', ' ', '\n']) {
            self.mark(pair);
            self.error(Code::Syntax, span, format!("`{word}{tail}` needs quotes"), format!("write `'{word}{tail}'`"));
            return failed;
        }
        self.operator_after_value(pair);
        failed
    }

    fn operator_after_value(&mut self, pair: &P<'_>) {
        let text = pair.as_str().trim_start();
        let start = pair.as_span().end() - text.len();
        let token = hints::token(text, 0);
        let place = self.span(start, start + token.len());
        self.mark(pair);
        let what = if token == "?" { "a selector (`? { … }`)".to_owned() } else { format!("an expression with `{token}`") };
        self.needs_compiler(place, &what);
    }

    pub(super) fn puppet_list(&mut self, pair: P<'_>) -> Vec<PuppetExpr> {
        let mut items: Vec<PuppetExpr> = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::missing_comma => self.missing_comma(&part),
                Rule::unclosed => self.unclosed(&part),
                Rule::m_tail => {
                    let last = items.pop();
                    let value = self.tail(last, &part);
                    items.push(value);
                }
                Rule::m_junk => self.junk(&part, Expected::BracketEnd),
                _ => items.push(self.puppet(part)),
            }
        }
        items
    }

    /// Builds a value.
    pub(super) fn puppet(&mut self, pair: P<'_>) -> PuppetExpr {
        let span = self.span_of(&pair);
        let written = pair.as_str();
        let kind = match pair.as_rule() {
            Rule::m_single => {
                let text = written.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')).unwrap_or(written);
                PuppetValue::Str(unescape_single(text))
            }
            Rule::m_string => self.puppet_string(pair),
            Rule::m_number => match read_number(written).filter(|_| !written.contains('_')) {
                Some(Number::Int(n)) => PuppetValue::Int(n),
                Some(Number::Float(n)) => PuppetValue::Float(n),
                None => {
                    self.error(
                        Code::BadNumber,
                        span,
                        format!("`{written}` is not a number"),
                        format!("text that starts with a digit needs quotes: `'{written}'`"),
                    );
                    PuppetValue::Error
                }
            },
            Rule::m_array => PuppetValue::Array(self.puppet_list(pair)),
            Rule::m_hash => self.puppet_hash(pair),
            Rule::m_regex => {
                let source = written.trim_start_matches('/');
                let source = source.strip_suffix('/').unwrap_or(source);
                PuppetValue::Regex(source.replace("\\/", "/").into())
            }
            Rule::m_path => {
                self.error(Code::Syntax, span, format!("`{written}` needs quotes"), format!("write `'{written}'`"));
                PuppetValue::Str(written.into())
            }
            Rule::m_variable => self.variable(pair),
            Rule::m_wrapped => self.wrapped(pair),
            Rule::m_reference => {
                let mut parts = pair.into_inner();
                let name = parts.next().map(|n| self.ident(&n));
                match (name, parts.next()) {
                    (Some(mut name), Some(titles)) => {
                        name.name = name.name.trim_start_matches("::").to_lowercase().into();
                        PuppetValue::Reference(name, self.puppet_list(titles))
                    }
                    _ => {
                        self.error(
                            Code::Syntax,
                            span,
                            format!("`{written}` is a data type, not a value"),
                            format!("quote a string: `'{written}'`; a reference has a title: `{written}['…']`"),
                        );
                        PuppetValue::Error
                    }
                }
            }
            Rule::m_word => {
                let mut parts = pair.into_inner();
                let bare = parts.next().map_or("", |p| p.as_str());
                if let Some(call) = parts.next() {
                    self.mark(&call);
                    let place = self.span(call.as_span().start() - bare.len(), call.as_span().start());
                    let what = format!("a call of the function `{bare}`");
                    self.needs_compiler(place, &what);
                    PuppetValue::Error
                } else {
                    match bare {
                        "undef" => PuppetValue::Undef,
                        "default" => PuppetValue::Default,
                        "true" => PuppetValue::Bool(true),
                        "false" => PuppetValue::Bool(false),
                        "nil" | "null" => {
                            let message = format!("`{bare}` is called `undef` in manifests");
                            self.error(Code::Syntax, span, message, "write `undef`");
                            PuppetValue::Undef
                        }
                        _ => PuppetValue::Str(bare.into()),
                    }
                }
            }
            _ => {
                self.mark(&pair);
                self.needs_compiler(span, "a heredoc");
                PuppetValue::Error
            }
        };
        PuppetExpr { kind, span }
    }

    fn puppet_hash(&mut self, pair: P<'_>) -> PuppetValue {
        let mut entries = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::m_entry => {
                    let mut key = None;
                    let mut value = None;
                    for piece in part.into_inner() {
                        let place = self.span_of(&piece);
                        match piece.as_rule() {
                            Rule::m_arrow => {}
                            Rule::m_bad_arrow => {
                                let message = format!("a hash pairs with `=>`, not `{}`", piece.as_str());
                                self.error(Code::HashRocketOption, place, message, "write `{ 'key' => value }`");
                            }
                            Rule::m_tail => value = Some(self.tail(value, &piece)),
                            Rule::m_hole => {
                                self.missing(&piece, Expected::ValueAfter("=>"));
                                value = Some(PuppetExpr { kind: PuppetValue::Error, span: place });
                            }
                            _ if key.is_none() => key = Some(self.puppet(piece)),
                            _ => value = Some(self.puppet(piece)),
                        }
                    }
                    if let (Some(key), Some(value)) = (key, value) {
                        entries.push((key, value));
                    }
                }
                Rule::missing_comma => self.missing_comma(&part),
                Rule::unclosed => self.unclosed(&part),
                _ => self.junk(&part, Expected::MapRocketOrEnd),
            }
        }
        PuppetValue::Hash(entries)
    }

    fn variable(&mut self, pair: P<'_>) -> PuppetValue {
        let span = self.span_of(&pair);
        let written = pair.as_str().to_owned();
        match pair.into_inner().next() {
            Some(path) if path.as_rule() == Rule::m_fact_path => PuppetValue::Fact(self.fact_path(path)),
            Some(name) if self.in_test && written.get(1..) == Some(name.as_str()) => PuppetValue::Variable(name.as_str().into()),
            _ => {
                let what = format!("the variable `{}`", hints::one_line(&written));
                self.needs_compiler(span, &what);
                PuppetValue::Error
            }
        }
    }

    fn fact_path(&mut self, pair: P<'_>) -> EcoString {
        let mut path = String::new();
        for key in pair.into_inner() {
            let Some(key) = key.into_inner().next() else { continue };
            let key = self.puppet(key);
            if let PuppetValue::Str(text) = key.kind {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(&text);
            }
        }
        path.into()
    }

    fn wrapped(&mut self, pair: P<'_>) -> PuppetValue {
        let span = self.span_of(&pair);
        let mut parts = pair.into_inner();
        let word = parts.next().map_or("", |w| w.as_str());
        let args = parts.next();
        let mut args = args.map(|a| self.puppet_list(a)).unwrap_or_default();
        if word.starts_with("Deferred") {
            return PuppetValue::Deferred(args);
        }
        let is_binary = word.starts_with("Binary");
        if args.len() != 1 {
            let name = if is_binary { "Binary" } else { "Sensitive" };
            self.error(Code::Syntax, span, format!("`{name}` takes one value"), format!("write `{name}('…')`"));
            return PuppetValue::Error;
        }
        match args.pop() {
            Some(value) if is_binary => PuppetValue::Binary(Box::new(value)),
            Some(value) => PuppetValue::Sensitive(Box::new(value)),
            None => PuppetValue::Error,
        }
    }

    fn puppet_string(&mut self, pair: P<'_>) -> PuppetValue {
        let mut parts = Vec::new();
        let mut plain = true;
        for part in pair.into_inner() {
            let span = self.span_of(&part);
            let kind = match part.as_rule() {
                Rule::m_chunk => PuppetValue::Str(unescape_double(part.as_str())),
                Rule::m_dollar => {
                    plain = false;
                    match part.into_inner().next() {
                        Some(variable) => self.variable(variable),
                        None => PuppetValue::Error,
                    }
                }
                _ => {
                    plain = false;
                    match part.into_inner().next() {
                        Some(path) if path.as_rule() == Rule::m_fact_path => PuppetValue::Fact(self.fact_path(path)),
                        Some(name) if self.in_test && is_name(name.as_str()) => PuppetValue::Variable(name.as_str().into()),
                        inner => {
                            let written = inner.map(|i| i.as_str().to_owned()).unwrap_or_default();
                            let what = format!("`${{{}}}` in a string", hints::one_line(&written));
                            self.needs_compiler(span, &what);
                            PuppetValue::Error
                        }
                    }
                }
            };
            parts.push(PuppetExpr { kind, span });
        }
        if !plain {
            return PuppetValue::Interpolated(parts);
        }
        match parts.pop().map(|p| p.kind) {
            Some(PuppetValue::Str(text)) => PuppetValue::Str(text),
            _ => PuppetValue::Str(EcoString::new()),
        }
    }
}

/// Returns a word with an upper-case first letter, as in references.
fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}

/// Resolves the escapes of `"…"` with Puppet's rules; unknown escapes are kept unchanged.
fn unescape_double(text: &str) -> EcoString {
    let mut out = EcoString::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('\\') {
        out.push_str(before);
        let mut escape = escape.chars();
        match escape.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('s') => out.push(' '),
            Some(same @ ('$' | '"' | '\'' | '\\')) => out.push(same),
            Some('\n') => {}
            Some('u') => rest_of_unicode(&mut escape, &mut out),
            Some(other) => {
                out.push('\\');
                out.push(other);
            }
            None => out.push('\\'),
        }
        rest = escape.as_str();
    }
    out.push_str(rest);
    out
}

/// Resolves the rest of `\u`: four digits, or up to six in braces.
fn rest_of_unicode(escape: &mut Chars<'_>, out: &mut EcoString) {
    let text = escape.as_str();
    let inner = text.strip_prefix('{');
    let digits = inner.unwrap_or(text);
    let most = if inner.is_some() { 6 } else { 4 };
    let end = digits.bytes().take(most).take_while(u8::is_ascii_hexdigit).count();
    let (digits, behind) = digits.split_at_checked(end).unwrap_or((digits, ""));
    let behind = if inner.is_some() { behind.strip_prefix('}') } else { Some(behind).filter(|_| end == most) };
    match (u32::from_str_radix(digits, 16).ok().and_then(char::from_u32), behind) {
        (Some(c), Some(behind)) => {
            out.push(c);
            *escape = behind.chars();
        }
        _ => out.push_str("\\u"),
    }
}

/// Returns `true` if this is the name of a variable.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase() || c == '_') && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_that_are_none_stay_as_written() {
        for (written, read) in [
            (r#"a\tb\s\"\$\\n"#, "a\tb \"$\\n"),
            (r"\u0041\u{1F600}\u{41}1", "A😀A1"),
            (r"\u12 \u{} \u{zz} \u{41 \u{110000}", r"\u12 \u{} \u{zz} \u{41 \u{110000}"),
            (r"\d\", r"\d\"),
            ("one\\\ntwo", "onetwo"),
        ] {
            assert_eq!(unescape_double(written), read);
        }
    }
}
