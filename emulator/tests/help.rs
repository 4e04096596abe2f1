//! What a report advises must mend the bug: a barrier between the halves of a lost update does not.

use emulator::{Checks, Config, Device, LaunchConfig, Order, Place, Policy, Profile, Program};
use std::sync::Arc;

/// Reads on line 1, stores on line 2; `OTHER` is added to the place of the store.
const UPDATE: &str = "
.version 8.0
.target sm_80
.address_size 64
.visible .entry update(.param .u64 at)
{
    .reg .b64 %a, %b;
    .reg .b32 %r, %t;
    ld.param.u64 %a, [at];
    mov.u32 %t, %tid.x;
    .loc 1 1 1
    ld.global.u32 %r, [%a];
    .loc 1 2 1
    add.u32 %r, %r, 1;
    OTHER
    st.global.u32 [%b], %r;
    ret;
}
.file 1 \"update.cu\"";

fn help(other: &str) -> Vec<String> {
    advice(&UPDATE.replace("OTHER", other))
}

/// What is advised about races between the lines 1 and 2.
fn advice(text: &str) -> Vec<String> {
    let program = Arc::new(Program::from_ptx(&[text]).unwrap());
    let mut device = Device::new(Profile::default());
    device.configure(Config { checks: Checks::Full, policy: Policy::InOrder, ..Config::default() });
    let module = device.load(&program).unwrap();
    let order = Order::default();
    let buffer = device.allocate(4096, Place::Device).unwrap();
    device.fill(buffer, &[0], 4096, &order).unwrap();
    let config = LaunchConfig { grid: [1, 1, 1], block: [64, 1, 1], dynamic_shared: 0, cooperative: false };
    let report = device.launch(&module, 0, &config, &buffer.to_le_bytes(), &order).unwrap();
    let between = |lines: &[u32]| lines == [1, 2] || lines == [2, 1];
    let lines = |finding: &emulator::report::Finding| -> Vec<u32> {
        finding.accesses.iter().map(|access| access.location.as_ref().unwrap().line).collect()
    };
    report.findings.iter().filter(|finding| between(&lines(finding))).map(|finding| finding.help.clone()).collect()
}

#[test]
fn a_lost_update_over_two_lines_needs_one_step() {
    // Every thread stores where it read: line 2 races with itself too.
    let [advice] = help("mov.b64 %b, %a;").try_into().expect("one finding between the lines");
    assert!(advice.contains("atomic"), "{advice}");
}

#[test]
fn a_store_that_only_one_thread_makes_needs_an_order() {
    // Thread t stores to word t: only word 0 is read by others.
    let [advice] = help("mul.wide.u32 %b, %t, 4; add.u64 %b, %a, %b;").try_into().expect("one finding");
    assert!(advice.contains("__sync"), "{advice}");
}

/// A copy of the next tile races with itself as well, and is no update: what is missing is a wait.
#[test]
fn a_copy_that_nobody_waited_for_needs_a_wait() {
    let copy = "
.version 8.0
.target sm_80
.address_size 64
.visible .entry update(.param .u64 at)
{
    .reg .b64 %a, %b;
    .reg .b32 %r, %t, %s, %o;
    .reg .pred %p;
    .shared .align 16 .b8 tile[256];
    ld.param.u64 %a, [at];
    mov.u32 %t, %tid.x;
    mul.wide.u32 %b, %t, 4; add.u64 %b, %a, %b;
    mov.u32 %s, tile; mad.lo.u32 %s, %t, 4, %s;
    xor.b32 %o, %s, 128;
    mov.u32 %r, 0;
again:
    .loc 1 1 1
    cp.async.ca.shared.global [%s], [%b], 4;
    cp.async.commit_group;
    bar.sync 0;
    .loc 1 2 1
    ld.shared.u32 %t, [%o];
    bar.sync 0;
    add.u32 %r, %r, 1;
    setp.lt.u32 %p, %r, 2;
    @%p bra again;
    cp.async.wait_all;
    ret;
}
.file 1 \"update.cu\"";
    let [advice] = advice(copy).try_into().expect("one finding between the lines");
    assert!(advice.contains("`cg::wait()`") && !advice.contains("atomic"), "{advice}");
}

