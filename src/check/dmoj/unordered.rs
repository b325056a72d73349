//! `sorted` and `easy`: lines, words or letters in any order.

use crate::check::CheckError;
use crate::check::bag::{self, Bag};
use crate::check::compare::{Comparison, Found};
use crate::check::digest::{Digest, ListDigest};
use crate::check::gap::SPACE;
use crate::check::preset::{Flag, FlagValue, Preset};
use crate::check::rule::Rule;
use crate::check::source::Source;
use crate::simd::Level;
use crate::simd::places::Places;

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
            Self::Lines => ("lines", [lines(level, answer)?, lines(level, output)?]),
            Self::Words => ("words", [words(level, answer)?, words(level, output)?]),
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

fn words(level: Level, source: &mut Source) -> Result<Bag, CheckError> {
    let bag = bag::of_tokens(&SPACE, level, source, |_| true, |_| Ok(()))?;
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
fn lines(level: Level, source: &mut Source) -> Result<Bag, CheckError> {
    let (mut lines, mut places) = (LinesOfWords::default(), Box::<Places>::default());
    loop {
        source.fill()?;
        let rest = source.rest();
        if rest.is_empty() {
            break;
        }
        places.find_tokens(level, &SPACE, rest);
        let mut passed = lines.add_words(rest, places.tokens());
        if passed == 0 {
            // Blanks, or a token without an end in sight.
            let blanks = rest.iter().take_while(|&&byte| SPACE.holds(byte)).count();
            lines.add_gap(&rest[..blanks]);
            let end = rest[blanks..].iter().position(|&byte| SPACE.holds(byte));
            passed = end.map_or(rest.len(), |end| blanks + end);
            lines.extend(&rest[blanks..passed]);
        }
        source.pass(passed, 0);
    }
    lines.add_gap(b"\n");
    Ok(lines.bag)
}

/// Lines of words as they come, gap by gap and word by word.
#[derive(Default)]
struct LinesOfWords {
    bag: Bag,
    line: ListDigest,
    /// Whether the line has a byte.
    bytes: bool,
    /// The word at the end of what has come, if it may go on.
    word: Option<Digest>,
}

impl LinesOfWords {
    /// What stands between two words.
    #[inline]
    fn add_gap(&mut self, gap: &[u8]) {
        if !gap.is_empty()
            && let Some(word) = self.word.take()
        {
            self.line.add(&word);
        }
        for byte in gap {
            if matches!(byte, b'\n' | b'\r') {
                if self.bytes {
                    self.bag.add(self.line.mixed());
                }
                (self.line, self.bytes) = (ListDigest::default(), false);
            } else {
                self.bytes = true;
            }
        }
    }

    /// Words that end in the text, the first of which may end the one that has come; gives the end
    /// of the last one.
    fn add_words(&mut self, text: &[u8], tokens: &[[u16; 2]]) -> usize {
        let mut tokens = tokens.iter().map(|token| token.map(usize::from));
        let mut passed = 0;
        if let Some(mut word) = self.word.take() {
            if text.first().is_some_and(|&byte| !SPACE.holds(byte)) {
                let Some([_, end]) = tokens.next() else {
                    self.word = Some(word);
                    return 0;
                };
                word.extend(&text[..end]);
                passed = end;
            }
            self.line.add(&word);
        }
        // A copy of its own stays in registers.
        let mut lines = Self { word: None, ..*self };
        for [start, end] in tokens {
            // Most are one blank within a line: that says nothing that the word does not.
            match &text[passed..start] {
                [] | [b' '] => {}
                gap => lines.add_gap(gap),
            }
            lines.line.add(&Digest::of(text, start, end));
            (lines.bytes, passed) = (true, end);
        }
        *self = lines;
        passed
    }

    /// A part of a word.
    fn extend(&mut self, part: &[u8]) {
        if !part.is_empty() {
            self.bytes = true;
            self.word.get_or_insert_default().extend(part);
        }
    }
}
