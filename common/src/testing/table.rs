//! A lesson's table, held to what it says: the program itself, its JSON, its replay, and its kernel files' claims.

use super::{Bench, without_compiler};
use crate::KernelFile;
use crate::device::context::DeviceChoice;
use crate::speech;
use crate::table::claims::{self, Build};
use crate::table::kernel::Kernel;
use crate::table::row::{Expect, Row, Variant};
use emulator::finding::{Finding, Slug};
use kernel_build::{KernelSource, Nvcc, refused};
use serde_json::Value;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::process::{Command, Output};
use trial::Schedule;
use words::Language;

/// The most lines and columns of a finding, as a lesson prints it.
const LINES: usize = 12;
const COLUMNS: usize = 100;

/// The seeds that every lesson has at least in [`Table::assert_kept`].
const KEPT: u64 = 16;

/// The files with the PTX that `compile` makes of each source path: another build of the same kernels.
pub(super) fn rebuilt<E>(
    files: &[KernelFile],
    compile: impl Fn(&str) -> Result<String, E>,
) -> Result<&'static [KernelFile], E> {
    let again = |file: &KernelFile| Ok(KernelFile { ptx: compile(file.source_path)?.leak(), ..*file });
    Ok(files.iter().map(again).collect::<Result<Vec<_>, E>>()?.leak())
}

/// True if the row has a kernel that is compiled and broken.
fn has_broken(row: &Row) -> bool {
    row.kernels().iter().any(|(_, variant)| matches!(variant, Variant::Broken(_)))
}

/// True if an access of the finding is on this line. What was never written may have no line: then it is the kernel's.
fn is_on(finding: &Finding, kernel: &Kernel, line: u32) -> bool {
    let mut places = finding.accesses.iter().filter_map(|access| access.location.as_ref()).peekable();
    let is_unwritten = finding.slug == Slug::UndefinedValue && finding.kernel == kernel.name;
    is_unwritten && places.peek().is_none() || places.any(|place| place.line == line)
}

/// A lesson's program and what it is made of. Its checks panic with what is wrong.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// `env!("CARGO_BIN_EXE_...")`.
    pub program: &'static str,
    pub files: &'static [KernelFile],
    pub rows: &'static [Row],
}

