//! `rtype describe [TYPE…]`, `rtype describe --language [WORD]`

use super::Exit;
use super::arguments::{Describe, TextOrJson};
use super::output::Console;
use crate::app::session::Session;
use rtype_author::docs::{self, Look, Sections};
use rtype_lang::diagnostics::nearest;
use rtype_lang::source::Span;
use std::io;

pub fn run(arguments: &Describe, session: &mut Session, output: &mut Console) -> io::Result<Exit> {
    let look = Look { width: output.width(), colors: output.colors() };
    if let Some(word) = &arguments.language {
        let words = docs::language(word.as_deref());
        match arguments.format {
            TextOrJson::Json => output.json(&docs::language_json(&words))?,
            TextOrJson::Text if words.is_empty() => {
                let word = word.as_deref().unwrap_or_default();
                let all = docs::language(None);
                let near = nearest(word, all.iter().map(|w| w.name.as_str())).map(|near| format!("; did you mean `{near}`?"));
                output.print(&format!("the language has no word like `{word}`{}\n", near.unwrap_or_default()))?;
            }
            TextOrJson::Text => output.print(&docs::language_text(&words, look))?,
        }
        return Ok(if words.is_empty() { Exit::Findings } else { Exit::Clean });
    }
    if arguments.list || arguments.names.is_empty() {
        let rows: Vec<(String, String)> = session
            .types
            .names()
            .into_iter()
            .filter_map(|name| {
                let type_def = session.types.load(&name)?;
                Some((name, docs::summary(&type_def.doc)))
            })
            .collect();
        let failed = session.show(&[], output)?;
        match arguments.format {
            TextOrJson::Text => output.print(&docs::list(&rows, look))?,
            TextOrJson::Json => output.json(&docs::list_json(&rows))?,
        }
        return Ok(if failed { Exit::Findings } else { Exit::Clean });
    }
    let mut unknown = Vec::new();
    let mut described = Vec::new();
    for name in &arguments.names {
        if Session::is_path(name) {
            let (types, found) = session.chosen_types(std::slice::from_ref(name));
            unknown.extend(found);
            let world = Some(&session.machine as &dyn rtype_lang::eval::World);
            described.extend(types.iter().map(|t| docs::describe(t, world, &session.natives, &session.types.sources)));
            continue;
        }
        let name = name.to_lowercase();
        match session.types.load(&name) {
            Some(type_def) => described.push(docs::describe(&type_def, Some(&session.machine), &session.natives, &session.types.sources)),
            // An existing but invalid type has already been reported.
            None if session.types.names().contains(&name) => {}
            None => unknown.push(session.types.unknown_type(&name, Span::NONE)),
        }
    }
    let failed = session.show(&unknown, output)? || described.len() < arguments.names.len();
    match arguments.format {
        TextOrJson::Json => output.json(&docs::json(&described))?,
        TextOrJson::Text => {
            let sections = Sections { short: arguments.short, providers: arguments.providers, metaparams: arguments.meta };
            let texts: Vec<String> = described.iter().map(|doc| docs::text(doc, sections, look)).collect();
            output.print(&texts.join("\n"))?;
        }
    }
    Ok(if failed { Exit::Findings } else { Exit::Clean })
}
