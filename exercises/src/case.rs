//! One run of an exercise: its sizes, the seed of its inputs, and the schedule; written as a replay token.
//!
//! `n=33,m=2/12345/random:7`: sizes, the inputs' seed, the schedule with its own.

use crate::edges;
use crate::expression::Sizes;
use crate::spec::{FillSpec, SizeSpec, Spec};
use crate::values::{DRAWN_FROM, HIGHEST, LAST_HIGHEST, LAST_LOWEST, LOWEST, MIXED_FROM, NEGATIVE, POSITIVE, runner};
use proptest::num::usize::BinarySearch;
use proptest::prelude::Strategy;
use proptest::strategy::ValueTree;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use trial::Schedule;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    pub sizes: Sizes,
    /// The seed of the values in the buffers.
    pub seed: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduleAndSeed {
    pub schedule: Schedule,
    pub seed: u64,
}

/// The smallest sizes, which are tried before others.
const LEAST: usize = 3;

impl Case {
    /// All sizes at their largest: where counters are counted.
    pub fn largest(spec: &Spec) -> Case {
        Case { sizes: spec.sizes.iter().map(|(name, size)| (name.clone(), size.ends().1)).collect(), seed: DRAWN_FROM }
    }

    /// Sizes with many values at two thirds of their range, those with few at their largest.
    pub fn two_thirds(spec: &Spec) -> Case {
        let at = |size: &SizeSpec| match edges::is_few(size) {
            true => size.ends().1,
            false => size.at((size.count() - 1) * 2 / 3),
        };
        let sizes = spec.sizes.iter().map(|(name, size)| (name.clone(), at(size))).collect();
        Case { sizes, ..Case::largest(spec) }
    }

    /// One case from each of `parts` equal parts of the sizes' ranges. Two sizes go through theirs in opposite
    /// directions, and those with few values take turns. Nothing where all sizes have few values.
    pub fn spread(spec: &Spec, parts: usize) -> Vec<Case> {
        if spec.sizes.values().all(edges::is_few) {
            return Vec::new();
        }
        let at = |number: usize, size: &SizeSpec, part: usize| match edges::is_few(size) {
            true => size.at(part % size.count()),
            false => {
                let part = if number.is_multiple_of(2) { part } else { parts - 1 - part };
                size.at((size.count() - 1) * (2 * part + 1) / (2 * parts))
            }
        };
        let case = |part| {
            let sizes = spec.sizes.iter().enumerate();
            Case {
                sizes: sizes.map(|(number, (name, size))| (name.clone(), at(number, size, part))).collect(),
                seed: 1,
            }
        };
        (0..parts).map(case).collect()
    }

    /// All sizes at their smallest.
    pub fn smallest(spec: &Spec) -> Case {
        Case {
            sizes: spec.sizes.iter().map(|(name, size)| (name.clone(), size.ends().0)).collect(),
            seed: DRAWN_FROM + 1,
        }
    }

    /// The inputs to try, the same each time: the ends of the sizes, then drawn ones. Every second of these holds a
    /// mix.
    pub fn draw(spec: &Spec) -> Vec<Case> {
        let mut cases = vec![Case::largest(spec)];
        if !spec.sizes.is_empty() {
            cases.push(Case::smallest(spec));
        }
        for number in cases.len() as u64..u64::from(spec.trial.inputs) {
            let tree = strategy(&spec.sizes).new_tree(&mut runner(number));
            let sizes = tree.map_or_else(|_| cases[0].sizes.clone(), |tree| tree.current());
            let from = if number % 2 == 0 { MIXED_FROM } else { DRAWN_FROM };
            cases.push(Case { sizes, seed: from + number });
        }
        cases
    }

