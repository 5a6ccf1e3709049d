//! The structure of a pattern, with clues to the author's intention.

use super::Regex;
use regex_syntax::hir::{Class, Hir, HirKind, Look, LookSet};

/// The structure at either end of a pattern.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RegexEdge {
    /// The start or end of the string.
    Anchor,
    /// A word boundary, or the start or end of a line.
    Boundary,
    /// Any characters, repeated: the match extends to the rest of the string or line.
    Anything,
    /// An unlimited repetition. In a search, it has the same effect as its minimum count.
    Repetition,
    /// Any other structure.
    #[default]
    Open,
}

/// A branch of an alternation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// `true` if the branch is anchored at the start of the string.
    pub start: bool,
    /// `true` if the branch is anchored at the end of the string.
    pub end: bool,
    /// The rest of the branch, in the engine's notation.
    pub rest: String,
}

/// The structure of a pattern.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// The left end.
    pub left: RegexEdge,
    /// The right end.
    pub right: RegexEdge,
    /// `true` if the pattern contains anchors for lines: `(?m:^…$)`.
    pub lines: bool,
    /// The branches of an alternation; empty for other patterns.
    pub branches: Vec<Branch>,
    /// `true` for a single character, a class or a literal string, without groups.
    pub plain: bool,
    /// `true` if the length of matches is limited.
    pub finite: bool,
    /// `true` if the pattern contains a class of all characters but line breaks, or can match the empty string.
    pub wide: bool,
    /// `true` if the pattern may never match, because it contains an empty class or has an anchor for the start after characters. A
    /// pattern consisting only of an empty class is intended to never match.
    pub contradictory: bool,
}

impl Regex {
    /// Returns the structure; `None` for a backtracking pattern.
    pub fn shape(&self) -> Option<&Shape> {
        self.shape.get_or_init(|| Some(Box::new(Shape::of(&self.syntax()?)))).as_deref()
    }

    /// Returns the pattern anchored at both ends.
    pub fn whole(&self) -> Option<&Regex> {
        let whole = || {
            // The newline ends a comment at the end of the pattern.
            let end = if self.flags.extended { "\n" } else { "" };
            Regex::new(&format!("\\A(?:{}{end})\\z", self.source), self.flags).ok().map(Box::new)
        };
        self.whole.get_or_init(whole).as_deref()
    }

    /// Returns `true` if an unlimited repetition contains another unlimited repetition.
    pub fn has_nested_repetition(&self) -> bool {
        fancy_regex::Expr::parse_tree(&self.translation.pattern).is_ok_and(|tree| nested(&tree.expr, false))
    }

    /// Returns the parsed pattern with flags and shorthands resolved; `None` for a backtracking pattern.
    pub fn syntax(&self) -> Option<Hir> {
        if self.is_backtracking() {
            return None;
        }
        regex_syntax::Parser::new().parse(&self.translation.pattern).ok()
    }
}

impl Shape {
    fn of(hir: &Hir) -> Shape {
        let properties = hir.properties();
        let looks = properties.look_set();
        let inner = bare(hir);
        let branches = match inner.kind() {
            HirKind::Alternation(branches) => branches.iter().map(branch).collect(),
            _ => Vec::new(),
        };
        let plain = matches!(hir.kind(), HirKind::Literal(_) | HirKind::Class(_));
        Shape {
            left: edge(hir, properties.look_set_prefix(), Look::Start, &|parts| parts.first()),
            right: edge(hir, properties.look_set_suffix(), Look::End, &|parts| parts.last()),
            lines: looks.contains(Look::StartLF) || looks.contains(Look::EndLF),
            branches,
            plain,
            finite: properties.maximum_len().is_some(),
            wide: properties.minimum_len() == Some(0) || has_wide(hir),
            contradictory: !matches!(inner.kind(), HirKind::Class(_)) && (properties.minimum_len().is_none() || contradicts(hir)),
        }
    }
}

/// Returns a pattern without enclosing groups.
fn bare(hir: &Hir) -> &Hir {
    match hir.kind() {
        HirKind::Capture(group) => bare(&group.sub),
        _ => hir,
    }
}

fn branch(hir: &Hir) -> Branch {
    let properties = hir.properties();
    let parts = match bare(hir).kind() {
        HirKind::Concat(parts) => parts.as_slice(),
        _ => std::slice::from_ref(hir),
    };
    let rest = parts.iter().filter(|p| !matches!(p.kind(), HirKind::Look(Look::Start | Look::End)));
    Branch {
        start: properties.look_set_prefix().contains(Look::Start),
        end: properties.look_set_suffix().contains(Look::End),
        rest: rest.map(ToString::to_string).collect(),
    }
}

fn edge<'h>(hir: &'h Hir, looks: LookSet, anchor: Look, side: &dyn Fn(&'h [Hir]) -> Option<&'h Hir>) -> RegexEdge {
    if looks.contains(anchor) {
        return RegexEdge::Anchor;
    }
    if !looks.is_empty() {
        return RegexEdge::Boundary;
    }
    match hir.kind() {
        HirKind::Capture(group) => edge(&group.sub, looks, anchor, side),
        HirKind::Concat(parts) => side(parts).map_or(RegexEdge::Open, |part| edge(part, looks, anchor, side)),
        HirKind::Repetition(repetition) if repetition.max.is_none() => match bare(&repetition.sub).kind() {
            HirKind::Class(class) if is_wide(class) => RegexEdge::Anything,
            _ => RegexEdge::Repetition,
        },
        // The end of `(a*|b)` or `a?` is not fixed.
        _ => RegexEdge::Open,
    }
}

/// Returns `true` if a class contains all characters, except possibly line breaks.
fn is_wide(class: &Class) -> bool {
    let Class::Unicode(class) = class else { return false };
    let mut others = class.clone();
    others.negate();
    others.ranges().iter().all(|r| r.start() == r.end() && matches!(r.start(), '\n' | '\r'))
}

fn has_wide(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Class(class) => is_wide(class),
        HirKind::Repetition(repetition) => has_wide(&repetition.sub),
        HirKind::Capture(group) => has_wide(&group.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(has_wide),
        HirKind::Empty | HirKind::Literal(_) | HirKind::Look(_) => false,
    }
}

/// Returns `true` if an anchor for the start follows characters, or characters follow an anchor for the end.
fn contradicts(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Repetition(repetition) => contradicts(&repetition.sub),
        HirKind::Capture(group) => contradicts(&group.sub),
        HirKind::Alternation(parts) => parts.iter().any(contradicts),
        HirKind::Concat(parts) => {
            let letters = |part: &Hir| part.properties().minimum_len() != Some(0);
            let behind = |anchor: Look, parts: &mut dyn Iterator<Item = &Hir>| {
                let mut seen = false;
                for part in parts {
                    if seen && part.properties().look_set().contains(anchor) {
                        return true;
                    }
                    seen |= letters(part);
                }
                false
            };
            behind(Look::Start, &mut parts.iter()) || behind(Look::End, &mut parts.iter().rev()) || parts.iter().any(contradicts)
        }
        HirKind::Empty | HirKind::Literal(_) | HirKind::Look(_) | HirKind::Class(_) => false,
    }
}

/// Returns `true` if an unlimited repetition contains another unlimited repetition, so that the steps of backtracking multiply.
fn nested(expr: &fancy_regex::Expr, inside: bool) -> bool {
    match expr {
        fancy_regex::Expr::Repeat { child, hi, .. } if *hi == usize::MAX => inside || nested(child, true),
        other => other.children_iter().any(|child| nested(child, inside)),
    }
}
