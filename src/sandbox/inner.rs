//! The inner runner process: puts itself inside the protection, gives up what it no longer needs,
//! then serves runs.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use rustix::process::{Signal, set_parent_process_death_signal};

use super::channel::{self, Kind, Message};
use super::filter;
use super::level::{Layer, Layers, Missing};
use super::protocol::{Ready, Request, Setup};
use super::reap;
use super::run::{self, Cell};
use super::runner::{GONE, RECONFIGURE, RENEW};
use super::sys::Identity;
use super::work::{Shared, Work};

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
        0
    }

    /// Why there is no process.
    pub(super) fn no_process(&self, error: &io::Error) -> Missing {
        Missing { layer: Layer::Namespaces, reason: error.to_string() }
    }
}

/// Writes the maps of users and groups of a new user namespace, from outside.
pub(super) fn map_user(_pid: i32, _user: Option<u32>) -> io::Result<()> {
    Ok(())
}

/// The whole life of the inner process; its exit code.
pub(super) fn main(plan: &Plan<'_>) -> io::Result<i32> {
    let mut outer = plan.outer;
    outer.read_exact(&mut [0])?;
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let mut cell = match protect(plan) {
        Ok(cell) => cell,
        Err(missing) => {
            let ready = Ready { missing: vec![missing], ..Ready::default() };
            channel::send(outer, Kind::Failed, &ready.encode(), &[])?;
            return Ok(GONE);
        }
    };
    channel::send(outer, Kind::Done, &[], &[])?;
    outer.read_exact(&mut [0])?;
    serve(plan, &mut cell)
}

/// Puts this process inside the layers, one after the other.
fn protect(plan: &Plan<'_>) -> Result<Cell, Missing> {
    let missing = |layer| move |error: io::Error| Missing { layer, reason: error.to_string() };
    let work = Work::new(&plan.setup.folder, plan.setup.user, Shared::No);
    let work = work.map_err(missing(Layer::Namespaces))?;
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))
        .map_err(|error| missing(Layer::Seccomp)(error.into()))?;
    if plan.layers.has(Layer::Seccomp) {
        rustix::thread::set_no_new_privs(true)
            .map_err(|error| missing(Layer::Seccomp)(error.into()))?;
        filter::install_common(plan.layers).map_err(missing(Layer::Seccomp))?;
    }
    Ok(Cell {
        work,
        layers: plan.layers,
        identity: plan.setup.user.map(|user| Identity { user, group: user }),
        sure_kill: false,
        own_count: plan.setup.user.is_some(),
    })
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
            _ => serve_run(plan.socket, cell, message)?,
        }
        if reap::everything(cell.sure_kill).is_err() || cell.work.clear().is_err() {
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

fn serve_run(socket: &UnixStream, cell: &mut Cell, message: Message) -> io::Result<()> {
    let request = Request::decode(&message.bytes)?;
    match run::run(cell, &request, message.descriptors, socket) {
        Ok((answer, files)) => {
            let files: Vec<_> = files.iter().map(AsFd::as_fd).collect();
            channel::send(socket, Kind::Done, &answer.encode(), &files)
        }
        Err(error) => channel::send(socket, Kind::Failed, error.to_string().as_bytes(), &[]),
    }
}
