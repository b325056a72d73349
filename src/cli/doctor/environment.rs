//! What of the machine disturbs measurements or weakens the sandbox.

use std::fs;
use std::io::{self, Write};

use serde::Serialize;

use crate::cli::options::cores;
use crate::report::Look;

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Check {
    name: &'static str,
    state: State,
    value: String,
    /// What it means and what to do about it, when there is something to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<&'static str>,
}

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    Ok,
    Note,
    Unknown,
}

impl Check {
    fn ok(name: &'static str, value: impl Into<String>) -> Self {
        Self { name, state: State::Ok, value: value.into(), advice: None }
    }

    fn note(name: &'static str, value: impl Into<String>, advice: &'static str) -> Self {
        Self { name, state: State::Note, value: value.into(), advice: Some(advice) }
    }

    fn unknown(name: &'static str) -> Self {
        let value = "this system does not tell".to_owned();
        Self { name, state: State::Unknown, value, advice: None }
    }

    /// One line, and one more for advice.
    pub(super) fn print(&self, out: &mut impl Write, look: Look) -> io::Result<()> {
        let word = match self.state {
            State::Ok => "ok",
            State::Note => "note",
            State::Unknown => "-",
        };
        writeln!(out, "  {word:4}  {:16}  {}", self.name, look.name(&self.value))?;
        if let Some(advice) = self.advice {
            writeln!(out, "        {:16}  {advice}", "")?;
        }
        Ok(())
    }
}

/// All checks, on this machine.
pub(super) fn checks() -> Vec<Check> {
    let cpu = "/sys/devices/system/cpu";
    vec![
        number_of_cores(cores(), read("/proc/cpuinfo").as_deref()),
        smt(read(&format!("{cpu}/smt/active")).as_deref()),
        governor(read(&format!("{cpu}/cpu0/cpufreq/scaling_governor")).as_deref()),
        turbo(
            read(&format!("{cpu}/intel_pstate/no_turbo")).as_deref(),
            read(&format!("{cpu}/cpufreq/boost")).as_deref(),
        ),
        huge_pages(read("/sys/kernel/mm/transparent_hugepage/enabled").as_deref()),
        swap(read("/proc/swaps").as_deref()),
        randomized_addresses(read("/proc/sys/kernel/randomize_va_space").as_deref()),
        core_pattern(read("/proc/sys/kernel/core_pattern").as_deref()),
        load(read("/proc/loadavg").as_deref(), cores()),
        virtual_machine(read("/proc/cpuinfo").as_deref()),
        control_group(
            read("/proc/self/cgroup").as_deref(),
            read("/sys/fs/cgroup/cgroup.controllers").as_deref(),
        ),
        user_namespaces(
            read("/proc/sys/user/max_user_namespaces").as_deref(),
            read("/proc/sys/kernel/unprivileged_userns_clone").as_deref(),
            read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns").as_deref(),
        ),
        kernel(read("/proc/sys/kernel/osrelease").as_deref()),
    ]
}

