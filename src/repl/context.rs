//! What is wanted at the cursor.

use super::commands::{self, Takes};
use super::lexer::{Kind, Token, lex};

/// What can be completed at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Types,
    /// Commands, after `:`.
    Commands,
    /// Names of commands without colon.
    Topics,
    Files,
    /// `User[root]` of what is declared.
    References,
    /// Types, or `User[root]`.
    TypesOrReferences,
    /// Types, or the flag `--why`.
    TypesOrWhy,
    /// Titles of a type: on the machine, and declared.
    Titles(String),
    /// Titles of a type that are declared.
    Declared(String),
    Attributes {
        type_name: Option<String>,
        /// A state: properties only, written `name: value`.
        state: bool,
        given: Vec<String>,
    },
    Values {
        type_name: Option<String>,
        attribute: String,
    },
    Nothing,
}

/// The cursor: what is wanted, and what is typed of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub wanted: Wanted,
    /// Where it starts, the quote included.
    pub start: usize,
    /// What is typed of it, without quote.
    pub partial: String,
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

/// Looks at the text before the cursor.
pub(crate) fn place(text: &str) -> Place {
    let mut tokens = lex(text);
    let touching = tokens.pop_if(|t| {
        let ends_here = t.range.end == text.len();
        ends_here && matches!(t.kind, Kind::Word | Kind::Type | Kind::Number | Kind::Command | Kind::Str(false))
    });
    let (start, typed) = match &touching {
        Some(t) => (t.range.start, text.get(t.range.clone()).unwrap_or_default()),
        None => (text.len(), ""),
    };
    let quote = typed.chars().next().filter(|c| matches!(c, '\'' | '"'));
    let partial = typed.trim_start_matches(['\'', '"']).to_owned();
    let nothing = Place { wanted: Wanted::Nothing, start, partial: partial.clone(), quote };
    if tokens.last().is_some_and(|t| t.kind == Kind::Comment && !text.get(t.range.end..).unwrap_or_default().contains('\n')) {
        return nothing;
    }
    if touching.as_ref().is_some_and(|t| t.kind == Kind::Command) {
        return Place { wanted: Wanted::Commands, ..nothing };
    }
    let takes = tokens.first().filter(|t| t.kind == Kind::Command).map(|t| {
        let name = text.get(t.range.clone()).unwrap_or_default().trim_start_matches(':');
        (commands::find(name).map_or(Takes::Nothing, |c| c.takes), t.range.end)
    });
    let frames = frames(text, &tokens, takes.map(|(t, _)| t));
    if let Some((takes, end)) = takes
        && frames.iter().all(|f| matches!(f, Frame::Reference(_)))
    {
        return argument(text, takes, end);
    }
    let wanted = wanted(&frames, &tokens);
    Place { wanted, ..nothing }
}

/// Determines the completion in the arguments of a command.
fn argument(text: &str, takes: Takes, end: usize) -> Place {
    let rest = text.get(end..).unwrap_or_default();
    let whole = rest.trim_start();
    // A reference may hold blanks, a path as well; names do not.
    let partial = match takes {
        Takes::Resource | Takes::State | Takes::File | Takes::TypeOrResource => whole,
        _ => rest.rsplit(char::is_whitespace).next().unwrap_or_default(),
    };
    let wanted = match takes {
        Takes::Nothing => Wanted::Nothing,
        Takes::Command => Wanted::Topics,
        Takes::Type => Wanted::Types,
        Takes::TypeAndWhy => Wanted::TypesOrWhy,
        Takes::TypeOrResource => Wanted::TypesOrReferences,
        Takes::File => Wanted::Files,
        Takes::Resource | Takes::State => Wanted::References,
    };
    Place { wanted, start: text.len() - partial.len(), partial: partial.to_owned(), quote: None }
}

fn wanted(frames: &[Frame], tokens: &[Token]) -> Wanted {
    let inner = match frames {
        [] => {
            // A complete declaration is not followed by another type on the same line.
            return if tokens.last().is_none_or(|t| matches!(t.kind, Kind::Close(_) | Kind::Comment | Kind::Sign(_))) {
                Wanted::Types
            } else {
                Wanted::Nothing
            };
        }
        [.., resource @ Frame::Resource { .. }, Frame::Other] => resource,
        [.., last] => last,
    };
    match inner {
        Frame::Resource { type_name: Some(name), stage: Stage::Title, .. } => Wanted::Titles(name.clone()),
        Frame::Resource { type_name, stage: Stage::Attribute, given, state, .. } => {
            Wanted::Attributes { type_name: type_name.clone(), state: *state, given: given.clone() }
        }
        Frame::Resource { type_name, stage: Stage::Value, attribute, .. } => {
            Wanted::Values { type_name: type_name.clone(), attribute: attribute.clone() }
        }
        Frame::Reference(name) => Wanted::Declared(name.clone()),
        _ => Wanted::Nothing,
    }
}

