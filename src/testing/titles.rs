//! Titles and what they are made of.

use super::TestResult;
use crate::provider::NativeProviders;
use crate::types::{TestDef, TypeDef};
use std::sync::Arc;

pub(super) fn check(_type_def: &Arc<TypeDef>, _tests: &[&TestDef], _natives: &NativeProviders) -> Vec<TestResult> {
    Vec::new()
}
