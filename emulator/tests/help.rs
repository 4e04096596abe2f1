//! What a report advises must mend the bug: a barrier between the halves of a lost update does not.
//!
//! It is long because each rule of advice stands beside the kernels that it must and must not speak of.

use crate::kernel::{lines, report};
use crate::words::Words;
use emulator::finding::{Finding, Slug};
use emulator::{Checks, Config, Device, HostMemory, LaunchConfig, Order, Policy, Profile, Program};
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
    let buffer = device.allocate(4096, HostMemory::Device).unwrap();
    device.fill(buffer, &[0], 4096, &order).unwrap();
    let config = LaunchConfig { grid: [1, 1, 1], block: [64, 1, 1], dynamic_shared: 0, cooperative: false };
    let report = device.launch(&module, 0, &config, &buffer.to_le_bytes(), &order).unwrap();
    let between = |lines: &[u32]| lines == [1, 2] || lines == [2, 1];
    report.findings.iter().filter(|finding| between(&lines(finding))).map(|finding| finding.fix()).collect()
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
    let buffer = device.allocate(4096, HostMemory::Device).unwrap();
    device.fill(buffer, &[0], 4096, &order).unwrap();
    let config = LaunchConfig { grid: [2, 1, 1], block: [64, 1, 1], dynamic_shared: 0, cooperative: false };
    let report = device.launch(&module, 0, &config, &buffer.to_le_bytes(), &order).unwrap();
    let mut findings = report.findings.into_iter();
    let help = findings.next().map(|finding| format!("{}: {}", finding.why(), finding.fix()));
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

/// The findings of a kernel that does `body`.
fn findings(grid: u32, block: u32, policy: Policy, body: &str) -> Vec<Finding> {
    report(grid, block, policy, body).findings
}

/// Stores in line 18, waits in line 19, loads in line 20 what another thread has stored.
const ROUND: &str = "
    .loc 1 18 1
    st.shared.u32 [%s], %i;
    .loc 1 19 1
    bar.sync 0;
    .loc 1 20 1
    ld.shared.u32 %r, [%o];
    add.u32 %i, %i, 1;";

fn rounds(body: &str) -> Vec<String> {
    let start = "mov.u32 %i, 0; mov.u32 %s, tile; mad.lo.u32 %s, %t, 4, %s; xor.b32 %o, %s, 252;";
    let policies = [Policy::InOrder, Policy::Reverse, Policy::Random { seed: 1 }, Policy::Adversarial { seed: 1 }];
    let all = policies.into_iter().flat_map(|policy| findings(1, 64, policy, &format!("{start}{body}")));
    all.map(|finding| finding.fix()).collect()
}

#[test]
fn a_race_with_the_next_round_is_told_where_the_round_ends() {
    let turn = "setp.lt.u32 %p, %i, 4; @%p bra again;";
    for body in [format!("again: {ROUND} {turn}"), format!("again: {ROUND} {ROUND} {turn}"), ROUND.repeat(4)] {
        let told = rounds(&body);
        assert!(!told.is_empty());
        for help in told {
            assert!(help.contains("after line 20") && help.contains("comes back to line 18"), "{help}");
        }
        assert!(rounds(&body.replace("add.u32 %i", "bar.sync 0; add.u32 %i")).is_empty());
    }
    // Without a barrier, or where threads may pass it by, it may be one round.
    for barrier in ["", "setp.gt.u32 %q, %t, 31; @%q bra over; bar.sync 0, 32; over:"] {
        let told = rounds(&format!("again: {} {turn}", ROUND.replace("bar.sync 0;", barrier)));
        assert!(!told.is_empty());
        assert!(told.iter().all(|help| help.contains("between the two lines")), "{told:?}");
    }
}

/// All threads count and look plainly in one line.
#[test]
fn what_one_line_does_in_two_accesses_is_to_be_one_atomic_operation() {
    let body = "
        .loc 1 1 1
        atom.global.add.u32 %r, [%a], 1;
        .loc 1 1 9
        ld.global.u32 %s, [%a];
        add.u32 %r, %r, %s;
        mul.lo.u32 %r, %r, 0;";
    let told = findings(2, 32, Policy::InOrder, body);
    assert!(!told.is_empty());
    assert!(told.iter().all(|finding| finding.fix().contains("one atomic operation must do all")), "{told:?}");
}

