//! Options that compilers are given as a list of texts.

use std::ffi::{CStr, c_char, c_int};

/// Returns the options without those that `dropped` chooses, and whether there were any of these.
///
/// # Safety
/// `options` points to `count` texts that end with NUL.
pub unsafe fn without(
    count: c_int,
    options: *const *const c_char,
    dropped: fn(&str) -> bool,
) -> (Vec<*const c_char>, bool) {
    let given = match usize::try_from(count) {
        // SAFETY: by the caller.
        Ok(count) if !options.is_null() => unsafe { std::slice::from_raw_parts(options, count) },
        _ => &[],
    };
    // SAFETY: by the caller.
    let is_dropped =
        |option: *const c_char| !option.is_null() && unsafe { CStr::from_ptr(option) }.to_str().is_ok_and(dropped);
    let kept: Vec<_> = given.iter().copied().filter(|&option| !is_dropped(option)).collect();
    let any = kept.len() < given.len();
    (kept, any)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_options_stay_in_order() {
        let given = [c"-arch=compute_90", c"-gen-lto", c"-g"].map(CStr::as_ptr);
        // SAFETY: as many texts.
        let (kept, any) = unsafe { without(3, given.as_ptr(), |option| option == "-gen-lto") };
        assert_eq!((kept, any), (vec![given[0], given[2]], true));
        // SAFETY: none.
        assert_eq!(unsafe { without(0, std::ptr::null(), |_| true) }, (vec![], false));
    }
}
