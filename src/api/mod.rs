//! The public interface: a thin layer over the crates, with the types that programs need and no others.

#[cfg(feature = "native")]
mod host;
mod problem;
mod resources;
mod types;

#[cfg(feature = "native")]
pub use host::{ComparedProperty, ComparedResource, Host, ResourceMessage, RunSummary, Step, StepStatus, Unreadable};
pub use problem::{Location, Problem, Problems};
pub use resources::{DeclaredResource, Resources};
pub use types::{AttributeInfo, AttributeKind, Loader, ResourceType, Types};
