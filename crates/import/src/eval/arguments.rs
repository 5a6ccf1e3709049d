//! Binds the arguments of a call to parameters.

use super::value::{CallArguments, Proc, RubyScope, RubyValue};
use super::{Eval, Evaluator, RubyFrame};
use crate::ruby::name;
use ruby_prism::{Node, ParametersNode};

impl<'w> Evaluator<'_, 'w> {
    /// Binds arguments to the parameters of a method or `lambda`; the wrong number is an error in Ruby.
    pub(super) fn bind(
        &mut self,
        frame: &RubyFrame<'w>,
        list: Option<&ParametersNode<'w>>,
        given: &CallArguments<'w>,
        strict: bool,
    ) -> Eval<'w, ()> {
        let Some(list) = list else {
            if strict && !(given.plain.is_empty() && given.named.is_empty()) {
                return self.wrong_number(given.plain.len(), "0");
            }
            return Ok(());
        };
        let (requireds, posts): (Vec<Node<'w>>, Vec<Node<'w>>) = (list.requireds().iter().collect(), list.posts().iter().collect());
        let optionals: Vec<Node<'w>> = list.optionals().iter().collect();
        let keywords: Vec<Node<'w>> = list.keywords().iter().collect();
        let rest = list.rest().and_then(|r| r.as_rest_parameter_node());
        let takes_named = !keywords.is_empty() || list.keyword_rest().is_some_and(|r| r.as_keyword_rest_parameter_node().is_some());
        let forwards = list.keyword_rest().is_some_and(|r| r.as_forwarding_parameter_node().is_some());
        let mut plain = given.plain.clone();
        let mut named = given.named.clone();
        if !takes_named && !forwards && !named.is_empty() {
            plain.push(RubyValue::hash(std::mem::take(&mut named)));
        }
        let needed = requireds.len() + posts.len();
        if strict && (plain.len() < needed || (rest.is_none() && !forwards && plain.len() > needed + optionals.len())) {
            return self.wrong_number(plain.len(), &needed.to_string());
        }
        let mut given_plain = plain.into_iter();
        let mut left = given_plain.len();
        for param in &requireds {
            left = left.saturating_sub(1);
            self.target(frame, param, given_plain.next().unwrap_or(RubyValue::Nil))?;
        }
        for param in optionals.iter().filter_map(|p| p.as_optional_parameter_node()) {
            let value = if left > posts.len() {
                left -= 1;
                given_plain.next().unwrap_or(RubyValue::Nil)
            } else {
                self.eval(frame, &param.value())?
            };
            frame.scope.declare(&name(&param.name()), value);
        }
        let others: Vec<RubyValue<'w>> = given_plain.by_ref().take(left.saturating_sub(posts.len())).collect();
        if forwards {
            frame.scope.declare("...", RubyValue::array(others.clone()));
            frame.scope.declare("...named", RubyValue::hash(named.clone()));
        }
        if let Some(rest) = rest {
            let of = rest.name().map_or_else(|| "*".to_owned(), |n| name(&n));
            frame.scope.declare(&of, RubyValue::array(others));
        }
        for param in &posts {
            self.target(frame, param, given_plain.next().unwrap_or(RubyValue::Nil))?;
        }
        self.bind_named(frame, &keywords, &mut named, strict)?;
        if let Some(rest) = list.keyword_rest().and_then(|r| r.as_keyword_rest_parameter_node()) {
            let of = rest.name().map_or_else(|| "**".to_owned(), |n| name(&n));
            frame.scope.declare(&of, RubyValue::hash(named));
        }
        if let Some(block) = list.block().and_then(|b| b.as_block_parameter_node()) {
            let of = block.name().map_or_else(|| "&".to_owned(), |n| name(&n));
            frame.scope.declare(&of, given.block.clone().map_or(RubyValue::Nil, RubyValue::Proc));
        }
        Ok(())
    }

    fn bind_named(
        &mut self,
        frame: &RubyFrame<'w>,
        keywords: &[Node<'w>],
        named: &mut Vec<(RubyValue<'w>, RubyValue<'w>)>,
        strict: bool,
    ) -> Eval<'w, ()> {
        for param in keywords {
            let of = match (param.as_required_keyword_parameter_node(), param.as_optional_keyword_parameter_node()) {
                (Some(param), _) => name(&param.name()),
                (_, Some(param)) => name(&param.name()),
                _ => continue,
            };
            let of = of.trim_end_matches(':').to_owned();
            let at = named.iter().position(|(key, _)| key.word().as_deref() == Some(of.as_str()));
            let value = match (at, param.as_optional_keyword_parameter_node()) {
                (Some(at), _) => named.remove(at).1,
                (None, Some(param)) => self.eval(frame, &param.value())?,
                (None, None) if strict => return self.raise("ArgumentError", format!("missing keyword: :{of}")),
                (None, None) => RubyValue::Nil,
            };
            frame.scope.declare(&of, value);
        }
        Ok(())
    }

    fn wrong_number(&self, given: usize, expected: &str) -> Eval<'w, ()> {
        self.raise("ArgumentError", format!("wrong number of arguments (given {given}, expected {expected})"))
    }

    /// Binds arguments to the parameters of a block: a single array is taken apart for several parameters.
    pub(super) fn bind_block(&mut self, frame: &RubyFrame<'w>, parameters: Option<Node<'w>>, given: CallArguments<'w>) -> Eval<'w, ()> {
        let Some(parameters) = parameters else { return Ok(()) };
        if let Some(numbered) = parameters.as_numbered_parameters_node() {
            let given = if numbered.maximum() > 1 { taken_apart(given) } else { given };
            for i in 0..usize::from(numbered.maximum()) {
                frame.scope.declare(&format!("_{}", i + 1), given.plain.get(i).cloned().unwrap_or(RubyValue::Nil));
            }
            return Ok(());
        }
        if parameters.as_it_parameters_node().is_some() {
            frame.scope.declare("it", given.plain.into_iter().next().unwrap_or(RubyValue::Nil));
            return Ok(());
        }
        let Some(parameters) = parameters.as_block_parameters_node() else { return Ok(()) };
        for local in parameters.locals().iter().filter_map(|l| l.as_block_local_variable_node()) {
            frame.scope.declare(&name(&local.name()), RubyValue::Nil);
        }
        let Some(list) = parameters.parameters() else { return Ok(()) };
        let several = list.requireds().iter().count() + list.optionals().iter().count() + list.posts().iter().count() > 1
            || (list.requireds().iter().count() > 0 && list.rest().is_some());
        let given = if several { taken_apart(given) } else { given };
        self.bind(frame, Some(&list), &given, false)
    }

    /// Returns the number of positional arguments that a closure takes, as `arity` does.
    pub(super) fn arity(proc: &Proc<'w>) -> i64 {
        let parameters = match &proc.code {
            super::ProcCode::Block(block) => block.parameters(),
            super::ProcCode::Lambda(lambda) => lambda.parameters(),
            super::ProcCode::Symbol(_) => return -2,
            super::ProcCode::Method(method, _) => {
                let super::MethodBody::Def { node, .. } = &method.body else { return -1 };
                return node.parameters().map_or(0, |list| arity_of(&list, true));
            }
        };
        parameters.and_then(|p| p.as_block_parameters_node()).and_then(|p| p.parameters()).map_or(0, |list| arity_of(&list, proc.is_lambda))
    }
}

fn arity_of(list: &ParametersNode<'_>, strict: bool) -> i64 {
    let needed = i64::try_from(list.requireds().iter().count() + list.posts().iter().count()).unwrap_or(i64::MAX);
    let more = list.rest().is_some() || (strict && list.optionals().iter().count() > 0);
    if more { -needed - 1 } else { needed }
}

/// Takes a single array apart.
fn taken_apart<'w>(given: CallArguments<'w>) -> CallArguments<'w> {
    match given.plain.as_slice() {
        [RubyValue::Array(items)] => {
            let plain = items.borrow().0.clone();
            CallArguments { plain, ..given }
        }
        _ => given,
    }
}

impl<'w> RubyScope<'w> {
    /// Returns the arguments that `...` forwards.
    pub(super) fn forwarded(&self) -> (Vec<RubyValue<'w>>, Vec<(RubyValue<'w>, RubyValue<'w>)>) {
        let plain = match self.get("...") {
            Some(RubyValue::Array(items)) => items.borrow().0.clone(),
            _ => Vec::new(),
        };
        let named = match self.get("...named") {
            Some(RubyValue::Hash(hash)) => hash.pairs.borrow().clone(),
            _ => Vec::new(),
        };
        (plain, named)
    }
}
