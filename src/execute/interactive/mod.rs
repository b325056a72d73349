//! A solution that talks to an interactor as an executor: two fresh runs for each case, joined by
//! pipes. What stands, the word of the interactor or the end of the solution, is decided by one
//! pure rule.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Seek};
use std::path::Path;
use std::sync::Arc;

use super::passes::{After, in_passes};
use super::program::{execution, not_run, run_limits};
use super::{Executor, Files, Start, Workers};
use crate::check::program::{Fault, OUTPUT, Opinion, Pass, ProgramChecker, last_words};
use crate::model::{Execution, Limits, Output, Talk, Termination, TestCase, Verdict};
use crate::sandbox::{
    self, Collect, CopyFrom, Ended, Input, Limit, Pair, Party, Ran, Spec, Stopped, Waiting,
};

use rule::{End, Stands};

mod rule;
mod transcript;

/// The most bytes of a talk that are written down.
const TRANSCRIPT: u64 = 256 << 10;

/// The interactor of a problem.
pub struct Interactor {
    /// The program, how it is started, and what its end means.
    pub program: ProgramChecker,
    /// Whether a checker judges what it writes to its output file when it accepts.
    pub checked: bool,
}

/// Runs a solution together with the interactor of its problem.
pub struct Interactive {
    workers: Arc<Workers>,
    start: Start,
    interactor: Arc<Interactor>,
    transcript: bool,
}

/// What came of a talk, as the sandbox tells it, and what the interactor meant.
struct Told {
    talk: sandbox::Talk,
    opinion: Result<Opinion, Fault>,
    input_bytes: u64,
    answer_bytes: u64,
    /// What either of them may say.
    most: [u64; 2],
}

impl Interactive {
    /// A solution that `start` describes. `workers` hands out pairs.
    #[must_use]
    pub fn new(
        workers: Arc<Workers>,
        start: Start,
        interactor: Arc<Interactor>,
        transcript: bool,
    ) -> Self {
        Self { workers, start, interactor, transcript }
    }

    fn run(&self, case: &TestCase, pass: &Pass, limits: &Limits) -> Result<Told, Termination> {
        let input_bytes = pass.input().map_or_else(|| size(Some(&case.input)), |one| one.bytes());
        let mut solution = (self.start)(limits);
        solution.limits = run_limits(limits, &solution.limits);
        let failed = |reason: String| Termination::Failed(reason, None);
        Files::default().prepare(case, pass, 0, &mut solution).map_err(failed)?;
        let mut interactor = self
            .interactor
            .spec(case, pass)
            .map_err(|error| failed(format!("cannot start the interactor: {error}")))?;
        let wall = solution.limits.wall;
        // The talk as a whole is watched; these are a second net.
        solution.limits.wall = wall + interactor.limits.wall + interactor.limits.cpu;
        interactor.limits.wall += wall;
        let opinion = RefCell::new(Err(Fault("it has no end".to_owned())));
        let answer_bytes = size(case.answer.as_deref());
        let greatest = input_bytes.max(answer_bytes);
        let settles = |ran: &mut Ran, shown: bool| {
            let meant = self.interactor.program.opinion(ran, greatest, pass);
            let settles =
                meant.as_ref().map_or(true, |opinion| !rule::accepts(opinion.verdict) && !shown);
            *opinion.borrow_mut() = meant;
            settles
        };
        let talk = self.workers.run_pair(&Pair {
            solution: &solution,
            interactor: &interactor,
            wall,
            settles: &settles,
            transcript: self.transcript.then_some(TRANSCRIPT),
        });
        let talk = talk.map_err(|error| not_run(&error))?;
        let most = [solution.limits.output, interactor.limits.output];
        Ok(Told { talk, opinion: opinion.into_inner(), input_bytes, answer_bytes, most })
    }

    /// The execution of the solution, with what stands of the interactor's word; or the next pass,
    /// when that word is that there is to be one.
    fn execution(&self, told: Told, pass: &Pass, limits: &Limits) -> After {
        let Told { talk, opinion, input_bytes, answer_bytes, most } = told;
        let sandbox::Talk { mut solution, mut interactor, queued, transcript } = talk;
        solution.ran.queued = solution.ran.queued.max(queued);
        let mut talk = Talk {
            note: note(&solution),
            transcript: transcript.map(|transcript| transcript::text(&transcript)),
            pass: pass.told(),
            ..Talk::default()
        };
        let shown = solution.shown;
        let mut execution = of_solution(solution, &interactor.ran, input_bytes, most[0]);
        let opinion = opinion.and_then(|opinion| {
            let next = self.interactor.program.next_pass(&opinion, pass, &mut interactor.ran)?;
            Ok((opinion, next))
        });
        let feedback = self.interactor.program.feedback(&mut interactor.ran);
        let fault = self.fault(&interactor, opinion.as_ref().err(), most[1]);
        let said = opinion.as_ref().ok().filter(|_| fault.is_none());
        let end = end(&interactor, said.map(|(opinion, _)| opinion));
        let solution = End { verdict: execution.limit_verdict(limits), shown };
        talk.first = rule::comes_first(solution, end);
        match (rule::stands(solution, end), fault, opinion) {
            (_, Some(reason), _) => execution.termination = Termination::Failed(reason, None),
            (Stands::Interactor, _, Ok((_, Some(next)))) => {
                return After::Another(execution.usage, next);
            }
            (Stands::Interactor, _, Ok((opinion, None))) => {
                let accepted = opinion.verdict == Verdict::Accepted;
                match written(interactor).filter(|_| accepted && self.interactor.checked) {
                    Some(output) => execution.output = output,
                    None => talk.said = Some(opinion.judgement(answer_bytes)),
                }
            }
            _ => {}
        }
        match &mut talk.said {
            Some(said) => said.feedback = feedback,
            None => talk.feedback = feedback,
        }
        execution.talk = Some(Box::new(talk));
        After::end(execution)
    }

