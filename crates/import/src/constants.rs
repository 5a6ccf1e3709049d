//! Translates constants of a file.

use super::block::MAX_DEPTH;
use super::eval::RubyValue;
use super::known::StaticValue;
use super::literals::is_literal;
use super::ruby::{self, ByteRange, name};
use super::state::is_empty;
use super::type_decl::{Fragment, Reader};
use ruby_prism::Node;

impl Reader<'_, '_, '_> {
    /// Translates the constants of the file.
    pub(super) fn constants(&mut self) -> Vec<Fragment> {
        let all = self.loaded.ruby.borrow().constants.iter().filter(|c| c.file == 0).cloned().collect::<Vec<_>>();
        let mut pieces = Vec::new();
        for constant in all {
            let value = self.loaded.constant(&constant.name);
            if matches!(value, Some(RubyValue::Proc(_))) {
                self.lambda_constant(&constant.name, constant.file, &constant.at);
                continue;
            }
            // What calls the entries of a table of lambdas finds them.
            let is_lambda = |(_, value): &(RubyValue<'_>, RubyValue<'_>)| matches!(value, RubyValue::Proc(_));
            if matches!(&value, Some(RubyValue::Hash(hash)) if hash.pairs.borrow().iter().any(is_lambda)) {
                continue;
            }
            let has_default = matches!(&value, Some(RubyValue::Hash(hash)) if !hash.default.borrow().is_nil());
            if has_default || matches!(value, Some(RubyValue::Class(_) | RubyValue::Object(_)) | None) {
                continue;
            }
            let node = self.loaded.node(constant.file, &constant.at, &|n| n.as_constant_write_node().is_some());
            let node = node.and_then(|n| n.as_constant_write_node());
            let written = node.as_ref().map(|write| self.block(None, |block| block.single(&write.value())));
            let fixed = value.and_then(|v| self.loaded.fixed(&v));
            if matches!(fixed, Some(StaticValue::Range(..))) {
                continue;
            }
            // What is empty is filled later.
            let is_literal = node.as_ref().is_some_and(|write| is_literal(&write.value(), MAX_DEPTH) && !is_empty(&write.value()));
            let text = match (written, fixed.and_then(|v| v.written())) {
                // No code runs while a type is loaded.
                (_, Some(text)) if !is_literal => text,
                (Some(Ok(text)), _) | (_, Some(text)) => text,
                (Some(Err(reason)), None) => {
                    pieces.push(Fragment { residue: Some(reason), ..self.ready(&constant.at, "", "") });
                    continue;
                }
                (None, None) => continue,
            };
            self.scope.constants.insert(constant.name.to_string());
            pieces.push(self.ready(&constant.at, "", format!("const {} = {text}", constant.name)));
        }
        pieces
    }

    /// Returns what a constant is another name of: it is assigned once in all files, and neither is defined by Ruby code.
    pub(super) fn constant_alias(&self, constant: &str) -> Option<String> {
        // Most constants are not assigned here at all.
        if !self.any_mentions(|mentions| mentions.assigns_constant(constant)) {
            return None;
        }
        let mut found: Option<String> = None;
        for file in 0..self.texts.len() {
            for (_, node) in self.loaded.nodes(file).iter() {
                if let Some(write) = node.as_constant_write_node().filter(|write| name(&write.name()) == constant) {
                    if file != self.file || found.is_some() {
                        return None;
                    }
                    found = Some(ruby::constant(&write.value())?);
                }
            }
        }
        let of = found?;
        let first = of.split("::").next().unwrap_or_default();
        let defined =
            |path: Option<String>| path.is_some_and(|p| p.rsplit("::").next().is_some_and(|last| last == first || last == constant));
        let is_defined = (0..self.texts.len()).any(|file| {
            self.loaded.nodes(file).iter().any(|(_, node)| {
                let class = node.as_class_node().map(|c| ruby::constant(&c.constant_path()));
                defined(class.or_else(|| node.as_module_node().map(|m| ruby::constant(&m.constant_path()))).flatten())
            })
        });
        let is_puppets = of.starts_with("Puppet::Pops::");
        (is_puppets || !is_defined).then_some(of)
    }

    /// Records a constant that is a lambda or proc.
    fn lambda_constant(&mut self, constant: &str, file: usize, at: &ByteRange) {
        let node = self.loaded.node(file, at, &|n| n.as_constant_write_node().is_some()).and_then(|n| n.as_constant_write_node());
        let Some(write) = node else { return };
        if let Ok(Some(lambda)) = self.block(None, |block| block.lambda(&frozen(write.value()))) {
            self.scope.lambdas.insert(constant.to_owned(), lambda);
        }
    }
}

/// Returns `x` of `x.freeze`.
fn frozen(node: Node<'_>) -> Node<'_> {
    let of = node.as_call_node().filter(|c| name(&c.name()) == "freeze" && c.arguments().is_none()).and_then(|c| c.receiver());
    of.unwrap_or(node)
}
