//! Forbidden system calls, as programs for the kernel's filter. A forbidden call fails with an
//! error, so that runtimes which only try it go on.
//!
//! Two programs: a common one, which the runner installs once and all runs inherit, and a small
//! one for each run, with what the runner itself needs until the program starts.

use std::io;

use super::calls;
use super::level::{Layer, Layers};
use super::sys::{self, Instruction};

const LOAD: u16 = 0x20;
const RETURN: u16 = 0x06;
const EQUAL: u16 = 0x15;
const AT_LEAST: u16 = 0x35;
const ANY_BIT: u16 = 0x45;
const ALLOW: u32 = 0x7fff_0000;
const ERROR: u32 = 0x0005_0000;

fn load(offset: u32) -> Instruction {
    Instruction { code: LOAD, if_true: 0, if_false: 0, operand: offset }
}

/// The low half of an argument of the call.
fn argument(index: u32) -> Instruction {
    load(16 + 8 * index)
}

fn give(operand: u32) -> Instruction {
    Instruction { code: RETURN, if_true: 0, if_false: 0, operand }
}

fn fail(error: i32) -> Instruction {
    give(ERROR | error as u32)
}

fn jump(code: u16, operand: u32, if_true: u8, if_false: u8) -> Instruction {
    Instruction { code, if_true, if_false, operand }
}

/// What happens with one system call: a piece of program that always ends in a return.
type Rule = (i64, Vec<Instruction>);

/// Forbidden whatever its arguments are.
fn deny(call: i64, error: i32) -> Rule {
    (call, vec![fail(error)])
}

/// Allowed only when the argument is one of these.
fn only(call: i64, index: u32, values: &[u32], error: i32) -> Rule {
    let mut program = vec![argument(index)];
    for &value in values {
        program.extend([jump(EQUAL, value, 0, 1), give(ALLOW)]);
    }
    program.push(fail(error));
    (call, program)
}

/// Forbidden when the argument is one of these.
fn except(call: i64, index: u32, values: &[u32], error: i32) -> Rule {
    let mut program = vec![argument(index)];
    for &value in values {
        program.extend([jump(EQUAL, value, 0, 1), fail(error)]);
    }
    program.push(give(ALLOW));
    (call, program)
}

/// Forbidden when the argument has one of these bits.
fn without_bits(call: i64, index: u32, bits: u32, error: i32) -> Rule {
    (call, vec![argument(index), jump(ANY_BIT, bits, 0, 1), fail(error), give(ALLOW)])
}

/// The program for these rules; calls without a rule are allowed, those of another system call
/// table do not exist.
fn assemble(mut rules: Vec<Rule>) -> Vec<Instruction> {
    rules.sort_by_key(|rule| rule.0);
    let mut program = vec![
        load(4),
        jump(EQUAL, calls::ARCHITECTURE, 1, 0),
        fail(libc::ENOSYS),
        load(0),
        // Bit 30 marks the table of x32.
        jump(AT_LEAST, 0x4000_0000, 0, 1),
        fail(libc::ENOSYS),
    ];
    program.extend(search(&rules));
    program
}

/// Binary search, so that the kernel, which tries every call number when a filter is installed,
/// takes few steps for each.
fn search(rules: &[Rule]) -> Vec<Instruction> {
    if rules.len() <= 3 {
        let mut program = Vec::new();
        for (call, then) in rules {
            program.push(jump(EQUAL, *call as u32, 0, then.len() as u8));
            program.extend(then);
        }
        program.push(give(ALLOW));
        return program;
    }
    let (low, high) = rules.split_at(rules.len() / 2);
    let (low, high_program) = (search(low), search(high));
    let mut program = vec![
        jump(AT_LEAST, high[0].0 as u32, 0, 1),
        // A jump of its own, since a condition reaches only 255 instructions.
        Instruction { code: 0x05, if_true: 0, if_false: 0, operand: low.len() as u32 },
    ];
    program.extend(low);
    program.extend(high_program);
    program
}

/// Calls that no run needs, with the error they give. With `counted` the control group knows all
/// memory.
fn common(counted: bool) -> Vec<Rule> {
    let forbidden = calls::FORBIDDEN.iter().chain(calls::FORBIDDEN_HERE);
    let mut rules: Vec<Rule> = forbidden.map(|&call| deny(call, libc::EPERM)).collect();
    rules.extend(calls::ABSENT.iter().map(|&call| deny(call, libc::ENOSYS)));
    // Files in memory are in no process's memory and in no folder.
    if !counted {
        rules.push(deny(libc::SYS_memfd_create, libc::ENOSYS));
    }
    let terminal = [libc::TIOCSTI as u32, calls::TIOCLINUX];
    rules.push(except(libc::SYS_ioctl, 1, &terminal, libc::EPERM));
    rules.push(only(libc::SYS_socket, 0, &[libc::AF_UNIX as u32], libc::EACCES));
    rules
}

/// Installs the common program in this process, for good.
pub(super) fn install_common(counted: bool) -> io::Result<()> {
    sys::install_filter(&assemble(common(counted)))
}

/// The small program of one run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Late {
    pub(super) layers: Layers,
    pub(super) threads_only: bool,
    /// The process number of the runner, which no run may signal.
    pub(super) runner: u32,
}

/// Stands for the number of the process that the program is installed in.
const OWN: u32 = 0xffff_fff0;

impl Late {
    /// The program, and where in it the number of the new process belongs. Empty without filters.
    pub(super) fn program(self) -> (Vec<Instruction>, Vec<usize>) {
        if !self.layers.has(Layer::Seccomp) {
            return (Vec::new(), Vec::new());
        }
        let program = assemble(self.rules());
        let own = program.iter().enumerate().filter(|(_, instruction)| instruction.operand == OWN);
        let own = own.map(|(position, _)| position).collect();
        (program, own)
    }

