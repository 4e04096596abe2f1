//! How fast the emulator is: `cargo bench -p emulator`.
//!
//! Each line is the median of several launches of one kernel of `speed.cu`. A launch that
//! gives a wrong result, or ends in a fault, stops the run: a fast wrong answer is no speed.

use emulator::{
    Checks, Config, Device, HostMemory, LaunchConfig, LaunchReport, LoadedModule, Order, Policy, Profile, Program,
};
use std::sync::Arc;
use std::time::{Duration, Instant};

const RUNS: usize = 7;
const ELEMENTS: u32 = 1_000_000;

struct Bench {
    device: Device,
    module: LoadedModule,
}

/// One kernel's speed.
struct Speed {
    median: Duration,
    instructions: u64,
}

impl Speed {
    fn per_second(&self, things: u64) -> f64 {
        things as f64 / self.median.as_secs_f64()
    }

    fn instructions_per_second(&self) -> f64 {
        self.per_second(self.instructions)
    }
}

impl Bench {
    fn new() -> Bench {
        let program = Program::from_ptx(&[include_str!("speed.ptx")]).expect("speed.ptx loads");
        let mut device = Device::new(Profile::default());
        let module = device.load(&Arc::new(program)).expect("it fits");
        Bench { device, module }
    }

    fn configure(&mut self, checks: Checks, workers: usize) {
        self.device.configure(Config { checks, workers, ..Config::default() });
    }

    fn buffer(&mut self, bytes: &[u8]) -> u64 {
        let address = self.device.allocate(bytes.len() as u64, HostMemory::Device).expect("memory");
        self.device.write(address, bytes, &Order::default()).expect("its own buffer");
        address
    }

    fn launch(&mut self, kernel: &str, blocks: u32, threads: u32, parameters: &[u8]) -> LaunchReport {
        let index = self.module.program.kernels().iter().position(|k| k.name == kernel).expect("a kernel of speed.cu");
        let shape =
            LaunchConfig { grid: [blocks, 1, 1], block: [threads, 1, 1], dynamic_shared: 0, cooperative: false };
        let report =
            self.device.launch(&self.module, index, &shape, parameters, &Order::default()).expect("it launches");
        assert!(report.fault.is_none() && report.findings.is_empty(), "{kernel}: {report:?}");
        report
    }

    /// The median of several launches, the words at `reset` zeroed before each.
    fn time(&mut self, kernel: &str, blocks: u32, threads: u32, parameters: &[u8], reset: (u64, usize)) -> Speed {
        let mut times = Vec::new();
        let mut instructions = 0;
        for _ in 0..RUNS {
            self.device.write(reset.0, &vec![0; 4 * reset.1], &Order::default()).expect("its own buffer");
            let start = Instant::now();
            instructions = self.launch(kernel, blocks, threads, parameters).counters.thread_instructions;
            times.push(start.elapsed());
        }
        times.sort();
        Speed { median: times[RUNS / 2], instructions }
    }

    fn words(&mut self, address: u64, count: usize) -> Vec<u32> {
        let mut bytes = vec![0; 4 * count];
        self.device.read(address, &mut bytes, &Order::default()).expect("its own buffer");
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
    }
}

fn words(values: impl Iterator<Item = u32>) -> Vec<u8> {
    values.flat_map(u32::to_le_bytes).collect()
}

/// A kernel's parameters: addresses first, then numbers.
fn parameters(addresses: &[u64], numbers: &[u32]) -> Vec<u8> {
    let mut block: Vec<u8> = addresses.iter().flat_map(|address| address.to_le_bytes()).collect();
    block.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    block
}

/// Numbers without a pattern that matters (a linear congruence modulo 2^32).
fn numbers() -> impl Iterator<Item = u32> {
    std::iter::successors(Some(12345u32), |x| Some(x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223)))
        .map(|x| x >> 8 ^ x << 24)
}

fn billions(rate: f64) -> String {
    format!("{:.3} G/s", rate / 1e9)
}

