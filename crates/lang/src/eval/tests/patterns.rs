//! Compares the regexes in blocks with Ruby 3.1, using the recorded results in `tests/regex`.

use super::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct Row {
    re: String,
    flags: String,
    texts: Vec<String>,
    /// The reason for an intended difference.
    differs: Option<String>,
    /// Results where `^` and `$` match at line ends.
    lines: Answers,
    /// Results where `^` and `$` match at the ends of the string; absent if the pattern contains neither.
    ends: Option<Answers>,
}

/// The string `refused`, or one result for each string.
#[derive(Deserialize)]
#[serde(untagged)]
enum Answers {
    Refused(Refused),
    Values(Vec<Answer>),
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Refused {
    Refused,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Answer {
    groups: Option<Vec<Option<String>>>,
    at: Option<usize>,
    sub: String,
    gsub: String,
    scan: serde_json::Value,
}

/// Returns the strings for which a pattern behaves differently than in Ruby, with a description.
fn differences(re: &str, flags: Flags, texts: &[String], ruby: &Answers) -> Vec<(String, String)> {
    let regex = Regex::new(re, flags);
    let given = match (&regex, ruby) {
        (Err(_), Answers::Refused(_)) => return Vec::new(),
        (Err(e), Answers::Values(_)) => return texts.iter().map(|t| (t.clone(), format!("refused: {e}"))).collect(),
        (Ok(_), Answers::Refused(_)) => return texts.iter().map(|t| (t.clone(), "taken, but Ruby refuses it".to_owned())).collect(),
        (Ok(_), Answers::Values(given)) => given,
    };
    let regex = Arc::new(regex.unwrap());
    let mut wrong = Vec::new();
    for (text, ruby) in texts.iter().zip(given) {
        let found = regex.captures_at(text, 0);
        let at = found.as_ref().and_then(|g| g.first()?.clone()).map(|whole| text[..whole.start].chars().count());
        let groups = found.map(|g| g.into_iter().map(|r| r.map(|r| text[r].to_owned())).collect());
        let replaced = |name: &str| {
            let arguments = vec![c(Value::Regex(Arc::clone(&regex))), c(s("<\\0|\\1>"))];
            eval(method(c(s(text)), name, arguments)).map_or_else(|f| f.message, |v| v.to_text().to_string())
        };
        let scan = eval(method(c(s(text)), "scan", vec![c(Value::Regex(Arc::clone(&regex)))]));
        let scan = scan.map_or_else(|f| f.message.into(), |v| v.to_json());
        let ours = Answer { groups, at, sub: replaced("sub"), gsub: replaced("gsub"), scan };
        if ours != *ruby {
            wrong.push((text.clone(), format!("{ours:?}\n    Ruby {ruby:?}")));
        }
    }
    wrong
}

#[test]
fn patterns_mean_what_ruby_means() {
    let rows = include_str!("../../../../../tests/regex/recorded.jsonl").lines().map(|line| serde_json::from_str::<Row>(line).unwrap());
    let (mut pairs, mut wrong) = (0, Vec::new());
    for row in rows {
        pairs += row.texts.len();
        let flag = |letter| row.flags.contains(letter);
        let flags = Flags { ignore_case: flag('i'), dot_all: flag('s'), extended: flag('x'), ..Flags::default() };
        let mut found = match &row.ends {
            None => differences(&row.re, flags, &row.texts, &row.lines),
            Some(ends) => {
                let mut found = differences(&row.re, flags, &row.texts, ends);
                found.extend(differences(&format!("(?m){}", row.re), flags, &row.texts, &row.lines));
                found
            }
        };
        if let Some(reason) = &row.differs {
            let same = row.texts.iter().filter(|t| found.iter().all(|(text, _)| text != *t));
            wrong.extend(same.map(|t| format!("/{}/{} on {t:?}: as Ruby, though `{reason}`", row.re, row.flags)));
            found.clear();
        }
        wrong.extend(found.iter().map(|(text, sides)| format!("/{}/{} on {text:?}:\n    ours {sides}", row.re, row.flags)));
    }
    assert!(pairs >= 1000, "only {pairs}");
    assert!(wrong.is_empty(), "{} of {pairs}:\n{}", wrong.len(), wrong.join("\n"));
}
