//! Lines against lines, by a digest of each: a line of any length takes no memory.
//!
//! Equal files are found by their bytes first. Only files that differ are read line by line.

use super::CheckError;
use super::compare::{Comparison as _, Fault, Found};
use super::difference::Difference;
use super::digest::Digest;
use super::gap::Blanks;
use super::line_chunk::{self, Passed};
use super::rule::Rule;
use super::source::{Source, Spot};
use crate::simd::Level;
use crate::simd::compare;
use crate::simd::places::Places;

/// Bytes of two differing lines that are searched for the place where they part.
const SEARCHED: usize = 256 << 10;

/// Lines that are read one by one where the next ones are not equal.
const PATIENCE: u32 = 8;

/// What ends a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// LF.
    Feed,
    /// LF or CR LF.
    FeedOrPair,
    /// Each CR and each LF.
    Either,
    /// CR, LF or CR LF.
    Any,
    /// LF or CR LF; a CR before another byte is dropped, one at the end of the file is read as the
    /// byte 255: as testlib does.
    Testlib,
}

/// How a text is taken apart.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a rule of some judge")]
pub(super) struct Lines {
    /// What ends a line.
    pub(super) ends: Ends,
    /// Bytes dropped at the ends of lines.
    pub(super) strip: Option<&'static Blanks>,
    /// Whether they are dropped at the starts, too.
    pub(super) strip_starts: bool,
    /// Whether lines without a byte are dropped.
    pub(super) drop_empty: bool,
    /// Whether what follows the last line end is a line even when it is empty.
    pub(super) split: bool,
    /// Whether a text that ends within a line is read as though its line end were there.
    pub(super) complete: bool,
}

impl Lines {
    /// Whole lines.
    pub(super) fn new(ends: Ends) -> Self {
        Self {
            ends,
            strip: None,
            strip_starts: false,
            drop_empty: false,
            split: false,
            complete: false,
        }
    }
}

/// Which lines may be left on one side when the other one has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extra {
    /// None.
    None,
    /// Lines without a byte, before anything is stripped but carriage returns.
    Empty,
    /// Such lines in the output only.
    EmptyOutput,
}

/// A line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line {
    /// What is in it.
    pub(super) digest: (u64, u64),
    /// Whether it had no byte but carriage returns.
    pub(super) empty: bool,
    /// Where it starts.
    pub(super) start: Spot,
}

/// Reads one line after the other.
pub(super) struct Reader {
    lines: Lines,
    behind_end: bool,
    done: bool,
}

impl Reader {
    /// At the start of a text.
    pub(super) fn new(lines: Lines) -> Self {
        Self { lines, behind_end: false, done: false }
    }

    /// The digest of an empty line.
    pub(super) fn nothing() -> (u64, u64) {
        Digest::default().value()
    }

    /// The next line.
    pub(super) fn next(&mut self, source: &mut Source) -> Result<Option<Line>, CheckError> {
        loop {
            let line = self.any(source)?;
            match line {
                Some((line, bytes)) if !(self.lines.drop_empty && bytes == 0) => {
                    return Ok(Some(line));
                }
                Some(_) => {}
                None => return Ok(None),
            }
        }
    }

    /// The next line, and how many bytes it had.
    fn any(&mut self, source: &mut Source) -> Result<Option<(Line, u64)>, CheckError> {
        source.fill()?;
        let start = source.spot();
        if source.rest().is_empty() {
            let last = self.lines.split && !self.done;
            let first = start.offset == 0 && !self.lines.complete;
            let wanted = last && (self.behind_end || first || self.lines.complete);
            self.done = true;
            let line = Line { digest: Digest::default().value(), empty: true, start };
            return Ok(wanted.then_some((line, 0)));
        }
        let mut text = Content::new(&self.lines);
        let ended = self.read(source, &mut text)?;
        self.behind_end = ended || self.lines.complete;
        self.done = !self.behind_end;
        Ok(Some((Line { start, ..text.line() }, text.bytes)))
    }

