//! Launches that cannot go on: deadlock, exactly, and livelock, exactly or by fuel.
//!
//! A deadlock is found when every thread of a block that has not ended waits at a barrier
//! or a `.sync` instruction. Nothing outside the block can wake such a thread, so this is
//! exact, and no schedule makes one that the kernel does not have. Where threads spin it is
//! a livelock: proven in [`super::spin`], or else taken for one when the fuel is used up.

use super::block::Block;
use super::grid_barrier::is_grid_barrier;
use super::mbarrier::Object;
use super::misuse::Words;
use super::sites::access;
use super::spin::Spin;
use super::warp::{Wait, Warp};
use super::words::Word;
use super::worker::Worker;
use crate::code_reading::{loaded_once, tries_alike};
use crate::exec::Op;
use crate::place;
use crate::types::Fault;
use crate::watch::{LastWrite, Watch};
use finding::threads::Threads;
use finding::{Access, Argument, Slug};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering::Relaxed;

/// Threads that stand at one place and wait for the same.
pub(super) struct Standing {
    pc: u32,
    /// The calls that led there.
    calls: Vec<u32>,
    pub wait: Wait,
    threads: Threads,
    /// Who has to come, where that is known by name.
    missing: Threads,
    /// What is said of them besides.
    lacks: String,
    /// They look at the barrier of a cooperative grid.
    at_grid_barrier: bool,
    /// The argument that points to what they look at.
    argument: Option<Argument>,
}

/// Who wrote last what threads look at.
struct Written {
    end: Access,
    argument: Option<Argument>,
    /// The line in which a thread that has ended took what others still try to take.
    kept: Option<u32>,
}

/// Places that a report lists; the rest is counted.
const PLACES: usize = 16;
/// Blocks that it lists of those that wait in one line, each for something else.
const ALIKE: usize = 4;

