//! From bytes to a [`Board`].
//!
//! Memory grows with the bytes that have arrived, never with the size that the first line claims.

use std::io::Read;

use super::super::{Bounds, Format, InputError, Options, Place, SolveError};
use super::board::{Board, SINGLE, WALL, stride};
use super::source::Source;

/// The largest side in the original contest.
const CONTEST_SIDE: u64 = 100;
const SIZE_HINT: &str = "the first line holds the numbers of rows and columns, such as `3 4`";
const OTHER_GAME: &str = "numbers in place of `.` and `#` look like the game `ali-baba`";

/// Reads one whole input.
///
/// # Errors
/// [`SolveError`] when it breaks the format or cannot be read.
pub fn parse(input: &mut dyn Read, options: Options) -> Result<Board, SolveError> {
    let mut parser =
        Parser { source: Source::new(input), strict: options.format == Format::Strict, rows: 0 };
    let (rows, columns) = parser.size(options.bounds)?;
    let board = parser.rows(rows, columns)?;
    parser.end(rows)?;
    Ok(board)
}

struct Parser<'a> {
    source: Source<'a>,
    strict: bool,
    /// The rows that the size line tells.
    rows: u32,
}

/// What a blank stretch may hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Blank {
    /// Spaces and tabs.
    InLine,
    /// Line ends too.
    AnyLine,
}

