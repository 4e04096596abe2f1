//! What a page needs to make runs of a kernel by itself: a recording of one, and what the host should read at its end.

use crate::kept::Kept;
use crate::kernel_file::KernelFile;
use crate::lesson::Lesson;
use crate::module::Kernel;
use crate::plan::Batch;
use crate::progress::Progress;
use crate::row::Variant;
use crate::trial::{self, Run, Scene};
use emulator::choices::Choice;
use emulator::{Bytes, Checks, Config, Device, Policy, Profile, Recording};
use report::Source;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Bytes of PTX and memory that a page may carry.
const MOST: usize = 4 << 20;

/// Thread instructions of a replay: it is one of many.
const FUEL: u64 = 1 << 24;

/// Seeds of each schedule under which the correct kernel must give the same.
const SEEDS: u64 = 4;

/// What `web/src/live/` reads.
#[derive(Serialize)]
pub struct Game {
    recording: Recording,
    /// By the names that reports give them.
    sources: BTreeMap<String, String>,
    /// What the host should read, in order; absent where it depends on the schedule, or where nobody knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<Vec<Bytes>>,
    /// Choices that a game begins with: those of a token that a page has told.
    #[serde(skip_serializing_if = "<[Choice]>::is_empty")]
    choices: Vec<Choice>,
}

impl Game {
    fn of(recording: Recording, path: &str, source: &str, expected: Option<Vec<Vec<u8>>>) -> Game {
        let expected = expected.map(|reads| reads.into_iter().map(Bytes).collect());
        let sources = BTreeMap::from([(path.to_string(), source.to_string())]);
        Game { recording, sources, expected, choices: Vec::new() }
    }

    /// The game of a run that belongs to no lesson. `is_source`: whether this is the file, by the name that the PTX gives it.
    pub(crate) fn of_run(
        mut recording: Recording,
        source: Source,
        is_source: &dyn Fn(&str) -> bool,
        expected: Option<Vec<Vec<u8>>>,
    ) -> Option<Game> {
        if bytes(&recording) > MOST {
            return None;
        }
        recording.programs.iter_mut().flatten().for_each(|ptx| name_files(ptx, is_source, source.path));
        // What a page cannot make again is no game.
        reads(&recording, Policy::InOrder)?;
        Some(Game::of(recording, source.path, source.text, expected))
    }
}

impl Lesson {
    /// The game of a traced run. `is_right` says what the lesson says of its answer. `None` where the run cannot be made again from
    /// a recording, or is too large.
    pub(crate) fn game(
        &self,
        kernel: &Kernel,
        batch: &Batch,
        is_right: bool,
        job: &(impl Fn(&Run) -> anyhow::Result<()> + Sync),
    ) -> Option<Game> {
        let mut recording = self.recorded(kernel, batch, job).filter(|recording| bytes(recording) <= MOST)?;
        let reads = reads(&recording, batch.policy(batch.seeds.start))?;
        let expected = self.expected(kernel, batch, job).filter(|expected| (*expected == reads) == is_right);
        let KernelFile { source_path, source, .. } = kernel.file;
        let is_it = |path: &str| kernel.file.is_at(path);
        recording.programs.iter_mut().flatten().for_each(|ptx| name_files(ptx, is_it, source_path));
        let choices = match &batch.keep {
            Some(Kept::Made(choices)) => choices.clone(),
            _ => Vec::new(),
        };
        Some(Game { choices, ..Game::of(recording, source_path, source, expected) })
    }

    /// What the host reads from the row's correct kernel, if that is the same under every schedule.
    fn expected(
        &self,
        kernel: &Kernel,
        batch: &Batch,
        job: &(impl Fn(&Run) -> anyhow::Result<()> + Sync),
    ) -> Option<Vec<Vec<u8>>> {
        let (name, variant) = match kernel.variant {
            Variant::Correct => (kernel.name.clone(), kernel.variant),
            _ => kernel.row.kernels().into_iter().find(|(_, variant)| *variant == Variant::Correct)?,
        };
        let correct = self.library.kernel(kernel.row, name, variant).ok()?;
        // Choices that were made for another kernel need not fit.
        let recording = self.recorded(&correct, &Batch { keep: None, ..batch.clone() }, job)?;
        let mut all = policies().map(|policy| reads(&recording, policy));
        let first = all.next()??;
        all.all(|reads| reads.as_ref() == Some(&first)).then_some(first)
    }

    fn recorded(
        &self,
        kernel: &Kernel,
        batch: &Batch,
        job: &(impl Fn(&Run) -> anyhow::Result<()> + Sync),
    ) -> Option<Recording> {
        let place = Mutex::new(None);
        let scene = Scene { is_extra: true, recording: Some(&place), ..self.scene(kernel, true, Progress::none()) };
        trial::run(&scene, std::slice::from_ref(batch), &mut None, job).ok()?;
        place.into_inner().expect("no worker panics while it holds this")
    }
}

fn policies() -> impl Iterator<Item = Policy> {
    let seeded = (0..SEEDS).flat_map(|seed| [Policy::Random { seed }, Policy::Adversarial { seed }]);
    [Policy::InOrder, Policy::Reverse].into_iter().chain(seeded)
}

/// What the host reads; `None` if the recording cannot be replayed.
fn reads(recording: &Recording, policy: Policy) -> Option<Vec<Vec<u8>>> {
    let mut device = Device::new(Profile::default());
    device.configure(Config { checks: Checks::Full, policy, workers: 1, fuel: FUEL });
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
        let file = KernelFile { name: "reverse", source_path, source: "", ptx: "", shipped: None, fixes: &[] };
        let mut ptx = "\t.file\t1 \"/course/cuda/lesson02/reverse.cu\", 17, 4\n\t.file\t2 \"/usr/include/x.h\"\nret;\n"
            .to_string();
        name_files(&mut ptx, |path| file.is_at(path), source_path);
        assert_eq!(ptx, "\t.file\t1 \"cuda/lesson02/reverse.cu\", 17, 4\n\t.file\t2 \"/usr/include/x.h\"\nret;\n");
    }
}
