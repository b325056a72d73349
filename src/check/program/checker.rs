//! One run of a checker program: what it gets, what it may use, what came out.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;
use std::sync::Arc;

use bstr::ByteSlice;

use super::{Fault, Feed, Opinion, Pass, Protocol, Said, pass};
use crate::check::{CheckError, Checker};
use crate::model::{Feedback, Judgement, Output, TestCase, Verdict};
use crate::sandbox::{
    Collect, CollectAll, CopyFrom, CopyIn, Ended, Input, Limit, Ran, Refusal, SandboxError, Spec,
};

/// The names of the files in the program's folder.
const INPUT: &str = "input";
/// The output: to be checked, or written by an interactor.
pub const OUTPUT: &str = "output";
const ANSWER: &str = "answer";

/// Bytes of standard output, and of each file, that are looked at.
const MOST_BYTES: u64 = 64 << 10;

/// Bytes that a file may have before it is a fault: what is behind [`MOST_BYTES`] is left unread.
const MOST_FILE: u64 = 16 << 20;

/// Files of its folder that are looked at.
const MOST_FILES: usize = 100;

/// Bytes of standard error that are told behind a fault.
const LAST_WORDS: usize = 400;

/// Runs a program in a sandbox.
pub type Run = Box<dyn Fn(&Spec) -> Result<Ran, SandboxError> + Send + Sync>;

/// A program of the jury as a checker.
pub struct ProgramChecker {
    /// What people call it.
    pub name: String,
    /// How it is asked.
    pub protocol: &'static Protocol,
    /// The program without arguments, its environment, what it sees and what it may use.
    pub spec: Spec,
    /// Arguments of its own, see [`arguments`].
    pub args: Vec<String>,
    /// The points of a whole case.
    pub full_score: f64,
    /// How many passes a case may have.
    pub passes: u32,
    /// Where it runs.
    pub run: Run,
}

impl Checker for ProgramChecker {
    fn name(&self) -> &'static str {
        "program"
    }

    fn check(&self, case: &TestCase, output: &mut Output) -> Result<Judgement, CheckError> {
        self.check_pass(case, &Pass::first(1), output).map(|judged| judged.0)
    }
}

impl ProgramChecker {
    /// Judges the output of a pass; with the next pass, when the program asks for one.
    ///
    /// # Errors
    /// As [`Checker::check`].
    pub fn check_pass(
        &self,
        case: &TestCase,
        pass: &Pass,
        output: &mut Output,
    ) -> Result<(Judgement, Option<Pass>), CheckError> {
        let Some(answer) = &case.answer else {
            return Ok((Judgement::of(Verdict::NoAnswer, 0), None));
        };
        output.stream.rewind().map_err(CheckError::Output)?;
        let memory = Input::from_reader(&mut output.stream).map_err(CheckError::Output)?;
        let bytes = |path: &Path| path.metadata().map_or(0, |data| data.len());
        let expected_bytes = bytes(answer);
        let greatest = memory.bytes().max(expected_bytes).max(bytes(&case.input));
        let spec = self.spec(case, answer, pass, Arc::new(memory));
        let mut ran = (self.run)(&spec).map_err(|source| match source {
            SandboxError::Stopped => CheckError::Stopped,
            source => CheckError::Sandbox { name: self.name.clone(), source },
        })?;
        let meant = self.opinion(&mut ran, greatest, pass).and_then(|opinion| {
            let next = self.next_pass(&opinion, pass, &mut ran)?;
            Ok((opinion, next))
        });
        let feedback = self.feedback(&mut ran);
        match meant {
            Ok((opinion, next)) => {
                Ok((Judgement { feedback, ..opinion.judgement(expected_bytes) }, next))
            }
            Err(Fault(reason)) => {
                let reason = format!("{reason}{}", last_words(&ran));
                Err(CheckError::Program { name: self.name.clone(), reason, feedback })
            }
        }
    }

    fn spec(&self, case: &TestCase, answer: &Path, pass: &Pass, output: Arc<Input>) -> Spec {
        let mut spec = self.run_on(case, answer.to_owned(), pass);
        if self.protocol.stdin == Feed::Output {
            spec.stdin = Arc::clone(&output);
        }
        spec.work.copy_in.push(CopyIn::new(output, OUTPUT));
        spec
    }

    /// A run with its arguments, on copies of the input of a pass and an answer.
    #[must_use]
    pub fn run_on(&self, case: &TestCase, answer: impl Into<CopyFrom>, pass: &Pass) -> Spec {
        let mut spec = self.spec.clone();
        let arguments = arguments(self.protocol, &self.args, self.full_score);
        spec.program.extend(arguments.into_iter().map(Into::into));
        let work = &mut spec.work;
        work.copy_in =
            vec![CopyIn::new(pass.copied_input(case), INPUT), CopyIn::new(answer, ANSWER)];
        work.copy_in.extend(pass.state());
        work.folders.extend(self.protocol.folder.map(Into::into));
        work.collect_all = self.protocol.folder.map(|folder| CollectAll {
            folder: folder.into(),
            most_files: MOST_FILES,
            most_bytes: MOST_FILE,
        });
        work.collect =
            self.protocol.files.iter().map(|name| Collect::new(name, MOST_FILE)).collect();
        spec
    }

