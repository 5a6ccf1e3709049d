//! Writes declared types as type files, and reports what is left in Ruby.

mod attribute;
mod directive;
mod words;

use crate::lower::{TypeNames, UntranslatedCode, UntranslatedReason};
use crate::puppet::{DeclaredBlock, DeclaredDirective, LoadedFile, PuppetType};
use crate::{Imported, Residue};
use rtype_lang::source::{Source, SourceMap, Span};
use rtype_lang::syntax::ast::{Ast, Body, Declaration, Directive, Item, Opt};
use rtype_lang::syntax::print_types;
use rtype_ruby::hir::{FileId, SourceRange};
use rtype_ruby::run::PlainValue;
use std::collections::BTreeSet;
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
    blocks: usize,
    translated: usize,
}

/// Returns the type file of a declared type.
///
/// # Errors
/// Returns why titles of the type cannot be read.
pub fn write_type(file: &mut LoadedFile<'_>, source: &Arc<Source>, declared: &PuppetType) -> Result<Imported, UntranslatedReason> {
    check_namevars(file, declared)?;
    let names = names_of(file, declared);
    let attributes = names.attributes.len();
    let features = declared.directives.iter().filter(|d| d.word == "feature").filter_map(|d| d.first_word().map(str::to_owned)).collect();
    let mut report = TypeReport {
        file,
        source,
        names,
        left: Vec::new(),
        main: declared.origin.file,
        features,
        undeclared: BTreeSet::new(),
        blocks: 0,
        translated: 0,
    };
    let directives = report.type_directives(declared);
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
        body: Body { directives, span: Span::NONE },
        span: Span::NONE,
    };
    let text = print(declaration);
    let residues = left
        .into_iter()
        .map(|(kind, left)| Residue { span: span_of(source, declared.origin, left.origin), reason: left.reason.to_string(), kind })
        .collect();
    Ok(Imported {
        path: declared.name.clone(),
        type_name: Some(declared.name.clone()),
        raw: text.clone(),
        text,
        pieces: Vec::new(),
        needs: Vec::new(),
        attributes,
        blocks,
        translated,
        residues,
    })
}

/// Checks that the parameters that identify a resource are known.
fn check_namevars(file: &mut LoadedFile<'_>, declared: &PuppetType) -> Result<(), UntranslatedReason> {
    let is_namevar = |directive: &&DeclaredDirective| {
        let is_true = directive.option("namevar") == Some(&PlainValue::Bool(true)) || directive.first_word() == Some("name");
        let says = directive.class.is_some_and(|class| file.directives_of(class).iter().any(|d| d.word == "isnamevar"));
        matches!(directive.word.as_str(), "newparam" | "newproperty") && (is_true || says)
    };
    let namevars: Vec<_> = declared.directives.iter().filter(is_namevar).collect();
    if namevars.iter().any(|namevar| namevar.word == "newproperty") {
        return Err(UntranslatedReason::Form("a property as namevar"));
    }
    if namevars.iter().any(|namevar| namevar.is_conditional) {
        return Err(UntranslatedReason::Conditional("the namevar".into()));
    }
    let has_params = declared.directives.iter().any(|directive| directive.word == "newparam");
    let patterns = declared.methods.iter().any(|method| method.of_class && &*method.name == "title_patterns");
    if namevars.len() > 1 && patterns && directive::title_rows(file, declared).is_none() {
        return Err(UntranslatedReason::Directive("title_patterns".into()));
    }
    if namevars.is_empty() && has_params {
        return Err(UntranslatedReason::Computed("the namevar".into()));
    }
    Ok(())
}

fn print(declaration: Declaration) -> String {
    let empty = SourceMap::new().add("<import>", "");
    let ast = Ast { items: vec![Item::Type(declaration)], ..Ast::default() };
    empty.map(|source| print_types(&ast, &source)).unwrap_or_default()
}

/// Returns the span of code, or of the declaration if another file contains the code.
fn span_of(source: &Source, declared: SourceRange, origin: SourceRange) -> Span {
    let origin = if origin.file == declared.file { origin } else { declared };
    source.span_of(origin.start as usize..origin.end as usize)
}

/// Collects the names that blocks may refer to.
fn names_of(file: &mut LoadedFile<'_>, declared: &PuppetType) -> TypeNames {
    let mut names = TypeNames::default();
    names.methods.extend(declared.methods.iter().map(|method| method.name.to_string()));
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
            let inside = file.directives_of(class);
            let is_false = |value: &PlainValue| value.word() == Some("false") || *value == PlainValue::Bool(false);
            let lists_false = |d: &DeclaredDirective| d.word.starts_with("newvalue") && d.arguments.iter().any(is_false);
            if inside.iter().any(lists_false) && !inside.iter().any(|d| d.word == "munge") {
                names.falsy.insert(word.to_owned());
            }
            let own = file.methods_of(class).iter().map(|method| method.name.to_string()).collect();
            names.of_attributes.insert(word.to_owned(), own);
        }
    }
    names
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
        self.left.push((block.to_owned(), left));
        let ruby = (!ruby.is_empty()).then(|| Opt { name: build::ident("ruby"), value: words::text(&ruby) });
        Directive { args, options: ruby.into_iter().collect(), ..directive::new("untranslated") }
    }

    /// Returns whether a declaration has code.
    fn count_block(&mut self, directive: &DeclaredDirective) {
        if !matches!(directive.block, DeclaredBlock::None) {
            self.blocks += 1;
        }
    }
}
