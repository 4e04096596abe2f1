//! `cargo learn`, the command line.

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use learn::catalog::Catalog;
use learn::child::{self, Judge, Limits};
use learn::judge::Task;
use learn::verify;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Exercises in CUDA concurrency.
#[derive(Parser)]
#[command(name = "cargo learn", version)]
struct Arguments {
    /// Another folder of exercises.
    #[arg(long, global = true, value_name = "DIR")]
    catalog: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Judge one exercise.
    Run {
        name: String,
        /// Only the run of this token.
        #[arg(long)]
        replay: Option<String>,
        /// Judge this file instead of your copy.
        #[arg(long)]
        file: Option<PathBuf>,
    },
    /// Name all exercises.
    List,
    /// For authors: hold the exercises to what they promise.
    Verify {
        #[arg(default_value = "")]
        name: String,
    },
    #[command(name = child::COMMAND, hide = true)]
    JudgeChild { memory: u64 },
}

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: Arguments) -> Result<bool> {
    if let Command::JudgeChild { memory } = arguments.command {
        return child::serve(memory).map(|()| true);
    }
    let home =
        PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into()));
    let folder = arguments.catalog.unwrap_or_else(|| home.join("catalog"));
    let folder = folder.canonicalize().with_context(|| format!("cannot open {}", folder.display()))?;
    let catalog = Catalog::read(&folder)?;
    let program = std::env::current_exe().context("cannot tell where this program is")?;
    match arguments.command {
        Command::Run { name, replay, file } => {
            let exercise = catalog.find(&name)?;
            let file = file.unwrap_or_else(|| exercise.shipped());
            let task = Task {
                catalog: folder,
                exercise: exercise.name.clone(),
                shown: shown(&file),
                file: file.canonicalize().with_context(|| format!("cannot open {}", file.display()))?,
                replay,
                colour: std::io::stdout().is_terminal(),
            };
            let verdict = Judge::new(&program, Limits::default()).ask(&task).map_err(anyhow::Error::msg)?;
            print!("{}", verdict.text);
            Ok(verdict.passed)
        }
        Command::List => {
            for exercise in &catalog.exercises {
                println!("{}  {}", exercise.name, exercise.spec.title);
            }
            Ok(true)
        }
        Command::Verify { name } => {
            let workers = std::thread::available_parallelism().map_or(1, usize::from);
            let verified = verify::verify(&catalog, &name, &program, workers)?;
            let (text, good) = verify::report(&verified, &catalog.disagreements()?);
            print!("{text}");
            Ok(good)
        }
        Command::JudgeChild { .. } => unreachable!("answered above"),
    }
}

/// A path as short as can be.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(path).display().to_string()
}
