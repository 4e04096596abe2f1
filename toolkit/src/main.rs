//! `cargo toolkit install | status | uninstall`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use kernel_build::toolkit::default_folder;
use toolkit::{Installed, Pip, install, status, uninstall, wheels};

const USAGE: &str = "\
usage: cargo toolkit install [--dir FOLDER]    fetch nvcc and NVRTC (about 195 MB) into your cache folder, or into FOLDER
       cargo toolkit status                    what is here to compile kernels with, and what is missing
       cargo toolkit uninstall [--dir FOLDER]  remove what install put there

exit status: 0 when it worked; 1 when not (status: when kernels cannot be compiled); 2 for bad arguments";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
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
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run_install(folder: Option<&str>) -> Result<()> {
    let target = choose(folder)?;
    match install(&wheels::for_this_machine()?, &Pip, &target)? {
        Installed::Now => println!("installed in {}", target.display()),
        Installed::Completed => println!("completed in {}", target.display()),
        Installed::Already => println!("already installed in {}", target.display()),
    }
    if folder.is_some() {
        println!("to use it: export CUDA_HOME={}", target.display());
    }
    if let Err(problem) = kernel_build::host::find() {
        println!("note: nvcc also needs a host C++ compiler, and {problem}; `cargo toolkit status` says more");
    }
    Ok(())
}

fn run_uninstall(folder: Option<&str>) -> Result<()> {
    let target = choose(folder)?;
    let found = uninstall(&target)?;
    println!("{} {}", if found { "removed" } else { "there is nothing to remove in" }, target.display());
    Ok(())
}

fn choose(folder: Option<&str>) -> Result<PathBuf> {
    match folder {
        Some("") => bail!("`--dir` needs a folder"),
        Some(named) => std::path::absolute(named).context("cannot tell where that folder is"),
        None => default_folder().context("neither HOME nor XDG_CACHE_HOME is set; say where with `--dir FOLDER`"),
    }
}
