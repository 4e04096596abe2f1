//! Functions that courses and older programs call and that CUDA no longer has: what there is today.

/// The names that nvcc puts in quotation marks, with the key of what is said of them.
const REMOVED: [(&str, &str); 12] = [
    ("__shfl", "shuffle"),
    ("__shfl_up", "shuffle"),
    ("__shfl_down", "shuffle"),
    ("__shfl_xor", "shuffle"),
    ("__any", "vote"),
    ("__all", "vote"),
    ("__ballot", "vote"),
    ("cudaDeviceSynchronize", "child"),
    ("this_multi_grid", "multi-grid"),
    ("synchronize", "sync"),
    ("is_valid", "valid"),
    ("multi_grid_group", "multi-grid"),
];

/// Returns the word for what replaces the first such name in nvcc's message, and the name.
pub(super) fn instead(message: &str) -> (&'static str, &str) {
    let quoted = message.split('"').skip(1).step_by(2);
    let known = |word: &str| REMOVED.iter().find(|(name, _)| *name == word.trim_end_matches("()"));
    quoted.filter_map(|word| Some((known(word)?.1, word))).next().unwrap_or(("nothing", ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_name_that_is_known_decides() {
        let message = "a.cu(7): error: class \"cooperative_groups::thread_block\" has no member \"synchronize\"";
        assert_eq!(instead(message), ("sync", "synchronize"));
        assert_eq!(instead("error: identifier \"__shfl_up\" is undefined"), ("shuffle", "__shfl_up"));
        assert_eq!(instead("error: identifier \"mine\" is undefined"), ("nothing", ""));
    }
}
