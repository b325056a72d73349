//! The plain twins of the vector code.

use super::{Run, WIDE, is_blank};

/// Bytes compared by one call of the library's comparison.
const PIECE: usize = 512;

pub(super) fn run<const BLANKS: bool>(first: &[u8], second: &[u8]) -> Run {
    let mut bytes = 0;
    for (a, b) in first.chunks(PIECE).zip(second.chunks(PIECE)) {
        if a == b {
            bytes += a.len();
            continue;
        }
        let agree = |(&a, &b): (&u8, &u8)| a == b || BLANKS && is_blank(a) && is_blank(b);
        let count = a.iter().zip(b).take_while(|&pair| agree(pair)).count();
        bytes += count;
        if count < a.len() {
            break;
        }
    }
    let lines = |side: &[u8]| memchr::memchr_iter(b'\n', &side[..bytes]).count();
    Run { bytes, first_lines: lines(first), second_lines: lines(second) }
}

pub(super) fn classify(bytes: &[u8]) -> (u64, u64) {
    bytes.iter().rev().fold((0, 0), |(blanks, feeds), &byte| {
        (blanks << 1 | u64::from(is_blank(byte)), feeds << 1 | u64::from(byte == b'\n'))
    })
}

pub(super) fn pack<const SPACES: bool>(raw: &[u8], keep: &[u64], packed: &mut [u8]) -> usize {
    let mut length = 0;
    for (bytes, &keep) in raw.chunks(WIDE).zip(keep) {
        let mut keep = keep;
        for &byte in bytes {
            packed[length] = if SPACES && is_blank(byte) { b' ' } else { byte };
            length += (keep & 1) as usize;
            keep >>= 1;
        }
    }
    length
}
