//! The command line of this package, for `cargo xtask`.

use anyhow::{Context, Result};
use clap::{Args, Parser};
use exercises::{executions, judged, probes, puzzles};
use learn::catalog::Catalog;
use learn::grade::Share;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The questions to the exercises.
#[derive(Parser)]
enum Arguments {
    /// Change the right answers as students slip: each changed one must be refused, or explained in explained.toml.
    Mutants {
        /// The program of `cargo learn`, which judges answers.
        #[arg(long)]
        program: PathBuf,
        #[command(flatten)]
        chosen: Chosen,
    },
    /// Do nothing at sizes of one class, such as multiples of a warp: it must be noticed, or the class left out in
    /// explained.toml.
    Probes {
        #[command(flatten)]
        chosen: Chosen,
    },
    /// Write the exercises in which nothing is programmed as data for pages.
    Puzzles { folder: PathBuf },
    /// Print all executions of the lessons' kernels that are drawn.
    Executions,
}

#[derive(Args)]
struct Chosen {
    /// Only exercises whose names hold this.
    #[arg(default_value = "")]
    name: String,
    /// Another folder of exercises than the course's.
    #[arg(long)]
    catalog: Option<PathBuf>,
    /// Only every Nth, from the Kth on.
    #[arg(long, value_name = "K/N")]
    sample: Option<Share>,
    /// Print what is right or left out, too, and why.
    #[arg(long)]
    verbose: bool,
}

/// Reads the exercises of a folder, or the course's.
fn catalog(folder: Option<&Path>) -> Result<Catalog> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../exercises/catalog");
    let folder = folder.unwrap_or(&own);
    Catalog::read(&folder.canonicalize().with_context(|| format!("cannot open {}", folder.display()))?)
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Returns true if all is well.
fn run(arguments: &Arguments) -> Result<bool> {
    match arguments {
        Arguments::Mutants { program, chosen } => {
            let workers = std::thread::available_parallelism().map_or(1, usize::from);
            let Chosen { name, sample, verbose, .. } = chosen;
            let options = judged::MutantOptions { part: name, sample: *sample, workers, is_verbose: *verbose };
            judged::verify(&catalog(chosen.catalog.as_deref())?, program, &options, &|text: &str| print!("{text}"))
        }
        Arguments::Probes { chosen } => {
            let Chosen { name, sample, verbose, .. } = chosen;
            probes::verify(&catalog(chosen.catalog.as_deref())?, name, *sample, *verbose, &|text: &str| {
                print!("{text}")
            })
        }
        Arguments::Executions => executions::print().map(|()| true),
        Arguments::Puzzles { folder } => puzzles::write(&catalog(None)?, folder).map(|()| true),
    }
}
