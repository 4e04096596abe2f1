//! `cargo toolkit install | status | uninstall`, in English or Spanish.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use kernel_build::toolkit::default_folder;
use toolkit::{Installed, Pip, install, say, status, uninstall, usage, wheels};
use words::Language;

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let named = take_language(&mut arguments);
    named.unwrap_or_else(|| Language::of_environment(|name| std::env::var(name).ok())).speak();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["install"] => run_install(None),
        ["install", "--dir", folder] => run_install(Some(folder)),
        ["uninstall"] => run_uninstall(None),
        ["uninstall", "--dir", folder] => run_uninstall(Some(folder)),
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
    let shown = target.display().to_string();
    println!("{}", say!("installed", how, folder = &shown));
    if folder.is_some() {
        println!("{}", say!("to-use-it", folder = &shown));
    }
    if let Err(problem) = kernel_build::host::find() {
        println!("{}", say!("host-also", problem));
    }
    Ok(())
}

fn run_uninstall(folder: Option<&str>) -> Result<()> {
    let target = choose(folder)?;
    let (found, folder) = (uninstall(&target)?, target.display().to_string());
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

/// Takes `--lang es` or `--lang=es` out of the arguments. What is no language stays there, and is refused.
fn take_language(arguments: &mut Vec<String>) -> Option<Language> {
    let at = arguments.iter().position(|one| one == "--lang" || one.starts_with("--lang="))?;
    let (value, count) = match arguments[at].split_once('=') {
        Some((_, value)) => (value, 1),
        None => (arguments.get(at + 1)?.as_str(), 2),
    };
    let language = value.parse().ok()?;
    arguments.drain(at..at + count);
    Some(language)
}
