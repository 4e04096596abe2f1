//! Every schedule is fair: what waits for another thread of a resident block gets what it
//! waits for. And every schedule does the same again for the same seed.

use emulator::{
    Checks, Config, Counters, Device, HostMemory, HostOrder, LaunchConfig, Policy, Profile, Program, choice,
};
use std::sync::Arc;

fn policies() -> Vec<Policy> {
    let seeded = (0..6).flat_map(|seed| {
        let random = Policy::Random { seed };
        let adversarial = Policy::Adversarial { seed };
        let every_third: Arc<[u64]> = (0..200).map(|number| choice(1, 3 * number)).collect();
        let part = |of: &Policy| Policy::Replay { of: Box::new(of.clone()), keep: every_third.clone() };
        let parts = [part(&random), part(&adversarial)];
        [random, Policy::Pct { seed, depth: 1 + (seed % 4) as u32 }, adversarial].into_iter().chain(parts)
    });
    [Policy::InOrder, Policy::Reverse].into_iter().chain(seeded).collect()
}

const HEAD: &str = "\
.version 8.3
.target sm_90
.address_size 64
.visible .entry kernel(.param .u64 data)
{
    .reg .b64 %d;
    .reg .b32 %t, %b, %x, %y, %n;
    .reg .pred %p;
    ld.param.u64 %d, [data];
    mov.u32 %t, %tid.x;
    mov.u32 %b, %ctaid.x;
";

/// Each thread of 2 x 33 takes one lock, adds to a plain counter, and gives the lock back.
const SPIN_LOCK: &str = "
  again:
    atom.acquire.gpu.global.cas.b32 %x, [%d], 0, 1;
    setp.ne.u32 %p, %x, 0;
    @%p bra again;
    ld.global.u32 %y, [%d+4];
    add.u32 %y, %y, 1;
    st.global.u32 [%d+4], %y;
    atom.release.gpu.global.exch.b32 %x, [%d], 0;
    ret;
}
";

/// A lock with a ticket for each thread: they are served in the order of their tickets.
const TICKET_LOCK: &str = "
    atom.relaxed.gpu.global.add.u32 %n, [%d], 1;
  again:
    ld.acquire.gpu.global.u32 %x, [%d+8];
    setp.ne.u32 %p, %x, %n;
    @%p bra again;
    ld.global.u32 %y, [%d+4];
    add.u32 %y, %y, 1;
    st.global.u32 [%d+4], %y;
    add.u32 %n, %n, 1;
    st.release.gpu.global.u32 [%d+8], %n;
    ret;
}
";

/// Thread 0 of block 0 hands 40 values, one at a time, to thread 0 of block 1, which adds them up.
const HAND_OVER: &str = "
    setp.ne.u32 %p, %t, 0;
    @%p ret;
    mov.u32 %n, 0;
    setp.eq.u32 %p, %b, 1;
    @%p bra take;
  give:
    ld.acquire.gpu.global.u32 %x, [%d];
    setp.ne.u32 %p, %x, 0;
    @%p bra give;
    add.u32 %n, %n, 1;
    mov.u32 %y, 2;
    st.global.u32 [%d+8], %y;
    mov.u32 %x, 1;
    st.release.gpu.global.u32 [%d], %x;
    setp.lt.u32 %p, %n, 40;
    @%p bra give;
    ret;
  take:
    ld.acquire.gpu.global.u32 %x, [%d];
    setp.ne.u32 %p, %x, 1;
    @%p bra take;
    add.u32 %n, %n, 1;
    ld.global.u32 %x, [%d+8];
    ld.global.u32 %y, [%d+4];
    add.u32 %y, %y, %x;
    st.global.u32 [%d+4], %y;
    mov.u32 %x, 0;
    st.release.gpu.global.u32 [%d], %x;
    setp.lt.u32 %p, %n, 40;
    @%p bra take;
    ret;
}
";

/// Lanes of one warp wait for each other's flags, the highest lane first.
const LANES_IN_A_ROW: &str = "
    setp.ne.u32 %p, %b, 0;
    @%p ret;
    setp.gt.u32 %p, %t, 31;
    @%p ret;
  again:
    ld.acquire.gpu.global.u32 %x, [%d];
    sub.u32 %n, 31, %t;
    setp.ne.u32 %p, %x, %n;
    @%p bra again;
    ld.global.u32 %y, [%d+4];
    add.u32 %y, %y, 1;
    st.global.u32 [%d+4], %y;
    add.u32 %n, %n, 1;
    st.release.gpu.global.u32 [%d], %n;
    ret;
}
";

