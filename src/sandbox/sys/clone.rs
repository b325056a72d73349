//! New processes: with the memory of the runner until the program starts, or with a copy of it; in
//! the control group of the runner or in another one.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::ptr;

use libc::{c_int, c_void};

use super::child;

const CHILD: c_int = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD;

/// Calls [`child`] in a new process, on a stack of its own, and waits until it has left this
/// memory.
pub(super) fn clone_child(
    stack: &mut [u128],
    argument: *mut c_void,
    handle: &mut c_int,
) -> io::Result<i32> {
    let flags = CHILD | libc::SIGCHLD;
    // SAFETY: the stack is big enough, aligned and lives until clone returns, which with
    // CLONE_VFORK is after the child has left this memory; what `argument` points to lives as
    // long; `handle` is valid for the one write by CLONE_PIDFD.
    let pid = unsafe {
        let top = stack.as_mut_ptr().add(stack.len());
        libc::clone(child, top.cast(), flags, argument, ptr::from_mut(handle))
    };
    if pid < 0 { Err(io::Error::last_os_error()) } else { Ok(pid) }
}

/// The argument of clone3.
#[repr(C)]
#[derive(Default)]
struct CloneArguments {
    flags: u64,
    handle: u64,
    child_number: u64,
    parent_number: u64,
    exit_signal: u64,
    stack: u64,
    stack_size: u64,
    tls: u64,
    set_numbers: u64,
    set_numbers_size: u64,
    group: u64,
}

const CLONE_INTO_CGROUP: u64 = 0x2_0000_0000;

/// The same for a process that is born into a control group, which only clone3 can do; no library
/// calls it with a stack of its own.
pub(super) fn clone_child_into(
    stack: &mut [u128],
    argument: *mut c_void,
    handle: &mut c_int,
    group: RawFd,
) -> io::Result<i32> {
    let arguments = CloneArguments {
        flags: CHILD as u64 | CLONE_INTO_CGROUP,
        handle: ptr::from_mut(handle) as u64,
        exit_signal: libc::SIGCHLD as u64,
        stack: stack.as_mut_ptr() as u64,
        stack_size: size_of_val(stack) as u64,
        group: group as u64,
        ..CloneArguments::default()
    };
    // SAFETY: as in `clone_child`.
    let result = unsafe { clone3_call(&arguments, child, argument) };
    if result < 0 { Err(io::Error::from_raw_os_error(-result as i32)) } else { Ok(result as i32) }
}

/// Makes a process that calls `entry`, which never returns.
///
/// # Safety
/// The stack in `arguments` must be big enough, aligned and alive until the new process has left
/// this memory, as must be what the other arguments point to.
#[cfg(target_arch = "x86_64")]
unsafe fn clone3_call(
    arguments: &CloneArguments,
    entry: extern "C" fn(*mut c_void) -> c_int,
    argument: *mut c_void,
) -> i64 {
    let result: i64;
    // SAFETY: the new process begins behind the system call, with the same registers but on its
    // own stack, and only calls `entry`; this one goes on at the label.
    unsafe {
        std::arch::asm!(
            "syscall",
            "test rax, rax",
            "jnz 2f",
            "xor ebp, ebp",
            "mov rdi, r12",
            "call r13",
            "ud2",
            "2:",
            inlateout("rax") libc::SYS_clone3 => result,
            in("rdi") ptr::from_ref(arguments),
            in("rsi") size_of::<CloneArguments>(),
            in("r12") argument,
            in("r13") entry,
            lateout("rcx") _,
            lateout("r11") _,
        );
    }
    result
}

/// Makes a process that calls `entry`, which never returns.
///
/// # Safety
/// The stack in `arguments` must be big enough, aligned and alive until the new process has left
/// this memory, as must be what the other arguments point to.
#[cfg(target_arch = "aarch64")]
unsafe fn clone3_call(
    arguments: &CloneArguments,
    entry: extern "C" fn(*mut c_void) -> c_int,
    argument: *mut c_void,
) -> i64 {
    let result: i64;
    // SAFETY: the new process begins behind the system call, with the same registers but on its
    // own stack, and only calls `entry`; this one goes on at the label.
    unsafe {
        std::arch::asm!(
            "svc 0",
            "cbnz x0, 2f",
            "mov x29, xzr",
            "mov x0, x20",
            "blr x21",
            "brk 1",
            "2:",
            inlateout("x0") ptr::from_ref(arguments) => result,
            in("x1") size_of::<CloneArguments>(),
            in("x8") libc::SYS_clone3,
            in("x20") argument,
            in("x21") entry,
        );
    }
    result
}

/// Forks the single-threaded runner, with new namespaces, into a control group when one is given;
/// zero in the child.
pub(in crate::sandbox) fn fork(namespaces: c_int, group: Option<&OwnedFd>) -> io::Result<i32> {
    if let Some(group) = group {
        let arguments = CloneArguments {
            flags: namespaces as u64 | CLONE_INTO_CGROUP,
            exit_signal: libc::SIGCHLD as u64,
            group: group.as_raw_fd() as u64,
            ..CloneArguments::default()
        };
        // SAFETY: as below.
        let pid = unsafe {
            libc::syscall(libc::SYS_clone3, &raw const arguments, size_of::<CloneArguments>())
        };
        return if pid < 0 { Err(io::Error::last_os_error()) } else { Ok(pid as i32) };
    }
    // SAFETY: this process has one thread, so the child finds no lock held; without CLONE_VM the
    // child has memory of its own.
    let pid = unsafe {
        let flags = i64::from(namespaces | libc::SIGCHLD);
        libc::syscall(libc::SYS_clone, flags, 0_i64, 0_i64, 0_i64, 0_i64)
    };
    if pid < 0 { Err(io::Error::last_os_error()) } else { Ok(pid as i32) }
}
