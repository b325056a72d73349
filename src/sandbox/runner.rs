//! The runner process: two processes with one thread each. The outer one makes the inner one and
//! outlives it, so that whatever the inner one leaves behind comes to it and is ended. The inner
//! one stands inside the protection, as the programs it starts do, and serves run after run. It
//! ends when other paths are to be visible, and the outer one makes another.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::ExitCode;

use rustix::fs::{MemfdFlags, memfd_create};

use super::cgroup;
use super::channel::{self, Kind};
use super::inner;
use super::level::{Layer, Layers, Missing};
use super::namespaces;
use super::protocol::{Ready, Setup};
use super::reap;
use super::run;
use super::sys::{self, Wait};
use super::wire::Reader;

/// The hidden argument that makes this program a runner.
pub(super) const ARGUMENT: &str = "__runner";

/// Exit codes of the inner process.
pub(super) const GONE: i32 = 0;
pub(super) const RECONFIGURE: i32 = 77;
pub(super) const RENEW: i32 = 78;
const BROKEN: i32 = 79;

/// Serves as a runner when this process was started as one, and says with which code to end. The
/// first thing that `main` calls.
#[must_use]
pub fn runner_main() -> Option<ExitCode> {
    if std::env::args_os().nth(1)? != ARGUMENT {
        return None;
    }
    Some(match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    })
}

fn serve() -> io::Result<()> {
    let socket = prepare()?;
    let Some(message) = channel::receive(&socket)? else { return Ok(()) };
    let setup = Setup::decode(&message.bytes)?;
    let mut outer = Outer::new(socket, setup)?;
    let served = outer.serve();
    let _ = reap::everything(outer.sure_kill, None);
    let folder = &outer.setup.folder;
    let _ = super::scratch::empty(folder);
    if served.is_ok() {
        // The judge is done or dead. If it is dead, the last runner removes the folder of all.
        let _ = std::fs::remove_dir(folder);
        let _ = folder.parent().map(std::fs::remove_dir);
        cgroup::remove(&outer.setup.seat);
    }
    served
}

/// Puts the descriptors in order: nothing on 0 to 2, the socket, and nothing else.
fn prepare() -> io::Result<UnixStream> {
    sys::close_from(3);
    sys::default_sigpipe();
    let socket = rustix::io::fcntl_dupfd_cloexec(io::stdin(), 3)?;
    let null = File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::process::setsid()?;
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    Ok(UnixStream::from(socket))
}

/// The outer process.
struct Outer {
    socket: UnixStream,
    setup: Setup,
    layers: Layers,
    missing: Vec<Missing>,
    /// What is missing of layers that are there, as the inner process says.
    partly: Vec<Missing>,
    landlock: Option<u32>,
    /// The list of visible paths, as the inner process hands it over.
    list: File,
    visible: Vec<PathBuf>,
    /// Whether a signal to everybody reaches only what this process has started.
    sure_kill: bool,
    /// How often the group has run out of memory.
    out_of_memory: u64,
}

impl Outer {
    fn new(socket: UnixStream, setup: Setup) -> io::Result<Self> {
        let list = File::from(memfd_create("visible", MemfdFlags::CLOEXEC)?);
        let layers = setup.layers;
        Ok(Self {
            socket,
            setup,
            layers,
            missing: Vec::new(),
            partly: Vec::new(),
            landlock: None,
            list,
            visible: Vec::new(),
            sure_kill: false,
            out_of_memory: 0,
        })
    }

    fn serve(&mut self) -> io::Result<()> {
        let mut inner = match self.probe() {
            Ok(inner) => inner,
            Err(error) => {
                channel::send(&self.socket, Kind::Failed, error.to_string().as_bytes(), &[])?;
                return Err(error);
            }
        };
        let missing = self.missing.iter().chain(&self.partly).cloned().collect();
        let ready = Ready { layers: self.layers, missing, landlock: self.landlock };
        channel::send(&self.socket, Kind::Done, &ready.encode(), &[])?;
        self.out_of_memory = cgroup::out_of_memory(&self.setup.seat);
        inner.release()?;
        loop {
            let code = wait_for(inner.pid)?;
            reap::everything(self.sure_kill, None)?;
            match code {
                Some(GONE) => return Ok(()),
                Some(RECONFIGURE) => self.read_list()?,
                Some(RENEW) => self.out_of_memory = cgroup::out_of_memory(&self.setup.seat),
                _ if self.ran_out() => {
                    let answer = run::out_of_memory();
                    channel::send(&self.socket, Kind::Done, &answer.encode(), &[])?;
                }
                _ => return Err(io::Error::other("the inner runner process died")),
            }
            inner = match self.rebuild() {
                Ok(mut inner) => {
                    inner.release()?;
                    inner
                }
                Err(missing) => match self.refuse(&missing)? {
                    Some(inner) => inner,
                    None => return Ok(()),
                },
            };
        }
    }

    /// Whether the inner process may have been killed because its runs took all memory: in version
    /// 1 it lives in their group.
    fn ran_out(&mut self) -> bool {
        let before = self.out_of_memory;
        self.out_of_memory = cgroup::out_of_memory(&self.setup.seat);
        self.out_of_memory > before
    }

    /// Makes the inner process with every layer that works.
    fn probe(&mut self) -> io::Result<Inner> {
        loop {
            match self.build(self.layers) {
                Ok(inner) => return Ok(inner),
                Err(missing) if self.layers.has(missing.layer) => {
                    self.layers = self.layers.without(missing.layer);
                    self.missing.push(missing);
                }
                Err(missing) => return Err(io::Error::other(missing.reason)),
            }
        }
    }

