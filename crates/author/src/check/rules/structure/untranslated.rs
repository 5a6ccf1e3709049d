//! What it does: Reports blocks that `rtype import` could not translate.
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

use crate::check::visit::{Visit, walk_directive, walk_item};
use crate::check::{FileSubject, Sink};
use rtype_lang::syntax::ast::{Directive, ExprKind};

pub fn check(file: &FileSubject<'_>, sink: &mut Sink<'_>) {
    let mut blocks = Blocks { found: Vec::new() };
    file.ast.items.iter().for_each(|item| walk_item(&mut blocks, item));
    for (directive, block) in blocks.found {
        let why = directive.args.last().and_then(|a| if let ExprKind::Str(why) = &a.kind { why.plain() } else { None });
        let why = why.map(|why| format!(": {why}")).unwrap_or_default();
        let found = sink.finding(directive.name.span, format!("`{block}` is left in Ruby{why}"));
        sink.report(found.help(format!("write it as `{block}`; until then, what needs it is not checked and not applied")));
    }
}

struct Blocks<'a> {
    found: Vec<(&'a Directive, &'a str)>,
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
}
