//! Shared accesses that leave the array they were meant for (see [`machine::program`]'s `arrays`) and land in another one.
//!
//! The machine finds such an address in bounds, since the block owns it, and a GPU finds nothing at all. The launch goes on.

use super::describe::{ONE_THREAD, access};
use super::words::Values;
use super::{Full, WarpState};
use finding::{Finding, Slug, names};
use machine::memory::space::Space;
use machine::place;
use machine::registers::lanes;
use machine::watch::Touch;

impl Full<'_> {
    /// Reports the first lane whose access is not inside the variable that its address was made from.
    pub(super) fn stays_inside(&mut self, touch: &Touch, warp: &WarpState, values: Values) {
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
        let site = self.sites.of(&touch.at, &warp.chains);
        let line = self.findings.line(launch, &self.sites, site);
        let key = (Slug::OutOfBounds, line, line);
        if self.findings.count(key, ONE_THREAD, None) {
            return;
        }
        let name = names::plain(&variable.name);
        let address = touch.addresses[lane];
        let (side, far) = match address.checked_sub(variable.offset) {
            Some(offset) => ("past the end", offset + bytes - variable.bytes),
            None => ("before the start", variable.offset - address),
        };
        let there = place::of_address(launch.part, Space::Shared, address, touch.bytes);
        let there = there.map_or_else(String::new, |there| format!(", where `{there}` lies"));
        let action = format!("{} {}", values.verb, values.of(lane, touch.region, address, 0));
        let thread = 32 * touch.at.warp + lane as u32;
        let end = access(launch, &self.sites, touch.at.block, thread, site, action.trim_end().to_string());
        let [x, y, z] = launch.block_index(touch.at.block);
        let finding = Finding {
            slug: Slug::OutOfBounds,
            kernel: launch.kernel.into(),
            message: format!("an access {side} of `{name}`"),
            headline: None,
            accesses: vec![end],
            place: format!(
                "block ({x},{y},{z}), {far} bytes {side} of `{name}`, which has {} bytes{there}",
                variable.bytes
            ),
            why: format!("the address is made from `{name}`, and no index leads from one array into another"),
            help: "check the index against the array's size before the access".into(),
            count: 1,
            benign: false,
            arguments: Vec::new(),
        };
        self.findings.add(key, finding, ONE_THREAD, None);
    }
}
