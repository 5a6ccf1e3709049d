//! Keys that behave differently in input of several lines.

use super::indent;
use super::margin::{MARGIN, MARGIN_END, entered, without_margins};
use crate::repl::commands::is_unknown_operand;
use crate::repl::input;
use rustyline::{
    At, CharSearch, Cmd, ConditionalEventHandler, Event, EventContext, EventHandler, KeyCode, KeyEvent, Modifiers, Movement, RepeatCount,
    Word,
};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

/// The keys that [`Keys`] handles.
const BOUND: &[KeyEvent] = &[
    KeyEvent(KeyCode::Enter, Modifiers::NONE),
    KeyEvent(KeyCode::Char('J'), Modifiers::CTRL),
    KeyEvent(KeyCode::Enter, Modifiers::ALT),
    KeyEvent(KeyCode::Char('}'), Modifiers::NONE),
    KeyEvent(KeyCode::Char(']'), Modifiers::NONE),
    KeyEvent(KeyCode::Char(')'), Modifiers::NONE),
    KeyEvent(KeyCode::Backspace, Modifiers::NONE),
    KeyEvent(KeyCode::Char('H'), Modifiers::CTRL),
    KeyEvent(KeyCode::Delete, Modifiers::NONE),
    KeyEvent(KeyCode::Char('K'), Modifiers::CTRL),
    KeyEvent(KeyCode::Char('U'), Modifiers::CTRL),
    KeyEvent(KeyCode::Left, Modifiers::NONE),
    KeyEvent(KeyCode::Char('B'), Modifiers::CTRL),
    KeyEvent(KeyCode::Right, Modifiers::NONE),
    KeyEvent(KeyCode::Char('F'), Modifiers::CTRL),
    KeyEvent(KeyCode::Home, Modifiers::NONE),
    KeyEvent(KeyCode::Char('A'), Modifiers::CTRL),
];

/// A replacement for the blanks before the cursor.
///
/// rustyline has no command for a replacement with the cursor after it, except completion. So a key stores the replacement here, and
/// requests completion.
#[derive(Clone, Default)]
pub(super) struct Replacement(Arc<Mutex<Option<String>>>);

impl Replacement {
    /// Returns the replacement that the last key stored, and the start of the replaced blanks.
    pub fn take(&self, before: &str) -> Option<(usize, String)> {
        let text = self.0.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        Some((before.len() - indentation(before).unwrap_or_default(), text))
    }

    fn leave(&self, text: String) -> Cmd {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
        Cmd::Complete
    }
}

/// The names of variables and definitions.
#[derive(Clone, Default)]
pub(super) struct KnownWords(Arc<Mutex<HashSet<String>>>);

impl KnownWords {
    pub fn set(&self, words: impl Iterator<Item = String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = words.collect();
    }

    fn contains(&self, word: &str) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(word)
    }
}

/// Indents continued lines, and treats a line break with its margin as one character.
struct Keys(Replacement, KnownWords);

/// The effect of a key.
#[derive(Debug, PartialEq)]
enum Effect {
    Command(Cmd),
    /// A replacement for the blanks before the cursor.
    Replace(String),
}

/// Returns the keys with their handlers.
pub(super) fn bindings(replacement: &Replacement, known: &KnownWords) -> impl Iterator<Item = (KeyEvent, EventHandler)> {
    BOUND.iter().map(|key| (*key, EventHandler::Conditional(Box::new(Keys(replacement.clone(), known.clone())))))
}

impl ConditionalEventHandler for Keys {
    fn handle(&self, event: &Event, n: RepeatCount, positive: bool, context: &EventContext<'_>) -> Option<Cmd> {
        let KeyEvent(code, modifiers) = event.get(0).filter(|_| n == 1 && positive)?;
        let is_enter = matches!(code, KeyCode::Enter | KeyCode::Char('J')) && *modifiers != Modifiers::ALT;
        if is_enter && is_unknown_operand(&entered(context.line()), |word| self.1.contains(word)) {
            return None;
        }
        Some(match effect(*code, *modifiers, context.line(), context.pos())? {
            Effect::Command(command) => command,
            Effect::Replace(text) => self.0.leave(text),
        })
    }
}

