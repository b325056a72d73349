//! Whether all tokens of a text are integers in their shortest form.
//!
//! With one mask for each kind of byte, each thing that may be wrong is a set of bits: another
//! byte, a minus that is not first or has no digit from 1 on behind it, a zero at the start that is
//! not the whole token, a token of more than 18 bytes.

use super::{Backend, Set, WIDE};

static BLANK: Set = Set::new(b" \t\n\r");
static DIGIT: Set = Set::new(b"0123456789");
static ZERO: Set = Set::new(b"0");
static MINUS: Set = Set::new(b"-");

/// Where the block before has left off.
struct Before {
    blank: u64,
    minus: u64,
    /// A zero at the start of a token.
    zero: u64,
}

#[inline(always)]
pub(super) fn all<B: Backend>(text: &[u8]) -> bool {
    let mut before = Before { blank: !0, minus: 0, zero: 0 };
    let (blocks, rest) = text.as_chunks::<WIDE>();
    let mut wrong = 0;
    for block in blocks {
        wrong |= faults::<B>(block, &mut before);
    }
    let mut block = [b' '; WIDE];
    block[..rest.len()].copy_from_slice(rest);
    (wrong | faults::<B>(&block, &mut before)) == 0
}

#[inline(always)]
fn faults<B: Backend>(block: &[u8; WIDE], before: &mut Before) -> u64 {
    let [blank, digit, zero, minus] = [
        B::mask(&BLANK, block),
        B::mask(&DIGIT, block),
        B::mask(&ZERO, block),
        B::mask(&MINUS, block),
    ];
    let behind = |mask: u64, before: u64| mask << 1 | before >> (WIDE - 1);
    let start = !blank & behind(blank, before.blank);
    let leading = start & zero;
    let wrong = !(blank | digit | minus)
        | minus & !start
        | behind(minus, before.minus) & !(digit & !zero)
        | behind(leading, before.zero) & !blank;
    // Places where that many bytes of a token end.
    let one = u128::from(!blank) << WIDE | u128::from(!before.blank);
    let two = one & one << 1;
    let four = two & two << 2;
    let eight = four & four << 4;
    let sixteen = eight & eight << 8;
    let long = sixteen & four << 15;
    *before = Before { blank, minus, zero: leading };
    wrong | (long >> WIDE) as u64
}
