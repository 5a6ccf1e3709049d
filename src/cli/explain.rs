//! `rtype explain CODE…`

use super::Exit;
use super::arguments::Explain;
use super::output::Console;
use rtype_author::check::{explain_as_text, suggested_code};
use rtype_lang::diagnostics::{CODES, Code, printable};
use std::io;

pub fn run(arguments: &Explain, output: &mut Console) -> io::Result<Exit> {
    if arguments.list || arguments.codes.is_empty() {
        for code in CODES {
            let info = code.info();
            let (severity, profile) = (info.severity.name(), info.profile.name());
            output.print(&format!("{}  {severity:<8} {profile:<8} {}\n", info.id, info.name))?;
        }
        return Ok(Exit::Clean);
    }
    let mut exit = Exit::Clean;
    for (place, text) in arguments.codes.iter().enumerate() {
        let page = Code::named(text).and_then(explain_as_text);
        match page {
            Some(page) => output.print(&format!("{}{page}", if place > 0 { "\n" } else { "" }))?,
            None => {
                let help = suggested_code(text);
                output.flush()?;
                eprintln!("rtype: unknown code `{}`; {help}", printable(text));
                exit = Exit::Usage;
            }
        }
    }
    Ok(exit)
}
