//! The command line, checked against the lesson's rows.

use crate::device::context::DeviceChoice;
use crate::lesson::cli::{self, ChecksChoice, Options};
use crate::table::row::Row;
use clap::FromArgMatches;
use tell::arguments::{Refusal, usage};
use trial::FULL_CHECKS_UP_TO;

/// A lesson's program is called as its package is.
pub fn program_name(lesson: &str) -> String {
    let program = std::env::current_exe().ok();
    let stem = program.as_deref().and_then(|path| path.file_stem()).and_then(|stem| stem.to_str());
    stem.unwrap_or(lesson).to_string()
}

/// The command line, checked against the lesson's rows.
pub fn arguments(
    name: &str,
    program: &str,
    rows: &'static [Row],
    arguments: impl IntoIterator<Item = impl Into<std::ffi::OsString> + Clone>,
) -> Result<Options, Refusal> {
    let command = cli::command().bin_name(program).about(say!("about", lesson = name));
    let usage = usage(&command);
    let own = |text| Refusal::Own { text, usage: usage.clone() };
    let matches = command.override_usage(&usage).try_get_matches_from(arguments);
    let matches = matches.map_err(Refusal::of)?;
    let options = Options::from_arg_matches(&matches).map_err(Refusal::Clap)?;
    let names = || rows.iter().map(|row| row.name).collect::<Vec<_>>().join(", ");
    for only in &options.runs.only {
        if !rows.iter().any(|row| row.name == only) {
            let of = rows.iter().find(|row| row.kernels().iter().any(|(kernel, _)| kernel == only));
            let text = match of {
                Some(row) => say!("kernel-is-no-row", kernel = only, row = row.name),
                None => say!("no-row", name = only, rows = names()),
            };
            return Err(own(text));
        }
    }
    if let Some(token) = &options.runs.replay {
        let mut kernels = rows.iter().flat_map(|row| row.kernels().into_iter().map(move |kernel| (row, kernel)));
        let Some((row, _)) = kernels.find(|(_, (kernel, variant))| token.names(kernel, variant.as_str())) else {
            let text = say!("no-kernel", kernel = &token.kernel, variant = &token.variant);
            return Err(own(text));
        };
        if !options.is_selected(row.name) {
            return Err(own(say!("replay-not-selected", row = row.name, only = options.runs.only.join(", "))));
        }
        if options.runs.device == DeviceChoice::Gpu {
            return Err(own(say!("replay-on-gpu")));
        }
        if token.run.size < row.least || (row.is_fixed && token.run.size != row.sizes.slide) {
            let text = say!("not-at-size", row = row.name, size = token.run.size);
            return Err(own(text));
        }
    }
    if let Some(why) = not_traced(&options) {
        return Err(own(why));
    }
    if let Some(why) = without_effect(&options, rows) {
        return Err(own(why));
    }
    if let Some(n) = options.work.n {
        let mut wanted = rows.iter().filter(|row| options.is_selected(row.name));
        if !wanted.any(|row| row.is_fixed || n >= row.least) {
            let text = say!("n-too-small", n);
            return Err(own(text));
        }
    }
    Ok(options)
}

/// Refuses something that a command line asks for and that turns out not to work.
pub fn refused(text: String) -> Refusal {
    Refusal::Own { text, usage: String::new() }
}

/// Why there can be no trace, where one is asked for.
fn not_traced(options: &Options) -> Option<String> {
    let (option, _) = options.traced_files().next()?;
    let size = options.runs.replay.as_ref().map_or(0, |token| token.run.size);
    if options.runs.device == DeviceChoice::Gpu {
        return Some(say!("trace-on-gpu", option));
    }
    if options.checks == Some(ChecksChoice::Fast) {
        return Some(say!("trace-unchecked", option));
    }
    (size > FULL_CHECKS_UP_TO).then(|| say!("trace-too-large", option, size, most = FULL_CHECKS_UP_TO))
}

/// An option that would change nothing in this run: better refused than overlooked.
fn without_effect(options: &Options, rows: &[Row]) -> Option<String> {
    let mut wanted = rows.iter().filter(|row| options.is_selected(row.name));
    if let Some(schedule) = options.runs.schedule.filter(|schedule| !schedule.takes_seed())
        && options.seeds().is_some()
    {
        return Some(say!("no-seed", schedule = schedule.as_str()));
    }
    if options.work.n.is_some() && wanted.clone().all(|row| row.is_fixed) {
        return Some(say!("n-without-effect"));
    }
    if options.work.plot.is_some() && wanted.clone().all(|row| row.figure.is_none()) {
        return Some(say!("plot-without-effect"));
    }
    let folder =
        options.work.plot.as_ref().and_then(|path| path.parent()).filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        return Some(say!("plot-without-folder", folder = folder.display().to_string()));
    }
    if options.work.input.is_some() && options.runs.replay.is_none() && wanted.all(|row| row.sample.is_none()) {
        return Some(say!("input-without-effect"));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Slug;

    static ROWS: &[Row] = &[
        Row::pair("counter", Slug::RaceGlobal).sizes(1000, 100),
        Row::of("catalogue").correct(&["add_int"]).fixed(64),
    ];

    fn parse(given: &[&str]) -> Result<Options, Refusal> {
        arguments(
            "lesson04",
            "lesson04-atomics",
            ROWS,
            std::iter::once("lesson04-atomics").chain(given.iter().copied()),
        )
    }

    #[test]
    fn what_the_table_does_not_have_is_status_2_and_a_list() {
        for (given, part) in [
            (&["--only", "sum"][..], "no row `sum`: counter, catalogue"),
            (&["--only", "counter_broken"], "`counter_broken` is a kernel of the row `counter`: --only counter"),
            (&["--replay", "counter/ladder/random/7/64"], "--list shows them"),
            (&["--replay", "sum/broken/random/7/64"], "--list shows them"),
            (&["--replay", "counter/broken/random/7/0"], "does not run at size 0"),
            (&["--replay", "add_int/correct/random/7/65"], "does not run at size 65"),
            (&["--replay", "counter/broken/random/7/64", "--device", "gpu"], "a GPU has no seed"),
            (&["--replay", "counter/broken/random/7/64", "--only", "catalogue"], "is of the row `counter`"),
            (&["--only", "counter", "--n", "0"], "--n 0 is too small"),
            (&["--only", "catalogue", "--n", "100"], "every selected row has a fixed size"),
            (&["--schedule", "in-order", "--seed", "3"], "takes no seed"),
            (&["--input", "a.bin"], "no selected row reads a file"),
            (&["--plot", "a.svg"], "no selected row has a figure"),
            (&["--trace", "a.json", "--device", "gpu"], "needs the emulator"),
            (&["--trace", "a.json", "--checks", "fast"], "needs all checks"),
            (&["--web", "a.html", "--device", "gpu"], "--web needs the emulator"),
            (&["--trace", "a.json", "--replay", "counter/broken/in-order/0/2000000"], "up to 1048576 elements"),
        ] {
            let error = parse(given).unwrap_err();
            assert!(matches!(error, Refusal::Own { .. }) && error.to_string().contains(part), "{given:?}: {error}");
        }
    }

    #[test]
    fn what_the_table_has_is_taken() {
        for given in [
            &["--only", "counter", "--only", "catalogue"][..],
            &["--replay", "counter/broken/random/7/64"],
            &["--replay", "add_int/correct/in-order/0/64"],
            &["--only", "counter", "--replay", "counter/broken/random/7/64"],
            &["--n", "0"], // The catalogue still runs.
        ] {
            assert!(parse(given).is_ok(), "{given:?}");
        }
    }
}
