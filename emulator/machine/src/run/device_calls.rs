//! Calls of the device runtime: launches by kernels, streams, events, and questions about the device.

use super::block::Block;
use super::caller::Caller;
use super::ending::LaunchEnding;
use super::failures::{Unasked, keep, leaks};
use super::grids::{GridIdentity, GridOrigin};
use super::launch::Launch;
use super::queue::{GridEvent, GridNumbers, Reservation, Stream};
use super::runtime::{Prepared, Runtime};
use super::warp::{Group, Wait};
use crate::code::function_of_address;
use crate::exec::Op;
use crate::exec::runtime::*;
use crate::limits::check_shape;
use crate::memory::Region;
use crate::memory::space::{self, Space};
use crate::registers::{Mask, lanes};
use crate::types::{Fault, Kernel, LaunchConfig, LaunchError, Unsupported};
use crate::watch::{At, Watch};
use finding::{LaunchRefusal, MemoryFor, ShapeError};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The outcome of a group's call.
pub(super) enum Called {
    Done,
    Launched,
    /// Some of its threads wait for another grid to begin, and come here again.
    Waits,
}

/// The context in which calls of the device runtime are answered.
pub(super) struct Calls<'c, 'a, W: Watch> {
    pub watch: &'c mut W,
    pub runtime: &'c Runtime<'a>,
    pub unasked: &'c mut Unasked,
}

