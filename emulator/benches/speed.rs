//! Speed of the emulator: `cargo bench -p emulator`.
//!
//! Each line is the median of several launches of one kernel of `speed.cu`. A launch that
//! gives a wrong result, or ends in a fault, stops the run: a fast wrong answer is no speed.

use emulator::{
    Checks, Config, Device, HostMemory, HostOrder, LaunchConfig, LaunchReport, LoadedModule, Policy, Profile, Program,
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
        self.device.write(address, bytes, &HostOrder::default()).expect("its own buffer");
        address
    }

    fn launch(&mut self, kernel: &str, blocks: u32, threads: u32, parameters: &[u8]) -> LaunchReport {
        let index = self.module.program.kernels().iter().position(|k| k.name == kernel).expect("a kernel of speed.cu");
        let shape = LaunchConfig {
            grid: [blocks, 1, 1],
            block: [threads, 1, 1],
            dynamic_shared: 0,
            cooperative: false,
            cluster: None,
        };
        let report =
            self.device.launch(&self.module, index, &shape, parameters, &HostOrder::default()).expect("it launches");
        assert!(report.fault.is_none() && report.findings.is_empty(), "{kernel}: {report:?}");
        report
    }

    /// The median of several launches, the words at `reset` zeroed before each.
    fn time(&mut self, kernel: &str, blocks: u32, threads: u32, parameters: &[u8], reset: (u64, usize)) -> Speed {
        let mut times = Vec::new();
        let mut instructions = 0;
        for _ in 0..RUNS {
            self.device.write(reset.0, &vec![0; 4 * reset.1], &HostOrder::default()).expect("its own buffer");
            let start = Instant::now();
            instructions = self.launch(kernel, blocks, threads, parameters).counters.thread_instructions;
            times.push(start.elapsed());
        }
        times.sort();
        Speed { median: times[RUNS / 2], instructions }
    }

    fn words(&mut self, address: u64, count: usize) -> Vec<u32> {
        let mut bytes = vec![0; 4 * count];
        self.device.read(address, &mut bytes, &HostOrder::default()).expect("its own buffer");
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
type SpeedRun = fn(&mut Bench, &Buffers) -> (Speed, u64);

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

/// Words that many blocks read in no order.
fn gather(bench: &mut Bench, buffers: &Buffers) -> (Speed, u64) {
    let Buffers { values, from, to, .. } = buffers;
    let blocks = ELEMENTS.div_ceil(256);
    let speed = bench.time("gather", blocks, 256, &parameters(&[*from, *to], &[ELEMENTS]), (*to, ELEMENTS as usize));
    let want: Vec<u32> = values.iter().map(|value| values[*value as usize % 4096]).collect();
    assert_eq!(bench.words(*to, want.len()), want, "gather");
    (speed, 3 * u64::from(ELEMENTS))
}

fn sparse(bench: &mut Bench, buffers: &Buffers) -> (Speed, u64) {
    let Buffers { values, from, to, .. } = buffers;
    let rows = ELEMENTS / 16;
    let arguments = parameters(&[*from, *to], &[ELEMENTS]);
    let speed = bench.time("sparse", rows.div_ceil(128), 128, &arguments, (*to, rows as usize));
    let term = |value: &u32| values[*value as usize % 4096];
    let want: Vec<u32> = values.chunks_exact(16).map(|row| row.iter().map(term).fold(0, u32::wrapping_add)).collect();
    assert_eq!(bench.words(*to, rows as usize), want, "sparse");
    (speed, 2 * u64::from(ELEMENTS) + u64::from(rows))
}

/// Atomic additions of all blocks to the same words.
fn counters(bench: &mut Bench, buffers: &Buffers) -> (Speed, u64) {
    let Buffers { values, from, counts, .. } = buffers;
    let speed = bench.time("counters", 1024, 256, &parameters(&[*from, *counts], &[ELEMENTS]), (*counts, 256));
    let mut want = vec![0; 256];
    values.iter().for_each(|value| want[*value as usize % 256] += 1);
    assert_eq!(bench.words(*counts, 256), want, "counters");
    (speed, 2 * u64::from(ELEMENTS))
}

/// Neighbouring bytes in shared memory, written by neighbouring threads.
fn scan(bench: &mut Bench, buffers: &Buffers) -> (Speed, u64) {
    const TILE: usize = 512;
    let Buffers { values, from, to, .. } = buffers;
    let tiles = ELEMENTS / TILE as u32;
    let words = (tiles as usize * TILE) / 4;
    let speed = bench.time("scan", 64, 256, &parameters(&[*from, *to], &[tiles]), (*to, words));
    let bytes: Vec<u8> = values.iter().take(words).flat_map(|value| value.to_le_bytes()).collect();
    let sums = |tile: &[u8]| {
        tile.iter().scan(0, |sum: &mut u8, byte| Some(std::mem::replace(sum, sum.wrapping_add(*byte)))).collect()
    };
    let want: Vec<u8> = bytes.chunks_exact(TILE).flat_map(|tile| -> Vec<u8> { sums(tile) }).collect();
    let got: Vec<u8> = bench.words(*to, words).iter().flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(got, want, "scan");
    // Accesses per tile: four for each byte to load and store it, three per step of the up-sweep, four per step of the
    // down-sweep.
    (speed, u64::from(tiles) * (4 * TILE as u64 + 7 * (TILE as u64 - 1)))
}

const SIDE: u32 = 1000;

/// Rows of a matrix, a lane each.
fn rank_rows(bench: &mut Bench, buffers: &Buffers) -> (Speed, u64) {
    let Buffers { values, from, to, .. } = buffers;
    let arguments = parameters(&[*from, *to], &[SIDE]);
    let speed = bench.time("rank_rows", SIDE.div_ceil(256), 256, &arguments, (*to, ELEMENTS as usize));
    let want: Vec<u32> = values.iter().map(|value| value.wrapping_mul(3)).collect();
    assert_eq!(bench.words(*to, want.len()), want, "rank_rows");
    (speed, 2 * u64::from(ELEMENTS))
}

/// Columns of the matrix that the rows have made.
fn rank_columns(bench: &mut Bench, buffers: &Buffers) -> (Speed, u64) {
    let Buffers { values, from, to, .. } = buffers;
    bench.launch("rank_rows", SIDE.div_ceil(256), 256, &parameters(&[*from, *to], &[SIDE]));
    let sums = bench.buffer(&words((0..SIDE).map(|_| 0)));
    let arguments = parameters(&[*to, sums], &[SIDE]);
    let speed = bench.time("rank_columns", SIDE.div_ceil(256), 256, &arguments, (sums, SIDE as usize));
    let column = |at| {
        values[at..].iter().step_by(SIDE as usize).fold(0u32, |sum, value| sum.wrapping_add(value.wrapping_mul(3)))
    };
    let want: Vec<u32> = (0..SIDE as usize).map(column).collect();
    assert_eq!(bench.words(sums, want.len()), want, "rank_columns");
    (speed, u64::from(ELEMENTS) + u64::from(SIDE))
}

/// A table that all read, rows of their own, and atomic additions to words that eight threads share.
fn sweep(bench: &mut Bench, buffers: &Buffers) -> (Speed, u64) {
    const CELLS: u32 = 256;
    const MOMENTS: usize = 16;
    const ANGLES: usize = 32;
    let Buffers { values, from, .. } = buffers;
    let table =
        |direction: usize, moment: usize, angle: usize| values[direction * MOMENTS * ANGLES + moment * ANGLES + angle];
    let moments = |cell: usize, moment: usize| values[4096 + cell * MOMENTS + moment];
    let threads = 8 * CELLS;
    let angles = bench.buffer(&words((0..threads * ANGLES as u32).map(|_| 0)));
    let to = bench.buffer(&words((0..CELLS * MOMENTS as u32).map(|_| 0)));
    let arguments = parameters(&[*from, *from + 4 * 4096, angles, to], &[CELLS]);
    let speed = bench.time("sweep", threads.div_ceil(128), 128, &arguments, (to, CELLS as usize * MOMENTS));
    let sum = |terms: &mut dyn Iterator<Item = u32>| terms.fold(0, u32::wrapping_add);
    let mut want = vec![0u32; CELLS as usize * MOMENTS];
    for (direction, cell) in (0..8).flat_map(|direction| (0..CELLS as usize).map(move |cell| (direction, cell))) {
        let row: Vec<u32> = (0..ANGLES)
            .map(|angle| sum(&mut (0..MOMENTS).map(|it| table(direction, it, angle).wrapping_mul(moments(cell, it)))))
            .collect();
        for moment in 0..MOMENTS {
            let it = &mut want[cell * MOMENTS + moment];
            *it = it.wrapping_add(sum(
                &mut (0..ANGLES).map(|angle| table(direction, moment, angle).wrapping_mul(row[angle]))
            ));
        }
    }
    assert_eq!(bench.words(to, want.len()), want, "sweep");
    (speed, u64::from(threads) * (4 * (MOMENTS * ANGLES) + ANGLES + MOMENTS) as u64)
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

/// Prints the cost of locks by the number of contending threads, and the exponent with which the checked cost grows.
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
    let all = [
        ("copy", copy as SpeedRun),
        ("histogram", histogram),
        ("filter", filter),
        ("gather", gather),
        ("sparse", sparse),
        ("counters", counters),
        ("scan", scan),
        ("rank_rows", rank_rows),
        ("rank_columns", rank_columns),
        ("sweep", sweep),
    ];
    for (name, run) in all {
        if !wanted(name) {
            continue;
        }
        let [fast, full] = [Checks::Fast, Checks::Full].map(|checks| {
            bench.configure(checks, 1);
            let (speed, accesses) = run(&mut bench, &buffers);
            println!(
                "  {name:<12} {:>7.1} ms, {:.3} G thread instructions/s, {:.1} M accesses/s",
                speed.median.as_secs_f64() * 1e3,
                speed.instructions_per_second() / 1e9,
                speed.per_second(accesses) / 1e6,
            );
            speed
        });
        println!("  {:<12} {:>7.2} times as long checked", "", full.median.as_secs_f64() / fast.median.as_secs_f64());
    }
}
