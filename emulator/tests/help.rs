//! Tests that a report's advice fixes the bug: a barrier between the halves of a lost update does not.
//!
//! It is long because each rule of advice stands beside the kernels that it must and must not speak of.

use crate::kernel::{lines, report};
use crate::races::{at, missing, narrow_lines, pair, race};
use crate::words::Words;
use emulator::finding::{Copies, End, Finding, Means, Missing, Polled, Relation, Slug, SourceLocation, Turn, Word};
use emulator::{Checks, Config, Device, HostMemory, HostOrder, LaunchConfig, Policy, Profile, Program};
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

fn updates(other: &str) -> Vec<Finding> {
    found(&UPDATE.replace("OTHER", other))
}

/// The races between the lines 1 and 2.
fn found(text: &str) -> Vec<Finding> {
    let program = Arc::new(Program::from_ptx(&[text]).unwrap());
    let mut device = Device::new(Profile::default());
    device.configure(Config { checks: Checks::Full, policy: Policy::InOrder, ..Config::default() });
    let module = device.load(&program).unwrap();
    let order = HostOrder::default();
    let buffer = device.allocate(4096, HostMemory::Device).unwrap();
    device.fill(buffer, &[0], 4096, &order).unwrap();
    let config =
        LaunchConfig { grid: [1, 1, 1], block: [64, 1, 1], dynamic_shared: 0, cooperative: false, cluster: None };
    let report = device.launch(&module, 0, &config, &buffer.to_le_bytes(), &order).unwrap();
    let between = |lines: &[u32]| lines == [1, 2] || lines == [2, 1];
    report.findings.into_iter().filter(|finding| between(&lines(finding))).collect()
}

#[test]
fn a_lost_update_over_two_lines_needs_one_step() {
    // Every thread stores where it read: line 2 races with itself too.
    let [finding] = &updates("mov.b64 %b, %a;")[..] else { panic!("one finding between the lines") };
    assert!(race(finding).lost_update.is_some(), "{finding:#?}");
    assert!(finding.fix().starts_with("an atomic operation, or "), "{}", finding.fix());
}

#[test]
fn a_store_that_only_one_thread_makes_needs_an_order() {
    // Thread t stores to word t: only word 0 is read by others.
    let [finding] = &updates("mul.wide.u32 %b, %t, 4; add.u64 %b, %a, %b;")[..] else { panic!("one finding") };
    assert_eq!(race(finding).lost_update, None);
    assert!(
        finding.fix().starts_with("`__sync") && finding.fix().contains("between lines 1 and 2"),
        "{}",
        finding.fix()
    );
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
    let [finding] = &found(copy)[..] else { panic!("one finding between the lines") };
    assert_eq!(race(finding).relation, Relation::Copies { copies: Copies::OtherThread });
    assert_eq!(
        finding.fix(),
        "let the thread of (1) wait for its copy, for example by `cg::wait()`, then `__syncthreads()`, then (2)"
    );
}

/// Block 0 hands word 0 to block 1 behind a flag. Lines: 1 the data, 2 what may stand before the flag, 3 the flag, 4
/// the look at it, 5 the reader's data. `%t` is the thread of its block, `%q` false but for thread 0.
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
const LOOK_OF_ONE: &str = "@!%q bra behind;\nagain:\n .loc 1 4 1\n ld.acquire.gpu.global.u32 %r, [%a+64];\n \
    setp.eq.u32 %p, %r, 0;\n \
     @%p bra again;\nbehind:\n bar.sync 0;\n";

/// The race between the two lines of the data, if they race.
fn hand_over(writer: &[&str], reader: &str) -> Option<Finding> {
    let text = HAND_OVER.replace("WRITER", &writer.concat()).replace("READER", reader);
    let program = Arc::new(Program::from_ptx(&[&text]).unwrap());
    let mut device = Device::new(Profile::default());
    device.configure(Config { checks: Checks::Full, policy: Policy::InOrder, ..Config::default() });
    let module = device.load(&program).unwrap();
    let order = HostOrder::default();
    let buffer = device.allocate(4096, HostMemory::Device).unwrap();
    device.fill(buffer, &[0], 4096, &order).unwrap();
    let config =
        LaunchConfig { grid: [2, 1, 1], block: [64, 1, 1], dynamic_shared: 0, cooperative: false, cluster: None };
    let report = device.launch(&module, 0, &config, &buffer.to_le_bytes(), &order).unwrap();
    let mut findings = report.findings.into_iter();
    let first = findings.next();
    assert!(findings.next().is_none(), "{text}");
    first
}

/// A line of [`HAND_OVER`].
fn step(line: u32) -> SourceLocation {
    SourceLocation { file: "hand_over.cu".into(), line, column: 1 }
}

/// The flag of line 3 lacks the fence of its writer.
fn unfenced() -> Missing {
    Missing::FenceBeforeFlag { first: step(1), set: step(3), look: Some(step(4)), acquired: true, word: Word::Flag }
}

