//! How outputs and talks are judged: in one way, and in others where `[problems.NAME]` says so.

use std::path::Path;
use std::sync::Arc;

use super::args::GradeOptions;
use super::checker::{self, Choice};
use super::interactor::{self, Talks};
use crate::check::program::ProgramChecker;
use crate::check::{CheckError, Checker};
use crate::cli::config::Config;
use crate::cli::error::CommandError;
use crate::execute::Workers;
use crate::model::{Judgement, Output, Plan, Run, TestCase};

/// How the problems of a run are judged; nothing is built yet.
pub(super) struct Judging {
    usual: Way,
    /// Problems that are judged in a way of their own.
    own: Vec<(String, Way)>,
}

/// A checker, and an interactor where there is one.
struct Way {
    choice: Choice,
    talk: Option<interactor::Chosen>,
}

impl Judging {
    /// What the command line and the configuration say, for the problem, or the contest, in this
    /// folder.
    pub(super) fn choose(
        options: &GradeOptions,
        config: &Config,
        folder: Option<&Path>,
    ) -> Result<Self, CommandError> {
        let usual = Way::choose(options, config, folder)?;
        let own = config.judged.keys().map(|name| {
            let way = Way::choose(options, &config.of_problem(name), folder)?;
            Ok((name.clone(), way))
        });
        let judging = Self { usual, own: own.collect::<Result<_, CommandError>>()? };
        judging.refuse(options)?;
        Ok(judging)
    }

    /// Refuses options that nobody obeys.
    fn refuse(&self, options: &GradeOptions) -> Result<(), CommandError> {
        if options.transcript && !self.has_talks() {
            let message = "--transcript: there is no interactor to be listened to";
            return Err(CommandError::usage(message).hint("[interactor] in jury.toml names one"));
        }
        let asks = |way: &Way| way.talk.is_some() || matches!(way.choice, Choice::Program(_));
        if options.passes.is_some() && !self.ways().any(|(_, way)| asks(way)) {
            let message = "--passes: there is no checker program and no interactor to ask for one";
            return Err(CommandError::usage(message));
        }
        Ok(())
    }

    /// Refuses names of problems that are not among these. A problem that is graded alone may have a
    /// configuration that speaks of others, but not of one with nearly its name.
    pub(super) fn refuse_unknown(&self, problems: &[String]) -> Result<(), CommandError> {
        let named = |name: &String| self.own.iter().any(|(own, _)| own == name);
        for (name, _) in self.own.iter().filter(|(name, _)| !problems.contains(name)) {
            let distance = |known: &String| strsim::damerau_levenshtein(known, name);
            let near = problems.iter().filter(|known| distance(known) <= 2 && !named(known));
            let near = near.min_by_key(|known| distance(known));
            if near.is_none() && problems.len() < 2 {
                continue;
            }
            let meant = near.map_or_else(String::new, |near| format!("did you mean `{near}`? "));
            let message = format!("[problems.{name}] in jury.toml: there is no such problem");
            let known = problems.join(", ");
            return Err(CommandError::usage(message).hint(format!("{meant}problems: {known}")));
        }
        Ok(())
    }

    fn ways(&self) -> impl Iterator<Item = (Option<&str>, &Way)> {
        let own = self.own.iter().map(|(name, way)| (Some(name.as_str()), way));
        std::iter::once((None, &self.usual)).chain(own)
    }

    /// Whether a problem has an interactor.
    pub(super) fn has_talks(&self) -> bool {
        self.ways().any(|(_, way)| way.talk.is_some())
    }

    /// The lines that tell of all before a run.
    pub(super) fn lines(&self) -> Vec<String> {
        let told = |(name, way): (Option<&str>, &Way)| {
            let title = name.map(|name| format!("problem {name}:"));
            title.into_iter().chain(way.lines()).collect::<Vec<_>>()
        };
        self.ways().flat_map(told).collect()
    }

    /// Equal for the same way to judge.
    pub(super) fn fingerprint(&self) -> String {
        let one = |(name, way): (Option<&str>, &Way)| {
            format!("{} {}\n", name.unwrap_or_default(), way.fingerprint())
        };
        self.ways().map(one).collect()
    }

