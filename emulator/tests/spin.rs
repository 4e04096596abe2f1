//! Threads that spin on one lock must not starve its holder: in order, too, where nobody is put aside by chance.

use emulator::{Checks, Config, Device, HostMemory, HostOrder, LaunchConfig, Policy, Profile, Program};
use std::sync::Arc;

/// Threads below `n` add one to a counter behind a spin lock; the others end at once.
const LOCK: &str = "
.version 8.3
.target sm_90
.address_size 64
.visible .entry locked(.param .u64 at, .param .u32 n)
{
    .reg .b64 %a;
    .reg .b32 %n, %t, %b, %s, %x;
    .reg .pred %p;
    ld.param.u64 %a, [at];
    ld.param.u32 %n, [n];
    mov.u32 %t, %tid.x;
    mov.u32 %b, %ctaid.x;
    mov.u32 %s, %ntid.x;
    mad.lo.u32 %t, %b, %s, %t;
    setp.ge.u32 %p, %t, %n;
    @%p bra done;
  again:
    atom.acquire.gpu.global.cas.b32 %x, [%a], 0, 1;
    setp.ne.u32 %p, %x, 0;
    @%p bra again;
    ld.global.u32 %x, [%a+4];
    add.u32 %x, %x, 1;
    st.global.u32 [%a+4], %x;
    st.release.gpu.global.u32 [%a], 0;
  done:
    ret;
}";

/// Returns the counter at the end, or how the launch failed, with so much `fuel`.
fn count(policy: Policy, checks: Checks, blocks: u32, threads: u32, n: u32, fuel: u64) -> Result<u32, String> {
    run(LOCK, policy, checks, blocks, threads, n, fuel)
}

fn run(
    text: &str,
    policy: Policy,
    checks: Checks,
    blocks: u32,
    threads: u32,
    n: u32,
    fuel: u64,
) -> Result<u32, String> {
    let program = Arc::new(Program::from_ptx(&[text]).unwrap());
    let mut device = Device::new(Profile::default());
    device.configure(Config { checks, policy, workers: 1, fuel, ..Config::default() });
    let module = device.load(&program).unwrap();
    let order = HostOrder::default();
    let buffer = device.allocate(8, HostMemory::Device).unwrap();
    device.fill(buffer, &[0], 8, &order).unwrap();
    let config = LaunchConfig {
        grid: [blocks, 1, 1],
        block: [threads, 1, 1],
        dynamic_shared: 0,
        cooperative: false,
        cluster: None,
    };
    let parameters = [buffer.to_le_bytes().as_slice(), n.to_le_bytes().as_slice()].concat();
    let report = device.launch(&module, 0, &config, &parameters, &order).unwrap();
    if report.fault.is_some() || !report.findings.is_empty() {
        return Err(format!("{:?}: {:#?}", report.fault, report.findings));
    }
    let mut bytes = [0; 4];
    device.read(buffer + 4, &mut bytes, &order).unwrap();
    Ok(u32::from_le_bytes(bytes))
}

#[test]
fn groups_that_part_and_warps_that_spin_all_get_their_turn() {
    // 48 of 64: a warp whose lanes all spin, and one of which half has ended.
    for (threads, n) in [(2, 2), (32, 32), (64, 33), (64, 48), (96, 96), (128, 100)] {
        for policy in [Policy::InOrder, Policy::Random { seed: 1 }, Policy::Random { seed: 2 }] {
            for checks in [Checks::Fast, Checks::Full] {
                assert_eq!(
                    count(policy.clone(), checks, 1, threads, n, 1 << 24),
                    Ok(n),
                    "{policy:?}, {n} of {threads}"
                );
            }
        }
    }
}

#[test]
fn blocks_that_spin_do_not_starve_the_block_with_the_lock() {
    assert_eq!(count(Policy::InOrder, Checks::Full, 4, 64, 200, 1 << 24), Ok(200));
    assert_eq!(count(Policy::InOrder, Checks::Fast, 8, 128, 1000, 1 << 28), Ok(1000));
}

#[test]
fn a_crowd_at_a_lock_is_no_livelock_while_its_threads_get_through() {
    // They take 116,906 and 656,195 thread instructions: more than their fuel, but each one's end gives some back.
    let crowd = |policy, checks, fuel| count(policy, checks, 8, 32, 256, fuel);
    assert_eq!(crowd(Policy::Adversarial { seed: 1 }, Checks::Full, 110_000), Ok(256));
    assert_eq!(crowd(Policy::InOrder, Checks::Fast, 600_000), Ok(256));
    // With too little it ends, though threads get through.
    for fuel in [1 << 14, 1 << 15] {
        let failed = crowd(Policy::Adversarial { seed: 1 }, Checks::Full, fuel).unwrap_err();
        assert!(failed.contains("Livelock") && failed.contains("proven: false"), "{failed}");
    }
}

#[test]
fn stores_and_barriers_without_end_are_no_progress() {
    // Two warps turn a bit over and over; all of them pass a barrier each time.
    let endless = "
.version 8.3
.target sm_90
.address_size 64
.visible .entry locked(.param .u64 at, .param .u32 n)
{
    .reg .b64 %a;
    .reg .b32 %x;
    ld.param.u64 %a, [at];
  again:
    atom.xor.gpu.global.b32 %x, [%a], 1;
    bar.sync 0;
    bra again;
}";
    for checks in [Checks::Fast, Checks::Full] {
        let failed = run(endless, Policy::InOrder, checks, 1, 64, 0, 1 << 20).unwrap_err();
        assert!(failed.contains("Livelock") && failed.contains("proven: false"), "{failed}");
    }
}
