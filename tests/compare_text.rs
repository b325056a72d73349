//! What a mismatch looks like.

mod compare_support;

use compare_support::{mismatch, text};
use jury::report::mismatch::Charset;

#[test]
fn probe() {
    let show = |checker: &str, answer: &[u8], got: &[u8]| {
        let m = mismatch(checker, answer, got);
        println!(
            "--- {checker} {} | {}",
            answer[..answer.len().min(60)].escape_ascii(),
            got[..got.len().min(60)].escape_ascii()
        );
        println!("{} line {} token {:?} byte {}", m.kind.word(), m.line, m.token, m.byte);
        println!("{}", text(&m, Charset::Unicode));
        println!("{}", text(&m, Charset::Ascii));
    };
    let seven = b"WIN\n1 2\n3 4\n5 2\n7 7\n8 8\n9 9\n";
    show("tokens", seven, b"WIN\n1 2\n3 5\n5 2\n7 7\n8 8\n9 9\n");
    show("tokens", b"1 2\n3 4\n5 6\n7 8\n9 0\n", b"1 2\n");
    show("tokens", b"1 2\n3 4\n5 6\n7 8\n9 0\n", b"1 2");
    show("tokens", b"1 2 3\n3 4\n5 6\n", b"1 2\n");
    show("tokens", seven, b"WIN\n1 2\n3 4\n5 2\n7 7\n8 8\n9 9\n5 5\n6 6\n7 7\n");
    show("tokens", seven, b"WIN\n1 2\n3 4\n5 2\n7 7\n8 8\n9 9 1\n5 5\n");
    show("tokens", seven, b"");
    show("tokens", seven, b" \n\n");
    show("tokens", b"", b"1\n");
    show("tokens", b"WIN\n1 2\n3 4\n", b"WIN\n3 4\n1 2\n");
    show("tokens", b"WIN\n", b"Win\n");
    show("tokens", b"WIN\n1 2 3 4 abc\n", b"WIN\n1 2 3 4 ab\xff\n");
    show("lines", b"1\n2\n3\n1 2\n", b"1\n2\n3\n1  2\n");
    show("lines", b"1\n2\n3\n1 2\n", b"1\n2\n3\n1 3\n");
    show("lines", b"1\n2\n3\n1 2\n", b"1\n2\n\n");
    show("lines", b"1\n2\n", b"1\n2\n3");
    show("lines", b"1\n2 3\n", b"1\n2");
    show("exact", b"1\n2\n3\n1 2\n5\n", b"1\n2\n3\n1 2 \n5\n");
    show("exact", b"1\n2\n", b"1\r\n2\r\n");
    show("exact", b"1\n2\n", b"1\n2");
    show("exact", b"1\n2\n", b"1\n2\n\n");
    show("exact", b"1\n2\n", b"1\n");
    let long: String = (1..100_000).map(|i| format!("{i} ")).collect();
    let other = long.replacen(" 40213 ", " 40214 ", 1);
    show("tokens", long.as_bytes(), other.as_bytes());
    show("lines", long.as_bytes(), other.as_bytes());
}
