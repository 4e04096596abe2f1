//! One kernel with every function it can reach: decoded, laid out.

use super::contract::Contracted;
use super::describe::parameters;
use super::link::{FunctionRef, LinkTarget, Linked, unresolved};
use super::places::{Blocks, user_place};
use super::shared_layout::{SharedKey, SharedLayout, lay_out_shared};
use super::{arrays, elements, pressure};
use crate::code::{Formal, Function, Instr, InstrGuard, KernelCode, KernelPart, Location, NO_LOCATION};
use crate::decode::{Constant, Decoder, Home, Refused, SymbolScope, ThreadRegister};
use crate::exec::branch::{Builtin, Callee};
use crate::exec::class::Class;
use crate::exec::{self, Op};
use crate::types::{LoadError, LoadErrorKind, Unsupported};
use finding::SourceLocation;
use ptx::ast::{self, Body, LabelId, Operand, Param, Space, VarId};
use std::collections::HashMap;

/// Functions in the order in which their code stands, the kernel first; and the kernels that they name, to launch them.
/// The last number counts the functions that the kernel's own code reaches. The others can only be called through an
/// address that the kernel is given.
fn reachable(linked: &Linked, kernel: usize) -> (Vec<usize>, Vec<usize>, usize) {
    let (mut order, mut launched) = (vec![kernel], Vec::new());
    let (mut next, mut own, mut calls_any) = (0, None, false);
    let add = |index: usize, order: &mut Vec<usize>, launched: &mut Vec<usize>| {
        let list = if linked.functions[index].ast.is_kernel { launched } else { order };
        if !list.contains(&index) {
            list.push(index);
        }
    };
    loop {
        let Some(&function) = order.get(next) else {
            if own.is_some() || !calls_any {
                break;
            }
            // The kernel may call an address that another kernel of the module has stored.
            own = Some(order.len());
            for &index in linked.address_taken() {
                add(index, &mut order, &mut Vec::new());
            }
            continue;
        };
        next += 1;
        let reference = linked.functions[function];
        let Some(body) = &reference.ast.body else { continue };
        let (mut indirect, mut launches) = (false, false);
        let mut meet = |name: &str| {
            if let Some(LinkTarget::Function(index)) = linked.resolve(reference.module, name) {
                add(index, &mut order, &mut launched);
            }
            launches |= Builtin::parse(name).is_some_and(Builtin::names_a_kernel);
        };
        for instruction in &body.instructions {
            for operand in &instruction.operands {
                if let Operand::Symbol { name, .. } = operand {
                    meet(name);
                }
            }
            indirect |= instruction.opcode == "call"
                && instruction.operands.iter().any(|operand| matches!(operand, Operand::Register(_)));
        }
        calls_any |= indirect;
        if indirect || launches {
            // Tables of function pointers: anything an initialiser names may be called, or launched.
            for relocation in linked.globals.iter().flat_map(|global| &global.relocations) {
                if let LinkTarget::Function(index) = relocation.target {
                    add(index, &mut order, &mut launched);
                }
            }
        }
    }
    let own = own.unwrap_or(order.len());
    (order, launched, own)
}

/// One function's view of the world while it is decoded.
struct FunctionScope<'a> {
    linked: &'a Linked<'a>,
    shared: &'a SharedLayout,
    module: usize,
    is_kernel: bool,
    params: HashMap<&'a str, Home>,
    variables: Vec<Home>,
    labels: Vec<u32>,
}

impl SymbolScope for FunctionScope<'_> {
    fn symbol(&self, name: &str) -> Option<Home> {
        if let Some(home) = self.params.get(name) {
            return Some(home.clone());
        }
        Some(match self.linked.resolve(self.module, name)? {
            LinkTarget::Function(index) => Home::Function(index),
            LinkTarget::Global(index) => Home::Global(index),
            LinkTarget::Shared(index) => Home::Shared(self.shared.homes[&SharedKey::Module(index)]),
        })
    }

    fn variable(&self, var: VarId) -> Home {
        self.variables[var.0 as usize].clone()
    }

    fn in_kernel(&self) -> bool {
        self.is_kernel
    }

    fn register_parameter(&self, function: usize, nth: usize, is_result: bool) -> Option<(ast::Type, u32)> {
        let ast = self.linked.functions[function].ast;
        match if is_result { &ast.returns } else { &ast.params }.get(nth)? {
            Param::Register { ty, vector, .. } => Some((*ty, *vector)),
            Param::Memory(_) => None,
        }
    }

    fn architecture(&self) -> u32 {
        super::architecture(&self.linked.modules[self.module])
    }

    fn label(&self, label: LabelId) -> u32 {
        self.labels[label.0 as usize]
    }
}

