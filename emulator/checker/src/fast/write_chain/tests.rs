//! The chain of writes step by step.

use super::*;
use machine::exec::memory::Scope;

fn strong(thread: u32, kind: RecordedKind) -> RecordedAccess {
    RecordedAccess { thread, clock: 1, info: AccessInfo::new(thread, 0xf, kind, Some(Scope::Device), 4) }
}

/// Updates and reads observe; plain stores do not.
fn links(_: RecordedAccess, by: RecordedAccess) -> bool {
    by.info.kind() != RecordedKind::Write
}

fn none() -> impl Iterator<Item = RecordedAccess> {
    std::iter::empty()
}

fn observers(chain: &WriteChain, write: RecordedAccess) -> Vec<u32> {
    chain.observers(chain.number(write).unwrap()).map(|by| by.thread).collect()
}

#[test]
fn who_has_observed_a_write_stays_known_behind_another() {
    let [first, second] = [1, 2].map(|thread| strong(thread, RecordedKind::Write));
    let mut chain = WriteChain::default();
    let reads = [strong(3, RecordedKind::Read)].into_iter();
    chain.begin(first);
    chain.wrote(reads, ChainAccess::of(second), links);
    assert_eq!(observers(&chain, first), [3]);
    assert_eq!(observers(&chain, second), [0u32; 0]);
    assert_eq!(chain.hands_on(chain.number(first).unwrap()), None);
    assert_eq!(chain.hands_on(chain.number(second).unwrap()), Some(second));
}

#[test]
fn updates_hand_on_until_a_store_comes_between() {
    let (first, update, store) =
        (strong(1, RecordedKind::Write), strong(2, RecordedKind::Atomic), strong(3, RecordedKind::Write));
    let mut chain = WriteChain::default();
    chain.begin(first);
    chain.wrote(none(), ChainAccess::of(update), links);
    assert_eq!(observers(&chain, first), [2]);
    assert_eq!(chain.hands_on(chain.number(first).unwrap()), Some(update));
    chain.wrote(none(), ChainAccess::of(store), links);
    let last = strong(4, RecordedKind::Atomic);
    chain.wrote(none(), ChainAccess::of(last), links);
    assert_eq!((observers(&chain, first), observers(&chain, store)), (vec![2], vec![4]));
    chain.cut(0xf, none(), links);
    assert_eq!(chain.hands_on(chain.number(store).unwrap()), None);
}

#[test]
fn a_swap_that_fails_reads_and_changes_nothing() {
    let (first, fails) = (strong(1, RecordedKind::Write), strong(2, RecordedKind::Atomic));
    let mut chain = WriteChain::default();
    chain.begin(first);
    chain.wrote(none(), ChainAccess::failed_swap(fails), links);
    assert_eq!(observers(&chain, first), [2]);
    assert_eq!(chain.hands_on(chain.number(first).unwrap()), Some(first));
}

#[test]
fn reads_of_older_values_and_late_stores_find_their_place() {
    let [first, second, late] = [1, 2, 3].map(|thread| strong(thread, RecordedKind::Write));
    let mut chain = WriteChain::default();
    chain.begin(first);
    chain.wrote(none(), ChainAccess::of(second), links);
    chain.looked_back(second, ChainAccess::of(strong(4, RecordedKind::Read)), 1, links);
    assert_eq!(observers(&chain, first), [4]);
    chain.wrote_behind(second, late, 1);
    chain.looked_back(second, ChainAccess::of(strong(5, RecordedKind::Read)), 1, links);
    chain.looked_back(second, ChainAccess::of(strong(6, RecordedKind::Read)), 2, links);
    assert_eq!((observers(&chain, late), observers(&chain, first)), (vec![5], vec![4, 6]));
}

#[test]
fn a_late_update_has_found_the_write_before_it_and_is_found_by_an_update_behind_it() {
    let (first, next, late) =
        (strong(1, RecordedKind::Write), strong(2, RecordedKind::Atomic), strong(3, RecordedKind::Atomic));
    let mut chain = WriteChain::default();
    chain.begin(first);
    chain.wrote(none(), ChainAccess::of(next), links);
    chain.updated_behind(next, late, 1, links);
    assert_eq!((observers(&chain, first), observers(&chain, late)), (vec![2, 3], vec![2]));
    // The same where the first write is not known, and before a store, which finds nothing.
    for (next, found) in [(next, vec![2]), (strong(4, RecordedKind::Write), vec![])] {
        let mut chain = WriteChain::default();
        chain.updated_behind(next, late, 1, links);
        assert_eq!(observers(&chain, late), found);
        assert_eq!(chain.hands_on(chain.number(late).unwrap()).is_some(), !found.is_empty());
    }
}

#[test]
fn who_looks_back_finds_a_write_and_no_swap_that_failed_behind_it() {
    let write = |thread| strong(thread, RecordedKind::Write);
    let (fails, read) = (strong(90, RecordedKind::Atomic), strong(91, RecordedKind::Read));
    let chain_of = |writes: u32, back: u32| {
        let mut chain = WriteChain::default();
        chain.begin(write(1));
        chain.wrote(none(), ChainAccess::failed_swap(fails), links);
        (2..=writes).for_each(|thread| chain.wrote(none(), ChainAccess::of(write(thread)), links));
        chain.looked_back(write(writes), ChainAccess::of(read), back, links);
        chain
    };
    let chain = chain_of(3, 1);
    assert_eq!((observers(&chain, write(1)), observers(&chain, write(2))), (vec![90], vec![91]));
    // The first write is forgotten, and the swap is not.
    let chain = chain_of(RECENT as u32, RECENT as u32 - 1);
    assert_eq!(chain.number(write(1)), None);
    assert!(chain.observers(FIRST).all(|by| by.thread == 90));
}

