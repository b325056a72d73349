//! Bytes of an input, one by one or as many as there are, with their line and column.

use std::io::{self, Read};

use super::super::Place;

/// The first buffer; most boards are small.
const FIRST: usize = 1 << 14;
/// The buffer of inputs that fill the first one.
const LATER: usize = 1 << 16;

/// A stream with a place.
pub(super) struct Source<'a> {
    input: &'a mut dyn Read,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    place: Place,
}

impl<'a> Source<'a> {
    pub(super) fn new(input: &'a mut dyn Read) -> Self {
        let place = Place { case: 1, line: 1, column: 1 };
        Self { input, buffer: vec![0; FIRST], start: 0, end: 0, place }
    }

    /// The place of the next byte.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// The bytes at hand; none only at the end of the input.
    pub(super) fn fill(&mut self) -> io::Result<&[u8]> {
        while self.start == self.end {
            if self.end == self.buffer.len() {
                self.buffer.resize(LATER, 0);
            }
            match self.input.read(&mut self.buffer) {
                Ok(0) => break,
                Ok(count) => (self.start, self.end) = (0, count),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(&self.buffer[self.start..self.end])
    }

    /// The next byte, which stays there.
    pub(super) fn peek(&mut self) -> io::Result<Option<u8>> {
        Ok(self.fill()?.first().copied())
    }

    /// Steps over `count` bytes at hand, none of them a newline.
    pub(super) fn skip(&mut self, count: usize) {
        self.start += count;
        self.place.column += count as u64;
    }

    /// Steps over a newline at hand.
    pub(super) fn skip_newline(&mut self) {
        self.start += 1;
        self.place.line += 1;
        self.place.column = 1;
    }
}
