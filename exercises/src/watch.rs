//! `cargo learn` alone: the next exercise, judged whenever its file is saved.
//!
//! The file is looked at twenty times a second. Change notices of the system would be quicker and do not arrive on every
//! file system (network shares, Windows folders under WSL). Commands are lines on stdin ([`crate::keyboard`]): they work in every
//! terminal and through every connection. They work while an answer is judged, too, and a newer save ends that.

use crate::catalog::Exercise;
use crate::child::{Answer, Trying};
use crate::folded::wrapped;
use crate::judging::Judging;
use crate::keyboard::Keyboard;
use crate::listing::Listing;
use crate::progress::Judged;
use crate::session::{Session, is_gone, shown};
use crate::task::MoreBy;
use crate::tried::Told;
use crate::verdict::Verdict;
use anyhow::{Error, Result};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;
use tell::say as print;

/// Between two looks at the file. A student waits for half of it on average, and it is a small file to read.
const LOOK: Duration = Duration::from_millis(50);

/// After a look that found something new: time for an editor to finish.
const SETTLE: Duration = Duration::from_millis(25);

/// Looks at which the file is not there before it counts as deleted: editors may delete a file and write it anew.
const GONE: u32 = 10;

/// What ended the work on one exercise.
enum End {
    Next,
    To(Box<Exercise>),
    Quit,
}

/// What the next line that the student types is for.
enum Mode {
    Keys,
    /// A choice from this list, which is on the screen.
    Choice(Listing),
    /// An answer to the question whether to begin anew, or whether to show a solution.
    Reset,
    Solution,
}

/// Goes from exercise to exercise until the student quits or all is solved; begins with `first`, if there is one.
pub fn watch(session: &mut Session, first: Option<Exercise>) -> Result<()> {
    let keyboard = Keyboard::open();
    session.more_by = MoreBy::Key;
    let mut next = first.or(session.next(None)?.cloned());
    while let Some(exercise) = next {
        match one(session, &exercise, &keyboard)? {
            End::Next => next = session.next(Some(&exercise.name))?.cloned(),
            End::To(chosen) => next = Some(*chosen),
            End::Quit => return Ok(()),
        }
    }
    print(&format!("{}\n", session.nothing_left()?));
    Ok(())
}

/// For a pipe: the next exercise, or `first`, and the verdict on it, once.
pub fn once(session: &mut Session, first: Option<Exercise>) -> Result<bool> {
    let exercise = first.map_or_else(|| session.pick(None).cloned(), Ok)?;
    print(&heading(session, &exercise, false));
    let verdict = session.judge(&exercise.name, None, Judged::Asked)?;
    print(&verdict.painted(session.colour));
    if session.is_fix_due(&exercise.name)? {
        tell_fix(session, &exercise, &session.desk.file(&exercise), &verdict, false)?;
    }
    Ok(verdict.passed)
}

/// Tries what fixes an answer, and says so; the verdict has been shown. `is_asked`: the student wants to hear something in any case.
pub fn tell_fix(session: &Session, exercise: &Exercise, file: &Path, verdict: &Verdict, is_asked: bool) -> Result<()> {
    let trying = session.try_fix(exercise, file, verdict)?;
    if !verdict.passed {
        tell(&trying.map_or_else(Told::default, |trying| trying.wait()), is_asked);
    }
    Ok(())
}

fn tell(told: &Told, is_asked: bool) {
    match &told.text {
        text if text.is_empty() && is_asked => print(&format!("\n{}\n", say!("no-fix"))),
        text if text.is_empty() => {}
        text => print(&format!("\n{text}")),
    }
}