/// Line 1 is an exchange and line 2 an addition, both of block scope; line 2 races with itself too.
#[test]
fn atomics_too_narrow_for_each_other_are_to_be_widened() {
    let body = "
        setp.eq.u32 %p, %b, 0;
        .loc 1 1 1
        @%p atom.cta.global.exch.b32 %r, [%a], 1;
        .loc 1 2 1
        @!%p atom.cta.global.add.u32 %r, [%a], 0;";
    let found = findings(3, 1, Policy::InOrder, body);
    assert_eq!(found.len(), 2, "{found:?}");
    for finding in found {
        assert_eq!(finding.slug, Slug::RaceScope);
        assert!(
            finding.fix().contains("the atomic operation in line") && finding.fix().contains("device scope"),
            "{}",
            finding.fix()
        );
    }
}

/// Gives back the lock that [`locked`] takes.
const EXCHANGE: &str = ".loc 1 5 1\n atom.global.exch.b32 %o, [%a+64], 0;";

/// Takes a lock in line 1, counts in line 3, under another `.loc` from `between` on if it says so, and does `release`.
fn locked(acquire: &str, between: &str, release: &str) -> String {
    format!(
        "take:
        .loc 1 1 1
        atom.global.cas.b32 %r, [%a+64], 0, 1;
        setp.ne.u32 %p, %r, 0;
        @%p bra take;
        {acquire}
        .loc 1 3 1
        ld.global.u32 %r, [%a];
        add.u32 %r, %r, 1;
        {between}
        st.global.u32 [%a], %r;
        {release}"
    )
}

/// What a lock lacks is told alike for lanes, warps and blocks. The load and the store may be one access of the source or two.
#[test]
fn a_lock_without_fences_is_told_of_them_at_every_distance() {
    for (grid, block) in [(1, 2), (1, 20), (1, 48), (2, 1)] {
        for column in ["", ".loc 1 3 9"] {
            for policy in [Policy::InOrder, Policy::Reverse, Policy::Adversarial { seed: 3 }] {
                let told = |acquire: &str, release: &str| -> Vec<String> {
                    let body = locked(acquire, column, &format!("{release}\n{EXCHANGE}"));
                    findings(grid, block, policy.clone(), &body).into_iter().map(|finding| finding.fix()).collect()
                };
                for (acquire, release) in [("", ""), ("membar.gl;", ""), ("", "membar.gl;")] {
                    let told = told(acquire, release);
                    assert!(!told.is_empty());
                    assert!(
                        told.iter().all(|help| help.contains("`__threadfence()`") && !help.contains("__syncwarp")),
                        "{grid} {block} {column} {policy:?} {acquire} {release}: {told:?}"
                    );
                }
                assert!(told("membar.gl;", "membar.gl;").is_empty());
            }
        }
    }
}

#[test]
fn an_access_beyond_a_buffer_is_called_as_the_source_would_index_it() {
    let [finding] = findings(1, 1, Policy::InOrder, "st.global.u32 [%a+4096], 1;").try_into().expect("one finding");
    let (there, past) = ("element 1024 of what argument 1 points to", "0 bytes past the end of the 4096-byte buffer");
    assert_eq!(finding.place(), format!("{there}, {past} that argument 1 points to"));
    let named = report::place(&finding, &report::Reader::default().with(1, "data"));
    assert_eq!(named, format!("`data[1024]`, {past} that `data` points to"));
}

/// What is said of the first race between two lines, in any order.
fn told(found: &[Finding], both: [u32; 2]) -> String {
    let is_it = |finding: &&Finding| lines(finding) == both || lines(finding) == [both[1], both[0]];
    let finding = found.iter().find(is_it).unwrap_or_else(|| panic!("no race between {both:?}: {found:?}"));
    format!("{}: {}", finding.why(), finding.fix())
}

