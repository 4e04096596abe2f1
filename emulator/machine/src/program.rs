//! PTX modules, linked and ready to load.
//!
//! Linking resolves names across modules as `cuLink` does: a module's own definition
//! first, then a visible one elsewhere. Each kernel is decoded with the functions it can
//! reach; what the emulator cannot run is remembered and refused when that kernel is launched.

mod arrays;
mod contract;
mod describe;
mod elements;
mod expand;
mod legacy;
mod library;
mod link;
mod places;
mod pointees;
mod prepare;
mod pressure;
mod replacement;
mod rows;
mod shared_layout;
mod strides;
mod sums;
mod surface;
mod transpose;
mod wmma;

use crate::code::KernelCode;
use crate::exec::IS_WHOLE;
use crate::types::{Kernel, LoadError, LoadErrorKind, Unsupported};
pub use link::GlobalVariable;
pub use link::LinkTarget;
use link::Linked;
use ptx;

/// One or several PTX texts, parsed and linked together.
#[derive(Debug)]
pub struct Program {
    kernels: Vec<Kernel>,
    codes: Vec<Result<KernelCode, Unsupported>>,
    globals: Vec<GlobalVariable>,
    sources: Vec<String>,
    skipped: Vec<ptx::Error>,
    version: (u32, u32),
}

impl Program {
    /// Parses and links; symbols are resolved across `sources` as `cuLink` does.
    pub fn from_ptx(sources: &[&str]) -> Result<Program, LoadError> {
        let mut modules = sources.iter().map(|source| parse(source)).collect::<Result<Vec<_>, _>>()?;
        for library in library::of(&modules) {
            modules.push(parse(&library)?);
        }
        let linked = Linked::new(&modules)?;
        let mut kernels = Vec::new();
        let mut codes = Vec::new();
        for (index, function) in linked.functions.iter().enumerate() {
            if prepare::is_launchable(function) {
                let code = prepare::prepare(&linked, index)?;
                kernels.push(describe::describe(&linked, index, &code)?);
                codes.push(code);
            }
        }
        let sources = sources.iter().map(|source| source.to_string()).collect();
        let globals = linked.globals;
        let version = modules.iter().map(|module| module.version).max().unwrap_or(NEWEST);
        let skipped = modules.into_iter().flat_map(|module| module.skipped).collect();
        Ok(Program { kernels, codes, globals, sources, skipped, version })
    }

    /// Limits the registers of every kernel, as the JIT compiler's option does.
    pub fn limit_registers(&mut self, most: u32) {
        for kernel in &mut self.kernels {
            kernel.registers = kernel.registers.min(most);
        }
    }

    /// The PTX texts that it was made of.
    pub fn sources(&self) -> &[String] {
        &self.sources
    }

    pub fn kernels(&self) -> &[Kernel] {
        &self.kernels
    }

    /// Module-scope variables in the order in which a device places them.
    pub fn globals(&self) -> &[GlobalVariable] {
        &self.globals
    }

    /// Why a kernel cannot run here: known before it is launched.
    pub fn unsupported(&self, kernel: usize) -> Option<&Unsupported> {
        self.codes[kernel].as_ref().err()
    }

    /// Directives that are not understood, and so not there: why, and where.
    pub fn skipped(&self) -> &[ptx::Error] {
        &self.skipped
    }

    /// The newest `.version` among the sources. One above [`NEWEST`] is read as [`NEWEST`].
    pub fn version(&self) -> (u32, u32) {
        self.version
    }

    /// Returns true if results of some kernel may differ between schedules without a data race.
    pub fn depends_on_schedule(&self) -> bool {
        self.codes.iter().flatten().any(KernelCode::depends_on_schedule)
    }

    /// The decoded kernel, or why it cannot run here.
    pub fn code(&self, kernel: usize) -> &Result<KernelCode, Unsupported> {
        &self.codes[kernel]
    }
}

/// The newest PTX version that the parser and the decoder were written for.
pub const NEWEST: (u32, u32) = (9, 1);

fn parse(source: &str) -> Result<ptx::ast::Module, LoadError> {
    let mut module = ptx::parse(source).map_err(|error| LoadError {
        line: error.line,
        message: error.message,
        kind: LoadErrorKind::Syntax,
    })?;
    if IS_WHOLE {
        legacy::modernize(&mut module);
    }
    expand::expand(&mut module);
    match module.address_size {
        64 => Ok(module),
        size => {
            let message = format!("{size}-bit addresses are not supported");
            Err(LoadError { line: 0, message, kind: LoadErrorKind::NoBinary })
        }
    }
}

/// `sm_90a` as 90; 0 where the module names no architecture.
pub fn architecture(module: &ptx::ast::Module) -> u32 {
    targets(module).next().unwrap_or(0)
}

/// The architectures that the module names.
fn targets(module: &ptx::ast::Module) -> impl Iterator<Item = u32> {
    let number = |name: &String| name.strip_prefix("sm_")?.trim_end_matches(char::is_alphabetic).parse().ok();
    module.target.iter().filter_map(number)
}
