//! Tests that a report tells locks from other words, and what a lock lacks.

use crate::help::{findings, race_between};
use crate::races::{at, missing};
use crate::words::Words;
use emulator::Policy;
use emulator::finding::{MemoryPlace, Missing, Word};

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

/// The lack of a fence in a lock is told alike for lanes, warps and blocks. The load and the store may be one access of
/// the source or two.
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
    let lock = |index| Some(MemoryPlace::Argument { number: 1, index: Some(index) });
    for (without, second) in [(9, lock(17)), (1, None)] {
        let found = found(without);
        let expected = Missing::Locks { first: lock(16), second, one_block: false };
        assert_eq!(missing(race_between(&found, [3, 4])), Some(&expected));
    }
}

/// A word that is compared and swapped and never written back to what it was is no lock: a race beside it is told by
/// its barrier. An `atomicAdd` of 0 to it, and a later swap, give nothing back.
#[test]
fn a_compare_and_swap_that_guards_nothing_is_no_lock() {
    let body = |last: u32| {
        format!(
            "setp.ne.u32 %q, %t, 0;
            @%q bra over;
            atom.global.cas.b32 %r, [%a+64], 0, 1;
            atom.global.add.u32 %r, [%a+64], 0;
            membar.gl;
            .loc 1 1 1
            ld.global.u32 %r, [%a];
            membar.gl;
            atom.global.cas.b32 %r, [%a+64], 1, {last};
            over:
            setp.ne.u32 %q, %t, 32;
            @%q bra end;
            .loc 1 3 1
            st.global.u32 [%a], 1;
            end:"
        )
    };
    let missing_of = |last: u32| {
        let found = findings(1, 64, Policy::InOrder, &body(last));
        missing(race_between(&found, [1, 3])).cloned()
    };
    assert!(!matches!(missing_of(2), Some(Missing::Locks { .. })), "{:?}", missing_of(2));
    // Swapped back to 0, it is one.
    assert!(matches!(missing_of(0), Some(Missing::Locks { .. })), "{:?}", missing_of(0));
}

/// If one lane holds a lock for its warp, the other lanes need a barrier of the warp: a lock in each lane would
/// deadlock.
#[test]
fn a_lock_that_a_lane_holds_for_its_warp_is_not_advised_to_the_others() {
    let body = "setp.ne.u32 %q, %t, 0;
        @%q bra taken;
        take:
        atom.global.cas.b32 %r, [%a+64], 0, 1;
        setp.ne.u32 %p, %r, 0;
        @%p bra take;
        membar.gl;
        .loc 1 1 1
        st.global.u32 [%a], 1;
        taken:
        .loc 1 3 1
        ld.global.u32 %r, [%a];
        add.u32 %r, %r, %t;
        st.global.u32 [%a+128], %r;
        @%q bra end;
        membar.gl;
        atom.global.exch.b32 %r, [%a+64], 0;
        end:";
    let found = findings(1, 32, Policy::InOrder, body);
    let missing = missing(race_between(&found, [1, 3]));
    assert!(!matches!(missing, Some(Missing::Locks { .. })), "{missing:?}");
}

/// Two lanes of one warp, too, are told of the lock's own lines.
#[test]
fn a_lock_that_releases_nothing_is_named_between_lanes_of_a_warp() {
    let found = |release: &str| findings(1, 2, Policy::InOrder, &locked("", ".loc 1 4 1", release));
    let unfenced = found(EXCHANGE);
    let unfenced = race_between(&unfenced, [3, 4]);
    let fences =
        Missing::FenceBeforeFlag { first: at(4), set: at(5), look: Some(at(1)), acquired: false, word: Word::Lock };
    assert_eq!(missing(unfenced), Some(&fences));
    let (before, after) = ("one between lines 4 and 5", "one after line 1, which takes the lock");
    assert_eq!(unfenced.fix(), format!("two `__threadfence()`: {before}, {after}"));
    // A lock that is taken by an atomic operation is not given back by a plain store.
    let plain = found(".loc 1 5 1\n st.global.u32 [%a+64], 0;");
    let plain = race_between(&plain, [1, 5]);
    assert_eq!(missing(plain), Some(&Missing::PlainUnlock { taken: at(1), store: at(5) }));
    assert_eq!(plain.fix(), "`__threadfence()` and then `atomicExch()` in line 5");
}

/// A semaphore's compare-and-swap expects what its thread has read: it waits for no one value, as a lock does.
#[test]
fn a_semaphore_is_not_called_a_lock() {
    let counted = |release: &str, behind: &str| {
        let body = format!(
            "take:
            .loc 1 1 1
            ld.relaxed.gpu.global.u32 %s, [%a+64];
            sub.u32 %i, %s, 1;
            atom.global.cas.b32 %r, [%a+64], %s, %i;
            setp.ne.u32 %p, %r, %s;
            @%p bra take;
            {release}
            .loc 1 3 1
            ld.global.u32 %r, [%a];
            add.u32 %r, %r, 1;
            .loc 1 4 1
            st.global.u32 [%a], %r;
            {behind}"
        );
        findings(2, 1, Policy::InOrder, &body)
    };
    let add = ".loc 1 5 1\n atom.global.add.u32 %o, [%a+64], 1;";
    let unfenced = counted("", add);
    let unfenced = race_between(&unfenced, [3, 4]);
    let word = Word::Variable;
    let fences = Missing::FenceBeforeFlag { first: at(4), set: at(5), look: Some(at(1)), acquired: false, word };
    assert_eq!(missing(unfenced), Some(&fences));
    assert!(unfenced.fix().ends_with("one after line 1, which reads the variable"), "{}", unfenced.fix());
    // Nor is it said to be released too early.
    let early = counted(add, "");
    assert!(!matches!(missing(race_between(&early, [3, 4])), Some(Missing::ReleasedEarly { .. })), "{early:?}");
}
