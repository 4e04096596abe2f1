//! CUDA programs from nvcc's stored PTX: the examples of `--explain` (`cuda/explain/`), code of CUDA's own headers
//! (`cuda/headers/`), from `-O3` and from `-G`, and of CUB and libcu++ (`cuda/cccl/`).
//!
//! A `.cu` file says with `// run:` lines, in the manner of the conformance files, which kernels to launch and what must
//! come of it; each run happens under every schedule. A file that is nothing but an `#include` of another, with other
//! flags, is run by the other's lines.
//!
//! Code of `-G` goes through the same steps as that of `-O3`, in several times as many instructions. What it adds is how it does them (calls, values
//! in local memory, other lines), which any schedule shows; so it gets a quarter of the seeds. `SEEDS=16` gives all
//! files 16 of each schedule.

mod support;

use conformance::{Job, Machine, Outcome, Parameter};
use emulator::finding::{Access, Finding, Slug};
use emulator::{Checks, Config, Device, LaunchConfig, LaunchError, Order, Place, Policy, Profile, Program};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use support::{fault_name, finding_name, policies, read};

const SEEDS: u64 = 16;

/// Thread instructions: a loop of compare-and-swaps without optimisation needs some millions, where all threads contend.
const FUEL: u64 = 1 << 26;

struct Checked {
    policy: Policy,
    findings: Vec<Finding>,
}

