//! Speed and memory of the comparisons on large files.
//!
//! `cargo bench --bench compare [-- MEGABYTES [FILTER]]` writes files of that size (100 unless
//! said) into a temporary folder and prints, for each pair, GB/s: bytes of the answer by CPU time,
//! user and system, median of seven rounds in which all pairs take turns; and how much the peak of
//! resident memory grew.

#![expect(clippy::print_stdout, reason = "the table is what a bench is for")]

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jury::check;
use jury::model::{Output, TestCase, Verdict};
use jury::random::Random;
use rustix::time::{ClockId, clock_gettime};

const ROUNDS: usize = 7;

const FLOATS: &str = "icpc,float_tolerance=1e-6";
const KATTIS: &str = "kattis,float_tolerance=1e-6";

/// One line of the printed table.
struct Pair {
    name: &'static str,
    work: Box<dyn Fn()>,
    times: Vec<Duration>,
    memory: u64,
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let megabytes = arguments.next().map_or(100, |text| text.parse().expect("megabytes"));
    let filter = arguments.next().unwrap_or_default();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files = Files::write(folder.path(), megabytes * 1_000_000);
    let mut pairs = pairs(&files);
    pairs.retain(|pair| pair.name.contains(&filter));
    for _ in 0..ROUNDS {
        for pair in &mut pairs {
            let before = reset_peak();
            let start = cpu();
            (pair.work)();
            pair.times.push(cpu().saturating_sub(start));
            pair.memory = pair.memory.max(peak().saturating_sub(before));
        }
    }
    println!("{megabytes} MB, {ROUNDS} rounds, median (best)");
    for pair in &mut pairs {
        pair.times.sort();
        let speed = |time: Duration| files.bytes as f64 / 1e9 / time.as_secs_f64();
        let (median, best) = (speed(pair.times[ROUNDS / 2]), speed(pair.times[0]));
        let (name, memory) = (pair.name, pair.memory);
        println!("{name:<42} {median:>6.2} GB/s ({best:>5.2})   + {memory} KiB");
    }
}

struct Files {
    bytes: usize,
    answer: PathBuf,
    equal: PathBuf,
    last: PathBuf,
    first: PathBuf,
    crlf: PathBuf,
    spaces: PathBuf,
    line: PathBuf,
    line_last: PathBuf,
    floats: PathBuf,
    floats_off: PathBuf,
    sorted: PathBuf,
}

impl Files {
    /// Lines of three numbers of one to eight digits.
    fn write(folder: &Path, bytes: usize) -> Self {
        let mut random = Random::new(1);
        let mut text = Vec::with_capacity(bytes + 64);
        while text.len() < bytes {
            let digits = 10_u64.pow(random.between(1, 8) as u32);
            text.extend_from_slice(random.below(digits).to_string().as_bytes());
            text.push(if random.percent(33) { b'\n' } else { b' ' });
        }
        text.extend_from_slice(b"5\n");
        let write = |name: &str, text: &[u8]| {
            let path = folder.join(name);
            fs::write(&path, text).expect("room for the files");
            path
        };
        let changed = |at: usize, byte: u8| {
            let mut text = text.clone();
            text[at] = byte;
            text
        };
        let line: Vec<u8> =
            text.iter().map(|&byte| if byte == b'\n' { b' ' } else { byte }).collect();
        let mut line_last = line.clone();
        line_last[text.len() - 2] = b'7';
        let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
        Self {
            bytes: text.len(),
            answer: write("answer", &text),
            equal: write("equal", &text),
            last: write("last", &changed(text.len() - 2, b'7')),
            first: write("first", &changed(0, b'x')),
            crlf: write("crlf", &lines.join(&b"\r\n"[..])),
            spaces: write("spaces", &lines.join(&b"  "[..])),
            line: write("line", &line),
            line_last: write("line_last", &line_last),
            floats: write("floats", &floats(bytes, 0)),
            floats_off: write("floats_off", &floats(bytes, 3)),
            sorted: write(
                "sorted",
                &lines.iter().rev().copied().collect::<Vec<_>>().join(&b"\n"[..]),
            ),
        }
    }
}

/// Lines of two numbers, each off by so many units of the tenth place behind the point.
fn floats(bytes: usize, off: u64) -> Vec<u8> {
    let mut random = Random::new(2);
    let mut text = Vec::with_capacity(bytes + 64);
    while text.len() < bytes {
        let (whole, part) = (random.below(1000), random.below(1_000_000_000) * 10 + off);
        text.extend_from_slice(format!("{whole}.{part:010}").as_bytes());
        text.push(if random.percent(50) { b'\n' } else { b' ' });
    }
    text
}

