//! The context of the cursor in a type file: the open brackets, and the tokens before the cursor on the same line.

use super::tokens::{TypeToken, TypeTokenKind, tokens};

/// The construct that a bracket encloses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CursorBody {
    /// The file itself.
    File,
    /// A type, by name.
    Type(String),
    /// A mixin, by name.
    Mixin(String),
    /// A kind, by name.
    Kind(String),
    /// The body of an attribute with this name.
    Attribute(String),
    /// A provider.
    Provider {
        /// The provider's name.
        name: String,
        /// The provider's type.
        of: String,
    },
    /// The rows of `title_patterns`.
    TitlePatterns,
    /// A test.
    Test,
    /// A block such as `facts { … }` in a test.
    TestSetup(String),
    /// Resources in a test; a manifest starts at this byte offset.
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
pub struct OpenBracket {
    /// The enclosed construct.
    pub body: CursorBody,
    /// The tokens since the end of the last directive or statement.
    pub line: Vec<TypeToken>,
}

/// The cursor in a source.
#[derive(Clone, Debug)]
pub struct Cursor<'t> {
    /// The source before the cursor.
    pub text: &'t str,
    /// From the file to the innermost bracket.
    pub frames: Vec<OpenBracket>,
    /// The part of a word before the cursor; without the colon for a symbol.
    pub partial: &'t str,
    /// The byte offset of `partial`.
    pub start: usize,
    /// The token that contains the cursor, if it is not a word: a string, comment, regex or symbol.
    pub inside: Option<TypeToken>,
}

impl<'t> Cursor<'t> {
    /// Analyses the text before the cursor.
    pub fn new(before: &'t str) -> Cursor<'t> {
        let mut all = tokens(before);
        let mut cursor = Cursor { text: before, frames: Vec::new(), partial: "", start: before.len(), inside: None };
        if let Some(last) = all.last().filter(|t| t.range.end == before.len()).cloned() {
            match last.kind {
                TypeTokenKind::Word => {
                    cursor.partial = last.text(before);
                    cursor.start = last.range.start;
                    all.pop();
                }
                TypeTokenKind::Symbol | TypeTokenKind::Str(false) => {
                    let skip = if last.text(before).starts_with(":\"") { 2 } else { 1 };
                    cursor.start = (last.range.start + skip).min(before.len());
                    cursor.partial = before.get(cursor.start..).unwrap_or_default();
                    cursor.inside = all.pop();
                }
                TypeTokenKind::Comment | TypeTokenKind::Regex(false) => cursor.inside = all.pop(),
                _ => {}
            }
        }
        cursor.frames = frames(before, &all);
        cursor
    }

    /// Returns the innermost bracket.
    pub fn inner(&self) -> Option<&OpenBracket> {
        self.frames.last()
    }

    /// Returns the words and punctuation on the line of the innermost bracket.
    pub fn line(&self) -> Vec<&'t str> {
        self.inner().map(|f| f.line.iter().map(|t| t.text(self.text)).collect()).unwrap_or_default()
    }

    /// Returns the type that contains the cursor, directly or in its provider.
    pub fn type_name(&self) -> Option<&str> {
        self.frames.iter().rev().find_map(|f| match &f.body {
            CursorBody::Type(name) | CursorBody::Provider { of: name, .. } => Some(name.as_str()),
            _ => None,
        })
    }

    /// Returns the attribute that contains the cursor.
    pub fn attribute(&self) -> Option<&str> {
        self.frames.iter().rev().find_map(|f| if let CursorBody::Attribute(name) = &f.body { Some(name.as_str()) } else { None })
    }

    /// Returns the keyword of the outermost code block that contains the cursor.
    pub fn block(&self) -> Option<&str> {
        self.frames.iter().find_map(|f| if let CursorBody::Code(name) = &f.body { Some(name.as_str()) } else { None })
    }

    /// Returns the token before the word at the cursor.
    pub fn last(&self) -> Option<&TypeToken> {
        self.inner()?.line.last()
    }

    /// Returns the source of [`Cursor::last`].
    pub fn last_text(&self) -> &'t str {
        self.last().map_or("", |t| t.text(self.text))
    }
}

