//! The system calls that no safe library offers: starting a program without copying the runner,
//! waiting with the resources used, filters, process clocks, namespaces. The only unsafe code of
//! the sandbox; everything here is called by the single-threaded runner.

use std::ffi::CStr;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::ptr;
use std::time::Duration;

use libc::{c_char, c_int, c_void};

pub(super) use clone::fork;
use clone::{clone_child, clone_child_into};

mod clone;

/// One instruction of a filter: operation, jump if true, jump if false, operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub(super) struct Instruction {
    pub(super) code: u16,
    pub(super) if_true: u8,
    pub(super) if_false: u8,
    pub(super) operand: u32,
}

/// A user and group of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Identity {
    pub(super) user: u32,
    pub(super) group: u32,
}

/// Everything that the child needs, made before it starts: it only does system calls.
pub(super) struct Launch<'a> {
    pub(super) program: &'a CStr,
    /// Pointers into strings that outlive the call, then a null pointer.
    pub(super) arguments: &'a [*const c_char],
    /// The same for the environment.
    pub(super) environment: &'a [*const c_char],
    pub(super) stdin: RawFd,
    pub(super) stdout: RawFd,
    pub(super) stderr: RawFd,
    pub(super) directory: RawFd,
    /// Resource, soft limit, hard limit.
    pub(super) limits: &'a [(c_int, u64, u64)],
    pub(super) identity: Option<Identity>,
    /// The folder of the control group to be born into.
    pub(super) group: Option<RawFd>,
    pub(super) core: Option<usize>,
    /// A last filter; the operands at `own_pid` are replaced by the process number of the child.
    pub(super) filter: &'a mut [Instruction],
    pub(super) own_pid: &'a [usize],
}

/// A child that runs the program.
#[derive(Debug)]
pub(super) struct Child {
    pub(super) pid: i32,
    pub(super) handle: OwnedFd,
}

/// How far a child came that does not run the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// It could not be set up: the judge's own part.
    SetUp,
    /// All was set up, and the system refused the program.
    Program,
}

/// Why there is no child that runs the program.
#[derive(Debug)]
pub(super) struct NoChild {
    pub(super) step: Step,
    pub(super) error: io::Error,
}

impl From<io::Error> for NoChild {
    fn from(error: io::Error) -> Self {
        Self { step: Step::SetUp, error }
    }
}

/// The child's side of [`spawn`]: what it is to do, and where it failed.
struct Shared<'a, 'b> {
    launch: &'a mut Launch<'b>,
    parent: i32,
    step: Step,
    error: c_int,
}

const STACK: usize = 16 << 10;

/// Starts a program. The caller stands still until the program has started or failed; the error
/// is that of the step that failed.
pub(super) fn spawn(launch: &mut Launch<'_>) -> Result<Child, NoChild> {
    let mut stack = vec![0_u128; STACK / 16];
    let parent = std::process::id() as i32;
    let mut shared = Shared { launch, parent, step: Step::SetUp, error: 0 };
    let mut handle: c_int = -1;
    let group = shared.launch.group;
    let argument = ptr::from_mut(&mut shared).cast::<c_void>();
    let pid = match group {
        None => clone_child(&mut stack, argument, &mut handle)?,
        Some(group) => clone_child_into(&mut stack, argument, &mut handle, group)?,
    };
    // SAFETY: the kernel has just made this descriptor for us.
    let handle = unsafe { OwnedFd::from_raw_fd(handle) };
    if shared.error != 0 {
        let error = io::Error::from_raw_os_error(shared.error);
        wait(Some(pid), Wait::Block)?;
        return Err(NoChild { step: shared.step, error });
    }
    Ok(Child { pid, handle })
}

/// Runs in the child, in the memory of the runner: no allocation, no locks, no panics.
extern "C" fn child(argument: *mut c_void) -> c_int {
    // SAFETY: the argument is the `Shared` of `spawn`, which waits while this runs.
    let shared = unsafe { &mut *argument.cast::<Shared<'_, '_>>() };
    shared.error = become_program(shared.launch, shared.parent, &mut shared.step);
    // SAFETY: ends only the child, without running exit handlers.
    unsafe { libc::_exit(127) }
}

/// The last error number.
fn errno() -> c_int {
    // SAFETY: the location of errno is always valid.
    unsafe { *libc::__errno_location() }
}

macro_rules! step {
    ($call:expr) => {
        if $call < 0 {
            return errno();
        }
    };
}

