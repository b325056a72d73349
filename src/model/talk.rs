use super::Judgement;

/// What else is known of a solution that has talked to an interactor.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Talk {
    /// What the interactor says, where that stands before the end of the solution itself.
    pub said: Option<Judgement>,
    /// Whether that comes before any limit that the solution has gone past.
    pub first: bool,
    /// Why it came to an end, in words; often empty.
    pub note: String,
    /// What both said, as text for people.
    pub transcript: Option<Vec<u8>>,
}
