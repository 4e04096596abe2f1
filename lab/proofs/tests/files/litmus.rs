//! Litmus tests: a few accesses by a few threads, and which outcomes the PTX memory model
//! allows. `litmus/README.md` describes the files. What a file forbids must not come in any of
//! [`SCHEDULES`] schedules, of all kinds; what it says shows must come under `adversarial`.

use crate::many_schedules::policy;
use crate::{files, read, stem, tests, trial};
use emulator::explore::Bounds;
use emulator::{Checks, Config, Device, HostMemory, HostOrder, LaunchConfig, LoadedModule, Policy, Profile, Program};
use libtest_mimic::Trial;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// For each test, spread over its arrangements. Rare outcomes are waited for up to here; what must not come is looked
/// for in fewer, [`SAMPLE`], unless all are asked for.
const SCHEDULES: u64 = 10_000;
const SAMPLE: u64 = 1500;
/// A device remembers every launch it has made, so it is replaced now and then.
const LAUNCHES: u64 = 500;

const REGISTERS: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];
const PLACES: [&str; 4] = ["x", "y", "z", "w"];

/// The distance of the threads from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Apart {
    /// Each in a block of its own.
    Grid,
    /// Each in a warp of its own.
    Block,
    /// Lanes of one warp.
    Warp,
}

/// Values of the registers and then of the places.
type Values = [u32; REGISTERS.len() + PLACES.len()];

/// Values wanted of some of them.
type Outcome = Vec<(usize, u32)>;

#[derive(Clone, Debug)]
struct Test {
    name: String,
    threads: Vec<Vec<String>>,
    apart: Vec<Apart>,
    spaces: Vec<&'static str>,
    never: Vec<Outcome>,
    shows: Vec<Outcome>,
    /// Outcomes that are allowed and that no run shows.
    unseen: Vec<Outcome>,
}

impl Test {
    /// Distances of the threads with memories.
    fn arrangements(&self) -> Vec<(Apart, &'static str)> {
        let all = self.apart.iter().flat_map(|&apart| self.spaces.iter().map(move |&space| (apart, space)));
        // Shared memory is a block's own.
        let all: Vec<_> = all.filter(|arrangement| *arrangement != (Apart::Grid, "shared")).collect();
        assert!(!all.is_empty(), "{} can't be arranged", self.name);
        all
    }
}

fn outcomes(text: &str) -> Vec<Outcome> {
    let value = |word: &str| {
        let (name, value) = word.split_once('=').unwrap_or_else(|| panic!("`{word}` is no name=value"));
        let all = REGISTERS.iter().chain(&PLACES);
        let at = all.into_iter().position(|known| *known == name).unwrap_or_else(|| panic!("`{name}` is nobody"));
        (at, value.parse().expect("a number"))
    };
    text.split('|').map(|one| one.split_whitespace().map(value).collect()).collect()
}

/// A file's tests: one for each way of filling in its `each` lines.
fn parse(name: &str, text: &str) -> Vec<Test> {
    let mut variants = vec![(name.to_string(), text.to_string())];
    for line in text.lines() {
        let Some((key, values)) = line.strip_prefix("// each ").and_then(|rest| rest.split_once(':')) else { continue };
        let fill = |(name, text): &(String, String), value: &str| {
            (format!("{name} {key}={value}"), text.replace(&format!("{{{key}}}"), value))
        };
        let values: Vec<&str> = values.split('|').map(str::trim).collect();
        variants = variants.iter().flat_map(|variant| values.iter().map(|value| fill(variant, value))).collect();
    }
    variants.into_iter().map(|(name, text)| parse_one(name, &text)).collect()
}

