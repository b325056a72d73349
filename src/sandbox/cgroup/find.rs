//! Where control groups are: the mounted hierarchies and this process's own place in them.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// The folders that stand for this process's own groups.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Own {
    /// Version 2.
    pub(super) unified: Option<Place>,
    /// Version 1, controller by controller, those of [`CONTROLLERS`] that are mounted.
    pub(super) split: Vec<(&'static str, Place)>,
}

/// The controllers of version 1 that are of use.
pub(super) const CONTROLLERS: [&str; 3] = ["memory", "pids", "cpuacct"];

/// A group, as a folder below the place where its hierarchy is mounted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) mount: PathBuf,
    pub(super) folder: PathBuf,
}

impl Place {
    /// This group and those above it, up to the top of what is mounted.
    pub(super) fn upwards(&self) -> impl Iterator<Item = &Path> {
        self.folder.ancestors().take_while(|folder| folder.starts_with(&self.mount))
    }
}

impl Own {
    /// Asks the system.
    pub(super) fn here() -> Self {
        let read = |path| fs::read_to_string(path).unwrap_or_default();
        Self::parse(&read("/proc/self/cgroup"), &read("/proc/self/mountinfo"))
    }

    fn parse(groups: &str, mounts: &str) -> Self {
        let mounts: Vec<Mount<'_>> = mounts.lines().filter_map(Mount::parse).collect();
        let mut own = Self::default();
        for line in groups.lines() {
            let mut fields = line.splitn(3, ':');
            let (Some(_), Some(names), Some(path)) = (fields.next(), fields.next(), fields.next())
            else {
                continue;
            };
            if names.is_empty() {
                own.unified = mounts.iter().find_map(|mount| mount.place(None, path));
                continue;
            }
            for name in CONTROLLERS {
                if names.split(',').any(|other| other == name) {
                    let place = mounts.iter().find_map(|mount| mount.place(Some(name), path));
                    own.split.extend(place.map(|place| (name, place)));
                }
            }
        }
        own
    }
}

/// One line of the list of mounts.
struct Mount<'a> {
    /// The folder of the hierarchy that is mounted.
    root: &'a str,
    point: &'a str,
    kind: &'a str,
    options: &'a str,
}

impl<'a> Mount<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let (before, after) = line.split_once(" - ")?;
        let mut before = before.split(' ').skip(3);
        let mut after = after.split(' ');
        Some(Self {
            root: before.next()?,
            point: before.next()?,
            kind: after.next()?,
            options: after.nth(1)?,
        })
    }

    /// The folder of a group, when it is in this mount: of version 2 without a controller.
    fn place(&self, controller: Option<&str>, path: &str) -> Option<Place> {
        let right = match controller {
            None => self.kind == "cgroup2",
            Some(name) => {
                self.kind == "cgroup" && self.options.split(',').any(|option| option == name)
            }
        };
        let below = Path::new(path).strip_prefix(self.root).ok()?;
        let inside = below.components().all(|part| matches!(part, Component::Normal(_)));
        let mount = PathBuf::from(self.point);
        (right && inside).then(|| Place { folder: mount.join(below), mount })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_groups_are_found_below_their_mounts() {
        let mounts = "\
25 20 0:22 / /sys rw - sysfs sysfs rw
30 25 0:26 / /sys/fs/cgroup/unified rw,relatime shared:4 - cgroup2 cgroup2 rw
31 25 0:27 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
32 25 0:28 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
";
        let groups = "4:memory:/docker/abc/job\n3:cpu,cpuacct:/\n2:pids:/x\n0::/user.slice/a\n";
        let own = Own::parse(groups, mounts);
        let unified = own.unified.unwrap();
        assert_eq!(unified.folder, Path::new("/sys/fs/cgroup/unified/user.slice/a"));
        let upwards: Vec<_> = unified.upwards().collect();
        assert_eq!(upwards.len(), 3);
        assert_eq!(upwards[2], Path::new("/sys/fs/cgroup/unified"));
        let split: Vec<_> = own.split.iter().map(|(name, place)| (*name, &*place.folder)).collect();
        let memory = Path::new("/sys/fs/cgroup/memory/job");
        let time = Path::new("/sys/fs/cgroup/cpu,cpuacct");
        assert_eq!(split, [("memory", memory), ("cpuacct", time)]);
    }

    #[test]
    fn a_group_outside_of_what_is_mounted_is_not_found() {
        let mounts = "30 25 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
        assert_eq!(Own::parse("0::/../other\n", mounts), Own::default());
        assert_eq!(Own::parse("0::/a\n", ""), Own::default());
        assert_eq!(Own::parse("nonsense\n", mounts), Own::default());
    }
}
