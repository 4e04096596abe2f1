//! Which instructions come from a source line.

use super::flow::{self, PtxFlow};
use crate::Unfit;
use finding::SourceLocation;
use ptx::ast::{Body, Function, Instruction, Module};

/// File, line, column.
pub(super) type LocTriple = (u32, u32, u32);

/// One function of the module, with what is known of it.
pub(super) struct FunctionCode<'m> {
    pub module: &'m Module,
    pub function: &'m Function,
    pub body: &'m Body,
    pub flow: PtxFlow,
    /// For each instruction: its place, then the calls that it was inlined at, outwards.
    chains: Vec<Vec<LocTriple>>,
}

/// A header of the toolkit, as the machine knows them: the user's line that calls it counts.
fn is_toolkits(path: &str) -> bool {
    path.starts_with("<cuda>")
        || path.starts_with("cuda/include")
        || path.contains("/include/")
        || path.rsplit('/').next() == Some("__nv_nvrtc_builtin_header.h")
}

/// Reports may shorten a path: one has to end in the other.
fn is_same(a: &str, b: &str) -> bool {
    let ends = |a: &str, b: &str| a.strip_suffix(b).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
    let (a, b) = (a.trim_start_matches("./"), b.trim_start_matches("./"));
    ends(a, b) || ends(b, a)
}

/// The module's numbers of a file.
pub(super) fn numbers(module: &Module, file: &str) -> Vec<u32> {
    module.files.iter().filter(|(_, path)| is_same(path, file)).map(|(number, _)| *number).collect()
}

/// Returns true for what threads do to memory and to each other, and where they go; arithmetic floats freely.
pub(super) fn is_effect(instruction: &Instruction) -> bool {
    let Instruction { opcode, modifiers, .. } = instruction;
    match opcode.as_str() {
        "ld" | "st" => !modifiers.iter().any(|it| it.starts_with("param")),
        "bra" => instruction.guard.is_some(),
        "atom" | "red" | "cp" | "ldmatrix" | "stmatrix" | "multimem" | "mbarrier" | "ldu" => true,
        "bar" | "barrier" | "membar" | "fence" | "shfl" | "vote" | "match" | "redux" | "elect" | "activemask"
        | "wgmma" => true,
        _ => matches!(opcode.as_str(), "call" | "brx" | "trap") || flow::is_end(instruction),
    }
}

impl<'m> FunctionCode<'m> {
    pub fn of(module: &'m Module, function: &'m Function, body: &'m Body) -> FunctionCode<'m> {
        let chains = body.instructions.iter().map(|it| chain(module, body, it)).collect();
        FunctionCode { module, function, body, flow: PtxFlow::of(body), chains }
    }

    /// Returns the depth among its places at which an instruction has a line.
    fn depth_of(&self, index: usize, at: &SourceLocation) -> Option<usize> {
        let files = numbers(self.module, &at.file);
        self.chains[index].iter().position(|(file, line, _)| *line == at.line && files.contains(file))
    }

    /// The user's own place of an instruction: outside of the toolkit's headers.
    pub fn own_place(&self, index: usize) -> Option<LocTriple> {
        let path = |file: u32| self.module.files.iter().find(|(number, _)| *number == file);
        let is_own = |place: &&LocTriple| path(place.0).is_some_and(|(_, path)| !is_toolkits(path));
        self.chains[index].iter().find(is_own).copied()
    }

    /// The instructions whose own place is in this line, in order.
    pub fn own(&self, at: &SourceLocation) -> Vec<usize> {
        let files = numbers(self.module, &at.file);
        let is_there = |place: LocTriple| place.1 == at.line && files.contains(&place.0);
        (0..self.body.instructions.len()).filter(|it| self.own_place(*it).is_some_and(is_there)).collect()
    }

    /// Returns the effects of a line, with the functions that it calls, separately for each call that it was inlined
    /// at.
    pub fn effects(&self, at: &SourceLocation) -> Vec<Vec<usize>> {
        let mut groups: Vec<(&[LocTriple], Vec<usize>)> = Vec::new();
        for index in 0..self.body.instructions.len() {
            let Some(depth) = self.depth_of(index, at) else { continue };
            if !is_effect(&self.body.instructions[index]) && !self.closes_loop(index, at) {
                continue;
            }
            // The columns in a line differ, the call around it does not.
            let around = &self.chains[index][depth + 1..];
            match groups.iter_mut().find(|(known, _)| *known == around) {
                Some((_, group)) => group.push(index),
                None => groups.push((around, vec![index])),
            }
        }
        groups.into_iter().map(|(_, group)| group).collect()
    }

    /// The way back of a loop that looks first whether it goes on, which it does in this line.
    fn closes_loop(&self, index: usize, at: &SourceLocation) -> bool {
        let decides = |to: &usize| {
            let last = self.flow.blocks.get(self.block(*to)).map(|block| block.end - 1);
            last.is_some_and(|it| self.body.instructions[it].guard.is_some() && self.depth_of(it, at).is_some())
        };
        self.is_backward(index) && flow::targets(self.body, &self.body.instructions[index]).iter().all(decides)
    }

    pub fn has(&self, at: &SourceLocation) -> bool {
        (0..self.body.instructions.len()).any(|index| self.depth_of(index, at).is_some())
    }

    /// All lines of a file at which something happens.
    pub fn lines<'c>(&'c self, files: &'c [u32]) -> impl Iterator<Item = u32> + 'c {
        let effects = (0..self.chains.len()).filter(|it| is_effect(&self.body.instructions[*it]));
        let places = effects.flat_map(|it| &self.chains[it]);
        places.filter(|place| files.contains(&place.0)).map(|place| place.1)
    }

    /// The same place, the same instruction: copies of one another.
    pub fn are_copies(&self, a: usize, b: usize) -> bool {
        let (one, other) = (&self.body.instructions[a], &self.body.instructions[b]);
        (&one.opcode, &one.modifiers) == (&other.opcode, &other.modifiers)
            && self.is_backward(a) == self.is_backward(b)
            && self.chains[a] == self.chains[b]
    }

    pub fn is_backward(&self, index: usize) -> bool {
        let instruction = &self.body.instructions[index];
        flow::is_branch(instruction) && flow::targets(self.body, instruction).iter().any(|to| *to <= index)
    }

    /// A label may stand behind the last instruction.
    pub fn block(&self, index: usize) -> usize {
        self.flow.block_of.get(index).copied().unwrap_or(self.flow.exit())
    }

    pub fn other_thing(&self, at: &SourceLocation) -> Unfit {
        Unfit::OtherThing { line: at.line }
    }
}

/// The place of an instruction and the calls around it. nvcc writes a call's own `.loc`, inlined where it stands, right
/// before what is inlined there.
fn chain(module: &Module, body: &Body, instruction: &Instruction) -> Vec<LocTriple> {
    let mut places = Vec::new();
    let mut at = instruction.loc.map(|loc| loc as usize);
    while let Some(loc) = at {
        let place = &module.locs[loc];
        if place.line != 0 {
            places.push((place.file, place.line, place.column));
        }
        let Some(call) = place.inlined_at else { break };
        let is_call = |at: &usize| {
            let it = &module.locs[*at];
            (it.file, it.line, it.column) == call && *at != loc
        };
        at = body.locs.clone().take_while(|at| *at < loc).filter(is_call).last();
        if at.is_none() {
            places.push(call);
        }
    }
    places
}