fn parse_one(name: String, text: &str) -> Test {
    let header =
        |key: &str| text.lines().find_map(|line| line.strip_prefix("// ")?.strip_prefix(key)?.strip_prefix(':'));
    let apart = header("threads").unwrap_or("grid block warp").split_whitespace().map(|word| match word {
        "grid" => Apart::Grid,
        "block" => Apart::Block,
        "warp" => Apart::Warp,
        other => panic!("{name}: `{other}` is no arrangement of threads"),
    });
    let spaces = header("memory").unwrap_or("global shared").split_whitespace().map(|word| match word {
        "global" => "global",
        "shared" => "shared",
        other => panic!("{name}: `{other}` is no memory"),
    });
    let mut test = Test {
        apart: apart.collect(),
        spaces: spaces.collect(),
        never: header("never").map_or(Vec::new(), outcomes),
        shows: header("shows").map_or(Vec::new(), outcomes),
        unseen: header("unseen").map_or(Vec::new(), outcomes),
        threads: Vec::new(),
        name: name.clone(),
    };
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")) {
        match (line.strip_prefix('T'), test.threads.last_mut()) {
            (Some(_), _) => test.threads.push(Vec::new()),
            (None, Some(thread)) => thread.push(line.to_string()),
            (None, None) => panic!("{name}: an instruction before `T0:`"),
        }
    }
    assert!(test.never.len() + test.shows.len() > 0 && test.threads.len() > 1, "{name} says nothing");
    test
}

/// The instruction with its state space and the places' addresses.
fn instruction(line: &str, space: &str) -> String {
    let (guard, rest) = match line.strip_prefix('@').and_then(|rest| rest.split_once(' ')) {
        Some((guard, rest)) => (format!("@{guard} "), rest),
        None => (String::new(), line),
    };
    let (opcode, operands) = rest.split_once(' ').unwrap_or((rest, ""));
    let mut opcode = opcode.to_string();
    if ["ld", "st", "atom", "red"].contains(&opcode.split('.').next().expect("an opcode")) {
        let at = opcode.rfind('.').expect("a type");
        opcode.insert_str(at, &format!(".{space}"));
    }
    let mut operands = operands.to_string();
    for (at, place) in PLACES.iter().enumerate() {
        operands = operands.replace(&format!("[{place}]"), &format!("[%m+{}]", 4 * at));
    }
    format!("{guard}{opcode} {operands}")
}

/// The kernel of a test: `mem` and `out` are its parameters; registers go to `out`, and so do
/// places in shared memory, behind them.
fn kernel(test: &Test, apart: Apart, space: &str) -> String {
    let me = match apart {
        Apart::Grid => "mov.u32 %me, %ctaid.x;",
        Apart::Block => "mov.u32 %me, %tid.x; and.b32 %q, %me, 31; shr.u32 %me, %me, 5; add.u32 %me, %me, %q;",
        Apart::Warp => "mov.u32 %me, %tid.x;",
    };
    // In `block` only lane 0 of a warp counts: the others are as if they had a high number.
    let me = me.replace("add.u32 %me, %me, %q;", "mad.lo.u32 %me, %q, 1000, %me;");
    let base = if space == "shared" { "mov.u64 %m, memory;" } else { "ld.param.u64 %m, [mem];" };
    let names = |list: &[&str]| list.iter().map(|name| format!("%{name}")).collect::<Vec<_>>().join(", ");
    let mut ptx = format!(
        ".version 8.3\n.target sm_90\n.address_size 64\n.visible .entry litmus(.param .u64 mem, .param .u64 out)\n{{\n\
         .shared .align 8 .b8 memory[16];\n.reg .b64 %m, %o;\n.reg .b32 %me, %q, {};\n.reg .pred %p, %is;\n\
         ld.param.u64 %o, [out];\n{base}\n{me}\n",
        names(&REGISTERS)
    );
    if space == "shared" {
        ptx += "setp.eq.u32 %is, %me, 0;\nmov.u32 %q, 0;\n@%is st.shared.v4.u32 [%m], {%q, %q, %q, %q};\nbar.sync 0;\n";
    }
    for number in 0..test.threads.len() {
        ptx += &format!("setp.eq.u32 %is, %me, {number};\n@%is bra T{number};\n");
    }
    ptx += "bra.uni end;\n";
    for (number, thread) in test.threads.iter().enumerate() {
        ptx += &format!("T{number}:\n");
        for line in thread {
            ptx += &format!("{}\n", instruction(line, space).replace("LABEL", &format!("L{number}")));
        }
        for (at, register) in REGISTERS.iter().enumerate() {
            if thread.iter().any(|line| line.contains(&format!("%{register}"))) {
                ptx += &format!("st.global.u32 [%o+{}], %{register};\n", 4 * at);
            }
        }
        ptx += "bra.uni end;\n";
    }
    ptx += "end:\n";
    if space == "shared" {
        ptx += "bar.sync 0;\nsetp.ne.u32 %is, %me, 0;\n@%is ret;\n";
        for at in 0..PLACES.len() {
            ptx += &format!(
                "ld.shared.u32 %q, [%m+{}];\nst.global.u32 [%o+{}], %q;\n",
                4 * at,
                4 * (REGISTERS.len() + at)
            );
        }
    }
    ptx + "ret;\n}\n"
}

