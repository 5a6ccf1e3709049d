//! Translates `case`: to `match`, or to conditions if its `when` has ranges, lists, closures or computed values.

use super::block::*;
use super::class_functions::Own;
use super::core_calls::class_pattern;
use super::ruby::{self, name};
use ruby_prism::{CaseNode, Node};

impl BlockTranslator<'_> {
    /// Translates a `case`.
    pub(super) fn any_case(&mut self, case: &CaseNode<'_>) -> Text<(String, u8)> {
        if let Some(tested) = self.case_of_tests(case)? {
            return Ok(tested);
        }
        self.case(&case.predicate(), case.conditions().iter().collect(), case.else_clause().and_then(|e| e.statements()))
    }

    /// Translates such a `case`; `None` if all patterns can be those of a `match`.
    pub(super) fn case_of_tests(&mut self, case: &CaseNode<'_>) -> Text<Option<(String, u8)>> {
        let Some(of) = case.predicate() else { return Ok(None) };
        let whens: Vec<_> = case.conditions().iter().filter_map(|w| w.as_when_node()).collect();
        let needs_test = |n: &Node<'_>| {
            n.as_splat_node().is_some()
                || n.as_range_node().is_some()
                || n.as_lambda_node().is_some()
                || n.as_parentheses_node().is_some()
                || n.as_call_node().is_some()
                || n.as_local_variable_read_node().is_some()
                || n.as_instance_variable_read_node().is_some()
                || ruby::constant(n).is_some_and(|c| !self.scope.constants.contains(&c) && is_rare_class(&c))
                || self.known_range(n).is_some()
                || ruby::constant(n).is_some_and(|c| self.scope.lambdas.contains_key(&c))
        };
        if !whens.iter().any(|w| w.conditions().iter().any(|c| needs_test(&c))) {
            return Ok(None);
        }
        // The value is computed once.
        let simple = of.as_local_variable_read_node().is_some() || self.attribute_read(&of).is_some();
        let (subject, kind) = match simple {
            true => (self.expr(&of, OPERAND)?, self.kind(&of)),
            false => (self.unused("given"), self.kind(&of)),
        };
        let mut arms = Vec::new();
        for when in &whens {
            let mut tests = Vec::new();
            for pattern in when.conditions().iter() {
                tests.push(self.when_test(&subject, kind, &pattern)?);
            }
            arms.push((tests.join(" || "), self.branch(&ruby::statements(when.statements().map(|s| s.as_node())))?));
        }
        let chain: Vec<String> = arms.iter().map(|(test, body)| format!("if {test} {body}")).collect();
        let mut text = chain.join(" els");
        if let Some(other) = case.else_clause() {
            text.push_str(&format!(" else {}", self.branch(&ruby::statements(other.statements().map(|s| s.as_node())))?));
        }
        if simple {
            return Ok(Some((text, OPERAND)));
        }
        if text.contains("next") {
            return no(&case.as_node(), "`next` in this `case` is not supported");
        }
        Ok(Some((format!("{}.then {{ |{subject}| {text}\n}}", self.expr(&of, OPERAND)?), OPERAND)))
    }

    /// Translates `pattern === subject`.
    fn when_test(&mut self, subject: &str, kind: Option<Kind>, pattern: &Node<'_>) -> Text {
        let unsupported = format!("`when {}` is not supported", ruby::first_line(&self.slice(pattern)));
        let unknown = || no(pattern, unsupported.clone());
        if let Some(inner) = pattern.as_parentheses_node()
            && let [one] = ruby::statements(inner.body()).as_slice()
        {
            return self.deeper(pattern, |block| block.when_test(subject, kind, one));
        }
        if let Some(splat) = pattern.as_splat_node() {
            let Some(list) = splat.expression() else { return unknown() };
            if let Some(list) = list.as_array_node() {
                let tests: Text<Vec<String>> = list.elements().iter().map(|e| self.when_test(subject, kind, &e)).collect();
                return Ok(tests?.join(" || "));
            }
            // A list of texts, symbols and numbers contains what is equal to one of them.
            let plain = (self.fold)(&ruby::place(&list), &self.locals).is_some_and(|v| v.is_plain_list());
            let plain = plain || list.as_local_variable_read_node().is_some_and(|l| self.plain_lists.contains(&ruby::local(&l.name())));
            // What a provider reports is data, too.
            let reported = self.attribute.is_some_and(|of| of.compares)
                && list.as_call_node().is_some_and(|c| {
                    let given = ruby::arguments(c.arguments()).0;
                    name(&c.name()) == "Array" && matches!(given.as_slice(), [one] if one.as_local_variable_read_node().is_some())
                });
            if !plain && !reported {
                return unknown();
            }
            return Ok(format!("{}.include?({subject})", self.expr(&list, OPERAND)?));
        }
        if let Some(function) = self.class_question(pattern) {
            return Ok(format!("{function}({subject})"));
        }
        if let Some((from, to, excludes)) = self.known_range(pattern) {
            let mut tests = vec![format!("{subject}.is_a?(Numeric)")];
            tests.extend(from.map(|from| format!("{subject} >= {from}")));
            tests.extend(to.map(|to| format!("{subject} {} {to}", if excludes { "<" } else { "<=" })));
            return Ok(format!("({})", tests.join(" && ")));
        }
        if let Some(range) = pattern.as_range_node() {
            let (from, to) = (range.left(), range.right());
            let kinds: Vec<_> = [&from, &to].into_iter().flatten().map(|n| self.kind(n)).collect();
            let data = if kinds.iter().all(|k| matches!(k, Some(Kind::Integer | Kind::Float))) {
                "Numeric"
            } else if kinds.iter().all(|k| *k == Some(Kind::Text)) {
                "String"
            } else {
                return match self.range(pattern)? {
                    Some(range) => Ok(format!("{range}.include?({subject})")),
                    None => unknown(),
                };
            };
            let from = from.map(|n| self.expr(&n, ADD)).transpose()?;
            let to = to.map(|n| self.expr(&n, ADD)).transpose()?;
            let upper = if range.is_exclude_end() { "<" } else { "<=" };
            let mut tests = vec![format!("{subject}.is_a?({data})")];
            tests.extend(from.map(|from| format!("{subject} >= {from}")));
            tests.extend(to.map(|to| format!("{subject} {upper} {to}")));
            return Ok(format!("({})", tests.join(" && ")));
        }
        let made = self.lambda(pattern)?;
        let lambda = match made {
            Some(_) => made,
            None => self.lambda_closure(pattern)?,
        };
        if let Some(lambda) = lambda {
            return if lambda.takes(1) { Ok(format!("{subject}.then{}", lambda.closure)) } else { unknown() };
        }
        if let Some(class) = ruby::constant(pattern).filter(|c| !self.scope.constants.contains(c))
            && let Some(data) = class_pattern(&class)
        {
            return Ok(format!("{subject}.is_a?({data})"));
        }
        if pattern.as_regular_expression_node().is_some() || pattern.as_interpolated_regular_expression_node().is_some() {
            return Ok(format!("{subject} =~ {}", self.expr(pattern, ADD)?));
        }
        if let Some(call) = pattern.as_call_node()
            && name(&call.name()) == "new"
            && call.receiver().as_ref().and_then(ruby::constant).as_deref() == Some("Regexp")
        {
            return Ok(format!("{subject} =~ {}", self.expr(pattern, ADD)?));
        }
        // What a property remembers comes from its provider.
        if let Some(remembered) = pattern.as_instance_variable_read_node().and_then(|v| self.remembered(&name(&v.name()))) {
            return Ok(format!("{subject} == {remembered}"));
        }
        // `===` of these is `==`.
        let equal =
            |kind: Option<Kind>| matches!(kind, Some(Kind::Text | Kind::Symbol | Kind::Integer | Kind::Float | Kind::Bool | Kind::Nil));
        if equal(self.kind(pattern))
            || equal(kind) && pattern.as_local_variable_read_node().is_none() && self.attribute_read(pattern).is_some()
        {
            return Ok(format!("{subject} == {}", self.expr(pattern, ADD)?));
        }
        unknown()
    }

    /// Translates to `match`.
    pub(super) fn case(
        &mut self,
        of: &Option<Node<'_>>,
        whens: Vec<Node<'_>>,
        otherwise: Option<ruby_prism::StatementsNode<'_>>,
    ) -> Text<(String, u8)> {
        let otherwise_nodes = ruby::statements(otherwise.map(|s| s.as_node()));
        let mut arms = Vec::new();
        for when in &whens {
            let Some(when) = when.as_when_node() else { return no(when, "`in` patterns are not supported") };
            let patterns: Text<Vec<String>> =
                when.conditions().iter().map(|c| if of.is_some() { self.pattern(&c) } else { self.condition(&c, TERNARY) }).collect();
            arms.push((patterns?, self.branch(&ruby::statements(when.statements().map(|s| s.as_node())))?));
        }
        let otherwise = if otherwise_nodes.is_empty() { None } else { Some(self.branch(&otherwise_nodes)?) };
        let Some(of) = of else {
            let chain: Vec<String> = arms.iter().map(|(tests, body)| format!("if {} {body}", tests.join(" || "))).collect();
            let other = otherwise.map(|o| format!(" else {o}")).unwrap_or_default();
            return Ok((chain.join(" els") + &other, OPERAND));
        };
        let of = self.expr(of, TERNARY)?;
        let mut out = format!("match {of} {{\n");
        for (patterns, body) in arms {
            out.push_str(&format!("{} => {}\n", patterns.join(" | "), arm(&body)));
        }
        out.push_str(&format!("_ => {}\n}}", otherwise.map_or_else(|| "nil".to_owned(), |o| arm(&o))));
        Ok((out, OPERAND))
    }

    /// Translates a pattern after `when`.
    pub(super) fn pattern(&mut self, node: &Node<'_>) -> Text {
        let constant = ruby::constant(node);
        let alias = constant.as_ref().and_then(|constant| self.methods?.constant_alias(constant));
        match alias.or(constant).as_deref() {
            // A provider gets sensitive values as they are.
            Some("Puppet::Pops::Types::PSensitiveType::Sensitive" | "Sensitive")
                if self.own.running.as_ref().is_some_and(|running| matches!(running.of, Own::Provider)) =>
            {
                Ok("Sensitive".into())
            }
            Some(class @ ("String" | "Array" | "Hash" | "Integer" | "Float" | "Numeric" | "Symbol" | "Regexp")) => Ok(class.to_owned()),
            Some("TrueClass") => Ok("true".into()),
            Some("FalseClass") => Ok("false".into()),
            Some("NilClass") => Ok("nil".into()),
            Some(other) => no(node, format!("`when {other}` is not supported")),
            None if node.as_splat_node().is_some() || node.as_call_node().is_some() || node.as_range_node().is_some() => {
                no(node, format!("`when {}` is not supported", ruby::first_line(&self.slice(node))))
            }
            None => self.expr(node, OPERAND),
        }
    }
}

/// Formats the body of an arm; a single expression has no braces.
fn arm(body: &str) -> String {
    let inner = body.strip_prefix("{\n").and_then(|b| b.strip_suffix("\n}")).unwrap_or(body);
    let statement = ["fail ", "return", "let ", "next"].iter().any(|w| inner.starts_with(w))
        || inner.contains(" if ")
        || inner.contains(" unless ")
        || inner.contains(" = ");
    if inner.contains('\n') || statement || inner.is_empty() || inner.starts_with('{') { body.to_owned() } else { inner.to_owned() }
}

/// Returns whether a class is none that a `match` can test.
fn is_rare_class(class: &str) -> bool {
    matches!(class, "Enumerable" | "Comparable" | "Object" | "BasicObject")
}