impl Parser<'_> {
    /// The size line with all that stands around it.
    fn size(&mut self, bounds: Bounds) -> Result<(u32, u32), SolveError> {
        self.byte_order_mark()?;
        self.blanks(Blank::AnyLine)?;
        let place = self.source.place();
        if self.peek()?.is_none() {
            let message = "the input is empty: expected the numbers of rows and columns";
            return fail(place, message, Some(SIZE_HINT));
        }
        let rows = self.side("rows", bounds)?;
        self.separator()?;
        let columns = self.side("columns", bounds)?;
        if (rows.saturating_add(2)).saturating_mul(columns.saturating_add(2)) > u64::from(u32::MAX)
        {
            let message = format!(
                "a board of {} x {} cells is too large: with its border it may have at most {} cells",
                huge(rows),
                huge(columns),
                u32::MAX
            );
            return fail(place, message, Some(SIZE_HINT));
        }
        self.line_end(None)?;
        Ok((rows as u32, columns as u32))
    }

    fn byte_order_mark(&mut self) -> Result<(), SolveError> {
        if self.peek()? != Some(0xef) {
            return Ok(());
        }
        let place = self.source.place();
        for expected in [0xef, 0xbb, 0xbf] {
            match self.peek()? {
                Some(byte) if byte == expected => self.source.skip(1),
                found => {
                    let message = format!("expected the number of rows, found {}", shown(found));
                    return fail(self.source.place(), message, Some(SIZE_HINT));
                }
            }
        }
        self.deviation(place, "a byte order mark")
    }

    /// One number of the size.
    fn side(&mut self, what: &str, bounds: Bounds) -> Result<u64, SolveError> {
        let place = self.source.place();
        let negative = self.peek()? == Some(b'-');
        if negative {
            self.source.skip(1);
        }
        let (mut value, mut digits) = (0_u64, 0);
        while let Some(digit @ b'0'..=b'9') = self.peek()? {
            value = value.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
            digits += 1;
            self.source.skip(1);
        }
        if digits == 0 {
            let found = if negative { "`-`".to_owned() } else { shown(self.peek()?) };
            let message = format!("expected the number of {what}, found {found}");
            return fail(place, message, Some(SIZE_HINT));
        }
        if negative || value == 0 {
            let sign = if negative { "-" } else { "" };
            let message =
                format!("the number of {what} must be at least 1, found {sign}{}", huge(value));
            return fail(place, message, Some(SIZE_HINT));
        }
        if bounds == Bounds::Contest && value > CONTEST_SIDE {
            let message = format!("expected at most {CONTEST_SIDE} {what}, found {}", huge(value));
            return fail(place, message, Some("the limits of the contest are enforced"));
        }
        Ok(value)
    }

    /// The blanks between the two numbers.
    fn separator(&mut self) -> Result<(), SolveError> {
        let place = self.source.place();
        if self.strict {
            if self.peek()? == Some(b' ') {
                self.source.skip(1);
            }
        } else {
            self.blanks(Blank::AnyLine)?;
        }
        let found = self.peek()?;
        match found {
            Some(b'0'..=b'9' | b'-') if self.source.place() != place => Ok(()),
            _ => {
                let message = format!("expected the number of columns, found {}", shown(found));
                fail(self.source.place(), message, Some(SIZE_HINT))
            }
        }
    }

    /// All rows, as a bordered board.
    fn rows(&mut self, rows: u32, columns: u32) -> Result<Board, SolveError> {
        self.rows = rows;
        let stride = stride(columns) as usize;
        let mut cells = Vec::new();
        for row in 0..rows {
            self.blanks(Blank::AnyLine)?;
            if self.peek()?.is_none() {
                let message = format!("the input ends after {row} of {rows} rows");
                return fail(self.source.place(), message, None);
            }
            self.row(row + 1, columns, &mut cells)?;
            let border = stride - columns as usize;
            // The first row makes the border above it, now that its length is known to be real.
            let above = if row == 0 { stride } else { 0 };
            reserve(&mut cells, above + border, rows, columns)?;
            cells.resize(cells.len() + border, WALL);
            if row == 0 {
                cells.resize(2 * stride, WALL);
                cells.rotate_right(stride);
            }
        }
        reserve(&mut cells, stride, rows, columns)?;
        cells.resize(cells.len() + stride, WALL);
        Ok(Board::new(rows, columns, cells))
    }

    /// One row and its line end.
    fn row(&mut self, row: u32, columns: u32, cells: &mut Vec<u8>) -> Result<(), SolveError> {
        let length = columns as usize;
        let mut count = 0;
        while count < length {
            let bytes = self.source.fill().map_err(SolveError::Read)?;
            let bytes = &bytes[..bytes.len().min(length - count)];
            if bytes.is_empty() {
                return fail(self.source.place(), short(row, count, columns), None);
            }
            reserve(cells, bytes.len(), self.rows, columns)?;
            let (taken, added) = (bytes.len(), cells.len());
            cells.extend_from_slice(bytes);
            if !translate(&mut cells[added..]) {
                let good = bytes.iter().take_while(|&&byte| matches!(byte, b'.' | b'#')).count();
                let found = bytes[good];
                self.source.skip(good);
                return self.strange(row, count + good, columns, found);
            }
            self.source.skip(taken);
            count += taken;
        }
        self.long(row, columns)
    }

    /// The error for a byte that is no cell, after `count` cells of a row.
    fn strange(
        &mut self,
        row: u32,
        count: usize,
        columns: u32,
        byte: u8,
    ) -> Result<(), SolveError> {
        let place = self.source.place();
        match byte {
            b'\n' | b'\r' => fail(place, short(row, count, columns), None),
            b' ' | b'\t' => {
                self.blanks(Blank::InLine)?;
                if matches!(self.peek()?, None | Some(b'\n' | b'\r')) {
                    return fail(place, short(row, count, columns), None);
                }
                let hint = "cells stand side by side, without blanks";
                fail(
                    place,
                    format!("row {row} has a blank after {count} of {columns} characters"),
                    Some(hint),
                )
            }
            _ => {
                let message = format!(
                    "expected `.` or `#` at row {row}, column {}, found {}",
                    count + 1,
                    shown(Some(byte))
                );
                let hint = matches!(byte, b'0'..=b'9' | b'-').then_some(OTHER_GAME);
                fail(place, message, hint)
            }
        }
    }

    /// Makes sure that a row ends where it should.
    fn long(&mut self, row: u32, columns: u32) -> Result<(), SolveError> {
        let place = self.source.place();
        if !matches!(self.peek()?, Some(b'.' | b'#')) {
            return self.line_end(Some(row));
        }
        let mut extra = 0_u64;
        while let Some(b'.' | b'#') = self.peek()? {
            self.source.skip(1);
            extra += 1;
        }
        let total = u64::from(columns) + extra;
        fail(place, format!("row {row} has {total} instead of {columns} characters"), None)
    }

    /// A line end or the end of the input, blanks before it; after a row or after the size.
    fn line_end(&mut self, row: Option<u32>) -> Result<(), SolveError> {
        self.blanks(Blank::InLine)?;
        let place = self.source.place();
        let mut found = self.peek()?;
        if found == Some(b'\r') {
            self.source.skip(1);
            found = self.peek()?;
            if matches!(found, Some(b'\n') | None) {
                self.deviation(place, "a carriage return")?;
            } else {
                found = Some(b'\r');
            }
        }
        match found {
            Some(b'\n') => {
                self.source.skip_newline();
                Ok(())
            }
            None => self.deviation(place, "a last line without a newline"),
            _ => {
                let hint = matches!(found, Some(b'0'..=b'9' | b'-')).then_some(OTHER_GAME);
                let after = row.map_or_else(|| "the size".to_owned(), |row| format!("row {row}"));
                let found = shown(found);
                fail(
                    place,
                    format!("expected the end of the line after {after}, found {found}"),
                    hint,
                )
            }
        }
    }

    /// Nothing may follow.
    fn end(&mut self, rows: u32) -> Result<(), SolveError> {
        self.blanks(Blank::AnyLine)?;
        let found = self.peek()?;
        if found.is_none() {
            return Ok(());
        }
        let plural = if rows == 1 { "row" } else { "rows" };
        let message =
            format!("expected the end of the input after {rows} {plural}, found {}", shown(found));
        fail(self.source.place(), message, Some("an input holds one board"))
    }

    /// Steps over blanks, which are deviations.
    fn blanks(&mut self, blank: Blank) -> Result<(), SolveError> {
        loop {
            let place = self.source.place();
            match self.peek()? {
                Some(b' ' | b'\t') => {
                    self.deviation(place, "a blank")?;
                    self.source.skip(1);
                }
                Some(b'\r') if blank == Blank::AnyLine => {
                    self.deviation(place, "a carriage return")?;
                    self.source.skip(1);
                }
                Some(b'\n') if blank == Blank::AnyLine => {
                    self.deviation(place, "a blank line")?;
                    self.source.skip_newline();
                }
                _ => return Ok(()),
            }
        }
    }

    /// Refuses a harmless deviation if the format is strict.
    fn deviation(&self, place: Place, what: &str) -> Result<(), SolveError> {
        if self.strict {
            return fail(place, format!("the strict format does not allow {what} here"), None);
        }
        Ok(())
    }

    fn peek(&mut self) -> Result<Option<u8>, SolveError> {
        self.source.peek().map_err(SolveError::Read)
    }
}

