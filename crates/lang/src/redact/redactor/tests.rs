use super::*;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};

const PEM: &str = "-----BEGIN PRIVATE KEY-----\nMIIBVQIBADANBgkqhkiG9w0BAQEFAASCAT8wggE7AgEAAkEAq7BFUpkGp3+LQmlQ\nYx2eqzDV+xeG8kx/sQFV18S5JhzGeIJNA72wSeukEPojtqUyX2J0CciPBh7eqclQ\n2zpAswIDAQAB\n-----END PRIVATE KEY-----\n";

const SECRETS: &[&str] =
    &["hunter2hunter", "it's \"5\\0%\" $HOME&co", "žluťoučký kůň\n😀 second line", PEM, "pässword", "a+b/c d?e", "abcd"];

fn json_ascii(text: &str, upper: bool) -> String {
    let escaped = |unit: u16| if upper { format!("\\u{unit:04X}") } else { format!("\\u{unit:04x}") };
    let plain = serde_json::to_string(text).unwrap();
    plain
        .chars()
        .map(|c| if c.is_ascii() { c.to_string() } else { c.encode_utf16(&mut [0; 2]).iter().map(|u| escaped(*u)).collect() })
        .collect()
}

fn percent(text: &str, upper: bool, plus: bool) -> String {
    let one = |b: u8| match b {
        b' ' if plus => "+".to_owned(),
        b if b.is_ascii_alphanumeric() || b"-._~".contains(&b) => char::from(b).to_string(),
        b if upper => format!("%{b:02X}"),
        b => format!("%{b:02x}"),
    };
    text.bytes().map(one).collect()
}

fn wrapped(text: &str, width: usize) -> String {
    text.as_bytes().chunks(width).map(|line| format!("{}\n", std::str::from_utf8(line).unwrap())).collect()
}

