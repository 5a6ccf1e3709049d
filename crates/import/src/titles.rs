//! Title patterns, evaluated as Ruby would when a resource is created.

use super::api_refusals::{TypeRefusal, unknown_title_attribute};
use super::block::{AttributeContext, Untranslated};
use super::context::TypeScope;
use super::eval::ClassId;
use super::extended::on_one_line;
use super::items::{ClassItem, Located};
use super::known::StaticValue;
use super::ruby::{self, ByteRange};
use super::type_decl::{Fragment, Reader};
use rtype_lang::syntax::quote;
use ruby_prism::Node;
use std::collections::BTreeMap;

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
#[derive(Clone, Debug)]
pub struct TitleRow {
    pattern: String,
    /// The pattern without groups.
    ungrouped: String,
    /// The attributes that it sets.
    pub names: Vec<String>,
    /// The functions that convert the texts of some of them, each with its file and place.
    converted: BTreeMap<String, (usize, ByteRange)>,
}

impl<'p> Reader<'_, '_, 'p> {
    /// Notes what the title patterns of a type set.
    pub(super) fn read_title_patterns(&mut self, class: ClassId) {
        match self.title_rows(class) {
            Some(rows) => {
                self.scope.in_titles.extend(rows.iter().flat_map(|row| row.names.iter().cloned()));
                self.scope.title_rows = rows;
            }
            None => self.scope.has_unread_patterns = true,
        }
    }

    /// Evaluates `[[/re/, [[:name], [:type]]], …]`: each pattern with the attributes that its groups set.
    fn title_rows(&self, class: ClassId) -> Option<Vec<TitleRow>> {
        let rows = self.loaded.class_result(class, "title_patterns")?;
        let StaticValue::List(rows) = rows else { return None };
        let row = |row: StaticValue| {
            let StaticValue::List(parts) = row else { return None };
            let [StaticValue::Regex(source, flags), StaticValue::List(entries)] = parts.as_slice() else { return None };
            let (mut names, mut converted) = (Vec::new(), BTreeMap::new());
            for entry in entries {
                let parts = if let StaticValue::List(parts) = entry { parts.as_slice() } else { std::slice::from_ref(entry) };
                let name = parts.first()?.word()?;
                names.push(name.clone());
                match parts {
                    [_] | [_, StaticValue::Identity] => {}
                    [_, StaticValue::Function(file, at)] => {
                        converted.insert(name, (*file, at.clone()));
                    }
                    _ => return None,
                }
            }
            // Puppet ignores groups without an attribute, and attributes without a group.
            let source = ruby::with_groups(&on_one_line(source, flags.contains('x')), names.len());
            if let Ok(regex) = rtype_lang::value::Regex::new(&source, rtype_lang::value::Flags::default()) {
                names.truncate(regex.group_count());
            }
            let ungrouped = StaticValue::Regex(ruby::with_groups(&source, 0), flags.clone()).written()?;
            Some(TitleRow { pattern: StaticValue::Regex(source, flags.clone()).written()?, ungrouped, names, converted })
        };
        rows.into_iter().map(row).collect()
    }

    /// Translates what the title patterns make of the text that they give an attribute; `None` if it is the text.
    pub(super) fn made_from_title(&self, attribute: &str) -> Option<Result<String, Untranslated>> {
        let rows: Vec<&TitleRow> = self.scope.title_rows.iter().filter(|row| row.names.iter().any(|n| n == attribute)).collect();
        rows.iter().any(|row| row.converted.contains_key(attribute)).then(|| {
            let functions: Result<Vec<Option<String>>, Untranslated> =
                rows.iter().map(|row| row.converted.get(attribute).map(|function| self.title_function(function)).transpose()).collect();
            let functions = functions?;
            if let Some((Some(first), rest)) = functions.split_first()
                && rest.iter().all(|f| f.as_ref() == Some(first))
            {
                return Ok(format!("from_title {first}"));
            }
            // The row that matches decides.
            let arm = |(row, function): (&&TitleRow, &Option<String>)| match function {
                Some(function) => format!("{} => text.then {function}", row.pattern),
                None => format!("{} => text", row.pattern),
            };
            let arms: Vec<String> = rows.iter().zip(&functions).map(arm).collect();
            Ok(format!("from_title {{ |text| match title(self) {{\n{}\n}} }}", arms.join("\n")))
        })
    }

    /// Translates a function of a title pattern, which Ruby calls before the resource exists.
    fn title_function(&self, (file, at): &(usize, ByteRange)) -> Result<String, Untranslated> {
        let unknown = || Untranslated { text: "this function of a title pattern is not supported".to_owned(), at: at.clone() };
        let is_function = |node: &Node<'p>| node.as_lambda_node().is_some() || node.as_block_node().is_some();
        let node = self.loaded.node(*file, at, &is_function).filter(|_| *file == self.file).ok_or_else(unknown)?;
        let (params, body) = match (node.as_lambda_node(), node.as_block_node()) {
            (Some(lambda), _) => (ruby::lambda_params(&lambda), ruby::statements(lambda.body())),
            (None, Some(block)) => (ruby::block_params(&block), ruby::statements(block.body())),
            (None, None) => return Err(unknown()),
        };
        let params = params.filter(|params| params.len() == 1).ok_or_else(unknown)?;
        let owner = AttributeContext { outside: true, class: self.type_class, is_module: true, ..AttributeContext::default() };
        self.code(Some(&owner), &params, body)
    }

