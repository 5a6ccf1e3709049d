//! Writes the types of Puppet's Resource API: `Puppet::ResourceApi.register_type(name: …, attributes: …)`.
//!
//! The library checks declared values by their data types and converts nothing.

mod attribute;
mod canonicalize;
mod data_type;
mod definition;

use crate::lower::build;
use crate::puppet::{DeclaredDirective, LoadedFile};
use crate::report::directive::{coded, new};
use crate::report::{comments, words};
use crate::{Imported, Residue};
use attribute::AttributeWriter;
use data_type::TypePart;
use definition::{ApiAttribute, Behaviour, Definition};
use rtype_lang::source::{Source, Span};
use rtype_lang::syntax::ast::{
    Ast, Body, Condition, Declaration, Directive, DirectiveBlock, Expr, ExprKind, Failing, Item, Opt, TitlePatternRow, TypeAliasDecl,
};
use rtype_lang::syntax::print_types;
use rtype_ruby::hir::SourceRange;
use rtype_ruby::run::PlainValue;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The maximum number of type aliases that one type uses.
const MAX_ALIASES: usize = 64;

/// The relations to other resources.
const RELATIONS: &[&str] = &["autorequire", "autobefore", "autosubscribe", "autonotify"];

/// A type file of a Resource API type that is being written.
struct ApiWriter<'a, 'f> {
    file: &'a mut LoadedFile<'f>,
    source: &'a Source,
    /// The call.
    call: SourceRange,
    definition: Definition,
    /// The entries of the attributes in the source.
    origins: BTreeMap<String, SourceRange>,
    /// The type aliases that data types use, in the order of their declarations; none for an alias without a file.
    aliases: BTreeMap<String, Option<TypePart>>,
    out: Vec<Directive>,
    left: Vec<Residue>,
    blocks: (usize, usize),
}

/// Returns the type file of a call of `register_type`.
///
/// # Errors
/// Returns why Puppet or the importer refuses the definition.
pub(crate) fn write_type(file: &mut LoadedFile<'_>, source: &Arc<Source>, call: &DeclaredDirective) -> Result<Imported, String> {
    let definition = Definition::read(call)?;
    let origins = file.hir.as_ref().map(|hir| definition::origins(hir, call.origin)).unwrap_or_default();
    let mut writer = ApiWriter {
        origins,
        file,
        source,
        call: call.origin,
        definition,
        aliases: BTreeMap::new(),
        out: Vec::new(),
        left: Vec::new(),
        blocks: (0, 0),
    };
    writer.write();
    let name = writer.definition.name.clone();
    let place = source.span_of(call.origin.start as usize..call.origin.end as usize);
    let mut items = writer.alias_items();
    items.push(Item::Type(Declaration {
        name: build::ident(&name),
        params: Vec::new(),
        options: Vec::new(),
        body: Body { directives: writer.out, span: place },
        span: place,
    }));
    let comments = comments(writer.file, source, call.origin, &[]);
    let text = print_types(&Ast { items, comments, ..Ast::default() }, source);
    Ok(Imported {
        path: name.clone(),
        type_name: Some(name),
        raw: text.clone(),
        text,
        pieces: Vec::new(),
        needs: Vec::new(),
        attributes: writer.definition.attributes.len(),
        blocks: writer.blocks.0,
        translated: writer.blocks.1,
        residues: writer.left,
    })
}

impl ApiWriter<'_, '_> {
    fn write(&mut self) {
        if let Some(text) = self.definition.doc.clone() {
            self.out.push(Directive { args: vec![words::description(&text)], ..new("desc") });
        }
        if self.definition.has_feature("remote_resource") {
            self.out.push(Directive { args: vec![words::word("device")], ..new("apply_to") });
        }
        let attributes = self.definition.attributes.clone();
        for attribute in &attributes {
            self.attribute(attribute);
        }
        if attributes.iter().any(|attribute| attribute.name == "name") {
            // The library replaces the title by the attribute.
            self.out.push(coded("title", build::closure(Vec::new(), vec![build::attribute("name")])));
        }
        self.relations();
        self.title_patterns();
        self.required(&attributes);
        if self.definition.has_feature("canonicalize") {
            self.canonicalize();
        }
    }

