//! Copies and fills of the host, which are recorded as launches of one thread.
//!
//! Property: of an access of another launch the rule uses the manner and the launch alone. So an operation of the host,
//! which `past::host` has judged, can be recorded as a launch.

use crate::access::warp_access::bytes_in;
use crate::fast::cells::{Cells, LINE};
use crate::fast::side_table::SideTable;
use crate::sites::touched::RecordedAccess;

impl Cells {
    /// Records an operation of the host on a range as launch `launch`, made of accesses such as `touch` has for the
    /// bytes of a word.
    pub fn enter(&mut self, (start, end): (u64, u64), launch: u32, touch: impl Fn(u32) -> RecordedAccess) {
        let whole = touch(0xf);
        let from = start & !3;
        for at in (from & !(LINE - 1)..end).step_by(LINE as usize) {
            let (page, line) = self.page(at);
            page.renew(line, launch, true, &mut SideTable::default());
            let row = &mut page.lines[line];
            if start <= at && at + LINE <= end && (whole.info.writes() || !row.has_older()) {
                let is_write = whole.info.writes();
                let (write, read) = if is_write { (whole, RecordedAccess::default()) } else { (row.write, whole) };
                row.set_rows(write, read);
                continue;
            }
            for word in (from.max(at)..end.min(at + LINE)).step_by(4) {
                let cell = &mut page.cells(line, &mut SideTable::default())[(word % LINE / 4) as usize];
                cell.read = RecordedAccess::default();
                let is_write = whole.info.writes();
                *(if is_write { &mut cell.write } else { &mut cell.read }) = touch(bytes_in(word, start, end));
            }
        }
    }
}
