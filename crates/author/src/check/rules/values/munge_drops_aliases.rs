//! What it does: Reports `override munge` without `super` on an attribute with aliases.
//!
//! Why: The block replaces the conversion of listed values to symbols and of aliases to values. An alias is then accepted,
//! and kept as it is.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty color {
//!     newvalues red, green
//!     aliasvalue rot, red
//!     override munge { |v| v.downcase }
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
//!     newvalues red, green
//!     aliasvalue rot, red
//!     override munge { |v| super(v.downcase) }
//!   }
//! }
//! ```

use super::reads::{any, calls_super, own_blocks};
use crate::check::{Sink, TypeSubject};
use rtype_lang::types::{Layers, Op, Pattern, Role, ValueStep};
use rtype_lang::value::Symbol;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    for attribute in subject.type_def.attributes.iter().filter(|a| a.role != Role::Metaparam) {
        let symbols = attribute.munge.steps.iter().any(|s| matches!(s, ValueStep::Values));
        if symbols || calls_super(&attribute.munge) {
            continue;
        }
        let Some(code) = own_blocks(&attribute.munge).next() else { continue };
        // A block that mentions the alias converts it itself.
        let Some(alias) = attribute.values.aliases.iter().find(|a| !names(&attribute.munge, &a.name)) else { continue };
        let message = format!("the alias `{}` is not made `{}`", alias.name, alias.target);
        let found = sink.finding(code.inner.span, message).label("takes the place of what does that").also(alias.span, "the alias");
        sink.report(found.help("leave `override` out, or call `super`"));
    }
}

fn names(munge: &Layers, name: &Symbol) -> bool {
    own_blocks(munge).any(|code| {
        any(&code.inner.body, |node| match &node.op {
            Op::Const(value) => value.as_text() == Some(name.as_str()),
            Op::Match(_, arms) => arms.iter().flat_map(|a| &a.patterns).any(|p| match p {
                Pattern::Value(value) => value.as_text() == Some(name.as_str()),
                Pattern::Regex(regex) => regex.is_match(name.as_str()),
                Pattern::Type(_) | Pattern::Any => false,
            }),
            _ => false,
        })
    })
}
