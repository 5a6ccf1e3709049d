//! Writes declared types as type files, and reports what is left in Ruby.

mod attribute;
pub(crate) mod directive;
mod kinds;
mod titles;
pub(crate) mod words;

use crate::lower::{FunctionKey, FunctionTable, OF_TYPE, TypeNames, UntranslatedCode, UntranslatedReason};
use crate::providers::{self, ProvidedType, ProviderCalls};
use crate::puppet::{DeclaredBlock, DeclaredDirective, FailedFile, LoadedFile, PuppetType};
use crate::{Imported, Residue};
use rtype_lang::source::{Source, Span};
use rtype_lang::syntax::ast::{Ast, Body, Comment, ConstDecl, Declaration, Directive, Expr, Item, Opt};
use rtype_lang::syntax::print_types;
use rtype_ruby::hir::{CommentPlacement, Element, FileId, Hir, HirBody, HirKind, SourceComment, SourceRange};
use rtype_ruby::run::{ClassKey, CodeSource, PlainValue};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A type file that is being written.
pub(crate) struct TypeReport<'a, 'f> {
    file: &'a mut LoadedFile<'f>,
    source: &'a Source,
    names: TypeNames,
    left: Vec<(String, UntranslatedCode)>,
    /// The file with the type; the code of other files is not shown.
    main: FileId,
    /// The features of the type.
    features: BTreeSet<String>,
    /// Required features that the type does not declare, so that no provider has them.
    undeclared: BTreeSet<String>,
    functions: FunctionTable,
    /// The functions that directives call.
    calls: BTreeSet<FunctionKey>,
    /// The constants that directives read.
    constants: BTreeSet<String>,
    /// The code that is shown as Ruby.
    shown: Vec<SourceRange>,
    /// The attributes that code which is left in Ruby may change.
    unknown: BTreeSet<String>,
    /// The attributes that title patterns set, with the functions that convert their texts.
    titled: BTreeMap<String, Option<CodeSource>>,
    blocks: usize,
    translated: usize,
}

/// Returns the type file of a declared type.
///
/// # Errors
/// Returns why titles of the type cannot be read.
pub fn write_type(
    file: &mut LoadedFile<'_>,
    source: &Arc<Source>,
    declared: &PuppetType,
    failed: &[FailedFile],
) -> Result<Imported, UntranslatedReason> {
    check_namevars(file, declared)?;
    let mut names = names_of(file, declared);
    names.main = (declared.origin.file, source.base());
    let attributes = names.attributes.len();
    let features = declared.directives.iter().filter(|d| d.word == "feature").filter_map(|d| d.first_word().map(str::to_owned)).collect();
    let rows = if has_patterns(declared) { titles::title_rows(file, declared) } else { None };
    let titled = rows.and_then(|rows| titles::conversions(&rows)).unwrap_or_default();
    let mut report = TypeReport {
        file,
        source,
        names,
        left: Vec::new(),
        main: declared.origin.file,
        features,
        undeclared: BTreeSet::new(),
        functions: FunctionTable::default(),
        calls: BTreeSet::new(),
        constants: BTreeSet::new(),
        shown: Vec::new(),
        unknown: BTreeSet::new(),
        titled,
        blocks: 0,
        translated: 0,
    };
    let directives = report.type_directives(declared);
    let place = report.names.span(declared.origin);
    let comments = comments(report.file, source, declared.origin, &report.shown);
    let constants = report.functions.constants(&report.constants);
    let (features, calls) = (features_of(declared), ProviderCalls::of(&directives));
    let owner = ProvidedType::new(&declared.name, report.names.clone(), Some(features), calls);
    let mut providers = providers::write_all(report.file, &owner, source, |_| true);
    failed.iter().for_each(|file| providers.add_failed(&declared.name, file));
    let (left, blocks, translated) = (report.left, report.blocks, report.translated);
    let options = match declared.self_refresh {
        true => vec![Opt {
            name: crate::lower::build::ident("self_refresh"),
            value: crate::lower::build::expr(rtype_lang::syntax::ast::ExprKind::Bool(true)),
        }],
        false => Vec::new(),
    };
    let declaration = Declaration {
        name: crate::lower::build::ident(&declared.name),
        params: Vec::new(),
        options,
        body: Body { directives, span: place },
        span: place,
    };
    let mut items: Vec<Item> = constants.into_iter().map(|(name, value)| Item::Const(constant(&name, value, place))).collect();
    items.extend(providers.before.into_iter().map(|item| placed(item, place)));
    items.push(Item::Type(declaration));
    items.extend(providers.items);
    let ast = Ast { items, comments, ..Ast::default() };
    let text = print_types(&ast, source);
    let of_providers = providers.left.into_iter().map(|left| Residue { span: left.span, reason: left.reason, kind: left.kept });
    let residues = left
        .into_iter()
        .map(|(kind, left)| Residue { span: span_of(source, declared.origin, left.origin), reason: left.reason.to_string(), kind })
        .chain(of_providers)
        .collect();
    Ok(Imported {
        path: declared.name.clone(),
        type_name: Some(declared.name.clone()),
        raw: text.clone(),
        text,
        pieces: Vec::new(),
        needs: providers.needs,
        attributes,
        blocks: blocks + providers.blocks.0,
        translated: translated + providers.blocks.1,
        residues,
    })
}

