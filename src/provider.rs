//! The interface for native code of providers.
//!
//! A provider reads and changes resources of one type on a machine. The provider reports facts; the type defines the allowed values and
//! decides when a resource is in sync. `docs/providers.md` describes how to write a provider.
//!
//! ```
//! use rtype::provider::{ListedResource, ProviderError, Reading, Request, Select, State, System};
//! use rtype::value::{Symbol, Value};
//! use std::sync::Arc;
//!
//! /// Reads how much memory the machine has.
//! struct Memory;
//!
//! impl rtype::provider::Provider for Memory {
//!     fn reads(&self) -> &'static [&'static str] {
//!         &["kilobytes"]
//!     }
//!
//!     fn get(&self, system: &System, requests: &[Request<'_>], _: Select<'_>) -> Vec<Reading> {
//!         let text = system.read("/proc/meminfo").map(Option::unwrap_or_default);
//!         let number = text.map(|text| text.split_whitespace().nth(1).and_then(|number| number.parse().ok()));
//!         let one = |_: &Request<'_>| match &number {
//!             Ok(Some(number)) => Reading::Present(State::from_iter([(Symbol::from("kilobytes"), Ok(Value::Int(*number)))])),
//!             Ok(None) => Reading::Absent,
//!             Err(error) => Reading::Error(error.clone()),
//!         };
//!         requests.iter().map(one).collect()
//!     }
//!
//!     fn instances(&self, _: &System, _: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
//!         Ok(Vec::new())
//!     }
//! }
//!
//! let text = "\
//! type memory {
//!   newparam name { isnamevar }
//!   newproperty kilobytes { type Integer }
//! }
//! provider linux, for: memory { native }
//! ";
//! let types = rtype::Loader::new().text("memory.rtype", text).load()?;
//! let resources = types.declare("site.pp", "memory { 'all': kilobytes => 1 }")?;
//! let host = rtype::Host::local().register("memory", "linux", Arc::new(Memory));
//! assert_eq!(host.compare(&resources)?[0].in_sync, Some(false));
//! # Ok::<(), rtype::Problems>(())
//! ```

pub use rtype_lang::eval::LogLevel;
pub use rtype_lang::redact::{Foreign, RawOutput};
pub use rtype_provider::{
    Access, Change, ChangeContext, Command, DesiredValues, Difference, Draft, GetSet, ListedResource, NativeProviders, Need, Operation,
    Output, ProgramOutput, Provider, ProviderError, Reading, Replace, Request, Resource, Select, Simple, State, System, Thing,
    WholeResource,
};
