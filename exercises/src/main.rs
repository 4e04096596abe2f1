//! `cargo learn`, the command line.

use anyhow::{Context, Result, bail};
use learn::arguments::{Arguments, Command};
use learn::catalog::{Catalog, Exercise};
use learn::child::{self, Judge, Limits};
use learn::compile::{Compiler, Workshop};
use learn::confine;
use learn::desk::Desk;
use learn::grade::{self, Grade};
use learn::marks::ExercisePoints;
use learn::progress::Judged;
use learn::reason::Reason;
use learn::reflow::unwrapped;
use learn::report::{self, ReportFormat};
use learn::session::{LearnSession, shown};
use learn::spec::ExerciseKind;
use learn::terminal::print;
use learn::{doctor, new, pack, ranges, say, stored, toolchain, verify, watch, web};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    match run(Arguments::read()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            words::complain(&say!("error", why = tell::in_a_line(&error)));
            ExitCode::from(2)
        }
    }
}

/// True if all is well: solved, or as promised.
fn run(arguments: Arguments) -> Result<bool> {
    match &arguments.command {
        Some(Command::JudgeChild { memory, cell }) => child::serve::serve(*memory, cell.as_deref()).map(|()| true),
        Some(Command::Confine { how, words }) => confine::become_it(how, words).map(|()| true),
        Some(Command::Explain { kind }) => {
            match kind {
                Some(kind) => {
                    let page = tell::explain::named(kind).map_err(anyhow::Error::msg)?;
                    print(&if std::io::stdout().is_terminal() { unwrapped(page) } else { page.to_string() });
                }
                None => print(&tell::explain::list(learn::Language::current())),
            }
            Ok(true)
        }
        Some(Command::Merge { files, format }) => tell(&report::merge(files)?, *format, false),
        _ => with_exercises(arguments),
    }
}

/// The commands that take a folder of exercises.
fn with_exercises(arguments: Arguments) -> Result<bool> {
    let home =
        PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into()));
    let own = home.join("catalog");
    let folder = arguments.catalog.clone().unwrap_or_else(|| own.clone());
    let is_course = folder.canonicalize().is_ok_and(|folder| own.canonicalize().is_ok_and(|own| own == folder));
    let given = arguments.catalog.as_deref().filter(|_| !is_course);
    let command = command_with(given, None);
    // A variable of the environment is there for the next command too.
    let is_set = |dir: &&Path| std::env::var_os("LEARN_DIR").is_some_and(|set| set == dir.as_os_str());
    let of_student = command_with(given, arguments.dir.as_deref().filter(|dir| !is_set(dir)));
    if let Some(Command::New { name, kind }) = &arguments.command {
        return author(&std::path::absolute(folder)?, &home.join("templates"), name, *kind, is_course, &command);
    }
    let folder = folder.canonicalize().with_context(|| say!("cannot-open", path = folder.display().to_string()))?;
    let catalog = Catalog::read(&folder)?;
    if !is_course && let Some(why) = pack::objection(&folder, catalog.pack.as_ref(), &command) {
        if !matches!(arguments.command, Some(Command::Verify { .. })) {
            bail!("{why}");
        }
        words::complain(&format!("{}\n", say!("note", why)));
    }
    let program = std::env::current_exe().context(say!("no-own-path"))?;
    let desk = Desk::new(match arguments.dir {
        Some(folder) => std::path::absolute(folder)?,
        None => {
            let own = home.parent().unwrap_or(&home).join("my-exercises");
            catalog.pack.as_ref().filter(|_| !is_course).map_or(own.clone(), |pack| own.join(&pack.name))
        }
    });
    match arguments.command {
        Some(Command::Verify { name, write_ranges: true, .. }) => write_ranges(&catalog, &name),
        Some(Command::Verify { name, store, .. }) => check_catalogue(&catalog, &name, store, &program, &command),
        Some(Command::Grade { folder, format, student, share, only, points, strict, no_sandbox, cache }) => {
            let marks = points.map(|file| ExercisePoints::read(&file, &catalog)).transpose()?;
            let (students, is_sandboxed, limits) = (student, !no_sandbox, Limits::default());
            let is_verbose = arguments.verbose;
            let options = grade::GradeOptions {
                folder,
                students,
                share,
                only,
                marks,
                is_sandboxed,
                is_verbose,
                cache,
                limits,
                command,
            };
            room_for_a_report()?;
            let grades = grade::grade(&catalog, &program, &options)?;
            // Beside the report, which another program may read.
            if format != ReportFormat::Github {
                words::to_stderr(&grade::totals(&grades));
            }
            tell(&grades, format, strict)
        }
        Some(Command::Doctor) => {
            let (text, works) = doctor::doctor(&desk, catalog.exercises.len());
            print(&text);
            Ok(works)
        }
        given => {
            let is_terminal = std::io::stdout().is_terminal();
            let judge = Judge::new(&program, Limits::default());
            // A page has colours of its own.
            let colour = is_terminal && !matches!(given, Some(Command::Web { .. }));
            let mut session = LearnSession::begin(catalog, desk, judge, colour, of_student)?;
            session.is_verbose = arguments.verbose;
            of_a_student(session, given, arguments.name, &program, is_terminal)
        }
    }
}

