//! The sizes at which answers slip, from what an exercise declares: small ones, those beside a warp, a block and a
//! round of the grid, and every value of a small range.
//!
//! [`classes`] says what sizes are an instance of, such as `n % 32 = 0`. [`cases`] has each class once, and
//! `cargo xtask probes` sees whether a wrong answer is noticed there.

use crate::case::Case;
use crate::expression::Sizes;
use crate::spec::{Amount, BufferSpec, LaunchDimensions, LaunchSpec, SizeSpec, Spec};
use crate::values::{DRAWN_FROM, LAST_HIGHEST, POSITIVE};
use std::collections::BTreeSet;

/// Cases of an exercise, at most. Where there are more classes, `cargo xtask probes` names those that are not tried.
const MOST: usize = 72;

/// A size with at most so many values is tried at each of them.
const FEW: usize = 8;

/// Up to here a value is a class of its own. What is divided by a warp or a block is tried with larger ones: with one
/// element there is often nothing to do.
const TINY: i64 = 3;

const WARP: i64 = 32;

/// Multiples of a block and of a round that are tried.
const MULTIPLES: i64 = 4;

/// The seeds of these inputs' values begin here: above those of drawn inputs, and `MOST` of them end below those with
/// a meaning of their own.
const SEED: u64 = DRAWN_FROM + 20;
const _: () = assert!(SEED + (MOST as u64) <= LAST_HIGHEST);

/// The cases, small sizes first: each is an instance of a class that those before it are not.
pub fn cases(spec: &Spec) -> Vec<Case> {
    let mut seen = BTreeSet::new();
    let mut cases = Vec::new();
    let together = small_together(spec);
    for (number, sizes) in together.iter().cloned().chain(candidates(spec)).enumerate() {
        let mut own = classes(spec, &sizes);
        if number < together.len() {
            // With few elements of everything there is often nothing to do: classes of one size have other instances.
            own.retain(|class| is_combined(class));
        }
        if !own.is_subset(&seen) && cases.len() < MOST {
            seen.extend(own);
            let again = few_elements(spec, &sizes).filter(|again| !cases.contains(again));
            cases.push(Case { sizes, seed: SEED + cases.len() as u64 });
            cases.extend(again);
        }
    }
    cases
}

/// Up to so many elements may all be such that there is nothing to do.
const FEW_ELEMENTS: i64 = 8;

/// The same again where chance may have drawn nothing to do: values of one sign, or all alike, and sizes of no buffer
/// at their smallest.
fn few_elements(spec: &Spec, sizes: &Sizes) -> Option<Case> {
    let drawn: Vec<&BufferSpec> = spec.buffers.iter().filter(|buffer| buffer.fill.is_drawn()).collect();
    let elements = |sizes: &Sizes| drawn.iter().filter_map(|buffer| buffer.len.whole(sizes).ok()).sum::<i64>();
    if !(1..=FEW_ELEMENTS).contains(&elements(sizes)) {
        return None;
    }
    let seed = if drawn.iter().any(|buffer| buffer.fill.has_both_signs()) { POSITIVE } else { 0 };
    let mut again = sizes.clone();
    for (name, size) in spec.sizes.iter().filter(|(_, size)| !is_few(size)) {
        let before = again.insert(name.clone(), size.ends().0);
        if elements(&again) != elements(sizes) {
            again.extend(before.map(|value| (name.clone(), value)));
        }
    }
    Some(Case { sizes: again, seed })
}

/// Every class that the declared sizes have.
pub fn all(spec: &Spec) -> BTreeSet<String> {
    small_together(spec).iter().chain(&candidates(spec)).flat_map(|sizes| classes(spec, sizes)).collect()
}

