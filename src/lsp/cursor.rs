//! The context of the cursor in a type file: which brackets are open, and what precedes the cursor on its line.

use super::tokens::{Kind, Token, tokens};

/// The construct that a bracket encloses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Body {
    File,
    Type(String),
    Mixin(String),
    Kind(String),
    /// The body of an attribute: its name, and whether it is a property.
    Attribute(String),
    Provider {
        name: String,
        of: String,
    },
    TitlePatterns,
    Test,
    /// A block such as `facts { … }` in a test.
    TestSetup(String),
    /// Resources in a test; the text from this byte offset is a manifest.
    Resource(usize),
    /// Statements, with the word that precedes the block.
    Code(String),
    /// `name(…)`
    Call(String),
    /// `[…]`
    Brackets,
}

/// An open bracket before the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub body: Body,
    /// The tokens since the end of the last directive or statement.
    pub line: Vec<Token>,
}

/// The cursor in a text.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'t> {
    pub text: &'t str,
    /// From the file to the innermost bracket.
    pub frames: Vec<Frame>,
    /// The part of the word before the cursor, or of a symbol without its colon.
    pub partial: &'t str,
    /// Its byte offset.
    pub start: usize,
    /// The token that contains the cursor, if it is not a word: a string, comment, regex or symbol.
    pub inside: Option<Token>,
}

impl<'t> Cursor<'t> {
    /// Analyses the text before the cursor.
    pub fn new(before: &'t str) -> Cursor<'t> {
        let mut all = tokens(before);
        let mut cursor = Cursor { text: before, frames: Vec::new(), partial: "", start: before.len(), inside: None };
        if let Some(last) = all.last().filter(|t| t.range.end == before.len()).cloned() {
            match last.kind {
                Kind::Word => {
                    cursor.partial = last.text(before);
                    cursor.start = last.range.start;
                    all.pop();
                }
                Kind::Symbol | Kind::Str(false) => {
                    let skip = if last.text(before).starts_with(":\"") { 2 } else { 1 };
                    cursor.start = (last.range.start + skip).min(before.len());
                    cursor.partial = before.get(cursor.start..).unwrap_or_default();
                    cursor.inside = all.pop();
                }
                Kind::Comment | Kind::Regex(false) => cursor.inside = all.pop(),
                _ => {}
            }
        }
        cursor.frames = frames(before, &all);
        cursor
    }

    /// Returns the innermost bracket.
    pub fn inner(&self) -> Option<&Frame> {
        self.frames.last()
    }

    /// Returns the words and punctuation on the line of the innermost bracket.
    pub fn line(&self) -> Vec<&'t str> {
        self.inner().map(|f| f.line.iter().map(|t| t.text(self.text)).collect()).unwrap_or_default()
    }

    /// Returns the type that contains the cursor, directly or in its provider.
    pub fn type_name(&self) -> Option<&str> {
        self.frames.iter().rev().find_map(|f| match &f.body {
            Body::Type(name) | Body::Provider { of: name, .. } => Some(name.as_str()),
            _ => None,
        })
    }

    /// Returns the attribute that contains the cursor.
    pub fn attribute(&self) -> Option<&str> {
        self.frames.iter().rev().find_map(|f| if let Body::Attribute(name) = &f.body { Some(name.as_str()) } else { None })
    }

    /// Returns the keyword of the outermost code block that contains the cursor.
    pub fn block(&self) -> Option<&str> {
        self.frames.iter().find_map(|f| if let Body::Code(name) = &f.body { Some(name.as_str()) } else { None })
    }

    /// Returns the token before the word at the cursor.
    pub fn last(&self) -> Option<&Token> {
        self.inner()?.line.last()
    }

    /// Returns the text of [`Cursor::last`].
    pub fn last_text(&self) -> &'t str {
        self.last().map_or("", |t| t.text(self.text))
    }
}

fn frames(text: &str, all: &[Token]) -> Vec<Frame> {
    let mut frames = vec![Frame { body: Body::File, line: Vec::new() }];
    for token in all {
        match token.kind {
            Kind::Comment => continue,
            Kind::End => {
                if let Some(frame) = frames.last_mut()
                    && (token.text(text) == ";" || ends(&frame.body, frame.line.last().map(|t| t.text(text))))
                {
                    frame.line.clear();
                }
            }
            Kind::Open(bracket) => {
                let body = frames.last().map_or(Body::File, |f| body(text, f, bracket, token.range.end));
                if let Some(frame) = frames.last_mut() {
                    frame.line.push(token.clone());
                }
                frames.push(Frame { body, line: Vec::new() });
            }
            Kind::Close(_) => {
                // Keep the frame of the file even if there are too many closing brackets.
                if frames.len() > 1 {
                    frames.pop();
                }
                if let Some(frame) = frames.last_mut() {
                    frame.line.push(token.clone());
                    let ended = token.text(text) == "}" && matches!(frame.body, Body::File);
                    if ended {
                        frame.line.clear();
                    }
                }
            }
            _ => {
                if let Some(frame) = frames.last_mut() {
                    frame.line.push(token.clone());
                }
            }
        }
    }
    frames
}

