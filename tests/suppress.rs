//! Suppressions in resource files: `suppress/*`, with the reported and the suppressed findings.

use rtype_author::check::{self, Input, Selection};
use rtype_lang::diagnostics::Profile;
use rtype_lang::eval::UnknownWorld;
use rtype_lang::library::TypeSet;
use rtype_provider::NativeProviders;
use std::fmt::Write;

#[test]
fn suppressions_cover_their_findings() {
    insta::glob!("suppress/*.{pp,yaml,json}", |path| {
        let name = path.file_name().unwrap().to_str().unwrap();
        let text = std::fs::read_to_string(path).unwrap();
        let mut library = TypeSet::default();
        let source = library.sources.add(name, text.as_str()).unwrap();
        let selection = Selection { profile: Profile::Strict, ..Selection::default() };
        let inputs = [Input::Resources(source)];
        let checked = check::run(&inputs, Vec::new(), &mut library, &NativeProviders::standard(), &UnknownWorld, &selection);
        let mut out = text;
        let mut report = |word: &str, finding: &check::Finding, reason: Option<&str>| {
            let place = library.sources.locate(finding.diagnostic.span()).unwrap();
            let reason = reason.map(|r| format!(" ({r})")).unwrap_or_default();
            writeln!(out, "{word} {place} {} {}{reason}", finding.diagnostic.code, finding.diagnostic.message).unwrap();
        };
        checked.findings.iter().for_each(|f| report("reported:", f, None));
        checked.suppressed.iter().for_each(|(f, reason)| report("suppressed:", f, reason.as_deref()));
        crate::common::assert_fixture(path, &out);
    });
}
