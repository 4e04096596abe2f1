//! The device a lesson runs on, and a context on it for each host thread.

use crate::device::device_runtime::library;
use crate::table::kernel_file::KernelFile;
use anyhow::Context as _;
use clap::ValueEnum;
use cust::context::legacy;
use cust::device::{Device, DeviceAttribute};
use cust::module::Module;
use driver::{device_runtime, emulated, refused};
use std::cell::OnceCell;

/// Which device the lesson asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DeviceChoice {
    /// The GPU where there is one that takes our kernels, the emulator elsewhere.
    Auto,
    /// The GPU, or an error.
    Gpu,
    /// The emulated GPU.
    Emulator,
}

/// The kind of device that the lesson runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceKind {
    Emulator,
    Gpu,
}

impl DeviceKind {
    pub fn as_str(self) -> &'static str {
        match self {
            DeviceKind::Emulator => "emulator",
            DeviceKind::Gpu => "gpu",
        }
    }
}

/// The chosen device.
#[derive(Clone, Debug)]
pub struct OpenDevice {
    pub kind: DeviceKind,
    pub name: String,
    /// Why this one, in a sentence.
    pub why: String,
}

impl OpenDevice {
    /// Chooses once for the whole process. A GPU has to accept the lesson's PTX.
    pub fn open(choice: DeviceChoice, files: &[KernelFile]) -> anyhow::Result<OpenDevice> {
        let choice = match choice {
            DeviceChoice::Auto => driver::Choice::Auto,
            DeviceChoice::Gpu => driver::Choice::Gpu,
            DeviceChoice::Emulator => driver::Choice::Emulator,
        };
        let chosen = driver::choose(choice, files.first().map(|file| file.ptx)).with_context(|| say!("no-device"))?;
        cust::init(cust::CudaFlags::empty()).with_context(|| say!("device-does-not-start", name = &chosen.name))?;
        let kind = match chosen.kind {
            driver::ChosenDevice::Emulator => DeviceKind::Emulator,
            driver::ChosenDevice::Gpu => DeviceKind::Gpu,
        };
        Ok(OpenDevice { kind, name: chosen.name, why: chosen.why })
    }

    /// Both numbers of the compute capability.
    pub fn capability(&self) -> anyhow::Result<(i32, i32)> {
        let device = Device::get_device(0).context("the device does not answer")?;
        let major = device.get_attribute(DeviceAttribute::ComputeCapabilityMajor)?;
        Ok((major, device.get_attribute(DeviceAttribute::ComputeCapabilityMinor)?))
    }
}

/// A module of this PTX. The error tells what the driver has against it: `cust` has no name for most of its codes.
fn load(ptx: &str) -> anyhow::Result<Module> {
    Module::from_ptx(ptx, &[]).map_err(|error| match refused::why_refused(ptx) {
        Some(refusal) => refusal.into(),
        None => error.into(),
    })
}

/// PTX to run in place of what a file of the library has; its kernels take the same parameters.
pub struct Patch {
    /// The file's number.
    pub file: usize,
    pub ptx: String,
}

/// A context of the calling thread's own, and the modules loaded into it.
///
/// On the emulator every worker has one, so that schedules run side by side and a fault in one leaves the others alone.
pub struct Session {
    // Invariant: modules are dropped before their context, which the order of the fields ensures.
    modules: Vec<OnceCell<Module>>,
    files: &'static [KernelFile],
    kind: DeviceKind,
    _context: legacy::Context,
}

impl Session {
    pub fn open(files: &'static [KernelFile], kind: DeviceKind, captures_output: bool) -> anyhow::Result<Session> {
        let device = Device::get_device(0).context("the device does not answer")?;
        let context = legacy::Context::create_and_push(legacy::ContextFlags::SCHED_AUTO, device)
            .context("the device gives no context")?;
        if kind == DeviceKind::Emulator {
            emulated::capture_output(captures_output)
                .map_err(|code| anyhow::anyhow!("the emulator does not take its settings: {code:?}"))?;
        }
        Ok(Session { modules: files.iter().map(|_| OnceCell::new()).collect(), files, kind, _context: context })
    }

    /// With a file's PTX replaced: before the first use of that file.
    pub fn with(self, patch: Option<&Patch>) -> anyhow::Result<Session> {
        if let Some(Patch { file, ptx }) = patch {
            let refused = || say!("ptx-refused", path = self.files[*file].source_path);
            let module = load(ptx).with_context(refused)?;
            anyhow::ensure!(self.modules[*file].set(module).is_ok(), "a file's PTX is replaced before it is used");
        }
        Ok(self)
    }

    /// The module of file number `file`, loaded at its first use.
    pub fn module(&self, file: usize) -> anyhow::Result<&Module> {
        let cell = &self.modules[file];
        if cell.get().is_none() {
            let file = &self.files[file];
            let refused = || say!("ptx-refused", path = file.source_path);
            // The emulated device has the device runtime built in.
            let module = match self.kind == DeviceKind::Gpu && device_runtime::is_called(file.ptx) {
                true => {
                    let image = device_runtime::link(file.ptx, &library()?).with_context(refused)?;
                    Module::from_cubin(image, &[]).map_err(anyhow::Error::new)
                }
                false => load(file.ptx),
            };
            let module = module.with_context(refused)?;
            // Just seen empty, and a cell is never shared between threads.
            let _ = cell.set(module);
        }
        Ok(cell.get().expect("set above"))
    }
}
