//! Where bytes of a set stand in a text, and where tokens between such bytes start and end. A mask
//! of 64 bytes is made at once; its bits become a list of places without a branch for each byte.

#![expect(
    clippy::inline_always,
    reason = "each level is one function: only in one piece do its parts get its instructions"
)]

use super::Level;
use portable::Portable;

mod integers;
mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

/// A set of ASCII bytes.
#[derive(Debug)]
pub struct Set {
    table: [bool; 256],
    /// For each low half of a byte, the high halves that make a member of it, one bit each.
    low: [u8; 16],
    /// For each high half of a byte, its bit.
    high: [u8; 16],
}

impl Set {
    /// The set of these bytes.
    ///
    /// # Panics
    /// If one of them is beyond ASCII.
    #[must_use]
    pub const fn new(bytes: &[u8]) -> Self {
        let mut set = Self {
            table: [false; 256],
            low: [0; 16],
            high: [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0],
        };
        let mut at = 0;
        while at < bytes.len() {
            let byte = bytes[at];
            assert!(byte < 128, "an ASCII byte");
            set.table[byte as usize] = true;
            set.low[(byte & 15) as usize] |= 1 << (byte >> 4);
            at += 1;
        }
        set
    }

    /// Whether a byte is in the set.
    #[must_use]
    #[inline]
    pub fn holds(&self, byte: u8) -> bool {
        self.table[usize::from(byte)]
    }
}

/// Whether all tokens that end in a text are integers of at most 18 bytes in their shortest form,
/// with blanks of testlib between them. The text does not start within a token. It may say no where
/// only what does not end in the text is in doubt.
#[must_use]
pub fn are_integers(level: Level, text: &[u8]) -> bool {
    match level.usable() {
        // SAFETY: the machine has the instructions, as the level is usable.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { x86::integers_avx512(text) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { x86::integers_avx2(text) },
        _ => integers::all::<Portable>(text),
    }
}

/// The most bytes looked at in one go: with two texts, their lists of places stay in the nearest
/// cache.
pub const CHUNK: usize = 2 << 10;

/// Bytes of one mask.
const WIDE: usize = 64;

/// Places written at once.
const STEP: usize = 8;

/// A list of places in a text, in ascending order.
pub struct Places {
    places: [u16; CHUNK + STEP],
    count: usize,
}

impl Default for Places {
    fn default() -> Self {
        Self { places: [0; CHUNK + STEP], count: 0 }
    }
}

impl Places {
    /// Finds the tokens between bytes of the set that end before the end of the text, or of its
    /// first [`CHUNK`] bytes. One may start with the text.
    pub fn find_tokens(&mut self, level: Level, blanks: &Set, text: &[u8]) {
        self.find::<true>(level, blanks, text);
    }

    /// Finds the bytes of the set in the text, or in its first [`CHUNK`] bytes.
    pub fn find_members(&mut self, level: Level, set: &Set, text: &[u8]) {
        self.find::<false>(level, set, text);
    }

    /// After [`Places::find_tokens`]: where each token starts and where it ends.
    #[must_use]
    pub fn tokens(&self) -> &[[u16; 2]] {
        self.members().as_chunks().0
    }

    /// After [`Places::find_members`]: where they stand.
    #[must_use]
    pub fn members(&self) -> &[u16] {
        &self.places[..self.count]
    }

    fn find<const EDGES: bool>(&mut self, level: Level, set: &Set, text: &[u8]) {
        let text = &text[..text.len().min(CHUNK)];
        match level.usable() {
            // SAFETY: the machine has the instructions, as the level is usable.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { x86::find_avx512::<EDGES>(self, set, text) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { x86::find_avx2::<EDGES>(self, set, text) },
            _ => find::<Portable, EDGES>(self, set, text),
        }
    }

    /// Appends the places of the set bits of a mask, which lies `base` bytes behind the start.
    #[inline(always)]
    fn push(&mut self, base: usize, mut mask: u64) {
        let count = mask.count_ones() as usize;
        let mut at = self.count;
        self.count += count;
        while mask != 0 {
            // Some are written in vain: a loop of fixed length needs no guess at its end.
            let Some(step) = self.places[at..].first_chunk_mut::<STEP>() else { return };
            for place in step {
                *place = (base + mask.trailing_zeros() as usize) as u16;
                mask &= mask.wrapping_sub(1);
            }
            at += STEP;
        }
    }
}

/// The instructions that differ from level to level.
trait Backend {
    /// One bit for each byte: whether the set holds it.
    fn mask(set: &Set, block: &[u8; WIDE]) -> u64;
}

#[inline(always)]
fn find<B: Backend, const EDGES: bool>(places: &mut Places, set: &Set, text: &[u8]) {
    places.count = 0;
    let mut behind_member = 1;
    let (blocks, rest) = text.as_chunks::<WIDE>();
    for (index, block) in blocks.iter().enumerate() {
        let members = B::mask(set, block);
        places.push(index * WIDE, found::<EDGES>(members, behind_member));
        behind_member = members >> (WIDE - 1);
    }
    if !rest.is_empty() {
        let mut block = [0; WIDE];
        block[..rest.len()].copy_from_slice(rest);
        let found = found::<EDGES>(B::mask(set, &block), behind_member);
        places.push(text.len() - rest.len(), found & !0 >> (WIDE - rest.len()));
    }
}