impl Machine for Checked {
    fn name(&self) -> &'static str {
        "emulator"
    }

    fn run(&mut self, job: &Job) -> Result<Outcome, String> {
        let said = |error: &dyn std::fmt::Debug| format!("{error:?}");
        let mut device = Device::new(Profile::default());
        device.configure(Config { checks: Checks::Full, policy: self.policy.clone(), workers: 1, fuel: FUEL });
        let program = Arc::new(Program::from_ptx(&[job.ptx]).map_err(|error| said(&error))?);
        let module = device.load(&program).map_err(|error| said(&error))?;
        let kernel = program.kernels().iter().position(|kernel| kernel.name == job.kernel);
        let kernel = kernel.ok_or(format!("there is no kernel `{}`", job.kernel))?;
        let declared = &program.kernels()[kernel].parameters;
        let order = Order::default();
        let mut block = vec![0; program.kernels()[kernel].parameter_bytes as usize];
        let mut buffers = Vec::new();
        for (parameter, declared) in job.parameters.iter().zip(declared) {
            let value = match parameter {
                Parameter::Scalar(value) => value.clone(),
                Parameter::Buffer { bytes, defined, reads } => {
                    let address = device.allocate(bytes.len() as u64, Place::Device).map_err(|error| said(&error))?;
                    device.write(address, bytes, &order).map_err(|error| said(&error))?;
                    if !defined {
                        device.mark_undefined(address, bytes.len() as u64).map_err(|error| said(&error))?;
                    }
                    buffers.push((address, bytes.clone(), reads.clone()));
                    address.to_le_bytes().to_vec()
                }
            };
            block[declared.offset as usize..][..value.len()].copy_from_slice(&value);
        }
        let shape =
            LaunchConfig { grid: job.grid, block: job.block, dynamic_shared: job.shared, cooperative: job.cooperative };
        let report = match device.launch(&module, kernel, &shape, &block, &order) {
            Ok(report) => report,
            Err(LaunchError::Unsupported(what)) => return Ok(Outcome::Refused(what.what)),
            Err(LaunchError::CooperativeTooLarge(why)) => return Ok(Outcome::Refused(why)),
            Err(other) => return Err(said(&other)),
        };
        let mut findings = report.findings;
        for (address, bytes, reads) in buffers.iter_mut().filter(|_| report.fault.is_none()) {
            for range in reads {
                let found = device.read(*address + range.start as u64, &mut bytes[range.clone()], &order);
                findings.extend(found.map_err(|error| said(&error))?);
            }
        }
        let mut names: Vec<String> = findings.iter().map(finding_name).collect();
        // No program here means to have any.
        names.extend(report.notes.iter().map(|note| format!("note: {}", note.message)));
        names.sort();
        names.dedup();
        self.findings.extend(findings);
        Ok(Outcome::Ran {
            buffers: buffers.into_iter().map(|(_, bytes, _)| bytes).collect(),
            printed: None,
            fault: report.fault.as_ref().map(fault_name),
            findings: names,
        })
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The sources of a folder of `cuda/`, by name, each with the lines that say what to run and its stored PTX.
fn programs(folder: &str) -> Vec<(String, String)> {
    let mut list = Vec::new();
    for entry in std::fs::read_dir(root().join("cuda").join(folder)).expect("the folder is there") {
        let path = entry.expect("readable").path();
        if path.extension().is_none_or(|extension| extension != "cu") {
            continue;
        }
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = read(&path);
        let included = text.lines().find_map(|line| line.strip_prefix("#include \"")?.strip_suffix('"'));
        let included = included.filter(|_| !text.contains("// run"));
        let runs = included.map_or(text.clone(), |other| read(&path.with_file_name(other)));
        let runs: String =
            runs.lines().take_while(|line| line.starts_with("//")).map(|line| format!("{line}\n")).collect();
        let ptx = read(&root().join(format!("cuda/ptx/{folder}/{name}.ptx")));
        list.push((name, runs + &ptx));
    }
    list.sort();
    list
}

/// Runs the files of `folder` whose names begin with `wanted`.
fn judge(folder: &str, begin: &str, seeds: u64) -> Vec<(String, Vec<Finding>)> {
    let wanted = std::env::var("FINDINGS").unwrap_or_default();
    let asked = std::env::var("SEEDS").ok().map(|seeds| seeds.parse().expect("SEEDS is a number"));
    let mut failures = Vec::new();
    let mut found = Vec::new();
    for (name, text) in
        programs(folder).into_iter().filter(|(name, _)| name.starts_with(begin) && name.contains(&wanted))
    {
        let mut bad = Vec::new();
        let is_debug = name.ends_with("_debug");
        let seeds = asked.unwrap_or(if is_debug { seeds.div_ceil(4) } else { seeds });
        for policy in policies(seeds) {
            let mut machine = Checked { policy: policy.clone(), findings: Vec::new() };
            if let Err(lines) = conformance::check(&text, &mut machine) {
                bad.push(format!("{policy:?}: {}", lines.join("; ")));
            }
            found.push((name.clone(), machine.findings));
        }
        if let Some(first) = bad.first() {
            failures.push(format!("{name} under {} schedules; {first}", bad.len()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    found
}

#[test]
fn cuda_headers_raise_no_alarm() {
    // A run that names no finding must have none.
    judge("headers", "", SEEDS);
}

#[test]
fn cub_and_libcu_raise_no_alarm() {
    // These are long.
    judge("cccl", "", SEEDS / 4);
}

/// Lines of `cuda/reports/called.cu` that end in `mark`.
fn marked(mark: &str) -> Vec<u32> {
    let text = read(&root().join("cuda/reports/called.cu"));
    text.lines().zip(1..).filter(|(line, _)| line.contains(mark)).map(|(_, number)| number).collect()
}

#[test]
fn an_access_in_a_function_names_the_users_line_and_its_callers() {
    let line = |access: &Access| access.location.as_ref().map_or(0, |place| place.line);
    let callers = |access: &Access| access.called_from.iter().map(|place| place.line).collect::<Vec<_>>();
    for (name, findings) in judge("reports", "called", SEEDS) {
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
}

/// The line of `cuda/reports/half_mended.cu` that ends in `mark`, inside `kernel`.
fn marked_in(kernel: &str, mark: &str) -> usize {
    let text = read(&root().join("cuda/reports/half_mended.cu"));
    let mut lines = text.lines().zip(1..).skip_while(|(line, _)| !line.contains(&format!("void {kernel}(")));
    lines.find(|(line, _)| line.ends_with(mark)).expect("a marked line").1
}

#[test]
fn a_kernel_with_one_of_two_fences_is_told_which_is_missing_and_where() {
    // A student's report shows the first run, which is in order.
    let mut told = 0;
    for (nth, (_, findings)) in judge("reports", "half_mended", SEEDS).into_iter().enumerate() {
        for Finding { kernel, help, .. } in findings {
            let line = |mark| marked_in(&kernel, mark);
            let wanted = match kernel.as_str() {
                "flag_without_fence_of_writer" | "lock_without_fence_after" => format!(
                    "put a `__threadfence()` between lines {} and {}, in the thread that sets the flag or counter, or \
                     gives the lock back, there",
                    line("// data"),
                    line("// set")
                ),
                "flag_without_fence_of_reader" | "lock_without_fence_before" => format!(
                    "put a `__threadfence()` behind line {}, where the flag or lock is seen, in the thread that sees it",
                    line("// look")
                ),
                _ => format!(
                    "give the fence in line {} device scope: `__threadfence()` for `__threadfence_block()`; a flag or lock \
                     between blocks needs it on both sides",
                    line("// narrow")
                ),
            };
            // Between lanes of one warp the advice on locks is general.
            let general = "use an atomic operation, or give each thread its own place and combine them later; a lock around this \
                           line needs a `__threadfence()` after it is taken and one before it is given back";
            if nth == 0 || !kernel.starts_with("lock") || help != general {
                assert_eq!(help, wanted, "{kernel}");
                told += 1;
            }
        }
    }
    assert!(told >= 6 * 25, "only {told} of 300 were exact");
}

#[test]
fn what_atomic_operations_hand_on_without_fences_is_missed_under_an_adverse_schedule_alone() {
    let programs = programs("reports");
    let (_, text) = programs.iter().find(|(name, _)| name == "handed_on").expect("the file is there");
    let run = |line: &str| {
        let number: usize = line.strip_prefix("line ")?.split(':').next()?.parse().ok()?;
        text.lines().nth(number - 1)?.split_once("kernel=")?.1.split(' ').next()
    };
    let all = text.lines().filter_map(|line| line.split_once("kernel=")?.1.split(' ').next());
    let all: BTreeSet<&str> = all.filter(|kernel| kernel.contains("_without_")).collect();
    let mut wrong = BTreeSet::new();
    // How often it shows differs: two fences are missing, or one.
    let more = (SEEDS..64 * SEEDS).map(|seed| Policy::Adversarial { seed });
    for (nth, policy) in policies(SEEDS).chain(more).enumerate() {
        if nth > 4 * SEEDS as usize && wrong == all {
            break;
        }
        let mut machine = Checked { policy: policy.clone(), findings: Vec::new() };
        for line in conformance::check(text, &mut machine).err().unwrap_or_default() {
            let kernel = run(&line).unwrap_or_else(|| panic!("{line}"));
            assert!(matches!(policy, Policy::Adversarial { .. }) && kernel.contains("_without_"), "{policy:?}: {line}");
            wrong.insert(kernel);
        }
        assert!(machine.findings.is_empty(), "{policy:?}: {:#?}", machine.findings);
    }
    assert_eq!(wrong, all);
}

#[test]
fn what_explain_shows_is_as_it_says() {
    judge("explain", "", SEEDS);
}

/// Each page of `docs/explain/` with an example, and its `cuda` blocks.
fn pages() -> Vec<(&'static str, String, Vec<String>)> {
    let page = |slug: &'static str| {
        let text = read(&root().join(format!("docs/explain/{slug}.md")));
        let blocks = text.split("```cuda\n").skip(1).map(|rest| rest.split("```").next().unwrap_or("").to_string());
        let blocks = blocks.collect();
        (slug, text, blocks)
    };
    // What is no finding has a page, too.
    Slug::ALL.into_iter().map(Slug::as_str).chain(["wrong-result"]).map(page).collect()
}

#[test]
fn every_slug_has_a_page_whose_code_is_what_the_tests_run() {
    for (slug, text, blocks) in pages() {
        assert!(text.starts_with(&format!("# {slug}\n\n")), "{slug} opens with another name");
        for part in ["**The rule.**", "**Why a GPU hides it.**", "**How to mend it.**"] {
            assert!(text.contains(part), "{slug} has no `{part}`");
        }
        let source = root().join(format!("cuda/explain/{}.cu", slug.replace('-', "_")));
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

#[test]
fn a_freed_buffer_is_reported_and_a_live_one_is_not() {
    let program = Arc::new(Program::from_ptx(&[&read(&root().join("cuda/ptx/explain/use_after_free.ptx"))]).unwrap());
    for freed in [true, false] {
        let mut device = Device::new(Profile::default());
        let module = device.load(&program).unwrap();
        let data = device.allocate(256, Place::Device).unwrap();
        if freed {
            device.free(data).unwrap();
        }
        let shape = LaunchConfig { grid: [1; 3], block: [64, 1, 1], dynamic_shared: 0, cooperative: false };
        let report = device.launch(&module, 0, &shape, &data.to_le_bytes(), &Order::default()).unwrap();
        let slugs: Vec<Slug> = report.findings.iter().map(|finding| finding.slug).collect();
        assert_eq!(slugs, if freed { vec![Slug::UseAfterFree] } else { vec![] });
    }
}