    /// Answers runs with the reason why they cannot be, until other paths are to be visible.
    fn refuse(&mut self, missing: &Missing) -> io::Result<Option<Inner>> {
        while let Some(message) = channel::receive(&self.socket)? {
            if message.kind.is_aside() {
                continue;
            }
            if message.kind != Kind::Configure {
                channel::send(&self.socket, Kind::Failed, missing.reason.as_bytes(), &[])?;
                continue;
            }
            self.visible = decode_list(&message.bytes)?;
            if let Ok(mut inner) = self.rebuild() {
                inner.release()?;
                return Ok(Some(inner));
            }
        }
        Ok(None)
    }

    fn read_list(&mut self) -> io::Result<()> {
        let mut bytes = Vec::new();
        self.list.rewind()?;
        self.list.read_to_end(&mut bytes)?;
        self.visible = decode_list(&bytes)?;
        Ok(())
    }

    /// Makes another inner process. One may have been killed while it was made: only what fails
    /// twice is a reason to refuse runs.
    fn rebuild(&mut self) -> Result<Inner, Missing> {
        self.build(self.layers).or_else(|_| self.build(self.layers))
    }

    /// Makes an inner process with these layers, which waits to be released.
    fn build(&mut self, layers: Layers) -> Result<Inner, Missing> {
        let failed = |error: io::Error| Missing {
            layer: Layer::Namespaces,
            reason: format!("no process: {error}"),
        };
        let (ours, theirs) = UnixStream::pair().map_err(failed)?;
        let plan = inner::Plan {
            layers,
            setup: &self.setup,
            visible: &self.visible,
            socket: &self.socket,
            outer: &theirs,
            list: &self.list,
        };
        let pid = fork(&plan)?;
        if pid == 0 {
            drop(ours);
            sys::exit(inner::main(&plan).unwrap_or(BROKEN));
        }
        let mut inner = Inner { pid, channel: ours };
        drop(theirs);
        let built = inner.build(&self.setup, layers);
        if built.is_err() {
            sys::kill(pid);
            let _ = wait_for(pid);
        }
        let ready = built?;
        (self.partly, self.landlock) = (ready.missing, ready.landlock);
        Ok(inner)
    }
}

/// Makes the inner process, in its control group where there is one.
fn fork(plan: &inner::Plan<'_>) -> Result<i32, Missing> {
    let missing = |layer| move |reason| Missing { layer, reason };
    let namespaces = plan.namespaces();
    let seat = plan.layers.has(Layer::Cgroup).then_some(&plan.setup.seat);
    let group = seat.and_then(|seat| seat.into.as_ref()).map(|path| cgroup::open_folder(path));
    let group = group.transpose().map_err(|error| missing(Layer::Cgroup)(error.to_string()))?;
    match sys::fork(namespaces, group.as_ref()) {
        Ok(pid) => Ok(pid),
        Err(error) if group.is_some() => match sys::fork(namespaces, None) {
            // It works without the group, which therefore is to blame.
            Ok(0) => sys::exit(BROKEN),
            Ok(pid) => {
                let _ = wait_for(pid);
                let reason = format!("no process can be started in the group: {error}");
                Err(missing(Layer::Cgroup)(reason))
            }
            Err(error) => Err(missing(Layer::Namespaces)(namespaces::explain("", &error))),
        },
        Err(error) => Err(missing(Layer::Namespaces)(namespaces::explain("", &error))),
    }
}

fn decode_list(bytes: &[u8]) -> io::Result<Vec<PathBuf>> {
    Reader::new(bytes).list(|reader| Ok(reader.text()?.into()))
}

/// Waits for one process; its exit code, when it ended by itself.
fn wait_for(pid: i32) -> io::Result<Option<i32>> {
    let waited = sys::wait(Some(pid), Wait::Block)?;
    Ok(waited.filter(|waited| libc::WIFEXITED(waited.status)).map(|w| libc::WEXITSTATUS(w.status)))
}

/// The inner process, seen from the outer one.
struct Inner {
    pid: i32,
    /// A byte to begin, then its report, then a byte to serve.
    channel: UnixStream,
}

impl Inner {
    /// Lets it build its protection.
    fn build(&mut self, setup: &Setup, layers: Layers) -> Result<Ready, Missing> {
        let failed =
            |error: io::Error| Missing { layer: Layer::Namespaces, reason: error.to_string() };
        if layers.has(Layer::Namespaces) {
            namespaces::map_user(self.pid, setup.user).map_err(failed)?;
        }
        if layers.has(Layer::Cgroup) {
            cgroup::join(&setup.seat, self.pid)
                .map_err(|error| Missing { layer: Layer::Cgroup, reason: error.to_string() })?;
        }
        self.channel.write_all(&[1]).map_err(failed)?;
        match channel::receive(&self.channel) {
            Ok(Some(message)) if message.kind == Kind::Done => {
                Ready::decode(&message.bytes).map_err(failed)
            }
            Ok(Some(message)) => {
                let mut ready = Ready::decode(&message.bytes).map_err(failed)?;
                Err(ready.missing.pop().ok_or_else(|| failed(io::Error::other("no reason")))?)
            }
            Ok(None) => Err(failed(io::Error::other("the process died"))),
            Err(error) => Err(failed(error)),
        }
    }

    /// Lets it serve.
    fn release(&mut self) -> io::Result<()> {
        self.channel.write_all(&[1])
    }
}
