//! `rtype import FILE.rb… [-o DIR]`

use super::Exit;
use super::arguments::Import;
use super::import_report;
use super::output::Console;
use crate::app::input::{self, Collected, FileAccess, ModulePath, ModulePaths};
use crate::app::ruby::{self, AT_ONCE, Shared};
use crate::app::session::Session;
use rayon::prelude::*;
use rtype_import::{Imported, Importer, RubyFiles, admit, pay, side_by_side};
use rtype_lang::diagnostics::{Code, Diagnostic, printable};
use rtype_lang::source::{SourceMap, Span};
use rtype_lang::syntax::LINE_WIDTH;
use rtype_system::named;
use std::collections::HashSet;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// The width of two columns, regardless of the terminal.
const EXPLAINED_WIDTH: usize = 160;

pub fn run(arguments: &Import, session: &mut Session, output: &mut Console) -> io::Result<Exit> {
    let Collected { files, diagnostics: found, .. } = session.collect(&arguments.paths, &["rb"]);
    let files = wanted(files, &arguments.paths);
    let mut failed = session.show(&found, output)?;
    if files.is_empty() && !failed {
        let d = Diagnostic::new(Code::NothingToCheck, Span::NONE, "no types of Puppet found");
        failed |= session.show(&[d.help("specify Ruby files, or directories that contain `puppet/type/*.rb`")], output)?;
    }
    let mut paths = ModulePaths::default();
    let files: Vec<(ImportFile, ModulePath)> =
        files.into_iter().map(|file| (paths.of(&file.path), file)).map(|(path, f)| (f, path)).collect();
    let width = session.config.line_width.unwrap_or(LINE_WIDTH);
    let allowed = session.types.files();
    let shared = Shared::new(&*allowed, &session.types.sources);
    let (imported, mut found) = all(&files, width, &shared);
    found.extend(shared.refused());
    if let Some(path) = &arguments.report {
        let text = import_report::json(&imported, &found, &session.types.sources);
        failed |= session.show(&session.access.write_named(path, &text).err().into_iter().collect::<Vec<_>>(), output)?;
    }
    failed |= session.show(&found, output)?;
    for imported in &imported {
        if arguments.explain {
            // Secrets according to the imported types are redacted on both sides.
            let secrets = ruby::made(&session.types.sources, &imported.path, std::slice::from_ref(imported)).map(|made| {
                session.types.load_text(&made, None);
                session.types.secrets.words(&made)
            });
            let width = output.width().max(EXPLAINED_WIDTH);
            output.print(&side_by_side(imported, &session.types.sources, width, &secrets.unwrap_or_default()))?;
        }
        if let Some(folder) = &arguments.output {
            failed |= session.show(&write(folder, imported, &session.access).err().into_iter().collect::<Vec<_>>(), output)?;
        } else if !arguments.explain {
            output.print_file(&imported.text)?;
        }
    }
    output.flush()?;
    summary(&imported, &session.types.sources);
    Ok(if failed { Exit::Findings } else { Exit::Clean })
}

