//! Launches by kernels that fail: kept until the thread asks, and findings where it never does.

use super::block::Block;
use super::caller::Caller;
use super::launch::Launch;
use super::misuse::of_block;
use super::runtime::{FailedLaunch, Failure, Runtime};
use super::sites::access;
use super::worker::Worker;
use crate::exec::runtime::{Code, SUCCESS};
use crate::memory::space::Space;
use crate::registers::{Mask, lanes};
use crate::watch::Watch;
use finding::{Action, Cause, Finding, LaunchRefusal, Slug};
use std::sync::atomic::Ordering::Relaxed;

impl<'a, W: Watch> Worker<'a, W> {
    /// Keeps an error for the thread to ask for.
    pub(super) fn failed(&mut self, runtime: &Runtime<'a>, caller: &Caller<'_, 'a, W>, code: Code) -> Code {
        if code != SUCCESS {
            self.keep(runtime, caller, code, None);
        }
        code
    }

    /// The same for a launch, of a kernel that may have no name.
    pub(super) fn fail_launch(
        &mut self,
        runtime: &Runtime<'a>,
        caller: &Caller<'_, 'a, W>,
        code: Code,
        kernel: Option<&str>,
        reason: LaunchRefusal,
    ) -> Code {
        let unread = FailedLaunch { kernel: kernel.map(Into::into), reason };
        self.keep(runtime, caller, code, Some(unread));
        code
    }

    fn keep(&mut self, runtime: &Runtime<'a>, caller: &Caller<'_, 'a, W>, code: Code, unread: Option<FailedLaunch>) {
        let is_launch = unread.is_some();
        let failure = Failure { code, pc: caller.group.pc, calls: caller.calls(), unread };
        let old = runtime.lock().failures.insert(caller.key(), failure);
        if let Some(old) = old.filter(|_| is_launch) {
            self.unread(&caller.block.launch, caller.key(), &old);
        }
        runtime.any_failure.store(true, Relaxed);
    }

    /// Threads have ended: launches of theirs that failed, and that they have not asked about, are findings.
    pub(super) fn ask_for_failures(&mut self, block: &Block<'a, W>, which: usize, mask: Mask) {
        let Some(runtime) = self.runtime.clone().filter(|runtime| runtime.any_failure.load(Relaxed)) else { return };
        for lane in lanes(mask) {
            let key = (block.linear, 32 * which as u32 + lane as u32);
            let failure = runtime.lock().failures.remove(&key);
            if let Some(failure) = failure {
                self.unread(&block.launch, key, &failure);
            }
        }
    }

    /// A finding for a launch that its thread has not asked about.
    fn unread(&mut self, launch: &Launch<'a>, (block, thread): (u64, u32), failure: &Failure) {
        let Some(FailedLaunch { kernel, reason }) = &failure.unread else { return };
        let known = self.unasked.entry((failure.pc, failure.code)).or_insert(None);
        if let Some(finding) = known {
            finding.count += 1;
            return;
        }
        let (kernel, error) = (kernel.clone(), failure.code.name());
        let action = Action::Launched { kernel: kernel.clone(), error };
        let end = access(launch, block, thread, failure.pc, &failure.calls, action);
        let cause = Cause::LaunchFailed { kernel, error, reason: reason.clone() };
        *known = Some(of_block(launch, block, Slug::DeviceLaunch, cause, vec![end]));
    }

    /// The finding for an argument that points into memory of the parent's own.
    pub(super) fn leaks(&self, caller: &Caller<'_, 'a, W>, kernel: &str, number: usize, space: Space) -> Finding {
        let launch = &caller.block.launch;
        let (block, thread) = caller.key();
        let (kernel, space) = (kernel.to_string(), space.into());
        let action = Action::LaunchedWithPointer { kernel: kernel.clone(), space };
        let end = access(launch, block, thread, caller.group.pc, &caller.calls(), action);
        let cause = Cause::PointerToOwnMemory { kernel, number, space };
        of_block(launch, block, Slug::DeviceLaunch, cause, vec![end])
    }
}
