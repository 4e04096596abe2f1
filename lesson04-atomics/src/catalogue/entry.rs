//! The action of one kernel of the catalogue on a cell, by its name.
//!
//! Values are bits here, one `u64` an element: a `float4` has four elements, each with a history of its own, because
//! the hardware promises atomicity an element at a time.

use super::history::{self, AtomicStep};
use common::check::{InputValues, Mismatch};
use half::{bf16, f16};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CatalogueOperation {
    Add,
    Sub,
    Min,
    Max,
    Inc,
    Dec,
    Exch,
    Cas,
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    Signed(u32),
    Unsigned(u32),
    Half,
    Bfloat16,
    Float,
    Double,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CatalogueEntry {
    pub operation: CatalogueOperation,
    pub element: Element,
    /// Elements of one cell: 2 in a `__half2`, 4 in a `float4`.
    pub elements: usize,
    pub is_shared: bool,
}

impl CatalogueEntry {
    /// Returns the action of the kernel of this name; `None` for a name that is not of the catalogue.
    pub fn parse(kernel: &str) -> Option<CatalogueEntry> {
        let mut words = kernel.split('_');
        let operation = match words.next()? {
            "add" => CatalogueOperation::Add,
            "sub" => CatalogueOperation::Sub,
            "min" => CatalogueOperation::Min,
            "max" => CatalogueOperation::Max,
            "inc" => CatalogueOperation::Inc,
            "dec" => CatalogueOperation::Dec,
            "exch" => CatalogueOperation::Exch,
            "cas" => CatalogueOperation::Cas,
            "and" => CatalogueOperation::And,
            "or" => CatalogueOperation::Or,
            "xor" => CatalogueOperation::Xor,
            _ => return None,
        };
        let (element, elements) = match words.next()? {
            "int" => (Element::Signed(4), 1),
            "longlong" => (Element::Signed(8), 1),
            "ushort" => (Element::Unsigned(2), 1),
            "unsigned" => (Element::Unsigned(4), 1),
            "ull" => (Element::Unsigned(8), 1),
            "half" => (Element::Half, 1),
            "half2" => (Element::Half, 2),
            "bfloat16" => (Element::Bfloat16, 1),
            "bfloat162" => (Element::Bfloat16, 2),
            "float" => (Element::Float, 1),
            "float2" => (Element::Float, 2),
            "float4" => (Element::Float, 4),
            "double" => (Element::Double, 1),
            _ => return None,
        };
        let is_shared = match words.next()? {
            "global" => false,
            "shared" => true,
            _ => return None,
        };
        words.next().is_none().then_some(CatalogueEntry { operation, element, elements, is_shared })
    }

    /// `count` cells or operands, as the kernel reads them.
    pub fn inputs(self, count: usize, values: &mut InputValues) -> Vec<u8> {
        (0..count * self.elements)
            .flat_map(|_| self.input(values).to_le_bytes().into_iter().take(self.element.bytes()))
            .collect()
    }

    fn input(self, values: &mut InputValues) -> u64 {
        match self.operation {
            // Small enough that operands meet what others left, or the bound.
            CatalogueOperation::Inc | CatalogueOperation::Dec | CatalogueOperation::Cas => values.below(16),
            CatalogueOperation::Exch | CatalogueOperation::And | CatalogueOperation::Or | CatalogueOperation::Xor => {
                values.next_u64() & self.element.mask()
            }
            CatalogueOperation::Min | CatalogueOperation::Max | CatalogueOperation::Sub => {
                values.next_u64() & self.element.mask()
            }
            // Quarters from -8 to 8: never subnormal, which an atomic in global memory may flush to zero.
            CatalogueOperation::Add => self.element.of_quarters(values.below(65) as i32 - 32),
        }
    }

    /// Judges one launch: `steps` are (cell, operand, old value) in any order, as bytes.
    ///
    /// `threads` says which cell each thread met.
    pub fn check(
        self,
        first: &[u8],
        last: &[u8],
        operands: &[u8],
        old: &[u8],
        threads: impl Iterator<Item = usize>,
    ) -> anyhow::Result<()> {
        let [first, last, operands, old] = [first, last, operands, old].map(|bytes| self.element.read_all(bytes));
        // One history for each element of each cell.
        let mut histories = vec![Vec::new(); first.len()];
        for (thread, cell) in threads.enumerate() {
            for element in 0..self.elements {
                let at = thread * self.elements + element;
                let new = self.apply(old[at], operands[at]);
                histories[cell * self.elements + element].push(AtomicStep { old: old[at], new });
            }
        }
        for (at, steps) in histories.iter().enumerate() {
            history::explained(first[at], last[at], steps)
                .map_err(|why| Mismatch::new(say!("no-order", count = steps.len(), cell = at, why)))?;
        }
        Ok(())
    }

    /// The new value, from the CUDA programming guide's line for this function.
    fn apply(self, old: u64, x: u64) -> u64 {
        let element = self.element;
        match self.operation {
            CatalogueOperation::Add => element.add(old, x),
            CatalogueOperation::Sub => old.wrapping_sub(x) & element.mask(),
            CatalogueOperation::Min => {
                if element.is_less(x, old) {
                    x
                } else {
                    old
                }
            }
            CatalogueOperation::Max => {
                if element.is_less(old, x) {
                    x
                } else {
                    old
                }
            }
            CatalogueOperation::Inc => {
                if old >= x {
                    0
                } else {
                    old + 1
                }
            }
            CatalogueOperation::Dec => {
                if old == 0 || old > x {
                    x
                } else {
                    old - 1
                }
            }
            CatalogueOperation::Exch => x,
            CatalogueOperation::Cas => {
                if old == x {
                    x.wrapping_add(1) & element.mask()
                } else {
                    old
                }
            }
            CatalogueOperation::And => old & x,
            CatalogueOperation::Or => old | x,
            CatalogueOperation::Xor => old ^ x,
        }
    }
}

impl Element {
    pub fn bytes(self) -> usize {
        match self {
            Element::Signed(bytes) | Element::Unsigned(bytes) => bytes as usize,
            Element::Half | Element::Bfloat16 => 2,
            Element::Float => 4,
            Element::Double => 8,
        }
    }

    fn mask(self) -> u64 {
        u64::MAX >> (64 - 8 * self.bytes())
    }

    fn read_all(self, bytes: &[u8]) -> Vec<u64> {
        bytes
            .chunks_exact(self.bytes())
            .map(|chunk| chunk.iter().rev().fold(0, |bits, &b| bits << 8 | u64::from(b)))
            .collect()
    }

    fn of_quarters(self, quarters: i32) -> u64 {
        match self {
            Element::Signed(_) | Element::Unsigned(_) => quarters as i64 as u64 & self.mask(),
            Element::Half => u64::from(f16::from_f32(quarters as f32 / 4.0).to_bits()),
            Element::Bfloat16 => u64::from(bf16::from_f32(quarters as f32 / 4.0).to_bits()),
            Element::Float => u64::from((quarters as f32 / 4.0).to_bits()),
            Element::Double => (f64::from(quarters) / 4.0).to_bits(),
        }
    }

    /// Rounded to nearest even, once.
    fn add(self, a: u64, b: u64) -> u64 {
        match self {
            Element::Signed(_) | Element::Unsigned(_) => a.wrapping_add(b) & self.mask(),
            // An f32 holds the exact sum of two quarters this small; one rounding remains.
            Element::Half => u64::from((f16::from_bits(a as u16) + f16::from_bits(b as u16)).to_bits()),
            Element::Bfloat16 => u64::from((bf16::from_bits(a as u16) + bf16::from_bits(b as u16)).to_bits()),
            Element::Float => u64::from((f32::from_bits(a as u32) + f32::from_bits(b as u32)).to_bits()),
            Element::Double => (f64::from_bits(a) + f64::from_bits(b)).to_bits(),
        }
    }

    fn is_less(self, a: u64, b: u64) -> bool {
        let signed = |bits: u64| (bits << (64 - 8 * self.bytes())) as i64;
        match self {
            Element::Signed(_) => signed(a) < signed(b),
            _ => a < b,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(kernel: &str) -> CatalogueEntry {
        CatalogueEntry::parse(kernel).unwrap_or_else(|| panic!("{kernel} is not of the catalogue"))
    }

    #[test]
    fn names_say_it_all() {
        let float4 = entry("add_float4_global");
        assert_eq!((float4.element, float4.elements, float4.is_shared), (Element::Float, 4, false));
        assert!(entry("cas_ushort_shared").is_shared);
        for name in ["add_int", "add_int_local", "mul_int_global", "add_int_global_2", "filter_warp"] {
            assert_eq!(CatalogueEntry::parse(name), None, "{name}");
        }
    }

    #[test]
    fn each_operation_does_what_the_guide_says() {
        let minus = |x: i32| u64::from(x as u32);
        for (kernel, old, x, new) in [
            ("add_int_global", 5, minus(-7), minus(-2)),
            ("sub_unsigned_global", 2, 3, 0xffff_ffff),
            ("min_int_global", 3, minus(-4), minus(-4)),
            ("min_unsigned_global", 3, minus(-4), 3),
            ("max_int_global", 3, minus(-4), 3),
            ("max_longlong_global", 3, -4i64 as u64, 3),
            ("max_ull_global", 3, -4i64 as u64, -4i64 as u64),
            ("inc_unsigned_global", 6, 7, 7),
            ("inc_unsigned_global", 7, 7, 0),
            ("inc_unsigned_global", 9, 7, 0),
            ("dec_unsigned_global", 0, 7, 7),
            ("dec_unsigned_global", 9, 7, 7),
            ("dec_unsigned_global", 7, 7, 6),
            ("exch_float_global", 1, 2, 2),
            ("cas_ushort_global", 0xffff, 0xffff, 0),
            ("cas_int_global", 4, 5, 4),
            ("xor_ull_global", 0b0110, 0b0011, 0b0101),
        ] {
            assert_eq!(entry(kernel).apply(old, x), new, "{kernel} {old:#x} {x:#x}");
        }
    }

    #[test]
    fn floats_add_in_their_own_precision() {
        let bits = |x: f32| u64::from(f16::from_f32(x).to_bits());
        // A half has 11 bits: 2048 + 1 rounds back to 2048, 2048 + 3 to 2052.
        assert_eq!(entry("add_half_global").apply(bits(2048.0), bits(1.0)), bits(2048.0));
        assert_eq!(entry("add_half_global").apply(bits(2048.0), bits(3.0)), bits(2052.0));
        let bits = |x: f32| u64::from(bf16::from_f32(x).to_bits());
        // A bfloat16 has 8.
        assert_eq!(entry("add_bfloat16_global").apply(bits(256.0), bits(1.0)), bits(256.0));
    }

    #[test]
    fn elements_of_a_pair_have_histories_of_their_own() {
        let pair = entry("add_half2_global");
        let half2 = |x: f32, y: f32| [f16::from_f32(x).to_le_bytes(), f16::from_f32(y).to_le_bytes()].concat();
        let first = half2(0.0, 0.0);
        let operands = [half2(1.0, 10.0), half2(2.0, 20.0)].concat();
        let last = half2(3.0, 30.0);
        // Thread 0 came first on the one element, thread 1 on the other.
        let old = [half2(0.0, 20.0), half2(1.0, 0.0)].concat();
        assert!(pair.check(&first, &last, &operands, &old, [0, 0].into_iter()).is_ok());
        // Both first on one element.
        let old = [half2(0.0, 20.0), half2(0.0, 0.0)].concat();
        assert!(pair.check(&first, &last, &operands, &old, [0, 0].into_iter()).is_err());
    }
}
