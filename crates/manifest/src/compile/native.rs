//! The resource types that are not written in Puppet's language.

use super::environment::{NativeType, ResourceTypes};
use super::files::ModuleFiles;
use ecow::EcoString;
use rtype_lang::library::TypeSet;
use rtype_lang::types::TypeDef;
use std::collections::HashMap;
use std::path::PathBuf;

/// Resource types of Puppet itself.
const CORE: &[&str] =
    &["exec", "file", "filebucket", "group", "notify", "package", "resources", "schedule", "service", "stage", "tidy", "user"];

/// The types of a library, as far as Puppet or a module on the module path brings them.
pub struct NativeTypes {
    known: HashMap<EcoString, NativeType>,
    /// Whether all types of the library exist without a module.
    has_all: bool,
}

impl NativeTypes {
    /// Returns the types of a library. Without `has_all`, types that are not part of Puppet itself need a module.
    pub fn new(library: &TypeSet, has_all: bool) -> NativeTypes {
        let known = library.names().into_iter().filter_map(|name| Some((EcoString::from(&name), described(&*library.load(&name)?))));
        NativeTypes { known: known.collect(), has_all }
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
    NativeType { attributes: Some(attributes.chain(["provider".into()]).collect()), namevar, is_isomorphic: known.isomorphic }
}

impl ResourceTypes for NativeTypes {
    fn find(&self, name: &str, files: &ModuleFiles) -> Option<NativeType> {
        if (CORE.contains(&name) || self.has_all)
            && let Some(known) = self.known.get(name)
        {
            return Some(known.clone());
        }
        let is_name = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        let file: Option<PathBuf> = if is_name { files.any_module_file(&[format!("lib/puppet/type/{name}.rb")]) } else { None };
        file.map(|_| self.known.get(name).cloned().unwrap_or(NativeType { attributes: None, namevar: None, is_isomorphic: true }))
    }
}
