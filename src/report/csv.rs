//! The CSV report: one row for each case, columns only ever appended.

use std::borrow::Cow;
use std::fmt::{self, Display, Write as _};
use std::io::{self, Seek, SeekFrom};

use csv::{ByteRecord, ReaderBuilder, Writer};
use tempfile::SpooledTempFile;

use super::record::{Record, RecordMismatch, SCHEMA, literal};
use super::{Look, Place, Reporter, Timings};
use crate::model::{CaseResult, Plan, Report, Run, SinceBase};

/// The columns of version 1, in their order.
pub const COLUMNS: [&str; 39] = [
    "schema",
    "run_id",
    "problem",
    "submission",
    "language",
    "group",
    "case",
    "status",
    "verdict",
    "promised",
    "score",
    "cpu_ms",
    "wall_ms",
    "cpu_ms_min",
    "cpu_ms_max",
    "runs",
    "time_limit_ms",
    "memory_bytes",
    "memory_limit_bytes",
    "exit_code",
    "signal",
    "input_bytes",
    "expected_bytes",
    "output_bytes",
    "mismatch",
    "line",
    "token",
    "byte",
    "expected_excerpt",
    "got_excerpt",
    "message",
    "input_path",
    "expected_path",
    "base_cpu_ms",
    "cpu_ratio",
    "change",
    "started_at",
    "shard",
    "interrupted",
];

/// Rows up to this size wait in memory, more of them in a temporary file.
const IN_MEMORY: usize = 4 << 20;

/// Writes one row for each case.
///
/// The last column tells whether the run was interrupted, which is known only at its end: until
/// then the rows wait, so memory stays flat and the report is complete or not there.
pub struct CsvReporter<P> {
    place: P,
    rows: Writer<SpooledTempFile>,
    row: Row,
    run_id: String,
    timings: Timings,
}

impl<P: Place> CsvReporter<P> {
    /// Writes to `place`.
    pub fn new(place: P, timings: Timings) -> Self {
        let rows = Writer::from_writer(SpooledTempFile::new(IN_MEMORY));
        Self { place, rows, row: Row::default(), run_id: String::new(), timings }
    }

    /// Copies the rows that waited, and says in each that the run was interrupted.
    fn copy_interrupted(&mut self, rows: SpooledTempFile) -> io::Result<()> {
        let mut reader = ReaderBuilder::new().has_headers(false).from_reader(rows);
        let mut writer = Writer::from_writer(&mut self.place);
        let mut row = ByteRecord::new();
        while reader.read_byte_record(&mut row).map_err(io_error)? {
            let last = row.len().saturating_sub(1);
            let cells = row.iter().take(last).chain([b"true".as_slice()]);
            writer.write_record(cells).map_err(io_error)?;
        }
        writer.flush()
    }
}

impl<P: Place> Reporter for CsvReporter<P> {
    fn begin(&mut self, run: &Run, _plan: &Plan) -> io::Result<()> {
        if self.timings == Timings::Measured {
            self.run_id.clone_from(&run.id);
        }
        Ok(())
    }

    fn case(&mut self, plan: &Plan, result: &CaseResult) -> io::Result<()> {
        let record = Record::new(plan, result, self.timings);
        self.row.fill(&self.run_id, &record);
        self.rows.write_byte_record(&self.row.cells).map_err(io_error)
    }

    fn end(&mut self, _plan: &Plan, report: &Report) -> io::Result<()> {
        let empty = Writer::from_writer(SpooledTempFile::new(IN_MEMORY));
        let rows = std::mem::replace(&mut self.rows, empty);
        let mut rows = rows.into_inner().map_err(csv::IntoInnerError::into_error)?;
        rows.seek(SeekFrom::Start(0))?;
        let mut header = Writer::from_writer(&mut self.place);
        header.write_record(COLUMNS).map_err(io_error)?;
        header.flush()?;
        drop(header);
        if report.summary.interrupted {
            self.copy_interrupted(rows)?;
        } else {
            io::copy(&mut rows, &mut self.place)?;
        }
        self.place.complete()
    }
}

