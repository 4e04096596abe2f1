//! Reports that name what stands in the code already: barriers that order one direction alone or hold too few threads,
//! ways out of a kernel, lines that make an index or a variable.

use crate::kernel::{lines, report};
use crate::races::{at, missing, pair};
use crate::words::Words;
use emulator::Policy;
use emulator::finding::{
    BetweenThreads, Branch, Cause, End, Finding, Gone, LivelockReason, Means, Missing, Slug, Threads, Turn, Unwritten,
};

const POLICIES: [Policy; 4] =
    [Policy::InOrder, Policy::Reverse, Policy::Random { seed: 1 }, Policy::Adversarial { seed: 1 }];

/// The first finding between two lines, in any order.
fn told(found: &[Finding], both: [u32; 2]) -> &Finding {
    let is_it = |finding: &&Finding| lines(finding) == both || lines(finding) == [both[1], both[0]];
    found.iter().find(is_it).unwrap_or_else(|| panic!("nothing between {both:?}: {found:#?}"))
}

/// Each thread's own word, and that of the thread whose number differs by `other`.
fn words(other: u32) -> String {
    format!("mov.u32 %s, tile; mad.lo.u32 %s, %t, 4, %s; xor.b32 %o, %s, {}; mov.u32 %i, 0;\n", 4 * other)
}

/// Threads store in line 1, those from 32 on leave in line 2, and others load behind the barrier of line 3 what they
/// stored.
fn leaving(first: u32, leave: &str, before_the_end: &str) -> String {
    format!(
        "{}.loc 1 1 1\n st.shared.u32 [%s], %t;\n .loc 1 2 1\n setp.ge.u32 %p, %t, {first};\n {leave}\n .loc 1 3 1\n \
         bar.sync 0;\n \
         .loc 1 4 1\n ld.shared.u32 %r, [%o];\n bra done;\n out:\n .loc 1 8 1\n {before_the_end}\n done:\n .loc 1 9 \
         1\n",
        words(32)
    )
}

#[test]
fn threads_that_a_barrier_did_not_wait_for_left_from_the_line_of_their_branch() {
    for policy in POLICIES {
        // A whole warp goes; half of one does; those who stay jump, and the others go on to the end.
        let stays = "@!%p bra stay;\n bra.uni out;\n stay:";
        for (first, leave) in [(32, "@%p bra out;"), (48, "@%p bra out;"), (32, stays)] {
            let found = report(1, 64, policy.clone(), &leaving(first, leave, "")).findings;
            let end = End { at: at(2), by_branch: true };
            let told = told(&found, [1, 4]);
            assert_eq!(missing(told), Some(&Missing::EndedBeforeBarrier { end, barrier: at(3) }));
            assert!(told.why().starts_with("The thread of (1) left in line 2 "), "{}", told.why());
            assert!(told.fix().starts_with("let every thread of the block reach line 3"), "{}", told.fix());
        }
        // A store on their way is more than an end.
        let found = report(1, 64, policy, &leaving(32, "@%p bra out;", "st.global.u32 [%a], 1;")).findings;
        let end = End { at: at(9), by_branch: false };
        let expected = Missing::EndedBeforeBarrier { end, barrier: at(3) };
        assert_eq!(missing(told(&found, [1, 4])), Some(&expected));
    }
}