    /// Reads to the end of the line; says whether there was a line end.
    fn read(&self, source: &mut Source, text: &mut Content) -> Result<bool, CheckError> {
        loop {
            source.fill()?;
            let rest = source.rest();
            let plain = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
            text.extend(&rest[..plain]);
            let mark = rest.get(plain).copied();
            let all = rest.is_empty();
            source.pass(plain, 0);
            match (mark, self.lines.ends) {
                (None, _) if all => return Ok(false),
                (None, _) => {}
                (Some(b'\n'), _) => {
                    source.pass(1, 1);
                    return Ok(true);
                }
                (Some(_), Ends::Feed) => {
                    source.pass(1, 0);
                    text.extend(b"\r");
                }
                (Some(_), Ends::Either) => {
                    source.pass(1, 0);
                    return Ok(true);
                }
                (Some(_), ends) => {
                    source.pass(1, 0);
                    if behind_return(ends, source, text)? {
                        return Ok(true);
                    }
                }
            }
        }
    }
}

/// Reads both sides, line by line.
pub(super) struct Readers {
    /// Reads the answer.
    pub(super) answer: Reader,
    /// Reads the output.
    pub(super) output: Reader,
    level: Level,
    places: Box<[Places; 2]>,
    /// Lines that are read one by one before many are tried again.
    patience: u32,
}

impl Readers {
    /// At the starts of both.
    pub(super) fn new(answer: Lines, output: Lines, level: Level) -> Self {
        let (answer, output) = (Reader::new(answer), Reader::new(output));
        Self { answer, output, level, places: Box::default(), patience: 0 }
    }

    /// Passes equal lines, many in one go. It need not pass all, and never the last one of the
    /// answer.
    pub(super) fn pass_equal(
        &mut self,
        answer: &mut Source,
        output: &mut Source,
    ) -> Result<Passed, CheckError> {
        if self.patience > 0 {
            self.patience -= 1;
            return Ok(Passed::default());
        }
        answer.fill()?;
        output.fill()?;
        let before = [answer.spot().offset, output.spot().offset];
        let lines = [self.answer.lines, self.output.lines];
        let passed = line_chunk::pass(lines, self.level, &mut self.places, answer, output);
        self.patience = if passed.lines == 0 { PATIENCE } else { 0 };
        let after = [answer.spot().offset, output.spot().offset];
        let readers = [&mut self.answer, &mut self.output];
        for (reader, (before, after)) in readers.into_iter().zip(before.into_iter().zip(after)) {
            if after > before {
                (reader.behind_end, reader.done) = (true, false);
            }
        }
        Ok(passed)
    }
}

/// Behind a carriage return that has a meaning; says whether the line ends there.
fn behind_return(ends: Ends, source: &mut Source, text: &mut Content) -> Result<bool, CheckError> {
    source.fill()?;
    let next = source.rest().first().copied();
    if next == Some(b'\n') {
        source.pass(1, 1);
        return Ok(true);
    }
    match ends {
        Ends::Any => return Ok(true),
        Ends::Testlib => {
            text.extend(&[next.unwrap_or(u8::MAX)]);
            source.pass(usize::from(next.is_some()), 0);
        }
        _ => text.extend(b"\r"),
    }
    Ok(false)
}

/// What stands in a line.
struct Content {
    strip: Option<&'static Blanks>,
    strip_starts: bool,
    all: Digest,
    /// The digest up to the last byte that is not stripped.
    kept: Digest,
    bytes: u64,
    returns: u64,
}

impl Content {
    fn new(lines: &Lines) -> Self {
        let (strip, strip_starts) = (lines.strip, lines.strip_starts);
        let (all, kept) = (Digest::default(), Digest::default());
        Self { strip, strip_starts, all, kept, bytes: 0, returns: 0 }
    }

    fn extend(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.returns += u64::from(bytes == b"\r");
        let Some(blanks) = self.strip else {
            self.all.extend(bytes);
            return;
        };
        let text = |byte: &u8| !blanks.holds(*byte);
        let skip_start = self.strip_starts && self.kept == Digest::default();
        let start = if skip_start { bytes.iter().position(text).unwrap_or(bytes.len()) } else { 0 };
        let bytes = &bytes[start..];
        let end = bytes.iter().rposition(text).map_or(0, |last| last + 1);
        self.all.extend(&bytes[..end]);
        if end > 0 {
            self.kept = self.all;
        }
        self.all.extend(&bytes[end..]);
    }

