//! Accesses of the program itself to memory that it shares with the device, beside work that is queued.

use emulator::finding::Finding;
use emulator::finding::{Cause, HostOperation, Relation, Slug};
use emulator::{Checks, Config, Device, HostMemory, HostOrder, LaunchConfig, Profile, Program};
use std::sync::Arc;

/// Byte 4 of what it is given is written, plainly or atomically.
const KERNELS: &str = r"
.version 8.3
.target sm_75
.address_size 64
.visible .entry plain(.param .u64 to)
{
    .reg .b64 %a;
    .reg .b32 %r;
    ld.param.u64 %a, [to];
    mov.u32 %r, 7;
    st.global.u8 [%a+4], %r;
    ret;
}
.visible .entry strong(.param .u64 to)
{
    .reg .b64 %a;
    .reg .b32 %r;
    ld.param.u64 %a, [to];
    mov.u32 %r, 7;
    st.relaxed.sys.global.u8 [%a+4], %r;
    ret;
}
";

/// The host touches byte `offset` while launch 0 is queued: before the launch runs, or after it did and nobody waited.
fn findings(kernel: usize, offset: u64, writes: bool, runs_first: bool) -> Vec<Finding> {
    let mut device = Device::new(Profile::default());
    device.configure(Config { checks: Checks::Full, ..Config::default() });
    let address = device.allocate(64, HostMemory::Unified).unwrap();
    let module = device.load(&Arc::new(Program::from_ptx(&[KERNELS]).unwrap())).unwrap();
    let host = HostOrder { agent: 0, clock: vec![2, 0], overlaps: None };
    let launch = HostOrder { agent: 1, clock: vec![1, 1], overlaps: None };
    let shape =
        LaunchConfig { grid: [1, 1, 1], block: [1, 1, 1], dynamic_shared: 0, cooperative: false, cluster: None };
    let mut found = vec![];
    let touch = |device: &mut Device| device.host_access(address + offset, writes, &host).unwrap();
    if !runs_first {
        found.extend(touch(&mut device));
    }
    found.extend(device.launch(&module, kernel, &shape, &address.to_le_bytes(), &launch).unwrap().findings);
    if runs_first {
        found.extend(touch(&mut device));
    }
    found
}

#[test]
fn a_byte_that_a_queued_kernel_writes_races_with_the_host() {
    for (writes, operation) in [(false, HostOperation::Read), (true, HostOperation::Write)] {
        for runs_first in [false, true] {
            let found = findings(0, 4, writes, runs_first);
            assert_eq!(found.len(), 1, "{writes} {runs_first}");
            assert_eq!(found[0].slug, Slug::RaceGlobal);
            let told = match &found[0].cause {
                Cause::HostUnordered { operation, .. } => Some(*operation),
                Cause::Unordered(race) => match race.relation {
                    Relation::Host { operation } => Some(operation),
                    _ => None,
                },
                _ => None,
            };
            assert_eq!(told, Some(operation));
        }
    }
}

#[test]
fn the_byte_beside_it_and_a_strong_access_do_not() {
    for runs_first in [false, true] {
        for offset in [3, 5, 8] {
            assert_eq!(findings(0, offset, true, runs_first), [], "{offset} {runs_first}");
        }
        assert_eq!(findings(1, 4, false, runs_first), [], "{runs_first}");
    }
}
