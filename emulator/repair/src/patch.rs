//! A remedy applied to PTX text, at every copy of the line that it names.
//!
//! A source line may stand in a kernel many times: inlined, unrolled, cloned. An edit changes all of its copies, as the
//! same edit of the source would.

mod access;
mod bound;
mod flow;
mod insert;
mod lanes;
mod place;
mod text;
mod values;

use crate::Unfit;
use crate::instructions::{BULK_WAIT, CLUSTER_BARRIER, GRID_WAIT, PRODUCT_FENCE, PRODUCT_WAIT, PROXY_FENCE};
use crate::source::StoringLine;
use finding::{BarrierKind, Edit, Scope, SourceLocation};
use place::FunctionCode;
use ptx::ast::{Body, Function, Module};
use text::{PtxStatement, Text};

/// The module's text with `remedy` applied to `kernel`, and to the functions that it may call. Other kernels stay as
/// they are.
pub fn patched(ptx: &str, kernel: &str, remedy: &[Edit]) -> Result<String, Unfit> {
    let module = ptx::parse(ptx).map_err(|_| Unfit::Unreadable)?;
    let codes = codes(&module, kernel);
    let mut text = Text::new(ptx);
    for edit in remedy {
        let places = edit.locations();
        if let Some(at) = places.iter().find(|at| place::numbers(&module, &at.file).is_empty()) {
            return Err(Unfit::OtherFile { file: at.file.clone() });
        }
        let mut is_done = false;
        for code in codes.iter().filter(|code| places.iter().any(|at| code.has(at))) {
            is_done |= apply(code, &mut text, edit)?;
        }
        if !is_done {
            return Err(Unfit::NothingThere { line: places[0].line });
        }
    }
    let result = text.finish();
    ptx::parse(&result).map_err(|_| Unfit::Unreadable)?;
    Ok(result)
}

/// The lines of a file at which a kernel does something to memory or to other threads, or decides where to go;
/// ascending.
pub fn lines(module: &Module, kernel: &str, file: &str) -> Vec<u32> {
    let files = place::numbers(module, file);
    let mut lines: Vec<u32> =
        codes(module, kernel).iter().flat_map(|code| code.lines(&files).collect::<Vec<_>>()).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// True if the compiler has left a store in each of these lines. If one is gone, a barrier in the source would bring
/// it back.
pub fn has_stores(ptx: &str, kernel: &str, file: &str, lines: &[u32]) -> bool {
    let Ok(module) = ptx::parse(ptx) else { return false };
    let codes = codes(&module, kernel);
    let is_store =
        |code: &FunctionCode, at: &usize| matches!(code.body.instructions[*at].opcode.as_str(), "st" | "atom" | "red");
    lines.iter().all(|line| {
        let at = SourceLocation { file: file.to_string(), line: *line, column: 1 };
        codes.iter().any(|code| code.own(&at).iter().any(|index| is_store(code, index)))
    })
}

/// True if the compiler has left a store for each time that this line of the source stores. If it keeps the value in
/// a register over several rounds of a loop, a barrier in the source would bring the other stores back.
pub fn stores_each_time(ptx: &str, kernel: &str, at: &SourceLocation, stored: StoringLine) -> bool {
    let Ok(module) = ptx::parse(ptx) else { return false };
    codes(&module, kernel).iter().all(|code| {
        let own = code.own(at);
        let of_call = |group: Vec<usize>| -> Vec<usize> { group.into_iter().filter(|it| own.contains(it)).collect() };
        code.effects(at).into_iter().map(of_call).all(|group| is_each_time(code, &group, stored))
    })
}

/// The same of the line's instructions, of one call.
fn is_each_time(code: &FunctionCode, group: &[usize], stored: StoringLine) -> bool {
    let instruction = |at: usize| &code.body.instructions[at];
    let is = |opcode: &'static str| group.iter().copied().filter(move |at| instruction(*at).opcode == opcode);
    let space = |at: usize| instruction(at).modifiers.iter().find(|it| SPACES.iter().any(|name| it.starts_with(name)));
    let stores: Vec<usize> = is("st").collect();
    let Some(&first) = stores.first() else { return true };
    if stored.in_loop && stores.len() == 1 && code.flow.depth(first) == 0 {
        return false;
    }
    let place = |load: usize| instruction(load).operands.get(1);
    let is_other = |load: &usize| {
        space(*load) == space(first) && stores.iter().all(|store| place(*load) != instruction(*store).operands.first())
    };
    is("ld").filter(is_other).count() <= stored.reads * stores.len()
}

const SPACES: [&str; 3] = ["shared", "global", "local"];

/// The kernel, and all functions that are none.
fn codes<'m>(module: &'m Module, kernel: &str) -> Vec<FunctionCode<'m>> {
    let is_meant = |it: &&Function| it.name == kernel || !it.is_kernel;
    let with_body = |it: &'m Function| Some((it, it.body.as_ref().filter(|body| !body.instructions.is_empty())?));
    let bodies = module.functions.iter().filter(is_meant).filter_map(with_body);
    bodies.map(|(function, body): (&Function, &Body)| FunctionCode::of(module, function, body)).collect()
}