/// Sets up the child and replaces it by the program; comes back only with an error number.
fn become_program(launch: &mut Launch<'_>, parent: c_int, step: &mut Step) -> c_int {
    // SAFETY: plain system calls on numbers and on memory that `spawn`'s caller keeps alive.
    unsafe {
        step!(libc::setsid());
        step!(libc::dup2(launch.stdin, 0));
        step!(libc::dup2(launch.stdout, 1));
        step!(libc::dup2(launch.stderr, 2));
        step!(libc::fchdir(launch.directory));
        for &(resource, soft, hard) in launch.limits {
            let limit = libc::rlimit { rlim_cur: soft, rlim_max: hard };
            step!(libc::setrlimit(resource as libc::__rlimit_resource_t, &raw const limit));
        }
        if let Some(core) = launch.core {
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            libc::CPU_SET(core % libc::CPU_SETSIZE as usize, &mut set);
            step!(libc::sched_setaffinity(0, size_of_val(&set), &raw const set));
        }
        if let Some(Identity { user, group }) = launch.identity {
            step!(libc::syscall(libc::SYS_setgroups, 0, ptr::null::<u32>()));
            step!(libc::syscall(libc::SYS_setresgid, group, group, group));
            step!(libc::syscall(libc::SYS_setresuid, user, user, user));
        }
        // After the change of user, which clears it.
        step!(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL));
        if libc::getppid() != parent {
            return libc::ESRCH;
        }
        if !launch.filter.is_empty() {
            let own = libc::getpid() as u32;
            for &position in launch.own_pid {
                launch.filter[position].operand = own;
            }
            step!(install(launch.filter));
        }
        *step = Step::Program;
        libc::execve(
            launch.program.as_ptr(),
            launch.arguments.as_ptr(),
            launch.environment.as_ptr(),
        );
    }
    errno()
}

/// Installs a filter in this process, for good and for all that it starts.
pub(super) fn install_filter(filter: &[Instruction]) -> io::Result<()> {
    // SAFETY: the filter is a valid slice for the time of the call.
    if unsafe { install(filter) } < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// # Safety
/// None beyond a valid slice; the kernel checks the program.
unsafe fn install(filter: &[Instruction]) -> i64 {
    let program =
        libc::sock_fprog { len: filter.len() as u16, filter: filter.as_ptr().cast_mut().cast() };
    // SAFETY: `Instruction` has the layout of `sock_filter`, and the kernel only reads it.
    unsafe { libc::syscall(libc::SYS_seccomp, 1, 0, &raw const program) }
}

/// Whether a wait may take its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wait {
    /// Until a child has ended.
    Block,
    /// Only children that have ended already.
    Poll,
}

/// A child that has ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waited {
    pub(super) status: c_int,
    pub(super) user: Duration,
    pub(super) system: Duration,
    /// Bytes of the biggest resident set.
    pub(super) resident: u64,
    pub(super) involuntary: u64,
}

/// A child that has ended and is not collected yet.
pub(super) fn ended_child() -> Option<i32> {
    // SAFETY: `info` is valid for the write, zero is a valid value of it, and the field read is
    // the one that waitid sets, or zero.
    let pid = unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        if libc::waitid(libc::P_ALL, 0, &raw mut info, options) < 0 { 0 } else { info.si_pid() }
    };
    (pid > 0).then_some(pid)
}

/// Waits for a child, or for any; none when none has ended or there is no child at all.
pub(super) fn wait(pid: Option<i32>, how: Wait) -> io::Result<Option<Waited>> {
    let options = if how == Wait::Poll { libc::WNOHANG } else { 0 };
    loop {
        let mut status = 0;
        // SAFETY: status and usage are valid for the writes of the call; zero is a valid usage.
        let (found, usage) = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            let pid = pid.unwrap_or(-1);
            (libc::wait4(pid, &raw mut status, options | libc::__WALL, &raw mut usage), usage)
        };
        if found > 0 {
            return Ok(Some(Waited {
                status,
                user: duration(usage.ru_utime),
                system: duration(usage.ru_stime),
                resident: usage.ru_maxrss as u64 * 1024,
                involuntary: usage.ru_nivcsw as u64,
            }));
        }
        match io::Error::last_os_error() {
            _ if found == 0 => return Ok(None),
            error if error.raw_os_error() == Some(libc::EINTR) => {}
            error if pid.is_none() && error.raw_os_error() == Some(libc::ECHILD) => {
                return Err(error);
            }
            error => return Err(error),
        }
    }
}

fn duration(time: libc::timeval) -> Duration {
    Duration::new(time.tv_sec as u64, time.tv_usec as u32 * 1000)
}

