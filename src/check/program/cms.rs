use super::said::{lines, number};
use super::{Fault, Feed, Opinion, Protocol, Said, points};

/// Comparators of CMS.
///
/// `checker INPUT ANSWER OUTPUT`. The first line on standard output is the score from 0 to 1, the
/// first line on standard error the words for the contestant (`translate:success`,
/// `translate:partial` and `translate:wrong` stand for words of CMS); lines there that start with
/// `ADMIN_MESSAGE:` are for the jury. An exit code other than 0 is a judge error.
///
/// Source: CMS, "Standard manager output"; `cms/grading/steps/trusted.py`.
pub(super) const CMS: Protocol = Protocol {
    name: "cms",
    summary: "INPUT ANSWER OUTPUT, score from 0 to 1 on stdout",
    arguments: &["{input}", "{answer}", "{output}"],
    stdin: Feed::Nothing,
    folder: None,
    files: &[],
    next: None,
    full_score: 1.0,
    read,
};

const ADMIN: &[u8] = b"ADMIN_MESSAGE:";

fn read(said: &Said) -> Result<Opinion, Fault> {
    if said.code != 0 {
        return Err(said.unknown_code("0"));
    }
    let first = said.stdout.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let score = number(first).ok_or("the first line on stdout is no score from 0 to 1")?;
    let team = said.stderr.split(|&byte| byte == b'\n').next().unwrap_or_default().trim_ascii();
    let admin = lines(&said.stderr).find_map(|line| line.strip_prefix(ADMIN));
    let mut opinion = points::opinion(score, said.full_score, admin.unwrap_or(team).trim_ascii())?;
    if admin.is_some() {
        opinion.remarks.set_team(team);
    }
    Ok(opinion)
}
