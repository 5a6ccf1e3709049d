//! Writes the text of a file and records the origin of each part.

use super::block::Untranslated;
use super::provider::ProviderDraft;
use super::ruby::{self, ByteRange};
use super::settle::TypeDraft;
use super::type_decl::{Fragment, TypeDeclaration};
use rtype_lang::source::Source;
use rtype_lang::syntax::quote;
use std::sync::Arc;

/// The location of a piece in the text.
pub struct Mark {
    /// Its byte range.
    pub range: ByteRange,
    /// The path of indices to it.
    pub path: Vec<usize>,
}

/// Writes a file.
pub struct Writer {
    /// The text.
    pub text: String,
    /// The location of each piece.
    pub marks: Vec<Mark>,
}

impl Writer {
    pub fn new() -> Writer {
        Writer { text: String::new(), marks: Vec::new() }
    }

    pub fn file(&mut self, draft: &TypeDraft) {
        let own = draft.type_found.as_ref().map_or(0, |f| f.before.len() + f.body.len());
        for (i, provider) in draft.providers.iter().enumerate() {
            self.platform(provider, own + i);
        }
        if let Some(found) = &draft.type_found {
            self.type_found(&draft.texts, found);
        }
        for (i, provider) in draft.providers.iter().enumerate() {
            self.provider(provider, own + i);
        }
        for (source, reason) in &draft.wrong {
            let file = source.name().rsplit('/').next().unwrap_or_default().replace('\n', " ");
            self.text.push_str(&format!("# Left out: `{file}`: {}\n", reason.text));
        }
    }

    fn type_found(&mut self, texts: &[Arc<Source>], found: &TypeDeclaration) {
        self.pieces(texts, &found.before, |i| vec![i]);
        let refresh = if found.self_refresh { ", self_refresh: true" } else { "" };
        self.text.push_str(&format!("\ntype {}{refresh} {{\n", found.name));
        self.pieces(texts, &found.body, |i| vec![found.before.len() + i]);
        self.text.push_str("}\n");
    }

    /// Writes the platform features that a provider uses.
    fn platform(&mut self, provider: &ProviderDraft, place: usize) {
        for (text, child) in &provider.before {
            if provider.piece.children.get(*child).is_some_and(|c| c.residue.is_none()) && !self.text.contains(text.as_str()) {
                let start = self.text.len();
                self.text.push_str(&format!("{text}\n"));
                self.marks.push(Mark { range: start..self.text.len(), path: vec![place, *child] });
            }
        }
    }

    fn provider(&mut self, provider: &ProviderDraft, place: usize) {
        let start = self.text.len();
        self.text.push('\n');
        for reason in &provider.left {
            self.text.push_str(&format!("# Left out: {}\n", reason.text.replace('\n', " ")));
        }
        for note in &provider.notes {
            self.text.push_str(&format!("# {note}\n"));
        }
        self.text.push_str(&format!("{} {{\n", provider.head()));
        self.pieces(std::slice::from_ref(&provider.source), &provider.piece.children, |i| vec![place, i]);
        self.text.push_str("}\n");
        self.marks.push(Mark { range: start..self.text.len(), path: vec![place] });
    }

    /// Writes the pieces of a body; multi-line ones are separated by empty lines.
    fn pieces(&mut self, texts: &[Arc<Source>], pieces: &[Fragment], path: impl Fn(usize) -> Vec<usize>) {
        let is_large = |p: &Fragment| {
            let is_attribute = matches!(p.text.split(' ').next(), Some("newparam" | "newproperty"));
            is_attribute || !p.children.is_empty() || p.text.contains('\n') || p.residue.is_some()
        };
        let mut after_large = false;
        for (i, piece) in pieces.iter().enumerate() {
            if i > 0 && (after_large || is_large(piece)) {
                self.text.push('\n');
            }
            after_large = is_large(piece);
            self.piece(texts, piece, path(i));
        }
    }

    fn piece(&mut self, texts: &[Arc<Source>], piece: &Fragment, path: Vec<usize>) {
        let start = self.text.len();
        if let Some(reason) = &piece.residue {
            self.left(texts, piece, reason);
        } else {
            self.text.push_str(&piece.text);
            if !piece.children.is_empty() {
                self.text.push_str(" {\n");
                for (i, child) in piece.children.iter().enumerate() {
                    self.piece(texts, child, path.iter().copied().chain([i]).collect());
                }
                self.text.push('}');
            }
            self.text.push('\n');
        }
        self.marks.push(Mark { range: start..self.text.len(), path });
    }

    fn left(&mut self, texts: &[Arc<Source>], piece: &Fragment, reason: &Untranslated) {
        let ruby = texts.get(piece.file).and_then(|t| t.text().get(piece.at.clone())).unwrap_or_default();
        if piece.kept.is_empty() {
            // The type does not depend on it.
            let line = ruby::first_line(ruby);
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
