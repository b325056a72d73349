//! The first difference of a record: bytes as escaped literals, both sides next to each other.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize};

use super::literal::{bytes, literal};
use crate::model::{CaseResult, Line, Mismatch, MismatchKind, Totals, Verdict, ViewRow};

/// The first difference of a record.
#[derive(Debug, Serialize)]
pub(in crate::report) struct RecordMismatch<'a> {
    pub(in crate::report) mismatch: MismatchKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) token: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) byte: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) expected_excerpt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) got_excerpt: Option<String>,
    #[serde(skip_serializing_if = "str::is_empty")]
    remark: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    totals: Option<Totals>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    view: Vec<RecordRow>,
}

/// A row of both sides next to each other.
#[derive(Debug, Serialize, Deserialize)]
struct RecordRow {
    line: u64,
    /// Where it is another one than the answer's.
    #[serde(skip_serializing_if = "Option::is_none")]
    got_line: Option<u64>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    differs: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<RecordLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    got: Option<RecordLine>,
}

/// A line, or the part of a long line around the difference.
#[derive(Debug, Serialize, Deserialize)]
struct RecordLine {
    text: String,
    #[serde(default, skip_serializing_if = "is_zero")]
    cut_before: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    cut_after: u64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    unterminated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<(usize, usize)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    token_of: Option<(u64, u64)>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl<'a> RecordMismatch<'a> {
    /// The difference of a result: one that a comparison found, or what a checker refused.
    pub(super) fn of(result: &'a CaseResult) -> Option<Self> {
        let found = result.mismatch.as_deref().map(Self::new);
        found.or_else(|| Self::refused(result))
    }

    /// What a checker program refused, as far as it tells the place.
    fn refused(result: &CaseResult) -> Option<Self> {
        let remarks = result.remarks.as_ref().filter(|_| result.verdict != Verdict::Accepted)?;
        Some(Self {
            mismatch: MismatchKind::Checker,
            line: None,
            token: None,
            byte: remarks.position.map(|(_, output)| output),
            expected_excerpt: None,
            got_excerpt: None,
            remark: Cow::Borrowed(""),
            totals: None,
            view: Vec::new(),
        })
    }

    fn new(mismatch: &'a Mismatch) -> Self {
        Self {
            mismatch: mismatch.kind,
            line: Some(mismatch.line),
            token: mismatch.token,
            byte: Some(mismatch.byte),
            expected_excerpt: mismatch.expected.as_deref().map(literal),
            got_excerpt: mismatch.got.as_deref().map(literal),
            remark: (&mismatch.remark).into(),
            totals: mismatch.totals,
            view: mismatch.view.iter().map(RecordRow::new).collect(),
        }
    }

    /// The difference that a comparison found; none for what a checker refused.
    pub(super) fn difference(self) -> Result<Option<Mismatch>, &'static str> {
        let Some(line) = self.line else { return Ok(None) };
        let excerpt =
            |text: Option<String>, name| text.map(|text| bytes(&text).ok_or(name)).transpose();
        let view: Result<Vec<ViewRow>, _> = self.view.into_iter().map(RecordRow::row).collect();
        Ok(Some(Mismatch {
            kind: self.mismatch,
            line,
            token: self.token,
            byte: self.byte.unwrap_or_default(),
            expected: excerpt(self.expected_excerpt, "expected_excerpt")?,
            got: excerpt(self.got_excerpt, "got_excerpt")?,
            remark: self.remark.into_owned(),
            view: view?,
            totals: self.totals,
        }))
    }
}

impl RecordRow {
    fn new(row: &ViewRow) -> Self {
        Self {
            line: row.number,
            got_line: Some(row.got_number).filter(|&number| number != row.number),
            differs: row.differs,
            expected: row.expected.as_ref().map(RecordLine::new),
            got: row.got.as_ref().map(RecordLine::new),
        }
    }

    fn row(self) -> Result<ViewRow, &'static str> {
        Ok(ViewRow {
            number: self.line,
            got_number: self.got_line.unwrap_or(self.line),
            differs: self.differs,
            expected: self.expected.map(RecordLine::line).transpose()?,
            got: self.got.map(RecordLine::line).transpose()?,
        })
    }
}

impl RecordLine {
    fn new(line: &Line) -> Self {
        Self {
            text: literal(&line.bytes),
            cut_before: line.cut_before,
            cut_after: line.cut_after,
            unterminated: !line.terminated,
            mark: line.mark,
            token_of: line.token_of,
        }
    }

    fn line(self) -> Result<Line, &'static str> {
        let bytes = bytes(&self.text).ok_or("view")?;
        let inside = |&(start, end): &(usize, usize)| start <= end && end <= bytes.len();
        if !self.mark.as_ref().is_none_or(inside) {
            return Err("view");
        }
        Ok(Line {
            bytes,
            cut_before: self.cut_before,
            cut_after: self.cut_after,
            terminated: !self.unterminated,
            mark: self.mark,
            token_of: self.token_of,
        })
    }
}

/// The members of a record that are about a difference, each there or not.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Members {
    mismatch: Option<MismatchKind>,
    line: Option<u64>,
    token: Option<u64>,
    byte: Option<u64>,
    expected_excerpt: Option<String>,
    got_excerpt: Option<String>,
    remark: String,
    totals: Option<Totals>,
    view: Vec<RecordRow>,
}

/// Reads the difference of a record; a member that is there has to be what it should be.
pub(super) fn read<'de, 'a, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<RecordMismatch<'a>>, D::Error> {
    let members = Members::deserialize(from)?;
    Ok(members.mismatch.map(|mismatch| RecordMismatch {
        mismatch,
        line: members.line,
        token: members.token,
        byte: members.byte,
        expected_excerpt: members.expected_excerpt,
        got_excerpt: members.got_excerpt,
        remark: members.remark.into(),
        totals: members.totals,
        view: members.view,
    }))
}
