//! The pieces of a manifest that the formatter moves: tokens, whole strings and comments, in the order of the source.

use crate::syntax::token::{TokenKind, Tokens};

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ItemKind {
    Token(TokenKind),
    /// A comment up to the end of its line.
    LineComment,
    /// A comment between `/*` and `*/`.
    BlockComment,
}

/// A piece with its range in the source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub kind: ItemKind,
    pub start: usize,
    pub end: usize,
    /// The line breaks before the piece.
    pub breaks: usize,
    /// The lines of heredocs between the piece before and this piece.
    pub heredocs: Option<(usize, usize)>,
}

/// The pieces of a manifest.
pub(super) struct Items {
    pub all: Vec<Item>,
    /// The text of heredocs after the last piece.
    pub rest: Option<(usize, usize)>,
}

/// Returns the pieces. `None` if a heredoc begins inside a string.
pub(super) fn items(text: &str, tokens: &Tokens) -> Option<Items> {
    let mut all = pieces(tokens)?;
    all.sort_by_key(|item| item.start);
    let mut heredocs: Vec<(usize, usize)> = tokens.heredocs.iter().map(|h| (h.start as usize, h.end as usize)).collect();
    heredocs.sort_unstable();
    let mut heredocs = heredocs.into_iter().peekable();
    let mut end = 0;
    for item in &mut all {
        while let Some(found) = heredocs.next_if(|h| h.1 <= item.start) {
            item.heredocs = Some((item.heredocs.map_or(found.0, |h| h.0), found.1));
        }
        let gap = text.get(item.heredocs.map_or(end, |h| h.1)..item.start)?;
        item.breaks = gap.matches('\n').count() + usize::from(item.heredocs.is_some());
        end = item.end;
    }
    let first = heredocs.next();
    let rest = first.map(|first| (first.0, heredocs.last().unwrap_or(first).1));
    Some(Items { all, rest })
}

fn pieces(tokens: &Tokens) -> Option<Vec<Item>> {
    let mut heredocs: Vec<(usize, usize)> = tokens.heredocs.iter().map(|h| (h.start as usize, h.end as usize)).collect();
    heredocs.sort_unstable();
    let is_heredoc_text = |at: usize| {
        let next = heredocs.partition_point(|h| h.0 <= at);
        next.checked_sub(1).and_then(|n| heredocs.get(n)).is_some_and(|h| at < h.1)
    };
    let mut all = Vec::with_capacity(tokens.tokens.len());
    let mut strings: Vec<usize> = Vec::new();
    let mut after_heredoc = false;
    let mut depth_of_text = 0usize;
    for token in &tokens.tokens {
        let (start, end) = (token.start as usize, token.end as usize);
        // The next tokens are the text of the heredoc.
        if after_heredoc || depth_of_text > 0 {
            after_heredoc = false;
            match token.kind {
                TokenKind::StringStart => depth_of_text += 1,
                TokenKind::StringEnd => depth_of_text = depth_of_text.saturating_sub(1),
                TokenKind::Heredoc => return None,
                _ => {}
            }
            continue;
        }
        match token.kind {
            TokenKind::StringStart => strings.push(start),
            TokenKind::StringEnd => {
                let start = strings.pop()?;
                if strings.is_empty() {
                    all.push(Item { kind: ItemKind::Token(TokenKind::String), start, end, breaks: 0, heredocs: None });
                }
            }
            TokenKind::Heredoc if !strings.is_empty() => return None,
            kind if strings.is_empty() => {
                after_heredoc = kind == TokenKind::Heredoc;
                all.push(Item { kind: ItemKind::Token(kind), start, end, breaks: 0, heredocs: None });
            }
            _ => {}
        }
    }
    let within: Vec<(usize, usize)> =
        all.iter().filter(|i| i.kind == ItemKind::Token(TokenKind::String)).map(|i| (i.start, i.end)).collect();
    for comment in &tokens.comments {
        let (start, end) = (comment.start as usize, comment.end as usize);
        let in_string = within.binary_search_by(|s| {
            if s.1 <= start {
                std::cmp::Ordering::Less
            } else if s.0 > start {
                std::cmp::Ordering::Greater
            } else {
                std::cmp::Ordering::Equal
            }
        });
        if in_string.is_err() && !is_heredoc_text(start) {
            all.push(Item { kind: ItemKind::LineComment, start, end, breaks: 0, heredocs: None });
        }
    }
    Some(all)
}

/// Distinguishes the two forms of comments.
pub(super) fn comment_kind(text: &str, item: &Item) -> ItemKind {
    match item.kind {
        ItemKind::LineComment if text.get(item.start..).is_some_and(|t| t.starts_with("/*")) => ItemKind::BlockComment,
        kind => kind,
    }
}
