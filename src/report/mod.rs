//! Placeholder.

mod excerpt;
pub mod mismatch;
