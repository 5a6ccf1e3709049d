//! What it does: Reports shell command lines: providers that run `sh -c …`, and strings with interpolated values that a shell
//! executes.
//!
//! Why: The shell interprets the values. A blank, a quote or a `;` in a value becomes part of the command, which runs as
//! root.
//!
//! Example:
//!
//! ```rtype
//! type dump {
//!   newparam name
//!   newparam path
//!   generate {
//!     resource(:exec, "dump #{self.name}", {command: "/bin/sh -c 'dump > #{self.path}'"})
//!   }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type dump {
//!   newparam name
//!   newparam path
//!   generate {
//!     resource(:exec, "dump #{self.name}", {command: ["/usr/bin/dump", "--to", self.path]})
//!   }
//! }
//! ```
//!
//! Values passed through `shellescape` are not reported.

use crate::check::blocks::blocks;
use crate::check::{Sink, TypeSubject};
use rtype_lang::types::builtin::Method;
use rtype_lang::types::{Node, Op};
use rtype_lang::value::Value;

const SHELLS: &[&str] = &["sh", "bash", "dash", "ksh", "zsh", "csh", "tcsh", "ash", "fish"];

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let type_def = subject.type_def;
    for provider in type_def.providers.values() {
        for command in provider.commands.values().chain(provider.optional_commands.values()) {
            if begins_shell(&command.command) {
                let found = sink.finding(command.span, "this is a line for a shell, not a program");
                sink.report(found.help("name the program alone; it is given its arguments one by one"));
            }
        }
    }
    for block in blocks(type_def) {
        block.code.inner.body.walk(&mut |node| {
            let parts = match &node.op {
                Op::Concat(parts) => parts.as_slice(),
                // `["sh", "-c", "… #{x}"]`, also as arguments of a provider method.
                Op::Array(items) | Op::Provider(_, items) => {
                    let flag = items.iter().position(|i| matches!(text(i), Some("-c" | "-lc" | "-ec")));
                    let is_shell = matches!(&node.op, Op::Provider(name, _) if SHELLS.contains(&name.as_str()))
                        || items.first().and_then(text).is_some_and(|program| SHELLS.contains(&program.rsplit('/').next().unwrap_or(program)));
                    match flag.and_then(|at| items.get(at + 1)).map(|line| &line.op) {
                        Some(Op::Concat(parts)) if is_shell => {
                            report(node, parts, sink);
                            &[]
                        }
                        _ => &[],
                    }
                }
                _ => &[],
            };
            if parts.first().and_then(text).is_some_and(begins_shell) {
                report(node, parts, sink);
            }
        });
    }
}

fn text(node: &Node) -> Option<&str> {
    if let Op::Const(Value::Str(text)) = &node.op { Some(text) } else { None }
}

/// Returns `true` if a command line starts like `/bin/sh -c …`.
fn begins_shell(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let program = words.next().unwrap_or_default();
    let is_shell = SHELLS.contains(&program.rsplit('/').next().unwrap_or(program));
    is_shell && words.find(|w| !w.starts_with('-') || w.ends_with('c')).is_some_and(|w| w.starts_with('-'))
}

fn report(node: &Node, parts: &[Node], sink: &mut Sink<'_>) {
    let escaped = |part: &Node| matches!(&part.op, Op::Const(_) | Op::Method(Method::Shellescape, ..));
    if let Some(value) = parts.iter().find(|p| !escaped(p)) {
        let found = sink.finding(node.span, "a shell takes this apart, with what is put into it");
        sink.report(found.also(value.span, "may hold anything").help("give program and arguments as a list, or put `value.shellescape` into it"));
    }
}