/// Block 0 hands word 0 to block 1 behind a flag. Lines: 1 the data, 2 what may stand before the flag, 3 the flag, 4 the look
/// at it, 5 the reader's data. `%t` is the thread of its block, `%q` false but for thread 0.
const HAND_OVER: &str = "
.version 8.0
.target sm_80
.address_size 64
.visible .entry hand_over(.param .u64 at)
{
    .reg .b64 %a;
    .reg .b32 %r, %t, %b;
    .reg .pred %p, %q;
    ld.param.u64 %a, [at];
    mov.u32 %t, %tid.x;
    mov.u32 %b, %ctaid.x;
    setp.eq.u32 %q, %t, 0;
    setp.ne.u32 %p, %b, 0;
    @%p bra reader;
    WRITER
    ret;
reader:
    READER
    .loc 1 5 1
    ld.global.u32 %r, [%a];
    ret;
}
.file 1 \"hand_over.cu\"";

const DATA: &str = ".loc 1 1 1\n @%q st.global.u32 [%a], 7;\n";
const DATA_OF_ANOTHER: &str = "setp.eq.u32 %p, %t, 40;\n .loc 1 1 1\n @%p st.global.u32 [%a], 7;\n bar.sync 0;\n";
const FLAG: &str = ".loc 1 3 1\n @%q st.relaxed.gpu.global.u32 [%a+64], 1;\n";
const COUNTER: &str = ".loc 1 3 1\n @%q atom.relaxed.gpu.global.add.u32 %r, [%a+64], 1;\n";
const FENCE: &str = ".loc 1 2 1\n fence.acq_rel.gpu;\n";
const LOOK: &str =
    "again:\n .loc 1 4 1\n ld.acquire.gpu.global.u32 %r, [%a+64];\n setp.eq.u32 %p, %r, 0;\n @%p bra again;\n";
const LOOK_OF_ONE: &str = "@!%q bra behind;\nagain:\n .loc 1 4 1\n ld.acquire.gpu.global.u32 %r, [%a+64];\n setp.eq.u32 %p, %r, 0;\n \
     @%p bra again;\nbehind:\n bar.sync 0;\n";

/// What is advised of the race between the two lines of the data, if they race.
fn hand_over(writer: &[&str], reader: &str) -> Option<String> {
    let text = HAND_OVER.replace("WRITER", &writer.concat()).replace("READER", reader);
    let program = Arc::new(Program::from_ptx(&[&text]).unwrap());
    let mut device = Device::new(Profile::default());
    device.configure(Config { checks: Checks::Full, policy: Policy::InOrder, ..Config::default() });
    let module = device.load(&program).unwrap();
    let order = Order::default();
    let buffer = device.allocate(4096, Place::Device).unwrap();
    device.fill(buffer, &[0], 4096, &order).unwrap();
    let config = LaunchConfig { grid: [2, 1, 1], block: [64, 1, 1], dynamic_shared: 0, cooperative: false };
    let report = device.launch(&module, 0, &config, &buffer.to_le_bytes(), &order).unwrap();
    let mut findings = report.findings.into_iter();
    let help = findings.next().map(|finding| format!("{}: {}", finding.why, finding.help));
    assert!(findings.next().is_none(), "{text}");
    help
}

#[test]
fn a_flag_that_releases_nothing_is_named_with_the_place_of_its_fence() {
    for data in [DATA, DATA_OF_ANOTHER] {
        for flag in [FLAG, COUNTER] {
            for look in [LOOK, LOOK_OF_ONE] {
                let advice = hand_over(&[data, flag], look).expect("a race");
                assert!(advice.contains("`__threadfence()` between lines 1 and 3"), "{advice}");
                assert_eq!(hand_over(&[data, FENCE, flag], look), None);
            }
        }
    }
    // A fence before the data covers nothing of it.
    let advice = hand_over(&[FENCE, DATA, FLAG], LOOK).expect("a race");
    assert!(advice.contains("between lines 1 and 3"), "{advice}");
}

#[test]
fn a_flag_that_was_set_before_the_data_or_not_looked_at_is_not_named() {
    for (writer, look) in
        [([FLAG, DATA], LOOK), ([DATA, FLAG], ""), ([DATA, FLAG], "ld.relaxed.gpu.global.u32 %r, [%a+128];")]
    {
        let advice = hand_over(&writer, look).expect("a race");
        assert!(!advice.contains("line 3") && !advice.contains("lines"), "{advice}");
    }
}
