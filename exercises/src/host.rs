//! Exercises about the host's side: a Rust program of one screen with `cust`, built by cargo against this workspace and run
//! on the emulated GPU in a process of its own.
//!
//! It is right if it ends well, prints what is due for each list of arguments, launches the kernels that it should, and
//! raises no finding. The driver writes down what ran (`LESSON_LOG`), so a program that only prints is found out.

use crate::catalog::Exercise;
use crate::compile::Workshop;
use crate::judge::Task;
use crate::spec::{Host, HostRun};
use crate::verdict::Verdict;
use std::fmt::Write;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A program may run so long.
const TIME: Duration = Duration::from_secs(10);

/// Bytes read of what it prints; it is stopped at more.
const OUTPUT: u64 = 64 << 10;

pub fn judge(exercise: &Exercise, task: &Task, workshop: &mut Workshop) -> Result<Verdict, String> {
    let host = exercise.spec.host.as_ref().ok_or("exercise.toml has no [host]")?;
    let folder = own_folder()?;
    let built = build(exercise, task, workshop, &folder.0)?;
    let program = match built {
        Ok(program) => program,
        Err(log) => {
            let log = log.replace(&*task.file.to_string_lossy(), &task.shown);
            return Ok(Verdict::failed("compile", format!("{log}\nnot solved yet: {} does not compile\n", task.shown)));
        }
    };
    let mut runs = 0;
    for run in &host.runs {
        runs += 1;
        if let Some((kinds, mut text)) = wrong(&program, &folder.0, host, run)? {
            let words = run.args.join(" ");
            let _ = write!(text, "\nnot solved yet: {} ({})\n", task.shown, kinds.join(", "));
            let _ = writeln!(text, "Your program ran on the emulated GPU, with the arguments `{words}`.");
            return Ok(Verdict { passed: false, kinds, text, runs, replay: None });
        }
    }
    let text = format!(
        "solved: {}\nYour program ran on the emulated GPU {runs} times: right each time, no findings.\nidea: {}\n",
        task.shown, exercise.spec.idea
    );
    Ok(Verdict::passed(text, runs))
}

/// The program's file, or what the compiler says.
fn build(
    exercise: &Exercise,
    task: &Task,
    workshop: &mut Workshop,
    folder: &Path,
) -> Result<Result<PathBuf, String>, String> {
    let io = |what: &'static str| move |error: std::io::Error| format!("{what}: {error}");
    let kernels = exercise.folder.join(format!("{}.cu", exercise.short()));
    let ptx = if kernels.is_file() { workshop.ptx(&kernels, &exercise.spec.compile)? } else { String::new() };
    let target = folder.join("kernels.ptx");
    fs::write(&target, ptx).map_err(io("cannot write the kernels"))?;
    // One build at a time: all leave their program in one place.
    let beside = std::env::current_exe().map_err(io("cannot tell where this program is"))?;
    let lock = File::create(beside.with_file_name("host-exercise.lock")).map_err(io("cannot make a lock"))?;
    lock.lock().map_err(io("cannot lock"))?;
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--quiet", "--package", "host-exercise", "--message-format", "json"])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .env("HOST_EXERCISE", &task.file)
        .env("HOST_KERNELS", &target)
        .output()
        .map_err(io("cannot run cargo"))?;
    let mut log = String::new();
    let mut program = None;
    for message in String::from_utf8_lossy(&output.stdout).lines().flat_map(serde_json::from_str::<serde_json::Value>) {
        let is_ours = message["target"]["name"] == "host-exercise";
        if message["reason"] == "compiler-message" && message["message"]["level"] == "error" {
            log.push_str(message["message"]["rendered"].as_str().unwrap_or_default());
        }
        if message["reason"] == "compiler-artifact" && is_ours {
            program = message["executable"].as_str().map(PathBuf::from).or(program);
        }
    }
    if !output.status.success() {
        let other = String::from_utf8_lossy(&output.stderr);
        return if log.is_empty() { Err(format!("cargo does not build it:\n{other}")) } else { Ok(Err(log)) };
    }
    let program = program.ok_or("cargo built no program")?;
    let copy = folder.join("program");
    fs::copy(&program, &copy).map_err(io("cannot copy the program"))?;
    Ok(Ok(copy))
}

/// What is wrong with one run: kinds, and words.
fn wrong(program: &Path, folder: &Path, host: &Host, run: &HostRun) -> Result<Option<(Vec<String>, String)>, String> {
    let log = folder.join("log");
    fs::write(&log, "").map_err(|error| format!("cannot write {}: {error}", log.display()))?;
    let mut child = Command::new(program)
        .args(&run.args)
        .env("LESSON_DEVICE", "emulator")
        .env("LESSON_LOG", &log)
        .env("RUST_BACKTRACE", "0")
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot run the program: {error}"))?;
    let stdout = child.stdout.take().map(read_in_background);
    let stderr = child.stderr.take().map(read_in_background);
    let begin = Instant::now();
    let status = loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => break Some(status),
            None if begin.elapsed() > TIME => {
                // It may have ended just now.
                let _ = child.kill();
                child.wait().map_err(|error| error.to_string())?;
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let text = |reader: Option<std::thread::JoinHandle<Vec<u8>>>| {
        let bytes = reader.and_then(|reader| reader.join().ok()).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let (printed, said) = (text(stdout), text(stderr));
    let ran = fs::read_to_string(&log).map_err(|error| format!("cannot read {}: {error}", log.display()))?;

    let mut kinds: Vec<String> = Vec::new();
    let mut words = said;
    for slug in ran.lines().filter_map(|line| line.strip_prefix("finding ")) {
        if !kinds.iter().any(|known| known == slug) {
            kinds.push(slug.to_string());
        }
    }
    match status {
        None => {
            kinds.push("limit".into());
            let _ = writeln!(words, "error: it was stopped after {} s", TIME.as_secs());
        }
        Some(status) if !status.success() => {
            kinds.push("exit".into());
            let _ = writeln!(words, "error: the program ended with {status}");
        }
        Some(_) => {}
    }
    let got: Vec<&str> = printed.lines().map(str::trim_end).collect();
    if got != run.prints {
        kinds.push("answer".into());
        let _ = writeln!(words, "error: it printed\n{}expected was\n{}", quoted(&got), quoted(&run.prints));
    }
    let missing =
        host.kernels.iter().find(|kernel| !ran.lines().any(|line| line.strip_prefix("launch ") == Some(kernel)));
    if let Some(kernel) = missing.filter(|_| kinds.is_empty()) {
        kinds.push("idle".into());
        let _ = writeln!(words, "error: the kernel `{kernel}` never ran");
    }
    Ok((!kinds.is_empty()).then_some((kinds, words)))
}

fn quoted(lines: &[impl AsRef<str>]) -> String {
    let all: String = lines.iter().map(|line| format!("    {}\n", line.as_ref())).collect();
    if all.is_empty() { "    nothing\n".to_string() } else { all }
}

/// Up to a limit. What follows fills the pipe, and the program is stopped when its time is up.
fn read_in_background(from: impl Read + Send + 'static) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // An error ends it as the end does.
        let _ = from.take(OUTPUT).read_to_end(&mut bytes);
        bytes
    })
}

/// A folder that is gone when its owner is.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed lies among the system's temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn own_folder() -> Result<Folder, String> {
    let folder = std::env::temp_dir().join(format!("host-exercise-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    Ok(Folder(folder))
}