/// The members, or where members and other bytes meet.
#[inline(always)]
fn found<const EDGES: bool>(members: u64, behind_member: u64) -> u64 {
    if EDGES { members ^ (members << 1 | behind_member) } else { members }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    const SETS: [&[u8]; 4] = [b" \t\n\r\x0b\x0c", b" \t\n\r", b" \t\n\r\x0b\0", b"\n"];

    /// Every level, those beyond the machine included.
    const LEVELS: [Level; 3] = [Level::Portable, Level::Avx2, Level::Avx512];

    #[test]
    fn a_set_holds_its_bytes_and_no_other() {
        let mut places = Places::default();
        for bytes in SETS {
            let set = Set::new(bytes);
            let all: Vec<u8> = (0..=255).collect();
            let members: Vec<u8> =
                all.iter().copied().filter(|byte| bytes.contains(byte)).collect();
            assert!(all.iter().all(|&byte| set.holds(byte) == members.contains(&byte)));
            for level in LEVELS {
                places.find_members(level, &set, &all);
                let found: Vec<u8> = places.members().iter().map(|&at| at as u8).collect();
                assert_eq!(found, members, "{level:?}");
            }
        }
    }

    /// Tokens of all lengths, at all places of a block.
    fn text(random: &mut Random) -> Vec<u8> {
        let mut text = Vec::new();
        let longest = [1, 3, 9, 70, 3000][random.below(5) as usize];
        for _ in 0..random.below(400) {
            let letter = b"07a\x80\xa0\xff\0\x20"[random.below(8) as usize];
            text.extend((0..random.between(1, longest)).map(|_| letter));
            let blanks = if random.percent(10) { random.between(1, 80) } else { 1 };
            text.extend((0..blanks).map(|_| b"  \n\r\t\x0b\x0c\0"[random.below(8) as usize]));
        }
        text
    }

    #[test]
    fn every_level_knows_integers_in_their_shortest_form() {
        const SEED: u64 = 9;
        let mut random = Random::new(SEED);
        let mut counts = [0, 0];
        for turn in 0..6000 {
            let (mut text, mut sound) = (Vec::new(), true);
            for _ in 0..random.below(60) {
                let digits = random.between(1, 18) as u32;
                let mut token = (random.next_u64() % 10_u64.pow(digits)).to_string();
                match random.below(400) {
                    0 => token.insert(0, '0'),
                    1 => token.push('x'),
                    2 => token = "-".into(),
                    3 => token = "-0".into(),
                    4 => token = "1234567890123456789".into(),
                    5 => token = "1-2".into(),
                    6 => token.push('\0'),
                    7 => token = "-05".into(),
                    8..80 if token != "0" => token.insert(0, '-'),
                    _ => {}
                }
                let body = token.strip_prefix('-').unwrap_or(&token);
                let digits = !body.is_empty() && body.bytes().all(|byte| byte.is_ascii_digit());
                sound &= digits && (!body.starts_with('0') || token == "0") && body.len() < 19;
                text.extend_from_slice(token.as_bytes());
                let blanks = if random.percent(5) { random.between(1, 70) } else { 1 };
                text.extend((0..blanks).map(|_| b" \n\r\t"[random.below(4) as usize]));
            }
            counts[usize::from(sound)] += 1;
            // Tokens of 19 bytes may be refused: none here but behind a minus.
            let refused =
                text.split(|byte| b" \n\r\t".contains(byte)).any(|token| token.len() > 18);
            for level in LEVELS {
                let found = are_integers(level, &text);
                assert_eq!(found, sound && !refused, "{level:?}, seed {SEED}, turn {turn}");
            }
        }
        assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
    }

    #[test]
    fn every_level_finds_what_a_plain_loop_finds() {
        const SEED: u64 = 7;
        let (mut random, mut places) = (Random::new(SEED), Places::default());
        for turn in 0..3000 {
            let text = text(&mut random);
            let bytes = SETS[random.below(4) as usize];
            let set = Set::new(bytes);
            let chunk = &text[..text.len().min(CHUNK)];
            let (mut tokens, mut members, mut start) = (Vec::new(), Vec::new(), None);
            for (at, byte) in chunk.iter().enumerate() {
                let member = bytes.contains(byte);
                match (member, start) {
                    (true, Some(from)) => (tokens.push([from, at as u16]), start = None).1,
                    (false, None) => start = Some(at as u16),
                    _ => {}
                }
                members.extend(member.then_some(at as u16));
            }
            for level in LEVELS {
                let what = format!("seed {SEED}, turn {turn}, {level:?}");
                places.find_tokens(level, &set, &text);
                assert_eq!(places.tokens(), tokens, "{what}");
                places.find_members(level, &set, &text);
                assert_eq!(places.members(), members, "{what}");
            }
        }
    }
}
