//! Comparisons of words line by line: white-diff of CMS, and oicompare of the Polish judges.

use super::CheckError;
use super::compare::{Comparison, Found};
use super::gap::{Blanks, Feeds, OICOMPARE, SPACE};
use super::pairwise::{self, Words};
use super::preset::Preset;
use super::rule::Rule;
use super::source::Source;
use crate::simd::Level;

/// The white-diff of CMS.
pub(super) const CMS: Preset = Preset {
    name: "cms-white-diff",
    summary: "CMS white-diff: equal words on each line; blank lines at the end do not matter",
    flags: &[],
    make: |_| Ok(Box::new(WordsOnLines(&SPACE))),
};

/// The program oicompare.
pub(super) const OICOMPARE_PRESET: Preset = Preset {
    name: "oicompare",
    summary: "oicompare (sinol): as cms-white-diff, but NUL is a blank and form feed is none",
    flags: &[],
    make: |_| Ok(Box::new(WordsOnLines(&OICOMPARE))),
};

struct WordsOnLines(&'static Blanks);

impl Comparison for WordsOnLines {
    fn compare<'s>(
        &self,
        level: Level,
        answer: &mut Source<'s>,
        output: &mut Source<'s>,
    ) -> Result<Option<Found>, CheckError> {
        pairwise::find::<Feeds, _>(self.0, &Words, level, answer, output)
    }

    fn view(&self) -> Rule {
        Rule::Tokens
    }
}
