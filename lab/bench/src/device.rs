//! The device, the lessons' kernels on it, and calls that are prepared once and enqueued many times.

use anyhow::{Context as _, Result, bail, ensure};
use common::KernelFile;
use cust::context::Context;
use cust::device::{Device, DeviceAttribute};
use cust::function::{BlockSize, FunctionAttribute, GridSize};
use cust::memory::{DeviceBuffer, DeviceCopy};
use cust::module::Module;
use cust::stream::{Stream, StreamFlags};
use cust_raw::{
    CUfunction, CUresult, cuLaunchCooperativeKernel, cuLaunchKernel, cuMemcpyDtoDAsync_v2, cuMemsetD32Async,
};
use driver::emulator::{Parameter, Program};
use driver::{Choice, ChosenDevice, device_runtime, emulated};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::c_void;
use std::ptr::null_mut;

/// All kernels that can be measured, by lesson.
pub static LESSONS: [&[KernelFile]; 7] = [
    lesson01_vectorized::KERNELS,
    lesson02_sync::KERNELS,
    lesson03_warp_primitives::KERNELS,
    lesson04_atomics::KERNELS,
    lesson05_dynamic_parallelism::KERNELS,
    lesson06_cooperative_groups::KERNELS,
    lesson07_beyond_the_block::KERNELS,
];

/// The file that defines a kernel.
pub fn file_of(kernel: &str) -> Result<&'static KernelFile> {
    let mut files =
        LESSONS.iter().flat_map(|files| files.iter()).filter(|file| file.kernels().any(|name| name == kernel));
    let file = files.next().with_context(|| format!("no lesson has a kernel `{kernel}`"))?;
    ensure!(files.next().is_none(), "two lessons have a kernel `{kernel}`");
    Ok(file)
}

pub struct Gpu {
    pub stream: Stream,
    pub name: String,
    /// `(9, 0)`
    pub capability: (i32, i32),
    pub processors: u32,
    pub l2_bytes: usize,
    pub is_emulated: bool,
    loaded: RefCell<HashMap<&'static str, (&'static Module, Program)>>,
    // Dropped after the stream.
    _context: Context,
}

impl Gpu {
    /// The device's primary context, which the peers' runtime uses too.
    pub fn open(choice: Choice) -> Result<Gpu> {
        let probe = LESSONS[0].first().map(|file| file.ptx);
        let chosen = driver::choose(choice, probe)?;
        cust::init(cust::CudaFlags::empty())?;
        let device = Device::get_device(0)?;
        let context = Context::new(device)?;
        let attribute = |which| device.get_attribute(which);
        let is_emulated = chosen.kind == ChosenDevice::Emulator;
        if is_emulated {
            emulated::capture_output(true).map_err(refused)?;
        }
        Ok(Gpu {
            stream: Stream::new(StreamFlags::NON_BLOCKING, None)?,
            name: chosen.name,
            capability: (
                attribute(DeviceAttribute::ComputeCapabilityMajor)?,
                attribute(DeviceAttribute::ComputeCapabilityMinor)?,
            ),
            processors: attribute(DeviceAttribute::MultiprocessorCount)? as u32,
            l2_bytes: attribute(DeviceAttribute::L2CacheSize)?.max(0) as usize,
            is_emulated,
            loaded: RefCell::default(),
            _context: context,
        })
    }

    /// Memory that nothing has written.
    pub fn room<T: DeviceCopy>(&self, len: usize) -> Result<DeviceBuffer<T>> {
        // SAFETY: all of it is filled or poisoned before anybody reads it, and the checks would see what was not.
        let buffer = unsafe { DeviceBuffer::uninitialized(len.max(1)) };
        buffer.with_context(|| format!("no memory for {} bytes", len * size_of::<T>()))
    }

    /// Fills words of memory, and waits.
    pub fn fill(&self, at: u64, value: u32, words: usize) -> Result<()> {
        Step::Fill { at, value, words }.enqueue(&self.stream)?;
        Ok(self.stream.synchronize()?)
    }

    /// Loads the kernel's file, if no other kernel of it has been asked for, and gives its function and its parameters.
    fn function(&self, kernel: &str) -> Result<(CUfunction, Vec<Parameter>)> {
        let file = file_of(kernel)?;
        let mut loaded = self.loaded.borrow_mut();
        if !loaded.contains_key(file.source_path) {
            loaded.insert(file.source_path, self.load(file)?);
        }
        let (module, program) = &loaded[file.source_path];
        let found = program.kernels().iter().find(|found| found.name == kernel);
        let parameters = found.map(|found| found.parameters.clone());
        Ok((module.get_function(kernel)?.to_raw(), parameters.with_context(|| format!("`{kernel}` is no kernel"))?))
    }

