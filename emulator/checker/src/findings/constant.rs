//! Accesses that change `__constant__` memory, which is read-only (PTX ISA, "Constant State Space").
//!
//! A direct store does not compile, but a store through a generic pointer does. An H100 carries out one through the
//! address from `cudaGetSymbolAddress` and reports nothing, so the launch continues here too. Where the kernel took the
//! address itself, the launch failed there.

use crate::findings::list::{Findings, ONE_THREAD, access};
use crate::findings::values::AccessValues;
use crate::sites::Sites;
use finding::{AccessKind, Cause, Finding, Severity, Slug, Where};
use machine::place;
use machine::watch::Touch;

impl Findings {
    /// Reports the first lane of an access that changes constant memory.
    pub fn check_constant_write(
        &mut self,
        touch: &Touch,
        kind: AccessKind,
        sites: &mut Sites,
        site: impl FnOnce(&mut Sites) -> u32,
        values: AccessValues,
    ) {
        let Some(region) = touch.region.filter(|_| touch.mask != 0) else { return };
        let launch = touch.at.launch;
        let site = site(sites);
        let line = self.line(launch, sites, site);
        let key = (Slug::OutOfBounds, line, line);
        if self.count(key, ONE_THREAD, None) {
            return;
        }
        let lane = touch.mask.trailing_zeros() as usize;
        let address = touch.addresses[lane];
        let action = values.action(lane, touch.region, address, 0);
        let thread = 32 * touch.at.warp + lane as u32;
        let end = access(launch, sites, touch.at.block, thread, site, action);
        let place = match place::buffer(launch, address) {
            Some((offset, buffer)) => Where::Global { bytes: touch.bytes, offset, buffer },
            None => Where::GlobalAddress { bytes: touch.bytes, address: region.base() },
        };
        let variable = place::of(launch, touch.space, address, touch.bytes);
        let finding = Finding {
            slug: Slug::OutOfBounds,
            severity: Severity::Error,
            kernel: launch.kernel.into(),
            accesses: vec![end],
            headline: None,
            place,
            cause: Cause::ReadOnly { kind, place: variable },
            remedies: Vec::new(),
            count: 1,
        };
        self.add(key, finding, ONE_THREAD, None, None);
    }
}
