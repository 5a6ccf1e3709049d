//! The constructs that the grammar allows at a position with unexpected text.

use super::hints::one_line;
use std::fmt::{self, Display, Formatter};

/// An expected construct at a position. [`Display`] renders the words after "expected" in a message; no code compares these words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expected<'a> {
    // Missing constructs.
    Value,
    /// A value after an operator.
    ValueAfter(&'a str),
    /// The value of an option or attribute.
    ValueFor(&'a str),
    /// The value of an interpolation in a string.
    InterpolatedValue,
    ValueIfTrue,
    ValueIfFalse,
    ColonAndValueIfFalse,
    Condition,
    ConditionAfterExpect,
    MessageAfterFail,
    MatchSubject,
    PatternAfterBar,
    PatternAndRocket,
    PatternOrText,
    /// The name of a declaration or local.
    NameAfter(&'a str),
    MethodName,
    PathAfterUse,
    FeatureMeaning,
    TestDescription,
    OptionAfterComma,
    ArgumentAfterComma,
    EqualsAndValue,
    ParenthesisAndParameters,
    Brace,
    BraceAndArms,
    BraceAndRows,
    BracedBlock,
    ClosingBracket,
    /// The arrow of an attribute in a manifest.
    RocketAfter(&'a str),
    RocketOrKey,
    RocketOrBarOrIf,
    RocketAndAttributes,
    AttributesAfterRocket,
    ResourceAfterArrow,
    // Constructs that can continue the code.
    Operator(End),
    ListEnd,
    MapEnd,
    MapRocketOrEnd,
    ArgumentsEnd,
    BracketEnd,
    ParametersEnd,
    ClosureParametersEnd,
    HeadEnd,
    DirectiveEnd,
    RowEnd,
    ArmEnd,
    LineEnd,
    Statement,
    Directive,
    Declaration,
    TestStatement,
    Resource,
    ResourceTitle,
    Attribute,
    AttributeOrNextBody,
    AttributeEnd,
}

/// The end of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Brace,
    Parenthesis,
    Statement,
}

impl Display for Expected<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text = match self {
            Expected::ValueAfter(operator) => return write!(f, "a value after `{operator}`"),
            Expected::ValueFor(name) => return write!(f, "a value for `{name}`"),
            Expected::NameAfter(keyword) => return write!(f, "a name after `{keyword}`"),
            Expected::RocketAfter(name) => return write!(f, "`=>` after `{name}`"),
            Expected::Value => "a value",
            Expected::InterpolatedValue => "a value between `#{` and `}`",
            Expected::ValueIfTrue => "a value for the case that it is true",
            Expected::ValueIfFalse => "a value for the case that it is false",
            Expected::ColonAndValueIfFalse => "`:` and the value for the case that it is false",
            Expected::Condition => "a condition",
            Expected::ConditionAfterExpect => "a condition after `expect`",
            Expected::MessageAfterFail => "a message after `fail`",
            Expected::MatchSubject => "a value to match",
            Expected::PatternAfterBar => "a pattern after `|`",
            Expected::PatternAndRocket => "a pattern and `=>`",
            Expected::PatternOrText => "a pattern or text after the comma",
            Expected::MethodName => "a method name after `.`",
            Expected::PathAfterUse => "a path in quotes after `use`",
            Expected::FeatureMeaning => "what the feature means, in quotes",
            Expected::TestDescription => "what the test shows, in quotes",
            Expected::OptionAfterComma => "an option after the comma",
            Expected::ArgumentAfterComma => "an argument after the comma",
            Expected::EqualsAndValue => "`=` and a value",
            Expected::ParenthesisAndParameters => "`(` and the parameters",
            Expected::Brace => "`{`",
            Expected::BraceAndArms => "`{` and the arms",
            Expected::BraceAndRows => "`{` and rows like `/\\A(.*)\\z/ => name`",
            Expected::BracedBlock => "`{ … }`",
            Expected::ClosingBracket => "a closing bracket",
            Expected::RocketOrKey => "`=>` or `key: value`",
            Expected::RocketOrBarOrIf => "`=>`, `|` or `if`",
            Expected::RocketAndAttributes => "`=>` and the attributes",
            Expected::AttributesAfterRocket => "the attributes after `=>`",
            Expected::ResourceAfterArrow => "a resource or a reference after the arrow",
            Expected::Operator(End::Brace) => "an operator or `}`",
            Expected::Operator(End::Parenthesis) => "an operator or `)`",
            Expected::Operator(End::Statement) => "an operator or the end of the statement",
            Expected::ListEnd => "`,` or `]`",
            Expected::MapEnd => "`,` or `}`",
            Expected::MapRocketOrEnd => "`=>`, `,` or `}`",
            Expected::ArgumentsEnd => "`,` or `)`",
            Expected::BracketEnd => "`,` or a closing bracket",
            Expected::ParametersEnd => "a name, `,` or `)`",
            Expected::ClosureParametersEnd => "a name, `,` or `|`",
            Expected::HeadEnd => "`,` or `{`",
            Expected::DirectiveEnd => "`,`, `{` or the end of the directive",
            Expected::RowEnd => "`,` or the end of the row",
            Expected::ArmEnd => "`=>`, `|` or the end of the arm",
            Expected::LineEnd => "the end of the line",
            Expected::Statement => "a statement",
            Expected::Directive => "a directive",
            Expected::Declaration => "`type`, `provider` or another declaration",
            Expected::TestStatement => "a resource, `expect`, `rejects` or another statement of a test",
            Expected::Resource => "a resource",
            Expected::ResourceTitle => "a title in quotes and `:`",
            Expected::Attribute => "an attribute or `}`",
            Expected::AttributeOrNextBody => "an attribute, `;` or `}`",
            Expected::AttributeEnd => "`,`, `;` or `}`",
        };
        f.write_str(text)
    }
}

