//! The INI file of a resource, as its attributes describe it.

use crate::provider::text::Text;
use crate::provider::text::ini::{Ini, Marks, Syntax};
use crate::provider::{ProviderError, Resource, System};
use crate::value::EcoString;
use std::collections::HashMap;

/// The wanted value of an attribute as text; `None` where it is not set.
pub(in crate::provider::native) fn text_of(resource: &dyn Resource, attribute: &str) -> Option<String> {
    let value = resource.wanted(attribute);
    (!value.is_nil()).then(|| value.to_text().to_string())
}

/// The file of a resource.
///
/// # Errors
/// When it names none.
pub(in crate::provider::native) fn path(resource: &dyn Resource) -> Result<EcoString, ProviderError> {
    let path = text_of(resource, "path").ok_or_else(|| ProviderError::new("it is not told in which file it stands").help("set `path`"))?;
    Ok(path.into())
}

/// How the file is written.
pub(in crate::provider::native) fn marks(resource: &dyn Resource) -> Marks {
    let usual = Marks::default();
    Marks {
        separator: text_of(resource, "key_val_separator").unwrap_or(usual.separator),
        prefix: text_of(resource, "section_prefix").unwrap_or(usual.prefix),
        suffix: text_of(resource, "section_suffix").unwrap_or(usual.suffix),
        indent_char: text_of(resource, "indent_char").unwrap_or(usual.indent_char),
        indent_width: text_of(resource, "indent_width").and_then(|width| width.trim().parse().ok()),
    }
}

/// INI files, each read once for resources that write it in the same way.
pub(in crate::provider::native) struct Inis<'a> {
    system: &'a System,
    texts: HashMap<EcoString, Result<Text, ProviderError>>,
    read: HashMap<(EcoString, Marks), Ini>,
}

impl<'a> Inis<'a> {
    /// Nothing is read yet.
    pub(in crate::provider::native) fn new(system: &'a System) -> Inis<'a> {
        Inis { system, texts: HashMap::new(), read: HashMap::new() }
    }

    /// What stands in the file of a resource; nothing when there is no file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(in crate::provider::native) fn of(&mut self, resource: &dyn Resource) -> Result<&Ini, ProviderError> {
        let (path, marks) = (path(resource)?, marks(resource));
        let system = self.system;
        let read = || system.read_bytes(&path).map(|bytes| Text::new(&bytes.unwrap_or_default()));
        let text = self.texts.entry(path.clone()).or_insert_with(read).as_ref().map_err(Clone::clone)?;
        let syntax = Syntax::new(marks.clone())?;
        Ok(self.read.entry((path, marks)).or_insert_with(|| Ini::new(text, &syntax)))
    }
}
