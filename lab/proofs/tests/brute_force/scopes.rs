//! Random kernels in which threads of two blocks make strong accesses of both scopes to one word.

use crate::kernel::{Kind, Parts, Step, Way};
use proptest::prelude::*;

/// Mostly one thread writes, one of the other block looks, and others of that block follow. There a later access may be
/// ordered after an earlier one, and reach fewer threads.
pub fn scopes() -> impl Strategy<Value = Parts> {
    let meets = prop_oneof![
        6 => Just(None),
        1 => Just(Some(Step::Barrier)),
        1 => Just(Some(Step::Some { arrive: 0b01, wait: 0b10 })),
        1 => Just(Some(Step::Some { arrive: 0b10, wait: 0b01 })),
        1 => Just(Some(Step::WarpBarrier(0b11))),
    ];
    let writes = in_scope([3, 1, 2], [3, 2], [1, 0]);
    let looks = in_scope([1, 6, 1], [6, 2], [1, 3]);
    let follows = in_scope([4, 2, 2], [2, 4], [1, 3]);
    let follows = proptest::collection::vec((follows, meets.clone()), 1..4);
    let steps = (writes, meets.clone(), looks, meets, follows);
    let steps = steps.prop_map(|(writes, first, looks, second, follows)| {
        let begin = [Some(writes), first, Some(looks), second].into_iter().flatten();
        begin.chain(follows.into_iter().flat_map(|(step, meets)| std::iter::once(step).chain(meets))).collect()
    });
    let steps = steps.boxed();
    let steps = prop_oneof![4 => steps.clone(), 1 => steps.prop_shuffle()];
    (steps, 0..4u32).prop_map(|(mut steps, mirrored): (Vec<Step>, u32)| {
        for step in &mut steps {
            if let Step::Access { blocks, .. } = step {
                *blocks ^= if mirrored == 0 { 0b11 } else { 0 };
            }
        }
        [steps, Vec::new(), Vec::new()]
    })
}

/// An access of a word by one thread or two. The weights are those of store, load and update; of device scope and block
/// scope, beside 1 for plain; and of the two blocks. There is no fetch, since the checker takes a later store to stand
/// for it, although that may be observed alone.
fn in_scope(kinds: [u32; 3], [wide, narrow]: [u32; 2], blocks: [u32; 2]) -> BoxedStrategy<Step> {
    let [store, load, update] = kinds;
    let kind = prop_oneof![store => Just(Kind::Store), load => Just(Kind::Load), update => Just(Kind::Update)];
    let scope = prop_oneof![wide => Just(Some(true)), narrow => Just(Some(false)), 1 => Just(None)];
    let from = prop_oneof![3 => Just(0u32), 2 => Just(32), 1 => Just(1)];
    // The checker does not tell more than sixteen strong accesses apart.
    let lanes = prop_oneof![4 => Just(1u32), 1 => Just(2)];
    let [first, second] = blocks;
    let block = prop_oneof![first => Just(0b01u32), second => Just(0b10)];
    let base = prop_oneof![8 => Just(0u32), 1 => Just(1)];
    (kind, scope, from, lanes, block, base)
        .prop_map(|(kind, scope, from, lanes, blocks, base)| {
            // There is no plain update.
            let wide = if kind == Kind::Update { scope.or(Some(true)) } else { scope };
            let way = Way { kind, wide, size: 4, elements: 1 };
            let (stride, to, every, packed, flip, keep, drift) = (0, from + lanes, 1, false, 0, !0, 0);
            Step::Access { way, base, stride, from, to, every, packed, flip, keep, drift, blocks }
        })
        .boxed()
}