#[test]
fn of_what_nobody_wrote_those_are_told_who_had_left() {
    let body = |leave: &str| {
        format!(
            "{}.loc 1 2 1\n setp.ge.u32 %p, %t, 32;\n {leave}\n st.shared.u32 [%s], %t;\n .loc 1 3 1\n bar.sync 0;\n \
             .loc 1 4 1\n \
             ld.shared.u32 %r, [%o];\n setp.eq.u32 %q, %r, 7;\n @%q st.global.u32 [%a], 1;\n out:\n .loc 1 9 1\n",
            words(32)
        )
    };
    let gone = |finding: &Finding| {
        let Cause::NeverWritten(value) = &finding.cause else { panic!("{finding:#?}") };
        let Unwritten::Loaded { gone, .. } = &value.from else { panic!("{finding:#?}") };
        gone.clone()
    };
    let told = report(1, 64, Policy::InOrder, &body("@%p bra out;")).findings;
    assert_eq!(told[0].slug, Slug::UndefinedValue);
    let left = Gone { threads: Threads::of_warp(1, !0), end: at(2), barrier: at(3) };
    assert_eq!(gone(&told[0]), Some(left));
    assert_eq!(told[0].fix(), "the threads that return in line 2 must write it first, and reach line 3");
    // They stay, and store nothing.
    let told = report(1, 64, Policy::InOrder, &body("@%p bra on;").replace(".loc 1 3 1", "on: .loc 1 3 1")).findings;
    assert_eq!(told[0].slug, Slug::UndefinedValue);
    assert_eq!(gone(&told[0]), None);
}

/// Stores in line 18, waits in line 19, loads in line 20 what another thread has stored.
fn round(barrier: &str) -> String {
    format!(
        ".loc 1 18 1\n st.shared.u32 [%s], %i;\n .loc 1 19 1\n {barrier}\n .loc 1 20 1\n ld.shared.u32 %r, [%o];\n \
         .loc 1 21 1\n \
         add.u32 %i, %i, 1;\n"
    )
}

/// An inlined function's label: behind the kernel, whose end the frame adds to the next one.
const NAMES: &str = "ret;\n}\n.section .debug_str {\n f: .b8 102, 0\n}\n.visible .entry unused()\n{\n";

const TURN: &str = "setp.lt.u32 %p, %i, 4;\n @%p bra again;\n";

fn rounds(other: u32, body: &str) -> Vec<Finding> {
    let run = |policy| report(1, 64, policy, &format!("{}{body}", words(other))).findings;
    let told: Vec<_> = POLICIES.into_iter().flat_map(run).collect();
    assert!(!told.is_empty());
    told
}

/// The barrier of line 19 orders one direction of a round.
fn is_next(finding: &Finding, of: Turn) -> bool {
    let Some(Missing::NextRound { above, below, barrier: Some(barrier), turn, .. }) = missing(finding) else {
        return false;
    };
    (above.line, below.line, barrier.line, *turn) == (18, 20, 19, of)
}

#[test]
fn a_barrier_of_the_warp_orders_one_direction_of_a_round_too() {
    for mask in ["-1", "0xffff"] {
        let round = round(&format!("bar.warp.sync {mask};"));
        let upper = if mask == "-1" { "" } else { "setp.ge.u32 %q, %t, 16;\n @%q bra done;\n" };
        for finding in rounds(1, &format!("{upper}again: {round}{TURN}done:")) {
            assert!(is_next(&finding, Turn::Round), "{finding:#?}");
            assert_eq!(finding.fix(), "a second `__syncwarp()` after line 20, before the next iteration");
        }
        let both = format!("{upper}again: {}bar.warp.sync {mask};\n{TURN}done:", round);
        assert_eq!(report(1, 64, Policy::InOrder, &format!("{}{both}", words(1))).findings, []);
    }
}

#[test]
fn a_second_barrier_in_a_branch_is_told_as_a_missing_one() {
    let some = "setp.ge.u32 %q, %i, 2;\n @%q bra skip;\n .loc 1 22 1\n bar.sync 0;\n skip:\n";
    for finding in rounds(63, &format!("again: {}{some}{TURN}", round("bar.sync 0;"))) {
        assert!(is_next(&finding, Turn::Round), "{finding:#?}");
        assert_eq!(finding.fix(), "a second `__syncthreads()` after line 20, before the next iteration");
    }
}

