//! The input as a window of bytes that ends behind a complete number, with exact places.

use std::io::{ErrorKind, Read};

use super::super::{Format, InputError, Place, SolveError};
use super::faults;
use super::layout::Layout;
use crate::simd::planes::{BLOCK, is_blank};

/// The first buffer: enough for most test cases, and no page of it is touched in vain.
const SMALL: usize = 16 << 10;

/// The buffer of larger inputs: it stays in the second-level cache.
const LARGE: usize = 256 << 10;

/// Reads end up at a multiple of this: the kernel copies half as fast to other places.
const ALIGN: usize = 64;

/// Bytes of the buffer that are never filled: a line feed behind the end, and a block.
const SLACK: usize = BLOCK + 1;

/// What is kept of a number that is cut: its start, to be quoted, and its end, for its last digit.
/// Between them one byte stands for all that is dropped.
const HEAD: usize = 32;
const TAIL: usize = 31;

/// What is done with a number that fills the buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Long {
    /// Its middle is dropped: whether it is zero, odd, or large stays the same.
    Cut,
    /// The buffer grows.
    Whole,
}

/// Where bytes of a number were dropped.
#[derive(Debug, Clone, Copy)]
struct Cut {
    /// The byte of the buffer that stands for them.
    at: usize,
    bytes: u64,
}

/// The input.
pub(super) struct Source<'r> {
    input: &'r mut dyn Read,
    /// [`SLACK`] bytes longer than what is ever filled.
    buffer: Vec<u8>,
    /// The first byte of the buffer that belongs to the input.
    first: usize,
    /// The next byte to be used.
    at: usize,
    /// Complete numbers end here, behind a blank.
    whole: usize,
    /// Bytes that were read.
    filled: usize,
    ended: bool,
    /// Line feeds before `at`.
    lines: u64,
    /// Bytes of the first line of the buffer that are not in it any more.
    column: u64,
    /// Bytes that were read in all.
    total: u64,
    /// What is done with a number that fills the buffer.
    long: Long,
    /// Rows and columns of the board whose numbers are being read.
    size: (usize, usize),
    /// Bytes that were dropped from the first number of the buffer.
    cut: Option<Cut>,
    /// The check of the strict format.
    layout: Option<Layout>,
    /// Where the current case starts: its number, its byte in the buffer, the line feeds before.
    start: (u64, usize, u64),
    /// The place of that byte, once it is not in the buffer any more.
    start_place: Option<Place>,
}

impl<'r> Source<'r> {
    pub(super) fn new(input: &'r mut dyn Read, format: Format) -> Self {
        Self {
            input,
            buffer: vec![0; SMALL + SLACK],
            first: 0,
            at: 0,
            whole: 0,
            filled: 0,
            ended: false,
            lines: 0,
            column: 0,
            total: 0,
            long: Long::Cut,
            size: (0, 0),
            cut: None,
            layout: (format == Format::Strict).then(Layout::new),
            start: (1, 0, 0),
            start_place: None,
        }
    }

    /// The whole buffer, readable for a block behind [`Source::whole`].
    pub(super) fn buffer(&self) -> &[u8] {
        &self.buffer
    }

    /// The next byte to be used.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Where the complete numbers end.
    pub(super) fn whole(&self) -> usize {
        self.whole
    }

    /// Marks everything before `at` as used.
    pub(super) fn advance(&mut self, case: u64, at: usize) -> Result<(), InputError> {
        let lines = line_feeds(&self.buffer[self.at..at]);
        self.advance_lines(case, at, lines)
    }

    /// The same with a known number of line feeds; the one behind the end of the input may be
    /// among them.
    pub(super) fn advance_lines(
        &mut self,
        case: u64,
        at: usize,
        lines: usize,
    ) -> Result<(), InputError> {
        if let Some(layout) = &mut self.layout {
            let end = at.min(self.filled);
            let cut = self.cut.filter(|cut| (self.at..end).contains(&cut.at));
            let middle = cut.map_or(end, |cut| cut.at);
            layout.feed(case, &self.buffer[self.at..middle])?;
            layout.skip(cut.map_or(0, |cut| cut.bytes));
            layout.feed(case, &self.buffer[middle..end])?;
        }
        self.at = at;
        self.lines += (lines - usize::from(at > self.filled)) as u64;
        Ok(())
    }