/// Bytes of a frame, handed out upwards.
struct Depot {
    bytes: u64,
}

impl Depot {
    fn place(&mut self, variable: &ast::Variable) -> Result<u64, LoadError> {
        let bytes = variable.bytes().filter(|&bytes| bytes < 1 << 24).ok_or_else(|| LoadError {
            line: variable.line,
            message: format!("variable `{}` is too large", variable.name),
            kind: LoadErrorKind::Syntax,
        })?;
        let offset = self.bytes.next_multiple_of(u64::from(variable.align.max(1)));
        self.bytes = offset + bytes;
        Ok(offset)
    }
}

/// Bytes of the largest `.param` variable that some function hands to another.
fn largest_argument(linked: &Linked) -> u64 {
    let bodies = linked.functions.iter().filter_map(|function| function.ast.body.as_ref());
    let handed = bodies.flat_map(|body| &body.variables).filter(|variable| variable.space == Space::Param);
    handed.filter_map(|variable| variable.bytes()).max().unwrap_or(0)
}

/// Decodes a kernel with everything it reaches, kernels that it launches among it.
pub fn prepare(linked: &Linked, kernel: usize) -> Result<Result<KernelCode, Unsupported>, LoadError> {
    let mut code = KernelCode::default();
    let mut locations = Locations::default();
    let mut kernels = vec![kernel];
    while let Some(&kernel) = kernels.get(code.parts.len()) {
        let ast = linked.functions[kernel].ast;
        let refused = |declined: Declined| Ok(Err(declined.in_kernel(&ast.name)));
        let is_in_clusters = |kernel: &usize| {
            linked.functions[*kernel].ast.directives.iter().any(|(name, _)| name == "reqnctapercluster")
        };
        let (functions, launched, own) = reachable(linked, kernel);
        let among_launches = launched.iter().copied().chain([kernel]).filter(|_| !launched.is_empty());
        if let Some(clustered) = among_launches.into_iter().find(is_in_clusters) {
            let what = "clusters of blocks in a kernel that launches others, or that a kernel launches".into();
            let line = linked.functions[clustered].ast.line;
            return refused(Declined { what, is_understood: true, line, location: None });
        }
        kernels.extend(launched.into_iter().filter(|kernel| !kernels.contains(kernel)).collect::<Vec<_>>());
        let mut shared = lay_out_shared(linked, &functions)?;
        let (pointees, global_steps) = elements::of(linked, kernel, &mut shared);
        let first = code.functions.len() as u32;
        for (nth, &function) in functions.iter().enumerate() {
            let begin = code.instrs.len();
            match decode_function(linked, &shared, function, &mut code, &mut locations) {
                Ok(Ok(())) => {}
                // It may never be called.
                _ if nth >= own => code.instrs.truncate(begin),
                Ok(Err(declined)) => return refused(declined),
                Err(error) => return Err(error),
            }
        }
        code.parts.push(KernelPart {
            name: ast.name.clone(),
            kernel: linked.functions[..kernel].iter().filter(|before| is_launchable(before)).count(),
            first,
            end: code.functions.len() as u32,
            shared: shared.variables,
            static_shared: shared.bytes,
            pointees,
            global_steps,
        });
    }
    let is_launch = |instr: &Instr| match &instr.op {
        Op::Call(call) => matches!(call.callee, Callee::Builtin(builtin) if builtin.names_a_kernel()),
        _ => false,
    };
    code.launches = code.instrs.iter().any(is_launch);
    let is_device = |callee: &Callee| matches!(callee, Callee::Builtin(Builtin::Device(_)));
    let asks = |instr: &Instr| matches!(&instr.op, Op::Call(call) if is_device(&call.callee));
    code.asks_runtime = code.instrs.iter().any(asks);
    code.products = code.instrs.iter().any(|instr| exec::wgmma::is_product(&instr.op));
    code.copies = code.products || code.instrs.iter().any(|instr| matches!(instr.op, Op::Async(_) | Op::Bulk(_)));
    code.grid_dependencies = code.instrs.iter().any(|instr| matches!(instr.op, Op::GridDependency(_)));
    code.bulk_copies = code.products || code.instrs.iter().any(|instr| matches!(instr.op, Op::Bulk(_)));
    code.locations = locations.list;
    let special = |wanted: fn(&ThreadRegister) -> bool| {
        let constants = code.functions.iter().flat_map(|function| &function.frame.constants);
        constants.into_iter().any(|(_, constant)| matches!(constant, Constant::Special(register) if wanted(register)))
    };
    let reserved = special(|register| matches!(register, ThreadRegister::ReservedShared(_)));
    let grid = special(|register| matches!(register, ThreadRegister::Envreg(1 | 2)));
    (code.asks_for_reserved_shared, code.asks_for_grid_barrier) = (reserved, grid);
    let is_trade = |instr: &Instr| {
        use crate::memory::space::Space::{Generic, Shared};
        let space = match &instr.op {
            Op::Load(load) => load.space,
            Op::Store(store) => store.space,
            _ => return false,
        };
        let location = code.locations.get(instr.location as usize);
        matches!(space, Shared | Generic) && location.is_some_and(|location| location.of_groups)
    };
    code.groups_trade_by_memory = !reserved && code.instrs.iter().any(is_trade);
    Ok(Ok(code))
}

