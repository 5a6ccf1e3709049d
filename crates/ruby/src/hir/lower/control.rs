//! Conditions, loops, errors, and definitions.

use super::Lowering;
use crate::hir::{Begin, BodyKind, Case, ExprId, HirKind, Rescue, SourceRange, WhenArm};
use ruby_prism::{ArgumentsNode, BeginNode, CaseNode, Node, RescueNode};

impl Lowering {
    pub(super) fn control(&mut self, node: &Node<'_>, origin: SourceRange) -> Option<ExprId> {
        self.branching(node, origin).or_else(|| self.looping(node, origin)).or_else(|| self.leaving(node, origin))
    }

    fn branching(&mut self, node: &Node<'_>, origin: SourceRange) -> Option<ExprId> {
        let kind = match node {
            Node::StatementsNode { .. } => return Some(self.statements(node.as_statements_node(), origin)),
            Node::ParenthesesNode { .. } => {
                let body = node.as_parentheses_node()?.body();
                return Some(self.optional_body(body, origin));
            }
            Node::IfNode { .. } => {
                let choice = node.as_if_node()?;
                let condition = self.expr(&choice.predicate());
                let then = self.statements(choice.statements(), origin);
                let otherwise = self.optional(choice.subsequent(), origin);
                HirKind::If { condition, then, otherwise }
            }
            Node::UnlessNode { .. } => {
                let choice = node.as_unless_node()?;
                let condition = self.expr(&choice.predicate());
                let otherwise = self.statements(choice.statements(), origin);
                let then = self.optional(choice.else_clause().map(|clause| clause.as_node()), origin);
                HirKind::If { condition, then, otherwise }
            }
            Node::ElseNode { .. } => return Some(self.statements(node.as_else_node()?.statements(), origin)),
            Node::AndNode { .. } => {
                let both = node.as_and_node()?;
                let left = self.expr(&both.left());
                HirKind::And(left, self.expr(&both.right()))
            }
            Node::OrNode { .. } => {
                let either = node.as_or_node()?;
                let left = self.expr(&either.left());
                HirKind::Or(left, self.expr(&either.right()))
            }
            Node::CaseNode { .. } => self.case(&node.as_case_node()?, origin),
            Node::CaseMatchNode { .. } => return Some(self.case_in(&node.as_case_match_node()?, origin)),
            Node::MatchPredicateNode { .. } => {
                let test = node.as_match_predicate_node()?;
                let value = self.expr(&test.value());
                HirKind::MatchPattern { value, pattern: self.pattern(&test.pattern()), required: false }
            }
            Node::MatchRequiredNode { .. } => {
                let test = node.as_match_required_node()?;
                let value = self.expr(&test.value());
                HirKind::MatchPattern { value, pattern: self.pattern(&test.pattern()), required: true }
            }
            Node::BeginNode { .. } => return Some(self.begin(&node.as_begin_node()?, origin)),
            Node::RescueModifierNode { .. } => {
                let handled = node.as_rescue_modifier_node()?;
                let body = self.expr(&handled.expression());
                let handler = self.expr(&handled.rescue_expression());
                let rescues = vec![Rescue { classes: Vec::new(), target: None, body: handler }];
                HirKind::Begin(Box::new(Begin { body, rescues, otherwise: None, ensure: None }))
            }
            _ => return None,
        };
        Some(self.push(kind, origin))
    }

    fn case(&mut self, case: &CaseNode<'_>, origin: SourceRange) -> HirKind {
        let subject = case.predicate().map(|n| self.expr(&n));
        let mut arms = Vec::new();
        for when in case.conditions().iter().filter_map(|n| n.as_when_node()) {
            let conditions = self.elements(&when.conditions());
            arms.push(WhenArm { conditions, body: self.statements(when.statements(), origin) });
        }
        let otherwise = self.optional(case.else_clause().map(|clause| clause.as_node()), origin);
        HirKind::Case(Box::new(Case { subject, arms, otherwise }))
    }