#[test]
fn updates_of_a_warp_are_one_until_somebody_reads_them() {
    let update =
        |thread| RecordedAccess { info: strong(9, RecordedKind::Atomic).info, ..strong(thread, RecordedKind::Atomic) };
    let mut chain = WriteChain::default();
    chain.begin(update(1));
    chain.wrote(none(), ChainAccess::of(update(2)), links);
    assert_eq!((chain.number(update(1)), observers(&chain, update(1))), (chain.number(update(2)), vec![2]));
    let other = strong(40, RecordedKind::Atomic);
    chain.wrote(none(), ChainAccess::of(other), links);
    // A read of the last of them has observed all. What a read further back has observed is not known.
    chain.looked_back(other, ChainAccess::of(strong(50, RecordedKind::Read)), 1, links);
    chain.looked_back(other, ChainAccess::of(strong(60, RecordedKind::Read)), 2, links);
    assert_eq!(observers(&chain, update(1)), [2, 40, 50]);
    chain.wrote(none(), ChainAccess::failed_swap(strong(41, RecordedKind::Atomic)), links);
    chain.wrote(none(), ChainAccess::of(update(3)), links);
    assert_ne!(chain.number(update(3)), chain.number(update(2)));
    for (write, lane) in [1, 2, 3, 5, 40].into_iter().flat_map(|thread| (0..32).map(move |lane| (update(thread), lane)))
    {
        let is_beside = chain.number(write.by(lane)) == chain.number(write);
        assert_eq!(chain.beside(write, !0) >> lane & 1 != 0, is_beside, "{write:?} {lane}");
    }
}

#[test]
fn a_run_is_one_write_and_its_members_are_known_when_it_ends() {
    let [first, second, third] = [1, 40, 70].map(|thread| strong(thread, RecordedKind::Write));
    let mut chain = WriteChain::default();
    assert!(chain.runs_on(first, second) && chain.runs_on(second, third));
    let number = chain.number(first).expect("one of the run");
    assert_eq!((chain.number(third), observers(&chain, first).len()), (Some(number), 0));
    assert_eq!((chain.hands_on(number), chain.number(strong(1, RecordedKind::Read))), (Some(third), None));
    chain.settle([(0, 1, first.info, 1 << 1), (1, 1, second.info, 1 << 8)].into_iter());
    chain.wrote([strong(9, RecordedKind::Read)].into_iter(), ChainAccess::of(strong(3, RecordedKind::Write)), links);
    assert_eq!([first, second, third].map(|write| observers(&chain, write)), [[9], [9], [9]]);
    assert_eq!(chain.hands_on(number), None);
    // A chain that has entries is continued by the slow path.
    assert!(!chain.runs_on(third, second));
}

#[test]
fn of_readers_entries_are_counted_and_not_lanes() {
    let read =
        |thread| RecordedAccess { info: strong(9, RecordedKind::Read).info, ..strong(thread, RecordedKind::Read) };
    let mut chain = WriteChain::default();
    let first = strong(64, RecordedKind::Write);
    chain.begin(first);
    chain.wrote((0..32).map(read), ChainAccess::of(strong(65, RecordedKind::Write)), links);
    assert_eq!(observers(&chain, first).len(), 32);
}

#[test]
fn observers_that_are_ordered_are_found_as_one_by_one() {
    let mut chain = WriteChain::default();
    let first = strong(1, RecordedKind::Write);
    chain.begin(first);
    for thread in 2..20 {
        let kind = [RecordedKind::Atomic, RecordedKind::Atomic, RecordedKind::Write][thread as usize % 3];
        chain.wrote(
            [strong(thread + 40, RecordedKind::Read)].into_iter(),
            ChainAccess { access: strong(thread, kind), fails: thread % 5 == 0 },
            links,
        );
    }
    let is_ordered = |touched: RecordedAccess| touched.thread % 3 == 1;
    let of =
        |_, of: RecordedAccess, mask| lanes(mask).filter(|&lane| is_ordered(of.by(lane))).map(|lane| 1 << lane).sum();
    let each = |number| chain.observers(number).any(is_ordered);
    let numbers = || FIRST..FIRST + 20;
    assert!(numbers().all(|number| chain.is_observed_by(number, of) == each(number)));
    assert!(numbers().any(each) && !numbers().all(each));
}

#[test]
fn what_is_long_past_is_forgotten() {
    let mut chain = WriteChain::default();
    let write = |thread| strong(thread, RecordedKind::Write);
    chain.begin(write(0));
    (0..40).for_each(|thread| chain.wrote(none(), ChainAccess::of(write(thread + 1)), links));
    assert_eq!((chain.number(write(1)), chain.number(write(40)).is_some()), (None, true));
}
