//! Problem formats: a folder in, a [`Suite`](crate::model::Suite) out. One file per format; knows no solver, no
//! checker and runs nothing.

mod plain;

pub use plain::{Layout, LoadError, load};
