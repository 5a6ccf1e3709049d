//! What it does: Reports `$2` and other groups that no regex of the block has, `\\2` and `\\k<name>` in replacements whose pattern does not
//! have the group, and such elements of a match.
//!
//! Why: A group that the regex does not have is always nil, and empty in a replacement.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty size {
//!     munge { |value| value =~ /\A(\d+)x\d+\z/ ? $2 : value }
//!   }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty size {
//!     munge { |value| value =~ /\A(\d+)x(\d+)\z/ ? $2 : value }
//!   }
//! }
//! ```

use crate::check::blocks::{blocks, typing};
use crate::check::{Sink, TypeSubject};
use rtype_lang::source::Span;
use rtype_lang::types::builtin::Method;
use rtype_lang::types::{Node, Op, Pattern};
use rtype_lang::typing::{Attributes, Typing};
use rtype_lang::value::{Regex, Template, Value};

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let attributes = Attributes::new(subject.type_def);
    for block in blocks(subject.type_def) {
        let typing = typing(&attributes, &block);
        // The groups of regexes from functions, attributes and variables are unknown, so blocks without a literal regex are skipped.
        let mut most = Some(0);
        let mut captures: Vec<(u32, Span)> = Vec::new();
        block.code.inner.body.walk(&mut |node| match &node.op {
            Op::Capture(number) => captures.push((*number, node.span)),
            _ => {
                most = most.zip(groups(node)).map(|(a, b): (usize, usize)| a.max(b));
                in_call(&typing, node, sink);
            }
        });
        let Some(most) = most.filter(|most| *most > 0) else { continue };
        for (number, span) in captures.into_iter().filter(|(number, _)| *number as usize > most) {
            let message = format!("`${number}` is always nil: the regexes here have at most {}", counted(most));
            sink.report(sink.finding(span, message).help("add the missing group to the regex"));
        }
    }
}

fn counted(groups: usize) -> String {
    match groups {
        0 => "no groups".to_owned(),
        1 => "1 group".to_owned(),
        groups => format!("{groups} groups"),
    }
}

/// Reports a group that is missing in the pattern of a replacement, or in the regex of a match.
fn in_call<'a>(typing: &Typing<'a>, node: &'a Node, sink: &mut Sink<'_>) {
    match &node.op {
        Op::Method(Method::Sub | Method::Gsub, _, arguments, _) => {
            let [pattern, replacement] = arguments.as_slice() else { return };
            let regex = match &typing.definition(pattern).op {
                Op::Const(Value::Regex(regex)) => Some(&**regex),
                Op::Const(Value::Str(_)) => None,
                _ => return,
            };
            let parts = match &typing.definition(replacement).op {
                Op::Concat(parts) => parts.as_slice(),
                _ => std::slice::from_ref(typing.definition(replacement)),
            };
            let texts = parts.iter().filter_map(|part| if let Op::Const(Value::Str(text)) = &part.op { Some(text) } else { None });
            if let Some(group) = texts.into_iter().find_map(|text| Template::new(text).missing_group(regex)) {
                let message = match regex {
                    Some(regex) if group.starts_with("\\k") => format!("`{group}` is always empty: the regex has {}", named(regex)),
                    Some(regex) => format!("`{group}` is always empty: the regex has {}", counted(regex.group_count())),
                    None => format!("`{group}` is always empty: the pattern is a string, which has no groups"),
                };
                sink.report(sink.finding(replacement.span, message).help("add the missing group to the regex"));
            }
        }
        Op::Index(list, keys) => {
            let [Node { op: Op::Const(key), span }] = keys.as_slice() else { return };
            let Some(matched) = matched(typing, list) else { return };
            let (count, regex) = (matched.elements, matched.regex);
            let message = match key {
                Value::Int(n) if !matched.is_named && (*n >= count || *n < -count) => format!("element {n} is always nil: the regex has {}", counted(regex.group_count())),
                Value::Str(name) if matched.is_named && !regex.group_names().iter().any(|(known, _)| known == name) => {
                    format!("the group `{name}` is always nil: the regex has {}", named(regex))
                }
                _ => return,
            };
            sink.report(sink.finding(*span, message).help("add the missing group to the regex"));
        }
        _ => {}
    }
}

fn named(regex: &Regex) -> String {
    let names: Vec<String> = regex.group_names().iter().map(|(name, _)| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => "no named groups".to_owned(),
        [name] => format!("the group {name}"),
        names => format!("the groups {}", names.join(", ")),
    }
}

/// The result of a search with a known regex.
struct Matched<'a> {
    regex: &'a Regex,
    /// The number of elements; 0 for a map of the named groups.
    elements: i64,
    is_named: bool,
}

/// Returns what is known about `v.match(/…/)`, its `captures`, and `v.named_captures(/…/)`.
fn matched<'a>(typing: &Typing<'a>, node: &'a Node) -> Option<Matched<'a>> {
    let Op::Method(method, receiver, arguments, None) = &typing.definition(node).op else { return None };
    let regex = || {
        [&**receiver].into_iter().chain(arguments).find_map(|side| match &typing.definition(side).op {
            Op::Const(Value::Regex(regex)) => Some(&**regex),
            _ => None,
        })
    };
    let groups = |regex: &Regex| i64::try_from(regex.group_count()).unwrap_or(i64::MAX);
    match method {
        Method::Match => regex().map(|regex| Matched { regex, elements: groups(regex).saturating_add(1), is_named: false }),
        Method::NamedCaptures => regex().map(|regex| Matched { regex, elements: 0, is_named: true }),
        Method::Captures => matched(typing, receiver).filter(|m| !m.is_named).map(|m| Matched { elements: groups(m.regex), ..m }),
        _ => None,
    }
}

/// Returns the largest number of groups in an expression's regexes, without subexpressions; `None` if a regex is not known.
fn groups(node: &Node) -> Option<usize> {
    match &node.op {
        Op::Const(Value::Regex(regex)) => Some(regex.group_count()),
        Op::Const(Value::Array(_) | Value::Map(_)) => None,
        Op::Match(_, arms) => {
            let patterns = arms.iter().flat_map(|arm| &arm.patterns);
            Some(patterns.map(|p| if let Pattern::Regex(regex) = p { regex.group_count() } else { 0 }).max().unwrap_or(0))
        }
        Op::Super(_) => None,
        _ => Some(0),
    }
}
