//! What it does: finds types without tests in their file.
//!
//! Why: a test shows what a declaration becomes, and fails when a later change breaks it. `rtype test` runs them in no time, on no
//! machine.
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

use crate::check::{Sink, TypeSubject};
use crate::syntax::ast::{Item, TestStep};

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let name = subject.type_def.name.as_str();
    let is_about = |step: &TestStep| matches!(step, TestStep::Declare(d) if d.type_name.name == name);
    let tested = subject.file.ast.items.iter().any(|item| matches!(item, Item::Test(t) if t.steps.iter().any(is_about)));
    if !tested {
        let found = sink.finding(subject.type_def.span, format!("no test shows what the type `{name}` does"));
        sink.report(found.help(format!("add one: `test \"…\" {{ {name} {{ 'title': }}; expect … }}`")));
    }
}