    /// The size of a board follows.
    pub(super) fn expect_size(&mut self) {
        self.expect(2, Long::Cut);
    }

    /// The numbers of a board follow.
    pub(super) fn expect_cells(&mut self, rows: usize, columns: usize, long: Long) {
        self.size = (rows, columns);
        self.expect(columns, long);
    }

    /// Lines of so many numbers follow.
    fn expect(&mut self, columns: usize, long: Long) {
        self.long = long;
        if let Some(layout) = &mut self.layout {
            layout.expect(columns);
        }
    }

    /// The last look of the strict format.
    pub(super) fn finish(&self, case: u64) -> Result<(), InputError> {
        self.layout.as_ref().map_or(Ok(()), |layout| layout.finish(case))
    }

    /// A case starts with the next byte.
    pub(super) fn start_case(&mut self, case: u64) {
        (self.start, self.start_place) = ((case, self.at, self.lines), None);
    }

    /// Where the current case starts.
    pub(super) fn start_place(&self) -> Place {
        let (case, at, lines) = self.start;
        self.start_place.unwrap_or_else(|| Place { case, line: lines + 1, column: self.column(at) })
    }

    /// Skips blanks; false at the end of the input.
    pub(super) fn skip_blanks(&mut self, case: u64) -> Result<bool, SolveError> {
        loop {
            let rest = &self.buffer[self.at..self.whole];
            let blanks = rest.iter().position(|&byte| !is_blank(byte));
            self.advance(case, blanks.map_or(self.whole, |blanks| self.at + blanks))?;
            if blanks.is_some() {
                return Ok(true);
            }
            if !self.refill()? {
                return Ok(false);
            }
        }
    }

    /// Drops what was used and reads on until at least one more number is complete; false at the
    /// end of the input.
    pub(super) fn refill(&mut self) -> Result<bool, SolveError> {
        if self.ended {
            return Ok(false);
        }
        self.drop_used();
        if self.total >= SMALL as u64 && self.buffer.len() < LARGE {
            // Without the memory for it the small buffer does as well.
            self.grow(LARGE);
        }
        self.align();
        loop {
            let room = self.make_room()?;
            let before = self.filled;
            if !room || self.read()? == 0 {
                self.end();
                return Ok(self.at < self.filled);
            }
            let new = &self.buffer[before..self.filled];
            if let Some(last) = new.iter().rposition(|&byte| is_blank(byte)) {
                self.whole = before + last + 1;
                return Ok(true);
            }
        }
    }

    /// Reads once into the free part of the buffer.
    fn read(&mut self) -> Result<usize, SolveError> {
        let end = self.buffer.len() - SLACK;
        loop {
            match self.input.read(&mut self.buffer[self.filled..end]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(SolveError::Read(error)),
                Ok(read) => {
                    self.filled += read;
                    self.total += read as u64;
                    return Ok(read);
                }
            }
        }
    }

    /// The input ends here: a line feed of our own completes its last number.
    fn end(&mut self) {
        self.ended = true;
        self.buffer[self.filled] = b'\n';
        self.whole = self.filled + 1;
    }

    fn drop_used(&mut self) {
        self.start_place = Some(self.start_place());
        let used = &self.buffer[self.first..self.at];
        self.column = match memchr::memrchr(b'\n', used) {
            Some(last) => (used.len() - last - 1) as u64 + self.dropped(self.first + last, self.at),
            None => self.column + used.len() as u64 + self.dropped(self.first, self.at),
        };
        self.first = self.at;
        self.cut = None;
    }

