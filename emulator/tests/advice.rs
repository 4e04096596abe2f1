//! The advice of a report beside the bug: in which words, in which order, and where it says less. More of the same is
//! in `help.rs`.

use crate::kernel::{lines, report};
use crate::races::{at, missing, narrow_lines, pair, race};
use crate::words::{Acted, Words};
use emulator::Policy;
use emulator::finding::{
    Access, AccessKind, Action, AllCome, BufferSide, Cause, Fate, Finding, Livelock, LivelockReason, Missing,
    PlainAccess, Polled, Slug, Space,
};

const POLICIES: [Policy; 4] =
    [Policy::InOrder, Policy::Reverse, Policy::Random { seed: 1 }, Policy::Adversarial { seed: 1 }];

fn one(found: &[Finding]) -> &Finding {
    let [finding] = found else { panic!("one finding, not {found:#?}") };
    finding
}

fn between(found: &[Finding], slug: Slug, both: [u32; 2]) -> Option<&Finding> {
    let is_it = |finding: &&Finding| {
        let mut lines = lines(finding);
        lines.sort_unstable();
        finding.slug == slug && lines == both
    };
    found.iter().find(is_it)
}

/// The first warp waits in line 1 and the second in line 2.
#[test]
fn warps_that_meet_from_two_lines_get_a_note_and_no_finding() {
    let body = |branch: &str, one: &str, other: &str| {
        format!("{branch} @%p bra low;\n .loc 1 2 1\n {other}\n bra over;\n low:\n .loc 1 1 1\n {one}\n over:")
    };
    let by_warp = "setp.lt.u32 %p, %t, 32;";
    let wait = "bar.sync 0;";
    for policy in POLICIES {
        let told = report(2, 64, policy.clone(), &body(by_warp, wait, wait));
        assert_eq!(told.findings, []);
        let mut both = lines(one(&told.notes));
        both.sort_unstable();
        assert_eq!(both, [1, 2]);
        assert!(!told.notes[0].is_error() && told.notes[0].why().contains("CUDA programming guide allows"), "{told:?}");
        assert_eq!(told.notes[0].cause, Cause::WarpsAtDifferentBarriers { one_line: false });
        // Two statements of one line are two places.
        let told = report(2, 64, policy.clone(), &body(by_warp, wait, &format!(".loc 1 1 20\n {wait}")));
        assert_eq!((told.findings.as_slice(), lines(one(&told.notes))), (&[][..], vec![1, 1]));
        assert_eq!(told.notes[0].cause, Cause::WarpsAtDifferentBarriers { one_line: true });
        // Copies of one line; barriers that are no `__syncthreads()`; a branch that each block takes as a whole.
        let one_line = body(by_warp, wait, &format!(".loc 1 1 1\n {wait}"));
        let others = ["barrier.sync 0;", "bar.sync 1;", "bar.sync 0, 64;"].map(|other| body(by_warp, other, other));
        let by_block = body("setp.eq.u32 %p, %b, 0;", wait, wait);
        for silent in others.iter().chain([&one_line, &by_block]) {
            let told = report(2, 64, policy.clone(), silent);
            assert_eq!((told.findings, told.notes), (vec![], vec![]), "{silent}");
        }
        // Lanes of one warp are a finding's matter.
        let told = report(1, 64, policy, &body("setp.lt.u32 %p, %t, 16; setp.ge.or.u32 %p, %t, 32, %p;", wait, wait));
        assert_eq!(told.findings.iter().map(|finding| finding.slug).collect::<Vec<_>>(), [Slug::BarrierDivergence]);
    }
}

/// Line 1 adds up, with masks that leave a lane out of its own.
#[test]
fn groups_that_reduce_are_not_told_to_reduce_all() {
    let sum = |limit: u32| {
        format!(
            "setp.lt.u32 %p, %t, {limit}; selp.b32 %r, 0xffff, 0xffff0000, %p;\n .loc 1 1 1\n redux.sync.add.s32 %s, \
             %t, %r;"
        )
    };
    let told = report(1, 32, Policy::InOrder, &sum(15)).findings;
    let finding = one(&told);
    let all_come = Some(AllCome { at: Some(at(1)), whole_warp: true, is_barrier: false });
    assert_eq!(finding.cause, Cause::OutsideOwnMask { all_come });
    let (all, groups) = ("name all lanes that reach line 1: 0xffffffff", "give each lane the mask of its own group");
    assert_eq!(finding.fix(), format!("{all}. If the lanes form groups, {groups}"));
    assert_eq!(report(1, 32, Policy::InOrder, &sum(16)).findings, []);
}