    fn attribute(&mut self, attribute: &ApiAttribute) {
        let data_type = data_type::parse(&attribute.data_type);
        for alias in data_type.iter().flat_map(TypePart::aliases) {
            self.read_alias(alias, MAX_ALIASES);
        }
        let meaning = |name: &str| self.aliases.get(name).cloned().flatten();
        let known = data_type.as_ref().and_then(|data_type| data_type.data_type(&meaning));
        let missing = data_type.iter().flat_map(TypePart::aliases).find(|alias| meaning(alias).is_none()).map(str::to_owned);
        let expr = data_type.filter(|_| known.is_some()).map(|data_type| data_type.expr());
        let mut written = AttributeWriter::new(&self.definition, attribute, known.as_ref(), expr).write();
        let custom = self.definition.has_feature("custom_insync") && attribute.is_property();
        let reason = match missing {
            _ if known.is_some() => None,
            Some(alias) => Some(format!("the type alias `{alias}` is not in the module path")),
            None => Some(format!("the data type `{}` is not supported", attribute.data_type)),
        };
        let left = reason.map(|reason| ("validate", reason)).into_iter();
        let left = left.chain(custom.then(|| ("insync", "the method `insync?` of the provider is not supported".to_owned())));
        for (block, reason) in left {
            written.children.push(Directive { args: vec![words::word(block), build::string(&reason)], ..new("untranslated") });
            self.note(block, reason);
        }
        self.blocks.0 += written.blocks;
        self.blocks.1 += written.blocks;
        let mut made = written.directive;
        if let Some(origin) = self.origins.get(&attribute.name) {
            made.span = self.source.span_of(origin.start as usize..origin.end as usize);
        }
        made.block = Some(DirectiveBlock::Body(Body { directives: written.children, span: Span::NONE }));
        self.out.push(made);
        self.out.extend(written.after);
    }

    /// Reads the file of a type alias and of the aliases that it uses.
    fn read_alias(&mut self, name: &str, limit: usize) {
        if self.aliases.contains_key(name) || self.aliases.len() >= limit {
            return;
        }
        // An alias that leads to itself stays unknown.
        self.aliases.insert(name.to_owned(), None);
        let found = self.file.type_alias(name).and_then(|text| data_type::parse_alias(text.text(), name));
        let Some(found) = found else { return };
        for inner in found.aliases() {
            self.read_alias(inner, limit);
        }
        self.aliases.insert(name.to_owned(), Some(found));
    }

    fn alias_items(&self) -> Vec<Item> {
        let meaning = |name: &str| self.aliases.get(name).cloned().flatten();
        let known = self.aliases.iter().filter_map(|(name, found)| Some((name, found.as_ref()?)));
        let known = known.filter(|(_, found)| found.data_type(&meaning).is_some());
        let declare = |(name, found): (&String, &TypePart)| {
            let name = build::ident(&name.replace("::", ""));
            Item::TypeAlias(TypeAliasDecl { name, value: found.expr(), span: Span::NONE })
        };
        known.map(declare).collect()
    }

    /// Translates `autorequire: { file: '/etc/motd', user: '$owner' }` and the other relations.
    fn relations(&mut self) {
        for word in RELATIONS {
            for (of, values) in self.definition.relation(word) {
                self.blocks.0 += 1;
                let Some(names) = values.filter(|_| crate::ruby::is_word(&of)) else {
                    self.leave(word, Some(&of), "the names of the resources are computed");
                    continue;
                };
                self.blocks.1 += 1;
                let is_constant = names.iter().all(|name| !name.starts_with('$'));
                let items = names.iter().map(|name| match name.strip_prefix('$') {
                    Some(attribute) => declared_value(attribute),
                    None => build::string(name),
                });
                let list = build::expr(ExprKind::Array(items.collect()));
                let mut made = Directive { args: vec![words::word(&of)], ..new(word) };
                if is_constant {
                    made.args.push(list);
                } else {
                    let flat = build::method(list, "flatten", Vec::new(), None);
                    let closure = build::closure(Vec::new(), vec![build::method(flat, "compact", Vec::new(), None)]);
                    made.block = Some(DirectiveBlock::Code(closure));
                }
                self.out.push(made);
            }
        }
    }

