//! Parameters of methods and blocks.

use super::Lowering;
use crate::hir::{HirKind, HirText, KeywordParam, LocalId, LocalRef, MultiTarget, Params, Target};
use ruby_prism::{Node, ParametersNode};

impl Lowering {
    /// Declares a parameter.
    fn param(&mut self, name: HirText) -> LocalId {
        self.local_named(name, 0).local
    }

    fn set_params(&mut self, params: Params) {
        if let Some(body) = self.open.last_mut() {
            body.params = params;
        }
    }

    /// Lowers a block's or lambda's parameters.
    pub(super) fn block_params(&mut self, node: Option<Node<'_>>) {
        let Some(node) = node else { return };
        if let Some(numbered) = node.as_numbered_parameters_node() {
            let mut params = Params::default();
            for number in 1..=numbered.maximum() {
                let name = self.intern(&format!("_{number}"));
                let local = self.param(name);
                params.required.push(Target::Local(LocalRef { depth: 0, local }));
            }
            self.set_params(params);
        } else if node.as_it_parameters_node().is_some() {
            let name = self.intern("it");
            let local = self.param(name);
            self.set_params(Params { required: vec![Target::Local(LocalRef { depth: 0, local })], ..Params::default() });
        } else if let Some(block) = node.as_block_parameters_node() {
            self.params(block.parameters());
            for local in block.locals().iter().filter_map(|n| n.as_block_local_variable_node()) {
                let name = self.name(&local.name());
                let local = self.param(name);
                if let Some(body) = self.open.last_mut() {
                    body.params.block_locals.push(local);
                }
            }
        }
    }

    /// Lowers the parameters of a method.
    pub(super) fn params(&mut self, node: Option<ParametersNode<'_>>) {
        let Some(node) = node else { return };
        let mut params = Params::default();
        for required in node.requireds().iter() {
            params.required.push(self.required(&required));
        }
        // The variables exist before the defaults, which may read earlier parameters.
        self.set_params(params.clone());
        for optional in node.optionals().iter().filter_map(|n| n.as_optional_parameter_node()) {
            let name = self.name(&optional.name());
            let local = self.param(name);
            let default = self.expr(&optional.value());
            params.optional.push((local, default));
        }
        if let Some(rest) = node.rest() {
            match rest.as_rest_parameter_node() {
                Some(rest) => params.rest = Some(self.named_or(rest.name(), "__rest")),
                None => params.excess_comma = rest.as_implicit_rest_node().is_some(),
            }
        }
        for required in node.posts().iter() {
            params.post.push(self.required(&required));
        }
        for keyword in node.keywords().iter() {
            params.keywords.extend(self.keyword(&keyword));
        }
        if let Some(rest) = node.keyword_rest() {
            self.keyword_rest(&rest, &mut params);
        }
        if let Some(block) = node.block().and_then(|n| n.as_block_parameter_node()) {
            params.block = Some(self.named_or(block.name(), "__block"));
        }
        self.set_params(params);
    }

    fn named_or(&mut self, name: Option<ruby_prism::ConstantId<'_>>, other: &str) -> LocalId {
        let name = match name {
            Some(name) => self.name(&name),
            None => self.intern(other),
        };
        self.param(name)
    }

    fn keyword(&mut self, node: &Node<'_>) -> Option<KeywordParam> {
        if let Some(required) = node.as_required_keyword_parameter_node() {
            let name = self.name(&required.name());
            return Some(KeywordParam { local: self.param(HirText::clone(&name)), name, default: None });
        }
        let optional = node.as_optional_keyword_parameter_node()?;
        let name = self.name(&optional.name());
        let local = self.param(HirText::clone(&name));
        let default = Some(self.expr(&optional.value()));
        Some(KeywordParam { name, local, default })
    }

    fn keyword_rest(&mut self, node: &Node<'_>, params: &mut Params) {
        if let Some(rest) = node.as_keyword_rest_parameter_node() {
            params.keyword_rest = Some(self.named_or(rest.name(), "__keywords"));
        } else if node.as_no_keywords_parameter_node().is_some() {
            params.no_keywords = true;
        } else if node.as_forwarding_parameter_node().is_some() {
            params.rest = Some(self.named_or(None, "__rest"));
            params.keyword_rest = Some(self.named_or(None, "__keywords"));
            params.block = Some(self.named_or(None, "__block"));
        }
    }

    fn required(&mut self, node: &Node<'_>) -> Target {
        if let Some(required) = node.as_required_parameter_node() {
            let name = self.name(&required.name());
            return Target::Local(LocalRef { depth: 0, local: self.param(name) });
        }
        self.target(node)
    }

    /// Lowers a destructuring target.
    pub(super) fn multi_target<'p>(
        &mut self,
        before: impl Iterator<Item = Node<'p>>,
        rest: Option<Node<'p>>,
        after: impl Iterator<Item = Node<'p>>,
    ) -> MultiTarget {
        let before = before.map(|n| self.required(&n)).collect();
        let rest = rest.and_then(|rest| {
            // `a, = list` has a splat without an asterisk. It assigns nothing.
            let splat = rest.as_splat_node()?;
            Some(match splat.expression() {
                Some(target) => self.required(&target),
                None => Target::Discard,
            })
        });
        let after = after.map(|n| self.required(&n)).collect();
        MultiTarget { before, rest, after }
    }

    /// Reads a variable in the current body.
    pub(super) fn read_local(&mut self, local: LocalRef, origin: crate::hir::SourceRange) -> crate::hir::ExprId {
        self.push(HirKind::Local(local), origin)
    }
}