#[test]
fn a_barrier_that_is_missing_beside_a_flag_with_both_fences_is_told_with_its_lines() {
    let data_of_another = DATA_OF_ANOTHER.replace("bar.sync 0;", "");
    let advice = hand_over(&[&data_of_another, FENCE, FLAG], LOOK).expect("a race");
    assert!(advice.contains("`__syncthreads()` that all threads of the block reach between lines 1 and 2"), "{advice}");
    // The barrier is there, and the fence is what is missing.
    let advice = hand_over(&[DATA_OF_ANOTHER, FLAG], LOOK).expect("a race");
    assert!(advice.contains("`__threadfence()` between lines 1 and 3"), "{advice}");
    // On the reader's side the threads of its second warp come later than the look, and do not look themselves.
    let look = LOOK_OF_ONE.replace("bar.sync 0;", "");
    let advice = hand_over(&[DATA, FENCE, FLAG], &look).expect("a race");
    assert!(advice.contains("`__syncthreads()` that all threads of the block reach between lines 4 and 5"), "{advice}");
    // Without the flag it is no matter of a barrier.
    let advice = hand_over(&[DATA, FENCE], "").expect("a race");
    assert!(advice.contains("split the kernel in two launches") && !advice.contains("lines 4"), "{advice}");
}

#[test]
fn a_flag_that_is_plain_on_one_side_is_to_be_atomic_there() {
    let body = |store: &str, load: &str| {
        format!(
            "setp.ne.u32 %p, %b, 0; @%p bra reader;
            .loc 1 1 1
            st.{store}.u32 [%a], 1;
            ret;
            reader: again:
            .loc 1 2 1
            ld.{load}.u32 %r, [%a];
            setp.eq.u32 %p, %r, 0;
            @%p bra again;"
        )
    };
    for (store, load) in [("global", "volatile.global"), ("volatile.global", "global")] {
        let found = findings(2, 1, Policy::InOrder, &body(store, load));
        let told = told(&found, [1, 2]);
        assert!(told.contains("atomic or volatile on both sides") && !told.contains("launch end"), "{told}");
        // One look is no waiting.
        let found = findings(2, 1, Policy::InOrder, &body(store, load).replace("@%p bra again;", ""));
        assert!(self::told(&found, [1, 2]).contains("let a launch end between the two"));
    }
}

/// All threads count in line 1, and look plainly in line 2.
#[test]
fn a_count_that_is_looked_at_again_is_to_be_taken_from_the_atomic_operation() {
    let body = "
        .loc 1 1 1
        atom.global.add.u32 %r, [%a], 1;
        .loc 1 2 1
        ld.global.u32 %s, [OTHER];
        add.u32 %r, %r, %s;
        .loc 1 3 1
        st.global.u32 [%a+1024], %r;";
    let told_of = |other: &str, guard: &str| {
        let body = body.replace("OTHER", other).replace("atom.", &format!("{guard} atom."));
        findings(2, 1, Policy::InOrder, &body)
    };
    let told = told(&told_of("%a", ""), [1, 2]);
    assert!(told.contains("use the value that the atomic operation in line 1 returns"), "{told}");
    // The thread that looks has not counted.
    let told = self::told(&told_of("%a", "setp.eq.u32 %p, %b, 0; @%p"), [1, 2]);
    assert!(!told.contains("returns"), "{told}");
}

