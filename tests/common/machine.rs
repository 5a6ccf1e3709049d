//! Runs resources on a directory that simulates a machine, and returns all printed and stored output.

use rtype_agent::Report;
use rtype_engine::apply::{ApplyOptions, Counts, RunContext, apply};
use rtype_engine::report::{self, Lines, Live, RunMode, Tee};
use rtype_engine::state::SavedState;
use rtype_engine::{NativeBackend, inspect};
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::library::TypeSet;
use rtype_lang::syntax::parse_manifest;
use rtype_model::declare::{DeclareOptions, KnownResources, Purpose, declare};
use rtype_model::manifest::from_manifest;
use rtype_model::resource::{Context, NoCatalog};
use rtype_provider::{Machine, NativeProviders, System};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The printed and stored output of an inspection and a run of the same resources.
pub struct Outputs {
    /// The contents, each with the name of the output.
    pub texts: Vec<(&'static str, String)>,
    /// Errors in declarations. These resources are not part of the run.
    pub errors: Vec<Diagnostic>,
    pub counts: Counts,
}

pub fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Writes an executable script.
pub fn write_program(path: &Path, text: &str) {
    write(path, text);
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// Inspects and applies resources with the native providers in this directory.
pub fn outputs(root: &Path, library: &TypeSet, manifest: &str, noop: bool) -> Outputs {
    let mut library = library.clone();
    let natives = NativeProviders::standard();
    let machine = Machine::new(System::at(root));
    library.share_redactor(machine.system().redactor());
    let source = library.sources.add("site.pp", manifest).unwrap();
    let (ast, found) = parse_manifest(&source);
    assert!(found.is_empty(), "{found:?}");
    let (declarations, _) = from_manifest(&ast, &machine);
    let backend = NativeBackend { natives: &natives, system: machine.system() };
    let context =
        Context { world: &machine, catalog: &NoCatalog, backend: Some(&backend), strict: false, trace: false, offline: false, log: None };
    let declared = declare(&declarations, &library, context, DeclareOptions::new(Purpose::Run));
    let mut errors: Vec<Diagnostic> = declared.diagnostics.into_iter().filter(Diagnostic::is_error).collect();
    let redactor = machine.system().redactor().clone();
    let inspected = {
        let known = KnownResources::new(&declared.catalog, &library, Some(&backend));
        inspect(&declared.catalog, &natives, machine.system(), Context { catalog: &known, ..context }, true)
    };
    let (text, json) = (report::text(&inspected, &library.sources, &redactor, false), report::json(&inspected, &redactor));
    let now = jiff::Zoned::now();
    let mut live = Live::new(Vec::new(), redactor.clone(), false, false, true);
    let mut lines = Lines::new(Vec::new(), library.sources.clone(), redactor.clone(), RunMode { noop, ..RunMode::default() }, &now);
    let mut sent = Report::new("node", "production", "1", noop, redactor);
    sent.verbose = true;
    let options = ApplyOptions { noop, tags: Vec::new(), skip_tags: Vec::new(), now, show_diff: true };
    let (mut state, stopped) = (SavedState::default(), AtomicBool::new(false));
    let run = RunContext { natives: &natives, machine: &machine, state: &mut state, stopped: &stopped };
    let mut all = Tee(vec![&mut live, &mut lines, &mut sent]);
    let counts = apply(&declarations, declared.catalog, &library, run, &options, &mut all).unwrap_or_else(|found| {
        errors.extend(found);
        Counts::default()
    });
    let (live, lines) = (live.finish(&counts, 0.0).unwrap(), lines.finish(&counts, 0.0, 0).unwrap());
    let texts = vec![
        ("inspect", text),
        ("inspect as JSON", json.to_string()),
        ("apply", String::from_utf8(live).unwrap()),
        ("the report", String::from_utf8(lines).unwrap()),
        ("the agent's report", sent.finish(&counts, Duration::ZERO, true).to_string()),
        ("the state", serde_json::to_string(&state).unwrap()),
    ];
    Outputs { texts, errors, counts }
}
