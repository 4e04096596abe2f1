//! One run of any kernel of the table on drawn values, against its reference.

use common::Run;
use common::check::{self, Values};
use lesson03_warp_primitives::{WARP, blocks, exchange, members, reference, warps};

/// Runs `kernel` of `row` at the run's size, on values of that seed.
pub fn job(run: &Run, row: &str, kernel: &str, seed: u64) -> anyhow::Result<()> {
    let n = run.size();
    let values = Values::seeded(seed).ints(n, -1000, 1000);
    match row {
        "exchange" => {
            let values: [i32; WARP] = std::array::from_fn(|lane| seed as i32 % 1000 * 100 + lane as i32);
            match exchange::EACH.contains(&kernel) {
                true => check::equal(&exchange::every(run, kernel, &values)?, &exchange::expected(kernel, &values)),
                false => check::equal(&exchange::evens(run, &values)?, &exchange::expected_of_evens(&values)),
            }
        }
        "vote" if members::VOTES.contains(&kernel) => members::vote(run, kernel, &members::ballots(seed)),
        "vote" => {
            let wants: Vec<u32> =
                Values::seeded(seed).ints(3 * WARP, 0, 20).iter().map(|&x| u32::from(x == 7)).collect();
            check::equal(&members::others_want(run, &wants)?, &reference::others_want(&wants))
        }
        "match" => {
            let (members, held) = members::groups(seed, 60, 1 + seed % 50);
            members::matches(run, kernel, &members, &held)
        }
        "redux" => {
            let (members, _) = members::groups(seed, 60, 2);
            let mut values = Values::seeded(seed);
            let held: Vec<u32> = (0..members.len() * WARP).map(|_| values.next_u64() as u32).collect();
            members::reduce(run, kernel, &members, &held)
        }
        "pre_volta" => {
            let want: Vec<u32> = values.iter().map(|&x| u32::from(x % (1 + (seed % 5) as i32) == 0)).collect();
            let (tickets, count) = members::tickets(run, &want)?;
            members::each_has_a_ticket(&want, &tickets, count)
        }
        "warp_sum" | "lockstep_sum" => {
            let size = if kernel == "warp_sum_full" || row == "lockstep_sum" { WARP } else { WARP / 2 };
            check::equal(&warps::sums(run, &values, size)?, &reference::sums(&values, size))
        }
        "all_reduce" => check::equal(&warps::by_warp(run, &values)?, &reference::sums_everywhere(&values)),
        "ballot_sum" => {
            check::equal(&warps::ballot_sums(run, &values)?, &reference::sums(&values, WARP)[..n.div_ceil(WARP)])
        }
        "activemask_sum" => {
            let values: Vec<u32> = values.iter().map(|&x| x.unsigned_abs() + 1).collect();
            let steps: Vec<i32> = values.iter().map(|&x| reference::steps(x)).collect();
            let got = warps::activemask_sums(run, &values)?;
            check::equal(&got.sums, &reference::sums(&steps, WARP)[..n.div_ceil(WARP)])
        }
        "transpose" => {
            let values = Values::seeded(seed).floats(n);
            check::equal(&warps::by_warp(run, &values)?, &reference::transposed(&values))
        }
        "block_reduce_sum" => {
            // Every whole number of warps has its turn.
            let threads = WARP * (1 + seed as usize % 32);
            check::equal(&blocks::block_sums(run, &values, threads as u32)?, &reference::sums(&values, threads))
        }
        "block_reduce_tail" => {
            // Positive, so that what is left out is missing.
            let values: Vec<i32> = values.iter().map(|&x| x.abs() + 1).collect();
            check::equal_value(blocks::tail_sum(run, &values)?, reference::total(&values).expect("it fits"))
        }
        "device_reduce" => {
            check::equal_value(blocks::device_sum(run, &values)?, reference::total(&values).expect("it fits"))
        }
        _ => panic!("no job for the row `{row}`"),
    }
}