    /// Translates the title patterns.
    pub(super) fn title_patterns(&self, at: &impl Located) -> Fragment {
        if self.scope.has_unread_patterns {
            // The namevars themselves are marked as not known.
            let namevar = self.scope.namevar.as_deref().unwrap_or("name");
            return self.ready(at, "validate", format!("title_patterns {{\n/(.*)/s => {namevar}\n}}"));
        }
        // `refused_titles` refuses the titles of a pattern that sets anything but attributes.
        let is_known = |row: &TitleRow| row.names.iter().all(|n| self.scope.attributes.contains(n));
        let written = |row: &TitleRow| match row.names.is_empty() || !is_known(row) {
            true => format!("{} => nil", row.ungrouped),
            false => format!("{} => {}", row.pattern, row.names.join(", ")),
        };
        let rows: Vec<String> = self.scope.title_rows.iter().map(written).collect();
        self.coded(at, "validate", Ok(format!("title_patterns {{\n{}\n}}", rows.join("\n"))))
    }
}

impl<'p> Reader<'_, '_, 'p> {
    /// Returns whether the type has a namevar, or title patterns of its own.
    pub(super) fn has_namevar(&self) -> bool {
        self.scope.namevar.is_some() || self.scope.params.contains("name") || self.scope.has_patterns
    }

    /// Returns the check that refuses titles for which Puppet sets an unknown attribute.
    pub(super) fn refused_titles(&self, pieces: &[Fragment], at: &ByteRange) -> Vec<Fragment> {
        let is_declared = !pieces.iter().any(is_unread);
        let unknown = |row: &TitleRow| row.names.iter().find(|name| !self.scope.attributes.contains(*name)).cloned();
        let rows = &self.scope.title_rows;
        let Some(last) = rows.iter().rposition(|row| unknown(row).is_some()) else { return Vec::new() };
        // The first row that matches decides.
        let arm = |row: &TitleRow| match unknown(row) {
            Some(unknown) => {
                let why = quote(&format!("a title pattern sets `{unknown}`, which is not an attribute"));
                format!("{} => {}", row.ungrouped, if is_declared { format!("fail {why}") } else { format!("untranslated({why})") })
            }
            None => format!("{} => nil", row.ungrouped),
        };
        let arms: Vec<String> = rows.iter().take(last + 1).map(arm).collect();
        let text = format!("validate {{ match title(self) {{\n{}\n_ => nil\n}} }}", arms.join("\n"));
        vec![Fragment { at: at.clone(), kept: "validate".into(), text, ..Fragment::default() }]
    }

    /// Returns why Puppet refuses resources of the type: it has no namevar, or a title pattern sets an unknown attribute. Unread parts of
    /// the type may declare either.
    pub(super) fn refused(&self, items: &[ClassItem<'p>], pieces: &[Fragment], at: &ByteRange) -> Option<TypeRefusal> {
        if pieces.iter().any(is_unread) || self.scope.has_unread_patterns {
            return None;
        }
        let unknown = self.scope.title_rows.iter().flat_map(|row| &row.names).find(|name| !self.scope.attributes.contains(*name));
        if let Some(unknown) = unknown {
            let patterns = items.iter().rfind(|i| i.is("def self") && i.method().as_deref() == Some("title_patterns"));
            let (at, file) = patterns.map_or_else(|| (at.clone(), 0), |i| (i.at.clone(), i.file));
            return Some(unknown_title_attribute(unknown, at, file));
        }
        (!self.has_namevar()).then(|| TypeRefusal {
            at: at.clone(),
            file: 0,
            reason: "it has no namevar, so that no title is accepted".to_owned(),
            help: "declare one: `newparam(:name, namevar: true)`",
            is_left_out: self.scope.attributes.contains("name"),
        })
    }
}

/// Returns whether a part of a type is left in Ruby, which may declare attributes.
fn is_unread(piece: &Fragment) -> bool {
    piece.residue.is_some() && !piece.kept.is_empty()
}

/// Returns the directives of a type without a namevar, all of whose resources Puppet rejects, because no pattern matches their
/// titles.
pub(super) fn no_namevar(at: ByteRange) -> [Fragment; 2] {
    let pattern = "# In Puppet this type has no namevar, and every title is refused.\ntitle_patterns {\n/([^\\s\\S])/ => name\n}";
    let piece = |text: &str| Fragment { at: at.clone(), text: text.to_owned(), kept: "validate".into(), ..Fragment::default() };
    [piece("newparam name"), piece(pattern)]
}
