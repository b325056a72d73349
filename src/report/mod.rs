//! Placeholder.

pub mod mismatch;
