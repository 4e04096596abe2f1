//! Reports that name what stands in the code already: barriers that order one direction alone or hold too few threads, ways out of a
//! kernel, lines that make an index or a variable.

use crate::kernel::{lines, report};
use crate::words::{Acted, Words};
use emulator::Policy;
use emulator::finding::{Finding, Slug};

const POLICIES: [Policy; 4] =
    [Policy::InOrder, Policy::Reverse, Policy::Random { seed: 1 }, Policy::Adversarial { seed: 1 }];

/// What is said of the first finding between two lines, in any order: why, and what helps.
fn said(found: &[Finding], both: [u32; 2]) -> (String, String) {
    let is_it = |finding: &&Finding| lines(finding) == both || lines(finding) == [both[1], both[0]];
    let finding = found.iter().find(is_it).unwrap_or_else(|| panic!("nothing between {both:?}: {found:#?}"));
    (finding.why(), finding.fix())
}

/// Each thread's own word, and that of the thread whose number differs by `other`.
fn words(other: u32) -> String {
    format!("mov.u32 %s, tile; mad.lo.u32 %s, %t, 4, %s; xor.b32 %o, %s, {}; mov.u32 %i, 0;\n", 4 * other)
}

/// Threads store in line 1, those from 32 on leave in line 2, and others load behind the barrier of line 3 what they stored.
fn leaving(first: u32, leave: &str, before_the_end: &str) -> String {
    format!(
        "{}.loc 1 1 1\n st.shared.u32 [%s], %t;\n .loc 1 2 1\n setp.ge.u32 %p, %t, {first};\n {leave}\n .loc 1 3 1\n bar.sync 0;\n \
         .loc 1 4 1\n ld.shared.u32 %r, [%o];\n bra done;\n out:\n .loc 1 8 1\n {before_the_end}\n done:\n .loc 1 9 1\n",
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
            let (why, help) = said(&found, [1, 4]);
            assert!(why.contains("barrier in line 3") && why.contains("it left the kernel from line 2"), "{why}");
            assert!(help.contains("let all threads of the block come to line 3"), "{help}");
        }
        // What they store on their way is more than an end.
        let found = report(1, 64, policy, &leaving(32, "@%p bra out;", "st.global.u32 [%a], 1;")).findings;
        let (why, _) = said(&found, [1, 4]);
        assert!(why.contains("it ended in line 9"), "{why}");
    }
}

#[test]
fn of_what_nobody_wrote_those_are_told_who_had_left() {
    let body = |leave: &str| {
        format!(
            "{}.loc 1 2 1\n setp.ge.u32 %p, %t, 32;\n {leave}\n st.shared.u32 [%s], %t;\n .loc 1 3 1\n bar.sync 0;\n .loc 1 4 1\n \
             ld.shared.u32 %r, [%o];\n setp.eq.u32 %q, %r, 7;\n @%q st.global.u32 [%a], 1;\n out:\n .loc 1 9 1\n",
            words(32)
        )
    };
    let told = report(1, 64, Policy::InOrder, &body("@%p bra out;")).findings;
    let why = &told[0].why();
    assert_eq!(told[0].slug, Slug::UndefinedValue);
    assert!(
        why.contains("threads 32 to 63 of the block had left the kernel from line 2, before the barrier in line 3"),
        "{why}"
    );
    // They stay, and store nothing.
    let told = report(1, 64, Policy::InOrder, &body("@%p bra on;").replace(".loc 1 3 1", "on: .loc 1 3 1")).findings;
    assert_eq!(told[0].slug, Slug::UndefinedValue);
    assert!(!told[0].why().contains("left"), "{}", told[0].why());
}

/// Stores in line 18, waits in line 19, loads in line 20 what another thread has stored.
fn round(barrier: &str) -> String {
    format!(
        ".loc 1 18 1\n st.shared.u32 [%s], %i;\n .loc 1 19 1\n {barrier}\n .loc 1 20 1\n ld.shared.u32 %r, [%o];\n .loc 1 21 1\n \
         add.u32 %i, %i, 1;\n"
    )
}

/// What an inlined function's label says: behind the kernel, whose end the frame adds to the next one.
const NAMES: &str = "ret;\n}\n.section .debug_str {\n f: .b8 102, 0\n}\n.visible .entry unused()\n{\n";

const TURN: &str = "setp.lt.u32 %p, %i, 4;\n @%p bra again;\n";

fn rounds(other: u32, body: &str) -> Vec<(String, String)> {
    let run = |policy| report(1, 64, policy, &format!("{}{body}", words(other))).findings;
    let told: Vec<_> = POLICIES.into_iter().flat_map(run).map(|finding| (finding.why(), finding.fix())).collect();
    assert!(!told.is_empty());
    told
}

