//! Definitions of tests: `test "…" { … }`, ready to run.

use super::{AttrId, CodeBlock, RelationKind, TypeDef};
use crate::source::Span;
use crate::syntax::ast::{BinaryOp, ResourceDecl, Statement};
use crate::value::{EcoString, Map, Regex, Symbol, Value};
use std::sync::Arc;

/// A test of a type.
#[derive(Clone, Debug)]
pub struct TestDef {
    /// The title.
    pub title: EcoString,
    /// The span of the title.
    pub span: Span,
    /// The type of the resource under test.
    pub type_def: Arc<TypeDef>,
    /// The simulated machine, which overrides the defaults.
    pub given: TestGiven,
    /// Other resources of the catalog.
    pub also: Vec<Statement>,
    /// The resource under test.
    pub resource: ResourceDecl,
    /// The expectations, in order.
    pub checks: Vec<TestCheck>,
}

/// The simulated machine of a test.
#[derive(Clone, Debug, Default)]
pub struct TestGiven {
    /// `facts { … }`, with dotted names expanded to nested maps.
    pub facts: Map,
    /// `features { … }`: platform features, true for present ones.
    pub features: Map,
    /// `settings { … }`
    pub settings: Map,
    /// `binaries …`: the installed programs.
    pub binaries: TestBinaries,
    /// `is { … }`: the current state of the resource under test; `None` for an absent resource.
    pub is: Option<Vec<(AttrId, Value)>>,
    /// `answers { … }`: the return values of the provider's queries.
    pub answers: Map,
}

impl TestGiven {
    /// Returns `true` if the test describes only the state of the resource, so that the defaults apply to the machine.
    pub fn is_ordinary(&self) -> bool {
        let untold = self.facts.is_empty() && self.features.is_empty() && self.settings.is_empty() && self.answers.is_empty();
        untold && matches!(self.binaries, TestBinaries::All)
    }
}

/// The programs installed on a simulated machine.
#[derive(Clone, Debug, Default)]
pub enum TestBinaries {
    /// Every requested program.
    #[default]
    All,
    /// Only these programs.
    Only(Vec<EcoString>),
    /// Every requested program, except for programs with a path or absence given here.
    Except(Map),
}

/// An expectation of a test.
#[derive(Clone, Debug)]
pub enum TestCheck {
    /// `expect e`
    Expect(Box<Expectation>),
    /// `rejects attribute, /pattern/`
    Rejects {
        /// The attribute that the error must be about.
        attribute: Option<Symbol>,
        /// The condition for the error message.
        message: Option<TestMessage>,
        /// The span of the step.
        span: Span,
    },
}

/// The condition for an error message.
#[derive(Clone, Debug)]
pub enum TestMessage {
    /// A match of the regex.
    Matches(Arc<Regex>),
    /// This substring.
    Contains(EcoString),
}

/// `expect e`
#[derive(Clone, Debug)]
pub struct Expectation {
    /// The whole expression.
    pub whole: TestCode,
    /// The parts to show if the expectation fails.
    pub parts: ExpectationParts,
    /// The span of the step.
    pub span: Span,
}

/// The parts of an expectation to show if the expectation fails.
#[derive(Clone, Debug)]
pub enum ExpectationParts {
    /// A comparison: both sides and the operator.
    Compared(TestCode, BinaryOp, TestCode),
    /// `a && b && c`: all operands must hold.
    All(Vec<Expectation>),
    /// `a || b || c`: at least one operand must hold.
    Any(Vec<Expectation>),
    /// Other expressions: the operands, receivers, arguments and conditions that explain the result, otherwise the expression itself.
    Values(Vec<TestCode>),
}

/// An expression in a test, with the outcomes that the expression reads.
#[derive(Clone, Debug)]
pub struct TestCode {
    /// The expression; all slots are parameters.
    pub code: CodeBlock,
    /// The slots for outcomes, filled before evaluation, with the span of each use.
    pub uses: Vec<(u16, TestOutcome, Span)>,
    /// `true` if the expression reads an attribute with a value that must not be shown.
    pub secret: bool,
}

/// A result of the simulated run, available only in tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestOutcome {
    /// `insync(:x)`
    Insync(AttrId),
    /// `change(:x)`
    Change(AttrId),
    /// `plan`
    Plan,
    /// `autorequire`, `autobefore`, `autonotify`, `autosubscribe`
    Relations(RelationKind),
    /// `generate`
    Generate,
    /// `defaulted`
    Defaulted,
    /// `ignored`
    Ignored,
    /// `warnings`
    Warnings,
}

/// Creates the outcome of a property.
type OfProperty = fn(AttrId) -> TestOutcome;

impl TestOutcome {
    /// The keywords without an argument, with their outcome and documentation.
    pub const WORDS: &[(&str, TestOutcome, &str)] = &[
        ("plan", TestOutcome::Plan, "the names of the properties that would change, in order; `ensure` alone when it does"),
        ("autorequire", TestOutcome::Relations(RelationKind::Require), "the resources that `autorequire` blocks name, declared or not"),
        ("autobefore", TestOutcome::Relations(RelationKind::Before), "the resources that `autobefore` blocks name, declared or not"),
        ("autonotify", TestOutcome::Relations(RelationKind::Notify), "the resources that `autonotify` blocks name, declared or not"),
        (
            "autosubscribe",
            TestOutcome::Relations(RelationKind::Subscribe),
            "the resources that `autosubscribe` blocks name, declared or not",
        ),
        ("generate", TestOutcome::Generate, "the resources that would be generated: `title(r)`, `r.x`"),
        ("defaulted", TestOutcome::Defaulted, "the names of the properties and params that have their default"),
        ("ignored", TestOutcome::Ignored, "the names of attributes without effect, because the provider lacks a feature"),
        ("warnings", TestOutcome::Warnings, "the texts of warnings about the resource, those of blocks among them"),
    ];

    /// The keywords that take the name of a property, with their outcome and documentation.
    pub const ASKED: &[(&str, OfProperty, &str)] = &[
        ("insync", TestOutcome::Insync, "whether a property is as wanted, for itself: `insync(:x)`"),
        ("change", TestOutcome::Change, "the words of a property's change, nil when there is none: `change(:x)`"),
    ];

    /// Returns the outcome of a keyword without an argument.
    pub fn named(word: &str) -> Option<TestOutcome> {
        TestOutcome::WORDS.iter().find(|(w, _, _)| *w == word).map(|(_, o, _)| *o)
    }
}
