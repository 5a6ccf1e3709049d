//! The resource types that are not written in Puppet's language.

use super::environment::{NativeType, ResourceTypes, TitleAttributes};
use super::files::ModuleFiles;
use ecow::EcoString;
use rtype_lang::library::TypeSet;
use rtype_lang::types::{AttrId, TitlePattern, TypeDef};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Resource types of Puppet itself.
const CORE: &[&str] =
    &["exec", "file", "filebucket", "group", "notify", "package", "resources", "schedule", "service", "stage", "tidy", "user"];

/// The types of a library, as far as Puppet or a module on the module path brings them. A type is read when a manifest first names it.
pub struct NativeTypes {
    library: TypeSet,
    /// Whether all types of the library exist without a module.
    has_all: bool,
    /// The types that were asked for; `None` for names that are not in the library.
    known: Mutex<HashMap<EcoString, Option<NativeType>>>,
}

impl NativeTypes {
    /// Returns the types of a library. Without `has_all`, types that are not part of Puppet itself need a module.
    pub fn new(library: TypeSet, has_all: bool) -> NativeTypes {
        NativeTypes { library, has_all, known: Mutex::default() }
    }

    /// Returns a type of the library.
    fn known(&self, name: &str) -> Option<NativeType> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(name.into()).or_insert_with(|| self.library.load(name).map(|found| described(&found))).clone()
    }
}

fn described(known: &TypeDef) -> NativeType {
    let attributes = known.attributes.iter().map(|attribute| EcoString::from(attribute.name.as_str()));
    let namevar = match known.namevars.as_slice() {
        [namevar] => known.attribute(*namevar).map(|attribute| EcoString::from(attribute.name.as_str())),
        // Types with several identifying attributes: the title is the name.
        all => {
            let names = all.iter().filter_map(|id| known.attribute(*id)).map(|attribute| EcoString::from(attribute.name.as_str()));
            names.into_iter().find(|name| name == "name")
        }
    };
    let name_of = |id: &AttrId| known.attribute(*id).map(|attribute| EcoString::from(attribute.name.as_str()));
    let mut keys: Vec<EcoString> = if known.namevars.len() > 1 { known.namevars.iter().filter_map(name_of).collect() } else { Vec::new() };
    keys.sort();
    let patterns = if known.namevars.len() > 1 { known.title_patterns.as_slice() } else { &[] };
    let pattern =
        |of: &TitlePattern| TitleAttributes { regex: of.regex.clone(), attributes: of.attributes.iter().filter_map(name_of).collect() };
    NativeType {
        attributes: Some(attributes.chain(["provider".into()]).collect()),
        namevar,
        keys,
        title_patterns: patterns.iter().map(pattern).collect(),
        is_isomorphic: known.isomorphic,
    }
}

impl ResourceTypes for NativeTypes {
    fn find(&self, name: &str, files: &ModuleFiles) -> Option<NativeType> {
        if (CORE.contains(&name) || self.has_all)
            && let Some(known) = self.known(name)
        {
            return Some(known);
        }
        let is_name = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        let file: Option<PathBuf> = if is_name { files.any_module_file(&[format!("lib/puppet/type/{name}.rb")]) } else { None };
        file.map(|_| self.known(name).unwrap_or_else(NativeType::unknown))
    }
}
