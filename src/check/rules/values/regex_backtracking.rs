//! What it does: finds patterns that need look-around, back-references or possessive repetition.
//!
//! Why: no engine runs them in linear time. They run with a limit of steps, and where a repetition stands inside another
//! (`(a+)+`) a text of some dozen letters may reach it: the pattern then does not match.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name { matches /\A(?!.*--)[a-z-]+\z/ }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name { matches /\A[a-z]+(?:-[a-z]+)*\z/ }
//! }
//! ```

use super::patterns::patterns;
use super::regex_trailing_newline::closed;
use crate::check::blocks::{blocks, each_node};
use crate::check::{Sink, TypeSubject};
use crate::source::Span;
use crate::types::{Op, Pattern};
use crate::value::{Regex, Value};

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let report = |regex: &Regex, span: Span, sink: &mut Sink<'_>| {
        let steep = if regex.has_nested_repetition() { "; a repetition inside another makes these many" } else { "" };
        let found = sink.finding(span, format!("the pattern backtracks: it runs with a limit of steps{steep}"));
        sink.report(found.help("say it without look-around and back-references, or by two patterns"));
    };
    for pattern in patterns(subject) {
        if backtracks(pattern.regex) {
            report(pattern.regex, pattern.span(), sink);
        }
    }
    for block in blocks(subject.type_def) {
        each_node(&block.code.inner.body, &mut |node| match &node.op {
            Op::Const(Value::Regex(regex)) if backtracks(regex) => report(regex, node.span, sink),
            Op::Match(_, arms) => {
                for arm in arms {
                    for pattern in &arm.patterns {
                        match pattern {
                            Pattern::Regex(regex) if backtracks(regex) => report(regex, arm.body.span, sink),
                            _ => {}
                        }
                    }
                }
            }
            _ => {}
        });
    }
}

/// Whether a pattern backtracks for more than `\Z`, which is another finding and takes no step back.
fn backtracks(regex: &Regex) -> bool {
    let closed = closed(regex.source());
    regex.is_backtracking() && (closed == regex.source() || Regex::new(&closed, regex.flags()).is_ok_and(|r| r.is_backtracking()))
}