impl<'a, W: Watch> Calls<'_, 'a, W> {
    /// Runs a function of the device runtime for the group that stands on its call.
    pub fn run(
        &mut self,
        block: &mut Block<'a, W>,
        which: usize,
        at: usize,
        what: DeviceCall,
    ) -> Result<Called, LaunchEnding> {
        let launch = block.launch.clone();
        let group = block.warps[which].groups[at];
        block.warps[which].enter_window(group.frame);
        let Op::Call(call) = &launch.code.instrs[group.pc as usize].op else { unreachable!("stopped at one") };
        let mut later: Mask = 0;
        for lane in lanes(group.mask) {
            let mut caller = Caller { block, which, group, lane, call };
            let value = match what {
                DeviceCall::GetParameterBuffer => match self.prepare(&mut caller) {
                    Some(address) => address,
                    None => {
                        later |= 1 << lane;
                        continue;
                    }
                },
                DeviceCall::Launch { per_thread } => u64::from(self.launch_grid(&mut caller, per_thread)?.0),
                other => self.simple_call(&mut caller, other),
            };
            caller.give(self.watch, value);
        }
        let warp = &mut block.warps[which];
        let done = group.mask & !later;
        if done == 0 {
            return Ok(Called::Waits);
        }
        if later != 0 {
            warp.groups.push(Group { mask: later, wait: Wait::Ready, ..group });
            warp.groups[at].mask = done;
        }
        warp.groups[at].pc += 1;
        Ok(match what {
            _ if later != 0 => Called::Waits,
            DeviceCall::Launch { .. } => Called::Launched,
            _ => Called::Done,
        })
    }

    /// A buffer for the arguments of a launch, or null; `None` where the thread has to wait for room.
    fn prepare(&mut self, caller: &mut Caller<'_, 'a, W>) -> Option<u64> {
        let runtime = self.runtime;
        let launch = caller.block.launch.clone();
        let (function, shared) = (caller.argument(0), caller.argument_part(3, 0, 4) as u32);
        let config = LaunchConfig {
            grid: caller.shape(1),
            block: caller.shape(2),
            dynamic_shared: shared,
            cooperative: false,
            cluster: None,
        };
        let is_meant = |index: usize| {
            let first = |part: &crate::code::KernelPart| launch.code.functions[part.first as usize].index;
            launch.code.parts.iter().position(|part| first(part) == index)
        };
        let Some(part) = function_of_address(function).and_then(is_meant) else {
            self.fail_launch(caller, INVALID_DEVICE_FUNCTION, None, LaunchRefusal::NoKernel);
            return Some(0);
        };
        let name = &launch.code.parts[part].name;
        let most = runtime.most_pending as u64;
        if u64::from(launch.depth) >= most {
            let reason = LaunchRefusal::TooDeep { most };
            self.fail_launch(caller, PENDING_COUNT_EXCEEDED, Some(name), reason);
            return Some(0);
        }
        let kernel = &runtime.kernels[launch.code.parts[part].kernel];
        let resident = match check_shape(launch.profile, kernel, &config, launch.profile.shared_per_block) {
            Ok(resident) => resident,
            Err(error) => {
                let (code, reason) = match error {
                    LaunchError::OutOfResources(error) => (OUT_OF_RESOURCES, LaunchRefusal::Shape { shape: error }),
                    LaunchError::InvalidConfiguration(error) | LaunchError::CooperativeTooLarge(error) => {
                        (INVALID_CONFIGURATION, LaunchRefusal::Shape { shape: error })
                    }
                    LaunchError::Unsupported(Unsupported { what, .. }) => {
                        (INVALID_DEVICE_FUNCTION, LaunchRefusal::Unsupported { what })
                    }
                };
                self.fail_launch(caller, code, Some(name), reason);
                return Some(0);
            }
        };
        match runtime.queue.reserve(&launch) {
            Reservation::Granted => {}
            Reservation::Waits => return None,
            Reservation::Impossible => {
                let reason = LaunchRefusal::TooManyPending { most };
                self.fail_launch(caller, PENDING_COUNT_EXCEEDED, Some(name), reason);
                return Some(0);
            }
            Reservation::OutOfMemory => {
                let reason = LaunchRefusal::Shape { shape: ShapeError::NoMemory { needed_for: MemoryFor::Launches } };
                self.fail_launch(caller, OUT_OF_RESOURCES, Some(name), reason);
                return Some(0);
            }
        }
        let mut state = runtime.lock();
        let buffer = state.free.pop().expect("as many buffers as launches may be pending");
        state.prepared.insert(buffer, Prepared { part, config, resident });
        drop(state);
        if W::ON {
            self.watch.fresh_buffer(&launch, buffer, u64::from(kernel.parameter_bytes));
        }
        Some(buffer)
    }

    /// Launches what was prepared in a buffer.
    fn launch_grid(&mut self, caller: &mut Caller<'_, 'a, W>, per_thread: bool) -> Result<CudaErrorCode, LaunchEnding> {
        let runtime = self.runtime;
        let parent = caller.block.launch.clone();
        let (buffer, handle) = (caller.argument(0), caller.argument(1));
        let Some(prepared) = runtime.lock().prepared.remove(&buffer) else {
            return Ok(self.fail_launch(caller, INVALID_VALUE, None, LaunchRefusal::NoBuffer));
        };
        let Prepared { part, config, resident } = prepared;
        let (part, part_number) = (&parent.code.parts[part], part as u32);
        let Some(stream) = self.stream(caller, handle, per_thread) else {
            runtime.lock().free.push(buffer);
            runtime.queue.cancel_reservation();
            let reason = LaunchRefusal::NoStream;
            return Ok(self.fail_launch(caller, INVALID_HANDLE, Some(&part.name), reason));
        };
        let kernel = &runtime.kernels[part.kernel];
        let Some(params) = Region::owned(Some(0), u64::from(kernel.parameter_bytes)) else {
            parent.fail(Fault::Internal("the host has no memory for another grid".into()));
            return Ok(OUT_OF_RESOURCES);
        };
        if let Some(from) = parent.memory.region(buffer).filter(|_| kernel.parameter_bytes > 0) {
            params.copy_bytes(0, from, buffer, u64::from(kernel.parameter_bytes));
        }
        runtime.lock().free.push(buffer);
        if let Some((number, space)) = outside(kernel, &params) {
            return Err(leaks(caller, &part.name, number, space));
        }
        let blocks = config.grid.iter().map(|&n| u64::from(n)).product();
        let GridNumbers { grid: number, first_block, node } = runtime.queue.assign_numbers(blocks, parent.depth + 1);
        let (grid, block) = (config.grid, config.block);
        let origin = Some(origin(&parent, caller));
        let identity = Arc::new(GridIdentity { part: part_number, grid, block, first_block, origin });
        if W::ON {
            parent.tree.grids.add(&identity);
        }
        let child = Arc::new(Launch {
            tree: parent.tree,
            code: parent.code,
            memory: parent.memory,
            globals: parent.globals,
            names: parent.names,
            parameters: &kernel.parameters,
            params,
            profile: parent.profile,
            kernel: &kernel.name,
            part,
            grid: config.grid,
            block: config.block,
            cluster: [1; 3],
            is_explicit_cluster: false,
            dynamic_shared: config.dynamic_shared,
            grid_id: parent.tree.grid_ids.fetch_add(1, Relaxed),
            resident,
            cooperative: false,
            grid_sync: 0,
            next_block: AtomicU64::new(0),
            number,
            node,
            depth: parent.depth + 1,
            identity,
        });
        if W::ON {
            let (group, lane) = (caller.group, caller.lane);
            let warp = &mut caller.block.warps[caller.which];
            let at =
                At { launch: &parent, block: caller.block.linear, warp: warp.index, pc: group.pc, frame: group.frame };
            self.watch.launches(&at, &mut warp.watch, lane, &child);
        }
        let events = runtime.queue.launch(&parent, child, stream);
        tell(self.watch, events);
        Ok(SUCCESS)
    }

    /// The stream that a thread means by a handle.
    fn stream(&self, caller: &Caller<'_, 'a, W>, handle: u64, per_thread: bool) -> Option<Stream> {
        let (block, thread) = caller.key();
        Some(match handle {
            0 if per_thread => Stream::Thread(block, thread),
            // NULL, and `cudaStreamLegacy`.
            0 | 1 => Stream::Block(block),
            2 => Stream::Thread(block, thread),
            3 => Stream::Tail,
            4 => Stream::FireAndForget,
            handle if self.runtime.queue.has_stream(&caller.block.launch, handle) => Stream::Named(handle),
            _ => return None,
        })
    }

    /// Calls that launch nothing.
    fn simple_call(&mut self, caller: &mut Caller<'_, 'a, W>, what: DeviceCall) -> u64 {
        let runtime = self.runtime;
        let launch = caller.block.launch.clone();
        let (first, second) = (caller.argument(0), caller.argument(1));
        let code = match what {
            DeviceCall::GetLastError => {
                let failure = runtime.lock().failures.remove(&caller.key());
                return failure.map_or(0, |failure| u64::from(failure.code.0));
            }
            DeviceCall::PeekAtLastError => {
                let mut state = runtime.lock();
                let failure = state.failures.get_mut(&caller.key());
                return failure.map_or(0, |failure| {
                    failure.unread = None;
                    u64::from(failure.code.0)
                });
            }
            DeviceCall::GetErrorName | DeviceCall::GetErrorString => {
                let known = |code| runtime.texts.get(&(code, what == DeviceCall::GetErrorName)).copied();
                return known(CudaErrorCode(first as u32)).or_else(|| known(UNKNOWN)).unwrap_or(0);
            }
            DeviceCall::GetDevice => self.put_number(caller, first, 0, 4),
            DeviceCall::GetDeviceCount => self.put_number(caller, first, 1, 4),
            DeviceCall::RuntimeGetVersion => self.put_number(caller, first, 13000, 4),
            DeviceCall::DeviceGetCacheConfig => self.put_number(caller, first, 0, 4),
            DeviceCall::DeviceGetAttribute if caller.argument_part(2, 0, 4) != 0 => INVALID_DEVICE,
            DeviceCall::DeviceGetAttribute => match launch.profile.attribute(second as u32) {
                Some(value) => self.put_number(caller, first, u64::from(value), 4),
                None => INVALID_VALUE,
            },
            DeviceCall::DeviceGetLimit => match second as u32 {
                0 => self.put_number(caller, first, launch.profile.local_per_thread.into(), 8),
                4 => self.put_number(caller, first, runtime.most_pending as u64, 8),
                _ => UNSUPPORTED_LIMIT,
            },
            // Streams must be non-blocking; one that waits for the NULL stream does not exist here.
            DeviceCall::StreamCreate if second as u32 != 1 => INVALID_VALUE,
            DeviceCall::StreamCreate => {
                let stream = runtime.queue.create_stream(&launch);
                self.put_number(caller, first, stream, 8)
            }
            DeviceCall::StreamDestroy if runtime.queue.destroy_stream(&launch, first) => SUCCESS,
            DeviceCall::StreamDestroy => INVALID_HANDLE,
            // From the same heap as `malloc`.
            DeviceCall::Malloc => match launch.memory.heap.allocate(second) {
                Some(base) => {
                    launch.tree.burn_for_bytes(second);
                    if W::ON {
                        self.watch.allocated(base, second);
                    }
                    self.put_number(caller, first, base, 8)
                }
                None => MEMORY_ALLOCATION,
            },
            DeviceCall::Free if first == 0 => SUCCESS,
            DeviceCall::Free if launch.memory.heap.free(first).is_err() => INVALID_VALUE,
            DeviceCall::Free => {
                if W::ON {
                    self.watch.freed(first);
                }
                SUCCESS
            }
            // Events take no times on the device.
            DeviceCall::EventCreate if second as u32 != 2 => INVALID_VALUE,
            DeviceCall::EventCreate => {
                let event = runtime.queue.create_event();
                self.put_number(caller, first, event, 8)
            }
            DeviceCall::EventDestroy if runtime.queue.destroy_event(first) => SUCCESS,
            DeviceCall::EventDestroy => INVALID_HANDLE,
            DeviceCall::EventRecord { per_thread } => {
                self.event_call(caller, second, per_thread, |stream| runtime.queue.record(&launch, first, stream))
            }
            DeviceCall::StreamWaitEvent { per_thread } => {
                self.event_call(caller, first, per_thread, |stream| runtime.queue.wait_event(&launch, second, stream))
            }
            DeviceCall::Occupancy => {
                let kernel = function_of_address(second).and_then(|index| {
                    let first =
                        |part: &&crate::code::KernelPart| launch.code.functions[part.first as usize].index == index;
                    launch.code.parts.iter().find(first).map(|part| &runtime.kernels[part.kernel])
                });
                let (threads, shared) = (caller.argument_part(2, 0, 4) as u32, caller.argument(3) as u32);
                match kernel {
                    Some(kernel) => {
                        let shared = kernel.shared_bytes.saturating_add(shared);
                        let blocks = launch.profile.resident_blocks(threads, kernel.registers, shared);
                        self.put_number(caller, first, blocks.into(), 4)
                    }
                    None => INVALID_DEVICE_FUNCTION,
                }
            }
            DeviceCall::GetParameterBuffer | DeviceCall::Launch { .. } => unreachable!("not simple"),
        };
        keep(self.runtime, caller, code);
        u64::from(code.0)
    }

    /// A launch fails, of a kernel that may have no name.
    fn fail_launch(
        &mut self,
        caller: &Caller<'_, 'a, W>,
        code: CudaErrorCode,
        kernel: Option<&str>,
        reason: LaunchRefusal,
    ) -> CudaErrorCode {
        self.unasked.failed(self.runtime, caller, code, kernel, reason);
        code
    }

    fn put_number(&mut self, caller: &mut Caller<'_, 'a, W>, address: u64, value: u64, bytes: u64) -> CudaErrorCode {
        if caller.put(self.watch, address, value, bytes) { SUCCESS } else { INVALID_VALUE }
    }

    /// A call that puts an event into a stream, or lets a stream wait for it.
    fn event_call(
        &mut self,
        caller: &Caller<'_, 'a, W>,
        handle: u64,
        per_thread: bool,
        run: impl FnOnce(Stream) -> Option<Vec<GridEvent>>,
    ) -> CudaErrorCode {
        match self.stream(caller, handle, per_thread) {
            // Neither can be waited for.
            None | Some(Stream::Tail | Stream::FireAndForget) => INVALID_HANDLE,
            Some(stream) => match run(stream) {
                Some(events) => {
                    tell(self.watch, events);
                    SUCCESS
                }
                None => INVALID_HANDLE,
            },
        }
    }
}

