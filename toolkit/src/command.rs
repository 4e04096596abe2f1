//! The command line `install | status | uninstall`, of `cargo toolkit` and of `gpu-check toolkit`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use kernel_build::toolkit::{command, default_folder};

use crate::speech::shown;
use crate::{Installed, Pip, install, status, uninstall, usage, wheels};

/// Does what the words say, and prints it. Returns the exit status.
pub fn run(words: &[&str]) -> ExitCode {
    let result = match *words {
        ["install"] => run_install(None),
        ["install", "--dir", folder] => run_install(Some(folder)),
        ["uninstall" | "remove"] => run_uninstall(None),
        ["uninstall" | "remove", "--dir", folder] => run_uninstall(Some(folder)),
        ["status"] => {
            let (text, works) = status();
            println!("{text}");
            return if works { ExitCode::SUCCESS } else { ExitCode::FAILURE };
        }
        ["help" | "--help" | "-h"] => {
            println!("{}", usage());
            return ExitCode::SUCCESS;
        }
        _ => {
            words::complain(&usage());
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            words::complain(&say!("error", error = kernel_build::in_a_line(error.as_ref())));
            ExitCode::FAILURE
        }
    }
}

fn run_install(folder: Option<&str>) -> Result<()> {
    let target = choose(folder)?;
    let how = match install(&wheels::for_this_machine()?, &Pip, &target)? {
        Installed::Now => "now",
        Installed::Completed => "completed",
        Installed::Already => "already",
    };
    println!("{}", say!("installed", how, folder = shown(&target)));
    if folder.is_some() {
        println!("{}", say!("to-use-it", folder = shown(&target)));
    }
    if let Err(problem) = kernel_build::host::find() {
        println!("{}", say!("host-also", problem, command = command()));
    }
    Ok(())
}

fn run_uninstall(folder: Option<&str>) -> Result<()> {
    let target = choose(folder)?;
    let (found, folder) = (uninstall(&target)?, shown(&target));
    println!("{}", if found { say!("removed", folder) } else { say!("nothing-to-remove", folder) });
    Ok(())
}

fn choose(folder: Option<&str>) -> Result<PathBuf> {
    match folder {
        Some("") => bail!(say!("no-folder-named")),
        Some(named) => std::path::absolute(named).with_context(|| say!("folder-unknown")),
        None => default_folder().with_context(|| say!("no-home")),
    }
}

/// Speaks the language of `--lang es` or `--lang=es`, or of the environment, and returns the other words. What is no
/// language stays there, and is refused.
pub fn speak(mut arguments: Vec<String>) -> Vec<String> {
    let named = take_language(&mut arguments);
    named.unwrap_or_else(|| words::Language::of_environment(|name| std::env::var(name).ok())).speak();
    arguments
}

fn take_language(arguments: &mut Vec<String>) -> Option<words::Language> {
    let at = arguments.iter().position(|one| one == "--lang" || one.starts_with("--lang="))?;
    let (value, count) = match arguments[at].split_once('=') {
        Some((_, value)) => (value, 1),
        None => (arguments.get(at + 1)?.as_str(), 2),
    };
    let language = value.parse().ok()?;
    arguments.drain(at..at + count);
    Some(language)
}
