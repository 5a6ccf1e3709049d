//! `rtype import FILE.rb… [-o DIR]`

use super::Exit;
use super::arguments::Import;
use super::output::Output;
use super::session::Session;
use crate::diagnostics::{Code, Diagnostic};
use crate::import::{Files, Imported, import};
use crate::input::{self, ModulePath};
use crate::library::Library;
use crate::source::{Source, Span};
use crate::syntax::LINE_WIDTH;
use std::io;
use std::path::Path;
use std::sync::Arc;

pub fn run(arguments: &Import, session: &mut Session, output: &mut Output) -> io::Result<Exit> {
    let (mut files, found) = input::collect(&arguments.paths, &["rb"]);
    // Of a module's Ruby only the types are asked for; what is named is read.
    files.retain(|f| {
        arguments.paths.iter().any(|p| Path::new(&input::relative(p)) == f) || f.parent().is_some_and(|p| p.ends_with("puppet/type"))
    });
    let mut failed = session.show(&found, output)?;
    if files.is_empty() && !failed {
        let d = Diagnostic::new(Code::NothingToCheck, Span::NONE, "no types of Puppet are there");
        failed |= session.show(&[d.help("name Ruby files, or folders with `puppet/type/*.rb` in them")], output)?;
    }
    let width = session.config.line_width.unwrap_or(LINE_WIDTH);
    let mut imported: Vec<(Arc<Source>, Imported)> = Vec::new();
    for file in &files {
        let name = file.to_string_lossy();
        let read = input::read_source(&name).and_then(|text| session.library.keep(if name == "-" { input::STDIN } else { &name }, text));
        match read {
            Ok(source) => {
                let (types, diagnostics) =
                    import(&source, &mut Modules { library: &mut session.library, path: ModulePath::of(file) }, width);
                failed |= session.show(&diagnostics, output)?;
                imported.extend(types.into_iter().map(|t| (Arc::clone(&source), t)));
            }
            Err(why) => failed |= session.show(&[why], output)?,
        }
    }
    for (_, imported) in &imported {
        if let Some(folder) = &arguments.output {
            failed |= session.show(&write(folder, imported).err().into_iter().collect::<Vec<_>>(), output)?;
        } else {
            output.print(&imported.text)?;
        }
    }
    output.flush()?;
    summary(&imported);
    Ok(if failed { Exit::Findings } else { Exit::Clean })
}

/// The module path of a file; what is read of it becomes known to the library, for diagnostics.
struct Modules<'a> {
    library: &'a mut Library,
    path: ModulePath,
}

impl Files for Modules<'_> {
    fn read(&mut self, path: &str) -> Option<Arc<Source>> {
        let file = self.path.find(path)?;
        let name = input::relative(&file.to_string_lossy());
        input::read_source(&name).and_then(|text| self.library.keep(&name, text)).ok()
    }

    fn list(&mut self, folder: &str) -> Vec<String> {
        self.path.list(folder).into_iter().filter(|name| name.ends_with(".rb")).collect()
    }
}

/// A file is written once: who owns it from then on may have changed it.
fn write(folder: &Path, imported: &Imported) -> Result<(), Diagnostic> {
    let path = folder.join(format!("{}.rtype", imported.name));
    let name = path.to_string_lossy();
    let cannot = |message: String| Diagnostic::new(Code::CannotWrite, Span::NONE, message);
    if path.exists() {
        return Err(cannot(format!("`{name}` is there already")).help("remove it, or name another folder with `-o`"));
    }
    std::fs::create_dir_all(folder).map_err(|e| cannot(format!("cannot make `{}`: {}", folder.display(), input::reason(&e))))?;
    input::write_file(&name, &imported.text)
}

/// What was not translated, and totals.
fn summary(imported: &[(Arc<Source>, Imported)]) {
    for (source, one) in imported {
        for residue in &one.residues {
            eprintln!("{}:{}: {}", source.name(), source.line(residue.span.start), residue.reason);
        }
    }
    if imported.is_empty() {
        return;
    }
    let whole = imported.iter().filter(|(_, i)| i.residues.is_empty()).count();
    let (met, translated) = imported.iter().fold((0, 0), |(met, done), (_, i)| (met + i.blocks, done + i.translated));
    let types = if imported.len() == 1 { "type" } else { "types" };
    eprintln!(
        "{} {types} imported, {whole} whole, {} with residue; {translated} of {met} blocks translated",
        imported.len(),
        imported.len() - whole
    );
}
