//! Functions of Ruby's and Puppet's libraries that the language has as functions or methods, and ranges.

use super::build;
use super::{BodyLowering, Lowered};
use rtype_lang::syntax::ast::{BinaryOp, Expr, ExprKind};
use rtype_lang::types::builtin::ValueKind;
use rtype_lang::typing::Kinds;
use rtype_ruby::hir::{Element, ExprId, HirKind, MethodCall, SourceRange};

/// What a library function is in the language.
enum Equivalent {
    /// A function with the same arguments.
    Function(&'static str),
    /// A method of the first argument.
    Method(&'static str),
}

/// Library functions by class, with the largest number of arguments.
const LIBRARY: &[(&str, &[&str], usize, Equivalent)] = &[
    ("File", &["basename"], 2, Equivalent::Method("basename")),
    ("File", &["dirname"], 1, Equivalent::Method("dirname")),
    ("File", &["extname"], 1, Equivalent::Method("extname")),
    ("File", &["expand_path", "absolute_path"], 1, Equivalent::Method("expand")),
    ("File", &["join"], usize::MAX, Equivalent::Function("join_paths")),
    ("JSON", &["parse", "load"], 1, Equivalent::Function("parse_json")),
    ("JSON", &["generate", "dump"], 1, Equivalent::Function("to_json")),
    ("YAML", &["load", "safe_load"], 1, Equivalent::Function("parse_yaml")),
    ("YAML", &["dump"], 1, Equivalent::Function("to_yaml")),
    ("Digest::MD5", &["hexdigest"], 1, Equivalent::Function("md5")),
    ("Digest::SHA1", &["hexdigest"], 1, Equivalent::Function("sha1")),
    ("Digest::SHA256", &["hexdigest"], 1, Equivalent::Function("sha256")),
    ("Digest::SHA384", &["hexdigest"], 1, Equivalent::Function("sha384")),
    ("Digest::SHA512", &["hexdigest"], 1, Equivalent::Function("sha512")),
    ("Base64", &["strict_encode64"], 1, Equivalent::Function("base64")),
    ("Regexp", &["escape", "quote"], 1, Equivalent::Function("re_escape")),
    ("Shellwords", &["escape", "shellescape"], 1, Equivalent::Method("shellescape")),
    ("Gem::Version", &["correct?"], 1, Equivalent::Function("gem_version")),
];

impl BodyLowering<'_, '_, '_> {
    /// Translates a call of a library function.
    pub(super) fn library_call(&mut self, path: &str, call: &MethodCall, origin: SourceRange) -> Lowered<Option<Expr>> {
        let path = path.trim_start_matches("::");
        let known = LIBRARY.iter().find(|(class, names, ..)| *class == path && names.contains(&&*call.name));
        let Some((_, _, most, equivalent)) = known else { return Ok(None) };
        let count = call.args.positional.len();
        if count == 0 || count > *most || !call.args.keywords.is_empty() || call.args.block.is_some() {
            return Ok(None);
        }
        let mut args = self.arguments(&call.args, origin)?;
        Ok(Some(match equivalent {
            Equivalent::Function(name) => build::call(name, args),
            Equivalent::Method(name) => {
                let receiver = args.remove(0);
                build::method(receiver, name, args, None)
            }
        }))
    }

    /// Translates a call on a range: `(1..9).include?(value)`, `(1..n).map { … }`.
    pub(super) fn range_call(&mut self, call: &MethodCall, origin: SourceRange) -> Lowered<Option<Expr>> {
        let name = &*call.name;
        match (name, call.args.positional.as_slice()) {
            ("include?" | "member?" | "cover?" | "===", [Element::Plain(value)]) => {
                let Some((low, high, exclusive)) = self.integer_range(call.receiver)? else { return Ok(None) };
                let mut args = vec![low, high];
                args.extend(exclusive.then(|| build::expr(ExprKind::Bool(true))));
                let value = self.expr(*value)?;
                Ok(Some(build::method(build::call("range", args), "include?", vec![value], None)))
            }
            ("to_a", []) => self.listed_range(call.receiver),
            ("each" | "map" | "collect" | "select" | "flat_map" | "any?" | "all?" | "reject", []) => {
                let Some(list) = self.listed_range(call.receiver)? else { return Ok(None) };
                let Some(block) = call.args.block else { return Ok(None) };
                let closure = self.closure(block, call, origin)?;
                Ok(Some(build::method(list, name, Vec::new(), Some(closure))))
            }
            _ => Ok(None),
        }
    }

    /// Returns the list of the numbers of a range.
    pub(super) fn listed_range(&mut self, id: ExprId) -> Lowered<Option<Expr>> {
        let Some((low, high, exclusive)) = self.integer_range(id)? else { return Ok(None) };
        let last = if exclusive { build::binary(BinaryOp::Subtract, high, build::expr(ExprKind::Int(1))) } else { high };
        Ok(Some(build::method(low, "upto", vec![last], None)))
    }

    /// Returns the ends of a range of integers.
    fn integer_range(&mut self, id: ExprId) -> Lowered<Option<(Expr, Expr, bool)>> {
        let HirKind::Range { low: Some(low), high: Some(high), exclusive } = self.kind(id) else { return Ok(None) };
        let int = Kinds::one_of(&[ValueKind::Int]);
        let is_int = |id: ExprId| self.facts.get(id).kinds == int;
        if !is_int(low) || !is_int(high) {
            return Ok(None);
        }
        Ok(Some((self.expr(low)?, self.expr(high)?, exclusive)))
    }

    /// Returns the regex of a match whose element a string or symbol names: `found[:name]`. Groups have numbers in the language.
    pub(super) fn group_number(&self, matched: ExprId, name: &str) -> Option<i64> {
        let mut sources = Vec::new();
        self.each_value(matched, &mut |kind| {
            let HirKind::Call(call) = kind else { return };
            let argument = call.args.positional.first().and_then(|arg| if let Element::Plain(id) = arg { Some(*id) } else { None });
            let regex = [Some(call.receiver), argument].into_iter().flatten().find_map(|id| self.regex_source(id));
            sources.push(regex);
        });
        let [Some(source)] = sources.as_slice() else { return None };
        let names: Vec<&str> = crate::ruby::group_names(source).filter_map(|at| source.get(at..)?.split('>').next()).collect();
        let at = names.iter().position(|known| *known == name)?;
        i64::try_from(at + 1).ok()
    }

    fn regex_source(&self, id: ExprId) -> Option<String> {
        let HirKind::Regex { parts, .. } = self.kind(id) else { return None };
        parts.into_iter().map(|part| if let HirKind::Str { text, .. } = self.kind(part) { Some(text.to_string()) } else { None }).collect()
    }

    /// Visits an expression, or the values that a variable gets.
    pub(super) fn each_value(&self, id: ExprId, visit: &mut dyn FnMut(HirKind)) {
        use rtype_ruby::hir::Target;
        match self.kind(id) {
            HirKind::Local(of) if of.depth <= self.depth => {
                let Some(body) = self.hir.body(self.body_of(of)) else { return };
                for (_, expr) in body.exprs.iter() {
                    if let HirKind::Assign { target: Target::Local(to), value } = &expr.kind
                        && to.local == of.local
                        && to.depth == 0
                    {
                        visit(body.kind(*value).clone());
                    }
                }
            }
            kind => visit(kind),
        }
    }
}
