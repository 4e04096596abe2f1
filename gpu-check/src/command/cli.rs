//! The command line. Options that `compute-sanitizer` has are named as there.

use clap::{ArgAction, Command, CommandFactory, Parser, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;
use tell::arguments::translated;
use trial::Schedule;
use words::Language;

/// The exit status where something was found, unless `--error-exitcode` says another.
pub const FOUND: u8 = 99;
/// The exit status if something was not checked: a launch or call that was refused, or no launch at all. A test that
/// checks nothing should not pass in silence.
pub const NOT_CHECKED: u8 = 98;
/// The exit status if the program cannot be compiled or started.
pub const CANNOT: u8 = 97;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
    Sarif,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LeakCheck {
    Full,
    No,
}

// The help of each option stands in `messages/`, by `option-NAME`.
#[derive(Clone, Debug, Parser)]
#[command(name = "gpu-check", disable_version_flag = true, disable_help_flag = true)]
pub struct CheckOptions {
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub schedules: Vec<Schedule>,

    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub seeds: Option<u64>,

    #[arg(long)]
    pub fast: bool,

    #[arg(long, value_name = "SECONDS", value_parser = seconds, num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "10")]
    pub exhaust: Option<Duration>,

    #[arg(long, value_name = "PART")]
    pub kernel_name: Option<String>,

    #[arg(long, value_name = "N")]
    pub launch_count: Option<u64>,

    #[arg(long, value_enum, value_name = "full|no", default_value = "no")]
    pub leak_check: LeakCheck,

    #[arg(long, value_name = "STATUS", default_value_t = FOUND)]
    pub error_exitcode: u8,

    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub limit: Option<Duration>,

    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit_instructions: Option<u64>,

    #[arg(long, value_name = "FILE")]
    pub log_file: Option<PathBuf>,

    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,

    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true, default_value = "")]
    pub nvcc_flags: String,

    #[arg(long)]
    pub no_try: bool,

    #[arg(long, value_name = "LANG", value_parser = language)]
    pub lang: Option<Language>,

    #[arg(long, short, action = ArgAction::Help)]
    help: Option<bool>,

    #[arg(value_name = "PROGRAM", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub program: Vec<OsString>,
}

impl CheckOptions {
    /// Returns true if short launches are to be run again under other schedules, in the same process.
    pub fn runs_again(&self) -> bool {
        self.schedules.is_empty() && self.seeds.is_none() && !self.fast
    }
}

/// The command line with its help in the language of this process.
pub fn command() -> Command {
    let command = CheckOptions::command().about(say!("about")).after_help(say!("exit-status"));
    translated(command, |arg| help(arg.get_id().as_str()))
}

fn help(option: &str) -> Option<String> {
    Some(match option {
        "schedules" => say!("option-schedules"),
        "seeds" => say!("option-seeds"),
        "fast" => say!("option-fast"),
        "exhaust" => say!("option-exhaust"),
        "kernel_name" => say!("option-kernel-name"),
        "launch_count" => say!("option-launch-count"),
        "leak_check" => say!("option-leak-check"),
        "error_exitcode" => say!("option-error-exitcode", found = i64::from(FOUND)),
        "limit" => say!("option-limit"),
        "limit_instructions" => say!("option-limit-instructions"),
        "log_file" => say!("option-log-file"),
        "format" => say!("option-format"),
        "nvcc_flags" => say!("option-nvcc-flags"),
        "no_try" => say!("option-no-try"),
        "lang" => say!("option-lang"),
        "help" => say!("option-help"),
        "program" => say!("option-program"),
        _ => return None,
    })
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| say!("not-seconds"))?;
    Duration::try_from_secs_f64(seconds).ok().filter(|limit| !limit.is_zero()).ok_or_else(|| say!("not-seconds"))
}

fn language(code: &str) -> Result<Language, String> {
    code.parse().map_err(|_| say!("no-language", code))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<CheckOptions, clap::Error> {
        CheckOptions::try_parse_from(["gpu-check"].iter().chain(words))
    }

    #[test]
    fn options_end_where_the_program_begins() {
        let options = parse(&["--seeds", "4", "./a", "--seeds", "-x"]).unwrap();
        assert_eq!((options.seeds, options.program.len()), (Some(4), 3));
        let options = parse(&["--", "ctest", "-j2"]).unwrap();
        assert_eq!(options.program, ["ctest", "-j2"]);
        assert!(options.schedules.is_empty() && options.runs_again());
        assert_eq!(parse(&["--exhaust", "./a"]).unwrap().exhaust, Some(Duration::from_secs(10)));
        assert_eq!(parse(&["--exhaust=2.5", "./a"]).unwrap().exhaust, Some(Duration::from_millis(2500)));
        assert!(parse(&[]).is_err() && parse(&["--limit", "0", "a"]).is_err());
    }

    #[test]
    fn schedules_are_a_list() {
        let options = parse(&["--schedules", "random,adversarial", "a"]).unwrap();
        assert_eq!(options.schedules, [Schedule::Random, Schedule::Adversarial]);
    }
}
