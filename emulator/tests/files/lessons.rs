//! `lessons/*.run`: kernels of the lessons from their stored PTX, each with small arguments. `// file: reverse` names
//! the kernels' file in `cuda/`; the lines below it are those of a conformance file. `run(in order)` is for that
//! schedule alone.

use crate::machine::{Emulated, Loaded};
use crate::schedules::under_each;
use crate::{files, kernels, read, stem, tests, trial};
use emulator::Policy;
use libtest_mimic::Trial;

/// Beside the lessons' own tests a few schedules are enough.
const SEEDS: u64 = 4;
/// Thread instructions: these need some thousands.
const FUEL: u64 = 1 << 24;

/// A file of a lesson: `lesson02/reverse`, and its stored PTX with the lines that say what to run.
pub struct Program {
    pub name: String,
    pub text: String,
}

/// All of them, lesson by lesson.
pub fn programs() -> Vec<(String, Vec<Program>)> {
    let program = |lesson: &str, block: &str| {
        let (file, runs) = block.split_once('\n').expect("runs below the file's name");
        let name = format!("{lesson}/{}", file.trim());
        let ptx = read(&kernels().join("ptx").join(format!("{name}.ptx")));
        // Behind the PTX, so that its lines keep their numbers.
        Program { text: format!("{ptx}\n{runs}"), name }
    };
    let lesson = |path: &std::path::PathBuf| {
        let (lesson, text) = (stem(path), read(path));
        let programs = text.split("// file:").skip(1).map(|block| program(&lesson, block)).collect();
        (lesson, programs)
    };
    files(&tests().join("lessons"), "run").iter().map(lesson).collect()
}

pub fn machine(loaded: &Loaded, policy: Policy) -> Emulated<'_> {
    let name = if policy == Policy::InOrder { "in order" } else { "out of order" };
    let mut machine = Emulated::checked(loaded, policy, FUEL);
    machine.name = name;
    machine
}

pub fn trials() -> Vec<Trial> {
    let judged = |text| {
        let loaded = Loaded::new(text);
        under_each(SEEDS, |policy| machine(&loaded, policy).check())
    };
    let programs = programs().into_iter().flat_map(|(_, programs)| programs);
    programs.map(|Program { name, text }| trial(format!("lessons/{name}"), move || judged(text))).collect()
}
