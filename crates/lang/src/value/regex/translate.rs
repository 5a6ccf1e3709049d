//! Translates patterns to the notation of the engines.
//!
//! The syntax is Ruby's, except that `^` and `$` match at the ends of the string (at line ends inside `(?m:…)`) and that the flag `s`
//! lets the dot match newlines. Every construct is parsed here, so that a pattern has the same meaning in both engines, and so that
//! syntax which Ruby accepts and Rust rejects (`\-`, `]` at the start of a class, a literal `{`) is rewritten.

mod class;

use super::{BadRegex, Flags};
use regex_syntax::ast::ErrorKind;
use std::ops::Range;

/// ASCII character sets, without brackets.
const DIGIT: &str = "0-9";
const WORD: &str = "0-9A-Za-z_";
const SPACE: &str = r" \t\n\x0B\f\r";
const HEX: &str = "0-9A-Fa-f";

/// A translated pattern.
#[derive(Debug)]
pub(super) struct Translation {
    pub(super) pattern: String,
    pub(super) backtracks: bool,
    pub(super) names: Vec<(String, usize)>,
    pub(super) groups: usize,
    /// The estimated number of states in the compiled pattern.
    pub(super) estimate: u64,
    /// Offsets in the translated pattern with the corresponding offsets in the source, in ascending order.
    marks: Vec<(usize, usize)>,
}

/// Translates a pattern.
pub(super) fn translate(source: &str, flags: Flags) -> Result<Translation, BadRegex> {
    Translator::new(source, flags).run()
}

impl Translation {
    /// Checks the parts that the translation does not check: classes and repetitions.
    pub(super) fn check(&self, source: &str) -> Result<(), BadRegex> {
        let mut parser = regex_syntax::ast::parse::ParserBuilder::new().nest_limit(100).build();
        let ast = parser.parse(&self.pattern).map_err(|e| match e.kind() {
            ErrorKind::NestLimitExceeded(_) => self.bad(source, "the regex nests too deep", e.span()),
            kind => self.bad(source, &kind.to_string(), e.span()),
        })?;
        // Names of Unicode classes are only checked by the second step.
        if self.pattern.contains("\\p") || self.pattern.contains("\\P") {
            let checked = regex_syntax::hir::translate::Translator::new().translate(&self.pattern, &ast);
            checked.map_err(|e| self.bad(source, &e.kind().to_string(), e.span()))?;
        }
        Ok(())
    }

    fn bad(&self, source: &str, kind: &str, span: &regex_syntax::ast::Span) -> BadRegex {
        let start = self.origin(span.start.offset);
        let after = self.marks.partition_point(|(out, _)| *out < span.end.offset);
        let end = self.marks.get(after).map_or(source.len(), |(_, source)| *source).max(start);
        BadRegex::at(kind.lines().next().unwrap_or_default().to_lowercase(), start..end)
    }

    fn origin(&self, place: usize) -> usize {
        let after = self.marks.partition_point(|(out, _)| *out <= place);
        self.marks.get(after.saturating_sub(1)).map_or(0, |(_, source)| *source)
    }
}

/// The state until the end of a group.
#[derive(Clone, Copy)]
struct Scope {
    extended: bool,
    lines: bool,
    /// The number of groups that flags opened inside this group; they end with this group.
    opened: usize,
    /// The start of the group in the source and in the output.
    open: usize,
    out: usize,
    /// The estimate before the group.
    before: u64,
}

struct Translator<'s> {
    source: &'s str,
    is_ruby: bool,
    at: usize,
    out: String,
    marks: Vec<(usize, usize)>,
    scopes: Vec<Scope>,
    here: Scope,
    backtracks: bool,
    names: Vec<(String, usize)>,
    groups: usize,
    /// `true` if plain parentheses capture. As in Ruby, they do not capture in a pattern with named groups.
    plain_capture: bool,
    estimate: u64,
    /// The start of the last repeatable item in the output, and the item's estimate.
    atom: Option<(usize, u64)>,
}

type Step = Result<(), BadRegex>;

