//! A pager for output longer than the terminal.

use super::foreground::{NOT_FOUND, run_with, variable};
use crate::app::is_dumb_terminal;
use rtype_system::process;
use std::io::{self, IsTerminal, Write};

/// The pager if `$PAGER` is not set.
const PAGER: &str = "less -FRX";

/// Prints output, in a pager if there is a pager and the output does not fit on the terminal.
pub(super) fn show(text: &str, with_pager: bool) -> io::Result<()> {
    if with_pager && is_long(text) {
        let pager = variable(&["PAGER"]).unwrap_or_else(|| PAGER.to_owned());
        let status = run_with(&pager, text);
        // If the pager does not exist, print the output.
        if status.is_ok_and(|status| status.code() != Some(NOT_FOUND)) {
            return Ok(());
        }
    }
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Returns whether the output and a prompt do not fit on the terminal.
fn is_long(text: &str) -> bool {
    let is_terminal = process::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb_terminal();
    let size = is_terminal.then(terminal_size::terminal_size).flatten();
    size.is_some_and(|(width, height)| rows(text, usize::from(width.0)) >= usize::from(height.0))
}

/// Returns the number of rows that the output fills. An estimate is enough, because a pager prints short output directly.
fn rows(text: &str, width: usize) -> usize {
    text.lines().map(|line| printed(line).div_ceil(width.max(1)).max(1)).sum()
}

/// Returns the number of printed characters in a line, without escape sequences.
fn printed(line: &str) -> usize {
    let mut is_escape = false;
    let is_printed = |c: &char| {
        let hidden = is_escape || *c == '\x1b';
        is_escape = hidden && !c.is_ascii_alphabetic();
        !hidden
    };
    line.chars().filter(is_printed).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_count_wrapped_lines_without_colours() {
        assert_eq!(rows("", 80), 0);
        assert_eq!(rows("a\n\nb\n", 80), 3);
        assert_eq!(rows("abcdef\n", 3), 2);
        assert_eq!(rows("\x1b[1;31mabc\x1b[0m\n", 3), 1);
    }
}
