//! The run beside its baseline: what became slower or faster, the rest counted.

use super::super::Look;
use super::super::comparison::{self, Lines};
use super::super::excerpt::Charset;
use super::data::{Data, shown};

/// The section.
pub(super) struct Baseline {
    pub(super) title: String,
    pub(super) summary: String,
    pub(super) reasons: Vec<String>,
    pub(super) rows: Vec<Row>,
    pub(super) left_out: usize,
    pub(super) lines: Vec<String>,
}

/// A case with other times.
pub(super) struct Row {
    pub(super) word: &'static str,
    pub(super) class: &'static str,
    pub(super) case: String,
    pub(super) base: String,
    pub(super) head: String,
    pub(super) ratio: String,
    pub(super) range: String,
}

/// Rows that are shown.
const ROWS: usize = 200;

impl Baseline {
    /// Of a run that has one.
    pub(super) fn new(data: &Data) -> Option<Self> {
        let compared = data.report.comparison.as_deref().filter(|_| data.is_measured())?;
        let look = Look { charset: Charset::Unicode };
        let Lines { rows, others } = comparison::lines(compared, look);
        let all = rows.len();
        let rows = rows.into_iter().take(ROWS).map(|[word, case, base, head, ratio, range]| Row {
            class: match word.as_str() {
                "SLOWER" => "bad",
                "faster" => "good",
                _ => "",
            },
            word: match word.as_str() {
                "SLOWER" => "slower",
                "faster" => "faster",
                _ => "unclear",
            },
            case: shown(&case),
            base,
            head,
            ratio,
            range,
        });
        Some(Self {
            title: comparison::title(compared, look),
            summary: comparison::summary(compared),
            reasons: compared.not_comparable.iter().map(|reason| shown(reason)).collect(),
            rows: rows.collect(),
            left_out: all.saturating_sub(ROWS),
            lines: others.into_iter().chain([comparison::rule()]).collect(),
        })
    }
}
