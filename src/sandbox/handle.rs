//! The judge's end of a runner: starts it, talks to it, starts it again.

use std::fs::File;
use std::io;
use std::net::Shutdown;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use rustix::fs::{MemfdFlags, memfd_create};

use super::cgroup::{Group, Part};
use super::channel::{self, Kind, MOST_DESCRIPTORS, Message};
use super::error::SandboxError;
use super::look::Doing;
use super::protocol::{Answer, Ready, Request, Setup};
use super::ran::{Ended, Limit, Ran};
use super::runner::ARGUMENT;
use super::spec::{CopyFrom, Spec};
use super::wire::Writer;

/// A runner process and the socket to it.
#[derive(Debug)]
pub(super) struct Handle {
    program: PathBuf,
    setup: Setup,
    group: Option<Group>,
    process: Child,
    socket: UnixStream,
    /// The paths that the runner has made visible.
    visible: Vec<PathBuf>,
    /// Whether it is to be started again, as one of two that work together.
    pub(super) broken: bool,
}

/// A word about a run that has begun.
#[derive(Debug)]
pub(super) enum Heard {
    /// What the program is doing.
    Doing(Doing),
    /// It has ended.
    Ended(Box<Ran>),
}

/// The means to end a runner from another thread.
#[derive(Debug)]
pub(super) struct Stop(Mutex<UnixStream>);

impl Stop {
    /// Ends the runner, and the run that it is busy with.
    pub(super) fn stop(&self) {
        let socket = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = socket.shutdown(Shutdown::Write);
    }

    pub(super) fn replace(&self, other: Self) {
        let other = other.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = other;
    }
}

impl Handle {
    /// Starts a runner and sets it up.
    pub(super) fn start(
        program: PathBuf,
        setup: Setup,
        group: Option<Group>,
    ) -> Result<(Self, Ready), SandboxError> {
        let (process, socket) = spawn(&program).map_err(SandboxError::Start)?;
        let mut handle =
            Self { program, setup, group, process, socket, visible: Vec::new(), broken: false };
        let ready = handle.set_up()?;
        handle.setup.layers = ready.layers;
        Ok((handle, ready))
    }

    /// Ends what is left of the runner and starts another one in its place.
    pub(super) fn restart(&mut self) -> Result<Stop, SandboxError> {
        self.end();
        if let Some(group) = &mut self.group {
            group.renew().map_err(SandboxError::Start)?;
        }
        super::scratch::empty(&self.setup.folder).map_err(SandboxError::Scratch)?;
        (self.process, self.socket) = spawn(&self.program).map_err(SandboxError::Start)?;
        self.visible.clear();
        self.broken = false;
        let ready = self.set_up()?;
        if ready.layers != self.setup.layers {
            let missing = ready.missing;
            return Err(SandboxError::Unavailable { wanted: super::Level::Auto, missing });
        }
        self.stop_handle().map_err(SandboxError::Start)
    }

    pub(super) fn stop_handle(&self) -> io::Result<Stop> {
        Ok(Stop(Mutex::new(self.socket.try_clone()?)))
    }

    fn set_up(&mut self) -> Result<Ready, SandboxError> {
        let sent = channel::send(&self.socket, Kind::Setup, &self.setup.encode(), &[]);
        sent.map_err(SandboxError::Start)?;
        let answer = self.answer()?;
        Ready::decode(&answer.bytes).map_err(SandboxError::Start)
    }

    fn answer(&self) -> Result<Message, SandboxError> {
        let gone = || io::Error::from(io::ErrorKind::UnexpectedEof);
        let received = channel::receive(&self.socket).map_err(SandboxError::Crashed)?;
        let message = received.ok_or_else(|| SandboxError::Crashed(gone()))?;
        match message.kind {
            Kind::Done | Kind::Doing => Ok(message),
            _ => Err(SandboxError::Run(String::from_utf8_lossy(&message.bytes).into_owned())),
        }
    }

