//! What it does: Reports blocks, and parts of blocks, that `rtype import` could not translate.
//!
//! Why: Their effect is unknown. A resource that needs such a block is not checked in that attribute, and not applied. In Ruby
//! files they are only counted; `--verbose` lists them.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty color {
//!     untranslated munge, "`Palette.nearest` is not supported", ruby: "munge { |v| Palette.nearest(v) }"
//!   }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty color {
//!     munge { |v| v.downcase }
//!   }
//! }
//! ```

use crate::check::{FileSubject, Sink};
use rtype_lang::syntax::ast::{Call, Directive, Expr, ExprKind};
use rtype_lang::syntax::visit::{Visit, walk_directive, walk_expr, walk_item};

pub fn check(file: &FileSubject<'_>, sink: &mut Sink<'_>) {
    let mut blocks = Blocks::default();
    file.ast.items.iter().for_each(|item| walk_item(&mut blocks, item));
    for call in blocks.parts {
        let why = call.args.first().and_then(|a| if let ExprKind::Str(why) = &a.kind { why.plain() } else { None });
        let why = why.map(|why| format!(": {why}")).unwrap_or_default();
        let found = sink.finding(call.name.span, format!("a part of this block is left in Ruby{why}"));
        sink.report(found.help("write it here; until then, what reaches it is not checked and not applied"));
    }
    for (directive, block) in blocks.found {
        let why = directive.args.last().and_then(|a| if let ExprKind::Str(why) = &a.kind { why.plain() } else { None });
        let why = why.map(|why| format!(": {why}")).unwrap_or_default();
        let (subject, help) = match block {
            "attribute" => (
                "this attribute".to_owned(),
                "write its blocks here, such as `validate` and `munge`; until then, the attribute is not checked and not applied".to_owned(),
            ),
            _ => (format!("`{block}`"), format!("write it as `{block}`; until then, what needs it is not checked and not applied")),
        };
        sink.report(sink.finding(directive.name.span, format!("{subject} is left in Ruby{why}")).help(help));
    }
}

#[derive(Default)]
struct Blocks<'a> {
    found: Vec<(&'a Directive, &'a str)>,
    /// Calls of `untranslated` in blocks.
    parts: Vec<&'a Call>,
}

impl<'a> Visit<'a> for Blocks<'a> {
    fn directive(&mut self, directive: &'a Directive) {
        if directive.name.name == "untranslated"
            && let Some(ExprKind::Word(block)) = directive.args.first().map(|a| &a.kind)
        {
            self.found.push((directive, block));
        }
        walk_directive(self, directive);
    }

    fn expr(&mut self, expr: &'a Expr) {
        if let ExprKind::Call(call) = &expr.kind
            && call.name.name == "untranslated"
        {
            self.parts.push(call);
        }
        walk_expr(self, expr);
    }
}
