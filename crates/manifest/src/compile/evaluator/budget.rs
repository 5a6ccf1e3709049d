//! The limits of an evaluation.

use super::weight::{ValueWeight, ValueWeights};
use crate::compile::environment::EvaluationLimits;
use crate::compile::failure::EvaluationFailure;
use crate::compile::value::ManifestValue;

/// The number of collections or types that may contain each other.
const MAX_NESTING: usize = 200;

/// What is left of the limits.
pub struct EvaluationBudget {
    limits: EvaluationLimits,
    steps: usize,
    bytes: usize,
    depth: usize,
    weights: ValueWeights,
    /// The bytes of the catalog.
    catalog: usize,
}

impl EvaluationBudget {
    /// Returns an unused budget.
    pub fn new(limits: EvaluationLimits) -> EvaluationBudget {
        EvaluationBudget { limits, steps: 0, bytes: 0, depth: 0, weights: ValueWeights::default(), catalog: 0 }
    }

    /// Counts steps.
    ///
    /// # Errors
    /// Returns an error if the limit is exceeded.
    pub fn spend(&mut self, steps: usize) -> Result<(), EvaluationFailure> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > self.limits.steps {
            return Err(EvaluationFailure::limit(format!("the evaluation exceeds {} steps", self.limits.steps)));
        }
        Ok(())
    }

    /// Returns how many steps and bytes are left.
    #[cfg(feature = "ruby")]
    pub fn left(&self) -> (u64, u64) {
        (self.limits.steps.saturating_sub(self.steps) as u64, self.limits.bytes.saturating_sub(self.bytes) as u64)
    }

    /// Counts bytes of strings and collections.
    ///
    /// # Errors
    /// Returns an error if the limit is exceeded.
    pub fn allocate(&mut self, bytes: usize) -> Result<(), EvaluationFailure> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > self.limits.bytes {
            return Err(EvaluationFailure::limit(format!("the evaluation creates more than {} bytes", self.limits.bytes)));
        }
        Ok(())
    }

    /// Checks the size and nesting of a value, and returns the size.
    ///
    /// # Errors
    /// Returns an error if the value would fill the memory when it is written, or is nested too deeply.
    pub fn weigh(&mut self, value: &ManifestValue) -> Result<usize, EvaluationFailure> {
        let ValueWeight { bytes, depth } = self.weights.of(value, MAX_NESTING);
        if depth > MAX_NESTING {
            return Err(EvaluationFailure::limit(format!("a value or type is nested more than {MAX_NESTING} deep, or too large")));
        }
        let limit = self.limits.bytes / 16;
        if bytes > limit {
            return Err(EvaluationFailure::limit(format!("a value is written with more than {limit} bytes")));
        }
        Ok(bytes)
    }

    /// Counts a parameter of the catalog.
    ///
    /// # Errors
    /// Returns an error if the catalog is too large.
    pub fn catalog(&mut self, value: &ManifestValue) -> Result<(), EvaluationFailure> {
        self.catalog = self.catalog.saturating_add(self.weigh(value)?);
        let limit = self.limits.bytes / 8;
        if self.catalog > limit {
            return Err(EvaluationFailure::limit(format!("the catalog has more than {limit} bytes")));
        }
        Ok(())
    }

    /// Checks the number of resources.
    ///
    /// # Errors
    /// Returns an error if the limit is exceeded.
    pub fn resources(&self, count: usize) -> Result<(), EvaluationFailure> {
        if count >= self.limits.resources {
            return Err(EvaluationFailure::limit(format!("the catalog has more than {} resources", self.limits.resources)));
        }
        Ok(())
    }

    /// Enters an expression.
    ///
    /// # Errors
    /// Returns an error if expressions are nested too deeply.
    pub fn enter(&mut self) -> Result<(), EvaluationFailure> {
        self.spend(1)?;
        if self.depth >= self.limits.depth {
            return Err(EvaluationFailure::limit(format!("expressions are nested more than {} deep", self.limits.depth)));
        }
        self.depth += 1;
        Ok(())
    }

    /// Leaves an expression.
    pub fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }
}
