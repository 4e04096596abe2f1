//! Reports of a program are the same, to the byte, whether full checks judge many accesses at once or each by
//! itself ([`emulator::Device::judge_one_by_one`]). It holds for every pair of programs and every lesson's kernel,
//! under every kind of schedule.

use crate::lessons::programs;
use crate::machine::{Emulated, Loaded};
use crate::schedules::under_each;
use crate::{files, pairs, read, stem, tests, trial};
use emulator::Policy;
use libtest_mimic::Trial;

/// Beside the schedules without a seed.
const SEEDS: u64 = 8;
const SAMPLE: u64 = 1;
const FUEL: u64 = 1 << 24;

fn told(loaded: &Loaded, policy: Policy, one_by_one: bool) -> String {
    let mut machine = Emulated::checked(loaded, policy, FUEL);
    machine.one_by_one = one_by_one;
    machine.check();
    format!("{:#?}\n{:#?}", machine.findings, machine.notes)
}

fn judged(text: String) -> Result<(), String> {
    let loaded = Loaded::new(text);
    under_each(skipped::share(SAMPLE, SEEDS), |policy| {
        let (short, long) = (told(&loaded, policy.clone(), false), told(&loaded, policy, true));
        let differ = short.lines().zip(long.lines()).find(|(short, long)| short != long);
        match (short == long, differ) {
            (true, _) => Vec::new(),
            (false, Some((short, long))) => {
                vec![format!("with short ways `{}`, without `{}`", short.trim(), long.trim())]
            }
            (false, None) => vec!["one says more".to_string()],
        }
    })
}

pub fn trials() -> Vec<Trial> {
    let lessons = programs().into_iter().flat_map(|(_, programs)| programs);
    let lessons = lessons.map(|program| (format!("alike/{}", program.name), program.text));
    let failing = pairs::failing().into_iter().map(|(name, (_, path))| (format!("alike/fail/{name}"), read(&path)));
    let passing = files(&tests().join("pass"), "ptx");
    let passing = passing.iter().map(|path| (format!("alike/pass/{}", stem(path)), read(path)));
    lessons.chain(failing).chain(passing).map(|(name, text)| trial(name, move || judged(text))).collect()
}