fn pairs(files: &Files) -> Vec<Pair> {
    let pair = |name, work: Box<dyn Fn()>| Pair { name, work, times: Vec::new(), memory: 0 };
    let check = |name, checker: &'static str, answer: &Path, got: &Path, verdict| {
        let (answer, got) = (answer.to_owned(), got.to_owned());
        pair(name, Box::new(move || judge(checker, &answer, file(&got), verdict)))
    };
    let (answer, equal) = (&files.answer, &files.equal);
    let (ac, wa) = (Verdict::Accepted, Verdict::WrongAnswer);
    let (read_answer, read_equal) = (answer.clone(), equal.clone());
    let memory = [fs::read(answer).expect("answer"), fs::read(equal).expect("equal")];
    let shared: &'static [u8] = fs::read(equal).expect("equal").leak();
    let memory_answer = answer.clone();
    vec![
        pair("memcmp of two buffers in memory", {
            Box::new(move || assert!(black_box(&memory[0]) == black_box(&memory[1])))
        }),
        pair("memcmp of both files, 768 KiB blocks", {
            Box::new(move || assert!(same_blocks(&read_answer, &read_equal)))
        }),
        check("tokens, equal", "tokens", answer, equal, ac),
        pair("tokens, equal, output in memory", {
            let output = move || Output {
                stream: Box::new(Cursor::new(shared)),
                bytes: shared.len() as u64,
            };
            Box::new(move || judge("tokens", &memory_answer, output(), ac))
        }),
        check("tokens, last token differs", "tokens", answer, &files.last, wa),
        check("tokens, first token differs", "tokens", answer, &files.first, wa),
        check("tokens, one line, last token differs", "tokens", &files.line, &files.line_last, wa),
        check("tokens, CRLF against LF", "tokens", answer, &files.crlf, ac),
        check("tokens, space against line feed", "tokens", answer, &files.line, ac),
        check("tokens, two spaces against line feed", "tokens", answer, &files.spaces, ac),
        check("lines, equal", "lines", answer, equal, ac),
        check("lines, CRLF against LF", "lines", answer, &files.crlf, ac),
        check("lines, last token differs", "lines", answer, &files.last, wa),
        check("exact, equal", "exact", answer, equal, ac),
        check("icpc, equal", "icpc", answer, equal, ac),
        check("icpc, CRLF against LF", "icpc", answer, &files.crlf, ac),
        check("icpc, floats, all differ", FLOATS, &files.floats, &files.floats_off, ac),
        check("kattis, floats, all differ", KATTIS, &files.floats, &files.floats_off, ac),
        check("rcmp6, floats, all differ", "rcmp6", &files.floats, &files.floats_off, ac),
        check("rcmp6, floats, equal", "rcmp6", &files.floats, &files.floats, ac),
        check("dmoj-floats, all differ", "dmoj-floats", &files.floats, &files.floats_off, ac),
        check("ncmp, equal", "ncmp", answer, equal, ac),
        check("wcmp, equal", "wcmp", answer, equal, ac),
        check("wcmp, CRLF against LF", "wcmp", answer, &files.crlf, ac),
        check("lcmp, CRLF against LF", "lcmp", answer, &files.crlf, ac),
        check("dmoj-standard, equal", "dmoj-standard", answer, equal, ac),
        check("dmoj-standard, last differs", "dmoj-standard", answer, &files.last, wa),
        check("lemon, equal", "lemon", answer, equal, ac),
        check("lemon, CRLF against LF", "lemon", answer, &files.crlf, ac),
        check("hydro, equal", "hydro", answer, equal, ac),
        check("hydro, CRLF against LF", "hydro", answer, &files.crlf, ac),
        check("oj, CRLF against LF", "oj", answer, &files.crlf, ac),
        check("dmoj-sorted, other order", "dmoj-sorted", answer, &files.sorted, ac),
        check("dmoj-easy, other order", "dmoj-easy", answer, &files.sorted, ac),
        check("uncmp, other order", "uncmp", answer, &files.sorted, ac),
    ]
}

fn file(path: &Path) -> Output {
    let file = File::open(path).expect("the output");
    let bytes = file.metadata().expect("its size").len();
    Output { stream: Box::new(file), bytes }
}

fn judge(checker: &str, answer: &Path, mut output: Output, verdict: Verdict) {
    let case = TestCase {
        name: "bench/1".into(),
        group: String::new(),
        input: PathBuf::new(),
        answer: Some(answer.to_owned()),
        missing: None,
    };
    let judgement = check::parse(checker).expect("a checker").check(&case, &mut output);
    assert_eq!(judgement.expect("readable files").verdict, verdict);
}

fn same_blocks(first: &Path, second: &Path) -> bool {
    const BLOCK: usize = 768 << 10;
    let mut files = [first, second].map(|path| File::open(path).expect("a file"));
    let mut buffers = [vec![0; BLOCK + 64], vec![0; BLOCK + 64]];
    let mut blocks = buffers.each_mut().map(|buffer| {
        let start = buffer.as_ptr().align_offset(64);
        &mut buffer[start..start + BLOCK]
    });
    loop {
        let [first, second] = [0, 1].map(|side| files[side].read(blocks[side]).expect("readable"));
        if first != second || blocks[0][..first] != blocks[1][..second] {
            return false;
        }
        if first == 0 {
            return true;
        }
    }
}

fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let part = |part: i64| u64::try_from(part).expect("clocks count up");
    Duration::from_secs(part(time.tv_sec)) + Duration::from_nanos(part(time.tv_nsec))
}

/// Forgets the peak of resident memory and gives its present value in KiB.
fn reset_peak() -> u64 {
    // Not allowed everywhere; then growth is measured from the highest peak so far.
    let _ = fs::write("/proc/self/clear_refs", "5");
    peak()
}

fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
