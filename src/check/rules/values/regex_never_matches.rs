//! What it does: finds patterns that match no text at all, in values, titles and blocks.
//!
//! Why: what they accept or tell apart does not exist; `^` and `$` are the ends of the text, so that nothing stands before or behind
//! them.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty color { newvalues /red$|$blue/, /^a^b/ }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty color { newvalues /^(?:red|blue)$/ }
//! }
//! ```

use super::patterns::patterns;
use crate::check::blocks::{blocks, each_node};
use crate::check::{Sink, TypeSubject};
use crate::source::Span;
use crate::types::{Op, Pattern};
use crate::value::{Regex, Value};

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let report = |span: Span, sink: &mut Sink<'_>| {
        let found = sink.finding(span, "no text matches this pattern");
        sink.report(found.help("`^` and `$` are the ends of the text, `(?m:^…$)` those of lines"));
    };
    for pattern in patterns(subject) {
        if is_empty(pattern.regex) {
            report(pattern.span(), sink);
        }
    }
    for block in blocks(subject.type_def) {
        each_node(&block.code.inner.body, &mut |node| {
            let here: Vec<&Regex> = match &node.op {
                Op::Const(Value::Regex(regex)) => vec![regex],
                Op::Match(_, arms) => {
                    arms.iter().flat_map(|arm| &arm.patterns).filter_map(|p| if let Pattern::Regex(r) = p { Some(&**r) } else { None }).collect()
                }
                _ => return,
            };
            if here.into_iter().any(is_empty) {
                report(node.span, sink);
            }
        });
    }
}

fn is_empty(regex: &Regex) -> bool {
    regex.shape().is_some_and(|shape| shape.contradictory) && Regex::witness(&[regex], &[]) == Some(None)
}
