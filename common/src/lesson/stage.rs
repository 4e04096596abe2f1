//! A lesson's kernels for a program of its own, such as one that draws: each runs once, with no trial and no report.
//! The emulator checks bounds and alignment only, and uses all cores.

use crate::device::context::{DeviceChoice, DeviceKind, OpenDevice, Session};
use crate::lesson::run::{self, Run, Scene};
use crate::table::kernel::KernelLibrary;
use crate::table::kernel_file::KernelFile;
use crate::table::row::Row;
use anyhow::Context as _;
use std::time::{Duration, Instant};

pub struct Stage {
    library: KernelLibrary,
    rows: &'static [Row],
    device: OpenDevice,
    session: Session,
}

/// The time that a run took.
#[derive(Clone, Copy, Debug)]
pub struct RunTime {
    /// From the program's side, copies and all.
    pub host: Duration,
    /// The launches alone, on a GPU.
    pub milliseconds: Option<f64>,
}

impl Stage {
    pub fn open(choice: DeviceChoice, files: &'static [KernelFile], rows: &'static [Row]) -> anyhow::Result<Stage> {
        let device = OpenDevice::open(choice, files)?;
        let session = Session::open(files, device.kind, false)?;
        if device.kind == DeviceKind::Emulator {
            driver::emulated::configure(run::alone_config())
                .map_err(|code| anyhow::anyhow!("the emulator does not take its settings: {code:?}"))?;
        }
        Ok(Stage { library: KernelLibrary::new(files), rows, device, session })
    }

    pub fn is_gpu(&self) -> bool {
        self.device.kind == DeviceKind::Gpu
    }

    /// The device's name.
    pub fn name(&self) -> &str {
        &self.device.name
    }

    /// Runs one kernel of the table. What its launches report goes to stderr as in any program.
    pub fn run<T>(&self, kernel: &str, job: impl FnOnce(&Run) -> anyhow::Result<T>) -> anyhow::Result<(T, RunTime)> {
        let mut all = self.rows.iter().flat_map(|row| row.kernels().into_iter().map(move |kernel| (row, kernel)));
        let found = all.find(|(_, (name, _))| name == kernel);
        let (row, (name, variant)) = found.with_context(|| format!("no row has a kernel `{kernel}`"))?;
        let kernel = self.library.kernel(row, name, variant)?;
        let scene =
            Scene { is_extra: false, captures_output: false, ..Scene::extra(&kernel, &self.library, self.device.kind) };
        let start = Instant::now();
        let (result, milliseconds) = run::alone(&scene, &self.session, job)?;
        Ok((result, RunTime { host: start.elapsed(), milliseconds }))
    }
}
