//! What is said about a broken input: one function for each fault.

use super::super::{InputError, Place, counted};

/// Sides and hit points of the original contest.
pub(super) const CONTEST_SIDE: u64 = 300;
pub(super) const CONTEST_HIT_POINTS: u64 = 100;

fn fault(place: Place, message: String, hint: Option<&str>) -> InputError {
    InputError { place, message, hint: hint.map(str::to_owned) }
}

/// A token as it is quoted: escaped, and cut if it is long.
pub(super) fn quote(token: &[u8]) -> String {
    const SHOWN: usize = 24;
    let shown = token[..token.len().min(SHOWN)].escape_ascii();
    let cut = if token.len() > SHOWN { "..." } else { "" };
    format!("`{shown}{cut}`")
}

/// A text made of the characters of the other game's boards.
fn other_game(token: &[u8]) -> Option<&'static str> {
    (!token.is_empty() && token.iter().all(|byte| b".#".contains(byte)))
        .then_some("this looks like a board of jsoi-game, not of ali-baba")
}

pub(super) fn empty(place: Place) -> InputError {
    fault(
        place,
        "expected a board, found an empty input".to_owned(),
        Some("a board is `N M` and then N rows of M numbers"),
    )
}

/// The size has ended before its second number.
pub(super) fn half_size(place: Place) -> InputError {
    fault(place, "expected the number of columns, found the end of the input".to_owned(), None)
}

/// A size that is no number.
pub(super) fn no_size(place: Place, what: &str, token: &[u8]) -> InputError {
    let hint = other_game(token)
        .or((place.case > 1).then_some("nothing but boards may follow the first board"));
    fault(place, format!("expected the number of {what}, found {}", quote(token)), hint)
}

/// A size that is not positive.
pub(super) fn small_size(place: Place, what: &str, token: &[u8], zeros: bool) -> InputError {
    let hint = zeros.then_some("no `0 0` ends this input: it just ends behind the last board");
    let message = format!("the number of {what} must be at least 1, found {}", quote(token));
    fault(place, message, hint)
}

/// A size beyond any memory.
pub(super) fn large_size(place: Place, what: &str, token: &[u8]) -> InputError {
    let message = format!("the number of {what} must be below 2^32, found {}", quote(token));
    fault(place, message, None)
}

/// A size beyond the contest's.
pub(super) fn contest_size(place: Place, what: &str, found: u64) -> InputError {
    let message = format!("{found} {what}: the contest allows at most {CONTEST_SIDE}");
    fault(place, message, None)
}

/// Hit points beyond the contest's.
pub(super) fn contest_hit_points(place: Place, token: &[u8]) -> InputError {
    let message =
        format!("{} hit points: the contest allows at most {CONTEST_HIT_POINTS}", quote(token));
    fault(place, message, None)
}

/// A cell that is no number.
pub(super) fn no_cell(place: Place, token: &[u8]) -> InputError {
    let message = format!("expected a number (0, hit points, or -1), found {}", quote(token));
    fault(place, message, other_game(token))
}

/// A cell below -1, or `-0`.
pub(super) fn negative(place: Place, token: &[u8]) -> InputError {
    let message = format!("expected 0, hit points, or -1 for the treasure, found {}", quote(token));
    fault(place, message, Some("-1 is the only number with a minus sign"))
}

/// A second treasure; cells are rows and columns from 1.
pub(super) fn second_treasure(
    place: Place,
    second: (usize, usize),
    first: (usize, usize),
) -> InputError {
    let message = format!(
        "a second treasure in row {}, column {}; the first is in row {}, column {}",
        second.0, second.1, first.0, first.1
    );
    let hint = "a board has one treasure; a missing or an additional number above shifts the rest";
    fault(place, message, Some(hint))
}

pub(super) fn no_treasure(place: Place, rows: usize, columns: usize) -> InputError {
    let message = format!("no treasure (-1) on this board of {rows} x {columns}");
    fault(place, message, None)
}

/// The input ends inside a board.
pub(super) fn truncated(place: Place, found: u64, rows: usize, columns: usize) -> InputError {
    let (full, rest) = (found / columns as u64, found % columns as u64);
    let message = format!(
        "case {} ends after {}, {}; expected {} of {}",
        place.case,
        counted(full, "row"),
        counted(rest, "number"),
        counted(rows as u64, "row"),
        counted(columns as u64, "number"),
    );
    fault(place, message, None)
}

/// A deviation from the strict format.
pub(super) fn layout(place: Place, what: &str) -> InputError {
    fault(
        place,
        format!("strict format: {what}"),
        Some("without the strict format this is accepted"),
    )
}
