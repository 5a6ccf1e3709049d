//! Properties of the linter: no source causes a panic, and a fixed source has no new errors and no remaining fixes.

use super::exercise::{printed, shows};
use rtype_author::check::{self, Checked, Input, Selection};
use rtype_lang::diagnostics::{Code, Diagnostic, Profile, Severity};
use rtype_lang::eval::UnknownWorld;
use rtype_lang::library::TypeSet;
use rtype_lang::source::SourceMap;
use rtype_provider::NativeProviders;

/// A checked source.
struct Run {
    inputs: Vec<Input>,
    checked: Checked,
    library: TypeSet,
}

/// Checks a source as types and as resources, and applies all fixes, safe fixes first.
pub fn text(text: &str) {
    if shows(text) {
        return;
    }
    for name in ["fuzz.rtype", "fuzz.pp"] {
        let Some(run) = run(name, text) else { return };
        let found: Vec<Diagnostic> = run.checked.findings.iter().map(|f| f.diagnostic.clone()).collect();
        printed(&found, &run.library);
        for also_unsafe in [false, true] {
            fix(&run, name, also_unsafe);
        }
    }
}

fn run(name: &str, text: &str) -> Option<Run> {
    let mut library = TypeSet::default();
    let source = library.sources.add(name, text).ok()?;
    let input = if name.ends_with(".rtype") { Input::Types(source, None) } else { Input::Resources(source) };
    let inputs = vec![input];
    let selection = Selection { profile: Profile::Strict, ..Selection::default() };
    let natives = NativeProviders::standard();
    let checked = check::run(&inputs, Vec::new(), &mut library, &natives, &UnknownWorld, &selection);
    Some(Run { inputs, checked, library })
}

/// Counts the errors that make a source unusable.
fn errors(run: &Run) -> usize {
    let is_error = |code: Code| code.info().severity == Severity::Error && check::rule(code).is_none();
    run.checked.findings.iter().filter(|f| is_error(f.diagnostic.code)).count()
}

fn fix(before: &Run, name: &str, also_unsafe: bool) {
    let mut rounds = 0;
    let mut again = |texts: &[(String, String)]| -> (Checked, SourceMap) {
        rounds += 1;
        let run = texts.first().and_then(|(_, text)| self::run(name, text));
        run.map_or_else(|| (Checked::default(), SourceMap::new()), |run| (run.checked, run.library.sources))
    };
    let (fixed, dropped) = check::fix(&before.inputs, &before.checked, &before.library.sources, also_unsafe, &mut again);
    let Some(fixed) = fixed.first() else { return };
    let Some(after) = run(name, &fixed.after) else { return };
    assert!(
        errors(&after) <= errors(before),
        "fixing makes new errors: {:?}\n{:?}\n{:?}",
        fixed.before,
        fixed.after,
        after.checked.findings
    );
    // Nested fixes are applied in a limited number of rounds.
    if rounds < check::MAX_ROUNDS && dropped.is_empty() {
        let mut check = |texts: &[(String, String)]| {
            let run = texts.first().and_then(|(_, text)| self::run(name, text));
            run.map_or_else(|| (Checked::default(), SourceMap::new()), |run| (run.checked, run.library.sources))
        };
        let (more, _) = check::fix(&after.inputs, &after.checked, &after.library.sources, also_unsafe, &mut check);
        assert!(more.is_empty(), "fixing again changes something: {:?}\n{:?}\n{:?}", fixed.before, fixed.after, more);
    }
}