    /// Inputs that drawing does not come to, and that answers forget. At the largest sizes, where most threads meet:
    /// values that are all alike, in sequence, of one sign, at one end of their range, or a mix, where values are drawn
    /// at all.
    pub fn special(spec: &Spec) -> Vec<Case> {
        let any = |is_it: &dyn Fn(&FillSpec) -> bool| spec.buffers.iter().any(|buffer| is_it(&buffer.fill));
        let mut seeds = Vec::new();
        if any(&FillSpec::is_drawn) {
            seeds.extend([0, 1, MIXED_FROM]);
        }
        if any(&FillSpec::has_both_signs) {
            seeds.extend([NEGATIVE, POSITIVE]);
        }
        // Equal values are the smallest already, unless the range begins below 0.
        if any(&|fill| fill.ends().is_some_and(|(low, _)| low < 0.0)) {
            seeds.push(LOWEST);
        }
        if any(&|fill| fill.ends().is_some_and(|(low, high)| high > low)) {
            seeds.extend([HIGHEST, LAST_HIGHEST, LAST_LOWEST]);
        }
        seeds.iter().map(|seed| Case { seed: *seed, ..Case::largest(spec) }).collect()
    }

    /// This case at the smallest sizes that still fail: proptest's bisection of each. `fails` is asked at most `most`
    /// times.
    pub fn shrink(&self, spec: &Spec, mut fails: impl FnMut(&Case) -> bool, most: u32) -> Case {
        let mut best = self.clone();
        let mut left = most;
        let mut try_it = |case: Case, best: &mut Case| {
            if left == 0 || case == *best {
                return None;
            }
            left -= 1;
            let failed = fails(&case);
            if failed {
                *best = case;
            }
            Some(failed)
        };
        for (name, size) in &spec.sizes {
            // If it fails for odd sizes only, halving misses the smallest.
            let least = (0..size.place_of(best.sizes[name])).take(LEAST.min(most as usize / 8)).find(|place| {
                let mut case = best.clone();
                case.sizes.insert(name.clone(), size.at(*place));
                try_it(case, &mut best) == Some(true)
            });
            if least.is_some() {
                continue;
            }
            let mut tree = BinarySearch::new(size.place_of(best.sizes[name]));
            let mut moved = tree.simplify();
            while moved {
                let mut case = best.clone();
                case.sizes.insert(name.clone(), size.at(tree.current()));
                moved = match try_it(case, &mut best) {
                    Some(true) => tree.simplify(),
                    Some(false) => tree.complicate(),
                    None => false,
                };
            }
        }
        best
    }

    /// This case with a smaller value of one size: at most `most` of them, the smallest first.
    pub fn below(&self, name: &str, size: &SizeSpec, most: usize) -> Vec<Case> {
        let with = |value| {
            let mut case = self.clone();
            case.sizes.insert(name.into(), value);
            case
        };
        (0..size.place_of(self.sizes[name]).min(most)).map(|place| with(size.at(place))).collect()
    }

    /// The same sizes, first with values that are easier to read. Equal values hide a wrong order, so these come
    /// second.
    pub fn plainer(&self) -> [Case; 3] {
        [1, 0, self.seed].map(|seed| Case { seed, ..self.clone() })
    }
}

/// All sizes at once.
fn strategy(sizes: &BTreeMap<String, SizeSpec>) -> impl Strategy<Value = Sizes> + use<> {
    let each: Vec<_> = sizes
        .iter()
        .map(|(name, size)| {
            let name = name.clone();
            let size = size.clone();
            (0..size.count()).prop_map(move |place| (name.clone(), size.at(place)))
        })
        .collect();
    each.prop_map(|pairs| pairs.into_iter().collect())
}

impl ScheduleAndSeed {
    pub const FIRST: ScheduleAndSeed = ScheduleAndSeed { schedule: Schedule::InOrder, seed: 0 };

