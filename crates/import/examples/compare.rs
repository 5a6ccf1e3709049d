//! Imports files with both importers, and prints for each type whether the results agree: `compare [--verbose] FILE…`.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a program for developers")]

use rtype_import::{Imported, RubyFiles, compile};
use rtype_lang::library::TypeSet;
use rtype_lang::source::{Source, SourceMap};
use rtype_lang::syntax::parse_types;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files of the module that a file belongs to, and of the modules next to it.
struct Modules {
    sources: SourceMap,
    lib: Vec<PathBuf>,
}

impl Modules {
    fn of(file: &Path) -> Modules {
        let own = file.ancestors().find(|path| path.ends_with("lib")).map(Path::to_path_buf);
        let beside = own.as_ref().and_then(|lib| lib.parent()?.parent()).map(|modules| std::fs::read_dir(modules).into_iter().flatten());
        let others = beside.into_iter().flatten().flatten().map(|entry| entry.path().join("lib"));
        Modules { sources: SourceMap::new(), lib: own.iter().cloned().chain(others).collect() }
    }
}

impl RubyFiles for Modules {
    fn read(&mut self, path: &str) -> Option<Arc<Source>> {
        let file = self.lib.iter().map(|lib| lib.join(path)).find(|file| file.is_file())?;
        self.sources.add(file.to_string_lossy(), std::fs::read_to_string(&file).ok()?).ok()
    }

    fn list(&mut self, directory: &str) -> Vec<String> {
        let names = self.lib.iter().filter_map(|lib| std::fs::read_dir(lib.join(directory)).ok()).flatten().flatten();
        let mut names: Vec<String> = names.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.retain(|name| name.ends_with(".rb"));
        names.sort();
        names.dedup();
        names
    }
}

fn directives(text: &str) -> Vec<(String, String)> {
    let source = SourceMap::new().add("text", text).unwrap();
    let (ast, _) = parse_types(&source);
    compile::canonical(&ast)
}

/// Returns the first error of a type file.
fn error(name: &str, text: &str) -> Option<String> {
    let mut types = TypeSet::default();
    let source = types.sources.add(format!("{name}.rtype"), text).unwrap();
    types.load_text(&source, None);
    types.diagnostics().into_iter().find(|d| d.is_error()).map(|d| format!("{}: {}", d.message, source.slice(d.span())))
}

/// Returns how the results differ: directives only in the old one, and only in the new one.
fn difference(old: &Imported, new: &Imported) -> (Vec<String>, Vec<String>) {
    let (old, new) = (directives(&old.text), directives(&new.text));
    let missing = |of: &[(String, String)], from: &[(String, String)]| {
        of.iter().filter(|row| !from.contains(row)).map(|(path, tree)| format!("{path}: {tree}")).collect()
    };
    (missing(&old, &new), missing(&new, &old))
}

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_verbose = arguments.first().is_some_and(|first| first == "--verbose");
    arguments.drain(..usize::from(is_verbose));
    let (mut outcomes, mut reasons): (BTreeMap<&str, usize>, BTreeMap<String, usize>) = Default::default();
    for path in &arguments {
        let mut files = Modules::of(Path::new(path));
        let source = files.sources.add(path.as_str(), std::fs::read_to_string(path).unwrap()).unwrap();
        let (old, _) = rtype_import::import(&source, &mut files, 100);
        let (new, wrong) = compile::import(&source, &mut files);
        for d in &wrong {
            println!("{path}: {}", d.message);
            *reasons.entry(d.message.clone()).or_default() += 1;
        }
        for of in old.iter().filter(|old| old.type_name.is_some()) {
            let Some(made) = new.iter().find(|new| new.type_name == of.type_name) else {
                *outcomes.entry("missing").or_default() += 1;
                println!("{path}: missing");
                continue;
            };
            let (gone, added) = difference(of, made);
            // Functions that nothing calls.
            let gone: Vec<String> =
                gone.into_iter().filter(|row| !row.split(": ").next().is_some_and(|path| path.ends_with("/fn"))).collect();
            let is_less = added.iter().all(|row| row.contains("untranslated"));
            let outcome = match error(&made.path, &made.text) {
                Some(error) => {
                    println!("{path}: error: {error}");
                    "error"
                }
                None if gone.is_empty() && added.is_empty() => "same",
                None if is_less && !added.is_empty() => "less complete",
                None => "differs",
            };
            *outcomes.entry(outcome).or_default() += 1;
            println!("{path}: {outcome}");
            if is_verbose {
                println!("{}", made.text);
                gone.iter().for_each(|row| println!("  - {row}"));
                added.iter().for_each(|row| println!("  + {row}"));
            }
            if outcome == "less complete" {
                made.residues.iter().for_each(|left| *reasons.entry(left.reason.clone()).or_default() += 1);
            }
        }
    }
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    reasons.iter().take(40).for_each(|(reason, count)| println!("{count:6} {reason}"));
    outcomes.iter().for_each(|(outcome, count)| println!("{outcome}: {count}"));
}
