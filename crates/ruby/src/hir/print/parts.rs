//! Arguments, parameters, targets and patterns.

use super::Printer;
use crate::hir::{
    ArrayPattern, CallArgs, CallBlock, CallStyle, CasePattern, Element, HashPattern, HirText, LocalId, LocalRef, MethodCall, MultiTarget,
    Pair, Target,
};

/// Prints a parameter.
type PrintPart<'h> = Box<dyn FnOnce(&mut Printer<'h>) + 'h>;

impl<'h> Printer<'h> {
    /// Prints a list with commas.
    fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut print: impl FnMut(&mut Self, T)) {
        for (i, item) in items.into_iter().enumerate() {
            if i > 0 {
                self.push(", ");
            }
            print(self, item);
        }
    }

    pub(super) fn elements(&mut self, elements: &[Element]) {
        self.list(elements, |printer, element| match element {
            Element::Plain(value) => printer.expr(*value),
            Element::Splat(value) => {
                printer.push("*");
                printer.expr(*value);
            }
        });
    }

    pub(super) fn pairs(&mut self, pairs: &[Pair]) {
        self.list(pairs, |printer, pair| match pair {
            Pair::Entry(key, value) => {
                printer.expr(*key);
                printer.push(" => ");
                printer.expr(*value);
            }
            Pair::Splat(value) => {
                printer.push("**");
                printer.expr(*value);
            }
        });
    }

    pub(super) fn call(&mut self, call: &'h MethodCall) {
        let is_operator = !call.name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if &*call.name == "`" {
            self.push("Kernel.send(:`, ");
            self.elements(&call.args.positional);
            return self.push(")");
        }
        if call.style == CallStyle::Explicit || is_operator || call.name.ends_with('=') {
            self.receiver(call.receiver);
            self.push(".");
        }
        self.push(&call.name);
        let is_bare = call.style == CallStyle::Bare && !self.is_local(&call.name);
        self.arguments(&call.args, !is_bare);
        self.block(call.args.block);
    }

    /// Returns true if a name is a local variable here, so that a call needs parentheses.
    fn is_local(&self, name: &str) -> bool {
        self.bodies.iter().filter_map(|id| self.hir.body(*id)).any(|body| body.locals.iter().any(|(_, local)| &*local.name == name))
    }

    pub(super) fn arguments(&mut self, args: &CallArgs, with_parentheses: bool) {
        let passed = match args.block {
            Some(CallBlock::Pass(value)) => Some(value),
            _ => None,
        };
        let is_empty = args.positional.is_empty() && args.keywords.is_empty() && passed.is_none();
        if is_empty && !with_parentheses {
            return;
        }
        self.push("(");
        self.elements(&args.positional);
        if !args.positional.is_empty() && !args.keywords.is_empty() {
            self.push(", ");
        }
        self.pairs(&args.keywords);
        if let Some(value) = passed {
            if !args.positional.is_empty() || !args.keywords.is_empty() {
                self.push(", ");
            }
            self.push("&");
            self.expr(value);
        }
        self.push(")");
    }

    pub(super) fn block(&mut self, block: Option<CallBlock>) {
        let Some(CallBlock::Literal(body)) = block else { return };
        self.in_body(body, |printer| {
            printer.push(" {");
            if let Some(body) = printer.body() {
                let params = &body.params;
                let has_params = !(params.required.is_empty()
                    && params.optional.is_empty()
                    && params.rest.is_none()
                    && params.post.is_empty()
                    && params.keywords.is_empty()
                    && params.keyword_rest.is_none()
                    && params.block.is_none()
                    && params.block_locals.is_empty());
                if has_params {
                    printer.push(" |");
                    printer.params();
                    printer.push("|");
                }
            }
            printer.code();
            printer.push("}");
        });
    }

    fn own_local(&mut self, local: LocalId) {
        self.local(LocalRef { depth: 0, local });
    }

    /// Prints the innermost body's parameters.
    pub(super) fn params(&mut self) {
        let Some(body) = self.body() else { return };
        let params = &body.params;
        let mut parts: Vec<PrintPart<'h>> = Vec::new();
        for target in &params.required {
            parts.push(Box::new(move |printer| printer.param_target(target)));
        }
        for (local, default) in &params.optional {
            parts.push(Box::new(move |printer| {
                printer.own_local(*local);
                printer.push(" = ");
                printer.expr(*default);
            }));
        }
        if let Some(rest) = params.rest {
            parts.push(Box::new(move |printer| {
                printer.push("*");
                printer.own_local(rest);
            }));
        }
        for target in &params.post {
            parts.push(Box::new(move |printer| printer.param_target(target)));
        }
        for keyword in &params.keywords {
            parts.push(Box::new(move |printer| {
                printer.push(&format!("{}:", keyword.name));
                if let Some(default) = keyword.default {
                    printer.push(" ");
                    printer.expr(default);
                }
            }));
        }
        if let Some(rest) = params.keyword_rest {
            parts.push(Box::new(move |printer| {
                printer.push("**");
                printer.own_local(rest);
            }));
        }
        if params.no_keywords {
            parts.push(Box::new(|printer| printer.push("**nil")));
        }
        if let Some(block) = params.block {
            parts.push(Box::new(move |printer| {
                printer.push("&");
                printer.own_local(block);
            }));
        }
        self.list(parts, |printer, print| print(printer));
        if params.excess_comma {
            self.push(",");
        }
        if !params.block_locals.is_empty() {
            self.push("; ");
            self.list(params.block_locals.clone(), Self::own_local);
        }
    }

    fn param_target(&mut self, target: &'h Target) {
        match target {
            Target::Multiple(multi) => {
                self.push("(");
                self.multi(multi);
                self.push(")");
            }
            other => self.target(other),
        }
    }

    /// Prints a `for` target. A list has no parentheses there.
    pub(super) fn bare_target(&mut self, target: &'h Target) {
        match target {
            Target::Multiple(multi) => self.multi(multi),
            other => self.target(other),
        }
    }

    pub(super) fn target(&mut self, target: &'h Target) {
        match target {
            Target::Local(local) => self.local(*local),
            Target::Variable(name) => self.push(name),
            Target::Constant(path) => self.constant(path),
            Target::Index { receiver, args } => {
                self.receiver(*receiver);
                self.push("[");
                self.elements(&args.positional);
                if !args.positional.is_empty() && !args.keywords.is_empty() {
                    self.push(", ");
                }
                self.pairs(&args.keywords);
                self.push("]");
            }
            Target::Attribute { receiver, name } => {
                self.receiver(*receiver);
                self.push(".");
                self.push(name);
            }
            Target::Multiple(multi) => self.multi(multi),
            Target::Discard => self.push("__discarded"),
        }
    }

    /// Prints a receiver. Private methods may be called for `self`, but not for `(self)`.
    fn receiver(&mut self, receiver: crate::hir::ExprId) {
        let is_self = self.body().is_some_and(|body| matches!(body.kind(receiver), crate::hir::HirKind::SelfValue));
        if is_self {
            return self.push("self");
        }
        self.push("(");
        self.expr(receiver);
        self.push(")");
    }

    fn multi(&mut self, multi: &'h MultiTarget) {
        let is_single = multi.before.len() == 1 && multi.rest.is_none() && multi.after.is_empty();
        let mut parts: Vec<(&str, &'h Target)> = multi.before.iter().map(|target| ("", target)).collect();
        parts.extend(multi.rest.iter().map(|target| ("*", target)));
        parts.extend(multi.after.iter().map(|target| ("", target)));
        self.list(parts, |printer, (sign, target)| {
            printer.push(sign);
            match target {
                Target::Discard => {}
                other => printer.param_target(other),
            }
        });
        if is_single {
            self.push(",");
        }
    }

    pub(super) fn pattern(&mut self, pattern: &'h CasePattern) {
        match pattern {
            CasePattern::Value(value) => {
                let is_literal = self.body().is_some_and(|body| is_pattern_literal(body.kind(*value)));
                self.push(if is_literal { "" } else { "^(" });
                self.expr(*value);
                self.push(if is_literal { "" } else { ")" });
            }
            CasePattern::Bind(local) => self.local(*local),
            CasePattern::Capture(inner, local) => {
                self.push("(");
                self.pattern(inner);
                self.push(" => ");
                self.local(*local);
                self.push(")");
            }
            CasePattern::Alternatives(all) => {
                self.push("(");
                for (i, one) in all.iter().enumerate() {
                    self.push(if i > 0 { " | " } else { "" });
                    self.pattern(one);
                }
                self.push(")");
            }
            CasePattern::Array(array) => self.array_pattern(array),
            CasePattern::Find(find) => {
                self.pattern_constant(find.constant);
                self.push("[");
                self.splat(find.rest.flatten());
                for inner in &find.before {
                    self.push(", ");
                    self.pattern(inner);
                }
                self.push(", ");
                self.splat(find.last_rest);
                self.push("]");
            }
            CasePattern::Hash(hash) => self.hash_pattern(hash),
            CasePattern::Unsupported => self.push("^(raise(NotImplementedError))"),
        }
    }

    fn splat(&mut self, name: Option<LocalRef>) {
        self.push("*");
        if let Some(local) = name {
            self.local(local);
        }
    }

    fn pattern_constant(&mut self, constant: Option<crate::hir::ExprId>) {
        if let Some(constant) = constant {
            self.expr(constant);
        }
    }

    fn array_pattern(&mut self, array: &'h ArrayPattern) {
        self.pattern_constant(array.constant);
        self.push("[");
        self.list(&array.before, |printer, inner| printer.pattern(inner));
        if let Some(rest) = array.rest {
            if !array.before.is_empty() {
                self.push(", ");
            }
            self.splat(rest);
        }
        for inner in &array.after {
            self.push(", ");
            self.pattern(inner);
        }
        self.push("]");
    }

    fn hash_pattern(&mut self, hash: &'h HashPattern) {
        let (open, close) = if hash.constant.is_some() { ("(", ")") } else { ("{", "}") };
        self.pattern_constant(hash.constant);
        self.push(open);
        self.list(&hash.entries, |printer, (key, inner): &'h (HirText, CasePattern)| {
            printer.push(&format!("{key}: "));
            printer.pattern(inner);
        });
        if let Some(rest) = hash.rest {
            self.push(if hash.entries.is_empty() { "**" } else { ", **" });
            self.local(rest);
        } else if hash.is_exact && !hash.entries.is_empty() {
            self.push(", **nil");
        }
        self.push(close);
    }
}

/// Returns true if a value can be a pattern without `^`.
fn is_pattern_literal(kind: &crate::hir::HirKind) -> bool {
    use crate::hir::HirKind as K;
    matches!(
        kind,
        K::Nil | K::Bool(_) | K::Integer(0..) | K::Str { .. } | K::Symbol(_) | K::Constant(_) | K::Regex { .. } | K::Range { .. }
    )
}
