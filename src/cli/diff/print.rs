//! What the comparisons say, as text and as JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::load::Loaded;
use super::{DiffFormat, DiffOptions, Said};
use crate::model::{Judgement, Mismatch, Verdict};
use crate::report::mismatch::{Charset, block, headline, quoted};
use crate::report::{Look, count};

/// All that is printed.
pub(super) fn text(options: &DiffOptions, said: &[Said], got: &Loaded, look: Look) -> String {
    match (options.format, said) {
        (DiffFormat::Json, said) => json(options, said, look),
        (DiffFormat::Text, [said]) if !options.all => one(said, got, look),
        (DiffFormat::Text, said) => table(said, look),
    }
}

fn one(said: &Said, got: &Loaded, look: Look) -> String {
    let Said { compare, judgement } = said;
    let name = look.name(&got.name);
    let code = judgement.verdict.code();
    if judgement.verdict == Verdict::Accepted {
        let bytes = count(got.output.bytes as usize, "byte");
        return format!("{code}  {name}: right under {compare}, {bytes}\n");
    }
    if judgement.verdict == Verdict::JudgeError {
        // The answer file is to blame, and the message begins with its name.
        return format!("{code}  {}\n", why(judgement, look));
    }
    let mut text = format!("{code}  {name}: {}\n", why(judgement, look));
    if let Some(mismatch) = &judgement.mismatch {
        for row in block(mismatch, look.charset) {
            text += &row;
            text.push('\n');
        }
    }
    if let Some(score) = judgement.score {
        let _ = writeln!(text, "    score: {score}");
    }
    if let Some(hint) = &judgement.hint {
        let _ = writeln!(text, "    hint: {}", look.name(hint));
    }
    text
}

fn why(judgement: &Judgement, look: Look) -> String {
    match &judgement.mismatch {
        Some(mismatch) => headline(mismatch, look.charset),
        None => look.name(&judgement.message),
    }
}

/// One row for each comparison.
fn table(said: &[Said], look: Look) -> String {
    let width = said.iter().map(|said| said.compare.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for Said { compare, judgement } in said {
        let score = judgement.score.map_or_else(String::new, |score| format!(" (score {score})"));
        let row = format!(
            "{compare:width$}  {:<2}{score}  {}",
            judgement.verdict.code(),
            why(judgement, look)
        );
        text += row.trim_end();
        text.push('\n');
    }
    text
}

fn json(options: &DiffOptions, said: &[Said], look: Look) -> String {
    let values: Vec<Value> = said.iter().map(|said| value(said, look)).collect();
    let value = match <[Value; 1]>::try_from(values) {
        Ok([value]) if !options.all => value,
        Ok([value]) => json!([value]),
        Err(values) => Value::Array(values),
    };
    format!("{value:#}\n")
}

fn value(said: &Said, look: Look) -> Value {
    let Said { compare, judgement } = said;
    json!({
        "compare": compare,
        "verdict": judgement.verdict.code(),
        "score": judgement.score,
        "message": why(judgement, look),
        "hint": judgement.hint,
        "mismatch": judgement.mismatch.as_deref().map(mismatch_value),
    })
}

fn mismatch_value(mismatch: &Mismatch) -> Value {
    let excerpt =
        |part: &Option<Vec<u8>>| part.as_deref().map(|bytes| quoted(bytes, Charset::Unicode));
    json!({
        "kind": mismatch.kind.word(),
        "line": mismatch.line,
        "token": mismatch.token,
        "byte": mismatch.byte,
        "expected": excerpt(&mismatch.expected),
        "got": excerpt(&mismatch.got),
        "remark": mismatch.remark,
    })
}
