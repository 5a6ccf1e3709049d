//! Searches the program's output for secrets, in every encoding that the program may use.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE};
use rtype_lang::value::digest::hex;

/// A token in every secret of the tests; it must not appear in any output.
pub const TOKEN: &str = "mArker";

/// Returns the encodings of a secret that programs produce.
pub fn forms(secret: &str) -> Vec<String> {
    let json = serde_json::to_string(secret).unwrap();
    let ascii = |upper: bool| -> String {
        let unit = |u: u16| if upper { format!("\\u{u:04X}") } else { format!("\\u{u:04x}") };
        json.chars()
            .map(|c| if c.is_ascii() { c.to_string() } else { c.encode_utf16(&mut [0; 2]).iter().map(|u| unit(*u)).collect() })
            .collect()
    };
    let percent = |plus: bool| -> String {
        let one = |b: u8| match b {
            b' ' if plus => "+".to_owned(),
            b if b.is_ascii_alphanumeric() => char::from(b).to_string(),
            b => format!("%{b:02X}"),
        };
        secret.bytes().map(one).collect()
    };
    let wrapped: String = STANDARD.encode(secret).as_bytes().chunks(76).map(|l| format!("{}\n", std::str::from_utf8(l).unwrap())).collect();
    vec![
        secret.to_owned(),
        serde_json::to_string(&json).unwrap(),
        json.clone(),
        ascii(true),
        ascii(false),
        format!("{secret:?}"),
        format!("'{}'", secret.replace('\'', r"'\''")),
        format!("$'{}'", secret.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n")),
        percent(true),
        percent(false),
        secret.bytes().map(|b| if b.is_ascii_alphanumeric() { char::from(b).to_string() } else { format!("%{b:02x}") }).collect(),
        wrapped,
        STANDARD.encode(format!("x{secret}")),
        URL_SAFE.encode(format!("{{\"p\":{json}}}")),
        secret.bytes().map(|b| format!("{b:02x}")).collect(),
    ]
}

/// Returns the possible decodings of a string.
fn readings(text: &str) -> Vec<String> {
    let mut all = vec![text.to_owned()];
    let unescaped = |text: &str| text.replace("\\n", "\n").replace("\\\"", "\"").replace("\\u006d", "m").replace("\\\\", "\\");
    all.push(unescaped(text));
    all.push(unescaped(&unescaped(text)));
    let is_letter = |c: char| c.is_ascii_alphanumeric() || "+/-_".contains(c);
    let runs: Vec<String> = text.replace("\\n", "\n").split(|c| !is_letter(c)).filter(|run| run.len() >= 8).map(str::to_owned).collect();
    for run in runs {
        for skip in 0..4 {
            let part: String = run
                .chars()
                .skip(skip)
                .map(|c| {
                    if c == '-' {
                        '+'
                    } else if c == '_' {
                        '/'
                    } else {
                        c
                    }
                })
                .collect();
            let whole = &part[..part.len() - part.len() % 4];
            all.extend(STANDARD_NO_PAD.decode(whole).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()));
        }
        let hex: Vec<u8> = (0..run.len() / 2).filter_map(|i| u8::from_str_radix(run.get(2 * i..2 * i + 2)?, 16).ok()).collect();
        all.push(String::from_utf8_lossy(&hex).into_owned());
    }
    all
}

/// Asserts that output contains no secret in any encoding.
#[track_caller]
pub fn assert_hidden(what: &str, text: &str) {
    let leak = readings(text).into_iter().find(|reading| reading.contains(TOKEN));
    if let Some(leak) = leak {
        let at = leak.find(TOKEN).unwrap();
        let around: String = leak.chars().skip(leak[..at].chars().count().saturating_sub(60)).take(200).collect();
        panic!("{what} shows a secret: …{around}…");
    }
}

/// The beginning of each secret for [`Leaks`]. Four consecutive letters of the probe appear nowhere else.
pub const PROBE: &str = "QzxWvkJyqGbp";

/// A number that is a secret.
pub const NUMBER: &str = "7351948206";

/// Collects outputs that show a secret, a part of a secret or a checksum.
#[derive(Default)]
pub struct Leaks(std::collections::BTreeSet<String>);

impl Leaks {
    /// Searches an output for secrets that begin with [`PROBE`].
    pub fn search(&mut self, what: &str, text: &str, secrets: &[String]) {
        if let Some(line) = text.lines().find(|line| shows(line)) {
            self.0.insert(format!("{what}: {line:.400}"));
        } else if readings(text).iter().skip(3).any(|reading| contains_part(&reading.to_lowercase(), 6)) {
            self.0.insert(format!("{what}: encoded in {text:.400}"));
        }
        let digests = secrets.iter().flat_map(|secret| ["md5", "sha256"].map(|kind| hex(kind, secret.as_bytes()).unwrap()));
        if let Some(digest) = digests.into_iter().find(|digest| text.contains(digest.as_str())) {
            self.0.insert(format!("{what}: the checksum {digest}"));
        }
    }

    #[track_caller]
    pub fn assert_none(&self) {
        let all: Vec<&str> = self.0.iter().map(String::as_str).collect();
        assert!(all.is_empty(), "{} outputs show a secret:\n{}", all.len(), all.join("\n"));
    }
}

/// Returns whether a line contains four consecutive letters of the secret, forward or reversed, in any case, also in percent encoding.
fn shows(line: &str) -> bool {
    let line = line.to_lowercase();
    contains_part(&line, 4) || contains_part(&line.chars().rev().collect::<String>(), 4)
}

fn contains_part(text: &str, length: usize) -> bool {
    let probe = PROBE.to_lowercase();
    (0..=probe.len() - length).any(|at| text.contains(&probe[at..at + length])) || text.contains(&NUMBER[..8])
}

/// Quotes a string as in a manifest.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}
