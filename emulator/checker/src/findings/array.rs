//! Shared accesses outside the array that they were meant for (see [`machine::program`]'s `arrays`), within another
//! one.
//!
//! The machine finds such an address in bounds, since the block owns it, and a GPU reports nothing. The launch
//! continues.

use crate::findings::list::{Findings, ONE_THREAD, access};
use crate::findings::values::AccessValues;
use crate::sites::Sites;
use finding::{Access, BufferSide, Cause, Edit, Finding, Severity, Slug, Where, plain_name};
use machine::memory::space::Space;
use machine::place;
use machine::registers::lanes;
use machine::watch::Touch;

impl Findings {
    /// Reports the first lane whose access is outside the array that its address was made from.
    pub fn check_array_bounds(
        &mut self,
        touch: &Touch,
        sites: &mut Sites,
        site: impl FnOnce(&mut Sites) -> u32,
        values: AccessValues,
    ) {
        let launch = touch.at.launch;
        let Some(Some(number)) = launch.code.shared_meant.get(touch.at.pc as usize) else { return };
        let variable = &launch.part.shared[*number as usize];
        let bytes = u64::from(touch.bytes * touch.elements);
        if touch.space != Space::Shared || variable.bytes < bytes {
            return;
        }
        let last = variable.bytes - bytes;
        let Some(lane) = lanes(touch.mask).find(|&lane| touch.addresses[lane].wrapping_sub(variable.offset) > last)
        else {
            return;
        };
        let site = site(sites);
        let line = self.line(launch, sites, site);
        let key = (Slug::OutOfBounds, line, line);
        if self.count(key, ONE_THREAD, None) {
            return;
        }
        let array = plain_name(&variable.name);
        let address = touch.addresses[lane];
        let (side, far) = match address.checked_sub(variable.offset) {
            Some(offset) => (BufferSide::Past, offset + bytes - variable.bytes),
            None => (BufferSide::Before, variable.offset - address),
        };
        // nvcc declares arrays as bytes: then the access determines the size of an element.
        let element = u64::from(if variable.element > 1 { variable.element } else { touch.bytes.max(1) });
        let index = (address.wrapping_sub(variable.offset) as i64).div_euclid(element as i64);
        let elements = variable.bytes / element;
        let there = place::of_shared(launch.part, Space::Shared, address, touch.bytes);
        let action = values.action(lane, touch.region, address, 0);
        let thread = 32 * touch.at.warp + lane as u32;
        let end = access(launch, sites, touch.at.block, thread, site, action);
        let bound = end.location.clone().map(|at| vec![Edit::BoundIndex { at, below: None }]);
        let block = launch.block_index(touch.at.block);
        let finding = Finding {
            slug: Slug::OutOfBounds,
            severity: Severity::Error,
            kernel: launch.kernel.into(),
            accesses: vec![Access { memory: Some(values.memory(touch)), ..end }],
            headline: None,
            place: Where::OutsideArray {
                block,
                far,
                side,
                array: array.clone(),
                bytes: variable.bytes,
                index,
                elements,
                there,
            },
            cause: Cause::OutsideArray { array, side },
            remedies: bound.into_iter().collect(),
            count: 1,
        };
        self.add(key, finding, ONE_THREAD, None, None);
    }
}
