//! Builds programs of the host: rustc is called directly, with what cargo has built for the package
//! `host-exercise`. Going through cargo each time would take twice as long, and is not to be had by one who is shut in.

use serde::{Deserialize, Serialize};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// Cargo that has nothing to build is done sooner.
pub const PATIENCE: Duration = Duration::from_secs(2);

/// Crates that a program may name.
const CRATES: [&str; 5] = ["anyhow", "common", "cust", "driver", "observer"];

/// Everything that rustc is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    pub rustc: PathBuf,
    sysroot: PathBuf,
    /// Names and files of the crates.
    crates: Vec<(String, PathBuf)>,
    /// Folders of the crates that these need.
    dependencies: Vec<PathBuf>,
    /// Folders of libraries in other languages.
    native: Vec<PathBuf>,
}

/// Progress of cargo.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Building {
    /// Crates that are built, build scripts included.
    pub done: usize,
    /// The number of crates in all; 0 before cargo has counted them.
    pub of: usize,
    /// The crate that was begun last.
    pub name: String,
}

static BUILDING: Mutex<Building> = Mutex::new(Building { done: 0, of: 0, name: String::new() });

/// Progress of the cargo that this process has started.
pub fn building() -> Building {
    BUILDING.lock().map_or_else(|_| Building::default(), |building| building.clone())
}

/// Progress of cargo, in a line.
pub fn progress_text(building: &Building, passed: Duration) -> String {
    let Building { done, of, name } = building;
    say!("judging-cargo", done = *done, of = *of, name, seconds = passed.as_secs())
}

/// The recipe; cargo builds what is missing for it.
pub fn recipe() -> Result<Recipe, String> {
    static KNOWN: Mutex<Option<Recipe>> = Mutex::new(None);
    let mut known = KNOWN.lock().map_err(|error| error.to_string())?;
    if let Some(recipe) = known.as_ref().filter(|recipe| recipe.is_there()) {
        return Ok(recipe.clone());
    }
    Ok(known.insert(Recipe::ask_cargo()?).clone())
}

/// As [`recipe`], and `tells` if cargo takes long: the first time it builds for minutes.
pub fn recipe_telling(tells: impl FnOnce() + Send) -> Result<Recipe, String> {
    telling(PATIENCE, tells, recipe)
}

/// As [`recipe`], on a thread of its own; the channel ends when the recipe is there, or cannot be had.
pub fn recipe_in_background() -> Receiver<()> {
    let (done, is_done) = channel();
    std::thread::spawn(move || {
        // If it cannot be built, the judge says so.
        let _ = recipe();
        drop::<Sender<()>>(done);
    });
    is_done
}

/// As [`recipe`]; once it takes longer than [`PATIENCE`], `tells` is called after each `interval` with how far cargo is
/// and for how long it has been at work.
pub fn recipe_watched(interval: Duration, mut tells: impl FnMut(&Building, Duration)) -> Result<Recipe, String> {
    let since = Instant::now();
    std::thread::scope(|scope| {
        let (done, is_done) = channel::<()>();
        let worker = scope.spawn(move || {
            // Dropped with the result, which ends the waiting below.
            let _done = done;
            recipe()
        });
        let mut wait = PATIENCE;
        while is_done.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
            tells(&building(), since.elapsed());
            wait = interval;
        }
        worker.join().unwrap_or_else(|_| Err(say!("worker-ended")))
    })
}

/// Works, and tells if the work is not done after a while.
pub fn telling<T>(patience: Duration, tells: impl FnOnce() + Send, work: impl FnOnce() -> T) -> T {
    let (done, is_done) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if is_done.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
                tells();
            }
        });
        let result = work();
        drop(done);
        result
    })
}

impl Recipe {
    fn is_there(&self) -> bool {
        self.crates.iter().all(|(_, file)| file.is_file())
    }

    fn ask_cargo() -> Result<Recipe, String> {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(["build", "--package", "host-exercise", "--message-format", "json"]);
        // It tells how many crates there are only in its bar.
        let text = output(cargo.env("CARGO_TERM_PROGRESS_WHEN", "always").env("CARGO_TERM_PROGRESS_WIDTH", "100"))?;
        let mut crates = Vec::new();
        let mut native = Vec::new();
        for message in text.lines().flat_map(serde_json::from_str::<serde_json::Value>) {
            let name = message["target"]["name"].as_str().unwrap_or_default();
            let strings = |value: &serde_json::Value| -> Vec<String> {
                let all = value.as_array().into_iter().flatten();
                all.filter_map(|one| one.as_str().map(str::to_string)).collect()
            };
            let is_library = strings(&message["target"]["kind"]).iter().any(|kind| kind == "lib");
            if message["reason"] == "compiler-artifact" && is_library && CRATES.contains(&name) {
                let files = strings(&message["filenames"]);
                let library = files.into_iter().find(|file| file.ends_with(".rlib"));
                crates.extend(library.map(|file| (name.to_string(), PathBuf::from(file))));
            }
            if message["reason"] == "build-script-executed" {
                let paths = strings(&message["linked_paths"]);
                native.extend(paths.iter().map(|path| PathBuf::from(path.rsplit('=').next().unwrap_or(path))));
            }
        }
        for name in CRATES {
            if !crates.iter().any(|(known, _)| known == name) {
                return Err(say!("cargo-built-no", name));
            }
        }
        let mut dependencies: Vec<PathBuf> =
            crates.iter().filter_map(|(_, file)| file.parent().map(Path::to_path_buf)).collect();
        for folders in [&mut dependencies, &mut native] {
            folders.sort();
            folders.dedup();
        }
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let sysroot = PathBuf::from(output(Command::new(rustc).args(["--print", "sysroot"]))?.trim());
        Ok(Recipe { rustc: sysroot.join("bin/rustc"), sysroot, crates, dependencies, native })
    }

