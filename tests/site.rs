//! The site of reference pages: every link has a target, nothing is loaded from other sites, and strings of authors are escaped.
//! `tests/site/run` tests the appearance and behaviour in a browser.

use regex::Regex;
use rtype_author::docs::{Page, TypeDoc, describe, examples, man, markdown, site};
use rtype_lang::library::TypeSet;
use rtype_provider::NativeProviders;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

fn docs(names: &[&str]) -> Vec<TypeDoc> {
    let (library, natives) = (rtype::app::input::types_in(vec!["tests/describe/types".into()]), NativeProviders::standard());
    let names: Vec<String> = if names.is_empty() { library.names() } else { names.iter().map(|n| (*n).to_owned()).collect() };
    let one = |name: &String| {
        let type_def = library.load(name).unwrap();
        let mut doc = describe(&type_def, None, &natives, &library.sources);
        doc.examples = examples(&type_def, &library, &natives);
        doc
    };
    names.iter().map(one).collect()
}

fn found<'t>(pattern: &str, text: &'t str) -> Vec<&'t str> {
    Regex::new(pattern).unwrap().captures_iter(text).map(|c| c.get(1).unwrap().as_str()).collect()
}

/// Resolves a link such as `../a#b` on a page to the target page and the anchor.
fn target(from: &str, link: &str) -> (String, String) {
    let (file, part) = link.split_once('#').unwrap_or((link, ""));
    let mut directories: Vec<&str> = Path::new(from).parent().unwrap().to_str().unwrap().split('/').filter(|f| !f.is_empty()).collect();
    for step in file.split('/') {
        match step {
            ".." => drop(directories.pop().expect("a link leaves the site")),
            step => directories.push(step),
        }
    }
    (if file.is_empty() { from.to_owned() } else { directories.join("/") }, part.to_owned())
}

#[test]
fn every_link_has_a_target() {
    let pages = site(&docs(&[]));
    let ids: BTreeMap<&str, Vec<&str>> = pages.iter().map(|p| (p.path.as_str(), found(r#"\bid="([^"]+)""#, &p.text))).collect();
    let (mut wrong, mut links) = (Vec::new(), 0);
    let mut check = |from: &str, link: &str| {
        let (file, part) = target(from, link);
        links += 1;
        match ids.get(file.as_str()) {
            Some(ids) if part.is_empty() || ids.contains(&part.as_str()) => {}
            _ => wrong.push(format!("{from}: {link}")),
        }
    };
    for page in pages.iter().filter(|p| p.path.ends_with(".html")) {
        found(r#"(?:href|src)="([^"]+)""#, &page.text).into_iter().for_each(|link| check(&page.path, link));
        let all = &ids[page.path.as_str()];
        assert_eq!(all.len(), all.iter().collect::<BTreeSet<_>>().len(), "{}: duplicate id", page.path);
    }
    let search = &pages.iter().find(|p| p.path == "search.js").unwrap().text;
    let index: Vec<Vec<String>> =
        serde_json::from_str(search.strip_prefix("window.searchIndex = ").unwrap().trim_end().trim_end_matches(';')).unwrap();
    index.iter().for_each(|row| check("index.html", &row[4]));
    assert!(index.iter().any(|row| row[0] == "mount" && row[2] == "options"));
    assert!(links > 3_000, "only {links} links");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn pages_load_nothing_external_and_show_no_secrets() {
    for Page { path, text } in site(&docs(&[])) {
        for elsewhere in [r#"(?:src|href)="(https?:[^"]*)""#, r"(@import[^;]*)", r"(url\([^)]*\))"] {
            assert_eq!(found(elsewhere, &text), [""; 0], "{path}");
        }
        assert!(!text.contains("hunter2"), "{path}");
    }
}

#[test]
fn text_of_authors_is_escaped() {
    let mut library = TypeSet::default();
    let text = "type trap {\n  desc \"<script>alert(1)</script> & `</code><b>`\"\n  newparam name { isnamevar; desc \"[x](javascript:alert)\" }\n  newproperty way { newvalues /<i>/; desc \"</script>\" }\n}\n";
    let source = library.sources.add("trap.rtype", text).unwrap();
    let types = library.load_text(&source, None).types;
    let doc = describe(&types[0], None, &NativeProviders::default(), &library.sources);
    for Page { path, text } in site(std::slice::from_ref(&doc)).into_iter().filter(|p| !p.path.starts_with("site.")) {
        let body = text.replace("<script src=", "").replace(" defer></script>", "");
        for harm in ["<script", "</script", "<b>", "<i>", "javascript:"] {
            assert!(!body.contains(harm), "{path} has {harm}");
        }
    }
}

#[test]
fn pages_of_a_type_with_all_features() {
    let docs = docs(&["gadget"]);
    insta::assert_snapshot!("markdown", markdown(&docs[0]));
    insta::assert_snapshot!("man", man(&docs[0]));
    let page = site(&docs).into_iter().find(|p| p.path == "types/gadget.html").unwrap();
    let main = page.text.split("<main").nth(1).unwrap().split("</main>").next().unwrap();
    insta::assert_snapshot!("html", main.replace("<section", "\n<section").replace("<div>", "\n  <div>"));
}

#[test]
fn each_standard_type_shows_an_example() {
    let missing: Vec<String> = docs(&[])
        .into_iter()
        .filter(|d| d.examples.is_empty() && !["gadget", "plain"].contains(&d.name.as_str()))
        .map(|d| d.name)
        .collect();
    assert!(missing.is_empty(), "no test of these declares what is accepted: {missing:?}");
}