/// Lane 20, or thread 40, stores in line 1; thread 0 loads in line 4.
#[test]
fn a_barrier_that_one_of_two_threads_did_not_come_to_is_named() {
    let body = |who: u32, then: &str| {
        format!(
            "mov.u32 %s, tile;
            setp.eq.u32 %p, %t, {who};
            .loc 1 1 1
            @%p st.shared.u32 [%s], 1;
            {then}
            setp.eq.u32 %q, %t, 0;
            .loc 1 4 1
            @%q ld.shared.u32 %r, [%s];"
        )
    };
    let leaves = ".loc 1 2 1\n @%p ret;\n .loc 1 3 1\n";
    let cases = [
        // Its mask leaves the lane out.
        (
            20,
            "setp.ge.u32 %q, %t, 16; @%q bra over;\n .loc 1 3 1\n bar.warp.sync 0xffff;\n over:",
            ["line 3 lane 0 met the lanes of 0x0000ffff, and lane 20 is not one of them", "name in the mask in line 3"],
        ),
        (
            20,
            &format!("{leaves} bar.warp.sync -1;"),
            ["did not come to the barrier of the warp in line 3", "it ended in line 2"],
        ),
        (40, &format!("{leaves} bar.sync 0;"), ["it ended in line 2", "let all threads of the block come to line 3"]),
        // It trades registers, and orders nothing.
        (
            20,
            ".loc 1 3 1\n shfl.sync.down.b32 %r, %t, 1, 31, -1;",
            ["both lanes come to the `__shfl_down_sync()` in line 3", "put a `__syncwarp()`"],
        ),
    ];
    for (who, then, parts) in cases {
        let told = told(&findings(1, 64, Policy::InOrder, &body(who, then)), [1, 4]);
        assert!(parts.iter().all(|part| told.contains(part)), "{told}");
    }
    // Both came to it, before the store.
    let early = body(40, "").replace("mov.u32 %s", ".loc 1 3 1\n bar.sync 0;\n bar.warp.sync -1; mov.u32 %s");
    let told = told(&findings(1, 64, Policy::InOrder, &early), [1, 4]);
    assert!(
        told.contains("put a `__syncthreads()` that all threads of the block reach between the two lines"),
        "{told}"
    );
}

/// Each block takes the lock that its number names, or none.
#[test]
fn threads_under_different_locks_are_told_of_them() {
    let body = "
        mad.wide.u32 %l, %b, 4, %a;
        IF bra none;
        take:
        .loc 1 1 1
        atom.global.cas.b32 %r, [%l+64], 0, 1;
        setp.ne.u32 %p, %r, 0;
        @%p bra take;
        membar.gl;
        none:
        .loc 1 3 1
        ld.global.u32 %r, [%a];
        add.u32 %r, %r, 1;
        .loc 1 4 1
        st.global.u32 [%a], %r;
        IF bra over;
        membar.gl;
        .loc 1 5 1
        atom.global.exch.b32 %r, [%l+64], 0;
        over:";
    let found = |without: u32| {
        let body = format!(".reg .b64 %l;\n setp.eq.u32 %q, %b, {without};\n {}", body.replace("IF", "@%q"));
        findings(2, 1, Policy::InOrder, &body)
    };
    let both = told(&found(9), [3, 4]);
    let (one, other) = ("element 16 of what argument 1 points to", "element 17 of what argument 1 points to");
    assert!(both.contains(&format!("under the lock {one} and (2) under {other}")), "{both}");
    assert!(both.contains("let both threads hold one lock, the same"), "{both}");
    let one_side = told(&found(1), [3, 4]);
    assert!(one_side.contains(&format!("under the lock {one}, which (2)'s thread does not hold")), "{one_side}");
}

/// Two lanes of one warp, too, are told of the lock's own lines.
#[test]
fn a_lock_that_releases_nothing_is_named_between_lanes_of_a_warp() {
    let found = |release: &str| findings(1, 2, Policy::InOrder, &locked("", ".loc 1 4 1", release));
    let unfenced = told(&found(EXCHANGE), [3, 4]);
    assert!(unfenced.contains("`__threadfence()` between lines 4 and 5"), "{unfenced}");
    assert!(unfenced.contains("another behind line 1, which sees it"), "{unfenced}");
    // What is taken by an atomic operation is not given back by a plain store.
    let plain = told(&found(".loc 1 5 1\n st.global.u32 [%a+64], 0;"), [1, 5]);
    assert!(plain.contains("has taken it by an atomic operation in line 1"), "{plain}");
    assert!(plain.contains("`__threadfence()` and then `atomicExch()` in line 5"), "{plain}");
}

/// Line 1 loads plainly what the compare-and-swap in line 2 looks for, unless it is large enough.
#[test]
fn a_plain_load_for_a_compare_and_swap_is_to_be_strong() {
    let body = "
        .loc 1 1 1
        ld.global.u32 %r, [%a];
        setp.ge.u32 %p, %r, %b; @%p ret;
        .loc 1 2 1
        atom.global.cas.b32 %s, [%a], %r, %b;";
    let told = told(&findings(3, 1, Policy::InOrder, body), [1, 2]);
    assert!(
        told.contains("since the compare-and-swap looks again, make (") && told.contains("atomic or volatile too"),
        "{told}"
    );
}