/// The system's own error, so that a reader who has left can be told from a full disk.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// A row that is filled from left to right in the order of [`COLUMNS`]; an empty cell does not
/// apply. It is kept from case to case, so that no cell costs memory of its own.
#[derive(Default)]
struct Row {
    cells: ByteRecord,
    number: String,
}

impl Row {
    fn text(&mut self, text: &str) {
        self.cells.push_field(text.as_bytes());
    }

    fn texts<const N: usize>(&mut self, texts: [&str; N]) {
        for text in texts {
            self.text(text);
        }
    }

    fn number(&mut self, number: Option<impl Display>) {
        self.number.clear();
        if let Some(number) = number {
            let _ = write!(self.number, "{number}");
        }
        self.cells.push_field(self.number.as_bytes());
    }

    fn ms(&mut self, ns: Option<u64>) {
        self.number(ns.map(Ms));
    }

    fn fill(&mut self, run_id: &str, record: &Record) {
        self.cells.clear();
        self.texts([
            SCHEMA,
            &safe_name(run_id),
            &safe_name(&record.problem),
            &safe_name(&record.submission),
        ]);
        self.texts([
            &safe_name(&record.language),
            &safe_name(&record.group),
            &safe_name(&record.case),
        ]);
        self.texts([record.status.word(), record.verdict.code(), &record.promised]);
        self.text(&record.score.map_or_else(String::new, decimal));
        self.measured(record);
        self.number(record.input_bytes);
        self.number(record.expected_bytes);
        self.number(record.output_bytes);
        self.mismatch(record.mismatch.as_ref());
        self.text(&safe_text(&record.message));
        self.text(&safe_name(&record.input_path));
        self.text(&safe_name(record.expected_path.as_deref().unwrap_or_default()));
        self.since(record.times.as_ref().and_then(|times| times.since));
        self.texts([record.started_at.as_deref().unwrap_or_default(), "", "false"]);
    }

    fn since(&mut self, since: Option<SinceBase>) {
        self.ms(since.and_then(|since| since.base_cpu_ns));
        self.text(&since.and_then(|since| since.cpu_ratio).map_or_else(String::new, ratio));
        self.text(since.map_or("", |since| since.change.word()));
    }

    fn measured(&mut self, record: &Record) {
        let measured = record.measured();
        for time in [
            measured.map(|t| t.cpu_ns),
            measured.map(|t| t.wall_ns),
            measured.map(|t| t.cpu_ns_min),
            measured.map(|t| t.cpu_ns_max),
        ] {
            self.ms(time);
        }
        self.number(record.times.as_ref().map(|times| times.runs));
        self.ms(record.run.time_limit_ns);
        self.number(record.run.memory_bytes);
        self.number(record.run.memory_limit_bytes);
        self.number(record.run.exit_code);
        self.number(record.run.signal);
    }

    fn mismatch(&mut self, mismatch: Option<&RecordMismatch>) {
        let Some(mismatch) = mismatch else { return self.texts([""; 6]) };
        self.text(mismatch.mismatch.word());
        self.number(mismatch.line);
        self.number(mismatch.token);
        self.number(mismatch.byte);
        self.text(mismatch.expected_excerpt.as_deref().unwrap_or_default());
        self.text(mismatch.got_excerpt.as_deref().unwrap_or_default());
    }
}

/// A score with at most six decimals: `0`, `0.375`, `1`.
fn decimal(score: f64) -> String {
    let text = format!("{score:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A ratio with three decimals.
fn ratio(ratio: f64) -> String {
    format!("{ratio:.3}")
}

/// Milliseconds with three decimals, rounded to the nearest.
struct Ms(u64);

impl Display for Ms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let us = self.0.saturating_add(500) / 1000;
        write!(f, "{}.{:03}", us / 1000, us % 1000)
    }
}

/// Whether a spreadsheet would take a cell that starts like this for a formula.
fn looks_like_a_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r'])
}

/// A name or path that no spreadsheet takes for a formula.
fn safe_name(name: &str) -> Cow<'_, str> {
    if looks_like_a_formula(name) { format!("./{name}").into() } else { name.into() }
}