fn one(session: &mut Session, exercise: &Exercise, keyboard: &Keyboard) -> Result<End> {
    let file = session.desk.file(exercise);
    let mut seen = fs::read(&file).unwrap_or_default();
    let mut shown = Shown::new(session, exercise);
    let mut mode = Mode::Keys;
    // A closed stdin, as in a terminal's background, is no reason to stop watching.
    let mut is_open = true;
    // Looks in a row at which there was no file.
    let mut misses = 0;
    loop {
        // The verdict is shown as soon as it comes; a key may wait until the next look.
        let wait = if shown.hears(session, exercise)? { Duration::ZERO } else { LOOK };
        match keyboard.line(wait) {
            Ok(line) => {
                shown.is_alone = false;
                let (next, end) = typed(session, exercise, keyboard, &mut shown, mode, line.trim())?;
                if let Some(end) = end {
                    return Ok(end);
                }
                mode = next;
            }
            Err(RecvTimeoutError::Disconnected) if is_open => is_open = false,
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(wait),
            Err(RecvTimeoutError::Timeout) => {}
        }
        misses = if is_gone(&file) { misses + 1 } else { 0 };
        if misses == GONE {
            // As it comes back it is new.
            seen.clear();
            shown.gone(session, exercise);
        }
        if let Some(now) = saved(&file, &seen) {
            seen = now;
            mode = Mode::Keys;
            shown.again(session, exercise, Judged::Saved);
        }
        shown.look();
    }
}

/// Does what a line asks for; what the next one is for, and whether the work on this exercise ends.
fn typed(
    session: &mut Session,
    exercise: &Exercise,
    keyboard: &Keyboard,
    shown: &mut Shown,
    mode: Mode,
    line: &str,
) -> Result<(Mode, Option<End>)> {
    match mode {
        Mode::Keys => {}
        Mode::Choice(listing) => return chosen(session, exercise, shown, listing, line),
        Mode::Reset if is_yes(line) => {
            print(&session.reset(exercise)?);
            return Ok((Mode::Keys, None));
        }
        Mode::Solution if is_yes(line) => {
            print(&session.solution(exercise)?);
            return Ok((Mode::Keys, None));
        }
        Mode::Reset | Mode::Solution => {
            print(&format!("{}\n", say!("keys")));
            return Ok((Mode::Keys, None));
        }
    }
    let ask = |question: String| print(&format!("{question} {} ", say!("ask-choice")));
    match line {
        "" => {}
        "q" => return Ok((mode, Some(End::Quit))),
        "n" => return Ok((mode, Some(End::Next))),
        "h" => print(&session.hint(exercise)?),
        "l" => {
            let listing = Listing { part: String::new(), is_numbered: true };
            offer(session, &listing)?;
            return Ok((Mode::Choice(listing), None));
        }
        "f" => shown.fix_asked(session, exercise)?,
        "r" => shown.again(session, exercise, Judged::Asked),
        "v" => {
            session.is_verbose = !session.is_verbose;
            shown.again(session, exercise, shown.why);
        }
        "e" => edit(&session.desk.file(exercise), keyboard),
        "x" => {
            ask(say!("ask-reset", name = &exercise.name));
            return Ok((Mode::Reset, None));
        }
        "s" if session.progress()?.is_solved(&exercise.name) || !exercise.solution().is_file() => {
            print(&session.solution(exercise).unwrap_or_else(|error| error_line(&error)));
        }
        "s" => {
            ask(say!("ask-solution", name = &exercise.name));
            return Ok((Mode::Solution, None));
        }
        _ => print(&format!("{}\n", say!("keys"))),
    }
    Ok((mode, None))
}

/// A list on a screen of its own, and how to choose from it.
fn offer(session: &Session, listing: &Listing) -> Result<()> {
    print(&format!("\x1b[2J\x1b[H{}{}\n", listing.text(session)?, say!("keys-list")));
    Ok(())
}

/// A number or a whole name goes there, nothing goes back; all else shortens the list.
fn chosen(
    session: &mut Session,
    exercise: &Exercise,
    shown: &mut Shown,
    listing: Listing,
    line: &str,
) -> Result<(Mode, Option<End>)> {
    let all = &session.catalog.exercises;
    let by_number = line.parse::<usize>().ok().and_then(|number| all.get(number.checked_sub(1)?));
    let by_name = || all.iter().find(|exercise| exercise.name == line || exercise.short() == line);
    if let Some(chosen) = by_number.or_else(by_name) {
        return Ok((Mode::Keys, Some(End::To(Box::new(chosen.clone())))));
    }
    match line {
        "q" => Ok((Mode::Keys, Some(End::Quit))),
        "" => {
            shown.show(session, exercise);
            Ok((Mode::Keys, None))
        }
        part => {
            let listing = Listing { part: part.to_string(), ..listing };
            offer(session, &listing)?;
            Ok((Mode::Choice(listing), None))
        }
    }
}

