//! Products of a warpgroup (PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions", "Async proxy").
//!
//! A product's reads of shared memory are judged as reads by *agents*: threads that no block has, in warps numbered
//! after those of bulk copies ([`Launch::multiplying_warps`]). Their clock is the number of the product in its
//! warp. Products are waited for in the order in which they start, so one clock for all is exact: a warp that waits is
//! ordered after all products up to the last of that group.
//!
//! A product begins with what any lane of its warp knows and has done. All lanes execute the instruction together, so
//! each lane's own accesses come before it. Products use the asynchronous proxy, as bulk copies do (`bulk.rs`).

use crate::order::bulk::Agent;
use crate::order::clock::{View, joined};
use crate::order::warp::WarpOrder;
use crate::sites::touched::{Clock, RecordedAccess};
use machine::exec::IS_WHOLE;
use machine::registers::{FULL, WARP, lanes};
use machine::run::launch::Launch;
use machine::watch::At;
use std::rc::Rc;

/// The views of a warp's lanes while one of its products is judged.
pub struct KeptViews(Vec<Rc<View>>);

impl WarpOrder {
    /// Begins the judgement of a product, by agents that know what all lanes know.
    pub fn begin_product(&mut self, at: &At, number: Clock) -> KeptViews {
        let kept = self.views().to_vec();
        let all = kept[1..].iter().fold(kept[0].clone(), |all, view| joined(&all, view));
        let mut all = (*all).clone();
        self.tell(&mut all, at.block, at.warp, FULL);
        let all = Rc::new(all);
        (0..WARP).for_each(|lane| self.set_view(lane, all.clone()));
        self.begin_bulk(agent(at, number));
        KeptViews(kept)
    }

    pub fn end_product(&mut self, kept: KeptViews) {
        self.end_bulk();
        kept.0.into_iter().enumerate().for_each(|(lane, view)| self.set_view(lane, view));
    }

    /// Orders the warp after its products up to number `last`.
    pub fn learn_products(&mut self, at: &At, last: Clock) {
        let (warp, clock) = agent(at, last);
        let mut rest = FULL;
        while rest != 0 {
            let view = self.views()[rest.trailing_zeros() as usize].clone();
            let alike = lanes(rest).filter(|&lane| Rc::ptr_eq(&self.views()[lane], &view));
            let alike = alike.fold(0, |mask, lane| mask | 1 << lane);
            let mut after = (*view).clone();
            after.raise(at.block, warp, FULL, clock);
            let after = Rc::new(after);
            lanes(alike).for_each(|lane| self.set_view(lane, after.clone()));
            rest &= !alike;
        }
    }
}

fn agent(at: &At, number: Clock) -> Agent {
    (at.launch.multiplying_warps() + at.warp, number)
}

/// True for what a product of this launch has read.
pub fn is_product(launch: &Launch, touched: RecordedAccess) -> bool {
    IS_WHOLE
        && launch.code.products
        && !touched.info.is_older()
        && touched.warp() % launch.warp_stride() >= launch.multiplying_warps()
}
