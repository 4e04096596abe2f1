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

    /// Returns the peer that does the same job, for a kernel that does it right.
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
pub struct KernelLibrary {
    pub files: &'static [KernelFile],
    /// Every kernel's file.
    kernels: HashMap<&'static str, usize>,
    programs: Vec<OnceLock<Result<Program, String>>>,
}

impl KernelLibrary {
    pub fn new(files: &'static [KernelFile]) -> KernelLibrary {
        let kernels = (0..).zip(files).flat_map(|(number, file)| file.kernels().map(move |name| (name, number)));
        KernelLibrary { files, kernels: kernels.collect(), programs: files.iter().map(|_| OnceLock::new()).collect() }
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

    /// A table that contradicts its kernel files is an error of the lesson, found at every start.
    pub fn check(&self, rows: &'static [Row]) -> anyhow::Result<()> {
        for row in rows {
            for (kernel, variant) in row.kernels() {
                let header = self.kernel(row, kernel.clone(), variant)?.file.expect_header();
                let expected = match variant {
                    Variant::Broken(expect) => expect.as_str(),
                    Variant::CompileFail => variant.as_str(),
                    Variant::Correct | Variant::Ladder => continue,
                };
                anyhow::ensure!(
                    header.contains(expected),
                    "the lesson expects {expected} of `{kernel}`, but the Expect paragraph of its file says: {header}"
                );
            }
        }
        Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Slug;

    static ROWS: &[Row] = &[
        Row::pair("counter", Slug::RaceGlobal).sizes(1000, 100),
        Row::of("catalogue").correct(&["add_int"]).fixed(64),
    ];

    static FILES: &[KernelFile] = &[KernelFile {
        name: "counter",
        source_path: "cuda/lesson04/counter.cu",
        source: "// counter.cu: one counter.\n//\n// Expect    broken: race-shared.\n",
        ptx: ".entry counter_broken()\n.entry counter_correct()\n.entry add_int()\n",
        shipped: None,
        fixes: &[],
    }];

    #[test]
    fn a_table_that_contradicts_its_kernel_files_is_refused() {
        let error = KernelLibrary::new(FILES).check(ROWS).unwrap_err().to_string();
        assert!(error.contains("expects race-global of `counter_broken`") && error.contains("race-shared"), "{error}");
        static MISSING: &[Row] = &[Row::of("sum").correct(&["sum_correct"])];
        let error = KernelLibrary::new(FILES).check(MISSING).unwrap_err().to_string();
        assert_eq!(error, "no kernel is called `sum_correct` in this lesson's .cu files");
    }
}
