//! Names as a source has them, and those of CUDA.

/// The name of a function, an error or an instruction: CUDA's, so that there are few.
pub type StaticName = &'static str;

/// The source's name from the compiler's: `_ZZ7reverseE1s` is `s` (Itanium C++ ABI, local names).
pub fn plain_name(mangled: &str) -> String {
    // A function-local variable: _ZZ <function> E <length><name>.
    let local = mangled
        .strip_prefix("_ZZ")
        .and_then(|rest| rest.match_indices('E').rev().find_map(|(at, _)| source_name(&rest[at + 1..])));
    let global = || mangled.strip_prefix("_Z").and_then(|rest| source_name(rest.trim_start_matches('L')));
    // nvcc renames the locals of a C function: `reverse_param`, `$reverse$s` keep their last part.
    let dollar = || mangled.strip_prefix('$').and_then(|rest| rest.rsplit('$').next()).filter(|name| !name.is_empty());
    local.or_else(global).or_else(dollar).unwrap_or(mangled).to_string()
}

/// `5shift...`: a length and a name of that length at the start of `text`.
fn source_name(text: &str) -> Option<&str> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let length: usize = text[..digits].parse().ok()?;
    text.get(digits..digits.checked_add(length)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_their_mangling() {
        for (mangled, want) in [
            ("_ZZ7reverseE1s", "s"),
            ("_ZZ9histogramPKhiPjE4bins", "bins"),
            ("_ZZ1fvE5cache_0", "cache"),
            ("_ZL7counter", "counter"),
            ("tile", "tile"),
            ("_Z", "_Z"),
        ] {
            assert_eq!(plain_name(mangled), want);
        }
    }
}
