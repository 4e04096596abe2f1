//! `cargo learn`, the command line.

use anyhow::{Context, Result, bail};
use clap::{Parser, Subcommand};
use learn::catalog::{Catalog, Exercise};
use learn::child::{self, Judge, Limits};
use learn::compile::{Compiler, Workshop};
use learn::confine;
use learn::desk::Desk;
use learn::grade::{self, Grade, Share};
use learn::marks::Marks;
use learn::reason::Reason;
use learn::report::{self, Format};
use learn::session::{Session, shown};
use learn::spec::Kind;
use learn::watch::{self, say};
use learn::{doctor, new, pack, stored, verify};
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Exercises in CUDA concurrency. Without a command: the next exercise, judged whenever you save its file.
#[derive(Parser)]
#[command(name = "cargo learn", version)]
struct Arguments {
    /// Another folder of exercises.
    #[arg(long, global = true, value_name = "DIR")]
    catalog: Option<PathBuf>,
    /// Where your copies are; `my-exercises` where nothing is said.
    #[arg(long, global = true, value_name = "DIR", env = "LEARN_DIR")]
    dir: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Name all exercises, and what is solved.
    List,
    /// The next hint for an exercise; taken hints are counted.
    Hint {
        /// The next exercise where nothing is said.
        name: Option<String>,
    },
    /// Judge an exercise once.
    Run {
        name: Option<String>,
        /// Only the run of this token.
        #[arg(long)]
        replay: Option<String>,
        /// Judge this file instead of your copy.
        #[arg(long)]
        file: Option<PathBuf>,
    },
    /// Start an exercise again; your edited file is kept beside it.
    Reset {
        name: String,
        /// Do not ask.
        #[arg(long)]
        yes: bool,
    },
    /// Show an answer that works.
    Solution {
        name: String,
        /// Do not ask, though it is not solved yet.
        #[arg(long)]
        yes: bool,
    },
    /// What a kind of finding is; without a name, all of them.
    Explain { kind: Option<String> },
    /// What is here, what is missing, and the command that mends it.
    Doctor,
    /// For authors: a new exercise, a small one that works, to be changed.
    New {
        /// TOPIC/NAME, such as 02_sync/who_wins.
        name: String,
        #[arg(long, value_enum, default_value_t = Kind::Mend)]
        kind: Kind,
    },
    /// For authors: hold the exercises to what they promise.
    Verify {
        /// Only exercises whose names hold this.
        #[arg(default_value = "")]
        name: String,
        /// Store the PTX of a pack's exercises that must work without a compiler.
        #[arg(long)]
        store: bool,
    },
    /// For lecturers: judge a folder of submissions, a folder for each student.
    Grade {
        folder: PathBuf,
        #[arg(long, value_enum, default_value_t = Format::Csv)]
        format: Format,
        /// Only this student; may be said several times.
        #[arg(long, value_name = "NAME")]
        student: Vec<String>,
        /// Only every Nth student, from the Kth: a part of the class for each of several machines.
        #[arg(long, value_name = "K/N")]
        share: Option<Share>,
        /// Only exercises whose names hold this.
        #[arg(long, default_value = "")]
        only: String,
        /// Only the exercises of this file's table `[points]`, for so many points.
        #[arg(long, value_name = "FILE")]
        points: Option<PathBuf>,
        /// The exit status is 0 only if all is solved.
        #[arg(long)]
        strict: bool,
        /// Judge without shutting the compiler in; programs of the host are only judged so.
        #[arg(long)]
        no_sandbox: bool,
        /// Where verdicts are kept for files that come again.
        #[arg(long, value_name = "DIR")]
        cache: Option<PathBuf>,
    },
    /// For lecturers: put reports of several runs of `grade`, in JSON, together.
    Merge {
        #[arg(required = true)]
        files: Vec<PathBuf>,
        #[arg(long, value_enum, default_value_t = Format::Csv)]
        format: Format,
    },
    #[command(name = child::COMMAND, hide = true)]
    JudgeChild { memory: u64, cell: Option<String> },
    #[command(name = confine::COMMAND, hide = true)]
    Confine {
        how: String,
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
}

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Whether all is well: solved, or as promised.
fn run(arguments: Arguments) -> Result<bool> {
    match &arguments.command {
        Some(Command::JudgeChild { memory, cell }) => {
            return child::serve(*memory, cell.as_deref()).map(|()| true);
        }
        Some(Command::Confine { how, words }) => return confine::become_it(how, words).map(|()| true),
        Some(Command::Explain { kind }) => {
            match kind {
                Some(kind) => say(common::explain::named(kind).map_err(anyhow::Error::msg)?),
                None => say(&common::explain::list()),
            }
            return Ok(true);
        }
        Some(Command::Merge { files, format }) => return tell(&report::merge(files)?, *format, false),
        _ => {}
    }
    let home =
        PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into()));
    let own = home.join("catalog");
    let folder = arguments.catalog.clone().unwrap_or_else(|| own.clone());
    let is_course = folder.canonicalize().is_ok_and(|folder| own.canonicalize().is_ok_and(|own| own == folder));
    let command = command(arguments.catalog.as_deref().filter(|_| !is_course));
    if let Some(Command::New { name, kind }) = &arguments.command {
        return author(&std::path::absolute(folder)?, &home.join("templates"), name, *kind, is_course, &command);
    }
    let folder = folder.canonicalize().with_context(|| format!("cannot open {}", folder.display()))?;
    let catalog = Catalog::read(&folder)?;
    if !is_course && let Some(why) = pack::objection(&folder, catalog.pack.as_ref(), &command) {
        if !matches!(arguments.command, Some(Command::Verify { .. })) {
            bail!("{why}");
        }
        eprintln!("note: {why}\n");
    }
    let program = std::env::current_exe().context("cannot tell where this program is")?;
    let desk = Desk::new(match arguments.dir {
        Some(folder) => std::path::absolute(folder)?,
        None => {
            let own = home.parent().unwrap_or(&home).join("my-exercises");
            catalog.pack.as_ref().filter(|_| !is_course).map_or(own.clone(), |pack| own.join(&pack.name))
        }
    });
    match arguments.command {
        Some(Command::Verify { name, store }) => return check_catalogue(&catalog, &name, store, &program, &command),
        Some(Command::Grade { folder, format, student, share, only, points, strict, no_sandbox, cache }) => {
            let marks = points.map(|file| Marks::read(&file, &catalog)).transpose()?;
            let (students, is_shut_in, limits) = (student, !no_sandbox, Limits::default());
            let options = grade::Options { folder, students, share, only, marks, is_shut_in, cache, limits, command };
            return tell(&grade::grade(&catalog, &program, &options)?, format, strict);
        }
        Some(Command::Doctor) => {
            let (text, works) = doctor::doctor(&desk, catalog.exercises.len());
            say(&text);
            return Ok(works);
        }
        _ => {}
    }
    let is_terminal = std::io::stdout().is_terminal();
    let judge = Judge::new(&program, Limits::default());
    let mut session = Session::begin(catalog, desk, judge, is_terminal, command)?;
    match arguments.command {
        None => {
            offer_toolkit()?;
            if !is_terminal {
                return watch::once(&mut session);
            }
            watch::watch(&mut session)?;
        }
        Some(Command::List) => say(&session.list()?),
        Some(Command::Hint { name }) => say(&session.hint(session.pick(name.as_deref())?)?),
        Some(Command::Run { name, replay, file }) => {
            let exercise = session.pick(name.as_deref())?.clone();
            let verdict = match file {
                Some(file) => session.judge_file(&exercise, &file, replay)?,
                None => session.judge(&exercise.name, replay)?,
            };
            say(&verdict.painted(session.colour));
            return Ok(verdict.passed);
        }
        Some(Command::Reset { name, yes }) => {
            let exercise = session.catalog.find(&name)?;
            let untouched = session.desk.is_untouched(exercise);
            if !untouched && !yes && !asked(&format!("start {} again?", exercise.name))? {
                return Ok(false);
            }
            let kept = session.desk.reset(exercise)?;
            say(&format!("{} is as it was handed out\n", shown(&session.desk.file(exercise))));
            if let Some(kept) = kept {
                say(&format!("your file is kept as {}\n", shown(&kept)));
            }
        }
        Some(Command::Solution { name, yes }) => return show_solution(&session, session.catalog.find(&name)?, yes),
        // Answered above.
        Some(_) => {}
    }
    Ok(true)
}