    /// The blocks of a kernel that can be there at once.
    pub fn most_blocks(&self, kernel: &str, threads: u32) -> Result<u32> {
        let each =
            self.module(kernel)?.get_function(kernel)?.max_active_blocks_per_multiprocessor(threads.into(), 0)?;
        Ok(each * self.processors)
    }

    /// Threads of its blocks at most: fewer than the device's where the kernel has `__launch_bounds__`.
    fn most_threads(&self, kernel: &str) -> Result<u32> {
        let function = self.module(kernel)?.get_function(kernel)?;
        Ok(function.get_attribute(FunctionAttribute::MaxThreadsPerBlock)? as u32)
    }

    /// Lets launches of a kernel have up to so many bytes of dynamic shared memory. Without it, 48 KiB are the most.
    pub fn allow_shared(&self, kernel: &str, bytes: u32) -> Result<()> {
        // SAFETY: modules are never unloaded.
        unsafe { common::allow_shared(self.function(kernel)?.0, bytes) }
    }

    fn module(&self, kernel: &str) -> Result<&'static Module> {
        self.function(kernel)?; // Loads its file.
        Ok(self.loaded.borrow()[file_of(kernel)?.source_path].0)
    }

    /// A module for the rest of the program.
    fn load(&self, file: &KernelFile) -> Result<(&'static Module, Program)> {
        let refused = || format!("the device does not take {}", file.source_path);
        let module = if !self.is_emulated && device_runtime::is_called(file.ptx) {
            let library = lesson05_dynamic_parallelism::DEVICE_RUNTIME.context("built without the device runtime")?;
            Module::from_cubin(device_runtime::link(file.ptx, library).with_context(refused)?, &[])
        } else {
            Module::from_ptx(file.ptx, &[])
        };
        let program = Program::from_ptx(&[file.ptx])
            .map_err(|error| anyhow::anyhow!("{}, line {}: {}", file.source_path, error.line, error.message))?;
        Ok((Box::leak(Box::new(module.with_context(refused)?)), program))
    }

    /// A launch of a kernel, checked against its parameters.
    pub fn launch(&self, kernel: &str, grid: impl Into<Size>, block: impl Into<Size>, args: &[Arg]) -> Result<Step> {
        let (function, parameters) = self.function(kernel)?;
        let wanted: Vec<u32> = parameters.iter().map(|parameter| parameter.bytes).collect();
        let given: Vec<u32> = args.iter().map(Arg::bytes).collect();
        ensure!(wanted == given, "`{kernel}` takes arguments of {wanted:?} bytes, and is given {given:?}");
        let arguments = args.iter().map(Arg::words).collect();
        let (grid, block) = (grid.into(), block.into());
        let most = self.most_threads(kernel)?;
        ensure!(block.0 * block.1 <= most, "`{kernel}` takes blocks of {most} threads at most");
        Ok(Step::Launch(Launch { function, grid, block, shared: 0, kind: LaunchKind::Ordinary, arguments }))
    }

    /// Returns an error if the emulated device has found something in the launches since it was last asked.
    pub fn check_findings(&self) -> Result<()> {
        if self.is_emulated {
            for report in emulated::take_reports().map_err(refused)? {
                let finding = report.findings.first().map(|finding| format!("{:?}", finding.slug));
                let kernel = report.kernel.unwrap_or_default();
                if let Some(what) = finding.or(report.fault.map(|fault| format!("{fault:?}"))) {
                    bail!("the emulator has found {what} in `{kernel}`");
                }
            }
        }
        Ok(())
    }
}

fn refused(code: CUresult) -> anyhow::Error {
    anyhow::anyhow!("the emulated GPU answers {code:?}")
}

/// Blocks of a grid or threads of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(u32, u32);

impl From<u32> for Size {
    fn from(x: u32) -> Size {
        Size(x, 1)
    }
}

impl From<(u32, u32)> for Size {
    fn from((x, y): (u32, u32)) -> Size {
        Size(x, y)
    }
}

/// A kernel's argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    Pointer(u64),
    Unsigned(u32),
    Int(i32),
    /// A struct, as C has it in memory.
    Struct(Vec<u8>),
}

impl Arg {
    fn bytes(&self) -> u32 {
        match self {
            Arg::Pointer(_) => 8,
            Arg::Unsigned(_) | Arg::Int(_) => 4,
            Arg::Struct(bytes) => bytes.len() as u32,
        }
    }

