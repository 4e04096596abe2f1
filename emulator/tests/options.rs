//! Tests of a launch's own options and of a module's odd sizes.

use emulator::{Checks, Config, Device, HostMemory, HostOrder, LaunchConfig, LaunchError, Policy, Profile, Program};
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
    LaunchConfig { grid: [grid, 1, 1], block: [block, 1, 1], dynamic_shared: 0, cooperative, cluster: None }
}

#[test]
fn blocks_of_a_cooperative_launch_meet() {
    let program = program(GRID);
    let order = HostOrder::default();
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
    let report = device.launch(&module, 0, &shape(32, 1, false), &[], &HostOrder::default()).unwrap();
    assert_eq!(report.fault, None);
}

#[test]
fn a_required_block_larger_than_64_bits_can_count() {
    let program = program(".visible .entry k() .reqntid 4294967295, 4294967295, 4294967295 { ret; }");
    let mut device = Device::new(Profile::default());
    let module = device.load(&program).unwrap();
    let refused = device.launch(&module, 0, &shape(32, 1, false), &[], &HostOrder::default());
    assert!(matches!(refused, Err(LaunchError::InvalidConfiguration(_))));
}

#[test]
fn a_grid_is_a_whole_number_of_clusters() {
    let text = ".visible .entry pairs() .reqnctapercluster 2, 1, 1 { ret; } .visible .entry any() { ret; }
        .visible .entry large() .reqnctapercluster 32, 1, 1 { ret; }";
    let program = program(text);
    let mut device = Device::new(Profile::default());
    let module = device.load(&program).unwrap();
    let number = |name: &str| program.kernels().iter().position(|kernel| kernel.name == name).expect(name);
    let mut is_launched = |name: &str, grid, cluster| {
        let config = LaunchConfig { cluster, ..shape(32, grid, false) };
        match device.launch(&module, number(name), &config, &[], &HostOrder::default()) {
            Ok(report) => report.fault.is_none(),
            Err(LaunchError::InvalidConfiguration(_)) => false,
            Err(other) => panic!("{other:?}"),
        }
    };
    assert!(is_launched("pairs", 4, None) && is_launched("pairs", 4, Some([2, 1, 1])));
    assert!(!is_launched("pairs", 3, None) && !is_launched("pairs", 4, Some([4, 1, 1])));
    assert!(is_launched("any", 3, Some([3, 1, 1])) && is_launched("any", 32, Some([16, 1, 1])));
    assert!(!is_launched("any", 4, Some([3, 1, 1])) && !is_launched("any", 34, Some([17, 1, 1])));
    assert!(!is_launched("large", 32, None));
}

/// A kernel that runs, and the reason for which `text` keeps another one from it: what and in which line of the PTX.
fn refused_beside_one_that_runs(text: &str, name: &str) -> (String, u32, bool) {
    let good = ".visible .entry good() { .reg .b32 %r1; mov.u32 %r1, 1; ret; }\n";
    let program = Arc::new(
        Program::from_ptx(&[&format!(".version 99.0\n.target sm_90\n.address_size 64\n{good}{text}")])
            .expect("it loads"),
    );
    assert_eq!(program.version(), (99, 0));
    let mut device = Device::new(Profile::default());
    let module = device.load(&program).unwrap();
    let number = |name: &str| program.kernels().iter().position(|kernel| kernel.name == name).expect(name);
    let mut launch =
        |name: &str| device.launch(&module, number(name), &shape(32, 1, false), &[], &HostOrder::default());
    assert_eq!(launch("good").expect("it is understood").fault, None, "{text}");
    let Err(LaunchError::Unsupported(why)) = launch(name) else { panic!("{text}: it is launched") };
    assert_eq!((why.kernel.as_str(), program.unsupported(number(name))), (name, Some(&why)), "{text}");
    (why.what, why.line, why.is_understood)
}

#[test]
fn what_is_not_understood_costs_the_kernels_that_use_it_and_no_others() {
    for (text, name, what, line, is_understood) in [
        // A statement, an operand, a special register.
        (".entry bad() {\n .frob 1;\n ret; }", "bad", "unknown directive `.frob`", 6, false),
        (".entry bad() {\n frob <1>;\n ret; }", "bad", "found `<`, expected an operand", 6, false),
        (
            ".entry bad() { .reg .b32 a;\n mov.u32 a, %frobid;\n ret; }",
            "bad",
            "register `%frobid` is not declared",
            6,
            false,
        ),
        // An instruction, a modifier, a form of a known one.
        (".entry bad() {\n frob.b32;\n ret; }", "bad", "frob.b32: no instruction", 6, false),
        (".entry bad() {\n bar.frob 0;\n ret; }", "bad", "bar.frob", 6, true),
        (".entry bad() {\n tcgen05.wait::ld.sync.aligned;\n ret; }", "bad", "tcgen05.wait::ld.sync.aligned", 6, true),
        // In a function that it calls, and in the header.
        (
            ".func f() {\n .frob;\n ret; }\n.entry bad() { call f, (); ret; }",
            "bad",
            "unknown directive `.frob`",
            6,
            false,
        ),
        (
            ".entry bad() .frob 3\n{ ret; }",
            "bad",
            "found `.frob`, expected `{`, `;` or a performance directive",
            5,
            false,
        ),
        // A directive of the module that it needs.
        (
            ".frob .b32 x;\n.entry bad() { .reg .b64 a;\n mov.u64 a, x; ret; }",
            "bad",
            "`x` is not declared (line 5 is not understood: unknown directive `.frob`)",
            7,
            false,
        ),
        (
            ".frob f;\n.extern .func f;\n.entry bad() {\n call f, (); ret; }",
            "bad",
            "call: `f` is nowhere defined",
            8,
            false,
        ),
    ] {
        let (found, at, understood) = refused_beside_one_that_runs(text, name);
        assert!(found.contains(what), "{text}: {found}");
        assert_eq!((at, understood), (line, is_understood), "{text}: {found}");
    }
}
