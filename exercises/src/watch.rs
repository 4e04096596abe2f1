//! `cargo learn` alone: the next exercise, judged whenever its file is saved.
//!
//! The file is looked at twenty times a second. Change notices of the system would be quicker and do not arrive on
//! every file system (network shares, Windows folders under WSL). Commands are lines on stdin ([`crate::keyboard`]):
//! they work in every terminal and through every connection. They work while an answer is judged, too, and a newer save
//! ends that.

mod shown;

use crate::Language;
use crate::catalog::Exercise;
use crate::keyboard::Keyboard;
use crate::listing::{self, Listing};
use crate::progress::Judged;
use crate::reflow::unwrapped;
use crate::screen;
use crate::session::{LearnSession, is_gone, shown};
use crate::task::MoreBy;
use crate::terminal::print;
use crate::tried::FixText;
use crate::verdict::Verdict;
use anyhow::Result;
use shown::{ExerciseScreen, error_line, of_fix, screen_size};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

/// Between two looks at the file. A student waits for half of it on average, and it is a small file to read.
const LOOK: Duration = Duration::from_millis(50);

/// After a look that found something new: time for an editor to finish.
const SETTLE: Duration = Duration::from_millis(25);

/// Looks at which the file is not there before it counts as deleted: editors may delete a file and write it anew.
const GONE: u32 = 10;

/// The reason why the work on one exercise ended.
enum WatchEnd {
    Next,
    To(Box<Exercise>),
    Quit,
}

/// The purpose of the next line that the student types.
enum InputMode {
    Keys,
    /// A choice from this list, which is on the screen.
    Choice(Listing),
    /// An answer to the question whether to begin anew, or whether to show a solution.
    Reset,
    Solution,
}

/// Goes from exercise to exercise until the student quits or all is solved; begins with `first`, if there is one.
pub fn watch(session: &mut LearnSession, first: Option<Exercise>) -> Result<()> {
    let keyboard = Keyboard::open();
    session.more_by = MoreBy::Key;
    let mut next = first.or(session.next(None)?.cloned());
    while let Some(exercise) = next {
        match one(session, &exercise, &keyboard)? {
            WatchEnd::Next => next = session.next(Some(&exercise.name))?.cloned(),
            WatchEnd::To(chosen) => next = Some(*chosen),
            WatchEnd::Quit => return Ok(()),
        }
    }
    print(&format!("{}\n", session.nothing_left()?));
    Ok(())
}

/// For a pipe: the next exercise, or `first`, and the verdict on it, once.
pub fn once(session: &mut LearnSession, first: Option<Exercise>) -> Result<bool> {
    let exercise = first.map_or_else(|| session.pick(None).cloned(), Ok)?;
    print(&introduced(session, &exercise)?);
    let verdict = session.judge(&exercise.name, None, Judged::Asked)?;
    print(&verdict.painted(session.colour));
    if session.is_fix_due(&exercise.name)? {
        tell_fix(session, &exercise, &session.desk.file(&exercise), &verdict, false)?;
    }
    Ok(verdict.passed)
}

/// Tries what fixes an answer, and says so; the verdict has been shown. `is_asked`: the student wants to hear something
/// in any case.
pub fn tell_fix(
    session: &LearnSession,
    exercise: &Exercise,
    file: &Path,
    verdict: &Verdict,
    is_asked: bool,
) -> Result<()> {
    let trying = session.try_fix(exercise, file, verdict)?;
    if !verdict.passed {
        tell(&trying.map_or_else(FixText::default, |trying| trying.wait()), is_asked);
    }
    Ok(())
}

fn tell(told: &FixText, is_asked: bool) {
    if let Some(text) = of_fix(told, is_asked) {
        print(&format!("\n{text}"));
    }
}

