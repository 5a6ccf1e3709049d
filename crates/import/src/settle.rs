//! Loads the translated text and reverts pieces with errors until there are none.

use super::block::Untranslated;
use super::budget::{Budget, ROUND};
use super::parts::{MAX_PARTS, left_call, part_around, parts_of};
use super::provider::{ProviderDraft, in_order, leave_replaced};
use super::ruby::{self, ByteRange};
use super::type_decl::{Fragment, TypeDeclaration};
use super::unchecked::leave_writes;
use super::undefined::is_of_puppet;
use super::write::{Mark, Writer};
use super::{Imported, Residue, TranslatedPart};
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::library::{TypeLoader, TypeSet};
use rtype_lang::source::{Source, Span};
use rtype_lang::syntax::ast::Ast;
use rtype_lang::syntax::format_parsed;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// A virtual directory of types.
const TYPES: &str = "<types>";

/// Attributes that have a meaning for Puppet's resources: those of a type with an attribute of the name fail, or have no provider.
const REPLACED: &[&str] = &["before", "notify", "provider", "require", "subscribe"];

/// Maximum number of attempts to revert errors.
const MAX_ROUNDS: usize = 64;

/// A file that is being created.
pub struct TypeDraft {
    /// Location of its name.
    pub at: ByteRange,
    /// The Ruby texts that its pieces refer to, by index.
    pub texts: Vec<Arc<Source>>,
    /// The type; `None` for a provider of another type.
    pub type_found: Option<TypeDeclaration>,
    /// The type file if only a provider is imported, unless the type is part of the standard library.
    pub of_text: Option<String>,
    /// Its providers, in order.
    pub providers: Vec<ProviderDraft>,
    /// Files of providers that cannot be parsed.
    pub wrong: Vec<(Arc<Source>, Untranslated)>,
}

/// Why a type or a provider cannot be imported at all.
#[derive(Clone, Debug, PartialEq)]
pub enum NotImportable {
    /// Its name, or that of its type, is not a name in rtype.
    InvalidName {
        /// `type` or `provider`.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// The budget of the import is exhausted.
    BudgetExhausted,
    /// The translated text is too large.
    TooLarge,
    /// An attribute replaces `provider` or a relationship metaparameter.
    ReplacesAttribute(String),
    /// The translated text has an error in a part that cannot be left untranslated.
    Refused(Diagnostic),
    /// The translated text cannot be formatted.
    NotFormatted,
    /// Errors remain after the maximum number of attempts.
    TooManyErrors,
}

impl std::fmt::Display for NotImportable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotImportable::InvalidName { kind, name } => write!(f, "invalid {kind} name `{name}`"),
            NotImportable::ReplacesAttribute(name) => write!(f, "its attribute `{name}` replaces an attribute that Puppet needs"),
            NotImportable::BudgetExhausted => f.write_str("it takes too long"),
            NotImportable::TooLarge => f.write_str("it is too large"),
            NotImportable::Refused(error) => f.write_str(&error.message),
            NotImportable::NotFormatted => f.write_str("it cannot be formatted"),
            NotImportable::TooManyErrors => f.write_str("too much of it is not supported in rtype"),
        }
    }
}

impl std::error::Error for NotImportable {}

