//! `bench`: see `docs/bench.md`.

use anyhow::Result;
use bench::cli::{self, BenchOptions};
use bench::device::Gpu;
use bench::record::Report;
use bench::run::Job;
use bench::run::{self, Run, Scale};
use bench::{WORDS, merge, output};
use driver::Choice;
use std::process::ExitCode;
use words::Language;

macro_rules! say {
    ($($rest:tt)+) => { words::say!(WORDS, Language::current(), $($rest)+) };
}

fn main() -> ExitCode {
    let options = cli::options();
    match go(&options) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{}", say!("error", why = format!("{error:#}")));
            ExitCode::FAILURE
        }
    }
}

fn go(options: &BenchOptions) -> Result<ExitCode> {
    options.check_files()?;
    if !options.merge.is_empty() {
        let reports = options.merge.iter().map(|file| Report::read(file)).collect::<Result<Vec<_>>>()?;
        let report = merge::merged(&reports)?;
        print!("{}", output::table(&report));
        write(&report, options)?;
        return Ok(ExitCode::SUCCESS);
    }
    let (choice, scale) = match (options.is_check, options.is_quick) {
        (true, _) => (Choice::Emulator, Scale::Check),
        (_, true) => (Choice::Gpu, Scale::Quick),
        _ => (Choice::Gpu, Scale::Full),
    };
    if choice == Choice::Gpu
        && let Err(why) = driver::choose(choice, None)
    {
        println!("{}", say!("skipped", why = why.to_string()));
        return Ok(ExitCode::SUCCESS);
    }
    let jobs: Vec<&Job> = options.jobs();
    let run = Run::new(Gpu::open(choice)?, scale)?;
    println!("{}", say!("device", name = run.gpu.name.as_str()));
    let (report, wrong) = run::all(run, &jobs)?;
    if scale != Scale::Check {
        write(&report, options)?;
    }
    if wrong.is_empty() {
        println!("{}", say!("all-right"));
        Ok(ExitCode::SUCCESS)
    } else {
        eprintln!("{}", say!("some-wrong", count = wrong.len()));
        Ok(ExitCode::FAILURE)
    }
}

fn write(report: &Report, options: &BenchOptions) -> Result<()> {
    if let Some(file) = &options.json {
        report.write(file)?;
    }
    if let Some(file) = &options.csv {
        std::fs::write(file, output::csv(report))?;
    }
    Ok(())
}