/// Arithmetic in fast mode, on one core and on two.
fn arithmetic(bench: &mut Bench) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(2);
    println!("fast mode, thread instructions a second");
    let (threads, blocks, limit) = (256, 64, 400);
    let count = threads * blocks;
    // Inside the set, so that every thread iterates to the limit.
    let cx = bench.buffer(&words((0..count).map(|i| (i as f32 / count as f32 * 0.2).to_bits())));
    let cy = bench.buffer(&words((0..count).map(|i| ((i % 97) as f32 / 97.0 * 0.1).to_bits())));
    let dwell = bench.buffer(&words((0..count).map(|_| 0)));
    let arguments = parameters(&[cx, cy, dwell], &[limit]);
    let mut run = |workers| {
        bench.configure(Checks::Fast, workers);
        let speed = bench.time("mandelbrot", blocks, threads, &arguments, (dwell, count as usize));
        assert!(bench.words(dwell, count as usize).iter().all(|&n| n == limit), "mandelbrot");
        speed
    };
    let one = run(1);
    println!("  mandelbrot, one core   {}", billions(one.instructions_per_second()));
    if cores == 2 {
        let two = run(2);
        let ratio = two.instructions_per_second() / one.instructions_per_second();
        println!("  mandelbrot, two cores  {}, {ratio:.2} times one", billions(two.instructions_per_second()));
    }
}

/// The buffers of the kernels that move memory.
struct Buffers {
    values: Vec<u32>,
    from: u64,
    to: u64,
    counts: u64,
}

/// Runs a kernel and checks its result; returns its speed and the accesses it made.
type Run = fn(&mut Bench, &Buffers) -> (Speed, u64);

fn copy(bench: &mut Bench, buffers: &Buffers) -> (Speed, u64) {
    let Buffers { values, from, to, .. } = buffers;
    let speed = bench.time("copy", 128, 256, &parameters(&[*from, *to], &[ELEMENTS]), (*to, ELEMENTS as usize));
    assert_eq!(bench.words(*to, values.len()), *values, "copy");
    (speed, 2 * u64::from(ELEMENTS))
}

fn histogram(bench: &mut Bench, buffers: &Buffers) -> (Speed, u64) {
    let Buffers { values, from, counts, .. } = buffers;
    let speed = bench.time("histogram", 64, 256, &parameters(&[*from, *counts], &[ELEMENTS]), (*counts, 256));
    let mut want = vec![0; 256];
    let bytes = values.iter().flat_map(|value| value.to_le_bytes()).take(ELEMENTS as usize);
    bytes.for_each(|byte| want[usize::from(byte)] += 1);
    assert_eq!(bench.words(*counts, 256), want, "histogram");
    (speed, 2 * u64::from(ELEMENTS))
}

fn filter(bench: &mut Bench, buffers: &Buffers) -> (Speed, u64) {
    let Buffers { values, from, to, counts } = buffers;
    let speed = bench.time("filter", 128, 256, &parameters(&[*from, *to, *counts], &[ELEMENTS]), (*counts, 1));
    let mut want: Vec<u32> = values.iter().copied().filter(|&value| value as i32 > 0).collect();
    assert_eq!(bench.words(*counts, 1)[0] as usize, want.len(), "filter");
    let mut got = bench.words(*to, want.len());
    want.sort_unstable();
    got.sort_unstable();
    assert_eq!(got, want, "filter");
    (speed, u64::from(ELEMENTS) + 2 * want.len() as u64)
}

/// Nanoseconds a thread instruction, fast and with every check: `run` makes a launch's speed.
fn costs(bench: &mut Bench, mut run: impl FnMut(&mut Bench) -> Speed) -> [f64; 2] {
    [Checks::Fast, Checks::Full].map(|checks| {
        // Turns by chance: in order each thread would be done before the next one wants the lock.
        let policy = Policy::Random { seed: 7 };
        bench.device.configure(Config { checks, workers: 1, policy, ..Config::default() });
        1e9 / run(bench).instructions_per_second()
    })
}

