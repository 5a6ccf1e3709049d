//! Method calls, their arguments and blocks, `super` and `yield`.

use super::Lowering;
use crate::hir::{
    BodyKind, CallArgs, CallBlock, CallStyle, Element, ExprId, HirKind, HirText, LocalRef, MethodCall, Pair, SourceRange, SuperCall, Target,
};
use ruby_prism::{ArgumentsNode, CallNode, Node};

impl Lowering {
    pub(super) fn call_form(&mut self, node: &Node<'_>, origin: SourceRange) -> Option<ExprId> {
        match node {
            Node::CallNode { .. } => {
                let call = node.as_call_node()?;
                Some(self.call(&call, origin))
            }
            Node::SuperNode { .. } => {
                let up = node.as_super_node()?;
                let args = self.args(up.arguments(), up.block());
                Some(self.push(HirKind::Super(Box::new(SuperCall { args, is_implicit: false })), origin))
            }
            Node::ForwardingSuperNode { .. } => {
                let block = node.as_forwarding_super_node()?.block();
                let mut args = self.parameters_as_arguments(origin);
                if let Some(block) = block {
                    args.block = Some(CallBlock::Literal(self.block(&block)));
                }
                Some(self.push(HirKind::Super(Box::new(SuperCall { args, is_implicit: true })), origin))
            }
            Node::YieldNode { .. } => {
                let args = self.args(node.as_yield_node()?.arguments(), None);
                Some(self.push(HirKind::Yield(args), origin))
            }
            Node::LambdaNode { .. } => {
                let lambda = node.as_lambda_node()?;
                let body = self.in_body(BodyKind::Lambda, origin, |lower| {
                    lower.block_params(lambda.parameters());
                    lower.optional_body(lambda.body(), origin)
                });
                Some(self.push(HirKind::Lambda(body), origin))
            }
            _ => None,
        }
    }

    fn call(&mut self, call: &CallNode<'_>, origin: SourceRange) -> ExprId {
        let name = self.name(&call.name());
        let Some(receiver_node) = call.receiver() else {
            let style = if call.is_variable_call() { CallStyle::Bare } else { CallStyle::Implicit };
            let receiver = self.push(HirKind::SelfValue, origin);
            let args = self.args(call.arguments(), call.block());
            return self.push(HirKind::Call(Box::new(MethodCall { receiver, name, args, style })), origin);
        };
        let receiver = self.expr(&receiver_node);
        if &*name == "!" && call.arguments().is_none() && call.call_operator_loc().is_none() {
            return self.push(HirKind::Not(receiver), origin);
        }
        if !call.is_safe_navigation() {
            return self.call_of(call, receiver, name, origin);
        }
        self.unless_nil(receiver, origin, |lower, receiver| lower.call_of(call, receiver, name, origin))
    }

    /// Evaluates an expression unless a value is `nil`, without evaluating the value twice.
    pub(super) fn unless_nil(&mut self, value: ExprId, origin: SourceRange, then: impl FnOnce(&mut Lowering, ExprId) -> ExprId) -> ExprId {
        let (set_up, value) = self.reusable(value, origin);
        let condition = self.push(HirKind::IsNil(value), origin);
        let again = self.repeat(value);
        let otherwise = then(self, again);
        let then = self.nil(origin);
        let choice = self.push(HirKind::If { condition, then, otherwise }, origin);
        self.seq(set_up.into_iter().chain([choice]).collect(), origin)
    }

    /// Returns an expression for repeated evaluation with the same result, and the assignment to run first.
    pub(super) fn reusable(&mut self, value: ExprId, origin: SourceRange) -> (Option<ExprId>, ExprId) {
        let is_constant = matches!(
            self.kind_of(value),
            HirKind::Local(_) | HirKind::SelfValue | HirKind::Nil | HirKind::Bool(_) | HirKind::Integer(_) | HirKind::Symbol(_)
        );
        if is_constant {
            return (None, value);
        }
        let local = self.temporary();
        let set_up = self.push(HirKind::Assign { target: Target::Local(local), value }, origin);
        (Some(set_up), self.push(HirKind::Local(local), origin))
    }

    /// Returns another expression with the same form, for repeated use of a value.
    pub(super) fn repeat(&mut self, value: ExprId) -> ExprId {
        let kind = self.kind_of(value);
        let origin = self.open.last().and_then(|body| body.exprs.get(value)).map(|expr| expr.origin).unwrap_or_default();
        self.push(kind, origin)
    }

