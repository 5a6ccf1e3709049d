//! Catalogs as JSON.
