//! Operations on barrier objects, as accesses of memory; and objects that are initialised twice.
//!
//! An object that is initialised must be invalidated before its memory serves for anything else, another object
//! included (PTX ISA, "mbarrier.init", "mbarrier.inval"). Two initialisations that nothing orders are a data race.
//! Plain writes end an object without a report (towards silence): programs use shared memory for one thing after the
//! other.

use super::{BlockState, Checker, WarpState};
use crate::access::warp_access::WarpAccess;
use crate::findings::list::{FindingKey, ONE_THREAD, access};
use crate::findings::values::{AccessAction, AccessValues};
use crate::order::mbarrier::Initialisation;
use crate::sites::touched::RecordedKind;
use finding::{Access, AccessKind, Action, Cause, Finding, ObjectMisuse, Severity, Slug, Threads, Where};
use machine::exec::mbarrier::{COUNT, Mbarrier, ObjectAction};
use machine::exec::memory::{Scope, Semantics};
use machine::memory::space::Space;
use machine::place;
use machine::registers::lanes;
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
        if !matches!(op.action, ObjectAction::Init(_) | ObjectAction::Inval) {
            return;
        }
        let initialises = matches!(op.action, ObjectAction::Init(_));
        let site = warp.trace.site(&mut self.trace.sites, &touch.at);
        for lane in lanes(touch.mask) {
            let address = touch.addresses[lane];
            let thread = 32 * touch.at.warp + lane as u32;
            let by = initialises.then_some(Initialisation { site, thread });
            let earlier = block.order.objects().reset(address, by);
            if let (Some(earlier), Some(by)) = (earlier, by)
                && warp.astray == 0
                && is_object(touch, address)
            {
                self.initialised_twice(touch, address, [earlier, by]);
            }
            block.undefined.fill(address, touch.bytes.into(), !initialises);
        }
    }

    #[cold]
    fn initialised_twice(&mut self, touch: &Touch, address: u64, both: [Initialisation; 2]) {
        let (at, sites) = (&touch.at, &self.trace.sites);
        if both.iter().any(|it| self.findings.has_race_in(at.launch, sites, it.site)) {
            return;
        }
        let [first, second] = both.map(|it| self.findings.line(at.launch, sites, it.site));
        let key: FindingKey = (Slug::BarrierDivergence, first, second);
        if self.findings.count(key, ONE_THREAD, None) {
            return;
        }
        let misuse = ObjectMisuse::StillValid;
        let [first, second] = both.map(|Initialisation { site, thread }| {
            let did = Action::MisusedObject { threads: Threads::default(), misuse };
            access(at.launch, sites, at.block, thread, site, did)
        });
        let finding = Finding {
            slug: Slug::BarrierDivergence,
            severity: Severity::Error,
            kernel: at.launch.kernel.into(),
            accesses: vec![Access { action: Action::Initialised, ..first }, second],
            headline: None,
            place: Where::Block { block: at.launch.block_index(at.block) },
            cause: Cause::BarrierObject {
                place: place::of(at.launch, Space::Shared, address, touch.bytes),
                misuse,
                most: COUNT,
                in_cluster: at.launch.has_peers(),
            },
            remedies: Vec::new(),
            count: 1,
        };
        self.findings.add(key, finding, ONE_THREAD, None, None);
    }
}

/// True if the bytes at an address still are a barrier object, which nothing has overwritten.
fn is_object(touch: &Touch, address: u64) -> bool {
    touch.region.and_then(|region| MbarrierObject::at(region, address)).is_some()
}