/// What a user types in front of a command.
fn command(catalog: Option<&Path>) -> String {
    let Some(folder) = catalog else { return "cargo learn".to_string() };
    let folder = folder.display().to_string();
    let is_plain = folder.chars().all(|c| c.is_alphanumeric() || "/._-~".contains(c));
    let folder = if is_plain { folder } else { format!("'{}'", folder.replace('\'', "'\\''")) };
    format!("cargo learn --catalog {folder}")
}

fn author(folder: &Path, templates: &Path, name: &str, kind: Kind, is_course: bool, command: &str) -> Result<bool> {
    let made = new::create(folder, templates, name, kind, is_course)?;
    let catalog = Catalog::read(folder)?;
    let exercise = catalog.find(name)?;
    say(&format!("{} is a small exercise of the kind `{}` that works\n", shown(&made.folder), kind.as_str()));
    for path in &made.others {
        say(&format!("{} was written, too\n", shown(path)));
    }
    if !is_course && let Err(why) = stored::store(&catalog, exercise, &mut Workshop::default()) {
        say(&format!(
            "{why}\nwithout a compiler its PTX is not stored; `{command} verify {name} --store` does it later\n"
        ));
    }
    say(&format!("\nChange it, and hold it to what it promises: {command} verify {name}\n"));
    if is_course && !stored::sources(exercise).is_empty() {
        say("Students need its PTX without a compiler: cargo xtask ptx stores it.\n");
    }
    say("exercises/AUTHORS.md, \"How to write a new exercise\", has the rest.\n");
    Ok(true)
}

