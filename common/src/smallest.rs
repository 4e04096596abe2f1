//! Which runs of a trial are worth making smaller: the first with a wrong answer, and the first with each finding that is
//! shown. A student reads a run of two threads sooner than one of a thousand.

use crate::check::Mismatch;
use crate::context::DeviceKind;
use crate::lesson::Lesson;
use crate::module::Kernel;
use crate::outcome::{FirstWrong, Key, Merged, Outcome};
use crate::progress::Progress;
use crate::report::text;
use crate::run_id::RunId;
use crate::shrink::{self, Smallest};
use crate::trial::{self, Run, Scene};
use crate::wrong::Wrong;
use crate::wrote;
use driver::emulator::finding::{Cause, explain_an_answer};
use std::sync::Mutex;

impl Lesson {
    /// True on the emulator, unless `--checks fast` has switched the checks off.
    pub(crate) fn is_checked(&self) -> bool {
        let is_fast = self.options.checks.map(Into::into) == Some(emulator::Checks::Fast);
        self.device.kind == DeviceKind::Emulator && !is_fast
    }

    /// On the emulator, and where all checks were on.
    pub(crate) fn look_for_smaller(
        &self,
        kernel: &Kernel,
        outcome: &mut Outcome,
        job: &(impl Fn(&Run) -> anyhow::Result<()> + Sync),
    ) {
        if !self.is_checked() || self.options.replay.is_some() {
            return;
        }
        let scene = Scene { is_extra: true, ..self.scene(kernel, true, Progress::none()) };
        let mut session = None;
        // A size that the job cannot take is no smaller run.
        let mut run = |attempt: &RunId| trial::run(&scene, &[attempt.clone().batch()], &mut session, job).ok();
        let why = |outcome: &Outcome| outcome.summary.first_wrong.as_ref().map(|first| first.why.clone());
        // A run without an element shows a reader nothing.
        let least = |size| if kernel.row.is_fixed { size } else { kernel.row.least.max(kernel.row.shows_from).max(1) };

        if let Some(FirstWrong { run: first, why: wrong }) = outcome.summary.first_wrong.clone()
            && !wrong.is_stopped()
            && first.size <= trial::FULL_CHECKS_UP_TO
        {
            let least = least(first.size);
            let found = Smallest { run: first.whole(), wrong: Some(wrong) };
            outcome.smallest = Some(shrink::smallest(found, least, |attempt| {
                let wrong = why(&run(attempt)?).filter(|wrong| !wrong.is_stopped())?;
                Some(Smallest { run: attempt.clone(), wrong: Some(wrong) })
            }));
        }
        for merged in outcome.findings.iter_mut().take(text::SHOWN) {
            if !merged.finding.is_error() || merged.run.size > trial::FULL_CHECKS_UP_TO {
                continue;
            }
            let found = Smallest { run: merged.run.clone().whole(), wrong: merged.wrong.clone() };
            let key = Key::of(&merged.finding);
            merged.smallest = Some(shrink::smallest(found, least(merged.run.size), |attempt| {
                let outcome = run(attempt)?;
                let shows = |other: &&Merged| other.finding.is_error() && Key::of(&other.finding) == key;
                outcome.findings.iter().find(shows)?;
                Some(Smallest { run: attempt.clone(), wrong: why(&outcome) })
            }));
        }
    }

    /// Where an answer is wrong and no finding explains it: what else a run of it shows, the smallest that was found.
    pub(crate) fn look_for_hints(
        &self,
        kernel: &Kernel,
        outcome: &mut Outcome,
        job: &(impl Fn(&Run) -> anyhow::Result<()> + Sync),
    ) {
        if self.is_checked() {
            hints(&self.scene(kernel, true, Progress::none()), outcome, job);
        }
    }
}

pub(crate) fn hints(scene: &Scene<'_>, outcome: &mut Outcome, job: &(impl Fn(&Run) -> anyhow::Result<()> + Sync)) {
    let findings: Vec<_> = outcome.findings.iter().map(|merged| merged.finding.clone()).collect();
    let Some(first) = outcome.summary.first_wrong.as_ref() else { return };
    if first.why.is_stopped() || first.run.size > trial::FULL_CHECKS_UP_TO || explain_an_answer(&findings) {
        return;
    }
    let batch = outcome.smallest.as_ref().map_or(first.run.clone(), |smallest| smallest.run.clone()).batch();
    let trace = Mutex::new(None);
    let extra = || Scene { is_extra: true, progress: Progress::none(), ..*scene };
    let run = |scene: &Scene| trial::run(scene, std::slice::from_ref(&batch), &mut None, job);
    // A run that cannot be made again has nothing to say.
    let Ok(seen) = run(&Scene { hints: true, trace: Some(&trace), ..extra() }) else { return };
    outcome.note(seen.notes.clone());
    let trace = trace.into_inner().expect("no worker panics while it holds this");
    let wrong = seen.summary.first_wrong.as_ref().map(|first| first.why.clone());
    if let (Some(trace), Some(Wrong::Answer(Mismatch { at: Some(at), .. }))) = (trace, wrong)
        && findings.is_empty()
    {
        outcome.wrote = wrote::last(&trace, &at);
    }
    if outcome.notes.iter().all(|note| matches!(note.cause, Cause::ShuffleBeyond { .. })) && !outcome.notes.is_empty() {
        let suspected = run(&Scene { suspects_own: true, ..extra() });
        let known: Vec<Key> = seen.findings.iter().map(|merged| Key::of(&merged.finding)).collect();
        outcome.notes_matter = suspected.ok().map(|seen| seen.real().any(|found| !known.contains(&Key::of(found))));
    }
}
