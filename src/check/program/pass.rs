//! The passes of a case: a program of the jury may ask that the submission is run again, on an input
//! that it has written, and finds its folder as it has left it.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Fault;
use crate::model::{Feedback, TestCase};
use crate::sandbox::{CopyFrom, CopyIn, Input, Ran};

/// The most passes that can be allowed.
pub const MOST_PASSES: u32 = 1000;

/// Bytes of a folder that are handed on to the next pass.
const MOST_STATE: u64 = 64 << 20;

/// One pass of a case.
#[derive(Debug, Clone)]
pub struct Pass {
    /// Counted from 1.
    pub number: u32,
    /// How many there may be.
    pub most: u32,
    /// Its input, where it is not that of the case.
    input: Option<Arc<Input>>,
    /// What the pass before has left.
    state: Vec<(PathBuf, Arc<Input>)>,
}

impl Pass {
    /// The first one.
    #[must_use]
    pub fn first(most: u32) -> Self {
        Self { number: 1, most, input: None, state: Vec::new() }
    }

    /// Its number, where a case may have several.
    #[must_use]
    pub fn told(&self) -> Option<u32> {
        (self.most > 1).then_some(self.number)
    }

    /// The input that is not that of the case.
    #[must_use]
    pub fn input(&self) -> Option<&Arc<Input>> {
        self.input.as_ref()
    }

    /// What is to be copied as the input.
    #[must_use]
    pub fn copied_input(&self, case: &TestCase) -> CopyFrom {
        self.input.clone().map_or_else(|| case.input.clone().into(), CopyFrom::from)
    }

    /// What is to be in the folder.
    pub(super) fn state(&self) -> impl Iterator<Item = CopyIn> {
        self.state.iter().map(|(name, input)| CopyIn::new(Arc::clone(input), name))
    }

    /// The next one, after a run that has left `next` as its input.
    ///
    /// # Errors
    /// [`Fault`] when what was left cannot be handed on.
    pub(super) fn next(&self, ran: &mut Ran, next: &Path) -> Result<Self, Fault> {
        if let Some((name, _)) = ran.refused.first() {
            let name = name.display();
            return Err(Fault(format!("it asks for another pass, and {name} cannot be kept")));
        }
        let lost = |error: io::Error| Fault(format!("what it wrote cannot be kept: {error}"));
        let (mut input, mut state, mut room) = (None, Vec::new(), MOST_STATE);
        for (name, file) in &mut ran.collected {
            file.rewind().map_err(lost)?;
            let kept = Arc::new(Input::from_reader((&mut *file).take(room + 1)).map_err(lost)?);
            room = room.checked_sub(kept.bytes()).ok_or_else(|| {
                Fault(format!("its folder has more than {} MiB", MOST_STATE >> 20))
            })?;
            if name == next {
                input = Some(kept);
            } else {
                state.push((name.clone(), kept));
            }
        }
        Ok(Self { number: self.number + 1, most: self.most, input, state })
    }
}

/// Bytes of a folder that are kept for people.
const MOST_FEEDBACK: u64 = 8 << 20;

/// What a run has left in its folder, bounded; none when that is nothing.
pub(super) fn feedback(ran: &mut Ran, folder: &str) -> Option<Box<Feedback>> {
    let mut feedback = Feedback { files: Vec::new(), more: !ran.refused.is_empty() };
    let mut room = MOST_FEEDBACK;
    for (path, file) in &mut ran.collected {
        let Ok(name) = path.strip_prefix(folder) else { continue };
        let (bytes, whole) = start_of(file, room).unwrap_or_default();
        room -= bytes.len() as u64;
        feedback.more |= !whole;
        feedback.files.push((name.to_owned(), bytes));
    }
    (!feedback.files.is_empty() || feedback.more).then(|| Box::new(feedback))
}

/// The first bytes of a file, and whether those are all.
fn start_of(file: &mut File, most: u64) -> io::Result<(Vec<u8>, bool)> {
    file.rewind()?;
    let mut bytes = Vec::new();
    (&mut *file).take(most).read_to_end(&mut bytes)?;
    let whole = file.metadata()?.len() <= bytes.len() as u64;
    Ok((bytes, whole))
}
