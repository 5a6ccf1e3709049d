//! Methods of provider programs, called by blocks, and the catalog that programs receive.

use super::rtype;
use std::os::unix::fs::PermissionsExt;

/// Writes the type and the program. The program answers the query with `answer`.
fn shop(answer: &str) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(directory.path().join(name), text).unwrap();
    write("hinge.rtype", include_str!("hinge.rtype"));
    write("shop.py", &include_str!("shop.py").replace("VALUE", answer));
    write("site.pp", "hinge { 'gate': state => polished, doors => 3 }\nhinge { 'attic': state => rusty }\n");
    std::fs::set_permissions(directory.path().join("shop.py"), std::fs::Permissions::from_mode(0o755)).unwrap();
    directory
}

#[test]
fn blocks_call_methods_of_programs_which_know_the_catalog() {
    let directory = shop("say(id=id, value=2 + ask[\"arguments\"][0])");
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let apply = || rtype(directory.path(), &["--types", &path(""), "apply", &path("site.pp"), "--state-dir", &path("state")]);
    let (status, text) = apply();
    assert_eq!(status, 0, "{text}");
    for line in ["the catalog has gate, attic", "polished with ['soft', 2]", "Hinge[gate]/state: defined 'state' as 'polished'"] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(!text.contains("an informational message"), "{text}");
    std::fs::write(path("site.pp"), "hinge { 'gate': doors => 4 }\n").unwrap();
    let (status, text) = apply();
    assert!(status == 1 && text.contains("it carries 3 doors"), "{text}");
}

#[test]
fn provider_test_calls_the_queries_of_a_program() {
    let run = |answer: &str| {
        let directory = shop(answer);
        let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
        rtype(directory.path(), &["--types", &path(""), "provider", "test", &path("shop.py"), "--resources", &path("site.pp")])
    };
    let (status, text) = run("say(id=id, value=3)");
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("its queries are answered") && text.contains("an unknown method is an error"), "{text}");
    // The block that validates the resources also calls the query.
    for (answer, message) in [
        ("say(id=id)", "the `value` that the method returns"),
        ("say(id=id, error={\"kind\": \"failed\", \"msg\": \"out of order\"})", "out of order"),
        ("say(id=id + 1, value=3)", "shop.py"),
    ] {
        let (status, text) = run(answer);
        assert!(status != 0 && text.contains(message), "{answer}: {status}\n{text}");
    }
}
