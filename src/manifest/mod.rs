//! Resource declarations (being written).