#[test]
fn a_barrier_that_a_round_may_go_round_is_told_as_such() {
    let some = "setp.eq.u32 %q, %i, 1;\n @%q bra skip;\n bar.sync 0;\n skip:\n";
    for finding in rounds(63, &format!("again: {}{TURN}", round(some))) {
        let skipped = Missing::SamePhase { above: at(18), below: at(20), barrier: at(19) };
        assert_eq!(missing(&finding), Some(&skipped));
        let fix = finding.fix();
        assert!(fix.ends_with("If a branch skips the barrier in line 19, let every thread reach it"), "{fix}");
    }
}

#[test]
fn a_function_that_is_called_twice_races_with_its_next_call() {
    let inlined = |at: u32| {
        let mark = |line: u32| format!(".loc 1 {line} 1, function_name f, inlined_at 1 {at} 1\n");
        (18..=21).fold(round("bar.sync 0;"), |body, line| body.replace(&format!(".loc 1 {line} 1\n"), &mark(line)))
    };
    let body = format!(".loc 1 30 1\n{}.loc 1 31 1\n{}{NAMES}", inlined(30), inlined(31));
    for finding in rounds(63, &body) {
        assert!(is_next(&finding, Turn::Call), "{finding:#?}");
        assert_eq!(finding.fix(), "a second `__syncthreads()` after line 20, before the next call of the function");
    }
}

/// Line 18 is another function's, called behind the barrier of line 19.
#[test]
fn lines_of_two_functions_are_in_no_order() {
    let body = "bar.sync 0;\n again:\n .loc 1 19 1\n bar.sync 0;\n .loc 1 18 1, function_name f, inlined_at 1 20 9\n \
                st.shared.u32 [%s], %i;\n .loc 1 20 1\n ld.shared.u32 %r, [%o];\n add.u32 %i, %i, 1;\n";
    for finding in rounds(63, &format!("{body}{TURN}{NAMES}")) {
        assert_eq!((missing(&finding), finding.cause.key()), (None, "no-barrier"));
    }
}

#[test]
fn what_stands_between_and_holds_too_few_is_named() {
    let exchange = |means: &str| {
        format!(
            "{}.loc 1 1 1\n st.shared.u32 [%s], %t;\n .loc 1 2 1\n {means}\n .loc 1 3 1\n ld.shared.u32 %r, [%o];\n",
            words(32)
        )
    };
    let wrong = |means| Missing::WrongMeans { at: at(2), means };
    for (instruction, expected, message) in [
        (
            "bar.warp.sync -1;",
            Some(wrong(Means::WarpBarrier)),
            "the barrier in line 2 is of one warp, the threads are in two",
        ),
        ("membar.cta;", Some(wrong(Means::Fence)), "a fence in line 2, but no barrier, between a write and a read"),
        ("shfl.sync.idx.b32 %i, %t, 0, 31, -1;", None, "no barrier between a write and a read"),
    ] {
        let found = report(1, 64, Policy::InOrder, &exchange(instruction)).findings;
        let told = told(&found, [1, 3]);
        assert_eq!(missing(told), expected.as_ref());
        assert!(told.message().ends_with(message), "{}", told.message());
        assert!(told.fix().starts_with("`__syncthreads()` between lines 1 and 3"), "{}", told.fix());
    }
    // A line that does more may be a barrier of another kind.
    let more = exchange("bar.warp.sync -1;\n ld.volatile.shared.u32 %i, [%s];");
    let found = report(1, 64, Policy::InOrder, &more).findings;
    assert_eq!(missing(told(&found, [1, 3])), None);
    // Between blocks.
    let body = "mad.wide.u32 %c, %b, 4, %a; xor.b32 %o, %b, 1;\n .loc 1 1 1\n st.global.u32 [%c], %t;\n .loc 1 2 1\n \
        bar.sync 0;\n \
                mad.wide.u32 %c, %o, 4, %a;\n .loc 1 3 1\n ld.global.u32 %r, [%c];";
    let found = report(2, 1, Policy::InOrder, body).findings;
    assert_eq!(missing(told(&found, [1, 3])), Some(&wrong(Means::BlockBarrier)));
}

