//! CUDA programs as nvcc compiles them: the examples of `--explain` (`cuda/explain/`) and of reports (`cuda/reports/`)
//! from stored PTX. Code of CUDA's own headers (`cuda/headers/`), from `-O3` and from `-G`, and of CUB and libcu++
//! (`cuda/cccl/`) is compiled where nvcc is: its PTX is not stored, since no lesson runs it. `lab/proofs/` runs it.
//!
//! A `.cu` file says with `// run:` lines, in the manner of the conformance files, which kernels to launch and what
//! must come of it; each run happens under every schedule. A file that is nothing but an `#include` of another, with
//! other flags, is run by the other's lines.
//!
//! Code of `-G` goes through the same steps as that of `-O3`, in several times as many instructions. What it adds is
//! how it does them (calls, values in local memory, other lines), which any schedule shows; so it gets a quarter of the
//! seeds. `SEEDS=16` gives all files 16 of each schedule.

use crate::machine::{Emulated, Loaded};
use crate::schedules::policies;
use crate::{files, kernels, plain, read, stem, trial};
use emulator::finding::{Access, Cause, Distance, Finding, Missing, Polled, Relation, Slug};
use emulator::{Device, HostMemory, HostOrder, LaunchConfig, Policy, Profile, Program};
use kernel_build::{KernelSource, Nvcc};
use libtest_mimic::Trial;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const SEEDS: u64 = 16;

/// Thread instructions: a loop of compare-and-swaps without optimisation needs some millions, where all threads
/// contend.
const FUEL: u64 = 1 << 26;

/// The sources of a folder of `cuda/` whose PTX is stored, by name, each with the lines that say what to run and that
/// PTX.
pub fn programs(folder: &str) -> Vec<(String, String)> {
    let program = |path: &PathBuf| {
        let name = stem(path);
        let ptx = read(&kernels().join(format!("ptx/{folder}/{name}.ptx")));
        (name, runs(path) + &ptx)
    };
    files(&kernels().join(folder), "cu").iter().filter(|path| varied(path).is_none()).map(program).collect()
}

/// The lines of a source that say what to run.
fn runs(path: &Path) -> String {
    let text = read(&varied(path).unwrap_or(path.to_path_buf()));
    text.lines().take_while(|line| line.starts_with("//")).map(|line| format!("{line}\n")).collect()
}

/// The file that this one is, with other flags.
fn varied(path: &Path) -> Option<PathBuf> {
    let text = read(path);
    let included = text.lines().find_map(|line| line.strip_prefix("#include \"")?.strip_suffix('"'));
    included.filter(|other| other.ends_with(".cu")).map(|other| path.with_file_name(other))
}

/// Judges a source that nvcc compiles now; without one the test `test` is skipped.
fn judge_compiled(test: &str, path: &Path, judge: Judge) -> Result<(), String> {
    let nvcc = match Nvcc::find() {
        Ok(nvcc) => nvcc,
        Err(error) => {
            skipped::because_in(test, skipped::CUDA_COMPILER, &error.to_string());
            return Ok(());
        }
    };
    let root = kernel_build::repository_root(&kernels()).map_err(|error| error.to_string())?;
    let folder = path.parent().and_then(Path::file_name).expect("a folder of kernels");
    let source = Path::new("cuda").join(folder).join(path.file_name().expect("a file"));
    let compiled = KernelSource::read(&root, &source).and_then(|source| nvcc.compile(&root, &source));
    judge(stem(path), runs(path) + &compiled.map_err(|error| error.to_string())?.ptx)
}

pub type Judge = fn(String, String) -> Result<(), String>;

/// Runs a file on each schedule; `look` sees what each run found, and the run's number.
pub fn judge(name: &str, text: String, seeds: u64, mut look: impl FnMut(usize, &[Finding])) -> Result<(), String> {
    let asked = std::env::var("SEEDS").ok().map(|seeds| seeds.parse().expect("SEEDS is a number"));
    let seeds = asked.unwrap_or(if name.ends_with("_debug") { seeds.div_ceil(4) } else { seeds });
    let loaded = Loaded::new(text);
    let mut bad = Vec::new();
    for (number, policy) in policies(seeds).enumerate() {
        let mut machine = Emulated::checked(&loaded, policy.clone(), FUEL);
        let said = machine.check();
        if !said.is_empty() {
            bad.push(format!("{policy:?}: {}", said.join("; ")));
        }
        look(number, &machine.findings);
    }
    let Some(first) = bad.first() else { return Ok(()) };
    Err(format!("under {} schedules; {first}", bad.len()))
}

/// Lines of `cuda/reports/called.cu` that end in `mark`.
fn marked(mark: &str) -> Vec<u32> {
    let text = read(&kernels().join("reports/called.cu"));
    text.lines().zip(1..).filter(|(line, _)| line.contains(mark)).map(|(_, number)| number).collect()
}

