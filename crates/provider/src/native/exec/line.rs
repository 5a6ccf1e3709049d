//! A command: a string that is split or passed to a shell as in Ruby, or a list that is used as is.

use rtype_lang::value::Value;

/// Words with which Ruby hands a command to the shell when they come first: what only a shell has.
const SHELL_WORDS: [&str; 29] = [
    "!", ".", ":", "break", "case", "continue", "do", "done", "elif", "else", "esac", "eval", "exec", "exit", "export", "fi", "for", "if",
    "in", "readonly", "return", "set", "shift", "then", "times", "trap", "unset", "until", "while",
];

/// A command, or a test in `onlyif` or `unless`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A command line.
    Text(String),
    /// The program and its arguments.
    List(Vec<String>),
}

impl Line {
    /// Converts a value to a command; sensitive values are unwrapped.
    pub(super) fn of(value: &Value) -> Line {
        match value.unwrapped() {
            Value::Array(_) => {
                let mut words = Vec::new();
                flatten(value, &mut words);
                Line::List(words)
            }
            one => Line::Text(one.to_text().into()),
        }
    }

    /// Returns the program as far as it can be determined without a shell: the first element, the quoted text at the
    /// beginning of a line, or everything up to the first blank.
    pub(super) fn program(&self) -> &str {
        match self {
            Line::List(words) => words.first().map_or("", String::as_str),
            Line::Text(text) => quoted(text).unwrap_or_else(|| text.split(' ').next().unwrap_or_default()),
        }
    }

    /// Returns the words to start, where no shell is needed.
    ///
    /// Follows Ruby's `Kernel.exec`, which Puppet hands the text to.
    pub(super) fn words(&self) -> Option<Vec<String>> {
        let text = match self {
            Line::List(words) => return Some(words.clone()),
            Line::Text(text) => text,
        };
        let words: Vec<String> = text.split([' ', '\t']).filter(|word| !word.is_empty()).map(str::to_owned).collect();
        let first = words.first()?;
        let special = text.contains(|c: char| "*?{}[]<>()~&|\\$;'`\"\n#".contains(c));
        // If the first word contains a slash before any `=`, it is a path rather than an assignment.
        let sets = first.split('/').next().is_some_and(|before| before.contains('='));
        (!special && !sets && !SHELL_WORDS.contains(&first.as_str())).then_some(words)
    }

    /// As one text, for a shell.
    pub(super) fn text(&self) -> String {
        match self {
            Line::Text(text) => text.clone(),
            Line::List(words) => words.join(" "),
        }
    }
}

fn flatten(value: &Value, words: &mut Vec<String>) {
    match value.unwrapped() {
        Value::Array(all) => all.iter().for_each(|v| flatten(v, words)),
        one => words.push(one.to_text().into()),
    }
}

/// Returns the quoted text at the beginning of a line.
fn quoted(text: &str) -> Option<&str> {
    let beginnings = std::iter::once(text).chain(text.match_indices('\n').filter_map(|(at, _)| text.get(at + 1..)));
    let mut quoted = beginnings.filter_map(|line| {
        let quote = line.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        line.get(1..)?.split_once(quote).map(|(inside, _)| inside).filter(|inside| !inside.is_empty())
    });
    quoted.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Option<Vec<String>> {
        Line::Text(text.into()).words()
    }

    #[test]
    fn a_plain_text_needs_no_shell() {
        assert_eq!(words("/bin/echo  a\tb=c !x ^y a%b ").unwrap(), ["/bin/echo", "a", "b=c", "!x", "^y", "a%b"]);
        assert_eq!(words("/bin/a=b c").unwrap(), ["/bin/a=b", "c"]);
    }

    #[test]
    fn shell_syntax_requires_a_shell() {
        for text in
            ["a=b /bin/echo", "/bin/echo a#b", "/bin/echo a~", "exit 3", "export", "/bin/a && /bin/b", "/bin/echo 'a b'", "a\nb", ""]
        {
            assert_eq!(words(text), None, "{text}");
        }
    }

    #[test]
    fn a_list_is_never_taken_apart() {
        let list = Line::of(&Value::array([Value::str("/bin/echo"), Value::str("a; b")]));
        assert_eq!(list.words().unwrap(), ["/bin/echo", "a; b"]);
        assert_eq!(list.program(), "/bin/echo");
    }

    #[test]
    fn the_program_may_stand_in_quotes() {
        let program = |text: &str| Line::Text(text.into()).program().to_owned();
        assert_eq!(program("/bin/echo a"), "/bin/echo");
        assert_eq!(program("\"/opt/my tool\" -x"), "/opt/my tool");
        assert_eq!(program("'/opt/my tool' -x"), "/opt/my tool");
        assert_eq!(program(" /bin/echo"), "");
    }
}
