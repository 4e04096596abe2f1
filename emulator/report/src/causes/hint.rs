//! Hints: facts that are no bug by themselves and worth a word where an answer is wrong.

use crate::Reader;
use finding::{Cause, ShuffleDirection};
use words::MessageValues;

pub(super) fn values<'a>(values: &mut MessageValues<'a>, cause: &'a Cause, reader: &Reader) {
    match cause {
        Cause::ActiveMask { differ } => {
            values.set("differ", *differ);
            values.set("inside", reader.asks_inside);
        }
        Cause::ShuffleBeyond { function, direction } => {
            values.set("function", *function);
            values.set(
                "direction",
                match direction {
                    Some(ShuffleDirection::Up) => "up",
                    Some(ShuffleDirection::Down) => "down",
                    None => "none",
                },
            );
        }
        _ => {}
    }
}