/// Returns the effect of a key; `None` for the key's default effect.
///
/// rustyline replaces the count of a command with the count of the key. So a movement over several characters is expressed as a search for
/// the last character.
fn effect(code: KeyCode, modifiers: Modifiers, line: &str, at: usize) -> Option<Effect> {
    let (before, after) = line.split_at_checked(at)?;
    let command = match code {
        KeyCode::Char(bracket @ ('}' | ']' | ')')) => return close(before, bracket),
        KeyCode::Backspace | KeyCode::Char('H') if indentation(before).is_some() => return dedent(before),
        KeyCode::Backspace | KeyCode::Char('H') => is_start(before).then_some(Cmd::Kill(BREAK_BEFORE)),
        KeyCode::Enter if modifiers == Modifiers::ALT => Some(new_line(before, after)),
        KeyCode::Enter | KeyCode::Char('J') => enter(line, before, after),
        KeyCode::Char('U') => Some(Cmd::Kill(if text_of_line(before)?.is_empty() { BREAK_BEFORE } else { TO_START })),
        KeyCode::Delete | KeyCode::Char('K') => text_of_next(after).map(|_| Cmd::Kill(BREAK_AFTER)),
        KeyCode::Right | KeyCode::Char('F') => text_of_next(after).map(next_line),
        KeyCode::Left | KeyCode::Char('B') => is_start(before).then_some(Cmd::Move(BREAK_BEFORE)),
        KeyCode::Home | KeyCode::Char('A') => Some(if text_of_line(before)?.is_empty() { Cmd::Noop } else { Cmd::Move(TO_START) }),
        _ => None,
    };
    command.map(Effect::Command)
}

/// From the first character after the margin to the end of the previous line.
const BREAK_BEFORE: Movement = Movement::ViCharSearch(1, CharSearch::Backward('\n'));

/// From the end of a line to the first character of the next line.
const BREAK_AFTER: Movement = Movement::ViCharSearch(1, CharSearch::Forward(MARGIN_END));

/// To the first character after the margin.
const TO_START: Movement = Movement::ViCharSearch(1, CharSearch::BackwardAfter(MARGIN_END));

/// Goes to a new line, unless the input is complete.
fn enter(line: &str, before: &str, after: &str) -> Option<Cmd> {
    let is_whole = input::is_whole(&format!("{}\n", entered(line)));
    (!is_whole).then(|| new_line(before, after))
}

fn new_line(before: &str, after: &str) -> Cmd {
    // The rest of the line may begin with blanks.
    let own = after.len() - after.trim_start_matches(' ').len();
    let blanks = indent::after(&without_margins(before)).saturating_sub(own);
    Cmd::Insert(1, format!("\n{MARGIN}{}", " ".repeat(blanks)))
}

/// Moves from the end of a line to the first character of the next line.
fn next_line(text: &str) -> Cmd {
    match text.trim().is_empty() {
        true => Cmd::LineDownOrNextHistory(1),
        false => Cmd::Move(Movement::ForwardWord(1, At::Start, Word::Big)),
    }
}

/// Aligns a closing bracket at the start of a line with the line of the opening bracket.
fn close(before: &str, bracket: char) -> Option<Effect> {
    indentation(before)?;
    let wanted = indent::of_closing(&without_margins(before))?;
    Some(Effect::Replace(format!("{}{bracket}", " ".repeat(wanted))))
}

/// Removes a level of indentation.
fn dedent(before: &str) -> Option<Effect> {
    let blanks = indentation(before)?;
    Some(Effect::Replace(" ".repeat((blanks - 1) / 2 * 2)))
}

/// Returns whether the cursor is directly after the margin of a continued line.
fn is_start(before: &str) -> bool {
    text_of_line(before) == Some("")
}

/// Returns the number of blanks between the margin and the cursor. `None` for zero blanks or other characters.
fn indentation(before: &str) -> Option<usize> {
    text_of_line(before).filter(|text| !text.is_empty() && text.chars().all(|c| c == ' ')).map(str::len)
}

/// Returns the characters between the margin and the cursor. `None` on a line without a margin.
fn text_of_line(before: &str) -> Option<&str> {
    before.rsplit_once('\n').and_then(|(_, line)| line.strip_prefix(MARGIN))
}