#[test]
fn a_flag_that_releases_nothing_is_named_with_the_place_of_its_fence() {
    for data in [DATA, DATA_OF_ANOTHER] {
        for flag in [FLAG, COUNTER] {
            for look in [LOOK, LOOK_OF_ONE] {
                let found = hand_over(&[data, flag], look).expect("a race");
                assert_eq!(missing(&found), Some(&unfenced()));
                assert!(found.fix().starts_with("`__threadfence()` between lines 1 and 3"), "{}", found.fix());
                assert_eq!(hand_over(&[data, FENCE, flag], look), None);
            }
        }
    }
    // A fence before the data covers nothing of it.
    assert_eq!(missing(&hand_over(&[FENCE, DATA, FLAG], LOOK).expect("a race")), Some(&unfenced()));
}

#[test]
fn a_flag_that_was_set_before_the_data_or_not_looked_at_is_not_named() {
    for (writer, look) in
        [([FLAG, DATA], LOOK), ([DATA, FLAG], ""), ([DATA, FLAG], "ld.relaxed.gpu.global.u32 %r, [%a+128];")]
    {
        let found = hand_over(&writer, look).expect("a race");
        assert_eq!((missing(&found), found.cause.key()), (None, "blocks-unordered"));
    }
}

/// The findings of a kernel that does `body`.
pub fn findings(grid: u32, block: u32, policy: Policy, body: &str) -> Vec<Finding> {
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

fn rounds(body: &str) -> Vec<Finding> {
    let start = "mov.u32 %i, 0; mov.u32 %s, tile; mad.lo.u32 %s, %t, 4, %s; xor.b32 %o, %s, 252;";
    let policies = [Policy::InOrder, Policy::Reverse, Policy::Random { seed: 1 }, Policy::Adversarial { seed: 1 }];
    policies.into_iter().flat_map(|policy| findings(1, 64, policy, &format!("{start}{body}"))).collect()
}

#[test]
fn a_race_with_the_next_round_is_told_where_the_round_ends() {
    let turn = "setp.lt.u32 %p, %i, 4; @%p bra again;";
    for body in [format!("again: {ROUND} {turn}"), format!("again: {ROUND} {ROUND} {turn}"), ROUND.repeat(4)] {
        let told = rounds(&body);
        assert!(!told.is_empty());
        for finding in told {
            let (above, below, barrier, turn) = (at(18), at(20), Some(at(19)), Turn::Round);
            assert_eq!(missing(&finding), Some(&Missing::NextRound { above, below, barrier, turn, at_end: false }));
            assert_eq!(finding.fix(), "a second `__syncthreads()` after line 20, before the next iteration");
        }
        assert!(rounds(&body.replace("add.u32 %i", "bar.sync 0; add.u32 %i")).is_empty());
    }
    // Without a barrier, or where threads may pass it by, it may be one round.
    for barrier in ["", "setp.gt.u32 %q, %t, 31; @%q bra over; bar.sync 0, 32; over:"] {
        let told = rounds(&format!("again: {} {turn}", ROUND.replace("bar.sync 0;", barrier)));
        assert!(!told.is_empty());
        for finding in told {
            assert_eq!((missing(&finding), finding.cause.key()), (None, "no-barrier"));
            assert!(finding.fix().starts_with("`__syncthreads()` between lines 18 and 20"), "{}", finding.fix());
        }
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
    for finding in told {
        assert!(pair(&finding).one_line && finding.cause.key() == "plain-beside-atomic", "{finding:#?}");
        assert_eq!(finding.fix(), "one atomic operation for all that the line does");
    }
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
        assert_eq!(narrow_lines(&finding).first(), lines(&finding).iter().min(), "{finding:#?}");
        assert!(finding.message().contains("the atomic operation in line"), "{}", finding.message());
        assert!(finding.fix().contains("device scope: `atomic"), "{}", finding.fix());
    }
}

#[test]
fn an_access_beyond_a_buffer_is_called_as_the_source_would_index_it() {
    let [finding] = findings(1, 1, Policy::InOrder, "st.global.u32 [%a+4096], 1;").try_into().expect("one finding");
    let (there, past) = ("element 1024 of what argument 1 points to", "just past the end of the 4096-byte buffer");
    assert_eq!(finding.place(), format!("{there}, {past} of argument 1"));
    let named = report::place(&finding, &report::Reader::default().with(1, "data"));
    assert_eq!(named, format!("`data[1024]`, {past} of `data`"));
}

/// The first race between two lines, in any order.
pub fn race_between(found: &[Finding], both: [u32; 2]) -> &Finding {
    let is_it = |finding: &&Finding| lines(finding) == both || lines(finding) == [both[1], both[0]];
    found.iter().find(is_it).unwrap_or_else(|| panic!("no race between {both:?}: {found:?}"))
}

#[test]
fn a_barrier_that_is_missing_beside_a_flag_with_both_fences_is_told_with_its_lines() {
    let data_of_another = DATA_OF_ANOTHER.replace("bar.sync 0;", "");
    let found = hand_over(&[&data_of_another, FENCE, FLAG], LOOK).expect("a race");
    let no_barrier = Missing::BarrierBeforeFlag { first: step(1), fence: step(2), set: step(3), look: step(4) };
    assert_eq!(missing(&found), Some(&no_barrier));
    assert!(found.fix().starts_with("`__syncthreads()` between lines 1 and 2"), "{}", found.fix());
    // The barrier is there, and the fence is what is missing.
    assert_eq!(missing(&hand_over(&[DATA_OF_ANOTHER, FLAG], LOOK).expect("a race")), Some(&unfenced()));
    // On the reader's side the threads of its second warp come later than the look, and do not look themselves.
    let look = LOOK_OF_ONE.replace("bar.sync 0;", "");
    let found = hand_over(&[DATA, FENCE, FLAG], &look).expect("a race");
    assert_eq!(missing(&found), Some(&Missing::BarrierAfterLook { look: step(4), second: step(5), one_warp: false }));
    assert!(found.fix().starts_with("`__syncthreads()` between lines 4 and 5, after the fence"), "{}", found.fix());
    // Without the flag it is no matter of a barrier.
    let found = hand_over(&[DATA, FENCE], "").expect("a race");
    assert_eq!(missing(&found), Some(&Missing::WrongMeans { at: step(2), means: Means::Fence }));
    assert!(found.fix().starts_with("split the kernel into two launches"), "{}", found.fix());
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
        let flag = race_between(&found, [1, 2]);
        assert_eq!((&pair(flag).polled, flag.cause.key()), (&Some(Polled::Again), "plain-flag"));
        // One look is no waiting.
        let found = findings(2, 1, Policy::InOrder, &body(store, load).replace("@%p bra again;", ""));
        let once = race_between(&found, [1, 2]);
        assert_eq!((&pair(once).polled, once.cause.key()), (&None, "plain-beside-atomic"));
        assert!(once.fix().starts_with("split the kernel into two launches"), "{}", once.fix());
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
    let found = told_of("%a", "");
    let counted = race_between(&found, [1, 2]);
    assert!(matches!(missing(counted), Some(Missing::OwnUpdate { at, .. }) if at.line == 1), "{counted:#?}");
    assert!(counted.fix().starts_with("use the value that the atomic operation in line 1 returns"), "{counted:#?}");
    // The thread that looks has not counted.
    let found = told_of("%a", "setp.eq.u32 %p, %b, 0; @%p");
    assert_eq!(missing(race_between(&found, [1, 2])), None);
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
    let end = || End { at: at(2), by_branch: false };
    let cases = [
        // Its mask leaves the lane out.
        (
            20,
            "setp.ge.u32 %q, %t, 16; @%q bra over;\n .loc 1 3 1\n bar.warp.sync 0xffff;\n over:",
            Missing::LaneNotInMask { barrier: at(3), met: 0xffff, inside: 0, outside: 20 },
        ),
        (20, &format!("{leaves} bar.warp.sync -1;"), Missing::LaneEnded { barrier: at(3), end: end() }),
        (40, &format!("{leaves} bar.sync 0;"), Missing::EndedBeforeBarrier { end: end(), barrier: at(3) }),
        // It trades registers, and orders nothing.
        (
            20,
            ".loc 1 3 1\n shfl.sync.down.b32 %r, %t, 1, 31, -1;",
            Missing::OnlyShuffled { at: at(3), function: "__shfl_down_sync()" },
        ),
    ];
    for (who, then, expected) in cases {
        let found = findings(1, 64, Policy::InOrder, &body(who, then));
        assert_eq!(missing(race_between(&found, [1, 4])), Some(&expected));
    }
    // Both came to it, before the store.
    let early = body(40, "").replace("mov.u32 %s", ".loc 1 3 1\n bar.sync 0;\n bar.warp.sync -1; mov.u32 %s");
    let found = findings(1, 64, Policy::InOrder, &early);
    let unordered = race_between(&found, [1, 4]);
    assert_eq!((missing(unordered), unordered.cause.key()), (None, "no-barrier"));
    assert!(unordered.fix().starts_with("`__syncthreads()` between lines 1 and 4"), "{}", unordered.fix());
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
    let found = findings(3, 1, Policy::InOrder, body);
    let race = race_between(&found, [1, 2]);
    assert!(pair(race).compares && race.cause.key() == "plain-beside-atomic", "{race:#?}");
    let plain = 1 + lines(race).iter().position(|line| *line == 1).expect("the load");
    assert_eq!(race.fix(), format!("make ({plain}) atomic: `atomicAdd(p, 0)` is an atomic read of `*p`"));
}