/// Thread 0 of block 0 writes, and sets a flag; that of block 1 looks for it 300 times, and then gives up.
const GIVES_UP: &str = "
    setp.ne.u32 %p, %t, 0;
    @%p ret;
    mov.u32 %n, 0;
    setp.eq.u32 %p, %b, 1;
    @%p bra again;
    mov.u32 %x, 1;
    st.global.u32 [%d+8], %x;
    st.release.gpu.global.u32 [%d], %x;
    ret;
  again:
    add.u32 %n, %n, 1;
    setp.gt.u32 %p, %n, 300;
    @%p ret;
    ld.acquire.gpu.global.u32 %x, [%d];
    setp.ne.u32 %p, %x, 1;
    @%p bra again;
    st.global.u32 [%d+4], %x;
    ret;
}
";

/// Returns the value of `data[1]` in the end, and all that the run tells.
fn run(program: &Arc<Program>, policy: Policy, checks: Checks) -> (u32, String, Counters) {
    let mut device = Device::new(Profile::default());
    device.configure(Config { checks, policy, workers: 2, fuel: 1 << 24, ..Config::default() });
    let module = device.load(program).expect("it loads");
    let data = device.allocate(12, HostMemory::Device).expect("there is room");
    let order = HostOrder::default();
    device.write(data, &[0; 12], &order).expect("it is there");
    let shape =
        LaunchConfig { grid: [2, 1, 1], block: [33, 1, 1], dynamic_shared: 0, cooperative: false, cluster: None };
    let report = device.launch(&module, 0, &shape, &data.to_le_bytes(), &order).expect("it launches");
    let mut count = [0; 4];
    device.read(data + 4, &mut count, &order).expect("it is there");
    let said = format!("{:?} {:#?}", report.fault, report.findings);
    (u32::from_le_bytes(count), said, report.counters)
}

#[test]
fn who_waits_for_another_thread_gets_there_under_every_schedule() {
    for (name, body, count) in [
        ("spin lock", SPIN_LOCK, 66),
        ("ticket lock", TICKET_LOCK, 66),
        ("hand over", HAND_OVER, 80),
        ("lanes in a row", LANES_IN_A_ROW, 32),
    ] {
        let program = Arc::new(Program::from_ptx(&[&format!("{HEAD}{body}")]).expect("it loads"));
        for policy in policies() {
            let (found, said, counters) = run(&program, policy.clone(), Checks::Full);
            assert_eq!((found, said.as_str()), (count, "None []"), "{name}, {policy:?}");
            let again = run(&program, policy.clone(), Checks::Full);
            assert_eq!(again, (found, said, counters), "{name}, {policy:?}, again");
        }
    }
}

#[test]
fn who_gives_up_waiting_for_another_block_is_seen_to_under_some_adversarial_schedule() {
    let program = Arc::new(Program::from_ptx(&[&format!("{HEAD}{GIVES_UP}")]).expect("it loads"));
    let found = |seed| run(&program, Policy::Adversarial { seed }, Checks::Full).0;
    let found: Vec<u32> = (0..256).map(found).collect();
    let in_time = found.iter().filter(|&&count| count == 1).count();
    assert!((192..256).contains(&in_time), "in time in {in_time} of 256 runs");
}

#[test]
fn every_schedule_runs_each_block_once_in_fast_mode_too() {
    let program = Arc::new(Program::from_ptx(&[&format!("{HEAD}{SPIN_LOCK}")]).expect("it loads"));
    for policy in policies() {
        let (found, said, _) = run(&program, policy.clone(), Checks::Fast);
        assert_eq!((found, said.as_str()), (66, "None []"), "{policy:?}");
    }
}

/// A racy program: what it does depends on the schedule, and on nothing else.
#[test]
fn the_same_choices_give_the_same_run_and_a_replay_of_all_of_them_too() {
    let body = "
    ld.global.u32 %y, [%d+4];
    add.u32 %y, %y, 1;
    st.global.u32 [%d+4], %y;
    ret;
}
";
    let program = Arc::new(Program::from_ptx(&[&format!("{HEAD}{body}")]).expect("it loads"));
    let mut counts = std::collections::BTreeSet::new();
    for policy in policies() {
        let once = run(&program, policy.clone(), Checks::Full);
        assert_eq!(once, run(&program, policy.clone(), Checks::Full), "{policy:?}");
        let keep = (0..100_000).map(|number| choice(1, number)).collect();
        let all = Policy::Replay { of: Box::new(policy.clone()), keep };
        if !matches!(policy, Policy::Replay { .. }) {
            assert!(once == run(&program, all, Checks::Full), "{policy:?}");
        }
        counts.insert(once.0);
    }
    assert!(counts.len() > 2, "the schedules differ: {counts:?}");
}
