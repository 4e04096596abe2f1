//! The reference at the ends of every range: it must not fault there, and must have no finding.
//!
//! Judging runs the reference with fast checks, on the inputs that an answer gets. Here it runs with all checks where
//! each size is at one of its ends and the drawn values are all at one of theirs. `verify` refuses an exercise whose
//! reference is wrong there. A reference that only accepts, `[reference] accept`, has nothing to accept without an
//! answer and does not run.

use crate::case::Case;
use crate::catalog::Exercise;
use crate::compile::Workshop;
use crate::expression::Sizes;
use crate::spec::{Amount, LaunchDimensions, LaunchSpec, Spec};
use crate::stage::{self, NoRun, RunSettings};
use crate::values::{DRAWN_FROM, HIGHEST, LOWEST};
use emulator::{Checks, Config, Observe, Policy, Program};
use std::sync::Arc;

/// Combinations of the ends of sizes, at most.
const MOST: usize = 16;

/// Returns why the reference is wrong at an end of a range, if it is. The first end at which it is wrong is named.
pub fn problem(exercise: &Exercise, workshop: &mut Workshop) -> Option<String> {
    let spec = &exercise.spec;
    if spec.kind.is_puzzle() {
        return None;
    }
    let reference = spec.reference.as_ref()?;
    let kernel = reference.kernel.as_ref()?;
    let first = || spec.launches.first().map_or(Vec::new(), |launch| launch.args.clone());
    let one = || LaunchDimensions::One(Amount::Whole(1));
    let launch = LaunchSpec {
        kernel: kernel.clone(),
        grid: one(),
        block: one(),
        shared: Amount::Whole(0),
        cooperative: false,
        dependent: false,
        args: reference.args.clone().unwrap_or_else(first),
    };
    // A reference that does not compile is named with the first answer.
    let program = workshop.program(&exercise.check_file(), &spec.compile).ok()?;
    cases(spec).iter().find_map(|case| {
        let why = wrong(&program, spec, &launch, case)?;
        let sizes: Vec<String> = case.sizes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let values = match case.seed {
            LOWEST => say!("ends-lowest"),
            HIGHEST => say!("ends-highest"),
            _ => say!("ends-drawn"),
        };
        let place = sizes.into_iter().chain([values]).collect::<Vec<_>>().join(", ");
        Some(say!("ends-reference", kernel, place, why))
    })
}

/// Every combination of the ends of all sizes, each with all values at their low end and all at their high end.
fn cases(spec: &Spec) -> Vec<Case> {
    let mut all = vec![Sizes::new()];
    for (name, size) in &spec.sizes {
        let with = |sizes: &Sizes, value: i64| {
            let mut sizes = sizes.clone();
            sizes.insert(name.clone(), value);
            sizes
        };
        let (low, high) = size.ends();
        all = all.iter().flat_map(|sizes| [with(sizes, low), with(sizes, high)]).take(MOST).collect();
    }
    let is_drawn = spec.buffers.iter().any(|buffer| buffer.fill.is_drawn());
    let seeds = if is_drawn { &[LOWEST, HIGHEST, DRAWN_FROM][..] } else { &[DRAWN_FROM] };
    all.iter().flat_map(|sizes| seeds.iter().map(|seed| Case { sizes: sizes.clone(), seed: *seed })).collect()
}

/// Returns a few words on a run of the reference that is wrong.
fn wrong(program: &Arc<Program>, spec: &Spec, launch: &LaunchSpec, case: &Case) -> Option<String> {
    let config =
        Config { checks: Checks::Full, policy: Policy::InOrder, workers: 1, fuel: 1 << 30, ..Config::default() };
    let manner = RunSettings { config, observe: Observe::default() };
    let outcome = stage::inputs(spec, &case.sizes, case.seed)
        .and_then(|inputs| stage::run(program, spec, std::slice::from_ref(launch), &inputs, &case.sizes, &manner));
    match outcome.map_err(NoRun::words) {
        Err(why) => Some(why),
        Ok(outcome) => {
            let finding = outcome.findings.first().map(|finding| finding.slug.as_str().to_string());
            finding.or(outcome.fault.map(|fault| say!("fault", name = fault.name())))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exercise(check: &str) -> (tempfile::TempDir, Exercise) {
        let folder = tempfile::tempdir().unwrap();
        let text = "title = 'x'\nkind = 'fix'\nfails = 'answer'\nminutes = 1\nidea = ''\nhints = []\n\
            [sizes]\nn = { from = 1, to = 20 }\nrounds = { from = 0, to = 18 }\n\
            [[buffer]]\nname = 'v'\ntype = 'i32'\nlen = 'n'\nfill = { random = [-1, 16] }\n\
            [[buffer]]\nname = 'out'\ntype = 'i32'\nlen = 16\nfill = 'zero'\ncheck = 'equal'\n\
            [[launch]]\nkernel = 'k'\ngrid = 1\nblock = 32\nargs = ['v', 'out', 'n', 'rounds']\n\
            [reference]\nkernel = 'expected'\n";
        let head = "extern \"C\" __global__ void expected(const int* v, int* out, int n, int rounds)";
        std::fs::write(folder.path().join("check.cu"), format!("{head} {{ {check} }}\n")).unwrap();
        let (path, spec) = (folder.path().to_path_buf(), toml::from_str(text).unwrap());
        (folder, Exercise { name: "01_x/x".into(), folder: path, spec, spanish: None })
    }

    #[test]
    fn a_reference_that_is_wrong_at_an_end_is_named_with_that_end() {
        let mut workshop = Workshop::default();
        if workshop.compiler().is_err() {
            return;
        }
        let mut problem_of = |check: &str| {
            let (_folder, exercise) = exercise(check);
            problem(&exercise, &mut workshop)
        };
        assert_eq!(problem_of("if (n < 17) out[n - 1] = 1;"), None);
        for (check, place) in [
            ("out[n - 1] = 1;", "n = 20, rounds = 0"),
            ("out[(15 - rounds) % 16] = 1;", "n = 1, rounds = 18"),
            ("if (v[0] == 16) out[v[0]] = 1;", "n = 1, rounds = 0, all values are the largest"),
            ("if (v[0] < 0) out[v[0]] = 1;", "n = 1, rounds = 0, all values are the smallest"),
        ] {
            let why = problem_of(check).unwrap();
            assert!(why.contains(place) && why.contains("out-of-bounds"), "{check}: {why}");
        }
    }
}
