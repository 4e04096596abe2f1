//! A kernel of a lesson with its job, for runs beside the trial's own: smaller ones, traced ones, with a fix tried.

use crate::device::context::{Patch, Session};
use crate::lesson::progress::RunsProgress;
use crate::lesson::run::{self, Run, Scene};
use crate::table::kernel::Kernel;
use emulator::Observe;
use std::slice;
use trial::{Batch, Outcome, Subject};

pub struct LessonSubject<'a, J> {
    pub scene: Scene<'a>,
    job: &'a J,
    /// Stays open for runs that differ in nothing but size, schedule and seed.
    session: Option<Session>,
}

impl<'a, J: Fn(&Run) -> anyhow::Result<()> + Sync> LessonSubject<'a, J> {
    pub fn new(scene: Scene<'a>, job: &'a J) -> LessonSubject<'a, J> {
        LessonSubject {
            scene: Scene { is_extra: true, captures_output: true, progress: RunsProgress::none(), ..scene },
            job,
            session: None,
        }
    }

    /// Another kernel of the same row.
    pub fn of<'b>(&'b self, kernel: &'b Kernel) -> LessonSubject<'b, J> {
        LessonSubject::new(Scene { kernel, progress: RunsProgress::none(), ..self.scene }, self.job)
    }

    /// The runs of a batch, and what keeps them from being made.
    pub fn runs(&mut self, batch: &Batch, observe: Observe, ptx: Option<&str>) -> anyhow::Result<Outcome> {
        let file = self.scene.library.file_of(&self.scene.kernel.name)?;
        let patch = ptx.map(|ptx| Patch { file, ptx: ptx.to_string() });
        let scene = Scene { observe, patch: patch.as_ref(), progress: RunsProgress::none(), ..self.scene };
        let is_plain = observe == Observe::default() && patch.is_none();
        let session = if is_plain { &mut self.session } else { &mut None };
        run::run(&scene, slice::from_ref(batch), session, self.job)
    }
}

impl<J: Fn(&Run) -> anyhow::Result<()> + Sync> Subject for LessonSubject<'_, J> {
    fn run(&mut self, batch: &Batch, observe: Observe, ptx: Option<&str>) -> Option<Outcome> {
        self.runs(batch, observe, ptx).ok()
    }
}