/// Turns characters into cells; false if one of them is none.
fn translate(bytes: &mut [u8]) -> bool {
    let mut strange = 0;
    for byte in bytes {
        let wall = u8::from(*byte == b'#');
        strange |= 1 - (wall | u8::from(*byte == b'.'));
        *byte = SINGLE + wall * (WALL - SINGLE);
    }
    strange == 0
}

/// Room for more cells, or the error that there is none.
fn reserve(cells: &mut Vec<u8>, more: usize, rows: u32, columns: u32) -> Result<(), SolveError> {
    cells.try_reserve(more).map_err(|_| memory(rows, columns))
}

fn memory(rows: u32, columns: u32) -> SolveError {
    SolveError::Memory { case: 1, rows: u64::from(rows), columns: u64::from(columns) }
}

fn short(row: u32, count: usize, columns: u32) -> String {
    format!("row {row} has {count} of {columns} characters")
}

/// A number for people: those that do not fit are only called large.
fn huge(value: u64) -> String {
    if value == u64::MAX { format!("more than {}", u64::MAX - 1) } else { value.to_string() }
}

/// A found byte for people.
fn shown(byte: Option<u8>) -> String {
    match byte {
        None => "the end of the input".to_owned(),
        Some(b'\n') => "the end of the line".to_owned(),
        Some(b'\r') => "a carriage return".to_owned(),
        Some(b'`') => "a backquote".to_owned(),
        Some(byte @ b'!'..=b'~') => format!("`{}`", char::from(byte)),
        Some(b' ' | b'\t') => "a blank".to_owned(),
        Some(byte) => format!("the byte 0x{byte:02x}"),
    }
}

fn fail<T>(place: Place, message: impl Into<String>, hint: Option<&str>) -> Result<T, SolveError> {
    let (message, hint) = (message.into(), hint.map(str::to_owned));
    Err(SolveError::Input(InputError { place, message, hint }))
}
