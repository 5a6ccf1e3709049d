//! Assignments. `||=`, `&&=` and `+=` evaluate the receiver and the arguments once.

use super::Lowering;
use crate::hir::{CallArgs, ConstantPath, ConstantScope, Element, ExprId, HirKind, HirText, Pair, SourceRange, Target};
use ruby_prism::Node;

/// The operator before `=`.
enum AssignOp {
    Or,
    And,
    Binary(HirText),
}

/// Lowers operator assignments to variables.
macro_rules! variable_writes {
    ($lower:ident, $node:ident, $origin:ident, $($or:ident, $and:ident, $binary:ident => |$write:ident| $target:expr;)*) => {$(
        if let Some($write) = $node.$or() {
            let target = $target;
            return Some($lower.variable_op(target, AssignOp::Or, &$write.value(), $origin));
        }
        if let Some($write) = $node.$and() {
            let target = $target;
            return Some($lower.variable_op(target, AssignOp::And, &$write.value(), $origin));
        }
        if let Some($write) = $node.$binary() {
            let target = $target;
            let op = AssignOp::Binary($lower.name(&$write.binary_operator()));
            return Some($lower.variable_op(target, op, &$write.value(), $origin));
        }
    )*};
}

/// Lowers the `||=`, `&&=` and binary forms for attributes or elements.
macro_rules! place_writes {
    ($lower:ident, $node:ident, $origin:ident, $($or:ident, $and:ident, $binary:ident => $method:ident;)*) => {$(
        if let Some(write) = $node.$or() {
            return Some($lower.$method(&write.as_node(), AssignOp::Or, &write.value(), $origin));
        }
        if let Some(write) = $node.$and() {
            return Some($lower.$method(&write.as_node(), AssignOp::And, &write.value(), $origin));
        }
        if let Some(write) = $node.$binary() {
            let op = AssignOp::Binary($lower.name(&write.binary_operator()));
            return Some($lower.$method(&write.as_node(), op, &write.value(), $origin));
        }
    )*};
}

impl Lowering {
    pub(super) fn assignment(&mut self, node: &Node<'_>, origin: SourceRange) -> Option<ExprId> {
        self.plain_assignment(node, origin).or_else(|| self.operator_assignment(node, origin))
    }

    fn plain_assignment(&mut self, node: &Node<'_>, origin: SourceRange) -> Option<ExprId> {
        let (target, value) = match node {
            Node::LocalVariableWriteNode { .. } => {
                let write = node.as_local_variable_write_node()?;
                (Target::Local(self.local(&write.name(), write.depth())), write.value())
            }
            Node::InstanceVariableWriteNode { .. } => {
                let write = node.as_instance_variable_write_node()?;
                (Target::Variable(self.name(&write.name())), write.value())
            }
            Node::ClassVariableWriteNode { .. } => {
                let write = node.as_class_variable_write_node()?;
                (Target::Variable(self.name(&write.name())), write.value())
            }
            Node::GlobalVariableWriteNode { .. } => {
                let write = node.as_global_variable_write_node()?;
                (Target::Variable(self.name(&write.name())), write.value())
            }
            Node::ConstantWriteNode { .. } => {
                let write = node.as_constant_write_node()?;
                (Target::Constant(self.lexical(&write.name())), write.value())
            }
            Node::ConstantPathWriteNode { .. } => {
                let write = node.as_constant_path_write_node()?;
                (Target::Constant(self.constant(&write.target().as_node())?), write.value())
            }
            Node::MultiWriteNode { .. } => {
                let write = node.as_multi_write_node()?;
                let multi = self.multi_target(write.lefts().iter(), write.rest(), write.rights().iter());
                (Target::Multiple(Box::new(multi)), write.value())
            }
            Node::ShareableConstantNode { .. } => return Some(self.expr(&node.as_shareable_constant_node()?.write())),
            Node::MatchWriteNode { .. } => return Some(self.match_write(&node.as_match_write_node()?, origin)),
            _ => return None,
        };
        let value = self.expr(&value);
        Some(self.push(HirKind::Assign { target, value }, origin))
    }

