//! Which texts are numbers, and their values against slower twins.

use super::*;
use crate::random::Random;

fn double(token: &str, syntax: Syntax) -> Option<f64> {
    scan(token.as_bytes(), syntax).map(|literal| literal.double())
}

#[test]
fn each_syntax_takes_its_own_texts() {
    let table: [(&str, [bool; 4]); 22] = [
        ("1", [true; 4]),
        ("-1.50", [true; 4]),
        ("+.5e-3", [true; 4]),
        ("5.", [true; 4]),
        ("1e5", [true; 4]),
        ("", [false; 4]),
        (".", [false; 4]),
        ("-", [false; 4]),
        ("1.2.3", [false; 4]),
        ("--1", [false; 4]),
        ("1x", [false; 4]),
        ("1e5.2", [false; 4]),
        ("1e", [false, true, false, true]),
        ("1e+", [false, true, false, true]),
        (".e5", [false; 4]),
        ("inf", [false, true, true, false]),
        ("-Infinity", [false, true, true, false]),
        ("nan", [false, true, true, false]),
        ("infin", [false; 4]),
        ("0x1.8p3", [false, true, false, false]),
        ("1_000.5_0", [false, false, true, false]),
        ("1__0", [false; 4]),
    ];
    let syntaxes = [Syntax::Spec, Syntax::Scanf, Syntax::Python, Syntax::Testlib];
    for (text, taken) in table {
        for (syntax, taken) in syntaxes.into_iter().zip(taken) {
            assert_eq!(double(text, syntax).is_some(), taken, "{text:?}, {syntax:?}");
        }
    }
    assert_eq!(double("0x1.8p3", Syntax::Scanf), Some(12.0));
    assert_eq!(double("0x.", Syntax::Scanf), Some(0.0));
    assert_eq!(double("0xp1", Syntax::Scanf), None);
    assert_eq!(double("1e", Syntax::Scanf), Some(1.0));
    assert_eq!(double("1e400", Syntax::Spec), Some(f64::INFINITY));
}

/// A text of random digits, point and exponent.
fn text(random: &mut Random) -> String {
    let digits = |random: &mut Random, most| {
        let count = random.below(most);
        (0..count).map(|_| char::from(b'0' + random.below(10) as u8)).collect::<String>()
    };
    let sign = ["", "-", "+"][random.below(3) as usize];
    let mut text = format!("{sign}{}{}", random.below(10), digits(random, 12));
    if random.percent(60) {
        text += ".";
        text += &digits(random, 25);
    }
    if random.percent(40) {
        text += "e";
        text += &(random.below(80).cast_signed() - 40).to_string();
    }
    text
}

#[test]
fn quick_values_are_those_of_the_standard_library() {
    let mut seen = 0;
    for seed in 0..20_000 {
        let text = text(&mut Random::new(seed));
        if let Some(value) = quick(text.as_bytes()) {
            seen += 1;
            assert_eq!(value.to_bits(), text.parse::<f64>().unwrap().to_bits(), "seed {seed}");
        }
    }
    assert!(seen > 1000);
    for wrong in ["", "-", ".", "-.", "1e5", "1..2", "x", "12345678901234567890"] {
        assert_eq!(quick(wrong.as_bytes()), None, "{wrong}");
    }
}

/// The nearest double of an extended double, by its parts.
fn narrow(value: Extended) -> f64 {
    let Extended::Finite { negative, mantissa, exponent } = value else { panic!("finite") };
    let rounded = big::Rounded::of(u128::from(mantissa), exponent, false, 53).double();
    if negative { -rounded } else { rounded }
}

#[test]
fn extended_values_are_near_the_doubles() {
    for seed in 0..20_000 {
        let text = text(&mut Random::new(seed));
        let literal = scan(text.as_bytes(), Syntax::Spec).unwrap();
        let (double, extended) = (literal.double(), literal.extended());
        // Two roundings may differ from one by a unit of the last place.
        let near = narrow(extended);
        assert!((near - double).abs() <= double.abs() * 2.3e-16, "seed {seed}: {text}");
    }
}

fn extended(text: &str) -> Extended {
    scan(text.as_bytes(), Syntax::Spec).unwrap().extended()
}

#[test]
fn extended_doubles_are_those_of_the_machine() {
    let finite = |mantissa, exponent| Extended::Finite { negative: false, mantissa, exponent };
    // 0.1L, 1/3L and the distance of 1 and 1.000001L, as x87 registers hold them.
    assert_eq!(extended("0.1"), finite(0xcccc_cccc_cccc_cccd, -67));
    assert_eq!(extended("1").quotient(extended("3")), finite(0xaaaa_aaaa_aaaa_aaab, -65));
    assert_eq!(extended("1"), finite(1 << 63, -63));
    assert_eq!(extended("0.0"), finite(0, 0));
    assert_eq!(extended("1e4933"), Extended::Infinite { negative: false });
    assert!(extended("1e4000").is_finite());
    assert!(extended("1e-5000").is_zero());
    assert!(extended("3").distance(extended("5")).at_most(extended("2")));
    assert!(!extended("3").distance(extended("-5")).at_most(extended("7.99")));
    assert_eq!(extended("0.1").product(extended("10")), extended("1"));
}

#[test]
fn extended_distances_lose_nothing_of_doubles_that_are_near() {
    for seed in 0..5000 {
        let mut random = Random::new(seed);
        let first = random.below(1 << 52) as f64 / 1024.0;
        let second = first + random.below(1 << 20) as f64 / 1024.0;
        let off = Extended::of_double(first).distance(Extended::of_double(second));
        assert_eq!(off, Extended::of_double(second - first), "seed {seed}");
    }
}

#[test]
fn integers_have_one_form() {
    for (text, value) in [
        ("0", Some(0)),
        ("-7", Some(-7)),
        ("9223372036854775807", Some(i64::MAX)),
        ("-9223372036854775808", Some(i64::MIN)),
        ("9223372036854775808", None),
        ("-9223372036854775809", None),
        ("99999999999999999999", None),
        ("-0", None),
        ("007", None),
        ("+5", None),
        ("-", None),
        ("", None),
        ("1e3", None),
        ("12a", None),
    ] {
        let expected = value.map_or(Integer::Invalid, Integer::Value);
        assert_eq!(integer(text.as_bytes()), expected, "{text}");
    }
}