/// Returns whether a method lists the title patterns.
fn has_patterns(declared: &PuppetType) -> bool {
    declared.methods.iter().any(directive::is_title_patterns)
}

/// Checks that the parameters that identify a resource are known.
fn check_namevars(file: &mut LoadedFile<'_>, declared: &PuppetType) -> Result<(), UntranslatedReason> {
    let is_namevar = |directive: &&DeclaredDirective| {
        let is_named = directive.word == "newparam" && directive.first_word() == Some("name");
        let is_true = directive.is_set("namevar") || is_named;
        let says = directive.class.is_some_and(|class| file.directives_of(class).iter().any(|d| d.word == "isnamevar"));
        directive.word == "newproperty" && is_true || directive.word == "newparam" && (is_true || says)
    };
    let namevars: Vec<_> = declared.directives.iter().filter(is_namevar).collect();
    if namevars.iter().any(|namevar| namevar.is_conditional) {
        return Err(UntranslatedReason::Conditional("the namevar".into()));
    }
    // Code that is not known may declare further attributes.
    if let Some(unknown) = declared.directives.iter().find(|directive| directive.word == "method_missing") {
        return Err(UntranslatedReason::Directive(unknown.first_word().unwrap_or_default().to_owned()));
    }
    if declared
        .directives
        .iter()
        .any(|d| matches!(d.word.as_str(), "newparam" | "newproperty") && (d.first_word().is_none() || d.class.is_none()))
    {
        return Err(UntranslatedReason::Computed("the name of an attribute".into()));
    }
    let has_params = declared.directives.iter().any(|directive| directive.word == "newparam");
    if let Some(why) = file.run.unknown_methods(declared.class).filter(|_| !has_params) {
        return Err(UntranslatedReason::Computed(format!("what the type builds upon ({why})")));
    }
    if namevars.len() > 1 && has_patterns(declared) && titles::title_rows(file, declared).is_none() {
        return Err(UntranslatedReason::Directive("title_patterns".into()));
    }
    if namevars.is_empty() && has_params {
        return Err(UntranslatedReason::Computed("the namevar".into()));
    }
    Ok(())
}

/// Returns the features of a type with their methods.
fn features_of(declared: &PuppetType) -> Vec<(String, Vec<String>)> {
    let features = declared.directives.iter().filter(|directive| directive.word == "feature");
    let methods = |directive: &DeclaredDirective| directive.option("methods").and_then(words::all).unwrap_or_default();
    features.filter_map(|feature| Some((feature.first_word()?.to_owned(), methods(feature)))).collect()
}

