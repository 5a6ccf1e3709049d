//! A declared resource → [`Instance`]: canonical values, each with its origin, and what follows from them.
//!
//! Everything here is pure. The machine is seen through [`crate::eval::World`], providers through [`Backend`],
//! other resources through [`crate::eval::CatalogQuery`].

mod build;
mod canonical;
mod catalog;
mod complete;
mod display;
mod generate;
mod instance;
mod kinds;
mod prepare;
mod relations;
mod suitability;
mod title;
mod trace;
mod verdict;
mod view;

pub use build::{Built, build};
pub use catalog::{Catalog, NoCatalog};
pub use complete::{dangling, pre_run_checks};
pub use display::for_display;
pub use generate::{call, generated};
pub use instance::{Ignored, Instance, Origin, Slot, Slots};
pub use prepare::Preparation;
pub use relations::{Relation, relations};
pub use suitability::{Choice, Suitability, Unsuitable, choose, supports, supports_all, survey};
pub use trace::TraceStep;
pub use verdict::{Comparison, Current, Status, Verdict, compare_all, compare_one};

use crate::eval::{CatalogQuery, World};
use crate::types::ProviderDef;
use crate::value::Value;

/// How value blocks reach the code behind a provider.
pub trait Backend {
    /// Answers a query about the resource whose wanted values `wanted` gives by name.
    ///
    /// # Errors
    /// A message when there is no answer.
    fn query(
        &self,
        provider: &ProviderDef,
        name: &str,
        wanted: &dyn Fn(&str) -> Value,
        method: &str,
        arguments: &[Value],
    ) -> Result<Value, String>;
}

/// What an instance is built in.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The machine.
    pub world: &'a dyn World,
    /// The other resources.
    pub catalog: &'a dyn CatalogQuery,
    /// The providers' code; `None` where nothing may be asked.
    pub backend: Option<&'a dyn Backend>,
    /// Whether an attribute that needs a lacking feature is an error instead of a warning.
    pub strict: bool,
    /// Whether to note how each value came about.
    pub trace: bool,
    /// Whether there is no machine to look at: what depends on it is not known.
    pub offline: bool,
}
