//! `cargo learn` alone: the next exercise, judged whenever its file is saved.
//!
//! The file is looked at twenty times a second. Change notices of the system would be quicker and do not arrive on every
//! file system (network shares, Windows folders under WSL). Commands are lines on stdin: they work in every terminal and
//! through every connection.

use crate::catalog::Exercise;
use crate::child::Trying;
use crate::progress::Judged;
use crate::session::{Session, shown};
use crate::tried::Told;
use crate::verdict::Verdict;
use anyhow::Result;
use common::say as print;
use std::fs;
use std::io::BufRead;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Between two looks at the file. A student waits for half of it on average, and it is a small file to read.
const LOOK: Duration = Duration::from_millis(50);

/// After a look that found something new: time for an editor to finish.
const SETTLE: Duration = Duration::from_millis(25);

/// What ended the work on one exercise.
enum End {
    Next,
    Quit,
}

/// Goes from exercise to exercise until the student quits or all is solved.
pub fn watch(session: &mut Session) -> Result<()> {
    let lines = read_lines();
    let mut after: Option<String> = None;
    loop {
        let Some(exercise) = session.next(after.as_deref())?.cloned() else {
            print(&format!("{}\n", session.nothing_left()?));
            return Ok(());
        };
        match one(session, &exercise, &lines)? {
            End::Next => after = Some(exercise.name),
            End::Quit => return Ok(()),
        }
    }
}

/// For a pipe: the next exercise and the verdict on it, once.
pub fn once(session: &mut Session) -> Result<bool> {
    let exercise = session.pick(None)?.clone();
    print(&heading(session, &exercise)?);
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

fn one(session: &mut Session, exercise: &Exercise, lines: &Receiver<String>) -> Result<End> {
    let file = session.desk.file(exercise);
    let mut seen = fs::read(&file).unwrap_or_default();
    let mut shown = Shown::new(session, exercise)?;
    // A closed stdin, as in a terminal's background, is no reason to stop watching.
    let mut is_open = true;
    loop {
        match lines.recv_timeout(LOOK) {
            Ok(line) => match line.trim() {
                "" => {}
                "q" => return Ok(End::Quit),
                "n" => return Ok(End::Next),
                "h" => print(&session.hint(exercise)?),
                "l" => print(&session.list()?),
                "f" => shown.try_fix(session, exercise, true)?,
                "r" => shown.again(session, exercise, Judged::Asked)?,
                "v" => {
                    session.is_verbose = !session.is_verbose;
                    shown.again(session, exercise, Judged::Saved)?;
                }
                _ => print(&format!("{}\n", say!("keys"))),
            },
            Err(RecvTimeoutError::Disconnected) if is_open => is_open = false,
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(LOOK),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Some(now) = saved(&file, &seen) {
            seen = now;
            shown.again(session, exercise, Judged::Saved)?;
        }
        shown.look();
    }
}

/// What is on the screen of one exercise, and what is still to come.
struct Shown {
    /// `None` where the answer could not be judged.
    verdict: Option<Verdict>,
    trying: Option<Trying>,
    is_asked: bool,
}

impl Shown {
    fn new(session: &mut Session, exercise: &Exercise) -> Result<Shown> {
        let mut shown = Shown { verdict: None, trying: None, is_asked: false };
        shown.again(session, exercise, Judged::Saved)?;
        Ok(shown)
    }

    /// The verdict first. What was tried for the last one is of no use any more, and ends.
    fn again(&mut self, session: &mut Session, exercise: &Exercise, why: Judged) -> Result<()> {
        self.trying = None;
        self.verdict = show(session, exercise, why)?;
        if session.is_fix_due(&exercise.name)? {
            self.try_fix(session, exercise, false)?;
        }
        Ok(())
    }

    /// In the background.
    fn try_fix(&mut self, session: &Session, exercise: &Exercise, is_asked: bool) -> Result<()> {
        self.is_asked = is_asked;
        if let (None, Some(verdict)) = (&self.trying, &self.verdict) {
            self.trying = session.try_fix(exercise, &session.desk.file(exercise), verdict)?;
        }
        if self.trying.is_none() && is_asked {
            tell(&Told::default(), true);
        }
        Ok(())
    }

    /// Shows what has come.
    fn look(&mut self) {
        if let Some(told) = self.trying.as_ref().and_then(|trying| trying.told(Duration::ZERO)) {
            tell(&told, self.is_asked);
            self.trying = None;
        }
    }
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

/// The verdict, if there is one.
fn show(session: &mut Session, exercise: &Exercise, why: Judged) -> Result<Option<Verdict>> {
    let heading = heading(session, exercise)?;
    // Clears the screen; what was above stays in the terminal's history.
    print(&format!("\x1b[2J\x1b[H{heading}"));
    let verdict = session.judge(&exercise.name, None, why);
    match &verdict {
        Ok(verdict) => {
            print(&verdict.painted(session.colour));
            if verdict.passed {
                print(&format!("\n{}\n", say!("solved-next", standing = session.standing()?)));
            }
        }
        Err(error) => print(&format!("{}\n", say!("error", why = format!("{error:#}")))),
    }
    print(&format!("\n{}\n", say!("keys")));
    Ok(verdict.ok())
}

fn heading(session: &Session, exercise: &Exercise) -> Result<String> {
    let file = shown(&session.desk.file(exercise));
    let (title, minutes) = (exercise.title(), exercise.spec.minutes);
    let standing = session.standing()?;
    Ok(format!("{}: {title} ({minutes} min; {standing})\n{}\n\n", exercise.name, say!("edit", file)))
}

fn read_lines() -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}