/// Returns the next line without its margin if the cursor is at the end of a line.
fn text_of_next(after: &str) -> Option<&str> {
    let rest = after.strip_prefix('\n')?.strip_prefix(MARGIN)?;
    rest.split('\n').next()
}

#[cfg(test)]
mod tests {
    use super::super::margin::with_margins;
    use super::*;

    fn pressed(code: KeyCode, text: &str) -> Option<Effect> {
        let line = with_margins(text);
        effect(code, Modifiers::NONE, &line, line.len())
    }

    #[test]
    fn enter_indents_what_is_open() {
        let inserted = |text: &str| Some(Effect::Command(Cmd::Insert(1, format!("\n{MARGIN}{text}"))));
        assert_eq!(pressed(KeyCode::Enter, "type x {"), inserted("  "));
        assert_eq!(pressed(KeyCode::Enter, "type x {\n  "), inserted("  "));
        assert_eq!(pressed(KeyCode::Enter, "type x {\n  newparam y {"), inserted("    "));
        assert_eq!(pressed(KeyCode::Enter, "type x { newparam y { isnamevar } }"), None);
        // Two empty lines end any input.
        assert_eq!(pressed(KeyCode::Enter, "user { 'a':\n  \n  "), None);
        assert_eq!(effect(KeyCode::Enter, Modifiers::ALT, "2 * 3", 5), inserted(""));
    }

    #[test]
    fn closing_brackets_go_back() {
        let replaced = |text: &str| Some(Effect::Replace(text.to_owned()));
        assert_eq!(pressed(KeyCode::Char('}'), "type x {\n  newparam y {\n    "), replaced("  }"));
        assert_eq!(pressed(KeyCode::Char('}'), "type x {\n  "), replaced("}"));
        assert_eq!(pressed(KeyCode::Char('}'), "type x {\n  newparam y { isnamevar "), None);
        assert_eq!(pressed(KeyCode::Char('}'), "type x { "), None);
        assert_eq!(pressed(KeyCode::Backspace, "type x {\n    "), replaced("  "));
        assert_eq!(pressed(KeyCode::Backspace, "type x {\n   "), replaced("  "));
        assert_eq!(pressed(KeyCode::Backspace, "type x {\n  "), replaced(""));
        assert_eq!(pressed(KeyCode::Backspace, "type x {\n  y"), None);
        let replacement = Replacement::default();
        let line = with_margins("type x {\n  ");
        assert_eq!(replacement.take(&line), None);
        replacement.leave("}".to_owned());
        assert_eq!(replacement.take(&line), Some((line.len() - 2, "}".to_owned())));
        assert_eq!(replacement.take(&line), None);
    }

    #[test]
    fn a_line_break_is_one_character() {
        let whole = with_margins("a {\n  b");
        let at_end = |code| effect(code, Modifiers::NONE, &whole, 3);
        assert_eq!(pressed(KeyCode::Backspace, "a {\n"), Some(Effect::Command(Cmd::Kill(BREAK_BEFORE))));
        assert_eq!(pressed(KeyCode::Left, "a {\n"), Some(Effect::Command(Cmd::Move(BREAK_BEFORE))));
        assert_eq!(pressed(KeyCode::Home, "a {\n  b"), Some(Effect::Command(Cmd::Move(TO_START))));
        assert_eq!(pressed(KeyCode::Home, "a {\n"), Some(Effect::Command(Cmd::Noop)));
        assert_eq!(pressed(KeyCode::Char('U'), "a {\n  b"), Some(Effect::Command(Cmd::Kill(TO_START))));
        assert_eq!(at_end(KeyCode::Right), Some(Effect::Command(Cmd::Move(Movement::ForwardWord(1, At::Start, Word::Big)))));
        assert_eq!(at_end(KeyCode::Delete), Some(Effect::Command(Cmd::Kill(BREAK_AFTER))));
        assert_eq!(
            effect(KeyCode::Right, Modifiers::NONE, &with_margins("a {\n"), 3),
            Some(Effect::Command(Cmd::LineDownOrNextHistory(1)))
        );
        assert_eq!(effect(KeyCode::Left, Modifiers::NONE, "ab", 1), None);
        assert_eq!(effect(KeyCode::Home, Modifiers::NONE, "ab", 1), None);
    }
}
