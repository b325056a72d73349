//! Conducts a talk: starts both programs, looks at them from time to time, closes what keeps one
//! of them waiting in vain, ends them when their time is over.

use std::io;
use std::time::{Duration, Instant, SystemTime};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::rule::{self, Need, View};
use super::stay::Stay;
use super::transcript::{Speaker, Transcript};
use super::way::{BLOCK, Way};
use super::{Pair, Party, Stopped, Talk};
use crate::sandbox::SandboxError;
use crate::sandbox::channel::Kind;
use crate::sandbox::handle::{Handle, Heard};
use crate::sandbox::look::Doing;
use crate::sandbox::ran::{Ended, Ran};
use crate::sandbox::spec::Spec;

/// The time between two looks while both programs live.
const LOOK: Duration = Duration::from_millis(20);
/// The first one after an end; each further one takes twice as long, up to `LAST_LOOK`.
const FIRST_LOOK: Duration = Duration::from_micros(100);
const LAST_LOOK: Duration = Duration::from_millis(10);
/// How long a program may let time pass when the other one has ended.
const IDLE: Duration = Duration::from_secs(1);

/// Bytes that are thrown away at once.
const SWALLOWED: usize = 4 << 10;

const SOLUTION: usize = 0;
const INTERACTOR: usize = 1;

/// Runs a pair on these two runners.
pub(super) fn run(
    solution: &mut Handle,
    interactor: &mut Handle,
    pair: &Pair<'_>,
) -> Result<Talk, SandboxError> {
    // Whoever passes words on stands where they are said: waking a thread of another core is slow,
    // and most of it is charged to the program that speaks.
    let core = pair.solution.core.filter(|_| pair.transcript.is_some());
    let _stays = core.and_then(Stay::on);
    let mut talk = Conduct::new([solution, interactor], pair)?;
    match talk.conduct() {
        Ok(()) => talk.finish(),
        Err(error) => {
            talk.give_up();
            Err(error)
        }
    }
}

/// One program of the pair while it runs.
struct Side<'h> {
    handle: &'h mut Handle,
    spec: &'h Spec,
    /// Set from when it was told to begin until its run is known to have failed.
    started: Option<SystemTime>,
    ran: Option<Ran>,
    shown: bool,
    stopped: Option<Stopped>,
    doing: Doing,
    /// Since when it has not done anything.
    rests_since: Instant,
    /// How often in a row it did not have its stdin, its stdout.
    left: [u32; 2],
    /// How long it has let time pass since the other one ended.
    idle: Duration,
}

