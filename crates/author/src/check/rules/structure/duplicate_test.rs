//! What it does: Reports tests with the same title in one file.
//!
//! Why: Reports and `--filter` name tests by their titles, so the results of the two are ambiguous.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty color
//! }
//!
//! test "colors" { door { 'a': color => red }; expect self.color == "red" }
//! test "colors" { door { 'a': color => green }; expect self.color == "green" }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty color
//! }
//!
//! test "red doors" { door { 'a': color => red }; expect self.color == "red" }
//! test "green doors" { door { 'a': color => green }; expect self.color == "green" }
//! ```

use crate::check::{FileSubject, Sink};
use indexmap::IndexMap;
use rtype_lang::syntax::ast::Item;

pub fn check(subject: &FileSubject<'_>, sink: &mut Sink<'_>) {
    let mut titles = IndexMap::new();
    for item in &subject.ast.items {
        let Item::Test(test) = item else { continue };
        let Some(title) = test.title.plain() else { continue };
        match titles.get(&title) {
            Some(first) => {
                let found = sink.finding(test.title.span, format!("duplicate test \"{title}\""));
                sink.report(found.also(*first, "the first test").help("give each test its own title, or merge them with `cases`"));
            }
            None => {
                titles.insert(title, test.title.span);
            }
        }
    }
}