/// Creates the file for a draft; `needed` are the files of types that its providers inherit from.
pub fn settle(mut draft: TypeDraft, needed: &[String], width: Option<usize>, budget: &Budget) -> Result<Imported, NotImportable> {
    draft.check_names()?;
    leave_replaced(&mut draft.providers);
    let blocks = draft.pieces().map(blocks).sum();
    let before = draft.types(needed)?;
    for _ in 0..MAX_ROUNDS {
        in_order(&mut draft.providers);
        if let Some(found) = &mut draft.type_found {
            leave_writes(&mut found.body, &found.before);
        }
        let mut out = Writer::new();
        out.file(&draft);
        budget.spend(ROUND).and_then(|()| budget.spend_bytes(out.text.len())).ok_or(NotImportable::BudgetExhausted)?;
        let mut types = before.fork();
        let path = draft.path();
        let text = types.sources.add(format!("{path}.rtype"), &out.text).map_err(|_| NotImportable::TooLarge)?;
        let loaded = types.load_text(&text, draft.of_text.as_ref().map(|_| Path::new(TYPES)));
        let wrong = types.diagnostics().into_iter().find(Diagnostic::is_error);
        let Some(wrong) = wrong else {
            // An inherited implementation must behave like the class.
            let inherits = |p: &&mut ProviderDraft| {
                let provider = loaded.types.iter().find_map(|t| Some((t, t.providers.get(p.name.as_str())?)));
                !p.replaced.is_empty() && p.parent.is_some() && provider.is_some_and(|(of, provider)| of.worker(provider).is_some())
            };
            if let Some(provider) = draft.providers.iter_mut().find(inherits) {
                provider.drop_parent();
                continue;
            }
            if draft.drops_unused() {
                continue;
            }
            let refused = |found: Vec<_>| found.into_iter().next().map_or(NotImportable::NotFormatted, NotImportable::Refused);
            let text = match width {
                Some(width) => format_parsed(&text, loaded.ast(), width).map_err(refused)?,
                None => out.text.clone(),
            };
            return Ok(draft.done(path, text, out, blocks));
        };
        let at = wrong.span().start.checked_sub(text.base()).map(|at| at as usize);
        // The innermost enclosing piece that has not been reverted yet.
        // The property would replace the metaparameter, which rtype reads.
        if wrong.code == Code::ReservedAttribute {
            return Err(NotImportable::Refused(wrong));
        }
        match out.marks.iter().filter(|m| at.is_some_and(|at| m.range.contains(&at))).min_by_key(|m| m.range.len()) {
            Some(mark) if draft.leave_part(mark, &text, loaded.ast(), &wrong) => {}
            Some(mark) => draft.revert(&mark.path, wrong)?,
            // It is in the file of another type.
            None => draft.drop_foreign(wrong)?,
        }
    }
    Err(NotImportable::TooManyErrors)
}

impl TypeDraft {
    fn check_names(&self) -> Result<(), NotImportable> {
        let named = self.type_found.iter().map(|f| (&f.name, "type"));
        let of = self.providers.iter().flat_map(|p| [(&p.name, "provider"), (&p.of, "type")]);
        if let Some((name, kind)) = named.chain(of).find(|(name, _)| !ruby::is_word(name)) {
            return Err(NotImportable::InvalidName { kind, name: name.clone() });
        }
        let replaces = |name: &&&str| self.type_found.as_ref().is_some_and(|found| found.scope.attributes.contains(**name));
        match REPLACED.iter().find(replaces) {
            Some(name) => Err(NotImportable::ReplacesAttribute((*name).to_owned())),
            None => Ok(()),
        }
    }

    /// Returns a set with the types that the file needs: that of a provider that is imported alone, and `needed`.
    fn types(&self, needed: &[String]) -> Result<TypeSet, NotImportable> {
        // The prelude is parsed once.
        static PARSED: LazyLock<TypeSet> = LazyLock::new(|| {
            let mut types = TypeSet::default();
            if let Ok(empty) = types.sources.add("<empty>", "") {
                types.load_text(&empty, None);
            }
            types
        });
        let mut types = match (&self.of_text, self.providers.first()) {
            (Some(text), Some(provider)) => {
                let file = Path::new(TYPES).join(format!("{}.rtype", provider.of));
                TypeLoader::default().with_unsaved(Arc::new(HashMap::from([(file, Arc::from(text.as_str()))]))).load()
            }
            _ => PARSED.fork(),
        };
        for (i, text) in needed.iter().enumerate() {
            let text = types.sources.add(format!("<needed/{i}>"), text.as_str()).map_err(|_| NotImportable::TooLarge)?;
            types.load_text(&text, None);
        }
        Ok(types)
    }

    /// Leaves out the untranslated methods of the type and its attributes that nothing in the type calls: only providers, which are Ruby,
    /// can. Returns whether there was one.
    fn drops_unused(&mut self) -> bool {
        let texts = self.texts.clone();
        let found = self.type_found.iter_mut().flat_map(|f| &mut f.body);
        found.filter_map(|piece| drop_unused(piece, &texts).then_some(())).count() > 0
    }

    /// Returns the path of the file.
    fn path(&self) -> String {
        match (&self.type_found, self.providers.first()) {
            (Some(found), _) => found.name.clone(),
            (None, Some(provider)) => format!("providers/{}/{}", provider.of, provider.name),
            (None, None) => String::new(),
        }
    }

