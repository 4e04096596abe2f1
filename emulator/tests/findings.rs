//! The table of what is and is not a finding (`docs/findings.md`), line by line: each line is a pair of
//! small PTX programs, `tests/fail/<slug>/<name>.ptx` and its near miss `tests/pass/<name>.ptx`.
//!
//! Headers are those of the conformance files, and three things more:
//!
//! - `// host: ...` says what the host does where it is not one launch: steps with commas between,
//!   `launch [kernel]`, `memset x`, `copy x to y` (each with `unordered` behind it where it is in a second
//!   stream), `free x`.
//! - `// (1)` and `// (2)` at the end of instructions mark the lines that a finding must name,
//!   all of them and no others.
//! - `// source: 12 15` says the same by the lines that `.loc` gives.

mod support;

use conformance::{Job, Machine, Outcome, Parameter};
use emulator::finding::{Finding, Slug};
use emulator::{Checks, Config, Device, LaunchConfig, LaunchError, Order, Place, Policy, Profile, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use support::{fault_name, finding_name, policies, read};

/// Random schedules by seed, beside the one in order.
const SEEDS: u64 = 32;

/// Thread instructions: the programs need some thousands, unless a schedule lets them spin for a while. One that never
/// ends is proven to do so long before.
const FUEL: u64 = 1 << 24;

struct Checked {
    policy: Policy,
    findings: Vec<Finding>,
}

impl Checked {
    fn new(policy: Policy) -> Checked {
        Checked { policy, findings: Vec::new() }
    }
}

/// Which code is cooperative groups' own is told by its file alone: the instructions may be anyone's.
#[test]
fn only_a_header_of_the_toolkit_may_take_its_shuffles_for_order() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fail/race-shared/acquired_by_one_lane.ptx");
    let text = read(&path);
    for (file, is_theirs) in [
        ("/opt/cuda/include/cooperative_groups/details/memory.h", true),
        ("/course/include/cooperative_groups_lab.cuh", false),
        ("/course/cooperative_groups/include/tiles.cuh", false),
        ("/course/cooperative_groups.cu", false),
    ] {
        let located = text.replacen("    ld.param", "    .loc 1 10 1\n    ld.param", 1);
        let located = format!("{located}\n.file 1 \"{file}\"\n");
        assert!(located.contains(".loc 1 10 1"), "the program begins otherwise");
        let mut machine = Checked::new(Policy::InOrder);
        let said = conformance::check(&located, &mut machine);
        // The program says of itself that it races.
        assert_eq!(said.is_err(), is_theirs, "{file}: {said:?}");
        assert_eq!(machine.findings.is_empty(), is_theirs, "{file}");
    }
}

/// What the host does, in order.
fn steps(ptx: &str) -> Vec<Vec<&str>> {
    let script = ptx.lines().find_map(|line| line.strip_prefix("// host:")).unwrap_or("launch");
    script.split(',').map(|step| step.split_whitespace().collect()).collect()
}

/// The place of the next operation in a stream (1 or 2); operations of one stream follow each other.
fn next(clocks: &mut [u32; 3], stream: usize) -> Order {
    clocks[stream] += 1;
    let mut clock = vec![clocks[0], 0, 0];
    clock[stream] = clocks[stream];
    Order { agent: stream as u32, clock }
}

/// What the host does itself, after it has waited for both streams.
fn host(clocks: &mut [u32; 3]) -> Order {
    clocks[0] += 1;
    Order { agent: 0, clock: clocks.to_vec() }
}

