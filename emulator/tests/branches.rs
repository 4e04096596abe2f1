//! Barriers in branches: an error where lanes of a warp part and go on together, a note where whole warps do, nothing
//! where the ways rejoin at the end alone. The verdict is the same whoever comes first.

use crate::kernel::{lines, report, report_of};
use emulator::finding::{Cause, Finding, Slug};
use emulator::{Device, LaunchReport, Policy, Profile};

fn under_each(block: u32, body: &str, judge: impl Fn(LaunchReport)) {
    let seeds = (0..6).flat_map(|seed| [Policy::Random { seed }, Policy::Adversarial { seed }]);
    for policy in [Policy::InOrder, Policy::Reverse].into_iter().chain(seeds) {
        judge(report(2, block, policy, body));
    }
}

fn told(found: &[Finding]) -> Vec<(Vec<u32>, bool)> {
    let is_skipped = |finding: &Finding| matches!(finding.cause, Cause::BarrierInBranch { .. });
    assert!(found.iter().all(|it| it.slug == Slug::BarrierDivergence && is_skipped(it)), "{found:#?}");
    found.iter().map(|it| (lines(it), it.is_error())).collect()
}

/// Line 1 has the branch, line 2 the barrier.
fn branch(condition: &str, barrier: &str) -> String {
    format!("{condition}\n .loc 1 1 1\n @%p bra over;\n .loc 1 2 1\n {barrier}\n over:\n .loc 1 3 1\n")
}

const STORE: &str = "red.global.add.u32 [%a], 1;";
const ODD: &str = "and.b32 %r, %t, 1; setp.ne.u32 %p, %r, 0;";
const WARP: &str = "setp.ge.u32 %p, %t, 32;";

#[test]
fn lanes_that_part_and_go_on_together_are_an_error() {
    let loops = |trips: &str| {
        format!(
            "{trips} mov.u32 %i, 0;\n again:\n .loc 1 2 1\n bar.sync 0;\n add.u32 %i, %i, 1;\n setp.lt.u32 %p, %i, \
             %s;\n \
             .loc 1 1 1\n @%p bra again;\n .loc 1 3 1\n {STORE}"
        )
    };
    // Each waits twice, in rounds of its own: no round finds them together.
    let in_turn = "mov.u32 %i, 0;\n again:\n add.u32 %r, %i, %t; and.b32 %r, %r, 1; setp.ne.u32 %p, %r, 0;\n .loc 1 1 \
        1\n \
                   @%p bra skip;\n .loc 1 2 1\n bar.sync 0;\n skip:\n add.u32 %i, %i, 1;\n setp.lt.u32 %q, %i, 4;\n \
                   @%q bra again;\n red.global.add.u32 [%a], 1;";
    let all = [
        branch(ODD, "bar.sync 0;") + STORE,
        branch(ODD, "bar.sync 0; bar.sync 0;") + STORE,
        branch(ODD, "bar.red.popc.u32 %r, 0, %p;") + STORE,
        branch("setp.eq.u32 %p, %t, 40;", "bar.sync 0;") + STORE,
        loops("and.b32 %s, %t, 3;"),
        in_turn.to_string(),
    ];
    for body in all {
        under_each(64, &body, |report| {
            assert_eq!(told(&report.findings), [(vec![1, 2], true)], "{body}");
            assert_eq!(report.notes, [], "{body}");
        });
    }
}

#[test]
fn warps_that_part_and_go_on_together_are_a_note() {
    let loops = "shr.u32 %s, %t, 5; mov.u32 %i, 0;\n again:\n .loc 1 2 1\n bar.sync 0;\n add.u32 %i, %i, 1;\n \
                 setp.le.u32 %p, %i, %s;\n .loc 1 1 1\n @%p bra again;\n .loc 1 3 1\n red.global.add.u32 [%a], 1;";
    for body in [branch(WARP, "bar.sync 0;") + STORE, branch(WARP, "bar.sync 0; bar.sync 0;") + STORE, loops.into()] {
        under_each(96, &body, |report| {
            assert_eq!(report.findings, [], "{body}");
            assert_eq!(told(&report.notes), [(vec![1, 2], false)], "{body}");
        });
    }
}

