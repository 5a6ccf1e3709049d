//! Literals: numbers, strings, lists, hashes, ranges and regexes.

use super::Lowering;
use crate::hir::{Element, ExprId, HirKind, Pair, RegexFlags, SourceRange};
use ruby_prism::{Node, NodeList};

impl Lowering {
    pub(super) fn literal(&mut self, node: &Node<'_>, origin: SourceRange) -> Option<ExprId> {
        let kind = match node {
            Node::NilNode { .. } => HirKind::Nil,
            Node::TrueNode { .. } => HirKind::Bool(true),
            Node::FalseNode { .. } => HirKind::Bool(false),
            Node::SelfNode { .. } => HirKind::SelfValue,
            Node::IntegerNode { .. } => self.integer(&node.as_integer_node()?),
            Node::FloatNode { .. } => HirKind::Float(node.as_float_node()?.value()),
            Node::SourceFileNode { .. } => HirKind::FilePath,
            Node::SourceLineNode { .. } => HirKind::Line,
            Node::StringNode { .. } => {
                let string = node.as_string_node()?;
                return Some(self.string(string.unescaped(), string.is_frozen(), origin));
            }
            Node::SymbolNode { .. } => match std::str::from_utf8(node.as_symbol_node()?.unescaped()) {
                Ok(text) => HirKind::Symbol(self.intern(text)),
                Err(_) => HirKind::Unsupported { what: "symbol that is not UTF-8" },
            },
            Node::ArrayNode { .. } => {
                let elements = self.elements(&node.as_array_node()?.elements());
                HirKind::Array(elements)
            }
            Node::HashNode { .. } => HirKind::Hash(self.pairs(&node.as_hash_node()?.elements())),
            Node::KeywordHashNode { .. } => HirKind::Hash(self.pairs(&node.as_keyword_hash_node()?.elements())),
            Node::RangeNode { .. } => {
                let range = node.as_range_node()?;
                let low = range.left().map(|n| self.expr(&n));
                let high = range.right().map(|n| self.expr(&n));
                HirKind::Range { low, high, exclusive: range.is_exclude_end() }
            }
            Node::ImplicitNode { .. } => return Some(self.expr(&node.as_implicit_node()?.value())),
            _ => return self.interpolated(node, origin),
        };
        Some(self.push(kind, origin))
    }

    fn integer(&mut self, node: &ruby_prism::IntegerNode<'_>) -> HirKind {
        let value = node.value();
        let (negative, digits) = value.to_u32_digits();
        if digits.len() <= 3 {
            let magnitude = digits.iter().rev().fold(0_i128, |sum, digit| (sum << 32) | i128::from(*digit));
            let signed = if negative { -magnitude } else { magnitude };
            if let Ok(small) = i64::try_from(signed) {
                return HirKind::Integer(small);
            }
        }
        HirKind::BigInteger(self.intern(&decimal(negative, digits)))
    }

    fn string(&mut self, bytes: &[u8], frozen: bool, origin: SourceRange) -> ExprId {
        let kind = match std::str::from_utf8(bytes) {
            Ok(text) => HirKind::Str { text: self.intern(text), frozen },
            Err(_) => HirKind::Unsupported { what: "string that is not UTF-8" },
        };
        self.push(kind, origin)
    }

    fn interpolated(&mut self, node: &Node<'_>, origin: SourceRange) -> Option<ExprId> {
        match node {
            Node::InterpolatedStringNode { .. } => {
                let string = node.as_interpolated_string_node()?;
                let parts = self.parts(&string.parts());
                Some(self.concat(parts, string.is_frozen(), origin))
            }
            Node::InterpolatedSymbolNode { .. } => {
                let parts = self.parts(&node.as_interpolated_symbol_node()?.parts());
                if let [only] = parts.as_slice()
                    && let HirKind::Str { text, .. } = self.kind_of(*only)
                {
                    return Some(self.push(HirKind::Symbol(text), origin));
                }
                Some(self.push(HirKind::SymbolConcat(parts), origin))
            }
            Node::RegularExpressionNode { .. } => {
                let regex = node.as_regular_expression_node()?;
                let flags = RegexFlags {
                    ignore_case: regex.is_ignore_case(),
                    multi_line: regex.is_multi_line(),
                    extended: regex.is_extended(),
                    once: false,
                };
                if regex.is_ascii_8bit() || regex.is_euc_jp() || regex.is_windows_31j() {
                    return Some(self.unsupported("regex of another encoding", origin));
                }
                let part = self.string(regex.unescaped(), false, origin);
                Some(self.push(HirKind::Regex { parts: vec![part], flags }, origin))
            }
            Node::InterpolatedRegularExpressionNode { .. } => {
                let regex = node.as_interpolated_regular_expression_node()?;
                let flags = RegexFlags {
                    ignore_case: regex.is_ignore_case(),
                    multi_line: regex.is_multi_line(),
                    extended: regex.is_extended(),
                    once: regex.is_once(),
                };
                let parts = self.parts(&regex.parts());
                Some(self.push(HirKind::Regex { parts, flags }, origin))
            }
            Node::XStringNode { .. } => {
                let command = self.string(node.as_x_string_node()?.unescaped(), false, origin);
                Some(self.self_call("`", vec![command], origin))
            }
            Node::InterpolatedXStringNode { .. } => {
                let parts = self.parts(&node.as_interpolated_x_string_node()?.parts());
                let command = self.concat(parts, false, origin);
                Some(self.self_call("`", vec![command], origin))
            }
            Node::EmbeddedStatementsNode { .. } => {
                let inner = node.as_embedded_statements_node()?;
                Some(self.statements(inner.statements(), origin))
            }
            Node::EmbeddedVariableNode { .. } => Some(self.expr(&node.as_embedded_variable_node()?.variable())),
            _ => None,
        }
    }

