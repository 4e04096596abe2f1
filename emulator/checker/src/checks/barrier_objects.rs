//! Operations on barrier objects, as accesses of memory; objects that are initialised twice; bytes that may be expected
//! too late.
//!
//! An object that is initialised must be invalidated before its memory serves for anything else, another object
//! included (PTX ISA, "mbarrier.init", "mbarrier.inval"). Two initialisations that nothing orders are a data race.
//! Other writes end an object.

use super::{BlockState, Checker, WarpState};
use crate::access::warp_access::WarpAccess;
use crate::findings::list::{FindingKey, ONE_THREAD, access};
use crate::findings::values::{AccessAction, AccessValues};
use crate::order::expected::{ObjectOperation, UnorderedExpect};
use crate::order::mbarrier::OverwrittenObject;
use crate::sites::touched::RecordedKind;
use finding::{AccessKind, Action, Cause, Finding, ObjectMisuse, Severity, Slug, Threads, Where};
use machine::exec::IS_WHOLE;
use machine::exec::mbarrier::{Arrive, BYTES, COUNT, Mbarrier, ObjectAction};
use machine::exec::memory::{Scope, Semantics};
use machine::memory::space::Space;
use machine::place;
use machine::registers::lanes;
use machine::run::launch::Launch;
use machine::run::mbarrier::MbarrierObject;
use machine::watch::Touch;

impl Checker<'_> {
    /// Checks and records an operation on barrier objects. Operations on an object are strong and do not race with each
    /// other. Initialising it is a plain write, which a barrier must separate from all other use.
    /// Invalidating it is strong as well: `cuda::pipeline` lets one lane do that for a warp that no memory operation
    /// has brought together.
    pub(super) fn check_barrier_object(
        &mut self,
        touch: &Touch,
        op: &Mbarrier,
        block: &mut BlockState,
        warp: &mut WarpState,
    ) {
        let (kind, done) = match op.action {
            ObjectAction::Init(_) => (RecordedKind::Write, AccessAction::Initialise),
            ObjectAction::Inval => (RecordedKind::Atomic, AccessAction::Invalidate),
            ObjectAction::Test(_) => (RecordedKind::Read, AccessAction::AskPhase),
            _ => (RecordedKind::Atomic, AccessAction::Arrive),
        };
        self.check_lifetime(touch, AccessKind::BarrierObject, block, warp);
        let scope = touch.semantics.scope.max(Scope::Cluster);
        let semantics =
            if kind == RecordedKind::Write { Semantics::WEAK } else { Semantics { scope, ..touch.semantics } };
        let judged = &Touch { semantics, ..*touch };
        self.check_races(&WarpAccess::of(judged, kind), block, warp, AccessValues::without(done));
        if let Some(arrives) = expects_bytes(op).filter(|_| IS_WHOLE) {
            let site = warp.trace.site(&mut self.trace.sites, &touch.at);
            for lane in lanes(touch.mask) {
                let operation = warp.order.operation(&touch.at, lane, site);
                block.order.objects().expect(touch.addresses[lane], operation, &warp.order.views()[lane], arrives);
            }
        }
        if !matches!(op.action, ObjectAction::Init(_) | ObjectAction::Inval) {
            return;
        }
        let initialises = matches!(op.action, ObjectAction::Init(_));
        let site = warp.trace.site(&mut self.trace.sites, &touch.at);
        for lane in lanes(touch.mask) {
            let address = touch.addresses[lane];
            let by = warp.order.operation(&touch.at, lane, site);
            let earlier = block.order.objects().reset(address, initialises.then_some(by));
            let found = ObjectMisuse::StillValid { overwritten: false };
            if let (Some(earlier), true) = (earlier, initialises && warp.astray == 0)
                && is_object(touch, address)
            {
                let [first, second] = [(earlier, Action::Initialised), (by, misuse(found))];
                self.tell_misuse(touch.at.launch, address, found, [first, second]);
            }
            block.undefined.fill(address, touch.bytes.into(), !initialises);
        }
    }

    /// Ends the barrier objects that a write overwrites, and reports one that is still valid.
    #[inline(always)]
    pub(super) fn overwrite_objects(&mut self, touch: &Touch, block: &mut BlockState, warp: &mut WarpState) {
        if let Some(object) = block.order.objects().overwrite(touch)
            && IS_WHOLE
            && warp.astray == 0
        {
            let site = warp.trace.site(&mut self.trace.sites, &touch.at);
            let by = warp.order.operation(&touch.at, object.lane, site);
            self.tell_overwritten(touch.at.launch, &object, by);
        }
    }

    #[cold]
    fn tell_overwritten(&mut self, launch: &Launch, object: &OverwrittenObject, by: ObjectOperation) {
        let found = ObjectMisuse::StillValid { overwritten: true };
        let both = [(object.initialised, Action::Initialised), (by, misuse(found))];
        self.tell_misuse(launch, object.address, found, both);
    }

    /// Reports an `expect_tx` that no arrival of its phase comes after.
    #[cold]
    pub(super) fn tell_unordered_expect(&mut self, launch: &Launch, address: u64, [expect, arrival]: UnorderedExpect) {
        let found = ObjectMisuse::UnorderedExpect;
        self.tell_misuse(launch, address, found, [(expect, misuse(found)), (arrival, Action::Arrived)]);
    }

    #[cold]
    fn tell_misuse(
        &mut self,
        launch: &Launch,
        address: u64,
        found: ObjectMisuse,
        both: [(ObjectOperation, Action); 2],
    ) {
        let sites = &self.trace.sites;
        if both.iter().any(|(it, _)| self.findings.has_race_in(launch, sites, it.site)) {
            return;
        }
        let [first, second] = [0, 1].map(|at| self.findings.line(launch, sites, both[at].0.site));
        let key: FindingKey = (Slug::BarrierDivergence, first, second);
        if self.findings.count(key, ONE_THREAD, None) {
            return;
        }
        let block = both[1].0.block;
        let accesses = both.map(|(it, did)| access(launch, sites, it.block, it.thread(), it.site, did));
        let finding = Finding {
            slug: Slug::BarrierDivergence,
            severity: Severity::Error,
            kernel: launch.kernel.into(),
            accesses: accesses.into(),
            headline: None,
            place: Where::Block { block: launch.block_index(block) },
            cause: Cause::BarrierObject {
                place: place::of(launch, Space::Shared, address, BYTES as u32),
                misuse: found,
                most: COUNT,
                in_cluster: launch.has_peers(),
            },
            remedies: Vec::new(),
            count: 1,
        };
        self.findings.add(key, finding, ONE_THREAD, None, None);
    }
}

fn misuse(misuse: ObjectMisuse) -> Action {
    Action::MisusedObject { threads: Threads::default(), misuse }
}

/// Returns true if an operation that expects bytes arrives as well; `None` if it expects none.
fn expects_bytes(op: &Mbarrier) -> Option<bool> {
    match op.action {
        ObjectAction::ExpectTx(_) => Some(false),
        ObjectAction::Arrive(Arrive { transactions, .. }) if transactions.is_some() => Some(true),
        _ => None,
    }
}

/// True if the bytes at an address still are a barrier object, which nothing has overwritten.
fn is_object(touch: &Touch, address: u64) -> bool {
    touch.region.and_then(|region| MbarrierObject::at(region, address)).is_some()
}
