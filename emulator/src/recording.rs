//! A recording of a program's commands to a device: they can be run again, under another schedule or on another
//! machine.

use crate::device::{Device, LoadedModule};
use finding::{Finding, HostMemory};
#[cfg(not(target_family = "wasm"))]
use machine::image::Image;
use machine::program::Program;
use machine::types::{HostOrder, LaunchConfig, LaunchError, LaunchReport, LoadError, MemoryError};
use std::sync::Arc;

/// A part of a program's work, from [`Device::observe`] to [`Device::observed`].
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct Recording {
    /// The PTX of each program.
    pub programs: Vec<Vec<String>>,
    /// The address that the next allocation on the device would have had when it began.
    pub next: u64,
    pub commands: Vec<Command>,
}

/// A command of the host. Nothing is left to chance: an allocation says at which address it is.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(tag = "do", rename_all = "kebab-case"))]
pub enum Command {
    /// Memory that holds `contents`, or that nothing has written yet.
    Allocate {
        address: u64,
        bytes: u64,
        place: HostMemory,
        #[cfg_attr(feature = "json", serde(default, skip_serializing_if = "Option::is_none"))]
        contents: Option<Base64Bytes>,
    },
    Free {
        address: u64,
    },
    LimitHeap {
        bytes: u64,
    },
    SetPendingLaunches {
        most: usize,
    },
    /// A texture or surface object. The browser's emulator has none (`machine::exec::IS_WHOLE`).
    #[cfg(not(target_family = "wasm"))]
    AddImage {
        handle: u64,
        image: Image,
    },
    #[cfg(not(target_family = "wasm"))]
    RemoveImage {
        handle: u64,
    },
    Write {
        address: u64,
        contents: Base64Bytes,
        order: HostOrder,
        /// The copy is synchronous, and its source pageable. Recordings of lessons, which make no such copies, leave it
        /// out.
        #[cfg_attr(feature = "json", serde(default))]
        is_pageable: bool,
    },
    /// The contents of memory of the host: it is written without a call.
    Host {
        address: u64,
        contents: Base64Bytes,
    },
    Fill {
        address: u64,
        pattern: Base64Bytes,
        count: u64,
        order: HostOrder,
    },
    Copy {
        to: u64,
        from: u64,
        bytes: u64,
        order: HostOrder,
    },
    MarkUndefined {
        address: u64,
        bytes: u64,
    },
    Read {
        address: u64,
        bytes: u64,
        order: HostOrder,
    },
    /// From now on there is one more module: a program whose variables lie at these addresses.
    Module {
        program: usize,
        addresses: Vec<u64>,
    },
    /// A kernel of the module with this number, from 0.
    Launch {
        module: usize,
        kernel: usize,
        config: LaunchConfig,
        parameters: Base64Bytes,
        order: HostOrder,
    },
}

/// Bytes, which JSON has as base64 text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Base64Bytes(pub Vec<u8>);

/// The results of running a recording again.
#[derive(Clone, Debug, Default)]
pub struct Replayed {
    /// One report for each launch. Where one ends with a fault or stops for a choice, nothing comes after it.
    pub launches: Vec<LaunchReport>,
    /// Findings about what the host did: races with launches, undefined bytes that it read.
    pub of_host: Vec<Finding>,
    /// The bytes that the host read.
    pub reads: Vec<Vec<u8>>,
}

/// Why a recording cannot be replayed.
#[derive(Clone, Debug)]
pub enum ReplayError {
    Load(LoadError),
    Memory(MemoryError),
    Launch(LaunchError),
    /// A command names a program, a module or a kernel that there is not.
    Unknown,
}

impl From<MemoryError> for ReplayError {
    fn from(error: MemoryError) -> ReplayError {
        ReplayError::Memory(error)
    }
}

impl Recording {
    /// Asks all of it again of a fresh device, which says under which schedule and with which checks.
    pub fn replay(&self, device: &mut Device) -> Result<Replayed, ReplayError> {
        let programs = self.programs.iter().map(|sources| {
            let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
            Program::from_ptx(&sources).map(Arc::new).map_err(ReplayError::Load)
        });
        let programs = programs.collect::<Result<Vec<_>, _>>()?;
        let mut done = Replayed::default();
        let mut modules = Vec::new();
        device.skip_to(self.next);
        for command in &self.commands {
            if let Command::Module { program, addresses } = command {
                let program = programs.get(*program).ok_or(ReplayError::Unknown)?;
                modules.push(LoadedModule::at(program.clone(), addresses.clone()).ok_or(ReplayError::Unknown)?);
                continue;
            }
            done.one(device, &modules, command)?;
            if done.launches.last().is_some_and(|launch| launch.fault.is_some() || launch.stop.is_some()) {
                break;
            }
        }
        Ok(done)
    }
}

