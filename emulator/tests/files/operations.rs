//! Every file in `conformance/`: fast and checked, in order and by several seeds. `conformance/README.md` describes the
//! files.

use crate::machine::{Emulated, Loaded};
use crate::{files, read, stem, tests, trial};
use emulator::{Checks, Config, Policy};
use libtest_mimic::Trial;
use std::path::Path;

/// Thread instructions; the largest file needs some 100 thousand.
const FUEL: u64 = 1 << 24;

/// Each way to run, by name.
fn ways() -> Vec<(String, Config)> {
    let config = |checks, policy, workers| Config { checks, policy, workers, fuel: FUEL, ..Config::default() };
    let mut all = vec![
        ("fast".to_string(), config(Checks::Fast, Policy::InOrder, 1)),
        // With two workers the host may put one aside while the other spins: that is no livelock.
        ("fast on two cores".to_string(), Config { fuel: 1 << 33, ..config(Checks::Fast, Policy::InOrder, 2) }),
        ("in order".to_string(), config(Checks::Full, Policy::InOrder, 1)),
    ];
    all.extend((0..6).map(|seed| (format!("random {seed}"), config(Checks::Full, Policy::Random { seed }, 1))));
    all.extend(
        (0..4).map(|seed| (format!("adversarial {seed}"), config(Checks::Full, Policy::Adversarial { seed }, 1))),
    );
    all
}

fn judge(path: &Path) -> Result<(), String> {
    let loaded = Loaded::new(read(path));
    let mut runs = 0;
    for (way, config) in ways() {
        // The first way that fails is told: the others mostly say the same.
        let failed = |said: Vec<String>| format!("{way}: {}", said.join("\n"));
        runs += crate::conformance::check(&loaded.text, &mut Emulated::new(&loaded, config)).map_err(failed)?;
    }
    if runs == 0 { Err("nothing ran".to_string()) } else { Ok(()) }
}

pub fn trials() -> Vec<Trial> {
    let paths = files(&tests().join("conformance"), "ptx").into_iter();
    paths.map(|path| trial(format!("conformance/{}", stem(&path)), move || judge(&path))).collect()
}
