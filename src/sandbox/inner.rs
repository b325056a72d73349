//! The inner runner process: puts itself inside the protection, gives up what it no longer needs,
//! then serves runs.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use rustix::process::{
    DumpableBehavior, Signal, set_dumpable_behavior, set_parent_process_death_signal,
};

use super::account::Account;
use super::cgroup::Part;
use super::channel::{self, Kind, Message};
use super::filter;
use super::level::{Layer, Layers, Missing};
use super::namespaces;
use super::protocol::{Ready, Request, Setup};
use super::reap;
use super::rules;
use super::run::{self, Cell};
use super::runner::{GONE, RECONFIGURE, RENEW};
use super::sys::{self, Identity};
use super::work::Work;

/// What the inner process is made from.
pub(super) struct Plan<'a> {
    pub(super) layers: Layers,
    pub(super) setup: &'a Setup,
    pub(super) visible: &'a [PathBuf],
    /// To the judge.
    pub(super) socket: &'a UnixStream,
    /// To the outer process.
    pub(super) outer: &'a UnixStream,
    /// Where a new list of visible paths is handed over.
    pub(super) list: &'a File,
}

impl Plan<'_> {
    /// The namespaces that the process is born into.
    pub(super) fn namespaces(&self) -> i32 {
        if self.layers.has(Layer::Namespaces) { namespaces::ALL } else { 0 }
    }
}

/// The whole life of the inner process; its exit code.
pub(super) fn main(plan: &Plan<'_>) -> io::Result<i32> {
    let mut outer = plan.outer;
    outer.read_exact(&mut [0])?;
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let account = Account::open();
    let (mut cell, ready) = match protect(plan, account) {
        Ok(built) => built,
        Err(missing) => {
            let ready = Ready { missing: vec![missing], ..Ready::default() };
            channel::send(outer, Kind::Failed, &ready.encode(), &[])?;
            return Ok(GONE);
        }
    };
    channel::send(outer, Kind::Done, &ready.encode(), &[])?;
    outer.read_exact(&mut [0])?;
    serve(plan, &mut cell)
}

/// Puts this process inside the layers, one after the other; with what is missing of them.
fn protect(plan: &Plan<'_>, account: Option<Account>) -> Result<(Cell, Ready), Missing> {
    let missing = |layer| move |error: io::Error| Missing { layer, reason: error.to_string() };
    let own_root = plan.layers.has(Layer::Namespaces);
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
    let mut user = plan.setup.user;
    if own_root {
        let (folder, bytes) = (&plan.setup.folder, plan.setup.box_bytes);
        namespaces::enter(folder, plan.visible, user, bytes).map_err(|(step, error)| Missing {
            layer: Layer::Namespaces,
            reason: namespaces::explain(step, &error),
        })?;
        user = None;
    }
    let work = if own_root {
        Work::mounted(Path::new(namespaces::HOME))
    } else {
        Work::on_disk(&plan.setup.folder, user)
    };
    let work = work.map_err(missing(Layer::Namespaces))?;
    let landlock = restrict(plan, own_root, &work.path)?;
    let cell = Cell {
        work,
        account,
        identity: user.map(|user| Identity { user, group: user }),
        sure_kill: sure_kill(plan.layers),
        own_count: plan.setup.user.is_some() || own_root,
        cores,
        filters: [false, true].map(|threads_only| {
            let runner = std::process::id();
            filter::Late { layers: plan.layers, threads_only, runner }.program()
        }),
    };
    let missing = partly(plan, landlock);
    Ok((cell, Ready { missing, landlock, ..Ready::default() }))
}

/// What is missing of the layers that are there.
fn partly(plan: &Plan<'_>, landlock: Option<u32>) -> Vec<Missing> {
    let old = landlock.and_then(rules::lacks);
    let old = old.map(|reason| Missing { layer: Layer::Landlock, reason });
    // Processes are looked at by their files.
    let blind = plan.layers.has(Layer::Namespaces) && !Path::new("/proc/self/stat").exists();
    let reason =
        || "no /proc inside: a tree of processes is not looked at while it runs".to_owned();
    let blind = blind.then(|| Missing { layer: Layer::Namespaces, reason: reason() });
    old.into_iter().chain(blind).collect()
}