/// Line 1 is the barrier of a warp, with a mask for the lower lanes and one for the upper ones.
#[test]
fn where_all_lanes_come_the_full_mask_is_named() {
    let meet = |low: &str, high: &str| {
        format!("setp.lt.u32 %p, %t, 16; selp.b32 %r, {low}, {high}, %p;\n .loc 1 1 1\n bar.warp.sync %r;")
    };
    let cases = [
        // Lanes that their own mask does not name, and two masks that name each other's lanes.
        (32, meet("0xffff", "0xffff"), Some("name all lanes that reach line 1: 0xffffffff")),
        (32, meet("0x1ffff", "0xffff8000"), Some("name all lanes that reach line 1: 0xffffffff")),
        (20, meet("0xffff", "0xffff"), Some("name all lanes that reach line 1")),
        // Some lanes go by.
        (32, format!("setp.ge.u32 %q, %t, 24; @%q bra over; {} over:", meet("0xffff", "0xffff")), None),
    ];
    for (threads, body, fix) in cases {
        let told = report(1, threads, Policy::InOrder, &body).findings;
        let finding = one(&told);
        assert_eq!(finding.slug, Slug::MaskMismatch);
        let (Cause::OutsideOwnMask { all_come } | Cause::MaskMismatch { all_come, .. }) = &finding.cause else {
            panic!("{finding:#?}")
        };
        let all = AllCome { at: Some(at(1)), whole_warp: threads == 32, is_barrier: true };
        assert_eq!(*all_come, fix.map(|_| all));
        assert!(fix.is_none_or(|fix| finding.fix() == fix), "{}", finding.fix());
    }
}

/// All count in line 1, look plainly in line 2, and store in line 3 where that says.
#[test]
fn a_place_that_is_asked_for_twice_is_the_one_that_the_atomic_operation_returned() {
    let told = |place: &str, look: &str| {
        let body = format!(
            ".loc 1 1 1\n atom.global.add.u32 %r, [%a], 1;\n .loc 1 2 1\n ld.global.u32 %s, [%a];\n add.u32 %s, %s, \
             7;\n {place}\n \
             mad.wide.u32 %c, %s, 4, %a;\n .loc 1 3 1\n st.global.u32 [%c], {look};"
        );
        let found = report(2, 1, Policy::InOrder, &body).findings;
        missing(between(&found, Slug::RaceGlobal, [1, 2]).unwrap_or_else(|| panic!("{found:?}"))).cloned()
    };
    assert_eq!(told("", "%b"), Some(Missing::OwnUpdate { at: at(1), certain: true }));
    // It may be the total, by which each thread finds a place of its own; or the first answer is in use already.
    for told in [told("sub.u32 %s, %s, %b;", "%t"), told("", "%r")] {
        assert_eq!(told, Some(Missing::OwnUpdate { at: at(1), certain: false }));
    }
}

/// Some threads of two blocks count in line 1, and some ask in line 2.
#[test]
fn a_count_that_others_make_too_may_be_meant_as_it_is() {
    let told = |count: &str, way: &str| -> Vec<Option<Missing>> {
        let body = format!(
            "setp.ne.u32 %p, %t, 0; setp.gt.u32 %q, %t, 20;\n .loc 1 1 1\n {count}\n .loc 1 2 1\n {way}\n \
             ld.global.u32 %s, [%a];\n mad.wide.u32 %c, %s, 4, %a;\n .loc 1 3 1\n st.global.u32 [%c+128], 7;\n over:"
        );
        let of_policy = |policy: Policy| {
            let found = report(2, 64, policy, &body).findings;
            missing(between(&found, Slug::RaceGlobal, [1, 2]).unwrap_or_else(|| panic!("{found:?}"))).cloned()
        };
        POLICIES.into_iter().map(of_policy).collect()
    };
    let add = "atom.global.add.u32 %r, [%a], 1;";
    let own = |certain| Some(Missing::OwnUpdate { at: at(1), certain });
    assert!(told(add, "").contains(&own(true)));
    for (count, way) in [
        (format!("@%q bra behind;\n {add}\n behind:"), "@%p bra over;"),
        (format!("setp.lt.u32 %q, %t, 99; @%q {add}"), ""),
        (add.to_string(), "@%p bra over;"),
    ] {
        let told = told(&count, way);
        assert!(!told.contains(&own(true)) && told.contains(&own(false)), "{count} {way}: {told:?}");
    }
    // Threads that wait for others in between want what those have counted too.
    assert!(told(add, "bar.sync 0;").iter().all(Option::is_none));
}

