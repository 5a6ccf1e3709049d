//! Explains unexpected tokens by the tokens around them.

use super::outline::{Construct, Outline, kind};
use super::token::{Token, TokenKind};
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::source::{Source, Span};

/// An unexpected token with the tokens around it.
struct Spot<'a> {
    source: &'a Source,
    tokens: &'a [Token],
    at: usize,
    before: Option<TokenKind>,
    token: Option<TokenKind>,
    after: Option<TokenKind>,
    construct: Option<Construct>,
}

/// Reports the bracket that is open at the end of the source.
pub(super) fn unclosed(source: &Source, tokens: &[Token], outline: &Outline<'_>) -> Diagnostic {
    let open = outline.suspects.first().or(outline.open.last()).copied().unwrap_or_default();
    let spot = Spot::new(source, tokens, outline, open);
    let text = spot.text(open);
    let found = Diagnostic::new(Code::Unclosed, spot.span(open), format!("unclosed `{text}`"));
    found.also(source.span_of(source.text().len()..source.text().len()), "the file ends here")
}

/// Reports a token that cannot follow the tokens before it.
pub(super) fn unexpected(source: &Source, tokens: &[Token], outline: &Outline<'_>, at: usize) -> Diagnostic {
    let spot = Spot::new(source, tokens, outline, at);
    let known = spot
        .unknown_character()
        .or_else(|| spot.condition())
        .or_else(|| spot.parameter())
        .or_else(|| spot.attribute())
        .or_else(|| spot.title())
        .or_else(|| spot.comma())
        .or_else(|| spot.operator())
        .or_else(|| spot.definition())
        .or_else(|| spot.bracket(outline));
    known.unwrap_or_else(|| spot.plain())
}

impl<'a> Spot<'a> {
    fn new(source: &'a Source, tokens: &'a [Token], outline: &Outline<'_>, at: usize) -> Spot<'a> {
        Spot {
            source,
            tokens,
            at,
            before: at.checked_sub(1).and_then(|b| kind(tokens, b)),
            token: kind(tokens, at),
            after: kind(tokens, at + 1),
            construct: outline.construct(at),
        }
    }

    fn span(&self, at: usize) -> Span {
        let end = self.source.text().len();
        self.tokens.get(at).map_or_else(|| self.source.span_of(end..end), |t| self.source.span_of(t.start as usize..t.end as usize))
    }

    fn here(&self) -> Span {
        self.span(self.at)
    }

    fn text(&self, at: usize) -> &'a str {
        self.source.slice(self.span(at))
    }

