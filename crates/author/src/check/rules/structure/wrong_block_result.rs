//! What it does: Reports blocks that never return what they are for: `insync` with a value that is always true, names of resources that
//! are not strings, a default that is not allowed, and `munge` that returns nil for some values.
//!
//! Why: Only `nil` and `false` are false, so a comparison that returns a string or a list is always in sync. An attribute for which
//! `munge` returns nil is not managed.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty color {
//!     munge { |value| if value == "crimson" { "red" } }
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
//!     munge { |value| if value == "crimson" { "red" } else { value } }
//!   }
//! }
//! ```

use crate::check::blocks::{BlockRole, TypeBlock, blocks, typing};
use rtype_lang::typing::{Attributes, Kinds, PossibleValues, Typing};
use crate::check::{Sink, TypeSubject};
use rtype_lang::diagnostics::did_you_mean;
use rtype_lang::source::Span;
use rtype_lang::types::{AttributeDef, Matcher, Node, Op};
use rtype_lang::value::{DataType, Value, inspect};

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    if subject.file.is_ruby() {
        return;
    }
    let attributes = Attributes::new(subject.type_def);
    for block in blocks(subject.type_def) {
        let result = typing(&attributes, &block).result();
        match block.role {
            BlockRole::Insync | BlockRole::Compare => comparison(&block, &result, sink),
            BlockRole::Munge => munge(&block, &result, sink),
            BlockRole::Relation => relation(&block, &result, sink),
            BlockRole::Default => {
                let is = |value: &Value| value_span(&block, value);
                block.attribute.into_iter().for_each(|attribute| allowed(attribute, &result, "default", &is, sink));
            }
            BlockRole::Message => message(&block, &result, sink),
            BlockRole::Type => assigned(subject, &block, &typing(&attributes, &block), sink),
            _ => {}
        }
    }
}

/// Returns the expression that gives a block its value.
fn last<'a>(block: &TypeBlock<'a>) -> &'a Node {
    let body = &block.code.inner.body;
    if let Op::Seq(all) = &body.op { all.last().unwrap_or(body) } else { body }
}

fn comparison(block: &TypeBlock<'_>, result: &PossibleValues, sink: &mut Sink<'_>) {
    let always_true = Kinds::STR.or(Kinds::SYM).or(Kinds::NUMBER).or(Kinds::LIST).or(Kinds::MAP);
    if result.kinds.without(always_true) == Kinds::NONE && result.kinds != Kinds::NONE {
        let message = format!("the property is always in sync: {} counts as true", result.kinds.words());
        sink.report(sink.finding(last(block).span, message).help("return the result of a comparison, such as `is == should`"));
    }
}

fn munge(block: &TypeBlock<'_>, result: &PossibleValues, sink: &mut Sink<'_>) {
    let last = last(block);
    match &last.op {
        _ if result.kinds == Kinds::NIL => {
            let span = if last.span.start == last.span.end { block.code.inner.span } else { last.span };
            sink.report(sink.finding(span, "`munge` returns nil for every value").help("return the converted value"));
        }
        Op::If(_, None) if block.attribute.is_some_and(|a| a.conversion.is_none()) => {
            let found = sink.finding(last.span, "`munge` returns nil if the condition does not hold");
            sink.report(found.help("add `else` with the value: `if … { … } else { value }`"));
        }
        _ => {}
    }
}

fn relation(block: &TypeBlock<'_>, result: &PossibleValues, sink: &mut Sink<'_>) {
    if result.kinds.without(Kinds::BOOL.or(Kinds::NUMBER)) == Kinds::NONE && result.kinds != Kinds::NONE {
        let message = format!("{} is not the title of a resource", result.kinds.words());
        sink.report(sink.finding(last(block).span, message).help("return a title, a resource or a list"));
    }
}

fn message(block: &TypeBlock<'_>, result: &PossibleValues, sink: &mut Sink<'_>) {
    let result_is = |kinds: Kinds| result.kinds == kinds;
    if result_is(Kinds::BOOL) || result_is(Kinds::NIL) {
        let message = format!("the message is always {}", if result_is(Kinds::NIL) { "empty" } else { "`true` or `false`" });
        sink.report(sink.finding(last(block).span, message).help("return text, such as `\"changed #{is} to #{should}\"`"));
    }
}

/// Reports values that `finalize` assigns although the attribute does not allow them.
fn assigned(subject: &TypeSubject<'_>, block: &TypeBlock<'_>, typing: &Typing<'_>, sink: &mut Sink<'_>) {
    block.code.inner.body.walk(&mut |node| {
        if let Op::SetSelf(id, value) = &node.op
            && let Some(attribute) = subject.type_def.attribute(*id)
        {
            allowed(attribute, &typing.of(value), "value", &|_| value.span, sink);
        }
    });
}

/// Reports values that an attribute does not allow. `what` is the noun for the message, and `span` returns the location of a value.
fn allowed(attribute: &AttributeDef, given: &PossibleValues, what: &str, span: &dyn Fn(&Value) -> Span, sink: &mut Sink<'_>) {
    let set = &attribute.values;
    let has_regex = set.values.iter().any(|v| matches!(v.matcher, Matcher::Regex(_)));
    let is_listed = |value: &Value| {
        let text = value.to_text();
        set.literals().chain(set.aliases.iter().map(|a| &a.name)).any(|s| s.as_str() == text)
    };
    let given = given.only.iter().flatten();
    let is_checked = attribute.validate.dropped.is_none() && attribute.native.is_none();
    if is_checked && !set.is_empty() && !has_regex {
        for value in given.filter(|value| !is_listed(value)) {
            let found = sink.finding(span(value), format!("the {what} `{}` is not allowed for `{}`", inspect(value), attribute.name));
            let known: Vec<&str> = set.literals().map(|s| s.as_str()).collect();
            sink.report(found.maybe_help(did_you_mean(&value.to_text(), known)));
        }
    } else if let Some(data_type) = attribute.data_type.as_ref().filter(|_| is_checked && set.is_empty()) {
        for value in given.filter(|value| !accepts(data_type, value)) {
            let message = format!("the {what} `{}` does not have the data type `{data_type}`", inspect(value));
            sink.report(sink.finding(span(value), message).help(format!("change the {what} or the data type")));
        }
    }
}

/// Returns `true` if a value, or the value that its string represents, has a data type.
fn accepts(data_type: &DataType, value: &Value) -> bool {
    data_type.coerce(value).is_ok()
}

/// Returns the span of a constant in a block.
fn value_span(block: &TypeBlock<'_>, value: &Value) -> Span {
    let mut span = None;
    block.code.inner.body.walk(&mut |node| {
        if matches!(&node.op, Op::Const(constant) if constant.unwrapped() == value) {
            span = Some(node.span);
        }
    });
    span.unwrap_or(last(block).span)
}
