//! Runs a program on the emulator, under one schedule after another.

use crate::outcome::Outcome;
use crate::program::{PLACES, Program};
use emulator::finding::{Finding, Slug};
use emulator::{Checks, Config, Device, HostMemory, HostOrder, LaunchConfig, LoadedModule, Policy, Profile};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A device remembers every launch it has made, so it is replaced now and then.
const LAUNCHES: usize = 500;

/// The results of one run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Run {
    pub outcome: Outcome,
    /// Pairs of events that are reported to race.
    pub races: BTreeSet<(usize, usize)>,
    /// Other findings.
    pub others: Vec<Slug>,
}

pub struct Bench<'a> {
    program: &'a Program,
    text: String,
    compiled: Arc<emulator::Program>,
    device: Device,
    module: LoadedModule,
    memory: u64,
    out: u64,
    launches: usize,
}

impl Bench<'_> {
    pub fn new(program: &Program) -> Bench<'_> {
        let text = program.ptx();
        let compiled = emulator::Program::from_ptx(&[&text]).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let compiled = Arc::new(compiled);
        let (device, module, memory, out) = fresh(&compiled);
        Bench { program, text, compiled, device, module, memory, out, launches: 0 }
    }

    pub fn run(&mut self, policy: Policy) -> Run {
        self.launches += 1;
        if self.launches.is_multiple_of(LAUNCHES) {
            (self.device, self.module, self.memory, self.out) = fresh(&self.compiled);
        }
        let order = HostOrder::default();
        self.device.configure(Config { checks: Checks::Full, policy, workers: 1, fuel: 1 << 20, ..Config::default() });
        self.device.write(self.memory, &[0; 4 * PLACES], &order).expect("it is there");
        let mut parameters = self.memory.to_le_bytes().to_vec();
        parameters.extend(self.out.to_le_bytes());
        let stands = || self.program.stands.iter();
        let blocks = 1 + stands().map(|stand| stand.block).max().expect("some thread");
        let threads = 1 + stands().map(|stand| stand.thread).max().expect("some thread");
        let (grid, block) = ([blocks, 1, 1], [threads.next_multiple_of(32), 1, 1]);
        let shape = LaunchConfig { grid, block, dynamic_shared: 0, cooperative: false, cluster: None };
        let report = self.device.launch(&self.module, 0, &shape, &parameters, &order).expect("it launches");
        assert_eq!(report.fault, None, "{:#?}\n{}", report.findings, self.text);
        let events = self.program.events.len();
        let mut words = self.read(self.out, events + PLACES);
        let memory = if self.program.shared { words.split_off(events) } else { self.read(self.memory, PLACES) };
        words.truncate(events);
        let memory = memory.try_into().expect("so many places");
        let (races, others): (Vec<&Finding>, Vec<&Finding>) = report
            .findings
            .iter()
            .partition(|finding| matches!(finding.slug, Slug::RaceShared | Slug::RaceGlobal | Slug::RaceScope));
        Run {
            outcome: Outcome { registers: words, memory },
            races: races.into_iter().map(|race| self.events(race)).collect(),
            others: others.into_iter().map(|finding| finding.slug).collect(),
        }
    }

    fn read(&mut self, address: u64, words: usize) -> Vec<u32> {
        let mut bytes = vec![0; 4 * words];
        self.device.read(address, &mut bytes, &HostOrder::default()).expect("it is there");
        let (words, _) = bytes.as_chunks();
        words.iter().map(|word| u32::from_le_bytes(*word)).collect()
    }

    /// The two events of a race, by the lines of the text.
    fn events(&self, race: &Finding) -> (usize, usize) {
        let event = |line: u32| -> usize {
            let line = self.text.lines().nth(line as usize - 1).expect("a line of the text");
            let number = line.rsplit_once("// ").and_then(|(_, number)| number.parse().ok());
            number.unwrap_or_else(|| panic!("no event: {line}"))
        };
        let [first, second] = &race.accesses[..] else { panic!("{race:?}") };
        let (a, b) = (event(first.ptx_line), event(second.ptx_line));
        (a.min(b), a.max(b))
    }
}

fn fresh(compiled: &Arc<emulator::Program>) -> (Device, LoadedModule, u64, u64) {
    let mut device = Device::new(Profile::default());
    let module = device.load(compiled).expect("it loads");
    let memory = device.allocate(4 * PLACES as u64, HostMemory::Device).expect("there is room");
    let out = device.allocate(256, HostMemory::Device).expect("there is room");
    device.write(out, &[0; 256], &HostOrder::default()).expect("it is there");
    (device, module, memory, out)
}
