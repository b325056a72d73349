use serde::{Deserialize, Serialize};

/// CPU times of the single runs of a case, in nanoseconds, and what was run on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Samples {
    /// Of the runs that were made, in their order.
    pub cpu_ns: Vec<u64>,
    /// Of the base program, which ran before each of them; empty where there is none.
    pub base_cpu_ns: Vec<u64>,
    /// The BLAKE3 hash of the input, where it was asked for.
    pub input: Option<String>,
}

/// What became of a case since the base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// It takes more time: the rule holds.
    Slower,
    /// It takes less time: the rule holds the other way round.
    Faster,
    /// Neither.
    Same,
    /// It would be slower or faster, but was not run often enough to tell.
    Unclear,
    /// It takes too little time in both to be compared alone.
    Small,
    /// The base does not have it.
    New,
    /// Only the base has it.
    Removed,
    /// Its input is another one.
    Input,
    /// Its verdict is another one.
    Verdict,
    /// It was ended in both, so its times say nothing.
    Ended,
}

impl Change {
    /// The word in reports.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Slower => "slower",
            Self::Faster => "faster",
            Self::Same => "same",
            Self::Unclear => "unclear",
            Self::Small => "small",
            Self::New => "new",
            Self::Removed => "removed",
            Self::Input => "input",
            Self::Verdict => "verdict",
            Self::Ended => "ended",
        }
    }
}

/// What became of a case since the base, in short.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SinceBase {
    /// The word for it.
    pub change: Change,
    /// Median CPU time of the base in nanoseconds, where the times were compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_cpu_ns: Option<u64>,
    /// The present median divided by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_ratio: Option<f64>,
}

/// The times of two sets of runs beside each other.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Weighed {
    /// Median CPU time of the base.
    pub base_cpu_ns: u64,
    /// Median CPU time now.
    pub head_cpu_ns: u64,
    /// The second divided by the first.
    pub ratio: f64,
    /// The 95 % range of the ratio; none for fewer than four runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<(f64, f64)>,
    /// The chance of such a rise, or of such a fall if the ratio is below 1, without a reason.
    pub p: f64,
    /// Runs of the base.
    pub base_runs: usize,
    /// Runs now.
    pub head_runs: usize,
}

/// One case in two runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CaseChange {
    /// The problem.
    pub problem: String,
    /// The submission.
    pub submission: String,
    /// The case.
    pub case: String,
    /// What became of it.
    pub change: Change,
    /// The times, where they were compared.
    #[serde(flatten)]
    pub weighed: Option<Weighed>,
    /// More words, such as both verdicts.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub remark: String,
}

impl CaseChange {
    /// The same in short.
    #[must_use]
    pub fn short(&self) -> SinceBase {
        SinceBase {
            change: self.change,
            base_cpu_ns: self.weighed.map(|weighed| weighed.base_cpu_ns),
            cpu_ratio: self.weighed.map(|weighed| weighed.ratio),
        }
    }
}

/// One of the two runs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparedRun {
    /// The file, or the program.
    pub name: String,
    /// When it was started, RFC 3339; empty where it is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub started_at: String,
    /// The commit of the project; empty where it is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub commit: String,
    /// The processor; empty where it is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub cpu: String,
    /// The fewest and the most runs of a case.
    pub runs: (usize, usize),
}

/// Two runs beside each other.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The earlier run.
    pub base: ComparedRun,
    /// The later one.
    pub head: ComparedRun,
    /// Whether base and head ran alternately.
    pub interleaved: bool,
    /// Why the times are not comparable; empty when they are.
    pub not_comparable: Vec<String>,
    /// Every case, first those of the head in its order, then those that were removed.
    pub cases: Vec<CaseChange>,
    /// All cases that are too small, as one sum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub small: Option<SmallSum>,
}

/// The cases that are too small to be compared alone, added up run by run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SmallSum {
    /// How many there are.
    pub cases: usize,
    /// What became of the sum.
    pub change: Change,
    /// Its times.
    #[serde(flatten)]
    pub weighed: Weighed,
}

impl Comparison {
    /// How many cases became this.
    #[must_use]
    pub fn count(&self, change: Change) -> usize {
        self.cases.iter().filter(|case| case.change == change).count()
    }

    /// How often the rule says slower: cases, and the sum of the small ones.
    #[must_use]
    pub fn slower(&self) -> usize {
        let sum = self.small.as_ref().is_some_and(|sum| sum.change == Change::Slower);
        self.count(Change::Slower) + usize::from(sum)
    }

    /// Real regressions: what is slower in runs that are comparable.
    #[must_use]
    pub fn regressions(&self) -> usize {
        if self.is_comparable() { self.slower() } else { 0 }
    }

    /// Whether the runs as a whole are comparable.
    #[must_use]
    pub fn is_comparable(&self) -> bool {
        self.not_comparable.is_empty()
    }
}