    /// Moves the unused rest to the front, so that what is read next comes to an aligned place.
    fn align(&mut self) {
        let rest = self.filled - self.at;
        let first = (self.buffer.as_ptr().addr() + rest).wrapping_neg() % ALIGN;
        self.buffer.copy_within(self.at..self.filled, first);
        self.whole = self.whole.saturating_sub(self.at) + first;
        (self.first, self.at, self.filled) = (first, first, first + rest);
    }

    /// Bytes that were dropped between two places of the buffer.
    fn dropped(&self, from: usize, to: usize) -> u64 {
        self.cut.filter(|cut| (from..to).contains(&cut.at)).map_or(0, |cut| cut.bytes)
    }

    /// Makes room if one token fills the buffer; false if that token is no number: reading a huge
    /// file to its end as one token would be in vain.
    fn make_room(&mut self) -> Result<bool, SolveError> {
        let size = self.buffer.len() - SLACK;
        if self.filled < size {
            return Ok(true);
        }
        let token = &self.buffer[self.first..size];
        if token.iter().any(|byte| !byte.is_ascii_digit() && *byte != b'-') {
            return Ok(false);
        }
        if self.long == Long::Cut {
            self.cut();
        } else if !self.grow(2 * size) {
            let (rows, columns) = (self.size.0 as u64, self.size.1 as u64);
            return Err(SolveError::Memory { case: self.start.0, rows, columns });
        }
        Ok(true)
    }

    /// Makes the buffer larger; false if there is no memory for that.
    fn grow(&mut self, size: usize) -> bool {
        let enough = self.buffer.try_reserve_exact(size + SLACK - self.buffer.len()).is_ok();
        if enough {
            self.buffer.resize(size + SLACK, 0);
        }
        enough
    }

    /// Drops the middle of the number that fills the buffer.
    fn cut(&mut self) {
        let (at, tail) = (self.first + HEAD, self.filled - TAIL);
        let middle = &self.buffer[at..tail];
        let sum = match () {
            () if middle.contains(&b'-') => b'-',
            () if middle.iter().any(|&byte| byte != b'0') => b'9',
            () => b'0',
        };
        let bytes = self.cut.map_or(0, |cut| cut.bytes) + (middle.len() - 1) as u64;
        self.cut = Some(Cut { at, bytes });
        self.buffer[at] = sum;
        self.buffer.copy_within(tail..self.filled, at + 1);
        self.filled = at + 1 + TAIL;
    }

    /// The place of a byte of the buffer.
    pub(super) fn place(&self, case: u64, at: usize) -> Place {
        let at = at.min(self.filled);
        let line = if at < self.at {
            self.lines - line_feeds(&self.buffer[at..self.at.min(self.filled)]) as u64
        } else {
            self.lines + line_feeds(&self.buffer[self.at..at]) as u64
        };
        Place { case, line: line + 1, column: self.column(at) }
    }

    /// The column of a byte of the buffer, from 1.
    fn column(&self, at: usize) -> u64 {
        let before = &self.buffer[self.first..at];
        match memchr::memrchr(b'\n', before) {
            Some(last) => (before.len() - last) as u64 + self.dropped(self.first + last, at),
            None => self.column + before.len() as u64 + 1 + self.dropped(self.first, at),
        }
    }

    /// The non-blank bytes from here on.
    pub(super) fn token(&self, at: usize) -> &[u8] {
        token(&self.buffer[at..self.whole])
    }

    /// Skips a byte order mark. To be called before anything else.
    pub(super) fn skip_mark(&mut self) -> Result<(), SolveError> {
        self.refill()?;
        if !self.buffer[self.at..self.filled].starts_with(b"\xef\xbb\xbf") {
            return Ok(());
        }
        if self.layout.is_some() {
            let place = Place { case: 1, line: 1, column: 1 };
            return Err(faults::layout(place, "a byte order mark").into());
        }
        self.at += 3;
        Ok(())
    }
}

fn line_feeds(text: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', text).count()
}

/// The non-blank bytes at the start of a text.
pub(super) fn token(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|&byte| is_blank(byte)).unwrap_or(text.len());
    &text[..end]
}
