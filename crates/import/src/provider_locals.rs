//! Locals around the directives of a provider.

use super::block::{AttributeContext, BlockTranslator, Untranslated};
use super::provider_body::{BodyTranslator, MAX_BRANCHES};
use super::ruby::{self, name};
use rtype_lang::syntax::quote;
use ruby_prism::{CaseNode, Node};
use std::collections::BTreeSet;

impl BodyTranslator<'_> {
    /// Records a local such as `sysctlconf = '/etc/sysctl.conf'`.
    pub(super) fn local(&mut self, node: &Node<'_>) {
        if let Some(write) = node.as_local_variable_write_node() {
            let value = self.single(&write.value());
            self.locals.push((name(&write.name()), value));
            return;
        }
        let inside = in_branches(node, 0);
        let assigned: BTreeSet<String> = inside.iter().filter_map(|n| Some(name(&n.as_local_variable_write_node()?.name()))).collect();
        for local in assigned {
            let value = match node.as_case_node() {
                Some(case) => self.chosen(&case, &local),
                None => None,
            };
            let value = value.unwrap_or_else(|| {
                let text = format!("what the local `{local}` is depends on a condition");
                Err(Untranslated { text, at: ruby::place(node) })
            });
            self.locals.push((local, value));
        }
    }

    /// Translates the value of a local in `case x when a then local = 1 else local = 2 end`. A branch that cannot be translated
    /// fails with the reason, as long as another one can be.
    fn chosen(&self, case: &CaseNode<'_>, local: &str) -> Option<Result<String, Untranslated>> {
        let mut arms = Vec::new();
        for when in case.conditions().iter() {
            let when = when.as_when_node()?;
            let mut block = BlockTranslator::new(self.owner.scope, self.source, None);
            let patterns: Result<Vec<String>, Untranslated> = when.conditions().iter().map(|c| block.pattern(&c)).collect();
            let value = self.assigned(&ruby::statements(when.statements().map(|s| s.as_node())), local)?;
            arms.push((patterns.map(|p| p.join(" | ")), value));
        }
        let otherwise = case.else_clause().and_then(|e| e.statements()).map(|s| s.as_node());
        arms.push((Ok("_".into()), self.assigned(&ruby::statements(otherwise), local)?));
        if !arms.iter().any(|(_, value)| value.is_ok()) {
            return None;
        }
        let written = || {
            let of = BlockTranslator::new(self.owner.scope, self.source, Some(&AttributeContext::default())).single(&case.predicate()?);
            let rows: Result<Vec<String>, Untranslated> = arms
                .into_iter()
                .map(|(pattern, value)| {
                    Ok(format!("{} => {}", pattern?, value.unwrap_or_else(|reason| format!("fail({})", quote(&reason.text)))))
                })
                .collect();
            Some(of.and_then(|of| Ok(format!("match {of} {{\n{}\n}}", rows?.join("\n")))))
        };
        written()
    }

    /// Returns the value that the statements of a branch assign to a local, if that is all they do.
    fn assigned(&self, body: &[Node<'_>], local: &str) -> Option<Result<String, Untranslated>> {
        let requires = |n: &Node<'_>| n.as_call_node().is_some_and(|c| c.receiver().is_none() && name(&c.name()) == "require");
        let [one] = body.iter().filter(|n| !requires(n)).collect::<Vec<_>>()[..] else { return None };
        let write = one.as_local_variable_write_node().filter(|w| name(&w.name()) == local)?;
        Some(self.single(&write.value()))
    }
}

/// Returns the statements in the branches of a condition.
fn in_branches<'p>(node: &Node<'p>, depth: usize) -> Vec<Node<'p>> {
    if depth >= MAX_BRANCHES {
        return Vec::new();
    }
    if let Some(branch) = node.as_if_node() {
        let mut all = ruby::statements(branch.statements().map(|s| s.as_node()));
        all.extend(branch.subsequent().iter().flat_map(|next| in_branches(next, depth + 1)));
        return all;
    }
    let other = |other: Option<ruby_prism::ElseNode<'p>>| ruby::statements(other.and_then(|e| e.statements()).map(|s| s.as_node()));
    if let Some(branch) = node.as_else_node() {
        return other(Some(branch));
    }
    let Some(case) = node.as_case_node() else { return Vec::new() };
    let whens = case.conditions().iter().filter_map(|w| w.as_when_node()).collect::<Vec<_>>();
    let inside = whens.iter().flat_map(|w| ruby::statements(w.statements().map(|s| s.as_node())));
    inside.chain(other(case.else_clause())).collect()
}