    fn pieces(&self) -> impl Iterator<Item = &Fragment> {
        let own = self.type_found.iter().flat_map(|f| f.before.iter().chain(&f.body));
        own.chain(self.providers.iter().map(|p| &p.piece))
    }

    /// Returns the piece at a path: pieces before the type, those of the type, then providers.
    fn piece(&mut self, path: &[usize]) -> Option<&mut Fragment> {
        let (first, rest) = path.split_first()?;
        let own = self.type_found.iter_mut().flat_map(|f| f.before.iter_mut().chain(&mut f.body));
        let mut piece = own.chain(self.providers.iter_mut().map(|p| &mut p.piece)).nth(*first)?;
        for step in rest {
            piece = piece.children.get_mut(*step)?;
        }
        Some(piece)
    }

    /// Leaves the part of a piece around an error in Ruby. Returns whether that was possible.
    fn leave_part(&mut self, mark: &Mark, text: &Source, ast: &Ast, error: &Diagnostic) -> bool {
        let Some(piece) = self.piece(&mark.path) else { return false };
        let part = part_around(ast, error.span()).and_then(|part| {
            let range = text.range(part);
            Some(range.start.checked_sub(mark.range.start)?..range.end.checked_sub(mark.range.start)?)
        });
        let Some(part) =
            part.filter(|part| piece.residue.is_none() && piece.parts.len() < MAX_PARTS && piece.text.get(part.clone()).is_some())
        else {
            return false;
        };
        let left = Untranslated { text: error.message.clone(), at: piece.at.clone() };
        let mut with_part = piece.text.clone();
        with_part.replace_range(part, &left_call(&left));
        let all = piece.parts.iter().cloned().chain([left]).collect();
        match parts_of(&with_part, all) {
            Ok(parts) => (piece.text, piece.parts) = (with_part, parts),
            Err(_) => return false,
        }
        true
    }

    /// Reverts a piece to its Ruby source because of an error in its translation.
    fn revert(&mut self, path: &[usize], error: Diagnostic) -> Result<(), NotImportable> {
        let own = self.type_found.as_ref().map_or(0, |f| f.before.len() + f.body.len());
        // A provider is never dropped as a whole; its parent is removed instead.
        if let [only] = path
            && let Some(provider) = only.checked_sub(own).and_then(|i| self.providers.get_mut(i))
        {
            if provider.parent.take().is_none() {
                return Err(NotImportable::Refused(error));
            }
            let at = provider.piece.at.clone();
            provider.left.push(Untranslated { text: format!("what it builds upon is left out: {}", error.message), at });
            return Ok(());
        }
        let Some(piece) = self.piece(path).filter(|piece| piece.residue.is_none()) else { return Err(NotImportable::Refused(error)) };
        let left = Untranslated { text: error.message, at: piece.at.clone() };
        // Without its options, an attribute is still declared.
        let mut words = piece.text.splitn(3, [' ', ',']);
        if let (Some(word @ ("newparam" | "newproperty")), Some(name), Some(_)) = (words.next(), words.next(), words.next()) {
            let (at, file) = (piece.at.clone(), piece.file);
            piece.text = format!("{word} {name}");
            let part = Fragment { residue: Some(left), kept: "validate".to_owned(), at, file, ..Fragment::default() };
            piece.children.insert(0, part);
            return Ok(());
        }
        piece.residue = Some(left);
        Ok(())
    }

    /// Drops the inheritance from another type, whose file has an error.
    fn drop_foreign(&mut self, error: Diagnostic) -> Result<(), NotImportable> {
        let Some(provider) = self.providers.iter_mut().find(|p| p.foreign().is_some()) else { return Err(NotImportable::Refused(error)) };
        provider.parent = None;
        let at = provider.piece.at.clone();
        provider.left.push(Untranslated { text: format!("what it builds upon is left out: {}", error.message), at });
        Ok(())
    }

    /// Returns the pieces of the text and the whole text, with their Ruby origin.
    fn parts(&mut self, out: &Writer) -> Vec<TranslatedPart> {
        let own = self.type_found.as_ref().map_or(0, |f| f.before.len() + f.body.len());
        let mut parts = Vec::new();
        if let Some(text) = self.texts.first() {
            parts.push(TranslatedPart { range: 0..out.text.len(), origin: text.span_of(self.at.clone()), depth: 0 });
        }
        for mark in &out.marks {
            let first = mark.path.first().copied().unwrap_or_default();
            let of_provider = first.checked_sub(own).and_then(|i| self.providers.get(i)).map(|p| Arc::clone(&p.source));
            let Some(piece) = self.piece(&mark.path) else { continue };
            let (at, file) = (piece.at.clone(), piece.file);
            let Some(text) = of_provider.as_ref().or_else(|| self.texts.get(file)) else { continue };
            parts.push(TranslatedPart { range: mark.range.clone(), origin: text.span_of(at), depth: mark.path.len() });
        }
        parts
    }

