//! Translates `Pathname`, which is a text here.

use super::block::*;
use super::ruby::{self, name};
use ruby_prism::{CallNode, Node};

impl BlockTranslator<'_> {
    /// Translates `Pathname.new(e)`, `Pathname(e)`, a parent of one, or a local that is one.
    pub(super) fn pathname(&mut self, node: &Node<'_>) -> Text<Option<String>> {
        if let Some(local) = node.as_local_variable_read_node() {
            let local = ruby::local(&local.name());
            return Ok(self.paths.contains(&local).then_some(local));
        }
        let Some(call) = node.as_call_node() else { return Ok(None) };
        let (plain, named) = ruby::arguments(call.arguments());
        let method = name(&call.name());
        let Some(receiver) = call.receiver() else {
            return match plain.as_slice() {
                [path] if method == "Pathname" && named.is_empty() => self.expr(path, OPERAND).map(Some),
                _ => Ok(None),
            };
        };
        match plain.as_slice() {
            [path] if method == "new" && named.is_empty() && ruby::constant(&receiver).as_deref() == Some("Pathname") => {
                self.expr(path, OPERAND).map(Some)
            }
            [] if matches!(method.as_str(), "parent" | "dirname" | "basename") && call.block().is_none() => {
                Ok(self.deeper(node, |block| block.pathname(&receiver))?.map(|p| format!("{p}.{method}")))
            }
            [] if method == "cleanpath" && call.block().is_none() => {
                Ok(self.deeper(node, |block| block.pathname(&receiver))?.map(|p| format!("{p}.clean")))
            }
            [suffix] if method == "basename" && named.is_empty() => {
                let Some(path) = self.deeper(node, |block| block.pathname(&receiver))? else { return Ok(None) };
                Ok(Some(format!("{path}.basename({})", self.expr(suffix, TERNARY)?)))
            }
            _ => Ok(None),
        }
    }

    /// Translates `path.ascend { |p| … }`: the path and its ancestors.
    pub(super) fn ascend(&mut self, call: &CallNode<'_>, path: &str) -> Text<(String, u8)> {
        let node = call.as_node();
        let closure = ruby::block(call);
        let params = closure.as_ref().and_then(ruby::block_params).filter(|p| p.len() == 1);
        let (Some(closure), Some(params)) = (closure, params) else { return no(&node, "this `ascend` is not supported") };
        let paths = self.paths.len();
        self.paths.extend(params.iter().cloned());
        let closure = self.closure(&params, &ruby::statements(closure.body()));
        self.paths.truncate(paths);
        Ok((format!("({path}.ancestors + [{path}]).reverse.each{}", closure?), OPERAND))
    }

    /// Translates `path.enum_for(:ascend)`: the path and its ancestors.
    pub(super) fn ascending(&mut self, node: &Node<'_>) -> Text<Option<String>> {
        let Some(call) = node.as_call_node().filter(|c| name(&c.name()) == "enum_for") else { return Ok(None) };
        let given = ruby::arguments(call.arguments()).0;
        let is_ascend = matches!(given.as_slice(), [how] if ruby::symbol(how).as_deref() == Some("ascend"));
        let Some(receiver) = call.receiver().filter(|_| is_ascend) else { return Ok(None) };
        Ok(self.pathname(&receiver)?.map(|path| format!("({path}.ancestors + [{path}]).reverse")))
    }
}
