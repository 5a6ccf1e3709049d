//! Translates the conditions for the suitability of a provider.

use super::block::{BlockTranslator, Untranslated};
use super::literals::{Literals, key_word, literals};
use super::provider_body::{BodyTranslator, words};
use super::ruby::{self, name};
use super::type_decl::Fragment;
use rtype_lang::syntax::quote;
use ruby_prism::Node;
use std::collections::BTreeSet;

impl BodyTranslator<'_> {
    pub(super) fn confine(&mut self, node: &Node<'_>, named: &[(Node<'_>, Node<'_>)]) {
        let is = |key: &Node<'_>, wanted: &str| ruby::symbol(key).or_else(|| ruby::text(key)).as_deref() == Some(wanted);
        let for_binary = named.iter().any(|(k, v)| is(k, "for_binary") && v.as_true_node().is_some());
        if named.is_empty() {
            return self.left_at(ruby::place(node), "confine", "this `confine` is computed");
        }
        let mut options = Vec::new();
        for (key, value) in named {
            let Some(key) = ruby::symbol(key).or_else(|| ruby::text(key)) else {
                self.left_at(ruby::place(node), "confine", "this `confine` is computed");
                continue;
            };
            let code = match key.as_str() {
                "for_binary" => continue,
                "exists" if !for_binary => match self.literals(value) {
                    Some(Literals { text, patterns: false }) => {
                        options.push(format!("exists: {text}"));
                        continue;
                    }
                    _ => self.coded(value, |path| format!("exists({path})")),
                },
                "exists" => self.coded(value, |program| format!("which({program})")),
                "true" => self.coded(value, |it| it),
                "false" => self.coded(value, |it| format!("!({it})")),
                "any" => self.any(value),
                _ => match self.literals(value) {
                    Some(Literals { text, patterns: false }) => {
                        if key == "feature" {
                            self.platforms.extend(features_in(&text).into_iter().map(|f| (f, self.pieces.len())));
                        }
                        options.push(format!("{}: {text}", key_word(&key)));
                        continue;
                    }
                    Some(_) if value.as_array_node().is_none() => {
                        self.ready(node, format!("# In Puppet a regex in `confine` never fits.\nconfine {}: []", key_word(&key)));
                        continue;
                    }
                    Some(_) => Err(Untranslated { text: "in Puppet a regex in `confine` never fits".into(), at: ruby::place(value) }),
                    None => Err(Untranslated { text: format!("what `{key}` has to be is computed"), at: ruby::place(value) }),
                },
            };
            match code {
                Ok(code) => self.block(node, code),
                Err(reason) => self.refused(node, reason),
            }
        }
        if !options.is_empty() {
            self.ready(node, format!("confine {}", options.join(", ")));
        }
    }

    /// Returns known values; the node may be a local.
    pub(super) fn literals(&self, node: &Node<'_>) -> Option<Literals> {
        let Some(local) = node.as_local_variable_read_node().map(|l| name(&l.name())) else { return literals(node) };
        let (_, value) = self.locals.iter().rev().find(|(known, _)| *known == local)?;
        let text = value.as_ref().ok().filter(|v| v.starts_with('"') && !v.contains("#{"))?;
        Some(Literals { text: text.clone(), patterns: false })
    }

    pub(super) fn block(&mut self, node: &Node<'_>, code: String) {
        let kept = "confine".to_owned();
        self.pieces.push(Fragment { at: ruby::place(node), kept, text: format!("confine {code}"), blocks: 1, ..Fragment::default() });
    }

    /// Returns a block that is true if `wrap` of every value is.
    pub(super) fn coded(&self, node: &Node<'_>, wrap: impl Fn(String) -> String) -> Result<String, Untranslated> {
        if let Some(body) = closure(node) {
            if let [one] = body.as_slice()
                && one.as_return_node().is_none()
            {
                return self.with_locals(wrap(self.single(one)?));
            }
            // Only without a wrapper; wrapping several statements would change the condition.
            return match wrap(String::new()).as_str() {
                "" => {
                    BlockTranslator::new(self.owner.scope, self.source, Some(&super::block::AttributeContext::default())).whole(&[], body)
                }
                _ => Err(Untranslated { text: "several statements in a condition are not supported".into(), at: ruby::place(node) }),
            };
        }
        let values: Vec<Node<'_>> = node.as_array_node().map(|a| a.elements().iter().collect()).unwrap_or_default();
        if node.as_array_node().is_none() {
            return self.with_locals(wrap(self.single(node)?));
        }
        let tests: Result<Vec<String>, Untranslated> = values.iter().map(|v| Ok(format!("({})", wrap(self.single(v)?)))).collect();
        self.with_locals(if values.is_empty() { "true".to_owned() } else { tests?.join(" && ") })
    }

    /// Translates `any: [a, b]`; Puppet does not call closures in it.
    fn any(&self, node: &Node<'_>) -> Result<String, Untranslated> {
        let Some(list) = node.as_array_node() else { return self.coded(node, |it| it) };
        let tests: Result<Vec<String>, Untranslated> = list.elements().iter().map(|v| Ok(format!("({})", self.single(&v)?))).collect();
        let tests = tests?;
        self.with_locals(if tests.is_empty() { "false".to_owned() } else { tests.join(" || ") })
    }

    /// Adds assignments of the locals that an expression reads.
    pub(super) fn with_locals(&self, code: String) -> Result<String, Untranslated> {
        // A single local is replaced by its value.
        let code = match self.locals.iter().rfind(|(local, _)| *local == code) {
            Some((_, value)) => value.clone()?,
            None => code,
        };
        let mut lines = vec![code];
        let mut known: BTreeSet<&str> = BTreeSet::new();
        for (local, value) in self.locals.iter().rev() {
            if lines.iter().any(|l| words(l).any(|w| w == local)) && known.insert(local) {
                lines.insert(0, format!("let {local} = {}", value.clone()?));
            }
        }
        let code = lines.join("\n");
        Ok(if code.contains('\n') { format!("{{\n{code}\n}}") } else { format!("{{ {code} }}") })
    }

    /// Returns the condition of one `confine` as an expression.
    ///
    /// Follows Puppet's `Puppet::Confine`: facts are compared without regard to capitals.
    pub(super) fn test(&self, key: &str, value: &Node<'_>) -> Option<String> {
        let code = |node: &Node<'_>| self.single(node).ok().filter(|_| closure(node).is_none());
        let values: Vec<Node<'_>> = value.as_array_node().map_or_else(Vec::new, |a| a.elements().iter().collect());
        let words = || match value.as_array_node() {
            Some(_) => values.iter().map(|v| ruby::symbol(v).or_else(|| ruby::text(v))).collect::<Option<Vec<_>>>(),
            None => Some(vec![ruby::symbol(value).or_else(|| ruby::text(value))?]),
        };
        Some(match key {
            "true" => format!("({})", code(value)?),
            "false" => format!("!({})", code(value)?),
            "exists" => format!("exists({})", code(value).filter(|_| value.as_array_node().is_none())?),
            "any" | "for_binary" => return None,
            "feature" => words()?.iter().map(|w| format!("feature({})", quote(w))).collect::<Vec<_>>().join(" && "),
            fact => {
                let words: Vec<String> = words()?.iter().map(|w| quote(&w.to_lowercase())).collect();
                format!("[{}].include?(fact({}).to_s.downcase)", words.join(", "), quote(fact))
            }
        })
    }
}

/// Returns the statements of a closure that Puppet calls on evaluation.
fn closure<'p>(node: &Node<'p>) -> Option<Vec<Node<'p>>> {
    if let Some(lambda) = node.as_lambda_node() {
        return Some(ruby::statements(lambda.body()));
    }
    let call = node.as_call_node()?;
    let block = ruby::block(&call)?;
    match (name(&call.name()).as_str(), call.receiver()) {
        ("lambda" | "proc", None) => Some(ruby::statements(block.body())),
        ("new", Some(class)) if ruby::constant(&class).as_deref() == Some("Proc") => Some(ruby::statements(block.body())),
        _ => None,
    }
}

/// Returns the names in the value of `confine feature:`.
pub(super) fn features_in(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|w| !w.is_empty()).map(str::to_owned).collect()
}
