//! Semantic tokens, for highlighting.

use super::analysis::Analysis;
use super::documents::Language;
use super::index::{File, Name};
use super::tokens::{TypeTokenKind as Kind, tokens};
use super::workspace::{Answer, Workspace};
use lsp_types::{
    SemanticToken, SemanticTokenModifier, SemanticTokenType as Type, SemanticTokens, SemanticTokensLegend, SemanticTokensParams,
    SemanticTokensResult,
};
use rtype_lang::lower::NameKind;
use std::collections::HashMap;

/// The token types, in the order of their indexes.
const TYPES: &[Type] = &[
    Type::KEYWORD,
    Type::CLASS,
    Type::TYPE,
    Type::PROPERTY,
    Type::PARAMETER,
    Type::VARIABLE,
    Type::FUNCTION,
    Type::METHOD,
    Type::ENUM_MEMBER,
    Type::STRING,
    Type::REGEXP,
    Type::NUMBER,
    Type::COMMENT,
    Type::INTERFACE,
    Type::NAMESPACE,
];

/// The modifier of declarations.
const DECLARATION: u32 = 1;
/// The modifier of keywords and built-in names.
const DEFAULT_LIBRARY: u32 = 2;

/// Keywords of statements.
pub(super) const KEYWORDS: &[&str] = &[
    "let",
    "if",
    "elsif",
    "else",
    "unless",
    "match",
    "try",
    "fail",
    "return",
    "next",
    "true",
    "false",
    "nil",
    "super",
    "override",
    "type",
    "provider",
    "kind",
    "mixin",
    "fn",
    "const",
    "typealias",
    "feature",
    "test",
    "use",
    "undef",
    "default",
];

/// Returns the legend of token types and modifiers.
pub(super) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: TYPES.to_vec(),
        token_modifiers: vec![SemanticTokenModifier::DECLARATION, SemanticTokenModifier::DEFAULT_LIBRARY],
    }
}

/// `textDocument/semanticTokens/full`
pub(super) fn tokens_of(w: &mut Workspace, params: SemanticTokensParams) -> Answer<Option<SemanticTokensResult>> {
    let types = w.document(&params.text_document)?.language == Language::Types;
    let file = w.file(&params.text_document)?;
    let analysis = w.analysis(&params.text_document)?;
    let names = if types { resolved(&analysis) } else { HashMap::new() };
    let data = encoded(w, &file, &pieces(&file, types, names));
    Ok(Some(SemanticTokensResult::Tokens(SemanticTokens { result_id: None, data })))
}

struct HighlightedRange {
    start: usize,
    end: usize,
    kind: Type,
    modifiers: u32,
}

/// The ends, types and modifiers of names, by start.
type NamedRanges = HashMap<usize, (usize, Type, u32)>;

/// Returns the names that the compiler has resolved.
fn resolved(analysis: &Analysis) -> NamedRanges {
    let here = analysis.table.names().iter().filter(|r| analysis.source.span().contains(r.span));
    let named = here.filter_map(|r| {
        let kind = match r.kind {
            NameKind::Type | NameKind::DataType => Type::CLASS,
            NameKind::Provider => Type::NAMESPACE,
            NameKind::Attribute => Type::PROPERTY,
            NameKind::Value => Type::ENUM_MEMBER,
            NameKind::Feature | NameKind::Platform | NameKind::Kind | NameKind::Mixin => Type::INTERFACE,
            NameKind::Method => Type::METHOD,
            NameKind::Function => Type::FUNCTION,
            NameKind::Constant => Type::VARIABLE,
            NameKind::Local => Type::PARAMETER,
            NameKind::File | NameKind::Resource => return None,
        };
        let range = analysis.source.range(r.span);
        Some((range.start, (range.end, kind, if r.defines { DECLARATION } else { 0 })))
    });
    named.collect()
}