impl Expected<'_> {
    /// Returns `true` if an expression continues or ends here, so that the text is code.
    pub(crate) fn is_in_code(self) -> bool {
        matches!(self, Expected::Operator(_))
    }

    /// Returns `true` if the position is between directives, or between a directive's arguments.
    pub(crate) fn is_in_directive(self) -> bool {
        matches!(self, Expected::DirectiveEnd | Expected::Directive)
    }

    /// Returns `true` if the position is inside a statement, so that a `/` begins a regex and a `=` belongs to another construct.
    pub(crate) fn is_inside(self) -> bool {
        let is_between = matches!(self, Expected::Statement | Expected::Declaration | Expected::LineEnd | Expected::Resource);
        !is_between && !self.is_in_directive()
    }

    /// Returns the help with a replacement for `found`; with `line_end`, a line break was found.
    pub(crate) fn help(self, found: &str, line_end: bool) -> Option<String> {
        let help = match (self, found) {
            (Expected::ListEnd, _) if found.starts_with(':') => "a range is written `list[1..2]`",
            (Expected::ValueFor(_), "{") => {
                "the value of an option never takes a brace: give a word, text, a number, `[…]` or a value in `(…)`"
            }
            (Expected::Brace, _) => "write its body in braces: `{ … }`",
            (Expected::Statement, "else") => "`else` must be on the line of the `}` before it",
            (Expected::Operator(_), "=") => "to compare, write `==`",
            (_, "=") if self.is_inside() => "to compare, write `==`; an argument with a name is written `name: value`",
            (Expected::RocketOrBarOrIf | Expected::ArmEnd, _) => "an arm is written `pattern => value`",
            (Expected::RocketAndAttributes, _) => "a row is written `/\\A(.*)\\z/ => name`",
            (Expected::ParenthesisAndParameters, _) => "a function always has parentheses: `fn name(x) { … }`, `fn name() { … }`",
            (Expected::EqualsAndValue, _) => "a name gets its value with `=`: `NAME = …`",
            (Expected::RocketAfter(name), _) => {
                return Some(format!("write `{name} => {}`", if line_end { "…" } else { one_line(found) }));
            }
            (Expected::TestDescription, _) => "write `test \"what the test shows\" { … }`",
            (Expected::NameAfter(_), _) => "a name is made of letters, digits and `_`",
            (Expected::ColonAndValueIfFalse, _) => "write `condition ? a : b`; without a second value `a if condition`",
            _ => return None,
        };
        Some(help.to_owned())
    }
}
