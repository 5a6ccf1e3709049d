//! Classes, defined types, functions, nodes, types, parameters and lambdas.

use super::super::parser::{P, Rule};
use super::super::token::TokenKind;
use super::super::tree::{
    Definition, DefinitionKind, Expression, ExpressionKind, HashEntry, IndexAccess, LambdaExpression, NodeDefinition, Parameter,
    SpannedName, TypeAlias,
};
use super::Builder;
use ecow::{EcoString, eco_format};

impl Builder<'_> {
    pub(super) fn definition(&mut self, pair: P<'_>) -> ExpressionKind {
        let kind = match pair.as_rule() {
            Rule::class => DefinitionKind::Class,
            Rule::define => DefinitionKind::Define,
            _ => DefinitionKind::Function,
        };
        let mut inner = pair.into_inner();
        let Some(name) = inner.next().map(|p| self.definition_name(&p)) else { return ExpressionKind::Error };
        let mut definition = Definition { kind, name: name.clone(), parameters: Vec::new(), parent: None, returns: None, body: None };
        if kind == DefinitionKind::Class {
            self.namespace.push(name.text.clone());
        }
        for pair in inner {
            match pair.as_rule() {
                Rule::parameters => definition.parameters = self.parameters(pair),
                Rule::parent => definition.parent = Some(self.parent(pair)),
                Rule::returns => definition.returns = self.returns(pair),
                _ => definition.body = Some(self.block(pair)).filter(|body| !body.is_empty()),
            }
        }
        if kind == DefinitionKind::Class {
            self.namespace.pop();
        }
        if kind != DefinitionKind::Function {
            definition.name.text = self.qualified(&name.text);
        }
        ExpressionKind::Definition(Box::new(definition))
    }

    /// Puts the names of the classes around a definition before its name.
    fn qualified(&self, name: &EcoString) -> EcoString {
        if self.namespace.is_empty() {
            return name.clone();
        }
        let joined = self.namespace.join("::");
        eco_format!("{}::{name}", joined.strip_prefix("::").unwrap_or(&joined))
    }

    fn definition_name(&mut self, pair: &P<'_>) -> SpannedName {
        let number = pair.as_span().start();
        let name = self.name(number);
        match self.kind(number) {
            Some(TokenKind::Class) => self.error(name.span, "`class` is a keyword, not a name"),
            Some(TokenKind::String) => self.error(name.span, "the name of a definition has no quotes"),
            _ => {}
        }
        name
    }

    fn parent(&mut self, pair: P<'_>) -> SpannedName {
        let keyword = pair.as_span().start();
        match pair.into_inner().next() {
            Some(name) => self.definition_name(&name),
            None => self.name(keyword + 1),
        }
    }

    pub(super) fn parameters(&mut self, pair: P<'_>) -> Vec<Parameter> {
        let pairs = pair.into_inner().filter(|p| p.as_rule() == Rule::parameter);
        pairs.collect::<Vec<_>>().into_iter().filter_map(|p| self.parameter(p)).collect()
    }

    fn parameter(&mut self, pair: P<'_>) -> Option<Parameter> {
        let span = self.span(&pair);
        let (mut kind, mut is_splat, mut name, mut default) = (None, false, None, None);
        for pair in pair.into_inner() {
            match pair.as_rule() {
                Rule::type_reference => kind = Some(self.type_reference(pair)),
                Rule::splat => is_splat = true,
                Rule::variable => name = Some(self.name(pair.as_span().start())),
                _ => default = Some(self.expression(pair)),
            }
        }
        let mut name = name?;
        name.text = name.text.strip_prefix('$').unwrap_or(&name.text).into();
        Some(Parameter { span, kind, is_splat, name, default })
    }

    fn returns(&mut self, pair: P<'_>) -> Option<Expression> {
        pair.into_inner().next().map(|p| self.type_reference(p))
    }

    fn type_reference(&mut self, pair: P<'_>) -> Expression {
        let (span, range) = (self.span(&pair), pair.as_span());
        let name = Expression { span: self.token_span(range.start()), kind: ExpressionKind::TypeName(self.value(range.start())) };
        if range.end() == range.start() + 1 {
            return name;
        }
        let access = IndexAccess { target: name, keys: self.keys(pair.into_inner()) };
        Expression { span, kind: ExpressionKind::Access(Box::new(access)) }
    }

    pub(super) fn lambda(&mut self, pair: P<'_>) -> LambdaExpression {
        let mut lambda = LambdaExpression { span: self.span(&pair), parameters: Vec::new(), returns: None, body: Vec::new() };
        for pair in pair.into_inner() {
            match pair.as_rule() {
                Rule::parameter => lambda.parameters.extend(self.parameter(pair)),
                Rule::returns => lambda.returns = self.returns(pair),
                _ => lambda.body = self.block(pair),
            }
        }
        lambda
    }

    pub(super) fn node(&mut self, pair: P<'_>) -> ExpressionKind {
        let mut node = NodeDefinition { hosts: Vec::new(), parent: None, body: None };
        for pair in pair.into_inner() {
            match pair.as_rule() {
                Rule::host => node.hosts.push(self.host(pair)),
                Rule::node_parent => node.parent = pair.into_inner().next().map(|p| self.host(p)),
                _ => node.body = Some(self.block(pair)).filter(|body| !body.is_empty()),
            }
        }
        ExpressionKind::Node(Box::new(node))
    }

    fn host(&mut self, pair: P<'_>) -> Expression {
        let (span, range) = (self.span(&pair), pair.as_span());
        if let Some(inner) = pair.into_inner().next() {
            return self.primary(inner);
        }
        let kind = match self.kind(range.start()) {
            Some(TokenKind::Default) => ExpressionKind::Default,
            Some(TokenKind::Regex) => ExpressionKind::Pattern(self.value(range.start())),
            _ => ExpressionKind::Text((range.start()..range.end()).map(|n| self.value(n)).collect()),
        };
        Expression { span, kind }
    }

    pub(super) fn type_definition(&mut self, pair: P<'_>) -> ExpressionKind {
        let mut inner = pair.into_inner();
        let Some(name) = inner.next().map(|p| self.type_reference(p)) else { return ExpressionKind::Error };
        let (mut target, mut is_definition) = (None, false);
        for pair in inner {
            let span = self.span(&pair);
            match pair.as_rule() {
                Rule::type_target => target = Some(self.type_reference(pair)),
                Rule::hash => {
                    let hash = Expression { span, kind: ExpressionKind::Hash(self.hash(pair)) };
                    target = Some(object_type(target.take(), hash));
                }
                Rule::array => target = Some(self.primary(pair)),
                Rule::block => {
                    is_definition = true;
                    target = Some(Expression { span, kind: ExpressionKind::Block(self.block(pair)) });
                }
                _ => {}
            }
        }
        let Some(target) = target else { return ExpressionKind::Error };
        ExpressionKind::TypeAlias(Box::new(TypeAlias { name, target, is_definition }))
    }
}

/// `type A = { … }` is `Object[{ … }]`, and `type A = B { … }` is an object type with the parent `B`.
fn object_type(parent: Option<Expression>, mut hash: Expression) -> Expression {
    let object = |span| Expression { span, kind: ExpressionKind::TypeName("Object".into()) };
    let (mut target, span) = (object(hash.span), hash.span);
    if let Some(parent) = parent {
        let is_own = matches!(&parent.kind, ExpressionKind::TypeName(name) if name == "Object" || name == "TypeSet");
        if is_own {
            target = parent;
        } else if let ExpressionKind::Hash(entries) = &mut hash.kind {
            let key = Expression { span: parent.span, kind: ExpressionKind::Name("parent".into()) };
            entries.push(HashEntry { key, arrow: parent.span, value: parent });
        }
    }
    Expression { span, kind: ExpressionKind::Access(Box::new(IndexAccess { target, keys: vec![hash] })) }
}
