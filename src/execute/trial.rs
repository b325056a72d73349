//! A trial before the first case: is there a program at all that starts?

use std::io;
use std::time::Duration;

use super::Workers;
use crate::sandbox::{Ended, RunLimits, SandboxError, Spec};

/// What came of starting a program and ending it at once.
#[derive(Debug)]
pub enum Trial {
    /// It starts.
    Starts,
    /// All was set up, and the system refused the program itself.
    Refused(io::Error),
    /// It could not be tried: the judge's own part failed.
    Failed(String),
    /// The sandbox was stopped meanwhile.
    Stopped,
}

/// Errors of the system that say nothing of the program.
const PASSING: [i32; 6] =
    [libc::EAGAIN, libc::ENOMEM, libc::EMFILE, libc::ENFILE, libc::EIO, libc::EINTR];

impl Workers {
    /// Starts a program on this worker and ends it at once, before it has done anything to speak
    /// of.
    #[must_use]
    pub fn try_start(&self, worker: usize, mut spec: Spec) -> Trial {
        spec.limits = RunLimits { wall: Duration::ZERO, ..spec.limits };
        match self.sandbox().run(worker, &spec) {
            Ok(ran) => of(ran.ended),
            Err(SandboxError::Stopped) => Trial::Stopped,
            Err(error) => Trial::Failed(format!("sandbox: {error}")),
        }
    }
}

fn of(ended: Ended) -> Trial {
    let failed = |number| {
        let error = io::Error::from_raw_os_error(number);
        Trial::Failed(format!("the sandbox cannot set it up: {error}"))
    };
    match ended {
        Ended::Exited(_) | Ended::Signaled(_) | Ended::Over(_) => Trial::Starts,
        Ended::NotStarted(number) if PASSING.contains(&number) => failed(number),
        Ended::NotStarted(number) => Trial::Refused(io::Error::from_raw_os_error(number)),
        Ended::NotSetUp(number) => failed(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::Limit;

    #[test]
    fn only_what_the_system_says_of_the_program_is_about_the_program() {
        for ended in [Ended::Exited(127), Ended::Signaled(11), Ended::Over(Limit::Wall)] {
            assert!(matches!(of(ended), Trial::Starts), "{ended:?}");
        }
        for number in [libc::ENOEXEC, libc::ENOENT, libc::EACCES] {
            assert!(matches!(of(Ended::NotStarted(number)), Trial::Refused(_)));
            assert!(matches!(of(Ended::NotSetUp(number)), Trial::Failed(_)));
        }
        assert!(matches!(of(Ended::NotStarted(libc::EAGAIN)), Trial::Failed(_)));
    }
}
