//! Reads board after board: sizes by hand, cells by [`scan`], faults by reading again slowly what
//! the scan has refused.

use std::io::Read;
use std::ops::Range;

use super::super::{Bounds, InputError, Note, Options, Place, SolveError};
use super::board::Board;
use super::faults;
use super::numbers::{Number, Numbers, number, tokens};
use super::source::{Long, Source};
use crate::simd::Level;
use crate::simd::planes::{Bits, Scan, bytes_needed, scan};

/// Whether the numbers themselves are kept beside the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    Bits,
    /// With the middle of very long ones cut out: enough for a proof.
    Cut,
    /// With all their digits.
    Whole,
}

/// The boards of one input; [`Cases::next`] makes the next one the current one.
pub(super) struct Cases<'r> {
    source: Source<'r>,
    level: Level,
    bounds: Bounds,
    keep: Keep,
    case: u64,
    board: Board,
    numbers: Numbers,
    nonzero: Vec<u8>,
    odd: Vec<u8>,
    large: u64,
    first_large: Option<Place>,
}

/// Numbers of the current board so far.
#[derive(Debug, Default)]
struct Progress {
    numbers: usize,
    wanted: usize,
    treasure: Option<usize>,
    odd_sum: bool,
}

impl<'r> Cases<'r> {
    pub(super) fn new(
        level: Level,
        input: &'r mut dyn Read,
        options: Options,
        keep: Keep,
    ) -> Result<Self, SolveError> {
        let mut source = Source::new(input, options.format);
        source.skip_mark()?;
        Ok(Self {
            source,
            level,
            bounds: options.bounds,
            keep,
            case: 0,
            board: Board::default(),
            numbers: Numbers::default(),
            nonzero: vec![0; bytes_needed(0)],
            odd: vec![0; bytes_needed(0)],
            large: 0,
            first_large: None,
        })
    }

    /// The number of the current board, from 1.
    pub(super) fn case(&self) -> u64 {
        self.case
    }

    /// The current board.
    pub(super) fn board(&self) -> &Board {
        &self.board
    }

    /// The numbers of the current board, if they are kept.
    pub(super) fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// What was odd but accepted.
    pub(super) fn notes(&self) -> Vec<Note> {
        let note = |place| {
            let verb = if self.large == 1 { "stone has" } else { "stones have" };
            let text = format!(
                "{} {verb} 100 hit points or more; the statement says less than 100",
                self.large
            );
            Note { place, text }
        };
        self.first_large.map(note).into_iter().collect()
    }

    /// Reads the next board; false at the end of the input.
    pub(super) fn next(&mut self) -> Result<bool, SolveError> {
        self.case += 1;
        self.source.expect_size();
        if !self.source.skip_blanks(self.case)? {
            if self.case == 1 {
                return Err(faults::empty(self.here()).into());
            }
            self.source.finish(self.case - 1)?;
            return Ok(false);
        }
        self.source.start_case(self.case);
        let rows = self.size("rows")?;
        if !self.source.skip_blanks(self.case)? {
            return Err(faults::half_size(self.here()).into());
        }
        let columns = self.size("columns")?;
        let long = if self.keep == Keep::Whole { Long::Whole } else { Long::Cut };
        self.source.expect_cells(rows, columns, long);
        self.board.clear(rows, columns);
        self.numbers.clear();
        self.cells(rows, columns)?;
        Ok(true)
    }

    /// One number of the size.
    fn size(&mut self, what: &str) -> Result<usize, SolveError> {
        let at = self.source.at();
        let place = |this: &Self| this.source.place(this.case, at);
        let token = self.source.token(at);
        let end = at + token.len();
        let fault = match number(token) {
            Number::Natural([]) => faults::small_size(place(self), what, token, true),
            Number::MinusOne | Number::Negative => {
                faults::small_size(place(self), what, token, false)
            }
            Number::Garbage => faults::no_size(place(self), what, token),
            Number::Natural(digits) => match value(digits) {
                None => faults::large_size(place(self), what, token),
                Some(size) if self.bounds == Bounds::Contest && size > faults::CONTEST_SIDE => {
                    faults::contest_size(place(self), what, size)
                }
                Some(size) => {
                    self.source.advance(self.case, end)?;
                    return Ok(size as usize);
                }
            },
        };
        Err(self.blame(at, fault))
    }

    /// A fault at a byte, unless the strict format has one to tell before it.
    fn blame(&mut self, at: usize, fault: InputError) -> SolveError {
        self.source.advance(self.case, at + 1).err().unwrap_or(fault).into()
    }

    fn here(&self) -> Place {
        self.source.place(self.case, self.source.at())
    }

    /// All numbers of the board.
    fn cells(&mut self, rows: usize, columns: usize) -> Result<(), SolveError> {
        let mut progress = Progress { wanted: rows.saturating_mul(columns), ..Progress::default() };
        while progress.numbers < progress.wanted {
            if self.source.at() == self.source.whole() && !self.source.refill()? {
                let found = progress.numbers as u64;
                return Err(faults::truncated(self.here(), found, rows, columns).into());
            }
            self.part(&mut progress)?;
        }
        let Some(treasure) = progress.treasure else {
            let place = self.source.start_place();
            return Err(faults::no_treasure(place, rows, columns).into());
        };
        self.board.finish([self.nonzero[0], self.odd[0]], treasure, progress.odd_sum);
        Ok(())
    }