#[test]
fn nothing_is_told_of_ways_that_rejoin_at_the_end_and_of_barriers_that_allow_it() {
    let leaves = |before: &str, condition: &str| format!("{before} {}", branch(condition, "bar.sync 0; bar.sync 0;"));
    let called_equally = "mov.u32 %i, 0;\n again:\n add.u32 %i, %i, 1;\n bar.sync 0;\n setp.lt.u32 %p, %i, 4;\n \
                          @%p bra again;\n red.global.add.u32 [%a], 1;";
    // Rounds of different numbers in one loop, before one without a difference.
    let uneven_before = format!(
        "mov.u32 %i, 0;\n go:\n setp.eq.u32 %q, %i, 99;\n @%q bar.sync 0;\n add.u32 %i, %i, 1;\n setp.lt.u32 %p, %i, \
         %t;\n \
         @%p bra go;\n {called_equally}"
    );
    let all = [
        leaves("", ODD),
        leaves("", "setp.ge.u32 %p, %t, 40;"),
        leaves("bar.sync 0;", "setp.ge.u32 %p, %t, 40;"),
        leaves("bar.sync 0;", WARP),
        branch(ODD, "barrier.sync 0;") + STORE,
        branch(WARP, "bar.sync 1, 32;") + STORE,
        branch("setp.eq.u32 %p, %b, 0;", "bar.sync 0;") + STORE,
        called_equally.to_string(),
        uneven_before,
    ];
    for body in all {
        under_each(64, &body, |report| assert_eq!((report.findings, report.notes), (vec![], vec![]), "{body}"));
    }
}

/// A barrier that another one takes the place of is told, and nothing besides.
#[test]
fn a_barrier_that_meets_another_is_told_once() {
    under_each(64, &(branch(ODD, "bar.sync 0;") + "bar.sync 0;" + STORE), |report| {
        let [finding] = &report.findings[..] else { panic!("{:#?}", report.findings) };
        assert!(matches!(finding.cause, Cause::BarrierDivergence { .. }), "{finding:#?}");
    });
}

/// Threads that leave the kernel before a barrier that others of their block reach.
mod threads_that_left {
    use super::*;

    fn each_report(body: &str, judge: impl Fn(LaunchReport)) {
        for policy in [Policy::InOrder, Policy::Reverse, Policy::Random { seed: 1 }, Policy::Adversarial { seed: 1 }] {
            let mut device = Device::new(Profile::default());
            device.note_exits_before_barriers();
            judge(report_of(device, 2, 96, policy, body));
        }
    }

    /// Builds a kernel whose threads return in line 1 if `condition` holds. The others pass barriers in lines 2 and 4.
    fn returns(condition: &str) -> String {
        format!(
            "{condition}\n .loc 1 1 1\n @%p bra out;\n .loc 1 2 1\n bar.sync 0;\n .loc 1 3 1\n {STORE}\n \
             .loc 1 4 1\n bar.sync 0;\n out:\n .loc 1 5 1\n"
        )
    }

    #[test]
    fn are_a_note_for_each_pair_of_lines() {
        for condition in [ODD, WARP, "setp.ge.u32 %p, %t, 40;"] {
            each_report(&returns(condition), |report| {
                assert_eq!(report.findings, [], "{condition}");
                let is_it = |note: &Finding| matches!(note.cause, Cause::LeftBeforeBarrier) && !note.is_error();
                assert!(report.notes.iter().all(is_it), "{:#?}", report.notes);
                let told: Vec<_> = report.notes.iter().map(lines).collect();
                assert_eq!(told, [vec![1, 2], vec![1, 4]], "{condition}");
            });
        }
    }

    #[test]
    fn are_no_note_where_whole_blocks_leave_or_another_note_says_more() {
        let before = format!(".loc 1 1 1\n bar.sync 0;\n {ODD}\n @%p bra out;\n {STORE}\n out:\n");
        for body in [returns("setp.eq.u32 %p, %b, 0;"), before] {
            each_report(&body, |report| assert_eq!((report.findings, report.notes), (vec![], vec![]), "{body}"));
        }
        each_report(&(branch(WARP, "bar.sync 0;") + STORE), |report| {
            assert_eq!(told(&report.notes), [(vec![1, 2], false)]);
        });
    }

    /// The race report names the barrier already.
    #[test]
    fn are_no_note_where_a_race_names_the_barrier() {
        let body = "cvt.u64.u32 %c, %t; setp.lt.u32 %p, %t, 32;\n .loc 1 1 1\n @%p st.shared.u32 [tile], %t;\n \
                    .loc 1 2 1\n @%p bra out;\n .loc 1 3 1\n bar.sync 0;\n .loc 1 4 1\n ld.shared.u32 %r, [tile];\n \
                    st.global.u32 [%a], %r;\n out:\n";
        each_report(body, |report| {
            assert!(report.findings.iter().any(|it| it.slug == Slug::RaceShared), "{:#?}", report.findings);
            assert!(!report.notes.iter().any(|it| matches!(it.cause, Cause::LeftBeforeBarrier)), "{:#?}", report.notes);
        });
    }
}