    fn title_patterns(&mut self) {
        let rows: Option<Vec<TitlePatternRow>> = match &self.definition.patterns {
            // Without patterns, the title is the first of several namevars.
            None => {
                let namevars = self.definition.namevars();
                let [first, _, ..] = namevars.as_slice() else { return };
                let flags = rtype_lang::value::Flags { dot_all: true, ..Default::default() };
                Some(vec![row(build::regex("(.*)".into(), flags), &[first.to_string()])])
            }
            Some(patterns) => patterns.as_ref().and_then(|all| {
                let of_pattern = |(source, flags): &(String, rtype_ruby::hir::RegexFlags)| {
                    let names = definition::groups(source);
                    let is_known = names.iter().all(|name| crate::ruby::is_word(name) && self.definition.has_attribute(name));
                    let pattern = PlainValue::Regex(crate::ruby::with_groups(source, names.len()).into(), *flags);
                    is_known.then(|| Some(row(crate::lower::literal_of(&pattern)?, &names)))?
                };
                all.iter().map(of_pattern).collect()
            }),
        };
        self.blocks.0 += 1;
        match rows {
            Some(rows) if rows.is_empty() => {}
            Some(rows) => {
                self.blocks.1 += 1;
                self.out.push(Directive { block: Some(DirectiveBlock::TitlePatterns(rows, Span::NONE)), ..new("title_patterns") });
            }
            None => self.leave("validate", None, "these title patterns are not supported"),
        }
    }

    /// Parameters without `Optional` are required.
    fn required(&mut self, attributes: &[ApiAttribute]) {
        let is_required = |attribute: &&ApiAttribute| {
            let is_optional = matches!(data_type::parse(&attribute.data_type), Some(TypePart::Type(name, _)) if name == "Optional");
            attribute.behaviour == Behaviour::Parameter && !is_optional
        };
        for attribute in attributes.iter().filter(is_required) {
            let message = format!("The following mandatory parameters were not provided:\n    *  {}", attribute.name);
            let test = build::method(declared_value(&attribute.name), "nil?", Vec::new(), None);
            let refusal = refuse(&message, None, Condition { negated: false, test });
            self.out.push(coded("validate", build::closure(Vec::new(), vec![refusal])));
        }
    }

    /// Writes a directive in place of code that is left in Ruby.
    fn leave(&mut self, block: &str, target: Option<&str>, reason: &str) {
        let mut args = vec![words::word(block)];
        args.extend(target.map(words::word));
        args.push(build::string(reason));
        self.out.push(Directive { args, ..new("untranslated") });
        self.note(block, reason.to_owned());
    }

    fn note(&mut self, kind: &str, reason: String) {
        let span = self.source.span_of(self.call.start as usize..self.call.end as usize);
        self.left.push(Residue { span, reason, kind: kind.to_owned() });
    }
}

/// Returns `self[:name]`.
fn declared_value(attribute: &str) -> Expr {
    let name = build::expr(ExprKind::Symbol(attribute.into()));
    build::expr(ExprKind::Index(Box::new(build::expr(ExprKind::SelfRef)), vec![name]))
}

/// Returns `fail "…", at: :attribute if …`.
fn refuse(message: &str, at: Option<&str>, condition: Condition) -> Expr {
    let at = at.map(|attribute| build::expr(ExprKind::Symbol(attribute.into())));
    let failing = Failing { message: build::string(message), at, error: None };
    let failing = build::expr(ExprKind::Fail(Box::new(failing)));
    build::expr(ExprKind::Modified(Box::new(failing), Box::new(condition)))
}

fn row(pattern: Expr, names: &[String]) -> TitlePatternRow {
    TitlePatternRow { pattern, attributes: names.iter().map(|name| build::ident(name)).collect(), span: Span::NONE }
}

fn option(name: &str, value: Expr) -> Opt {
    Opt { name: build::ident(name), value }
}