    fn operator_assignment(&mut self, node: &Node<'_>, origin: SourceRange) -> Option<ExprId> {
        variable_writes! { self, node, origin,
            as_local_variable_or_write_node, as_local_variable_and_write_node, as_local_variable_operator_write_node
                => |write| Target::Local(self.local(&write.name(), write.depth()));
            as_instance_variable_or_write_node, as_instance_variable_and_write_node, as_instance_variable_operator_write_node
                => |write| Target::Variable(self.name(&write.name()));
            as_class_variable_or_write_node, as_class_variable_and_write_node, as_class_variable_operator_write_node
                => |write| Target::Variable(self.name(&write.name()));
            as_global_variable_or_write_node, as_global_variable_and_write_node, as_global_variable_operator_write_node
                => |write| Target::Variable(self.name(&write.name()));
            as_constant_or_write_node, as_constant_and_write_node, as_constant_operator_write_node
                => |write| Target::Constant(self.lexical(&write.name()));
            as_constant_path_or_write_node, as_constant_path_and_write_node, as_constant_path_operator_write_node
                => |write| Target::Constant(self.constant(&write.target().as_node())?);
        }
        place_writes! { self, node, origin,
            as_call_or_write_node, as_call_and_write_node, as_call_operator_write_node => attribute_op;
            as_index_or_write_node, as_index_and_write_node, as_index_operator_write_node => index_op;
        }
        None
    }

    fn lexical(&mut self, name: &ruby_prism::ConstantId<'_>) -> ConstantPath {
        ConstantPath { scope: ConstantScope::Lexical, name: self.name(name) }
    }

    /// Lowers the path of a constant.
    pub(super) fn constant(&mut self, node: &Node<'_>) -> Option<ConstantPath> {
        if let Some(read) = node.as_constant_read_node() {
            return Some(self.lexical(&read.name()));
        }
        let (parent, name) = match (node.as_constant_path_node(), node.as_constant_path_target_node()) {
            (Some(path), _) => (path.parent(), path.name()?),
            (None, Some(target)) => (target.parent(), target.name()?),
            (None, None) => return None,
        };
        let scope = match parent {
            Some(parent) => ConstantScope::Of(self.expr(&parent)),
            None => ConstantScope::Top,
        };
        Some(ConstantPath { scope, name: self.name(&name) })
    }

    fn variable_op(&mut self, target: Target, op: AssignOp, value: &Node<'_>, origin: SourceRange) -> ExprId {
        let read = match &target {
            Target::Local(local) => HirKind::Local(*local),
            Target::Variable(name) => HirKind::Variable(HirText::clone(name)),
            Target::Constant(path) => HirKind::Constant(path.clone()),
            _ => HirKind::Nil,
        };
        let may_be_undefined = match &read {
            HirKind::Variable(name) => name.starts_with("@@"),
            HirKind::Constant(_) => true,
            _ => false,
        };
        let read = self.push(read, origin);
        let current = if may_be_undefined && matches!(op, AssignOp::Or) {
            let again = self.repeat(read);
            let is_defined = self.push(HirKind::Defined(again), origin);
            self.push(HirKind::And(is_defined, read), origin)
        } else {
            read
        };
        self.combine(current, op, value, origin, |lower, value| lower.push(HirKind::Assign { target, value }, origin))
    }

    /// Combines a target's current value with the assignment.
    fn combine(
        &mut self,
        current: ExprId,
        op: AssignOp,
        value: &Node<'_>,
        origin: SourceRange,
        assign: impl FnOnce(&mut Lowering, ExprId) -> ExprId,
    ) -> ExprId {
        let value = self.expr(value);
        match op {
            AssignOp::Or => {
                let assigned = assign(self, value);
                self.push(HirKind::Or(current, assigned), origin)
            }
            AssignOp::And => {
                let assigned = assign(self, value);
                self.push(HirKind::And(current, assigned), origin)
            }
            AssignOp::Binary(name) => {
                let args = CallArgs { positional: vec![Element::Plain(value)], ..CallArgs::default() };
                let result = self.method_call(current, name, args, origin);
                assign(self, result)
            }
        }
    }