/// Runs a student's command at the desk; without one, one exercise after the other.
fn of_a_student(
    mut session: LearnSession,
    command: Option<Command>,
    name: Option<String>,
    program: &Path,
    is_terminal: bool,
) -> Result<bool> {
    match command {
        Some(Command::Web { port, allow_host, no_open }) => {
            if let Err(why) = Compiler::find() {
                words::complain(&format!("{}\n{}\n", tell::in_a_line(&why), say!("until-then")));
            }
            let options = web::WebOptions { port, hosts: allow_host, opens: !no_open && is_terminal };
            web::run(session, program, &options)?;
        }
        None => {
            offer_toolkit()?;
            let first = name.map(|name| session.begin_at(&name).cloned()).transpose()?;
            if !is_terminal {
                return watch::once(&mut session, first);
            }
            watch::watch(&mut session, first)?;
        }
        Some(Command::List) => print(&session.list()?),
        Some(Command::Hint { name }) => print(&session.hint(session.pick(name.as_deref())?)?),
        Some(Command::Run { name, replay, file, fix }) => {
            let exercise = session.pick(name.as_deref())?.clone();
            let is_own = file.is_none() && replay.is_none();
            let verdict = match &file {
                Some(file) => session.judge_file(&exercise, file, replay)?,
                None => session.judge(&exercise.name, replay, Judged::Asked)?,
            };
            print(&verdict.painted(session.colour));
            if fix || is_own && session.is_fix_due(&exercise.name)? {
                let file = file.unwrap_or_else(|| session.desk.file(&exercise));
                watch::tell_fix(&session, &exercise, &file, &verdict, fix)?;
            }
            return Ok(verdict.passed);
        }
        Some(Command::Reset { name, yes }) => {
            let exercise = session.catalog.find(&name)?;
            let untouched = session.desk.is_untouched(exercise);
            if !untouched && !yes && !asked(&say!("ask-reset", name = &exercise.name))? {
                return Ok(false);
            }
            print(&session.reset(exercise)?);
        }
        Some(Command::Solution { name, yes }) => return show_solution(&session, session.catalog.find(&name)?, yes),
        // Answered above.
        Some(_) => {}
    }
    Ok(true)
}

/// Returns the text that a user types before a command.
fn command_with(catalog: Option<&Path>, dir: Option<&Path>) -> String {
    let is_plain = |text: &str| text.chars().all(|c| c.is_alphanumeric() || "/._-~".contains(c));
    let quoted = |text: String| if is_plain(&text) { text } else { format!("'{}'", text.replace('\'', "'\\''")) };
    let given = [("--catalog", catalog), ("--dir", dir)].into_iter();
    let named = given.filter_map(|(option, path)| Some(format!(" {option} {}", quoted(path?.display().to_string()))));
    "cargo learn".to_string() + &named.collect::<String>()
}

fn author(
    folder: &Path,
    templates: &Path,
    name: &str,
    kind: ExerciseKind,
    is_course: bool,
    command: &str,
) -> Result<bool> {
    let made = new::create(folder, templates, name, kind, is_course)?;
    let catalog = Catalog::read(folder)?;
    let exercise = catalog.find(name)?;
    print(&format!("{}\n", say!("new-made", folder = shown(&made.folder), kind = kind.as_str())));
    for path in &made.others {
        print(&format!("{}\n", say!("new-also", file = shown(path))));
    }
    if !is_course && let Err(why) = stored::store(&catalog, exercise, &mut Workshop::default()) {
        print(&format!("{why}\n{}\n", say!("new-not-stored", command, name)));
    }
    print(&format!("\n{}\n", say!("new-next", command, name)));
    if is_course && !stored::sources(exercise).is_empty() {
        print(&format!("{}\n", say!("new-ptx")));
    }
    print(&format!("{}\n", say!("new-read")));
    Ok(true)
}

