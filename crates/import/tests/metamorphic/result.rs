//! What the importer makes of a file, without names, comments, layout, and text that it quotes from Ruby.

use crate::module_path::{ModulePath, Transformed};
use crate::normal::normalize;
use crate::transformations::Transformation;
use crate::{ImportFunction, Subject};
use rtype_import::Imported;
use rtype_lang::source::{Source, SourceMap};
use rtype_lang::syntax::ast::{Directive, Expr, ExprKind};
use rtype_lang::syntax::visit::{Visit, walk, walk_directive, walk_expr};
use rtype_lang::syntax::{parse_types, print_types, tree};
use std::collections::HashMap;
use std::ops::Range;

/// The result of an import.
#[derive(Debug, Default, PartialEq)]
pub struct Result {
    /// The imported types and providers as syntax trees, which say what differs without the layout.
    trees: Vec<String>,
    /// The same as lines, for people.
    lines: Vec<String>,
    blocks: usize,
    translated: usize,
}

/// Imports a file. Returns `None` if the transformation changes none of the files that are read.
pub fn import(
    import: ImportFunction,
    subject: &Subject,
    transformation: Option<&Transformation>,
    transformed: &Transformed,
) -> Option<Result> {
    let sources = SourceMap::default();
    let mut path = ModulePath::new(&sources, &subject.modules, transformation, transformed);
    let source = path.file(&subject.file)?;
    if transformation.is_some() && std::fs::read_to_string(&subject.file).is_ok_and(|text| text == source.text()) {
        return None;
    }
    let types = import(&source, &mut path);
    let names = path.names.into_inner();
    let mut result = Result::default();
    for one in &types {
        result.add(one, &names);
    }
    Some(result)
}

impl Result {
    fn add(&mut self, one: &Imported, names: &HashMap<String, String>) {
        let sources = SourceMap::default();
        let text = with_names(&one.raw, names);
        let quoting = sources.add("quoting", text).unwrap();
        let text = without_quotes(&quoting);
        let source = sources.add("bare", text).unwrap();
        let mut ast = parse_types(&source).0;
        ast.comments.clear();
        normalize(&mut ast);
        self.trees.push(tree(&ast));
        self.lines.push(one.path.clone());
        let printed = print_types(&ast, &source);
        self.lines.extend(printed.lines().map(str::trim).filter(|l| !l.is_empty()).map(str::to_owned));
        self.blocks += one.blocks;
        self.translated += one.translated;
    }

    /// Describes how another result differs; `None` if it does not.
    pub fn difference(&self, other: &Result) -> Option<String> {
        if self.trees == other.trees && (self.blocks, self.translated) == (other.blocks, other.translated) {
            return None;
        }
        let counts = match other.translated.cmp(&self.translated) {
            _ if self.blocks != other.blocks => format!("{} → {} blocks", self.blocks, other.blocks),
            std::cmp::Ordering::Equal => "changed".to_owned(),
            _ => format!("{} → {} of {} blocks translated", self.translated, other.translated, self.blocks),
        };
        let at = self.lines.iter().zip(&other.lines).position(|(one, other)| one != other);
        let at = at.unwrap_or(self.lines.len().min(other.lines.len()));
        let line = |of: &Result| of.lines.get(at).map_or("nothing", String::as_str).chars().take(100).collect::<String>();
        Some(format!("{counts}: `{}` → `{}`", line(self), line(other)))
    }
}

/// Replaces the new names of locals by the original ones.
fn with_names(text: &str, names: &HashMap<String, String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("qz") {
        let length = 2 + rest[start + 2..].bytes().take_while(u8::is_ascii_digit).count() + 1;
        let name = rest.get(start..start + length).unwrap_or_default();
        out.push_str(&rest[..start]);
        match names.get(name) {
            Some(original) => {
                out.push_str(original);
                rest = &rest[start + length..];
            }
            None => {
                out.push_str("qz");
                rest = &rest[start + 2..];
            }
        }
    }
    out + rest
}

/// Removes the text that the importer quotes from Ruby: code that is left in Ruby, and code in reasons.
fn without_quotes(source: &Source) -> String {
    struct Quotes<'s>(&'s Source, Vec<Range<usize>>);
    impl Quotes<'_> {
        fn add(&mut self, expr: &Expr) {
            let from = self.0.span().start;
            self.1.push((expr.span.start - from) as usize..(expr.span.end - from) as usize);
        }
    }
    impl<'a> Visit<'a> for Quotes<'_> {
        fn directive(&mut self, directive: &'a Directive) {
            if directive.name.name == "untranslated" {
                directive.args.iter().skip(1).chain(directive.options.iter().map(|o| &o.value)).for_each(|e| self.add(e));
            } else {
                walk_directive(self, directive);
            }
        }
        fn expr(&mut self, expr: &'a Expr) {
            match &expr.kind {
                ExprKind::Call(call) if call.name.name == "untranslated" => call.args.iter().for_each(|e| self.add(e)),
                _ => walk_expr(self, expr),
            }
        }
    }
    let ast = parse_types(source).0;
    let mut quotes = Quotes(source, Vec::new());
    walk(&mut quotes, &ast);
    let (mut out, mut end) = (String::new(), 0);
    quotes.1.sort_by_key(|r| r.start);
    for range in quotes.1 {
        out.push_str(&source.text()[end..range.start]);
        out.push_str("\"\"");
        end = range.end;
    }
    out + &source.text()[end..]
}