    fn line(&self) -> Line {
        let digest = if self.strip.is_some() { self.kept } else { self.all };
        let start = Spot { offset: 0, lines: 0, ended: false };
        Line { digest: digest.value(), empty: self.bytes == self.returns, start }
    }
}

/// Finds the first line that differs.
pub(super) fn find<'s>(
    answer_lines: Lines,
    output_lines: Lines,
    extra: Extra,
    level: Level,
    answer: &mut Source<'s>,
    output: &mut Source<'s>,
) -> Result<Option<Found>, CheckError> {
    if equal(level, answer, output)? && (!answer_lines.complete || is_normal(answer)?) {
        return Ok(None);
    }
    answer.rewind()?;
    output.rewind()?;
    let mut readers = Readers::new(answer_lines, output_lines, level);
    let allowed = |line: Line, output: bool| match extra {
        Extra::None => false,
        Extra::Empty => line.empty,
        Extra::EmptyOutput => line.empty && output,
    };
    let (mut one_ended, mut uneven) = (None, None);
    loop {
        if readers.pass_equal(answer, output)?.text {
            uneven = None;
        }
        let (a, b) = (readers.answer.next(answer)?, readers.output.next(output)?);
        match (a, b) {
            (None, None) => return Ok(uneven),
            (Some(a), Some(b)) if a.digest == b.digest => {
                // A line that is empty only when it is stripped is not free at the end.
                if extra == Extra::Empty && !(a.empty && b.empty) {
                    let place = Difference { answer: a.start, output: b.start };
                    let found = Found { place, fault: Fault::Space, score: None };
                    uneven = (a.empty != b.empty).then_some(found);
                }
            }
            (Some(a), Some(b)) => {
                return part(level, (answer, a.start), (output, b.start)).map(Some);
            }
            (Some(line), None) | (None, Some(line)) => {
                let (output_longer, spots) = match a {
                    Some(a) => (false, (a.start, output.spot())),
                    None => (true, (answer.spot(), line.start)),
                };
                let end = |spot: Spot, ended: bool| Spot { ended, ..spot };
                let place = one_ended.get_or_insert(Difference {
                    answer: end(spots.0, output_longer),
                    output: end(spots.1, !output_longer),
                });
                if !allowed(line, output_longer) {
                    let place = *place;
                    return Ok(Some(Found { place, fault: Fault::Value, score: None }));
                }
            }
        }
    }
}

/// Whether both files hold the same bytes.
pub(super) fn equal<'s>(
    level: Level,
    answer: &mut Source<'s>,
    output: &mut Source<'s>,
) -> Result<bool, CheckError> {
    Ok(Rule::Exact.compare(level, answer, output)?.is_none())
}

/// Whether a text has no carriage return, and a line feed at its end if it is not empty.
pub(super) fn is_normal(source: &mut Source) -> Result<bool, CheckError> {
    let (mut returns, mut last) = (false, b'\n');
    source.each_block(0, u64::MAX, |block| {
        returns |= memchr::memchr(b'\r', block).is_some();
        last = block.last().copied().unwrap_or(last);
    })?;
    Ok(!returns && last == b'\n')
}

/// Where two differing lines part.
pub(super) fn part(
    level: Level,
    (answer, first): (&mut Source<'_>, Spot),
    (output, second): (&mut Source<'_>, Spot),
) -> Result<Found, CheckError> {
    let (a, b) =
        (answer.read_at(first.offset, SEARCHED)?, output.read_at(second.offset, SEARCHED)?);
    let run = compare::equal(level, &a, &b);
    let spot = |spot: Spot, lines: usize, ended: bool| Spot {
        offset: spot.offset + run.bytes as u64,
        lines: spot.lines + lines as u64,
        ended,
    };
    let ended = |text: &[u8]| text.len() == run.bytes && run.bytes < SEARCHED;
    let place = Difference {
        answer: spot(first, run.first_lines, ended(&a)),
        output: spot(second, run.second_lines, ended(&b)),
    };
    Ok(Found { place, fault: Fault::Value, score: None })
}
