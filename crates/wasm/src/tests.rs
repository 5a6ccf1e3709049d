use crate::Service;
use serde_json::{Value as Json, json};

const LAMP: &str = "type lamp {\n  newparam name { isnamevar }\n  newproperty level { type Integer[0, 100] }\n}\n";

fn call(request: Json) -> Json {
    let response: Json = serde_json::from_str(&Service::default().call(&request.to_string())).unwrap();
    assert!(response.get("error").is_none(), "{response}");
    response["ok"].clone()
}

fn codes(found: &Json) -> Vec<&str> {
    found["diagnostics"].as_array().unwrap().iter().map(|d| d["code"].as_str().unwrap()).collect()
}

#[test]
fn check_reports_spans_in_utf16_and_the_real_text() {
    let found = call(json!({ "method": "check", "types": format!("# 😀\n{LAMP}").replace("Integer", "Intger") }));
    let first = &found["diagnostics"][0];
    let label = &first["labels"][0];
    let text: Vec<u16> = format!("# 😀\n{LAMP}").replace("Integer", "Intger").encode_utf16().collect();
    let slice = &text[label["from"].as_u64().unwrap() as usize..label["to"].as_u64().unwrap() as usize];
    assert_eq!(String::from_utf16_lossy(slice), "Intger[0, 100]", "{first}");
    assert_eq!((label["file"].as_str(), label["pane"].as_str()), (Some("lamp.rtype"), Some("types")));
    assert!(first["rendered"].as_str().unwrap().contains("lamp.rtype:4:"), "{first}");
}

#[test]
fn check_gives_fixes() {
    let types = "type motd {\n  newparam name { isnamevar }\n  newproperty text { newvalues /\\A\\d+/ }\n  newproprty b\n}\n";
    let found = call(json!({ "method": "check", "types": types, "profile": "strict" }));
    let fixes: Vec<&str> = found["diagnostics"].as_array().unwrap().iter().filter_map(|d| d["fix"]["title"].as_str()).collect();
    assert_eq!(fixes, ["anchor the pattern", "change to `newproperty`"], "{found}");
}

#[test]
fn resources_are_checked_with_the_types() {
    let found = call(json!({ "method": "check", "types": LAMP, "resources": "lamp { 'desk': level => 110 }" }));
    assert_eq!(found["diagnostics"][0]["labels"][0]["pane"], "resources", "{found}");
}

#[test]
fn declare_compares_with_the_written_state() {
    let request =
        |state: &str| json!({ "method": "declare", "types": LAMP, "resources": "lamp { 'desk': level => '50' }", "state": state });
    let result = call(request("lamp { 'desk': level => 20 }"));
    let lamp = &result["resources"][0];
    assert_eq!(lamp["inSync"], false, "{result}");
    assert_eq!(lamp["properties"][0]["note"], "level changed 20 to 50", "{result}");
    assert!(lamp["trace"].as_str().unwrap().contains("out of sync: is 20, should be 50"), "{result}");
    assert_eq!(call(request("lamp { 'desk': level => 50 }"))["resources"][0]["inSync"], true);
    let wrong = call(request("lamp { 'desk': lvel => 50 }"));
    assert_eq!(wrong["diagnostics"][0]["labels"][0]["pane"], "state", "{wrong}");
}

#[test]
fn secrets_are_redacted() {
    let types = "type safe {\n  newparam name { isnamevar }\n  newproperty pin { sensitive }\n}\n";
    let request = json!({
        "method": "declare", "types": types,
        "resources": "safe { 'a': pin => 'hunter2-secret' }", "state": "safe { 'a': pin => 'hunter3-secret' }",
    });
    let text = call(request).to_string();
    assert!(!text.contains("hunter"), "{text}");
}

#[test]
fn format_returns_the_text_or_its_errors() {
    let formatted = call(json!({ "method": "format", "language": "types", "text": "type a {newparam name {isnamevar}}" }));
    assert_eq!(formatted["text"], "type a { newparam name { isnamevar } }\n");
    let found = call(json!({ "method": "format", "language": "types", "text": "type a {" }));
    assert!(!codes(&found).is_empty());
}

#[test]
fn complete_offers_what_fits() {
    let labels = |pane: &str, text: &str| -> Vec<String> {
        let mut request = json!({ "method": "complete", "types": LAMP, "pane": pane, "offset": text.encode_utf16().count() });
        request[pane] = text.into();
        let all = call(request);
        all["options"].as_array().unwrap().iter().map(|o| o["label"].as_str().unwrap().to_owned()).collect()
    };
    for (pane, text, wanted) in [
        ("types", "ty", "type"),
        ("types", "type a {\n  newp", "newproperty"),
        ("types", "type a {\n  newproperty b {\n    mun", "munge"),
        ("types", "type a {\n  newproperty b {\n    type Int", "Integer"),
        ("types", "type a {\n  newproperty b { munge { |v| v.do", "downcase"),
        ("types", "type a {\n  newproperty b { munge { |v| self.", "b"),
        ("resources", "la", "lamp"),
        ("resources", "lamp { 'a': le", "level"),
        ("resources", "user { 'a': ensure => ", "present"),
        ("state", "user { 'a': ui", "uid"),
    ] {
        let labels = labels(pane, text);
        assert!(labels.iter().any(|label| label == wanted), "{text}: {labels:?}");
    }
    assert!(!labels("state", "user { 'a': ").contains(&"require".to_owned()));
}

#[test]
fn hover_describes_the_word() {
    let hover = |pane: &str, types: &str, resources: &str, offset: usize| {
        call(json!({ "method": "hover", "types": types, "resources": resources, "pane": pane, "offset": offset })).to_string()
    };
    assert!(hover("types", LAMP, "", LAMP.find("isnamevar").unwrap() + 2).contains("isnamevar"));
    assert!(hover("types", LAMP, "", LAMP.find("level").unwrap() + 1).contains("Integer[0, 100]"));
    assert!(hover("resources", LAMP, "lamp { 'a': level => 1 }", 14).contains("Integer[0, 100]"));
    assert!(hover("resources", LAMP, "user { 'a': }", 1).contains("type `user`"));
    assert_eq!(hover("types", LAMP, "", LAMP.len()), "null");
}

#[test]
fn invalid_requests_are_errors() {
    assert!(Service::default().call("{").contains("invalid request"));
    assert!(Service::default().call(r#"{"method":"no"}"#).contains("invalid request"));
}
