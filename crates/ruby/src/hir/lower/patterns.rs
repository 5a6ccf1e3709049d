//! Patterns of `case … in`.

use super::Lowering;
use crate::hir::{ArrayPattern, CaseIn, CasePattern, ExprId, HashPattern, HirKind, InArm, LocalRef, SourceRange};
use ruby_prism::{CaseMatchNode, Node, NodeList, SplatNode};

impl Lowering {
    pub(super) fn case_in(&mut self, case: &CaseMatchNode<'_>, origin: SourceRange) -> ExprId {
        let subject = self.optional(case.predicate(), origin);
        let mut arms = Vec::new();
        for arm in case.conditions().iter().filter_map(|n| n.as_in_node()) {
            let (pattern, guard) = self.guarded(&arm.pattern());
            let body = self.statements(arm.statements(), origin);
            arms.push(InArm { pattern, guard, body });
        }
        let otherwise = case.else_clause().map(|clause| self.statements(clause.statements(), origin));
        self.push(HirKind::CaseIn(Box::new(CaseIn { subject, arms, otherwise })), origin)
    }

    /// Lowers a pattern with an `if` or `unless` after it.
    fn guarded(&mut self, node: &Node<'_>) -> (CasePattern, Option<ExprId>) {
        let inner = |list: Option<ruby_prism::StatementsNode<'_>>, lower: &mut Lowering| {
            list.and_then(|list| list.body().first()).map_or(CasePattern::Unsupported, |pattern| lower.pattern(&pattern))
        };
        if let Some(guard) = node.as_if_node() {
            let pattern = inner(guard.statements(), self);
            return (pattern, Some(self.expr(&guard.predicate())));
        }
        if let Some(guard) = node.as_unless_node() {
            let pattern = inner(guard.statements(), self);
            let condition = self.expr(&guard.predicate());
            let origin = self.origin(node);
            return (pattern, Some(self.push(HirKind::Not(condition), origin)));
        }
        (self.pattern(node), None)
    }

    pub(super) fn pattern(&mut self, node: &Node<'_>) -> CasePattern {
        stacker::maybe_grow(super::STACK.0, super::STACK.1, || self.pattern_form(node).unwrap_or(CasePattern::Unsupported))
    }

    fn pattern_form(&mut self, node: &Node<'_>) -> Option<CasePattern> {
        Some(match node {
            Node::LocalVariableTargetNode { .. } => CasePattern::Bind(self.bound(node)?),
            Node::CapturePatternNode { .. } => {
                let capture = node.as_capture_pattern_node()?;
                let pattern = self.pattern(&capture.value());
                CasePattern::Capture(Box::new(pattern), self.bound(&capture.target().as_node())?)
            }
            Node::AlternationPatternNode { .. } => {
                let either = node.as_alternation_pattern_node()?;
                let left = self.pattern(&either.left());
                let right = self.pattern(&either.right());
                match left {
                    CasePattern::Alternatives(mut all) => {
                        all.push(right);
                        CasePattern::Alternatives(all)
                    }
                    left => CasePattern::Alternatives(vec![left, right]),
                }
            }
            Node::ArrayPatternNode { .. } => {
                let array = node.as_array_pattern_node()?;
                CasePattern::Array(Box::new(ArrayPattern {
                    constant: array.constant().map(|n| self.expr(&n)),
                    before: self.all_patterns(&array.requireds()),
                    rest: array.rest().map(|rest| rest.as_splat_node().and_then(|splat| self.splat_name(&splat))),
                    after: self.all_patterns(&array.posts()),
                    last_rest: None,
                }))
            }
            Node::FindPatternNode { .. } => {
                let find = node.as_find_pattern_node()?;
                CasePattern::Find(Box::new(ArrayPattern {
                    constant: find.constant().map(|n| self.expr(&n)),
                    before: self.all_patterns(&find.requireds()),
                    rest: Some(self.splat_name(&find.left())),
                    after: Vec::new(),
                    last_rest: self.splat_name(&find.right()),
                }))
            }
            Node::HashPatternNode { .. } => self.hash_pattern(node)?,
            Node::ParenthesesNode { .. } => {
                let inner = node.as_parentheses_node()?.body()?;
                let inner = inner.as_statements_node().and_then(|list| list.body().first()).unwrap_or(inner);
                self.pattern(&inner)
            }
            Node::PinnedVariableNode { .. } => CasePattern::Value(self.expr(&node.as_pinned_variable_node()?.variable())),
            Node::PinnedExpressionNode { .. } => CasePattern::Value(self.expr(&node.as_pinned_expression_node()?.expression())),
            Node::ImplicitNode { .. } => self.pattern(&node.as_implicit_node()?.value()),
            _ => CasePattern::Value(self.expr(node)),
        })
    }

    fn all_patterns(&mut self, nodes: &NodeList<'_>) -> Vec<CasePattern> {
        nodes.iter().map(|node| self.pattern(&node)).collect()
    }

    fn bound(&mut self, node: &Node<'_>) -> Option<LocalRef> {
        let target = node.as_local_variable_target_node()?;
        Some(self.local(&target.name(), target.depth()))
    }

    fn splat_name(&mut self, splat: &SplatNode<'_>) -> Option<LocalRef> {
        self.bound(&splat.expression()?)
    }

    fn hash_pattern(&mut self, node: &Node<'_>) -> Option<CasePattern> {
        let hash = node.as_hash_pattern_node()?;
        let mut pattern = HashPattern { constant: hash.constant().map(|n| self.expr(&n)), ..HashPattern::default() };
        for entry in hash.elements().iter() {
            let Some(entry) = entry.as_assoc_node() else { return Some(CasePattern::Unsupported) };
            let key = entry.key();
            let key = self.text(key.as_symbol_node()?.unescaped());
            pattern.entries.push((key, self.pattern(&entry.value())));
        }
        if let Some(rest) = hash.rest() {
            if let Some(splat) = rest.as_assoc_splat_node() {
                pattern.rest = splat.value().and_then(|target| self.bound(&target));
            } else {
                pattern.is_exact = rest.as_no_keywords_parameter_node().is_some();
            }
        }
        // `in {}` matches the empty hash only.
        pattern.is_exact |= pattern.entries.is_empty() && hash.rest().is_none();
        Some(CasePattern::Hash(Box::new(pattern)))
    }
}