    fn done(mut self, path: String, text: String, out: Writer, blocks: usize) -> Imported {
        let pieces = self.parts(&out);
        let (mut spans, mut left) = (Vec::new(), 0);
        let mut take = |texts: &[Arc<Source>], piece: &Fragment| {
            let mut all = Vec::new();
            residues(piece, &mut all);
            for (piece, reason, blocks) in all {
                left += blocks;
                let span = texts.get(piece.file).map_or(Span::NONE, |t| t.span_of(reason.at));
                let kind = piece.kept.split(' ').next().filter(|k| !k.is_empty()).unwrap_or("helper").to_owned();
                // The same statement may leave several blocks of an attribute.
                if !spans.last().is_some_and(|last: &Residue| last.span == span && last.reason == reason.text) {
                    spans.push(Residue { span, reason: reason.text, kind });
                }
            }
        };
        self.type_found.iter().flat_map(|f| f.before.iter().chain(&f.body)).for_each(|p| take(&self.texts, p));
        self.providers.iter().for_each(|p| take(std::slice::from_ref(&p.source), &p.piece));
        let of_providers = self.providers.iter().flat_map(|p| p.left.iter().map(|r| (&p.source, r)));
        let texts = of_providers.chain(self.wrong.iter().map(|(source, r)| (source, r)));
        spans.extend(texts.map(|(source, r)| Residue {
            span: source.span_of(r.at.clone()),
            reason: r.text.clone(),
            kind: "provider".to_owned(),
        }));
        let needs = self.providers.iter().filter_map(|p| p.foreign().map(str::to_owned)).collect();
        Imported {
            path,
            attributes: self.type_found.as_ref().map_or(0, |f| f.scope.attributes.len()),
            type_name: self.type_found.map(|f| f.name),
            text,
            raw: out.text,
            pieces,
            needs,
            blocks,
            translated: blocks - left,
            residues: spans,
        }
    }
}

fn drop_unused(piece: &mut Fragment, texts: &[Arc<Source>]) -> bool {
    if piece.residue.is_none() && piece.parts.is_empty() {
        return piece.children.iter_mut().filter_map(|child| drop_unused(child, texts).then_some(())).count() > 0;
    }
    let code = texts.get(piece.file).and_then(|text| text.text().get(piece.at.clone())).filter(|_| piece.kept.is_empty());
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_name = |c: char| is_word(c) || matches!(c, '?' | '!');
    let method = code.and_then(|code| code.strip_prefix("def ")).and_then(|rest| rest.split(|c| !is_name(c)).next()).unwrap_or_default();
    if method.is_empty() || is_of_puppet(method) {
        return false;
    }
    let bare = method.trim_end_matches(['?', '!']);
    let calls = |line: &str| !line.trim_start().starts_with('#') && line.split(|c| !is_word(c)).any(|word| word == bare);
    if texts.iter().flat_map(|text| text.text().lines()).filter(|line| calls(line)).count() != 1 {
        return false;
    }
    piece.text = format!("# Left out: `def {method}`, which nothing in the type calls.");
    piece.residue = None;
    piece.parts.clear();
    true
}

fn blocks(piece: &Fragment) -> usize {
    piece.blocks + piece.children.iter().map(blocks).sum::<usize>()
}

/// Collects the untranslated parts of a piece, each with its number of blocks.
fn residues<'f>(piece: &'f Fragment, out: &mut Vec<(&'f Fragment, Untranslated, usize)>) {
    match &piece.residue {
        Some(reason) => out.push((piece, reason.clone(), blocks(piece))),
        None => {
            let counts = std::iter::once(piece.blocks).chain(std::iter::repeat(0));
            out.extend(piece.parts.iter().zip(counts).map(|(reason, blocks)| (piece, reason.clone(), blocks)));
            piece.children.iter().for_each(|c| residues(c, out));
        }
    }
}
