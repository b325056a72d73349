//! The bytes around a difference on one side, and the lines and tokens among them.

use std::ops::Range;

use super::CheckError;
use super::source::{Source, Spot, count_lines};
use crate::model::Line;
use crate::simd::Level;
use crate::simd::compare::{self, Behind, is_blank};

/// Bytes looked at on either side of a difference. Longer lines are cut.
pub(super) const REACH: usize = 32 << 10;

/// Bytes searched for the ends of a long line, to number its tokens.
const FAR: u64 = 8 << 20;

/// Bytes searched at once.
const STEP: u64 = 256 << 10;

/// The most bytes of a line that are kept.
const LINE: usize = 200;

/// The most bytes of a differing part that are kept.
const PART: usize = 100;

/// The bytes around a difference. All places are indices into [`Context::bytes`].
pub(super) struct Context {
    /// The bytes.
    pub(super) bytes: Vec<u8>,
    /// The difference.
    pub(super) at: usize,
    /// The row of the difference; none when this side has no such line any more.
    pub(super) row: Option<Range<usize>>,
    /// Where the rows above end.
    pub(super) above: usize,
    from: u64,
    lines_before: u64,
    reaches_end: bool,
}

impl Context {
    /// Reads the bytes around a place.
    pub(super) fn load(source: &mut Source, spot: Spot) -> Result<Self, CheckError> {
        let from = spot.offset.saturating_sub(REACH as u64);
        let at = (spot.offset - from) as usize;
        let bytes = source.read_at(from, at + REACH)?;
        let at = at.min(bytes.len());
        let reaches_end = bytes.len() < at + REACH;
        let lines_before = spot.lines.saturating_sub(count_lines(&bytes[..at]) as u64);
        let mut context = Self { bytes, at, row: None, above: 0, from, lines_before, reaches_end };
        context.stand_at(at);
        Ok(context)
    }

    /// The same where blanks at the end do not count: however many there are, the end is that of
    /// the text.
    pub(super) fn load_text(source: &mut Source, spot: Spot) -> Result<Self, CheckError> {
        let spot = if spot.ended { last_text(source, spot)? } else { spot };
        let mut context = Self::load(source, spot)?;
        let blank = context.next_text() == context.bytes.len();
        if blank && !context.reaches_end {
            let behind = context.offset(context.bytes.len());
            context.reaches_end = is_blank_to_the_end(source, behind)?;
        }
        Ok(context)
    }

    /// Makes a place the difference, and its line the row.
    pub(super) fn stand_at(&mut self, at: usize) {
        let start = memchr::memrchr(b'\n', &self.bytes[..at]).map_or(0, |feed| feed + 1);
        self.at = at;
        self.row = Some(start..self.line_end(at));
        self.above = start;
    }

    /// Makes the row a missing one, below the line where the text ends.
    pub(super) fn stand_below(&mut self, text_end: usize) {
        self.row = None;
        if text_end == 0 && self.from == 0 {
            (self.at, self.above) = (0, 0);
        } else {
            self.at = self.line_end(text_end);
            self.above = (self.at + 1).min(self.bytes.len());
        }
    }

    /// Makes the row a missing one, right at the difference.
    pub(super) fn stand_behind(&mut self) {
        (self.row, self.above) = (None, self.at);
    }

    /// Whether a line starts at the difference.
    pub(super) fn at_line_start(&self) -> bool {
        match self.at.checked_sub(1) {
            Some(before) => self.bytes[before] == b'\n',
            None => self.from == 0,
        }
    }

    /// Whether a part ends inside the bytes that were read, or with the stream.
    pub(super) fn holds_end(&self, part: &Range<usize>) -> bool {
        part.end < self.bytes.len() || self.reaches_end
    }

    /// Whether the whole row is inside the bytes that were read.
    pub(super) fn holds_row(&self) -> bool {
        let whole = |row: &Range<usize>| (row.start > 0 || self.from == 0) && self.holds_end(row);
        self.row.as_ref().is_none_or(whole)
    }

    /// The number of the row, or of the place where it is missing, from 1.
    pub(super) fn row_number(&self) -> u64 {
        if self.row.is_some() { self.number(self.at) } else { self.lines_above() + 1 }
    }

    fn line_end(&self, at: usize) -> usize {
        memchr::memchr(b'\n', &self.bytes[at..]).map_or(self.bytes.len(), |length| at + length)
    }

    /// The number of the line of a place, from 1.
    pub(super) fn number(&self, at: usize) -> u64 {
        self.lines_before + 1 + count_lines(&self.bytes[..at]) as u64
    }