impl<W: Watch> Worker<'_, W> {
    pub(super) fn deadlock(&mut self, block: &Block<W>) {
        let all = self.standing(block, &block.warps);
        let ends = all.iter().take(PLACES).map(|standing| self.describe(block, standing, &all)).collect();
        let mut why = "no thread is left that could come to where these wait".to_string();
        let ended = ended(block);
        if !ended.is_empty() {
            why = format!("{why}: {ended} of the block {} ended", if ended.count() == 1 { "has" } else { "have" });
        }
        if all.len() > PLACES {
            why = format!("{why} (and threads wait at {} more places)", all.len() - PLACES);
        }
        let words = Words {
            slug: Slug::Deadlock,
            message: "every thread of the block that has not ended waits for another".into(),
            why,
            help: "let every thread that a barrier counts, or a mask names, reach it; or name in the mask only those that come"
                .into(),
            arguments: Vec::new(),
        };
        self.end(block, words, ends, Fault::Timeout);
    }

    /// Every waiting thread of these warps, by place and by what it waits for.
    pub(super) fn standing(&self, block: &Block<W>, warps: &[Warp<W>]) -> Vec<Standing> {
        let mut all: Vec<Standing> = Vec::new();
        for warp in warps {
            for group in &warp.groups {
                let calls = warp.calls(group.frame);
                let same = |known: &Standing| (known.pc, known.wait) == (group.pc, group.wait) && known.calls == calls;
                let known = all.iter().position(same);
                let at = known.unwrap_or_else(|| {
                    let (threads, missing) = (Threads::default(), Threads::default());
                    all.push(Standing {
                        pc: group.pc,
                        calls,
                        wait: group.wait,
                        threads,
                        missing,
                        lacks: String::new(),
                        at_grid_barrier: false,
                        argument: None,
                    });
                    all.len() - 1
                });
                all[at].threads.add(warp.index, group.mask);
                if let Wait::Members(_, members) = group.wait {
                    let met = warp.groups.iter().filter(|other| other.wait == group.wait);
                    let met = met.fold(0, |met, other| met | other.mask);
                    all[at].missing.add(warp.index, members & warp.live() & !met);
                }
            }
        }
        for standing in &mut all {
            let Wait::Barrier(id) = standing.wait else { continue };
            let barrier = &block.barriers[id as usize];
            for (warp, arrived) in block.warps.iter().zip(&barrier.arrived) {
                // Where threads are counted it is open who comes, but a warp comes whole.
                if barrier.expected.is_none() || *arrived != 0 {
                    standing.missing.add(warp.index, warp.live() & !arrived);
                }
            }
            if let Some(expected) = barrier.expected {
                let come: u32 = barrier.arrived.iter().map(|arrived| arrived.count_ones()).sum();
                standing.lacks = format!(" until {expected} threads have come, and {come} have");
            }
        }
        all
    }

    /// Who waits where, and for whom: the numbers are of places in `all`.
    pub(super) fn describe(&self, block: &Block<W>, standing: &Standing, all: &[Standing]) -> Access {
        self.describe_from(block, standing, all, 0)
    }

    /// The same where `first` places come before these.
    fn describe_from(&self, block: &Block<W>, standing: &Standing, all: &[Standing], first: usize) -> Access {
        let name = match (standing.wait, &self.launch.code.instrs[standing.pc as usize].op) {
            (Wait::Members(kind, members), _) => format!("`{}` with mask {members:#010x}", kind.name()),
            (Wait::Barrier(id), Op::Barrier(op)) => op.name(u32::from(id)),
            _ => "a barrier".into(),
        };
        let (threads, missing) = (&standing.threads, &standing.missing);
        let mut text =
            format!("{threads} wait{} at {name}{}", if threads.count() == 1 { "s" } else { "" }, standing.lacks);
        if standing.at_grid_barrier {
            text = format!("{threads} wait{} at the barrier of the grid", if threads.count() == 1 { "s" } else { "" });
        } else if standing.wait == Wait::Ready {
            text = match (standing.lacks.is_empty(), threads.count()) {
                (true, 1) => format!("{threads} goes round here"),
                (true, _) => format!("{threads} go round here"),
                (false, 1) => format!("{threads} looks here again and again{}", standing.lacks),
                (false, _) => {
                    format!("{threads} look here again and again{}", standing.lacks.replacen("finds", "find", 1))
                }
            };
        }
        if !missing.is_empty() {
            let places = all.iter().zip(first + 1..).filter(|(other, _)| other.threads.meets(missing));
            let places: Vec<String> = places.map(|(_, number)| format!("({number})")).collect();
            let stand = if missing.count() == 1 { "stands" } else { "stand" };
            text = format!("{text} for {missing}, who {stand} at {}", places.join(", "));
        }
        let mut end = access(&block.launch, block.linear, threads.first(), standing.pc, &standing.calls, text);
        end.thread = None;
        end
    }

    /// Ends the launch: its threads spin, for ever if that is proven. Always false.
    pub(super) fn livelock(&mut self, resident: &[Block<W>], spins: &[Spin], proven: bool) -> bool {
        let (mut ends, mut arguments) = (Vec::new(), Vec::new());
        let mut told: Vec<(u32, Wait, String)> = Vec::new();
        // Who stands at each end: the block's place among those under way, and its threads.
        let mut stand: Vec<(usize, Threads)> = Vec::new();
        let mut more = 0;
        for (index, block) in resident.iter().enumerate() {
            let all = self.spinning_or_waiting(block, index, spins);
            let is_told = |one: &Standing| {
                let alike = || told.iter().filter(|(pc, wait, _)| (*pc, *wait) == (one.pc, one.wait));
                alike().any(|(.., lacks)| *lacks == one.lacks) || alike().count() >= ALIKE
            };
            if all.iter().all(is_told) || ends.len() + all.len() > PLACES {
                more += 1;
                continue;
            }
            let first = ends.len();
            arguments.extend(all.iter().filter_map(|standing| standing.argument.clone()));
            for standing in &all {
                told.push((standing.pc, standing.wait, standing.lacks.clone()));
                stand.push((index, standing.threads.clone()));
                let mut end = self.describe_from(block, standing, &all, first);
                if resident.len() > 1 {
                    end.action = format!("block {}, {}", in_words(block.launch.block_index(block.linear)), end.action);
                }
                ends.push(end);
            }
        }
        let grid = if proven { self.grid_deadlock(resident, spins) } else { None };
        let mut kept = None;
        if grid.is_none() {
            let told = self.last_writes(resident, spins, &stand);
            kept = told.iter().find_map(|write| write.kept);
            let (mut writes, of): (Vec<_>, Vec<_>) = told.into_iter().map(|write| (write.end, write.argument)).unzip();
            arguments.extend(of.into_iter().flatten());
            // Of several blocks a report names each by itself.
            let blocks: BTreeSet<_> = writes.iter().filter_map(|end| end.thread).map(|thread| thread.block).collect();
            if let (1, Some(&block), true) = (blocks.len(), blocks.first(), resident.len() > 1) {
                writes.iter_mut().for_each(|end| end.action = format!("of block {} {}", in_words(block), end.action));
            }
            ends.extend(writes);
        }
        let mut why = match proven {
            true => {
                "every thread that does not wait comes back to where it was, and none of them changes what it looks \
                     at: no schedule ends this"
                    .to_string()
            }
            false => format!(
                "it has run {} thread instructions, and no thread of the grid has ended in the last {}, all that it was given; it may \
                 only be long",
                self.thread_instructions, self.launch.tree.fuel_given
            ),
        };
        if more > 0 {
            let are = if more == 1 { " is like this" } else { "s are like these" };
            why = format!("{why} ({more} more block{are})");
        }
        let waiting = self.launch.blocks().saturating_sub(self.launch.next_block.load(Relaxed));
        if proven && self.runtime.is_none() && waiting > 0 {
            let have = if waiting == 1 { " has not begun: it waits" } else { "s have not begun: they wait" };
            why = format!("{why}; {waiting} block{have} for a place on the device");
        }
        let words = grid.unwrap_or_else(|| Words {
            slug: Slug::Livelock,
            message: match proven {
                true => "threads wait in a loop for what no thread will do".into(),
                false => "the launch goes on without an end in sight".into(),
            },
            why,
            help: match kept {
                Some(line) => format!(
                    "a lock that is taken in line {line} must be given back before its thread ends, on every path: by `__threadfence()` \
                     and then `atomicExch()`"
                )
                .into(),
                None if let Some((load, swap)) = self.not_reloaded(resident, spins) => format!(
                    "`atomicCAS()` in line {swap} goes on comparing with what line {load} loaded once: where they differ, compare in the \
                     next round with what `atomicCAS()` returned"
                )
                .into(),
                None => "look for who should end the loop: a thread that waits or spins elsewhere, has ended, or has not begun; \
                         two locks are taken by all in one order"
                    .into(),
            },
            arguments,
        });
        let block = spins.first().map_or(0, |spin| spin.block);
        self.end(&resident[block], words, ends, Fault::Timeout)
    }

    /// The lines of a compare-and-swap in a loop, and of the load before the loop that it compares with.
    fn not_reloaded(&self, resident: &[Block<W>], spins: &[Spin]) -> Option<(u32, u32)> {
        let code = self.launch.code;
        spins.iter().find_map(|spin| {
            let load = loaded_once(code, spin.group.pc)?;
            let calls = resident[spin.block].warps[spin.warp as usize].calls(spin.group.frame);
            let line = |pc| Some(code.user_lines(pc, &calls).0?.line);
            Some((line(load)?, line(spin.group.pc)?))
        })
    }

    /// Every thread of a block: those that run by what they look at, those that wait by what they wait for.
    fn spinning_or_waiting(&self, block: &Block<W>, index: usize, spins: &[Spin]) -> Vec<Standing> {
        let mut all: Vec<Standing> = Vec::new();
        for spin in spins.iter().filter(|spin| spin.block == index) {
            let at_grid_barrier = spin.word.is_some_and(|word| is_grid_barrier(&self.launch, &word));
            let mut argument = None;
            let lacks = spin.word.map_or(String::new(), |word| {
                let place = place::of(&block.launch, word.space, word.address, word.bytes);
                argument = place.argument;
                let name = if place.text.starts_with("the same") { "what is there".into() } else { place.text };
                if let Op::Mbarrier(_) = &self.launch.code.instrs[spin.group.pc as usize].op {
                    let missing = Object::at(&block.shared, word.address).map_or(0, |object| object.pending);
                    return format!(" and finds that {missing} arrivals are missing at {name}");
                }
                format!(" and finds {} in {name}", value_of(block, &word))
            });
            let calls = block.warps[spin.warp as usize].calls(spin.group.frame);
            let same = |known: &Standing| known.pc == spin.group.pc && known.calls == calls && known.lacks == lacks;
            let at = all.iter().position(same).unwrap_or_else(|| {
                let (threads, missing) = (Threads::default(), Threads::default());
                all.push(Standing {
                    pc: spin.group.pc,
                    calls,
                    wait: Wait::Ready,
                    threads,
                    missing,
                    lacks,
                    at_grid_barrier,
                    argument,
                });
                all.len() - 1
            });
            all[at].threads.add(spin.warp, spin.group.mask);
        }
        all.extend(self.standing(block, &block.warps).into_iter().filter(|standing| standing.wait != Wait::Ready));
        all
    }

    /// Who wrote last what the threads look at, once for each place; not where the spinning threads' own tries are all that is
    /// known. `stand` says who stands at the ends that are told already.
    fn last_writes(&self, resident: &[Block<W>], spins: &[Spin], stand: &[(usize, Threads)]) -> Vec<Written> {
        let mut known: Vec<(u64, u32, u32, u64)> = Vec::new();
        let mut ends = Vec::new();
        for spin in spins {
            let Some(word) = spin.word else { continue };
            let block = &resident[spin.block];
            let Some(write) = self.watch.last_write(&block.launch, &block.watch, word.space, word.address) else {
                continue;
            };
            let key = (write.block, write.thread, write.pc, if write.has_set { word.address } else { 0 });
            let own = !write.has_set && spins.iter().any(|other| other.group.pc == write.pc);
            if own || known.contains(&key) || known.len() == PLACES {
                continue;
            }
            known.push(key);
            let mut kept = None;
            let (action, argument) = match write.has_set {
                false => ("wrote it last".to_string(), None),
                true => {
                    let place = place::of(&block.launch, word.space, word.address, word.bytes);
                    let name = if place.text.starts_with("the same") { "it".into() } else { place.text };
                    let fate = fate(resident, &write, stand);
                    let code = self.launch.code;
                    let calls = block.warps[spin.warp as usize].calls(spin.group.frame);
                    let tried = code.user_lines(spin.group.pc, &calls).0;
                    let taken = code.user_lines(write.pc, &write.calls).0;
                    // A lock is taken by all in one line, and when it is free; a word that goes from hand to hand may be set
                    // in several, and each waits for another value.
                    let mut alike =
                        spins.iter().filter(|other| other.word.is_some_and(|it| it.address == word.address));
                    let is_kept = fate == ENDED
                        && alike.all(|other| tries_alike(code, write.pc, other.group.pc))
                        && (write.pc == spin.group.pc || taken == tried);
                    kept = taken.filter(|_| is_kept).map(|at| at.line);
                    (format!("set {name} to {}{fate}", value_of(block, &word)), place.argument)
                }
            };
            let end = access(&block.launch, write.block, write.thread, write.pc, &write.calls, action);
            ends.push(Written { end, argument, kept });
        }
        ends
    }
}