fn frames(text: &str, all: &[TypeToken]) -> Vec<OpenBracket> {
    let mut frames = vec![OpenBracket { body: CursorBody::File, line: Vec::new() }];
    for token in all {
        match token.kind {
            TypeTokenKind::Comment => continue,
            TypeTokenKind::End => {
                if let Some(frame) = frames.last_mut()
                    && (token.text(text) == ";" || ends(&frame.body, frame.line.last().map(|t| t.text(text))))
                {
                    frame.line.clear();
                }
            }
            TypeTokenKind::Open(bracket) => {
                let body = frames.last().map_or(CursorBody::File, |f| body(text, f, bracket, token.range.end));
                if let Some(frame) = frames.last_mut() {
                    frame.line.push(token.clone());
                }
                frames.push(OpenBracket { body, line: Vec::new() });
            }
            TypeTokenKind::Close(_) => {
                // Keep the frame of the file even if there are too many closing brackets.
                if frames.len() > 1 {
                    frames.pop();
                }
                if let Some(frame) = frames.last_mut() {
                    frame.line.push(token.clone());
                    let ended = token.text(text) == "}" && matches!(frame.body, CursorBody::File);
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

/// Returns `true` if a newline ends the current directive or statement.
fn ends(body: &CursorBody, last: Option<&str>) -> bool {
    let goes_on = matches!(
        last,
        Some(
            "," | "=" | "=>" | "&&" | "||" | "+" | "-" | "*" | "**" | "%" | "==" | "!=" | "<" | ">" | "<=" | ">=" | "=~" | "!~" | "?" | ":"
        )
    );
    !goes_on && !matches!(body, CursorBody::Call(_) | CursorBody::Brackets)
}

/// Determines the construct that a bracket encloses from the tokens before the bracket.
fn body(text: &str, around: &OpenBracket, bracket: char, behind: usize) -> CursorBody {
    let words: Vec<&str> = around.line.iter().map(|t| t.text(text)).filter(|w| *w != "override").collect();
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let last = words.last().copied().unwrap_or_default();
    match bracket {
        '(' => return CursorBody::Call(last.to_owned()),
        '[' => return CursorBody::Brackets,
        '#' => return CursorBody::Code(String::new()),
        _ => {}
    }
    let (first, name) = (word(0), word(1).to_owned());
    match &around.body {
        CursorBody::File => match first {
            "type" => CursorBody::Type(name),
            "mixin" => CursorBody::Mixin(name),
            "kind" => CursorBody::Kind(name),
            "provider" => {
                let of = words.windows(3).find(|w| matches!(w, ["for", ":", _])).and_then(|w| w.last()).copied().unwrap_or_default();
                CursorBody::Provider { name, of: of.to_owned() }
            }
            "test" => CursorBody::Test,
            _ => CursorBody::Code(first.to_owned()),
        },
        CursorBody::Type(_) | CursorBody::Mixin(_) => match first {
            "newparam" | "newproperty" => CursorBody::Attribute(name),
            "ensurable" => CursorBody::Attribute("ensure".to_owned()),
            "provider" => CursorBody::Attribute("provider".to_owned()),
            "title_patterns" => CursorBody::TitlePatterns,
            _ => CursorBody::Code(first.to_owned()),
        },
        CursorBody::Test => match first {
            "facts" | "features" | "settings" | "answers" | "is" | "binaries" | "cases" => CursorBody::TestSetup(first.to_owned()),
            "also" => CursorBody::Resource(behind),
            "expect" | "rejects" => CursorBody::Code(first.to_owned()),
            _ => CursorBody::Resource(around.line.first().map_or(0, |t| t.range.start)),
        },
        CursorBody::Resource(at) => CursorBody::Resource(*at),
        CursorBody::Code(_) | CursorBody::Call(_) | CursorBody::Brackets => CursorBody::Code(last.to_owned()),
        _ => CursorBody::Code(first.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_say_where_the_cursor_is() {
        let named = |s: &str| s.to_owned();
        let cases = [
            ("", CursorBody::File, "", ""),
            ("type a {\n  newp", CursorBody::Type(named("a")), "newp", ""),
            ("type a {\n  newparam x, kind: list(membership: m), na", CursorBody::Type(named("a")), "na", "newparam x , kind : list ( ) ,"),
            ("type a { newparam x {\n desc \"}\"\n newvalues b,\n c; def", CursorBody::Attribute(named("x")), "def", ""),
            ("type a { newparam x { munge { |v| v.str", CursorBody::Code(named("munge")), "str", "| v | v ."),
            ("type a { validate { fail \"#{self.na", CursorBody::Code(named("")), "na", "self ."),
            ("provider p, for: a {\n confine ", CursorBody::Provider { name: named("p"), of: named("a") }, "", "confine"),
            ("test \"t\" {\n a { 'x': col", CursorBody::Resource(12), "col", "'x' :"),
            ("type a { ensurable {\n override munge { |v| if v { ret", CursorBody::Code(named("v")), "ret", ""),
            ("fn f(a) {\n has_feature(", CursorBody::Call(named("has_feature")), "", ""),
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
