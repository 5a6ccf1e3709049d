//! rtype for browsers and Node.js: a WebAssembly module that needs nothing of its host.
//!
//! [`Service::call`] takes a request as JSON and returns the result as JSON; `npm/index.d.ts` describes both. [`abi`] makes it callable from
//! JavaScript without generated code: the interface is two functions, so wasm-bindgen would add a tool and a dependency for nothing.
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
