//! `rtype doc [TYPE|PATH…]`, `rtype doc --cli`

use super::Exit;
use super::arguments::{Arguments, Doc, DocFormat};
use super::output::Console;
use crate::app::session::Session;
use clap::CommandFactory;
use rtype_author::docs::{self, Page, TypeDoc};
use std::io;

pub fn run(arguments: &Doc, session: &mut Session, output: &mut Console) -> io::Result<Exit> {
    if arguments.cli {
        let pages = match arguments.format {
            DocFormat::Markdown => vec![Page { path: "cli.md".into(), text: super::command::command_markdown(&Arguments::commands()) }],
            DocFormat::Man => super::command::command_man(Arguments::command()),
            DocFormat::Html | DocFormat::Json => {
                output.flush()?;
                eprintln!("rtype: the command line is written as `--format markdown` or `--format man`");
                return Ok(Exit::Usage);
            }
        };
        return output.pages(&pages, arguments.output.as_deref(), &session.access).map(|()| Exit::Clean);
    }
    let (types, mut found) = session.chosen_types(&arguments.what);
    if types.is_empty() {
        session.show(&found, output)?;
        return Ok(Exit::Findings);
    }
    let mut described: Vec<TypeDoc> = Vec::new();
    for type_def in &types {
        let mut doc = docs::describe(type_def, None, &session.natives, &session.types.sources);
        doc.examples = docs::examples(type_def, &session.types, &session.natives);
        described.push(doc);
        found.extend(docs::broken_examples(type_def, &session.types));
    }
    let failed = session.show(&found, output)?;
    let one_each = |suffix: &str, text: &dyn Fn(&TypeDoc) -> String| -> Vec<Page> {
        described.iter().map(|doc| Page { path: suffix.replace("{}", &doc.name), text: text(doc) }).collect()
    };
    let mut pages = match arguments.format {
        DocFormat::Markdown => one_each("{}.md", &docs::markdown),
        DocFormat::Man => one_each(&format!("rtype-{{}}.{}", docs::MAN_SECTION), &docs::man),
        DocFormat::Html => docs::site(&described),
        DocFormat::Json => {
            let text = serde_json::to_string_pretty(&docs::json(&described)).unwrap_or_default();
            vec![Page { path: "types.json".into(), text: format!("{text}\n") }]
        }
    };
    if arguments.format == DocFormat::Markdown && arguments.output.is_some() {
        pages.push(Page { path: "README.md".into(), text: docs::markdown_index(&described) });
    }
    output.pages(&pages, arguments.output.as_deref(), &session.access)?;
    Ok(if failed { Exit::Findings } else { Exit::Clean })
}
