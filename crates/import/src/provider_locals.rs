//! Locals around the directives of a provider.

use super::block::{AttributeContext, BlockTranslator, Untranslated};
use super::nodes::visiting;
use super::provider_body::BodyTranslator;
use super::provider_branches::MAX_BRANCHES;
use super::ruby::{self, ByteRange, name};
use rtype_lang::syntax::quote;
use ruby_prism::{CaseNode, DefNode, Node, Visit};
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
                None => self.chosen_by_tests(node, &local, 0),
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

    /// Translates the value of a local in `if x; local = 1; else; local = 2; end`; without `else` it keeps the value from before.
    fn chosen_by_tests(&self, node: &Node<'_>, local: &str, depth: usize) -> Option<Result<String, Untranslated>> {
        let branch = node.as_if_node().filter(|_| depth < MAX_BRANCHES)?;
        let test = self.single(&branch.predicate()).map(|test| operand(&test));
        let yes = self.assigned(&ruby::statements(branch.statements().map(|s| s.as_node())), local)?;
        let no = match branch.subsequent() {
            None => self.locals.iter().rfind(|(known, _)| known == local).map_or_else(|| Ok("nil".to_owned()), |(_, value)| value.clone()),
            Some(next) => match next.as_else_node() {
                Some(other) => self.assigned(&ruby::statements(other.statements().map(|s| s.as_node())), local)?,
                None => self.chosen_by_tests(&next, local, depth + 1)?,
            },
        };
        Some((|| Ok(operand(&format!("{} ? {} : {}", test?, operand(&yes?), operand(&no?)))))())
    }

    /// Records the constants of the body, and the class methods without parameters.
    pub(super) fn note_known(&mut self, body: &[Node<'_>]) {
        for (call, source, at) in self.facts.map(|facts| facts.class_methods.as_slice()).unwrap_or_default() {
            let parsed = ruby_prism::parse(source.text().as_bytes());
            let mut find = FindDef { at, found: None };
            visiting(&parsed.node(), || find.visit(&parsed.node()));
            if let Some(def) = find.found {
                self.note_method(call, source.text(), &def);
            }
        }
        for node in body {
            if let Some(write) = node.as_constant_write_node()
                && let Ok(code) = self.single(&write.value())
            {
                self.known.push((name(&write.name()), code));
            }
            let of_class = node.as_def_node().filter(|d| d.receiver().is_some_and(|of| of.as_self_node().is_some()));
            if let Some(def) = of_class.filter(|def| def.parameters().is_none()) {
                self.note_method(&name(&def.name()), self.source, &def);
            }
        }
    }

    /// Records a class method: as an expression, or as a function of the file if it has several statements.
    fn note_method(&mut self, call: &str, source: &str, def: &DefNode<'_>) {
        self.known.retain(|(known, _)| known != call);
        self.functions.retain(|known| known.call != call);
        let context = AttributeContext::default();
        let mut block = BlockTranslator::new(self.owner.scope, source, Some(&context));
        let body = ruby::statements(def.body());
        let (code, inline) = match body.as_slice() {
            [only] if !is_leaving(only) => {
                let value = only.as_instance_variable_or_write_node().map(|write| write.value());
                let code = block.single(value.as_ref().unwrap_or(only));
                (code.clone().map(|code| format!("{{ {code} }}")), code.ok())
            }
            _ => (block.whole(&[], body), None),
        };
        let (function, Ok(code)) = (format!("{}_{}", self.name, call.rsplit('.').next().unwrap_or_default()), code) else { return };
        let is_taken = self.functions.iter().any(|known| known.name == function && known.call != call);
        if is_taken || !ruby::is_word(function.trim_end_matches('?')) {
            return;
        }
        self.known.push((call.to_owned(), inline.unwrap_or_else(|| format!("{function}()"))));
        self.functions.push(ClassFunction { call: call.to_owned(), text: format!("fn {function}() {code}"), name: function });
    }

    /// Puts the functions that conditions call before the provider.
    pub(super) fn called_functions(&mut self) {
        for function in std::mem::take(&mut self.functions) {
            let call = format!("{}()", function.name);
            let places = self.pieces.iter().map(|p| p.text.as_str()).chain(self.before.iter().map(|(text, _)| text.as_str()));
            if places.into_iter().any(|text| text.contains(&call)) {
                self.before.insert(0, (function.text, 0));
            }
        }
    }

    /// Returns whether code calls such a function.
    pub(super) fn calls_function(&self, code: &str) -> bool {
        self.functions.iter().any(|function| code.contains(&format!("{}()", function.name)))
    }

    /// Returns the function that a class method has become.
    pub(super) fn function_named(&self, call: &str) -> Option<String> {
        self.functions.iter().find(|function| function.call == call).map(|function| function.name.clone())
    }

    /// Returns the code for such a constant or the call of such a method.
    pub(super) fn known_code(&self, node: &Node<'_>) -> Option<String> {
        let word = match node.as_constant_read_node() {
            Some(read) => name(&read.name()),
            None => {
                let call = node.as_call_node().filter(|c| c.arguments().is_none() && c.block().is_none())?;
                match call.receiver().filter(|of| of.as_self_node().is_none()) {
                    None => name(&call.name()),
                    Some(of) => format!("{}.{}", ruby::constant(&of)?, name(&call.name())),
                }
            }
        };
        self.known.iter().rfind(|(known, _)| *known == word).map(|(_, code)| code.clone())
    }

    /// Returns the value that the statements of a branch assign to a local, if that is all they do.
    fn assigned(&self, body: &[Node<'_>], local: &str) -> Option<Result<String, Untranslated>> {
        let requires = |n: &Node<'_>| n.as_call_node().is_some_and(|c| c.receiver().is_none() && name(&c.name()) == "require");
        let [one] = body.iter().filter(|n| !requires(n)).collect::<Vec<_>>()[..] else { return None };
        let write = one.as_local_variable_write_node().filter(|w| name(&w.name()) == local)?;
        Some(self.single(&write.value()))
    }
}

/// A class method as a function of the file.
pub(super) struct ClassFunction {
    call: String,
    name: String,
    text: String,
}

/// Finds the method at a place.
struct FindDef<'a, 'p> {
    at: &'a ByteRange,
    found: Option<DefNode<'p>>,
}

impl<'p> Visit<'p> for FindDef<'_, 'p> {
    fn visit_def_node(&mut self, node: &DefNode<'p>) {
        if ruby::at(&node.location()) == *self.at {
            self.found = node.as_node().as_def_node();
        }
        ruby_prism::visit_def_node(self, node);
    }
}

/// Returns whether a statement leaves the method.
fn is_leaving(node: &Node<'_>) -> bool {
    node.as_return_node().is_some() || node.as_begin_node().is_some()
}

/// Returns code in parentheses unless it is a single word or call.
pub(super) fn operand(code: &str) -> String {
    if code.contains(char::is_whitespace) { format!("({code})") } else { code.to_owned() }
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
