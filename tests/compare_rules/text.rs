//! What a mismatch looks like, in both character sets.

use crate::support::{mismatch, text};
use jury::report::mismatch::{Charset, block, excerpt, headline, quoted};

const SEVEN: &[u8] = b"WIN\n1 2\n3 4\n5 2\n7 7\n8 8\n9 9\n";

fn head(checker: &str, answer: &[u8], got: &[u8]) -> String {
    headline(&mismatch(checker, answer, got), Charset::Unicode)
}

#[test]
fn a_wrong_token_is_marked_in_the_table_of_both_sides() {
    let found = mismatch("tokens", SEVEN, b"WIN\n1 2\n3 5\n5 2\n7 7\n8 8\n9 9\n");
    let expected = "\
line 3, token 2: expected 4, got 5
       line | expected | got
          1 | WIN      | WIN
          2 | 1 2      | 1 2
    >     3 | 3 4      | 3 5
            |   ^      |   ^
          4 | 5 2      | 5 2
          5 | 7 7      | 7 7
    7 lines expected, 7 lines got, 1 line differs";
    assert_eq!(text(&found, Charset::Unicode), expected);
    assert_eq!(text(&found, Charset::Ascii), expected);
}

#[test]
fn an_output_that_ends_early_says_what_is_missing() {
    let answer = b"1 2\n3 4\n5 6\n7 8\n9 0\n";
    let short = "line 1: output ends here; expected 4 more lines";
    assert_eq!(head("tokens", answer, b"1 2\n"), short);
    assert_eq!(head("tokens", answer, b"1 2"), short);
    assert_eq!(head("lines", answer, b"1 2\n \n"), short);
    assert_eq!(head("exact", answer, b"1 2\n"), short);
    assert_eq!(
        head("tokens", b"1 2 3\n4\n5\n", b"1 2\n"),
        "line 1, token 3: output ends here; expected \"3\" and 2 more lines"
    );
    let found = mismatch("tokens", answer, b"1 2");
    let expected = "
       line | expected | got
          1 | 1 2      | 1 2
    >     2 | 3 4      |
            | ^        |
          3 | 5 6      |
          4 | 7 8      |
    5 lines expected, 1 line got, 4 lines differ";
    assert_eq!(block(&found, Charset::Unicode).join("\n"), expected[1..]);
}

#[test]
fn an_output_that_goes_on_says_by_how_much() {
    let longer = [SEVEN, b"5 5\n6 6\n7 7\n"].concat();
    let expected = "line 8: 3 lines more than expected, first \"5 5\"";
    for checker in ["tokens", "lines", "exact"] {
        assert_eq!(head(checker, SEVEN, &longer), expected);
    }
    let one = "line 2: 1 line more than expected, \"2\"";
    assert_eq!(head("tokens", b"1\n", b"1\n2\n"), one);
    let within = "line 1, token 2: more than expected: \"2\" and 1 more line";
    assert_eq!(head("tokens", b"1\n", b"1 2\n3\n"), within);
    assert_eq!(head("tokens", b"", b"1\n"), "line 1: 1 line more than expected, \"1\"");
}

#[test]
fn an_empty_output_is_called_empty() {
    for checker in ["tokens", "lines"] {
        for got in [&b""[..], b"\n", b" \r\n\n\n"] {
            assert_eq!(head(checker, SEVEN, got), "no output at all; expected 7 lines");
        }
    }
    assert_eq!(head("exact", SEVEN, b""), "no output at all; expected 7 lines");
    assert_eq!(head("tokens", b"5\n", b""), "no output at all; expected 1 line");
}

#[test]
fn lines_in_another_order_are_recognised() {
    let expected = "same lines in another order; first at line 2: expected \"1 2\", got \"3 4\"";
    for checker in ["tokens", "lines", "exact"] {
        assert_eq!(head(checker, b"WIN\n1 2\n3 4\n", b"WIN\n3 4\n1 2\n"), expected);
    }
}

#[test]
fn upper_and_lower_case_alone_is_said() {
    let expected = "line 1, token 1: differs only in case: expected \"WIN\", got \"Win\"";
    assert_eq!(head("tokens", b"WIN\n", b"Win\n"), expected);
    let expected = "line 1: differs only in case: expected \"LOSE\", got \"Lose\"";
    assert_eq!(head("lines", b"LOSE\n", b"Lose\n"), expected);
}

