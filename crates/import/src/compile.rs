//! The importer over the tree and the interpreter of Ruby. Only tests call it.

use crate::providers::ProvidedType;
use crate::puppet::FailedFile;
use crate::{Imported, RubyFiles, api, puppet, report};
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::source::{Source, Span};
use rtype_lang::syntax::ast::{Ast, Body, Declaration, Directive, DirectiveBlock, Item};
use std::sync::Arc;

/// Imports the types in a text. Returns them with all diagnostics.
pub fn import(source: &Arc<Source>, files: &mut dyn RubyFiles) -> (Vec<Imported>, Vec<Diagnostic>) {
    let mut loaded = match puppet::load(source, files) {
        Ok(loaded) => loaded,
        Err(error) => {
            let d = Diagnostic::new(Code::NotImported, source.span_of(0..0), format!("this file cannot be imported: {error}"));
            return (Vec::new(), vec![d]);
        }
    };
    let (mut types, mut diagnostics) = (Vec::new(), Vec::new());
    let declared = std::mem::take(&mut loaded.types);
    let mut failed: Vec<Vec<FailedFile>> = Vec::new();
    for of in &declared {
        failed.push(Vec::new());
        match loaded.load_providers(&of.name) {
            Ok(files) => failed.last_mut().into_iter().for_each(|all| all.extend(files.iter().cloned())),
            Err(error) => {
                let message = format!("the providers of `{}` cannot be imported: {error}", of.name);
                diagnostics.push(Diagnostic::new(Code::NotImported, source.span_of(0..0), message));
            }
        }
    }
    let others = loaded.types_with_providers().into_iter().filter(|name| !declared.iter().any(|of| of.name == *name));
    for owner in others.collect::<Vec<_>>() {
        let mut owner = ProvidedType::of_library(&owner).unwrap_or_else(|| ProvidedType::of_file(&mut loaded, &owner));
        owner.names.main = (loaded.main(), source.base());
        types.extend(report::write_providers(&mut loaded, source, &owner));
    }
    for (declared, failed) in declared.into_iter().zip(failed) {
        match report::write_type(&mut loaded, source, &declared, &failed) {
            Ok(made) => types.push(made),
            Err(reason) => {
                let message = format!("type `{}` cannot be imported: {reason}", declared.name);
                diagnostics.push(Diagnostic::new(Code::NotImported, source.span_of(0..0), message));
            }
        }
    }
    for declared in loaded.api_types() {
        match api::write_type(&mut loaded, source, &declared) {
            Ok(made) => types.push(made),
            Err(reason) => {
                let span = source.span_of(declared.origin.start as usize..declared.origin.end as usize);
                diagnostics.push(Diagnostic::new(Code::NotImported, span, format!("this type cannot be imported: {reason}")));
            }
        }
    }
    if types.is_empty() && diagnostics.is_empty() {
        let d = Diagnostic::new(Code::NothingToCheck, source.span_of(0..0), "no type of Puppet is declared in this file");
        diagnostics.push(d.help("types begin with `Puppet::Type.newtype(:name) do`, or with `Puppet::ResourceApi.register_type(`"));
    }
    (types, diagnostics)
}

/// Returns the directives of the types of a file without layout, in the usual forms: path, tree and span of each directive.
pub fn canonical(ast: &Ast) -> Vec<(String, String, Span)> {
    let mut all = Vec::new();
    for item in &ast.items {
        match item {
            Item::Type(declared) => directives(&declared.name.name, &declared.body, &mut all),
            Item::Provider(declared) => {
                let path = format!("provider {}", declared.name.name);
                let head = Item::Provider(Declaration { body: Body::default(), ..declared.clone() });
                all.push((path.clone(), tree_of_item(head), declared.span));
                directives(&path, &declared.body, &mut all);
            }
            Item::Feature(feature) => {
                let mut feature = feature.clone();
                feature.test.body = crate::idiom::rewrite_result(feature.test.body);
                let span = feature.test.span;
                all.push((format!("feature {}", feature.test.name.name), tree_of_item(Item::Feature(feature)), span));
            }
            _ => {}
        }
    }
    all
}

fn tree_of_item(item: Item) -> String {
    rtype_lang::syntax::tree(&Ast { items: vec![item], ..Ast::default() })
}

fn directives(path: &str, body: &Body, all: &mut Vec<(String, String, Span)>) {
    for directive in &body.directives {
        let mut own = directive.clone();
        let mut name = format!("{path}/{}", directive.name.name);
        match &mut own.block {
            Some(DirectiveBlock::Code(code)) => code.body = crate::idiom::rewrite_block(std::mem::take(&mut code.body)),
            Some(DirectiveBlock::Body(inner)) => {
                name = format!("{name} {}", directive.args.first().map(|arg| rtype_lang::debug::structure(&arg.kind)).unwrap_or_default());
                directives(&name, inner, all);
                own.block = None;
            }
            _ => {}
        }
        if matches!(directive.name.name.as_str(), "has_feature" | "has_features") {
            for feature in std::mem::take(&mut own.args) {
                let claim = Directive { name: crate::lower::build::ident("has_feature"), args: vec![feature], ..own.clone() };
                all.push((format!("{path}/has_feature"), tree_of(claim), directive.span));
            }
            continue;
        }
        all.push((name, tree_of(own), directive.span));
    }
}

fn tree_of(directive: Directive) -> String {
    let body = Body { directives: vec![directive], ..Body::default() };
    let name = crate::lower::build::ident("x");
    tree_of_item(Item::Type(Declaration { name, params: Vec::new(), options: Vec::new(), body, span: Default::default() }))
}