fn one(session: &mut LearnSession, exercise: &Exercise, keyboard: &Keyboard) -> Result<WatchEnd> {
    let file = session.desk.file(exercise);
    let mut seen = fs::read(&file).unwrap_or_default();
    let mut shown = ExerciseScreen::new(session, exercise);
    let mut mode = InputMode::Keys;
    // A closed stdin, as in a terminal's background, is no reason to stop watching.
    let mut is_open = true;
    // Looks in a row at which there was no file.
    let mut misses = 0;
    loop {
        // The verdict is shown as soon as it comes; a key may wait until the next look.
        let wait = if shown.hears(session, exercise)? { Duration::ZERO } else { LOOK };
        match keyboard.line(wait) {
            Ok(line) => {
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
            mode = InputMode::Keys;
            shown.gone(session, exercise);
        }
        if let Some(now) = saved(&file, &seen) {
            seen = now;
            mode = InputMode::Keys;
            shown.again(session, exercise, Judged::Saved);
        }
        shown.look(session, exercise);
        shown.resize(session, exercise);
    }
}

/// Does what a line asks for; what the next one is for, and whether the work on this exercise ends. Each line has an
/// answer.
fn typed(
    session: &mut LearnSession,
    exercise: &Exercise,
    keyboard: &Keyboard,
    shown: &mut ExerciseScreen,
    mode: InputMode,
    line: &str,
) -> Result<(InputMode, Option<WatchEnd>)> {
    match mode {
        InputMode::Keys => {}
        InputMode::Choice(listing) => return chosen(session, exercise, shown, listing, line),
        InputMode::Reset if is_yes(line) => {
            let before = session.answer(exercise);
            let text = session.reset(exercise)?;
            shown.answer(session, exercise, line, &text);
            if session.answer(exercise) != before {
                shown.above_next = text;
            }
            return Ok((InputMode::Keys, None));
        }
        InputMode::Solution if is_yes(line) => {
            let text = session.solution(exercise)?;
            shown.answer(session, exercise, line, &text);
            return Ok((InputMode::Keys, None));
        }
        InputMode::Reset | InputMode::Solution => {
            shown.answer(session, exercise, line, &say!("nothing-done"));
            return Ok((InputMode::Keys, None));
        }
    }
    let ask = |shown: &mut ExerciseScreen, session: &LearnSession, question: String| {
        shown.answer(session, exercise, line, &format!("{question} {}", say!("ask-choice")));
    };
    let spelled = key(line);
    match spelled.as_deref().unwrap_or(line) {
        "" => shown.show(session, exercise),
        "q" => return Ok((mode, Some(WatchEnd::Quit))),
        "n" => return Ok((mode, Some(WatchEnd::Next))),
        "h" => {
            let text = session.hint(exercise)?;
            shown.answer(session, exercise, line, &text);
        }
        "?" => shown.answer(session, exercise, line, &say!("keys-help")),
        "m" => {
            shown.page.turn();
            shown.show(session, exercise);
        }
        "l" => {
            let listing = Listing { is_numbered: true, ..Listing::default() };
            shown.is_covered = true;
            return Ok((offer(session, listing, "")?, None));
        }
        "f" => shown.fix_asked(session, exercise)?,
        "r" => shown.again(session, exercise, Judged::Asked),
        "v" => {
            session.is_verbose = !session.is_verbose;
            shown.again(session, exercise, shown.why);
        }
        "e" => {
            let text = edit(&session.desk.file(exercise), keyboard);
            shown.answer(session, exercise, line, &text);
        }
        "x" => {
            ask(shown, session, say!("ask-reset", name = &exercise.name));
            return Ok((InputMode::Reset, None));
        }
        "s" if session.progress()?.is_solved(&exercise.name) || !exercise.solution().is_file() => {
            let text = session.solution(exercise).unwrap_or_else(|error| error_line(&error));
            shown.answer(session, exercise, line, &text);
        }
        "s" => {
            ask(shown, session, say!("ask-solution", name = &exercise.name));
            return Ok((InputMode::Solution, None));
        }
        _ if let Some(text) = explained(line) => shown.answer(session, exercise, line, &text),
        _ => match named(session, line) {
            Some(named) => return Ok((mode, Some(WatchEnd::To(Box::new(named.clone()))))),
            None => {
                let text = unknown(session, line);
                shown.answer(session, exercise, line, &text);
            }
        },
    }
    Ok((mode, None))
}

/// The exercise that a line names: by its number in the list, or by its name. `06` is a topic.
fn named<'a>(session: &'a LearnSession, line: &str) -> Option<&'a Exercise> {
    let number = || line.parse::<usize>().ok().filter(|_| !line.starts_with('0'));
    let by_number = || session.catalog.exercises.get(number()?.checked_sub(1)?);
    by_number().or_else(|| session.catalog.find(line).ok())
}

/// The key that a line spells out, as the keys on the screen do: `h` for `hint`. Accents and capitals may be left out.
fn key(line: &str) -> Option<String> {
    let keys = say!("keys");
    let parts = keys.split(',').filter_map(|part| part.split('(').next()?.trim().split_once(' '));
    parts.into_iter().find(|(_, word)| plain(word) == plain(line)).map(|(key, _)| key.to_string())
}

