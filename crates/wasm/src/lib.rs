//! rtype for browsers and Node.js: a WebAssembly module without imports from the host.
//!
//! [`Service::call`] takes a request as JSON and returns the result as JSON; `npm/index.d.ts` describes both. [`abi`] exports two functions
//! for JavaScript. For so small an interface, wasm-bindgen is not needed.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::string_slice, reason = "tests may panic"))]

#[cfg(target_arch = "wasm32")]
pub mod abi;
mod complete;
mod declare;
mod hover;
mod report;
mod service;
mod state;

#[cfg(test)]
mod tests;

pub use service::Service;