impl<'s> Translator<'s> {
    fn new(source: &'s str, flags: Flags) -> Translator<'s> {
        let mut out = String::with_capacity(source.len() + 16);
        if flags.ignore_case || flags.dot_all {
            out.push_str("(?");
            out.push_str(if flags.ignore_case { "i" } else { "" });
            out.push_str(if flags.dot_all { "s" } else { "" });
            out.push(')');
        }
        let here = Scope { extended: flags.extended, lines: flags.is_ruby, opened: 0, open: 0, out: 0, before: 0 };
        Translator {
            source,
            is_ruby: flags.is_ruby,
            at: 0,
            out,
            marks: vec![(0, 0)],
            scopes: Vec::new(),
            here,
            backtracks: false,
            names: Vec::new(),
            groups: 0,
            plain_capture: !has_names(source),
            estimate: 0,
            atom: None,
        }
    }

    fn run(mut self) -> Result<Translation, BadRegex> {
        while let Some(c) = self.peek() {
            self.marks.push((self.out.len(), self.at));
            self.step(c)?;
        }
        if let Some(scope) = self.scopes.last() {
            let open = self.here.open;
            let _ = scope;
            return Err(BadRegex::at("this group is not closed", open..open + 1));
        }
        (0..self.here.opened).for_each(|_| self.out.push(')'));
        self.marks.push((self.out.len(), self.source.len()));
        Ok(Translation {
            pattern: self.out,
            backtracks: self.backtracks,
            names: self.names,
            groups: self.groups,
            estimate: self.estimate,
            marks: self.marks,
        })
    }

    fn rest(&self) -> &'s str {
        self.source.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn eat(&mut self, text: &str) -> bool {
        let here = self.rest().starts_with(text);
        if here {
            self.at += text.len();
        }
        here
    }

    fn from(&self, start: usize) -> Range<usize> {
        start..self.at.max(start)
    }

    /// Ends a group, and the groups that flags have opened in it.
    fn close(&mut self) {
        (0..=self.here.opened).for_each(|_| self.out.push(')'));
    }

    /// Writes a repeatable item.
    fn atom(&mut self, text: &str, cost: u64) {
        self.atom = Some((self.out.len(), cost));
        self.estimate = self.estimate.saturating_add(cost);
        self.out.push_str(text);
    }

    /// Writes a zero-width assertion.
    fn place(&mut self, text: &str) {
        self.atom = Some((self.out.len(), 1));
        self.out.push_str(text);
    }

    fn literal(&mut self, c: char) {
        let mut text = String::new();
        push_literal(&mut text, c);
        self.atom(&text, c.len_utf8() as u64);
    }

    fn step(&mut self, c: char) -> Step {
        let start = self.at;
        self.next();
        match c {
            '\\' => self.escape(start)?,
            '[' => {
                let (text, cost) = class::read(self, start, 0)?;
                self.atom(&text, cost);
            }
            '(' => self.open(start)?,
            ')' => {
                let Some(outer) = self.scopes.pop() else {
                    return Err(BadRegex::at("this `)` closes nothing", self.from(start)));
                };
                self.close();
                self.atom = Some((self.here.out, self.estimate.saturating_sub(self.here.before)));
                self.here = outer;
            }
            '|' => {
                self.out.push('|');
                self.atom = None;
            }
            '^' => self.place(if self.here.lines { "(?m:^)" } else { r"\A" }),
            '$' => self.place(if self.here.lines { "(?m:$)" } else { r"\z" }),
            '.' => self.atom(".", 8),
            '*' | '+' | '?' => self.repeat(start, &c.to_string(), 0, if c == '?' { 1 } else { 2 })?,
            '{' => self.braces(start)?,
            '#' if self.here.extended => {
                while self.peek().is_some_and(|c| c != '\n') {
                    self.next();
                }
            }
            c if self.here.extended && c.is_ascii_whitespace() => {}
            c => self.literal(c),
        }
        Ok(())
    }

    /// Parses the suffix of a repetition: `?` makes it lazy, `+` possessive.
    fn repeat(&mut self, start: usize, sign: &str, _min: u64, times: u64) -> Step {
        let Some((_, cost)) = self.atom else {
            return Err(BadRegex::at(format!("nothing to repeat before `{sign}`"), self.from(start)));
        };
        self.out.push_str(sign);
        self.grow(cost, times);
        if self.eat("?") {
            self.out.push('?');
        } else if self.eat("+") {
            // Possessive: an atomic group around the greedy repetition.
            self.backtracks = true;
            self.wrap("(?>", ")");
        }
        Ok(())
    }

    fn grow(&mut self, cost: u64, times: u64) {
        let cost = cost.max(1);
        let more = cost.saturating_mul(times.max(1)).saturating_sub(cost);
        self.estimate = self.estimate.saturating_add(more);
        if let Some((_, its)) = &mut self.atom {
            *its = cost.saturating_mul(times.max(1));
        }
    }

    /// Encloses the last item, including its repetition.
    fn wrap(&mut self, before: &str, after: &str) {
        if let Some((begin, _)) = self.atom
            && self.out.is_char_boundary(begin)
        {
            self.out.insert_str(begin, before);
            self.out.push_str(after);
        }
    }

    /// Parses `{n}`, `{n,}`, `{n,m}` or `{,m}`; any other brace is literal.
    fn braces(&mut self, start: usize) -> Step {
        let body = self.rest().split_once('}').map(|(body, _)| body).unwrap_or_default();
        let number = |text: &str| (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse::<u32>());
        let parsed = match body.split_once(',') {
            None => number(body).map(|n| (n.clone(), Some(n))),
            Some(("", "")) => None,
            Some((low, "")) => number(low).map(|n| (n, None)),
            Some(("", high)) => number(high).map(|n| (Ok(0), Some(n))),
            Some((low, high)) => number(low).zip(number(high)).map(|(a, b)| (a, Some(b))),
        };
        let Some((low, high)) = parsed else {
            self.literal('{');
            return Ok(());
        };
        self.at += body.len() + 1;
        if self.atom.is_none() {
            return Err(BadRegex::at("nothing to repeat before this quantifier", self.from(start)));
        }
        let too_many = || BadRegex::at("a repetition of more than 1000 times is not allowed", start..start + body.len() + 2);
        let within = |n: Result<u32, _>| n.ok().filter(|n| *n <= 1000).ok_or_else(too_many);
        let low = within(low)?;
        let high = high.map(within).transpose()?;
        if high.is_some_and(|h| h < low) {
            return Err(BadRegex::at("the first number is larger than the second", self.from(start)));
        }
        let sign = match high {
            Some(h) if h == low => format!("{{{low}}}"),
            Some(h) => format!("{{{low},{h}}}"),
            None => format!("{{{low},}}"),
        };
        self.out.push_str(&sign);
        let cost = self.atom.map_or(1, |(_, cost)| cost);
        self.grow(cost, u64::from(high.unwrap_or(low + 1)));
        if high == Some(low) || self.rest().starts_with('+') {
            // In Ruby `{n}?` makes the repetition optional, and `{n,m}+` repeats it.
            if self.rest().starts_with(['?', '+']) {
                self.wrap("(?:", ")");
            }
        } else if self.eat("?") {
            self.out.push('?');
        }
        Ok(())
    }

    fn open(&mut self, start: usize) -> Step {
        let outer = self.here;
        let out = self.out.len();
        if !self.rest().starts_with('?') {
            let sign = if self.plain_capture { "(" } else { "(?:" };
            self.groups += usize::from(self.plain_capture);
            self.out.push_str(sign);
        } else if self.eat("?#") {
            let end = self.rest().find(')');
            let Some(end) = end else { return Err(BadRegex::at("this comment is not closed", self.from(start))) };
            self.at += end + 1;
            return Ok(());
        } else if let Some(sign) = ["?:", "?=", "?!", "?<=", "?<!", "?>"].into_iter().find(|s| self.eat(s)) {
            self.backtracks |= sign != "?:";
            self.out.push('(');
            self.out.push_str(sign);
        } else if self.eat("?<") || self.eat("?'") || self.eat("?P<") {
            self.name_group(start)?;
        } else {
            return self.flags(start);
        }
        self.scopes.push(outer);
        self.here.opened = 0;
        self.here.open = start;
        self.here.out = out;
        self.here.before = self.estimate;
        self.atom = None;
        Ok(())
    }

    fn name_group(&mut self, start: usize) -> Step {
        let close = if self.source.get(self.at - 1..self.at) == Some("'") { '\'' } else { '>' };
        let name = self.rest().split_once(close).map(|(name, _)| name).unwrap_or_default();
        let valid = name.starts_with(|c: char| c.is_alphabetic() || c == '_') && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if !valid {
            let message = "a group is named by letters, digits and `_`: `(?<name>…)`";
            return Err(BadRegex::at(message, self.from(start)));
        }
        self.at += name.len() + 1;
        if self.names.iter().any(|(n, _)| n == name) {
            return Err(BadRegex::at(format!("there are two groups named `{name}`"), self.from(start)));
        }
        self.groups += 1;
        self.names.push((name.to_owned(), self.groups));
        self.out.push_str("(?<");
        self.out.push_str(name);
        self.out.push('>');
        Ok(())
    }

    /// Parses `(?imsx-imsx:…)` or `(?imsx)`.
    fn flags(&mut self, start: usize) -> Step {
        let outer = self.here;
        let out = self.out.len();
        self.eat("?");
        let (mut on, mut off) = (String::new(), String::new());
        let mut negative = false;
        let scoped = loop {
            let Some(c) = self.next() else {
                return Err(BadRegex::at("this group is not closed", start..start + 1));
            };
            match c {
                'm' if self.is_ruby => if negative { &mut off } else { &mut on }.push('s'),
                'i' => if negative { &mut off } else { &mut on }.push(c),
                's' if !self.is_ruby => if negative { &mut off } else { &mut on }.push(c),
                'x' => self.here.extended = !negative,
                'm' => self.here.lines = !negative,
                '-' if !negative => negative = true,
                ':' => break true,
                ')' => break false,
                other => {
                    let message = format!(
                        "`(?{other}` is not known; groups begin with `(?:`, `(?=`, `(?!`, `(?<=`, `(?<!`, `(?>`, `(?<name>` or flags"
                    );
                    self.here = outer;
                    return Err(BadRegex::at(message, self.from(start)));
                }
            }
        };
        let minus = if off.is_empty() { "" } else { "-" };
        let letters = format!("{on}{minus}{off}");
        if scoped {
            self.out.push_str(&format!("(?{letters}:"));
            self.scopes.push(outer);
            self.here.opened = 0;
            self.here.open = start;
            self.here.out = out;
            self.here.before = self.estimate;
        } else {
            // As in Ruby, the flags apply to a group that extends to the end of the enclosing group: `a(?i)b|c` is `a(?i:b|c)`.
            self.out.push_str(&format!("(?{letters}:"));
            self.here.opened += 1;
        }
        self.atom = None;
        Ok(())
    }

    fn escape(&mut self, start: usize) -> Step {
        let Some(c) = self.next() else {
            return Err(BadRegex::at("nothing follows this `\\`", self.from(start)));
        };
        match c {
            'd' | 'w' | 's' | 'h' => self.atom(&format!("[{}]", ascii(c)), 1),
            'D' | 'W' | 'S' | 'H' => self.atom(&format!("[^{}]", ascii(c.to_ascii_lowercase())), 8),
            // As in Ruby, word boundaries follow Unicode although `\w` is ASCII.
            'b' | 'B' => self.place(&format!("\\{c}")),
            'A' => self.place(r"\A"),
            'z' => self.place(r"\z"),
            'Z' => {
                self.backtracks = true;
                self.place(r"(?=\n?\z)");
            }
            'G' | 'K' => {
                self.backtracks = true;
                self.place(&format!("\\{c}"));
            }
            'R' => {
                // An atomic group, because `\R` does not backtrack.
                self.backtracks = true;
                self.atom(r"(?>\r\n|[\n\x0B\f\r\u{85}\u{2028}\u{2029}])", 10);
            }
            'k' => self.named_reference(start)?,
            'g' | 'X' => {
                let message = format!("`\\{c}` is not supported");
                return Err(BadRegex::at(message, self.from(start)));
            }
            '1'..='9' => self.reference(start, c)?,
            'p' | 'P' => {
                let text = class::property(self, start, c == 'P')?;
                self.atom(&format!("[{text}]"), 400);
            }
            c => match class::letter(self, start, c)? {
                class::Letters::One(c) => self.literal(c),
                class::Letters::Many(all) => all.chars().for_each(|c| self.literal(c)),
            },
        }
        Ok(())
    }

    /// Parses `\1`: a back-reference if enough groups exist, otherwise an octal number, as in Ruby.
    fn reference(&mut self, start: usize, first: char) -> Step {
        let more: String = self.rest().chars().take_while(char::is_ascii_digit).take(2).collect();
        let all = format!("{first}{more}");
        let number: usize = all.parse().unwrap_or(usize::MAX);
        let total = count_groups(self.source);
        if number <= total || more.is_empty() {
            if number > total || !self.plain_capture {
                let message = if self.plain_capture {
                    format!("unknown group {number}")
                } else {
                    "groups with names are referred to by name: `\\k<name>`".into()
                };
                return Err(BadRegex::at(message, self.from(start)));
            }
            self.at += more.len();
            self.backtracks = true;
            self.atom(&format!("(?:\\{number})"), 1);
            return Ok(());
        }
        let octal: String = all.chars().take_while(|c| c.is_digit(8)).collect();
        match u32::from_str_radix(&octal, 8).ok().and_then(char::from_u32) {
            Some(c) => {
                self.at += octal.len() - 1;
                self.literal(c);
                Ok(())
            }
            None => Err(BadRegex::at(format!("unknown group {number}"), self.from(start))),
        }
    }

    fn named_reference(&mut self, start: usize) -> Step {
        let close = if self.eat("<") {
            '>'
        } else if self.eat("'") {
            '\''
        } else {
            return Err(BadRegex::at("a named group is referred to as `\\k<name>`", self.from(start)));
        };
        let name = self.rest().split_once(close).map(|(name, _)| name).unwrap_or_default();
        let number = self.names.iter().find(|(n, _)| n == name).map(|(_, n)| *n);
        let number = number.or_else(|| name.parse().ok().filter(|n| *n >= 1 && *n <= count_groups(self.source)));
        let Some(number) = number else {
            return Err(BadRegex::at(format!("unknown group `{name}`: it must be defined earlier"), self.from(start)));
        };
        self.at += name.len() + 1;
        self.backtracks = true;
        self.atom(&format!("(?:\\{number})"), 1);
        Ok(())
    }
}

/// Returns the ASCII set of `\d`, `\w`, `\s` or `\h`, without brackets.
fn ascii(letter: char) -> &'static str {
    match letter {
        'd' => DIGIT,
        'w' => WORD,
        's' => SPACE,
        _ => HEX,
    }
}

