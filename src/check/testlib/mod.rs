//! The checkers that come with testlib.
//!
//! Their exit codes become verdicts: 1 and 2 (presentation) are wrong answers, 3 says that the
//! answer file is not what the checker takes, which is a judge error. A byte order mark at the start
//! of the output is skipped. Unlike testlib, files may be of any size.

use super::CheckError;
use super::compare::{Comparison, Fault, Found};
use super::gap::{FeedsThenBlanks, Free, SPACE, TESTLIB};
use super::pairwise::{self, Ended, TokenRule};
use super::preset::Preset;
use super::rule::Rule;
use super::source::Source;
use crate::simd::Level;

mod cases;
mod lines;
mod sequence;
mod single;
mod unordered;

use cases::{Cases, Values};
use lines::Fcmp;
use sequence::{Doubles, Integers, YesNos};
use single::{Single, Value};
use unordered::Uncmp;

/// The mark that is skipped at the start of an output.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Skips a byte order mark.
fn skip_mark(output: &mut Source) -> Result<(), CheckError> {
    output.fill()?;
    while output.rest().len() < MARK.len() && output.more()? {}
    if output.rest().starts_with(MARK) {
        output.pass(MARK.len(), 0);
    }
    Ok(())
}

/// A token that the checker does not take, or a missing one.
fn misfit(side: Ended, what: &str) -> Fault {
    match side {
        Ended::Answer => Fault::Answer(format!("{what} was expected")),
        Ended::Output => Fault::Presentation(format!("{what} was expected")),
    }
}

/// Tokens with what stands between them free.
struct Tokens<T>(T);

impl<T: TokenRule> Comparison for Tokens<T> {
    fn compare<'s>(
        &self,
        level: Level,
        answer: &mut Source<'s>,
        output: &mut Source<'s>,
    ) -> Result<Option<Found>, CheckError> {
        skip_mark(output)?;
        pairwise::find::<Free, _>(&TESTLIB, &self.0, level, answer, output)
    }

    fn view(&self) -> Rule {
        Rule::Tokens
    }
}

/// Words on lines.
struct Lcmp;

impl Comparison for Lcmp {
    fn compare<'s>(
        &self,
        level: Level,
        answer: &mut Source<'s>,
        output: &mut Source<'s>,
    ) -> Result<Option<Found>, CheckError> {
        skip_mark(output)?;
        pairwise::find::<FeedsThenBlanks, _>(&SPACE, &Dirt, level, answer, output)
    }

    fn view(&self) -> Rule {
        Rule::Tokens
    }
}

/// Words, where more of them than the answer has are a fault of presentation.
struct Dirt;

impl TokenRule for Dirt {
    const REFLEXIVE: bool = true;

    fn same(&self, answer: &[u8], output: &[u8]) -> Result<(), Fault> {
        if answer == output { Ok(()) } else { Err(Fault::Value) }
    }

    fn one_ended(&self, ended: Ended) -> Fault {
        match ended {
            Ended::Answer => extra(),
            Ended::Output => Fault::Value,
        }
    }
}

/// More than was asked for.
fn extra() -> Fault {
    Fault::Presentation("extra information in the output".into())
}

macro_rules! presets {
    ($($id:ident $name:literal $summary:literal $make:expr;)*) => {$(
        #[doc = $summary]
        pub(super) const $id: Preset = Preset {
            name: $name,
            summary: $summary,
            flags: &[],
            make: |_| Ok(Box::new($make)),
        };
    )*};
}

presets! {
    WCMP "wcmp" "testlib wcmp: equal tokens" Tokens(pairwise::Words);
    LCMP "lcmp" "testlib lcmp: equal tokens on each line" Lcmp;
    FCMP "fcmp" "testlib fcmp: equal lines" Fcmp;
    NCMP "ncmp" "testlib ncmp: equal integers of 64 bits" Tokens(Integers);
    ICMP "icmp" "testlib icmp: one integer of 32 bits" Single(Value::Int);
    HCMP "hcmp" "testlib hcmp: one integer of any size" Single(Value::Huge);
    RCMP "rcmp" "testlib rcmp: one number, absolute error 1.5e-6" Single(Value::Absolute(1.5e-6));
    RCMP4 "rcmp4" "testlib rcmp4: numbers, absolute or relative error 1e-4" Tokens(Doubles::either(1e-4));
    RCMP6 "rcmp6" "testlib rcmp6: numbers, absolute or relative error 1e-6" Tokens(Doubles::either(1e-6));
    RCMP9 "rcmp9" "testlib rcmp9: numbers, absolute or relative error 1e-9" Tokens(Doubles::either(1e-9));
    RNCMP "rncmp" "testlib rncmp: numbers, absolute error 1.5e-5" Tokens(Doubles::absolute(1.5e-5));
    ACMP "acmp" "testlib acmp: one number, absolute error 1.5e-6" Single(Value::Absolute(1.5e-6));
    DCMP "dcmp" "testlib dcmp: one number, absolute or relative error 1e-6" Single(Value::Either(1e-6));
    YESNO "yesno" "testlib yesno: one YES or NO in any case" Single(Value::YesNo);
    NYESNO "nyesno" "testlib nyesno: YES and NO in any case" Tokens(YesNos);
    UNCMP "uncmp" "testlib uncmp: equal integers of 64 bits in any order" Uncmp;
    CASEICMP "caseicmp" "testlib caseicmp: `Case k: N`, one integer each" Cases(Values::Single);
    CASENCMP "casencmp" "testlib casencmp: `Case k: N...`, integers" Cases(Values::Integers);
    CASEWCMP "casewcmp" "testlib casewcmp: `Case k: W...`, tokens" Cases(Values::Words);
}