/// Opens the file in the student's editor, which may want the terminal for itself.
fn edit(file: &Path, keyboard: &Keyboard) {
    let named = ["VISUAL", "EDITOR"].into_iter().find_map(|name| std::env::var(name).ok().filter(|it| !it.is_empty()));
    let is_in_code = std::env::var("TERM_PROGRAM").is_ok_and(|name| name == "vscode");
    let Some(editor) = named.or(is_in_code.then(|| "code".to_string())) else {
        return print(&format!("{}\n", say!("editor-unknown", file = shown(file))));
    };
    let mut words = editor.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).arg(file);
    if let Err(error) = keyboard.lend(|| command.status()) {
        print(&format!("{}: {}\n", say!("cannot-run", program = editor), tell::of_system(&error)));
    }
}

/// An answer to a question, in either language.
pub fn is_yes(line: &str) -> bool {
    matches!(line.trim(), "y" | "Y" | "yes" | "s" | "S" | "sí" | "si")
}

/// What is on the screen of one exercise, and what is still to come.
struct Shown {
    /// What is being judged, and the answer's hash.
    judging: Option<(Judging, String)>,
    /// Why it is, or was.
    why: Judged,
    /// Below the heading there is nothing but the word that something is judged.
    is_alone: bool,
    /// Above the heading stands what this is: nothing has been judged yet that the student has changed.
    greets: bool,
    /// What was told last, below the heading.
    text: String,
    /// `None` where the answer could not be judged, or not yet.
    verdict: Option<Verdict>,
    trying: Option<Trying>,
    /// The student wants to hear of a fix.
    is_asked: bool,
}

impl Shown {
    fn new(session: &mut Session, exercise: &Exercise) -> Shown {
        let why = Judged::Saved;
        let text = String::new();
        let mut shown = Shown {
            judging: None,
            why,
            is_alone: false,
            greets: false,
            text,
            verdict: None,
            trying: None,
            is_asked: false,
        };
        shown.again(session, exercise, why);
        if session.is_new() {
            shown.greets = true;
            shown.show(session, exercise);
        }
        shown
    }

    /// Begins to judge. What was judged or tried before is of no use any more, and ends.
    fn again(&mut self, session: &mut Session, exercise: &Exercise, why: Judged) {
        if is_gone(&session.desk.file(exercise)) {
            return self.gone(session, exercise);
        }
        // What was asked for counts, even if `v` begins it anew.
        let still_asked = why == Judged::Saved && self.judging.is_some() && self.is_same(session, exercise);
        self.why = if still_asked { self.why } else { why };
        (self.trying, self.verdict, self.is_asked) = (None, None, false);
        (self.text, self.greets) = (say!("judging"), false);
        self.show(session, exercise);
        self.is_alone = true;
        let answer = session.answer(exercise);
        match session.begin_judging(exercise) {
            Ok(judging) => self.judging = Some((judging, answer)),
            Err(error) => {
                self.judging = None;
                self.tell(session, exercise, &error_line(&error));
            }
        }
    }

    /// Clears the screen and shows what is known; what was above stays in the terminal's history.
    fn show(&self, session: &Session, exercise: &Exercise) {
        print(&format!("\x1b[2J\x1b[H{}{}\n", heading(session, exercise, self.greets), self.text));
    }

    fn is_same(&self, session: &Session, exercise: &Exercise) -> bool {
        self.judging.as_ref().is_some_and(|(_, answer)| *answer == session.answer(exercise))
    }