impl Machine for Checked {
    fn name(&self) -> &'static str {
        "emulator"
    }

    fn run(&mut self, job: &Job) -> Result<Outcome, String> {
        let said = |error: &dyn std::fmt::Debug| format!("{error:?}");
        let mut device = Device::new(Profile::default());
        let config = Config { checks: Checks::Full, policy: self.policy.clone(), workers: 1, fuel: FUEL };
        device.configure(config);
        let program = Arc::new(Program::from_ptx(&[job.ptx]).map_err(|error| said(&error))?);
        let module = device.load(&program).map_err(|error| said(&error))?;
        let kernel = |name: &str| {
            let index = program.kernels().iter().position(|kernel| kernel.name == name);
            index.ok_or(format!("there is no kernel `{name}`"))
        };

        let mut clocks = [0; 3];
        let declared = &program.kernels()[kernel(job.kernel)?].parameters;
        let mut block = vec![0; declared.last().map_or(0, |last| (last.offset + last.bytes) as usize)];
        let mut buffers: BTreeMap<&str, (u64, Vec<u8>)> = BTreeMap::new();
        let mut reads = Vec::new();
        for (parameter, declared) in job.parameters.iter().zip(declared) {
            let value = match parameter {
                Parameter::Scalar(value) => value.clone(),
                Parameter::Buffer { bytes, defined, reads: wanted } => {
                    let length = bytes.len() as u64;
                    let address = device.allocate(length, Place::Device).map_err(|error| said(&error))?;
                    device.write(address, bytes, &host(&mut clocks)).map_err(|error| said(&error))?;
                    if !defined {
                        device.mark_undefined(address, length).map_err(|error| said(&error))?;
                    }
                    buffers.insert(&declared.name, (address, bytes.clone()));
                    reads.push((declared.name.as_str(), wanted.clone()));
                    address.to_le_bytes().to_vec()
                }
            };
            assert_eq!(value.len(), declared.bytes as usize, "{}", declared.name);
            block[declared.offset as usize..][..value.len()].copy_from_slice(&value);
        }

        let shape =
            LaunchConfig { grid: job.grid, block: job.block, dynamic_shared: job.shared, cooperative: job.cooperative };
        let (mut findings, mut notes) = (Vec::new(), Vec::new());
        let mut fault = None;
        let mut freed = Vec::new();
        for step in steps(job.ptx) {
            let order = next(&mut clocks, if step.last() == Some(&"unordered") { 2 } else { 1 });
            match step.as_slice() {
                ["launch", more @ ..] => {
                    let name = more.first().filter(|name| **name != "unordered").unwrap_or(&job.kernel);
                    let report = match device.launch(&module, kernel(name)?, &shape, &block, &order) {
                        Ok(report) => report,
                        Err(LaunchError::Unsupported(what)) => return Ok(Outcome::Refused(what.what)),
                        Err(LaunchError::CooperativeTooLarge(why)) => return Ok(Outcome::Refused(why)),
                        Err(other) => return Err(said(&other)),
                    };
                    findings.extend(report.findings);
                    notes.extend(report.notes.into_iter().map(|note| format!("note: {}", note.message)));
                    fault = fault.or(report.fault);
                }
                ["free", name] => {
                    device.free(buffers[name].0).map_err(|error| said(&error))?;
                    freed.push(*name);
                }
                ["memset", name, ..] => {
                    let (address, bytes) = &buffers[name];
                    let found = device.fill(*address, &[0], bytes.len() as u64, &order);
                    findings.extend(found.map_err(|error| said(&error))?);
                }
                ["copy", from, "to", to, ..] => {
                    let bytes = buffers[from].1.len() as u64;
                    let found = device.copy(buffers[to].0, buffers[from].0, bytes, &order);
                    findings.extend(found.map_err(|error| said(&error))?);
                }
                other => return Err(format!("`{}` is no step", other.join(" "))),
            }
        }
        for (name, ranges) in reads.iter().filter(|_| fault.is_none()) {
            let (address, bytes) = buffers.get_mut(name).expect("just made");
            for range in ranges.iter().filter(|_| !freed.contains(name)) {
                let order = host(&mut clocks);
                let found = device.read(*address + range.start as u64, &mut bytes[range.clone()], &order);
                findings.extend(found.map_err(|error| said(&error))?);
            }
        }
        // Whether stores that race come with one value besides is the schedule's luck.
        let races = findings.iter().any(|finding| !finding.benign);
        let names = findings.iter().filter(|finding| !(races && finding.benign)).map(finding_name);
        // No program here means to have any.
        let names = names.chain(notes).collect();
        self.findings.extend(findings);
        Ok(Outcome::Ran {
            buffers: reads.iter().map(|(name, _)| buffers[name].1.clone()).collect(),
            printed: None,
            fault: fault.as_ref().map(fault_name),
            findings: names,
        })
    }
}

/// Instructions marked `// (1)` or `// (2)`, by line.
fn marked(ptx: &str) -> BTreeSet<u32> {
    let is_marked = |line: &str| !line.starts_with("//") && (line.ends_with("// (1)") || line.ends_with("// (2)"));
    ptx.lines().zip(1..).filter(|(line, _)| is_marked(line)).map(|(_, number)| number).collect()
}

/// The lines after `// source:`.
fn source(ptx: &str) -> BTreeSet<u32> {
    let list = ptx.lines().find_map(|line| line.strip_prefix("// source:")).unwrap_or("");
    list.split_whitespace().map(|number| number.parse().expect("a line")).collect()
}

