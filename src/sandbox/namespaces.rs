//! A root folder in memory that holds only what a run may see, inside namespaces of its own.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{DirBuilderExt, symlink};
use std::path::{Path, PathBuf};

use rustix::fs::CWD;
use rustix::mount::{
    MountFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags, UnmountFlags, mount,
    mount_change, move_mount, open_tree, unmount,
};
use rustix::process::{Gid, Uid};
use rustix::thread::{
    CapabilitySet, CapabilitySets, set_capabilities, set_thread_groups, set_thread_res_gid,
    set_thread_res_uid,
};

use super::sys::{self, Attributes};
use super::work::FOLDERS;

/// The folder that holds the folders of a run.
pub(super) const HOME: &str = "/jury";
/// Folders and files of the system that every run sees.
pub(super) const SYSTEM: [&str; 11] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/localtime",
];
pub(super) const DEVICES: [&str; 5] = ["null", "zero", "full", "random", "urandom"];
const INODES: u32 = 65_536;

/// The namespaces that the inner process is born into.
pub(super) const ALL: i32 = libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWUTS;

/// Writes the maps of a new user namespace, from outside: one user and one group, the same
/// number inside and outside.
pub(super) fn map_user(pid: i32, user: Option<u32>) -> io::Result<()> {
    let (user, group) = if let Some(user) = user {
        (user, user)
    } else {
        fs::write(format!("/proc/{pid}/setgroups"), "deny")?;
        (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw())
    };
    fs::write(format!("/proc/{pid}/uid_map"), format!("{user} {user} 1"))?;
    fs::write(format!("/proc/{pid}/gid_map"), format!("{group} {group} 1"))
}

/// Something outside that is to be seen inside.
struct Seen {
    path: PathBuf,
    /// A copy of the mount, without a place yet; none for a link.
    tree: Option<OwnedFd>,
    folder: bool,
}

/// Builds the root folder and moves into it. `place` is an empty folder outside, `user` the user
/// to become.
pub(super) fn enter(
    place: &Path,
    visible: &[PathBuf],
    user: Option<u32>,
    box_bytes: u64,
) -> Result<(), (&'static str, io::Error)> {
    let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change("/", private).map_err(step("private mounts"))?;
    let seen = open_all(visible)?;
    let devices = DEVICES.map(|name| Path::new("/dev").join(name));
    let devices = devices.iter().filter(|path| path.exists()).map(|path| look(path));
    let devices = devices.collect::<io::Result<Vec<_>>>().map_err(step_io("devices"))?;
    let owner = owner(user);
    let options = format!("mode=755,size=1m,{owner}\0");
    mount_memory(place, &options).map_err(step_io("a root folder in memory"))?;
    std::env::set_current_dir(place).map_err(step_io("the root folder"))?;
    become_user(user).map_err(step_io("the change of user"))?;
    furnish(&seen, &devices, visible, box_bytes, &owner).map_err(step_io("the root folder"))?;
    rustix::process::pivot_root(".", ".").map_err(step("pivot_root"))?;
    unmount(".", UnmountFlags::DETACH).map_err(step("the old root folder"))?;
    std::env::set_current_dir("/").map_err(step_io("the root folder"))?;
    sys::mount_attributes("/", Attributes::ReadOnly).map_err(step_io("a read-only root"))?;
    let _ = rustix::system::sethostname(b"jury");
    Ok(())
}

fn step(name: &'static str) -> impl Fn(rustix::io::Errno) -> (&'static str, io::Error) {
    move |error| (name, error.into())
}

fn step_io(name: &'static str) -> impl Fn(io::Error) -> (&'static str, io::Error) {
    move |error| (name, error)
}

fn owner(user: Option<u32>) -> String {
    let user = user.unwrap_or_else(|| rustix::process::geteuid().as_raw());
    let group = if rustix::process::geteuid().as_raw() == user {
        rustix::process::getegid().as_raw()
    } else {
        user
    };
    format!("uid={user},gid={group}")
}

fn mount_memory(place: &Path, options: &str) -> io::Result<()> {
    let options = std::ffi::CStr::from_bytes_with_nul(options.as_bytes());
    let options = options.map_err(io::Error::other)?;
    Ok(mount("jury", place, "tmpfs", MountFlags::NOSUID | MountFlags::NODEV, options)?)
}

/// Takes hold of everything that is to be seen, while the old root folder is still there.
fn open_all(visible: &[PathBuf]) -> Result<Vec<Seen>, (&'static str, io::Error)> {
    let mut seen = Vec::new();
    for path in SYSTEM.iter().map(PathBuf::from) {
        if fs::symlink_metadata(&path).is_ok() {
            seen.push(look(&path).map_err(step_io("a folder of the system"))?);
        }
    }
    for path in outermost(visible) {
        let what = |error: io::Error| {
            let text = format!("{}: {error}", path.display());
            ("a visible path", io::Error::new(error.kind(), text))
        };
        seen.push(look(path).map_err(what)?);
    }
    Ok(seen)
}

