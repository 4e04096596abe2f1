//! The screen of one exercise, and the judging and trying for it meanwhile.

use super::LOOK;
use crate::catalog::Exercise;
use crate::child::{FixInProgress, JudgingResult};
use crate::fit::{cut, cut_path, glued};
use crate::judging::Judging;
use crate::listing;
use crate::progress::Judged;
use crate::reason::listed;
use crate::screen::{self, PagedText};
use crate::session::{LearnSession, is_gone, shown};
use crate::terminal::{self, TerminalSize};
use crate::tried::FixText;
use crate::verdict::Verdict;
use anyhow::{Error, Result};
use std::time::Duration;

/// Columns of the rule below the heading, however wide the terminal is.
const WIDEST: usize = 80;

/// The screen of one exercise, and the work still under way for it.
pub struct ExerciseScreen {
    /// The judgement under way, and the answer's hash.
    judging: Option<(Judging, String)>,
    /// Why it is, or was.
    pub why: Judged,
    /// Below the heading there is nothing but the word that something is judged.
    is_alone: bool,
    /// The text above the next verdict: an introduction for a new student, or what a reset has done to the file.
    pub above_next: String,
    /// That stands on the screen, and the verdict goes below it.
    has_above: bool,
    /// Verdicts on this exercise since it is on the screen.
    verdicts: usize,
    /// The work under way and how long it has taken: the first line below the heading.
    status: String,
    pub page: PagedText,
    /// The list is on the screen, and what comes meanwhile is shown afterwards.
    pub is_covered: bool,
    /// The size for which the screen was drawn last.
    size: TerminalSize,
    /// `None` where the answer could not be judged, or not yet.
    verdict: Option<Verdict>,
    trying: Option<FixInProgress>,
    /// The offset in the page at which the fix for this verdict begins, once it is there.
    fix: Option<usize>,
    /// The student wants to hear of a fix.
    is_asked: bool,
}

impl ExerciseScreen {
    pub fn new(session: &mut LearnSession, exercise: &Exercise) -> ExerciseScreen {
        let why = Judged::Saved;
        let mut shown = ExerciseScreen {
            judging: None,
            why,
            is_alone: false,
            above_next: if session.is_new() { say!("welcome") } else { String::new() },
            has_above: false,
            verdicts: 0,
            status: String::new(),
            page: PagedText::default(),
            is_covered: false,
            size: screen_size(),
            verdict: None,
            trying: None,
            fix: None,
            is_asked: false,
        };
        shown.again(session, exercise, why);
        shown
    }

    /// Begins to judge. What was judged or tried before is of no use any more, and ends.
    pub fn again(&mut self, session: &mut LearnSession, exercise: &Exercise, why: Judged) {
        if is_gone(&session.desk.file(exercise)) {
            return self.gone(session, exercise);
        }
        // The student's request counts, even if `v` begins it anew.
        let still_asked = why == Judged::Saved && self.judging.is_some() && self.is_same(session, exercise);
        self.why = if still_asked { self.why } else { why };
        (self.trying, self.fix, self.verdict) = (None, None, None);
        (self.is_asked, self.is_covered) = (false, false);
        self.status = say!("judging");
        let above = std::mem::take(&mut self.above_next);
        self.page.replace(&above);
        self.has_above = !above.is_empty();
        self.is_alone = true;
        self.show(session, exercise);
        let answer = session.answer(exercise);
        match session.begin_judging(exercise) {
            Ok(judging) => self.judging = Some((judging, answer)),
            Err(error) => {
                self.judging = None;
                self.tell(session, exercise, &error_line(&error));
            }
        }
    }

    /// Draws the screen anew: the heading first, whatever comes below it.
    pub fn show(&mut self, session: &LearnSession, exercise: &Exercise) {
        self.size = screen_size();
        if self.is_covered {
            return;
        }
        let mut top = heading(session, exercise, self.size.columns);
        top.push(rule(self.verdict.as_ref(), self.verdicts, session.colour, self.size.columns));
        if !self.status.is_empty() {
            top.push(cut(&self.status, self.size.columns));
        }
        let keys = if self.is_alone { String::new() } else { glued(&say!("keys")) };
        screen::draw(&self.page.lines(self.size, &top, &keys));
    }

    /// Draws the screen anew where the terminal has another size now.
    pub fn resize(&mut self, session: &LearnSession, exercise: &Exercise) {
        if self.size != screen_size() {
            self.show(session, exercise);
        }
    }

    /// Adds what was answered to a line that the student has typed.
    pub fn answer(&mut self, session: &LearnSession, exercise: &Exercise, line: &str, text: &str) {
        (self.is_alone, self.has_above) = (false, false);
        self.page.add(&format!("{line}\n{text}"));
        self.show(session, exercise);
    }