    /// Lines above the row.
    pub(super) fn lines_above(&self) -> u64 {
        let open = self.above > 0 && self.bytes[self.above - 1] != b'\n';
        self.number(self.above) - 1 + u64::from(open)
    }

    /// A place as an offset in the stream.
    pub(super) fn offset(&self, at: usize) -> u64 {
        self.from + at as u64
    }

    /// The end of the last token before a place.
    pub(super) fn text_end(&self, before: usize) -> usize {
        self.bytes[..before].iter().rposition(|&byte| !is_blank(byte)).map_or(0, |last| last + 1)
    }

    /// The first token byte from the difference on; the end of the bytes when there is none.
    pub(super) fn next_text(&self) -> usize {
        let rest = &self.bytes[self.at..];
        self.at + rest.iter().position(|&byte| !is_blank(byte)).unwrap_or(rest.len())
    }

    /// Whether the stream holds nothing but blanks from the difference on.
    pub(super) fn only_blanks_follow(&self) -> bool {
        self.reaches_end && self.next_text() == self.bytes.len()
    }

    /// Whether the stream holds nothing but blanks.
    pub(super) fn is_blank(&self) -> bool {
        self.from == 0 && self.text_end(self.at) == 0 && self.only_blanks_follow()
    }

    /// Whether a token goes on, or ends, at the difference.
    pub(super) fn inside_token(&self) -> bool {
        self.at > 0 && !is_blank(self.bytes[self.at - 1])
    }

    /// The token at the difference.
    pub(super) fn token(&self) -> Range<usize> {
        let blank = |&byte: &u8| is_blank(byte);
        let start = self.bytes[..self.at].iter().rposition(blank).map_or(0, |last| last + 1);
        let rest = &self.bytes[self.at..];
        start..self.at + rest.iter().position(blank).unwrap_or(rest.len())
    }

    /// The bytes of the row, with its line feed if it has one.
    pub(super) fn whole_row(&self) -> &[u8] {
        let Some(row) = &self.row else { return &[] };
        &self.bytes[row.start..(row.end + 1).min(self.bytes.len())]
    }

    /// A part of the bytes; when it is long, what stands around the difference, cut between
    /// tokens where that is possible.
    pub(super) fn part(&self, part: Range<usize>) -> Vec<u8> {
        let cut = self.cut(part.clone(), PART);
        if cut == part {
            return self.bytes[part].to_vec();
        }
        let (before, after) =
            self.bytes[cut.clone()].split_at(self.at.clamp(cut.start, cut.end) - cut.start);
        let start =
            before.iter().position(|&byte| is_blank(byte)).filter(|_| cut.start > part.start);
        let end = after.iter().rposition(|&byte| is_blank(byte)).filter(|_| cut.end < part.end);
        let start = cut.start + start.map_or(0, |blank| blank + 1);
        let end = end.map_or(cut.end, |blank| cut.start + before.len() + blank);
        self.bytes[start..end].to_vec()
    }

    /// Whether [`Context::part`] cuts this part.
    pub(super) fn is_cut(part: &Range<usize>) -> bool {
        part.len() > PART
    }

    fn cut(&self, range: Range<usize>, most: usize) -> Range<usize> {
        let last_start = range.end.saturating_sub(most).max(range.start);
        let middle = self.at.saturating_sub(most / 2);
        let start = middle.clamp(range.start, last_start);
        start..range.end.min(start + most)
    }

    /// The row as a line, with a part of it marked.
    pub(super) fn line(&self, mark: Range<usize>) -> Option<Line> {
        let row = self.row.clone()?;
        let shown = self.cut(row.clone(), LINE);
        let inside = |place: usize| place.clamp(shown.start, shown.end) - shown.start;
        let mark = Some((inside(mark.start), inside(mark.end)));
        Some(Line { mark, ..self.plain_line(&row, shown) })
    }

    fn plain_line(&self, row: &Range<usize>, shown: Range<usize>) -> Line {
        let before = if row.start == 0 { self.from } else { 0 };
        let open = row.end == self.bytes.len() && !self.reaches_end;
        Line {
            cut_before: before + (shown.start - row.start) as u64,
            cut_after: u64::from(open) + (row.end - shown.end) as u64,
            terminated: row.end < self.bytes.len(),
            bytes: self.bytes[shown].to_vec(),
            mark: None,
            token_of: None,
        }
    }