/// A counter of line 1, which line 2 stores to, loads, or changes in a step of its own.
#[test]
fn what_a_plain_access_is_called_as_an_atomic_one_is_what_it_does() {
    let (load, store) = ("ld.global.u32 %r, [%a];", "st.global.u32 [%a], %r;");
    for (plain, access, name) in [
        (load.to_string(), PlainAccess::Load, "`atomicAdd(p, 0)` is an atomic read of `*p`"),
        (store.to_string(), PlainAccess::Store, "`atomicExch(p, v)` is an atomic write"),
        (format!("{load} add.u32 %r, %r, 2; {store}"), PlainAccess::Update, "`atomicAdd(p, v)` for `*p += v`"),
    ] {
        let body = format!(
            "mov.u32 %r, 5; setp.eq.u32 %p, %b, 0; @%p bra plain;\n .loc 1 1 1\n red.global.add.u32 [%a], 1;\n ret;\n \
             plain:\n \
             .loc 1 2 1\n {plain}"
        );
        let found = report(2, 1, Policy::InOrder, &body).findings;
        let told = between(&found, Slug::RaceGlobal, [1, 2]).unwrap_or_else(|| panic!("{found:?}"));
        assert_eq!(pair(told).plain, access);
        assert!(told.fix().contains(name), "{}", told.fix());
    }
}

/// Block 0 sets a flag in line 1; block 1 waits for it in line 2, or looks once and then waits for ever in line 3.
#[test]
fn a_plain_flag_is_to_be_strong_and_fenced() {
    let body = |store: &str, load: &str, wait: &str| {
        format!(
            "setp.ne.u32 %p, %b, 0; @%p bra reader;\n .loc 1 1 1\n st.{store}global.u32 [%a], 1;\n ret;\n reader: \
             again:\n \
             .loc 1 2 1\n ld.{load}global.u32 %r, [%a];\n setp.eq.u32 %p, %r, 0;\n {wait}"
        )
    };
    let again = "@%p bra again;";
    let once = ".loc 1 3 1\n @%p bra forever; ret;\n forever: bra.uni forever;";
    for (store, load, strong) in [("", "", None), ("volatile.", "", Some(1)), ("", "volatile.", Some(2))] {
        for wait in [again, once] {
            let found = report(2, 1, Policy::InOrder, &body(store, load, wait)).findings;
            let told = between(&found, Slug::RaceGlobal, [1, 2]).expect("a race");
            assert_eq!(told.cause.key(), "plain-flag");
            assert_eq!(pair(told).strong.map(|strong| lines(told)[strong]), strong, "{told:#?}");
            assert!(told.fix().contains("`__threadfence()` before it is set and another after it is seen"), "{told:?}");
            let is_taken_out = wait == once && load.is_empty();
            let polled = if is_taken_out { Polled::Once { at: Some(at(3)) } } else { Polled::Again };
            assert_eq!(pair(told).polled, Some(polled), "{store} {load} {wait}");
            assert_eq!(told.why().contains("reads a plain flag once"), is_taken_out, "{}", told.why());
        }
    }
    // One look decides something else than whether to wait, or something else decides that.
    let others = [
        "@%p ret;\n st.global.u32 [%a+64], 1;",
        "setp.eq.u32 %q, %t, 9; @%q bra forever; ret;\n forever: bra.uni forever;",
    ];
    for other in others {
        let found = report(2, 1, Policy::InOrder, &body("", "", other)).findings;
        let told = between(&found, Slug::RaceGlobal, [1, 2]).expect("a race");
        assert_eq!(pair(told).polled, None, "{told:#?}");
    }
}