#[test]
fn a_barrier_of_the_warp_orders_one_direction_of_a_round_too() {
    for mask in ["-1", "0xffff"] {
        let round = round(&format!("bar.warp.sync {mask};"));
        let upper = if mask == "-1" { "" } else { "setp.ge.u32 %q, %t, 16;\n @%q bra done;\n" };
        for (why, help) in rounds(1, &format!("{upper}again: {round}{TURN}done:")) {
            assert!(why.contains("the barrier in line 19 orders line 18 before line 20, and not line 20"), "{why}");
            assert!(help.starts_with("put a second barrier, like that in line 19, after line 20"), "{help}");
            assert!(help.contains("comes back to line 18"), "{help}");
        }
        let both = format!("{upper}again: {}bar.warp.sync {mask};\n{TURN}done:", round);
        assert_eq!(report(1, 64, Policy::InOrder, &format!("{}{both}", words(1))).findings, []);
    }
}

#[test]
fn a_second_barrier_in_a_branch_is_told_as_a_missing_one() {
    let some = "setp.ge.u32 %q, %i, 2;\n @%q bra skip;\n .loc 1 22 1\n bar.sync 0;\n skip:\n";
    for (why, help) in rounds(63, &format!("again: {}{some}{TURN}", round("bar.sync 0;"))) {
        assert!(why.contains("the barrier in line 19 orders line 18 before line 20"), "{why}");
        assert!(help.contains("that all threads of the block reach after line 20"), "{help}");
    }
}

#[test]
fn a_barrier_that_a_round_may_go_round_is_told_as_such() {
    let some = "setp.eq.u32 %q, %i, 1;\n @%q bra skip;\n bar.sync 0;\n skip:\n";
    for (why, help) in rounds(63, &format!("again: {}{TURN}", round(some))) {
        assert!(!why.contains("orders line") && !help.starts_with("put a `__syncthreads()`"), "{why}: {help}");
        assert!(help.contains("let no way from there to line 20 go round the barrier"), "{help}");
    }
}

#[test]
fn a_function_that_is_called_twice_races_with_its_next_call() {
    let inlined = |at: u32| {
        let mark = |line: u32| format!(".loc 1 {line} 1, function_name f, inlined_at 1 {at} 1\n");
        (18..=21).fold(round("bar.sync 0;"), |body, line| body.replace(&format!(".loc 1 {line} 1\n"), &mark(line)))
    };
    let body = format!(".loc 1 30 1\n{}.loc 1 31 1\n{}{NAMES}", inlined(30), inlined(31));
    for (why, help) in rounds(63, &body) {
        assert!(why.contains("and not line 20 before line 18 of the next call"), "{why}");
        assert!(help.contains("before the function comes to line 18 again"), "{help}");
    }
}

