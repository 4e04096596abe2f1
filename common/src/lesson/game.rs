//! The data that a page needs to make runs of a lesson's kernel by itself.

use crate::lesson::again::LessonSubject;
use crate::lesson::run::Run;
use crate::table::kernel_file::KernelFile;
use crate::table::row::Variant;
use emulator::{Observe, Recording};
use report::Source;
use tell::game::{Game, fits, only_reads, reads};
use trial::{Batch, Kept};

/// The game of a traced run. `is_right` says what the lesson says of its answer.
pub(crate) fn of<J: Fn(&Run) -> anyhow::Result<()> + Sync>(
    again: &mut LessonSubject<J>,
    batch: &Batch,
    is_right: bool,
) -> Option<Game> {
    let recording = recorded(again, batch).filter(fits)?;
    let reads = reads(&recording, batch.policy(batch.seeds.start))?;
    let expected = expected(again, batch).filter(|expected| (*expected == reads) == is_right);
    let file = again.scene.kernel.file;
    let KernelFile { source_path: path, source: text, .. } = file;
    let game = Game::of(recording, Source { path, text }, &|path| file.is_at(path), expected);
    Some(match &batch.keep {
        Some(Kept::Made(choices)) => game.after(choices.clone()),
        _ => game,
    })
}

/// Returns the bytes that the host reads from the row's correct kernel, if they are the same under every schedule.
fn expected<J: Fn(&Run) -> anyhow::Result<()> + Sync>(
    again: &mut LessonSubject<J>,
    batch: &Batch,
) -> Option<Vec<Vec<u8>>> {
    let kernel = again.scene.kernel;
    let (name, variant) = match kernel.variant {
        Variant::Correct => (kernel.name.clone(), kernel.variant),
        _ => kernel.row.kernels().into_iter().find(|(_, variant)| *variant == Variant::Correct)?,
    };
    let correct = again.scene.library.kernel(kernel.row, name, variant).ok()?;
    // Choices that were made for another kernel need not fit.
    only_reads(&recorded(&mut again.of(&correct), &Batch { keep: None, ..batch.clone() })?)
}

fn recorded<J: Fn(&Run) -> anyhow::Result<()> + Sync>(
    again: &mut LessonSubject<J>,
    batch: &Batch,
) -> Option<Recording> {
    let observe = Observe { records: true, ..Observe::default() };
    again.runs(batch, observe, None).ok()?.observed.recording
}
