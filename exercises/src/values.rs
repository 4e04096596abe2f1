//! Contents of buffers: drawn, written down as bytes, compared and shown.

use crate::expression::{Sizes, evaluate};
use crate::spec::{Amount, Check, ElementType, FillSpec};
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::fmt::Write;

/// Seeds below this stand for values that are easier to read than drawn ones. With seed 0 all values are equal, and 0
/// if the range has it. With seed 1 they are a sequence.
pub const DRAWN_FROM: u64 = 2;

/// From this seed on, about half of the values are the range's ends, 0, 1 and -1, alone or in whole stretches. Drawing
/// from a wide range never gives them.
pub const MIXED_FROM: u64 = 100;

/// The seeds of values that are all below 0, or all above: an answer that starts its maximum at 0 fails on
/// these, and on no others.
pub const NEGATIVE: u64 = 98;
pub const POSITIVE: u64 = 99;

/// The seeds of values that are all the smallest of their range, or all the largest: sums are at their ends there,
/// where arithmetic in `float`, `short` or `unsigned` shows.
pub const LOWEST: u64 = 96;
pub const HIGHEST: u64 = 97;

/// The seeds of values that are alike but for the last one: the largest of the range after the smallest, or the other
/// way round. An answer that leaves out late elements is right wherever an early one decides.
pub const LAST_HIGHEST: u64 = 94;
pub const LAST_LOWEST: u64 = 95;

/// Values of a mix that may be all alike: a warp's. So whole warps of zeros stand beside others.
const STRETCH: usize = 32;

/// Which values of its kind a buffer gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValuePattern {
    Alike,
    Sequence,
    Drawn(u64),
    Negative(u64),
    Positive(u64),
    Lowest,
    Highest,
    LastHighest,
    LastLowest,
    Mixed(u64),
}

impl ValuePattern {
    /// By an input's seed. Two buffers of one input hold different drawn values.
    pub fn of(seed: u64, buffer: u64) -> ValuePattern {
        let own = seed + 1000 * buffer;
        match seed {
            0 => ValuePattern::Alike,
            1 => ValuePattern::Sequence,
            NEGATIVE => ValuePattern::Negative(own),
            POSITIVE => ValuePattern::Positive(own),
            LOWEST => ValuePattern::Lowest,
            HIGHEST => ValuePattern::Highest,
            LAST_HIGHEST => ValuePattern::LastHighest,
            LAST_LOWEST => ValuePattern::LastLowest,
            DRAWN_FROM..MIXED_FROM => ValuePattern::Drawn(own),
            MIXED_FROM.. => ValuePattern::Mixed(own),
        }
    }
}

impl FillSpec {
    /// True if the values depend on the input's seed.
    pub fn is_drawn(&self) -> bool {
        matches!(self, FillSpec::Random(_) | FillSpec::OneOf(_) | FillSpec::Permutation(_))
    }

    /// The smallest value that is drawn, and the largest. A permutation has the same values in each of its orders.
    pub fn ends(&self) -> Option<(f64, f64)> {
        match self {
            FillSpec::Random([low, high]) => Some((*low, *high)),
            FillSpec::OneOf(values) => {
                let low = values.iter().copied().min_by(f64::total_cmp)?;
                Some((low, values.iter().copied().max_by(f64::total_cmp)?))
            }
            _ => None,
        }
    }

    /// True if they may be below 0 and above.
    pub fn has_both_signs(&self) -> bool {
        matches!(self, FillSpec::Random([low, high]) if *low < 0.0 && *high > 0.0)
    }
}

