//! Limits as people write them, and which of them holds for which run: built-in values, then
//! `[limits]`, `[limits.LANGUAGE]`, `[[limits.case]]`, then the command line.

use std::time::Duration;

use super::args::LimitOptions;
use crate::cli::suite::NameGlob;
use crate::model::{Clock, Limits};

/// Limits of one source; absent ones leave the choice to others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::cli) struct LimitSet {
    pub(in crate::cli) time: Option<Duration>,
    pub(in crate::cli) wall: Option<Duration>,
    pub(in crate::cli) memory: Option<u64>,
    pub(in crate::cli) stack: Option<u64>,
    pub(in crate::cli) output: Option<u64>,
    pub(in crate::cli) processes: Option<u32>,
}

/// All that a configuration says of limits.
#[derive(Debug, Clone, Default)]
pub(in crate::cli) struct LimitRules {
    pub(in crate::cli) all: LimitSet,
    /// By the short name of the language.
    pub(in crate::cli) languages: Vec<(String, LimitSet)>,
    /// By pattern of case names.
    pub(in crate::cli) cases: Vec<(NameGlob, LimitSet)>,
}

/// The time limit when nothing else is said.
const TIME: Duration = Duration::from_secs(2);

/// The memory limit when nothing else is said.
const MEMORY: u64 = 256 << 20;

/// The least output limit when nothing else is said.
const OUTPUT: u64 = 64 << 20;

/// What a language gets on top of the limits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Allowance {
    pub(super) time_factor: f64,
    pub(super) time_extra: Duration,
    pub(super) memory_extra: u64,
}

impl Allowance {
    /// Nothing on top.
    pub(super) const NONE: Self =
        Self { time_factor: 1.0, time_extra: Duration::ZERO, memory_extra: 0 };
}

impl LimitSet {
    fn or(&self, other: &Self) -> Self {
        Self {
            time: self.time.or(other.time),
            wall: self.wall.or(other.wall),
            memory: self.memory.or(other.memory),
            stack: self.stack.or(other.stack),
            output: self.output.or(other.output),
            processes: self.processes.or(other.processes),
        }
    }
}

impl From<LimitOptions> for LimitSet {
    fn from(options: LimitOptions) -> Self {
        let LimitOptions { time, wall, memory, stack, output, processes } = options;
        let time = time.first().copied();
        Self { time, wall, memory, stack, output, processes }
    }
}

/// The limits of one run.
pub(super) struct Situation<'a> {
    pub(super) language: &'a str,
    pub(super) case: &'a str,
    pub(super) answer_bytes: u64,
    pub(super) allowance: Allowance,
    pub(super) clock: Clock,
}

impl LimitRules {
    /// The limits that hold in a situation; the allowance goes on top of limits that are not meant
    /// for the language alone.
    pub(super) fn resolve(&self, options: &LimitSet, now: &Situation) -> Limits {
        let language = self.languages.iter().find(|(name, _)| name == now.language);
        let language = language.map(|(_, set)| set.clone()).unwrap_or_default();
        let matching = self.cases.iter().rev().filter(|(glob, _)| glob.matches(now.case));
        let case = matching.fold(LimitSet::default(), |set, (_, other)| set.or(other));
        let general = options.or(&case).or(&self.all);
        let own_time = language.time.filter(|_| options.time.is_none());
        let own_memory = language.memory.filter(|_| options.memory.is_none());
        let allowance = now.allowance;
        let time = own_time.unwrap_or_else(|| {
            general.time.unwrap_or(TIME).mul_f64(allowance.time_factor) + allowance.time_extra
        });
        let memory =
            own_memory.unwrap_or_else(|| general.memory.unwrap_or(MEMORY) + allowance.memory_extra);
        let rest = options.or(&language).or(&general);
        let output = rest.output.unwrap_or_else(|| OUTPUT.max(now.answer_bytes.saturating_mul(2)));
        Limits {
            time: Some(time),
            wall: Some(rest.wall.unwrap_or_else(|| time * 2 + Duration::from_secs(1))),
            memory: Some(memory),
            stack: rest.stack,
            output: Some(output),
            processes: rest.processes,
            clock: now.clock,
        }
    }
}

