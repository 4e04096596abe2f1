//! The coin that seeded schedules throw, and an order of blocks made with it.

/// The next number of SplitMix64 (Steele, Lea and Flood, 2014): small, and good enough for coins. Replay tokens and the
/// inputs of lessons and tests are seeds of it.
pub fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mix(*state)
}

pub struct Coin {
    state: u64,
}

impl Coin {
    pub fn new(seed: u64) -> Coin {
        Coin { state: seed }
    }

    pub fn next(&mut self) -> u64 {
        split_mix(&mut self.state)
    }

    pub fn below(&mut self, count: u64) -> u64 {
        self.next() % count
    }

    /// True one time in `count`.
    pub fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }

    /// One of `count`, numbered from 0.
    pub fn one_of(&mut self, count: usize) -> usize {
        self.below(count as u64) as usize
    }

    /// One of `count`, numbered from 1, three times in four; else 0.
    pub fn some_one(&mut self, count: usize) -> usize {
        if self.one_in(4) { 0 } else { 1 + self.one_of(count) }
    }

    /// Some of the lanes in `mask`, perhaps none or all.
    pub fn some_of(&mut self, mask: u32) -> u32 {
        self.next() as u32 & mask
    }
}

/// Spreads a number's bits over all others.
pub fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The `nth` of `of` blocks in an order that the seed chooses: a fixed stride from a random start.
pub fn shuffled(seed: u64, nth: u64, of: u64) -> u64 {
    let start = mix(seed) % of;
    let mut stride = 1 + mix(seed ^ 1) % of;
    while greatest_common_divisor(stride, of) != 1 {
        stride += 1;
    }
    ((u128::from(start) + u128::from(nth) * u128::from(stride)) % u128::from(of)) as u64
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The generator's published test vector: stored tokens and inputs hang on it.
    #[test]
    fn a_seed_gives_these_numbers_for_ever() {
        let mut state = 1_234_567;
        let numbers = [(); 3].map(|()| split_mix(&mut state));
        assert_eq!(numbers, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn every_block_begins_once_whatever_the_seed() {
        for of in [1, 2, 3, 8, 12, 97, 1000] {
            for seed in 0..50 {
                let mut order: Vec<u64> = (0..of).map(|nth| shuffled(seed, nth, of)).collect();
                order.sort_unstable();
                assert!(order.into_iter().eq(0..of), "{of} blocks, seed {seed}");
            }
        }
    }
}