/// A runner whose choices depend on `seed` alone.
pub fn runner(seed: u64) -> TestRunner {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

impl Amount {
    pub fn whole(&self, sizes: &Sizes) -> Result<i64, String> {
        match self {
            Amount::Whole(value) => Ok(*value),
            Amount::Real(value) => Err(say!("expression-not-whole", value = value.to_string())),
            Amount::Expression(text) => evaluate(text, sizes),
        }
    }

    pub fn real(&self, sizes: &Sizes) -> Result<f64, String> {
        match self {
            Amount::Real(value) => Ok(*value),
            other => other.whole(sizes).map(|value| value as f64),
        }
    }
}

/// `length` values for a buffer.
pub fn fill(
    fill: &FillSpec,
    ty: ElementType,
    length: usize,
    which: ValuePattern,
    sizes: &Sizes,
) -> Result<Vec<u8>, String> {
    let ramp = || (0..length).map(|at| at as f64);
    let values: Vec<f64> = match fill {
        FillSpec::Ramp => ramp().collect(),
        FillSpec::Zero => vec![0.0; length],
        // A pattern that is no likely result; the device counts it as undefined.
        FillSpec::Undefined => return Ok(vec![0xa7; length * ty.bytes()]),
        FillSpec::Value(value) => vec![value.real(sizes)?; length],
        FillSpec::Permutation(_) => match which {
            ValuePattern::Alike | ValuePattern::Sequence | ValuePattern::Lowest | ValuePattern::LastHighest => {
                ramp().collect()
            }
            ValuePattern::Highest | ValuePattern::LastLowest | ValuePattern::Mixed(_) => ramp().rev().collect(),
            ValuePattern::Drawn(seed) | ValuePattern::Negative(seed) | ValuePattern::Positive(seed) => {
                draw(&Just(ramp().collect::<Vec<_>>()).prop_shuffle(), seed)?
            }
        },
        FillSpec::OneOf(values) if values.is_empty() => return Err(say!("fill-one-of-nothing")),
        FillSpec::OneOf(values) => match which {
            ValuePattern::Lowest | ValuePattern::Highest | ValuePattern::LastHighest | ValuePattern::LastLowest => {
                at_end(fill, which, length)
            }
            ValuePattern::Alike => vec![values[0]; length],
            ValuePattern::Sequence => (0..length).map(|at| values[at % values.len()]).collect(),
            ValuePattern::Drawn(seed) | ValuePattern::Negative(seed) | ValuePattern::Positive(seed) => {
                draw(&vec(select(values.clone()), length), seed)?
            }
            ValuePattern::Mixed(seed) => mixed(values.clone(), select(values.clone()), length, seed)?,
        },
        FillSpec::Random([low, high]) => match which {
            ValuePattern::Lowest | ValuePattern::Highest | ValuePattern::LastHighest | ValuePattern::LastLowest => {
                at_end(fill, which, length)
            }
            ValuePattern::Alike => vec![0f64.clamp(*low, *high); length],
            ValuePattern::Sequence => {
                ramp().map(|at| low.max(0.0) + at % (high - low.max(0.0) + 1.0).max(1.0)).collect()
            }
            ValuePattern::Negative(seed) if fill.has_both_signs() => draw(&vec(number(ty, *low, -TINY), length), seed)?,
            ValuePattern::Positive(seed) if fill.has_both_signs() => draw(&vec(number(ty, TINY, *high), length), seed)?,
            ValuePattern::Drawn(seed) | ValuePattern::Negative(seed) | ValuePattern::Positive(seed) => {
                draw(&vec(number(ty, *low, *high), length), seed)?
            }
            ValuePattern::Mixed(seed) => {
                let mut special: Vec<f64> = [0.0, 1.0, -1.0, *low, *high].into();
                special.retain(|value| (*low..=*high).contains(value));
                special.sort_by(f64::total_cmp);
                special.dedup();
                mixed(special, number(ty, *low, *high), length, seed)?
            }
        },
    };
    Ok(values.into_iter().flat_map(|value| encode(value, ty)).collect())
}

/// One end of the range everywhere, or everywhere but in the last element.
fn at_end(fill: &FillSpec, which: ValuePattern, length: usize) -> Vec<f64> {
    let (low, high) = fill.ends().unwrap_or_default();
    let (all, last) = match which {
        ValuePattern::Lowest => (low, low),
        ValuePattern::LastHighest => (low, high),
        ValuePattern::LastLowest => (high, low),
        _ => (high, high),
    };
    let mut values = vec![all; length];
    values.iter_mut().last().into_iter().for_each(|value| *value = last);
    values
}

/// Stretches of one special value, and others, the first among them, of special values among drawn ones.
fn mixed(
    special: Vec<f64>,
    drawn: impl Strategy<Value = f64> + 'static,
    length: usize,
    seed: u64,
) -> Result<Vec<f64>, String> {
    let special = select(special);
    let each = vec(prop_oneof![special.clone(), drawn], STRETCH);
    let stretches = draw(&vec((any::<bool>(), special, each), length.div_ceil(STRETCH)), seed)?;
    let values = stretches.into_iter().enumerate().flat_map(
        |(at, (alike, value, each))| {
            if alike && at > 0 { vec![value; STRETCH] } else { each }
        },
    );
    Ok(values.take(length).collect())
}

/// Less than a step between two numbers that are drawn.
const TINY: f64 = 1e-9;

/// A number of the range; floats in steps of an eighth, so that they print short.
fn number(ty: ElementType, low: f64, high: f64) -> impl Strategy<Value = f64> {
    let scale = if ty.is_float() { 8.0 } else { 1.0 };
    let (low, high) = ((low * scale).ceil() as i64, (high * scale).floor() as i64);
    let span = (high - low).max(0) as u64 + 1;
    any::<u64>().prop_map(move |value| (low + (value % span) as i64) as f64 / scale)
}

fn draw<T: std::fmt::Debug>(strategy: &impl Strategy<Value = T>, seed: u64) -> Result<T, String> {
    let tree = strategy.new_tree(&mut runner(seed)).map_err(|why| why.to_string())?;
    Ok(tree.current())
}

/// The bytes of one element, as the device stores them.
pub fn encode(value: f64, ty: ElementType) -> Vec<u8> {
    match ty {
        ElementType::F32 => (value as f32).to_le_bytes().to_vec(),
        ElementType::F64 => value.to_le_bytes().to_vec(),
        ElementType::U64 => (value as u64).to_le_bytes().to_vec(),
        _ => (value as i64).to_le_bytes()[..ty.bytes()].to_vec(),
    }
}

/// One element as a number, exact but for the largest 64-bit ones.
fn decode(bytes: &[u8], ty: ElementType) -> f64 {
    let mut wide = [0; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    let raw = u64::from_le_bytes(wide);
    match ty {
        ElementType::F32 => f64::from(f32::from_bits(raw as u32)),
        ElementType::F64 => f64::from_bits(raw),
        ElementType::I8 => f64::from(raw as i8),
        ElementType::I16 => f64::from(raw as i16),
        ElementType::I32 => f64::from(raw as i32),
        ElementType::I64 => raw as i64 as f64,
        _ => raw as f64,
    }
}

/// One element as text.
fn show(bytes: &[u8], ty: ElementType) -> String {
    let mut wide = [0; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    match ty {
        ElementType::I64 => i64::from_le_bytes(wide).to_string(),
        ElementType::U64 => u64::from_le_bytes(wide).to_string(),
        ElementType::F32 => format!("{}", f32::from_bits(u64::from_le_bytes(wide) as u32)),
        _ => format!("{}", decode(bytes, ty)),
    }
}

/// The difference of two buffers: the first wrong element, and how many are wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub first: usize,
    pub count: usize,
}

pub fn compare(check: &Check, ty: ElementType, got: &[u8], expected: &[u8]) -> Option<Difference> {
    let size = ty.bytes();
    if matches!(check, Check::Sorted) {
        let count = unmatched(ty, got, expected).missing.len() / size;
        return (count > 0).then_some(Difference { first: 0, count });
    }
    let [got, expected] = [got, expected].map(|bytes| bytes.chunks(size).map(<[u8]>::to_vec).collect::<Vec<_>>());
    let is_wrong = |(got, expected): (&Vec<u8>, &Vec<u8>)| match check {
        Check::Close(tolerance) => {
            let (got, expected) = (decode(got, ty), decode(expected, ty));
            let distance = (got - expected).abs();
            // NaN is close to nothing.
            distance.is_nan() || distance > tolerance * expected.abs().max(1.0)
        }
        _ => !is_same(ty, got, expected),
    };
    let wrong: Vec<usize> =
        got.iter().zip(&expected).enumerate().filter(|(_, pair)| is_wrong(*pair)).map(|(at, _)| at).collect();
    Some(Difference { first: *wrong.first()?, count: wrong.len() })
}

/// -0 is 0, and a NaN of the same bits is what was asked for.
fn is_same(ty: ElementType, one: &[u8], other: &[u8]) -> bool {
    one == other || ty.is_float() && decode(one, ty) == decode(other, ty)
}

/// Elements that have no equal on the other side, in ascending order, where the order is free.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Unmatched {
    pub missing: Vec<u8>,
    /// Surplus elements.
    pub extra: Vec<u8>,
}

pub fn unmatched(ty: ElementType, got: &[u8], expected: &[u8]) -> Unmatched {
    let by_value = |a: &&[u8], b: &&[u8]| decode(a, ty).total_cmp(&decode(b, ty)).then(a.cmp(b));
    let sorted = |bytes| {
        let mut elements: Vec<&[u8]> = <[u8]>::chunks(bytes, ty.bytes()).collect();
        elements.sort_by(by_value);
        elements.into_iter().peekable()
    };
    let (mut got, mut expected) = (sorted(got), sorted(expected));
    let mut unmatched = Unmatched::default();
    loop {
        match (got.peek(), expected.peek()) {
            (None, None) => return unmatched,
            (Some(one), Some(other)) if is_same(ty, one, other) => (_, _) = (got.next(), expected.next()),
            (Some(one), Some(other)) if by_value(one, other).is_lt() => {
                unmatched.extra.extend(got.next().unwrap_or_default())
            }
            (Some(_), None) => unmatched.extra.extend(got.next().unwrap_or_default()),
            (_, Some(_)) => unmatched.missing.extend(expected.next().unwrap_or_default()),
        }
    }
}

/// Elements shown of a buffer.
const SHOWN: usize = 12;

/// `[3, 1, 4, ..., 9]`, with the element `around` among those shown.
pub fn list(bytes: &[u8], ty: ElementType, around: usize) -> String {
    let elements: Vec<&[u8]> = bytes.chunks(ty.bytes()).collect();
    let from = if around < SHOWN { 0 } else { around.min(elements.len().saturating_sub(1)) - SHOWN / 2 };
    let to = (from + SHOWN).min(elements.len());
    let mut text = String::from("[");
    if from > 0 {
        let _ = write!(text, "..., ");
    }
    let shown: Vec<String> = elements[from..to].iter().map(|element| show(element, ty)).collect();
    text.push_str(&shown.join(", "));
    if to < elements.len() {
        let _ = write!(text, ", ...");
    }
    text.push(']');
    if from > 0 {
        let _ = write!(text, " {}", say!("from-element", from));
    }
    text
}

/// Element `at`.
pub fn element(bytes: &[u8], ty: ElementType, at: usize) -> String {
    show(&bytes[at * ty.bytes()..][..ty.bytes()], ty)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(values: &[i32]) -> Vec<u8> {
        values.iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    fn made(how: &FillSpec, seed: u64) -> Vec<u8> {
        fill(how, ElementType::I32, 40, ValuePattern::of(seed, 0), &Sizes::new()).unwrap()
    }

    #[test]
    fn the_same_seed_gives_the_same_values_and_another_seed_others() {
        let random = FillSpec::Random([-9.0, 9.0]);
        assert_eq!(made(&random, 7), made(&random, 7));
        assert_ne!(made(&random, 7), made(&random, 8));
        assert!(made(&random, 7).chunks(4).all(|bytes| decode(bytes, ElementType::I32).abs() <= 9.0));
        assert_eq!(made(&random, 0), ints(&[0; 40]));
        let mut shuffled = made(&FillSpec::Permutation(true), 5);
        assert_ne!(shuffled, made(&FillSpec::Ramp, 5));
        let sorted = compare(&Check::Sorted, ElementType::I32, &shuffled, &made(&FillSpec::Ramp, 5));
        assert_eq!(sorted, None);
        shuffled[0] ^= 64;
        assert!(compare(&Check::Sorted, ElementType::I32, &shuffled, &made(&FillSpec::Ramp, 5)).is_some());
    }

    /// Checks for the values that answers forget which were tried on drawn values only.
    #[test]
    fn a_mix_has_the_ends_and_zero_and_whole_warps_of_one_value() {
        let numbers = |how: &FillSpec, seed: u64| -> Vec<f64> {
            let bytes = fill(how, ElementType::I32, 640, ValuePattern::of(seed, 0), &Sizes::new()).unwrap();
            bytes.chunks(4).map(|bytes| decode(bytes, ElementType::I32)).collect()
        };
        let wide = FillSpec::Random([0.0, 99999.0]);
        assert!(!numbers(&wide, 7).contains(&0.0), "a plain draw would do");
        let mix = numbers(&wide, MIXED_FROM);
        assert!([0.0, 1.0, 99999.0].iter().all(|value| mix[..STRETCH].contains(value)), "{mix:?}");
        assert!(!mix.contains(&-1.0) && mix.iter().any(|value| ![0.0, 1.0, 99999.0].contains(value)));
        let alike = |stretch: &[f64]| stretch.iter().all(|value| *value == stretch[0]);
        let same = mix.chunks(STRETCH).filter(|stretch| alike(stretch)).count();
        assert!(same > 0 && same < mix.len() / STRETCH, "{same}");
        let signed = FillSpec::Random([-99.0, 99.0]);
        assert!(numbers(&signed, NEGATIVE).iter().all(|value| (-99.0..=-1.0).contains(value)));
        assert!(numbers(&signed, POSITIVE).iter().all(|value| (1.0..=99.0).contains(value)));
        for fill in [&signed, &FillSpec::OneOf(vec![4.0, -99.0, 99.0])] {
            assert!(numbers(fill, LOWEST).iter().all(|value| *value == -99.0));
            assert!(numbers(fill, HIGHEST).iter().all(|value| *value == 99.0));
        }
        let few = numbers(&FillSpec::OneOf(vec![3.0, 5.0]), MIXED_FROM);
        assert!(few.contains(&3.0) && few.contains(&5.0) && few.iter().all(|value| [3.0, 5.0].contains(value)));
        assert_eq!(numbers(&FillSpec::Permutation(true), MIXED_FROM)[0], 639.0);
    }

    #[test]
    fn a_prefix_stays_when_a_buffer_gets_shorter() {
        let random = FillSpec::Random([0.0, 100.0]);
        for seed in [9, MIXED_FROM + 9] {
            let made =
                |length| fill(&random, ElementType::I32, length, ValuePattern::of(seed, 0), &Sizes::new()).unwrap();
            assert_eq!(made(40)[..40], made(10)[..], "{seed}");
        }
    }

    #[test]
    fn close_is_relative_and_nan_is_never_close() {
        let floats = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>();
        let differ = |got: f32, expected: f32| {
            compare(&Check::Close(1e-3), ElementType::F32, &floats(&[got]), &floats(&[expected])).is_some()
        };
        assert!(!differ(1000.5, 1000.0));
        assert!(differ(1002.0, 1000.0));
        assert!(differ(f32::NAN, 1.0) && differ(f32::NAN, f32::NAN));
        let zero = compare(&Check::Equal, ElementType::F32, &floats(&[-0.0]), &floats(&[0.0]));
        assert_eq!(zero, None);
    }

    #[test]
    fn where_the_order_is_free_what_is_missing_and_what_is_too_much_is_told() {
        let of = |got: &[i32], want: &[i32]| unmatched(ElementType::I32, &ints(got), &ints(want));
        assert_eq!(of(&[3, 1, 2], &[1, 2, 3]), Unmatched::default());
        assert_eq!(of(&[5, 1, 1, 2], &[1, 2, 3, 5]), Unmatched { missing: ints(&[3]), extra: ints(&[1]) });
        assert_eq!(of(&[-7, 9, 9], &[0, 9, 1]), Unmatched { missing: ints(&[0, 1]), extra: ints(&[-7, 9]) });
        // All are shifted, and one is wrong.
        let difference = compare(&Check::Sorted, ElementType::I32, &ints(&[0, 1, 2, 3]), &ints(&[1, 2, 3, 4]));
        assert_eq!(difference, Some(Difference { first: 0, count: 1 }));
        let floats = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>();
        let zeros = unmatched(ElementType::F32, &floats(&[-0.0, 1.0, 0.0]), &floats(&[0.0, 0.0, 1.0]));
        assert_eq!(zeros, Unmatched::default());
    }

    #[test]
    fn lists_show_what_surrounds_the_first_wrong_element() {
        let values: Vec<i32> = (0..100).collect();
        assert_eq!(list(&ints(&values[..3]), ElementType::I32, 2), "[0, 1, 2]");
        assert!(list(&ints(&values), ElementType::I32, 50).starts_with("[..., 44, 45, "));
        assert!(list(&ints(&values), ElementType::I32, 99).ends_with("98, 99] from element 93"));
        assert_eq!(element(&ints(&values), ElementType::I32, 41), "41");
    }
}
