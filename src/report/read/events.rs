//! The events of JSON Lines.

use serde::Deserialize;

use super::{ReadError, Told, broken, check_schema};
use crate::model::Comparison;
use crate::report::head::SummaryTail;
use crate::report::jsonl::Started;
use crate::report::record::Record;
use crate::report::submission::CompiledHead;

/// What the first line of events has and a document has not.
#[derive(Deserialize)]
struct First {
    #[serde(rename = "event")]
    _event: String,
}

/// The events that tell what reports need; others are passed over.
#[derive(Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case", expecting = "an event, `{\"event\":...}`")]
enum Event {
    RunStarted(Box<Started<'static>>),
    Compiled(CompiledHead<'static>),
    CaseFinished(Box<Record<'static>>),
    Compared {
        comparison: Box<Comparison>,
    },
    RunFinished {
        summary: SummaryTail,
    },
    #[serde(other)]
    Unknown,
}

/// Whether a file begins with an event.
pub(super) fn is_first_line(bytes: &[u8]) -> bool {
    let line = bytes.split_inclusive(|&byte| byte == b'\n').find(|line| !is_blank(line));
    line.is_some_and(|line| serde_json::from_slice::<First>(line).is_ok())
}

/// Reads events; the run may have been killed at any moment.
pub(super) fn read(name: &str, bytes: &[u8]) -> Result<Told, ReadError> {
    let mut told: Option<Told> = None;
    let mut above = 0;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        if !is_blank(text) {
            match (serde_json::from_slice::<Event>(text), &mut told) {
                (Ok(event), _) => take(name, &mut told, event, above)?,
                (Err(_), Some(told)) if !line.ends_with(b"\n") => told.torn = true,
                (Err(error), _) => return Err(broken(name, &error, above)),
            }
        }
        above += 1;
    }
    told.ok_or_else(|| no_start(name, above))
}

fn take(name: &str, told: &mut Option<Told>, event: Event, above: usize) -> Result<(), ReadError> {
    match (event, told) {
        (Event::RunStarted(started), told @ None) => {
            check_schema(name, &started.schema)?;
            *told = Some(start(name, *started));
        }
        (Event::CaseFinished(record), Some(told)) => told.records.push(*record),
        (Event::Compiled(compiled), Some(told)) => told.compiled.push(compiled),
        (Event::Compared { comparison }, Some(told)) => told.comparison = Some(comparison),
        (Event::RunFinished { summary }, Some(told)) => told.summary = Some(summary),
        (Event::Unknown, _) => {}
        (Event::RunStarted(_), Some(_)) => {
            let what = "a second run starts in the middle of a file".to_owned();
            return Err(ReadError::Broken { name: name.into(), line: above + 1, column: 1, what });
        }
        (_, None) => return Err(no_start(name, above)),
    }
    Ok(())
}

fn no_start(name: &str, above: usize) -> ReadError {
    let what = "expected the event `run-started` first".to_owned();
    ReadError::Broken { name: name.into(), line: above.max(1), column: 1, what }
}

fn start(name: &str, started: Started<'static>) -> Told {
    Told {
        name: name.to_owned(),
        tool: started.tool,
        run: started.run,
        host: started.host,
        config: started.config,
        problems: started.problems,
        submissions: started.submissions,
        cases: started.selected,
        records: Vec::new(),
        compiled: Vec::new(),
        comparison: None,
        summary: None,
        torn: false,
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}
