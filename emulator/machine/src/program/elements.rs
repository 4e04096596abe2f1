//! Sizes of the elements that a kernel uses, as far as its name and its code tell. PTX has flat bytes.

use super::link::{FunctionRef, LinkTarget, Linked};
use super::shared_layout::{SharedKey, SharedLayout};
use super::{pointees, strides};
use crate::code::Elements;
use ptx::ast::{self, Operand, Param};

/// Returns the elements that a kernel's parameters point to, and the steps through the module's variables. Sets the
/// steps through its shared variables.
pub fn of(linked: &Linked, kernel: usize, shared: &mut SharedLayout) -> (Vec<Elements>, Vec<u64>) {
    let FunctionRef { module, ast } = linked.functions[kernel];
    let Some(body) = &ast.body else { return Default::default() };
    let is_called = |param: &Param, wanted: &str| matches!(param, Param::Memory(variable) if variable.name == wanted);
    let (parameters, variables) = (ast.params.len(), shared.variables.len());
    let global = |index: usize| parameters + variables + index;
    let numbers = &shared.numbers;
    let of_shared = |key: SharedKey| numbers.get(&key).map(|&number| parameters + number as usize);
    let base = |operand: &Operand| {
        let found = match operand {
            Operand::Address { base: ast::Base::Symbol(name), offset: 0 } => {
                ast.params.iter().position(|param| is_called(param, name))
            }
            Operand::Variable { var, .. } => {
                of_shared(SharedKey::Function(kernel, *var)).or_else(|| linked.inner_global(kernel, *var).map(global))
            }
            Operand::Symbol { name, .. } => match linked.resolve(module, name)? {
                LinkTarget::Global(index) => Some(global(index)),
                LinkTarget::Shared(index) => of_shared(SharedKey::Module(index)),
                LinkTarget::Function(_) => None,
            },
            _ => None,
        };
        found.map(|number| number as u32)
    };
    let steps = strides::of_bases(body, global(linked.globals.len()), &base);
    let pointees = pointees::of_parameters(&ast.name);
    for (variable, step) in shared.variables.iter_mut().zip(&steps[parameters..]) {
        variable.step = *step;
    }
    let pointee = |number: usize| pointees.get(number).copied().unwrap_or_default();
    let of_parameters = steps[..parameters].iter().enumerate();
    let of_parameters = of_parameters.map(|(number, &step)| Elements { pointee: pointee(number), step }).collect();
    (of_parameters, steps[global(0)..].to_vec())
}
