//! The strict format: one blank between numbers, one row a line, line feeds only, nothing else.
//! Looks at the bytes between numbers and keeps its own lines and columns.

use super::super::{InputError, Place};
use super::faults;
use crate::simd::planes::is_blank;
use crate::solvers::counted;

/// What stood before the next number, and what has to stand there.
#[derive(Debug)]
pub(super) struct Layout {
    line: u64,
    column: u64,
    /// The blanks since the last number, at most three, and their place.
    gap: Vec<u8>,
    gap_place: (u64, u64),
    in_number: bool,
    /// Whether there was any number.
    started: bool,
    /// Numbers on this line so far, and how many belong there.
    numbers: usize,
    columns: usize,
    /// The columns of the line that is being read, even if other lines are expected already.
    width: usize,
}

impl Layout {
    pub(super) fn new() -> Self {
        Self {
            line: 1,
            column: 1,
            gap: Vec::new(),
            gap_place: (1, 1),
            in_number: false,
            started: false,
            numbers: 0,
            columns: 0,
            width: 0,
        }
    }

    /// Lines of so many numbers follow.
    pub(super) fn expect(&mut self, columns: usize) {
        (self.numbers, self.columns) = (0, columns);
    }

    /// Looks at the next bytes.
    pub(super) fn feed(&mut self, case: u64, text: &[u8]) -> Result<(), InputError> {
        for &byte in text {
            if is_blank(byte) {
                self.blank(case, byte)?;
            } else if !self.in_number {
                self.number(case)?;
            }
            self.column += 1;
            if byte == b'\n' {
                (self.line, self.column) = (self.line + 1, 1);
            }
        }
        Ok(())
    }

    /// Passes so many bytes of a number.
    pub(super) fn skip(&mut self, bytes: u64) {
        self.column += bytes;
    }

    /// Looks at the end of the input.
    pub(super) fn finish(&self, case: u64) -> Result<(), InputError> {
        match self.gap[..] {
            [] => Err(fault(case, self.line, self.column, "no line feed at the end")),
            [b'\n'] => Ok(()),
            _ => Err(self.at_gap(case, "blanks behind the last number")),
        }
    }

    fn blank(&mut self, case: u64, byte: u8) -> Result<(), InputError> {
        if self.in_number || self.gap.is_empty() {
            self.in_number = false;
            self.gap.clear();
            self.gap_place = (self.line, self.column);
        }
        if self.gap.len() < 3 {
            self.gap.push(byte);
        }
        match byte {
            b'\n' | b' ' => Ok(()),
            b'\r' => Err(self.here(case, "a carriage return")),
            b'\t' => Err(self.here(case, "a tab")),
            _ => Err(self.here(case, "a control character")),
        }
    }

    /// A number starts.
    fn number(&mut self, case: u64) -> Result<(), InputError> {
        let row_start = self.numbers == 0 || self.numbers == self.columns;
        let wanted: &[u8] = match (self.started, row_start) {
            (false, _) => b"",
            (true, true) => b"\n",
            (true, false) => b" ",
        };
        if self.gap != wanted {
            return Err(self.wrong_gap(case, row_start));
        }
        self.started = true;
        self.width = self.columns;
        self.numbers = if row_start { 1 } else { self.numbers + 1 };
        self.gap.clear();
        self.in_number = true;
        Ok(())
    }

    fn wrong_gap(&self, case: u64, row_start: bool) -> InputError {
        match (&self.gap[..], row_start) {
            ([b'\n', ..], _) if !self.started => self.at_gap(case, "a blank line"),
            ([b'\n', b'\n', ..], _) => fault(case, self.gap_place.0 + 1, 1, "a blank line"),
            ([b'\n', ..], true) => {
                fault(case, self.gap_place.0 + 1, 1, "a blank at the start of a line")
            }
            ([b'\n', ..], false) => {
                let what = format!(
                    "only {} of {} on a line",
                    self.numbers,
                    counted(self.columns as u64, "number")
                );
                self.at_gap(case, &what)
            }
            ([b' ', b'\n', ..], _) => self.at_gap(case, "a blank at the end of a line"),
            ([b' ', b' ', ..], _) => self.at_gap(case, "more than one blank"),
            _ if self.started => self.here(
                case,
                &format!("more than {} on a line", counted(self.width as u64, "number")),
            ),
            _ => self.at_gap(case, "a blank at the start of a line"),
        }
    }

    fn here(&self, case: u64, what: &str) -> InputError {
        fault(case, self.line, self.column, what)
    }

    fn at_gap(&self, case: u64, what: &str) -> InputError {
        fault(case, self.gap_place.0, self.gap_place.1, what)
    }
}

fn fault(case: u64, line: u64, column: u64, what: &str) -> InputError {
    faults::layout(Place { case, line, column }, what)
}