    fn attribute_op(&mut self, node: &Node<'_>, op: AssignOp, value: &Node<'_>, origin: SourceRange) -> ExprId {
        let (receiver, name, is_safe) = match (node.as_call_or_write_node(), node.as_call_and_write_node()) {
            (Some(write), _) => (write.receiver(), write.read_name(), write.is_safe_navigation()),
            (None, Some(write)) => (write.receiver(), write.read_name(), write.is_safe_navigation()),
            (None, None) => match node.as_call_operator_write_node() {
                Some(write) => (write.receiver(), write.read_name(), write.is_safe_navigation()),
                None => return self.unsupported("this assignment", origin),
            },
        };
        let name = self.name(&name);
        let receiver = match receiver {
            Some(receiver) => self.expr(&receiver),
            None => self.push(HirKind::SelfValue, origin),
        };
        let apply = |lower: &mut Lowering, receiver: ExprId| {
            let current = lower.method_call(receiver, HirText::clone(&name), CallArgs::default(), origin);
            lower.combine(current, op, value, origin, |lower, value| {
                let receiver = lower.repeat(receiver);
                lower.push(HirKind::Assign { target: Target::Attribute { receiver, name: HirText::clone(&name) }, value }, origin)
            })
        };
        if is_safe {
            return self.unless_nil(receiver, origin, apply);
        }
        let (set_up, receiver) = self.reusable(receiver, origin);
        let result = apply(self, receiver);
        self.seq(set_up.into_iter().chain([result]).collect(), origin)
    }

    fn index_op(&mut self, node: &Node<'_>, op: AssignOp, value: &Node<'_>, origin: SourceRange) -> ExprId {
        let (receiver, arguments, has_block) = match (node.as_index_or_write_node(), node.as_index_and_write_node()) {
            (Some(write), _) => (write.receiver(), write.arguments(), write.block().is_some()),
            (None, Some(write)) => (write.receiver(), write.arguments(), write.block().is_some()),
            (None, None) => match node.as_index_operator_write_node() {
                Some(write) => (write.receiver(), write.arguments(), write.block().is_some()),
                None => return self.unsupported("this assignment", origin),
            },
        };
        if has_block {
            return self.unsupported("block in an index", origin);
        }
        let receiver = match receiver {
            Some(receiver) => self.expr(&receiver),
            None => self.push(HirKind::SelfValue, origin),
        };
        let (set_up, receiver) = self.reusable(receiver, origin);
        let mut list: Vec<ExprId> = set_up.into_iter().collect();
        let args = self.args(arguments, None);
        let args = self.reusable_args(args, &mut list, origin);
        let name = self.intern("[]");
        let current = self.method_call(receiver, name, args.clone(), origin);
        let result = self.combine(current, op, value, origin, |lower, value| {
            let receiver = lower.repeat(receiver);
            let args = lower.repeat_args(&args);
            lower.push(HirKind::Assign { target: Target::Index { receiver, args }, value }, origin)
        });
        list.push(result);
        self.seq(list, origin)
    }

    /// Returns arguments that can be evaluated twice.
    fn reusable_args(&mut self, args: CallArgs, set_up: &mut Vec<ExprId>, origin: SourceRange) -> CallArgs {
        let mut again = |lower: &mut Lowering, value: ExprId| {
            let (assign, value) = lower.reusable(value, origin);
            set_up.extend(assign);
            value
        };
        let positional = args.positional.iter().map(|element| match element {
            Element::Plain(value) => Element::Plain(again(self, *value)),
            Element::Splat(value) => Element::Splat(again(self, *value)),
        });
        let positional = positional.collect();
        let keywords = args.keywords.iter().map(|pair| match pair {
            Pair::Entry(key, value) => {
                let key = again(self, *key);
                Pair::Entry(key, again(self, *value))
            }
            Pair::Splat(value) => Pair::Splat(again(self, *value)),
        });
        let keywords = keywords.collect();
        CallArgs { positional, keywords, block: None }
    }

