//! The conditions of conditional nodes (CUDA C++ Programming Guide, "Conditional Graph Nodes").
//!
//! A condition is a word of device memory, and its handle is the word's address. The word is allocated while a graph
//! that has the condition runs: a kernel that sets it outside of such a graph writes to an address that is not valid.
//! Its value is kept from one launch to the next, as on a GPU. The address lives as long as the context.

use super::state::ContextState;
use crate::emulated::base::outcome::{CallResult, code};
use emulator::HostOrder;
use std::collections::BTreeMap;

const BYTES: u64 = 4;
const ALIGN: u64 = 512;

/// A condition, as its handle was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Condition {
    /// The number of its context.
    pub(crate) context: u64,
    /// The address of its word, which is the handle.
    pub(crate) address: u64,
    /// Its value when a launch begins; `None` if it keeps the last one.
    pub(crate) default: Option<u32>,
}

/// The word of a condition.
#[derive(Default)]
struct ConditionWord {
    /// Its value between two launches.
    value: u32,
    /// The launches under way that use it. It is allocated if there is one.
    launches: u32,
}

/// The conditions of a context that a launch has used, by address.
#[derive(Default)]
pub(crate) struct Conditions(BTreeMap<u64, ConditionWord>);

impl ContextState {
    /// Returns the address of a new condition.
    pub(crate) fn reserve_condition(&mut self) -> CallResult<u64> {
        self.device.reserve(BYTES, ALIGN).map_err(code)
    }

    /// A launch of a graph with these conditions begins: each gets its default value, or keeps the last one.
    pub(crate) fn begin_conditions(&mut self, conditions: &[Condition]) {
        for Condition { address, default, .. } in conditions {
            let word = self.conditions.0.entry(*address).or_default();
            word.launches += 1;
            word.value = default.unwrap_or(word.value);
            if word.launches == 1
                && let Err(error) = self.device.allocate_at(*address, BYTES, Some(&word.value.to_le_bytes()))
            {
                self.fail(code(error));
            }
        }
    }

    /// The launch ends.
    pub(crate) fn end_conditions(&mut self, conditions: &[Condition]) {
        for Condition { address, .. } in conditions {
            let Some(word) = self.conditions.0.get_mut(address) else { continue };
            word.launches = word.launches.saturating_sub(1);
            if word.launches == 0
                && let Ok(bytes) = self.device.contents_at(*address, BYTES)
            {
                word.value = bytes.try_into().map_or(word.value, u32::from_le_bytes);
                // It was allocated: its contents were just read.
                let _ = self.device.free(*address);
            }
        }
    }

    /// A conditional node reads the value of its condition.
    pub(crate) fn read_condition(&mut self, condition: &Condition, order: &HostOrder) -> Option<u32> {
        match self.device.read_condition(condition.address, order) {
            Ok((value, findings)) => {
                self.reports.moved(findings);
                Some(value)
            }
            Err(error) => {
                self.fail(code(error));
                None
            }
        }
    }
}
