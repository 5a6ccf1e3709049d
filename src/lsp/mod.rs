//! The face for editors: the language server protocol over standard input and output.
//!
//! One loop answers one message after the other. It holds no semantics: what is found in a text is found where `check` finds
//! it, too, and words are explained by the tables that the rest of the program reads.

mod actions;
mod analysis;
mod capabilities;
mod completion;
mod cursor;
mod describe;
mod documents;
mod formatting;
mod hints;
mod hover;
mod index;
mod navigation;
mod places;
mod secrets;
mod semantic;
mod server;
mod standard;
mod symbols;
mod tokens;
mod transport;
mod workspace;

use rtype_system::process;
pub use server::Ended;

use lsp_server::Connection;
use rtype_provider::NativeProviders;
use std::io;
use std::path::PathBuf;

/// Trees are as deep as their author made them, and are walked by recursion.
const STACK: usize = 64 << 20;

/// Serves one client over standard input and output until it says `exit` or goes away; `types` are directories of types.
/// Links that leave the workspace are followed if `allow_outside` says so.
///
/// # Errors
/// When no thread can be had.
pub fn run(types: &[PathBuf], allow_outside: bool, natives: NativeProviders) -> io::Result<Ended> {
    let (server, client) = Connection::memory();
    let Connection { sender: out, receiver } = server;
    let Connection { sender: into, receiver: from } = client;
    // Both threads end with the connection; the one that reads may wait for input until the process ends.
    let answers = out.clone();
    std::thread::Builder::new().name("reader".into()).spawn(move || {
        transport::read_all(&mut process::stdin().lock(), |m| into.send(m).is_ok(), |m| answers.send(m).is_ok());
    })?;
    let writer = std::thread::Builder::new().name("writer".into()).spawn(move || transport::write_all(&mut io::stdout().lock(), from))?;
    let connection = Connection { sender: out, receiver };
    let ended = stacker::grow(STACK, || server::Server::new(&connection, types, allow_outside, natives).run());
    drop(connection);
    // What has been said is to arrive.
    let _ = writer.join();
    Ok(ended)
}

/// Serves one client over any connection, until it says `exit` or goes away.
pub fn serve(connection: &Connection, types: &[PathBuf], natives: NativeProviders) -> Ended {
    stacker::grow(STACK, || server::Server::new(connection, types, false, natives).run())
}
