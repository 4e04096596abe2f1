//! Registers that products of a warpgroup use (PTX ISA, "wgmma.mma_async", "wgmma.fence", "wgmma.wait_group").
//!
//! From its start until a `wgmma.wait_group` covers it, a product may read or write its registers at any time. A thread
//! must not access them meanwhile. Products that share accumulators of one shape may follow one another. What a thread
//! writes into such a register must be ordered by `wgmma.fence` before the next product. There must be one before the
//! first product, too.
//!
//! A compiler copies registers by `mov` where the source has no access, and an assembler drops these copies. So a copy
//! of a register in use counts as that register, and what reads the copy is told. A copy, and a constant, may also be
//! made after the fence (both towards silence). So may reads: they are not judged against the fence. In code that
//! `.target debug` marks all values go through memory, and the assembler waits by itself: nothing is judged there.

use machine::code::KernelCode;
use machine::exec::IS_WHOLE;
use machine::exec::Op;
use machine::exec::operands::{arithmetic, results, sources};
use machine::exec::warp::CollectiveKind;
use machine::exec::wgmma::{WarpgroupKind, Wgmma};
use machine::registers::{Reg, Registers, Width};
use machine::watch::StartedProduct;
use rustc_hash::{FxHashMap, FxHashSet};

/// The registers of products that one instruction uses, by their slots.
#[derive(Clone, Debug, Default)]
pub struct RegisterUses {
    reads: Vec<u32>,
    writes: Vec<u32>,
    /// It is a `mov`.
    copies: bool,
}

/// The instructions of a kernel that use registers of products, the products aside.
#[derive(Default)]
pub struct UsesOfProducts {
    /// By instruction, the index in `uses` after the first, which is empty; short where there is none.
    at: Vec<u32>,
    uses: Vec<RegisterUses>,
}

impl UsesOfProducts {
    pub fn new(code: &KernelCode) -> UsesOfProducts {
        let mut all = UsesOfProducts::default();
        if !IS_WHOLE || !code.products || code.products_are_waited_for {
            return all;
        }
        all.at = vec![0; code.instrs.len()];
        all.uses.push(RegisterUses::default());
        let entries: Vec<usize> = code.functions.iter().map(|function| function.entry as usize).collect();
        for (nth, &entry) in entries.iter().enumerate() {
            let end = entries.get(nth + 1).copied().unwrap_or(code.instrs.len());
            all.add(code, entry, end);
        }
        all
    }

    fn add(&mut self, code: &KernelCode, entry: usize, end: usize) {
        let mut slots: FxHashSet<u32> = FxHashSet::default();
        let range = || (entry..end).map(|pc| (pc, &code.instrs[pc].op));
        for (_, op) in range().filter(|(_, op)| multiplication(op).is_some()) {
            sources(op, |reg| slots.extend(words(reg)));
            results(op, |reg| slots.extend(words(reg)));
        }
        // The copies of copies.
        let copies: Vec<(u32, u32)> =
            range().filter(|(pc, _)| is_copy(code, *pc)).filter_map(|(_, op)| copied(op)).collect();
        loop {
            let before = slots.len();
            slots.extend(copies.iter().filter(|(from, _)| slots.contains(from)).map(|(_, to)| *to).collect::<Vec<_>>());
            if slots.len() == before {
                break;
            }
        }
        for (pc, op) in range().filter(|(_, op)| multiplication(op).is_none()) {
            let mut uses = RegisterUses { copies: is_copy(code, pc), ..RegisterUses::default() };
            sources(op, |reg| uses.reads.extend(words(reg).filter(|slot| slots.contains(slot))));
            results(op, |reg| uses.writes.extend(words(reg).filter(|slot| slots.contains(slot))));
            if !uses.reads.is_empty() || !uses.writes.is_empty() {
                self.at[pc] = self.uses.len() as u32;
                self.uses.push(uses);
            }
        }
    }

    /// True if the instruction at `pc` uses any.
    #[inline(always)]
    pub fn concerns(&self, pc: u32) -> bool {
        IS_WHOLE && self.at.get(pc as usize).is_some_and(|&at| at != 0)
    }

    pub fn at(&self, pc: u32) -> &RegisterUses {
        &self.uses[self.at[pc as usize] as usize]
    }
}

fn multiplication(op: &Op) -> Option<&Wgmma> {
    match op {
        Op::Warp(op) => match &op.kind {
            CollectiveKind::Warpgroup(WarpgroupKind::Multiply(form)) => Some(form),
            _ => None,
        },
        _ => None,
    }
}

/// The slots of a register.
fn words(reg: Reg) -> impl Iterator<Item = u32> {
    let count = if reg.width == Width::Pred { 0 } else { reg.width.slots() };
    (0..count).map(move |nth| reg.index + nth)
}

fn is_copy(code: &KernelCode, pc: usize) -> bool {
    code.moves.binary_search(&(pc as u32)).is_ok()
}

/// The registers of a `mov` of one 32-bit register to another.
fn copied(op: &Op) -> Option<(u32, u32)> {
    let [alu] = arithmetic(op) else { return None };
    (alu.args.a.width == Width::Word && alu.args.d.width == Width::Word).then_some((alu.args.a.index, alu.args.d.index))
}