    fn call_of(&mut self, call: &CallNode<'_>, receiver: ExprId, name: HirText, origin: SourceRange) -> ExprId {
        let mut args = self.args(call.arguments(), call.block());
        if call.is_attribute_write() {
            let value = match args.positional.pop() {
                Some(Element::Plain(value)) => value,
                Some(splat @ Element::Splat(_)) => self.push(HirKind::Array(vec![splat]), origin),
                None => self.nil(origin),
            };
            let target = if &*name == "[]=" {
                Target::Index { receiver, args }
            } else {
                Target::Attribute { receiver, name: self.intern(name.trim_end_matches('=')) }
            };
            return self.push(HirKind::Assign { target, value }, origin);
        }
        self.push(HirKind::Call(Box::new(MethodCall { receiver, name, args, style: CallStyle::Explicit })), origin)
    }

    /// Creates a call on `self`.
    pub(super) fn self_call(&mut self, name: &str, arguments: Vec<ExprId>, origin: SourceRange) -> ExprId {
        let receiver = self.push(HirKind::SelfValue, origin);
        let args = CallArgs { positional: arguments.into_iter().map(Element::Plain).collect(), ..CallArgs::default() };
        let call = MethodCall { receiver, name: self.intern(name), args, style: CallStyle::Implicit };
        self.push(HirKind::Call(Box::new(call)), origin)
    }

    /// Creates a method call with lowered arguments.
    pub(super) fn method_call(&mut self, receiver: ExprId, name: HirText, args: CallArgs, origin: SourceRange) -> ExprId {
        self.push(HirKind::Call(Box::new(MethodCall { receiver, name, args, style: CallStyle::Explicit })), origin)
    }

    pub(super) fn args(&mut self, nodes: Option<ArgumentsNode<'_>>, block: Option<Node<'_>>) -> CallArgs {
        let mut args = CallArgs::default();
        for node in nodes.iter().flat_map(|n| n.arguments().iter()) {
            if let Some(hash) = node.as_keyword_hash_node() {
                args.keywords.extend(self.pairs(&hash.elements()));
            } else if node.as_forwarding_arguments_node().is_some() {
                args.positional.push(Element::Splat(self.anonymous("__rest", &node)));
                args.keywords.push(Pair::Splat(self.anonymous("__keywords", &node)));
                args.block = Some(CallBlock::Pass(self.anonymous("__block", &node)));
            } else {
                let element = self.element(&node);
                args.positional.push(element);
            }
        }
        if let Some(block) = block {
            args.block = self.call_block(&block);
        }
        args
    }

    fn call_block(&mut self, node: &Node<'_>) -> Option<CallBlock> {
        if let Some(block) = node.as_block_node() {
            return Some(CallBlock::Literal(self.block(&block)));
        }
        let value = match node.as_block_argument_node()?.expression() {
            Some(value) => self.expr(&value),
            None => self.anonymous("__block", node),
        };
        Some(CallBlock::Pass(value))
    }

    pub(super) fn block(&mut self, block: &ruby_prism::BlockNode<'_>) -> crate::hir::BodyId {
        let origin = self.range(&block.location());
        self.in_body(BodyKind::Block, origin, |lower| {
            lower.block_params(block.parameters());
            lower.optional_body(block.body(), origin)
        })
    }

    /// Lowers a body: either statements, or a `begin` without the keyword.
    pub(super) fn optional_body(&mut self, body: Option<Node<'_>>, origin: SourceRange) -> ExprId {
        match body {
            None => self.nil(origin),
            Some(body) => match body.as_statements_node() {
                Some(list) => self.statements(Some(list), origin),
                None => self.expr(&body),
            },
        }
    }

    /// Returns the arguments for a `super` without an argument list: the values of the method's parameters.
    fn parameters_as_arguments(&mut self, origin: SourceRange) -> CallArgs {
        let mut args = CallArgs::default();
        let Some(depth) = self.method_depth() else { return args };
        let position = self.open.len().saturating_sub(1 + depth as usize);
        let Some(params) = self.open.get(position).map(|body| body.params.clone()) else { return args };
        let read = |lower: &mut Lowering, local: crate::hir::LocalId| {
            if depth > 0
                && let Some(variable) = lower.open.get_mut(position).and_then(|body| body.locals.get_mut(local))
            {
                variable.is_captured = true;
            }
            lower.push(HirKind::Local(LocalRef { depth, local }), origin)
        };
        let plain = |target: &Target| match target {
            Target::Local(local) => Some(local.local),
            _ => None,
        };
        for local in params.required.iter().filter_map(plain).chain(params.optional.iter().map(|(local, _)| *local)) {
            args.positional.push(Element::Plain(read(self, local)));
        }
        if let Some(rest) = params.rest {
            args.positional.push(Element::Splat(read(self, rest)));
        }
        for local in params.post.iter().filter_map(plain) {
            args.positional.push(Element::Plain(read(self, local)));
        }
        for keyword in &params.keywords {
            let key = self.push(HirKind::Symbol(HirText::clone(&keyword.name)), origin);
            args.keywords.push(Pair::Entry(key, read(self, keyword.local)));
        }
        if let Some(rest) = params.keyword_rest {
            args.keywords.push(Pair::Splat(read(self, rest)));
        }
        args
    }
}