    /// `in-order` and `reverse`, then seeds that no other input of the exercise has.
    pub fn all(spec: &Spec, input: usize) -> Vec<ScheduleAndSeed> {
        let mut all = vec![
            ScheduleAndSeed { schedule: Schedule::InOrder, seed: 0 },
            ScheduleAndSeed { schedule: Schedule::Reverse, seed: 0 },
        ];
        for number in 0..u64::from(spec.trial.seeds) {
            let schedule = [Schedule::Adversarial, Schedule::Random, Schedule::Pct][number as usize % 3];
            all.push(ScheduleAndSeed { schedule, seed: input as u64 * u64::from(spec.trial.seeds) + number });
        }
        all
    }
}

impl fmt::Display for ScheduleAndSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.schedule.takes_seed() {
            write!(f, "{}:{}", self.schedule, self.seed)
        } else {
            write!(f, "{}", self.schedule)
        }
    }
}

impl FromStr for ScheduleAndSeed {
    type Err = String;
    fn from_str(text: &str) -> Result<ScheduleAndSeed, String> {
        let (schedule, seed) = text.split_once(':').unwrap_or((text, "0"));
        let seed = seed.parse().map_err(|_| say!("schedule-seed", seed))?;
        Ok(ScheduleAndSeed { schedule: schedule.parse()?, seed })
    }
}

/// The token of a run.
pub fn token(case: &Case, order: ScheduleAndSeed) -> String {
    let sizes: Vec<String> = case.sizes.iter().map(|(name, value)| format!("{name}={value}")).collect();
    format!("{}/{}/{order}", if sizes.is_empty() { "-".to_string() } else { sizes.join(",") }, case.seed)
}

/// The token of all executions of a case.
pub fn token_of_executions(case: &Case) -> String {
    let first = token(case, ScheduleAndSeed::FIRST);
    first.rsplit_once('/').map_or_else(String::new, |(case, _)| format!("{case}/executions"))
}

