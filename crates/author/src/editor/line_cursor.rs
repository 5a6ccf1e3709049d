//! Determines the possible completions at the cursor in a line of resources or commands, finished or not.

use super::lexer::{ResourceToken, ResourceTokenKind, lex};

/// The arguments that a command accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// No arguments.
    Nothing,
    /// The name of a command.
    Command,
    /// The code of a diagnostic.
    Code,
    /// The path of a fact.
    Fact,
    /// A type.
    Type,
    /// A type, and a pattern of titles.
    TypeAndTitle,
    /// A type, and the flag `--why`.
    TypeAndWhy,
    /// A type or a resource.
    TypeOrResource,
    /// A file.
    File,
    /// Declared resources.
    Resource,
    /// A declared resource, and a state.
    State,
}

/// The possible completions at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Completion {
    /// Types.
    Types,
    /// Commands, after `:`.
    Commands,
    /// Names of commands without colon.
    Topics,
    /// Codes of diagnostics.
    Codes,
    /// Facts.
    Facts,
    /// Files.
    Files,
    /// References to declared resources, such as `User[root]`.
    References,
    /// Types, or references such as `User[root]`.
    TypesOrReferences,
    /// Types, or the flag `--why`.
    TypesOrWhy,
    /// Titles of a type: on the machine, and declared.
    Titles(String),
    /// Titles of a type in a reference, such as `User['root']`.
    TitlesInReference(String),
    /// Titles of a type without quotes.
    PlainTitles(String),
    /// Attributes of a resource.
    Attributes {
        /// The type; `None` if the line does not name a type.
        type_name: Option<String>,
        /// A state: properties only, written `name: value`.
        state: bool,
        /// The attributes before the cursor.
        given: Vec<String>,
    },
    /// Values of an attribute.
    Values {
        /// The type; `None` if the line does not name a type.
        type_name: Option<String>,
        /// The attribute.
        attribute: String,
    },
    /// No completion.
    Nothing,
}

/// The cursor in a line, with the possible completions and the word before the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineCursor {
    /// The possible completions.
    pub completion: Completion,
    /// The start of the word, including the quote.
    pub start: usize,
    /// The part of the word before the cursor, without quote.
    pub partial: String,
    /// The quote before the word.
    pub quote: Option<char>,
}

#[derive(Debug)]
enum Frame {
    Resource { type_name: Option<String>, stage: Stage, attribute: String, given: Vec<String>, state: bool },
    Reference(String),
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Title,
    Attribute,
    Value,
}

impl LineCursor {
    /// Analyzes the line before the cursor. `takes_of` returns the arguments of a command, or `None` for an unknown command.
    pub fn before(text: &str, takes_of: &dyn Fn(&str) -> Option<Takes>) -> LineCursor {
        let mut tokens = lex(text);
        let touching = tokens.pop_if(|t| {
            let ends_here = t.range.end == text.len();
            ends_here
                && matches!(
                    t.kind,
                    ResourceTokenKind::Word
                        | ResourceTokenKind::Type
                        | ResourceTokenKind::Number
                        | ResourceTokenKind::Command
                        | ResourceTokenKind::Str(false)
                )
        });
        let (start, typed) = match &touching {
            Some(t) => (t.range.start, text.get(t.range.clone()).unwrap_or_default()),
            None => (text.len(), ""),
        };
        let quote = typed.chars().next().filter(|c| matches!(c, '\'' | '"'));
        let partial = typed.trim_start_matches(['\'', '"']).to_owned();
        let nothing = LineCursor { completion: Completion::Nothing, start, partial: partial.clone(), quote };
        if tokens
            .last()
            .is_some_and(|t| t.kind == ResourceTokenKind::Comment && !text.get(t.range.end..).unwrap_or_default().contains('\n'))
        {
            return nothing;
        }
        if touching.as_ref().is_some_and(|t| t.kind == ResourceTokenKind::Command) {
            return LineCursor { completion: Completion::Commands, ..nothing };
        }
        let takes = tokens.first().filter(|t| t.kind == ResourceTokenKind::Command).map(|t| {
            let name = text.get(t.range.clone()).unwrap_or_default().trim_start_matches(':');
            (takes_of(name).unwrap_or(Takes::Nothing), t.range.end)
        });
        let frames = frames(text, &tokens, takes.map(|(t, _)| t));
        if let Some((takes, end)) = takes
            && frames.iter().all(|f| matches!(f, Frame::Reference(_)))
        {
            return argument(text, takes, end);
        }
        let completion = completion(&frames, &tokens);
        LineCursor { completion, ..nothing }
    }
}

