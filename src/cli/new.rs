//! `rtype new type|provider|module NAME`

use super::Exit;
use super::arguments::{CiSystem, New, NewModule, NewProviderArgs, NewTypeArgs, NewVerb};
use super::output::Console;
use crate::app::input;
use crate::app::session::Session;
use rtype_author::scaffold::{Implementation, NewFile, NewProperty, NewProvider, NewType, PropertyKind, is_name};
use rtype_author::scaffold::{module, provider_files, type_files};
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::source::Span;
use rtype_lang::syntax::LINE_WIDTH;
use rtype_system::{named, process};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

/// The files to create, or the reason why no file is created.
type Planned = Result<(PathBuf, Vec<NewFile>), Refusal>;

/// The reason why no file is created.
enum Refusal {
    /// Arguments are missing or exclude each other.
    Usage(String),
    /// A type does not exist or has errors.
    Diagnostics(Vec<Diagnostic>),
}

pub fn run(arguments: &New, session: &mut Session, output: &mut Console) -> io::Result<Exit> {
    let planned = match &arguments.what {
        NewVerb::Type(a) => plan_type(a, session, output)?,
        NewVerb::Provider(a) => plan_provider(a, session, output)?,
        NewVerb::Module(a) => plan_module(a, session, output)?,
    };
    let (directory, files) = match planned {
        Ok(planned) => planned,
        Err(Refusal::Usage(message)) => {
            eprintln!("rtype: {message}");
            return Ok(Exit::Usage);
        }
        Err(Refusal::Diagnostics(found)) => {
            session.show(&found, output)?;
            return Ok(Exit::Findings);
        }
    };
    let mut found = invalid(&files, &directory, session);
    if found.is_empty() {
        found.extend(create(&files, &directory, session).err());
    }
    if !found.is_empty() {
        session.show(&found, output)?;
        return Ok(Exit::Findings);
    }
    for file in &files {
        output.print(&format!("created {}\n", directory.join(&file.path).display()))?;
    }
    Ok(Exit::Clean)
}

fn plan_type(a: &NewTypeArgs, session: &mut Session, output: &mut Console) -> io::Result<Planned> {
    let Some(name) = needed(a.name.as_deref(), "Name of the type", output)? else { return Ok(missing("NAME")) };
    let planned = new_type(&name, &a.properties, a.implementation.into(), session);
    let width = session.config.line_width.unwrap_or(LINE_WIDTH);
    Ok(planned.map(|new| (types_directory(a.output.as_deref()), type_files(&new, true, width))))
}

fn plan_provider(a: &NewProviderArgs, session: &mut Session, output: &mut Console) -> io::Result<Planned> {
    let Some(name) = needed(a.name.as_deref(), "Name of the provider", output)? else { return Ok(missing("NAME")) };
    let Some(of) = needed(a.type_name.as_deref(), "Type that it provides", output)? else { return Ok(missing("--for TYPE")) };
    let directory = types_directory(a.output.as_deref());
    let file = directory.join(format!("{of}.rtype"));
    let what = if named::is_file(&file) { file.to_string_lossy().into_owned() } else { of.clone() };
    let (types, found) = session.chosen_types(&[what]);
    let Some(type_def) = types.iter().find(|t| t.name.as_str() == of) else { return Ok(Err(Refusal::Diagnostics(found))) };
    let Some(new) = NewProvider::of(&name, type_def, a.implementation.into()) else {
        return Ok(Err(Refusal::Usage(format!("type `{of}` has several namevars: write its provider by hand"))));
    };
    if type_def.providers.contains_key(name.as_str()) {
        return Ok(Err(Refusal::Usage(format!("type `{of}` already has a provider `{name}`"))));
    }
    let width = session.config.line_width.unwrap_or(LINE_WIDTH);
    Ok(match new.implementation {
        Implementation::None => Err(Refusal::Usage("a provider needs an implementation: records, keyed, commands or program".to_owned())),
        Implementation::Keyed if new.properties.len() != 1 => Err(several_keyed()),
        _ => Ok((directory, provider_files(&new, width))),
    })
}

fn plan_module(a: &NewModule, session: &mut Session, output: &mut Console) -> io::Result<Planned> {
    let Some(name) = needed(a.name.as_deref(), "Name of the module", output)? else { return Ok(missing("NAME")) };
    let all = [CiSystem::Github, CiSystem::Gitlab, CiSystem::PreCommit];
    let ci: Vec<_> = a.ci.as_deref().unwrap_or(&all).iter().filter_map(|system| system.ci()).collect();
    let directory = a.output.clone().unwrap_or_default().join(&name);
    // The new module has a separate configuration, so the default width applies.
    let files = |new: NewType| module(&new, &ci, env!("CARGO_PKG_VERSION"), LINE_WIDTH);
    Ok(new_type(&name, &a.properties, a.implementation.into(), session).map(|new| (directory, files(new))))
}

