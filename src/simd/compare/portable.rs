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
    (mask(bytes, is_blank), mask(bytes, |byte| byte == b'\n'))
}

/// One bit for each byte. Written so that the compiler tests many bytes at once.
#[inline]
fn mask(bytes: &[u8], test: impl Fn(u8) -> bool) -> u64 {
    /// Moves the lowest bits of eight bytes, times this, into the highest byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let mut flags = [0; WIDE];
    for (flag, &byte) in flags.iter_mut().zip(bytes) {
        *flag = u8::from(test(byte));
    }
    let (eights, _) = flags.as_chunks::<8>();
    eights
        .iter()
        .rev()
        .fold(0, |mask, &eight| mask << 8 | u64::from_le_bytes(eight).wrapping_mul(GATHER) >> 56)
}

pub(super) fn pack<const SPACES: bool>(raw: &[u8], keep: &[u64], packed: &mut [u8]) -> usize {
    let mut length = 0;
    for (bytes, &keep) in raw.chunks(WIDE).zip(keep) {
        let Some(room) = packed[length..].first_chunk_mut::<WIDE>() else { break };
        let mut spaced = [0; WIDE];
        for (spaced, &byte) in spaced.iter_mut().zip(bytes) {
            *spaced = if SPACES && is_blank(byte) { b' ' } else { byte };
        }
        let (mut keep, mut count) = (keep, 0);
        for byte in spaced {
            room[count % WIDE] = byte;
            count += (keep & 1) as usize;
            keep >>= 1;
        }
        length += count;
    }
    length
}
