//! The checkers of DMOJ.
//!
//! The judge normalises answer files before it compares: CR LF and CR become LF, and a missing LF
//! at the end is added. That matters only where single bytes count; there the flag `binary_data`
//! turns it off, as the key of that name does in `init.yml`.

use super::CheckError;
use super::by_line::{self, Ends, Extra, Lines};
use super::compare::{Comparison, Fault, Found};
use super::gap::{Break, SPACE};
use super::pairwise::{self, Words};
use super::preset::{Flag, FlagValue, Flags, Preset};
use super::rule::Rule;
use super::source::Source;
use crate::simd::Level;

mod floats;
mod scored;
mod unordered;

pub(super) use floats::{FLOATS, FLOATS_ABS, FLOATS_REL};
pub(super) use scored::{LINECOUNT, LINEMATCHES};
pub(super) use unordered::{EASY, SORTED};

const BINARY: Flag = Flag { name: "binary_data", value: FlagValue::None };

/// Words, and whether a line end stands between them.
pub(super) const STANDARD: Preset = Preset {
    name: "dmoj-standard",
    summary: "DMOJ standard: equal words; line breaks where the answer has them",
    flags: &[],
    make: |_| Ok(Box::new(Standard)),
};

/// Equal bytes.
pub(super) const IDENTICAL: Preset = Preset {
    name: "dmoj-identical",
    summary: "DMOJ identical: equal bytes",
    flags: &[BINARY],
    make: |flags| Ok(Box::new(whole(flags))),
};

/// Lines without blanks at their ends.
pub(super) const RSTRIPPED: Preset = Preset {
    name: "dmoj-rstripped",
    summary: "DMOJ rstripped: equal lines without blanks at their ends",
    flags: &[BINARY, Flag { name: "filter_new_line", value: FlagValue::None }],
    make: |flags| Ok(rstripped(flags)),
};

struct Standard;

impl Comparison for Standard {
    fn compare<'s>(
        &self,
        level: Level,
        answer: &mut Source<'s>,
        output: &mut Source<'s>,
    ) -> Result<Option<Found>, CheckError> {
        pairwise::find::<Break, _>(&SPACE, &Words, level, answer, output)
    }

    fn view(&self) -> Rule {
        Rule::Tokens
    }
}

/// Each CR and each LF of the output ends a line.
const OUTPUT: Lines = Lines {
    ends: Ends::Either,
    strip: None,
    strip_starts: false,
    drop_empty: false,
    split: true,
    complete: false,
};

/// Comparisons of all lines.
struct Whole {
    answer: Lines,
    output: Lines,
    bytes: bool,
}

/// For equal bytes, the output is taken apart at LF only.
fn whole(flags: &Flags) -> Whole {
    let raw = flags.has("binary_data");
    let answer = if raw {
        Lines { ends: Ends::Feed, ..OUTPUT }
    } else {
        Lines { ends: Ends::Any, complete: true, ..OUTPUT }
    };
    Whole { answer, output: Lines { ends: Ends::Feed, ..OUTPUT }, bytes: true }
}

fn rstripped(flags: &Flags) -> Box<dyn Comparison> {
    let strip = Some(&SPACE);
    let drop_empty = flags.has("filter_new_line");
    let output = Lines { strip, drop_empty, ..OUTPUT };
    let answer = if flags.has("binary_data") {
        output
    } else {
        Lines { ends: Ends::Any, complete: true, ..output }
    };
    Box::new(Whole { answer, output, bytes: false })
}

impl Comparison for Whole {
    fn compare<'s>(
        &self,
        level: Level,
        answer: &mut Source<'s>,
        output: &mut Source<'s>,
    ) -> Result<Option<Found>, CheckError> {
        let found = by_line::find(self.answer, self.output, Extra::None, level, answer, output)?;
        if !self.bytes || found.is_none() {
            return Ok(found);
        }
        answer.rewind()?;
        output.rewind()?;
        let presentation = Standard.compare(level, answer, output)?.is_none();
        let remark = || Fault::Remark("presentation error, check your white space".into());
        Ok(found.map(|found| if presentation { Found { fault: remark(), ..found } } else { found }))
    }

    fn view(&self) -> Rule {
        if self.bytes { Rule::Exact } else { Rule::Lines }
    }
}
