//! rtype: resource types as data.
//!
//! A *type* defines the attributes of a kind of resource, the allowed values, and when a machine is in sync: `user`, `file`, `service`.
//! Types are written in a separate language, in `.rtype` files that are loaded at run time. This library provides the functions of the
//! program `rtype` to programs that embed it.
//!
//! # Types
//!
//! A [`Loader`] collects type files and returns [`Types`]. Types can be inspected, and used to check further files:
//!
//! ```
//! let types = rtype::Loader::new()
//!     .text("lamp.rtype", "\
//! type lamp {
//!   newparam name { isnamevar }
//!   newproperty level { type Integer[0, 100] }
//! }
//! ")
//!     .load()?;
//! let found = types.check("room.pp", "lamp { 'desk': level => 110 }");
//! assert!(found[0].message.contains("`level`"), "{}", found[0].message);
//! # Ok::<(), rtype::Problems>(())
//! ```
//!
//! # Resources
//!
//! [`Types::declare`] reads a manifest, or resources in JSON or YAML. Values are converted to their canonical form:
//!
//! ```
//! # let types = rtype::Loader::new().load()?;
//! let resources = types.declare("site.pp", "user { 'ada': uid => '1000', ensure => present }")?;
//! for resource in resources.iter() {
//!     assert_eq!((resource.reference().as_str(), resource.get("uid")), ("User[ada]", Some(rtype::value::Value::Int(1000))));
//! }
//! # Ok::<(), rtype::Problems>(())
//! ```
//!
//! # Machines
//!
//! With the feature `native`, a [`Host`] reads resources from this machine, compares them, predicts a run, and applies them:
//!
//! ```
//! # #[cfg(feature = "native")] {
//! # let directory = std::env::temp_dir().join(format!("rtype-example-{}", std::process::id()));
//! # std::fs::create_dir_all(&directory)?;
//! # let note = directory.join("note");
//! # let types = rtype::Loader::new().load()?;
//! let manifest = format!("file {{ '{}': content => \"buy milk\\n\" }}", note.display());
//! let resources = types.declare("site.pp", &manifest)?;
//! let host = rtype::Host::local().state_directory(directory.join("state"))?;
//! assert_eq!(host.compare(&resources)?[0].in_sync, Some(false));
//! assert_eq!(host.plan(&resources)?.len(), 1);
//! let summary = host.apply(&resources, &mut |step| println!("{}: {}", step.reference, step.message))?;
//! assert_eq!((summary.changed, summary.failed), (1, 0));
//! assert_eq!(std::fs::read_to_string(&note)?, "buy milk\n");
//! # std::fs::remove_dir_all(&directory)?;
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Providers
//!
//! The native code of a provider implements [`provider::Provider`], or [`provider::Simple`] if a single call writes a whole resource. Pass
//! the provider to a [`Host`], or to `main_with`, which runs the whole program `rtype` with additional providers.
//!
//! # Features
//!
//! | feature | adds | needs |
//! |---|---|---|
//! | – | [`Loader`], [`Types`], [`Resources`]: pure, nothing is read from the machine | |
//! | `native` | [`Host`], [`provider`], directories of types | Unix |
//! | `import` | Puppet types in Ruby, for the command line | a C compiler |
//! | `cli`, `repl`, `lsp` | the program: command line, prompt, language server | `native` |
//!
//! All features are on by default. A program that only checks types can turn them off.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::string_slice, reason = "tests may panic"))]

mod api;
#[doc(hidden)]
pub mod app;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "lsp")]
#[doc(hidden)]
pub mod lsp;
#[cfg(feature = "native")]
pub mod provider;
#[cfg(feature = "repl")]
#[doc(hidden)]
pub mod repl;

pub use api::*;
#[cfg(feature = "cli")]
pub use cli::main_with;
pub use rtype_lang::diagnostics::Severity;

/// Values of attributes.
pub mod value {
    pub use rtype_lang::value::{EcoString, Symbol, Value};
}
