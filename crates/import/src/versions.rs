//! Versions and requirements of RubyGems: their text, which functions of the language compare.

use super::block::*;
use super::ruby::{self, name};
use ruby_prism::{CallNode, Node};

impl BlockTranslator<'_> {
    /// Translates an expression that is a `Gem::Version` to its text, which is checked where it is compared.
    pub(super) fn gem_version(&mut self, node: &Node<'_>) -> Text<Option<String>> {
        if let Some(local) = node.as_local_variable_read_node() {
            let local = ruby::local(&local.name());
            return Ok(self.own.versions.contains(&local).then_some(local));
        }
        match made(node, "Gem::Version").as_deref() {
            Some([text]) => self.expr(text, TERNARY).map(Some),
            _ => Ok(None),
        }
    }

    /// Translates an expression that is a `Gem::Requirement` to its text, or the list of texts.
    fn gem_requirement(&mut self, node: &Node<'_>) -> Text<Option<String>> {
        if let Some(local) = node.as_local_variable_read_node() {
            let local = ruby::local(&local.name());
            return Ok(self.own.requirements.contains(&local).then_some(local));
        }
        let Some(all) = made(node, "Gem::Requirement") else { return Ok(None) };
        match all.as_slice() {
            [one] => self.expr(one, TERNARY).map(Some),
            many => {
                let all: Text<Vec<String>> = many.iter().map(|a| self.expr(a, TERNARY)).collect();
                Ok(Some(format!("[{}]", all?.join(", "))))
            }
        }
    }

    /// Translates the assignment of a version or a requirement to a local.
    pub(super) fn assign_version(&mut self, variable: &str, value: &Node<'_>, top: bool) -> Text<Option<String>> {
        self.own.versions.remove(variable);
        self.own.requirements.remove(variable);
        if let Some(version) = self.gem_version(value)? {
            let assigned = self.assign(variable.to_owned(), &format!("gem_version({version})"), top)?;
            self.own.versions.insert(variable.to_owned());
            return Ok(Some(assigned));
        }
        if let Some(requirement) = self.gem_requirement(value)? {
            let assigned = self.assign(variable.to_owned(), &requirement, top)?;
            self.own.requirements.insert(variable.to_owned());
            return Ok(Some(assigned));
        }
        Ok(None)
    }

    /// Translates what is asked of versions.
    pub(super) fn of_versions(&mut self, call: &CallNode<'_>, method: &str, plain: &[Node<'_>]) -> Text<Option<(String, u8)>> {
        let Some(receiver) = call.receiver() else { return Ok(None) };
        if let (Some("Gem::Version"), "correct?", [text]) = (ruby::constant(&receiver).as_deref(), method, plain) {
            let text = self.expr(text, TERNARY)?;
            return Ok(Some((format!("(try {{ gem_version({text}) }} else {{ nil }}).is_a?(String)"), OPERAND)));
        }
        if let ("satisfied_by?" | "===" | "=~", [version]) = (method, plain) {
            let Some(requirement) = self.gem_requirement(&receiver)? else { return Ok(None) };
            let Some(version) = self.gem_version(version)? else { return no(version, "a version is expected here") };
            return Ok(Some((format!("gem_satisfies({version}, {requirement})"), OPERAND)));
        }
        if let (Some([of, requirement]), "match?" | "=~", [named, version]) = (made(&receiver, "Gem::Dependency").as_deref(), method, plain)
            && ruby::text(of).is_some()
            && ruby::text(of) == ruby::text(named)
        {
            let (version, requirement) = (self.expr(version, TERNARY)?, self.expr(requirement, TERNARY)?);
            // A version with letters meets only requirements that have some, too.
            let letters = "match?(/[a-zA-Z-]/)";
            let is_alike = format!("(!gem_version({version}).{letters} || ({requirement}).to_s.{letters})");
            return Ok(Some((format!("{is_alike} && gem_satisfies({version}, {requirement})"), AND)));
        }
        let Some(left) = self.gem_version(&receiver)? else { return Ok(None) };
        let is_local = receiver.as_local_variable_read_node().is_some();
        let text = if is_local { left.clone() } else { format!("gem_version({left})") };
        Ok(Some(match (method, plain) {
            ("<" | "<=" | ">" | ">=" | "==" | "!=" | "<=>", [other]) => {
                let right = match self.gem_version(other)? {
                    Some(right) => right,
                    // A text that is not a version is an error only here.
                    None if matches!(method, "<" | "<=" | ">" | ">=") => self.expr(other, TERNARY)?,
                    None => return no(other, "a version is expected here"),
                };
                let compared = format!("gem_versioncmp({left}, {right})");
                if method == "<=>" { (compared, OPERAND) } else { (format!("{compared} {method} 0"), COMPARE) }
            }
            ("between?", [first, last]) => {
                let Some(first) = self.gem_version(first)? else { return no(first, "a version is expected here") };
                let Some(last) = self.gem_version(last)? else { return no(last, "a version is expected here") };
                (format!("gem_versioncmp({left}, {first}) >= 0 && gem_versioncmp({left}, {last}) <= 0"), AND)
            }
            ("to_s" | "version", []) => (text, OPERAND),
            ("prerelease?", []) => (format!("{text}.match?(/[a-zA-Z]/)"), OPERAND),
            ("segments", []) => {
                let number = "part.match?(/\\A[0-9]/) ? part.to_i : part";
                (format!("{text}.scan(/[0-9]+|[a-z]+/i).map {{ |part| {number} }}"), OPERAND)
            }
            ("nil?", []) => ("false".to_owned(), OPERAND),
            _ => return no(&call.as_node(), format!("`{method}` of a `Gem::Version` is not supported")),
        }))
    }
}

/// Returns the arguments of `Gem::Version.new(…)`, or of another class.
fn made<'p>(node: &Node<'p>, class: &str) -> Option<Vec<Node<'p>>> {
    if let Some(inner) = node.as_parentheses_node() {
        let mut inner = ruby::statements(inner.body());
        let only = inner.pop().filter(|_| inner.is_empty())?;
        return if only.as_parentheses_node().is_none() { made(&only, class) } else { None };
    }
    let call = node.as_call_node()?;
    let creates = matches!(name(&call.name()).as_str(), "new" | "create")
        && call.receiver().as_ref().and_then(ruby::constant).as_deref() == Some(class);
    let (plain, named) = ruby::arguments(call.arguments());
    (creates && named.is_empty() && call.block().is_none() && plain.iter().all(|a| a.as_splat_node().is_none())).then_some(plain)
}
