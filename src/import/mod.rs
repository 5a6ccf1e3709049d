//! Puppet's types, written in Ruby, → type files. The Ruby is parsed, never run.
//!
//! Directives and blocks are translated one by one. The text that results is loaded like any other; what is wrong in it is taken
//! back piece by piece, so that no type comes out that cannot be used. What has no counterpart stays as `untranslated`.

mod attribute;
mod block;
mod calls;
mod expand;
mod files;
mod known;
mod modules;
mod ruby;
mod statement;
mod type_decl;

use crate::diagnostics::{Code, Diagnostic};
use crate::library::Library;
use crate::source::{Source, Span};
use crate::syntax::{Language, format, quote};
use block::Reason;
pub use files::{Files, NoFiles};
use modules::Modules;
use ruby::Place;
use std::sync::Arc;
use type_decl::{Found, Piece};

/// A type that was imported.
#[derive(Clone, Debug)]
pub struct Imported {
    /// Its name.
    pub name: String,
    /// The type file.
    pub text: String,
    /// How many blocks of code the Ruby type has.
    pub blocks: usize,
    /// How many of them were translated.
    pub translated: usize,
    /// What was not translated.
    pub residues: Vec<Residue>,
}

/// Something that was not translated.
#[derive(Clone, Debug)]
pub struct Residue {
    /// Where it stands in the Ruby text.
    pub span: Span,
    /// Why.
    pub reason: String,
}

/// How often a text is tried again without what was wrong in it.
const MAX_ROUNDS: usize = 64;

/// The types in a Ruby text, with lines of `width` columns where that can be, and what is wrong with it.
pub fn import(source: &Arc<Source>, files: &mut dyn Files, width: usize) -> (Vec<Imported>, Vec<Diagnostic>) {
    let parsed = ruby_prism::parse(source.text().as_bytes());
    let span = |place: &Place| source.span_of(place.clone());
    let errors: Vec<Diagnostic> = parsed
        .errors()
        .take(1)
        .map(|e| {
            let message = format!("this is no Ruby: {}", String::from_utf8_lossy(e.message()));
            Diagnostic::new(Code::BadRuby, span(&ruby::at(&e.location())), message).help("`ruby -c` on the file says more")
        })
        .collect();
    if !errors.is_empty() {
        return (Vec::new(), errors);
    }
    let texts = modules::gather(source, files);
    let parsed: Vec<_> = texts.iter().map(|t| ruby_prism::parse(t.text().as_bytes())).collect();
    let found = type_decl::find(&texts, &Modules::new(&texts, &parsed));
    if found.is_empty() {
        let d = Diagnostic::new(Code::BadRuby, source.span_of(0..0), "no type of Puppet is declared in this file");
        return (Vec::new(), vec![d.help("one begins with `Puppet::Type.newtype(:name) do`")]);
    }
    let (mut types, mut diagnostics) = (Vec::new(), Vec::new());
    for found in found {
        let at = span(&found.at);
        match settle(&texts, found, width) {
            Ok(imported) => types.push(imported),
            Err(why) => diagnostics.push(
                Diagnostic::new(Code::BadRuby, at, format!("this type cannot be imported: {why}"))
                    .help("write its type file by hand; `docs/guide.md` shows how"),
            ),
        }
    }
    (types, diagnostics)
}

/// Loads the text and takes back what is wrong in it, until nothing is.
fn settle(texts: &[Arc<Source>], mut found: Found, width: usize) -> Result<Imported, String> {
    let word = ruby::is_word(&found.name);
    if !word {
        return Err(format!("`{}` is no name of a type", found.name));
    }
    let blocks = found.body.iter().chain(&found.before).map(blocks).sum();
    for _ in 0..MAX_ROUNDS {
        let mut out = Writer { texts, text: String::new(), marks: Vec::new() };
        out.file(&found);
        let mut library = Library::default();
        let name = format!("{}.rtype", found.name);
        let text = library.sources.add(&name, &out.text).map_err(|_| "it is too large".to_owned())?;
        library.load_text(&text, None);
        let wrong = library.diagnostics.iter().find(|d| d.is_error());
        let Some(wrong) = wrong else {
            let text = format(&text, Language::Types, width)
                .map_err(|found| found.first().map_or_else(|| "it cannot be laid out".to_owned(), |d| d.message.clone()))?;
            let mut all = Vec::new();
            found.before.iter().chain(&found.body).for_each(|p| residues(p, &mut all));
            let left: usize = all.iter().map(|(_, _, blocks)| blocks).sum();
            let span = |piece: &Piece, at: Place| texts.get(piece.file).map_or(Span::NONE, |t| t.span_of(at));
            let residues = all.into_iter().map(|(p, r, _)| Residue { span: span(p, r.at), reason: r.text }).collect();
            return Ok(Imported { name: found.name, text, blocks, translated: blocks - left, residues });
        };
        let at = wrong.span().start.saturating_sub(text.base()) as usize;
        let message = wrong.message.clone();
        // The innermost piece around it that is not taken back yet.
        let mark = out.marks.iter().filter(|m| m.range.contains(&at)).min_by_key(|m| m.range.len());
        let path = mark.map(|m| m.path.clone()).ok_or(message.clone())?;
        let piece = find(&mut found, &path).ok_or(message.clone())?;
        if piece.residue.is_some() {
            return Err(message);
        }
        piece.residue = Some(Reason { text: message, at: piece.at.clone() });
    }
    Err("too much of it has no counterpart".into())
}

