//! The command line: the same for every lesson, because scripts rely on it.

use crate::device::context::DeviceChoice;
use crate::lesson::{plot, trace_file};
use clap::{ArgAction, Args, Command, CommandFactory, Parser, ValueEnum};
use emulator::{Checks, Judgement};
use std::ops::Range;
use std::path::{Path, PathBuf};
use tell::arguments::translated;
use tell::{explain, page};
use trial::{ReplayToken, Schedule};
use words::Language;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// For reading.
    Text,
    /// One object on stdout.
    Json,
    /// The findings as one SARIF log on stdout, for editors and code hosts.
    Sarif,
}

/// The checks that the emulator makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ChecksChoice {
    /// Everything.
    Full,
    /// Bounds and alignment.
    Fast,
    /// Everything, and races by comparing each access with all earlier ones.
    Rule,
}

impl From<ChecksChoice> for Checks {
    fn from(choice: ChecksChoice) -> Checks {
        match choice {
            ChecksChoice::Full | ChecksChoice::Rule => Checks::Full,
            ChecksChoice::Fast => Checks::Fast,
        }
    }
}

// The help of each option stands in `messages/`, by `option-NAME`: a comment here would be its help in English only.
/// The command line.
#[derive(Clone, Debug, Parser)]
#[command(disable_version_flag = true, disable_help_flag = true)]
pub struct Options {
    #[command(flatten)]
    pub runs: Runs,

    #[command(flatten)]
    pub asked: InfoRequest,

    #[arg(long, short)]
    pub verbose: bool,

    #[arg(long, value_name = "LANG", value_parser = language)]
    pub lang: Option<Language>,

    #[command(flatten)]
    pub work: WorkOptions,

    #[command(flatten)]
    pub files: Files,

    #[arg(long)]
    pub leaks: bool,

    #[arg(long)]
    pub no_try: bool,

    #[arg(long, value_enum, default_value = "text")]
    pub format: OutputFormat,

    #[arg(long, hide = true, value_enum, value_name = "CHECKS")]
    pub checks: Option<ChecksChoice>,

    #[arg(long, hide = true, value_name = "KERNEL")]
    pub child: Option<String>,

    #[arg(long, short, action = ArgAction::Help)]
    help: Option<bool>,
}

/// Which runs are made.
#[derive(Clone, Debug, Args)]
pub struct Runs {
    #[arg(long, value_enum, value_name = "DEVICE", env = "LESSON_DEVICE", default_value = "auto")]
    pub device: DeviceChoice,

    #[arg(long, value_name = "FIRST..END", allow_hyphen_values = true, value_parser = seed_range)]
    pub seeds: Option<Range<u64>>,

    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = seed, conflicts_with = "seeds")]
    pub seed: Option<u64>,

    #[arg(long, value_name = "NAME")]
    pub schedule: Option<Schedule>,

    #[arg(long, value_name = "ROW")]
    pub only: Vec<String>,

    #[arg(long, value_name = "TOKEN", conflicts_with_all = ["seeds", "seed", "schedule", "n"])]
    pub replay: Option<ReplayToken>,
}

/// Questions that are answered without a run.
#[derive(Clone, Debug, Args)]
pub struct InfoRequest {
    #[arg(long)]
    pub list: bool,

    #[arg(long, value_name = "SLUG", num_args = 0..=1, value_parser = explain::named)]
    pub explain: Option<Option<&'static str>>,
}

/// The kernels' input, and the measurements.
#[derive(Clone, Debug, Args)]
pub struct WorkOptions {
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, value_parser = size)]
    pub n: Option<usize>,

    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,

    #[arg(long, conflicts_with_all = ["replay"])]
    pub counters: bool,

    #[arg(long, conflicts_with_all = ["replay", "counters", "seeds", "seed", "schedule"])]
    pub exhaust: bool,

    #[arg(long, requires = "exhaust")]
    pub lean: bool,

    #[arg(long, value_name = "FILE", value_parser = figure_file, conflicts_with_all = ["replay"])]
    pub plot: Option<PathBuf>,
}

/// The file that one run is written to.
#[derive(Clone, Debug, Args)]
pub struct Files {
    #[arg(long, value_name = "FILE", value_parser = trace_file)]
    pub trace: Option<PathBuf>,

    #[arg(long, value_name = "FILE", value_parser = page_file)]
    pub web: Option<PathBuf>,

    #[arg(long, hide = true, value_name = "FOLDER", conflicts_with_all = ["replay", "trace", "web"])]
    pub site: Option<PathBuf>,
}

/// The command line with its help in the language of this process.
pub fn command() -> Command {
    let command = Options::command().after_help(say!("exit-status"));
    translated(command, |arg| help(arg.get_id().as_str()))
}

fn help(option: &str) -> Option<String> {
    Some(match option {
        "device" => say!("option-device"),
        "seeds" => say!("option-seeds"),
        "seed" => say!("option-seed"),
        "schedule" => say!("option-schedule"),
        "only" => say!("option-only"),
        "replay" => say!("option-replay"),
        "list" => say!("option-list"),
        "explain" => say!("option-explain"),
        "verbose" => say!("option-verbose"),
        "lang" => say!("option-lang"),
        "n" => say!("option-n"),
        "input" => say!("option-input"),
        "counters" => say!("option-counters"),
        "exhaust" => say!("option-exhaust"),
        "lean" => say!("option-lean"),
        "plot" => say!("option-plot"),
        "trace" => say!("option-trace"),
        "web" => say!("option-web"),
        "leaks" => say!("option-leaks"),
        "no_try" => say!("option-no-try"),
        "format" => say!("option-format"),
        "help" => say!("option-help"),
        _ => return None, // Hidden ones.
    })
}

