//! Properties of a kernel that the driver knows without running it: its parameters, sizes and limits (PTX ISA, "Kernel
//! Function Parameters", "Performance-Tuning Directives").

use super::link::Linked;
use super::{architecture, pressure, targets};
use crate::code::KernelCode;
use crate::profile::Profile;
use crate::types::{Kernel, LoadError, LoadErrorKind, Parameter, Unsupported};
use ptx::ast::{self, Param};

/// A kernel's parameters laid out in their block.
pub fn parameters(ast: &ast::Function) -> Result<Vec<Parameter>, LoadError> {
    let mut list: Vec<Parameter> = Vec::new();
    let mut end = 0u32;
    for param in &ast.params {
        let Param::Memory(variable) = param else { continue };
        let bytes = variable.bytes().filter(|&bytes| bytes <= 32764).ok_or_else(|| LoadError {
            line: variable.line,
            message: format!("parameter `{}` is too large", variable.name),
            kind: LoadErrorKind::Syntax,
        })? as u32;
        let align = variable.align.max(1);
        let offset = end.next_multiple_of(align);
        end = offset + bytes;
        let element = variable.ty;
        let ty = match variable.dims.as_slice() {
            [] => element.to_string(),
            dims => format!("{element}[{}]", dims.iter().product::<u64>()),
        };
        list.push(Parameter { name: variable.name.clone(), offset, bytes, align, ty });
    }
    Ok(list)
}

/// Describes a kernel without running it.
pub fn describe(linked: &Linked, kernel: usize, code: &Result<KernelCode, Unsupported>) -> Result<Kernel, LoadError> {
    let reference = linked.functions[kernel];
    let (ast, module) = (reference.ast, &linked.modules[reference.module]);
    let parameters = parameters(ast)?;
    let directive = |name: &str| ast.directives.iter().find(|(known, _)| known == name).map(|(_, numbers)| numbers);
    let shape = |numbers: &Vec<u32>| std::array::from_fn(|axis| numbers.get(axis).copied().unwrap_or(1));
    let required_block: Option<[u32; 3]> = directive("reqntid").map(shape);
    let limit = directive("maxntid").map(shape).or(required_block);
    let capped = |block: [u32; 3]| block.iter().fold(1, |all: u64, &n| all.saturating_mul(n.into())).min(1024) as u32;
    let (shared, local) = match code {
        Ok(code) => (code.parts[0].static_shared as u32, code.functions[0].local_bytes as u32),
        Err(_) => (0, 0),
    };
    let max_threads = limit.map_or(1024, capped);
    let number = |name: &str| directive(name).and_then(|numbers| numbers.first().copied());
    // The assembler allocates no more registers than the largest permitted block can have. Without `.maxntid` assume
    // the largest block of the device, since an estimate must not reject a launch that a GPU may accept.
    let most = Profile::default().most_registers(max_threads, number("minnctapersm").unwrap_or(1));
    let most = number("maxnreg").map_or(most, |stated| most.min(stated.max(1)));
    Ok(Kernel {
        name: ast.name.clone(),
        parameter_bytes: parameters.last().map_or(0, |last| last.offset + last.bytes),
        parameters,
        shared_bytes: shared,
        local_bytes: local,
        const_bytes: linked.globals.iter().filter(|global| global.constant).map(|global| global.bytes).sum::<u64>()
            as u32,
        registers: ast.body.as_ref().map_or(0, pressure::registers).min(most),
        max_threads,
        required_block,
        required_cluster: directive("reqnctapercluster").map(shape),
        needs_cluster: directive("explicitcluster").is_some() && directive("reqnctapercluster").is_none(),
        most_in_cluster: number("maxclusterrank"),
        architecture: architecture(module),
        written_for: targets(module).max().unwrap_or(0),
    })
}
