//! `sorted` and `easy`: lines, words or letters in any order.

use crate::check::CheckError;
use crate::check::bag::{self, Bag};
use crate::check::compare::{Comparison, Found};
use crate::check::digest::Digest;
use crate::check::gap::{Blanks, SPACE};
use crate::check::preset::{Flag, FlagValue, Preset};
use crate::check::rule::Rule;
use crate::check::source::Source;
use crate::simd::Level;

/// Lines of words, or words, in any order.
pub(in crate::check) const SORTED: Preset = Preset {
    name: "dmoj-sorted",
    summary: "DMOJ sorted: equal lines (or words) in any order",
    flags: &[Flag { name: "split_on", value: FlagValue::Word(&["lines", "whitespace"]) }],
    make: |flags| {
        let words = flags.get("split_on") == Some("whitespace");
        Ok(Box::new(if words { Unordered::Words } else { Unordered::Lines }))
    },
};

/// Letters in any order.
pub(in crate::check) const EASY: Preset = Preset {
    name: "dmoj-easy",
    summary: "DMOJ easy: equal characters in any order, without blanks, in any case",
    flags: &[],
    make: |_| Ok(Box::new(Unordered::Letters)),
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unordered {
    Lines,
    Words,
    Letters,
}

impl Comparison for Unordered {
    fn compare<'s>(
        &self,
        level: Level,
        answer: &mut Source<'s>,
        output: &mut Source<'s>,
    ) -> Result<Option<Found>, CheckError> {
        if bag::equal(level, answer, output)? {
            return Ok(None);
        }
        let (what, bags) = match self {
            Self::Lines => ("lines", [lines(answer)?, lines(output)?]),
            Self::Words => ("words", [words(answer)?, words(output)?]),
            Self::Letters => {
                let (expected, got) = (letters(answer)?, letters(output)?);
                if expected == got {
                    return Ok(None);
                }
                let counts = [expected, got].map(|letters| letters.iter().sum());
                return bag::differ(("characters", counts), level, answer, output);
            }
        };
        if bags[0] == bags[1] {
            return Ok(None);
        }
        bag::differ((what, bags.map(|bag| bag.count)), level, answer, output)
    }

    fn view(&self) -> Rule {
        Rule::Tokens
    }
}

fn words(source: &mut Source) -> Result<Bag, CheckError> {
    let bag = bag::of_tokens(&SPACE, source, |_| Ok(()))?;
    Ok(bag.unwrap_or_default())
}

fn letters(source: &mut Source) -> Result<[u64; 256], CheckError> {
    let mut counts = [0; 256];
    source.each_block(0, u64::MAX, |block| {
        for byte in block {
            counts[usize::from(byte.to_ascii_lowercase())] += 1;
        }
    })?;
    for (byte, count) in (0..=255).zip(&mut counts) {
        if SPACE.holds(byte) {
            *count = 0;
        }
    }
    Ok(counts)
}

/// All lines with a byte in them, as lists of words.
fn lines(source: &mut Source) -> Result<Bag, CheckError> {
    let (mut bag, mut line) = (Bag::default(), WordsOfLine::default());
    source.each_block(0, u64::MAX, |mut block| {
        while !block.is_empty() {
            let end = memchr::memchr2(b'\n', b'\r', block);
            line.extend(&SPACE, &block[..end.unwrap_or(block.len())]);
            if end.is_some() {
                line.close(&mut bag);
            }
            block = &block[end.map_or(block.len(), |end| end + 1)..];
        }
    })?;
    line.close(&mut bag);
    Ok(bag)
}

/// The digest of the words of a line, one blank between them.
#[derive(Default)]
struct WordsOfLine {
    digest: Digest,
    bytes: bool,
    inside: bool,
}

impl WordsOfLine {
    fn extend(&mut self, blanks: &Blanks, bytes: &[u8]) {
        self.bytes |= !bytes.is_empty();
        for (at, word) in bytes.split(|&byte| blanks.holds(byte)).enumerate() {
            if at > 0 {
                self.inside = false;
            }
            if word.is_empty() {
                continue;
            }
            if !self.inside {
                self.digest.extend(b" ");
            }
            self.digest.extend(word);
            self.inside = true;
        }
    }

    fn close(&mut self, bag: &mut Bag) {
        if self.bytes {
            bag.add(&self.digest);
        }
        *self = Self::default();
    }
}