    /// Returns the paths that rustc and its linker read.
    pub fn reads(&self) -> Vec<PathBuf> {
        let system = ["/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/alternatives"].map(PathBuf::from);
        let own = self.dependencies.iter().chain(&self.native).chain([&self.sysroot]);
        own.cloned().chain(system).collect()
    }

    /// Makes `program` of `source`. There is nobody who would debug it.
    pub fn arguments(&self, command: &mut Command, source: &Path, program: &Path) {
        command.args(["--edition", "2024", "--crate-name", "host_exercise", "-Dunsafe_op_in_unsafe_fn"]);
        command.args(["-Cdebuginfo=0", "-Cstrip=debuginfo", "--color=never"]).arg(source).arg("-o").arg(program);
        for (name, file) in &self.crates {
            command.arg("--extern").arg(format!("{name}={}", file.display()));
        }
        for folder in &self.dependencies {
            command.arg("-L").arg(format!("dependency={}", folder.display()));
        }
        for folder in &self.native {
            command.arg("-L").arg(format!("native={}", folder.display()));
        }
    }
}

fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let cannot = |error| say!("cannot-run", program = &name) + ": " + &tell::of_system(&error);
    command.current_dir(env!("CARGO_MANIFEST_DIR")).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(cannot)?;
    let said = child.stderr.take();
    // Both streams are read at once: a full pipe would stop the program.
    let reader = std::thread::spawn(move || said.map_or_else(String::new, |said| read_stderr(BufReader::new(said))));
    let output = child.wait_with_output().map_err(cannot)?;
    let said = reader.join().unwrap_or_default();
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(say!("program-fails", name) + "\n" + &said),
    }
}

/// Reads the standard error of a program to its end. Progress of cargo goes to [`building`] instead.
fn read_stderr(mut said: impl BufRead) -> String {
    let mut rest = String::new();
    let mut bytes = Vec::new();
    while said.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
        let line = String::from_utf8_lossy(&bytes).into_owned();
        // Cargo overwrites its bar, and takes it away before it writes a line.
        for part in line.split_inclusive('\r') {
            let text = part.trim_start_matches("\x1b[K").trim();
            if let Some(begun) = text.strip_prefix("Compiling ") {
                note(|building| building.name = begun.split(' ').next().unwrap_or_default().to_string());
            } else if let Some((_, bar)) = text.split_once("Building [") {
                let numbers = bar.split_once("] ").and_then(|(_, after)| after.split(':').next()?.split_once('/'));
                let numbers = numbers.and_then(|(done, of)| Some((done.parse().ok()?, of.parse().ok()?)));
                if let Some(numbers) = numbers {
                    note(|building| (building.done, building.of) = numbers);
                }
            } else if part != "\r" {
                rest += part;
            }
        }
        bytes.clear();
    }
    rest
}

fn note(change: impl FnOnce(&mut Building)) {
    if let Ok(mut building) = BUILDING.lock() {
        change(&mut building);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_far_cargo_is_is_no_part_of_what_it_says() {
        let said = "   Compiling cust_raw v0.11.3\nwarning: unused\n    Building [==>   ] 4/60: cust_raw, \
            syn\r\x1b[K   \
                    Compiling common v0.1.0 (/course/common)\nerror: no\n";
        assert_eq!(read_stderr(said.as_bytes()), "warning: unused\nerror: no\n");
        assert_eq!(building(), Building { done: 4, of: 60, name: "common".to_string() });
    }

    #[test]
    fn only_work_that_takes_long_is_told() {
        for (works, is_told) in [(0, false), (300, true)] {
            let told = std::sync::atomic::AtomicBool::new(false);
            let tells = || told.store(true, std::sync::atomic::Ordering::Relaxed);
            let work = || std::thread::sleep(Duration::from_millis(works));
            telling(Duration::from_millis(100), tells, work);
            assert_eq!(told.into_inner(), is_told);
        }
    }
}