    /// What the program meant by its end in a pass; `greatest` are the bytes of the greatest file
    /// that it was given.
    ///
    /// # Errors
    /// [`Fault`] when its end means nothing.
    pub fn opinion(&self, ran: &mut Ran, greatest: u64, pass: &Pass) -> Result<Opinion, Fault> {
        let code = ended(ran, &self.spec)?;
        let wanted = |name: &Path| self.protocol.files.iter().any(|file| Path::new(file) == name);
        if let Some((name, refusal)) = ran.refused.iter().find(|(name, _)| wanted(name)) {
            let what = match refusal {
                Refusal::NotPlain | Refusal::TooMany => "is no plain file".to_owned(),
                Refusal::TooBig(bytes) => format!("has {bytes} bytes, {MOST_FILE} allowed"),
            };
            return Err(Fault(format!("its file {} {what}", name.display())));
        }
        let unreadable = |error: io::Error| Fault(format!("what it wrote cannot be read: {error}"));
        let said = Said {
            code,
            stdout: start_of(&mut ran.stdout).map_err(unreadable)?,
            stderr: ran.stderr.head.clone(),
            files: self.files(&mut ran.collected).map_err(unreadable)?,
            full_score: self.full_score,
            passes: (pass.number, pass.most),
            greatest,
        };
        let mut opinion = (self.protocol.read)(&said)?;
        let left = ran.collected.iter().filter(|(name, _)| name != Path::new(OUTPUT));
        opinion.remarks.files = left.map(|(name, _)| name.to_string_lossy().into_owned()).collect();
        Ok(opinion)
    }

    /// The pass that the program asks for, after a run that has ended with this opinion.
    ///
    /// # Errors
    /// [`Fault`] when what it has left cannot be handed on.
    pub fn next_pass(
        &self,
        opinion: &Opinion,
        pass: &Pass,
        ran: &mut Ran,
    ) -> Result<Option<Pass>, Fault> {
        let next = self.protocol.next.filter(|_| opinion.another);
        next.map(|next| pass.next(ran, Path::new(next))).transpose()
    }

    /// What a run has left for people.
    #[must_use]
    pub fn feedback(&self, ran: &mut Ran) -> Option<Box<Feedback>> {
        pass::feedback(ran, self.protocol.folder?)
    }

    fn files(
        &self,
        collected: &mut [(std::path::PathBuf, File)],
    ) -> io::Result<Vec<(&'static str, Vec<u8>)>> {
        let known = |path: &Path| self.protocol.files.iter().find(|name| Path::new(name) == path);
        let found = collected.iter_mut().filter_map(|(path, file)| Some((*known(path)?, file)));
        found.map(|(name, file)| Ok((name, start_of(file)?))).collect()
    }
}

/// The command behind the program itself. `args` stand behind what the protocol gives; with
/// `{input}`, `{output}` or `{answer}` among them, in its place.
#[must_use]
pub fn arguments(protocol: &Protocol, args: &[String], full_score: f64) -> Vec<String> {
    let named = |arg: &String| {
        [INPUT, OUTPUT, ANSWER].iter().any(|name| arg.contains(&format!("{{{name}}}")))
    };
    let own = args.iter().map(String::as_str);
    let words: Vec<&str> = if args.iter().any(named) {
        own.collect()
    } else {
        protocol.arguments.iter().copied().chain(own).collect()
    };
    let full_score = full_score.to_string();
    let values = [(INPUT, INPUT), (OUTPUT, OUTPUT), (ANSWER, ANSWER), ("full_score", &full_score)];
    let fill = |word: &str| {
        values.iter().fold(word.to_owned(), |text, (name, value)| {
            text.replace(&format!("{{{name}}}"), value)
        })
    };
    words.into_iter().map(fill).collect()
}

fn start_of(file: &mut File) -> io::Result<Vec<u8>> {
    file.rewind()?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The exit code of a checker that ended by itself within its limits.
fn ended(ran: &Ran, spec: &Spec) -> Result<i32, Fault> {
    let limits = &spec.limits;
    Err(Fault(match ran.ended {
        Ended::Exited(code) => return Ok(code),
        Ended::Signaled(signal) => format!("ended by signal {signal}"),
        Ended::Over(Limit::Cpu) => format!("more than {:?} of CPU time", limits.cpu),
        Ended::Over(Limit::Wall) => format!("not done after {:?}", limits.wall),
        Ended::Over(Limit::Memory) => format!("more than {} MiB of memory", limits.memory >> 20),
        Ended::Over(Limit::Output) => format!("more than {} bytes of output", limits.output),
        Ended::NotStarted(number) | Ended::NotSetUp(number) => {
            format!("does not start: {}", io::Error::from_raw_os_error(number))
        }
    }))
}

/// The end of what it wrote on standard error, as one line to be put behind a fault.
#[must_use]
pub fn last_words(ran: &Ran) -> String {
    let stderr = &ran.stderr;
    let text = [stderr.head.as_slice(), stderr.tail.as_slice()].concat();
    let text = text.trim_ascii();
    let start = text.len().saturating_sub(LAST_WORDS);
    let cut = if start > 0 { "…" } else { "" };
    if text.is_empty() {
        return String::new();
    }
    let words = text[start..].to_str_lossy();
    let lines: Vec<&str> = words.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    format!("; stderr: {cut}{}", lines.join(" | "))
}
