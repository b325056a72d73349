//! Levels of protection: what is wanted, what the machine gives, what is missing and why.

use std::fmt;

/// The level that is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Limits, clocks, caps and a clean environment: against honest mistakes only.
    None,
    /// And a list of forbidden system calls, threads only, no new privileges.
    Basic,
    /// And nothing outside visible: landlock, and user, process, mount, network and IPC namespaces.
    Strict,
    /// The strongest that the machine gives.
    Auto,
}

/// One part of the protection, found by trying it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Layer {
    /// Forbidden system calls.
    Seccomp,
    /// Rules for files, TCP ports and signals.
    Landlock,
    /// User, process, mount, network, IPC and host-name namespaces, with a root folder in memory.
    Namespaces,
    /// A control group for CPU time, and for memory and processes where it can.
    Cgroup,
}

impl Layer {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Seccomp, Self::Landlock, Self::Namespaces, Self::Cgroup];

    /// The name used in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Seccomp => "seccomp",
            Self::Landlock => "landlock",
            Self::Namespaces => "namespaces",
            Self::Cgroup => "cgroup",
        }
    }

    pub(super) fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A set of layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Layers(pub(super) u8);

impl Layers {
    /// Whether the layer is one of them.
    #[must_use]
    pub fn has(self, layer: Layer) -> bool {
        self.0 & layer.bit() != 0
    }

    /// Whether there is none.
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) fn with(self, layer: Layer) -> Self {
        Self(self.0 | layer.bit())
    }

    pub(super) fn without(self, layer: Layer) -> Self {
        Self(self.0 & !layer.bit())
    }

    /// The layers that a level consists of or, for the strongest that there is, tries.
    pub(super) fn of(level: Level) -> Self {
        let basic = Self::default().with(Layer::Seccomp);
        let strict = basic.with(Layer::Landlock).with(Layer::Namespaces);
        match level {
            Level::None => Self::default(),
            Level::Basic => basic,
            Level::Strict | Level::Auto => strict,
        }
    }
}

/// A layer that was tried and is not there, or a part of one that is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// The layer.
    pub layer: Layer,
    /// Why it is not there, in one line.
    pub reason: String,
}

/// What a control group can do here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CgroupKind {
    /// There is none.
    #[default]
    None,
    /// Version 2 without controllers: CPU time and sure kill.
    V2Bare,
    /// Version 2 with memory and process limits.
    V2,
    /// Version 1: memory, processes and CPU time.
    V1,
}

/// What was wanted and what there is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LevelReport {
    /// The level asked for.
    pub wanted: Level,
    /// The level that there is, never [`Level::Auto`].
    pub got: Level,
    /// The layers in force.
    pub layers: Layers,
    /// The layers that were tried in vain, and what layers in force lack.
    pub missing: Vec<Missing>,
    /// What the control group can do.
    pub cgroup: CgroupKind,
    /// The user that runs go under, when it is not the user of the judge.
    pub user: Option<u32>,
    /// The version of landlock, when its layer is in force.
    pub landlock: Option<u32>,
}

impl LevelReport {
    pub(super) fn new(wanted: Level, layers: Layers, missing: Vec<Missing>) -> Self {
        let strict = Layers::of(Level::Strict);
        let got = if layers.0 & strict.0 == strict.0 {
            Level::Strict
        } else if layers.has(Layer::Seccomp) {
            Level::Basic
        } else {
            Level::None
        };
        Self { wanted, got, layers, missing, cgroup: CgroupKind::None, user: None, landlock: None }
    }

    /// A short name for a column of a report, such as `strict+cg2` or `basic+landlock`.
    #[must_use]
    pub fn short(&self) -> String {
        let level = match self.got {
            Level::Strict => "strict",
            Level::Basic => "basic",
            Level::None | Level::Auto => "none",
        };
        let mut text = level.to_owned();
        if self.got != Level::Strict {
            for (layer, name) in [(Layer::Landlock, "+landlock"), (Layer::Namespaces, "+ns")] {
                text += if self.layers.has(layer) { name } else { "" };
            }
        }
        text + match self.cgroup {
            CgroupKind::None => "",
            CgroupKind::V2Bare | CgroupKind::V2 => "+cg2",
            CgroupKind::V1 => "+cg1",
        }
    }
}

impl fmt::Display for LevelReport {
    /// One line: `strict (seccomp, landlock, namespaces)`, or
    /// `basic (seccomp; missing: landlock: not in this kernel)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let have: Vec<&str> =
            Layer::ALL.iter().filter(|&&layer| self.layers.has(layer)).map(|l| l.name()).collect();
        let have = if have.is_empty() { "limits only".to_owned() } else { have.join(", ") };
        write!(f, "{} ({have}", self.short())?;
        for (index, missing) in self.missing.iter().enumerate() {
            let before = if index == 0 { "; missing: " } else { ", " };
            write!(f, "{before}{}: {}", missing.layer.name(), missing.reason)?;
        }
        f.write_str(")")
    }
}
