//! Barriers that are misused (PTX ISA, "bar, barrier", "mbarrier"), and threads that meet where they should not.

use crate::Reader;
use crate::phrase::place;
use finding::{Cause, ObjectMisuse, TensorMisuse};
use words::MessageValues;

pub(super) fn values<'a>(values: &mut MessageValues<'a>, cause: &'a Cause, reader: &Reader) {
    match cause {
        Cause::NoSuchBarrier { number } => values.set("number", *number),
        Cause::BarrierCount { count } => values.set("count", *count),
        Cause::BarrierObject { place, misuse, most, in_cluster } => {
            values.set("in_cluster", *in_cluster);
            values.set("object", place::of(place, reader));
            values.set("most", *most);
            let misuse = match misuse {
                ObjectMisuse::NoObject => "no-object",
                ObjectMisuse::Count { count } => {
                    values.set("count", *count);
                    "count"
                }
                ObjectMisuse::BulkSize { bytes } => {
                    values.set("count", *bytes);
                    "bulk-size"
                }
                ObjectMisuse::TooMany { .. } => "too-many",
                ObjectMisuse::Completes => "completes",
                ObjectMisuse::Transactions => "transactions",
                ObjectMisuse::StillValid { overwritten } => {
                    values.set("overwritten", *overwritten);
                    "still-valid"
                }
                ObjectMisuse::OtherBlock => "other-block",
                // It has a message of its own, without a choice.
                ObjectMisuse::UnorderedExpect => "unordered-expect",
            };
            values.set("misuse", misuse);
        }
        Cause::TensorCopy { misuse } => {
            let misuse = match misuse {
                TensorMisuse::NoMap => "no-map",
                TensorMisuse::LocalMap => "local-map",
                TensorMisuse::BoxRow { coordinate, element } => {
                    values.set("coordinate", *coordinate);
                    values.set("count", 16 / element);
                    "box-row"
                }
                TensorMisuse::BoxBelow { coordinate } => {
                    values.set("coordinate", *coordinate);
                    "box-below"
                }
                TensorMisuse::Reduction => "reduction",
            };
            values.set("misuse", misuse);
        }
        Cause::BarrierDivergence { barrier, one_line, in_loop } => {
            values.set("barrier", *barrier);
            values.set("one_line", *one_line);
            values.set("in_loop", *in_loop || *one_line);
        }
        Cause::BarrierInBranch { lanes, loops } => {
            values.set("lanes", *lanes);
            values.set("loops", *loops);
        }
        Cause::WarpsAtDifferentBarriers { one_line } => values.set("one_line", *one_line),
        _ => {}
    }
}
