//! Tokens of Puppet's language.

use ecow::EcoString;

/// The kind of a token. Its value is the character that represents the token in `grammar/puppet.pest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names are those of the grammar's terminals, the operators name their text")]
pub enum TokenKind {
    Variable = b'a',
    String = b'b',
    Word = b'c',
    Name = b'd',
    Number = b'e',
    ClassRef = b'f',
    Boolean = b'g',
    Undef = b'h',
    Default = b'i',
    Regex = b'j',
    Private = b'k',
    Attr = b'l',
    RenderText = b'm',
    Skipped = b'n',
    Type = b'o',
    Function = b'p',
    Heredoc = b'q',
    StringStart = b'r',
    StringMiddle = b's',
    StringEnd = b't',
    TemplateStart = b'u',
    RenderStart = b'v',
    RenderEnd = b'w',
    Unknown = b'x',
    Unless = b'y',
    Case = b'A',
    Class = b'B',
    Define = b'C',
    Else = b'D',
    Elsif = b'E',
    If = b'F',
    Inherits = b'G',
    Node = b'H',
    And = b'I',
    Or = b'J',
    In = b'K',
    Matches = b'L',
    NotMatches = b'M',
    Plus = b'N',
    Minus = b'O',
    Times = b'P',
    Divide = b'Q',
    Modulo = b'R',
    ShiftLeft = b'S',
    ShiftRight = b'T',
    NotEqual = b'U',
    Equal = b'V',
    Greater = b'W',
    GreaterEqual = b'X',
    Less = b'Y',
    LessEqual = b'Z',
    Before = b'1',
    Notify = b'2',
    Require = b'3',
    Subscribe = b'4',
    Assign = b'5',
    Append = b'6',
    Delete = b'7',
    PlusArrow = b'8',
    Arrow = b'9',
    BracketOpen = b'[',
    ListStart = b'`',
    BracketClose = b']',
    BraceOpen = b'{',
    SelectorBrace = b'^',
    BraceClose = b'}',
    ParenOpen = b'(',
    LineParen = b'_',
    ParenClose = b')',
    Comma = b',',
    Semicolon = b';',
    Colon = b':',
    Dot = b'.',
    Question = b'?',
    Pipe = b'|',
    At = b'@',
    AtAt = b'&',
    Not = b'!',
    Tilde = b'~',
    CollectOpen = b'<',
    CollectClose = b'>',
    ExportOpen = b'#',
    ExportClose = b'$',
}

impl TokenKind {
    /// Returns `true` for keywords, which become variables between `${` and `}`, and are allowed as names of attributes.
    pub fn is_keyword(self) -> bool {
        use TokenKind::{
            And, Attr, Boolean, Case, Class, Default, Define, Else, Elsif, Function, If, In, Inherits, Node, Or, Private, Type, Undef,
            Unless,
        };
        matches!(
            self,
            And | Attr
                | Boolean
                | Case
                | Class
                | Default
                | Define
                | Else
                | Elsif
                | Function
                | If
                | In
                | Inherits
                | Node
                | Or
                | Private
                | Type
                | Undef
                | Unless
        )
    }

    /// Returns `true` for tokens that begin a statement and nothing else.
    pub fn begins_statement(self) -> bool {
        use TokenKind::{At, AtAt, Case, Class, Define, Function, If, Node, Unless};
        matches!(self, At | AtAt | Case | Class | Define | Function | If | Node | Unless)
    }
}

/// A token with its range of bytes in the source.
#[derive(Clone, Debug)]
pub struct Token {
    /// The kind.
    pub kind: TokenKind,
    /// The first byte in the source.
    pub start: u32,
    /// The byte after the last byte in the source.
    pub end: u32,
    /// The value of strings and heredocs after escapes and margins; `None` if the value is the text of the token.
    pub value: Option<EcoString>,
}

/// A comment of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trivia {
    /// The first byte in the source.
    pub start: u32,
    /// The byte after the last byte in the source.
    pub end: u32,
}

/// All tokens of a source. Bytes between them are white space, comments, the markers of templates and the text of heredocs.
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    /// The tokens in the order of the grammar: `@(END)` is followed by the text of the heredoc.
    pub tokens: Vec<Token>,
    /// The comments in the order of the source.
    pub comments: Vec<Trivia>,
    /// The text of each heredoc, including the end line.
    pub heredocs: Vec<Trivia>,
}
