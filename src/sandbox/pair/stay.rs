//! Keeps the calling thread on one core for a while.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// The calling thread stays on one core as long as this lives.
#[derive(Debug)]
pub(super) struct Stay {
    before: CpuSet,
}

impl Stay {
    /// None where the system does not allow it: then words take longer, and nothing else changes.
    pub(super) fn on(core: usize) -> Option<Self> {
        let before = sched_getaffinity(None).ok()?;
        let mut one = CpuSet::new();
        one.set(core);
        sched_setaffinity(None, &one).ok()?;
        Some(Self { before })
    }
}

impl Drop for Stay {
    fn drop(&mut self) {
        let _ = sched_setaffinity(None, &self.before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cores_of_a_thread_are_as_before_afterwards() {
        let allowed = || sched_getaffinity(None).unwrap();
        let before = allowed();
        let core = (0..CpuSet::MAX_CPU).find(|&core| before.is_set(core)).unwrap();
        let stay = Stay::on(core).unwrap();
        assert_eq!(allowed().count(), 1);
        drop(stay);
        assert_eq!(allowed(), before);
    }
}
