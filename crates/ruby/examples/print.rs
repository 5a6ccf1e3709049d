//! Prints Ruby files from their trees. With `--snippets`, the files contain snippets, and the result is a JSON list per file. With
//! `--survey`, expressions without a core form are counted instead.

use rtype_ruby::hir::{BodyId, ExprId, Hir, HirKind, ParseSettings, Visitor, print, walk_body};
use std::collections::BTreeMap;

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mode = if arguments.first().is_some_and(|a| a.starts_with("--")) { arguments.remove(0) } else { String::new() };
    match mode.as_str() {
        "--snippets" => arguments.iter().for_each(|path| snippets(path)),
        "--survey" => survey(&arguments),
        _ => arguments.iter().for_each(|path| println!("{}", printed(&std::fs::read_to_string(path).unwrap_or_default()))),
    }
}

fn printed(text: &str) -> String {
    match Hir::parse(text, &ParseSettings::default()) {
        Ok(hir) => print(&hir),
        Err(error) => format!("{error:?}"),
    }
}

fn snippets(path: &str) {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let list: Vec<String> = text.split("\n# --\n").map(printed).collect();
    println!("{}", serde_json::to_string(&list).unwrap_or_default());
}

#[derive(Default)]
struct Survey {
    expressions: usize,
    unsupported: BTreeMap<&'static str, usize>,
}

impl Visitor for Survey {
    fn enter(&mut self, hir: &Hir, body: BodyId, expr: ExprId) -> bool {
        self.expressions += 1;
        if let Some(HirKind::Unsupported { what }) = hir.body(body).map(|body| body.kind(expr)) {
            *self.unsupported.entry(what).or_default() += 1;
        }
        true
    }
}

/// Reads file paths from the file with the first name.
fn survey(lists: &[String]) {
    let mut survey = Survey::default();
    let (mut files, mut failed, mut with_unsupported) = (0, 0, 0);
    let paths: Vec<String> = lists
        .iter()
        .flat_map(|list| std::fs::read_to_string(list).unwrap_or_default().lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    for path in &paths {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        files += 1;
        match Hir::parse(&text, &ParseSettings::default()) {
            Ok(hir) => {
                let before: usize = survey.unsupported.values().sum();
                walk_body(&hir, hir.main(), &mut survey);
                with_unsupported += usize::from(survey.unsupported.values().sum::<usize>() > before);
                let again = print(&hir);
                if let Err(error) = Hir::parse(&again, &ParseSettings::default()) {
                    println!("{path}: the printed text does not parse: {error:?}");
                }
            }
            Err(error) => {
                failed += 1;
                println!("{path}: {error:?}");
            }
        }
    }
    let unsupported: usize = survey.unsupported.values().sum();
    println!("{files} files, {failed} with syntax errors, {with_unsupported} with unsupported syntax");
    println!("{} expressions, {unsupported} unsupported: {:?}", survey.expressions, survey.unsupported);
}