/// A load that the compiler has taken out of a loop has no line of its own: it counts to the line behind it, which uses
/// it.
#[test]
fn what_was_moved_up_counts_to_the_line_that_uses_it() {
    let body = "
        setp.ne.u32 %p, %b, 0; @%p bra reader;
        .loc 1 1 1
        st.global.u32 [%a], 1;
        ret;
        reader:
        .loc 1 5 1
        add.u32 %i, %t, 1;
        .loc 1 0 1
        ld.global.u32 %r, [%a];
        .loc 1 6 1
        setp.eq.u32 %p, %r, 0;
        @%p ret;";
    assert_eq!(lines(one(&report(2, 1, Policy::InOrder, body).findings)), [1, 6]);
    // Behind a jump it is another's line.
    let last = body.replace(".loc 1 6 1", "bra over; over:\n .loc 1 6 1");
    assert_eq!(lines(one(&report(2, 1, Policy::InOrder, &last).findings)), [1, 5]);
}

/// A store of both sides of a branch that the compiler has put behind them stands before a line that it has nothing to
/// do with.
#[test]
fn what_was_moved_down_counts_to_the_line_before() {
    for store in ["st.shared.u32 [tile], %r;", "atom.shared.exch.b32 %s, [tile], %r;", "red.shared.add.u32 [tile], %r;"]
    {
        let body = format!(
            "
            .loc 1 5 1
            mul.lo.u32 %r, %t, 3;
            .loc 1 0 0
            {store}
            .loc 1 9 3
            bar.sync 0;
            .loc 1 10 3
            st.shared.u32 [tile], 1;
            bar.sync 0;
            setp.eq.u32 %p, %t, 0; @%p bra over;
            .loc 1 12 3
            ld.shared.u32 %s, [tile];
            bra behind;
            over:
            .loc 1 15 1
            add.u32 %r, %r, 1;
            .loc 1 0 0
            {store}
            .loc 1 16 1
            behind: bar.sync 0;"
        );
        let found = report(1, 64, Policy::InOrder, &body).findings;
        let all: Vec<Vec<u32>> = found.iter().map(lines).collect();
        assert!(all.iter().flatten().all(|line| ![9, 16].contains(line)), "{all:?}");
        assert!(all.iter().any(|pair| pair.contains(&12) && pair.contains(&15)), "{all:?}");
    }
}

/// Data in line 1, fence in line 2, flag in line 3; look in line 4, fence in line 5, data in line 6. Blocks 1 and 2
/// read.
const HAND_OVER: &str = "
    setp.ne.u32 %p, %b, 0; @%p bra reader;
    .loc 1 1 1
    st.global.u32 [%a], 7;
    .loc 1 2 1
    membar.F2;
    .loc 1 3 1
    atom.F3.global.exch.b32 %r, [%a+64], 1;
    ret;
    reader: again:
    .loc 1 4 1
    atom.F4.global.add.u32 %r, [%a+64], 0;
    setp.eq.u32 %p, %r, 0;
    @%p bra again;
    .loc 1 5 1
    membar.F5;
    .loc 1 6 1
    ld.global.u32 %r, [%a];";

#[test]
fn what_is_still_narrow_is_named_as_the_source_calls_it() {
    let wide = |line: u32| if [2, 5].contains(&line) { "gl" } else { "gpu" };
    let scopes = |narrow: &[u32]| {
        (2..=5).fold(HAND_OVER.to_string(), |body, line| {
            body.replace(&format!("F{line}"), if narrow.contains(&line) { "cta" } else { wide(line) })
        })
    };
    assert_eq!(report(3, 1, Policy::InOrder, &scopes(&[])).findings, []);
    let names = [
        (2, "`__threadfence()` in place of `__threadfence_block()`"),
        (3, "`atomicExch()` in place of `atomicExch_block()`"),
        (4, "`atomicAdd()` or `atomicSub()` in place of the function with `_block`"),
        (5, "`__threadfence()` in place of `__threadfence_block()`"),
    ];
    for policy in POLICIES {
        for (line, name) in names {
            let found = report(3, 1, policy.clone(), &scopes(&[line])).findings;
            assert!(!found.is_empty());
            for finding in &found {
                assert_eq!(narrow_lines(finding), [line], "{finding:#?}");
                assert_eq!(finding.fix(), format!("give it device scope: {name}"));
            }
            assert!(found.iter().any(|finding| finding.slug == Slug::RaceScope), "{found:#?}");
        }
    }
    // Two instructions of one line are named once.
    let body = scopes(&[3, 4]).replace(".loc 1 3 1", ".loc 1 4 1");
    let found = report(3, 1, Policy::InOrder, &body).findings;
    let said = |finding: &Finding| format!("{} {}", finding.message(), finding.why());
    assert!(found.iter().all(|finding| said(finding).matches("in line 4").count() == 1), "{found:#?}");
}