struct Bench {
    program: Arc<Program>,
    shape: LaunchConfig,
    space: &'static str,
    device: Device,
    module: LoadedModule,
    memory: u64,
    out: u64,
    launches: u64,
}

impl Bench {
    fn new(test: &Test, apart: Apart, space: &'static str) -> Bench {
        let ptx = kernel(test, apart, space);
        let program = Program::from_ptx(&[&ptx]).unwrap_or_else(|error| panic!("{}: {error:?}\n{ptx}", test.name));
        let threads = test.threads.len() as u32;
        let (grid, block) = match apart {
            Apart::Grid => (threads, 1),
            Apart::Block => (1, 32 * threads),
            Apart::Warp => (1, 32),
        };
        let shape = LaunchConfig {
            grid: [grid, 1, 1],
            block: [block, 1, 1],
            dynamic_shared: 0,
            cooperative: false,
            cluster: None,
        };
        let program = Arc::new(program);
        let (device, module, memory, out) = fresh(&program);
        Bench { program, shape, space, device, module, memory, out, launches: 0 }
    }

    fn run(&mut self, policy: Policy) -> Values {
        self.launches += 1;
        if self.launches.is_multiple_of(LAUNCHES) {
            (self.device, self.module, self.memory, self.out) = fresh(&self.program);
        }
        let order = HostOrder::default();
        self.device.configure(Config { checks: Checks::Full, policy, workers: 1, fuel: 1 << 20, ..Config::default() });
        self.device.write(self.memory, &[0; 16], &order).expect("it is there");
        let mut block = self.memory.to_le_bytes().to_vec();
        block.extend(self.out.to_le_bytes());
        let report = self.device.launch(&self.module, 0, &self.shape, &block, &order).expect("it launches");
        assert_eq!(report.fault, None, "{:#?}", report.findings);
        let mut bytes = [0; 48];
        self.device.read(self.out, &mut bytes, &order).expect("it is there");
        if self.space == "global" {
            self.device.read(self.memory, &mut bytes[4 * REGISTERS.len()..], &order).expect("it is there");
        }
        let (words, _) = bytes.as_chunks();
        std::array::from_fn(|at| u32::from_le_bytes(words[at]))
    }
}

/// Searches of one test, its dead ends aside.
const BOUNDS: Bounds = Bounds { executions: 100_000, runs: u64::MAX, time: Duration::from_secs(60) };

impl Bench {
    /// Returns the outcomes of all executions.
    fn explore(&self, name: &str) -> BTreeSet<Values> {
        let mut block = self.memory.to_le_bytes().to_vec();
        block.extend(self.out.to_le_bytes());
        let mut all = BTreeSet::new();
        let summary = self.device.explore(&self.module, 0, &self.shape, &block, BOUNDS, &mut |execution| {
            let word = |address: u64| execution.memory.region(address).expect("it is there").load::<u32>(address);
            all.insert(std::array::from_fn(|at| match at.checked_sub(REGISTERS.len()) {
                Some(place) if self.space == "global" => word(self.memory + 4 * place as u64),
                _ => word(self.out + 4 * at as u64),
            }));
            ControlFlow::Continue(())
        });
        let summary = summary.expect("it launches");
        assert!(summary.is_complete, "{name}: {summary:?}");
        all
    }
}