/// Writes a literal character.
fn push_literal(out: &mut String, c: char) {
    match c {
        '\\' | '.' | '+' | '*' | '?' | '(' | ')' | '|' | '[' | ']' | '{' | '}' | '^' | '$' | '#' | '&' | '-' | '~' => {
            out.push('\\');
            out.push(c);
        }
        // Whitespace and control characters by number, independent of flags.
        c if c.is_ascii_whitespace() || c.is_control() => out.push_str(&format!("\\x{{{:X}}}", u32::from(c))),
        c => out.push(c),
    }
}

/// Calls `found` with the rest of the pattern after each `(` that opens a group.
fn each_group(source: &str, mut found: impl FnMut(&str)) {
    let mut letters = source.char_indices();
    let mut classes = 0usize;
    while let Some((at, c)) = letters.next() {
        match c {
            '\\' => {
                letters.next();
            }
            '[' => classes += 1,
            ']' => classes = classes.saturating_sub(1),
            '(' if classes == 0 => found(source.get(at + 1..).unwrap_or_default()),
            _ => {}
        }
    }
}

fn is_named(after: &str) -> bool {
    let angle = after.strip_prefix("?<").or_else(|| after.strip_prefix("?P<"));
    angle.is_some_and(|rest| !rest.starts_with(['=', '!'])) || after.starts_with("?'")
}

fn has_names(source: &str) -> bool {
    let mut any = false;
    each_group(source, |after| any |= is_named(after));
    any
}

/// Returns the number of capturing groups in the whole pattern.
fn count_groups(source: &str) -> usize {
    let (mut plain, mut named) = (0, 0);
    each_group(source, |after| {
        if is_named(after) {
            named += 1;
        } else if !after.starts_with('?') {
            plain += 1;
        }
    });
    if named > 0 { named } else { plain }
}