    fn repeat_args(&mut self, args: &CallArgs) -> CallArgs {
        let positional = args.positional.iter().map(|element| match element {
            Element::Plain(value) => Element::Plain(self.repeat(*value)),
            Element::Splat(value) => Element::Splat(self.repeat(*value)),
        });
        let positional = positional.collect();
        let keywords = args.keywords.iter().map(|pair| match pair {
            Pair::Entry(key, value) => {
                let key = self.repeat(*key);
                Pair::Entry(key, self.repeat(*value))
            }
            Pair::Splat(value) => Pair::Splat(self.repeat(*value)),
        });
        let keywords = keywords.collect();
        CallArgs { positional, keywords, block: None }
    }

    /// Lowers a match with named groups, which become local variables.
    fn match_write(&mut self, write: &ruby_prism::MatchWriteNode<'_>, origin: SourceRange) -> ExprId {
        let found = self.expr(&write.call().as_node());
        let result = self.temporary();
        let mut list = vec![self.push(HirKind::Assign { target: Target::Local(result), value: found }, origin)];
        for target in write.targets().iter().filter_map(|t| t.as_local_variable_target_node()) {
            let name = self.name(&target.name());
            let local = self.local(&target.name(), target.depth());
            let matched = self.intern("$~");
            let last = self.push(HirKind::Variable(matched), origin);
            let condition = self.push(HirKind::IsNil(last), origin);
            let then = self.nil(origin);
            let receiver = self.repeat(last);
            let key = self.push(HirKind::Symbol(name), origin);
            let args = CallArgs { positional: vec![Element::Plain(key)], ..CallArgs::default() };
            let name = self.intern("[]");
            let otherwise = self.method_call(receiver, name, args, origin);
            let value = self.push(HirKind::If { condition, then, otherwise }, origin);
            list.push(self.push(HirKind::Assign { target: Target::Local(local), value }, origin));
        }
        list.push(self.read_local(result, origin));
        self.seq(list, origin)
    }

    /// Lowers an assignment target.
    pub(super) fn target(&mut self, node: &Node<'_>) -> Target {
        self.target_form(node).unwrap_or(Target::Discard)
    }

    fn target_form(&mut self, node: &Node<'_>) -> Option<Target> {
        Some(match node {
            Node::LocalVariableTargetNode { .. } => {
                let target = node.as_local_variable_target_node()?;
                Target::Local(self.local(&target.name(), target.depth()))
            }
            Node::InstanceVariableTargetNode { .. } => Target::Variable(self.name(&node.as_instance_variable_target_node()?.name())),
            Node::ClassVariableTargetNode { .. } => Target::Variable(self.name(&node.as_class_variable_target_node()?.name())),
            Node::GlobalVariableTargetNode { .. } => Target::Variable(self.name(&node.as_global_variable_target_node()?.name())),
            Node::ConstantTargetNode { .. } => Target::Constant(self.lexical(&node.as_constant_target_node()?.name())),
            Node::ConstantPathTargetNode { .. } => Target::Constant(self.constant(node)?),
            Node::CallTargetNode { .. } => {
                let target = node.as_call_target_node()?;
                let name = self.name(&target.name());
                let receiver = self.expr(&target.receiver());
                Target::Attribute { receiver, name: self.intern(name.trim_end_matches('=')) }
            }
            Node::IndexTargetNode { .. } => {
                let target = node.as_index_target_node()?;
                let receiver = self.expr(&target.receiver());
                Target::Index { receiver, args: self.args(target.arguments(), None) }
            }
            Node::MultiTargetNode { .. } => {
                let multi = node.as_multi_target_node()?;
                Target::Multiple(Box::new(self.multi_target(multi.lefts().iter(), multi.rest(), multi.rights().iter())))
            }
            _ => return None,
        })
    }
}