fn read(path: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn number_of_cores(usable: usize, cpuinfo: Option<&str>) -> Check {
    let all = cpuinfo.map_or(0, |text| text.matches("processor\t").count());
    let value = format!("{usable} usable of {}", all.max(usable));
    if usable == 1 {
        let advice = "the judge and a submission share one core: times are less exact";
        return Check::note("cores", value, advice);
    }
    Check::ok("cores", value)
}

fn smt(active: Option<&str>) -> Check {
    match active {
        Some("0") => Check::ok("SMT", "off"),
        Some("1") => Check::note(
            "SMT",
            "on",
            "two runs on one physical core slow each other: use --jobs with the number of cores",
        ),
        _ => Check::unknown("SMT"),
    }
}

fn governor(name: Option<&str>) -> Check {
    match name {
        Some("performance") => Check::ok("CPU governor", "performance"),
        Some(other) => Check::note(
            "CPU governor",
            other,
            "the clock rate changes during runs: cpupower frequency-set -g performance",
        ),
        None => Check::unknown("CPU governor"),
    }
}

fn turbo(no_turbo: Option<&str>, boost: Option<&str>) -> Check {
    match (no_turbo, boost) {
        (Some("1"), _) | (_, Some("0")) => Check::ok("turbo", "off"),
        (None, None) => Check::unknown("turbo"),
        _ => Check::note("turbo", "on", "a core is faster while others are idle"),
    }
}

fn huge_pages(enabled: Option<&str>) -> Check {
    let chosen = enabled.and_then(|text| text.split(['[', ']']).nth(1));
    match chosen {
        Some("always") => Check::note(
            "huge pages",
            "always",
            "memory figures jump by 2 MiB: echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
        ),
        Some(other) => Check::ok("huge pages", other),
        None => Check::unknown("huge pages"),
    }
}

fn swap(swaps: Option<&str>) -> Check {
    match swaps.map(|text| text.lines().count().saturating_sub(1)) {
        Some(0) => Check::ok("swap", "none"),
        Some(number) => Check::note(
            "swap",
            format!("{number} in use"),
            "a run may be slowed by swapping instead of reaching its limit: swapoff -a",
        ),
        None => Check::unknown("swap"),
    }
}

fn randomized_addresses(value: Option<&str>) -> Check {
    match value {
        Some("0") => Check::ok("ASLR", "off"),
        Some(_) => Check::ok("ASLR", "on: times of equal runs differ a little"),
        None => Check::unknown("ASLR"),
    }
}

fn core_pattern(pattern: Option<&str>) -> Check {
    match pattern {
        Some(pattern) if pattern.starts_with('|') => Check::note(
            "core dumps",
            pattern.chars().take(60).collect::<String>(),
            "a crash reporter may be started for each crash: echo core > /proc/sys/kernel/core_pattern",
        ),
        Some(pattern) => Check::ok("core dumps", pattern),
        None => Check::unknown("core dumps"),
    }
}

fn load(loadavg: Option<&str>, cores: usize) -> Check {
    let one = loadavg.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    match one {
        Some(load) if load > 0.5 * cores as f64 => Check::note(
            "load",
            format!("{load:.2} in the last minute"),
            "something else is running: times near a limit are confirmed again, and less exact",
        ),
        Some(load) => Check::ok("load", format!("{load:.2} in the last minute")),
        None => Check::unknown("load"),
    }
}

fn virtual_machine(cpuinfo: Option<&str>) -> Check {
    let Some(text) = cpuinfo else { return Check::unknown("virtual machine") };
    let flags = text.lines().find(|line| line.starts_with("flags"));
    if flags.is_some_and(|line| line.split(' ').any(|flag| flag == "hypervisor")) {
        let advice = "other guests of the host may take time away, unseen";
        return Check::note("virtual machine", "yes", advice);
    }
    Check::ok("virtual machine", "no")
}

fn control_group(own: Option<&str>, controllers: Option<&str>) -> Check {
    let own = own.and_then(|text| text.lines().find_map(|line| line.strip_prefix("0::")));
    match (own, controllers) {
        (Some(own), Some(controllers)) => {
            Check::ok("control group", format!("version 2, {own} ({controllers})"))
        }
        (Some(own), None) => Check::ok("control group", format!("version 1 and 2, {own}")),
        (None, _) => Check::unknown("control group"),
    }
}

fn user_namespaces(most: Option<&str>, clone: Option<&str>, apparmor: Option<&str>) -> Check {
    let name = "user namespaces";
    match (most, clone, apparmor) {
        (None, _, _) => Check::note(name, "not in this kernel", "the level strict needs them"),
        (Some("0"), _, _) => Check::note(
            name,
            "switched off",
            "the level strict needs them: sysctl user.max_user_namespaces=10000",
        ),
        (_, Some("0"), _) => Check::note(
            name,
            "for root only",
            "the level strict needs them: sysctl kernel.unprivileged_userns_clone=1",
        ),
        (_, _, Some("1")) => Check::note(
            name,
            "restricted by AppArmor",
            "the level strict needs them: sysctl kernel.apparmor_restrict_unprivileged_userns=0",
        ),
        (Some(most), _, _) => Check::ok(name, format!("up to {most}")),
    }
}

fn kernel(release: Option<&str>) -> Check {
    release.map_or_else(|| Check::unknown("kernel"), |release| Check::ok("kernel", release))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_disturbs_gets_advice_and_what_is_unknown_says_so() {
        let noted = [
            smt(Some("1")),
            governor(Some("powersave")),
            turbo(Some("0"), None),
            turbo(None, Some("1")),
            huge_pages(Some("[always] madvise never")),
            swap(Some("Filename Type\n/dev/sda2 partition")),
            core_pattern(Some("|/usr/share/apport")),
            load(Some("3.10 2.0 1.0 1/2 3"), 2),
            virtual_machine(Some("processor\t: 0\nflags\t\t: fpu hypervisor lm")),
            user_namespaces(Some("0"), None, None),
            user_namespaces(Some("9"), Some("0"), None),
            user_namespaces(Some("9"), None, Some("1")),
            user_namespaces(None, None, None),
            number_of_cores(1, None),
        ];
        for check in noted {
            assert_eq!(check.state, State::Note, "{check:?}");
            assert!(check.advice.is_some(), "{check:?}");
        }
        let fine = [
            smt(Some("0")),
            governor(Some("performance")),
            turbo(Some("1"), None),
            huge_pages(Some("always [madvise] never")),
            swap(Some("Filename Type")),
            core_pattern(Some("core")),
            load(Some("0.10 2.0"), 2),
            virtual_machine(Some("flags\t\t: fpu")),
            user_namespaces(Some("9"), None, None),
            number_of_cores(2, Some("processor\t: 0\nprocessor\t: 1")),
            control_group(Some("1:cpu:/\n0::/user.slice"), None),
        ];
        for check in fine {
            assert_eq!(check.state, State::Ok, "{check:?}");
        }
        for check in [smt(None), governor(None), turbo(None, None), huge_pages(None), swap(None)] {
            assert_eq!(check.state, State::Unknown, "{check:?}");
        }
    }
}
