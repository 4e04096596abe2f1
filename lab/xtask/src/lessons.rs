//! The lessons as programs: which there are, and what they answer in JSON.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

pub struct Lessons {
    from: From,
    /// By name. A package is called as its folder and its program are.
    pub packages: Vec<String>,
}

enum From {
    /// The repository: cargo builds them.
    Source(PathBuf),
    /// A folder of programs that were built before.
    Built(PathBuf),
}

impl Lessons {
    /// Folders of the root that are named `lesson...` and hold a `Cargo.toml`.
    pub fn of(root: &Path) -> Result<Lessons> {
        let packages = names(root, |path| path.join("Cargo.toml").is_file())?;
        Ok(Lessons { from: From::Source(root.to_path_buf()), packages })
    }

    /// Files of `folder` that are named `lesson...` and have no ending, as in `target/release`.
    pub fn built(folder: &Path) -> Result<Lessons> {
        let packages = names(folder, |path| path.is_file() && path.extension().is_none())?;
        Ok(Lessons { from: From::Built(folder.to_path_buf()), packages })
    }

    /// The names of a lesson's rows.
    pub fn rows(&self, package: &str) -> Result<Vec<String>> {
        let mut rows: Vec<String> = self.table(package)?.into_iter().map(|line| line.row).collect();
        rows.dedup();
        Ok(rows)
    }

    /// The first columns of what `--list` prints, under its heading.
    pub fn table(&self, package: &str) -> Result<Vec<TableLine>> {
        let text = self.output(package, &["--list"], &[])?;
        let line = |line: &str| {
            let mut words = line.split_whitespace().map(str::to_string);
            Some(TableLine { row: words.next()?, kernel: words.next()?, variant: words.next()? })
        };
        Ok(text.lines().skip(1).filter_map(line).collect())
    }

    /// A lesson's answer on the emulator, built for release.
    pub fn ask(&self, package: &str, arguments: &[&str]) -> Result<Value> {
        self.ask_with(package, arguments, &[])
    }

    /// As `ask`, with variables in the lesson's environment.
    pub fn ask_with(&self, package: &str, arguments: &[&str], variables: &[(&str, &OsStr)]) -> Result<Value> {
        let json = ["--device", "emulator", "--format", "json"];
        let text = self.output(package, &[&json, arguments].concat(), variables)?;
        serde_json::from_str(&text).with_context(|| format!("{package} gave no JSON"))
    }

    /// The program itself, built for release.
    pub fn program(&self, package: &str) -> Result<PathBuf> {
        let root = match &self.from {
            From::Source(root) => root,
            From::Built(folder) => return Ok(folder.join(package)),
        };
        build(root, package, package, &["--release"])
    }

    fn output(&self, package: &str, arguments: &[&str], variables: &[(&str, &OsStr)]) -> Result<String> {
        let mut command = match &self.from {
            From::Source(root) => {
                let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
                cargo.current_dir(root).args(["run", "--quiet", "--release", "-p", package, "--"]);
                cargo
            }
            From::Built(folder) => Command::new(folder.join(package)),
        };
        let output = command.args(arguments).envs(variables.iter().copied()).stderr(Stdio::inherit()).output();
        let output = output.with_context(|| format!("cannot run {package}"))?;
        // A lesson that is not as expected says so by its status, too; here its answer counts.
        if output.stdout.is_empty() {
            bail!("{package} gave no answer: {}", output.status);
        }
        String::from_utf8(output.stdout).with_context(|| format!("{package} does not answer in UTF-8"))
    }
}

/// A kernel of a lesson's table.
pub struct TableLine {
    pub row: String,
    pub kernel: String,
    pub variant: String,
}

impl TableLine {
    /// Returns true unless nvcc refuses the kernel.
    pub fn is_run(&self) -> bool {
        self.variant != "compile-fail"
    }
}

/// Builds a package and gives one of its programs.
pub fn build(root: &Path, package: &str, program: &str, how: &[&str]) -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let words = ["build", "--quiet", "--message-format", "json-render-diagnostics", "-p", package];
    let output = Command::new(cargo).current_dir(root).args(words).args(how).stderr(Stdio::inherit()).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut programs = messages.filter_map(|message| Some(PathBuf::from(message["executable"].as_str()?)));
    let found = programs.find(|path| path.file_name().is_some_and(|name| name == program));
    found.with_context(|| format!("{package} did not build"))
}

/// Returns the names in a folder that begin with `lesson`, sorted.
fn names(folder: &Path, is_lesson: impl Fn(&Path) -> bool) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot open {}", folder.display()))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("lesson") && is_lesson(&entry.path()) {
            found.push(name);
        }
    }
    found.sort();
    Ok(found)
}
