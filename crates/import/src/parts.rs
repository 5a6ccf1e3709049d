//! Leaves parts of a block in Ruby: what follows a statement that cannot be translated, in the branch or closure that contains it. A
//! resource that does not reach it behaves as in Puppet.

use super::block::{BlockTranslator, Text, Untranslated};
use super::ruby;
use rtype_lang::lower::may_be_untranslated;
use rtype_lang::source::Span;
use rtype_lang::syntax::ast::{Ast, Block, Closure, Directive, ExprKind};
use rtype_lang::syntax::quote;
use rtype_lang::syntax::visit::{Visit, walk, walk_expr};
use ruby_prism::Node;
use std::collections::BTreeMap;

/// The parts of a block that are left in Ruby.
#[derive(Clone, Debug, Default)]
pub struct LeftParts {
    /// Whether parts may be left; a block that is replaced as a whole has none.
    pub is_allowed: bool,
    /// Whether it is the body of a function, which may be left as a whole: what does not call it needs nothing of it.
    pub is_function: bool,
    /// By the start of their first statement.
    left: BTreeMap<usize, Untranslated>,
    /// Values in expressions that are left.
    values: Vec<Untranslated>,
    /// The innermost part around the last error.
    candidate: Option<(usize, Untranslated)>,
}

/// The function whose call is in place of what is left in Ruby.
const LEFT: &str = "untranslated";

/// Maximum number of parts of a block that are left in Ruby.
pub(super) const MAX_PARTS: usize = 8;

impl LeftParts {
    /// Returns the expression in place of the statement that starts here, and of those that follow, if they are left in Ruby.
    pub(super) fn left(&self, start: usize) -> Option<String> {
        self.left.get(&start).map(left_call)
    }

    /// Returns the expression in place of a value that is left in Ruby.
    pub(super) fn also(&mut self, reason: Untranslated) -> String {
        let call = left_call(&reason);
        self.values.push(reason);
        call
    }

    /// Notes that a statement cannot be translated, unless that is already noted of a statement in it.
    pub(super) fn note(&mut self, start: usize, reason: &Untranslated) {
        if self.candidate.as_ref().is_none_or(|(_, known)| known != reason) {
            self.candidate = Some((start, reason.clone()));
        }
    }
}

impl BlockTranslator<'_> {
    /// Translates with parts left in Ruby if it cannot be translated as a whole.
    pub(super) fn in_parts<T>(&mut self, translate: impl Fn(&mut Self) -> Text<T>) -> Text<T> {
        if !self.own.parts.is_allowed {
            return translate(self);
        }
        let before = self.clone();
        let mut left = BTreeMap::new();
        loop {
            let reason = match translate(self) {
                Ok(text) => return Ok(text),
                Err(reason) => reason,
            };
            let candidate = self.own.parts.candidate.take().filter(|(start, known)| *known == reason && !left.contains_key(start));
            let Some((start, _)) = candidate.filter(|_| left.len() < MAX_PARTS) else { return Err(reason) };
            left.insert(start, reason);
            self.clone_from(&before);
            self.own.parts.left.clone_from(&left);
        }
    }

    /// Translates an operand that is not always evaluated.
    pub(super) fn arm(&mut self, node: &Node<'_>, min: u8) -> Text {
        let start = ruby::place(node).start;
        if let Some(left) = self.own.parts.left(start) {
            return Ok(left);
        }
        let text = self.expr(node, min);
        if let Err(reason) = &text {
            self.own.parts.note(start, reason);
        }
        text
    }

    /// Returns the reasons why parts of the block are left in Ruby.
    pub(super) fn left_parts(&self) -> impl Iterator<Item = &Untranslated> {
        self.own.parts.left.values().chain(&self.own.parts.values)
    }
}

/// The call in place of what is left in Ruby.
pub(super) fn left_call(reason: &Untranslated) -> String {
    format!("{LEFT}({})", quote(&reason.text))
}

/// Returns whether a statement is such a call.
pub(super) fn is_left(line: &str) -> bool {
    line.strip_prefix(LEFT).is_some_and(|rest| rest.starts_with('('))
}

/// Returns the span of the innermost statement around an error and of those that follow it in its block; `None` if that is all of a
/// directive's block or such a call already.
pub(super) fn part_around(ast: &Ast, error: Span) -> Option<Span> {
    struct Innermost {
        error: Span,
        part: Option<Span>,
        /// Where the directive's block begins.
        first: Option<u32>,
    }
    impl<'a> Visit<'a> for Innermost {
        fn closure(&mut self, closure: &'a Closure, of: Option<&'a Directive>) {
            if of.is_some() {
                self.first = closure.body.statements.first().map(|first| first.span.start);
            }
            self.block(&closure.body);
        }
        fn block(&mut self, block: &'a Block) {
            let around = block.statements.iter().find(|statement| statement.span.contains(self.error));
            if let (Some(around), Some(last)) = (around, block.statements.last()) {
                let is_left = matches!(&around.kind, ExprKind::Call(call) if call.name.name == LEFT);
                let is_whole = self.first == Some(around.span.start);
                self.part = (!is_left && !is_whole).then(|| Span::new(around.span.start, last.span.end));
                walk_expr(self, around);
            }
        }
    }
    let mut innermost = Innermost { error, part: None, first: None };
    walk(&mut innermost, ast);
    innermost.part
}

/// Returns the reasons that a text contains; an error if such a block cannot have parts in Ruby.
pub(super) fn parts_of(text: &str, found: Vec<Untranslated>) -> Result<Vec<Untranslated>, Untranslated> {
    let mut parts: Vec<Untranslated> = Vec::new();
    for reason in found {
        if text.contains(&left_call(&reason)) && !parts.contains(&reason) {
            parts.push(reason);
        }
    }
    let text = text.strip_prefix("override ").unwrap_or(text);
    let word = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
    match parts.first() {
        Some(first) if word != "fn" && !may_be_untranslated(word) => Err(first.clone()),
        _ => Ok(parts),
    }
}

/// Returns whether a translated statement may end its block.
pub(super) fn may_end(line: &str) -> bool {
    let mut words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.any(|word| matches!(word, "return" | "next" | "fail"))
}