/// Returns the type file of a provider of a type that is imported elsewhere.
pub fn write_providers(file: &mut LoadedFile<'_>, source: &Arc<Source>, owner: &ProvidedType) -> Vec<Imported> {
    let main = file.main();
    let names: Vec<String> =
        file.providers_of(&owner.name).into_iter().filter(|p| p.call.origin.file == main).map(|provider| provider.name).collect();
    let mut all = Vec::new();
    for name in names {
        let written = providers::write_all(file, owner, source, |provider| provider.name == name);
        let mut items = written.before;
        items.extend(written.items);
        let text = print_types(&Ast { items, ..Ast::default() }, source);
        all.push(Imported {
            path: format!("providers/{}/{name}", owner.name),
            type_name: None,
            raw: text.clone(),
            text,
            pieces: Vec::new(),
            needs: written.needs,
            attributes: 0,
            blocks: written.blocks.0,
            translated: written.blocks.1,
            residues: written.left.into_iter().map(|left| Residue { span: left.span, reason: left.reason, kind: left.kept }).collect(),
        });
    }
    all
}

/// Returns the span of code, or of the declaration if another file contains the code.
fn span_of(source: &Source, declared: SourceRange, origin: SourceRange) -> Span {
    let origin = if origin.file == declared.file { origin } else { declared };
    source.span_of(origin.start as usize..origin.end as usize)
}

/// Collects the names that blocks may refer to.
fn names_of(file: &mut LoadedFile<'_>, declared: &PuppetType) -> TypeNames {
    let mut names = TypeNames::default();
    for method in declared.methods.iter().filter(|method| !method.of_class) {
        names.methods.entry(method.name.to_string()).or_insert_with(|| method.code.clone());
    }
    names.classes.insert(OF_TYPE.to_owned(), declared.class);
    let identifies = |d: &&DeclaredDirective| {
        let says = |class| file.directives_of(class).iter().any(|inside| inside.word == "isnamevar");
        d.word.starts_with("newp") && (d.is_set("namevar") || d.word == "newparam" && d.class.is_some_and(says))
    };
    let namevars: Vec<_> = declared.directives.iter().filter(identifies).collect();
    names.namevar = match namevars.as_slice() {
        [only] if !only.is_conditional => only.first_word().map(str::to_owned),
        _ => None,
    };
    for directive in &declared.directives {
        let word = match directive.word.as_str() {
            "newparam" | "newproperty" | "ensurable" => directive.first_word(),
            _ => None,
        };
        let Some(word) = word else { continue };
        names.attributes.insert(word.to_owned());
        if directive.word == "newparam" && directive.option("boolean").is_some() {
            names.booleans.insert(word.to_owned());
        }
        if directive.option("array_matching").and_then(PlainValue::word) == Some("all") {
            names.lists.insert(word.to_owned());
        }
        if let Some(class) = directive.class {
            names.classes.insert(word.to_owned(), class);
            let inside = file.directives_of(class);
            let is_false = |value: &PlainValue| value.word() == Some("false") || *value == PlainValue::Bool(false);
            let lists_false = |d: &DeclaredDirective| d.word.starts_with("newvalue") && d.arguments.iter().any(is_false);
            if inside.iter().any(lists_false) && !inside.iter().any(|d| d.word == "munge") {
                names.falsy.insert(word.to_owned());
            }
            let mut own = BTreeMap::new();
            for method in file.methods_of(class).into_iter().filter(|method| !method.of_class) {
                own.entry(method.name.to_string()).or_insert(method.code);
            }
            names.of_attributes.insert(word.to_owned(), own);
        }
    }
    let closed = names.classes.iter().filter(|(_, class)| is_closed(file, **class)).map(|(name, _)| name.clone()).collect();
    names.closed = closed;
    let mut files: Vec<Arc<Hir>> = Vec::new();
    let of_attributes = names.of_attributes.values().flat_map(BTreeMap::values);
    for code in names.methods.values().chain(of_attributes).flatten() {
        if !files.iter().any(|known| Arc::ptr_eq(known, &code.hir)) {
            files.push(Arc::clone(&code.hir));
        }
    }
    names.selects_errors = file.hir.as_ref().is_some_and(selects_errors) || files.iter().any(|hir| selects_errors(hir));
    names
}

/// Returns whether all methods of a class are known.
fn is_closed(file: &mut LoadedFile<'_>, class: ClassKey) -> bool {
    let base = file.base_of(class).unwrap_or_default();
    let is_listed = matches!(base.as_str(), "Puppet::Type" | "Puppet::Parameter" | "Puppet::Property" | "Puppet::Property::Ensure");
    is_listed && file.run.unknown_methods(class).is_none() && !file.methods_of(class).iter().any(|method| &*method.name == "method_missing")
}