fn fresh(program: &Arc<Program>) -> (Device, LoadedModule, u64, u64) {
    let mut device = Device::new(Profile::default());
    let module = device.load(program).expect("it loads");
    let memory = device.allocate(16, HostMemory::Device).expect("there is room");
    let out = device.allocate(48, HostMemory::Device).expect("there is room");
    device.write(out, &[0; 48], &HostOrder::default()).expect("it is there");
    (device, module, memory, out)
}

fn holds(outcome: &Outcome, values: &Values) -> bool {
    outcome.iter().all(|&(at, value)| values[at] == value)
}

/// `a=1 b=0`, as the file says it.
fn said(outcome: &Outcome) -> String {
    let name = |at: usize| REGISTERS.iter().chain(&PLACES).nth(at).expect("a name");
    outcome.iter().map(|&(at, value)| format!("{}={value}", name(at))).collect::<Vec<_>>().join(" ")
}

/// Returns what is wrong with a test in one arrangement, on each `step`th schedule from `first`.
fn judge(test: &Test, apart: Apart, space: &'static str, first: usize, step: usize) -> Vec<String> {
    let mut bench = Bench::new(test, apart, space);
    let mut failures = Vec::new();
    let mut shown = vec![0u64; test.shows.len()];
    let enough = skipped::share(SAMPLE, SCHEDULES);
    for number in (0..SCHEDULES).skip(first).step_by(step) {
        if number >= enough && !shown.contains(&0) {
            break;
        }
        let policy = policy(number);
        let values = bench.run(policy.clone());
        if let Some(outcome) = test.never.iter().chain(&test.unseen).find(|outcome| holds(outcome, &values)) {
            failures.push(format!("{} ({apart:?}, {space}): {} under {policy:?}", test.name, said(outcome)));
            break;
        }
        let is_adversarial = matches!(policy, Policy::Adversarial { .. });
        for (outcome, shown) in test.shows.iter().zip(&mut shown) {
            *shown += u64::from(is_adversarial && holds(outcome, &values));
        }
    }
    for (outcome, shown) in test.shows.iter().zip(shown) {
        if shown == 0 && failures.is_empty() {
            failures.push(format!("{} ({apart:?}, {space}): {} never shows", test.name, said(outcome)));
        }
    }
    failures
}

/// All tests of a file, in each arrangement.
fn judge_file(path: &Path) -> Result<(), String> {
    let mut failures = Vec::new();
    for test in parse(&stem(path), &read(path)) {
        let all = test.arrangements();
        for (first, &(apart, space)) in all.iter().enumerate() {
            failures.extend(judge(&test, apart, space, first, all.len()));
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

/// The outcomes that a file's tests show, over all executions.
fn explore_file(path: &Path) -> Result<(), String> {
    let mut failures = Vec::new();
    for test in parse(&stem(path), &read(path)) {
        for (apart, space) in test.arrangements() {
            let outcomes = Bench::new(&test, apart, space).explore(&test.name);
            let shows = |outcome: &Outcome| outcomes.iter().any(|values| holds(outcome, values));
            let wrong = test.never.iter().filter(|outcome| shows(outcome)).map(|outcome| (outcome, "shows"));
            let allowed = test.shows.iter().chain(&test.unseen);
            let missing = allowed.filter(|outcome| !shows(outcome)).map(|outcome| (outcome, "never shows"));
            for (outcome, what) in wrong.chain(missing) {
                failures.push(format!("{} ({apart:?}, {space}): {} {what}", test.name, said(outcome)));
            }
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

pub fn trials() -> Vec<Trial> {
    let paths = files(&tests().join("litmus"), "litmus");
    let run = paths.clone().into_iter().map(|path| trial(format!("litmus/{}", stem(&path)), move || judge_file(&path)));
    let explored =
        paths.into_iter().map(|path| trial(format!("executions/{}", stem(&path)), move || explore_file(&path)));
    run.chain(explored).collect()
}