#[test]
fn white_space_is_shown_and_tokens_are_offered_only_when_they_agree() {
    let found = mismatch("exact", b"1\n2\n3\n1 2\n5\n", b"1\n2\n3\n1 2 \n5\n");
    let expected = "\
line 4: white space: expected \"1 2\", got \"1 2·\"; all tokens agree (--compare tokens accepts it)
       line | expected | got
          2 | 2        | 2
          3 | 3        | 3
    >     4 | 1 2      | 1 2·
            |    ^     |    ^
          5 | 5        | 5
    5 lines expected, 5 lines got, 1 line differs";
    assert_eq!(text(&found, Charset::Unicode), expected);
    let expected = "\
line 4: white space: expected \"1 2\", got \"1 2\\s\"; all tokens agree (--compare tokens accepts it)
       line | expected | got
          2 | 2        | 2
          3 | 3        | 3
    >     4 | 1 2      | 1 2\\s
            |    ^     |    ^^
          5 | 5        | 5
    5 lines expected, 5 lines got, 1 line differs";
    assert_eq!(text(&found, Charset::Ascii), expected);
    let later = head("lines", b"1 2\n3\n", b"1\t2\n4\n");
    assert_eq!(later, "line 1: white space: expected \"1 2\", got \"1→2\"");
}

#[test]
fn a_mark_may_stand_behind_the_longest_line() {
    let found = mismatch("exact", b"123456789\n", b"123456789 \n");
    let rows = block(&found, Charset::Unicode);
    assert_eq!(rows[1], "    >     1 | 123456789  | 123456789·");
    assert_eq!(rows[2], "            |          ^ |          ^");
}

#[test]
fn line_ends_are_named() {
    let found = mismatch("exact", b"1\n2\n", b"1\r\n2\r\n");
    let unicode = headline(&found, Charset::Unicode);
    assert_eq!(unicode, "line 1 ends in ␍␊, expected ␊; all tokens agree");
    let ascii = headline(&found, Charset::Ascii);
    assert_eq!(ascii, "line 1 ends in \\r\\n, expected \\n; all tokens agree");
    let missing = head("exact", b"1\n2\n", b"1\n2");
    assert_eq!(missing, "line 2 ends in nothing, expected ␊; all tokens agree");
}

#[test]
fn a_byte_that_is_not_utf8_is_named() {
    let found = mismatch("tokens", b"WIN\n1 2 3 4 abc\n", b"WIN\n1 2 3 4 ab\xff\n");
    assert_eq!(headline(&found, Charset::Unicode), "byte 14 is not UTF-8: got \"\\xff\"");
    let both = head("tokens", b"a\xff\n", b"b\xff\n");
    assert_eq!(both, "line 1, token 1: expected \"a\\xff\", got \"b\\xff\"");
}

#[test]
fn a_long_line_is_cut_around_the_token() {
    let answer: String =
        (1..100_000).fold(String::new(), |line, number| line + &format!("{number} "));
    let got = answer.replacen(" 40213 ", " 40214 ", 1);
    let found = mismatch("tokens", answer.as_bytes(), got.as_bytes());
    let expected = "\
line 1, token 40213: expected 40213, got 40214
    line 1, expected: … 40206 40207 40208 40209 40210 40211 40212 [40213] 40214 40215 40216 40217 \
         40218 40219 40220 … (token 40213 of 99999)
    line 1, got:      … 40206 40207 40208 40209 40210 40211 40212 [40214] 40214 40215 40216 40217 \
         40218 40219 40220 … (token 40213 of 99999)
    1 line expected, 1 line got, 1 line differs";
    assert_eq!(text(&found, Charset::Unicode), expected);
    let found = mismatch("lines", answer.as_bytes(), got.as_bytes());
    let rows = block(&found, Charset::Ascii);
    assert!(rows[0].starts_with("    line 1, expected: ... "), "{rows:?}");
    assert!(rows[0].contains(" 4021[3] 40214 "), "{rows:?}");
}

