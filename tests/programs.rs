//! Checks of manifests that need a compiler: each `programs/*.pp` is one; the snapshot has the findings, and what was not checked.

use crate::common;
use rtype::app::input::types_in;
use rtype_author::check::{self, Input, Selection};
use rtype_lang::eval::UnknownWorld;
use rtype_provider::NativeProviders;

#[test]
fn manifests_are_checked_without_a_compiler() {
    insta::glob!("programs/*.pp", |path| {
        let mut library = types_in(Vec::new());
        let source = library.sources.add("site.pp", std::fs::read_to_string(path).unwrap()).unwrap();
        let natives = NativeProviders::standard();
        let checked = check::run(&[Input::Resources(source)], Vec::new(), &mut library, &natives, &UnknownWorld, &Selection::default());
        let limits = checked.not_checked_text().unwrap_or_default();
        let found: Vec<_> = checked.findings.into_iter().map(|finding| finding.diagnostic).collect();
        common::assert_fixture(path, &format!("{}{limits}\n", common::show(&found, &library.sources)));
    });
}