/// Determines the completion in the arguments of a command.
fn argument(text: &str, takes: Takes, end: usize) -> LineCursor {
    let rest = text.get(end..).unwrap_or_default();
    let whole = rest.trim_start();
    // References and paths may contain blanks; names do not.
    let partial = match takes {
        Takes::Resource | Takes::State | Takes::File | Takes::TypeOrResource => whole,
        _ => rest.rsplit(char::is_whitespace).next().unwrap_or_default(),
    };
    let completion = match takes {
        Takes::Nothing => Completion::Nothing,
        Takes::Command => Completion::Topics,
        Takes::Code => Completion::Codes,
        Takes::Fact => Completion::Facts,
        Takes::TypeAndTitle => match whole.split_once(char::is_whitespace) {
            Some((name, _)) => Completion::PlainTitles(name.to_lowercase()),
            None => Completion::Types,
        },
        Takes::Type => Completion::Types,
        Takes::TypeAndWhy => Completion::TypesOrWhy,
        Takes::TypeOrResource => Completion::TypesOrReferences,
        Takes::File => Completion::Files,
        Takes::Resource | Takes::State => Completion::References,
    };
    LineCursor { completion, start: text.len() - partial.len(), partial: partial.to_owned(), quote: None }
}

fn completion(frames: &[Frame], tokens: &[ResourceToken]) -> Completion {
    let inner = match frames {
        [] => {
            // A complete declaration is not followed by another type on the same line.
            return if tokens
                .last()
                .is_none_or(|t| matches!(t.kind, ResourceTokenKind::Close(_) | ResourceTokenKind::Comment | ResourceTokenKind::Sign(_)))
            {
                Completion::Types
            } else {
                Completion::Nothing
            };
        }
        [.., resource @ Frame::Resource { .. }, Frame::Other] => resource,
        [.., last] => last,
    };
    match inner {
        Frame::Resource { type_name: Some(name), stage: Stage::Title, .. } => Completion::Titles(name.clone()),
        Frame::Resource { type_name, stage: Stage::Attribute, given, state, .. } => {
            Completion::Attributes { type_name: type_name.clone(), state: *state, given: given.clone() }
        }
        Frame::Resource { type_name, stage: Stage::Value, attribute, .. } => {
            Completion::Values { type_name: type_name.clone(), attribute: attribute.clone() }
        }
        Frame::Reference(name) => Completion::TitlesInReference(name.clone()),
        _ => Completion::Nothing,
    }
}