#[test]
fn texts_stay_small_whatever_the_files_hold() {
    let long = "\u{1b}[31m\u{202e}".repeat(30_000).into_bytes();
    for (answer, got) in [(&long[..], &b"x"[..]), (b"x", &long[..]), (&long[..], &long[1..])] {
        for checker in ["tokens", "lines", "exact"] {
            for charset in [Charset::Unicode, Charset::Ascii] {
                let text = text(&mismatch(checker, answer, got), charset);
                assert!(text.len() < 10_000, "{} bytes", text.len());
                assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
            }
        }
    }
}

#[test]
fn whatever_cannot_be_seen_is_escaped() {
    for (raw, unicode, ascii) in [
        (&b"1 2 \t"[..], "1 2·→", "1 2\\s\\t"),
        (b" a  b", " a  b", " a  b"),
        (b"  ", "··", "\\s\\s"),
        (b"a\r\n", "a␍␊", "a\\r\\n"),
        (b"\x1b[31m\0\x7f", "\\x1b[31m\\x00\\x7f", "\\x1b[31m\\x00\\x7f"),
        (b"a\xffb\xc3", "a\\xffb\\xc3", "a\\xffb\\xc3"),
        ("\u{feff}1".as_bytes(), "\\u{feff}1", "\\u{feff}1"),
        (
            "\u{202e}\u{200b}\u{a0}".as_bytes(),
            "\\u{202e}\\u{200b}\\u{a0}",
            "\\u{202e}\\u{200b}\\u{a0}",
        ),
        ("é世".as_bytes(), "é世", "\\u{e9}\\u{4e16}"),
        (b"a\\x00", "a\\\\x00", "a\\\\x00"),
        (b"", "", ""),
    ] {
        assert_eq!(excerpt(raw, Charset::Unicode), unicode);
        assert_eq!(excerpt(raw, Charset::Ascii), ascii);
    }
    assert_eq!(quoted(b"say \"hi\" ", Charset::Unicode), "\"say \\\"hi\\\"·\"");
}

#[test]
fn each_side_has_the_numbers_of_its_own_lines() {
    let found = mismatch("tokens", b"WIN 1 2 3 4\n5 6\n", b"WIN\n1\n2\n3 5\n5 6\n");
    let expected = "\
line 1, token 5 (line 4 of the output): expected 4, got 5
       line | expected    | got
            |             | 2: 1
            |             | 3: 2
    >     1 | WIN 1 2 3 4 | 4: 3 5
            |           ^ |      ^
          2 | 5 6         | 5: 5 6
    2 lines expected, 5 lines got";
    assert_eq!(text(&found, Charset::Unicode), expected);
}

#[test]
fn lines_that_differ_are_counted_only_where_both_sides_break_alike() {
    let totals = |answer: &[u8], got: &[u8]| {
        block(&mismatch("tokens", answer, got), Charset::Unicode).pop().unwrap_or_default()
    };
    let plain = "    2 lines expected, 2 lines got";
    assert_eq!(totals(b"1 2\n3 4\n", b"1 2\n3 5\n"), format!("{plain}, 1 line differs"));
    assert_eq!(totals(b"1 2\n3 4\n", b"1\n2 3 5\n"), plain);
    assert_eq!(totals(b"1\n2\n3\n", b"1 2\n"), "    3 lines expected, 1 line got");
    assert_eq!(
        head("tokens", b"1 2 3\n", b"1\n2"),
        "line 1, token 3 (line 2 of the output): output ends here; expected \"3\""
    );
    let found = mismatch("tokens", b"a b\nc d\n", b"a\nb c\nc d\n");
    assert_eq!(found.kind, jury::model::MismatchKind::Value);
}

#[test]
fn a_long_line_names_the_line_of_each_side() {
    let numbers: Vec<String> = (1..200).map(|n| n.to_string()).collect();
    let answer = numbers.join(" ");
    let got = numbers.join("\n").replace("150", "x");
    let found = mismatch("tokens", answer.as_bytes(), got.as_bytes());
    let text = text(&found, Charset::Unicode);
    assert!(text.starts_with("line 1, token 150 (line 150 of the output): expected"), "{text}");
    assert!(text.contains("\n    line 1, expected: "), "{text}");
    assert!(text.contains("\n    line 150, got:      [x]"), "{text}");
}

