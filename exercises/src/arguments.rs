//! The command line: what `cargo learn` takes. What its help says is in `messages/LANGUAGE/help.ftl`.

use crate::grade::Share;
use crate::report::ReportFormat;
use crate::spec::ExerciseKind;
use crate::words::MessageValues;
use crate::{Language, WORDS, child, confine};
use clap::{Arg, ArgAction, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;
use tell::arguments::Refusal;

#[derive(Parser)]
#[command(name = "cargo learn", version, disable_help_subcommand = true)]
pub struct Arguments {
    #[arg(long, global = true, value_name = "DIR")]
    pub catalog: Option<PathBuf>,
    #[arg(long, global = true, value_name = "DIR", env = "LEARN_DIR")]
    pub dir: Option<PathBuf>,
    /// Also taken before clap reads anything: its help is in this language.
    #[arg(long, global = true, value_name = "en|es")]
    pub lang: Option<Language>,
    #[arg(long, short, global = true)]
    pub verbose: bool,
    /// Where to begin; without a command.
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Subcommand)]
pub enum Command {
    List,
    Hint {
        name: Option<String>,
    },
    Run {
        name: Option<String>,
        #[arg(long)]
        replay: Option<String>,
        #[arg(long)]
        file: Option<PathBuf>,
        #[arg(long)]
        fix: bool,
    },
    Reset {
        name: String,
        #[arg(long)]
        yes: bool,
    },
    Solution {
        name: String,
        #[arg(long)]
        yes: bool,
    },
    Explain {
        kind: Option<String>,
    },
    Doctor,
    Web {
        #[arg(long, default_value_t = 0, hide_default_value = true)]
        port: u16,
        #[arg(long, value_name = "NAME:PORT", value_parser = host)]
        allow_host: Vec<String>,
        #[arg(long)]
        no_open: bool,
    },
    New {
        name: String,
        #[arg(long, value_enum, default_value_t = ExerciseKind::Fix)]
        kind: ExerciseKind,
    },
    Verify {
        #[arg(default_value = "")]
        name: String,
        #[arg(long)]
        store: bool,
        #[arg(long, conflicts_with = "store")]
        write_ranges: bool,
    },
    Grade {
        folder: PathBuf,
        #[arg(long, value_enum, default_value_t = ReportFormat::Csv)]
        format: ReportFormat,
        #[arg(long, value_name = "NAME")]
        student: Vec<String>,
        #[arg(long, value_name = "K/N")]
        share: Option<Share>,
        #[arg(long, default_value = "")]
        only: String,
        #[arg(long, value_name = "FILE")]
        points: Option<PathBuf>,
        #[arg(long)]
        strict: bool,
        #[arg(long)]
        no_sandbox: bool,
        #[arg(long, value_name = "DIR")]
        cache: Option<PathBuf>,
    },
    Merge {
        #[arg(required = true)]
        files: Vec<PathBuf>,
        #[arg(long, value_enum, default_value_t = ReportFormat::Csv)]
        format: ReportFormat,
    },
    #[command(name = child::COMMAND, hide = true)]
    JudgeChild {
        memory: u64,
        cell: Option<String>,
    },
    #[command(name = confine::COMMAND, hide = true)]
    Confine {
        how: String,
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
}

/// As a browser names a server: no address, and no path.
fn host(text: &str) -> Result<String, String> {
    let is_name = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "-._:[]".contains(c));
    if is_name { Ok(text.to_string()) } else { Err(say!("web-host-name")) }
}

impl Arguments {
    /// Those of this process, which speaks their language from now on.
    pub fn read() -> Arguments {
        let all: Vec<OsString> = std::env::args_os().collect();
        tell::arguments::speak(&all);
        let read = command().try_get_matches_from(all).unwrap_or_else(|error| Refusal::of(error).exit());
        Arguments::from_arg_matches(&read).unwrap_or_else(|error| error.exit())
    }
}

/// With help in this process's language.
fn command() -> clap::Command {
    translated(Arguments::command(), None).about(say!("help-about"))
}

fn translated(command: clap::Command, name: Option<&str>) -> clap::Command {
    let said = |key: &str| WORDS.say(Language::current(), key, &MessageValues::new());
    // Clap keeps headings as long as the program runs.
    let heading = |key: &str| -> &'static str { said(key).leak() };
    let help = Arg::new("help").short('h').long("help").action(ArgAction::Help).help(said("help-help"));
    let mut command = command
        .help_template(format!(
            "{{about-with-newline}}\n{} {{usage}}\n\n{{all-args}}{{after-help}}",
            said("help-usage")
        ))
        .subcommand_help_heading(heading("help-commands"))
        .disable_help_flag(true)
        .mut_args(|arg| {
            let key = key(name, arg.get_id().as_str());
            let below = if arg.is_positional() { "help-arguments" } else { "help-options" };
            arg.help(said(&key)).help_heading(heading(below))
        })
        .arg(help.help_heading(heading("help-options")));
    if name.is_none() {
        let version = Arg::new("version").short('V').long("version").action(ArgAction::Version);
        let version = version.help(said("help-version")).help_heading(heading("help-options"));
        command = command.disable_version_flag(true).arg(version);
    }
    let names: Vec<String> = shown(&command).map(|one| one.get_name().to_string()).collect();
    for name in names {
        command =
            command.mut_subcommand(&name, |one| translated(one, Some(&name)).about(said(&format!("help-{name}"))));
    }
    let usage = tell::arguments::usage(&command);
    command.override_usage(if name.is_some() { format!("cargo learn {usage}") } else { usage })
}

/// The key of an argument's help: `help-arg-grade-share`, or `help-arg-dir` of one that every command takes.
fn key(command: Option<&str>, argument: &str) -> String {
    let command = command.map_or(String::new(), |name| format!("{name}-"));
    format!("help-arg-{command}{}", argument.replace('_', "-"))
}

fn shown(command: &clap::Command) -> impl Iterator<Item = &clap::Command> {
    command.get_subcommands().filter(|one| !one.is_hide_set())
}

/// The keys that help is found by.
#[cfg(test)]
pub fn keys() -> Vec<String> {
    let all = Arguments::command();
    let of = |command: &clap::Command, name: Option<&str>| -> Vec<String> {
        command.get_arguments().map(|argument| key(name, argument.get_id().as_str())).collect()
    };
    let mut keys = of(&all, None);
    for one in shown(&all) {
        keys.push(format!("help-{}", one.get_name()));
        keys.extend(of(one, Some(one.get_name())));
    }
    let rest = ["help-help", "help-usage", "help-commands", "help-arguments", "help-options", "help-version"];
    keys.into_iter().chain(rest.map(String::from)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clap_takes_the_command_as_it_is_and_earlier_names_of_kinds() {
        command().debug_assert();
        let kind = |name: &str| {
            let read = Arguments::try_parse_from(["learn", "new", "a/b", "--kind", name]).ok()?;
            if let Some(Command::New { kind, .. }) = read.command { Some(kind) } else { None }
        };
        assert_eq!(
            [kind("mend"), kind("lean"), kind("fast")],
            [ExerciseKind::Fix, ExerciseKind::Simplify, ExerciseKind::Faster].map(Some)
        );
        assert_eq!(kind("fix"), Some(ExerciseKind::Fix));
        assert_eq!(kind("men"), None);
    }
}
