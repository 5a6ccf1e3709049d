//! Types as a static site: an index with search and one page per type, in light and dark. The site works from `file:` URLs and loads no
//! other resources.

mod highlight;
mod page;
mod prose;

use super::prose::plain;
use super::{Page, RoleDoc, TypeDoc};
use page::Site;
use serde_json::{Value as Json, json};

const STYLE: &str = include_str!("site.css");
const SCRIPT: &str = include_str!("site.js");

/// Returns the files of the site.
pub fn site(docs: &[TypeDoc]) -> Vec<Page> {
    let site = Site::new(docs);
    let mut pages = vec![
        Page::new("index.html", site.index()),
        Page::new("metaparameters.html", site.metaparameters()),
        Page::new("site.css", STYLE),
        Page::new("site.js", SCRIPT),
        Page::new("search.js", format!("window.searchIndex = {};\n", search_index(docs))),
    ];
    pages.extend(docs.iter().map(|doc| Page::new(format!("types/{}.html", doc.name), site.type_page(doc))));
    pages
}

/// Returns the search index, with rows `[type, kind, name, summary, address, words]`.
fn search_index(docs: &[TypeDoc]) -> String {
    let mut rows = Vec::new();
    let mut row = |of: &str, kind: &str, name: &str, doc: &str, address: String, words: String| {
        rows.push(json!([of, kind, name, plain(&super::summary(doc)), address, format!("{} {words}", plain(doc)).to_lowercase()]));
    };
    for doc in docs {
        let page = format!("types/{}.html", doc.name);
        row(&doc.name, "type", &doc.name, &doc.doc, page.clone(), String::new());
        for a in doc.attributes.iter().filter(|a| a.role != RoleDoc::Metaparam) {
            let kind = if a.role == RoleDoc::Property { "property" } else { "parameter" };
            let values = a.values.iter().filter_map(|v| v.value.clone()).chain(a.aliases.iter().map(|a| a.name.clone()));
            let words = values.collect::<Vec<_>>().join(" ");
            row(&doc.name, kind, &a.name, &a.doc, format!("{page}#attribute-{}", a.name), words);
        }
        for f in &doc.features {
            row(&doc.name, "feature", &f.name, &f.doc, format!("{page}#feature-{}", f.name), String::new());
        }
        for p in &doc.providers {
            let words = p.commands.iter().map(|c| c.command.clone()).collect::<Vec<_>>().join(" ");
            row(&doc.name, "provider", &p.name, &p.doc, format!("{page}#provider-{}", p.name), words);
        }
    }
    for a in docs.first().into_iter().flat_map(|d| &d.attributes).filter(|a| a.role == RoleDoc::Metaparam) {
        row("", "metaparameter", &a.name, &a.doc, format!("metaparameters.html#attribute-{}", a.name), String::new());
    }
    // The index is embedded in a script, which `</script>` in a string would end.
    Json::Array(rows).to_string().replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}
