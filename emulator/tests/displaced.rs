//! Three launches in streams: the second displaces what the first has left with a word, and only the third races with
//! it.

use emulator::finding::{Finding, Severity, Slug};
use emulator::{Checks, Config, Device, HostMemory, HostOrder, LaunchConfig, LoadedModule, Profile, Program};
use std::sync::Arc;

/// A kernel whose threads access one word each. Reading threads store the value at `%b`.
const KERNEL: &str = r"
.visible .entry NAME(.param .u64 to, .param .u64 out)
{
    .reg .b64 %a, %b, %i;
    .reg .b32 %r, %t;
    ld.param.u64 %a, [to];
    ld.param.u64 %b, [out];
    mov.u32 %t, %tid.x;
    mul.wide.u32 %i, %t, 4;
    add.u64 %a, %a, %i;
    add.u64 %b, %b, %i;
    BODY
    ret;
}
";

const READ: usize = 0;
const WRITE: usize = 1;
const UPDATE: usize = 2;
const LOAD: usize = 3;

const BODIES: [(&str, &str); 4] = [
    ("read", "ld.global.u32 %r, [%a]; st.global.u32 [%b], %r;"),
    ("write", "st.global.u32 [%a], 7;"),
    ("update", "red.relaxed.gpu.global.add.u32 [%a], 1;"),
    ("load", "ld.relaxed.gpu.global.u32 %r, [%a]; st.global.u32 [%b], %r;"),
];

const WORDS: u64 = 64;

struct Gpu {
    device: Device,
    module: LoadedModule,
    to: u64,
    out: u64,
    launches: u64,
    threads: u32,
}

impl Gpu {
    fn new(threads: u32) -> Gpu {
        let mut device = Device::new(Profile::default());
        device.configure(Config { checks: Checks::Full, ..Config::default() });
        let kernels = BODIES.map(|(name, body)| KERNEL.replace("NAME", name).replace("BODY", body));
        let text = format!(".version 8.3\n.target sm_75\n.address_size 64\n{}", kernels.concat());
        let module = device.load(&Arc::new(Program::from_ptx(&[&text]).unwrap())).unwrap();
        let to = device.allocate(4 * WORDS, HostMemory::Unified).unwrap();
        let out = device.allocate(16 * 4 * WORDS, HostMemory::Unified).unwrap();
        Gpu { device, module, to, out, launches: 0, threads }
    }

    /// Runs a kernel in stream `agent`, and returns the errors.
    fn launch(&mut self, kernel: usize, agent: u32, clock: &[u32]) -> Vec<Finding> {
        let shape = LaunchConfig {
            grid: [1, 1, 1],
            block: [self.threads, 1, 1],
            dynamic_shared: 0,
            cooperative: false,
            cluster: None,
        };
        let out = self.out + self.launches * 4 * WORDS;
        self.launches += 1;
        let arguments = [self.to.to_le_bytes(), out.to_le_bytes()].concat();
        let order = HostOrder { agent, clock: clock.to_vec(), overlaps: None };
        let launched = self.device.launch(&self.module, kernel, &shape, &arguments, &order).unwrap();
        launched.findings.into_iter().filter(|found| found.severity == Severity::Error).collect()
    }
}

/// Returns the number of races that the last of three kernels has. The first runs in stream 1, the others in stream 2,
/// and the last one waits for stream 1 if `waits`.
fn races(threads: u32, kernels: [usize; 3], waits: bool) -> usize {
    let mut gpu = Gpu::new(threads);
    assert_eq!(gpu.launch(kernels[0], 1, &[1, 1]), []);
    assert_eq!(gpu.launch(kernels[1], 2, &[1, 0, 1]), [], "{kernels:?}");
    let found = gpu.launch(kernels[2], 2, &[1, u32::from(waits), 2]);
    assert!(found.iter().all(|found| found.slug == Slug::RaceGlobal));
    found.len()
}