/// Halves of a warp have a barrier of their own in line 2. A lane of the one half loads in line 3 what a lane of the
/// other has stored. It ends before the other comes to its barrier again.
#[test]
fn a_lane_that_has_a_barrier_of_its_own_did_not_miss_another_by_ending() {
    let body = format!(
        "{}setp.ge.u32 %p, %t, 16;\n selp.b32 %b, 0xffff0000, 0xffff, %p;\n @%p bra on;\n add.u32 %i, %i, 1;\n on:\n \
         .loc 1 1 1\n st.shared.u32 [%s], %t;\n .loc 1 2 1\n \
         bar.warp.sync %b;\n .loc 1 3 1\n @!%p ld.shared.u32 %r, [%o];\n",
        words(16)
    );
    let mut named = 0;
    for policy in POLICIES {
        let found = report(1, 32, policy, &body).findings;
        let told = told(&found, [1, 3]);
        assert!(!matches!(missing(told), Some(Missing::LaneEnded { .. })), "{told:#?}");
        if let Some(Missing::LaneNotInMask { barrier, .. }) = missing(told) {
            assert_eq!(barrier.line, 2);
            assert!(
                told.fix().starts_with("name all lanes that exchange data in the mask of line 2"),
                "{}",
                told.fix()
            );
            named += 1;
        }
    }
    assert!(named > 0);
}

/// One thread reserves in line 5 what all count from in line 7; line 4 sets the variable before, or nobody does.
fn reserved(before: &str, guard: &str) -> String {
    format!(
        "setp.ne.u32 %p, %t, 0;\n {before}\n .loc 1 5 1\n {guard}\n atom.global.add.u32 %r, [%a+1024], 4;\n over:\n \
         .loc 1 7 1\n \
         and.b32 %s, %t, 3;\n add.u32 %i, %r, %s;\n .loc 1 8 1\n mad.wide.u32 %c, %i, 4, %a;\n st.global.u32 [%c], \
         %t;\n"
    )
}

#[test]
fn an_index_that_only_one_thread_knows_is_traced_to_its_line() {
    for policy in POLICIES {
        let found = report(1, 32, policy.clone(), &reserved(".loc 1 4 1\n mov.u32 %r, 0;", "@%p bra over;")).findings;
        let one = told(&found, [8, 8]);
        assert_eq!(missing(one), Some(&Missing::SamePlace { made: Some(at(7)), atomic: Some(at(5)) }));
        assert_eq!(one.fix(), "hand the result of line 5 to the other lanes by a shuffle that all of them reach");
        // A variable that nobody else writes is the reason, and comes first.
        let found = report(1, 32, policy.clone(), &reserved("", "@%p bra over;")).findings;
        assert_eq!(found[0].slug, Slug::UndefinedValue, "{found:#?}");
        let Cause::NeverWritten(value) = &found[0].cause else { panic!("{found:#?}") };
        assert_eq!(value.from, Unwritten::Unknown { writers: vec![at(5)] });
        assert!(found[0].fix().ends_with("hand the value of line 5 to the other lanes by a shuffle"), "{found:#?}");
        assert!(found.iter().any(|finding| finding.slug == Slug::RaceGlobal), "{found:#?}");
        // All reserve, and by fewer than they use.
        let found = report(1, 32, policy, &reserved("", "").replace("1024], 4;", "1024], 1;")).findings;
        assert_eq!(missing(told(&found, [8, 8])), Some(&Missing::SamePlace { made: Some(at(7)), atomic: None }));
    }
}

/// A value that a race leaves behind is not told again.
#[test]
fn a_value_that_a_race_kept_from_being_written_stays_untold() {
    let body = format!(
        "{}.loc 1 1 1\n st.shared.u32 [%s], %t;\n .loc 1 3 1\n ld.shared.u32 %r, [%o];\n setp.eq.u32 %q, %r, 7;\n @%q \
         st.global.u32 [%a], 1;",
        words(32)
    );
    for policy in POLICIES {
        let told = report(1, 64, policy, &body).findings;
        assert!(told.iter().all(|finding| finding.slug == Slug::RaceShared), "{told:#?}");
    }
}

