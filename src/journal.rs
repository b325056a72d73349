//! The journal of a run: one line for each finished case, written at once and on disk within a
//! second, so that a run that was stopped or killed can go on where it was, and loses only the cases
//! that were running. A torn last line is passed over.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::model::{CaseResult, Compiled, Plan, Report, Run};
use crate::report::{Order, Reporter};

/// Lines are on disk at the latest after this time.
const LATEST: Duration = Duration::from_secs(1);

/// Identifies what a job ran: equal keys mean equal program, files, limits and comparison.
pub type Key = u64;

/// A line: what came of a job, or of building the submission whose first job it is.
#[derive(Serialize)]
struct Written<'a> {
    key: Key,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a CaseResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compiled: Option<&'a Compiled>,
}

#[derive(Deserialize)]
struct Read {
    key: Key,
    result: Option<CaseResult>,
    compiled: Option<Compiled>,
}

/// What a journal tells of a plan.
#[derive(Debug, Default)]
pub struct Known {
    /// The results of its jobs, under their present index.
    pub results: Vec<CaseResult>,
    /// What came of building its submissions, under their present position.
    pub compiled: Vec<Compiled>,
}

/// What a journal tells of the jobs with these keys.
///
/// # Errors
/// When the file is there and cannot be read.
pub fn read(path: &Path, plan: &Plan, keys: &[Key]) -> io::Result<Known> {
    let text = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Known::default()),
        other => other?,
    };
    let mut results: HashMap<Key, CaseResult> = HashMap::new();
    let mut compiled: HashMap<Key, Compiled> = HashMap::new();
    for line in text.split(|&byte| byte == b'\n') {
        let Ok(read) = serde_json::from_slice::<Read>(line) else { continue };
        results.extend(read.result.map(|result| (read.key, result)));
        compiled.extend(read.compiled.map(|compiled| (read.key, compiled)));
    }
    let result = |(index, key)| Some(CaseResult { index, ..results.get(key)?.clone() });
    let built = |(submission, index): (usize, Option<usize>)| {
        Some(Compiled { submission, ..compiled.get(&keys[index?])?.clone() })
    };
    Ok(Known {
        results: keys.iter().enumerate().filter_map(result).collect(),
        compiled: first_jobs(plan).into_iter().enumerate().filter_map(built).collect(),
    })
}

/// The first job of each submission.
fn first_jobs(plan: &Plan) -> Vec<Option<usize>> {
    let mut first = vec![None; plan.submissions.len()];
    for job in &plan.jobs {
        first[job.submission].get_or_insert(job.index);
    }
    first
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
    file: File,
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
        // Whoever made the folder may not choose a file elsewhere that is written.
        let mut options = File::options();
        options.append(true).create(true).custom_flags(libc::O_NOFOLLOW);
        let mut file = options.open(path)?;
        lock(&file)?;
        if known.is_empty() {
            file.set_len(0)?;
        }
        // Ends a line that was torn.
        file.write_all(b"\n")?;
        Ok(Self { file, keys, known, synced: Instant::now(), dirty: false })
    }

    fn write(&mut self, written: &Written) -> io::Result<()> {
        // A path that is no text cannot be written; that case is run again.
        let Ok(mut line) = serde_json::to_vec(written) else { return Ok(()) };
        line.push(b'\n');
        self.dirty = true;
        self.file.write_all(&line)
    }

    fn sync(&mut self) -> io::Result<()> {
        if self.dirty {
            self.file.sync_data()?;
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

    fn compiled(&mut self, plan: &Plan, compiled: &Compiled) -> io::Result<()> {
        let first = plan.jobs.iter().find(|job| job.submission == compiled.submission);
        let Some(job) = first else { return Ok(()) };
        self.write(&Written { key: self.keys[job.index], result: None, compiled: Some(compiled) })
    }

    fn case(&mut self, _plan: &Plan, result: &CaseResult) -> io::Result<()> {
        // Judge errors and cases that were not run are to be tried again.
        let ran = result.times.is_some() && !self.known.contains(&result.index);
        if ran && result.verdict != crate::model::Verdict::JudgeError {
            let key = self.keys[result.index];
            self.write(&Written { key, result: Some(result), compiled: None })?;
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

    fn results(path: &Path, keys: &[Key]) -> Vec<CaseResult> {
        read(path, &Plan::default(), keys).unwrap().results
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
        assert_eq!(results(&path, &[7]), [result(0, "a")]);
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
        assert_eq!(results(&path, &[9, 7]), [result(1, "a")]);
        let mut again = Journal::open(&path, vec![9, 7], HashSet::from([1])).unwrap();
        for one in [result(0, "new"), result(1, "not written twice")] {
            again.case(&plan, &one).unwrap();
        }
        again.end(&plan, &Report::default()).unwrap();
        assert_eq!(results(&path, &[9, 7]), [result(0, "new"), result(1, "a")]);
        fs::write(&path, &whole).unwrap();
        assert_eq!(results(&path, &[9, 7, 8]), [result(0, "c"), result(1, "a")]);
        assert_eq!(results(&folder.path().join("none"), &[1]), []);
    }

    #[test]
    fn what_came_of_building_belongs_to_the_first_job_of_a_submission() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let job = |index, submission| {
            let limits = crate::model::Limits::NONE;
            crate::model::Job { index, problem: 0, case: index, submission, limits }
        };
        let submissions = vec![crate::model::Submission::core(0); 2];
        let plan = Plan { jobs: vec![job(0, 0), job(1, 1)], submissions, ..Plan::default() };
        let built = Compiled {
            submission: 1,
            language: "C".into(),
            version: String::new(),
            command: vec!["cc".into()],
            outcome: Err("no".into()),
            cached: false,
            wall: Duration::ZERO,
            log: String::new(),
            log_bytes: 0,
        };
        let mut journal = Journal::open(&path, vec![7, 8], HashSet::new()).unwrap();
        journal.compiled(&plan, &built).unwrap();
        drop(journal);
        assert_eq!(read(&path, &plan, &[7, 8]).unwrap().compiled, std::slice::from_ref(&built));
        let moved = Compiled { submission: 0, ..built };
        assert_eq!(read(&path, &plan, &[8, 9]).unwrap().compiled, [moved]);
    }
}