/// The counter of line 1 has block scope, and so has line 2's in another block; in line 2 of one block it is plain.
#[test]
fn a_wider_scope_is_no_fix_inside_one_block() {
    let body = |block: &str| {
        format!(
            "setp.eq.u32 %q, %t, 0;
            setp.eq.u32 %p, %b, 0; @%p bra writer;
            bra reader;
            writer: @!%q bra same;
            .loc 1 1 1
            atom.cta.global.exch.b32 %r, [%a], 1;
            ret;
            same: {block}
            .loc 1 2 1
            ld.global.u32 %r, [%a];
            ret;
            reader: @!%q ret;
            .loc 1 2 1
            atom.cta.global.exch.b32 %r, [%a], 2;"
        )
    };
    for policy in POLICIES {
        let found = report(2, 2, policy, &body("")).findings;
        let narrow = between(&found, Slug::RaceScope, [1, 2]).unwrap_or_else(|| panic!("{found:#?}"));
        assert_eq!(narrow_lines(narrow), [1, 2], "{narrow:#?}");
        let own = between(&found, Slug::RaceGlobal, [1, 2]).unwrap_or_else(|| panic!("{found:#?}"));
        assert!(narrow_lines(own).is_empty() && race(own).others.is_empty(), "{own:#?}");
    }
}

/// Lanes leave a loop after as many rounds as their number says, its barrier is in line 7, and so is a copy of it.
#[test]
fn a_barrier_in_a_loop_that_lanes_leave_is_told_of_its_rounds() {
    let body = "
        mov.u32 %i, 0;
        again:
        .loc 1 7 9
        bar.sync 0;
        setp.ge.u32 %p, %t, 1; @%p bra over;
        add.u32 %i, %i, 1;
        setp.lt.u32 %p, %i, 2; @%p bra again;
        bra done;
        over:
        .loc 1 LINE 9
        bar.sync 0;
        done:";
    for (line, one_line) in [("7", true), ("9", false)] {
        let found = report(1, 2, Policy::InOrder, &body.replace("LINE", line)).findings;
        let finding = one(&found);
        assert_eq!(finding.slug, Slug::BarrierDivergence);
        assert_eq!(finding.cause, Cause::BarrierDivergence { barrier: 0, one_line, in_loop: true });
        assert!(finding.fix().ends_with(", and let all threads run the loop equally often"), "{}", finding.fix());
    }
    // No loop, no word of it.
    let sides = "setp.eq.u32 %p, %t, 0; @%p bra low;\n .loc 1 7 1\n bar.sync 0; ret;\n low:\n .loc 1 9 1\n bar.sync 0;";
    let found = report(1, 2, Policy::InOrder, sides).findings;
    assert_eq!(one(&found).fix(), "move the barrier out of the branch, so that all threads reach the same one");
}

/// Three groups of a warp meet at barriers in the lines 1, 1 and 2, behind stores of one word in line 9.
#[test]
fn a_divergent_barrier_comes_before_races_and_gets_none_of_their_advice() {
    let body = "
        mov.u32 %s, tile;
        .loc 1 9 1
        st.shared.u32 [%s], %t;
        setp.eq.u32 %p, %t, 0; @%p bra first;
        setp.eq.u32 %p, %t, 1; @%p bra second;
        .loc 1 2 1
        bar.sync 0; ret;
        first:
        .loc 1 1 1
        bar.sync 0; ret;
        second:
        .loc 1 1 1
        bar.sync 0;";
    let mut told = 0;
    for policy in POLICIES {
        let found = report(1, 32, policy, body).findings;
        let first_race = found.iter().position(|finding| finding.slug != Slug::BarrierDivergence).expect("a race");
        assert!(
            first_race > 0 && found[first_race..].iter().all(|it| it.slug != Slug::BarrierDivergence),
            "{found:#?}"
        );
        assert!(found[..first_race].iter().all(|it| it.fix().starts_with("move the barrier out")), "{found:#?}");
        told += usize::from(between(&found, Slug::BarrierDivergence, [1, 1]).is_some() && first_race > 1);
    }
    assert!(told > 0);
}