/// The visible paths that are not inside another one or inside a folder of the system.
fn outermost(visible: &[PathBuf]) -> impl Iterator<Item = &PathBuf> {
    visible.iter().enumerate().filter_map(|(index, path)| {
        let inside = |other: &Path| path.starts_with(other);
        let of_system = SYSTEM.iter().any(|system| inside(Path::new(system)));
        let again = visible[..index].contains(path);
        let of_other = visible.iter().any(|other| other != path && inside(other));
        (!of_system && !again && !of_other).then_some(path)
    })
}

fn look(path: &Path) -> io::Result<Seen> {
    let link =
        fs::symlink_metadata(path)?.is_symlink() && SYSTEM.iter().any(|s| Path::new(s) == path);
    if link {
        return Ok(Seen { path: path.to_owned(), tree: None, folder: false });
    }
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE;
    let tree = open_tree(CWD, path, flags)?;
    Ok(Seen { path: path.to_owned(), tree: Some(tree), folder: fs::metadata(path)?.is_dir() })
}

/// Gives up every group and becomes the user, keeping the rights inside the namespace.
fn become_user(user: Option<u32>) -> io::Result<()> {
    let Some(user) = user else { return Ok(()) };
    set_thread_groups(&[])?;
    let (group, user) = (Gid::from_raw(user), Uid::from_raw(user));
    set_thread_res_gid(group, group, group)?;
    set_thread_res_uid(user, user, user)?;
    Ok(())
}

/// Fills the root folder, which is the current one.
fn furnish(
    seen: &[Seen],
    devices: &[Seen],
    visible: &[PathBuf],
    box_bytes: u64,
    owner: &str,
) -> io::Result<()> {
    for folder in ["proc", "dev", "etc", "jury"] {
        DirBuilder::new().mode(0o755).create(folder)?;
    }
    for one in seen {
        place(one, Attributes::ReadOnlyNoDevices)?;
    }
    for one in devices {
        place(one, Attributes::NoExecute)?;
    }
    for (name, number) in [("stdin", "0"), ("stdout", "1"), ("stderr", "2"), ("fd", "")] {
        symlink(format!("/proc/self/fd/{number}"), format!("dev/{name}"))?;
    }
    // A folder for temporary files at its usual name, unless something there is to be seen.
    for (name, to) in [("tmp", "tmp"), ("dev/shm", "shm")] {
        let full = Path::new("/").join(name);
        if !visible.iter().any(|path| path.starts_with(&full)) {
            symlink(format!("{HOME}/{to}"), name)?;
        }
    }
    let user = rustix::process::geteuid().as_raw();
    let mut passwd = File::create("etc/passwd")?;
    writeln!(passwd, "run:x:{user}:{user}::{HOME}/box:/bin/sh")?;
    // One mount each, so that the folder around them cannot be written to.
    for (name, mode) in FOLDERS {
        let place = Path::new("jury").join(name);
        DirBuilder::new().mode(0o755).create(&place)?;
        let options = format!("mode={mode:o},size={box_bytes},nr_inodes={INODES},{owner}\0");
        mount_memory(&place, &options)?;
    }
    // Without it runs go on; it is refused in containers that hide parts of theirs.
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC | MountFlags::RDONLY;
    let _ = mount("proc", "proc", "proc", flags, None);
    Ok(())
}

/// Puts something at its own path inside the current folder.
fn place(seen: &Seen, attributes: Attributes) -> io::Result<()> {
    let inside = seen.path.strip_prefix("/").map_err(io::Error::other)?;
    if let Some(parent) = inside.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        DirBuilder::new().recursive(true).mode(0o755).create(parent)?;
    }
    let Some(tree) = &seen.tree else { return symlink(fs::read_link(&seen.path)?, inside) };
    if seen.folder {
        DirBuilder::new().recursive(true).mode(0o755).create(inside)?;
    } else {
        File::create(inside)?;
    }
    sys::tree_attributes(tree, attributes)?;
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH;
    Ok(move_mount(tree.as_fd(), "", CWD, inside, flags)?)
}

/// Gives up every capability, for good.
pub(super) fn drop_rights() -> io::Result<()> {
    sys::empty_bounding_set();
    let none = CapabilitySet::empty();
    set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })?;
    Ok(())
}

/// Why there are no namespaces, as well as it can be told.
pub(super) fn explain(step: &str, error: &io::Error) -> String {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default().trim().to_owned();
    let base = if step.is_empty() { error.to_string() } else { format!("{step}: {error}") };
    if read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1" {
        format!("{base} (AppArmor restricts user namespaces)")
    } else if read("/proc/sys/user/max_user_namespaces") == "0" {
        format!("{base} (user.max_user_namespaces is 0)")
    } else if read("/proc/sys/kernel/unprivileged_userns_clone") == "0" {
        format!("{base} (kernel.unprivileged_userns_clone is 0)")
    } else {
        base
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_inside_others_are_not_mounted_again() {
        let visible: Vec<PathBuf> =
            ["/a/b", "/a", "/a", "/usr/lib/x", "/ab", "/a/b/c"].map(PathBuf::from).to_vec();
        let outermost: Vec<&PathBuf> = outermost(&visible).collect();
        assert_eq!(outermost, [Path::new("/a"), Path::new("/ab")]);
    }
}
