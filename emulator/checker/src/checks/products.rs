//! Products of a warpgroup: what they read in shared memory, judged when they start, for whenever they run; and the
//! registers that they use.

use super::{BlockState, Checker, WarpState};
use crate::access::warp_access::WarpAccess;
use crate::findings::list::access;
use crate::findings::list::{FindingKey, ONE_THREAD};
use crate::findings::values::{AccessAction, AccessValues};
use crate::registers_of_products::{EarlyUse, UnfencedProduct};
use crate::sites::touched::RecordedKind;
use finding::{Access, Action, Cause, Finding, Severity, Slug, Where};
use machine::registers::{Mask, Registers};
use machine::watch::{At, StartedProduct};

impl Checker<'_> {
    /// Checks and records what a product reads in shared memory, and its registers.
    pub(super) fn check_product(
        &mut self,
        start: &StartedProduct,
        block: &mut BlockState,
        warp: &mut WarpState,
        regs: &Registers,
    ) {
        let kept = warp.order.begin_product(&start.at, start.number);
        start.each_read(|touch| {
            let values = AccessValues::without(AccessAction::Multiply);
            self.check_proxies(touch, block, warp, values);
            self.check_races(&WarpAccess::of(touch, RecordedKind::Read), block, warp, values);
        });
        warp.order.end_product(kept);
        let site = warp.trace.site(&mut self.trace.sites, &start.at);
        if let Some(unfenced) = warp.products.start(start, site, regs) {
            self.not_fenced(&start.at, site, &unfenced);
        }
    }

    /// A warp has come to an instruction that uses registers of products.
    #[cold]
    pub(super) fn use_registers(&mut self, at: &At, warp: &mut WarpState, regs: &Registers, exec: Mask) {
        let site = warp.trace.site(&mut self.trace.sites, at);
        if let Some(early) = warp.products.used(self.uses.at(at.pc), site, regs) {
            let thread = 32 * at.warp + exec.trailing_zeros();
            let EarlyUse { product, accumulator, committed, writes } = early;
            let ends =
                [(product, Action::StartedProduct { from_memory: false }), (site, Action::UsedRegister { writes })];
            self.tell(at, thread, ends, Cause::ProductNotWaitedFor { accumulator, committed });
        }
    }

    fn not_fenced(&mut self, at: &At, site: u32, unfenced: &UnfencedProduct) {
        let product = (site, Action::StartedProduct { from_memory: false });
        let thread = 32 * at.warp;
        match *unfenced {
            UnfencedProduct::First => self.tell(at, thread, [product], Cause::FirstProductNotFenced),
            UnfencedProduct::After { site, accumulator, by_product } => {
                let first = match by_product {
                    true => Action::StartedProduct { from_memory: false },
                    false => Action::UsedRegister { writes: true },
                };
                self.tell(at, thread, [(site, first), product], Cause::ProductNotFenced { accumulator });
            }
        }
    }

    fn tell<const N: usize>(&mut self, at: &At, thread: u32, ends: [(u32, Action); N], cause: Cause) {
        let sites = &self.trace.sites;
        let [first, second] = [0, N - 1].map(|nth| self.findings.line(at.launch, sites, ends[nth].0));
        let key: FindingKey = (Slug::Wgmma, first, second);
        if self.findings.count(key, ONE_THREAD, None) {
            return;
        }
        let end =
            |(site, action): (u32, Action)| -> Access { access(at.launch, sites, at.block, thread, site, action) };
        let finding = Finding {
            slug: Slug::Wgmma,
            severity: Severity::Error,
            kernel: at.launch.kernel.into(),
            accesses: ends.map(end).into(),
            headline: None,
            place: Where::Block { block: at.launch.block_index(at.block) },
            cause,
            remedies: Vec::new(),
            count: 1,
        };
        self.findings.add(key, finding, ONE_THREAD, None, None);
    }
}
