//! Wrong numbers that look like an integer overflow.

use std::str;

use crate::model::Mismatch;

/// The hint for a number that lost its upper bits.
pub(in crate::report) fn hint(mismatch: &Mismatch) -> Option<String> {
    let number = |bytes: &Option<Vec<u8>>| -> Option<i128> {
        str::from_utf8(bytes.as_ref()?).ok()?.parse().ok()
    };
    let (expected, got) = (number(&mismatch.expected)?, number(&mismatch.got)?);
    let lost = |bits: u32| {
        let size = 1_i128 << bits;
        expected != got && (expected - got) % size == 0 && (-size / 2..size).contains(&got)
    };
    if lost(32) {
        Some(format!("{}: an int overflow would give {got}", large(expected, 32)))
    } else if lost(64) {
        Some(format!("{}: a 64-bit overflow would give {got}", large(expected, 64)))
    } else {
        None
    }
}

fn large(number: i128, bits: u32) -> String {
    let power = number.unsigned_abs();
    if number > 0 && power.is_power_of_two() {
        format!("{number} is 2^{}", power.trailing_zeros())
    } else {
        format!("{number} does not fit {bits} bits")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::MismatchKind;

    fn said(expected: &str, got: &str) -> Option<String> {
        hint(&Mismatch {
            kind: MismatchKind::Value,
            line: 1,
            token: Some(1),
            byte: 0,
            expected: Some(expected.into()),
            got: Some(got.into()),
            remark: String::new(),
            view: Vec::new(),
            totals: None,
        })
    }

    #[test]
    fn lost_upper_bits_are_recognised() {
        let said = |expected, got| said(expected, got).unwrap_or_default();
        assert_eq!(said("4294967296", "0"), "4294967296 is 2^32: an int overflow would give 0");
        assert_eq!(
            said("3000000000", "-1294967296"),
            "3000000000 does not fit 32 bits: an int overflow would give -1294967296"
        );
        assert_eq!(
            said("18446744073709551617", "1"),
            "18446744073709551617 does not fit 32 bits: an int overflow would give 1"
        );
        for (expected, got) in [("4", "5"), ("4", "4294967300"), ("x", "0"), ("7", "")] {
            assert_eq!(said(expected, got), "", "{expected} {got}");
        }
    }
}