/// Two threads add by compare-and-swap in line 3, and compare with what line 1 has loaded.
#[test]
fn a_compare_and_swap_that_never_loads_again_is_told_so() {
    let body = |load: &str, again: &str| {
        format!(
            "{load}\n again:\n {again}\n .loc 1 2 1\n add.u32 %s, %i, 1;\n .loc 1 3 1\n atom.global.cas.b32 %r, [%a], \
             %i, %s;\n \
             setp.ne.u32 %q, %r, %i;\n @%q bra again;\n"
        )
    };
    let load = ".loc 1 1 1\n ld.volatile.global.u32 %i, [%a];\n bar.sync 0;";
    let told = report(1, 2, Policy::InOrder, &body(load, "")).findings;
    assert_eq!(told[0].slug, Slug::Livelock);
    let reason = |finding: &Finding| match &finding.cause {
        Cause::Livelock(livelock) => livelock.reason.clone(),
        _ => panic!("no livelock: {finding:#?}"),
    };
    assert_eq!(reason(&told[0]), Some(LivelockReason::LoadedOnce { load: at(1), swap: at(3) }));
    // It waits for its turn: what it compares with is no look at the place.
    let told =
        report(1, 2, Policy::InOrder, &body(".loc 1 1 1\n ld.volatile.global.u32 %i, [%a+64]; add.u32 %i, %i, 7;", ""));
    assert_eq!(reason(&told.findings[0]), None);
    assert_eq!(report(1, 2, Policy::InOrder, &body("", load.split("bar").next().unwrap_or(""))).findings, []);
}

/// Half a warp shuffles with a mask of its own in line 3 and takes what is in the other half, which comes there as
/// well, or not.
#[test]
fn a_lane_that_comes_to_the_shuffle_with_another_mask_is_told_of() {
    let body = |other: &str| {
        format!(
            "setp.ge.u32 %p, %t, 16;\n selp.b32 %s, 0xffff0000, 0xffff, %p;\n {other}\n .loc 1 3 1\n \
             shfl.sync.bfly.b32 %r, %t, 16, 31, %s;\n setp.eq.u32 %q, %r, 7;\n .loc 1 4 1\n @%q st.global.u32 [%a], \
             1;\n over:"
        )
    };
    for policy in POLICIES {
        let told = report(1, 32, policy.clone(), &body("")).findings;
        let comes = |finding: &Finding| matches!(&finding.cause, Cause::AbsentLane(absence) if absence.comes);
        let helps = |finding: &Finding| finding.fix().contains("one mask that names them all");
        assert!(told.iter().any(|finding| comes(finding) && helps(finding)), "{told:#?}");
        let told = report(1, 32, policy, &body("@%p bra over;")).findings;
        assert!(!told.is_empty() && !told.iter().any(comes), "{told:#?}");
    }
}

#[test]
fn in_a_branch_the_barrier_of_the_warp_names_the_lanes_that_take_it() {
    let body = |branch: &str| {
        format!(
            "{}.loc 1 1 1\n {branch}\n .loc 1 2 1\n st.shared.u32 [%s], %t;\n .loc 1 3 1\n ld.shared.u32 %r, [%o];\n \
             over:",
            words(1)
        )
    };
    let found = report(1, 32, Policy::InOrder, &body("setp.ge.u32 %p, %t, 16;\n @%p bra over;")).findings;
    let some = told(&found, [2, 3]);
    assert_eq!(pair(some).branch, Some(Branch { at: at(1), lanes: 0xffff }));
    let lanes = "reached by these lanes: only they take the branch in line 1";
    assert_eq!(some.fix(), format!("`__syncwarp(0x0000ffff)` between lines 2 and 3, {lanes}"));
    let found = report(1, 32, Policy::InOrder, &body("")).findings;
    let all = told(&found, [2, 3]);
    assert_eq!(pair(all).branch, None);
    assert_eq!(all.fix(), "`__syncwarp()` between lines 2 and 3, reached by both lanes");
}

