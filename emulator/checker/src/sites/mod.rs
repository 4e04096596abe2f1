//! Sites: the instruction of an access, and the calls that led to it.
//!
//! A finding names the user's own line. With `-G` nothing is inlined. So an instruction of a header's function, or of a
//! function that many lines call, does not determine that line; the calls do. An access is recorded under the number of
//! its *site*. In the kernel itself this is the instruction's address. In a function it is a number assigned to
//! instruction and callers together, when they are first met. If the numbers run out, the bare address is used, and the
//! finding names the function's line.

pub mod hammocks;
pub mod touched;

use finding::SourceLocation;
use machine::code::KernelCode;
use machine::watch::At;
use rustc_hash::FxHashMap;
use touched::MOST_INSTRUCTIONS;

/// A chain of calls, as an index into [`Sites::chains`] plus one; 0 is the kernel.
pub type CallChain = u32;

/// A site in a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LaunchPlace {
    /// The launch's number among the device's.
    pub launch: u32,
    pub site: u32,
}

#[derive(Clone, Debug, Default)]
pub struct Sites {
    /// The number of the kernel's instructions: smaller site numbers are their addresses.
    instructions: u32,
    list: Vec<(u32, CallChain)>,
    known: FxHashMap<(u32, CallChain), u32>,
    /// For each call, the chain before it, and the call instruction.
    chains: Vec<(CallChain, u32)>,
    numbers: FxHashMap<(CallChain, u32), CallChain>,
}

impl Sites {
    pub fn new(code: &KernelCode) -> Sites {
        Sites { instructions: code.instrs.len() as u32, ..Sites::default() }
    }

    /// Returns the chain of a frame that the call at `pc` in chain `outer` opens.
    pub fn call(&mut self, outer: CallChain, pc: u32) -> CallChain {
        *self.numbers.entry((outer, pc)).or_insert_with(|| {
            self.chains.push((outer, pc));
            self.chains.len() as CallChain
        })
    }

    /// Returns the site of an instruction; `chains` are those of the warp's frames.
    #[inline(always)]
    pub fn of(&mut self, at: &At, chains: &[CallChain]) -> u32 {
        if at.frame == 0 { at.pc } else { self.in_call(at.pc, chains.get(at.frame as usize).copied().unwrap_or(0)) }
    }

    fn in_call(&mut self, pc: u32, chain: CallChain) -> u32 {
        if chain == 0 {
            return pc;
        }
        let number = self.instructions as usize + self.list.len();
        if let Some(&site) = self.known.get(&(pc, chain)) {
            return site;
        }
        if number >= MOST_INSTRUCTIONS {
            return pc;
        }
        self.list.push((pc, chain));
        self.known.insert((pc, chain), number as u32);
        number as u32
    }

    /// Returns the instruction at a site.
    pub fn pc(&self, site: u32) -> u32 {
        self.split(site).0
    }

    fn split(&self, site: u32) -> (u32, CallChain) {
        let inner = site.checked_sub(self.instructions).and_then(|number| self.list.get(number as usize));
        inner.copied().unwrap_or((site, 0))
    }

    /// Returns the call instructions that lead to a site, innermost first.
    pub fn calls(&self, site: u32) -> Vec<u32> {
        let (_, mut chain) = self.split(site);
        let mut calls = Vec::new();
        while let Some((outer, pc)) = (chain as usize).checked_sub(1).map(|index| self.chains[index]) {
            calls.push(pc);
            chain = outer;
        }
        calls
    }

    /// Returns the user's line of a site, and the lines that called it.
    pub fn user_lines(&self, code: &KernelCode, site: u32) -> (Option<SourceLocation>, Vec<SourceLocation>) {
        code.user_lines(self.pc(site), &self.calls(site))
    }

    /// Returns the user's line of a site, if it is in the same file as that of another.
    pub fn beside(&self, code: &KernelCode, site: u32, other: u32) -> Option<SourceLocation> {
        let place = |site| self.user_lines(code, site).0;
        let (own, other) = (place(site)?, place(other)?);
        (own.file == other.file).then_some(own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_remembers_its_callers_and_the_kernel_needs_no_number() {
        let mut sites = Sites { instructions: 100, ..Sites::default() };
        let outer = sites.call(0, 7);
        let inner = sites.call(outer, 42);
        assert_eq!(sites.call(0, 7), outer);
        let (a, b) = (sites.in_call(60, inner), sites.in_call(60, outer));
        assert_ne!(a, b);
        assert_eq!((sites.pc(a), sites.calls(a)), (60, vec![42, 7]));
        assert_eq!((sites.pc(b), sites.calls(b)), (60, vec![7]));
        assert_eq!((sites.pc(60), sites.calls(60)), (60, vec![]));
        assert_eq!(sites.in_call(60, inner), a);
    }
}
