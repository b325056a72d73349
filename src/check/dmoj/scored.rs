//! `linecount` and `linematches`: points for each line that is right.

use super::OUTPUT;
use crate::check::CheckError;
use crate::check::by_line::{Line, Lines, Readers, part};
use crate::check::compare::{Comparison, Fault, Found};
use crate::check::difference::Difference;
use crate::check::gap::SPACE;
use crate::check::preset::{Flag, FlagValue, Preset};
use crate::check::rule::Rule;
use crate::check::source::Source;
use crate::simd::Level;

/// Points for each line.
pub(in crate::check) const LINECOUNT: Preset = Preset {
    name: "dmoj-linecount",
    summary: "DMOJ linecount: points for each line that equals the answer's",
    flags: &[],
    make: |_| Ok(Box::new(Scored::Count)),
};

/// Points as they are distributed.
pub(in crate::check) const LINEMATCHES: Preset = Preset {
    name: "dmoj-linematches",
    summary: "DMOJ linematches: points for lines by point_distribution=1:1:2",
    flags: &[
        Flag { name: "point_distribution", value: FlagValue::Numbers },
        Flag { name: "filler_lines_required", value: FlagValue::Word(&["true", "false"]) },
    ],
    make: |flags| {
        let points = flags.get("point_distribution").unwrap_or("1");
        let points: Vec<u64> = points.split(':').filter_map(|text| text.parse().ok()).collect();
        let all = flags.get("filler_lines_required") != Some("false");
        Ok(Box::new(Scored::Matches { points, all }))
    },
};

enum Scored {
    Count,
    Matches { points: Vec<u64>, all: bool },
}

impl Comparison for Scored {
    fn compare<'s>(
        &self,
        level: Level,
        answer: &mut Source<'s>,
        output: &mut Source<'s>,
    ) -> Result<Option<Found>, CheckError> {
        let strip = matches!(self, Self::Count);
        let lines = Lines {
            strip: strip.then_some(&SPACE),
            strip_starts: strip,
            drop_empty: true,
            ..OUTPUT
        };
        let tally = Tally::of(lines, self, level, answer, output)?;
        match self {
            Self::Count => tally.count(level, answer, output),
            Self::Matches { points, all } => tally.matches(points, *all, level, answer, output),
        }
    }

    fn view(&self) -> Rule {
        Rule::Lines
    }
}

/// How many lines there are, and how many of them are right.
#[derive(Default)]
struct Tally {
    expected: u64,
    got: u64,
    right: u64,
    points: u64,
    first: Option<[Line; 2]>,
    alone: Option<Difference>,
}

impl Tally {
    fn of(
        lines: Lines,
        scored: &Scored,
        level: Level,
        answer: &mut Source,
        output: &mut Source,
    ) -> Result<Self, CheckError> {
        let mut readers = Readers::new(lines, lines, level);
        let mut tally = Self::default();
        loop {
            let passed = readers.pass_equal(answer, output)?;
            tally.add_right(scored, passed.lines);
            let (a, b) = (readers.answer.next(answer)?, readers.output.next(output)?);
            if a.is_none() && b.is_none() {
                return Ok(tally);
            }
            if a.is_some() != b.is_some() && tally.alone.is_none() {
                let spot = |line: Option<Line>, source: &Source| {
                    line.map_or_else(|| source.spot(), |line| line.start)
                };
                let mut place = Difference { answer: spot(a, answer), output: spot(b, output) };
                place.answer.ended |= a.is_none();
                place.output.ended |= b.is_none();
                tally.alone = Some(place);
            }
            match (a, b) {
                (Some(a), Some(b)) if a.digest == b.digest => {
                    tally.add_right(scored, 1);
                    continue;
                }
                (Some(a), Some(b)) => {
                    tally.first.get_or_insert([a, b]);
                }
                _ => {}
            }
            tally.expected += u64::from(a.is_some());
            tally.got += u64::from(b.is_some());
        }
    }

    /// The next lines of both sides are equal.
    fn add_right(&mut self, scored: &Scored, lines: usize) {
        if let Scored::Matches { points, .. } = scored {
            let earned = points.iter().skip(self.expected as usize).take(lines);
            self.points += earned.sum::<u64>();
        }
        self.right += lines as u64;
        self.expected += lines as u64;
        self.got += lines as u64;
    }

    fn count(
        &self,
        level: Level,
        answer: &mut Source,
        output: &mut Source,
    ) -> Result<Option<Found>, CheckError> {
        if self.got <= self.expected && self.right == self.expected {
            return Ok(None);
        }
        let score =
            if self.got > self.expected { 0.0 } else { self.right as f64 / self.expected as f64 };
        let words = format!("{} of {} lines are right", self.right, self.expected);
        self.found(score, words, level, answer, output).map(Some)
    }

    fn matches(
        &self,
        points: &[u64],
        all: bool,
        level: Level,
        answer: &mut Source,
        output: &mut Source,
    ) -> Result<Option<Found>, CheckError> {
        let sum: u64 = points.iter().sum();
        if points.len() as u64 != self.expected || sum == 0 {
            let words = format!(
                "lines that are not empty: {}; point_distribution has numbers: {}, their sum: {sum}",
                self.expected,
                points.len(),
            );
            return Ok(Some(Found::here(answer, output, Fault::Answer(words))));
        }
        let earned = if all && self.got != self.expected { 0 } else { self.points };
        if earned == sum {
            return Ok(None);
        }
        let words = format!("{earned} of {sum} points");
        self.found(earned as f64 / sum as f64, words, level, answer, output).map(Some)
    }

    fn found(
        &self,
        score: f64,
        words: String,
        level: Level,
        answer: &mut Source,
        output: &mut Source,
    ) -> Result<Found, CheckError> {
        let found = match (self.first, self.alone) {
            (Some([a, b]), _) => part(level, (answer, a.start), (output, b.start))?,
            (None, Some(place)) => Found { place, fault: Fault::Value, score: None },
            (None, None) => Found::here(answer, output, Fault::Value),
        };
        Ok(Found { fault: Fault::Remark(words), score: Some(score), ..found })
    }
}
