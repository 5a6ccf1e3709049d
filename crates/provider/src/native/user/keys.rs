//! The names of the SSH keys in an `authorized_keys` file, for purging a user's unmanaged keys.

/// The key types that Puppet's `ssh_authorized_key` supports.
const KINDS: [&str; 8] = [
    "ssh-dss",
    "ssh-rsa",
    "ssh-ed25519",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "sk-ecdsa-sha2-nistp256@openssh.com",
    "sk-ssh-ed25519@openssh.com",
];

/// Returns the comment of a key line, `None` if the line contains no key.
fn comment(line: &str) -> Option<&str> {
    let mut rest = line;
    loop {
        let (word, behind) = rest.split_once([' ', '\t'])?;
        rest = behind;
        if KINDS.contains(&word) {
            let behind = behind.trim_start();
            let (key, comment) = behind.split_once([' ', '\t']).unwrap_or((behind, ""));
            return (!key.is_empty()).then_some(comment.trim());
        }
    }
}

/// Returns the names of the keys in a file's text, in order. A key is called by its comment; one without gets the name
/// `FILE:unnamed-NUMBER`, as in Puppet's `type/user.rb`, where the number counts the keys without a comment.
pub(super) fn names(text: &str, file: &str) -> Vec<String> {
    let mut unnamed = 0;
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    let name = |comment: &str| {
        if !comment.is_empty() {
            return comment.to_owned();
        }
        unnamed += 1;
        format!("{file}:unnamed-{unnamed}")
    };
    lines.filter_map(comment).map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_called_by_its_comment_or_by_its_number() {
        let text =
            "# ssh-rsa AAA no\nssh-rsa AAA bob@home laptop\n\nfrom=\"*.x\",no-pty ssh-ed25519 BBB\r\nnonsense here\nssh-rsa CCC\nssh-rsa\n";
        assert_eq!(names(text, "/k"), ["bob@home laptop", "/k:unnamed-1", "/k:unnamed-2"]);
    }
}
