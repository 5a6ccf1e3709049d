//! Builds an [`Instance`] from a declared resource: canonical values with their origins, relations and verdicts.
//!
//! Nothing here performs I/O itself. The machine is accessed through [`rtype_lang::eval::World`], providers through [`Backend`], other
//! resources through [`rtype_lang::eval::CatalogQuery`].

mod act;
mod build;
mod canonical;
mod catalog;
mod complete;
mod display;
mod entered;
mod generate;
mod instance;
mod kinds;
mod late;
mod messages;
mod order;
mod prepare;
mod provider;
mod relations;
mod suitability;
pub mod title;
mod together;
mod trace;
mod undecided;
mod verdict;
mod view;

pub use act::{ActionEffect, Actor, act, event, refresh, unchangeable};
pub use build::{Built, build, is_misspelled_secret, take_alone, take_one, title_for, titled, unknown_attribute};
pub use catalog::{Catalog, NoCatalog};
pub(crate) use complete::left_in_ruby;
pub use complete::{dangling, dangling_beside, failed_blocks, pre_run_checks, purges};
pub use display::{for_display, on_one_line, one_line, row};
pub use entered::evaluate_entered;
pub use generate::{Phase, call, generated};
pub use instance::{Ignored, Instance, NotChecked, Origin, Slot, Slots};
pub use late::late_finalized;
pub use messages::{BlockMessage, MessageLog};
pub use order::{CycleEdge, Order, OrderNode, Reason, Why, cycle_diagnostic};
pub use prepare::Preparation;
pub use provider::{setting, setting_of, wanted_of};
pub use relations::{Relation, Relations, UnresolvedRelation, relations};
pub use suitability::{Choice, Suitability, Unsuitable, choose, has_feature, lacking, supports, supports_all, survey};
pub use together::{canonicalized, declared_values};
pub use trace::TraceStep;
pub use undecided::{UNDECIDED, Undecided, may_be_undecided, undecided};
pub use verdict::{Comparison, PropertyReader, Status, Verdict, change_message, compare_all, compare_one, evaluate, sides};

use rtype_lang::eval::{CatalogQuery, Failure, QueryError, World};
use rtype_lang::types::{ProviderDef, RelationKind, TypeDef};
use rtype_lang::value::{ResourceRef, Value};

/// Evaluates a provider setting, with arguments if it is called as a method.
pub type EvaluateSetting<'a> = &'a dyn Fn(&str, &[Value]) -> Result<Value, Failure>;

/// The resource in a provider query.
pub struct QueryContext<'a> {
    /// The type of the resource.
    pub type_def: &'a TypeDef,
    /// The provider of the resource.
    pub provider: &'a ProviderDef,
    /// The name that the provider uses for the resource.
    pub name: &'a str,
    /// Returns the resource's desired values by name.
    pub wanted: &'a dyn Fn(&str) -> Value,
    /// Returns the settings of the provider; `nil` if unset.
    pub setting: EvaluateSetting<'a>,
}

/// Lets value blocks call provider code.
pub trait Backend {
    /// Answers a query about a resource.
    ///
    /// # Errors
    /// Returns the reason if the query cannot be answered.
    fn query(&self, asked: &QueryContext<'_>, method: &str, arguments: &[Value]) -> Result<Value, QueryError>;

    /// Returns all resources of a type on the machine, managed or not, as maps with `title` and the readable properties.
    ///
    /// # Errors
    /// Returns the reason if the resources cannot be listed.
    fn instances(&self, type_def: &TypeDef) -> Result<Value, QueryError> {
        Err(QueryError::NotListed(type_def.name.clone()))
    }

    /// Returns an instance's automatic relations from the type's original code; `None` if the original code cannot run.
    fn relations(&self, instance: &Instance, context: Context<'_>) -> Option<Result<Vec<(RelationKind, ResourceRef)>, QueryError>> {
        let _ = (instance, context);
        None
    }
}

/// The environment in which an instance is built.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The machine.
    pub world: &'a dyn World,
    /// The other resources.
    pub catalog: &'a dyn CatalogQuery,
    /// The providers' code; `None` if providers must not be queried.
    pub backend: Option<&'a dyn Backend>,
    /// True if an attribute that needs a missing feature, or that is not checked, is an error.
    pub strict: bool,
    /// True to record each value's derivation, and to keep every value as given.
    pub trace: bool,
    /// True if the machine must not be read. Values that depend on the machine are unknown.
    pub offline: bool,
    /// Receives the messages of blocks; `None` if they are discarded.
    pub log: Option<&'a MessageLog>,
}