    /// Lines above the row, the nearest one first.
    pub(super) fn lines_up(&self) -> impl Iterator<Item = Line> {
        let mut end = self.above;
        std::iter::from_fn(move || {
            if end == 0 {
                return None;
            }
            let last = end - usize::from(self.bytes[end - 1] == b'\n');
            let start = memchr::memrchr(b'\n', &self.bytes[..last]).map_or(0, |feed| feed + 1);
            end = start;
            Some(self.plain_line(&(start..last), start..last.min(start + LINE)))
        })
    }

    /// Lines below the row, the nearest one first.
    pub(super) fn lines_down(&self) -> impl Iterator<Item = Line> {
        let mut start = self.row.as_ref().map_or(self.bytes.len(), |row| row.end + 1);
        std::iter::from_fn(move || {
            if start >= self.bytes.len() {
                return None;
            }
            let row = start..self.line_end(start);
            start = row.end + 1;
            Some(self.plain_line(&row, row.start..row.end.min(row.start + LINE)))
        })
    }

    /// The number of the token that starts at a place, within its line; none when the start of
    /// the line is too far away.
    pub(super) fn token_number(
        &self,
        source: &mut Source,
        start: usize,
    ) -> Result<Option<u64>, CheckError> {
        let mut tokens = TokenCount::default();
        let line = self.row.as_ref().map_or(0, |row| row.start);
        if line == 0 && self.from > 0 {
            if self.lines_before == 0 && self.from > FAR {
                return Ok(None);
            }
            let Some(line) = far_line_start(source, self.from)? else { return Ok(None) };
            source.each_block(line, self.from - line, |block| tokens.add(block))?;
        }
        tokens.add(&self.bytes[line..start]);
        Ok(Some(tokens.count + 1))
    }

    /// Tokens behind a place within its line; none when the end of the line is too far away.
    pub(super) fn tokens_behind(
        &self,
        source: &mut Source,
        end: usize,
    ) -> Result<Option<u64>, CheckError> {
        let (mut tokens, mut open) = (TokenCount::default(), true);
        let seen = source.each_block(self.offset(end), FAR, |block| {
            let line = memchr::memchr(b'\n', block).unwrap_or(block.len());
            if open {
                tokens.add(&block[..line]);
            }
            open &= line == block.len();
        })?;
        Ok((!open || seen < FAR).then_some(tokens.count))
    }
}

/// The end of the last line with text before the end of a stream, if it is not too far above.
fn last_text(source: &mut Source, end: Spot) -> Result<Spot, CheckError> {
    let mut spot = end;
    while spot.offset > 0 && end.offset - spot.offset < FAR {
        let start = spot.offset.saturating_sub(STEP);
        let block = source.read_at(start, (spot.offset - start) as usize)?;
        let text = block.iter().rposition(|&byte| !is_blank(byte)).map_or(0, |last| last + 1);
        let feed = memchr::memchr(b'\n', &block[text..]).filter(|_| text > 0);
        let kept = text + feed.map_or(0, |feed| feed + 1);
        spot.lines -= count_lines(&block[kept..]) as u64;
        spot.offset = start + kept as u64;
        if text > 0 {
            return Ok(spot);
        }
    }
    Ok(if spot.offset == 0 { spot } else { end })
}

/// Whether nothing but blanks follows, as far as is looked.
fn is_blank_to_the_end(source: &mut Source, from: u64) -> Result<bool, CheckError> {
    let mut blank = true;
    let seen = source.each_block(from, FAR, |block| {
        blank = blank && block.iter().all(|&byte| is_blank(byte));
    })?;
    Ok(blank && seen < FAR)
}

/// The start of the line that goes on at `from`, if it is not too far above.
fn far_line_start(source: &mut Source, from: u64) -> Result<Option<u64>, CheckError> {
    let mut end = from;
    while end > 0 && from - end < FAR {
        let start = end.saturating_sub(STEP);
        let block = source.read_at(start, (end - start) as usize)?;
        if let Some(feed) = memchr::memrchr(b'\n', &block) {
            return Ok(Some(start + feed as u64 + 1));
        }
        end = start;
    }
    Ok((end == 0).then_some(0))
}

/// Counts tokens of text that comes in pieces.
#[derive(Default)]
struct TokenCount {
    count: u64,
    inside: bool,
}

impl TokenCount {
    fn add(&mut self, bytes: &[u8]) {
        let Some(&last) = bytes.last() else { return };
        let behind = if self.inside { Behind::Token } else { Behind::Blank };
        self.count += compare::token_starts(Level::detect(), behind, bytes);
        self.inside = !is_blank(last);
    }
}