/// What is wrong with a file under one schedule.
fn judge(ptx: &str, policy: Policy) -> Vec<String> {
    let mut machine = Checked::new(policy);
    let mut failures = conformance::check(ptx, &mut machine).err().unwrap_or_default();
    let ends = |line: fn(&emulator::finding::Access) -> u32| {
        let all = machine.findings.iter().flat_map(|finding| &finding.accesses);
        all.map(line).filter(|line| *line != 0).collect::<BTreeSet<u32>>()
    };
    if !marked(ptx).is_empty() {
        let lines = ends(|access| access.ptx_line);
        if lines != marked(ptx) {
            failures.push(format!("findings name the lines {lines:?}, not {:?}", marked(ptx)));
        }
    }
    if !source(ptx).is_empty() {
        let lines = ends(|access| access.location.as_ref().map_or(0, |place| place.line));
        if lines != source(ptx) {
            failures.push(format!("findings name the source lines {lines:?}, not {:?}", source(ptx)));
        }
    }
    failures
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// `fail/` with its slugs: name and file of each program.
fn failing() -> BTreeMap<String, (Slug, PathBuf)> {
    let mut all = BTreeMap::new();
    for folder in std::fs::read_dir(tests().join("fail")).expect("the folder is there") {
        let folder = folder.expect("readable").path();
        let slug = Slug::ALL.into_iter().find(|slug| folder.ends_with(slug.as_str()));
        let slug = slug.unwrap_or_else(|| panic!("{} is no slug", folder.display()));
        for path in conformance::files(&folder).expect("readable") {
            let name = path.file_stem().expect("a file").to_string_lossy().into_owned();
            assert!(all.insert(name, (slug, path.clone())).is_none(), "{} is there twice", path.display());
        }
    }
    all
}

fn passing() -> BTreeMap<String, PathBuf> {
    let files = conformance::files(&tests().join("pass")).expect("the folder is there");
    files.into_iter().map(|path| (path.file_stem().expect("a file").to_string_lossy().into_owned(), path)).collect()
}

/// Runs files whose names hold `FINDINGS`, or all, on every schedule.
fn run_all<'a>(files: impl Iterator<Item = &'a PathBuf>) {
    let wanted = std::env::var("FINDINGS").unwrap_or_default();
    let mut failures = Vec::new();
    for path in files.filter(|path| path.to_string_lossy().contains(&wanted)) {
        let ptx = read(path);
        let bad: Vec<(Policy, Vec<String>)> = policies(SEEDS)
            .map(|policy| (policy.clone(), judge(&ptx, policy)))
            .filter(|(_, bad)| !bad.is_empty())
            .collect();
        if let Some((policy, first)) = bad.first() {
            failures.push(format!("{} on {} schedules, {policy:?}: {}", path.display(), bad.len(), first.join("; ")));
        }
    }
    assert!(failures.is_empty(), "{} files\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn broken_programs_are_found_on_their_lines_on_every_schedule() {
    let files = failing();
    for (slug, path) in files.values() {
        let finding = format!("finding={slug}");
        assert!(read(path).contains(&finding), "{} does not expect {finding}", path.display());
    }
    run_all(files.values().map(|(_, path)| path));
}

#[test]
fn near_misses_are_silent_on_every_schedule() {
    let files = passing();
    for path in files.values() {
        // The one thing a correct program may show is a note.
        let text = read(path);
        let mut findings = text.split_whitespace().filter(|word| word.starts_with("finding="));
        assert!(findings.all(|word| word.ends_with("-note")), "{} expects a finding", path.display());
    }
    run_all(files.values());
}

#[test]
fn every_line_of_the_table_is_a_pair_and_every_pair_a_line() {
    let table = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/findings.md"));
    let mut lines = BTreeMap::new();
    for line in table.lines() {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [_, verdict, _, _, _, pair] = cells[..] else { continue };
        let Some(pair) = pair.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')) else { continue };
        assert!(lines.insert(pair.to_string(), verdict.trim_matches('`').to_string()).is_none(), "{pair} twice");
    }
    let fail: BTreeMap<String, String> =
        failing().into_iter().map(|(name, (slug, _))| (name, slug.to_string())).collect();
    assert_eq!(lines, fail, "the table and tests/fail/");
    assert!(lines.keys().eq(passing().keys()), "the table and tests/pass/");
}

#[test]
fn the_same_schedule_and_seed_give_the_same_findings() {
    let seeded = [0, 1, 7].map(|seed| {
        [Policy::Random { seed }, Policy::Pct { seed, depth: 1 + (seed % 4) as u32 }, Policy::Adversarial { seed }]
    });
    let policies: Vec<Policy> = seeded.into_iter().flatten().chain([Policy::InOrder, Policy::Reverse]).collect();
    for (_, path) in failing().values() {
        let ptx = read(path);
        for policy in &policies {
            let once = || {
                let mut machine = Checked::new(policy.clone());
                // Whether it is as the header says is another test's business.
                let _ = conformance::check(&ptx, &mut machine);
                format!("{:#?}", machine.findings)
            };
            assert_eq!(once(), once(), "{}, {policy:?}", path.display());
        }
    }
}