/// Gives up rights, for this process and for all runs; the version of landlock in force.
fn restrict(plan: &Plan<'_>, own_root: bool, folder: &Path) -> Result<Option<u32>, Missing> {
    let missing = |layer| move |error: io::Error| Missing { layer, reason: error.to_string() };
    let fail = |layer| move |error: rustix::io::Errno| missing(layer)(error.into());
    let own = rustix::process::getpid();
    rustix::process::set_child_subreaper(Some(own)).map_err(fail(Layer::Seccomp))?;
    // Root of a container without other users keeps its number, and loses its rights.
    let protected = !plan.layers.without(Layer::Cgroup).is_empty();
    if own_root || plan.setup.user.is_none() && protected {
        namespaces::drop_rights().map_err(missing(Layer::Namespaces))?;
    }
    if own_root {
        set_parent_process_death_signal(Some(Signal::KILL)).map_err(fail(Layer::Namespaces))?;
    }
    if plan.layers.has(Layer::Seccomp) || plan.layers.has(Layer::Landlock) {
        rustix::thread::set_no_new_privs(true).map_err(fail(Layer::Seccomp))?;
    }
    let mut landlock = None;
    if plan.layers.has(Layer::Landlock) {
        let version = rules::enter(own_root, plan.visible, folder);
        landlock = Some(version.map_err(missing(Layer::Landlock))?);
    }
    if plan.layers.has(Layer::Seccomp) {
        let counted = plan.layers.has(Layer::Cgroup) && plan.setup.seat.memory;
        filter::install_common(counted).map_err(missing(Layer::Seccomp))?;
    }
    set_dumpable_behavior(DumpableBehavior::NotDumpable).map_err(fail(Layer::Seccomp))?;
    Ok(landlock)
}

/// Whether a signal to everybody reaches only what this process has started: it is the first
/// process of its namespace, or its rules keep signals away from its own parent. A wrong yes would
/// end everything of the user, so each doubt is a no.
fn sure_kill(layers: Layers) -> bool {
    match rustix::process::getppid() {
        None => layers.has(Layer::Namespaces) && rustix::process::getpid().is_init(),
        Some(parent) => {
            layers.has(Layer::Landlock)
                && !parent.is_init()
                && !sys::may_signal(parent.as_raw_pid())
                && rustix::process::getppid() == Some(parent)
        }
    }
}

/// Serves until the judge is gone or the process is to be made anew; the exit code.
fn serve(plan: &Plan<'_>, cell: &mut Cell) -> io::Result<i32> {
    loop {
        let Some(message) = channel::receive(plan.socket)? else { return Ok(GONE) };
        match message.kind {
            Kind::Configure => {
                hand_over(plan, &message.bytes)?;
                return Ok(RECONFIGURE);
            }
            kind if kind.is_aside() => continue,
            _ if serve_run(plan.socket, cell, message)? == Next::Renew => return Ok(RENEW),
            _ => {}
        }
        if reap::everything(cell.sure_kill, None).is_err() || cell.work.clear().is_err() {
            return Ok(RENEW);
        }
    }
}

fn hand_over(plan: &Plan<'_>, bytes: &[u8]) -> io::Result<()> {
    let mut list = plan.list;
    list.rewind()?;
    list.set_len(0)?;
    list.write_all(bytes)
}

/// What is to follow a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Serve,
    /// The outer process has to count anew how often memory ran out.
    Renew,
}

fn serve_run(socket: &UnixStream, cell: &mut Cell, message: Message) -> io::Result<Next> {
    let request = Request::decode(&message.bytes)?;
    match run::run(cell, &request, message.descriptors, socket) {
        Ok((answer, files)) => {
            let files: Vec<_> = files.iter().map(AsFd::as_fd).collect();
            channel::send(socket, Kind::Done, &answer.encode(), &files)?;
            let inside = request.group.contains(&Part::OldPeak);
            let over = answer.memory_peak >= request.limits.memory;
            Ok(if inside && over { Next::Renew } else { Next::Serve })
        }
        Err(error) => {
            channel::send(socket, Kind::Failed, error.to_string().as_bytes(), &[])?;
            Ok(Next::Serve)
        }
    }
}