/// What locks cost by the number of threads that want them, and the power of that number that the checked cost grows with.
fn by_threads(all: impl Iterator<Item = u32>, mut costs: impl FnMut(u32) -> [f64; 2]) {
    let mut last = None;
    for threads in all {
        let [fast, full] = costs(threads);
        let slope =
            last.replace(full).map_or(String::new(), |last: f64| format!(", slope {:.2}", (full / last).log2()));
        println!("  {threads:>3} threads {fast:>8.1} {full:>8.1}{slope}");
    }
}

/// One lock and threads that want it, each of another warp, which take as many turns together.
fn locks(bench: &mut Bench) {
    const TURNS: u32 = 2048;
    println!("one lock, {TURNS} turns, one core: nanoseconds a thread instruction, fast, then with every check");
    let (held, count) = (bench.buffer(&[0; 4]), bench.buffer(&[0; 4]));
    by_threads((1..=8).map(|power| 1 << power), |threads| {
        let warps = threads.min(8);
        let arguments = parameters(&[held, count], &[TURNS / threads]);
        costs(bench, |bench| {
            let speed = bench.time("lock", threads / warps, 32 * warps, &arguments, (count, 1));
            assert_eq!(bench.words(count, 1), [TURNS], "lock");
            speed
        })
    });
}

/// A product of matrices whose rows have a lock each: all blocks want all locks.
fn product(bench: &mut Bench) {
    const SIDE: u32 = 16;
    println!("{SIDE} locks of a matrix's rows, {} turns a thread, one core: the same", SIDE * SIDE);
    by_threads((2..=6).map(|power| 1 << power), |depth| {
        let [a, b]: [Vec<u32>; 2] = [7, 5].map(|end| (0..SIDE * depth).map(|at| at % end).collect());
        let [left, right] = [&a, &b].map(|values| bench.buffer(&words(values.iter().copied())));
        let [sums, locks] = [SIDE * SIDE, SIDE].map(|count| bench.buffer(&words((0..count).map(|_| 0))));
        let term = |at: u32, k: u32| a[(at / SIDE * depth + k) as usize] * b[(k * SIDE + at % SIDE) as usize];
        let want: Vec<u32> = (0..SIDE * SIDE).map(|at| (0..depth).map(|k| term(at, k)).sum()).collect();
        let arguments = parameters(&[left, right, sums, locks], &[SIDE]);
        costs(bench, |bench| {
            let speed = bench.time("product", depth, 1, &arguments, (sums, want.len()));
            assert_eq!(bench.words(sums, want.len()), want, "product");
            speed
        })
    });
}

fn main() {
    // `cargo test` runs benches too, with `--test`; there is nothing to test here.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    // `cargo bench -p emulator -- histogram` runs that one alone.
    let names: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    let mut bench = Bench::new();
    if wanted("mandelbrot") {
        arithmetic(&mut bench);
    }

    if wanted("lock") {
        locks(&mut bench);
    }
    if wanted("product") {
        product(&mut bench);
    }
    let values: Vec<u32> = numbers().take(ELEMENTS as usize).collect();
    let from = bench.buffer(&words(values.iter().copied()));
    let to = bench.buffer(&words(values.iter().map(|_| 0)));
    let counts = bench.buffer(&words((0..256).map(|_| 0)));
    let buffers = Buffers { values, from, to, counts };
    println!("one core, {ELEMENTS} elements: fast, then with every check");
    for (name, run) in [("copy", copy as Run), ("histogram", histogram), ("filter", filter)] {
        if !wanted(name) {
            continue;
        }
        let [fast, full] = [Checks::Fast, Checks::Full].map(|checks| {
            bench.configure(checks, 1);
            let (speed, accesses) = run(&mut bench, &buffers);
            println!(
                "  {name:<10} {:>7.1} ms, {:.3} G thread instructions/s, {:.1} M accesses/s",
                speed.median.as_secs_f64() * 1e3,
                speed.instructions_per_second() / 1e9,
                speed.per_second(accesses) / 1e6,
            );
            speed
        });
        println!("  {:<10} {:>7.2} times as long checked", "", full.median.as_secs_f64() / fast.median.as_secs_f64());
    }
}
