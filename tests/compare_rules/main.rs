//! The comparisons from outside: verdicts and places, and the text of a mismatch.

mod presets;
mod random;
mod support;
mod table;
mod text;
