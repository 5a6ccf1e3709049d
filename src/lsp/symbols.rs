//! The outline of a file, and its folding ranges.

use super::index::{File, Name, Tree};
use super::mentions::Mentions;
use super::navigation::files;
use super::table::attribute_name;
use super::tokens::{TypeTokenKind as TokenKind, tokens};
use super::workspace::{Answer, Workspace};
use lsp_types::{
    DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, FoldingRange, FoldingRangeKind, FoldingRangeParams, OneOf, SymbolKind,
    WorkspaceSymbol, WorkspaceSymbolParams, WorkspaceSymbolResponse,
};
use rtype_lang::lower::NameKind;
use rtype_lang::source::{Source, Span};
use rtype_lang::syntax::ast::{Body, Declaration, Directive, DirectiveBlock, Expr, ExprKind, Ident, Item, PuppetValue, Statement};
use std::collections::HashMap;
use std::sync::Arc;

/// `textDocument/documentSymbol`
pub(super) fn document(w: &mut Workspace, params: DocumentSymbolParams) -> Answer<Option<DocumentSymbolResponse>> {
    let file = w.file(&params.text_document)?;
    let tree = Symbols { w, source: &file.source };
    let symbols = match &file.tree {
        Tree::Types(ast) => ast.items.iter().filter_map(|i| tree.item(i)).collect(),
        Tree::Manifest(manifest) => manifest.statements.iter().flat_map(|s| tree.statement(s)).collect(),
    };
    Ok(Some(DocumentSymbolResponse::Nested(symbols)))
}

struct Symbols<'a> {
    w: &'a Workspace,
    source: &'a Source,
}

impl Symbols<'_> {
    fn one(&self, name: &str, detail: &str, kind: SymbolKind, whole: Span, at: Span, children: Vec<DocumentSymbol>) -> DocumentSymbol {
        // Clients reject symbols without a name, and names outside of their symbol.
        let at = if whole.contains(at) { at } else { Span::new(whole.start, whole.start) };
        #[allow(deprecated, reason = "the field must be there")]
        DocumentSymbol {
            name: if name.is_empty() { "?".to_owned() } else { name.to_owned() },
            detail: Some(detail.to_owned()),
            kind,
            tags: None,
            deprecated: None,
            range: self.w.encoding.range(self.source, whole),
            selection_range: self.w.encoding.range(self.source, at),
            children: (!children.is_empty()).then_some(children),
        }
    }

    fn named(&self, ident: &Ident, detail: &str, kind: SymbolKind, whole: Span) -> DocumentSymbol {
        self.one(&ident.name, detail, kind, whole, ident.span, Vec::new())
    }

    fn item(&self, item: &Item) -> Option<DocumentSymbol> {
        Some(match item {
            Item::Type(d) => self.declaration(d, "type", SymbolKind::CLASS),
            Item::Provider(d) => self.declaration(d, "provider", SymbolKind::MODULE),
            Item::Kind(d) => self.declaration(d, "kind", SymbolKind::INTERFACE),
            Item::Mixin(d) => self.declaration(d, "mixin", SymbolKind::INTERFACE),
            Item::Fn(f) => self.named(&f.name, "fn", SymbolKind::FUNCTION, f.span),
            Item::Const(c) => self.named(&c.name, "const", SymbolKind::CONSTANT, c.span),
            Item::Feature(f) => self.named(&f.test.name, "feature", SymbolKind::EVENT, f.test.span.to(f.test.name.span)),
            Item::TypeAlias(a) => self.named(&a.name, "typealias", SymbolKind::TYPE_PARAMETER, a.span),
            Item::Test(t) => self.one(&t.title.plain().unwrap_or_default(), "test", SymbolKind::METHOD, t.span, t.title.span, Vec::new()),
            Item::Use(_) | Item::Error(_) => return None,
        })
    }

    fn declaration(&self, d: &Declaration, detail: &str, kind: SymbolKind) -> DocumentSymbol {
        self.one(&d.name.name, detail, kind, d.span, d.name.span, self.body(&d.body))
    }

    fn body(&self, body: &Body) -> Vec<DocumentSymbol> {
        body.directives.iter().filter_map(|d| self.directive(d)).collect()
    }

    fn directive(&self, d: &Directive) -> Option<DocumentSymbol> {
        let word = |e: &Expr| match &e.kind {
            ExprKind::Word(w) | ExprKind::Symbol(w) | ExprKind::Name(w) => Some((w.clone(), e.span)),
            ExprKind::Str(s) => s.plain().map(|w| (w, e.span)),
            _ => None,
        };
        let first = d.args.first().and_then(word);
        Some(match (d.name.name.as_str(), first, &d.block) {
            ("newproperty", Some((name, at)), _) => self.one(&name, "property", SymbolKind::PROPERTY, d.span, at, Vec::new()),
            ("newparam", Some((name, at)), _) => self.one(&name, "param", SymbolKind::FIELD, d.span, at, Vec::new()),
            ("ensurable", _, _) => self.one("ensure", "property", SymbolKind::PROPERTY, d.span, d.name.span, Vec::new()),
            ("feature", Some((name, at)), _) => self.one(&name, "feature", SymbolKind::EVENT, d.span, at, Vec::new()),
            (_, _, Some(DirectiveBlock::Fn(f))) => self.named(&f.name, "fn", SymbolKind::FUNCTION, d.span),
            (_, _, Some(DirectiveBlock::Const(c))) => self.named(&c.name, "const", SymbolKind::CONSTANT, d.span),
            _ => return None,
        })
    }

    fn statement(&self, statement: &Statement) -> Vec<DocumentSymbol> {
        let Statement::Resource(r) = statement else { return Vec::new() };
        let one = |body: &rtype_lang::syntax::ast::ResourceBody| {
            let title = match &body.title.kind {
                PuppetValue::Str(text) => text.to_string(),
                _ => self.source.slice(body.title.span).to_owned(),
            };
            self.one(&title, &r.type_name.name, SymbolKind::OBJECT, body.span, body.title.span, Vec::new())
        };
        r.bodies.iter().map(one).collect()
    }
}