/// Returns the forms in which programs may print a string.
fn forms(secret: &str) -> Vec<(String, String)> {
    let mut found = vec![("raw".to_owned(), secret.to_owned())];
    let mut add = |name: &str, text: String| found.push((name.to_owned(), text));
    add("json", serde_json::to_string(secret).unwrap());
    add("json twice", serde_json::to_string(&serde_json::to_string(secret).unwrap()).unwrap());
    add("debug", format!("{secret:?}"));
    add("shell", format!("'{}'", secret.replace('\'', r"'\''")));
    add("backslashes", secret.chars().map(|c| if c.is_alphanumeric() || c == '\n' { c.to_string() } else { format!("\\{c}") }).collect());
    add("dollar", format!("$'{}'", secret.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n")));
    add(
        "bytes",
        secret.bytes().map(|b| if b.is_ascii_alphanumeric() { char::from(b).to_string() } else { format!("\\{b:03o}") }).collect(),
    );
    add("xml", secret.replace('&', "&amp;").replace('"', "&quot;").replace('\'', "&#39;"));
    add("hex", secret.bytes().map(|b| format!("{b:02x}")).collect());
    add("hex dump", secret.bytes().map(|b| format!("{b:02x}")).collect::<Vec<_>>().join(" "));
    add("colours", secret.chars().map(String::from).collect::<Vec<_>>().join("\x1b[0m\x1b[1;31m"));
    for upper in [false, true] {
        add("json ascii", json_ascii(secret, upper));
        add("json ascii twice", serde_json::to_string(&json_ascii(secret, upper)).unwrap());
        add("percent", percent(secret, upper, false));
        add("form", percent(secret, upper, true));
    }
    for before in ["", "x", "xy"] {
        for after in ["", "z"] {
            let text = format!("{before}{secret}{after}");
            add("base64", STANDARD.encode(&text));
            add("base64 url", URL_SAFE.encode(&text));
            add("base64 wrapped", wrapped(&STANDARD.encode(&text), 76));
            add("base64 wrapped in json", serde_json::to_string(&wrapped(&STANDARD.encode(&text), 60)).unwrap());
        }
    }
    found
}

fn redactor(secrets: &[&str]) -> Redactor {
    let redactor = Redactor::new();
    secrets.iter().for_each(|s| redactor.add(s, false));
    redactor
}

#[test]
fn secrets_are_found_in_every_form() {
    for secret in SECRETS {
        let redactor = redactor(&[secret]);
        for (name, form) in forms(secret) {
            let shown = redactor.redact(&format!("<< {form} >>"));
            let inner = shown.trim_start_matches("<< ").trim_end_matches(" >>").trim_end();
            // Only quotes and the delimiters of keys may remain.
            let left = inner.replace(REDACTED, "").replace("-----BEGIN PRIVATE KEY-----", "").replace("-----END PRIVATE KEY-----", "");
            assert!(left.chars().all(|c| "\"'\\$ \nn".contains(c)), "{name} of {secret:?}: {form:?} gives {shown:?}");
        }
    }
}

#[test]
fn masks_have_one_length() {
    let redactor = redactor(&["hunter2", "a much longer secret than that"]);
    assert_eq!(redactor.redact("p=hunter2;"), redactor.redact("p=a much longer secret than that;"));
}

#[test]
fn lines_of_a_key_are_secrets() {
    let redactor = redactor(&[PEM]);
    for line in PEM.lines().filter(|l| !l.starts_with('-')) {
        assert_eq!(redactor.redact(&format!("line: {line}")), "line: [redacted]");
    }
}

#[test]
fn json_stays_json() {
    let redactor = redactor(SECRETS);
    for secret in SECRETS {
        let text = serde_json::json!({"password": secret, "list": [secret, 5], "nested": serde_json::json!({"p": secret}).to_string()})
            .to_string();
        let shown = redactor.redact(&text);
        let json: serde_json::Value = serde_json::from_str(&shown).unwrap_or_else(|e| panic!("{shown}: {e}"));
        assert_eq!(json["list"][1], 5);
    }
}

#[test]
fn overlapping_secrets_leave_nothing() {
    assert_eq!(redactor(&["abcdef", "defghi"]).redact("abcdefghi"), REDACTED);
}

#[test]
fn output_with_a_short_or_common_secret_is_withheld() {
    let redactor = Redactor::new();
    redactor.add("x1", false);
    redactor.add("present", true);
    let error = Foreign::from("`tool` exited with 1: ").then(Foreign::output("password x1 is too short"));
    assert_eq!(redactor.reveal(&error), "`tool` exited with 1: [output withheld: it contains a secret]");
    assert_eq!(redactor.reveal(&Foreign::output("is it present?")), WITHHELD);
    assert_eq!(redactor.reveal(&Foreign::output("fine")), "fine");
    assert_eq!(redactor.redact("ensure is present"), "ensure is present");
}

#[test]
fn lines_are_cut_after_they_were_redacted() {
    let text = format!("{}\nthe end", wrapped(&STANDARD.encode(PEM), 76));
    let shown = redactor(&[PEM]).reveal(&Foreign::last_lines(text, 3));
    assert_eq!(shown, "[redacted]\n\nthe end");
}

#[test]
fn foreign_text_shows_nothing_of_itself() {
    assert!(!format!("{:?}", Foreign::output("hunter2")).contains("hunter2"));
}

#[test]
fn bytes_that_are_not_text_are_found_as_programs_print_them() {
    let bytes = b"\xff\xfeS3cretBinaryASCII-value\x00\x01";
    let redactor = Redactor::new();
    redactor.add_value(&Value::Binary(bytes.as_slice().into()), true, &|_| false);
    let hexadecimal: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
    for printed in [String::from_utf8_lossy(bytes).into_owned(), "S3cretBinaryASCII-value".into(), hexadecimal] {
        assert_eq!(redactor.redact(&format!("<{printed}>")), "<[redacted]>", "{printed}");
    }
}

#[test]
fn sensitive_symbols_are_redacted_unless_every_resource_has_them() {
    let redactor = Redactor::new();
    for name in ["hunter2", "present", "absent"] {
        redactor.add_value(&Value::sym(name), true, &|_| false);
    }
    redactor.add_value(&Value::sym("visible"), false, &|_| false);
    assert_eq!(redactor.redact("hunter2 visible present absent"), "[redacted] visible present absent");
}