struct Conduct<'h, 'p> {
    sides: [Side<'h>; 2],
    /// What each side writes to.
    ways: [Way; 2],
    pair: &'p Pair<'p>,
    transcript: Option<Transcript>,
    /// Room for what is passed on.
    block: Vec<u8>,
    start: Instant,
    looked: Instant,
    /// The time from one look to the next.
    pause: Duration,
}

fn failed(error: &io::Error) -> SandboxError {
    SandboxError::Run(error.to_string())
}

impl<'h, 'p> Conduct<'h, 'p>
where
    'p: 'h,
{
    fn new(handles: [&'h mut Handle; 2], pair: &'p Pair<'p>) -> Result<Self, SandboxError> {
        let relayed = pair.transcript.is_some();
        let way = |from| Way::new(from, relayed).map_err(|error| failed(&error));
        let ways = [way(Speaker::Solution)?, way(Speaker::Interactor)?];
        let start = Instant::now();
        let mut specs = [pair.solution, pair.interactor].into_iter();
        let sides = handles.map(|handle| Side::new(handle, specs.next().unwrap_or(pair.solution)));
        let transcript = pair.transcript.map(Transcript::new);
        let block = vec![0; if relayed { BLOCK } else { SWALLOWED }];
        Ok(Self { sides, ways, pair, transcript, block, start, looked: start, pause: LOOK })
    }

    fn conduct(&mut self) -> Result<(), SandboxError> {
        for side in [INTERACTOR, SOLUTION] {
            let input = self.ways[1 - side].for_reader();
            let output = self.ways[side].for_writer();
            let (Some(input), Some(output)) = (input, output) else { continue };
            let begun = &mut self.sides[side];
            let started = begun.handle.begin(begun.spec, input, output);
            begun.started = Some(begun.checked(started)?);
        }
        while self.sides.iter().any(|side| side.ran.is_none()) {
            let ready = self.wait()?;
            let at = self.start.elapsed();
            for (way, _) in self.ways.iter_mut().zip(ready).filter(|(_, ready)| *ready) {
                let pumped = way.pump(at, self.transcript.as_mut(), &mut self.block);
                pumped.map_err(|error| failed(&error))?;
            }
            if self.looked.elapsed() >= self.pause {
                self.look()?;
            }
        }
        Ok(())
    }

    /// Waits until something happens, or until the next look, and hears what there is to hear.
    /// Whether there is something to be done on each way.
    fn wait(&mut self) -> Result<[bool; 2], SandboxError> {
        let left = self.pause.saturating_sub(self.looked.elapsed());
        let timeout = Timespec { tv_sec: 0, tv_nsec: left.subsec_nanos().into() };
        let mut polled: Vec<PollFd<'_>> =
            self.sides.iter().map(|s| PollFd::new(s.handle.socket(), PollFlags::IN)).collect();
        polled.extend(self.ways.iter().filter_map(Way::polled));
        match poll(&mut polled, Some(&timeout)) {
            Err(Errno::INTR) => return Ok([false; 2]),
            other => other.map_err(|error| failed(&error.into()))?,
        };
        let mut happened = polled.iter().map(|one| !one.revents().is_empty());
        let mut next = || happened.next().unwrap_or(false);
        let speaks = [next(), next()];
        let ready = [0, 1].map(|way: usize| self.ways[way].polled().is_some() && next());
        drop(polled);
        for side in [SOLUTION, INTERACTOR] {
            if speaks[side] {
                self.hear(side)?;
            }
        }
        Ok(ready)
    }

    /// Hears one word of a runner.
    fn hear(&mut self, side: usize) -> Result<(), SandboxError> {
        let heard = self.sides[side].hear()?;
        let Heard::Ended(mut ran) = heard else { return Ok(()) };
        let settled = side == INTERACTOR && (self.pair.settles)(&mut ran, self.sides[side].shown);
        self.sides[side].ran = Some(*ran);
        if settled {
            self.sides[SOLUTION].stop(Stopped::Settled)?;
        }
        self.pause = FIRST_LOOK;
        Ok(())
    }

    /// Looks at both programs and does what is to be done.
    fn look(&mut self) -> Result<(), SandboxError> {
        let since = self.looked.elapsed().min(LOOK);
        let ended = |sides: &[Side<'_>; 2]| sides.iter().filter(|side| side.ran.is_some()).count();
        let before = ended(&self.sides);
        self.ask(SOLUTION)?;
        self.ask(INTERACTOR)?;
        if ended(&self.sides) > before {
            // What was seen before an end says nothing about what the other one does after it.
            return Ok(());
        }
        let views = [self.view(SOLUTION), self.view(INTERACTOR)];
        for side in [SOLUTION, INTERACTOR] {
            match rule::need(&views[side], &views[1 - side]) {
                Some(Need::EndOfInput) => {
                    self.sides[side].shown = true;
                    self.ways[1 - side].show_end();
                }
                Some(Need::Outlet) => {
                    self.sides[side].shown |= side == SOLUTION;
                    self.ways[side].free_writer();
                }
                None => {}
            }
            if views[1 - side].ended && views[side].is_idle() {
                self.sides[side].idle += since;
            }
        }
        self.stop_for_output()?;
        self.stop_for_time(&views)?;
        let alone = views.iter().any(|view| view.ended);
        self.pause = if alone { (self.pause * 2).clamp(FIRST_LOOK, LAST_LOOK) } else { LOOK };
        self.looked = Instant::now();
        Ok(())
    }

    /// Ends those who have said too much.
    fn stop_for_output(&mut self) -> Result<(), SandboxError> {
        for side in [SOLUTION, INTERACTOR] {
            let said = self.sides[side].doing.written.saturating_sub(self.ways[side].untaken());
            if said > self.sides[side].spec.limits.output {
                self.sides[side].stop(Stopped::Output)?;
            }
        }
        Ok(())
    }

    /// Ends those whose time is over, or who wait for ever.
    fn stop_for_time(&mut self, views: &[View; 2]) -> Result<(), SandboxError> {
        let [solution, interactor] = views;
        if self.sides[SOLUTION].idle >= IDLE {
            self.sides[SOLUTION].stop(Stopped::Idle)?;
        }
        if self.sides[INTERACTOR].idle >= IDLE {
            // What it has still to read may take its time, unless nothing hangs on it any more.
            let failed = self.sides[SOLUTION].has_failed();
            match interactor.input_empty {
                true => self.sides[INTERACTOR].stop(Stopped::Idle)?,
                false if failed => self.sides[INTERACTOR].stop(Stopped::Behind)?,
                false => {}
            }
        }
        if let Some((ours, theirs)) = rule::deadlock(solution, interactor) {
            self.sides[SOLUTION].stop(Stopped::BothWait(ours, theirs))?;
        }
        let allowed = self.pair.wall + self.sides[INTERACTOR].cpu() + self.queued();
        if self.start.elapsed() > allowed && !solution.ended {
            let late = rule::interactor_is_late(solution, interactor, self.pair.wall);
            self.sides[if late { INTERACTOR } else { SOLUTION }].stop(Stopped::Elapsed)?;
        }
        Ok(())
    }

    /// How long the talk stood still since the machine had too much to do: one of the two was ready
    /// and had no processor.
    fn queued(&self) -> Duration {
        let queued: Duration = self.sides.iter().map(|side| side.doing.queued).sum();
        queued.min(self.pair.wall.saturating_mul(self.pair.solution.limits.patience))
    }

    /// Asks the runner of a side what its program does, unless it has ended.
    fn ask(&mut self, side: usize) -> Result<(), SandboxError> {
        if self.sides[side].ran.is_some() {
            return Ok(());
        }
        self.sides[side].tell(Kind::Look)?;
        self.hear(side)
    }

    fn view(&self, side: usize) -> View {
        let Side { ran, doing, rests_since, left, idle, .. } = &self.sides[side];
        View {
            ended: ran.is_some(),
            doing: *doing,
            rested: rests_since.elapsed(),
            idle: *idle,
            left: left.map(|times| times > 1),
            input_empty: self.ways[1 - side].is_empty(),
            output_full: self.ways[side].is_full(),
        }
    }

    fn finish(self) -> Result<Talk, SandboxError> {
        let queued = self.queued();
        let [solution, interactor] = self.sides;
        let [from_solution, from_interactor] = self.ways.map(|way| way.untaken());
        Ok(Talk {
            solution: solution.finish(from_solution)?,
            interactor: interactor.finish(from_interactor)?,
            queued,
            transcript: self.transcript,
        })
    }

    /// Ends what still runs, so that the runners are ready for the next run.
    fn give_up(&mut self) {
        for side in &mut self.sides {
            if side.started.is_none() || side.ran.is_some() {
                continue;
            }
            let mut left = side.tell(Kind::End);
            while left.is_ok() && side.ran.is_none() {
                left = side.hear().map(|heard| {
                    if let Heard::Ended(ran) = heard {
                        side.ran = Some(*ran);
                    }
                });
            }
        }
    }
}

impl<'h> Side<'h> {
    fn new(handle: &'h mut Handle, spec: &'h Spec) -> Self {
        Self {
            handle,
            spec,
            started: None,
            ran: None,
            shown: false,
            stopped: None,
            doing: Doing::default(),
            rests_since: Instant::now(),
            left: [0; 2],
            idle: Duration::ZERO,
        }
    }

    fn hear(&mut self) -> Result<Heard, SandboxError> {
        let heard = self.handle.hear(self.spec, self.started.unwrap_or(SystemTime::UNIX_EPOCH));
        if heard.is_err() {
            // Nothing more is to be heard of a run that could not be made.
            self.started = None;
        }
        let heard = self.checked(heard)?;
        if let Heard::Doing(doing) = &heard {
            let turned = (doing.turns, doing.cpu) != (self.doing.turns, self.doing.cpu);
            if turned || doing.waits != self.doing.waits {
                self.rests_since = Instant::now();
            }
            for (times, holds) in self.left.iter_mut().zip(doing.holds) {
                *times = if holds { 0 } else { *times + 1 };
            }
            self.doing = *doing;
        }
        Ok(heard)
    }

    /// Whether it has ended in another way than by itself with code 0.
    fn has_failed(&self) -> bool {
        let failed = |ran: &Ran| ran.ended != Ended::Exited(0);
        self.stopped.is_some() || self.ran.as_ref().is_some_and(failed)
    }

    /// The CPU time that it has used so far.
    fn cpu(&self) -> Duration {
        self.ran.as_ref().map_or(self.doing.cpu, Ran::cpu)
    }

    /// Ends the program, unless it has ended.
    fn stop(&mut self, why: Stopped) -> Result<(), SandboxError> {
        if self.ran.is_some() || self.stopped.is_some() {
            return Ok(());
        }
        self.stopped = Some(why);
        self.tell(Kind::End)
    }

    fn tell(&mut self, kind: Kind) -> Result<(), SandboxError> {
        let told = self.handle.tell(kind);
        self.checked(told)
    }

    /// Notes whether the runner has crashed.
    fn checked<T>(&mut self, result: Result<T, SandboxError>) -> Result<T, SandboxError> {
        self.handle.broken |= matches!(result, Err(SandboxError::Crashed(_)));
        result
    }

    /// Its part, when so many of its bytes were not taken.
    fn finish(self, untaken: u64) -> Result<Party, SandboxError> {
        let ran = self.ran.ok_or_else(|| SandboxError::Run("a run has no end".to_owned()))?;
        let said = ran.written.saturating_sub(untaken);
        Ok(Party { ran, shown: self.shown, stopped: self.stopped, said })
    }
}
