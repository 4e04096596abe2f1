//! `gpu-check my.cu`, `gpu-check ./program args`, `gpu-check -- ctest`: a CUDA program on the emulated GPU, with every
//! check.
//!
//! `gpu-check toolkit install` fetches nvcc ([`command::toolkit`]).
//!
//! A `.cu` file is compiled first ([`command::compile`]). The program runs with our library in the place of CUDA's
//! ([`command::library`]) and with compilers that give PTX ([`stand_in`]), once or under several schedules
//! ([`command::run`]). What its processes wrote down is merged and told ([`command::merged`]). The exit status is the
//! program's own, unless something was found or nothing was checked.

/// `say!("key", name = value)`: a message in the language of this process.
macro_rules! say {
    ($($rest:tt)+) => { words::say!(gpu_check::speech::WORDS, gpu_check::speech::language(), $($rest)+) };
}

mod command;
mod stand_in;

use clap::FromArgMatches;
use command::cli::{self, CheckOptions, Format};
use command::library::Library;
use command::merged::MergedRuns;
use command::{compile, run, toolkit};
use std::process::ExitCode;
use std::time::Instant;
use tell::arguments::{Refusal, speak};

fn main() -> ExitCode {
    if let Some(status) = stand_in::run(std::env::args_os()) {
        return status;
    }
    if let Some(status) = toolkit::run(std::env::args_os()) {
        return status;
    }
    speak(std::env::args_os());
    toolkit::name_command();
    let matches = cli::command().try_get_matches();
    let options = matches.and_then(|matches| CheckOptions::from_arg_matches(&matches));
    let options = options.unwrap_or_else(|error| Refusal::of(error).exit());
    match check(&options) {
        Ok(status) => ExitCode::from(status),
        Err(error) => {
            words::complain(&format!("gpu-check: {}", tell::in_a_line(&error)));
            ExitCode::from(cli::CANNOT)
        }
    }
}

/// Runs the program, tells what was found, and gives the exit status.
fn check(options: &CheckOptions) -> anyhow::Result<u8> {
    let begin = Instant::now();
    let library = Library::find()?;
    let program = compile::program(options, &library)?;
    let runs = run::all(options, &library, &program)?;
    let merged = MergedRuns::of(&runs);
    match options.format {
        Format::Text => merged.tell(options, begin.elapsed())?,
        Format::Json | Format::Sarif => merged.tell_machines(options)?,
    }
    Ok(merged.status(options, &runs))
}
