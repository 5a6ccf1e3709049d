//! Errors in brackets and quotes, and their diagnostics.

use super::pass::DEEPEST;
use crate::diagnostics::{Code, Diagnostic, Help, blank_help, unexpected_blank};
use crate::source::{Source, Span};

pub(super) enum Problem {
    Unclosed {
        open: u8,
        at: usize,
        expected_at: usize,
    },
    Unopened {
        close: u8,
        at: usize,
    },
    /// `end` instead of `}`; the brace is at `open`.
    EndOfBrace {
        at: usize,
        open: usize,
    },
    UnclosedString {
        quote: &'static str,
        at: usize,
        end: usize,
    },
    TooDeep {
        at: usize,
    },
    /// A quote inside a string that ends the string unintentionally: `'don't'`.
    QuoteInside {
        quote: &'static str,
        at: usize,
        string: usize,
        end: usize,
    },
    /// A comma before another directive.
    CommaAtEnd {
        at: usize,
    },
    /// A blank or invisible character outside the syntax.
    Blank {
        at: usize,
        blank: char,
        /// The replacement.
        text: &'static str,
    },
    /// A heredoc; the word after `<<` ends at `end`.
    Heredoc {
        at: usize,
        end: usize,
    },
    /// A misspelled keyword that determines how the source after it is parsed.
    Misspelt {
        at: usize,
        length: usize,
        meant: &'static str,
        place: &'static str,
    },
}

impl Problem {
    pub fn at(&self) -> usize {
        match *self {
            Problem::Unclosed { at, .. }
            | Problem::Unopened { at, .. }
            | Problem::EndOfBrace { at, .. }
            | Problem::UnclosedString { at, .. }
            | Problem::TooDeep { at }
            | Problem::QuoteInside { at, .. }
            | Problem::CommaAtEnd { at }
            | Problem::Blank { at, .. }
            | Problem::Heredoc { at, .. }
            | Problem::Misspelt { at, .. } => at,
        }
    }

    pub fn diagnostic(&self, source: &Source) -> Diagnostic {
        let span = |start: usize, len: usize| source.span_of(start..start + len);
        match *self {
            Problem::Unclosed { open, at, expected_at } => {
                let (shown, length) = match open {
                    b'#' => ("#{", 2),
                    b'[' => ("[", 1),
                    b'(' => ("(", 1),
                    _ => ("{", 1),
                };
                let close = closer(open);
                let line = source.line(source.base() + expected_at as u32);
                let opened = source.line(source.base() + at as u32);
                let help = if expected_at >= source.text().trim_end().len() {
                    format!("write `{close}` where it ends; by the indentation that is at the end of the file")
                } else if line == opened {
                    format!("write `{close}` where it ends, on this line")
                } else {
                    format!("write `{close}` where it ends; by the indentation that is before line {line}")
                };
                let mut diagnostic = Diagnostic::new(Code::Unclosed, span(at, length), format!("`{shown}` is never closed")).help(help);
                if line != opened && expected_at < source.text().trim_end().len() {
                    let place = Span::new(source.base() + expected_at as u32, source.base() + expected_at as u32);
                    diagnostic = diagnostic.also(place, format!("`{close}` is missing before this"));
                }
                diagnostic
            }
            Problem::Unopened { close, at } => {
                let close = char::from(close);
                Diagnostic::new(Code::Unopened, span(at, 1), format!("unmatched `{close}`"))
                    .help(format!("remove it, or write the matching `{}`", opener(close)))
            }
            Problem::EndOfBrace { at, open } => {
                let place = span(at, "end".len());
                Diagnostic::new(Code::RubyCode, place, "a block is closed with `}`, not with `end`".to_owned())
                    .also(span(open, 1), "the block begins here")
                    .help("write `}`")
                    .fix("write `}`", place, "}")
            }
            Problem::Heredoc { at, end } => {
                Diagnostic::new(Code::RubyCode, source.span_of(at..end), "heredocs are not supported".to_owned())
                    .help("write the text between `\"\"\"` and `\"\"\"`; its common indentation is removed")
            }
            Problem::UnclosedString { quote, at, end } => {
                let place = source.span_of(at..end.max(at + quote.len()));
                let (what, inside) = match quote {
                    "/" => ("regex", "; a slash inside is written `\\/`"),
                    "\"" => ("string", "; a quote inside is written `\\\"`"),
                    _ => ("string", ""),
                };
                Diagnostic::new(Code::Unclosed, place, format!("this {what} is never closed"))
                    .help(format!("write `{quote}` where it ends{inside}"))
            }
            Problem::QuoteInside { quote, at, string, end } => {
                let text = source.text().get(string + 1..end).unwrap_or("");
                let help = if quote == "'" && !text.contains(['"', '\\', '$', '#']) && !text.contains('\n') {
                    format!("write the text in double quotes: `\"{text}\"`")
                } else {
                    format!("write `\\{quote}` for a quote inside the string")
                };
                Diagnostic::new(Code::Syntax, span(at, 1), format!("this `{quote}` ends the string in the middle of its text"))
                    .also(span(string, 1), "the string begins here")
                    .help(help)
            }
            Problem::CommaAtEnd { at } => {
                Diagnostic::new(Code::Syntax, span(at, 1), "nothing follows this comma").help("remove it: a directive ends with its line")
            }
            Problem::Blank { at, blank, text } => {
                let help = if text == "\n" { "break the line" } else { blank_help(blank) };
                let place = span(at, blank.len_utf8());
                unexpected_blank(Code::Syntax, place, blank).help(help).fix(help, place, text)
            }
            Problem::Misspelt { at, length, meant, place } => {
                let word = source.text().get(at..at + length).unwrap_or("");
                let place_of_word = span(at, length);
                let diagnostic = match place {
                    "" => Diagnostic::new(Code::Syntax, place_of_word, format!("unknown declaration `{word}`")),
                    _ => Diagnostic::new(Code::UnknownDirective, place_of_word, format!("unknown directive `{word}`{place}")),
                };
                diagnostic.help(Help::suggestion(meant))
            }
            Problem::TooDeep { at } => {
                Diagnostic::new(Code::NestingTooDeep, span(at, 1), format!("brackets are nested more than {DEEPEST} levels deep"))
                    .help("move inner parts into a `const`, a `fn` or a `kind`")
            }
        }
    }
}

pub(super) fn closer(open: u8) -> &'static str {
    match open {
        b'[' => "]",
        b'(' => ")",
        _ => "}",
    }
}

fn opener(close: char) -> char {
    match close {
        ']' => '[',
        ')' => '(',
        _ => '{',
    }
}
