//! Opens a sandbox: one runner after the other, with the layers that the first one has.

use std::io;

use super::cgroup::{CgroupChoice, Group, Groups};
use super::error::SandboxError;
use super::handle::Handle;
use super::level::{CgroupKind, Layer, Layers, Level, LevelReport, Missing};
use super::protocol::{Ready, Setup};
use super::ran::Ended;
use super::scratch::Scratch;
use super::spec::Spec;
use super::{Options, refusal, user_of};

/// A sandbox whose runners are being started.
pub(super) struct Opening<'a> {
    pub(super) wanted: Level,
    pub(super) options: &'a Options,
    pub(super) scratch: Scratch,
    pub(super) groups: Option<Groups>,
    /// Why there are no control groups, or no better ones.
    pub(super) reason: Option<String>,
    pub(super) report: Option<LevelReport>,
}

impl Opening<'_> {
    /// Starts the runner of a worker. The first one finds the layers.
    pub(super) fn runner(&mut self, worker: usize) -> Result<Handle, SandboxError> {
        let mut folder = self.scratch.worker(worker).map_err(SandboxError::Scratch)?;
        loop {
            let (mut handle, ready) = self.start(worker, &folder)?;
            let first = self.report.is_none();
            let lost = self.groups.is_some() && !ready.layers.has(Layer::Cgroup);
            let fault = lost.then(|| reason_of(&ready));
            let fault = fault
                .or_else(|| (first && self.groups.is_some()).then(|| trial(&mut handle)).flatten());
            if let Some(fault) = fault.filter(|_| first) {
                // A runner that ends takes its folder with it, and that around it when it is empty.
                folder = self.scratch.worker(usize::MAX).map_err(SandboxError::Scratch)?;
                drop(handle);
                self.groups = None;
                self.reason = Some(fault);
                continue;
            }
            let user = self.user(worker);
            if first {
                self.report = Some(self.describe(&ready, user)?);
            }
            let Some(report) = &self.report else { return Err(SandboxError::Stopped) };
            return match refusal(self.wanted, report, &ready) {
                Some(refusal) => Err(refusal),
                None => Ok(handle),
            };
        }
    }

    fn user(&self, worker: usize) -> Option<u32> {
        let root = rustix::process::geteuid().is_root();
        root.then(|| user_of(self.options.first_user, worker)).flatten()
    }

    fn start(
        &mut self,
        worker: usize,
        folder: &std::path::Path,
    ) -> Result<(Handle, Ready), SandboxError> {
        let user = self.user(worker);
        let layers = self.report.as_ref().map_or(Layers::of(self.wanted), |report| report.layers);
        let group = match self.group(worker, user, layers) {
            Ok(group) => group,
            Err(error) if self.report.is_none() => {
                self.groups = None;
                self.reason = Some(format!("no group for a worker: {error}"));
                None
            }
            Err(error) => return Err(SandboxError::Start(error)),
        };
        let seat = group.as_ref().map(|group| group.seat.clone());
        let layers =
            if seat.is_some() { layers.with(Layer::Cgroup) } else { layers.without(Layer::Cgroup) };
        let setup = Setup {
            layers,
            folder: folder.to_owned(),
            user,
            box_bytes: self.options.box_bytes,
            seat: seat.unwrap_or_default(),
        };
        Handle::start(self.options.runner.clone(), setup, group)
    }

    fn group(&self, worker: usize, user: Option<u32>, layers: Layers) -> io::Result<Option<Group>> {
        // With its own root folder a run is started by its user, else by root.
        let user = user.filter(|_| layers.has(Layer::Namespaces));
        let group = |groups: &Groups| groups.worker(worker, user, self.options.box_bytes);
        self.groups.as_ref().map(group).transpose()
    }

    /// What there is, in words. Control groups that were asked for by name must be there.
    fn describe(&self, ready: &Ready, user: Option<u32>) -> Result<LevelReport, SandboxError> {
        let mut report = LevelReport::new(self.wanted, ready.layers, ready.missing.clone());
        report.cgroup = self.groups.as_ref().map_or(CgroupKind::None, Groups::kind);
        report.user = user;
        report.landlock = ready.landlock;
        let reason = self.reason.clone().unwrap_or_default();
        if let (CgroupChoice::In(_), None) = (&self.options.cgroup, &self.groups) {
            return Err(SandboxError::Cgroup(reason));
        }
        if self.reason.is_some() {
            report.missing.push(Missing {
                layer: Layer::Cgroup,
                reason: consequence(report.cgroup, &reason),
            });
        }
        Ok(report)
    }
}

/// What it means that there is no better control group.
fn consequence(kind: CgroupKind, reason: &str) -> String {
    match kind {
        CgroupKind::None => {
            format!("{reason}; a tree of processes is watched by looking at it every 10 ms")
        }
        _ => format!("time and end of a run only: {reason}; memory is looked at every 10 ms"),
    }
}

fn reason_of(ready: &Ready) -> String {
    let missing = ready.missing.iter().find(|missing| missing.layer == Layer::Cgroup);
    missing.map_or_else(|| "not there".to_owned(), |missing| missing.reason.clone())
}

/// Starts a program that is not there, in its group; why that does not come as far as to miss it.
fn trial(handle: &mut Handle) -> Option<String> {
    match handle.run(&Spec::new(["/there/is/no/such/program"])) {
        Ok(ran) if ran.ended == Ended::NotStarted(libc::ENOENT) => None,
        Ok(ran) => match ran.ended {
            Ended::NotStarted(number) => {
                let error = io::Error::from_raw_os_error(number);
                Some(format!("no run can be started in its group: {error}"))
            }
            other => Some(format!("a trial in the group gave {other:?}")),
        },
        Err(error) => Some(error.to_string()),
    }
}