/// A register that a product under way uses, or a copy of one.
#[derive(Clone, Copy, Debug)]
struct InUse {
    product: u32,
    accumulator: bool,
    is_copy: bool,
}

/// A product that has started.
#[derive(Clone, Copy, Debug)]
struct Started {
    site: u32,
    form: Wgmma,
}

/// The registers of one warp. All of its lanes use them alike.
#[derive(Default)]
pub struct WarpProductRegisters {
    /// By slot in the whole file.
    in_use: FxHashMap<u32, InUse>,
    /// Registers that were computed since the last fence, with the site.
    written: FxHashMap<u32, u32>,
    started: FxHashMap<u32, Started>,
    last: u32,
    last_committed: u32,
    last_before_fence: u32,
    has_fenced: bool,
}

/// An access of a register before its product was waited for.
pub struct EarlyUse {
    /// The site of the product.
    pub product: u32,
    pub accumulator: bool,
    pub committed: bool,
    pub writes: bool,
}

/// A product that has no fence before it.
pub enum UnfencedProduct {
    /// The first product of its warp.
    First,
    /// One of its registers has been accessed since the last fence.
    After {
        site: u32,
        accumulator: bool,
        /// The access is that of an earlier product, of another shape.
        by_product: bool,
    },
}

impl WarpProductRegisters {
    pub fn begin(&mut self) {
        self.in_use.clear();
        self.written.clear();
        self.started.clear();
        (self.last, self.last_committed, self.last_before_fence) = (0, 0, 0);
        self.has_fenced = false;
    }

    pub fn fence(&mut self) {
        self.written.clear();
        self.last_before_fence = self.last;
        self.has_fenced = true;
    }

    pub fn commit(&mut self) {
        self.last_committed = self.last;
    }

    /// The warp has waited for its products up to number `last`.
    pub fn wait(&mut self, last: u32) {
        self.in_use.retain(|_, it| it.product > last);
        self.started.retain(|number, _| *number > last);
    }

    /// Records a product. Returns the first of its registers that no fence orders.
    pub fn start(&mut self, start: &StartedProduct, site: u32, regs: &Registers) -> Option<UnfencedProduct> {
        let code = start.at.launch.code;
        let form = multiplication(&code.instrs[start.at.pc as usize].op)?;
        if code.products_are_waited_for {
            return None;
        }
        let fragments = start.op.fragments.as_deref()?;
        let base = regs.base as u32;
        let each = |list: &'_ [Reg]| -> Vec<u32> { list.iter().map(|reg| base + reg.index).collect() };
        let (d, a) = (each(&fragments.d), each(&fragments.a));
        let slots = || d.iter().map(|slot| (*slot, true)).chain(a.iter().map(|slot| (*slot, false)));
        let written = slots().find_map(|(slot, accumulator)| {
            self.written.get(&slot).map(|&site| UnfencedProduct::After { site, accumulator, by_product: false })
        });
        let other_shape = || {
            d.iter().find_map(|slot| {
                let earlier =
                    self.in_use.get(slot).filter(|it| it.accumulator && it.product > self.last_before_fence)?;
                let started = self.started.get(&earlier.product)?;
                let is_alike = (started.form.n, started.form.k, started.form.d) == (form.n, form.k, form.d);
                (!is_alike).then_some(UnfencedProduct::After {
                    site: started.site,
                    accumulator: true,
                    by_product: true,
                })
            })
        };
        let first = (!self.has_fenced).then_some(UnfencedProduct::First);
        let unfenced = written.or_else(other_shape).or(first);
        self.last = start.number;
        self.started.insert(start.number, Started { site, form: *form });
        for (slot, accumulator) in slots() {
            let keeps = !accumulator && self.in_use.get(&slot).is_some_and(|it| it.accumulator && !it.is_copy);
            if !keeps {
                self.in_use.insert(slot, InUse { product: start.number, accumulator, is_copy: false });
            }
        }
        unfenced
    }

    /// Follows an instruction. Returns its access of a register that a product still uses.
    pub fn used(&mut self, uses: &RegisterUses, site: u32, regs: &Registers) -> Option<EarlyUse> {
        let base = regs.base as u32;
        let in_use = |slot: &u32| self.in_use.get(&(base + slot)).copied();
        let read = if uses.copies { None } else { uses.reads.iter().find_map(in_use) };
        let written = uses.writes.iter().filter_map(in_use).find(|it| !it.is_copy);
        let early = read.map(|it| (it, false)).or(written.map(|it| (it, true)));
        let copied = if uses.copies { uses.reads.first() } else { None };
        let of_source = copied.map(|slot| (in_use(slot), self.written.get(&(base + slot)).copied()));
        for slot in &uses.writes {
            let slot = base + slot;
            self.in_use.remove(&slot);
            self.written.remove(&slot);
            match of_source {
                Some((in_use, written)) => {
                    self.in_use.extend(in_use.map(|it| (slot, InUse { is_copy: true, ..it })));
                    self.written.extend(written.map(|site| (slot, site)));
                }
                None if !uses.copies => drop(self.written.insert(slot, site)),
                None => {}
            }
        }
        let (it, writes) = early?;
        let product = self.started.get(&it.product)?.site;
        Some(EarlyUse { product, accumulator: it.accumulator, committed: it.product <= self.last_committed, writes })
    }
}
