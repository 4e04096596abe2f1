//! The two things that are counted in one in-order run at the largest sizes: who did the work, and what it cost.

use crate::Language;
use crate::case::Case;
use crate::catalog::Exercise;
use crate::judge::trial::AnswerTrial;
use crate::reason::Reason;
use crate::spec::Limit;
use crate::stage::RunResults;
use crate::verdict::Verdict;
use emulator::counters::{Counter, LaunchCounts, Ratio};
use std::fmt::{Debug, Write};

/// Exceeded limits shown; all of them where everything is wanted.
const SHOWN: usize = 1;

/// Lines shown with what they cost.
const LINES: usize = 3;

/// `None` where the work was done on the device's threads and within the budget.
pub fn judge(trial: &AnswerTrial, case: &Case, outcome: &RunResults) -> Result<Option<Verdict>, String> {
    let spec = &trial.exercise.spec;
    let shown = &trial.task.shown;
    let nothing = LaunchCounts::default();
    let counted = outcome.counted.as_ref().unwrap_or(&nothing);
    let idle = |told: String| {
        let told = told + "\n\n";
        Ok(Some(Verdict::unsolved(&[Reason::Idle], &told, &format!("{shown} (idle)"), "")))
    };
    if let Some(threads) = spec.work.as_ref().and_then(|work| work.threads.as_ref()) {
        let wanted = u64::try_from(threads.whole(&case.sizes)?).unwrap_or(0);
        let checked = spec.buffers.iter().zip(&outcome.writers).filter(|(buffer, _)| buffer.check.is_some());
        let most = checked.map(|(_, writers)| *writers).max().unwrap_or(0);
        if most < wanted {
            return idle(say!("error-idle", most, wanted));
        }
    }
    let has_copies = has_copies(counted);
    let mut exceeded = Vec::new();
    for (sum, limit) in &spec.budget {
        let value = value(sum, counted)?;
        let bound = |amount: &Option<_>| {
            amount.as_ref().map(|amount: &crate::spec::Amount| amount.real(&case.sizes)).transpose()
        };
        let (most, least) = (bound(&limit.at_most)?, bound(&limit.at_least)?);
        let over = most.filter(|most| value > *most).map(|most| say!("at-most", limit = most.to_string()));
        let under = least.filter(|least| value < *least).map(|least| say!("at-least", limit = least.to_string()));
        let Some(allowed) = over.or(under) else { continue };
        let mut told = say!("error-budget", what = words(sum, has_copies), value = round(value), allowed) + "\n";
        for (line, share) in by_line(sum, counted)?.into_iter().take(LINES) {
            let code = trial.line(line).unwrap_or_default();
            let _ = writeln!(told, "{line:>4} | {code}\n     | ^ {}", say!("budget-share", share));
        }
        exceeded.push(told);
    }
    // One at a time: as a rule the same change helps against the others.
    let told = if trial.task.is_verbose { exceeded.len() } else { SHOWN.min(exceeded.len()) };
    let mut text = exceeded[..told].concat();
    if told < exceeded.len() {
        let _ = writeln!(
            text,
            "\n{}",
            say!("more-findings", count = exceeded.len() - told, by = trial.task.more_by.word())
        );
    }
    // A sum that a budget names says more than how much one thread did.
    if text.is_empty() {
        if let Some(most) = spec.work.as_ref().and_then(|work| work.busiest)
            && counted.busiest_thread > most
        {
            return idle(say!("error-busiest", count = counted.busiest_thread, most));
        }
        if let Some(most) = spec.work.as_ref().and_then(|work| work.accesses)
            && counted.most_accesses > most
        {
            return idle(say!("error-accesses", count = counted.most_accesses, most));
        }
        return Ok(None);
    }
    let sizes: Vec<String> = case.sizes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let more = say!("budget-counted", has_sizes = !sizes.is_empty(), sizes = sizes.join(", "));
    Ok(Some(Verdict::unsolved(&[Reason::Budget], &(text + "\n"), &format!("{shown} (budget)"), &more)))
}

/// Returns what a solved exercise says about its budget.
pub fn kept(exercise: &Exercise, has_copies: bool) -> String {
    let sums: Vec<String> = exercise.spec.budget.keys().map(|sum| words(sum, has_copies)).collect();
    if sums.is_empty() { String::new() } else { say!("budget-kept", sums = sums.join("; ")) + "\n" }
}

