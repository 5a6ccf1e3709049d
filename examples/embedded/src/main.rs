//! `rtype` with providers for lamps.

mod bridge;
mod shelf;

use rtype::provider::{NativeProviders, WholeResource};
use std::process::ExitCode;
use std::sync::Arc;

/// Returns the path of a file in which the user's lamps are stored.
fn lamps(file: &str) -> String {
    format!("{}/.lamps/{file}", std::env::var("HOME").unwrap_or_default())
}

fn main() -> ExitCode {
    let mut providers = NativeProviders::standard();
    providers.register("lamp", "bridge", Arc::new(bridge::Bridge));
    providers.register("bulb", "shelf", Arc::new(WholeResource(shelf::Shelf)));
    rtype::main_with(providers)
}