/// Applies an edit. Returns true if anything was there to change.
fn apply(code: &FunctionCode, text: &mut Text, edit: &Edit) -> Result<bool, Unfit> {
    match edit {
        Edit::InsertBarrier { barrier, at } => {
            insert::insert(code, text, at, &barrier_text(*barrier, edit.locations()[0])?)
        }
        Edit::InsertFence { scope, at } => insert::insert(code, text, at, fence_text(*scope)),
        Edit::InsertWait { at } => insert::insert(code, text, at, "cp.async.wait_all;"),
        Edit::InsertBulkWait { at } => insert::insert(code, text, at, BULK_WAIT),
        Edit::InsertProxyFence { at } => insert::insert(code, text, at, PROXY_FENCE),
        Edit::InsertProductWait { at } => insert::insert(code, text, at, PRODUCT_WAIT),
        Edit::InsertProductFence { at } => insert::insert(code, text, at, PRODUCT_FENCE),
        Edit::InsertGridWait { at } => insert::insert(code, text, at, GRID_WAIT),
        Edit::RemoveBarrier { at } => {
            let is_barrier = |it: &usize| {
                let instruction = &code.body.instructions[*it];
                let last = instruction.modifiers.iter().rfind(|it| *it != "aligned");
                matches!(instruction.opcode.as_str(), "bar" | "barrier") && last.is_some_and(|it| it == "sync")
            };
            let found: Vec<usize> = code.own(at).into_iter().filter(is_barrier).collect();
            found.iter().try_for_each(|it| text.delete(code.body, *it))?;
            Ok(!found.is_empty())
        }
        Edit::WidenScope { at, to } => widen(code, text, at, *to),
        Edit::MakeAtomic { at, access } => access::make_atomic(code, text, at, *access),
        Edit::UseReturned { at, of } => access::use_returned(code, text, at, of),
        Edit::ChangeMask { at, mask } => lanes::change_mask(code, text, at, *mask),
        Edit::ChangeCount { at, threads } => lanes::change_count(code, text, at, *threads),
        Edit::ChangeWidth { at, width } => lanes::change_width(code, text, at, *width),
        Edit::Hoist { at, above } => lanes::hoist(code, text, at, above),
        Edit::BoundIndex { at, below } => bound::bound(code, text, at, *below),
        Edit::SplitUpdate { at, barrier } => insert::split(code, text, at, &barrier_text(*barrier, at)?),
        Edit::Guard { at, condition } => bound::by_one(code, text, at, condition),
        // C++, for a compiler.
        Edit::Rewrite { .. } | Edit::Insert { .. } => Err(Unfit::OtherThing { line: edit.locations()[0].line }),
    }
}

/// A grid's barrier is no instruction but a small program, which needs the workspace of a cooperative launch.
fn barrier_text(barrier: BarrierKind, at: &SourceLocation) -> Result<String, Unfit> {
    match barrier {
        BarrierKind::Block => Ok("bar.sync \t0;".into()),
        BarrierKind::Part { .. } => Ok(format!("{barrier};")),
        BarrierKind::Warp { mask } => Ok(format!("bar.warp.sync \t{mask:#010x};")),
        BarrierKind::Cluster => Ok(CLUSTER_BARRIER.into()),
        BarrierKind::Grid => Err(Unfit::OtherThing { line: at.line }),
    }
}

/// Returns the instruction that nvcc emits for `__threadfence_block()`, `__threadfence()` or `__threadfence_system()`.
fn fence_text(scope: Scope) -> &'static str {
    match scope {
        Scope::Block => "membar.cta;",
        Scope::Cluster | Scope::Device => "membar.gl;",
        Scope::System => "membar.sys;",
    }
}

/// Widens the scope of all that the line does with a narrower one.
fn widen(code: &FunctionCode, text: &mut Text, at: &SourceLocation, to: Scope) -> Result<bool, Unfit> {
    let mut is_done = false;
    for index in code.own(at) {
        let instruction = &code.body.instructions[index];
        let is_fence = match instruction.opcode.as_str() {
            "fence" | "membar" => true,
            "atom" | "red" | "ld" | "st" => false,
            _ => continue,
        };
        let (device, wide) = if instruction.opcode == "membar" { ("gl", "sys") } else { ("gpu", "sys") };
        let (to, rank) = match to {
            Scope::Block => continue,
            Scope::Cluster | Scope::Device => (device, 2),
            Scope::System => (wide, 3),
        };
        let scope = |name: &str| ["cta", "cluster", device, wide].iter().position(|it| *it == name);
        let mut words = vec![instruction.opcode.clone()];
        words.extend(instruction.modifiers.iter().cloned());
        match words.iter_mut().skip(1).find_map(|word| scope(word).map(|own| (word, own))) {
            Some((word, own)) if own < rank => *word = to.into(),
            // None written: the device's. It stands after the order, and before the space.
            None if rank == 3 && !is_fence && !matches!(instruction.opcode.as_str(), "ld" | "st") => {
                let behind = |it: &String| ["relaxed", "acquire", "release", "acq_rel"].contains(&it.as_str());
                let place = words.iter().position(behind).map_or(1, |it| it + 1);
                words.insert(place, to.into());
            }
            _ => continue,
        }
        let old = text.statement(code.body, index)?;
        text.replace(code.body, index, &PtxStatement { opcode: words.join("."), ..old })?;
        is_done = true;
    }
    Ok(is_done)
}