/// A token read back; every size of the exercise must be in it.
pub fn parse_token(text: &str, spec: &Spec) -> Result<(Case, ScheduleAndSeed), String> {
    let parts: Vec<&str> = text.split('/').collect();
    let [sizes, seed, order] = parts[..] else {
        return Err(say!("token-unreadable", text));
    };
    let mut read = Sizes::new();
    for one in sizes.split(',').filter(|one| *one != "-") {
        let pair = one.split_once('=').and_then(|(name, value)| Some((name, value.parse().ok()?)));
        let (name, value) = pair.ok_or_else(|| say!("token-size-unreadable", text = one))?;
        if !spec.sizes.contains_key(name) {
            return Err(say!("size-unknown", name));
        }
        read.insert(name.to_string(), value);
    }
    for (name, size) in &spec.sizes {
        let (low, high) = size.ends();
        match read.get(name) {
            Some(value) if (low..=high).contains(value) => {}
            Some(value) => return Err(say!("token-size-outside", name, value = *value, low, high)),
            None => return Err(say!("token-size-missing", name)),
        }
    }
    let seed = seed.parse().map_err(|_| say!("token-seed", seed))?;
    Ok((Case { sizes: read, seed }, order.parse()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::BufferSpec;

    fn spec() -> Spec {
        let text = "title = 'x'\nkind = 'fix'\nfails = 'answer'\nminutes = 1\nidea = ''\nhints = []\n\
                    [sizes]\nn = { from = 1, to = 600 }\nm = { one_of = [64, 32, 128] }\n\
                    t = { from = 16, to = 90, step = 16 }\n";
        toml::from_str(text).unwrap()
    }

    #[test]
    fn draws_are_the_same_each_time_and_keep_to_the_bounds() {
        let cases = Case::draw(&spec());
        assert_eq!(cases, Case::draw(&spec()));
        assert_eq!(cases.len(), 4);
        assert_eq!((cases[0].sizes["n"], cases[0].sizes["m"], cases[0].sizes["t"]), (600, 128, 80));
        assert_eq!((cases[1].sizes["n"], cases[1].sizes["m"], cases[1].sizes["t"]), (1, 32, 16));
        for case in &cases {
            assert!((1..=600).contains(&case.sizes["n"]) && case.sizes["t"] % 16 == 0);
            assert!([32, 64, 128].contains(&case.sizes["m"]));
        }
    }

    #[test]
    fn special_values_are_tried_where_values_are_drawn() {
        let seeds = |spec: &Spec| Case::special(spec).iter().map(|case| case.seed).collect::<Vec<_>>();
        let mut spec = spec();
        assert_eq!(seeds(&spec), [0u64; 0]);
        let buffer = |fill: &str| -> BufferSpec {
            toml::from_str(&format!("name = 'b'\ntype = 'i32'\nlen = 'n'\nfill = {fill}")).unwrap()
        };
        spec.buffers.push(buffer("'ramp'"));
        assert_eq!(seeds(&spec), [0u64; 0]);
        spec.buffers.push(buffer("{ random = [0, 9] }"));
        assert_eq!(seeds(&spec), [0, 1, MIXED_FROM, HIGHEST, LAST_HIGHEST, LAST_LOWEST]);
        spec.buffers.push(buffer("{ random = [-9, 9] }"));
        assert_eq!(seeds(&spec), [0, 1, MIXED_FROM, NEGATIVE, POSITIVE, LOWEST, HIGHEST, LAST_HIGHEST, LAST_LOWEST]);
        let mixed = Case::draw(&spec).iter().filter(|case| case.seed >= MIXED_FROM).count();
        assert_eq!(mixed, 1);
    }

    #[test]
    fn spread_sizes_come_from_all_parts_of_a_range() {
        let spec = spec();
        let cases = Case::spread(&spec, 12);
        let parts: Vec<i64> = cases.iter().map(|case| (case.sizes["n"] - 1) / 50).collect();
        assert_eq!(parts.iter().copied().collect::<std::collections::BTreeSet<_>>().len(), 12, "{parts:?}");
        assert!(cases.iter().any(|case| case.sizes["m"] == 32) && cases.iter().any(|case| case.sizes["m"] == 128));
    }

    #[test]
    fn shrinking_ends_at_the_smallest_that_fails() {
        let spec = spec();
        let fails = |case: &Case| case.sizes["n"] > 33 && case.sizes["m"] >= 64;
        let small = Case::largest(&spec).shrink(&spec, fails, 100);
        assert_eq!((small.sizes["n"], small.sizes["m"], small.sizes["t"], small.seed), (34, 64, 16, DRAWN_FROM));
        // Halving misses what is no bound; one after the other does not.
        let fails = |case: &Case| [33, 65, 600].contains(&case.sizes["n"]);
        let small = Case::largest(&spec).shrink(&spec, fails, 100);
        assert_eq!(small.sizes["n"], 600);
        let below = |most| small.below("n", &spec.sizes["n"], most);
        assert_eq!(below(64).iter().find(|case| fails(case)).map(|case| case.sizes["n"]), Some(33));
        assert!(below(64).is_sorted_by_key(|case| case.sizes["n"]) && below(20).len() == 20);
        let never = Case::largest(&spec).shrink(&spec, |_| false, 100);
        assert_eq!(never, Case::largest(&spec));
    }

    #[test]
    fn tokens_read_back_and_say_what_is_wrong() {
        let spec = spec();
        for order in ScheduleAndSeed::all(&spec, 3) {
            for case in Case::draw(&spec) {
                assert_eq!(parse_token(&token(&case, order), &spec), Ok((case, order)));
            }
        }
        for (text, part) in [
            ("n=33", "is sizes/seed/schedule"),
            ("n=33/7/random:3", "`m` is missing"),
            ("n=900,m=32,t=16/7/random:3", "n is 900"),
            ("q=1/7/random:3", "no size `q`"),
            ("n=3,m=32,t=16/7/chaos", "`chaos`"),
            ("n=3,m=32,t=16/x/reverse", "`x` is not a number"),
        ] {
            let why = parse_token(text, &spec).unwrap_err();
            assert!(why.contains(part), "{text}: {why}");
        }
    }
}
