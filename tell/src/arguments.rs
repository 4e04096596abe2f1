//! A command line, in the reader's language: clap knows its own words in English only.

use clap::error::{ContextKind, ErrorKind};
use clap::{Arg, Command};
use std::error::Error as _;
use std::ffi::OsStr;
use std::fmt;
use words::Language;

/// Speaks the language of `--lang`, or of the environment: before the command line is parsed, since its errors have one
/// too.
pub fn speak(arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) {
    let named = named_language(arguments);
    named.unwrap_or_else(|| Language::of_environment(|name| std::env::var(name).ok())).speak();
}

/// Returns the language that the arguments name. A word that is no language is for clap to refuse.
fn named_language(arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Option<Language> {
    let arguments: Vec<_> = arguments.into_iter().map(|one| one.as_ref().to_string_lossy().into_owned()).collect();
    let after = |(at, one): (usize, &String)| match one.strip_prefix("--lang")? {
        "" => arguments.get(at + 1)?.parse().ok(),
        value => value.strip_prefix('=')?.parse().ok(),
    };
    arguments.iter().enumerate().find_map(after)
}

/// A command whose help is in the language of this process; `help` has that of an argument. None is shown of a hidden
/// one.
pub fn translated(command: Command, help: impl Fn(&Arg) -> Option<String>) -> Command {
    // clap takes static text only; a process makes this once.
    let heading: &'static str = say!("options").leak();
    let after = if command.get_after_help().is_some() { "\n\n{after-help}" } else { "" };
    let template = format!("{{about}}\n\n{} {{usage}}\n\n{{all-args}}{after}", say!("usage"));
    command.help_template(template).mut_args(|arg| {
        let help = help(&arg);
        // The additions of clap stand in the help itself.
        let arg = match arg.get_action().takes_values() {
            true => arg.hide_possible_values(true).hide_default_value(true).hide_env(true),
            false => arg,
        };
        let arg = arg.help_heading(heading);
        match help {
            Some(help) => arg.help(help),
            None => arg,
        }
    })
}

/// clap's usage line, without its heading, in the language of this process.
pub fn usage(command: &Command) -> String {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage);
    usage.replace("[OPTIONS]", &say!("usage-options")).replace("[COMMAND]", &say!("usage-command"))
}

/// Why a command line is refused, or the help that it asked for.
#[derive(Debug)]
pub enum Refusal {
    /// In clap's words, which are English.
    Clap(clap::Error),
    Own {
        text: String,
        usage: String,
    },
}

impl Refusal {
    /// An error of clap's, in the language of this process as far as there are words for it.
    pub fn of(error: clap::Error) -> Refusal {
        let usage = error.get(ContextKind::Usage).map(ToString::to_string).unwrap_or_default();
        let usage = usage.trim_start_matches("Usage: ").trim().to_string();
        match in_words(&error) {
            Some(text) => Refusal::Own { text, usage },
            None => Refusal::Clap(error),
        }
    }

    /// Says it, and ends the process: with 0 after help, else with 2.
    pub fn exit(self) -> ! {
        match self {
            Refusal::Clap(error) => error.exit(),
            Refusal::Own { .. } => {
                words::to_stderr(&self.to_string());
                std::process::exit(2)
            }
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Clap(error) => error.fmt(f),
            Refusal::Own { text, usage } => {
                writeln!(f, "{}\n", say!("arguments-refused", text))?;
                // clap names none where only a value is wrong.
                if !usage.is_empty() {
                    writeln!(f, "{} {usage}\n", say!("usage"))?;
                }
                writeln!(f, "{}", say!("try-help"))
            }
        }
    }
}

/// clap's own errors, which it knows in English only; `None` where its words will do.
fn in_words(error: &clap::Error) -> Option<String> {
    if Language::current() == Language::English {
        return None;
    }
    let of = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let (option, value) = (of(ContextKind::InvalidArg), of(ContextKind::InvalidValue));
    Some(match error.kind() {
        ErrorKind::UnknownArgument => say!("unknown-option", option),
        ErrorKind::ArgumentConflict => say!("options-conflict", option, other = of(ContextKind::PriorArg)),
        ErrorKind::TooManyValues => say!("takes-no-value", option),
        ErrorKind::MissingRequiredArgument => say!("missing-argument", option),
        ErrorKind::InvalidSubcommand => say!("no-command", name = of(ContextKind::InvalidSubcommand)),
        ErrorKind::InvalidValue if value.is_empty() => say!("no-value", option),
        ErrorKind::InvalidValue => say!("invalid-value", option, value, why = of(ContextKind::ValidValue)),
        ErrorKind::ValueValidation => {
            let why = error.source().map(ToString::to_string).unwrap_or_default();
            say!("invalid-value", option, value, why)
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_known_before_the_arguments_are_read() {
        assert_eq!(named_language(["lesson", "--only", "a", "--lang", "es"]), Some(Language::Spanish));
        assert_eq!(named_language(["lesson", "--lang=es", "--list"]), Some(Language::Spanish));
        assert_eq!(named_language(["lesson", "--lang", "en"]), Some(Language::English));
        assert_eq!(named_language(["lesson", "--lang", "de"]), None);
        assert_eq!(named_language(["lesson", "--list"]), None);
    }
}