/// Returns the brackets that are open before the cursor, and how far each has come.
fn frames(text: &str, tokens: &[Token], takes: Option<Takes>) -> Vec<Frame> {
    let mut frames: Vec<Frame> = Vec::new();
    let mut before: Option<&Token> = None;
    let mut closed: Option<String> = None;
    let slice = |t: &Token| text.get(t.range.clone()).unwrap_or_default().to_owned();
    let resource = |type_name: Option<String>, stage: Stage, state: bool| Frame::Resource {
        type_name,
        stage,
        attribute: String::new(),
        given: Vec::new(),
        state,
    };
    for token in tokens {
        match token.kind {
            Kind::Open(bracket) => {
                let is_state = takes == Some(Takes::State) && frames.is_empty();
                let frame = match (bracket, before.map(|b| (b.kind, slice(b)))) {
                    ('{', _) if is_state => resource(closed.take(), Stage::Attribute, true),
                    ('{', Some((Kind::Word, name))) if frames.is_empty() => resource(Some(name), Stage::Title, false),
                    ('{', Some((Kind::Type, name))) if frames.is_empty() => resource(Some(name.to_lowercase()), Stage::Attribute, false),
                    ('[', Some((Kind::Type, name))) => Frame::Reference(name.to_lowercase()),
                    _ => Frame::Other,
                };
                frames.push(frame);
            }
            Kind::Close(_) => {
                if let Some(Frame::Reference(name)) = frames.pop() {
                    closed = Some(name);
                }
            }
            _ => {
                if let Some(Frame::Resource { stage, attribute, given, state, .. }) = frames.last_mut() {
                    match (token.kind, *stage) {
                        (Kind::Word, Stage::Attribute) => {
                            *attribute = slice(token);
                            given.push(slice(token));
                        }
                        (Kind::Arrow, _) => *stage = Stage::Value,
                        (Kind::Sign(':'), Stage::Title) => *stage = Stage::Attribute,
                        (Kind::Sign(':'), Stage::Attribute) if *state => *stage = Stage::Value,
                        (Kind::Sign(','), Stage::Value) => *stage = Stage::Attribute,
                        (Kind::Sign(';'), _) => {
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
    fn what_is_wanted_follows_from_what_stands_before() {
        let attributes = |given: &[&str], state| Wanted::Attributes {
            type_name: Some("user".into()),
            state,
            given: given.iter().map(|g| (*g).to_owned()).collect(),
        };
        let values = |name: &str| Wanted::Values { type_name: Some("user".into()), attribute: name.into() };
        let cases = [
            ("", Wanted::Types, ""),
            ("us", Wanted::Types, "us"),
            ("user { 'a': } fi", Wanted::Types, "fi"),
            ("user x", Wanted::Nothing, "x"),
            ("user { ", Wanted::Titles("user".into()), ""),
            ("user { 'ro", Wanted::Titles("user".into()), "ro"),
            ("user { ['a', 'b", Wanted::Titles("user".into()), "b"),
            ("user { 'a': sh", attributes(&[], false), "sh"),
            ("user { 'a': uid => 1, sh", attributes(&["uid"], false), "sh"),
            ("user { 'a': ensure => pre", values("ensure"), "pre"),
            ("user { 'a': groups => ['a', 'b", values("groups"), "b"),
            ("user { 'a': require => User['x", Wanted::Declared("user".into()), "x"),
            ("user { 'a': uid => 1; 'b", Wanted::Titles("user".into()), "b"),
            ("User { sh", attributes(&[], false), "sh"),
            (":d", Wanted::Commands, ":d"),
            (":describe us", Wanted::Types, "us"),
            (":help d", Wanted::Topics, "d"),
            (":trace User[ro", Wanted::References, "User[ro"),
            (":is User[a b] { en", attributes(&[], true), "en"),
            (":is User[a] { ensure: pre", values("ensure"), "pre"),
            (":is { ensure: pre", Wanted::Values { type_name: None, attribute: "ensure".into() }, "pre"),
            (":load src/m", Wanted::Files, "src/m"),
            (":providers user --", Wanted::TypesOrWhy, "--"),
            ("user { 'a': # sh", Wanted::Nothing, ""),
        ];
        for (text, wanted, partial) in cases {
            let place = place(text);
            assert_eq!((place.wanted, place.partial.as_str()), (wanted, partial), "{text}");
        }
    }
}
