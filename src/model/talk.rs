use super::{Feedback, Judgement};

/// What else is known of a solution that a program of the jury has judged while it ran: it has talked
/// to an interactor, or was run in several passes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Talk {
    /// Who has judged it.
    pub teller: Teller,
    /// What that program says, where that stands before the end of the solution itself.
    pub said: Option<Judgement>,
    /// Whether that comes before any limit that the solution has gone past.
    pub first: bool,
    /// Why it came to an end, in words; often empty.
    pub note: String,
    /// What both said, as text for people.
    pub transcript: Option<Vec<u8>>,
    /// The pass that was the last one, where there may be several.
    pub pass: Option<u32>,
    /// The files that the program of the jury has left, where nothing that it says stands.
    pub feedback: Option<Box<Feedback>>,
}

/// A program of the jury that judges while the solution runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Teller {
    /// An interactor.
    #[default]
    Interactor,
    /// A checker, between two passes.
    Checker,
}

impl Teller {
    /// The word in messages.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Interactor => "interactor",
            Self::Checker => "checker",
        }
    }
}
