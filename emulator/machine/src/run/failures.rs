//! Launches by kernels that fail: kept until the thread asks, and findings where it never does.

use super::block::Block;
use super::caller::Caller;
use super::ending::{LaunchEnding, of_block};
use super::launch::Launch;
use super::runtime::{FailedLaunch, Runtime, UnreadFailure};
use super::sites::access;
use crate::exec::runtime::{CudaErrorCode, SUCCESS};
use crate::memory::space::Space;
use crate::registers::{Mask, lanes};
use crate::types::Fault;
use crate::watch::Watch;
use finding::{Action, Cause, Finding, LaunchRefusal, Slug};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::atomic::Ordering::Relaxed;

/// Keeps an error for the thread to ask for.
pub(super) fn keep<W: Watch>(runtime: &Runtime, caller: &Caller<'_, '_, W>, code: CudaErrorCode) {
    if code != SUCCESS {
        put(runtime, caller, code, None);
    }
}

/// Puts a thread's latest error in place of the one before.
fn put<W: Watch>(
    runtime: &Runtime,
    caller: &Caller<'_, '_, W>,
    code: CudaErrorCode,
    unread: Option<FailedLaunch>,
) -> Option<UnreadFailure> {
    let failure = UnreadFailure { code, pc: caller.group.pc, calls: caller.calls(), unread };
    let old = runtime.lock().failures.insert(caller.key(), failure);
    runtime.any_failure.store(true, Relaxed);
    old
}

/// Findings for launches that failed, and whose threads have not asked: one for each place and error.
#[derive(Default)]
pub(super) struct Unasked {
    by_place: BTreeMap<(u32, CudaErrorCode), Finding>,
}

impl Unasked {
    /// A launch has failed, of a kernel that may have no name. The error that it leaves takes the place of an earlier
    /// one, which nobody can ask for any more.
    pub fn failed<W: Watch>(
        &mut self,
        runtime: &Runtime,
        caller: &Caller<'_, '_, W>,
        code: CudaErrorCode,
        kernel: Option<&str>,
        reason: LaunchRefusal,
    ) {
        let unread = FailedLaunch { kernel: kernel.map(Into::into), reason };
        if let Some(old) = put(runtime, caller, code, Some(unread)) {
            self.add(&caller.block.launch, caller.key(), &old);
        }
    }

    /// Threads have ended, and ask no more.
    pub fn ended<W: Watch>(&mut self, runtime: &Runtime, block: &Block<W>, which: usize, mask: Mask) {
        if !runtime.any_failure.load(Relaxed) {
            return;
        }
        for lane in lanes(mask) {
            let key = (block.linear, 32 * which as u32 + lane as u32);
            let failure = runtime.lock().failures.remove(&key);
            if let Some(failure) = failure {
                self.add(&block.launch, key, &failure);
            }
        }
    }

    fn add(&mut self, launch: &Launch, (block, thread): (u64, u32), failure: &UnreadFailure) {
        let Some(FailedLaunch { kernel, reason }) = &failure.unread else { return };
        let place = match self.by_place.entry((failure.pc, failure.code)) {
            Entry::Occupied(mut known) => {
                known.get_mut().count += 1;
                return;
            }
            Entry::Vacant(place) => place,
        };
        let (kernel, error) = (kernel.clone(), failure.code.name());
        let action = Action::Launched { kernel: kernel.clone(), error };
        let end = access(launch, block, thread, failure.pc, &failure.calls, action);
        let cause = Cause::LaunchFailed { kernel, error, reason: reason.clone() };
        place.insert(of_block(launch, block, Slug::DeviceLaunch, cause, vec![end]));
    }

    pub fn into_findings(self) -> Vec<Finding> {
        self.by_place.into_values().collect()
    }
}

/// An argument that points into memory of the parent's own.
pub(super) fn leaks<W: Watch>(caller: &Caller<'_, '_, W>, kernel: &str, number: usize, space: Space) -> LaunchEnding {
    let launch = &caller.block.launch;
    let (block, thread) = caller.key();
    let kernel = kernel.to_string();
    let action = Action::LaunchedWithPointer { kernel: kernel.clone(), space };
    let end = access(launch, block, thread, caller.group.pc, &caller.calls(), action);
    let cause = Cause::PointerToOwnMemory { kernel, number, space };
    LaunchEnding::found(of_block(launch, block, Slug::DeviceLaunch, cause, vec![end]), Fault::IllegalAddress)
}
