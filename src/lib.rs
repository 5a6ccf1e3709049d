//! rtype: resource types as data.
//!
//! A *type* says which attributes a kind of resource has, which values they take and when a machine is in sync: `user`, `file`, `service`.
//! Types are written in a language of their own, in `.rtype` files that are loaded at run time. This library does what the program `rtype`
//! does, for programs that embed it.
//!
//! # Types
//!
//! A [`Loader`] collects texts and gives [`Types`]. They can be looked at, and texts can be checked with them:
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
//! With the feature `native`, a [`Host`] reads resources from this machine and compares them, says what a run would do, and does it:
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
//! The native code of a provider implements [`provider::Provider`], or [`provider::Simple`] where one call writes a whole resource. It is
//! given to a [`Host`], or to `main_with`, which is the whole program `rtype` with more providers.
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
//! All are on by default. A program that only checks types turns them off.
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