    /// The first line of the unexpected token.
    fn shown(&self) -> &'a str {
        if matches!(self.token, Some(TokenKind::StringMiddle | TokenKind::StringEnd)) {
            return "}";
        }
        self.text(self.at).lines().next().unwrap_or_default()
    }

    /// The place after the token before.
    fn gap(&self) -> Span {
        let end = self.span(self.at.saturating_sub(1)).end;
        Span::new(end, end)
    }

    fn found(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Code::Syntax, self.here(), message)
    }

    fn replaced(&self, message: impl Into<String>, text: &str) -> Diagnostic {
        self.found(message).help(format!("write `{text}`")).fix(format!("replace it with `{text}`"), self.here(), text)
    }

    fn plain(&self) -> Diagnostic {
        match self.token {
            None => match self.missing_condition() {
                Some(at) => {
                    let message = format!("missing condition after `{}`", self.text(at));
                    Diagnostic::new(Code::Syntax, self.span(at), message)
                }
                None => self.found("unexpected end of file"),
            },
            Some(_) => self.found(format!("unexpected `{}`", self.shown())),
        }
    }

    /// Returns the last keyword that is followed by a brace instead of a condition.
    fn missing_condition(&self) -> Option<usize> {
        let is_keyword = |at: usize| {
            let keyword = kind(self.tokens, at);
            matches!(keyword, Some(TokenKind::If | TokenKind::Unless | TokenKind::Elsif | TokenKind::Case))
        };
        (0..self.at).rev().find(|at| is_keyword(*at) && kind(self.tokens, at + 1) == Some(TokenKind::BraceOpen))
    }

    fn ends_value(kind: Option<TokenKind>) -> bool {
        use TokenKind::{
            Boolean, BraceClose, BracketClose, ClassRef, Default, Name, Number, ParenClose, Regex, String, StringEnd, Undef, Variable, Word,
        };
        matches!(
            kind,
            Some(
                Boolean
                    | BraceClose
                    | BracketClose
                    | ClassRef
                    | Default
                    | Name
                    | Number
                    | ParenClose
                    | Regex
                    | String
                    | StringEnd
                    | Undef
                    | Variable
                    | Word
            )
        )
    }

    fn begins_value(kind: Option<TokenKind>) -> bool {
        use TokenKind::{
            Boolean, BraceOpen, ClassRef, Default, Heredoc, ListStart, Name, Number, Regex, String, StringStart, Undef, Variable, Word,
        };
        matches!(
            kind,
            Some(
                Boolean
                    | BraceOpen
                    | ClassRef
                    | Default
                    | Heredoc
                    | ListStart
                    | Name
                    | Number
                    | Regex
                    | String
                    | StringStart
                    | Undef
                    | Variable
                    | Word
            )
        )
    }

    fn unknown_character(&self) -> Option<Diagnostic> {
        let text = self.shown();
        match (self.token?, self.before) {
            (TokenKind::Unknown, _) if text == "&" => {
                let both = if self.text(self.at + 1) == "&" { self.here().to(self.span(self.at + 1)) } else { self.here() };
                let found = Diagnostic::new(Code::Syntax, both, format!("unknown operator `{}`", self.source.slice(both)));
                Some(found.help("write `and`").fix("replace it with `and`", both, "and"))
            }
            (TokenKind::Pipe, Some(_)) if self.after == Some(TokenKind::Pipe) && Self::ends_value(self.before) => {
                let both = self.here().to(self.span(self.at + 1));
                let found = Diagnostic::new(Code::Syntax, both, "unknown operator `||`");
                Some(found.help("write `or`").fix("replace it with `or`", both, "or"))
            }
            (TokenKind::Unknown, _) => Some(self.found(format!("unexpected character `{text}`"))),
            (TokenKind::Tilde, _) => Some(self.found("unknown operator `~`").help("relationships are written `~>` and `<~`, matches `=~`")),
            _ => None,
        }
    }

    fn condition(&self) -> Option<Diagnostic> {
        match (self.before, self.token?) {
            (Some(TokenKind::Else), TokenKind::If) => {
                let both = self.span(self.at - 1).to(self.here());
                let found = Diagnostic::new(Code::Syntax, both, "`else if` is not a keyword");
                Some(found.help("write `elsif`").fix("replace it with `elsif`", both, "elsif"))
            }
            (Some(TokenKind::Else), _) => Some(self.found(format!("expected `{{` after `else`, found `{}`", self.shown()))),
            (_, TokenKind::Name) if self.shown() == "then" => Some(self.found("`then` is not a keyword").fix("remove it", self.here(), "")),
            (Some(TokenKind::BraceClose), TokenKind::Elsif) => Some(self.found("`elsif` without a matching `if`")),
            (_, token @ (TokenKind::Else | TokenKind::Elsif)) => {
                let word = if token == TokenKind::Else { "else" } else { "elsif" };
                Some(self.found(format!("`{word}` without a matching `if`")))
            }
            (_, TokenKind::BraceOpen) if self.construct == Some(Construct::Case) && Self::ends_value(self.before) => {
                Some(self.found("missing `:` before the statements of the option").fix("insert a colon", self.gap(), ":"))
            }
            (Some(TokenKind::Colon), _) if self.construct == Some(Construct::Case) => Some(
                self.found(format!("expected `{{` after `:`, found `{}`", self.shown()))
                    .help("put the statements of the option into braces"),
            ),
            (_, TokenKind::Arrow) if self.construct == Some(Construct::Case) => Some(self.replaced("options of `case` end with `:`", ":")),
            _ if self.loop_keyword().is_some() => {
                let word = self.loop_keyword()?;
                Some(self.found(format!("`{word}` is not a keyword")).help("loop with `$array.each |$element| { … }`"))
            }
            _ => None,
        }
    }

    /// Returns the name of a loop of another language at the start of the statement.
    fn loop_keyword(&self) -> Option<&'a str> {
        let back = (1..=3).filter_map(|n| self.at.checked_sub(n));
        let is_name = |at: &usize| {
            kind(self.tokens, *at) == Some(TokenKind::Name) && at.checked_sub(1).and_then(|b| kind(self.tokens, b)) != Some(TokenKind::Dot)
        };
        let mut names = back.filter(is_name).map(|at| self.text(at));
        names.find(|text| matches!(*text, "for" | "foreach" | "while" | "each"))
    }

    fn parameter(&self) -> Option<Diagnostic> {
        let token = self.token?;
        if self.construct != Some(Construct::Parameters) {
            return None;
        }
        let text = self.shown();
        let begins = matches!(self.before, Some(TokenKind::ParenOpen | TokenKind::LineParen | TokenKind::Comma));
        match (self.before, token, self.after) {
            (_, TokenKind::Name, Some(TokenKind::Variable)) if begins => {
                let capital: String = text.chars().take(1).map(|c| c.to_ascii_uppercase()).chain(text.chars().skip(1)).collect();
                Some(self.replaced(format!("`{text}` is not a type: types begin with a capital letter"), &capital))
            }
            (
                Some(TokenKind::ClassRef | TokenKind::BracketClose | TokenKind::ParenOpen | TokenKind::LineParen | TokenKind::Comma),
                TokenKind::Name,
                _,
            ) => {
                let found = self.found(format!("parameter `{text}` has no `$`")).help(format!("write `${text}`"));
                Some(found.fix("add `$`", Span::new(self.here().start, self.here().start), "$"))
            }
            (Some(TokenKind::ClassRef | TokenKind::BracketClose), TokenKind::ParenClose | TokenKind::Comma | TokenKind::Assign, _) => {
                Some(self.found("missing parameter name after the type").help("write the name with `$` after the type"))
            }
            (_, TokenKind::BraceOpen, _) => Some(self.found("missing `)` after the parameters").fix("insert `)`", self.gap(), ")")),
            (_, TokenKind::Semicolon, _) => Some(self.replaced("parameters are separated by commas", ",")),
            (_, TokenKind::Arrow, _) => Some(self.replaced("the default of a parameter is written after `=`", "=")),
            (_, TokenKind::Variable | TokenKind::ClassRef, _) if Self::ends_value(self.before) => Some(self.missing_comma()),
            _ => None,
        }
    }

    fn missing_comma(&self) -> Diagnostic {
        let found = Diagnostic::new(Code::MissingComma, self.here(), format!("missing comma before `{}`", self.shown()));
        found.fix("insert a comma", self.gap(), ",")
    }

    fn attribute(&self) -> Option<Diagnostic> {
        let token = self.token?;
        let is_pairs = matches!(self.construct, Some(Construct::Resource | Construct::Selector | Construct::Hash));
        if !is_pairs && !matches!(self.construct, Some(Construct::Paren | Construct::Bracket)) {
            return None;
        }
        let text = self.shown();
        // Variables cannot be names of attributes: a bracket before them is missing.
        let follows_name =
            Self::ends_value(self.before) && (self.before != Some(TokenKind::Variable) || self.construct == Some(Construct::Selector));
        match token {
            TokenKind::Colon if self.source.text().get(self.here_end()..).is_some_and(|rest| rest.starts_with("//")) => {
                Some(self.found("URLs must be quoted").help("put the URL into single quotes"))
            }
            TokenKind::Assign if is_pairs && self.text(self.at + 1) == ">" => {
                let both = self.here().to(self.span(self.at + 1));
                Some(Diagnostic::new(Code::Syntax, both, "`=>` is one operator").fix("remove the blank", both, "=>"))
            }
            TokenKind::Assign | TokenKind::Equal | TokenKind::Colon | TokenKind::Before | TokenKind::Append if is_pairs && follows_name => {
                let before = self.text(self.at - 1);
                Some(self.replaced(format!("expected `=>` after `{before}`, found `{text}`"), "=>"))
            }
            TokenKind::ClassRef if self.after == Some(TokenKind::Arrow) && is_pairs && !Self::ends_value(self.before) => {
                Some(self.replaced(format!("`{text}` is not the name of an attribute"), &text.to_lowercase()))
            }
            TokenKind::Variable if self.after == Some(TokenKind::Arrow) && self.construct == Some(Construct::Resource) => {
                let found = self.found(format!("`{text}` is not the name of an attribute"));
                Some(found.help("names of attributes are fixed; set attributes from a hash with `* => $hash`"))
            }
            TokenKind::BraceClose | TokenKind::Comma
                if self.construct == Some(Construct::Hash) && self.two_before() == Some(TokenKind::Assign) =>
            {
                let assign = self.span(self.at - 2);
                let found = Diagnostic::new(Code::Syntax, assign, "expected `=>` after a key, found `=`").help("write `=>`");
                Some(found.fix("replace it with `=>`", assign, "=>"))
            }
            TokenKind::BraceClose | TokenKind::Comma if self.construct == Some(Construct::Hash) && self.follows_key() => {
                Some(self.found(format!("missing `=>` and a value after `{}`", self.text(self.at - 1))))
            }
            TokenKind::Arrow if matches!(self.before, Some(TokenKind::Colon | TokenKind::Comma | TokenKind::BraceOpen)) => {
                Some(self.found("missing name before `=>`"))
            }
            TokenKind::Arrow if self.before == Some(TokenKind::Arrow) => {
                Some(self.found("duplicate `=>`").fix("remove it", self.here(), ""))
            }
            _ if self.before == Some(TokenKind::Arrow) && !Self::begins_value(self.token) => {
                Some(self.found(format!("missing value before `{text}`")))
            }
            _ => None,
        }
    }

    fn two_before(&self) -> Option<TokenKind> {
        self.at.checked_sub(2).and_then(|at| kind(self.tokens, at))
    }

    fn follows_key(&self) -> bool {
        matches!(self.two_before(), Some(TokenKind::BraceOpen | TokenKind::Comma)) && Self::ends_value(self.before)
    }

    fn here_end(&self) -> usize {
        self.tokens.get(self.at).map_or(0, |t| t.end as usize)
    }

    /// Titles of resources.
    fn title(&self) -> Option<Diagnostic> {
        let token = self.token?;
        let follows_title = matches!(self.two_before(), Some(TokenKind::BraceOpen | TokenKind::Semicolon)) && Self::ends_value(self.before);
        if self.construct == Some(Construct::Resource) && follows_title {
            let title = self.text(self.at - 1);
            if self.before == Some(TokenKind::Regex) {
                return Some(self.found("paths must be quoted").help("put the path into single quotes"));
            }
            if self.after == Some(TokenKind::Arrow) {
                let found = self.found(format!("missing `:` after the title {title}"));
                return Some(found.fix("insert a colon", self.gap(), ":"));
            }
            if token == TokenKind::Comma {
                return Some(self.replaced(format!("expected `:` after the title {title}, found `,`"), ":"));
            }
            if token == TokenKind::BraceClose {
                return Some(self.found(format!("missing `:` after the title {title}")).fix("insert a colon", self.gap(), ":"));
            }
        }
        None
    }

    fn comma(&self) -> Option<Diagnostic> {
        let token = self.token?;
        let in_list = matches!(
            self.construct,
            Some(Construct::Resource | Construct::Hash | Construct::Selector | Construct::Paren | Construct::Bracket)
        );
        if !in_list {
            return None;
        }
        let is_name = Self::begins_value(self.token) || token.is_keyword();
        if is_name && Self::ends_value(self.before) && !(token == TokenKind::BraceOpen) {
            let is_pair = self.after == Some(TokenKind::Arrow);
            let is_list = matches!(self.construct, Some(Construct::Bracket | Construct::Paren));
            return (is_pair || is_list).then(|| self.missing_comma());
        }
        match (self.before, token) {
            (Some(TokenKind::Comma), TokenKind::Comma) => Some(self.found("duplicate comma").fix("remove it", self.here(), "")),
            (_, TokenKind::Colon) if self.construct == Some(Construct::Paren) => {
                Some(self.found("unexpected `:`").help("resources are declared with braces: `name { 'title': … }`"))
            }
            (_, TokenKind::Semicolon) => Some(self.found("unexpected `;`").help("separate values and attributes with commas")),
            _ => None,
        }
    }

    fn operator(&self) -> Option<Diagnostic> {
        use TokenKind as Kind;
        let before = self.before?;
        let code = before as u8;
        let is_operator = code.is_ascii_uppercase() && code >= b'I' || (b'1'..=b'7').contains(&code) || before == Kind::Not;
        let sign = self.text(self.at - 1);
        if is_operator {
            let same = self.token == self.before && matches!(before, Kind::Plus);
            if same
                || before == Kind::Plus
                    && self.token == Some(Kind::BraceClose)
                    && self.at >= 2
                    && kind(self.tokens, self.at - 2) == Some(Kind::Plus)
            {
                return Some(self.found("unknown operator `++`").help("variables cannot be changed"));
            }
            let what = if self.token.is_none() { "the end of the file".to_owned() } else { format!("`{}`", self.shown()) };
            return Some(self.found(format!("expected an expression after `{sign}`, found {what}")));
        }
        match (before, self.token) {
            (Kind::Dot, Some(_)) => Some(self.found(format!("expected the name of a function after `.`, found `{}`", self.shown()))),
            (Kind::Semicolon, None | Some(Kind::BraceClose)) if !matches!(self.construct, Some(Construct::Resource)) => {
                let semicolon = self.span(self.at - 1);
                let found =
                    Diagnostic::new(Code::Syntax, self.here(), "expected a statement after `;`").also(semicolon, "separates statements");
                Some(found.fix("remove the semicolon", semicolon, ""))
            }
            (Kind::Comma, None | Some(Kind::BraceClose)) if !matches!(self.construct, Some(Construct::Resource)) => {
                Some(self.found("expected an expression after `,`"))
            }
            (Kind::Variable, Some(Kind::Arrow)) => Some(self.replaced("variables are assigned with `=`", "=")),
            _ => None,
        }
    }

    fn definition(&self) -> Option<Diagnostic> {
        use TokenKind as Kind;
        let shown = self.shown();
        match (self.before?, self.token?) {
            (Kind::Class | Kind::Define | Kind::Function | Kind::Node | Kind::Inherits, Kind::BraceOpen | Kind::ParenOpen) => {
                Some(self.found(format!("missing name after `{}`", self.text(self.at - 1))))
            }
            (Kind::Name, Kind::ClassRef) if shown.starts_with("::") => {
                Some(self.replaced("segments of names begin with a lower-case letter", &shown.to_lowercase()))
            }
            (Kind::Inherits, _) => Some(self.found(format!("expected the name of a class after `inherits`, found `{shown}`"))),
            (Kind::ShiftRight, _) => Some(self.found(format!("expected a type after `>>`, found `{shown}`"))),
            (Kind::ClassRef, token)
                if Self::begins_value(Some(token)) && self.at >= 2 && kind(self.tokens, self.at - 2) == Some(Kind::Type) =>
            {
                let found = self.found(format!("expected `=` before `{shown}`"));
                Some(found.fix("insert `=`", Span::new(self.here().start, self.here().start), "= "))
            }
            _ => None,
        }
    }

    /// A closing bracket of another kind than the open one.
    fn bracket(&self, outline: &Outline<'_>) -> Option<Diagnostic> {
        let close = match self.token? {
            TokenKind::BraceClose => "}",
            TokenKind::ParenClose => ")",
            TokenKind::BracketClose => "]",
            _ => return None,
        };
        let Some(open) = outline.opener(self.at) else {
            return Some(Diagnostic::new(Code::Unopened, self.here(), format!("unmatched `{close}`")));
        };
        let expected = match self.text(open) {
            "{" => "}",
            "(" => ")",
            _ => "]",
        };
        if expected == close {
            return None;
        }
        if outline.construct(open) == Some(Construct::Parameters) {
            let found = Diagnostic::new(Code::Unclosed, self.span(open), format!("unclosed `{}`", self.text(open)));
            return Some(found.also(self.here(), format!("expected `{expected}`")));
        }
        let found = self.found(format!("expected `{expected}`, found `{close}`")).also(self.span(open), "opened here");
        Some(found.fix(format!("insert `{expected}`"), self.gap(), expected))
    }
}
