//! `rtype repl [FILE…]`

use super::Exit;
use super::arguments::Repl;
use super::output::Console;
use crate::app::session::Session;
use crate::repl::{self, ReplOptions, ReplSession};
use rtype_author::docs::Look;
use std::io;

pub fn run(arguments: &Repl, session: Session, output: &mut Console) -> io::Result<Exit> {
    let look = Look { width: output.width(), colors: output.colors() };
    let history = if arguments.no_history { None } else { arguments.history_file.clone().or_else(repl::default_path) };
    let options = ReplOptions {
        files: arguments.files.clone(),
        history,
        pager: !arguments.no_pager,
        verbose: session.verbose,
        renderer: output.renderer().clone(),
    };
    let failed = repl::run(ReplSession::new(session.types, session.access, session.natives, session.machine, look), &options)?;
    Ok(if failed && arguments.strict { Exit::Findings } else { Exit::Clean })
}