    fn begin(&mut self, begin: &BeginNode<'_>, origin: SourceRange) -> ExprId {
        let body = self.statements(begin.statements(), origin);
        let mut rescues = Vec::new();
        let mut next = begin.rescue_clause();
        while let Some(rescue) = next {
            rescues.push(self.rescue(&rescue, origin));
            next = rescue.subsequent();
        }
        let otherwise = begin.else_clause().map(|clause| self.statements(clause.statements(), origin));
        let ensure = begin.ensure_clause().map(|clause| self.statements(clause.statements(), origin));
        if rescues.is_empty() && otherwise.is_none() && ensure.is_none() {
            return body;
        }
        self.push(HirKind::Begin(Box::new(Begin { body, rescues, otherwise, ensure })), origin)
    }

    fn rescue(&mut self, rescue: &RescueNode<'_>, origin: SourceRange) -> Rescue {
        let classes = self.elements(&rescue.exceptions());
        let target = rescue.reference().map(|n| self.target(&n));
        Rescue { classes, target, body: self.statements(rescue.statements(), origin) }
    }

    fn looping(&mut self, node: &Node<'_>, origin: SourceRange) -> Option<ExprId> {
        let kind = match node {
            Node::WhileNode { .. } => {
                let repeat = node.as_while_node()?;
                let condition = self.expr(&repeat.predicate());
                let body = self.statements(repeat.statements(), origin);
                HirKind::While { condition, body, at_least_once: repeat.is_begin_modifier() }
            }
            Node::UntilNode { .. } => {
                let repeat = node.as_until_node()?;
                let until = self.expr(&repeat.predicate());
                let condition = self.push(HirKind::Not(until), origin);
                let body = self.statements(repeat.statements(), origin);
                HirKind::While { condition, body, at_least_once: repeat.is_begin_modifier() }
            }
            Node::ForNode { .. } => {
                let each = node.as_for_node()?;
                let list = self.expr(&each.collection());
                let target = self.target(&each.index());
                let body = self.statements(each.statements(), origin);
                HirKind::For { target, list, body }
            }
            _ => return None,
        };
        Some(self.push(kind, origin))
    }

    fn leaving(&mut self, node: &Node<'_>, origin: SourceRange) -> Option<ExprId> {
        let kind = match node {
            Node::ReturnNode { .. } => HirKind::Return(self.result(node.as_return_node()?.arguments(), origin)),
            Node::BreakNode { .. } => HirKind::Break(self.result(node.as_break_node()?.arguments(), origin)),
            Node::NextNode { .. } => HirKind::Next(self.result(node.as_next_node()?.arguments(), origin)),
            Node::RetryNode { .. } => HirKind::Retry,
            Node::RedoNode { .. } => HirKind::Redo,
            _ => return None,
        };
        Some(self.push(kind, origin))
    }

    /// Lowers the value after `return`, `break` or `next`; several values are a list.
    fn result(&mut self, nodes: Option<ArgumentsNode<'_>>, origin: SourceRange) -> Option<ExprId> {
        let list = nodes?.arguments();
        let first = list.first()?;
        if list.len() == 1 && first.as_splat_node().is_none() {
            return Some(self.expr(&first));
        }
        let elements = self.elements(&list);
        Some(self.push(HirKind::Array(elements), origin))
    }

