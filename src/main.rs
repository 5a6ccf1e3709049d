//! The program `rtype`.

use std::process::ExitCode;

fn main() -> ExitCode {
    rtype::cli::main()
}