/// Returns whether a newline ends the current directive or statement.
fn ends(body: &Body, last: Option<&str>) -> bool {
    let goes_on = matches!(
        last,
        Some(
            "," | "=" | "=>" | "&&" | "||" | "+" | "-" | "*" | "**" | "%" | "==" | "!=" | "<" | ">" | "<=" | ">=" | "=~" | "!~" | "?" | ":"
        )
    );
    !goes_on && !matches!(body, Body::Call(_) | Body::Brackets)
}

/// Determines what a bracket encloses from the tokens before it.
fn body(text: &str, around: &Frame, bracket: char, behind: usize) -> Body {
    let words: Vec<&str> = around.line.iter().map(|t| t.text(text)).filter(|w| *w != "override").collect();
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let last = words.last().copied().unwrap_or_default();
    match bracket {
        '(' => return Body::Call(last.to_owned()),
        '[' => return Body::Brackets,
        '#' => return Body::Code(String::new()),
        _ => {}
    }
    let (first, name) = (word(0), word(1).to_owned());
    match &around.body {
        Body::File => match first {
            "type" => Body::Type(name),
            "mixin" => Body::Mixin(name),
            "kind" => Body::Kind(name),
            "provider" => {
                let of = words.windows(3).find(|w| matches!(w, ["for", ":", _])).and_then(|w| w.last()).copied().unwrap_or_default();
                Body::Provider { name, of: of.to_owned() }
            }
            "test" => Body::Test,
            _ => Body::Code(first.to_owned()),
        },
        Body::Type(_) | Body::Mixin(_) => match first {
            "newparam" | "newproperty" => Body::Attribute(name),
            "ensurable" => Body::Attribute("ensure".to_owned()),
            "provider" => Body::Attribute("provider".to_owned()),
            "title_patterns" => Body::TitlePatterns,
            _ => Body::Code(first.to_owned()),
        },
        Body::Test => match first {
            "facts" | "features" | "settings" | "answers" | "is" | "binaries" => Body::TestSetup(first.to_owned()),
            "also" => Body::Resource(behind),
            "expect" | "rejects" => Body::Code(first.to_owned()),
            _ => Body::Resource(around.line.first().map_or(0, |t| t.range.start)),
        },
        Body::Resource(at) => Body::Resource(*at),
        Body::Code(_) | Body::Call(_) | Body::Brackets => Body::Code(last.to_owned()),
        _ => Body::Code(first.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_say_where_the_cursor_is() {
        let named = |s: &str| s.to_owned();
        let cases = [
            ("", Body::File, "", ""),
            ("type a {\n  newp", Body::Type(named("a")), "newp", ""),
            ("type a {\n  newparam x, kind: list(membership: m), na", Body::Type(named("a")), "na", "newparam x , kind : list ( ) ,"),
            ("type a { newparam x {\n desc \"}\"\n newvalues b,\n c; def", Body::Attribute(named("x")), "def", ""),
            ("type a { newparam x { munge { |v| v.str", Body::Code(named("munge")), "str", "| v | v ."),
            ("type a { validate { fail \"#{self.na", Body::Code(named("")), "na", "self ."),
            ("provider p, for: a {\n confine ", Body::Provider { name: named("p"), of: named("a") }, "", "confine"),
            ("test \"t\" {\n a { 'x': col", Body::Resource(12), "col", "'x' :"),
            ("type a { ensurable {\n override munge { |v| if v { ret", Body::Code(named("v")), "ret", ""),
            ("fn f(a) {\n has_feature(", Body::Call(named("has_feature")), "", ""),
        ];
        for (text, body, partial, line) in cases {
            let cursor = Cursor::new(text);
            assert_eq!(cursor.inner().map(|f| &f.body), Some(&body), "{text}");
            assert_eq!((cursor.partial, cursor.line().join(" ").as_str()), (partial, line), "{text}");
        }
        assert_eq!(Cursor::new("type a { newparam b { x { self.").attribute(), Some("b"));
        assert_eq!(Cursor::new("type a { newparam b { x { self.").type_name(), Some("a"));
    }
}