fn new_type(name: &str, properties: &[NewProperty], implementation: Implementation, session: &Session) -> Result<NewType, Refusal> {
    if session.types.names().iter().any(|known| known == name) {
        let message = format!("type `{name}` already exists");
        let d = Diagnostic::new(Code::CannotWrite, Span::NONE, message);
        return Err(Refusal::Diagnostics(vec![d.help("choose another name: a type with the same name would replace it")]));
    }
    let mut properties = properties.to_vec();
    if properties.is_empty() {
        properties.push(NewProperty { name: "value".to_owned(), kind: PropertyKind::Text });
    }
    if implementation == Implementation::Keyed && properties.len() != 1 {
        return Err(several_keyed());
    }
    Ok(NewType { name: name.to_owned(), properties, implementation })
}

fn several_keyed() -> Refusal {
    Refusal::Usage("the implementation `keyed` requires exactly one property".to_owned())
}

fn missing(argument: &str) -> Planned {
    let way_out = if can_ask() { "" } else { "; pass it, or run the command at a terminal, where rtype asks for it" };
    Err(Refusal::Usage(format!("missing {argument}{way_out}")))
}

/// Returns whether rtype can ask the user at a terminal.
fn can_ask() -> bool {
    process::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Returns an argument, or asks for the argument on a terminal.
fn needed(given: Option<&str>, question: &str, output: &mut Console) -> io::Result<Option<String>> {
    if let Some(given) = given {
        return Ok(Some(given.to_owned()));
    }
    if !can_ask() {
        return Ok(None);
    }
    loop {
        output.print(&format!("{question}: "))?;
        output.flush()?;
        let mut line = String::new();
        if process::stdin().read_line(&mut line)? == 0 {
            // Ctrl-D leaves the cursor after the question.
            output.print("\n")?;
            output.flush()?;
            return Ok(None);
        }
        match line.trim() {
            name if is_name(name) => return Ok(Some(name.to_owned())),
            _ => output.print("use lower-case letters, digits and `_`, beginning with a letter\n")?,
        }
    }
}

/// Returns the directory for new types: the given directory, else `types` if it exists, else the working directory.
fn types_directory(given: Option<&Path>) -> PathBuf {
    match given {
        Some(directory) => directory.to_owned(),
        None if named::is_dir("types") => "types".into(),
        None => PathBuf::new(),
    }
}

/// Returns the errors that the new types would cause, for example a property named like a metaparameter.
fn invalid(files: &[NewFile], directory: &Path, session: &Session) -> Vec<Diagnostic> {
    let mut types = session.types.fork();
    let before = types.diagnostics().len();
    for file in files.iter().filter(|file| file.path.ends_with(".rtype") && !file.path.contains("providers/")) {
        let path = directory.join(&file.path);
        if let Ok(source) = types.sources.add(path.to_string_lossy().as_ref(), file.text.as_str()) {
            types.load_text(&source, None);
        }
    }
    let errors = types.diagnostics().into_iter().skip(before).filter(Diagnostic::is_error);
    // The files are not kept, so positions in them would mislead.
    errors.map(|d| Diagnostic::new(d.code, Span::NONE, d.message.clone()).help("choose other names")).collect()
}

/// Creates all files, or none if a file already exists.
fn create(files: &[NewFile], directory: &Path, session: &Session) -> Result<(), Diagnostic> {
    let cannot = |message: String| Diagnostic::new(Code::CannotWrite, Span::NONE, message);
    let mut access = session.access.clone();
    access.admit(directory);
    for file in files {
        let path = directory.join(&file.path);
        if named::link_metadata(&path).is_ok() {
            return Err(cannot(format!("`{}` already exists", path.display())).help("remove it, or choose another name or directory"));
        }
        access.check(&path)?;
    }
    for file in files {
        let path = directory.join(&file.path);
        let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        named::make_directories(parent).map_err(|e| cannot(format!("cannot create `{}`: {}", parent.display(), input::reason(&e))))?;
        named::create(&path, file.text.as_bytes(), file.is_program)
            .map_err(|e| cannot(format!("cannot write `{}`: {}", path.display(), input::reason(&e))))?;
    }
    Ok(())
}