/// `2`, `1.5s`, `250ms`.
pub(in crate::cli) fn parse_time(text: &str) -> Result<Duration, String> {
    let wrong = || format!("expected seconds, or a time such as 1.5s or 250ms, found `{text}`");
    let units = [("ms", 1e-3), ("s", 1.0), ("min", 60.0)];
    let unit = units.iter().find(|(unit, _)| text.ends_with(unit));
    let (number, factor) =
        unit.map_or((text, 1.0), |(unit, factor)| (&text[..text.len() - unit.len()], *factor));
    let seconds: f64 = number.trim_end().parse().map_err(|_| wrong())?;
    let seconds = seconds * factor;
    if !(0.001..=86_400.0).contains(&seconds) {
        return Err(format!("expected a time from 1ms to a day, found `{text}`"));
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// `256` (MiB), `64KiB`, `1GiB`.
pub(in crate::cli) fn parse_size(text: &str) -> Result<u64, String> {
    let wrong = || format!("expected MiB, or a size such as 256MiB or 1GiB, found `{text}`");
    let units = [("KiB", 1_u64 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("B", 1)];
    let unit = units.iter().find(|(unit, _)| text.ends_with(unit));
    let (number, factor) =
        unit.map_or((text, 1 << 20), |(unit, factor)| (&text[..text.len() - unit.len()], *factor));
    let number: f64 = number.trim_end().parse().map_err(|_| wrong())?;
    let bytes = number * factor as f64;
    if !(1.0..=1e15).contains(&bytes) {
        return Err(wrong());
    }
    #[expect(clippy::cast_sign_loss, reason = "it is at least 1")]
    let bytes = bytes as u64;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_are_read_with_and_without_units() {
        let ms = |text| parse_time(text).unwrap().as_millis();
        assert_eq!(
            (ms("2"), ms("1.5s"), ms("250ms"), ms("0.5"), ms("1min")),
            (2000, 1500, 250, 500, 60_000)
        );
        for wrong in ["", "s", "0", "-1", "1h", "nan", "inf", "1e9"] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
        let size = |text| parse_size(text).unwrap();
        assert_eq!((size("256"), size("1GiB"), size("64KiB")), (256 << 20, 1 << 30, 64 << 10));
        assert_eq!((size("100B"), size("0.5")), (100, 1 << 19));
        for wrong in ["", "MiB", "0", "-1", "1TB", "nan"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }

    fn seconds(time: u64) -> LimitSet {
        LimitSet { time: Some(Duration::from_secs(time)), ..LimitSet::default() }
    }

    #[test]
    fn the_nearest_rule_wins_and_allowances_go_on_top_of_general_ones() {
        let rules = LimitRules {
            all: seconds(3),
            languages: vec![("java".into(), seconds(9))],
            cases: vec![(crate::cli::suite::parse_glob("secret/*").unwrap(), seconds(4))],
        };
        let allowance = Allowance {
            time_factor: 2.0,
            time_extra: Duration::from_secs(1),
            memory_extra: 1 << 20,
        };
        let time = |options: &LimitSet, language, case, allowance| {
            let now = Situation { language, case, answer_bytes: 0, allowance, clock: Clock::Cpu };
            rules.resolve(options, &now).time.unwrap().as_secs()
        };
        let (none, one) = (LimitSet::default(), seconds(1));
        assert_eq!(time(&none, "c", "sample/1", Allowance::NONE), 3);
        assert_eq!(time(&none, "c", "secret/1", Allowance::NONE), 4);
        assert_eq!(time(&none, "py", "secret/1", allowance), 9);
        assert_eq!(time(&none, "java", "secret/1", allowance), 9);
        assert_eq!(time(&one, "java", "secret/1", allowance), 3);
    }

    #[test]
    fn what_is_not_said_follows_from_the_time_limit_and_the_answer() {
        let now = Situation {
            language: "c",
            case: "1",
            answer_bytes: 50 << 20,
            allowance: Allowance::NONE,
            clock: Clock::Cpu,
        };
        let limits = LimitRules::default().resolve(&seconds(3), &now);
        assert_eq!(limits.wall, Some(Duration::from_secs(7)));
        assert_eq!(limits.memory, Some(256 << 20));
        assert_eq!(limits.output, Some(100 << 20));
    }
}
