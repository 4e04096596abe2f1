//! What is no bug by itself and worth a word where an answer is wrong.

use super::Said;
use finding::ShuffleDirection;

pub(super) fn active_mask(differ: bool) -> Said {
    let (two_masks, one_mask) = match differ {
        true => (
            "; and where lanes have parted in between, two calls give two masks",
            "use one mask wherever the same lanes are meant; ",
        ),
        false => ("", ""),
    };
    Said::new(
        "`__activemask()` gives the lanes that happen to run together, not those that take part",
        format!(
            "the lanes of a warp need not stay together, so the mask may name fewer lanes than take part{two_masks}"
        ),
        format!(
            "{one_mask}make the mask by `__ballot_sync()` before the branch of those that take part, or let every lane take part \
             with a neutral value"
        ),
    )
}

pub(super) fn shuffle_beyond(function: &str, direction: Option<ShuffleDirection>) -> Said {
    let which = match direction {
        Some(ShuffleDirection::Up) => ", in lanes from `offset` on",
        Some(ShuffleDirection::Down) => ", where lane + offset is still below 32 or the width",
        None => "",
    };
    Said::new(
        "a shuffle that leads out of the warp, or out of its group of lanes, returns the lane's own value",
        format!("`{function}` reads another lane only where there is one; these lanes got what they had put in"),
        format!(
            "if the results of these lanes count, let all lanes make the call, and take in what it returns only where the other \
             lane exists{which}; if all lanes need the whole result, call `__shfl_xor_sync()` with the same offset instead"
        ),
    )
}

pub(super) fn swap_failed_unseen() -> Said {
    Said::new(
        "a compare-and-swap failed, and nobody looked",
        "`atomicCAS()` stores only if the place still holds what it is given; where another thread has come first it does \
         nothing and returns what it found, and nothing here uses that",
        "compare what it returns with what it was given, and where they differ begin again with the value that it found, in \
         a loop; or let one atomic operation do all, such as `atomicAdd()`",
    )
}