#[test]
fn what_the_second_launch_displaces_still_races_with_the_third() {
    let racing = [
        [READ, READ, WRITE],
        [READ, READ, UPDATE],
        [READ, LOAD, WRITE],
        [LOAD, READ, WRITE],
        [LOAD, LOAD, WRITE],
        [LOAD, UPDATE, WRITE],
        [UPDATE, UPDATE, READ],
        [UPDATE, UPDATE, WRITE],
        [UPDATE, LOAD, WRITE],
        [UPDATE, LOAD, READ],
    ];
    for kernels in racing {
        for threads in [1, 64] {
            assert_eq!(races(threads, kernels, false), 1, "{kernels:?} {threads}");
            assert_eq!(races(threads, kernels, true), 0, "{kernels:?} {threads}");
        }
    }
}

#[test]
fn what_races_with_neither_launch_stays_silent() {
    for kernels in [[READ, READ, READ], [UPDATE, UPDATE, UPDATE], [LOAD, UPDATE, LOAD], [UPDATE, LOAD, UPDATE]] {
        for threads in [1, 64] {
            assert_eq!(races(threads, kernels, false), 0, "{kernels:?} {threads}");
        }
    }
}

#[test]
fn a_writer_must_wait_for_all_readers() {
    for waits_for in 0..8 {
        let mut gpu = Gpu::new(64);
        for reader in 1..=3 {
            let mut clock = vec![1, 0, 0, 0];
            clock[reader as usize] = 1;
            assert_eq!(gpu.launch(READ, reader, &clock), []);
        }
        let waited = |reader: u32| waits_for >> reader & 1;
        let found = gpu.launch(WRITE, 4, &[1, waited(0), waited(1), waited(2), 1]);
        assert_eq!(found.is_empty(), waits_for == 7, "{waits_for:b}");
    }
}

#[test]
fn many_rounds_of_two_readers_keep_both() {
    let mut gpu = Gpu::new(64);
    for round in 1..=12 {
        // The streams store the values they read in separate arrays.
        gpu.launches = 0;
        assert_eq!(gpu.launch(READ, 1, &[1, round]), []);
        assert_eq!(gpu.launch(READ, 2, &[1, 0, round]), []);
    }
    assert_eq!(gpu.launch(WRITE, 2, &[1, 11, 13]).len(), 1, "the last round of stream 1 is not waited for");
    assert_eq!(gpu.launch(WRITE, 2, &[1, 12, 14]), [], "all is waited for");
}

#[test]
fn the_hosts_operations_displace_and_race_alike() {
    for waits in [false, true] {
        let waited = u32::from(waits);
        let mut gpu = Gpu::new(64);
        assert_eq!(gpu.launch(READ, 1, &[1, 1]), []);
        assert_eq!(gpu.launch(READ, 2, &[1, 0, 1]), []);
        let order = HostOrder { agent: 2, clock: vec![1, waited, 2], overlaps: None };
        let found = gpu.device.fill(gpu.to, &[0; 4], WORDS, &order).unwrap();
        assert_eq!(found.len(), usize::from(!waits), "a fill by the host");

        let mut gpu = Gpu::new(64);
        assert_eq!(gpu.launch(READ, 1, &[1, 1]), []);
        let order = HostOrder { agent: 2, clock: vec![1, 0, 1], overlaps: None };
        assert_eq!(gpu.device.copy(gpu.out + 8 * 4 * WORDS, gpu.to, 4 * WORDS, &order).unwrap(), []);
        let found = gpu.launch(WRITE, 2, &[1, waited, 2]);
        assert_eq!(found.len(), usize::from(!waits), "a copy by the host between the two");
    }
}

#[test]
fn freed_memory_is_forgotten() {
    let mut gpu = Gpu::new(64);
    assert_eq!(gpu.launch(READ, 1, &[1, 1]), []);
    assert_eq!(gpu.launch(READ, 2, &[1, 0, 1]), []);
    gpu.device.free(gpu.to).unwrap();
    let again = gpu.device.allocate(4 * WORDS, HostMemory::Unified).unwrap();
    gpu.to = again;
    assert_eq!(gpu.launch(WRITE, 2, &[1, 0, 2]), []);
}