impl Options {
    /// The way in which full checks compare accesses.
    pub fn judgement(&self) -> Judgement {
        if self.checks == Some(ChecksChoice::Rule) { Judgement::Rule } else { Judgement::Fast }
    }

    /// The random schedules' seeds, where the command line says which.
    pub fn seeds(&self) -> Option<Range<u64>> {
        self.runs.seed.map(|seed| seed..seed + 1).or_else(|| self.runs.seeds.clone())
    }

    /// The files that one run is to be traced for, each with its option.
    pub fn traced_files(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let both = [("--trace", &self.files.trace), ("--web", &self.files.web)];
        both.into_iter().filter_map(|(option, file)| Some((option, file.as_deref()?)))
    }

    pub fn is_selected(&self, row: &str) -> bool {
        self.runs.only.is_empty() || self.runs.only.iter().any(|only| only == row)
    }
}

fn figure_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if plot::can_write(&path) { Ok(path) } else { Err(say!("figure-ending")) }
}

fn page_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if page::has_form(&path) { Ok(path) } else { Err(say!("page-ending")) }
}

fn trace_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if trace_file::has_form(&path) { Ok(path) } else { Err(say!("trace-ending")) }
}

fn language(code: &str) -> Result<Language, String> {
    code.parse().map_err(|_| say!("no-language", code))
}

fn size(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| say!("not-a-size"))
}

fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| say!("not-a-seed"))
}

fn seed_range(text: &str) -> Result<Range<u64>, String> {
    let numbers = text.split_once("..").and_then(|(first, end)| Some((first.parse().ok()?, end.parse().ok()?)));
    let (first, end): (u64, u64) = numbers.ok_or_else(|| say!("not-a-range"))?;
    if first >= end {
        return Err(say!("empty-range", first = first.to_string(), end = end.to_string()));
    }
    Ok(first..end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use trial::RunId;

    fn parse(arguments: &[&str]) -> Result<Options, clap::Error> {
        Options::try_parse_from(std::iter::once("lesson").chain(arguments.iter().copied()))
    }

    #[test]
    fn nothing_given_means_every_row_at_its_own_size_and_seeds() {
        let options = parse(&["--device", "emulator"]).unwrap();
        assert_eq!((options.seeds(), options.format, options.work.n), (None, OutputFormat::Text, None));
        assert!(options.is_selected("counter"));
    }

    #[test]
    fn every_option_of_the_documentation_is_taken() {
        let options = parse(&[
            "--device=gpu",
            "--seed=7",
            "--schedule=random",
            "--only=sum",
            "--only=filter",
            "--list",
            "--n=33",
            "--input=a.bin",
            "--format=json",
        ])
        .unwrap();
        assert_eq!(options.runs.device, DeviceChoice::Gpu);
        assert_eq!(options.seeds(), Some(7..8));
        assert_eq!(options.runs.schedule, Some(Schedule::Random));
        assert!(options.is_selected("sum") && options.is_selected("filter") && !options.is_selected("counter"));
        assert!(options.asked.list && options.work.n == Some(33) && options.format == OutputFormat::Json);
        assert_eq!(parse(&["--explain"]).unwrap().asked.explain, Some(None));
        for name in ["race-scope", "wrong-result", "compile-fail", "executions"] {
            let page = parse(&["--explain", name]).unwrap().asked.explain.flatten();
            assert!(page.is_some_and(|page| page.starts_with(&format!("# {name}\n"))), "{name}");
        }
        let replay = parse(&["--replay", "counter/broken/random/7/4096"]).unwrap();
        let run = RunId { schedule: Schedule::Random, seed: 7, size: 4096, keep: None };
        assert_eq!(replay.runs.replay, Some(ReplayToken::new("counter_broken", "broken", run)));
    }

    #[test]
    fn every_option_that_is_shown_has_its_help() {
        for arg in Options::command().get_arguments() {
            let option = arg.get_id().as_str();
            assert_eq!(help(option).is_some(), !arg.is_hide_set(), "{option}");
        }
        let text = command().render_help().to_string();
        assert!(text.contains("Usage: ") && text.contains("Options:") && !text.contains('{'), "{text}");
    }

    #[test]
    fn bad_arguments_end_with_status_2() {
        for bad in [
            &["--device", "cpu"][..],
            &["--seeds", "5..5"],
            &["--seeds", "64"],
            &["--seeds", "a..b"],
            &["--seed", "-1"],
            &["--schedule", "chaos"],
            &["--n", "-1"],
            &["--n", "many"],
            &["--format", "xml"],
            &["--replay", "counter/broken"],
            &["--seed", "1", "--seeds", "0..2"],
            &["--surprise"],
            &["--plot", "figure.pdf"],
            &["--trace", "trace.txt"],
            &["--web", "run.json"],
            &["--explain", "race"],
            &["--lang", "de"],
        ] {
            assert_eq!(parse(bad).unwrap_err().exit_code(), 2, "{bad:?}");
        }
    }

    #[test]
    fn a_number_that_is_none_is_answered_with_what_is_allowed() {
        for (bad, part) in [
            (&["--n", "-5"][..], "write a whole number, 0 or more, in digits only"),
            (&["--n", "1e6"], "write a whole number, 0 or more, in digits only"),
            (&["--seed", "-1"], "write a whole number, 0 or more, as in 7"),
            (&["--seeds", "5.."], "write two whole numbers, FIRST..END, as in 0..64"),
            (&["--seeds", "-5..5"], "write two whole numbers, FIRST..END, as in 0..64"),
            (&["--seeds", "5..5"], "contains no seed"),
        ] {
            let text = parse(bad).unwrap_err().to_string();
            assert!(text.contains(part), "{bad:?}: {text}");
        }
    }
}
