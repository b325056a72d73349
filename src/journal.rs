//! The journal of a run: one line for each finished case, on disk within a second, so that a run
//! that was stopped or killed can go on where it was. A torn last line is passed over.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::model::{CaseResult, Plan, Report, Run};
use crate::report::{Order, Reporter};

/// Lines are on disk at the latest after this time.
const LATEST: Duration = Duration::from_secs(1);

/// Identifies what a job ran: equal keys mean equal program, files, limits and comparison.
pub type Key = u64;

#[derive(Serialize)]
struct Written<'a> {
    key: Key,
    result: &'a CaseResult,
}

#[derive(Deserialize)]
struct Read {
    key: Key,
    result: CaseResult,
}

/// The results in a journal that belong to jobs with these keys, under their present index.
///
/// # Errors
/// When the file is there and cannot be read.
pub fn read(path: &Path, keys: &[Key]) -> io::Result<Vec<CaseResult>> {
    let text = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other?,
    };
    let mut known: HashMap<Key, CaseResult> = HashMap::new();
    for line in text.split(|&byte| byte == b'\n') {
        if let Ok(Read { key, result }) = serde_json::from_slice(line) {
            known.insert(key, result);
        }
    }
    let found = keys.iter().enumerate().filter_map(|(index, key)| {
        let result = known.get(key)?;
        Some(CaseResult { index, ..result.clone() })
    });
    Ok(found.collect())
}

/// Whether a run that goes on writes this journal.
#[must_use]
pub fn is_in_use(path: &Path) -> bool {
    let locked = |error: io::Error| error.kind() == io::ErrorKind::ResourceBusy;
    File::open(path).is_ok_and(|file| lock(&file).is_err_and(locked))
}

/// Keeps a second run from writing the journal, until the file is closed or this process ends.
fn lock(file: &File) -> io::Result<()> {
    file.try_lock().map_err(|error| match error {
        TryLockError::Error(error) => error,
        TryLockError::WouldBlock => {
            io::Error::new(io::ErrorKind::ResourceBusy, "another run in this folder writes it")
        }
    })
}

/// Writes the journal as the run goes on.
pub struct Journal {
    file: BufWriter<File>,
    keys: Vec<Key>,
    /// Jobs whose results are in the file already.
    known: HashSet<usize>,
    synced: Instant,
    dirty: bool,
}

impl Journal {
    /// Opens a journal; `keys` has one key for each job. One in which the results of the `known`
    /// jobs stand is gone on with, so that they are never lost; any other is begun anew.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn open(path: &Path, keys: Vec<Key>, known: HashSet<usize>) -> io::Result<Self> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = File::options().append(true).create(true).open(path)?;
        lock(&file)?;
        if known.is_empty() {
            file.set_len(0)?;
        }
        // Ends a line that was torn.
        file.write_all(b"\n")?;
        let file = BufWriter::new(file);
        Ok(Self { file, keys, known, synced: Instant::now(), dirty: false })
    }

    fn sync(&mut self) -> io::Result<()> {
        if self.dirty {
            self.file.flush()?;
            self.file.get_ref().sync_data()?;
            self.dirty = false;
        }
        self.synced = Instant::now();
        Ok(())
    }

    fn sync_now_and_then(&mut self) -> io::Result<()> {
        if self.synced.elapsed() >= LATEST { self.sync() } else { Ok(()) }
    }
}

impl Reporter for Journal {
    fn order(&self) -> Order {
        Order::Completion
    }

    fn begin(&mut self, _run: &Run, _plan: &Plan) -> io::Result<()> {
        Ok(())
    }

    fn case(&mut self, _plan: &Plan, result: &CaseResult) -> io::Result<()> {
        // Judge errors and cases that were not run are to be tried again.
        let ran = result.times.is_some() && !self.known.contains(&result.index);
        if ran && result.verdict != crate::model::Verdict::JudgeError {
            let written = Written { key: self.keys[result.index], result };
            // A path that is no text cannot be written; that case is run again.
            if let Ok(mut line) = serde_json::to_vec(&written) {
                line.push(b'\n');
                self.file.write_all(&line)?;
                self.dirty = true;
            }
        }
        self.sync_now_and_then()
    }

    fn tick(&mut self, _plan: &Plan) -> io::Result<()> {
        self.sync_now_and_then()
    }

    fn stopping(&mut self, _running: usize) -> io::Result<()> {
        self.sync()
    }

    fn end(&mut self, _plan: &Plan, _report: &Report) -> io::Result<()> {
        self.sync()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge;
    use crate::model::{Times, Verdict};

    fn result(index: usize, message: &str) -> CaseResult {
        let times = Some(Times { runs: 1, ..Times::default() });
        let verdict = Verdict::TimeLimit;
        let started_at = std::time::SystemTime::UNIX_EPOCH;
        CaseResult { verdict, times, started_at, ..judge::skipped(index, message.into()) }
    }

    #[test]
    fn a_journal_that_another_run_writes_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let mut first = Journal::open(&path, vec![7], HashSet::new()).unwrap();
        assert!(is_in_use(&path));
        let second = Journal::open(&path, vec![8], HashSet::new()).err().unwrap();
        assert_eq!(second.to_string(), "another run in this folder writes it");
        first.case(&Plan::default(), &result(0, "a")).unwrap();
        first.end(&Plan::default(), &Report::default()).unwrap();
        drop(first);
        assert!(!is_in_use(&path));
        assert_eq!(read(&path, &[7]).unwrap(), [result(0, "a")]);
    }

    #[test]
    fn what_was_written_is_read_back_under_its_new_index_and_a_torn_line_is_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/journal.jsonl");
        let mut journal = Journal::open(&path, vec![7, 8, 9], HashSet::new()).unwrap();
        let plan = Plan::default();
        for (index, message) in [(0, "a"), (2, "c")] {
            journal.case(&plan, &result(index, message)).unwrap();
        }
        journal.case(&plan, &judge::skipped(1, "not run".into())).unwrap();
        journal.end(&plan, &Report::default()).unwrap();
        drop(journal);
        let whole = fs::read(&path).unwrap();
        fs::write(&path, &whole[..whole.len() - 5]).unwrap();
        assert_eq!(read(&path, &[9, 7]).unwrap(), [result(1, "a")]);
        let mut again = Journal::open(&path, vec![9, 7], HashSet::from([1])).unwrap();
        for one in [result(0, "new"), result(1, "not written twice")] {
            again.case(&plan, &one).unwrap();
        }
        again.end(&plan, &Report::default()).unwrap();
        assert_eq!(read(&path, &[9, 7]).unwrap(), [result(0, "new"), result(1, "a")]);
        fs::write(&path, &whole).unwrap();
        assert_eq!(read(&path, &[9, 7, 8]).unwrap(), [result(0, "c"), result(1, "a")]);
        assert_eq!(read(&folder.path().join("none"), &[1]).unwrap(), []);
    }
}
