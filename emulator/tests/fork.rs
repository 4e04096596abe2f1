//! A copy of a device, on which a launch is tried again.

use emulator::finding::Slug;
use emulator::{Checks, Config, Device, HostMemory, HostOrder, LaunchConfig, Profile, Program};
use std::sync::Arc;

/// Adds one to what it is given.
const KERNEL: &str = r"
.version 8.3
.target sm_75
.address_size 64
.visible .entry add(.param .u64 to)
{
    .reg .b64 %a;
    ld.param.u64 %a, [to];
    red.global.add.u32 [%a], 1;
    ret;
}
";

#[test]
fn what_nothing_has_written_is_unwritten_in_the_copy_too() {
    let order = HostOrder::default();
    let shape =
        LaunchConfig { grid: [1, 1, 1], block: [1, 1, 1], dynamic_shared: 0, cooperative: false, cluster: None };
    for is_zeroed in [false, true] {
        let mut device = Device::new(Profile::default());
        device.configure(Config { checks: Checks::Full, ..Config::default() });
        let counter = device.allocate(4, HostMemory::Device).unwrap();
        let module = device.load(&Arc::new(Program::from_ptx(&[KERNEL]).unwrap())).unwrap();
        if is_zeroed {
            device.fill(counter, &[0], 4, &order).unwrap();
        }
        let mut copy = device.fork(1 << 20).unwrap();
        let slugs = |device: &mut Device| -> Vec<Slug> {
            let report = device.launch(&module, 0, &shape, &counter.to_le_bytes(), &order).unwrap();
            report.findings.iter().map(|finding| finding.slug).collect()
        };
        let expected = if is_zeroed { vec![] } else { vec![Slug::UndefinedValue] };
        assert_eq!([slugs(&mut copy), slugs(&mut device)], [expected.clone(), expected]);
    }
}
