//! `test "…" { … }`, ready to run.

use super::{AttrId, Code, RelationKind, TypeDef};
use crate::source::Span;
use crate::syntax::ast::{BinaryOp, ResourceDecl, Statement};
use crate::value::{EcoString, Map, Regex, Symbol, Value};
use std::sync::Arc;

/// A test of a type.
#[derive(Clone, Debug)]
pub struct TestDef {
    /// What it shows.
    pub title: EcoString,
    /// Where the title stands.
    pub span: Span,
    /// The type of the resource under test.
    pub type_def: Arc<TypeDef>,
    /// What the machine is said to be, over what it is unless told otherwise.
    pub given: TestGiven,
    /// The other resources.
    pub also: Vec<Statement>,
    /// The resource under test.
    pub resource: ResourceDecl,
    /// What must hold, in order.
    pub checks: Vec<TestCheck>,
}

/// The machine of a test.
#[derive(Clone, Debug, Default)]
pub struct TestGiven {
    /// `facts { … }`, dotted names unfolded.
    pub facts: Map,
    /// `features { … }`: whether each holds.
    pub features: Map,
    /// `settings { … }`
    pub settings: Map,
    /// `binaries …`: which programs there are.
    pub binaries: TestBinaries,
    /// `is { … }`: the state of the resource under test; `None` when there is nothing.
    pub is: Option<Vec<(AttrId, Value)>>,
    /// `answers { … }`: what queries of the provider answer.
    pub answers: Map,
}

impl TestGiven {
    /// Whether the machine is an ordinary one, whatever is there of the resource.
    pub fn is_ordinary(&self) -> bool {
        let untold = self.facts.is_empty() && self.features.is_empty() && self.settings.is_empty() && self.answers.is_empty();
        untold && matches!(self.binaries, TestBinaries::All)
    }
}

/// The programs of a test's machine.
#[derive(Clone, Debug, Default)]
pub enum TestBinaries {
    /// All that are asked for.
    #[default]
    All,
    /// These and no others.
    Only(Vec<EcoString>),
    /// All that are asked for; of these is told whether or where they are.
    Except(Map),
}

/// Something that a test says of its resource.
#[derive(Clone, Debug)]
pub enum TestCheck {
    /// `expect e`
    Expect(Box<Expectation>),
    /// `rejects attribute, /pattern/`
    Rejects {
        /// The attribute that must be blamed.
        attribute: Option<Symbol>,
        /// What the message must say.
        message: Option<TestMessage>,
        /// The whole step.
        span: Span,
    },
}

/// What the message of a refusal must say.
#[derive(Clone, Debug)]
pub enum TestMessage {
    /// It matches.
    Matches(Arc<Regex>),
    /// It holds this text.
    Contains(EcoString),
}

/// `expect e`
#[derive(Clone, Debug)]
pub struct Expectation {
    /// The whole expression.
    pub whole: TestCode,
    /// Both sides where it is a comparison, so that they can be shown.
    pub sides: Option<(TestCode, BinaryOp, TestCode)>,
    /// The whole step.
    pub span: Span,
}

/// An expression of a test and the outcomes that it reads.
#[derive(Clone, Debug)]
pub struct TestCode {
    /// All its slots are arguments.
    pub code: Code,
    /// Which slots must hold which outcomes.
    pub uses: Vec<(u16, Outcome, Span)>,
    /// Whether it asks for an attribute whose value is shown nowhere.
    pub secret: bool,
}

/// What only a test can ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// `insync(:x)`
    Insync(AttrId),
    /// `change(:x)`
    Change(AttrId),
    /// `plan`
    Plan,
    /// `autorequire` and its like
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

/// Makes an outcome of the property that it is asked of.
type OfProperty = fn(AttrId) -> Outcome;

impl Outcome {
    /// The words that stand alone, each with what it is and what it gives.
    pub const WORDS: &[(&str, Outcome, &str)] = &[
        ("plan", Outcome::Plan, "the names of the properties that would change, in order; `ensure` alone when it does"),
        ("autorequire", Outcome::Relations(RelationKind::Require), "the resources that `autorequire` blocks name, declared or not"),
        ("autobefore", Outcome::Relations(RelationKind::Before), "the resources that `autobefore` blocks name, declared or not"),
        ("autonotify", Outcome::Relations(RelationKind::Notify), "the resources that `autonotify` blocks name, declared or not"),
        ("autosubscribe", Outcome::Relations(RelationKind::Subscribe), "the resources that `autosubscribe` blocks name, declared or not"),
        ("generate", Outcome::Generate, "the resources that would be generated: `title(r)`, `r.x`"),
        ("defaulted", Outcome::Defaulted, "the names of the properties and params that have their default"),
        ("ignored", Outcome::Ignored, "the names of attributes without effect, because the provider lacks a feature"),
        ("warnings", Outcome::Warnings, "the texts of warnings about the resource, those of blocks among them"),
    ];

    /// The words that take the name of a property.
    pub const ASKED: &[(&str, OfProperty, &str)] = &[
        ("insync", Outcome::Insync, "whether a property is as wanted, for itself: `insync(:x)`"),
        ("change", Outcome::Change, "the words of a property's change, nil when there is none: `change(:x)`"),
    ];

    /// The outcome that a word stands for.
    pub fn named(word: &str) -> Option<Outcome> {
        Outcome::WORDS.iter().find(|(w, _, _)| *w == word).map(|(_, o, _)| *o)
    }
}