    /// The board's numbers that are complete in the buffer.
    fn part(&mut self, progress: &mut Progress) -> Result<(), SolveError> {
        let range = self.source.at()..self.source.whole();
        if !self.make_planes(bytes_needed(range.len())) {
            return Err(self.no_memory());
        }
        let start = progress.numbers % 8;
        let mut bits = Bits { nonzero: &mut self.nonzero, odd: &mut self.odd, start };
        let wanted = progress.wanted - progress.numbers;
        let text = self.source.buffer();
        let scan = scan(self.level, text, range.clone(), wanted, &mut bits);
        if scan.suspect || scan.minus_one.is_some() && progress.treasure.is_some() {
            return Err(self.fault(range, progress));
        }
        if scan.large > 0 && self.bounds == Bounds::Contest {
            if let Some((at, fault)) = self.find_fault(range.clone(), progress) {
                return Err(self.blame(at, fault));
            }
        } else if scan.large > 0 {
            self.note_large(range.start..scan.end, scan.large);
        }
        let numbers = &self.source.buffer()[range.start..scan.end];
        if self.keep != Keep::Bits && !self.numbers.extend(numbers) {
            return Err(self.no_memory());
        }
        self.append(start + scan.numbers)?;
        progress.add(&scan);
        Ok(self.source.advance_lines(self.case, scan.end, scan.lines)?)
    }

    /// Makes the planes at least so long; false if there is no memory for them.
    fn make_planes(&mut self, bytes: usize) -> bool {
        [&mut self.nonzero, &mut self.odd].into_iter().all(|plane| {
            let missing = bytes.saturating_sub(plane.len());
            let enough = plane.try_reserve(missing).is_ok();
            if enough && missing > 0 {
                plane.resize(bytes, 0);
            }
            enough
        })
    }

    /// Moves the whole bytes of so many bits to the board.
    fn append(&mut self, bits: usize) -> Result<(), SolveError> {
        let whole = bits / 8;
        if !self.board.extend(&self.nonzero[..whole], &self.odd[..whole]) {
            return Err(self.no_memory());
        }
        (self.nonzero[0], self.odd[0]) = (self.nonzero[whole], self.odd[whole]);
        Ok(())
    }

    /// No memory for the current board.
    pub(super) fn no_memory(&self) -> SolveError {
        let (rows, columns) = (self.board.rows() as u64, self.board.columns() as u64);
        SolveError::Memory { case: self.case, rows, columns }
    }

    /// Names the first fault of a text that the scan has refused.
    fn fault(&mut self, range: Range<usize>, progress: &Progress) -> SolveError {
        match self.find_fault(range, progress) {
            Some((at, fault)) => self.blame(at, fault),
            None => SolveError::Proof {
                case: self.case,
                what: "the scan refuses a sound text".to_owned(),
            },
        }
    }

    fn find_fault(&self, range: Range<usize>, progress: &Progress) -> Option<(usize, InputError)> {
        let columns = self.board.columns();
        let row_column = |cell: usize| (cell / columns + 1, cell % columns + 1);
        let mut treasure = progress.treasure;
        let text = &self.source.buffer()[range.clone()];
        for ((at, token), cell) in tokens(text).zip(progress.numbers..progress.wanted) {
            let at = range.start + at;
            let place = || self.source.place(self.case, at);
            let fault = match (number(token), treasure) {
                (Number::Natural(digits), _) if self.is_refused(digits) => {
                    faults::contest_hit_points(place(), token)
                }
                (Number::Natural(_), _) => continue,
                (Number::MinusOne, None) => {
                    treasure = Some(cell);
                    continue;
                }
                (Number::MinusOne, Some(first)) => {
                    faults::second_treasure(place(), row_column(cell), row_column(first))
                }
                (Number::Negative, _) => faults::negative(place(), token),
                (Number::Garbage, _) => faults::no_cell(place(), token),
            };
            return Some((at, fault));
        }
        None
    }

    /// Whether the bounds of the contest refuse these hit points.
    fn is_refused(&self, digits: &[u8]) -> bool {
        self.bounds == Bounds::Contest
            && value(digits).is_none_or(|value| value > faults::CONTEST_HIT_POINTS)
    }

    /// Notes numbers above 99, and the place of the first one.
    fn note_large(&mut self, range: Range<usize>, count: usize) {
        self.large += count as u64;
        if self.first_large.is_some() {
            return;
        }
        let is_large = |token: &[u8]| match number(token) {
            Number::Natural(digits) => digits.len() > 2,
            _ => false,
        };
        let first = tokens(&self.source.buffer()[range.clone()]).find(|(_, token)| is_large(token));
        self.first_large = first.map(|(at, _)| self.source.place(self.case, range.start + at));
    }
}

impl Progress {
    fn add(&mut self, scan: &Scan) {
        self.treasure = self.treasure.or(scan.minus_one.map(|index| self.numbers + index));
        self.numbers += scan.numbers;
        self.odd_sum ^= scan.odd_sum;
    }
}

/// The value of a number without leading zeros, if it is below 2^32.
fn value(digits: &[u8]) -> Option<u64> {
    let value = (digits.len() <= 10)
        .then(|| digits.iter().fold(0, |value, byte| 10 * value + u64::from(byte - b'0')));
    value.filter(|&value| value < 1 << 32)
}
