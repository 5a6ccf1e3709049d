//! Titles → namevars.

use rtype_lang::source::Span;
use rtype_lang::types::{AttrId, TypeDef};
use rtype_lang::value::EcoString;

/// What a title says of the namevars.
pub struct ParsedTitle {
    /// The attributes that it fills.
    pub values: Vec<(AttrId, EcoString)>,
    /// The pattern that matched; `None` for the whole title.
    pub row: Option<Span>,
}

/// Reads a title; `None` when no pattern fits.
///
/// Follows Puppet's `Puppet::Resource#parse_title`: the first pattern that matches fills its attributes.
pub fn parse(type_def: &TypeDef, title: &str) -> Option<ParsedTitle> {
    if type_def.title_patterns.is_empty() {
        let [only] = type_def.namevars.as_slice() else { return None };
        return Some(ParsedTitle { values: vec![(*only, title.into())], row: None });
    }
    type_def.title_patterns.iter().find_map(|pattern| {
        let groups = pattern.regex.captures_at(title, 0)?;
        let text = |i: usize| groups.get(i + 1).cloned().flatten().and_then(|r| title.get(r));
        let values = pattern.attributes.iter().enumerate().filter_map(|(i, id)| Some((*id, text(i)?.into()))).collect();
        Some(ParsedTitle { values, row: Some(pattern.span) })
    })
}