/// Checks a budget as it is written.
pub fn check(sum: &str, limit: &Limit) -> Result<(), String> {
    if limit.at_most.is_none() && limit.at_least.is_none() {
        return Err(say!("budget-without-bound", sum));
    }
    value(sum, &LaunchCounts::default()).map(drop)
}

/// Returns the value of a sum of counters, or of a ratio.
pub fn value(sum: &str, counted: &LaunchCounts) -> Result<f64, String> {
    if let Some(ratio) = find(Ratio::ALL, sum.trim()) {
        return Ok(ratio.of(&counted.totals).unwrap_or(0.0));
    }
    Ok(parts(sum)?.into_iter().map(|counter| counted[counter] as f64).sum())
}

fn parts(sum: &str) -> Result<Vec<Counter>, String> {
    let part = |name: &str| find(Counter::ALL, name.trim()).ok_or_else(|| say!("counter-unknown", name = name.trim()));
    sum.split('+').map(part).collect()
}

/// Lines of the student's own file with their share, the dearest first.
fn by_line(sum: &str, counted: &LaunchCounts) -> Result<Vec<(u32, u64)>, String> {
    if find(Ratio::ALL, sum.trim()).is_some() {
        return Ok(Vec::new());
    }
    let parts = parts(sum)?;
    let mut lines: Vec<(u32, u64)> = counted
        .lines
        .iter()
        .map(|(name, totals)| (name.line, parts.iter().map(|&counter| totals[counter]).sum()))
        .filter(|(_, share)| *share > 0)
        .collect();
    lines.sort_by_key(|&(line, share)| (std::cmp::Reverse(share), line));
    Ok(lines)
}

/// True if the kernel copied asynchronously. Elsewhere nobody needs to read of it.
pub fn has_copies(counted: &LaunchCounts) -> bool {
    counted[Counter::AsyncCopies] > 0
}

/// In words: `global atomics of a warp, old value used`.
fn words(sum: &str, has_copies: bool) -> String {
    let named = |name: &str| report::counter(name, Language::current());
    if let Some(ratio) = find(Ratio::ALL, sum.trim()) {
        return named(ratio.name());
    }
    let of = |counter: Counter| match counter {
        Counter::GlobalLoadRequests if !has_copies => say!("counter-load-requests"),
        Counter::GlobalLoadSectors if !has_copies => say!("counter-load-sectors"),
        other => named(other.name()),
    };
    let names: Vec<String> = parts(sum).unwrap_or_default().into_iter().map(of).collect();
    names.join(&format!(" {} ", say!("and")))
}

/// `global_atomics` is `GlobalAtomics`.
fn find<T: Copy + Debug>(all: &[T], name: &str) -> Option<T> {
    all.iter().copied().find(|one| snake(&format!("{one:?}")) == name)
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    for (at, c) in name.char_indices() {
        if c.is_uppercase() && at > 0 {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

fn round(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value}") } else { format!("{value:.2}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Amount;

    #[test]
    fn counters_and_ratios_have_names_and_sums_add_up() {
        let mut counted = LaunchCounts::default();
        counted.totals[Counter::GlobalAtomics] = 3;
        counted.totals[Counter::GlobalReductions] = 4;
        assert_eq!(value("global_atomics", &counted), Ok(3.0));
        assert_eq!(value("global_atomics + global_reductions", &counted), Ok(7.0));
        counted.totals[Counter::GlobalLoadRequests] = 2;
        counted.totals[Counter::GlobalLoadSectors] = 7;
        assert_eq!(value("load_sectors_per_request", &counted), Ok(3.5));
        assert!(value("global_atoms", &counted).unwrap_err().contains("`global_atoms`"));
        assert_eq!(words("barriers + fences", false), "block barriers completed and fences of a warp");
        assert_eq!(words("global_load_sectors", false), "32-byte sectors of global loads");
        counted.totals[Counter::AsyncCopies] = 1;
        let with_copies = words("global_load_sectors", has_copies(&counted));
        assert_eq!(with_copies, "32-byte sectors of global loads and of cp.async");
    }

    #[test]
    fn a_budget_without_a_bound_is_refused() {
        assert!(check("barriers", &Limit { at_most: None, at_least: None }).is_err());
        assert_eq!(check("barriers", &Limit { at_most: Some(Amount::Whole(1)), at_least: None }), Ok(()));
        assert!(check("barrier", &Limit { at_most: Some(Amount::Whole(1)), at_least: None }).is_err());
    }
}