/// Returns the highlighted ranges of a file, in order and without overlaps.
fn pieces(file: &File, types: bool, mut names: NamedRanges) -> Vec<HighlightedRange> {
    let base = file.source.base();
    for o in &file.occurrences {
        let (start, end) = ((o.span.start - base) as usize, (o.span.end - base) as usize);
        let Some((kind, modifiers)) = kind(&o.name) else { continue };
        // A directive such as `ensurable` can also be a definition.
        if matches!(o.name, Name::Word("directive", ..)) {
            names.insert(start, (end, kind, modifiers));
        } else {
            names.entry(start).or_insert((end, kind, modifiers));
        }
    }
    let text = file.source.text();
    let mut out: Vec<HighlightedRange> = Vec::new();
    let mut put = |start: usize, end: usize, kind: Type, modifiers: u32| out.push(HighlightedRange { start, end, kind, modifiers });
    for token in tokens(text) {
        let (start, end) = (token.range.start, token.range.end);
        let inner = if token.kind == Kind::Symbol { start + 1 } else { start };
        match (token.kind, names.get(&inner)) {
            (Kind::Word | Kind::Symbol, Some((to, kind, modifiers))) => put(start, (*to).min(end), kind.clone(), *modifiers),
            (Kind::Comment, _) => put(start, end, Type::COMMENT, 0),
            (Kind::Str(_), _) => put(start, end, Type::STRING, 0),
            // A slash in a manifest does not start a regex.
            (Kind::Regex(_), _) if types => put(start, end, Type::REGEXP, 0),
            (Kind::Number, _) => put(start, end, Type::NUMBER, 0),
            (Kind::Symbol, _) => put(start, end, Type::ENUM_MEMBER, 0),
            (Kind::Capture, _) => put(start, end, Type::VARIABLE, DEFAULT_LIBRARY),
            (Kind::Word, _) if KEYWORDS.contains(&token.text(text)) => put(start, end, Type::KEYWORD, 0),
            _ => {}
        }
    }
    out
}

fn kind(name: &Name) -> Option<(Type, u32)> {
    Some(match name {
        Name::Type(_) => (Type::CLASS, 0),
        Name::Attribute(..) => (Type::PROPERTY, 0),
        Name::Value(..) => (Type::ENUM_MEMBER, 0),
        Name::Resource(..) => return None,
        Name::Word(group, _, _) => match *group {
            "directive" | "keyword" | "test" => (Type::KEYWORD, 0),
            "kind" | "platform" => (Type::INTERFACE, 0),
            "option" => (Type::PARAMETER, DEFAULT_LIBRARY),
            "data type" => (Type::TYPE, DEFAULT_LIBRARY),
            "comparison" => (Type::ENUM_MEMBER, DEFAULT_LIBRARY),
            "function" | "outcome" => (Type::FUNCTION, DEFAULT_LIBRARY),
            _ => (Type::METHOD, DEFAULT_LIBRARY),
        },
    })
}

/// Encodes each range relative to the previous range. A range over several lines is split at line ends.
fn encoded(w: &Workspace, file: &File, pieces: &[HighlightedRange]) -> Vec<SemanticToken> {
    let text = file.source.text();
    let (mut line, mut column) = (0, 0);
    let mut out = Vec::new();
    for piece in pieces {
        let Some(type_) = TYPES.iter().position(|t| *t == piece.kind) else { continue };
        let mut start = piece.start;
        for part in text.get(piece.start..piece.end).unwrap_or_default().split_inclusive('\n') {
            let shown = part.trim_end_matches(['\n', '\r']);
            let at = w.encoding.position(&file.source, start);
            let length = w.encoding.position(&file.source, start + shown.len()).character.saturating_sub(at.character);
            start += part.len();
            if length == 0 {
                continue;
            }
            let delta_start = if at.line == line { at.character - column } else { at.character };
            out.push(SemanticToken {
                delta_line: at.line - line,
                delta_start,
                length,
                token_type: type_ as u32,
                token_modifiers_bitset: piece.modifiers,
            });
            (line, column) = (at.line, at.character);
        }
    }
    out
}