/// Returns the classes that these sizes are an instance of. Only large sizes are an instance of a small range's value:
/// with few elements most of the blocks have nothing to do.
pub fn classes(spec: &Spec, sizes: &Sizes) -> BTreeSet<String> {
    let has_room = |(name, size): (&String, &SizeSpec)| is_few(size) || size.place_of(sizes[name]) * 2 >= size.count();
    let is_large = spec.sizes.iter().all(has_room);
    let mut all = BTreeSet::new();
    all.extend(at_largest(spec, sizes));
    for (number, (name, size)) in spec.sizes.iter().enumerate() {
        let value = sizes[name];
        for (other, other_size) in spec.sizes.iter().skip(number + 1) {
            all.extend(crossed((name, value, is_few(size)), (other, sizes[other], is_few(other_size))));
        }
        let mut is = |holds: bool, class: String| {
            if holds {
                all.insert(class);
            }
        };
        if is_few(size) {
            is(is_large, format!("{name} = {value}"));
            continue;
        }
        let is_beside = (value - WARP).abs() <= 1;
        is(value <= TINY || is_beside || value.count_ones() == 1, format!("{name} = {value}"));
        is((2..=WARP).contains(&value), format!("2 <= {name} <= {WARP}"));
        let shape = Launched::with(spec, sizes, name);
        if value > TINY {
            (0..4).for_each(|rest| is(value % 4 == rest, format!("{name} % 4 = {rest}")));
            for width in shape.widths {
                is(value % width == 0, format!("{name} % {width} = 0"));
                is(value % width == 1, format!("{name} % {width} = 1"));
                is(value % width == width - 1, format!("{name} % {width} = {}", width - 1));
                is(value > width, format!("{name} > {width}"));
            }
        }
        if let Some(round) = shape.round {
            is(value == round, format!("{name} = a round"));
            is(value == round + 1, format!("{name} = a round + 1"));
            is(value >= 2 * round && value % round == 0, format!("{name} = whole rounds"));
            is(value >= 2 * round && value % round == 1, format!("{name} = whole rounds + 1"));
            is(value > 2 * round && value % round == round - 1, format!("{name} = whole rounds - 1"));
        }
        if let Some(blocks) = shape.blocks {
            is((1..=TINY).contains(&blocks), format!("{name} of {blocks} blocks"));
            is(blocks > TINY, format!("{name} of more than {TINY} blocks"));
        }
    }
    all
}

/// Returns the combination of sizes with few values, where all others are at their largest and there are both.
fn at_largest(spec: &Spec, sizes: &Sizes) -> Option<String> {
    let (few, others): (Vec<_>, Vec<_>) = spec.sizes.iter().partition(|(_, size)| is_few(size));
    let is_largest = others.iter().all(|(name, size)| sizes[*name] == size.ends().1);
    let parts: Vec<String> = sizes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    (is_largest && !few.is_empty() && !others.is_empty()).then(|| parts.join(", "))
}

/// Returns what two sizes are an instance of together: each pair of tiny values, both less than a warp, each value of
/// a small range with a tiny one and with less than a warp.
fn crossed(one: (&str, i64, bool), other: (&str, i64, bool)) -> Vec<String> {
    let ((first, a, a_is_few), (second, b, b_is_few)) = (one, other);
    let is_tiny = |value: i64, is_few: bool| is_few || value <= TINY;
    let is_small = |value: i64, is_few: bool| is_few || (2..=WARP).contains(&value);
    let mut all = Vec::new();
    if a_is_few && b_is_few {
        return all;
    }
    if is_tiny(a, a_is_few) && is_tiny(b, b_is_few) {
        all.push(format!("{first} = {a}, {second} = {b}"));
    }
    if is_small(a, a_is_few) && is_small(b, b_is_few) {
        let part = |name: &str, value: i64, is_few: bool| match is_few {
            true => format!("{name} = {value}"),
            false => format!("2 <= {name} <= {WARP}"),
        };
        all.push(format!("{}, {}", part(first, a, a_is_few), part(second, b, b_is_few)));
    }
    all
}

/// Returns true for a class of several sizes.
fn is_combined(class: &str) -> bool {
    class.contains(", ")
}

/// True for a size that is tried at each of its values.
pub fn is_few(size: &SizeSpec) -> bool {
    size.count() <= FEW
}

/// The dimensions of the launches that depend on one size.
struct Launched {
    /// A warp, and the sides of blocks that do not depend on the size.
    widths: BTreeSet<i64>,
    /// Threads of the first grid, where neither they nor the blocks depend on the size.
    round: Option<i64>,
    /// Blocks of the first grid, where they depend on the size.
    blocks: Option<i64>,
}

