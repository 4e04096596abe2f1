//! All kernels of lesson 3 in all runs that its program makes, by the plain rule: the outcome is the same, to the last
//! word. Only how often a race was seen is not: the rule counts every earlier access.

use common::DeviceKind;
use common::testing::{Bench, skipped};
use lesson03_warp_primitives::{KERNELS, ROWS};

#[test]
fn the_plain_rule_says_the_same_of_a_whole_lesson() {
    let open = || Bench::open(KERNELS, ROWS).expect("a device opens");
    let (fast, by_rule) = (open(), open().by_rule());
    if fast.device() != DeviceKind::Emulator {
        return skipped::because(skipped::WITHOUT, "a GPU is not checked");
    }
    let kernels = ROWS.iter().flat_map(|row| fast.kernels(row.name).expect("the table has its own rows"));
    for kernel in kernels.filter(|kernel| !kernel.is_refused()) {
        let [fast, by_rule] = [&fast, &by_rule].map(|bench| {
            let mut outcome = bench.usual_runs(&kernel).unwrap_or_else(|error| panic!("{}: {error:#}", kernel.name));
            assert!(outcome.summary.runs > 1, "{}", kernel.name);
            for merged in &mut outcome.findings {
                (merged.count, merged.finding.count) = (0, 0);
            }
            format!("{outcome:#?}")
        });
        assert_eq!(by_rule, fast, "{}", kernel.name);
    }
}
