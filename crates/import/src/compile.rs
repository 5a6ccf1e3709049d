//! The importer over the tree and the interpreter of Ruby. Only tests call it.

use crate::{Imported, RubyFiles, puppet, report};
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::source::{Source, Span};
use rtype_lang::syntax::ast::{Ast, Body, Directive, DirectiveBlock, Item};
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
    for declared in std::mem::take(&mut loaded.types) {
        match report::write_type(&mut loaded, source, &declared) {
            Ok(made) => types.push(made),
            Err(reason) => {
                let message = format!("type `{}` cannot be imported: {reason}", declared.name);
                diagnostics.push(Diagnostic::new(Code::NotImported, source.span_of(0..0), message));
            }
        }
    }
    (types, diagnostics)
}

/// Returns the directives of the types of a file without layout, in the usual forms: path, tree and span of each directive.
pub fn canonical(ast: &Ast) -> Vec<(String, String, Span)> {
    let mut all = Vec::new();
    for item in &ast.items {
        if let Item::Type(declared) = item {
            directives(&declared.name.name, &declared.body, &mut all);
        }
    }
    all
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
        all.push((name, tree_of(own), directive.span));
    }
}

fn tree_of(directive: Directive) -> String {
    let body = Body { directives: vec![directive], ..Body::default() };
    let name = crate::lower::build::ident("x");
    let declared = rtype_lang::syntax::ast::Declaration { name, params: Vec::new(), options: Vec::new(), body, span: Default::default() };
    rtype_lang::syntax::tree(&Ast { items: vec![Item::Type(declared)], ..Ast::default() })
}
