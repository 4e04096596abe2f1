//! Recordings of a host's commands to a device, which are run again: of the lessons' kernels, by way of its JSON.

use crate::lessons::{machine, programs};
use crate::machine::{Loaded, Recorded};
use crate::schedules::under_each;
use crate::trial;
use emulator::{Config, Device, Policy, Profile, Recording};
use libtest_mimic::Trial;
use std::path::Path;

/// The environment's name for a folder to which recordings are written.
const FOLDER: &str = "RECORDINGS";

/// Seeds of each schedule that has one.
const SEEDS: u64 = 1;

fn judged(name: &str, text: &str) -> Result<(), String> {
    let loaded = Loaded::new(text.to_string());
    under_each(SEEDS, |policy| {
        let mut first = machine(&loaded, policy.clone());
        first.records = true;
        let mut said = first.check();
        if let (Policy::InOrder, Some(folder)) = (&policy, std::env::var_os(FOLDER)) {
            first.recorded.iter().enumerate().for_each(|(at, it)| write(Path::new(&folder), name, at, &it.recording));
        }
        said.extend(first.recorded.iter().filter_map(|recorded| unlike(recorded, first.config(), &policy)));
        said
    })
}

fn write(folder: &Path, program: &str, number: usize, recording: &Recording) {
    let path = folder.join(format!("{}-{number}.json", program.replace('/', "-")));
    let json = serde_json::to_string(recording).expect("plain data has a JSON form");
    std::fs::write(&path, json).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// Returns what differs when it is run again.
fn unlike(recorded: &Recorded, config: &Config, policy: &Policy) -> Option<String> {
    let json = serde_json::to_string(&recorded.recording).expect("plain data has a JSON form");
    let again: Recording = serde_json::from_str(&json).expect("it was written so");
    if again != recorded.recording {
        return Some("another recording by way of its JSON".to_string());
    }
    let mut device = Device::new(Profile::default());
    device.configure(Config { policy: policy.clone(), ..config.clone() });
    let replayed = match again.replay(&mut device) {
        Ok(replayed) => replayed,
        Err(error) => return Some(format!("{error:?}")),
    };
    let is_same = replayed.launches == recorded.launches
        && replayed.of_host == recorded.of_host
        && replayed.reads == recorded.reads;
    (!is_same).then(|| "another outcome when it is asked again".to_string())
}

pub fn trials() -> Vec<Trial> {
    let programs = programs().into_iter().flat_map(|(_, programs)| programs);
    programs
        .map(|program| trial(format!("recorded/{}", program.name), move || judged(&program.name, &program.text)))
        .collect()
}
