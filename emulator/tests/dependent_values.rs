//! Dependent launches, under schedules that give loads older values: until a thread waits, it may find what memory held
//! before the launch ahead.

use emulator::{Config, Device, HostMemory, HostOrder, LaunchConfig, Policy, Profile, Program};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A kernel of one thread. All kernels share a word, which is 0 at first.
const KERNEL: &str = r"
.visible .entry NAME(.param .u64 word, .param .u64 out)
{
    .reg .b64 %word, %out;
    .reg .b32 %early, %late;
    ld.param.u64 %word, [word];
    ld.param.u64 %out, [out];
    BODY
    ret;
}
";

const BODIES: [(&str, &str); 4] = [
    ("first", "griddepcontrol.launch_dependents; st.global.u32 [%word], 1;"),
    (
        "second",
        "ld.global.u32 %early, [%word]; griddepcontrol.wait; ld.global.u32 %late, [%word]; \
         st.global.v2.u32 [%out], {%early, %late};",
    ),
    (
        "overwrites",
        "st.global.u32 [%word], 2; griddepcontrol.wait; ld.global.u32 %late, [%word]; \
         st.global.v2.u32 [%out], {%late, %late};",
    ),
    ("waitless", "griddepcontrol.launch_dependents;"),
];

const FIRST: usize = 0;
const SECOND: usize = 1;
const OVERWRITES: usize = 2;
const WAITLESS: usize = 3;

/// Returns the order of an operation of the host after so many launches.
fn of_host(launches: u32) -> HostOrder {
    HostOrder { agent: 0, clock: vec![1, launches], overlaps: None }
}

/// Returns the two words that launches of `kernels` in one stream leave. All but the first are dependent launches if
/// `overlap`.
fn run(kernels: &[usize], overlap: bool, policy: Policy) -> (u32, u32) {
    let mut device = Device::new(Profile::default());
    device.configure(Config { policy, ..Config::default() });
    let all = BODIES.map(|(name, body)| KERNEL.replace("NAME", name).replace("BODY", body));
    let text = format!(".version 8.3\n.target sm_90\n.address_size 64\n{}", all.concat());
    let module = device.load(&Arc::new(Program::from_ptx(&[&text]).unwrap())).unwrap();
    let [word, out] = [4, 8].map(|bytes| device.allocate(bytes, HostMemory::Unified).unwrap());
    device.write(word, &[0; 4], &of_host(0)).unwrap();
    let shape =
        LaunchConfig { grid: [1, 1, 1], block: [1, 1, 1], dynamic_shared: 0, cooperative: false, cluster: None };
    let arguments = [word.to_le_bytes(), out.to_le_bytes()].concat();
    for (tick, &kernel) in (1..).zip(kernels) {
        let overlaps = (overlap && tick > 1).then_some(0);
        let order = HostOrder { agent: 1, clock: vec![1, tick], overlaps };
        device.launch(&module, kernel, &shape, &arguments, &order).unwrap();
    }
    let mut found = [0; 8];
    device.read(out, &mut found, &of_host(kernels.len() as u32)).unwrap();
    let value = |at: usize| u32::from_le_bytes(found[at..at + 4].try_into().unwrap());
    (value(0), value(4))
}

/// Returns what 64 adversarial schedules leave.
fn outcomes(kernels: &[usize], overlap: bool) -> BTreeSet<(u32, u32)> {
    (0..64).map(|seed| run(kernels, overlap, Policy::Adversarial { seed })).collect()
}

#[test]
fn a_load_before_the_wait_may_find_the_value_from_before_the_launch_ahead() {
    assert_eq!(outcomes(&[FIRST, SECOND], true), BTreeSet::from([(0, 1), (1, 1)]));
}

#[test]
fn a_store_before_the_wait_may_come_before_that_of_the_launch_ahead() {
    assert_eq!(outcomes(&[FIRST, OVERWRITES], true), BTreeSet::from([(1, 1), (2, 2)]));
}

#[test]
fn a_wait_for_a_launch_that_has_not_waited_covers_it_alone() {
    let found = outcomes(&[FIRST, WAITLESS, SECOND], true);
    assert_eq!(found, BTreeSet::from([(0, 0), (0, 1), (1, 1)]));
}

#[test]
fn an_ordinary_launch_finds_all_that_earlier_ones_have_written() {
    assert_eq!(outcomes(&[FIRST, SECOND], false), BTreeSet::from([(1, 1)]));
    assert_eq!(outcomes(&[FIRST, WAITLESS, SECOND], false), BTreeSet::from([(1, 1)]));
}

#[test]
fn without_older_values_launches_run_one_after_the_other() {
    for policy in [Policy::InOrder, Policy::Reverse] {
        assert_eq!(run(&[FIRST, SECOND], true, policy), (1, 1));
    }
}
