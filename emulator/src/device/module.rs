//! Programs whose variables have been placed in the device's memory.

use super::{Device, contents_of};
use crate::recording::Command;
use checker::HostRange;
use finding::HostMemory;
use machine::code::{Instr, KernelCode, function_address};
use machine::exec::Op;
use machine::exec::atomic::{Atomic, Operation};
use machine::exec::branch::BranchOp;
use machine::exec::memory::Scope;
use machine::program::{GlobalVariable, LinkTarget, Program};
use machine::types::MemoryError;
use std::sync::Arc;

/// A program's variables placed in one device's memory.
#[derive(Clone, Debug)]
pub struct LoadedModule {
    pub program: Arc<Program>,
    /// `.global` and `.const` variables by name: address, bytes.
    pub globals: Vec<(String, u64, u64)>,
    /// The allocations that hold them, one each.
    pub(super) addresses: Vec<u64>,
}

impl LoadedModule {
    /// A program whose variables lie at these addresses; `None` if it has not as many.
    pub(crate) fn at(program: Arc<Program>, addresses: Vec<u64>) -> Option<LoadedModule> {
        let variables = program.globals();
        let global = |(variable, address): (&GlobalVariable, &u64)| (variable.name.clone(), *address, variable.bytes);
        let globals = variables.iter().zip(&addresses).map(global).collect();
        (variables.len() == addresses.len()).then_some(LoadedModule { program, globals, addresses })
    }

    /// Another program with the same variables, where these lie: a kernel that was changed. `None` if its variables are
    /// others.
    pub fn with(&self, program: Program) -> Option<LoadedModule> {
        let variables = |program: &Program| -> Vec<_> {
            program.globals().iter().map(|variable| (variable.name.clone(), variable.bytes)).collect()
        };
        let is_same = variables(&program) == variables(&self.program);
        is_same.then(|| LoadedModule { program: Arc::new(program), ..self.clone() })
    }

    /// Returns true if memory may depend on the schedule without a race: atomic operations whose old value is looked at
    /// or whose order counts, clocks, `__activemask()`, calls such as `malloc()`, and locks of volatile accesses.
    pub fn may_depend_on_schedule(&self, kernel: usize) -> bool {
        let order_counts = |it: &Atomic| {
            let replaces = matches!(it.operation, Operation::Exchange | Operation::CompareExchange);
            it.looked_at || replaces || it.ty.is_float()
        };
        let depends = |op: &Op| match op {
            Op::Atomic(it) => order_counts(it),
            Op::Special(_) | Op::ActiveMask(_) | Op::Call(_) => true,
            _ => false,
        };
        self.program
            .code(kernel)
            .as_ref()
            .is_ok_and(|code| code.instrs.iter().any(|instr| depends(&instr.op)) || may_have_volatile_lock(code))
    }
}

/// Returns true if a kernel may have a lock of volatile accesses, such as Peterson's: it waits for a volatile load, and
/// has a fence between blocks.
fn may_have_volatile_lock(code: &KernelCode) -> bool {
    let has_fence = code.instrs.iter().any(|instr| match &instr.op {
        Op::Fence(fence) => fence.semantics.scope >= Scope::Device,
        _ => false,
    });
    let is_volatile = |instr: &Instr| matches!(&instr.op, Op::Load(load) if load.semantics.volatile);
    // A loop that stores nothing waits.
    let stores = |instr: &Instr| matches!(&instr.op, Op::Store(_) | Op::Atomic(_));
    let waits = |(pc, instr): (usize, &Instr)| match &instr.op {
        Op::Branch(BranchOp::To(target)) => code
            .instrs
            .get(*target as usize..pc)
            .is_some_and(|body| body.iter().any(is_volatile) && !body.iter().any(stores)),
        _ => false,
    };
    has_fence && code.instrs.iter().enumerate().any(waits)
}

impl Device {
    /// Places the program's variables. Several loads of one program get separate variables.
    pub fn load(&mut self, program: &Arc<Program>) -> Result<LoadedModule, MemoryError> {
        let mut module = LoadedModule { program: program.clone(), globals: Vec::new(), addresses: Vec::new() };
        for variable in program.globals() {
            let place = if variable.managed { HostMemory::Unified } else { HostMemory::Device };
            match self.provide(variable.bytes, place) {
                Ok(address) => module.addresses.push(address),
                Err(error) => {
                    self.unload(module);
                    return Err(error);
                }
            }
            let address = *module.addresses.last().expect("just placed");
            module.globals.push((variable.name.clone(), address, variable.bytes));
        }
        for (variable, &address) in program.globals().iter().zip(&module.addresses) {
            if variable.bytes == 0 {
                continue;
            }
            let mut image = variable.image.clone();
            for relocation in &variable.relocations {
                let base = match relocation.target {
                    LinkTarget::Function(index) => function_address(index),
                    LinkTarget::Global(index) => module.addresses[index],
                    LinkTarget::Shared(_) => 0,
                };
                let whole = base.wrapping_add_signed(relocation.offset);
                let value = (whole & relocation.mask) >> relocation.mask.trailing_zeros().min(63);
                let bytes = relocation.bytes.min(8) as usize;
                image[relocation.at..relocation.at + bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
            }
            let region = self.memory.range(address, variable.bytes)?;
            region.write_bytes(address, &image);
            // A variable without an initial value is zero (PTX ISA, "Initializers").
            self.state.fill(HostRange { region, address, bytes: variable.bytes }, false);
            if variable.constant {
                self.memory.make_constant(address);
            }
        }
        self.note_variables(&module);
        Ok(module)
    }

    /// A recording has a module's variables as memory with contents.
    fn note_variables(&mut self, module: &LoadedModule) {
        let Some(recorder) = &mut self.recorder else { return };
        let own = self.memory.allocations().filter(|(region, _)| module.addresses.contains(&region.base()));
        for (region, place) in own {
            let (address, bytes) = (region.base(), region.bytes());
            recorder.note(Command::Allocate { address, bytes, place, contents: Some(contents_of(region)) });
        }
    }

    pub fn unload(&mut self, module: LoadedModule) {
        for address in module.addresses {
            // The module owns them; a caller that freed one by hand has its own error.
            let _ = self.free(address);
        }
    }
}