/// Returns the open brackets before the cursor, each with its progress.
fn frames(text: &str, tokens: &[ResourceToken], takes: Option<Takes>) -> Vec<Frame> {
    let mut frames: Vec<Frame> = Vec::new();
    let mut before: Option<&ResourceToken> = None;
    let mut closed: Option<String> = None;
    let slice = |t: &ResourceToken| text.get(t.range.clone()).unwrap_or_default().to_owned();
    let resource = |type_name: Option<String>, stage: Stage, state: bool| Frame::Resource {
        type_name,
        stage,
        attribute: String::new(),
        given: Vec::new(),
        state,
    };
    for token in tokens {
        match token.kind {
            ResourceTokenKind::Open(bracket) => {
                let is_state = takes == Some(Takes::State) && frames.is_empty();
                let frame = match (bracket, before.map(|b| (b.kind, slice(b)))) {
                    ('{', _) if is_state => resource(closed.take(), Stage::Attribute, true),
                    ('{', Some((ResourceTokenKind::Word, name))) if frames.is_empty() => resource(Some(name), Stage::Title, false),
                    ('{', Some((ResourceTokenKind::Type, name))) if frames.is_empty() => {
                        resource(Some(name.to_lowercase()), Stage::Attribute, false)
                    }
                    ('[', Some((ResourceTokenKind::Type, name))) => Frame::Reference(name.to_lowercase()),
                    _ => Frame::Other,
                };
                frames.push(frame);
            }
            ResourceTokenKind::Close(_) => {
                if let Some(Frame::Reference(name)) = frames.pop() {
                    closed = Some(name);
                }
            }
            _ => {
                if let Some(Frame::Resource { stage, attribute, given, state, .. }) = frames.last_mut() {
                    match (token.kind, *stage) {
                        (ResourceTokenKind::Word, Stage::Attribute) => {
                            *attribute = slice(token);
                            given.push(slice(token));
                        }
                        (ResourceTokenKind::Arrow, _) => *stage = Stage::Value,
                        (ResourceTokenKind::Sign(':'), Stage::Title) => *stage = Stage::Attribute,
                        (ResourceTokenKind::Sign(':'), Stage::Attribute) if *state => *stage = Stage::Value,
                        (ResourceTokenKind::Sign(','), Stage::Value) => *stage = Stage::Attribute,
                        (ResourceTokenKind::Sign(';'), _) => {
                            *stage = Stage::Title;
                            given.clear();
                        }
                        _ => {}
                    }
                }
            }
        }
        before = Some(token);
    }
    frames
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_before_the_cursor_decides_what_can_be_completed() {
        let takes_of = |name: &str| match name {
            "describe" => Some(Takes::Type),
            "help" => Some(Takes::Command),
            "explain" => Some(Takes::Code),
            "facts" => Some(Takes::Fact),
            "trace" => Some(Takes::Resource),
            "is" => Some(Takes::State),
            "load" => Some(Takes::File),
            "providers" => Some(Takes::TypeAndWhy),
            _ => None,
        };
        let attributes = |given: &[&str], state| Completion::Attributes {
            type_name: Some("user".into()),
            state,
            given: given.iter().map(|g| (*g).to_owned()).collect(),
        };
        let values = |name: &str| Completion::Values { type_name: Some("user".into()), attribute: name.into() };
        let cases = [
            (":explain RT0", Completion::Codes, "RT0"),
            (":facts os.", Completion::Facts, "os."),
            ("", Completion::Types, ""),
            ("us", Completion::Types, "us"),
            ("user { 'a': } fi", Completion::Types, "fi"),
            ("user x", Completion::Nothing, "x"),
            ("user { ", Completion::Titles("user".into()), ""),
            ("user { 'ro", Completion::Titles("user".into()), "ro"),
            ("user { ['a', 'b", Completion::Titles("user".into()), "b"),
            ("user { 'a': sh", attributes(&[], false), "sh"),
            ("user { 'a': uid => 1, sh", attributes(&["uid"], false), "sh"),
            ("user { 'a': ensure => pre", values("ensure"), "pre"),
            ("user { 'a': groups => ['a', 'b", values("groups"), "b"),
            ("user { 'a': require => User['x", Completion::TitlesInReference("user".into()), "x"),
            ("user { 'a': uid => 1; 'b", Completion::Titles("user".into()), "b"),
            ("User { sh", attributes(&[], false), "sh"),
            (":d", Completion::Commands, ":d"),
            (":describe us", Completion::Types, "us"),
            (":help d", Completion::Topics, "d"),
            (":trace User[ro", Completion::References, "User[ro"),
            (":is User[a b] { en", attributes(&[], true), "en"),
            (":is User[a] { ensure: pre", values("ensure"), "pre"),
            (":is { ensure: pre", Completion::Values { type_name: None, attribute: "ensure".into() }, "pre"),
            (":load src/m", Completion::Files, "src/m"),
            (":providers user --", Completion::TypesOrWhy, "--"),
            ("user { 'a': # sh", Completion::Nothing, ""),
        ];
        for (text, completion, partial) in cases {
            let cursor = LineCursor::before(text, &takes_of);
            assert_eq!((cursor.completion, cursor.partial.as_str()), (completion, partial), "{text}");
        }
    }
}
