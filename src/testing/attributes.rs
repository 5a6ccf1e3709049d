//! What holds for the values of every attribute: what is allowed is accepted, and what is canonical stays so.

use super::TestResult;
use crate::provider::NativeProviders;
use crate::types::{TestDef, TypeDef};
use std::sync::Arc;

pub(super) fn check(_type_def: &Arc<TypeDef>, _tests: &[&TestDef], _natives: &NativeProviders) -> Vec<TestResult> {
    Vec::new()
}
