//! One side of a comparison: a stream read in blocks, with the place reached in it.

use std::cell::RefCell;
use std::io::{self, ErrorKind, SeekFrom};
use std::path::Path;

use super::CheckError;
use crate::model::ReadSeek;

/// The largest block read at once: the size that measured best. Smaller ones pay for more calls
/// and shorter copies, larger ones fall out of the caches before they are compared.
const BLOCK: usize = 768 << 10;

/// Blocks start at a multiple of this: the kernel copies half as fast to other places.
const ALIGN: usize = 64;

/// The smallest buffer, for files that do not tell their size.
const SMALLEST: usize = 1 << 10;

/// Which side a stream is; names it in errors.
#[derive(Debug, Clone, Copy)]
pub(super) enum Side<'a> {
    /// The answer file.
    Answer(&'a Path),
    /// What was written by the solution.
    Output,
}

impl Side<'_> {
    /// The error of this side.
    pub(super) fn error(self, source: io::Error) -> CheckError {
        match self {
            Self::Answer(path) => CheckError::Answer { path: path.to_owned(), source },
            Self::Output => CheckError::Output(source),
        }
    }
}

thread_local! {
    /// Buffers of earlier comparisons of this thread, two at most: fresh memory for each case would
    /// cost more than a small comparison itself.
    static BUFFERS: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

impl Drop for Source<'_> {
    fn drop(&mut self) {
        let mut buffer = std::mem::take(&mut self.buffer);
        if buffer.len() > 2 * BLOCK {
            // It has held a very long token: the memory is not kept for that.
            buffer = Vec::new();
        }
        // Fails only while the thread ends: then the buffer is not needed again.
        let _ = BUFFERS.try_with(|buffers| {
            let mut buffers = buffers.borrow_mut();
            if buffers.len() < 2 {
                buffers.push(buffer);
            }
        });
    }
}

/// A stream read in blocks. Knows its place: bytes and line feeds before [`Source::rest`].
pub(super) struct Source<'a> {
    side: Side<'a>,
    stream: &'a mut dyn ReadSeek,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    ended: bool,
    offset: u64,
    lines: u64,
}

/// A place in a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    /// Bytes before it.
    pub(super) offset: u64,
    /// Line feeds before it.
    pub(super) lines: u64,
    /// Whether nothing follows.
    pub(super) ended: bool,
}

impl<'a> Source<'a> {
    /// A stream that stands at its start and holds about `bytes` bytes.
    pub(super) fn new(side: Side<'a>, stream: &'a mut dyn ReadSeek, bytes: u64) -> Self {
        // One byte more than the file, so that no second block is needed to see its end.
        let whole = usize::try_from(bytes).map_or(BLOCK, |bytes| bytes.saturating_add(1));
        let room = whole.clamp(SMALLEST, BLOCK) + ALIGN;
        let mut buffer = BUFFERS.with_borrow_mut(Vec::pop).unwrap_or_default();
        if buffer.len() < room {
            buffer.resize(room, 0);
        }
        Self { side, stream, buffer, start: 0, end: 0, ended: false, offset: 0, lines: 0 }
    }

    /// Goes back to the start.
    pub(super) fn rewind(&mut self) -> Result<(), CheckError> {
        self.jump(Spot { offset: 0, lines: 0, ended: false })
    }

    /// Goes to a place.
    pub(super) fn jump(&mut self, spot: Spot) -> Result<(), CheckError> {
        self.stream.seek(SeekFrom::Start(spot.offset)).map_err(|error| self.side.error(error))?;
        (self.start, self.end, self.ended) = (0, 0, false);
        (self.offset, self.lines) = (spot.offset, spot.lines);
        Ok(())
    }

    /// Makes [`Source::rest`] non-empty unless the stream has ended.
    #[inline]
    pub(super) fn fill(&mut self) -> Result<(), CheckError> {
        if self.start == self.end && !self.ended { self.refill(u64::MAX) } else { Ok(()) }
    }