    /// A word about a run that has begun. Of one that could not be made nobody knows whether its
    /// group was killed: that group does not serve again.
    fn word(&mut self) -> Result<Message, SandboxError> {
        let word = self.answer();
        if let (Err(SandboxError::Run(_)), Some(group)) = (&word, &mut self.group) {
            group.end(true);
        }
        word
    }

    /// One run.
    pub(super) fn run(&mut self, spec: &Spec) -> Result<Ran, SandboxError> {
        let stdin = spec.stdin.open().map_err(|error| SandboxError::Run(error.to_string()))?;
        let (stdout, writer) = output().map_err(|error| SandboxError::Run(error.to_string()))?;
        let started = self.begin(spec, stdin.as_fd(), writer.as_fd())?;
        drop((stdin, writer));
        let message = self.word()?;
        self.conclude(message, stdout, started, spec)
    }

    /// Lets a run begin, and does not wait for its end.
    pub(super) fn begin(
        &mut self,
        spec: &Spec,
        stdin: BorrowedFd<'_>,
        stdout: BorrowedFd<'_>,
    ) -> Result<SystemTime, SandboxError> {
        self.configure(spec)?;
        let (files, executable) = open_copies(spec)?;
        let mut descriptors = vec![stdin, stdout];
        let group = self.group.as_mut().map(|group| group.begin(&spec.limits)).transpose();
        let group = group.map_err(|error| SandboxError::Run(format!("control group: {error}")))?;
        let (parts, counted): (Vec<_>, Vec<_>) = group.into_iter().flatten().unzip();
        descriptors.extend(counted);
        descriptors.extend(files.iter().map(AsFd::as_fd));
        let request = Request::encode(spec, &executable, &parts);
        let started = SystemTime::now();
        let sent = channel::send(&self.socket, Kind::Run, &request, &descriptors);
        sent.map_err(SandboxError::Crashed)?;
        Ok(started)
    }

    /// Waits for the next word about a run that has begun with pipes.
    pub(super) fn hear(&mut self, spec: &Spec, started: SystemTime) -> Result<Heard, SandboxError> {
        let message = self.word()?;
        if message.kind == Kind::Doing {
            return Ok(Heard::Doing(Doing::decode(&message.bytes).map_err(SandboxError::Crashed)?));
        }
        let nothing = memfd_create("nothing", MemfdFlags::CLOEXEC).map(File::from);
        let nothing = nothing.map_err(|error| SandboxError::Run(error.to_string()))?;
        self.conclude(message, nothing, started, spec).map(|ran| Heard::Ended(Box::new(ran)))
    }

    /// Reads the answer to a run.
    fn conclude(
        &mut self,
        message: Message,
        stdout: File,
        started: SystemTime,
        spec: &Spec,
    ) -> Result<Ran, SandboxError> {
        let answer = Answer::decode(&message.bytes).map_err(SandboxError::Crashed)?;
        if let Some(group) = &mut self.group {
            group.end(answer.spent);
        }
        finish(answer, message.descriptors, stdout, started, spec)
    }

    /// Says something about a run that has begun; a run that has just ended does not hear it.
    pub(super) fn tell(&self, kind: Kind) -> Result<(), SandboxError> {
        self.send(kind, &[], &[])
    }

    pub(super) fn socket(&self) -> &UnixStream {
        &self.socket
    }

    /// Tells the runner which paths are visible, when that has changed.
    fn configure(&mut self, spec: &Spec) -> Result<(), SandboxError> {
        if self.visible == spec.work.visible {
            return Ok(());
        }
        let mut writer = Writer::default();
        writer.list(&spec.work.visible, |writer, path| {
            writer.text(path);
        });
        self.send(Kind::Configure, &writer.bytes, &[])?;
        self.visible.clone_from(&spec.work.visible);
        Ok(())
    }

