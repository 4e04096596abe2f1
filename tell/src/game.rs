//! The data that a page needs to make runs of a kernel by itself: a recording of one, and what the host should read at
//! its end.

use emulator::choices::ScheduleChoice;
use emulator::{Base64Bytes, Config, Device, Policy, Profile, Recording};
use report::Source;
use serde::Serialize;
use std::collections::BTreeMap;
use trial::policies;

/// Bytes of PTX and memory that a page may carry.
const MOST: usize = 4 << 20;

/// Thread instructions of a replay: it is one of many.
const FUEL: u64 = 1 << 24;

/// Seeds of each schedule under which the correct kernel must give the same.
const SEEDS: u64 = 4;

/// The data that `web/src/live/` reads.
#[derive(Serialize)]
pub struct Game {
    recording: Recording,
    /// By the names that reports give them.
    sources: BTreeMap<String, String>,
    /// The bytes that the host should read, in order; absent where they depend on the schedule, or where nobody knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<Vec<Base64Bytes>>,
    /// Choices that a game begins with: those of a token that a page has told.
    #[serde(skip_serializing_if = "<[ScheduleChoice]>::is_empty")]
    choices: Vec<ScheduleChoice>,
}

impl Game {
    /// The game of a run. `is_source`: whether this is the file, by the name that the PTX gives it.
    pub fn of(
        mut recording: Recording,
        source: Source,
        is_source: &dyn Fn(&str) -> bool,
        expected: Option<Vec<Vec<u8>>>,
    ) -> Game {
        recording.programs.iter_mut().flatten().for_each(|ptx| name_files(ptx, is_source, source.path));
        let expected = expected.map(|reads| reads.into_iter().map(Base64Bytes).collect());
        let sources = BTreeMap::from([(source.path.to_string(), source.text.to_string())]);
        Game { recording, sources, expected, choices: Vec::new() }
    }

    /// A game that begins with these choices.
    pub fn after(self, choices: Vec<ScheduleChoice>) -> Game {
        Game { choices, ..self }
    }
}

/// True if a page can carry it.
pub fn fits(recording: &Recording) -> bool {
    bytes(recording) <= MOST
}

/// Returns the bytes that the host reads, if they are the same under every schedule.
pub fn only_reads(recording: &Recording) -> Option<Vec<Vec<u8>>> {
    let mut all = policies(SEEDS).map(|policy| reads(recording, policy));
    let first = all.next()??;
    all.all(|reads| reads.as_ref() == Some(&first)).then_some(first)
}

/// Returns the bytes that the host reads; `None` if the recording cannot be replayed.
pub fn reads(recording: &Recording, policy: Policy) -> Option<Vec<Vec<u8>>> {
    let mut device = Device::new(Profile::default());
    device.configure(Config { policy, workers: 1, fuel: FUEL, ..Config::default() });
    Some(recording.replay(&mut device).ok()?.reads)
}

fn bytes(recording: &Recording) -> usize {
    use emulator::Command::{Allocate, Host, Write};
    let of_memory = recording.commands.iter().map(|command| match command {
        Allocate { contents: Some(contents), .. } | Write { contents, .. } | Host { contents, .. } => contents.0.len(),
        _ => 0,
    });
    recording.programs.iter().flatten().map(String::len).sum::<usize>() + of_memory.sum::<usize>()
}

/// A kernel that was compiled on this machine names its file by another path than the one that is shown.
fn name_files(ptx: &mut String, is_it: impl Fn(&str) -> bool, shown: &str) {
    let named = |line: &str| -> Option<String> {
        let (before, rest) = line.strip_prefix(".file").or(line.strip_prefix("\t.file"))?.split_once('"')?;
        let (path, after) = rest.split_once('"')?;
        is_it(path).then(|| format!("\t.file{before}\"{shown}\"{after}"))
    };
    *ptx = ptx.lines().map(|line| named(line).unwrap_or_else(|| line.to_string()) + "\n").collect();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_name_that_reports_give_it() {
        let source_path = "cuda/lesson02/reverse.cu";
        let mut ptx = "\t.file\t1 \"/course/cuda/lesson02/reverse.cu\", 17, 4\n\t.file\t2 \"/usr/include/x.h\"\nret;\n"
            .to_string();
        name_files(&mut ptx, |path: &str| path.ends_with(source_path), source_path);
        assert_eq!(ptx, "\t.file\t1 \"cuda/lesson02/reverse.cu\", 17, 4\n\t.file\t2 \"/usr/include/x.h\"\nret;\n");
    }
}
