//! What stands between two tokens, as far as a judge looks at it.

use crate::simd::places::Set;

/// The bytes between tokens.
pub(super) type Blanks = Set;

/// The blanks of C and Python.
pub(super) static SPACE: Blanks = Set::new(b" \t\n\r\x0b\x0c");

/// The blanks of testlib.
pub(super) static TESTLIB: Blanks = Set::new(b" \t\n\r");

/// The blanks of oicompare.
pub(super) static OICOMPARE: Blanks = Set::new(b" \t\n\r\x0b\0");

/// What a judge sees of the bytes between two tokens.
pub(super) trait Gap: Default + PartialEq {
    /// Whether the gap before the first token counts.
    const START: bool = true;
    /// Whether the gap behind the last token counts.
    const END: bool = true;

    /// An empty gap, at the start of the file or behind a token.
    fn begin(_start: bool) -> Self {
        Self::default()
    }

    /// Another byte of the gap.
    fn add(&mut self, byte: u8);

    /// The gap that these bytes make.
    #[inline]
    fn of(bytes: &[u8], start: bool) -> Self {
        let mut gap = Self::begin(start);
        for &byte in bytes {
            gap.add(byte);
        }
        gap
    }

    /// Whether both sides may go on behind these gaps at the end of the file.
    fn same_end(&self, other: &Self) -> bool {
        self == other
    }
}

/// Nothing: blanks are free.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Free;

impl Gap for Free {
    const START: bool = false;
    const END: bool = false;

    #[inline]
    fn add(&mut self, _byte: u8) {}
}

/// Every byte, by a digest.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Bytes {
    count: u64,
    digest: u64,
}

impl Gap for Bytes {
    #[inline]
    fn add(&mut self, byte: u8) {
        self.count += 1;
        let mixed = (self.digest ^ u64::from(byte)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.digest = mixed.rotate_left(29) ^ self.count;
    }
}

/// Whether there is a line end.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Break(bool);

impl Gap for Break {
    const START: bool = false;
    const END: bool = false;

    #[inline]
    fn add(&mut self, byte: u8) {
        self.0 |= matches!(byte, b'\n' | b'\r');
    }
}

/// How many line feeds there are; those at the end of the file are free.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Feeds(u64);

impl Gap for Feeds {
    const END: bool = false;

    #[inline]
    fn add(&mut self, byte: u8) {
        self.0 += u64::from(byte == b'\n');
    }
}

/// How many line feeds there are; at the end of the file the output may have more blanks than the
/// answer, but no vertical tab and no form feed behind the lines that the answer has. As testlib's
/// `lcmp` does, which reads lines of words and then looks for blanks of another kind.
#[derive(Debug, Default)]
pub(super) struct FeedsThenBlanks {
    start: bool,
    feeds: u64,
    /// Whether the last line has a byte.
    open: bool,
    /// Whether the line before the last feed has none.
    empty: bool,
    /// Feeds before the last vertical tab or form feed.
    odd: Option<u64>,
}

impl FeedsThenBlanks {
    /// Lines that are read from this gap on, the one of the last token too.
    fn lines(&self) -> u64 {
        let first = u64::from(!self.start && self.feeds == 0);
        let skipped = !self.open && self.empty && self.feeds > u64::from(!self.start);
        first + self.feeds + u64::from(self.open && self.feeds > 0) - u64::from(skipped)
    }
}

impl PartialEq for FeedsThenBlanks {
    fn eq(&self, other: &Self) -> bool {
        self.feeds == other.feeds
    }
}

impl Gap for FeedsThenBlanks {
    fn begin(start: bool) -> Self {
        Self { start, ..Self::default() }
    }

    #[inline]
    fn add(&mut self, byte: u8) {
        match byte {
            b'\n' => {
                self.feeds += 1;
                (self.empty, self.open) = (!self.open, false);
            }
            b'\r' => {}
            _ => self.open = true,
        }
        if matches!(byte, 0x0b | 0x0c) {
            self.odd = Some(self.feeds);
        }
    }

    fn same_end(&self, output: &Self) -> bool {
        output.odd.is_none_or(|feeds| feeds < self.lines())
    }
}

/// How many line feeds there are; at the end of the file only those that blanks follow count.
#[derive(Debug, Default)]
pub(super) struct FeedsBeforeBlanks {
    feeds: u64,
    before_blanks: u64,
}

impl PartialEq for FeedsBeforeBlanks {
    fn eq(&self, other: &Self) -> bool {
        self.feeds == other.feeds
    }
}

impl Gap for FeedsBeforeBlanks {
    #[inline]
    fn add(&mut self, byte: u8) {
        if byte == b'\n' {
            self.feeds += 1;
        } else {
            self.before_blanks = self.feeds;
        }
    }

    fn same_end(&self, other: &Self) -> bool {
        self.before_blanks == other.before_blanks
    }
}

/// The same where a carriage return before a line feed belongs to it.
#[derive(Debug, Default)]
pub(super) struct LinesBeforeBlanks {
    lines: FeedsBeforeBlanks,
    pending: bool,
}

impl LinesBeforeBlanks {
    fn before_blanks(&self) -> u64 {
        if self.pending { self.lines.feeds } else { self.lines.before_blanks }
    }
}

impl PartialEq for LinesBeforeBlanks {
    fn eq(&self, other: &Self) -> bool {
        self.lines.feeds == other.lines.feeds
    }
}

impl Gap for LinesBeforeBlanks {
    #[inline]
    fn add(&mut self, byte: u8) {
        if self.pending && byte != b'\n' {
            self.lines.add(b'\r');
        }
        self.pending = byte == b'\r';
        if !self.pending {
            self.lines.add(byte);
        }
    }

    fn same_end(&self, other: &Self) -> bool {
        self.before_blanks() == other.before_blanks()
    }
}

/// How many line ends there are: LF, CR, or CR LF. Free at the end.
#[derive(Debug, Default)]
pub(super) struct LineEnds {
    count: u64,
    behind_return: bool,
}

impl PartialEq for LineEnds {
    fn eq(&self, other: &Self) -> bool {
        self.count == other.count
    }
}

impl Gap for LineEnds {
    const END: bool = false;

    #[inline]
    fn add(&mut self, byte: u8) {
        let within = byte == b'\n' && self.behind_return;
        self.count += u64::from(matches!(byte, b'\n' | b'\r') && !within);
        self.behind_return = byte == b'\r';
    }
}

/// Lines that are dropped when they are empty, and count when there are blanks in them; each line
/// feed and each carriage return ends one.
#[derive(Debug, Default)]
pub(super) struct BlankLines {
    count: u64,
    /// Whether a line has ended before.
    own_line: bool,
    /// Whether there are blanks behind that.
    open: bool,
}

impl BlankLines {
    fn at_end(&self) -> u64 {
        self.count + u64::from(self.own_line && self.open)
    }
}

impl PartialEq for BlankLines {
    fn eq(&self, other: &Self) -> bool {
        (self.own_line, self.count) == (other.own_line, other.count)
    }
}

impl Gap for BlankLines {
    fn begin(start: bool) -> Self {
        Self { own_line: start, ..Self::default() }
    }

    #[inline]
    fn add(&mut self, byte: u8) {
        if matches!(byte, b'\n' | b'\r') {
            self.count += u64::from(self.own_line && self.open);
            (self.own_line, self.open) = (true, false);
        } else {
            self.open = true;
        }
    }

    fn same_end(&self, other: &Self) -> bool {
        self.at_end() == other.at_end()
    }
}
