//! The first slice: a race in shared memory, a race in global memory, and their mended twins.

use emulator::finding::{Finding, Slug};
use emulator::{Checks, Config, Device, LaunchConfig, Order, Place, Policy, Profile, Program};
use std::sync::Arc;

fn stored(name: &str) -> Arc<Program> {
    let path = format!("{}/../cuda/ptx/{name}.ptx", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("stored PTX");
    Arc::new(Program::from_ptx(&[&text]).expect("it loads"))
}

/// Runs `kernel` on `input` (ints, in place); `count` is its last argument, where it has one.
fn run(
    program: &Arc<Program>,
    kernel: &str,
    policy: Policy,
    threads: u32,
    input: &[i32],
    count: Option<i32>,
) -> (Vec<i32>, Vec<Finding>) {
    let mut device = Device::new(Profile::default());
    device.configure(Config { checks: Checks::Full, policy, ..Config::default() });
    let module = device.load(program).unwrap();
    let index = program.kernels().iter().position(|known| known.name == kernel).expect(kernel);
    let bytes: Vec<u8> = input.iter().flat_map(|value| value.to_le_bytes()).collect();
    let buffer = device.allocate(bytes.len() as u64, Place::Device).unwrap();
    let order = Order::default();
    device.write(buffer, &bytes, &order).unwrap();
    let mut parameters = buffer.to_le_bytes().to_vec();
    parameters.extend(count.unwrap_or(0).to_le_bytes());
    parameters.truncate(program.kernels()[index].parameter_bytes as usize);
    let config = LaunchConfig { grid: [1, 1, 1], block: [threads, 1, 1], dynamic_shared: 0, cooperative: false };
    let report = device.launch(&module, index, &config, &parameters, &order).unwrap();
    assert_eq!(report.fault, None);
    let mut bytes = vec![0; bytes.len()];
    let mut findings = report.findings;
    findings.extend(device.read(buffer, &mut bytes, &order).unwrap());
    let values = bytes.chunks(4).map(|chunk| i32::from_le_bytes(chunk.try_into().unwrap())).collect();
    (values, findings)
}

fn policies() -> impl Iterator<Item = Policy> {
    std::iter::once(Policy::InOrder).chain((0..16).map(|seed| Policy::Random { seed }))
}

#[test]
fn reverse_without_its_barrier_races_on_every_schedule() {
    let program = stored("lesson02/reverse");
    let input: Vec<i32> = (0..64).collect();
    for policy in policies() {
        let (_, findings) = run(&program, "reverse_broken", policy.clone(), 64, &input, Some(64));
        assert_eq!(findings.iter().map(|finding| finding.slug).collect::<Vec<_>>(), [Slug::RaceShared], "{policy:?}");
        let (values, findings) = run(&program, "reverse_correct", policy.clone(), 64, &input, Some(64));
        assert_eq!(findings, [], "{policy:?}");
        assert!(values.iter().rev().eq(&input), "{policy:?}");
    }
}

#[test]
fn a_plain_counter_races_and_an_atomic_one_counts() {
    let program = stored("lesson04/counter");
    for policy in policies() {
        let (_, findings) = run(&program, "counter_broken", policy.clone(), 256, &[0], None);
        assert!(
            findings.iter().all(|finding| finding.slug == Slug::RaceGlobal) && !findings.is_empty(),
            "{policy:?}: {findings:#?}"
        );
        let (values, findings) = run(&program, "counter_correct", policy.clone(), 256, &[0], None);
        assert_eq!((values.as_slice(), findings.as_slice()), (&[256][..], &[][..]), "{policy:?}");
    }
}