/// `workspace/symbol`
pub(super) fn workspace(w: &mut Workspace, params: WorkspaceSymbolParams) -> Answer<Option<WorkspaceSymbolResponse>> {
    let query = params.query.to_lowercase();
    let table = w.program(&Mentions::default());
    let (owners, mut out) = (table.owners(), Vec::new());
    let has_names = |source: &&Arc<Source>| !table.names().within(source.span()).is_empty();
    let sources: HashMap<&str, &Source> = table.types.sources.iter().filter(has_names).map(|source| (source.name(), &**source)).collect();
    for file in files(w, &Mentions::default()) {
        let Some(source) = sources.get(file.source.name()).copied() else { continue };
        let text = |span: Span| table.types.sources.slice(span).to_owned();
        let defined = table.definitions(source.span(), &owners).into_iter().filter_map(|(name, of)| {
            let written =
                if name.kind == NameKind::Attribute { attribute_name(&table.types.sources, name.span).to_owned() } else { text(name.span) };
            Some((written, text(of), symbol_kind(name.kind)?, name.span))
        });
        let resources = file.occurrences.iter().filter(|o| o.declares).filter_map(|o| match &o.name {
            Name::Resource(of, title) => {
                Some((title.to_string(), of.to_string(), SymbolKind::OBJECT, source.span_of(file.source.range(o.span))))
            }
            _ => None,
        });
        for (name, of, kind, span) in defined.chain(resources).filter(|(name, ..)| name.to_lowercase().contains(&query)) {
            let Some(location) = w.location(source, span) else { continue };
            let container_name = Some(of).filter(|of| !of.is_empty());
            out.push(WorkspaceSymbol { name, kind, tags: None, container_name, location: OneOf::Left(location), data: None });
        }
    }
    Ok(Some(WorkspaceSymbolResponse::Nested(out)))
}

fn symbol_kind(kind: NameKind) -> Option<SymbolKind> {
    Some(match kind {
        NameKind::Type => SymbolKind::CLASS,
        NameKind::Provider => SymbolKind::MODULE,
        NameKind::Attribute => SymbolKind::PROPERTY,
        NameKind::Feature | NameKind::Platform => SymbolKind::EVENT,
        NameKind::Kind | NameKind::Mixin => SymbolKind::INTERFACE,
        NameKind::Function => SymbolKind::FUNCTION,
        NameKind::Constant => SymbolKind::CONSTANT,
        NameKind::DataType => SymbolKind::TYPE_PARAMETER,
        NameKind::Value | NameKind::Method | NameKind::Local | NameKind::File | NameKind::Resource => return None,
    })
}

/// `textDocument/foldingRange`
pub(super) fn folding(w: &mut Workspace, params: FoldingRangeParams) -> Answer<Option<Vec<FoldingRange>>> {
    let file = w.file(&params.text_document)?;
    Ok(Some(folds(&file)))
}

/// Returns the folding ranges: brackets and comments over several lines.
fn folds(file: &File) -> Vec<FoldingRange> {
    let text = file.source.text();
    let line = |byte: usize| file.source.line(file.source.base() + byte as u32).saturating_sub(1);
    let (mut open, mut out): (Vec<usize>, Vec<FoldingRange>) = (Vec::new(), Vec::new());
    let mut comment: Option<(u32, u32)> = None;
    let mut fold = |start: u32, end: u32, kind: FoldingRangeKind| {
        if start < end {
            out.push(FoldingRange { start_line: start, end_line: end, kind: Some(kind), ..FoldingRange::default() });
        }
    };
    for token in tokens(text) {
        let at = line(token.range.start);
        match token.kind {
            TokenKind::Comment => {
                comment = match comment {
                    Some((start, end)) if end + 1 == at => Some((start, at)),
                    Some((start, end)) => {
                        fold(start, end, FoldingRangeKind::Comment);
                        Some((at, at))
                    }
                    None => Some((at, at)),
                };
            }
            TokenKind::Open(_) => open.push(token.range.start),
            // The line with the closing bracket stays visible.
            TokenKind::Close(_) => {
                if let Some(start) = open.pop() {
                    fold(line(start), at.saturating_sub(1), FoldingRangeKind::Region);
                }
            }
            TokenKind::Str(true) => fold(at, line(token.range.end), FoldingRangeKind::Region),
            _ => {}
        }
    }
    if let Some((start, end)) = comment {
        fold(start, end, FoldingRangeKind::Comment);
    }
    out.sort_by_key(|f| (f.start_line, f.end_line));
    out.dedup_by_key(|f| f.start_line);
    out
}
