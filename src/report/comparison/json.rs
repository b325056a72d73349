//! The comparison for programs: `jury-comparison/1`.

use std::io::{self, Write};

use serde::Serialize;

use super::Counts;
use crate::baseline::{CHANCE, DIFFERENCE, RATIO, RUNS, SMALL};
use crate::model::Comparison;

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    rule: Rule,
    #[serde(flatten)]
    comparison: &'a Comparison,
    summary: Summary,
}

/// The rule that was used.
#[derive(Serialize)]
struct Rule {
    ratio_above: f64,
    difference_above_ns: u64,
    p_below: f64,
    runs: usize,
    small_below_ns: u64,
}

#[derive(Serialize)]
struct Summary {
    slower: usize,
    faster: usize,
    unchanged: usize,
    regressions: usize,
}

pub(super) fn write(out: &mut impl Write, comparison: &Comparison) -> io::Result<()> {
    let Counts { slower, faster, unchanged, .. } = Counts::of(comparison);
    let document = Document {
        schema: "jury-comparison/1",
        rule: Rule {
            ratio_above: RATIO,
            difference_above_ns: DIFFERENCE,
            p_below: CHANCE,
            runs: RUNS,
            small_below_ns: SMALL,
        },
        comparison,
        summary: Summary { slower, faster, unchanged, regressions: comparison.regressions() },
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}