/// Line 18 is another function's, called behind the barrier of line 19.
#[test]
fn lines_of_two_functions_are_in_no_order() {
    let body = "bar.sync 0;\n again:\n .loc 1 19 1\n bar.sync 0;\n .loc 1 18 1, function_name f, inlined_at 1 20 9\n \
                st.shared.u32 [%s], %i;\n .loc 1 20 1\n ld.shared.u32 %r, [%o];\n add.u32 %i, %i, 1;\n";
    for (why, help) in rounds(63, &format!("{body}{TURN}{NAMES}")) {
        assert!(!why.contains("line 19") && help.contains("between the two lines"), "{why}: {help}");
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
    for (means, but) in [
        (
            "bar.warp.sync -1;",
            Some("the barrier in line 2 holds lanes of one warp together, and these are threads of two"),
        ),
        ("membar.cta;", Some("the fence in line 2 orders the accesses of its own thread and waits for no other")),
        ("shfl.sync.idx.b32 %i, %t, 0, 31, -1;", None),
    ] {
        let found = report(1, 64, Policy::InOrder, &exchange(means)).findings;
        let (why, help) = said(&found, [1, 3]);
        match but {
            Some(but) => assert!(why.ends_with(but), "{why}"),
            None => assert!(!why.contains("line 2"), "{why}"),
        }
        assert!(help.starts_with("put a `__syncthreads()`"), "{help}");
    }
    // A line that does more may be a barrier of another kind.
    let more = exchange("bar.warp.sync -1;\n ld.volatile.shared.u32 %i, [%s];");
    let found = report(1, 64, Policy::InOrder, &more).findings;
    assert!(!said(&found, [1, 3]).0.contains("line 2"), "{found:#?}");
    // Between blocks.
    let body = "mad.wide.u32 %c, %b, 4, %a; xor.b32 %o, %b, 1;\n .loc 1 1 1\n st.global.u32 [%c], %t;\n .loc 1 2 1\n bar.sync 0;\n \
                mad.wide.u32 %c, %o, 4, %a;\n .loc 1 3 1\n ld.global.u32 %r, [%c];";
    let found = report(2, 1, Policy::InOrder, body).findings;
    let (why, _) = said(&found, [1, 3]);
    assert!(
        why.ends_with("the barrier in line 2 holds the threads of one block together, and these are in two"),
        "{why}"
    );
}

/// Halves of a warp have a barrier of their own in line 2; a lane of the one loads in line 3 what a lane of the other has stored, and
/// ends before the other comes to its barrier again.
#[test]
fn a_lane_that_has_a_barrier_of_its_own_did_not_miss_another_by_ending() {
    let body = format!(
        "{}setp.ge.u32 %p, %t, 16;\n selp.b32 %b, 0xffff0000, 0xffff, %p;\n @%p bra on;\n add.u32 %i, %i, 1;\n on:\n .loc 1 1 1\n st.shared.u32 [%s], %t;\n .loc 1 2 1\n \
         bar.warp.sync %b;\n .loc 1 3 1\n @!%p ld.shared.u32 %r, [%o];\n",
        words(16)
    );
    let mut told = 0;
    for policy in POLICIES {
        let found = report(1, 32, policy, &body).findings;
        let (why, help) = said(&found, [1, 3]);
        assert!(!why.contains("did not come"), "{why}");
        let is_named = why.contains("is not one of them");
        assert!(!is_named || help.starts_with("name in the mask in line 2 all lanes that trade here"), "{help}");
        told += usize::from(is_named);
    }
    assert!(told > 0);
}

/// One thread reserves in line 5 what all count from in line 7; line 4 sets the variable before, or nobody does.
fn reserved(before: &str, guard: &str) -> String {
    format!(
        "setp.ne.u32 %p, %t, 0;\n {before}\n .loc 1 5 1\n {guard}\n atom.global.add.u32 %r, [%a+1024], 4;\n over:\n .loc 1 7 1\n \
         and.b32 %s, %t, 3;\n add.u32 %i, %r, %s;\n .loc 1 8 1\n mad.wide.u32 %c, %i, 4, %a;\n st.global.u32 [%c], %t;\n"
    )
}

#[test]
fn an_index_that_only_one_thread_knows_is_traced_to_its_line() {
    for policy in POLICIES {
        let told = report(1, 32, policy.clone(), &reserved(".loc 1 4 1\n mov.u32 %r, 0;", "@%p bra over;")).findings;
        let (why, help) = said(&told, [8, 8]);
        assert!(
            why.contains("worked out the same place, in line 7: it depends on the atomic operation in line 5, which stands in a branch"),
            "{why}"
        );
        assert!(
            help.starts_with("let threads that come here and do not take that branch have what line 5 returned"),
            "{help}"
        );
        // A variable that nobody else writes is the reason, and comes first.
        let told = report(1, 32, policy.clone(), &reserved("", "@%p bra over;")).findings;
        assert_eq!(told[0].slug, Slug::UndefinedValue, "{told:#?}");
        assert!(
            told[0].why().contains("a variable that line 5 writes, and this thread came here by another way"),
            "{told:#?}"
        );
        assert!(told.iter().any(|finding| finding.slug == Slug::RaceGlobal), "{told:#?}");
        // All reserve, and by fewer than they use.
        let told = report(1, 32, policy, &reserved("", "").replace("1024], 4;", "1024], 1;")).findings;
        let (why, help) = said(&told, [8, 8]);
        assert!(why.ends_with("both threads have worked out the same place, in line 7"), "{why}");
        assert!(!help.contains("that branch"), "{help}");
    }
}

/// What a race leaves behind is not told again.
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

#[test]
fn a_barrier_that_opens_without_those_who_left_behind_another_gets_a_note() {
    let body = |first: &str, leave: &str| {
        format!(
            "{first}\n .loc 1 2 1\n setp.ge.u32 %p, %t, 40;\n {leave}\n .loc 1 3 1\n bar.sync 0;\n .loc 1 4 1\n bar.sync 0;\n \
             done:\n .loc 1 9 1\n"
        )
    };
    let wait = ".loc 1 1 1\n bar.sync 0;";
    for policy in POLICIES {
        let told = report(2, 64, policy.clone(), &body(wait, "@%p bra done;"));
        assert_eq!(told.findings, []);
        let [note] = &told.notes[..] else { panic!("one note, not {:#?}", told.notes) };
        assert_eq!((lines(note), note.is_error(), note.cause.key()), (vec![2, 3], false, "opens-without"));
        assert!(note.accesses[0].action().starts_with("threads 40 to 63 left the kernel"), "{note:#?}");
        // The guard at the top, also behind a barrier of some warps; nobody leaves; what they leave behind is the last.
        let some = "setp.ge.u32 %q, %t, 32;\n @%q bra over;\n bar.sync 1, 32;\n over:";
        for (first, leave) in [("", "@%p bra done;"), (some, "@%p bra done;"), (wait, ""), (wait, "bra done;")] {
            let told = report(2, 64, policy.clone(), &body(first, leave));
            assert_eq!((told.findings, told.notes), (vec![], vec![]), "{first} {leave}");
        }
    }
}

/// Two threads add by compare-and-swap in line 3, and compare with what line 1 has loaded.
#[test]
fn a_compare_and_swap_that_never_loads_again_is_told_so() {
    let body = |load: &str, again: &str| {
        format!(
            "{load}\n again:\n {again}\n .loc 1 2 1\n add.u32 %s, %i, 1;\n .loc 1 3 1\n atom.global.cas.b32 %r, [%a], %i, %s;\n \
             setp.ne.u32 %q, %r, %i;\n @%q bra again;\n"
        )
    };
    let load = ".loc 1 1 1\n ld.volatile.global.u32 %i, [%a];\n bar.sync 0;";
    let told = report(1, 2, Policy::InOrder, &body(load, "")).findings;
    assert_eq!(told[0].slug, Slug::Livelock);
    let help = &told[0].fix();
    assert!(help.starts_with("`atomicCAS()` in line 3 goes on comparing with what line 1 loaded once"), "{help}");
    // It waits for its turn: what it compares with is no look at the place.
    let told =
        report(1, 2, Policy::InOrder, &body(".loc 1 1 1\n ld.volatile.global.u32 %i, [%a+64]; add.u32 %i, %i, 7;", ""));
    assert!(told.findings[0].fix().starts_with("look for who should end the loop"), "{told:#?}");
    assert_eq!(report(1, 2, Policy::InOrder, &body("", load.split("bar").next().unwrap_or(""))).findings, []);
}

/// Half a warp shuffles with a mask of its own in line 3 and takes what is in the other half, which comes there as well, or not.
#[test]
fn a_lane_that_comes_to_the_shuffle_with_another_mask_is_told_of() {
    let body = |other: &str| {
        format!(
            "setp.ge.u32 %p, %t, 16;\n selp.b32 %s, 0xffff0000, 0xffff, %p;\n {other}\n .loc 1 3 1\n \
             shfl.sync.bfly.b32 %r, %t, 16, 31, %s;\n setp.eq.u32 %q, %r, 7;\n .loc 1 4 1\n @%q st.global.u32 [%a], 1;\n over:"
        )
    };
    for policy in POLICIES {
        let told = report(1, 32, policy.clone(), &body("")).findings;
        let comes = |finding: &Finding| finding.why().contains("comes to this line as well, with another mask");
        assert!(
            told.iter().any(|finding| comes(finding) && finding.fix().contains("one mask which names them all")),
            "{told:#?}"
        );
        let told = report(1, 32, policy, &body("@%p bra over;")).findings;
        assert!(!told.is_empty() && !told.iter().any(comes), "{told:#?}");
    }
}

#[test]
fn in_a_branch_the_barrier_of_the_warp_names_the_lanes_that_take_it() {
    let body = |branch: &str| {
        format!(
            "{}.loc 1 1 1\n {branch}\n .loc 1 2 1\n st.shared.u32 [%s], %t;\n .loc 1 3 1\n ld.shared.u32 %r, [%o];\n over:",
            words(1)
        )
    };
    let told = report(1, 32, Policy::InOrder, &body("setp.ge.u32 %p, %t, 16;\n @%p bra over;")).findings;
    let (_, help) = said(&told, [2, 3]);
    assert!(
        help.ends_with("where lanes 0x0000ffff come alone, as behind the branch in line 1, `__syncwarp(0x0000ffff)`"),
        "{help}"
    );
    let told = report(1, 32, Policy::InOrder, &body("")).findings;
    assert!(!said(&told, [2, 3]).1.contains("__syncwarp(0x"));
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
        assert!(!finding.why().contains("both threads are in one warp"), "{finding:#?}");
    }
}
