//! Imports files with both importers, and prints for each type whether the results agree: `compare [--verbose] [--part types|providers]
//! FILE…`.
//!
//! `compare FILE… -o DIR --report FILE` writes the types of the second importer as `rtype import` does, for `tests/proof/run --importer`.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a program for developers")]

use rtype_import::{Imported, RubyFiles, compile};
use rtype_lang::library::TypeSet;
use rtype_lang::source::{Source, SourceMap};
use rtype_lang::syntax::parse_types;
use serde_json::json;
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

    fn type_alias(&mut self, name: &str) -> Option<Arc<Source>> {
        let (module, path) = name.split_once("::")?;
        let snake = |word: &str| word.to_lowercase();
        let path = format!("types/{}.pp", path.split("::").map(snake).collect::<Vec<_>>().join("/"));
        let is_of_module = |lib: &&PathBuf| {
            let folder = lib.parent().and_then(|module| module.file_name()).and_then(|name| name.to_str()).unwrap_or_default();
            folder == module.to_lowercase()
        };
        let file = self.lib.iter().filter(is_of_module).filter_map(|lib| Some(lib.parent()?.join(&path))).find(|file| file.is_file())?;
        self.sources.add(file.to_string_lossy(), std::fs::read_to_string(&file).ok()?).ok()
    }
}

/// Returns the directives of a text: path, tree and text of each.
fn directives(text: &str) -> Vec<(String, String, String)> {
    let source = SourceMap::new().add("text", text).unwrap();
    let (ast, _) = parse_types(&source);
    compile::canonical(&ast).into_iter().map(|(path, tree, span)| (path, tree, source.slice(span).to_owned())).collect()
}

/// Returns the first error of a type file. The types that its providers inherit from are loaded before.
fn error(name: &str, text: &str, needs: &[String], files: &mut Modules) -> Option<String> {
    let mut types = TypeSet::default();
    let mut wanted = needs.to_vec();
    while let Some(of) = wanted.pop() {
        let Some(source) = files.read(&format!("puppet/type/{of}.rb")) else { continue };
        for made in rtype_import::import(&source, files, 100).0 {
            let source = types.sources.add(format!("{}.rtype", made.path), made.text).unwrap();
            types.load_text(&source, None);
            wanted.extend(made.needs);
        }
    }
    let source = types.sources.add(format!("{name}.rtype"), text).unwrap();
    types.load_text(&source, None);
    types.diagnostics().into_iter().find(|d| d.is_error()).map(|d| format!("{}: {}", d.message, source.slice(d.span())))
}

/// Returns how the results differ: directives only in the old one, and only in the new one.
fn difference(old: &Imported, new: &Imported, part: Option<&str>) -> (Vec<String>, Vec<String>) {
    let is_compared = |(path, ..): &(String, String, String)| {
        let of_provider = path.starts_with("provider ") || path.starts_with("feature ");
        part.is_none_or(|part| of_provider == (part == "providers"))
    };
    let compared = |made: &Imported| -> Vec<(String, String, String)> { directives(&made.text).into_iter().filter(is_compared).collect() };
    let (old, new) = (compared(old), compared(new));
    let missing = |of: &[(String, String, String)], from: &[(String, String, String)]| {
        let is_there = |path: &str, tree: &str| from.iter().any(|other| (other.0.as_str(), other.1.as_str()) == (path, tree));
        of.iter().filter(|(path, tree, _)| !is_there(path, tree)).map(|(path, _, text)| format!("{path}: {text}")).collect()
    };
    (missing(&old, &new), missing(&new, &old))
}

/// Imports files and modules with the second importer, and writes their type files.
fn write(paths: &[String], folder: &Path, report: &Path) {
    let (mut rows, mut counts) = (Vec::new(), [0; 4]);
    for path in ruby_files(paths) {
        let name = path.to_string_lossy();
        let mut files = Modules::of(&path);
        let source = files.sources.add(name.as_ref(), std::fs::read_to_string(&path).unwrap()).unwrap();
        let (new, wrong) = compile::import(&source, &mut files);
        for made in &new {
            let file = folder.join(format!("{}.rtype", made.path));
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            // Puppet loads the first type of each name.
            if !file.exists() {
                std::fs::write(file, &made.text).unwrap();
            }
            let status = if made.residues.is_empty() { "complete" } else { "partial" };
            let reasons: Vec<_> = made.residues.iter().map(|left| json!({ "kind": left.kind, "reason": left.reason })).collect();
            rows.push(json!({ "file": name, "name": made.type_name, "status": status, "reasons": reasons }));
            let numbers = [1, usize::from(made.residues.is_empty()), made.blocks, made.translated];
            counts.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
            made.residues.iter().for_each(|left| eprintln!("{name}:{}: {}", source.line(left.span.start), left.reason));
        }
        for refused in &wrong {
            eprintln!("{name}:1: {}", refused.message);
            let reasons = [json!({ "kind": "refused", "reason": refused.message })];
            rows.push(json!({ "file": name, "name": null, "status": "refused", "reasons": reasons }));
        }
    }
    std::fs::write(report, serde_json::to_string_pretty(&rows).unwrap()).unwrap();
    let [types, whole, blocks, translated] = counts;
    eprintln!("{types} types imported, {whole} whole, {} with residue; {translated} of {blocks} blocks translated", types - whole);
}

/// Returns the files of types, and of providers of other types, in modules.
fn ruby_files(paths: &[String]) -> Vec<PathBuf> {
    let names = |folder: PathBuf| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut entries: Vec<PathBuf> = entries.collect();
        entries.sort();
        entries
    };
    let mut all = Vec::new();
    for path in paths.iter().map(PathBuf::from) {
        if path.is_file() {
            all.push(path);
            continue;
        }
        let is_ruby = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "rb");
        let types: Vec<PathBuf> = names(path.join("lib/puppet/type")).into_iter().filter(is_ruby).collect();
        let of_others = names(path.join("lib/puppet/provider")).into_iter();
        let of_others = of_others.filter(|folder| !types.iter().any(|file| file.file_stem() == folder.file_name()));
        let providers: Vec<PathBuf> = of_others.flat_map(names).filter(is_ruby).collect();
        all.extend(types.into_iter().chain(providers));
    }
    all
}

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [paths @ .., output, folder, with_report, report] = arguments.as_slice()
        && (output.as_str(), with_report.as_str()) == ("-o", "--report")
    {
        return write(paths, Path::new(folder), Path::new(report));
    }
    let is_verbose = arguments.first().is_some_and(|first| first == "--verbose");
    arguments.drain(..usize::from(is_verbose));
    let part = (arguments.first().is_some_and(|first| first == "--part")).then(|| arguments.drain(..2).next_back()).flatten();
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
        for of in &old {
            let Some(made) = new.iter().find(|new| new.path == of.path) else {
                *outcomes.entry("missing").or_default() += 1;
                println!("{path}: missing");
                continue;
            };
            let (gone, added) = difference(of, made, part.as_deref());
            // Functions that nothing calls.
            let gone: Vec<String> =
                gone.into_iter().filter(|row| !row.split(": ").next().is_some_and(|path| path.ends_with("/fn"))).collect();
            let is_less = added.iter().all(|row| row.contains("untranslated"));
            let outcome = match error(&made.path, &made.text, &made.needs, &mut files) {
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
