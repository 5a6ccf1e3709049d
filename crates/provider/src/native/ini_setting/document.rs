//! The INI file of a resource, in the syntax set by the resource's attributes.

use crate::text::ini::{Ini, Marks, Syntax};
use crate::text::{Text, TextFiles, open_text};
use crate::{ProviderError, Resource, System};
use rtype_lang::value::{EcoString, Value};
use std::collections::HashMap;

/// Returns the desired value of an attribute as text, `None` if it is not set.
pub(in crate::native) fn text_of(resource: &dyn Resource, attribute: &str) -> Option<String> {
    let value = resource.wanted(attribute);
    (!value.is_nil()).then(|| value.to_text().to_string())
}

/// Returns the setting of a provider that extends this one, else the desired value of the attribute.
///
/// # Errors
/// If the block of the setting fails.
pub(in crate::native) fn setting_of(resource: &dyn Resource, setting: &str, attribute: &str) -> Result<Option<String>, ProviderError> {
    Ok(match resource.setting(setting)? {
        Value::Nil => text_of(resource, attribute),
        value => Some(value.to_text().to_string()),
    })
}

/// The maximum number of characters before a setting.
const MAX_INDENT: usize = 999;

/// Returns the path of a resource's file.
///
/// # Errors
/// If the resource does not set one.
pub(in crate::native) fn path(resource: &dyn Resource) -> Result<EcoString, ProviderError> {
    let path = setting_of(resource, "file_path", "path")?
        .ok_or_else(|| ProviderError::new("`path` is not set").help("set `path`").of_kind(crate::ErrorKind::MissingAttribute))?;
    Ok(path.into())
}

/// Returns whether a setting may have several lines, one per value.
///
/// # Errors
/// If the block of the setting fails.
pub(in crate::native) fn is_repeated(resource: &dyn Resource) -> Result<bool, ProviderError> {
    Ok(resource.setting("repeated")?.is_truthy())
}

/// Reads a number of characters. Puppet accepts other strings when a catalog is compiled, and fails when it indents a setting.
fn indent_width(width: &str) -> Result<usize, ProviderError> {
    let number = width.trim().parse().ok().filter(|number| *number <= MAX_INDENT);
    number.ok_or_else(|| ProviderError::new(format!("`indent_width` is a number up to {MAX_INDENT}, not `{width}`")))
}

/// Returns the syntax of the file.
///
/// # Errors
/// If the block of a setting fails.
pub(in crate::native) fn marks(resource: &dyn Resource) -> Result<Marks, ProviderError> {
    let usual = Marks::default();
    let own = |name: &str| setting_of(resource, name, name);
    Ok(Marks {
        // Types without the attribute, or with no default of it, write no blanks.
        separator: setting_of(resource, "separator", "key_val_separator")?.unwrap_or_else(|| "=".into()),
        prefix: own("section_prefix")?.unwrap_or(usual.prefix),
        suffix: own("section_suffix")?.unwrap_or(usual.suffix),
        indent_char: own("indent_char")?.unwrap_or(usual.indent_char),
        indent_width: own("indent_width")?.map(|width| indent_width(&width)).transpose()?,
    })
}

/// INI files, each read once for resources that write it in the same way.
pub(in crate::native) struct Inis<'a> {
    texts: TextFiles<'a, Text>,
    read: HashMap<(EcoString, Marks), Ini>,
}

impl<'a> Inis<'a> {
    /// Creates an empty cache.
    pub(in crate::native) fn new(system: &'a System) -> Inis<'a> {
        Inis { texts: TextFiles::new(system, &open_text), read: HashMap::new() }
    }

    /// Returns the parsed file of a resource, empty if the file does not exist.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(in crate::native) fn of(&mut self, resource: &dyn Resource) -> Result<&Ini, ProviderError> {
        let (path, marks) = (path(resource)?, marks(resource)?);
        let text = self.texts.open(&path)?;
        let syntax = Syntax::new(marks.clone())?;
        Ok(self.read.entry((path, marks)).or_insert_with(|| Ini::new(text, &syntax)))
    }
}
