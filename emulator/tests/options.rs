//! What only a launch's own options or a module's odd sizes show.

use emulator::{Checks, Config, Device, HostMemory, LaunchConfig, LaunchError, Order, Policy, Profile, Program};
use std::sync::Arc;

const HEAD: &str = ".version 8.3\n.target sm_90\n.address_size 64\n";

/// As cooperative groups do it: each block adds to the barrier's word, and waits for its highest bit to turn.
const GRID: &str = ".visible .entry grid(.param .u64 data, .param .u64 out) {
    .reg .b32 %old, %now, %add, %i, %n, %t; .reg .b64 %d, %o, %w, %h, %at; .reg .pred %p;
    ld.param.u64 %d, [data]; ld.param.u64 %o, [out];
    mov.u32 %t, %envreg2; cvt.u64.u32 %w, %t;
    mov.u32 %t, %envreg1; cvt.u64.u32 %h, %t;
    bfi.b64 %w, %h, %w, 32, 32;
    setp.eq.u64 %p, %w, 0;
    @%p trap;
    mov.u32 %i, %ctaid.x; mov.u32 %n, %nctaid.x; mov.u32 %t, %tid.x;
    mad.lo.u32 %t, %i, %ntid.x, %t;
    mul.wide.u32 %at, %t, 4; add.u64 %at, %d, %at; st.global.u32 [%at], %t;
    barrier.sync 0;
    mov.u32 %old, %tid.x; setp.ne.u32 %p, %old, 0; @%p bra after;
    sub.u32 %add, 0x80000001, %n; setp.eq.u32 %p, %i, 0; selp.b32 %add, %add, 1, %p;
    atom.add.release.gpu.u32 %old, [%w+4], %add;
wait:
    ld.acquire.gpu.u32 %now, [%w+4]; xor.b32 %now, %now, %old; setp.ge.s32 %p, %now, 0; @%p bra wait;
after:
    barrier.sync 0;
    mul.lo.u32 %n, %n, %ntid.x; sub.u32 %n, %n, %t; sub.u32 %n, %n, 1;
    mul.wide.u32 %at, %n, 4; add.u64 %at, %d, %at; ld.global.u32 %now, [%at];
    mul.wide.u32 %at, %t, 4; add.u64 %at, %o, %at; st.global.u32 [%at], %now;
    ret;
}";

fn program(text: &str) -> Arc<Program> {
    Arc::new(Program::from_ptx(&[&format!("{HEAD}{text}")]).expect("it loads"))
}

fn shape(block: u32, grid: u32, cooperative: bool) -> LaunchConfig {
    LaunchConfig { grid: [grid, 1, 1], block: [block, 1, 1], dynamic_shared: 0, cooperative }
}

#[test]
fn blocks_of_a_cooperative_launch_meet() {
    let program = program(GRID);
    let order = Order::default();
    let random = (0..6).map(|seed| Policy::Random { seed });
    for (checks, policy) in [Checks::Full, Checks::Fast]
        .into_iter()
        .flat_map(|checks| std::iter::once(Policy::InOrder).chain(random.clone()).map(move |policy| (checks, policy)))
    {
        let mut device = Device::new(Profile::default());
        device.configure(Config { checks, policy: policy.clone(), ..Config::default() });
        let module = device.load(&program).unwrap();
        let buffers = [(); 2].map(|()| device.allocate(4 * 160, HostMemory::Device).unwrap());
        let free = device.free_memory();
        let parameters: Vec<u8> = buffers.iter().flat_map(|buffer| buffer.to_le_bytes()).collect();
        // Twice: each launch has a barrier of its own.
        for _ in 0..2 {
            let report = device.launch(&module, 0, &shape(32, 5, true), &parameters, &order).unwrap();
            assert_eq!((report.fault, report.findings), (None, Vec::new()), "{checks:?} {policy:?}");
        }
        assert_eq!(device.free_memory(), free);
        let mut bytes = [0; 4 * 160];
        assert_eq!(device.read(buffers[1], &mut bytes, &order).unwrap(), []);
        let values: Vec<u32> = bytes.chunks(4).map(|chunk| u32::from_le_bytes(chunk.try_into().unwrap())).collect();
        assert!(values.iter().copied().eq((0..160).rev()), "{checks:?} {policy:?}: {values:?}");
        // Outside a cooperative launch there is nothing to meet at.
        let report = device.launch(&module, 0, &shape(32, 5, false), &parameters, &order).unwrap();
        assert!(report.fault.is_some());
    }
}

#[test]
fn a_variable_without_bytes_is_no_obstacle() {
    let program = program(".global .b32 nothing[0];\n.visible .entry k() { ret; }");
    let mut device = Device::new(Profile::default());
    let module = device.load(&program).unwrap();
    let report = device.launch(&module, 0, &shape(32, 1, false), &[], &Order::default()).unwrap();
    assert_eq!(report.fault, None);
}

#[test]
fn a_required_block_larger_than_64_bits_can_count() {
    let program = program(".visible .entry k() .reqntid 4294967295, 4294967295, 4294967295 { ret; }");
    let mut device = Device::new(Profile::default());
    let module = device.load(&program).unwrap();
    let refused = device.launch(&module, 0, &shape(32, 1, false), &[], &Order::default());
    assert!(matches!(refused, Err(LaunchError::InvalidConfiguration(_))));
}