    /// Why the interactor is to blame, in words; it may say so many bytes.
    fn fault(&self, interactor: &Party, fault: Option<&Fault>, most: u64) -> Option<String> {
        let reason = match interactor.stopped {
            _ if interactor.said > most => format!("more than {most} bytes of output"),
            Some(Stopped::Behind) => return None,
            Some(Stopped::Idle) => {
                "it waited for more than 1 s after the solution had ended".to_owned()
            }
            Some(_) => "it keeps the solution waiting past the limit of elapsed time".to_owned(),
            None => format!("{}{}", fault?.0, last_words(&interactor.ran)),
        };
        Some(format!("interactor {}: {reason}", self.interactor.program.name))
    }
}

impl Executor for Interactive {
    fn execute(&self, case: &TestCase, limits: &Limits) -> Execution {
        let first = Pass::first(self.interactor.program.passes);
        in_passes(first, |pass| match self.run(case, pass, limits) {
            Ok(told) => self.execution(told, pass, limits),
            Err(termination) => After::end(Execution::without_run(termination)),
        })
    }

    fn on_one_core(&self, work: &mut dyn FnMut()) {
        self.workers.on_one_core(work);
    }
}

impl Interactor {
    fn spec(&self, case: &TestCase, pass: &Pass) -> io::Result<Spec> {
        let answer = match &case.answer {
            Some(answer) => answer.clone().into(),
            None => CopyFrom::from(Arc::new(Input::from_bytes(b"")?)),
        };
        let mut spec = self.program.run_on(case, answer, pass);
        if self.checked {
            spec.work.collect.push(Collect::new(OUTPUT, spec.limits.file_size));
        }
        Ok(spec)
    }
}

fn size(path: Option<&Path>) -> u64 {
    path.and_then(|path| path.metadata().ok()).map_or(0, |data| data.len())
}

/// What the interactor came to. One that was still reading when the solution had failed for good
/// has nothing to add.
fn end(interactor: &Party, opinion: Option<&Opinion>) -> End {
    if interactor.stopped == Some(Stopped::Behind) {
        return End { verdict: Some(Verdict::WrongAnswer), shown: true };
    }
    End { verdict: opinion.map(|opinion| opinion.verdict), shown: interactor.shown }
}

/// The solution's own part. The time that the interactor works is not the solution's. It may say so
/// many bytes.
fn of_solution(solution: Party, interactor: &Ran, input_bytes: u64, most: u64) -> Execution {
    let mut ran = solution.ran;
    ran.wall = ran.wall.saturating_sub(interactor.cpu());
    let killed = matches!(ran.ended, Ended::Signaled(_));
    if solution.said > most {
        if !matches!(ran.ended, Ended::Over(Limit::Cpu | Limit::Wall)) {
            ran.ended = Ended::Over(Limit::Output);
        }
    } else if killed && matches!(solution.stopped, Some(s) if s != Stopped::Settled) {
        ran.ended = Ended::Over(Limit::Wall);
    }
    let mut execution = execution(ran, input_bytes, &Files::default());
    if killed && solution.said <= most && solution.stopped == Some(Stopped::Settled) {
        execution.termination = Termination::Settled;
    }
    execution
}

/// Why the solution was ended.
fn note(solution: &Party) -> String {
    let word = |waiting| match waiting {
        Waiting::Reads => "reads",
        Waiting::Writes => "writes",
    };
    match solution.stopped {
        Some(Stopped::BothWait(ours, theirs)) => {
            format!("both wait: solution {}, interactor {}", word(ours), word(theirs))
        }
        Some(Stopped::Idle) => "waits though the interactor has ended".to_owned(),
        _ => String::new(),
    }
}

/// What the interactor has written to its output file.
fn written(interactor: Party) -> Option<Output> {
    let named = |(name, _): &(std::path::PathBuf, File)| name == Path::new(OUTPUT);
    let (_, mut file) = interactor.ran.collected.into_iter().find(named)?;
    file.rewind().ok()?;
    let bytes = file.metadata().ok()?.len();
    Some(Output { stream: Box::new(file), bytes })
}