/// A class takes minutes: where the report cannot be written, that is said first.
fn room_for_a_report() -> Result<()> {
    let stdout = std::io::stdout();
    let Ok(data) = rustix::fs::fstat(&stdout) else { return Ok(()) };
    let kind = rustix::fs::FileType::from_raw_mode(data.st_mode);
    let is_full = kind.is_char_device() && data.st_rdev == rustix::fs::makedev(1, 7)
        || kind.is_file() && rustix::fs::fstatvfs(&stdout).is_ok_and(|disk| disk.f_bavail == 0);
    if is_full {
        bail!(say!("grade-no-room"));
    }
    match rustix::fs::fcntl_getfl(&stdout).map(|flags| flags & rustix::fs::OFlags::RWMODE) {
        Ok(rustix::fs::OFlags::RDONLY) => bail!(say!("grade-no-output")),
        // As Rust opens it in place of an output that is closed.
        Ok(rustix::fs::OFlags::RDWR) if kind.is_char_device() && data.st_rdev == rustix::fs::makedev(1, 3) => {
            words::complain(&say!("note", why = say!("grade-output-lost")));
        }
        _ => {}
    }
    Ok(())
}

/// True if nothing but the students is at fault; `strict`: whether they solved all.
fn tell(grades: &[Grade], format: ReportFormat, strict: bool) -> Result<bool> {
    tell::put(&report::report(grades, format)?);
    Ok(grades.iter().all(|grade| if strict { grade.verdict.passed } else { !grade.verdict.is(Reason::Error) }))
}

fn check_catalogue(catalog: &Catalog, name: &str, store: bool, program: &Path, command: &str) -> Result<bool> {
    if store {
        if catalog.pack.is_none() {
            bail!(say!("store-is-for-packs"));
        }
        let mut workshop = Workshop::default();
        for exercise in catalog.matching(name) {
            for path in stored::store(catalog, exercise, &mut workshop).map_err(anyhow::Error::msg)? {
                print(&format!("{}\n", say!("stored", file = shown(&path))));
            }
        }
    }
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let verified = verify::verify(catalog, name, program, workers, command)?;
    let (text, good) = verify::report(&verified, &catalog.disagreements()?);
    print(&text);
    Ok(good)
}

fn write_ranges(catalog: &Catalog, name: &str) -> Result<bool> {
    for exercise in catalog.matching(name) {
        for path in ranges::write(exercise)? {
            print(&format!("{}\n", say!("range-written", file = shown(&path))));
        }
    }
    Ok(true)
}

fn show_solution(session: &LearnSession, exercise: &Exercise, yes: bool) -> Result<bool> {
    let is_due = yes || session.progress()?.is_solved(&exercise.name) || !exercise.solution().is_file();
    if !is_due && !asked(&say!("ask-solution", name = &exercise.name))? {
        return Ok(false);
    }
    // A file that one may copy: its lines stay as they are.
    tell::put(&session.solution(exercise)?);
    Ok(true)
}

/// A question on the terminal; without one, the answer must come as `--yes`.
fn asked(question: &str) -> Result<bool> {
    if !std::io::stdin().is_terminal() {
        bail!("{question} {}", say!("ask-yes"));
    }
    print(&format!("{question} {} ", say!("ask-choice")));
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    Ok(watch::is_yes(&line))
}

/// Fetches a compiler if there is none, and if the student wants.
fn offer_toolkit() -> Result<()> {
    let tells = || words::complain(&say!("looking-for-compiler"));
    let Err(why) = toolchain::telling(toolchain::PATIENCE, tells, Compiler::find) else { return Ok(()) };
    words::complain(&tell::in_a_line(&why));
    let without = say!("until-then") + "\n\n";
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        words::to_stderr(&without);
        return Ok(());
    }
    if !asked(&say!("ask-toolkit"))? {
        print(&without);
        return Ok(());
    }
    std::io::stdout().flush()?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = std::process::Command::new(cargo).args(["toolkit", "install"]).status();
    if !status.context(say!("cannot-run", program = "cargo toolkit install"))?.success() {
        bail!(say!("toolkit-failed"));
    }
    Ok(())
}