/// A kernel that the host, or another kernel, can launch.
pub fn is_launchable(function: &FunctionRef) -> bool {
    function.ast.is_kernel && function.ast.body.is_some()
}

/// An instruction that is not done here, or something that is not understood.
struct Declined {
    what: String,
    is_understood: bool,
    line: u32,
    location: Option<SourceLocation>,
}

impl Declined {
    fn in_kernel(self, kernel: &str) -> Unsupported {
        let Declined { what, is_understood, line, location } = self;
        Unsupported { what, is_understood, kernel: kernel.to_owned(), line, location }
    }
}

fn decode_function(
    linked: &Linked,
    shared: &SharedLayout,
    function: usize,
    code: &mut KernelCode,
    locations: &mut Locations,
) -> Result<Result<(), Declined>, LoadError> {
    let reference = linked.functions[function];
    let (ast, module) = (reference.ast, &linked.modules[reference.module]);
    let Some(body) = &ast.body else { return Ok(Ok(())) };
    if let Some(error) = &body.not_understood {
        let (what, line) = (error.message.clone(), error.line);
        return Ok(Err(Declined { what, is_understood: false, line, location: None }));
    }
    let entry = code.instrs.len() as u32;
    let mut depot = Depot { bytes: 0 };
    let mut scope = FunctionScope {
        linked,
        shared,
        module: reference.module,
        is_kernel: ast.is_kernel,
        params: HashMap::new(),
        variables: Vec::new(),
        labels: body.labels.iter().map(|label| entry + label.target).collect(),
    };
    if ast.is_kernel {
        for parameter in parameters(ast)? {
            let param = ast.params.iter().find_map(|param| match param {
                Param::Memory(variable) if variable.name == parameter.name => Some(variable.name.as_str()),
                _ => None,
            });
            scope.params.extend(param.map(|name| (name, Home::KernelParam(u64::from(parameter.offset)))));
        }
    }
    let mut formals = [Vec::new(), Vec::new()];
    if !ast.is_kernel {
        for (params, formals) in [&ast.params, &ast.returns].into_iter().zip(&mut formals) {
            for param in params {
                if let Param::Register { vector, .. } = param {
                    formals.extend((0..*vector).map(|_| Formal::Register(crate::registers::Reg::NONE)));
                } else if let Param::Memory(variable) = param {
                    let offset = depot.place(variable)?;
                    scope.params.insert(&variable.name, Home::Frame(offset));
                    let mut bytes = variable.bytes().unwrap_or(0);
                    // `.param .b8 rest[]`: as much as some call hands over.
                    if variable.dims.first() == Some(&0) {
                        bytes = largest_argument(linked);
                        depot.bytes += bytes;
                    }
                    formals.push(Formal::Memory { offset, bytes });
                }
            }
        }
    }
    for (var, variable) in body.variables.iter().enumerate() {
        let var = VarId(var as u32);
        scope.variables.push(match variable.space {
            Space::Shared => Home::Shared(shared.homes[&SharedKey::Function(function, var)]),
            Space::Global | Space::Const => Home::Global(linked.inner_global(function, var).expect("linked")),
            Space::Local | Space::Param => Home::Frame(depot.place(variable)?),
        });
    }

    let mut decoder = Decoder::new(body, &scope);
    for (params, formals) in [&ast.params, &ast.returns].into_iter().zip(&mut formals) {
        let mut formals = formals.iter_mut();
        for param in params {
            match param {
                Param::Register { reg, .. } => {
                    decoder.each(*reg).into_iter().zip(&mut formals).for_each(|(reg, to)| *to = Formal::Register(reg));
                }
                Param::Memory(_) => drop(formals.next()),
            }
        }
    }
    let mentions = pressure::mention_counts(body);
    let blocks = Blocks::of(module, body);
    let mut contracted = Contracted::of(module, ast, body);
    let has_products = body.instructions.iter().any(|instruction| instruction.opcode == "wgmma");
    code.products_are_waited_for |= has_products && module.target.iter().any(|option| option == "debug");
    for (at, instruction) in body.instructions.iter().enumerate() {
        let written = written(instruction);
        let declined = |what: String, is_understood: bool| {
            let location = instruction.loc.map(|loc| user_place(module, loc as usize, &blocks).place);
            Ok(Err(Declined { what, is_understood, line: instruction.line, location }))
        };
        let mut op = match exec::decode(instruction, &mut decoder) {
            Ok(op) => op,
            Err(Refused::Unsupported(detail)) => {
                let what = if detail.is_empty() { written } else { format!("{written} ({detail})") };
                return declined(what, true);
            }
            // A part that was passed over may have defined it.
            Err(Refused::Unresolved(name)) if linked.modules.iter().any(|module| !module.skipped.is_empty()) => {
                return declined(format!("{written}: `{name}` is nowhere defined"), false);
            }
            Err(Refused::Unresolved(name)) => return Err(unresolved(instruction.line, &name)),
            Err(Refused::Malformed(why)) => return declined(format!("{written}: {why}"), false),
        };
        contracted.apply(at, instruction, &mut op, &mut decoder);
        if has_products && instruction.opcode == "mov" {
            code.moves.push(code.instrs.len() as u32);
        }
        if let (Op::Atomic(atomic), Some(dst)) = (&mut op, instruction.operands.first()) {
            atomic.looked_at &= pressure::is_used(dst, &mentions);
        }
        let guard = match instruction.guard {
            None => InstrGuard::Always,
            Some(guard) => {
                let Ok(reg) = decoder.predicate(&Operand::Register(guard.register)) else {
                    return declined("the guard is no predicate".into(), false);
                };
                if guard.negated { InstrGuard::Unless(reg.index) } else { InstrGuard::If(reg.index) }
            }
        };
        let location = instruction.loc.map_or(NO_LOCATION, |loc| locations.add(reference.module, module, loc, &blocks));
        code.instrs.push(Instr { op, guard, class: Class::of(instruction), line: instruction.line, location });
    }
    if shared.variables.len() > 1 {
        code.shared_meant.resize(entry as usize, None);
        code.shared_meant.extend(shared_meant(body, &scope, function, shared));
        code.shared_meant.push(None);
    }
    let line = body.instructions.last().map_or(ast.line, |last| last.line);
    let location = code.instrs.last().map_or(NO_LOCATION, |last| last.location);
    code.instrs.push(Instr { op: Op::Return, guard: InstrGuard::Always, class: Class::Control, line, location });

    let [params, results] = formals;
    let frame = decoder.finish();
    debug_assert!(frame.constants.iter().all(|(_, constant)| !matches!(constant, Constant::Global { variable, .. }
        if *variable >= linked.globals.len())));
    code.functions.push(Function {
        index: function,
        entry,
        frame,
        local_bytes: depot.bytes.next_multiple_of(16),
        params,
        results,
    });
    Ok(Ok(()))
}

