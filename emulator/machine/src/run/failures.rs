//! Launches by kernels that fail: kept until the thread asks, and findings where it never does.

use super::block::Block;
use super::caller::Caller;
use super::launch::Launch;
use super::runtime::{Failure, Runtime};
use super::sites::access;
use super::worker::Worker;
use crate::exec::runtime::{Code, SUCCESS};
use crate::memory::space::Space;
use crate::registers::{Mask, lanes};
use crate::watch::Watch;
use finding::{Finding, Slug};
use std::sync::atomic::Ordering::Relaxed;

impl<'a, W: Watch> Worker<'a, W> {
    /// Keeps an error for the thread to ask for.
    pub(super) fn failed(&mut self, runtime: &Runtime<'a>, caller: &Caller<'_, 'a, W>, code: Code) -> Code {
        if code != SUCCESS {
            self.keep(runtime, caller, code, String::new(), String::new(), false);
        }
        code
    }

    pub(super) fn fail_launch(
        &mut self,
        runtime: &Runtime<'a>,
        caller: &Caller<'_, 'a, W>,
        code: Code,
        kernel: &str,
        why: String,
    ) -> Code {
        self.keep(runtime, caller, code, kernel.into(), why, true);
        code
    }

    fn keep(
        &mut self,
        runtime: &Runtime<'a>,
        caller: &Caller<'_, 'a, W>,
        code: Code,
        kernel: String,
        why: String,
        is_unread: bool,
    ) {
        let failure = Failure { code, kernel, why, pc: caller.group.pc, calls: caller.calls(), is_unread };
        let old = runtime.lock().failures.insert(caller.key(), failure);
        if let Some(old) = old.filter(|old| old.is_unread && is_unread) {
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
            if let Some(failure) = failure.filter(|failure| failure.is_unread) {
                self.unread(&block.launch, key, &failure);
            }
        }
    }

    fn unread(&mut self, launch: &Launch<'a>, (block, thread): (u64, u32), failure: &Failure) {
        let known = self.unasked.entry((failure.pc, failure.code)).or_insert(None);
        if let Some(finding) = known {
            finding.count += 1;
            return;
        }
        let (name, kernel) = (failure.code.name(), &failure.kernel);
        let kernel = if kernel.starts_with("a ") { kernel.clone() } else { format!("`{kernel}`") };
        let action = format!("launched {kernel}: {name}");
        let [x, y, z] = launch.block_index(block);
        *known = Some(Finding {
            slug: Slug::DeviceLaunch,
            kernel: launch.kernel.into(),
            message: format!("a launch of {kernel} failed with {name}, and the thread never asked"),
            headline: None,
            accesses: vec![access(launch, block, thread, failure.pc, &failure.calls, action)],
            place: format!("block ({x},{y},{z})"),
            why: failure.why.clone(),
            help: "ask `cudaGetLastError()` after the launch, and hand what it says to the host".into(),
            count: 1,
            benign: false,
            arguments: Vec::new(),
        });
    }

    /// The finding for an argument that points into memory of the parent's own.
    pub(super) fn leaks(&self, caller: &Caller<'_, 'a, W>, kernel: &str, number: usize, space: Space) -> Finding {
        let launch = &caller.block.launch;
        let (block, thread) = caller.key();
        let space = space.name();
        let action = format!("launched `{kernel}` with a pointer to {space} memory");
        let [x, y, z] = launch.block_index(block);
        Finding {
            slug: Slug::DeviceLaunch,
            kernel: launch.kernel.into(),
            message: format!("argument {number} of `{kernel}` points to {space} memory of the parent"),
            headline: None,
            accesses: vec![access(launch, block, thread, caller.group.pc, &caller.calls(), action)],
            place: format!("block ({x},{y},{z})"),
            why: format!("a child has its own {space} memory: the same address means another place there"),
            help: "hand over global memory: a buffer of the host's, or a `__device__` variable".into(),
            count: 1,
            benign: false,
            arguments: Vec::new(),
        }
    }
}