/// Imports files, several at a time.
fn all(files: &[(ImportFile, ModulePath)], width: usize, shared: &Shared<'_>) -> (Vec<Imported>, Vec<Diagnostic>) {
    let one = |importer: &mut Importer, (file, path): &(ImportFile, ModulePath)| {
        let source = match shared.named(&file.path) {
            Ok(source) => source,
            Err(why) => return ((Vec::new(), vec![why]), 0),
        };
        // Directories of providers also contain files that the providers share.
        if !file.is_named && file.is_provider && !source.text().contains(".provide") {
            return ((Vec::new(), Vec::new()), 0);
        }
        (with_header(importer.import(&source, &mut shared.modules(path)), source.text()), importer.spent())
    };
    let (mut imported, mut diagnostics): (Vec<Imported>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    let mut done = Vec::new();
    for some in files.chunks(AT_ONCE) {
        let first = some.first().map(|(file, _)| file.path.to_string_lossy()).unwrap_or_default();
        if let Err(refusal) = admit(some.len(), &first, Some(files.len() - done.len())) {
            diagnostics.extend(refusal);
            break;
        }
        let imported: Vec<_> = some.par_iter().map_init(|| Importer::new(width), one).collect();
        imported.iter().for_each(|(_, spent)| pay(*spent));
        done.extend(imported.into_iter().map(|(found, _)| found));
    }
    // Types that other types depend on are also written: the dependent types cannot be loaded without them.
    let mut needed: Vec<(String, &ModulePath)> = Vec::new();
    for ((found, wrong), (_, path)) in done.into_iter().zip(files) {
        needed.extend(found.iter().flat_map(|i| &i.needs).map(|of| (of.clone(), path)));
        imported.extend(found);
        diagnostics.extend(wrong);
    }
    let mut importer = Importer::new(width);
    while let Some((of, path)) = needed.pop() {
        let has = |i: &Imported| i.type_name.as_ref() == Some(&of);
        if imported.iter().any(has) || files.iter().any(|(f, _)| f.is_type(&of)) {
            continue;
        }
        let Some(source) = shared.modules(path).read(&format!("puppet/type/{of}.rb")) else { continue };
        if let Err(refusal) = admit(1, source.name(), Some(1)) {
            diagnostics.extend(refusal);
            break;
        }
        let (found, wrong) = with_header(importer.import(&source, &mut shared.modules(path)), source.text());
        pay(importer.spent());
        needed.extend(found.iter().flat_map(|i| &i.needs).map(|of| (of.clone(), path)));
        imported.extend(found);
        diagnostics.extend(wrong);
    }
    (imported, diagnostics)
}

/// Adds the comments at the beginning of a Ruby file to the type files made of it: authors, copyright and licence.
fn with_header(made: (Vec<Imported>, Vec<Diagnostic>), ruby: &str) -> (Vec<Imported>, Vec<Diagnostic>) {
    let is_text = |line: &&str| !READ_BY_PROGRAMS.iter().any(|word| line.starts_with(word));
    let lines = ruby.lines().map(str::trim_end).take_while(|line| line.is_empty() || line.starts_with('#')).filter(is_text);
    let header = lines.map(printable).collect::<Vec<_>>().join("\n");
    let (mut imported, found) = made;
    if !header.trim().is_empty() {
        imported.iter_mut().for_each(|one| one.text = format!("{}\n\n{}", header.trim(), one.text));
    }
    (imported, found)
}

/// Prefixes of comments for Ruby, editors and linters.
const READ_BY_PROGRAMS: &[&str] =
    &["#!", "# frozen_string_literal:", "# encoding:", "# coding:", "# -*-", "# vim:", "# warn_indent:", "# rubocop:", "# rtype:"];

/// A Ruby file to be imported.
struct ImportFile {
    path: PathBuf,
    /// Whether the user named the file itself rather than a directory above.
    is_named: bool,
    is_provider: bool,
}

impl ImportFile {
    /// Returns whether the file defines the type with this name.
    fn is_type(&self, name: &str) -> bool {
        !self.is_provider && self.path.file_stem().is_some_and(|s| s == name)
    }
}

/// Selects the files to import: in a module only types and providers, otherwise the named files. Providers belong to the file of their
/// type, so providers are selected only if the file of their type is not.
fn wanted(files: Vec<PathBuf>, named: &[String]) -> Vec<ImportFile> {
    let named: Vec<String> = named.iter().map(|p| input::relative(p)).collect();
    let in_type = |p: &Path| p.parent().is_some_and(|p| p.ends_with("puppet/type") && !p.ends_with("unit/puppet/type"));
    let mut all: Vec<ImportFile> = files
        .into_iter()
        .map(|path| ImportFile { is_named: named.iter().any(|p| Path::new(p) == path), is_provider: input::is_provider(&path), path })
        .filter(|f| f.is_named || f.is_provider || in_type(&f.path))
        .collect();
    let types: HashSet<OsString> = all.iter().filter(|f| !f.is_provider).filter_map(|f| f.path.file_stem().map(OsString::from)).collect();
    let has_type = |p: &Path| p.parent().and_then(Path::file_name).is_some_and(|n| types.contains(n));
    all.retain(|f| f.is_named || !f.is_provider || !has_type(&f.path));
    all
}

/// Writes a type file. An existing file is never overwritten, because the user may have edited it.
fn write(folder: &Path, imported: &Imported, access: &FileAccess) -> Result<(), Diagnostic> {
    let path = folder.join(format!("{}.rtype", imported.path));
    let name = path.to_string_lossy();
    let cannot = |message: String| Diagnostic::new(Code::CannotWrite, Span::NONE, message);
    if named::exists(&path) {
        return Err(cannot(format!("`{name}` already exists")).help("remove it, or specify another directory with `-o`"));
    }
    let mut access = access.clone();
    access.admit(folder);
    access.check(&path)?;
    let folder = path.parent().unwrap_or(folder);
    named::make_directories(folder).map_err(|e| cannot(format!("cannot make `{}`: {}", folder.display(), input::reason(&e))))?;
    access.write(&name, &imported.text)
}

/// Prints the untranslated parts, and totals.
fn summary(imported: &[Imported], sources: &SourceMap) {
    for residue in imported.iter().flat_map(|i| &i.residues) {
        if let Some(source) = sources.find(residue.span) {
            eprintln!("{}:{}: {}", printable(source.name()), source.line(residue.span.start), printable(&residue.reason));
        }
    }
    if imported.is_empty() {
        return;
    }
    let whole = imported.iter().filter(|i| i.residues.is_empty()).count();
    let (met, translated) = imported.iter().fold((0, 0), |(met, done), i| (met + i.blocks, done + i.translated));
    let types = imported.iter().filter(|i| i.type_name.is_some()).count();
    let counted = |n: usize, what: &str| if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") };
    let what = match imported.len() - types {
        0 => counted(types, "type"),
        alone if types == 0 => counted(alone, "provider"),
        alone => format!("{} and {} of other types", counted(types, "type"), counted(alone, "provider")),
    };
    eprintln!("{what} imported, {whole} whole, {} with residue; {translated} of {met} blocks translated", imported.len() - whole);
}