/// Whether nothing but the students is at fault; `strict`: whether they solved all.
fn tell(grades: &[Grade], format: Format, strict: bool) -> Result<bool> {
    say(&report::report(grades, format)?);
    Ok(grades.iter().all(|grade| if strict { grade.verdict.passed } else { !grade.verdict.is(Reason::Error) }))
}

fn check_catalogue(catalog: &Catalog, name: &str, store: bool, program: &Path, command: &str) -> Result<bool> {
    if store {
        if catalog.pack.is_none() {
            bail!("the course's own PTX is stored by `cargo xtask ptx`; `--store` is for packs");
        }
        let mut workshop = Workshop::default();
        for exercise in catalog.matching(name) {
            for path in stored::store(catalog, exercise, &mut workshop).map_err(anyhow::Error::msg)? {
                say(&format!("stored {}\n", shown(&path)));
            }
        }
    }
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let verified = verify::verify(catalog, name, program, workers, command)?;
    let (text, good) = verify::report(&verified, &catalog.disagreements()?);
    say(&text);
    Ok(good)
}

fn show_solution(session: &Session, exercise: &Exercise, yes: bool) -> Result<bool> {
    if !exercise.solution().is_file() {
        bail!("no solution of {} came with these exercises; ask whoever gave them to you", exercise.name);
    }
    let solved = session.progress()?.is_solved(&exercise.name);
    if !solved && !yes && !asked(&format!("{} is not solved yet; show an answer?", exercise.name))? {
        return Ok(false);
    }
    if !solved {
        learn::progress::Progress::change(&session.desk.folder, |progress| {
            progress.record(&exercise.name).saw_solution = true;
            Ok(())
        })?;
    }
    let path = exercise.solution();
    say(&std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?);
    say(&format!("\nidea: {}\n", exercise.spec.idea));
    Ok(true)
}

/// A question on the terminal; without one, the answer must come as `--yes`.
fn asked(question: &str) -> Result<bool> {
    if !std::io::stdin().is_terminal() {
        bail!("{question} Say so with `--yes`.");
    }
    say(&format!("{question} [y/N] "));
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    Ok(matches!(line.trim(), "y" | "Y" | "yes"))
}

/// Where there is no compiler: fetches one, if the student wants.
fn offer_toolkit() -> Result<()> {
    let Err(why) = Compiler::find() else { return Ok(()) };
    eprintln!("{why:#}");
    let without = "Until then: the exercises that ask (predict, break) and those about the host, which need none.\n\n";
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        eprint!("{without}");
        return Ok(());
    }
    if !asked("fetch it now (about 190 MB, into your cache folder)?")? {
        say(without);
        return Ok(());
    }
    std::io::stdout().flush()?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = std::process::Command::new(cargo).args(["toolkit", "install"]).status();
    if !status.context("cannot run `cargo toolkit install`")?.success() {
        bail!("`cargo toolkit install` did not work; `cargo learn doctor` says what is missing");
    }
    Ok(())
}