    /// Its bytes, aligned for any type.
    fn words(&self) -> Box<[u64]> {
        match self {
            Arg::Pointer(address) => Box::new([*address]),
            Arg::Unsigned(value) => Box::new([u64::from(*value)]),
            Arg::Int(value) => Box::new([u64::from(*value as u32)]),
            Arg::Struct(bytes) => {
                let word = |part: &[u8]| {
                    let mut word = [0; 8];
                    word[..part.len()].copy_from_slice(part);
                    u64::from_ne_bytes(word)
                };
                bytes.chunks(8).map(word).collect()
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LaunchKind {
    Ordinary,
    Cooperative,
    /// It may begin before the launch ahead of it has ended.
    Dependent,
}

/// A kernel with all that its launch needs.
pub struct Launch {
    function: CUfunction,
    grid: Size,
    block: Size,
    shared: u32,
    kind: LaunchKind,
    arguments: Vec<Box<[u64]>>,
}

/// Enqueues a call of a library on a stream.
pub type LibraryCall = Box<dyn Fn(&Stream) -> Result<()>>;

/// An operation that a call of a method enqueues, in order.
pub enum Step {
    Fill {
        at: u64,
        value: u32,
        words: usize,
    },
    Copy {
        to: u64,
        from: u64,
        bytes: usize,
    },
    Launch(Launch),
    /// A function of a library.
    Library(LibraryCall),
}

impl Step {
    /// With so many bytes of dynamic shared memory.
    pub fn with_shared(self, bytes: u32) -> Step {
        match self {
            Step::Launch(launch) => Step::Launch(Launch { shared: bytes, ..launch }),
            other => other,
        }
    }

    /// As a cooperative launch.
    pub fn cooperative(self) -> Step {
        match self {
            Step::Launch(launch) => Step::Launch(Launch { kind: LaunchKind::Cooperative, ..launch }),
            other => other,
        }
    }

    /// As a dependent launch.
    pub fn dependent(self) -> Step {
        match self {
            Step::Launch(launch) => Step::Launch(Launch { kind: LaunchKind::Dependent, ..launch }),
            other => other,
        }
    }

    pub fn enqueue(&self, stream: &Stream) -> Result<()> {
        let code = match self {
            // SAFETY: callers name memory that they have allocated, and keep it until the stream is done.
            &Step::Fill { at, value, words } => unsafe { cuMemsetD32Async(at, value, words, stream.as_inner()) },
            // SAFETY: as for `Fill`: callers have allocated the memory, and keep it until the stream is done.
            &Step::Copy { to, from, bytes } => unsafe { cuMemcpyDtoDAsync_v2(to, from, bytes, stream.as_inner()) },
            Step::Launch(launch) => launch.enqueue(stream),
            Step::Library(call) => return call(stream),
        };
        ensure!(code == CUresult::CUDA_SUCCESS, "the driver answers {code:?}");
        Ok(())
    }
}

impl Launch {
    fn enqueue(&self, stream: &Stream) -> CUresult {
        let Launch { function, grid, block, shared, .. } = *self;
        let mut pointers = [null_mut::<c_void>(); 16];
        for (pointer, argument) in pointers.iter_mut().zip(&self.arguments) {
            *pointer = argument.as_ptr().cast_mut().cast();
        }
        let (arguments, stream) = (pointers.as_mut_ptr(), stream.as_inner());
        // SAFETY: `Gpu::launch` has compared the arguments with the parameters, and modules are never unloaded; what
        // the pointers among them point to is the caller's, as with any launch.
        unsafe {
            match self.kind {
                LaunchKind::Ordinary => cuLaunchKernel(
                    function,
                    grid.0,
                    grid.1,
                    1,
                    block.0,
                    block.1,
                    1,
                    shared,
                    stream,
                    arguments,
                    null_mut(),
                ),
                LaunchKind::Cooperative => cuLaunchCooperativeKernel(
                    function, grid.0, grid.1, 1, block.0, block.1, 1, shared, stream, arguments,
                ),
                LaunchKind::Dependent => {
                    let shape = (GridSize::xy(grid.0, grid.1), BlockSize::xy(block.0, block.1));
                    common::launch_dependent(function, shape, shared, stream, arguments)
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_has_one_file() {
        assert_eq!(file_of("ladder_four").unwrap().source_path, "cuda/lesson01/ladder.cu");
        assert!(file_of("ladder_fourteen").is_err());
    }

    #[test]
    fn a_struct_keeps_its_bytes() {
        let argument = Arg::Struct((1..=12).collect());
        assert_eq!(argument.bytes(), 12);
        assert_eq!(argument.words()[0].to_ne_bytes(), [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(argument.words()[1].to_ne_bytes(), [9, 10, 11, 12, 0, 0, 0, 0]);
    }
}
