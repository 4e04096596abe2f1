//! Warpgroups: instructions that are misused, and registers of products that are used too early (PTX ISA, "wgmma").

use finding::{Cause, WarpgroupMisuse};
use words::MessageValues;

pub(super) fn values<'a>(values: &mut MessageValues<'a>, cause: &'a Cause) {
    match cause {
        Cause::Warpgroup { instruction, misuse } => {
            values.set("instruction", *instruction);
            let (misuse, number) = match misuse {
                WarpgroupMisuse::Incomplete { threads } => ("incomplete", *threads),
                WarpgroupMisuse::LanesMissing { lanes } => ("lanes-missing", *lanes),
                WarpgroupMisuse::LanesDiffer => ("lanes-differ", 0),
                WarpgroupMisuse::WarpsDiffer => ("warps-differ", 0),
                WarpgroupMisuse::WarpEnded { warp } => ("warp-ended", *warp),
                WarpgroupMisuse::DescriptorsDiffer { warps: true } => ("descriptors-differ", 0),
                WarpgroupMisuse::DescriptorsDiffer { warps: false } => ("lanes-descriptors-differ", 0),
                WarpgroupMisuse::ScalesDiffer => ("scales-differ", 0),
            };
            values.set("misuse", misuse);
            values.set("number", number);
        }
        Cause::ProductNotWaitedFor { accumulator, committed } => {
            values.set("accumulator", *accumulator);
            values.set("committed", *committed);
        }
        Cause::ProductNotFenced { accumulator } => values.set("accumulator", *accumulator),
        _ => {}
    }
}
