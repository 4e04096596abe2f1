//! The command line, checked against the lesson's rows.

use crate::cli::{DeviceChoice, Options};
use crate::row::Row;
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches};

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
) -> Result<Options, clap::Error> {
    let mut command = Options::command().bin_name(program).about(format!("{name}, on a GPU or on the emulator"));
    let matches = command.try_get_matches_from_mut(arguments)?;
    let options = Options::from_arg_matches(&matches)?;
    let names = || rows.iter().map(|row| row.name).collect::<Vec<_>>().join(", ");
    for only in &options.only {
        if !rows.iter().any(|row| row.name == only) {
            let of = rows.iter().find(|row| row.kernels().iter().any(|(kernel, _)| kernel == only));
            let text = match of {
                Some(row) => format!("`{only}` is a kernel of the row `{0}`: --only {0}", row.name),
                None => format!("no row is called `{only}`; there are {}", names()),
            };
            return Err(command.error(ErrorKind::InvalidValue, text));
        }
    }
    if let Some(token) = &options.replay {
        let mut kernels = rows.iter().flat_map(|row| row.kernels().into_iter().map(move |kernel| (row, kernel)));
        let Some((row, _)) = kernels.find(|(_, (kernel, variant))| token.names(kernel, variant.as_str())) else {
            let text = format!("no kernel is called {}/{} here; --list shows them", token.kernel, token.variant);
            return Err(command.error(ErrorKind::InvalidValue, text));
        };
        if options.device == DeviceChoice::Gpu {
            return Err(command.error(ErrorKind::ArgumentConflict, "a replay needs the emulator: a GPU takes no seed"));
        }
        if token.size < row.least || (row.is_fixed && token.size != row.sizes.slide) {
            let text = format!("the row `{}` does not run at size {}", row.name, token.size);
            return Err(command.error(ErrorKind::InvalidValue, text));
        }
    }
    if let Some(why) = without_effect(&options, rows) {
        return Err(command.error(ErrorKind::ArgumentConflict, why));
    }
    if let Some(n) = options.n {
        let mut wanted = rows.iter().filter(|row| options.is_selected(row.name));
        if !wanted.any(|row| row.is_fixed || n >= row.least) {
            let text = format!("--n {n} is too small for every row asked for");
            return Err(command.error(ErrorKind::InvalidValue, text));
        }
    }
    Ok(options)
}

/// An option that would change nothing in this run: better refused than overlooked.
fn without_effect(options: &Options, rows: &[Row]) -> Option<String> {
    let mut wanted = rows.iter().filter(|row| options.is_selected(row.name));
    if let Some(schedule) = options.schedule.filter(|schedule| !schedule.takes_seed())
        && options.seeds().is_some()
    {
        return Some(format!("the schedule {schedule} takes no seed"));
    }
    if options.n.is_some() && wanted.clone().all(|row| row.is_fixed) {
        return Some("--n has no effect: every row asked for has a fixed size".to_string());
    }
    if options.plot.is_some() && wanted.clone().all(|row| row.figure.is_none()) {
        return Some("--plot has no effect: no row asked for has a figure".to_string());
    }
    if options.input.is_some() && options.replay.is_none() && wanted.all(|row| row.sample.is_none()) {
        return Some("--input has no effect: no row asked for reads a file".to_string());
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

    fn parse(given: &[&str]) -> Result<Options, clap::Error> {
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
            (&["--only", "sum"][..], "there are counter, catalogue"),
            (&["--only", "counter_broken"], "`counter_broken` is a kernel of the row `counter`: --only counter"),
            (&["--replay", "counter/ladder/random/7/64"], "--list shows them"),
            (&["--replay", "sum/broken/random/7/64"], "--list shows them"),
            (&["--replay", "counter/broken/random/7/0"], "does not run at size 0"),
            (&["--replay", "add_int/correct/random/7/65"], "does not run at size 65"),
            (&["--replay", "counter/broken/random/7/64", "--device", "gpu"], "a GPU takes no seed"),
            (&["--only", "counter", "--n", "0"], "--n 0 is too small"),
            (&["--only", "catalogue", "--n", "100"], "every row asked for has a fixed size"),
            (&["--schedule", "in-order", "--seed", "3"], "takes no seed"),
            (&["--input", "a.bin"], "no row asked for reads a file"),
            (&["--plot", "a.svg"], "no row asked for has a figure"),
        ] {
            let error = parse(given).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{given:?}");
            assert!(error.to_string().contains(part), "{given:?}: {error}");
        }
    }

    #[test]
    fn what_the_table_has_is_taken() {
        for given in [
            &["--only", "counter", "--only", "catalogue"][..],
            &["--replay", "counter/broken/random/7/64"],
            &["--replay", "add_int/correct/in-order/0/64"],
            &["--n", "0"], // The catalogue still runs.
        ] {
            assert!(parse(given).is_ok(), "{given:?}");
        }
    }
}
