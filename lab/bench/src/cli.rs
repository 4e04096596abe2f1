//! The command line.

use crate::jobs::JOBS;
use crate::run::Job;
use anyhow::{Context as _, Result, ensure};
use clap::{Arg, ArgAction, Command, value_parser};
use std::path::{Path, PathBuf};
use words::Language;

/// The options of the command line.
#[derive(Debug, Default)]
pub struct BenchOptions {
    pub is_quick: bool,
    pub is_check: bool,
    pub jobs: Vec<String>,
    pub csv: Option<PathBuf>,
    pub json: Option<PathBuf>,
    pub merge: Vec<PathBuf>,
}

/// Their help is in `messages/`, by `option-NAME`.
pub const OPTIONS: &[&str] = &["quick", "check", "job", "csv", "json", "merge", "lang", "help"];

fn command() -> Command {
    let flag = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
    let file = |name: &'static str| Arg::new(name).long(name).value_name("FILE").value_parser(value_parser!(PathBuf));
    let names: Vec<&str> = JOBS.iter().map(|job| job.name).collect();
    Command::new("bench")
        .about(say!("about"))
        .disable_help_flag(true)
        .disable_version_flag(true)
        .arg(flag("quick"))
        .arg(flag("check").conflicts_with_all(["quick", "csv", "json", "merge"]))
        .arg(Arg::new("job").long("job").value_name("NAME").action(ArgAction::Append).value_parser(names))
        .arg(file("csv"))
        .arg(file("json"))
        .arg(file("merge").num_args(1..).conflicts_with_all(["quick", "job"]))
        .arg(Arg::new("lang").long("lang").value_name("LANG").value_parser(["en", "es"]))
        .arg(Arg::new("help").long("help").short('h').action(ArgAction::Help))
        .mut_args(|arg| {
            let help = say!(format!("option-{}", arg.get_id()).as_str());
            arg.help(help)
        })
}

/// Reads the command line, and settles the language. Ends the program after `--help`, and where it cannot be read.
pub fn options() -> BenchOptions {
    let arguments: Vec<String> = std::env::args().collect();
    let named = arguments.iter().position(|argument| argument == "--lang").and_then(|at| arguments.get(at + 1));
    let environment = || Language::of_environment(|name| std::env::var(name).ok());
    named.and_then(|name| Language::of_locale(name)).unwrap_or_else(environment).speak();
    let mut found = command().get_matches_from(arguments);
    BenchOptions {
        is_quick: found.get_flag("quick"),
        is_check: found.get_flag("check"),
        jobs: found.remove_many("job").map(Iterator::collect).unwrap_or_default(),
        csv: found.remove_one("csv"),
        json: found.remove_one("json"),
        merge: found.remove_many("merge").map(Iterator::collect).unwrap_or_default(),
    }
}

impl BenchOptions {
    /// The jobs that are asked for; without a word all of them.
    pub fn jobs(&self) -> Vec<&'static Job> {
        JOBS.iter().filter(|job| self.jobs.is_empty() || self.jobs.iter().any(|name| name == job.name)).collect()
    }

    /// Fails where a file could not be written in the end: better before minutes of measuring.
    pub fn check_files(&self) -> Result<()> {
        for file in [&self.csv, &self.json].into_iter().flatten() {
            let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            ensure!(folder.is_dir(), say!("no-folder", folder = folder.display().to_string()));
            let is_new = !file.exists();
            let opened = std::fs::OpenOptions::new().append(true).create(true).open(file);
            opened.with_context(|| say!("cannot-write", file = file.display().to_string()))?;
            if is_new {
                std::fs::remove_file(file)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_well_formed_and_every_option_has_help() {
        Language::English.speak();
        command().debug_assert();
        let names: Vec<String> = command().get_arguments().map(|arg| arg.get_id().to_string()).collect();
        assert_eq!(names, OPTIONS);
    }

    #[test]
    fn a_file_in_no_folder_is_refused_before_anything_runs() {
        let folder = tempfile::tempdir().unwrap();
        let options = |path: PathBuf| BenchOptions { json: Some(path), ..BenchOptions::default() };
        assert!(options(folder.path().join("a.json")).check_files().is_ok());
        assert!(!folder.path().join("a.json").exists(), "nothing is left where nothing is measured");
        let error = options(folder.path().join("no/a.json")).check_files().unwrap_err();
        assert!(format!("{error:#}").contains("no"));
        assert!(options(folder.path().to_path_buf()).check_files().is_err(), "a folder is no file");
    }

    #[test]
    fn without_a_name_all_jobs_run() {
        assert_eq!(BenchOptions::default().jobs().len(), JOBS.len());
        let one = BenchOptions { jobs: vec!["sum".into()], ..BenchOptions::default() };
        assert_eq!(one.jobs().iter().map(|job| job.name).collect::<Vec<_>>(), ["sum"]);
    }
}