/// Returns the thread that launches a grid, and where it does.
fn origin<W: Watch>(parent: &Launch, caller: &Caller<'_, '_, W>) -> GridOrigin {
    let (block, thread) = caller.key();
    GridOrigin { parent: parent.identity.clone(), block, thread, pc: caller.group.pc, calls: caller.calls() }
}

/// Passes the events on to the observer.
pub(super) fn tell<W: Watch>(watch: &mut W, events: Vec<GridEvent>) {
    if W::ON {
        for event in events {
            match event {
                GridEvent::Begins { grid, after } => watch.grid_begins(grid, &after),
                GridEvent::Ends { grid, parent } => watch.grid_ends(grid, parent),
                GridEvent::Retains { complete } => watch.grids_kept(&complete),
            }
        }
    }
}

/// The first argument that points into shared or local memory: its number, from 1, and the space.
fn outside(kernel: &Kernel, params: &Region) -> Option<(usize, Space)> {
    kernel.parameters.iter().zip(1..).find_map(|(parameter, number)| {
        let (start, end) = (u64::from(parameter.offset), u64::from(parameter.offset + parameter.bytes));
        let words = (start.next_multiple_of(8)..end).step_by(8).filter(|at| at + 8 <= end);
        words.map(|at| space::of_generic(params.load::<u64>(at))).find_map(|space| match space {
            Space::Shared | Space::Local => Some((number, space)),
            _ => None,
        })
    })
}
