//! Exercises about the host's side: a Rust program of one screen with `cust`, built by rustc against this workspace and
//! run on the emulated GPU, both in processes of their own ([`crate::confine`]).
//!
//! It is right if it ends well, prints what is due for each list of arguments, launches the kernels that it should, and
//! raises no finding. The driver writes down what ran (`LESSON_LOG`), so a program that only prints is found out. One
//! that writes this file itself is not: it is machine code, and the emulated device is in its own process.

use crate::Language;
use crate::answer;
use crate::catalog::Exercise;
use crate::compile::Workshop;
use crate::confine::{self, Confinement};
use crate::folded::{folded, whole};
use crate::reason::{Reason, listed};
use crate::refused;
use crate::sandbox::{Walls, system_libraries};
use crate::spec::{Host, HostRun};
use crate::task::Task;
use crate::verdict::Verdict;
use emulator::finding::Slug;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The compiler may run so long.
const COMPILING: Duration = Duration::from_secs(20);

/// A program may run so long.
const TIME: Duration = Duration::from_secs(10);

/// Bytes that a program may print.
const OUTPUT: u64 = 64 << 10;

/// Bytes that a program may write down, about its launches.
const LOG: u64 = 1 << 20;

/// Bytes of memory for the compiler.
const COMPILER: u64 = 4 << 30;

/// Bytes of memory for a program.
const MEMORY: u64 = 2 << 30;

/// Bytes of a file that the compiler writes.
const BUILT: u64 = 256 << 20;

pub fn judge(exercise: &Exercise, task: &Task, workshop: &mut Workshop) -> Result<Verdict, String> {
    let host = exercise.spec.host.as_ref().ok_or_else(|| say!("form-host"))?;
    let folder = own_folder()?;
    let built = build(exercise, task, workshop, &folder.0)?;
    let program = match built {
        Ok(program) => program,
        Err(verdict) => return Ok(verdict),
    };
    workshop.has_compiled();
    let (mut runs, mut refused) = (0, Vec::new());
    for run in &host.runs {
        runs += 1;
        let is_sandboxed = workshop.student.is_some();
        if let Some((kinds, words)) = wrong(&program, &folder.0, is_sandboxed, task, run, host, &mut refused)? {
            let line = format!("{} ({})", task.shown, listed(&kinds, ", "));
            let args = run.args.join(" ");
            let more = say!("program-ran", args) + "\n";
            let verdict = Verdict::unsolved(&kinds, &(words + "\n"), &line, &more).with_refused(refused);
            return Ok(Verdict { runs, ..verdict });
        }
    }
    let more = format!("{}\n{}\n", say!("program-right", runs), say!("idea", idea = exercise.idea()));
    Ok(Verdict::solved("", &task.shown, &more, runs).with_refused(refused))
}

