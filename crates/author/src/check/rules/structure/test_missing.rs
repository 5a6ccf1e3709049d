//! What it does: Reports types without tests in their file.
//!
//! Why: A test shows what a declaration results in, and fails when a later change breaks it. `rtype test` runs tests quickly
//! and without touching the machine.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty color { munge { |v| v.downcase } }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty color { munge { |v| v.downcase } }
//! }
//!
//! test "colors are small letters" {
//!   door { 'front': color => 'RED' }
//!   expect self.color == "red"
//! }
//! ```

use crate::check::{FileSubject, Sink};
use rtype_lang::syntax::ast::{Item, TestStep};
use std::collections::HashSet;

pub fn check(file: &FileSubject<'_>, sink: &mut Sink<'_>) {
    let steps = file.ast.items.iter().filter_map(|item| if let Item::Test(t) = item { Some(&t.steps) } else { None });
    let name = |step: &TestStep| if let TestStep::Declare(d) = step { Some(d.type_name.name.clone()) } else { None };
    let tested: HashSet<_> = steps.flatten().filter_map(name).collect();
    for type_def in file.types.iter().filter(|t| !tested.contains(t.name.as_str())) {
        let found = sink.finding(type_def.span, format!("no test shows what the type `{}` does", type_def.name));
        sink.report(found.help(format!("add one: `test \"…\" {{ {} {{ 'title': }}; expect … }}`", type_def.name)));
    }
}
