//! Placeholder.
use crate::model::Mismatch;
/// Which characters may be printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Charset {
    /// All of Unicode.
    #[default]
    Unicode,
    /// Only ASCII.
    Ascii,
}
/// One line.
#[must_use]
pub fn headline(_mismatch: &Mismatch, _charset: Charset) -> String {
    String::new()
}
/// The view.
#[must_use]
pub fn block(_mismatch: &Mismatch, _charset: Charset) -> String {
    String::new()
}
/// Escaped text.
#[must_use]
pub fn excerpt(bytes: &[u8], _charset: Charset) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