/// An access in a function names the user's line and its callers.
fn called(name: &str, findings: &[Finding]) {
    let line = |access: &Access| access.location.as_ref().map_or(0, |place| place.line);
    let callers = |access: &Access| access.called_from.iter().map(|place| place.line).collect::<Vec<_>>();
    for finding in findings {
        let [a, b] = &finding.accesses[..] else { panic!("{name}: {finding:#?}") };
        if finding.kernel == "own_function" {
            assert_eq!([line(a), line(b)], [marked("// (1) (2)")[0]; 2], "{name}: {finding:#?}");
            let from = [marked("// from (1)"), marked("// from (2)")];
            assert!(from.contains(&callers(a)) && from.contains(&callers(b)), "{name}: {finding:#?}");
        } else {
            let own = [marked("// (1)")[1], marked("// (2) (2)")[0]];
            assert!(own.contains(&line(a)) && own.contains(&line(b)), "{name}: {finding:#?}");
            assert!(callers(a).is_empty() && callers(b).is_empty(), "{name}: {finding:#?}");
        }
    }
}

/// The line of `cuda/reports/half_mended.cu` that ends in `mark`, inside `kernel`.
fn marked_in(kernel: &str, mark: &str) -> usize {
    let text = read(&kernels().join("reports/half_mended.cu"));
    let mut lines = text.lines().zip(1..).skip_while(|(line, _)| !line.contains(&format!("void {kernel}(")));
    lines.find(|(line, _)| line.ends_with(mark)).expect("a marked line").1
}

/// A kernel with one of two fences is told which is missing and where.
fn half_mended(text: String) -> Result<(), String> {
    // A student's report shows the first run, which is in order.
    let mut told = 0;
    judge("half_mended", text, SEEDS, |nth, findings| {
        for finding in findings {
            let (kernel, fix) = (&finding.kernel, report::fix(finding, &report::Reader::default()));
            let line = |mark| marked_in(kernel, mark);
            let is_lock = kernel.starts_with("lock");
            let wanted = match kernel.as_str() {
                "flag_without_fence_of_writer" | "lock_without_fence_after" => format!(
                    "`__threadfence()` between lines {} and {}, in the thread that {}",
                    line("// data"),
                    line("// set"),
                    if is_lock { "releases the lock" } else { "sets the flag" }
                ),
                "flag_without_fence_of_reader" | "lock_without_fence_before" => format!(
                    "`__threadfence()` after line {}, in the thread that {}",
                    line("// look"),
                    if is_lock { "takes the lock" } else { "sees the flag" }
                ),
                _ => {
                    let narrow = format!(": the fence in line {} applies within its own block only", line("// narrow"));
                    let message = report::message(finding, &report::Reader::default());
                    assert!(message.ends_with(&narrow), "{kernel}: {message}");
                    "give it device scope: `__threadfence()` in place of `__threadfence_block()`".to_string()
                }
            };
            // Between lanes of one warp the advice on locks is general.
            let general = "an atomic operation, or one element per thread and a combined result at the end";
            if nth == 0 || !is_lock || fix != general {
                assert_eq!(fix, wanted, "{kernel}");
                told += 1;
            }
        }
    })?;
    assert!(told >= 6 * 25, "only {told} of 300 were exact");
    Ok(())
}

/// On every schedule errors name the reason whose fix makes the kernel right.
fn reasons(findings: &[Finding]) {
    for finding in findings.iter().filter(|finding| finding.is_error()) {
        let Cause::Unordered(race) = &finding.cause else { panic!("{finding:#?}") };
        let Relation::Threads(between) = &race.relation else { panic!("{finding:#?}") };
        let is_it = match finding.kernel.as_str() {
            "place_looked_for" => between.polled.is_none(),
            // The widest pair of threads is told, whoever comes first.
            "job_not_waited_for" => between.missing.is_none() && race.distance == Distance::Block,
            // A thread that left because of this race is none.
            "left_by_what_it_read" => match &between.missing {
                Some(Missing::NextRound { at_end, .. }) => *at_end,
                other => other.is_none(),
            },
            "held_in_each_round" => between.one_access && !between.in_loop,
            "two_arrays_of_one_size" => between.two_arrays,
            "flag_set_plainly" => between.strong.is_some() && between.polled == Some(Polled::Again),
            _ => between.in_branches && between.in_loop,
        };
        assert!(is_it, "{finding:#?}");
    }
}

