//! A kernel of the table, and the files that hold them.

use crate::table::kernel_file::KernelFile;
use crate::table::row::{Job, Row, Variant};
use anyhow::Context as _;
use emulator::{Parameter, Program};
use peers::Peer;
use std::collections::HashMap;
use std::sync::OnceLock;

/// One kernel of a row.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// As in the source: `counter_broken`.
    pub name: String,
    pub variant: Variant,
    pub row: &'static Row,
    pub file: &'static KernelFile,
}

impl Kernel {
    pub fn is_broken(&self) -> bool {
        self.variant.expect().is_some()
    }

    /// Nothing to run: nvcc refuses it.
    pub fn is_refused(&self) -> bool {
        self.variant == Variant::CompileFail
    }

    /// The job of its row.
    pub fn job(&self) -> anyhow::Result<Job> {
        self.row.job.with_context(|| format!("the row `{}` has no job in the lesson's table", self.row.name))
    }

    /// What does the same job, for a kernel that does it right.
    pub fn peer(&self) -> Option<Peer> {
        let is_right = matches!(self.variant, Variant::Correct | Variant::Ladder);
        self.row.peer_of(&self.name).filter(|_| is_right)
    }

    /// nvcc's message, where it refuses this kernel.
    pub fn message(&self) -> Option<&'static str> {
        self.row.refused(&self.name).and_then(|refused| refused.message)
    }
}

/// A lesson's files with their kernels' parameters, parsed when first asked for.
pub struct Library {
    pub files: &'static [KernelFile],
    /// Every kernel's file.
    kernels: HashMap<&'static str, usize>,
    programs: Vec<OnceLock<Result<Program, String>>>,
}

impl Library {
    pub fn new(files: &'static [KernelFile]) -> Library {
        let kernels = (0..).zip(files).flat_map(|(number, file)| file.kernels().map(move |name| (name, number)));
        Library { files, kernels: kernels.collect(), programs: files.iter().map(|_| OnceLock::new()).collect() }
    }

    /// The number of the file that defines `kernel`.
    pub fn file_of(&self, kernel: &str) -> anyhow::Result<usize> {
        self.kernels
            .get(kernel)
            .copied()
            .with_context(|| format!("no kernel is called `{kernel}` in this lesson's .cu files"))
    }

    /// A kernel of a row with its file.
    pub fn kernel(&self, row: &'static Row, name: String, variant: Variant) -> anyhow::Result<Kernel> {
        let file = match (variant, row.refused(&name)) {
            (Variant::CompileFail, Some(refused)) => &refused.file,
            _ => &self.files[self.file_of(&name)?],
        };
        Ok(Kernel { name, variant, row, file })
    }

    pub fn parameters(&self, file: usize, kernel: &str) -> anyhow::Result<&[Parameter]> {
        let KernelFile { ptx, source_path, .. } = self.files[file];
        let program = self.programs[file].get_or_init(|| {
            Program::from_ptx(&[ptx]).map_err(|error| format!("line {}: {}", error.line, error.message))
        });
        let program =
            program.as_ref().map_err(|why| anyhow::anyhow!("the PTX of {source_path} does not parse: {why}"))?;
        let kernel = program
            .kernels()
            .iter()
            .find(|candidate| candidate.name == kernel)
            .with_context(|| format!("`{kernel}` is not in the PTX of {source_path}"))?;
        Ok(&kernel.parameters)
    }
}
