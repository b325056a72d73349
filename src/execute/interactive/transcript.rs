//! The transcript of a talk as text: a time, then two columns.

use std::fmt::Write as _;

use crate::sandbox::{Speaker, Transcript};

/// The width of the left column.
const COLUMN: usize = 38;

/// One row for each line of each piece; a piece that ends within a line is marked by `~`.
pub(super) fn text(transcript: &Transcript) -> Vec<u8> {
    let mut text = String::from(
        "# seconds since the start; passing everything on takes time: do not trust the times of \
         this run\n",
    );
    let _ = writeln!(text, "# {:>10}  {:<COLUMN$}| interactor", "", "solution");
    for entry in &transcript.entries {
        let mut at = format!("{:.6}", entry.at.as_secs_f64());
        for line in entry.bytes.split_inclusive(|&byte| byte == b'\n') {
            let whole = line.strip_suffix(b"\n");
            let words = whole.unwrap_or(line).escape_ascii();
            let mark = if whole.is_some() { "" } else { "~" };
            let row = match entry.from {
                Speaker::Solution => format!("{words}{mark}"),
                Speaker::Interactor => format!("{:<COLUMN$}| {words}{mark}", ""),
            };
            let _ = writeln!(text, "{at:>12}  {row}");
            at.clear();
        }
    }
    if transcript.dropped > 0 {
        let _ = writeln!(text, "# {} more bytes are left out", transcript.dropped);
    }
    text.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::Entry;
    use std::time::Duration;

    #[test]
    fn both_sides_stand_in_columns_of_their_own_with_the_time() {
        let entry = |ms, from, bytes: &[u8]| Entry {
            at: Duration::from_millis(ms),
            from,
            bytes: bytes.to_vec(),
        };
        let mut transcript = Transcript::default();
        transcript.entries = vec![
            entry(1, Speaker::Solution, b"500\n"),
            entry(2, Speaker::Interactor, b"<\n\x1b[2J"),
        ];
        transcript.dropped = 7;
        let text = String::from_utf8(text(&transcript)).unwrap();
        let rows: Vec<&str> = text.lines().skip(2).collect();
        let space = " ".repeat(COLUMN);
        assert_eq!(
            rows,
            [
                "    0.001000  500",
                &format!("    0.002000  {space}| <"),
                &format!("              {space}| \\x1b[2J~"),
                "# 7 more bytes are left out",
            ]
        );
    }
}