fn blocks(piece: &Piece) -> usize {
    piece.blocks + piece.children.iter().map(blocks).sum::<usize>()
}

/// What is left of a piece, each with the number of blocks that it stands for.
fn residues<'f>(piece: &'f Piece, out: &mut Vec<(&'f Piece, Reason, usize)>) {
    match &piece.residue {
        Some(reason) => out.push((piece, reason.clone(), blocks(piece))),
        None => piece.children.iter().for_each(|c| residues(c, out)),
    }
}

fn find<'f>(found: &'f mut Found, path: &[usize]) -> Option<&'f mut Piece> {
    let (first, rest) = path.split_first()?;
    let before = found.before.len();
    let mut piece = if *first < before { found.before.get_mut(*first)? } else { found.body.get_mut(*first - before)? };
    for step in rest {
        piece = piece.children.get_mut(*step)?;
    }
    Some(piece)
}

/// Where a piece stands in the text.
struct Mark {
    range: Place,
    path: Vec<usize>,
}

struct Writer<'a> {
    texts: &'a [Arc<Source>],
    text: String,
    marks: Vec<Mark>,
}

impl Writer<'_> {
    fn file(&mut self, found: &Found) {
        for (i, piece) in found.before.iter().enumerate() {
            self.piece(piece, vec![i]);
        }
        let refresh = if found.self_refresh { ", self_refresh: true" } else { "" };
        self.text.push_str(&format!("\ntype {}{refresh} {{\n", found.name));
        // What takes several lines stands apart.
        let is_large = |p: &Piece| {
            let is_attribute = matches!(p.text.split(' ').next(), Some("newparam" | "newproperty"));
            is_attribute || !p.children.is_empty() || p.text.contains('\n') || p.residue.is_some()
        };
        let mut after_large = false;
        for (i, piece) in found.body.iter().enumerate() {
            if i > 0 && (after_large || is_large(piece)) {
                self.text.push('\n');
            }
            after_large = is_large(piece);
            self.piece(piece, vec![found.before.len() + i]);
        }
        self.text.push_str("}\n");
    }

    fn piece(&mut self, piece: &Piece, path: Vec<usize>) {
        let start = self.text.len();
        if let Some(reason) = &piece.residue {
            self.left(piece, reason);
        } else {
            self.text.push_str(&piece.text);
            if !piece.children.is_empty() {
                self.text.push_str(" {\n");
                for (i, child) in piece.children.iter().enumerate() {
                    self.piece(child, path.iter().copied().chain([i]).collect());
                }
                self.text.push('}');
            }
            self.text.push('\n');
        }
        self.marks.push(Mark { range: start..self.text.len(), path });
    }

    fn left(&mut self, piece: &Piece, reason: &Reason) {
        let ruby = self.texts.get(piece.file).and_then(|t| t.text().get(piece.at.clone())).unwrap_or_default();
        if piece.kept.is_empty() {
            // Nothing of the type depends on it.
            let line = block::first_line(ruby);
            self.text.push_str(&format!("# Left out: `{line}`: {}\n", reason.text.replace('\n', " ")));
            return;
        }
        let (word, target) = piece.kept.split_once(' ').map_or((piece.kept.as_str(), None), |(w, t)| (w, Some(t)));
        let target = target.map(|t| format!("{t}, ")).unwrap_or_default();
        let tame = !ruby.contains("\"\"\"") && !ruby.ends_with('"') && !ruby.contains('\r');
        let kept = if tame && ruby.contains('\n') { format!("\"\"\"\n{}\n\"\"\"", ruby::dedented_end(ruby)) } else { quote(ruby) };
        self.text.push_str(&format!("untranslated {word}, {target}{}, ruby: {kept}\n", quote(&reason.text)));
    }
}
