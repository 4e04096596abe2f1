//! Checks that the fixes which a lesson tells hold.

use super::{Bench, without_compiler};
use crate::device::context::Patch;
use crate::lesson::again::LessonSubject;
use crate::lesson::run::{self, Scene};
use crate::lesson::tried::{CompiledChange, fixes};
use crate::table::input::Input;
use crate::table::kernel::Kernel;
use crate::table::plan::{self, PlanRequest};
use crate::table::row::Expect;
use emulator::finding::TextEdit;
use kernel_build::{Nvcc, fixed};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use trial::{Batch, Fix, Schedule};

impl Bench {
    /// Every fix that is told of a broken kernel, written into its source and compiled, makes that kernel right and
    /// silent, under schedules that it was not tried with too. `without` names the kernels for which none is told, and
    /// why there is none. Says so where there is no nvcc. `folder` is the lesson's own.
    pub fn assert_fixes_hold(&self, folder: &str, without: &[(&str, &str)]) {
        let nvcc = match Nvcc::find() {
            Ok(nvcc) => nvcc,
            Err(error) => return without_compiler(&error),
        };
        let root = kernel_build::repository_root(Path::new(folder)).unwrap_or_else(|error| panic!("{error}"));
        let rows = self.rows.iter().flat_map(|row| self.kernels(row.name).expect("the table has its own rows"));
        let broken = rows.filter(|kernel| kernel.is_broken() && !kernel.is_refused());
        // To store them takes all.
        let every = if is_updated() { 1 } else { skipped::share(3, 1) };
        let broken: Vec<Kernel> = broken.step_by(every).collect();
        let (mut none, mut stored) = (Vec::new(), BTreeMap::new());
        for kernel in &broken {
            let fix = self.fix(kernel).unwrap_or_else(|error| panic!("{}: {error:#}", kernel.name));
            let Fix::Tried { edits, took_compiler, .. } = fix else {
                none.push(kernel.name.as_str());
                continue;
            };
            let ptx = self.assert_fixed((&nvcc, &root), kernel, &edits);
            let is_stored = kernel.file.fixes.iter().any(|(name, _)| *name == kernel.name);
            if took_compiler || (is_stored && !is_updated()) {
                stored.insert(format!("{}.ptx", kernel.name), ptx);
            }
        }
        let is_tried = |name: &str| broken.iter().any(|kernel| kernel.name == name);
        self.assert_stored(&root, &stored, is_tried);
        let known: Vec<&str> = without.iter().map(|(kernel, _)| *kernel).filter(|name| is_tried(name)).collect();
        assert_eq!(none, known, "kernels for which no fix is told");
    }

    /// Returns the fix that a lesson's own run of a broken kernel tells.
    fn fix(&self, kernel: &Kernel) -> anyhow::Result<Fix> {
        let sample = kernel.row.sample.map(|file| Input::of(file.to_vec()));
        let input = sample.as_ref().map(|sample| sample.bytes.len());
        let request = PlanRequest { n: None, input, schedule: None, seeds: None, is_one_seed: false };
        let plan = plan::emulator(kernel.row, &kernel.name, kernel.variant, &request).map_err(anyhow::Error::msg)?;
        let (scene, job) = (self.scene(kernel, sample.as_ref(), None), kernel.job()?);
        let mut outcome = run::run(&scene, &plan, &mut None, &job)?;
        outcome.sort(kernel.variant.expect().and_then(Expect::slug));
        let compiled = if is_updated() { CompiledChange::Afresh } else { CompiledChange::AsStored };
        fixes(&mut LessonSubject::new(scene, &job), &plan, &mut outcome, compiled);
        let mut told = outcome.findings.into_iter().map(|merged| merged.fix).chain([outcome.fix]);
        Ok(told.find(|fix| matches!(fix, Fix::Tried { .. })).unwrap_or_default())
    }

    fn assert_fixed(&self, (nvcc, root): (&Nvcc, &Path), kernel: &Kernel, edits: &[TextEdit]) -> String {
        let (name, source) = (&kernel.name, kernel.file.source);
        println!(
            "{name}: {:?}",
            report::changes(edits, source).into_iter().map(|it| (it.line, it.code)).collect::<Vec<_>>()
        );
        let text = repair::source::apply(source, edits);
        let ptx = fixed::compile(nvcc, root, kernel.file.source_path, &text);
        let ptx = ptx.unwrap_or_else(|error| panic!("the fix of {name} does not compile: {error}\n{text}"));
        let file = self.library.file_of(name).expect("the lesson has its own kernels");
        let patch = Patch { file, ptx: ptx.clone() };
        let sample = kernel.row.sample.map(|file| Input::of(file.to_vec()));
        let scene = Scene { patch: Some(&patch), ..self.scene(kernel, sample.as_ref(), None) };
        let size = if kernel.row.is_fixed { kernel.row.sizes.slide } else { kernel.row.sizes.seeds };
        for schedule in [Schedule::InOrder, Schedule::Reverse, Schedule::Random, Schedule::Pct, Schedule::Adversarial] {
            let seeds = if schedule.takes_seed() { 1000..1000 + skipped::share(3, 8) } else { 0..1 };
            let batch = Batch { size, schedule, seeds, is_timed: false, keep: None };
            let job = kernel.job().expect("seen above");
            let outcome = run::run(&scene, &[batch], &mut None, &job);
            let outcome = outcome.unwrap_or_else(|error| panic!("the fix of {name}: {error:#}"));
            let found = outcome.real().map(|finding| finding.cause.key()).collect::<Vec<_>>();
            let wrong = outcome.summary.first_wrong;
            assert!(
                found.is_empty() && wrong.is_none(),
                "the fix of {name}, {schedule:?}: {found:?}, {wrong:?}\n{text}"
            );
        }
        ptx
    }

    /// Fixes that took a compiler are stored, so that a lesson tells them where there is none.
    fn assert_stored(&self, root: &Path, ptx: &BTreeMap<String, String>, is_tried: impl Fn(&str) -> bool) {
        let source = self.rows.iter().find_map(|row| Some(self.kernels(row.name).ok()?.first()?.file.source_path));
        let lesson = Path::new(source.expect("a lesson has kernels")).components().nth(1);
        let lesson = lesson.and_then(|lesson| lesson.as_os_str().to_str()).expect("cuda/lesson01/copy.cu has a folder");
        let folder = root.join(fixed::folder(lesson));
        if is_updated() {
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(&folder).expect("the folder can be made");
            ptx.iter().for_each(|(name, text)| fs::write(folder.join(name), text).expect("a file can be written"));
        }
        let there = fixed::list(root, lesson).unwrap_or_else(|error| panic!("{error}"));
        let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let there = there.iter().filter(|path| path.file_stem().and_then(OsStr::to_str).is_some_and(&is_tried));
        let there: BTreeMap<String, String> =
            there.map(|path| (name(path), fs::read_to_string(path).expect("it is there"))).collect();
        let differ: Vec<&String> =
            there.keys().chain(ptx.keys()).filter(|name| there.get(*name) != ptx.get(*name)).collect();
        assert!(differ.is_empty(), "{differ:?}: run this test with UPDATE_FIXES=1 to store them");
    }
}

/// True if the stored fixes are to be made anew.
fn is_updated() -> bool {
    std::env::var_os("UPDATE_FIXES").is_some()
}
