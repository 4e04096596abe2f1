//! The text of a verdict: the report of one run, cut to what fits a screen.

use super::trial::{AnswerTrial, RunMistakes, TrialScene};
use crate::Language;
use crate::case::{Case, ScheduleAndSeed, token};
use crate::folded::{WIDTH, rows};
use crate::reason::{Reason, listed};
use crate::verdict::Verdict;
use emulator::finding::Finding;
use report::{Remarks, render};
use std::fmt::Write;
use tell::sarif::Problem;
use trial::Fix;

/// Findings shown of one run; all of them where everything is wanted.
const SHOWN: usize = 1;

/// Lines shown of what a kernel prints.
const PRINTED: usize = 4;

/// Rows of such a screen that a verdict may take.
const ROWS: usize = 24;

impl AnswerTrial<'_> {
    pub(super) fn notes(&self, notes: &[Finding], fix: report::FixState) -> String {
        let shown = if self.task.is_verbose { usize::MAX } else { SHOWN };
        let remarks = Remarks { is_hint: true, language: Language::current(), fix, ..Remarks::default() };
        let one = |note| render(note, |file| self.source(file), &remarks, self.paint()) + "\n";
        notes.iter().take(shown).map(one).collect()
    }

    /// The verdict about one run, if something is wrong with it.
    pub fn rejection(&mut self, case: &Case, order: ScheduleAndSeed) -> Result<Option<Verdict>, String> {
        let wrong = self.at(case)?.wrong(self, order)?;
        wrong.map(|wrong| self.rejected(case, order, wrong, false, "")).transpose()
    }

    /// `is_found`: by looking for a small one. `also` is what is said last.
    pub(super) fn rejected(
        &mut self,
        case: &Case,
        order: ScheduleAndSeed,
        wrong: RunMistakes,
        is_found: bool,
        also: &str,
    ) -> Result<Verdict, String> {
        let scene = self.at(case)?;
        let hints = self.hints(&scene, order, &wrong)?;
        let has_notes = !(hints.is_empty() && wrong.outcome.notes.is_empty());
        let replay = token(case, order);
        let command = format!("{} run {} --replay {replay}", self.task.command, self.exercise.short());
        // One thing at a time: what is certainly wrong comes before what may explain the answer.
        let is_all = self.task.is_verbose;
        let told = &wrong.outcome.findings[..];
        let others = if is_all || told.is_empty() { [&hints, &wrong.outcome.notes] } else { [&vec![], &vec![]] };
        let all = hints.len() + wrong.outcome.findings.len() + wrong.outcome.notes.len();
        let more = match all.saturating_sub(SHOWN) {
            count if count == 0 || is_all => String::new(),
            count => say!("more-findings", count, by = self.task.more_by.word()) + "\n\n",
        };
        let text = self.findings(told, &wrong, &scene, &command);
        let text = if text.is_empty() { text } else { text + &more };
        // A kernel that is not there has no run.
        let has_run = wrong.kinds != [Reason::Compile];
        let again = has_run.then_some(command.as_str());
        let result = wrong
            .result
            .as_ref()
            .map_or(String::new(), |result| with_remarks(result, &wrong, again.filter(|_| text.is_empty())));
        let notes = others.map(|notes| self.notes(notes, report::FixState::Untold));
        let notes = match notes {
            notes if is_all => notes.concat(),
            // The first that is there.
            notes => notes.into_iter().find(|note| !note.is_empty()).map_or(String::new(), |note| note + &more),
        };
        let line = format!("{} ({})", self.task.shown, listed(&wrong.kinds, ", "));
        let sizes: Vec<String> = case.sizes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let input = if sizes.is_empty() { String::new() } else { format!("{}, ", sizes.join(", ")) };
        let run = say!("run-shown", is_found, run = format!("{input}{order}")) + "\n";
        let more = if has_run { run } else { String::new() };
        let printed = printed(&wrong.outcome.printed);
        let with = |result: &str, notes: &str| {
            Verdict::unsolved(&wrong.kinds, &format!("{printed}{text}{result}{notes}"), &line, &format!("{more}{also}"))
        };
        // The contents of the buffers say least, and then a note beside a finding.
        let brief = result.lines().next().map_or(String::new(), |first| format!("{first}\n\n"));
        let shorter = [with(&result, &notes), with(&brief, &notes)];
        let fits = |verdict: &Verdict| self.task.is_verbose || text.is_empty() || rows(&verdict.text) <= ROWS;
        let verdict = shorter.into_iter().find(fits).unwrap_or_else(|| with(&brief, ""));
        let problem = |finding| Problem::of(finding, &Fix::Untried, |file| self.source(file), Language::current());
        let problems = wrong.outcome.findings.iter().map(problem).collect();
        Ok(Verdict { runs: self.runs, has_notes, replay: has_run.then_some(replay), problems, ..verdict })
    }

    /// The report of each finding that is shown.
    fn findings(&self, findings: &[Finding], wrong: &RunMistakes, scene: &TrialScene, command: &str) -> String {
        let shown = if self.task.is_verbose { usize::MAX } else { SHOWN };
        // Without a result nothing is known about it.
        let is_right = wrong.result.is_none() && wrong.outcome.fault.is_none();
        let mut text = String::new();
        for finding in findings.iter().take(shown) {
            let remarks = Remarks {
                language: Language::current(),
                is_verbose: self.task.is_verbose,
                luck: is_right.then(|| scene.luck()),
                // At the first failure the student is to think. After the next one a fix is tried.
                fix: report::FixState::Untold,
                replay: Some(command.to_string()),
                more: Some(format!("cargo learn explain {}", finding.slug)),
                ..Remarks::default()
            };
            let _ = writeln!(text, "{}", render(finding, |file| self.source(file), &remarks, self.paint()));
        }
        text
    }
}

