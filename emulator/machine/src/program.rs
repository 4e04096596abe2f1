//! PTX modules, linked and ready to load.
//!
//! Linking resolves names across modules as `cuLink` does: a module's own definition
//! first, then a visible one elsewhere. Each kernel is decoded with the functions it can
//! reach; what the emulator cannot run is remembered and refused when that kernel is launched.

mod arrays;
mod describe;
mod link;
mod places;
mod prepare;
mod pressure;

use crate::code::Code;
use crate::types::{Kernel, LoadError, LoadErrorKind, Unsupported};
pub use link::GlobalVariable;
use link::Linked;
pub use link::Target;
use ptx;

/// One or several PTX texts, parsed and linked together.
#[derive(Debug)]
pub struct Program {
    kernels: Vec<Kernel>,
    codes: Vec<Result<Code, Unsupported>>,
    globals: Vec<GlobalVariable>,
    sources: Vec<String>,
}

impl Program {
    /// Parses and links; symbols are resolved across `sources` as `cuLink` does.
    pub fn from_ptx(sources: &[&str]) -> Result<Program, LoadError> {
        let modules = sources.iter().map(|source| parse(source)).collect::<Result<Vec<_>, _>>()?;
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
        Ok(Program { kernels, codes, globals: linked.globals, sources })
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

    /// The decoded kernel, or why it cannot run here.
    pub fn code(&self, kernel: usize) -> &Result<Code, Unsupported> {
        &self.codes[kernel]
    }
}

/// The newest PTX version that the parser and the decoder were written for.
const NEWEST: (u32, u32) = (9, 1);

fn parse(source: &str) -> Result<ptx::ast::Module, LoadError> {
    let module = ptx::parse(source).map_err(|error| LoadError {
        line: error.line,
        message: error.message,
        kind: LoadErrorKind::Syntax,
    })?;
    let too_new = |message: String| LoadError { line: 0, message, kind: LoadErrorKind::TooNew };
    if module.version > NEWEST {
        let (major, minor) = module.version;
        return Err(too_new(format!("PTX version {major}.{minor} is newer than {}.{}", NEWEST.0, NEWEST.1)));
    }
    if module.address_size != 64 {
        return Err(too_new(format!("{}-bit addresses are not supported", module.address_size)));
    }
    Ok(module)
}

/// `sm_90a` as 90; 0 where the module names no architecture.
pub fn architecture(module: &ptx::ast::Module) -> u32 {
    let number = |name: &String| name.strip_prefix("sm_")?.trim_end_matches(char::is_alphabetic).parse().ok();
    module.target.iter().find_map(number).unwrap_or(0)
}