impl Launched {
    fn with(spec: &Spec, sizes: &Sizes, name: &str) -> Launched {
        let ends = spec.sizes[name].ends();
        let [small, large] = [ends.0, ends.1].map(|value| {
            let mut other = sizes.clone();
            other.insert(name.into(), value);
            other
        });
        let is_fixed = |shape: &LaunchDimensions| sides(shape, &small) == sides(shape, &large);
        let fixed = spec.launches.iter().filter(|launch| is_fixed(&launch.block));
        let mut widths: BTreeSet<i64> = fixed.flat_map(|launch| sides(&launch.block, sizes)).collect();
        widths.insert(WARP);
        widths.retain(|width| *width > TINY);
        let threads = |launch: &LaunchSpec| count(&launch.grid, sizes) * count(&launch.block, sizes);
        let first = spec.launches.first();
        let round = first.filter(|launch| is_fixed(&launch.grid) && is_fixed(&launch.block)).map(threads);
        let blocks = first.filter(|launch| !is_fixed(&launch.grid)).map(|launch| count(&launch.grid, sizes));
        Launched { widths, round: round.filter(|round| *round > TINY), blocks }
    }
}

fn sides(shape: &LaunchDimensions, sizes: &Sizes) -> Vec<i64> {
    let amounts: &[Amount] = match shape {
        LaunchDimensions::One(amount) => std::slice::from_ref(amount),
        LaunchDimensions::Several(amounts) => amounts,
    };
    amounts.iter().map(|amount| amount.whole(sizes).unwrap_or(0)).collect()
}

fn count(shape: &LaunchDimensions, sizes: &Sizes) -> i64 {
    sides(shape, sizes).iter().fold(1, |all, side| all.saturating_mul(*side))
}

/// Returns the largest sizes with every combination of those that have few values.
fn turns(spec: &Spec) -> Vec<Sizes> {
    let largest = Case::largest(spec).sizes;
    let few = spec.sizes.iter().filter(|(_, size)| is_few(size));
    let mut turns = vec![largest.clone()];
    for (name, size) in few {
        let with = |turn: &Sizes| -> Vec<Sizes> {
            (0..size.count())
                .map(|place| {
                    turn.iter()
                        .map(|(own, value)| (own.clone(), if own == name { size.at(place) } else { *value }))
                        .collect()
                })
                .collect()
        };
        turns = turns.iter().flat_map(with).take(MOST).collect();
    }
    turns
}

/// Sizes worth a look: each size in turn, the smallest values first, while others are at their largest. Those with few
/// values take turns.
fn candidates(spec: &Spec) -> Vec<Sizes> {
    let turns = turns(spec);
    let mut all = Vec::new();
    for (name, size) in spec.sizes.iter().filter(|(_, size)| !is_few(size)) {
        for (number, value) in values(spec, &turns, name, size).into_iter().enumerate() {
            let at = |turn: &Sizes| {
                let mut sizes = turn.clone();
                sizes.insert(name.clone(), value);
                sizes
            };
            match value <= WARP {
                true => all.push(at(&turns[number % turns.len()])),
                false => all.extend(turns.iter().map(at)),
            }
        }
    }
    all.extend(turns);
    all
}

/// Returns every combination of tiny values of all sizes, and of values less than a warp, with every value of
/// small ranges; none where there is one size alone.
fn small_together(spec: &Spec) -> Vec<Sizes> {
    if spec.sizes.len() < 2 {
        return Vec::new();
    }
    let mut all = Vec::new();
    for wanted in [&[1, 2, TINY][..], &[TINY + 2, WARP / 2 + 1]] {
        let mut crossed = turns(spec);
        for (name, size) in spec.sizes.iter().filter(|(_, size)| !is_few(size)) {
            // The smallest value stands in where none of these is in the range.
            let mut values: BTreeSet<i64> = wanted.iter().copied().filter(|&value| size.has(value)).collect();
            if values.is_empty() {
                values.insert(size.ends().0);
            }
            let with = |sizes: &Sizes| -> Vec<Sizes> {
                let with = |value: &i64| {
                    let mut sizes = sizes.clone();
                    sizes.insert(name.clone(), *value);
                    sizes
                };
                values.iter().map(with).collect()
            };
            crossed = crossed.iter().flat_map(with).collect();
        }
        all.extend(crossed);
    }
    all
}