    /// Reads the next block, of so many bytes at most.
    fn refill(&mut self, most: u64) -> Result<(), CheckError> {
        let start = self.buffer.as_ptr().align_offset(ALIGN).min(ALIGN);
        let room = self.buffer.len() - start;
        let room = usize::try_from(most).map_or(room, |most| most.min(room));
        let count = read(self.stream, &mut self.buffer[start..start + room])
            .map_err(|error| self.side.error(error))?;
        (self.start, self.end) = (start, start + count);
        self.ended = count == 0;
        Ok(())
    }

    /// Reads on behind what is not yet passed, which stays in [`Source::rest`]. Says whether more
    /// has come.
    pub(super) fn more(&mut self) -> Result<bool, CheckError> {
        if self.ended {
            return Ok(false);
        }
        let kept = self.start..self.end;
        let base = self.buffer.as_ptr().align_offset(ALIGN).min(ALIGN);
        let at = base + kept.len().next_multiple_of(ALIGN);
        let room = if self.buffer.len() < BLOCK { kept.len().max(SMALLEST) } else { BLOCK };
        if self.buffer.len() < at + room.min(BLOCK) {
            self.buffer.resize(at + room.min(BLOCK), 0);
        }
        let start = at - kept.len();
        self.buffer.copy_within(kept, start);
        let end = self.buffer.len().min(at + BLOCK);
        let count =
            read(self.stream, &mut self.buffer[at..end]).map_err(|error| self.side.error(error))?;
        (self.start, self.end, self.ended) = (start, at + count, count == 0);
        Ok(count > 0)
    }

    /// What has been read and not yet passed.
    #[inline]
    pub(super) fn rest(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Passes `bytes` bytes with `lines` line feeds among them.
    #[inline]
    pub(super) fn pass(&mut self, bytes: usize, lines: usize) {
        self.start += bytes;
        self.offset += bytes as u64;
        self.lines += lines as u64;
    }

    /// Passes all bytes that `skip` names; says whether the stream has ended there.
    pub(super) fn skip(&mut self, skip: impl Fn(u8) -> bool) -> Result<bool, CheckError> {
        loop {
            self.fill()?;
            let rest = self.rest();
            if rest.is_empty() {
                return Ok(true);
            }
            let count = rest.iter().position(|&byte| !skip(byte)).unwrap_or(rest.len());
            let done = count < rest.len();
            let lines = count_lines(&rest[..count]);
            self.pass(count, lines);
            if done {
                return Ok(false);
            }
        }
    }

    /// The place reached. Whether it is the end is known only after [`Source::fill`].
    pub(super) fn spot(&self) -> Spot {
        let ended = self.ended && self.start == self.end;
        Spot { offset: self.offset, lines: self.lines, ended }
    }

    /// Up to `bytes` bytes from a place on; fewer only at the end of the stream.
    pub(super) fn read_at(&mut self, from: u64, bytes: usize) -> Result<Vec<u8>, CheckError> {
        let mut found = Vec::new();
        self.each_block(from, bytes as u64, |block| found.extend_from_slice(block))?;
        Ok(found)
    }

    /// Shows up to `bytes` bytes from a place on to `see`, block by block; the place reached is
    /// lost. Gives the number of bytes seen.
    pub(super) fn each_block(
        &mut self,
        from: u64,
        bytes: u64,
        mut see: impl FnMut(&[u8]),
    ) -> Result<u64, CheckError> {
        self.jump(Spot { offset: from, lines: 0, ended: false })?;
        let mut left = bytes;
        while left > 0 {
            self.refill(left)?;
            let count = self.rest().len();
            if count == 0 {
                break;
            }
            see(self.rest());
            self.pass(count, 0);
            left -= count as u64;
        }
        Ok(bytes - left)
    }
}

fn read(stream: &mut dyn ReadSeek, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match stream.read(buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// Line feeds in these bytes.
pub(super) fn count_lines(bytes: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', bytes).count()
}
