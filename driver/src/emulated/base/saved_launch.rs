//! A launch and the memory from before it, so that it can be run again.

use super::settings;
use emulator::{Checks, Config, Device, HostOrder, LaunchConfig, LaunchReport, LoadedModule, Monitor, Policy, Program};
use std::sync::Arc;

/// Memory that is copied before a launch, at most: a small program is saved, a large one is not slowed down.
const MOST: u64 = 4 << 20;

/// A launch as it was made.
pub struct SavedLaunch {
    device: Device,
    loaded: Arc<LoadedModule>,
    index: usize,
    config: LaunchConfig,
    parameters: Vec<u8>,
}

impl SavedLaunch {
    /// `None` where it would take too much memory, or where nothing is checked.
    pub(crate) fn new(
        device: &Device,
        loaded: &Arc<LoadedModule>,
        index: usize,
        config: &LaunchConfig,
        parameters: &[u8],
    ) -> Option<SavedLaunch> {
        if device.config().checks != Checks::Full {
            return None;
        }
        let (loaded, config, parameters) = (loaded.clone(), config.clone(), parameters.to_vec());
        Some(SavedLaunch { device: device.fork(MOST)?, loaded, index, config, parameters })
    }

    /// The memory from before the launch.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The module of the kernel.
    pub fn module(&self) -> &LoadedModule {
        &self.loaded
    }

    /// The kernel's name in the PTX.
    pub fn kernel(&self) -> &str {
        &self.loaded.program.kernels()[self.index].name
    }

    /// A schedule under which the launch shows its finding.
    pub fn policy(&self) -> &Policy {
        &self.device.config().policy
    }

    /// Returns the module with other PTX, at the same addresses.
    pub fn changed(&self, ptx: &str) -> Option<LoadedModule> {
        self.loaded.with(Program::from_ptx(&[ptx]).ok()?)
    }

    /// Runs the launch fully checked under this schedule on a copy of the memory, which is returned too. `module` is
    /// its own or a changed one, and `fuel` the thread instructions after which the run ends in a fault. `None` if
    /// there is no memory for the copy, or if the device refuses the launch.
    pub fn run(&self, module: &LoadedModule, policy: Policy, fuel: u64) -> Option<(LaunchReport, Device)> {
        let mut device = self.fork(policy, fuel)?;
        let report = self.launch(&mut device, module)?;
        Some((report, device))
    }

    /// As [`Self::run`] for the launch's own module, without a limit of fuel. A monitor ends a run of more than `most`
    /// thread instructions in a fault.
    pub(crate) fn again(&self, policy: &Policy, most: u64) -> Option<(LaunchReport, Device)> {
        let mut device = self.fork(policy.clone(), u64::MAX)?;
        device.set_monitor(Some(Arc::new(Monitor::new(Some(most), |_| !settings::is_time_up()))));
        let report = self.launch(&mut device, &self.loaded)?;
        Some((report, device))
    }

    fn fork(&self, policy: Policy, fuel: u64) -> Option<Device> {
        let mut device = self.device.fork(MOST)?;
        device.configure(Config { checks: Checks::Full, workers: 1, policy, fuel, ..Config::default() });
        Some(device)
    }

    fn launch(&self, device: &mut Device, module: &LoadedModule) -> Option<LaunchReport> {
        device.launch(module, self.index, &self.config, &self.parameters, &HostOrder::default()).ok()
    }

    /// Sets the schedule under which the launch shows its finding.
    pub(crate) fn shown_under(&mut self, policy: Policy) {
        let config = self.device.config().clone();
        self.device.configure(Config { policy, ..config });
    }
}