    fn is_same(&self, session: &LearnSession, exercise: &Exercise) -> bool {
        self.judging.as_ref().is_some_and(|(_, answer)| *answer == session.answer(exercise))
    }

    /// Waits for the verdict until the next look, and shows it; false if nothing is being judged.
    pub fn hears(&mut self, session: &mut LearnSession, exercise: &Exercise) -> Result<bool> {
        let Some((judging, hash)) = &mut self.judging else { return Ok(false) };
        match judging.answer(&mut session.judge, LOOK) {
            Some(answer) => {
                let hash = std::mem::take(hash);
                self.judging = None;
                self.judged(session, exercise, answer, &hash)?;
            }
            None => {
                if let Some(progress) = judging.progress(&session.judge) {
                    self.status = progress;
                    // Below the heading and its rule.
                    let row = heading(session, exercise, self.size.columns).len() + 1;
                    if !self.is_covered {
                        screen::overwrite(row, &cut(&self.status, self.size.columns));
                    }
                }
                if let Some(warning) = judging.warning(&session.judge) {
                    self.is_alone = false;
                    self.page.add(&warning);
                    self.show(session, exercise);
                }
            }
        }
        Ok(true)
    }

    /// The verdict first; then what fixes the answer is tried, if it is due.
    fn judged(
        &mut self,
        session: &mut LearnSession,
        exercise: &Exercise,
        answer: JudgingResult,
        hash: &str,
    ) -> Result<()> {
        let noted = answer.map_err(Error::msg).and_then(|verdict| {
            session.note(exercise, &verdict, hash, self.why)?;
            Ok(verdict)
        });
        let text = match &noted {
            Ok(verdict) if verdict.passed => {
                verdict.painted(session.colour)
                    + &format!("\n{}\n", say!("solved-next", standing = session.standing()?))
            }
            Ok(verdict) => verdict.painted(session.colour),
            Err(error) => error_line(error),
        };
        self.verdict = noted.ok();
        self.verdicts += 1;
        self.tell(session, exercise, &text);
        if self.is_asked || session.is_fix_due(&exercise.name)? {
            self.try_fix(session, exercise)?;
        }
        Ok(())
    }

    /// In place of the word that something is judged; below what has come since.
    fn tell(&mut self, session: &LearnSession, exercise: &Exercise, text: &str) {
        self.status.clear();
        self.is_alone = false;
        match std::mem::take(&mut self.has_above) {
            true => self.page.add_below(text),
            false => self.page.add(text),
        }
        self.show(session, exercise);
    }

    /// There is no file to judge.
    pub fn gone(&mut self, session: &mut LearnSession, exercise: &Exercise) {
        session.judge.end();
        (self.judging, self.trying, self.fix, self.verdict) = (None, None, None, None);
        self.status.clear();
        (self.is_alone, self.is_covered) = (false, false);
        self.page.replace(&session.gone(exercise));
        self.show(session, exercise);
    }

    pub fn fix_asked(&mut self, session: &LearnSession, exercise: &Exercise) -> Result<()> {
        self.is_asked = true;
        // While it is judged nothing is known that could be fixed.
        if self.judging.is_some() {
            self.answer(session, exercise, "f", &say!("fix-later"));
            return Ok(());
        }
        if let Some(fix) = self.fix {
            self.page.add(&format!("f\n{}", say!("fix-above")));
            self.page.return_to(fix);
            self.show(session, exercise);
            return Ok(());
        }
        self.try_fix(session, exercise)
    }

    /// In the background.
    fn try_fix(&mut self, session: &LearnSession, exercise: &Exercise) -> Result<()> {
        if let (None, Some(verdict)) = (&self.trying, &self.verdict) {
            self.trying = session.try_fix(exercise, &session.desk.file(exercise), verdict)?;
        }
        let text = match &self.trying {
            Some(_) if self.is_asked => Some(say!("fix-tried")),
            Some(_) => None,
            None => of_fix(&FixText::default(), self.is_asked),
        };
        if let Some(text) = text {
            self.answer(session, exercise, "f", &text);
        }
        Ok(())
    }

    /// Shows the result of trying a fix, once it is there.
    pub fn look(&mut self, session: &LearnSession, exercise: &Exercise) {
        if let Some(told) = self.trying.as_ref().and_then(|trying| trying.poll(Duration::ZERO)) {
            self.trying = None;
            if let Some(text) = of_fix(&told, self.is_asked) {
                if self.is_asked {
                    self.page.add(&text)
                } else {
                    self.page.add_fix(&text)
                }
                self.fix = (!told.text.is_empty()).then(|| self.page.newest());
                self.show(session, exercise);
            }
        }
    }
}

