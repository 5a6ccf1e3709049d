//! How a pattern is built, as far as it tells what its author had in mind.

use super::Regex;
use regex_syntax::hir::{Class, Hir, HirKind, Look, LookSet};

/// What stands at one side of a pattern.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Edge {
    /// The end of the text: nothing is beyond.
    Anchor,
    /// A boundary of words or lines.
    Boundary,
    /// Anything, as often as there is: what is beyond is part of the match.
    Anything,
    /// A repetition without end, which says no more than its least count where a pattern is searched for.
    Repetition,
    /// Something else.
    #[default]
    Open,
}

/// One side of an alternation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Whether it begins at the start of the text.
    pub start: bool,
    /// Whether it ends at the end of the text.
    pub end: bool,
    /// The rest of it, in the engine's notation.
    pub rest: String,
}

/// How a pattern is built.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Its left side.
    pub left: Edge,
    /// Its right side.
    pub right: Edge,
    /// Whether it asks for the ends of lines: `(?m:^…$)`.
    pub lines: bool,
    /// The sides of the alternation that it is; empty when it is none.
    pub branches: Vec<Branch>,
    /// Whether it is one letter, one class or plain text, without a group.
    pub plain: bool,
    /// Whether its matches have a greatest length.
    pub finite: bool,
    /// Whether it has a class of all letters but line breaks, or may match nothing.
    pub wide: bool,
    /// Whether it may well be that no text matches: a class of nothing in it, a start behind letters. Whoever writes a class of
    /// nothing alone says so.
    pub contradictory: bool,
}

impl Regex {
    /// How it is built; `None` for what backtracks.
    pub fn shape(&self) -> Option<&Shape> {
        self.shape.get_or_init(|| Some(Box::new(Shape::of(&self.syntax()?)))).as_deref()
    }

    /// The pattern for all of a text, where this is searched for.
    pub fn whole(&self) -> Option<Regex> {
        // The newline ends a comment.
        let end = if self.flags.extended { "\n" } else { "" };
        Regex::new(&format!("\\A(?:{}{end})\\z", self.source), self.flags).ok()
    }

    /// Whether a repetition without end stands inside another one.
    pub fn has_nested_repetition(&self) -> bool {
        fancy_regex::Expr::parse_tree(&self.translation.pattern).is_ok_and(|tree| nested(&tree.expr, false))
    }

    /// What it is made of, flags and shorthands resolved; none for a backtracking pattern.
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

/// A pattern without the groups around it.
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

fn edge<'h>(hir: &'h Hir, looks: LookSet, anchor: Look, side: &dyn Fn(&'h [Hir]) -> Option<&'h Hir>) -> Edge {
    if looks.contains(anchor) {
        return Edge::Anchor;
    }
    if !looks.is_empty() {
        return Edge::Boundary;
    }
    match hir.kind() {
        HirKind::Capture(group) => edge(&group.sub, looks, anchor, side),
        HirKind::Concat(parts) => side(parts).map_or(Edge::Open, |part| edge(part, looks, anchor, side)),
        HirKind::Repetition(repetition) if repetition.max.is_none() => match bare(&repetition.sub).kind() {
            HirKind::Class(class) if is_wide(class) => Edge::Anything,
            _ => Edge::Repetition,
        },
        // `(a*|b)` and `a?` leave it open what stands there.
        _ => Edge::Open,
    }
}

/// Whether a class has all letters, but perhaps those that end lines.
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

/// Whether a start stands behind letters, or letters behind an end.
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

/// Whether a repetition without end stands inside another one: where the engine steps back, the steps multiply.
fn nested(expr: &fancy_regex::Expr, inside: bool) -> bool {
    match expr {
        fancy_regex::Expr::Repeat { child, hi, .. } if *hi == usize::MAX => inside || nested(child, true),
        other => other.children_iter().any(|child| nested(child, inside)),
    }
}