#[test]
fn blank_lines_at_the_end_are_missing_or_too_many_where_every_byte_counts() {
    let missing = "line 6: output ends here; expected";
    let six = b"1\n2\n3\n4\n5\n6\n";
    let longer = |blanks: &[u8]| [&six[..], blanks].concat();
    assert_eq!(head("exact", &longer(b"\n\n"), six), format!("{missing} 2 more lines"));
    assert_eq!(head("exact", &longer(b"\n"), six), format!("{missing} 1 more line"));
    assert_eq!(head("exact", &longer(b" "), six), format!("{missing} 1 more line"));
    let seven = "line 7: output ends here; expected 1 more line";
    assert_eq!(head("exact", &longer(b"\n\n"), &longer(b"\n")), seven);
    let extra = "line 7: 2 lines more than expected, first \"\"";
    assert_eq!(head("exact", six, &longer(b"\n\n")), extra);
    assert_eq!(head("exact", b"\n\n", b""), "no output at all; expected 2 lines");
    assert_eq!(head("exact", b"\n\n\n", b"\n"), "line 1: output ends here; expected 2 more lines");
    let found = mismatch("exact", &longer(b"\n\n"), six);
    let expected = "
       line | expected | got
          5 | 5        | 5
          6 | 6        | 6
    >     7 |          |
            | ^        |
          8 |          |
    8 lines expected, 6 lines got, 2 lines differ";
    assert_eq!(block(&found, Charset::Unicode).join("\n"), expected[1..]);
    let many = "\n".repeat(3 << 20);
    let found = mismatch("exact", &longer(many.as_bytes()), six);
    let expected = format!("{missing} {} more lines", 3 << 20);
    assert_eq!(headline(&found, Charset::Unicode), expected);
}

#[test]
fn the_kind_of_a_long_part_is_claimed_only_where_all_of_it_was_seen() {
    use jury::model::MismatchKind::{Case, Order, Value, Whitespace};
    const FAR: usize = 40 << 10;
    let kind = |checker: &str, answer: String, got: String| {
        mismatch(checker, answer.as_bytes(), got.as_bytes()).kind
    };
    let long = |start: &str, end: &str| format!("{start}{}{end}\n", "x".repeat(FAR));
    for checker in ["tokens", "lines", "exact"] {
        assert_eq!(kind(checker, long("a", "1"), long("A", "2")), Value, "{checker}");
        assert_eq!(kind(checker, "ab1\n".into(), "AB1\n".into()), Case, "{checker}");
    }
    let spaced = |start: &str, end: &str| format!("{start}{}{end}\n", "x ".repeat(FAR / 2));
    for checker in ["lines", "exact"] {
        assert_eq!(kind(checker, spaced("a b ", "1"), spaced("a  b ", "2")), Value, "{checker}");
        assert_eq!(kind(checker, "a b\n".into(), "a  b\n".into()), Whitespace, "{checker}");
    }
    let order = |first: &str, second: &str| format!("{}{first}\n{second}\n", "x".repeat(FAR));
    for checker in ["lines", "exact"] {
        assert_eq!(kind(checker, order("a", "b"), order("b", "a")), Value, "{checker}");
        assert_eq!(kind(checker, "a\nb\n".into(), "b\na\n".into()), Order, "{checker}");
    }
}

#[test]
fn however_many_blanks_stand_at_the_end_the_difference_is_told_in_the_same_way() {
    let pairs: [(&[u8], &[u8]); 4] =
        [(b"xxx\n", b"\n"), (b"a b\n", b"a\n"), (b"1\n2\n3\n", b"1\n"), (b"1\n", b"1\n2\n")];
    for checker in ["tokens", "lines"] {
        for (answer, got) in pairs {
            let few = mismatch(checker, answer, got);
            for blank in [b'\n', b' ', b'\t'] {
                for number in [100, 32_700, 32_768, 40_000, 65_537, 300_000, 3_000_000] {
                    let got = [got, &vec![blank; number]].concat();
                    let many = mismatch(checker, answer, &got);
                    let told = headline(&many, Charset::Unicode);
                    let what = format!("{checker} {answer:?}, {number} of {blank}");
                    assert_eq!(told, headline(&few, Charset::Unicode), "{what}");
                    assert_eq!((many.kind, many.line), (few.kind, few.line), "{what}");
                    let lines = many.totals.map(|totals| totals.got_lines);
                    let known =
                        lines.is_none_or(|lines| Some(lines) == few.totals.map(|t| t.got_lines));
                    assert!(known, "{what}: {lines:?}");
                }
            }
        }
    }
}
