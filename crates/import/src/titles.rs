//! Title patterns, evaluated as Ruby would when a resource is created.

use super::context::TypeScope;
use super::items::ClassItem;
use super::known::StaticValue;
use super::ruby;
use super::type_decl::{Fragment, Reader};

/// Sorts attributes as Puppet does where kinds differ: last the params whose class is one of a property.
pub(super) fn in_puppets_order(pieces: &mut Vec<Fragment>, scope: &TypeScope) {
    let is_attribute = |p: &Fragment| p.text == "ensurable" || p.text.starts_with("newproperty ");
    let name = |p: &Fragment| p.text.strip_prefix("newproperty ").and_then(|t| t.split([',', ' ']).next()).map(str::to_owned);
    let (late, mut rest): (Vec<Fragment>, Vec<Fragment>) =
        std::mem::take(pieces).into_iter().partition(|p| name(p).is_some_and(|name| scope.late_properties.contains(&name)));
    let last = rest.iter().rposition(is_attribute).map_or(rest.len(), |at| at + 1);
    rest.splice(last..last, late);
    *pieces = rest;
}

/// A row of title patterns.
pub(super) struct TitleRow {
    pattern: String,
    pub names: Vec<String>,
    /// Those whose text a function converts.
    pub converted: Vec<String>,
}

impl<'p> Reader<'_, '_, 'p> {
    /// Evaluates `[[/re/, [[:name], [:type]]], …]`: each pattern with the attributes that its groups set.
    pub(super) fn title_rows(&self, item: &ClassItem<'p>) -> Option<Vec<TitleRow>> {
        let rows = self.loaded.result(item)?;
        let StaticValue::List(rows) = rows else { return None };
        let row = |row: StaticValue| {
            let StaticValue::List(parts) = row else { return None };
            let [StaticValue::Regex(source, flags), StaticValue::List(entries)] = parts.as_slice() else { return None };
            let (mut names, mut converted) = (Vec::new(), Vec::new());
            for entry in entries {
                let parts = if let StaticValue::List(parts) = entry { parts.as_slice() } else { std::slice::from_ref(entry) };
                names.push(parts.first()?.word()?);
                match parts {
                    [_] | [_, StaticValue::Identity] => {}
                    [_, StaticValue::Function] => converted.extend(names.last().cloned()),
                    _ => return None,
                }
            }
            // Puppet ignores groups without an attribute, and attributes without a group.
            let source = ruby::with_groups(source, names.len());
            if let Ok(regex) = rtype_lang::value::Regex::new(&source, rtype_lang::value::Flags::default()) {
                names.truncate(regex.group_count());
            }
            Some(TitleRow { pattern: StaticValue::Regex(source, flags.clone()).written()?, names, converted })
        };
        rows.into_iter().map(row).collect()
    }

    pub(super) fn title_patterns(&self, item: &ClassItem<'p>) -> Option<String> {
        // A pattern fails in Puppet if it sets anything but attributes.
        let is_known = |row: &TitleRow| row.names.iter().all(|n| self.scope.attributes.contains(n));
        let rows: Vec<String> =
            self.title_rows(item)?.into_iter().filter(is_known).map(|row| format!("{} => {}", row.pattern, row.names.join(", "))).collect();
        Some(rows.join("\n"))
    }
}
