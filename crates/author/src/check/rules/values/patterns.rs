//! The patterns of a type, and the places that use the patterns.

use crate::check::TypeSubject;
use crate::check::blocks::blocks;
use rtype_lang::diagnostics::Edit;
use rtype_lang::source::{SourceMap, Span};
use rtype_lang::types::{AttributeDef, Layers, Matcher, Op, Pattern, Role, ValueStep};
use rtype_lang::value::{Flags, Regex, Value};
use std::sync::LazyLock;

/// The place that uses a pattern.
#[derive(Clone, Copy)]
pub enum PatternUse<'a> {
    /// `newvalues` in this attribute.
    Value(&'a AttributeDef),
    /// `matches` in an attribute.
    Matches,
    /// A row in `title_patterns`.
    Title,
    /// A block.
    Block,
}

/// A pattern of a type.
pub struct TypePattern<'a> {
    pub regex: &'a Regex,
    pub used: PatternUse<'a>,
    /// Span of the value, directive or row around the pattern.
    around: Span,
    sources: &'a SourceMap,
}

impl TypePattern<'_> {
    /// Returns `true` if attribute values must match the pattern, as opposed to titles.
    pub fn of_values(&self) -> bool {
        matches!(self.used, PatternUse::Value(_) | PatternUse::Matches)
    }

    /// Returns a string without line breaks that the pattern accepts only because it may match a substring.
    pub fn accepted_by_part(&self) -> Option<String> {
        accepted_beyond(self.regex, self.regex.whole()?)
    }

    /// Returns the span of the literal, or the span of the surrounding construct.
    pub fn span(&self) -> Span {
        self.written().unwrap_or(self.around)
    }

    /// Returns the edit that replaces the pattern; `None` if the pattern is not a literal.
    pub fn becomes(&self, source: &str) -> Option<Edit> {
        let span = self.written()?;
        let flags = self.sources.slice(span).rsplit('/').next().unwrap_or_default();
        Some(Edit { span, text: format!("/{}/{flags}", source.replace('/', "\\/")) })
    }

    /// Formats a source as a regex literal that can replace the pattern.
    pub fn spelled(&self, source: &str) -> String {
        self.becomes(source).map_or_else(|| format!("/{}/", source.replace('/', "\\/")), |edit| edit.text)
    }

    /// Returns the span of the literal including flags; `None` if a constant is used instead.
    fn written(&self) -> Option<Span> {
        let text = self.sources.slice(self.around);
        let source = self.regex.source();
        let spelled = |written: &str| text.find(written).map(|at| (at, at + written.len()));
        let (start, end) = spelled(&format!("/{}/", source.replace('/', "\\/")))?;
        let flags = text.get(end..)?.bytes().take_while(u8::is_ascii_lowercase).count();
        let place = |at: usize| self.around.start.saturating_add(at as u32);
        Some(Span::new(place(start), place(end + flags)))
    }
}

/// Returns a string without line breaks that `regex` accepts and `other` does not.
pub fn accepted_beyond(regex: &Regex, other: &Regex) -> Option<String> {
    Regex::witness(&[regex], &[other, newline()?])?
}

/// Returns `true` if a pattern accepts every string, except possibly the empty string and strings with line breaks.
pub fn accepts_everything(regex: &Regex) -> bool {
    let accepts = || Regex::is_impossible(&[], &[regex, newline()?, EMPTY.as_ref()?]);
    regex.shape().is_some_and(|shape| shape.wide) && accepts() == Some(true)
}

/// Returns `true` if only the first and last branch of an alternation are anchored: `/\Aa|b\z/`. If both branches are the same apart
/// from their anchors (`/\A\s|\s\z/`), this is intended.
pub fn anchors_bind_to_branches(regex: &Regex) -> bool {
    let Some(shape) = regex.shape() else { return false };
    let [first, middle @ .., last] = shape.branches.as_slice() else { return false };
    let free = middle.iter().all(|b| !b.start && !b.end);
    first.start && !first.end && !last.start && last.end && free && first.rest != last.rest
}

/// Compiles a pattern that the linter itself uses.
pub fn of(source: &str) -> Option<Regex> {
    Regex::new(source, Flags::default()).ok()
}

static EMPTY: LazyLock<Option<Regex>> = LazyLock::new(|| of(r"\A\z"));

/// Returns the pattern that matches strings with a line break.
pub fn newline() -> Option<&'static Regex> {
    static NEWLINE: LazyLock<Option<Regex>> = LazyLock::new(|| of("\n"));
    NEWLINE.as_ref()
}

/// Returns a type's value patterns and title patterns, without metaparameters.
pub fn patterns<'a>(subject: &TypeSubject<'a>) -> Vec<TypePattern<'a>> {
    let sources = &subject.file.around.types.sources;
    let type_def = subject.type_def;
    let mut found = Vec::new();
    for attribute in type_def.attributes.iter().filter(|a| a.role != Role::Metaparam) {
        for value in &attribute.values.values {
            if let Matcher::Regex(regex) = &value.matcher {
                found.push(TypePattern { regex, used: PatternUse::Value(attribute), around: value.span, sources });
            }
        }
        of_layers(&attribute.validate, sources, &mut found);
    }
    for row in &type_def.title_patterns {
        found.push(TypePattern { regex: &row.regex, used: PatternUse::Title, around: row.span, sources });
    }
    found
}

fn of_layers<'a>(layers: &'a Layers, sources: &'a SourceMap, found: &mut Vec<TypePattern<'a>>) {
    for step in &layers.steps {
        if let ValueStep::Matches(matches) = step {
            found.push(TypePattern { regex: &matches.regex, used: PatternUse::Matches, around: matches.span, sources });
        }
    }
    if let Some(dropped) = &layers.dropped {
        of_layers(dropped, sources, found);
    }
}

/// Returns the patterns in the blocks of a type.
pub fn in_blocks<'a>(subject: &TypeSubject<'a>) -> Vec<TypePattern<'a>> {
    let sources = &subject.file.around.types.sources;
    let mut found = Vec::new();
    for block in blocks(subject.type_def) {
        block.code.inner.body.walk(&mut |node| {
            let mut add = |regex: &'a Regex| found.push(TypePattern { regex, used: PatternUse::Block, around: node.span, sources });
            match &node.op {
                Op::Const(Value::Regex(regex)) => add(regex),
                Op::Match(_, arms) => {
                    for pattern in arms.iter().flat_map(|arm| &arm.patterns) {
                        if let Pattern::Regex(regex) = pattern {
                            add(regex);
                        }
                    }
                }
                _ => {}
            }
        });
    }
    found
}