    fn send(&self, kind: Kind, bytes: &[u8], fds: &[BorrowedFd<'_>]) -> Result<(), SandboxError> {
        channel::send(&self.socket, kind, bytes, fds).map_err(SandboxError::Crashed)
    }

    fn end(&mut self) {
        let _ = self.socket.shutdown(Shutdown::Both);
        let _ = self.process.wait();
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.end();
    }
}

/// Starts the runner process with one end of a socket pair as its stdin.
#[expect(clippy::disallowed_methods, reason = "this is the place where processes are started")]
fn spawn(program: &PathBuf) -> io::Result<(Child, UnixStream)> {
    let (ours, theirs) = UnixStream::pair()?;
    let process = Command::new(program)
        .arg0("jury")
        .arg(ARGUMENT)
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", program.display())))?;
    Ok((process, ours))
}

/// A file in memory for stdout: one description for the judge, one for the run.
fn output() -> io::Result<(File, File)> {
    let memory = File::from(memfd_create("stdout", MemfdFlags::CLOEXEC)?);
    let path = format!("/proc/self/fd/{}", memory.as_raw_fd());
    let writer = File::options().read(true).write(true).open(path)?;
    Ok((memory, writer))
}

/// Opens the files to copy in, and sees which may be executed.
fn open_copies(spec: &Spec) -> Result<(Vec<File>, Vec<bool>), SandboxError> {
    if spec.work.copy_in.len() > MOST_DESCRIPTORS - 2 - Part::ALL.len() {
        return Err(SandboxError::Run("too many files to copy in".to_owned()));
    }
    let mut files = Vec::new();
    let mut executable = Vec::new();
    for copy in &spec.work.copy_in {
        let (file, may_run) = match &copy.from {
            CopyFrom::Path(path) => {
                let fail = |source| SandboxError::CopyIn { path: path.clone(), source };
                let file = File::open(path).map_err(fail)?;
                let mode = file.metadata().map_err(fail)?.permissions().mode();
                (file, mode & 0o111 != 0)
            }
            CopyFrom::Memory(input) => {
                let fail = |source| SandboxError::CopyIn { path: copy.name.clone(), source };
                (input.open().map_err(fail)?, false)
            }
        };
        executable.push(may_run);
        files.push(file);
    }
    Ok((files, executable))
}

/// Puts the answer and what was written together.
fn finish(
    answer: Answer,
    collected: Vec<OwnedFd>,
    stdout: File,
    started: SystemTime,
    spec: &Spec,
) -> Result<Ran, SandboxError> {
    let failed = |error: io::Error| SandboxError::Run(error.to_string());
    let written = stdout.metadata().map_err(failed)?.len();
    let limits = &spec.limits;
    let stdout_cut = written > limits.output;
    if stdout_cut {
        stdout.set_len(limits.output).map_err(failed)?;
    }
    let mut answer = answer;
    if answer.ended == Ended::Over(Limit::Memory) {
        answer.memory_peak = answer.memory_peak.max(limits.memory);
        if answer.wall.is_zero() {
            answer.wall = started.elapsed().unwrap_or_default();
        }
    }
    let late = limits.user.is_some_and(|most| answer.cpu_user > most);
    let over = if late || answer.cpu_user + answer.cpu_system > limits.cpu {
        Some(Limit::Cpu)
    } else if answer.wall.saturating_sub(answer.queued) > limits.wall {
        Some(Limit::Wall)
    } else if stdout_cut {
        Some(Limit::Output)
    } else if answer.memory_peak > limits.memory {
        Some(Limit::Memory)
    } else {
        None
    };
    let ended = match answer.ended {
        Ended::Exited(_) | Ended::Signaled(_) => over.map_or(answer.ended, Ended::Over),
        Ended::Over(_) | Ended::NotStarted(_) | Ended::NotSetUp(_) => answer.ended,
    };
    Ok(Ran {
        ended,
        cpu_user: answer.cpu_user,
        cpu_system: answer.cpu_system,
        cpu_source: answer.cpu_source,
        wall: answer.wall,
        queued: answer.queued,
        memory_peak: answer.memory_peak,
        memory_metric: answer.memory_metric,
        involuntary_switches: answer.involuntary,
        started,
        stdout_bytes: written.min(limits.output),
        stdout,
        stdout_cut,
        stderr: answer.stderr,
        written: answer.written,
        collected: answer
            .collected
            .into_iter()
            .zip(collected.into_iter().map(File::from))
            .collect(),
        refused: answer.refused,
    })
}
