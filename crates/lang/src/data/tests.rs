//! Compares the reader of YAML with Ruby's results, which `tests/yaml/record.rb` records.

use super::*;
use crate::value::{Map, Value, to_yaml};
use serde_json::Value as Json;

/// Converts a recorded value; `None` for errors and for objects other than plain data.
fn recorded(json: &Json) -> Option<Value> {
    let object = match json {
        Json::Array(items) => return items.iter().map(recorded).collect::<Option<Vec<_>>>().map(Value::array),
        Json::Object(object) => object,
        other => return Some(Value::from_json(other)),
    };
    let text = |name: &str| object.get(name).and_then(Json::as_str);
    if let Some(n) = text("int") {
        return n.parse().ok().map(Value::Int);
    }
    if let Some(n) = text("float") {
        return Some(Value::Float(n.to_lowercase().parse().unwrap()));
    }
    if let Some(bytes) = object.get("bytes") {
        return Some(Value::from_bytes(bytes.as_array().unwrap().iter().map(|b| b.as_u64().unwrap() as u8).collect()));
    }
    let pairs = object.get("map")?.as_array().unwrap();
    let pairs = pairs.iter().map(|pair| Some((recorded(&pair[0])?, recorded(&pair[1])?)));
    pairs.collect::<Option<Map>>().map(|map| Value::Map(Arc::new(map)))
}

/// Describes a value so that integers and floats differ, and NaN is equal to itself.
fn exact(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(exact).collect::<Vec<_>>().join(", ")),
        Value::Map(map) => {
            format!("{{{}}}", map.iter().map(|(k, v)| format!("{}: {}", exact(k), exact(v))).collect::<Vec<_>>().join(", "))
        }
        other => crate::value::inspect(other),
    }
}

fn cases() -> Vec<(String, Json)> {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/yaml/recorded.jsonl")).unwrap();
    let mut rows = text.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    let contexts = rows.next().unwrap()["contexts"].clone();
    let mut cases = Vec::new();
    for row in rows {
        match row.get("document") {
            Some(document) => cases.push((document.as_str().unwrap().to_owned(), row["answer"].clone())),
            None => {
                let scalar = row["scalar"].as_str().unwrap();
                let texts = contexts.as_array().unwrap().iter().map(|context| context.as_str().unwrap().replacen("%s", scalar, 1));
                cases.extend(texts.zip(row["answers"].as_array().unwrap().iter().cloned()));
            }
        }
    }
    cases
}

fn read(text: &str) -> Result<Value, String> {
    parse_text(text, |source| parse_yaml(source, YamlRules::default())).map(|node| node.to_value())
}

#[test]
fn yaml_is_read_as_ruby_reads_it() {
    let cases = cases();
    assert!(cases.len() > 9_000, "{}", cases.len());
    let (mut wrong, mut refused, mut accepted) = (Vec::new(), Vec::new(), Vec::new());
    for (text, answer) in &cases {
        let ours = read(text);
        match (recorded(answer), &ours) {
            (Some(ruby), Ok(ours)) if exact(&ruby) == exact(ours) => {}
            (None, Err(_)) => {}
            (None, Ok(ours)) => accepted.push(format!("{text:?} is {}: {}", exact(ours), answer["raises"])),
            (Some(ruby), Ok(ours)) => wrong.push(format!("{text:?} is {} in Ruby and {} here", exact(&ruby), exact(ours))),
            (Some(ruby), Err(why)) => refused.push(format!("{text:?} is {} in Ruby: {why}", exact(&ruby))),
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    insta::assert_snapshot!(format!("Errors here only\n{}\n\nErrors in Ruby only\n{}\n", refused.join("\n"), accepted.join("\n")));
}

#[test]
fn written_yaml_is_read_as_the_same_value() {
    let mut wrong = Vec::new();
    for (_, answer) in cases() {
        let Some(value) = recorded(&answer) else { continue };
        let key = Value::Map(Arc::new(Map::from_iter([(value.clone(), Value::array([value.clone()]))])));
        for value in [value, key] {
            let text = to_yaml(&value);
            // Ruby writes these characters in quotes and reads them back as a string. rtype refuses line separators everywhere.
            if text.contains(['\u{2028}', '\u{2029}']) {
                continue;
            }
            let read = read(&text);
            if read.as_ref().map(exact) != Ok(exact(&value)) {
                wrong.push(format!("{} is written as {text:?}, which is read as {:?}", exact(&value), read.map(|v| exact(&v))));
            }
        }
    }
    wrong.sort();
    wrong.dedup();
    assert!(wrong.is_empty(), "{} differ\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn numbers_of_json_are_exact_or_errors() {
    let written = |text: &str| {
        let value = parse_text(text, |source| parse_json(source, 0)).map(|node| node.to_value())?;
        crate::value::to_json(&value, false).ok_or_else(|| "no JSON".to_owned())
    };
    // Each row: a JSON string, and Ruby's output for the string.
    for (text, ruby) in [
        ("-0", "0"),
        ("-0.0", "-0.0"),
        ("1.0", "1.0"),
        ("1e2", "100.0"),
        ("9223372036854775807", "9223372036854775807"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("{\"a\":1,\"b\":2,\"a\":3}", "{\"a\":3,\"b\":2}"),
        ("1e20", "1.0e+20"),
        ("[1e14,1e15]", "[100000000000000.0,1.0e+15]"),
        ("[1e-7,0.1]", "[1.0e-07,0.1]"),
    ] {
        assert_eq!(written(text).as_deref(), Ok(ruby), "{text}");
    }
    // Ruby keeps large integers and rejects the other strings.
    for text in ["9223372036854775808", "-9223372036854775809", "18446744073709551616", "[1e400]", "NaN", "01", "[1,]"] {
        assert!(written(text).is_err(), "{text}");
    }
    let values = parse_text("{\"a\":1}\n[2] 3", parse_json_values).unwrap();
    assert_eq!(values.iter().map(|node| node.to_json().to_string()).collect::<Vec<_>>(), ["{\"a\":1}", "[2]", "3"]);
}

#[test]
fn alias_expansion_is_limited() {
    let code = |text: &str| {
        let source = SourceMap::new().add("f.yaml", text).unwrap();
        parse_yaml(&source, YamlRules::default()).map_err(|found| found.code.to_string())
    };
    // Aliases that make the tree deeper, larger, or longer in bytes.
    let deep: String = (1..300).map(|i| format!("a{i}: &a{i} [[[[[[*a{}]]]]]]\n", i - 1)).collect();
    assert_eq!(code(&format!("a0: &a0 1\n{deep}")).unwrap_err(), "RT220");
    let wide: String = (1..9).map(|i| format!("a{i}: &a{i} [{}]\n", vec![format!("*a{}", i - 1); 9].join(", "))).collect();
    assert_eq!(code(&format!("a0: &a0 1\n{wide}")).unwrap_err(), "RT405");
    let long = format!("a: &a {}\nb: [{}]\n", "x".repeat(1 << 16), vec!["*a"; 1_000].join(", "));
    assert_eq!(code(&long).unwrap_err(), "RT405");
    assert!(code(&format!("a: &a x\nb: [{}]\n", vec!["*a"; 10_000].join(", "))).is_ok());
}
