//! `rtype completions SHELL`

use super::Exit;
use super::arguments::{Arguments, Completions};
use super::output::Console;
use clap::CommandFactory;
use std::io;

pub fn run(arguments: &Completions, output: &mut Console) -> io::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "rtype", &mut script);
    output.print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Clean)
}