/// Values of one size at which answers slip.
fn values(spec: &Spec, turns: &[Sizes], name: &str, size: &SizeSpec) -> BTreeSet<i64> {
    let mut values: BTreeSet<i64> = (1..=2 * TINY).chain((0..16).map(|bit| 1 << bit)).collect();
    for turn in turns {
        let shape = Launched::with(spec, turn, name);
        for width in shape.widths.into_iter().chain(shape.round) {
            values.extend((1..=MULTIPLES).flat_map(|times| [-1, 0, 1].map(|beside| times * width + beside)));
        }
    }
    values.retain(|value| size.has(*value));
    let last = size.count() - 1;
    values.extend([0, 1, last.saturating_sub(1), last].map(|place| size.at(place.min(last))));
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(sizes: &str, grid: &str, block: &str) -> Spec {
        let text = format!(
            "title = 'x'\nkind = 'fix'\nfails = 'answer'\nminutes = 1\nidea = ''\nhints = []\n[sizes]\n{sizes}\n\
             [[launch]]\nkernel = 'k'\ngrid = {grid}\nblock = {block}\nargs = []\n"
        );
        toml::from_str(&text).unwrap()
    }

    fn tried(spec: &Spec, name: &str) -> Vec<i64> {
        cases(spec).iter().map(|case| case.sizes[name]).collect()
    }

    #[test]
    fn small_sizes_come_first_and_what_is_beside_a_warp_and_a_block_is_tried() {
        let spec = spec("n = { from = 1, to = 600 }", "'ceil_div(n, 128)'", "128");
        let tried = tried(&spec, "n");
        assert!(tried.is_sorted(), "{tried:?}");
        for wanted in [1, 2, 3, 31, 32, 33, 127, 128, 129, 257] {
            assert!(tried.contains(&wanted), "{wanted}: {tried:?}");
        }
        assert!(tried.len() <= 24, "{tried:?}");
    }

    #[test]
    fn rounds_of_a_grid_and_each_value_of_a_small_range_are_tried() {
        let spec = spec("n = { from = 1, to = 1500 }\nblocks = { one_of = [1, 3, 4] }", "'blocks'", "64");
        let (rounds, blocks) = (tried(&spec, "n"), tried(&spec, "blocks"));
        for class in ["n = a round", "n = a round + 1", "n = whole rounds", "n = whole rounds - 1", "blocks = 3"] {
            assert!(cases(&spec).iter().any(|case| classes(&spec, &case.sizes).contains(class)), "{class}: {rounds:?}");
        }
        assert!([1, 3, 4].iter().all(|value| blocks.contains(value)), "{blocks:?}");
        assert_eq!(tried_few("{ from = 1, to = 4 }"), [1, 2, 3, 4]);
        assert_eq!(tried_few("{ from = 4, to = 4 }"), [4]);
    }

    fn tried_few(warps: &str) -> Vec<i64> {
        tried(&spec(&format!("warps = {warps}"), "'warps'", "32"), "warps")
    }

    /// Each class has a case, and no case is declared by nothing.
    #[test]
    fn every_class_is_tried_within_the_bounds() {
        for (sizes, grid, block) in [
            ("n = { from = 1, to = 512 }", "1", "'n'"),
            ("n = { from = 2, to = 40 }\naccounts = { from = 2, to = 5 }", "'ceil_div(n, 8)'", "8"),
            ("width = { from = 1, to = 100 }\nheight = { from = 1, to = 12 }", "'ceil_div(width, 64)'", "64"),
            ("t = { from = 16, to = 200, step = 16 }", "1", "64"),
        ] {
            let spec = spec(sizes, grid, block);
            let cases = cases(&spec);
            let tried: BTreeSet<String> = cases.iter().flat_map(|case| classes(&spec, &case.sizes)).collect();
            assert_eq!(tried, all(&spec), "{sizes}");
            for (name, size) in &spec.sizes {
                assert!(cases.iter().all(|case| size.at(size.place_of(case.sizes[name])) == case.sizes[name]));
            }
        }
    }
}