impl TrialScene {
    /// Returns the line about a run whose result was right in spite of a finding.
    fn luck(&self) -> String {
        match self.inputs.iter().flatten().all(|byte| *byte == 0) {
            true => say!("luck-zeros"),
            false => say!("luck-right"),
        }
    }
}

/// The first lines that a kernel printed, without what a terminal acts on.
pub(super) fn printed(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(PRINTED * 4 * WIDTH)]);
    let lines: Vec<String> =
        text.lines().map(|line| line.chars().filter(|c| !c.is_control()).take(WIDTH).collect()).collect();
    let shown: String = lines.iter().take(PRINTED).map(|line| format!("   {line}\n")).collect();
    let more = bytes.iter().filter(|byte| **byte == b'\n').count().saturating_sub(PRINTED);
    let rest = if more == 0 { String::new() } else { format!("   {}\n", say!("printed-more", count = more)) };
    if shown.is_empty() { String::new() } else { format!("{}\n{shown}{rest}\n", say!("printed")) }
}

/// A wrong result, and where no finding explains it how to see it again.
fn with_remarks(result: &str, wrong: &RunMistakes, command: Option<&str>) -> String {
    let mut text = result.to_string();
    if let Some(command) = command {
        let _ = writeln!(text, "   = {}", say!("replay", command));
        if wrong.kinds == [Reason::Answer] {
            let _ = writeln!(text, "   = {}", say!("more-about-answers"));
        }
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernels_first_lines_are_shown_and_the_others_counted() {
        assert_eq!(printed(b""), "");
        assert_eq!(printed(b"t = 1\x1b[2J\nt = 2\n"), "printed by the kernel:\n   t = 1[2J\n   t = 2\n\n");
        let many = "x\n".repeat(9);
        assert!(
            printed(many.as_bytes()).ends_with("   x\n   ... and 5 more lines\n\n"),
            "{}",
            printed(many.as_bytes())
        );
    }
}