    /// The run with what the reports say of checkers and interactors.
    pub(super) fn describe(&self, run: Run) -> Run {
        let all = |of: fn(&Way) -> String| {
            let one = |(name, way): (Option<&str>, &Way)| match (name, of(way)) {
                (_, told) if told.is_empty() => None,
                (None, told) => Some(told),
                (Some(name), told) => Some(format!("{name}: {told}")),
            };
            self.ways().filter_map(one).collect::<Vec<_>>().join("; ")
        };
        let (compare, checker) = (all(Way::compare), all(Way::checker));
        Run { compare, checker, interactor: all(Way::interactor), ..run }
    }

    /// The sandbox of the checker programs, when there are any.
    pub(super) fn workers(
        &self,
        options: &GradeOptions,
        config: &Config,
        jobs: usize,
        plan: &Plan,
    ) -> Result<Option<Arc<Workers>>, CommandError> {
        let mut programs = self.ways().filter(|(_, way)| way.is_checked()).map(|(_, way)| way);
        let program = programs.find(|way| matches!(way.choice, Choice::Program(_)));
        program.map_or(Ok(None), |way| way.choice.workers(options, config, jobs, plan))
    }

    /// Builds all programs: checkers to be run by `checking`, interactors by `talking`.
    pub(super) fn build(
        &self,
        checking: Option<&Arc<Workers>>,
        talking: Option<&Arc<Workers>>,
        cache: Option<&Path>,
    ) -> Result<Judges<'_>, CommandError> {
        let build = |way: &Way| {
            let checking = checking.filter(|_| way.is_checked());
            let checker = way.choice.build(checking, cache)?;
            let place = talking.zip(cache);
            let talks = way.talk.as_ref().zip(place);
            let talks = talks.map(|(talk, (workers, cache))| talk.build(workers, cache));
            Ok(Judge { checker, talks: talks.transpose()? })
        };
        let own = self.own.iter().map(|(_, way)| build(way));
        let own = own.collect::<Result<_, CommandError>>()?;
        Ok(Judges { judging: self, usual: build(&self.usual)?, own })
    }
}

impl Way {
    fn choose(
        options: &GradeOptions,
        config: &Config,
        folder: Option<&Path>,
    ) -> Result<Self, CommandError> {
        let choice = checker::choose(options, config, folder)?;
        let talk = interactor::choose(options, config, folder, &choice)?;
        Ok(Self { choice, talk })
    }

    /// Whether outputs, or what an interactor writes, are judged by the checker.
    fn is_checked(&self) -> bool {
        self.talk.as_ref().is_none_or(interactor::Chosen::is_checked)
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = self.talk.as_ref().map(interactor::Chosen::lines).unwrap_or_default();
        if self.is_checked() {
            lines.extend(self.choice.lines());
        }
        lines
    }

    fn fingerprint(&self) -> String {
        let talk = self.talk.as_ref().map(interactor::Chosen::fingerprint).unwrap_or_default();
        format!("{}{talk}", self.choice.fingerprint())
    }

    fn compare(&self) -> String {
        if self.is_checked() { self.choice.name() } else { "interactor".to_owned() }
    }

    fn checker(&self) -> String {
        if self.is_checked() { self.choice.title() } else { String::new() }
    }

    fn interactor(&self) -> String {
        self.talk.as_ref().map_or_else(String::new, interactor::Chosen::title)
    }
}

/// All programs of the jury, built. As a checker it judges each case as its problem is to be judged.
pub(super) struct Judges<'a> {
    judging: &'a Judging,
    usual: Judge,
    /// In the order of the problems with a way of their own.
    own: Vec<Judge>,
}

/// What judges a problem.
pub(super) struct Judge {
    /// The checker program.
    pub(super) checker: Option<Arc<ProgramChecker>>,
    /// The interactor.
    pub(super) talks: Option<Talks>,
}

impl Judges<'_> {
    fn find(&self, problem: &str) -> (&Way, &Judge) {
        match self.judging.own.iter().zip(&self.own).find(|((name, _), _)| name == problem) {
            Some(((_, way), judge)) => (way, judge),
            None => (&self.judging.usual, &self.usual),
        }
    }

    /// What judges a problem.
    pub(super) fn of(&self, problem: &str) -> &Judge {
        self.find(problem).1
    }
}

impl Checker for Judges<'_> {
    fn name(&self) -> &'static str {
        "by problem"
    }

    fn check(&self, case: &TestCase, output: &mut Output) -> Result<Judgement, CheckError> {
        let problem = case.name.split_once('/').map_or("", |(problem, _)| problem);
        let (way, judge) = self.find(problem);
        way.choice.checker(judge.checker.as_deref()).check(case, output)
    }
}