impl Replayed {
    fn one(&mut self, device: &mut Device, modules: &[LoadedModule], command: &Command) -> Result<(), ReplayError> {
        match command {
            Command::Allocate { address, bytes, place, contents } => {
                device.place(*address, *bytes, *place, contents.as_ref().map(|contents| &contents.0[..]))?;
            }
            Command::Free { address } => device.free(*address)?,
            Command::LimitHeap { bytes } => device.limit_heap(*bytes),
            Command::SetPendingLaunches { most } => device.set_pending_launches(*most),
            #[cfg(not(target_family = "wasm"))]
            Command::AddImage { handle, image } => device.add_image(*handle, image.clone())?,
            #[cfg(not(target_family = "wasm"))]
            Command::RemoveImage { handle } => device.remove_image(*handle)?,
            Command::Write { address, contents, order, is_pageable: false } => {
                self.of_host.extend(device.write(*address, &contents.0, order)?);
            }
            Command::Write { address, contents, order, is_pageable: true } => {
                self.of_host.extend(device.write_pageable(*address, &contents.0, order)?);
            }
            Command::Host { address, contents } => device.set_host(*address, &contents.0)?,
            Command::Fill { address, pattern, count, order } => {
                self.of_host.extend(device.fill(*address, &pattern.0, *count, order)?);
            }
            Command::Copy { to, from, bytes, order } => {
                self.of_host.extend(device.copy(*to, *from, *bytes, order)?);
            }
            Command::MarkUndefined { address, bytes } => device.mark_undefined(*address, *bytes)?,
            Command::Read { address, bytes, order } => {
                // Before there is room for it: a recording may come from anywhere.
                device.has(*address, *bytes)?;
                let mut read = vec![0; *bytes as usize];
                self.of_host.extend(device.read(*address, &mut read, order)?);
                self.reads.push(read);
            }
            // Made by the caller, who keeps them.
            Command::Module { .. } => {}
            Command::Launch { module, kernel, config, parameters, order } => {
                let module = modules.get(*module).ok_or(ReplayError::Unknown)?;
                module.program.kernels().get(*kernel).ok_or(ReplayError::Unknown)?;
                let report = device.launch(module, *kernel, config, &parameters.0, order);
                self.launches.push(report.map_err(ReplayError::Launch)?);
            }
        }
        Ok(())
    }
}

/// A recording in progress.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    pub(crate) recording: Recording,
    /// Programs and modules by their numbers.
    programs: Vec<Arc<Program>>,
    modules: Vec<(usize, Vec<u64>)>,
}

impl Recorder {
    pub(crate) fn note(&mut self, command: Command) {
        self.recording.commands.push(command);
    }

    /// The number of a module.
    pub(crate) fn module(&mut self, program: &Arc<Program>, addresses: &[u64]) -> usize {
        let known = self.programs.iter().position(|known| Arc::ptr_eq(known, program));
        let program = known.unwrap_or_else(|| {
            self.programs.push(program.clone());
            self.recording.programs.push(program.sources().to_vec());
            self.programs.len() - 1
        });
        let is_it = |known: &(usize, Vec<u64>)| known.0 == program && known.1 == addresses;
        self.modules.iter().position(is_it).unwrap_or_else(|| {
            self.modules.push((program, addresses.to_vec()));
            self.note(Command::Module { program, addresses: addresses.to_vec() });
            self.modules.len() - 1
        })
    }
}

#[cfg(feature = "json")]
mod json {
    use super::Base64Bytes;
    use base64::prelude::{BASE64_STANDARD, Engine};
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    impl Serialize for Base64Bytes {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(&BASE64_STANDARD.encode(&self.0))
        }
    }

    impl<'de> Deserialize<'de> for Base64Bytes {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Base64Bytes, D::Error> {
            let text = String::deserialize(deserializer)?;
            BASE64_STANDARD.decode(text).map(Base64Bytes).map_err(D::Error::custom)
        }
    }
}