    /// Waits for the verdict until the next look, and shows it; false if nothing is being judged.
    fn hears(&mut self, session: &mut Session, exercise: &Exercise) -> Result<bool> {
        let Some((judging, hash)) = &mut self.judging else { return Ok(false) };
        match judging.answer(&mut session.judge, LOOK) {
            Some(answer) => {
                let hash = std::mem::take(hash);
                self.judging = None;
                self.judged(session, exercise, answer, &hash)?;
            }
            None => {
                if let Some(notice) = judging.notice(&session.judge) {
                    self.is_alone = false;
                    print(&format!("\n{notice}\n"));
                }
            }
        }
        Ok(true)
    }

    /// The verdict first; then what fixes the answer is tried, if it is due.
    fn judged(&mut self, session: &mut Session, exercise: &Exercise, answer: Answer, hash: &str) -> Result<()> {
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
        self.tell(session, exercise, &text);
        self.verdict = noted.ok();
        if self.is_asked || session.is_fix_due(&exercise.name)? {
            self.try_fix(session, exercise)?;
        }
        Ok(())
    }

    /// In place of the word that something is judged; below what has come since.
    fn tell(&mut self, session: &Session, exercise: &Exercise, text: &str) {
        let above = if self.is_alone {
            format!("\x1b[H\x1b[J{}", heading(session, exercise, self.greets))
        } else {
            "\n".to_string()
        };
        self.text = format!("{text}\n{}", say!("keys"));
        print(&format!("{above}{}\n", self.text));
        self.is_alone = false;
    }

    /// There is no file to judge.
    fn gone(&mut self, session: &mut Session, exercise: &Exercise) {
        session.judge.end();
        (self.judging, self.trying, self.verdict) = (None, None, None);
        self.text = format!("{}\n{}", session.gone(exercise), say!("keys"));
        self.show(session, exercise);
    }

    fn fix_asked(&mut self, session: &Session, exercise: &Exercise) -> Result<()> {
        self.is_asked = true;
        // While it is judged nothing is known that could be fixed.
        if self.judging.is_none() { self.try_fix(session, exercise) } else { Ok(()) }
    }

    /// In the background.
    fn try_fix(&mut self, session: &Session, exercise: &Exercise) -> Result<()> {
        if let (None, Some(verdict)) = (&self.trying, &self.verdict) {
            self.trying = session.try_fix(exercise, &session.desk.file(exercise), verdict)?;
        }
        if self.trying.is_none() && self.is_asked {
            tell(&Told::default(), true);
        }
        Ok(())
    }

    /// Shows the result of trying a fix, once it is there.
    fn look(&mut self) {
        if let Some(told) = self.trying.as_ref().and_then(|trying| trying.told(Duration::ZERO)) {
            tell(&told, self.is_asked);
            self.trying = None;
        }
    }
}

fn error_line(error: &Error) -> String {
    format!("{}\n", say!("error", why = tell::in_a_line(error)))
}

/// The file's new contents. Editors may empty a file before they write it, or replace it: both settle at the next look.
fn saved(file: &Path, seen: &[u8]) -> Option<Vec<u8>> {
    let now = fs::read(file).ok()?;
    if now == seen {
        return None;
    }
    std::thread::sleep(SETTLE);
    let again = fs::read(file).ok()?;
    (again == now && !now.is_empty()).then_some(now)
}

fn heading(session: &Session, exercise: &Exercise, greets: bool) -> String {
    let file = shown(&session.desk.file(exercise));
    let (title, minutes) = (exercise.title(), exercise.spec.minutes);
    // A book that cannot be read is told with the verdict.
    let standing = session.standing().unwrap_or_default();
    let width = rustix::termios::tcgetwinsize(std::io::stdout()).map_or(0, |size| usize::from(size.ws_col));
    let welcome = if greets { say!("welcome") + "\n\n" } else { String::new() };
    let title = format!("{}: {title} ({minutes} min; {standing})", exercise.name);
    wrapped(&format!("{welcome}{title}\n{}\n\n", say!("edit", file)), width)
}
