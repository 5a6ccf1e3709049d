//! The program `rtype`.

use std::process::ExitCode;

/// A catalog is made of millions of small texts and lists, which the C library's allocator takes a quarter of the time for.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    rtype::cli::main()
}