/// The program's file, or the verdict on one that cannot be built.
fn build(
    exercise: &Exercise,
    task: &Task,
    workshop: &mut Workshop,
    folder: &Path,
) -> Result<Result<PathBuf, Verdict>, String> {
    let io = |path: &Path| {
        let said = say!("cannot-write", path = path.display().to_string(), why = "other");
        move |error: std::io::Error| said.clone() + ": " + &tell::of_system(&error)
    };
    let kernels = exercise.folder.join(format!("{}.cu", exercise.short()));
    let ptx = if kernels.is_file() { workshop.ptx(&kernels, &exercise.spec.compile)? } else { String::new() };
    let target = folder.join("kernels.ptx");
    // Reports look for the lines of a kernel where its PTX says that they are, and the program runs in this folder.
    if let Some(named) = source_of(&ptx, &kernels).filter(|named| named.is_relative()) {
        let beside = folder.join(named);
        fs::create_dir_all(beside.parent().unwrap_or(folder)).map_err(io(&beside))?;
        fs::copy(&kernels, &beside).map_err(io(&beside))?;
    }
    fs::write(&target, ptx).map_err(io(&target))?;
    let (source, program) = (folder.join("main.rs"), folder.join("program"));
    // A source that rustc cannot read, or cannot be told of, is copied.
    let bytes = fs::read(&task.file)
        .map_err(|error| say!("cannot-read", path = &task.shown) + ": " + &tell::of_system(&error))?;
    let is_as_it_is = task.file.to_str().is_some() && std::str::from_utf8(&bytes).is_ok();
    let answer = if is_as_it_is { task.file.clone() } else { folder.join(exercise.file_name()) };
    if !is_as_it_is {
        let Some(text) = answer::text(bytes) else {
            let line = say!("line-no-text", shown = &task.shown);
            return Ok(Err(Verdict::unsolved(&[Reason::Compile], "", &line, "")));
        };
        fs::write(&answer, text).map_err(io(&answer))?;
    }
    // No documentation comment: what is taken in may begin with anything.
    let text = format!("use observer as _;\ninclude!({answer:?});\n");
    fs::write(&source, text).map_err(io(&source))?;
    let recipe = workshop.recipe.as_ref().ok_or_else(|| say!("host-not-buildable"))?;
    // Nothing of the catalogue: what a program should print is in there.
    let walls = workshop.student.as_ref().map(|student| {
        let read = recipe.reads().into_iter().chain([student.clone()]).collect();
        Walls { read, list: Vec::new(), write: vec![folder.to_path_buf(), "/dev/null".into()] }
    });
    let how = Confinement { memory: COMPILER, file: BUILT, walls, is_alone: false };
    let mut command = how.command(&recipe.rustc)?;
    recipe.arguments(&mut command, &source, &program);
    command.env("KERNELS", &target).env("TMPDIR", folder).current_dir(folder);
    let ended = confine::run(&mut command, COMPILING, OUTPUT)?;
    let log = ended.stderr.replace(&*answer.to_string_lossy(), &task.shown);
    let refused = |kind: Reason, log: String| {
        let line = say!("line-does-not-compile-kind", shown = &task.shown, kind = kind.as_str());
        // The compiler starts its linker: its calls are not filtered, and it is files that it is refused.
        let mut files: Vec<String> = log.lines().filter_map(refused::file_of_rust).collect();
        files.dedup();
        let log = if task.is_verbose { whole(log) } else { folded(log.trim_end(), task.more_by) + "\n" };
        Ok(Err(Verdict::unsolved(&[kind], &(log + "\n"), &line, "").with_refused(files)))
    };
    match ended.status {
        Some(status) if status.success() => Ok(Ok(program)),
        None if ended.is_flood => refused(Reason::Compile, log),
        None => refused(Reason::Limit, say!("compiler-stopped", seconds = COMPILING.as_secs())),
        // One that has said nothing against the program was ended by its limits.
        Some(status) if !log.contains("error") => {
            refused(Reason::Limit, say!("compiler-gave-up", status = confine::told(status)))
        }
        Some(_) => refused(Reason::Compile, log),
    }
}

/// Returns what is wrong with one run: kinds, and words. Calls that it was refused are added to `refused`.
fn wrong(
    program: &Path,
    folder: &Path,
    is_sandboxed: bool,
    task: &Task,
    run: &HostRun,
    host: &Host,
    refused: &mut Vec<String>,
) -> Result<Option<(Vec<Reason>, String)>, String> {
    let log = folder.join("log");
    fs::write(&log, "").map_err(|error| {
        say!("cannot-write", path = log.display().to_string(), why = "other") + ": " + &tell::of_system(&error)
    })?;
    let walls = is_sandboxed.then(|| {
        // And the kernel's lines, where there are some.
        let lines =
            fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).filter(|path| path.is_dir());
        let read = system_libraries().into_iter().chain([program.to_path_buf()]).chain(lines).collect();
        Walls { read, list: Vec::new(), write: vec![log.clone()] }
    });
    let how = Confinement { memory: MEMORY, file: LOG, walls, is_alone: is_sandboxed };
    let mut command = how.command(program)?;
    // Each thread's own heap would reserve more than it uses.
    command.env("MALLOC_ARENA_MAX", "2");
    command.env("LESSON_LANG", Language::current().code());
    command.args(&run.args).env("LESSON_DEVICE", "emulator").env("LESSON_LOG", &log).env("RUST_BACKTRACE", "0");
    // The kernel is right, and nothing is to be tried on it.
    command.env("LESSON_NO_TRY", if task.tells_idea { "1" } else { "untold" });
    let ended = confine::run(command.current_dir(folder), TIME, OUTPUT)?;
    let told = |text: String| match task.is_verbose || text.is_empty() {
        true => whole(text),
        false => folded(text.trim_end(), task.more_by) + "\n",
    };
    let (status, printed, said) = (ended.status, ended.stdout, told(ended.stderr));
    refused.extend(ended.refused.into_iter().filter(|name| !refused.contains(name)).collect::<Vec<_>>());
    let ran = fs::read(&log)
        .map_err(|error| say!("cannot-read", path = log.display().to_string()) + ": " + &tell::of_system(&error))?;
    let ran = String::from_utf8_lossy(&ran);

    let mut kinds = findings(&ran);
    let mut words = said;
    match status {
        _ if ended.is_flood => {
            kinds.push(Reason::Limit);
            let _ = writeln!(words, "{}", say!("printed-too-much", bytes = OUTPUT));
        }
        None => {
            kinds.push(Reason::Limit);
            let _ = writeln!(words, "{}", say!("program-stopped", seconds = TIME.as_secs()));
        }
        Some(status) if !status.success() => {
            kinds.push(Reason::Exit);
            let _ = writeln!(words, "{}", say!("program-ended", status = confine::told(status)));
        }
        Some(_) => {}
    }
    let got: Vec<&str> = printed.lines().map(str::trim_end).collect();
    if got != run.prints && !ended.is_flood {
        kinds.push(Reason::Answer);
        let _ = writeln!(
            words,
            "{}\n{}{}\n{}",
            say!("program-printed"),
            told(quoted(&got)),
            say!("program-should-print"),
            quoted(&run.prints)
        );
    }
    if let Some((call, code)) = unheard(&ran).filter(|_| kinds == [Reason::Answer]) {
        let _ = writeln!(words, "{}", say!("call-refused", call, code));
    }
    let missing =
        host.kernels.iter().find(|kernel| !ran.lines().any(|line| line.strip_prefix("launch ") == Some(kernel)));
    if let Some(kernel) = missing.filter(|_| kinds.is_empty()) {
        kinds.push(Reason::Idle);
        let _ = writeln!(words, "{}", say!("kernel-never-ran", kernel));
    }
    if let Some((one, other)) = in_one_stream(&ran, &host.apart).filter(|_| kinds.is_empty()) {
        kinds.push(Reason::Idle);
        let _ = writeln!(words, "{}", say!("kernels-in-one-stream", one, other));
    }
    Ok((!kinds.is_empty()).then_some((kinds, words)))
}