/// Checks that a value which atomic operations hand on without fences is missed under an adverse schedule alone.
fn handed_on(text: String) -> Result<(), String> {
    let loaded = Loaded::new(text);
    let text = &loaded.text;
    let run = |line: &str| {
        let number: usize = line.strip_prefix("line ")?.split(':').next()?.parse().ok()?;
        text.lines().nth(number - 1)?.split_once("kernel=")?.1.split(' ').next()
    };
    let all = text.lines().filter_map(|line| line.split_once("kernel=")?.1.split(' ').next());
    let all: BTreeSet<&str> = all.filter(|kernel| kernel.contains("_without_")).collect();
    let mut wrong = BTreeSet::new();
    // The number of runs that show it differs: two fences are missing, or one.
    let more = (SEEDS..64 * SEEDS).map(|seed| Policy::Adversarial { seed });
    for (nth, policy) in policies(SEEDS).chain(more).enumerate() {
        if nth > 4 * SEEDS as usize && wrong == all {
            break;
        }
        let mut machine = Emulated::checked(&loaded, policy.clone(), FUEL);
        for line in machine.check() {
            let kernel = run(&line).unwrap_or_else(|| panic!("{line}"));
            assert!(matches!(policy, Policy::Adversarial { .. }) && kernel.contains("_without_"), "{policy:?}: {line}");
            wrong.insert(kernel);
        }
        assert!(machine.findings.is_empty(), "{policy:?}: {:#?}", machine.findings);
    }
    assert_eq!(wrong, all);
    Ok(())
}

/// Each page of `docs/explain/` with an example, and its `cuda` blocks.
fn pages() -> Vec<(&'static str, String, Vec<String>)> {
    let page = |slug: &'static str| {
        let text = read(&kernels().join(format!("../docs/explain/{slug}.md")));
        let blocks = text.split("```cuda\n").skip(1).map(|rest| rest.split("```").next().unwrap_or("").to_string());
        let blocks = blocks.collect();
        (slug, text, blocks)
    };
    // A name that is no finding has a page, too.
    Slug::ALL.into_iter().map(Slug::as_str).chain(["wrong-result"]).map(page).collect()
}

fn every_slug_has_a_page_whose_code_is_what_the_tests_run() {
    for (slug, text, blocks) in pages() {
        assert!(text.starts_with(&format!("# {slug}\n\n")), "{slug} opens with another name");
        for part in ["**The rule.**", "**Why a GPU hides it.**", "**How to fix it.**"] {
            assert!(text.contains(part), "{slug} has no `{part}`");
        }
        let source = kernels().join(format!("explain/{}.cu", slug.replace('-', "_")));
        if !source.exists() {
            // Nothing is found under this name yet, and the page says so.
            assert!(text.contains("reports nothing under this name"), "{slug} has no example");
            continue;
        }
        let source = read(&source);
        assert!(!blocks.is_empty(), "{slug} shows no code");
        for block in blocks {
            assert!(source.contains(&block), "{slug} shows code that no test runs:\n{block}");
        }
    }
}

fn a_freed_buffer_is_reported_and_a_live_one_is_not() {
    let program = Arc::new(Program::from_ptx(&[&read(&kernels().join("ptx/explain/use_after_free.ptx"))]).unwrap());
    for freed in [true, false] {
        let mut device = Device::new(Profile::default());
        let module = device.load(&program).unwrap();
        let data = device.allocate(256, HostMemory::Device).unwrap();
        if freed {
            device.free(data).unwrap();
        }
        let shape =
            LaunchConfig { grid: [1; 3], block: [64, 1, 1], dynamic_shared: 0, cooperative: false, cluster: None };
        let report = device.launch(&module, 0, &shape, &data.to_le_bytes(), &HostOrder::default()).unwrap();
        let slugs: Vec<Slug> = report.findings.iter().map(|finding| finding.slug).collect();
        assert_eq!(slugs, if freed { vec![Slug::UseAfterFree] } else { vec![] });
    }
}

/// Seeds of files without counts to be kept.
pub fn few() -> u64 {
    skipped::share(SEEDS / 4, SEEDS)
}

fn report(name: String, text: String) -> Result<(), String> {
    match name.as_str() {
        "half_mended" => half_mended(text),
        "handed_on" => handed_on(text),
        "reasons" => judge(&name, text, few(), |_, findings| reasons(findings)),
        _ => judge(&name, text, few(), |_, findings| called(&name, findings)),
    }
}

/// Trials that compile each of `paths`, all of one folder, and judge what nvcc makes of it.
pub fn compiled(folder: &'static str, paths: Vec<PathBuf>, judge: Judge) -> impl Iterator<Item = Trial> {
    paths.into_iter().map(move |path| {
        let name = format!("cuda/{folder}/{}", stem(&path));
        trial(name.clone(), move || judge_compiled(&name, &path, judge))
    })
}

pub fn trials() -> Vec<Trial> {
    let stored = |folder: &'static str, judge: Judge| {
        let programs = programs(folder).into_iter();
        programs.map(move |(name, text)| trial(format!("cuda/{folder}/{name}"), move || judge(name, text)))
    };
    let variants = files(&kernels().join("reports"), "cu").into_iter().filter(|path| varied(path).is_some()).collect();
    let explain = stored("explain", |name, text| judge(&name, text, few(), |_, _| ()));
    let reports = compiled("reports", variants, report).chain(stored("reports", report));
    let mut trials: Vec<Trial> = reports.chain(explain).collect();
    trials.push(plain("cuda/every_slug_has_a_page", every_slug_has_a_page_whose_code_is_what_the_tests_run));
    trials.push(plain("cuda/a_freed_buffer_is_reported", a_freed_buffer_is_reported_and_a_live_one_is_not));
    trials
}