impl Table {
    /// The program's run on the emulator.
    pub fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(self.program);
        // Whatever the locale here is; `--lang` in the arguments goes before it.
        command
            .env("LESSON_LANG", "en")
            .args(["--device", "emulator"])
            .args(arguments)
            .output()
            .expect("the lesson starts")
    }

    pub fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--format", "json"]].concat());
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
            panic!("{error} in what {arguments:?} printed:\n{}", String::from_utf8_lossy(&output.stderr))
        })
    }

    /// Every kernel of the table is in the program's report and does what the table says, under 16 seeds at least. A
    /// broken one's finding names the line under its `BUG:`, unless it is about what was never written: that has no
    /// line.
    pub fn assert_kept(&self, seeds: &str) {
        // Fixes are tried by `assert_readable`.
        let report = self.json(&["--seeds", seeds, "--no-try"]);
        let rows = report["rows"].as_array().expect("rows is a list");
        let reported: Vec<&str> = rows.iter().filter_map(|row| row["kernel"].as_str()).collect();
        let kernels: Vec<String> = self.rows.iter().flat_map(Row::kernels).map(|(name, _)| name).collect();
        assert_eq!(BTreeSet::from_iter(reported), BTreeSet::from_iter(kernels.iter().map(String::as_str)));
        for row in rows {
            self.assert_row_kept(row);
        }
    }

    fn assert_row_kept(&self, row: &Value) {
        let kernel = row["kernel"].as_str().expect("a kernel has a name");
        assert_eq!(row["expected"], Value::Bool(true), "{kernel}: {row:#}");
        let findings = row["findings"].as_array().expect("findings is a list");
        if row["variant"] == "compile-fail" {
            assert!(row["message"].as_str().is_some_and(|message| message.contains("error")), "{row:#}");
        } else if row["variant"] != "broken" {
            assert!(row["wrong_runs"] == 0 && findings.is_empty(), "{row:#}");
        } else if row["slug"] == "wrong-result" {
            assert!(findings.is_empty() && row["wrong_runs"].as_u64() > Some(0), "{row:#}");
        } else {
            let bug = self.bug_line(kernel);
            let names_it = |finding: &Value| {
                let lines = finding["lines"].as_array().expect("lines is a list");
                let unwritten = row["slug"] == "undefined-value" && lines.is_empty() && finding["kernel"] == kernel;
                finding["slug"] == row["slug"] && (unwritten || lines.iter().any(|line| *line == bug))
            };
            assert!(findings.iter().any(names_it), "{kernel}: no finding on line {bug}: {findings:#?}");
        }
    }

    /// Options that choose the rows with a broken kernel: every `step`th, from number `first` on.
    fn broken(&self, first: usize, step: usize) -> Vec<&'static str> {
        let chosen = self.rows.iter().filter(|row| has_broken(row)).skip(first).step_by(step);
        chosen.flat_map(|row| ["--only", row.name]).collect()
    }

    /// In order, and in each of so many runs by the schedules named, every broken kernel shows the finding that the
    /// table expects, on its line. The correct kernels of the same rows are silent in those of these runs that
    /// [`assert_kept`](Table::assert_kept) does not make. The runs are those that the program makes with `--schedule`,
    /// without what it looks for besides.
    pub fn assert_always_found(&self, runs: &[(Schedule, u64)]) {
        let bench = Bench::on(DeviceChoice::Emulator, self.files, self.rows).expect("the emulator opens");
        for row in self.rows.iter().filter(|row| has_broken(row)) {
            let kernels = bench.kernels(row.name).expect("the table has its own rows");
            for kernel in kernels.iter().filter(|kernel| !kernel.is_refused()) {
                let first = if kernel.is_broken() { 0 } else { KEPT };
                self.assert_every_run_finds(&bench, kernel, Schedule::InOrder, first..1);
                for &(schedule, seeds) in runs {
                    // Without `--schedule` the adversarial runs are smaller, so all of these are new.
                    let first = if schedule == Schedule::Adversarial { 0 } else { first };
                    let seeds = first..skipped::share(seeds.div_ceil(3), seeds);
                    self.assert_every_run_finds(&bench, kernel, schedule, seeds);
                }
            }
        }
    }

    fn assert_every_run_finds(&self, bench: &Bench, kernel: &Kernel, schedule: Schedule, seeds: Range<u64>) {
        if seeds.is_empty() {
            return;
        }
        let name = &kernel.name;
        let outcome = bench.trial(kernel, schedule, seeds.clone()).unwrap_or_else(|error| panic!("{name}: {error:#}"));
        let runs = format!("{name}, {schedule:?} {seeds:?}");
        assert_eq!(bench.judge(kernel, &outcome), Ok(()), "{runs}");
        assert_eq!(outcome.summary.runs, seeds.end - seeds.start, "{runs}");
        match kernel.variant.expect() {
            Some(Expect::Finding(slug)) => {
                let bug = self.bug_line(name);
                let names_it = |finding: &Finding| finding.slug == slug && is_on(finding, kernel, bug);
                let findings = || outcome.findings.iter().map(|merged| &merged.finding);
                assert!(findings().any(names_it), "{runs}: no finding on line {bug}: {:#?}", outcome.findings);
                assert_eq!(outcome.found.get(&slug), Some(&outcome.summary.runs), "{runs}");
            }
            _ => assert!(outcome.findings.is_empty(), "{runs}: {:#?}", outcome.findings),
        }
    }

    /// A finding is short enough to be read: at most 12 lines of 100 columns, in each language. Commands and changed
    /// code may be wider. Counted as a screen breaks it, one more line is allowed for each access after the second, and
    /// for each change of a fix after the first. In a sample the rows are shared among the languages.
    pub fn assert_readable(&self) {
        for (number, language) in Language::ALL.into_iter().enumerate() {
            let untranslated = self.files.iter().find(|file| !speech::is_translated(file, language));
            assert!(untranslated.is_none(), "{language:?}: {untranslated:?}");
            let rows = skipped::share(self.broken(number, Language::ALL.len()), self.broken(0, 1));
            let how = ["--schedule", "in-order", "--lang", language.code()];
            let output = self.run(&[&rows[..], &how].concat());
            let text = String::from_utf8(output.stdout).expect("a report is text");
            let findings: Vec<&str> = text.split("\n\n").filter(|part| part.starts_with("error[")).collect();
            assert!(!findings.is_empty(), "{text}");
            for finding in findings {
                let columns = |line: &str| line.chars().count();
                let is_command = |line: &str| line.contains("cargo run");
                let is_source =
                    |line: &str| line.split_once(" |").is_some_and(|(number, _)| number.trim().parse::<u32>().is_ok());
                // A title stays whole, and counts as the lines that it takes.
                let is_title = |line: &str| line.starts_with("error[");
                // Each further change of a fix has a line of its own; code stays whole.
                let is_change = |line: &str| (9..=10).contains(&line.find(|c| c != ' ').unwrap_or(0));
                let is_fix = |line: &str| line.contains("= fix (") || line.contains("= corrección (");
                let is_code = |line: &str| is_command(line) || is_source(line) || is_fix(line) || is_change(line);
                let is_broken = |line: &str| !is_code(line) && !is_title(line);
                let is_long = |line: &&str| columns(line) > COLUMNS && is_broken(line);
                let rows =
                    |line: &str| if is_code(line) && !is_source(line) { 1 } else { columns(line).div_ceil(COLUMNS) };
                let on_screen: usize = finding.lines().map(rows).sum();
                let marks = finding.matches("^ (").count().saturating_sub(2);
                let more = marks + finding.lines().filter(|line| is_change(line)).count();
                let lines = finding.lines().count();
                assert!(
                    lines <= LINES && on_screen <= LINES + more && !finding.lines().any(|line| is_long(&line)),
                    "{lines} lines, {on_screen} on a screen:\n{finding}"
                );
            }
        }
    }

    /// Each command by which a report of these rows offers a page writes it, as it is printed.
    pub fn assert_pages(&self, rows: &[&str]) {
        let package = Path::new(self.program).file_name().and_then(|name| name.to_str()).expect("a program has a name");
        for row in rows {
            let output = self.run(&["--only", row, "--seeds", "0..2", "--no-try"]);
            let text = String::from_utf8(output.stdout).expect("a report is text");
            let commands: BTreeSet<&str> =
                text.lines().filter_map(|line| line.split_once("= see ")).map(|it| it.1).collect();
            assert!(!commands.is_empty(), "{text}");
            for command in commands {
                let arguments = command.split_once(&format!(": cargo run -p {package} -- "));
                let (_, arguments) = arguments.unwrap_or_else(|| panic!("{command}"));
                let folder = std::env::temp_dir().join(format!("{package}-{row}-{}", std::process::id()));
                std::fs::create_dir_all(&folder).expect("a folder for the page");
                let arguments: Vec<&str> = arguments.split_whitespace().collect();
                let ran = Command::new(self.program).args(&arguments).current_dir(&folder).output();
                let page = std::fs::read_to_string(folder.join("run.html")).unwrap_or_else(|error| {
                    panic!("{error}: {command}\n{}", String::from_utf8_lossy(&ran.expect("the lesson starts").stderr))
                });
                std::fs::remove_dir_all(&folder).expect("what is there can go");
                let token = arguments[1];
                assert!(page.contains(&format!("--replay {token}")), "{command} writes another run's page");
            }
        }
    }

    /// The token of each kernel's first finding makes the same run again, twice.
    pub fn assert_replays(&self, rows: &[&str]) {
        for name in rows {
            let first = self.json(&["--only", name, "--seeds", "0..4", "--no-try"]);
            let broken = &first["rows"][0];
            let token = broken["findings"][0]["replay"].as_str().expect("a finding has its replay");
            let [once, again] = [self.json(&["--replay", token]), self.json(&["--replay", token])];
            assert_eq!(once, again, "{token}");
            let [row] = &once["rows"].as_array().expect("rows is a list")[..] else {
                panic!("one kernel is replayed: {once:#}")
            };
            assert_eq!((&row["kernel"], &row["runs"]), (&broken["kernel"], &Value::from(1)));
            let lines = &broken["findings"][0]["lines"];
            let findings = row["findings"].as_array().expect("findings is a list");
            assert!(findings.iter().any(|finding| finding["lines"] == *lines), "{token}: {findings:#?}");
        }
    }

    /// Checks that the kernel files' claims about debug builds hold. Says so where `compile` cannot.
    pub fn assert_debug_claims(&self, compile: impl Fn(&str) -> Result<String, kernel_build::Error>) {
        match rebuilt(self.files, compile) {
            Ok(files) => files.iter().for_each(|file| {
                claims::verify(file, file.ptx, Build::Debug).unwrap_or_else(|why| panic!("{why}"));
            }),
            Err(error) => without_compiler(&error),
        }
    }

    /// Checks that the kernel files' claims about their PTX hold, and that each broken kernel claims something.
    pub fn assert_claims(&self) {
        for file in self.files {
            let claims = claims::verify(file, file.ptx, Build::Optimised).unwrap_or_else(|why| panic!("{why}"));
            for (kernel, variant) in self.rows.iter().flat_map(Row::kernels) {
                let is_claimed = claims.iter().any(|claim| claim.kernel == kernel);
                let is_ours = file.kernels().any(|name| name == kernel);
                assert!(is_claimed || !is_ours || !matches!(variant, Variant::Broken(_)), "{kernel} claims nothing");
            }
        }
    }

    /// Checks that nvcc refuses what a row says, with the stored message if it is of the pinned version: another may
    /// word it otherwise. Says so where there is no nvcc. `folder` is the lesson's own.
    pub fn assert_refused(&self, folder: &str) {
        let root = kernel_build::repository_root(Path::new(folder)).unwrap_or_else(|error| panic!("{error}"));
        let nvcc = match Nvcc::find() {
            Ok(nvcc) => nvcc,
            Err(error) => return without_compiler(&error),
        };
        for file in self.rows.iter().flat_map(|row| row.all_refused()) {
            let path = file.file.source_path;
            let said =
                KernelSource::read(&root, Path::new(path)).and_then(|source| refused::message(&nvcc, &root, &source));
            let message = said.unwrap_or_else(|error| panic!("{error}")).unwrap_or_else(|| panic!("nvcc takes {path}"));
            assert!(message.contains(&format!("{path}(")), "{message}");
            if nvcc.version == kernel_build::toolkit::NVCC_VERSION {
                assert_eq!(Some(message.as_str()), file.message, "{path}");
            }
        }
    }

    /// The line of code below the kernel's `BUG:` comment.
    pub fn bug_line(&self, kernel: &str) -> u32 {
        let file = self.files.iter().find(|file| file.kernels().any(|name| name == kernel));
        let file = file.unwrap_or_else(|| panic!("no file holds {kernel}"));
        let extent = file.extent(kernel).expect("every broken kernel is written out in its file");
        let mut lines = (1..).zip(file.source.lines()).filter(|(number, _)| extent.contains(number));
        lines.find(|(_, line)| line.contains("// BUG:")).expect("a broken kernel says where");
        let is_code = |line: &str| !line.trim().is_empty() && !line.trim().starts_with("//");
        lines.find(|(_, line)| is_code(line)).expect("code follows the comment").0
    }
}