    pub(super) fn definition(&mut self, node: &Node<'_>, origin: SourceRange) -> Option<ExprId> {
        let kind = match node {
            Node::DefNode { .. } => return Some(self.def(&node.as_def_node()?, origin)),
            Node::ClassNode { .. } => {
                let class = node.as_class_node()?;
                let path = self.constant(&class.constant_path())?;
                let superclass = class.superclass().map(|n| self.expr(&n));
                HirKind::Class { path, superclass, body: self.class_body(class.body(), origin) }
            }
            Node::ModuleNode { .. } => {
                let module = node.as_module_node()?;
                let path = self.constant(&module.constant_path())?;
                HirKind::Module { path, body: self.class_body(module.body(), origin) }
            }
            Node::SingletonClassNode { .. } => {
                let class = node.as_singleton_class_node()?;
                let object = self.expr(&class.expression());
                HirKind::SingletonClass { object, body: self.class_body(class.body(), origin) }
            }
            Node::AliasMethodNode { .. } => {
                let alias = node.as_alias_method_node()?;
                let new = self.expr(&alias.new_name());
                HirKind::Alias { new, old: self.expr(&alias.old_name()) }
            }
            Node::UndefNode { .. } => {
                let names = node.as_undef_node()?.names();
                HirKind::Undef(names.iter().map(|name| self.expr(&name)).collect())
            }
            Node::DefinedNode { .. } => return Some(self.defined(&node.as_defined_node()?.value(), origin)),
            Node::PostExecutionNode { .. } => {
                let end = node.as_post_execution_node()?;
                let body = self.in_body(BodyKind::Block, origin, |lower| lower.statements(end.statements(), origin));
                let call = self.self_call("at_exit", Vec::new(), origin);
                self.add_block(call, body);
                return Some(call);
            }
            _ => return None,
        };
        Some(self.push(kind, origin))
    }

    fn add_block(&mut self, call: ExprId, block: crate::hir::BodyId) {
        if let Some(HirKind::Call(call)) = self.open.last_mut().and_then(|body| body.exprs.get_mut(call)).map(|expr| &mut expr.kind) {
            call.args.block = Some(crate::hir::CallBlock::Literal(block));
        }
    }

    fn class_body(&mut self, body: Option<Node<'_>>, origin: SourceRange) -> crate::hir::BodyId {
        self.in_body(BodyKind::Class, origin, |lower| lower.optional_body(body, origin))
    }

    fn def(&mut self, def: &ruby_prism::DefNode<'_>, origin: SourceRange) -> ExprId {
        let name = self.name(&def.name());
        if &*name == "!" {
            // `!x` is a core form and calls no method.
            return self.unsupported("definition of `!`", origin);
        }
        let singleton = def.receiver().map(|n| self.expr(&n));
        let body = self.in_body(BodyKind::Method, origin, |lower| {
            lower.params(def.parameters());
            lower.optional_body(def.body(), origin)
        });
        self.push(HirKind::Def { singleton, name, body }, origin)
    }

    /// Lowers `defined?`. The answer for most syntax is known without evaluation.
    fn defined(&mut self, node: &Node<'_>, origin: SourceRange) -> ExprId {
        if let Some(parentheses) = node.as_parentheses_node()
            && let Some(body) = parentheses.body()
        {
            let only = body.as_statements_node().filter(|list| list.body().len() == 1).and_then(|list| list.body().first());
            return match only {
                Some(only) => self.defined(&only, origin),
                None => self.unsupported("`defined?` of statements", origin),
            };
        }
        let id = self.expr(node);
        let answer = match self.kind_of(id) {
            HirKind::Call(_) | HirKind::Super(_) | HirKind::Yield(_) | HirKind::Variable(_) | HirKind::Constant(_) => None,
            HirKind::Group(_) | HirKind::AroundMatch(_) => None,
            HirKind::Local(_) => Some("local-variable"),
            HirKind::SelfValue => Some("self"),
            HirKind::Assign { .. } => Some("assignment"),
            HirKind::Nil => Some("nil"),
            HirKind::Bool(value) => Some(if value { "true" } else { "false" }),
            HirKind::Integer(_) | HirKind::Float(_) | HirKind::Symbol(_) => Some("expression"),
            HirKind::Str { .. } | HirKind::Lambda(_) | HirKind::If { .. } => Some("expression"),
            HirKind::And(..) | HirKind::Or(..) if !is_assignment(node) => Some("expression"),
            HirKind::And(..) | HirKind::Or(..) => Some("assignment"),
            _ => return self.unsupported("`defined?` of this expression", origin),
        };
        let kind = match answer {
            Some(text) => HirKind::Str { text: self.intern(text), frozen: false },
            None => HirKind::Defined(id),
        };
        self.push(kind, origin)
    }
}

/// Returns true if a node that was lowered to `&&` or `||` is an assignment.
fn is_assignment(node: &Node<'_>) -> bool {
    !matches!(node, Node::AndNode { .. } | Node::OrNode { .. })
}