/// A word in small letters without the accents of Spanish.
fn plain(word: &str) -> String {
    let letter = |c: char| match c {
        'á' => 'a',
        'é' => 'e',
        'í' => 'i',
        'ó' => 'o',
        'ú' | 'ü' => 'u',
        c => c,
    };
    word.to_lowercase().chars().map(letter).collect()
}

/// The answer to `explain race-shared`, as a report names that command, or to another command of `cargo learn`.
fn explained(line: &str) -> Option<String> {
    let typed = line.strip_prefix("cargo learn ");
    let mut words = typed.unwrap_or(line).split_whitespace();
    match (words.next(), words.next(), words.next()) {
        (Some("explain"), None, _) => Some(tell::explain::list(Language::current())),
        (Some("explain"), Some(kind), None) => Some(tell::explain::named(kind).map_or_else(|why| why, unwrapped)),
        (Some(kind), None, _) if typed.is_none() => tell::explain::named(kind).ok().map(unwrapped),
        _ => typed.map(|_| say!("command-elsewhere", line)),
    }
}

/// The answer to a line that is no key and names no exercise.
fn unknown(session: &LearnSession, line: &str) -> String {
    if line.parse::<i128>().is_ok() {
        return say!("number-unknown", number = line, of = session.catalog.exercises.len());
    }
    match listing::near(session, line) {
        Some(near) => say!("line-unknown-near", line, near),
        None => say!("line-unknown", line),
    }
}

/// A page of the list, and how to choose from it.
fn offer(session: &LearnSession, mut listing: Listing, answer: &str) -> Result<InputMode> {
    screen::draw(&listing.screen(session, screen_size(), answer)?);
    Ok(InputMode::Choice(listing))
}

/// A number or a whole name goes there, Enter alone goes back; all else shows another part of the list.
fn chosen(
    session: &mut LearnSession,
    exercise: &Exercise,
    shown: &mut ExerciseScreen,
    mut listing: Listing,
    line: &str,
) -> Result<(InputMode, Option<WatchEnd>)> {
    if let Some(chosen) = named(session, line) {
        return Ok((InputMode::Keys, Some(WatchEnd::To(Box::new(chosen.clone())))));
    }
    let other = match line {
        "q" => return Ok((InputMode::Keys, Some(WatchEnd::Quit))),
        "" => {
            shown.is_covered = false;
            shown.show(session, exercise);
            return Ok((InputMode::Keys, None));
        }
        "m" | "b" => {
            listing.turn(screen_size(), line == "m");
            return Ok((offer(session, listing, "")?, None));
        }
        "a" => listing.of(session, "", false)?,
        "t" => listing.of(session, "", true)?,
        part => {
            let part = session.catalog.topic(part).unwrap_or(part);
            listing.of(session, part, listing.is_to_do)?
        }
    };
    let answer = match (&other, line) {
        (Some(_), _) => String::new(),
        (None, "t") => say!("nothing-to-do"),
        (None, line) => unknown(session, line),
    };
    Ok((offer(session, other.unwrap_or(listing), &answer)?, None))
}

/// Opens the file in the student's editor, which may want the terminal for itself; what to say of it.
fn edit(file: &Path, keyboard: &Keyboard) -> String {
    let named = ["VISUAL", "EDITOR"].into_iter().find_map(|name| std::env::var(name).ok().filter(|it| !it.is_empty()));
    let is_in_code = std::env::var("TERM_PROGRAM").is_ok_and(|name| name == "vscode");
    let Some(editor) = named.or(is_in_code.then(|| "code".to_string())) else {
        return say!("editor-unknown", file = shown(file));
    };
    let mut words = editor.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).arg(file);
    match keyboard.lend(|| command.status()) {
        Ok(_) => say!("editor-done", file = shown(file)),
        Err(error) => format!("{}: {}", say!("cannot-run", program = editor), tell::of_system(&error)),
    }
}

/// An answer to a question, in either language.
pub fn is_yes(line: &str) -> bool {
    matches!(line.trim(), "y" | "Y" | "yes" | "s" | "S" | "sí" | "si")
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

/// For a pipe: what the exercise is, and its file.
fn introduced(session: &LearnSession, exercise: &Exercise) -> Result<String> {
    let file = shown(&session.desk.file(exercise));
    let (title, minutes, standing) = (exercise.title(), exercise.spec.minutes, session.standing()?);
    let title = format!("{}: {title} ({minutes} min; {standing})", exercise.name);
    Ok(format!("{title}\n{}\n\n", say!("edit", file)))
}