/// The first line of a message, without control characters; quoted where a spreadsheet would take
/// it for a formula.
fn safe_text(text: &str) -> Cow<'_, str> {
    let first = text.lines().next().unwrap_or_default();
    if looks_like_a_formula(first) {
        literal(first.as_bytes()).into()
    } else if first.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        first.into()
    } else {
        Look::default().name(first).into()
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    fn report(timings: Timings, results: &[CaseResult], report: &Report) -> String {
        let plan = fixture::plan();
        let mut place = Vec::new();
        let mut reporter = CsvReporter::new(&mut place, timings);
        reporter.begin(&fixture::run(), &plan).unwrap();
        for result in results {
            reporter.case(&plan, result).unwrap();
        }
        reporter.end(&plan, report).unwrap();
        drop(reporter);
        String::from_utf8(place).unwrap()
    }

    #[test]
    fn no_rows_still_give_the_header() {
        let text = report(Timings::Measured, &[], &Report::default());
        assert_eq!(text, COLUMNS.join(",") + "\n");
    }

    #[test]
    fn a_row_fills_the_columns_that_apply() {
        let results = [fixture::accepted(), fixture::wrong()];
        let text = report(Timings::Measured, &results, &Report::default());
        snapbox::assert_data_eq!(
            text.split_once('\n').unwrap().1,
            snapbox::str![[r#"
jury-report/1,20261129T120000Z-1a2b,ali-baba,core,,,ali-baba/01-sample,pass,AC,,,4.123,4.300,4.123,4.123,1,,,,,,120,8,8,,,,,,,,input/ali-baba/01-sample.in,expected/ali-baba/01-sample.out,,,,2026-11-29T12:00:00.123Z,,false
jury-report/1,20261129T120000Z-1a2b,jsoi-game,core,,,jsoi-game/03-corridor,fail,WA,,,4.123,4.300,4.123,4.123,1,,,,,,120,8,8,value,3,2,10,"""4""","""5""","line 3, token 2: expected 4, got 5",input/jsoi-game/03-corridor.in,expected/jsoi-game/03-corridor.out,,,,2026-11-29T12:00:00.123Z,,false

"#]]
        );
    }

    #[test]
    fn without_timings_nothing_of_a_clock_is_left() {
        let text = report(Timings::None, &[fixture::accepted()], &Report::default());
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let row = reader.records().next().unwrap().unwrap();
        for column in ["run_id", "cpu_ms", "wall_ms", "cpu_ms_min", "cpu_ms_max", "started_at"] {
            let position = COLUMNS.iter().position(|&known| known == column).unwrap();
            assert_eq!(&row[position], "", "{column}");
        }
    }

    #[test]
    fn every_row_of_an_interrupted_run_says_so() {
        let mut interrupted = Report::default();
        interrupted.summary.interrupted = true;
        let results = [fixture::accepted(), fixture::wrong()];
        let text = report(Timings::Measured, &results, &interrupted);
        let whole = report(Timings::Measured, &results, &Report::default());
        assert_eq!(text, whole.replace(",false\n", ",true\n"));
        assert_eq!(text.matches(",true\n").count(), 2);
    }

    #[test]
    fn no_cell_starts_like_a_formula() {
        assert_eq!(safe_name("=1+1"), "./=1+1");
        assert_eq!(safe_name("a=1"), "a=1");
        assert_eq!(safe_text("-1 is no size"), "\"-1 is no size\"");
        assert_eq!(safe_text("a\u{1b}[2J\0\u{202e}b\nsecond"), r"a\x1b[2J\x00\u{202e}b");
        assert_eq!(literal(b"=1\xff\n"), r#""=1\xff\n""#);
    }

    #[test]
    fn milliseconds_are_rounded_to_three_decimals() {
        let ms = [0, 1_499, 1_500, 12_345_678_901].map(|ns| Ms(ns).to_string());
        assert_eq!(ms, ["0.000", "0.001", "0.002", "12345.679"]);
    }
}
