//! Whether Ctrl-C, SIGTERM or SIGHUP has asked for a stop, and how often: a second signal means "at once".
//!
//! One thread waits for the signals, so that they count even while the others write to a reader
//! that does not read.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;

/// How long the calling thread has to end by itself after a second signal.
const PATIENCE: Duration = Duration::from_secs(1);

/// A signal that asks for a stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// A polite kill.
    Terminate,
    /// The terminal is gone.
    HangUp,
}

/// Tells whether a signal has asked for a stop.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<State>);

#[derive(Debug, Default)]
struct State {
    /// The number of the signal that came first, 0 before.
    first: AtomicI32,
    count: AtomicUsize,
}

impl Interrupt {
    /// An interrupt that no signal sets.
    #[must_use]
    pub fn never() -> Self {
        Self::default()
    }

    /// An interrupt that SIGINT, SIGTERM and SIGHUP set. When the process still runs a second after the
    /// second signal, `give_up` ends it.
    ///
    /// # Errors
    /// When the system refuses a handler or the thread that waits.
    #[expect(clippy::disallowed_methods, reason = "the one thread that is no worker")]
    pub fn install(give_up: fn(Signal) -> !) -> io::Result<Self> {
        let interrupt = Self::default();
        let waiting = interrupt.clone();
        let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
        thread::Builder::new().name("signals".into()).spawn(move || {
            for signal in signals.forever() {
                let first = waiting.take(signal);
                if waiting.count() >= 2 {
                    thread::sleep(PATIENCE);
                    give_up(first);
                }
            }
        })?;
        Ok(interrupt)
    }

    /// Lets a write beyond the file size limit fail instead of ending the process.
    ///
    /// # Errors
    /// When the system refuses the handler.
    pub fn survive_file_size_limit() -> io::Result<()> {
        signal_hook::flag::register(SIGXFSZ, Arc::default()).map(drop)
    }

    /// Counts a signal and says which one came first.
    fn take(&self, signal: i32) -> Signal {
        let _ = self.0.first.compare_exchange(0, signal, Ordering::Relaxed, Ordering::Relaxed);
        self.0.count.fetch_add(1, Ordering::Relaxed);
        self.signal().unwrap_or(Signal::Interrupt)
    }

    /// How many signals came.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.count.load(Ordering::Relaxed)
    }

    /// The signal that came first.
    #[must_use]
    pub fn signal(&self) -> Option<Signal> {
        match self.0.first.load(Ordering::Relaxed) {
            0 => None,
            SIGTERM => Some(Signal::Terminate),
            SIGHUP => Some(Signal::HangUp),
            _ => Some(Signal::Interrupt),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_signal_names_the_stop_and_all_are_counted() {
        let interrupt = Interrupt::never();
        assert_eq!((interrupt.count(), interrupt.signal()), (0, None));
        assert_eq!(interrupt.take(SIGTERM), Signal::Terminate);
        assert_eq!(interrupt.take(SIGINT), Signal::Terminate);
        assert_eq!((interrupt.count(), interrupt.signal()), (2, Some(Signal::Terminate)));
    }
}