/// The terminal's size. The watch begins only in a terminal.
pub fn screen_size() -> TerminalSize {
    terminal::size().unwrap_or(terminal::USUAL)
}

/// The text about a fix that was tried; empty if there is none and nobody has asked.
pub fn of_fix(told: &FixText, is_asked: bool) -> Option<String> {
    match &told.text {
        text if text.is_empty() => is_asked.then(|| format!("{}\n", say!("no-fix"))),
        text => Some(text.clone()),
    }
}

pub fn error_line(error: &Error) -> String {
    format!("{}\n", say!("error", why = tell::in_a_line(error)))
}

/// The heading that stays at the top of the screen: the exercise's name, its file, its topic and how much is solved.
fn heading(session: &LearnSession, exercise: &Exercise, columns: usize) -> Vec<String> {
    let path = shown(&session.desk.file(exercise));
    let room = columns.saturating_sub(say!("edit", file = "").chars().count());
    // A book that cannot be read is told with the verdict.
    let progress = session.progress().unwrap_or_default();
    let all = &session.catalog.exercises;
    let solved = |topic: Option<&str>| {
        let of = || all.iter().filter(|one| topic.is_none_or(|topic| one.topic() == topic));
        (of().filter(|one| progress.is_solved(&one.name)).count(), of().count())
    };
    let ((here, of_here), (everywhere, of)) = (solved(Some(exercise.topic())), solved(None));
    let bar = listing::bar(everywhere, of);
    let topic = exercise.topic();
    let standing = say!("standing", solved = everywhere, of);
    let in_topic = say!("standing-topic", topic, solved = here, of = of_here);
    let rows = [
        format!("{}: {}", exercise.name, exercise.title()),
        say!("edit", file = cut_path(&path, room)),
        format!("{bar} {standing}; {in_topic}; {} min", exercise.spec.minutes),
    ];
    rows.iter().map(|row| cut(row, columns)).collect()
}

/// The line below the heading. It has the verdict in it, so that no page of a long report is without, and how many
/// there were: a save that changes nothing else on the screen changes that.
fn rule(verdict: Option<&Verdict>, verdicts: usize, colour: bool, columns: usize) -> String {
    const BEFORE: &str = "── ";
    let columns = columns.min(WIDEST);
    let Some(verdict) = verdict else { return "─".repeat(columns) };
    let state = match verdict.passed {
        true => say!("state-solved"),
        false => say!("state-unsolved", kinds = listed(&verdict.kinds, ", ")),
    };
    let state = cut(&state, columns.saturating_sub(BEFORE.chars().count() + 1));
    let after = columns.saturating_sub(BEFORE.chars().count() + state.chars().count() + 1);
    let painted = match (colour, verdict.passed) {
        (false, _) => state,
        (true, true) => format!("\x1b[1;32m{state}\x1b[0m"),
        (true, false) => format!("\x1b[1;31m{state}\x1b[0m"),
    };
    let times = if verdicts > 1 { format!("─ {} ", say!("state-times", count = verdicts)) } else { String::new() };
    let rest = after.checked_sub(times.chars().count());
    let times = if rest.is_some() { times } else { String::new() };
    format!("{BEFORE}{painted} {times}{}", "─".repeat(rest.unwrap_or(after)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reason::Reason;

    #[test]
    fn the_rule_has_the_verdict_in_it_and_is_as_wide_as_without() {
        let wide = |verdict: Option<&Verdict>, columns| rule(verdict, 1, false, columns);
        assert_eq!(wide(None, 30), "─".repeat(30));
        let wrong = Verdict::unsolved(&[Reason::Answer, Reason::Budget], "", "a.cu", "");
        assert_eq!(wide(Some(&wrong), 40), format!("── not solved yet: answer, budget {}", "─".repeat(6)));
        assert_eq!(wide(Some(&wrong), 20), "── not solved yet:… ");
        let right = Verdict::solved("", "a.cu", "", 1);
        assert_eq!(wide(Some(&right), 200), format!("── solved {}", "─".repeat(70)));
        let again = rule(Some(&right), 2, false, 40);
        assert_eq!(again, format!("── solved ─ judged 2 times {}", "─".repeat(13)));
        assert_eq!(rule(Some(&right), 2, false, 20), format!("── solved {}", "─".repeat(10)));
        let painted = rule(Some(&right), 1, true, 20);
        assert!(painted.contains("\x1b[1;32msolved\x1b[0m"), "{painted}");
    }
}