/// The CPU time of all threads of a process so far.
pub(super) fn cpu_clock(pid: i32) -> Option<Duration> {
    let clock = (!pid << 3) | 2;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is valid for the write; the clock number is that of a process.
    let failed = unsafe { libc::clock_gettime(clock, &raw mut time) } != 0;
    (!failed).then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}

/// Sends SIGKILL to one process, or with -1 to all that this process may reach except itself, or
/// with another negative number to a process group.
pub(super) fn kill(pid: i32) {
    // SAFETY: no memory is touched.
    unsafe { libc::kill(pid, libc::SIGKILL) };
}

/// Whether a signal could be sent to the process.
pub(super) fn may_signal(pid: i32) -> bool {
    // SAFETY: signal 0 only asks.
    unsafe { libc::kill(pid, 0) == 0 }
}

/// Gives SIGPIPE its default again, which the runtime has changed: what is ignored stays ignored
/// in the programs that are started.
pub(super) fn default_sigpipe() {
    // SAFETY: sets a default action.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
}

/// Closes every descriptor from `first` on.
pub(super) fn close_from(first: RawFd) {
    // SAFETY: called at the very start of the runner, when no descriptor from `first` on has an owner.
    unsafe { libc::syscall(libc::SYS_close_range, first as u32, u32::MAX, 0) };
}

/// What may be done with files of a mount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attributes {
    /// Not written; this mount only.
    ReadOnly,
    /// Not written, no devices, no set-user programs; with all mounts below.
    ReadOnlyNoDevices,
    /// Not executed, no set-user programs.
    NoExecute,
}

const MOUNT_ATTR_RDONLY: u64 = 1;
const MOUNT_ATTR_NOSUID: u64 = 2;
const MOUNT_ATTR_NODEV: u64 = 4;
const MOUNT_ATTR_NOEXEC: u64 = 8;

/// The argument of `mount_setattr`.
#[repr(C)]
struct MountAttributes {
    set: u64,
    clear: u64,
    propagation: u64,
    user_namespace: u64,
}

/// Changes the attributes of the mount at a path.
pub(super) fn mount_attributes(path: &str, attributes: Attributes) -> io::Result<()> {
    let path = std::ffi::CString::new(path)?;
    set_attributes(libc::AT_FDCWD, &path, 0, attributes)
}

/// Changes the attributes of a mount without a place and of all below it.
pub(super) fn tree_attributes(tree: &OwnedFd, attributes: Attributes) -> io::Result<()> {
    let flags = libc::AT_EMPTY_PATH | libc::AT_RECURSIVE;
    set_attributes(tree.as_raw_fd(), c"", flags, attributes)
}

fn set_attributes(at: RawFd, path: &CStr, flags: c_int, kind: Attributes) -> io::Result<()> {
    let set = match kind {
        Attributes::ReadOnly => MOUNT_ATTR_RDONLY,
        Attributes::ReadOnlyNoDevices => MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV,
        Attributes::NoExecute => MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC,
    };
    let argument = MountAttributes { set, clear: 0, propagation: 0, user_namespace: 0 };
    // SAFETY: path and argument are valid for the time of the call, and the size is that of the
    // argument.
    let failed = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            at,
            path.as_ptr(),
            flags,
            &raw const argument,
            size_of::<MountAttributes>(),
        )
    };
    if failed < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Takes away every capability that a program could get by being started.
pub(super) fn empty_bounding_set() {
    for capability in 0..64 {
        // SAFETY: no memory is touched; unknown numbers are refused.
        unsafe { libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) };
    }
}

/// Bytes of a page. The C library knows it since the start of the process; asking for it later
/// needs `/proc` on kernels before 6.4, which landlock hides.
pub(super) fn page_size() -> u64 {
    // SAFETY: no memory is touched.
    unsafe { libc::sysconf(libc::_SC_PAGESIZE) as u64 }
}

/// Clock ticks of a second, known in the same way.
pub(super) fn ticks_per_second() -> u32 {
    // SAFETY: no memory is touched.
    unsafe { libc::sysconf(libc::_SC_CLK_TCK) as u32 }
}

/// The hard limit of this process for a resource.
pub(super) fn hard_limit(resource: c_int) -> u64 {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` is valid for the write.
    unsafe { libc::getrlimit(resource as libc::__rlimit_resource_t, &raw mut limit) };
    limit.rlim_max
}

/// Ends this process at once.
pub(super) fn exit(code: c_int) -> ! {
    // SAFETY: the runner has nothing to flush.
    unsafe { libc::_exit(code) }
}
