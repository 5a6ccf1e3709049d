//! New types, providers and modules: the files that `rtype new` writes.

mod module;
mod property;
mod provider;
mod type_file;

pub use module::{Ci, module};
pub use property::{NewProperty, PropertyError, PropertyKind, is_name};

use rtype_lang::source::SourceMap;
use rtype_lang::syntax::format;
use rtype_lang::types::{ArrayMatching, Role, TypeDef};
use rtype_lang::value::DataType;

/// The implementation of a new provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Implementation {
    /// A file with a record per line.
    Records,
    /// A file with sections and settings.
    Keyed,
    /// An existing command-line program.
    Commands,
    /// A new program in Python.
    Program,
    /// No provider: resources are kept in memory.
    None,
}

/// A new type.
#[derive(Clone, Debug)]
pub struct NewType {
    /// The name of the type.
    pub name: String,
    /// The properties.
    pub properties: Vec<NewProperty>,
    /// The implementation of the provider.
    pub implementation: Implementation,
}

/// A new provider.
#[derive(Clone, Debug)]
pub struct NewProvider {
    /// The name of the provider.
    pub name: String,
    /// The type that the provider is for.
    pub type_name: String,
    /// The type's namevar.
    pub namevar: String,
    /// The type's properties except `ensure`.
    pub properties: Vec<NewProperty>,
    /// The implementation.
    pub implementation: Implementation,
}

impl NewProvider {
    /// Returns a provider of an existing type; `None` if the type has several namevars.
    pub fn of(name: &str, type_def: &TypeDef, implementation: Implementation) -> Option<NewProvider> {
        let [namevar] = type_def.namevars.as_slice() else { return None };
        let kind = |data_type: Option<&DataType>, matching: ArrayMatching| match data_type {
            _ if matching == ArrayMatching::All => PropertyKind::List,
            Some(DataType::Integer(..)) => PropertyKind::Integer,
            _ => PropertyKind::Text,
        };
        let properties = type_def.attributes.iter().filter(|a| a.role == Role::Property && a.name.as_str() != "ensure" && !a.namevar);
        Some(NewProvider {
            name: name.to_owned(),
            type_name: type_def.name.to_string(),
            namevar: type_def.attribute(*namevar)?.name.to_string(),
            properties: properties
                .map(|a| NewProperty { name: a.name.to_string(), kind: kind(a.data_type.as_ref(), a.array_matching) })
                .collect(),
            implementation,
        })
    }
}

/// A file to create.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFile {
    /// Path relative to the directory of types or the module's directory.
    pub path: String,
    /// Content.
    pub text: String,
    /// `true` for a program.
    pub is_program: bool,
}

impl NewFile {
    fn text(path: impl Into<String>, text: impl Into<String>) -> NewFile {
        NewFile { path: path.into(), text: text.into(), is_program: false }
    }
}

/// Returns the files for a new type, formatted for lines of `width`. With `together`, the provider is in the type's file.
pub fn type_files(new: &NewType, together: bool, width: usize) -> Vec<NewFile> {
    let provider = new.provider();
    let item = provider.item();
    let mut files = Vec::new();
    if together {
        files.push(NewFile::text(format!("{}.rtype", new.name), formatted(&new.text(&item), width)));
        files.extend(program_files(&provider, ""));
    } else {
        files.push(NewFile::text(format!("{}.rtype", new.name), formatted(&new.text(""), width)));
        files.extend(provider_files(&provider, width));
    }
    files
}

/// Returns the files for a new provider, formatted for lines of `width`.
pub fn provider_files(new: &NewProvider, width: usize) -> Vec<NewFile> {
    if new.implementation == Implementation::None {
        return Vec::new();
    }
    let directory = format!("providers/{}/", new.type_name);
    let mut files = vec![NewFile::text(format!("{directory}{}.rtype", new.name), formatted(&new.item(), width))];
    files.extend(program_files(new, &directory));
    files
}

/// Returns a provider's program and its description.
fn program_files(new: &NewProvider, directory: &str) -> Vec<NewFile> {
    if new.implementation != Implementation::Program {
        return Vec::new();
    }
    let path = format!("{directory}{}.py", new.name);
    let description = NewFile::text(format!("{path}.json"), new.hello());
    vec![NewFile { path, text: new.script(), is_program: true }, description]
}

/// Formats a type file.
fn formatted(text: &str, width: usize) -> String {
    let source = SourceMap::default().add("new.rtype", text).ok();
    source.and_then(|source| format(&source, width).ok()).unwrap_or_else(|| text.to_owned())
}
