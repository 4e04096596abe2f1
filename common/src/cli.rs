//! The command line: the same for every lesson, because scripts rely on it.

use crate::explain;
use crate::figure;
use crate::token::{Schedule, Token};
use clap::{Parser, ValueEnum};
use driver::emulator::Checks;
use std::ops::Range;
use std::path::PathBuf;

/// Which device the lesson asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DeviceChoice {
    /// The GPU where there is one that takes our kernels, the emulator elsewhere.
    Auto,
    /// The GPU, or an error.
    Gpu,
    /// The emulated GPU.
    Emulator,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For reading.
    Text,
    /// One object on stdout.
    Json,
}

/// What the emulator looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ChecksChoice {
    /// Everything.
    Full,
    /// Bounds and alignment.
    Fast,
}

impl From<ChecksChoice> for Checks {
    fn from(choice: ChecksChoice) -> Checks {
        match choice {
            ChecksChoice::Full => Checks::Full,
            ChecksChoice::Fast => Checks::Fast,
        }
    }
}

/// What stands on the command line.
#[derive(Clone, Debug, Parser)]
#[command(
    disable_version_flag = true,
    after_help = "Exit status: 0 when everything happened as the lesson says, 1 when not, 2 for bad arguments."
)]
pub struct Options {
    /// Where to run
    #[arg(long, value_enum, value_name = "DEVICE", env = "LESSON_DEVICE", default_value = "auto")]
    pub device: DeviceChoice,

    /// Emulator: the seeds of the random schedules, FIRST..END without END [default: 0..64, fewer for a catalogue]
    #[arg(long, value_name = "FIRST..END", allow_hyphen_values = true, value_parser = seed_range)]
    pub seeds: Option<Range<u64>>,

    /// Emulator: this one random schedule only
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = seed, conflicts_with = "seeds")]
    pub seed: Option<u64>,

    /// Emulator: only this schedule: in-order; reverse, the last first; random, which also splits a warp at one uniform
    /// branch in 16; pct, few changes of random priorities; or adversarial, which splits anywhere and reads old values
    #[arg(long, value_name = "NAME")]
    pub schedule: Option<Schedule>,

    /// Only this row; may be given several times
    #[arg(long, value_name = "ROW")]
    pub only: Vec<String>,

    /// Emulator: one run again, exactly, as a report names it
    #[arg(long, value_name = "TOKEN", conflicts_with_all = ["seeds", "seed", "schedule", "only", "n"])]
    pub replay: Option<Token>,

    /// List the rows and their kernels
    #[arg(long)]
    pub list: bool,

    /// Explain a kind of finding, with an example; without SLUG, list them
    #[arg(long, value_name = "SLUG", num_args = 0..=1, value_parser = explain::named)]
    pub explain: Option<Option<&'static str>>,

    /// Number of elements, instead of each row's own
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, value_parser = size)]
    pub n: Option<usize>,

    /// A file to read, as bytes, by the rows that take real input
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,

    /// Emulator: count what each kernel does, in order, by kernel and by line
    #[arg(long, conflicts_with_all = ["replay"])]
    pub counters: bool,

    /// Write the lesson's figure to this file, an .svg or a .png
    #[arg(long, value_name = "FILE", value_parser = figure_file, conflicts_with_all = ["replay"])]
    pub plot: Option<PathBuf>,

    /// Emulator: name what is still allocated when a context ends
    #[arg(long)]
    pub leaks: bool,

    /// How to print the results
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,

    /// Emulator, to measure it: what to look for, on one core
    #[arg(long, hide = true, value_enum, value_name = "CHECKS")]
    pub checks: Option<ChecksChoice>,

    /// This process runs one kernel for another lesson process
    #[arg(long, hide = true, value_name = "KERNEL")]
    pub child: Option<String>,
}

impl Options {
    /// The random schedules' seeds, where the command line says which.
    pub fn seeds(&self) -> Option<Range<u64>> {
        self.seed.map(|seed| seed..seed + 1).or_else(|| self.seeds.clone())
    }

    pub fn is_selected(&self, row: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == row)
    }
}

fn figure_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if figure::can_write(&path) { Ok(path) } else { Err("write a name that ends in .svg or .png".to_string()) }
}

fn size(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "write a whole number, 0 or more, in digits only, as in 1000000".to_string())
}

fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "write a whole number, 0 or more, as in 7".to_string())
}

fn seed_range(text: &str) -> Result<Range<u64>, String> {
    let numbers = text.split_once("..").and_then(|(first, end)| Some((first.parse().ok()?, end.parse().ok()?)));
    let (first, end): (u64, u64) = numbers.ok_or("write two whole numbers, FIRST..END, as in 0..64")?;
    if first >= end {
        return Err(format!("{first}..{end} holds no seed; the end is not part of the range"));
    }
    Ok(first..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Options, clap::Error> {
        Options::try_parse_from(std::iter::once("lesson").chain(arguments.iter().copied()))
    }

    #[test]
    fn nothing_given_means_every_row_at_its_own_size_and_seeds() {
        let options = parse(&["--device", "emulator"]).unwrap();
        assert_eq!((options.seeds(), options.format, options.n), (None, Format::Text, None));
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
        assert_eq!(options.device, DeviceChoice::Gpu);
        assert_eq!(options.seeds(), Some(7..8));
        assert_eq!(options.schedule, Some(Schedule::Random));
        assert!(options.is_selected("sum") && options.is_selected("filter") && !options.is_selected("counter"));
        assert!(options.list && options.n == Some(33) && options.format == Format::Json);
        assert_eq!(parse(&["--explain"]).unwrap().explain, Some(None));
        for name in ["race-scope", "wrong-result", "compile-fail"] {
            let page = parse(&["--explain", name]).unwrap().explain.flatten();
            assert!(page.is_some_and(|page| page.starts_with(&format!("# {name}\n"))), "{name}");
        }
        let replay = parse(&["--replay", "counter/broken/random/7/4096"]).unwrap();
        assert_eq!(replay.replay, Some(Token::new("counter_broken", "broken", Schedule::Random, 7, 4096)));
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
            &["--explain", "race"],
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
            (&["--seeds", "5..5"], "holds no seed"),
        ] {
            let text = parse(bad).unwrap_err().to_string();
            assert!(text.contains(part), "{bad:?}: {text}");
        }
    }
}