/// What is in a word, as most words are read.
fn value_of<W: Watch>(block: &Block<W>, word: &Word) -> i64 {
    let value = word.value(&block.launch, &block.shared);
    if word.bytes == 4 { i64::from(value as i32) } else { value as i64 }
}

const ENDED: &str = ", and has ended";

/// What has become of a thread that set what others wait for.
fn fate<W: Watch>(resident: &[Block<W>], write: &LastWrite, stand: &[(usize, Threads)]) -> String {
    let Some(index) = resident.iter().position(|block| block.linear == write.block) else {
        return ENDED.into();
    };
    let (warp, lane) = (write.thread / 32, write.thread % 32);
    if resident[index].warps.iter().any(|it| it.index == warp && it.exited >> lane & 1 != 0) {
        return ENDED.into();
    }
    let thread = Threads::of_warp(warp, 1 << lane);
    let at = stand.iter().position(|(block, threads)| *block == index && threads.meets(&thread));
    at.map_or(String::new(), |at| format!(", and stands at ({}) now", at + 1))
}

fn in_words([x, y, z]: [u32; 3]) -> String {
    if (y, z) == (0, 0) { x.to_string() } else { format!("({x},{y},{z})") }
}

/// Threads of a block that are no more.
fn ended<W: Watch>(block: &Block<W>) -> Threads {
    let mut ended = Threads::default();
    block.warps.iter().for_each(|warp| ended.add(warp.index, warp.exited));
    ended
}
