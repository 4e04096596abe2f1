//! The layout of a kernel's shared memory.

use super::link::{LinkTarget, Linked};
use crate::code::SharedVariable;
use crate::types::{LoadError, LoadErrorKind};
use ptx::ast::{self, Body, Operand, Space, VarId};
use std::collections::HashMap;

/// Shared variables by where they are declared.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum SharedKey {
    Module(usize),
    Function(usize, VarId),
}

/// The places of the kernel's shared variables.
pub(super) struct SharedLayout {
    pub(super) homes: HashMap<SharedKey, u64>,
    pub(super) numbers: HashMap<SharedKey, u32>,
    pub(super) variables: Vec<SharedVariable>,
    pub(super) bytes: u64,
}

/// Gives each shared variable that the functions mention its place.
pub(super) fn lay_out_shared(linked: &Linked, functions: &[usize]) -> Result<SharedLayout, LoadError> {
    let mut found: Vec<(SharedKey, &ast::Variable)> = Vec::new();
    for &function in functions {
        let reference = linked.functions[function];
        let Some(body) = &reference.ast.body else { continue };
        for (var, variable) in body.variables.iter().enumerate() {
            if variable.space == Space::Shared {
                found.push((SharedKey::Function(function, VarId(var as u32)), variable));
            }
        }
        for name in symbols(body) {
            if let Some(LinkTarget::Shared(index)) = linked.resolve(reference.module, name) {
                let key = SharedKey::Module(index);
                if !found.iter().any(|(known, _)| *known == key) {
                    found.push((key, linked.shared[index]));
                }
            }
        }
    }
    let mut layout = SharedLayout { homes: HashMap::new(), numbers: HashMap::new(), variables: Vec::new(), bytes: 0 };
    let is_dynamic = |variable: &ast::Variable| variable.dims.first() == Some(&0);
    let dynamic_align = found.iter().filter(|(_, v)| is_dynamic(v)).map(|(_, v)| u64::from(v.align)).max();
    let (dynamic, fixed): (Vec<_>, Vec<_>) = found.into_iter().partition(|(_, variable)| is_dynamic(variable));
    for (key, variable) in fixed {
        let too_large = || LoadError {
            line: variable.line,
            message: format!("shared variable `{}` is too large", variable.name),
            kind: LoadErrorKind::Syntax,
        };
        let bytes = variable.bytes().filter(|&bytes| bytes < 1 << 24).ok_or_else(too_large)?;
        let offset = layout.bytes.next_multiple_of(u64::from(variable.align.max(1)));
        layout.bytes = offset + bytes;
        layout.place(key, variable, offset, bytes);
    }
    if let Some(align) = dynamic_align {
        layout.bytes = layout.bytes.next_multiple_of(align.max(1));
    }
    // Every `extern __shared__` array starts at the same place.
    for (key, variable) in dynamic {
        layout.place(key, variable, layout.bytes, 0);
    }
    Ok(layout)
}

impl SharedLayout {
    fn place(&mut self, key: SharedKey, variable: &ast::Variable, offset: u64, bytes: u64) {
        self.homes.insert(key, offset);
        self.numbers.insert(key, self.variables.len() as u32);
        let element = variable.ty.bytes();
        self.variables.push(SharedVariable { name: variable.name.clone(), offset, bytes, element, step: 0 });
    }
}

/// Every module-scope name that a body mentions.
fn symbols(body: &Body) -> impl Iterator<Item = &str> {
    fn of(operand: &Operand) -> Vec<&str> {
        match operand {
            Operand::Symbol { name, .. } | Operand::Address { base: ast::Base::Symbol(name), .. } => vec![name],
            Operand::Vector(list) | Operand::List(list) | Operand::Bracket(list) => list.iter().flat_map(of).collect(),
            _ => Vec::new(),
        }
    }
    body.instructions.iter().flat_map(|instruction| &instruction.operands).flat_map(of)
}
