//! The JSON document.

use serde::Deserialize;

use super::{ReadError, Told, broken, check_schema};
use crate::model::Comparison;
use crate::report::head::{
    CaseHead, Config, Host, ProblemHead, RunHead, SubmissionHead, SummaryTail, Tool,
};
use crate::report::record::Record;
use crate::report::submission::CompiledHead;

#[derive(Deserialize)]
#[serde(expecting = "a report, `{\"schema\":...}`")]
struct Document {
    schema: String,
    tool: Tool<'static>,
    #[serde(default)]
    run: RunHead<'static>,
    #[serde(default)]
    host: Host<'static>,
    config: Config<'static>,
    #[serde(default)]
    problems: Vec<ProblemHead<'static>>,
    #[serde(default)]
    submissions: Vec<SubmissionHead<'static>>,
    #[serde(default)]
    cases: Vec<CaseHead<'static>>,
    results: Vec<Record<'static>>,
    #[serde(default)]
    compiled: Vec<CompiledHead<'static>>,
    #[serde(default)]
    comparison: Option<Box<Comparison>>,
    summary: SummaryTail,
}

/// The part that says whether the rest can be understood.
#[derive(Deserialize)]
struct Mark {
    schema: String,
}

/// Reads a document.
pub(super) fn read(name: &str, bytes: &[u8]) -> Result<Told, ReadError> {
    let document: Document = serde_json::from_slice(bytes).map_err(|error| {
        let mark: Option<Mark> = serde_json::from_slice(bytes).ok();
        let foreign = mark.map(|mark| check_schema(name, &mark.schema));
        foreign.and_then(Result::err).unwrap_or_else(|| broken(name, &error, 0))
    })?;
    check_schema(name, &document.schema)?;
    Ok(Told {
        name: name.to_owned(),
        tool: document.tool,
        run: document.run,
        host: document.host,
        config: document.config,
        problems: document.problems,
        submissions: document.submissions,
        cases: document.cases,
        records: document.results,
        compiled: document.compiled,
        comparison: document.comparison,
        summary: Some(document.summary),
        torn: false,
    })
}
