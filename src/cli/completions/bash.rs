//! Completion in Bash.
//!
//! The adapter of `clap_complete` passes the words as Bash splits them. Bash also splits at `=`, `:` and `@`, so the adapter completes
//! neither `--format=json` nor `ensure=present`. The adapter also does not quote titles and files with blanks.

use clap::Command;
use clap_complete::engine::complete;
use clap_complete::env::EnvCompleter;
use std::ffi::OsString;
use std::io;
use std::path::Path;

#[derive(Debug)]
pub(super) struct Bash;

/// Passes the part of the word that Bash replaces, then the words up to the cursor.
const SCRIPT: &str = r#"_rtype() {
    mapfile -t COMPREPLY < <(VARIABLE=bash COMPLETER -- "$2" "${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null)
    if [[ ${COMPREPLY[0]-} == *[=/] ]]; then compopt -o nospace; fi
}
complete -o bashdefault -o default -o nosort -F _rtype BIN
"#;

impl EnvCompleter for Bash {
    fn name(&self) -> &'static str {
        "bash"
    }

    fn is(&self, name: &str) -> bool {
        name == "bash"
    }

    fn write_registration(&self, variable: &str, _: &str, bin: &str, completer: &str, out: &mut dyn io::Write) -> io::Result<()> {
        let quoted = |text: &str| shlex::try_quote(text).map_or_else(|_| text.to_owned(), |quoted| quoted.into_owned());
        let script = SCRIPT.replace("VARIABLE", variable).replace("COMPLETER", &quoted(completer)).replace("BIN", &quoted(bin));
        out.write_all(script.as_bytes())
    }

    fn write_complete(
        &self,
        command: &mut Command,
        args: Vec<OsString>,
        current_dir: Option<&Path>,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        let args: Vec<String> = args.iter().map(|a| a.to_string_lossy().into_owned()).collect();
        let replaced = Replaced::of(&args);
        let words: Vec<OsString> = words(&args).into_iter().map(OsString::from).collect();
        let last = words.len().saturating_sub(1);
        for candidate in complete(command, words, last, current_dir)? {
            if let Some(text) = replaced.with(&candidate.get_value().to_string_lossy()) {
                writeln!(out, "{text}")?;
            }
        }
        Ok(())
    }
}

/// Returns the words of a command line from the arguments that the script passes.
pub(super) fn words(args: &[String]) -> Vec<String> {
    joined(args).iter().map(|word| unquoted(word)).collect()
}

/// Joins the words that Bash splits at `=`, `:` and `@`.
fn joined(args: &[String]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut continues = false;
    for word in args.iter().skip(1) {
        let breaks = !word.is_empty() && word.chars().all(|c| matches!(c, '=' | ':' | '@'));
        match out.last_mut().filter(|_| continues || breaks) {
            Some(last) => last.push_str(word),
            None => out.push(word.clone()),
        }
        continues = breaks;
    }
    out
}

/// Removes the quotes of a word. The last quote may still be open.
fn unquoted(word: &str) -> String {
    let closed = ["", "'", "\""].into_iter().find_map(|quote| shlex::split(&format!("{word}{quote}")));
    closed.and_then(|words| words.into_iter().next()).unwrap_or_else(|| word.trim_start_matches(['\'', '"']).to_owned())
}

/// The part of the word that Bash replaces with a candidate.
#[derive(Debug)]
struct Replaced {
    /// The start of the word, kept by Bash.
    before: String,
    is_quoted: bool,
}

impl Replaced {
    fn of(args: &[String]) -> Replaced {
        let word = joined(args).pop().unwrap_or_default();
        let before = args.first().and_then(|replaced| word.strip_suffix(replaced.as_str())).unwrap_or_default();
        let is_quoted = word.starts_with(['\'', '"']);
        Replaced { before: if is_quoted { String::new() } else { unquoted(before) }, is_quoted }
    }

    /// Returns the replacement for a candidate.
    fn with(&self, candidate: &str) -> Option<String> {
        let rest = candidate.strip_prefix(self.before.as_str())?;
        Some(if self.is_quoted { rest.to_owned() } else { escaped(rest) })
    }
}

/// Escapes the characters with a special meaning in Bash.
fn escaped(text: &str) -> String {
    let is_plain = |c: char| !c.is_ascii() || c.is_ascii_alphanumeric() || "_-./:=@%+,~^".contains(c);
    text.chars().flat_map(|c| (!is_plain(c)).then_some('\\').into_iter().chain([c])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_the_command_line() {
        for (args, expected) in [
            ("us|rtype|describe|us", "rtype|describe|us"),
            ("|rtype|check|--format|=", "rtype|check|--format="),
            ("js|rtype|check|--format|=|js", "rtype|check|--format=js"),
            ("|rtype|--types|=|a|describe|", "rtype|--types=a|describe|"),
            ("a|rtype|resource|service|getty|@|a", "rtype|resource|service|getty@a"),
            ("///m|rtype|x|puppet|:|///m", "rtype|x|puppet:///m"),
            ("'a b|rtype|resource|x|'a b", "rtype|resource|x|a b"),
            ("a\\ b|rtype|resource|x|a\\ b", "rtype|resource|x|a b"),
        ] {
            let args: Vec<String> = args.split('|').map(str::to_owned).collect();
            assert_eq!(words(&args).join("|"), expected);
        }
    }

    #[test]
    fn candidates_replace_what_bash_replaces() {
        for (args, candidate, expected) in [
            ("us|rtype|us", "user", "user"),
            ("js|rtype|--format|=|js", "--format=json", "json"),
            ("|rtype|ensure|=", "ensure=present", "present"),
            ("a|rtype|a", "a b; $(reboot) `x` *", "a\\ b\\;\\ \\$\\(reboot\\)\\ \\`x\\`\\ \\*"),
            ("'a|rtype|'a", "a b", "a b"),
            ("x|rtype|getty|@|x", "getty@x é", "x\\ é"),
        ] {
            let args: Vec<String> = args.split('|').map(str::to_owned).collect();
            assert_eq!(Replaced::of(&args).with(candidate).as_deref(), Some(expected), "{args:?}");
        }
    }
}
