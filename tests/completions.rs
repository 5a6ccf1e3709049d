//! `rtype completions`, and the candidates at Tab. `tests/shells/run` presses Tab in Bash, Zsh and Fish.

use assert_cmd::Command;

fn rtype(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("rtype").unwrap();
    command.args(arguments);
    command
}

/// Returns the candidates for the last word, with descriptions. `|` separates the words.
fn candidates(words: &str) -> Vec<String> {
    let words: Vec<&str> = ["--", "rtype"].into_iter().chain(words.split('|')).collect();
    let output = rtype(&words).env("RTYPE_COMPLETE", "fish").current_dir("tests/describe").output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn every_shell_has_a_script() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = rtype(&["completions", shell]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && text.contains("RTYPE_COMPLETE"), "{shell}: {text}");
    }
    assert_eq!(rtype(&["completions", "tcsh"]).output().unwrap().status.code(), Some(2));
    let unknown = rtype(&["apply"]).env("RTYPE_COMPLETE", "tcsh").output().unwrap();
    assert_eq!((unknown.status.code(), unknown.stdout.len()), (Some(2), 0));
}

#[test]
fn values_of_arguments_are_offered() {
    for (words, expected) in [
        ("desc", "describe\tDescribe a type, and which of its providers work on this machine"),
        ("describe|ssh_auth", "ssh_authorized_key\tA public key that permits"),
        ("schema|USE", "user\tUser accounts, mainly for system services."),
        ("describe|--types|types|gad", "gadget\t"),
        ("--types=types|doc|gad", "gadget\t"),
        ("describe|types/gad", "types/gadget.rtype"),
        ("check|types/gad", "types/gadget.rtype"),
        ("diff|types/gad", "types/gadget.rtype"),
        ("explain|rt010", "RT010\tregex-unanchored"),
        ("explain|regex-unan", "regex-unanchored\tRT010"),
        ("check|--ignore|RT001,RT010", "RT001,RT010\tregex-unanchored"),
        ("check|--profile|str", "strict\tStyle and completeness"),
        ("check|--report|sar", "sarif=\tSARIF"),
        ("check|--report|sarif=types/gad", "sarif=types/gadget.rtype"),
        ("test|--report|ju", "junit=\tJUnit XML"),
        ("apply|x.pp|--format|j", "json\t"),
        ("resource|user|anybody|shel", "shell=\t"),
        ("resource|user|anybody|ensure=abs", "ensure=absent"),
        ("resource|user|anybody|shell=/dev/nul", "shell=/dev/null"),
        ("resource|user|anybody|ensure=present|shel", "shell=\t"),
        ("resource|file|/dev/nul", "/dev/null"),
        ("new|ty", "type\t"),
    ] {
        let found = candidates(words);
        assert!(found.iter().any(|candidate| candidate.starts_with(expected)), "{words}: {found:?}");
    }
}

/// Types named on the command line may start programs of any user.
#[test]
fn titles_of_named_types_are_not_read() {
    for words in ["resource|--types|types|gadget|", "resource|no_such_type|", "resource|no_such_type|x|", "explain|no-such-code"] {
        let found = candidates(words);
        assert!(found.iter().all(|candidate| candidate.starts_with('-')), "{words}: {found:?}");
    }
}