    fn rules(self) -> Vec<Rule> {
        use libc::{EPERM, SYS_clone, SYS_clone3};
        let mut rules = vec![
            deny(libc::SYS_sched_setaffinity, EPERM),
            only(libc::SYS_prlimit64, 0, &[0, OWN], EPERM),
            // Its flags are in memory, where a filter cannot look.
            deny(SYS_clone3, libc::ENOSYS),
        ];
        if self.threads_only {
            rules.push(only_threads(SYS_clone));
            rules.extend(calls::FORKS.iter().map(|&call| deny(call, libc::EAGAIN)));
            for call in [libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo] {
                rules.push(only(call, 0, &[OWN], EPERM));
            }
            rules.push(only(libc::SYS_kill, 0, &[0, OWN], EPERM));
            rules.push(only(libc::SYS_tkill, 0, &[OWN], EPERM));
        } else {
            let namespaces = libc::CLONE_NEWUSER
                | libc::CLONE_NEWPID
                | libc::CLONE_NEWNS
                | libc::CLONE_NEWNET
                | libc::CLONE_NEWIPC
                | libc::CLONE_NEWUTS
                | libc::CLONE_NEWCGROUP
                | libc::CLONE_PARENT;
            rules.push(without_bits(SYS_clone, 0, namespaces as u32, EPERM));
            if !self.layers.has(Layer::Namespaces) {
                rules.push(except(libc::SYS_kill, 0, &[u32::MAX, self.runner], EPERM));
            }
        }
        if self.threads_only && !self.layers.has(Layer::Namespaces) {
            let calls = calls::CHANGE_FILES.iter().chain(calls::CHANGE_FILES_HERE);
            rules.extend(calls.map(|&call| deny(call, EPERM)));
        }
        rules
    }
}

/// A new thread may be made, a new process not.
fn only_threads(call: i64) -> Rule {
    let thread = libc::CLONE_THREAD as u32;
    let program = vec![argument(0), jump(ANY_BIT, thread, 0, 1), give(ALLOW), fail(libc::EAGAIN)];
    (call, program)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the kernel would do with a call.
    fn outcome(program: &[Instruction], architecture: u32, call: u32, argument0: u32) -> u32 {
        let (mut position, mut value) = (0, 0);
        loop {
            let Instruction { code, if_true, if_false, operand } = program[position];
            position += 1;
            match code {
                LOAD => {
                    value = match operand {
                        0 => call,
                        4 => architecture,
                        16 => argument0,
                        _ => 0,
                    }
                }
                RETURN => return operand,
                0x05 => position += operand as usize,
                _ => {
                    let holds = match code {
                        EQUAL => value == operand,
                        AT_LEAST => value >= operand,
                        _ => value & operand != 0,
                    };
                    position += usize::from(if holds { if_true } else { if_false });
                }
            }
        }
    }

    fn late(threads_only: bool) -> Vec<Instruction> {
        let layers = Layers::default().with(Layer::Seccomp);
        Late { layers, threads_only, runner: 77 }.program().0
    }

    #[test]
    fn every_rule_is_found_and_everything_else_is_allowed() {
        let rules = common(false);
        let program = assemble(common(false));
        for call in 0..600_u32 {
            let rule = rules.iter().find(|rule| rule.0 == i64::from(call));
            let got = outcome(&program, calls::ARCHITECTURE, call, 0);
            match rule {
                None => assert_eq!(got, ALLOW, "call {call}"),
                Some((_, then)) if then.len() == 1 => {
                    assert_eq!(got, then[0].operand, "call {call}");
                }
                Some(_) => {}
            }
        }
    }

    #[test]
    fn other_tables_of_calls_do_not_exist() {
        for program in [assemble(common(false)), late(true), late(false)] {
            assert_eq!(outcome(&program, 0x4000_0003, 1, 0), ERROR | libc::ENOSYS as u32);
            assert_eq!(
                outcome(&program, calls::ARCHITECTURE, 0x4000_0001, 0),
                ERROR | libc::ENOSYS as u32
            );
        }
    }

    #[test]
    fn threads_only_means_no_processes_and_signals_to_oneself() {
        let program = late(true);
        let ask = |call: i64, value| outcome(&program, calls::ARCHITECTURE, call as u32, value);
        assert_eq!(ask(libc::SYS_clone, libc::SIGCHLD as u32), ERROR | libc::EAGAIN as u32);
        assert_eq!(ask(libc::SYS_clone, libc::CLONE_THREAD as u32 | 0x700), ALLOW);
        assert_eq!(ask(libc::SYS_kill, OWN), ALLOW);
        assert_eq!(ask(libc::SYS_kill, u32::MAX), ERROR | libc::EPERM as u32);
        assert_eq!(ask(libc::SYS_kill, 1), ERROR | libc::EPERM as u32);
        assert_eq!(ask(libc::SYS_clone3, 0), ERROR | libc::ENOSYS as u32);
    }

    #[test]
    fn with_processes_the_runner_and_everybody_cannot_be_signalled() {
        let program = late(false);
        let ask = |call: i64, value| outcome(&program, calls::ARCHITECTURE, call as u32, value);
        assert_eq!(ask(libc::SYS_clone, libc::SIGCHLD as u32), ALLOW);
        assert_eq!(ask(libc::SYS_clone, libc::CLONE_NEWUSER as u32), ERROR | libc::EPERM as u32);
        assert_eq!(ask(libc::SYS_kill, 4242), ALLOW);
        assert_eq!(ask(libc::SYS_kill, 77), ERROR | libc::EPERM as u32);
        assert_eq!(ask(libc::SYS_kill, u32::MAX), ERROR | libc::EPERM as u32);
    }
}