/// Lanes of one warp take a lock in line 1, without fences; what it lacks is no matter of warps.
#[test]
fn of_a_lock_it_is_not_said_that_lanes_of_a_warp_are_not_ordered() {
    let body = "
        again:
        .loc 1 1 1
        atom.global.cas.b32 %r, [%a+64], 0, 1;
        setp.ne.u32 %p, %r, 0;
        @%p bra again;
        .loc 1 3 1
        ld.global.u32 %r, [%a];
        add.u32 %r, %r, 1;
        .loc 1 4 1
        st.global.u32 [%a], %r;
        .loc 1 5 1
        atom.global.exch.b32 %r, [%a+64], 0;";
    let told = report(1, 2, Policy::InOrder, body).findings;
    assert!(!told.is_empty());
    for finding in told {
        assert_ne!(finding.cause.key(), "lanes-unordered", "{finding:#?}");
    }
}

/// Each thread changes its own element of shared memory and reads another's, once or in a loop.
#[test]
fn a_line_that_writes_what_another_thread_reads_needs_a_barrier() {
    let body = "
        mov.u32 %s, tile; mad.lo.u32 %s, %t, 4, %s; xor.b32 %o, %s, 252;
        st.shared.u32 [%s], %t;
        bar.sync 0;
        again:
        .loc 1 5 1
        ld.shared.u32 %r, [%o];
        st.shared.u32 [%s], %r;
        .loc 1 6 1";
    let again = "add.u32 %t, %t, 64; setp.lt.u32 %p, %t, 256; @%p bra again;";
    for (again, fix) in [
        ("", "read into a variable, then `__syncthreads()` for all threads, then write"),
        (again, "`__syncthreads()` after this line in every iteration, for all threads. If a thread overwrites what "),
    ] {
        let found = report(1, 64, Policy::InOrder, &format!("{body} {again}")).findings;
        let [finding] = &found[..] else { panic!("one finding, not {found:#?}") };
        let BetweenThreads { one_access, updates, in_loop, .. } = pair(finding);
        assert_eq!((*one_access, *updates, *in_loop), (true, false, !again.is_empty()), "{finding:#?}");
        assert!(finding.fix().starts_with(fix), "{}", finding.fix());
    }
    // A value that a thread reads and writes back is one element, and wants one step.
    let own = body.replace("ld.shared.u32 %r, [%o];", "mov.u32 %s, tile; ld.shared.u32 %r, [%s];");
    let found = report(1, 64, Policy::InOrder, &own).findings;
    let update = found.iter().find(|finding| pair(finding).one_access).unwrap_or_else(|| panic!("{found:#?}"));
    assert!(pair(update).updates && update.fix() == "an atomic operation", "{}", update.fix());
}

/// A thread waits for the flag that line 1 has loaded, in a loop at line 2 that loads nothing.
#[test]
fn a_loop_that_reads_no_memory_is_told_so() {
    let reason = |load: &str| {
        let body = format!(
            ".loc 1 1 1\n {load}\n setp.ne.u32 %p, %i, 0;\n @%p bra done;\n again:\n .loc 1 2 1\n bra again;\n \
             done:\n ret;"
        );
        let told = report(1, 1, Policy::InOrder, &body).findings;
        match &told[0].cause {
            Cause::Livelock(livelock) => livelock.reason.clone(),
            _ => panic!("no livelock: {told:#?}"),
        }
    };
    assert_eq!(reason("ld.global.u32 %i, [%a];"), Some(LivelockReason::FlagLoadedOnce { at: at(2) }));
    assert_eq!(reason("mov.u32 %i, 0;"), None);
}