/// Returns a constant, which is written after the comments before the type.
fn constant(name: &str, value: Expr, place: Span) -> ConstDecl {
    ConstDecl { name: crate::lower::build::ident(name), value, span: beginning(place) }
}

/// Returns a platform feature, which is written after the comments before the type.
fn placed(item: Item, place: Span) -> Item {
    match item {
        Item::Feature(mut feature) => {
            feature.test.span = beginning(place);
            Item::Feature(feature)
        }
        item => item,
    }
}

fn beginning(place: Span) -> Span {
    if place.is_none() { place } else { Span::new(place.start, place.start + 1) }
}

/// Returns whether a comment is for Ruby, or cannot be written in the language.
fn is_directive(text: &str, at: u32) -> bool {
    let is_magic = ["frozen_string_literal:", "coding:", "warn_indent:"].iter().any(|word| text.contains(word));
    text.starts_with('=') || is_magic && at < 200 || text.starts_with("#!")
}

/// Returns whether code of a file handles only errors of some classes.
fn selects_errors(hir: &Hir) -> bool {
    let selects = |body: &HirBody| {
        let is_all = |class: &Element| matches!(class, Element::Plain(id) if matches!(body.kind(*id), HirKind::Constant(path) if &*path.name == "StandardError"));
        body.exprs.iter().any(|(_, expr)| match &expr.kind {
            HirKind::Begin(begin) => begin.rescues.iter().any(|rescue| !rescue.classes.iter().all(is_all)),
            _ => false,
        })
    };
    hir.bodies.iter().any(|(_, body)| selects(body))
}

/// Returns the comments of the file from the end of the type before to the end of this one, without those in code that is shown as Ruby,
/// and those that only Ruby reads.
pub(crate) fn comments(file: &LoadedFile<'_>, source: &Source, declared: SourceRange, shown: &[SourceRange]) -> Vec<Comment> {
    let Some(hir) = &file.hir else { return Vec::new() };
    let types: Vec<SourceRange> = file.declared_types().into_iter().filter(|other| other.file == declared.file).collect();
    let begins = types.iter().filter(|other| other.end <= declared.start).map(|other| other.end).max().unwrap_or(0);
    let is_last = !types.iter().any(|other| other.start > declared.start);
    let is_here = |comment: &&SourceComment| {
        let at = comment.origin.start;
        let is_shown = shown.iter().any(|range| range.start <= at && at < range.end);
        begins <= at && (is_last || at < declared.end) && !is_shown && !is_directive(&comment.text, at)
    };
    let comment = |comment: &SourceComment| Comment {
        span: source.span_of(comment.origin.start as usize..comment.origin.end as usize),
        own_line: comment.placement == CommentPlacement::Before,
    };
    hir.comments.iter().filter(is_here).map(comment).collect()
}

impl TypeReport<'_, '_> {
    /// Returns the directive in place of code that is left in Ruby.
    fn untranslated(&mut self, block: &str, target: Option<&str>, left: UntranslatedCode) -> Directive {
        use crate::lower::build;
        let is_here = left.origin.file == self.main;
        let range = left.origin.start as usize..left.origin.end as usize;
        let ruby = self.source.text().get(range).filter(|_| is_here).unwrap_or_default().to_owned();
        let mut args = vec![words::word(block)];
        args.extend(target.map(words::word));
        args.push(build::string(&left.reason.to_string()));
        if is_here {
            self.shown.push(left.origin);
        }
        self.left.push((block.to_owned(), left));
        let ruby = (!ruby.is_empty()).then(|| Opt { name: build::ident("ruby"), value: words::text(&ruby) });
        let span = self.names.span(self.shown.last().copied().filter(|_| is_here).unwrap_or_default());
        Directive { args, options: ruby.into_iter().collect(), span, ..directive::new("untranslated") }
    }

    /// Returns whether a declaration has code.
    fn count_block(&mut self, directive: &DeclaredDirective) {
        if !matches!(directive.block, DeclaredBlock::None) {
            self.blocks += 1;
        }
    }
}
