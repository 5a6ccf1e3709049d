//! Round trips from source to AST to source.

use rtype_lang::source::{Source, SourceMap};
use rtype_lang::syntax;
use std::sync::Arc;

fn source(text: &str) -> Option<Arc<Source>> {
    SourceMap::new().add("fuzz.rtype", text).ok()
}

/// Prints a source without errors, and asserts equal meaning. A second print must equal the first.
pub fn trip(text: &str) {
    let Some(one) = source(text) else { return };
    let (ast, found) = syntax::parse_types(&one);
    let printed = syntax::print_types(&ast, &one);
    if !found.is_empty() {
        return;
    }
    let two = source(&printed).expect("what is printed is not much longer");
    let (again, found) = syntax::parse_types(&two);
    assert!(found.is_empty(), "{text:?}\nis printed as\n{printed:?}\nwhich gives {:?}", found.first().map(|d| &d.message));
    assert!(syntax::same_tree(&ast, &again), "{text:?}\nis printed as\n{printed:?}\n{}\n{}", syntax::tree(&ast), syntax::tree(&again));
    assert_eq!(syntax::print_types(&again, &two), printed, "printing twice changes something");
}
