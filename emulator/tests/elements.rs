//! Names of the elements of accesses, as far as the code tells how large an element is.

use crate::kernel::report;
use crate::races::{missing, race};
use emulator::Policy;
use emulator::finding::{Cause, MemoryPlace, Missing, Slug, Unwritten};

/// Two blocks store at `%c`.
fn place_of(address: &str) -> MemoryPlace {
    let body = format!("{address} st.global.u32 [%c+4], %b;");
    let found = report(2, 2, Policy::InOrder, &body).findings;
    race(&found[0]).place.clone()
}

#[test]
fn an_index_is_told_where_an_element_is_as_large_as_the_access() {
    let element = |index| MemoryPlace::Argument { number: 1, index: Some(index) };
    let byte = |byte| MemoryPlace::Part { of: Box::new(MemoryPlace::Argument { number: 1, index: None }), byte };
    assert_eq!(place_of("mad.wide.u32 %c, %t, 4, %a;"), element(1));
    assert_eq!(place_of("mad.wide.u32 %c, %t, 12, %a;"), byte(4));
    assert_eq!(place_of("mov.u64 %c, %a;"), element(1));
}

#[test]
fn an_atomic_operation_names_the_shared_word_that_nothing_has_written() {
    let found = report(1, 1, Policy::InOrder, "red.shared.add.u32 [tile+8], 1;").findings;
    let Cause::NeverWritten(value) = &found[0].cause else { panic!("{found:#?}") };
    let place = MemoryPlace::Variable { name: "tile".into(), index: Some(2) };
    assert_eq!(value.from, Unwritten::Loaded { place, gone: None });
    assert_eq!(found[0].accesses.len(), 1, "{found:#?}");
}

/// The first warp hands its stores to lane 0, which sets a flag; the second waits for it and has no barrier left.
#[test]
fn no_barrier_is_told_of_where_none_follows() {
    let body = "mov.u32 %s, 0; st.volatile.shared.u32 [tile+252], %s; bar.sync 0;
        setp.ge.u32 %p, %t, 32; shl.b32 %i, %t, 2; mov.u32 %o, tile; add.u32 %i, %o, %i; @%p bra reader;
        .loc 1 1 1
        st.shared.u32 [%i], %t; membar.cta; bar.warp.sync -1; setp.ne.u32 %q, %t, 0; @%q ret;
        .loc 1 2 1
        st.volatile.shared.u32 [tile+252], 1; ret;
        reader: sub.u32 %i, %o, %i; add.u32 %i, %i, %o; add.u32 %i, %i, 252;
        again:
        .loc 1 3 1
        ld.volatile.shared.u32 %r, [tile+252]; setp.eq.u32 %p, %r, 0; @%p bra again;
        bar.warp.sync -1;
        .loc 1 4 1
        ld.shared.u32 %r, [%i];";
    let found = report(1, 62, Policy::InOrder, body).findings;
    let of_data = found.iter().filter(|one| one.slug == Slug::RaceShared && missing(one).is_some());
    let told: Vec<bool> = of_data
        .filter_map(|one| match missing(one) {
            Some(Missing::FenceAfterLook { before_barrier, .. }) => Some(*before_barrier),
            _ => None,
        })
        .collect();
    assert!(!told.is_empty() && !told.contains(&true), "{found:#?}");
}