/// By instruction, the shared variable of `shared` that its address was made from.
fn shared_meant(body: &Body, scope: &FunctionScope, function: usize, shared: &SharedLayout) -> Vec<Option<u32>> {
    let variable = |operand: &Operand| {
        let key = match operand {
            Operand::Variable { var, .. } => SharedKey::Function(function, *var),
            Operand::Symbol { name, .. } => match scope.linked.resolve(scope.module, name) {
                Some(LinkTarget::Shared(index)) => SharedKey::Module(index),
                _ => return None,
            },
            _ => return None,
        };
        shared.numbers.get(&key).copied()
    };
    arrays::of_accesses(body, &variable)
        .into_iter()
        // An array that begins at the launch's own memory has no end that PTX knows.
        .map(|meant| meant.filter(|&number| shared.variables[number as usize].bytes > 0))
        .collect()
}

/// `ld.global.u32`.
fn written(instruction: &ast::Instruction) -> String {
    let mut text = instruction.opcode.to_string();
    for modifier in &instruction.modifiers {
        text.push('.');
        text.push_str(modifier);
    }
    text
}

/// Source places, each once, walked out of headers to the line that the user wrote.
#[derive(Default)]
struct Locations {
    list: Vec<Location>,
    known: HashMap<(usize, u32), u32>,
}

impl Locations {
    fn add(&mut self, module_index: usize, module: &ast::Module, loc: u32, blocks: &Blocks) -> u32 {
        if let Some(&known) = self.known.get(&(module_index, loc)) {
            return known;
        }
        let place = user_place(module, loc as usize, blocks);
        let at = self.list.iter().position(|known| *known == place).unwrap_or(self.list.len());
        if at == self.list.len() {
            self.list.push(place);
        }
        self.known.insert((module_index, loc), at as u32);
        at as u32
    }
}