#[test]
fn an_index_below_zero_is_called_so() {
    let told = report(1, 1, Policy::InOrder, "st.global.u32 [%a+-4], 1;").findings;
    let finding = one(&told);
    let buffer = "the 4096-byte buffer of argument 1";
    assert_eq!(finding.place(), format!("element -1 of what argument 1 points to, 4 bytes before {buffer}"));
    let (kind, space, side) = (AccessKind::Store, Space::Global, BufferSide::Before);
    assert_eq!(finding.cause, Cause::OutOfBounds { kind, bytes: 4, space, side });
    assert!(finding.why().starts_with("The index is below 0"), "{}", finding.why());
    assert_eq!(finding.fix(), "check that the index is not below 0 before the access");
    let named = report::place(finding, &report::Reader::default().with(1, "data"));
    assert!(named.starts_with("`data[-1]`, 4 bytes before"), "{named}");
}

/// Why it never ends, as far as that is known.
fn livelock(finding: &Finding) -> &Livelock {
    let Cause::Livelock(livelock) = &finding.cause else { panic!("no livelock: {finding:#?}") };
    livelock
}

/// All threads take a lock in line 3; some of them wait for something else behind it.
#[test]
fn a_lock_that_is_not_given_back_is_to_be_so_in_its_own_line() {
    let lock = "again:\n .loc 1 3 1\n atom.global.cas.b32 %r, [%a], 0, 1;\n setp.ne.u32 %q, %r, 0;\n @%q bra again;\n";
    let told = report(1, 2, Policy::InOrder, lock).findings;
    let kept = Some(LivelockReason::KeptLock { taken: at(3) });
    assert_eq!(livelock(one(&told)).reason, kept);
    assert!(one(&told).fix().starts_with("release the lock on every path before its thread ends"), "{told:#?}");
    // It is set by other than the line that tries it: a word that goes from hand to hand.
    let handed = format!(
        "setp.eq.u32 %p, %t, 0;\n .loc 1 1 1\n @%p atom.global.cas.b32 %r, [%a], 0, 1;\n @%p ret;\n{}",
        lock.replace("[%a], 0, 1", "[%a], 2, 3").replace("%r, 0;", "%r, 2;")
    );
    let told = report(1, 2, Policy::InOrder, &handed).findings;
    assert_eq!(livelock(one(&told)).reason, None);
    // The value of a free lock may be a copy of a constant.
    let free = "mov.u32 %i, 1; sub.u32 %i, %i, 1;";
    let copied = format!("mov.u32 %i, 0;\n{}", lock.replace("[%a], 0, 1", "[%a], %i, 1"));
    assert_eq!(livelock(one(&report(1, 2, Policy::InOrder, &copied).findings)).reason, kept);
    // In turn: thread 5 is left out, and threads that come later wait for it. So by number of a round.
    let turn = lock.replace("[%a], 0, 1", "[%a], %t, %s").replace("%r, 0;", "%r, %t;");
    let turns = format!("setp.eq.u32 %p, %t, 5;\n @%p ret;\n add.u32 %s, %t, 1;\n{turn}");
    let round = lock.replace("[%a], 0, 1", "[%a], %i, 8").replace("%r, 0;", "%r, %i;");
    for body in [turns, format!("{free}\n{round}")] {
        let told = report(1, 8, Policy::InOrder, &body).findings;
        assert_eq!(livelock(one(&told)).reason, None);
    }
}

/// Block 0 takes a lock and waits for what never comes; block 1 waits for the lock.
#[test]
fn the_one_who_holds_what_other_blocks_wait_for_is_named_with_its_block() {
    let body = "
        take:
        .loc 1 1 1
        atom.global.cas.b32 %r, [%a], 0, 1;
        setp.ne.u32 %p, %r, 0;
        @%p bra take;
        again:
        .loc 1 2 1
        ld.volatile.global.u32 %r, [%a+64];
        setp.eq.u32 %p, %r, 0;
        @%p bra again;";
    let told = report(2, 1, Policy::InOrder, body).findings;
    let is_holder = |it: &&Access| {
        matches!(it.action, Action::Set { block: Some([0, 0, 0]), value: 1, fate: Fate::StandsAt { .. }, .. })
    };
    let holder = one(&told).accesses.iter().find(is_holder).unwrap_or_else(|| panic!("{told:#?}"));
    let Action::Set { fate: Fate::StandsAt { end }, .. } = holder.action else { unreachable!("found as one") };
    assert!(holder.action().ends_with(&format!(" to 1, and is at ({end}) now")), "{}", holder.action());
}
