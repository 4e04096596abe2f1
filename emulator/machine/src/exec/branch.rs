//! Control flow: `bra`, `brx.idx`, `call`, `ret`, `exit` (PTX ISA, "Control Flow Instructions"), and `trap`, `brkpt`,
//! `nanosleep`, `pmevent` ("Miscellaneous Instructions").
//!
//! `.uni` promises that threads do not diverge. The emulator does not rely on that.

use super::op::Op;
pub use super::op::branch::{BranchOp, Builtin, CallOp, Callee, PassedArgument};
use crate::decode::{Decoder, Home, Modifiers, Refused};
use crate::registers::Reg;
use ptx::ast::{Instruction, Operand, Type, VarId};

pub const OPCODES: &[&str] = &["bra", "brx", "call", "ret", "exit", "trap", "brkpt", "nanosleep", "pmevent"];

/// Returns true for functions that exist on every device. Those that are no [`Builtin`] are not supported.
fn is_device_runtime(name: &str) -> bool {
    name.starts_with("cuda") || name.starts_with("__cuda")
}

pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    let mut modifiers = Modifiers::new(&instruction.modifiers);
    let operands = &instruction.operands;
    modifiers.take("uni");
    match instruction.opcode.as_str() {
        "bra" => {
            modifiers.finish()?;
            decoder.arity(instruction, 1..=1)?;
            match &operands[0] {
                Operand::Label(label) => Ok(Op::Branch(BranchOp::To(decoder.scope.label(*label)))),
                _ => Err(Refused::malformed("bra needs a label")),
            }
        }
        "brx" => {
            if !modifiers.take("idx") {
                return Err(Refused::unsupported());
            }
            modifiers.finish()?;
            decoder.arity(instruction, 2..=2)?;
            let index = decoder.source(&operands[0], Type::U32)?;
            let name = match &operands[1] {
                Operand::Symbol { name, .. } => name,
                Operand::Label(label) => &decoder.body.labels[label.0 as usize].name,
                _ => return Err(Refused::malformed("brx.idx needs a list of branch targets")),
            };
            let list = decoder.body.branch_targets.iter().find(|(known, _)| known == name);
            let (_, labels) = list.ok_or_else(|| Refused::malformed(format!("no branch targets `{name}`")))?;
            let targets = labels.iter().map(|label| decoder.scope.label(*label)).collect();
            Ok(Op::Branch(BranchOp::Table(Box::new((index, targets)))))
        }
        "call" => {
            modifiers.finish()?;
            call(instruction, decoder)
        }
        "ret" => modifiers.finish().map(|()| Op::Return),
        "exit" => modifiers.finish().map(|()| Op::Exit),
        // An H200 without a debugger ends at a breakpoint as at a trap.
        "trap" | "brkpt" => modifiers.finish().map(|()| Op::Trap),
        "nanosleep" => {
            modifiers.ty()?;
            modifiers.finish()?;
            decoder.arity(instruction, 1..=1)?;
            Ok(Op::Sleep(decoder.source(&operands[0], Type::U32)?))
        }
        // `pmevent` triggers a profiler's event, which has no effect here.
        _ => Ok(Op::Nop),
    }
}

/// Decodes `call (results), callee, (arguments)`, whose lists may be absent.
fn call(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    let mut rest = instruction.operands.as_slice();
    let list = |rest: &mut &[Operand]| match rest.split_first() {
        Some((Operand::List(items), after)) => {
            let items = items.clone();
            *rest = after;
            items
        }
        _ => Vec::new(),
    };
    let results = list(&mut rest);
    let (callee, after) = rest.split_first().ok_or_else(|| Refused::malformed("call names no function"))?;
    rest = after;
    let arguments = list(&mut rest);
    let callee = match callee {
        Operand::Symbol { name, .. } => match decoder.scope.symbol(name) {
            Some(Home::Function(index)) => Callee::Function(index),
            _ => match Builtin::parse(name) {
                Some(builtin) => Callee::Builtin(builtin),
                None if is_device_runtime(name) => return Err(Refused::Unsupported(format!("a call to {name}"))),
                None => return Err(Refused::Unresolved(name.clone())),
            },
        },
        Operand::Register(id) => Callee::Indirect(decoder.register(*id)),
        _ => return Err(Refused::malformed("call names no function")),
    };
    let declared = |nth: usize, is_result: bool, decoder: &Decoder| match callee {
        Callee::Function(index) => decoder.scope.register_parameter(index, nth, is_result),
        _ => None,
    };
    let mut lists = [Vec::new(), Vec::new()];
    for ((is_result, operands), list) in [(false, arguments), (true, results)].into_iter().zip(&mut lists) {
        for (nth, operand) in operands.iter().enumerate() {
            let declared = declared(nth, is_result, decoder);
            list.append(&mut passed(operand, decoder, declared, is_result)?);
        }
    }
    let [arguments, results] = lists;
    Ok(Op::Call(Box::new(CallOp { callee, arguments, results })))
}

/// Decodes an argument or a result: a `.param` variable, a register, or the elements of a vector register. `declared`
/// is the type and the number of elements of the callee's register parameter, if it has one there.
fn passed(
    operand: &Operand,
    decoder: &mut Decoder,
    declared: Option<(Type, u32)>,
    is_result: bool,
) -> Result<Vec<PassedArgument>, Refused> {
    if let Operand::Variable { var: var @ VarId(index), offset: 0 } = operand {
        let Home::Frame(offset) = decoder.scope.variable(*var) else {
            return Err(Refused::malformed("only .param variables can be passed"));
        };
        let bytes = decoder.body.variables[*index as usize].bytes().unwrap_or(0);
        return Ok(vec![PassedArgument::Memory { offset, bytes }]);
    }
    // A number is as wide as the register that takes it.
    let (ty, count) = declared.unwrap_or((Type::B32, 1));
    let registers = match operand {
        Operand::Register(id) => decoder.each(*id),
        // `_` discards the result.
        Operand::Sink if is_result => vec![Reg::NONE; count as usize],
        operand if !is_result => vec![decoder.any_source(operand, ty)?],
        _ => return Err(Refused::malformed("a call's result needs a variable or a register")),
    };
    if declared.is_some() && registers.len() != count as usize {
        return Err(Refused::malformed("the vector's size does not fit the function"));
    }
    Ok(registers.into_iter().map(PassedArgument::Register).collect())
}
