//! Races of plain stores that write one value: worth a note, since the outcome is the same whoever comes last. (The ISA
//! makes no exception for them.)

use super::asynchronous::is_copy;
use super::cells::{How, Kind};
use super::describe::{Findings, is_race};
use super::race::Race;
use super::words::Values;
use crate::watch::Touch;
use rustc_hash::FxHashSet;

impl Findings {
    /// Stores that were seen to race with one value only are worth no note where both of them race with something else.
    pub(super) fn leave_out_notes_beside_races(&mut self) {
        let real = |at: usize| is_race(self.list[at].finding.slug) && !self.list[at].finding.benign;
        let real: FxHashSet<u32> =
            self.known.iter().filter(|&(_, &at)| real(at)).flat_map(|(&(_, a, b), _)| [a, b]).collect();
        let beside: FxHashSet<usize> = self
            .known
            .iter()
            .filter(|(key, _)| real.contains(&key.1) && real.contains(&key.2))
            .map(|(_, &at)| at)
            .collect();
        let mut at = 0..;
        self.list.retain(|entry| !(beside.contains(&at.next().expect("endless")) && entry.finding.benign));
    }
}

/// Two plain stores of one value to one place.
pub(super) fn is_benign(touch: &Touch, values: &Values, race: &Race, lane: usize) -> bool {
    let plain_store = |how: How| how.kind() == Kind::Write && how.scope().is_none();
    let copies = is_copy(touch.at.launch, race.first);
    if copies || !plain_store(race.first.how) || !plain_store(race.second.how) || touch.elements != 1 {
        return false;
    }
    let (Some((regs, src)), Some(region)) = (&values.stored, touch.region) else { return false };
    let mine = regs.get(src[0], lane);
    let same_step = race.first.warp() == race.second.warp()
        && race.first.clock == race.second.clock
        && race.first.how.site() == race.second.how.site();
    let address = touch.addresses[lane];
    let other = race.first.lane() as usize;
    if same_step && touch.mask >> other & 1 != 0 && touch.addresses[other] == address {
        return regs.get(src[0], other) == mine;
    }
    let bytes = touch.bytes.min(8);
    let kept = if bytes == 8 { !0 } else { (1 << (8 * bytes)) - 1 };
    region.load_sized(address, bytes) == mine & kept
}
