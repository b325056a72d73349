//! Many pairs of lines in one go, as long as they are equal.
//!
//! As with tokens, nothing is decided here against an output: lines that differ, that are long, or
//! that hold a carriage return with a meaning of its own, stay for [`super::by_line::Reader`].

use super::by_line::{Ends, Lines};
use super::gap::Blanks;
use super::source::Source;
use crate::simd::Level;
use crate::simd::places::Places;

static FEED: Blanks = Blanks::new(b"\n");

/// Pairs that have been passed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Passed {
    /// How many.
    pub(super) lines: usize,
    /// Whether one of them had a byte on either side that is no carriage return.
    pub(super) text: bool,
}

/// One side of a chunk, taken apart line by line.
struct Side<'t> {
    lines: Lines,
    text: &'t [u8],
    feeds: &'t [u16],
    next: usize,
    start: usize,
}

/// A line: what is compared of it, and whether it has no byte but carriage returns.
type Content<'t> = (&'t [u8], bool);

impl<'t> Side<'t> {
    fn new(lines: Lines, text: &'t [u8], places: &'t Places) -> Self {
        Self { lines, text, feeds: places.members(), next: 0, start: 0 }
    }

    /// The next line that counts, if it is a plain one; it is not passed.
    #[inline]
    fn content(&mut self) -> Option<Content<'t>> {
        loop {
            let end = usize::from(*self.feeds.get(self.next)?);
            let raw = &self.text[self.start..end];
            let bytes = self.without_return(raw)?;
            if bytes.is_empty() && self.lines.drop_empty {
                self.pass();
                continue;
            }
            let empty = bytes.iter().all(|&byte| byte == b'\r');
            return Some((self.stripped(bytes), empty));
        }
    }

    fn pass(&mut self) {
        self.start = usize::from(self.feeds[self.next]) + 1;
        self.next += 1;
    }

    /// The line without the carriage return that belongs to its end; none if there is another one
    /// that is more than a byte.
    #[inline]
    fn without_return(&self, raw: &'t [u8]) -> Option<&'t [u8]> {
        let plain = match self.lines.ends {
            Ends::Feed => return Some(raw),
            // Its line feed ends an empty line, which is dropped.
            Ends::Either if !self.lines.drop_empty => raw,
            _ => raw.strip_suffix(b"\r").unwrap_or(raw),
        };
        let free = self.lines.ends == Ends::FeedOrPair;
        (free || memchr::memchr(b'\r', plain).is_none()).then_some(plain)
    }

    #[inline]
    fn stripped(&self, bytes: &'t [u8]) -> &'t [u8] {
        let Some(blanks) = self.lines.strip else { return bytes };
        let text = |byte: &u8| !blanks.holds(*byte);
        let end = bytes.iter().rposition(text).map_or(0, |last| last + 1);
        let start = if self.lines.strip_starts { bytes.iter().position(text) } else { None };
        &bytes[start.unwrap_or(0)..end]
    }
}

/// Passes equal lines. Both sides stand at the start of a line before and after it, and the answer
/// does not end there.
pub(super) fn pass(
    [answer_lines, output_lines]: [Lines; 2],
    level: Level,
    places: &mut [Places; 2],
    answer: &mut Source,
    output: &mut Source,
) -> Passed {
    let (first, second) = (answer.rest(), output.rest());
    let [first_places, second_places] = places;
    first_places.find_members(level, &FEED, &first[..first.len().saturating_sub(1)]);
    second_places.find_members(level, &FEED, second);
    let mut first = Side::new(answer_lines, first, first_places);
    let mut second = Side::new(output_lines, second, second_places);
    let mut passed = Passed::default();
    while let (Some(a), Some(b)) = (first.content(), second.content()) {
        if a.1 != b.1 || a.0 != b.0 {
            break;
        }
        passed.lines += 1;
        passed.text |= !a.1;
        first.pass();
        second.pass();
    }
    let ends = [(first.start, first.next), (second.start, second.next)];
    answer.pass(ends[0].0, ends[0].1);
    output.pass(ends[1].0, ends[1].1);
    passed
}
