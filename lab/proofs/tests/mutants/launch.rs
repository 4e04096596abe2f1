//! A program's kernels, launched with every check on: small grids, small buffers, a schedule by seed.

use crate::mutate::Dice;
use emulator::{
    Checks, Config, Device, HostMemory, HostOrder, Kernel, LaunchConfig, LoadedModule, Observe, Policy, Profile,
    Program,
};
use report::{Paint, Remarks, render};
use std::sync::Arc;
use std::time::Duration;

/// Thread instructions that a launch may take, and a 1024th more for each thread that ends.
const FUEL: u64 = 1 << 21;

/// The results of a program.
#[derive(Default)]
pub struct Ran {
    pub is_parsed: bool,
    pub launches: u64,
    /// Processor time of the slowest launch.
    pub slowest: Duration,
}

/// Launches all kernels. `seed` chooses shapes, arguments and schedules.
pub fn launch(text: &str, seed: u64) -> Ran {
    let mut ran = Ran::default();
    let Ok(program) = Program::from_ptx(&[text]) else { return ran };
    ran.is_parsed = true;
    let program = Arc::new(program);
    let mut dice = Dice(seed);
    for (number, kernel) in program.kernels().iter().enumerate() {
        let mut device = Device::new(Profile::default());
        let seed = dice.below(1 << 30) as u64;
        let policy = match dice.below(4) {
            0 => Policy::Adversarial { seed },
            1 => Policy::Pct { seed, depth: 3 },
            _ => Policy::Random { seed },
        };
        device.configure(Config { checks: Checks::Full, policy, workers: 1, fuel: FUEL, ..Config::default() });
        device.observe(Observe { hints: dice.below(4) == 0, ..Observe::default() });
        if let Ok(module) = device.load(&program) {
            launch_one(&mut device, &module, number, kernel, &mut dice, &mut ran);
        }
    }
    ran
}

/// Up to two launches of one kernel that nothing orders, and what the host reads after them.
fn launch_one(
    device: &mut Device,
    module: &LoadedModule,
    number: usize,
    kernel: &Kernel,
    dice: &mut Dice,
    ran: &mut Ran,
) {
    let blocks = [[32, 1, 1], [64, 1, 1], [33, 1, 1], [128, 1, 1], [8, 8, 1], [1, 1, 1]];
    let drawn = *dice.of(&blocks).expect("one is there");
    let shape = LaunchConfig {
        grid: [1 + dice.below(3) as u32, 1, 1],
        block: kernel.required_block.unwrap_or(drawn),
        dynamic_shared: 256 * dice.below(5) as u32,
        cooperative: dice.below(4) == 0,
        cluster: None,
    };
    let (arguments, buffers) = arguments(device, kernel, dice);
    for stream in 1..=1 + dice.below(2) {
        let mut clock = vec![1, 0, 0];
        clock[stream] = 1;
        let before = processor_time();
        let order = HostOrder { agent: stream as u32, clock, overlaps: None };
        let report = device.launch(module, number, &shape, &arguments, &order);
        ran.slowest = ran.slowest.max(processor_time().saturating_sub(before));
        let Ok(report) = report else { return };
        ran.launches += 1;
        for finding in report.findings.iter().chain(&report.notes) {
            render(finding, |_| None, &Remarks { is_verbose: true, ..Remarks::default() }, Paint::Plain);
        }
        if let Some(fault) = report.fault {
            assert!(!matches!(fault, emulator::Fault::Internal(_)), "{fault:?}");
            return;
        }
    }
    for (address, bytes) in buffers {
        let order = HostOrder { agent: 0, clock: vec![2, 1, 1], overlaps: None };
        device.read(address, &mut vec![0; bytes], &order).expect("it is there");
    }
    device.observed();
}

/// The bytes of a kernel's parameters, and the buffers that they point to. 8 bytes are taken for an address, as most
/// are.
fn arguments(device: &mut Device, kernel: &Kernel, dice: &mut Dice) -> (Vec<u8>, Vec<(u64, usize)>) {
    let mut arguments = vec![0; kernel.parameter_bytes as usize];
    let mut buffers = Vec::new();
    for parameter in &kernel.parameters {
        let count = *dice.of(&[0, 1, 2, 31, 32, 33, 64, 100, 256]).expect("one is there");
        let place = &mut arguments[parameter.offset as usize..][..parameter.bytes as usize];
        for part in place.chunks_mut(8) {
            let value = if part.len() < 8 || dice.below(8) == 0 { count } else { buffer(device, dice, &mut buffers) };
            part.copy_from_slice(&value.to_le_bytes()[..part.len()]);
        }
    }
    (arguments, buffers)
}

fn buffer(device: &mut Device, dice: &mut Dice, buffers: &mut Vec<(u64, usize)>) -> u64 {
    if let (0, Some((address, _))) = (dice.below(8), dice.of(buffers)) {
        return *address;
    }
    let bytes = *dice.of(&[4, 6, 64, 256, 1024, 4096]).expect("one is there");
    let address = device.allocate(bytes as u64, HostMemory::Device).expect("there is room");
    let order = HostOrder { agent: 0, clock: vec![1, 0, 0], overlaps: None };
    let contents: Vec<u8> = match dice.below(4) {
        // Nothing is written.
        0 => Vec::new(),
        1 => (0..bytes as u32).flat_map(u32::to_le_bytes).take(bytes).collect(),
        _ => vec![0; bytes],
    };
    device.write(address, &contents, &order).expect("it is there");
    buffers.push((address, bytes));
    address
}

/// Returns the processor time of this thread: other programs do not count. Zero where no `/proc` tells it.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0))
}
