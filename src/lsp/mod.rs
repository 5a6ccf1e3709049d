//! The language server, over standard input and output.
//!
//! A single loop handles one message after the other. The server implements no semantics: diagnostics come from the code of `check`, and
//! documentation comes from the tables that the other commands use.

mod actions;
mod analysis;
mod capabilities;
mod completion;
mod describe;
mod documents;
mod error;
mod formatting;
mod hints;
mod hover;
mod index;
mod mentions;
mod navigation;
mod places;
mod secrets;
mod semantic;
mod server;
mod signature;
mod standard;
mod symbols;
mod table;
mod transport;
mod workspace;

use rtype_author::editor::{cursor, tokens};
use rtype_system::process;
pub use server::Ended;

use lsp_server::Connection;
use rtype_provider::NativeProviders;
use standard::EmbeddedFiles;
use std::io;
use std::path::{Path, PathBuf};
use workspace::Workspace;

/// The stack size. Syntax trees are visited recursively, and can be deeply nested.
const STACK: usize = 64 << 20;

/// Serves a client over standard input and output until the client sends `exit` or disconnects. `types` are type directories. If
/// `allow_outside` is set, links may lead out of the workspace.
///
/// # Errors
/// If the threads cannot be started.
pub fn run(types: &[PathBuf], allow_outside: bool, natives: NativeProviders) -> io::Result<Ended> {
    let (server, client) = Connection::memory();
    let Connection { sender: out, receiver } = server;
    let Connection { sender: into, receiver: from } = client;
    // Both threads end with the connection. The reader may be blocked until the process ends.
    let answers = out.clone();
    std::thread::Builder::new().name("reader".into()).spawn(move || {
        transport::read_all(&mut process::stdin().lock(), |m| into.send(m).is_ok(), |m| answers.send(m).is_ok());
    })?;
    let writer = std::thread::Builder::new().name("writer".into()).spawn(move || transport::write_all(&mut io::stdout().lock(), from))?;
    let connection = Connection { sender: out, receiver };
    let workspace = Workspace::new(types, allow_outside, natives, EmbeddedFiles::new(standard::cache_directory().as_deref()));
    let ended = stacker::grow(STACK, || server::Server::new(&connection, workspace).run());
    drop(connection);
    // Wait until all messages are delivered.
    let _ = writer.join();
    Ok(ended)
}

/// Serves a client over any connection until the client sends `exit` or disconnects. The standard library and the pages about codes are
/// written below `cache`, so that the client can open them.
pub fn serve(connection: &Connection, types: &[PathBuf], natives: NativeProviders, cache: &Path) -> Ended {
    let workspace = Workspace::new(types, false, natives, EmbeddedFiles::new(Some(cache)));
    stacker::grow(STACK, || server::Server::new(connection, workspace).run())
}
