//! Hostile names and messages in the responses of a server: the agent's output and files contain no control characters.

use super::Node;
use super::server::Answer;
use crate::hostile::{HOSTILE, control_character};
use serde_json::{Value as Json, json};

/// A request, and the hostile response.
type Case = (&'static str, &'static str, u16, Json);

const CATALOG: &str = "POST /puppet/v3/catalog/web1";

fn catalog(changes: Json) -> Json {
    let mut catalog = json!({"name": "web1", "version": 1, "environment": "production", "resources": [], "classes": [], "edges": []});
    let (Json::Object(all), Json::Object(changes)) = (&mut catalog, changes) else { unreachable!() };
    all.extend(changes);
    catalog
}

fn cases() -> Vec<Case> {
    let file = |parameters: Json| json!([{"type": "File", "title": format!("/no/such/{HOSTILE}"), "parameters": parameters}]);
    let resources = |resources: Json| catalog(json!({"resources": resources}));
    let plugin = json!([{"relative_path": format!("puppet/type/{HOSTILE}.rb"), "type": "file", "mode": 420, "checksum": {"type": "sha256", "value": HOSTILE}}]);
    vec![
        ("message", CATALOG, 500, json!({"message": HOSTILE, "issue_kind": HOSTILE})),
        ("message of a refusal", CATALOG, 403, json!({"message": HOSTILE, "issue_kind": "FORBIDDEN"})),
        ("text", CATALOG, 404, json!(HOSTILE)),
        ("name", CATALOG, 200, catalog(json!({"name": HOSTILE}))),
        ("environment", CATALOG, 200, catalog(json!({"environment": HOSTILE}))),
        ("version", CATALOG, 200, catalog(json!({"version": HOSTILE}))),
        ("edge", CATALOG, 200, catalog(json!({"edges": [{"source": HOSTILE, "target": HOSTILE}]}))),
        ("type", CATALOG, 200, resources(json!([{"type": HOSTILE, "title": HOSTILE, "parameters": {}}]))),
        (
            "title",
            CATALOG,
            200,
            resources(json!([{"type": "Notify", "title": HOSTILE, "file": HOSTILE, "line": 1, "tags": [HOSTILE], "parameters": {}}])),
        ),
        ("attribute", CATALOG, 200, resources(json!([{"type": "Notify", "title": "n", "parameters": {HOSTILE: HOSTILE}}]))),
        ("message of a notify", CATALOG, 200, resources(json!([{"type": "Notify", "title": "n", "parameters": {"message": HOSTILE}}]))),
        ("path", CATALOG, 200, resources(file(json!({"ensure": "file", "content": HOSTILE})))),
        ("source", CATALOG, 200, resources(file(json!({"source": format!("puppet:///modules/demo/{HOSTILE}")})))),
        ("owner", CATALOG, 200, resources(file(json!({"ensure": "file", "owner": HOSTILE, "mode": HOSTILE})))),
        ("plugin", "GET /puppet/v3/file_metadatas/plugins", 200, plugin),
        ("message about plugins", "GET /puppet/v3/file_metadatas/plugins", 500, json!({"message": HOSTILE})),
    ]
}

#[test]
fn answers_of_the_server_cannot_forge_output() {
    let mut wrong = Vec::new();
    for (name, key, status, body) in cases() {
        let node = Node::new();
        node.server.answer(key, Answer::of(status, body.to_string()));
        for arguments in [&["--test"][..], &["--test", "--noop", "--verbose"]] {
            let ran = node.run(arguments);
            wrong.extend(control_character(&ran.text).map(|found| format!("{name} {arguments:?}: {found}")));
            let status = std::fs::read_to_string(node.at("state/agent/status.json")).unwrap_or_default();
            wrong.extend(control_character(&status).map(|found| format!("{name} {arguments:?}, status.json: {found}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