/// Returns the name in the PTX of the file that it was made of.
fn source_of(ptx: &str, kernels: &Path) -> Option<PathBuf> {
    let names = ptx.lines().filter_map(|line| line.trim().strip_prefix(".file")?.split('"').nth(1).map(PathBuf::from));
    names.into_iter().find(|name| name.file_name() == kernels.file_name())
}

/// The first call that returned an error, which the program did not end by.
fn unheard(log: &str) -> Option<(&str, &str)> {
    log.lines().find_map(|line| line.strip_prefix("error ")?.split_once(' '))
}

/// Each finding of the log once. The file is the program's, which may write into it what it likes: other reasons are
/// not for it to give.
fn findings(log: &str) -> Vec<Reason> {
    let mut kinds = Vec::new();
    for name in log.lines().filter_map(|line| line.strip_prefix("finding ")) {
        let kind = Slug::ALL.into_iter().find(|slug| slug.as_str() == name).map(Reason::Finding);
        kinds.extend(kind.filter(|kind| !kinds.contains(kind)));
    }
    kinds
}

/// Two of these kernels that ran in the same stream.
fn in_one_stream<'a>(log: &str, apart: &'a [String]) -> Option<(&'a str, &'a str)> {
    let ran: Vec<(&str, &str)> = log.lines().filter_map(|line| line.strip_prefix("stream ")?.split_once(' ')).collect();
    let has = |stream: &str, kernel: &str| ran.contains(&(stream, kernel));
    let shares = |one: &str, other: &str| ran.iter().any(|(stream, name)| *name == one && has(stream, other));
    let mut pairs = apart.iter().enumerate().flat_map(|(at, one)| apart[..at].iter().map(move |other| (other, one)));
    pairs.find(|(one, other)| shares(one, other)).map(|(one, other)| (one.as_str(), other.as_str()))
}

fn quoted(lines: &[impl AsRef<str>]) -> String {
    let all: String = lines.iter().map(|line| format!("    {}\n", line.as_ref())).collect();
    if all.is_empty() { format!("    {}\n", say!("nothing")) } else { all }
}

/// A folder that is removed when its owner is dropped.
struct TemporaryFolder(PathBuf);

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // A folder that cannot be removed lies among the system's temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn own_folder() -> Result<TemporaryFolder, String> {
    let folder = std::env::temp_dir().join(format!("host-exercise-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| {
        say!("cannot-create", path = folder.display().to_string()) + ": " + &tell::of_system(&error)
    })?;
    Ok(TemporaryFolder(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_tells_which_kernels_share_a_stream() {
        let apart = ["fill", "add"].map(String::from);
        let shared = Some(("fill", "add"));
        for (log, wanted) in [
            ("launch fill\nstream 0 fill\nlaunch add\nstream 0 add\n", shared),
            ("stream 1 fill\nstream 2 add\nstream 1 add\n", shared),
            ("stream 1 fill\nstream 1 fill\nstream 11 add\nstream 1 address\n", None),
            ("", None),
        ] {
            assert_eq!(in_one_stream(log, &apart), wanted, "{log}");
        }
    }

    #[test]
    fn a_log_tells_of_findings_and_of_no_other_reason() {
        let log =
            "launch add\nfinding race-shared\nfinding error\nfinding answer\nfinding race-shared\nfinding livelock\n";
        assert_eq!(findings(log), [Slug::RaceShared, Slug::Livelock].map(Reason::Finding));
    }
}
