//! Declares the resources of the checked files.

use super::{DiagnosticCollector, Input, limits::ComputedValues};
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::eval::{UnknownWorld, World};
use rtype_lang::library::TypeSet;
use rtype_lang::source::Source;
use rtype_manifest::check::{Analysis, DataPlace, Hierarchies, KnownDefinitions, analyse, check_data};
use rtype_manifest::syntax::{Form, Parsed, parse};
use rtype_model::declare::{DeclareOptions, Declaring, UnknownTypes, declare};
use rtype_model::manifest::{DataFormat, Declarations, from_source, holds_resources};
use rtype_model::resource::{Context, NoCatalog, UNDECIDED};
use std::path::Path;

/// The resources of all files.
#[derive(Default)]
pub(super) struct DeclaredFiles<'i> {
    pub files: Vec<(&'i Source, Declarations, Declaring)>,
    pub unknown: UnknownTypes,
    pub computed: ComputedValues,
}

/// A file with resources.
enum ResourceFile {
    /// Declarations with values.
    Values(Box<Declarations>, Vec<Diagnostic>),
    /// A manifest with variables, classes, conditions or calls of functions.
    Program(Parsed),
}

impl ResourceFile {
    fn read(source: &Source, world: &dyn World) -> ResourceFile {
        let (declarations, diagnostics) = from_source(source, world);
        let is_defined = |name: &str| name.contains("::");
        let is_program = diagnostics.iter().any(|d| d.code == Code::NeedsCompiler)
            || !declarations.is_compiled && declarations.resources.iter().any(|declared| is_defined(declared.type_name.as_str()));
        match is_program {
            true => ResourceFile::Program(parse(source, Form::Manifest)),
            false => ResourceFile::Values(Box::new(declarations), diagnostics),
        }
    }
}

/// Reads all files with resources, and declares the resources of each.
pub(super) fn declare_all<'i>(
    inputs: &'i [Input],
    types: &TypeSet,
    world: &dyn World,
    found: &mut DiagnosticCollector<'_>,
) -> DeclaredFiles<'i> {
    let sources = inputs.iter().filter_map(|input| if let Input::Resources(source) = input { Some(&**source) } else { None });
    let mut hierarchies = Hierarchies::default();
    let mut data: Vec<(&Source, DataPlace)> = Vec::new();
    let mut read: Vec<(&Source, ResourceFile)> = Vec::new();
    let names = types.names();
    for source in sources {
        match data_place(source, &names, types, &mut hierarchies) {
            Some(place) => data.push((source, place)),
            None => read.push((source, ResourceFile::read(source, world))),
        }
    }
    let mut definitions = KnownDefinitions::default();
    let mut all = DeclaredFiles::default();
    let mut programs: Vec<(&Source, &Parsed)> = Vec::new();
    for (source, file) in &read {
        if let ResourceFile::Program(parsed) = file {
            definitions.add_checked(source, parsed, types);
            programs.push((*source, parsed));
        }
    }
    let analysis = check_data(&data, &programs, types, &mut definitions, &mut hierarchies);
    types.secrets.extend(&analysis.secrets);
    found.extend(analysis.diagnostics);
    all.computed.untyped += analysis.untyped;
    all.computed.changed += analysis.changed;
    all.computed.required += analysis.required;
    for ((source, _), comments) in data.iter().zip(analysis.comments) {
        all.files.push((*source, Declarations { comments, ..Declarations::default() }, Declaring::default()));
    }
    for (source, file) in read {
        let (declarations, diagnostics) = match file {
            ResourceFile::Values(declarations, diagnostics) => (*declarations, diagnostics),
            ResourceFile::Program(mut parsed) => {
                let Analysis { declarations, diagnostics, computed, untyped, unknown_calls } =
                    analyse(source, &parsed, types, &mut definitions);
                all.computed.values += computed;
                all.computed.untyped += untyped;
                all.computed.calls += unknown_calls;
                all.computed.manifests += usize::from(computed > 0);
                parsed.diagnostics.extend(diagnostics);
                (declarations, parsed.diagnostics)
            }
        };
        types.secrets.extend(&declarations.secrets);
        found.extend(diagnostics);
        let offline =
            Context { world: &UnknownWorld, catalog: &NoCatalog, backend: None, strict: false, trace: false, offline: true, log: None };
        let mut undecided = 0;
        let mut unknown = UnknownTypes::default();
        let mut report = |diagnostic: Diagnostic| {
            if declarations.is_program && (is_undecided(&diagnostic) || names_provider_of_module(&diagnostic, source, &declarations, types))
            {
                undecided += 1;
            } else {
                found.push(diagnostic);
            }
        };
        let options = DeclareOptions { unknown: Some(&mut unknown), report: Some(&mut report), ..DeclareOptions::default() };
        let declaring = declare(&declarations, types, offline, options);
        if declarations.is_program {
            all.computed.resources += unknown.take_foreign(types);
        }
        all.unknown.extend(unknown);
        all.computed.rules += undecided;
        all.files.push((source, declarations, declaring));
    }
    all
}

/// Returns the place of a data file of Hiera; `None` for other files, also for files with resources.
fn data_place(source: &Source, names: &[String], types: &TypeSet, hierarchies: &mut Hierarchies) -> Option<DataPlace> {
    let format = DataFormat::of(source.name())?;
    let place = hierarchies.place(Path::new(source.name()), &*types.files())?;
    let is_type = |name: &str| names.iter().any(|known| known == name);
    (!holds_resources(source, format, &is_type)).then_some(place)
}

/// Returns `true` if a provider that the type lacks is one of a module on the module path, for a type of another module.
fn names_provider_of_module(diagnostic: &Diagnostic, source: &Source, declarations: &Declarations, types: &TypeSet) -> bool {
    if diagnostic.code != Code::UnknownResourceProvider {
        return false;
    }
    let span = diagnostic.span();
    let name = source.slice(span).trim_matches(['\'', '"']);
    let Some(declared) = declarations.resources.iter().find(|declared| declared.span.contains(span)) else { return false };
    let file = Path::new("lib/puppet/provider").join(declared.type_name.as_str()).join(name).with_extension("rb");
    let (loader, files) = (types.loader(), types.files());
    let is_plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_plain && loader.module_directories().iter().flat_map(|path| files.entries(path)).any(|module| files.exists(&module.join(&file)))
}

/// Returns `true` if a rule of a type was not checked because it depends on a value that is not known.
fn is_undecided(diagnostic: &Diagnostic) -> bool {
    diagnostic.code == Code::NotChecked && diagnostic.bare_message().ends_with(UNDECIDED)
}