    /// Returns an expression's form in the innermost body.
    pub(super) fn kind_of(&self, id: ExprId) -> HirKind {
        self.open.last().and_then(|body| body.exprs.get(id)).map_or(HirKind::Nil, |expr| expr.kind.clone())
    }

    fn concat(&mut self, parts: Vec<ExprId>, frozen: bool, origin: SourceRange) -> ExprId {
        match parts.as_slice() {
            [] => {
                let text = self.intern("");
                self.push(HirKind::Str { text, frozen }, origin)
            }
            [only] => match self.kind_of(*only) {
                HirKind::Str { text, .. } => self.push(HirKind::Str { text, frozen }, origin),
                _ => self.push(HirKind::StrConcat(parts), origin),
            },
            _ => self.push(HirKind::StrConcat(parts), origin),
        }
    }

    /// Lowers an interpolated string's parts; adjacent literal parts are joined.
    fn parts(&mut self, nodes: &NodeList<'_>) -> Vec<ExprId> {
        let mut parts: Vec<ExprId> = Vec::new();
        for node in nodes.iter() {
            let id = match node.as_string_node() {
                // The parser marks string parts as immutable.
                Some(part) => self.string(part.unescaped(), false, self.origin(&node)),
                None => self.expr(&node),
            };
            let nested = match (self.kind_of(id), node.as_interpolated_string_node()) {
                (HirKind::StrConcat(inner), Some(_)) => inner,
                _ => vec![id],
            };
            for part in nested {
                self.add_part(&mut parts, part);
            }
        }
        parts
    }

    fn add_part(&mut self, parts: &mut Vec<ExprId>, part: ExprId) {
        if let (Some(last), HirKind::Str { text: more, .. }) = (parts.last().copied(), self.kind_of(part))
            && let HirKind::Str { text, frozen } = self.kind_of(last)
        {
            let joined = self.intern(&format!("{text}{more}"));
            if let Some(expr) = self.open.last_mut().and_then(|body| body.exprs.get_mut(last)) {
                expr.kind = HirKind::Str { text: joined, frozen };
            }
            return;
        }
        parts.push(part);
    }

    /// Lowers list elements or a call's positional arguments.
    pub(super) fn elements(&mut self, nodes: &NodeList<'_>) -> Vec<Element> {
        nodes.iter().map(|node| self.element(&node)).collect()
    }

    pub(super) fn element(&mut self, node: &Node<'_>) -> Element {
        let Some(splat) = node.as_splat_node() else { return Element::Plain(self.expr(node)) };
        let list = match splat.expression() {
            Some(list) => self.expr(&list),
            None => self.anonymous("__rest", node),
        };
        Element::Splat(list)
    }

    pub(super) fn pairs(&mut self, nodes: &NodeList<'_>) -> Vec<Pair> {
        nodes.iter().map(|node| self.pair(&node)).collect()
    }

    fn pair(&mut self, node: &Node<'_>) -> Pair {
        if let Some(entry) = node.as_assoc_node() {
            // The parser marks string keys as immutable, because hashes copy string keys.
            let key = entry.key();
            let key = match key.as_string_node() {
                Some(text) => self.string(text.unescaped(), false, self.origin(&key)),
                None => self.expr(&key),
            };
            return Pair::Entry(key, self.expr(&entry.value()));
        }
        let value = node.as_assoc_splat_node().and_then(|splat| splat.value());
        Pair::Splat(match value {
            Some(value) => self.expr(&value),
            None => self.anonymous("__keywords", node),
        })
    }

    /// Reads an unnamed parameter of the enclosing method.
    pub(super) fn anonymous(&mut self, name: &str, node: &Node<'_>) -> ExprId {
        let origin = self.origin(node);
        let Some(depth) = self.method_depth() else { return self.unsupported("parameter without a name", origin) };
        let name = self.intern(name);
        let local = self.local_named(name, depth);
        self.push(HirKind::Local(local), origin)
    }
}

/// Writes a number with 32-bit digits, least significant first, in decimal.
fn decimal(negative: bool, digits: &[u32]) -> String {
    let mut rest = digits.to_vec();
    let mut groups = Vec::new();
    while rest.iter().any(|digit| *digit != 0) {
        let mut remainder = 0_u64;
        for digit in rest.iter_mut().rev() {
            let value = (remainder << 32) | u64::from(*digit);
            *digit = u32::try_from(value / 1_000_000_000).unwrap_or(0);
            remainder = value % 1_000_000_000;
        }
        while rest.last() == Some(&0) {
            rest.pop();
        }
        groups.push(remainder);
    }
    let mut text = String::from(if negative { "-" } else { "" });
    text.push_str(&groups.pop().unwrap_or(0).to_string());
    for group in groups.iter().rev() {
        text.push_str(&format!("{group:09}"));
    }
    text
}
