//! Whether Ctrl-C or SIGTERM has asked for a stop, and how often: a second signal means "at once".

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};

/// A signal that asks for a stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// A polite kill.
    Terminate,
}

/// Tells whether a signal has asked for a stop.
#[derive(Debug, Default)]
pub struct Interrupt {
    int: Arc<AtomicBool>,
    term: Arc<AtomicBool>,
    first: AtomicUsize,
    count: AtomicUsize,
}

impl Interrupt {
    /// An interrupt that no signal sets.
    #[must_use]
    pub fn never() -> Self {
        Self::default()
    }

    /// An interrupt that SIGINT and SIGTERM set.
    ///
    /// # Errors
    /// When the system refuses a handler.
    pub fn install() -> io::Result<Self> {
        let interrupt = Self::default();
        signal_hook::flag::register(SIGINT, Arc::clone(&interrupt.int))?;
        signal_hook::flag::register(SIGTERM, Arc::clone(&interrupt.term))?;
        Ok(interrupt)
    }

    /// Counts the signals that came since the last look, and says how many there were in all.
    /// Equal signals between two looks count once.
    pub fn poll(&self) -> usize {
        for (flag, number) in [(&self.int, 1), (&self.term, 2)] {
            if flag.swap(false, Ordering::Relaxed) {
                let _ =
                    self.first.compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed);
                self.count.fetch_add(1, Ordering::Relaxed);
            }
        }
        self.count.load(Ordering::Relaxed)
    }

    /// The signal that came first, of those that [`Interrupt::poll`] has counted.
    #[must_use]
    pub fn signal(&self) -> Option<Signal> {
        match self.first.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Signal::Interrupt),
            _ => Some(Signal::Terminate),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_signal_names_the_stop_and_a_second_one_is_counted() {
        let interrupt = Interrupt::never();
        assert_eq!((interrupt.poll(), interrupt.signal()), (0, None));
        interrupt.term.store(true, Ordering::Relaxed);
        assert_eq!((interrupt.poll(), interrupt.signal()), (1, Some(Signal::Terminate)));
        interrupt.int.store(true, Ordering::Relaxed);
        assert_eq!((interrupt.poll(), interrupt.signal()), (2, Some(Signal::Terminate)));
        assert_eq!(interrupt.poll(), 2);
    }
}
