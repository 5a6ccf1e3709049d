//! `rtype lsp`

use super::Exit;
use crate::lsp::{self, Ended};
use rtype_provider::NativeProviders;
use std::io;
use std::path::PathBuf;

pub fn run(types: &[PathBuf], allow_outside: bool, natives: NativeProviders) -> io::Result<Exit> {
    // The protocol requires exit status 1 without a preceding `shutdown` request.
    Ok(if lsp::run(types, allow_outside, natives)? == Ended::Properly { Exit::Clean } else { Exit::Findings })
}
