//! The works: programs, cases, and the commands that run them.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use jury::random::Random;

use crate::measure::Place;
use crate::{build, place, words};

/// The programs, by the name of their mode in `program.c`.
pub(crate) struct Programs {
    pub(crate) floor: PathBuf,
    folder: PathBuf,
}

const MODES: [&str; 7] = ["add", "wrong", "late", "crash", "sort", "cat", "flood"];

impl Programs {
    pub(crate) fn build(folder: &Path) -> Self {
        let floor = build(include_str!("floor.c"), &folder.join("floor"), &[]);
        for (number, name) in MODES.iter().enumerate() {
            let mode = format!("-DMODE={number}");
            build(include_str!("program.c"), &folder.join(name), &[mode]);
        }
        Self { floor, folder: folder.to_owned() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// One work: cases in a folder, and the programs that are run on all of them.
pub(crate) struct Work {
    pub(crate) name: &'static str,
    pub(crate) what: String,
    pub(crate) place: Place,
    /// Runs of programs.
    pub(crate) runs: usize,
    programs: Vec<PathBuf>,
    cases: Vec<String>,
    /// Whether a program is late on some cases, at one second.
    has_late: bool,
}

impl Work {
    /// The command of the floor.
    pub(crate) fn floor(&self, programs: &Programs, jobs: usize) -> Vec<String> {
        let list = self.place.folder.join("list");
        if !list.exists() {
            let mut text = String::new();
            for program in &self.programs {
                for case in &self.cases {
                    let (program, folder) = (program.display(), self.place.folder.display());
                    let (input, answer) = ("input", "expected");
                    let _ = writeln!(
                        text,
                        "{program} {folder}/{input}/{case}.in {folder}/{answer}/{case}.out"
                    );
                }
            }
            fs::write(&list, text).expect("a list");
        }
        let seconds = if self.has_late { "1" } else { "0" };
        words(&programs.floor, &["run", &jobs.to_string(), seconds, &list.display().to_string()])
    }

    /// The command of the judge.
    pub(crate) fn jury(&self, level: &str, jobs: usize) -> Vec<String> {
        let jobs = jobs.to_string();
        let mut command = words(
            Path::new(env!("CARGO_BIN_EXE_jury")),
            &["grade", ".", "--sandbox", level, "--jobs", &jobs, "--all-cases", "--exit-zero"],
        );
        let rest = ["--time", "1", "--no-config", "--progress", "none", "--report", "csv=r.csv"];
        command.extend(rest.map(str::to_owned));
        command.splice(3..3, self.programs.iter().map(|path| path.display().to_string()));
        command
    }

    /// Prints what late runs cost, from the last report.
    pub(crate) fn late(&self) {
        if !self.has_late {
            return;
        }
        let mut reader = csv::Reader::from_path(self.place.folder.join("r.csv")).expect("a report");
        let head = reader.headers().expect("a header").clone();
        let column = |name| head.iter().position(|known| known == name).expect("a column");
        let (verdict, cpu) = (column("verdict"), column("cpu_ms_max"));
        let rows: Vec<csv::StringRecord> = reader.records().map_while(Result::ok).collect();
        let late: Vec<f64> = rows
            .iter()
            .filter(|row| &row[verdict] == "TLE")
            .filter_map(|row| row[cpu].parse().ok())
            .collect();
        let runs = column("runs");
        let made: usize = rows
            .iter()
            .filter(|row| &row[verdict] == "TLE")
            .filter_map(|row| row[runs].parse::<usize>().ok())
            .sum();
        let most = late.iter().copied().fold(0.0, f64::max);
        println!(
            "late at 1 s: {} cases in {made} runs, at most {most:.0} ms of CPU time each",
            late.len()
        );
    }
}

/// Every work, its files written.
pub(crate) fn all(programs: &Programs, folder: &Path, scale: f64) -> Vec<Work> {
    #[expect(clippy::cast_sign_loss, reason = "numbers of cases are above 0")]
    let of = |cases: usize| ((cases as f64 * scale).round() as usize).max(2);
    let several = |names: &[&str]| names.iter().map(|name| programs.path(name)).collect::<Vec<_>>();
    let sums = |name, count: usize| Case::sums(&place(folder, name), count);
    let w1 = sums("w1", of(2000));
    let (sorted, copied) = (lines(folder, "w2-sort", of(40)), lines(folder, "w2-cat", of(40)));
    let floods = floods(folder);
    let (w4, w5) = (sums("w4", of(50)), grouped(folder));
    let eight = ["add", "add", "wrong", "late", "late", "crash", "wrong", "add"];
    let five = ["add", "wrong", "crash", "late", "add"];
    vec![
        work("W1", "tiny cases", w1, several(&["add"])),
        work("W2sort", "1 MB in, 1 MB out, sorted", sorted, several(&["sort"])),
        work("W2cat", "1 MB in, 1 MB out, copied", copied, several(&["cat"])),
        work(
            "W3",
            "60 MB outputs, half of them wrong in the last token",
            floods,
            several(&["flood"]),
        ),
        work(
            "W4",
            "8 submissions, two of them late on two cases",
            w4,
            copies(programs, folder, &eight),
        ),
        work("W5", "102 cases in 5 groups, 5 submissions", w5, copies(programs, folder, &five)),
    ]
}

/// The same programs several times, under names of their own.
fn copies(programs: &Programs, folder: &Path, names: &[&str]) -> Vec<PathBuf> {
    let copy = |(number, name): (usize, &&str)| {
        let path = folder.join(format!("{name}-{}-{number}", names.len()));
        fs::copy(programs.path(name), &path).expect("a copy");
        path
    };
    names.iter().enumerate().map(copy).collect()
}

/// Cases in a place.
pub(crate) struct Case {
    pub(crate) place: Place,
    pub(crate) names: Vec<String>,
}

impl Case {
    fn new(place: &Place) -> Self {
        Self { place: place.clone(), names: Vec::new() }
    }

    fn add(&mut self, name: String, input: impl AsRef<[u8]>, answer: impl AsRef<[u8]>) {
        for (folder, end, content) in
            [("input", "in", input.as_ref()), ("expected", "out", answer.as_ref())]
        {
            let path = self.place.folder.join(folder).join(format!("{name}.{end}"));
            fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
            fs::write(path, content).expect("a case");
        }
        self.names.push(name);
    }

    /// Cases with two numbers and their sum.
    pub(crate) fn sums(place: &Place, count: usize) -> Self {
        let mut cases = Self::new(place);
        for number in 1..=count {
            cases.add(number.to_string(), format!("{number} 5\n"), format!("{}\n", number + 5));
        }
        cases
    }
}

fn work(name: &'static str, what: &str, cases: Case, programs: Vec<PathBuf>) -> Work {
    let has_late = programs.iter().any(|path| path.display().to_string().contains("/late"));
    let runs = cases.names.len() * programs.len();
    let what = format!("{what} ({} cases, {runs} runs)", cases.names.len());
    Work { name, what, place: cases.place, runs, programs, cases: cases.names, has_late }
}

/// Cases of a megabyte of lines, with the same lines as answer, sorted or as they are.
fn lines(folder: &Path, name: &str, count: usize) -> Case {
    let mut cases = Case::new(&place(folder, name));
    let mut random = Random::new(2);
    for number in 0..count {
        let mut lines: Vec<String> =
            (0..100_000).map(|_| format!("{:09}", random.below(1_000_000_000))).collect();
        let joined = |lines: &[String]| lines.join("\n") + "\n";
        let input = joined(&lines);
        if name.ends_with("sort") {
            lines.sort();
        }
        cases.add(number.to_string(), input, joined(&lines));
    }
    cases
}

/// Four outputs of 60 MB, two equal to their answers and two that differ in the last token.
fn floods(folder: &Path) -> Case {
    let mut cases = Case::new(&place(folder, "w3"));
    let line = "x".repeat(59) + "\n";
    for number in 1..=4_usize {
        let answer = line.repeat(999_999) + &format!("{}\n", number / 3);
        cases.add(number.to_string(), "0 0\n", answer);
    }
    cases
}

/// Two samples and four groups of 25.
fn grouped(folder: &Path) -> Case {
    let mut cases = Case::new(&place(folder, "w5"));
    for number in 1..=102_usize {
        let group =
            if number <= 2 { "sample".into() } else { format!("secret/{}", (number - 3) / 25) };
        cases.add(
            format!("{group}/{number}"),
            format!("{number} 5\n"),
            format!("{}\n", number + 5),
        );
    }
    cases
}
